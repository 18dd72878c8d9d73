//! `precess check`, `import`, `models`, `methods` and `schema` from end to end.

use crate::common::{directory, precess, root, text};
use serde_json::Value;

#[test]
fn check_of_the_heavy_top() {
    let o = precess(&["check", "models/heavy_top.toml"]).done();
    assert!(o.err.is_empty(), "{}", o.err);
    for part in [
        "3 degrees of freedom: 6 coordinates, 3 constraint rows, rank 3\n",
        "ground\n└─ tip (spherical) ─ top\n",
        "  tolerance    1e-6   (default: integrator.tol is not given)\n",
        "  until        1 s\n",
        "the model can run",
    ] {
        assert!(o.out.contains(part), "'{part}' is missing in\n{}", o.out);
    }
    let j = precess(&["check", "models/heavy_top.toml", "--json", "--step", "1e-2"]).done().json();
    assert_eq!(j["runnable"], true);
    assert_eq!(
        (&j["degrees_of_freedom"], &j["rank"], &j["redundant_rows"]),
        (&3.into(), &3.into(), &0.into())
    );
    assert_eq!(j["settings"]["steps"], 100);
    assert_eq!(j["bodies"]["top"]["principal_moments"], serde_json::json!([0.234375, 0.234375, 0.46875]));
    assert_eq!(j["joints"]["tip"]["unique_reactions"], true);
    assert_eq!(j["problems"], serde_json::json!([]));
}

#[test]
fn check_says_why_a_model_cannot_run() {
    let args = ["check", "models/heavy_top.toml", "--set", "body.top.velocity=[5, 0, 0]"];
    let o = precess(&args);
    assert_eq!(o.code, 2);
    assert!(o.out.contains("the model cannot run") && o.out.contains("3.8e-1"), "{}", o.out);
    assert!(o.err.starts_with("error: initial velocities violate constraint 'joint tip"), "{}", o.err);
    assert!(o.err.contains("3.846e-1") && o.err.contains("--fix-initial"), "{}", o.err);
    let j = precess(&[&args[..], &["--json"]].concat());
    assert_eq!(j.code, 2);
    let j = j.json();
    assert_eq!(j["runnable"], false);
    let residual = j["joints"]["tip"]["residual"]["velocity"].as_f64().unwrap();
    assert!((residual - 0.38462).abs() < 1e-9, "{residual}");
    let o = precess(&[&args[..], &["--fix-initial"]].concat()).done();
    assert!(o.out.contains("corrected"), "{}", o.out);
    precess(&["check", "models/heavy_top.toml", "--rho", "3"]).refused(&["rho = 3", "^"]);
    precess(&["check", "models/none.toml"]).refused(&["cannot read", "help:"]);
}

const ROBOT: &str = "crates/precess/tests/urdf/arm.urdf";

#[test]
fn an_imported_robot_runs() {
    let file = directory("import").join("arm.toml");
    let o = precess(&["import", ROBOT, "-o", text(&file), "--joint", "shoulder=-30 deg"]).done();
    assert!(o.out.is_empty());
    for part in [
        "not imported",
        "<collision> of links: column",
        "joint shoulder: the largest velocity 3 is not enforced",
        "part of it",
    ] {
        assert!(o.err.contains(part), "'{part}' is missing in\n{}", o.err);
    }
    let to_stdout = precess(&["import", ROBOT, "--joint", "shoulder=-30 deg"]).done();
    assert_eq!(to_stdout.out, std::fs::read_to_string(&file).unwrap());
    assert!(to_stdout.out.starts_with("# arm3:"));
    let object = precess(&["import", ROBOT, "--joint", "shoulder=-30 deg", "--json"]).done();
    assert!(object.err.is_empty());
    let object = object.json();
    assert_eq!(object["model"], to_stdout.out);
    assert_eq!(object["bodies"].as_array().unwrap().len(), 3);
    // Its limits have become stops. Only limits that cannot become stops are listed.
    assert!(object["limits"].as_array().unwrap().iter().all(|l| l["joint"] != "shoulder"));
    assert!(to_stdout.out.contains("limit_shoulder"), "{}", to_stdout.out);
    let object = precess(&["import", ROBOT, "-o", text(&file), "--json"]).done().json();
    assert!(object["out"] == text(&file) && object["model"].is_null());
    precess(&["check", text(&file)]).done();
    let j = precess(&["run", text(&file), "--json", "--until", "0.1"]).done().json();
    assert_eq!(j["model"], "arm3");
    // The damping of one joint takes a little energy.
    let (start, end) = (j["energy"]["initial"].as_f64().unwrap(), j["energy"]["final"].as_f64().unwrap());
    assert!(end < start && end > start - 0.1, "{start} {end}");
    assert!(j["constraints"]["position_max"].as_f64().unwrap() < 1e-10);
    assert_eq!(j["bodies"].as_object().unwrap().len(), 3);
}

#[test]
fn import_refuses_with_reasons() {
    let place = directory("import_refuses");
    let bad = place.join("bad.urdf");
    std::fs::write(&bad, "<robot name=\"r\">\n  <link name=\"a\"/>\n  <joint name=\"j\"/>\n</robot>")
        .unwrap();
    precess(&["import", text(&bad)]).refused(&["bad.urdf:3:3", "joint 'j'", "^^^", "help:"]);
    precess(&["import", "none.urdf"]).refused(&["cannot read none.urdf", "help:"]);
    precess(&["import", ROBOT, "--joint", "sholder=1"]).refused(&["did you mean 'shoulder'"]);
    precess(&["import", ROBOT, "--joint", "shoulder"]).refused(&["there is no '='", "help:"]);
    precess(&["import", ROBOT, "--joint", "shoulder=x"]).refused(&["unknown name 'x'", "help:"]);
    precess(&["import", ROBOT, "-o", text(&place.join("no/arm.toml"))]).refused(&["cannot write", "help:"]);
}

#[test]
fn models_and_methods_are_listed() {
    let o = precess(&["models"]).done();
    let entries = std::fs::read_dir(root().join("models")).unwrap().map(|e| e.unwrap().path());
    let on_disk = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).count();
    assert_eq!(o.out.lines().count(), on_disk);
    assert!(
        o.out
            .lines()
            .any(|l| l.starts_with("models/heavy_top.toml ") && l.contains("Heavy top: a rigid body"))
    );
    let j = precess(&["models", "--json"]).done().json();
    for model in j.as_array().unwrap() {
        assert!(model["about"].as_str().is_some_and(|a| a.len() > 10), "{model}");
    }
    let empty = directory("no_models");
    precess(&["models", text(&empty)]).refused(&["no model files", "help:"]);
    precess(&["models", "nowhere"]).refused(&["cannot read nowhere", "help:"]);
    assert!(precess(&["methods"]).done().out.contains("gen-alpha"));
    let j = precess(&["methods", "--json"]).done().json();
    assert!(j.as_array().unwrap().iter().any(|m| m["name"] == "rkmk4"));
}

#[test]
fn every_model_can_run() {
    let models = precess(&["models", "--json"]).done().json();
    for model in models.as_array().unwrap() {
        precess(&["check", model["name"].as_str().unwrap()]).done();
    }
}

#[test]
fn schema_is_json() {
    let schema: Value = precess(&["schema"]).done().json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["properties"]["body"].is_object());
}

#[test]
fn help_names_the_commands_and_exit_codes() {
    let o = precess(&["--help"]).done();
    for command in ["run", "check", "import", "models", "methods", "schema"] {
        assert!(o.out.contains(&format!("  {command}")), "{}", o.out);
    }
    assert!(precess(&["run", "--help"]).done().out.contains("Exit codes"));
    assert_eq!(precess(&[]).code, 2);
    assert_eq!(precess(&["fly"]).code, 2);
}

/// Every command that reads the model lists what an included robot loses.
#[test]
fn included_robots_say_what_they_lose() {
    let place = directory("included");
    let mjcf =
        "<mujoco><worldbody><body name='a'><joint/><geom size='0.1'/></body></worldbody><contact/></mujoco>";
    std::fs::write(place.join("a.xml"), mjcf).unwrap();
    let file = place.join("model.toml");
    std::fs::write(&file, "[[include]]\nfile = \"a.xml\"\n[run]\nuntil = 0.01\n").unwrap();
    let lost = "warning: part 'a.xml': <contact> is left out";
    let check = precess(&["check", text(&file)]).done();
    assert!(check.out.contains(lost), "{}", check.out);
    let run = precess(&["run", text(&file)]).done();
    assert!(run.err.contains(lost), "{}", run.err);
}

/// If a run fails because a function has no value, the message names the function, its parameters and the
/// force. Sensors are in the chosen units.
#[test]
fn functions_without_a_value_are_named() {
    let file = directory("no_value").join("model.toml");
    let model = |torque: &str| {
        format!(
            "[parameters]\nT = \"0.2 s\"\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [[joint]]\nname = \"shaft\"\ntype = \"revolute\"\nbodies = [\"ground\", \"disc\"]\npoint = [0, \
             0, 0]\naxis = \"y\"\n\
             [[force]]\nname = \"motor\"\ntype = \"torque\"\nbody = \"disc\"\ntorque = [0, \"{torque}\", 0]\n\
             [[sensor]]\nname = \"angle\"\ntype = \"coordinate\"\njoint = \"shaft\"\n[output]\nunits = \
             [\"deg\"]\n[run]\nuntil = 1\n"
        )
    };
    std::fs::write(&file, model("2*sqrt(1 - t/T)")).unwrap();
    let o = precess(&["run", text(&file)]);
    assert_eq!(o.code, 1, "{}", o.err);
    assert!(o.err.contains("'sqrt(1 - t/T)' is NaN with t = 0.2"), "{}", o.err);
    assert!(o.err.contains(", T = 0.2, in force 'motor' at t = 0.2"), "{}", o.err);
    std::fs::write(&file, model("2")).unwrap();
    let o = precess(&["run", text(&file)]).done();
    // A torque of 2 N m on 1 kg m^2 turns it by t^2 = 1 rad.
    let line = o.out.lines().find(|l| l.trim_start().starts_with("angle  ")).unwrap_or("");
    let degrees: f64 = line.split_whitespace().nth(1).unwrap_or("").parse().unwrap_or(f64::NAN);
    assert!((degrees - 180.0 / std::f64::consts::PI).abs() < 1e-4 && line.ends_with("deg"), "{}", o.out);
}
