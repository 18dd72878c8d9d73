//! Every force: exact derivatives, power balance, energy.

use crate::model_util::hidden::{Numbers, assert_derivatives, disturbed};
use crate::model_util::*;
use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::lie::Largest;
use precess::mechanics::At;
use precess::mechanics::kernels::SpringDamper;
use precess::mechanics::mechanism::Mechanism;
use precess::methods::MethodOptions;
use precess::model::elements::Characteristic;
use precess::model::forces::Spring;
use precess::model::{BodySpec, ForceSpec, JointSpec, Model, build};
use precess::study::Run;

const FORMULATIONS: [Formulation; 2] = [Formulation::R3SO3, Formulation::SE3];

/// Two bodies, a revolute joint to the ground, a cylindrical joint between them, and a force.
fn text(force: &str) -> String {
    format!(
        r#"
        [[body]]
        name = "a"
        mass = 1.3
        inertia = [0.2, 0.3, 0.25]
        position = [0.4, 0.1, -0.2]
        rotation = {{ axis = [1, 2, 3], angle = 0.7 }}
        markers = {{ tip = [0.3, -0.1, 0.2] }}
        [[body]]
        name = "b"
        mass = 0.7
        inertia = [[0.1, 0.01, 0], [0.01, 0.12, 0.02], [0, 0.02, 0.15]]
        position = [1.1, 0.3, 0.2]
        rotation = {{ axis = [0, 1, -1], angle = -1.1 }}
        [[body]]
        name = "slide"
        mass = 0.5
        inertia = [0.1, 0.1, 0.1]
        position = [0, 1, 0]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "a"]
        point = [0, 0, 0]
        axis = [0.2, 1, 0.1]
        [[joint]]
        name = "screw"
        type = "cylindrical"
        bodies = ["a", "b"]
        point = [0.8, 0.2, 0]
        axis = [1, 0.3, 0]
        [[joint]]
        name = "rail"
        type = "prismatic"
        bodies = ["b", "slide"]
        point = [0.1, 1, 0.1]
        axis = [0, 0.5, 1]
        coordinate = 0.2
        [[force]]
        name = "f"
        {force}
        "#
    )
}

/// (name, block, conservative with its potential, dissipative)
const FORCES: [(&str, &str, bool, bool); 21] = [
    (
        "torsion spring",
        "type = 'torsion-spring'\nbodies = ['a', 'slide']\naxis = [0.1, 0.2, 1]\nstiffness = 7\nrest = \
         0.2\npreload = 1",
        true,
        false,
    ),
    (
        "torsion damper",
        "type = 'torsion-spring'\nbodies = ['ground', 'b']\naxis = [1, 0.2, 0]\ndamping = 0.7",
        true,
        true,
    ),
    ("inertial force", "type = 'force'\nbody = 'a'\npoint = 'a.tip'\nforce = [1, 2, -3]", true, false),
    ("force of time", "type = 'force'\nbody = 'b'\nforce = ['sin(3*t)', 't^2', 1]", false, false),
    (
        "follower force",
        "type = 'force'\nbody = 'a'\npoint = 'a.tip'\nforce = [1, 2, -3]\nframe = 'body'",
        false,
        false,
    ),
    ("inertial torque", "type = 'torque'\nbody = 'a'\ntorque = [0.5, 't', -2]", false, false),
    ("body torque", "type = 'torque'\nbody = 'b'\ntorque = [0.5, 't', -2]\nframe = 'body'", false, false),
    (
        "spring",
        "type = 'spring'\nbodies = ['a', 'b']\npoint = 'a.tip'\npoint2 = [1, 1, 1]\nstiffness = \
         30\nfree_length = 0.5\npreload = 2",
        true,
        false,
    ),
    (
        "damped spring",
        "type = 'spring'\nbodies = ['ground', 'b']\npoint = [0, 0, 2]\npoint2 = [1, 0, 0]\nstiffness = \
         30\ndamping = 4\nfree_length = 0.5",
        true,
        true,
    ),
    (
        "spring without length",
        "type = 'spring'\nbodies = ['a', 'b']\npoint = [0.5, 0, 0]\npoint2 = [0.5, 0, 0]\nstiffness = \
         30\ndamping = 4\nfree_length = 0",
        true,
        true,
    ),
    (
        "spring by table",
        "type = 'spring'\nbodies = ['a', 'b']\npoint = 'a.tip'\npoint2 = [1, 1, 1]\ntable = [[0.2, -3], \
         [0.8, 0], [1.3, 1], [2.5, 9]]",
        true,
        false,
    ),
    (
        "bushing",
        "type = 'bushing'\nbodies = ['a', 'b']\npoint = [0.7, 0.1, 0]\nrotation = \
         { axis = [1, 1, 0], angle = 0.4 }\nstiffness = [10, 20, 30, 1, 2, 3]\ndamping = [1, 2, 3, 0.1, \
         0.2, 0.3]",
        true,
        true,
    ),
    (
        "cartesian bushing",
        "type = 'bushing'\nbodies = ['ground', 'b']\npoint = [0.7, 0.1, 0]\nstiffness = [10, 20, \
         30]\ndamping = 2",
        true,
        true,
    ),
    (
        "coupled bushing",
        "type = 'bushing'\nbodies = ['a', 'b']\npoint = [0.7, 0.1, 0]\nstiffness = \
         [[10,1,0,0,0,2],[1,9,0,0,0,0],[0,0,8,0,1,0],[0,0,0,2,0,0],[0,0,1,0,3,0],[2,0,0,0,0,4]]",
        true,
        false,
    ),
    (
        "torsional spring",
        "type = 'joint-spring'\njoint = 'hinge'\nstiffness = 5\ndamping = 0.4\nrest = 0.3\npreload = 0.2",
        true,
        true,
    ),
    ("spring of a rail", "type = 'joint-spring'\njoint = 'rail'\nstiffness = 5\nrest = 0.1", true, false),
    (
        "viscous friction",
        "type = 'friction'\njoint = 'screw'\nof = 'displacement'\nviscous = 0.7",
        true,
        true,
    ),
    (
        "revolute friction",
        "type = 'friction'\njoint = 'hinge'\nviscous = 0.1\ncoefficient = 0.3\nradius = \
         0.05\nbearing_length = 0.2\nspeed = 0.5",
        true,
        true,
    ),
    (
        "prismatic friction",
        "type = 'friction'\njoint = 'rail'\ncoefficient = 0.2\nbearing_length = 0.2\nspeed = 0.5",
        true,
        true,
    ),
    (
        "cylindrical friction",
        "type = 'friction'\njoint = 'screw'\ncoefficient = 0.3\nradius = 0.05\nbearing_length = 0.2\nspeed \
         = 0.5",
        true,
        true,
    ),
    (
        "drag",
        "type = 'drag'\nbody = 'b'\npoint = [1, 0, 0]\ncoefficient = 0.6\nwind = [0.3, 0, -0.2]",
        false,
        false,
    ),
];

fn actuators() -> Vec<(&'static str, &'static str)> {
    vec![
        ("actuator", "type = 'actuator'\njoint = 'hinge'\nvalue = '3*sin(t) - 2*x^2 - 0.4*v^3'"),
        ("actuator of a rail", "type = 'actuator'\njoint = 'rail'\nvalue = 'x*v + cos(t)'"),
    ]
}

#[test]
fn derivatives_are_exact() {
    let mut numbers = Numbers(1);
    let all = FORCES.iter().map(|(n, f, ..)| (*n, *f)).chain(actuators());
    for (name, force) in all {
        let loaded = load_text(&text(force));
        for formulation in FORMULATIONS {
            let s = start(&loaded, formulation);
            for _ in 0..5 {
                let state = disturbed(s.system.as_ref(), &s.state, &mut numbers, 0.15);
                assert_derivatives(&format!("{name}, {formulation:?}"), s.system.as_ref(), &state);
            }
        }
    }
}

/// g of the force alone: the residual with and without it.
fn force_alone(with: &dyn Mechanism, without: &dyn Mechanism, at: &At) -> Vec<f64> {
    let (mut a, mut b) = (vec![0.0; at.v.len()], vec![0.0; at.v.len()]);
    with.residual(at, &mut a);
    without.residual(at, &mut b);
    a.iter().zip(&b).map(|(a, b)| a - b).collect()
}

#[test]
fn power_is_the_change_of_the_potential_and_dissipation() {
    let mut numbers = Numbers(2);
    let nothing = "type = 'force'\nbody = 'a'\nforce = [0, 0, 0]";
    for (name, force, conservative, dissipative) in FORCES {
        for formulation in FORMULATIONS {
            let with = start(&load_text(&text(force)), formulation);
            let without = start(&load_text(&text(nothing)), formulation);
            for _ in 0..5 {
                let s = disturbed(with.system.as_ref(), &with.state, &mut numbers, 0.15);
                let g = force_alone(with.system.as_ref(), without.system.as_ref(), &s.at());
                let power: f64 = g.iter().zip(&s.v).map(|(g, v)| g * v).sum();
                assert!(g.iter().any(|g| g.abs() > 1e-6), "{name} does nothing");
                // Change of the potential along the motion, q o exp(tau v).
                let potential = |tau: f64| {
                    let mut q = s.q.clone();
                    let w: Vec<f64> = s.v.iter().map(|v| tau * v).collect();
                    with.system.group().retract(&s.q, &w, &mut q);
                    with.system.energy(&At { q: &q, ..s.at() }).unwrap().potential
                };
                let rate = (potential(1e-5) - potential(-1e-5)) / 2e-5;
                // The power that the force reports for its part without potential.
                let declared = with.system.power(&s.at());
                let wrong = declared.unwrap_or(0.0) + power - rate;
                assert!(wrong.abs() < 1e-7 * (1.0 + power.abs()), "{name}, {formulation:?}: off by {wrong}");
                assert_eq!(declared.is_none(), conservative && !dissipative, "{name}");
                if conservative {
                    let lost = power - rate;
                    let tolerance = 1e-7 * (1.0 + power.abs());
                    if dissipative {
                        assert!(lost > 0.0, "{name}, {formulation:?}: dissipates {lost}");
                    } else {
                        assert!(lost.abs() < tolerance, "{name}, {formulation:?}: {power} {rate}");
                    }
                } else {
                    assert!(rate.abs() < 1e-9, "{name} has a potential");
                }
            }
        }
    }
}

/// Internal forces do not change linear and angular momentum.
#[test]
fn internal_forces_balance() {
    let mut numbers = Numbers(3);
    let internal = ["spring", "spring without length", "spring by table", "bushing", "coupled bushing"];
    for (name, force, ..) in FORCES.iter().filter(|f| internal.contains(&f.0)) {
        let with = start(&load_text(&text(force)), Formulation::R3SO3);
        let without =
            start(&load_text(&text("type = 'force'\nbody = 'a'\nforce = [0, 0, 0]")), Formulation::R3SO3);
        let s = disturbed(with.system.as_ref(), &with.state, &mut numbers, 0.15);
        let g = force_alone(with.system.as_ref(), without.system.as_ref(), &s.at());
        let mut force = nalgebra::Vector3::zeros();
        let mut moment = nalgebra::Vector3::zeros();
        for (i, body) in with.system.bodies(&s.at()).iter().enumerate() {
            let part = |j: usize| nalgebra::Vector3::new(g[6 * i + j], g[6 * i + j + 1], g[6 * i + j + 2]);
            let q = body.rotation;
            let r =
                nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]));
            force += part(3);
            moment += r * part(0) + body.position.cross(&part(3));
        }
        assert!(force.largest() < 1e-12 && moment.largest() < 1e-11, "{name}: {force} {moment}");
    }
}

/// A pendulum with Coulomb friction loses energy in every step, and Newton's method converges quadratically:
/// two or three iterations per step.
#[test]
fn friction_dissipates_and_newton_is_quadratic() {
    let text = r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "rod"
        mass = 2
        inertia = [0.01, 0.2, 0.2]
        position = [0.5, 0, 0]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "rod"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[force]]
        name = "f"
        type = "friction"
        joint = "hinge"
        coefficient = 0.3
        radius = 0.1
        bearing_length = 0.2
        speed = 0.05
    "#;
    for formulation in FORMULATIONS {
        for form in [Form::StabilizedIndex2, Form::Index3] {
            let mut s = start(&load_text(text), formulation);
            let mut energy = f64::INFINITY;
            let mut most = 0;
            let summary = s.run(&options(form), 1e-3, 2.0, |system, sample| {
                let e = system.energy(&sample.state.at()).unwrap().total();
                // Index-3 oscillates within its discretisation error.
                let slack = if form == Form::Index3 { 1e-4 } else { 1e-9 };
                assert!(e < energy + slack, "step {}: {e} after {energy}", sample.step);
                energy = e;
                most = most.max(sample.report.iterations);
            });
            println!(
                "friction {formulation:?} {form:?}: E {energy:.4}, {:.2} iterations per step, at most {most}",
                summary.iterations as f64 / summary.steps as f64
            );
            assert!(energy < -0.5, "{energy}");
            assert!(summary.iterations < 3 * summary.steps && most <= 5);
        }
    }
}

/// A spring with damper written as a user's function moves two bodies like the spring of the library, and
/// with its derivatives Newton's method converges as quickly.
#[test]
fn a_force_of_ones_own_is_as_good_as_one_of_the_library() {
    let model = || {
        Model::new("pair")
            .gravity([0.0, 0.0, -9.81])
            .body(BodySpec::rigid("a", 1.0, [0.1, 0.12, 0.14]).at([0.5, 0.1, 0.0]))
            .body(BodySpec::rigid("b", 2.0, [0.2, 0.12, 0.3]).at([1.0, 0.6, 0.2]))
            .joint(JointSpec::spherical("j", ["ground", "a"], [0.0, 0.0, 0.0]))
    };
    let (bodies, points) = (["a", "b"], [[0.6, 0.2, 0.1], [0.9, 0.5, 0.0]]);
    let free = 0.3;
    let own = ForceSpec::between("own", bodies, points, move |_, x, v| {
        let (l, n) = (x.norm(), x.normalize());
        -n * (60.0 * (l - free) + 2.0 * v.dot(&n))
    });
    let law = SpringDamper { k: 60.0, c: 2.0, y0: free, f0: 0.0 };
    let kind = Spring {
        bodies: bodies.map(str::to_string),
        points: points.map(nalgebra::Vector3::from),
        characteristic: Characteristic::Linear(law),
    };
    for formulation in FORMULATIONS {
        let ends: Vec<(Vec<f64>, usize, f64)> = [own.clone(), ForceSpec::new("spring", kind.clone())]
            .into_iter()
            .map(|force| {
                let built = build(&model().force(force), formulation).unwrap();
                let system = &*built.system;
                let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
                let mut method = MethodOptions::default().generalized_alpha().unwrap();
                let run = Run::new(2e-3, 1.0).run(system, &mut method, &mut state, &mut ()).unwrap();
                // The energy of the library's spring is the work of the user's function.
                let balance = run.balance.unwrap();
                assert!(balance < 2e-3, "{formulation:?}: {balance}");
                (state.q.iter().chain(&state.lambda).copied().collect(), run.iterations, balance)
            })
            .collect();
        let [(own, more, _), (spring, iterations, _)] = &ends[..] else { panic!("two runs") };
        for (x, y) in own.iter().zip(spring) {
            assert!((x - y).abs() < 1e-7 * (1.0 + y.abs()), "{formulation:?}: {x} and {y}");
        }
        assert!(*more <= iterations + iterations / 10, "{more} and {iterations} iterations");
    }
}

/// A vane in a steady wind, on a hinge: it swings about the direction of the wind, and the force is normal to
/// it.
#[test]
fn a_plate_feels_the_pressure_of_the_flow_along_its_normal() {
    let text = r#"
        [[body]]
        name = "vane"
        mass = 0.2
        inertia = [0.01, 0.01, 0.01]
        position = [0.5, 0, 0]
        rotation = { axis = [0, 0, 1], angle = 0.4 }
        [[force]]
        name = "wind"
        type = "plate"
        body = "vane"
        point = [0.6, 0.2, 0.1]
        axis = [0, 1, 0]
        coefficient = 0.7
        wind = [3, 4, 0]
    "#;
    let s = start(&load_text(text), Formulation::R3SO3);
    // At rest the plate has w = -(3, 4, 0) relative to the air: F = -c |w| (n . w) n = 0.7 * 5 * 4 along y.
    let state = precess::mechanics::State { vdot: vec![0.0; 6], ..s.state.clone() };
    let mut r = vec![0.0; 6];
    s.system.residual(&state.at(), &mut r);
    let force = Vector3::new(-r[3], -r[4], -r[5]);
    assert!((force - Vector3::new(0.0, 14.0, 0.0)).largest() < 1e-13, "{force}");
    // About the centre of mass, in the frame of the body.
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), 0.4);
    let torque = turn.inverse() * Vector3::new(0.1, 0.2, 0.1).cross(&force);
    assert!((Vector3::new(-r[0], -r[1], -r[2]) - torque).largest() < 1e-13, "{torque}");
    // Edge on, it feels nothing.
    let edge = start(&load_text(&text.replace("wind = [3, 4, 0]", "wind = [3, 0, 4]")), Formulation::R3SO3);
    let state = precess::mechanics::State { vdot: vec![0.0; 6], ..edge.state.clone() };
    edge.system.residual(&state.at(), &mut r);
    assert!(r.iter().all(|x| *x == 0.0), "{r:?}");
    for (from, to, word) in [
        ("axis = [0, 1, 0]\n", "", "axis"),
        ("coefficient = 0.7", "", "coefficient"),
        ("coefficient = 0.7", "coefficient = -1", "negative"),
        ("coefficient = 0.7", "coefficient = \"2 m\"", "2 m"),
        ("coefficient = 0.7", "coefficient = 1\nstiffness = 3", "stiffness"),
    ] {
        let error = precess::model::load("test.toml", &text.replace(from, to), &[]).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    // Written and read again it is the same.
    let model = load_text(text).model;
    let again = precess::model::Model::from_toml(&model.to_toml().unwrap()).unwrap();
    assert_eq!(again.forces, model.forces);
}

/// The same keys and texts, and the same numbers up to rounding.
fn alike(a: &toml::Value, b: &toml::Value) -> bool {
    use toml::Value::{Array, Float, Table};
    match (a, b) {
        (Float(x), Float(y)) => x == y || (x - y).abs() < 1e-14 * (1.0 + x.abs()),
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Table(a), Table(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        _ => a == b,
    }
}

/// Every joint and force that a file can describe is the same after it was written and read again.
#[test]
fn elements_are_written_and_read_again() {
    let mut types = std::collections::BTreeSet::new();
    for (name, text) in crate::every_element::models() {
        let model = load_text(&text).model;
        // Expressions of positions are the only elements that cannot be written.
        let Ok(written) = model.to_toml() else {
            assert!(text.contains("potential") || text.contains("along"), "{name}");
            continue;
        };
        let again = precess::model::Model::from_toml(&written).unwrap_or_else(|e| panic!("{name}: {e}"));
        let [a, b] = [written, again.to_toml().unwrap()].map(|text| text.parse::<toml::Table>().unwrap());
        assert!(alike(&a.clone().into(), &b.clone().into()), "{name}\n{a}\n{b}");
        for section in ["joint", "force"] {
            let list = a.get(section).and_then(|x| x.as_array()).into_iter().flatten();
            types.extend(list.map(|x| format!("{section} {}", x["type"])));
        }
    }
    assert!(types.len() >= 20, "{types:?}");
}
