//! Any rigid multibody model in directors: constant mass, at most quadratic constraints, so that variational integrators and
//! energy-momentum schemes integrate it (Betsch and Steinmann; sections 6.2 and 4 of the paper of [`conserve`](crate::conserve)).
//!
//! Twelve coordinates and six internal constraints per rigid body ([`bodies`]), three coordinates per point mass. All joints are
//! linear or scalar quadratic ([`joints`]). Springs, gravity and dead forces have potentials, dampers and forces that depend
//! on time act at the midpoint and their work is what the energy changes by ([`forces`]). Gears, drives, controls, friction
//! and other elements of joint coordinates are refused.
//!
//! **Bodies without extent.** E_i = 0 makes M singular. A director that nothing is attached to is left out; one that is held by a
//! point off the plane or line of the body (the papers' heavy top: E_2 = 0, tip at -e_2) gets its inertia from the constraint,
//! M + alpha G^T G with constant G, which changes nothing on the constraints. Both are exact.
//!
//! **Redundant rows** of loops are left out, so the reactions of the joints they belong to are not complete.

pub mod bodies;
mod build;
pub mod forces;
pub mod joints;

pub use bodies::DirectorBody;
pub use build::build;

use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use precess_lie::Product;

use crate::conserve::Conservative;
use crate::mechanics::multibody::{BodyState, Mechanism, Reaction};
use crate::mechanics::{At, Energy, System, Tangents};

/// A joint and its rows.
#[derive(Clone, Debug)]
pub struct DirectorJoint {
    /// Name.
    pub name: String,
    /// Second body.
    pub body: Option<usize>,
    /// Its point, body frame.
    pub point: Vector3<f64>,
    /// Rows of the joint in g; none for those left out as redundant.
    pub rows: Vec<Option<usize>>,
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
}

impl System for Directors {
    fn group(&self) -> &Product {
        self.system.group()
    }
    fn n_lambda(&self) -> usize {
        self.system.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.system.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.system.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.system.tangents(at, out);
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        self.system.energy(at)
    }
    fn constraint_name(&self, row: usize) -> String {
        self.system.constraint_name(row)
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
    fn length_scale(&self) -> f64 {
        self.system.length_scale()
    }
    fn as_conservative(&self) -> Option<&Conservative> {
        Some(&self.system)
    }
}

impl Mechanism for Directors {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        let vector = |x: &[f64], i: usize| Vector3::new(x[i], x[i + 1], x[i + 2]);
        let state = |b: &DirectorBody| {
            // From the body frame to space, over the principal axes; nearest rotation if directors are not quite orthonormal.
            let turn = if b.is_point { b.axes } else { b.rotation(at.q) * b.axes.transpose() };
            let r = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix(&turn));
            let omega = b.angular_velocity(at.q, at.v);
            BodyState {
                name: b.name.clone(),
                position: vector(at.q, b.phi),
                rotation: [r.w, r.i, r.j, r.k],
                velocity: vector(at.v, b.phi),
                angular_velocity: r.inverse() * omega,
            }
        };
        self.bodies.iter().map(state).collect()
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        let mut f = vec![0.0; self.system.dim()];
        let mut reactions = Vec::new();
        for joint in &self.joints {
            f.fill(0.0);
            let multipliers: Vec<f64> = joint.rows.iter().map(|r| r.map_or(0.0, |r| at.lambda[r])).collect();
            for (row, l) in joint.rows.iter().zip(&multipliers) {
                if let Some(row) = row {
                    self.system.constraints[*row].g.add_gradient(at.q, -l, &mut f);
                }
            }
            let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
            if let Some(body) = joint.body.map(|i| &self.bodies[i]) {
                let [sum, moment] = body.wrench(at.q, &f);
                let arm = body.direction(&joint.point).value(at.q);
                (force, torque) = (sum, moment - arm.cross(&sum));
            }
            reactions.push(Reaction { name: joint.name.clone(), force, torque, multipliers, unique: true });
        }
        reactions
    }
}
