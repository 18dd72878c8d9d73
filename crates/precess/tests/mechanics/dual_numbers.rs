//! Every derivative that is written by hand, against dual numbers: M, D, K, B, Y, dg/dlambda, the hidden
//! constraints and the potentials, for every joint and force, on R^3xSO(3) and SE(3), at random states off
//! the constraints.

use nalgebra::Vector3;
use num_traits::Zero;
use precess::mechanics::Multibody;
use precess::study::larger;
use precess_lie::rotation::{retract, retract_screw};
use precess_lie::{Dual, Factor, Number, Product};

use precess::formulation::Formulation;
use precess::mechanics::combine::Combine;
use precess::mechanics::physics::*;
use precess::mechanics::{At, Equations, State, System, Tangents, Want};
use precess::model::{Built, build, load};

mod coordinates;

use crate::every_element::models;

fn noise(k: usize, seed: usize) -> f64 {
    let x = (k * k * 37 + k * 101 + seed * 7919 + 13) % 10007;
    x as f64 / 5003.5 - 1.0
}

/// A state near the assembled positions, off the constraints, in motion.
fn state(built: &Built, seed: usize) -> State {
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
    group.retract(&built.q, &some(group.dim(), 0.2, 0), &mut state.q);
    state.remember(&*built.system);
    state.t = 0.41;
    state
}

/// q o exp(eps w).
fn moved(group: &Product, q: &[f64], w: &[f64]) -> Vec<Dual> {
    let mut out: Vec<Dual> = q.iter().map(|x| Dual::of(*x)).collect();
    for (i, factor) in group.factors().iter().enumerate() {
        let (at, w) = (group.q_range(i), &w[group.v_range(i)]);
        let eps = |k: usize| Vector3::from_fn(|j, _| Dual::new(0.0, w[k + j]));
        let q = &mut out[at];
        match factor {
            Factor::Rn(n) => (0..*n).for_each(|j| q[j].dx = w[j]),
            Factor::SO3 => q.copy_from_slice(&retract(q, &eps(0))),
            Factor::R3xSO3 => {
                let turned = retract(&q[..4], &eps(0));
                q[..4].copy_from_slice(&turned);
                (0..3).for_each(|j| q[4 + j].dx = w[3 + j]);
            }
            Factor::SE3 => {
                let turned = retract_screw(q, &eps(0), &eps(3));
                q.copy_from_slice(&turned);
            }
        }
    }
    out
}

fn along(x: &[f64], dx: &[f64]) -> Vec<Dual> {
    x.iter().zip(dx).map(|(x, dx)| Dual::new(*x, *dx)).collect()
}

/// The equations along a direction.
struct Along {
    r: Vec<f64>,
    phi: Vec<f64>,
    velocity: Vec<f64>,
}

/// Which arguments change, and how.
#[derive(Default)]
struct Direction<'a> {
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    vdot: &'a [f64],
    lambda: &'a [f64],
}

fn equations(built: &Built, physics: &Physics<Dual>, state: &State, d: &Direction) -> Along {
    let none = vec![0.0; state.v.len().max(state.lambda.len())];
    let pick = |x: &[f64], n: usize| if x.is_empty() { none[..n].to_vec() } else { x.to_vec() };
    let (k, m) = (state.v.len(), state.lambda.len());
    let q = moved(built.system.group(), &state.q, &pick(d.q, k));
    let v = along(&state.v, &pick(d.v, k));
    let vdot = along(&state.vdot, &pick(d.vdot, k));
    let lambda = along(&state.lambda, &pick(d.lambda, m));
    let memory: Vec<Dual> = state.memory.iter().map(|x| Dual::of(*x)).collect();
    let t = Dual::new(state.t, d.t);
    let at = At { t, q: &q, v: &v, vdot: &vdot, lambda: &lambda, s: &[], memory: &memory };
    let (mut r, mut phi, mut rate) = (vec![Dual::zero(); k], vec![Dual::zero(); m], vec![Dual::zero(); m]);
    physics.equations(&at, Equations { r: Some(&mut r), phi: Some(&mut phi), velocity: Some(&mut rate) });
    let derivatives = |x: Vec<Dual>| x.iter().map(|x| x.dx).collect();
    Along { r: derivatives(r), phi: derivatives(phi), velocity: derivatives(rate) }
}

fn compare(what: &str, hand: &[f64], dual: &[f64]) {
    let scale = dual.iter().map(|x| x.abs()).fold(1.0, larger);
    for (i, (a, b)) in hand.iter().zip(dual).enumerate() {
        assert!((a - b).abs() <= 1e-11 * scale, "{what}, row {i}: {a} by hand, {b} by dual numbers");
    }
}

fn times(m: &precess::solve::Mat, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; m.rows()];
    m.gemv(1.0, x, &mut y);
    y
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    for (name, text) in models() {
        for group in [Formulation::R3SO3, Formulation::SE3] {
            let loaded = load("m.toml", &text, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
            let built = build(&loaded.model, group).unwrap_or_else(|e| panic!("{name}: {e}"));
            let system = Multibody::of(&*built.system).unwrap();
            let physics = Physics::combine(&[system.physics()], &|x| Dual::of(x(0))).unwrap();
            for seed in 0..4 {
                let state = state(&built, seed);
                let (k, m) = (state.v.len(), state.lambda.len());
                let w: Vec<f64> = (0..k).map(|i| noise(i + 400, seed)).collect();
                let l: Vec<f64> = (0..m).map(|i| noise(i + 500, seed)).collect();
                let what = |x: &str| format!("{name}, {group:?}, {x}");
                let mut t = Tangents::of(system);
                let want = |c_m, c_d| Want { c_m, c_d, stiffness: true, constraint: true, curvature: true };
                t.evaluate(system, &state.at(), want(0.0, 1.0));
                let by = |d: Direction| equations(&built, &physics, &state, &d);
                let in_q = by(Direction { q: &w, ..Direction::default() });
                compare(&what("K"), &times(&t.k, &w), &in_q.r);
                // Velocity rows have no Phi.
                let of_position = |mut x: Vec<f64>| {
                    system.velocity_rows().iter().for_each(|&i| x[i] = 0.0);
                    x
                };
                compare(&what("B"), &of_position(times(&t.b, &w)), &in_q.phi);
                compare(&what("Y"), &times(&t.y, &w), &in_q.velocity);
                let in_v = by(Direction { v: &w, ..Direction::default() });
                compare(&what("D"), &times(&t.s, &w), &in_v.r);
                compare(&what("B of v"), &times(&t.b, &w), &in_v.velocity);
                let mut forces = vec![0.0; k];
                t.b.gemv_transpose(1.0, &l, &mut forces);
                if t.has_friction() {
                    t.g_lambda.gemv(1.0, &l, &mut forces);
                }
                compare(&what("B^T"), &forces, &by(Direction { lambda: &l, ..Direction::default() }).r);
                t.evaluate(system, &state.at(), want(1.0, 0.0));
                compare(&what("M"), &times(&t.s, &w), &by(Direction { vdot: &w, ..Direction::default() }).r);
                // d/dt of Phi and of its rate along the motion.
                let motion = by(Direction { t: 1.0, q: &state.v, v: &state.vdot, ..Direction::default() });
                let (mut rate, mut second) = (vec![0.0; m], vec![0.0; m]);
                system.velocity_constraint(&state.at(), &mut rate);
                compare(&what("B v + Phi_t"), &of_position(rate), &motion.phi);
                system.acceleration_constraint(&state.at(), &mut second);
                compare(&what("acceleration"), &second, &motion.velocity);
            }
        }
    }
}

/// Forces without power are the gradient of their potential; the energy of all changes by the power.
#[test]
fn energy_changes_by_the_power() {
    for (name, text) in models() {
        for group in [Formulation::R3SO3, Formulation::SE3] {
            let loaded = load("m.toml", &text, &[]).unwrap();
            let built = build(&loaded.model, group).unwrap();
            let system = Multibody::of(&*built.system).unwrap();
            let physics = Physics::combine(&[system.physics()], &|x| Dual::of(x(0))).unwrap();
            let state = state(&built, 7);
            let k = state.v.len();
            let q = moved(system.group(), &state.q, &state.v);
            let (v, vdot) = (along(&state.v, &state.vdot), along(&state.vdot, &vec![0.0; k]));
            let lambda: Vec<Dual> = state.lambda.iter().map(|x| Dual::of(*x)).collect();
            let memory: Vec<Dual> = state.memory.iter().map(|x| Dual::of(*x)).collect();
            let t = Dual::new(state.t, 0.0);
            let at = At { t, q: &q, v: &v, vdot: &vdot, lambda: &lambda, s: &[], memory: &memory };
            let [kinetic, potential] = physics.energy(&at);
            // v . r = d/dt (T + V) - power of the forces + lambda . B v, for any v' and lambda.
            let mut r = vec![0.0; k];
            system.residual(&state.at(), &mut r);
            let states = |i: &usize| {
                physics.controls.iter().all(|c| !(c.state..c.state + c.controller.n_states()).contains(i))
            };
            let work: f64 = (0..k).filter(states).map(|i| r[i] * state.v[i]).sum();
            let mut rate = vec![0.0; state.lambda.len()];
            system.velocity_constraint(&state.at(), &mut rate);
            let held: f64 = rate.iter().zip(&state.lambda).map(|(a, b)| a * b).sum();
            // The power of drives is lambda . Phi_t, the part of `rate` that is not B v.
            let power = system.power(&state.at()).unwrap_or(0.0);
            let change = kinetic.dx + potential.dx;
            assert!(
                (change - power + held - work).abs() < 1e-10 * (1.0 + work.abs() + change.abs() + held.abs()),
                "{name}, {group:?}: energy {change}, power {power}, held {held}, work {work}"
            );
        }
    }
}
