//! Bodies: shapes of the file, rings, bars between joints, solids of equal inertia.

use nalgebra::{Matrix3, Rotation3};
use precess::mechanics::joints::JointKind;
use precess::model::spec::{SolidForm, SolidSpec};

use super::{Eye, Form, Owner, Part, Role, along};
use crate::{Q, V};

/// A simple solid with the inertia of a body.
#[derive(Clone, Copy, Debug)]
pub struct Equal {
    /// Kind and size.
    pub form: Form,
    /// Its axes in the body frame.
    pub turn: Q,
    /// Distance of its farthest point.
    pub reach: f64,
}

/// Sphere, cylinder or box with this mass and inertia; `thin` is the radius of parts without inertia.
pub fn equal_inertia(mass: f64, j: &Matrix3<f64>, thin: f64) -> Equal {
    let diagonal = (j - Matrix3::from_diagonal(&j.diagonal())).amax() < 1e-12 * j.amax();
    let (p, turn) = if diagonal {
        (j.diagonal(), Q::identity())
    } else {
        let e = j.symmetric_eigen();
        let mut axes = e.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        (e.eigenvalues, Q::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)))
    };
    if !(mass > 0.0 && p.max() > 0.0) {
        return Equal { form: Form::Sphere(thin), turn, reach: thin };
    }
    let near = |a: f64, b: f64| (a - b).abs() <= 0.03 * a.max(b);
    if near(p[0], p[1]) && near(p[1], p[2]) {
        let r = (2.5 * p[0] / mass).sqrt();
        return Equal { form: Form::Sphere(r), turn, reach: r };
    }
    for k in 0..3 {
        let across = p[(k + 1) % 3];
        if near(across, p[(k + 2) % 3]) {
            let r = (2.0 * p[k].max(0.0) / mass).sqrt();
            // A disc without thickness gets some.
            let l = (12.0 * across / mass - 3.0 * r * r).max(0.0).sqrt().max(0.16 * r);
            let form = Form::Cylinder(r.max(0.02 * l), l);
            let axis = turn * V::ith(k, 1.0);
            return Equal { form, turn: along(&axis), reach: (r * r + l * l / 4.0).sqrt() };
        }
    }
    let edge = |k: usize| (6.0 * (p[(k + 1) % 3] + p[(k + 2) % 3] - p[k]) / mass).max(0.0).sqrt();
    let size = V::new(edge(0), edge(1), edge(2));
    let size = size.map(|x| x.max(0.06 * size.max()));
    Equal { form: Form::Box(size.into()), turn, reach: size.norm() / 2.0 }
}

/// True if a point of the body is inside a part.
fn inside(part: &Part, p: &V, slack: f64) -> bool {
    let p = part.turn.inverse() * (p - part.at);
    match part.form {
        Form::Box(s) => (0..3).all(|k| p[k].abs() <= s[k] / 2.0 + slack),
        Form::Cylinder(r, l) | Form::Capsule(r, l) => {
            p.z.abs() <= l / 2.0 + slack && p.xy().norm() <= r + slack
        }
        Form::Sphere(r) => p.norm() <= r + slack,
        // Meshes of a file need no bars.
        Form::Mesh(_) => true,
        Form::Cone(..) | Form::Torus(..) => false,
    }
}

impl Eye<'_> {
    pub(super) fn body(&mut self, i: usize) {
        let first = self.out.len();
        let b = &self.drawn.bodies[i];
        let solids: Vec<Part> = b.solids.iter().map(|s| self.solid_of_file(i, s)).collect();
        let g = self.g;
        match (&b.inertia, solids.is_empty()) {
            (_, false) => self.out.extend(solids),
            (Some(inertia), true) => {
                let inertia = *inertia;
                if self.ring(i, &inertia) || self.bars(i) {
                    return;
                }
                if !self.is_sleeve(i) {
                    let e = equal_inertia(b.mass, &inertia, 1.4 * g);
                    self.on_body(i, e.form, V::zeros(), e.turn, Role::Derived);
                }
            }
            (None, true) if self.drawn.known => {
                // The geometry of results contains no inertias: bars show more than a ball.
                if self.bars(i) {
                    return;
                }
                self.on_body(i, Form::Sphere(1.4 * g), V::zeros(), Q::identity(), Role::Solid);
            }
            (None, true) => {
                self.on_body(
                    i,
                    Form::Box([3.0 * g, 2.2 * g, 1.5 * g]),
                    V::zeros(),
                    Q::identity(),
                    Role::Derived,
                );
            }
        }
        self.bars_to_what_is_outside(i, first);
    }

    fn on_body(&mut self, i: usize, form: Form, at: V, turn: Q, role: Role) {
        self.out.push(Part { body: Some(i), form, at, turn, role, owner: Owner::Body(i), colour: None });
    }

    fn bar(&mut self, i: usize, a: V, b: V, radius: f64) {
        let d = b - a;
        self.on_body(i, Form::Capsule(radius, d.norm()), (a + b) / 2.0, along(&d), Role::Link);
    }

    /// A solid of the file.
    fn solid_of_file(&mut self, i: usize, s: &SolidSpec) -> Part {
        let (form, turn) = match &s.form {
            SolidForm::Box(size) => (Form::Box((*size).into()), s.rotation),
            SolidForm::Cylinder { radius, length, axis } => {
                (Form::Cylinder(*radius, *length), s.rotation * along(axis))
            }
            SolidForm::Sphere(r) => (Form::Sphere(*r), s.rotation),
            SolidForm::Mesh { file, scale } => {
                let entry = (file.clone(), *scale);
                let k = self.meshes.iter().position(|m| *m == entry).unwrap_or_else(|| {
                    self.meshes.push(entry);
                    self.meshes.len() - 1
                });
                (Form::Mesh(k), s.rotation)
            }
        };
        let (owner, colour) = (Owner::Body(i), s.colour);
        Part { body: Some(i), form, at: s.at, turn, role: Role::Solid, owner, colour }
    }

    /// Two axes of revolute joints that cross at the centre of mass: a ring of a gimbal, whose radius is the
    /// radius of gyration.
    fn ring(&mut self, i: usize, inertia: &Matrix3<f64>) -> bool {
        let g = self.g;
        let revolute = self.drawn.joints.iter().filter(|j| j.kind == Some(JointKind::Revolute));
        let axes: Vec<(V, V)> = revolute
            .flat_map(|j| [0, 1].map(|s| (j.bodies[s], j.points[s], j.frames[s] * V::z())))
            .filter(|(body, ..)| *body == Some(i))
            .map(|(_, p, a)| (p, a))
            .collect();
        let [(p, a), (q, c), ..] = axes[..] else { return false };
        if (p - q).norm() > 0.5 * g || p.norm() > 0.5 * g || a.cross(&c).norm() < 0.5 {
            return false;
        }
        let r = (inertia.diagonal().max() / self.drawn.bodies[i].mass).sqrt();
        self.rings[i] = Some(r);
        self.on_body(i, Form::Torus(r, 0.45 * g), p, along(&a.cross(&c)), Role::Solid);
        let outside: Vec<V> = self.points[i].iter().copied().filter(|p| p.norm() > 1.05 * r).collect();
        for p in outside {
            self.bar(i, p.normalize() * r, p, 0.35 * g);
        }
        true
    }

    /// Two joints apart from each other: bars between them show more than a solid of equal inertia, which may
    /// hide everything.
    fn bars(&mut self, i: usize) -> bool {
        let (g, points) = (self.g, self.points[i].clone());
        let Some(first) = points.first().copied() else { return false };
        let away = |p: &V| (p - first).norm();
        let Some(last) = points.iter().copied().max_by(|p, q| away(p).total_cmp(&away(q))) else {
            return false;
        };
        let spread = away(&last);
        if !(spread > 1.5 * g || (self.far && spread > 0.0)) {
            return false;
        }
        let d = (last - first) / spread;
        let off = |p: &V| (p - first - d * (p - first).dot(&d)).norm();
        let radius = 0.5 * g;
        if points.iter().all(|p| off(p) < 0.5 * g) && off(&V::zeros()) < 2.0 * g {
            // In line with the centre of mass: one bar from end to end.
            let height = |p: &V| (p - first).dot(&d);
            let low = points.iter().map(height).fold(0.0, f64::min);
            self.bar(i, first + d * low, last, radius);
            self.disc(i, &d, spread - low);
        } else {
            let mut seen: Vec<V> = Vec::new();
            for p in points {
                if p.norm() > 1e-9 * self.unit && seen.iter().all(|o| (o - p).norm() > 1e-6 * self.unit) {
                    self.bar(i, V::zeros(), p, radius);
                    seen.push(p);
                }
            }
        }
        true
    }

    /// A wheel on a shaft: the solid of equal inertia, if it is a flat cylinder about the bar.
    fn disc(&mut self, i: usize, axis: &V, length: f64) {
        let b = &self.drawn.bodies[i];
        let Some(inertia) = b.inertia else { return };
        let e = equal_inertia(b.mass, &inertia, self.g);
        let Form::Cylinder(r, l) = e.form else { return };
        if (e.turn * V::z()).dot(axis).abs() > 0.999 && l < 0.6 * length && r > 1.5 * self.g {
            self.on_body(i, e.form, V::zeros(), e.turn, Role::Derived);
        }
    }

    /// True if the sleeve of a guide is enough to show the body.
    fn is_sleeve(&self, i: usize) -> bool {
        self.drawn.joints.iter().any(|j| {
            matches!(j.kind, Some(JointKind::Prismatic | JointKind::Cylindrical))
                && j.bodies[1] == Some(i)
                && j.points[1].norm() < self.g
                && !self.far
        })
    }

    fn bars_to_what_is_outside(&mut self, i: usize, first: usize) {
        let (g, unit) = (self.g, self.unit);
        let solids: Vec<Part> = self.out[first..].to_vec();
        let hidden = |p: &V| solids.iter().any(|s| inside(s, p, 0.7 * g));
        let mut seen: Vec<V> = Vec::new();
        for p in self.points[i].clone() {
            let new = seen.iter().all(|o| (o - p).norm() > 1e-6 * unit);
            if new && p.norm() > 1e-9 * unit && !solids.is_empty() && !hidden(&p) {
                self.bar(i, V::zeros(), p, 0.42 * g);
                seen.push(p);
            }
        }
    }
}
