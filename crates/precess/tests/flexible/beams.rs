//! Beams in models against published and independent solutions (flex.md section 3).

use crate::derivatives::{check_derivatives, some_state};
use crate::model_util::{load_model, load_text};
use nalgebra::Vector3;
use precess::Simulation;
use precess::formulation::Formulation;
use precess::model::{Loaded, build};

fn simulate(name: &str, overrides: &[&str], until: f64) -> Simulation {
    let mut simulation = Simulation::new(load_model(name, overrides)).unwrap_or_else(|e| panic!("{e}"));
    simulation.advance_to(until).unwrap_or_else(|e| panic!("{name} {overrides:?}: {e}"));
    simulation
}

fn position(simulation: &Simulation, body: &str) -> Vector3<f64> {
    simulation.body(body).unwrap_or_else(|e| panic!("{e}")).position
}

/// The ends at t = 10 within 0.02 of the reference, energies within a thousandth, and the momentum of the
/// loads.
#[test]
fn flying_spaghetti() {
    let reference = [Vector3::new(40.45538, 8.00574, -2.97126), Vector3::new(39.86231, 0.03404, 2.99217)];
    for formulation in ["se3", "r3so3"] {
        let s = simulate(
            "flexible/flying_spaghetti",
            &[&format!("integrator.formulation=\"{formulation}\"")],
            10.0,
        );
        for (body, x) in ["beam.0", "beam.16"].iter().zip(reference) {
            let error = (position(&s, body) - x).norm();
            assert!(error < 0.02, "{formulation}, {body}: {error}");
        }
        let system = s.system();
        let momenta = system.momenta(&s.state().at()).unwrap();
        let p = Vector3::from_column_slice(momenta.linear.as_slice());
        let drift = (p - Vector3::new(50.0, 0.0, 0.0)).norm();
        // On R^3xSO(3) as exact as Newton's iteration; on SE(3) of second order in the step.
        assert!(drift < if formulation == "se3" { 0.1 } else { 1e-6 }, "{formulation}: {p}");
        let energy = system.energy(&s.state().at()).unwrap();
        assert!((energy.kinetic - 899.139).abs() < 1.0, "{}", energy.kinetic);
        assert!((energy.potential - 9.596).abs() < 0.5, "{}", energy.potential);
    }
}

/// Order 2 in the step and in the number of elements, by the end B at t = 2.5.
#[test]
fn flying_spaghetti_has_order_two() {
    let end = |n: usize, h: f64| {
        let overrides = [format!("parameters.N={n}"), format!("run.step={h}")];
        let s = simulate("flexible/flying_spaghetti", &overrides.each_ref().map(|s| s.as_str()), 2.5);
        position(&s, &format!("beam.{n}"))
    };
    let order = |x: [Vector3<f64>; 3]| ((x[0] - x[1]).norm() / (x[1] - x[2]).norm()).log2();
    let in_h = order([end(4, 0.05), end(4, 0.025), end(4, 0.0125)]);
    assert!((in_h - 2.0).abs() < 0.2, "order {in_h} in h");
    let in_n = order([end(4, 0.0125), end(8, 0.0125), end(16, 0.0125)]);
    assert!((in_n - 2.0).abs() < 0.3, "order {in_n} in N");
    let reference = Vector3::new(0.75558, 3.10982, 1.51940);
    let error = (end(16, 0.0125) - reference).norm();
    assert!(error < 5e-3, "{error}");
}

/// Kane's beam: the lag while it is spun up, and how much longer it is at full speed.
#[test]
fn spin_up() {
    let mut s = Simulation::new(load_model("flexible/spin_up_beam", &[])).unwrap_or_else(|e| panic!("{e}"));
    let mut deepest = [0.0, 0.0];
    let tip = |s: &Simulation| {
        let hub = s.body("blade.0").unwrap();
        let r = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
            hub.rotation[0],
            hub.rotation[1],
            hub.rotation[2],
            hub.rotation[3],
        ));
        r.inverse() * position(s, "blade.16")
    };
    while s.t() < 20.0 - 1e-9 {
        s.step().unwrap_or_else(|e| panic!("{e}"));
        let y = tip(&s).y;
        if !(y >= deepest[1]) {
            deepest = [s.t(), y];
        }
    }
    assert!((deepest[1] + 0.57384).abs() < 1e-3 && (deepest[0] - 6.76).abs() < 0.05, "{deepest:?}");
    let longer = tip(&s).x - 10.0;
    assert!((longer - 5.14e-4).abs() < 0.005 * 5.14e-4, "{longer}");
}

/// The forces on a beam are the same in both groups, and those in its sections are those of statics.
#[test]
fn a_cantilever_under_its_weight() {
    let text = r#"
        [model]
        gravity = [0, 0, -9.81]
        [[beam]]
        name = "b"
        from = [0, 0, 0]
        to = [2, 0, 0]
        elements = 8
        section = { type = "rectangle", width = "20 mm", height = "60 mm" }
        young = "210 GPa"
        density = 7850
        damping = 0.02
        [[joint]]
        name = "clamp"
        type = "fixed"
        bodies = ["ground", "b.start"]
        [integrator]
        tol = 1e-5
        [run]
        until = 3
    "#;
    let mut s = Simulation::new(load_text(text)).unwrap_or_else(|e| panic!("{e}"));
    s.advance_to(3.0).unwrap_or_else(|e| panic!("{e}"));
    let (e, width, height, length) = (210e9, 0.02f64, 0.06f64, 2.0f64);
    let (area, second) = (width * height, width * height.powi(3) / 12.0);
    let (q, shear) = (7850.0 * area * 9.81, 5.0 / 6.0 * e / 2.6 * area);
    let expected = -(q * length.powi(4) / (8.0 * e * second) + q * length * length / (2.0 * shear));
    let sag = position(&s, "b.8").z;
    assert!((sag / expected - 1.0).abs() < 2e-3, "{sag} {expected}");
    // The clamp carries the weight; the first element the moment at its middle.
    let clamp = s.joint("clamp").unwrap();
    assert!((clamp.force.z / (q * length) - 1.0).abs() < 2e-3, "{:?}", clamp.force);
    assert!((clamp.torque.y / (-q * length * length / 2.0) - 1.0).abs() < 2e-3, "{:?}", clamp.torque);
    let moment = s.sensor("b.0.moment").unwrap()[1];
    let x = length - 0.125;
    assert!((moment / (q * x * x / 2.0) - 1.0).abs() < 2e-2, "{moment} {}", q * x * x / 2.0);
    let energy = s.sensor("b.strain_energy").unwrap()[0];
    let bending = q * q * length.powi(5) / (40.0 * e * second);
    assert!((energy / bending - 1.0).abs() < 2e-2, "{energy} {bending}");
}

fn load(text: &str) -> Result<Loaded, String> {
    precess::model::load("test.toml", text, &[]).map_err(|e| e.to_string())
}

const PLAIN: &str = r#"
[[beam]]
name = "b"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 2
section = { type = "circle", radius = 0.01 }
young = 2e11
density = 7850
"#;

#[test]
fn mistakes_are_named() {
    assert!(load(PLAIN).is_ok());
    let cases = [
        ("young = 2e11", "young = 0", "modulus of elasticity must be positive"),
        ("young = 2e11", "", "without young"),
        ("to = [1, 0, 0]", "", "has no to"),
        ("to = [1, 0, 0]", "to = [0, 0, 0]", "no length"),
        ("elements = 2", "elements = 0", "not a whole number from 1"),
        ("elements = 2", "stations = { tip = 1.5 }", "outside the beam"),
        ("radius = 0.01", "width = 0.01", "does not apply"),
        ("density = 7850", "density = \"3 m\"", "kg"),
        (
            "section = { type = \"circle\", radius = 0.01 }",
            "stiffness = [1, 1, 1, 1, 1, 1]\nmass_per_length = 1\ninertia_per_length = [0, 1, 1]",
            "J1",
        ),
        (
            "section = { type = \"circle\", radius = 0.01 }",
            "stiffness = [1, 0, 1, 1, 1, 1]\nmass_per_length = 1\ninertia_per_length = [1, 1, 1]",
            "must be positive",
        ),
        (
            "section = { type = \"circle\", radius = 0.01 }",
            "stiffness = [1, 1, 1, -1, 1, 1]\nmass_per_length = 1\ninertia_per_length = [1, 1, 1]",
            "must be positive",
        ),
        ("elements = 2", "elements = 1\nthrough = [0.5, 5, 0]", "turns by"),
        (
            "[[beam]]",
            "[[joint]]\nname = \"j\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.7\"]\n[[beam]]",
            "b.7",
        ),
    ];
    for (old, new, expected) in cases {
        let message = match load(&PLAIN.replace(old, new)) {
            Err(message) => message,
            Ok(loaded) => match build(&loaded.model, Formulation::SE3) {
                Err(e) => e.to_string(),
                Ok(_) => panic!("'{new}' was accepted"),
            },
        };
        assert!(message.contains(expected), "'{new}': {message}");
    }
    let loaded = load(PLAIN).unwrap();
    let refused = build(&loaded.model, Formulation::Directors).err().unwrap().to_string();
    assert!(refused.contains("beam 'b'"), "{refused}");
}

/// Expressions of positions read stations of beams as sensors and joints do. Frames without a number of
/// elements are the nodes, at any distances; with stations between them. A number of elements divides the
/// line evenly.
#[test]
fn frames_are_nodes() {
    let text = |more: &str| {
        let places = [0.0, 0.3, 0.5, 1.4, 1.5, 2.0, 2.2, 3.0, 3.1, 3.7, 4.0];
        let frames: Vec<String> =
            places.iter().map(|x| format!("{{ position = [{x}, 0, 0], rotation = [1, 0, 0, 0] }}")).collect();
        format!(
            "[[beam]]\nname = \"b\"\nframes = [{}]\nstiffness = [1, 1, 1, 1e3, 1e3, 1e3]\nmass_per_length = \
             1\ninertia_per_length = [1, 1, 1]\n{more}\n",
            frames.join(", ")
        )
    };
    let nodes = |more: &str| -> Vec<f64> {
        let loaded = load(&text(more)).unwrap_or_else(|e| panic!("{e}"));
        loaded.model.beams[0].nodes.iter().map(|n| n.translation.vector.x).collect()
    };
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    };
    near(nodes(""), &[0.0, 0.3, 0.5, 1.4, 1.5, 2.0, 2.2, 3.0, 3.1, 3.7, 4.0]);
    near(nodes("stations = { s = 0.25 }"), &[0.0, 0.3, 0.5, 1.0, 1.4, 1.5, 2.0, 2.2, 3.0, 3.1, 3.7, 4.0]);
    near(nodes("elements = 4"), &[0.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn expressions_read_stations() {
    let text = format!(
        "{PLAIN}stations = {{ hook = 0.3 }}\n[[force]]\nname = \"well\"\ntype = \"potential\"\n\
         potential = \"40*(b.end.z - 0.1)^2 + 9*b.hook.y*b.start.x + distance(b.hook, b.end)^2\"\n"
    );
    // A soft beam: differences of large forces are rounding errors.
    let text = text.replace("young = 2e11", "young = 2e4");
    let model = load(&text).unwrap_or_else(|e| panic!("{e}")).model;
    check_derivatives("stations", &model, 0.15);
    let unknown = load(&text.replace("b.hook.y", "b.hok.y")).err().unwrap();
    assert!(unknown.contains("b.hok.y"), "{unknown}");
}

/// Angular momentum of a free beam about the origin changes by the torque of its weight, with both kinds of
/// mass.
#[test]
fn momenta_are_those_of_the_forces() {
    for mass in ["consistent", "lumped"] {
        let soft =
            "stiffness = [3, 4, 5, 60, 50, 40]\nmass_per_length = 2\ninertia_per_length = [0.3, 0.1, 0.2]\n";
        let text = format!(
            "[model]\ngravity = [1, 2, -9]\n[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, \
             0]\nelements = 2\n{soft}mass = \"{mass}\"\n"
        );
        for formulation in [Formulation::R3SO3, Formulation::SE3] {
            let built = build(&load_text(&text).model, formulation).unwrap();
            let system = &*built.system;
            let state = some_state(&built, 3, 0.1);
            // Momenta of accelerations that make the residual vanish.
            let start =
                precess::integrate::InitialValues::new(&state.q, &state.v).consistent(system).unwrap();
            let h = 1e-5;
            let at = |s: f64| {
                let mut moved = start.clone();
                let step: Vec<f64> =
                    start.v.iter().zip(&start.vdot).map(|(v, a)| s * v + 0.5 * s * s * a).collect();
                system.group().retract(&start.q, &step, &mut moved.q);
                moved.v.iter_mut().zip(&start.vdot).for_each(|(v, a)| *v += s * a);
                system.momenta(&moved.at()).unwrap()
            };
            let (before, after) = (at(-h), at(h));
            let weight = Vector3::new(1.0, 2.0, -9.0) * 2.0;
            let bodies = system.bodies(&start.at());
            let centre = bodies[0].position * 0.25 + bodies[1].position * 0.5 + bodies[2].position * 0.25;
            for k in 0..3 {
                let force = (after.linear[k] - before.linear[k]) / (2.0 * h);
                assert!((force - weight[k]).abs() < 1e-6 * weight.norm(), "{mass} {formulation:?}: {force}");
                let torque = (after.angular[k] - before.angular[k]) / (2.0 * h);
                let expected = centre.cross(&weight)[k];
                assert!(
                    (torque - expected).abs() < 1e-6 * weight.norm(),
                    "{mass} {formulation:?}: {torque} {expected}"
                );
            }
        }
    }
}

/// Distance of the middle of the rod from the line between its ends, to the left of it.
fn bend(s: &Simulation, n: usize) -> f64 {
    let [a, m, b] = [0, n / 2, n].map(|i| position(s, &format!("rod.{i}")));
    let chord = (b - a).normalize();
    Vector3::z().cross(&chord).dot(&(m - a))
}

/// The connecting rod of a fast slider-crank against a reference with 32 elements (flex.md 3.8), whose values
/// differ by up to 1.1e-6 m with the number of elements and the step; also where it bends most.
#[test]
fn flexible_slider_crank() {
    let mut s = Simulation::new(load_model("flexible/slider_crank", &[])).unwrap();
    let reference = [
        (0.005, 1.4027e-3),
        (0.010, 7.035e-4),
        (0.020, -7.81e-5),
        (0.030, -6.031e-4),
        (0.040, -9.624e-4),
        (0.050, 9.829e-4),
    ];
    let (mut highest, mut lowest) = ([0.0, 0.0], [0.0, 0.0]);
    for (t, w) in reference {
        let mut found = f64::NAN;
        while s.t() < t - 1e-9 {
            s.step().unwrap_or_else(|e| panic!("{e}"));
            found = bend(&s, 8);
            if !(found <= highest[1]) {
                highest = [s.t(), found];
            }
            if !(found >= lowest[1]) {
                lowest = [s.t(), found];
            }
        }
        assert!((found - w).abs() < 2e-6, "t = {t}: {found:e}, expected {w:e}");
    }
    let most = [(highest, [0.04777, 1.8708e-3]), (lowest, [0.03596, -1.8706e-3])];
    for ([t, w], [at, expected]) in most {
        assert!(
            (w - expected).abs() < 2e-6 && (t - at).abs() < 5e-5,
            "{w:e} at {t}, expected {expected:e} at {at}"
        );
    }
}

/// Lengths in m with a stiffness in N/mm^2 make a section that no beam has: `check` says so with the
/// slenderness.
#[test]
fn absurd_units_are_noted() {
    let stiffness = |ei: f64| {
        PLAIN
            .replace("section = { type = \"circle\", radius = 0.01 }", &format!(
                "stiffness = [{ei}, {ei}, {ei}, 6e7, 2e7, 2e7]\nmass_per_length = 2.5\ninertia_per_length = \
                 [1e-4, 5e-5, 5e-5]"
            ))
            .replace("young = 2e11\n", "")
            .replace("density = 7850\n", "")
    };
    let lines = |ei: f64| {
        let loaded = load(&stiffness(ei)).unwrap();
        precess::study::check::check(&loaded.model, &loaded.settings).flexible.join(" ")
    };
    let (good, thick, thin) = (lines(1500.0), lines(1.5e9), lines(1.5e-9));
    assert!(
        good.contains("2 elements") && good.contains("slenderness 200") && !good.contains("units"),
        "{good}"
    );
    for (absurd, slenderness) in [(thick, "slenderness 0.2"), (thin, "slenderness 2e8")] {
        assert!(absurd.contains(slenderness) && absurd.contains("units"), "{absurd}");
    }
}

/// An element bends too far while it moves: the run ends with an error that gives the angle and the remedy,
/// and keeps the results so far.
#[test]
fn a_beam_bent_too_far_while_it_moves() {
    let text = r#"
        [[beam]]
        name = "b"
        from = [0, 0, 0]
        to = [1, 0, 0]
        elements = 1
        stiffness = [2, 2, 2, 1e4, 1e4, 1e4]
        mass_per_length = 1
        inertia_per_length = [1e-2, 1e-2, 1e-2]
        damping = 0.1
        [[joint]]
        name = "clamp"
        type = "fixed"
        bodies = ["ground", "b.start"]
        [[force]]
        name = "roll"
        type = "torque"
        body = "b.end"
        torque = [0, 0, "4*t"]
        [run]
        until = 5
        step = 1e-2
        [integrator]
        method = "gen-alpha"
    "#;
    let mut s = Simulation::new(load_text(text)).unwrap_or_else(|e| panic!("{e}"));
    let error = s.advance_to(5.0).err().map(|e| e.to_string());
    assert!(s.t() > 0.5 && s.t() < 5.0, "{}", s.t());
    let error = error.unwrap_or_else(|| panic!("it ran"));
    assert!(error.contains("not finite"), "{error}");
    // The report of the run, beside the error.
    let notes = s.system().troubles(&s.state().at()).join(" ");
    assert!(notes.contains("turns by") && notes.contains("use more elements"), "{notes}");
}

/// A cable is a beam with hardly any bending stiffness. Its equilibrium is the catenary, which has no bending
/// stiffness at all: the cable stays there, except for the depth that its stretching adds. EI from 1e-4 to
/// 1e-9 N m^2 are 1/3000 and less of H l^2.
#[test]
fn a_cable_hangs_as_a_catenary() {
    // Length 1, span 0.8: 2 a sinh(0.4/a) = 1.
    let a = (0..200).fold((0.1f64, 5.0f64), |(low, high), _| {
        let middle = 0.5 * (low + high);
        if 2.0 * middle * (0.4 / middle).sinh() > 1.0 { (middle, high) } else { (low, middle) }
    });
    let a = a.0;
    let depth = a * ((0.4 / a).cosh() - 1.0);
    assert!((depth - 0.265438).abs() < 1e-6);
    let points: Vec<String> = (0..=32)
        .map(|i| {
            // Equal parts of the arc.
            let x = a * ((f64::from(i) / 32.0 - 0.5) / a).asinh();
            format!("[{}, 0, {}]", x + 0.4, a * ((x / a).cosh() - (0.4 / a).cosh()))
        })
        .collect();
    let points = format!("points = [{}]", points.join(", "));
    let text = crate::model_util::model_text("flexible/cable");
    let shape = text.lines().filter(|l| !["from = ", "to = ", "through = "].iter().any(|k| l.starts_with(k)));
    let text = shape.collect::<Vec<_>>().join("\n").replace("elements = ", &format!("{points}\nelements = "));
    for ei in ["1e-4", "1e-6", "1e-9"] {
        let mut s = Simulation::new(load_text(&text.replace("EI = 1e-6", &format!("EI = {ei}")))).unwrap();
        let mut largest: f64 = 0.0;
        while s.t() < 0.3 {
            s.step().unwrap_or_else(|e| panic!("EI = {ei}: {e}"));
            largest = precess::study::larger(largest, (s.sensor("middle").unwrap()[2] + depth).abs());
        }
        // H/EA = 3e-5 of 1 m, with what it swings through, and the bending of a curve through points.
        assert!(largest < 3e-4, "EI = {ei}: {largest}");
    }
}
