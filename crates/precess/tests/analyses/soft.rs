//! Soft motions beside stiff parts: strips, cables and pendulums whose slowest motion is up to 1e7 times
//! slower than the fastest; drifting and fluttering mechanisms. Exact and independent values.

use crate::analyses_util::{built, built_se3, model, relative, text};
use precess::analysis::campbell::campbell;
use precess::analysis::equilibrium::find;
use precess::analysis::modes::{is_large, modes};
use precess::analysis::steady::{self, moving, resting_at};
use precess::analysis::{EquilibriumOptions, Frame, Kind, Modes, Selection, Stability};
use precess::model::Loaded;

/// A steel strip of 1 m x 30 mm x h, clamped at one end.
fn strip(elements: usize, h: f64, g: f64) -> Loaded {
    text(&format!(
        "[model]\ngravity = [0, 0, -{g}]\n[[beam]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [1, 0, \
        0]\nelements = \
         {elements}\n\
         section = {{ type = \"rectangle\", width = 0.03, height = {h:e} }}\nyoung = 210e9\ndensity = 7850\n\
         [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"r.start\"]\n"
    ))
}

fn at_rest(loaded: &Loaded, n: usize) -> Modes {
    let built = built(loaded);
    let found =
        find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.free.is_empty() && found.unstable.is_empty(), "{:?} {:?}", found.free, found.unstable);
    let rest = resting_at(&*built.system, &found.state).unwrap_or_else(|e| panic!("{e}"));
    modes(&*built.system, &rest, Selection { n, near: None }).unwrap_or_else(|e| panic!("{e}"))
}

/// The roots of 1 + cos(x) cosh(x) = 0 give the bending of a clamped beam, x^2 sqrt(E h^2/(12 rho))/L^2.
/// Errors of the elements decrease with the square of their length, so two lengths give the limit.
#[test]
fn clamped_strips_bend_slowly() {
    for h in [1e-2, 1e-3, 1e-4] {
        let thin = (210e9 * h * h / 12.0 / 7850.0_f64).sqrt();
        let coarse = at_rest(&strip(16, h, 0.0), 3);
        let fine = at_rest(&strip(32, h, 0.0), 3);
        assert_eq!((coarse.available, fine.available), (Some(96), Some(192)), "h = {h}");
        assert!(coarse.free.is_empty() && fine.free.is_empty(), "h = {h}");
        let limit = |k: usize| (4.0 * fine.modes[k].s.im - coarse.modes[k].s.im) / 3.0;
        // Shear and the inertia of sections slow the thick strip down by 1e-4.
        let error = relative(limit(0), 3.5160152685 * thin);
        assert!(error < if h > 5e-3 { 2e-4 } else { 2e-5 }, "h = {h}: {error:e}");
        if h < 5e-3 {
            let error = relative(limit(1), 22.0344915647 * thin);
            assert!(error < 1e-3, "second mode, h = {h}: {error:e}");
        }
    }
}

/// Dense and sparse matrices find the same modes on both sides of the limit between them.
#[test]
fn dense_and_sparse_strips_agree() {
    let built = built(&strip(60, 1e-4, 0.0));
    let system = &*built.system;
    let found = find(system, &built.q, &EquilibriumOptions::default()).unwrap();
    let rest = resting_at(system, &found.state).unwrap();
    let dense = modes(system, &rest, Selection { n: 6, near: None }).unwrap();
    let sparse = precess::analysis::large::lowest(system, &found.state, 6).unwrap();
    assert!(!is_large(system) && dense.modes.len() == 6 && sparse.len() == 6);
    for (a, b) in dense.modes.iter().zip(&sparse) {
        assert!(relative(a.s.im, b.s.im) < 1e-5, "{} {}", a.s, b.s);
    }
}

/// A pendulum of 10 m with a chip of 1 g on a stiff mount swings as if the mount were rigid.
#[test]
fn a_pendulum_beside_a_stiff_mount() {
    for (k, tolerance) in [(1e6, 1e-5), (1e8, 1e-6), (1e10, 1e-5), (1e12, 1e-3)] {
        let list = at_rest(
            &text(&format!(
                "[model]\ngravity = [0, 0, -9.81]\n\
                 [[body]]\nname = \"bob\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [0, 0, -10]\n\
                 [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bob\"]\npoint \
                 = [0, 0, \
                 0]\naxis = \"y\"\n\
                 [[body]]\nname = \"chip\"\nmass = 1e-3\ninertia = [1e-9, 1e-9, 1e-9]\nposition = [0, 0, \
                 -10.1]\n\
                 [[force]]\nname = \"glue\"\ntype = \"bushing\"\nbodies = [\"bob\", \"chip\"]\npoint = \
                 [0, 0, \
                 -10.1]\n\
                 stiffness = [{k}, {k}, {k}, {t}, {t}, {t}]\n",
                t = k * 1e-6
            )),
            2,
        );
        let inertia = 1e-3 + 100.0 + 1e-9 + 1e-3 * 10.1 * 10.1;
        let exact = (9.81_f64 * (10.0 + 1e-3 * 10.1) / inertia).sqrt();
        assert!(relative(list.modes[0].s.im, exact) < tolerance, "k = {k:e}: {} {exact}", list.modes[0].s);
    }
}

/// The tip of a heavy strip that bends without stretching: EI theta'' + q (1 - s) cos(theta) = 0 with
/// theta(0) = 0, theta'(1) = 0, by the shooting method.
fn elastica(ei: f64, q: f64) -> [f64; 2] {
    let shoot = |slope: f64| {
        let f = |s: f64, y: [f64; 4]| [y[1], -q * (1.0 - s) * y[0].cos() / ei, y[0].cos(), y[0].sin()];
        let (n, mut y) = (20_000, [0.0, slope, 0.0, 0.0]);
        let h = 1.0 / n as f64;
        for i in 0..n {
            let s = i as f64 * h;
            let add = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|j| y[j] + h * k[j]);
            let k1 = f(s, y);
            let k2 = f(s + 0.5 * h, add(y, k1, 0.5 * h));
            let k3 = f(s + 0.5 * h, add(y, k2, 0.5 * h));
            let k4 = f(s + h, add(y, k3, h));
            let before = y;
            y = std::array::from_fn(|j| y[j] + h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]));
            if y[1] < 0.0 && i + 1 < n {
                return (before, true);
            }
            if y[0] > std::f64::consts::FRAC_PI_2 {
                return (before, false);
            }
        }
        (y, y[1] < 0.0)
    };
    // With a small slope theta turns back, with a large one it passes the vertical.
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if shoot(middle).1 { low = middle } else { high = middle }
    }
    let y = shoot(0.5 * (low + high)).0;
    [y[2], -y[3]]
}

/// Strips of 10 mm, 1 mm and 0.1 mm come to rest under their weight; the last one hangs down almost like a
/// rope.
#[test]
fn heavy_strips_come_to_rest() {
    for (h, stiff) in [(1e-2, 2e-4), (1e-3, 3e-4), (1e-4, 3e-3)] {
        let [ei, q] = [210e9 * 0.03 * h * h * h / 12.0, 7850.0 * 0.03 * h * 9.81];
        let exact = elastica(ei, q);
        for built in [built(&strip(32, h, 9.81)), built_se3(&strip(32, h, 9.81))] {
            let found = find(&*built.system, &built.q, &EquilibriumOptions::default())
                .unwrap_or_else(|e| panic!("h = {h}: {e}"));
            assert_eq!(found.stability, Stability::Stable, "h = {h}");
            assert!(found.factorisations < 250, "h = {h}: {} factorisations", found.factorisations);
            let tip = built.system.bodies(&found.state.at())[32].position;
            let error = (tip.x - exact[0]).hypot(tip.z - exact[1]);
            assert!(error < stiff && tip.y.abs() < 1e-6, "h = {h}: {tip} {exact:?} {error:e}");
        }
    }
}

/// A cable of 120 elements: its depth is that of the catenary to the accuracy of its pieces, and it does not
/// accelerate.
#[test]
fn a_cable_of_many_elements() {
    let loaded = model("flexible/cable", &["parameters.N=120", "parameters.EI=1e-6"]);
    let built = built(&loaded);
    let found =
        find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let depth = -built.system.bodies(&found.state.at())[60].position.z;
    // It is stretched by its weight, too.
    assert!((depth - 0.265438).abs() < 1e-4, "{depth}");
    assert_eq!(found.stability, Stability::Stable);
    assert!(found.acceleration < 1e-2, "{}", found.acceleration);
}

/// Beck's column: a force that follows the tip makes it flutter above 20.05 EI/L^2. Equilibria and modes
/// agree, with dense and with sparse matrices, and for both kinds of search.
#[test]
fn columns_flutter_above_their_critical_load() {
    for (n, load, flutters) in
        [(16, 15.0, false), (24, 19.9, false), (24, 20.5, true), (128, 19.0, false), (128, 25.0, true)]
    {
        let loaded = text(&format!(
            "[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = {n}\n\
             stiffness = [1, 1, 1, 1e6, 333333, 333333]\nmass_per_length = 1\n\
             inertia_per_length = [2e-6, 1e-6, 1e-6]\n\
             [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.start\"]\n\
             [[force]]\nname = \"P\"\ntype = \"force\"\nbody = \"b.end\"\nframe = \"body\"\nforce = \
             [-{load}, 0, \
             0]\n"
        ));
        let built = built(&loaded);
        let system = &*built.system;
        for kind in [Kind::Stable, Kind::Any] {
            let options = EquilibriumOptions { kind, ..EquilibriumOptions::default() };
            let found = find(system, &built.q, &options).unwrap_or_else(|e| panic!("{n}, {load}: {e}"));
            assert_eq!(found.degrees_of_freedom, 6 * n);
            assert_eq!(found.stability == Stability::Unstable, flutters, "{n}, {load}, {kind:?}");
            let rest = resting_at(system, &found.state).unwrap();
            let list = modes(system, &rest, Selection { n: 12, near: None }).unwrap();
            assert_eq!(list.modes.iter().any(|m| m.grows()), flutters, "{n}, {load}, {kind:?}");
        }
    }
}

/// A free body that hovers drifts, but nothing grows exponentially, whatever the rounding errors of its
/// thrust.
#[test]
fn a_hovering_body_drifts() {
    for g in [1.62, 3.7, 9.0, 9.81, 24.79] {
        let thrust = |name: &str, x: f64, y: f64| {
            format!(
                "[[force]]\nname = \"{name}\"\ntype = \"force\"\nbody = \"frame\"\npoint = [{x}, {y}, \
                0]\nforce = [0, \
                 0, \"{g}/3\"]\nframe = \"body\"\n"
            )
        };
        let all = thrust("a", 0.2, 0.0) + &thrust("b", -0.1, 0.1) + &thrust("c", -0.1, -0.1);
        let built = built(&text(&format!(
            "[model]\ngravity = [0, 0, -{g}]\n[[body]]\nname = \"frame\"\nmass = 1\ninertia = [0.01, 0.01, \
             0.02]\n{all}"
        )));
        let system = &*built.system;
        let found = find(system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((found.stability, found.free.len()), (Stability::StableWithFreeMotions, 4), "g = {g}");
        assert!(found.moved.iter().all(|m| m[0] < 1e-9 && m[1] < 1e-9), "{:?}", found.moved);
        let list = modes(system, &resting_at(system, &found.state).unwrap(), Selection::default()).unwrap();
        assert!(list.modes.is_empty(), "{:?}", list.modes.iter().map(|m| m.s).collect::<Vec<_>>());
    }
}

/// A satellite with hinged booms that spins about its axis of largest inertia.
fn satellite(w: f64) -> Loaded {
    let boom = |name: &str, sign: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.001, 0.33, 0.33]\nposition = [{x}, 0, \
             0]\nangular_velocity = [0, 0, {w}]\nvelocity = [0, {v}, 0]\n\
             [[joint]]\nname = \"h{name}\"\ntype = \"revolute\"\nbodies = [\"hub\", \"{name}\"]\npoint = \
             [{r}, 0, \
             0]\naxis = \"y\"\n\
             [[force]]\nname = \"s{name}\"\ntype = \"joint-spring\"\njoint = \"h{name}\"\nstiffness = 5\n",
            x = 1.5 * sign,
            v = 1.5 * sign * w,
            r = 0.5 * sign
        )
    };
    text(&format!(
        "[[body]]\nname = \"hub\"\nmass = 100\ninertia = [20, 15, 30]\nangular_velocity = [0, 0, {w}]\n{}{}",
        boom("a", 1.0),
        boom("b", -1.0)
    ))
}

/// Its translations and the direction of its spin are free. They neither grow nor have critical speeds. If
/// both booms rise by b, the hub sinks by 2 m l b/(M + 2 m). The energy -w^2 I_zz(b)/2 of the rotation adds
/// (m (r + l) l + 0.33 - 0.001) w^2 to the stiffness of each spring.
#[test]
fn a_spinning_satellite_is_stable() {
    for w in [0.3, 1.0, 2.0, 3.0] {
        for built in [built(&satellite(w)), built_se3(&satellite(w))] {
            let system = &*built.system;
            let state = moving(system, &built.q, &built.v, 0.0);
            let found = steady::find(system, &state, Frame::Auto, true).unwrap();
            let list = modes(system, &found, Selection::default()).unwrap();
            assert!(
                list.modes.len() == 3 && !list.modes.iter().any(|m| m.grows()),
                "w = {w}: {:?}",
                list.free
            );
            assert!(list.free.len() >= 5, "{:?}", list.free);
            let inertia = 2.0 * (0.33 + 1.0) - 4.0 / 102.0;
            let flap = (2.0 * (5.0 + w * w * (0.33 - 0.001 + 1.5)) / inertia).sqrt();
            let nearest = list.modes.iter().map(|m| relative(m.s.im, flap)).fold(f64::INFINITY, f64::min);
            assert!(
                nearest < 1e-9,
                "w = {w}: {flap} {:?}",
                list.modes.iter().map(|m| m.s).collect::<Vec<_>>()
            );
        }
    }
    let result = campbell(&|w| Ok(built(&satellite(w))), &[0.5, 1.0, 2.0, 3.0], Frame::Auto, &[1.0]).unwrap();
    assert!(result.critical.is_empty() && result.branches.len() == 3, "{:?}", result.critical);
}

/// A blade on a hinge of a hub that a drive turns: s^2 = w^2 R m l / J about the hinge. The file gives no
/// velocities.
#[test]
fn drives_give_the_velocities_of_a_rotation() {
    let (r, l, j, m) = (0.4_f64, 0.6_f64, 0.09_f64, 2.0_f64);
    for w in [5.0, 80.0] {
        let loaded = text(&format!(
            "[[body]]\nname = \"hub\"\nmass = 3\ninertia = [0.1, 0.1, 0.2]\n\
             [[body]]\nname = \"blade\"\nmass = {m}\ninertia = [0.01, {j}, {j}]\nposition = [{x}, 0, 0]\n\
             [[joint]]\nname = \"axle\"\ntype = \"revolute\"\nbodies = [\"ground\", \"hub\"]\npoint = [0, 0, \
             0]\naxis = \"z\"\ndrive = \"{w}*t\"\n\
             [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"hub\", \"blade\"]\npoint = \
             [{r}, 0, \
             0]\naxis = \"z\"\n",
            x = r + l
        ));
        for built in [built(&loaded), built_se3(&loaded)] {
            let system = &*built.system;
            assert!(built.v.iter().all(|v| *v == 0.0));
            let state = moving(system, &built.q, &built.v, 0.0);
            let found = steady::find(system, &state, Frame::Auto, true).unwrap_or_else(|e| panic!("{e}"));
            let list = modes(system, &found, Selection::default()).unwrap();
            let exact = w * (r * m * l / (j + m * l * l)).sqrt();
            assert_eq!(list.modes.len(), 1);
            assert!(relative(list.modes[0].s.im, exact) < 1e-9, "{} {exact}", list.modes[0].s);
        }
    }
}
