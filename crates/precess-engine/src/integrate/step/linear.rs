//! The linear equations J xi = -psi of a step.
//!
//! | type | matrix | numbers |
//! |---|---|---|
//! | [`KktFactors`] | dense or in sparse blocks; one body with known sizes | f64 |
//! | [`Places`](super::places::Places) | every entry has its place | any |
//! | in [`derive`](super::lifted::derive) | the factors of plain numbers | dual numbers |

use precess_lie::Number;

use super::assembly::Assembly;
use super::data::Step;
use crate::integrate::form::{Eta, Form};
use crate::mechanics::jacobian::allocate_matrix;
use crate::mechanics::{Dynamics, System};
use crate::solve::{Kkt, Singular, Solver};

/// J with its factors, and the direction N.
pub trait Linear<T: Number> {
    /// N at the iterate: B^T, or M^-1 B^T.
    fn direction(&mut self, eta: Eta, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized));
    /// Evaluates the derivatives at the iterate, forms J and factorises it.
    fn form(&mut self, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) -> Result<(), Singular>;
    /// Solves in place.
    fn solve(&mut self, x: &mut [T]);
    /// Factors that convert equations to units of positions.
    fn row_scale(&self) -> &[T];
    /// The numbers of the factors and of the scales, if runs side by side may keep theirs.
    fn numbers(&mut self) -> Option<[&mut [T]; 2]> {
        None
    }
    /// Tests the next factors.
    fn doubt(&mut self) {}
}

/// J in a [`Kkt`].
#[derive(Clone, Debug, Default)]
pub struct KktFactors {
    /// The matrix and its factors.
    pub kkt: Kkt,
    /// How it is formed.
    pub assembly: Assembly,
    /// Matrices since the last look that needed pivots from whole columns.
    pub fallbacks: usize,
}

impl KktFactors {
    /// Room for J of a system in this form.
    pub fn of(form: Form, system: &dyn System, solver: Solver) -> Self {
        let regularised = system.row_weights().is_some();
        let mut kkt = allocate_matrix(system, system.n_s(), form == Form::StabilizedIndex2, regularised);
        // Multipliers of redundant rows are always noisy, and an accuracy test would blame the factors.
        if kkt.is_sparse() && !regularised {
            kkt.doubt();
        }
        KktFactors { kkt: kkt.with_solver(solver), assembly: Assembly::new(system.group()), fallbacks: 0 }
    }

    /// Solves the transposed equations in place.
    pub fn solve_transposed(&mut self, x: &mut [f64]) {
        self.kkt.solve_transposed(x);
    }
}

impl Linear<f64> for KktFactors {
    #[inline]
    fn direction(&mut self, eta: Eta, step: &mut Step, dynamics: &(impl Dynamics<f64> + ?Sized)) {
        self.assembly.direction(eta, step, dynamics);
    }

    #[inline]
    fn form(&mut self, step: &mut Step, dynamics: &(impl Dynamics<f64> + ?Sized)) -> Result<(), Singular> {
        let KktFactors { kkt, assembly, fallbacks } = self;
        kkt.form(|kkt| assembly.assemble(step, dynamics, kkt))?;
        *fallbacks += usize::from(kkt.is_pivoted());
        Ok(())
    }

    #[inline(always)]
    fn solve(&mut self, x: &mut [f64]) {
        self.kkt.solve(x);
    }

    #[inline(always)]
    fn row_scale(&self) -> &[f64] {
        self.kkt.row_scale()
    }

    fn doubt(&mut self) {
        self.kkt.doubt();
    }
}
