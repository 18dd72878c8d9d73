//! Runs a model for a picture: the solution at as many times as a page can use.

use precess::integrate::InitialValues;
use precess::model::{Loaded, build};
use precess::study::execute::integrate;
use precess::study::results::{Recording, Results};
use precess::study::{AtTimes, Recorder, Sample, Sampling};

use crate::motion::{most_frames, wanted_frames};
use crate::scene::BUDGET;

/// Sees every step, and may end the run.
struct Watch<'a, R> {
    inner: AtTimes<R>,
    see: &'a mut dyn FnMut(&Sample) -> bool,
    stop: bool,
}

impl<R: Recorder> Recorder for Watch<'_, R> {
    fn record(&mut self, sample: &Sample) {
        self.inner.record(sample);
        self.stop |= !(self.see)(sample);
    }

    fn reads_forces(&self, step: usize, t: f64) -> bool {
        self.inner.reads_forces(step, t)
    }

    fn stops(&self) -> bool {
        self.stop
    }
}

/// Number of times that are kept: the need of the page ([`Motion`](crate::motion::Motion)), plus half as many
/// for bodies that turn faster later.
fn frames(loaded: &Loaded, span: f64) -> usize {
    let model = &loaded.model;
    let spin = model.bodies.iter().map(|b| b.angular_velocity.norm()).fold(0.0, f64::max);
    let most = most_frames(model.bodies.len(), model.joints.len(), BUDGET);
    // A few bodies cost little, and may turn faster than at the start.
    let least = if model.bodies.len() <= 20 { 1000.0 } else { 0.0 };
    wanted_frames(span, 1.5 * spin).max(least).min(most as f64) as usize
}

/// Runs a model and keeps the data for a page. `see` gets every step and returns whether to continue. A
/// failed run keeps its results so far, with the error in the summary; a returned error means that nothing
/// could be run.
pub fn simulate(loaded: &Loaded, see: &mut dyn FnMut(&Sample) -> bool) -> Result<Results, precess::Error> {
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation)?;
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = s.fix_initial;
    let mut state = initial.consistent(&*built.system)?;
    let interval = (s.until - state.t) / frames(loaded, s.until - state.t) as f64;
    let recording = Recording::new(loaded, &*built.system, Sampling::Steps(1));
    let inner = AtTimes::every(interval, state.t, s.until, recording);
    let mut watch = Watch { inner, see, stop: false };
    let result = integrate(s, &*built.system, &mut state, &mut watch, None, &mut |_| {})?;
    let (summary, error) = match result {
        Ok(summary) => (summary, None),
        Err(failure) => (failure.summary.clone(), Some(failure.error.to_string())),
    };
    let (recording, between) = watch.inner.into_parts();
    let error = error.or(between.map(|e| e.to_string()));
    Ok(recording.finish(&summary, error.as_deref()))
}
