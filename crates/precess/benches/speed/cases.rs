//! What is simulated: cases with their systems, step sizes and forms of constraints.

use nalgebra::{UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::{Eta, Form, Strategy};
use precess::mechanics::System;
use precess::methods::MethodOptions;
use precess::model::{BodySpec, JointSpec, Model, build, load};
use precess::problems::{HeavyTop, Rotor};

/// Something that moves, with its step size and the form of its constraints.
pub struct Case {
    pub system: Box<dyn System>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub options: MethodOptions,
    pub h: f64,
    pub bodies: usize,
}

/// Names of the cases that are timed step by step; `chain-N`, `revolute-N`, `coil-N`, `revolute-coil-N` and
/// `net-N` exist for every N, every name with the ending `-stabilized`, and behind it `+full`, `+once` and so
/// on for Newton's method.
pub const CASES: [&str; 16] = [
    "top",
    "top-stabilized",
    "top-se3",
    "top-se3-stabilized",
    "top-so3",
    "top-model",
    "rotor",
    "rotor-model",
    "slider-crank",
    "slider-crank-stabilized",
    "revolute-1",
    "revolute-2",
    "chain-10",
    "chain-10-stabilized",
    "revolute-10",
    "revolute-10-stabilized",
];

/// A turn after 64 rods.
const COIL: f64 = std::f64::consts::TAU / 64.0;

pub fn case(name: &str) -> Case {
    if let Some((base, strategy)) = name.split_once('+') {
        let mut case = case(base);
        case.options.newton.strategy =
            str::parse::<Strategy>(strategy).expect("a strategy of Newton's method");
        return case;
    }
    let (base, form) = match name.strip_suffix("-stabilized") {
        Some(base) => (base, Form::StabilizedIndex2),
        None => (name, Form::Index3),
    };
    let options = MethodOptions { form, ..MethodOptions::default() };
    let top = |formulation| {
        let top = HeavyTop::fast(formulation);
        Case { q: top.q_0(), v: top.v_0(), system: Box::new(top), options, h: 1e-3, bodies: 1 }
    };
    let number =
        |prefix: &str| base.strip_suffix("-se3").unwrap_or(base).strip_prefix(prefix)?.parse::<usize>().ok();
    match base {
        "top" => top(Formulation::R3SO3),
        "top-se3" => top(Formulation::SE3),
        "top-so3" => top(Formulation::SO3),
        "rotor" => {
            let rotor = Rotor::paper(5.165093);
            Case { q: rotor.q_0(), v: rotor.v_0(), system: Box::new(rotor), options, h: 1e-5, bodies: 1 }
        }
        "top-model" => from_file(include_str!("../../../../models/heavy_top.toml"), options),
        "rotor-model" => from_file(include_str!("../../../../models/rotor.toml"), options),
        // Without redundant rows.
        "four-bar" => {
            let text = include_str!("../../../../models/four_bar.toml");
            from_file_with(text, options, &["joint.B.type=spherical", "joint.C.type=cylindrical"])
        }
        "robot-arm" => from_file(include_str!("../../../../models/robot_arm.toml"), options),
        "slider-crank" => from_file(
            include_str!("../../../../models/slider_crank.toml"),
            MethodOptions { eta: Eta::Paper, ..options },
        ),
        _ => {
            let revolute =
                |name: &str, bodies: [&str; 2], x| JointSpec::revolute(name, bodies, x, [0.0, 1.0, 0.0]);
            let model = if let Some(n) = number("chain-") {
                chain(n, 0.0, JointSpec::spherical)
            } else if let Some(n) = number("revolute-") {
                chain(n, 0.0, revolute)
            } else if let Some(n) = number("coil-") {
                chain(n, COIL, JointSpec::spherical)
            } else if let Some(n) = number("revolute-coil-") {
                chain(n, COIL, revolute)
            } else if let Some(n) = number("net-") {
                net(n)
            } else {
                panic!("there is no case '{name}'")
            };
            let se3 = base.ends_with("-se3");
            built(&model, if se3 { Formulation::SE3 } else { Formulation::R3SO3 }, options, 1e-3)
        }
    }
}

fn from_file(text: &str, options: MethodOptions) -> Case {
    from_file_with(text, options, &[])
}

fn from_file_with(text: &str, options: MethodOptions, set: &[&str]) -> Case {
    let set: Vec<String> = set.iter().map(|x| x.to_string()).collect();
    let loaded = load("model.toml", text, &set).expect("model file");
    built(&loaded.model, Formulation::R3SO3, options, loaded.settings.step)
}

fn built(model: &Model, formulation: Formulation, options: MethodOptions, h: f64) -> Case {
    let built = build(model, formulation).expect("model");
    Case { bodies: model.bodies.len(), system: built.system, q: built.q, v: built.v, options, h }
}

/// Rods of length and mass 1, each turned by this angle about y against the one before: zero is the
/// horizontal chain, other angles coil it up, so that positions stay small for any number of rods.
pub fn chain(n: usize, turn: f64, joint: impl Fn(&str, [&str; 2], [f64; 3]) -> JointSpec) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    let (mut x, mut angle) = (Vector3::zeros(), 0.0);
    for i in 0..n {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let half = rotation * Vector3::x() * 0.5;
        let rod = BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        model = model.body(rod.at((x + half).into()).rotated(rotation)).joint(joint(
            &format!("j{i}"),
            [&a, &b],
            x.into(),
        ));
        x += half * 2.0;
        angle += turn;
    }
    model
}

/// n x n bodies on a wavy surface, each held to its neighbours by spherical joints, hung from one corner:
/// (n - 1)^2 closed loops. (In a plane the joints would be redundant.)
fn net(n: usize) -> Model {
    let mut model = Model::new("net").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize, j: usize| format!("b{i}_{j}");
    let place = |x: f64, y: f64| [x, y, 0.3 * (1.7 * x + 0.4).sin() * (2.3 * y + 0.9).cos()];
    for i in 0..n {
        for j in 0..n {
            let (x, y) = (i as f64, j as f64);
            model = model.body(BodySpec::rigid(&name(i, j), 1.0, [0.1, 0.1, 0.2]).at(place(x, y)));
            let own = name(i, j);
            if i > 0 {
                let bodies = [name(i - 1, j), own.clone()];
                let joint =
                    JointSpec::spherical(&format!("x{i}_{j}"), [&bodies[0], &bodies[1]], place(x - 0.5, y));
                model = model.joint(joint);
            }
            if j > 0 {
                let bodies = [name(i, j - 1), own];
                let joint =
                    JointSpec::spherical(&format!("y{i}_{j}"), [&bodies[0], &bodies[1]], place(x, y - 0.5));
                model = model.joint(joint);
            }
        }
    }
    model.joint(JointSpec::spherical("corner", ["ground", &name(0, 0)], place(-0.5, -0.5)))
}
