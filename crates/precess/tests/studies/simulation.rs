//! Models in Rust, `run`, which simulates them, and `Simulation`, which a program advances itself.

use precess::model::load;
use precess::prelude::*;

const G: f64 = 9.81;

/// A bar of length 1 m and mass 2 kg on a hinge, horizontal at the start.
fn pendulum() -> Model {
    Model::new("pendulum")
        .gravity([0.0, 0.0, -G])
        .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
        .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y))
}

/// Angular velocity of the pendulum by the conservation of energy, from the height of its centre.
fn speed(z: f64) -> f64 {
    let about_hinge = 2.0 * (3.0 * 0.02 * 0.02 + 1.0) / 12.0 + 2.0 * 0.25;
    (-2.0 * 2.0 * G * z / about_hinge).sqrt()
}

/// Four bars with four plain hinges; no velocity is given.
fn four_bar() -> Result<Model, Error> {
    let point = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.3], [0.8, 0.0, 0.6], [1.0, 0.0, 0.0]];
    Ok(Model::new("four_bar")
        .gravity([0.0, 0.0, -G])
        .body(Body::bar("crank", point[0], point[1], 0.5, 0.02))
        .body(Body::bar("coupler", point[1], point[2], 1.0, 0.02))
        .body(Body::bar("rocker", point[2], point[3], 0.8, 0.02))
        .joint(Joint::revolute("A", [GROUND, "crank"], point[0], Y).drive("2*pi*t")?)
        .joint(Joint::revolute("B", ["crank", "coupler"], point[1], Y))
        .joint(Joint::revolute("C", ["coupler", "rocker"], point[2], Y))
        .joint(Joint::revolute("D", [GROUND, "rocker"], point[3], Y)))
}

#[test]
fn a_simulation_can_be_sent() {
    fn sends<T: Send + Sync + Clone + 'static>() {}
    sends::<Simulation>();
}

#[test]
fn advancing_keeps_energy_and_constraints() -> Result<(), Error> {
    for mut simulation in [Simulation::with_tol(pendulum(), 1e-9)?, Simulation::with_step(pendulum(), 1e-4)?]
    {
        for k in 1..=300 {
            simulation.advance_to(1e-3 * f64::from(k))?;
            assert!((simulation.t() - 1e-3 * f64::from(k)).abs() < 1e-12);
        }
        let rod = simulation.body("rod")?;
        let error = rod.angular_velocity.norm() - speed(rod.position.z);
        assert!(error.abs() < 1e-6, "{error:e}");
        assert!((rod.position.norm() - 0.5).abs() < 1e-10);
        // The force of the hinge carries the weight and the acceleration along the rod, by hand.
        let along = rod.position / 0.5;
        let force = simulation.joint("hinge")?.force.dot(&along);
        let expected = -2.0 * rod.angular_velocity.norm_squared() * 0.5 + 2.0 * G * along.z;
        assert!((force - expected).abs() < 1e-4 * expected.abs(), "{force} {expected}");
    }
    Ok(())
}

#[test]
fn one_verb_gives_results_with_names() -> Result<(), Error> {
    let results = pendulum().run(0.3, 1e-9)?;
    let rod = results.triples("rod.position")?;
    assert_eq!((rod.len(), results.t().last()), (results.rows(), Some(&0.3)));
    for (x, w) in rod.iter().zip(results.triples("rod.angular_velocity")?).skip(1) {
        assert!((w[1] * w[1] - speed(x[2]).powi(2)).abs() < 1e-6);
    }
    let text = results.to_string();
    assert!(
        text.starts_with("pendulum: auto on r3so3, tol = 1e-9") && text.contains("hinge.force"),
        "{text}"
    );
    let error = results.get("rod.positon").unwrap_err().to_string();
    assert!(error.contains("did you mean 'rod.position'?"), "{error}");
    assert!(results.triples("rod.rotation").is_err());
    Ok(())
}

#[test]
fn velocities_that_are_not_given_are_computed() -> Result<(), Error> {
    let w = std::f64::consts::TAU;
    let model = four_bar()?;
    assert!(model.check().is_runnable());
    let said = model.check().to_string();
    assert!(
        said.contains("\n1 degree of freedom, driven: ") && said.ends_with("the model can run\n"),
        "{said}"
    );
    assert!(model.check().warnings.iter().any(|x| x.contains("no velocities are given")));
    let simulation = Simulation::new(model.clone())?;
    // By the instantaneous centres.
    for (body, expected) in [("crank", w), ("coupler", -w / 9.0), ("rocker", 4.0 * w / 9.0)] {
        let body = simulation.body(body)?;
        let found = turn_about_y(&body);
        assert!((found - expected).abs() < 1e-9 * w, "{found} {expected}");
    }
    let results = model.run(1.0, 1e-8)?;
    let crank = results.triples("crank.position")?;
    let last = crank.last().copied().unwrap_or_default();
    // After one turn the crank is where it was.
    assert!((last[0].abs() + (last[2] - 0.15).abs()) < 1e-7, "{last:?}");
    Ok(())
}

/// The rate about the y axis of space.
fn turn_about_y(body: &BodyState) -> f64 {
    let [w, x, y, z] = body.rotation;
    let omega = body.angular_velocity;
    // Row y of the rotation matrix.
    let row = [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)];
    row[0] * omega.x + row[1] * omega.y + row[2] * omega.z
}

/// A mass that falls on a spring that an event turns on, with a force that jumps at 0.15 s.
const SWITCHED: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [[body]]
    name = "mass"
    mass = 1
    inertia = [1, 1, 1]
    position = [0, 0, 0.2]
    [[joint]]
    name = "guide"
    type = "prismatic"
    bodies = ["ground", "mass"]
    point = [0, 0, 0.2]
    axis = [0, 0, 1]
    coordinate = 0.2
    [[force]]
    name = "spring"
    type = "spring"
    bodies = ["ground", "mass"]
    point = [0, 0, -1]
    point2 = [0, 0, 0.2]
    stiffness = 1000
    free_length = 1
    enabled = false
    [[force]]
    name = "push"
    type = "force"
    body = "mass"
    force = [0, 0, "1.5*(1 + signum(t - 0.15))"]
    [[sensor]]
    name = "height"
    type = "coordinate"
    joint = "guide"
    [[event]]
    name = "touch"
    when = "height < 0"
    action = "switch"
    enable = ["spring"]
"#;

#[test]
fn saved_simulations_go_on_with_the_same_bits() -> Result<(), Box<dyn std::error::Error>> {
    for settings in
        [["run.step=1e-3", "integrator.method=gen-alpha"], ["integrator.tol=1e-7", "run.until=0.1"]]
    {
        let overrides = settings.map(String::from);
        let mut one = Simulation::new(load("switched.toml", SWITCHED, &overrides)?)?;
        one.advance_to(0.1234)?;
        let bytes = one.to_bytes()?;
        let mut two = Simulation::new(load("switched.toml", SWITCHED, &overrides)?)?;
        two.advance_to(0.05)?;
        two.from_bytes(&bytes)?;
        let mut three = one.fork()?;
        let mut four = one.clone();
        for simulation in [&mut one, &mut two, &mut three, &mut four] {
            for k in 1..=20 {
                simulation.advance_to(0.1234 + 0.01 * f64::from(k))?;
            }
        }
        assert_eq!(one.state(), two.state());
        assert_eq!(one.state(), three.state());
        assert_eq!(one.state(), four.state());
        assert_eq!(one.events().len(), 1, "{:?}", one.events());
        let [event] = one.events() else { return Err("one event".into()) };
        // It falls 0.2 m, with a push from 0.15 s on: solved by hand.
        let (v, z) = (-G * 0.15, 0.2 - 0.5 * G * 0.15 * 0.15);
        let a = 3.0 - G;
        let t = 0.15 + (-v - (v * v - 2.0 * a * z).sqrt()) / a;
        assert!((event.t - t).abs() < 2e-6, "{} {t}", event.t);
        one.reset()?;
        assert_eq!((one.t(), one.steps(), one.events().len()), (0.0, 0, 0));
        let other = load("switched.toml", SWITCHED, &["body.mass.mass=2".to_string()])?;
        let error = Simulation::new(other)?.from_bytes(&bytes).unwrap_err().to_string();
        assert!(error.contains("belongs to another run"), "{error}");
    }
    Ok(())
}

#[test]
fn events_end_a_simulation_where_they_say() -> Result<(), Box<dyn std::error::Error>> {
    let text = SWITCHED.replace("action = \"switch\"\n    enable = [\"spring\"]", "action = \"stop\"");
    let mut simulation = Simulation::new(load("stop.toml", &text, &["run.until=0.01".to_string()])?)?;
    simulation.advance_to(1.0)?;
    let stopped = simulation.stopped().map(|o| o.event.as_str());
    assert_eq!(stopped, Some("touch"));
    let height = simulation.sensor("height")?;
    assert!(height[0].abs() < 1e-9, "{height:?}");
    let t = simulation.t();
    simulation.advance_to(2.0)?;
    simulation.step()?;
    assert_eq!(simulation.t(), t);
    let backwards = simulation.advance_to(0.1).unwrap_err().to_string();
    assert!(backwards.contains("goes forward"), "{backwards}");
    assert!(simulation.advance_to(f64::NAN).is_err());
    let error = simulation.sensor("hight").unwrap_err().to_string();
    assert!(error.contains("did you mean 'height'?"), "{error}");
    Ok(())
}

#[test]
fn steps_of_a_simulation_are_those_of_a_run() -> Result<(), Error> {
    let mut simulation = Simulation::with_step(pendulum(), 1e-3)?;
    for _ in 0..100 {
        simulation.step()?;
    }
    let results = Loaded::new(pendulum(), Settings::with_step(1e-3).until(0.1)).run()?;
    let last = results.triples("rod.position")?.last().copied().unwrap_or_default();
    let here = simulation.body("rod")?.position;
    assert!((0..3).all(|i| (here[i] - last[i]).abs() < 1e-13), "{here} {last:?}");
    assert_eq!(simulation.steps(), 100);
    Ok(())
}

/// A spring with damper and a torque written as functions, against the same elements of the library, in two
/// groups.
#[test]
fn forces_of_ones_own_on_a_body() -> Result<(), Error> {
    use nalgebra::Vector3;
    use precess::formulation::Formulation;
    use precess::model::forces::Torque;
    let point = [0.9, 0.1, 0.0];
    let own = Force::on_body("own", "rod", point, |m| {
        let [k, c] = [40.0, 3.0];
        let hook = Vector3::new(0.2, 0.3, 1.0);
        let d = m.x - hook;
        let (length, along) = (d.norm(), d.normalize());
        [-(k * (length - 0.5) + c * m.v.dot(&along)) * along, m.rotation * Vector3::new(0.0, 0.7, 0.1)]
    });
    let body =
        Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.05).moving([0.1, 0.2, 0.3], [0.5, 1.0, -0.7]);
    let free = Model::new("free").gravity([0.0, 0.0, -G]).body(body);
    let torque = Torque {
        body: "rod".into(),
        torque: [0.0.into(), 0.7.into(), 0.1.into()],
        frame: precess::mechanics::forces::ForceFrame::Body,
    };
    let theirs = free
        .clone()
        .force(Force::spring("spring", [GROUND, "rod"], [[0.2, 0.3, 1.0], point], 40.0, 3.0, 0.5))
        .force(Force::new("torque", torque));
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let run = |model: Model| -> Result<_, Error> {
            let settings = Settings { formulation, ..Settings::with_tol(1e-10) };
            let mut simulation = Simulation::new(Loaded::new(model, settings))?;
            simulation.advance_to(1.0)?;
            simulation.body("rod")
        };
        let (a, b) = (run(free.clone().force(own.clone()))?, run(theirs.clone())?);
        let error = (a.position - b.position).norm() + (a.angular_velocity - b.angular_velocity).norm();
        assert!(error < 1e-8, "{error:e}");
    }
    let lost = free.force(Force::on_body("own", "rot", point, |_| Default::default()));
    assert!(Simulation::new(lost).is_err());
    Ok(())
}

/// Every example as plain numbers and read again: the same text, the same forces and the same motion.
#[test]
fn models_can_be_written_and_read_again() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut compared = 0;
    for file in std::fs::read_dir(folder)? {
        let file = file?.path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let loaded = Loaded::open(&file, &[])?;
        let text = match loaded.model.to_toml() {
            Ok(text) => text,
            // A table cannot be written as part of a single expression.
            Err(e) => {
                assert!(e.to_string().contains("cannot express"), "{}: {e}", file.display());
                continue;
            }
        };
        let again = Model::from_toml(&text).map_err(|e| format!("{}: {e}\n{text}", file.display()))?;
        // Quaternions are normalised again: digits may differ, words must not.
        let words = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "").lines().count();
        assert_eq!(words(&again.to_toml()?), words(&text), "{}", file.display());
        if loaded.model.bodies.len() > 30 {
            continue;
        }
        let start = |model: Model| -> Result<_, Error> {
            let settings = Settings { until: 0.02, step: 1e-3, tolerance: None, ..loaded.settings.clone() };
            let settings = Settings { method: "gen-alpha".into(), ..settings };
            let mut simulation = Simulation::new(Loaded::new(model, settings))?;
            simulation.advance_to(0.02)?;
            Ok((simulation.bodies(), simulation.joints(), simulation.sensors()))
        };
        let (Ok(one), Ok(two)) = (start(loaded.model.clone()), start(again)) else { continue };
        for (a, b) in one.0.iter().zip(&two.0) {
            let error = (a.position - b.position).norm() + (a.velocity - b.velocity).norm();
            assert!(error < 1e-9 * (1.0 + a.velocity.norm()), "{}: {} {error:e}", file.display(), a.name);
        }
        for (a, b) in one.1.iter().zip(&two.1).filter(|(a, _)| a.unique) {
            let error = (a.force - b.force).norm() + (a.torque - b.torque).norm();
            assert!(
                error < 1e-6 * (1.0 + a.force.norm() + a.torque.norm()),
                "{}: {} {error:e}",
                file.display(),
                a.name
            );
        }
        assert_eq!(one.2.len(), two.2.len());
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
    let own = pendulum().force(Force::on_body("wind", "rod", [1.0, 0.0, 0.0], |_| Default::default()));
    assert!(own.to_toml().unwrap_err().to_string().contains("force 'wind'"));
    Ok(())
}

/// `println!("{}", model.check())` says why a model cannot run, and `main` that returns an error prints its
/// message.
#[test]
fn reports_and_errors_print_their_reasons() {
    let loose = Model::new("loose").body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 0.0, 0.02));
    let check = loose.check();
    assert!(!check.is_runnable() && !check.problems.is_empty());
    let said = check.to_string();
    assert!(check.problems.iter().all(|problem| said.contains(problem)), "{said}");
    let error = Simulation::new(loose).err().expect("a body without mass");
    assert_eq!(format!("{error:?}"), error.to_string());
}
