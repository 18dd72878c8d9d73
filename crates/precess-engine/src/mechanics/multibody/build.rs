//! Building a [`Multibody`]: bodies first, then joints, forces and the rest.

use precess_lie::{Factor, Product};

use super::Multibody;
use crate::mechanics::body::Body;
use crate::mechanics::controls::Control;
use crate::mechanics::coordinate::{Coordinate, MEMORY};
use crate::mechanics::event::{Event, Indicator, Switch};
use crate::mechanics::forces::{Along, Force, LawKind};
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::Gear;
use crate::mechanics::modal::ModalBody;
use crate::mechanics::node::Node;
use crate::mechanics::physics::Acting;
use crate::mechanics::quantity::Sensor;
use crate::mechanics::reaction_group::ReactionGroup;
use crate::mechanics::sensor_formula::SensorFormula;
use crate::mechanics::system::RowKind;
use crate::solve::structure::RowGroup;

impl Multibody {
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
    pub(super) fn arrange(&mut self) {
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

    /// True if a modal body has geometric stiffening, which is for small deformations, or lacks that of a
    /// load.
    pub fn has_limits(&self) -> bool {
        self.physics.modal.iter().any(ModalBody::has_limits)
    }

    /// True if bodies deform in modes.
    pub fn has_modes(&self) -> bool {
        !self.physics.modal.is_empty()
    }

    /// Makes a body the frame of a modal body, with the nodes to which joints and forces attach. Call it
    /// after adding bodies and before joints, forces and controls. The body must have no mass.
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
        if !joint.rows.is_empty() {
            self.structure.constraints.push(RowGroup { rows: joint.range.clone(), factors });
        }
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
        if let (Force::Along(Along { law: LawKind::Stops(law), .. }), Some(i)) = (&mut force, switch.memory)
            && law.stops.width == 0.0
        {
            // Its coordinate and rate determine whether it acts.
            (law.memory, switch.enabled) = (Some(i), true);
            self.sharp.push(self.physics.forces.len());
        }
        let moving = force.link().moving().chain(force.reads());
        self.couple(self.physics.bodies.factors_of(moving));
        self.physics.forces.push(Acting { force, switch });
        self.division.take();
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
    pub(super) fn couple(&mut self, factors: Vec<usize>) {
        for (x, &i) in factors.iter().enumerate() {
            for &j in &factors[..x] {
                if i != j {
                    self.structure.couplings.push((i.min(j), i.max(j)));
                }
            }
        }
    }

    /// Adds a group of joints and forces for sensors of their total.
    pub fn add_reaction_group(&mut self, group: ReactionGroup) -> usize {
        self.groups.push(group);
        self.groups.len() - 1
    }

    /// Adds a formula of existing sensors.
    pub fn add_formula(&mut self, formula: SensorFormula) -> usize {
        self.formulas.push(formula);
        self.formulas.len() - 1
    }

    /// Adds a sensor.
    pub fn add_sensor(&mut self, sensor: Sensor) {
        self.sensors.push(sensor);
    }
}
