//! The formulation in directors: heavy top, two bodies with every joint, loops, loads and long chains.

use crate::ggl_util::*;
use nalgebra::{UnitQuaternion, Vector3};
use precess::conserve::{Conservative, EnergyMomentum, Stepper, Theta, ViS};
use precess::formulation::Formulation;
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::mechanics::{Function, State};
use precess::methods::{MethodOptions, method};
use precess::model::elements::ForceKind;
use precess::model::forces::{Drag, PointForce, Torque};
use precess::model::{BodySpec, Built, ForceSpec, JointSpec, Model, build};
use precess::study::convergence::Study;
use precess::study::parallel::Workers;
use precess::study::{Configuration, Reference};

fn file(name: &str) -> Model {
    crate::model_util::load_model(name, &[]).model
}

fn directors(model: &Model) -> (Built, State) {
    let built = build(model, Formulation::Directors).unwrap();
    let state = InitialValues::new(&built.q, &built.v).fixed().consistent(&*built.system).unwrap();
    (built, state)
}

fn conservative(built: &Built) -> &Conservative {
    Conservative::of(&*built.system).unwrap()
}

/// The papers' heavy top is a flat disk (E_2 = 0) held off its plane.
#[test]
fn heavy_top() {
    let (built, state) = directors(&file("heavy_top"));
    let system = conservative(&built);
    assert_eq!((system.dim(), system.rows()), (12, 9));
    let x = [0.173343964098, 0.640088592071, -0.748490791134];
    let h_0 = system.invariants(&state.q, &state.v).energy;
    near(h_0, 5435.6967909, 1e-10);
    let error = |r: &Record| distance(&r.q[..3], &x);
    let em =
        run_with(system, &mut Stepper::new(EnergyMomentum::EM), state.clone(), (1e-3, 1000), |_, _| true);
    near(error(&em), 4.392e-4, 0.01);
    assert!(em.h <= 1e-12 * h_0, "{:e}", em.h / h_0);
    assert!(em.j_increment <= 1e-13 * 35.0 && em.g < 1e-13, "{:e} {:e}", em.j_increment, em.g);
    let fine =
        run_with(system, &mut Stepper::new(EnergyMomentum::EM), state.clone(), (5e-4, 2000), |_, _| true);
    near(error(&fine), 1.102e-4, 0.01);
    let gonzalez =
        run_with(system, &mut Stepper::new(EnergyMomentum::EM_G), state.clone(), (1e-3, 1000), |_, _| true);
    near(error(&gonzalez), 4.414e-4, 0.01);
    let vi_a = run_with(system, &mut Stepper::new(Theta::VI_A), state.clone(), (1e-3, 1000), |_, _| true);
    near(error(&vi_a), 1.735e-3, 0.01);
    let vi_b = run_with(system, &mut Stepper::new(Theta::VI_B), state.clone(), (1e-3, 1000), |_, _| true);
    near(error(&vi_b), 2.884e-3, 0.01);
    let vi_s = run_with(system, &mut Stepper::new(ViS), state, (1e-3, 1000), |_, _| true);
    near(error(&vi_s), 4.377e-3, 0.01);
}

fn box_body(name: &str, at: [f64; 3], turn: f64) -> BodySpec {
    BodySpec::rigid(name, 1.3, [0.05, 0.04, 0.03])
        .at(at)
        .rotated(UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.2, 0.5) * turn))
        .moving([0.3 * turn, -0.2, 0.4], [1.0, -0.5 * turn, 0.8])
}

/// Two bodies with a joint and a spring; hung from the ground under gravity or free without.
fn pair(kind: JointKind, hung: bool) -> Model {
    let mut joint = JointSpec::new("joint", kind, ["one", "two"], [0.2, 0.0, 0.1]).along([0.2, 0.1, 1.0]);
    if kind == JointKind::RigidDistance {
        joint.point2 = Vector3::new(0.4, 0.1, -0.1);
    }
    let mut model = Model::new("pair")
        .body(box_body("one", [0.0, 0.0, 0.0], 1.0))
        .body(box_body("two", [0.5, 0.1, -0.2], -0.7))
        .joint(joint)
        .force(ForceSpec::spring(
            "spring",
            ["one", "two"],
            [[-0.1, 0.1, 0.0], [0.6, 0.2, -0.1]],
            40.0,
            0.0,
            0.5,
        ));
    if hung {
        model = model.gravity([0.0, 0.0, -9.81]).joint(JointSpec::spherical(
            "hook",
            ["ground", "one"],
            [0.0, 0.0, 0.2],
        ));
    }
    model
}

const KINDS: [JointKind; 11] = [
    JointKind::Spherical,
    JointKind::Revolute,
    JointKind::Universal,
    JointKind::Cylindrical,
    JointKind::Prismatic,
    JointKind::Planar,
    JointKind::Fixed,
    JointKind::RigidDistance,
    JointKind::PointOnPlane,
    JointKind::PointOnLine,
    JointKind::Generic(Locks { translation: [true, false, true], rotation: [false, true, false] }),
];

#[test]
fn two_bodies_with_every_joint() {
    for kind in KINDS {
        for hung in [false, true] {
            let (built, state) = directors(&pair(kind, hung));
            let system = conservative(&built);
            let first = system.invariants(&state.q, &state.v);
            let run = |h: f64, n: usize| {
                let mut stepper = Stepper::new(EnergyMomentum::EM);
                run_with(system, &mut stepper, state.clone(), (h, n), |_, _| true)
            };
            let r = run(0.01, 100);
            assert!(r.failure.is_none(), "{kind:?} {:?}", r.failure);
            assert!(r.h <= 1e-12 * first.energy.abs().max(1.0), "{kind:?} energy {:e}", r.h);
            if hung {
                assert!(r.j_increment <= 1e-13, "{kind:?} {:e}", r.j_increment);
            } else {
                assert!(r.momenta <= 1e-12, "{kind:?} momenta {:e}", r.momenta);
            }
            assert!(r.g <= 1e-12 && r.gv <= 1e-11, "{kind:?} {:e} {:e}", r.g, r.gv);
            let q = [40, 80, 160].map(|n| run(0.2 / n as f64, n).q);
            let order = (distance(&q[0], &q[1]) / distance(&q[1], &q[2])).log2();
            assert!((order - 2.0).abs() < 0.1, "{kind:?} {hung}: order {order}");
        }
    }
}

/// Directors and R^3 x SO(3) are the same model: generalized-alpha with small steps goes where EM goes, and
/// the joint forces agree.
#[test]
fn the_same_motion_as_in_other_formulations() {
    for kind in [JointKind::Revolute, JointKind::Cylindrical, JointKind::RigidDistance] {
        let model = pair(kind, true);
        let (built, mut state) = directors(&model);
        let mut em = method("em", &MethodOptions::default()).unwrap();
        let h = 1e-3;
        em.start(&*built.system, &mut state, h).unwrap();
        let first = built.system.reactions(&state.at());
        for _ in 0..100 {
            em.step(&*built.system, &mut state, h).unwrap();
        }
        let bodies = built.system.bodies(&state.at());

        // The same projected initial velocities, from the directors.
        let mut other = model.clone();
        let (_, begin) = directors(&model);
        for (spec, b) in other.bodies.iter_mut().zip(built.system.bodies(&begin.at())) {
            spec.velocity = b.velocity;
            spec.angular_velocity = b.angular_velocity;
        }
        let lie = build(&other, Formulation::R3SO3).unwrap();
        let mut lie_state = InitialValues::new(&lie.q, &lie.v).consistent(&*lie.system).unwrap();
        for (x, y) in first.iter().zip(lie.system.reactions(&lie_state.at())) {
            assert!((x.force - y.force).norm() < 1e-9 * (1.0 + y.force.norm()), "{kind:?} {x:?} {y:?}");
            assert!((x.torque - y.torque).norm() < 1e-9 * (1.0 + y.torque.norm()), "{kind:?} {x:?} {y:?}");
        }
        let mut alpha = MethodOptions::default().generalized_alpha().unwrap();
        alpha.start(&*lie.system, &mut lie_state, h).unwrap();
        for _ in 0..100 {
            alpha.step(&*lie.system, &mut lie_state, h).unwrap();
        }
        for (x, y) in bodies.iter().zip(lie.system.bodies(&lie_state.at())) {
            assert!((x.position - y.position).norm() < 3e-5, "{kind:?} {x:?} {y:?}");
            assert!((x.velocity - y.velocity).norm() < 1e-3);
            assert!((x.angular_velocity - y.angular_velocity).norm() < 5e-3);
            let same: f64 = x.rotation.iter().zip(&y.rotation).map(|(a, b)| a * b).sum();
            assert!(same.abs() > 1.0 - 1e-8, "{same}");
        }
    }
}

/// Loops with redundant rows (planar four-bar and slider-crank of revolute joints) and chains from model
/// files.
#[test]
fn models_from_files() {
    for name in ["double_pendulum", "slider_crank", "gimbal_gyroscope"] {
        let mut model = file(name);
        model.forces.retain(|f| matches!(f.kind, ForceKind::Spring(_)));
        model.controls.clear();
        model.sensors.clear();
        model.joints.iter_mut().for_each(|j| j.drive = None);
        let (built, state) = directors(&model);
        let system = conservative(&built);
        let e_0 = system.invariants(&state.q, &state.v).energy.abs().max(1.0);
        let r = run_with(system, &mut Stepper::new(EnergyMomentum::EM), state, (1e-3, 500), |_, _| true);
        assert!(r.failure.is_none(), "{name} {:?}", r.failure);
        assert!(r.h <= 1e-11 * e_0 && r.g <= 1e-12, "{name} {:e} {:e}", r.h, r.g);
    }
}

/// A free disk and a free rod leave out the directors without inertia; a body with impossible inertia is
/// refused.
#[test]
fn flat_and_thin_bodies() {
    for (inertia, coordinates) in [([0.1, 0.1, 0.2], 9), ([0.1, 0.1, 0.0], 6)] {
        let free = BodySpec::rigid("free", 2.0, inertia).moving([1.0, 0.0, 0.0], [2.0, 1.0, 0.0]);
        let (built, state) = directors(&Model::new("free").body(free));
        let system = conservative(&built);
        assert_eq!(system.dim(), coordinates);
        let energy = system.invariants(&state.q, &state.v);
        near(energy.energy, 1.0 + 0.5 * (4.0 * inertia[0] + inertia[1]), 1e-12);
        let spin = built.system.bodies(&state.at())[0].angular_velocity;
        assert!((spin - Vector3::new(2.0, 1.0, 0.0)).norm() < 1e-12, "{spin}");
        let r = run_with(system, &mut Stepper::new(EnergyMomentum::EM), state, (0.01, 200), |_, _| true);
        assert!(r.h < 1e-12 && r.momenta < 1e-12, "{r:?}");
    }
    let wrong = Model::new("wrong").body(BodySpec::rigid("wrong", 1.0, [1.0, 0.1, 0.1]));
    assert!(build(&wrong, Formulation::Directors).err().unwrap().to_string().contains("'wrong'"));
    // A disk on an axle along its normal is fine: "parallel" is written with the other two axes.
    let wheel = Model::new("wheel")
        .body(BodySpec::rigid("wheel", 1.0, [0.1, 0.1, 0.2]).moving([0.0; 3], [0.0, 0.0, 5.0]))
        .joint(JointSpec::revolute("axle", ["ground", "wheel"], [0.0; 3], [0.0, 0.0, 1.0]));
    let (built, state) = directors(&wheel);
    let r =
        run_with(conservative(&built), &mut Stepper::new(EnergyMomentum::EM), state, (0.01, 100), |_, _| {
            true
        });
    assert!(conservative(&built).dim() == 9 && r.h < 1e-12, "{r:?}");
}

/// Elements that directors do not support are refused with a reason, and variational integrators refuse
/// forces without potential.
#[test]
fn refusals() {
    let refused = |model: &Model| build(model, Formulation::Directors).err().unwrap().to_string();
    assert!(refused(&file("joint_gear")).contains("gear"));
    let mut driven = pair(JointKind::Revolute, true);
    driven.joints[0].drive = Some(Function::Constant(0.0));
    let (built, mut state) = directors(&driven);
    for name in ["em", "vi-s"] {
        let error = method(name, &MethodOptions::default()).unwrap().start(&*built.system, &mut state, 0.01);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("drive of joint 'joint' depends on time"), "{error}");
    }
    let damped = Model::new("damped").body(box_body("one", [0.0; 3], 1.0)).force(ForceSpec::spring(
        "damper",
        ["ground", "one"],
        [[1.0, 0.0, 0.0], [0.1, 0.0, 0.0]],
        10.0,
        2.0,
        0.5,
    ));
    let (built, mut state) = directors(&damped);
    let error = method("vi-s", &MethodOptions::default())
        .unwrap()
        .start(&*built.system, &mut state, 0.01)
        .unwrap_err();
    assert!(error.to_string().contains("em"), "{error}");
    let lie = build(&damped, Formulation::R3SO3).unwrap();
    let mut state = InitialValues::new(&lie.q, &lie.v).consistent(&*lie.system).unwrap();
    let error =
        method("em", &MethodOptions::default()).unwrap().start(&*lie.system, &mut state, 0.01).unwrap_err();
    assert!(error.to_string().contains("directors"), "{error}");
}

/// A driven four-bar whose loop has redundant rows: the motion is that in R^3xSO(3) to round-off, as the drive
/// prescribes it, and the torque of the drive converges to the one there (order 1 of gen-alpha is that of its
/// transient).
#[test]
fn drives_turn_a_four_bar() {
    let text = crate::model_util::model_text("four_bar");
    let methods = ["gen-alpha:form=stabilized-index2", "bliedf:form=stabilized-index2"];
    let methods = methods.map(|m| Configuration::parse(m).unwrap());
    let overrides = ["integrator.formulation=directors".to_string()];
    let study = Study::load("four_bar", &text, &overrides, &methods, vec![4e-3, 2e-3, 1e-3]).unwrap();
    let study = study.window(0.0, 0.4);
    let reference = Reference::fine(study.model(), study.times(), Workers::default()).unwrap();
    let table = study.run(&reference, Workers::default());
    let torque = table.quantities.iter().position(|q| q == "drive torque").unwrap();
    for row in table.rows.iter().filter(|r| !r.orders.is_empty()) {
        let errors = row.errors.as_ref().unwrap();
        let (q, v, order) = (errors[0].unwrap(), errors[1].unwrap(), row.orders[torque].unwrap());
        assert!(q < 1e-12 && v < 1e-12 && order > 0.9, "{q:e} {v:e} {order}\n{}", table.text());
        assert!(errors[torque].unwrap() < [1e-3, 1e-5][row.method], "{}", table.text());
    }
    assert_eq!(table.rows.iter().filter(|r| !r.orders.is_empty()).count(), 4);
}

/// Power balance: what the energy loses in a step is the midpoint work of the loads, to round-off.
#[test]
fn loads_balance_power() {
    let wave = || {
        Function::of_time(
            "3 sin 5t",
            |t| 3.0 * (5.0 * t).sin(),
            |t| 15.0 * (5.0 * t).cos(),
            |t| -75.0 * (5.0 * t).sin(),
        )
    };
    let body = |frame| Torque {
        body: "two".to_string(),
        torque: [wave(), Function::Constant(0.2), Function::Constant(-0.1)],
        frame,
    };
    use precess::mechanics::forces::ForceFrame;
    let push = PointForce {
        body: "one".to_string(),
        point: Vector3::new(0.1, 0.0, 0.2),
        force: [Function::Constant(1.0), wave(), Function::Constant(0.3)],
        frame: ForceFrame::Body,
    };
    let drag = Drag {
        body: "two".to_string(),
        point: Vector3::new(0.5, 0.2, 0.0),
        coefficient: 0.4,
        wind: Vector3::new(1.0, 0.0, 0.0),
    };
    let mut model = pair(JointKind::Revolute, true)
        .force(ForceSpec::new("twist", body(ForceFrame::Inertial)))
        .force(ForceSpec::new("turn", body(ForceFrame::Body)))
        .force(ForceSpec::new("push", push))
        .force(ForceSpec::new("drag", drag));
    model = model.force(ForceSpec::spring(
        "damper",
        ["one", "two"],
        [[0.0, 0.1, 0.0], [0.4, 0.2, 0.0]],
        0.0,
        1.5,
        0.3,
    ));
    let (built, mut state) = directors(&model);
    let system = conservative(&built);
    assert_eq!(system.loads.len(), 5);
    let mut stepper = Stepper::new(EnergyMomentum::EM);
    let h = 0.01;
    stepper.start(system, &mut state, h).unwrap();
    let mut total = 0.0_f64;
    for _ in 0..100 {
        let (before, t) = (state.clone(), state.t);
        let report = stepper.step(system, &mut state, h).unwrap();
        assert!(report.iterations <= 5, "consistent tangents: {report:?}");
        let middle =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect() };
        let mut force = vec![0.0; system.dim()];
        let (q, v) = (middle(&before.q, &state.q), middle(&before.v, &state.v));
        system.loads.iter().for_each(|l| l.add(t + 0.5 * h, &q, &v, 1.0, &mut force));
        let work: f64 = force.iter().zip(state.q.iter().zip(&before.q)).map(|(f, (b, a))| f * (b - a)).sum();
        let gain =
            system.invariants(&state.q, &state.v).energy - system.invariants(&before.q, &before.v).energy;
        assert!((gain - work).abs() < 1e-12, "{gain} {work}");
        total += gain.abs();
    }
    assert!(total > 0.1, "the loads did something: {total}");
    // The same motion as with generalized-alpha in R^3 x SO(3) to its accuracy: the loads are the forces they
    // stand for.
    let (_, begin) = directors(&model);
    for (spec, b) in model.bodies.iter_mut().zip(built.system.bodies(&begin.at())) {
        spec.velocity = b.velocity;
        spec.angular_velocity = b.angular_velocity;
    }
    let lie = build(&model, Formulation::R3SO3).unwrap();
    let mut lie_state = InitialValues::new(&lie.q, &lie.v).consistent(&*lie.system).unwrap();
    let (_, mut state) = directors(&model);
    let mut alpha = MethodOptions::default().generalized_alpha().unwrap();
    alpha.start(&*lie.system, &mut lie_state, 1e-3).unwrap();
    stepper.start(system, &mut state, 1e-3).unwrap();
    for _ in 0..200 {
        alpha.step(&*lie.system, &mut lie_state, 1e-3).unwrap();
        stepper.step(system, &mut state, 1e-3).unwrap();
    }
    for (x, y) in built.system.bodies(&state.at()).iter().zip(lie.system.bodies(&lie_state.at())) {
        assert!((x.position - y.position).norm() < 1e-4, "{x:?} {y:?}");
        assert!((x.angular_velocity - y.angular_velocity).norm() < 2e-2, "{x:?} {y:?}");
    }
}

/// A hanging chain of n bodies with spherical joints.
fn chain(n: usize) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let name = format!("link{i}");
        model = model.body(BodySpec::rigid(&name, 1.0, [0.01, 0.08, 0.08]).at([i as f64 + 0.5, 0.0, 0.0]));
        let before = if i == 0 { "ground".to_string() } else { format!("link{}", i - 1) };
        model =
            model.joint(JointSpec::spherical(&format!("joint{i}"), [&before, &name], [i as f64, 0.0, 0.0]));
    }
    model
}

/// A chain of 200 bodies stores per body what one of 50 does, in blocks whose size does not depend on the
/// number of bodies, and takes as many Newton updates: the cost is linear.
#[test]
fn chains_at_linear_cost() {
    let fall = |n: usize| {
        let built = build(&chain(n), Formulation::Directors).unwrap();
        let system = conservative(&built);
        let mut state = State {
            q: built.q.clone(),
            v: built.v.clone(),
            vdot: vec![0.0; built.v.len()],
            lambda: vec![0.0; system.rows()],
            ..State::default()
        };
        let mut stepper = Stepper::new(EnergyMomentum::EM);
        stepper.start(system, &mut state, 1e-3).unwrap();
        let e_0 = system.invariants(&state.q, &state.v).energy;
        let mut updates = 0;
        for _ in 0..10 {
            updates += stepper.step(system, &mut state, 1e-3).unwrap().iterations;
        }
        let now = system.invariants(&state.q, &state.v);
        assert!((now.energy - e_0).abs() < 1e-10 && now.primary < 1e-12, "{:e} {now:?}", now.energy - e_0);
        (updates, state.q, stepper.matrix_values())
    };
    let ((few, q_50, small), (many, q_200, large)) = (fall(50), fall(200));
    assert!(large < 4 * small + small / 10, "{large} values against {small}");
    assert!(many <= few + 2, "{many} updates against {few}");
    // The two ends of a chain have not yet influenced each other, so the supported ends of both chains are
    // the same.
    assert!(distance(&q_50[..120], &q_200[..120]) < 1e-6);
    // Three bodies are solved densely below 120 unknowns: the same first links again.
    let (_, q_2, _) = fall(2);
    assert_eq!(q_2.len(), 24);
}
