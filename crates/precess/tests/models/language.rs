//! The model language: units, functions and tables, parts.

use crate::language_util::{HHT, MARKED, Mark, SETTINGS, marks, same_numbers, with};
use crate::shapes::no_files;
use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::methods::{MethodOptions, method};
use precess::model::evaluate::expected::{KEYS, Wanted, wanted};
use precess::model::expression::functions::Function;
use precess::model::expression::units;
use precess::model::number::{Names, Number};
use precess::model::{Loaded, load, load_with};
use precess::study::Run;
use proptest::prelude::*;

/// Units of the same dimension as an SI unit. All units of a list are compatible.
const ALIKE: &[&[&str]] = &[
    &["1", "percent"],
    &["m", "mm", "um", "in", "ft", "km"],
    &["kg", "g", "tonne", "lb", "slug"],
    &["s", "ms", "min", "h", "us"],
    &["rad", "deg", "mrad", "rev"],
    &["m/s", "km/h", "mph", "mm/ms"],
    &["rad/s", "rpm", "deg/s", "rev/min"],
    &["m/s^2", "mm/s^2", "g0", "ft/s^2"],
    &["N", "kN", "lbf", "kgf", "kg m/s^2"],
    &["N m", "J", "kNm", "lbf ft"],
    &["kg m^2", "g mm^2", "lb in^2"],
    &["N/m", "kN/mm", "lbf/in"],
    &["N s/m", "kN s/mm"],
    &["N m/rad", "kN m/deg", "Nm/rev"],
    &["N m s/rad", "J s/deg"],
    &["kg/m^3", "g/cm^3", "lb/ft^3"],
    &["kg/m", "N s^2/m^2"],
    &["Pa", "kPa", "N/mm^2"],
    &["kg m", "g mm"],
    &["N m/rad/s", "kN m/deg/min"],
    &["N/s", "kN/min"],
    &["N s", "kg m/s", "lbf ms"],
];

fn alike(unit: &str) -> &'static [&'static str] {
    ALIKE.iter().find(|list| list[0] == unit).unwrap_or_else(|| panic!("{unit}"))
}

/// The value of one of these units in SI.
fn factor(unit: &str) -> f64 {
    if unit == "1" { 1.0 } else { units::parse(unit).unwrap().to_si(1.0) }
}

#[test]
fn every_key_takes_its_units() {
    for model in [MARKED, SETTINGS, HHT] {
        let plain = load("test.toml", &with(model, |_| None), &[]).unwrap_or_else(|e| panic!("{e}"));
        let plain = format!("{:?}", (&plain.model, &plain.settings));
        for (i, Mark { path, number, unit }) in marks(model).iter().enumerate() {
            for other in alike(unit).iter().filter(|u| **u != "1") {
                let quantity = format!("\"{} {other}\"", number / factor(other));
                let text = with(model, |k| (k == i).then(|| quantity.clone()));
                let loaded =
                    load("test.toml", &text, &[]).unwrap_or_else(|e| panic!("{path} = {quantity}: {e}"));
                same_numbers(&plain, &format!("{:?}", (&loaded.model, &loaded.settings)), path);
            }
        }
    }
}

#[test]
fn every_key_refuses_other_dimensions_and_names_both() {
    let both = [MARKED, SETTINGS, HHT]
        .into_iter()
        .flat_map(|model| marks(model).into_iter().enumerate().map(move |(i, mark)| (model, i, mark)));
    for (model, i, Mark { path, number, unit }) in both {
        let dimension = |u: &str| units::parse(u).map(|u| u.dimension).unwrap_or_default();
        for list in ALIKE.iter().filter(|l| !dimension(l[0]).fits(dimension(&unit))) {
            let wrong = if list[0] == "1" { "percent" } else { list[0] };
            // A rod may have both densities.
            if path == "body.density" && ["kg/m", "kg/m^3"].contains(&wrong) {
                continue;
            }
            let quantity = format!("\"{number} {wrong}\"");
            let text = with(model, |k| (k == i).then(|| quantity.clone()));
            let e = load("test.toml", &text, &[]).err().unwrap_or_else(|| panic!("{path} = {quantity}"));
            let both = [dimension(wrong), dimension(&unit)].map(|d| d.to_string());
            let message = e.to_string();
            assert!(both.iter().all(|d| message.contains(d.as_str())), "{path} = {quantity}: {message}");
        }
    }
}

/// The table of dimensions has every key that is a number, and the test above every one that has a dimension.
#[test]
fn no_key_is_forgotten() {
    let schema = precess::model::schema::schema();
    let mut keys = Vec::new();
    crate::language_util::number_keys(&schema, &schema, "", &mut keys);
    assert!(keys.len() > 70, "{keys:?}");
    for key in &keys {
        assert!(wanted(key).is_some(), "{key} has no line in KEYS");
    }
    let marked: Vec<String> = [MARKED, SETTINGS, HHT].iter().flat_map(|m| marks(m)).map(|m| m.path).collect();
    for (key, what) in KEYS.iter().filter(|(_, w)| *w != Wanted::Anything) {
        let key = key.trim_end_matches(".*");
        // These need files.
        if key.starts_with("body.modal")
            || ["body.shape.scale", "body.shape.parts.scale", "include.count", "include.position"]
                .contains(&key)
        {
            continue;
        }
        assert!(marked.iter().any(|m| m.starts_with(key)), "{key} ({what:?}) is not tested");
    }
}

proptest! {
    #[test]
    fn quantities_are_their_values(x in -1e6_f64..1e6, list in 0..ALIKE.len(), k in 0_usize..6) {
        let unit = ALIKE[list][k % ALIKE[list].len()];
        prop_assume!(unit != "1");
        let found = Number::Text(format!("({x:e}) {unit}")).evaluate(&Names::new()).unwrap();
        let literal = Number::Text(format!("{:e} {unit}", x.abs())).evaluate(&Names::new()).unwrap();
        let expected = x*factor(unit);
        prop_assert!((found - expected).abs() <= 1e-15*expected.abs());
        prop_assert!((literal - expected.abs()).abs() <= 1e-15*expected.abs());
    }
}

/// The set point of a control has the unit of its joint, whatever force is before it in the file.
#[test]
fn set_points_with_units() {
    let text = r#"
        [[body]]
        name = "arm"
        mass = 1
        inertia = [1, 1, 1]
        position = [1, 0, 0]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "arm"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[force]]
        name = "spring"
        type = "spring"
        bodies = ["ground", "arm"]
        point = [0, 0, 1]
        point2 = [1, 0, 0]
        stiffness = 1
        [[control]]
        name = "hold"
        type = "pid"
        joint = "hinge"
        set_point = "30 deg"
        proportional = 1
    "#;
    let control = load("test.toml", text, &[]).unwrap().model.controls.remove(0);
    let precess::mechanics::controls::Controller::Pid(pid) = control.controller else { panic!() };
    let set_point = pid.set_point.constant().unwrap();
    assert!((set_point - std::f64::consts::FRAC_PI_6).abs() < 1e-15, "{set_point}");
}

/// Drives have the unit of the coordinate of their joint.
#[test]
fn drives_with_units() {
    let text = |joint: &str, drive: &str| {
        format!(
            "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n[[joint]]\nname = \
             \"j\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\ndrive = \
             \"{drive}*sin(1 rad/s*t)\"\ntype = {joint}"
        )
    };
    let slider = "\"generic\"\nlock = [\"tx\", \"ty\", \"rx\", \"ry\", \"rz\"]";
    for (joint, drive) in [
        ("\"revolute\"", "30 deg"),
        ("\"screw\"\npitch = 1", "30 deg"),
        ("\"prismatic\"", "3 mm"),
        ("\"point-on-line\"", "3 mm"),
        (slider, "3 mm"),
    ] {
        load("test.toml", &text(joint, drive), &[]).unwrap_or_else(|e| panic!("{joint}: {e}"));
    }
    for (joint, drive) in [("\"revolute\"", "3 mm"), ("\"point-on-line\"", "30 deg")] {
        let message = load("test.toml", &text(joint, drive), &[]).unwrap_err().to_string();
        assert!(message.contains("is needed"), "{message}");
    }
}

/// Parameters keep their dimension; plain ones fit everywhere.
#[test]
fn parameters_with_units() {
    let text = |mass: &str, length: &str| {
        format!(
            "[parameters]\nl = \"250 mm\"\nm = \"2 lb\"\nk = 3\n[[body]]\nname = \"a\"\ntype = \
             \"point\"\nmass = \"{mass}\"\n\
             position = [\"{length}\", 0, 0]"
        )
    };
    let at = |mass: &str, length: &str| {
        let loaded = load("test.toml", &text(mass, length), &[]).map_err(|e| e.to_string())?;
        Ok::<_, String>([loaded.model.bodies[0].mass, loaded.model.bodies[0].position.x])
    };
    assert_eq!(at("2*m", "l + 5 cm").unwrap(), [4.0 * 0.45359237, 0.25 + 0.05]);
    assert_eq!(at("k*m", "k*l").unwrap(), [3.0 * 0.90718474, 0.75]);
    assert!(at("l", "1").unwrap_err().contains("'l' is a length (m), but a mass (kg) is needed"));
    assert!(at("m + l", "1").unwrap_err().contains("mixes a mass (kg) with a length (m)"));
    assert!(at("1", "l/m").unwrap_err().contains("m kg^-1"));
    assert!(at("1", "sqrt(k - 7)").unwrap_err().contains("'sqrt(k - 7)' is NaN with k = 3"));
    let turning =
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, \"2 Hz\"]";
    assert!(load("test.toml", turning, &[]).unwrap_err().to_string().contains("counts cycles"));
    // So does a product with a frequency: a wheel of 5 Hz turns by 10 pi in a second, not by 5.
    let drive = |drive: &str, n: &str| {
        let text = format!(
            "[parameters]\nk = 2\nn = \"{n}\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, \
             1]\n[[joint]]\nname = \"j\"\n\
             type = \"revolute\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, 0]\naxis = \"z\"\ndrive = \
             \"{drive}\""
        );
        let loaded = load("test.toml", &text, &[]).map_err(|e| e.to_string())?;
        Ok::<_, String>(loaded.model.joints[0].drive.as_ref().map_or(f64::NAN, |f| f.motion(1.0)[0]))
    };
    let turn = 10.0 * std::f64::consts::PI;
    for (formula, n) in [("2*pi*n*t", "5 Hz"), ("n*t", "5 rev/s"), ("n*t", "300 rpm"), ("t*5 rev/s", "1")] {
        assert!((drive(formula, n).unwrap() - turn).abs() < 1e-12, "{formula}, {n}");
    }
    assert_eq!(drive("n*t", "5 rad/s").unwrap(), 5.0);
    // The unit of a plain number is not known.
    assert_eq!(drive("k*n*t", "5 Hz").unwrap(), 10.0);
    assert!((drive("sin(2*pi*n*t + t)", "5 Hz").unwrap() - (turn + 1.0).sin()).abs() < 1e-12);
    for (formula, n) in [("n*t", "5 Hz"), ("t*n", "5 Hz"), ("t*5 Hz", "1")] {
        assert!(drive(formula, n).unwrap_err().contains("counts cycles"), "{formula}, {n}");
    }
}

/// A pendulum on a cart that follows a drive. The last angle shows how accurate the motion is.
fn cart(drive: &str, tables: &str) -> Result<Loaded, String> {
    let text = format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "cart"
        mass = 1
        inertia = [1, 1, 1]
        [[body]]
        name = "bob"
        mass = 0.5
        inertia = [0.01, 0.01, 0.01]
        position = [0, 0, -0.7]
        [[joint]]
        name = "rail"
        type = "prismatic"
        bodies = ["ground", "cart"]
        point = [0, 0, 0]
        axis = [1, 0, 0]
        drive = "{drive}"
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["cart", "bob"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[sensor]]
        name = "angle"
        type = "coordinate"
        joint = "hinge"
        [run]
        until = 1.3
        {tables}
        "#
    );
    load_with("cart.toml", &text, &[], no_files()).map_err(|e| e.to_string())
}

fn last_angle(loaded: &Loaded, name: &str, options: &MethodOptions, h: f64) -> f64 {
    let mut s = crate::model_util::start(loaded, Formulation::R3SO3);
    let mut method = method(name, options).unwrap();
    Run::new(h, 1.3)
        .run(s.system.as_ref(), method.as_mut(), &mut s.state, &mut |_: &precess::study::Sample| {})
        .unwrap_or_else(|e| panic!("{e}"));
    s.sensor("angle")[0]
}

const ROAD: &str = "[tables.road]\nrows = [[0, 0], [0.21, 0.01], [0.44, 0.2], [0.7, 0.15], [0.9, 0.3], \
                    [1.2, 0.31], [1.4, 0.2]]\noutside = \"extend\"\n";

/// Drives whose acceleration or its derivatives jump: the methods keep their orders, over two halvings.
#[test]
fn kinked_drives_and_tables_keep_the_order() {
    let akima = format!("{ROAD}interpolation = \"akima\"");
    let cubic = format!("{ROAD}interpolation = \"cubic\"");
    let repeat = "[tables.bump]\nrows = [[0, 0], [0.11, 0.02], [0.23, 0.05], [0.4, 0]]\ninterpolation = \
                  \"cubic\"\noutside = \"repeat\"\n";
    for (drive, tables) in [
        ("trapezoid(t - 0.113, 0.5, 1, 4)", ""),
        ("0.2*step(t, 0.31, 0.77, 1)", ""),
        ("ramp(t, 0.47, 0.3)", ""),
        ("scurve(t - 0.2, 0.4, 1, 6, 60)", ""),
        ("if(t < 0.5, 0, (t - 0.5)^2)", ""),
        ("road(t)", akima.as_str()),
        ("road(t)", cubic.as_str()),
        ("bump(t)", repeat),
    ] {
        let loaded = cart(drive, tables).unwrap_or_else(|e| panic!("{e}"));
        for (name, k, range) in [
            ("gen-alpha", 2, 1.8..2.3),
            ("bliedf", 2, 1.7..2.6),
            ("bliedf", 3, 2.6..3.6),
            ("bliedf", 4, 3.5..4.7),
        ] {
            let options = MethodOptions { k, ..MethodOptions::default() };
            let steps = [4e-3, 2e-3, 1e-3];
            let x = steps.map(|h| last_angle(&loaded, name, &options, h));
            let order = ((x[0] - x[1]) / (x[1] - x[2])).abs().log2();
            println!("{name} {k} {drive}: order {order:.2}");
            assert!(range.contains(&order), "{name} {k} {drive}: order {order}, {x:?}");
        }
    }
}

/// The same drive as a formula and as tables: the difference is that of the tables.
#[test]
fn formula_and_table_agree() {
    let formula = |t: f64| 0.1 * (1.0 - (3.0 * t).cos());
    let exact = cart("0.1*(1 - cos(3*t))", "").unwrap();
    let options = MethodOptions::default();
    let reference = last_angle(&exact, "gen-alpha", &options, 1e-3);
    for (n, between) in [(20, "cubic"), (40, "cubic"), (40, "akima")] {
        let rows: Vec<String> =
            (0..=n).map(|i| 1.5 * i as f64 / n as f64).map(|t| format!("[{t}, {:e}]", formula(t))).collect();
        let table = format!("[tables.move]\nrows = [{}]\ninterpolation = \"{between}\"", rows.join(", "));
        let loaded = cart("move(t)", &table).unwrap();
        let angle = last_angle(&loaded, "gen-alpha", &options, 1e-3);
        // The pendulum feels the acceleration, and its angle grows with it at most as t^2/2 over its length.
        let drive = loaded.model.joints[0].drive.as_ref().unwrap();
        let error = (0..1300)
            .map(|i| 1e-3 * f64::from(i))
            .map(|t| (drive.motion(t)[2] - 0.9 * (3.0 * t).cos()).abs())
            .fold(0.0, precess::study::larger);
        let bound = error * 1.3 * 1.3 / 2.0 / 0.7;
        let difference = (angle - reference).abs();
        println!("{between}, {n} rows: {difference:.2e} of {bound:.2e}");
        assert!(difference < bound && difference > 0.0 && bound < 0.5, "{between} {n}: {difference} {bound}");
    }
}

/// A drive that a joint cannot follow is refused, with the time and both values.
#[test]
fn drives_that_jump_are_refused() {
    for (drive, part) in [
        ("step(t, 0.5)", "the position of the drive jumps at t = 0.5 s"),
        ("min(t, 0.5) - t", "the velocity of the drive jumps at t = 0.5 s"),
        ("if(t > 0.25, t - 0.25, 0)", "the velocity of the drive jumps at t = 0.25"),
        ("road(t)", "the velocity of the drive jumps at t = 0.21 s"),
        ("roadd(t)", "did you mean 'road'"),
        ("12 kg*t", "'12 kg*t' is a quantity in kg s, but a length (m) is needed"),
    ] {
        let e = cart(drive, ROAD).err().unwrap_or_else(|| panic!("{drive} is accepted"));
        assert!(e.contains(part), "{drive}: {e}");
    }
    assert!(cart("12 kg", "").unwrap_err().contains("but a length (m) is needed"));
}

/// The book lists every function and every unit.
#[test]
fn the_book_lists_functions_and_units() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/expressions.md");
    let page = std::fs::read_to_string(page).unwrap();
    for f in Function::ALL {
        let row = format!("| `{}` | {} |", f.call(), f.meaning());
        assert!(page.contains(&row), "{row}");
    }
    for (unit, _) in units::UNITS.iter().chain(units::PREFIXED) {
        assert!(page.contains(&format!("`{unit}`")), "{unit}");
    }
}

/// The models that use the language run, and end where their drives lead.
#[test]
fn models_of_the_language() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let read = |name: &str| {
        let path = format!("{folder}/{name}.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().count() < 60, "{name}");
        load(&path, &text, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let options = crate::model_util::options(precess::integrate::Form::StabilizedIndex2);
    let conveyor = read("conveyor/conveyor");
    let mut s = crate::model_util::start(&conveyor, Formulation::R3SO3);
    s.run(&options, 1e-2, 1.0, |_, _| {});
    let angles: Vec<f64> = (0..8).map(|i| s.sensor(&format!("r{i}_angle"))[0]).collect();
    assert!(angles[0] > 1.0 && angles.iter().all(|a| (a - angles[0]).abs() < 1e-7), "{angles:?}");
    let suspension = read("suspension");
    let mut s = crate::model_util::start(&suspension, Formulation::R3SO3);
    let mut shortest = f64::INFINITY;
    let mut lifted = 0.0;
    s.run(&options, 1e-3, 0.6, |system, sample| {
        let at = sample.state.at();
        let of = |name: &str| precess::mechanics::sensors::read(system, name, &at).unwrap();
        shortest = -precess::study::larger(-shortest, -of("strut")[0]);
        lifted = precess::study::larger(lifted, of("chassis")[2] - 0.6);
    });
    // The bump of 50 mm is shorter than the wheel needs: the strut takes most of it.
    assert!(lifted > 5e-3 && lifted < 0.05, "{lifted}");
    assert!(shortest < 0.512 - 0.005, "{shortest}");
    let crane = read("slewing_crane");
    let mut s = crate::model_util::start(&crane, Formulation::R3SO3);
    s.run(&options, 2e-2, 9.5, |_, _| {});
    let load = s.sensor("load");
    // On its rope of 6 m below the trolley at (0, 8, 12). Slewing accelerates the trolley by about 2 m/s^2:
    // it swings by some 20 deg.
    let rope = Vector3::from_column_slice(&load) - Vector3::new(0.0, 8.0, 12.0);
    assert!((rope.norm() - 6.0).abs() < 1e-6 && rope.xy().norm() < 2.5 && rope.z < 0.0, "{rope}");
}
