//! Joint springs, actuators, bushings, sensors, thin bodies and the start of long chains in directors: the
//! same as in R^3 x SO(3), with energy and momenta kept.

use crate::ggl_util::*;
use nalgebra::{Matrix6, UnitQuaternion, Vector3};
use precess::conserve::{Conservative, EnergyMomentum, Stepper, Theta};
use precess::formulation::Formulation;
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::joints::JointKind;
use precess::mechanics::kernels::SpringDamper;
use precess::mechanics::sensors::SensorFrame;
use precess::mechanics::{Function, State};
use precess::methods::{MethodOptions, method};
use precess::model::elements::{At, FrictionSpec, Of, SensorKind};
use precess::model::forces::{Bushing, Friction, JointSpring};
use precess::model::{BodySpec, Built, ForceSpec, JointSpec, Model, SensorSpec, build};
use precess::study::larger;

fn conservative(built: &Built) -> &Conservative {
    Conservative::of(&*built.system).unwrap()
}

fn start_of(model: &Model, formulation: Formulation) -> (Built, State) {
    let built = build(model, formulation).unwrap();
    let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    (built, state)
}

/// Two bodies on a hook under gravity; velocities are consistent with the joint, `offset` moves the second
/// body along it.
fn pair(kind: JointKind, gravity: bool) -> Model {
    let omega = Vector3::new(0.4, -0.3, 0.6);
    let hook = Vector3::new(0.0, 0.0, 0.2);
    let body = |name: &str, at: [f64; 3], turn: [f64; 3]| {
        let rotation = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
        let v = omega.cross(&(Vector3::from(at) - hook));
        BodySpec::rigid(name, 1.3, [0.05, 0.04, 0.03])
            .at(at)
            .rotated(rotation)
            .moving(v.into(), (rotation.inverse() * omega).into())
    };
    let joint = JointSpec::new("joint", kind, ["one", "two"], [0.2, 0.0, 0.1]).along([0.2, 0.1, 1.0]);
    let mut model = Model::new("pair")
        .body(body("one", [0.0; 3], [0.3, -0.2, 0.5]))
        .body(body("two", [0.5, 0.1, -0.2], [-0.2, 0.1, -0.3]))
        .joint(joint);
    if gravity {
        model = model.gravity([0.0, 0.0, -9.81]).joint(JointSpec::spherical(
            "hook",
            ["ground", "one"],
            hook.into(),
        ));
    }
    model
}

fn joint_spring(name: &str, of: Of, k: f64, c: f64, y0: f64) -> ForceSpec {
    let at = At { joint: "joint".to_string(), of };
    ForceSpec::new(name, JointSpring { at, law: SpringDamper { k, c, y0, f0: 0.3 } })
}

fn bushing(rotating: bool, damped: bool) -> ForceSpec {
    let mut k = Matrix6::from_diagonal(&[90.0, 70.0, 50.0, 2.0, 3.0, 4.0].into());
    (k[(0, 4)], k[(4, 0)]) = (1.5, 1.5);
    (k[(3, 5)], k[(5, 3)]) = (0.7, 0.7);
    if !rotating {
        k = Matrix6::from_diagonal(&[90.0, 70.0, 50.0, 0.0, 0.0, 0.0].into());
    }
    let kind = Bushing {
        bodies: ["one".to_string(), "two".to_string()],
        point: Vector3::new(0.3, 0.1, 0.0),
        frame: *UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 0.2, -0.4)).to_rotation_matrix().matrix(),
        stiffness: Box::new(k),
        damping: Box::new(if damped { k * 0.05 } else { Matrix6::zeros() }),
    };
    ForceSpec::new("bushing", kind)
}

fn actuator() -> ForceSpec {
    let wave = Function::of_time(
        "2 sin 5t",
        |t| 2.0 * (5.0 * t).sin() + 0.4,
        |t| 10.0 * (5.0 * t).cos(),
        |t| -50.0 * (5.0 * t).sin(),
    );
    ForceSpec::actuator("motor", "joint", wave)
}

fn viscous() -> ForceSpec {
    let data = FrictionSpec {
        viscous: 0.2,
        coefficient: 0.0,
        radius: 0.0,
        bearing_length: 1.0,
        speed: 1.0,
        constant: 0.0,
    };
    ForceSpec::new("oil", Friction { at: "joint".into(), data })
}

fn with(model: Model, forces: Vec<ForceSpec>) -> Model {
    forces.into_iter().fold(model, Model::force)
}

/// Accelerations of body-fixed points at the start are those of R^3 x SO(3), and a run of EM goes where
/// gen-alpha goes.
#[test]
fn the_same_forces_as_in_other_formulations() {
    let cases = [
        (JointKind::Revolute, vec![joint_spring("s", Of::Angle, 3.0, 0.4, 0.5), actuator(), viscous()]),
        (
            JointKind::Prismatic,
            vec![joint_spring("s", Of::Displacement, 60.0, 2.0, 0.1), actuator(), viscous()],
        ),
        (
            JointKind::Cylindrical,
            vec![
                joint_spring("s", Of::Angle, 3.0, 0.4, 0.5),
                joint_spring("t", Of::Displacement, 60.0, 2.0, 0.1),
                actuator(),
            ],
        ),
        (JointKind::Spherical, vec![bushing(true, true)]),
        (JointKind::Planar, vec![bushing(false, true)]),
    ];
    for (kind, forces) in cases {
        let mut model = with(pair(kind, true), forces);
        for body in ["one", "two"] {
            let p = Vector3::new(0.1, -0.2, 0.3);
            model = model.sensor(SensorSpec::new(body, SensorKind::Acceleration(body.to_string(), p)));
        }
        let (built, mut state) = start_of(&model, Formulation::Directors);
        let (lie, mut lie_state) = start_of(&model, Formulation::R3SO3);
        let read = |built: &Built, state: &State| built.system.sensors(&state.at());
        // The springs are strained first, so that they exert forces. Both runs then continue with small
        // steps.
        let h = 5e-4;
        let mut em = Stepper::new(EnergyMomentum::EM);
        em.start(&*built.system, &mut state, h).unwrap();
        let mut alpha = MethodOptions::default().generalized_alpha().unwrap();
        alpha.start(&*lie.system, &mut lie_state, h).unwrap();
        for (x, y) in read(&built, &state).iter().zip(read(&lie, &lie_state)) {
            assert!(distance(&x.1, &y.1) < 1e-9 * (1.0 + largest(&y.1)), "{kind:?} {x:?} {y:?}");
        }
        for step in 0..300 {
            let report = em.step(&*built.system, &mut state, h).unwrap();
            assert!(report.iterations <= 5, "consistent tangents: {kind:?}, step {step}, {report:?}");
            alpha.step(&*lie.system, &mut lie_state, h).unwrap();
        }
        for (x, y) in built.system.bodies(&state.at()).iter().zip(lie.system.bodies(&lie_state.at())) {
            assert!((x.position - y.position).norm() < 2e-5, "{kind:?} {x:?} {y:?}");
            assert!((x.angular_velocity - y.angular_velocity).norm() < 3e-3, "{kind:?} {x:?} {y:?}");
        }
    }
}

/// Derivatives of dampers and actuators on joint coordinates and bushings are those of their forces, at any q
/// and v, and they come in a few thousand entries: a damped bushing once had millions, and steps were 40
/// times slower than without damping.
#[test]
fn derivatives_of_forces_without_potential() {
    let spin = Function::of_time("t", |t| t, |_| 1.0, |_| 0.0);
    let cases = [
        (JointKind::Spherical, vec![bushing(true, true)]),
        (JointKind::Planar, vec![bushing(false, true)]),
        (JointKind::Cylindrical, vec![joint_spring("s", Of::Angle, 0.0, 0.4, 0.0), actuator()]),
        (JointKind::Prismatic, vec![joint_spring("s", Of::Displacement, 0.0, 2.0, 0.0)]),
        (JointKind::Revolute, vec![ForceSpec::actuator("motor", "joint", spin), viscous()]),
    ];
    for (kind, forces) in cases {
        let (built, state) = start_of(&with(pair(kind, true), forces), Formulation::Directors);
        let system = conservative(&built);
        let n = system.dim();
        let wave = |i: usize, by: f64| (by * (i as f64 + 1.0).sqrt()).sin();
        // Also off the constraints: no derivative may rely on them.
        let q: Vec<f64> = (0..n).map(|i| state.q[i] + 0.1 * wave(i, 7.0)).collect();
        let v: Vec<f64> = (0..n).map(|i| wave(i, 11.0)).collect();
        assert!(!system.loads.is_empty());
        for load in &system.loads {
            let (mut of_q, mut of_v) = (vec![0.0; n * n], vec![0.0; n * n]);
            let (mut in_q, mut in_v) = (0, 0);
            let mut add_q = |i: usize, j: usize, x: f64| {
                of_q[i * n + j] += x;
                in_q += 1;
            };
            let mut add_v = |i: usize, j: usize, x: f64| {
                of_v[i * n + j] += x;
                in_v += 1;
            };
            load.tangents(0.3, &q, &v, &mut add_q, &mut add_v);
            assert!(in_q + in_v < 10_000, "{kind:?}: {in_q} and {in_v} entries");
            let force = |q: &[f64], v: &[f64]| {
                let mut f = vec![0.0; n];
                load.add(0.3, q, v, 1.0, &mut f);
                f
            };
            let size = 1.0 + larger(largest(&of_q), largest(&of_v));
            for j in 0..n {
                let moved = |x: &[f64], e: f64| {
                    let mut x = x.to_vec();
                    x[j] += e;
                    x
                };
                let e = 1e-5;
                let by_q = [force(&moved(&q, e), &v), force(&moved(&q, -e), &v)];
                let by_v = [force(&q, &moved(&v, e)), force(&q, &moved(&v, -e))];
                for i in 0..n {
                    let slope = |f: &[Vec<f64>; 2]| (f[0][i] - f[1][i]) / (2.0 * e);
                    let off = (slope(&by_q) - of_q[i * n + j]).abs() + (slope(&by_v) - of_v[i * n + j]).abs();
                    assert!(off < 1e-8 * size, "{kind:?} {i} {j}: {off:e} of {size}");
                }
            }
        }
    }
}

/// Springs of joints and bushings keep energy and momenta at round-off and the order 2.
#[test]
fn potentials_of_joint_coordinates_conserve() {
    let cases = [
        (JointKind::Revolute, vec![joint_spring("s", Of::Angle, 3.0, 0.0, 0.5)]),
        (JointKind::Prismatic, vec![joint_spring("s", Of::Displacement, 60.0, 0.0, 0.1)]),
        (JointKind::Spherical, vec![bushing(true, false)]),
        (JointKind::Planar, vec![bushing(false, false)]),
    ];
    for (kind, forces) in cases {
        for gravity in [false, true] {
            let (built, state) = start_of(&with(pair(kind, gravity), forces.clone()), Formulation::Directors);
            let system = conservative(&built);
            assert!(system.loads.is_empty());
            let run = |h: f64, n: usize| {
                run_with(system, &mut Stepper::new(EnergyMomentum::EM), state.clone(), (h, n), |_, _| true)
            };
            let r = run(0.01, 200);
            let first = system.invariants(&state.q, &state.v);
            assert!(r.failure.is_none() && r.h <= 1e-12 * first.energy.abs().max(1.0), "{kind:?} {:e}", r.h);
            if gravity {
                assert!(r.j_increment <= 1e-13, "{kind:?} {:e}", r.j_increment);
            } else {
                assert!(r.momenta <= 1e-12, "{kind:?} {:e}", r.momenta);
            }
            let q = [80, 160, 320].map(|n| run(0.2 / n as f64, n).q);
            let order = (distance(&q[0], &q[1]) / distance(&q[1], &q[2])).log2();
            assert!((order - 2.0).abs() < 0.1, "{kind:?} {gravity}: order {order}");
            // Variational integrators accept them as well.
            let r =
                run_with(system, &mut Stepper::new(Theta::MIDPOINT), state.clone(), (0.005, 100), |_, _| {
                    true
                });
            assert!(r.failure.is_none() && r.j_increment <= 1e-13, "{kind:?} {r:?}");
        }
    }
}

/// If a torsional spring is wound by more than 172 degrees, the run ends with an error that names it. The
/// spring does not jump.
#[test]
fn a_wound_spring_ends_the_run() {
    let wheel = BodySpec::rigid("wheel", 1.0, [0.1, 0.1, 0.15]).moving([0.0; 3], [0.0, 0.0, 9.0]);
    let model = Model::new("wheel")
        .body(wheel)
        .joint(JointSpec::revolute("joint", ["ground", "wheel"], [0.0; 3], [0.0, 0.0, 1.0]))
        .force(joint_spring("spiral", Of::Angle, 0.1, 0.0, 0.0));
    let (built, mut state) = start_of(&model, Formulation::Directors);
    let mut em = Stepper::new(EnergyMomentum::EM);
    em.start(&*built.system, &mut state, 0.01).unwrap();
    let failed = (0..100).find_map(|_| em.step(&*built.system, &mut state, 0.01).err()).unwrap();
    assert!(state.t > 0.25 && state.t < 0.4, "{} {failed}", state.t);
    let troubles = built.system.troubles(&state.at());
    assert!(troubles.iter().any(|t| t.contains("spiral") && t.contains("r3so3")), "{troubles:?}");
}

/// Every kind of sensor shows in directors what it shows in R^3 x SO(3), at the start and along a run.
#[test]
fn sensors() {
    let p = Vector3::new(0.1, -0.2, 0.3);
    let name = |x: &str| x.to_string();
    let mut model =
        with(pair(JointKind::Revolute, true), vec![joint_spring("s", Of::Angle, 3.0, 0.0, 0.5)]).force(
            ForceSpec::spring("spring", ["one", "two"], [[-0.1, 0.1, 0.0], [0.6, 0.2, -0.1]], 40.0, 0.3, 0.5),
        );
    let kinds = [
        SensorKind::Position(name("two"), p),
        SensorKind::Velocity(name("two"), p),
        SensorKind::Acceleration(name("two"), p),
        SensorKind::AngularVelocity(name("one")),
        SensorKind::Coordinate("joint".into()),
        SensorKind::Rate("joint".into()),
        SensorKind::ReactionForce(name("joint"), SensorFrame::Inertial),
        SensorKind::ReactionForce(name("joint"), SensorFrame::First),
        SensorKind::ReactionTorque(name("joint"), SensorFrame::Second),
        SensorKind::SpringLength(name("spring")),
        SensorKind::SpringForce(name("spring")),
        SensorKind::KineticEnergy,
        SensorKind::PotentialEnergy,
        SensorKind::TotalEnergy,
        SensorKind::LinearMomentum,
        SensorKind::AngularMomentum,
    ];
    let n = kinds.len();
    for (i, kind) in kinds.into_iter().enumerate() {
        model = model.sensor(SensorSpec::new(&format!("sensor {i}"), kind));
    }
    let (built, mut state) = start_of(&model, Formulation::Directors);
    let (lie, lie_state) = start_of(&model, Formulation::R3SO3);
    let (found, expected) = (built.system.sensors(&state.at()), lie.system.sensors(&lie_state.at()));
    assert_eq!((found.len(), expected.len()), (n, n));
    for (x, y) in found.iter().zip(&expected) {
        assert_eq!(x.0, y.0);
        assert!(distance(&x.1, &y.1) < 1e-10 * (1.0 + largest(&y.1)), "{x:?} {y:?}");
    }
    // Along a run the position of a point and the joint angle follow from the bodies.
    let mut em = Stepper::new(EnergyMomentum::EM);
    em.start(&*built.system, &mut state, 0.01).unwrap();
    for _ in 0..50 {
        em.step(&*built.system, &mut state, 0.01).unwrap();
    }
    let two = &built.system.bodies(&state.at())[1];
    let [w, x, y, z] = two.rotation;
    let turn = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    let spec = &model.bodies[1];
    let arm = spec.rotation.inverse() * (p - spec.position);
    let sensors = built.system.sensors(&state.at());
    assert!(distance(&sensors[0].1, (two.position + turn * arm).as_slice()) < 1e-12);
}

/// A joint angle counts its turns in directors.
#[test]
fn angles_count_turns() {
    let wheel = BodySpec::rigid("wheel", 1.0, [0.1, 0.1, 0.15]).moving([0.0; 3], [0.0, 0.0, 20.0]);
    let model = Model::new("wheel")
        .body(wheel)
        .joint(JointSpec::revolute("axle", ["ground", "wheel"], [0.0; 3], [0.0, 0.0, 1.0]))
        .sensor(SensorSpec::new("angle", SensorKind::Coordinate("axle".into())));
    let (built, mut state) = start_of(&model, Formulation::Directors);
    let mut em = Stepper::new(EnergyMomentum::EM);
    em.start(&*built.system, &mut state, 0.001).unwrap();
    for _ in 0..1000 {
        em.step(&*built.system, &mut state, 0.001).unwrap();
    }
    // The midpoint rule lags behind by w^3 h^2 t/12.
    let angle = built.system.sensors(&state.at())[0].1[0];
    assert!((angle - 20.0).abs() < 1e-3 && (angle - 20.0).abs() > 1e-4, "{angle}");
}

/// Thin rods on hinges: their spin has no inertia and is held by the hinges. EM is exact, a double pendulum
/// of rods goes where generalized-alpha goes, and variational integrators refuse with the reason.
#[test]
fn thin_rods_on_hinges() {
    let rod =
        |name: &str, x: f64| BodySpec::rigid(name, 1.0, [0.0, 1.0 / 12.0, 1.0 / 12.0]).at([x, 0.0, 0.0]);
    let model = Model::new("rods")
        .gravity([0.0, 0.0, -9.81])
        .body(rod("upper", 0.5))
        .body(rod("lower", 1.5))
        .joint(JointSpec::revolute("a", ["ground", "upper"], [0.0; 3], [0.0, 1.0, 0.0]))
        .joint(JointSpec::revolute("b", ["upper", "lower"], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    let (built, mut state) = start_of(&model, Formulation::Directors);
    let system = conservative(&built);
    let r = run_with(system, &mut Stepper::new(EnergyMomentum::EM), state.clone(), (1e-3, 1000), |_, _| true);
    assert!(r.failure.is_none() && r.h < 1e-11 && r.g < 1e-12 && r.gv < 1e-10, "{r:?}");
    // The same with a thickness, extrapolated to none by generalized-alpha in absolute coordinates.
    let mut thick = model.clone();
    thick.bodies.iter_mut().for_each(|b| {
        *b = BodySpec::rigid(&b.name, 1.0, [1e-7, 1.0 / 12.0, 1.0 / 12.0]).at(b.position.into())
    });
    let (lie, mut lie_state) = start_of(&thick, Formulation::R3SO3);
    let mut alpha = MethodOptions::default().generalized_alpha().unwrap();
    alpha.start(&*lie.system, &mut lie_state, 1e-3).unwrap();
    let mut em = Stepper::new(EnergyMomentum::EM);
    em.start(&*built.system, &mut state, 1e-3).unwrap();
    for _ in 0..500 {
        alpha.step(&*lie.system, &mut lie_state, 1e-3).unwrap();
        em.step(&*built.system, &mut state, 1e-3).unwrap();
    }
    for (x, y) in built.system.bodies(&state.at()).iter().zip(lie.system.bodies(&lie_state.at())) {
        assert!((x.position - y.position).norm() < 1e-4, "{x:?} {y:?}");
    }
    let error = method("vi-s", &MethodOptions::default())
        .unwrap()
        .start(&*built.system, &mut state, 0.01)
        .unwrap_err();
    assert!(error.to_string().contains("'upper'") && error.to_string().contains("em"), "{error}");

    // If a rod can spin freely under an eccentric spring, no equation determines its spin. The start says so.
    let free = Model::new("free").body(rod("rod", 0.5)).force(ForceSpec::spring(
        "spring",
        ["ground", "rod"],
        [[0.5, 0.0, 1.0], [0.5, 0.2, 0.0]],
        10.0,
        0.0,
        0.5,
    ));
    let built = build(&free, Formulation::Directors).unwrap();
    let error = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap_err();
    assert!(error.to_string().contains("inertia"), "{error}");
}

fn chain(n: usize) -> Model {
    crate::model_util::load_model("chain", &[&format!("parameters.N={n}")]).model
}

/// The consistent start is sparse: a chain of a thousand bodies (12 000 coordinates, 9000 rows) would take
/// minutes and 3 GB with dense matrices. The sparse start is the dense one.
#[test]
fn long_chains_start_sparse() {
    let (built, state) = start_of(&chain(1000), Formulation::Directors);
    let structure = built.system.structure().unwrap();
    assert!(structure.constraints.len() <= 2001 && structure.couplings.is_empty());
    let mut r = vec![0.0; state.v.len()];
    built.system.residual(&state.at(), &mut r);
    assert!(largest(&r) < 1e-9 * largest(&state.lambda), "{:e}", largest(&r));
    let mut r = vec![0.0; state.lambda.len()];
    built.system.acceleration_constraint(&state.at(), &mut r);
    assert!(largest(&r) < 1e-9, "{:e}", largest(&r));
    // Against the same chain in R^3 x SO(3).
    let (lie, lie_state) = start_of(&chain(40), Formulation::R3SO3);
    let (built, state) = start_of(&chain(40), Formulation::Directors);
    for (x, y) in built.system.reactions(&state.at()).iter().zip(lie.system.reactions(&lie_state.at())) {
        assert!((x.force - y.force).norm() < 1e-8 * (1.0 + y.force.norm()), "{x:?} {y:?}");
    }
}
