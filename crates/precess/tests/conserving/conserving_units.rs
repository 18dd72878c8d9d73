//! Conserving methods do not depend on the units of length, mass and time: the same model in other units
//! takes the same steps, to round-off.

use nalgebra::{Matrix6, UnitQuaternion, Vector3, Vector6};
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::lie::Largest;
use precess::mechanics::BodyKind;
use precess::mechanics::joints::JointKind;
use precess::mechanics::mechanism::Mechanism;
use precess::methods::{MethodOptions, method};
use precess::model::elements::ForceKind;
use precess::model::forces::Bushing;
use precess::model::{BodySpec, ForceSpec, JointSpec, Model, build};

type V = Vector3<f64>;

/// How many new units an old one has.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const SAME: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };

/// The same model in other units. Of forces it knows bushings.
fn scaled(model: &Model, u: Units) -> Model {
    let mut m = model.clone();
    let speed = u.length / u.time;
    m.gravity *= speed / u.time;
    for b in &mut m.bodies {
        b.mass *= u.mass;
        b.position *= u.length;
        b.velocity *= speed;
        b.angular_velocity /= u.time;
        if let BodyKind::Rigid { inertia } = &mut b.kind {
            *inertia *= u.mass * u.length * u.length;
        }
    }
    for j in &mut m.joints {
        j.point *= u.length;
        j.point2 *= u.length;
    }
    for f in &mut m.forces {
        if let ForceKind::Bushing(Bushing { point, stiffness, damping, .. }) = &mut f.kind {
            *point *= u.length;
            let l = u.length;
            let by = Matrix6::from_diagonal(&Vector6::new(1.0, 1.0, 1.0, l, l, l));
            **stiffness = by * **stiffness * by * (u.mass / u.time.powi(2));
            **damping = by * **damping * by * (u.mass / u.time);
        }
    }
    m
}

/// Positions, rotations, velocities, reactions after some steps, in old units, and the number of Newton
/// updates.
fn run(model: &Model, name: &str, u: Units, h: f64, steps: usize) -> (Vec<[f64; 3]>, usize) {
    let model = scaled(model, u);
    let built = build(&model, Formulation::Directors).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v)
        .consistent(system)
        .unwrap_or_else(|e| panic!("{} {name} {u:?}: {e}", model.name));
    let mut method = method(name, &MethodOptions::default()).unwrap();
    let h = h * u.time;
    method.start(system, &mut state, h).unwrap();
    let mut updates = 0;
    for k in 1..=steps {
        let report = method
            .step(system, &mut state, h)
            .unwrap_or_else(|e| panic!("{} {name} {u:?}, step {k}: {e}", model.name));
        updates += report.iterations;
    }
    (seen(system, &state.at(), u), updates)
}

fn seen(system: &dyn Mechanism, at: &precess::mechanics::At, u: Units) -> Vec<[f64; 3]> {
    let mut list = Vec::new();
    let mut add = |x: V, unit: f64| list.push((x / unit).into());
    let force = u.mass * u.length / u.time.powi(2);
    for b in system.bodies(at) {
        add(b.position, u.length);
        add(V::from_column_slice(&b.rotation[1..]), 1.0);
        add(b.velocity, u.length / u.time);
        add(b.angular_velocity, 1.0 / u.time);
    }
    for r in system.reactions(at) {
        add(r.force, force);
        add(r.torque, force * u.length);
    }
    list
}

/// Three bodies on a hinge, a ball and a slider, with an elastic bearing between the first and the last: the
/// matrix is in blocks. The masses differ by a factor of 500.
fn chain(damped: bool) -> Model {
    let turn = |x: f64, y: f64, z: f64| UnitQuaternion::from_scaled_axis(V::new(x, y, z));
    let mut k = Matrix6::from_diagonal(&Vector6::new(900.0, 700.0, 500.0, 20.0, 30.0, 40.0));
    (k[(0, 4)], k[(4, 0)]) = (15.0, 15.0);
    let bearing = Bushing {
        bodies: ["one".to_string(), "three".to_string()],
        point: V::new(0.6, 0.2, -0.1),
        frame: *turn(0.5, 0.2, -0.4).to_rotation_matrix().matrix(),
        stiffness: Box::new(k),
        damping: Box::new(if damped { k * 0.01 } else { Matrix6::zeros() }),
    };
    Model::new("chain")
        .gravity([0.3, -0.2, -9.81])
        .body(BodySpec::rigid("one", 3.0, [0.2, 0.25, 0.3]).at([0.4, 0.0, 0.0]))
        .body(
            BodySpec::rigid("two", 0.05, [2e-4, 3e-4, 4e-4]).at([0.9, 0.1, 0.1]).rotated(turn(0.3, 0.1, 0.2)),
        )
        .body(
            BodySpec::rigid("three", 25.0, [2.0, 3.0, 2.5])
                .at([1.3, 0.2, -0.2])
                .rotated(turn(-0.2, 0.4, 0.1)),
        )
        .joint(JointSpec::revolute("hinge", ["ground", "one"], [0.0; 3], [0.1, 1.0, 0.2]))
        .joint(JointSpec::spherical("ball", ["one", "two"], [0.8, 0.05, 0.05]))
        .joint(JointSpec::prismatic("slider", ["two", "three"], [1.0, 0.1, 0.0], [1.0, 0.3, 0.2]))
        .force(ForceSpec::new("bearing", bearing))
}

/// A door on two hinges, five rows of which are redundant, with a body on a ball.
fn door() -> Model {
    let axis = [0.0, 0.6, 0.8];
    let body = BodySpec::rigid("door", 20.0, [1.0, 1.2, 1.7]).at([0.5, 0.0, 0.0]);
    Model::new("door")
        .gravity([0.0, 0.0, -9.81])
        .body(body)
        .body(BodySpec::rigid("knocker", 1.0, [1e-3, 2e-3, 1.5e-3]).at([1.0, 0.2, 0.1]))
        .joint(JointSpec::revolute("upper", ["ground", "door"], [0.0; 3], axis))
        .joint(JointSpec::revolute("lower", ["ground", "door"], axis, axis))
        .joint(JointSpec::new("pin", JointKind::Spherical, ["door", "knocker"], [1.0, 0.0, 0.0]))
}

fn top() -> Model {
    let omega = V::new(0.4, -0.3, 60.0);
    let tilt = UnitQuaternion::from_scaled_axis(V::new(0.5, 0.2, 0.0));
    let centre = tilt * V::new(0.0, 0.0, 0.3);
    let body = BodySpec::rigid("top", 2.0, [0.02, 0.02, 0.03])
        .at(centre.into())
        .rotated(tilt)
        .moving((tilt * omega.cross(&V::new(0.0, 0.0, 0.3))).into(), omega.into());
    Model::new("top").gravity([0.0, 0.0, -9.81]).body(body).joint(JointSpec::spherical(
        "tip",
        ["ground", "top"],
        [0.0; 3],
    ))
}

/// Bodies of tonnes on a slider and a hinge, all at rest.
fn at_rest() -> Model {
    Model::new("at rest")
        .body(BodySpec::rigid("b0", 31872.75, [148155.65, 163556.61, 42404.88]).at([8.62, 0.0, 1.106]))
        .body(BodySpec::rigid("b1", 3001.2, [324095.3; 3]).at([-6.834, 0.0, 4.975]))
        .body(BodySpec::rigid("b2", 7645.46, [669740.2; 3]).at([-11.66, 0.0, 11.41]))
        .joint(JointSpec::prismatic("j0", ["ground", "b0"], [3.5495, 0.0, 4.339], [0.51, 0.0, 0.86]))
        .joint(JointSpec::revolute("j2", ["b1", "b2"], [-6.561, 0.0, -7.36], [0.0, 1.0, 0.0]))
}

const UNITS: [Units; 9] = [
    SAME,
    Units { length: 1e3, ..SAME },
    Units { length: 1e-3, ..SAME },
    Units { mass: 1e3, ..SAME },
    Units { mass: 1e-3, ..SAME },
    Units { time: 1e3, ..SAME },
    Units { time: 1e-3, ..SAME },
    Units { length: 1e-3, mass: 1e3, time: 1e3 },
    Units { length: 1e3, mass: 1e-3, time: 1e-3 },
];

/// Largest changes of the motion and of the reactions over all units.
fn check(model: &Model, names: &[&str], h: f64) {
    for name in names {
        let (expected, updates) = run(model, name, SAME, h, 40);
        let mut worst = [0.0f64; 2];
        for u in &UNITS[1..] {
            let (found, others) = run(model, name, *u, h, 40);
            // With other units, a residual may lie on the other side of the tolerance.
            assert!(updates.abs_diff(others) <= 1 + updates / 50, "{name} {u:?}: {updates} {others}");
            for (i, (x, y)) in expected.iter().zip(&found).enumerate() {
                let change = (V::from(*x) - V::from(*y)).largest() / (1.0 + V::from(*x).largest());
                assert!(change.is_finite(), "{} {name} {u:?}, {i}: {x:?} {y:?}", model.name);
                let of_reactions = usize::from(i >= 4 * model.bodies.len());
                worst[of_reactions] = precess::study::larger(worst[of_reactions], change);
            }
        }
        println!("{:10} {name:8} motion {:.1e}, reactions {:.1e}", model.name, worst[0], worst[1]);
        // Rounding errors of positions appear in reactions, divided by h^2.
        assert!(worst[0] < 1e-7 && worst[1] < 1e-7, "{} {name}: {worst:?}", model.name);
    }
}

const CONSERVING: [&str; 6] = ["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta"];

#[test]
fn units_do_not_matter() {
    check(&chain(false), &CONSERVING, 5e-3);
    check(&chain(true), &["em", "em-g"], 5e-3);
    check(&door(), &CONSERVING, 5e-3);
    check(&top(), &CONSERVING, 1e-3);
    check(&top(), &["bs99"], 1e-3);
}

/// Nothing moves, whatever the units and the step.
#[test]
fn bodies_at_rest_stay_there() {
    for name in CONSERVING {
        for u in UNITS {
            for h in [1e-4, 1e-2, 1.0] {
                let (first, _) = run(&at_rest(), name, u, h, 0);
                let (last, _) = run(&at_rest(), name, u, h, 3);
                // The motion: reactions of `em-g` are positions over h^2.
                for (x, y) in first.iter().zip(&last).take(12) {
                    assert!((V::from(*x) - V::from(*y)).largest() < 1e-9, "{name} {u:?} {h}: {x:?} {y:?}");
                }
            }
        }
    }
}
