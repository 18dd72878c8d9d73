//! Mistakes of people who write their first model: the messages, and the places they name.

use precess::formulation::Formulation;
use precess::model::elements::Characteristic;
use precess::model::elements::ForceKind;
use precess::model::{Files, load, load_with};

/// A shaft on a bearing with what is added; the message of its mistake.
fn message(more: &str) -> String {
    let text = format!(
        "[[body]]\nname = \"rotor\"\nmass = 1\ninertia = [1, 1, 1]\nmarkers = {{ tip = [0, 0, 1] }}\n\
         [[joint]]\nname = \"shaft\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rotor\"]\npoint = [0, 0, \
         0]\naxis = \"y\"\n{more}"
    );
    load("t.toml", &text, &[]).map(|_| String::new()).unwrap_or_else(|e| e.to_string())
}

fn actuator(value: &str) -> String {
    message(&format!(
        "[[force]]\nname = \"motor\"\ntype = \"actuator\"\njoint = \"shaft\"\nvalue = \"{value}\"\n\
         [[sensor]]\nname = \"tip\"\ntype = \"position\"\nbody = \"rotor\"\npoint = \"rotor.tip\"\n"
    ))
}

/// `if` is a corner of a law if its pieces meet, and a jump, which is refused, if they do not.
#[test]
fn pieces_of_laws_meet() {
    for law in [
        "if(v > 0, -2*v, -v)",
        "if(x > 0.1, 3*(x - 0.1), 0)",
        "if(tip.z > 0.9, tip.z - 0.9, 0)",
        "if(t > 0.2, 3, 1)",
    ] {
        assert_eq!(actuator(law), "", "{law}");
    }
    for (law, part) in [
        (
            "if(v > 0, -3, 3)",
            "the pieces of 'if(v > 0, -3, 3)' do not meet: the law jumps from 3 to -3 at v = 0",
        ),
        (
            "2*if(tip.z > 0.9, 5, 1)",
            "pieces of 'if(tip.z > 0.9, 5, 1)' do not meet: the law jumps from 2 to 10 at tip.z = 0.9",
        ),
        ("if(shaft.x > 1, 1, 0)*shaft.v", "'if(shaft.x > 1, 1, 0)' do not meet"),
        ("sign(tip.x)", "'sign(tip.x)' jumps with the motion"),
    ] {
        let e = actuator(law);
        assert!(e.contains(part), "{law}: {e}");
    }
}

/// An unknown name is reported as unknown, with the name that was probably meant.
#[test]
fn names_with_dots_have_suggestions() {
    let rate = |text: &str| message(&format!("[[state]]\nname = \"s\"\nrate = \"{text}\"\n"));
    for (e, part) in [
        (rate("rotor.tipp.z"), "unknown name 'rotor.tipp.z', did you mean 'rotor.tip.z'?"),
        (rate("2*shft.v"), "unknown name 'shft.v', did you mean 'shaft.v'?"),
        (rate("rotr.x"), "unknown name 'rotr.x', did you mean 'rotor.x'?"),
        (rate("rotor.w"), "unknown name 'rotor.w'"),
        (actuator("-3*shft.v"), "did you mean 'shaft'?"),
        (actuator("-3*tipp.z"), "did you mean 'tip'?"),
    ] {
        assert!(e.contains(part), "{part}: {e}");
    }
}

/// The last line of a file is in the file, with or without an end of line.
#[test]
fn mistakes_at_the_end_of_a_file() {
    for end in ["", "\n"] {
        for last in ["[[sensor]", "[run", "x = ", "[run]\nuntil = \"2 s", "[run]\nuntil = [1, 2", "[[force]]"]
        {
            let e = message(&format!("{last}{end}"));
            assert!(e.contains("t.toml:") && !e.contains("the overrides"), "{last:?} {end:?}: {e}");
        }
    }
}

/// Whoever runs the model learns what an included part has lost.
#[test]
fn parts_say_what_they_lose() {
    use precess::model::{Files, load_with};
    let mjcf = "<mujoco><worldbody><body name='a'><joint/><geom size='0.1'/></body></worldbody>\
        <contact><exclude body1='a' body2='b'/></contact><tendon/></mujoco>";
    let inner = "[[include]]\nfile = \"a.xml\"\n";
    let files = Files::memory([("a.xml", mjcf), ("inner.toml", inner)]);
    let text = "[[include]]\nfile = \"inner.toml\"\nprefix = \"p{i}\"\ncount = 2\n";
    let loaded = load_with("t.toml", text, &[], files).unwrap_or_else(|e| panic!("{e}"));
    let count = |part: &str| loaded.notices.iter().filter(|n| n.contains(part)).count();
    assert_eq!((count("<contact>"), count("<tendon>")), (1, 1), "{:?}", loaded.notices);
    assert!(loaded.notices.iter().all(|n| n.starts_with("part 'a.xml': ")), "{:?}", loaded.notices);
}

/// The message about a whole model file.
fn mistakes(text: &str) -> String {
    load("t.toml", text, &[]).map(|_| String::new()).unwrap_or_else(|e| e.to_string())
}

const BOX: &str = "[[body]]\nname = \"a\"\nmass = 1\n";

/// Words of other programs, plural units, decimal commas, single brackets: the word that was meant is named.
#[test]
fn what_was_meant_is_named() {
    let joint = |kind: &str| {
        message(&format!("[[joint]]\nname = \"j\"\ntype = \"{kind}\"\nbodies = [\"ground\", \"rotor\"]\n"))
    };
    let radius = |r: &str| mistakes(&format!("{BOX}shape = {{ type = \"sphere\", radius = \"{r}\" }}\n"));
    for (e, part) in [
        (joint("hinge"), "did you mean 'revolute'?"),
        (joint("slider"), "did you mean 'prismatic'?"),
        (joint("ball"), "did you mean 'spherical'?"),
        (
            mistakes(&format!("{BOX}shape = {{ type = \"cuboid\", size = [1, 1, 1] }}\n")),
            "did you mean 'box'?",
        ),
        (
            mistakes(&format!("{BOX}inertia = [1, 1, 1]\nomega = [0, 0, 1]\n")),
            "did you mean 'angular_velocity'?",
        ),
        (radius("3 inches"), "'inches' is not a unit, did you mean 'inch'?"),
        (radius("70 MM"), "'MM' is not a unit, did you mean 'mm'?"),
        (radius("70,5 mm"), "decimals have a point"),
        (radius("2 foo"), "an operator such as * is missing"),
        (mistakes("[model]\ngravity = -9.81\n"), "expected a list of three values"),
        (
            mistakes("[joint]\nname = \"a\"\n[[joint]]\nname = \"b\"\n"),
            "double brackets everywhere: [[body]], [[joint]]",
        ),
        (mistakes("[run]\nuntil = 3 s\n"), "in quotes"),
        (mistakes("[run]\nuntil =\n"), "the value is missing"),
        (
            mistakes(&format!("{BOX}inertia = [1, 1, 1]\nposition = \"tipp\"\n[points]\ntip = [0, 0, 1]\n")),
            "unknown point 'tipp', did you mean 'tip'?",
        ),
    ] {
        assert!(e.contains(part), "{part}: {e}");
    }
}

/// For a key that belongs one level up, one level down or to another section, the message names the right
/// place. For a key of another type of force, it gives the right name.
#[test]
fn keys_in_the_wrong_table() {
    let body = |more: &str| mistakes(&format!("[[body]]\nname = \"a\"\n{more}\n"));
    let force = |more: &str| message(&format!("[[force]]\nname = \"f\"\njoint = \"shaft\"\n{more}\n"));
    for (e, part) in [
        (
            body("shape = { type = \"sphere\", radius = 0.1, density = 7850 }"),
            "'density' is not a key of shape: it belongs to the body, beside shape",
        ),
        (
            body("[body.shape]\ntype = \"sphere\"\nradius = 0.1\nmass = 3"),
            "'mass' is not a key of shape: it belongs to the body",
        ),
        (
            body("mass = 1\nradius = 0.1\nshape = { type = \"sphere\" }"),
            "'radius' is not a key of body: it belongs to the shape: shape = { .., radius = .. }",
        ),
        (body("mass = 1\ninertia = [1, 1, 1]\ncolour = \"red\""), "it belongs to the look"),
        (
            mistakes(&format!("{BOX}inertia = [1, 1, 1]\n[run]\ntol = 1e-6\n")),
            "'tol' is not a key of run: it belongs to [integrator]",
        ),
        (mistakes(&format!("{BOX}inertia = [1, 1, 1]\n[integrator]\nstep = 1e-3\n")), "it belongs to [run]"),
        (mistakes("gravity = [0, 0, -9.81]\n"), "'gravity' is not a section: it belongs to [model]"),
        (mistakes("[shape]\ntype = \"box\"\n"), "'shape' is not a section: it belongs to a [[body]]"),
        (force("type = \"friction\"\ntorque = 3\nspeed = 0.1"), "'torque' is not a key of friction"),
        (force("type = \"friction\"\ntorque = 3\nspeed = 0.1"), "'constant' is meant; friction has joint"),
        (force("type = \"friction\"\nforce = [3, 0, 0]\nspeed = 0.1"), "'constant' is meant"),
        (force("type = \"actuator\"\ntorque = \"3\""), "'torque' is not a key of actuator"),
        (force("type = \"actuator\"\ntorque = \"3\""), "'value' is meant"),
        (force("type = \"joint-spring\"\nstiffness = 3\nfree_length = 0.1"), "'rest' is meant"),
        (
            force("type = \"joint-spring\"\nstiffness = 3\nevents = true"),
            "'events' is not a key of joint-spring",
        ),
        (
            force("type = \"limit\"\nstiffness = 0\nupper = 1\nevents = true"),
            "a stop with events has a stiffness",
        ),
    ] {
        assert!(e.contains(part), "{part}: {e}");
    }
}

/// An unknown key, or a key one level too deep, does not hide the other mistakes of its element and causes no
/// new ones.
#[test]
fn wrong_keys_hide_nothing() {
    let list = |text: &str| {
        let e = load("t.toml", text, &[]).unwrap_err();
        e.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    let found = list("[[body]]\nname = \"a\"\nshape = { type = \"rod\", length = \"2 kg\", density = 3 }\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("'2 kg' is a mass") && found[1].contains("beside shape"), "{found:?}");
    let found = list("[[body]]\nname = \"a\"\nshape = { type = \"rod\", length = 2, density = 3 }\n");
    assert_eq!(found.len(), 1, "{found:?}");
    let found = list("[[body]]\nname = \"a\"\nmass = -1\nparent = \"b\"\ninertia = [1, 1, 5]\n");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[1].contains("unknown key 'parent'") && !found[1].contains("did you mean"), "{found:?}");
}

/// Results have columns with fixed names. A sensor with such a name is refused. If a sensor has the name of a
/// body, its column gets another name, and a notice says so.
#[test]
fn sensors_and_columns_of_the_results() {
    let sensor = |name: &str, kind: &str| {
        format!(
            "[[body]]\nname = \"rotor\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"shaft\"\ntype = \
             \"revolute\"\n\
             bodies = [\"ground\", \"rotor\"]\npoint = [0, 0, 0]\naxis = \"y\"\n[[sensor]]\nname = \
             \"{name}\"\n{kind}\n\
             [run]\nuntil = 0.1\n"
        )
    };
    let angle = "type = \"coordinate\"\njoint = \"shaft\"";
    let ran = super::elements::Ran::of(&sensor("phi", angle));
    let own: Vec<String> = ran.names().into_iter().filter(|name| !name.contains('.')).collect();
    assert!(own.len() > 12 && own.contains(&"phi".to_string()), "{own:?}");
    for name in own.iter().filter(|name| *name != "phi") {
        let e = mistakes(&sensor(name, angle));
        assert!(e.contains(&format!("results have a column '{name}' already")), "{name}: {e}");
    }
    assert_eq!(mistakes(&sensor("energy", "type = \"energy\"")), "");
    // Its columns are beside those of the body, each with a name of its own.
    for (name, kind, column) in [
        ("rotor", "type = \"velocity\"\nbody = \"rotor\"", "sensor.rotor.x"),
        ("rotor.x", angle, "sensor.rotor.x"),
        ("shaft.fx", angle, "sensor.shaft.fx"),
    ] {
        let loaded = load("t.toml", &sensor(name, kind), &[]).unwrap_or_else(|e| panic!("{e}"));
        let notices = loaded.notices.join("\n");
        assert!(notices.contains(&format!("sensor '{name}'")) && notices.contains(column), "{notices}");
        let names = super::elements::Ran::loaded(&loaded).parts();
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{names:?}");
        assert!(names.iter().any(|n| n == column), "{names:?}");
    }
}

/// An element that uses a wrong parameter is not reported as wrong.
#[test]
fn one_mistake_has_one_message() {
    let text = format!(
        "[parameters]\nr = \"sqrt(a - 5)\"\na = 3\nd = \"2*r\"\n{BOX}inertia = [1, 1, 1]\nposition = \
         [\"r\", 0, \"d + r\"]\n"
    );
    let e = load("t.toml", &text, &[]).unwrap_err();
    assert_eq!(e.list.len(), 1, "{e}");
    assert!(e.to_string().contains("'sqrt(a - 5)' is NaN with a = 3"), "{e}");
}

/// A notice points at numbers that are probably in millimetres or degrees. The model still runs.
#[test]
fn other_units_are_noticed() {
    let bars = |c: &str, gravity: f64| {
        format!(
            "[model]\ngravity = [0, 0, {gravity}]\n[points]\na = [0, 0, 0]\nb = [0.04, 0, 0]\nc = {c}\n\
             [[body]]\nname = \"crank\"\nmass = 1\nshape = {{ type = \"rod\", from = \"a\", to = \"b\", \
             radius = 0.01 }}\n\
             [[body]]\nname = \"link\"\nmass = 1\nshape = {{ type = \"rod\", from = \"b\", to = \"c\", \
             radius = 0.01 }}\n\
             [[joint]]\nname = \"A\"\ntype = \"revolute\"\nbodies = [\"ground\", \"crank\"]\npoint = \
             \"a\"\naxis = \"y\"\n\
             [[joint]]\nname = \"B\"\ntype = \"revolute\"\nbodies = [\"crank\", \"link\"]\npoint = \
             \"b\"\naxis = \"y\"\n\
             [[joint]]\nname = \"C\"\ntype = \"point-on-plane\"\nbodies = [\"ground\", \"link\"]\npoint = \
             \"c\"\naxis = \"z\"\n"
        )
    };
    let warnings = |text: &str| {
        let loaded = load("t.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let check = precess::study::check::check(&loaded.model, &loaded.settings);
        [check.warnings, loaded.notices].concat().join("\n")
    };
    let right = warnings(&bars("[0.32, 0, 0.08]", -9.81));
    assert!(!right.contains("metres") && !right.contains("gravity"), "{right}");
    let wrong = warnings(&bars("[320, 0, 80]", -9.81));
    assert!(wrong.contains("joints of 'link' are") && wrong.contains("plain numbers are metres"), "{wrong}");
    let strong = warnings(&bars("[0.32, 0, 0.08]", -9810.0));
    assert!(strong.contains("gravity is 9810 m/s^2, 1000 times that of the earth"), "{strong}");
    let turned = |angle: &str| {
        warnings(&format!("{BOX}inertia = [1, 1, 1]\nrotation = {{ axis = \"y\", angle = {angle} }}\n"))
    };
    assert!(
        turned("90").contains("body[0].rotation.angle = 90 is in radians; write \"90 deg\""),
        "{}",
        turned("90")
    );
    assert!(!turned("\"90 deg\"").contains("radians") && !turned("1.5").contains("radians"));
    // g/cm^3 and kg/cm^3 for kg/m^3.
    let dense = |density: &str| {
        warnings(&format!(
            "[[body]]\nname = \"a\"\ndensity = {density}\nshape = {{ type = \"rod\", length = 1, radius = \
             0.01 }}\n"
        ))
    };
    for (density, said) in [("7.85e6", "7850000"), ("0.5", "0.5"), ("\"0.1 g/m\"", "0.318")] {
        let notice = format!("body 'a' has a density of {said} kg/m^3");
        assert!(dense(density).contains(&notice), "{density}: {}", dense(density));
    }
    for density in ["7850", "1.2", "\"2.7 g/cm^3\"", "\"1.2 kg/m\""] {
        assert!(!dense(density).contains("density"), "{density}: {}", dense(density));
    }
}

/// A cam: the follower has the lift of the table, turn after turn.
#[test]
fn a_cam_follows_its_table() {
    let cam = |interpolation: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[tables.lift]\n\
             rows = [[0, 0], [60, 2], [120, 14], [180, 20], [240, 14], [300, 2], [360, 0]]\nunits = \
             [\"deg\", \"mm\"]\n{interpolation}\n\
             [[body]]\nname = \"shaft\"\nmass = 1\ninertia = [1, 1, 1]\n[[body]]\nname = \"valve\"\nmass = \
             0.5\ninertia = [1, 1, 1]\n\
             [[joint]]\nname = \"turn\"\ntype = \"revolute\"\nbodies = [\"ground\", \"shaft\"]\npoint = [0, \
             0, 0]\naxis = \"y\"\ndrive = \"300 rpm*t\"\n\
             [[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"valve\"]\npoint = \
             [0, 0, 0]\naxis = \"z\"\n\
             [[constraint]]\nname = \"cam\"\nequation = \"slide - lift(turn)\"\n\
             [[sensor]]\nname = \"height\"\ntype = \"coordinate\"\njoint = \"slide\"\n[[sensor]]\nname = \
             \"speed\"\ntype = \"rate\"\njoint = \"slide\"\n\
             [integrator]\ntol = 1e-8\n[run]\nuntil = 0.57\n"
        )
    };
    let refused = mistakes(&cam(""));
    assert!(
        refused.contains("two continuous derivatives") || refused.contains("2 continuous derivatives"),
        "{refused}"
    );
    assert!(refused.contains("outside = \"repeat\""), "{refused}");
    let text = cam("interpolation = \"cubic\"\noutside = \"repeat\"");
    let ran = super::elements::Ran::of(&text);
    // 0.57 s at 5 turns per second are 2 turns and 0.85 of one, 306 degrees: the same as -54 degrees on a
    // symmetric cam.
    let other = super::elements::Ran::of(&text.replace("until = 0.57", "until = 0.03"));
    assert!(
        (ran.last("height") - other.last("height")).abs() < 1e-8,
        "{} {}",
        ran.last("height"),
        other.last("height")
    );
    assert!(
        (ran.last("speed") + other.last("speed")).abs() < 1e-5,
        "{} {}",
        ran.last("speed"),
        other.last("speed")
    );
    let quarter = super::elements::Ran::of(&text.replace("until = 0.57", "until = 0.3"));
    assert!((quarter.last("height") - 0.02).abs() < 1e-9, "{}", quarter.last("height"));
}

/// A frequency in Hz is no angle per second, also inside of a sine.
#[test]
fn sines_of_cycles_are_refused() {
    let model = |drive: &str| {
        format!(
            "parameters = {{ f = \"5 Hz\" }}\nbody = [{{ name = \"b\", mass = 1, inertia = [1, 1, 1] }}]\n\
             joint = [{{ name = \"j\", type = \"prismatic\", bodies = [\"ground\", \"b\"], \
             point = [0, 0, 0], axis = \"x\", drive = \"{drive}\" }}]"
        )
    };
    for wrong in ["0.1*sin(5 Hz*t)", "0.1*sin(f*t)", "0.1 - 0.1*cos(t*f)"] {
        let e = load("test.toml", &model(wrong), &[]).unwrap_err().to_string();
        assert!(e.contains("counts cycles, but an angle is needed"), "{wrong}: {e}");
    }
    for right in ["0.1*sin(2*pi*5 Hz*t)", "0.1*sin(5 rad/s*t)", "0.1*sin(2*pi*f*t)", "0.1*sin(300 rpm*t)"] {
        load("test.toml", &model(right), &[]).unwrap_or_else(|e| panic!("{right}: {e}"));
    }
}

/// Parameters of a part keep their units: a mass is no stiffness, and kN/m are converted once.
#[test]
fn parameters_of_parts_have_dimensions() {
    let part = "parameters = { k = 5 }\nbody = [{ name = \"b\", mass = 1, inertia = [1, 1, 1] }]\n\
                force = [{ name = \"s\", type = \"spring\", bodies = [\"ground\", \"b\"], \
                point = [0, 0, 1], point2 = [0, 0, 0], stiffness = \"k\" }]";
    let with = |k: &str| {
        let whole =
            format!("include = [{{ file = \"part.toml\", prefix = \"p_\", parameters = {{ k = {k} }} }}]");
        load_with("test.toml", &whole, &[], Files::memory([("part.toml", part)]))
    };
    let e = with("\"10 kg\"").unwrap_err().to_string();
    assert!(e.contains("a mass (kg)") && e.contains("stiffness"), "{e}");
    let stiffness = |k: &str| {
        let loaded = with(k).unwrap_or_else(|e| panic!("{k}: {e}"));
        match &loaded.model.forces[0].kind {
            ForceKind::Spring(s) => match &s.characteristic {
                Characteristic::Linear(law) => law.k,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(stiffness("\"2 kN/m\""), 2000.0);
    assert_eq!(stiffness("7"), 7.0);
}

/// A mirrored cylindrical joint with both motions driven moves as the mirror image: the velocity along its
/// axis turns round with the axis, the angular velocity does not.
#[test]
fn mirrored_cylindrical_joints_are_images() {
    let part = "body = [{ name = \"r\", mass = 1, inertia = [1, 1, 1] }]\n\
                joint = [{ name = \"c\", type = \"cylindrical\", bodies = [\"ground\", \"r\"], \
                point = [0, 0, 0], axis = \"y\", drive = \"t\", drive_displacement = \"0.1*t\" }]";
    let whole = "include = [{ file = \"p.toml\", prefix = \"l_\" }, \
                 { file = \"p.toml\", prefix = \"r_\", mirror = \"y\" }]\n\
                 sensor = [{ name = \"lw\", type = \"angular-velocity\", body = \"l_r\" }, \
                 { name = \"rw\", type = \"angular-velocity\", body = \"r_r\" }, \
                 { name = \"lv\", type = \"velocity\", body = \"l_r\" }, \
                 { name = \"rv\", type = \"velocity\", body = \"r_r\" }]";
    let loaded = load_with("test.toml", whole, &[], Files::memory([("p.toml", part)])).unwrap();
    let options = crate::model_util::options(precess::integrate::Form::StabilizedIndex2);
    let mut run = crate::model_util::start(&loaded, Formulation::R3SO3);
    run.run(&options, 1e-2, 0.5, |_, _| {});
    let of = |name: &str| run.sensor(name)[1];
    for (name, wanted) in [("lw", 1.0), ("rw", 1.0), ("lv", 0.1), ("rv", -0.1)] {
        assert!((of(name) - wanted).abs() < 1e-9, "{name}: {}", of(name));
    }
}
