//! Supports of springs and elastic bearings, which would otherwise end in the air.

use super::{Eye, Form, Owner, Part, Role, along};
use crate::drawn::Place;
use crate::{Q, V};

impl Eye<'_> {
    fn support(&mut self, owner: Owner, body: Place, form: Form, at: V, turn: Q, role: Role) {
        self.out.push(Part { body, form, at, turn, role, owner, colour: None });
    }

    /// The ends of a spring: an eye on a body, a plate on the ground.
    pub(super) fn spring(&mut self, k: usize) {
        let (s, g) = (self.drawn.springs[k].clone(), self.g);
        let owner = Owner::Spring(k);
        let [(xa, ra), (xb, rb)] = s.bodies.map(|b| self.motion.pose(0, b));
        let ends = [xa + ra * s.points[0], xb + rb * s.points[1]];
        for end in 0..2 {
            let body = s.bodies[end];
            let away = (ends[end] - ends[1 - end]).try_normalize(1e-12).unwrap_or(V::z());
            self.support(owner, body, Form::Sphere(0.45 * g), s.points[end], Q::identity(), Role::Ball);
            if body.is_none() {
                let plate = Form::Box([2.6 * g, 2.6 * g, 0.6 * g]);
                self.support(owner, None, plate, s.points[end] + away * 0.6 * g, along(&away), Role::Base);
            }
        }
    }

    /// An elastic bearing: a ring of rubber around a pin, in a block if the ground holds it.
    pub(super) fn bushing(&mut self, k: usize) {
        let (j, g) = (self.drawn.bushings[k].clone(), self.g);
        let owner = Owner::Bushing(k);
        let turns = [0, 1].map(|s| j.frames[s] * self.bushing_axis(k));
        self.support(owner, j.bodies[0], Form::Torus(1.1 * g, 0.5 * g), j.points[0], turns[0], Role::Elastic);
        self.support(owner, j.bodies[1], Form::Cylinder(0.6 * g, 1.8 * g), j.points[1], turns[1], Role::Pin);
        for side in (0..2).filter(|s| j.bodies[*s].is_none()) {
            self.pedestal(owner, j.points[side], turns[side]);
        }
    }

    /// Below a bearing, two cheeks beside its ring, a post and a foot.
    fn pedestal(&mut self, owner: Owner, at: V, turn: Q) {
        let (g, axis) = (self.g, turn * V::z());
        let up = (-self.drawn.gravity).try_normalize(1e-12).unwrap_or(V::z());
        let across = up.cross(&axis);
        // An upright bearing rests on a plate.
        let Some(side) = across.try_normalize(0.3) else {
            let plate = Form::Box([4.0 * g, 4.0 * g, 0.6 * g]);
            self.support(owner, None, plate, at - up * 1.2 * g, along(&up), Role::Base);
            return;
        };
        let down = axis.cross(&side) * axis.cross(&side).dot(&-up).signum();
        let frame = nalgebra::Matrix3::from_columns(&[side, down, side.cross(&down)]);
        let frame = Q::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(frame));
        for s in [-1.0, 1.0] {
            let cheek = Form::Box([0.5 * g, 3.2 * g, 1.4 * g]);
            self.support(owner, None, cheek, at + side * s * 1.8 * g + down * 0.6 * g, frame, Role::Base);
        }
        let post = Form::Box([4.1 * g, 2.4 * g, 1.4 * g]);
        self.support(owner, None, post, at + down * 3.0 * g, frame, Role::Base);
        let foot = Form::Box([6.0 * g, 0.6 * g, 2.6 * g]);
        self.support(owner, None, foot, at + down * 4.5 * g, frame, Role::Base);
    }

    /// The axis of a bearing in its own frame, as a rotation of z: the axis of its shaft, otherwise z.
    fn bushing_axis(&self, k: usize) -> Q {
        let j = &self.drawn.bushings[k];
        let held = usize::from(j.bodies[1].is_some());
        let arm = j.frames[held].inverse() * j.points[held];
        let Some(arm) = arm.try_normalize(0.5 * self.g) else { return Q::identity() };
        let nearest = [V::x(), V::y(), V::z()].into_iter().find(|e| e.dot(&arm).abs() > 0.95);
        nearest.map_or(Q::identity(), |e| along(&e))
    }
}
