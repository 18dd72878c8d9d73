//! Bad input gives typed errors that say where the mistake is, what was found and what to try. Nothing
//! panics.

use crate::common::bad::*;
use crate::common::*;
use precess::Error;
use precess::formulation::Formulation::{self, R3SO3, SO3};
use precess::integrate::{
    Alpha, Eta, Explicit, Form, GeneralizedAlpha, Implicit, InitialValues, Integrator, Start, Strategy,
};
use precess::mechanics::System;
use precess::methods::{MethodOptions, method};
use precess::problems::HeavyTop;
use precess::study::{Every, Run};

#[test]
fn rho_outside_of_the_unit_interval() {
    for rho in [-0.1, 1.0 + 1e-12, 7.0, f64::NAN, f64::INFINITY] {
        let errors = [
            Alpha::from_rho(rho).unwrap_err(),
            GeneralizedAlpha::new(rho, Form::Index3).unwrap_err(),
            MethodOptions { rho, ..MethodOptions::default() }.generalized_alpha().unwrap_err(),
        ];
        for e in errors {
            let Error::Parameter { name, value, .. } = e else { panic!("{e:?}") };
            assert_eq!(name, "rho");
            assert!(value == rho || (value.is_nan() && rho.is_nan()));
            says(&e, &["rho", &rho.to_string(), "[0, 1]"]);
        }
    }
    assert!(Alpha::from_rho(0.0).is_ok() && Alpha::from_rho(1.0).is_ok());
}

#[test]
fn step_size_that_is_no_positive_number() {
    let top = HeavyTop::fast(R3SO3);
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let failure = run_top(&top, &options(Form::Index3, Start::Classical), &Run::new(h, 1.0)).unwrap_err();
        let Error::Parameter { name, value, .. } = failure.error else { panic!("{:?}", failure.error) };
        assert_eq!(name, "step");
        assert!(value == h || (value.is_nan() && h.is_nan()));
        says(&failure, &["step", &h.to_string(), "positive"]);
        assert_eq!(failure.summary.steps, 0);
    }
    // So small that no run would end.
    let failure =
        run_top(&top, &options(Form::Index3, Start::Classical), &Run::new(1e-300, 1.0)).unwrap_err();
    assert!(matches!(failure.error, Error::Parameter { name: "step", .. }));
}

/// Methods that are called directly, without [`Run`], also refuse bad steps and do not change the state.
#[test]
fn step_size_is_checked_by_the_methods() {
    let top = HeavyTop::fast(R3SO3);
    let free = HeavyTop::fast(SO3);
    for h in [0.0, f64::NAN, f64::INFINITY] {
        for form in FORMS {
            let mut method = options(form, TABLE_2).generalized_alpha().unwrap();
            let mut state = top_state(&top);
            let e = method.start(&top, &mut state, h).unwrap_err();
            assert!(matches!(e, Error::Parameter { name: "step", .. }), "{e:?}");
            method.start(&top, &mut state, 1e-3).unwrap();
            let before = state.clone();
            let e = method.step(&top, &mut state, h).unwrap_err();
            assert!(matches!(e, Error::Parameter { name: "step", .. }), "{e:?}");
            assert_eq!(state, before);
            method.step(&top, &mut state, 1e-3).unwrap();
        }
        let mut method = Explicit::new(&precess::integrate::RKMK4);
        let mut state = top_state(&free);
        method.start(&free, &mut state, 1e-3).unwrap();
        let before = state.clone();
        let e = method.step(&free, &mut state, h).unwrap_err();
        assert!(matches!(e, Error::Parameter { name: "step", .. }), "{e:?}");
        assert_eq!(state, before);
    }
}

#[test]
fn end_before_the_start() {
    let top = HeavyTop::fast(R3SO3);
    for t_end in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let failure =
            run_top(&top, &options(Form::Index3, Start::Classical), &Run::new(1e-3, t_end)).unwrap_err();
        let Error::Parameter { name, value, .. } = failure.error else { panic!("{:?}", failure.error) };
        assert_eq!(name, "until");
        assert!(value == t_end || (value.is_nan() && t_end.is_nan()));
        says(&failure, &["until", "start"]);
    }
    // An empty run is allowed and records the initial state.
    let mut states = Every::steps(1);
    let mut state = top_state(&top);
    let mut method = options(Form::Index3, Start::Classical).generalized_alpha().unwrap();
    let summary = Run::new(1e-3, 0.0).run(&top, &mut method, &mut state, &mut states).unwrap();
    assert_eq!((summary.steps, states.states.len()), (0, 1));
}

#[test]
fn inconsistent_initial_values_name_the_constraint() {
    let top = HeavyTop::fast(R3SO3);
    let (mut q, v) = (top.q_0(), top.v_0());
    q[6] += 1e-3;
    let e = InitialValues::new(&q, &v).consistent(&top).unwrap_err();
    match &e {
        Error::InconsistentPosition { constraint, residual, tolerance, t } => {
            assert_eq!(*constraint, top.constraint_name(2));
            assert!((residual - 1e-3).abs() < 1e-12, "{residual}");
            assert!(*tolerance < 1e-7 && *t == 0.0);
        }
        other => panic!("{other:?}"),
    }
    says(&e, &["z component", "1.000e-3", "t = 0", "ask for a projection"]);

    let (q, mut v) = (top.q_0(), top.v_0());
    v[4] += 0.25;
    let e = InitialValues { t: 2.5, ..InitialValues::new(&q, &v) }.consistent(&top).unwrap_err();
    match &e {
        Error::InconsistentVelocity { constraint, residual, t, .. } => {
            assert_eq!(*constraint, top.constraint_name(1));
            assert!((residual - 0.25).abs() < 1e-12 && *t == 2.5);
        }
        other => panic!("{other:?}"),
    }
    says(&e, &["velocities", "y component", "t = 2.5", "ask for a projection"]);

    // With a larger tolerance, the same values are accepted.
    let loose = InitialValues { tolerance: 0.01, ..InitialValues::new(&q, &v) };
    assert!(loose.consistent(&top).is_ok());
}

#[test]
fn wrong_lengths() {
    let top = HeavyTop::fast(R3SO3);
    let (q, v) = (top.q_0(), top.v_0());
    for (initial, what, found, expected) in [
        (InitialValues::new(&q[..6], &v), "configuration", 6, 7),
        (InitialValues::new(&q, &v[..3]), "velocity", 3, 6),
        (InitialValues::new(&[], &v), "configuration", 0, 7),
        (InitialValues { s: &[1.0], ..InitialValues::new(&q, &v) }, "s", 1, 0),
    ] {
        let e = initial.consistent(&top).unwrap_err();
        match &e {
            Error::Length { what: name, found: f, expected: x } => {
                assert!(name.contains(what), "{name}");
                assert_eq!((*f, *x), (found, expected));
            }
            other => panic!("{other:?}"),
        }
        says(&e, &[&found.to_string(), &expected.to_string()]);
    }
}

#[test]
fn quaternion_not_of_unit_length() {
    for formulation in [R3SO3, Formulation::SE3, SO3] {
        let top = HeavyTop::fast(formulation);
        let (mut q, v) = (top.q_0(), top.v_0());
        q[0] = 0.9;
        let e = InitialValues::new(&q, &v).consistent(&top).unwrap_err();
        assert!(matches!(e, Error::NotInGroup { .. }), "{e:?}");
        says(&e, &["quaternion", "0.9", "instead of 1"]);
        // All zeros: nothing to normalise.
        q[0] = 0.0;
        let e = InitialValues::new(&q, &v).fixed().consistent(&top);
        assert!(matches!(e, Err(Error::NotInGroup { .. })), "{e:?}");
    }
}

#[test]
fn numbers_that_are_not_finite_in_the_initial_values() {
    let top = HeavyTop::fast(R3SO3);
    for bad in [f64::NAN, f64::INFINITY] {
        for i in 0..7 {
            let (mut q, v) = (top.q_0(), top.v_0());
            q[i] = bad;
            let e = InitialValues::new(&q, &v).consistent(&top).unwrap_err();
            assert!(matches!(e, Error::NotInGroup { .. }), "{e:?}");
            says(&e, &["not finite", "R3xSO3"]);
        }
        for i in 0..6 {
            let (q, mut v) = (top.q_0(), top.v_0());
            v[i] = bad;
            let e = InitialValues::new(&q, &v).consistent(&top).unwrap_err();
            match &e {
                Error::NotFinite { what, step, .. } => {
                    assert!(what.contains(&top.velocity_name(i)), "{what}");
                    assert_eq!(*step, 0);
                }
                other => panic!("{other:?}"),
            }
        }
        let (q, v) = (top.q_0(), top.v_0());
        let e = InitialValues { t: bad, ..InitialValues::new(&q, &v) }.consistent(&top).unwrap_err();
        assert!(matches!(e, Error::NotFinite { .. }), "{e:?}");
        says(&e, &["time"]);
    }
}

#[test]
fn singular_mass_matrix() {
    // At 2 is free and has no mass; once with constraints, once without any.
    for copies in [0, 1] {
        let system = Plane::new([1.0, 0.0], copies);
        let e = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&system).unwrap_err();
        match &e {
            Error::SingularMass { t, motion } => {
                assert_eq!(*t, 0.0);
                assert!(motion.contains("point 2"), "{motion}");
            }
            other => panic!("{other:?}"),
        }
        says(&e, &["ker B", "inertia", "constrain"]);
    }
    // A negative mass is refused, too.
    let e = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&Plane::new([1.0, -1.0], 1)).unwrap_err();
    assert!(matches!(e, Error::SingularMass { .. }), "{e:?}");
    // RKMK4 does not go through the saddle-point system in its steps.
    let massless = Plane::new([1.0, 0.0], 0);
    let mut state = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&Plane::new([1.0, 1.0], 0)).unwrap();
    let e = Explicit::new(&precess::integrate::RKMK4).start(&massless, &mut state, 1e-3).unwrap_err();
    assert!(matches!(e, Error::SingularMass { .. }), "{e:?}");
}

#[test]
fn dependent_constraints_are_named() {
    for copies in [2, 3] {
        let system = Plane::new([1.0, 2.0], copies);
        for fix in [false, true] {
            let e = InitialValues { fix, ..InitialValues::new(&PLANE.0, &PLANE.1) }
                .consistent(&system)
                .unwrap_err();
            match &e {
                Error::RankDeficient { rank, rows, dependent, t } => {
                    assert_eq!((*rank, *rows, *t), (1, copies, 0.0));
                    assert_eq!(dependent.matches("distance, copy").count(), copies - 1);
                }
                other => panic!("{other:?}"),
            }
            says(&e, &["rank 1", "distance, copy", "remove"]);
        }
    }
    // Five rows on four coordinates.
    let e = InitialValues::new(&PLANE.0, &PLANE.1).consistent(&Plane::new([1.0, 2.0], 5)).unwrap_err();
    assert!(matches!(&e, Error::RankDeficient { rank: 1, rows: 5, .. }), "{e:?}");
}

#[test]
fn undamped_index_3_is_refused_with_the_reason() {
    let top = HeavyTop::fast(R3SO3);
    let undamped = |form| MethodOptions { rho: 1.0, ..options(form, Start::Classical) };
    let failure = run_top(&top, &undamped(Form::Index3), &Run::new(1e-3, 0.1)).unwrap_err();
    match &failure.error {
        Error::Coefficients { violation } => {
            assert!(violation.contains("(134)"), "{violation}");
            assert!(violation.contains("multipliers"), "{violation}");
        }
        other => panic!("{other:?}"),
    }
    says(&failure, &["rho below 1", "stabilized-index2"]);
    // Only the index-3 form is affected, and a user can still request it.
    assert!(run_top(&top, &undamped(Form::StabilizedIndex2), &Run::new(1e-3, 0.1)).is_ok());
    assert!(run_top(&HeavyTop::fast(SO3), &undamped(Form::Index3), &Run::new(1e-3, 0.1)).is_ok());
    let mut scheme = GeneralizedAlpha::new(1.0, Form::Index3).unwrap();
    scheme.accept_undamped = true;
    let mut state = top_state(&top);
    Implicit::new(scheme).start(&top, &mut state, 1e-3).unwrap();
}

#[test]
fn parameters_of_tables_and_alpha() {
    let top = HeavyTop::fast(R3SO3);
    for s in [0.0, -0.1, 1.5, f64::NAN] {
        for start in [Start::Table1 { s }, Start::Table2 { s }] {
            let failure = run_top(&top, &options(Form::Index3, start), &Run::new(1e-3, 0.1)).unwrap_err();
            assert!(matches!(failure.error, Error::Parameter { name: "s", .. }), "{:?}", failure.error);
        }
    }
    for (m, f, beta, gamma) in [
        (1.0, 0.4, 0.3, 0.6),
        (0.2, 1.0, 0.3, 0.6),
        (0.2, 0.4, 0.0, 0.6),
        (0.2, 0.4, 0.3, -0.6),
        (f64::NAN, 0.4, 0.3, 0.6),
    ] {
        assert!(matches!(Alpha::given(m, f, beta, gamma), Err(Error::Coefficients { .. })));
    }
}

#[test]
fn unknown_names_come_with_suggestions() {
    let options = MethodOptions::default();
    let cases: [(Error, &str, &str); 6] = [
        (method("gen-alfa", &options).err().unwrap(), "method", "gen-alpha"),
        (str::parse::<Form>("index-3").unwrap_err(), "form", "index3"),
        (str::parse::<Formulation>("r3xso3").unwrap_err(), "formulation", "r3so3"),
        (str::parse::<Start>("tabel2").unwrap_err(), "start", "table2"),
        (str::parse::<Eta>("maas").unwrap_err(), "eta", "mass"),
        (str::parse::<Strategy>("modifed").unwrap_err(), "Newton strategy", "modified"),
    ];
    for (e, kind, expected) in cases {
        match &e {
            Error::UnknownName { kind: k, closest, known, .. } => {
                assert_eq!(*k, kind);
                assert_eq!(closest.as_deref(), Some(expected));
                assert!(known.contains(expected));
            }
            other => panic!("{other:?}"),
        }
        says(&e, &["unknown", kind, &format!("did you mean '{expected}'")]);
    }
    let e = method("", &options).err().unwrap();
    says(&e, &["known: gen-alpha, rkmk4"]);
    assert!(!e.to_string().contains("did you mean"), "{e}");
    // All names that exist are understood.
    for (i, name) in Form::NAMES.iter().enumerate() {
        assert_eq!(str::parse::<Form>(name).unwrap() as usize, i);
    }
    for name in ["gen-alpha", "rkmk4"] {
        assert_eq!(method(name, &options).unwrap().name(), name);
    }
}
