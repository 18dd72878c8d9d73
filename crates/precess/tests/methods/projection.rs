//! Projections onto the constraints (VP 6, 7): optimality, correction of initial values, and what they do to
//! a run.

use crate::common::*;
use nalgebra::{DMatrix, DVector, Matrix1x2, Matrix2, Vector2, Vector3};
use precess::Error;
use precess::formulation::Formulation::{R3SO3, SE3};
use precess::integrate::{Form, InitialValues, Integrator, Start, project_position, project_velocity};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System, Tangents, Want};
use precess::methods::MethodOptions;
use precess::problems::{HeavyTop, Pendulum};
use precess::study::{ErrorRecorder, Projection, Restart, Run, When};
use proptest::prelude::*;

/// A point with different inertia in x and y on a circle whose centre moves: the nearest point is not the
/// radial one, and velocities have to follow the centre.
struct Anisotropic(Product);

const INERTIA: [f64; 2] = [1.0, 4.0];
const RADIUS: f64 = 1.5;

fn centre(t: f64) -> [Vector2<f64>; 2] {
    [Vector2::new(0.3 * t, t * t), Vector2::new(0.3, 2.0 * t)]
}

impl System for Anisotropic {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let arm = Vector2::from_column_slice(at.q) - centre(at.t)[0];
        for i in 0..2 {
            r[i] = INERTIA[i] * at.vdot[i] + arm[i] * at.lambda[0];
        }
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        let arm = Vector2::from_column_slice(q) - centre(t)[0];
        phi[0] = 0.5 * (arm.norm_squared() - RADIUS * RADIUS);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (t, q, v) = (at.t, at.q, at.v);
        let [c, dc] = centre(t);
        out[0] = (Vector2::from_column_slice(q) - c).dot(&(Vector2::from_column_slice(v) - dc));
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        let [c, dc] = centre(at.t);
        out.mass(0, 0, &Matrix2::from_diagonal(&INERTIA.into()));
        out.stiffness(0, 0, &(Matrix2::identity() * at.lambda[0]));
        out.constraint(0, 0, &Matrix1x2::new(at.q[0] - c.x, at.q[1] - c.y));
        out.curvature(0, 0, &Matrix1x2::new(at.v[0] - dc.x, at.v[1] - dc.y));
    }
    fn constraint_name(&self, _row: usize) -> String {
        "distance to the centre".to_string()
    }
}

fn systems() -> Vec<(&'static str, Box<dyn System>)> {
    let top = |formulation| {
        let mut top = HeavyTop::fast(formulation);
        top.j = Vector3::new(3.0, 5.0, 9.0);
        top.x_body = Vector3::new(0.4, -0.8, 0.6);
        top
    };
    vec![
        ("r3so3", Box::new(top(R3SO3))),
        ("se3", Box::new(top(SE3))),
        ("anisotropic", Box::new(Anisotropic(Product::new([Factor::Rn(2)])))),
        ("pendulum", Box::new(Pendulum::paper(0.2))),
    ]
}

/// A point of the manifold, moved away by `distance` in a random direction, with a random velocity.
fn displaced(system: &dyn System, x: &[f64], distance: f64) -> State {
    let group = system.group();
    let k = group.dim();
    let mut q = vec![0.0; group.repr()];
    if k == 2 {
        let (r, c) = if system.constraint_name(0).contains("pendulum") {
            (1.0, Vector2::zeros())
        } else {
            (RADIUS, centre(x[30])[0])
        };
        q[0] = c.x + r * (3.0 * x[0]).cos();
        q[1] = c.y + r * (3.0 * x[0]).sin();
    } else {
        let turn: Vec<f64> = x[..k].iter().map(|x| 3.0 * x).collect();
        group.exp(&turn, &mut q);
        let tip = precess::lie::rotation::rotate(&q, &Vector3::new(0.4, -0.8, 0.6));
        q[4..].copy_from_slice(tip.as_slice());
    }
    let away: Vec<f64> = x[10..10 + k].iter().map(|x| distance * x).collect();
    let mut moved = q.clone();
    group.retract(&q, &away, &mut moved);
    State {
        t: x[30],
        q: moved,
        v: x[20..20 + k].iter().map(|x| 4.0 * x).collect(),
        vdot: vec![0.0; k],
        lambda: vec![0.0; system.n_lambda()],
        ..State::default()
    }
}

/// M at the state.
fn mass(system: &dyn System, state: &State) -> DMatrix<f64> {
    let mut t = Tangents::of(system);
    t.evaluate(system, &state.at(), Want::MASS);
    t.s.to_dmatrix()
}

/// The part of `force` that is not a combination of the columns of `rows`^T.
fn outside_of_range(rows: &DMatrix<f64>, force: &DVector<f64>) -> f64 {
    let q = rows.transpose().qr().q();
    (force - &q * (q.transpose() * force)).norm()
}

/// Derivative of Phi(q_0 o exp(x)) in x by differences, without T and B of the library.
fn gradient(system: &dyn System, t: f64, q_0: &[f64], x: &[f64]) -> DMatrix<f64> {
    let (k, m) = (x.len(), system.n_lambda());
    let phi = |x: &[f64]| {
        let mut q = q_0.to_vec();
        let mut out = vec![0.0; m];
        system.group().retract(q_0, x, &mut q);
        system.constraint(&place(t, &q, &[]), &mut out);
        DVector::from_vec(out)
    };
    let mut columns = Vec::new();
    for j in 0..k {
        let shifted = |d: f64| {
            let mut y = x.to_vec();
            y[j] += d;
            phi(&y)
        };
        let h = 1e-3;
        let near = shifted(h) - shifted(-h);
        let far = shifted(2.0 * h) - shifted(-2.0 * h);
        columns.push((near * 8.0 - far) / (12.0 * h));
    }
    DMatrix::from_columns(&columns)
}

proptest! {
    /// Phi = 0 and M dq in the range of (D Phi)^T: the conditions for the smallest dq^T M dq.
    #[test]
    fn position_projection_is_the_nearest_point(x in proptest::collection::vec(-1.0f64..1.0, 32)) {
        for (name, system) in systems() {
            let before = displaced(&*system, &x, 0.15);
            let mut after = before.clone();
            project_position(&*system, &mut after).unwrap();
            let mut phi = vec![0.0; system.n_lambda()];
            system.constraint(&after.at(), &mut phi);
            prop_assert!(norm(&phi) < 1e-13, "{name}: {phi:?}");
            prop_assert_eq!(&after.v, &before.v);

            let mut dq = vec![0.0; before.v.len()];
            system.group().difference(&before.q, &after.q, &mut dq);
            let rows = gradient(&*system, before.t, &before.q, &dq);
            let force = mass(&*system, &before) * DVector::from_vec(dq);
            let rest = outside_of_range(&rows, &force);
            prop_assert!(rest <= 1e-11 * force.norm() + 1e-13, "{name}: {rest:.1e} of {:.1e}", force.norm());
        }
    }

    #[test]
    fn velocity_projection_is_orthogonal_in_the_mass_norm(x in proptest::collection::vec(-1.0f64..1.0, 32)) {
        for (name, system) in systems() {
            let mut before = displaced(&*system, &x, 0.15);
            project_position(&*system, &mut before).unwrap();
            let mut after = before.clone();
            project_velocity(&*system, &mut after).unwrap();
            let residual = |v: &[f64]| {
                let mut out = vec![0.0; system.n_lambda()];
                system.velocity_constraint(&place(before.t, &before.q, v), &mut out);
                out
            };
            prop_assume!(norm(&residual(&before.v)) > 1e-6);
            prop_assert!(norm(&residual(&after.v)) < 1e-13, "{name}");
            prop_assert_eq!(&after.q, &before.q);

            // M (v* - v) in the range of B^T.
            let change = after.v.iter().zip(&before.v).map(|(a, b)| a - b);
            let dv = DVector::from_iterator(before.v.len(), change);
            let zero = vec![0.0; before.v.len()];
            let rows = gradient(&*system, before.t, &before.q, &zero);
            let m = mass(&*system, &before);
            let force = &m * &dv;
            let rest = outside_of_range(&rows, &force);
            // A tiny correction is a difference of velocities near 1.
            prop_assert!(rest <= 1e-11 * force.norm() + 1e-14, "{name}: {rest:.1e}");
            // Pythagoras, where zero velocity is admissible.
            if name != "anisotropic" {
                let energy = |v: &[f64]| { let v = DVector::from_column_slice(v); v.dot(&(&m * &v)) };
                let sum = energy(&after.v) + energy(dv.as_slice());
                prop_assert!((energy(&before.v) - sum).abs() < 1e-12 * (1.0 + sum), "{name}");
            }
            // Once is enough.
            let mut again = after.clone();
            project_velocity(&*system, &mut again).unwrap();
            prop_assert!(distance(&again.v, &after.v) < 1e-13 * (1.0 + norm(&after.v)), "{name}");
        }
    }
}

/// A scan of the whole circle, refined by bisection of the derivative.
#[test]
fn position_projection_agrees_with_a_brute_force_search() {
    let system = Anisotropic(Product::new([Factor::Rn(2)]));
    for q_0 in [[2.0, 0.5], [0.4, -1.8], [-1.0, 1.6], [1.1, 0.3]] {
        let point = |phi: f64| [RADIUS * phi.cos(), RADIUS * phi.sin()];
        let cost = |phi: f64| {
            let p = point(phi);
            (0..2).map(|i| INERTIA[i] * (p[i] - q_0[i]).powi(2)).sum::<f64>()
        };
        let n = 100_000;
        let step = std::f64::consts::TAU / n as f64;
        let best = (0..n).map(|i| i as f64 * step).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap();
        let slope = |phi: f64| {
            let p = point(phi);
            -INERTIA[0] * (p[0] - q_0[0]) * p[1] + INERTIA[1] * (p[1] - q_0[1]) * p[0]
        };
        let (mut a, mut b) = (best - step, best + step);
        for _ in 0..60 {
            let c = 0.5 * (a + b);
            if slope(c) > 0.0 {
                b = c;
            } else {
                a = c;
            }
        }
        let mut state = State {
            t: 0.0,
            q: q_0.to_vec(),
            v: vec![0.0; 2],
            vdot: vec![0.0; 2],
            lambda: vec![0.0],
            ..State::default()
        };
        project_position(&system, &mut state).unwrap();
        assert_close("nearest point", &state.q, &point(a), 1e-11);
    }
}

/// Round-off of positions grows with the units: a pendulum of 10 km, and one of 10 micrometres.
#[test]
fn position_projection_converges_for_any_length() {
    for l in [1e4, 1e3, 1e-2, 1e-5] {
        let mut pendulum = Pendulum::paper(0.0);
        pendulum.l = l;
        let mut state = State {
            t: 0.0,
            q: vec![0.9 * l, -0.7 * l],
            v: vec![0.0; 2],
            vdot: vec![0.0; 2],
            lambda: vec![0.0],
            ..State::default()
        };
        project_position(&pendulum, &mut state).unwrap();
        let r = (0.9_f64 * 0.9 + 0.7 * 0.7).sqrt();
        assert_close(&format!("l {l}"), &state.q, &[0.9 / r * l, -0.7 / r * l], 1e-13);
    }
}

#[test]
fn inconsistent_initial_values_are_fixed_on_request() {
    for formulation in [R3SO3, SE3] {
        let top = HeavyTop::fast(formulation);
        let (mut q, mut v) = (top.q_0(), top.v_0());
        for (x, d) in q[4..].iter_mut().zip([0.05, -0.1, 0.02]) {
            *x += d;
        }
        v[3] += 0.5;
        let given = InitialValues::new(&q, &v);
        assert!(matches!(given.consistent(&top), Err(Error::InconsistentPosition { .. })));
        let state = given.fixed().consistent(&top).unwrap();
        let mut rows = [0.0; 3];
        top.constraint(&state.at(), &mut rows);
        assert!(norm(&rows) < 1e-13, "Phi {rows:?}");
        top.velocity_constraint(&state.at(), &mut rows);
        assert!(norm(&rows) < 1e-12, "B v {rows:?}");
        top.acceleration_constraint(&state.at(), &mut rows);
        assert!(norm(&rows) < 1e-9, "acceleration {rows:?}");
        let mut r = [0.0; 6];
        top.residual(&state.at(), &mut r);
        assert!(norm(&r) < 1e-10 * norm(&state.lambda), "{r:?}");
        // Consistent values do not change.
        let (q, v) = (top.q_0(), top.v_0());
        let state = InitialValues::new(&q, &v).fixed().consistent(&top).unwrap();
        assert_close("q", &state.q, &q, 1e-15);
        assert_close("v", &state.v, &v, 1e-14);
    }
}

#[test]
fn projection_that_is_not_possible_is_an_error() {
    // The middle of the circle: B = 0.
    let system = Anisotropic(Product::new([Factor::Rn(2)]));
    let e = InitialValues::new(&[0.0, 0.0], &[0.0, 0.0]).fixed().consistent(&system).unwrap_err();
    assert!(
        matches!(&e, Error::RankDeficient { rank: 0, rows: 1, dependent, .. } if dependent.contains("distance")),
        "{e:?}"
    );
}

fn projected(restart: Restart) -> Bench {
    let mut bench = Bench::new(R3SO3);
    bench.windows = vec![(0.0, 0.7), (0.7, 1.0)];
    bench.projection =
        Projection { position: When::Never, velocity: When::At(vec![0.7]), restart, ..Projection::default() };
    bench
}

/// VP: a velocity projection at t = 0.7 costs the multipliers an order, as an inconsistent start would.
#[test]
fn velocity_projection_disturbs_the_multipliers() {
    let bench = projected(Restart::Keep);
    let options = options(Form::Index3, TABLE_2);
    let mut after = Vec::new();
    for (h, before_expected, after_expected, bv) in [
        (1e-3, 9.284e-3, 3.043e-1, 3.279e-2),
        (5e-4, 2.315e-3, 1.432e-1, 8.204e-3),
        (2.5e-4, 5.782e-4, 6.753e-2, 2.051e-3),
    ] {
        let run = bench.run(&options, h);
        assert_level("before", run.errors[0].lambda, before_expected);
        assert_level("after", run.errors[1].lambda, after_expected);
        assert_level("B v after", run.errors[1].bv, bv);
        assert!(run.errors[1].lambda / run.errors[0].lambda > 15.0);
        after.push(run.errors[1].lambda);
    }
    assert_order("lambda after the projection", &after, 0.9..=1.3);
}

/// A restart after a projection must not undo it: velocities stay projected. So the order of the
/// multipliers stays reduced in index-3 form, as the paper says; the stabilized form has no residual to
/// lose.
#[test]
fn restart_after_a_projection_keeps_the_velocities_projected() {
    let mut bench = projected(Restart::Start);
    let mut state = top_state(&bench.top);
    let run = Run::new(1e-3, 0.7).with_projection(bench.projection.clone());
    let bv = |state: &State| {
        let mut rows = [0.0; 3];
        bench.top.velocity_constraint(&state.at(), &mut rows);
        norm(&rows)
    };
    for mut method in [
        Box::new(options(Form::Index3, TABLE_2).generalized_alpha().unwrap()) as Box<dyn Integrator>,
        Box::new(MethodOptions { k: 3, ..options(Form::Index3, TABLE_2) }.bliedf().unwrap()),
    ] {
        let (mut unprojected, mut projected) = (state.clone(), state.clone());
        Run::new(1e-3, 0.7).steps_only(&bench.top, method.as_mut(), &mut unprojected).unwrap();
        run.steps_only(&bench.top, method.as_mut(), &mut projected).unwrap();
        assert!(
            bv(&unprojected) > 1e-5 && bv(&projected) < 1e-12,
            "{:e} {:e}",
            bv(&unprojected),
            bv(&projected)
        );
    }
    state.t = 0.0;
    let lambda = |bench: &Bench, form| {
        [1e-3, 5e-4, 2.5e-4].map(|h| bench.run(&options(form, TABLE_2), h).errors[1].lambda)
    };
    assert_order("index-3", &lambda(&bench, Form::Index3), 0.9..=1.3);
    bench.windows = vec![(0.0, 0.7), (0.7, 1.0)];
    assert_order_2("stabilized index-2", &lambda(&bench, Form::StabilizedIndex2));
}

/// At a jump of the forces a method starts again with the velocities of its first start. The perturbation
/// of Table 2 and the shift (56) depend on the motion alone, so they must not be added twice.
#[test]
fn starting_values_are_not_perturbed_twice() {
    let bench = Bench::new(R3SO3);
    for (mut method, order) in [
        (Box::new(options(Form::Index3, TABLE_2).generalized_alpha().unwrap()) as Box<dyn Integrator>, 2.0),
        (Box::new(MethodOptions { k: 3, ..options(Form::Index3, TABLE_2) }.bliedf().unwrap()), 3.0),
    ] {
        let mut once = top_state(&bench.top);
        method.start(&bench.top, &mut once, 1e-3).unwrap();
        let mut twice = once.clone();
        method.start(&bench.top, &mut twice, 1e-3).unwrap();
        let mut rows = [0.0; 3];
        bench.top.velocity_constraint(&once.at(), &mut rows);
        let moved = distance(&once.v, &twice.v);
        assert!(
            norm(&rows) > 1e-4 && moved < 0.02 * norm(&rows),
            "{}: {moved:e} of {:e}",
            method.name(),
            norm(&rows)
        );
        // Three pieces, as breakpoints make them.
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| {
            let mut state = top_state(&bench.top);
            let mut errors = ErrorRecorder::new(&bench.reference, &[(0.0, 1.0)]);
            for end in [0.3, 0.6, 1.0] {
                Run::new(h, end).run(&bench.top, method.as_mut(), &mut state, &mut errors).unwrap();
            }
            errors.errors[0].lambda
        });
        assert_order(method.name(), &errors, order - 0.15..=order + 0.35);
    }
}

/// Reduced-index forms with projections in every step stay on the manifold and keep their order.
#[test]
fn projections_in_every_step_remove_the_drift() {
    for (form, velocity) in [(Form::Index2, When::Never), (Form::Index1, When::EveryStep)] {
        let mut bench = Bench::new(R3SO3);
        bench.projection = Projection { position: When::EveryStep, velocity, ..Projection::default() };
        let runs = [1e-3, 5e-4, 2.5e-4].map(|h| bench.run(&options(form, Start::Classical), h));
        for run in &runs {
            assert!(run.errors[0].phi < 1e-12, "Phi {}", run.errors[0].phi);
            if form == Form::Index1 {
                assert!(run.errors[0].bv < 1e-11, "B v {}", run.errors[0].bv);
            }
        }
        let q: Vec<f64> = runs.iter().map(|r| r.errors[0].q).collect();
        let v: Vec<f64> = runs.iter().map(|r| r.errors[0].v).collect();
        // Not less than 2; the projection happens to remove a part of the leading error.
        assert_order("q", &q, 1.9..=3.0);
        assert_order("v", &v, 1.9..=3.0);
    }
}
