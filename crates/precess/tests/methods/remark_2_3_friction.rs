//! The generalisations of LA, Remark 2.3, third part: friction that depends on lambda.

use super::remark_2_3_forces::root;
use crate::common::exact::*;
use crate::common::*;
use nalgebra::{Matrix1, Matrix1x3, Matrix3, Matrix3x1, Vector3};
use precess::integrate::saddle::Elimination;
use precess::integrate::{Accelerations, InitialValues, Start};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, System, Tangents};
use precess::study::{Run, Sample};

/// How the friction tangent of [`SlidingRod`] is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Exact,
    WithoutFriction,
    Nothing,
}

/// (d) A rod slides with one end on the floor: q = (x, y, theta), Phi = y - a cos(theta), normal force N =
/// -lambda, smoothed Coulomb friction F = mu sqrt(lambda^2 + delta^2) tanh(v_c/eps) at the contact point. The
/// friction turns the rod, so N depends on F: the initial values are a nonlinear problem.
struct SlidingRod {
    group: Product,
    m: f64,
    mu: f64,
    given: Given,
}

const A: f64 = 0.8;
const DELTA: f64 = 1e-2;
const EPS: f64 = 0.05;

impl SlidingRod {
    fn new(mu: f64, given: Given) -> Self {
        SlidingRod { group: Product::new([Factor::Rn(3)]), m: 2.0, mu, given }
    }
    fn j(&self) -> f64 {
        self.m * A * A / 3.0
    }
    /// F and its derivatives in lambda and in v_c.
    fn friction(&self, v_c: f64, lambda: f64) -> (f64, f64, f64) {
        let n = (lambda * lambda + DELTA * DELTA).sqrt();
        let t = (v_c / EPS).tanh();
        (self.mu * n * t, self.mu * lambda / n * t, self.mu * n * (1.0 - t * t) / EPS)
    }
    /// N, x'' and theta'' from a scalar equation in N.
    fn solve(&self, theta: f64, x_rate: f64, rate: f64) -> [f64; 3] {
        let (sin, cos) = theta.sin_cos();
        let v_c = x_rate + A * cos * rate;
        let spin = |n: f64| (A * sin * n - A * cos * self.friction(v_c, n).0) / self.j();
        let n = root(|n| n - self.m * (G - A * sin * spin(n) - A * cos * rate * rate), 100.0 * self.m * G);
        [n, -self.friction(v_c, n).0 / self.m, spin(n)]
    }
}

impl System for SlidingRod {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let (sin, cos) = at.q[2].sin_cos();
        let (l, v) = (at.lambda[0], at.v);
        let f = self.friction(v[0] + A * cos * v[2], l).0;
        r[0] = self.m * at.vdot[0] + f;
        r[1] = self.m * (at.vdot[1] + G) + l;
        r[2] = self.j() * at.vdot[2] + A * sin * l + A * cos * f;
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = q[1] - A * q[2].cos();
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        out[0] = v[1] + A * q[2].sin() * v[2];
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v, a) = (at.q, at.v, at.vdot);
        out[0] = a[1] + A * (q[2].sin() * a[2] + q[2].cos() * v[2] * v[2]);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        if self.given == Given::Nothing {
            return precess::mechanics::difference::tangents(self, at, out);
        }
        let (sin, cos) = at.q[2].sin_cos();
        let (l, v) = (at.lambda[0], at.v);
        let (f, f_l, f_v) = self.friction(v[0] + A * cos * v[2], l);
        let f_theta = -f_v * A * sin * v[2];
        out.mass(0, 0, &Matrix3::from_diagonal(&Vector3::new(self.m, self.m, self.j())));
        out.damping(0, 0, &(Vector3::new(1.0, 0.0, A * cos) * Matrix1x3::new(f_v, 0.0, f_v * A * cos)));
        let turn = Vector3::new(f_theta, 0.0, A * cos * l + A * cos * f_theta - A * sin * f);
        out.stiffness(0, 2, &turn);
        out.constraint(0, 0, &Matrix1x3::new(0.0, 1.0, A * sin));
        out.curvature(0, 2, &Matrix1::new(A * cos * v[2]));
        if self.given == Given::Exact {
            out.friction(0, 0, &Matrix3x1::new(f_l, 0.0, A * cos * f_l));
        }
    }
}

/// x, theta, x', theta' at the start.
const ROD: [f64; 4] = [0.0, 0.5, 1.2, -0.4];

fn lift_rod(rod: &SlidingRod, y: &[f64; 4]) -> [Vec<f64>; 4] {
    let [x, theta, x_rate, rate] = *y;
    let (sin, cos) = theta.sin_cos();
    [
        vec![x, A * cos, theta],
        vec![x_rate, -A * sin * rate, rate],
        vec![-rod.solve(theta, x_rate, rate)[0]],
        vec![],
    ]
}

#[test]
fn initial_values_with_friction_solve_the_nonlinear_problem() {
    for mu in [0.0, 0.1, 0.3, 1.0] {
        for (x_rate, rate) in [(1.2, -0.4), (0.02, 0.1), (-3.0, 2.0)] {
            for given in [Given::Exact, Given::Nothing] {
                // Heavy rods too: what counts as friction must not depend on the units.
                for m in [2.0, 2e-4, 2e5] {
                    let mut rod = SlidingRod::new(mu, given);
                    rod.m = m;
                    let y = [0.0, 0.5, x_rate, rate];
                    let [q, v, lambda, _] = lift_rod(&rod, &y);
                    let [_, x, theta] = rod.solve(0.5, x_rate, rate);
                    let expected = [x, theta];
                    let what = format!("mu {mu}, m {m}, {x_rate}");
                    let mut state = InitialValues::new(&q, &v).consistent(&rod).unwrap();
                    for elimination in [Elimination::RangeSpace, Elimination::NullSpace] {
                        assert_close(&what, &state.lambda, &lambda, 1e-10);
                        let found = [state.vdot[0], state.vdot[2]];
                        assert_close(&what, &found, &expected, 1e-10);
                        let mut solver = Accelerations::new(&rod);
                        solver.saddle.elimination = elimination;
                        solver.solve(&rod, &mut state).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn friction_has_order_2_in_all_forms() {
    let rod = SlidingRod::new(0.3, Given::Exact);
    let f = |_: f64, y: &[f64; 4]| {
        let [_, x, theta] = rod.solve(y[1], y[2], y[3]);
        [y[2], y[3], x, theta]
    };
    let [q, v, ..] = lift_rod(&rod, &ROD);
    let exact = sample(f, ROD, 0.4, |_, y| lift_rod(&rod, y));
    let initial = InitialValues::new(&q, &v);
    for form in FORMS {
        let options = options(form, start(form));
        let fine = assert_all_order_2("rod", &rod, initial, &options, &exact, 200.0);
        let h = 0.4 / 800.0;
        let differences = SlidingRod::new(0.3, Given::Nothing);
        let (e, _) = errors(&differences, initial, &options, h, &exact);
        assert_same_errors(&format!("{form:?}"), &e, &fine);
    }
}

/// Strong friction: with its tangent Newton's method is quadratic, with difference quotients as good, without
/// it slow.
#[test]
fn friction_tangent_gives_quadratic_convergence() {
    for form in FORMS {
        let options = options(form, Start::Classical);
        let [exact, differences, without] =
            [Given::Exact, Given::Nothing, Given::WithoutFriction].map(|given| {
                let rod = SlidingRod::new(0.5, given);
                let [q, v, ..] = lift_rod(&rod, &ROD);
                // Without the tangent the start may not converge; it is not what is tested here.
                let strict = SlidingRod::new(0.5, Given::Exact);
                let mut state = InitialValues::new(&q, &v).consistent(&strict).unwrap();
                let mut method = options.generalized_alpha().unwrap();
                let run =
                    Run::new(2e-3, 0.2).run(&rod, &mut method, &mut state, &mut |_: &Sample| {}).unwrap();
                (run.iterations as f64 / run.steps as f64, state)
            });
        assert!(exact.0 <= 3.0, "{form:?}: {}", exact.0);
        assert!(differences.0 <= 3.0, "{form:?}: {}", differences.0);
        assert!(without.0 >= exact.0 + 1.0, "{form:?}: {}", without.0);
        for other in [&differences.1, &without.1] {
            assert_close("q", &other.q, &exact.1.q, 1e-8);
            assert_close("v", &other.v, &exact.1.v, 1e-8);
            assert_close("lambda", &other.lambda, &exact.1.lambda, 1e-5);
        }
        let mut state = InitialValues::new(&[0.0, A * 0.5_f64.cos(), 0.5], &[0.0; 3])
            .consistent(&SlidingRod::new(0.5, Given::Exact))
            .unwrap();
        state.v = vec![0.03, 0.2, -0.1];
        state.lambda = vec![-7.0];
        for given in [Given::Exact, Given::Nothing] {
            let rod = SlidingRod::new(0.5, given);
            let offset = [0.001, -0.002, 0.001, 0.03, 0.01];
            let direction = [0.002, 0.003, -0.001, 0.02, 0.001];
            let e = iteration_matrix_error(&rod, &options, &state, 0.02, &offset, &direction);
            assert!(e < 1e-4, "{form:?}: {e:.1e}");
        }
    }
}
