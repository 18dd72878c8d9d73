//! Periodic motions: multipliers of a period, for motions in which no frame makes the linear equations
//! constant.
//!
//! Variations x of positions and y of velocities are propagated through the steps of generalized-alpha with
//! the exact derivative of every step (index-3 form). With theta the increment of the step, M, D, K, B at its
//! end, and T = T(theta):
//!
//! ```text
//! x* = Ad(exp(-theta)) x_n,   v* = y_n + h A_n,   w* = (A_n - alpha_f w_n)/(1 - alpha_f)
//! e = -(h y_n + h^2 A_n / 2)
//! S = h^2 da M + h^2 dv D,    x_np1 = x* + z,   B z = -B x*
//! N^T [ (S T^-1 + h^2 K) z + S e + h^2 (K x* + D v* + M w*) ] = 0
//! ddelta = T^-1 z + e,   y_np1 = v* + dv ddelta,   w_np1 = w* + da ddelta,   A_np1 = A_n + ddelta/(beta h^2)
//! ```
//!
//! N spans the null space of B, so redundant joints need no special treatment. The matrix that maps
//! variations over a period is computed with steps h and h/2 and extrapolated; its eigenvalues are the
//! multipliers mu = exp(s T). If a motion does not close after a period, Newton's method with the same matrix
//! corrects it until it closes.

use crate::integrate::project_velocity;
use crate::integrate::{Accelerations, Alpha};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, Tangents, Want};
use crate::methods::{MethodOptions, method};
use crate::solve::decompositions::solve;
use crate::solve::products::{product, times, transposed_product};
use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::assemble;
use crate::analysis::eigen::eigenvalues;
use crate::analysis::freedom::Freedom;
use crate::analysis::local::{Layout, Local, moved};
use crate::analysis::matrix::pseudo_solve;
use crate::analysis::modes::MAX_DENSE;

/// Damping of infinite frequencies.
const RHO: f64 = 0.9;
/// Largest number of corrections of a motion that does not close.
const MAX_CORRECTIONS: usize = 12;
/// Larger multipliers, beyond 1, grow.
const GROWTH_TOLERANCE: f64 = 1e-5;

/// Options of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodOptions {
    /// The period, s.
    pub period: f64,
    /// Steps of the coarser of the two runs over a period.
    pub steps: usize,
    /// Largest gap of a motion that counts as closed, rad or lengths of the model.
    pub closed: f64,
}

impl PeriodOptions {
    /// A period with 400 and 800 steps.
    pub fn new(period: f64) -> Self {
        PeriodOptions { period, steps: 400, closed: 1e-6 }
    }
}

/// A periodic motion, and the growth of small deviations.
#[derive(Clone, Debug)]
pub struct Floquet {
    /// The beginning of the motion, with accelerations and multipliers.
    pub state: State,
    /// The period.
    pub period: f64,
    /// Multipliers mu of deviations after one period, the largest first.
    pub multipliers: Vec<Complex<f64>>,
    /// Uncertainty of the multipliers: the largest difference between the matrices of the two runs, over 15.
    pub uncertainty: f64,
    /// Remaining gap after a period, rad or lengths of the model.
    pub gap: f64,
    /// Number of corrections before it closed.
    pub corrections: usize,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
}

impl Floquet {
    /// ln(mu) / T: decay and frequency of each deviation; the frequency is known up to multiples of 1/T.
    pub fn exponents(&self) -> Vec<Complex<f64>> {
        self.multipliers.iter().map(|m| m.ln() / self.period).collect()
    }

    /// Multipliers that exceed 1 by no more than this need not grow: rounding, the size of the steps, and
    /// double multipliers of free motions.
    pub fn tolerance(&self) -> f64 {
        GROWTH_TOLERANCE.max(self.uncertainty)
    }

    /// True if a deviation grows.
    pub fn grows(&self) -> bool {
        self.multipliers.first().is_some_and(|m| m.norm() > 1.0 + self.tolerance())
    }
}

/// The period of the fastest body of a state, none if nothing turns.
pub fn period_of(system: &dyn Mechanism, state: &State) -> Option<f64> {
    let fastest =
        system.bodies(&state.at()).iter().map(|b| b.angular_velocity.norm()).fold(0.0_f64, f64::max);
    (fastest > 0.0).then(|| std::f64::consts::TAU / fastest)
}

/// Multipliers of the motion that begins at or near a state.
pub fn floquet(
    system: &dyn Mechanism,
    state: &State,
    options: &PeriodOptions,
) -> Result<Floquet, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    if !layout.controls.is_empty() || system.n_s() > 0 {
        return Err(AnalysisError::Name(
            "multipliers of a period are not computed for models with controls; leave them out, or replace \
             them by forces"
                .into(),
        ));
    }
    let size = system.group().dim().saturating_sub(system.n_lambda());
    if size > MAX_DENSE / 4 {
        let (what, remedy) = ("a period", "make the model smaller, or simulate it");
        return Err(AnalysisError::TooLarge { what, size, most: MAX_DENSE / 4, remedy });
    }
    let (mut start, _) = assemble(system, &layout, state)?;
    let mut least = f64::INFINITY;
    for corrections in 0..=MAX_CORRECTIONS {
        let here = PeriodStart::new(system, &layout, start, options.period / std::f64::consts::TAU)?;
        let coarse = here.travel(options.period, options.steps)?;
        let fine = here.travel(options.period, 2 * options.steps)?;
        let matrix = extrapolated(&coarse.matrix, &fine.matrix);
        let end = extrapolated(&coarse.gap, &fine.gap);
        let gap = here.size(&end);
        least = least.min(gap);
        if gap <= options.closed {
            // Extrapolation leaves errors of fourth order.
            let uncertainty = (&fine.matrix - &coarse.matrix).amax() / 15.0;
            let mut multipliers = eigenvalues(&matrix)?;
            multipliers.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
            return Ok(Floquet {
                degrees_of_freedom: here.freedom.dim(),
                state: here.state,
                period: options.period,
                multipliers,
                uncertainty,
                gap,
                corrections,
            });
        }
        if !gap.is_finite() || corrections == MAX_CORRECTIONS {
            break;
        }
        start = here.corrected(&matrix, &end)?;
    }
    Err(AnalysisError::NotPeriodic { period: options.period, gap: least * layout.length })
}

/// Multipliers of one run over the period with this number of steps, without extrapolation: errors of second
/// order. For studies of the method.
pub fn discrete(
    system: &dyn Mechanism,
    state: &State,
    period: f64,
    steps: usize,
) -> Result<Vec<Complex<f64>>, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    let here = PeriodStart::new(system, &layout, state.clone(), period / std::f64::consts::TAU)?;
    eigenvalues(&here.travel(period, steps)?.matrix)
}

/// Removes second-order errors from results with steps h and h/2.
fn extrapolated(coarse: &DMatrix<f64>, fine: &DMatrix<f64>) -> DMatrix<f64> {
    (fine * 4.0 - coarse) / 3.0
}

/// The state at the beginning of a period, with the deviations that joints allow there: x = N p, y = N p' /
/// tau + (the part required by B y = -Y x).
struct PeriodStart<'a> {
    system: &'a dyn Mechanism,
    layout: &'a Layout,
    state: State,
    local: Local,
    y: DMatrix<f64>,
    freedom: Freedom,
    /// Time unit of p': that of a radian of the period.
    tau: f64,
}

/// The deviations after a period, and the gap, both in (p, p').
struct Travelled {
    matrix: DMatrix<f64>,
    gap: DMatrix<f64>,
}

impl<'a> PeriodStart<'a> {
    fn new(
        system: &'a dyn Mechanism,
        layout: &'a Layout,
        mut state: State,
        tau: f64,
    ) -> Result<Self, AnalysisError> {
        project_velocity(system, &mut state)?;
        Accelerations::new(system).solve(system, &mut state)?;
        let local = Local::new(system, &state);
        let mut t = Tangents::of(system);
        t.evaluate(system, &state.at(), Want { curvature: true, ..Want::CONSTRAINT });
        let freedom = Freedom::new(&local.m, &local.b, layout)?;
        Ok(PeriodStart { system, layout, y: t.y.to_dmatrix(), state, local, freedom, tau })
    }

    /// Positions and velocities of deviations (p, p').
    fn deviations(&self, p: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let n = self.freedom.dim();
        let x = product(&self.freedom.n, &p.rows(0, n).into());
        let mut y = product(&self.freedom.n, &p.rows(n, n).into()) / self.tau;
        for (j, mut column) in y.column_iter_mut().enumerate() {
            column += self.freedom.particular(&-times(&self.y, &x.column(j).into()));
        }
        (x, y)
    }

    /// (p, p') of deviations.
    fn coordinates(&self, x: &DMatrix<f64>, y: &DMatrix<f64>) -> DMatrix<f64> {
        let n = self.freedom.dim();
        let mut own = y.clone();
        for (j, mut column) in own.column_iter_mut().enumerate() {
            column -= self.freedom.particular(&-times(&self.y, &x.column(j).into()));
        }
        let to = |a: &DMatrix<f64>| transposed_product(&self.freedom.n, &product(&self.local.m, a));
        let mut p = DMatrix::zeros(2 * n, x.ncols());
        p.rows_mut(0, n).copy_from(&to(x));
        p.rows_mut(n, n).copy_from(&(to(&own) * self.tau));
        p
    }

    /// The state with a small deviation (p, p'), on the constraints.
    fn deviated(&self, p: &DMatrix<f64>) -> Result<State, AnalysisError> {
        let (x, y) = self.deviations(p);
        let mut state = moved(self.system, &self.state, &x.column(0).into_owned());
        state.v.iter_mut().zip(y.column(0).iter()).for_each(|(v, y)| *v += y);
        (state, _) = assemble(self.system, self.layout, &state)?;
        project_velocity(self.system, &mut state)?;
        Accelerations::new(self.system).solve(self.system, &mut state)?;
        Ok(state)
    }

    /// Accelerations caused by deviations, by fourth-order central differences.
    fn accelerations(&self) -> Result<DMatrix<f64>, AnalysisError> {
        let n = 2 * self.freedom.dim();
        let mut w = DMatrix::zeros(self.state.v.len(), n);
        for j in 0..n {
            let mut p = DMatrix::zeros(n, 1);
            p[(j, 0)] = 1.0;
            let (x, y) = self.deviations(&p);
            let speed = self.layout.size(&DVector::from_column_slice(&self.state.v)).max(1.0);
            let (x, y) = (self.layout.size(&x.column(0).into()), self.layout.size(&y.column(0).into()));
            let unit = 1e-3 / x.max(y / speed).max(f64::MIN_POSITIVE);
            let at = |k: f64| -> Result<DVector<f64>, AnalysisError> {
                Ok(DVector::from_vec(self.deviated(&(&p * (k * unit)))?.vdot))
            };
            let slope = ((at(1.0)? - at(-1.0)?) * 8.0 - (at(2.0)? - at(-2.0)?)) / (12.0 * unit);
            w.set_column(j, &slope);
        }
        Ok(w)
    }

    /// Propagates all deviations over a period with this number of steps.
    fn travel(&self, period: f64, steps: usize) -> Result<Travelled, AnalysisError> {
        let (system, h, n) = (self.system, period / steps as f64, self.freedom.dim());
        let mut state = self.state.clone();
        let mut stepper = method("gen-alpha", &MethodOptions { rho: RHO, ..Default::default() })?;
        stepper.start(system, &mut state, h)?;
        let (x, y) = self.deviations(&DMatrix::identity(2 * n, 2 * n));
        let w = self.accelerations()?;
        let mut carried = Carried { x, y, a: w.clone(), w };
        for _ in 0..steps {
            let before = state.q.clone();
            stepper.step(system, &mut state, h)?;
            carried.step(system, self.layout, &before, &state, h)?;
        }
        let gap = self.difference(&state);
        Ok(Travelled { matrix: self.coordinates(&carried.x, &carried.y), gap })
    }

    /// The distance of a state from the start, in (p, p').
    fn difference(&self, end: &State) -> DMatrix<f64> {
        let k = end.v.len();
        let mut x = DMatrix::zeros(k, 1);
        self.system.group().difference(&self.state.q, &end.q, x.as_mut_slice());
        let y = DMatrix::from_iterator(k, 1, end.v.iter().zip(&self.state.v).map(|(a, b)| a - b));
        self.coordinates(&x, &y)
    }

    /// Size of (p, p'): rad or lengths, rates over the period of a radian of the fastest body.
    fn size(&self, p: &DMatrix<f64>) -> f64 {
        let (x, y) = self.deviations(p);
        let speed = self.layout.size(&DVector::from_column_slice(&self.state.v));
        let (x, y) = (self.layout.size(&x.column(0).into()), self.layout.size(&y.column(0).into()));
        x.max(if speed > 0.0 { y / speed } else { y })
    }

    /// One Newton step towards a motion that closes: (1 - Phi) p = gap. Free motions take no part in it.
    fn corrected(&self, matrix: &DMatrix<f64>, gap: &DMatrix<f64>) -> Result<State, AnalysisError> {
        let n = matrix.nrows();
        let p = pseudo_solve(&(DMatrix::identity(n, n) - matrix), &gap.column(0).into(), 1e-7);
        let p = DMatrix::from_column_slice(n, 1, p.as_slice());
        let size = self.size(&p);
        let state = self.deviated(&(p * if size > 0.3 { 0.3 / size } else { 1.0 }))?;
        Ok(State { t: self.state.t, ..state })
    }
}

/// Deviations of positions, velocities, accelerations and of a_n.
struct Carried {
    x: DMatrix<f64>,
    y: DMatrix<f64>,
    w: DMatrix<f64>,
    a: DMatrix<f64>,
}

impl Carried {
    /// The derivative of one step from `before` to `state`.
    fn step(
        &mut self,
        system: &dyn Mechanism,
        layout: &Layout,
        before: &[f64],
        state: &State,
        h: f64,
    ) -> Result<(), AnalysisError> {
        let Alpha { alpha_m, alpha_f, beta, gamma } = Alpha::from_rho(RHO)?;
        let (dv, da) = (gamma / (beta * h), (1.0 - alpha_m) / (beta * (1.0 - alpha_f) * h * h));
        let group = system.group();
        let k = group.dim();
        let mut theta = vec![0.0; k];
        group.difference(before, &state.q, &mut theta);
        let local = Local::new(system, state);
        let freedom = Freedom::new(&local.m, &local.b, layout)?;
        let mut back = vec![0.0; group.repr()];
        group.exp(&theta.iter().map(|x| -x).collect::<Vec<_>>(), &mut back);
        let x = columns(&self.x, |x, out| group.adjoint_times(&back, x, out));
        let v = &self.y + &self.a * h;
        let w = (&self.a - &self.w * alpha_f) / (1.0 - alpha_f);
        let e = -(&self.y * h + &self.a * (0.5 * h * h));
        let s = &local.m * (h * h * da) + &local.d * (h * h * dv);
        // z = z_p + N y with B z = -B x*.
        let mut z = DMatrix::zeros(k, x.ncols());
        for (j, mut column) in z.column_iter_mut().enumerate() {
            column.copy_from(&freedom.particular(&-times(&local.b, &x.column(j).into())));
        }
        let inverse = |m: &DMatrix<f64>| columns(m, |x, out| group.tangent_inverse_times(&theta, x, out));
        let apply = |m: &DMatrix<f64>| product(&s, &inverse(m)) + product(&local.k, m) * (h * h);
        let forces = product(&local.k, &x) + product(&local.d, &v) + product(&local.m, &w);
        let rest = apply(&z) + product(&s, &e) + forces * (h * h);
        let reduced = transposed_product(&freedom.n, &apply(&freedom.n));
        let free = solve(reduced, &-transposed_product(&freedom.n, &rest));
        z += product(&freedom.n, &free.ok_or(AnalysisError::Eigenvalues { size: k })?);
        let delta = inverse(&z) + e;
        self.x = x + z;
        self.y = v + &delta * dv;
        self.w = w + &delta * da;
        self.a += delta / (beta * h * h);
        Ok(())
    }
}

/// Applies a linear map to every column.
fn columns(m: &DMatrix<f64>, map: impl Fn(&[f64], &mut [f64])) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(m.nrows(), m.ncols());
    for (x, mut y) in m.column_iter().zip(out.column_iter_mut()) {
        let mut room = vec![0.0; m.nrows()];
        map(x.as_slice(), &mut room);
        y.copy_from_slice(&room);
    }
    out
}
