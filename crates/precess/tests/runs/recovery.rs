//! What happens when Newton's method fails: each stage of the recovery where it is needed, the order of split
//! steps, and a diagnosis that names the joints and the motion.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::common::bad::run_top;
use crate::common::*;
use precess::Error;
use precess::formulation::Formulation::{R3SO3, SE3};
use precess::integrate::{
    Bliedf, Eta, Form, GeneralizedAlpha, Implicit, InitialValues, Integrator, Newton, Rescue, Start,
    StepReport, Strategy,
};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System, Tangents};
use precess::methods::MethodOptions;
use precess::model::{build, load};
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Errors, Moment, Recorder, Run, Sample, observed_order};

fn recovering() -> Newton {
    Newton { recovery: true, ..Newton::default() }
}

/// q'' = f(t, q) for one particle.
struct Particle<F>(Product, F);

fn particle<F: Fn(f64, f64) -> f64 + Sync>(f: F) -> Particle<F> {
    Particle(Product::new([Factor::Rn(1)]), f)
}

impl<F: Fn(f64, f64) -> f64 + Sync> System for Particle<F> {
    fn group(&self) -> &Product {
        &self.0
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] - (self.1)(at.t, at.q[0]);
    }
}

fn one_step(
    system: &dyn System,
    newton: Newton,
    h: f64,
    q: f64,
    v: f64,
) -> (Result<StepReport, Error>, State, Implicit<GeneralizedAlpha>) {
    let scheme = GeneralizedAlpha::new(0.9, Form::Index3).unwrap();
    let mut method = Implicit::new(scheme).with_newton(newton);
    let mut state = InitialValues::new(&[q], &[v]).consistent(system).unwrap();
    method.start(system, &mut state, h).unwrap();
    let report = method.step(system, &mut state, h);
    (report, state, method)
}

/// Without the stiffness in its matrix the iteration diverges for h^2 k > 4; the exact matrix needs one
/// iteration.
#[test]
fn exact_matrix() {
    let (k, h) = (1e4, 0.1);
    let spring = particle(|_, q| -k * q);
    let simplified = Newton { strategy: Strategy::Simplified, damping: false, ..Newton::default() };
    let (plain, state, _) = one_step(&spring, simplified, h, 1.0, 0.0);
    assert!(matches!(plain, Err(Error::Newton { .. })), "{plain:?}");
    assert_eq!(state.q, [1.0]);
    let (report, state, method) = one_step(&spring, Newton { recovery: true, ..simplified }, h, 1.0, 0.0);
    assert_eq!(report.unwrap().rescue, Some(Rescue::Matrix));
    assert_eq!(method.newton.strategy, Strategy::Simplified, "settings are as before");
    let (_, exact, _) = one_step(&spring, Newton::default(), h, 1.0, 0.0);
    assert_close("the same step", &state.q, &exact.q, 1e-12);
    // And in the next step again.
    let mut method = method;
    let mut state = state;
    assert_eq!(method.step(&spring, &mut state, h).unwrap().rescue, Some(Rescue::Matrix));
}

/// The force ends just after the start, and the place where it would have led to does not exist: the guess
/// a_np1 = a_n is bad, v'_np1 = 0 is the solution.
#[test]
fn another_first_guess() {
    let (a, h) = (100.0, 0.1);
    let q_0 = 0.4 * h * h * a;
    let pushed = particle(|t, q| {
        if q < 0.0 {
            f64::NAN
        } else if t > 0.0 {
            0.0
        } else {
            -a
        }
    });
    let (plain, ..) = one_step(&pushed, Newton::default(), h, q_0, 0.0);
    assert!(matches!(plain, Err(Error::NotFinite { .. })), "{plain:?}");
    let (report, state, method) = one_step(&pushed, recovering(), h, q_0, 0.0);
    assert_eq!(report.unwrap().rescue, Some(Rescue::Guess));
    let alpha = method.scheme.alpha;
    // (37d) with v'_1 = 0 and v'_0 = a_0 = -a.
    let a_1 = -a * (alpha.alpha_f - alpha.alpha_m) / (1.0 - alpha.alpha_m);
    let expected = q_0 + h * h * ((0.5 - alpha.beta) * -a + alpha.beta * a_1);
    assert_close("(37b)", &state.q, &[expected], 1e-14);
}

/// A stiff spring ends at |q| = 0.4, and both guesses are near h v = 1. Guesses from h/8, 2h/8, ... stay
/// inside; the solution is that of the spring without an end.
#[test]
fn guesses_from_shorter_steps() {
    let (k, h) = (1e4, 1.0);
    let short = particle(|_, q| if q.abs() > 0.4 { f64::NAN } else { -k * q });
    let (plain, ..) = one_step(&short, Newton::default(), h, 0.0, 1.0);
    assert!(matches!(plain, Err(Error::NotFinite { .. })), "{plain:?}");
    let (report, state, method) = one_step(&short, recovering(), h, 0.0, 1.0);
    assert_eq!(report.unwrap().rescue, Some(Rescue::Continuation));
    let (_, endless, other) = one_step(&particle(|_, q| -k * q), Newton::default(), h, 0.0, 1.0);
    assert_close("q", &state.q, &endless.q, 1e-12);
    assert_close("a", method.a(), other.a(), 1e-10);
}

/// q'' = e^q goes to infinity at t = pi/sqrt(2). The equation of a step has no solution once h^2 e^q is too
/// large; shorter steps have one. q = -2 ln cos(t/sqrt 2).
#[test]
fn split_where_a_step_has_no_solution() {
    let growing = particle(|_, q| q.exp());
    let exact = |t: f64| -2.0 * (t / 2.0_f64.sqrt()).cos().ln();
    let run = |h: f64, t_end: f64, newton: Newton| {
        let scheme = GeneralizedAlpha::new(0.9, Form::Index3).unwrap().with_start(TABLE_1);
        let mut method = Implicit::new(scheme).with_newton(newton);
        let mut state = InitialValues::new(&[0.0], &[0.0]).consistent(&growing).unwrap();
        let result = Run::new(h, t_end).run(&growing, &mut method, &mut state, &mut ());
        (result, state)
    };
    let (plain, state) = run(0.2, 2.0, Newton::default());
    let failure = plain.unwrap_err();
    assert!(state.t < 2.0, "{failure}");
    let (result, state) = run(0.2, 2.0, recovering());
    let summary = result.unwrap();
    assert!(summary.rescues.split >= 1 && summary.rescues.total() < summary.steps / 2, "{summary:?}");
    assert_eq!(summary.steps, 10);
    assert!((state.t - 2.0).abs() < 1e-15);
    let error = (state.q[0] - exact(2.0)).abs();
    assert!(error < 0.5 * exact(2.0), "{error}");
    let notice = summary.rescues.notice().unwrap();
    assert!(notice.contains("shorter steps instead of one") && notice.contains("failed in"), "{notice}");
    // Beyond the blow-up nothing helps, and the run ends before it.
    let (result, state) = run(0.2, 3.0, recovering());
    assert!(result.is_err() && state.t < 2.23, "{}", state.t);
}

/// The equations of motion of a top whose next evaluations fail.
struct Flaky {
    top: HeavyTop,
    failures: AtomicUsize,
}

impl System for Flaky {
    fn group(&self) -> &Product {
        self.top.group()
    }
    fn n_lambda(&self) -> usize {
        self.top.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.top.residual(at, r);
        if self.failures.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok() {
            r[0] = f64::NAN;
        }
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
}

/// Errors over [0, 0.4] of a run in which every 7th step fails so often that it must be split.
fn with_splits(
    formulation: precess::formulation::Formulation,
    method: &mut dyn Integrator,
    h: f64,
    failures: usize,
) -> (Errors, Vec<Rescue>) {
    let system = Flaky { top: HeavyTop::fast(formulation), failures: AtomicUsize::new(0) };
    let mut state = top_state(&system.top);
    let reference = TopReference::new(&system.top, 0.4);
    let mut errors = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
    let n = (0.4 / h).round() as usize;
    method.start(&system, &mut state, h).unwrap();
    let mut rescues = Vec::new();
    for i in 1..=n {
        // Not the last step, and not while starting values are handed out.
        if i % 7 == 0 {
            system.failures.store(failures, Relaxed);
        }
        let report = method.step(&system, &mut state, h).unwrap();
        system.failures.store(0, Relaxed);
        state.t = i as f64 * h;
        rescues.extend(report.rescue);
        errors.record(&Sample::of(&system, i, &state, report, Moment::Step));
    }
    (errors.errors[0], rescues)
}

/// Splitting every 7th step keeps the order in q, v and lambda, in all forms of generalized-alpha and for
/// BLieDF.
#[test]
fn split_steps_keep_the_order() {
    let alpha = |form, formulation| {
        let eta = Eta::Paper;
        let options = MethodOptions {
            rho: 0.8,
            form,
            start: Start::Table2 { s: 0.1 },
            eta,
            newton: recovering(),
            ..MethodOptions::default()
        };
        (Box::new(options.generalized_alpha().unwrap()) as Box<dyn Integrator>, 2.0, formulation)
    };
    let bliedf = |k: usize, form| {
        let method = Bliedf::new(k, form).unwrap().with_newton(recovering());
        (Box::new(method) as Box<dyn Integrator>, k as f64, R3SO3)
    };
    // The first attempt, the exact matrix, another guess, three continuations and three regularised matrices
    // fail, then as many numbers of parts as wanted.
    for (name, (mut method, order, formulation), failures, parts) in [
        ("stabilized", alpha(Form::StabilizedIndex2, R3SO3), 9, 2),
        ("stabilized, 4", alpha(Form::StabilizedIndex2, SE3), 10, 4),
        ("stabilized, 8", alpha(Form::StabilizedIndex2, R3SO3), 11, 8),
        ("index3", alpha(Form::Index3, R3SO3), 9, 2),
        ("index2", alpha(Form::Index2, R3SO3), 9, 2),
        ("index1", alpha(Form::Index1, R3SO3), 9, 2),
        ("bliedf 3", bliedf(3, Form::StabilizedIndex2), 8, 1),
        ("bliedf 4, index3", bliedf(4, Form::Index3), 8, 1),
        ("bliedf 4, 2", bliedf(4, Form::StabilizedIndex2), 9, 2),
    ] {
        let steps = [1e-3, 5e-4];
        let measured = steps.map(|h| {
            let (errors, rescues) = with_splits(formulation, &mut *method, h, failures);
            assert!(rescues.iter().all(|r| *r == Rescue::Split(parts)), "{name}: {rescues:?}");
            assert!(rescues.len() as f64 > 0.08 * 0.4 / h, "{name}: {}", rescues.len());
            errors
        });
        let [coarse, fine] = measured;
        for (what, a, b) in
            [("q", coarse.q, fine.q), ("v", coarse.v, fine.v), ("lambda", coarse.lambda, fine.lambda)]
        {
            let observed = observed_order(steps[0], a, steps[1], b);
            println!("{name:20} {what:7} {a:.2e} {b:.2e} order {observed:.2}");
            assert!(observed > order - 0.25, "{name}: order {observed:.2} of {what}, {a:.2e} {b:.2e}");
        }
    }
}

/// Without recovery, the state and the history stay unchanged. They also do if no rescue succeeds.
#[test]
fn nothing_is_changed_when_nothing_helps() {
    let top = HeavyTop::fast(R3SO3);
    for form in FORMS {
        let system = Flaky { top: top.clone(), failures: AtomicUsize::new(0) };
        let go = |fail: bool| {
            let options = MethodOptions { newton: recovering(), ..options(form, TABLE_2) };
            let mut method = options.generalized_alpha().unwrap();
            let mut state = top_state(&top);
            method.start(&system, &mut state, 1e-3).unwrap();
            for i in 0..20 {
                if fail && i == 10 {
                    let before = state.clone();
                    system.failures.store(usize::MAX, Relaxed);
                    method.step(&system, &mut state, 1e-3).unwrap_err();
                    assert_eq!(state, before);
                    system.failures.store(0, Relaxed);
                }
                method.step(&system, &mut state, 1e-3).unwrap();
            }
            state
        };
        assert_eq!(go(true), go(false), "{form:?}");
    }
}

/// Two links and a slider that is pulled along its guide: at t = 0.8 s they are stretched, and the drive asks
/// for more.
const TOGGLE: &str = r#"
    model = { name = "toggle", gravity = [0, 0, 0] }
    body = [
        { name = "left", mass = 1, inertia = [0.01, 0.1, 0.1], position = [0.4, 0, 0.3],
            rotation = { x_axis = [0.8, 0, 0.6], y_axis = [0, 1, 0] } },
        { name = "right", mass = 1, inertia = [0.01, 0.1, 0.1], position = [1.2, 0, 0.3],
            rotation = { x_axis = [0.8, 0, -0.6], y_axis = [0, 1, 0] } },
        { name = "slider", mass = 1, inertia = [0.01, 0.01, 0.01], position = [1.6, 0, 0] },
    ]
    joint = [
        { name = "base", type = "revolute", bodies = ["ground", "left"], point = [0, 0, 0],
            axis = [0, 1, 0] },
        { name = "elbow", type = "cylindrical", bodies = ["left", "right"], point = [0.8, 0, 0.6],
            axis = [0, 1, 0] },
        { name = "wrist", type = "spherical", bodies = ["right", "slider"], point = [1.6, 0, 0] },
        { name = "guide", type = "prismatic", bodies = ["ground", "slider"], point = [1.6, 0, 0],
            axis = [1, 0, 0], drive = "0.5*t" },
    ]
    run = { until = 2, step = 5e-3, fix_initial = true }
"#;

/// The error of the step that fails, before a run finds out that the drive is to blame, and the time before
/// it.
fn toggle(form: &str) -> (Error, f64) {
    let overrides = ["integrator.method=gen-alpha".to_string(), format!("integrator.form={form}")];
    let loaded = load("toggle", TOGGLE, &overrides).unwrap_or_else(|e| panic!("{e}"));
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = true;
    let mut state = initial.consistent(&*built.system).unwrap();
    let mut method = loaded.settings.options.generalized_alpha().unwrap();
    let error = loaded.settings.run().steps_only(&*built.system, &mut method, &mut state).unwrap_err();
    (error, state.t)
}

/// The diagnosis names the drive among the constraints that become dependent, and the motion of the elbow
/// across the line: both links turn about y by opposite angles and move along their z axes.
#[test]
fn diagnosis_of_a_singular_position() {
    for form in ["index3", "stabilized-index2"] {
        let (mut error, t) = toggle(form);
        let message = error.to_string();
        println!("{message}\n");
        assert!(t > 0.75 && t <= 0.81, "{message}");
        let diagnosis = error.diagnosis_mut().expect("a diagnosis").clone();
        assert!(diagnosis.residuals.len() > 2, "{diagnosis:?}");
        let singular = diagnosis.singular.as_ref().unwrap_or_else(|| panic!("{message}"));
        for joint in ["joint base", "joint elbow", "joint wrist", "joint guide"] {
            assert!(singular.constraints.iter().any(|c| c == joint), "{joint} is missing: {singular:?}");
        }
        let amount = |name: &str| singular.motion.iter().find(|m| m.0 == name).map_or(0.0, |m| m.1);
        let (left, right) =
            (amount("rotation of body left, y axis"), amount("rotation of body right, y axis"));
        assert!((left + right).abs() < 0.1 * left.abs() && left.abs() > 0.3, "{singular:?}");
        assert!(singular.motion.iter().all(|m| !m.0.contains("slider")), "{singular:?}");
        // Settings that are already in use are not recommended.
        assert_eq!(message.contains("stabilized-index2"), form == "index3", "{message}");
        assert!(message.contains("a smaller step"), "{message}");
    }
}

/// A plane rises through a sphere: at the top both rows press the point down and nothing holds it sideways.
#[test]
fn diagnosis_without_names() {
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
            phi[0] = 0.5 * (at.q.iter().map(|x| x * x).sum::<f64>() - 1.0);
            phi[1] = at.q[2] - at.t;
        }
        fn constraint_name(&self, row: usize) -> String {
            ["sphere", "plane"][row].to_string()
        }
        fn velocity_name(&self, index: usize) -> String {
            ["x", "y", "z"][index].to_string()
        }
    }
    let system = RisingPlane(Product::new([Factor::Rn(3)]));
    for recovery in [false, true] {
        let initial = InitialValues::new(&[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0]);
        let mut state = initial.consistent(&system).unwrap();
        let newton = Newton { recovery, ..Newton::default() };
        let options = MethodOptions { newton, ..options(Form::StabilizedIndex2, Start::Classical) };
        let mut method = options.generalized_alpha().unwrap();
        let mut failure = Run::new(1e-3, 2.0).run(&system, &mut method, &mut state, &mut ()).unwrap_err();
        let message = failure.to_string();
        println!("{message}\n");
        let diagnosis = failure.error.diagnosis_mut().expect("a diagnosis");
        let singular = diagnosis.singular.as_ref().unwrap_or_else(|| panic!("{message}"));
        let mut rows = singular.constraints.clone();
        rows.sort();
        assert_eq!(rows, ["plane", "sphere"]);
        assert_eq!(singular.motion[0].0, "x", "{singular:?}");
        assert!(state.t > 0.99 && state.t < 1.01, "{}", state.t);
    }
}

/// Index-3 with too large a step: multipliers alternate before Newton's method fails, and the message says
/// so.
#[test]
fn diagnosis_of_alternating_multipliers() {
    let top = HeavyTop::fast(R3SO3);
    let options = MethodOptions { rho: 0.99, ..options(Form::Index3, Start::Classical) };
    let mut failure = run_top(&top, &options, &Run::new(8e-3, 60.0)).unwrap_err();
    let message = failure.to_string();
    println!("{message}");
    let diagnosis = failure.error.diagnosis_mut().expect("a diagnosis");
    assert!(diagnosis.alternating.is_some_and(|x| x > 0.2), "{message}");
    assert!(message.contains("alternate") && message.contains("a smaller rho"), "{message}");
    // Without alternating multipliers, the message does not mention them.
    let (error, _) = toggle("index3");
    assert!(!error.to_string().contains("alternate"), "{error}");
}
