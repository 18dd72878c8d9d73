//! Models of the tests.
#![allow(dead_code)]

use precess::formulation::Formulation;
use precess::model::{Built, Loaded, build, load};

/// A model of `models/`, with overrides.
pub fn model(name: &str, overrides: &[&str]) -> Loaded {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    load(&path, &text, &overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// The model in a text.
pub fn text(text: &str) -> Loaded {
    load("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// In R^3xSO(3).
pub fn built(loaded: &Loaded) -> Built {
    build(&loaded.model, Formulation::R3SO3).unwrap()
}

/// In SE(3).
pub fn built_se3(loaded: &Loaded) -> Built {
    build(&loaded.model, Formulation::SE3).unwrap()
}

/// A compound pendulum turned by `angle` from the hanging position, held by a revolute or spherical joint.
pub fn pendulum(angle: f64, joint: &str) -> Loaded {
    let axis = if joint == "revolute" { "axis = [0, 1, 0]" } else { "" };
    text(&format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "rod"
        mass = 2
        inertia = [0.03, 0.05, 0.04]
        position = [{x}, 0, {z}]
        rotation = {{ axis = [0, 1, 0], angle = {angle} }}
        [[joint]]
        name = "hinge"
        type = "{joint}"
        bodies = ["ground", "rod"]
        point = [0, 0, 0]
        {axis}
        "#,
        x = -0.7 * angle.sin(),
        z = -0.7 * angle.cos()
    ))
}

/// The difference of two numbers, relative to the second.
pub fn relative(x: f64, y: f64) -> f64 {
    (x - y).abs() / y.abs()
}

/// The four-bar without its drive: hinges as in the file (20 rows, 3 of them redundant), or a spherical and a
/// cylindrical joint among them (17 rows).
pub fn four_bar(rows: usize) -> Loaded {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/four_bar.toml");
    let free = std::fs::read_to_string(path).unwrap().replace("drive = \"w*t\"\n", "");
    let others = ["joint.B.type=spherical", "joint.C.type=cylindrical"].map(String::from);
    let overrides = match rows {
        17 => &others[..],
        20 => &[],
        other => panic!("{other} rows"),
    };
    load("four_bar.toml", &free, overrides).unwrap_or_else(|e| panic!("{e}"))
}
