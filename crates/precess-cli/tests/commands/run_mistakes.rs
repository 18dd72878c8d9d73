//! `precess run` with wrong options, wrong files and results that cannot be trusted.

use super::run::{TOP, adaptive, csv, top};
use crate::common::{directory, precess, text};
use serde_json::Value;

#[test]
fn wrong_options_are_underlined() {
    for (args, parts) in [
        (&["--rho", "1.2"][..], &["rho = 1.2", "[0, 1]", "integrator.rho=1.2\n", "^^^"][..]),
        (&["--rho", "-0.1"], &["[0, 1]", "^^^^"]),
        (&["--rho", "fast"], &["unknown name 'fast'", "^^^^"]),
        (&["--step", "0"], &["not positive", "run.step=0", "^", "help: give the step size"]),
        (&["--set", "integrator.tol=1e-6"], &["a step and a tolerance are given", "leave one of"]),
        (&["--set", "run.max_step=-1"], &["not positive", "^^"]),
        (&["--verify"], &["--verify needs a tolerance", "--tol"]),
        (&["--step", "-1e-3"], &["not positive", "^^^^^"]),
        (&["--step", "nan"], &["not a finite number", "^^^"]),
        (&["--until", "-1"], &["before the start", "^^", "help:"]),
        (&["--method", "gen-alfa"], &["did you mean 'gen-alpha'", "^^^^^^^^"]),
        (&["--form", "indx3"], &["did you mean 'index3'", "^^^^^"]),
        (&["--formulation", "se4"], &["did you mean 'se3'", "^^^"]),
        (&["--set", "body.top.mass=-1"], &["the mass -1 is not positive", "^^"]),
        (&["--set", "body.top.masss=1"], &["unknown key 'masss', did you mean 'mass'", "^^^^^"]),
        (&["--set", "body.to.mass=1"], &["there is no body named 'to'", "^^^^"]),
        (&["--set", "joint.tip.type=sphere"], &["unknown value 'sphere'", "spherical", "^^^^^^"]),
        (&["--set", "step"], &["path=value", "^^^^", "help: write path=value"]),
        (&["--every", "0"], &["every = 0 is not allowed", "0.01s", "^"]),
        (&["--every", "often"], &["a positive time (0.01s, 10ms)", "^"]),
        (&["--method", "rkmk4"], &["rkmk4 cannot integrate", "or gen-alpha"]),
        (&["--set", "body.top.velocity=[5, 0, 0]"], &["initial velocities", "joint tip", "--fix-initial"]),
    ] {
        top(args).refused(parts);
    }
    // Problems of several options are shown together.
    let o = top(&["--rho", "2", "--step", "0", "--method", "x"])
        .refused(&["3 problems in models/heavy_top.toml"]);
    assert_eq!(o.err.matches("error:").count(), 3);
    assert_eq!(precess(&["run", TOP, "--stepp", "1"]).code, 2);
}

#[test]
fn wrong_files_are_shown_with_line_and_column() {
    let place = directory("wrong_files");
    let good = std::fs::read_to_string(crate::common::root().join(TOP)).unwrap();
    let broken = |from: &str, to: &str| {
        assert!(good.contains(from));
        let file = place.join("model.toml");
        std::fs::write(&file, good.replace(from, to)).unwrap();
        precess(&["run", text(&file)])
    };
    // The model file may change, so its lines are looked up.
    let line_of = |part: &str| good.lines().position(|l| l.contains(part)).unwrap() + 1;
    let spot = |part: &str, column: usize| format!("model.toml:{}:{column}", line_of(part));
    let mass = line_of("mass = 15");
    broken("mass = 15", "mass = -15").refused(&[
        &spot("mass = 15", 8),
        &format!("  {mass} | mass = -15"),
        "^^^",
    ]);
    broken("mass = 15", "mas = 15").refused(&[
        "unknown key 'mas', did you mean 'mass'",
        &spot("mass = 15", 1),
        "^^^",
    ]);
    broken("mass = 15", "mass = ").refused(&[&format!("model.toml:{mass}:")]);
    broken("formulation = \"r3so3\"", "rho = 1.2").refused(&[&spot("formulation", 7), "^^^"]);
    broken("[0.234375, 0.46875, 0.234375]", "[0.1, 0.5, 0.1]").refused(&[
        "exceeds the sum",
        &spot("inertia", 11),
        "help:",
    ]);
    broken("\"ground\", \"top\"", "\"ground\", \"tip\"")
        .refused(&["did you mean 'top'", &format!("model.toml:{}:", line_of("\"ground\", \"top\""))]);
    broken("[[joint]]", "[[joints]]").refused(&["did you mean 'joint'"]);
    precess(&["run", "models/no_such_top.toml"]).refused(&["cannot read models/no_such_top.toml", "help:"]);
    precess(&["run", "models"]).refused(&["cannot read models"]);
}

#[test]
fn unwritable_output_is_known_before_the_run() {
    let place = directory("unwritable");
    let missing = place.join("no/such/place.csv");
    top(&["--out", text(&missing)]).refused(&["cannot write", "place.csv", "help:"]);
    // A million seconds in microseconds: hundreds of terabytes.
    let large = place.join("large.npz");
    let much = ["--step", "1e-6", "--until", "1e6", "--out", text(&large)];
    top(&much).refused(&["large.npz would take about", "GB", "--every"]);
    assert!(!large.exists() && std::fs::read_dir(&place).unwrap().count() == 0);
    top(&["--out", text(&place.join("top.dat"))])
        .refused(&["unknown kind of results file", ".npz, .csv, .json"]);
    // A method that cannot run the model leaves no file.
    top(&["--method", "rkmk4", "--out", text(&place.join("top.csv"))]).refused(&["rkmk4"]);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}

#[test]
fn a_failing_run_keeps_what_there_is() {
    let place = directory("failing");
    let file = place.join("top.csv");
    let plain = ["--set", "integrator.recovery=false"];
    let o = top(&[&["--step", "0.1", "--json", "--out", text(&file)], &plain[..]].concat());
    assert_eq!(o.code, 1, "{}\n{}", o.out, o.err);
    assert!(o.err.starts_with("error: Newton's method did not converge in step"), "{}", o.err);
    assert!(o.err.contains("smaller step"), "{}", o.err);
    let j = o.json();
    assert!(j["error"].as_str().unwrap().contains("did not converge"));
    let steps = j["steps"].as_u64().unwrap() as usize;
    assert!(steps < 10, "the run did not fail: {steps} steps");
    let kept = std::fs::read_to_string(&file).unwrap();
    let (_, rows) = csv(&kept);
    assert_eq!(rows.len(), steps + 1);
    assert!((rows[steps][0] - j["t_end"].as_f64().unwrap()).abs() < 1e-12);
    assert!(!place.join("top.csv.part").exists());
}

#[test]
fn a_tolerance_out_of_reach_names_the_best() {
    let o = adaptive(&["--tol", "1e-15"])
        .refused(&["the tolerance 1.0e-15 cannot be reached", "the smallest possible tolerance is "]);
    let best = o.err.trim().rsplit(' ').next().unwrap().to_string();
    adaptive(&["--tol", &best, "--until", "0.1"]).done();
    adaptive(&["--tol", "0"]).refused(&["not positive", "^"]);
    adaptive(&["--tol", "1e-6", "--method", "em", "--formulation", "directors"])
        .refused(&["its step is fixed", "--step"]);
    adaptive(&["--tol", "1e-6", "--method", "bliedf", "--form", "index3"])
        .refused(&["fixed steps (--step)", "stabilized-index2"]);
    adaptive(&["--set", "integrator.max_order=7"]).refused(&["orders 1 to 6", "^"]);
    assert_eq!(adaptive(&["--tol", "1e-6", "--step", "1e-3"]).code, 2);
}

#[test]
fn misspelt_parameters_and_units_are_refused() {
    adaptive(&["--set", "parameters.spn=3"]).refused(&["unknown parameter 'spn'", "did you mean 'spin'"]);
    adaptive(&["--until", "0.1kg"]).refused(&["'0.1kg' is a mass", "but a time"]);
}

/// Steps that pass gimbal lock end with meaningless numbers. precess writes them and marks them as such
/// everywhere.
#[test]
fn results_that_cannot_be_trusted_end_with_code_1() {
    let place = directory("not_trusted");
    let file = place.join("top.json");
    let coarse = ["--formulation", "tait-bryan", "--step", "1e-4", "--every", "100"];
    let o = top(&[&coarse[..], &["--out", text(&file)]].concat());
    assert_eq!(o.code, 1, "{}\n{}", o.out, o.err);
    for part in [
        "error: these results cannot be trusted: ",
        "gimbal lock of body top",
        "t = 0.",
        "--formulation r3so3",
    ] {
        assert!(o.err.contains(part), "'{part}' is missing in\n{}", o.err);
    }
    assert!(
        o.out.contains("\nenergy balance         ") && o.out.contains(" % of the exchanged energy"),
        "{}",
        o.out
    );
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let untrusted = &kept["metadata"]["summary"]["untrusted"];
    assert!(untrusted.as_str().is_some_and(|r| r.contains("gimbal lock of body top")), "{untrusted}");
    let j = top(&[&coarse[..], &["--json"]].concat());
    assert_eq!(j.code, 1);
    assert!(j.json()["trust"]["untrusted"].as_str().unwrap().contains("unaccounted for"));
    let j = top(&["--json"]).done().json();
    let x = j["trust"]["energy_imbalance"].as_f64().unwrap();
    assert!(
        x < 1e-3
            && j["trust"]["untrusted"].is_null()
            && j["trust"]["velocity_residual"].as_f64().unwrap() < 1e-9
    );
    let o = top(&[]).done();
    let line = o.out.lines().find(|l| l.starts_with("energy balance")).unwrap();
    assert!(line.ends_with("e-5 of the exchanged energy"), "{line}");
}

/// A step that reaches gimbal lock is an error with the body, the time and the remedy.
#[test]
fn gimbal_lock_is_an_error() {
    let o = top(&["--formulation", "tait-bryan"]);
    assert_eq!(o.code, 1);
    for part in ["error: gimbal lock of body top in step 11 at t = 0.01:", "--formulation r3so3"] {
        assert!(o.err.contains(part), "'{part}' is missing in\n{}", o.err);
    }
}
