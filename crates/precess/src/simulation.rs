//! A simulation that is advanced by hand: for control loops, other programs and notebooks.
//!
//! [`Simulation`] owns everything: model, equations, state and method. It has no lifetime, can be sent to another thread, saved
//! and restored with the same bits. Breakpoints and events are handled as in a run ([`Course`]). Actuators, forces and torques of the model
//! are inputs that a program may set between two advances ([`Simulation::set_input`]).
//!
//! ```
//! use precess::prelude::*;
//!
//! let model = Model::new("pendulum")
//!     .gravity([0.0, 0.0, -9.81])
//!     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
//!     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y));
//! let mut simulation = Simulation::with_step(model, 1e-3)?;
//! simulation.advance_to(0.2)?;
//! let saved = simulation.to_bytes()?;
//! simulation.advance_to(0.4)?;
//! let later = simulation.body("rod")?.position;
//! simulation.from_bytes(&saved)?;
//! simulation.advance_to(0.4)?;
//! assert_eq!(simulation.body("rod")?.position, later);
//! # Ok::<(), precess::Error>(())
//! ```

mod inputs;

use std::path::Path;
use std::sync::Arc;

use crate::Error;
use crate::integrate::adaptive::{Adaptive, Horizon, TurningPoints};
use crate::integrate::{Accelerations, ConsistentForces, Integrator, StepReport};
use crate::mechanics::State;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::methods::{adaptive_method, method};
use crate::model::{Built, Loaded, Model, Settings, build};
use crate::persist::{Archive, Damage, Persist, ensure};
use crate::study::driver::{HISTORY, NOTHING_LEFT};
use crate::study::execute::initial_state;
use crate::study::{
    Cadence, CheckpointError, Checkpoints, Course, Identity, Next, Occurrence, Run, replace::replace,
};

use inputs::Inputs;

/// A method with steps of one size, or one that chooses them.
enum Method {
    Fixed(Box<dyn Integrator>),
    Adaptive(Box<dyn Adaptive>),
}

impl Method {
    fn new(settings: &Settings) -> Result<Self, Error> {
        Ok(match settings.tolerance {
            Some(tol) => Method::Adaptive(adaptive_method(&settings.method, &settings.options, tol)?),
            None => Method::Fixed(method(&settings.method, &settings.options)?),
        })
    }
}

/// Where a simulation is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    /// The method has started.
    started: bool,
    /// Beginning of the smooth piece.
    from: f64,
    /// Size of the last step; of fixed steps, the size the method was started with.
    h: f64,
    /// Up to where breakpoints are known.
    horizon: f64,
    /// Steps so far.
    steps: usize,
    /// An input has changed, so forces have jumped.
    jumped: bool,
}

crate::persist!(Place { started, from, h, horizon, steps, jumped });

/// A model on its way through time.
pub struct Simulation {
    loaded: Arc<Loaded>,
    system: Arc<dyn Mechanism>,
    initial: Arc<State>,
    state: State,
    method: Method,
    course: Course,
    turning: TurningPoints,
    place: Place,
    inputs: Inputs,
    /// For forces that have jumped; none until an input changes.
    accelerations: Option<Accelerations>,
    /// Makes forces consistent with positions and velocities; none until they are asked for.
    forces: Option<ConsistentForces>,
    /// The present state with such forces, once they were asked for.
    reported: Option<State>,
}

impl Simulation {
    /// A model with the settings of its file; a [`Model`] made in Rust has a tolerance of 1e-6.
    pub fn new(model: impl Into<Loaded>) -> Result<Self, Error> {
        let loaded = model.into();
        let (model, inputs) = Inputs::of(&loaded.model);
        let built = build(&model, loaded.settings.formulation)?;
        let initial = initial_state(&loaded.settings, &built)?;
        let Built { system, .. } = built;
        Self::begin(Arc::new(loaded), Arc::from(system), Arc::new(initial), inputs)
    }

    /// A model with a tolerance: the method chooses orders and steps.
    pub fn with_tol(model: Model, tol: f64) -> Result<Self, Error> {
        Self::new(Loaded::new(model, Settings::with_tol(tol)))
    }

    /// A model with steps of this size.
    pub fn with_step(model: Model, step: f64) -> Result<Self, Error> {
        Self::new(Loaded::new(model, Settings::with_step(step)))
    }

    fn begin(
        loaded: Arc<Loaded>,
        system: Arc<dyn Mechanism>,
        initial: Arc<State>,
        inputs: Inputs,
    ) -> Result<Self, Error> {
        let settings = &loaded.settings;
        let state = (*initial).clone();
        let horizon = settings.until.max(state.t);
        Ok(Simulation {
            method: Method::new(settings)?,
            course: Course::new(&*system, &state, horizon)?,
            turning: TurningPoints::of(&*system, state.t, horizon),
            place: Place { from: state.t, horizon, ..Place::default() },
            inputs,
            accelerations: None,
            forces: None,
            reported: None,
            state,
            loaded,
            system,
            initial,
        })
    }

    /// A simulation of the same equations and inputs, at its beginning.
    fn again(&self) -> Result<Self, Error> {
        Self::begin(self.loaded.clone(), self.system.clone(), self.initial.clone(), self.inputs.clone())
    }

    /// Begins again at the initial state, with all inputs zero.
    pub fn reset(&mut self) -> Result<(), Error> {
        *self = self.again()?;
        self.inputs.set_all(&vec![0.0; self.inputs.values().len()]);
        Ok(())
    }

    /// Inputs by name, and how many numbers each has: one for an actuator, three for a force or torque.
    pub fn inputs(&self) -> Vec<(String, usize)> {
        self.inputs.names()
    }

    /// Sets an input: what is added to the formula of an actuator, force or torque from now on, until it is set again.
    pub fn set_input(&mut self, name: &str, values: &[f64]) -> Result<(), Error> {
        if self.inputs.set(name, values)? {
            self.place.jumped = true;
            self.reported = None;
        }
        Ok(())
    }

    /// Forces have jumped: accelerations and multipliers fit again, and the method forgets its past.
    fn jump(&mut self) -> Result<(), Error> {
        if !std::mem::take(&mut self.place.jumped) {
            return Ok(());
        }
        let system = &*self.system;
        self.accelerations
            .get_or_insert_with(|| Accelerations::fast(system))
            .solve(system, &mut self.state)?;
        if self.place.started { self.restart() } else { Ok(()) }
    }

    /// The present time.
    pub fn t(&self) -> f64 {
        self.state.t
    }

    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.place.steps
    }

    /// The present state in the coordinates of the formulation.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Model and settings.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Equations of motion.
    pub fn system(&self) -> &dyn Mechanism {
        &*self.system
    }

    /// Events so far.
    pub fn events(&self) -> &[Occurrence] {
        &self.course.occurrences
    }

    /// The event that ended the simulation, if one did; nothing moves after it.
    pub fn stopped(&self) -> Option<&Occurrence> {
        self.events().last().filter(|o| o.action == "stop")
    }

    /// Advances to time t exactly: the last step ends there. An event that ends the run may do so earlier
    /// ([`stopped`](Self::stopped)).
    pub fn advance_to(&mut self, t: f64) -> Result<(), Error> {
        self.look_ahead(t)?;
        while self.stopped().is_none() && self.is_before(t) {
            self.one_step(t)?;
        }
        Ok(())
    }

    /// One step of the method, whose size the settings or the tolerance decide.
    pub fn step(&mut self) -> Result<(), Error> {
        let t = match self.method {
            Method::Fixed(_) => self.state.t + self.loaded.settings.step,
            Method::Adaptive(_) => self.place.horizon,
        };
        let t = if t > self.state.t { t } else { self.state.t + self.loaded.settings.until.max(1.0) };
        self.look_ahead(t)?;
        if self.stopped().is_none() { self.one_step(t) } else { Ok(()) }
    }

    /// Rests below a small part of a step are none.
    fn is_before(&self, t: f64) -> bool {
        t - self.state.t > NOTHING_LEFT * self.place.h.max(f64::EPSILON * t.abs())
    }

    /// Knows breakpoints at least up to t, and starts the method before the first step.
    fn look_ahead(&mut self, t: f64) -> Result<(), Error> {
        if !(t >= self.state.t && t.is_finite()) {
            let expected = "a simulation goes forward: give a time that is not before its own";
            return Err(Error::Parameter { name: "t", value: t, expected });
        }
        self.jump()?;
        let (system, now) = (&*self.system, self.state.t);
        if t > self.place.horizon {
            // Twice as far each time, so that many short advances look ahead a few times only.
            self.place.horizon = t + (t - self.initial.t);
            self.course.extend(system, now, self.place.horizon)?;
            self.turning = TurningPoints::of(system, now, self.place.horizon);
        }
        if let (Method::Adaptive(adaptive), false) = (&mut self.method, self.place.started) {
            adaptive.start(system, &mut self.state, self.place.horizon.max(t))?;
            self.place.started = true;
        }
        Ok(())
    }

    /// One step that does not end after t, and what follows it: an event, or the end of a smooth piece.
    fn one_step(&mut self, t: f64) -> Result<(), Error> {
        self.reported = None;
        let end = self.course.piece_end(self.place.from);
        if end < self.place.horizon && end - self.state.t <= NOTHING_LEFT * self.place.h {
            self.course.cross_breakpoint(&*self.system, self.place.from, &mut self.state)?;
            return self.restart();
        }
        let stop = t.min(end);
        self.course.before_step(&self.state);
        let report = match &self.loaded.settings.tolerance {
            Some(_) => self.free_step(stop),
            None => self.equal_step(stop),
        };
        self.place.steps += 1;
        let step = self.place.steps;
        self.place.h = report.map_err(|e| e.in_step(step))?.h;
        let next = self.course.after_step(&*self.system, &mut self.state, |_, _| {});
        match next.map_err(|e| e.in_step(step))? {
            Next::Go | Next::Stop => Ok(()),
            Next::Restart => self.restart(),
        }
    }

    /// The past means nothing to the method any more.
    fn restart(&mut self) -> Result<(), Error> {
        self.place.from = self.state.t;
        match &mut self.method {
            // It starts with its next step.
            Method::Fixed(_) => self.place.started = false,
            Method::Adaptive(adaptive) => adaptive.restart(&*self.system, &mut self.state)?,
        }
        Ok(())
    }

    fn free_step(&mut self, stop: f64) -> Result<StepReport, Error> {
        let Method::Adaptive(adaptive) = &mut self.method else { return Ok(StepReport::default()) };
        let longest = self.loaded.settings.max_step.unwrap_or(f64::INFINITY);
        let h_max = self.turning.longest_step(self.state.t).min(longest);
        adaptive.advance(&*self.system, &mut self.state, Horizon { stop, h_max })
    }

    /// A step of the size that divides the way to `stop` into equal ones. Where that size changes, the method starts again.
    fn equal_step(&mut self, stop: f64) -> Result<StepReport, Error> {
        let Method::Fixed(fixed) = &mut self.method else { return Ok(StepReport::default()) };
        let settings = &self.loaded.settings;
        let run = Run { t_end: stop, ..settings.run() };
        let (steps, mut h) = run.steps(self.state.t)?;
        let same = (h - self.place.h).abs() <= SAME * h;
        if self.place.started && same {
            h = self.place.h;
        } else {
            fixed.start(&*self.system, &mut self.state, h)?;
            self.place.started = true;
        }
        let t = self.state.t;
        let mut report = fixed.step(&*self.system, &mut self.state, h)?;
        (report.h, report.order) = (h, fixed.order());
        // No accumulation of rounding errors in t.
        self.state.t = if steps == 1 { stop } else { t + h };
        run.project(&*self.system, &mut **fixed, &mut self.state, h)?;
        Ok(report)
    }
}

/// Sizes of steps that differ by less than this part are the same: times are rounded.
const SAME: f64 = 1e-9;

/// What bodies, joints and sensors do now. Everything is a copy.
impl Simulation {
    /// A body by name.
    pub fn body(&self, name: &str) -> Result<BodyState, Error> {
        find("body", name, self.bodies(), |b| &b.name)
    }

    /// All bodies.
    pub fn bodies(&self) -> Vec<BodyState> {
        self.system.bodies(&self.state.at())
    }

    /// Force and torque of a joint on its second body.
    pub fn joint(&mut self, name: &str) -> Result<Reaction, Error> {
        find("joint", name, self.joints(), |j| &j.name)
    }

    /// All joints.
    pub fn joints(&mut self) -> Vec<Reaction> {
        let system = self.system.clone();
        system.reactions(&self.with_forces().at())
    }

    /// The values of a sensor, one or three.
    pub fn sensor(&mut self, name: &str) -> Result<Vec<f64>, Error> {
        find("sensor", name, self.sensors(), |s| &s.0).map(|s| s.1)
    }

    /// All sensors.
    pub fn sensors(&mut self) -> Vec<(String, Vec<f64>)> {
        let system = self.system.clone();
        system.sensors(&self.with_forces().at())
    }

    /// Energy, where it is defined.
    pub fn energy(&self) -> Option<f64> {
        self.system.energy(&self.state.at()).map(|e| e.total())
    }

    /// The state with forces that fit its positions and velocities, as runs with a tolerance report them.
    fn with_forces(&mut self) -> &State {
        if self.loaded.settings.tolerance.is_none() {
            return &self.state;
        }
        let (system, state, forces) = (&*self.system, &self.state, &mut self.forces);
        self.reported.get_or_insert_with(|| {
            let forces = forces.get_or_insert_with(|| ConsistentForces::new(system, state));
            forces.of(system, state).clone()
        })
    }
}

fn find<T>(kind: &'static str, name: &str, list: Vec<T>, called: impl Fn(&T) -> &String) -> Result<T, Error> {
    match list.iter().position(|x| called(x) == name) {
        Some(i) => list.into_iter().nth(i).ok_or_else(|| Error::unknown_name(kind, name, [])),
        None => Err(Error::unknown_name(kind, name, list.iter().map(|x| called(x).as_str()))),
    }
}

/// Saving: the rest goes on with the same bits, in another program and on another day.
impl Simulation {
    fn checkpoints(&self) -> Checkpoints {
        let identity = Identity::of(&self.loaded).with("the kind of run", "a simulation by steps");
        Checkpoints::in_memory(Cadence::Steps(usize::MAX), identity)
    }

    /// Everything that the rest depends on, as bytes.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, Error> {
        let mut checkpoints = self.checkpoints();
        checkpoints.save(self.place.steps, |archive| self.persist(archive, false))?;
        Ok(checkpoints.bytes().to_vec())
    }

    /// Goes on from saved bytes of the same model and settings. On an error nothing changes.
    pub fn from_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut fresh = self.again()?;
        let before = self.inputs.values();
        let mut checkpoints = self.checkpoints();
        checkpoints.resume_from(bytes)?;
        let loaded = checkpoints.load(|archive| {
            fresh.persist(archive, true)?;
            Ok((fresh.place.steps, fresh.state.t))
        });
        if let Err(error) = loaded {
            self.inputs.set_all(&before);
            return Err(error);
        }
        *self = fresh;
        Ok(())
    }

    /// Saves to a file, which appears under its name only when it is complete.
    pub fn save(&mut self, file: impl AsRef<Path>) -> Result<(), Error> {
        let bytes = self.to_bytes()?;
        let name = || file.as_ref().display().to_string();
        let failed = |e: std::io::Error| CheckpointError::Write { file: name(), reason: e.to_string() };
        Ok(replace(file.as_ref(), &bytes).map_err(failed)?)
    }

    /// Goes on from a file that [`save`](Self::save) has written.
    pub fn restore(&mut self, file: impl AsRef<Path>) -> Result<(), Error> {
        let name = || file.as_ref().display().to_string();
        let failed = |e: std::io::Error| CheckpointError::Read { file: name(), reason: e.to_string() };
        self.from_bytes(&std::fs::read(file.as_ref()).map_err(failed)?)
    }

    /// A second simulation at the same place, which goes its own way from here, with inputs of its own.
    pub fn fork(&mut self) -> Result<Self, Error> {
        let bytes = self.to_bytes()?;
        let mut other = Self::new((*self.loaded).clone())?;
        other.from_bytes(&bytes)?;
        Ok(other)
    }

    /// To or from an archive; a simulation that reads is at its beginning.
    fn persist(&mut self, archive: &mut Archive, reads: bool) -> Result<(), Damage> {
        let known = self.place.horizon;
        self.place.persist(archive)?;
        let Place { started, horizon, h, .. } = self.place;
        ensure(horizon.is_finite() && h.is_finite() && h >= 0.0, || format!("its step is {h} s"))?;
        if horizon != known {
            let extended = self.course.extend(&*self.system, self.initial.t, horizon);
            extended.map_err(|e| Damage::Inconsistent(e.to_string()))?;
            self.turning = TurningPoints::of(&*self.system, self.initial.t, horizon);
        }
        if started && reads {
            // For the sizes of the workspace.
            self.start_for_sizes().map_err(|e| Damage::Inconsistent(e.to_string()))?;
        }
        let mut inputs = self.inputs.values();
        archive.finite("the inputs", |archive| inputs.iter_mut().try_for_each(|x| x.persist(archive)))?;
        self.inputs.set_all(&inputs);
        archive.finite("the state", |archive| self.state.persist(archive))?;
        self.course.persist(&self.state, archive)?;
        if !started {
            return Ok(());
        }
        let (system, initial, method) = (&*self.system, &*self.initial, &mut self.method);
        archive.finite(HISTORY, |archive| match method {
            Method::Fixed(fixed) => fixed.persist(archive),
            Method::Adaptive(adaptive) => adaptive.persist(system, initial, archive),
        })
    }

    fn start_for_sizes(&mut self) -> Result<(), Error> {
        let mut state = (*self.initial).clone();
        match &mut self.method {
            Method::Fixed(fixed) => fixed.start(&*self.system, &mut state, self.place.h),
            Method::Adaptive(adaptive) => adaptive.start(&*self.system, &mut state, self.place.horizon),
        }
    }
}
