//! Runs of a sweep side by side, in the lanes of the vector unit, if their models are alike.
//!
//! Programs that control the steps do the same directly:
//!
//! ```
//! use precess::integrate::InitialValues;
//! use precess::integrate::side_by_side::LANES;
//! use precess::mechanics::System;
//! use precess::methods::MethodOptions;
//! use precess::model::{build, load};
//!
//! let text = std::fs::read_to_string("../../models/heavy_top.toml")?;
//! let top = load("heavy_top.toml", &text, &[])?;
//! let built = build(&top.model, top.settings.formulation)?;
//! let systems: [&dyn System; LANES] = [&*built.system; LANES];
//! let mut runs = MethodOptions::default().side_by_side(systems).expect("a body and a joint");
//! let mut states = Vec::new();
//! for spin in [150.0, 151.0, 152.0, 153.0] {
//!     let mut v = built.v.clone();
//!     v[1] = spin;
//!     states.push(InitialValues::new(&built.q, &v).consistent(&*built.system)?);
//! }
//! runs.start(&mut states, 1e-3)?;
//! for _ in 0..100 {
//!     runs.step();
//! }
//! for lane in 0..LANES {
//!     assert!(runs.state(lane, &mut states[lane]));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::summary::Summary;
use super::trust::Glance;
use crate::Error;
use crate::integrate::side_by_side::{Counts, LANES, SideBySide};
use crate::integrate::{Integrator, StepReport};
use crate::mechanics::Multibody;
use crate::mechanics::batch::{LanePlan, refusal};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, System};
use crate::model::Settings;

/// A run that is ready to start.
pub(super) struct Ready {
    pub system: Box<dyn Mechanism>,
    pub settings: Settings,
    /// Consistent initial values.
    pub state: State,
}

impl Ready {
    /// Why runs like this one are made one after the other; none if they can be made at the same time.
    pub fn refusal(&self) -> Option<&'static str> {
        let Settings { method, tolerance, options, projection, .. } = &self.settings;
        if method != "gen-alpha" || tolerance.is_some() {
            return Some("only gen-alpha with fixed steps runs in lanes");
        }
        if *projection != Default::default() {
            return Some("projections");
        }
        let Some(model) = Multibody::of(&*self.system) else {
            return Some("coordinates other than r3so3 and se3");
        };
        let usual = "more than 96 unknowns, a form that lanes do not speed up, a processor without AVX2, or \
                     settings of Newton's method";
        let lanes = || options.planned_side_by_side([&*self.system as &dyn System; LANES], &mut None);
        refusal(model).or_else(|| lanes().is_none().then_some(usual))
    }
}

/// The outcome of a run in a lane.
pub(super) struct Combine {
    /// The final state.
    pub state: State,
    /// Counts, without the monitors of a complete run.
    pub summary: Summary,
    /// Its steps, if they are needed.
    pub steps: Option<Replay>,
}

/// States of all steps are kept up to this number of values (32 MB).
const MOST_NUMBERS: usize = 4_000_000;

/// Makes runs at the same time, at most as many as there are lanes; none if that is not possible. A run that
/// did not converge gives none. `watched`: their steps are needed. `plan`: that of earlier runs, kept for
/// later ones. `stops`: true to end early.
pub(super) fn run_batch(
    runs: &[Option<&Ready>],
    watched: bool,
    plan: &mut Option<LanePlan>,
    stops: &dyn Fn() -> bool,
) -> Option<Vec<Option<Combine>>> {
    let present: Vec<&Ready> = runs.iter().copied().flatten().collect();
    let (first, many) = (*present.first()?, present.len() > 1 && runs.len() <= LANES);
    let alike = |r: &&Ready| {
        let (a, b) = (&r.settings, &first.settings);
        (a.options, a.step, a.until, r.state.t) == (b.options, b.step, b.until, first.state.t)
            && a.method == b.method
            && a.tolerance.is_none()
            && a.projection == Default::default()
    };
    if !many || first.settings.method != "gen-alpha" || !present.iter().all(alike) {
        return None;
    }
    // A single run stops at kinks of its functions of time and starts again.
    let until = first.settings.until;
    if present.iter().any(|r| !r.system.breakpoints(r.state.t, until).is_empty()) {
        return None;
    }
    // Lanes without a run repeat the first one.
    let lanes: [&Ready; LANES] = std::array::from_fn(|i| runs.get(i).copied().flatten().unwrap_or(first));
    let (steps, h) = first.settings.run().steps(first.state.t).ok()?;
    let numbers: usize =
        lanes.iter().map(|r| r.state.q.len() + 2 * r.state.v.len() + 2 * r.state.lambda.len()).sum();
    if watched && steps.checked_mul(numbers)? > MOST_NUMBERS {
        return None;
    }
    let systems = lanes.map(|r| &*r.system as &dyn System);
    let mut beside = first.settings.options.planned_side_by_side(systems, plan)?;
    let mut states: Vec<State> = lanes.iter().map(|r| r.state.clone()).collect();
    beside.start(&mut states, h).ok()?;
    let mut replays: Vec<Replay> = states.iter().map(|s| Replay::new(s.clone(), beside.order())).collect();
    // If the steps are examined later, the trust in the results is also judged there.
    let mut glances: Vec<Glance> = Vec::new();
    if !watched {
        glances.extend(lanes.iter().map(|r| Glance::new(&*r.system, &r.state, steps, h)));
    }
    let mut there = first.state.clone();
    for step in 1..=steps {
        if stops() {
            return None;
        }
        let before = beside.counts();
        beside.step();
        for lane in (0..LANES).filter(|_| watched) {
            let (now, before) = (beside.counts()[lane], before[lane]);
            let report = StepReport {
                iterations: now.iterations - before.iterations,
                jacobians: now.jacobians - before.jacobians,
                ..StepReport::default()
            };
            replays[lane].push(&beside, lane, report);
        }
        for (lane, glance) in glances.iter_mut().enumerate().filter(|(_, g)| g.wants(step)) {
            beside.state(lane, &mut there);
            glance.observe(&*lanes[lane].system, step, &there);
        }
    }
    let mut glances = glances.into_iter();
    let mut all = states.into_iter().zip(replays).enumerate();
    let ends = runs.iter().map(|run| {
        let (lane, (mut state, replay)) = all.next()?;
        let converged = beside.state(lane, &mut state);
        let Counts { iterations, jacobians, .. } = beside.counts()[lane];
        let glance = glances.next().map(|g| g.close(&*lanes[lane].system, &state));
        let trust = glance.unwrap_or_default();
        let summary =
            Summary { h, steps, t_end: state.t, iterations, jacobians, trust, ..Summary::default() };
        (run.is_some() && converged).then(|| Combine { state, summary, steps: watched.then_some(replay) })
    });
    Some(ends.collect())
}

/// A method with known steps, to examine a run afterwards.
pub(super) struct Replay {
    /// The state after the start, then after each step.
    states: Vec<State>,
    etas: Vec<Vec<f64>>,
    reports: Vec<StepReport>,
    next: usize,
    order: usize,
}

impl Replay {
    fn new(start: State, order: usize) -> Self {
        Replay {
            states: vec![start],
            etas: vec![Vec::new()],
            reports: vec![StepReport::default()],
            next: 0,
            order,
        }
    }

    fn push(&mut self, beside: &SideBySide, lane: usize, report: StepReport) {
        let mut state = self.states[0].clone();
        beside.state(lane, &mut state);
        self.states.push(state);
        self.etas.push(beside.eta(lane));
        self.reports.push(report);
    }
}

impl Integrator for Replay {
    fn name(&self) -> &'static str {
        "gen-alpha"
    }

    fn order(&self) -> usize {
        self.order
    }

    fn eta(&self) -> Option<&[f64]> {
        self.etas.get(self.next).map(Vec::as_slice).filter(|eta| !eta.is_empty())
    }

    fn start(&mut self, _: &dyn System, state: &mut State, _: f64) -> Result<(), Error> {
        self.next = 0;
        state.copy_from(&self.states[0]);
        Ok(())
    }

    fn step(&mut self, _: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        self.next += 1;
        let Some(next) = self.states.get(self.next) else {
            // The steps requested are not the steps that were made.
            return Err(Error::Parameter {
                name: "step",
                value: h,
                expected: "the steps of this run are known",
            });
        };
        state.copy_from(next);
        Ok(self.reports[self.next])
    }
}
