//! Multipliers and accelerations at the end of a step. They have the same order as positions and velocities.
//!
//! The multiplier of a rule is a mean over the step: em, em-g and vi-a give lambda in its middle, vi-s at its
//! beginning. At the end of the step it would have an error of O(h), although the method has order 2. So the
//! reported values at a node are evaluated there, from q and v of the node:
//!
//! ```text
//! [ M  G^T ] [ v'     ]   [ -DV(q) + f(t, q, v) ]
//! [ G   0  ] [ lambda ] = [ -v . D^2 g(q) v     ]
//! ```
//!
//! Errors of lambda are then those of q and v times a constant, and for methods of order 2 they are of order
//! 2. The multipliers of the rule do not change ([`Stepper::unknowns`](super::Stepper::unknowns)); the values
//! at a node do not enter the next step.

use super::entries::MatrixBlocks;
use super::matrix::Matrix;
use super::step::UnknownLayout;
use crate::conservative::potential::Scratch;
use crate::conservative::system::Conservative;
use precess_engine::persist::{Archive, Damage, Persist};
use precess_engine::solve::Singular;

/// The equations of a node, with space for their solution.
#[derive(Clone, Debug, Default)]
pub struct NodeEquations {
    matrix: Matrix,
    x: Vec<f64>,
    scratch: Scratch,
}

/// Time, positions and velocities of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeState<'a> {
    /// Time.
    pub t: f64,
    /// Positions.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
}

impl NodeEquations {
    /// The equations for a system that starts at q.
    pub fn new(system: &Conservative, q: &[f64]) -> Self {
        let layout = UnknownLayout { d: system.dim(), m: system.rows(), levels: 1, multipliers: 1 };
        let matrix = Matrix::new(system, layout, q);
        NodeEquations { matrix, x: vec![0.0; layout.len()], scratch: Scratch::for_terms(&system.terms) }
    }

    /// Accelerations and multipliers at a node; an error if the constraints are dependent there.
    pub fn solve(&mut self, system: &Conservative, at: NodeState) -> Result<(&[f64], &[f64]), Singular> {
        let d = system.dim();
        // Without a step, accelerations and forces have the scales of a step of 1.
        self.matrix.scales_mut().set_step(1.0);
        self.matrix.clear();
        let mut put = MatrixBlocks { system, out: &mut self.matrix };
        put.mass(1.0, (0, 0));
        put.gradient_t(at.q, 1.0, (0, d));
        put.gradient(at.q, 1.0, (d, 0));
        self.matrix.factor()?;
        self.x.fill(0.0);
        let (force, rows) = self.x.split_at_mut(d);
        system.add_gradient(at.q, -1.0, &mut self.scratch, force);
        system.loads.iter().for_each(|f| f.add(at.t, at.q, at.v, 1.0, force));
        for (c, row) in system.constraints.iter().zip(rows) {
            *row = -c.g.curvature(at.q, at.v);
        }
        self.matrix.solve(&mut self.x);
        Ok(self.x.split_at(d))
    }
}

impl Persist for NodeEquations {
    /// Saves the scales of the matrix, which belong to the beginning of the run or of its last part.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.matrix.scales_mut().persist(archive)
    }
}
