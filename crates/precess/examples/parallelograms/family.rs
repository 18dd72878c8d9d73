//! Rows of parallelogram loops (`models/parallelograms.toml`), and how they move: all cranks turn by the same
//! angle, which satisfies theta'' = k sin(theta) for any masses. The couplers never turn; after a wrong turn
//! at a singular position, where all bars are in line and another branch begins, they do.

use std::f64::consts::PI;

use nalgebra::Vector3;
use precess::integrate::InitialValues;
use precess::methods::{adaptive_method, method};
use precess::model::{Model, Settings, build, load};
use precess::study::Sample;

/// The model.
const MODEL: &str = include_str!("../../../../models/parallelograms.toml");

/// The angle of the cranks from the upward direction of their plane, and its rate.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    k: f64,
    t: f64,
    theta: f64,
    omega: f64,
}

const LENGTH: f64 = 0.6;
const TILT: f64 = 0.4;
const TURN: f64 = 0.7;

impl Reference {
    /// Of a row of n loops.
    pub fn new(n: usize, angle: f64, rate: f64) -> Self {
        let l = LENGTH;
        let (mut inertia, mut weight) = (0.0, 0.0);
        for i in 0..=n {
            let i = i as f64;
            let mass = 1.0 + 0.3 * (2.3 * i).sin();
            inertia += 0.04 + 0.01 * i.cos() + mass * l * l / 4.0;
            weight += mass * l / 2.0;
        }
        for i in 0..n {
            let mass = 0.8 + 0.3 * (1.9 * i as f64).cos();
            inertia += mass * l * l;
            weight += mass * l;
        }
        Reference { k: 9.81 * TILT.cos() * weight / inertia, t: 0.0, theta: angle, omega: rate }
    }

    /// The angle at a later time, by the classical Runge-Kutta method with steps below 2e-4 s (errors below
    /// 1e-13).
    pub fn angle(&mut self, t: f64) -> f64 {
        let n = ((t - self.t) / 2e-4).ceil().max(1.0);
        let h = (t - self.t) / n;
        for _ in 0..n as usize {
            let f = |x: [f64; 2]| [x[1], self.k * x[0].sin()];
            let x = [self.theta, self.omega];
            let go = |d: [f64; 2], h: f64| [x[0] + h * d[0], x[1] + h * d[1]];
            let a = f(x);
            let b = f(go(a, 0.5 * h));
            let c = f(go(b, 0.5 * h));
            let d = f(go(c, h));
            self.theta += h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]);
            self.omega += h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1]);
        }
        self.t = t;
        self.theta
    }

    /// When the angle is reached.
    pub fn time_of(mut self, angle: f64) -> f64 {
        while self.angle(self.t + 1e-3) < angle {}
        self.t - (self.theta - angle) / self.omega
    }
}

/// What became of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Why it ended too early.
    pub failure: Option<String>,
    /// When it ended.
    pub t: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Steps that were rejected, did not converge or had to be helped.
    pub troubles: usize,
    /// Largest turn of a coupler, in rad: zero in the branch of the parallelogram.
    pub turned: f64,
    /// Largest distance of a tip of a crank from where the reference has it, in m.
    pub error: f64,
    /// Largest deviation of the energy relative to the largest kinetic energy.
    pub energy: f64,
    /// Wall time in s.
    pub seconds: f64,
}

impl Outcome {
    /// The end is reached in the right branch.
    pub fn passed(&self) -> bool {
        self.failure.is_none() && self.turned < 0.02
    }
}

/// A point of the plane of the row, from the first foot: along it and upward.
fn in_space(x: f64, z: f64) -> Vector3<f64> {
    let (sin, cos) = TURN.sin_cos();
    Vector3::new(cos, sin, 0.0) * x + Vector3::new(sin * TILT.sin(), -cos * TILT.sin(), TILT.cos()) * z
}

/// Centre of crank i.
fn centre(i: usize, theta: f64) -> Vector3<f64> {
    let i = i as f64;
    let foot = 0.7 * i + 0.15 * (1.7 * i).sin();
    in_space(foot + 0.5 * LENGTH * theta.sin(), 0.5 * LENGTH * theta.cos())
}

/// A row of n loops that starts at an angle with a rate, and passes ten folds with these settings.
pub fn run(n: usize, angle: f64, rate: f64, settings: &[&str]) -> Outcome {
    let reference = Reference::new(n, angle, rate);
    // Ten times in line, the last one at 19/2 pi.
    let t_end = reference.time_of(10.0 * PI);
    let mut all = vec![format!("parameters.N={n}"), format!("parameters.angle={angle}")];
    all.extend([format!("parameters.rate={rate}"), format!("run.until={t_end}")]);
    all.extend(settings.iter().map(|s| s.to_string()));
    let loaded = load("parallelograms", MODEL, &all).unwrap_or_else(|e| panic!("{e}"));
    follow(&loaded.model, &loaded.settings, reference)
}

fn follow(model: &Model, settings: &Settings, mut reference: Reference) -> Outcome {
    let built = build(model, settings.formulation).unwrap_or_else(|e| panic!("{e}"));
    let system = &*built.system;
    let initial = InitialValues::new(&built.q, &built.v);
    let mut state = initial.consistent(system).unwrap_or_else(|e| panic!("{e}"));
    // NaN must win.
    let larger = |m: &mut f64, x: f64| {
        if !(x <= *m) {
            *m = x;
        }
    };
    let (mut turned, mut error, mut kinetic) = (0.0, 0.0, 0.0);
    let mut see = |sample: &Sample| {
        let at = sample.state.at();
        let theta = reference.angle(sample.state.t);
        for body in system.bodies(&at) {
            match body.name.strip_prefix("crank").and_then(|i| i.parse().ok()) {
                // The tip is as far from the foot again.
                Some(i) => larger(&mut error, 2.0 * (body.position - centre(i, theta)).norm()),
                None => {
                    let [_, x, y, z] = body.rotation;
                    larger(&mut turned, 2.0 * Vector3::new(x, y, z).norm().min(1.0).asin());
                }
            }
        }
        larger(&mut kinetic, system.energy(&at).map_or(f64::NAN, |e| e.kinetic));
    };
    let s = settings;
    let result = match (s.adaptive_run(), s.tolerance) {
        (Some(run), Some(tol)) => adaptive_method(&s.method, &s.options, tol)
            .map(|mut method| run.run(system, &mut *method, &mut state, &mut see)),
        _ => method(&s.method, &s.options)
            .map(|mut method| s.run().run(system, &mut *method, &mut state, &mut see)),
    };
    let result = result.unwrap_or_else(|e| panic!("{e}"));
    let summary = match &result {
        Ok(summary) => summary,
        Err(failure) => &failure.summary,
    };
    let control = summary.control.as_ref().map_or(0, |c| c.rejected + c.failed);
    Outcome {
        turned,
        error,
        t: summary.t_end,
        steps: summary.steps,
        troubles: control + summary.rescues.total(),
        energy: summary.energy_drift.unwrap_or(f64::NAN) / kinetic,
        seconds: summary.wall.as_secs_f64(),
        failure: result.err().map(|f| f.error.to_string()),
    }
}
