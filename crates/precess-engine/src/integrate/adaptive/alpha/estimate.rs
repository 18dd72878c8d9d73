//! Error estimate for a step of generalized-alpha.
//!
//! The truncation errors of the two Newmark formulas,
//!
//! ```text
//! l_q = h^3 ( C_q v'' + (1/12) [v, v'] ),   l_v = C_v h^3 v''',   C_v = -1/12 + Delta_alpha (1/2 - alpha_f)
//! ```
//!
//! with v'' and v''' from differences of v', are inserted into the linearised equations of the step: with p =
//! l_q - l_v/dv the error of the solution is dtheta and dv (dtheta + N h eta - p), where
//!
//! ```text
//! [ S + h^2 K T   B^T   S N ] [ dtheta  ]   [ S p + (c_m/dv) M l_v ]
//! [ B T            0     0  ] [ h^2 dl  ] = [ 0                    ]
//! [ B + Y T/dv     0    B N ] [ h deta  ]   [ B p                  ]
//! ```
//!
//! The current factors may belong to an older configuration, in which the large parts of p do not cancel. So
//! the estimate is refined with the current matrix. It is asymptotically exact (median of estimate over error
//! 0.995 ... 1.001 on the heavy top).

use super::{MAX_SWEEPS, NOISY_STEPS, REFINED_ERROR, VariableAlpha};
use crate::Error;
use crate::integrate::adaptive::not_started;
use crate::integrate::form::Form;
use crate::integrate::implicit::Implicit;
use crate::mechanics::{State, System};

/// Workspace of the estimate.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    pub(super) l_v: Vec<f64>,
    /// l_q - l_v/dv.
    pub(super) p: Vec<f64>,
    pub(super) bracket: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) vdot: Vec<f64>,
    pub(super) dq: Vec<f64>,
    pub(super) dv: Vec<f64>,
    pub(super) right: Vec<f64>,
    pub(super) rest: Vec<f64>,
    pub(super) xi: Vec<f64>,
}

impl VariableAlpha {
    /// The estimate without the part explained by rounding errors. That part is measured if a step would be
    /// rejected, or shortly after a noisy step.
    pub(super) fn estimate_in_noise(&mut self, system: &dyn System, state: &State) -> Result<f64, Error> {
        let plain = self.estimate(system, state)?;
        if self.newton.noisy {
            self.noise.extend(NOISY_STEPS);
        }
        let rejected = !(plain <= 1.0);
        if !self.noise.is_on() && !rejected {
            return Ok(plain);
        }
        let Some(norm) = &self.norm else { return Err(not_started("gen-alpha")) };
        self.noise.measure(&mut self.implicit, system, norm)?;
        let rest = self.noise.unexplained(norm, &self.work.dq, &self.work.dv);
        if rest <= 1.0 && rejected {
            self.noise.extend(NOISY_STEPS);
        } else if !self.noise.is_on() {
            self.noise.forget();
            return Ok(plain);
        }
        Ok(rest)
    }

    /// Error of the step from `state` to the iterate, in units of the tolerance.
    pub(super) fn estimate(&mut self, system: &dyn System, state: &State) -> Result<f64, Error> {
        let Some(norm) = &self.norm else { return Err(not_started("gen-alpha")) };
        let (alpha, dim) = (self.implicit.scheme.alpha, state.v.len());
        let Implicit { step, linear, control, .. } = &mut self.implicit;
        let (kkt, refresh) = (&mut linear.kkt, &control.runs[0].refresh);
        let w = &mut self.work;
        let (h, dv) = (step.h, step.dv);
        let h3 = h * h * h;

        // Truncation errors of the two formulas.
        for i in 0..dim {
            w.v[i] = 0.5 * (state.v[i] + step.trial.v[i]);
            w.vdot[i] = 0.5 * (state.vdot[i] + step.trial.vdot[i]);
        }
        system.group().bracket(&w.v, &w.vdot, &mut w.bracket);
        for i in 0..dim {
            let jerk = (step.trial.vdot[i] - state.vdot[i]) / h;
            let jerk_before = (state.vdot[i] - self.vdot_before[i]) / self.before;
            let snap = 2.0 * (jerk - jerk_before) / (h + self.before);
            w.l_v[i] = alpha.c_v() * h3 * snap;
            let l_q = h3 * (alpha.c_q() * jerk + w.bracket[i] / 12.0);
            w.p[i] = l_q - w.l_v[i] / dv;
        }

        // Inserts them into the equations of the step, with refinement if the factors are older than the
        // step.
        step.linearise(system);
        step.transfer(system, &w.p, &w.l_v, &mut w.right);
        w.xi.copy_from_slice(&w.right);
        kkt.solve(&mut w.xi);
        let mut size = f64::INFINITY;
        for sweep in 0..=MAX_SWEEPS {
            step.shift(&w.xi, &w.p, &mut w.dq, &mut w.dv);
            if size <= REFINED_ERROR || refresh.current || sweep == MAX_SWEEPS {
                break;
            }
            step.apply(system, &w.xi, &mut w.rest);
            for (r, b) in w.rest.iter_mut().zip(&w.right) {
                *r = b - *r;
            }
            kkt.solve(&mut w.rest);
            for (x, r) in w.xi.iter_mut().zip(&w.rest) {
                *x += r;
            }
            step.velocity_change(&w.rest, &mut w.vdot);
            size = norm.of(&w.rest[..dim], &w.vdot);
        }
        if step.form == Form::Index3 && system.n_lambda() > 0 {
            // The start has perturbed the normal part of the velocities on purpose.
            let mut tangential = step.trial.clone();
            tangential.v.copy_from_slice(&w.dv);
            remove_normal(system, &mut tangential)?;
            w.dv.copy_from_slice(&tangential.v);
        }
        Ok(norm.of(&w.dq, &w.dv))
    }
}

/// v <- v - M^-1 B^T (B M^-1 B^T)^-1 B v.
fn remove_normal(system: &dyn System, x: &mut State) -> Result<(), Error> {
    use crate::mechanics::{Tangents, Want};
    use nalgebra::DVector;
    let mut tangents = Tangents::of(system);
    tangents.evaluate(system, &x.at(), Want::SADDLE);
    let mut right = DVector::zeros(x.lambda.len());
    tangents.b.gemv(-1.0, &x.v, right.as_mut_slice());
    let zero = DVector::zeros(x.v.len());
    let (dv, _) = crate::integrate::saddle::Saddle::new(system)
        .solve(system, &tangents, &zero, &right)
        .map_err(|e| crate::integrate::start::explain(system, x.t, e))?;
    crate::integrate::start::add(&mut x.v, dv.as_slice());
    Ok(())
}
