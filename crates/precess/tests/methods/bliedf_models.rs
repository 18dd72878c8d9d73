//! BLieDF on models other than the heavy top: a chain of rods, stiff forces at the start, model files,
//! allocations.

use crate::common::*;
use crate::counting::count;
use precess::formulation::Formulation::{self, R3SO3, SE3, SO3};
use precess::integrate::{Correction, Eta, Form, InitialValues, Integrator, Strategy};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, Built, JointSpec, Model, build, load};
use precess::problems::HeavyTop;
use precess::study::{Run, observed_order};

/// Five rods with spherical joints, hung at the origin along x, each spinning about its axis: not a plane
/// motion.
fn chain(formulation: Formulation) -> Built {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize| if i == 0 { "ground".to_string() } else { format!("rod{i}") };
    for i in 0..5 {
        let x = i as f64;
        let rod = BodySpec::rigid(&name(i + 1), 1.0, [0.02, 0.09, 0.08])
            .at([x + 0.5, 0.0, 0.0])
            .moving([0.0; 3], [20.0 - 8.0 * x, 0.0, 0.0]);
        model = model.body(rod).joint(JointSpec::spherical(
            &format!("j{i}"),
            [&name(i), &name(i + 1)],
            [x, 0.0, 0.0],
        ));
    }
    build(&model, formulation).unwrap()
}

fn end(built: &Built, options: &MethodOptions, h: f64, t_end: f64) -> State {
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = options.bliedf().unwrap();
    let summary = Run::new(h, t_end).run(system, &mut method, &mut state, &mut ()).unwrap();
    assert!(summary.position_max < 1e-12, "{}", summary.position_max);
    if options.form == Form::StabilizedIndex2 {
        assert!(summary.velocity_max < 1e-11, "{}", summary.velocity_max);
    }
    state
}

/// Distances of q, v and lambda.
fn distances(built: &Built, a: &State, b: &State) -> [f64; 3] {
    let mut d = vec![0.0; a.v.len()];
    built.system.group().difference(&a.q, &b.q, &mut d);
    [norm(&d), distance(&a.v, &b.v), distance(&a.lambda, &b.lambda)]
}

#[test]
fn a_chain_of_five_has_order_k() {
    for formulation in [R3SO3, SE3] {
        let built = chain(formulation);
        let t_end = 0.4;
        let reference = |form| MethodOptions { k: 6, form, ..Default::default() };
        let fine = end(&built, &reference(Form::StabilizedIndex2), 1e-4, t_end);
        // Another method with a smaller step agrees with the reference.
        let other = MethodOptions { k: 5, eta: Eta::Paper, ..reference(Form::StabilizedIndex2) };
        let doubt = distances(&built, &fine, &end(&built, &other, 5e-5, t_end));
        assert!(doubt[0] < 1e-10 && doubt[1] < 1e-9 && doubt[2] < 1e-7, "{doubt:?}");
        // Rounding errors of lambda are 1e-16 / h^2 times its size, so higher orders are measured with larger
        // steps.
        for (k, form, correction, h) in [
            (2, Form::StabilizedIndex2, Correction::Magnus, 1e-3),
            (3, Form::StabilizedIndex2, Correction::Magnus, 1e-3),
            (4, Form::StabilizedIndex2, Correction::Magnus, 1e-3),
            (5, Form::StabilizedIndex2, Correction::Magnus, 2e-3),
            (6, Form::StabilizedIndex2, Correction::Magnus, 4e-3),
            (2, Form::Index3, Correction::Paper, 1e-3),
            (3, Form::Index3, Correction::Paper, 1e-3),
            (4, Form::Index3, Correction::Paper, 2e-3),
            (4, Form::Index3, Correction::Magnus, 2e-3),
        ] {
            let options = MethodOptions { k, form, correction, ..Default::default() };
            let error = |h: f64| distances(&built, &end(&built, &options, h, t_end), &fine);
            let (coarse, fine) = (error(h), error(h / 2.0));
            for (i, what) in ["q", "v", "lambda"].into_iter().enumerate() {
                let p = observed_order(h, coarse[i], h / 2.0, fine[i]);
                let range = k as f64 - 0.25..=k as f64 + 0.6;
                assert!(
                    range.contains(&p),
                    "{formulation:?} k = {k} {form:?} {correction:?} {what}: order {p}, {coarse:?} {fine:?}"
                );
            }
        }
    }
}

/// Three links of length 1, 2 and 1 on parallel revolute joints close a loop: three of its 20 rows are
/// redundant.
fn parallelogram() -> Built {
    let y = [0.0, 1.0, 0.0];
    let link = |name: &str, x: [f64; 3]| BodySpec::rigid(name, 1.0, [0.01, 0.09, 0.08]).at(x);
    let model = Model::new("parallelogram")
        .gravity([0.0, 0.0, -9.81])
        .body(link("left", [0.3, 0.0, -0.4]))
        .body(link("right", [2.3, 0.0, -0.4]))
        .body(link("coupler", [1.6, 0.0, -0.8]))
        .joint(JointSpec::revolute("a", ["ground", "left"], [0.0, 0.0, 0.0], y))
        .joint(JointSpec::revolute("b", ["ground", "right"], [2.0, 0.0, 0.0], y))
        .joint(JointSpec::revolute("c", ["left", "coupler"], [0.6, 0.0, -0.8], y))
        .joint(JointSpec::revolute("d", ["right", "coupler"], [2.6, 0.0, -0.8], y));
    build(&model, R3SO3).unwrap()
}

/// The coupler only translates, so (J + J + m/4 + m/4 + m) phi'' = (m/2 + m/2 + m) g cos(phi), with phi
/// downwards.
#[test]
fn redundant_constraints_are_no_trouble() {
    let built = parallelogram();
    assert!(built.system.row_weights().is_some());
    let t_end = 0.3;
    let inertia = 2.0 * (0.09 + 0.25) + 1.0;
    let y = runge_kutta(
        |_, y| [y[1], 2.0 * 9.81 / inertia * y[0].cos()],
        [0.8_f64.asin(), 0.0],
        (0.0, t_end),
        3000,
    );
    for (k, form, largest) in [
        (2, Form::StabilizedIndex2, 1e-4),
        (4, Form::StabilizedIndex2, 1e-7),
        (6, Form::StabilizedIndex2, 1e-8),
        (4, Form::Index3, 1e-7),
    ] {
        let options = MethodOptions { k, form, ..Default::default() };
        let error = |h: f64| {
            let state = end(&built, &options, h, t_end);
            // The first body is the left link.
            distance(&state.q[4..7], &[0.5 * y[0].cos(), 0.0, -0.5 * y[0].sin()])
        };
        let (coarse, fine) = (error(5e-3), error(2.5e-3));
        assert!(fine < largest && fine < 0.4 * coarse, "k = {k} {form:?}: {coarse:e} {fine:e}");
    }
}

#[test]
fn model_files_choose_k_and_the_correction() {
    let text = |integrator: &str| {
        format!(
            "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [integrator]\nmethod = \"bliedf\"\n{integrator}\n[run]\nstep = 1e-3\nuntil = 0.1\n"
        )
    };
    let loaded = load("x.toml", &text("k = 3\ncorrection = \"paper\""), &[]).unwrap();
    assert_eq!((loaded.settings.options.k, loaded.settings.options.correction), (3, Correction::Paper));
    let loaded = load("x.toml", &text(""), &[]).unwrap();
    assert_eq!((loaded.settings.options.k, loaded.settings.options.correction), (4, Correction::Magnus));
    for (wrong, says) in [
        ("k = 7", "2 to 6 steps"),
        ("k = 5\ncorrection = \"paper\"", "k is 5"),
        ("correction = \"magnuss\"", "did you mean 'magnus'"),
    ] {
        let message = load("x.toml", &text(wrong), &[]).unwrap_err().to_string();
        assert!(message.contains(says), "{wrong}: {message}");
    }
}

/// A pendulum without joint: a stiff spring (frequency 1e5 per second, critically damped) keeps the distance
/// from the origin.
struct Stiff {
    group: Product,
}

impl System for Stiff {
    fn group(&self) -> &Product {
        &self.group
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let length = norm(at.q);
        let rate = (at.q[0] * at.v[0] + at.q[1] * at.v[1]) / length;
        let tension = 1e10 * (length - 1.0) + 2e5 * rate;
        for i in 0..2 {
            r[i] = at.vdot[i] + tension * at.q[i] / length;
        }
        r[1] += 9.81;
    }
}

/// An explicit start would need steps of 1e-5.
#[test]
fn the_start_survives_stiff_forces() {
    let system = Stiff { group: Product::new([Factor::Rn(2)]) };
    for k in 2..=5 {
        let mut state = InitialValues::new(&[1.0, 0.0], &[0.0, 0.0]).consistent(&system).unwrap();
        let options = MethodOptions { k, ..Default::default() };
        let mut method = options.bliedf().unwrap();
        Run::new(2e-3, 0.5).run(&system, &mut method, &mut state, &mut ()).unwrap();
        // Rigid pendulum by Runge-Kutta.
        let y = runge_kutta(|_, y| [y[1], 9.81 * y[0].cos()], [0.0, 0.0], (0.0, 0.5), 2000);
        let error = distance(&state.q, &[y[0].cos(), -y[0].sin()]);
        assert!(error < 3e-4, "k = {k}: {error:e}");
    }
}

#[test]
fn steps_do_not_allocate() {
    for formulation in [R3SO3, SE3, SO3] {
        let top = HeavyTop::fast(formulation);
        for (k, correction, form) in [
            (2, Correction::Paper, Form::Index3),
            (4, Correction::Paper, Form::StabilizedIndex2),
            (4, Correction::Magnus, Form::Index3),
            (6, Correction::Magnus, Form::StabilizedIndex2),
            (3, Correction::None, Form::Index2),
        ] {
            for strategy in [Strategy::Full, Strategy::Modified] {
                let mut options = MethodOptions { k, correction, form, ..Default::default() };
                options.newton.strategy = strategy;
                let mut method = options.bliedf().unwrap();
                let mut state = top_state(&top);
                method.start(&top, &mut state, 5e-4).unwrap();
                let mut before = count();
                // The steps that return starting values do not allocate either. The first real step may
                // allocate.
                for _ in 0..k {
                    method.step(&top, &mut state, 5e-4).unwrap();
                }
                assert_eq!(count(), before);
                method.step(&top, &mut state, 5e-4).unwrap();
                before = count();
                for _ in 0..200 {
                    method.step(&top, &mut state, 5e-4).unwrap();
                }
                let n = count() - before;
                assert_eq!(n, 0, "{formulation:?} k = {k} {correction:?} {form:?} {strategy:?}");
            }
        }
    }
    let before = count();
    std::hint::black_box(vec![1.0_f64; 10]);
    assert_eq!(count() - before, 1, "the counter counts");
}
