//! Models in lanes, beside each model alone.

use num_traits::Zero;
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::mechanics::Multibody;
use precess::mechanics::State;
use precess::mechanics::batch::*;
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::model::{BodySpec, Built, JointSpec, Model, build};
use precess::solve::pattern_lu::PatternLu;
use precess_lie::{LANES, Lanes, Number};

const GROUPS: [Formulation; 2] = [Formulation::R3SO3, Formulation::SE3];

const WEIGHTS: MatrixWeights = MatrixWeights { mass: 1.7, damping: 0.9, force: 0.6 };

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

fn in_lanes(
    kind: JointKind,
    group: Formulation,
    stabilized: bool,
) -> (Vec<Built>, Batch<Lanes>, PatternLu<Lanes>) {
    let built: Vec<Built> =
        [1.0, 1.1, 1.2, 1.3].iter().map(|mass| build(&model(kind, *mass), group).unwrap()).collect();
    let models = [0, 1, 2, 3].map(|i| Multibody::of(&*built[i].system).unwrap());
    let (batch, factors) = Batch::in_lanes(models, stabilized, &mut None).unwrap();
    (built, batch, factors)
}

fn lanes(x: &[f64]) -> Vec<Lanes> {
    x.iter().map(|x| Lanes::of(*x)).collect()
}

/// The state of a batch, one lane per model.
struct Now {
    q: Vec<Lanes>,
    v: Vec<Lanes>,
    vdot: Vec<Lanes>,
    lambda: Vec<Lanes>,
}

impl Now {
    fn at(&self) -> BatchState<'_, Lanes> {
        BatchState { t: Lanes::zero(), q: &self.q, v: &self.v, vdot: &self.vdot, lambda: &self.lambda }
    }
}

#[test]
fn the_residual_is_that_of_the_systems() {
    for (kind, group) in kinds().into_iter().flat_map(|k| GROUPS.map(|g| (k, g))) {
        let (built, batch, _) = in_lanes(kind, group, true);
        let (state, _) = place(&built[0]);
        let now = Now {
            q: lanes(&state.q),
            v: lanes(&state.v),
            vdot: lanes(&state.vdot),
            lambda: lanes(&state.lambda),
        };
        let [_, n_v, m] = batch.sizes();
        let mut psi = lanes(&vec![f64::NAN; n_v + 2 * m]);
        batch.residual(&now.at(), &WEIGHTS, &mut psi);
        for (lane, built) in built.iter().enumerate() {
            let (mut r, mut phi, mut rate) = (vec![0.0; n_v], vec![0.0; m], vec![0.0; m]);
            built.system.residual(&state.at(), &mut r);
            built.system.constraint(&state.at(), &mut phi);
            built.system.velocity_constraint(&state.at(), &mut rate);
            let r = r.iter().map(|x| WEIGHTS.force * x);
            let rate = rate.iter().map(|x| WEIGHTS.force / WEIGHTS.damping * x);
            for (i, (mine, x)) in psi.iter().zip(r.chain(phi).chain(rate)).enumerate() {
                let mine = mine.lane(lane);
                assert!((mine - x).abs() < 1e-13 * (1.0 + x.abs()), "{kind:?}, row {i}: {mine} and {x}");
            }
        }
    }
}

/// Central differences over theta, lambda and eta, with v and v' that follow as in a step. What has no place
/// in the matrix is zero.
#[test]
fn the_matrix_is_the_derivative_of_the_residual() {
    for (kind, group) in kinds().into_iter().flat_map(|k| GROUPS.map(|g| (k, g))) {
        let (built, mut batch, mut factors) = in_lanes(kind, group, true);
        let (state, theta) = place(&built[0]);
        let [n_q, n_v, m] = batch.sizes();
        let n = n_v + 2 * m;
        let q_n = lanes(&built[0].q);
        let start = Now {
            q: q_n.clone(),
            v: lanes(&state.v),
            vdot: lanes(&state.vdot),
            lambda: lanes(&state.lambda),
        };
        batch.set_direction(&start.at(), true);
        // theta = x, velocities v + dv (x - theta + N eta).
        let follow = |batch: &Batch<Lanes>, x: &[f64], lambda: &[f64], eta: &[f64]| {
            let MatrixWeights { mass, damping, force } = WEIGHTS;
            let mut delta: Vec<Lanes> = x.iter().zip(&theta).map(|(x, t)| Lanes::of(x - t)).collect();
            batch.add_along(|i| Lanes::of(eta[i]), &mut delta);
            let moved = |from: &[f64], per: f64| -> Vec<Lanes> {
                from.iter().zip(&delta).map(|(x, d)| Lanes::of(*x) + *d * Lanes::of(per)).collect()
            };
            let mut q = vec![Lanes::zero(); n_q];
            batch.retract(&q_n, &lanes(x), &mut q);
            let (v, vdot) = (moved(&state.v, damping / force), moved(&state.vdot, mass / force));
            Now { q, v, vdot, lambda: lanes(lambda) }
        };
        let now = follow(&batch, &theta, &state.lambda, &vec![0.0; m]);
        batch.matrix(&now.at(), &lanes(&theta), &WEIGHTS, &mut factors.matrix);
        let step = 1e-5;
        for j in 0..n {
            let mut sides = [1.0, -1.0].map(|sign| {
                let (mut t, mut l, mut e) = (theta.clone(), state.lambda.clone(), vec![0.0; m]);
                match j {
                    j if j < n_v => t[j] += sign * step,
                    j if j < n_v + m => l[j - n_v] += sign * step / WEIGHTS.force,
                    _ => e[j - n_v - m] += sign * step,
                }
                let mut psi = vec![Lanes::zero(); n];
                batch.residual(&follow(&batch, &t, &l, &e).at(), &WEIGHTS, &mut psi);
                psi
            });
            let [plus, minus] = &mut sides;
            for i in 0..n {
                for lane in 0..LANES {
                    let slope = (plus[i].lane(lane) - minus[i].lane(lane)) / (2.0 * step);
                    let mine = factors.matrix.get(i, j).lane(lane);
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
            let (built, mut batch, mut factors) = in_lanes(kind, group, stabilized);
            let mut states = Vec::new();
            for b in &built {
                let v: Vec<f64> = place(b).0.v;
                states.push(InitialValues::new(&b.q, &v).fixed().consistent(&*b.system).unwrap());
            }
            let of = |f: fn(&State) -> &Vec<f64>| -> Vec<Lanes> {
                (0..f(&states[0]).len())
                    .map(|i| Lanes::new(std::array::from_fn(|lane| f(&states[lane])[i])))
                    .collect()
            };
            let [_, n_v, m] = batch.sizes();
            let zeros = |n: usize| vec![Lanes::zero(); n];
            let (q, v) = (of(|s| &s.q), of(|s| &s.v));
            let (mut vdot, mut lambda) = (zeros(n_v), zeros(m));
            let mut psi = zeros(n_v + m * if stabilized { 2 } else { 1 });
            batch.accelerations((Lanes::zero(), &q, &v), [&mut vdot, &mut lambda], &mut psi, &mut factors);
            for (lane, state) in states.iter().enumerate() {
                for (mine, x) in vdot.iter().chain(&lambda).zip(state.vdot.iter().chain(&state.lambda)) {
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
