//! A model as plain data in SI units: the content of a file after its expressions are evaluated, or built in
//! Rust.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::beam::BeamSpec;
pub use super::body::{BodySpec, GROUND, MarkerSpec, SolidForm, SolidSpec};
use super::elements::{ControlSpec, EventSpec, ForceSpec, GearSpec, SensorSpec, Switchable};
use super::expressed::{AlgebraicSpec, ConstraintSpec, StateSpec};
use super::modal::ModalSpec;
pub use crate::mechanics::frame_along;
use crate::mechanics::joints::JointKind;
use crate::mechanics::{BodyKind, Function};

/// Bodies, joints, forces, controls, sensors and gravity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Name.
    pub name: String,
    /// Gravitational acceleration.
    pub gravity: Vector3<f64>,
    /// Typical length; from the geometry if absent.
    pub length_scale: Option<f64>,
    /// Bodies.
    pub bodies: Vec<BodySpec>,
    /// Joints.
    pub joints: Vec<JointSpec>,
    /// Ratios between joint coordinates.
    pub gears: Vec<GearSpec>,
    /// Expressions of positions that stay zero.
    pub constraints: Vec<ConstraintSpec>,
    /// First-order states.
    pub states: Vec<StateSpec>,
    /// Algebraic variables.
    pub algebraic: Vec<AlgebraicSpec>,
    /// Forces besides gravity.
    pub forces: Vec<ForceSpec>,
    /// Controls.
    pub controls: Vec<ControlSpec>,
    /// Sensors.
    pub sensors: Vec<SensorSpec>,
    /// Events.
    pub events: Vec<EventSpec>,
    /// Beams, with the bodies of their nodes and the forces of their elements.
    pub beams: Vec<BeamSpec>,
    /// Bodies that deform in modes.
    pub modal: Vec<ModalSpec>,
    /// Elements that are off at the start.
    pub disabled: Vec<Switchable>,
    /// Inputs by name, with their initial values; names that formulas use are inputs, too.
    pub inputs: BTreeMap<String, f64>,
    /// Initial positions of bodies, by name, if they differ from their specification.
    pub start: BTreeMap<String, StartSpec>,
    /// Initial values of the states of controls, by name, if a run begins where another one ended.
    pub first_states: HashMap<String, Vec<f64>>,
}

/// The position and velocity of a body when the run begins. Everything fixed in bodies stays where
/// [`BodySpec`] places it.
#[derive(Clone, Debug, PartialEq)]
pub struct StartSpec {
    /// Centre of mass.
    pub position: Vector3<f64>,
    /// Orientation.
    pub rotation: UnitQuaternion<f64>,
    /// Velocity of the centre of mass, inertial frame.
    pub velocity: Vector3<f64>,
    /// Angular velocity, body frame.
    pub angular_velocity: Vector3<f64>,
}

/// A joint between two bodies at a point in space.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// Unique name.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// First and second body.
    pub bodies: [String; 2],
    /// Point at t = 0.
    pub point: Vector3<f64>,
    /// Point on the second body; differs from `point` only for rigid distances.
    pub point2: Vector3<f64>,
    /// Axes a_1, a_2, a_3 of the joint at t = 0, as columns.
    pub frame: Matrix3<f64>,
    /// Axes of the marker on the second body at t = 0; differs from `frame` only for universal joints with an
    /// angle.
    pub frame2: Matrix3<f64>,
    /// Prescribed coordinate.
    pub drive: Option<Function>,
    /// Prescribed displacement of a joint that also has an angle.
    pub drive_displacement: Option<Function>,
    /// Prescribed motion of the second body: displacements along the axes of the first body, then roll, pitch
    /// and yaw about them.
    pub guide: Option<Box<[Function; 6]>>,
    /// Value of the joint coordinate at t = 0.
    pub coordinate: f64,
    /// Rows of a spherical joint in the axes of the first body, not of the ground. The motion is the same;
    /// multipliers and the drift of the forms index1 and index2 are not. Directors and so3 have other rows.
    pub rows_in_body: bool,
}

impl Model {
    /// Adds a body that deforms in modes; `body` places its frame, the modes give its mass.
    pub fn modal(mut self, body: BodySpec, modal: ModalSpec) -> Self {
        let kind = BodyKind::Rigid { inertia: modal.data.i0 };
        self.bodies.push(BodySpec { mass: modal.data.mass, kind, ..body });
        self.modal.push(modal);
        self
    }

    /// An empty model without gravity.
    pub fn new(name: &str) -> Self {
        Model { name: name.to_string(), ..Model::default() }
    }

    /// The nodes of modal bodies.
    pub(crate) fn nodes(&self) -> Vec<&BodySpec> {
        let mut nodes = Vec::new();
        for modal in &self.modal {
            nodes.extend(modal.nodes.iter().map(|n| &n.body));
        }
        nodes
    }

    /// Sets gravity.
    pub fn gravity(mut self, g: [f64; 3]) -> Self {
        self.gravity = Vector3::from(g);
        self
    }

    /// Adds a body.
    pub fn body(mut self, body: BodySpec) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a joint.
    pub fn joint(mut self, joint: JointSpec) -> Self {
        self.joints.push(joint);
        self
    }

    /// Adds a gear.
    pub fn gear(mut self, gear: GearSpec) -> Self {
        self.gears.push(gear);
        self
    }

    /// Adds a force.
    pub fn force(mut self, force: ForceSpec) -> Self {
        self.forces.push(force);
        self
    }

    /// Adds a control.
    pub fn control(mut self, control: ControlSpec) -> Self {
        self.controls.push(control);
        self
    }

    /// Adds a sensor.
    pub fn sensor(mut self, sensor: SensorSpec) -> Self {
        self.sensors.push(sensor);
        self
    }

    /// Adds an event.
    pub fn event(mut self, event: EventSpec) -> Self {
        self.events.push(event);
        self
    }

    /// Adds an input, which formulas read as `input("name")`, with its initial value.
    pub fn input(mut self, name: &str, value: f64) -> Self {
        self.inputs.insert(name.to_string(), value);
        self
    }

    /// Turns this element off at the start.
    pub fn disabled(mut self, element: Switchable) -> Self {
        self.disabled.push(element);
        self
    }

    /// A body of this model with its initial position and velocity.
    pub fn starting<'a>(&self, body: &'a BodySpec) -> Cow<'a, BodySpec> {
        let Some(start) = self.start.get(&body.name) else { return Cow::Borrowed(body) };
        let start = start.clone();
        Cow::Owned(BodySpec {
            position: start.position,
            rotation: start.rotation,
            velocity: start.velocity,
            angular_velocity: start.angular_velocity,
            ..body.clone()
        })
    }

    /// Entries of q and v after the bodies, with their numbers of values: modal bodies, states, controls.
    pub fn variables(&self) -> Vec<(String, usize)> {
        let modal = self.modal.iter().map(|m| (m.name.clone(), m.coordinates.len()));
        let states = self.states.iter().map(|s| (s.name.clone(), 1));
        let controls = self.controls.iter().map(|c| (c.name.clone(), c.controller.n_states()));
        modal.chain(states).chain(controls).collect()
    }

    /// Sets the initial values of the [variables](Self::variables) of a name; false if there is none with
    /// this number of values.
    pub fn begin_with(&mut self, name: &str, q: &[f64], v: &[f64]) -> bool {
        let n = v.len();
        if let Some(m) = self.modal.iter_mut().find(|m| m.name == name && m.coordinates.len() == n) {
            (m.coordinates, m.rates) = (q.to_vec(), v.to_vec());
            return true;
        }
        if let ([x], Some(state)) = (v, self.states.iter_mut().find(|s| s.name == name)) {
            state.initial = *x;
            return true;
        }
        let control = self.controls.iter().any(|c| c.name == name && c.controller.n_states() == n);
        if control {
            self.first_states.insert(name.to_string(), v.to_vec());
        }
        control
    }

    /// Number of moving factors of the configuration space: bodies, and the modes of modal bodies.
    pub fn moving(&self) -> usize {
        self.bodies.len() + self.modal.len()
    }

    /// Point and axes of the marker `"body.marker"` in the inertial frame at t = 0.
    pub fn marker(&self, name: &str) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        self.bodies.iter().find_map(|body| {
            let marker = name.strip_prefix(&body.name)?.strip_prefix('.')?;
            body.frame(marker)
        })
    }
}

impl JointSpec {
    /// A joint at a point with the axes of the inertial frame.
    pub fn new(name: &str, kind: JointKind, bodies: [&str; 2], point: [f64; 3]) -> Self {
        let point = Vector3::from(point);
        JointSpec {
            name: name.to_string(),
            kind,
            bodies: bodies.map(str::to_string),
            point,
            point2: point,
            frame: Matrix3::identity(),
            frame2: Matrix3::identity(),
            drive: None,
            drive_displacement: None,
            guide: None,
            coordinate: 0.0,
            rows_in_body: false,
        }
    }

    /// With a prescribed coordinate: the angle of a revolute joint, the displacement of a prismatic one.
    pub fn driven(mut self, function: Function) -> Self {
        self.drive = Some(function);
        self
    }

    /// True if a function of time moves it.
    pub fn is_driven(&self) -> bool {
        self.drive.is_some() || self.drive_displacement.is_some() || self.guide.is_some()
    }

    /// With a_3 along this direction.
    pub fn along(mut self, axis: [f64; 3]) -> Self {
        self.frame = frame_along(&Vector3::from(axis));
        self.frame2 = self.frame;
        self
    }

    /// Points coincide at `point`.
    pub fn spherical(name: &str, bodies: [&str; 2], point: [f64; 3]) -> Self {
        Self::new(name, JointKind::Spherical, bodies, point)
    }

    /// Rotation about `axis` through `point`.
    pub fn revolute(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::Revolute, bodies, point).along(axis)
    }

    /// The point of the second body does not move along `axis`, which turns with it.
    pub fn knife_edge(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::KnifeEdge, bodies, point).along(axis)
    }

    /// A ball of the second body rolls on a plane of the first, through `point` with the normal `axis`, which
    /// it touches at t = 0.
    pub fn ball(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3], centre: [f64; 3]) -> Self {
        let mut joint = Self::new(name, JointKind::KnifeEdge, bodies, point).along(axis);
        joint.point2 = Vector3::from(centre);
        let height = joint.frame.column(2).dot(&(joint.point2 - joint.point));
        JointSpec { kind: JointKind::Rolling { circle: 0.0, section: height }, ..joint }
    }

    /// Translation along `axis`.
    pub fn prismatic(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::Prismatic, bodies, point).along(axis)
    }
}
