//! `precess run` from end to end.

use crate::common::{Outcome, directory, numbers, precess, text};
use precess::study::larger;
use serde_json::Value;

pub const TOP: &str = "models/heavy_top.toml";

/// The top with the settings that the model file leaves open.
pub fn adaptive(args: &[&str]) -> Outcome {
    precess(&[&["run", TOP], args].concat())
}

/// The top with fixed steps.
pub fn top(args: &[&str]) -> Outcome {
    let method = if args.contains(&"--method") { &[][..] } else { &["--method", "gen-alpha"] };
    let step = if args.contains(&"--step") { &[][..] } else { &["--step", "1e-3"] };
    precess(&[&["run", TOP], method, step, args].concat())
}

#[test]
fn summary_for_people() {
    let o = top(&[]).done();
    for part in
        ["heavy_top: gen-alpha stabilized-index2 on r3so3", "1000 steps to t = 1 s", "body top", "joint tip"]
    {
        assert!(o.out.contains(part), "'{part}' is missing in\n{}", o.out);
    }
    assert!(o.err.is_empty(), "a progress bar or a message without a terminal: {}", o.err);
    assert!(!o.out.contains('\u{1b}'));
}

#[test]
fn summary_for_machines_has_its_keys() {
    let o = top(&["--json"]).done();
    assert!(o.err.is_empty(), "{}", o.err);
    let j = o.json();
    for (key, expected) in [
        ("model", "heavy_top"),
        ("formulation", "r3so3"),
        ("method", "gen-alpha"),
        ("form", "stabilized-index2"),
    ] {
        assert_eq!(j[key], expected);
    }
    assert_eq!(j["h"], 1e-3);
    assert_eq!(j["steps"], 1000);
    assert_eq!(j["t_end"], 1.0);
    let body = &j["bodies"]["top"];
    for (key, n) in [("position", 3), ("rotation", 4), ("velocity", 3), ("angular_velocity", 3)] {
        assert_eq!(numbers(&body[key]).len(), n, "{key}");
    }
    let length: f64 = numbers(&body["rotation"]).iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-12);
    let joint = &j["joints"]["tip"];
    for key in ["force", "torque", "multipliers"] {
        assert_eq!(numbers(&joint[key]).len(), 3, "{key}");
    }
    for (block, keys) in [
        ("energy", &["initial", "final", "max_abs_drift"][..]),
        ("constraints", &["position_max", "velocity_max"]),
        ("newton", &["iterations_per_step"]),
        ("time", &["wall_s", "us_per_step"]),
    ] {
        for key in keys {
            assert!(j[block][key].is_f64(), "{block}.{key}: {}", j[block][key]);
        }
    }
    assert!(j["newton"]["jacobian_updates"].is_u64());
    assert_eq!(j["newton"]["recovery"]["steps"], 0);
    assert!((j["energy"]["initial"].as_f64().unwrap() - 5435.6967909).abs() < 1e-6);
    assert!(j["constraints"]["position_max"].as_f64().unwrap() < 1e-10);
    assert!(j.get("error").is_none());
}

/// The summary has the units of the results.
#[test]
fn the_summary_has_chosen_units() {
    let run = |units: &str| {
        precess(&["run", "models/pendulum.toml", "--until", "0.1", "--set", &format!("output.units={units}")])
            .done()
            .out
    };
    let line = |text: &str, word: &str| {
        let line =
            text.lines().find(|l| l.trim_start().starts_with(word)).unwrap_or_else(|| panic!("{text}"));
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        (numbers, line.to_string())
    };
    let (si, other) = (run("[]"), run("[\"mm\", \"km/h\", \"rpm\", \"kN\"]"));
    for (word, unit, factor) in [
        ("position", "mm", 1e3),
        ("velocity", "km/h", 3.6),
        ("angular velocity", "rpm, body frame", 30.0 / std::f64::consts::PI),
        ("force", "kN", 1e-3),
        ("torque", "N m", 1.0),
    ] {
        let ((a, _), (b, text)) = (line(&si, word), line(&other, word));
        assert!(text.ends_with(&format!("  {unit}")), "{text}");
        assert!(a.len() == 3 && b.len() == 3, "{text}");
        for (a, b) in a.iter().zip(b) {
            assert!((factor * a - b).abs() <= 1e-9 * (1.0 + factor), "{text}: {a}");
        }
    }
}

#[test]
fn sensors_are_reported() {
    let file = directory("sensors").join("gear.csv");
    let args = ["run", "models/joint_gear.toml", "--until", "0.1", "--out", text(&file)];
    let o = precess(&args).done();
    assert!(o.out.contains("sensors\n  height "), "{}", o.out);
    let j = precess(&[&args[..], &["--json"]].concat()).done().json();
    // The pinion turns by 5 t^2, the wheel by a third of it, the rack moves by 0.3 m times that.
    let height = j["sensors"]["height"].as_f64().unwrap();
    assert!((height - 0.3 * 5.0 * 0.01 / 3.0).abs() < 1e-9, "{height}");
    assert_eq!(numbers(&j["sensors"]["drive torque"]).len(), 3);
    let kept = std::fs::read_to_string(&file).unwrap();
    let (columns, rows) = csv(&kept);
    let at = columns.iter().position(|c| *c == "height").unwrap();
    assert!(same(rows[100][at], height));
    assert!(columns.contains(&"drive torque.z"));
}

/// Reference at t = 1: columns of R (the second is x) and the multipliers; the force on the top is R lambda.
const COLUMNS: [[f64; 3]; 3] = [
    [0.22929964080360, -0.76534074220468, -0.60139439891715],
    [0.17334396409838, 0.64008859207056, -0.74849079113358],
    [0.95779619170155, 0.06738058045687, 0.27943928238402],
];
const LAMBDA: [f64; 3] = [-58.27456374419737, -646.5583119145254, -409.4414088634647];

#[test]
fn pose_and_joint_force_approach_the_reference_at_second_order() {
    let force: Vec<f64> = (0..3).map(|i| (0..3).map(|j| COLUMNS[j][i] * LAMBDA[j]).sum()).collect();
    let errors = |h: &str, formulation: &str| {
        let j = top(&["--json", "--step", h, "--formulation", formulation]).done().json();
        let worst = |found: Vec<f64>, expected: &[f64]| {
            found.iter().zip(expected).fold(0.0, |m: f64, (a, b)| larger(m, (a - b).abs()))
        };
        (
            worst(numbers(&j["bodies"]["top"]["position"]), &COLUMNS[1]),
            worst(numbers(&j["joints"]["tip"]["force"]), &force),
        )
    };
    for (formulation, x_limit, f_limit) in [("r3so3", 1e-3, 1.3), ("so3", f64::INFINITY, f64::INFINITY)] {
        let (x1, f1) = errors("1e-3", formulation);
        let (x2, f2) = errors("5e-4", formulation);
        assert!(x1 < x_limit && f1 < f_limit, "{formulation}: {x1:.3e} {f1:.3e}");
        for ratio in [x1 / x2, f1 / f2] {
            assert!((3.8..4.2).contains(&ratio), "{formulation}: {x1:.3e} {x2:.3e} {f1:.3e} {f2:.3e}");
        }
    }
}

#[test]
fn settings_can_be_replaced() {
    let j = top(&[
        "--json",
        "--set",
        "run.until=0.01",
        "--set",
        "body.top.mass=12",
        "--form",
        "index3",
        "--rho",
        "0.8",
    ])
    .done()
    .json();
    assert_eq!((&j["steps"], &j["form"]), (&Value::from(10), &Value::from("index3")));
    // Kinetic energy of the translation with the new mass.
    let e = j["energy"]["initial"].as_f64().unwrap();
    let expected = 5435.6967909 - 0.5 * 3.0 * 4.61538f64.powi(2);
    assert!((e - expected).abs() < 1e-6, "{e}");
    // --set comes last and wins.
    let j = top(&["--json", "--step", "1e-3", "--set", "run.step=2e-3"]).done().json();
    assert_eq!(j["steps"], 500);
    // Steps that do not divide the interval.
    let o = top(&["--step", "3e-3"]).done();
    assert!(o.out.contains("334 steps") && o.out.contains("does not divide"), "{}", o.out);
}

pub fn csv(text: &str) -> (Vec<&str>, Vec<Vec<f64>>) {
    // The last line holds the metadata.
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(rows.iter().all(|r| r.len() == columns.len()));
    (columns, rows)
}

/// Equal except for the last digit, where the JSON reader rounds.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 4e-16 * a.abs()
}

#[test]
fn histories_are_complete() {
    let place = directory("histories");
    let (a, b) = (place.join("top.csv"), place.join("top.json"));
    let summary = top(&["--json", "--out", text(&a)]).done().json();
    let file = std::fs::read_to_string(&a).unwrap();
    let (columns, rows) = csv(&file);
    // t, 13 of the body, 6 of the joint, 10 invariants and residuals, 5 numbers of the run, q, v, vdot,
    // lambda.
    assert_eq!((rows.len(), columns.len()), (1001, 1 + 13 + 6 + 10 + 5 + 7 + 6 + 6 + 3));
    let last = |name: &str| rows[1000][columns.iter().position(|c| *c == name).unwrap()];
    assert_eq!(last("t"), 1.0);
    for (name, value) in [
        ("top.z", &summary["bodies"]["top"]["position"][2]),
        ("tip.fx", &summary["joints"]["tip"]["force"][0]),
        ("energy", &summary["energy"]["final"]),
        ("momentum_about_gravity", &summary["diagnostics"]["momentum_about_gravity"]),
        ("angular_momentum.y", &summary["diagnostics"]["angular_momentum"][1]),
        ("velocity_residual", &summary["diagnostics"]["velocity_residual"]),
    ] {
        assert!(same(last(name), value.as_f64().unwrap()), "{name}");
    }
    assert!(rows.windows(2).all(|w| w[0][0] < w[1][0]));

    let o = top(&["--out", text(&b), "--every", "100"]).done();
    assert!(o.out.contains("top.json"), "{}", o.out);
    let history: Value = serde_json::from_str(&std::fs::read_to_string(&b).unwrap()).unwrap();
    let names: Vec<&str> =
        history["columns"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    assert_eq!(names, columns);
    let json_rows = history["rows"].as_array().unwrap();
    assert_eq!(json_rows.len(), 11);
    for (i, row) in json_rows.iter().enumerate() {
        assert!(numbers(row).iter().zip(&rows[100 * i]).all(|(a, b)| same(*a, *b)), "row {i}");
    }
    let left: Vec<_> = std::fs::read_dir(&place).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// Energy-momentum and variational methods in directors: no index form, conservation or a power balance,
/// clear refusals.
#[test]
fn conserving_methods() {
    let directors = |args: &[&str]| precess(&[&["run"], args, &["--formulation", "directors"]].concat());
    let o = directors(&[TOP, "--method", "em"]).done();
    assert!(o.out.starts_with("heavy_top: em on directors, h = 1e-3 s"), "{}", o.out);
    let j = directors(&[TOP, "--method", "em", "--json"]).done().json();
    assert!(j["form"].is_null() && j["energy"]["work"].is_null(), "{j}");
    let number = |x: &Value| x.as_f64().unwrap_or(f64::NAN);
    assert!(number(&j["energy"]["max_abs_drift"]) < 1e-12 * 5435.7, "{}", j["energy"]);
    assert!(number(&j["momenta"]["about_gravity_max_drift"]) < 1e-12 * 35.0, "{}", j["momenta"]);
    let x = numbers(&j["bodies"]["top"]["position"]);
    let error = x.iter().zip(COLUMNS[1]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!((error - 4.392e-4).abs() < 0.01 * 4.392e-4, "{error:e}");

    for model in ["double_pendulum", "slider_crank", "chain"] {
        let file = format!("models/{model}.toml");
        let j = directors(&[&file, "--method", "em", "--until", "0.2", "--json"]).done().json();
        assert!(number(&j["energy"]["max_abs_drift"]) < 1e-11, "{model}: {}", j["energy"]);
        assert!(!j["sensors"].as_object().unwrap().is_empty(), "{model} has sensors");
    }
    let vi = directors(&[TOP, "--method", "vi-theta", "--until", "0.1", "--json"]).done().json();
    assert!(vi["diagnostics"]["hamiltonian"].is_f64() && vi["diagnostics"]["energy_function"].is_f64());

    let o = directors(&["models/rotor.toml", "--method", "em", "--until", "1e-3"]).done();
    assert!(o.out.contains("power balance") && !o.out.contains("largest deviation 1"), "{}", o.out);
    directors(&["models/joint_gear.toml", "--method", "em"]).refused(&["gear 'teeth'", "gen-alpha"]);
    directors(&["models/rotor.toml", "--method", "vi-s"]).refused(&["conservative forces only", "em"]);
    directors(&["models/four_bar.toml", "--method", "em"])
        .refused(&["drive of joint 'A' depends on time", "gen-alpha"]);
    precess(&["run", TOP, "--method", "em"]).refused(&["formulation directors"]);
}

#[test]
fn a_tolerance_is_the_default() {
    let o = adaptive(&[]).done();
    for part in [
        "heavy_top: auto stabilized-index2 on r3so3, tol = 1e-6",
        "accepted, 1 rejected",
        "orders",
        "bliedf with orders up to 5",
    ] {
        assert!(o.out.contains(part), "'{part}' is missing in\n{}", o.out);
    }
    let j = adaptive(&["--json", "--verify"]).done().json();
    let c = &j["control"];
    assert_eq!(c["tol"], 1e-6);
    assert_eq!(c["accepted"], j["steps"]);
    let n: u64 = c["steps_of_order"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(n, j["steps"].as_u64().unwrap());
    assert!(c["h_min"].as_f64().unwrap() < c["h_max"].as_f64().unwrap());
    // The error against the reference and what --verify says about it.
    let found = numbers(&j["bodies"]["top"]["position"]);
    let error = found.iter().zip(&COLUMNS[1]).fold(0.0, |m: f64, (a, b)| larger(m, (a - b).abs()));
    let achieved = c["achieved"]["positions"].as_f64().unwrap();
    assert!(error < 2e-4 && achieved > 0.5 * error && achieved < 1e-3, "{error:.2e} {achieved:.2e}");
    assert!(adaptive(&["--verify"]).done().out.contains("achieved               about"));
    let o = adaptive(&["--tol", "1e-8", "--max-step", "4e-4", "--json"]).done().json();
    assert!(o["control"]["h_max"].as_f64().unwrap() <= 4e-4);
    let o = adaptive(&["--tol", "1e-4", "--method", "gen-alpha", "--rho", "0.8", "--json"]).done().json();
    assert_eq!((&o["method"], &o["control"]["choice"]), (&Value::from("gen-alpha"), &Value::Null));
    let o = adaptive(&["--tol", "1e-4", "--method", "gen-alpha", "--form", "index3"]).done();
    assert!(o.err.contains("restarts at every change of the step"), "{}", o.err);
    let tight = ["--atol-rotation", "1e-9", "--json"];
    let o = adaptive(&tight).done().json();
    assert!(o["steps"].as_u64().unwrap() > j["steps"].as_u64().unwrap());
}

/// --verify keeps the first run even if the second run fails. Here the tolerance of the second run is below
/// rounding errors.
#[test]
fn verify_never_discards_the_run_it_verifies() {
    let file = directory("verify").join("p.csv");
    let base = ["run", "models/pendulum.toml", "--until", "0.02", "--method", "bliedf"];
    let o = precess(&[&base[..], &["--tol", "1e-18"]].concat());
    let o = o.refused(&["rounding errors", "the smallest possible tolerance is "]);
    let best = o.err.trim().rsplit(' ').next().expect("a number").to_string();
    let verified = [&base[..], &["--tol", &best, "--verify", "--out", text(&file)]].concat();
    let o = precess(&verified).done();
    assert!(
        o.out.contains("achieved               unknown, the run with tol/10 failed: the tolerance"),
        "{}",
        o.out
    );
    assert!(o.out.contains("t = 0.02 s") && file.exists());
    let j = precess(&[&verified[..], &["--json"]].concat()).done().json();
    assert!(j["control"]["achieved"].is_null() && j["control"]["unverified"].is_string(), "{j}");
}

#[test]
fn defaults_and_settings_without_effect_are_said() {
    let folder = directory("defaults");
    let file = folder.join("m.toml");
    let body = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [0.1, 1, 0]\n";
    std::fs::write(&file, body).expect("a model");
    let model = text(&file);
    let o = precess(&["run", model]).done();
    assert!(o.out.contains("run.until is not given: 1 s") && o.out.contains("tol = 1e-6"), "{}", o.out);
    let em = ["--method", "em", "--formulation", "directors", "--until", "0.1"];
    let o = precess(&[&["run", model][..], &em].concat()).done();
    assert!(o.out.contains("(defaults: run.step is not given: 1e-3 s)"), "{}", o.out);
    let o = precess(&[&["check", model][..], &em].concat()).done();
    for part in [
        "method       em\n",
        "formulation  directors\n",
        "step         1e-3 s, 100 of them   (default",
        "until        0.1 s\n",
    ] {
        assert!(o.out.contains(part), "'{part}' is missing in\n{}", o.out);
    }
    let o = precess(&[&["check", model, "--rho", "0.5"][..], &em].concat()).done();
    assert!(o.out.contains("warning: integrator.rho has no effect with em and a fixed step"), "{}", o.out);
    let j = precess(&[&["check", model, "--rho", "0.5", "--json"][..], &em].concat()).done().json();
    assert_eq!(j["settings"]["ignored"][0], "integrator.rho");
    assert!(j["settings"]["defaults"].as_array().is_some_and(|d| d.iter().any(|x| x == "run.step")), "{j}");
    let o = precess(&[&["run", model, "--rho", "0.5", "--json"][..], &em].concat()).done().json();
    let notices = o["notices"].to_string();
    assert!(notices.contains("integrator.rho has no effect"), "{notices}");
    let o = precess(&["run", model, "--every", "10"]).done();
    assert!(o.err.contains("output.every has no effect"), "{}", o.err);
    for flags in [
        ["--step", "1e-3", "--max-step", "1e-2"],
        ["--step", "1e-3", "--atol-position", "1e-6"],
        ["--step", "1e-3", "--tol", "1e-6"],
    ] {
        precess(&[&["run", model][..], &flags].concat()).refused(&["cannot be used with"]);
    }
}

/// A door on twelve hinges: all of them are redundant, but a message names at most four.
#[test]
fn long_lists_of_joints_are_counted() {
    let file = directory("hinges").join("door.toml");
    let model = "[[body]]\nname = \"door\"\nmass = 20\ninertia = [6, 8, 3]\nposition = [0.5, 0, 0]\n\
                 angular_velocity = [0, 0, 1]\nvelocity = [0, 0.5, 0]\n\
                 [[joint]]\nname = \"hinge{i}\"\ncount = 12\ntype = \"revolute\"\nbodies = [\"ground\", \
                 \"door\"]\n\
                 point = [0, 0, \"0.1*i\"]\naxis = [0, 0, 1]\n";
    std::fs::write(&file, model).expect("a model");
    let o = precess(&["run", text(&file), "--until", "0.1"]).done();
    let notice = o.out.lines().find(|l| l.contains("constraints are redundant")).expect("a notice");
    assert!(notice.contains("and 8 more (12 revolute in all)") && !notice.contains("hinge11"), "{notice}");
    let o = precess(&["check", text(&file)]).done();
    let warning = o.out.lines().find(|l| l.contains("are redundant")).expect("a warning");
    assert!(warning.contains("and 8 more (12 revolute in all)"), "{warning}");
}

/// Settle, then bump: a run begins where another one ended, with other settings and more loads.
#[test]
fn a_run_begins_where_another_one_ended() {
    let folder = directory("start_from");
    let file = |name: &str| folder.join(name);
    let model = |force: &str, run: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"mass\"\nmass = 3\ninertia = [1, 1, \
             1]\n[[joint]]\nname = \"guide\"\n\
             type = \"prismatic\"\nbodies = [\"ground\", \"mass\"]\npoint = [0, 0, 0]\naxis = \
             \"z\"\n[[force]]\nname = \"spring\"\n\
             type = \"joint-spring\"\njoint = \"guide\"\nstiffness = 200\ndamping = \
             40\n{force}[[sensor]]\nname = \"x\"\n\
             type = \"coordinate\"\njoint = \"guide\"\n[integrator]\ntol = 1e-9\n{run}"
        )
    };
    let push = "[[force]]\nname = \"push\"\ntype = \"force\"\nbody = \"mass\"\nforce = [0, 0, 7]\n";
    let (settle, bump) = (file("settle.toml"), file("bump.toml"));
    std::fs::write(&settle, model("", "[run]\nuntil = 8\n")).unwrap();
    std::fs::write(&bump, model(push, "[run]\nuntil = 0.3\n")).unwrap();
    // 3 x'' = 7 - 200 x - 40 x' from rest, counted from where it had settled.
    let (d, k, t) = (40.0 / 6.0, 200.0 / 3.0_f64, 0.3);
    let w = (k - d * d).sqrt();
    let bumped = 7.0 / 200.0 * (1.0 - (-d * t).exp() * ((w * t).cos() + d / w * (w * t).sin()));
    let rest = -3.0 * 9.81 / 200.0;
    for end in ["settled.npz", "settled.csv", "settled.json"] {
        let end = file(end);
        precess(&["run", text(&settle), "-o", text(&end)]).done();
        for more in [&["--set", "integrator.tol=1e-8"][..], &["--formulation", "se3"][..]] {
            let args = [&["run", text(&bump), "--start-from", text(&end), "--json"], more].concat();
            let x = precess(&args).done().json()["sensors"]["x"].clone();
            let x = x.as_array().and_then(|x| x[0].as_f64()).or(x.as_f64()).unwrap_or(f64::NAN);
            assert!((x - rest - bumped).abs() < 1e-6, "{}: {x} {}", end.display(), rest + bumped);
        }
    }
    let other = file("other.toml");
    std::fs::write(&other, model("", "").replace("\"mass\"", "\"other\"")).unwrap();
    let end = file("settled.npz");
    precess(&["run", text(&other), "--start-from", text(&end)]).refused(&["no body of the model is in"]);
    let wrong = precess(&["run", text(&bump), "--start-from", text(&settle)]);
    wrong.refused(&["not a checkpoint", "give a result"]);
}
