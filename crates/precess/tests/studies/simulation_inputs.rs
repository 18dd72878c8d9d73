//! Inputs of a simulation that a program advances: they are constant between steps, formulas read them, and
//! they may jump.

use precess::model::load;
use precess::prelude::*;

#[test]
fn inputs_are_held_and_added() -> Result<(), Box<dyn std::error::Error>> {
    let text = r#"
        [[body]]
        name = "wheel"
        mass = 1
        inertia = [2, 2, 2]
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
        value = "0.5 - 0.1*v"
        [[force]]
        name = "push"
        type = "force"
        body = "wheel"
        point = [1, 0, 0]
        frame = "body"
        force = [0, 0, 0]
        [[sensor]]
        name = "rate"
        type = "rate"
        joint = "axle"
    "#;
    // J w' = 0.5 - 0.1 w + u, u constant over every interval: solved by hand.
    let exact = |w: f64, u: f64, dt: f64| {
        let end = (0.5 + u) / 0.1;
        end + (w - end) * (-0.1 / 2.0 * dt).exp()
    };
    for (setting, tolerance) in [("integrator.tol=1e-9", 1e-7), ("run.step=1e-3", 1e-6)] {
        let mut simulation = Simulation::new(load("wheel.toml", text, &[setting.to_string()])?)?;
        assert_eq!(simulation.inputs(), [("motor".to_string(), 1), ("push".to_string(), 3)]);
        let mut w = 0.0;
        for k in 0..50 {
            let u = (0.7 * f64::from(k)).sin();
            // The arm of the push is 1 m: a torque again.
            simulation.set_input("motor", &[0.25 * u])?;
            simulation.set_input("push", &[0.0, 0.75 * u, 0.0])?;
            if k == 20 {
                let mut fork = simulation.fork()?;
                fork.set_input("motor", &[100.0])?;
                fork.advance_to(1.0)?;
                let bytes = simulation.to_bytes()?;
                simulation.from_bytes(&bytes)?;
            }
            simulation.advance_to(0.02 * f64::from(k + 1))?;
            w = exact(w, u, 0.02);
            let found = simulation.sensor("rate")?;
            assert!((found[0] - w).abs() < tolerance, "{setting}, step {k}: {found:?} {w}");
        }
        let error = simulation.set_input("motr", &[1.0]).unwrap_err().to_string();
        assert!(error.contains("did you mean 'motor'?"), "{error}");
        assert!(simulation.set_input("motor", &[f64::NAN]).is_err());
        assert!(simulation.set_input("push", &[1.0]).is_err());
        simulation.reset()?;
        simulation.advance_to(0.02)?;
        let found = simulation.sensor("rate")?;
        assert!((found[0] - exact(0.0, 0.0, 0.02)).abs() < tolerance, "inputs are zero again: {found:?}");
    }
    Ok(())
}

/// A wheel whose motor is an input.
const WHEEL: &str = r#"
    [inputs]
    motor = 1.5
    [[body]]
    name = "wheel"
    mass = 1
    inertia = [2, 2, 2]
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
    value = "2*input('motor') - 0.5*v"
    [[sensor]]
    name = "rate"
    type = "rate"
    joint = "axle"
"#;

/// 2 w' = 2 u - w/2 with u = a + b t from w_0: solved by hand.
fn wheel_rate(w_0: f64, a: f64, b: f64, t: f64) -> f64 {
    let line = |t: f64| 4.0 * (a + b * t) - 16.0 * b;
    line(t) + (w_0 - line(0.0)) * (-0.25 * t).exp()
}

#[test]
fn formulas_read_inputs() -> Result<(), Box<dyn std::error::Error>> {
    for (settings, tolerance) in [("integrator.tol=1e-9", 1e-7), ("run.step=1e-3", 2e-7)] {
        let loaded = load("wheel.toml", WHEEL, &[settings.to_string()])?;
        let mut simulation = Simulation::new(loaded.clone())?;
        // The actuator has the name of the input, which is what the program sets.
        assert_eq!(simulation.inputs(), [("motor".to_string(), 1)]);
        let near = |simulation: &mut Simulation, expected: f64| -> Result<(), Error> {
            let found = simulation.sensor("rate")?[0];
            assert!((found - expected).abs() < tolerance, "{found} {expected}");
            Ok(())
        };
        simulation.advance_to(0.2)?;
        let w = wheel_rate(0.0, 1.5, 0.0, 0.2);
        near(&mut simulation, w)?;
        // A line to 4 at t = 0.5, where it stays; one advance passes its end.
        simulation.ramp_input("motor", &[4.0], 0.5)?;
        let copy = simulation.clone();
        simulation.advance_to(0.7)?;
        let w = wheel_rate(w, 1.5, 2.5 / 0.3, 0.3);
        near(&mut simulation, wheel_rate(w, 4.0, 0.0, 0.2))?;
        assert_eq!(simulation.input("motor")?, [4.0]);
        // A copy has an input of its own, and another simulation of the same model, too.
        let mut copy = copy;
        copy.set_input("motor", &[0.0])?;
        copy.advance_to(0.7)?;
        near(&mut copy, wheel_rate(wheel_rate(0.0, 1.5, 0.0, 0.2), 0.0, 0.0, 0.5))?;
        assert_eq!(simulation.input("motor")?, [4.0]);
        let fresh = Simulation::new(loaded)?;
        assert_eq!(fresh.input("motor")?, [1.5]);
        simulation.reset()?;
        assert_eq!(simulation.input("motor")?, [1.5]);
        // Saved in the middle of a line.
        simulation.ramp_input("motor", &[-1.0], 0.4)?;
        simulation.advance_to(0.1)?;
        let bytes = simulation.to_bytes()?;
        simulation.advance_to(0.6)?;
        let mut other = fresh;
        other.from_bytes(&bytes)?;
        other.advance_to(0.6)?;
        assert_eq!(simulation.state(), other.state());
        for (values, until) in [(&[f64::NAN][..], 1.0), (&[1.0, 2.0], 1.0), (&[1.0], 0.1)] {
            assert!(simulation.ramp_input("motor", values, until).is_err());
        }
    }
    let wrong = WHEEL.replace("input('motor')", "input('moter')");
    let error = load("wheel.toml", &wrong, &[]).unwrap_err().to_string();
    assert!(error.contains("did you mean 'motor'?"), "{error}");
    let driven = WHEEL.replace("axis = [0, 0, 1]", "axis = [0, 0, 1]\ndrive = 'input(\"motor\")'");
    let error = load("wheel.toml", &driven, &[]).unwrap_err().to_string();
    assert!(error.contains("an input may jump"), "{error}");
    let constant = WHEEL.replace("mass = 1", "mass = 'input(\"motor\")'");
    let error = load("wheel.toml", &constant, &[]).unwrap_err().to_string();
    assert!(error.contains("changes while a model runs"), "{error}");
    Ok(())
}

/// An input that jumps every 20 ms, with 16, 32 and 64 steps between two jumps: the method keeps its order.
/// (It forgets the acceleration of a jump within about ten steps, so that fewer steps between jumps say
/// nothing about the order.) A simulation that is saved and restored at every jump, and so has other
/// workspace, has the same bits.
#[test]
fn inputs_that_jump_keep_the_order() -> Result<(), Box<dyn std::error::Error>> {
    let (dt, n) = (0.02, 50);
    let input = |k: usize| 3.0 + (0.7 * k as f64).sin();
    let exact = (0..n).fold(0.0, |w, k| wheel_rate(w, input(k), 0.0, dt));
    let errors = [16.0, 32.0, 64.0].map(|parts| -> Result<f64, Box<dyn std::error::Error>> {
        let settings = ["integrator.tol=off".to_string(), format!("run.step={}", dt / parts)];
        let loaded = load("wheel.toml", WHEEL, &settings)?;
        let (mut simulation, mut saved) =
            (Simulation::new(loaded.clone())?, Simulation::new(loaded.clone())?);
        for k in 0..n {
            let bytes = saved.to_bytes()?;
            saved = Simulation::new(loaded.clone())?;
            saved.from_bytes(&bytes)?;
            for s in [&mut simulation, &mut saved] {
                s.set_input("motor", &[input(k)])?;
                s.advance_to(dt * (k + 1) as f64)?;
            }
        }
        assert_eq!(simulation.state(), saved.state());
        Ok((simulation.sensor("rate")?[0] - exact).abs())
    });
    let [a, b, c] = errors;
    let (a, b, c) = (a?, b?, c?);
    for order in [(a / b).log2(), (b / c).log2()] {
        assert!((1.7..2.5).contains(&order), "{a:e} {b:e} {c:e}");
    }
    Ok(())
}
