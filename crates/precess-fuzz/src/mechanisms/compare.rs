//! Simulates one mechanism in many ways: with different tolerances, methods, formulations, units,
//! orientations in space and orders of elements.

use fastrand::Rng;
use nalgebra::{UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::study::larger;

use super::data::{Mechanism, Units};
use super::dense;
use super::random::turn;
use super::simulate::{Course, Ready, Stopped};

/// The tolerance of default runs.
pub const TOL: f64 = 1e-6;
/// The largest promised error in tolerances, for a mechanism that does not enlarge errors.
pub const PROMISE: f64 = 100.0;
/// The same for gen-alpha, which is of order 2 (book/tolerance.md: up to 200).
const PROMISE_OF_ORDER_2: f64 = 500.0;
/// The largest effect of rounding errors in a mechanism that does not enlarge them: a thousandth of the
/// tolerance.
const ROUND_OFF: f64 = 1e-9;
/// The largest number of steps of a run that are compared, and of times at which runs with equal steps are
/// compared.
const SAMPLES: usize = 100;
const GRID: usize = 20;
/// The number of fixed steps.
const FIXED: usize = 2000;
/// The relative perturbation of initial values whose growth is measured.
const PERTURBATION: f64 = 1e-5;

/// The formulations. The flag is true if the equations do not change when the world is rotated.
const FORMULATIONS: [(&str, bool); 5] =
    [("r3so3", true), ("se3", true), ("euler-parameters", true), ("directors", true), ("tait-bryan", false)];

/// A difference in positions, velocities and forces, with its limit.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The name of the comparison.
    pub what: String,
    /// The difference, or the reason why there is none.
    pub outcome: Result<[f64; 3], Stopped>,
    /// The largest differences that are accepted.
    pub limit: [f64; 3],
    /// The numbers of steps of both runs.
    pub steps: [usize; 2],
    /// True if both runs must fail or both must succeed.
    pub alike: bool,
}

impl Measured {
    /// True unless a difference exceeds its limit, or only one of two equal runs fails.
    ///
    /// Runs whose steps are limited by vibrations are sensitive: at the limit of stability, the step size
    /// control enlarges rounding errors. Equal runs may then differ by the tolerance, with as many steps.
    pub fn is_right(&self) -> bool {
        let within =
            |x: &[f64; 3], factor: f64| x.iter().zip(&self.limit).all(|(x, limit)| *x <= factor * limit);
        let [a, b] = self.steps;
        let as_many = a.abs_diff(b) <= a.max(b) / 50;
        match &self.outcome {
            Ok(x) => within(x, 1.0) || (self.alike && as_many && within(x, TOL / ROUND_OFF)),
            Err(_) => !self.alike,
        }
    }
}

/// The findings about a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All comparisons.
    pub list: Vec<Measured>,
    /// The reason why the default run failed.
    pub failed: Option<Stopped>,
    /// True if the default run failed at a time that no other simulation can pass. The model itself cannot
    /// continue.
    pub model_at_fault: bool,
    /// The growth of perturbations of positions, velocities and forces.
    pub growth: [f64; 3],
    /// The warnings of the default run.
    pub warnings: Vec<String>,
}

impl Findings {
    fn add(
        &mut self,
        what: &str,
        outcome: Result<[f64; 3], Stopped>,
        limit: f64,
        steps: [usize; 2],
        alike: bool,
    ) {
        let limit = self.growth.map(|g| limit * g.max(1.0));
        self.list.push(Measured { what: what.to_string(), outcome, limit, steps, alike });
    }
}

/// The extent of the comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only the default run, compared with a hundredth of the tolerance.
    Promise,
    /// All comparisons.
    All,
}

/// Does all comparisons of a mechanism.
pub fn compare(m: &Mechanism, seed: u64, extent: Extent) -> Findings {
    let mut found = Findings::default();
    let text = m.toml();
    let grid: Vec<f64> = (0..=GRID).map(|i| m.until * i as f64 / GRID as f64).collect();
    let default = match Ready::new(&text, &[]).and_then(|r| r.run(&grid, true)) {
        Ok((course, steps)) => (course, steps.unwrap_or_default().thinned(SAMPLES)),
        Err(stopped) => {
            found.model_at_fault = nothing_gets_further(&text, m.until, &stopped);
            found.failed = Some(stopped);
            return found;
        }
    };
    found.warnings = default.0.warnings.clone();
    // All runs that are compared with the reference come first. They determine the times of the reference.
    let fixed = format!("run.step={:?}", m.until / FIXED as f64);
    let mut others: Vec<(String, Vec<String>, f64)> = Vec::new();
    if extent == Extent::All {
        let mut add = |what: &str, list: &[&str], limit: f64| {
            others.push((what.to_string(), list.iter().map(|s| s.to_string()).collect(), limit));
        };
        add("method bliedf", &["integrator.method=bliedf", "integrator.tol=1e-6"], PROMISE);
        add("method gen-alpha", &["integrator.method=gen-alpha", "integrator.tol=1e-6"], PROMISE_OF_ORDER_2);
        for (name, _) in &FORMULATIONS[1..] {
            add(&format!("in {name}"), &[&format!("integrator.formulation={name}")], PROMISE);
        }
        add("fixed steps", &["integrator.method=gen-alpha", &fixed], f64::INFINITY);
    }
    let mut runs = vec![("tolerance 1e-6".to_string(), Ok(default.clone()), PROMISE)];
    for (what, set, limit) in others {
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let run = Ready::new(&text, &set).and_then(|r| r.run(&grid, true));
        runs.push((what, run.map(|(c, s)| (c, s.unwrap_or_default().thinned(SAMPLES))), limit));
    }
    let mut times = grid.clone();
    for (_, run, _) in &runs {
        times.extend(run.iter().flat_map(|(_, steps)| steps.times.iter().copied()));
    }
    let finer = format!("integrator.tol={:?}", TOL / 100.0);
    let reference = match Ready::new(&text, &[&finer]).and_then(|r| r.run(&times, false)) {
        Ok((course, _)) => course,
        Err(stopped) => {
            found.list.push(Measured {
                what: "tolerance 1e-8".into(),
                outcome: Err(stopped),
                limit: [0.0; 3],
                steps: [0; 2],
                alike: false,
            });
            return found;
        }
    };
    // Chaotic mechanisms may need too many steps for this run. In this case, their errors are unknown.
    found.growth = Ready::new(&text, &[&finer])
        .ok()
        .and_then(|ready| growth(ready, &reference, &grid))
        .unwrap_or([f64::INFINITY; 3]);
    for (what, run, limit) in &runs {
        let outcome = run.clone().map(|(_, steps)| difference(&steps, &reference.at(&steps.times)));
        let steps = run.as_ref().map_or(0, |(course, _)| course.steps);
        found.add(what, outcome, limit * TOL, [reference.steps, steps], false);
    }
    if extent == Extent::All {
        invariances(m, seed, &grid, &runs, &mut found);
        at_the_start(&text, &mut found);
    }
    found
}

/// Variants of a mechanism: in other units, rotated, and in another order.
#[derive(Clone, Debug)]
pub struct Variants {
    units: Units,
    r: UnitQuaternion<f64>,
    /// The mechanism in other units.
    pub scaled: Mechanism,
    /// The mechanism rotated about the origin.
    pub turned: Mechanism,
    /// The mechanism with its elements in another order.
    pub permuted: Mechanism,
}

impl Variants {
    /// Makes the variants for a seed.
    pub fn of(m: &Mechanism, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x5eed);
        let mut factor = || 10f64.powf(4.0 * rng.f64() - 2.0);
        let units = Units { length: factor(), mass: factor(), time: factor() };
        let r = turn(&mut rng);
        Variants { units, r, scaled: m.scaled(&units), turned: m.turned(&r), permuted: m.permuted(&mut rng) }
    }
}

type Runs = [(String, Result<(Course, Course), Stopped>, f64)];

/// Compares runs in other units, another orientation and another order. They must agree in every formulation.
fn invariances(m: &Mechanism, seed: u64, grid: &[f64], runs: &Runs, found: &mut Findings) {
    let Variants { units, r, scaled, turned, permuted } = Variants::of(m, seed);
    let [scaled, turned, permuted] = [scaled, turned, permuted].map(|m| m.toml());
    let times: Vec<f64> = grid.iter().map(|t| t * units.time).collect();
    for (name, turns) in FORMULATIONS {
        let label = if name == "r3so3" { "tolerance 1e-6".to_string() } else { format!("in {name}") };
        let Some((_, Ok((own, _)), _)) = runs.iter().find(|r| r.0 == label) else { continue };
        let set = format!("integrator.formulation={name}");
        let mut add = |what: &str, text: &str, times: &[f64], back: &dyn Fn(&mut Course)| {
            let mut steps = [own.steps, 0];
            let outcome =
                Ready::new(text, &[&set]).and_then(|r| r.run(times, false)).map(|(mut course, _)| {
                    back(&mut course);
                    steps[1] = course.steps;
                    difference(&course, own)
                });
            found.add(&format!("{what}, {name}"), outcome, ROUND_OFF, steps, true);
        };
        add("scaled", &scaled, &times, &|c| c.unscale(&units));
        if turns {
            add("turned", &turned, grid, &|c| c.turn(&r.inverse()));
        }
        if name == "r3so3" {
            add("permuted", &permuted, grid, &|_| {});
        }
    }
}

/// Compares accelerations and reactions at t = 0 with a dense computation.
fn at_the_start(text: &str, found: &mut Findings) {
    let Ok(ready) = Ready::new(text, &[]) else { return };
    if let Some([accelerations, forces]) = dense::difference(&ready) {
        let what = "t = 0 (accelerations)".to_string();
        let outcome = Ok([0.0, accelerations, forces]);
        found.list.push(Measured { what, outcome, limit: [1e-8; 3], steps: [0; 2], alike: false });
    }
}

/// True if no other simulation gets clearly beyond the time at which the default run stopped.
fn nothing_gets_further(text: &str, until: f64, stopped: &Stopped) -> bool {
    let Some(t) = stopped.t else { return false };
    let fixed = format!("run.step={:?}", until / (10 * FIXED) as f64);
    let ways: [&[&str]; 5] = [
        &["integrator.tol=1e-4"],
        &["integrator.tol=1e-8"],
        &["integrator.tol=1e-7", "integrator.formulation=se3"],
        &["integrator.tol=1e-5", "integrator.method=gen-alpha"],
        &["integrator.method=gen-alpha", &fixed],
    ];
    ways.iter().all(|set| match Ready::new(text, set).and_then(|r| r.run(&[], false)) {
        Ok(_) => false,
        Err(other) => other.t.is_none_or(|reached| reached < t + 0.02 * until),
    })
}

/// The growth of small perturbations of initial values. It is at least one.
pub fn growth(mut ready: Ready, reference: &Course, grid: &[f64]) -> Option<[f64; 3]> {
    if !matches!(ready.loaded.settings.formulation, Formulation::R3SO3 | Formulation::SE3) {
        return None;
    }
    let system = &*ready.built.system;
    let mut rng = Rng::with_seed(1);
    let first = reference.at(&grid[..1]);
    let speed = first.speed().max(reference.speed() * 0.1) / reference.length;
    let mut sizes = Vec::new();
    for b in &ready.loaded.model.bodies {
        let rigid = matches!(b.kind, precess::mechanics::BodyKind::Rigid { .. });
        sizes.extend([1.0; 3].into_iter().filter(|_| rigid));
        sizes.extend([reference.length; 3]);
    }
    // The states of controls are not perturbed.
    sizes.resize(ready.state.v.len(), 0.0);
    let mut some = || 2.0 * rng.f64() - 1.0;
    let x: Vec<f64> = sizes.iter().map(|s| s * PERTURBATION * some()).collect();
    let v: Vec<f64> =
        ready.state.v.iter().zip(&sizes).map(|(v, s)| v + s * speed * PERTURBATION * some()).collect();
    let mut q = ready.state.q.clone();
    system.group().retract(&ready.state.q, &x, &mut q);
    ready.state = InitialValues::new(&q, &v).fixed().consistent(system).ok()?;
    let (other, _) = ready.run(grid, false).ok()?;
    Some(difference(&other, &reference.at(grid)).map(|x| (x / PERTURBATION).max(1.0)))
}

/// The largest relative differences of positions, of velocities and of joint forces. Rotations are in rad.
/// Positions are relative to the length of the mechanism plus the distance from the origin. Velocities and
/// forces are relative to the largest. The result is NaN if any number is NaN.
pub fn difference(a: &Course, b: &Course) -> [f64; 3] {
    if a.times.len() != b.times.len() {
        return [f64::NAN; 3];
    }
    let length = b.length;
    let speed = b.speed();
    let mut worst = [0.0; 3];
    let mut see = |k: usize, x: f64| worst[k] = larger(worst[k], x);
    for (track, other) in a.bodies.iter().zip(&b.bodies) {
        for (a, b) in track.poses.iter().zip(&other.poses) {
            see(0, (a.position - b.position).norm() / (length + b.position.norm()));
            if track.rigid {
                see(0, angle(&a.rotation, &b.rotation));
            }
            see(1, (a.velocity - b.velocity).norm() / speed);
            see(1, (a.spin - b.spin).norm() * length / speed);
        }
    }
    let force = b.force();
    for ((_, a), (_, b)) in a.joints.iter().zip(&b.joints) {
        for (a, b) in a.iter().zip(b) {
            see(2, (a[0] - b[0]).norm() / force);
            see(2, (a[1] - b[1]).norm() / length / force);
        }
    }
    worst
}

/// The angle between two rotations. Unlike the formula with the trace, it is accurate for small angles.
fn angle(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
    2.0 * (a.inverse() * b).imag().norm().min(1.0).asin()
}

impl Course {
    /// The largest velocity of a body, or of one of its points at the typical length.
    pub fn speed(&self) -> f64 {
        let last = self.times.last().copied().unwrap_or(1.0);
        let slow = if last > 0.0 { self.length / last } else { 0.0 };
        let poses = self.bodies.iter().flat_map(|b| &b.poses);
        poses.map(|p| p.velocity.norm().max(p.spin.norm() * self.length)).fold(slow, f64::max)
    }

    /// The largest reaction. It is at least a thousandth of the force that the heaviest body needs for its
    /// motion.
    pub fn force(&self) -> f64 {
        let load = self.mass * (self.gravity + self.speed().powi(2) / self.length);
        let reactions = self.joints.iter().flat_map(|j| &j.1);
        reactions.map(|[f, m]| f.norm().max(m.norm() / self.length)).fold(1e-3 * load, f64::max)
    }

    /// The rows with these numbers.
    fn rows(&self, list: &[usize]) -> Course {
        let mut course = self.clone();
        course.times = list.iter().map(|&i| self.times[i]).collect();
        for (all, few) in self.bodies.iter().zip(&mut course.bodies) {
            few.poses = list.iter().map(|&i| all.poses[i]).collect();
        }
        for (all, few) in self.joints.iter().zip(&mut course.joints) {
            few.1 = list.iter().map(|&i| all.1[i]).collect();
        }
        course
    }

    /// About n rows at most, including the first and the last.
    pub fn thinned(&self, n: usize) -> Course {
        let rows = self.times.len();
        let stride = rows.div_ceil(n).max(1);
        let mut list: Vec<usize> = (0..rows).step_by(stride).collect();
        if list.last().is_some_and(|i| i + 1 < rows) {
            list.push(rows - 1);
        }
        self.rows(&list)
    }

    /// The times that have two rows. Forces jump there.
    pub fn jumps(&self) -> Vec<f64> {
        self.times.windows(2).filter(|t| t[0] == t[1]).map(|t| t[0]).collect()
    }

    /// The rows that are further than this distance from all of these times.
    pub fn away_from(&self, times: &[f64], distance: f64) -> Course {
        let far = |t: f64| times.iter().all(|x| (x - t).abs() > distance);
        let list: Vec<usize> = (0..self.times.len()).filter(|&i| far(self.times[i])).collect();
        self.rows(&list)
    }

    /// The rows at these times, or the nearest ones.
    pub fn at(&self, times: &[f64]) -> Course {
        let nearest = |t: f64| {
            let i = self.times.partition_point(|x| *x < t).min(self.times.len() - 1);
            if i > 0 && t - self.times[i - 1] < self.times[i] - t { i - 1 } else { i }
        };
        let list: Vec<usize> = times.iter().map(|t| nearest(*t)).collect();
        self.rows(&list)
    }

    /// Converts the numbers back from other units.
    fn unscale(&mut self, u: &Units) {
        self.times.iter_mut().for_each(|t| *t /= u.time);
        for p in self.bodies.iter_mut().flat_map(|b| &mut b.poses) {
            p.position /= u.length;
            p.velocity /= u.velocity();
            p.spin *= u.time;
        }
        for [f, m] in self.joints.iter_mut().flat_map(|j| &mut j.1) {
            *f /= u.force();
            *m /= u.torque();
        }
    }

    /// Rotates the motion about the origin.
    fn turn(&mut self, r: &UnitQuaternion<f64>) {
        let turn = |x: &mut Vector3<f64>| *x = r * *x;
        for p in self.bodies.iter_mut().flat_map(|b| &mut b.poses) {
            turn(&mut p.position);
            turn(&mut p.velocity);
            p.rotation = r * p.rotation;
        }
        for [f, m] in self.joints.iter_mut().flat_map(|j| &mut j.1) {
            turn(f);
            turn(m);
        }
    }
}
