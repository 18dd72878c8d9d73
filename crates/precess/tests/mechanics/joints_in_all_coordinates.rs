//! Every joint type moves the same way in all coordinate formulations, at the order of the method.

use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::lie::Largest;
use precess::mechanics::mechanism::BodyState;
use precess::methods::method;
use precess::model::build;
use precess::study::Run;
use precess::study::larger;

const JOINTS: [&str; 15] = [
    "cylindrical",
    "fixed",
    "gear",
    "generic",
    "knife_edge",
    "planar",
    "point_on_line",
    "point_on_plane",
    "prismatic",
    "revolute",
    "rigid_distance",
    "rolling",
    "screw",
    "spherical",
    "universal",
];

/// Bodies of models/joint_NAME.toml at t = 0.1.
fn bodies(name: &str, formulation: Formulation, h: f64) -> Vec<BodyState> {
    let loaded = crate::model_util::load_model(&format!("joint_{name}"), &[]);
    let built = build(&loaded.model, formulation).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut integrator = method("gen-alpha", &loaded.settings.options).unwrap();
    Run::new(h, 0.1)
        .run(system, &mut *integrator, &mut state, &mut ())
        .unwrap_or_else(|e| panic!("{name} {e}"));
    system.bodies(&state.at())
}

/// Largest difference in positions, orientations (up to the sign of quaternions) and velocities.
fn distance(a: &[BodyState], b: &[BodyState]) -> f64 {
    let mut d: f64 = 0.0;
    for (a, b) in a.iter().zip(b) {
        let dot: f64 = a.rotation.iter().zip(&b.rotation).map(|(x, y)| x * y).sum();
        let turned: f64 =
            a.rotation.iter().zip(&b.rotation).map(|(x, y)| (x - dot.signum() * y).abs()).fold(0.0, larger);
        let apart =
            [a.position - b.position, a.velocity - b.velocity, a.angular_velocity - b.angular_velocity];
        d = apart.iter().map(Largest::largest).chain([turned]).fold(d, larger);
    }
    d
}

#[test]
fn every_joint_moves_the_same_way_in_all_coordinates() {
    let formulations = [
        Formulation::R3SO3,
        Formulation::SE3,
        Formulation::EulerParameters,
        Formulation::TaitBryan,
        Formulation::Joint,
    ];
    for joint in JOINTS {
        let reference = bodies(joint, Formulation::R3SO3, 1.25e-4);
        for formulation in formulations {
            let coarse = distance(&bodies(joint, formulation, 2e-3), &reference);
            let fine = distance(&bodies(joint, formulation, 1e-3), &reference);
            // Exact motions (a body at rest, a prescribed one) leave rounding errors only.
            let order = (coarse / fine).log2();
            assert!(coarse < 2e-2, "{joint} {formulation:?} {coarse:e}");
            assert!(
                (1.9..2.15).contains(&order) || coarse < 1e-8,
                "{joint} {formulation:?} {coarse:e} {fine:e} {order}"
            );
        }
    }
}
