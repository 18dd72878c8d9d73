//! Events against analytic solutions: their times, all of them, in order; switching keeps energy and the
//! order of the methods; forces that jump at known times; what cannot work says so.

use crate::common::*;
use crate::model_util::load_text as loaded;
use nalgebra::Vector3;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::mechanics::State;
use precess::mechanics::function::Function;
use precess::methods::{MethodOptions, method};
use precess::model::elements::ForceFrame;
use precess::model::forces::Torque;
use precess::model::{Condition, ForceSpec, Loaded, build};
use precess::study::larger;
use precess::study::{Every, Failure, Moment, Recorder, Run, Sample, Summary};

pub const G: f64 = 9.81;

struct Outcome {
    summary: Summary,
    state: State,
}

impl Outcome {
    /// Times of one event.
    fn times(&self, name: &str) -> Vec<f64> {
        self.summary.events.iter().filter(|e| e.event == name).map(|e| e.t).collect()
    }
}

fn attempt(
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

fn run(model: &Loaded, h: f64, t_end: f64) -> Outcome {
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

/// A function that is not finite has no zero to look for, and the error names it.
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

const WHEEL: &str = r#"
    [[body]]
    name = "wheel"
    mass = 1
    inertia = [1, 1, 2]
    [[joint]]
    name = "axle"
    type = "revolute"
    bodies = ["ground", "wheel"]
    point = [0, 0, 0]
    axis = [0, 0, 1]
    [[force]]
    name = "motor"
    type = "actuator"
    joint = "axle"
    value = 6
    enabled = false
    [[control]]
    name = "brake"
    type = "lag"
    joint = "axle"
    input = "-8*v"
    time = 0.1
    initial = -0.5
    enabled = false
    [[sensor]]
    name = "angle"
    type = "coordinate"
    joint = "axle"
    [[sensor]]
    name = "braking"
    type = "control"
    control = "brake"
    [[event]]
    name = "start"
    when = "t > 0.123"
    action = "switch"
    enable = ["motor"]
"#;

#[test]
fn a_motor_is_switched_on_by_the_clock() {
    let model = loaded(WHEEL);
    let o = run(&model, 0.01, 1.0);
    assert_eq!(o.times("start"), [0.123]);
    let built = build(&model.model, Formulation::R3SO3).unwrap();
    let sensors = built.system.sensors(&o.state.at());
    assert!((sensors[0].1[0] - 1.5 * 0.877_f64.powi(2)).abs() < 1e-12, "{sensors:?}");
    // A control that is off holds its state and exerts nothing.
    assert_eq!(sensors[1].1, [0.0]);
    assert!((o.state.v[6] + 0.5).abs() < 1e-14 && o.state.vdot[6] == 0.0);
    // The motor hands over to the brake: J w' = c, 0.1 c' = -8 w - c from w = 3 t at half a turn.
    let text = format!(
        "{WHEEL}\n[[event]]\nname = \"brake\"\nwhen = \"angle > 180 deg\"\naction = \"switch\"\n\
         enable = [\"brake\"]\ndisable = [\"motor\"]\n"
    );
    let model = loaded(&text);
    let half = 0.123 + (2.0 * std::f64::consts::PI / 3.0).sqrt();
    let exact = runge_kutta(
        |_, y: &[f64; 3]| [y[1], 0.5 * y[2], (-8.0 * y[1] - y[2]) / 0.1],
        [std::f64::consts::PI, 3.0 * (half - 0.123), -0.5],
        (half, 3.0),
        20_000,
    );
    let errors = [4e-3, 2e-3, 1e-3].map(|h| {
        let o = run(&model, h, 3.0);
        assert!((o.times("brake")[0] - half).abs() < 1e-12);
        let angle = build(&model.model, Formulation::R3SO3).unwrap().system.sensors(&o.state.at())[0].1[0];
        (angle - exact[0]).abs() + (o.state.v[6] - exact[2]).abs()
    });
    assert_order_2("wheel with motor and brake", &errors);
}

/// A torque that jumps on a spinning body about a fixed point: with breakpoints methods keep their order,
/// without they do not.
#[test]
fn forces_that_jump_at_known_times_keep_the_order() {
    let model = |torque: [Function; 3]| {
        let mut model = crate::model_util::load_model("heavy_top", &[]);
        model.model.bodies[0].angular_velocity = Vector3::new(1.0, 10.0, -2.0);
        let velocity = Vector3::new(1.0, 10.0, -2.0).cross(&Vector3::y());
        model.model.bodies[0].velocity = velocity;
        let torque = Torque { body: "top".into(), torque, frame: ForceFrame::Inertial };
        model.model.forces.push(ForceSpec::new("jump", torque));
        model
    };
    let parts =
        |text: &str| precess::model::formula::formula(text, precess::model::formula::Need::Time).unwrap();
    let zero = || Function::Constant(0.0);
    // A pulse and a kink, none of them at a step.
    let known = model([
        parts("500*(signum(t - 0.12345) - signum(t - 0.18345))"),
        parts("200*abs(t - 0.2718)"),
        zero(),
    ]);
    let step = |c: f64| move |t: f64| if t >= c { 1.0 } else { -1.0 };
    let pulse = move |t: f64| 500.0 * (step(0.12345)(t) - step(0.18345)(t));
    let secret = model([
        Function::of_time("pulse", pulse, |_| 0.0, |_| 0.0),
        Function::of_time("kink", |t| 200.0 * (t - 0.2718_f64).abs(), |_| 0.0, |_| 0.0),
        zero(),
    ]);
    let system = build(&known.model, Formulation::SO3).unwrap().system;
    assert_eq!(system.breakpoints(0.0, 1.0), [0.12345, 0.18345, 0.2718]);
    let end = |model: &Loaded, name: &str, options: &MethodOptions, h: f64| {
        attempt(model, Formulation::SO3, (name, options), (h, 0.4), &mut ()).unwrap().state
    };
    let plain = MethodOptions::default();
    let exact = end(&known, "rkmk4", &plain, 2e-4);
    let error = |s: &State| distance(&s.v, &exact.v);
    for (name, options, orders) in
        [("gen-alpha", stabilized(), 1.9..=2.1), ("bliedf", bliedf(), 3.6..=4.4), ("rkmk4", plain, 3.7..=4.4)]
    {
        let errors = [4e-3, 2e-3, 1e-3].map(|h| error(&end(&known, name, &options, h)));
        println!("{name} {errors:?}");
        assert_order(name, &errors, orders);
    }
    // Runge-Kutta without the breakpoints is of first order at best: hundreds of times worse.
    let (with, without) =
        (error(&end(&known, "rkmk4", &plain, 2e-3)), error(&end(&secret, "rkmk4", &plain, 2e-3)));
    assert!(without > 100.0 * with, "{with:.2e} {without:.2e}");
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
