//! Runs model files as the command line does, and records bodies and joints at given times.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use precess::Error;
use precess::integrate::InitialValues;
use precess::mechanics::{BodyKind, State};
use precess::methods::{adaptive_method, method};
use precess::model::{BodySpec, Built, Loaded, build, load};
use precess::study::results::{Recording, Results};
use precess::study::{AtTimes, Recorder, Sample, Sampling, Summary};

/// A run with more steps is stopped. So many steps are hopeless for such a small mechanism.
const TOO_MANY_STEPS: usize = 40_000;

/// The recorded motion of bodies and joints, row by row.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Times.
    pub times: Vec<f64>,
    /// The bodies, sorted by name.
    pub bodies: Vec<Track>,
    /// The joints with their names, sorted by name. Joints that share their load with others are included
    /// only on request.
    pub joints: Vec<(String, Vec<[Vector3<f64>; 2]>)>,
    /// The typical length.
    pub length: f64,
    /// The largest mass.
    pub mass: f64,
    /// The gravitational acceleration.
    pub gravity: f64,
    /// The number of steps of the run.
    pub steps: usize,
    /// The warnings of the run.
    pub warnings: Vec<String>,
}

/// The motion of a body.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// False for a point mass, whose rotation has no meaning.
    pub rigid: bool,
    /// The poses, row by row.
    pub poses: Vec<Pose>,
}

/// The position and velocity of a body in the inertial frame. The angular velocity is in the body frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pose {
    /// Centre of mass.
    pub position: Vector3<f64>,
    /// Orientation.
    pub rotation: UnitQuaternion<f64>,
    /// Velocity.
    pub velocity: Vector3<f64>,
    /// Angular velocity.
    pub spin: Vector3<f64>,
}

/// A run that did not reach its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The time reached; `None` if the run did not begin.
    pub t: Option<f64>,
    /// The reason.
    pub message: String,
}

/// A model ready to run.
pub struct Ready {
    /// The file.
    pub loaded: Loaded,
    /// The equations.
    pub built: Built,
    /// The initial state.
    pub state: State,
    /// True to keep joints whose reactions are not unique. Their loads are shared by minimum norm, which
    /// depends on the formulation.
    pub shared_loads: bool,
}

impl Ready {
    /// Reads a model file with overrides.
    pub fn new(text: &str, overrides: &[&str]) -> Result<Self, Stopped> {
        let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
        let loaded = load("random.toml", text, &overrides).map_err(|e| before(&e))?;
        let built = build(&loaded.model, loaded.settings.formulation).map_err(|e| before(&e))?;
        let mut initial = InitialValues::new(&built.q, &built.v);
        initial.fix = loaded.settings.fix_initial;
        let state = initial.consistent(&*built.system).map_err(|e| before(&e))?;
        Ok(Ready { loaded, built, state, shared_loads: false })
    }

    /// Runs the model and records it at these times. If `steps` is true, it also records all steps.
    pub fn run(&self, times: &[f64], steps: bool) -> Result<(Course, Option<Course>), Stopped> {
        let recording = || Recording::new(&self.loaded, &*self.built.system, Sampling::Steps(1));
        let mut watch =
            Watch { at: AtTimes::new(times.to_vec(), recording()), steps: steps.then(recording), count: 0 };
        let summary = self.integrate(&mut watch)?;
        if watch.count >= TOO_MANY_STEPS {
            return Err(Stopped {
                t: Some(summary.t_end),
                message: format!("more than {TOO_MANY_STEPS} steps"),
            });
        }
        let at = watch.at.finish().map_err(|e| Stopped { t: Some(summary.t_end), message: e.to_string() })?;
        let course = |r: Recording| self.course(&r.finish(&summary, None), &summary);
        Ok((course(at), watch.steps.map(course)))
    }

    fn integrate(&self, watch: &mut Watch) -> Result<Summary, Stopped> {
        let (s, system) = (&self.loaded.settings, &*self.built.system);
        let mut state = self.state.clone();
        let outcome = match (s.adaptive_run(), s.tolerance) {
            (Some(run), Some(tol)) => {
                let mut adaptive = adaptive_method(&s.method, &s.options, tol).map_err(|e| before(&e))?;
                run.run(system, &mut *adaptive, &mut state, watch)
            }
            _ => {
                let mut fixed = method(&s.method, &s.options).map_err(|e| before(&e))?;
                s.run().run(system, &mut *fixed, &mut state, watch)
            }
        };
        outcome.map_err(|f| Stopped { t: Some(f.summary.t_end), message: f.error.to_string() })
    }

    fn course(&self, results: &Results, summary: &Summary) -> Course {
        let at = self.state.at();
        let three = |name: &str, i: usize| {
            results.column(name).map_or_else(Vector3::zeros, |c| Vector3::from_row_slice(c.row(i)))
        };
        let four = |name: &str, i: usize| {
            let q = results.column(name).map_or(&[1.0, 0.0, 0.0, 0.0][..], |c| c.row(i));
            UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
        };
        let times = results.column("t").map_or_else(Vec::new, |c| c.values.clone());
        let rows = 0..times.len();
        let mut course = Course {
            times,
            length: self.built.system.length_scale(),
            mass: self.loaded.model.bodies.iter().map(|b| b.mass).fold(0.0, f64::max),
            gravity: self.loaded.model.gravity.norm(),
            steps: summary.steps,
            warnings: summary.warnings.clone(),
            ..Course::default()
        };
        for b in self.built.system.bodies(&at) {
            let pose = |i| Pose {
                position: three(&format!("{}.position", b.name), i),
                rotation: four(&format!("{}.rotation", b.name), i),
                velocity: three(&format!("{}.velocity", b.name), i),
                spin: three(&format!("{}.angular_velocity", b.name), i),
            };
            let rigid = |s: &&BodySpec| s.name == b.name && matches!(s.kind, BodyKind::Rigid { .. });
            let rigid = self.loaded.model.bodies.iter().find(rigid).is_some();
            course.bodies.push(Track {
                name: b.name.clone(),
                rigid,
                poses: rows.clone().map(pose).collect(),
            });
        }
        for j in self.built.system.reactions(&at).iter().filter(|j| j.unique || self.shared_loads) {
            let reaction = |i| ["force", "torque"].map(|what| three(&format!("{}.{what}", j.name), i));
            course.joints.push((j.name.clone(), rows.clone().map(reaction).collect()));
        }
        course.bodies.sort_by(|a, b| a.name.cmp(&b.name));
        course.joints.sort_by(|a, b| a.0.cmp(&b.0));
        course
    }
}

fn before(e: &dyn std::fmt::Display) -> Stopped {
    Stopped { t: None, message: e.to_string() }
}

impl From<Error> for Stopped {
    fn from(e: Error) -> Self {
        before(&e)
    }
}

/// Records a run at given times and, on request, at all steps. It ends a run with too many steps.
struct Watch<'a> {
    at: AtTimes<Recording<'a>>,
    steps: Option<Recording<'a>>,
    count: usize,
}

impl Recorder for Watch<'_> {
    fn record(&mut self, sample: &Sample) {
        self.count = sample.step;
        self.at.record(sample);
        if let Some(steps) = &mut self.steps {
            steps.record(sample);
        }
    }

    fn stops(&self) -> bool {
        self.count >= TOO_MANY_STEPS
    }
}
