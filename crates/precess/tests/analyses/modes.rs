//! Frequencies, damping and frames: closed forms and independent values.

use crate::analyses_util::{built, built_se3, four_bar, model, pendulum, relative, text};
use nalgebra::Complex;
use precess::analysis::equilibrium::find;
use precess::analysis::modes::modes;
use precess::analysis::steady::{self, Found, moving, resting_at};
use precess::analysis::{AnalysisError, EquilibriumOptions, Frame, Modes, Selection};
use precess::model::{Built, Loaded};

const ALL: Selection = Selection { n: 1000, near: None };

/// At the stable equilibrium.
fn at_rest(built: &Built) -> Modes {
    let found = find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap();
    modes(&*built.system, &resting_at(&*built.system, &found.state).unwrap(), ALL).unwrap()
}

fn omegas(modes: &Modes) -> Vec<f64> {
    modes.modes.iter().map(|m| m.s.im).collect()
}

pub fn steady(built: &Built, frame: Frame, solve: bool) -> Result<Found, AnalysisError> {
    steady::find(&*built.system, &moving(&*built.system, &built.q, &built.v, 0.0), frame, solve)
}

fn steady_modes(built: &Built, frame: Frame, solve: bool) -> Modes {
    let found = steady(built, frame, solve).unwrap_or_else(|e| panic!("{e}"));
    modes(&*built.system, &found, ALL).unwrap()
}

/// Every expected eigenvalue is found, within a tolerance relative to its size.
fn assert_eigenvalues(found: &Modes, expected: &[[f64; 2]], tolerance: f64) {
    for &[re, im] in expected {
        let e = Complex::new(re, im.abs());
        let near = found.modes.iter().map(|m| (m.s - e).norm()).fold(f64::INFINITY, f64::min);
        let list: Vec<_> = found.modes.iter().map(|m| m.s).collect();
        assert!(near < tolerance * e.norm().max(1.0), "{e} is {near:e} away from {list:?}");
    }
}

#[test]
fn compound_pendulum() {
    for joint in ["revolute", "spherical"] {
        for built in [built(&pendulum(0.3, joint)), built_se3(&pendulum(0.3, joint))] {
            let m = at_rest(&built);
            let omega = omegas(&m);
            assert!(relative(omega[0], 3.651572343871099) < 1e-10, "{omega:?}");
            assert!((m.modes[0].shares[0] - 1.0).abs() < 1e-14);
            if joint == "spherical" {
                assert_eq!((omega.len(), m.free.len()), (2, 1));
                assert!(relative(omega[1], 3.687549294854) < 1e-10, "{omega:?}");
            }
        }
    }
}

#[test]
fn double_pendulum_and_its_words() {
    let m = at_rest(&built(&model("double_pendulum", &[])));
    for (omega, expected) in omegas(&m).iter().zip([2.827670232097518, 7.412356769815004]) {
        assert!(relative(*omega, expected) < 1e-9);
    }
    assert!(m.modes[0].words.contains("with it"), "{}", m.modes[0].words);
    assert!(m.modes[1].words.contains("against it"), "{}", m.modes[1].words);
    let shares: f64 = m.modes[1].shares.iter().sum();
    assert!((shares - 1.0).abs() < 1e-14);
}

#[test]
fn four_bar_and_slider_crank() {
    let free = four_bar(17);
    for built in [built(&free), built_se3(&free)] {
        assert!(relative(omegas(&at_rest(&built))[0], 7.701401505831798) < 1e-8);
    }
    let slider = model("slider_crank_a", &[]);
    for built in [built(&slider), built_se3(&slider)] {
        assert!(relative(omegas(&at_rest(&built))[0], 8.740471215649334) < 1e-8);
    }
}

/// Thin rods of total length 1 and mass 1, hanging from spherical joints.
fn chain(n: usize) -> Loaded {
    let (l, m) = (1.0 / n as f64, 1.0 / n as f64);
    let mut file = String::from("[model]\ngravity = [0, 0, -9.81]\n");
    for i in 0..n {
        let j = m * l * l / 12.0;
        let (z, top) = (-(i as f64 + 0.5) * l, -(i as f64) * l);
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        file += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = {m}\ninertia = [{j}, {j}, {}]\nposition = [0, 0, {z}]\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"spherical\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             [0, 0, {top}]\n",
            1e-3 * j
        );
    }
    text(&file)
}

#[test]
fn hanging_chain_has_double_frequencies_near_those_of_a_rope() {
    let built = built(&chain(10));
    let m = at_rest(&built);
    assert_eq!(m.free.len(), 10);
    let omega = omegas(&m);
    for (i, expected) in [3.7672085183, 8.7283215464, 14.0453819528, 19.9291733184].into_iter().enumerate() {
        for k in 0..2 {
            assert!(relative(omega[2 * i + k], expected) < 1e-8, "{} {expected}", omega[2 * i + k]);
        }
    }
}

/// The heavy top of the papers, upright with a spin.
fn sleeping_top(spin: f64) -> Loaded {
    text(&format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "top"
        mass = 15
        inertia = [0.234375, 0.46875, 0.234375]
        position = [0, 0, 1]
        rotation = {{ x_axis = [0, 1, 0], y_axis = [0, 0, 1] }}
        angular_velocity = [0, {spin}, 0]
        [[joint]]
        name = "tip"
        type = "spherical"
        bodies = ["ground", "top"]
        point = [0, 0, 0]
        "#
    ))
}

/// s = i nu, nu^2 I1 - nu J spin + m g l = 0 in the frame that does not spin.
fn top_roots(spin: f64) -> [Complex<f64>; 2] {
    let (i1, a, mgl) = (15.234375, 0.46875 * spin, 15.0 * 9.81);
    let root = Complex::new(a * a - 4.0 * i1 * mgl, 0.0).sqrt();
    [1.0, -1.0].map(|sign| Complex::new(0.0, 1.0) * (a + root * sign) / (2.0 * i1))
}

#[test]
fn sleeping_top_falls_below_the_critical_spin() {
    let reference = top_roots(150.0)[0];
    assert!(
        (reference.re.abs() - 2.081738008514682).abs() < 1e-9
            && (reference.im - 2.307692307692307).abs() < 1e-9
    );
    for spin in [60.0, 150.0, 200.0, 202.01376, 202.01396, 203.0, 400.0] {
        for built in [built(&sleeping_top(spin)), built_se3(&sleeping_top(spin))] {
            let m = steady_modes(&built, Frame::Auto, false);
            let roots: Vec<[f64; 2]> = top_roots(spin).iter().map(|s| [s.re, s.im]).collect();
            assert_eigenvalues(&m, &roots, 1e-8);
            let unstable = m.modes.iter().any(|mode| mode.grows());
            assert_eq!(unstable, spin < 202.01386091058, "spin {spin}");
        }
    }
}

/// nutation^2 = phi'^2 + (m g l / (I1 phi'))^2 - 2 m g l cos(theta) / I1.
#[test]
fn steady_precession_nutates() {
    let (i1, i3, mgl) = (15.234375_f64, 0.46875, 15.0 * 9.81);
    for (theta, phi) in [(1.0_f64, 2.0_f64), (0.6, -1.5), (2.0, 3.0), (0.3, 8.0)] {
        // I3 (spin + phi' cos) = I1 phi' cos + m g l / phi'.
        let total = (i1 * phi * theta.cos() + mgl / phi) / i3;
        let (s, c) = theta.sin_cos();
        let file = format!(
            r#"
            [model]
            gravity = [0, 0, -9.81]
            [[body]]
            name = "top"
            mass = 15
            inertia = [0.234375, 0.46875, 0.234375]
            position = [{s}, 0, {c}]
            rotation = {{ x_axis = [0, 1, 0], y_axis = [{s}, 0, {c}] }}
            velocity = [0, {vy}, 0]
            angular_velocity_global = [{wx}, 0, {wz}]
            [[joint]]
            name = "tip"
            type = "spherical"
            bodies = ["ground", "top"]
            point = [0, 0, 0]
            "#,
            vy = phi * s,
            wx = (total - phi * c) * s,
            wz = phi + (total - phi * c) * c
        );
        let nutation = (phi * phi + (mgl / (i1 * phi)).powi(2) - 2.0 * mgl * c / i1).sqrt();
        for built in [built(&text(&file)), built_se3(&text(&file))] {
            let m = steady_modes(&built, Frame::Auto, false);
            assert_eigenvalues(&m, &[[0.0, nutation]], 1e-8);
            // Neither the frame at rest nor the one that turns with the top shows it standing still: the
            // accelerations of such a motion would be others, by a hundred times the tolerance and more.
            for frame in [Frame::Fixed, Frame::Rotating] {
                match steady(&built, frame, false) {
                    Err(AnalysisError::Unsteady { acceleration, .. }) => assert!(acceleration > 1.0),
                    other => panic!("{frame:?}: {other:?}"),
                }
            }
        }
        // Independent values of two of them.
        for (at, expected) in [((1.0, 2.0), 4.109355020351), ((0.6, -1.5), 5.269887460024)] {
            assert!((theta, phi) != at || relative(nutation, expected) < 1e-11, "{nutation}");
        }
    }
}

pub fn rotor(spin: f64, more: &[&str]) -> Built {
    let spin = format!("body.rotor.angular_velocity=[{spin}, 0, 0]");
    let all: Vec<&str> = [&[spin.as_str()], more].concat();
    built(&model("rotor", &all))
}

#[test]
fn rotor_at_200_000_turns() {
    let m = steady_modes(&rotor(20943.951023932, &["parameters.Mz=0"]), Frame::Auto, false);
    let expected = [
        [-4.22531151, 80.78052915],
        [-7.931908e-3, 2.47852397],
        [-4.22143204, 80.75599260],
        [-128.48314960, 39749.58252835],
        [-2.111648814, 57.150563356],
    ];
    assert_eigenvalues(&m, &expected, 1e-8);
    assert_eq!((m.modes.len(), m.free.len()), (5, 1));
    let backward: Vec<&str> = m.modes.iter().map(|mode| mode.whirl_word()).collect();
    assert_eq!(backward, ["backward", "", "forward", "backward", "forward"]);
}

#[test]
fn rotor_at_rest_slow_and_loaded() {
    let m = steady_modes(&rotor(0.0, &["parameters.Mz=0"]), Frame::Auto, false);
    assert_eigenvalues(
        &m,
        &[
            [-64.29033858512491, 308.9391723306667],
            [-4.178573945134459, 80.34028100368087],
            [-2.1116488143908416, 57.15056335558134],
        ],
        1e-9,
    );
    let m = steady_modes(&rotor(1000.0, &["parameters.Mz=0"]), Frame::Auto, false);
    let expected = [
        [-4.370980196529163, 81.39008861850199],
        [-3.1381245674873353, 50.068120625004596],
        [-4.201152297748455, 80.60715180157396],
        [-125.22756799875265, 1948.6343086734585],
        [-2.1116488143908416, 57.15056335558134],
    ];
    assert_eigenvalues(&m, &expected, 1e-9);
    // With the torque the rotor tilts first.
    let built = rotor(20943.951023932, &[]);
    let found = steady(&built, Frame::Auto, true).unwrap();
    let tilt = 2.0 * found.state.q[3].atan2(found.state.q[0]);
    assert!((tilt - 0.001499705998676242).abs() < 1e-11, "{tilt}");
    let m = modes(&*built.system, &found, ALL).unwrap();
    let expected = [
        [-0.007931872598345713, 2.47851560769168],
        [-2.1116488247182525, 57.15056342492042],
        [-4.2214320441114666, 80.75599261231997],
        [-4.225311507937308, 80.78052913005244],
    ];
    assert_eigenvalues(&m, &expected, 1e-8);
}

#[test]
fn undamped_rotor_in_both_frames() {
    let built = rotor(1000.0, &["parameters.Mz=0", "parameters.d=0"]);
    let m = steady_modes(&built, Frame::Fixed, false);
    let expected = [81.519921036, 50.256903888, 80.716248630, 1948.843827525].map(|w| [0.0, w]);
    assert_eigenvalues(&m, &expected, 1e-8);
    let whirl: Vec<(f64, &str)> = m.modes.iter().map(|mode| (mode.s.im.round(), mode.whirl_word())).collect();
    assert_eq!(
        whirl,
        [(50.0, "backward"), (57.0, ""), (81.0, "forward"), (82.0, "backward"), (1949.0, "forward")]
    );
    let m = steady_modes(&built, Frame::Rotating, false);
    let expected = [919.28375137, 948.84382753, 1050.25690389, 1081.51992104].map(|w| [0.0, w]);
    assert_eigenvalues(&m, &expected, 1e-8);
}

/// Every wrong frame is refused. Supports that differ in y and z rule out the rotating frame. A rotor with
/// different moments of inertia rules out the fixed frame. Both together rule out every frame.
#[test]
fn wrong_frames_are_refused() {
    let supports = ["parameters.Mz=0", "force.left.stiffness=[4000, 4000, 7000]"];
    let moments = ["parameters.Mz=0", "body.rotor.inertia=[0.001541, 0.000812, 0.0012]"];
    let both = [supports[0], supports[1], moments[1]];
    let refused = |built: &Built, frame: Frame| match steady(built, frame, true) {
        Err(AnalysisError::NoFrame { tried }) => assert!(tried.iter().all(|(_, x)| *x > 1e-4), "{tried:?}"),
        other => panic!("{frame:?}: {other:?}"),
    };
    let (a, b, c) = (rotor(1000.0, &supports), rotor(1000.0, &moments), rotor(1000.0, &both));
    assert_eq!(steady(&a, Frame::Auto, true).unwrap().steady.frame, Frame::Fixed);
    refused(&a, Frame::Rotating);
    assert_eq!(steady(&b, Frame::Auto, true).unwrap().steady.frame, Frame::Rotating);
    refused(&b, Frame::Fixed);
    refused(&c, Frame::Auto);
    // A top that spins and precesses has no frame at rest.
    let top = built(&sleeping_top(150.0));
    assert_eq!(steady(&top, Frame::Auto, false).unwrap().steady.frame, Frame::Fixed);
}

/// Critical speeds of the undamped rotor against the closed form.
#[test]
fn critical_speeds_of_the_rotor() {
    let source = |spin: f64| Ok(rotor(spin, &["parameters.Mz=0", "parameters.d=0"]));
    let values: Vec<f64> = (0..21).map(|i| 20.0 * i as f64).collect();
    let c = precess::analysis::campbell::campbell(&source, &values, Frame::Auto, &[1.0]).unwrap();
    assert_eq!(c.branches.len(), 5);
    let at = |direction: &str| -> Vec<f64> {
        c.critical.iter().filter(|x| c.branches[x.branch].direction() == direction).map(|x| x.spin).collect()
    };
    let (forward, backward, axial) = (at("forward"), at("backward"), at(""));
    assert_eq!((forward.len(), backward.len(), axial.len()), (1, 2, 1), "{:?}", c.critical);
    assert!(relative(forward[0], 80.4990932076) < 1e-8, "{forward:?}");
    assert!(
        relative(backward[0], 80.3835508959) < 1e-8 && relative(backward[1], 185.5233628738) < 1e-8,
        "{backward:?}"
    );
    assert!(relative(axial[0], (4000.0_f64 / 1.223).sqrt()) < 1e-9, "{axial:?}");
    // A coarse grid has the same critical speeds.
    let axial = (4000.0_f64 / 1.223).sqrt();
    for n in [2, 4, 7, 13] {
        let values: Vec<f64> = (0..n).map(|i| 3000.0 * i as f64 / (n - 1) as f64).collect();
        let coarse = precess::analysis::campbell::campbell(&source, &values, Frame::Auto, &[1.0]).unwrap();
        let spins: Vec<f64> = coarse.critical.iter().map(|c| c.spin).collect();
        assert_eq!(spins.len(), 4, "{n}: {spins:?}");
        for (spin, expected) in spins.iter().zip([axial, 80.3835508959, 80.4990932076, 185.5233628738]) {
            assert!(relative(*spin, expected) < 1e-8, "{n}: {spins:?}");
        }
    }
    // Branches are smooth: no jump to another mode.
    for branch in &c.branches {
        for pair in branch.s.windows(2) {
            let (a, b) = (pair[0].unwrap().im, pair[1].unwrap().im);
            assert!((a - b).abs() < 0.15 * (a + b), "{a} {b}");
        }
    }
}

/// A rotating arm: m r (r sin th + a) w^2 cos th = m g r sin th, where it stays; omega^2 from the effective
/// potential by differences.
#[test]
fn governor_finds_the_position_that_lasts() {
    let file = |w: f64| {
        format!(
            r#"
            [model]
            gravity = [0, 0, -9.81]
            [[body]]
            name = "shaft"
            mass = 1
            inertia = [0.01, 0.01, 0.01]
            angular_velocity = [0, 0, {w}]
            [[body]]
            name = "arm"
            mass = 0.5
            inertia = [1e-3, 1e-3, 1e-3]
            position = [0.15, 0, -0.15]
            velocity = [0, {v}, 0]
            angular_velocity = [0, 0, {w}]
            [[joint]]
            name = "bearing"
            type = "revolute"
            bodies = ["ground", "shaft"]
            point = [0, 0, 0]
            axis = [0, 0, 1]
            drive = "{w}*t"
            [[joint]]
            name = "hinge"
            type = "revolute"
            bodies = ["shaft", "arm"]
            point = [0.05, 0, 0]
            axis = [0, 1, 0]
            "#,
            v = 0.15 * w
        )
    };
    let r = 0.1_f64.hypot(0.15);
    for w in [3.0, 8.0, 20.0] {
        for built in [built(&text(&file(w))), built_se3(&text(&file(w)))] {
            let found = steady(&built, Frame::Auto, true).unwrap();
            assert_eq!(found.steady.frame, Frame::Rotating);
            let m = modes(&*built.system, &found, ALL).unwrap();
            let arm = built.system.bodies(&found.state.at())[1].position;
            let th = (arm.x - 0.05).atan2(-arm.z);
            // A sphere: its inertia does not affect the balance.
            let force = |th: f64| 0.5 * r * ((0.05 + r * th.sin()) * w * w * th.cos() - 9.81 * th.sin());
            assert!(force(th).abs() < 1e-7, "{w}: {th} {}", force(th));
            let slope = (force(th + 1e-5) - force(th - 1e-5)) / 2e-5;
            let omega = (-slope / (1e-3 + 0.5 * r * r)).sqrt();
            assert!(relative(m.modes[0].s.im, omega) < 1e-7, "{w}: {} {omega}", m.modes[0].s.im);
        }
    }
}

/// A blade of 10 m, 1.2 kg/m, EI 14 kN m^2, clamped in a hub that turns with w about z.
fn blade(w: f64, elements: usize, group: bool) -> Built {
    let hold = if w == 0.0 {
        "type = \"fixed\"".to_string()
    } else {
        format!("type = \"revolute\"\naxis = \"z\"\ndrive = \"{w}*t\"")
    };
    let loaded = text(&format!(
        r#"
        [[beam]]
        name = "blade"
        from = [0, 0, 0]
        to = [10, 0, 0]
        elements = {elements}
        stiffness = [1.4e4, 1.4e4, 1.4e4, 2.8e7, 1e7, 1e7]
        mass_per_length = 1.2
        inertia_per_length = [1.2e-3, 6e-4, 6e-4]
        angular_velocity = [0, 0, {w}]
        [[joint]]
        name = "hub"
        {hold}
        bodies = ["ground", "blade.start"]
        point = [0, 0, 0]
        "#
    ));
    if group { built_se3(&loaded) } else { built(&loaded) }
}

/// The lowest frequencies of flapping of a thin blade by Ritz' method with polynomials x^2 .. x^9: bending,
/// and the tension m W^2 (L^2 - x^2)/2.
fn ritz(w: f64) -> Vec<f64> {
    let (l, ei, m) = (10.0_f64, 1.4e4, 1.2);
    let n = 8;
    // With x = L u: integrals over u of products of powers.
    let k = nalgebra::DMatrix::from_fn(n, n, |i, j| {
        let (a, b) = ((i + 2) as f64, (j + 2) as f64);
        let bending = ei / l.powi(3) * a * (a - 1.0) * b * (b - 1.0) / (a + b - 3.0);
        bending + 0.5 * m * w * w * l * a * b * (1.0 / (a + b - 1.0) - 1.0 / (a + b + 1.0))
    });
    let mass = nalgebra::DMatrix::from_fn(n, n, |i, j| m * l / ((i + j + 5) as f64));
    let c = mass.cholesky().unwrap().l();
    let half = c.solve_lower_triangular(&k).unwrap();
    let whole = c.solve_lower_triangular(&half.transpose()).unwrap();
    let mut values: Vec<f64> = whole.symmetric_eigen().eigenvalues.iter().map(|x| x.sqrt()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Bending of a cantilever against Euler and Bernoulli, and of a rotating blade, which becomes stiffer,
/// against Ritz' method: out of the plane as it is, in the plane less by the square of the speed. Errors of
/// the elements fall with the square of their number.
#[test]
fn cantilever_and_rotating_blade() {
    let unit = (1.4e4_f64 / (1.2 * 1e4)).sqrt();
    for (found, root) in ritz(0.0).iter().zip([3.516_015_268_5, 22.034_491_56]) {
        assert!(relative(*found, root * unit) < 1e-6, "{found}");
    }
    for (w, group) in [(0.0, false), (0.0, true), (3.0, false), (6.0, false)] {
        let flap = ritz(w);
        let expected =
            [flap[0], (flap[0] * flap[0] - w * w).sqrt(), flap[1], (flap[1] * flap[1] - w * w).sqrt()];
        let errors = |elements: usize| {
            let built = blade(w, elements, group);
            let m = if w == 0.0 { at_rest(&built) } else { steady_modes(&built, Frame::Auto, true) };
            expected.map(|e| omegas(&m).iter().map(|o| (o - e).abs() / e).fold(f64::INFINITY, f64::min))
        };
        let (coarse, fine) = (errors(8), errors(16));
        for k in 0..4 {
            assert!(fine[k] < if k < 2 { 2e-3 } else { 2e-2 }, "{w} {group}: {fine:?}");
            // Others are near the second ones, where elements are few.
            assert!(k > 1 || fine[k] < 0.3 * coarse[k] + 2e-5, "{w} {group}: {coarse:?} {fine:?}");
        }
    }
}
