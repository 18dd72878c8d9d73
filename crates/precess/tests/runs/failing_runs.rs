//! Runs that fail, and extreme runs that must not fail. Errors are typed, and results up to the failure are
//! kept.

use crate::common::bad::*;
use crate::common::*;
use nalgebra::Vector3;
use precess::Error;
use precess::formulation::Formulation::R3SO3;
use precess::integrate::{Accelerations, Eta, Explicit, Form, InitialValues, Integrator, Start};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, System};
use precess::methods::MethodOptions;
use precess::problems::{HeavyTop, Pendulum};
use precess::study::{Every, Run, Sample};

/// Two points in the plane, each at a fixed distance from the origin; after `merges_at` the second row
/// repeats the first.
struct Merging {
    group: Product,
    merges_at: f64,
}

impl System for Merging {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        2
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let first = at.t > self.merges_at;
        let l = at.lambda;
        let (a, b) = if first { (l[0] + l[1], 0.0) } else { (l[0], l[1]) };
        for i in 0..2 {
            r[i] = at.vdot[i] + at.q[i] * a;
            r[2 + i] = 3.0 * at.vdot[2 + i] + at.q[2 + i] * b;
        }
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
        phi[1] = if t > self.merges_at { phi[0] } else { 0.5 * (q[2] * q[2] + q[3] * q[3] - 4.0) };
    }
    fn constraint_name(&self, row: usize) -> String {
        ["first distance", "second distance"][row].to_string()
    }
}

#[test]
fn constraints_that_become_dependent() {
    let system = Merging { group: Product::new([Factor::Rn(2), Factor::Rn(2)]), merges_at: 0.0451 };
    for form in FORMS {
        let mut state =
            InitialValues::new(&[1.0, 0.0, 0.0, 2.0], &[0.0, 1.0, 1.0, 0.0]).consistent(&system).unwrap();
        let mut method = options(form, Start::Classical).generalized_alpha().unwrap();
        let mut states = Every::steps(1);
        let failure = Run::new(1e-2, 1.0).run(&system, &mut method, &mut state, &mut states).unwrap_err();
        match &failure.error {
            Error::SingularMatrix { t, step, unknown, .. } => {
                assert!((t - 0.05).abs() < 1e-12);
                assert_eq!(*step, 5);
                assert!(unknown.contains("distance"), "{unknown}");
            }
            other => panic!("{form:?}: {other:?}"),
        }
        says(&failure, &["singular", "step 5", "redundant constraints", "kept"]);
        assert_eq!(states.states.len(), 5);
        assert_eq!(states.states[4], state);
    }
}

/// A point on the unit sphere and on a plane that rises: at t = 1 the gradients are parallel, and the motion
/// cannot continue.
struct RisingPlane(Product);

impl System for RisingPlane {
    fn group(&self) -> &Product {
        &self.0
    }
    fn n_lambda(&self) -> usize {
        2
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        for i in 0..3 {
            r[i] = at.vdot[i] + at.q[i] * at.lambda[0];
        }
        r[2] += at.lambda[1];
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let (t, q) = (at.t, at.q);
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0);
        phi[1] = q[2] - t;
    }
}

#[test]
fn singular_configuration_ends_the_run() {
    let system = RisingPlane(Product::new([Factor::Rn(3)]));
    for form in FORMS {
        let initial = InitialValues::new(&[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0]);
        let mut state = initial.consistent(&system).unwrap();
        let mut method = options(form, Start::Classical).generalized_alpha().unwrap();
        let failure =
            Run::new(1e-2, 2.0).run(&system, &mut method, &mut state, &mut |_: &Sample| {}).unwrap_err();
        match failure.error {
            Error::Newton { .. } | Error::SingularMatrix { .. } => {}
            other => panic!("{form:?}: {other:?}"),
        }
        assert!(state.t > 0.9 && state.t < 1.1, "{form:?}: {}", state.t);
        assert!(state.q.iter().all(|x| x.is_finite()));
    }
}

/// The fast top turns by 75 rad in half a second: no form can step over that.
#[test]
fn newton_divergence() {
    let top = HeavyTop::fast(R3SO3);
    for form in FORMS {
        for h in [0.5, 3.0, 100.0] {
            let failure = run_top(&top, &options(form, Start::Classical), &Run::new(h, 2.0 * h)).unwrap_err();
            match &failure.error {
                Error::Newton { t, step, iterations, worst, correction, .. } => {
                    assert_eq!((*t, *step, *iterations), (h, 1, 30));
                    assert!(*correction > 1e3);
                    assert!(worst.contains("of the top") || worst.contains("fixed point"), "{worst}");
                }
                other => panic!("{form:?}, h {h}: {other:?}"),
            }
            says(&failure, &["did not converge", "step 1", "smaller step", "kept"]);
        }
    }
}

/// Index-3 at h = 0.1 first takes a few meaningless steps. They are kept, and the state is the last of them.
#[test]
fn newton_divergence_after_some_steps() {
    let top = HeavyTop::fast(R3SO3);
    let mut state = top_state(&top);
    let mut states = Every::steps(1);
    let mut method = options(Form::Index3, Start::Classical).generalized_alpha().unwrap();
    let failure = Run::new(0.1, 30.0).run(&top, &mut method, &mut state, &mut states).unwrap_err();
    let Error::Newton { t, step, .. } = failure.error else { panic!("{:?}", failure.error) };
    assert!(step > 1);
    assert_eq!(failure.summary.steps, step - 1);
    assert!((t - 0.1 * step as f64).abs() < 1e-12);
    assert_eq!(states.states.len(), step);
    assert_eq!(states.states.last(), Some(&state));
    assert!(state.q.iter().chain(&state.v).all(|x| x.is_finite()));
}

#[test]
fn iteration_limit_is_respected() {
    let top = HeavyTop::fast(R3SO3);
    let mut options = options(Form::Index3, Start::Classical);
    options.newton.max_iterations = 1;
    let failure = run_top(&top, &options, &Run::new(2e-3, 1.0)).unwrap_err();
    match failure.error {
        Error::Newton { step, iterations, t, .. } => assert_eq!((step, iterations, t), (1, 1, 2e-3)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn not_a_number_from_a_user_function() {
    let mut system = Plane::new([1.0, 2.0], 1);
    system.fails_at = 0.05 + 1e-9;
    for form in FORMS {
        let mut state = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&system).unwrap();
        let mut states = Every::steps(1);
        let mut method = options(form, Start::Classical).generalized_alpha().unwrap();
        let failure = Run::new(1e-2, 1.0).run(&system, &mut method, &mut state, &mut states).unwrap_err();
        match &failure.error {
            Error::NotFinite { what, value, t, step } => {
                assert!(what.contains("point 2 in y"), "{what}");
                assert!(value.is_nan() && (t - 0.06).abs() < 1e-12);
                assert_eq!(*step, 6);
            }
            other => panic!("{form:?}: {other:?}"),
        }
        says(&failure, &["step 6", "t = 0.06", "check the forces", "kept"]);
        // Five good steps were recorded and the state is the last of them.
        assert_eq!(failure.summary.steps, 5);
        assert!((failure.summary.t_end - 0.05).abs() < 1e-15);
        assert_eq!(states.states.len(), 6);
        assert_eq!(states.states[5], state);
        assert!(state.v.iter().chain(&state.q).all(|x| x.is_finite()));
        // The same method and state can go on with a repaired system.
        let repaired = Plane::new([1.0, 2.0], 1);
        method.step(&repaired, &mut state, 1e-2).unwrap();
        assert!((state.t - 0.06).abs() < 1e-12);
    }
    let mut free = Plane::new([1.0, 2.0], 0);
    free.fails_at = 0.05 + 1e-9;
    let mut state = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&free).unwrap();
    let mut states = Every::steps(1);
    let failure = Run::new(1e-2, 1.0)
        .run(&free, &mut Explicit::new(&precess::integrate::RKMK4), &mut state, &mut states)
        .unwrap_err();
    assert!(
        matches!(&failure.error, Error::NotFinite { step: 6, what, .. } if what.contains("point 2 in y")),
        "{:?}",
        failure.error
    );
    assert_eq!(states.states.len(), 6);
    assert_eq!(states.states[5], state);
    // Before the first step the number of the step is 0.
    free.fails_at = -1.0;
    let e = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&free).unwrap_err();
    assert!(matches!(e, Error::NotFinite { step: 0, .. }), "{e:?}");
    let mut method = options(Form::Index3, Start::Classical).generalized_alpha().unwrap();
    let failure = Run::new(1e-2, 1.0).run(&free, &mut method, &mut state, &mut |_: &Sample| {}).unwrap_err();
    assert!(matches!(failure.error, Error::NotFinite { step: 0, .. }), "{:?}", failure.error);
}

/// Extreme masses are no reason to call a matrix singular.
#[test]
fn heavy_and_light_bodies_are_not_singular() {
    for m in [1e-12, 1e-6, 1.0, 1e8, 1e12] {
        for form in FORMS {
            let mut pendulum = Pendulum::paper(0.2);
            pendulum.m = m;
            let (q, v) = (pendulum.q_0(), pendulum.v_0());
            let mut state = InitialValues::new(&q, &v).consistent(&pendulum).unwrap();
            for eta in [Eta::Mass, Eta::Paper] {
                let options = MethodOptions { eta, ..options(form, Start::Classical) };
                Run::new(1e-2, 0.1)
                    .run(
                        &pendulum,
                        &mut options.generalized_alpha().unwrap(),
                        &mut state,
                        &mut |_: &Sample| {},
                    )
                    .unwrap_or_else(|e| panic!("{form:?}, {eta:?}, m {m}: {e}"));
            }
        }
    }
}

/// Nothing moves, so nothing may be divided by the size of the motion.
#[test]
fn equilibrium_is_no_problem() {
    let mut top = HeavyTop::spinning(R3SO3, Vector3::zeros());
    top.gamma = Vector3::zeros();
    for form in FORMS {
        let mut state = top_state(&top);
        let options = options(form, TABLE_2);
        let summary = Run::new(1e-2, 1.0)
            .run(&top, &mut options.generalized_alpha().unwrap(), &mut state, &mut |_: &Sample| {})
            .unwrap();
        assert_eq!(state.q, top.q_0());
        assert!(norm(&state.v) == 0.0 && summary.iterations <= 2 * summary.steps);
    }
    let mut solver = Accelerations::new(&top);
    solver.solve(&top, &mut top_state(&top)).unwrap();
}
