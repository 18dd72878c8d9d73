//! The automatic choice for trees in joint coordinates: the explicit method of order 8, until the motion is stiff.
//!
//! A system that knows its accelerations ([`System::accelerate`]) has no constraints, and an evaluation costs far less than a
//! Newton iteration. At 1e-6, dop853 then needs a third (a chain of ten) to a tenth (a fast top) of the time of BLieDF. If its steps only follow a vibration, the
//! implicit methods take over and keep the run.

use super::automatic::Automatic;
use super::runge_kutta::VariableExplicit;
use super::{Adaptive, Horizon};
use crate::Error;
use crate::integrate::integrator::StepReport;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};

/// The explicit method, and what follows it.
#[derive(Clone, Debug)]
pub struct ExplicitFirst {
    explicit: VariableExplicit,
    implicit: Automatic,
    /// True while the explicit method is used, and the time at which it ended.
    is_explicit: bool,
    ended: Option<f64>,
    t_end: f64,
}

impl ExplicitFirst {
    /// A choice between these two.
    pub fn new(explicit: VariableExplicit, implicit: Automatic) -> Self {
        ExplicitFirst { explicit, implicit, is_explicit: false, ended: None, t_end: 0.0 }
    }

    fn current(&self) -> &dyn Adaptive {
        if self.is_explicit { &self.explicit } else { &self.implicit }
    }
}

/// True if the system has no constraints and knows its accelerations.
fn knows_accelerations(system: &dyn System, state: &State) -> bool {
    let mut vdot = vec![0.0; state.v.len()];
    system.n_lambda() == 0 && system.n_s() == 0 && system.accelerate(&state.at(), &mut vdot).is_some()
}

impl Adaptive for ExplicitFirst {
    fn name(&self) -> &'static str {
        self.current().name()
    }

    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error> {
        (self.t_end, self.ended) = (t_end, None);
        self.is_explicit = knows_accelerations(system, state);
        if self.is_explicit {
            self.explicit.start(system, state, t_end)
        } else {
            self.implicit.start(system, state, t_end)
        }
    }

    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        if self.is_explicit {
            self.explicit.restart(system, state)
        } else {
            self.implicit.restart(system, state)
        }
    }

    fn advance(&mut self, system: &dyn System, state: &mut State, to: Horizon) -> Result<StepReport, Error> {
        if self.is_explicit && self.explicit.stiff_at().is_some() {
            (self.is_explicit, self.ended) = (false, Some(state.t));
            self.implicit.start(system, state, self.t_end)?;
        }
        if self.is_explicit {
            self.explicit.advance(system, state, to)
        } else {
            self.implicit.advance(system, state, to)
        }
    }

    fn eta(&self) -> Option<&[f64]> {
        self.current().eta()
    }

    fn persist(&mut self, system: &dyn System, initial: &State, archive: &mut Archive) -> Result<(), Damage> {
        let was_explicit = self.is_explicit;
        (&mut self.is_explicit, &mut self.ended).persist(archive)?;
        if self.is_explicit {
            return self.explicit.persist(system, initial, archive);
        }
        if archive.reads() && was_explicit {
            // Allocates its workspace.
            let unsupported = |e: Error| Damage::Unsupported(format!("auto: {e}"));
            self.implicit.start(system, &mut initial.clone(), self.t_end).map_err(unsupported)?;
        }
        self.implicit.persist(system, initial, archive)
    }

    fn choice(&self) -> Option<String> {
        match (self.is_explicit, self.ended) {
            (true, _) => Some(format!(
                "{}: the model has no constraints in these coordinates, and its motion is not stiff",
                self.explicit.name()
            )),
            (false, Some(t)) => {
                let then = self.implicit.choice().unwrap_or_default();
                Some(format!(
                    "{} until t = {t:.3e} s, where the motion became stiff; then {then}",
                    self.explicit.name()
                ))
            }
            (false, None) => self.implicit.choice(),
        }
    }
}
