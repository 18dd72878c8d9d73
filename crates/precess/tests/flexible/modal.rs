//! Modal bodies in models: derivatives, and the pendulum of flex.md.

use crate::derivatives::{check_derivatives, noise};
use crate::modal_files::in_folder;
use crate::model_util::load_text;
use nalgebra::{DMatrix, Vector3};
use precess::Simulation;
use precess::mechanics::Function;
use precess::mechanics::controls::{Controller, Pid};
use precess::mechanics::function::{Argument, MAX_READ, Readings, Slope, Smooth};
use precess::model::elements::{At, ControlSpec, ForceFrame, FrictionSpec, GearSpec, LawTarget, SensorKind};
use precess::model::forces::{Bushing, Friction, Law, PointForce, Torque};
use precess::model::modal::{ModalSpec, Shapes};
use precess::model::{BodySpec, ForceSpec, JointSpec, Model};
use precess_flex::{Geometric, SecondOrder};
use std::sync::Arc;

#[allow(dead_code)]
#[path = "../../../precess-flex/tests/common/pendulum.rs"]
mod pendulum;

fn shapes() -> Shapes {
    let mode = |k: usize| {
        let node = |m: &[[f64; 3]; 3]| Vector3::new(m[0][k], m[1][k], m[2][k]);
        pendulum::MODES.iter().map(node).collect::<Vec<_>>()
    };
    // Rotations of the nodes: any vectors are good enough where nothing depends on them.
    let turn = |k: usize| (0..7).map(|i| Vector3::new(0.1 * i as f64, 0.3 - 0.1 * k as f64, 0.2)).collect();
    Shapes {
        nodes: pendulum::NODES.iter().map(|x| Vector3::from(*x)).collect(),
        masses: pendulum::MASSES.to_vec(),
        inertias: Vec::new(),
        modes: (0..3).map(mode).collect(),
        rotations: Some((0..3).map(turn).collect()),
        stiffness: DMatrix::from_fn(3, 3, |i, j| pendulum::STIFFNESS[i][j]),
        damping: DMatrix::zeros(3, 3),
    }
}

/// The body with some of its nodes, its frame displaced so that node 0 is at the origin.
fn model(shapes: &Shapes) -> Model {
    let v = pendulum::V_0;
    let origin = shapes.nodes[0];
    let frame = BodySpec::rigid("body", 1.0, [1.0; 3])
        .at((-origin).into())
        .moving([v[3], v[4], v[5]], [v[0], v[1], v[2]]);
    let node = |name: &str, i: usize| shapes.node(&frame, name, i, &[]).unwrap();
    let spec = ModalSpec {
        name: "body".to_string(),
        data: Arc::new(shapes.modal().unwrap()),
        nodes: vec![node("pin", 0), node("far", 4), node("side", 2)],
        coordinates: vec![0.0; 3],
        rates: v[6..].to_vec(),
    };
    Model::new("pendulum").gravity([0.0, 0.0, -9.81]).modal(frame, spec)
}

/// A law of four signals, y0 y1 + 0.4 y2^2 + y3, that is not linear.
#[derive(Debug)]
struct Curved;

impl Smooth for Curved {
    fn value(&self, _: Argument) -> f64 {
        f64::NAN
    }

    fn slope(&self, _: Argument) -> Slope {
        Slope { value: f64::NAN, x: f64::NAN, v: f64::NAN }
    }

    fn motion(&self, _: f64) -> [f64; 3] {
        [f64::NAN; 3]
    }

    fn law(&self, _: f64, y: &Readings) -> f64 {
        y[0] * y[1] + 0.4 * y[2] * y[2] + y[3]
    }

    fn law_slopes(&self, _: f64, y: &Readings) -> Readings {
        let mut slopes = [0.0; MAX_READ];
        slopes[..4].copy_from_slice(&[y[1], y[0], 0.8 * y[2], 1.0]);
        slopes
    }

    fn label(&self) -> String {
        "curved".to_string()
    }
}

/// Laws that act on nodes and read nodes: a force, a torque, and the effort of a joint between nodes.
fn laws(far: Vector3<f64>, side: Vector3<f64>) -> Vec<ForceSpec> {
    let body = |name: &str| format!("body.{name}");
    let law = || Function::Custom(Arc::new(Curved));
    let signals = vec![
        (SensorKind::Position(body("far"), far + Vector3::new(0.1, 0.2, 0.0)), 0),
        (SensorKind::Velocity(body("side"), side), 2),
        (SensorKind::AngularVelocity(body("far")), 1),
        (SensorKind::Rate(At::from("hinge")), 0),
    ];
    let point = LawTarget::Point { body: body("side"), point: side, frame: ForceFrame::Inertial };
    let torque = LawTarget::Torque { body: body("far"), frame: ForceFrame::Inertial };
    let three = || vec![law(), Function::Constant(0.7), law()];
    [
        ("at", point, three()),
        ("about", torque, three()),
        ("joint", LawTarget::Joint(At::from("slide")), vec![law()]),
    ]
    .map(|(name, target, functions)| {
        ForceSpec::new(name, Law { target, signals: signals.clone(), functions })
    })
    .into()
}

/// A symmetric list by pairs of three modes, of vectors without a pattern.
fn pairs(seed: usize, size: f64) -> Vec<Vector3<f64>> {
    let entry = |k: usize, l: usize, i: usize| noise(k.max(l) * 7 + k.min(l) * 3 + i, seed) * size;
    (0..9).map(|pair| Vector3::from_fn(|i, _| entry(pair / 3, pair % 3, i))).collect()
}

/// Geometric stiffening of any body, and its nodes.
fn with_stiffening(model: &mut Model) {
    let mut geometric = Geometric::zeros(3);
    (geometric.s2, geometric.g2) = (pairs(1, 0.7), pairs(2, 0.5));
    let (diagonal, mixed) = (pairs(3, 0.4), pairs(4, 0.3));
    geometric.i2 = diagonal
        .iter()
        .zip(&mixed)
        .map(|(d, m)| nalgebra::Matrix3::new(d.x, m.x, m.z, m.x, d.y, m.y, m.z, m.y, d.z))
        .collect();
    let mut data = (*model.modal[0].data).clone();
    data.geometric = Some(geometric);
    model.modal[0].data = Arc::new(data);
    for (i, node) in model.modal[0].nodes.iter_mut().enumerate() {
        node.second = Some(SecondOrder { shifts: pairs(10 + i, 0.6), turns: pairs(20 + i, 0.8) });
    }
}

#[test]
fn derivatives() {
    let model = everything();
    check_derivatives("modal", &model, 0.1);
    check_derivatives("modal, with elements at its joints", &at_joints(model), 0.1);
}

#[test]
fn derivatives_with_stiffening() {
    let mut model = everything();
    with_stiffening(&mut model);
    check_derivatives("stiffened", &model, 0.1);
    check_derivatives("stiffened, with elements at its joints", &at_joints(model), 0.1);
}

/// A modal body with all its forces, and joints, forces and laws at its nodes.
fn everything() -> Model {
    let mut shapes = shapes();
    shapes.damping = DMatrix::from_fn(3, 3, |i, j| if i == j { 2.0 } else { 0.3 });
    let mut data = shapes.modal().unwrap();
    data.stiffening = vec![precess_flex::Stiffening {
        axis: Vector3::new(0.6, 0.0, 0.8),
        matrix: DMatrix::from_fn(3, 3, |i, j| 1.0 + (i + j) as f64),
    }];
    data.by_modes = vec![precess_flex::ModeStiffening {
        mode: 1,
        matrix: DMatrix::from_fn(3, 3, |i, j| 40.0 - 7.0 * (i * j) as f64),
    }];
    let mut model = model(&shapes);
    model.modal[0].data = Arc::new(data);
    let at = |name: &str| model.modal[0].nodes.iter().find(|n| n.body.name == name).unwrap().body.position;
    let (far, side) = (at("body.far"), at("body.side"));
    let block =
        BodySpec::rigid("block", 1.3, [0.1, 0.12, 0.14]).at((far + Vector3::new(0.3, 0.2, 0.1)).into());
    let functions = |x: [f64; 3]| x.map(precess::mechanics::Function::Constant);
    let frame = precess::model::elements::ForceFrame::Body;
    let model = model
        .body(block)
        .joint(JointSpec::spherical("pin", ["ground", "body.pin"], [0.0; 3]))
        .joint(JointSpec::revolute("hinge", ["body.far", "block"], far.into(), [0.1, 1.0, 0.3]))
        .joint(JointSpec::prismatic("slide", ["body.side", "body.far"], side.into(), [1.0, 0.2, 0.3]))
        .force(ForceSpec::new(
            "push",
            PointForce {
                body: "body.side".to_string(),
                point: side + Vector3::new(0.1, 0.0, 0.2),
                force: functions([1.0, 2.0, 3.0]),
                frame,
            },
        ))
        .force(ForceSpec::new(
            "twist",
            Torque {
                body: "body.far".to_string(),
                torque: functions([1.0, -2.0, 3.0]),
                frame: Default::default(),
            },
        ))
        .force(ForceSpec::new(
            "bushing",
            Bushing {
                bodies: ["body.side".to_string(), "block".to_string()],
                point: side,
                frame: nalgebra::Matrix3::identity(),
                stiffness: Box::new(nalgebra::Matrix6::identity() * 7.0),
                damping: Box::new(nalgebra::Matrix6::identity() * 2.0),
            },
        ));
    laws(far, side).into_iter().fold(model, Model::force)
}

/// A gear between two joints at nodes, friction that follows their load, and controls that read one and drive
/// the other.
fn at_joints(model: Model) -> Model {
    let friction = |joint: &str| {
        let data = FrictionSpec {
            viscous: 0.4,
            coefficient: 0.3,
            radius: 0.05,
            bearing_length: 0.2,
            speed: 0.5,
            constant: 0.0,
        };
        ForceSpec::new(&format!("friction of {joint}"), Friction { at: At::from(joint), data })
    };
    let control = |name: &str, at: &str, on: &str, controller| ControlSpec {
        name: name.to_string(),
        at: At::from(at),
        on: Some(At::from(on)),
        controller,
    };
    let set_point = Function::Constant(0.3);
    let pid = Pid { set_point, proportional: 3.0, integral: 2.0, derivative: 1.5, filter: Some(0.2) };
    model
        .gear(GearSpec::new("gear", ["hinge", "slide"], 0.7))
        .force(friction("hinge"))
        .force(friction("slide"))
        .control(control("pid", "hinge", "slide", Controller::Pid(pid)))
}

/// Two modes that bend and twist nodes off a line, and a node with an inertia of its own.
const BENT: &str = r#"{ "nodes": [[0, 0, 0], [0.5, 0.1, 0], [1, 0, 0.2]], "masses": [1, 1.5, 1],
  "inertias": [[[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
               [[0.1, 0, 0.03], [0, 0.15, 0], [0.03, 0, 0.2]]],
  "modes": [[[0, 0, 0], [0, 0.3, 0.1], [0, 1, 0]], [[0, 0, 0], [0, 0.2, 0.3], [0.1, 0, 1]]],
  "rotations": [[[0, 0, 0], [0, 0, 1.1], [0.3, 0, 1.4]], [[0, 0, 0], [0.2, -1, 0], [0.5, -1.2, 0.1]]],
  "stiffness": [400, 500], "names": { "root": 0, "middle": 1, "tip": 2 } }"#;

/// Constraints, potentials, actuators and states that read nodes, with all their derivatives.
#[test]
fn expressions_read_nodes() {
    let text = r#"
        [model]
        gravity = [0.4, 0.3, -9]
        [points]
        A = [0.2, -0.4, 0.7]
        [[body]]
        name = "rod"
        type = "modal"
        modal = { file = "rod.json", damping_ratios = 0.01 }
        [[body]]
        name = "bead"
        type = "point"
        mass = 0.7
        position = [1.3, 0.4, -0.2]
        [[joint]]
        name = "pin"
        type = "revolute"
        bodies = ["ground", "rod.root"]
        axis = "z"
        [[constraint]]
        name = "ring"
        equation = "distance(rod.tip, bead)^2 - 0.2*rod.middle.z*bead.x + sin(pin)*rod.tip.y - 0.41"
        [[force]]
        name = "field"
        type = "potential"
        potential = "3*distance(bead, rod.middle)^2*cos(rod.tip.x) + angle(A, rod.middle, rod.tip)^2"
        [[force]]
        name = "pull"
        type = "actuator"
        along = "distance(rod.tip, A)"
        value = "c*rate(rod.middle.x) - 2*rod.tip.z + rate(pin)"
        [[state]]
        name = "c"
        rate = "-3*c + rate(distance(rod.tip, bead))*rod.middle.y"
        initial = 0.3
    "#;
    let loaded = in_folder(BENT, text).unwrap_or_else(|e| panic!("{e}"));
    check_derivatives("expressions of nodes", &loaded.model, 0.1);
    // The same with the stiffening of a bent rod.
    let stiff = text.replace("damping_ratios = 0.01", "damping_ratios = 0.01, stiffening = true");
    let bent =
        BENT.replace("[[0, 0, 0], [0, 0, 1.1], [0.3, 0, 1.4]]", "[[0, 0, 0], [0, -0.1, 1.1], [0.3, 0, 1.4]]");
    let loaded = in_folder(&bent, &stiff).unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.model.modal[0].nodes.iter().all(|n| n.second.is_some()));
    check_derivatives("expressions of nodes of a stiffened rod", &loaded.model, 0.1);
}

/// A node on a circle in space, by a constraint: it stays there, and the reaction is that of a rigid rod of
/// the same length.
#[test]
fn a_constraint_holds_a_node() {
    let with = |element: &str| {
        let text = format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\ntype = \"modal\"\n\
             modal = {{ file = \"rod.json\" }}\n[[joint]]\nname = \"pin\"\ntype = \"spherical\"\n\
             bodies = [\"ground\", \"rod.root\"]\n{element}[integrator]\nmethod = \
             \"gen-alpha\"\n[run]\nstep = 1e-3\nuntil = 1\n"
        );
        let mut s = Simulation::new(in_folder(BENT, &text).unwrap_or_else(|e| panic!("{e}"))).unwrap();
        s.advance_to(0.4).unwrap_or_else(|e| panic!("{e}"));
        (s.state().q.clone(), s.state().lambda.last().copied().unwrap())
    };
    let (q, force) = with(
        "[points]\nA = [1, 1, 1]\n[[constraint]]\nname = \"hold\"\nequation = \"distance(rod.tip, A) - \
         sqrt(1.64)\"\n",
    );
    let (joint, other) = with(
        "[[joint]]\nname = \"hold\"\ntype = \"rigid-distance\"\nbodies = [\"ground\", \"rod.tip\"]\n\
         point = [1, 1, 1]\npoint2 = \"rod.tip\"\n",
    );
    let difference = q.iter().zip(&joint).map(|(a, b)| (a - b).abs()).fold(0.0, precess::study::larger);
    assert!(difference < 1e-9 && force.abs() > 1e-3 && other.abs() > 1e-3, "{difference} {force} {other}");
}

/// Positions, velocities, modes and reaction at t = 1, of order 2 in both groups and in Euler parameters.
#[test]
fn pendulum_has_order_two() {
    let base = model(&shapes()).joint(JointSpec::spherical("pin", ["ground", "body.pin"], [0.0; 3]));
    for (formulation, form) in
        [("r3so3", "index3"), ("se3", "stabilized-index2"), ("euler-parameters", "index3")]
    {
        let errors = |h: f64| {
            let loaded = load_text(&format!(
                "[[body]]\nname = \"x\"\ntype = \"point\"\nmass = 1\n[integrator]\nmethod = \
                 \"gen-alpha\"\nrho = 0.8\n\
                 formulation = \"{formulation}\"\nform = \"{form}\"\n[run]\nstep = {h}\nuntil = 1\n"
            ));
            let mut loaded = loaded;
            loaded.model = base.clone();
            let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
            s.advance_to(1.0).unwrap_or_else(|e| panic!("{e}"));
            let body = s.body("body").unwrap();
            let x = (body.position - Vector3::from(pendulum::X_1)).norm();
            let q = s.state().q.clone();
            let z = &q[q.len() - 3..];
            let modes = (0..3).map(|k| (z[k] - pendulum::ZETA_1[k]).abs()).sum::<f64>();
            let v = &s.state().v[s.state().v.len() - 3..];
            let rates = (0..3).map(|k| (v[k] - pendulum::V_1[6 + k]).abs()).sum::<f64>();
            let spin = (body.angular_velocity
                - Vector3::new(pendulum::V_1[0], pendulum::V_1[1], pendulum::V_1[2]))
            .norm();
            // B^T lambda with B = d(pin)/dq is minus the force of the joint on the body.
            let lambda = s.joint("pin").unwrap().force + Vector3::from(pendulum::LAMBDA_1);
            let [w, i, j, k] = body.rotation;
            let r = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, i, j, k));
            let r =
                (r.to_rotation_matrix().matrix() - nalgebra::Matrix3::from_row_slice(&pendulum::R_1)).norm();
            [x, modes, rates, spin, lambda.norm() / 117.0, r]
        };
        let (coarse, fine) = (errors(0.01), errors(0.005));
        for (k, what) in ["position", "modes", "rates", "spin", "force", "rotation"].iter().enumerate() {
            let order = (coarse[k] / fine[k]).log2();
            assert!(
                coarse[k] < 6e-3 && (order - 2.0).abs() < 0.2,
                "{formulation} {what}: {} {order}",
                coarse[k]
            );
        }
    }
}
