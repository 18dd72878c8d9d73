//! Newton's method: strategies, exactness of the matrix, line search, tolerance and independence of units.

use crate::common::*;
use crate::model_util::load_model;
use nalgebra::{Matrix1, Vector3};
use precess::Error;
use precess::formulation::Formulation::{self, R3SO3, SE3};
use precess::integrate::step::{KktFactors, Linear, Method, Step};
use precess::integrate::{
    Eta, Form, GeneralizedAlpha, Implicit, InitialValues, Integrator, Newton, Scheme, Start, Strategy,
};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, Energy, State, System, Tangents};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::solve::Solver;
use precess::study::{Run, Sample, Summary};

const STRATEGIES: [Strategy; 5] =
    [Strategy::Full, Strategy::Simplified, Strategy::Modified, Strategy::Once, Strategy::Kept];

fn run(system: &dyn System, top: &HeavyTop, options: &MethodOptions, h: f64) -> (State, Summary) {
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(system).unwrap();
    let mut method = options.generalized_alpha().unwrap();
    let summary = Run::new(h, 0.2).run(system, &mut method, &mut state, &mut |_: &Sample| {}).unwrap();
    (state, summary)
}

fn with(form: Form, strategy: Strategy) -> MethodOptions {
    let mut options = options(form, Start::Classical);
    options.newton.strategy = strategy;
    options
}

/// Two states agree relatively, lambda a thousand times less: it is a second difference of positions.
#[track_caller]
fn assert_same(what: &str, a: &State, b: &State, tolerance: f64) {
    assert_close(&format!("{what}: q"), &a.q, &b.q, tolerance);
    assert_close(&format!("{what}: v"), &a.v, &b.v, tolerance);
    assert_close(&format!("{what}: lambda"), &a.lambda, &b.lambda, 100.0 * tolerance);
}

#[test]
fn strategies_agree() {
    for formulation in [R3SO3, SE3] {
        let top = HeavyTop::fast(formulation);
        for form in FORMS {
            // An error of 1e-7 of the local error per step adds up to 1e-7 of the global error, 2e-2 in q.
            for (tolerance, expected) in [(1e-9, 1e-8), (1e-7, 2e-7)] {
                let [full, simplified, modified, once, kept] = STRATEGIES.map(|strategy| {
                    let mut options = with(form, strategy);
                    options.newton.tolerance = tolerance;
                    run(&top, &top, &options, 5e-4)
                });
                let what = format!("{formulation:?}, {form:?}, {tolerance:e}");
                assert_same(&what, &simplified.0, &full.0, expected);
                assert_same(&what, &modified.0, &full.0, expected);
                assert_same(&what, &once.0, &full.0, expected);
                assert_same(&what, &kept.0, &full.0, expected);
                assert_eq!(full.1.jacobians, full.1.iterations);
                assert!(
                    kept.1.jacobians <= once.1.jacobians && once.1.jacobians < full.1.jacobians,
                    "{what}"
                );
                assert!(
                    5 * modified.1.jacobians < full.1.jacobians,
                    "{what}: {} and {} matrices",
                    modified.1.jacobians,
                    full.1.jacobians
                );
                // LA, section 3.5: with constant M and B very few matrices are needed.
                if formulation == SE3 {
                    assert!(modified.1.jacobians <= 2, "{what}: {}", modified.1.jacobians);
                    assert!(5 * kept.1.jacobians < full.1.jacobians, "{what}: {}", kept.1.jacobians);
                }
            }
        }
    }
}

/// With a matrix of an earlier step, the remaining error has the same sign in every step. At small steps,
/// corrections are close to round-off, but this error must not be mistaken for round-off: the error of the
/// method is 0.2 * 1.28e4 h^2 = 2.6e-7 here.
#[test]
fn old_matrices_are_accurate_for_small_steps() {
    let top = HeavyTop::fast(R3SO3);
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let [full, _, modified, _, kept] = STRATEGIES.map(|s| run(&top, &top, &with(form, s), 1e-5));
        for (x, rarely) in [(modified, 100), (kept, 5)] {
            assert_close(&format!("{form:?}"), &x.0.q, &full.0.q, 5e-8);
            assert!(rarely * x.1.jacobians < full.1.jacobians, "{form:?}: {}", x.1.jacobians);
        }
    }
}

#[test]
fn old_matrices_belong_to_their_step_size() {
    let top = HeavyTop::fast(SE3);
    let mut states = [Strategy::Full, Strategy::Modified, Strategy::Kept].map(|strategy| {
        let mut method = with(Form::StabilizedIndex2, strategy).generalized_alpha().unwrap();
        let mut state = top_state(&top);
        method.start(&top, &mut state, 1e-3).unwrap();
        let mut jacobians = Vec::new();
        for h in [1e-3, 1e-3, 1e-3, 2e-4, 2e-4, 1e-3, 1e-3] {
            jacobians.push(method.step(&top, &mut state, h).unwrap().jacobians);
        }
        if strategy != Strategy::Full {
            assert_eq!(jacobians, [1, 0, 0, 1, 0, 1, 0], "{strategy:?}");
        }
        state
    });
    let [full, modified, kept] = &mut states;
    assert_same("steps 1e-3 and 2e-4", modified, full, 1e-9);
    assert_same("steps 1e-3 and 2e-4", kept, full, 1e-9);
}

/// Newton's method driven by hand with the stopping rule of the independent implementation: unscaled residual
/// below 1e-8 of its value for v' = 0, lambda = 0. With the exact matrix it found 2.00 iterations for h <=
/// 2e-3.
fn iterations_by_residual(form: Form, rho: f64, h: f64) -> f64 {
    let top = HeavyTop::fast(R3SO3);
    let options = MethodOptions { rho, ..options(form, Start::Classical) };
    let mut scheme: GeneralizedAlpha = options.generalized_alpha().unwrap().scheme;
    let mut state = top_state(&top);
    let system: &dyn System = &top;
    let mut step = Step::of(form, system, &state, scheme.histories());
    let mut linear = KktFactors::of(form, system, Solver::Auto);
    scheme.start(system, &mut step, &mut state, h).unwrap();
    let gamma_h = scheme.alpha.gamma / (scheme.alpha.beta * h);
    let size = |psi: &[f64]| {
        let hidden = if form == Form::Index2 { 6 } else { 9 };
        let unscaled: Vec<f64> = psi
            .iter()
            .enumerate()
            .map(|(i, x)| match i {
                0..6 => x / (h * h),
                _ if i >= hidden => x * gamma_h,
                _ => *x,
            })
            .collect();
        norm(&unscaled)
    };
    let (steps, mut iterations) = ((0.25 / h).round() as usize, 0);
    for _ in 0..steps {
        step.begin_at(&state, h);
        scheme.predict(&mut step, system, &mut linear);
        let mut force = [0.0; 6];
        let at = At { vdot: &[0.0; 6], lambda: &[0.0; 3], ..state.at() };
        top.residual(&at, &mut force);
        loop {
            step.residual(system);
            if size(&step.psi) < 1e-8 * norm(&force) {
                break;
            }
            linear.form(&mut step, system).unwrap();
            step.xi = step.psi.iter().map(|x| -x).collect();
            linear.solve(&mut step.xi);
            step.correct(1.0, system.group());
            iterations += 1;
            assert!(iterations < 10 * steps, "no convergence");
        }
        scheme.accept(&mut step);
        step.end_at(&mut state);
    }
    iterations as f64 / steps as f64
}

#[test]
fn exact_matrix_needs_two_iterations() {
    for (form, rho) in [
        (Form::Index3, 0.65),
        (Form::Index3, 0.9),
        (Form::StabilizedIndex2, 0.65),
        (Form::StabilizedIndex2, 0.9),
        (Form::StabilizedIndex2, 1.0),
        (Form::Index2, 0.65),
        (Form::Index2, 0.9),
    ] {
        for h in [2e-3, 1e-3, 5e-4, 2.5e-4] {
            let mean = iterations_by_residual(form, rho, h);
            assert!((1.9..=2.1).contains(&mean), "{form:?}, rho {rho}, h {h}: {mean}");
        }
    }
}

/// A light mass held by a force that saturates, F = 1e6 atan(50 q): from q = 1 a Newton step overshoots by
/// 77, where the force is flat and the next step overshoots by 1e5.
struct Saturating(Product);

impl System for Saturating {
    fn group(&self) -> &Product {
        &self.0
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] + 1e6 * (50.0 * at.q[0]).atan();
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        out.mass_diagonal(0, 1, 1.0);
        let x = 50.0 * at.q[0];
        out.stiffness(0, 0, &Matrix1::new(5e7 / (1.0 + x * x)));
    }
}

#[test]
fn line_search_saves_a_step_that_plain_newton_loses() {
    let system = Saturating(Product::new([Factor::Rn(1)]));
    let step = |damping: bool| {
        let newton = Newton { damping, ..Newton::default() };
        let scheme = GeneralizedAlpha::new(0.9, Form::Index3).unwrap();
        let mut method = Implicit::new(scheme).with_newton(newton);
        // At rest where the force vanishes, then pushed: the guess q = h v = 1 is far out on the flat part.
        let mut state = InitialValues::new(&[0.0], &[1.0]).consistent(&system).unwrap();
        method.start(&system, &mut state, 1.0).unwrap();
        let report = method.step(&system, &mut state, 1.0);
        (report, state, method)
    };
    let (plain, state, _) = step(false);
    assert!(matches!(plain, Err(Error::Newton { iterations: 30, .. })), "{plain:?}");
    assert_eq!(state.q, [0.0]);
    let (damped, state, method) = step(true);
    let report = damped.unwrap();
    assert!(report.dampings > 0, "{report:?}");
    // The solution: equilibrium, (37b) and (37c) with the a of the method.
    let mut r = [0.0];
    system.residual(&state.at(), &mut r);
    assert!(r[0].abs() < 1e-6 * 1e6, "{r:?}");
    let (alpha, a) = (method.scheme.alpha, method.a()[0]);
    assert_close("(37b)", &state.q, &[1.0 + alpha.beta * a], 1e-8);
    assert_close("(37c)", &state.v, &[1.0 + alpha.gamma * a], 1e-8);
}

/// F = 1e6 ln(q) is not defined for q <= 0, where the full Newton step from q = 4 leads.
struct Logarithmic(Product);

impl System for Logarithmic {
    fn group(&self) -> &Product {
        &self.0
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] + 1e6 * at.q[0].ln();
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        out.mass_diagonal(0, 1, 1.0);
        out.stiffness(0, 0, &Matrix1::new(1e6 / at.q[0]));
    }
}

#[test]
fn line_search_returns_from_where_forces_are_not_defined() {
    let system = Logarithmic(Product::new([Factor::Rn(1)]));
    let step = |damping: bool| {
        let newton = Newton { damping, ..Newton::default() };
        let scheme = GeneralizedAlpha::new(0.9, Form::Index3).unwrap();
        let mut method = Implicit::new(scheme).with_newton(newton);
        let mut state = InitialValues::new(&[1.0], &[3.0]).consistent(&system).unwrap();
        method.start(&system, &mut state, 1.0).unwrap();
        method.step(&system, &mut state, 1.0).map(|r| (r, state))
    };
    let plain = step(false);
    assert!(matches!(plain, Err(Error::NotFinite { .. })), "{plain:?}");
    let (report, state) = step(true).unwrap();
    assert!(report.dampings > 0);
    // The force balances an inertia of order 1/h^2: ln(q) = -v'/1e6.
    assert!((state.q[0] - 1.0).abs() < 1e-4, "{state:?}");
}

/// A force becomes a million times as large in the last step, at t = 2.45. With the old matrix, the next
/// correction leads to where the force is not defined. The step is then repeated with its own matrix.
#[test]
fn a_step_that_fails_with_an_old_matrix_gets_its_own() {
    struct Sudden(Product);
    impl System for Sudden {
        fn group(&self) -> &Product {
            &self.0
        }
        fn residual(&self, at: &At, r: &mut [f64]) {
            let k = if at.t < 2.45 { 1.0 } else { 1e6 };
            r[0] = at.vdot[0] + k * at.q[0].ln();
        }
        fn tangents(&self, at: &At, out: &mut Tangents) {
            let k = if at.t < 2.45 { 1.0 } else { 1e6 };
            out.mass_diagonal(0, 1, 1.0);
            out.stiffness(0, 0, &Matrix1::new(k / at.q[0]));
        }
    }
    let system = Sudden(Product::new([Factor::Rn(1)]));
    let [kept, full] = [Strategy::Kept, Strategy::Full].map(|strategy| {
        let scheme = GeneralizedAlpha::new(0.9, Form::Index3).unwrap();
        let mut method =
            Implicit::new(scheme).with_newton(Newton { strategy, tolerance: 1e-12, ..Newton::default() });
        let mut state = InitialValues::new(&[2.0], &[0.0]).consistent(&system).unwrap();
        method.start(&system, &mut state, 0.1).unwrap();
        let reports: Vec<_> = (0..25).map(|_| method.step(&system, &mut state, 0.1).unwrap()).collect();
        (state, reports)
    });
    assert_close("q", &kept.0.q, &full.0.q, 1e-9);
    assert!(kept.1[..24].iter().filter(|r| r.jacobians == 0).count() > 12, "{:?}", kept.1);
}

/// A chain of ten rods falls for half a second. Matrices are kept, and the error that this leaves is
/// negligible beside the error of the method. Constraints hold.
#[test]
fn chains_keep_their_matrices() {
    let mut model = precess::model::Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..10 {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let rod = precess::model::BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        let place = [f64::from(i), 0.0, 0.0];
        model = model.body(rod.at([place[0] + 0.5, 0.0, 0.0])).joint(precess::model::JointSpec::spherical(
            &format!("j{i}"),
            [&a, &b],
            place,
        ));
    }
    let built = precess::model::build(&model, R3SO3).unwrap();
    let system = built.system.as_ref();
    let end = |strategy, h| {
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let mut method = with(Form::Index3, strategy).generalized_alpha().unwrap();
        let summary = Run::new(h, 0.5).run(system, &mut method, &mut state, &mut |_: &Sample| {}).unwrap();
        (state, summary)
    };
    let (full, _) = end(Strategy::Full, 1e-3);
    let (auto, summary) = end(Strategy::Auto, 1e-3);
    let (half, _) = end(Strategy::Full, 5e-4);
    let error = distance(&full.q, &half.q);
    let left = distance(&auto.q, &full.q);
    assert!(left < 1e-5 * error, "{left:e} of {error:e}");
    assert!(2 * summary.jacobians < summary.steps, "{}", summary.jacobians);
    let mut phi = vec![0.0; system.n_lambda()];
    system.constraint(&auto.at(), &mut phi);
    assert!(norm(&phi) < 1e-12, "{:e}", norm(&phi));
    // Forces are in balance to 1e-9 of the largest acceleration.
    println!("q: {left:.0e} left over, error {error:.0e}");
    let [left, error] = [&auto, &half].map(|state| distance(&state.lambda, &full.lambda));
    println!("lambda: {left:.0e} left over, error {error:.0e}");
    assert!(left < 1e-7 * norm(&full.lambda) && left < 0.1 * error, "lambda: {left:e} of {error:e}");
}

/// The error left by Newton's method is proportional to its tolerance and to the error of the method.
#[test]
fn tolerance_controls_the_error_of_the_iteration() {
    let top = HeavyTop::fast(R3SO3);
    let mut options = with(Form::StabilizedIndex2, Strategy::Simplified);
    options.newton.tolerance = 1e-13;
    let exact = run(&top, &top, &options, 1e-3);
    let mut iterations = 0;
    for tolerance in [1e-1, 1e-3, 1e-5, 1e-7] {
        options.newton.tolerance = tolerance;
        let (state, summary) = run(&top, &top, &options, 1e-3);
        let e = distance(&state.q, &exact.0.q);
        // The error of the method is 8e-3 after a second; corrections by the predictor are a few times
        // larger.
        assert!(e < 5e-2 * tolerance, "{tolerance:e}: {e:.1e}");
        assert!(summary.iterations > iterations);
        iterations = summary.iterations;
    }
}

/// The heavy top in other units of length and mass.
struct Units {
    top: HeavyTop,
    length: f64,
}

impl Units {
    fn new(formulation: Formulation, length: f64, mass: f64) -> Self {
        let mut top = HeavyTop::fast(formulation);
        top.m *= mass;
        top.j *= mass * length * length;
        top.x_body *= length;
        top.gamma *= length;
        Units { top, length }
    }
    /// q or v with lengths in metres.
    fn metres(&self, x: &[f64], rotations: usize) -> Vec<f64> {
        let scale = |i| if i < rotations { 1.0 } else { self.length };
        x.iter().enumerate().map(|(i, x)| x / scale(i)).collect()
    }
}

impl System for Units {
    fn group(&self) -> &Product {
        self.top.group()
    }
    fn n_lambda(&self) -> usize {
        3
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.top.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.top.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.top.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.top.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.top.tangents(at, out);
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        self.top.energy(at)
    }
    fn length_scale(&self) -> f64 {
        self.length
    }
}

/// Per step: iterations, matrices, reductions of the line search.
type Work = Vec<(usize, usize, usize)>;

fn run_in_units(units: &Units, options: &MethodOptions, h: f64, t_end: f64) -> (State, Work) {
    let top = &units.top;
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(units).unwrap();
    let mut work = Vec::new();
    let mut see = |s: &Sample| {
        let r = s.report;
        work.push((r.iterations, r.jacobians, r.dampings));
    };
    Run::new(h, t_end).run(units, &mut options.generalized_alpha().unwrap(), &mut state, &mut see).unwrap();
    (state, work)
}

/// Metres and kilograms, millimetres and tonnes, micrometres and milligrams: with N = M^-1 B^T the same
/// mechanism gives the same numbers, and Newton's method does the same work.
#[test]
fn units_do_not_matter() {
    for formulation in [R3SO3, SE3] {
        let si = Units::new(formulation, 1.0, 1.0);
        for (length, mass) in [(1e3, 1e-3), (1e6, 1e6), (1e-3, 1e-6)] {
            let other = Units::new(formulation, length, mass);
            for form in FORMS {
                for strategy in STRATEGIES {
                    let options = MethodOptions { eta: Eta::Mass, ..with(form, strategy) };
                    let (a, work_a) = run_in_units(&si, &options, 1e-3, 0.2);
                    let (b, work_b) = run_in_units(&other, &options, 1e-3, 0.2);
                    let what = format!("{formulation:?}, {form:?}, {strategy:?}, length {length}");
                    assert_close(&what, &other.metres(&b.q, 4), &a.q, 1e-9);
                    assert_close(&what, &other.metres(&b.v, 3), &a.v, 1e-9);
                    let force = mass * length;
                    let lambda: Vec<f64> = b.lambda.iter().map(|x| x / force).collect();
                    assert_close(&what, &lambda, &a.lambda, 1e-7);
                    // A kept matrix contracts slowly, which calls for the line search; see the next test.
                    if !matches!(strategy, Strategy::Modified | Strategy::Kept) {
                        assert_eq!(work_a, work_b, "{what}");
                    }
                }
            }
        }
    }
}

/// The solution is also the same where the line search is active. Its merit is a maximum over rows with
/// different units, so the work may differ by an iteration.
#[test]
fn units_do_not_matter_for_the_line_search() {
    let (h, t_end) = (0.02, 0.2);
    let options = MethodOptions { eta: Eta::Mass, ..with(Form::StabilizedIndex2, Strategy::Full) };
    let (a, work) = run_in_units(&Units::new(R3SO3, 1.0, 1.0), &options, h, t_end);
    assert!(work.iter().any(|w| w.2 > 0), "no line search: {work:?}");
    for (length, mass) in [(1e3, 1e-3), (1e6, 1e6), (1e-3, 1e-6)] {
        let other = Units::new(R3SO3, length, mass);
        let (b, work_b) = run_in_units(&other, &options, h, t_end);
        for (x, y) in work.iter().zip(work_b) {
            assert!(x.0.abs_diff(y.0) <= 1, "length {length}: {x:?} {y:?}");
        }
        assert_close("q", &other.metres(&b.q, 4), &a.q, 1e-8);
    }
}

/// N = B^T as printed adds lengths to angles: there the units do matter, which is why it is not the default.
#[test]
fn units_matter_for_the_direction_of_the_paper() {
    let options = MethodOptions { eta: Eta::Paper, ..with(Form::StabilizedIndex2, Strategy::Full) };
    let (a, _) = run_in_units(&Units::new(R3SO3, 1.0, 1.0), &options, 1e-3, 0.2);
    let other = Units::new(R3SO3, 1e3, 1e-3);
    let (b, _) = run_in_units(&other, &options, 1e-3, 0.2);
    assert!(distance(&other.metres(&b.q, 4), &a.q) > 1e-5);
    assert_eq!(Eta::default(), Eta::Mass);
}

/// A spin without change of direction: increments of rotation are large, everything else is zero.
#[test]
fn pure_spin_is_exact() {
    let mut top = HeavyTop::spinning(R3SO3, Vector3::new(0.0, 150.0, 0.0));
    top.gamma = Vector3::zeros();
    let (state, summary) = run(&top, &top, &with(Form::Index3, Strategy::Full), 1e-3);
    let half = 0.5 * 150.0 * 0.2_f64;
    let q = [half.cos(), 0.0, half.sin(), 0.0, 0.0, 1.0, 0.0];
    let mut d = [0.0; 6];
    top.group().difference(&state.q, &q, &mut d);
    assert!(norm(&d) < 1e-12, "{d:?}");
    assert_close("v", &state.v, &top.v_0(), 1e-14);
    assert!(summary.iterations <= summary.steps);
}

/// The largest difference of q, of v and of the multipliers, in units of their sizes.
fn apart(a: &State, b: &State) -> [f64; 3] {
    [(&a.q, &b.q), (&a.v, &b.v), (&a.lambda, &b.lambda)]
        .map(|(a, b)| distance(a, b) / a.iter().fold(1.0, |m: f64, x| precess::study::larger(m, x.abs())))
}

/// With matrices of earlier steps, the error of Newton's method stays far below the error of the method, also in
/// the velocities and multipliers of the stabilized form. B v = 0 holds to 1e-9 of the velocities.
#[test]
fn kept_matrices_leave_no_visible_error() {
    let models = [
        ("slider_crank", 1e-3),
        ("robot_arm", 2e-3),
        ("suspension", 1e-3),
        ("slewing_crane", 5e-3),
        ("double_pendulum", 2e-3),
        ("squeezer", 2e-5),
        ("heavy_top", 1e-3),
        ("chain", 1e-3),
    ];
    for (name, h) in models {
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let end = |strategy: Strategy, h: f64, steps: usize| {
                let begin = crate::model_util::start(&load_model(name, &[]), R3SO3);
                let mut options = MethodOptions { form, ..MethodOptions::default() };
                options.newton.strategy = strategy;
                let (mut method, mut state) = (options.generalized_alpha().unwrap(), begin.state);
                method.start(&*begin.system, &mut state, h).unwrap();
                let mut work = [0; 2];
                for _ in 0..steps {
                    let report = method.step(&*begin.system, &mut state, h).unwrap();
                    work = [work[0] + report.iterations, work[1] + report.jacobians];
                }
                let mut rates = vec![0.0; state.lambda.len()];
                begin.system.velocity_constraint(&state.at(), &mut rates);
                (state, work, rates.iter().fold(0.0, |m: f64, x| precess::study::larger(m, x.abs())))
            };
            let n = 300;
            let (full, work, _) = end(Strategy::Full, h, n);
            let (kept, less, rate) = end(Strategy::Kept, h, n);
            let (finer, ..) = end(Strategy::Full, 0.5 * h, 2 * n);
            let ([q, v, lambda], error) = (apart(&full, &kept), apart(&full, &finer));
            let what = format!(
                "{name} {form:?} {q:.1e} {v:.1e} {lambda:.1e} of {error:?}, {work:?} {less:?} {rate:.1e}"
            );
            if std::env::var_os("SHOW").is_some() {
                println!("{what}");
            }
            let round_off = 1e-11;
            assert!(q < 1e-4 * error[0] + round_off && v < 1e-4 * error[1] + round_off, "{what}");
            assert!(lambda < 1e-3 * error[2] + 1e-6, "{what}");
            assert!(form == Form::Index3 || rate < 1e-9, "{what}");
        }
    }
}
