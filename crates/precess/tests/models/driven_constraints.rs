//! A `[[constraint]]` that contains time is a drive: its work counts, and `check` says so.

use precess::formulation::Formulation;
use precess::model::{build, load};
use precess::study::{Sample, check, execute};

/// A load of 2 kg that some equations move.
fn load_with(equations: &[&str]) -> String {
    let mut text =
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"load\"\nmass = 2\ninertia = [0.3, 0.4, \
                    0.5]\nposition = [0, 0, 1]\n"
            .to_string();
    for (i, equation) in equations.iter().enumerate() {
        text += &format!("[[constraint]]\nname = \"c{i}\"\nequation = \"{equation}\"\n");
    }
    text + "[run]\nuntil = 1\nfix_initial = true\n[integrator]\ntol = 1e-7\n"
}

/// z = 1 + t^2/2, written in different ways: the energy at the end is m (g/2 + 1/2) more than at the
/// beginning, and it is the work of the constraint.
#[test]
fn the_work_of_a_constraint_counts() {
    for equation in [
        "load.z - 1 - 0.5*t^2",
        "1 + 0.5*t^2 - load.z",
        "1e3*(load.z - 1) - 500*t^2",
        "load.z^2 - (1 + 0.5*t^2)^2",
        "load.z/(1 + 0.5*t^2) - 1",
    ] {
        let loaded = load("hoist.toml", &load_with(&[equation]), &[]).unwrap_or_else(|e| panic!("{e}"));
        for formulation in [Formulation::R3SO3, Formulation::SE3] {
            let built = build(&loaded.model, formulation).unwrap();
            let outcome = execute::run(&loaded, &built, &mut |_: &Sample| true).unwrap();
            let trust = &outcome.summary.trust;
            assert!(trust.wrong().is_none(), "{equation}: {:?}", trust.wrong());
            let energy = outcome.results.column("energy").map(|c| c.values.clone()).unwrap_or_default();
            let gain = energy.last().unwrap() - energy.first().unwrap();
            assert!((gain - 2.0 * (9.81 * 0.5 + 0.5)).abs() < 1e-4, "{equation}: {gain}");
        }
        let found = check::check(&loaded.model, &loaded.settings);
        assert_eq!((found.driven, found.mobility.degrees_of_freedom()), (1, 5), "{equation}");
    }
}

/// A constraint without time is no drive.
#[test]
fn check_counts_driven_constraints() {
    let found = |equations: &[&str]| {
        let loaded = load("hoist.toml", &load_with(equations), &[]).unwrap_or_else(|e| panic!("{e}"));
        check::check(&loaded.model, &loaded.settings)
    };
    let point = "[[body]]\nname = \"p\"\ntype = \"point\"\nmass = 1\n";
    let held = |z: &str| {
        let text = format!(
            "{point}[[constraint]]\nname = \"x\"\nequation = \"p.x\"\n[[constraint]]\nname = \"y\"\nequation = \
             \"p.y\"\n[[constraint]]\nname = \"z\"\nequation = \"{z}\"\n"
        );
        let loaded = load("p.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        check::check(&loaded.model, &loaded.settings)
    };
    assert_eq!(found(&["load.z - 1"]).driven, 0);
    assert_eq!(found(&["load.z - 1 - t", "load.x - sin(t)"]).driven, 2);
    let stuck = |c: &check::Check| c.warnings.iter().any(|w| w.contains("nothing can move"));
    assert!(stuck(&held("p.z")) && !stuck(&held("p.z - t")));
    // It holds the body, so nothing moves freely.
    assert!(!held("p.z - t").warnings.iter().any(|w| w.contains("moves freely")));
}
