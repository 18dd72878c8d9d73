//! Checks before a run: degrees of freedom, redundancy and its names, singular configurations, initial
//! values.

use nalgebra::{Rotation3, Unit, UnitQuaternion, Vector3};
use precess::model::{BodySpec, JointSpec, Model, Settings, load};
use precess::study::check::{Check, check};

fn settings() -> Settings {
    let text = "[[body]]\nname = \"b\"\ntype = \"point\"\nmass = 1\n";
    load("defaults.toml", text, &[]).expect("a free point mass").settings
}

fn look(model: &Model) -> Check {
    check(model, &settings())
}

fn shares(c: &Check) -> Vec<(&str, f64)> {
    c.joints.iter().map(|j| (j.name.as_str(), j.share)).collect()
}

fn assert_shares(c: &Check, expected: &[(&str, f64)]) {
    let found = shares(c);
    assert_eq!(found.len(), expected.len());
    for ((name, share), (expected_name, expected)) in found.iter().zip(expected) {
        assert_eq!(name, expected_name);
        assert!((share - expected).abs() < 0.0051, "{name}: {share} instead of {expected}");
    }
    let sum: f64 = found.iter().map(|x| x.1).sum();
    assert!((sum - c.mobility.redundant() as f64).abs() < 1e-9, "shares add up to {sum}");
}

/// A door on two hinges; the axis of the second is turned by `delta`.
fn door(delta: f64) -> Model {
    let tilt = 10f64.to_radians();
    let a = Vector3::new(tilt.sin(), 0.0, tilt.cos());
    let x = Vector3::new(tilt.cos(), 0.0, -tilt.sin());
    let (s, c) = 120f64.to_radians().sin_cos();
    let body_x = x * c + Vector3::y() * s;
    let r = Rotation3::from_basis_unchecked(&[body_x, a.cross(&body_x), a]);
    let turned = a + Vector3::y() * delta;
    Model::new("door")
        .gravity([0.0, 0.0, -9.81])
        .body(
            BodySpec::rigid("door", 20.0, [6.6693333, 8.0166667, 1.3526667])
                .at((body_x * 0.45).into())
                .rotated(UnitQuaternion::from_rotation_matrix(&r)),
        )
        .joint(JointSpec::revolute("hinge1", ["ground", "door"], (a * -0.7).into(), a.into()))
        .joint(JointSpec::revolute("hinge2", ["ground", "door"], (a * 0.7).into(), turned.into()))
}

/// A thin rod between two points, with one per cent of its inertia about its axis.
fn rod(name: &str, mass: f64, from: Vector3<f64>, to: Vector3<f64>) -> BodySpec {
    let d = to - from;
    let j = mass * d.norm_squared() / 12.0;
    let rotation = UnitQuaternion::rotation_between(&Vector3::x(), &d)
        .unwrap_or_else(|| UnitQuaternion::from_scaled_axis(Vector3::z() * std::f64::consts::PI));
    BodySpec::rigid(name, mass, [0.01 * j, j, j]).at(((from + to) * 0.5).into()).rotated(rotation)
}

fn four_bar() -> Model {
    let plane =
        Rotation3::from_axis_angle(&Unit::new_normalize(Vector3::new(1.0, 2.0, 2.0)), 25f64.to_radians());
    let at = |x: f64, y: f64| plane * Vector3::new(x, y, 0.0);
    let (sin, cos) = 1f64.sin_cos();
    let b = (0.3 * cos, 0.3 * sin);
    let bd = (0.9 - b.0, -b.1);
    let distance = bd.0.hypot(bd.1);
    let angle = bd.1.atan2(bd.0)
        + ((0.8f64.powi(2) + distance.powi(2) - 0.7f64.powi(2)) / (2.0 * 0.8 * distance)).acos();
    let c = (b.0 + 0.8 * angle.cos(), b.1 + 0.8 * angle.sin());
    let (pa, pb, pc, pd) = (at(0.0, 0.0), at(b.0, b.1), at(c.0, c.1), at(0.9, 0.0));
    let normal: [f64; 3] = (plane * Vector3::z()).into();
    let hinge =
        |name: &str, bodies: [&str; 2], p: Vector3<f64>| JointSpec::revolute(name, bodies, p.into(), normal);
    Model::new("four_bar")
        .gravity([0.0, -9.81, 0.0])
        .body(rod("crank", 1.0, pa, pb))
        .body(rod("coupler", 2.0, pb, pc))
        .body(rod("rocker", 1.5, pd, pc))
        .joint(hinge("A", ["ground", "crank"], pa))
        .joint(hinge("B", ["crank", "coupler"], pb))
        .joint(hinge("C", ["coupler", "rocker"], pc))
        .joint(hinge("D", ["ground", "rocker"], pd))
}

/// Three parallel links with two bars on top; theta clockwise from +y.
fn parallelogram(theta: f64) -> Model {
    let tip = Vector3::new(theta.sin(), theta.cos(), 0.0) * 0.6;
    let base = [0.0, 0.8, 1.3].map(|x| Vector3::new(x, 0.0, 0.0));
    let z = [0.0, 0.0, 1.0];
    let hinge =
        |name: &str, bodies: [&str; 2], p: Vector3<f64>| JointSpec::revolute(name, bodies, p.into(), z);
    Model::new("parallelogram")
        .gravity([0.0, -9.81, 0.0])
        .body(rod("link0", 1.2, base[0], base[0] + tip))
        .body(rod("link1", 0.7, base[1], base[1] + tip))
        .body(rod("link2", 0.9, base[2], base[2] + tip))
        .body(rod("bar0", 1.5, base[0] + tip, base[1] + tip))
        .body(rod("bar1", 0.6, base[1] + tip, base[2] + tip))
        .joint(hinge("A0", ["ground", "link0"], base[0]))
        .joint(hinge("A1", ["ground", "link1"], base[1]))
        .joint(hinge("A2", ["ground", "link2"], base[2]))
        .joint(hinge("B0", ["link0", "bar0"], base[0] + tip))
        .joint(hinge("B1a", ["link1", "bar0"], base[1] + tip))
        .joint(hinge("B1b", ["link1", "bar1"], base[1] + tip))
        .joint(hinge("B2", ["link2", "bar1"], base[2] + tip))
}

#[test]
fn redundant_rows_by_joint() {
    let c = look(&door(0.0));
    assert_eq!((c.mobility.rows, c.mobility.rank, c.mobility.degrees_of_freedom(), c.loops), (10, 5, 1, 1));
    assert_shares(&c, &[("hinge1", 2.5), ("hinge2", 2.5)]);
    assert!(c.warnings[0].contains("5 of 10") && c.warnings[0].contains("hinge1 2.50"), "{:?}", c.warnings);

    let c = look(&four_bar());
    assert_eq!((c.mobility.rows, c.mobility.rank, c.mobility.degrees_of_freedom(), c.loops), (20, 17, 1, 1));
    assert_shares(&c, &[("A", 1.07), ("B", 0.93), ("C", 0.65), ("D", 0.35)]);

    let c = look(&parallelogram(0.35));
    assert_eq!((c.mobility.rows, c.mobility.rank, c.mobility.degrees_of_freedom(), c.loops), (35, 29, 1, 2));
    let expected =
        [("A0", 0.68), ("A1", 1.05), ("A2", 0.43), ("B0", 0.71), ("B1a", 1.06), ("B1b", 0.99), ("B2", 1.07)];
    assert_shares(&c, &expected);
    for c in [look(&door(0.0)), look(&four_bar()), look(&parallelogram(0.35))] {
        assert_eq!(c.mobility.rank_nearby, None, "{}", c.model);
        assert!(c.mobility.nearly.is_empty());
    }
}

#[test]
fn singular_initial_configuration() {
    let c = look(&parallelogram(std::f64::consts::FRAC_PI_2));
    assert_eq!((c.mobility.rank, c.mobility.rank_nearby, c.mobility.degrees_of_freedom()), (27, Some(29), 1));
    assert!(c.warnings.iter().any(|w| w.contains("singular")), "{:?}", c.warnings);
}

#[test]
fn nearly_redundant_geometry() {
    let c = look(&door(1e-9));
    assert_eq!((c.mobility.rank, c.mobility.nearly.len()), (5, 0));
    let c = look(&door(1e-7));
    assert_eq!((c.mobility.rank, c.mobility.nearly.len()), (6, 1));
    assert!((1e-8..1e-6).contains(&c.mobility.nearly[0]));
    assert!((c.joints.iter().map(|j| j.nearly_share).sum::<f64>() - 1.0).abs() < 1e-6);
    assert!(c.warnings.iter().any(|w| w.contains("nearly redundant")), "{:?}", c.warnings);
    let c = look(&door(1e-2));
    assert_eq!((c.mobility.rank, c.mobility.nearly.len()), (6, 0));
    assert!(c.warnings.iter().any(|w| w.contains("no degree of freedom")), "{:?}", c.warnings);
}

#[test]
fn units_do_not_matter() {
    let mut model = four_bar();
    let metres = look(&model);
    // The same mechanism in millimetres and tonnes.
    for b in &mut model.bodies {
        b.position *= 1e3;
        b.mass *= 1e-3;
        if let precess::mechanics::BodyKind::Rigid { inertia } = &mut b.kind {
            *inertia *= 1e3;
        }
    }
    for j in &mut model.joints {
        j.point *= 1e3;
        j.point2 *= 1e3;
    }
    let millimetres = look(&model);
    assert_eq!(metres.mobility.rank, millimetres.mobility.rank);
    for (a, b) in shares(&metres).iter().zip(shares(&millimetres)) {
        assert!((a.1 - b.1).abs() < 1e-9, "{a:?} {b:?}");
    }
}

#[test]
fn trees_with_a_loop_in_the_middle() {
    // A pendulum hangs on the door: its joint has unique reactions.
    let model = door(0.0)
        .body(BodySpec::rigid("bell", 0.1, [1e-4; 3]).at([0.0, 1.0, 0.0]))
        .joint(JointSpec::spherical("string", ["door", "bell"], [0.1, 0.8, 0.0]))
        .body(BodySpec::point("fly", 1e-3).at([3.0, 0.0, 0.0]));
    let c = look(&model);
    assert_eq!((c.mobility.rows, c.mobility.rank, c.mobility.coordinates), (13, 8, 15));
    assert_shares(&c, &[("hinge1", 2.5), ("hinge2", 2.5), ("string", 0.0)]);
    assert_eq!(c.joints[2].share, 0.0);
    assert_eq!(c.free_bodies, ["fly"]);
}

#[test]
fn long_chains_need_no_factorisation() {
    let mut model = Model::new("chain");
    for i in 0..1000 {
        let x = i as f64;
        let before = if i == 0 { "ground".to_string() } else { format!("rod{}", i - 1) };
        let name = format!("rod{i}");
        model = model
            .body(BodySpec::rigid(&name, 1.0, [1e-3, 0.08, 0.08]).at([x + 0.5, 0.0, 0.0]))
            .joint(JointSpec::spherical(&format!("j{i}"), [&before, &name], [x, 0.0, 0.0]));
    }
    let c = look(&model);
    assert_eq!((c.mobility.rank, c.mobility.degrees_of_freedom(), c.loops), (3000, 3000, 0));
    assert!(c.is_runnable(), "{:?}", c.problems);
}

/// The spatial slider-crank with the universal joint of one variant and the angular velocity of the rod.
fn slider_crank(axis: &str, axis2: &str, omega_rod: &str) -> String {
    format!(
        r#"
[model]
name = "slider_crank"
gravity = [0, 0, -9.81]
[[body]]
name = "crank"
mass = 0.12
inertia = [1e-4, 1e-4, 1e-5]
position = [0, 0.1, 0.16]
velocity = [0, -0.24, 0]
angular_velocity = [6, 0, 0]
[[body]]
name = "rod"
mass = 0.5
inertia = [4e-4, 4e-3, 4e-3]
position = [0.1, 0.05, 0.1]
rotation = {{ x_axis = [2, -1, -2], y_axis = [0, 2, -1] }}
velocity = [0.12, -0.24, 0]
angular_velocity_global = {omega_rod}
[[body]]
name = "slider"
mass = 2
inertia = [1e-4, 1e-4, 1e-4]
position = [0.2, 0, 0]
velocity = [0.24, 0, 0]
[[joint]]
name = "bearing"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0.1, 0.12]
axis = [1, 0, 0]
[[joint]]
name = "ball"
type = "spherical"
bodies = ["crank", "rod"]
point = [0, 0.1, 0.2]
[[joint]]
name = "cross"
type = "universal"
bodies = ["slider", "rod"]
point = [0.2, 0, 0]
axis = {axis}
axis2 = {axis2}
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slider"]
point = [0.2, 0, 0]
axis = [1, 0, 0]
"#
    )
}

#[test]
fn mixed_input_of_the_slider_crank_is_caught() {
    let (a, b) = (("[0, 1, 0]", "[1, 0, 0]"), ("[1, 0, 0]", "[0, 2, -1]"));
    let (omega_a, omega_b) = ("[2.4, -1.2, 0]", "[1.92, -0.96, 0.48]");
    let look = |axes: (&str, &str), omega: &str, set: &[String]| {
        let loaded = load("slider_crank.toml", &slider_crank(axes.0, axes.1, omega), set).expect("readable");
        check(&loaded.model, &loaded.settings)
    };
    for (axes, omega) in [(a, omega_a), (b, omega_b)] {
        let c = look(axes, omega, &[]);
        assert!(c.is_runnable(), "{:?}", c.problems);
        assert_eq!((c.mobility.degrees_of_freedom(), c.mobility.redundant(), c.loops), (1, 0, 1));
    }
    let c = look(a, omega_b, &[]);
    assert!(!c.is_runnable());
    let problem = &c.problems[0];
    for part in ["velocit", "cross", "4.800e-1", "projection onto the constraints"] {
        assert!(problem.contains(part), "{problem}");
    }
    for j in &c.joints {
        let expected = if j.name == "cross" { 0.48 } else { 0.0 };
        assert!((j.angular_velocity - expected).abs() < 1e-12 && j.velocity < 1e-12, "{j:?}");
    }
    let c = look(a, omega_b, &["run.fix_initial=true".to_string()]);
    assert!(c.is_runnable(), "{:?}", c.problems);
    assert!(c.warnings.iter().any(|w| w.contains("corrected")), "{:?}", c.warnings);
}

/// An element that is off at the start constrains nothing and is not redundant: an open joint in a tree, a
/// joint that would close a loop, a drive.
#[test]
fn what_is_off_is_not_counted() {
    let text = |second: &str, drive: &str| {
        format!(
            r#"
[[body]]
name = "a"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "a"]
point = [0, 0, 0]
axis = [0, 1, 0]
drive = "t"
drive_enabled = {drive}
[[joint]]
name = "second"
type = "spherical"
bodies = ["a", "b"]
point = [1, 0, 0]
enabled = {second}
[[joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "b"]
point = [2, 0, 0]
enabled = false
"#
        )
    };
    for (second, drive, freedom) in
        [("true", "false", 4), ("false", "false", 7), ("true", "true", 3), ("false", "true", 6)]
    {
        let loaded = load("off.toml", &text(second, drive), &["run.fix_initial=true".to_string()]).unwrap();
        let m = check(&loaded.model, &loaded.settings).mobility;
        assert_eq!((m.degrees_of_freedom(), m.redundant()), (freedom, 0), "{second} {drive}: {m:?}");
    }
}

/// In a plane loop of hinges, only the force along the hinges and the torques across them are not unique. For
/// two hinges of a door, only the torque about their axis is unique.
#[test]
fn which_components_of_reactions_are_unique() {
    let out_of_plane = [true, true, false, false, false, true];
    let c = look(&four_bar());
    for joint in &c.joints {
        assert_eq!(joint.unique_along_axes, out_of_plane, "{}", joint.name);
        // The plane is oblique to the axes of space.
        assert_eq!(joint.unique, [false; 6], "{}", joint.name);
    }
    // Here the hinges are along z.
    let c = look(&parallelogram(0.35));
    assert!(c.joints.iter().all(|j| j.unique[..2] == [true; 2] && j.unique[5]), "{:?}", c.joints);
    assert!(c.joints.iter().any(|j| j.unique == out_of_plane), "{:?}", c.joints);
    let c = look(&door(0.0));
    assert!(c.joints.iter().all(|j| j.unique_along_axes == [false, false, false, false, false, true]));
    // A chain has no loop: all of it is unique.
    let chain = Model::new("chain")
        .body(BodySpec::rigid("a", 1.0, [1.0; 3]))
        .body(BodySpec::rigid("b", 1.0, [1.0; 3]).at([1.0, 0.0, 0.0]))
        .joint(JointSpec::revolute("i", ["ground", "a"], [0.0; 3], [0.0, 1.0, 0.0]))
        .joint(JointSpec::revolute("j", ["a", "b"], [0.5, 0.0, 0.0], [0.0, 0.6, 0.8]));
    assert!(look(&chain).joints.iter().all(|j| j.unique == [true; 6] && j.unique_along_axes == [true; 6]));
}

#[test]
fn drives_are_counted() {
    use precess::mechanics::Function;
    let mut model = four_bar();
    model.joints[0].drive = Some(Function::of_time("t", |t| t, |_| 1.0, |_| 0.0));
    let c = look(&model);
    assert_eq!((c.driven, c.mobility.degrees_of_freedom()), (1, 0));
    let text = precess::study::check_report::text(&settings(), &c);
    assert!(text.contains("1 degree of freedom, driven: "), "{text}");
    assert_eq!(look(&four_bar()).driven, 0);
}
