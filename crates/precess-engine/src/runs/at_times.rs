//! Samples at requested times, by dense output between the steps of a run.

use super::balance::WorkBetween;
use super::recorder::{Moment, Recorder, Sample};
use crate::Error;
use crate::integrate::Dense;
use crate::mechanics::State;
use crate::persist::{Archive, Damage, Persist, ensure};

/// Passes the solution at given times to another recorder, instead of steps, and events in between.
///
/// ```
/// use precess_engine::formulation::Formulation;
/// use precess_engine::integrate::{Form, GeneralizedAlpha, Implicit, InitialValues};
/// use precess_engine::problems::HeavyTop;
/// use precess_engine::runs::{at_times::AtTimes, recorder::Sample, run::Run};
///
/// let top = HeavyTop::fast(Formulation::SE3);
/// let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
/// let mut method = Implicit::new(GeneralizedAlpha::new(0.9, Form::StabilizedIndex2)?);
/// let mut times = Vec::new();
/// let mut recorder = AtTimes::every(0.01, 0.0, 0.1, |sample: &Sample| times.push(sample.state.t));
/// Run::new(7e-4, 0.1).run(&top, &mut method, &mut state, &mut recorder)?;
/// recorder.finish()?;
/// assert_eq!(times.len(), 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AtTimes<R> {
    times: Vec<f64>,
    next: usize,
    last: Option<State>,
    /// Work at the last sample.
    work: Option<f64>,
    dense: Option<Dense>,
    /// Events inside the current step.
    passing: Vec<(usize, State)>,
    error: Option<Error>,
    inner: R,
}

impl<R: Recorder> AtTimes<R> {
    /// Samples at these times, in any order; times outside the run are ignored.
    pub fn new(mut times: Vec<f64>, inner: R) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        AtTimes {
            times,
            next: 0,
            last: None,
            work: None,
            dense: None,
            passing: Vec::new(),
            error: None,
            inner,
        }
    }

    /// Samples from the start to the end in steps of `interval`; only at the start if that is not a positive
    /// number.
    pub fn every(interval: f64, from: f64, to: f64, inner: R) -> Self {
        let n = if interval > 0.0 { (to - from) / interval * (1.0 + 1e-12) + 1e-9 } else { 0.0 };
        let n = n.max(0.0) as usize;
        Self::new((0..=n).map(|i| (from + i as f64 * interval).min(to)).collect(), inner)
    }

    /// The other recorder, or the error of the dense output.
    pub fn finish(self) -> Result<R, Error> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.inner),
        }
    }

    /// The other recorder, and the error that ended the dense output early, if there was one.
    pub fn into_parts(self) -> (R, Option<Error>) {
        (self.inner, self.error)
    }

    fn between(&mut self, sample: &Sample) -> Result<(), Error> {
        let system = sample.system;
        let Some(last) = &mut self.last else { return Ok(()) };
        let dense = self.dense.get_or_insert_with(|| Dense::new(system, last));
        // The last time of a run is reached up to rounding errors.
        let slack = 1e-9 * (sample.state.t - last.t);
        let wanted = |t: f64| t <= sample.state.t + slack;
        let mut ready = false;
        let shown = !self.passing.is_empty() || self.times.get(self.next).is_some_and(|t| wanted(*t));
        let power = |state: &State| system.power(&state.at()).unwrap_or(0.0);
        let work = self.work.zip(sample.work).filter(|_| shown).map(|(first, now)| WorkBetween {
            t: [last.t, sample.state.t],
            work: [first, now],
            power: [power(last), power(sample.state)],
        });
        let mut events = self.passing.drain(..).peekable();
        let mut show = |state: &State, moment| {
            let work = work.map(|w| w.at(state.t));
            self.inner.record(&Sample { state, moment, eta: None, work, ..*sample });
        };
        while let Some(&t) = self.times.get(self.next).filter(|t| wanted(**t)) {
            while let Some((event, state)) = events.next_if(|e| e.1.t <= t) {
                show(&state, Moment::Passing(event));
            }
            if !ready {
                dense.between(system, last, sample.state)?;
                ready = true;
            }
            let state = dense.state(system, t.max(last.t).min(sample.state.t))?;
            show(state, Moment::Step);
            self.next += 1;
        }
        for (event, state) in events {
            show(&state, Moment::Passing(event));
        }
        Ok(())
    }
}

impl<R: Recorder> Recorder for AtTimes<R> {
    fn record(&mut self, sample: &Sample) {
        if self.error.is_some() {
            return;
        }
        match sample.moment {
            Moment::Passing(event) => return self.passing.push((event, sample.state.clone())),
            Moment::Restart => self.inner.record(sample),
            Moment::Step | Moment::Cut(_) => {
                if self.last.is_none() {
                    // Times before the run are skipped; its start may be one of them.
                    let t_0 = sample.state.t;
                    self.next = self.times.partition_point(|t| *t < t_0);
                    if self.times.get(self.next) == Some(&t_0) {
                        self.next += 1;
                        self.inner.record(sample);
                    }
                    self.last = Some(sample.state.clone());
                } else if let Err(error) = self.between(sample) {
                    self.error = Some(error);
                }
                if matches!(sample.moment, Moment::Cut(_)) {
                    self.inner.record(sample);
                }
            }
        }
        if let Some(last) = &mut self.last {
            last.copy_from(sample.state);
        }
        self.work = sample.work;
    }

    /// Between the ends of a step, dense output computes forces anyway.
    fn reads_forces(&self, step: usize, t: f64) -> bool {
        let slack = 1e-9 * self.last.as_ref().map_or(0.0, |last| t - last.t);
        let mut wanted =
            self.times[self.next.min(self.times.len())..].iter().take_while(|x| **x <= t + slack);
        wanted.any(|x| *x >= t) && self.inner.reads_forces(step, t)
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let AtTimes { times, next, last, work, dense: _, passing, error, inner } = self;
        if let Some(error) = error {
            return Err(Damage::Unsupported(format!("output at given times that has failed ({error})")));
        }
        (&mut *next, work).persist(archive)?;
        archive.maybe_like(last, like)?;
        archive.growing_like(passing, &(0, like.clone()))?;
        // A time may be passed by rounding errors. After a step no event is pending.
        let t = last.as_ref().map_or(f64::NEG_INFINITY, |s| s.t);
        let slack = times.first().zip(times.last()).map_or(0.0, |(a, b)| 1e-9 * (t.abs() + b - a));
        let between = times.get(..*next).is_some_and(|done| done.iter().all(|x| *x <= t + slack))
            && times.get(*next).is_none_or(|x| *x >= t - slack);
        ensure(between && passing.is_empty() && last.is_some(), || {
            format!("{next} of {} times of output were before {t} s", times.len())
        })?;
        inner.persist(like, archive)
    }
}
