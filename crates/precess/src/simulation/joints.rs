//! Joint coordinates of a simulation: reading them, and moving the mechanism to given ones.
//!
//! Bodies move along a tree of joints: each keeps its place and its velocity relative to the body before it,
//! except for the given coordinates and rates. For a tree that is all, and it is exact. Loops are closed
//! afterwards: the given coordinates hold, and everything else moves as little as possible.

use std::collections::VecDeque;

use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};

use super::Simulation;
use crate::Error;
use crate::analysis::assembly::assemble_in;
use crate::analysis::local::Layout;
use crate::analysis::metric::Metric;
use crate::integrate::{Accelerations, project_velocity};
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::function::{Argument, Slope, Smooth};
use crate::mechanics::kernels::Group;
use crate::mechanics::links::Link;
use crate::mechanics::{BodyKind, Function, Multibody, State};
use crate::model::build;
use crate::study::Course;

/// Larger residuals of positions and velocities, relative to the size of the mechanism and its velocities,
/// mean that loops are open.
const OPEN: f64 = 1e-10;
/// Largest difference between a given coordinate and the drive that prescribes it.
const SAME: f64 = 1e-9;

/// The coordinate of a joint: an angle, or a displacement.
#[derive(Clone, Debug, PartialEq)]
pub struct JointCoordinate {
    /// The name of the joint. The displacement of a joint that also has an angle is `JOINT displacement`.
    pub name: String,
    /// Value in rad or m.
    pub q: f64,
    /// Rate in rad/s or m/s.
    pub v: f64,
    /// `rad` or `m`.
    pub unit: &'static str,
}

/// A coordinate by name, and its joint.
struct Named {
    name: String,
    /// The name of its joint, and its place in the system.
    of: String,
    joint: usize,
    coordinate: Coordinate,
}

/// All coordinates of joints, in the order of the model.
fn coordinates(multibody: &Multibody) -> impl Iterator<Item = Named> {
    multibody.joint_list().iter().enumerate().flat_map(|(joint, j)| {
        let both = j.angle().is_some() && j.displacement().is_some();
        let shift = if both { format!("{} displacement", j.name) } else { j.name.clone() };
        let named = |name, coordinate| Named { name, of: j.name.clone(), joint, coordinate };
        let angle = j.angle().map(|c| named(j.name.clone(), c));
        let shift = j.displacement().map(|c| named(shift, c));
        angle.into_iter().chain(shift)
    })
}

/// Joint coordinates and rates.
impl Simulation {
    pub(super) fn multibody(&self) -> Result<&Multibody, Error> {
        Multibody::of(&*self.system).ok_or_else(|| Error::Input {
            message: format!(
                "joint coordinates are not available in the formulation {}\n  help: use the formulation r3so3 \
                 or se3",
                self.loaded.settings.formulation.name()
            ),
        })
    }

    /// The coordinates of all joints that have one, in the order of the model. Each is zero (or the value
    /// given by the key `coordinate` of the joint) in the positions of the model, whatever its direction.
    pub fn coordinates(&self) -> Result<Vec<JointCoordinate>, Error> {
        let multibody = self.multibody()?;
        let at = self.state.at();
        let read = |c: Named| {
            let found = c.coordinate.read(multibody.bodies_in_pairs(), &at);
            let unit = if c.coordinate.is_angle() { "rad" } else { "m" };
            JointCoordinate { name: c.name, q: found.x, v: found.rate, unit }
        };
        Ok(coordinates(multibody).map(read).collect())
    }

    /// Moves the mechanism to these coordinates and rates of joints; time and inputs stay. Joints that are
    /// not named keep their coordinates and rates, as far as loops allow.
    ///
    /// ```
    /// use precess::prelude::*;
    ///
    /// let model = Model::new("pendulum")
    ///     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
    ///     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y));
    /// let mut simulation = Simulation::new(model)?;
    /// simulation.set_state(&[("hinge", 0.3)], &[("hinge", -1.0)])?;
    /// let hinge = &simulation.coordinates()?[0];
    /// assert!((hinge.q - 0.3).abs() < 1e-14 && (hinge.v + 1.0).abs() < 1e-14);
    /// # Ok::<(), precess::Error>(())
    /// ```
    pub fn set_state(&mut self, q: &[(&str, f64)], v: &[(&str, f64)]) -> Result<(), Error> {
        let multibody = self.multibody()?;
        let targets = self.targets(multibody, q, v)?;
        let mut state = self.state.clone();
        JointTree::of(multibody, &self.state, &targets).place(&mut state);
        // An angle counts its turns from the one that was given.
        for c in &targets {
            if let Some(turns) = c.named.coordinate.memory.and_then(|i| state.memory.get_mut(i..i + 3)) {
                turns.copy_from_slice(&[c.q - c.named.coordinate.zero, c.v, state.t]);
            }
        }
        state.remember(multibody);
        if is_open(multibody, &state) {
            self.close(&mut state, &targets)?;
            state.remember(multibody);
        }
        let system = self.system.clone();
        self.accelerations
            .get_or_insert_with(|| Accelerations::fast(&*system))
            .solve(&*system, &mut state)?;
        let mut course = Course::new(&*system, &state, self.place.horizon)?;
        course.occurrences = std::mem::take(&mut self.course.occurrences);
        self.course = course;
        self.place.started = false;
        self.place.jumped = false;
        self.place.from = state.t;
        self.reported = None;
        self.state = state;
        Ok(())
    }

    /// The given coordinates with their present and their given values.
    fn targets(
        &self,
        multibody: &Multibody,
        q: &[(&str, f64)],
        v: &[(&str, f64)],
    ) -> Result<Vec<GivenCoordinate>, Error> {
        let at = self.state.at();
        for (_, x) in q.iter().chain(v) {
            if !x.is_finite() {
                let expected = "coordinates and rates are finite numbers";
                return Err(Error::Parameter { name: "coordinate", value: *x, expected });
            }
        }
        let known: Vec<Named> = coordinates(multibody).collect();
        for (name, _) in q.iter().chain(v) {
            if !known.iter().any(|c| c.name == *name) {
                let names = known.iter().map(|c| c.name.as_str());
                return Err(Error::unknown_name("joint coordinate", name, names));
            }
        }
        let given = |list: &[(&str, f64)], name: &str| list.iter().rev().find(|x| x.0 == name).map(|x| x.1);
        let mut targets = Vec::new();
        for named in known {
            let (q, v) = (given(q, &named.name), given(v, &named.name));
            if q.is_none() && v.is_none() {
                continue;
            }
            let now = named.coordinate.read(multibody.bodies_in_pairs(), &at);
            let (q, v) = (q.unwrap_or(now.x), v.unwrap_or(now.rate));
            let driven = multibody.joint_list().get(named.joint).is_some_and(|j| j.is_driven());
            if driven && ((q - now.x).abs() > SAME || (v - now.rate).abs() > SAME) {
                let message = format!(
                    "the coordinate of joint '{}' is that of its drive: {} with the rate {}\n  help: leave it \
                     out, or remove the drive",
                    named.name, now.x, now.rate
                );
                return Err(Error::Input { message });
            }
            targets.push(GivenCoordinate { turn: q - now.x, speed: v - now.rate, q, v, named });
        }
        Ok(targets)
    }

    /// Closes the loops of a state whose given coordinates hold.
    fn close(&self, state: &mut State, targets: &[GivenCoordinate]) -> Result<(), Error> {
        let mut model = self.loaded.model.clone();
        for target in targets {
            let Some(joint) = model.joints.iter_mut().find(|j| j.name == target.named.of) else { continue };
            let drive =
                Function::Custom(std::sync::Arc::new(Moving { t: state.t, x: target.q, v: target.v }));
            match target.named.coordinate.is_angle() || !joint.kind.has_angle() {
                true => joint.drive = Some(drive),
                false => joint.drive_displacement = Some(drive),
            }
        }
        let refused = |e: String| Error::Input {
            message: format!(
                "the joints cannot have these coordinates: {e}\n  help: give fewer coordinates, or others"
            ),
        };
        let built = build(&model, self.loaded.settings.formulation)?;
        let system = &*built.system;
        let layout = Layout::new(system).map_err(|e| refused(e.to_string()))?;
        let mut driven = State {
            t: state.t,
            q: state.q.clone(),
            v: state.v.clone(),
            vdot: vec![0.0; state.v.len()],
            lambda: vec![0.0; system.n_lambda()],
            s: state.s.clone(),
            memory: vec![0.0; system.n_memory()],
        };
        driven.remember(system);
        let metric = Metric::inertia(system, &layout, &driven, &[]);
        let (mut closed, _) =
            assemble_in(system, &layout, &driven, &metric).map_err(|e| refused(e.to_string()))?;
        project_velocity(system, &mut closed)?;
        let rest = targets.iter().map(|target| {
            let found = target.named.coordinate.read(self.multibody().ok()?.bodies_in_pairs(), &closed.at());
            Some((target, found.rate))
        });
        for (target, rate) in rest.flatten() {
            if !((rate - target.v).abs() <= 1e-6 * (1.0 + target.v.abs())) {
                return Err(refused(format!("'{}' would have the rate {rate}", target.named.name)));
            }
        }
        state.q.copy_from_slice(&closed.q);
        state.v.copy_from_slice(&closed.v);
        Ok(())
    }
}

/// A given coordinate.
struct GivenCoordinate {
    named: Named,
    q: f64,
    v: f64,
    /// By how much the coordinate and its rate change.
    turn: f64,
    speed: f64,
}

/// x + v (s - t) as a function of the time s.
#[derive(Debug)]
struct Moving {
    t: f64,
    x: f64,
    v: f64,
}

impl Smooth for Moving {
    fn value(&self, at: Argument) -> f64 {
        self.motion(at.t)[0]
    }

    fn slope(&self, at: Argument) -> Slope {
        Slope { value: self.value(at), ..Slope::default() }
    }

    fn motion(&self, s: f64) -> [f64; 3] {
        [self.x + self.v * (s - self.t), self.v, 0.0]
    }

    fn label(&self) -> String {
        format!("{self:?}")
    }
}

/// True if the constraints of a state do not hold.
fn is_open(multibody: &Multibody, state: &State) -> bool {
    use crate::mechanics::System;
    let mut rest = vec![0.0; multibody.n_lambda()];
    let largest = |list: &[f64]| list.iter().fold(0.0, |a: f64, x| crate::study::larger(a, x.abs()));
    let length = multibody.length_scale();
    multibody.constraint(&state.at(), &mut rest);
    let position = largest(&rest);
    multibody.velocity_constraint(&state.at(), &mut rest);
    let fastest = largest(&state.v);
    !(position <= OPEN * length.min(1.0) && largest(&rest) <= OPEN * length.min(1.0) * (1.0 + fastest))
}

/// Place and velocity of a body in space, at its centre of mass.
#[derive(Clone, Copy)]
struct BodyMotion {
    r: Matrix3<f64>,
    x: Vector3<f64>,
    omega: Vector3<f64>,
    v: Vector3<f64>,
}

impl BodyMotion {
    const GROUND: BodyMotion = BodyMotion {
        r: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        x: Vector3::new(0.0, 0.0, 0.0),
        omega: Vector3::new(0.0, 0.0, 0.0),
        v: Vector3::new(0.0, 0.0, 0.0),
    };

    /// This motion in the frame of another one.
    fn relative_to(&self, base: &BodyMotion) -> BodyMotion {
        let back = base.r.transpose();
        let x = back * (self.x - base.x);
        let v = back * (self.v - base.v - base.omega.cross(&(self.x - base.x)));
        BodyMotion { r: back * self.r, x, omega: back * (self.omega - base.omega), v }
    }

    /// A motion in the frame of this one.
    fn carry(&self, relative: &BodyMotion) -> BodyMotion {
        let arm = self.r * relative.x;
        BodyMotion {
            r: self.r * relative.r,
            x: self.x + arm,
            omega: self.omega + self.r * relative.omega,
            v: self.v + self.omega.cross(&arm) + self.r * relative.v,
        }
    }

    /// Turned about, or shifted along, an axis through a point, and faster by `speed` in the same way.
    fn moved(&self, [axis, point]: [Vector3<f64>; 2], is_angle: bool, turn: f64, speed: f64) -> BodyMotion {
        if !is_angle {
            return BodyMotion { x: self.x + axis * turn, v: self.v + axis * speed, ..*self };
        }
        let by = Rotation3::from_axis_angle(&Unit::new_normalize(axis), turn).into_inner();
        let arm = by * (self.x - point);
        BodyMotion {
            r: by * self.r,
            x: point + arm,
            omega: by * self.omega + axis * speed,
            v: by * self.v + axis.cross(&arm) * speed,
        }
    }
}

/// Bodies in an order in which each comes after the body that carries it.
struct JointTree<'a> {
    multibody: &'a Multibody,
    /// Motions before and after.
    before: Vec<BodyMotion>,
    after: Vec<Option<BodyMotion>>,
}

impl<'a> JointTree<'a> {
    /// Motions of all bodies when these coordinates have changed.
    fn of(multibody: &'a Multibody, state: &State, targets: &[GivenCoordinate]) -> Self {
        let before: Vec<BodyMotion> =
            multibody.body_list().iter().map(|b| motion(multibody, b, state)).collect();
        let mut tree = JointTree { multibody, after: vec![None; before.len()], before };
        let (n, joints) = (tree.before.len(), multibody.joint_list());
        let is_given = |i: &usize| targets.iter().any(|t| t.named.joint == *i);
        // Joints with given coordinates come first, so that loops are cut at others.
        let mut order: Vec<usize> = (0..joints.len()).filter(is_given).collect();
        order.extend((0..joints.len()).filter(|i| !is_given(i)));
        // Roots: the ground, then a body of each part that is not connected to it.
        for root in std::iter::once(None).chain((0..n).map(Some)) {
            if root.is_some_and(|i| tree.after[i].is_some()) {
                continue;
            }
            if let Some(i) = root {
                tree.after[i] = Some(tree.before[i]);
            }
            let mut queue = VecDeque::from([root]);
            while let Some(base) = queue.pop_front() {
                for &index in &order {
                    let Some(joint) = joints.get(index).filter(|j| j.holds(&state.memory)) else { continue };
                    let Link { a, b } = joint.link;
                    let next = match () {
                        () if a == base && b != base => b,
                        () if b == base && a != base => a,
                        () => continue,
                    };
                    // Nodes of modal bodies are closed like loops.
                    let Some(next) = next.filter(|i| *i < n && tree.after[*i].is_none()) else { continue };
                    let mut relative = tree.before[next].relative_to(&tree.motion(base, false));
                    for t in targets.iter().filter(|t| t.named.joint == index) {
                        // The coordinate is that of b relative to a: about, or along, axis 3 of a through the
                        // point of b.
                        let (ma, mb, of) = (&joint.marker_a, &joint.marker_b, &relative);
                        let (line, sign) = match a == base {
                            true => ([ma.axis(2), of.x + of.r * mb.p], 1.0),
                            false => ([of.r * ma.axis(2), mb.p], -1.0),
                        };
                        let is_angle = t.named.coordinate.is_angle();
                        relative = relative.moved(line, is_angle, sign * t.turn, sign * t.speed);
                    }
                    tree.after[next] = Some(tree.motion(base, true).carry(&relative));
                    queue.push_back(Some(next));
                }
            }
        }
        tree
    }

    fn motion(&self, body: Option<usize>, after: bool) -> BodyMotion {
        let Some(i) = body else { return BodyMotion::GROUND };
        let before = self.before.get(i).copied().unwrap_or(BodyMotion::GROUND);
        if after { self.after.get(i).copied().flatten().unwrap_or(before) } else { before }
    }

    /// Writes the motions into a state.
    fn place(&self, state: &mut State) {
        for (body, motion) in self.multibody.body_list().iter().zip(&self.after) {
            let Some(motion) = motion else { continue };
            let (mut q, mut v) = (body.q, body.v);
            let mut u = motion.v;
            if matches!(body.kind, BodyKind::Rigid { .. }) {
                let r = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(motion.r));
                let back = motion.r.transpose();
                let old = &state.q[q..q + 4];
                // A quaternion and its opposite are the same rotation; it keeps its sign.
                let same = r.w * old[0] + r.i * old[1] + r.j * old[2] + r.k * old[3];
                let sign = if same < 0.0 { -1.0 } else { 1.0 };
                state.q[q..q + 4].copy_from_slice(&[sign * r.w, sign * r.i, sign * r.j, sign * r.k]);
                state.v[v..v + 3].copy_from_slice((back * motion.omega).as_slice());
                if self.multibody.kind() == Group::SE3 {
                    u = back * u;
                }
                (q, v) = (q + 4, v + 3);
            }
            state.q[q..q + 3].copy_from_slice(motion.x.as_slice());
            state.v[v..v + 3].copy_from_slice(u.as_slice());
        }
    }
}

fn motion(multibody: &Multibody, body: &crate::mechanics::Body, state: &State) -> BodyMotion {
    let pose = body.pose(&state.q);
    let omega = pose.r * body.motion(&state.v).omega;
    BodyMotion { r: pose.r, x: pose.x, omega, v: body.velocity(multibody.kind(), &state.at()) }
}
