//! Any rigid multibody model in directors, with constant mass and at most quadratic constraints. So
//! variational integrators and energy-momentum schemes can integrate it (Betsch and Steinmann; sections 6.2
//! and 4 of the paper of [`steps`](crate::steps)).
//!
//! A rigid body has twelve coordinates and six internal constraints ([`bodies`]), a point mass three
//! coordinates. All joints are linear or scalar quadratic ([`joints`]). Springs, gravity and dead forces have
//! potentials. Dampers and forces that depend on time act at the midpoint, and the energy changes by their
//! work ([`forces`]). Springs, dampers and actuators of joint coordinates and bushings are functions of
//! products of directors ([`measures`]). Drives are rows that depend on time ([`drives`]), for methods that
//! allow such rows. Gears, controls and Coulomb friction are refused.
//!
//! **Bodies without extent.** E_i = 0 makes M singular. A director to which nothing is attached is left out.
//! A director held by a point off the plane or line of the body (the papers' heavy top: E_2 = 0, tip at -e_2)
//! gets its inertia from the constraint, M + alpha G^T G with constant G, which changes nothing on the
//! constraints. If only quadratic constraints hold it (a thin rod on a hinge), M stays singular: the
//! equations of EM and EM-G contain no M^-1 and are regular as long as M is positive definite on the motions
//! that the constraints allow. All three are exact.
//!
//! **Redundant rows** of loops are left out, so the reactions of the joints they depend on are not complete.

pub mod bodies;
pub mod drives;
pub mod forces;
pub mod joints;
pub mod measures;
mod view;

pub use bodies::DirectorBody;
pub use drives::DirectorDrive;

use nalgebra::{UnitQuaternion, Vector3};
use precess_lie::Product;
use std::any::Any;

use crate::Conservative;
use bodies::three;
use precess_engine::mechanics::forces::{Along, Force, LawKind};
use precess_engine::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use precess_engine::mechanics::sensors::{Quantity, SensorFrame};
use precess_engine::mechanics::{
    At, Block, Energy, Event, Function, Momenta, Multibody, Sight, Structure, System, Tangents,
};
use precess_engine::solve::structure::RowGroup;
use view::View;

/// A joint and its rows.
#[derive(Clone, Debug)]
pub struct DirectorJoint {
    /// Name.
    pub name: String,
    /// First and second body; none for the ground.
    pub bodies: [Option<usize>; 2],
    /// Point of the second body, in its frame.
    pub point: Vector3<f64>,
    /// Rows of the joint in g; none for those left out as redundant.
    pub rows: Vec<Option<usize>>,
    /// Its drives.
    pub drives: Vec<usize>,
    /// True if its reactions do not depend on the choice of the rows left out.
    pub unique: bool,
}

/// A model in directors.
#[derive(Clone, Debug)]
pub struct Directors {
    /// The equations.
    pub system: Conservative,
    /// Bodies in the order of the model.
    pub bodies: Vec<DirectorBody>,
    /// Joints in the order of the model.
    pub joints: Vec<DirectorJoint>,
    /// Drives; their rows follow those of the system.
    pub drives: Vec<DirectorDrive>,
    /// The same model in absolute coordinates, for sensors.
    view: View,
    structure: Option<Structure>,
}

impl Directors {
    /// Equations of bodies and joints; `view` is the same model in R^3xSO(3), for sensors and joint angles.
    pub fn new(
        system: Conservative,
        bodies: Vec<DirectorBody>,
        joints: Vec<DirectorJoint>,
        drives: Vec<DirectorDrive>,
        view: Multibody,
    ) -> Self {
        let structure = system.massless.is_none().then(|| sparsity(&system, &drives));
        Directors { system, bodies, joints, drives, view: View::new(view), structure }
    }

    /// The drives with their rows.
    fn driven(&self) -> impl Iterator<Item = (usize, &DirectorDrive)> {
        (self.system.rows()..).zip(&self.drives)
    }

    /// True if some sensor counts the turns of a joint.
    fn counts_turns(&self) -> bool {
        let sensors = self.view.system.sensor_list().iter();
        sensors.map(|s| s.quantity).any(|x| matches!(x, Quantity::Coordinate(c) if c.is_angle()))
    }

    /// The value of a sensor: reactions, energies and momenta from the directors, everything else from the
    /// view.
    fn read(&self, quantity: &Quantity, at: &At, lie: &At) -> Vec<f64> {
        let body = |i: Option<usize>| i.map(|i| self.bodies[i].quaternion(at.q)).unwrap_or_default();
        let energy = || self.system.energy(at).unwrap_or_default();
        match *quantity {
            // There are no drives in this formulation.
            Quantity::ReactionForce(joint, frame)
            | Quantity::ReactionTorque(joint, frame)
            | Quantity::GuideForce(joint, frame)
            | Quantity::GuideTorque(joint, frame) => {
                let reaction = self.reaction(&self.joints[joint], at);
                let x = match quantity {
                    Quantity::ReactionForce(..) | Quantity::GuideForce(..) => reaction.force,
                    _ => reaction.torque,
                };
                let joint = &self.view.system.joint_list()[joint];
                let turn = match frame {
                    SensorFrame::Inertial => UnitQuaternion::identity(),
                    SensorFrame::First => body(joint.link.a),
                    SensorFrame::Second => body(joint.link.b),
                };
                (turn.inverse() * x).as_slice().to_vec()
            }
            Quantity::TotalForce(group) | Quantity::TotalTorque(group) => {
                let group = &self.view.system.reaction_groups()[group];
                let total =
                    group.total(self.view.system.physics(), lie, |i| self.reaction(&self.joints[i], at));
                total[usize::from(matches!(quantity, Quantity::TotalTorque(_)))].as_slice().to_vec()
            }
            Quantity::Formula(i) => vec![self.view.system.formulas()[i].value(at.t, &mut |k, out| {
                if let Some(sensor) = self.view.system.sensor_list().get(k) {
                    let values = self.read(&sensor.quantity, at, lie);
                    out.iter_mut().zip(values).for_each(|(out, x)| *out = x);
                }
            })],
            Quantity::KineticEnergy => vec![energy().kinetic],
            Quantity::PotentialEnergy => vec![energy().potential],
            Quantity::TotalEnergy => vec![energy().total()],
            _ => {
                let mut values = vec![0.0; quantity.len()];
                quantity.read(&self.view.system, lie, &mut values);
                values
            }
        }
    }

    fn reaction(&self, joint: &DirectorJoint, at: &At) -> Reaction {
        let mut f = vec![0.0; self.system.dim()];
        let mut multipliers: Vec<f64> = joint.rows.iter().map(|r| r.map_or(0.0, |r| at.lambda[r])).collect();
        for (row, l) in joint.rows.iter().zip(&multipliers) {
            if let Some(row) = row {
                self.system.constraints[*row].g.add_gradient(at.q, -l, &mut f);
            }
        }
        for &k in &joint.drives {
            let l = at.lambda[self.system.rows() + k];
            self.drives[k].add_gradient(at.t, at.q, -l, &mut f);
            multipliers.push(l);
        }
        let (force, torque) = match joint.bodies.map(|i| i.map(|i| &self.bodies[i])) {
            [_, Some(body)] => {
                let [sum, moment] = body.wrench(at.q, &f);
                let arm = body.direction(&joint.point).value(at.q);
                (sum, moment - arm.cross(&sum))
            }
            // The ground gets the opposite force of the first body, about the same point.
            [Some(body), None] => {
                let [sum, moment] = body.wrench(at.q, &f);
                let arm = joint.point - body.point(&Vector3::zeros()).value(at.q);
                (-sum, arm.cross(&sum) - moment)
            }
            [None, None] => (Vector3::zeros(), Vector3::zeros()),
        };
        Reaction { name: joint.name.clone(), force, torque, multipliers, unique: joint.unique }
    }
}

/// The structure of a system with drives.
fn sparsity(system: &Conservative, drives: &[DirectorDrive]) -> Structure {
    let mut structure = system.sparsity();
    for (row, drive) in (system.rows()..).zip(drives) {
        let factors = drive.bodies(system.bodies());
        if let [i, j] = factors[..] {
            structure.curved.push((i, j));
        }
        structure.constraints.push(RowGroup { rows: row..row + 1, factors });
    }
    structure
}

impl System for Directors {
    fn group(&self) -> &Product {
        self.system.group()
    }
    fn n_lambda(&self) -> usize {
        self.system.rows() + self.drives.len()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.system.residual(at, r);
        self.driven().for_each(|(row, drive)| drive.add_gradient(at.t, at.q, at.lambda[row], r));
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.system.constraint(at, phi);
        self.driven().for_each(|(row, drive)| phi[row] = drive.value(at.t, at.q));
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.velocity_constraint(at, out);
        self.driven().for_each(|(row, drive)| out[row] = drive.velocity(at.t, at.q, at.v));
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.acceleration_constraint(at, out);
        self.driven().for_each(|(row, drive)| out[row] = drive.acceleration(at));
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.system.tangents(at, out);
        let lambda = |row: usize| at.lambda.get(row).copied().unwrap_or_default();
        self.driven().for_each(|(row, drive)| drive.tangents(row, lambda(row), at, out));
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        self.system.energy(at)
    }
    fn momenta(&self, at: &At) -> Option<Momenta> {
        self.system.momenta(at)
    }
    /// Drives do the work lambda . g_t.
    fn power(&self, at: &At) -> Option<f64> {
        let drives = self.driven().map(|(row, drive)| at.lambda[row] * drive.by_time(at.t, at.q));
        self.system.power(at).into_iter().chain(drives).reduce(|a, b| a + b)
    }
    fn constraint_name(&self, row: usize) -> String {
        match self.drives.get(row.wrapping_sub(self.system.rows())) {
            Some(drive) => format!("the drive of joint {}", drive.joint),
            None => self.system.constraint_name(row),
        }
    }
    fn velocity_name(&self, index: usize) -> String {
        let body = self.bodies.iter().rev().find(|b| b.phi <= index);
        let Some(body) = body else { return format!("velocity coordinate {}", index + 1) };
        let axis = ["x", "y", "z"][(index - body.phi) % 3];
        match body.present().find(|(_, d)| (*d..d + 3).contains(&index)) {
            Some((i, _)) => format!("the {axis} velocity of director {} of {}", i + 1, body.name),
            None => format!("the {axis} velocity of {}", body.name),
        }
    }
    fn blocks(&self) -> Vec<Block> {
        self.system.blocks()
    }
    fn sight(&self, block: &Block, at: &At, sight: &mut Sight) {
        self.system.sight(block, at, sight);
    }
    fn length_scale(&self) -> f64 {
        self.system.length_scale()
    }
    fn acceleration_scale(&self) -> Option<f64> {
        self.system.acceleration_scale()
    }
    fn drives(&self) -> Vec<&Function> {
        self.view.system.drives()
    }
    fn structure(&self) -> Option<&Structure> {
        self.structure.as_ref()
    }
    fn n_memory(&self) -> usize {
        if self.counts_turns() { self.view.system.n_memory() } else { 0 }
    }
    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.view.with(&self.bodies, at, |lie| self.view.system.remember(lie, memory));
    }
    /// Events that record or stop.
    fn events(&self) -> &[Event] {
        self.view.system.events()
    }
    fn event_moments(
        &self,
        event: usize,
        from: f64,
        to: f64,
    ) -> Result<Option<Vec<(f64, bool)>>, precess_engine::Error> {
        self.view.system.event_moments(event, from, to)
    }

    fn event_values(&self, at: &At, out: &mut [f64]) {
        self.view.with(&self.bodies, at, |lie| {
            let read = |quantity: &Quantity, values: &mut [f64]| {
                values.copy_from_slice(&self.read(quantity, at, lie));
            };
            self.view.system.event_values_of(at.t, read, out);
        });
    }
    fn constant_mass(&self) -> Option<&[(u32, u32, f64)]> {
        self.system.constant_mass()
    }
    /// The methods for constant mass need no more than this.
    fn as_any(&self) -> Option<&dyn Any> {
        Some(&self.system)
    }
}

impl Mechanism for Directors {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        let state = |b: &DirectorBody| {
            let r = b.quaternion(at.q);
            BodyState {
                name: b.name.clone(),
                position: three(at.q, b.phi),
                rotation: [r.w, r.i, r.j, r.k],
                velocity: three(at.v, b.phi),
                angular_velocity: r.inverse() * b.angular_velocity(at.q, at.v),
            }
        };
        self.bodies.iter().map(state).collect()
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        self.joints.iter().map(|joint| self.reaction(joint, at)).collect()
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        let read = |lie: &At| {
            let sensors = self.view.system.sensor_list().iter();
            sensors.map(|s| (s.name.clone(), self.read(&s.quantity, at, lie))).collect()
        };
        self.view.with(&self.bodies, at, read)
    }

    fn troubles(&self, at: &At) -> Vec<String> {
        self.view.with(&self.bodies, at, |lie| {
            let wound = |f: &Force| match f {
                Force::Along(Along {
                    name,
                    coordinate: c,
                    law: LawKind::Elastic(_) | LawKind::Effort(_),
                }) if c.is_angle() => {
                    // Near the limit: the failed step would have exceeded it.
                    let reading = c.read(self.view.system.bodies_in_pairs(), lie);
                    ((reading.x - c.zero).abs() > 0.9 * measures::MAX_TURN).then(|| {
                        format!(
                            "'{name}' is wound by {:.2} rad: in directors its angle is known up to {} rad \
                             from the assembled \
                             position; use r3so3 with gen-alpha, which counts turns",
                            reading.x - c.zero,
                            measures::MAX_TURN
                        )
                    })
                }
                _ => None,
            };
            let mut list = self.view.system.troubles(lie);
            list.extend(self.view.system.force_list().filter_map(wound));
            list
        })
    }
}
