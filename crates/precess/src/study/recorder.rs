//! What is kept of a run.

use crate::integrate::StepReport;
use crate::mechanics::{State, System};

/// The solution after a step, and what the step did.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// Number of the step; 0 is the initial state.
    pub step: usize,
    /// The solution.
    pub state: &'a State,
    /// eta_n of the stabilized form.
    pub eta: Option<&'a [f64]>,
    /// Newton's work in this step.
    pub report: StepReport,
}

/// Sees every step of a run, including the initial state as step 0.
pub trait Recorder {
    /// Takes note of a step.
    fn record(&mut self, sample: &Sample);

    /// True to end the run after the step just recorded.
    fn stops(&self) -> bool {
        false
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
}

/// Two recorders see the same run.
impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn record(&mut self, sample: &Sample) {
        self.0.record(sample);
        self.1.record(sample);
    }

    fn stops(&self) -> bool {
        self.0.stops() || self.1.stops()
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
    /// Every n-th step; n = 0 is taken as 1.
    pub fn steps(n: usize) -> Self {
        Every { n: n.max(1), states: Vec::new() }
    }
}

impl Recorder for Every {
    fn record(&mut self, sample: &Sample) {
        if sample.step.is_multiple_of(self.n) {
            self.states.push(sample.state.clone());
        }
    }
}
