//! Beams at rest: published and independent solutions (flex.md sections 3.1, 3.2), and their modes.

use crate::analyses_util::{built, built_se3, model, text};
use precess::analysis::equilibrium::find;
use precess::analysis::{EquilibriumOptions, Kind};

/// Beyond half a circle, the rolled beam is unstable and tends to leave its plane.
const ANY: EquilibriumOptions =
    EquilibriumOptions { kind: Kind::Any, t: 0.0, iterations: 300, tolerance: 1e-10 };

/// The position of the tip of the bent arc, found with growing loads.
fn tip(elements: usize, force: f64) -> [f64; 3] {
    let loaded = |f: f64| {
        model("flexible/bend45", &[&format!("parameters.N={elements}"), &format!("parameters.F={f}")])
    };
    let mut q = built_se3(&loaded(0.0)).q;
    let mut position = [0.0; 3];
    for step in 1..=6 {
        let built = built_se3(&loaded(force * step as f64 / 6.0));
        let found = find(&*built.system, &q, &EquilibriumOptions::default())
            .unwrap_or_else(|e| panic!("step {step}: {e}"));
        q = found.state.q.clone();
        let end = &built.system.bodies(&found.state.at())[elements];
        position = [end.position.x, end.position.y, end.position.z];
    }
    position
}

/// The values of this element by an independent program, and with 64 elements the solution of Cosserat's
/// equations.
#[test]
fn bend_of_45_degrees() {
    let discrete = [
        (2, [48.523726854, 16.119764158, 51.160731177]),
        (4, [47.47903759, 15.790611675, 52.90530993]),
        (8, [47.23184843, 15.7111188, 53.333182621]),
        (64, [47.151707225, 15.685211105, 53.472648661]),
    ];
    for (n, expected) in discrete {
        let found = tip(n, 600.0);
        for k in 0..3 {
            assert!((found[k] - expected[k]).abs() < 1e-6, "N = {n}: {found:?}, expected {expected:?}");
        }
        let exact = [47.15043857, 15.68480053, 53.47485879];
        let error = found.iter().zip(exact).map(|(x, e)| (x - e).powi(2)).sum::<f64>().sqrt();
        assert!(n < 64 || error < 3e-3, "N = {n}: {error} from the exact solution");
    }
}

/// A moment of 2 pi EI/L rolls a beam up: its tip comes back to the clamp, with any number of elements from 3
/// on.
#[test]
fn rolled_up() {
    for n in [3usize, 4, 8] {
        let loaded = |part: f64| {
            text(&format!(
                "[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = {n}\n\
                 stiffness = [2, 2, 2, 1e4, 1e4, 1e4]\nmass_per_length = 1\ninertia_per_length = [1e-3, \
                 1e-3, 1e-3]\n\
                 [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.start\"]\n\
                 [[force]]\nname = \"moment\"\ntype = \"torque\"\nbody = \"b.end\"\ntorque = [0, 0, \
                 \"2*pi*2*{part}\"]\n"
            ))
        };
        let mut q = built(&loaded(0.0)).q;
        let mut end = nalgebra::Vector3::zeros();
        for step in 1..=20 {
            let built = built(&loaded(step as f64 / 20.0));
            let found = find(&*built.system, &q, &ANY).unwrap_or_else(|e| panic!("{n}, {step}: {e}"));
            q = found.state.q.clone();
            end = built.system.bodies(&found.state.at())[n].position;
        }
        assert!(end.norm() < 1e-9, "{n} elements: {end}");
    }
}

/// A torque that keeps its direction does work on closed paths, so a search downhill does not end. Newton's
/// method finds the arc with the curvature M/EI, which is stable up to half a circle.
#[test]
fn a_stable_arc_under_a_torque() {
    let loaded = text(
        "[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 8\n\
         stiffness = [2, 2, 2, 1e4, 1e4, 1e4]\nmass_per_length = 1\ninertia_per_length = [1e-3, 1e-3, 1e-3]\n\
         [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.start\"]\n\
         [[force]]\nname = \"moment\"\ntype = \"torque\"\nbody = \"b.end\"\ntorque = [0, 0, 6]\n",
    );
    for built in [built(&loaded), built_se3(&loaded)] {
        let found =
            find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let tip = built.system.bodies(&found.state.at())[8].position;
        let exact = [3f64.sin() / 3.0, (1.0 - 3f64.cos()) / 3.0];
        assert!((tip.x - exact[0]).hypot(tip.y - exact[1]) < 1e-8 && tip.z.abs() < 1e-8, "{tip}");
        assert_eq!(found.stability, precess::analysis::Stability::Stable);
    }
}

/// A cable at rest for stiffnesses over eight decades. Its depth lies between that of the catenary, which has
/// no bending stiffness, and that of its stress-free arc. In stiff and light elements, rounding errors alone
/// cause accelerations; the search ends where they dominate.
#[test]
fn cables_at_rest() {
    let mut depths = Vec::new();
    for ei in ["1e-2", "1e-4", "1e-6", "1e-8"] {
        let loaded = model("flexible/cable", &["parameters.N=16", &format!("parameters.EI={ei}")]);
        let built = built(&loaded);
        let found = find(&*built.system, &built.q, &EquilibriumOptions::default())
            .unwrap_or_else(|e| panic!("{ei}: {e}"));
        assert!(found.factorisations < 100, "EI = {ei}: {} factorisations", found.factorisations);
        depths.push(-built.system.bodies(&found.state.at())[8].position.z);
    }
    // The arc has the depth 0.5 (1 - cos a)/a.
    let half = 1.1311025857_f64;
    let (arc, catenary) = (0.5 / half * (1.0 - half.cos()), 0.265438);
    assert!(arc < depths[0] && depths[0] < depths[1] && depths[1] < catenary + 1e-4, "{depths:?}");
    // Without bending, only the stretching and the 16 straight pieces cause a difference.
    assert!(depths[2..].iter().all(|d| (d - catenary).abs() < 2e-4), "{depths:?}");
}

/// Kelvin-Voigt: stress = K (strain + d strain'), so every mode has s^2 + d w^2 s + w^2 = 0 with its
/// frequency w without damping.
#[test]
fn damping_of_a_beam() {
    let spectrum = |damping: f64| {
        let loaded = text(&format!(
            "[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 4\ndamping = {damping}\n\
             section = {{ type = \"rectangle\", width = 0.02, height = 0.03 }}\nyoung = 2e9\ndensity = 1000\n\
             [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.start\"]\n"
        ));
        let built = built(&loaded);
        let found =
            find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let resting = precess::analysis::steady::resting_at(&*built.system, &found.state).unwrap();
        precess::analysis::modes::modes(&*built.system, &resting, precess::analysis::Selection::default())
            .unwrap()
            .modes
    };
    // Most of its vibrations are overdamped. The two slow ones still come first in the list.
    let d = 1e-2;
    let (free, damped) = (spectrum(0.0), spectrum(d));
    for k in 0..2 {
        let (w, s) = (free[k].s.im, damped[k].s);
        assert!(w > 0.0 && (s.re / (-0.5 * d * w * w) - 1.0).abs() < 1e-6, "mode {k}: {s}, w = {w}");
        assert!((s.norm() / w - 1.0).abs() < 1e-8, "mode {k}: {s}, w = {w}");
    }
}

/// The connecting rod of `models/flexible`, a modal body from finite elements, on a joint to the ground.
fn rod(joint: &str) -> precess::model::Loaded {
    let path = format!("{}/../../models/flexible/test.toml", env!("CARGO_MANIFEST_DIR"));
    let text = format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\ntype = \"modal\"\nmodal = {{ file = \
         \"connecting_rod.json\" }}\n\
         [[joint]]\nname = \"hold\"\nbodies = [\"ground\", \"rod.big\"]\n{joint}\n"
    );
    precess::model::load(&path, &text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Clamped, a modal body vibrates in its own modes and bends under its weight by S_1 . g / K.
#[test]
fn a_clamped_modal_body() {
    let loaded = rod("type = \"fixed\"");
    let data = loaded.model.modal[0].data.clone();
    for built in [built(&loaded), built_se3(&loaded)] {
        let system = &*built.system;
        let found = find(system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let (q, n) = (&found.state.q, data.modes());
        for k in 0..n {
            let expected = data.s1[k].z * -9.81 / data.stiffness[(k, k)];
            let scale = data.s1[0].norm() * 9.81 / data.stiffness[(0, 0)];
            assert!((q[q.len() - n + k] - expected).abs() < 1e-9 * scale, "mode {k}");
        }
        let resting = precess::analysis::steady::resting_at(system, &found.state).unwrap();
        let list = precess::analysis::modes::modes(system, &resting, precess::analysis::Selection::default())
            .unwrap();
        assert_eq!(list.degrees_of_freedom, n);
        for (k, mode) in list.modes.iter().enumerate() {
            let expected = data.stiffness[(k, k)].sqrt();
            assert!((mode.s.im / expected - 1.0).abs() < 1e-6, "mode {k}: {} {expected}", mode.s.im);
            assert!(mode.words.contains("'rod' deforms"), "{}", mode.words);
        }
    }
}

/// On a hinge it hangs and swings like a rigid body, because its bending frequency of 260 Hz is far higher.
#[test]
fn a_hinged_modal_body() {
    let loaded = rod("type = \"revolute\"\naxis = \"y\"");
    let data = loaded.model.modal[0].data.clone();
    let built = built(&loaded);
    let found =
        find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let resting = precess::analysis::steady::resting_at(&*built.system, &found.state).unwrap();
    let list =
        precess::analysis::modes::modes(&*built.system, &resting, precess::analysis::Selection::default())
            .unwrap();
    let rigid = (9.81 * data.s0.norm() / data.i0[(1, 1)]).sqrt();
    assert!((list.modes[0].s.im / rigid - 1.0).abs() < 1e-4, "{} {rigid}", list.modes[0].s.im);
}

/// A ball on a ball joint at the end of a stiff, damped part is free to turn about three axes, beside
/// frequencies of kilohertz.
#[test]
fn free_motions_beside_stiff_modes() {
    let loaded = rod("type = \"revolute\"\naxis = \"y\"\n[[body]]\nname = \"ball\"\nmass = 0.2\nshape = \
         { type = \"sphere\", radius = 0.02 }\n\
         position = \"rod.small\"\n[[joint]]\nname = \"socket\"\ntype = \"spherical\"\nbodies = \
         [\"rod.small\", \"ball\"]\n\
         [[force]]\nname = \"damper\"\ntype = \"spring\"\nbodies = [\"ground\", \"ball\"]\npoint = [0.5, \
         0.3, 0]\n\
         point2 = \"rod.small\"\nstiffness = 500\ndamping = 1");
    let built = built(&loaded);
    let found =
        find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let resting = precess::analysis::steady::resting_at(&*built.system, &found.state).unwrap();
    let list =
        precess::analysis::modes::modes(&*built.system, &resting, precess::analysis::Selection::default())
            .unwrap();
    assert_eq!(list.free.len(), 3, "{:?}", list.free);
    assert!(list.free.iter().all(|words| words.contains("'ball' turns")), "{:?}", list.free);
    assert!(list.modes[0].s.im > 1.0 && list.modes[0].s.re < 0.0, "{}", list.modes[0].s);
}

/// A blade of length 1 with EI = rho A = 1, as the file of a modal body: the first three bending modes of a
/// clamped beam across both axes, at Simpson's points.
fn blade_file() -> String {
    let (pieces, n) = (100, 3);
    let weight = |i: usize| if i == 0 || i == pieces { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    let place = |i: usize| i as f64 / pieces as f64;
    let betas = [1.875_104_068_711_961_f64, 4.694_091_132_974_175, 7.854_757_438_237_613];
    let mode = |k: usize, x: f64| {
        let (b, s) = (betas[k], betas[k] * x);
        let sigma = (b.cosh() + b.cos()) / (b.sinh() + b.sin());
        let value = s.cosh() - s.cos() - sigma * (s.sinh() - s.sin());
        [value, b * (s.sinh() + s.sin() - sigma * (s.cosh() - s.cos()))]
    };
    let field = |f: &dyn Fn(usize, f64) -> [f64; 3]| -> Vec<Vec<[f64; 3]>> {
        (0..2 * n).map(|k| (0..=pieces).map(|i| f(k, place(i))).collect()).collect()
    };
    let (nodes, masses): (Vec<[f64; 3]>, Vec<f64>) =
        (0..=pieces).map(|i| ([place(i), 0.0, 0.0], weight(i) / (3.0 * pieces as f64))).unzip();
    let modes = field(&|k, x| {
        let y = mode(k % n, x)[0];
        if k < n { [0.0, y, 0.0] } else { [0.0, 0.0, y] }
    });
    let rotations = field(&|k, x| {
        let slope = mode(k % n, x)[1];
        if k < n { [0.0, 0.0, slope] } else { [0.0, -slope, 0.0] }
    });
    let stiffness: Vec<f64> = (0..2 * n).map(|k| betas[k % n].powi(4)).collect();
    let inertias = vec![[1e-8, 0.0, 0.0]; pieces + 1];
    format!(
        "{{\"nodes\": {nodes:?}, \"masses\": {masses:?}, \"inertias\": {inertias:?}, \"modes\": {modes:?}, \
         \"rotations\": {rotations:?}, \"stiffness\": {stiffness:?}, \"names\": {{\"root\": 0, \"tip\": \
         {pieces}}}}}"
    )
}

/// The lowest frequencies of a model, about rest or about its steady rotation.
fn lowest(name: &str, model: &str, steady: bool) -> Vec<f64> {
    let folder = std::env::temp_dir().join(format!("precess-blade-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("blade.json"), blade_file()).unwrap();
    let path = folder.join("model.toml").to_string_lossy().into_owned();
    let loaded = precess::model::load(&path, model, &[]).unwrap_or_else(|e| panic!("{e}"));
    std::fs::remove_dir_all(&folder).unwrap();
    let built = built(&loaded);
    let system = &*built.system;
    let state = match steady {
        true => {
            let state = precess::analysis::steady::moving(system, &built.q, &built.v, 0.0);
            precess::analysis::steady::find(system, &state, precess::analysis::Frame::Auto, true)
                .unwrap_or_else(|e| panic!("{e}"))
        }
        false => {
            let found = find(system, &built.q, &ANY).unwrap_or_else(|e| panic!("{e}"));
            precess::analysis::steady::resting_at(system, &found.state).unwrap()
        }
    };
    let list =
        precess::analysis::modes::modes(system, &state, precess::analysis::Selection::default()).unwrap();
    list.modes.iter().map(|m| m.s.im).filter(|w| *w > 0.0).collect()
}

/// The blade as a modal body, or as a beam of many elements.
fn blade(modal: bool, at: f64, along: [i32; 3], spin: f64) -> String {
    let [x, y, z] = along;
    match modal {
        true => format!(
            "[[body]]\nname = \"blade\"\ntype = \"modal\"\nmodal = {{ file = \"blade.json\", stiffening = \
             true \
             }}\nposition = [{at}, 0, 0]\nrotation = {{ x_along = [{x}, {y}, {z}] }}\nvelocity = [0, {}, \
             0]\nangular_velocity = [0, 0, {spin}]\n",
            spin * at
        ),
        false => format!(
            "[[beam]]\nname = \"blade\"\nfrom = [{at}, 0, 0]\nto = [{}, {y}, {z}]\nelements = 40\n\
             stiffness = \
             [1, 1, 1, 1e5, 1e5, 1e5]\nmass_per_length = 1\ninertia_per_length = [2e-5, 1e-5, \
             1e-5]\nangular_velocity = [0, 0, {spin}]\nvelocity = [0, {}, 0]\n",
            at + f64::from(x),
            spin * at
        ),
    }
}

/// A blade on a hub of radius 0 or 1 that turns with 12 rad/s, and a blade that hangs with gravity 50: the
/// first frequencies with these modes (Ritz, by an independent program), and those of a beam of 40 elements,
/// which stretches a little. Exact: 13.17015, 19.72154, 9.46853.
#[test]
fn modal_blades_beside_beams() {
    let hub = |radius: f64, modal: bool| {
        let root = if modal { "blade.root" } else { "blade.start" };
        format!(
            "[[body]]\nname = \"hub\"\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, \
             12]\n{}[[joint]]\nname = \"axle\"\ntype = \"revolute\"\nbodies = [\"ground\", \"hub\"]\npoint = \
             [0, 0, 0]\naxis = \"z\"\ndrive = \"12*t\"\n[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\n\
             bodies \
             = [\"hub\", \"{root}\"]\n",
            blade(modal, radius, [1, 0, 0], 12.0)
        )
    };
    // The flap is across the plane of rotation; in the plane, omega^2 is lower by 144.
    for (radius, ritz, exact) in [(0.0, 13.20356, 13.17015), (1.0, 19.81834, 19.72154)] {
        let found = lowest(&format!("modal{radius}"), &hub(radius, true), true);
        assert!((found[1] / ritz - 1.0).abs() < 1e-5, "{radius}: {found:?}");
        let lag = (found[1] * found[1] - 144.0).sqrt();
        assert!((found[0] / lag - 1.0).abs() < 1e-5, "{radius}: {found:?}");
        let beam = lowest(&format!("beam{radius}"), &hub(radius, false), true);
        assert!((beam[1] / exact - 1.0).abs() < 5e-3, "{radius}: {beam:?}");
        assert!((found[1] / beam[1] - 1.0).abs() < 1e-2, "{radius}: {found:?} {beam:?}");
    }
    let hang = |modal: bool| {
        let root = if modal { "blade.root" } else { "blade.start" };
        format!(
            "[model]\ngravity = [0, 0, -50]\n{}[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = \
             [\"ground\", \"{root}\"]\n",
            blade(modal, 0.0, [0, 0, -1], 0.0)
        )
    };
    let [modal, beam] = [true, false].map(|modal| lowest(&format!("hang{modal}"), &hang(modal), false));
    assert!((modal[0] / 9.47833 - 1.0).abs() < 1e-5, "{modal:?}");
    assert!((beam[0] / 9.46853 - 1.0).abs() < 2e-3, "{beam:?}");
}

/// A column with a dead weight on its tip: the square of its frequency falls to zero at the load of buckling,
/// 2.47396 with three modes (exact pi^2/4). The weight acts at the node and through a body on a joint.
#[test]
fn a_loaded_modal_column() {
    let with = |load: f64, body: bool| {
        let weight = match body {
            // A light body that is pushed: its inertia hardly changes the frequency.
            true => format!(
                "[[body]]\nname = \"cap\"\ntype = \"point\"\nmass = 1e-9\nposition = [1, 0, 0]\n\
                 [[joint]]\nname = \
                 \"top\"\ntype = \"spherical\"\nbodies = [\"blade.tip\", \"cap\"]\n[[force]]\nname = \
                 \"push\"\ntype = \"force\"\nbody = \"cap\"\nforce = [-{load}, 0, 0]\n"
            ),
            false => format!(
                "[[force]]\nname = \"push\"\ntype = \"force\"\nbody = \"blade.tip\"\n\
                 force = [-{load}, 0, 0]\n"
            ),
        };
        let text = format!(
            "{}[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\n\
             bodies = [\"ground\", \"blade.root\"]\n{weight}",
            blade(true, 0.0, [1, 0, 0], 0.0)
        );
        lowest(&format!("column{load}{body}"), &text, false)[0].powi(2)
    };
    for body in [false, true] {
        // Nearly linear in the load close to buckling.
        let (a, b) = (with(2.46, body), with(2.47, body));
        let critical = 2.47 + 0.01 * b / (a - b);
        assert!((critical / 2.47396 - 1.0).abs() < 1e-5, "{body}: {critical}");
    }
}
