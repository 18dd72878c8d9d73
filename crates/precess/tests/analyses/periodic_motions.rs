//! Floquet multipliers of motions that repeat.

use super::modes::{rotor, steady};
use crate::analyses_util::{built, built_se3, model, relative, text};
use nalgebra::Complex;
use precess::analysis::floquet::{PeriodOptions, discrete, floquet, period_of};
use precess::analysis::steady::moving;
use precess::analysis::{AnalysisError, Frame};

/// The eigenvalue of the closed form that turns fastest, at 1000 rad/s with damping.
const NUTATION: Complex<f64> = Complex::new(-125.22756799875265, 1948.6343086734585);

/// Distance to the nearest of these numbers.
fn nearest(list: &[Complex<f64>], to: Complex<f64>) -> f64 {
    list.iter().map(|m| (m - to).norm()).fold(f64::INFINITY, f64::min)
}

/// Multipliers of one turn of the rotor against exp(s T) of its closed form. Errors of the discrete
/// derivative are those of an independent prototype, of second order; extrapolated ones are small, in both
/// groups.
#[test]
fn multipliers_of_a_turn_of_the_rotor() {
    let period = std::f64::consts::TAU / 1000.0;
    let damped = rotor(1000.0, &["parameters.Mz=0"]);
    let state = moving(&*damped.system, &damped.q, &damped.v, 0.0);
    for (steps, error) in [(100, 8.165859478e-4), (200, 2.0417495851e-4), (400, 5.104562096e-5)] {
        let m = discrete(&*damped.system, &state, period, steps).unwrap();
        let found = nearest(&m, (NUTATION * period).exp());
        assert!(relative(found, error) < 1e-6, "{steps}: {found:e}");
    }
    let loaded = model("rotor", &["body.rotor.angular_velocity=[1000, 0, 0]", "parameters.Mz=0"]);
    for built in [built(&loaded), built_se3(&loaded)] {
        let state = moving(&*built.system, &built.q, &built.v, 0.0);
        assert!(relative(period_of(&*built.system, &state).unwrap(), period) < 1e-12);
        let found = floquet(&*built.system, &state, &PeriodOptions::new(period)).unwrap();
        assert_eq!((found.multipliers.len(), found.corrections), (12, 0));
        for [re, im] in [
            [NUTATION.re, NUTATION.im],
            [-4.370980196529163, 81.39008861850199],
            [-3.1381245674873353, 50.068120625004596],
            [-4.201152297748455, 80.60715180157396],
            [-2.1116488143908416, 57.15056335558134],
        ] {
            let off = nearest(&found.multipliers, (Complex::new(re, im) * period).exp());
            assert!(
                off < 1e-6 && off < 2.0 * found.uncertainty + 1e-9,
                "{re} {im}: {off:e} {:e}",
                found.uncertainty
            );
        }
        // The spin is free: a double multiplier 1. Nothing grows.
        assert!(!found.grows());
    }
}

/// A pendulum whose pivot goes up and down: phi'' = -(g + u'')/l sin(phi), J = 0. Upright it stays up if the
/// pivot is fast enough.
#[test]
fn multipliers_of_a_pendulum_with_a_moving_pivot() {
    let (l, a) = (0.3_f64, 0.03_f64);
    // The linear equation alone, by Runge and Kutta's method.
    let alone = |omega: f64, sign: f64| {
        let n = 4000;
        let h = std::f64::consts::TAU / omega / n as f64;
        let f =
            |t: f64, x: [f64; 2]| [x[1], -sign * (9.81 - a * omega * omega * (omega * t).sin()) / l * x[0]];
        let column = |mut x: [f64; 2]| {
            for i in 0..n {
                let t = i as f64 * h;
                let add = |x: [f64; 2], k: [f64; 2], s: f64| [x[0] + s * k[0], x[1] + s * k[1]];
                let k1 = f(t, x);
                let k2 = f(t + 0.5 * h, add(x, k1, 0.5 * h));
                let k3 = f(t + 0.5 * h, add(x, k2, 0.5 * h));
                let k4 = f(t + h, add(x, k3, h));
                x = [0, 1].map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
            }
            x
        };
        let (p, q) = (column([1.0, 0.0]), column([0.0, 1.0]));
        let half = Complex::new(0.5 * (p[0] + q[1]), 0.0);
        let root = (half * half - (p[0] * q[1] - p[1] * q[0])).sqrt();
        [half + root, half - root]
    };
    let mut stable = Vec::new();
    for (omega, up) in [(60.0, true), (120.0, true), (11.4, false), (25.0, false)] {
        let z = if up { l } else { -l };
        let file = format!(
            r#"
            [model]
            gravity = [0, 0, -9.81]
            [[body]]
            name = "pivot"
            mass = 1
            inertia = [1, 1, 1]
            velocity = [0, 0, {v}]
            [[body]]
            name = "rod"
            mass = 0.7
            inertia = [1e-9, 1e-9, 1e-9]
            position = [0, 0, {z}]
            velocity = [0, 0, {v}]
            [[joint]]
            name = "guide"
            type = "prismatic"
            bodies = ["ground", "pivot"]
            point = [0, 0, 0]
            axis = [0, 0, 1]
            drive = "{a}*sin({omega}*t)"
            [[joint]]
            name = "hinge"
            type = "revolute"
            bodies = ["pivot", "rod"]
            point = [0, 0, 0]
            axis = [0, 1, 0]
            "#,
            v = a * omega
        );
        let period = std::f64::consts::TAU / omega;
        for built in [built(&text(&file)), built_se3(&text(&file))] {
            let state = moving(&*built.system, &built.q, &built.v, 0.0);
            let found = floquet(&*built.system, &state, &PeriodOptions::new(period)).unwrap();
            for m in alone(omega, if up { -1.0 } else { 1.0 }) {
                let off = nearest(&found.multipliers, m);
                assert!(off < 1e-6 * m.norm().max(1.0), "{omega} {up}: {m} {:?}", found.multipliers);
            }
            stable.push(!found.grows());
        }
    }
    // sqrt(2 g l) / a is 81 rad/s; hanging, the pivot at twice the frequency of the pendulum shakes it up.
    assert_eq!(stable, [false, false, true, true, false, false, true, true]);
}

/// Rotor and supports without symmetry, with weight: the search finds a motion that repeats, and a run that
/// starts there comes back to its start.
#[test]
fn a_motion_that_repeats_is_found() {
    let more = [
        "parameters.Mz=0",
        "model.gravity=[0, 0, -9.81]",
        "force.left.stiffness=[4000, 4000, 7000]",
        "body.rotor.inertia=[0.001541, 0.000812, 0.0012]",
    ];
    let built = rotor(300.0, &more);
    let state = moving(&*built.system, &built.q, &built.v, 0.0);
    let found = floquet(&*built.system, &state, &PeriodOptions::new(std::f64::consts::TAU / 300.0)).unwrap();
    assert!(found.corrections > 0 && found.gap < 1e-6);
    assert!(found.state.q[6] < -1e-4, "the rotor sags: {:?}", found.state.q);
    // No frame has modes here. The multipliers come in pairs mu, 1/mu, as in a conservative system, except
    // for the damping.
    assert!(matches!(
        steady(&built, Frame::Auto, true),
        Err(AnalysisError::NoFrame { .. } | AnalysisError::Unsteady { .. })
    ));
    assert!(!found.grows(), "{:?}", found.multipliers);
    // A motion that does not repeat is refused.
    let falling = crate::analyses_util::built(&text(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "box"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        angular_velocity = [0, 0, 5]
        "#,
    ));
    let state = moving(&*falling.system, &falling.q, &falling.v, 0.0);
    let refused = floquet(&*falling.system, &state, &PeriodOptions::new(0.37));
    assert!(matches!(refused, Err(AnalysisError::NotPeriodic { .. })), "{refused:?}");
}
