//! Explicit methods for systems without constraints: Runge-Kutta methods in the algebra (Munthe-Kaas).
//!
//! With q(t) = q_n o exp(theta(t)) the equations of motion become an ordinary differential equation,
//!
//! ```text
//! theta' = T(theta)^-1 v     v' = f(t, q_n o exp(theta), v)     theta(t_n) = 0
//! ```
//!
//! T is the tangent operator of (LA 30), taken exactly: without T^-1 every method has order 2, with one
//! commutator order 3. f comes from [`System::accelerate`], in joint coordinates
//! in O(n), or from M and its factors.

mod acceleration;
mod stages;
pub mod tableau;

pub use acceleration::Acceleration;
pub use stages::Stages;
pub use tableau::{DOP853, DOPRI5, RKMK4, Tableau};

use super::integrator::{Integrator, StepReport, check_step};
use crate::Error;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage};

/// An explicit method with steps of given size.
#[derive(Clone, Debug)]
pub struct Explicit {
    tableau: &'static Tableau,
    work: Option<(Stages, Acceleration)>,
}

impl Explicit {
    /// The method with this table.
    pub fn new(tableau: &'static Tableau) -> Self {
        Explicit { tableau, work: None }
    }
}

/// Refuses systems that an explicit method cannot solve.
pub(crate) fn refuse_constraints(method: &str, system: &dyn System) -> Result<(), Error> {
    let (rows, variables) = (system.n_lambda(), system.n_s());
    if rows == 0 && variables == 0 {
        return Ok(());
    }
    Err(Error::Unsupported {
        method: method.to_string(),
        reason: format!(
            "it has {rows} constraints and {variables} algebraic variables, and an explicit method has no way to satisfy \
             them; use the formulation joint if the joints close no loop, or gen-alpha"
        ),
    })
}

impl Integrator for Explicit {
    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn order(&self) -> usize {
        self.tableau.order
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        refuse_constraints(self.tableau.name, system)?;
        let mut acceleration = Acceleration::new(system);
        acceleration.of_state(system, state)?;
        self.work = Some((Stages::new(self.tableau, system), acceleration));
        Ok(())
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let Some((stages, acceleration)) = &mut self.work else {
            return Err(Error::Unsupported {
                method: self.tableau.name.to_string(),
                reason: "call start first".to_string(),
            });
        };
        stages.step(system, acceleration, state, h)?;
        stages.accept(state, h);
        state.remember(system);
        Ok(StepReport::default())
    }

    /// A one-step method has no history.
    fn persist(&mut self, _archive: &mut Archive) -> Result<(), Damage> {
        Ok(())
    }
}
