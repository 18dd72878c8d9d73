//! Driven mechanisms without dynamics: closed forms, the power of the drives, dead points.

use crate::analyses_util::{built, built_se3, model, relative, text};
use precess::analysis::AnalysisError;
use precess::analysis::kinematics::sweep;

const W: f64 = 5.0;

/// A slider-crank in the plane, crank 0.1 and rod 0.3 m, with a drive at the crank or at the slider.
fn slider_crank(crank: &str, slider: &str) -> String {
    format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "crank"
        mass = 1
        inertia = [1e-4, 1e-3, 1e-3]
        position = [0.05, 0, 0]
        markers = {{ pin = [0.05, 0, 0] }}
        [[body]]
        name = "rod"
        mass = 0.5
        inertia = [1e-4, 4e-3, 4e-3]
        position = [0.25, 0, 0]
        markers = {{ end = [0.15, 0, 0] }}
        [[body]]
        name = "slider"
        mass = 2
        inertia = [1e-3, 1e-3, 1e-3]
        position = [0.4, 0, 0]
        [[joint]]
        name = "bearing"
        type = "revolute"
        bodies = ["ground", "crank"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        {crank}
        [[joint]]
        name = "pin"
        type = "cylindrical"
        bodies = ["crank", "rod"]
        point = "crank.pin"
        axis = [0, 1, 0]
        [[joint]]
        name = "wrist"
        type = "spherical"
        bodies = ["rod", "slider"]
        point = "rod.end"
        [[joint]]
        name = "guide"
        type = "prismatic"
        bodies = ["ground", "slider"]
        point = [0.4, 0, 0]
        axis = [1, 0, 0]
        {slider}
        [[sensor]]
        name = "energy"
        type = "energy"
        "#
    )
}

/// x, x', x'' of the slider at the crank angle w t, by hand.
fn slider(t: f64) -> [f64; 3] {
    let (r, l) = (0.1, 0.3_f64);
    let (s, c) = (W * t).sin_cos();
    let root = (l * l - r * r * s * s).sqrt();
    let x = r * c + root;
    let v = -r * W * s - r * r * W * s * c / root;
    let a = -r * W * W * c - r * r * W * W * ((c * c - s * s) / root + r * r * s * s * c * c / root.powi(3));
    [x, v, a]
}

#[test]
fn slider_crank_moves_as_geometry_says() {
    let file = text(&slider_crank(&format!("drive = \"{W}*t\""), ""));
    for built in [built(&file), built_se3(&file)] {
        let system = &*built.system;
        let found = sweep(system, &built.q, 1.0, 400).unwrap();
        assert_eq!((found.moments.len(), found.dead.len(), found.idle), (401, 0, 0), "{:?}", found.dead);
        let energy = |i: usize| system.sensors(&found.moments[i].state.at())[0].1[0];
        let h = 1.0 / 400.0;
        for (i, m) in found.moments.iter().enumerate() {
            let [x, v, a] = slider(m.state.t);
            let body = &system.bodies(&m.state.at())[2];
            assert!((body.position.x - x).abs() < 1e-12, "{}", m.state.t);
            assert!((body.velocity.x - v).abs() < 1e-11);
            // The slider does not turn: its axes are those of space on both groups.
            assert!((m.state.vdot[15] - a).abs() < 1e-9, "{} {a}", m.state.vdot[15]);
            // The power of the drive is the rate of the energy, a difference of eighth order.
            if i >= 4 && i + 4 < found.moments.len() {
                let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
                let rate: f64 =
                    (1..=4).map(|k| weights[k - 1] * (energy(i + k) - energy(i - k))).sum::<f64>() / h;
                assert!((m.drives[0] * W - rate).abs() < 1e-8 * 10.0, "{} {rate}", m.drives[0] * W);
            }
        }
    }
}

/// A drive that pushes the slider: the stretched position is a dead point that it cannot pass.
#[test]
fn pushed_slider_stops_at_its_dead_point() {
    // Crank upright at first, then the slider goes out to 0.4 and beyond.
    let x = 0.08_f64.sqrt();
    let upright = slider_crank("", "drive = \"0.3*t\"\ncoordinate = 0")
        .replace(
            "position = [0.05, 0, 0]",
            "position = [0, 0, 0.05]\nrotation = { axis = [0, 1, 0], angle = \"-pi/2\" }",
        )
        .replace(
            "position = [0.25, 0, 0]",
            &format!(
                "position = [{}, 0, 0.05]\nrotation = {{ x_axis = [{x}, 0, -0.1], y_axis = [0, 1, 0] }}",
                x / 2.0
            ),
        )
        .replace("[0.4, 0, 0]", &format!("[{x}, 0, 0]"));
    let built = built(&text(&upright));
    let found = sweep(&*built.system, &built.q, 1.0, 50).unwrap();
    assert!(found.stopped);
    let expected = (0.4 - x) / 0.3;
    assert!((found.dead[0].t - expected).abs() < 1e-6, "{} {expected}", found.dead[0].t);
    assert!(found.dead[0].motion.contains("'crank' turns about y"), "{}", found.dead[0].motion);
}

/// The drive of the four-bar does the work: over a whole turn, the work is the change of the energy.
#[test]
fn four_bar_of_the_catalogue() {
    let built = built(&model("four_bar", &[]));
    let found = sweep(&*built.system, &built.q, 1.0, 360).unwrap();
    assert!(found.dead.is_empty() && !found.stopped);
    // Periodic: the trapezoidal rule is exact to rounding errors.
    let work: f64 = found.moments[1..].iter().map(|m| m.drives[0]).sum();
    let size: f64 = found.moments.iter().map(|m| m.drives[0].abs()).sum();
    assert!(work.abs() < 1e-10 * size, "{work} {size}");
    // The same torque as a simulation has at t = 0.
    let state =
        precess::integrate::InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let torque = built.system.reactions(&state.at())[0].torque.y;
    assert!(relative(found.moments[0].drives[0], torque) < 1e-9, "{} {torque}", found.moments[0].drives[0]);
}

#[test]
fn what_is_not_driven_is_refused() {
    let free = built(&model("double_pendulum", &[]));
    let e = sweep(&*free.system, &free.q, 1.0, 10).unwrap_err();
    assert!(matches!(&e, AnalysisError::Undriven { drives: 0, .. }), "{e}");
    assert!(e.to_string().contains("nothing is driven"), "{e}");
}

/// Name, unit and value of a drive.
type Wanted = (&'static str, &'static str, f64);

/// One body on a driven joint. The drive carries and accelerates it, by Newton's law along the coordinate.
#[test]
fn every_drive_has_its_force_or_torque() {
    let (m, j, g, a) = (3.0, 2.0, 10.0, 0.8);
    // Displacement per radian of the screw.
    let p = 0.5 / std::f64::consts::TAU;
    let lift = m * (g + a);
    let cases: [(&str, &[Wanted]); 7] = [
        ("type = \"prismatic\"\ndrive = \"0.4*t^2\"", &[("j", "N", lift)]),
        ("type = \"revolute\"\ndrive = \"0.4*t^2\"", &[("j", "N m", j * a)]),
        (
            "type = \"generic\"\nlock = [\"tx\", \"ty\", \"rx\", \"ry\", \"rz\"]\ndrive = \"0.4*t^2\"",
            &[("j", "N", lift)],
        ),
        (
            "type = \"cylindrical\"\ndrive = \"0.4*t^2\"\ndrive_displacement = \"0.4*t^2\"",
            &[("j", "N m", j * a), ("j displacement", "N", lift)],
        ),
        ("type = \"screw\"\npitch = 0.5\ndrive = \"0.4*t^2\"", &[("j", "N m", j * a + m * p * (g + p * a))]),
        ("type = \"screw\"\npitch = -0.5\ndrive = \"0.4*t^2\"", &[("j", "N m", j * a - m * p * (g - p * a))]),
        ("type = \"point-on-line\"\ndrive = \"0.4*t^2\"", &[("j", "N", lift)]),
    ];
    for (joint, expected) in cases {
        let body = match joint.contains("point-on") {
            true => "type = \"point\"",
            false => "inertia = [1, 1, 2]",
        };
        // Along a tilted axis of a body that gravity pulls along it.
        let axis = nalgebra::Vector3::new(2.0, -1.0, 2.0) / 3.0;
        let file = format!(
            "[model]\ngravity = [{}, {}, {}]\n[[body]]\nname = \"a\"\nmass = {m}\n{body}\nposition = [1, 2, 3]\n\
             {}\n[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"a\"]\npoint = [1, 2, 3]\naxis = [2, -1, 2]\n\
             {joint}\n",
            -g * axis.x,
            -g * axis.y,
            -g * axis.z,
            if body.contains("point") { "" } else { "rotation = { z_along = [2, -1, 2] }" },
        );
        let file = text(&file);
        for built in [built(&file), built_se3(&file)] {
            let found = sweep(&*built.system, &built.q, 1.0, 4).unwrap_or_else(|e| panic!("{joint}: {e}"));
            let names: Vec<_> = found.drives.iter().map(|d| (d.joint.as_str(), d.unit)).collect();
            let wanted: Vec<_> = expected.iter().map(|e| (e.0, e.1)).collect();
            assert_eq!(names, wanted, "{joint}");
            for moment in &found.moments {
                for (x, (name, _, y)) in moment.drives.iter().zip(expected) {
                    assert!((x - y).abs() < 1e-10 * y.abs(), "{joint}: {name} {x} {y}");
                }
            }
        }
    }
}

/// The force and torque on a moving base carry the load that stands on it. A control does not change them.
#[test]
fn a_moving_base_has_six() {
    let file = text(
        r#"
        [model]
        gravity = [0, 0, -10]
        [[body]]
        name = "base"
        motion = { position = ["0.5*t^2", 0, "t^2"] }
        [[body]]
        name = "load"
        mass = 3
        inertia = [1, 1, 1]
        position = [0.2, 0, 0]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["base", "load"]
        point = [0.2, 0, 0]
        axis = "y"
        drive = "0.1*t"
        [[control]]
        name = "hold"
        type = "pid"
        joint = "hinge"
        set_point = "0.1*t"
        proportional = 5
        integral = 1
        "#,
    );
    let built = built(&file);
    let found = sweep(&*built.system, &built.q, 1.0, 4).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = found.drives.iter().map(|d| d.joint.as_str()).collect();
    let parts = ["fx", "fy", "fz", "mx", "my", "mz"].map(|p| format!("base_motion {p}"));
    let wanted: Vec<&str> = parts.iter().map(String::as_str).chain(["hinge"]).collect();
    assert_eq!(names, wanted);
    // The base weighs a millionth of the load.
    let expected = [3.0, 0.0, 36.0, 0.0, -0.2 * 36.0, 0.0, 0.0];
    for moment in &found.moments {
        for (x, y) in moment.drives.iter().zip(expected) {
            assert!((x - y).abs() < 1e-4, "{:?}", moment.drives);
        }
    }
}

/// Two drives in a loop with one degree of freedom are compatible only if they describe the same motion.
#[test]
fn drives_that_contradict_are_named() {
    // The crank turns with 5 rad/s. At first the slider has the velocity that the geometry requires, zero;
    // later it does not.
    for (slider, at_once) in [("0.3*t", true), ("0.3*t^2", false)] {
        let file = text(&slider_crank(&format!("drive = \"{W}*t\""), &format!("drive = \"{slider}\"")));
        let built = built(&file);
        let e = sweep(&*built.system, &built.q, 1.0, 50).unwrap_err();
        let AnalysisError::Contradiction { t, joints } = &e else { panic!("{e}") };
        assert_eq!(joints, &["bearing", "guide"]);
        assert!(if at_once { *t == 0.0 } else { *t < 1e-3 }, "{t}");
        assert!(e.to_string().contains("the drives of 'bearing', 'guide' contradict each other"), "{e}");
    }
    // Two drives with the same motion are redundant, which is not a mistake.
    let exact = format!("0.1*cos({W}*t) + sqrt(0.09 - 0.01*sin({W}*t)^2) - 0.4");
    let file = text(&slider_crank(&format!("drive = \"{W}*t\""), &format!("drive = \"{exact}\"")));
    let built = built(&file);
    let found = sweep(&*built.system, &built.q, 1.0, 50).unwrap_or_else(|e| panic!("{e}"));
    assert!(!found.stopped && found.moments.len() == 51);
}

/// A constraint that contains time drives like a joint. The force is along its equation: m (g + z'').
#[test]
fn constraints_drive_too() {
    let hoist = |equation: &str| {
        let text = format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"p\"\ntype = \"point\"\nmass = \
             2\n[[constraint]]\nname = \"x\"\nequation = \"p.x\"\n[[constraint]]\nname = \"y\"\nequation = \
             \"p.y\"\n[[constraint]]\nname = \"z\"\nequation = \"{equation}\"\n"
        );
        let built = built(&self::text(&text));
        sweep(&*built.system, &built.q, 1.0, 10)
    };
    for (equation, force) in [("p.z - 0.5*t^2", 21.62), ("0.5*t^2 - p.z", -21.62), ("10*p.z - 5*t^2", 2.162)]
    {
        let found = hoist(equation).unwrap();
        assert_eq!(found.drives.len(), 1);
        assert_eq!(found.drives[0].joint, "z");
        for m in &found.moments {
            assert!((m.drives[0] - force).abs() < 1e-6, "{equation}: {}", m.drives[0]);
            let z = m.state.q[2];
            assert!((z - 0.5 * m.state.t * m.state.t).abs() < 1e-9, "{equation}: {z}");
        }
    }
    assert!(matches!(hoist("p.z"), Err(AnalysisError::Undriven { drives: 0, .. })));
}
