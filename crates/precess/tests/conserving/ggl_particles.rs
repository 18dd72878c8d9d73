//! Four particles of Kinon, Betsch and Schneider (2023), section 6.3, against values of an independent
//! prototype and a reference solution in quadruple precision.

use crate::ggl_util::*;
use precess::conserve::{EnergyMomentum, Guess, Settings, StepRule, Stepper, Theta, ViS};
use precess::problems::ggl::four_particles;

/// Mean number of updates with the simple and the advanced guess as in Table 2.
fn counts<R: StepRule + Clone>(rule: R) -> [f64; 2] {
    [Guess::Simple, Guess::Advanced].map(|guess| {
        let example = four_particles();
        // The paper's 1e-9 is absolute; residuals are measured relative to masses of up to 3 kg and lengths
        // of 3 m.
        let settings = Settings { tolerance: 1e-10, ..plain(guess) };
        let mut stepper = Stepper::new(rule.clone()).with_settings(settings);
        let r = run_with(&example.system, &mut stepper, start(&example), (0.01, 1000), |_, _| true);
        assert!(r.failure.is_none());
        r.updates as f64 / 1000.0
    })
}

#[test]
fn newton_counts() {
    for [simple, advanced] in [counts(ViS), counts(Theta::VI_A), counts(Theta::VI_B)] {
        assert!((simple - 4.0).abs() <= 0.5 && (advanced - 3.0).abs() <= 0.5, "{simple} {advanced}");
        assert!(advanced < simple);
    }
    for [simple, advanced] in [counts(EnergyMomentum::EM), counts(EnergyMomentum::EM_G)] {
        assert!(simple <= 4.31 && advanced <= 3.21 && advanced < simple, "{simple} {advanced}");
    }
}

/// max |H - H_0|, |g|, |G M^-1 p| (None: round-off), |gamma|, q_4(10).
type Row = (Option<f64>, Option<f64>, Option<f64>, f64, [f64; 3]);

fn check<R: StepRule>(rule: R, (h, g, gv, gamma, q_4): Row) {
    let r = run(&four_particles(), rule, 0.01, 1000);
    let small = |x: f64, y: Option<f64>| match y {
        Some(y) => near(x, y, 0.01),
        None => assert!(x <= 1e-12, "{x:e}"),
    };
    small(r.h, h);
    small(r.g, g);
    small(r.gv, gv);
    assert!(r.momenta <= 1e-13, "{:e}", r.momenta);
    near(r.gamma, gamma, 0.01);
    for i in 0..3 {
        assert!((r.q[9 + i] - q_4[i]).abs() < 2e-8, "{:?}", &r.q[9..]);
    }
}

#[test]
fn ten_seconds() {
    let symplectic_euler = [0.26155693, 0.57603701, 2.91149840];
    check(ViS, (Some(3.495e-4), None, None, 7.604e-3, symplectic_euler));
    check(
        Theta::VI_A,
        (Some(5.188e-5), Some(3.460e-5), Some(2.109e-4), 3.393e-3, [0.26126891, 0.57616148, 2.91241032]),
    );
    check(Theta::VI_B, (Some(4.393e-4), None, Some(1.832e-2), 7.603e-3, symplectic_euler));
    check(EnergyMomentum::EM, (None, None, None, 1.360e-5, [0.26123482, 0.57615233, 2.91228291]));
    let gonzalez = run(&four_particles(), EnergyMomentum::EM_G, 0.01, 1000);
    near(gonzalez.gv, 1.728e-5, 0.01);
    assert!(gonzalez.h <= 1e-12 && gonzalez.momenta <= 1e-13 && gonzalez.g <= 1e-12);
    near(distance(&gonzalez.q[9..], &[0.26123482, 0.57615233, 2.91228291]) + 1.0, 1.0, 2e-8);
}

/// Relative errors of q_4, p and lambda at t = 0.1 and their orders 2, 2, 1; lambda has order 2 at the
/// midpoint.
#[test]
fn convergence() {
    let json: serde_json::Value =
        serde_json::from_str(include_str!("../data/ggl_four_particles.json")).unwrap();
    let at = |t: f64, key: &str| -> Vec<f64> {
        let states = json["states"].as_array().unwrap();
        let state = states.iter().find(|s| (s["t"].as_f64().unwrap() - t).abs() < 1e-12).unwrap();
        state[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let (q, v, lambda) = (at(0.1, "q"), at(0.1, "v"), at(0.1, "lam"));
    let mass = [1.0, 3.0, 2.3, 1.7];
    let momentum = |v: &[f64]| -> Vec<f64> { v.iter().enumerate().map(|(i, v)| mass[i / 3] * v).collect() };
    let relative = |x: &[f64], y: &[f64]| distance(x, y) / distance(y, &vec![0.0; y.len()]);
    let errors = |n: usize| {
        let r = run(&four_particles(), EnergyMomentum::EM, 0.1 / n as f64, n);
        [
            relative(&r.q[9..], &q[9..]),
            relative(&momentum(&r.w), &momentum(&v)),
            relative(&r.last_lambda, &lambda),
        ]
    };
    let (coarse, fine) = (errors(100), errors(1000));
    for (found, table) in [(coarse, [2.058e-7, 6.514e-6, 3.297e-5]), (fine, [2.059e-9, 6.511e-8, 3.193e-6])] {
        for i in 0..3 {
            near(found[i], table[i], 0.02);
        }
    }
    for (i, expected) in [2.0, 2.0, 1.0].into_iter().enumerate() {
        let order = (coarse[i] / fine[i]).log10();
        assert!((order - expected).abs() <= 0.1, "{i}: {order}");
    }
    // Midpoint multipliers: steps so that t = 0.1 is in the middle of the last one.
    let middle = |n: usize| {
        let h = 0.1 / (n as f64 - 0.5);
        relative(&run(&four_particles(), EnergyMomentum::EM, h, n).last_lambda, &lambda)
    };
    let order = (middle(50) / middle(100)).ln() / (99.5_f64 / 49.5).ln();
    assert!((order - 2.0).abs() < 0.15, "{order}");
}

/// Time of failure or of |H - H_0| > 1e3, and the largest |H - H_0| until then.
fn endure<R: StepRule>(rule: R, h: f64, t_end: f64) -> (Option<f64>, f64) {
    let example = four_particles();
    let h_0 = 1.0 / 0.85;
    let mut time = None;
    let mut stepper = Stepper::new(rule).with_settings(plain(Guess::Simple));
    let n = (t_end / h).round() as usize;
    let r = run_with(&example.system, &mut stepper, start(&example), (h, n), |s, state| {
        let blown = (s.hamiltonian(&example.system, &state.q) - h_0).abs() > 1e3;
        if blown {
            time = Some(state.t);
        }
        !blown
    });
    (time.or(r.failure.map(|f| f.0)), r.h)
}

/// All schemes at h = 0.04 until T = 1000; VI-S and VI-B break down between 0.046 and 0.048 (2/omega =
/// 0.0466).
#[test]
fn stability_limits() {
    for (broken, energy) in
        [endure(ViS, 0.04, 1000.0), endure(Theta::VI_A, 0.04, 1000.0), endure(Theta::VI_B, 0.04, 1000.0)]
    {
        assert!(broken.is_none() && energy < 1.0, "{broken:?} {energy}");
    }
    for (broken, energy) in
        [endure(EnergyMomentum::EM, 0.04, 1000.0), endure(EnergyMomentum::EM_G, 0.04, 1000.0)]
    {
        assert!(broken.is_none() && energy <= 1e-10, "{broken:?} {energy:e}");
    }
    for (broken, energy) in [endure(ViS, 0.046, 100.0), endure(Theta::VI_B, 0.046, 100.0)] {
        assert!(broken.is_none() && energy < 1.0, "{broken:?} {energy}");
    }
    for h in [0.048, 0.05] {
        for (broken, _) in [endure(ViS, h, 100.0), endure(Theta::VI_B, h, 100.0)] {
            assert!(broken.is_some_and(|t| t < 2.0), "{h}: {broken:?}");
        }
    }
    let (broken, _) = endure(Theta::VI_A, 0.25, 1000.0);
    assert!(broken.is_some_and(|t| t > 30.0 && t < 90.0), "{broken:?}");
}

/// EM far beyond the linear limit: plain Newton fails at some time. With other guesses, it reaches T = 1000.
#[test]
fn em_with_very_large_steps() {
    let example = four_particles();
    let n = 1481;
    let mut stepper = Stepper::new(EnergyMomentum::EM);
    let r = run_with(&example.system, &mut stepper, start(&example), (0.675, n), |_, _| true);
    assert!(r.failure.is_none(), "{:?}", r.failure);
    assert!(r.rescued > 0 && r.rescued < 300, "{}", r.rescued);
    assert!(r.h <= 1e-10 && r.momenta <= 1e-10, "{:e} {:e}", r.h, r.momenta);
    let mut plain = Stepper::new(EnergyMomentum::EM).with_settings(plain(Guess::Simple));
    let failed = run_with(&example.system, &mut plain, start(&example), (0.675, n), |_, _| true);
    assert!(failed.failure.is_some() && failed.h <= 1e-10, "{:e}", failed.h);
}

/// Largest |H - H_0| in n steps of EM at h = 0.01.
fn drift(n: usize) -> f64 {
    let example = four_particles();
    let settings = Settings { guess: Guess::Advanced, ..Settings::default() };
    let mut stepper = Stepper::new(EnergyMomentum::EM).with_settings(settings);
    let mut state = start(&example);
    let h_0 = example.system.invariants(&state.q, &state.v).energy;
    use precess::integrate::Integrator;
    stepper.start(&example.system, &mut state, 0.01).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..n {
        stepper.step(&example.system, &mut state, 0.01).unwrap();
        worst = precess::study::larger(worst, (stepper.hamiltonian(&example.system, &state.q) - h_0).abs());
    }
    worst
}

#[test]
fn a_million_steps() {
    let begin = std::time::Instant::now();
    let drift = drift(1_000_000);
    println!("drift {drift:e} in {:?}", begin.elapsed());
    assert!(drift <= 1e-10, "{drift:e}");
}
