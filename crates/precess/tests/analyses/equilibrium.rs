//! Where mechanisms rest: closed forms, independent values, and models that are refused.

use crate::analyses_util::{built, built_se3, four_bar, model, pendulum, relative, text};
use precess::analysis::equilibrium::find;
use precess::analysis::{AnalysisError, EquilibriumOptions, Kind, Stability};

const ANY: EquilibriumOptions =
    EquilibriumOptions { kind: Kind::Any, t: 0.0, iterations: 300, tolerance: 1e-10 };

/// m g l / (J + m l^2).
const HANGING: f64 = 2.0 * 9.81 * 0.7 / (0.05 + 2.0 * 0.49);

#[test]
fn pendulum_hangs_from_everywhere() {
    for angle in [1e-6, 1.0, 3.0, std::f64::consts::PI - 1e-6, std::f64::consts::PI] {
        for built in [built(&pendulum(angle, "revolute")), built_se3(&pendulum(angle, "revolute"))] {
            let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
            assert_eq!(found.stability, Stability::Stable, "from {angle}");
            assert!(relative(found.kappa[0], HANGING) < 1e-9);
            let z = built.system.bodies(&found.state.at())[0].position.z;
            assert!((z + 0.7).abs() < 1e-12, "from {angle}: {z}");
        }
    }
}

#[test]
fn pendulum_stays_inverted_if_any_will_do() {
    let built = built(&pendulum(std::f64::consts::PI, "revolute"));
    let found = find(&*built.system, &built.q, &ANY).unwrap();
    assert_eq!(found.stability, Stability::Unstable);
    assert_eq!(found.unstable.len(), 1);
    assert!(relative(found.kappa[0], -HANGING) < 1e-9);
    assert!(found.unstable[0].words.contains("'rod' turns about y"), "{}", found.unstable[0].words);
}

#[test]
fn spherical_pendulum_has_a_free_spin() {
    let built = built(&pendulum(0.4, "spherical"));
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    assert_eq!(found.stability, Stability::StableWithFreeMotions);
    assert_eq!(found.free.len(), 1);
    assert!(found.free[0].words.contains("turns about z"), "{}", found.free[0].words);
}

/// From twenty random positions of the double pendulum; at most a hundred factorisations each.
#[test]
fn double_pendulum_hangs_from_random_positions() {
    let (mut seed, l) = (7u64, [1.0, 0.8]);
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 * std::f64::consts::TAU
    };
    for _ in 0..20 {
        let built = built(&model("double_pendulum", &[]));
        let (a, b) = (random(), random());
        // Rods along x, turned about y by a and b.
        let end = [l[0] * a.cos(), -l[0] * a.sin()];
        let mut q = built.q.clone();
        let centres =
            [[0.5 * end[0], 0.5 * end[1]], [end[0] + 0.5 * l[1] * b.cos(), end[1] - 0.5 * l[1] * b.sin()]];
        for (i, (angle, centre)) in [a, b].into_iter().zip(centres).enumerate() {
            let (s, c) = (0.5 * angle).sin_cos();
            q[7 * i..7 * i + 7].copy_from_slice(&[c, 0.0, s, 0.0, centre[0], 0.0, centre[1]]);
        }
        let found = find(&*built.system, &q, &EquilibriumOptions::default()).unwrap();
        let z = built.system.bodies(&found.state.at())[1].position.z;
        assert!((z + 1.4).abs() < 1e-9, "from {a}, {b}: {z}");
        assert!(found.factorisations <= 100, "{}", found.factorisations);
        for (kappa, omega) in found.kappa.iter().zip([2.827670232097518_f64, 7.412356769815004]) {
            assert!(relative(*kappa, omega * omega) < 1e-9);
        }
    }
}

/// Joints of the four-bar: hinges as in the file (20 rows, 3 of them redundant), and 17 rows without
/// redundancy.
#[test]
fn four_bar_rests_where_its_weight_does() {
    for rows in [17, 20] {
        let built = built(&four_bar(rows));
        assert_eq!(built.system.n_lambda(), rows);
        let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
        assert_eq!(found.rank, 17);
        assert_eq!(found.stability, Stability::Stable);
        let crank = built.system.bodies(&found.state.at())[0].position;
        assert!(
            (crank.x + 0.0553690299162).abs() < 1e-9 && (crank.z + 0.1394068525078).abs() < 1e-9,
            "{crank}"
        );
        assert!(relative(found.kappa[0], 59.31158515402829) < 1e-9, "{}", found.kappa[0]);
    }
}

#[test]
fn slider_crank_falls_from_its_unstable_position() {
    let built = built(&model("slider_crank_a", &[]));
    let at = find(&*built.system, &built.q, &ANY).unwrap();
    assert_eq!(at.stability, Stability::Unstable);
    assert!(at.moved.iter().all(|m| m[0] < 1e-9 && m[1] < 1e-9));
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    assert_eq!(found.stability, Stability::Stable);
    assert!(found.escapes > 0);
    let bodies = built.system.bodies(&found.state.at());
    let (crank, slider) = (bodies[0].position, bodies[2].position);
    assert!(crank.x.abs() < 1e-9 && (crank.y - 0.1).abs() < 1e-9 && (crank.z - 0.08).abs() < 1e-9, "{crank}");
    assert!((slider.x - 0.28).abs() < 1e-9, "{slider}");
    assert!(relative(found.kappa[0].sqrt(), 8.740471215649334) < 1e-8);
}

#[test]
fn rotor_sags_and_can_spin() {
    let built = built(&model("rotor", &["parameters.Mz=0", "model.gravity=[0, 0, -9.81]"]));
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    let x = built.system.bodies(&found.state.at())[0].position;
    assert!((x.z + 1.5147008e-3).abs() < 1e-8 * 1.5e-3 * 10.0, "{x}");
    assert_eq!((found.stability, found.free.len()), (Stability::StableWithFreeMotions, 1));
    assert!(found.free[0].words.contains("'rotor' turns about x"), "{}", found.free[0].words);
    for (kappa, expected) in
        found.kappa[1..].iter().zip([3270.6413, 6472.02123, 6472.02142, 99576.5746, 99576.6598])
    {
        assert!(relative(*kappa, expected) < 1e-8, "{kappa} {expected}");
    }
}

#[test]
fn nothing_holds_a_free_body() {
    let loaded = text(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "box"
        mass = 1
        inertia = [0.1, 0.2, 0.2]
        "#,
    );
    let built = built(&loaded);
    match find(&*built.system, &built.q, &EquilibriumOptions::default()) {
        Err(AnalysisError::NothingHolds { forces }) => {
            assert!(relative(forces[0].size, 9.81) < 1e-12 && !forces[0].is_torque);
            assert!(forces[0].motion.contains("'box' moves along z"), "{}", forces[0].motion);
        }
        other => panic!("{other:?}"),
    }
}

/// A motor that is stronger than the weight of the piston turns for ever. The message gives the torque that
/// remains at rest.
#[test]
fn a_strong_motor_never_rests() {
    let built = built(&model("piston_pump", &[]));
    match find(&*built.system, &built.q, &EquilibriumOptions::default()) {
        Err(AnalysisError::NothingHolds { forces }) => {
            // 3 N m of the motor, less or more by the weight of rod and piston on a crank of 0.04 m.
            assert!(forces[0].is_torque && (forces[0].size - 3.0).abs() < 0.3, "{}", forces[0]);
            assert!(forces[0].motion.contains("'flywheel' turns about y"), "{}", forces[0].motion);
        }
        other => panic!("{other:?}"),
    }
}

/// A pendulum held upright by a torsion spring that is too weak. It rests where c phi = m g l sin(phi), on
/// both sides. The file starts between the two.
#[test]
fn the_other_side_of_an_unstable_equilibrium_is_named() {
    let (c, mgl) = (5.0, 2.0 * 9.81 * 0.7);
    let loaded = text(&format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "rod"
        mass = 2
        inertia = [0.03, 0.05, 0.04]
        position = [0, 0, 0.7]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "rod"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[force]]
        name = "spring"
        type = "joint-spring"
        joint = "hinge"
        stiffness = {c}
        "#
    ));
    // The root of c phi = m g l sin(phi) by bisection.
    let (mut low, mut high) = (1.0_f64, 3.0_f64);
    for _ in 0..60 {
        let phi = 0.5 * (low + high);
        if mgl * phi.sin() > c * phi { low = phi } else { high = phi }
    }
    let built = built(&loaded);
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    let x = |state: &precess::mechanics::State| built.system.bodies(&state.at())[0].position.x;
    let other = found.other.as_ref().expect("both sides are the same");
    assert!((x(&found.state).abs() - 0.7 * low.sin()).abs() < 1e-9, "{} {low}", x(&found.state));
    assert!((x(&found.state) + x(other)).abs() < 1e-9);
    // The way there begins at the file and ends at rest.
    assert!(x(&found.path[0]) == 0.0 && x(found.path.last().unwrap()) == x(&found.state));
    // A pendulum that falls from the top comes to the same place on both sides.
    let top = crate::analyses_util::built(&pendulum(std::f64::consts::PI, "revolute"));
    assert!(find(&*top.system, &top.q, &EquilibriumOptions::default()).unwrap().other.is_none());
}

/// A carriage on an inclined rail and a pendulum fall onto stops. They rest where the spring of the stop
/// carries them, whether the stop is sharp or not, and vibrate there with its stiffness.
#[test]
fn stops_carry_what_rests_on_them() {
    let (m, k, g) = (2.0, 5000.0, 9.81);
    let rail = |stop: &str| {
        text(&format!(
            "[model]\ngravity = [0, 0, -{g}]\n[[body]]\nname = \"cart\"\nmass = {m}\ninertia = [1, 1, 1]\n\
             [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"cart\"]\npoint = [0, \
             0, 0]\naxis = [0.8, 0, -0.6]\n\
             [[force]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"rail\"\nlower = -0.5\nupper = \
             0.3\nstiffness = {k}\ndamping = 40\n{stop}"
        ))
    };
    // The rounded stop is softer by half its width.
    for (stop, sunk) in [("events = true", 0.0), ("width = 1e-4", 0.5e-4)] {
        for built in [built(&rail(stop)), built_se3(&rail(stop))] {
            let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
            assert_eq!(found.stability, Stability::Stable, "{stop}");
            let x = 0.3 + m * g * 0.6 / k + sunk;
            let p = built.system.bodies(&found.state.at())[0].position;
            assert!((p.x - 0.8 * x).abs() < 1e-10 && (p.z + 0.6 * x).abs() < 1e-10, "{stop}: {p} {x}");
            assert!(relative(found.kappa[0], k / m) < 1e-9, "{stop}: {:?}", found.kappa);
            // s^2 + (c/m) s + k/m = 0.
            let rest = precess::analysis::steady::resting_at(&*built.system, &found.state).unwrap();
            let selection = precess::analysis::Selection { n: 1, near: None };
            let modes = precess::analysis::modes::modes(&*built.system, &rest, selection).unwrap();
            let s = modes.modes[0].s;
            assert!(relative(s.re, -40.0 / (2.0 * m)) < 1e-9, "{stop}: {s}");
            assert!(relative(s.norm_sqr(), k / m) < 1e-9, "{stop}: {s}");
        }
    }
    // m g l cos(a) = k_t (a - b) below the horizontal.
    let (l, stiffness, b) = (0.7, 300.0, 0.4_f64);
    let pendulum = text(&format!(
        "[model]\ngravity = [0, 0, -{g}]\n[[body]]\nname = \"rod\"\nmass = {m}\ninertia = [0.1, 0.1, \
         0.1]\nposition = [{l}, 0, 0]\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, \
         0]\naxis = \"y\"\n\
         [[force]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"hinge\"\nupper = {b}\nstiffness = \
         {stiffness}\nevents = true"
    ));
    let built = built(&pendulum);
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    let mut a = b;
    for _ in 0..50 {
        a = b + m * g * l * a.cos() / stiffness;
    }
    let p = built.system.bodies(&found.state.at())[0].position;
    assert!((p.x - l * a.cos()).abs() < 1e-11 && (p.z + l * a.sin()).abs() < 1e-11, "{p} {a}");
    let notes = precess::analysis::notes::notes(&pendulum.model, 0.0, true);
    assert!(notes.is_empty(), "{notes:?}");
}
