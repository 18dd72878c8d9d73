//! Joints: parts fixed to the first body, and parts that move with the second. All of them are parts of
//! bodies, so a glyph moves correctly without knowledge of the joint.

use precess::mechanics::joints::JointKind;

use super::{Eye, Form, Owner, Part, Role, along};
use crate::drawn::{Joint, Place};
use crate::{Q, V};

/// Receives the parts of a joint.
struct Glyph<'a> {
    owner: Owner,
    out: &'a mut Vec<Part>,
}

impl Glyph<'_> {
    fn put(&mut self, body: Place, form: Form, at: V, turn: Q, role: Role) {
        self.out.push(Part { body, form, at, turn, role, owner: self.owner, colour: None });
    }
}

impl Eye<'_> {
    pub(super) fn joint(&mut self, k: usize) {
        let j = &self.drawn.joints[k].clone();
        let mut out = std::mem::take(&mut self.out);
        let mut glyph = Glyph { owner: Owner::Joint(k), out: &mut out };
        match j.kind {
            Some(JointKind::Revolute) => self.revolute(j, &mut glyph),
            Some(JointKind::Spherical) => self.spherical(j, &mut glyph),
            Some(JointKind::Universal) => self.universal(j, &mut glyph),
            Some(
                JointKind::Prismatic
                | JointKind::Cylindrical
                | JointKind::PointOnLine
                | JointKind::Screw { .. },
            ) => {
                self.guide(j, &mut glyph);
            }
            Some(JointKind::Planar | JointKind::PointOnPlane | JointKind::Rolling { .. }) => {
                self.plane(j, &mut glyph)
            }
            Some(JointKind::RigidDistance) => {
                for s in 0..2 {
                    let ball = Form::Sphere(0.6 * self.g);
                    glyph.put(j.bodies[s], ball, j.points[s], j.frames[s], Role::Ball);
                }
            }
            _ => {
                let cube = Form::Box([1.3 * self.g; 3]);
                glyph.put(j.bodies[1], cube, j.points[1], j.frames[1], Role::Barrel);
            }
        }
        self.out = out;
    }

    /// A coloured ring at a driven joint, a golden one at a joint with a spring.
    fn marks(&self, j: &Joint, radius: f64, height: f64, glyph: &mut Glyph) {
        let axis = j.frames[0] * V::z();
        if j.driven {
            let at = j.points[0] + axis * height;
            glyph.put(j.bodies[0], Form::Torus(radius, 0.22 * self.g), at, j.frames[0], Role::Drive);
        }
        if j.sprung {
            for n in 0..3 {
                let at = j.points[0] - axis * (height - 0.45 * f64::from(n) * self.g);
                glyph.put(j.bodies[0], Form::Torus(radius, 0.13 * self.g), at, j.frames[0], Role::Elastic);
            }
        }
    }

    /// Half the width of a body along the axis of a joint, if the file gives its shape.
    fn half_width(&self, j: &Joint, side: usize) -> Option<f64> {
        let i = j.bodies[side]?;
        let solids = self.out_of(i);
        let axis = j.frames[side] * V::z();
        solids
            .map(|p| {
                let d = p.turn.inverse() * axis;
                match p.form {
                    Form::Box(e) => 0.5 * (0..3).map(|k| e[k] * d[k].abs()).fold(0.0, f64::max),
                    Form::Cylinder(r, l) => {
                        if d.z.abs() > 0.7 {
                            l / 2.0
                        } else {
                            r
                        }
                    }
                    Form::Sphere(r) => r,
                    _ => 0.0,
                }
            })
            .filter(|h| *h > 0.0)
            .min_by(f64::total_cmp)
    }

    /// Solids that the file gives for a body.
    fn out_of(&self, i: usize) -> impl Iterator<Item = Part> + '_ {
        use precess::model::spec::SolidForm;
        self.drawn.bodies[i].solids.iter().filter_map(move |s| {
            let (form, turn) = match &s.form {
                SolidForm::Box(e) => (Form::Box((*e).into()), s.rotation),
                SolidForm::Cylinder { radius, length, axis } => {
                    (Form::Cylinder(*radius, *length), s.rotation * along(axis))
                }
                SolidForm::Sphere(r) => (Form::Sphere(*r), s.rotation),
                SolidForm::Mesh { .. } => return None,
            };
            let owner = Owner::Body(i);
            Some(Part { body: Some(i), form, at: s.at, turn, role: Role::Solid, owner, colour: None })
        })
    }

    /// Radius of the second body if it is a shaft along the axis of a joint, thicker than the usual holders.
    fn shaft(&self, j: &Joint) -> Option<f64> {
        let axis = j.frames[1] * V::z();
        self.out_of(j.bodies[1]?).find_map(|p| {
            let Form::Cylinder(r, l) = p.form else { return None };
            let off = (j.points[1] - p.at).cross(&axis).norm();
            let along = (p.turn * V::z()).dot(&axis).abs() > 0.999 && off < 0.3 * r;
            (along && l > 3.0 * r && r > self.g).then_some(r)
        })
    }

    fn revolute(&self, j: &Joint, glyph: &mut Glyph) {
        let g = self.g;
        let rings: Vec<f64> = j.bodies.iter().flatten().filter_map(|i| self.rings[*i]).collect();
        let (a, p, f) = (j.bodies[0], j.points[0], j.frames[0]);
        let axis = f * V::z();
        if let Some(outer) = rings.iter().copied().max_by(f64::total_cmp) {
            // Pins at both ends of the axis, at the rings.
            let inner = rings.iter().copied().fold(outer, f64::min);
            let (length, middle) = match (rings.len(), a) {
                (2.., _) => (outer - inner + g, (outer + inner) / 2.0),
                (_, None) => (1.6 * g, outer + 0.8 * g),
                _ => (outer, outer / 2.0),
            };
            for side in [-1.0, 1.0] {
                glyph.put(a, Form::Cylinder(0.35 * g, length), p + axis * side * middle, f, Role::Pin);
                if a.is_none() {
                    let at = p + axis * side * (outer + 1.8 * g);
                    glyph.put(a, Form::Box([2.2 * g, 2.2 * g, 0.9 * g]), at, f, Role::Base);
                }
            }
            self.marks(j, 0.9 * g, outer + 0.5 * g, glyph);
            return;
        }
        let half = [0, 1].into_iter().filter_map(|s| self.half_width(j, s)).min_by(f64::total_cmp);
        if let (None, Some(r)) = (a, self.shaft(j)) {
            // Cheeks would be inside a thick shaft, so a block is drawn around it.
            glyph.put(a, Form::Box([2.7 * r, 2.7 * r, 1.8 * g]), p, f, Role::Base);
        } else if a.is_none() {
            let reach = half.map_or(1.1 * g, |h| h.min(1.1 * g));
            for side in [-1.0, 1.0] {
                let at = p + axis * side * (reach + 0.5 * g);
                glyph.put(a, Form::Box([2.6 * g, 2.6 * g, 0.7 * g]), at, f, Role::Base);
            }
        }
        let (pin, barrel) = match half.filter(|h| *h < 4.0 * g) {
            Some(h) => {
                (Form::Cylinder(0.65 * g, 2.0 * h + 1.2 * g), Form::Cylinder(1.1 * g, 2.0 * h + 0.5 * g))
            }
            None => (Form::Cylinder(0.55 * g, 3.0 * g), Form::Cylinder(0.95 * g, 2.0 * g)),
        };
        let top = if let Form::Cylinder(_, l) = pin { l / 2.0 + 0.2 * g } else { g };
        glyph.put(a, pin, p, f, Role::Pin);
        glyph.put(j.bodies[1], barrel, j.points[1], j.frames[1], Role::Barrel);
        self.marks(j, 1.5 * g, top, glyph);
    }

    fn spherical(&self, j: &Joint, glyph: &mut Glyph) {
        let g = self.g;
        glyph.put(j.bodies[1], Form::Sphere(0.85 * g), j.points[1], j.frames[1], Role::Ball);
        for s in [0, 1] {
            let (Some(body), None) = (j.bodies[1 - s], j.bodies[s]) else { continue };
            // A support on the other side of the body.
            let frames: Vec<usize> = self.motion.some(200).collect();
            let sum: V = frames.iter().map(|f| self.motion.pose(*f, Some(body)).0 - j.points[s]).sum();
            let mean = sum / frames.len().max(1) as f64;
            let d = if mean.z < -0.1 * self.unit { V::z() } else { -V::z() };
            let at = j.points[s] + d * 2.1 * g;
            glyph.put(None, Form::Cone(1.7 * g, 3.4 * g), at, along(&-d), Role::Base);
        }
    }

    fn universal(&self, j: &Joint, glyph: &mut Glyph) {
        let g = self.g;
        let cross = [along(&V::x()), along(&V::y())];
        for s in 0..2 {
            let pin = Form::Cylinder(0.4 * g, 2.8 * g);
            glyph.put(j.bodies[s], pin, j.points[s], j.frames[s] * cross[s], Role::Pin);
        }
        glyph.put(j.bodies[1], Form::Sphere(0.7 * g), j.points[1], j.frames[1], Role::Ball);
        if j.bodies[0].is_none() {
            let x = j.frames[0] * V::x();
            for side in [-1.0, 1.0] {
                let at = j.points[0] + x * side * 1.6 * g;
                glyph.put(
                    None,
                    Form::Box([2.0 * g, 2.0 * g, 0.6 * g]),
                    at,
                    j.frames[0] * cross[0],
                    Role::Base,
                );
            }
        }
    }

    /// The range of the point of the second body, in the axes of the first.
    pub(super) fn range(&self, j: &Joint) -> (V, V) {
        let (mut low, mut high) = (V::repeat(f64::INFINITY), V::repeat(f64::NEG_INFINITY));
        for f in self.motion.some(400) {
            let ((xa, ra), (xb, rb)) = (self.motion.pose(f, j.bodies[0]), self.motion.pose(f, j.bodies[1]));
            let d = j.frames[0].inverse() * (ra.inverse() * (xb + rb * j.points[1] - xa) - j.points[0]);
            (low, high) = (low.inf(&d), high.sup(&d));
        }
        if low.iter().chain(&high).all(|x| x.is_finite()) { (low, high) } else { (V::zeros(), V::zeros()) }
    }

    fn guide(&self, j: &Joint, glyph: &mut Glyph) {
        let g = self.g;
        if let (None, Some(r)) = (j.bodies[0], self.shaft(j)) {
            // A rail would be inside a thick shaft, so a block is drawn in which it slides.
            glyph.put(None, Form::Box([2.7 * r, 2.7 * r, 1.8 * g]), j.points[0], j.frames[0], Role::Base);
            self.marks(j, 1.6 * r, 1.5 * g, glyph);
            return;
        }
        let (low, high) = self.range(j);
        let (a, f) = (j.bodies[0], j.frames[0]);
        let length = high.z - low.z + 5.0 * g;
        let middle = j.points[0] + f * V::z() * (high.z + low.z) / 2.0;
        let (b, p, fb) = (j.bodies[1], j.points[1], j.frames[1]);
        match j.kind {
            Some(JointKind::Prismatic) => {
                glyph.put(a, Form::Box([0.9 * g, 0.9 * g, length]), middle, f, Role::Rail);
                glyph.put(b, Form::Box([2.6 * g, 2.6 * g, 3.8 * g]), p, fb, Role::Sleeve);
            }
            Some(JointKind::Cylindrical | JointKind::Screw { .. }) => {
                glyph.put(a, Form::Cylinder(0.45 * g, length), middle, f, Role::Rail);
                glyph.put(b, Form::Cylinder(g, 2.6 * g), p, fb, Role::Sleeve);
            }
            _ => {
                glyph.put(a, Form::Cylinder(0.3 * g, length), middle, f, Role::Rail);
                glyph.put(b, Form::Sphere(0.85 * g), p, fb, Role::Ball);
            }
        }
        // A rail on the ground has supports at its ends.
        if a.is_none() {
            for end in [-1.0, 1.0] {
                let at = middle + f * V::z() * end * length / 2.0;
                glyph.put(a, Form::Box([1.8 * g, 1.8 * g, 0.4 * g]), at, f, Role::Base);
            }
        }
        let end = (high.z + low.z + length) / 2.0 - 1.0 * g;
        self.marks(j, 1.3 * g, end, glyph);
    }

    fn plane(&self, j: &Joint, glyph: &mut Glyph) {
        let g = self.g;
        let (low, high) = self.range(j);
        let (size, middle) = (high - low, (high + low) / 2.0);
        let plate = Form::Box([size.x + 6.0 * g, size.y + 6.0 * g, 0.06 * g]);
        let at = j.points[0] + j.frames[0] * V::new(middle.x, middle.y, 0.0);
        glyph.put(j.bodies[0], plate, at, j.frames[0], Role::Plane);
        let (form, role) = match j.kind {
            Some(JointKind::Planar) => (Form::Cylinder(1.1 * g, 0.6 * g), Role::Barrel),
            _ => (Form::Sphere(0.8 * g), Role::Ball),
        };
        glyph.put(j.bodies[1], form, j.points[1], j.frames[1], role);
    }
}
