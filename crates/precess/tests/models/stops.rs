//! Stops that events turn on and off, laws with corners, laws that read inputs, robots as parts.

use precess::formulation::Formulation;
use precess::methods::{MethodOptions, method};
use precess::model::{Files, Loaded, load, load_with};
use precess::study::{Run, Sample};

use super::elements::Ran;

/// A cart of 2 kg that runs along x from the origin with 1 m/s, and what acts on it.
fn cart(force: &str) -> String {
    format!(
        "[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n\
         [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"cart\"]\npoint = [0, 0, \
         0]\naxis = \"x\"\n\
         [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"rail\"\n[[sensor]]\nname = \
         \"speed\"\ntype = \"rate\"\njoint = \"rail\"\n\
         {force}"
    )
}

const STOP: &str = "[[force]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"rail\"\nlower = -0.3\nupper = \
                    0.25\nstiffness = 500\nevents = true\n";

/// Place and speed at t = 0.6 of a cart that meets k p + c p' at 0.25 and leaves it where that ends: closed
/// formulas.
fn exact(c: f64) -> [f64; 2] {
    let (m, k, t_0) = (2.0_f64, 500.0_f64, 0.25_f64);
    let d = c / (2.0 * m);
    let w = (k / m - d * d).sqrt();
    // p = exp(-d s) sin(w s)/w; k p + c p' = 0 where tan(w s) = -c w/(k - c d).
    let s = (std::f64::consts::PI - (c * w).atan2(k - c * d)) / w;
    let (sin, cos) = (w * s).sin_cos();
    let (p, v) = ((-d * s).exp() * sin / w, (-d * s).exp() * (cos - d * sin / w));
    [0.25 + p + v * (0.6 - t_0 - s), v]
}

fn at(loaded: &Loaded, name: &str, k: usize, h: f64) -> [f64; 2] {
    until(loaded, name, k, h, 0.6)
}

fn until(loaded: &Loaded, name: &str, k: usize, h: f64, t: f64) -> [f64; 2] {
    let mut s = crate::model_util::start(loaded, Formulation::R3SO3);
    let mut method = method(name, &MethodOptions { k, ..MethodOptions::default() }).unwrap();
    Run::new(h, t)
        .run(s.system.as_ref(), method.as_mut(), &mut s.state, &mut |_: &Sample| {})
        .unwrap_or_else(|e| panic!("{e}"));
    [s.sensor("x")[0], s.sensor("speed")[0]]
}

/// A damper that acts at once makes the force jump: methods keep their order because a step ends there.
#[test]
fn sharp_stops_keep_the_order() {
    for damping in [0.0, 12.0] {
        let text = cart(&format!("{STOP}damping = {damping}\n"));
        let loaded = load("t.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let wanted = exact(damping);
        for (name, k, order) in [("gen-alpha", 2, 2.0), ("bliedf", 2, 2.0)] {
            let errors = [1e-3, 5e-4, 2.5e-4, 1.25e-4].map(|h| {
                let found = at(&loaded, name, k, h);
                (found[0] - wanted[0]).abs() + (found[1] - wanted[1]).abs()
            });
            let found = (errors[0] / errors[3]).log2() / 3.0;
            println!("{name} {k}, damping {damping}: {errors:?}, order {found:.2}");
            assert!(found > order - 0.3, "{name} {k}, damping {damping}: {errors:?}");
            assert!(errors[3] < 1e-5, "{name} {k}, damping {damping}: {errors:?}");
        }
    }
}

/// Meeting and leaving a stop keep the order k of BLieDF: steps end there, and no step has a corner within.
#[test]
fn higher_orders_at_sharp_stops() {
    for damping in [0.0, 12.0] {
        let text = cart(&format!("{STOP}damping = {damping}\n"));
        let loaded = load("t.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        // Within the contact: p = exp(-d s) sin(w s)/w.
        let (m, k, s) = (2.0_f64, 500.0_f64, 0.1_f64);
        let d = damping / (2.0 * m);
        let w = (k / m - d * d).sqrt();
        let (sin, cos) = (w * s).sin_cos();
        let met = [0.25 + (-d * s).exp() * sin / w, (-d * s).exp() * (cos - d * sin / w)];
        for (k, order) in [(3, 2.7..3.5), (4, 3.7..4.3)] {
            let errors = [4e-3, 2e-3, 1e-3].map(|h| {
                let found = until(&loaded, "bliedf", k, h, 0.35);
                (found[0] - met[0]).abs() + (found[1] - met[1]).abs()
            });
            let found = (errors[0] / errors[2]).log2() / 2.0;
            println!("met, k = {k}, damping {damping}: {errors:?}, order {found:.2}");
            assert!(order.contains(&found), "k = {k}, damping {damping}: {errors:?}");
            let left = exact(damping);
            let errors = [4e-3, 2e-3, 1e-3].map(|h| {
                let found = at(&loaded, "bliedf", k, h);
                (found[0] - left[0]).abs() + (found[1] - left[1]).abs()
            });
            let found = (errors[0] / errors[2]).log2() / 2.0;
            println!("left, k = {k}, damping {damping}: {errors:?}, order {found:.2}");
            let order = order.start..order.end + 0.4;
            assert!(order.contains(&found), "left, k = {k}, damping {damping}: {errors:?}");
        }
    }
}

/// The moments at which a stop is met and left are events; the stop turns itself on and off, on both sides.
#[test]
fn sharp_stops_are_events() {
    let ran = Ran::of(&cart(&format!("{STOP}[integrator]\ntol = 1e-9\n[run]\nuntil = 1.6\n")));
    let energy = |x: f64, v: f64| {
        let p = if x > 0.25 {
            x - 0.25
        } else if x < -0.3 {
            -0.3 - x
        } else {
            0.0
        };
        v * v + 250.0 * p * p
    };
    for (x, v) in ran.column("x").into_iter().zip(ran.column("speed")) {
        assert!((energy(x, v) - 1.0).abs() < 1e-6, "{x} {v}");
    }
    let contact = std::f64::consts::PI * (2.0_f64 / 500.0).sqrt();
    let wanted = -0.3 + (1.6 - 0.25 - 0.55 - 2.0 * contact);
    assert!((ran.last("x") - wanted).abs() < 1e-7, "{} {wanted}", ran.last("x"));
    // The stop adds this sensor.
    assert!((ran.last("stop.x") - ran.last("x")).abs() < 1e-12);
    // Keys without effect are refused, and the model stays the same when it is written and read again.
    for (more, message) in [("width = 0.1\n", "no 'width'"), ("enabled = false\n", "no 'enabled'")] {
        let e = load("t.toml", &cart(&format!("{STOP}{more}")), &[]).unwrap_err().to_string();
        assert!(e.contains(message), "{e}");
    }
    let model = load("t.toml", &cart(STOP), &[]).unwrap().model;
    let again = precess::model::Model::from_toml(&model.to_toml().unwrap()).unwrap();
    assert_eq!(again.events.len(), 4);
    assert_eq!(again.to_toml().unwrap(), model.to_toml().unwrap());
}

/// A cart that begins beyond a stop is pushed back from there. One that begins exactly at the stop is
/// stopped, or moves away freely. A stop never pulls at a cart that leaves faster than its damper can follow.
#[test]
fn runs_may_begin_at_a_stop() {
    let from = |x: f64, v: f64, more: &str| {
        let text = cart(&format!("{STOP}{more}[integrator]\ntol = 1e-9\n[run]\nuntil = 0.1\n"));
        let text =
            text.replace("velocity = [1, 0, 0]", &format!("velocity = [{v}, 0, 0]\nposition = [{x}, 0, 0]"));
        let ran = Ran::of(&text.replace("axis = \"x\"\n", &format!("axis = \"x\"\ncoordinate = {x}\n")));
        [ran.last("x"), ran.last("speed")]
    };
    let near = |found: [f64; 2], wanted: [f64; 2], what: &str| {
        let off = (found[0] - wanted[0]).abs() + (found[1] - wanted[1]).abs();
        assert!(off < 1e-6, "{what}: {found:?} {wanted:?}");
    };
    let w = (500.0_f64 / 2.0).sqrt();
    // A quarter of a swing, then free.
    let (quarter, depth) = (std::f64::consts::FRAC_PI_2 / w, 0.02);
    near(from(0.25 + depth, 0.0, ""), [0.25 - depth * w * (0.1 - quarter), -depth * w], "beyond");
    near(from(0.25, 1.0, ""), [0.25 + (0.1 * w).sin() / w, (0.1 * w).cos()], "at the stop, inwards");
    near(from(0.25, -1.0, ""), [0.15, -1.0], "at the stop, away");
    near(from(0.25, 0.0, ""), [0.25, 0.0], "at the stop, at rest");
    near(from(0.26, -3.0, "damping = 12\n"), [0.26 - 0.3, -3.0], "faster than the damper");
}

/// The same stop as laws with corners: `max`, `if`, and a table with straight lines.
#[test]
fn laws_may_have_corners() {
    let wanted = exact(0.0);
    let table = "[tables.push]\nrows = [[-1, 0], [0, 0], [1, 500]]\noutside = \"extend\"\n";
    for law in [
        "-500*max(0, x - 0.25)",
        "if(x > 0.25, -500*(x - 0.25), 0)",
        "-push(rail.x - 0.25)",
        "-500*max(0, here.x - 0.25)",
    ] {
        let force = format!(
            "[[force]]\nname = \"stop\"\ntype = \"actuator\"\njoint = \"rail\"\nvalue = \"{law}\"\n\
             [[sensor]]\nname = \"here\"\ntype = \"position\"\nbody = \"cart\"\n{table}"
        );
        let loaded = load("t.toml", &cart(&force), &[]).unwrap_or_else(|e| panic!("{e}"));
        let errors = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| {
            let found = at(&loaded, "gen-alpha", 2, h);
            (found[0] - wanted[0]).abs() + (found[1] - wanted[1]).abs()
        });
        let order = (errors[0] / errors[3]).log2() / 3.0;
        println!("{law}: {errors:?}, order {order:.2}");
        assert!(order > 1.7 && errors[3] < 1e-4, "{law}: {errors:?}");
    }
}

/// A law may read an input beside the motion; copies count in the names that they read; actuators at one
/// joint add up.
#[test]
fn laws_read_inputs_and_are_counted() {
    let pull = |forces: &str| {
        Ran::of(&cart(&format!(
            "{forces}[[sensor]]\nname = \"tip{{i}}\"\ncount = 2\ntype = \"position\"\nbody = \"cart\"\n\
             [inputs]\npull = \"3 N\"\n[integrator]\ntol = 1e-8\n[run]\nuntil = 1\n"
        )))
    };
    let actuator = |name: &str, value: &str| {
        format!("[[force]]\nname = \"{name}\"\ntype = \"actuator\"\njoint = \"rail\"\nvalue = \"{value}\"\n")
    };
    let w = 2.0_f64;
    // 2 x'' = 3 - 8 x from x = 0, x' = 1.
    let wanted = 0.375 * (1.0 - w.cos()) + w.sin() / w;
    let one = pull(&actuator("a", "input('pull') - 8*tip0.x"));
    assert!((one.last("x") - wanted).abs() < 1e-7, "{} {wanted}", one.last("x"));
    let two = "[[force]]\nname = \"a{i}\"\ncount = 2\ntype = \"actuator\"\njoint = \"rail\"\nvalue = \
               \"-4*{tip{1-i}}.x\"\n";
    let two = pull(&format!("{two}{}", actuator("b", "3")));
    assert!((two.last("x") - wanted).abs() < 1e-7, "{} {wanted}", two.last("x"));
}

/// A robot as a part is what the importer makes of it.
#[test]
fn robots_are_parts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/six_axis_arm");
    let urdf = std::fs::read_to_string(format!("{folder}/arm.urdf")).unwrap();
    let file = format!("{folder}/six_axis_arm.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.lines().count() < 60);
    let direct = load(&file, &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let import = precess::model::urdf::import("arm.urdf", &urdf, &Default::default()).unwrap().to_toml();
    let files = Files::memory([("arm.toml", import.as_str())]);
    let other = load_with("arm.toml", &text.replace("arm.urdf", "arm.toml"), &[], files).unwrap();
    assert_eq!(format!("{:?}", direct.model), format!("{:?}", other.model));
    // Axis 5 is told to go to 130 deg and stays at its stop, 2 rad, up to what its control (200 N m/rad)
    // bends it.
    let ran = Ran::loaded(&direct);
    let angle = ran.last("axis5").to_radians();
    assert!(angle > 1.99 && angle < 2.1, "{angle}");
    let e = load_with(
        "t.toml",
        "[[include]]\nfile = \"a.urdf\"\n",
        &[],
        Files::memory([("a.urdf", "<robot name='a'>")]),
    );
    assert!(e.unwrap_err().to_string().contains("a.urdf:1:"));
}
