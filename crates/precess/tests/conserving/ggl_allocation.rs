//! After the first step of a variational or energy-momentum integrator nothing allocates.

use crate::counting::count;
use crate::ggl_util::general::torus;
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::methods::{MethodOptions, method};
use precess::model::{build, load};
use precess::problems::ggl::{four_particles, gyroscopic_top};

#[test]
fn steps_do_not_allocate() {
    for name in ["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta", "bs99"] {
        for (example, h) in [(gyroscopic_top(), 0.002), (four_particles(), 0.01), (torus(false), 0.01)] {
            let system = &example.system;
            let mut state = InitialValues::new(&example.q_0, &example.v_0).consistent(system).unwrap();
            let mut method = method(name, &MethodOptions::default()).unwrap();
            if method.start(system, &mut state, h).is_err() {
                assert_eq!(name, "bs99");
                continue;
            }
            method.step(system, &mut state, h).unwrap();
            let before = count();
            for _ in 0..100 {
                method.step(system, &mut state, h).unwrap();
            }
            assert_eq!(count() - before, 0, "{name}");
        }
    }
    let before = count();
    drop(vec![0_u8; 100]);
    assert!(count() > before, "the counter counts");
}

/// The same in directors, with springs, motors and dampers of joints, a bushing, and a sensor that counts
/// turns.
#[test]
fn elements_in_directors_do_not_allocate() {
    let text = r#"
        [[body]]
        name = "a"
        mass = 1
        inertia = [0.2, 0.3, 0.25]
        angular_velocity = [0, 0, 2]
        [[body]]
        name = "b"
        mass = 1
        inertia = [0.2, 0.3, 0.25]
        position = [1, 0, 0]
        [[joint]]
        name = "axle"
        type = "revolute"
        bodies = ["ground", "a"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        [[force]]
        name = "spring"
        type = "joint-spring"
        joint = "axle"
        stiffness = 5
        damping = 0.4
        [[force]]
        name = "motor"
        type = "actuator"
        joint = "axle"
        value = "sin(t) - 0.1*x"
        [[force]]
        name = "bushing"
        type = "bushing"
        bodies = ["a", "b"]
        point = [0.5, 0, 0]
        stiffness = [90, 90, 90, 5, 5, 5]
        damping = 0.1
        [[sensor]]
        name = "angle"
        type = "coordinate"
        joint = "axle"
    "#;
    let built = build(&load("test.toml", text, &[]).unwrap().model, Formulation::Directors).unwrap();
    let system = built.system.as_ref();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    assert!(!state.memory.is_empty());
    let mut method = method("em", &MethodOptions::default()).unwrap();
    method.start(system, &mut state, 0.01).unwrap();
    method.step(system, &mut state, 0.01).unwrap();
    let before = count();
    for _ in 0..50 {
        method.step(system, &mut state, 0.01).unwrap();
    }
    assert_eq!(count() - before, 0);
}
