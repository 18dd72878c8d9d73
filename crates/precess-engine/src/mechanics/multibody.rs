//! Rigid bodies and point masses with joints, forces and controls, in absolute coordinates R^3xSO(3) or
//! SE(3). The equations of motion are the sum over all these parts.

mod build;
mod evaluate;
mod expressed;
mod reports;
mod troubles;

use std::any::Any;
use std::sync::OnceLock;

use nalgebra::Vector3;
use precess_lie::Product;

use super::body::Body;
use super::controls::Control;
use super::division::Division;
use super::event::{Event, Indicator, MAX_ARGUMENTS, ON, Switch};
use super::forces::Force;
use super::function::Function;
use super::joint::Joint;
use super::joints::JointRows;
use super::kernels::{Group, Motion, PairMotion};
use super::links::Bodies;
use super::mobility::{UNIQUE, mobility};
use super::modal::ModalBody;
use super::modal_limits::{SEEN, mass_is_positive, too_deformed, words};
use super::part::SharedParts;
use super::physics::Physics;
use super::quantity::{Quantity, Sensor};
use super::reaction_group::ReactionGroup;
use super::sensor_formula::SensorFormula;
use super::system::{At, Energy, Equations, Momenta, RowKind, State, System};
use super::tangents::{Tangents, Want};
use crate::mechanics::redundancy;
use crate::solve::structure::Structure;

/// Bodies, joints, gears, forces, controls and sensors in absolute coordinates.
#[derive(Clone, Debug)]
pub struct Multibody {
    group: Product,
    physics: Physics,
    /// Constraints, states and variables given as expressions, by name.
    expressed: expressed::Named,
    sensors: Vec<Sensor>,
    /// Joints and forces that sensors add up.
    groups: Vec<ReactionGroup>,
    /// Formulas of sensors.
    formulas: Vec<SensorFormula>,
    events: Vec<Event>,
    /// Indices of the stops that events turn on and off.
    sharp: Vec<usize>,
    /// One per event.
    indicators: Vec<Indicator>,
    length: f64,
    n_rows: usize,
    /// Rows that constrain only velocities.
    velocity_rows: Vec<usize>,
    n_memory: usize,
    structure: Structure,
    division: OnceLock<Division>,
    row_weights: Option<Vec<f64>>,
    /// Share of each group of constraints in the redundancy.
    shares: Vec<f64>,
}

/// Systems with more rows than this and closed loops are regularised without counting their redundant rows.
const COUNT_UP_TO: usize = 1500;

impl Multibody {
    /// The system as bodies and joints in absolute coordinates, if it is one. Such systems can be simulated
    /// in the lanes of the vector unit.
    pub fn of(system: &dyn System) -> Option<&Multibody> {
        system.as_any()?.downcast_ref()
    }

    /// An empty system.
    pub fn new(kind: Group, gravity: Vector3<f64>, length: f64) -> Self {
        Multibody {
            group: Product::new([]),
            physics: Physics {
                bodies: Bodies { group: kind, list: Vec::new(), nodes: Vec::new(), gravity },
                joints: Vec::new(),
                forces: Vec::new(),
                shared: SharedParts::default(),
                gears: Vec::new(),
                controls: Vec::new(),
                modal: Vec::new(),
                watched: Vec::new(),
            },
            expressed: expressed::Named::default(),
            sensors: Vec::new(),
            groups: Vec::new(),
            formulas: Vec::new(),
            events: Vec::new(),
            sharp: Vec::new(),
            indicators: Vec::new(),
            length,
            n_rows: 0,
            velocity_rows: Vec::new(),
            n_memory: 0,
            structure: Structure::default(),
            division: OnceLock::new(),
            row_weights: None,
            shares: Vec::new(),
        }
    }

    /// The functions of the events, with the sensor values that `read` returns.
    pub fn event_values_of(&self, t: f64, read: impl Fn(&Quantity, &mut [f64]), out: &mut [f64]) {
        let mut arguments = [0.0; MAX_ARGUMENTS];
        arguments[0] = t;
        for (indicator, out) in self.indicators.iter().zip(out) {
            for (x, (sensor, component)) in arguments[1..].iter_mut().zip(&indicator.arguments) {
                let quantity = &self.sensors[*sensor].quantity;
                let mut values = [0.0; 3];
                read(quantity, &mut values[..quantity.len()]);
                *x = values[*component];
            }
            *out = (indicator.function)(&arguments[..1 + indicator.arguments.len()]);
        }
    }

    /// True if a force acts.
    pub fn is_force_on(&self, index: usize, memory: &[f64]) -> bool {
        self.physics.forces[index].switch.is_on(memory)
    }

    /// Finds redundant rows at the configuration q and regularises them from now on. Rows that are turned off
    /// are regularised too: with B = 0 their equation is lambda = 0.
    pub fn detect_redundancy(&mut self, q: &[f64]) {
        let factors = self.group.factors().len();
        let switched = self.physics.joints.iter().any(Joint::is_switched);
        if self.n_rows == 0 || (redundancy::is_forest(&self.structure, factors) && !switched) {
            return;
        }
        let mut state = State {
            q: q.to_vec(),
            v: vec![0.0; self.group.dim()],
            vdot: vec![0.0; self.group.dim()],
            lambda: vec![0.0; self.n_rows],
            memory: vec![0.0; self.n_memory],
            ..State::default()
        };
        let switches = self.physics.joints.iter().flat_map(|j| &j.switches).flat_map(|s| [s.joint, s.drive]);
        switches.filter_map(|s| s.memory).for_each(|i| state.memory[i] = ON);
        state.remember(self);
        let mut tangents = Tangents::of(self);
        tangents.evaluate(self, &state.at(), Want::SADDLE);
        let weights = redundancy::weights(&tangents, &self.group, &self.structure);
        if self.n_rows > COUNT_UP_TO {
            // In large nets of loops, redundant rows are regularised without counting them.
            if !switched && redundancy::is_regular(self, &tangents, &weights) {
                return;
            }
        } else {
            let moving = self.physics.bodies.list.len() + self.physics.modal.len();
            let m = mobility(self, &state, &self.structure.constraints, moving);
            if m.is_regular() && !switched {
                return;
            }
            self.shares =
                m.shares.iter().zip(&m.nearly_shares).map(|(share, near)| share.max(*near)).collect();
        }
        self.row_weights = Some(weights);
    }

    /// True if a rigid model determines the reactions of this joint; constraints are numbered after the
    /// joints.
    pub fn is_unique(&self, joint: usize) -> bool {
        let constraint = |i: usize| self.expressed.constraints.get(i).map_or(0..0, |c| c.row..c.row + 1);
        match self.physics.joints.get(joint) {
            Some(joint) => self.are_unique(joint.range.clone()),
            None => self.are_unique(constraint(joint - self.physics.joints.len())),
        }
    }

    /// The joint that has this row. Joints have their rows in the order of the list.
    fn joint_of_row(&self, row: usize) -> Option<&Joint> {
        let joints = &self.physics.joints;
        let at = joints.partition_point(|j| j.range.end <= row);
        joints.get(at).filter(|j| j.range.contains(&row))
    }

    /// True if a rigid model determines the multipliers of these rows.
    fn are_unique(&self, range: std::ops::Range<usize>) -> bool {
        if self.row_weights.is_none() {
            return true;
        }
        let groups = &self.structure.constraints;
        let [first, end] = [range.start, range.end].map(|row| groups.partition_point(|g| g.rows.start < row));
        let own = self.shares.get(first..end).unwrap_or_default();
        !own.is_empty() && own.iter().all(|s| *s <= UNIQUE)
    }

    /// The equations, for other kinds of numbers.
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// Group of every rigid body.
    pub fn kind(&self) -> Group {
        self.physics.bodies.group
    }

    /// The moving bodies.
    pub fn body_list(&self) -> &[Body] {
        &self.physics.bodies.list
    }

    /// The moving bodies, in the form that joints and forces use.
    pub fn bodies_in_pairs(&self) -> &Bodies {
        &self.physics.bodies
    }

    /// The joints.
    pub fn joint_list(&self) -> &[Joint] {
        &self.physics.joints
    }

    /// The forces, without gravity.
    pub fn force_list(&self) -> impl ExactSizeIterator<Item = &Force> {
        self.physics.forces.iter().map(|f| &f.force)
    }

    /// A force by its index.
    pub fn force(&self, index: usize) -> &Force {
        &self.physics.forces[index].force
    }

    /// The controls.
    pub fn control_list(&self) -> &[Control] {
        &self.physics.controls
    }

    /// The groups whose total force a sensor gives.
    pub fn reaction_groups(&self) -> &[ReactionGroup] {
        &self.groups
    }

    /// The formulas of other sensors.
    pub fn formulas(&self) -> &[SensorFormula] {
        &self.formulas
    }

    /// The sensors.
    pub fn sensor_list(&self) -> &[Sensor] {
        &self.sensors
    }

    /// Gravitational acceleration.
    pub fn gravity(&self) -> Vector3<f64> {
        self.physics.bodies.gravity
    }
}

impl System for Multibody {
    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.n_rows
    }

    fn n_s(&self) -> usize {
        self.expressed.algebraic.len()
    }

    fn algebraic(&self, at: &At, out: &mut [f64]) {
        self.physics.parts().for_each(|part| part.algebraic(&self.physics.bodies, at, out));
    }

    fn guess_algebraic(&self, s: &mut [f64]) {
        s.copy_from_slice(&self.expressed.guesses);
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.equations(at, Equations { r: Some(r), ..Equations::default() });
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.equations(at, Equations { phi: Some(phi), ..Equations::default() });
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.equations(at, Equations { velocity: Some(out), ..Equations::default() });
    }

    fn velocity_rows(&self) -> &[usize] {
        &self.velocity_rows
    }

    fn row_kind(&self, row: usize, memory: &[f64]) -> RowKind {
        match self.joint_of_row(row) {
            Some(joint) if !joint.holds_row(row, memory) => RowKind::Off,
            _ if self.velocity_rows.binary_search(&row).is_ok() => RowKind::Velocity,
            _ => RowKind::Position,
        }
    }

    fn equations(&self, at: &At, mut out: Equations) {
        if let Some(r) = &mut out.r {
            r.fill(0.0);
        }
        let division = self.division();
        match &division.half {
            Some(half) => self.equations_in_halves(half, at, &mut out),
            None => {
                for part in 0..division.len() {
                    self.physics.equations_of(division.elements(part), at, (0, 0), &mut out);
                }
            }
        }
        self.physics.add_parts(at, &mut out);
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.physics.acceleration_constraint(at, out);
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let division = self.division();
        for part in 0..division.len() {
            self.physics.tangents_of(division.elements(part), at, out);
        }
        self.physics.add_part_tangents(at, out);
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let [kinetic, potential] = self.physics.energy(at);
        Some(Energy { kinetic, potential })
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        let [linear, angular] = self.physics.momenta(at);
        Some(Momenta::new(linear, angular, &self.physics.bodies.gravity))
    }

    /// Drives do the work lambda . Phi_t.
    fn power(&self, at: &At) -> Option<f64> {
        // A force that is off does no work yet, but may later.
        let bodies = &self.physics.bodies;
        let on = |switch: &Switch| f64::from(u8::from(switch.is_on(at.memory)));
        let forces = self.physics.forces.iter();
        let forces = forces.filter_map(|f| f.force.power(bodies, at).map(|p| p * on(&f.switch)));
        let parts = self.physics.parts().filter_map(|part| part.power(bodies, at));
        let drives = self.physics.joints.iter().filter(|joint| joint.is_driven()).map(|joint| {
            let pair = joint.pair(&self.physics.bodies, at.q);
            let rest = PairMotion { a: Motion::rest(), b: Motion::rest() };
            let mut power = 0.0;
            joint.each_rows(at, |rows, first, when| {
                if let JointRows::Drive(drive) = rows {
                    power += at.lambda[first] * drive.velocity(when, &pair, &rest);
                }
            });
            power
        });
        forces.chain(parts).chain(drives).fold(None, |sum, p| Some(sum.unwrap_or(0.0) + p))
    }

    fn see_limits(&self, at: &At, seen: &mut Vec<f64>) {
        if self.has_limits() {
            seen.resize(SEEN * self.physics.modal.len(), 0.0);
            for (modal, part) in self.physics.modal.iter().zip(seen.chunks_mut(SEEN)) {
                let (group, gravity) = (self.physics.bodies.group, &self.physics.bodies.gravity);
                modal.see_limits(group, gravity, at, part, &|| mass_is_positive(self, at));
            }
        }
    }

    fn neglected(&self, seen: &[f64]) -> Vec<String> {
        let bodies = self.physics.modal.iter().zip(seen.chunks(SEEN));
        bodies.filter_map(|(modal, part)| words(&modal.name, part)).collect()
    }

    fn exceeded(&self, seen: &[f64]) -> Option<String> {
        let bodies = self.physics.modal.iter().zip(seen.chunks(SEEN));
        bodies.filter_map(|(modal, part)| too_deformed(&modal.name, part)).next()
    }

    fn power_reads_forces(&self) -> bool {
        self.physics.joints.iter().any(Joint::is_driven)
            || self.expressed.constraints.iter().any(|c| c.is_driven())
            || self.force_list().any(|f| f.reads_forces())
    }

    fn n_memory(&self) -> usize {
        self.n_memory
    }

    fn remember(&self, at: &At, memory: &mut [f64]) {
        let bodies = &self.physics.bodies;
        self.physics.watched.iter().for_each(|angle| angle.remember(bodies, at, memory));
        self.sharp_stops().for_each(|(c, law)| law.decide(|| c.read(bodies, at), memory));
    }

    fn switch(&self, at: &At, list: &[(usize, f64)], memory: &mut [f64]) {
        for &(entry, value) in list {
            let switched = self.physics.joints.iter().filter_map(|j| Some((j, j.switches.as_deref()?)));
            let driven = switched.into_iter().find(|(_, s)| s.drive.memory == Some(entry));
            if let Some((joint, s)) = driven.filter(|(_, s)| value > 0.0 && !s.drive.is_on(at.memory)) {
                let x = joint.coordinate().map(|c| c.position(&self.physics.bodies, at));
                if let (Some(x), Some(shift), Some(JointRows::Drive(drive))) =
                    (x, s.drive_shift, joint.rows.last())
                {
                    memory[shift] = x - drive.function.motion(at.t)[0];
                }
            }
            memory[entry] = value;
        }
    }

    fn events(&self) -> &[Event] {
        &self.events
    }

    fn event_moments(
        &self,
        event: usize,
        from: f64,
        to: f64,
    ) -> Result<Option<Vec<(f64, bool)>>, crate::Error> {
        let Some(moments) = self.indicators.get(event).and_then(|i| i.moments.as_ref()) else {
            return Ok(None);
        };
        match moments(from, to) {
            Some(list) => Ok(Some(list)),
            None => Err(crate::Error::Countless { event: self.events[event].name.clone(), from, to }),
        }
    }

    fn event_values(&self, at: &At, out: &mut [f64]) {
        self.event_values_of(at.t, |quantity, values| quantity.read(self, at, values), out);
    }

    fn constraint_name(&self, row: usize) -> String {
        if let Some(gear) = self.physics.gears.iter().find(|g| g.row == row) {
            return format!("gear {}", gear.name);
        }
        if let Some(constraint) = self.expressed.constraints.iter().find(|c| c.row == row) {
            return format!("constraint {}", constraint.name);
        }
        match self.joint_of_row(row) {
            Some(j) => {
                let drives = j.rows.iter().filter(|rows| matches!(rows, JointRows::Drive(_))).count();
                let what = if row + drives >= j.range.end { ", its drive" } else { "" };
                format!("joint {}, row {} of {}{what}", j.name, row - j.range.start + 1, j.range.len())
            }
            None => format!("constraint {}", row + 1),
        }
    }

    fn velocity_name(&self, index: usize) -> String {
        let states = |c: &&Control| (c.state..c.state + c.controller.n_states()).contains(&index);
        if let Some(control) = self.physics.controls.iter().find(states) {
            return format!("state {} of control {}", index - control.state + 1, control.name);
        }
        if let Some(state) = self.expressed.states.iter().find(|s| s.state == index) {
            return format!("state {}", state.name);
        }
        match self.physics.bodies.list.iter().find(|b| (b.v..b.v + b.dim()).contains(&index)) {
            Some(b) => {
                let i = index - b.v;
                let kind = if b.dim() == 6 && i < 3 { "rotation" } else { "translation" };
                format!("{kind} of body {}, {} axis", b.name, ["x", "y", "z"][i % 3])
            }
            None => {
                let own = |m: &&ModalBody| (m.modal[1]..m.modal[1] + m.n()).contains(&index);
                match self.physics.modal.iter().find(own) {
                    Some(m) => format!("mode {} of body {}", index - m.modal[1] + 1, m.name),
                    None => format!("velocity coordinate {}", index + 1),
                }
            }
        }
    }

    fn length_scale(&self) -> f64 {
        self.length
    }

    fn acceleration_scale(&self) -> Option<f64> {
        Some(self.physics.bodies.gravity.norm())
    }

    fn drives(&self) -> Vec<&Function> {
        let rows = self.physics.joints.iter().flat_map(|j| &j.rows);
        let motions = rows.filter_map(|rows| match rows {
            JointRows::Drive(drive) => Some(&drive.function),
            _ => None,
        });
        let forces = self.force_list().flat_map(|f| f.drives());
        motions.chain(forces).chain(self.physics.parts().flat_map(|part| part.drives())).collect()
    }

    fn structure(&self) -> Option<&Structure> {
        Some(&self.structure)
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.row_weights.as_deref()
    }
}
