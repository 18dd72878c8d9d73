//! Beams at rest: published and independent solutions (flex.md sections 3.1, 3.2), and their modes.

use crate::common::{built, built_se3, model, text};
use precess_analysis::equilibrium::find;
use precess_analysis::{Kind, Options};

/// Beyond half a circle the rolled beam would rather leave its plane.
const ANY: Options = Options { kind: Kind::Any, t: 0.0, iterations: 300, tolerance: 1e-10 };

/// Where the tip of the bent arc is, from loads that grow.
fn tip(elements: usize, force: f64) -> [f64; 3] {
    let loaded = |f: f64| {
        model("flexible/bend45", &[&format!("parameters.N={elements}"), &format!("parameters.F={f}")])
    };
    let mut q = built_se3(&loaded(0.0)).q;
    let mut position = [0.0; 3];
    for step in 1..=6 {
        let built = built_se3(&loaded(force * step as f64 / 6.0));
        let found =
            find(&*built.system, &q, &Options::default()).unwrap_or_else(|e| panic!("step {step}: {e}"));
        q = found.state.q.clone();
        let end = &built.system.bodies(&found.state.at())[elements];
        position = [end.position.x, end.position.y, end.position.z];
    }
    position
}

/// With few elements; those of 16 and 64 are in the tests of precess-flex.
#[test]
fn bend_of_45_degrees() {
    let discrete = [
        (2, [48.523727, 16.119764, 51.160731]),
        (4, [47.479038, 15.790612, 52.905310]),
        (8, [47.231848, 15.711119, 53.333183]),
    ];
    for (n, expected) in discrete {
        let found = tip(n, 600.0);
        for k in 0..3 {
            assert!((found[k] - expected[k]).abs() < 2e-6, "N = {n}: {found:?}, expected {expected:?}");
        }
    }
}

/// A moment of 2 pi EI/L rolls a beam up: its tip comes back to the clamp, with any number of elements from 3 on.
#[test]
fn rolled_up() {
    for n in [3usize, 4, 8] {
        let loaded = |part: f64| {
            text(&format!(
                "[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = {n}\n\
                 stiffness = [2, 2, 2, 1e4, 1e4, 1e4]\nmass_per_length = 1\ninertia_per_length = [1e-3, 1e-3, 1e-3]\n\
                 [[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"b.start\"]\n\
                 [[force]]\nname = \"moment\"\ntype = \"torque\"\nbody = \"b.end\"\ntorque = [0, 0, \"2*pi*2*{part}\"]\n"
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
