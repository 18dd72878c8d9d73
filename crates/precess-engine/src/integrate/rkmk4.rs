//! Runge-Kutta-Munthe-Kaas method of order 4 for unconstrained systems, as an explicit reference.
//!
//! With q(t) = q_n o exp(theta(t)) the equations of motion become an ordinary differential equation in the
//! algebra,
//!
//! ```text
//! theta' = T(theta)^-1 v,   M v' = -g,   theta(t_n) = 0,
//! ```
//!
//! which the classical Runge-Kutta method of order 4 integrates over one step. T is the tangent operator of
//! (LA 30).

use super::integrator::{Integrator, StepReport, check_step};
use super::start::finite;
use crate::Error;
use crate::mechanics::{At, State, System, Tangents, Want};
use crate::persist::{Archive, Damage};
use crate::solve::DenseLu;

/// RKMK4. It has no parameters.
#[derive(Clone, Debug, Default)]
pub struct Rkmk4 {
    theta: Vec<f64>,
    v: Vec<f64>,
    q: Vec<f64>,
    d_theta: [Vec<f64>; 4],
    d_v: [Vec<f64>; 4],
    zero: Vec<f64>,
    mass: DenseLu,
    tangents: Option<Tangents>,
}

impl Rkmk4 {
    /// The method.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes v' = -M^-1 g at (t, q, v) to `out`.
    fn acceleration(
        &mut self,
        system: &dyn System,
        t: f64,
        stage: usize,
        memory: &[f64],
    ) -> Result<(), Error> {
        let at = At { t, q: &self.q, v: &self.v, vdot: &self.zero, lambda: &[], s: &[], memory };
        let out = &mut self.d_v[stage];
        system.residual(&at, out);
        finite(out, t, |i| format!("the force on {}", system.velocity_name(i)))?;
        if let Some(tangents) = &mut self.tangents {
            tangents.evaluate(system, &at, Want::MASS);
            self.mass.matrix_mut().copy_from(&tangents.s);
        }
        self.mass.factor().map_err(|e| Error::SingularMass {
            t,
            motion: format!("no inertia along {}", system.velocity_name(e.column)),
        })?;
        self.mass.solve(out);
        out.iter_mut().for_each(|x| *x = -*x);
        Ok(())
    }
}

impl Integrator for Rkmk4 {
    fn name(&self) -> &'static str {
        "rkmk4"
    }

    fn order(&self) -> usize {
        4
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        if system.n_lambda() > 0 || system.n_s() > 0 {
            return Err(Error::Unsupported {
                method: "rkmk4".to_string(),
                reason: format!(
                    "it has {} constraints and {} algebraic variables, and an explicit method has no way to \
                     satisfy them; \
                     use gen-alpha, or an unconstrained formulation such as so3",
                    system.n_lambda(),
                    system.n_s()
                ),
            });
        }
        let k = system.group().dim();
        let zeros = || vec![0.0; k];
        *self = Rkmk4 {
            theta: zeros(),
            v: zeros(),
            q: state.q.clone(),
            d_theta: std::array::from_fn(|_| zeros()),
            d_v: std::array::from_fn(|_| zeros()),
            zero: zeros(),
            mass: DenseLu::new(k),
            tangents: Some(Tangents::of(system)),
        };
        super::start::Accelerations::new(system).solve(system, state)
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
        const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
        check_step(h)?;
        let group = system.group();
        for stage in 0..4 {
            let c = NODES[stage] * h;
            self.theta.fill(0.0);
            self.v.copy_from_slice(&state.v);
            if stage > 0 {
                for i in 0..self.v.len() {
                    self.theta[i] = c * self.d_theta[stage - 1][i];
                    self.v[i] += c * self.d_v[stage - 1][i];
                }
            }
            group.retract(&state.q, &self.theta, &mut self.q);
            group.tangent_inverse_times(&self.theta, &self.v, &mut self.d_theta[stage]);
            self.acceleration(system, state.t + c, stage, &state.memory)?;
        }
        self.theta.fill(0.0);
        self.v.copy_from_slice(&state.v);
        for (stage, w) in WEIGHTS.iter().enumerate() {
            for i in 0..self.v.len() {
                self.theta[i] += h * w * self.d_theta[stage][i];
                self.v[i] += h * w * self.d_v[stage][i];
            }
        }
        group.retract(&state.q, &self.theta, &mut self.q);
        self.acceleration(system, state.t + h, 0, &state.memory)?;
        state.t += h;
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.vdot.copy_from_slice(&self.d_v[0]);
        state.remember(system);
        Ok(StepReport::default())
    }

    /// A one-step method has no history.
    fn persist(&mut self, _archive: &mut Archive) -> Result<(), Damage> {
        Ok(())
    }
}
