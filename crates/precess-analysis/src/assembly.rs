//! Brings a rough guess of the positions onto the constraints.
//!
//! Levenberg-Marquardt with rows and columns without units, so that no body is moved further than needed:
//!
//! ```text
//! x = -B^T (B B^T + nu I)^-1 Phi,   q <- q exp(x),   no body by more than 0.5 rad or 0.5 L
//! ```
//!
//! nu falls while the residual does. Once the residual is small, minimum-norm steps of Newton's method on the independent rows
//! finish it; redundant rows are satisfied with the others. A guess that is singular is shaken a little, three times at most.

use nalgebra::{DMatrix, DVector};
use precess::mechanics::{State, System};

use crate::AnalysisError;
use crate::freedom::PivotedQr;
use crate::local::{Layout, Local, constraint, moved};
use crate::matrix::largest;

/// Iterations in all.
const MOST: usize = 200;
/// Largest residual of rows without units that counts as zero.
const CLOSED: f64 = 1e-13;
/// Rests above this are an open joint.
const OPEN: f64 = 1e-9;

/// Moves the state onto Phi(q, t) = 0 and counts the iterations.
pub fn assemble(
    system: &dyn System,
    layout: &Layout,
    state: &State,
) -> Result<(State, usize), AnalysisError> {
    let mut state = state.clone();
    let (mut nu, mut shaken, mut random) = (1e-3, 0, 0x9e37_79b9_7f4a_7c15_u64);
    let mut best = f64::INFINITY;
    for iteration in 0..MOST {
        let rows = Rows::new(system, layout, &state);
        let size = largest(&rows.phi);
        if !rows.phi.iter().all(|x| x.is_finite()) {
            return Err(not_finite("a constraint"));
        }
        // Rounding errors decide the end: stop when the last step gained nothing any more.
        if size <= CLOSED || (size <= 1e-11 && size > 0.3 * best) {
            return Ok((state, iteration));
        }
        best = best.min(size);
        let x = if size < 1e-3 { rows.newton() } else { rows.damped(nu) };
        let x = limited(layout, x);
        let next = moved(system, &state, &x);
        let gain = Rows::new(system, layout, &next).phi.norm_squared() / rows.phi.norm_squared();
        if gain < 1.0 {
            state = next;
            nu = (nu / 5.0).max(1e-12);
        } else if size <= OPEN {
            return Ok((state, iteration));
        } else {
            nu = (nu * 8.0).max(1e-6);
        }
        if (nu > 1e6 || layout.size(&x) < 1e-9) && size > OPEN {
            if shaken == 3 {
                return Err(rows.open(system, iteration));
            }
            shaken += 1;
            nu = 1e-3;
            best = f64::INFINITY;
            let shake = DVector::from_fn(layout.controls.end, |_, _| 0.05 * noise(&mut random));
            let mut shake = shake.component_mul(&layout.units());
            layout.controls.clone().for_each(|i| shake[i] = 0.0);
            state = moved(system, &state, &shake);
        }
    }
    let rows = Rows::new(system, layout, &state);
    if largest(&rows.phi) <= OPEN { Ok((state, MOST)) } else { Err(rows.open(system, MOST)) }
}

/// Carries an assembled state at rest to another time: drives move in small steps, so that the mechanism stays on its branch.
pub fn carry(system: &dyn System, layout: &Layout, state: &State, t: f64) -> Result<State, AnalysisError> {
    let (mut state, _) = assemble(system, layout, state)?;
    let (from, whole) = (state.t, t - state.t);
    let rate = |at: f64| system.drives().iter().map(|f| f.motion(at)[1].abs()).fold(0.0, f64::max);
    let mut done = 0.0;
    while done < 1.0 && whole != 0.0 {
        // A tenth of a radian or of a metre at a time, in at most a few thousand steps.
        let part = (0.1 / (rate(state.t) * whole.abs())).clamp(5e-4, 0.1);
        done = if done + part >= 1.0 - 1e-12 { 1.0 } else { done + part };
        state.t = from + done * whole;
        (state, _) = assemble(system, layout, &state)?;
    }
    Ok(state)
}

/// Numbers in [-1, 1), the same every time.
pub(crate) fn noise(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

pub(crate) fn not_finite(what: &str) -> AnalysisError {
    let reason = "a rod of no length, an angle that is not defined, or a number that is too large; precess check says more";
    AnalysisError::NotFinite { what: what.to_string(), reason: reason.to_string() }
}

/// No body moves by more than half a radian or half the length of the model.
pub(crate) fn limited(layout: &Layout, x: DVector<f64>) -> DVector<f64> {
    let size = layout.size(&x);
    if size > 0.5 { x * (0.5 / size) } else { x }
}

/// Phi and B^T without units.
struct Rows {
    phi: DVector<f64>,
    /// (R B U)^T.
    bt: DMatrix<f64>,
    units: DVector<f64>,
}

impl Rows {
    fn new(system: &dyn System, layout: &Layout, state: &State) -> Self {
        let units = layout.units();
        let mut bt = Local::constraint(system, state).transpose();
        for (i, mut row) in bt.row_iter_mut().enumerate() {
            row *= units[i];
        }
        let mut phi = constraint(system, state);
        for (i, mut column) in bt.column_iter_mut().enumerate() {
            let norm = column.norm();
            let scale = if norm > 0.0 { norm.recip() } else { 1.0 / layout.length };
            column *= scale;
            phi[i] *= scale;
        }
        Rows { phi, bt, units }
    }

    fn damped(&self, nu: f64) -> DVector<f64> {
        let m = self.phi.len();
        let normal = self.bt.tr_mul(&self.bt) + DMatrix::identity(m, m) * nu;
        let mu = normal.cholesky().map_or_else(|| self.phi.clone(), |c| c.solve(&self.phi));
        -(&self.bt * mu).component_mul(&self.units)
    }

    fn newton(&self) -> DVector<f64> {
        let qr = PivotedQr::new(self.bt.clone(), 3e-5);
        let rank = qr.rank;
        let right = DVector::from_iterator(rank, qr.order[..rank].iter().map(|&i| -self.phi[i]));
        match qr.r.view((0, 0), (rank, rank)).tr_solve_upper_triangular(&right) {
            Some(z) => (qr.q.columns(0, rank) * z).component_mul(&self.units),
            None => DVector::zeros(self.units.len()),
        }
    }

    fn open(&self, system: &dyn System, iterations: usize) -> AnalysisError {
        let row = self.phi.iamax();
        AnalysisError::Assembly { iterations, row: system.constraint_name(row), rest: self.phi[row].abs() }
    }
}
