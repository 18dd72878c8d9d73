//! Commands that do not integrate: equilibrium, modes, campbell.

mod common;

use common::{directory, precess, text};

/// A file in a directory of its own.
fn file(name: &str, content: &str) -> String {
    let path = directory(&format!("analysis_{name}")).join(name);
    std::fs::write(&path, content).unwrap();
    text(&path).to_string()
}

const BOX: &str =
    "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n";

#[test]
fn equilibrium_for_people_and_machines() {
    let text = precess(&["equilibrium", "models/double_pendulum.toml"]).done();
    assert!(text.out.starts_with("double_pendulum: equilibrium at t = 0 s, stable\n"), "{}", text.out);
    let json = precess(&["equilibrium", "models/double_pendulum.toml", "--json"]).done().json();
    let z = json["bodies"]["lower"]["position"][2].as_f64().unwrap();
    assert!((z + 1.4).abs() < 1e-12, "{z}");
    let up = precess(&["equilibrium", "models/slider_crank_a.toml", "--kind", "any"]).done();
    assert!(up.out.contains("unstable: ") && up.out.contains("grows as exp("), "{}", up.out);
}

/// A weight on a spring: m g / k, over k.
#[test]
fn load_deflection_curve() {
    let content = format!(
        "{BOX}[parameters]\nk = 100\n[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"box\"]\n\
         point = [0, 0, 0]\naxis = [0, 0, 1]\n[[force]]\nname = \"spring\"\ntype = \"joint-spring\"\njoint = \"guide\"\n\
         stiffness = \"k\"\n[[sensor]]\nname = \"sag\"\ntype = \"coordinate\"\njoint = \"guide\"\n"
    );
    let model = file("weight.toml", &content);
    let picture = file("weight.svg", "");
    let json =
        precess(&["equilibrium", &model, "--vary", "k=100:500:5", "-o", &picture, "--json"]).done().json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let (k, sag) = (row["k"].as_f64().unwrap(), row["sag, m"].as_f64().unwrap());
        assert!((sag + 9.81 / k).abs() < 1e-12, "{k} {sag}");
        assert!((row["lowest_kappa"].as_f64().unwrap() - k).abs() < 1e-9 * k);
    }
    assert!(std::fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

#[test]
fn modes_and_their_files() {
    let out = file("modes.npz", "");
    let text = precess(&["modes", "models/double_pendulum.toml", "-o", &out]).done();
    assert!(text.out.contains("'upper' against it"), "{}", text.out);
    assert!(std::fs::read(&out).unwrap().starts_with(b"PK"));
    let rotor = precess(&["modes", "models/rotor.toml", "--at", "steady", "--json"]).done().json();
    assert_eq!(rotor["frame"], "fixed");
    assert!(rotor["proof"].as_f64().unwrap() < 1e-8);
    // Loaded, and at rest.
    let resting = precess(&["modes", "models/rotor.toml", "--json"]).done().json();
    assert_eq!(resting["modes"].as_array().unwrap().len(), 5);
    assert_eq!(resting["free"].as_array().unwrap().len(), 1);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=0:200:3"]).done();
    let near =
        precess(&["modes", "models/rotor.toml", "--at", "steady", "--near", "9Hz", "--n", "1", "--json"]);
    let f = near.done().json()["modes"][0]["frequency"].as_f64().unwrap();
    assert!((f - 9.09579).abs() < 1e-4, "{f}");
}

#[test]
fn campbell_lists_critical_speeds() {
    let args = ["campbell", "models/rotor.toml", "--set", "parameters.Mz=0", "--set", "parameters.d=0"];
    let more = ["--vary", "spin=0:200:9", "--json"];
    let json = precess(&[&args[..], &more[..]].concat()).done().json();
    let critical = json["critical"].as_array().unwrap();
    let forward = critical.iter().find(|c| c["direction"] == "forward").unwrap();
    assert!((forward["spin"].as_f64().unwrap() - 80.4990932076).abs() < 1e-6, "{forward}");
}

#[test]
fn what_cannot_be_analysed_is_said() {
    let falling = file("box.toml", BOX);
    let fell = precess(&["equilibrium", &falling]);
    assert_eq!(fell.code, 1);
    assert!(fell.err.contains("net force of 9.81 N") && fell.err.contains("help: "), "{}", fell.err);
    // Not at rest, not steady.
    let moving = precess(&["modes", "models/heavy_top.toml", "--at", "initial"]);
    assert_eq!(moving.code, 1);
    assert!(moving.err.contains("neither rest nor a steady rotation"), "{}", moving.err);
    // No frame.
    let both = [
        "modes",
        "models/rotor.toml",
        "--at",
        "steady",
        "--set",
        "body.rotor.inertia=[0.001541, 0.000812, 0.0012]",
        "--set",
        "force.left.stiffness=[4000, 4000, 7000]",
        "--set",
        "parameters.Mz=0",
    ];
    let none = precess(&both);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("no frame") && none.out.is_empty(), "{}\n{}", none.out, none.err);
    // A flat parallelogram.
    let flat = precess(&["modes", "models/parallelograms.toml", "--at", "initial"]);
    assert_ne!(flat.code, 0);
    precess(&["modes", "models/rotor.toml", "--near", "fast"]).refused(&["--near fast", "help: "]);
    precess(&["modes", "models/rotor.toml", "--frame", "fixd"]).refused(&["fixed"]);
    precess(&["modes", "models/rotor.toml", "--frame", "rotating"]).refused(&["--at steady"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=0:100"]).refused(&["spin=0:100:21"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "speed=0:100:3"]).refused(&["speed"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=100,50"]).refused(&["increasing"]);
    precess(&["equilibrium", "models/no_such.toml"]).refused(&["cannot read"]);
    precess(&["equilibrium", "models/rotor.toml", "--time", "nan"]).refused(&["--time"]);
    precess(&["modes", "models/double_pendulum.toml", "--bode", "x.svg"]).refused(&["--input"]);
}
