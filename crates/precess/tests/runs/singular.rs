//! Singular positions and rounding errors above the tolerance: rows of parallelogram loops through their
//! folds, light links, forces that are infinite in a trial step. The whole family is
//! `cargo run --release -p precess --example parallelograms`.

#[path = "../../examples/parallelograms/family.rs"]
#[allow(dead_code)]
mod family;

use precess::Error;
use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{build, load};
use precess::study::{Failure, Summary};

const BLIEDF: &str = "integrator.method=bliedf";
const ALPHA: &str = "integrator.method=gen-alpha";
const STABILIZED: &str = "integrator.form=stabilized-index2";

/// Ten folds of a row of n loops; returns the error of positions in m.
fn passes(n: usize, angle: f64, settings: &[&str]) -> f64 {
    let o = family::run(n, angle, 7.0, settings);
    assert!(o.passed(), "{n} loops from {angle}, {settings:?}: {o:?}");
    o.error
}

#[test]
fn rows_pass_their_folds_at_every_tolerance() {
    for (n, exponents) in [(1, 3..=8), (2, 3..=7), (5, 3..=7)] {
        for exponent in exponents {
            let tol = 10f64.powi(-exponent);
            let given = format!("integrator.tol={tol:e}");
            let error = passes(n, 0.35, &[BLIEDF, &given]);
            let most = if exponent < 8 { 20.0 } else { 100.0 };
            assert!(error < most * tol, "{n} {tol:e}: {error:e}");
            if exponent <= 5 {
                let error = passes(n, 0.35, &[ALPHA, &given]);
                assert!(error < 100.0 * tol, "gen-alpha {n} {tol:e}: {error:e}");
            }
        }
    }
}

/// Chance decides where steps end near the folds, so there are many starts.
#[test]
fn two_loops_pass_from_many_starts() {
    for i in 0..6 {
        let angle = 0.35 + 0.02 * i as f64;
        for tol in ["3e-7", "1e-8"] {
            passes(2, angle, &[&format!("integrator.tol={tol}")]);
        }
    }
}

#[test]
fn rows_pass_with_fixed_steps() {
    for n in [1, 2, 5] {
        for h in [1e-2, 2e-3] {
            let step = format!("run.step={h}");
            for way in [
                &[ALPHA, STABILIZED, &step][..],
                &[ALPHA, "integrator.form=index3", &step],
                &[BLIEDF, STABILIZED, "integrator.k=3", &step],
                &[BLIEDF, STABILIZED, "integrator.k=5", &step],
            ] {
                let error = passes(n, 0.35, way);
                assert!(error < 2e3 * h * h, "{way:?}: {error:e}");
            }
        }
    }
}

fn run(text: &str, settings: &[&str]) -> Result<Summary, Box<Failure>> {
    let settings: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
    let loaded = load("model", text, &settings).unwrap_or_else(|e| panic!("{e}"));
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut method = adaptive_method(&s.method, &s.options, s.tolerance.unwrap()).unwrap();
    s.adaptive_run().unwrap().run(&*built.system, &mut *method, &mut state, &mut ())
}

/// A step once failed to converge. The smaller steps that followed made rounding errors divided by h larger,
/// until steps were too small to change the time.
#[test]
fn rounding_errors_over_small_steps_do_not_stop_a_run() {
    for (text, tolerances) in [
        (include_str!("../data/small_steps.toml"), &["1e-6", "1e-7", "1e-8", "1e-9"][..]),
        (include_str!("../data/light_link.toml"), &["1e-4", "1e-5", "1e-6", "1e-7", "1e-8"]),
    ] {
        for tol in tolerances {
            let set = format!("integrator.tol={tol}");
            let summary = run(text, &[&set]).unwrap_or_else(|e| panic!("{tol}: {e}"));
            let energy = summary.energy_initial.unwrap();
            let (drift, tol) = (summary.energy_drift.unwrap(), tol.parse::<f64>().unwrap());
            assert!(drift < 30.0 * tol * energy, "{tol:e}: {drift:e} of {energy}");
        }
    }
}

/// The start of generalized-alpha once looked ahead by a tenth of a second. At t = 1.1912 a bushing does
/// reach half a turn, where its torque is infinite, and the error says so.
#[test]
fn what_is_not_finite_in_a_trial_is_tried_again() {
    let text = include_str!("../data/first_look.toml");
    let summary = run(text, &[ALPHA, "integrator.tol=1e-6"]).unwrap_or_else(|e| panic!("{e}"));
    assert!(summary.energy_drift.unwrap() < 1e-5 * summary.energy_initial.unwrap());
    let text = include_str!("../data/bushing_turned_over.toml");
    for (way, part) in
        [(&["run.until=1.19"][..], 1e-4), (&["run.until=1.19", "integrator.tol=1e-4", ALPHA], 1e-3)]
    {
        let summary = run(text, way).unwrap_or_else(|e| panic!("{way:?}: {e}"));
        let (energy, balance) = (summary.energy_initial.unwrap(), summary.balance.unwrap());
        assert!(balance < part * energy, "{way:?}: {balance:e} of {energy:e}");
    }
    let failure = run(text, &[]).unwrap_err();
    let Error::NotFinite { what, t, .. } = &failure.error else { panic!("{failure}") };
    assert!(what.contains("b2") || what.contains("b3"), "{what}");
    assert!((t - 1.1912).abs() < 1e-4, "{t}");
}

/// A drive turns the crank of a double rocker out of the reach of its coupler.
#[test]
fn end_of_the_reach_is_named() {
    let text = r#"
        model = { name = "rocker", gravity = [0, 0, -9.81] }
        body = [
            { name = "crank", mass = 1, inertia = [0.02, 0.02, 0.001], position = [0, 0, 0.25] },
            { name = "coupler", mass = 1, inertia = [0.001, 0.1, 0.1], position = [0.25, 0, 0.5] },
            { name = "rocker", mass = 1, inertia = [0.02, 0.02, 0.001], position = [0.75, 0, 0.25],
                rotation = { axis = [0, 1, 0], angle = "atan2(-0.5, 0.5)" } },
        ]
        joint = [
            { name = "A", type = "revolute", bodies = ["ground", "crank"], point = [0, 0, 0],
                axis = [0, 1, 0], drive = "-t^2" },
            { name = "B", type = "spherical", bodies = ["crank", "coupler"], point = [0, 0, 0.5] },
            { name = "C", type = "cylindrical", bodies = ["coupler", "rocker"], point = [0.5, 0, 0.5],
                axis = [0, 1, 0] },
            { name = "D", type = "revolute", bodies = ["ground", "rocker"], point = [1, 0, 0],
                axis = [0, 1, 0] },
        ]
        run = { until = 3 }
    "#;
    // Coupler and rocker in line: the tip of the crank is (0.5 + sqrt(0.5)) away from D.
    let reach = 0.5 + 0.5f64.sqrt();
    let angle = ((1.0 + 0.25 - reach * reach) / (2.0 * 0.5)).acos() - std::f64::consts::FRAC_PI_2;
    for way in
        [&["integrator.tol=1e-6"][..], &["integrator.tol=1e-6", BLIEDF], &["integrator.tol=1e-4", ALPHA]]
    {
        let failure = run(text, way).unwrap_err();
        let Error::OutOfReach { t, drive, held_by } = &failure.error else { panic!("{way:?}: {failure}") };
        // The end is named as soon as it is in sight.
        let end = angle.sqrt();
        assert!(*t < end + 1e-3 && end - t < 1e-2, "{t} {end}");
        assert!(drive == "joint A" && ["B", "C", "D"].iter().all(|j| held_by.contains(j)), "{failure}");
        assert!(!failure.to_string().contains("jump"), "{failure}");
    }
}

/// Pivots of multipliers are of the size 1/inertia: small for a large body, and no sign of dependent
/// constraints.
#[test]
fn a_large_body_on_a_hinge_is_not_singular() {
    let text = include_str!("../data/large_hinge.toml");
    for way in [&["integrator.tol=1e-6"][..], &["integrator.tol=1e-6", "integrator.formulation=se3"]] {
        let summary = run(text, way).unwrap_or_else(|e| panic!("{way:?}: {e}"));
        let (energy, drift) = (summary.energy_initial.unwrap(), summary.energy_drift.unwrap());
        assert!(summary.steps < 100 && drift < 1e-5 * energy, "{way:?}: {drift:e} of {energy}");
    }
}

/// A scissor lift of n cells that falls through its flat position, where all bars are in line: bars of 1 m
/// and 1 kg at the angle 0.6 rad.
fn scissors(n: usize) -> String {
    let (sin, cos) = 0.6_f64.sin_cos();
    let mut text = "[model]\ngravity = [0, 0, -9.81]\n".to_string();
    for i in 0..n {
        for (name, angle) in [("a", -0.6), ("b", 0.6)] {
            text += &format!(
                "[[body]]\nname = \"{name}{i}\"\nmass = 1\ninertia = [0.083, 0.083, 1e-3]\nposition = [{}, \
                 0, \
                 {}]\nrotation = {{ axis = \"y\", angle = {angle} }}\n",
                0.5 * cos,
                (i as f64 + 0.5) * sin
            );
        }
    }
    let mut hinge = |name: String, bodies: [String; 2], x: f64, z: f64| {
        text += &format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbodies = {bodies:?}\npoint = [{x}, 0, \
             {z}]\naxis \
             = \"y\"\n"
        );
    };
    for i in 0..n {
        let z = i as f64 * sin;
        hinge(format!("c{i}"), [format!("a{i}"), format!("b{i}")], 0.5 * cos, z + 0.5 * sin);
        if i + 1 < n {
            hinge(format!("r{i}"), [format!("a{i}"), format!("b{}", i + 1)], cos, z + sin);
            hinge(format!("l{i}"), [format!("b{i}"), format!("a{}", i + 1)], 0.0, z + sin);
        }
    }
    hinge("base".to_string(), ["ground".to_string(), "a0".to_string()], 0.0, 0.0);
    text + &format!(
        "[[joint]]\nname = \"slide\"\ntype = \"point-on-line\"\nbodies = [\"ground\", \"b0\"]\npoint = \
         [{cos}, \
         0, 0]\naxis = \"x\"\n[[sensor]]\nname = \"top\"\ntype = \"position\"\nbody = \
         \"a{}\"\n[run]\nuntil = \
         1\n",
        n - 1
    )
}

/// Height of the middle of the uppermost cell after a second, from the equation of the one angle:
/// M(phi) phi'' + M'(phi) phi'^2/2 + V'(phi) = 0, integrated with 100 000 Runge-Kutta steps.
fn height_of_scissors(n: usize) -> f64 {
    let heights: Vec<f64> = (0..n).map(|i| i as f64 + 0.5).collect();
    let (squares, sum): (f64, f64) = (heights.iter().map(|z| z * z).sum(), heights.iter().sum());
    let rate = |[phi, w]: [f64; 2]| {
        let (sin, cos) = phi.sin_cos();
        let mass = 2.0 * (n as f64 * (0.25 * sin * sin + 0.083) + squares * cos * cos);
        let slope = 4.0 * sin * cos * (0.25 * n as f64 - squares);
        [w, -(0.5 * slope * w * w + 2.0 * 9.81 * sum * cos) / mass]
    };
    let (mut y, h) = ([0.6, 0.0], 1e-5);
    for _ in 0..100_000 {
        let to = |k: [f64; 2], x: f64| [y[0] + x * k[0], y[1] + x * k[1]];
        let k_1 = rate(y);
        let k_2 = rate(to(k_1, 0.5 * h));
        let k_3 = rate(to(k_2, 0.5 * h));
        let k_4 = rate(to(k_3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i]));
    }
    (n as f64 - 0.5) * y[0].sin()
}

/// The step may become tiny in the flat position, and grows again afterwards, or the run ends with the joints
/// that are dependent there, and with the energy that it had. T11 took 18 654 steps at 1e-6 for three cells and
/// did not come to an end at 1e-7; six cells once gained 1e10 J before they stopped.
#[test]
fn scissor_lifts_pass_their_flat_position_or_stop_soon() {
    for (n, tolerances) in [
        (3, &[(1e-4, true), (1e-5, true), (1e-6, false), (1e-7, false), (1e-8, false), (1e-9, false)][..]),
        (6, &[(1e-4, true), (1e-5, false), (1e-6, false), (1e-7, false), (1e-8, false), (1e-9, false)]),
        (12, &[(1e-5, false), (1e-8, false)]),
    ] {
        let wanted = height_of_scissors(n);
        for &(tol, must_pass) in tolerances {
            let loaded = load("scissors", &scissors(n), &[format!("integrator.tol={tol:e}")]).unwrap();
            let built = build(&loaded.model, loaded.settings.formulation).unwrap();
            let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
            let settings = &loaded.settings;
            let mut method =
                adaptive_method(&settings.method, &settings.options, settings.tolerance.unwrap()).unwrap();
            let run = settings.adaptive_run().unwrap();
            let result = run.run(&*built.system, &mut *method, &mut state, &mut ());
            let summary = result.as_ref().unwrap_or_else(|failure| &failure.summary);
            let (steps, energy) = (summary.steps, summary.energy_initial.unwrap());
            let drift = summary.energy_drift.unwrap() / energy;
            println!(
                "{n}, {tol:e}: {steps} steps, {drift:e}, {:?}",
                result.as_ref().err().map(|e| e.to_string())
            );
            assert!(steps < 2000, "{n}, {tol:e}: {steps} steps");
            match result {
                Err(failure) => {
                    let named = matches!(failure.error, Error::SingularPosition { .. });
                    assert!(named && !must_pass, "{n}, {tol:e}: {failure}");
                }
                Ok(_) => {
                    assert!(drift < f64::min(1e4 * tol, 0.01), "{n}, {tol:e}: {drift:e}");
                    let top =
                        precess::mechanics::sensors::read(&*built.system, "top", &state.at()).unwrap()[2];
                    assert!((top - wanted).abs() < 300.0 * tol, "{n}, {tol:e}: {top} {wanted}");
                }
            }
        }
    }
}
