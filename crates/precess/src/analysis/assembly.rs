//! Moves a rough guess of the positions onto the constraints.
//!
//! The method is Levenberg-Marquardt with dimensionless rows and columns, so that no body is moved further
//! than needed:
//!
//! ```text
//! x = -U (B U)^T (B U (B U)^T + nu I)^-1 Phi,   q <- q exp(x),   no body by more than 0.5 rad or 0.5 L
//! ```
//!
//! U defines distance (`Metric`): lengths and angles, or, with U U^T = M^-1, the inertia of the bodies,
//! possibly weighted. nu decreases with the residual. Once the residual is small, minimum-norm Newton steps
//! on the independent rows complete the assembly. This satisfies the redundant rows, too. A singular guess is
//! perturbed a little, at most three times.

use crate::mechanics::{State, System};
use crate::solve::decompositions::{cholesky, cholesky_solve, transposed_upper_solve};
use crate::solve::pivoted_qr::PivotedQr;
use crate::solve::products::{column_norms, largest, scale_columns, times, transposed_product};
use nalgebra::{DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::gaps::gaps;
use crate::analysis::local::{Layout, Local, constraint, moved};
use crate::analysis::metric::Metric;

/// Largest total number of iterations.
const MAX_ITERATIONS: usize = 200;
/// Largest dimensionless residual that counts as zero.
const CLOSED_RESIDUAL: f64 = 1e-13;
/// Larger residuals mean that a joint is open.
const OPEN_RESIDUAL: f64 = 1e-9;

/// Moves the state onto Phi(q, t) = 0 and returns the number of iterations.
pub fn assemble(
    system: &dyn System,
    layout: &Layout,
    state: &State,
) -> Result<(State, usize), AnalysisError> {
    assemble_in(system, layout, state, &Metric::lengths(layout))
}

/// Does the same as [`assemble`] with another definition of distance.
pub fn assemble_in(
    system: &dyn System,
    layout: &Layout,
    state: &State,
    metric: &Metric,
) -> Result<(State, usize), AnalysisError> {
    let mut state = state.clone();
    let (mut nu, mut shaken, mut random) = (1e-3, 0, 0x9e37_79b9_7f4a_7c15_u64);
    let (mut best, mut nearest) = (f64::INFINITY, (f64::INFINITY, state.clone()));
    for iteration in 0..MAX_ITERATIONS {
        let rows = ScaledRows::new(system, layout, &state, metric);
        let size = largest(rows.phi.as_slice());
        if !rows.phi.iter().all(|x| x.is_finite()) {
            return Err(not_finite("a constraint"));
        }
        // Rounding errors limit the residual. The iteration stops when a step no longer helps.
        if size <= CLOSED_RESIDUAL || (size <= 1e-11 && size > 0.3 * best) {
            return Ok((state, iteration));
        }
        best = best.min(size);
        if rows.phi.norm() < nearest.0 {
            nearest = (rows.phi.norm(), state.clone());
        }
        let x = if size < 1e-3 { rows.newton(metric) } else { rows.damped(nu, metric) };
        let x = limited(layout, x);
        let next = moved(system, &state, &x);
        let gain =
            ScaledRows::new(system, layout, &next, metric).phi.norm_squared() / rows.phi.norm_squared();
        if gain < 1.0 {
            state = next;
            nu = (nu / 5.0).max(1e-12);
        } else if size <= OPEN_RESIDUAL {
            return Ok((state, iteration));
        } else {
            nu = (nu * 8.0).max(1e-6);
        }
        if (nu > 1e6 || layout.size(&x) < 1e-9) && size > OPEN_RESIDUAL {
            if shaken == 3 {
                return Err(open(system, layout, &nearest.1, iteration));
            }
            shaken += 1;
            nu = 1e-3;
            best = f64::INFINITY;
            let shake = DVector::from_fn(layout.controls.end, |_, _| 0.05 * noise(&mut random));
            let mut shake = shake.component_mul(&layout.units());
            layout.controls.clone().for_each(|i| shake[i] = 0.0);
            metric.hold(&mut shake);
            state = moved(system, &state, &shake);
        }
    }
    let rows = ScaledRows::new(system, layout, &state, metric);
    if largest(rows.phi.as_slice()) <= OPEN_RESIDUAL {
        Ok((state, MAX_ITERATIONS))
    } else {
        Err(open(system, layout, &nearest.1, MAX_ITERATIONS))
    }
}

/// Follows the path from the guess on which all gaps close together: Phi(q) = (1 - tau) Phi(q_0). The path
/// stays on the branch of the guess, but the jumps of [`assemble_in`] may leave it. Returns `None` if the
/// path reaches a singular position.
pub(crate) fn close_gradually(
    system: &dyn System,
    layout: &Layout,
    state: &State,
    metric: &Metric,
) -> Option<State> {
    let given = constraint(system, state);
    let (mut state, steps) = (state.clone(), 40);
    for step in 1..=steps {
        let rest = &given * (1.0 - f64::from(step) / f64::from(steps));
        for _ in 0..4 {
            let rows = ScaledRows::beyond(system, layout, &state, metric, &rest);
            let x = rows.newton(metric);
            if !(layout.size(&x) < 0.3) {
                return None;
            }
            state = moved(system, &state, &x);
        }
        let rows = ScaledRows::beyond(system, layout, &state, metric, &rest);
        if !(largest(rows.phi.as_slice()) < 1e-9) {
            return None;
        }
    }
    Some(state)
}

/// Moves an assembled state at rest to another time. Drives move in small steps, so that the mechanism stays
/// on its branch.
pub fn carry(system: &dyn System, layout: &Layout, state: &State, t: f64) -> Result<State, AnalysisError> {
    carry_with(system, state, t, |state| Ok(assemble(system, layout, state)?.0))
}

/// Does the same as [`carry`] with another function that projects a state onto the constraints.
pub(crate) fn carry_with(
    system: &dyn System,
    state: &State,
    t: f64,
    mut close: impl FnMut(&State) -> Result<State, AnalysisError>,
) -> Result<State, AnalysisError> {
    let mut state = close(state)?;
    let (from, whole) = (state.t, t - state.t);
    let rate = |at: f64| system.drives().iter().map(|f| f.motion(at)[1].abs()).fold(0.0, f64::max);
    let mut done = 0.0;
    while done < 1.0 && whole != 0.0 {
        // A step is a tenth of a radian or of a metre, unless this takes more than a few thousand steps.
        let part = (0.1 / (rate(state.t) * whole.abs())).clamp(5e-4, 0.1);
        done = if done + part >= 1.0 - 1e-12 { 1.0 } else { done + part };
        state.t = from + done * whole;
        state = close(&state)?;
    }
    Ok(state)
}

/// Deterministic pseudo-random numbers in [-1, 1).
pub(crate) fn noise(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

pub(crate) fn not_finite(what: &str) -> AnalysisError {
    let reason = "a rod of no length, an angle that is not defined, or a number that is too large; a check \
                  says more";
    AnalysisError::NotFinite { what: what.to_string(), reason: reason.to_string() }
}

/// Limits a motion: no body moves by more than half a radian or half the length of the model.
pub(crate) fn limited(layout: &Layout, x: DVector<f64>) -> DVector<f64> {
    let size = layout.size(&x);
    if size > 0.5 { x * (0.5 / size) } else { x }
}

/// The error that lists the joints that stay open, the widest first.
fn open(system: &dyn System, layout: &Layout, state: &State, iterations: usize) -> AnalysisError {
    let mut list = gaps(system, layout, state);
    // If there is a wide gap, tiny gaps mean nothing. They only show where the search ended.
    let widest = list.iter().map(|g| g.size(layout.length)).fold(0.0, f64::max);
    list.retain(|g| g.size(layout.length) > OPEN_RESIDUAL.max(1e-6 * widest));
    list.sort_by(|a, b| b.size(layout.length).total_cmp(&a.size(layout.length)));
    AnalysisError::Assembly { iterations, gaps: list }
}

/// Phi and (B U)^T with dimensionless rows.
struct ScaledRows {
    phi: DVector<f64>,
    bt: DMatrix<f64>,
}

impl ScaledRows {
    fn new(system: &dyn System, layout: &Layout, state: &State, metric: &Metric) -> Self {
        Self::beyond(system, layout, state, metric, &DVector::zeros(system.n_lambda()))
    }

    /// The rows of Phi - rest.
    fn beyond(
        system: &dyn System,
        layout: &Layout,
        state: &State,
        metric: &Metric,
        rest: &DVector<f64>,
    ) -> Self {
        let mut bt = Local::constraint(system, state).transpose();
        metric.scale(&mut bt);
        let mut phi = constraint(system, state) - rest;
        let scale = |norm: f64| if norm > 0.0 { norm.recip() } else { 1.0 / layout.length };
        let scales: Vec<f64> = column_norms(&bt).into_iter().map(scale).collect();
        scale_columns(&mut bt, &scales);
        phi.iter_mut().zip(&scales).for_each(|(phi, scale)| *phi *= scale);
        ScaledRows { phi, bt }
    }

    fn damped(&self, nu: f64, metric: &Metric) -> DVector<f64> {
        let m = self.phi.len();
        let mut normal = transposed_product(&self.bt, &self.bt);
        (0..m).for_each(|i| normal[(i, i)] += nu);
        let mu = cholesky(normal).map_or_else(|| self.phi.clone(), |l| cholesky_solve(&l, &self.phi));
        -metric.motion(&times(&self.bt, &mu))
    }

    fn newton(&self, metric: &Metric) -> DVector<f64> {
        let qr = PivotedQr::new(self.bt.clone(), 3e-5);
        let rank = qr.rank;
        let right = DVector::from_iterator(rank, qr.order[..rank].iter().map(|&i| -self.phi[i]));
        match transposed_upper_solve(&qr.r.view((0, 0), (rank, rank)).into(), &right) {
            Some(z) => metric.motion(&times(&qr.q.columns(0, rank).into(), &z)),
            None => DVector::zeros(self.bt.nrows()),
        }
    }
}
