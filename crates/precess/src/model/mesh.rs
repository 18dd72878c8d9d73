//! Triangles of STL (text or binary) and OBJ files. Foreign files are read with care: nothing in them can
//! cause a panic or use much more memory than the file itself.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

/// Largest number of triangles of a mesh; more would make the page too large to mail.
pub const MOST_TRIANGLES: usize = 500_000;

/// Errors of meshes.
#[derive(Debug, Error, PartialEq)]
pub enum MeshError {
    /// Neither STL nor OBJ.
    #[error("{0}: only .stl and .obj are read")]
    Kind(String),
    /// The file cannot be read.
    #[error("{file}: {why}")]
    Read {
        /// The file.
        file: String,
        /// The reason.
        why: String,
    },
    /// The file ends too early or contains no triangles.
    #[error("{file}: {found} triangles found, but {wanted} announced")]
    Incomplete {
        /// The file.
        file: String,
        /// Triangles read.
        found: usize,
        /// Number of triangles announced, at least one.
        wanted: usize,
    },
    /// Too many triangles.
    #[error("{file}: more than {MOST_TRIANGLES} triangles")]
    TooLarge {
        /// The file.
        file: String,
    },
}

/// Corners of triangles, nine numbers each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y, z of three corners, triangle after triangle.
    pub corners: Vec<f64>,
}

/// Reads a mesh by the extension of its name; lengths are multiplied by `scale`.
pub fn decode(name: &str, bytes: &[u8], scale: f64) -> Result<Mesh, MeshError> {
    let extension = name.rsplit('.').next().unwrap_or("").to_lowercase();
    let (mut corners, wanted) = match extension.as_str() {
        "stl" if binary(bytes).is_some() => stl_binary(bytes),
        "stl" => (stl_text(&String::from_utf8_lossy(bytes)), 1),
        "obj" => (obj(&String::from_utf8_lossy(bytes)), 1),
        _ => return Err(MeshError::Kind(name.to_string())),
    };
    let found = corners.len() / 9;
    let file = name.to_string();
    if found > MOST_TRIANGLES {
        return Err(MeshError::TooLarge { file });
    }
    if found < wanted.max(1) || corners.iter().any(|x| !x.is_finite()) {
        return Err(MeshError::Incomplete { file, found, wanted: wanted.max(1) });
    }
    corners.truncate(9 * found);
    corners.iter_mut().for_each(|x| *x *= scale);
    Ok(Mesh { corners })
}

/// Volume, centre of volume, and second moments of volume about it: integrals of x x^T over the volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Volume.
    pub volume: f64,
    /// Its centre.
    pub centre: Vector3<f64>,
    /// Integral of x x^T about the centre.
    pub second: Matrix3<f64>,
}

impl Mesh {
    fn triangles(&self) -> impl Iterator<Item = [Vector3<f64>; 3]> {
        let corner = |c: &[f64]| Vector3::from_iterator(c.iter().copied().chain([0.0; 3]).take(3));
        self.corners.chunks_exact(9).map(move |t| {
            let mut corners = t.chunks_exact(3).map(corner);
            [(); 3].map(|()| corners.next().unwrap_or_default())
        })
    }

    /// Exact integrals over the inside of a closed surface, as the sum of tetrahedra from one point. `None`
    /// if the surface is not closed, or has no inside; if all triangles face inwards, they are reversed.
    pub fn moments(&self) -> Option<Moments> {
        // A point near the surface keeps the rounding small.
        let origin = self.triangles().next()?[0];
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        let (mut area, mut open) = (0.0, Vector3::<f64>::zeros());
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(|p| p - origin);
            let normal = (b - a).cross(&(c - a));
            area += normal.norm();
            open += normal;
            let six = a.dot(&b.cross(&c));
            let sum = a + b + c;
            volume += six / 6.0;
            first += sum * (six / 24.0);
            // The integral of x x^T over a tetrahedron with a corner at zero (120 = 5!).
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += (squares + sum * sum.transpose()) * (six / 120.0);
        }
        if open.norm() > 1e-6 * area || volume.abs() < 1e-9 * area.powf(1.5) {
            return None;
        }
        let sign = volume.signum();
        let (volume, first, second) = (sign * volume, sign * first, sign * second);
        let centre = first / volume;
        Some(Moments {
            volume,
            centre: origin + centre,
            second: second - centre * centre.transpose() * volume,
        })
    }
}

/// The number of triangles announced by a binary STL; none for text.
fn binary(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(80..84)?.try_into().ok()?;
    let count = u32::from_le_bytes(count) as usize;
    let fits = bytes.len() == 84 + 50 * count;
    (fits || !bytes.starts_with(b"solid")).then_some(count)
}

fn stl_binary(bytes: &[u8]) -> (Vec<f64>, usize) {
    let wanted = binary(bytes).unwrap_or(0);
    let body = bytes.get(84..).unwrap_or(&[]);
    let corner = |b: &[u8]| b.try_into().map_or(f64::NAN, |b| f64::from(f32::from_le_bytes(b)));
    // Each has a normal of three numbers first and an attribute of two bytes last.
    let triangles = body.chunks_exact(50).take(wanted.min(MOST_TRIANGLES + 1));
    let mut corners = Vec::new();
    triangles.for_each(|t| corners.extend(t.chunks_exact(4).skip(3).take(9).map(corner)));
    (corners, wanted)
}

fn stl_text(text: &str) -> Vec<f64> {
    let mut corners = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.trim().strip_prefix("vertex") {
            corners.extend(numbers(rest));
        }
    }
    corners
}

fn numbers(text: &str) -> [f64; 3] {
    let mut words = text.split_whitespace();
    [(); 3].map(|()| words.next().and_then(|w| w.parse().ok()).unwrap_or(f64::NAN))
}

/// Splits faces with more than three corners into fans.
fn obj(text: &str) -> Vec<f64> {
    let mut points: Vec<[f64; 3]> = Vec::new();
    let mut corners = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("v ") {
            points.push(numbers(rest));
        } else if let Some(rest) = line.trim_start().strip_prefix("f ") {
            let corner = |word: &str| {
                let k: i64 = word.split('/').next()?.parse().ok()?;
                // Negative numbers count from the last point.
                let k = if k < 0 { points.len() as i64 + k } else { k - 1 };
                usize::try_from(k).ok().and_then(|k| points.get(k)).copied()
            };
            let face: Vec<[f64; 3]> =
                rest.split_whitespace().map(|w| corner(w).unwrap_or([f64::NAN; 3])).collect();
            if let Some((first, rest)) = face.split_first() {
                for pair in rest.windows(2) {
                    corners.extend(first.iter().chain(pair.iter().flatten()));
                }
            }
            if corners.len() > 9 * (MOST_TRIANGLES + 1) {
                break;
            }
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::Largest;

    const TEXT: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 \
                        0\nendloop\nendfacet\nendsolid";

    #[test]
    fn the_three_kinds_give_the_same_triangle() {
        let wanted = [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0];
        let mut bytes = vec![0u8; 80];
        bytes.extend(1u32.to_le_bytes());
        for x in [0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
        assert_eq!(decode("a.STL", TEXT.as_bytes(), 0.5).unwrap().corners, wanted);
        assert_eq!(decode("a.stl", &bytes, 0.5).unwrap().corners, wanted);
        let obj = "# x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/2/2 -1\n";
        assert_eq!(decode("a.obj", obj.as_bytes(), 0.5).unwrap().corners, wanted);
    }

    #[test]
    fn bad_files_are_refused() {
        let cut = &TEXT.as_bytes()[..30];
        assert!(matches!(decode("a.stl", cut, 1.0), Err(MeshError::Incomplete { found: 0, .. })));
        let mut bytes = vec![0u8; 80];
        bytes.extend(u32::MAX.to_le_bytes());
        assert!(matches!(decode("a.stl", &bytes, 1.0), Err(MeshError::Incomplete { .. })));
        assert!(matches!(decode("a.obj", b"v 0 0 0\nf 1 2 3\n", 1.0), Err(MeshError::Incomplete { .. })));
        assert!(matches!(decode("a.dae", b"", 1.0), Err(MeshError::Kind(_))));
        let quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4";
        assert_eq!(decode("a.obj", quad.as_bytes(), 1.0).unwrap().corners.len(), 18);
    }

    /// A box of edges a, b, c whose corner is far from the origin, with outward triangles.
    fn cuboid(edges: [f64; 3], at: [f64; 3]) -> Mesh {
        let corner = |k: usize| [0, 1, 2].map(|i| at[i] + if k >> i & 1 == 1 { edges[i] } else { 0.0 });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
        Mesh { corners: triangles.flatten().flat_map(corner).collect() }
    }

    #[test]
    fn integrals_over_a_box_are_exact() {
        let (edges, at) = ([2.0, 3.0, 0.5], [10.0, -20.0, 7.0]);
        let mut mesh = cuboid(edges, at);
        for _ in 0..2 {
            let m = mesh.moments().unwrap();
            assert!((m.volume - 3.0).abs() < 1e-12);
            assert!((m.centre - Vector3::new(11.0, -18.5, 7.25)).largest() < 1e-12, "{}", m.centre);
            let expected = Matrix3::from_diagonal(&Vector3::from(edges.map(|e| 3.0 * e * e / 12.0)));
            assert!((m.second - expected).largest() < 1e-11, "{}", m.second);
            // Reversed.
            mesh.corners = mesh.corners.chunks(3).rev().flatten().copied().collect();
        }
        mesh.corners.truncate(9 * 11);
        assert_eq!(mesh.moments(), None);
    }

    /// A sphere of many triangles: the error falls with the square of their size.
    #[test]
    fn a_fine_sphere_is_a_sphere() {
        let sphere = |n: usize| {
            let point = |i: usize, j: usize| {
                let (a, b) =
                    (std::f64::consts::PI * i as f64 / n as f64, std::f64::consts::PI * j as f64 / n as f64);
                [a.sin() * b.cos(), a.sin() * b.sin(), a.cos()]
            };
            let quads = (0..n).flat_map(|i| (0..2 * n).map(move |j| (i, j)));
            let corners = quads.flat_map(|(i, j)| {
                let [a, b, c, d] = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)];
                [a, b, c, a, c, d]
            });
            Mesh { corners: corners.flatten().collect() }.moments().unwrap()
        };
        let error = |n: usize| {
            let m = sphere(n);
            let exact = 4.0 / 3.0 * std::f64::consts::PI;
            [(m.volume - exact).abs(), (m.second[(0, 0)] - exact / 5.0).abs()]
        };
        let (coarse, fine) = (error(20), error(40));
        for (a, b) in coarse.iter().zip(fine) {
            assert!((a / b).log2() > 1.95 && b < 0.02, "{a} {b}");
        }
    }
}
