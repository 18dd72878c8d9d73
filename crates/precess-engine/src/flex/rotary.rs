//! Rotary inertia of nodes: discs, sections and rigid pieces that turn with a node of a modal body.
//!
//! A node is turned by `exp(theta)`, `theta = sum_k Psi_k zeta_k`. Its inertia J in the axes of the frame
//! adds to the integrals, with terms of second order in the modes (those of third order, and a term of
//! `Omega' zeta` that depends on the choice of the second order of a rotation, are left out):
//!
//! ```text
//! I0 += J           I1_k += Psi_k~ J - J Psi_k~
//! G0_k += J Psi_k   Mff_kl += Psi_k . J Psi_l
//! I2_kl += (S_kl J + J S_kl - Psi_k~ J Psi_l~ - Psi_l~ J Psi_k~)/2
//!          with S_kl = (Psi_k~ Psi_l~ + Psi_l~ Psi_k~)/2
//! G1_kl += (tr J - 2 J)(Psi_k x Psi_l)/2
//! ```
//!
//! So a disc on a shaft has its gyroscopic effect. Nodes without rotations only add to I0.

use nalgebra::{Matrix3, Vector3};
use precess_lie::rotation::skew;

use crate::flex::error::ModalError;
use crate::flex::modal::Modal;

/// Rotary inertia of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Rotary<'a> {
    /// Inertia of each node about itself, in the axes of the frame.
    pub inertias: &'a [Matrix3<f64>],
    /// Rotation of all nodes, for each mode; empty if the modes contain no rotations.
    pub turns: &'a [Vec<Vector3<f64>>],
}

/// Largest negative part or asymmetry of an inertia, relative to the largest principal moment.
const ROUNDING: f64 = 1e-12;

impl Rotary<'_> {
    /// Checks sizes and principal moments, for a body with these numbers of nodes and modes.
    fn check(&self, nodes: usize, modes: usize) -> Result<(), ModalError> {
        let turned = if self.turns.is_empty() { modes } else { self.turns.len() };
        let lists = self.turns.iter().map(|m| ("rotations of a mode", m.len(), nodes));
        let sizes = [("inertias", self.inertias.len(), nodes), ("rotations", turned, modes)];
        if let Some((what, found, expected)) = sizes.into_iter().chain(lists).find(|(_, a, b)| a != b) {
            return Err(ModalError::Sizes { what, found, expected });
        }
        for (node, j) in self.inertias.iter().enumerate() {
            let even = j.iter().all(|x| x.is_finite()) && (j - j.transpose()).amax() <= ROUNDING * j.amax();
            let least = if even { j.symmetric_eigenvalues().min() } else { f64::NAN };
            if !(least >= -ROUNDING * j.amax()) {
                return Err(ModalError::NodeInertia { node, least });
            }
        }
        Ok(())
    }

    /// Adds the rotary inertia to the integrals of a body.
    pub(crate) fn add_to(&self, body: &mut Modal, nodes: usize) -> Result<(), ModalError> {
        let n = body.modes();
        self.check(nodes, n)?;
        body.i0 += self.inertias.iter().sum::<Matrix3<f64>>();
        if self.turns.is_empty() {
            return Ok(());
        }
        for (i, j) in self.inertias.iter().enumerate() {
            let spread = Matrix3::from_diagonal_element(j.trace()) - j * 2.0;
            for k in 0..n {
                let (psi, x) = (self.turns[k][i], skew(&self.turns[k][i]));
                body.g0[k] += j * psi;
                body.i1[k] += x * j - j * x;
                for l in 0..n {
                    let (other, y) = (self.turns[l][i], skew(&self.turns[l][i]));
                    let twice = (x * y + y * x) * 0.5;
                    body.i2[k * n + l] += (twice * j + j * twice - x * j * y - y * j * x) * 0.5;
                    body.g1[k * n + l] += spread * psi.cross(&other) * 0.5;
                    body.mff[(k, l)] += psi.dot(&(j * other));
                }
            }
        }
        Ok(())
    }
}
