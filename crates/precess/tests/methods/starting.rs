//! Starting values: consistent values against formulas, refusals just beyond the tolerance with their
//! numbers, algebraic variables, friction that depends on the multipliers, and the orders of the starting
//! procedures.

use crate::common::*;
use precess::Error;
use precess::formulation::Formulation::R3SO3;
use precess::integrate::{Bliedf, Form, InitialValues, Integrator};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System};
use precess::model::build;
use precess::problems::{ExactSolution, HeavyTop, TopReference};

const G: f64 = 9.81;

/// A bead on a hoop of radius l around the origin, with its friction and the same hoop again if asked for.
/// Phi = (|q|^2 - l^2)/(2 l) is the distance from the hoop.
struct Bead {
    group: Product,
    mass: f64,
    l: f64,
    mu: f64,
    rows: usize,
}

impl Bead {
    fn new(l: f64) -> Self {
        Bead { group: Product::new([Factor::Rn(2)]), mass: 0.3, l, mu: 0.0, rows: 1 }
    }
}

impl System for Bead {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        self.rows
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let speed = at.v[0].hypot(at.v[1]);
        let normal: f64 = at.lambda.iter().sum();
        for i in 0..2 {
            let weight = if i == 1 { self.mass * G } else { 0.0 };
            let friction = if speed > 0.0 { self.mu * normal.abs() * at.v[i] / speed } else { 0.0 };
            r[i] = self.mass * at.vdot[i] + weight + at.q[i] / self.l * normal + friction;
        }
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        phi.fill((at.q[0].powi(2) + at.q[1].powi(2) - self.l * self.l) / (2.0 * self.l));
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        out.fill((at.q[0] * at.v[0] + at.q[1] * at.v[1]) / self.l);
    }
    fn length_scale(&self) -> f64 {
        self.l
    }
    fn constraint_name(&self, row: usize) -> String {
        format!("hoop {row}")
    }
    fn velocity_name(&self, i: usize) -> String {
        format!("direction {i}")
    }
}

/// Position and velocity at an angle from the lowest point, and off the hoop.
fn place_of(l: f64, angle: f64, rate: f64, off: f64, away: f64) -> [[f64; 2]; 2] {
    let (sin, cos) = angle.sin_cos();
    let out = [sin, -cos];
    [out.map(|x| (l + off) * x), [l * rate * cos + away * out[0], l * rate * sin + away * out[1]]]
}

/// q'' and lambda of the bead by hand, with friction that acts on |lambda| against the motion.
#[test]
fn accelerations_and_multipliers() {
    for (l, angle, rate, mu) in
        [(1.0, 0.4, 2.0, 0.0), (10.0, -2.0, 0.3, 0.0), (0.7, 1.9, 3.0, 0.4), (2.0, 0.1, 0.5, 0.8)]
    {
        let bead = Bead { mu, ..Bead::new(l) };
        let [q, v] = place_of(l, angle, rate, 0.0, 0.0);
        let state = InitialValues { t: 0.25, ..InitialValues::new(&q, &v) }.consistent(&bead).unwrap();
        assert_eq!((state.t, &state.q[..], &state.v[..]), (0.25, &q[..], &v[..]));
        let lambda = bead.mass * (l * rate * rate + G * angle.cos());
        let along = -G * angle.sin() - mu * lambda.abs() / bead.mass * rate.signum();
        let expected = [
            along * angle.cos() - l * rate * rate * angle.sin(),
            along * angle.sin() + l * rate * rate * angle.cos(),
        ];
        // Difference quotients of Phi, in the rows at acceleration level, leave seven digits.
        let size = 1.0 + lambda.abs();
        assert_close("lambda", &state.lambda, &[lambda], 1e-6 * size);
        assert_close("v'", &state.vdot, &expected, 1e-6 * size / bead.mass);
        let mut r = [0.0; 2];
        bead.residual(&state.at(), &mut r);
        assert!(norm(&r) < 1e-12 * size, "{r:?}");
    }
}

/// Values that are off by a little less than the tolerance are accepted. Values that are off by a little more
/// are refused, and the message gives the numbers.
#[test]
fn tolerances_of_positions_and_velocities() {
    for l in [1.0, 10.0] {
        let bead = Bead::new(l);
        let (rate, tol) = (0.9, 1e-8);
        let start = |off: f64, away: f64| {
            let [q, v] = place_of(l, 0.0, rate, off, away);
            InitialValues::new(&q, &v).consistent(&bead)
        };
        // A row of length l and the rate of the motion, which is also that of the model: there is no gravity
        // it knows of.
        let speed = 2.0 * l * rate;
        assert!(start(0.99 * tol * l, 0.0).is_ok() && start(-0.99 * tol * l, 0.0).is_ok());
        assert!(start(0.0, 0.99 * tol * speed).is_ok() && start(0.0, -0.99 * tol * speed).is_ok());
        match start(-1.01 * tol * l, 0.0) {
            Err(Error::InconsistentPosition { constraint, residual, tolerance, t }) => {
                assert_eq!((constraint.as_str(), t), ("hoop 0", 0.0));
                assert!((tolerance / (tol * l) - 1.0).abs() < 1e-6, "{tolerance:e}");
                assert!((residual / (1.01 * tol * l) - 1.0).abs() < 1e-6, "{residual:e}");
            }
            other => panic!("{other:?}"),
        }
        match start(0.0, 1.01 * tol * speed) {
            Err(Error::InconsistentVelocity { constraint, residual, tolerance, .. }) => {
                assert_eq!(constraint, "hoop 0");
                assert!((tolerance / (tol * speed) - 1.0).abs() < 1e-6, "{tolerance:e}");
                assert!((residual / (1.01 * tol * speed) - 1.0).abs() < 1e-6, "{residual:e}");
            }
            other => panic!("{other:?}"),
        }
        // A tolerance set by the user.
        let [q, v] = place_of(l, 0.0, rate, 1e-4 * l, 0.0);
        let given = InitialValues { tolerance: 1e-3, ..InitialValues::new(&q, &v) };
        assert!(given.consistent(&bead).is_ok());
        assert!(InitialValues { tolerance: 9e-5, ..given }.consistent(&bead).is_err());
    }
}

#[test]
fn refused_with_the_reason() {
    let bead = Bead::new(1.0);
    let [q, v] = place_of(1.0, 0.3, 1.0, 0.0, 0.0);
    for (q, v, what, found) in [
        (&q[..1], &v[..], "the initial configuration", 1),
        (&q, &v[..0], "the initial velocity", 0),
        (&[0.0; 3], &v, "the initial configuration", 3),
    ] {
        match InitialValues::new(q, v).consistent(&bead) {
            Err(Error::Length { what: w, found: f, expected: 2 }) => assert_eq!((w, f), (what, found)),
            other => panic!("{other:?}"),
        }
    }
    let infinite = InitialValues::new(&q, &[0.0, f64::INFINITY]).consistent(&bead).unwrap_err().to_string();
    assert!(infinite.contains("direction 1"), "{infinite}");
    let never = InitialValues { t: f64::NAN, ..InitialValues::new(&q, &v) }.consistent(&bead).unwrap_err();
    assert!(never.to_string().contains("the initial time"), "{never}");
    let s = InitialValues { s: &[1.0], ..InitialValues::new(&q, &v) }.consistent(&bead);
    assert!(matches!(s, Err(Error::Length { found: 1, expected: 0, .. })), "{s:?}");
    let top = HeavyTop::fast(R3SO3);
    let mut doubled = top.q_0();
    doubled[..4].iter_mut().for_each(|x| *x *= 2.0);
    let e = InitialValues::new(&doubled, &top.v_0()).consistent(&top);
    assert!(matches!(e, Err(Error::NotInGroup { .. })), "{e:?}");

    // The same hoop twice, and a bead without mass.
    match InitialValues::new(&q, &v).consistent(&Bead { rows: 2, ..Bead::new(1.0) }) {
        Err(Error::RankDeficient { rank: 1, rows: 2, dependent, .. }) => {
            assert!(dependent.contains("hoop"), "{dependent}")
        }
        other => panic!("{other:?}"),
    }
    match InitialValues::new(&q, &v).consistent(&Bead { mass: 0.0, ..Bead::new(1.0) }) {
        Err(Error::SingularMass { motion, .. }) => assert!(motion.contains("direction"), "{motion}"),
        other => panic!("{other:?}"),
    }
}

/// m q'' = s on a line, with s^3 + s = q, or an equation without a solution.
struct Implied {
    group: Product,
    solvable: bool,
}

impl System for Implied {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_s(&self) -> usize {
        2
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] - at.s[0] + 2.0 * at.s[1];
    }
    fn algebraic(&self, at: &At, out: &mut [f64]) {
        let power = if self.solvable { 3 } else { 2 };
        out[0] = at.s[0].powi(power) + if self.solvable { at.s[0] } else { 1.0 }
            - at.q[0] * f64::from(self.solvable);
        out[1] = at.s[1] - at.s[0] * at.s[0];
    }
}

#[test]
fn algebraic_variables() {
    let system = Implied { group: Product::new([Factor::Rn(1)]), solvable: true };
    // 30 = 3^3 + 3.
    for guess in [&[][..], &[1.0, 0.0], &[5.0, -7.0]] {
        let given = InitialValues { s: guess, ..InitialValues::new(&[30.0], &[0.0]) };
        let state = given.consistent(&system).unwrap();
        assert_close("s", &state.s, &[3.0, 9.0], 1e-12);
        assert_close("v'", &state.vdot, &[3.0 - 18.0], 1e-11);
    }
    let hopeless = Implied { solvable: false, ..system };
    let given = InitialValues { s: &[0.7, 0.0], ..InitialValues::new(&[0.0], &[0.0]) };
    match given.consistent(&hopeless) {
        Err(Error::Newton { iterations: 50, worst, .. }) => assert!(worst.contains("algebraic"), "{worst}"),
        other => panic!("{other:?}"),
    }
}

/// The equations of motion hold at the start of models with drives, friction, redundant rows and gears.
#[test]
fn equations_of_motion_hold() {
    for name in ["slider_crank", "four_bar", "joint_gear", "piston_pump", "robot_arm", "gate", "door"] {
        let loaded = crate::model_util::load_model(name, &[]);
        let built = build(&loaded.model, loaded.settings.formulation).unwrap();
        let mut given = InitialValues::new(&built.q, &built.v);
        given.fix = loaded.settings.fix_initial;
        let state = given.consistent(&*built.system).unwrap();
        let mut r = vec![0.0; state.v.len()];
        built.system.residual(&state.at(), &mut r);
        let size = 1.0 + norm(&state.vdot) + norm(&state.lambda);
        assert!(norm(&r) < 1e-10 * size, "{name}: {:e}", norm(&r));
        let mut rows = vec![0.0; state.lambda.len()];
        built.system.acceleration_constraint(&state.at(), &mut rows);
        assert!(norm(&rows) < 1e-9 * size, "{name}: {:e}", norm(&rows));
    }
}

/// The values that BLieDF starts with have local errors of order k + 2, those of all k steps together as
/// well.
#[test]
fn start_of_bliedf() {
    let top = HeavyTop::fast(R3SO3);
    let reference = TopReference::new(&top, 0.05);
    let (q_0, v_0) = (top.q_0(), top.v_0());
    for (k, h) in [(2, 2e-3), (3, 4e-3), (4, 5e-3)] {
        let error = |h: f64| {
            let mut state = InitialValues::new(&q_0, &v_0).consistent(&top).unwrap();
            let mut method = Bliedf::new(k, Form::StabilizedIndex2).unwrap();
            method.start(&top, &mut state, h).unwrap();
            for _ in 1..k {
                method.step(&top, &mut state, h).unwrap();
            }
            let mut exact = state.clone();
            reference.at(h * (k - 1) as f64, &mut exact.q, &mut exact.v, &mut exact.lambda);
            let mut dq = [0.0; 6];
            top.group().difference(&exact.q, &state.q, &mut dq);
            let dl: Vec<f64> = exact.lambda.iter().zip(&state.lambda).map(|(a, b)| a - b).collect();
            [norm(&dq), distance(&exact.v, &state.v), norm(&dl)]
        };
        let (coarse, fine) = (error(h), error(0.5 * h));
        for (i, what) in ["q", "v", "lambda"].into_iter().enumerate() {
            let order = (coarse[i] / fine[i]).log2();
            assert!(
                order > k as f64 + 1.6 && order < k as f64 + 3.2,
                "k = {k}, {what}: order {order}, {coarse:?} {fine:?}"
            );
        }
    }
}

/// Table 2 keeps the order 2 of the multipliers in index-3 form from the first steps on.
#[test]
fn start_of_generalized_alpha() {
    let top = HeavyTop::fast(R3SO3);
    let reference = TopReference::new(&top, 0.1);
    let (q_0, v_0) = (top.q_0(), top.v_0());
    let error = |h: f64| {
        let mut state = InitialValues::new(&q_0, &v_0).consistent(&top).unwrap();
        let mut method = options(Form::Index3, TABLE_2).generalized_alpha().unwrap();
        method.start(&top, &mut state, h).unwrap();
        let mut worst = 0.0_f64;
        let mut exact: State = state.clone();
        for n in 1..=(0.05 / h).round() as usize {
            method.step(&top, &mut state, h).unwrap();
            state.t = n as f64 * h;
            reference.at(state.t, &mut exact.q, &mut exact.v, &mut exact.lambda);
            worst = precess::study::larger(worst, distance(&exact.lambda, &state.lambda));
        }
        worst
    };
    let errors = [1e-3, 5e-4, 2.5e-4].map(error);
    assert_order("lambda", &errors, 1.9..=2.1);
}
