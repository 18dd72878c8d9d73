//! Error control on single bodies: orders on uneven grids, the error estimates, error and work against
//! tolerance.

use crate::common::*;
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::integrate::adaptive::{Automatic, VariableAlpha, VariableBliedf};
use precess::integrate::{Adaptive, Eta, Form, GeneralizedAlpha, Horizon, StepReport, Tolerance};
use precess::mechanics::{At, State, System, Tangents};
use precess::problems::{ExactSolution, HeavyTop, TopReference};
use precess::study::{AdaptiveRun, ErrorRecorder, Errors, Moment, Recorder, Sample};

/// The exact state of a top.
fn exact(top: &HeavyTop, reference: &TopReference, t: f64) -> State {
    let mut state = top_state(top);
    state.t = t;
    reference.at(t, &mut state.q, &mut state.v, &mut state.lambda);
    state
}

struct Outcome {
    errors: Errors,
    steps: usize,
    rejected: usize,
    failed: usize,
    orders: [usize; 7],
}

/// Runs to t_end and compares with the reference at every step.
fn run(
    system: &dyn System,
    reference: &dyn ExactSolution,
    state: &mut State,
    method: &mut dyn Adaptive,
    t_end: f64,
) -> Outcome {
    let mut recorder = ErrorRecorder::new(reference, &[(0.0, t_end)]);
    method.start(system, state, t_end).unwrap();
    let mut o = Outcome { errors: Errors::default(), steps: 0, rejected: 0, failed: 0, orders: [0; 7] };
    while state.t < t_end {
        let r: StepReport = method.advance(system, state, Horizon::until(t_end)).unwrap();
        o.steps += 1;
        o.rejected += r.rejected;
        o.failed += r.failed;
        o.orders[r.order] += 1;
        recorder.record(&Sample::of(system, o.steps, state, r, Moment::Step));
    }
    o.errors = recorder.errors[0];
    o
}

#[test]
fn bliedf_keeps_its_order_on_uneven_grids() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    for (k, level) in [(2, 2.10e-2), (3, 3.02e-3), (4, 4.56e-4), (5, 5.95e-5)] {
        let error = |n: usize| {
            let h = |i: usize| (if i % 2 == 1 { 1.5 } else { 1.0 }) * 2.0 / (2.5 * n as f64);
            let mut t = 0.0;
            let mut states = vec![exact(&top, &reference, 0.0)];
            for i in 0..k {
                t += h(i);
                states.push(exact(&top, &reference, t));
            }
            let mut method = VariableBliedf::new(Tolerance::absolute(1e-11)).with_eta(Eta::Paper);
            method.start_from(&top, &states).unwrap();
            let mut state = states.pop().unwrap();
            let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
            for i in k..n {
                let report = method.step(&top, &mut state, h(i)).unwrap();
                recorder.record(&Sample::of(&top, i, &state, report, Moment::Step));
            }
            recorder.errors[0]
        };
        let (coarse, middle, fine) = (error(1000), error(2000), error(4000));
        assert!((coarse.q / level - 1.0).abs() < 0.05, "k = {k}: {:.3e}", coarse.q);
        for (what, a, b) in
            [("q", middle.q, fine.q), ("v", middle.v, fine.v), ("lambda", middle.lambda, fine.lambda)]
        {
            let p = (a / b).log2();
            assert!((p - k as f64).abs() < 0.35, "k = {k}: order {p:.2} in {what}");
        }
    }
}

#[test]
fn bliedf_on_the_heavy_top() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let mut before = f64::INFINITY;
    for (tol, q, steps) in [(1e-4, 1e-2, 400), (1e-6, 2e-4, 1000), (1e-8, 5e-6, 2100), (1e-10, 2e-7, 5200)] {
        let mut method = VariableBliedf::new(Tolerance::absolute(tol)).with_eta(Eta::Paper);
        let o = run(&top, &reference, &mut top_state(&top), &mut method, 1.0);
        let what =
            format!("tol {tol:.0e}: q {:.2e} in {} steps, {} rejected", o.errors.q, o.steps, o.rejected);
        assert!(o.errors.q < q && o.steps <= steps && o.rejected <= 5 && o.failed == 0, "{what}");
        assert!(o.errors.q < before, "{what}");
        // One step has order 1, and no later step does.
        assert!(o.orders[1] == 1 && o.orders[5] > 9 * o.steps / 10, "{what}: orders {:?}", o.orders);
        before = o.errors.q;
    }
    let mut sixth = VariableBliedf::new(Tolerance::absolute(1e-8)).with_max_order(6).unwrap();
    let o = run(&top, &reference, &mut top_state(&top), &mut sixth, 1.0);
    assert!(
        o.orders[6] > o.steps / 2 && o.steps < 1500 && o.errors.q < 5e-6,
        "{} {:.1e}",
        o.steps,
        o.errors.q
    );
    assert!(VariableBliedf::new(Tolerance::new(1e-6)).with_max_order(7).is_err());
}

/// Errors of generalized-alpha on [0, 1] with N steps h, 2h, h, 2h, ...
fn alternating(form: Form, rho: f64, update: bool, n: usize) -> Errors {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let scheme = GeneralizedAlpha::new(rho, form).unwrap().with_eta(Eta::Paper);
    let mut method = VariableAlpha::with(scheme, Tolerance::absolute(1e-11)).unwrap();
    method.update = update;
    let h = |i: usize| (if i % 2 == 1 { 2.0 } else { 1.0 }) * 2.0 / (3 * n) as f64;
    let mut state = top_state(&top);
    method.start_with(&top, &mut state, h(0)).unwrap();
    let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
    for i in 0..n {
        let report = method.step(&top, &mut state, h(i)).unwrap();
        recorder.record(&Sample::of(&top, i + 1, &state, report, Moment::Step));
    }
    recorder.errors[0]
}

#[test]
fn generalized_alpha_keeps_its_order_on_uneven_grids() {
    let e: Vec<Errors> =
        [1000, 2000, 4000].iter().map(|n| alternating(Form::StabilizedIndex2, 0.6, true, *n)).collect();
    assert_level("q", e[0].q, 1.308e-2);
    assert_level("q", e[2].q, 7.492e-4);
    assert_level("lambda", e[0].lambda, 9.493e-3);
    assert_level("lambda", e[2].lambda, 5.484e-4);
    assert_order("q", &[e[1].q, e[2].q], 1.9..=2.15);
    assert_order("v", &[e[1].v, e[2].v], 1.9..=2.15);
    assert_order("lambda", &[e[1].lambda, e[2].lambda], 1.9..=2.15);
    let e: Vec<Errors> =
        [2000, 4000].iter().map(|n| alternating(Form::StabilizedIndex2, 0.6, false, *n)).collect();
    assert_order("q without the update", &[e[0].q, e[1].q], 1.0..=1.5);
}

#[test]
fn index_3_restarts_keep_the_order() {
    let e: Vec<Errors> = [1000, 2000].iter().map(|n| alternating(Form::Index3, 0.9, true, *n)).collect();
    assert_level("q", e[0].q, 1.381e-2);
    assert_level("lambda", e[0].lambda, 1.401e-2);
    assert_order_2("q", &[e[0].q, e[1].q]);
    assert_order_2("lambda", &[e[0].lambda, e[1].lambda]);
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

#[test]
fn the_estimate_of_generalized_alpha_is_exact() {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        for rho in [0.6, 0.8, 0.9] {
            let top = HeavyTop::fast(formulation);
            let scheme = GeneralizedAlpha::new(rho, Form::StabilizedIndex2).unwrap().with_eta(Eta::Paper);
            let mut method = VariableAlpha::with(scheme, Tolerance::absolute(1e-9)).unwrap();
            let h = 5e-4;
            let mut state = top_state(&top);
            method.start_with(&top, &mut state, h).unwrap();
            let (mut q, mut v) = (Vec::new(), Vec::new());
            for _ in 0..400 {
                // The exact flow from the present state: another top that starts here.
                let from = state.clone();
                method.step(&top, &mut state, h).unwrap();
                let omega = [from.v[0], from.v[1], from.v[2]];
                let (dq, dv) = flow_error(&top, &from, omega, &state, h);
                let (eq, ev) = method.last_estimate();
                q.push(norm(eq) / norm(&dq));
                v.push(norm(ev) / norm(&dv));
            }
            let (q, v) = (median(q), median(v));
            assert!(
                (0.97..1.03).contains(&q) && (0.97..1.03).contains(&v),
                "{formulation:?} rho {rho}: {q} {v}"
            );
        }
    }
}

/// Difference of a step to the exact flow from its beginning.
fn flow_error(top: &HeavyTop, from: &State, omega: [f64; 3], to: &State, h: f64) -> (Vec<f64>, Vec<f64>) {
    use nalgebra::{Quaternion, Vector3};
    // In the body frame of `from` gravity has another direction.
    let p = Quaternion::new(from.q[0], from.q[1], from.q[2], from.q[3]);
    let mut turned = top.clone();
    turned.omega_0 = Vector3::from(omega);
    turned.gamma = (p.conjugate() * Quaternion::from_imag(top.gamma) * p).imag();
    let mut there = top_state(&turned);
    TopReference::new(&turned, h).at(h, &mut there.q, &mut there.v, &mut there.lambda);
    // Back to the inertial frame.
    let turn = |x: &[f64]| (p * Quaternion::from_imag(Vector3::new(x[0], x[1], x[2])) * p.conjugate()).imag();
    let r = p * Quaternion::new(there.q[0], there.q[1], there.q[2], there.q[3]);
    let x = turn(&there.q[4..]);
    let q = vec![r.w, r.i, r.j, r.k, x.x, x.y, x.z];
    let mut v = there.v.clone();
    if top.formulation == Formulation::R3SO3 {
        v[3..].copy_from_slice(turn(&there.v[3..]).as_slice());
    }
    let mut dq = vec![0.0; 6];
    top.group().difference(&to.q, &q, &mut dq);
    (dq, v.iter().zip(&to.v).map(|(a, b)| a - b).collect())
}

#[test]
fn generalized_alpha_on_the_heavy_top() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let mut errors = Vec::new();
    for (tol, q, steps) in [(1e-4, 3.66e-2, 497.0), (1e-6, 1.66e-3, 2302.0)] {
        let mut method = VariableAlpha::new(0.8, Tolerance::absolute(tol)).unwrap().with_eta(Eta::Paper);
        let o = run(&top, &reference, &mut top_state(&top), &mut method, 1.0);
        assert!((o.steps as f64 / steps - 1.0).abs() < 0.05 && o.rejected == 0, "{} steps", o.steps);
        assert!((o.errors.q / q - 1.0).abs() < 0.15, "{:.3e}", o.errors.q);
        errors.push(o.errors.q);
    }
    let slope = (errors[0] / errors[1]).log10() / 2.0;
    assert!((0.6..0.72).contains(&slope), "{slope}");
    // Index-3 restarts at every change of the step and keeps the accuracy.
    let scheme = GeneralizedAlpha::new(0.8, Form::Index3).unwrap();
    let mut method = VariableAlpha::with(scheme, Tolerance::absolute(1e-5)).unwrap();
    let o = run(&top, &reference, &mut top_state(&top), &mut method, 1.0);
    assert!(o.errors.q < 2e-2 && o.steps < 1800, "{:.2e} in {} steps", o.errors.q, o.steps);
    for form in [Form::Index2, Form::Index1] {
        let scheme = GeneralizedAlpha::new(0.8, form).unwrap();
        assert!(VariableAlpha::with(scheme, Tolerance::new(1e-5)).is_err());
    }
}

/// The top on a bushing instead of a joint: modes of 2081 and 258 rad/s.
fn on_bushing(damping: f64) -> precess::model::Built {
    bushing_model(damping, "")
}

fn bushing_model(damping: f64, more: &str) -> precess::model::Built {
    let text = format!(
        r#"
        model = {{ name = "bush", gravity = [0, 0, -9.81], length_scale = 1 }}
        body = [{{ name = "top", mass = 15, inertia = [0.234375, 0.46875, 0.234375], position = [0, 1, 0],
                  velocity = [2, 0, 1], angular_velocity = [1, 10, -2] }}]
        force = [{{ name = "tip", type = "bushing", bodies = ["ground", "top"], point = [0, 0, 0],
                   stiffness = [1e6, 1e6, 1e6], damping = [{damping}, {damping}, {damping}] }}]
        {more}
        "#
    );
    let loaded = precess::model::load("bush", &text, &[]).unwrap();
    precess::model::build(&loaded.model, Formulation::R3SO3).unwrap()
}

fn steps(
    system: &dyn System,
    state: &mut State,
    method: &mut dyn Adaptive,
    t_end: f64,
) -> (usize, usize, f64) {
    method.start(system, state, t_end).unwrap();
    let (mut n, mut rejected, mut shortest) = (0, 0, f64::INFINITY);
    while state.t < t_end {
        let r = method.advance(system, state, Horizon::until(t_end)).unwrap();
        (n, rejected) = (n + 1, rejected + r.rejected);
        shortest = f64::min(shortest, r.h);
    }
    (n, rejected, shortest)
}

#[test]
fn stiff_bushings_do_not_trap_the_order() {
    let built = on_bushing(100.0);
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut method = VariableBliedf::new(Tolerance::absolute(1e-5));
    let (n, rejected, _) = steps(&*built.system, &mut state, &mut method, 2.0);
    assert!(n <= 2000, "{n} steps, {rejected} rejected");
}

#[test]
fn lightly_damped_vibrations_get_generalized_alpha() {
    let built = on_bushing(10.0);
    let first = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let tol = Tolerance::absolute(1e-4);
    let mut bliedf = VariableBliedf::new(tol);
    let mut automatic = Automatic::new(bliedf.clone(), VariableAlpha::new(0.8, tol).unwrap());
    let (limited, ..) = steps(&*built.system, &mut first.clone(), &mut bliedf, 2.0);
    let (n, ..) = steps(&*built.system, &mut first.clone(), &mut automatic, 2.0);
    let choice = automatic.choice().unwrap();
    assert!(limited > 4000 && n < limited / 3, "{limited} steps of bliedf, {n} of the choice: {choice}");
    assert!(choice.starts_with("gen-alpha from t = ") && automatic.name() == "gen-alpha", "{choice}");
    // No such thing on the heavy top.
    let top = HeavyTop::fast(Formulation::R3SO3);
    let mut automatic = Automatic::new(VariableBliedf::new(tol), VariableAlpha::new(0.8, tol).unwrap());
    steps(&top, &mut top_state(&top), &mut automatic, 1.0);
    assert!(automatic.choice().unwrap().starts_with("bliedf"));
}

/// When the bushing is turned off, nothing vibrates any more, and BLieDF returns. (It does not return while
/// the bushing acts, even if the vibration has died out: orders 3 to 5 would excite it again.)
#[test]
fn bliedf_comes_back_when_stiffness_has_gone() {
    let event = r#"event = [{ name = "lets go", when = "t > 1", action = "switch", disable = ["tip"] }]"#;
    let built = bushing_model(10.0, event);
    let system = &*built.system;
    let tol = Tolerance::absolute(1e-4);
    let alpha = VariableAlpha::new(0.8, tol).unwrap();
    let mut automatic = Automatic::new(VariableBliedf::new(tol), alpha.clone());
    let run = |method: &mut dyn Adaptive| {
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        AdaptiveRun::new(tol, 30.0).run(system, method, &mut state, &mut ()).unwrap().steps
    };
    let (n, only) = (run(&mut automatic), run(&mut { alpha }));
    let choice = automatic.choice().unwrap();
    assert!(automatic.name() == "bliedf" && choice.contains("; gen-alpha from t = "), "{choice}");
    assert!(n < only, "{n} steps, {only} with gen-alpha alone");
}

/// A top that falls onto a linear spring at z = -0.9: eight kinks of the force in 4 s.
struct Contact(HeavyTop);

impl Contact {
    const STIFFNESS: f64 = 1e6;
    fn depth(at: &At) -> f64 {
        (-0.9 - at.q[6]).max(0.0)
    }
}

impl System for Contact {
    fn group(&self) -> &precess::lie::Product {
        self.0.group()
    }
    fn n_lambda(&self) -> usize {
        3
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.0.residual(at, r);
        r[5] -= Self::STIFFNESS * Self::depth(at);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.0.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.0.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.0.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.0.tangents(at, out);
        if Self::depth(at) > 0.0 {
            out.stiffness(5, 5, &nalgebra::Matrix1::new(Self::STIFFNESS));
        }
    }
    fn energy(&self, at: &At) -> Option<precess::mechanics::Energy> {
        let mut energy = self.0.energy(at)?;
        energy.potential += 0.5 * Self::STIFFNESS * Self::depth(at).powi(2);
        Some(energy)
    }
}

#[test]
fn contacts_do_not_stop_the_clock() {
    let contact = Contact(HeavyTop::spinning(Formulation::R3SO3, nalgebra::Vector3::new(0.0, 0.0, 0.3)));
    let mut drifts = Vec::new();
    for tol in [1e-4, 1e-6, 1e-8] {
        let mut state = top_state(&contact.0);
        let e_0 = contact.energy(&state.at()).unwrap().total();
        let mut method = VariableBliedf::new(Tolerance::absolute(tol));
        let (n, _, shortest) = steps(&contact, &mut state, &mut method, 4.0);
        assert!(shortest > 1e-8 && n < 2000, "tol {tol:.0e}: {n} steps, the shortest {shortest:.1e}");
        drifts.push((contact.energy(&state.at()).unwrap().total() - e_0).abs());
    }
    assert!(drifts[1] < 0.2 * drifts[0] && drifts[2] < 0.2 * drifts[1] && drifts[2] < 1e-3, "{drifts:?}");
}

/// A watch and a crane: the same pendulum in other lengths and the times that belong to them takes the same
/// steps.
#[test]
fn a_tolerance_means_the_same_for_every_size() {
    let steps_of = |s: f64| {
        let text = format!(
            r#"
            model = {{ name = "pendulum", gravity = [0, 0, -9.81] }}
            body = [
                {{ name = "a", mass = 1, inertia = [{i}, {j}, {j}], position = [{s}, 0, 0] }},
                {{ name = "b", mass = 1, inertia = [{i}, {j}, {j}], position = [{c}, 0, 0] }},
            ]
            joint = [
                {{ name = "one", type = "spherical", bodies = ["ground", "a"], point = [0, 0, 0] }},
                {{ name = "two", type = "spherical", bodies = ["a", "b"], point = [{b}, 0, 0] }},
            ]
            "#,
            i = 0.01 * s * s,
            j = 0.3 * s * s,
            b = 2.0 * s,
            c = 3.0 * s,
        );
        let loaded = precess::model::load("pendulum", &text, &[]).unwrap();
        let built = precess::model::build(&loaded.model, Formulation::R3SO3).unwrap();
        let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let mut method = VariableBliedf::new(Tolerance::new(1e-6));
        steps(&*built.system, &mut state, &mut method, 2.0 * s.sqrt()).0
    };
    let (watch, middle, crane) = (steps_of(1.0 / 256.0), steps_of(1.0), steps_of(256.0));
    assert!(watch == middle && crane == middle, "{watch} {middle} {crane}");
}

/// A body at rest is hit for two milliseconds after half a second.
#[test]
fn a_short_pulse_is_not_missed() {
    let text = r#"
        model = { name = "pulse" }
        body = [{ name = "wheel", mass = 1, inertia = [0.1, 0.1, 0.1], position = [0, 0, 0] }]
        force = [{ name = "hit", type = "torque", body = "wheel",
            torque = [0, 0, "100*exp(-((t - 0.5)/0.001)^2)"] }]
    "#;
    let loaded = precess::model::load("pulse", text, &[]).unwrap();
    let built = precess::model::build(&loaded.model, Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let expected = 100.0 * 1e-3 * std::f64::consts::PI.sqrt() / 0.1;
    for tol in [1e-4, 1e-6] {
        let tol = Tolerance::new(tol);
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let mut method = VariableBliedf::new(tol);
        let summary = AdaptiveRun::new(tol, 1.0).run(system, &mut method, &mut state, &mut ()).unwrap();
        let error = (state.v[2] - expected).abs();
        assert!(error < 100.0 * tol.tol * expected, "{} instead of {expected}", state.v[2]);
        assert!(summary.steps < 600);
    }
}

/// Steps do not allocate, even if some are rejected.
#[test]
fn steps_do_not_allocate() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let tol = Tolerance::new(1e-6);
    let methods: [Box<dyn Adaptive>; 2] =
        [Box::new(VariableBliedf::new(tol)), Box::new(VariableAlpha::new(0.8, tol).unwrap())];
    for mut method in methods {
        let mut state = top_state(&top);
        method.start(&top, &mut state, 1.0).unwrap();
        method.advance(&top, &mut state, Horizon::until(1.0)).unwrap();
        let before = crate::counting::count();
        for _ in 0..300 {
            method.advance(&top, &mut state, Horizon::until(1.0)).unwrap();
        }
        assert_eq!(crate::counting::count() - before, 0, "{}", method.name());
    }
}

#[test]
fn tolerances_out_of_reach_are_refused_with_the_best() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let mut method = VariableBliedf::new(Tolerance::new(1e-15));
    let error = method.start(&top, &mut top_state(&top), 1.0).unwrap_err();
    let precess::Error::Precision { best, .. } = error else { panic!("{error}") };
    let mut method = VariableBliedf::new(Tolerance::new(best));
    steps(&top, &mut top_state(&top), &mut method, 0.1);
    assert!(VariableBliedf::new(Tolerance::new(-1.0)).start(&top, &mut top_state(&top), 1.0).is_err());
}
