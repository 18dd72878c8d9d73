//! Runs a model from its file to its results in one call.

use super::checkpoint::Checkpoints;
use super::recorder::Recorder;
use super::summary::{Failure, Summary};
use crate::Error;
use crate::integrate::{InitialValues, Integrator};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, System};
use crate::methods::{adaptive_method, method};
use crate::model::{Built, Loaded, Settings, build};

/// Consistent initial values of a model, corrected if the settings ask for it.
pub fn initial_state(settings: &Settings, built: &Built) -> Result<State, Error> {
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = settings.fix_initial;
    initial.consistent(&*built.system)
}

/// System, initial state and method of a model.
pub type Begun = (Box<dyn Mechanism>, State, Box<dyn Integrator>);

/// A model, ready for its first step of given size.
pub fn begin(loaded: &Loaded) -> Result<Begun, Error> {
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation)?;
    let state = initial_state(settings, &built)?;
    let mut options = settings.options;
    // The errors must be those of the method with this step alone.
    options.newton.recovery = false;
    Ok((built.system, state, method(&settings.method, &options)?))
}

/// Integrates with a tolerance or with fixed steps, depending on the settings. Calls `warn` with warnings
/// about the method. The outer error means that the run cannot begin, the inner one that it ended early.
pub fn integrate(
    settings: &Settings,
    system: &dyn System,
    state: &mut State,
    recorder: &mut dyn Recorder,
    checkpoints: Option<&mut Checkpoints>,
    warn: &mut dyn FnMut(String),
) -> Result<Result<Summary, Box<Failure>>, Error> {
    if let (Some(run), Some(tol)) = (settings.adaptive_run(), settings.tolerance) {
        let mut adaptive = adaptive_method(&settings.method, &settings.options, tol)?;
        adaptive.warning().into_iter().for_each(warn);
        return Ok(run.run_with(system, &mut *adaptive, state, recorder, checkpoints));
    }
    let mut integrator = match &settings.history {
        Some((name, bytes)) if settings.method == "bliedf" => {
            let (_, h) = settings.run().steps(state.t)?;
            let states = super::given_history::states((name, bytes), system, state, settings.options.k, h)?;
            Box::new(settings.options.bliedf()?.with_history(states)?)
        }
        _ => method(&settings.method, &settings.options)?,
    };
    integrator.warning().into_iter().for_each(warn);
    settings.run().steps(state.t)?;
    Ok(settings.run().run_with(system, &mut *integrator, state, recorder, checkpoints))
}

/// True for errors of the input; all others are failures of a simulation.
pub fn is_input(error: &Error) -> bool {
    matches!(
        error,
        Error::Parameter { .. }
            | Error::Coefficients { .. }
            | Error::UnknownName { .. }
            | Error::Unsupported { .. }
            | Error::Precision { .. }
            | Error::Countless { .. }
            | Error::Checkpoint(_)
            | Error::Model(_)
            | Error::Input { .. }
    )
}

pub use whole::{Outcome, run};

mod whole {
    use super::{Error, State, Summary, initial_state, integrate, is_input};
    use crate::model::{Built, Loaded};
    use crate::study::results::{History, Results};
    use crate::study::{Recorder, Sample, report};

    /// The outcome of a run, complete or not.
    #[derive(Clone, Debug)]
    pub struct Outcome {
        /// Columns with names.
        pub results: Results,
        /// Counters, residuals, energy, trust.
        pub summary: Summary,
        /// The last state.
        pub state: State,
        /// The summary as text.
        pub text: String,
        /// The summary as JSON.
        pub report: serde_json::Value,
        /// Why the run ended early, if it did; the results up to then are kept.
        pub error: Option<Error>,
        /// Warnings about the method.
        pub warnings: Vec<String>,
    }

    impl Outcome {
        /// The results of a complete run that can be trusted; otherwise the reason.
        pub fn trusted(self) -> Result<Results, Error> {
            match (self.error, self.summary.trust.wrong()) {
                (Some(error), _) => Err(error),
                (None, Some(reason)) => Err(Error::Untrusted { reason: reason.to_string() }),
                (None, None) => Ok(self.results),
            }
        }
    }

    /// Sees every step and may end the run.
    struct Watch<'a> {
        history: History<'a>,
        see: &'a mut dyn FnMut(&Sample) -> bool,
        stop: bool,
    }

    impl Recorder for Watch<'_> {
        fn record(&mut self, sample: &Sample) {
            self.history.record(sample);
            self.stop |= !(self.see)(sample);
        }

        fn reads_forces(&self, step: usize, t: f64) -> bool {
            self.history.reads_forces(step, t)
        }

        fn stops(&self) -> bool {
            self.stop
        }
    }

    /// Runs a model that has been built in the formulation of its settings. `see` gets every step and returns
    /// whether to continue. A failed run keeps its results so far; a returned error means that nothing could
    /// be run.
    pub fn run(
        loaded: &Loaded,
        built: &Built,
        see: &mut dyn FnMut(&Sample) -> bool,
    ) -> Result<Outcome, Error> {
        let settings = &loaded.settings;
        let system = &*built.system;
        let mut state = initial_state(settings, built)?;
        let mut watch = Watch { history: History::new(loaded, system, state.t), see, stop: false };
        let mut warnings = Vec::new();
        let result = integrate(settings, system, &mut state, &mut watch, None, &mut |w| warnings.push(w))?;
        let (summary, error) = match result {
            Ok(summary) => (summary, None),
            Err(failure) if is_input(&failure.error) && failure.summary.steps == 0 => {
                return Err(failure.error);
            }
            Err(failure) => (failure.summary, Some(failure.error)),
        };
        let why = error.as_ref().map(Error::to_string);
        let (results, why) = watch.history.finish(&summary, why);
        let error = error.or(why.clone().map(|reason| Error::Untrusted { reason }));
        let text = report::text(loaded, built, &state, &summary);
        let report = report::json(loaded, built, &state, &summary, why.as_deref());
        Ok(Outcome { results, summary, state, text, report, error, warnings })
    }
}
