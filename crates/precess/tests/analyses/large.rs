//! Sparse factors against dense matrices: modes near a frequency, with damping, in rotations; frames of large
//! models.

use crate::analyses_util::{built, built_se3, relative, text};
use precess::analysis::modes::{is_large, modes};
use precess::analysis::steady::{self, Found, moving, resting_at};
use precess::analysis::{AnalysisError, Frame, Mode, Selection, large};
use precess::model::Built;

/// A hanging chain of n rods with spherical joints, with dampers between them.
fn chain(n: usize, damping: f64) -> Built {
    let (l, m) = (1.0 / n as f64, 1.0 / n as f64);
    let j = m * l * l / 12.0;
    let mut file = String::from("[model]\ngravity = [0, 0, -9.81]\n");
    for i in 0..n {
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        let z = -l * i as f64;
        file += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = {m}\ninertia = [{j}, {j}, {}]\nposition = [0, 0, {}]\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"spherical\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             [0, 0, {z}]\n",
            0.1 * j,
            z - 0.5 * l
        );
        if damping > 0.0 {
            file += &format!(
                "[[force]]\nname = \"d{i}\"\ntype = \"torsion-spring\"\nbodies = [\"{before}\", \
                 \"r{i}\"]\naxis = [0, 1, 0]\n\
                 stiffness = 0\ndamping = {}\n",
                damping * (1.0 + i as f64 / n as f64)
            );
        }
    }
    built(&text(&file))
}

fn hanging(built: &Built) -> Found {
    let system = &*built.system;
    resting_at(system, &precess::analysis::local::at_rest(system, &built.q, 0.0)).unwrap()
}

/// Every value of the first list occurs in the second.
fn assert_among(some: &[Mode], all: &[Mode], tolerance: f64) {
    for a in some {
        let off = all.iter().map(|b| (a.s - b.s).norm()).fold(f64::INFINITY, f64::min);
        assert!(off <= tolerance * a.s.norm(), "{} is {off:e} away", a.s);
    }
}

/// The modes nearest to 6 Hz of a chain of 40 rods, without and with damping: those of the dense matrices,
/// double ones twice.
#[test]
fn modes_near_a_frequency_are_those_of_dense_matrices() {
    for damping in [0.0, 2e-4] {
        let chain = chain(40, damping);
        let (system, found) = (&*chain.system, hanging(&chain));
        let near = Selection { n: 6, near: Some(6.0) };
        let dense = modes(system, &found, near).unwrap().modes;
        let all = modes(system, &found, Selection { n: 1000, near: None }).unwrap().modes;
        let sparse = large::modes(system, &found, near).unwrap();
        assert_eq!((dense.len(), sparse.len()), (6, 6));
        assert_among(&sparse, &all, 1e-7);
        if damping == 0.0 {
            for (a, b) in dense.iter().zip(&sparse) {
                assert!(relative(b.s.im, a.s.im) < 1e-8, "{} {}", a.s, b.s);
            }
        } else {
            assert!(sparse.iter().filter(|m| m.s.re < -1e-3).count() >= 2);
        }
    }
}

/// A blade of 10 m that turns with w about z, clamped in a hub; `soft` is its stiffness against bending in
/// the plane over that out of it.
fn blade(w: f64, elements: usize, soft: f64, extra: &str) -> precess::model::Loaded {
    text(&format!(
        r#"
        {extra}
        [[beam]]
        name = "blade"
        from = [0, 0, 0]
        to = [10, 0, 0]
        elements = {elements}
        stiffness = [1.4e4, 1.4e4, {}, 2.8e7, 1e7, 1e7]
        mass_per_length = 1.2
        inertia_per_length = [1.2e-3, 6e-4, 6e-4]
        angular_velocity = [0, 0, {w}]
        [[joint]]
        name = "hub"
        type = "revolute"
        axis = "z"
        drive = "{w}*t"
        bodies = ["ground", "blade.start"]
        point = [0, 0, 0]
        "#,
        1.4e4 * soft
    ))
}

fn turning(built: &Built, frame: Frame) -> Result<Found, AnalysisError> {
    let system = &*built.system;
    steady::find(system, &moving(system, &built.q, &built.v, 0.0), frame, true)
}

/// A rotating blade in both groups: eigenvalues, whirl and shapes of sparse factors are those of dense
/// matrices, and its frame is proved as well.
#[test]
fn rotating_blade_with_sparse_factors() {
    let loaded = blade(4.0, 12, 2.0, "");
    for built in [built(&loaded), built_se3(&loaded)] {
        let system = &*built.system;
        let found = turning(&built, Frame::Auto).unwrap();
        assert_eq!(found.steady.frame, Frame::Rotating);
        let layout = precess::analysis::local::Layout::new(system).unwrap();
        let proof = large::steady::proof(system, &layout, &found.state, &found.steady).unwrap();
        assert!(proof <= 1e-9, "{proof}");
        for near in [None, Some(7.0)] {
            let selection = Selection { n: 6, near };
            let dense = modes(system, &found, selection).unwrap().modes;
            let sparse = large::modes(system, &found, selection).unwrap();
            assert_eq!((dense.len(), sparse.len()), (6, 6));
            for (a, b) in dense.iter().zip(&sparse) {
                assert!((a.s - b.s).norm() < 1e-7 * a.s.norm(), "{} {}", a.s, b.s);
                let alike = a.shares.iter().zip(&b.shares).all(|(x, y)| (x - y).abs() < 1e-5);
                assert!(alike, "{} {:?} {:?}", a.s, a.shares, b.shares);
            }
        }
    }
}

/// The proof with sparse factors refuses a frame in which the equations change: a blade with two stiffnesses
/// seen from a frame at rest, and springs that stand in space seen from a turning one.
#[test]
fn sparse_proofs_refuse_wrong_frames() {
    let wrong = |loaded: &precess::model::Loaded, frame: Frame| {
        let built = built(loaded);
        let system = &*built.system;
        let layout = precess::analysis::local::Layout::new(system).unwrap();
        let state = moving(system, &built.q, &built.v, 0.0);
        let steady = precess::analysis::Steady::candidates(system, &layout, &state)
            .into_iter()
            .find(|s| s.frame == frame)
            .unwrap();
        let mut state = state;
        steady.velocities(system, &layout, &mut state);
        large::steady::proof(system, &layout, &state, &steady).unwrap()
    };
    let fixed = wrong(&blade(4.0, 6, 2.0, ""), Frame::Fixed);
    assert!(fixed > 1e-4, "{fixed}");
    let springs = "[[force]]\nname = \"s\"\ntype = \"bushing\"\nbodies = [\"ground\", \"blade.end\"]\npoint \
                   = [10, 0, 0]\nstiffness = [4e4, 1e4, 0]";
    let standing = wrong(&blade(4.0, 6, 2.0, springs), Frame::Rotating);
    assert!(standing > 1e-8, "{standing}");
    let right = wrong(&blade(4.0, 6, 2.0, ""), Frame::Rotating);
    assert!(right < 1e-9, "{right}");
}

/// A blade of 130 elements is a large model: steady rotation, proof and modes use sparse factors alone. It
/// vibrates like a blade of 65 elements, up to the errors of the elements, which fall with the square of
/// their number.
#[test]
fn a_large_blade_turns() {
    let selection = Selection { n: 4, near: None };
    let lowest = |elements: usize| {
        let built = built(&blade(6.0, elements, 1.0, ""));
        let found = turning(&built, Frame::Auto).unwrap_or_else(|e| panic!("{e}"));
        assert!(found.proof <= 1e-8, "{}", found.proof);
        let list = modes(&*built.system, &found, selection).unwrap().modes;
        (is_large(&*built.system), list.iter().map(|m| m.s.im).collect::<Vec<f64>>())
    };
    let ((small, a), (medium, b), (big, c)) = (lowest(32), lowest(64), lowest(130));
    assert!(!small && !medium && big);
    for k in 0..4 {
        // Richardson: what is left of 64 elements is a third of the last change.
        let limit = b[k] + (b[k] - a[k]) / 3.0;
        let left = (b[k] - limit).abs();
        assert!((c[k] - limit).abs() < 0.5 * left + 1e-7 * limit, "{a:?} {b:?} {c:?}");
    }
}
