//! The model language: parts, which are models in models.

use crate::shapes::model;
use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::lie::Largest;
use precess::model::{Files, load, load_with};

const ARM: &str = r#"
    [parameters]
    l = 1
    k = 10
    [[body]]
    name = "arm"
    mass = 2
    inertia = [[0.2, 0.01, 0.02], [0.01, 0.3, 0.03], [0.02, 0.03, 0.4]]
    position = ["l", 0.2, 0.1]
    rotation = { axis = [1, 2, 3], angle = "20 deg" }
    markers = { tip = [0.1, 0.2, 0.3] }
    [[joint]]
    name = "hinge"
    type = "revolute"
    bodies = ["ground", "arm"]
    point = [0, 0, 0]
    axis = [0.1, 0.2, 1]
    [[force]]
    name = "spring"
    type = "joint-spring"
    joint = "hinge"
    stiffness = "k"
    rest = 0.3
    [[force]]
    name = "push"
    type = "force"
    body = "arm"
    point = "arm.tip"
    force = ["t", 1, "sin(t)"]
    [[force]]
    name = "twist"
    type = "torque"
    body = "arm"
    torque = [1, "t", 2]
    frame = "body"
    [[force]]
    name = "bush"
    type = "bushing"
    bodies = ["ground", "arm"]
    point = [0.3, 0.1, 0]
    rotation = { axis = [3, 2, 1], angle = 0.4 }
    stiffness = [10, 20, 30, 1, 2, 3]
    damping = [1, 0, 0, 0, 0.1, 0]
    [[sensor]]
    name = "angle"
    type = "coordinate"
    joint = "hinge"
    [[sensor]]
    name = "tip"
    type = "position"
    body = "arm"
    point = "arm.tip"
    [[event]]
    name = "high"
    when = "angle > 0.2"
    action = "record"
"#;

/// A part moves like its file on its own, mirrored, turned and moved: the angle is the same, and the path is
/// the image.
#[test]
fn parts_move_like_their_files() {
    let whole = r#"
        [model]
        gravity = [0, 0, 0]
        [[include]]
        file = "arm.toml"
        prefix = "a_"
        [[include]]
        file = "arm.toml"
        prefix = "b_"
        mirror = "y"
        rotation = { axis = [1, -2, 0.5], angle = "70 deg" }
        position = [3, 4, 5]
        parameters = { k = "2*5" }
        [[include]]
        file = "arm.toml"
        prefix = "c{i}_"
        count = 2
        parameters = { l = "1 + i" }
        [run]
        step = 1e-2
    "#;
    let files = Files::memory([("arm.toml", ARM)]);
    let loaded = load_with("test.toml", whole, &[], files).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(loaded.model.bodies.len(), 4);
    assert_eq!(loaded.model.bodies[3].position.x, 2.0);
    let alone = load("test.toml", ARM, &[]).unwrap();
    let options = crate::model_util::options(precess::integrate::Form::StabilizedIndex2);
    let mut one = crate::model_util::start(&alone, Formulation::R3SO3);
    let mut all = crate::model_util::start(&loaded, Formulation::R3SO3);
    one.run(&options, 1e-2, 1.0, |_, _| {});
    all.run(&options, 1e-2, 1.0, |_, _| {});
    let angle = one.sensor("angle")[0];
    assert!(angle.abs() > 0.05, "{angle}");
    for name in ["a_angle", "b_angle", "c0_angle"] {
        let found = all.sensor(name)[0];
        assert!((found - angle).abs() < 1e-9, "{name}: {found} {angle}");
    }
    let turn =
        nalgebra::Rotation3::from_scaled_axis(Vector3::new(1.0, -2.0, 0.5).normalize() * 70_f64.to_radians());
    let tip = Vector3::from_column_slice(&one.sensor("tip"));
    let image = turn * Vector3::new(tip.x, -tip.y, tip.z) + Vector3::new(3.0, 4.0, 5.0);
    let found = Vector3::from_column_slice(&all.sensor("b_tip"));
    assert!((found - image).largest() < 1e-9, "{found} {image}");
    assert_eq!(loaded.model.events[1].when.arguments, [("b_angle".to_string(), 0)]);
}

#[test]
fn parts_stay_within_their_limits() {
    let include = |file: &str, more: &str| format!("[[include]]\nfile = \"{file}\"\n{more}");
    let e = |text: &str, files: Files| model(text, files).unwrap_err();
    // Circles.
    let circle = Files::memory([("a.toml", &include("b.toml", "")), ("b.toml", &include("a.toml", ""))]);
    assert!(e(&include("a.toml", ""), circle).contains("includes itself: a.toml > b.toml > a.toml"));
    // Copies of copies of copies.
    let body =
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\ncount = 1000\n".replace("\"a\"", "\"a{i}\"");
    let many = "count = 1000\nprefix = \"p{i}_\"";
    let laughs = Files::memory([
        ("a.toml", &body),
        ("b.toml", &include("a.toml", many)),
        ("c.toml", &include("b.toml", many)),
    ]);
    let message = e(&include("c.toml", many), laughs);
    assert!(message.contains("more than"), "{message}");
    // Mistakes of a part, of its parameters and of its names.
    let wrong = Files::memory([("a.toml", "[[body]]\nname = \"a\"\nmass = -1\ninertia = [1, 1, 1]\n")]);
    assert!(e(&include("a.toml", ""), wrong).contains("a.toml:3:8: the mass -1 is not positive"));
    let arm = Files::memory([("arm.toml", ARM)]);
    assert!(e(&include("arm.toml", "parameters = { kk = 1 }"), arm.clone()).contains("did you mean 'k'"));
    let twice = format!("{}{}", include("arm.toml", ""), include("arm.toml", ""));
    assert!(e(&twice, arm).contains("the name 'arm' is taken"));
    assert!(e(&include("../arm.toml", ""), Files::next_to("test.toml")).contains("'..'"));
    let table = "[tables.a]\nfile = \"/etc/hostname\"\n[[body]]\nname = \"a\"\ntype = \"point\"\nmass = 1";
    assert!(e(table, Files::next_to("test.toml")).contains("begins at the root"));
}

/// Copies are limited for the sake of memory, not of chains: one of 100 000 rods is read.
#[test]
fn a_long_chain_is_read() {
    let text = std::fs::read_to_string("../../models/chain.toml").unwrap();
    let model = load("chain", &text, &["parameters.N=100000".to_string()]).unwrap().model;
    assert_eq!((model.bodies.len(), model.joints.len()), (100_000, 100_000));
    let tip = &model.bodies[99_999];
    assert_eq!((tip.name.as_str(), tip.position), ("rod99999", Vector3::new(99_999.5, 0.0, 0.0)));
    assert_eq!(model.joints[99_999].bodies, ["rod99998", "rod99999"].map(String::from));
    let more = load("chain", &text, &["parameters.N=200000".to_string()]).unwrap_err().to_string();
    assert!(more.contains("copies of elements, more than 300000"), "{more}");
}
