//! Motors that the clock switches on and forces that jump at known times: the methods keep their order.

use super::events::{attempt, bliedf, run, stabilized};
use crate::common::*;
use crate::model_util::load_text as loaded;
use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::mechanics::State;
use precess::mechanics::function::Function;
use precess::methods::MethodOptions;
use precess::model::elements::ForceFrame;
use precess::model::forces::Torque;
use precess::model::{ForceSpec, Loaded, build};

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

/// A drive from a cubic table of many rows costs about as many steps as its formula, follows it, and may end
/// at the last row with a slope.
#[test]
fn a_smooth_table_drives_like_its_formula() {
    let model = |drive: &str, tables: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n{tables}[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.01, 0.1, \
             0.1]\nposition = [0.5, 0, 0]\n[[joint]]\nname = \"A\"\ntype = \"revolute\"\nbodies = [\"ground\", \
             \"rod\"]\npoint = [0, 0, 0]\naxis = \"y\"\ndrive = \"{drive}\"\n[run]\nuntil = 1\n[integrator]\ntol = \
             1e-7\n"
        )
    };
    let rows: Vec<String> = (0..=2000)
        .map(|i| f64::from(i) / 2000.0)
        .map(|t| format!("[{t}, {:?}]", std::f64::consts::TAU * (1.0 - (2.0 * t).cos())))
        .collect();
    let table = format!("[tables.tab]\ninterpolation = \"cubic\"\nrows = [{}]\n", rows.join(", "));
    let steps = |text: &str| {
        let loaded = precess::model::load("t.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let built = precess::model::build(&loaded.model, loaded.settings.formulation).unwrap();
        let see = &mut |_: &precess::study::Sample| true;
        let outcome = precess::study::execute::run(&loaded, &built, see).unwrap_or_else(|e| panic!("{e}"));
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let place = outcome.results.column("rod.position").unwrap();
        let end: Vec<f64> = place.row(outcome.results.rows() - 1).to_vec();
        (outcome.summary.steps, end)
    };
    let (formula, there) = steps(&model("2*pi*(1 - cos(2*t))", ""));
    let (found, here) = steps(&model("tab(t)", &table));
    assert!(found < 2 * formula, "{found} steps instead of {formula}");
    for (a, b) in there.iter().zip(&here) {
        assert!((a - b).abs() < 1e-6, "{there:?} {here:?}");
    }
}
