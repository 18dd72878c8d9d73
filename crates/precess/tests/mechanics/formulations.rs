//! The same motion in all coordinates: orders, energies, reactions, accelerations, and what happens at gimbal
//! lock.

use nalgebra::{UnitQuaternion, Vector3, Vector4};
use precess::Error;
use precess::formulation::Parameters;
use precess::formulation::{Coordinates, EulerParameters, Formulation, TaitBryan};
use precess::integrate::{Accelerations, Form, InitialValues};
use precess::lie::Largest;
use precess::mechanics::joints::JointKind;
use precess::mechanics::mechanism::{BodyState, Mechanism};
use precess::mechanics::{State, System};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, Built, JointSpec, Model, build};
use precess::study::larger;

const FORMS: [Form; 2] = [Form::Index3, Form::StabilizedIndex2];
const ALL: [Formulation; 4] =
    [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan];
const CLASSICAL: [Formulation; 2] = [Formulation::EulerParameters, Formulation::TaitBryan];

/// The heavy top, with the axis of symmetry along z of the body frame so that its spin is the last Tait-Bryan
/// angle.
fn heavy_top(spin: f64) -> Model {
    // Body axes (z, x, y) along the inertial (y, z, x).
    let rotation = UnitQuaternion::from_axis_angle(
        &nalgebra::Unit::new_normalize(Vector3::new(1.0, 1.0, 1.0)),
        -2.0 * std::f64::consts::FRAC_PI_3,
    );
    assert!((rotation * Vector3::z() - Vector3::y()).norm() < 1e-15);
    let omega = Vector3::new(0.0, spin, -4.61538);
    let x = Vector3::y();
    let body = BodySpec::rigid("top", 15.0, [0.234375, 0.234375, 0.46875])
        .at([0.0, 1.0, 0.0])
        .rotated(rotation)
        .moving(omega.cross(&x).into(), (rotation.inverse() * omega).into());
    Model::new("heavy top").gravity([0.0, 0.0, -9.81]).body(body).joint(JointSpec::spherical(
        "tip",
        ["ground", "top"],
        [0.0; 3],
    ))
}

/// Two rods that hang on a hinge about x with a universal joint between them, moving in space.
fn double_pendulum() -> Model {
    let rod = |name: &str, z: f64| BodySpec::rigid(name, 1.5, [0.13, 0.12, 0.02]).at([0.0, 0.0, z]);
    Model::new("double pendulum")
        .gravity([0.0, 0.0, -9.81])
        .body(rod("upper", -0.5).moving([0.0, 1.0, 0.0], [2.0, 0.0, 0.0]))
        .body(rod("lower", -1.5).moving([-0.75, 3.5, 0.0], [3.0, 1.5, 0.0]))
        .joint(JointSpec::revolute("hinge", ["ground", "upper"], [0.0; 3], [1.0, 0.0, 0.0]))
        .joint(JointSpec::new("cross", JointKind::Universal, ["upper", "lower"], [0.0, 0.0, -1.0]))
}

/// A body without forces that turns about the axis y of its frame, the middle Tait-Bryan axis.
fn spinner() -> Model {
    Model::new("spinner")
        .body(BodySpec::rigid("wheel", 1.0, [0.1, 0.2, 0.3]).moving([0.5, 0.0, 0.0], [0.0, 1.0, 0.0]))
}

struct Outcome {
    bodies: Vec<BodyState>,
    energy: f64,
    state: State,
}

/// Integrates with steps of size h up to t_end; `watch` sees every state.
fn integrate(
    built: &Built,
    form: Form,
    h: f64,
    t_end: f64,
    mut watch: impl FnMut(&State),
) -> Result<Outcome, Error> {
    let system = &*built.system;
    let mut method = MethodOptions { form, ..Default::default() }.generalized_alpha()?;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system)?;
    let method: &mut dyn precess::integrate::Integrator = &mut method;
    method.start(system, &mut state, h)?;
    for _ in 0..(t_end / h).round() as usize {
        method.step(system, &mut state, h)?;
        watch(&state);
    }
    let energy = system.energy(&state.at()).unwrap().total();
    Ok(Outcome { bodies: system.bodies(&state.at()), energy, state })
}

/// Largest difference of positions, orientations and velocities (the latter two divided by their size).
fn distance(a: &[BodyState], b: &[BodyState]) -> f64 {
    let mut largest: f64 = 0.0;
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.name, b.name);
        let (p, q) = (Vector4::from(a.rotation), Vector4::from(b.rotation));
        let speed = 1.0 + b.velocity.norm();
        let spin = 1.0 + b.angular_velocity.norm();
        let turned = if p.dot(&q) < 0.0 { p + q } else { p - q };
        let apart = [
            (a.position - b.position).largest(),
            turned.largest(),
            (a.velocity - b.velocity).largest() / speed,
            (a.angular_velocity - b.angular_velocity).largest() / spin,
        ];
        largest = apart.into_iter().fold(largest, larger);
    }
    largest
}

/// Errors against a refined solution in R^3xSO(3) shrink by four when h is halved.
fn order_two(model: &Model, h: f64, refinement: f64, t_end: f64) {
    let reference = integrate(
        &build(model, Formulation::R3SO3).unwrap(),
        Form::StabilizedIndex2,
        h / refinement,
        t_end,
        |_| {},
    )
    .unwrap();
    for form in FORMS {
        for formulation in ALL {
            let run = |h: f64| {
                let built = build(model, formulation).unwrap();
                integrate(&built, form, h, t_end, |_| {}).unwrap()
            };
            let (coarse, fine) = (run(h), run(h / 2.0));
            let (e_1, e_2) =
                (distance(&coarse.bodies, &reference.bodies), distance(&fine.bodies, &reference.bodies));
            let order = (e_1 / e_2).log2();
            let (de_1, de_2) =
                ((coarse.energy - reference.energy).abs(), (fine.energy - reference.energy).abs());
            println!(
                "{} {} {}: {e_1:.3e} {e_2:.3e} order {order:.3}; energy {de_1:.1e} {de_2:.1e}",
                model.name,
                form.name(),
                formulation.name()
            );
            assert!((order - 2.0).abs() < 0.1, "{} {}: {e_1} {e_2}", form.name(), formulation.name());
            assert!(e_2 < 2e-3, "{} {}: {e_2}", form.name(), formulation.name());
            assert!(de_2 < 5.0 * e_2 * reference.energy.abs().max(1.0), "energy {de_2}");
        }
    }
}

#[test]
fn heavy_tops_agree_at_order_two() {
    order_two(&heavy_top(1.5), 2e-3, 64.0, 0.4);
    // Angles that are linear in time make Tait-Bryan a thousand times more accurate here: the reference must
    // be better still.
    order_two(&heavy_top(150.0), 5e-4, 256.0, 0.1);
}

#[test]
fn double_pendulums_agree_at_order_two() {
    order_two(&double_pendulum(), 2e-3, 64.0, 0.6);
}

/// Largest |p.p - 1| in a state of Euler parameters with the bodies given as (p, x).
fn stretch(state: &State, bodies: usize) -> f64 {
    (0..bodies).fold(0.0, |largest: f64, i| {
        let p = Vector4::from_column_slice(&state.q[7 * i..7 * i + 4]);
        larger(largest, (p.norm_squared() - 1.0).abs())
    })
}

#[test]
fn euler_parameters_stay_normalised_in_index3_form() {
    for (model, h, t_end) in [(heavy_top(150.0), 1e-3, 0.5), (double_pendulum(), 1e-3, 0.5)] {
        let built = build(&model, Formulation::EulerParameters).unwrap();
        let mut largest: f64 = 0.0;
        integrate(&built, Form::Index3, h, t_end, |s| {
            largest = precess::study::larger(largest, stretch(s, model.bodies.len()));
        })
        .unwrap();
        assert!(largest < 1e-13, "{}: {largest:.1e}", model.name);
    }
}

/// A state of the model in R^3xSO(3) in motion, and the same in other coordinates.
fn same_state<P: Parameters>(model: &Model, parameters: P, t: f64) -> (Built, State, Coordinates<P>, State) {
    let mut built = build(model, Formulation::R3SO3).unwrap();
    let reached = integrate(&built, Form::StabilizedIndex2, 1e-3, t, |_| {}).unwrap().state;
    (built.q, built.v) = (reached.q, reached.v);
    let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let inner = build(model, Formulation::R3SO3).unwrap().system;
    let (system, q, v) = Coordinates::new(inner, parameters, &built.q, &built.v).unwrap();
    let other = InitialValues::new(&q, &v).consistent(&system).unwrap();
    (built, state, system, other)
}

/// Omega' and x'' of each body from the coordinates' accelerations.
fn accelerations<P: Parameters>(parameters: P, state: &State, bodies: usize) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..bodies {
        let first = i * (P::N + 3);
        let part = |x: &[f64]| {
            let mut p = Vector4::zeros();
            p.as_mut_slice()[..P::N].copy_from_slice(&x[first..first + P::N]);
            p
        };
        let (p, rate, acceleration) = (part(&state.q), part(&state.v), part(&state.vdot));
        let omega_dot = parameters.map(&p) * acceleration + parameters.bias(&p, &rate);
        out.extend_from_slice(omega_dot.as_slice());
        out.extend_from_slice(&state.vdot[first + P::N..first + P::N + 3]);
    }
    out
}

fn state_agrees<P: Parameters>(model: &Model, parameters: P) {
    for t in [0.0, 0.05, 0.3] {
        let (built, state, system, other) = same_state(model, parameters.clone(), t);
        let close = |what: &str, found: &[f64], expected: &[f64]| {
            let size = expected.iter().fold(1.0_f64, |s, x| larger(s, x.abs()));
            assert!(found.len() >= expected.len());
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 1e-9 * size, "{} {what}: {found:?} {expected:?}", model.name);
            }
        };
        assert!(distance(&system.bodies(&other.at()), &built.system.bodies(&state.at())) < 1e-13);
        close("v'", &accelerations(parameters.clone(), &other, model.bodies.len()), &state.vdot);
        close("lambda", &other.lambda, &state.lambda);
        for own in &other.lambda[state.lambda.len()..] {
            assert!(own.abs() < 1e-9 * state.lambda.iter().fold(1.0_f64, |s, x| larger(s, x.abs())), "{own}");
        }
        let energy = |s: &dyn System, x: &State| s.energy(&x.at()).unwrap();
        let (found, expected) = (energy(&system, &other), energy(&*built.system, &state));
        close("energy", &[found.kinetic, found.potential], &[expected.kinetic, expected.potential]);
        let reactions = system.reactions(&other.at());
        for (found, expected) in reactions.iter().zip(built.system.reactions(&state.at())) {
            assert_eq!(found.name, expected.name);
            close("force", found.force.as_slice(), expected.force.as_slice());
            close("torque", found.torque.as_slice(), expected.torque.as_slice());
            assert_eq!(found.multipliers.len(), expected.multipliers.len());
        }
    }
}

#[test]
fn accelerations_reactions_and_energies_agree_at_the_same_state() {
    for model in [heavy_top(1.5), heavy_top(150.0), double_pendulum()] {
        state_agrees(&model, EulerParameters);
        state_agrees(&model, TaitBryan);
    }
}

/// Without inertia in the direction of p the mass matrix is singular and (19) is solved in the null space of
/// B.
#[test]
fn singular_mass_gives_the_same_accelerations() {
    let model = double_pendulum();
    let (_, state, system, regular) = same_state(&model, EulerParameters, 0.2);
    let system = system.with_stretch_inertia(0.0);
    let mut singular = regular.clone();
    let mut solver = Accelerations::new(&system);
    solver.saddle.elimination = precess::integrate::saddle::Elimination::RangeSpace;
    let refused = solver.solve(&system, &mut singular);
    assert!(matches!(refused, Err(Error::SingularMass { .. })), "{refused:?}");
    solver.saddle.elimination = precess::integrate::saddle::Elimination::Auto;
    solver.solve(&system, &mut singular).unwrap();
    let found = accelerations(EulerParameters, &singular, 2);
    for (f, e) in found.iter().zip(&state.vdot) {
        assert!((f - e).abs() < 1e-10 * (1.0 + e.abs()), "{f} {e}");
    }
}

/// The inertia J_0 only moves the multiplier of the normalisation, which is zero without it.
#[test]
fn stretch_inertia_does_not_change_the_motion_in_index3_form() {
    let model = heavy_top(150.0);
    let run = |j_0: Option<f64>| {
        let inner = build(&model, Formulation::R3SO3).unwrap();
        let (system, q, v) = Coordinates::new(inner.system, EulerParameters, &inner.q, &inner.v).unwrap();
        let system = match j_0 {
            Some(j_0) => system.with_stretch_inertia(j_0),
            None => system,
        };
        let built = Built { system: Box::new(system), q, v };
        let mut own: f64 = 0.0;
        let outcome = integrate(&built, Form::Index3, 1e-3, 0.2, |s| {
            own = precess::study::larger(own, s.lambda[3].abs())
        })
        .unwrap();
        (outcome, own)
    };
    let (usual, own) = run(None);
    let (without, none) = run(Some(0.0));
    let (much, more) = run(Some(20.0));
    assert!(distance(&without.bodies, &usual.bodies) < 1e-10);
    assert!(distance(&much.bodies, &usual.bodies) < 1e-10);
    assert!(none < 1e-8 && own > 1e-3 && more > 10.0 * own, "{none} {own} {more}");
}

#[test]
fn gimbal_lock_is_reported_and_passed_by_euler_parameters() {
    let model = spinner();
    let h = 1e-2;
    let exact = std::f64::consts::FRAC_PI_2;
    let built = build(&model, Formulation::TaitBryan).unwrap();
    let mut reached = 0.0;
    let error = match integrate(&built, Form::Index3, h, 2.0, |s| reached = s.t) {
        Err(error) => error,
        Ok(_) => panic!("the middle angle went through 90 degrees without an error"),
    };
    assert!(reached > exact - 2.0 * h && reached < exact, "{reached}");
    match &error {
        Error::NotFinite { what, t, value, .. } => {
            assert!(what.contains("middle Tait-Bryan angle of body wheel"), "{what}");
            assert!(what.contains("gimbal lock of body wheel"), "{what}");
            assert!((t - exact).abs() < h && value.is_nan(), "{error}");
        }
        other => panic!("{other}"),
    }
    // The exact motion: a turn by t about y, and x = t/2.
    let angle = 2.0_f64;
    let rotation = [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0];
    let exact = [BodyState {
        name: "wheel".to_string(),
        position: Vector3::new(1.0, 0.0, 0.0),
        rotation,
        velocity: Vector3::new(0.5, 0.0, 0.0),
        angular_velocity: Vector3::y(),
    }];
    for formulation in [Formulation::EulerParameters, Formulation::R3SO3, Formulation::SE3] {
        let built = build(&model, formulation).unwrap();
        let outcome = integrate(&built, Form::Index3, h, 2.0, |_| {}).unwrap();
        let error = distance(&outcome.bodies, &exact);
        assert!(error < 1e-4, "{}: {error}", formulation.name());
    }
}

/// A hinge about the middle axis leads to the same error through the constrained equations.
#[test]
fn gimbal_lock_of_a_pendulum_is_reported() {
    let model = Model::new("pendulum")
        .gravity([0.0, 0.0, -9.81])
        .body(
            BodySpec::rigid("rod", 1.0, [0.1, 0.1, 0.01])
                .at([0.0, 0.0, -0.5])
                .moving([-3.0, 0.0, 0.0], [0.0, 6.0, 0.0]),
        )
        .joint(JointSpec::revolute("hinge", ["ground", "rod"], [0.0; 3], [0.0, 1.0, 0.0]));
    for form in FORMS {
        let built = build(&model, Formulation::TaitBryan).unwrap();
        let Err(error) = integrate(&built, form, 1e-2, 1.0, |_| {}) else { panic!("no error") };
        assert!(error.to_string().contains("gimbal lock of body rod"), "{error}");
        let built = build(&model, Formulation::EulerParameters).unwrap();
        integrate(&built, form, 1e-2, 1.0, |_| {}).unwrap();
    }
}

#[test]
fn gimbal_lock_at_the_start_is_refused() {
    let turned = |degrees: f64| {
        let mut model = spinner();
        model.bodies[0].rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), degrees.to_radians());
        model
    };
    for degrees in [89.5, -89.5, 90.0] {
        let Err(error) = build(&turned(degrees), Formulation::TaitBryan) else {
            panic!("{degrees} accepted")
        };
        let text = error.to_string();
        assert!(matches!(error, Error::Unsupported { .. }), "{text}");
        assert!(
            text.contains("gimbal lock of body wheel") && text.contains(&format!("{degrees:.3}")),
            "{text}"
        );
        assert!(build(&turned(degrees), Formulation::EulerParameters).is_ok());
    }
    for degrees in [88.0, -88.0, 135.0] {
        assert!(build(&turned(degrees), Formulation::TaitBryan).is_ok(), "{degrees}");
    }
}

#[test]
fn initial_values_are_converted() {
    for model in [heavy_top(150.0), double_pendulum(), spinner()] {
        let bodies = |formulation: Formulation| {
            let built = build(&model, formulation).unwrap();
            let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
            built.system.bodies(&state.at())
        };
        for formulation in CLASSICAL {
            assert!(distance(&bodies(formulation), &bodies(Formulation::R3SO3)) < 1e-15);
        }
    }
}

#[test]
fn names_are_known() {
    for name in Formulation::NAMES {
        assert_eq!(str::parse::<Formulation>(name).unwrap().name(), name);
    }
    assert_eq!(str::parse::<Formulation>("euler-parameters").unwrap(), Formulation::EulerParameters);
    assert_eq!(str::parse::<Formulation>("tait-bryan").unwrap(), Formulation::TaitBryan);
    let error = str::parse::<Formulation>("tait-brian").unwrap_err().to_string();
    assert!(error.contains("did you mean 'tait-bryan'"), "{error}");
}

/// Work arrays come from a pool, so runs that share a system at the same time do not disturb each other.
#[test]
fn one_system_serves_many_threads() {
    let built = build(&double_pendulum(), Formulation::EulerParameters).unwrap();
    let (system, q, v) = (&*built.system, &built.q, &built.v);
    let run = || {
        let mut method = MethodOptions::default().generalized_alpha().unwrap();
        let method: &mut dyn precess::integrate::Integrator = &mut method;
        let mut state = InitialValues::new(q, v).consistent(system).unwrap();
        method.start(system, &mut state, 1e-3).unwrap();
        for _ in 0..300 {
            method.step(system, &mut state, 1e-3).unwrap();
        }
        state
    };
    let alone = run();
    let together: Vec<State> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(together.iter().all(|state| *state == alone));
}

/// Forms that enforce only one hidden constraint leave the unit sphere, but R(p/|p|) stays a rotation.
#[test]
fn euler_parameters_off_the_sphere_keep_the_order() {
    let model = double_pendulum();
    let (h, t_end) = (4e-3, 0.6);
    let reference = integrate(
        &build(&model, Formulation::R3SO3).unwrap(),
        Form::StabilizedIndex2,
        h / 128.0,
        t_end,
        |_| {},
    )
    .unwrap();
    for form in [Form::Index2, Form::Index1] {
        let run = |h: f64| {
            let built = build(&model, Formulation::EulerParameters).unwrap();
            integrate(&built, form, h, t_end, |_| {}).unwrap()
        };
        let (coarse, fine) = (run(h), run(h / 2.0));
        assert!(stretch(&fine.state, 2) > 1e-8, "{}", stretch(&fine.state, 2));
        let errors = [&coarse, &fine].map(|x| distance(&x.bodies, &reference.bodies));
        let order = (errors[0] / errors[1]).log2();
        println!("{}: {errors:?} {order}", form.name());
        assert!((order - 2.0).abs() < 0.15 && errors[1] < 1e-3, "{}: {errors:?}", form.name());
    }
}
