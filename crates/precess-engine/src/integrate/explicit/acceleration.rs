//! The accelerations of a system without constraints.

use crate::Error;
use crate::integrate::start::finite;
use crate::mechanics::{At, State, System, Tangents, Want};
use crate::solve::DenseLu;

/// v' = f(t, q, v): as the system knows it, or -M^-1 g.
#[derive(Clone, Debug)]
pub struct Acceleration {
    zero: Vec<f64>,
    mass: Option<(DenseLu, Tangents)>,
}

impl Acceleration {
    /// Space for a system.
    pub fn new(system: &dyn System) -> Self {
        Acceleration { zero: vec![0.0; system.group().dim()], mass: None }
    }

    /// Writes v' at (t, q, v) to `out`.
    pub fn evaluate(
        &mut self,
        system: &dyn System,
        (t, q, v, memory): (f64, &[f64], &[f64], &[f64]),
        out: &mut [f64],
    ) -> Result<(), Error> {
        let at = At { t, q, v, vdot: &self.zero, lambda: &[], s: &[], memory };
        if let Some(known) = system.accelerate(&at, out) {
            return known;
        }
        let (lu, tangents) = self.mass.get_or_insert_with(|| (DenseLu::new(v.len()), Tangents::of(system)));
        system.residual(&at, out);
        finite(out, t, |i| format!("the force on {}", system.velocity_name(i)))?;
        tangents.evaluate(system, &at, Want::MASS);
        lu.matrix_mut().copy_from(&tangents.s);
        lu.factor().map_err(|e| Error::SingularMass {
            t,
            motion: format!("no inertia along {}", system.velocity_name(e.column)),
        })?;
        lu.solve(out);
        out.iter_mut().for_each(|x| *x = -*x);
        Ok(())
    }

    /// Fills v' of a state.
    pub fn of_state(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let State { t, q, v, vdot, memory, .. } = state;
        self.evaluate(system, (*t, q, v, memory), vdot)
    }
}
