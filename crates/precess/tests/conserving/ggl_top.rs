//! Gyroscopic top of Kinon, Betsch and Schneider (2023), section 6.2, against the exact steady precession and
//! values of an independent prototype.

use crate::ggl_util::*;
use nalgebra::Vector3;
use precess::conserve::{Bs99, EnergyMomentum, StepRule, Stepper, Theta, ViS};
use precess::integrate::Integrator;
use precess::mechanics::State;
use precess::problems::ggl::{OMEGA_P, gyroscopic_top};

const M: f64 = 0.7069;

/// max |phi_3 - l/2| up to T = 0.1 and 1, max |H - H_0|, |G_int M^-1 p|, |G_ext M^-1 p| (None:
/// round-off), |gamma|.
type Row = (f64, f64, Option<f64>, Option<f64>, Option<f64>, f64);

fn check<R: StepRule>(rule: R, (early, late, h, inner, outer, gamma): Row) {
    let example = gyroscopic_top();
    let mut worst = [0.0_f64; 4];
    let mut rows = [0.0; 9];
    let r = run_with(&example.system, &mut Stepper::new(rule), start(&example), (0.002, 500), |s, state| {
        let height = (state.q[2] - 0.0375).abs();
        example.system.gv(&state.q, s.w(), &mut rows);
        let early = if state.t < 0.1 + 1e-9 { height } else { 0.0 };
        for (w, x) in worst.iter_mut().zip([early, height, largest(&rows[..6]), largest(&rows[6..])]) {
            *w = precess::study::larger(*w, x);
        }
        true
    });
    let small = |x: f64, y: Option<f64>, round_off: f64| match y {
        Some(y) => near(x, y, 0.01),
        None => assert!(x <= round_off, "{x:e}"),
    };
    near(worst[0], early, 0.02);
    near(worst[1], late, 0.02);
    small(r.h, h, 1e-12 * 5.67);
    small(worst[2], inner, 1e-12);
    small(worst[3], outer, 1e-11);
    assert!(r.j_increment <= 1e-14, "{:e}", r.j_increment);
    if gamma > 0.0 {
        near(r.gamma, gamma, 0.01);
    } else {
        assert!(r.gamma < 1e-13);
    }
    // Four updates and the final one.
    assert!((r.updates as f64 / 500.0 - 5.0).abs() <= 0.5, "{}", r.updates);
}

#[test]
fn vi_s() {
    check(ViS, (2.513e-4, 1.437e-3, Some(1.930e-4), Some(0.3743), None, 6.166e-3));
}

#[test]
fn vi_a() {
    check(Theta::VI_A, (1.367e-4, 5.056e-4, Some(0.1950), Some(14.84), None, 2.842e-3));
}

#[test]
fn vi_b() {
    check(Theta::VI_B, (8.342e-4, 1.393e-3, Some(0.5076), Some(43.47), Some(6.781), 5.891e-3));
}

#[test]
fn vi_theta_at_the_midpoint() {
    check(Theta::MIDPOINT, (7.057e-5, 2.641e-4, Some(6.319e-5), Some(0.6728), Some(0.6914), 0.0));
}

#[test]
fn em() {
    check(EnergyMomentum::EM, (3.231e-5, 1.212e-4, None, None, None, 4.089e-5));
}

#[test]
fn em_g() {
    check(EnergyMomentum::EM_G, (3.287e-5, 1.234e-4, None, Some(0.3244), None, 0.0));
}

#[test]
fn bs99_keeps_j_3_and_its_table() {
    let example = gyroscopic_top();
    let (mut state, mut method) = (start(&example), Bs99::new());
    let first = example.system.invariants(&state.q, &state.v);
    method.start(&example.system, &mut state, 0.002).unwrap();
    let (mut early, mut late, mut h, mut j) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for k in 1..=500 {
        method.step(&example.system, &mut state, 0.002).unwrap();
        let height = (state.q[2] - 0.0375).abs();
        late = precess::study::larger(late, height);
        early = if k <= 50 { late } else { early };
        let now = example.system.invariants(&state.q, &state.v);
        h = precess::study::larger(h, (now.energy - first.energy).abs());
        j = precess::study::larger(j, (now.about_gravity - first.about_gravity).abs());
        assert!(now.primary < 1e-12);
    }
    near(early, 5.311e-4, 0.02);
    near(late, 5.998e-4, 0.02);
    near(h, 9.005e-5, 0.02);
    assert!(j < 1e-13, "{j:e}");
    let other = precess::problems::ggl::four_particles();
    assert!(Bs99::new().start(&other.system, &mut start(&other), 0.01).is_err());
}

/// Relative errors (113), (114) of phi_3 and of the momentum of the centre of mass at t = 0.001.
fn errors(state: &State, w: &[f64]) -> [f64; 2] {
    let turned = |x: Vector3<f64>| {
        let (sin, cos) = (OMEGA_P * 1e-3).sin_cos();
        Vector3::new(cos * x.x - sin * x.y, sin * x.x + cos * x.y, x.z)
    };
    let q_0 = gyroscopic_top().q_0;
    let p = M * OMEGA_P * Vector3::z().cross(&turned(Vector3::new(q_0[0], q_0[1], q_0[2])));
    let found = M * Vector3::new(w[0], w[1], w[2]);
    [(state.q[2] - 0.0375).abs() / 0.0375, (found - p).norm() / p.norm()]
}

fn order_of<R: StepRule + Clone>(rule: R, table: [[f64; 2]; 2], orders: [f64; 2], tolerances: [f64; 2]) {
    let example = gyroscopic_top();
    // Even numbers of steps: some schemes have a component of period two in p.
    let found = [20, 100].map(|n| {
        let mut e = [0.0; 2];
        run_with(
            &example.system,
            &mut Stepper::new(rule.clone()),
            start(&example),
            (1e-3 / n as f64, n),
            |s, state| {
                e = errors(state, s.w());
                true
            },
        );
        e
    });
    for i in 0..2 {
        for k in 0..2 {
            near(found[k][i], table[i][k], 0.03);
        }
        let order = (found[0][i] / found[1][i]).ln() / 5.0_f64.ln();
        assert!((order - orders[i]).abs() <= tolerances[i], "order {order}");
    }
}

/// Errors at h = 5e-5 and 1e-5: orders 1, 1, 1, 2, 2 of the paper.
#[test]
fn orders() {
    order_of(ViS, [[4.327e-6, 8.656e-7], [4.615e-6, 7.173e-7]], [1.0, 1.0], [0.15, 0.25]);
    order_of(Theta::VI_B, [[4.328e-6, 8.656e-7], [8.717e-6, 1.743e-6]], [1.0, 1.0], [0.15, 0.15]);
    order_of(Theta::VI_A, [[1.265e-9, 5.060e-11], [1.107e-7, 4.430e-9]], [2.0, 2.0], [0.05, 0.05]);
    order_of(EnergyMomentum::EM, [[6.068e-11, 2.427e-12], [1.326e-8, 5.306e-10]], [2.0, 2.0], [0.05, 0.05]);
    order_of(EnergyMomentum::EM_G, [[6.068e-11, 2.426e-12], [7.868e-8, 3.138e-9]], [2.0, 2.0], [0.05, 0.05]);
    order_of(Theta::MIDPOINT, [[1.268e-10, 5.071e-12], [4.029e-8, 1.611e-9]], [2.0, 2.0], [0.05, 0.05]);
}

#[test]
fn order_of_bs99() {
    let example = gyroscopic_top();
    let mut found = Vec::new();
    for n in [20, 100] {
        let (mut state, mut method) = (start(&example), Bs99::new());
        let h = 1e-3 / n as f64;
        method.start(&example.system, &mut state, h).unwrap();
        for _ in 0..n {
            method.step(&example.system, &mut state, h).unwrap();
        }
        found.push(errors(&state, &state.v));
    }
    near(found[0][0], 4.328e-6, 0.01);
    near(found[1][0], 8.656e-7, 0.01);
    near(found[0][1], 3.330e-6, 0.01);
    near(found[1][1], 6.660e-7, 0.01);
}
