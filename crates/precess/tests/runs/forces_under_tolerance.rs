//! Joint forces of runs with a tolerance are as accurate as the motion, also where drives determine the
//! motion.

use crate::model_util::{load_model, load_text};
use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{Built, Loaded, build};
use precess::study::larger;
use precess::study::{AdaptiveRun, AtTimes, Recorder, Sample, Summary};

/// Runs a model with its tolerance.
fn run(loaded: &Loaded, recorder: &mut dyn Recorder) -> Summary {
    let settings = &loaded.settings;
    let Built { system, q, v } = build(&loaded.model, settings.formulation).unwrap();
    let mut state = InitialValues::new(&q, &v).fixed().consistent(&*system).unwrap();
    let tol = settings.tolerance.unwrap();
    let mut method = adaptive_method(&settings.method, &settings.options, tol).unwrap();
    AdaptiveRun::new(tol, settings.until).run(&*system, &mut *method, &mut state, recorder).unwrap()
}

/// The largest of some numbers, or NaN.
fn worst(numbers: &[f64]) -> f64 {
    assert!(!numbers.is_empty());
    numbers.iter().fold(0.0, |m, x| if *x <= m { m } else { *x })
}

const CARDAN: [&str; 2] = ["n", "tol"];

fn cardan(rpm: f64, method: &str, tol: f64) -> Loaded {
    let [n, t] = CARDAN;
    let set = [
        format!("parameters.{n}={rpm}"),
        format!("integrator.{t}={tol:e}"),
        format!("integrator.method=\"{method}\""),
    ];
    load_model("cardan", &set.each_ref().map(String::as_str))
}

/// Torque of the drive. The middle shaft turns at w_s = w cos b/(1 - sin^2 b sin^2 wt), the output at w, so
/// that the power of the drive, T w, is that of the load and of the kinetic energy of the shaft: T = 50 N m +
/// I w_s w_s'/w.
fn drive_torque(rpm: f64, t: f64) -> f64 {
    let (w, b) = (rpm * std::f64::consts::PI / 30.0, 20.0_f64.to_radians());
    let inertia = 0.5 * 6.0 * 0.03_f64.powi(2);
    let (s, c) = (w * t).sin_cos();
    let below = 1.0 - (b.sin() * s).powi(2);
    let speed = w * b.cos() / below;
    let rate = w * w * b.cos() * 2.0 * b.sin().powi(2) * s * c / (below * below);
    50.0 + inertia * speed * rate / w
}

#[test]
fn torque_of_a_cardan_shaft_in_every_step() {
    for rpm in [1000.0, 3000.0] {
        for (name, tolerances) in [
            ("auto", [1e-3, 1e-4, 1e-6, 1e-8]),
            ("bliedf", [1e-3, 1e-5, 1e-7, 1e-9]),
            ("gen-alpha", [1e-3, 1e-4, 1e-5, 1e-6]),
        ] {
            for tol in tolerances {
                let loaded = cardan(rpm, name, tol);
                let mechanism = build(&loaded.model, loaded.settings.formulation).unwrap().system;
                let mut errors = Vec::new();
                let summary = run(&loaded, &mut |s: &Sample| {
                    let reactions = mechanism.reactions(&s.state.at());
                    let bearing = reactions.iter().find(|r| r.name == "bearing in").unwrap();
                    errors.push((bearing.torque.x - drive_torque(rpm, s.state.t)).abs() / 50.0);
                });
                let error = worst(&errors);
                assert!(error < 10.0 * tol, "{rpm} rpm, {name}, {tol:e}: {error:e}, {} steps", summary.steps);
                // The work of the drive is computed from these forces. Coarse tolerances take steps of more
                // than a radian, and the few steps of order 2 are too long for its quadrature.
                if name == "gen-alpha" || tol > 1e-6 {
                    continue;
                }
                let exchanged = 50.0 * rpm * std::f64::consts::PI / 30.0 * loaded.settings.until;
                let balance = summary.balance.unwrap();
                assert!(
                    balance < 1e-5 * exchanged,
                    "{rpm} rpm, {name}, {tol:e}: {balance:e} of {exchanged} J"
                );
            }
        }
    }
}

/// Forces between steps and at their ends, where output is asked for at given times.
#[test]
fn torque_of_a_cardan_shaft_at_given_times() {
    let loaded = cardan(1000.0, "bliedf", 1e-5);
    let mechanism = build(&loaded.model, loaded.settings.formulation).unwrap().system;
    let mut errors = Vec::new();
    let see = |s: &Sample| {
        let torque = mechanism.reactions(&s.state.at())[0].torque.x;
        errors.push((torque - drive_torque(1000.0, s.state.t)).abs() / 50.0);
    };
    let mut at_times = AtTimes::every(1e-3, 0.0, loaded.settings.until, see);
    run(&loaded, &mut at_times);
    assert!(at_times.finish().is_ok());
    assert_eq!(errors.len(), 101);
    let error = worst(&errors);
    assert!(error < 1e-4, "{error:e}");
}

/// An unbalanced rotor that turns at constant speed needs the torque 0.3 N m about an axis of its own.
/// Positions do not depend on this torque: for them, Newton's iteration converges at once.
#[test]
fn torque_of_an_unbalanced_rotor() {
    let text = |integrator: &str| {
        format!(
            r#"
[[body]]
name = "rotor"
mass = 1
inertia = [[1, 0, 0.3], [0, 1, 0], [0.3, 0, 1]]
angular_velocity = [0, 0, 1]
[[joint]]
name = "bearing"
type = "revolute"
bodies = ["ground", "rotor"]
point = [0, 0, 0]
axis = [0, 0, 1]
[run]
until = 10
[integrator]
{integrator}
"#
        )
    };
    for (method, tol) in
        [("auto", 1e-3), ("auto", 1e-6), ("auto", 1e-10), ("bliedf", 1e-5), ("gen-alpha", 1e-6)]
    {
        let loaded = load_text(&text(&format!("method = \"{method}\"\ntol = {tol:e}")));
        let mechanism = build(&loaded.model, loaded.settings.formulation).unwrap().system;
        let mut errors = Vec::new();
        run(&loaded, &mut |s: &Sample| {
            let (sin, cos) = s.state.t.sin_cos();
            let torque = mechanism.reactions(&s.state.at())[0].torque;
            let expected = [-0.3 * sin, 0.3 * cos, 0.0];
            errors.push((0..3).map(|i| (torque[i] - expected[i]).abs()).fold(0.0, larger) / 0.3);
            assert!(torque.iter().all(|x| x.is_finite()));
        });
        let error = worst(&errors);
        assert!(error < 10.0 * tol, "{method} {tol:e}: {error:e}");
    }
}
