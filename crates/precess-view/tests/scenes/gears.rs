//! Teeth of gears.

use precess_view::look::{Part, Role};
use precess_view::{Scene, V, glb};

use super::{check_glb, model, scene};

/// Places of the teeth of a body in a frame.
fn teeth(s: &Scene, name: &str, frame: usize) -> Vec<V> {
    let body = s.drawn.bodies.iter().position(|b| b.name == name).unwrap();
    let (x, turn) = s.motion.pose(frame, Some(body));
    let of = |p: &&Part| p.role == Role::Tooth && p.body == Some(body);
    s.look.parts.iter().filter(of).map(|p| x + turn * p.at).collect()
}

/// How far along a tangent the tooth nearest to a point is, in pitches, from -0.5 to 0.5.
fn phase(teeth: &[V], at: &V, tangent: &V, pitch: f64) -> f64 {
    let near = teeth.iter().min_by(|a, b| (*a - at).norm().total_cmp(&(*b - at).norm())).unwrap();
    (near - at).dot(tangent) / pitch
}

/// In every frame, teeth of one side are in the gaps of the other: radii, senses and ratios are those of the
/// motion.
fn mesh(s: &Scene, sides: [&str; 2], at: V, tangent: V, pitch: f64) {
    let mut moved = Vec::new();
    for f in s.motion.some(60) {
        let [a, b] = sides.map(|name| phase(&teeth(s, name, f), &at, &tangent, pitch));
        let apart = (a - b).abs();
        assert!((apart - 0.5).abs() < 0.06, "{sides:?} in frame {f}: {a} {b}");
        moved.push(a);
    }
    // The gears must move.
    let apart = |x: f64| moved.iter().any(|y| (y - x).abs() > 0.5);
    assert!(moved.iter().any(|x| apart(*x)), "{moved:?}");
}

#[test]
fn teeth_of_gears_mesh() {
    let s = scene("gear", &model("joint_gear"), &[]);
    let counts = ["pinion", "wheel"].map(|name| teeth(&s, name, 0).len());
    assert_eq!(counts[1], 3 * counts[0], "{counts:?}");
    let pitch = std::f64::consts::TAU * 0.1 / counts[0] as f64;
    mesh(&s, ["pinion", "wheel"], V::new(0.1, 0.0, 0.0), V::z(), pitch);
    mesh(&s, ["wheel", "rack"], V::new(0.7, 0.0, 0.0), V::z(), pitch);
    // A rack of 1 m has teeth along all of it.
    assert!((teeth(&s, "rack", 0).len() as f64 - 1.0 / pitch).abs() <= 1.0);
    check_glb("gear", &glb::write(&s));
}

/// A planet on a carrier between a sun and a ring that stands still: inner teeth, and joints that do not
/// share the ground.
#[test]
fn teeth_of_a_planet_mesh() {
    let wheel = |name: &str, x: f64, r: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\ndensity = 7800\nposition = [{x}, 0, 0]\n\
             shape = {{ type = \"cylinder\", radius = {r}, length = 0.02, axis = \"z\" }}\n"
        )
    };
    let joint = |name: &str, a: &str, b: &str, x: f64, more: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\n\
             point = [{x}, 0, 0]\naxis = \"z\"\n{more}\n"
        )
    };
    let text = [
        wheel("sun", 0.0, 0.1),
        wheel("planet", 0.15, 0.05),
        wheel("ring", 0.0, 0.2),
        "[[body]]\nname = \"carrier\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n".to_string(),
        joint("s", "carrier", "sun", 0.0, ""),
        joint("p", "carrier", "planet", 0.15, ""),
        joint("r", "carrier", "ring", 0.0, ""),
        joint("c", "ground", "carrier", 0.0, "drive = \"2*t\""),
        joint("held", "ground", "ring", 0.0, "drive = \"0*t\""),
        "[[gear]]\nname = \"outer\"\njoints = [\"s\", \"p\"]\nratio = 0.5\n".to_string(),
        "[[gear]]\nname = \"inner\"\njoints = [\"p\", \"r\"]\nratio = -4\n".to_string(),
        "[run]\nuntil = 0.5\nstep = 1e-3\n[integrator]\nmethod = \"gen-alpha\"\n".to_string(),
    ]
    .concat();
    let s = scene("planet", &text, &[]);
    let counts = ["sun", "planet", "ring"].map(|name| teeth(&s, name, 0).len());
    assert!(counts[0] == 2 * counts[1] && counts[2] == 4 * counts[1], "{counts:?}");
    let pitch = std::f64::consts::TAU * 0.05 / counts[1] as f64;
    for f in s.motion.some(40) {
        let turn = 2.0 * s.motion.t[f];
        let (e, tangent) = (V::new(turn.cos(), turn.sin(), 0.0), V::new(-turn.sin(), turn.cos(), 0.0));
        for (other, r) in [("sun", 0.1), ("ring", 0.2)] {
            let [a, b] = [other, "planet"].map(|n| phase(&teeth(&s, n, f), &(e * r), &tangent, pitch));
            assert!(((a - b).abs() - 0.5).abs() < 0.08, "{other} in frame {f}: {a} {b}");
        }
    }
}
