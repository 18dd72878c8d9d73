//! Settle, then bump: runs that begin where another one ended, in its results or in its checkpoint.

use std::path::Path;

use crate::common::*;

/// A mass that a control holds against gravity by its integral: m x'' = u - m g + push, where the
/// coefficients of u make m (s + 5)^3 the characteristic polynomial. A lag that follows 1 is beside it.
fn lift(more: &str, run: &str) -> String {
    format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "mass"
        mass = 3
        inertia = [1, 1, 1]
        [[joint]]
        name = "guide"
        type = "prismatic"
        bodies = ["ground", "mass"]
        point = [0, 0, 0]
        axis = "z"
        [[control]]
        name = "hold"
        type = "pid"
        joint = "guide"
        set_point = 0
        proportional = 225
        integral = 375
        derivative = 45
        [[state]]
        name = "warm"
        rate = "1 - warm"
        [[sensor]]
        name = "height"
        type = "coordinate"
        joint = "guide"
        {more}
        [run]
        {run}
        "#
    )
}

fn sensor(outcome: &Outcome, name: &str) -> f64 {
    let x = &outcome.json()["sensors"][name];
    x.as_array().and_then(|x| x[0].as_f64()).or(x.as_f64()).unwrap_or(f64::NAN)
}

/// The effect of the added force within 0.3 s from rest: Y = F/(m (s + 5)^3).
fn bumped(outcome: Outcome, from: &Path) {
    let outcome = outcome.done();
    let t = 0.3_f64;
    let y = 7.0 / 3.0 * t * t / 2.0 * (-5.0 * t).exp();
    let (height, warm) = (sensor(&outcome, "height"), sensor(&outcome, "warm"));
    assert!((height - y).abs() < 1e-6, "{}: {height} {y}", from.display());
    let settled = 1.0 - (-8.0 - t).exp();
    assert!((warm - settled).abs() < 1e-5, "{}: {warm} {settled}", from.display());
}

#[test]
fn controls_and_states_go_on() {
    let folder = directory("begin");
    let file = |name: &str| folder.join(name);
    let (settle, bump) = (file("settle.toml"), file("bump.toml"));
    // Beyond t = 8 s its torque is no number: the run fails and leaves its checkpoint.
    let breaks = "[[force]]\nname = \"breaks\"\ntype = \"torque\"\nbody = \"mass\"\n\
                  torque = [\"sqrt(8.0005 - t)\", 0, 0]\n";
    std::fs::write(&settle, lift(breaks, "until = 8\nstep = 1e-3")).unwrap();
    // Another body, another force, another sensor, other settings.
    let more = "[[body]]\nname = \"bob\"\ntype = \"point\"\nmass = 1\n\
                [[force]]\nname = \"push\"\ntype = \"force\"\nbody = \"mass\"\nforce = [0, 0, 7]\n\
                [[sensor]]\nname = \"other\"\ntype = \"position\"\nbody = \"bob\"\n";
    std::fs::write(&bump, lift(more, "until = 0.3")).unwrap();
    let chk = file("settle.chk");
    let settings = [&["--tol", "1e-8"][..], &["--formulation", "se3", "--tol", "1e-8"], &["--step", "1e-4"]];
    for name in ["settled.npz", "settled.csv", "settled.json"] {
        let end = file(name);
        precess(&["run", text(&settle), "--out", text(&end)]).done();
        for more in settings {
            let args = ["run", text(&bump), "--json", "--start-from", text(&end)];
            let outcome = precess(&[&args, more].concat());
            assert!(outcome.err.contains("begin as in the model: bob"), "{}", outcome.err);
            bumped(outcome, &end);
        }
    }
    let args =
        ["run", text(&settle), "--until", "9", "--checkpoint", text(&chk), "--checkpoint-every", "100steps"];
    assert_eq!(precess(&args).code, 1);
    for more in settings {
        let args = ["run", text(&bump), "--json", "--start-from", text(&chk)];
        bumped(precess(&[&args, more].concat()), &chk);
    }
    // A checkpoint contains its model, so the model file is not needed.
    std::fs::remove_file(&settle).unwrap();
    bumped(precess(&["run", text(&bump), "--json", "--tol", "1e-8", "--start-from", text(&chk)]), &chk);
}

/// A model can write results only in the folder of the run. The user can name any place.
#[test]
fn results_stay_in_the_folder() {
    let folder = directory("stays");
    let model = folder.join("model.toml");
    for place in ["../evil.csv", "/tmp/evil.csv", "a/../../evil.csv"] {
        let text_of = lift("", &format!("until = 0.01\n[output]\nfile = \"{place}\""));
        std::fs::write(&model, text_of).unwrap();
        precess(&["run", text(&model)]).refused(&["is outside the folder of the run", "--allow-outside"]);
    }
    let out = folder.join("good.csv");
    precess(&["run", text(&model), "--out", text(&out)]).done();
    assert!(out.exists());
    let here = folder.join("other.csv");
    precess(&["run", text(&model), "--set", &format!("output.file={}", text(&here))]).done();
    assert!(here.exists());
}

/// After one turn of its crank a mechanism with a modal body goes on as if nothing had happened, although its
/// form does not enforce the constraints of velocities. After half a turn its drive is somewhere else.
#[test]
fn a_driven_mechanism_goes_on() {
    let folder = directory("begin_driven");
    let end = folder.join("turn.npz");
    let model = "models/flexible/modal_slider_crank.toml";
    let turn = 2.0 * std::f64::consts::PI / 150.0;
    let run = |until: f64, more: &[&str]| {
        let until = format!("{until}");
        precess(&[&["run", model, "--json", "--step", "2e-5", "--until", &until], more].concat())
    };
    run(turn, &["--out", text(&end)]).done();
    let on = run(0.002, &["--start-from", text(&end)]).done();
    assert!(!on.err.contains("begin as in the model"), "{}", on.err);
    let whole = run(turn + 0.002, &[]).done();
    let place = |o: &Outcome| numbers(&o.json()["sensors"]["middle"]);
    for (a, b) in place(&on).iter().zip(place(&whole)) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    run(0.5 * turn, &["--out", text(&end)]).done();
    let refused = run(0.002, &["--start-from", text(&end)]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    for part in ["ends, at t = 0.0209", "\nerror: ", "its drive", "time begins at zero: let drives"] {
        assert!(refused.err.contains(part), "'{part}' is missing in\n{}", refused.err);
    }
}

/// A disc at a torsion spring: theta = w_0/w sin(w t) turns several times. Full turns go on in results, over
/// two runs, and in checkpoints; a drive says how many there are; what an equilibrium has made is named.
#[test]
fn full_turns_go_on() {
    let folder = directory("begin_turns");
    let disc = folder.join("disc.toml");
    let with = |speed: f64, joint: &str, force: &str| {
        format!(
            r#"
            body = [{{ name = "disc", mass = 1, inertia = [0.1, 0.1, 0.1], angular_velocity = [0, 0, {speed}] }}]
            joint = [
                {{ name = "h", type = "revolute", bodies = ["ground", "disc"], point = [0, 0, 0], axis = "z" {joint} }},
            ]
            sensor = [{{ name = "angle", type = "coordinate", joint = "h" }}]
            {force}
            "#
        )
    };
    let spring = "force = [{ name = \"s\", type = \"joint-spring\", joint = \"h\", stiffness = 0.05 }]";
    std::fs::write(&disc, with(20.0, "", spring)).unwrap();
    let exact = |t: f64| 20.0 / 0.5_f64.sqrt() * (0.5_f64.sqrt() * t).sin();
    let run = |until: f64, more: &[&str]| {
        let until = format!("{until}");
        let outcome =
            precess(&[&["run", text(&disc), "--json", "--tol", "1e-9", "--until", &until], more].concat());
        sensor(&outcome.done(), "angle")
    };
    let (first, second) = (folder.join("first.npz"), folder.join("second.csv"));
    let near = |x: f64, t: f64| assert!((x - exact(t)).abs() < 1e-5, "{x} instead of {} at {t}", exact(t));
    near(run(0.7, &["--out", text(&first)]), 0.7);
    near(run(0.6, &["--start-from", text(&first), "--out", text(&second)]), 1.3);
    near(run(0.7, &["--start-from", text(&second)]), 2.0);
    // Beyond t = 1 s a torque is no number: the run fails and leaves its checkpoint.
    let breaks = "[[force]]\nname = \"breaks\"\ntype = \"torque\"\nbody = \"disc\"\n\
                  torque = [\"sqrt(1.0005 - t)\", 0, 0]\n";
    let (chk, broken) = (folder.join("disc.chk"), folder.join("broken.toml"));
    let spring_block = "[[force]]\nname = \"s\"\ntype = \"joint-spring\"\njoint = \"h\"\nstiffness = 0.05\n";
    std::fs::write(&broken, with(20.0, "", &format!("{spring_block}{breaks}"))).unwrap();
    let args = ["run", text(&broken), "--step", "1e-4", "--until", "2", "--checkpoint", text(&chk)];
    assert_eq!(precess(&[&args[..], &["--checkpoint-every", "1000steps"]].concat()).code, 1);
    near(run(1.0, &["--start-from", text(&chk)]), 2.0);
    let driven = ", drive = \"270 deg + 10 deg*sin(t)\"";
    std::fs::write(&disc, with(0.0, driven, &format!("{spring}\nrun = {{ assemble = true }}"))).unwrap();
    let x = run(1.0, &[]);
    let wanted = (270.0 + 10.0 * 1.0_f64.sin()).to_radians();
    assert!((x - wanted).abs() < 1e-6, "{x} instead of {wanted}");
    let turned = "force = [{ name = \"s\", type = \"joint-spring\", joint = \"h\", stiffness = 1 },\n\
                  { name = \"u\", type = \"actuator\", joint = \"h\", value = 10 }]";
    std::fs::write(&disc, with(0.0, "", turned)).unwrap();
    let rest = folder.join("rest.toml");
    let found = precess(&["equilibrium", text(&disc), "-o", text(&rest)]).done();
    let zero = 4.0 * std::f64::consts::PI;
    assert!(found.err.contains(&format!("set coordinate = {zero}")), "{}", found.err);
    let set = format!("joint.h.coordinate={zero}");
    let x = sensor(&precess(&["run", text(&rest), "--json", "--set", &set]).done(), "angle");
    assert!((x - 10.0).abs() < 1e-6, "{x}");
}

/// `assemble = true` holds for sweeps and studies, too.
#[test]
fn sweeps_and_studies_begin_assembled() {
    let model = "models/four_bar_rough/four_bar_rough.toml";
    let swept = precess(&["sweep", model, "--until", "0.02", "--vary", "h=1e-3,5e-4"]).done();
    assert!(swept.err.contains("assembled in"), "{}", swept.err);
    let studied = precess(&["study", model, "--until", "0.02", "--steps", "2e-3,1e-3"]).done();
    assert!(studied.err.contains("assembled in"), "{}", studied.err);
}
