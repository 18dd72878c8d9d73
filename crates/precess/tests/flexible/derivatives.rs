//! Derivatives of beams and modal bodies, with everything attached to them, against central differences at random states.

use crate::model_util::load_text;
use precess::formulation::Formulation;
use precess::mechanics::{At, Equations, State, System, Tangents, Want};
use precess::model::{Built, Model, build};

/// Numbers in [-1, 1] without a pattern.
pub fn noise(k: usize, seed: usize) -> f64 {
    let x = (k * k * 37 + k * 101 + seed * 7919 + 13) % 10007;
    x as f64 / 5003.5 - 1.0
}

pub fn some_state(built: &Built, seed: usize, size: f64) -> State {
    let (group, m) = (built.system.group(), built.system.n_lambda());
    let some = |n: usize, scale: f64, salt: usize| -> Vec<f64> {
        (0..n).map(|i| scale * noise(i + salt, seed)).collect()
    };
    let mut state = State {
        t: 0.37,
        q: built.q.clone(),
        v: some(group.dim(), 2.0, 50),
        vdot: some(group.dim(), 5.0, 150),
        lambda: some(m, 3.0, 250),
        memory: vec![0.0; built.system.n_memory()],
        ..State::default()
    };
    group.retract(&built.q, &some(group.dim(), size, 0), &mut state.q);
    state.remember(&*built.system);
    state
}

struct Values {
    r: Vec<f64>,
    phi: Vec<f64>,
    rate: Vec<f64>,
}

fn values(system: &dyn System, at: &At) -> Values {
    let (k, m) = (at.v.len(), at.lambda.len());
    let (mut r, mut phi, mut rate) = (vec![0.0; k], vec![0.0; m], vec![0.0; m]);
    system.equations(at, Equations { r: Some(&mut r), phi: Some(&mut phi), velocity: Some(&mut rate) });
    Values { r, phi, rate }
}

/// The change along a direction of q, v and v', by central differences of fourth order.
fn along(system: &dyn System, state: &State, dq: &[f64], dv: &[f64], da: &[f64]) -> Values {
    let h = 1e-3;
    let at = |s: f64| {
        let mut moved = state.clone();
        let step: Vec<f64> = dq.iter().map(|x| x * s).collect();
        system.group().retract(&state.q, &step, &mut moved.q);
        moved.v.iter_mut().zip(dv).for_each(|(x, d)| *x += s * d);
        moved.vdot.iter_mut().zip(da).for_each(|(x, d)| *x += s * d);
        values(system, &moved.at())
    };
    let [a, b, c, d] = [at(-2.0 * h), at(-h), at(h), at(2.0 * h)];
    let mix = |a: &[f64], b: &[f64], c: &[f64], d: &[f64]| -> Vec<f64> {
        (0..a.len()).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * h)).collect()
    };
    Values {
        r: mix(&a.r, &b.r, &c.r, &d.r),
        phi: mix(&a.phi, &b.phi, &c.phi, &d.phi),
        rate: mix(&a.rate, &b.rate, &c.rate, &d.rate),
    }
}

fn compare(what: &str, hand: &[f64], other: &[f64], tolerance: f64) {
    let scale = other.iter().fold(1.0f64, |m, x| if x.abs() <= m { m } else { x.abs() });
    for (i, (a, b)) in hand.iter().zip(other).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what}, entry {i}: {a} by hand, {b} by differences");
    }
}

fn times(m: &precess::solve::Mat, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; m.rows()];
    m.gemv(1.0, x, &mut y);
    y
}

/// M, D, K, B, Y and the hidden constraints of a model, in both groups.
pub fn check_derivatives(name: &str, model: &Model, size: f64) {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let built = build(model, formulation).unwrap_or_else(|e| panic!("{name}: {e}"));
        let system: &dyn System = &*built.system;
        for seed in 0..3 {
            let state = some_state(&built, seed, size);
            let k = state.v.len();
            let (w, zero): (Vec<f64>, Vec<f64>) =
                ((0..k).map(|i| noise(i + 400, seed)).collect(), vec![0.0; k]);
            let what = |x: &str| format!("{name}, {formulation:?}, {x}");
            let mut t = Tangents::of(system);
            let want = |c_m, c_d| Want { c_m, c_d, stiffness: true, constraint: true, curvature: true };
            t.evaluate(system, &state.at(), want(0.0, 1.0));
            let in_q = along(system, &state, &w, &zero, &zero);
            compare(&what("K"), &times(&t.k, &w), &in_q.r, 2e-9);
            compare(&what("B"), &times(&t.b, &w), &in_q.phi, 2e-9);
            compare(&what("Y"), &times(&t.y, &w), &in_q.rate, 2e-9);
            let in_v = along(system, &state, &zero, &w, &zero);
            compare(&what("D"), &times(&t.s, &w), &in_v.r, 2e-9);
            compare(&what("B of v"), &times(&t.b, &w), &in_v.rate, 2e-9);
            t.evaluate(system, &state.at(), want(1.0, 0.0));
            let in_a = along(system, &state, &zero, &zero, &w);
            compare(&what("M"), &times(&t.s, &w), &in_a.r, 2e-9);
            let motion = along(system, &state, &state.v, &state.vdot, &zero);
            let m = state.lambda.len();
            let (mut rate, mut second) = (vec![0.0; m], vec![0.0; m]);
            system.velocity_constraint(&state.at(), &mut rate);
            compare(&what("B v"), &rate, &motion.phi, 2e-9);
            system.acceleration_constraint(&state.at(), &mut second);
            compare(&what("acceleration"), &second, &motion.rate, 2e-9);
            // v . r = d/dt (T + V) - power + lambda . B v.
            let energy = |s: f64| {
                let mut moved = state.clone();
                let step: Vec<f64> = state.v.iter().map(|x| x * s).collect();
                system.group().retract(&state.q, &step, &mut moved.q);
                moved.v.iter_mut().zip(&state.vdot).for_each(|(x, d)| *x += s * d);
                system.energy(&moved.at()).unwrap().total()
            };
            let h = 1e-3;
            let change = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
            let mut r = vec![0.0; k];
            system.residual(&state.at(), &mut r);
            // States of controls come last and are no velocities.
            let states: usize = model.controls.iter().map(|c| c.controller.n_states()).sum();
            let work: f64 = r.iter().zip(&state.v).take(k - states).map(|(a, b)| a * b).sum();
            let held: f64 = rate.iter().zip(&state.lambda).map(|(a, b)| a * b).sum();
            let power = system.power(&state.at()).unwrap_or(0.0);
            let sizes = 1.0 + work.abs() + change.abs() + held.abs();
            assert!((change - power + held - work).abs() < 1e-8 * sizes, "{}", what("energy"));
        }
    }
}

const BEAM: &str = r#"
[model]
gravity = [0.3, -0.2, -9.81]
[[beam]]
name = "arc"
from = [0, 0, 0]
through = [0.6, 0.2, 0.1]
to = [1, 0.8, 0]
twist = 0.7
elements = 3
stiffness = [3, 4, 5, 60, 50, 40]
mass_per_length = 2
inertia_per_length = [0.3, 0.1, 0.2]
damping = 0.02
load = ["1 + t", 2, 3]
load_follows = true
[[body]]
name = "block"
mass = 1.3
inertia = [0.1, 0.12, 0.14]
position = [1.2, 0.9, 0.1]
[[joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "arc.start"]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["arc.end", "block"]
axis = [0, 1, 0.3]
[[force]]
name = "spring"
type = "spring"
bodies = ["arc.1", "block"]
point = "arc.1"
point2 = [1.2, 0.9, 0.3]
stiffness = 30
damping = 2
"#;

#[test]
fn of_beams() {
    check_derivatives("consistent", &load_text(BEAM).model, 0.15);
    let lumped = BEAM.replace("damping = 0.02", "damping = 0.02\nmass = \"lumped\"");
    check_derivatives("lumped", &load_text(&lumped).model, 0.15);
    let plain = BEAM.replace("damping = 0.02", "residual_flexibility = true");
    check_derivatives("residual flexibility", &load_text(&plain).model, 0.15);
}
