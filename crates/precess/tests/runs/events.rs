//! Events against analytic solutions. All events are found at the right times and in order. Switching keeps
//! the energy and the order of the methods. Impossible requests are refused.

use crate::common::*;
use crate::model_util::load_text as loaded;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::mechanics::State;
use precess::methods::{MethodOptions, method};
use precess::model::{Condition, Loaded, build};
use precess::study::larger;
use precess::study::{Every, Failure, Moment, Recorder, Run, Sample, Summary};

pub const G: f64 = 9.81;

pub struct Outcome {
    pub summary: Summary,
    pub state: State,
}

impl Outcome {
    /// Times of one event.
    pub fn times(&self, name: &str) -> Vec<f64> {
        self.summary.events.iter().filter(|e| e.event == name).map(|e| e.t).collect()
    }
}

pub fn attempt(
    model: &Loaded,
    formulation: Formulation,
    (name, options): (&str, &MethodOptions),
    (h, t_end): (f64, f64),
    recorder: &mut dyn Recorder,
) -> Result<Outcome, Box<Failure>> {
    let built = build(&model.model, formulation).unwrap();
    let system = built.system.as_ref();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut integrator = method(name, options).unwrap();
    let summary = Run::new(h, t_end).run(system, &mut *integrator, &mut state, recorder)?;
    Ok(Outcome { summary, state })
}

pub fn run(model: &Loaded, h: f64, t_end: f64) -> Outcome {
    let options = stabilized();
    attempt(model, Formulation::R3SO3, ("gen-alpha", &options), (h, t_end), &mut ()).unwrap()
}

pub fn stabilized() -> MethodOptions {
    MethodOptions { form: Form::StabilizedIndex2, start: TABLE_1, ..MethodOptions::default() }
}

pub fn bliedf() -> MethodOptions {
    MethodOptions { form: Form::StabilizedIndex2, k: 4, ..MethodOptions::default() }
}

const FALLING: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    floor_z = 0.1
    [[body]]
    name = "stone"
    mass = 2
    inertia = [1, 2, 2.5]
    position = [0, 0, 1.1]
    velocity = [0.3, 0, 0]
    angular_velocity = [0, 0, 0.4]
    [[sensor]]
    name = "place"
    type = "position"
    body = "stone"
    [[sensor]]
    name = "fall"
    type = "velocity"
    body = "stone"
"#;

#[test]
fn a_falling_body_stops_at_the_floor() {
    let text =
        format!("{FALLING}\n[[event]]\nname = \"floor\"\nwhen = \"place.z < floor_z\"\naction = \"stop\"\n");
    let model = loaded(&text);
    let exact = (2.0 / G).sqrt();
    for formulation in
        [Formulation::R3SO3, Formulation::EulerParameters, Formulation::TaitBryan, Formulation::SE3]
    {
        let options = stabilized();
        let o = attempt(&model, formulation, ("gen-alpha", &options), (0.01, 2.0), &mut ()).unwrap();
        // Constant accelerations are integrated exactly, except in the rotating frame of SE(3).
        let tolerance = if formulation == Formulation::SE3 { 1e-6 } else { 1e-13 };
        assert!((o.summary.t_end - exact).abs() < tolerance, "{formulation:?} {}", o.summary.t_end - exact);
        assert_eq!(o.state.t, o.summary.t_end);
        let [e] = &o.summary.events[..] else { panic!("{:?}", o.summary.events) };
        assert!((e.event.as_str(), e.action, e.rising, e.t) == ("floor", "stop", false, o.state.t));
        let built = build(&model.model, formulation).unwrap();
        let body = &built.system.bodies(&o.state.at())[0];
        assert!((body.position.z - 0.1).abs() < 1e-12 && (body.velocity.z + G * exact).abs() < 1e-5);
    }
}

/// An event function that is not finite ends the run with an error that names it.
#[test]
fn functions_that_overflow_are_refused() {
    let when = "1e200 * (1e200 * (place.z - floor_z)) < 0";
    let text = format!("{FALLING}\n[[event]]\nname = \"floor\"\nwhen = \"{when}\"\naction = \"stop\"\n");
    let model = loaded(&text);
    let method = ("gen-alpha", &stabilized());
    let Err(failure) = attempt(&model, Formulation::R3SO3, method, (0.01, 2.0), &mut ()) else { panic!() };
    let message = failure.to_string();
    assert!(message.contains("the function of event 'floor'"), "{message}");
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

const PENDULUM: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [[body]]
    name = "bob"
    mass = 3
    inertia = [0.02, 0.02, 0.02]
    position = [0.5, 0, 0]
    [[joint]]
    name = "pivot"
    type = "revolute"
    bodies = ["ground", "bob"]
    point = [0, 0, 0]
    axis = [0, 1, 0]
    coordinate = "-90 deg"
    [[sensor]]
    name = "angle"
    type = "coordinate"
    joint = "pivot"
    [[sensor]]
    name = "pull"
    type = "reaction-force"
    joint = "pivot"
    [[event]]
    name = "lowest"
    when = "angle"
    direction = "rising"
    action = "record"
    [[event]]
    name = "any"
    when = "angle = 0"
    action = "record"
    [[event]]
    name = "heavy"
    when = "pull.z > 60"
    action = "record"
"#;

#[test]
fn a_pendulum_keeps_the_period_of_the_elliptic_integral() {
    let model = loaded(PENDULUM);
    let inertia: f64 = 0.02 + 3.0 * 0.25;
    // Released horizontally: modulus sin(45 deg).
    let period = 4.0 * elliptic_k(0.5_f64.sqrt()) * (inertia / (3.0 * G * 0.5)).sqrt();
    // m l (phi'^2 + ..) + m g: the pull along z as a function of the angle a from the lowest position, by
    // energy.
    let pull = |a: f64| {
        let rate2 = 2.0 * 3.0 * G * 0.5 * a.cos() / inertia;
        let acceleration = -3.0 * G * 0.5 * a.sin() / inertia;
        3.0 * G + 3.0 * 0.5 * (rate2 * a.cos() - acceleration.abs() * a.sin().abs())
    };
    for (name, options, steps, orders) in [
        ("gen-alpha", stabilized(), [0.02, 0.01, 0.005], 1.9..=2.1),
        ("bliedf", bliedf(), [0.005, 0.0025, 0.00125], 3.6..=4.4),
        ("em", MethodOptions::default(), [0.02, 0.01, 0.005], 1.9..=2.1),
        ("vi-b", MethodOptions::default(), [0.02, 0.01, 0.005], 0.8..=1.1),
    ] {
        let formulations = match name {
            "em" | "vi-b" => vec![Formulation::Directors],
            _ => vec![Formulation::R3SO3, Formulation::SE3],
        };
        for formulation in formulations {
            let mut errors = Vec::new();
            for h in steps {
                let o = attempt(&model, formulation, (name, &options), (h, 3.2), &mut ()).unwrap();
                let exact: Vec<f64> = (0..2).map(|i| (0.25 + i as f64) * period).collect();
                let (found, any) = (o.times("lowest"), o.times("any"));
                assert_eq!((found.len(), any.len()), (2, 4), "{name} {found:?} {any:?}");
                errors.push((0..2).map(|i| (found[i] - exact[i]).abs()).fold(0.0, larger));
                // Both events of one zero, each in its own list, at the same time.
                assert!(found.iter().all(|t| any.iter().any(|a| (a - t).abs() < 1e-12)));
                let ordered = o.summary.events.windows(2).all(|w| w[0].t <= w[1].t);
                assert!(ordered, "{:?}", o.summary.events.iter().map(|e| e.t).collect::<Vec<_>>());
                // Multipliers at an event are solved for.
                let heavy = o.summary.events.iter().find(|e| e.event == "heavy").unwrap();
                let built = build(&model.model, formulation).unwrap();
                let angle = built.system.sensors(&heavy.state.at())[0].1[0];
                // vi-b is of order 1.
                let allowed = match formulation {
                    Formulation::Directors if name == "vi-b" => 200.0 * h,
                    Formulation::Directors => 8e3 * h * h,
                    _ if h < 0.01 => 0.05,
                    _ => 1.0,
                };
                assert!((pull(angle) - 60.0).abs() < allowed, "{name} {h}: {}", pull(angle));
            }
            println!("{name} {formulation:?} period {period} errors {errors:?}");
            assert_order(&format!("{name} {formulation:?}"), &errors, orders.clone());
        }
    }
}

/// A mass on a guide that falls from `height` onto a spring without damping and bounces.
fn bouncer(height: f64) -> String {
    format!(
        r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    height = {height}
    [[body]]
    name = "mass"
    mass = 2
    inertia = [1, 1, 1]
    position = [0, 0, "height"]
    [[joint]]
    name = "guide"
    type = "prismatic"
    bodies = ["ground", "mass"]
    point = [0, 0, "height"]
    axis = [0, 0, 1]
    coordinate = "height"
    [[force]]
    name = "buffer"
    type = "joint-spring"
    joint = "guide"
    stiffness = 500
    enabled = false
    [[sensor]]
    name = "x"
    type = "coordinate"
    joint = "guide"
    [[sensor]]
    name = "rate"
    type = "rate"
    joint = "guide"
    [[event]]
    name = "in"
    when = "x < 0"
    action = "switch"
    enable = ["buffer"]
    [[event]]
    name = "out"
    when = "x > 0"
    action = "switch"
    disable = ["buffer"]
"#
    )
}

/// Times of the first n contacts and releases, x and x' at t.
fn bounces(height: f64, n: usize) -> Vec<f64> {
    let w = (500.0_f64 / 2.0).sqrt();
    let v = (2.0 * G * height).sqrt();
    let contact = 2.0 * (std::f64::consts::PI - (v * w / G).atan()) / w;
    let mut t = v / G;
    let mut times = Vec::new();
    for _ in 0..n {
        times.extend([t, t + contact]);
        t += contact + 2.0 * v / G;
    }
    times
}

#[test]
fn a_buffer_engages_and_lets_go_with_the_order_of_the_method() {
    let model = loaded(&bouncer(0.3));
    let exact = bounces(0.3, 3);
    for (name, options, steps, orders) in [
        ("gen-alpha", stabilized(), [8e-3, 4e-3, 2e-3], 1.9..=2.1),
        ("bliedf", bliedf(), [2e-3, 1e-3, 5e-4], 3.5..=4.5),
    ] {
        let mut errors = Vec::new();
        let mut drifts = Vec::new();
        for h in steps {
            let o =
                attempt(&model, Formulation::R3SO3, (name, &options), (h, exact[5] + 0.05), &mut ()).unwrap();
            let found: Vec<f64> = o.summary.events.iter().map(|e| e.t).collect();
            assert_eq!(found.len(), 6, "{name} {h}: {found:?}");
            let names: Vec<&str> = o.summary.events.iter().map(|e| e.event.as_str()).collect();
            assert_eq!(names, ["in", "out", "in", "out", "in", "out"]);
            errors.push(found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, larger));
            drifts.push(o.summary.energy_drift.unwrap());
        }
        println!("{name}: event times {errors:?}, energy {drifts:?}");
        assert_order(&format!("{name}: event times"), &errors, orders.clone());
        assert!(drifts[2] < drifts[0] / 3.5, "{name}: energy {drifts:?}");
    }
    // The trapezoidal rule keeps the energy of a linear spring; what events cost is of its order.
    let undamped = MethodOptions { rho: 1.0, ..stabilized() };
    let drifts = [8e-3, 4e-3, 2e-3].map(|h| {
        let method = ("gen-alpha", &undamped);
        let o = attempt(&model, Formulation::R3SO3, method, (h, exact[5] + 0.05), &mut ()).unwrap();
        assert_eq!(o.summary.events.len(), 6);
        o.summary.energy_drift.unwrap()
    });
    println!("rho 1: energy {drifts:?} of {} J", 2.0 * G * 0.3);
    assert!(drifts[1] < 1e-5 && drifts[1] < drifts[0] / 4.0 && drifts[2] < drifts[1] / 4.0, "{drifts:?}");
}

#[test]
fn all_formulations_switch_at_the_same_times() {
    let model = loaded(&bouncer(0.3));
    let exact = bounces(0.3, 2);
    for formulation in
        [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan]
    {
        let options = stabilized();
        let t_end = exact[3] + 0.05;
        let o = attempt(&model, formulation, ("gen-alpha", &options), (1e-3, t_end), &mut ()).unwrap();
        let worst = o.summary.events.iter().zip(&exact).map(|(e, t)| (e.t - t).abs()).fold(0.0, larger);
        assert!(o.summary.events.len() == 4 && worst < 1e-4, "{formulation:?} {worst:.2e}");
    }
    let refused = build(&model.model, Formulation::Directors).err().unwrap().to_string();
    assert!(refused.contains("event 'in'"), "{refused}");
}

/// The recorder sees the event from both sides: the same q and v, other forces.
#[test]
fn the_recorder_sees_both_sides_of_a_switch() {
    let model = loaded(&bouncer(0.3));
    let mut seen: Vec<(f64, Moment, f64, f64)> = Vec::new();
    let mut every = Every::steps(1);
    {
        let look = |s: &Sample| seen.push((s.state.t, s.moment, s.state.v[5], s.state.vdot[5]));
        let mut recorder = (look, |s: &Sample| every.record(s));
        let options = stabilized();
        attempt(&model, Formulation::R3SO3, ("gen-alpha", &options), (0.01, 0.5), &mut recorder).unwrap();
    }
    assert!(seen.windows(2).all(|w| w[0].0 <= w[1].0));
    let cut = seen.iter().position(|s| matches!(s.1, Moment::Cut(0))).unwrap();
    let (before, after) = (seen[cut], seen[cut + 1]);
    assert_eq!(after.1, Moment::Restart);
    assert!((before.0 - bounces(0.3, 1)[0]).abs() < 1e-12 && before.0 == after.0 && before.2 == after.2);
    // At the contact the spring is relaxed: only the damping of the method could tell. At the release as
    // well.
    assert!((before.3 + G).abs() < 1e-9 && (after.3 + G).abs() < 1e-9);
    assert!(every.states.windows(2).all(|w| w[1].t > w[0].t));
}

#[test]
fn several_events_in_one_step_come_in_the_order_of_time() {
    let mut text = FALLING.to_string();
    for (i, z) in ["0.53", "0.5295", "0.531", "0.53"].iter().enumerate() {
        text += &format!("[[event]]\nname = \"mark {i}\"\nwhen = \"place.z < {z}\"\naction = \"record\"\n");
    }
    text += "[[event]]\nname = \"rises\"\nwhen = \"place.z > 0.53\"\naction = \"stop\"\n";
    // Enters and leaves within one step.
    text +=
        "[[event]]\nname = \"graze\"\nwhen = \"(place.z - 0.5302)*(place.z - 0.45)\"\naction = \"record\"\n";
    let o = run(&loaded(&text), 0.1, 0.4);
    let found: Vec<(&str, f64)> = o.summary.events.iter().map(|e| (e.event.as_str(), e.t)).collect();
    let names: Vec<&str> = found.iter().map(|f| f.0).collect();
    assert_eq!(names, ["mark 2", "graze", "mark 0", "mark 3", "mark 1", "graze"]);
    for (found, z) in found.iter().zip([0.531, 0.5302, 0.53, 0.53, 0.5295, 0.45]) {
        assert!((found.1 - (2.0 * (1.1 - z) / G).sqrt()).abs() < 1e-13, "{found:?}");
    }
    assert_eq!(o.state.t, 0.4);
}

#[test]
fn a_start_on_a_zero_is_no_event() {
    for (velocity, expected) in [(3.0, 1), (-3.0, 0), (0.0, 0)] {
        let text = FALLING.replace("velocity = [0.3, 0, 0]", &format!("velocity = [0.3, 0, {velocity}]"))
            + "[[event]]\nname = \"back\"\nwhen = \"place.z - 1.1\"\naction = \"record\"\n";
        let o = run(&loaded(&text), 0.01, 1.0);
        assert_eq!(o.summary.events.len(), expected, "{velocity}: {:?}", o.times("back"));
        if expected > 0 {
            assert!((o.times("back")[0] - 2.0 * velocity / G).abs() < 1e-12);
        }
    }
}

/// Thrust that is switched on below a line and off above it, without hysteresis.
#[test]
fn chattering_is_an_error_with_a_remedy() {
    let thrust = |low: f64| {
        FALLING.to_string()
            + &format!(
                r#"
        [[force]]
        name = "thrust"
        type = "force"
        body = "stone"
        force = [0, 0, 100]
        enabled = false
        [[event]]
        name = "on"
        when = "fall.z < {low}"
        action = "switch"
        enable = ["thrust"]
        [[event]]
        name = "off"
        when = "fall.z > -1"
        action = "switch"
        disable = ["thrust"]
"#
            )
    };
    let options = stabilized();
    let go = |text: &str| {
        attempt(&loaded(text), Formulation::R3SO3, ("gen-alpha", &options), (0.01, 1.0), &mut ())
    };
    let failure = go(&thrust(-1.0)).err().expect("it cannot go on");
    assert!(matches!(failure.error, Error::Chattering { .. }), "{failure}");
    let message = failure.to_string();
    assert!(message.contains("hysteresis") && message.contains("event 'o"), "{message}");
    assert!((failure.summary.t_end - 1.0 / G).abs() < 0.02);
    // Thresholds that differ are fine: the speed moves between them.
    let o = go(&thrust(-1.1)).unwrap();
    let (on, off) = (o.times("on"), o.times("off"));
    assert!(on.len() > 5 && on.len().abs_diff(off.len()) <= 1);
    let cycle = 0.1 / G + 0.1 / (50.0 - G);
    assert!(on.windows(2).all(|w| (w[1] - w[0] - cycle).abs() < 1e-10), "{on:?}");
}

/// Conditions in Rust, and events in one run do not change another: the system is shared.
#[test]
fn systems_are_shared_by_runs() {
    let model = loaded(&bouncer(0.3));
    let (a, b) = (run(&model, 2e-3, 0.4), run(&model, 2e-3, 0.4));
    assert_eq!(a.summary.events, b.summary.events);
    let mut other = model.clone();
    other.model.events[0].when = Condition::new("x below 0", &[("x", 0)], |a| a[1]);
    assert_eq!(run(&other, 2e-3, 0.4).summary.events, a.summary.events);
}

#[test]
fn the_models_do_what_their_first_line_says() {
    let drop = crate::model_util::load_model("drop_test", &[]);
    let o = run(&drop, drop.settings.step, drop.settings.until);
    assert!((o.times("contact")[0] - (1.0 / G).sqrt()).abs() < 1e-12);
    assert_eq!(o.times("rebound").len() + 1, o.times("contact").len());
    assert_eq!(o.times("enough"), [2.5]);
    assert_eq!(o.state.t, 2.5);
    let gate = crate::model_util::load_model("gate", &[]);
    let o = run(&gate, gate.settings.step, gate.settings.until);
    let times: Vec<f64> = ["button", "light barrier", "hand over"].map(|n| o.times(n)[0]).into();
    assert!(o.summary.events.len() == 3 && times[0] == 0.35 && times[0] < times[1] && times[1] < times[2]);
    let built = build(&gate.model, Formulation::R3SO3).unwrap();
    let angle = built.system.sensors(&o.state.at())[0].1[0];
    assert!((angle.to_degrees() - 85.0).abs() < 2.0, "{}", angle.to_degrees());
}
