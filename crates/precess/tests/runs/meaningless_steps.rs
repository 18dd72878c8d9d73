//! Steps that are too long to mean anything, and steps that only look so.

use precess::formulation::Formulation::{self, EulerParameters, R3SO3, SE3};
use precess::integrate::{Form, Tolerance};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::study::adaptive::Achieved;
use precess::study::trust::Doubt;
use precess::study::{AdaptiveRun, Run, Summary};

use crate::model_util::{load_model, load_text, start};

fn options() -> MethodOptions {
    MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() }
}

fn fixed(text: &str, formulation: Formulation, h: f64, t: f64) -> Summary {
    let mut s = start(&load_text(text), formulation);
    let mut method = method("gen-alpha", &options()).unwrap();
    Run::new(h, t)
        .run(s.system.as_ref(), &mut *method, &mut s.state, &mut ())
        .unwrap_or_else(|e| panic!("{e}"))
}

/// The heavy top turns at 150 rad/s: one turn, two turns and other angles per step.
#[test]
fn steps_that_skip_turns() {
    let loaded = load_model("heavy_top", &[]);
    for formulation in [R3SO3, SE3] {
        for turned in [1.2, 2.0, 2.4, 4.0] {
            let mut s = start(&loaded, formulation);
            let mut method = method("gen-alpha", &options()).unwrap();
            let h = turned * std::f64::consts::PI / 150.0;
            let run = Run::new(h, 1.0).run(s.system.as_ref(), &mut *method, &mut s.state, &mut ());
            // Steps of odd numbers of half turns may also fail.
            let wrong = run.as_ref().map_or(true, |summary| summary.trust.wrong().is_some());
            assert!(wrong, "{formulation:?} {turned}");
        }
        let mut s = start(&loaded, formulation);
        let mut method = method("gen-alpha", &options()).unwrap();
        let summary =
            Run::new(1e-3, 1.0).run(s.system.as_ref(), &mut *method, &mut s.state, &mut ()).unwrap();
        assert_eq!(summary.trust.wrong(), None);
    }
}

fn wheel(damping: f64, rotation: &str, inertia: &str) -> String {
    format!(
        "model = {{ name = \"wheel\", gravity = [0, 0, -9.81] }}\n[[body]]\nname = \"w\"\nmass = 2\ninertia \
         = \
         {inertia}\nangular_velocity = [0, 0, 1000]\n[[joint]]\nname = \"j\"\ntype = \"revolute\"\nbodies = \
         [\"ground\", \"w\"]\npoint = [0, 0, 0]\naxis = \"z\"\n{rotation}[[force]]\nname = \"d\"\ntype = \
         \"joint-spring\"\njoint = \"j\"\nstiffness = 0\ndamping = {damping}\n"
    )
}

/// A wheel that is symmetric about the axis of its spin may turn as often as it likes: exact for a constant
/// speed, exp(-c t/I) with a damper.
#[test]
fn symmetric_wheels_may_turn_far() {
    for (inertia, h) in
        [("[0.1, 0.1, 0.2]", 1e-2), ("[0.1, 0.15, 0.2]", 1e-2), ("[0.1, 0.1, 0.2]", 6.2831853e-3)]
    {
        for damping in [0.0, 0.05, 0.2] {
            let summary = fixed(&wheel(damping, "", inertia), R3SO3, h, 10.0);
            assert_eq!(summary.trust.doubt, None, "{inertia} {damping}");
            let decay = (-damping * 10.0 / 0.2_f64).exp();
            let left = summary.energy_final.unwrap() / 1e5;
            assert!((left - decay * decay).abs() < 1e-4, "{damping}: {left} {}", decay * decay);
        }
    }
    // A free body, spinning about its axis, that falls.
    let free = "model = { name = \"b\", gravity = [0, 0, -9.81] }\n[[body]]\nname = \"b\"\nmass = \
                1\ninertia = [1, 1, \
                2]\nangular_velocity = [0, 0, 500]\n";
    assert_eq!(fixed(free, R3SO3, 0.05, 2.0).trust.doubt, None);
}

/// U7: a pendulum in four steps is off by 94 % of the energy; in eight by 15 %; first small steps from rest
/// are no reason for an alarm.
#[test]
fn runs_of_few_steps_are_judged() {
    let pendulum = "model = { name = \"p\", gravity = [0, 0, -9.81] }\n[[body]]\nname = \"rod\"\nmass = \
                    2\ninertia = \
                    [0.17, 0.17, 0.001]\nposition = [0.433, 0, -0.25]\nrotation = [\"cos(30 deg)\", 0, \
                    \"-sin(30 deg)\", 0]\n[[joint]]\nname = \"h\"\ntype = \"revolute\"\nbodies = \
                    [\"ground\", \
                    \"rod\"]\npoint = [0, 0, 0]\naxis = \"y\"\n";
    // In SE(3) four steps are off by 12 % only, and with Euler parameters they fail.
    assert!(fixed(pendulum, R3SO3, 0.5, 2.0).trust.wrong().is_some());
    for formulation in [R3SO3, SE3, EulerParameters] {
        for steps in [1.0, 2.0, 3.0, 5.0, 9.0] {
            for h in [1e-2, 1e-4, 1e-6] {
                let summary = fixed(pendulum, formulation, h, steps * h);
                assert_eq!(summary.trust.doubt, None, "{formulation:?} {steps} {h}");
            }
        }
    }
}

/// x'' = exp(1000 t) reaches 1e160 m/s; its energy is beyond the range of numbers, and the run ends there.
#[test]
fn overflow_ends_a_run() {
    let text = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n[[joint]]\nname = \
                \"j\"\ntype = \
                \"prismatic\"\nbodies = [\"ground\", \"b\"]\npoint = [0, 0, 0]\naxis = \
                \"x\"\n[[force]]\nname = \
                \"f\"\ntype = \"actuator\"\njoint = \"j\"\nvalue = \"exp(1000*t)\"\n";
    let mut s = start(&load_text(text), R3SO3);
    let tol = Tolerance::new(1e-6);
    let mut method = adaptive_method("auto", &options(), tol).unwrap();
    let run = AdaptiveRun::new(tol, 0.5).run(s.system.as_ref(), &mut *method, &mut s.state, &mut ());
    let message = run.unwrap_err().to_string();
    assert!(message.contains("the kinetic energy is not finite"), "{message}");
}

/// A straight motion is exact at any speed.
#[test]
fn fast_straight_motions_are_not_refused() {
    let text = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1e8, 2e7, 0]\n";
    let mut s = start(&load_text(text), R3SO3);
    let tol = Tolerance::new(1e-6);
    let mut method = adaptive_method("auto", &options(), tol).unwrap();
    AdaptiveRun::new(tol, 10.0).run(s.system.as_ref(), &mut *method, &mut s.state, &mut ()).unwrap();
    let x = s.system.bodies(&s.state.at())[0].position;
    assert!((x.x - 1e9).abs() < 1e-5 && (x.y - 2e8).abs() < 1e-5, "{x}");
}

/// What an estimated error says about a run.
#[test]
fn errors_far_above_the_tolerance_count() {
    let of = |positions: f64, tol: f64| Achieved { positions, velocities: 0.0, forces: None }.doubt(tol);
    assert_eq!(of(5e-5, 1e-6), None);
    assert!(matches!(of(2e-4, 1e-6), Some(Doubt::Notice(_))));
    assert!(matches!(of(2e-3, 1e-6), Some(Doubt::Wrong(_))));
    assert!(matches!(of(0.2, 1e-3), Some(Doubt::Wrong(_))));
    assert!(matches!(of(f64::NAN, 1e-6), Some(Doubt::Wrong(_))));
}
