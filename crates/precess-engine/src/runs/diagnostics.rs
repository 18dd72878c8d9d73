//! Invariants and residuals of a sample, by name and with units, for monitors, time histories and `--json`.
//!
//! | name | unit | meaning | defined for |
//! |---|---|---|---|
//! | `energy` | J | H = p.M^-1 p/2 + V with p = M v, or p of the method | systems with an energy |
//! | `hamiltonian` | J | the same | methods in which p is independent (vi-*) |
//! | `energy_function` | J | E = p.v - v.M v/2 + V, v of the last step (vi-s: at its beginning) | the same |
//! | `work` | J | work of forces without potential and drives | systems that have them |
//! | `linear_momentum` | kg m/s | inertial frame, of p | bodies and points in space |
//! | `angular_momentum` | kg m^2/s | about the origin, inertial frame | the same |
//! | `momentum_about_gravity` | kg m^2/s | its component along gravity | the same, with gravity |
//! | `step_lambda` | | lambda of the step that ends here; NaN before the first step | conserving methods |
//! | `step_gamma` | | gamma of that step | the same, except em-g |
//! | `position_residual` | 1 | max abs Phi: in rad, or relative to the model length | constrained systems |
//! | `velocity_residual` | 1/s | max abs (B v + Phi_t) | the same |
//!
//! The defect of the symplectic form costs many steps and is computed on request:
//! `precess::conserve::symplectic_defect`.

use super::recorder::{Moment, Sample};
use crate::integrate::integrator::Conjugate;
use crate::mechanics::{At, Equations, Momenta, State, System};

/// A scalar or a vector with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Name, stable.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// One or three values, or one per constraint.
    pub values: Vec<f64>,
}

impl Diagnostic {
    /// True for a list with one number per constraint.
    fn multipliers(&self) -> bool {
        [STEP_LAMBDA, STEP_GAMMA].contains(&self.name)
    }

    /// Names of its columns in a time history.
    pub fn columns(&self) -> impl Iterator<Item = String> + '_ {
        let part = |i: usize| match (self.multipliers(), self.values.len()) {
            (_, 1) => self.name.to_string(),
            (true, _) => format!("{}.{i}", self.name),
            _ => format!("{}.{}", self.name, ["x", "y", "z"][i]),
        };
        (0..self.values.len()).map(part).collect::<Vec<_>>().into_iter()
    }
}

const STEP_LAMBDA: &str = "step_lambda";
const STEP_GAMMA: &str = "step_gamma";

/// All diagnostics that are defined for a sample, in a fixed order.
pub fn diagnostics(sample: &Sample) -> Vec<Diagnostic> {
    let (system, at) = (sample.system, sample.state.at());
    let mut list = Vec::new();
    let mut put = |name, unit, values: &[f64]| list.push(Diagnostic { name, unit, values: values.to_vec() });
    match (energies(system, sample.state, sample.conjugate), system.energy(&at)) {
        (Some([hamiltonian, function]), _) => {
            put("energy", "J", &[hamiltonian]);
            put("hamiltonian", "J", &[hamiltonian]);
            put("energy_function", "J", &[function]);
        }
        (None, Some(energy)) => put("energy", "J", &[energy.total()]),
        _ => {}
    }
    if let Some(work) = sample.work {
        put("work", "J", &[work]);
    }
    if let Some(m) = momenta(system, sample) {
        put("linear_momentum", "kg m/s", m.linear.as_slice());
        put("angular_momentum", "kg m^2/s", m.angular.as_slice());
        m.about_gravity.iter().for_each(|x| put("momentum_about_gravity", "kg m^2/s", &[*x]));
    }
    if let Some(lambda) = sample.step_lambda {
        let of_a_step = sample.step > 0 && sample.moment != Moment::Restart;
        let known = |x: &[f64]| x.iter().map(|x| if of_a_step { *x } else { f64::NAN }).collect::<Vec<_>>();
        put(STEP_LAMBDA, "", &known(lambda));
        sample.eta.iter().for_each(|gamma| put(STEP_GAMMA, "", &known(gamma)));
    }
    let mut rows = vec![0.0; 2 * system.n_lambda()];
    if !rows.is_empty() {
        let Missed { position, velocity, .. } = residuals(system, sample, &mut rows);
        put("position_residual", "1", &[position]);
        put("velocity_residual", "1/s", &[velocity]);
    }
    list
}

/// H(q, p) = p.M^-1 p/2 + V and E(q, v, p) = p.v - v.M v/2 + V, for methods with separate momenta.
pub(super) fn energies(
    system: &dyn System,
    state: &State,
    conjugate: Option<Conjugate<'_>>,
) -> Option<[f64; 2]> {
    let (m, mass) = conjugate.zip(system.constant_mass())?;
    let v = system.energy(&state.at())?.potential;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        mass.iter().map(|&(i, j, m)| m * x[i as usize] * y[j as usize]).sum()
    };
    let function = m.function.unwrap_or_else(|| product(m.w, m.v) - 0.5 * product(m.v, m.v) + v);
    Some([0.5 * product(m.w, m.w) + v, function])
}

/// The momenta. Methods with separate momenta use these, not M times the reported velocity.
pub(super) fn momenta(system: &dyn System, sample: &Sample) -> Option<Momenta> {
    let at = sample.state.at();
    system.momenta(&At { v: sample.conjugate.map_or(at.v, |c| c.w), ..at })
}

/// How far a state misses its constraints.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Missed {
    /// max |Phi|.
    pub position: f64,
    /// max |B v + Phi_t|.
    pub velocity: f64,
    /// sum |lambda_i Phi_i| in J: the work of the joint forces over the distances by which joints are open.
    pub work: f64,
}

/// The residuals of the constraints; `rows` has space for Phi and B v.
pub(super) fn residuals(system: &dyn System, sample: &Sample, rows: &mut [f64]) -> Missed {
    let at = sample.state.at();
    let (phi, rates) = rows.split_at_mut(at.lambda.len());
    // Keeping NaN would hide the steps before it, so NaN is ignored here.
    let largest = |rows: &[f64]| rows.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    system.equations(&at, Equations { r: None, phi: Some(&mut *phi), velocity: Some(&mut *rates) });
    let work = phi.iter().zip(at.lambda).map(|(phi, lambda)| (phi * lambda).abs()).sum();
    Missed { position: largest(phi), velocity: largest(rates), work }
}
