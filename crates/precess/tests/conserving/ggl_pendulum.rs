//! Pendulum of Kinon, Betsch and Schneider (2023), section 6.1, against values of an independent prototype
//! and a reference solution in quadruple precision.

use crate::ggl_util::*;
use precess::conserve::{EnergyMomentum, Settings, StepRule, Stepper, Theta, Variant, ViS};
use precess::problems::ggl::spherical_pendulum;

/// max |H - H_0|, |E - E_0| (NaN: not tested), |g|, |G M^-1 p|, |gamma|, |lambda|, updates without the last
/// per step, error of q(10).
type Row = (f64, f64, Option<f64>, Option<f64>, f64, f64, f64, f64);

fn check<R: StepRule>(
    rule: R,
    (h, e, g, gv, gamma, lambda, updates, error): Row,
    q_end: [f64; 3],
    w_end: [f64; 3],
) {
    let reference = [0.218611338000, 0.046728350139, -0.974692538286];
    let r = run(&spherical_pendulum(), rule, 0.05, 200);
    assert!(r.failure.is_none() && r.steps == 200);
    let small = |x: f64, y: Option<f64>| match y {
        Some(y) => near(x, y, 0.01),
        None => assert!(x <= 1e-12, "{x:e}"),
    };
    small(r.h, (h > 0.0).then_some(h));
    if e.is_finite() {
        small(r.e, (e > 0.0).then_some(e));
    }
    assert!(r.j_increment <= 1e-14, "{:e}", r.j_increment);
    small(r.g, g);
    small(r.gv, gv);
    if gamma > 0.0 {
        near(r.gamma, gamma, 0.01);
    } else {
        assert!(r.gamma < 1e-13);
    }
    near(r.lambda, lambda, 0.01);
    near(r.updates as f64 / 200.0, updates + 1.0, 0.06);
    near(distance(&r.q, &reference), error, 0.01);
    for i in 0..3 {
        assert!((r.q[i] - q_end[i]).abs() < 2e-8, "{:?}", r.q);
        assert!((r.w[i] - w_end[i]).abs() < 2e-8, "{:?}", r.w);
    }
}

#[test]
fn vi_s() {
    check(
        ViS,
        (0.6978, f64::NAN, None, None, 0.5451, 30.46, 3.705, 0.6507),
        [-0.00027551, 0.62729424, -0.77878229],
        [-1.59545765, 2.98137413, 2.40200424],
    );
}

/// E of VI-S belongs to the node before the step: E_n = p_n.v_n - v_n.M v_n/2 + V(q_n) with v_n of the step n
/// -> n+1.
#[test]
fn energy_function_of_vi_s() {
    let example = spherical_pendulum();
    let state = start(&example);
    let (mut q, mut w, mut first, mut worst) = (state.q.clone(), state.v.clone(), None, 0.0_f64);
    run_with(&example.system, &mut Stepper::new(ViS), state, (0.05, 200), |s, state| {
        let (system, v) = (&example.system, s.velocity());
        let e = system.mass_product(&w, v) - 0.5 * system.mass_product(v, v) + system.potential(&q);
        for error in [(e - *first.get_or_insert(e)).abs(), (e - 0.5).abs()] {
            worst = precess::study::larger(worst, error);
        }
        (q, w) = (state.q.clone(), s.w().to_vec());
        true
    });
    near(worst, 1.123, 0.01);
}

#[test]
fn vi_a() {
    check(
        Theta::VI_A,
        (0.09791, 0.2229, Some(6.472e-3), Some(3.303e-2), 2.779e-2, 30.02, 3.495, 0.2863),
        [0.28758858, -0.22854787, -0.93674547],
        [-0.80756562, 4.11896538, -1.25717128],
    );
}

#[test]
fn vi_b() {
    check(
        Theta::VI_B,
        (0.6802, 0.7986, None, Some(0.3161), 0.5307, 31.73, 3.785, 0.4561),
        [0.05820905, 0.46395808, -0.88394265],
        [-1.74522722, 3.26904027, 1.87931433],
    );
}

#[test]
fn em() {
    check(
        EnergyMomentum::EM,
        (0.0, 0.0, None, None, 1.637e-2, 29.63, 3.745, 0.1304),
        [0.25230450, -0.07883342, -0.96443130],
        [-1.05215562, 4.29221452, -0.62610320],
    );
}

#[test]
fn em_g() {
    check(
        EnergyMomentum::EM_G,
        (0.0, 0.0, None, Some(1.654e-2), 0.0, 29.75, 3.780, 0.1309),
        [0.25244884, -0.07931513, -0.96435403],
        [-1.05106049, 4.29142394, -0.63212215],
    );
}

#[test]
fn vi_theta_at_the_midpoint() {
    let r = run(&spherical_pendulum(), Theta::MIDPOINT, 0.05, 200);
    near(r.h, 9.208e-2, 0.01);
    near(r.e, 0.2233, 0.01);
    near(r.gv, 1.667e-2, 0.01);
    near(distance(&r.q, &[0.218611338000, 0.046728350139, -0.974692538286]), 0.1639, 0.01);
    assert!(r.gamma < 1e-13 && r.g <= 1e-12 && r.j_increment <= 1e-14, "{r:?}");
}

/// q_1, p_1, lambda and gamma of the first step.
#[test]
fn first_steps() {
    fn first<R: StepRule>(rule: R, expected: [f64; 8]) {
        let example = spherical_pendulum();
        let mut stepper = Stepper::new(rule);
        run_with(&example.system, &mut stepper, start(&example), (0.05, 1), |s, state| {
            let u = s.unknowns();
            let gamma = u.gamma.first().copied().unwrap_or(0.0);
            let found = [&state.q[..], s.w(), u.lambda, &[gamma]].concat();
            for (i, (x, y)) in found.iter().zip(expected).enumerate() {
                let tolerance = if i < 6 { 6e-11 } else { 6e-7 };
                assert!((x - y).abs() < tolerance, "{i}: {x} {y}");
            }
            true
        });
    }
    first(
        ViS,
        [
            0.9984432107,
            0.0500779608,
            -0.0245632398,
            -0.0621262299,
            0.9984432107,
            -0.4897363949,
            1.244462,
            0.031184,
        ],
    );
    first(
        Theta::VI_A,
        [
            0.9993381747,
            0.0499669197,
            -0.0122543871,
            -0.0529372613,
            0.9980153999,
            -0.4900132768,
            1.059446,
            0.013237,
        ],
    );
    first(
        Theta::VI_B,
        [0.9987460731, 0.0500627751, 0.0, -0.1001255501, 0.9962366450, -0.4905, 2.005025, 0.025079],
    );
    first(
        EnergyMomentum::EM,
        [
            0.9986757924,
            0.0499650178,
            -0.0122539206,
            -0.0559715863,
            0.9985256339,
            -0.4901384117,
            1.120215,
            0.001503,
        ],
    );
    first(
        EnergyMomentum::EM_G,
        [
            0.9986756930,
            0.0499668923,
            -0.0122543803,
            -0.0529722791,
            0.9986756930,
            -0.4901752137,
            1.060148,
            0.0,
        ],
    );
}

/// Without the final update, invariants hold only to the tolerance. This is why there is a final update.
#[test]
fn the_final_update_is_needed() {
    let example = spherical_pendulum();
    let mut stepper =
        Stepper::new(EnergyMomentum::EM).with_settings(Settings { polish: false, ..Settings::default() });
    let r = run_with(&example.system, &mut stepper, start(&example), (0.05, 200), |_, _| true);
    assert!(r.h > 1e-10 && r.h < 1e-7, "{:e}", r.h);
    assert!(r.j_increment > 1e-12 && r.j_increment < 2e-9, "{:e}", r.j_increment);
}

#[test]
fn vartheta_is_refused_warned_about_and_without_influence_on_q() {
    let e = Theta::new(Variant::B, 1.0, 1.0).unwrap_err();
    assert!(e.to_string().contains("vartheta = 1"), "{e}");
    assert!(Theta::new(Variant::B, 1.0, 1.2).is_err() && Theta::new(Variant::B, -0.1, 0.5).is_err());
    assert!(Theta::new(Variant::A, 0.0, 0.5).is_err());
    let e = Theta::new(Variant::A, 1.0, 0.5).unwrap_err();
    assert!(e.to_string().contains("no equation determines lambda"), "{e}");
    let e = Theta::new(Variant::A, 0.45, 0.5).unwrap().stable().unwrap_err();
    assert!(e.to_string().contains("errors grow in every step"), "{e}");
    assert!(Theta::VI_A.stable().is_ok() && Theta::VI_B.stable().is_ok());
    assert!(Theta::VI_B.warning().is_none());
    let above = Theta::new(Variant::B, 1.0, 0.6).unwrap();
    assert!(above.warning().unwrap().contains("1.500 per step"), "{:?}", above.warning());

    let example = spherical_pendulum();
    let positions = |vartheta: f64, theta: f64| {
        run(&example, Theta::new(Variant::B, theta, vartheta).unwrap(), 0.05, 5).q
    };
    for theta in [0.0, 0.5, 1.0] {
        let q = positions(0.5, theta);
        for vartheta in [0.0, 0.2, 0.6] {
            assert!(distance(&positions(vartheta, theta), &q) < 1e-13, "{theta} {vartheta}");
        }
    }
    // The pendulum breaks down after 8, 48, 96 steps for 0.9, 0.6, 0.55.
    for (vartheta, steps) in [(0.9, 8), (0.6, 48), (0.55, 96)] {
        let mut stepper = Stepper::new(Theta::new(Variant::B, 1.0, vartheta).unwrap())
            .with_settings(plain(Default::default()));
        let r = run_with(&example.system, &mut stepper, start(&example), (0.05, 200), |_, _| true);
        assert!(r.steps >= steps / 2 && r.steps <= 2 * steps, "{vartheta}: {}", r.steps);
    }
}

/// lambda of VI-B has period two, gamma of VI-A alternates in sign; the multiplier that is reported does not
/// oscillate.
#[test]
fn oscillating_multipliers() {
    let example = spherical_pendulum();
    let (mut solved, mut reported) = (Vec::new(), Vec::new());
    run_with(&example.system, &mut Stepper::new(Theta::VI_B), start(&example), (0.05, 8), |s, state| {
        solved.push(s.unknowns().lambda[0]);
        reported.push(state.lambda[0]);
        true
    });
    for (x, y) in solved.iter().zip([2.0050, 0.4839, 3.9404]) {
        near(*x, y, 1e-4);
    }
    // Signs of second differences: they alternate in a zigzag.
    let bend = |x: &[f64]| x.windows(3).map(|w| w[0] - 2.0 * w[1] + w[2] > 0.0).collect::<Vec<_>>();
    let changes = |x: &[f64]| bend(x).windows(2).filter(|w| w[0] != w[1]).count();
    assert_eq!(changes(&solved), 5, "{solved:?}");
    assert_eq!(changes(&reported[1..]), 0, "{reported:?}");
    let mut gammas = Vec::new();
    run_with(&example.system, &mut Stepper::new(Theta::VI_A), start(&example), (0.05, 3), |s, _| {
        gammas.push(s.unknowns().gamma[0]);
        true
    });
    for (x, y) in gammas.iter().zip([0.01324, -0.00725, 0.01917]) {
        near(*x, y, 1e-3);
    }
}

/// The reported velocity of VI-B satisfies the hidden constraint, its momentum does not.
#[test]
fn vi_b_reports_its_velocity() {
    let example = spherical_pendulum();
    let mut worst = 0.0_f64;
    run_with(&example.system, &mut Stepper::new(Theta::VI_B), start(&example), (0.05, 200), |_, state| {
        worst = precess::study::larger(worst, example.system.invariants(&state.q, &state.v).secondary);
        true
    });
    assert!(worst <= 1e-13, "{worst:e}");
}

/// Orders of q at t = 1 and of max |gamma|.
#[test]
fn orders() {
    let reference = [-0.906128890427, -0.394581468797, -0.152433258886];
    fn errors<R: StepRule + Clone>(rule: R, reference: &[f64]) -> ([f64; 2], [f64; 2]) {
        let runs = [80, 160].map(|n| run(&spherical_pendulum(), rule.clone(), 1.0 / n as f64, n));
        ([distance(&runs[0].q, reference), distance(&runs[1].q, reference)], [runs[0].gamma, runs[1].gamma])
    }
    let order = |e: [f64; 2]| (e[0] / e[1]).log2();
    let (q, gamma) = errors(EnergyMomentum::EM, &reference);
    assert!((order(q) - 2.0).abs() < 0.05 && (order(gamma) - 2.0).abs() < 0.05);
    assert!((order(errors(EnergyMomentum::EM_G, &reference).0) - 2.0).abs() < 0.05);
    assert!((order(errors(Theta::VI_A, &reference).0) - 2.0).abs() < 0.05);
    assert!((order(errors(Theta::MIDPOINT, &reference).0) - 2.0).abs() < 0.05);
    for (q, gamma) in [errors(ViS, &reference), errors(Theta::VI_B, &reference)] {
        assert!(
            (order(q) - 1.0).abs() < 0.15 && (order(gamma) - 1.0).abs() < 0.1,
            "{} {}",
            order(q),
            order(gamma)
        );
    }
}

/// Option A with another theta than 1/2: steps until Newton's method fails do not depend on h, and the factor
/// of an error is that of the rule.
#[test]
fn errors_of_option_a_grow_unless_theta_is_one_half() {
    let example = spherical_pendulum();
    for (theta, factor) in [(0.55, 11.0 / 9.0), (0.3, 7.0 / 3.0), (0.7, 7.0 / 3.0)] {
        let rule = Theta::new(Variant::A, theta, 0.5).unwrap();
        near(rule.growth(), factor, 1e-12);
        let mut ends = Vec::new();
        for h in [0.01, 0.0025] {
            let mut stepper = Stepper::new(rule).with_settings(plain(Default::default()));
            let r = run_with(&example.system, &mut stepper, start(&example), (h, 400), |_, _| true);
            ends.push(r.steps as f64);
        }
        assert!(ends[0] < 200.0 && (ends[1] / ends[0] - 1.0).abs() < 0.25, "{theta}: {ends:?}");
    }
    let mut stepper = Stepper::new(Theta::VI_A).with_settings(plain(Default::default()));
    let r = run_with(&example.system, &mut stepper, start(&example), (0.01, 400), |_, _| true);
    assert_eq!(r.steps, 400);
}
