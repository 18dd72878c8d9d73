//! The generalisations of LA, Remark 2.3, first part: time-dependent constraints and first-order states, each
//! with order 2 against a solution in minimal coordinates. `remark_2_3_forces.rs` has the rest.

use crate::common::exact::*;
use crate::common::*;
use nalgebra::{Matrix1x2, Matrix2, Vector2, Vector3};
use precess::integrate::{Eta, Form, InitialValues};
use precess::lie::rotation::{rotate, rotate_inverse};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, System, Tangents};
use precess::methods::MethodOptions;
use precess::study::{Run, Sample};

/// (a) A pendulum whose pivot moves horizontally by p(t) = a sin(w t).
struct MovingPivot {
    group: Product,
    l: f64,
    a: f64,
    w: f64,
}

impl MovingPivot {
    fn new() -> Self {
        MovingPivot { group: Product::new([Factor::Rn(2)]), l: 1.3, a: 0.4, w: 5.0 }
    }
    /// p, p', p''.
    fn pivot(&self, t: f64) -> [Vector2<f64>; 3] {
        let (sin, cos) = (self.w * t).sin_cos();
        [sin, self.w * cos, -self.w * self.w * sin].map(|x| Vector2::new(self.a * x, 0.0))
    }
}

fn vec2(x: &[f64]) -> Vector2<f64> {
    Vector2::new(x[0], x[1])
}

impl System for MovingPivot {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let arm = vec2(at.q) - self.pivot(at.t)[0];
        let force = vec2(at.vdot) + Vector2::new(0.0, G) + arm * at.lambda[0];
        r.copy_from_slice(force.as_slice());
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        phi[0] = 0.5 * ((vec2(q) - self.pivot(t)[0]).norm_squared() - self.l * self.l);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (t, q, v) = (at.t, at.q, at.v);
        let [p, dp, _] = self.pivot(t);
        out[0] = (vec2(q) - p).dot(&(vec2(v) - dp));
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let (t, q, v, vdot) = (at.t, at.q, at.v, at.vdot);
        let [p, dp, ddp] = self.pivot(t);
        out[0] = (vec2(q) - p).dot(&(vec2(vdot) - ddp)) + (vec2(v) - dp).norm_squared();
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        let [p, dp, _] = self.pivot(at.t);
        let (arm, rate) = (vec2(at.q) - p, vec2(at.v) - dp);
        out.mass_diagonal(0, 2, 1.0);
        out.stiffness(0, 0, &(Matrix2::identity() * at.lambda[0]));
        out.constraint(0, 0, &Matrix1x2::new(arm.x, arm.y));
        out.curvature(0, 0, &Matrix1x2::new(rate.x, rate.y));
    }
}

#[test]
fn moving_pivot_has_order_2_in_all_forms() {
    let system = MovingPivot::new();
    let f = |t: f64, y: &[f64; 2]| {
        let ddp = system.pivot(t)[2].x;
        [y[1], -(G * y[0].sin() + ddp * y[0].cos()) / system.l]
    };
    let lift = |t: f64, y: &[f64; 2]| {
        let ([p, dp, ddp], l) = (system.pivot(t), system.l);
        let arm = Vector2::new(y[0].sin(), -y[0].cos()) * l;
        let rate = Vector2::new(y[0].cos(), y[0].sin()) * (l * y[1]);
        // (q - p) . (m q'' + m g e_y + (q - p) lambda) = 0 with (q - p) . (q'' - p'') = -|q' - p'|^2.
        let lambda = (rate.norm_squared() - arm.dot(&ddp) - G * arm.y) / (l * l);
        [(arm + p).as_slice().to_vec(), (rate + dp).as_slice().to_vec(), vec![lambda], vec![]]
    };
    let y_0 = [0.6, -0.5];
    let [q, v, lambda, _] = lift(0.0, &y_0);
    let exact = sample(f, y_0, 1.0, lift);
    let initial = InitialValues::new(&q, &v);
    assert_close("lambda_0", &initial.consistent(&system).unwrap().lambda, &lambda, 1e-13);
    for form in FORMS {
        for eta in [Eta::Mass, Eta::Paper] {
            let options = MethodOptions { eta, ..options(form, start(form)) };
            let fine = assert_all_order_2("moving pivot", &system, initial, &options, &exact, 400.0);
            // Without any derivative from the user.
            let bare = Hidden(&system, Hide::AllDerivatives);
            let (e, _) = errors(&bare, initial, &options, 1.0 / 1600.0, &exact);
            assert_same_errors(&format!("{form:?}"), &e, &fine);
        }
    }
}

/// (a) A bead driven along a circle: as many constraints as coordinates, nothing is left to integrate.
struct Driven(Product);

fn angle(t: f64) -> [f64; 3] {
    [t + 0.5 * (2.0 * t).sin(), 1.0 + (2.0 * t).cos(), -2.0 * (2.0 * t).sin()]
}

impl System for Driven {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        2
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = 2.0 * at.vdot[0] + at.lambda[0];
        r[1] = 2.0 * (at.vdot[1] + G) + at.lambda[1];
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        let (sin, cos) = angle(t)[0].sin_cos();
        phi.copy_from_slice(&[q[0] - cos, q[1] - sin]);
    }
}

#[test]
fn driven_bead_follows_the_prescribed_motion() {
    let system = Driven(Product::new([Factor::Rn(2)]));
    let lift = |t: f64, _: &[f64; 1]| {
        let [phi, dphi, ddphi] = angle(t);
        let (sin, cos) = phi.sin_cos();
        let a = [-sin * ddphi - cos * dphi * dphi, cos * ddphi - sin * dphi * dphi];
        [vec![cos, sin], vec![-sin * dphi, cos * dphi], vec![-2.0 * a[0], -2.0 * (a[1] + G)], vec![]]
    };
    let [q, v, lambda, _] = lift(0.0, &[0.0]);
    let exact = sample(|_, _| [0.0], [0.0], 2.0, lift);
    let initial = InitialValues::new(&q, &v);
    let state = initial.consistent(&system).unwrap();
    assert_close("lambda_0", &state.lambda, &lambda, 1e-9);
    for form in FORMS {
        let options = options(form, start(form));
        let e = assert_all_order_2("driven bead", &system, initial, &options, &exact, 400.0);
        if matches!(form, Form::Index3 | Form::StabilizedIndex2) {
            assert!(e[0] < 1e-13, "q is prescribed");
        }
        if matches!(form, Form::Index2 | Form::StabilizedIndex2) {
            assert!(e[1] < 1e-11, "v is prescribed: {e:?}");
        }
    }
}

/// (a) On a group: a free body on SO(3) whose axis e_3 is kept perpendicular to a direction d(t) that turns
/// in space. Only residual and constraint are given.
struct SteeredAxis {
    group: Product,
    j: Vector3<f64>,
}

impl SteeredAxis {
    /// d, d', d''.
    fn direction(t: f64) -> [Vector3<f64>; 3] {
        let (s, c) = t.sin_cos();
        let (s2, c2) = (2.0 * t).sin_cos();
        [Vector3::new(c, s, 0.3 * s2), Vector3::new(-s, c, 0.6 * c2), Vector3::new(-c, -s, -1.2 * s2)]
    }
    /// omega' and lambda, by hand.
    fn acceleration(&self, t: f64, p: &[f64], omega: &Vector3<f64>) -> (Vector3<f64>, f64) {
        let [d, dd, ddd] = Self::direction(t).map(|d| rotate_inverse(p, &d));
        let e = Vector3::z();
        let b = e.cross(&d);
        let free = -omega.cross(&self.j.component_mul(omega)).component_div(&self.j);
        let rest = ddd.dot(&e) + 2.0 * dd.dot(&omega.cross(&e)) + d.dot(&omega.cross(&omega.cross(&e)));
        let lambda = (b.dot(&free) + rest) / b.dot(&b.component_div(&self.j));
        (free - lambda * b.component_div(&self.j), lambda)
    }
}

impl System for SteeredAxis {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let (omega, a) = (vec3(at.v), vec3(at.vdot));
        let b = Vector3::z().cross(&rotate_inverse(at.q, &Self::direction(at.t)[0]));
        let moment = self.j.component_mul(&a) + omega.cross(&self.j.component_mul(&omega)) + b * at.lambda[0];
        r.copy_from_slice(moment.as_slice());
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        phi[0] = Self::direction(t)[0].dot(&rotate(q, &Vector3::z()));
    }
}

fn vec3(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}

#[test]
fn time_dependent_constraint_on_so3_from_difference_quotients() {
    let system = SteeredAxis { group: Product::new([Factor::SO3]), j: Vector3::new(1.0, 2.0, 2.5) };
    // p' = p (0, omega) / 2.
    let f = |t: f64, y: &[f64; 7]| {
        let (p, omega) = (&y[..4], vec3(&y[4..]));
        let (a, _) = system.acceleration(t, p, &omega);
        let v = vec3(&p[1..]);
        let w = -0.5 * v.dot(&omega);
        let u = 0.5 * (p[0] * omega + v.cross(&omega));
        [w, u.x, u.y, u.z, a.x, a.y, a.z]
    };
    let lift = |t: f64, y: &[f64; 7]| {
        let (_, lambda) = system.acceleration(t, &y[..4], &vec3(&y[4..]));
        [y[..4].to_vec(), y[4..].to_vec(), vec![lambda], vec![]]
    };
    // e_3 is perpendicular to d(0) = e_1; d'(0) . e_3 + omega . (e_3 x d) = 0.6 + omega_2 = 0.
    let y_0 = [1.0, 0.0, 0.0, 0.0, 0.7, -0.6, 1.5];
    let exact = sample(f, y_0, 1.0, lift);
    let initial = InitialValues::new(&y_0[..4], &y_0[4..]);
    for form in FORMS {
        assert_all_order_2("axis", &system, initial, &options(form, start(form)), &exact, 400.0);
    }
}

/// (b) A pendulum pushed by an actuator with first-order lag: c' = (sin 3t - c)/tau - kappa v_x - c^2/5,
/// force c in x. c is the velocity of the factor R^1.
struct Actuator(Product);

const TAU: f64 = 0.2;
const KAPPA: f64 = 0.8;

fn lag(t: f64, v_x: f64, c: f64) -> f64 {
    ((3.0 * t).sin() - c) / TAU - KAPPA * v_x - 0.2 * c * c
}

impl System for Actuator {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        1
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] + at.q[0] * at.lambda[0] - 4.0 * at.v[2];
        r[1] = at.vdot[1] + at.q[1] * at.lambda[0] + G;
        r[2] = at.vdot[2] - lag(at.t, at.v[0], at.v[2]);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }
}

#[test]
fn first_order_states_have_order_2_in_all_forms() {
    let system = Actuator(Product::new([Factor::Rn(2), Factor::Rn(1)]));
    let f = |t: f64, y: &[f64; 4]| {
        let [phi, rate, c, _] = *y;
        let v_x = phi.cos() * rate;
        [rate, -G * phi.sin() + 4.0 * c * phi.cos(), lag(t, v_x, c), c]
    };
    let lift = |_: f64, y: &[f64; 4]| {
        let [phi, rate, c, integral] = *y;
        let (sin, cos) = phi.sin_cos();
        [
            vec![sin, -cos, integral],
            vec![cos * rate, sin * rate, c],
            vec![rate * rate + G * cos + 4.0 * c * sin],
            vec![],
        ]
    };
    let y_0 = [0.4, 0.3, 1.0, 0.0];
    let [q, v, ..] = lift(0.0, &y_0);
    let exact = sample(f, y_0, 1.0, lift);
    let initial = InitialValues::new(&q, &v);
    // The actuator alone: c is coordinate 2 of v, its integral coordinate 2 of q.
    for form in FORMS {
        let options = options(form, start(form));
        assert_all_order_2("actuator", &system, initial, &options, &exact, 400.0);
        let c_errors = [400.0, 800.0, 1600.0].map(|n| {
            let mut state = initial.consistent(&system).unwrap();
            let mut method = options.generalized_alpha().unwrap();
            Run::new(1.0 / n, 1.0).run(&system, &mut method, &mut state, &mut |_: &Sample| {}).unwrap();
            let [q, v, ..] = &exact[7].1;
            [(state.v[2] - v[2]).abs(), (state.q[2] - q[2]).abs()]
        });
        assert_order_2("c", &c_errors.map(|e| e[0]));
        assert_order_2("integral of c", &c_errors.map(|e| e[1]));
    }
}
