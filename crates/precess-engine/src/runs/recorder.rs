//! Recorders, which see every step of a run.

use crate::integrate::integrator::Conjugate;
use crate::integrate::{Integrator, StepReport};
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage};

/// The kind of a sample. Runs without events and breakpoints have only steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The end of a step, or the start of the run.
    #[default]
    Step,
    /// The event of this index, inside a step that continues.
    Passing(usize),
    /// The event of this index, at which the step was cut off, before its action.
    Cut(usize),
    /// The same time again after an event has acted or a force has jumped: q and v are the same, v' and
    /// lambda are not.
    Restart,
}

/// The solution after a step, with a report on the step.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// Number of the step; 0 is the initial state.
    pub step: usize,
    /// The solution.
    pub state: &'a State,
    /// eta_n of the stabilized form, or gamma of a conserving method.
    pub eta: Option<&'a [f64]>,
    /// lambda of the last step, for methods whose multipliers belong to a step.
    pub step_lambda: Option<&'a [f64]>,
    /// Newton's work in this step.
    pub report: StepReport,
    /// The kind of this sample.
    pub moment: Moment,
    /// Momenta and velocities of methods in which they are independent.
    pub conjugate: Option<Conjugate<'a>>,
    /// Work since the start of drives and forces without potential; none if the energy is an invariant.
    pub work: Option<f64>,
}

impl<'a> Sample<'a> {
    /// A state and its moment; the run adds the data of the method and the work.
    pub fn of(
        system: &'a dyn System,
        step: usize,
        state: &'a State,
        report: StepReport,
        moment: Moment,
    ) -> Self {
        let (eta, step_lambda, conjugate) = (None, None, None);
        Sample { system, step, state, eta, step_lambda, report, moment, conjugate, work: None }
    }

    /// Adds the data of the method.
    pub fn with(self, method: &'a dyn Integrator) -> Self {
        let (eta, step_lambda, conjugate) = (method.eta(), method.step_lambda(), method.conjugate());
        Sample { eta, step_lambda, conjugate, ..self }
    }
}

/// Sees every step of a run, including the initial state as step 0.
pub trait Recorder {
    /// Records a step.
    fn record(&mut self, sample: &Sample);

    /// True if accelerations or forces of this step, which ends at t, are needed. Runs with a tolerance then
    /// make them consistent with positions and velocities
    /// ([`ConsistentForces`](crate::integrate::ConsistentForces)), which costs about half a step.
    fn reads_forces(&self, step: usize, t: f64) -> bool {
        let _ = (step, t);
        true
    }

    /// True to end the run after the step just recorded.
    fn stops(&self) -> bool {
        false
    }

    /// Saves or restores the recorded data, so that an interrupted run has recorded the same; `like` is a
    /// state of the run. Nothing by default: closures start again.
    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let _ = (like, archive);
        Ok(())
    }
}

/// Any closure is a recorder.
impl<F: FnMut(&Sample)> Recorder for F {
    fn record(&mut self, sample: &Sample) {
        self(sample)
    }
}

/// Records nothing.
impl Recorder for () {
    fn record(&mut self, _sample: &Sample) {}

    fn reads_forces(&self, _step: usize, _t: f64) -> bool {
        false
    }
}

/// Two recorders see the same run.
impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn record(&mut self, sample: &Sample) {
        self.0.record(sample);
        self.1.record(sample);
    }

    fn reads_forces(&self, step: usize, t: f64) -> bool {
        self.0.reads_forces(step, t) || self.1.reads_forces(step, t)
    }

    fn stops(&self) -> bool {
        self.0.stops() || self.1.stops()
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        self.0.persist(like, archive)?;
        self.1.persist(like, archive)
    }
}

/// Keeps the states of every n-th step in memory.
#[derive(Clone, Debug)]
pub struct Every {
    n: usize,
    /// The states, the initial one first.
    pub states: Vec<State>,
}

impl Every {
    /// Keeps every n-th step; n = 0 counts as 1.
    pub fn steps(n: usize) -> Self {
        Every { n: n.max(1), states: Vec::new() }
    }
}

impl Recorder for Every {
    fn record(&mut self, sample: &Sample) {
        if sample.step.is_multiple_of(self.n) && sample.moment == Moment::Step {
            self.states.push(sample.state.clone());
        }
    }

    fn reads_forces(&self, step: usize, _t: f64) -> bool {
        step.is_multiple_of(self.n)
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        archive.growing_like(&mut self.states, like)
    }
}
