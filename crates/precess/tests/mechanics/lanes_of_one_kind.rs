//! Lanes of models of one kind, beside each model alone.

use num_traits::Zero;
use precess::mechanics::batch::MatrixWeights;
use precess::mechanics::kernels::Row;
use precess::solve::pattern_lu::Entries;
use precess_lie::{LANES, Lanes, Number};

use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::mechanics::State;
use precess::mechanics::alike::*;
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::model::{BodySpec, Built, JointSpec, Model, build};

/// Two bodies and a point mass: a joint to the ground, one between them, one with the ground as second body.
pub fn model(kind: JointKind, mass: f64) -> Model {
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

pub fn kinds() -> Vec<JointKind> {
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
pub fn place(built: &Built) -> (State, Vec<f64>) {
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

const WEIGHTS: MatrixWeights = MatrixWeights { mass: 1.7, damping: 0.9, force: 0.6 };

fn at<'a>(state: &'a State, theta: &'a [f64]) -> AlikeState<'a, f64> {
    AlikeState { q: &state.q, v: &state.v, vdot: &state.vdot, lambda: &state.lambda, theta }
}

fn alone(built: &Built) -> Alike<f64> {
    Alike::new(&[built.system.as_multibody().unwrap()], &|number| number(0)).unwrap()
}

#[test]
fn the_residual_is_that_of_the_system() {
    for kind in kinds() {
        let built = build(&model(kind, 1.0), Formulation::R3SO3).unwrap();
        let (state, theta) = place(&built);
        let mut alike = alone(&built);
        let [_, n_v, m] = alike.sizes();
        let (mut psi, mut matrix) = (vec![f64::NAN; n_v + 2 * m], Entries::all(n_v + 2 * m));
        alike.evaluate::<true>(&at(&state, &theta), &WEIGHTS, &mut psi, &mut matrix);
        alike.velocity_level(&at(&state, &theta), &WEIGHTS, &mut psi);
        let with_matrix = std::mem::replace(&mut psi, vec![f64::NAN; n_v + 2 * m]);
        alike.evaluate::<false>(&at(&state, &theta), &WEIGHTS, &mut psi, &mut matrix);
        alike.velocity_level(&at(&state, &theta), &WEIGHTS, &mut psi);
        assert_eq!(psi, with_matrix);
        let (mut r, mut phi, mut rate) = (vec![0.0; n_v], vec![0.0; m], vec![0.0; m]);
        built.system.residual(&state.at(), &mut r);
        built.system.constraint(&state.at(), &mut phi);
        built.system.velocity_constraint(&state.at(), &mut rate);
        let r = r.iter().map(|x| WEIGHTS.force * x);
        let rate = rate.iter().map(|x| WEIGHTS.force / WEIGHTS.damping * x);
        for (i, (mine, x)) in psi.iter().zip(r.chain(phi).chain(rate)).enumerate() {
            assert!((mine - x).abs() < 1e-13 * (1.0 + x.abs()), "{kind:?}, row {i}: {mine} and {x}");
        }
    }
}

/// Central differences over theta, with v and v' that follow it as in a step.
#[test]
fn the_matrix_is_the_derivative_of_the_residual() {
    for kind in kinds() {
        let built = build(&model(kind, 1.0), Formulation::R3SO3).unwrap();
        let (state, theta) = place(&built);
        let mut alike = alone(&built);
        let [n_q, n_v, m] = alike.sizes();
        let n = n_v + 2 * m;
        let (mut psi, mut matrix) = (vec![0.0; n], Entries::all(n));
        let mut direction = vec![Row::zero(); m];
        alike.direction(&built.q, true, &mut direction);
        let mut evaluate =
            |theta: &[f64], lambda: &[f64], eta: &[f64], psi: &mut [f64], matrix: &mut Entries<f64>| {
                let MatrixWeights { mass, damping, force } = WEIGHTS;
                // v = v_0 + dv (theta + N eta), v' likewise.
                let mut delta = theta.to_vec();
                alike.add_along(&direction, |i| eta[i], &mut delta);
                let mut now = state.clone();
                now.lambda.copy_from_slice(lambda);
                for i in 0..n_v {
                    now.v[i] = state.v[i] + damping / force * (delta[i] - theta_at(&built, &state, i));
                    now.vdot[i] = state.vdot[i] + mass / force * (delta[i] - theta_at(&built, &state, i));
                }
                now.q = vec![0.0; n_q];
                alike.retract(&built.q, theta, &mut now.q);
                alike.evaluate::<true>(&at(&now, theta), &WEIGHTS, psi, matrix);
                alike.velocity_level(&at(&now, theta), &WEIGHTS, psi);
                alike.velocity_matrix(&at(&now, theta), &WEIGHTS, &direction, matrix);
            };
        fn theta_at(built: &Built, state: &State, i: usize) -> f64 {
            let mut theta = vec![0.0; state.v.len()];
            built.system.group().difference(&built.q, &state.q, &mut theta);
            theta[i]
        }
        let eta = vec![0.0; m];
        evaluate(&theta, &state.lambda, &eta, &mut psi, &mut matrix);
        let step = 1e-5;
        let (mut plus, mut minus, mut other) = (vec![0.0; n], vec![0.0; n], Entries::all(n));
        for j in 0..n {
            let moved = |sign: f64| {
                let (mut t, mut l, mut e) = (theta.clone(), state.lambda.clone(), eta.clone());
                match j {
                    j if j < n_v => t[j] += sign * step,
                    j if j < n_v + m => l[j - n_v] += sign * step / WEIGHTS.force,
                    _ => e[j - n_v - m] += sign * step,
                }
                (t, l, e)
            };
            let (t, l, e) = moved(1.0);
            evaluate(&t, &l, &e, &mut plus, &mut other);
            let (t, l, e) = moved(-1.0);
            evaluate(&t, &l, &e, &mut minus, &mut other);
            for i in 0..n {
                let slope = (plus[i] - minus[i]) / (2.0 * step);
                let mine = matrix.get(i, j);
                assert!((slope - mine).abs() < 1e-7, "{kind:?} ({i}, {j}): {mine} and {slope}");
            }
        }
    }
}

/// What is not in the pattern is zero, and the factors of a pattern solve the whole matrix.
#[test]
fn the_pattern_has_all_entries() {
    for kind in kinds() {
        let built: [Built; LANES] =
            [1.0, 1.1, 1.2, 1.3].map(|mass| build(&model(kind, mass), Formulation::R3SO3).unwrap());
        let models = [0, 1, 2, 3].map(|i| built[i].system.as_multibody().unwrap());
        for stabilized in [false, true] {
            let (mut alike, mut factors) = Alike::in_lanes(models, stabilized).unwrap();
            let (state, theta) = place(&built[0]);
            let of = |x: &[f64]| x.iter().map(|x| Lanes::of(*x)).collect::<Vec<_>>();
            let (q, v, vdot) = (of(&state.q), of(&state.v), of(&state.vdot));
            let (lambda, theta) = (of(&state.lambda), of(&theta));
            let at = AlikeState { q: &q, v: &v, vdot: &vdot, lambda: &lambda, theta: &theta };
            let [_, n_v, m] = alike.sizes();
            let n = n_v + m * if stabilized { 2 } else { 1 };
            let mut direction = vec![Row::zero(); m];
            alike.direction(&q, true, &mut direction);
            let (mut psi, mut whole) = (of(&vec![0.0; n]), Entries::all(n));
            alike.evaluate::<true>(&at, &WEIGHTS, &mut psi, &mut whole);
            alike.evaluate::<true>(&at, &WEIGHTS, &mut psi, &mut factors.matrix);
            if stabilized {
                alike.velocity_level(&at, &WEIGHTS, &mut psi);
                alike.velocity_matrix(&at, &WEIGHTS, &direction, &mut whole);
                alike.velocity_matrix(&at, &WEIGHTS, &direction, &mut factors.matrix);
            }
            factors.factor();
            let mut x = psi.clone();
            factors.solve(&mut x);
            for i in 0..n {
                let product = (0..n).fold(Lanes::of(0.0), |sum, j| sum + whole.get(i, j) * x[j]);
                for lane in 0..LANES {
                    let rest = product.lane(lane) - psi[i].lane(lane);
                    assert!(rest.abs() < 1e-9, "{kind:?}, row {i}, lane {lane}: {rest:e}");
                }
            }
        }
    }
}

/// Accelerations and multipliers in lanes are those of single systems, on the constraints.
#[test]
fn accelerations_are_those_of_the_system() {
    for kind in kinds() {
        let built: [Built; LANES] =
            [1.0, 1.1, 1.2, 1.3].map(|mass| build(&model(kind, mass), Formulation::R3SO3).unwrap());
        let models = [0, 1, 2, 3].map(|i| built[i].system.as_multibody().unwrap());
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
        for stabilized in [false, true] {
            let (mut alike, mut factors) = Alike::in_lanes(models, stabilized).unwrap();
            let [_, n_v, m] = alike.sizes();
            let zeros = |n: usize| vec![Lanes::zero(); n];
            let (q, v, theta) = (of(|s| &s.q), of(|s| &s.v), zeros(n_v));
            let (mut vdot, mut lambda) = (zeros(n_v), zeros(m));
            let mut psi = zeros(n_v + m * if stabilized { 2 } else { 1 });
            alike.accelerations([&q, &v, &theta], [&mut vdot, &mut lambda], &mut psi, &mut factors);
            for (lane, state) in states.iter().enumerate() {
                for (mine, x) in vdot.iter().chain(&lambda).zip(state.vdot.iter().chain(&state.lambda)) {
                    let error = (mine.lane(lane) - x).abs();
                    assert!(
                        error < 1e-9 * (1.0 + x.abs()),
                        "{kind:?}, lane {lane}: {} and {x}",
                        mine.lane(lane)
                    );
                }
            }
        }
    }
}
