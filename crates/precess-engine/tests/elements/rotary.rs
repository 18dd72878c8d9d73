//! Rotary inertia of nodes: against a rigid disc that turns with its node, and the whirl of a rotor.

use crate::common::{Random, derivative};
use nalgebra::{DMatrix, DVector, Matrix3, SVector, Vector2, Vector3};
use precess_engine::flex::{Modal, ModalError, Rotary};
use precess_lie::rotation::rotation_matrix;
use precess_lie::{Largest, LieGroup, SO3};

/// A light cross that spans the frame, with its nodes at rest in all modes, and a node with inertia that
/// turns.
fn disc(j: Matrix3<f64>, psi: &[Vector3<f64>], stiffness: f64) -> Modal {
    let nodes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 0.0]].map(Vector3::from);
    let (inertias, still) = ([j, Matrix3::zeros(), Matrix3::zeros(), Matrix3::zeros()], Vector3::zeros());
    let turns: Vec<_> = psi.iter().map(|psi| vec![*psi, still, still, still]).collect();
    let modes = vec![vec![still; 4]; psi.len()];
    let k = DMatrix::identity(psi.len(), psi.len()) * stiffness;
    let rotary = Rotary { inertias: &inertias, turns: &turns };
    Modal::with_rotary(&nodes, &[1.0; 4], Some(rotary), &modes, k.clone(), k * 0.0).unwrap()
}

fn inertia(random: &mut Random) -> Matrix3<f64> {
    let root = Matrix3::from_fn(|_, _| random.next());
    root * root.transpose() + Matrix3::identity()
}

/// Generalised inertia force of a rigid disc on the coordinates (rotation, two modes), with all terms.
fn exact(
    j: &Matrix3<f64>,
    psi: &[Vector3<f64>; 2],
    [z, rate, acceleration]: [[f64; 2]; 3],
    [omega, alpha]: [Vector3<f64>; 2],
) -> SVector<f64, 5> {
    let sum = |x: [f64; 2]| psi[0] * x[0] + psi[1] * x[1];
    let theta = |t: f64| sum([0, 1].map(|k| z[k] + t * rate[k] + 0.5 * t * t * acceleration[k]));
    let turned = |t: f64| rotation_matrix(SO3::exp(&theta(t)).as_slice());
    let spin = |t: f64| {
        let rates = sum([0, 1].map(|k| rate[k] + t * acceleration[k]));
        turned(t).tr_mul(&(omega + alpha * t)) + SO3::tangent(&theta(t)) * rates
    };
    let w = spin(0.0);
    let torque = j * derivative(0.02, spin) + w.cross(&(j * w));
    let on_frame = turned(0.0) * torque;
    let on = |k: usize| (SO3::tangent(&theta(0.0)) * psi[k]).dot(&torque);
    SVector::from([on_frame.x, on_frame.y, on_frame.z, on(0), on(1)])
}

/// The same by the integrals of a modal body; those of the cross are subtracted.
fn by_integrals(
    body: &Modal,
    still: &Modal,
    z: [[f64; 2]; 3],
    [omega, alpha]: [Vector3<f64>; 2],
) -> SVector<f64, 5> {
    let v = [omega.x, omega.y, omega.z, 0.0, 0.0, 0.0, z[1][0], z[1][1]];
    let vdot = [alpha.x, alpha.y, alpha.z, 0.0, 0.0, 0.0, z[2][0], z[2][1]];
    let of = |body: &Modal| {
        let (mut m, mut g) = (DMatrix::zeros(8, 8), [0.0; 8]);
        body.mass_matrix(&Matrix3::identity(), &z[0], &mut m);
        body.force(&Matrix3::identity(), &z[0], &v, &Vector3::zeros(), &mut g);
        m * DVector::from_column_slice(&vdot) + DVector::from_column_slice(&g)
    };
    let (with, without) = (of(body), of(still));
    SVector::from_fn(|i, _| {
        let i = if i < 3 { i } else { i + 3 };
        with[i] - without[i]
    })
}

/// Forces agree to the first order in the modes, for any inertia and rotation; without deformation they are
/// exact.
#[test]
fn a_node_carries_a_rigid_disc() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let mut vector = || Vector3::from_fn(|_, _| random.next());
        let (psi, omega, alpha) = ([vector(), vector()], vector() * 3.0, vector() * 5.0);
        let j = inertia(&mut random);
        let body = disc(j, &psi, 1.0);
        // The cross alone.
        let still = Modal {
            i0: body.i0 - j,
            i1: vec![Matrix3::zeros(); 2],
            i2: vec![Matrix3::zeros(); 4],
            g0: vec![Vector3::zeros(); 2],
            g1: vec![Vector3::zeros(); 4],
            mff: DMatrix::zeros(2, 2),
            ..body.clone()
        };
        let mut numbers = || [random.next(), random.next()];
        let [z, rate, acceleration] = [numbers(), numbers(), numbers()];
        let error = |size: f64, alpha: Vector3<f64>| {
            let z = [z, rate, acceleration].map(|x| x.map(|x| size * x));
            let expected = exact(&j, &psi, z, [omega, alpha]);
            (by_integrals(&body, &still, z, [omega, alpha]) - expected).largest()
        };
        assert!(error(0.0, alpha) < 1e-10, "{}", error(0.0, alpha));
        // The neglected terms grow with the square of the modes.
        let (coarse, fine) = (error(2e-3, Vector3::zeros()), error(1e-3, Vector3::zeros()));
        assert!(fine < 1e-4 && (coarse / fine).log2() > 1.9, "{coarse} {fine}");
    }
}

/// A disc on a shaft that spins with W: J2 w^2 - J1 W w - k = 0 for its whirl, forward and backward, in the
/// inertial frame.
#[test]
fn whirl_of_a_rotor() {
    let (j1, j2, k, speed) = (0.7, 0.4, 90.0, 40.0);
    let j = Matrix3::from_diagonal(&Vector3::new(j1, j2, j2));
    let body = disc(j, &[Vector3::y(), Vector3::z()], k);
    let force = |z: [f64; 2], rate: [f64; 2]| {
        let (v, mut g) = ([speed, 0.0, 0.0, 0.0, 0.0, 0.0, rate[0], rate[1]], [0.0; 8]);
        body.force(&Matrix3::identity(), &z, &v, &Vector3::zeros(), &mut g);
        [g[6], g[7]]
    };
    // The force is linear: stiffness and gyroscopic coupling in the frame that spins.
    let (stiff, coupling) = (force([1.0, 0.0], [0.0; 2]), force([0.0; 2], [1.0, 0.0]));
    assert!(stiff[1].abs() < 1e-12 && coupling[0].abs() < 1e-12);
    let root = ((j1 * speed / 2.0).powi(2) + j2 * k).sqrt();
    for w in [(j1 * speed / 2.0 + root) / j2, (j1 * speed / 2.0 - root) / j2] {
        let turning = w - speed;
        let (a, b) = (stiff[0] - turning * turning * body.mff[(0, 0)], turning * coupling[1]);
        assert!((a.abs() - b.abs()).abs() < 1e-10 * Vector2::new(a, k).largest(), "{w}: {a} {b}");
    }
}

/// A line of masses turns about itself without inertia; an offset of the frame does not hide it.
#[test]
fn mass_on_a_line_is_refused() {
    for (offset, axis) in
        [(Vector3::zeros(), Vector3::x()), (Vector3::new(0.3, 2.0, -1.0), Vector3::new(1.0, 2.0, 2.0))]
    {
        let nodes: Vec<_> = (0..4).map(|i| offset + axis * f64::from(i)).collect();
        let side = Vector3::new(0.0, 1.0, -1.0);
        let modes = vec![(0..4).map(|i| side * f64::from(i * i)).collect::<Vec<_>>()];
        let made = |inertias: &[Matrix3<f64>]| {
            let k = DMatrix::identity(1, 1);
            let rotary = (!inertias.is_empty()).then_some(Rotary { inertias, turns: &[] });
            Modal::with_rotary(&nodes, &[1.0; 4], rotary, &modes, k.clone(), k)
        };
        let refused = made(&[]).unwrap_err();
        let ModalError::NoInertia { axis: found, .. } = refused else { panic!("{refused}") };
        assert!((found - axis.normalize()).largest() < 1e-7, "{found}");
        assert!(refused.to_string().contains("inertias"), "{refused}");
        assert!(made(&[Matrix3::identity() * 1e-6; 4]).is_ok());
        assert!(matches!(made(&[Matrix3::identity(); 3]), Err(ModalError::Sizes { .. })));
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            let found = made(&[Matrix3::identity() * wrong; 4]);
            assert!(matches!(found, Err(ModalError::NodeInertia { node: 0, .. })), "{wrong}: {found:?}");
        }
    }
}
