//! Derivatives of beams and modal bodies, with everything attached to them, against extrapolated differences
//! at random states.

use crate::model_util::extrapolated::{Direction, TOLERANCE, check};
use crate::model_util::load_text;
use precess::formulation::Formulation;
use precess::mechanics::{State, System};
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

/// All derivatives of a model, and its energy, in all coordinates that take flexible bodies.
pub fn check_derivatives(name: &str, model: &Model, size: f64) {
    for formulation in
        [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan]
    {
        let built = build(model, formulation).unwrap_or_else(|e| panic!("{name}: {e}"));
        for seed in 0..3 {
            let state = some_state(&built, seed, size);
            let what = format!("{name}, {formulation}");
            check(&what, &*built.system, &state);
            // Euler parameters have an inertia of their own where they are not normalised.
            if formulation != Formulation::EulerParameters {
                // States, of controls as well, come last and are no velocities.
                let states: usize = model.controls.iter().map(|c| c.controller.n_states()).sum();
                let states = states + model.states.len();
                check_energy(&what, &*built.system, &state, states);
            }
        }
    }
}

/// v . r = d/dt (T + V) - power + lambda . B v.
fn check_energy(what: &str, system: &dyn System, state: &State, states: usize) {
    let motion = Direction { q: &state.v, v: &state.vdot, ..Direction::default() };
    let change = motion.of(system, state, |at| vec![system.energy(at).unwrap().total()])[0];
    let (mut r, mut rate) = (vec![0.0; state.v.len()], vec![0.0; state.lambda.len()]);
    system.residual(&state.at(), &mut r);
    system.velocity_constraint(&state.at(), &mut rate);
    let moving = state.v.len() - states;
    let work: f64 = r.iter().zip(&state.v).take(moving).map(|(a, b)| a * b).sum();
    let held: f64 = rate.iter().zip(&state.lambda).map(|(a, b)| a * b).sum();
    let power = system.power(&state.at()).unwrap_or(0.0);
    let sizes = 1.0 + work.abs() + change.abs() + held.abs();
    let error = (change - power + held - work).abs() / sizes;
    assert!(error < TOLERANCE, "{what}: the energy is off by {error:.1e}");
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
