//! Forces, gears and controls in large sparse systems and in classical coordinates.

use crate::model_util::hidden::dense;
use crate::model_util::*;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Integrator};
use precess::model::build;

/// A chain of twelve rods with springs over two joints, friction in every joint, a gear and a control.
const LARGE: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [[body]]
    name = "rod{i}"
    count = 12
    mass = 1
    inertia = [1e-3, "1/12", "1/12"]
    position = ["i + 0.5", 0, 0]
    [[joint]]
    name = "j0"
    type = "revolute"
    bodies = ["ground", "rod0"]
    point = [0, 0, 0]
    axis = [0, 1, 0]
    [[joint]]
    name = "j{i+1}"
    count = 11
    type = "revolute"
    bodies = ["rod{i}", "rod{i+1}"]
    point = ["i + 1", 0, 0]
    axis = [0, 1, 0]
    [[gear]]
    name = "gear"
    joints = ["j2", "j9"]
    ratio = -1.5
    [[force]]
    name = "spring{i}"
    count = 10
    type = "spring"
    bodies = ["rod{i}", "rod{i+2}"]
    point = ["i + 0.5", 0, 0.2]
    point2 = ["i + 2.5", 0, 0.2]
    stiffness = 40
    damping = 2
    [[force]]
    name = "friction{i}"
    count = 12
    type = "friction"
    joint = "j{i}"
    coefficient = 0.1
    radius = 0.05
    bearing_length = 0.1
    speed = 0.1
    [[control]]
    name = "hold"
    type = "pid"
    joint = "j4"
    drives = "j7"
    set_point = "0.2*sin(3*t)"
    proportional = 30
    integral = 10
    derivative = 4
    filter = 0.05
"#;

#[test]
fn sparse_and_dense_solvers_give_the_same_motion() {
    let loaded = load_text(LARGE);
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let built = build(&loaded.model, formulation).unwrap();
        let sparse = built.system.as_ref();
        let dense = dense(sparse);
        let mut ends = Vec::new();
        let mut iterations = Vec::new();
        for hide in [false, true] {
            let system: &dyn precess::mechanics::System = if hide { &dense } else { sparse };
            let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
            let mut method = options(Form::StabilizedIndex2).generalized_alpha().unwrap();
            method.start(system, &mut state, 2e-3).unwrap();
            let mut work = 0;
            for _ in 0..100 {
                work += method.step(system, &mut state, 2e-3).unwrap().iterations;
            }
            ends.push(state);
            iterations.push(work);
        }
        let error = distance(&ends[0].q, &ends[1].q);
        println!("{formulation:?}: q differs by {error:.1e}, iterations {iterations:?}");
        assert!(error < 1e-9 && distance(&ends[0].v, &ends[1].v) < 1e-7);
        // A block that is missing in the sparse pattern would cost iterations.
        assert!(iterations[0] <= iterations[1] + 5, "{iterations:?}");
    }
}

/// Drive, friction and controls act in Euler parameters and Tait-Bryan angles as in R^3xSO(3).
#[test]
fn robot_arm_moves_the_same_in_all_coordinates() {
    let loaded = load_model("robot_arm", &[]);
    let hand = |formulation, h: f64| {
        let mut s = start(&loaded, formulation);
        s.run(&options(Form::StabilizedIndex2), h, 0.5, |_, _| {});
        [s.sensor("hand"), s.sensor("shoulder torque")].concat()
    };
    let reference = hand(Formulation::R3SO3, 2.5e-4);
    for formulation in
        [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan]
    {
        let errors: Vec<f64> =
            [4e-3, 2e-3].iter().map(|&h| distance(&hand(formulation, h), &reference)).collect();
        println!("{formulation:?}: {errors:?}");
        assert!(errors[1] < 1e-4 && errors[0] / errors[1] > 3.0, "{formulation:?}: {errors:?}");
    }
}
