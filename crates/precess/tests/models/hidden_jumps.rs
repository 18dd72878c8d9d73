//! Drives whose position or velocity jumps although none of their functions does, and drives that only look
//! so.

use precess::model::load;

fn message(drive: &str, until: f64) -> String {
    let text = format!(
        "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"j\"\ntype = \
         \"revolute\"\nbodies = [\"ground\", \"b\"]\npoint = [0, 0, 0]\naxis = \"y\"\ndrive = \
         \"{drive}\"\n[run]\nuntil = {until}\n"
    );
    load("test.toml", &text, &[]).map_or_else(|e| e.to_string(), |_| String::new())
}

#[test]
fn hidden_jumps_are_refused() {
    let third = std::f64::consts::PI / 2.0;
    for (drive, until, what, t) in [
        ("asin(sin(t))", 2.0, "velocity", third),
        ("asin(sin(t))", 1000.0, "velocity", third),
        ("acos(cos(t + 1)) - 1", 3.0, "velocity", std::f64::consts::PI - 1.0),
        ("sqrt((t - 1)^2) - 1", 2.0, "velocity", 1.0),
        ("((t - 1.3)^2)^0.5 - 1.3", 2.0, "velocity", 1.3),
        ("atan(tan(t))", 2.0, "position", third),
        ("atan2(sin(t), cos(t))", 4.0, "position", std::f64::consts::PI),
    ] {
        let said = message(drive, until);
        assert!(said.contains(&format!("the {what} of the drive jumps at t = ")), "{drive}: '{said}'");
        let (_, rest) = said.split_once("jumps at t = ").unwrap();
        let found: f64 = rest.split_once(" s").unwrap().0.parse().unwrap();
        assert!((found - t).abs() < 1e-6, "{drive}: {found} {t}");
    }
}

/// Fast but smooth motions, and jumps of the acceleration alone.
#[test]
fn smooth_drives_are_not_refused() {
    for drive in [
        "2*pi*t",
        "sin(1000*t)",
        "1e-3*sin(1e5*t)",
        "0.1*tanh(1e4*(t - 1)) + 0.1",
        "sqrt(1e-10 + (t - 1)^2) - sqrt(1 + 1e-10)",
        "(t - 1)*sqrt((t - 1)^2) + 1",
        "exp(-1e6*(t - 1)^2) - exp(-1e6)",
        "0.5*t^2*abs(t - 1)^2",
        "step(t, 0.5, 0.6)",
    ] {
        assert_eq!(message(drive, 2.0), "", "{drive}");
    }
}
