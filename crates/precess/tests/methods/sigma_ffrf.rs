//! Flexible coordinates beside a rigid body (SM, Appendices A and B): the group R^3 x SO(3) x R^n, with
//! coupled inertia.
//!
//! A body carries two point masses on guides fixed in it. Their deflections zeta along the guides are the
//! modes; the kinetic energy couples them with Omega and u, and the mass matrix depends on the configuration.
//! The equations come from virtual power, without derivatives of the mass matrix, so they share nothing with
//! textbook formulas for floating frames. One mass may be held by a rod to the ground, which is a constraint
//! on all coordinates.

use crate::common::*;
use nalgebra::{DMatrix, Matrix3, Vector3};
use precess::integrate::{Form, InitialValues, Modification, Sigma};
use precess::lie::rotation::{rotate, rotation_matrix};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, Energy, State, System};
use precess::methods::MethodOptions;
use precess::study::Run;

struct Mode {
    /// Mass, stiffness.
    m: f64,
    k: f64,
    /// Place for zeta = 0 and direction, in the body.
    p: Vector3<f64>,
    d: Vector3<f64>,
}

struct Flexible {
    group: Product,
    m: f64,
    j: Vector3<f64>,
    modes: [Mode; 2],
    /// Length of the rod between the first mass and the origin.
    rod: Option<f64>,
}

fn vec3(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}

impl Flexible {
    fn new(rod: Option<f64>) -> Self {
        Flexible {
            // Translation, rotation and modes as three factors, in the order of (B.1).
            group: Product::new([Factor::Rn(3), Factor::SO3, Factor::Rn(2)]),
            m: 2.0,
            j: Vector3::new(0.3, 0.5, 0.4),
            modes: [
                Mode { m: 0.4, k: 90.0, p: Vector3::new(0.7, 0.1, 0.0), d: Vector3::new(0.0, 0.6, 0.8) },
                Mode { m: 0.3, k: 200.0, p: Vector3::new(-0.2, 0.5, 0.3), d: Vector3::new(1.0, 0.0, 0.0) },
            ],
            rod,
        }
    }

    fn q_0(&self) -> Vec<f64> {
        vec![0.1, -0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 0.05, -0.1]
    }

    fn v_0(&self) -> Vec<f64> {
        match self.rod {
            None => vec![0.2, 0.1, -0.3, 4.0, 7.0, -3.0, 0.4, 0.0],
            // The first mass rests.
            Some(_) => {
                let (omega, rate) = (Vector3::new(4.0, 7.0, -3.0), 0.4);
                let m = &self.modes[0];
                let u = -omega.cross(&(m.p + m.d * 0.05)) - m.d * rate;
                vec![u.x, u.y, u.z, omega.x, omega.y, omega.z, rate, 0.0]
            }
        }
    }

    /// Jacobian of the velocity of mass i, in the inertial frame, 3 x 8.
    fn jacobian(&self, i: usize, q: &[f64]) -> DMatrix<f64> {
        let turn = rotation_matrix(&q[3..7]);
        let mode = &self.modes[i];
        let p = mode.p + mode.d * q[7 + i];
        let mut j = DMatrix::zeros(3, 8);
        j.view_mut((0, 0), (3, 3)).copy_from(&Matrix3::identity());
        j.view_mut((0, 3), (3, 3)).copy_from(&(-turn * p.cross_matrix()));
        j.view_mut((0, 6 + i), (3, 1)).copy_from(&(turn * mode.d));
        j
    }

    fn place(&self, i: usize, q: &[f64]) -> Vector3<f64> {
        let mode = &self.modes[i];
        vec3(q) + rotate(&q[3..7], &(mode.p + mode.d * q[7 + i]))
    }

    fn velocity(&self, i: usize, at: &At) -> Vector3<f64> {
        let v = self.jacobian(i, at.q) * nalgebra::DVector::from_column_slice(at.v);
        Vector3::new(v[0], v[1], v[2])
    }

    /// Acceleration of mass i by the rule for moving frames.
    fn acceleration(&self, i: usize, at: &At) -> Vector3<f64> {
        let mode = &self.modes[i];
        let p = mode.p + mode.d * at.q[7 + i];
        let (omega, alpha) = (vec3(&at.v[3..]), vec3(&at.vdot[3..]));
        let body = alpha.cross(&p)
            + omega.cross(&omega.cross(&p))
            + omega.cross(&mode.d) * (2.0 * at.v[6 + i])
            + mode.d * at.vdot[6 + i];
        vec3(at.vdot) + rotate(&at.q[3..7], &body)
    }
}

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

impl System for Flexible {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        usize::from(self.rod.is_some())
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let omega = vec3(&at.v[3..]);
        let force = (vec3(at.vdot) - GRAVITY) * self.m;
        let moment = self.j.component_mul(&vec3(&at.vdot[3..])) + omega.cross(&self.j.component_mul(&omega));
        r[..3].copy_from_slice(force.as_slice());
        r[3..6].copy_from_slice(moment.as_slice());
        for (i, mode) in self.modes.iter().enumerate() {
            r[6 + i] = mode.k * at.q[7 + i];
        }
        for (i, mode) in self.modes.iter().enumerate() {
            let mut f = (self.acceleration(i, at) - GRAVITY) * mode.m;
            if i == 0 && self.rod.is_some() {
                f += self.place(0, at.q) * at.lambda[0];
            }
            let power = self.jacobian(i, at.q).transpose() * f;
            for (r, x) in r.iter_mut().zip(power.iter()) {
                *r += x;
            }
        }
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        if let Some(length) = self.rod {
            phi[0] = 0.5 * (self.place(0, at.q).norm_squared() - length * length);
        }
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        let (u, omega) = (vec3(at.v), vec3(&at.v[3..]));
        let mut e = Energy {
            kinetic: 0.5 * (self.m * u.norm_squared() + omega.dot(&self.j.component_mul(&omega))),
            potential: -self.m * GRAVITY.dot(&vec3(at.q)),
        };
        for (i, mode) in self.modes.iter().enumerate() {
            e.kinetic += 0.5 * mode.m * self.velocity(i, at).norm_squared();
            e.potential += 0.5 * mode.k * at.q[7 + i].powi(2) - mode.m * GRAVITY.dot(&self.place(i, at.q));
        }
        Some(e)
    }
}

fn rod() -> Flexible {
    let free = Flexible::new(None);
    Flexible::new(Some(free.place(0, &free.q_0()).norm()))
}

fn run(system: &Flexible, form: Form, modification: Modification, h: f64) -> State {
    let options = MethodOptions { rho: 0.8, modification, start: TABLE_2, ..options(form, TABLE_2) };
    let mut state = InitialValues::new(&system.q_0(), &system.v_0()).consistent(system).unwrap();
    let mut method = options.generalized_alpha().unwrap();
    Run::new(h, 0.6).run(system, &mut method, &mut state, &mut ()).unwrap();
    state
}

fn distance_of(system: &Flexible, a: &State, b: &State) -> f64 {
    let mut d = vec![0.0; 8];
    system.group().difference(&a.q, &b.q, &mut d);
    norm(&d)
}

const MODIFICATIONS: [Sigma; 3] = [Sigma::Value(0.0), Sigma::Value(1.0), Sigma::Optimal];

/// Against the explicit method of order 4, whose energy is that of the start.
#[test]
fn order_2_without_constraints() {
    let system = Flexible::new(None);
    let mut reference = InitialValues::new(&system.q_0(), &system.v_0()).consistent(&system).unwrap();
    let mut method = precess::integrate::Explicit::new(&precess::integrate::RKMK4);
    let summary = Run::new(2e-4, 0.6).run(&system, &mut method, &mut reference, &mut ()).unwrap();
    assert!(summary.energy_drift.unwrap() < 1e-9 * summary.energy_initial.unwrap().abs());
    // The modes do oscillate, and they are coupled with the rest.
    assert!(reference.v[6].abs() > 0.01 && reference.v[7].abs() > 0.01);
    for sigma in MODIFICATIONS {
        for modification in [Modification::exact(sigma), Modification::published(sigma)] {
            let states = [4e-3, 2e-3, 1e-3].map(|h| run(&system, Form::Index3, modification, h));
            let q = states.each_ref().map(|s| distance_of(&system, s, &reference));
            let v = states.each_ref().map(|s| distance(&s.v, &reference.v));
            assert_order(&format!("{modification:?}: q"), &q, 1.8..=2.2);
            assert_order(&format!("{modification:?}: v"), &v, 1.8..=2.2);
        }
    }
}

/// With a rod: differences of successive solutions shrink by four, and all sigma lead to the same solution.
#[test]
fn order_2_with_a_constraint() {
    let system = rod();
    for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
        let limits = MODIFICATIONS.map(|sigma| {
            let states = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| run(&system, form, Modification::exact(sigma), h));
            let steps = |f: &dyn Fn(&State, &State) -> f64| -> Vec<f64> {
                states.windows(2).map(|s| f(&s[0], &s[1])).collect()
            };
            let q = steps(&|a, b| distance_of(&system, a, b));
            let v = steps(&|a, b| distance(&a.v, &b.v));
            let lambda = steps(&|a, b| distance(&a.lambda, &b.lambda));
            assert_order(&format!("{form:?}, {sigma:?}: q"), &q, 1.75..=2.25);
            assert_order(&format!("{form:?}, {sigma:?}: v"), &v, 1.75..=2.25);
            assert_order(&format!("{form:?}, {sigma:?}: lambda"), &lambda, 1.7..=2.3);
            // One step of Richardson's extrapolation.
            let (a, b) = (&states[2].v, &states[3].v);
            a.iter().zip(b).map(|(a, b)| b + (b - a) / 3.0).collect::<Vec<_>>()
        });
        assert_close("sigma 1", &limits[1], &limits[0], 1e-5);
        assert_close("optimal", &limits[2], &limits[0], 1e-5);
    }
}
