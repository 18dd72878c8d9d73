//! A model as a part of another one: moved, mirrored, with new names.
//!
//! A mirror M = 1 - 2 n n^T maps positions x to M x and rotations to M R M; angular velocities, torques and
//! angles change their sense, -M w. Joints keep the signs of their coordinates: the axis of a rotation
//! becomes -M a, that of a translation M a.

mod read;

use std::sync::Arc;

use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::elements::{At, EventAction, SensorKind, Switchable, Total};
use super::expressed::{ExpressedSpec, MeasuredSpec, PointOf, VariableSpec};
use super::spec::{BodySpec, GROUND, JointSpec, MarkerSpec, Model, SolidSpec, StartSpec};
use crate::mechanics::function::{Argument, Function, MAX_READ, Readings, Slope, Smooth};
use crate::mechanics::joints::JointKind;
use crate::mechanics::signal::Signal;
use crate::mechanics::{BodyKind, forces::ForceFrame};

/// The placement of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Prefix of the names of its elements.
    pub prefix: String,
    /// The body that its ground becomes.
    pub ground: String,
    /// The normal of a plane through its origin; the part is mirrored at this plane before it is moved.
    pub mirror: Option<Vector3<f64>>,
    /// Rotation of the part.
    pub rotation: UnitQuaternion<f64>,
    /// Position of its origin.
    pub position: Vector3<f64>,
}

impl Placement {
    /// The reflection; the identity without one.
    fn reflection(&self) -> Matrix3<f64> {
        self.mirror.map_or_else(Matrix3::identity, |n| Matrix3::identity() - n * n.transpose() * 2.0)
    }

    pub(super) fn vector(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * (self.reflection() * x)
    }

    pub(super) fn point(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.vector(x)
    }

    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    pub(super) fn body_name(&self, name: &str) -> String {
        if name == GROUND { self.ground.clone() } else { self.name(name) }
    }

    pub(super) fn pair(&self, bodies: &[String; 2]) -> [String; 2] {
        bodies.each_ref().map(|b| self.body_name(b))
    }

    pub(super) fn at(&self, at: &At) -> At {
        At { joint: self.name(&at.joint), of: at.of }
    }

    /// M R M in the frame of a body.
    fn inside(&self, r: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        let m = self.reflection();
        let r = m * r.to_rotation_matrix().into_inner() * m;
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r))
    }

    /// Boxes, bars and balls are symmetric under inversion, so -M R is their rotation.
    fn solid(&self, s: &SolidSpec) -> SolidSpec {
        let rotation = match self.mirror {
            Some(_) => {
                let r = -(self.reflection() * s.rotation.to_rotation_matrix().into_inner());
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r))
            }
            None => s.rotation,
        };
        SolidSpec { at: self.reflection() * s.at, rotation, ..s.clone() }
    }

    fn body(&self, b: &BodySpec) -> BodySpec {
        let m = self.reflection();
        let handed = if self.mirror.is_some() { -1.0 } else { 1.0 };
        let kind = match b.kind {
            BodyKind::Rigid { inertia } => BodyKind::Rigid { inertia: m * inertia * m },
            other => other,
        };
        let marker = |k: &MarkerSpec| MarkerSpec {
            name: k.name.clone(),
            point: m * k.point,
            rotation: self.inside(&k.rotation),
        };
        BodySpec {
            name: self.name(&b.name),
            mass: b.mass,
            kind,
            position: self.point(&b.position),
            rotation: self.rotation * self.inside(&b.rotation),
            velocity: self.vector(&b.velocity),
            angular_velocity: m * b.angular_velocity * handed,
            markers: b.markers.iter().map(marker).collect(),
            solid: b.solid.as_ref().map(|s| self.solid(s)),
            look: b.look.iter().map(|s| self.solid(s)).collect(),
        }
    }

    /// Axes of a joint: right-handed again, with the axis that keeps the sign of the coordinate.
    pub(super) fn frame(&self, frame: &Matrix3<f64>, translates: bool) -> Matrix3<f64> {
        let moved = self.rotation.to_rotation_matrix().into_inner() * self.reflection() * frame;
        match (self.mirror, translates) {
            (None, _) => moved,
            (Some(_), true) => moved * Matrix3::from_diagonal(&Vector3::new(-1.0, 1.0, 1.0)),
            (Some(_), false) => moved * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0)),
        }
    }

    fn joint(&self, j: &JointSpec) -> JointSpec {
        // The normal of a plane keeps its side.
        let translates =
            matches!(j.kind, JointKind::Prismatic | JointKind::Cylindrical | JointKind::Rolling { .. });
        let kind = match j.kind {
            // A right-handed thread becomes a left-handed one.
            JointKind::Screw { pitch } if self.mirror.is_some() => JointKind::Screw { pitch: -pitch },
            kind => kind,
        };
        // With the sign of its displacement kept, a cylindrical joint turns the other way.
        let turned = self.mirror.is_some() && matches!(j.kind, JointKind::Cylindrical);
        let sign = if turned { -1.0 } else { 1.0 };
        JointSpec {
            name: self.name(&j.name),
            kind,
            drive: j.drive.as_ref().map(|f| if turned { minus(f) } else { f.clone() }),
            coordinate: sign * j.coordinate,
            rate: j.rate.map(|x| sign * x),
            bodies: self.pair(&j.bodies),
            point: self.point(&j.point),
            point2: self.point(&j.point2),
            frame: self.frame(&j.frame, translates),
            frame2: self.frame(&j.frame2, translates),
            guide: j.guide.as_ref().map(|f| Box::new(self.guide(f))),
            ..j.clone()
        }
    }

    /// A given motion: its axes are mirrored, and the third one is reversed. So displacements along it and
    /// rotations about the others change sign.
    fn guide(&self, f: &[Function; 6]) -> [Function; 6] {
        match (self.mirror, f) {
            (Some(_), [x, y, z, roll, pitch, yaw]) => {
                [x.clone(), y.clone(), minus(z), minus(roll), minus(pitch), yaw.clone()]
            }
            (None, f) => f.clone(),
        }
    }

    /// Components of a force, or of a torque, which is mirrored with the opposite sign.
    pub(super) fn functions(&self, f: &[Function; 3], frame: ForceFrame, torque: bool) -> [Function; 3] {
        let handed = if torque && self.mirror.is_some() { -1.0 } else { 1.0 };
        let turn = match frame {
            ForceFrame::Inertial => self.rotation.to_rotation_matrix().into_inner(),
            ForceFrame::Body => Matrix3::identity(),
        };
        let m = turn * self.reflection() * handed;
        [0, 1, 2].map(|i| combination(m.row(i).transpose(), f))
    }

    /// Coordinates remain those of the part: along its axes, from its origin.
    pub(super) fn measured(&self, spec: &MeasuredSpec) -> MeasuredSpec {
        let place = |p: &PointOf| PointOf { body: self.body_name(&p.body), at: self.point(&p.at) };
        match spec {
            MeasuredSpec::Place { point, axis, origin, of_space: false } => MeasuredSpec::Place {
                point: place(point),
                axis: self.vector(axis),
                origin: self.point(origin),
                of_space: false,
            },
            MeasuredSpec::Place { point, axis, origin, of_space: true } => {
                MeasuredSpec::Place { point: place(point), axis: *axis, origin: *origin, of_space: true }
            }
            MeasuredSpec::Distance(points) => MeasuredSpec::Distance(points.each_ref().map(place)),
            MeasuredSpec::Joint(at) => MeasuredSpec::Joint(self.at(at)),
        }
    }

    pub(super) fn expressed(&self, spec: &ExpressedSpec) -> ExpressedSpec {
        let variable = |v: &VariableSpec| match v {
            VariableSpec::Time => VariableSpec::Time,
            VariableSpec::Value(m) => VariableSpec::Value(self.measured(m)),
            VariableSpec::Rate(m) => VariableSpec::Rate(self.measured(m)),
            VariableSpec::State(name) => VariableSpec::State(self.name(name)),
            VariableSpec::Algebraic(name) => VariableSpec::Algebraic(self.name(name)),
        };
        let variables = spec.variables.iter().map(variable).collect();
        ExpressedSpec { variables, function: spec.function.clone() }
    }

    fn total(&self, total: &Total) -> Total {
        match total {
            Total::Joints(list) => Total::Joints(list.iter().map(|j| self.name(j)).collect()),
            Total::Body(body) => Total::Body(self.body_name(body)),
        }
    }

    fn sensor(&self, kind: &SensorKind) -> SensorKind {
        use SensorKind::*;
        match kind {
            Position(b, p) => Position(self.body_name(b), self.point(p)),
            Velocity(b, p) => Velocity(self.body_name(b), self.point(p)),
            Acceleration(b, p) => Acceleration(self.body_name(b), self.point(p)),
            AngularVelocity(b) => AngularVelocity(self.body_name(b)),
            Coordinate(at) => Coordinate(self.at(at)),
            Rate(at) => Rate(self.at(at)),
            ReactionForce(j, frame) => ReactionForce(self.name(j), *frame),
            ReactionTorque(j, frame) => ReactionTorque(self.name(j), *frame),
            Rotation { body, accelerates, inertial } => {
                Rotation { body: self.body_name(body), accelerates: *accelerates, inertial: *inertial }
            }
            GuideForce(j, frame) => GuideForce(self.name(j), *frame),
            GuideTorque(j, frame) => GuideTorque(self.name(j), *frame),
            DriveEffort(at) => DriveEffort(self.at(at)),
            Effort(f) => Effort(self.name(f)),
            TotalForce(total) => TotalForce(self.total(total)),
            TotalTorque(total, point) => TotalTorque(self.total(total), self.point(point)),
            Formula(formula, unit) => {
                let mut formula = formula.clone();
                formula.names.iter_mut().filter(|n| *n != "t").for_each(|n| *n = self.name(n));
                Formula(formula, unit)
            }
            SpringLength(f) => SpringLength(self.name(f)),
            SpringForce(f) => SpringForce(self.name(f)),
            ControlOutput(c) => ControlOutput(self.name(c)),
            SectionForce(e) => SectionForce(self.name(e)),
            SectionMoment(e) => SectionMoment(self.name(e)),
            StrainEnergy(b) => StrainEnergy(self.name(b)),
            State(s) => State(self.name(s)),
            Algebraic(s) => Algebraic(self.name(s)),
            KineticEnergy | PotentialEnergy | TotalEnergy | LinearMomentum | AngularMomentum => kind.clone(),
        }
    }

    fn element(&self, e: &Switchable) -> Switchable {
        match e {
            Switchable::Force(n) => Switchable::Force(self.name(n)),
            Switchable::Control(n) => Switchable::Control(self.name(n)),
            Switchable::Joint(n) => Switchable::Joint(self.name(n)),
            Switchable::Drive(n) => Switchable::Drive(self.name(n)),
        }
    }

    /// The elements of a part, placed; gravity and length scale are those of the whole model.
    pub fn placed(&self, part: &Model) -> Model {
        let mut out = Model::new(&part.name);
        out.bodies = part.bodies.iter().map(|b| self.body(b)).collect();
        out.beams = part.beams.clone();
        for beam in &mut out.beams {
            beam.name = self.name(&beam.name);
            for node in &mut beam.nodes {
                let at = self.point(&node.translation.vector);
                *node = Isometry3::from_parts(at.into(), self.rotation * self.inside(&node.rotation));
            }
        }
        out.modal = part.modal.clone();
        for modal in &mut out.modal {
            modal.name = self.name(&modal.name);
            for node in &mut modal.nodes {
                node.body = self.body(&node.body);
            }
        }
        out.joints = part.joints.iter().map(|j| self.joint(j)).collect();
        out.gears = part.gears.clone();
        for g in &mut out.gears {
            g.name = self.name(&g.name);
            g.joints = g.joints.each_ref().map(|at| self.at(at));
        }
        out.constraints = part.constraints.clone();
        for c in &mut out.constraints {
            c.name = self.name(&c.name);
            c.equation = self.expressed(&c.equation);
        }
        out.states = part.states.clone();
        for s in &mut out.states {
            s.name = self.name(&s.name);
            s.rate = self.expressed(&s.rate);
        }
        out.algebraic = part.algebraic.clone();
        for s in &mut out.algebraic {
            s.name = self.name(&s.name);
            s.equation = self.expressed(&s.equation);
        }
        out.forces = part.forces.clone();
        for f in &mut out.forces {
            f.name = self.name(&f.name);
            f.kind = f.kind.model().moved(self);
        }
        out.controls = part.controls.clone();
        for c in &mut out.controls {
            c.name = self.name(&c.name);
            c.at = self.at(&c.at);
            c.on = c.on.as_ref().map(|at| self.at(at));
        }
        out.sensors = part.sensors.clone();
        for s in &mut out.sensors {
            s.name = self.name(&s.name);
            s.kind = self.sensor(&s.kind);
        }
        out.events = part.events.clone();
        for e in &mut out.events {
            e.name = self.name(&e.name);
            e.when.arguments.iter_mut().for_each(|(sensor, _)| *sensor = self.name(sensor));
            if let EventAction::Switch { enable, disable } = &mut e.action {
                enable.iter_mut().chain(disable).for_each(|x| *x = self.element(x));
            }
        }
        let handed = if self.mirror.is_some() { -1.0 } else { 1.0 };
        let start = |s: &StartSpec| StartSpec {
            position: self.point(&s.position),
            rotation: self.rotation * self.inside(&s.rotation),
            velocity: self.vector(&s.velocity),
            angular_velocity: self.reflection() * s.angular_velocity * handed,
        };
        for (name, s) in &part.start {
            out.start.insert(self.name(name), start(s));
        }
        for (name, given) in &part.partial {
            out.partial.insert(self.name(name), *given);
        }
        out.disabled = part.disabled.iter().map(|e| self.element(e)).collect();
        out
    }
}

/// A function times a factor.
pub(super) fn scaled(factor: f64, f: &Function) -> Function {
    combination(Vector3::x() * factor, &[f.clone(), Function::Constant(0.0), Function::Constant(0.0)])
}

/// -f.
fn minus(f: &Function) -> Function {
    let zero = || Function::Constant(0.0);
    combination(Vector3::new(-1.0, 0.0, 0.0), &[f.clone(), zero(), zero()])
}

/// The sum of three functions with factors.
fn combination(factors: Vector3<f64>, f: &[Function; 3]) -> Function {
    let single = factors.iter().zip(f).filter(|(c, _)| **c != 0.0).collect::<Vec<_>>();
    if let [(c, f)] = single.as_slice()
        && **c == 1.0
    {
        return (*f).clone();
    }
    let constants = f.each_ref().map(Function::constant);
    if let [Some(a), Some(b), Some(c)] = constants {
        return Function::Constant(factors.dot(&Vector3::new(a, b, c)));
    }
    Function::Custom(Arc::new(Combination::new(factors, f.clone())))
}

#[derive(Debug)]
struct Combination {
    factors: Vector3<f64>,
    functions: [Function; 3],
    /// Its inputs.
    inputs: Vec<Signal>,
}

impl Combination {
    fn new(factors: Vector3<f64>, functions: [Function; 3]) -> Self {
        let mut inputs = Vec::new();
        functions.iter().for_each(|f| inputs.extend_from_slice(f.signals()));
        Combination { factors, functions, inputs }
    }

    fn sum(&self, of: impl Fn(&Function) -> f64) -> f64 {
        let parts = self.factors.iter().zip(&self.functions).filter(|(c, _)| **c != 0.0);
        parts.map(|(c, f)| c * of(f)).sum()
    }
}

impl Smooth for Combination {
    fn value(&self, at: Argument) -> f64 {
        self.sum(|f| f.value(at))
    }

    fn slope(&self, at: Argument) -> Slope {
        Slope { value: self.value(at), x: self.sum(|f| f.slope(at).x), v: self.sum(|f| f.slope(at).v) }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        [self.sum(|f| f.motion(t)[0]), self.sum(|f| f.motion(t)[1]), self.sum(|f| f.motion(t)[2])]
    }

    fn law(&self, t: f64, signals: &Readings) -> f64 {
        self.sum(|f| f.law(t, signals))
    }

    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        let mut sum = [0.0; MAX_READ];
        for (c, f) in self.factors.iter().zip(&self.functions).filter(|(c, _)| **c != 0.0) {
            let slopes = f.law_slopes(t, signals);
            sum.iter_mut().zip(slopes).for_each(|(s, x)| *s += c * x);
        }
        sum
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        let mut times = Vec::new();
        self.functions.iter().for_each(|f| times.append(&mut f.breakpoints(from, to)));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }

    fn signals(&self) -> &[Signal] {
        &self.inputs
    }

    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Arc<dyn Smooth>> {
        if self.inputs.is_empty() {
            return None;
        }
        let mut functions = self.functions.clone();
        functions.iter_mut().for_each(|f| f.replace_signals(other));
        Some(Arc::new(Combination::new(self.factors, functions)))
    }

    fn label(&self) -> String {
        let label = |f: &Function| match f {
            Function::Constant(c) => c.to_string(),
            Function::Custom(f) => f.label(),
            Function::Lanes(_) => "several".to_string(),
        };
        let parts = self.factors.iter().zip(&self.functions).map(|(c, f)| format!("{c}*({})", label(f)));
        parts.collect::<Vec<_>>().join(" + ")
    }
}
