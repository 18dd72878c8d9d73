//! Long chains: the articulated bodies must keep their symmetry.

use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Vector3};
use precess_engine::mechanics::kernels::Pose;
use precess_engine::mechanics::tree::{StageKind, Tree};

/// A chain of rods of 0.2 m with spherical joints or hinges, bent by 0.1 rad at each joint about changing axes.
fn chain(n: usize, kind: StageKind) -> (Tree, Vec<f64>, Vec<f64>) {
    let mut tree = Tree::new(Vector3::new(0.0, 0.0, -9.81));
    let (mut last, mut end) = (None, Pose { r: Matrix3::identity(), x: Vector3::zeros() });
    for i in 0..n {
        let axis = Vector3::new((1.3 * i as f64).sin(), (2.1 * i as f64).cos(), (0.7 * i as f64).sin());
        end.r *= Rotation3::new(axis.normalize() * 0.1).matrix();
        last = Some(tree.add_stage(last, end, kind));
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.04 / 12.0, 1e-5, 0.04 / 12.0));
        let centre = Pose { r: Matrix3::identity(), x: Vector3::new(0.0, 0.1, 0.0) };
        tree.add_body(last, centre, 1.0, &inertia);
        end = Pose { r: Matrix3::identity(), x: Vector3::new(0.0, 0.2, 0.0) };
    }
    let mut q = vec![0.0; tree.group().repr()];
    tree.group().identity(&mut q);
    let v = (0..tree.dim()).map(|i| (0.9 * i as f64).sin()).collect();
    (tree, q, v)
}

/// The relative error of the accelerations, against the dense mass matrix with steps of refinement.
fn error(n: usize, kind: StageKind) -> f64 {
    let (tree, q, v) = chain(n, kind);
    let (k, mut m) = (tree.dim(), tree.motion());
    tree.velocities(&q, &v, &mut m);
    let mut vdot = vec![0.0; k];
    tree.accelerate(&vec![0.0; k], &mut m, &mut vdot);
    let mut mass = DMatrix::zeros(k, k);
    tree.mass(&mut m, |i, j, x| mass[(i, j)] = x);
    let factors = mass.cholesky().unwrap();
    let mut dense = DVector::zeros(k);
    for _ in 0..6 {
        let mut r = DVector::zeros(k);
        tree.accelerations(dense.as_slice(), &mut m);
        tree.inverse(&mut m, r.as_mut_slice());
        dense -= factors.solve(&r);
    }
    (DVector::from_vec(vdot) - &dense).norm() / dense.norm()
}

#[test]
fn a_chain_of_forty_has_the_error_of_rounding() {
    for kind in [StageKind::Ball, StageKind::Turn] {
        for n in [6, 20, 40] {
            let error = error(n, kind);
            assert!(error < 1e-12, "{n} {kind:?}: {error:e}");
        }
    }
}
