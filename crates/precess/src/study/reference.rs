//! Reference solutions, accurate enough to measure errors.

use nalgebra::{Quaternion, Vector3};

use super::execute::begin;
use super::observe::RowLayout;
use super::parallel::Workers;
use super::recorder::Sample;
use super::run::Run;
use super::trajectory::Trajectory;
use crate::Error;
use crate::formulation::Formulation;
use crate::integrate::{Form, Start};
use crate::mechanics::joints::JointKind;
use crate::mechanics::{BodyKind, State};
use crate::methods::MethodOptions;
use crate::model::spec::GROUND;
use crate::model::{Built, Loaded, build};
use crate::problems::{HeavyTop, TopReference};

/// A reference solution.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its source, in words.
    pub about: String,
    /// The solution.
    pub trajectory: Trajectory,
    /// Estimated error of each quantity of the layout, in the norms of the study; empty if not known.
    pub estimate: Vec<Option<f64>>,
}

/// The times that a reference must contain: those of the runs of a study.
#[derive(Clone, Copy, Debug)]
pub struct Times<'a> {
    /// Numbers of equal steps in [0, until] of the runs.
    pub steps: &'a [usize],
    /// End.
    pub until: f64,
    /// Errors are measured from this time on.
    pub from: f64,
    /// The reference has at least this many times more steps than the finest run.
    pub refine: usize,
}

impl Times<'_> {
    /// Number of steps of a reference run, and the interval at which rows are kept. All times of the runs are
    /// kept if that needs at most twice the steps; otherwise they are interpolated.
    fn grid(&self) -> Result<(usize, usize), Error> {
        let most = self.steps.iter().copied().max().unwrap_or(1).max(1);
        let wanted = most.saturating_mul(self.refine.max(1));
        if wanted > MOST_STEPS {
            return Err(Error::Parameter {
                name: "step",
                value: self.until / most as f64,
                expected: "the reference for such a small step would have more than 1e8 steps; leave out \
                           the smallest steps",
            });
        }
        let mut common = 1_usize;
        for &n in self.steps {
            common = common.saturating_mul(n.max(1) / gcd(common, n.max(1)));
            if common > wanted {
                return Ok((wanted, 1));
            }
        }
        let multiple = wanted.div_ceil(common);
        Ok((common * multiple, multiple))
    }
}

/// Largest number of steps of a reference, which stays in memory.
const MOST_STEPS: usize = 100_000_000;

/// Largest spin that the intervals of the Taylor series resolve to round-off.
const MAX_SPIN: f64 = 300.0;

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Runs a model and keeps every n-th row from some time on.
fn record(loaded: &Loaded, steps: usize, keep: usize, from: f64) -> Result<Trajectory, Error> {
    let s = &loaded.settings;
    let (system, mut state, mut integrator) = begin(loaded)?;
    let layout = RowLayout::of(&*system, &state.at(), has_joint_rows(s.formulation));
    let mut trajectory = Trajectory::new(layout.clone());
    let mut row = Vec::new();
    let h = s.until / steps as f64;
    // Some rows before the window, for interpolation.
    let from = from - 8.5 * h * keep as f64;
    let mut see = |sample: &Sample| {
        if sample.step.is_multiple_of(keep) && sample.state.t >= from {
            layout.read(&*system, &sample.state.at(), &mut row);
            trajectory.push(sample.state.t, &row);
        }
    };
    Run::new(h, s.until).run(&*system, &mut *integrator, &mut state, &mut see).map_err(|f| f.error)?;
    Ok(trajectory)
}

/// True if the multipliers of a formulation are those of the joints of r3so3.
pub(super) fn has_joint_rows(formulation: Formulation) -> bool {
    !matches!(formulation, Formulation::Directors | Formulation::SO3)
}

impl Reference {
    /// Two accurate runs of the model in R^3xSO(3) by different methods. The first is the reference, their
    /// difference the estimate of its error (rather that of the second, which is less accurate).
    ///
    /// Constrained: BLieDF with k = 6 and 5 in stabilized index-2 form. Unconstrained:
    /// Runge-Kutta-Munthe-Kaas of order 4 and BLieDF. If one of them fails, it is replaced by the next of k =
    /// 4, k = 3 and generalized-alpha.
    pub fn fine(model: &Loaded, times: Times, workers: Workers) -> Result<Self, Error> {
        let (steps, keep) = times.grid()?;
        let unconstrained = model.model.joints.is_empty() && model.model.gears.is_empty();
        let mut names: Vec<(&str, usize)> =
            vec![("bliedf", 6), ("bliedf", 5), ("bliedf", 4), ("bliedf", 3), ("gen-alpha", 2)];
        if unconstrained {
            names.insert(0, ("rkmk4", 4));
        }
        let job = |&(name, k): &(&str, usize)| {
            let mut loaded = model.clone();
            loaded.settings.method = name.to_string();
            loaded.settings.formulation = Formulation::R3SO3;
            loaded.settings.until = times.until;
            loaded.settings.options = MethodOptions {
                k,
                form: Form::StabilizedIndex2,
                start: Start::Table1 { s: 0.1 },
                eta: model.settings.options.eta,
                ..MethodOptions::default()
            };
            record(&loaded, steps, keep, times.from)
        };
        let mut good: Vec<(String, Trajectory)> = Vec::new();
        let mut first_error = None;
        let mut next = 0;
        while good.len() < 2 && next < names.len() {
            let batch = &names[next..(next + 2 - good.len()).min(names.len())];
            next += batch.len();
            for (i, result) in workers.map(batch.len(), |i| job(&batch[i])).into_iter().enumerate() {
                let (name, k) = batch[i];
                match result {
                    Ok(t) => {
                        good.push((if name == "bliedf" { format!("{name} k = {k}") } else { name.into() }, t))
                    }
                    Err(e) => first_error = first_error.or(Some(e)),
                }
            }
        }
        let mut good = good.into_iter();
        let (Some((name, trajectory)), Some((other, check))) = (good.next(), good.next()) else {
            return Err(first_error.unwrap_or(Error::Parameter {
                name: "until",
                value: times.until,
                expected: "a reference needs a run of positive duration",
            }));
        };
        let estimate = largest(&trajectory, &check, times.from);
        let h = times.until / steps as f64;
        Ok(Reference { about: format!("{name} against {other}, r3so3, h = {h:.3e} s"), trajectory, estimate })
    }

    /// The exact solution, if it is known: one rigid body that turns about a fixed point under gravity alone,
    /// by Taylor series of order 26.
    pub fn exact(model: &Loaded, times: Times) -> Result<Self, Error> {
        let unsupported = |reason: &str| Error::Unsupported {
            method: "reference exact".into(),
            reason: format!(
                "{reason}; exact solutions are known for one rigid body on a spherical joint under gravity, \
                 use fine"
            ),
        };
        let m = &model.model;
        let ([body], [joint]) = (m.bodies.as_slice(), m.joints.as_slice()) else {
            return Err(unsupported("the model has other bodies and joints"));
        };
        let BodyKind::Rigid { inertia } = body.kind else { return Err(unsupported("the body is a point")) };
        let off_diagonal = inertia - nalgebra::Matrix3::from_diagonal(&inertia.diagonal());
        if joint.kind != JointKind::Spherical
            || !m.start.is_empty()
            || !joint.bodies.iter().any(|b| b == GROUND)
            || !m.forces.is_empty()
            || !m.gears.is_empty()
            || !m.controls.is_empty()
            || off_diagonal.amax() > 0.0
        {
            return Err(unsupported(
                "the joint is another one, there are other forces, products of inertia, or a [start]",
            ));
        }
        if body.angular_velocity.norm() > MAX_SPIN {
            return Err(unsupported("it spins faster than 300 rad/s"));
        }
        let turned = body.rotation;
        let mut top = HeavyTop::spinning(Formulation::R3SO3, body.angular_velocity);
        top.m = body.mass;
        top.j = inertia.diagonal();
        top.x_body = turned.inverse() * (body.position - joint.point);
        top.gamma = turned.inverse() * m.gravity;
        let solution = TopReference::new(&top, times.until);
        let Built { system, .. } = build(m, Formulation::R3SO3)?;
        let (steps, keep) = times.grid()?;
        let n = steps / keep;
        let mut trajectory: Option<Trajectory> = None;
        let mut row = Vec::new();
        let (mut q, mut v, mut lambda) = ([0.0; 7], [0.0; 6], [0.0; 3]);
        for i in 0..=n {
            let t = times.until * i as f64 / n as f64;
            if t < times.from - 8.5 * times.until / n as f64 {
                continue;
            }
            crate::problems::ExactSolution::at(&solution, t, &mut q, &mut v, &mut lambda);
            let p = turned.quaternion() * Quaternion::new(q[0], q[1], q[2], q[3]);
            let x = turned * Vector3::new(q[4], q[5], q[6]) + joint.point;
            let u = turned * Vector3::new(v[3], v[4], v[5]);
            let mut state = State {
                t,
                q: vec![p.w, p.i, p.j, p.k, x.x, x.y, x.z],
                v: vec![v[0], v[1], v[2], u.x, u.y, u.z],
                vdot: vec![0.0; 6],
                lambda: vec![0.0; 3],
                s: Vec::new(),
                memory: vec![0.0; system.n_memory()],
            };
            crate::integrate::Accelerations::new(&*system).solve(&*system, &mut state)?;
            let trajectory =
                trajectory.get_or_insert_with(|| Trajectory::new(RowLayout::of(&*system, &state.at(), true)));
            trajectory.layout.read(&*system, &state.at(), &mut row);
            trajectory.push(t, &row);
        }
        let trajectory = trajectory.ok_or_else(|| unsupported("the time is empty"))?;
        Ok(Reference { about: "exact solution by Taylor series".into(), trajectory, estimate: Vec::new() })
    }
}

impl Reference {
    /// A reference from a file of results of the same model, written with any method and formulation.
    pub fn from_results(
        about: &str,
        model: &Loaded,
        results: &super::results::Results,
    ) -> Result<Self, Error> {
        let (system, state, _) = begin(&Loaded { settings: plain(&model.settings), ..model.clone() })?;
        let at = state.at();
        let mut layout = RowLayout::of(&*system, &at, true);
        let missing = |name: &str| Error::Unsupported {
            method: format!("reference {about}"),
            reason: format!(
                "it has no column '{name}' of model '{}'; give results of the same model",
                model.model.name
            ),
        };
        let column = |name: &str| results.column(name).ok_or_else(|| missing(name));
        let mut columns = Vec::new();
        for b in system.bodies(&at) {
            for what in ["rotation", "position", "angular_velocity", "velocity"] {
                let c = column(&format!("{}.{what}", b.name))?;
                columns.push((c, c.parts.len()));
            }
        }
        let formulation = results.metadata.settings["formulation"].as_str().map(str::parse::<Formulation>);
        let lambda = column("lambda")?;
        if !matches!(formulation, Some(Ok(f)) if has_joint_rows(f)) || lambda.parts.len() < layout.lambda {
            layout.lambda = 0;
        }
        columns.push((lambda, layout.lambda));
        let names = system
            .reactions(&at)
            .into_iter()
            .flat_map(|j| ["force", "torque"].map(|x| format!("{}.{x}", j.name)));
        let reactions: Vec<_> = names.map_while(|name| results.column(&name)).collect();
        if 3 * reactions.len() < layout.reactions {
            layout.reactions = 0;
        }
        columns.extend(reactions.into_iter().take(layout.reactions / 3).map(|c| (c, 3)));
        for (name, n) in &layout.sensors {
            let c = results.column(&format!("sensor.{name}")).map_or_else(|| column(name), Ok)?;
            columns.push((c, *n));
        }
        let mut trajectory = Trajectory::new(layout);
        let times = column("t")?;
        for (i, t) in times.values.iter().enumerate() {
            let mut row: Vec<f64> = Vec::new();
            columns.iter().for_each(|(c, n)| row.extend(&c.values[i * c.parts.len()..][..*n]));
            trajectory.push(*t, &row);
        }
        Ok(Reference { about: about.to_string(), trajectory, estimate: Vec::new() })
    }
}

/// The same settings in R^3xSO(3), with a method that works for every system.
fn plain(settings: &crate::model::Settings) -> crate::model::Settings {
    crate::model::Settings { method: "gen-alpha".into(), formulation: Formulation::R3SO3, ..settings.clone() }
}

/// Largest difference of each quantity between two trajectories with the same times.
fn largest(a: &Trajectory, b: &Trajectory, from: f64) -> Vec<Option<f64>> {
    let mut maxima = vec![None; a.layout.quantities().len()];
    let sizes = b.largest();
    for (i, t) in a.times().iter().enumerate() {
        if *t > 0.0 && *t >= from * (1.0 - 1e-12) {
            raise(&mut maxima, &a.layout.errors(a.row(i), &b.layout, b.row(i), &sizes));
        }
    }
    maxima
}

/// Entrywise maxima; NaN is kept.
pub(super) fn raise(maxima: &mut [Option<f64>], errors: &[Option<f64>]) {
    for (m, e) in maxima.iter_mut().zip(errors) {
        if let Some(x) = e
            && !m.is_some_and(|m| *x <= m || m.is_nan())
        {
            *m = Some(*x);
        }
    }
}
