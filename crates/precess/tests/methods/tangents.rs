//! Derivatives of the library's systems and of the iteration matrices, at random points off the constraint
//! manifold.

use crate::common::*;
use nalgebra::Vector3;
use precess::formulation::Formulation::{R3SO3, SE3, SO3};
use precess::integrate::{Eta, Form, Start};
use precess::mechanics::{At, State, System, Tangents, Want, difference};
use precess::methods::MethodOptions;
use precess::problems::{Cubic, HeavyTop, Pendulum};
use precess::solve::Mat;
use proptest::prelude::*;

const N: usize = 64;

/// Every system of the library, with parameters that hide nothing: a body without symmetry whose centre of
/// mass is off the axes, in a tilted field of gravity.
fn systems() -> Vec<(&'static str, Box<dyn System>)> {
    let top = |formulation| {
        let mut top = HeavyTop::fast(formulation);
        top.m = 3.0;
        top.j = Vector3::new(0.3, 0.5, 0.7);
        top.x_body = Vector3::new(0.4, -0.8, 0.6);
        top.gamma = Vector3::new(1.0, -2.0, -9.0);
        top
    };
    let mut pendulum = Pendulum::paper(0.2);
    pendulum.m = 2.0;
    pendulum.l = 1.5;
    vec![
        ("heavy top r3so3", Box::new(top(R3SO3))),
        ("heavy top se3", Box::new(top(SE3))),
        ("heavy top so3", Box::new(top(SO3))),
        ("pendulum", Box::new(pendulum)),
        ("cubic", Box::new(Cubic::default())),
    ]
}

/// Numbers in [-1, 1].
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(-1.0f64..1.0, N)
}

/// A random state that satisfies no constraint.
fn state(system: &dyn System, x: &[f64]) -> State {
    let group = system.group();
    let (k, m) = (group.dim(), system.n_lambda());
    let scaled = |from: usize, n: usize, size: f64| x[from..from + n].iter().map(|x| size * x).collect();
    let mut q = vec![0.0; group.repr()];
    let offset: Vec<f64> = scaled(0, k, 2.5);
    group.exp(&offset, &mut q);
    State {
        t: x[24].abs(),
        q,
        v: scaled(6, k, 5.0),
        vdot: scaled(12, k, 20.0),
        lambda: scaled(18, m, 50.0),
        ..State::default()
    }
}

fn evaluate(system: &dyn System, at: &At, want: Want) -> Tangents {
    let mut t = Tangents::of(system);
    t.evaluate(system, at, want);
    t
}

const ALL: Want = Want { c_m: 0.0, c_d: 0.0, stiffness: true, constraint: true, curvature: true };

fn compare(what: &str, a: &Mat, b: &Mat, tolerance: f64) -> Result<(), TestCaseError> {
    let size = 1.0 + norm(a.data());
    let e = distance(a.data(), b.data()) / size;
    prop_assert!(e <= tolerance, "{what}: relative difference {e:.2e}\n{a:?}\n{b:?}");
    Ok(())
}

proptest! {
    #[test]
    fn analytic_tangents_are_the_difference_quotients(x in numbers()) {
        for (name, system) in systems() {
            let state = state(&*system, &x);
            let at = state.at();
            let hidden = Hidden(&*system, Hide::Tangents);
            for (what, want) in [
                ("M", Want { c_m: 1.0, ..ALL }),
                ("D", Want { c_d: 1.0, ..ALL }),
                ("2 M + 3 D", Want { c_m: 2.0, c_d: 3.0, ..ALL }),
            ] {
                let (a, b) = (evaluate(&*system, &at, want), evaluate(&hidden, &at, want));
                compare(&format!("{name}: {what}"), &a.s, &b.s, 2e-8)?;
                compare(&format!("{name}: K"), &a.k, &b.k, 2e-8)?;
                compare(&format!("{name}: B"), &a.b, &b.b, 1e-12)?;
                compare(&format!("{name}: Y"), &a.y, &b.y, 2e-8)?;
                prop_assert!(!b.has_friction(), "{name}: round-off taken for friction");
            }
            // Nothing but residual and constraint: B from first differences, Y from differences of
            // differences.
            let bare = Hidden(&*system, Hide::AllDerivatives);
            let (a, b) = (evaluate(&*system, &at, ALL), evaluate(&bare, &at, ALL));
            compare(&format!("{name}: bare K"), &a.k, &b.k, 2e-8)?;
            compare(&format!("{name}: bare B"), &a.b, &b.b, 1e-10)?;
            compare(&format!("{name}: bare Y"), &a.y, &b.y, 1e-5)?;
        }
    }

    #[test]
    fn only_what_is_wanted_is_written(x in numbers()) {
        for (name, system) in systems() {
            let state = state(&*system, &x);
            let mut t = evaluate(&*system, &state.at(), Want { c_m: 1.0, c_d: 1.0, ..ALL });
            let (k, b, y) = (t.k.clone(), t.b.clone(), t.y.clone());
            t.evaluate(&*system, &state.at(), Want::MASS);
            prop_assert!(t.k == k && t.b == b && t.y == y, "{name}: written without being asked for");
            let mass = t.s.clone();
            t.evaluate(&*system, &state.at(), Want { c_m: 2.5, ..Want::MASS });
            let scaled: Vec<f64> = mass.data().iter().map(|x| 2.5 * x).collect();
            prop_assert!(distance(t.s.data(), &scaled) <= 1e-14 * norm(&scaled), "{name}: weight of M");
        }
    }

    /// r = M v' + g + B^T lambda with exactly the M and B of the tangents.
    #[test]
    fn residual_is_affine_in_accelerations_and_multipliers(x in numbers()) {
        for (name, system) in systems() {
            let state = state(&*system, &x);
            let (k, m) = (state.v.len(), state.lambda.len());
            let (no_vdot, no_lambda) = (vec![0.0; k], vec![0.0; m]);
            let at = state.at();
            let residual = |at: At| {
                let mut r = vec![0.0; k];
                system.residual(&at, &mut r);
                r
            };
            let mut r = residual(at);
            let t = evaluate(&*system, &at, Want::SADDLE);
            t.s.gemv(-1.0, at.vdot, &mut r);
            for (i, l) in at.lambda.iter().enumerate() {
                for (j, r) in r.iter_mut().enumerate() {
                    *r -= t.b.get(i, j) * l;
                }
            }
            let force = residual(At { vdot: &no_vdot, lambda: &no_lambda, ..at });
            let size = norm(&force) + norm(at.vdot) + norm(at.lambda);
            prop_assert!(distance(&r, &force) <= 1e-13 * size, "{name}: {r:?} {force:?}");
        }
    }

    #[test]
    fn hidden_constraints_are_time_derivatives(x in numbers()) {
        for (name, system) in systems() {
            let s = state(&*system, &x);
            let m = s.lambda.len();
            let (mut a, mut b) = (vec![0.0; m], vec![0.0; m]);
            system.velocity_constraint(&s.at(), &mut a);
            difference::velocity_constraint(&*system, &s.at(), &mut b);
            prop_assert!(distance(&a, &b) <= 1e-10 * (1.0 + norm(&s.v)), "{name}: {a:?} {b:?}");
            let terms = 1.0 + norm(&s.vdot) + norm(&s.v).powi(2);
            system.acceleration_constraint(&s.at(), &mut a);
            difference::acceleration_constraint(&*system, &s.at(), &mut b);
            prop_assert!(distance(&a, &b) <= 1e-9 * terms, "{name}: {a:?} {b:?}");
            // The same with the velocity level from differences too.
            let bare = Hidden(&*system, Hide::AllDerivatives);
            bare.acceleration_constraint(&s.at(), &mut b);
            prop_assert!(distance(&a, &b) <= 1e-8 * terms, "{name}: {a:?} {b:?}");
            // B v' + Y v: Y w = Z(v, w) without explicit time.
            if name != "cubic" {
                let t = evaluate(&*system, &s.at(), ALL);
                b.fill(0.0);
                t.b.gemv(1.0, &s.vdot, &mut b);
                t.y.gemv(1.0, &s.v, &mut b);
                prop_assert!(distance(&a, &b) <= 1e-13 * terms, "{name}: {a:?} {b:?}");
            }
        }
    }

    /// With left-invariant fields w, z: Z(z,w) = w(z Phi), hence Z(z,w) - Z(w,z) = (w z - z w) Phi = B [w,z].
    #[test]
    fn curvature_is_symmetric_up_to_the_bracket(x in numbers()) {
        for (name, system) in systems() {
            let s = state(&*system, &x);
            let (k, m) = (s.v.len(), s.lambda.len());
            let (z, w) = (&x[30..30 + k], &x[40..40 + k]);
            let mut out = vec![0.0; m];
            evaluate(&*system, &At { v: z, ..s.at() }, ALL).y.gemv(1.0, w, &mut out);
            evaluate(&*system, &At { v: w, ..s.at() }, ALL).y.gemv(-1.0, z, &mut out);
            let mut bracket = vec![0.0; k];
            system.group().bracket(w, z, &mut bracket);
            let mut expected = vec![0.0; m];
            evaluate(&*system, &s.at(), ALL).b.gemv(1.0, &bracket, &mut expected);
            prop_assert!(distance(&out, &expected) <= 1e-13 * 20.0, "{name}: {out:?} {expected:?}");
        }
    }

    /// Without constraint forces, dE/dt = v^T r: gyroscopic forces do no work and the weight has the right
    /// sign.
    #[test]
    fn power_is_the_derivative_of_the_energy(x in numbers()) {
        for (name, system) in systems() {
            let s = state(&*system, &x);
            let group = system.group();
            let energy = |tau: f64| {
                let step: Vec<f64> = s.v.iter().map(|v| tau * v).collect();
                let v: Vec<f64> = s.v.iter().zip(&s.vdot).map(|(v, a)| v + tau * a).collect();
                let mut q = s.q.clone();
                group.retract(&s.q, &step, &mut q);
                system.energy(&place(s.t, &q, &v)).map(|e| e.total())
            };
            if energy(0.0).is_none() {
                continue;
            }
            let h = 1e-4;
            let e = |tau| energy(tau).unwrap();
            let rate = (8.0 * (e(h) - e(-h)) - (e(2.0 * h) - e(-2.0 * h))) / (12.0 * h);
            let mut r = vec![0.0; s.v.len()];
            let none = vec![0.0; s.lambda.len()];
            system.residual(&At { lambda: &none, ..s.at() }, &mut r);
            let power: f64 = r.iter().zip(&s.v).map(|(r, v)| r * v).sum();
            let size = norm(&r) * norm(&s.v) + e(0.0).abs();
            prop_assert!((rate - power).abs() <= 1e-9 * size, "{name}: {rate} {power}");
        }
    }

    /// (60) and (62) with T, K, D and Y are the derivative of the residual for every form.
    #[test]
    fn iteration_matrices_are_exact(x in numbers(), h in 1e-2f64..2e-1, rho in 0.0f64..1.0) {
        for (name, system) in systems() {
            let state = state(&*system, &x);
            let offset: Vec<f64> = x[32..48].iter().map(|x| 0.2 * x).collect();
            for form in FORMS {
                for eta in [Eta::Mass, Eta::Paper] {
                    let options = MethodOptions { rho, eta, ..options(form, Start::Classical) };
                    let e = iteration_matrix_error(&*system, &options, &state, h, &offset, &x[48..]);
                    // Index-1 takes the derivative of Z(v,v) in q from differences.
                    let tolerance = if form == Form::Index1 { 1e-4 } else { 1e-6 };
                    prop_assert!(e < tolerance, "{name}, {form:?}, {eta:?}, h {h}: {e:.2e}");
                }
            }
        }
    }
}
