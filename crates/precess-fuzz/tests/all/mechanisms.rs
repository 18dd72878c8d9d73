//! Random mechanisms are as accurate as promised. All of them run with
//! `cargo run --release -p precess-fuzz --bin mechanisms`.

use precess_fuzz::mechanisms::compare::{Extent, compare};
use precess_fuzz::mechanisms::generate::mechanism;
use precess_fuzz::mechanisms::reduce::{Fault, reduced};
use precess_fuzz::mechanisms::simulate::Ready;
use precess_fuzz::tolerances::cases;

/// Positions, velocities and joint forces of default runs are right to a hundred tolerances, times the factor
/// by which the mechanism itself amplifies errors.
#[test]
fn default_runs_keep_their_promise() {
    for seed in 0..20 {
        let found = compare(&mechanism(seed), seed, Extent::Promise);
        assert!(found.failed.is_none() || found.model_at_fault, "seed {seed}: {:?}", found.failed);
        for c in &found.list {
            let errors = c.outcome.as_ref().unwrap_or_else(|e| panic!("seed {seed}, {}: {e:?}", c.what));
            assert!(c.is_right(), "seed {seed}, {}: {errors:?} of {:?}", c.what, c.limit);
        }
        assert_eq!(found.list.is_empty(), found.failed.is_some());
    }
}

/// Other units, a turned model and another order of bodies and joints change nothing. Accelerations and
/// reactions at t = 0 are those of a dense computation.
#[test]
fn what_is_the_same_stays_the_same() {
    let exact = ["scaled, r3so3", "turned, r3so3", "permuted, r3so3", "t = 0 (accelerations)"];
    let mut seen = [0; 4];
    for seed in [3, 6, 7, 9] {
        let found = compare(&mechanism(seed), seed, Extent::All);
        for (what, n) in exact.iter().zip(&mut seen) {
            for c in found.list.iter().filter(|c| c.what == *what) {
                assert!(c.outcome.is_ok() && c.is_right(), "seed {seed}: {c:?}");
                *n += 1;
            }
        }
    }
    assert_eq!(seen, [4; 4]);
}

/// A seed always gives the same file, and every file can be read and starts.
#[test]
fn mechanisms_are_files() {
    for seed in 0..100 {
        let text = mechanism(seed).toml();
        assert_eq!(text, mechanism(seed).toml());
        if let Err(e) = Ready::new(&text, &[]) {
            panic!("seed {seed}: {e:?}\n{text}");
        }
    }
}

/// Everything that a fault does not need is removed: if a mechanism cannot be read because of one body, only
/// this body is left.
#[test]
fn faults_are_reduced() {
    let mut m = mechanism(3);
    assert!(m.bodies.len() > 1);
    m.bodies[1].mass = -1.0;
    let name = m.bodies[1].name.clone();
    let small = reduced(&m, 3, &Fault::Fails);
    assert_eq!(small.bodies.len(), 1);
    assert_eq!(small.bodies[0].name, name);
    assert!(small.joints.is_empty() && small.forces.is_empty());
}

/// Joint forces of a fast Cardan shaft are within ten tolerances of the largest, with every method and
/// tolerance.
#[test]
fn forces_of_the_cardan_shaft() {
    let cases = cases("cardan").unwrap();
    assert_eq!(cases.len(), 2);
    for case in cases {
        let tolerances = [1e-3, 1e-5, 1e-7];
        let (errors, _) = case.errors(&["auto", "bliedf", "gen-alpha"], &tolerances).unwrap();
        for (row, tol) in errors.iter().flat_map(|row| row.iter().zip(tolerances)) {
            let [positions, velocities, forces] = *row.as_ref().unwrap();
            assert!(
                positions < 10.0 && velocities < 10.0 && forces < 10.0,
                "{} at {tol}: {row:?}",
                case.name
            );
        }
    }
}
