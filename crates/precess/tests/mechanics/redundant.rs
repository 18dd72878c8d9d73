//! Mechanisms with redundant constraints and singular passages: a door on two hinges, a spatial four-bar, a
//! parallelogram with two windows. References are closed forms (elliptic functions) or one-degree-of-freedom
//! equations.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::lie::Largest;
use precess::mechanics::mobility::mobility;
use precess::mechanics::redundancy;
use precess::mechanics::{BodyKind, Tangents, Want};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, Built, JointSpec, Model, build};
use precess::study::larger;
use precess::study::{Run, Sample, Summary};

type V = Vector3<f64>;

fn orientation(x: V, y: V, z: V) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, z])))
}

fn arr(v: V) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// Integrates to the given times and returns the configuration of each, with the summary.
fn states(built: &Built, form: Form, h: f64, times: &[f64]) -> (Vec<Vec<f64>>, Summary, usize) {
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = MethodOptions { form, ..Default::default() }.generalized_alpha().unwrap();
    let mut found = Vec::new();
    let mut worst = 0;
    let mut record = |s: &Sample| {
        worst = worst.max(s.report.iterations);
        if found.len() < times.len() && (s.state.t - times[found.len()]).abs() < 0.25 * h {
            found.push(s.state.q.clone());
        }
    };
    let end = times[times.len() - 1];
    let summary = Run::new(h, end).run(system, &mut method, &mut state, &mut record).unwrap();
    assert_eq!(found.len(), times.len());
    (found, summary, worst)
}

/// A body-fixed point of the body that starts at entry `at` of q.
fn point(q: &[f64], at: usize, p: V) -> V {
    V::new(q[at + 4], q[at + 5], q[at + 6]) + precess::lie::rotation::rotate(&q[at..at + 4], &p)
}

// --- M1: door ----------------------------------------------------------------------------------------------

struct Door {
    model: Model,
    axis: V,
    ex: V,
}

/// The axis of the second hinge may be turned by `delta`.
fn door(delta: f64) -> Door {
    let tilt = 10f64.to_radians();
    let axis = V::new(tilt.sin(), 0.0, tilt.cos());
    let ex = V::new(tilt.cos(), 0.0, -tilt.sin());
    let phi = 120f64.to_radians();
    let x = ex * phi.cos() + V::y() * phi.sin();
    let inertia = [6.669333333333333, 8.016666666666667, 1.3526666666666667];
    let axis2 = axis + V::y() * delta;
    let model = Model::new("door")
        .gravity([0.0, 0.0, -9.81])
        .body(BodySpec::rigid("door", 20.0, inertia).at(arr(x * 0.45)).rotated(orientation(
            x,
            axis.cross(&x),
            axis,
        )))
        .joint(JointSpec::revolute("hinge1", ["ground", "door"], arr(axis * -0.7), arr(axis)))
        .joint(JointSpec::revolute("hinge2", ["ground", "door"], arr(axis * 0.7), arr(axis2)));
    Door { model, axis, ex }
}

/// Angle of the door at these times.
const DOOR_TIMES: [f64; 6] = [0.5, 1.0, 2.0, 3.0, 5.0, 10.0];
const DOOR_ANGLES: [f64; 6] = [
    1.779042427635265,
    0.788381778153943,
    -1.696132891829013,
    -1.851850097408027,
    2.076475297338809,
    2.022356720994813,
];

fn door_error(d: &Door, form: Form, h: f64, n: usize) -> (f64, Summary, usize) {
    let built = build(&d.model, Formulation::R3SO3).unwrap();
    let (q, summary, worst) = states(&built, form, h, &DOOR_TIMES[..n]);
    let mut error: f64 = 0.0;
    for (q, phi) in q.iter().zip(DOOR_ANGLES) {
        let exact = (d.ex * phi.cos() + V::y() * phi.sin()) * 0.9;
        error = precess::study::larger(error, (point(q, 0, V::x() * 0.45) - exact).norm());
    }
    assert!((d.axis.norm() - 1.0).abs() < 1e-15);
    (error, summary, worst)
}

#[test]
fn door_on_two_hinges() {
    let d = door(0.0);
    let (error, summary, worst) = door_error(&d, Form::Index3, 1e-3, 6);
    assert!(error < 6e-6, "{error:e}");
    assert!(summary.energy_drift.unwrap() < 8e-5 && summary.position_max < 1e-11);
    assert!(summary.iterations as f64 <= 2.2 * summary.steps as f64 && worst <= 8);
    let (half, ..) = door_error(&d, Form::Index3, 5e-4, 5);
    let (whole, ..) = door_error(&d, Form::Index3, 1e-3, 5);
    assert!((3.7..4.3).contains(&(whole / half)), "{whole:e} {half:e}");
    let (error, summary, _) = door_error(&d, Form::StabilizedIndex2, 1e-3, 5);
    assert!(error < 1.5 * 2.03e-6, "{error:e}");
    assert!(summary.velocity_max < 1e-9);
}

/// The same mechanism in millimetres and tonnes.
fn in_millimetres(model: &Model) -> Model {
    let mut m = model.clone();
    m.gravity *= 1e3;
    for b in &mut m.bodies {
        b.mass *= 1e-3;
        b.position *= 1e3;
        b.velocity *= 1e3;
        if let BodyKind::Rigid { inertia } = &mut b.kind {
            *inertia *= 1e3;
        }
    }
    for j in &mut m.joints {
        j.point *= 1e3;
        j.point2 *= 1e3;
    }
    m
}

#[test]
fn units_do_not_matter() {
    for model in [door(0.0).model, four_bar(2.0).model, parallelogram(0.35, 2.0)] {
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let si = build(&model, Formulation::R3SO3).unwrap();
            let mm = build(&in_millimetres(&model), Formulation::R3SO3).unwrap();
            let (a, ..) = states(&si, form, 1e-3, &[0.5, 1.0]);
            let (b, ..) = states(&mm, form, 1e-3, &[0.5, 1.0]);
            for (a, b) in a.iter().zip(&b) {
                for i in 0..a.len() {
                    let scale = if i % 7 < 4 { 1.0 } else { 1e3 };
                    assert!(
                        (a[i] - b[i] / scale).abs() < 1e-9,
                        "{} {form:?} {i}: {} {}",
                        model.name,
                        a[i],
                        b[i]
                    );
                }
            }
        }
    }
}

#[test]
fn slightly_misaligned_door_is_not_disturbed() {
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let (error, ..) = door_error(&door(1e-9), form, 1e-3, 5);
        assert!(error < 1e-5, "{form:?} {error:e}");
    }
}

// --- M2: four-bar ------------------------------------------------------------------------------------------

fn rod(name: &str, mass: f64, length: f64, from: V, to: V, normal: V) -> BodySpec {
    let j = mass * length * length / 12.0;
    let x = (to - from) / length;
    BodySpec::rigid(name, mass, [0.01 * j, j, j]).at(arr((from + to) * 0.5)).rotated(orientation(
        x,
        normal.cross(&x),
        normal,
    ))
}

struct FourBar {
    model: Model,
    plane: Rotation3<f64>,
}

/// Joint C in the plane for a crank angle, open branch.
fn coupler_end(theta: f64) -> V {
    let (l1, l2, l3, l0) = (0.3, 0.8, 0.7, 0.9);
    let b = V::new(theta.cos(), theta.sin(), 0.0) * l1;
    let bd = V::new(l0, 0.0, 0.0) - b;
    let psi = bd.y.atan2(bd.x) + ((l2 * l2 + bd.norm_squared() - l3 * l3) / (2.0 * l2 * bd.norm())).acos();
    b + V::new(psi.cos(), psi.sin(), 0.0) * l2
}

fn four_bar(coupler_mass: f64) -> FourBar {
    let (l1, l2, l3, l0) = (0.3, 0.8, 0.7, 0.9);
    let plane = Rotation3::from_scaled_axis(V::new(1.0, 2.0, 2.0) / 3.0 * 25f64.to_radians());
    let (theta, rate): (f64, f64) = (1.0, 8.0);
    let d = V::new(l0, 0.0, 0.0);
    let b = V::new(theta.cos(), theta.sin(), 0.0) * l1;
    let c = coupler_end(theta);
    // Velocities: v_C from the crank side equals v_C from the rocker side.
    let v_b = V::z().cross(&b) * rate;
    let (u2, u3) = (V::z().cross(&(c - b)), V::z().cross(&(c - d)));
    let det = -u2.x * u3.y + u2.y * u3.x;
    let w2 = (v_b.x * u3.y - v_b.y * u3.x) / det;
    let w3 = (u2.x * -v_b.y + u2.y * v_b.x) / det;
    assert!((v_b + u2 * w2 - u3 * w3).norm() < 1e-12);
    let g = |v: V| plane * v;
    let n = g(V::z());
    let moving = |body: BodySpec, v: V, w: f64| {
        let v = g(v);
        body.moving(arr(v), [0.0, 0.0, w])
    };
    let joint = |name: &str, bodies: [&str; 2], p: V| JointSpec::revolute(name, bodies, arr(g(p)), arr(n));
    let model = Model::new("four_bar")
        .gravity([0.0, -9.81, 0.0])
        .body(moving(rod("crank", 1.0, l1, g(V::zeros()), g(b), n), v_b * 0.5, rate))
        .body(moving(rod("coupler", coupler_mass, l2, g(b), g(c), n), v_b + u2 * (0.5 * w2), w2))
        .body(moving(rod("rocker", 1.5, l3, g(d), g(c), n), u3 * (0.5 * w3), w3))
        .joint(joint("A", ["ground", "crank"], V::zeros()))
        .joint(joint("B", ["crank", "coupler"], b))
        .joint(joint("C", ["coupler", "rocker"], c))
        .joint(joint("D", ["ground", "rocker"], d));
    FourBar { model, plane }
}

#[test]
fn four_bar_loop() {
    let bar = four_bar(2.0);
    let built = build(&bar.model, Formulation::R3SO3).unwrap();
    let reference =
        [V::new(0.502665940410, 0.576303431440, 0.0), V::new(0.807216088613, 0.693823569640, 0.0)];
    let error = |form: Form, h: f64| {
        let (q, summary, worst) = states(&built, form, h, &[1.0, 10.0]);
        let e = q
            .iter()
            .zip(&reference)
            .map(|(q, r)| (bar.plane.inverse() * point(q, 7, V::x() * 0.4) - r).norm())
            .fold(0.0, larger);
        assert!(summary.position_max < 1e-11, "{}", summary.position_max);
        assert!(summary.iterations as f64 <= 2.2 * summary.steps as f64 && worst <= 8);
        (e, summary)
    };
    let (e, summary) = error(Form::Index3, 1e-3);
    assert!(e < 1e-3, "{e:e}");
    assert!(summary.energy_drift.unwrap() < 8e-3, "{:?}", summary.energy_drift);
    let (fine, _) = error(Form::Index3, 5e-4);
    assert!((3.7..4.3).contains(&(e / fine)), "{e:e} {fine:e}");
    let (stabilized, summary) = error(Form::StabilizedIndex2, 1e-3);
    assert!(stabilized < 1e-3 && summary.velocity_max < 1e-8, "{stabilized:e} {}", summary.velocity_max);
}

#[test]
fn four_bar_with_a_heavy_coupler() {
    let bar = four_bar(2e6);
    let built = build(&bar.model, Formulation::R3SO3).unwrap();
    // Crank angles of the one-degree-of-freedom equation.
    let (q, ..) = states(&built, Form::Index3, 1e-3, &[1.0, 10.0]);
    for (q, theta) in q.iter().zip([11.696057281306_f64, 105.513287237260]) {
        let c = bar.plane.inverse() * point(q, 7, V::x() * 0.4);
        let e = (c - coupler_end(theta)).norm();
        assert!(e < 1.5e-3, "{e:e}");
    }
}

// --- M3: parallelogram with two windows --------------------------------------------------------------------

fn parallelogram(theta: f64, rate: f64) -> Model {
    let (s, c) = theta.sin_cos();
    let up = V::new(s, c, 0.0) * 0.6;
    let v_top = V::new(c, -s, 0.0) * (0.6 * rate);
    let feet = [0.0, 0.8, 1.3].map(|x| V::new(x, 0.0, 0.0));
    let mut model = Model::new("parallelogram").gravity([0.0, -9.81, 0.0]);
    for (i, (mass, foot)) in [1.2, 0.7, 0.9].into_iter().zip(feet).enumerate() {
        let link = rod(&format!("link{i}"), mass, 0.6, foot, foot + up, V::z());
        model = model.body(link.moving(arr(v_top * 0.5), [0.0, 0.0, -rate]));
    }
    let bars = [("bar0", 1.5, 0.8, 0, 1), ("bar1", 0.6, 0.5, 1, 2)];
    for (name, mass, length, i, j) in bars {
        let bar = rod(name, mass, length, feet[i] + up, feet[j] + up, V::z());
        model = model.body(bar.moving(arr(v_top), [0.0; 3]));
    }
    let z = [0.0, 0.0, 1.0];
    for (i, foot) in feet.iter().enumerate() {
        let link = format!("link{i}");
        model = model.joint(JointSpec::revolute(&format!("A{i}"), ["ground", &link], arr(*foot), z));
    }
    for (name, link, bar, i) in [
        ("B0", "link0", "bar0", 0),
        ("B1a", "link1", "bar0", 1),
        ("B1b", "link1", "bar1", 1),
        ("B2", "link2", "bar1", 2),
    ] {
        model = model.joint(JointSpec::revolute(name, [link, bar], arr(feet[i] + up), z));
    }
    model
}

fn parallelogram_error(
    model: &Model,
    form: Form,
    h: f64,
    times: &[f64],
    angles: &[f64],
) -> (f64, Summary, usize) {
    let built = build(model, Formulation::R3SO3).unwrap();
    let (q, summary, worst) = states(&built, form, h, times);
    let e = q
        .iter()
        .zip(angles)
        .map(|(q, a)| (point(q, 0, V::x() * 0.3) - V::new(a.sin(), a.cos(), 0.0) * 0.6).norm())
        .fold(0.0, larger);
    (e, summary, worst)
}

const PARALLELOGRAM: [(f64, f64); 5] = [
    (0.5, 2.93400142722687),
    (1.0, 5.83060099919632),
    (2.0, 9.18188814985592),
    (5.0, 21.67789458141466),
    (10.0, 43.47023827379064),
];

#[test]
fn parallelogram_goes_through_its_flat_positions() {
    let (times, angles): (Vec<f64>, Vec<f64>) = PARALLELOGRAM.into_iter().unzip();
    let model = parallelogram(0.35, 2.0);
    let (e, summary, worst) = parallelogram_error(&model, Form::Index3, 1e-3, &times, &angles);
    assert!(e < 3e-4, "{e:e}");
    assert!(summary.energy_drift.unwrap() < 1.7e-3, "{:?}", summary.energy_drift);
    assert!(summary.position_max < 1e-11, "{}", summary.position_max);
    assert!(summary.iterations as f64 <= 2.2 * summary.steps as f64 && worst <= 8, "{worst}");
    let (e, ..) = parallelogram_error(&model, Form::StabilizedIndex2, 1e-3, &times[..4], &angles[..4]);
    assert!(e < 1.5 * 9.5e-5, "{e:e}");
}

#[test]
fn parallelogram_keeps_its_branch_for_many_step_sizes() {
    let (times, angles): (Vec<f64>, Vec<f64>) = PARALLELOGRAM.into_iter().unzip();
    let model = parallelogram(0.35, 2.0);
    for n in [27.0, 41.0, 58.0, 83.0, 97.0, 121.0, 134.0, 166.0] {
        let h = 0.25 / n;
        let (e, ..) = parallelogram_error(&model, Form::Index3, h, &times, &angles);
        assert!(e < 300.0 * h * h, "n = {n}: {e:e}, {:.0} h^2", e / h / h);
    }
}

#[test]
fn parallelogram_starts_flat_and_passes_slowly() {
    let model = parallelogram(std::f64::consts::FRAC_PI_2, 6.5);
    let (e, _, worst) = parallelogram_error(&model, Form::Index3, 1e-3, &[10.0], &[50.89107371444618]);
    assert!(e < 1.2e-3 && worst <= 8, "{e:e} {worst}");
    let model = parallelogram(std::f64::consts::FRAC_PI_2 - 0.02, 0.0);
    let (e, ..) = parallelogram_error(&model, Form::Index3, 1e-3, &[10.0], &[2.341104001802]);
    assert!(e < 4e-4, "{e:e}");
}

#[test]
fn reactions_of_the_door_are_bounded_and_shared_evenly() {
    let d = door(0.0);
    let built = build(&d.model, Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = MethodOptions::default().generalized_alpha().unwrap();
    let mut record = |s: &Sample| {
        if !s.step.is_multiple_of(100) {
            return;
        }
        let at = s.state.at();
        let hinges = system.reactions(&at);
        let acceleration = V::from_column_slice(&s.state.vdot[3..6]);
        let resultant = hinges[0].force + hinges[1].force;
        let expected = (acceleration + V::z() * 9.81) * 20.0;
        assert!((resultant - expected).norm() < 1e-3, "step {}: {resultant} {expected}", s.step);
        let axial = hinges.axial(&d.axis);
        assert!((axial[0] - axial[1]).abs() < 1e-3, "step {}: {axial:?}", s.step);
        for h in &hinges {
            assert!(!h.unique && h.force.largest() < 120.0, "step {}: {}", s.step, h.force);
        }
    };
    Run::new(1e-3, 10.0).run(system, &mut method, &mut state, &mut record).unwrap();
}

/// Components of forces along an axis.
trait Axial {
    fn axial(&self, axis: &V) -> Vec<f64>;
}

impl Axial for Vec<precess::mechanics::Reaction> {
    fn axial(&self, axis: &V) -> Vec<f64> {
        self.iter().map(|r| r.force.dot(axis)).collect()
    }
}

#[test]
fn visibly_misaligned_door_still_gives_numbers() {
    let (error, summary, _) = door_error(&door(1e-7), Form::Index3, 1e-3, 5);
    assert!(error < 1e-2 && summary.position_max.is_finite(), "{error:e}");
}

/// An imperfect linkage has no right answer at its bifurcation, but the run must not end silently with a
/// wrong one.
#[test]
fn imperfect_parallelogram_does_not_fail_silently() {
    let mut model = parallelogram(0.35, 2.0);
    let a1 = model.joints.iter_mut().find(|j| j.name == "A1").unwrap();
    a1.point.x += 1e-6;
    a1.point2.x += 1e-6;
    let built = build(&model, Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).fixed().consistent(system).unwrap();
    let mut method = MethodOptions::default().generalized_alpha().unwrap();
    match Run::new(1e-3, 10.0).run(system, &mut method, &mut state, &mut ()) {
        Err(failure) => println!("{failure}"),
        Ok(summary) => {
            println!("{:?} {:?}", summary.energy_drift, summary.warnings);
            assert!(summary.energy_drift.unwrap() < 1.0 || !summary.warnings.is_empty());
        }
    }
}

// --- Large nets --------------------------------------------------------------------------------------------

/// A square net of balls and sockets on a curved surface, hung up at a corner; a body of it may also be held
/// by two hinges.
fn net(n: usize, hinges: bool) -> Model {
    let mut model = Model::new("net").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize, j: usize| format!("b{i}_{j}");
    let place = |x: f64, y: f64| [x, y, 0.3 * (1.7 * x + 0.4).sin() * (2.3 * y + 0.9).cos()];
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let (x, y) = (i as f64, j as f64);
        model = model.body(BodySpec::rigid(&name(i, j), 1.0, [0.1, 0.1, 0.2]).at(place(x, y)));
        if i > 0 {
            let bodies = [&name(i - 1, j)[..], &name(i, j)];
            model = model.joint(JointSpec::spherical(&format!("x{i}_{j}"), bodies, place(x - 0.5, y)));
        }
        if j > 0 {
            let bodies = [&name(i, j - 1)[..], &name(i, j)];
            model = model.joint(JointSpec::spherical(&format!("y{i}_{j}"), bodies, place(x, y - 0.5)));
        }
    }
    let corner = name(0, 0);
    if hinges {
        for (hinge, z) in [("upper", 0.5), ("lower", -0.5)] {
            model =
                model.joint(JointSpec::revolute(hinge, ["ground", &corner], [0.0, 0.0, z], [0.0, 0.0, 1.0]));
        }
        return model;
    }
    model.joint(JointSpec::spherical("corner", ["ground", &corner], place(-0.5, -0.5)))
}

/// Whether the rows of a model are independent, by inverse iteration.
fn is_regular(model: &Model) -> bool {
    let built = build(model, Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut tangents = Tangents::of(system);
    tangents.evaluate(system, &state.at(), Want::SADDLE);
    let weights = vec![1.0; system.n_lambda()];
    redundancy::is_regular(system, &tangents, &weights)
}

/// The test of large nets agrees with the count of redundant rows in small models.
#[test]
fn inverse_iteration_finds_redundant_rows() {
    let redundant = |model: &Model| {
        let built = build(model, Formulation::R3SO3).unwrap();
        let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let joints = &built.system.structure().unwrap().constraints;
        mobility(&*built.system, &state, joints, model.bodies.len()).redundant()
    };
    let loose = net(6, false);
    assert_eq!(redundant(&loose), 0);
    assert!(is_regular(&loose));
    for model in [net(6, true), door(0.0).model, four_bar(2.0).model] {
        assert!(redundant(&model) > 0);
        assert!(!is_regular(&model));
    }
}

/// Above the size up to which redundant rows are counted: a net without any is not regularised, one with two
/// hinges in line is.
#[test]
fn large_nets_are_regularised_where_they_must_be() {
    for hinges in [false, true] {
        let built = build(&net(18, hinges), Formulation::R3SO3).unwrap();
        assert!(built.system.n_lambda() > 1500);
        assert_eq!(built.system.row_weights().is_some(), hinges);
    }
}
