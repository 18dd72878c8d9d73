//! Models in lanes, beside each model alone.

use num_traits::Zero;
use precess::formulation::Formulation;
use precess::integrate::step::places::Places;
use precess::integrate::step::{Linear, Step};
use precess::integrate::{Eta, Form, InitialValues};
use precess::mechanics::batch::{Batch, LanePlan};
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::mechanics::{Block, Dynamics, Multibody, State};
use precess::model::{BodySpec, Built, JointSpec, Model, build};
use precess_lie::{LANES, Lanes, Number};
use std::array::from_fn;

const GROUPS: [Formulation; 2] = [Formulation::R3SO3, Formulation::SE3];

/// The step, dv/dtheta and dv'/dtheta.
const H: f64 = 0.7;
const DV: f64 = 1.5;
const DA: f64 = 2.8;

/// Two bodies and a point mass: a joint to the ground, one between them, one with the ground as second body.
fn model(kind: JointKind, mass: f64) -> Model {
    let joint = |name: &str, bodies, at| JointSpec::new(name, kind, bodies, at).along([0.2, 1.0, 0.1]);
    Model::new("pair")
        .gravity([0.1, -0.2, -9.81])
        .body(BodySpec::rigid("a", mass, [0.1, 0.12, 0.14]).at([0.5, 0.1, 0.0]))
        .body(BodySpec::rigid("b", 2.0, [0.2, 0.12, 0.3]).at([1.0, 0.6, 0.2]))
        .body(BodySpec::point("p", 0.5).at([0.0, 0.5, 1.0]))
        .joint(joint("j1", ["ground", "a"], [0.0, 0.0, 0.0]))
        .joint(joint("j2", ["a", "b"], [1.0, 0.1, 0.1]))
        .joint(
            JointSpec::new("j3", JointKind::PointOnPlane, ["b", "ground"], [1.0, 1.0, 0.0])
                .along([1.0, 0.1, 0.3]),
        )
        .joint(
            JointSpec::new("j4", JointKind::PointOnLine, ["a", "p"], [0.0, 0.5, 1.0]).along([0.1, 0.2, 1.0]),
        )
}

fn kinds() -> Vec<JointKind> {
    let locks = Locks { translation: [true, false, true], rotation: [false, true, false] };
    use JointKind::*;
    vec![
        Spherical,
        Revolute,
        Prismatic,
        Universal,
        Cylindrical,
        Planar,
        PointOnPlane,
        PointOnLine,
        Generic(locks),
    ]
}

/// A place near the assembled positions, off the constraints, in motion.
fn place(built: &Built) -> (State, Vec<f64>) {
    let (n_v, m) = (built.v.len(), built.system.n_lambda());
    let noise = |k: usize| ((k * k * 37 + k * 101 + 13) % 1009) as f64 / 504.5 - 1.0;
    let theta: Vec<f64> = (0..n_v).map(|i| 0.2 * noise(i)).collect();
    let mut state = State {
        q: built.q.clone(),
        v: (0..n_v).map(|i| 2.0 * noise(i + 50)).collect(),
        vdot: (0..n_v).map(|i| 5.0 * noise(i + 90)).collect(),
        lambda: (0..m).map(|i| 3.0 * noise(i + 130)).collect(),
        ..State::default()
    };
    built.system.group().retract(&built.q, &theta, &mut state.q);
    (state, theta)
}

/// Four models with other masses: their equations, matrix and step, at the state of the first.
struct Four {
    built: Vec<Built>,
    models: Batch<Lanes>,
    linear: Places<Lanes>,
    step: Step<Lanes>,
}

fn in_lanes(kind: JointKind, group: Formulation, stabilized: bool) -> Four {
    let built: Vec<Built> =
        [1.0, 1.1, 1.2, 1.3].iter().map(|mass| build(&model(kind, *mass), group).unwrap()).collect();
    let list: [&Multibody; LANES] = from_fn(|i| Multibody::of(&*built[i].system).unwrap());
    let plan = LanePlan::new(&list, stabilized).unwrap();
    let models = Batch::new(&list, &|number| Lanes::new(from_fn(number))).unwrap();
    let (state, _) = place(&built[0]);
    let now = State {
        t: Lanes::zero(),
        q: lanes(&built[0].q),
        v: lanes(&state.v),
        vdot: lanes(&state.vdot),
        lambda: lanes(&state.lambda),
        s: Vec::new(),
        memory: Vec::new(),
    };
    let form = if stabilized { Form::StabilizedIndex2 } else { Form::Index3 };
    let derivatives = (plan.tangents(), Block::of(Dynamics::group(&models)));
    let step = Step::new(form, now, 2, &models, derivatives);
    let linear = Places::new(&plan, models.inverse.clone(), 0);
    Four { built, models, linear, step }
}

fn lanes(x: &[f64]) -> Vec<Lanes> {
    x.iter().map(|x| Lanes::of(*x)).collect()
}

/// A step whose iterate is at the place, off the constraints and in motion.
fn begin(four: &mut Four) {
    let (state, theta) = place(&four.built[0]);
    let Four { models, linear, step, .. } = four;
    step.begin(H);
    linear.direction(Eta::Mass, step, models);
    (step.dv, step.da) = (DV, DA);
    (step.theta_0, step.v_0, step.vdot_0) = (lanes(&theta), lanes(&state.v), lanes(&state.vdot));
    step.follow(Dynamics::group(models));
}

#[test]
fn the_residual_is_that_of_the_systems() {
    for (kind, group) in kinds().into_iter().flat_map(|k| GROUPS.map(|g| (k, g))) {
        let mut four = in_lanes(kind, group, true);
        begin(&mut four);
        let Four { built, models, step, .. } = &mut four;
        step.residual(models);
        let (state, _) = place(&built[0]);
        let (n_v, m) = (state.v.len(), state.lambda.len());
        for (lane, built) in built.iter().enumerate() {
            let (mut r, mut phi, mut rate) = (vec![0.0; n_v], vec![0.0; m], vec![0.0; m]);
            built.system.residual(&state.at(), &mut r);
            built.system.constraint(&state.at(), &mut phi);
            built.system.velocity_constraint(&state.at(), &mut rate);
            let r = r.iter().map(|x| H * H * x);
            let rate = rate.iter().map(|x| x / DV);
            for (i, (mine, x)) in step.psi.iter().zip(r.chain(phi).chain(rate)).enumerate() {
                let mine = mine.lane(lane);
                assert!((mine - x).abs() < 1e-13 * (1.0 + x.abs()), "{kind:?}, row {i}: {mine} and {x}");
            }
        }
    }
}

/// Central differences over theta, h^2 lambda and h eta. What has no place in the matrix is zero.
#[test]
fn the_matrix_is_the_derivative_of_the_residual() {
    for (kind, group) in kinds().into_iter().flat_map(|k| GROUPS.map(|g| (k, g))) {
        let mut four = in_lanes(kind, group, true);
        begin(&mut four);
        let Four { models, linear, step, .. } = &mut four;
        linear.assemble(step, models);
        let n = step.layout.len();
        let small = 1e-5;
        for j in 0..n {
            let [plus, minus] = [small, -small].map(|by| {
                let mut moved = step.clone();
                moved.xi.fill(Lanes::zero());
                moved.xi[j] = Lanes::of(by);
                moved.correct(1.0, Dynamics::group(models));
                moved.residual(models);
                moved.psi
            });
            for i in 0..n {
                for lane in 0..LANES {
                    let slope = (plus[i].lane(lane) - minus[i].lane(lane)) / (2.0 * small);
                    let mine = linear.entry(i, j).lane(lane);
                    assert!((slope - mine).abs() < 1e-7, "{kind:?} {group:?} ({i}, {j}): {mine} and {slope}");
                }
            }
        }
    }
}

/// Accelerations and multipliers in lanes are those of single systems, on the constraints.
#[test]
fn accelerations_are_those_of_the_systems() {
    for (kind, group) in kinds().into_iter().flat_map(|k| GROUPS.map(|g| (k, g))) {
        for stabilized in [false, true] {
            let Four { built, models, mut linear, mut step } = in_lanes(kind, group, stabilized);
            let mut states = Vec::new();
            for b in &built {
                let v: Vec<f64> = place(b).0.v;
                states.push(InitialValues::new(&b.q, &v).fixed().consistent(&*b.system).unwrap());
            }
            let of = |f: fn(&State) -> &Vec<f64>| -> Vec<Lanes> {
                (0..f(&states[0]).len()).map(|i| Lanes::new(from_fn(|lane| f(&states[lane])[i]))).collect()
            };
            (step.trial.q, step.trial.v) = (of(|s| &s.q), of(|s| &s.v));
            linear.accelerations(&mut step, &models);
            let State { vdot, lambda, .. } = &step.trial;
            for (lane, state) in states.iter().enumerate() {
                for (mine, x) in vdot.iter().chain(lambda).zip(state.vdot.iter().chain(&state.lambda)) {
                    let mine = mine.lane(lane);
                    assert!(
                        (mine - x).abs() < 1e-9 * (1.0 + x.abs()),
                        "{kind:?}, lane {lane}: {mine} and {x}"
                    );
                }
            }
        }
    }
}
