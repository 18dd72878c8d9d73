//! Rigid bodies and point masses with joints, forces and controls, in absolute coordinates R^3xSO(3) or
//! SE(3). The equations of motion are the sum over all these parts.

mod evaluate;
mod expressed;
mod troubles;

use std::sync::OnceLock;

use nalgebra::Vector3;
use precess_lie::{Factor, Product};

use super::body::Body;
use super::controls::Control;
use super::coordinate::{Coordinate, MEMORY};
use super::division::Division;
use super::event::{Event, Indicator, MAX_ARGUMENTS, ON, Switch};
use super::expressed::Couplings;
use super::forces::{Element, Force};
use super::function::Function;
use super::joint::Joint;
use super::joints::{Gear, JointRows};
use super::kernels::{Group, Motion, PairMotion};
use super::links::Bodies;
use super::mechanism::{BodyState, Mechanism, Reaction};
use super::mobility::{UNIQUE, mobility};
use super::modal::ModalBody;
use super::node::Node;
use super::physics::Physics;
use super::sensors::{Quantity, Sensor};
use super::system::{At, Energy, Equations, Momenta, RowKind, State, System};
use super::tangents::{Tangents, Want};
use crate::mechanics::redundancy;
use crate::solve::structure::{Part, RowGroup, Structure};

/// Bodies, joints, gears, forces, controls and sensors in absolute coordinates.
#[derive(Clone, Debug)]
pub struct Multibody {
    group: Product,
    physics: Physics,
    /// What is given as expressions, by name.
    expressed: expressed::Named,
    sensors: Vec<Sensor>,
    events: Vec<Event>,
    /// Places of the stops that events turn on and off.
    sharp: Vec<usize>,
    /// One per event.
    indicators: Vec<Indicator>,
    length: f64,
    n_rows: usize,
    /// Rows of velocity.
    velocity_rows: Vec<usize>,
    n_memory: usize,
    structure: Structure,
    division: OnceLock<Division>,
    row_weights: Option<Vec<f64>>,
    /// How far each group of constraints takes part in the redundancy.
    shares: Vec<f64>,
}

/// Systems with more rows than this and closed loops are regularised without counting their redundant rows.
const COUNT_UP_TO: usize = 1500;

impl Multibody {
    /// An empty system.
    pub fn new(kind: Group, gravity: Vector3<f64>, length: f64) -> Self {
        Multibody {
            group: Product::new([]),
            physics: Physics {
                bodies: Bodies { group: kind, list: Vec::new(), nodes: Vec::new() },
                modal: Vec::new(),
                joints: Vec::new(),
                watched: Vec::new(),
                gears: Vec::new(),
                forces: Vec::new(),
                switches: Vec::new(),
                controls: Vec::new(),
                couplings: Couplings::default(),
                gravity,
            },
            expressed: expressed::Named::default(),
            sensors: Vec::new(),
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

    /// Adds bodies and assigns their positions in the state. Call it before adding joints, forces and
    /// controls.
    pub fn with_bodies(mut self, bodies: impl IntoIterator<Item = Body>) -> Self {
        self.physics.bodies.list.extend(bodies);
        self.division.take();
        self.arrange();
        self
    }

    /// The configuration space: one factor per body, then one for the modes of each modal body, one per state
    /// given as an expression and one for the states of each control.
    fn arrange(&mut self) {
        let kind = self.physics.bodies.group;
        let physics = &mut self.physics;
        let modes = physics.modal.iter().map(|m| Factor::Rn(m.n()));
        let own = std::iter::repeat_n(Factor::Rn(1), self.expressed.n_states);
        let states = physics.controls.iter().map(|c| Factor::Rn(c.controller.n_states()));
        let list = physics.bodies.list.iter().map(|b| b.factor(kind));
        self.group = Product::new(list.chain(modes).chain(own).chain(states));
        let bodies = self.physics.bodies.list.len();
        for (i, body) in self.physics.bodies.list.iter_mut().enumerate() {
            body.q = self.group.q_range(i).start;
            body.v = self.group.v_range(i).start;
        }
        let first_control = self.first_state_factor() + self.expressed.n_states;
        for (i, modal) in self.physics.modal.iter_mut().enumerate() {
            let (q, v) = (self.group.q_range(bodies + i).start, self.group.v_range(bodies + i).start);
            let frame = &self.physics.bodies.list[modal.frame];
            (modal.at, modal.modal) = ([frame.q, frame.v], [q, v]);
            for node in self.physics.bodies.nodes.iter_mut().filter(|n| n.frame == modal.frame) {
                (node.at, node.modal, node.factor) = (modal.at, modal.modal, bodies + i);
            }
        }
        for (i, control) in self.physics.controls.iter_mut().enumerate() {
            control.state = self.group.v_range(first_control + i).start;
        }
    }

    /// Makes a body the frame of a modal body, with the nodes that joints and forces attach to. Call it after
    /// adding bodies and before joints, forces and controls. The body has no mass of its own.
    pub fn add_modal(&mut self, modal: ModalBody, nodes: impl IntoIterator<Item = Node>) {
        let factor = self.physics.bodies.list.len() + self.physics.modal.len();
        self.couple(vec![modal.frame, factor]);
        self.physics.bodies.nodes.extend(nodes);
        self.physics.modal.push(modal);
        self.division.take();
        self.arrange();
    }

    /// Reserves memory for n more joints.
    pub fn reserve_joints(&mut self, n: usize) {
        self.physics.joints.reserve_exact(n);
        self.structure.constraints.reserve_exact(n);
        self.structure.classes.reserve_exact(n);
    }

    /// Adds a joint. Its rows follow the rows of earlier joints and gears.
    pub fn add_joint(&mut self, mut joint: Joint) {
        joint.range = self.n_rows..self.n_rows + joint.range.len();
        self.n_rows = joint.range.end;
        let factors = self.physics.bodies.factors(joint.link);
        if joint.is_curved() || self.physics.bodies.has_node(joint.link) {
            for (x, &i) in factors.iter().enumerate() {
                self.structure.curved.extend(factors[x + 1..].iter().map(|&j| (i, j)));
            }
        }
        self.structure.constraints.push(RowGroup { rows: joint.range.clone(), factors });
        let (mut last, mut first) = (None, joint.range.start);
        for rows in &joint.rows {
            let end = first + rows.len();
            if rows.row_kind() == RowKind::Velocity {
                self.velocity_rows.extend(first..end);
            }
            match self.structure.classes.last_mut() {
                Some(class) if last == Some(rows.is_rotation()) => class.end = end,
                _ => self.structure.classes.push(first..end),
            }
            (last, first) = (Some(rows.is_rotation()), end);
        }
        self.physics.joints.push(joint);
        self.division.take();
    }

    /// Makes the memory count the turns of a joint, if it has an angle. Call it before its
    /// [`coordinate`](Joint::coordinate) is used.
    pub fn watch(&mut self, index: usize) -> &Joint {
        let joint = &mut self.physics.joints[index];
        if joint.memory.is_none() && joint.kind.has_angle() {
            joint.memory = Some(self.n_memory);
            self.n_memory += MEMORY;
            self.physics.watched.extend(joint.angle());
        }
        joint
    }

    /// Makes the memory count the turns of an angle that belongs to no joint.
    pub fn count_turns(&mut self, angle: Coordinate) -> Coordinate {
        let angle = Coordinate { memory: Some(self.n_memory), ..angle };
        self.n_memory += MEMORY;
        self.physics.watched.push(angle);
        angle
    }

    /// Lets a switch turn a joint on and off.
    pub fn switch_joint(&mut self, index: usize, switch: Switch) {
        self.physics.joints[index].switches_mut().joint = switch;
    }

    /// Lets a switch turn the drive of a joint on and off.
    pub fn switch_drive(&mut self, index: usize, switch: Switch) {
        self.watch(index);
        let shift = switch.memory.is_some().then(|| self.add_switch());
        let switches = self.physics.joints[index].switches_mut();
        (switches.drive, switches.drive_shift) = (switch, shift);
    }

    /// Adds a gear between coordinates of existing joints.
    pub fn add_gear(&mut self, mut gear: Gear) {
        gear.row = self.n_rows;
        self.n_rows += 1;
        let rows = gear.row..gear.row + 1;
        let bodies = &self.physics.bodies;
        let mut factors: Vec<usize> = gear.coordinates.iter().flat_map(|c| bodies.factors(c.link)).collect();
        factors.sort_unstable();
        factors.dedup();
        for (x, &i) in factors.iter().enumerate() {
            self.structure.curved.extend(factors[x + 1..].iter().map(|&j| (i, j)));
        }
        self.structure.constraints.push(RowGroup { rows: rows.clone(), factors });
        self.structure.classes.push(rows);
        self.physics.gears.push(gear);
        self.division.take();
    }

    /// Adds a force.
    pub fn add_force(&mut self, force: Force) {
        self.add_switched_force(force, Switch::default());
    }

    /// Adds a force that acts while its switch is on.
    pub fn add_switched_force(&mut self, mut force: Force, mut switch: Switch) {
        if let (Force::Limit(limit), Some(i)) = (&mut force, switch.memory)
            && limit.stops.width == 0.0
        {
            // Its place and rate say whether it acts.
            (limit.memory, switch.enabled) = (Some(i), true);
            self.sharp.push(self.physics.forces.len());
        }
        let moving = force.link().moving().chain(force.reads());
        self.couple(self.physics.bodies.factors_of(moving));
        self.physics.forces.push(force);
        self.division.take();
        self.physics.switches.push(switch);
    }

    /// Reserves an entry of the memory for a switch.
    pub fn add_switch(&mut self) -> usize {
        self.n_memory += 1;
        self.n_memory - 1
    }

    /// Adds an event, whose function uses existing sensors.
    pub fn add_event(&mut self, event: Event, indicator: Indicator) {
        self.events.push(event);
        self.indicators.push(indicator);
    }

    /// The functions of the events, with the sensor values that `read` returns.
    pub(crate) fn event_values_of(&self, t: f64, read: impl Fn(&Quantity, &mut [f64]), out: &mut [f64]) {
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

    /// Whether a force acts.
    pub fn is_force_on(&self, index: usize, memory: &[f64]) -> bool {
        self.physics.switches[index].is_on(memory)
    }

    /// Adds a control. Its states follow the bodies and earlier controls.
    pub fn add_control(&mut self, control: Control) {
        let own = self.first_state_factor() + self.expressed.n_states + self.physics.controls.len();
        let physics = &self.physics;
        let links = [control.measured.link, control.driven.link];
        self.couple(links.iter().flat_map(|l| physics.bodies.factors(*l)).chain([own]).collect());
        self.physics.controls.push(control);
        self.division.take();
        self.arrange();
    }

    /// Records that all these factors are coupled.
    fn couple(&mut self, factors: Vec<usize>) {
        for (x, &i) in factors.iter().enumerate() {
            for &j in &factors[..x] {
                if i != j {
                    self.structure.couplings.push((i.min(j), i.max(j)));
                }
            }
        }
    }

    /// Adds a sensor.
    pub fn add_sensor(&mut self, sensor: Sensor) {
        self.sensors.push(sensor);
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
            // Redundant rows of large nets of loops are regularised without counting.
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

    /// True if a rigid model determines the reactions of this joint; constraints are counted behind the
    /// joints.
    #[doc(hidden)]
    pub fn is_unique(&self, joint: usize) -> bool {
        let constraint = |i: usize| self.expressed.constraints.get(i).map_or(0..0, |c| c.row..c.row + 1);
        match self.physics.joints.get(joint) {
            Some(joint) => self.are_unique(joint.range.clone()),
            None => self.are_unique(constraint(joint - self.physics.joints.len())),
        }
    }

    /// True if a rigid model determines the multipliers of these rows.
    fn are_unique(&self, range: std::ops::Range<usize>) -> bool {
        let shares = self.structure.constraints.iter().zip(&self.shares);
        let mut own = shares.filter(|(c, _)| range.contains(&c.rows.start)).map(|(_, s)| *s).peekable();
        self.row_weights.is_none() || (own.peek().is_some() && own.all(|s| s <= UNIQUE))
    }

    /// The equations, for numbers of other kinds.
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

    /// The gears.
    pub fn gear_list(&self) -> &[Gear] {
        &self.physics.gears
    }

    /// The forces, without gravity.
    pub fn force_list(&self) -> &[Force] {
        &self.physics.forces
    }

    /// The controls.
    pub fn control_list(&self) -> &[Control] {
        &self.physics.controls
    }

    /// The sensors.
    pub fn sensor_list(&self) -> &[Sensor] {
        &self.sensors
    }

    /// Gravitational acceleration.
    pub fn gravity(&self) -> Vector3<f64> {
        self.physics.gravity
    }

    /// Force and torque of one joint on its second body, with the multipliers as they are. The force on the
    /// system is
    /// -B^T lambda.
    pub fn reaction(&self, index: usize, at: &At) -> Reaction {
        let joint = &self.physics.joints[index];
        let pair = joint.pair(&self.physics.bodies, at.q);
        let row = joint.bt_lambda(&pair, at) * -1.0;
        let (force, moment) = row.b.inertial(self.physics.bodies.group, &pair.b);
        let arm = pair.b.r * joint.marker_b.p;
        Reaction {
            name: joint.name.clone(),
            force,
            torque: moment - arm.cross(&force),
            multipliers: at.lambda[joint.range.clone()].to_vec(),
            unique: self.is_unique(index),
        }
    }
}

impl System for Multibody {
    fn as_multibody(&self) -> Option<&Multibody> {
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
        self.physics.couplings.iter().for_each(|c| c.algebraic(&self.physics.bodies, at, out));
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
        let joint = self.physics.joints.iter().find(|j| j.range.contains(&row));
        match joint {
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
        self.physics.couplings(at, &mut out);
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.physics.acceleration_constraint(at, out);
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let division = self.division();
        for part in 0..division.len() {
            self.physics.tangents_of(division.elements(part), at, out);
        }
        self.physics.coupling_tangents(at, out);
    }

    fn parts(&self) -> &[Part] {
        &self.division().parts
    }

    fn tangents_of(&self, part: usize, at: &At, out: &mut Tangents) {
        self.physics.tangents_of(self.division().elements(part), at, out);
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let [kinetic, potential] = self.physics.energy(at);
        Some(Energy { kinetic, potential })
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        let [linear, angular] = self.physics.momenta(at);
        Some(Momenta::new(linear, angular, &self.physics.gravity))
    }

    /// Drives do the work lambda . Phi_t.
    fn power(&self, at: &At) -> Option<f64> {
        // A force that is off does no work yet, but may later.
        let on = |switch: &Switch| f64::from(u8::from(switch.is_on(at.memory)));
        let forces = self.physics.forces.iter().zip(&self.physics.switches);
        let forces =
            forces.filter_map(|(f, switch)| f.power(&self.physics.bodies, at).map(|p| p * on(switch)));
        let controls = self.physics.controls.iter().map(|c| c.power(&self.physics.bodies, at));
        let modal = self.physics.modal.iter().filter_map(|m| m.power(at));
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
        forces.chain(controls).chain(modal).chain(drives).fold(None, |sum, p| Some(sum.unwrap_or(0.0) + p))
    }

    fn power_reads_forces(&self) -> bool {
        self.physics.joints.iter().any(Joint::is_driven)
            || self.physics.forces.iter().any(|f| f.reads_forces())
    }

    fn n_memory(&self) -> usize {
        self.n_memory
    }

    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.physics.watched.iter().for_each(|angle| angle.remember(&self.physics.bodies, at, memory));
        self.sharp_stops().for_each(|limit| limit.decide(&self.physics.bodies, at, memory));
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
        match self.physics.joints.iter().find(|j| j.range.contains(&row)) {
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
        Some(self.physics.gravity.norm())
    }

    fn drives(&self) -> Vec<&Function> {
        let rows = self.physics.joints.iter().flat_map(|j| &j.rows);
        let motions = rows.filter_map(|rows| match rows {
            JointRows::Drive(drive) => Some(&drive.function),
            _ => None,
        });
        let forces = self.physics.forces.iter().flat_map(|f| f.drives());
        motions.chain(forces).chain(self.physics.controls.iter().map(|c| c.controller.drive())).collect()
    }

    fn structure(&self) -> Option<&Structure> {
        Some(&self.structure)
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.row_weights.as_deref()
    }
}

impl Mechanism for Multibody {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.physics
            .bodies
            .list
            .iter()
            .map(|b| BodyState {
                name: b.name.clone(),
                position: b.pose(at.q).x,
                rotation: match b.dim() {
                    6 => std::array::from_fn(|i| at.q[b.q + i]),
                    _ => [1.0, 0.0, 0.0, 0.0],
                },
                velocity: b.velocity(self.physics.bodies.group, at),
                angular_velocity: b.motion(at.v).omega,
            })
            .collect()
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        let lambda = redundancy::filtered_multipliers(self, at);
        let at = &At { lambda: &lambda, ..*at };
        let joints = (0..self.physics.joints.len()).map(|i| self.reaction(i, at));
        joints.chain(self.constraint_reactions(at)).collect()
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        self.read_sensors(at)
    }

    fn sensor_units(&self) -> Vec<&'static str> {
        self.sensors.iter().map(|s| s.quantity.unit()).collect()
    }

    fn troubles(&self, at: &At) -> Vec<String> {
        self.list_troubles(at)
    }
}
