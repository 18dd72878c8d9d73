//! Runs shared by many claims and figures, on any number of threads.

use crate::trace::Trace;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Accelerations, Eta, Form, InitialValues, Start};
use precess::mechanics::{At, State, System};
use precess::methods::{MethodOptions, method};
use precess::problems::{Cubic, ExactSolution, HeavyTop, Pendulum, TopReference};
use precess::study::{Errors, Projection, Restart, Run, Sample, When, observed_order};

/// Test problems. Each has an exact solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Problem {
    /// The heavy top with 150 rad/s.
    FastTop(Formulation),
    /// The heavy top with its constraint in the frame of the ground, as in VP.
    GroundedTop,
    /// The heavy top, a hundred times slower.
    SlowTop(Formulation),
    /// The mathematical pendulum.
    Pendulum {
        /// Initial deviation.
        x_0: f64,
    },
    /// The point on a cubic path.
    Cubic,
}

/// A system, its initial values and its solution up to some time.
struct Bench {
    system: Box<dyn System + Send>,
    reference: Box<dyn ExactSolution + Send>,
    q_0: Vec<f64>,
    v_0: Vec<f64>,
}

impl Bench {
    fn new(problem: Problem, t_end: f64) -> Self {
        let top = |top: HeavyTop| Bench {
            reference: Box::new(TopReference::new(&top, t_end)),
            q_0: top.q_0(),
            v_0: top.v_0(),
            system: Box::new(top),
        };
        match problem {
            Problem::FastTop(formulation) => top(HeavyTop::fast(formulation)),
            Problem::GroundedTop => top(HeavyTop::grounded()),
            Problem::SlowTop(formulation) => top(HeavyTop::slow(formulation)),
            Problem::Pendulum { x_0 } => {
                let pendulum = Pendulum::paper(x_0);
                Bench {
                    reference: Box::new(pendulum.clone()),
                    q_0: pendulum.q_0(),
                    v_0: pendulum.v_0(),
                    system: Box::new(pendulum),
                }
            }
            Problem::Cubic => Bench {
                reference: Box::new(Cubic::default()),
                q_0: vec![0.0],
                v_0: vec![0.0],
                system: Box::new(Cubic::default()),
            },
        }
    }
}

impl Bench {
    fn run(&self, setup: &Setup) -> Result<Trace, Error> {
        let system = self.system.as_ref();
        let mut integrator = method(setup.method, &setup.options)?;
        let mut state = InitialValues::new(&self.q_0, &self.v_0).consistent(system)?;
        let mut trace = Trace { rows: system.n_lambda(), ..Trace::default() };
        let mut recorder = |sample: &Sample| trace.record(sample, self.reference.as_ref());
        trace.summary = Run::new(setup.h, setup.t_end)
            .with_projection(setup.projection.clone())
            .run(system, integrator.as_mut(), &mut state, &mut recorder)
            .map_err(|failure| failure.error)?;
        Ok(trace)
    }
}

/// Everything that defines a run; equal setups share one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The problem.
    pub problem: Problem,
    /// Name of the method in the registry.
    pub method: &'static str,
    /// Its options.
    pub options: MethodOptions,
    /// Step size.
    pub h: f64,
    /// End of the run, which starts at 0.
    pub t_end: f64,
    /// Projections during the run.
    pub projection: Projection,
}

impl Setup {
    /// Generalized-alpha as in LA and VP: rho_inf = 0.9, eta in the printed direction, h = 1e-3, on [0, 1].
    pub fn new(problem: Problem, form: Form, start: Start) -> Self {
        Setup {
            problem,
            method: "gen-alpha",
            options: MethodOptions { rho: 0.9, form, start, eta: Eta::Paper, ..MethodOptions::default() },
            h: 1e-3,
            t_end: 1.0,
            projection: Projection::default(),
        }
    }

    /// With this step size.
    pub fn h(&self, h: f64) -> Self {
        Setup { h, ..self.clone() }
    }

    /// With this numerical damping.
    pub fn rho(mut self, rho: f64) -> Self {
        self.options.rho = rho;
        self
    }

    /// Sets the end time.
    pub fn until(self, t_end: f64) -> Self {
        Setup { t_end, ..self }
    }

    /// With a projection of the velocity at time t.
    pub fn projected(mut self, t: f64, restart: Restart) -> Self {
        self.projection = Projection {
            position: When::Never,
            velocity: When::At(vec![t]),
            restart,
            ..Projection::default()
        };
        self
    }
}

/// The solution of a problem at one time, with derivatives.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// v'.
    pub vdot: Vec<f64>,
    /// v''.
    pub vddot: Vec<f64>,
}

/// A cache: the first request computes a value, and others with the same key wait for it.
struct Memory<K, V>(Mutex<Vec<(K, Arc<OnceLock<V>>)>>);

impl<K, V> Default for Memory<K, V> {
    fn default() -> Self {
        Memory(Mutex::default())
    }
}

impl<K, V: Clone> Memory<K, V> {
    /// The value of the first matching key, or of a new key if there is none.
    fn get(&self, suits: impl Fn(&K) -> bool, key: impl FnOnce() -> K, make: impl FnOnce() -> V) -> V {
        let cell = {
            let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match list.iter().find(|(k, _)| suits(k)) {
                Some((_, cell)) => cell.clone(),
                None => {
                    let cell = Arc::new(OnceLock::new());
                    list.push((key(), cell.clone()));
                    cell
                }
            }
        };
        cell.get_or_init(make).clone()
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[derive(Default)]
struct Shared {
    benches: Memory<(Problem, f64), Arc<Bench>>,
    traces: Memory<Setup, Result<Arc<Trace>, Error>>,
    tables: Memory<String, Result<Arc<precess::study::convergence::ConvergenceTable>, Error>>,
}

/// Runs setups and caches them. Clones share the cache; each thread has one.
#[derive(Clone, Default)]
pub struct Lab(Arc<Shared>);

impl Lab {
    /// A lab without runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of runs done so far.
    pub fn runs(&self) -> usize {
        self.0.traces.len()
    }

    /// A study by its key, from the cache if possible.
    pub(super) fn table(
        &mut self,
        key: String,
        make: impl FnOnce() -> Result<precess::study::convergence::ConvergenceTable, Error>,
    ) -> Result<Arc<precess::study::convergence::ConvergenceTable>, Error> {
        self.0.tables.get(|k| *k == key, || key.clone(), || make().map(Arc::new))
    }

    fn bench(&mut self, problem: Problem, t_end: f64) -> Arc<Bench> {
        let suits = |(p, t): &(Problem, f64)| *p == problem && *t >= t_end;
        self.0.benches.get(suits, || (problem, t_end), || Arc::new(Bench::new(problem, t_end)))
    }

    /// The trace of this setup, from the cache if possible.
    pub fn run(&mut self, setup: &Setup) -> Result<Arc<Trace>, Error> {
        let bench = self.bench(setup.problem, setup.t_end);
        self.0.traces.get(|s| s == setup, || setup.clone(), || bench.run(setup).map(Arc::new))
    }

    /// Errors of this setup over a window.
    pub fn errors(&mut self, setup: &Setup, window: (f64, f64)) -> Result<Errors, Error> {
        Ok(self.run(setup)?.errors(window))
    }

    /// Observed order of a quantity between the steps h and h/2.
    pub fn order(&mut self, setup: &Setup, h: f64, quantity: impl Fn(&Trace) -> f64) -> Result<f64, Error> {
        let coarse = quantity(&*self.run(&setup.h(h))?);
        let fine = quantity(&*self.run(&setup.h(0.5 * h))?);
        Ok(observed_order(h, coarse, 0.5 * h, fine))
    }

    /// The exact solution at time t, with v' from the equations of motion (19) and v'' by differences over
    /// +-1e-4.
    pub fn solution(&mut self, problem: Problem, t: f64) -> Result<Solution, Error> {
        const D: f64 = 1e-4;
        let bench = self.bench(problem, (t + D).max(1.0));
        let system = bench.system.as_ref();
        let mut solver = Accelerations::new(system);
        let mut at = |t: f64| {
            let mut state = State {
                t,
                q: vec![0.0; bench.q_0.len()],
                v: vec![0.0; bench.v_0.len()],
                vdot: vec![0.0; bench.v_0.len()],
                lambda: vec![0.0; system.n_lambda()],
                s: vec![0.0; system.n_s()],
                memory: vec![0.0; system.n_memory()],
            };
            let State { q, v, lambda, .. } = &mut state;
            bench.reference.at(t, q, v, lambda);
            solver.solve(system, &mut state).map(|()| state)
        };
        let (now, next, last) = (at(t)?, at(t + D)?, at(t - D)?);
        let change = next.vdot.iter().zip(&last.vdot);
        Ok(Solution {
            vddot: change.map(|(b, a)| (b - a) / (2.0 * D)).collect(),
            q: now.q,
            v: now.v,
            vdot: now.vdot,
        })
    }

    /// q, v and lambda of the exact solution at time t, for a run up to t_end.
    pub fn exact(&mut self, problem: Problem, t: f64, t_end: f64) -> [Vec<f64>; 3] {
        let bench = self.bench(problem, t_end);
        let mut out =
            [vec![0.0; bench.q_0.len()], vec![0.0; bench.v_0.len()], vec![0.0; bench.system.n_lambda()]];
        let [q, v, lambda] = &mut out;
        bench.reference.at(t, q, v, lambda);
        out
    }

    /// B(q) w of a scleronomic problem.
    pub fn constraint_times(&mut self, problem: Problem, q: &[f64], w: &[f64]) -> Vec<f64> {
        let bench = self.bench(problem, 0.0);
        let mut out = vec![0.0; bench.system.n_lambda()];
        let at = At { t: 0.0, q, v: w, vdot: &[], lambda: &[], s: &[], memory: &[] };
        bench.system.velocity_constraint(&at, &mut out);
        out
    }

    /// log(p^-1 o q) in a problem's group.
    pub fn difference(&mut self, problem: Problem, p: &[f64], q: &[f64]) -> Vec<f64> {
        let bench = self.bench(problem, 0.0);
        let mut out = vec![0.0; bench.system.group().dim()];
        bench.system.group().difference(p, q, &mut out);
        out
    }

    /// The Lie bracket \[v, w\] of a problem's group.
    pub fn bracket(&mut self, problem: Problem, v: &[f64], w: &[f64]) -> Vec<f64> {
        let bench = self.bench(problem, 0.0);
        let mut out = vec![0.0; v.len()];
        bench.system.group().bracket(v, w, &mut out);
        out
    }
}
