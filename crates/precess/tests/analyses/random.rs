//! Properties of random chains: an equilibrium stays where it rests, modes agree with an independent
//! eigenproblem and with runs. Every test takes a few cases; many of them with
//!
//! ```text
//! cargo test --release -p precess --test analyses random:: -- --ignored
//! ```

use crate::analyses_util::{built, built_se3, relative, text};
use nalgebra::{DMatrix, SymmetricEigen};
use precess::analysis::equilibrium::find;
use precess::analysis::modes::{Mode, modes};
use precess::analysis::steady::resting_at;
use precess::analysis::{EquilibriumOptions, Selection, Stability};
use precess::model::Loaded;
use precess::simulation::Simulation;
use precess::study::larger;

struct Random(u64);

impl Random {
    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// From 10^low to 10^high.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(low + (high - low) * self.uniform())
    }
}

/// A rod of a chain.
struct Rod {
    m: f64,
    /// Inertia about its centre.
    j: f64,
    /// Length, and distance of the centre from the upper end.
    l: f64,
    c: f64,
    /// Stiffness of the torsion spring at its upper end.
    k: f64,
}

const G: f64 = 9.81;

/// A chain of 1 to 7 rods with springs of very different stiffness.
fn chain(random: &mut Random, stiffest: f64) -> Vec<Rod> {
    let n = 1 + (7.0 * random.uniform()) as usize;
    (0..n)
        .map(|_| {
            let (m, l) = (random.decades(-1.0, 1.0), random.decades(-0.7, 0.3));
            let spring = if random.uniform() < 0.3 { 0.0 } else { random.decades(-2.0, stiffest) };
            Rod {
                m,
                l,
                j: m * l * l * random.decades(-1.5, -0.8),
                c: l * (0.2 + 0.6 * random.uniform()),
                k: spring,
            }
        })
        .collect()
}

/// The chain hangs down from a hinge, its rods turned about y by angles.
fn file(rods: &[Rod], angles: &[f64], rates: &[f64], joint: &str) -> Loaded {
    let mut s = format!("[model]\ngravity = [0, 0, -{G}]\n");
    let (mut p, mut v) = ([0.0, 0.0], [0.0, 0.0]);
    for (i, (rod, (a, w))) in rods.iter().zip(angles.iter().zip(rates)).enumerate() {
        let (sin, cos) = a.sin_cos();
        let down = |r: f64| [p[0] - r * sin, p[1] - r * cos];
        let fast = |r: f64| [v[0] - r * w * cos, v[1] + r * w * sin];
        let (x, u) = (down(rod.c), fast(rod.c));
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        s += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = {m}\ninertia = [{j}, {j}, {t}]\nposition = [{}, 0, {}]\n\
             rotation = {{ axis = [0, 1, 0], angle = {a} }}\nvelocity = [{:e}, 0, {:e}]\nangular_velocity \
             = [0, \
             {w:e}, 0]\n\
             [[joint]]\nname = \"h{i}\"\ntype = \"{joint}\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             [{}, 0, \
             {}]\n",
            x[0],
            x[1],
            u[0],
            u[1],
            p[0],
            p[1],
            m = rod.m,
            j = rod.j,
            t = 0.3 * rod.j,
        );
        if joint == "revolute" {
            s += "axis = \"y\"\n";
        }
        if rod.k > 0.0 && joint == "revolute" {
            s += &format!(
                "[[force]]\nname = \"s{i}\"\ntype = \"joint-spring\"\njoint = \"h{i}\"\nstiffness = {:e}\n",
                rod.k
            );
        }
        (v, p) = (fast(rod.l), down(rod.l));
    }
    text(&s)
}

/// Frequencies of the hanging chain in its absolute angles: M from the kinetic energy, K from weights and
/// springs. The eigenvalues of L^-1 M L^-T with K = L L^T keep the digits of the slow ones.
fn frequencies(rods: &[Rod]) -> Vec<f64> {
    let n = rods.len();
    // The velocity of centre k is the sum of arm(k, i) times the rate of rod i.
    let arm = |k: usize, i: usize| match i.cmp(&k) {
        std::cmp::Ordering::Less => rods[i].l,
        std::cmp::Ordering::Equal => rods[i].c,
        std::cmp::Ordering::Greater => 0.0,
    };
    let mut mass = DMatrix::<f64>::zeros(n, n);
    let mut stiffness = DMatrix::<f64>::zeros(n, n);
    for k in 0..n {
        mass[(k, k)] += rods[k].j;
        for i in 0..n {
            stiffness[(i, i)] += rods[k].m * G * arm(k, i);
            for j in 0..n {
                mass[(i, j)] += rods[k].m * arm(k, i) * arm(k, j);
            }
        }
        stiffness[(k, k)] += rods[k].k;
        if k > 0 {
            stiffness[(k - 1, k - 1)] += rods[k].k;
            stiffness[(k - 1, k)] -= rods[k].k;
            stiffness[(k, k - 1)] -= rods[k].k;
        }
    }
    let l = stiffness.cholesky().unwrap().l().try_inverse().unwrap();
    let theta = SymmetricEigen::new(&l * mass * l.transpose()).eigenvalues;
    let mut list: Vec<f64> = theta.iter().map(|x| x.recip().sqrt()).collect();
    list.sort_by(f64::total_cmp);
    list
}

fn vibrations(loaded: &Loaded, se3: bool, n: usize) -> (Vec<Mode>, usize) {
    let built = if se3 { built_se3(loaded) } else { built(loaded) };
    let system = &*built.system;
    let found = find(system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.stability, Stability::Stable);
    let moved = found.moved.iter().flatten().fold(0.0, |a, b| larger(a, *b));
    assert!(moved < 1e-8, "a chain that hangs moved by {moved:e}");
    let rest = resting_at(system, &found.state).unwrap();
    let list = modes(system, &rest, Selection { n, near: None }).unwrap();
    (list.modes, list.degrees_of_freedom)
}

/// Springs are up to 1e10 times stiffer than others.
fn modes_agree(cases: std::ops::Range<u64>) {
    for seed in cases {
        let mut random = Random(seed);
        let stiffest = 8.0 * random.uniform();
        let rods = chain(&mut random, stiffest);
        let zeros = vec![0.0; rods.len()];
        let (list, n) = vibrations(&file(&rods, &zeros, &zeros, "revolute"), seed % 2 == 1, rods.len());
        let exact = frequencies(&rods);
        assert_eq!((n, list.len()), (rods.len(), rods.len()), "case {seed}");
        let range = (exact[exact.len() - 1] / exact[0]).powi(2);
        for (mode, exact) in list.iter().zip(&exact) {
            let error = relative(mode.s.im, *exact);
            assert!(error < 1e-9 + 1e-13 * range, "case {seed}: {} {exact} of range {range:e}", mode.s);
            assert!(!mode.grows() && mode.s.re == 0.0, "case {seed}: {}", mode.s);
        }
    }
}

#[test]
fn modes_agree_with_an_independent_eigenproblem() {
    modes_agree(0..40);
}

#[test]
#[ignore = "many cases"]
fn modes_agree_with_an_independent_eigenproblem_400() {
    modes_agree(40..440);
}

/// From random angles a chain comes to rest. From there, a second search moves nothing: not along the free
/// spins of rods on ball joints, either.
fn rests_stay(cases: std::ops::Range<u64>) {
    for seed in cases {
        let mut random = Random(seed);
        let rods = chain(&mut random, 2.0);
        let angles: Vec<f64> = rods.iter().map(|_| 2.8 * (random.uniform() - 0.5)).collect();
        let joint = if seed % 2 == 0 { "revolute" } else { "spherical" };
        let loaded = file(&rods, &angles, &vec![0.0; rods.len()], joint);
        for built in [built(&loaded), built_se3(&loaded)] {
            let system = &*built.system;
            let options = EquilibriumOptions::default();
            let first = find(system, &built.q, &options).unwrap_or_else(|e| panic!("case {seed}: {e}"));
            assert_ne!(first.stability, Stability::Unstable, "case {seed}");
            let free = if joint == "spherical" { rods.len() } else { 0 };
            assert_eq!(first.free.len(), free, "case {seed}");
            let again = find(system, &first.state.q, &options).unwrap_or_else(|e| panic!("case {seed}: {e}"));
            let moved = again.moved.iter().flatten().fold(0.0, |a, b| larger(a, *b));
            assert!(
                moved < 1e-8 && again.factorisations <= 4,
                "case {seed}: {moved:e}, {}",
                again.factorisations
            );
        }
    }
}

#[test]
fn rests_stay_where_they_are() {
    rests_stay(0..25);
}

#[test]
#[ignore = "many cases"]
fn rests_stay_where_they_are_400() {
    rests_stay(25..425);
}

/// A chain that starts with the velocities of its slowest mode is back after half a period, with the opposite
/// velocities.
fn runs_agree(cases: std::ops::Range<u64>) {
    for seed in cases {
        let mut random = Random(seed);
        let rods: Vec<Rod> = chain(&mut random, 2.0).into_iter().take(3).collect();
        let zeros = vec![0.0; rods.len()];
        let (list, _) = vibrations(&file(&rods, &zeros, &zeros, "revolute"), false, 1);
        let rates: Vec<f64> = (0..rods.len()).map(|i| 1e-3 * list[0].shape[6 * i + 1].re).collect();
        let largest = rates.iter().fold(0.0, |a, b| larger(a, b.abs()));
        let mut run = Simulation::with_tol(file(&rods, &zeros, &rates, "revolute").model, 1e-9)
            .unwrap_or_else(|e| panic!("{e}"));
        run.advance_to(std::f64::consts::PI / list[0].s.im).unwrap_or_else(|e| panic!("case {seed}: {e}"));
        for (body, rate) in run.bodies().iter().zip(&rates) {
            let error = (body.angular_velocity.y + rate).abs() / largest;
            let angle = (2.0 * body.rotation[2]).abs() * list[0].s.im / largest;
            assert!(error < 1e-4 && angle < 1e-4, "case {seed}: {error:e} {angle:e}");
        }
    }
}

#[test]
fn runs_have_the_frequency_of_the_mode() {
    runs_agree(0..6);
}

#[test]
#[ignore = "many cases"]
fn runs_have_the_frequency_of_the_mode_100() {
    runs_agree(6..106);
}
