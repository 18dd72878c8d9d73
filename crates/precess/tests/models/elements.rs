//! Force laws, stops, dry friction, tables and drives at joints, and moving bases: against closed formulas
//! and against equivalent models that are written in another way.

use precess::formulation::Formulation;
use precess::model::{Loaded, build, load};
use precess::study::execute::run;

/// Runs a model; the columns of the results by name at the end, and the largest size of each.
pub struct Ran {
    results: precess::study::results::Results,
}

impl Ran {
    pub fn of(text: &str) -> Ran {
        let loaded = load("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
        Ran::loaded(&loaded)
    }

    pub fn loaded(loaded: &Loaded) -> Ran {
        let built = build(&loaded.model, loaded.settings.formulation).unwrap_or_else(|e| panic!("{e}"));
        let outcome = run(loaded, &built, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
        let results = outcome.trusted().unwrap_or_else(|e| panic!("{e}"));
        Ran { results }
    }

    /// All values of a column.
    pub fn column(&self, name: &str) -> Vec<f64> {
        self.results.numbers(name).unwrap_or_else(|| panic!("no column {name}")).0
    }

    /// Names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.results.columns.iter().map(|c| c.name.clone()).collect()
    }

    /// Names of all numbers in a row.
    pub fn parts(&self) -> Vec<String> {
        self.results.columns.iter().flat_map(|c| c.parts.iter().cloned()).collect()
    }

    /// The last value.
    pub fn last(&self, name: &str) -> f64 {
        *self.column(name).last().unwrap()
    }
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance, "{what}: {found}, wanted {wanted} within {tolerance:e}");
}

fn cart(name: &str, x: f64, v: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [{x}, 0, 0]\nvelocity = \
         [{v}, 0, 0]\n\
         [[joint]]\nname = \"{name}_rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"{name}\"]\npoint \
         = [{x}, 0, 0]\naxis = \"x\"\n"
    )
}

const TIGHT: &str = "[integrator]\ntol = 1e-9\n[run]\nuntil = 2\n";

/// Two carts that pull each other by laws that read the other joint, one as an actuator and one as a force:
/// x_1 = A cos(wt) with w^2 = 2k/m, and the spring between them does the same.
#[test]
fn laws_read_other_joints() {
    let text = format!(
        "[parameters]\nk = 40\n{}{}[[force]]\nname = \"left\"\ntype = \"actuator\"\njoint = \
         \"a_rail\"\nvalue = \"k*(b_rail.x - x)\"\n\
         [[force]]\nname = \"right\"\ntype = \"force\"\nbody = \"b\"\nforce = [\"-k*(b_rail.x - near.x - \
         0.3)\", 0, 0]\n\
         [[sensor]]\nname = \"near\"\ntype = \"position\"\nbody = \"a\"\n\
         [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"a_rail\"\n[[sensor]]\nname = \
         \"y\"\ntype = \"coordinate\"\njoint = \"b_rail\"\n{TIGHT}",
        cart("a", -0.3, 0.5),
        cart("b", 0.7, -0.5)
    );
    let ran = Ran::of(&text);
    let w = (2.0_f64 * 40.0 / 2.0).sqrt();
    for (t, (x, y)) in ran.column("t").iter().zip(ran.column("x").iter().zip(ran.column("y"))) {
        near(*x, 0.5 / w * (w * t).sin(), 1e-7, "x");
        near(y, -0.5 / w * (w * t).sin(), 1e-7, "y");
    }
}

/// A law of a length and its tension is that spring, in both groups, in 3d, with its reactions.
#[test]
fn a_law_is_the_spring_it_describes() {
    let pendulum = |force: &str, formulation: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1.5\ninertia = [0.1, 0.1, \
             0.02]\nposition = [0.3, 0, -0.4]\n\
             [[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, \
             0, 0]\n{force}\
             [[sensor]]\nname = \"tip\"\ntype = \"position\"\nbody = \"rod\"\npoint = [0.6, 0, -0.8]\n\
             [[sensor]]\nname = \"speed\"\ntype = \"velocity\"\nbody = \"rod\"\npoint = [0.6, 0, -0.8]\n\
             [[sensor]]\nname = \"push\"\ntype = \"reaction-force\"\njoint = \"ball\"\n\
             [integrator]\nformulation = \"{formulation}\"\ntol = 1e-9\n[run]\nuntil = 1\n"
        )
    };
    // Anchored at the origin of the tip's start: F = -k (r - r0) - c r', free length 0.
    let spring = "[[force]]\nname = \"s\"\ntype = \"spring\"\nbodies = [\"ground\", \"rod\"]\npoint = [0.2, \
                  0.5, 0.1]\npoint2 = [0.6, 0, -0.8]\n\
                  stiffness = 30\ndamping = 0.7\nfree_length = 0\n";
    let law = "[[force]]\nname = \"s\"\ntype = \"force\"\nbody = \"rod\"\npoint = [0.6, 0, -0.8]\n\
               force = [\"-30*(tip.x - 0.2) - 0.7*speed.x\", \"-30*(tip.y - 0.5) - 0.7*speed.y\", \
               \"-30*(tip.z - 0.1) - 0.7*speed.z\"]\n";
    for formulation in ["r3so3", "se3"] {
        let (a, b) = (Ran::of(&pendulum(spring, formulation)), Ran::of(&pendulum(law, formulation)));
        for name in ["tip.x", "tip.y", "tip.z"] {
            near(a.last(name), b.last(name), 1e-7, name);
        }
        for name in ["push.x", "push.y", "push.z"] {
            near(a.last(name), b.last(name), 1e-5, name);
        }
    }
}

#[test]
fn what_laws_cannot_read_is_said() {
    let with = |value: &str, sensors: &str| {
        let text = format!(
            "{}[[force]]\nname = \"f\"\ntype = \"actuator\"\njoint = \"a_rail\"\nvalue = \
             \"{value}\"\n{sensors}",
            cart("a", 0.0, 0.0)
        );
        load("test.toml", &text, &[]).map_err(|e| e.to_string())
    };
    let tip = "[[sensor]]\nname = \"tip\"\ntype = \"position\"\nbody = \"a\"\n[[sensor]]\nname = \
               \"push\"\ntype = \"reaction-force\"\njoint = \"a_rail\"\n";
    for (value, message) in [
        ("-tip", "add .x, .y or .z"),
        ("-push.x", "a force cannot read sensor 'push'"),
        ("-sign(tip.x)", "jumps with the motion"),
        ("-tipp.x", "unknown name 'tipp.x'"),
        ("-tipp.x", "unknown sensor or joint 'tipp', did you mean 'tip'?"),
        ("-2*tip.x*", "missing"),
        ("{nothing here}.x", "is neither a sensor"),
    ] {
        let e = with(value, tip).err().unwrap_or_else(|| panic!("{value}"));
        assert!(e.contains(message), "{value}: {e}");
    }
    // Units of parameters beside signals.
    assert!(with("-5*tip.x + max(0, t - 1)", tip).is_ok());
    let clash = "[[sensor]]\nname = \"a_rail\"\ntype = \"position\"\nbody = \"a\"\n";
    assert!(with("-a_rail.x", clash).unwrap_err().contains("a sensor and something else"));
}

/// A cart runs into a stop and comes back: elastic stops keep its energy, half a period in between; a damper
/// takes what exp(-pi D/sqrt(1 - D^2)) says of a linear one.
#[test]
fn stops_push_back() {
    let text = |damping: f64, width: f64| {
        format!(
            "{}[[force]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"a_rail\"\nlower = -0.4\nupper = \"25 \
             cm\"\nstiffness = \"8 kN/m\"\n\
             damping = {damping}\nwidth = {width}\n[[sensor]]\nname = \"speed\"\ntype = \"rate\"\njoint = \
             \"a_rail\"\n\
             [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"a_rail\"\n[integrator]\ntol = \
             1e-8\n[run]\nuntil = 0.5\n",
            cart("a", 0.0, 1.0)
        )
    };
    let ran = Ran::of(&text(0.0, 1e-5));
    let contact = std::f64::consts::PI * (2.0_f64 / 8000.0).sqrt();
    near(ran.last("speed"), -1.0, 1e-6, "speed after an elastic stop");
    near(ran.last("x"), 0.25 - (0.5 - 0.25 - contact), 2e-5, "place after it");
    // Down to the other stop and up again.
    let both = Ran::of(&text(0.0, 1e-5).replace("until = 0.5", "until = 1.2"));
    near(both.last("speed"), 1.0, 1e-6, "speed after both stops");
    let damped = Ran::of(&text(20.0, 1e-6));
    let d: f64 = 20.0 / (2.0 * (2.0_f64 * 8000.0).sqrt());
    // Released where the push ends, at c v = -k p, not where the depth is zero.
    let left = {
        let w = (8000.0_f64 / 2.0).sqrt();
        let (mut p, mut v, h) = (0.0_f64, 1.0_f64, 1e-7);
        while 8000.0 * p + 20.0 * v > 0.0 || v > 0.0 {
            let a = -(8000.0 * p + 20.0 * v) / 2.0;
            p += h * (v + 0.5 * h * a);
            v += h * a;
        }
        assert!(w > 0.0 && d < 1.0);
        v
    };
    near(damped.last("speed"), left, 1e-3, "speed after a damped stop");
}

/// Constant dry friction: the way to rest is m v^2/2F, up to what the smoothing at small speed adds.
#[test]
fn dry_friction_stops_a_cart() {
    let text = format!(
        "{}[[force]]\nname = \"f\"\ntype = \"friction\"\njoint = \"a_rail\"\nconstant = \"3 N\"\nspeed = \
         1e-4\n\
         [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"a_rail\"\n[integrator]\ntol = \
         1e-7\n[run]\nuntil = 1\n",
        cart("a", 0.0, 1.2)
    );
    near(Ran::of(&text).last("x"), 2.0 * 1.2 * 1.2 / 6.0, 1e-6, "way to rest");
}

#[test]
fn a_straight_table_is_a_joint_spring() {
    let text = |spring: &str| {
        format!(
            "{}[[force]]\nname = \"s\"\ntype = \"joint-spring\"\njoint = \"a_rail\"\n{spring}\n\
             [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"a_rail\"\n{TIGHT}",
            cart("a", 0.0, 1.0)
        )
    };
    let (a, b) = (
        Ran::of(&text("table = [[\"-10 cm\", -5], [0, 0], [0.3, 15]]\ndamping = 0.3")),
        Ran::of(&text("stiffness = 50\ndamping = 0.3")),
    );
    near(a.last("x"), b.last("x"), 1e-7, "x");
}

/// Both coordinates of a cylindrical joint are driven: the body is where they say, and the force is m a.
#[test]
fn every_coordinate_can_be_driven() {
    let text = "[[body]]\nname = \"a\"\nmass = 2\ninertia = [1, 1, 0.5]\nposition = [0, 0, 0]\nvelocity = \
                [0, 0, 0]\n\
        [[joint]]\nname = \"tube\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, \
        0]\naxis = \"z\"\n\
        drive = \"3*t^2\"\ndrive_displacement = \"0.2*t^3\"\n\
        [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"tube\"\nof = \
        \"displacement\"\n[[sensor]]\nname = \"phi\"\ntype = \"coordinate\"\njoint = \"tube\"\n\
        [[sensor]]\nname = \"f\"\ntype = \"reaction-force\"\njoint = \"tube\"\n[[sensor]]\nname = \
        \"m\"\ntype = \"reaction-torque\"\njoint = \"tube\"\n\
        [integrator]\ntol = 1e-8\n[run]\nuntil = 1.5\n";
    let ran = Ran::of(text);
    near(ran.last("x"), 0.2 * 1.5_f64.powi(3), 1e-9, "displacement");
    near(ran.last("phi"), 3.0 * 1.5 * 1.5, 1e-8, "angle");
    near(ran.last("f.z"), 2.0 * 1.2 * 1.5, 1e-6, "force");
    near(ran.last("m.z"), 0.5 * 6.0, 1e-6, "torque");
}

/// A pendulum on a base that is moved is one on a driven cart; a body on a base that turns is pulled by m w^2
/// r.
#[test]
fn a_base_moves_as_it_is_told() {
    let pendulum = |base: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n{base}[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.1, \
             0.1, 0.02]\nposition = [0.3, 0, -0.4]\nvelocity = [0.6, 0, 0]\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"base\", \"rod\"]\npoint = [0, 0, \
             0]\naxis = \"y\"\n\
             [[sensor]]\nname = \"angle\"\ntype = \"coordinate\"\njoint = \"pin\"\n[[sensor]]\nname = \
             \"f\"\ntype = \"reaction-force\"\njoint = \"pin\"\n{TIGHT}"
        )
    };
    let moved = "[[body]]\nname = \"base\"\nmotion = { position = [\"0.2*sin(3*t)\", 0, 0] }\n";
    let cart = "[[body]]\nname = \"base\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [0.6, 0, 0]\n\
                [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"base\"]\npoint = \
                [0, 0, 0]\naxis = \"x\"\ndrive = \"0.2*sin(3*t)\"\n";
    let (a, b) = (Ran::of(&pendulum(moved)), Ran::of(&pendulum(cart)));
    near(a.last("angle"), b.last("angle"), 2e-7, "angle");
    near(a.last("f.x"), b.last("f.x"), 1e-5, "force");
    near(a.last("f.z"), b.last("f.z"), 1e-5, "force");
    let carousel = "[[body]]\nname = \"base\"\nmotion = \
                    { roll_pitch_yaw = [0, 0, \"5*t\"] }\n[[body]]\nname = \"seat\"\nmass = 3\ninertia = \
                    [1, 1, 1]\n\
        position = [2, 0, 0]\nvelocity = [0, 10, 0]\nangular_velocity = [0, 0, 5]\n\
        [[joint]]\nname = \"weld\"\ntype = \"fixed\"\nbodies = [\"base\", \"seat\"]\npoint = [2, 0, 0]\n\
        [[sensor]]\nname = \"f\"\ntype = \"reaction-force\"\njoint = \"weld\"\nframe = \
        \"second\"\n[integrator]\ntol = 1e-7\n[run]\nuntil = 1\n";
    let ran = Ran::of(carousel);
    near(ran.last("f.x"), -3.0 * 25.0 * 2.0, 1e-3, "pull of the seat");
    near(ran.last("f.y"), 0.0, 1e-3, "push of the seat");
    // Velocities that are not given follow from the motion of the base.
    let bare = Ran::of(&carousel.replace("velocity = [0, 10, 0]\nangular_velocity = [0, 0, 5]\n", ""));
    near(bare.last("f.x"), -3.0 * 25.0 * 2.0, 1e-3, "pull of the seat without given velocities");
    near(bare.last("seat.vy"), 10.0 * 5.0_f64.cos(), 1e-4, "velocity of the seat");
    let e = load("t.toml", &pendulum(moved).replace("sin(3", "cos(3"), &[]).unwrap_err().to_string();
    assert!(e.contains("starts at 0.2"), "{e}");
    assert!(build(&load("t.toml", &pendulum(moved), &[]).unwrap().model, Formulation::SE3).is_ok());
}

/// A part with laws and a moving base, turned and mirrored, moves as a turned and mirrored copy of what it is
/// by itself.
#[test]
fn parts_with_laws_are_placed() {
    let part = "[[body]]\nname = \"base\"\nmotion = \
                { position = [\"0.1*t^2\", 0, \"0.2*t^2\"], roll_pitch_yaw = [\"0.3*t^2\", \"0.1*t^2\", \"0.2*t^2\"] }\n\
        [[body]]\nname = \"arm\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\nposition = [0.5, 0.1, 0]\n\
        [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"base\", \"arm\"]\npoint = [0, 0, \
        0]\naxis = [0, 0.3, 1]\n\
        [[force]]\nname = \"f\"\ntype = \"force\"\nbody = \"arm\"\nforce = [\"-3*pin.x\", \"2 - pin.v\", 1]\n\
        [[force]]\nname = \"m\"\ntype = \"torque\"\nbody = \"arm\"\ntorque = [\"-pin.x\", 0.3, \"0.4 - \
        pin.v\"]\n\
        [[force]]\nname = \"far\"\ntype = \"force\"\nbody = \"arm\"\nforce = [\"-2*place.y\", \
        \"3*place.x*pace.z\", \"-spin.y - pace.x\"]\n\
        [[sensor]]\nname = \"place\"\ntype = \"position\"\nbody = \"arm\"\n[[sensor]]\nname = \
        \"pace\"\ntype = \"velocity\"\nbody = \"arm\"\n\
        [[sensor]]\nname = \"spin\"\ntype = \"angular-velocity\"\nbody = \"arm\"\n";
    let tail = "[[sensor]]\nname = \"at\"\ntype = \"position\"\nbody = \"arm\"\n[integrator]\ntol = \
                1e-8\n[run]\nuntil = 1\n";
    let alone = Ran::of(&format!("{part}{tail}"));
    let files = precess::model::Files::memory([("part.toml", part)]);
    let text = format!(
        "[[include]]\nfile = \"part.toml\"\nmirror = \"y\"\nrotation = {{ axis = \"z\", angle = \"90 \
         deg\" }}\nposition = [1, 2, 3]\n{tail}"
    );
    let loaded = precess::model::load_with("whole.toml", &text, &[], files).unwrap_or_else(|e| panic!("{e}"));
    let placed = Ran::loaded(&loaded);
    // (x, y, z) -> mirrored (x, -y, z) -> turned (y, x, z) -> moved.
    near(placed.last("at.x"), 1.0 + alone.last("at.y"), 1e-6, "x");
    near(placed.last("at.y"), 2.0 + alone.last("at.x"), 1e-6, "y");
    near(placed.last("at.z"), 3.0 + alone.last("at.z"), 1e-6, "z");
}

/// Results in chosen units are the same numbers times the units, times and rotations apart; and back.
#[test]
fn results_in_chosen_units() {
    let text = |units: &str| {
        format!(
            "{}[[force]]\nname = \"s\"\ntype = \"joint-spring\"\njoint = \"a_rail\"\nstiffness = 50\n\
             [[sensor]]\nname = \"x\"\ntype = \"coordinate\"\njoint = \"a_rail\"\n[[sensor]]\nname = \
             \"e\"\ntype = \"energy\"\n\
             [[sensor]]\nname = \"f\"\ntype = \"reaction-force\"\njoint = \"a_rail\"\n[[control]]\nname = \
             \"c\"\ntype = \"lag\"\njoint = \"a_rail\"\ninput = \"3 N\"\ntime = \"1 s\"\n[[sensor]]\nname = \
             \"u\"\ntype = \"control\"\ncontrol = \"c\"\n[run]\nuntil = \
             1\nstep = 0.01\n[output]\nunits = [{units}]\n",
            cart("a", 0.0, 1.0)
        )
    };
    let (si, other) = (Ran::of(&text("")), Ran::of(&text("\"mm\", \"kN\", \"km/h\", \"mJ\", \"ms\"")));
    let factors =
        [("x", 1e3), ("f.x", 1e-3), ("u", 1e-3), ("a.vx", 3.6), ("e", 1e3), ("t", 1.0), ("a.qw", 1.0)];
    for (name, factor) in factors {
        for (a, b) in si.column(name).iter().zip(other.column(name)) {
            near(b, factor * a, 1e-12 * (1.0 + b.abs()), name);
        }
    }
    for (a, b) in si.results.columns.iter().zip(&other.results.in_si().columns) {
        assert_eq!(a.unit, b.unit, "{}", a.name);
        a.values.iter().zip(&b.values).for_each(|(a, b)| near(*b, *a, 1e-12 * (1.0 + a.abs()), "back"));
    }
    for (units, message) in [("\"mm\", \"in\"", "measure the same"), ("\"foo\"", "not a unit")] {
        let e = load("t.toml", &text(units), &[]).unwrap_err().to_string();
        assert!(e.contains(message), "{e}");
    }
}

/// Problems that `check` finds without a run.
#[test]
fn notices_of_check() {
    let car = |spring: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"wheel\"\nmass = 20\ninertia = [1, 1, \
             1]\nposition = [0, 0, 0.3]\n\
             [[joint]]\nname = \"heave\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"wheel\"]\npoint = \
             [0, 0, 0.3]\naxis = \"z\"\n\
             [[force]]\nname = \"tyre\"\ntype = \"spring\"\nbodies = [\"ground\", \"wheel\"]\npoint = [0, \
             0, 0]\npoint2 = [0, 0, 0.3]\n{spring}\n"
        )
    };
    let said = |text: &str| {
        let loaded = load("t.toml", text, &[]).unwrap();
        precess::study::check::check(&loaded.model, &loaded.settings).warnings.join("\n")
    };
    let weight = 20.0 * 9.81;
    assert!(
        said(&car("stiffness = 2e5"))
            .contains("wheel (1.00 times gravity) begins to fall: its springs do not carry")
    );
    assert!(!said(&car(&format!("stiffness = 2e5\npreload = {}", -weight))).contains("wheel ("));
    assert!(
        said(&car("stiffness = 2e5\npreload = -2000"))
            .contains("is thrown up at once: its springs push more")
    );
    assert!(
        said(&car("stiffness = 2e5\nfree_length = 0.7"))
            .contains("starts 0.300 m long, its free length is 0.700 m: it pushes")
    );
    // A lift that nothing holds falls, whatever guides it; a hinge swings, and a drive holds.
    let lift = |kind: &str, more: &str| {
        said(&format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"cabin\"\nmass = 20\ninertia = [1, 1, \
             1]\nposition = [1, 0, 0]\n[[joint]]\nname = \"guide\"\ntype = \"{kind}\"\nbodies = \
             [\"ground\", \"cabin\"]\npoint = [0, 0, 0]\n{more}\n"
        ))
    };
    let falls = "nothing holds cabin against gravity: it begins to fall freely";
    for (kind, more) in [("prismatic", "axis = \"z\""), ("planar", "axis = \"y\"")] {
        assert!(lift(kind, more).contains(falls), "{}", lift(kind, more));
    }
    let held = [
        ("prismatic", "axis = \"x\""),
        ("prismatic", "axis = \"z\"\ndrive = \"0\""),
        ("revolute", "axis = \"y\""),
        ("planar", "axis = \"z\""),
    ];
    for (kind, more) in held {
        assert!(!lift(kind, more).contains("fall"), "{}", lift(kind, more));
    }
}

#[test]
fn mistakes_are_named_where_they_are() {
    let message = |text: &str| load("t.toml", text, &[]).unwrap_err().to_string();
    // At the very end of a file, without a line end.
    let e = message("[model]\nname = \"a\"\nx");
    assert!(e.contains("t.toml:3") && !e.contains("the overrides"), "{e}");
    // A point mass in a hinge.
    let hinge = "[[body]]\nname = \"bob\"\ntype = \"point\"\nmass = 1\nposition = [1, 0, \
                 0]\n[[joint]]\nname = \"h\"\ntype = \"revolute\"\n\
                 bodies = [\"ground\", \"bob\"]\npoint = [0, 0, 0]\naxis = \"y\"\n";
    assert!(message(hinge).contains("'bob' is a point mass without orientation, and joint 'h' needs one"));
    // No suggestion names an element of another kind.
    let parent = hinge
        .replace("bodies = [\"ground\", \"bob\"]", "parent = \"ground\"\nbodies = [\"ground\", \"bob\"]");
    assert!(!message(&parent).contains("did you mean 'point'"), "{}", message(&parent));
    // The element at fault: the second body, and a wrong type beside a wrong name.
    let two = "[[body]]\nname = \"a\"\nmass = true\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\nmass = \
               -1\ninertia = [1, 1, 1]\n";
    let e = message(two);
    assert!(e.contains("t.toml:3") && e.contains("t.toml:7") && e.contains("2 problems"), "{e}");
    // A value that is not a number, with the parameter.
    let e =
        message("[parameters]\nl = -2\n[[body]]\nname = \"a\"\ntype = \"point\"\nmass = \"1 + sqrt(l)\"\n");
    assert!(e.contains("'sqrt(l)' is NaN with l = -2"), "{e}");
}
