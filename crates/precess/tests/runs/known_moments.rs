//! Events that depend on time alone: their times are known before the run, so that no step is too long for
//! them.

use precess::Error;
use precess::formulation::Formulation::R3SO3;
use precess::integrate::{Form, InitialValues, Tolerance};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::{Loaded, build, load};
use precess::study::{AdaptiveRun, Failure, Run, Summary};

fn options() -> MethodOptions {
    MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() }
}

/// A body at rest, for which the longest steps are long enough.
fn resting(events: &[(&str, &str)]) -> Loaded {
    let mut text = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n".to_string();
    for (i, (when, action)) in events.iter().enumerate() {
        text += &format!("[[event]]\nname = \"e{i}\"\nwhen = \"{when}\"\naction = \"{action}\"\n");
    }
    load("test.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn run(loaded: &Loaded, step: Option<f64>, t: f64) -> Result<Summary, Box<Failure>> {
    let built = build(&loaded.model, R3SO3).unwrap();
    let system = built.system.as_ref();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    match step {
        Some(h) => {
            let mut method = method("gen-alpha", &options()).unwrap();
            Run::new(h, t).run(system, &mut *method, &mut state, &mut ())
        }
        None => {
            let tol = Tolerance::new(1e-6);
            let mut method = adaptive_method("auto", &options(), tol).unwrap();
            AdaptiveRun::new(tol, t).run(system, &mut *method, &mut state, &mut ())
        }
    }
}

fn times(summary: &Summary, name: &str) -> Vec<f64> {
    summary.events.iter().filter(|e| e.event == name).map(|e| e.t).collect()
}

#[test]
fn short_pulses_stop_a_run() {
    for (when, t) in [
        ("abs(t - 3.3333) < 1e-3", 3.3323),
        ("pulse(t, 3.333, 3.3331) > 0.5", 3.333),
        // A smooth pulse is found because abs announces where it is.
        ("exp(-1e8*abs(t - 2.5)^2) > 0.5", 2.5 - (2.0_f64.ln() / 1e8).sqrt()),
        ("max(pulse(t, 7, 7.000001), -1) - 0.5", 7.0),
        ("t > 10", 10.0),
    ] {
        let loaded = resting(&[(when, "stop")]);
        for step in [None, Some(0.7)] {
            let summary = run(&loaded, step, 10.0).unwrap_or_else(|e| panic!("{when}: {e}"));
            let found = times(&summary, "e0");
            assert!(found.len() == 1 && (found[0] - t).abs() < 1e-12, "{when} {step:?}: {found:?}");
            assert!((summary.t_end - t).abs() < 1e-12);
        }
    }
}

/// All 31 830 crossings in a second, at the right times, and none at the start.
#[test]
fn fast_oscillations_lose_no_event() {
    let summary = run(&resting(&[("sin(1e5*t)", "record")]), None, 1.0).unwrap();
    let found = times(&summary, "e0");
    assert_eq!(found.len(), (1e5 / std::f64::consts::PI) as usize);
    for (k, t) in found.iter().enumerate() {
        assert!((t - (k + 1) as f64 * std::f64::consts::PI / 1e5).abs() < 1e-14, "{k}: {t}");
    }
    // Only the rising ones, in step with every division of the run into equal parts.
    for rate in [4000.0, 8000.0, 12000.0] {
        let when = format!("sin(2*pi*{rate}*t + 0.3) > 0");
        let found = times(&run(&resting(&[(&when, "record")]), None, 1.0).unwrap(), "e0");
        assert_eq!(found.len(), rate as usize, "{rate}");
    }
    let failure = run(&resting(&[("sin(1e6*t)", "record")]), None, 1.0).unwrap_err();
    assert!(matches!(&failure.error, Error::Countless { event, .. } if event == "e0"), "{failure}");
}

/// Events at the same time all happen, also when the first of them restarts the method.
#[test]
fn events_at_the_same_time() {
    let text = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[force]]\nname = \"f\"\ntype = \
                \"force\"\nbody = \"b\"\nforce = [1, 0, 0]\nenabled = false\n[[force]]\nname = \"g\"\ntype = \
                \"force\"\nbody = \"b\"\nforce = [2, 0, 0]\nenabled = false\n[[event]]\nname = \"e0\"\nwhen \
                = \"t > \
                0.5\"\naction = \"switch\"\nenable = [\"f\"]\n[[event]]\nname = \"e1\"\nwhen = \"2*t > \
                1\"\naction = \"switch\"\nenable = [\"g\"]\n[[event]]\nname = \"e2\"\nwhen = \"t < \
                0.5\"\naction = \"record\"\n[[event]]\nname = \"e3\"\nwhen = \"t - 0.5\"\naction = \
                \"record\"\n";
    let loaded = load("test.toml", text, &[]).unwrap();
    for step in [None, Some(0.07)] {
        let summary = run(&loaded, step, 1.5).unwrap();
        for (name, count) in [("e0", 1), ("e1", 1), ("e2", 0), ("e3", 1)] {
            let found = times(&summary, name);
            assert!(
                found.len() == count && found.iter().all(|t| (t - 0.5).abs() < 1e-12),
                "{name} {found:?}"
            );
        }
        // 3 N for a second.
        let momentum = summary.momenta.unwrap().linear;
        assert!((momentum - 3.0).abs() < 1e-6, "{momentum}");
    }
}
