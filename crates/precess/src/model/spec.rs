//! A model as plain data in SI units: the content of a file after its expressions are evaluated, or built in
//! Rust.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::beam::BeamSpec;
pub use super::body::{BodySpec, GROUND, MarkerSpec, SolidForm, SolidSpec};
use super::elements::{ControlSpec, EventSpec, ForceSpec, GearSpec, SensorSpec, Switchable};
use super::expressed::{AlgebraicSpec, ConstraintSpec, StateSpec};
pub use super::joint::JointSpec;
use super::modal::ModalSpec;
use crate::mechanics::BodyKind;
pub use crate::mechanics::frame_along;
use crate::mechanics::signal::Signal;

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
    /// Bodies of a file whose velocity or angular velocity is not given (in this order, false for those): they
    /// follow from the given ones.
    pub partial: BTreeMap<String, [bool; 2]>,
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

    /// Replaces the inputs in all formulas.
    pub(crate) fn replace_signals(&mut self, other: &mut dyn FnMut(&Signal) -> Signal) {
        for force in &mut self.forces {
            force.kind.functions_mut().iter_mut().for_each(|f| f.replace_signals(other));
        }
        for control in &mut self.controls {
            control.controller.drive_mut().replace_signals(other);
        }
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
    pub(crate) fn begin_with(&mut self, name: &str, q: &[f64], v: &[f64]) -> bool {
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
