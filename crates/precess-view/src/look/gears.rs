//! Gears: teeth on the wheels and racks of joints that a gear connects.
//!
//! Radii follow from the ratio and the distance of the axes, for racks from the ratio alone. Teeth mesh at t
//! = 0, so they always mesh if the motion satisfies the equations. Discs that turn the same way have a belt.
//! Nothing is drawn if no pair of wheels fits: axes that cross, shafts in one line.

use std::f64::consts::{PI, TAU};

use nalgebra::{Matrix3, Rotation3};
use precess::mechanics::joints::JointKind;

use super::{Eye, Form, Owner, Part, Role, along};
use crate::drawn::{Gear, Place};
use crate::{Q, V};

/// Largest number of teeth that can be distinguished.
const MOST_TEETH: f64 = 240.0;
/// Addendum and dedendum of teeth, relative to the module (pitch / pi).
const TIP: f64 = 1.0;
const ROOT: f64 = 1.25;

/// The moving part at one end of a gear, in space in the first frame.
#[derive(Clone, Copy)]
struct Side {
    joint: usize,
    body: usize,
    /// The body that both joints share.
    shared: Place,
    slides: bool,
    at: V,
    axis: V,
    /// 1 if the body moves with the coordinate of its joint, seen from the body that both joints share;
    /// otherwise -1.
    sense: f64,
}

/// A wheel with teeth.
#[derive(Clone, Copy)]
pub(super) struct Wheel {
    joint: usize,
    radius: f64,
    pitch: f64,
    /// From the axis to the middle of a tooth, in space in the first frame.
    tooth: V,
}

/// A wheel of a pair: the turning body, its radius, the contact with the other wheel, and whether its teeth
/// point inwards.
#[derive(Clone, Copy)]
struct Circle {
    side: Side,
    radius: f64,
    contact: V,
    inner: bool,
}

/// The angle from one direction to another about an axis.
fn angle(axis: &V, from: &V, to: &V) -> f64 {
    axis.dot(&from.cross(to)).atan2(from.dot(to))
}

/// The remainder nearest to zero.
fn wrapped(x: f64, period: f64) -> f64 {
    x - period * (x / period).round()
}

/// Pitch for which both wheels have almost whole numbers of teeth that are well visible.
fn pitch(small: f64, large: f64) -> f64 {
    let miss = |z: &f64| (z * large / small - (z * large / small).round()).abs();
    let counts = [16.0, 18.0, 15.0, 17.0, 20.0, 14.0, 19.0, 21.0, 22.0, 23.0, 24.0];
    let best = counts.into_iter().min_by(|a, b| miss(a).total_cmp(&miss(b))).unwrap_or(16.0);
    TAU * small / best
}

impl Eye<'_> {
    /// Adds the teeth of all gears.
    pub(super) fn gears(&mut self) {
        let mut wheels = Vec::new();
        for gear in self.drawn.gears.clone() {
            let Some([a, b]) = self.sides(&gear) else { continue };
            match (a.slides, b.slides) {
                (false, false) => self.wheels(a, b, gear.ratio, &mut wheels),
                (true, false) => self.rack(a, b, gear.ratio, &mut wheels),
                (false, true) => self.rack(b, a, 1.0 / gear.ratio, &mut wheels),
                (true, true) => {}
            }
        }
    }

    /// The moving parts at both joints, if they share a body.
    fn sides(&self, gear: &Gear) -> Option<[Side; 2]> {
        let joints = gear.joints.map(|k| self.drawn.joints.get(k));
        let (a, b) = (joints[0]?, joints[1]?);
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let (s, r) = pairs.into_iter().find(|(s, r)| a.bodies[*s] == b.bodies[*r])?;
        let side = |n: usize, shared: usize| {
            let j = joints[n]?;
            let slides = match j.kind? {
                JointKind::Revolute => false,
                JointKind::Prismatic => true,
                _ => return None,
            };
            let (x, turn) = self.motion.pose(0, j.bodies[shared]);
            let at = x + turn * j.points[shared];
            let axis = turn * (j.frames[shared] * V::z());
            let sense = if shared == 0 { 1.0 } else { -1.0 };
            let body = j.bodies[1 - shared]?;
            Some(Side { joint: gear.joints[n], body, shared: j.bodies[shared], slides, at, axis, sense })
        };
        Some([side(0, s)?, side(1, r)?])
    }

    /// Two wheels on parallel axes.
    fn wheels(&mut self, a: Side, b: Side, ratio: f64, wheels: &mut Vec<Wheel>) {
        let d = b.at - a.at;
        let d = d - a.axis * d.dot(&a.axis);
        let distance = d.norm();
        if a.axis.cross(&b.axis).norm() > 1e-3 || !(distance > 1e-6 * self.unit) {
            return;
        }
        let e = d / distance;
        // r_b / r_a, positive if the wheels turn in opposite directions.
        let k = ratio * a.sense * b.sense * a.axis.dot(&b.axis).signum();
        let circle =
            |side: Side, radius: f64, contact: V, inner: bool| Circle { side, radius, contact, inner };
        let pair = if k > 0.0 {
            let r = distance / (1.0 + k);
            [circle(a, r, e, false), circle(b, k * r, -e, false)]
        } else if k < -1.0 {
            let r = distance / (-k - 1.0);
            [circle(a, r, -e, false), circle(b, -k * r, -e, true)]
        } else if k < 0.0 && k > -1.0 {
            let r = distance / (-1.0 / k - 1.0);
            [circle(a, -r / k, e, true), circle(b, r, e, false)]
        } else {
            self.belt(a, b, -k, &e, distance);
            return;
        };
        // A belt also turns both wheels the same way: inner teeth need a wheel of that size.
        let fits = |c: &Circle| known(wheels, c).is_some() || self.disc_at(c).is_some();
        if pair.iter().any(|c| c.inner) && !pair.iter().any(|c| !c.inner && fits(c)) {
            self.belt(a, b, -k, &e, distance);
            return;
        }
        let [small, large] = [pair[0].radius.min(pair[1].radius), pair[0].radius.max(pair[1].radius)];
        let known = pair.map(|c| known(wheels, &c));
        let pitch = known.iter().flatten().next().map_or_else(|| pitch(small, large), |w| w.pitch);
        if !(TAU * large / pitch <= MOST_TEETH) {
            return;
        }
        let first = usize::from(known[0].is_none() && known[1].is_some());
        let arc = self.first_wheel(&pair[first], known[first], pitch, wheels);
        let other = pair[1 - first];
        if known[1 - first].is_none() {
            // Its tooth is where the other wheel has a gap.
            let axis = a.axis;
            let tangent = axis.cross(&pair[first].contact).dot(&axis.cross(&other.contact)).signum();
            self.wheel(&other, axis, pitch, tangent * (arc + 0.5 * pitch), wheels);
        }
    }

    /// A belt around the discs of two bodies, if their radii have the required ratio.
    fn belt(&mut self, a: Side, b: Side, ratio: f64, e: &V, distance: f64) {
        let disc = |s: Side| {
            let round = |p: &&Part| p.body == Some(s.body) && p.role == Role::Solid;
            self.out.iter().filter(round).find_map(|p| match p.form {
                Form::Cylinder(r, l) => Some((r, l)),
                _ => None,
            })
        };
        let (Some((r, width)), Some((r2, width2))) = (disc(a), disc(b)) else { return };
        if (r2 - ratio * r).abs() > 0.05 * r2 || r + r2 > distance {
            return;
        }
        let (x, turn) = self.motion.pose(0, a.shared);
        let cosine = (r - r2) / distance;
        for side in [-1.0, 1.0] {
            // The common normal at both ends of a straight part.
            let n = e * cosine + a.axis.cross(e) * (side * (1.0 - cosine * cosine).sqrt());
            let ends = [a.at + n * r, a.at + e * distance + n * r2];
            let d = ends[1] - ends[0];
            let axes = Matrix3::from_columns(&[n, a.axis.cross(&n), a.axis]);
            let frame = Q::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
            let form = Form::Box([0.25 * self.g, d.norm(), 0.8 * width.min(width2)]);
            let (at, turn) = (turn.inverse() * (0.5 * (ends[0] + ends[1]) - x), turn.inverse() * frame);
            let (role, owner) = (Role::Rail, Owner::Body(a.body));
            self.out.push(Part { body: a.shared, form, at, turn, role, owner, colour: Some([58, 61, 66]) });
        }
    }

    /// Draws a wheel unless it exists; returns the distance along the tangent (axis x contact) of a tooth
    /// from the contact.
    fn first_wheel(&mut self, c: &Circle, known: Option<Wheel>, pitch: f64, wheels: &mut Vec<Wheel>) -> f64 {
        let axis = c.side.axis;
        match known {
            Some(w) => wrapped(angle(&axis, &c.contact, &w.tooth) * c.radius, pitch),
            None => {
                self.wheel(c, axis, pitch, 0.0, wheels);
                0.0
            }
        }
    }

    /// A disc and its teeth, one of them at an arc from the contact.
    fn wheel(&mut self, c: &Circle, axis: V, pitch: f64, arc: f64, wheels: &mut Vec<Wheel>) {
        let count = (TAU * c.radius / pitch).round().max(3.0);
        let tooth = Q::new(axis * (arc / c.radius)) * c.contact;
        wheels.push(Wheel { joint: c.side.joint, radius: c.radius, pitch, tooth });
        let module = pitch / PI;
        let (middle, width) = self.rim(c, module);
        let radial = if c.inner {
            c.radius + 0.5 * (ROOT - TIP) * module
        } else {
            c.radius - 0.5 * (ROOT - TIP) * module
        };
        for k in 0..count as usize {
            let e = Q::new(axis * (TAU * k as f64 / count)) * tooth;
            self.tooth(c.side.body, middle + e * radial, [e, axis], pitch, width);
        }
    }

    /// Adds a box across the pitch circle. Its position, and the directions of its height and width, are in
    /// space in the first frame.
    fn tooth(&mut self, body: usize, at: V, [height, axis]: [V; 2], pitch: f64, width: f64) {
        let (x, turn) = self.motion.pose(0, Some(body));
        let axes = Matrix3::from_columns(&[height.cross(&axis), height, axis]);
        let frame = Q::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let form = Form::Box([0.42 * pitch, (ROOT + TIP) * pitch / PI, width]);
        let (at, turn) = (turn.inverse() * (at - x), turn.inverse() * frame);
        let (role, owner) = (Role::Tooth, Owner::Body(body));
        self.out.push(Part { body: Some(body), form, at, turn, role, owner, colour: None });
    }

    /// The part that is the disc of a wheel: round, about its axis, and of its size.
    fn disc_at(&self, c: &Circle) -> Option<usize> {
        let (x, turn) = self.motion.pose(0, Some(c.side.body));
        let (axis, at) = (turn.inverse() * c.side.axis, turn.inverse() * (c.side.at - x));
        self.out.iter().position(|p| {
            let Form::Cylinder(r, _) = p.form else { return false };
            let off = (p.at - at).cross(&axis).norm();
            p.body == Some(c.side.body)
                && p.colour.is_none()
                && (p.turn * V::z()).cross(&axis).norm() < 1e-3
                && off < 0.05 * c.radius
                && (r - c.radius).abs() < 0.1 * c.radius
        })
    }

    /// Reduces the disc of a wheel to the roots of its teeth. Returns its middle in space and its width.
    fn rim(&mut self, c: &Circle, module: f64) -> (V, f64) {
        let (x, turn) = self.motion.pose(0, Some(c.side.body));
        let body = c.side.body;
        let form = |width: f64| match c.inner {
            true => Form::Torus(c.radius + 2.0 * module, module),
            false => Form::Cylinder((c.radius - ROOT * module).max(0.3 * c.radius), width),
        };
        if let Some(part) = self.disc_at(c).and_then(|k| self.out.get_mut(k)) {
            let Form::Cylinder(_, width) = part.form else { return (c.side.at, 2.0 * module) };
            part.form = form(width);
            let offset = x + turn * part.at - c.side.at;
            return (c.side.at + c.side.axis * offset.dot(&c.side.axis), width);
        }
        if self.drawn.bodies.get(body).is_some_and(|b| b.solids.is_empty()) {
            self.out.retain(|p| p.body != Some(body) || p.role != Role::Derived);
        }
        let width = 2.5 * module;
        let (at, axes) = (turn.inverse() * (c.side.at - x), turn.inverse() * along(&c.side.axis));
        let (role, owner) = (Role::Derived, Owner::Body(body));
        self.out.push(Part {
            body: Some(body),
            form: form(width),
            at,
            turn: axes,
            role,
            owner,
            colour: None,
        });
        (c.side.at, width)
    }

    /// A rack and its wheel; x_rack + radius x_wheel is constant.
    fn rack(&mut self, rack: Side, wheel: Side, radius: f64, wheels: &mut Vec<Wheel>) {
        let (u, a) = (rack.axis, wheel.axis);
        if u.dot(&a).abs() > 1e-3 || !(radius.abs() > 1e-9 * self.unit && radius.is_finite()) {
            return;
        }
        let contact = u.cross(&a) * (-rack.sense * wheel.sense * radius).signum();
        let circle = Circle { side: wheel, radius: radius.abs(), contact, inner: false };
        let known = known(wheels, &circle);
        let pitch = known.map_or(TAU * circle.radius / 18.0, |w| w.pitch);
        let arc = self.first_wheel(&circle, known, pitch, wheels);
        let Some((low, high)) = self.extent(&rack, &(wheel.at + contact * circle.radius)) else { return };
        if !((high - low) / pitch <= MOST_TEETH) {
            return;
        }
        let width = self.out.iter().rev().find(|p| p.body == Some(wheel.body) && p.role == Role::Tooth);
        let width = width.map_or(pitch, |p| p.form.words().1[2]);
        let (tangent, module) = (a.cross(&contact), pitch / PI);
        // Teeth point to the wheel.
        let middle = wheel.at + contact * (circle.radius - 0.5 * (TIP - ROOT) * module);
        let first = arc + 0.5 * pitch;
        let (from, to) = if tangent.dot(&u) > 0.0 { (low, high) } else { (-high, -low) };
        let mut s = first + pitch * ((from - first) / pitch).ceil();
        while s <= to {
            self.tooth(rack.body, middle + tangent * s, [contact, a], pitch, width);
            s += pitch;
        }
    }

    /// The range of teeth of a rack, along its axis from a point: its solids, otherwise the part that the
    /// wheel touches in this run.
    fn extent(&self, rack: &Side, from: &V) -> Option<(f64, f64)> {
        let (x, turn) = self.motion.pose(0, Some(rack.body));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in self.out.iter().filter(|p| p.body == Some(rack.body) && p.owner == Owner::Body(rack.body)) {
            let d = (turn * p.turn).inverse() * rack.axis;
            let half = match p.form {
                Form::Box(s) => 0.5 * (0..3).map(|k| s[k] * d[k].abs()).sum::<f64>(),
                Form::Cylinder(_, l) | Form::Capsule(_, l) => 0.5 * l * d.z.abs(),
                _ => continue,
            };
            let middle = (x + turn * p.at - from).dot(&rack.axis);
            (low, high) = (low.min(middle - half), high.max(middle + half));
        }
        if low < high {
            return Some((low, high));
        }
        let (least, most) = self.range(self.drawn.joints.get(rack.joint)?);
        let room = 3.0 * self.g;
        Some((-rack.sense * most.z - room, -rack.sense * least.z + room)).filter(|(a, b)| a < b)
    }
}

/// The wheel of a joint, if it already has teeth that fit.
fn known(wheels: &[Wheel], c: &Circle) -> Option<Wheel> {
    wheels.iter().copied().find(|w| w.joint == c.side.joint && (w.radius - c.radius).abs() < 0.01 * c.radius)
}
