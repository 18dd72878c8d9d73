//! Records the results of a run: its steps, or the solution at equal times between them.

use super::{Recording, Results};
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::model::Loaded;
use crate::persist::{Archive, Damage};
use crate::study::{AtTimes, Recorder, Sample, Sampling, Summary};

/// A [`Recorder`] of all results, at steps or at times, as the settings say.
pub enum History<'a> {
    /// Ends of steps.
    Steps(Box<Recording<'a>>),
    /// Times between them, on the dense output.
    Times(Box<AtTimes<Recording<'a>>>),
}

impl<'a> History<'a> {
    /// A recorder for a model with its settings, from time `t_0` on.
    pub fn new(loaded: &Loaded, system: &'a dyn Mechanism, t_0: f64) -> Self {
        let s = &loaded.settings;
        match s.every {
            Sampling::Steps(_) => History::Steps(Box::new(Recording::new(loaded, system, s.every))),
            Sampling::Time(dt) => {
                let all = Recording::new(loaded, system, Sampling::Steps(1));
                History::Times(Box::new(AtTimes::every(dt, t_0, s.until, all)))
            }
        }
    }

    fn inner(&self) -> &dyn Recorder {
        match self {
            History::Steps(recording) => &**recording,
            History::Times(times) => &**times,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Recorder {
        match self {
            History::Steps(recording) => &mut **recording,
            History::Times(times) => &mut **times,
        }
    }

    /// The results, and why they end early if they do; `error` is the error of the run.
    pub fn finish(self, summary: &Summary, error: Option<String>) -> (Results, Option<String>) {
        let (recording, between) = match self {
            History::Steps(recording) => (*recording, None),
            History::Times(times) => times.into_parts(),
        };
        let error = error.or(between.map(|e| e.to_string()));
        (recording.finish(summary, error.as_deref()), error)
    }
}

impl Recorder for History<'_> {
    fn record(&mut self, sample: &Sample) {
        self.inner_mut().record(sample);
    }

    fn reads_forces(&self, step: usize, t: f64) -> bool {
        self.inner().reads_forces(step, t)
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        self.inner_mut().persist(like, archive)
    }
}
