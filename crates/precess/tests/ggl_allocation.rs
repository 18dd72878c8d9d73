//! After the first step of a variational or energy-momentum integrator nothing allocates.

mod counting;

use counting::count;
use precess::integrate::{InitialValues, MethodOptions, method};
use precess::problems::ggl::{four_particles, gyroscopic_top};

#[test]
fn steps_do_not_allocate() {
    for name in ["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta", "bs99"] {
        for (example, h) in [(gyroscopic_top(), 0.002), (four_particles(), 0.01)] {
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
