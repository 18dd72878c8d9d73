//! The generalisations of LA, Remark 2.3, second part: algebraic variables, singular mass matrices, and
//! the consistent initial values of all of them.

use crate::common::exact::*;
use crate::common::*;
use nalgebra::{Matrix1, Matrix1x2, Matrix2, Vector3};
use precess::Error;
use precess::formulation::Formulation::{R3SO3, SE3};
use precess::integrate::adaptive::{VariableAlpha, VariableBliedf};
use precess::integrate::saddle::Elimination;
use precess::integrate::{Accelerations, Adaptive, Eta, Horizon, InitialValues, Start, Tolerance};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System, Tangents};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::study::larger;
use precess::study::{Run, Sample};

/// (c) A pendulum pulled back by a spring whose elongation s_1 + s_1^3 = 4 x is an algebraic variable; s_2
/// with s_2 + sin(s_2)/2 + s_1^2 = y depends on it and has no influence on the motion.
struct InnerSpring(Product);

const K: f64 = 6.0;

impl System for InnerSpring {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn n_s(&self) -> usize {
        2
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] + at.q[0] * at.lambda[0] + K * at.s[0];
        r[1] = at.vdot[1] + at.q[1] * at.lambda[0] + G;
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        out[0] = q[0] * v[0] + q[1] * v[1];
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v, a) = (at.q, at.v, at.vdot);
        out[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
    }
    fn algebraic(&self, at: &At, out: &mut [f64]) {
        let (q, s) = (at.q, at.s);
        out[0] = s[0] + s[0].powi(3) - 4.0 * q[0];
        out[1] = s[1] + 0.5 * s[1].sin() + s[0] * s[0] - q[1];
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        let (q, v, s) = (at.q, at.v, at.s);
        out.mass_diagonal(0, 2, 1.0);
        out.stiffness(0, 0, &(Matrix2::identity() * at.lambda[0]));
        out.constraint(0, 0, &Matrix1x2::new(q[0], q[1]));
        out.curvature(0, 0, &Matrix1x2::new(v[0], v[1]));
        out.force_of_s(0, 0, &Matrix1::new(K));
        out.algebraic_of_q(0, 0, &Matrix2::new(-4.0, 0.0, 0.0, -1.0));
        out.algebraic_of_s(0, 0, &Matrix1::new(1.0 + 3.0 * s[0] * s[0]));
        out.algebraic_of_s(1, 0, &Matrix1x2::new(2.0 * s[0], 1.0 + 0.5 * s[1].cos()));
    }
}

/// The root of an increasing function by bisection: nothing is shared with the Newton iterations under test.
pub fn root(f: impl Fn(f64) -> f64, size: f64) -> f64 {
    let (mut a, mut b) = (-size, size);
    for _ in 0..200 {
        let c = 0.5 * (a + b);
        if f(c) > 0.0 {
            b = c;
        } else {
            a = c;
        }
    }
    0.5 * (a + b)
}

fn inner(x: f64, y: f64) -> [f64; 2] {
    let s = root(|s| s + s.powi(3) - 4.0 * x, 5.0);
    [s, root(|z| z + 0.5 * z.sin() + s * s - y, 20.0)]
}

#[test]
fn algebraic_variables_have_order_2_and_are_solved_in_every_step() {
    let system = InnerSpring(Product::new([Factor::Rn(2)]));
    let f = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        [y[1], -G * sin - K * inner(sin, -cos)[0] * cos]
    };
    let lift = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        let s = inner(sin, -cos);
        let lambda = y[1] * y[1] + G * cos - K * s[0] * sin;
        [vec![sin, -cos], vec![cos * y[1], sin * y[1]], vec![lambda], s.to_vec()]
    };
    let y_0 = [0.5, 2.0];
    let [q, v, lambda, s] = lift(0.0, &y_0);
    let exact = sample(f, y_0, 1.0, lift);
    let initial = InitialValues::new(&q, &v);
    let state = initial.consistent(&system).unwrap();
    assert_close("s_0", &state.s, &s, 1e-13);
    assert_close("lambda_0", &state.lambda, &lambda, 1e-13);
    // A first guess is used, also a bad one.
    let guess = InitialValues { s: &[-3.0, 4.0], ..initial };
    assert_close("s_0", &guess.consistent(&system).unwrap().s, &s, 1e-13);

    for form in FORMS {
        let options = options(form, start(form));
        let fine = assert_all_order_2("inner spring", &system, initial, &options, &exact, 400.0);
        let bare = Hidden(&system, Hide::AllDerivatives);
        let (e, _) = errors(&bare, initial, &options, 1.0 / 1600.0, &exact);
        assert_same_errors(&format!("{form:?}"), &e, &fine);
        // Large steps: h_s = 0 must hold in every step although theta has long converged.
        for h in [0.05, 0.01, 1e-3] {
            let mut method = options.generalized_alpha().unwrap();
            let mut state = initial.consistent(&system).unwrap();
            let mut worst = [0.0_f64; 2];
            let mut see = |x: &Sample| {
                let mut out = [0.0; 2];
                system.algebraic(&x.state.at(), &mut out);
                worst = [larger(worst[0], out[0].abs()), larger(worst[1], out[1].abs())];
            };
            Run::new(h, 1.0).run(&system, &mut method, &mut state, &mut see).unwrap();
            assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{form:?}, h {h}: h_s = {worst:?}");
        }
    }
}

/// With a tolerance all of them follow it, also s_2, which no force depends on.
#[test]
fn algebraic_variables_follow_a_tolerance() {
    let system = InnerSpring(Product::new([Factor::Rn(2)]));
    let f = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        [y[1], -G * sin - K * inner(sin, -cos)[0] * cos]
    };
    let lift = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        [vec![sin, -cos], vec![cos * y[1], sin * y[1]], vec![], inner(sin, -cos).to_vec()]
    };
    let y_0 = [0.5, 2.0];
    let [q, v, ..] = lift(0.0, &y_0);
    let exact = sample(f, y_0, 1.0, lift);
    for tol in [1e-4, 1e-6, 1e-8] {
        let tolerance = Tolerance::new(tol);
        let methods: [Box<dyn Adaptive>; 2] =
            [Box::new(VariableBliedf::new(tolerance)), Box::new(VariableAlpha::new(0.8, tolerance).unwrap())];
        for mut method in methods {
            // Of order 2, for which the error is not quite proportional to the tolerance.
            if method.name() == "gen-alpha" && tol < 1e-6 {
                continue;
            }
            let mut state = InitialValues::new(&q, &v).consistent(&system).unwrap();
            method.start(&system, &mut state, 1.0).unwrap();
            for (stop, [q, v, _, s]) in &exact {
                while state.t < *stop {
                    method.advance(&system, &mut state, Horizon::until(*stop)).unwrap();
                    let mut h_s = [0.0; 2];
                    system.algebraic(&state.at(), &mut h_s);
                    assert!(norm(&h_s) < tol, "{} at {}, tol {tol:.0e}: h_s {h_s:?}", method.name(), state.t);
                }
                for (what, found, exact) in [("q", &state.q, q), ("v", &state.v, v), ("s", &state.s, s)] {
                    let (error, size) = (distance(found, exact), 1.0 + norm(exact));
                    let name = method.name();
                    assert!(
                        error < 200.0 * tol * size,
                        "{name}, tol {tol:.0e}, {what} at {stop}: {error:.1e}"
                    );
                }
            }
        }
    }
}

#[test]
fn iteration_matrix_contains_the_algebraic_variables() {
    let system = InnerSpring(Product::new([Factor::Rn(2)]));
    let state = State {
        t: 0.0,
        q: vec![0.7, -0.9],
        v: vec![1.5, -0.4],
        vdot: vec![2.0, 1.0],
        lambda: vec![3.0],
        s: vec![0.8, -0.3],
        ..State::default()
    };
    for form in FORMS {
        let o = options(form, Start::Classical);
        let offset = [0.1, -0.05, 0.2, 0.15, -0.1, 0.05];
        let direction = [0.3, 0.5, -0.7, 0.9, 0.4, -0.6];
        let e = iteration_matrix_error(&system, &o, &state, 0.1, &offset, &direction);
        assert!(e < 1e-7, "{form:?}: {e:.1e}");
    }
}

/// (e) A pendulum A with a massless point P at the middle of its rod, on which a spring to the ground acts:
/// P - A/2 = 0, so that M = diag(m, m, 0, 0) is positive definite on ker B only.
struct MasslessPoint(Product);

const SPRING: f64 = 20.0;
const GROUND: [f64; 2] = [0.5, -0.2];
const MASS: f64 = 1.5;

impl System for MasslessPoint {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        3
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let (q, l) = (at.q, at.lambda);
        for i in 0..2 {
            r[i] = MASS * at.vdot[i] + q[i] * l[0] - 0.5 * l[1 + i];
            r[2 + i] = SPRING * (q[2 + i] - GROUND[i]) + l[1 + i];
        }
        r[1] += MASS * G;
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
        phi[1] = q[2] - 0.5 * q[0];
        phi[2] = q[3] - 0.5 * q[1];
    }
    fn velocity_name(&self, index: usize) -> String {
        ["A in x", "A in y", "P in x", "P in y"][index].to_string()
    }
}

#[test]
fn singular_mass_matrix_positive_definite_on_the_kernel() {
    let system = MasslessPoint(Product::new([Factor::Rn(2), Factor::Rn(2)]));
    let force = |phi: f64| {
        let (sin, cos) = phi.sin_cos();
        [0, 1].map(|i| -SPRING * ([0.5 * sin, -0.5 * cos][i] - GROUND[i]))
    };
    let f = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        let [f_x, f_y] = force(y[0]);
        // Virtual power of the spring force at P, which moves half as much as A.
        let torque = -MASS * G * sin + 0.5 * (f_x * cos + f_y * sin);
        [y[1], torque / MASS]
    };
    let lift = |_: f64, y: &[f64; 2]| {
        let (sin, cos) = y[0].sin_cos();
        let [f_x, f_y] = force(y[0]);
        let radial = 0.5 * (f_x * sin - f_y * cos);
        [
            vec![sin, -cos, 0.5 * sin, -0.5 * cos],
            [cos, sin, 0.5 * cos, 0.5 * sin].map(|x| x * y[1]).to_vec(),
            vec![MASS * (y[1] * y[1] + G * cos) + radial, f_x, f_y],
            vec![],
        ]
    };
    let y_0 = [0.7, 1.0];
    let [q, v, lambda, _] = lift(0.0, &y_0);
    let initial = InitialValues::new(&q, &v);
    let state = initial.consistent(&system).unwrap();
    for (elimination, works) in
        [(Elimination::RangeSpace, false), (Elimination::NullSpace, true), (Elimination::Auto, true)]
    {
        let mut solver = Accelerations::new(&system);
        solver.saddle.elimination = elimination;
        let mut state = state.clone();
        match solver.solve(&system, &mut state) {
            Ok(()) => {
                assert!(works, "{elimination:?}");
                assert_close("lambda", &state.lambda, &lambda, 1e-9);
                let a = [
                    y_0[0].cos() * f(0.0, &y_0)[1] - y_0[0].sin(),
                    y_0[0].sin() * f(0.0, &y_0)[1] + y_0[0].cos(),
                ];
                assert_close("a", &state.vdot[..2], &a, 1e-9);
                assert_close("a of P", &state.vdot[2..], &a.map(|a| 0.5 * a), 1e-9);
            }
            Err(Error::SingularMass { motion, .. }) => {
                assert!(!works, "{elimination:?}");
                assert!(motion.contains("P in"), "{motion}");
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    let exact = sample(f, y_0, 1.0, lift);
    for form in FORMS {
        for eta in [Eta::Mass, Eta::Paper] {
            let options = MethodOptions { eta, ..options(form, start(form)) };
            assert_all_order_2("massless point", &system, initial, &options, &exact, 400.0);
        }
    }
}

/// (f) Accelerations and multipliers of the heavy top at t = 0, independently computed.
#[test]
fn initial_values_of_the_heavy_top() {
    let omega = Vector3::new(0.0, 150.0, -4.61538);
    let domega = [661.346169230769, 0.0, 0.0];
    let du = Vector3::new(0.0, -21.3017325444, -30.9608307692308);
    let lambda = [0.0, -319.525988166, -317.262461538462];
    for formulation in [R3SO3, SE3] {
        let top = HeavyTop::fast(formulation);
        // R(0) = I: U = u, U' = u' - Omega x u.
        let du = match formulation {
            SE3 => du - omega.cross(&omega.cross(&Vector3::y())),
            _ => du,
        };
        for elimination in [Elimination::RangeSpace, Elimination::NullSpace] {
            let mut state = top_state(&top);
            state.vdot.fill(f64::NAN);
            state.lambda.fill(f64::NAN);
            let mut solver = Accelerations::new(&top);
            solver.saddle.elimination = elimination;
            solver.solve(&top, &mut state).unwrap();
            assert_close("dOmega", &state.vdot[..3], &domega, 1e-13);
            assert_close("du", &state.vdot[3..], du.as_slice(), 1e-12);
            assert_close("lambda", &state.lambda, &lambda, 1e-12);
        }
    }
}
