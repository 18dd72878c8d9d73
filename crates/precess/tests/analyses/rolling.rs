//! Modes of wheels that roll and blades that slide, against closed forms and the published bicycle.

use crate::analyses_util::{built, built_se3, model, relative, text};
use nalgebra::Complex;
use precess::analysis::modes::{fastest_growth, modes};
use precess::analysis::steady::{self, moving};
use precess::analysis::{
    AnalysisError, EquilibriumOptions, Frame, Modes, Selection, StateSpace, equilibrium,
};
use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{Built, Loaded};

const ALL: Selection = Selection { n: 1000, near: None };

/// Modes at the given positions and velocities, in both groups.
fn modes_of(loaded: &Loaded) -> [Modes; 2] {
    [built(loaded), built_se3(loaded)].map(|b| modes_in(&b, false))
}

fn modes_in(built: &Built, solve: bool) -> Modes {
    let system = &*built.system;
    let start = moving(system, &built.q, &built.v, 0.0);
    let found = steady::find(system, &start, Frame::Auto, solve).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.proof < 1e-10, "{:e}", found.proof);
    modes(system, &found, ALL).unwrap_or_else(|e| panic!("{e}"))
}

/// Exactly these eigenvalues with Im s >= 0, within a tolerance relative to the largest of them.
fn assert_spectrum(found: &Modes, expected: &[[f64; 2]], tolerance: f64) {
    let list: Vec<_> = found.modes.iter().map(|m| m.s).collect();
    let expected: Vec<_> =
        expected.iter().filter(|s| s[1] >= 0.0).map(|s| Complex::new(s[0], s[1])).collect();
    assert_eq!(list.len(), expected.len(), "{list:?} for {expected:?}");
    let size = expected.iter().map(|e| e.norm()).fold(f64::MIN_POSITIVE, f64::max);
    for e in &expected {
        let near = list.iter().map(|s| (s - e).norm()).fold(f64::INFINITY, f64::min);
        assert!(near < tolerance * size, "{e} is {near:e} away from {list:?}");
    }
}

fn bicycle(v: f64) -> Loaded {
    model("bicycle", &[&format!("parameters.v={v:e}")])
}

/// Meijaard, Papadopoulos, Ruina, Schwab (2007), Table 2 and equations (5.1) to (5.4).
#[test]
fn the_bicycle_has_the_published_eigenvalues() {
    let expected: [(f64, &[[f64; 2]]); 11] = [
        (
            0.0,
            &[[-5.530943717654, 0.0], [-3.131643247907, 0.0], [3.131643247907, 0.0], [5.530943717654, 0.0]],
        ),
        (0.5, &[[-6.339980487411, 0.0], [-3.117658374163, 0.0], [3.31425633864, 0.0], [4.548188534314, 0.0]]),
        (1.0, &[[-7.110080146374, 0.0], [-3.134231250666, 0.0], [3.526961709901, 0.8077402751993]]),
        (2.0, &[[-8.673879848317, 0.0], [-3.071586456415, 0.0], [2.682345175127, 1.680662965907]]),
        (3.0, &[[-10.35101467246, 0.0], [-2.633661372537, 0.0], [1.70675605664, 2.315824473843]]),
        (4.0, &[[-12.15861426576, 0.0], [-1.429444273613, 0.0], [0.4132533152113, 3.079108186032]]),
        (5.0, &[[-14.07838969279822, 0.0], [-0.77534188219585, 4.46486771378823], [-0.32286642900409, 0.0]]),
        (6.0, &[[-16.08537123098, 0.0], [-1.526444865841, 5.876730605987], [-0.004066900769714, 0.0]]),
        (7.0, &[[-18.15788466125, 0.0], [-2.138756442584, 7.195259133298], [0.1026817057477, 0.0]]),
        (8.0, &[[-20.27940894395, 0.0], [-2.693486835811, 8.460379713969], [0.1432787976571, 0.0]]),
        (10.0, &[[-24.62459635017, 0.0], [-3.720168404373, 10.90681139476], [0.1610533865317, 0.0]]),
    ];
    for (v, expected) in expected {
        for found in modes_of(&bicycle(v)) {
            assert_spectrum(&found, expected, 1e-10);
            assert_eq!(found.degrees_of_freedom, 3);
            // Position, heading and two wheel angles; at speed the heading is no longer one of its own.
            assert_eq!(found.free.len(), if v == 0.0 { 5 } else { 4 }, "{:?}", found.free);
        }
    }
}

/// The speeds between which it is stable, as roots of the real part of an eigenvalue.
#[test]
fn the_bicycle_is_stable_between_the_published_speeds() {
    for (range, real, expected) in
        [([4.2, 4.4], false, 4.29238253634111), ([6.0, 6.05], true, 6.02426201538837)]
    {
        let part = |v: f64| {
            let found = modes_in(&built(&bicycle(v)), false);
            let ours = |s: &Complex<f64>| (s.im == 0.0) == real;
            found.modes.iter().map(|m| m.s).filter(ours).map(|s| s.re).fold(f64::NEG_INFINITY, f64::max)
        };
        // The root of a cubic through four points beside it: near the root, the mode itself is a free motion.
        let [a, b] = range;
        let points: Vec<[f64; 2]> =
            (0..6).map(|i| a + (b - a) * f64::from(i) / 5.0).map(|v| [part(v), v]).collect();
        let lagrange = |i: usize| {
            let others = (0..6).filter(|j| *j != i);
            others.map(|j| points[j][0] / (points[j][0] - points[i][0])).product::<f64>() * points[i][1]
        };
        let root: f64 = (0..6).map(lagrange).sum();
        assert!((root - expected).abs() < 1e-8, "{root} for {expected}");
    }
    let grows = |v: f64| {
        let built = built(&bicycle(v));
        let system = &*built.system;
        let start = moving(system, &built.q, &built.v, 0.0);
        let found = steady::find(system, &start, Frame::Auto, false).unwrap();
        fastest_growth(system, &found).unwrap().map(|(s, _)| s.im > 0.0)
    };
    assert_eq!(
        [grows(4.292), grows(4.293), grows(6.024), grows(6.0243)],
        [Some(true), None, None, Some(false)]
    );
}

/// A thin disc of 2 kg and radius 0.5 m that leans by `lean`, turns with `turn` and spins with `spin`, all
/// about axes in space.
fn disc(lean: f64, turn: f64, spin: f64) -> Loaded {
    text(&format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [parameters]
        lean = {lean:e}
        [[body]]
        name = "disc"
        mass = 2
        inertia = [0.125, 0.25, 0.125]
        position = [0, "-0.5*sin(lean)", "0.5*cos(lean)"]
        rotation = {{ axis = [1, 0, 0], angle = "lean" }}
        velocity = [{u:e}, 0, 0]
        angular_velocity = [0, {spin:e}, "{turn:e}*cos(lean)"]
        [[joint]]
        name = "road"
        type = "rolling"
        bodies = ["ground", "disc"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        point2 = [0, "-0.5*sin(lean)", "0.5*cos(lean)"]
        axis2 = [0, "cos(lean)", "sin(lean)"]
        "#,
        u = 0.5 * spin,
    ))
}

/// s^2 = 4/5 (g/a - 3 w^2): a coin that is fast enough does not fall.
#[test]
fn a_disc_that_rolls_straight_ahead() {
    for spin in [0.3, 1.0, 2.0, 2.5, 2.6, 3.0, 7.0, 20.0] {
        let square: f64 = 0.8 * (9.81 / 0.5 - 3.0 * spin * spin);
        let root = square.abs().sqrt();
        let expected = if square > 0.0 { vec![[root, 0.0], [-root, 0.0]] } else { vec![[0.0, root]] };
        for found in modes_of(&disc(0.0, 0.0, spin)) {
            assert_spectrum(&found, &expected, 1e-10);
        }
    }
    let square = |spin: f64| {
        let s = modes_in(&built(&disc(0.0, 0.0, spin)), false).modes[0].s;
        (s * s).re
    };
    // s^2 is linear in w^2.
    let [a, b] = [2.0, 3.0].map(|spin: f64| [spin * spin, square(spin)]);
    let critical = (a[0] - a[1] * (b[0] - a[0]) / (b[1] - a[1])).sqrt();
    assert!(relative(critical, 2.5573423705088842) < 1e-9, "{critical}");
}

/// Steady circles: lean, turning rate and the mode that does not belong to the family of circles, from four
/// equations of motion about the centre in a frame that turns with the heading.
#[test]
fn a_disc_that_rolls_in_a_circle() {
    let rows = [
        (0.2, 1.5, [[2.249747760669, 0.0], [-2.249747760669, 0.0]]),
        (0.5, 3.0, [[0.0, 3.401964776125], [0.0, -3.401964776125]]),
        (-0.4, 2.0, [[0.0, 3.173691352197], [0.0, -3.173691352197]]),
        (0.8, 6.0, [[0.0, 6.033184665639], [0.0, -6.033184665639]]),
        (0.3, -4.0, [[0.0, 1.990981539424], [0.0, -1.990981539424]]),
    ];
    for (lean, turn, expected) in rows {
        let (sin, cos) = f64::sin_cos(lean);
        // Newton and Euler for a steady circle: (A turn^2 sin cos - m a g sin) / (turn cos (I + m a^2)).
        let spin = (0.125 * turn * turn * sin * cos - 9.81 * sin) / (turn * cos * 0.75);
        for found in modes_of(&disc(lean, turn, spin)) {
            assert_spectrum(&found, &expected, 1e-9);
        }
    }
}

/// A bicycle whose frame leans a little in the file finds its way upright.
#[test]
fn the_steady_motion_near_a_bicycle_is_found() {
    let built = built(&bicycle(5.0));
    let system = &*built.system;
    let mut start = moving(system, &built.q, &built.v, 0.0);
    let mut x = vec![0.0; system.group().dim()];
    x[6] = 1e-3;
    system.group().retract(&built.q, &x, &mut start.q);
    let found = steady::find(system, &start, Frame::Fixed, true).unwrap_or_else(|e| panic!("{e}"));
    let lean = system.bodies(&found.state.at())[1].rotation;
    assert!(lean[1].abs() < 1e-9 && found.acceleration < 1e-6, "{lean:?} {:e}", found.acceleration);
    let modes = modes(system, &found, ALL).unwrap();
    let capsize = modes.modes.iter().map(|m| (m.s.re + 0.32286642900409).abs()).fold(f64::INFINITY, f64::min);
    assert!(capsize < 1e-6, "{capsize:e}");
}

/// Chaplygin's sleigh: stable with the centre of mass ahead of the blade. More blades in one line change
/// nothing.
#[test]
fn the_sleigh_is_stable_with_the_mass_in_front() {
    for blades in 1..=3 {
        for ahead in [0.3, -0.3] {
            let expected = -2.0 * ahead * 1.7 / (0.25 + 2.0 * ahead * ahead);
            for found in modes_of(&sleigh(ahead, 1.7, 0.0, blades)) {
                assert_spectrum(&found, &[[expected, 0.0]], 1e-10);
            }
        }
        // In a circle with a force across the blade, nothing vibrates.
        for found in modes_of(&sleigh(0.0, 1.7, 0.8, blades)) {
            assert_spectrum(&found, &[], 1e-10);
        }
    }
}

fn sleigh(ahead: f64, v: f64, turn: f64, blades: usize) -> Loaded {
    let mut model = format!(
        r#"
        [[body]]
        name = "sleigh"
        mass = 2
        inertia = [1, 1, 0.25]
        velocity = [{v}, 0, 0]
        angular_velocity = [0, 0, {turn}]
        [[joint]]
        name = "ice"
        type = "planar"
        bodies = ["ground", "sleigh"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        "#
    );
    for i in 0..blades {
        model += &format!(
            r#"
            [[joint]]
            name = "blade{i}"
            type = "knife-edge"
            bodies = ["ground", "sleigh"]
            point = [{}, {}, 0]
            axis = [0, 1, 0]
            "#,
            -ahead,
            0.2 * i as f64
        );
    }
    text(&model)
}

/// A trailer behind a carriage follows with the rate V/L, and folds when it is pushed.
#[test]
fn a_trailer_follows_and_folds() {
    for v in [2.0, -2.0] {
        let loaded = carriage(v, 0.7, 0.25, (3.0, 0.1), None);
        for found in modes_of(&loaded) {
            assert_spectrum(&found, &[[-v / 0.7, 0.0]], 1e-10);
        }
    }
}

/// A trailing wheel on a king pin that yields: (J + m (l-a)^2) s^3 + m (l-a) V s^2 + k l^2 s + k l V = 0,
/// stable if m a (l-a) > J.
#[test]
fn a_trailing_wheel_shimmies() {
    for (a, m, j) in [(0.2, 4.0, 0.1), (0.45, 4.0, 0.2), (0.3, 4.0, 0.2), (0.25, 6.0, 0.5)] {
        let (v, l, k) = (3.0, 0.5, 800.0);
        let loaded = carriage(v, l, a, (m, j), Some(k));
        for found in modes_of(&loaded) {
            let list: Vec<_> = found.modes.iter().map(|m| m.s).collect();
            assert_eq!(list.len(), 2, "{list:?}");
            for s in &list {
                let cubic =
                    ((s * (j + m * (l - a).powi(2)) + m * (l - a) * v) * s + k * l * l) * s + k * l * v;
                let size = k * l * v + k * l * l * s.norm();
                assert!(cubic.norm() < 1e-9 * size, "{s}: {cubic}");
            }
            let grows = list.iter().any(|s| s.re > 1e-9);
            assert_eq!(grows, m * a * (l - a) < j, "{list:?}");
        }
    }
}

/// A carriage on a rail along x, with a trailer that is hinged to it at the origin, also across the rail on a
/// spring: its mass is `a` behind the hinge, its blade `l` behind.
fn carriage(v: f64, l: f64, a: f64, (m, j): (f64, f64), k: Option<f64>) -> Loaded {
    let hinge = match k {
        None => r#"
            [[joint]]
            name = "hinge"
            type = "revolute"
            bodies = ["carriage", "trailer"]
            point = [0, 0, 0]
            axis = [0, 0, 1]
            "#
        .to_string(),
        Some(k) => format!(
            r#"
            [[joint]]
            name = "hinge"
            type = "generic"
            bodies = ["carriage", "trailer"]
            point = [0, 0, 0]
            lock = ["tx", "tz", "rx", "ry"]
            [[force]]
            name = "spring"
            type = "bushing"
            bodies = ["carriage", "trailer"]
            point = [0, 0, 0]
            stiffness = [0, {k}, 0, 0, 0, 0]
            "#
        ),
    };
    text(&format!(
        r#"
        [[body]]
        name = "carriage"
        mass = 5
        inertia = [1, 1, 1]
        position = [0.2, 0, 0]
        velocity = [{v}, 0, 0]
        [[body]]
        name = "trailer"
        mass = {m}
        inertia = [1, 1, {j}]
        position = [{}, 0, 0]
        velocity = [{v}, 0, 0]
        [[joint]]
        name = "rail"
        type = "prismatic"
        bodies = ["ground", "carriage"]
        point = [0, 0, 0]
        axis = [1, 0, 0]
        {hinge}
        [[joint]]
        name = "blade"
        type = "knife-edge"
        bodies = ["ground", "trailer"]
        point = [{}, 0, 0]
        axis = [0, 1, 0]
        "#,
        -a, -l
    ))
}

/// A frame that does not move along is refused instead of giving plausible numbers, and so is an equilibrium.
#[test]
fn other_frames_and_equilibria_are_refused() {
    let loaded = bicycle(5.0);
    let built = built(&loaded);
    let system = &*built.system;
    let start = moving(system, &built.q, &built.v, 0.0);
    let rotating = steady::find(system, &start, Frame::Rotating, false);
    assert!(matches!(rotating, Err(AnalysisError::Unsteady { .. } | AnalysisError::NoFrame { .. })));
    let rest = equilibrium::find(system, &built.q, &EquilibriumOptions::default());
    let text = rest.map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("rear_road") && text.contains("steady motion"), "{text}");
}

/// The state space has the eigenvalues of the modes.
#[test]
fn the_state_space_of_a_bicycle() {
    let loaded = bicycle(5.0);
    let built = built(&loaded);
    let system = &*built.system;
    let start = moving(system, &built.q, &built.v, 0.0);
    let found = steady::find(system, &start, Frame::Auto, false).unwrap();
    let modes = modes(system, &found, ALL).unwrap();
    let linear = modes.linear.as_ref().unwrap();
    let space = StateSpace::new(system, &found, linear, &[], &["steer".to_string()]).unwrap();
    assert_eq!((space.a.nrows(), space.c.shape()), (10, (1, 10)));
    let expected = [
        Complex::new(-14.07838969279822, 0.0),
        Complex::new(-0.77534188219585, 4.46486771378823),
        Complex::new(-0.77534188219585, -4.46486771378823),
        Complex::new(-0.32286642900409, 0.0),
    ];
    // Sums of powers of all eigenvalues; the zeros are in chains, which these do not feel.
    let mut power = space.a.clone();
    for k in 1..=3 {
        let sum: f64 = expected.iter().map(|s| s.powi(k).re).sum();
        assert!((power.trace() - sum).abs() < 1e-9 * 14.1_f64.powi(k), "{k}: {} for {sum}", power.trace());
        power *= &space.a;
    }
}

/// A run at 8 m/s, pushed slightly, falls over as fast as the mode says.
#[test]
fn a_run_falls_as_the_mode_says() {
    let steering = |until: f64| {
        let given = ["parameters.v=8", "parameters.push=0.1", "integrator.tol=1e-9"];
        let loaded = model("bicycle", &[&given[..], &[&format!("run.until={until}")]].concat());
        let built = built(&loaded);
        let system = &*built.system;
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let s = &loaded.settings;
        let mut method = adaptive_method(&s.method, &s.options, s.tolerance.unwrap()).unwrap();
        s.adaptive_run()
            .unwrap()
            .run(system, &mut *method, &mut state, &mut ())
            .unwrap_or_else(|e| panic!("{e}"));
        precess::mechanics::sensors::read(system, "steer", &state.at()).unwrap()[0]
    };
    let rate = (steering(12.0) / steering(6.0)).ln() / 6.0;
    let modes = modes_in(&built(&bicycle(8.0)), false);
    let grows = modes.modes.iter().find(|m| m.grows()).unwrap().s;
    assert!(grows.im == 0.0 && (rate - grows.re).abs() < 1e-3 * grows.re, "{rate} for {grows}");
}
