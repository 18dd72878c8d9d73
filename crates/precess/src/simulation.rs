//! A simulation for programs that control the time steps: control loops, other programs, notebooks.
//!
//! [`Simulation`] owns everything: model, equations, state and method. It has no lifetime and can be sent to
//! another thread. After saving and restoring, it continues with the same bits. Breakpoints and events are
//! handled as in a run ([`Course`]). Actuators, forces and torques of the model are inputs that a program may
//! set between two steps ([`Simulation::set_input`]).
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

mod dynamics;
mod inputs;
mod joints;
mod saving;

pub use dynamics::EquationsOfMotion;
pub use joints::JointCoordinate;

use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::integrate::adaptive::{Adaptive, Horizon, TurningPoints};
use crate::integrate::{Accelerations, ConsistentForces, Integrator, StepReport};
use crate::mechanics::State;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::methods::{self, adaptive_method};
use crate::model::{Built, Loaded, Model, Settings, build};
use crate::persist::{Archive, Damage};
use crate::runs::course::NOTHING_LEFT;
use crate::study::execute::initial_state;
use crate::study::{Course, Next, Occurrence, Run};

use inputs::Inputs;

/// A method with equal steps, or a method with automatic steps.
enum Method {
    Fixed(Box<dyn Integrator>),
    Adaptive(Box<dyn Adaptive>),
    /// No method: copying it failed.
    Broken(Error),
}

impl Method {
    fn new(settings: &Settings) -> Result<Self, Error> {
        Ok(match settings.tolerance {
            Some(tol) => Method::Adaptive(adaptive_method(&settings.method, &settings.options, tol)?),
            None => Method::Fixed(methods::method(&settings.method, &settings.options)?),
        })
    }

    /// A copy that continues with the same bits, if the method can make one.
    fn copied(&self) -> Option<Self> {
        match self {
            Method::Fixed(fixed) => fixed.copied().map(Method::Fixed),
            Method::Adaptive(adaptive) => adaptive.copied().map(Method::Adaptive),
            Method::Broken(error) => Some(Method::Broken(error.clone())),
        }
    }

    fn persist(
        &mut self,
        system: &dyn Mechanism,
        initial: &State,
        archive: &mut Archive,
    ) -> Result<(), Damage> {
        match self {
            Method::Fixed(fixed) => fixed.persist(archive),
            Method::Adaptive(adaptive) => adaptive.persist(system, initial, archive),
            Method::Broken(error) => Err(Damage::Inconsistent(error.to_string())),
        }
    }
}

/// The method, for callers with write access, who need no lock.
fn method(lock: &mut Mutex<Method>) -> &mut Method {
    lock.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Progress {
    /// True if the method has started.
    started: bool,
    /// Beginning of the smooth piece.
    from: f64,
    /// Size of the last step; for fixed steps, the size with which the method was started.
    h: f64,
    /// Breakpoints are known up to this time.
    horizon: f64,
    /// Steps so far.
    steps: usize,
    /// True if an input has changed, so forces have jumped.
    jumped: bool,
}

crate::persist!(Progress { started, from, h, horizon, steps, jumped });

impl Progress {
    fn at_the_beginning(settings: &Settings, t: f64) -> Self {
        Progress { from: t, horizon: settings.until.max(t), ..Progress::default() }
    }
}

/// How a simulation begins.
struct Beginning {
    state: State,
    course: Course,
    turning: Arc<TurningPoints>,
    inputs: Vec<f64>,
}

/// A running simulation of a model.
pub struct Simulation {
    loaded: Arc<Loaded>,
    system: Arc<dyn Mechanism>,
    first: Arc<Beginning>,
    state: State,
    /// The lock is needed only for copies: a method lists its fields once for reading and writing, which
    /// needs write access.
    method: Mutex<Method>,
    course: Course,
    turning: Arc<TurningPoints>,
    place: Progress,
    inputs: Inputs,
    /// Workspace to compute accelerations after forces have jumped; none until an input changes.
    accelerations: Option<Accelerations>,
    /// Makes forces consistent with positions and velocities; none until a program asks for such forces.
    forces: Option<ConsistentForces>,
    /// The current state with such forces, if a program has asked for them.
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
        let system: Arc<dyn Mechanism> = Arc::from(system);
        let horizon = loaded.settings.until.max(initial.t);
        let first = Beginning {
            course: Course::new(&*system, &initial, horizon)?,
            turning: Arc::new(TurningPoints::of(&*system, initial.t, horizon)),
            inputs: inputs.values(),
            state: initial,
        };
        Self::begin(Arc::new(loaded), system, Arc::new(first), inputs)
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
        first: Arc<Beginning>,
        inputs: Inputs,
    ) -> Result<Self, Error> {
        Ok(Simulation {
            method: Mutex::new(Method::new(&loaded.settings)?),
            course: first.course.clone(),
            turning: first.turning.clone(),
            place: Progress::at_the_beginning(&loaded.settings, first.state.t),
            inputs,
            accelerations: None,
            forces: None,
            reported: None,
            state: first.state.clone(),
            loaded,
            system,
            first,
        })
    }

    /// A new simulation of the same equations and inputs, at the initial state.
    fn again(&self) -> Result<Self, Error> {
        Self::begin(self.loaded.clone(), self.system.clone(), self.first.clone(), self.inputs.clone())
    }

    /// Goes back to the initial state and the initial inputs. The equations are kept, so that this takes
    /// about a microsecond for a six-axis arm.
    pub fn reset(&mut self) -> Result<(), Error> {
        *method(&mut self.method) = Method::new(&self.loaded.settings)?;
        self.inputs.set_all(&self.first.inputs);
        self.state.copy_from(&self.first.state);
        self.course.clone_from(&self.first.course);
        self.turning = self.first.turning.clone();
        self.place = Progress::at_the_beginning(&self.loaded.settings, self.state.t);
        self.reported = None;
        Ok(())
    }

    /// Inputs by name, with their numbers of values: one for `input("name")` of formulas and for actuators,
    /// three for forces and torques.
    pub fn inputs(&self) -> Vec<(String, usize)> {
        self.inputs.names()
    }

    /// The current values of an input.
    pub fn input(&self, name: &str) -> Result<Vec<f64>, Error> {
        self.inputs.get(name, self.state.t)
    }

    /// Sets an input until it is set again. Formulas read it as `input("name")`. If the name is that of an
    /// actuator, force or torque, the values are added to its formula.
    pub fn set_input(&mut self, name: &str, values: &[f64]) -> Result<(), Error> {
        self.change(name, values, None)
    }

    /// Changes an input linearly from its current values to these values at time `until`. Then it stays
    /// constant.
    pub fn ramp_input(&mut self, name: &str, values: &[f64], until: f64) -> Result<(), Error> {
        self.change(name, values, Some(until))
    }

    fn change(&mut self, name: &str, values: &[f64], until: Option<f64>) -> Result<(), Error> {
        if self.inputs.set(name, values, self.state.t, until)? {
            self.place.jumped = true;
            self.reported = None;
        }
        Ok(())
    }

    /// Forces have jumped: computes accelerations and multipliers again, and discards the history of the
    /// method.
    fn jump(&mut self) -> Result<(), Error> {
        if !std::mem::take(&mut self.place.jumped) {
            return Ok(());
        }
        let system = &*self.system;
        self.accelerations
            .get_or_insert_with(|| Accelerations::fast(system))
            .again(system, &mut self.state)?;
        match (self.place.started, method(&mut self.method)) {
            (false, _) => Ok(()),
            (true, Method::Fixed(fixed)) => {
                self.place.from = self.state.t;
                fixed.resume(&*self.system, &mut self.state, self.place.h)
            }
            (true, _) => self.restart(),
        }
    }

    /// The current time.
    pub fn t(&self) -> f64 {
        self.state.t
    }

    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.place.steps
    }

    /// The current state in the coordinates of the formulation.
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

    /// Advances exactly to time t: the last step ends there. If an event ends the run, it stops earlier
    /// ([`stopped`](Self::stopped)).
    pub fn advance_to(&mut self, t: f64) -> Result<(), Error> {
        self.advance_while(t, |_| true).map(|_| ())
    }

    /// The same. Before each step, the call gets the time; if it returns false, the simulation stays there,
    /// and so does the result.
    pub fn advance_while(&mut self, t: f64, mut goes_on: impl FnMut(f64) -> bool) -> Result<bool, Error> {
        loop {
            self.look_ahead(t)?;
            // If the line of an input ends before t, a smooth piece ends there.
            let bend = self.inputs.next_end(self.state.t).filter(|end| *end < t);
            let to = bend.unwrap_or(t);
            while self.stopped().is_none() && self.is_before(to) {
                if !goes_on(self.state.t) {
                    return Ok(false);
                }
                self.one_step(to)?;
            }
            if bend.is_none() || self.stopped().is_some() {
                return Ok(true);
            }
            self.state.t = to;
            self.place.jumped = true;
        }
    }

    /// One step of the method. The settings or the tolerance determine its size.
    pub fn step(&mut self) -> Result<(), Error> {
        let t = match method(&mut self.method) {
            Method::Fixed(_) => self.state.t + self.loaded.settings.step,
            Method::Adaptive(_) | Method::Broken(_) => self.place.horizon,
        };
        let t = if t > self.state.t { t } else { self.state.t + self.loaded.settings.until.max(1.0) };
        let bend = self.inputs.next_end(self.state.t).filter(|end| *end <= t);
        let t = bend.unwrap_or(t);
        self.look_ahead(t)?;
        if self.stopped().is_none() {
            self.one_step(t)?;
            if bend.is_some() && !self.is_before(t) {
                self.state.t = t;
                self.place.jumped = true;
            }
        }
        Ok(())
    }

    /// Remaining times below a small fraction of a step count as zero.
    fn is_before(&self, t: f64) -> bool {
        t - self.state.t > NOTHING_LEFT * self.place.h.max(f64::EPSILON * t.abs())
    }

    /// Finds breakpoints at least up to t, and starts the method before the first step.
    fn look_ahead(&mut self, t: f64) -> Result<(), Error> {
        if let Method::Broken(error) = method(&mut self.method) {
            return Err(error.clone());
        }
        if !(t >= self.state.t && t.is_finite()) {
            let expected = "a simulation goes forward: give a time that is not before the current time";
            return Err(Error::Parameter { name: "t", value: t, expected });
        }
        self.jump()?;
        let (system, now) = (&*self.system, self.state.t);
        if t > self.place.horizon {
            // The horizon doubles each time, so that many short advances look ahead only a few times.
            self.place.horizon = t + (t - self.first.state.t);
            self.course.extend(system, now, self.place.horizon)?;
            self.turning = Arc::new(TurningPoints::of(system, now, self.place.horizon));
        }
        if let (Method::Adaptive(adaptive), false) = (method(&mut self.method), self.place.started) {
            adaptive.start(system, &mut self.state, self.place.horizon.max(t))?;
            self.place.started = true;
        }
        Ok(())
    }

    /// Makes one step that does not end after t. Then handles an event, or the end of a smooth piece.
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

    /// Discards the history of the method: a new smooth piece begins.
    fn restart(&mut self) -> Result<(), Error> {
        self.place.from = self.state.t;
        match method(&mut self.method) {
            // It starts with its next step.
            Method::Fixed(_) => self.place.started = false,
            Method::Adaptive(adaptive) => adaptive.restart(&*self.system, &mut self.state)?,
            Method::Broken(error) => return Err(error.clone()),
        }
        Ok(())
    }

    fn free_step(&mut self, stop: f64) -> Result<StepReport, Error> {
        let Method::Adaptive(adaptive) = method(&mut self.method) else { return Ok(StepReport::default()) };
        let longest = self.loaded.settings.max_step.unwrap_or(f64::INFINITY);
        let h_max = self.turning.longest_step(self.state.t).min(longest);
        adaptive.advance(&*self.system, &mut self.state, Horizon { stop, h_max })
    }

    /// Makes one of the equal steps that divide the time until `stop`. If their size changes, the method
    /// restarts.
    fn equal_step(&mut self, stop: f64) -> Result<StepReport, Error> {
        let Method::Fixed(fixed) = method(&mut self.method) else { return Ok(StepReport::default()) };
        let settings = &self.loaded.settings;
        let run = Run { t_end: stop, ..settings.run() };
        let (steps, mut h) = run.steps(self.state.t)?;
        let same = (h - self.place.h).abs() <= SAME_STEP * h;
        if self.place.started && same {
            h = self.place.h;
        } else {
            fixed.start(&*self.system, &mut self.state, h)?;
            self.place.started = true;
        }
        let t = self.state.t;
        let mut report = fixed.step(&*self.system, &mut self.state, h)?;
        (report.h, report.order) = (h, fixed.order());
        // Avoids accumulated rounding errors in t.
        self.state.t = if steps == 1 { stop } else { t + h };
        run.project(&*self.system, &mut **fixed, &mut self.state, h)?;
        Ok(report)
    }
}

/// Step sizes with a smaller relative difference count as equal, because times are rounded.
const SAME_STEP: f64 = 1e-9;

/// Current values of bodies, joints and sensors. Everything is a copy.
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

    /// Energy, if it is defined.
    pub fn energy(&self) -> Option<f64> {
        self.system.energy(&self.state.at()).map(|e| e.total())
    }

    /// The state with forces that are consistent with its positions and velocities, as in the reports of runs
    /// with a tolerance.
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
