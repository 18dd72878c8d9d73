//! Triangles of the simple solids.

use std::f64::consts::{PI, TAU};

use crate::look::Form;
use crate::mesh::Mesh;

/// Points, normals and triangles.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Points.
    pub points: Vec<[f32; 3]>,
    /// A normal per point.
    pub normals: Vec<[f32; 3]>,
    /// Three points per triangle.
    pub indices: Vec<u32>,
}

/// A row of a surface of revolution about z: radius, z, and its normal in the same plane.
type Row = [f64; 4];

fn lathe(rows: &[Row], segments: usize) -> Surface {
    let mut s = Surface::default();
    for [r, z, nr, nz] in rows {
        for k in 0..=segments {
            let (sin, cos) = (k as f64 / segments as f64 * TAU).sin_cos();
            s.points.push([r * cos, r * sin, *z].map(|x| x as f32));
            s.normals.push([nr * cos, nr * sin, *nz].map(|x| x as f32));
        }
    }
    let width = segments as u32 + 1;
    for (a, pair) in rows.windows(2).enumerate() {
        let [[r, z, ..], [r2, z2, ..]] = [pair[0], pair[1]];
        // Two rows at one position are an edge, not a face.
        if r == r2 && z == z2 {
            continue;
        }
        for k in 0..segments as u32 {
            let (p, q) = (a as u32 * width + k, (a as u32 + 1) * width + k);
            // At a pole one of the two triangles has no area.
            if r > 0.0 {
                s.indices.extend([p, p + 1, q + 1]);
            }
            if r2 > 0.0 {
                s.indices.extend([p, q + 1, q]);
            }
        }
    }
    s
}

/// Rows of an arc from the lower to the upper pole; `stretch` is half the length of a straight part in the
/// middle.
fn arc(r: f64, stretch: f64) -> Vec<Row> {
    let row = |k: usize, side: f64| {
        let (sin, cos) = ((k as f64 / 16.0 - 0.5) * PI).sin_cos();
        let cos = if k.is_multiple_of(16) { 0.0 } else { cos };
        [r * cos, r * sin + side * stretch, cos, sin]
    };
    let lower = (0..=8).map(|k| row(k, -1.0));
    let upper = if stretch > 0.0 { 8..=16 } else { 9..=16 };
    lower.chain(upper.map(|k| row(k, 1.0))).collect()
}

fn cuboid(size: [f64; 3]) -> Surface {
    let mut s = Surface::default();
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            let first = s.points.len() as u32;
            for [a, b] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                let mut p = [0.0; 3];
                (p[k], p[u], p[v]) = (sign * size[k] / 2.0, a * size[u] / 2.0, b * size[v] / 2.0);
                let mut n = [0.0; 3];
                n[k] = sign as f32;
                s.points.push(p.map(|x| x as f32));
                s.normals.push(n);
            }
            let order = if sign > 0.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            s.indices.extend(order.map(|i| first + i));
        }
    }
    s
}

/// Flat triangles; those without area are removed.
fn flat(mesh: &Mesh) -> Surface {
    let mut s = Surface::default();
    for t in mesh.corners.chunks_exact(9) {
        let p = |k: usize| nalgebra::Vector3::new(t[3 * k], t[3 * k + 1], t[3 * k + 2]);
        let n = (p(1) - p(0)).cross(&(p(2) - p(0)));
        let Some(n) = n.try_normalize(1e-30) else { continue };
        for k in 0..3 {
            s.indices.push(s.points.len() as u32);
            s.points.push(p(k).into());
            s.normals.push(n.into());
        }
    }
    s
}

/// The surface of a solid.
pub fn surface(form: &Form, meshes: &[Mesh]) -> Surface {
    match *form {
        Form::Box(size) => cuboid(size),
        Form::Cylinder(r, l) => {
            let h = l / 2.0;
            let foot = [[0.0, -h, 0.0, -1.0], [r, -h, 0.0, -1.0]];
            let side = [[r, -h, 1.0, 0.0], [r, h, 1.0, 0.0]];
            let top = [[r, h, 0.0, 1.0], [0.0, h, 0.0, 1.0]];
            lathe(&[foot, side, top].concat(), 32)
        }
        Form::Cone(r, l) => {
            let (h, n) = (l / 2.0, r.hypot(l));
            let (a, b) = (l / n, r / n);
            lathe(&[[0.0, -h, 0.0, -1.0], [r, -h, 0.0, -1.0], [r, -h, a, b], [0.0, h, a, b]], 32)
        }
        Form::Sphere(r) => lathe(&arc(r, 0.0), 24),
        Form::Capsule(r, l) => lathe(&arc(r, l / 2.0), 16),
        Form::Torus(ring, wire) => {
            let row = |k: usize| {
                let (sin, cos) = (k as f64 / 16.0 * TAU).sin_cos();
                [ring + wire * cos, wire * sin, cos, sin]
            };
            lathe(&(0..=16).map(row).collect::<Vec<_>>(), 64)
        }
        Form::Mesh(k) => meshes.get(k).map(flat).unwrap_or_default(),
    }
}
