//! The modal body: inertia forces against those of its nodes, and solutions of independent programs.

use precess_lie::Largest;
use std::f64::consts::PI;

use crate::common::{Random, pendulum};
use nalgebra::{DMatrix, DVector, Matrix3, SVector, Vector3};
use precess_engine::flex::{Modal, ModalError, ModalPoint, Rotary, Stiffening};
use precess_lie::rotation::{rotation_matrix, skew};
use precess_lie::{LieGroup, SO3};

fn nodes() -> Vec<Vector3<f64>> {
    pendulum::NODES.iter().map(|x| Vector3::from(*x)).collect()
}

fn modes() -> Vec<Vec<Vector3<f64>>> {
    let mode = |k: usize| pendulum::MODES.iter().map(|m| Vector3::new(m[0][k], m[1][k], m[2][k])).collect();
    (0..3).map(mode).collect()
}

fn points() -> Vec<ModalPoint> {
    let (nodes, modes) = (nodes(), modes());
    (0..7).map(|i| ModalPoint { at: nodes[i], modes: modes.iter().map(|m| m[i]).collect() }).collect()
}

fn body(damping: f64) -> Modal {
    let k = DMatrix::from_fn(3, 3, |i, j| pendulum::STIFFNESS[i][j]);
    let d = &k * damping;
    Modal::new(&nodes(), &pendulum::MASSES, &modes(), k, d).unwrap()
}

/// M v' + g is the sum of the inertia forces and weights of the nodes.
#[test]
fn nodes_and_integrals_agree() {
    let (body, points, mut random) = (body(0.01), points(), Random::new(7));
    for _ in 0..20 {
        let r = rotation_matrix(SO3::exp(&Vector3::from_fn(|_, _| 2.0 * random.next())).as_slice());
        let z: Vec<f64> = (0..3).map(|_| random.next()).collect();
        let v = SVector::<f64, 9>::from_fn(|_, _| random.next());
        let vdot = SVector::<f64, 9>::from_fn(|_, _| random.next());
        let gravity = Vector3::new(0.3, -2.0, 9.0);
        let (mut m, mut g) = (DMatrix::zeros(9, 9), [0.0; 9]);
        body.mass_matrix(&r, &z, &mut m);
        body.force(&r, &z, v.as_slice(), &gravity, &mut g);
        let found = &m * DVector::from_column_slice(vdot.as_slice()) + DVector::from_column_slice(&g);
        let mut expected = DVector::zeros(9);
        let mut energy = 0.0;
        for (point, mass) in points.iter().zip(pendulum::MASSES) {
            let columns: Vec<Vector3<f64>> = (0..9).map(|j| point.column(&r, &z, j)).collect();
            let mut acceleration = point.curvature(&r, &z, v.as_slice());
            let mut velocity = Vector3::zeros();
            for j in 0..9 {
                acceleration += columns[j] * vdot[j];
                velocity += columns[j] * v[j];
            }
            (0..9).for_each(|j| expected[j] += mass * columns[j].dot(&(acceleration - gravity)));
            energy += 0.5 * mass * velocity.norm_squared();
        }
        for k in 0..3 {
            for l in 0..3 {
                expected[6 + k] += body.stiffness[(k, l)] * z[l] + body.damping[(k, l)] * v[6 + l];
            }
        }
        assert!((&found - &expected).largest() < 1e-12 * expected.largest(), "{}", found - expected);
        assert!((body.kinetic(&r, &z, v.as_slice()) - energy).abs() < 1e-12 * energy);
        assert!((&m - m.transpose()).largest() < 1e-15 * m.largest());
    }
}

/// B and what r'' has beyond B v' are derivatives of the position along q exp(t v).
#[test]
fn points_move_as_their_columns_say() {
    let (points, mut random) = (points(), Random::new(8));
    let quaternion = SO3::exp(&Vector3::from_fn(|_, _| random.next()));
    let z: Vec<f64> = (0..3).map(|_| random.next()).collect();
    let v: Vec<f64> = (0..9).map(|_| random.next()).collect();
    let r = rotation_matrix(quaternion.as_slice());
    for point in &points {
        let at = |t: f64| {
            let turned = SO3::retract(&quaternion, &(Vector3::new(v[0], v[1], v[2]) * t));
            let z: Vec<f64> = z.iter().zip(&v[6..]).map(|(z, rate)| z + rate * t).collect();
            Vector3::new(v[3], v[4], v[5]) * t + rotation_matrix(turned.as_slice()) * point.position(&z)
        };
        let rate = (0..9).fold(Vector3::zeros(), |sum, j| sum + point.column(&r, &z, j) * v[j]);
        assert!((crate::common::derivative(0.01, at) - rate).largest() < 1e-12);
        // Second derivative of order 6.
        let h = 0.02;
        let side = |i: f64| at(i * h) + at(-i * h);
        let second =
            (side(1.0) * 1.5 - side(2.0) * 0.15 + side(3.0) / 90.0 - at(0.0) * (49.0 / 18.0)) / (h * h);
        assert!((second - point.curvature(&r, &z, &v)).largest() < 1e-9);
    }
}

/// A classical Runge-Kutta step for a state of N numbers.
fn runge_kutta<const N: usize>(
    y: &SVector<f64, N>,
    (t, h): (f64, f64),
    f: &impl Fn(f64, &SVector<f64, N>) -> SVector<f64, N>,
) -> SVector<f64, N> {
    let a = f(t, y);
    let b = f(t + 0.5 * h, &(y + a * (0.5 * h)));
    let c = f(t + 0.5 * h, &(y + b * (0.5 * h)));
    let d = f(t + h, &(y + c * h));
    y + (a + (b + c) * 2.0 + d) * (h / 6.0)
}

/// Rotation matrix, position, modes, velocity.
type Pendulum = SVector<f64, 24>;

/// Rates, and the forces of the joint at node 0.
fn pendulum_rates(body: &Modal, pin: &ModalPoint, y: &Pendulum) -> (Pendulum, Vector3<f64>) {
    let r = Matrix3::from_column_slice(&y.as_slice()[..9]);
    let (z, v) = (&y.as_slice()[12..15], &y.as_slice()[15..24]);
    let (mut m, mut g) = (DMatrix::zeros(9, 9), [0.0; 9]);
    body.mass_matrix(&r, z, &mut m);
    body.force(&r, z, v, &Vector3::new(0.0, 0.0, -9.81), &mut g);
    let (mut a, mut b) = (DMatrix::zeros(12, 12), DVector::zeros(12));
    a.view_mut((0, 0), (9, 9)).copy_from(&m);
    let curvature = pin.curvature(&r, z, v);
    for j in 0..9 {
        let column = pin.column(&r, z, j);
        for i in 0..3 {
            (a[(9 + i, j)], a[(j, 9 + i)]) = (column[i], column[i]);
        }
        b[j] = -g[j];
    }
    (0..3).for_each(|i| b[9 + i] = -curvature[i]);
    let x = a.lu().solve(&b).unwrap();
    let turning = r * skew(&Vector3::new(v[0], v[1], v[2]));
    let mut rates = Pendulum::zeros();
    rates.as_mut_slice()[..9].copy_from_slice(turning.as_slice());
    rates.as_mut_slice()[9..15].copy_from_slice(&v[3..9]);
    rates.as_mut_slice()[15..].copy_from_slice(&x.as_slice()[..9]);
    (rates, Vector3::new(x[9], x[10], x[11]))
}

#[test]
fn pendulum_of_three_modes() {
    let (body, pin) = (body(0.0), points().swap_remove(0));
    let mut y = Pendulum::zeros();
    y.as_mut_slice()[..9].copy_from_slice(Matrix3::<f64>::identity().as_slice());
    (0..3).for_each(|i| y[9 + i] = -pin.at[i]);
    y.as_mut_slice()[15..].copy_from_slice(&pendulum::V_0);
    let n = 4000;
    for i in 0..n {
        let h = 1.0 / f64::from(n);
        y = runge_kutta(&y, (f64::from(i) * h, h), &|_, y| pendulum_rates(&body, &pin, y).0);
    }
    let r = Matrix3::from_column_slice(&y.as_slice()[..9]);
    assert!((r - Matrix3::from_row_slice(&pendulum::R_1)).largest() < 1e-9, "{r}");
    let close = |from: usize, x: &[f64]| x.iter().enumerate().all(|(i, x)| (y[from + i] - x).abs() < 1e-8);
    assert!(close(9, &pendulum::X_1) && close(12, &pendulum::ZETA_1) && close(15, &pendulum::V_1), "{y}");
    let lambda = pendulum_rates(&body, &pin, &y).1;
    assert!((lambda - Vector3::from(pendulum::LAMBDA_1)).largest() < 1e-6, "{lambda}");
}

// The published data have this value of pi.
#[allow(clippy::approx_constant)]
/// The rod of the slider-crank of the Test Set for IVP Solvers, "crank" (Simeon 1996), with its own
/// integrals. Its axial mass is 15 times that of the modes, which is why integrals are inputs.
fn test_set_rod() -> Modal {
    let (pi, l, height) = (3.1415927_f64, 0.3, 0.008_f64);
    let (area, n) = (0.008 * height, 4);
    let (mass, stiff) = (7870.0 * area * l, 2e11 * area / l);
    let mut mff = DMatrix::zeros(n, n);
    let mut k = DMatrix::zeros(n, n);
    (mff[(0, 0)], mff[(1, 1)], mff[(2, 2)], mff[(3, 3)]) = (0.5, 0.5, 8.0, 2.0);
    (mff[(2, 3)], mff[(3, 2)]) = (1.0, 1.0);
    let slender = (height / l).powi(2);
    (k[(0, 0)], k[(1, 1)]) = (pi.powi(4) / 24.0 * slender, 2.0 * pi.powi(4) / 3.0 * slender);
    (k[(2, 2)], k[(3, 3)]) = (16.0 / 3.0, 7.0 / 3.0);
    (k[(2, 3)], k[(3, 2)]) = (-8.0 / 3.0, -8.0 / 3.0);
    let (mff, k) = (mff * mass, k * stiff);
    let z = |x: f64| Vector3::new(0.0, 0.0, x);
    let zz = |x: f64| Matrix3::from_diagonal(&z(x));
    let mut g1 = vec![Vector3::zeros(); n * n];
    for (i, j, x) in
        [(2, 0, 16.0 / pi.powi(3)), (3, 0, -(8.0 / pi.powi(3) - 1.0 / pi)), (3, 1, -1.0 / (2.0 * pi))]
    {
        (g1[i * n + j], g1[j * n + i]) = (z(x * mass), z(-x * mass));
    }
    Modal {
        mass: 0.151104,
        s0: Vector3::new(0.151104 * l / 2.0, 0.0, 0.0),
        s1: [[0.0, 2.0 / pi], [0.0, 0.0], [2.0 / 3.0, 0.0], [1.0 / 6.0, 0.0]]
            .map(|[x, y]| Vector3::new(x, y, 0.0) * mass)
            .to_vec(),
        i0: zz(0.0045339259),
        i1: [0.0, 0.0, 1.0 / 3.0, 1.0 / 6.0].map(|x| zz(2.0 * mass * l * x)).to_vec(),
        i2: (0..n * n).map(|i| zz(mff[(i / n, i % n)])).collect(),
        g0: [1.0 / pi, -1.0 / (2.0 * pi), 0.0, 0.0].map(|x| z(x * mass * l)).to_vec(),
        g1,
        mff,
        stiffness: k,
        damping: DMatrix::zeros(n, n),
        stiffening: Vec::new(),
        by_modes: Vec::new(),
        geometric: None,
    }
}

/// Angle of the rod and four modes, with their rates. The crank turns with 150 rad/s.
type Crank = SVector<f64, 10>;

fn crank_rates(rod: &Modal, slider: &ModalPoint, t: f64, y: &Crank) -> Crank {
    let (omega, length, mass) = (150.0, 0.15, 0.075552);
    let (sin, cos) = (omega * t).sin_cos();
    let tip_velocity = Vector3::new(-sin, cos, 0.0) * (length * omega);
    let tip_acceleration = Vector3::new(-cos, -sin, 0.0) * (length * omega * omega);
    let r = rotation_matrix(SO3::exp(&Vector3::new(0.0, 0.0, y[0])).as_slice());
    let z = [y[1], y[2], y[3], y[4]];
    let v = [0.0, 0.0, y[5], tip_velocity.x, tip_velocity.y, 0.0, y[6], y[7], y[8], y[9]];
    let (mut m, mut g) = (DMatrix::zeros(10, 10), [0.0; 10]);
    rod.mass_matrix(&r, &z, &mut m);
    rod.force(&r, &z, &v, &Vector3::zeros(), &mut g);
    // The free coordinates; those of the crank pin are given.
    let free = [2, 6, 7, 8, 9];
    let columns = free.map(|j| slider.column(&r, &z, j));
    let given = slider.curvature(&r, &z, &v) + tip_acceleration;
    let (mut a, mut b) = (nalgebra::Matrix6::zeros(), nalgebra::Vector6::zeros());
    for i in 0..5 {
        for j in 0..5 {
            a[(i, j)] = m[(free[i], free[j])] + mass * columns[i].x * columns[j].x;
        }
        (a[(i, 5)], a[(5, i)]) = (columns[i].y, columns[i].y);
        let pushed = (0..3).map(|j| m[(free[i], 3 + j)] * tip_acceleration[j]).sum::<f64>();
        b[i] = -g[free[i]] - pushed - mass * columns[i].x * given.x;
    }
    b[5] = -given.y;
    let x = a.lu().solve(&b).unwrap();
    SVector::from_fn(|i, _| if i < 5 { y[5 + i] } else { x[i - 5] })
}

#[test]
fn slider_crank_of_the_test_set() {
    let rod = test_set_rod();
    let zero = Vector3::zeros();
    let slider = ModalPoint { at: Vector3::new(0.3, 0.0, 0.0), modes: vec![zero, zero, zero, Vector3::x()] };
    let mut y = Crank::from_column_slice(&[
        0.0,
        0.0,
        0.0,
        1.03339863e-5,
        1.69327969e-5,
        -74.99576703969453,
        0.444896112581599,
        4.63433931923867e-3,
        -1.78591076000055e-6,
        -2.68938671997904e-6,
    ]);
    let n = 100_000;
    let h = 0.1 / f64::from(n);
    for i in 0..n {
        y = runge_kutta(&y, (f64::from(i) * h, h), &|t, y| crank_rates(&rod, &slider, t, y));
    }
    let published = [
        -0.331173498825626,
        0.0001893192899613509,
        2.375751249879174e-05,
        -5.323896770569702e-06,
        -8.363313279112129e-06,
        60.25346755138369,
    ];
    for (i, x) in published.iter().enumerate() {
        let error = (y[i] / x - 1.0).abs();
        assert!(error < 1e-6, "coordinate {i}: {} instead of {x}, {error:e}", y[i]);
    }
}

/// Bending of a clamped beam: k L, value and slope of the modes.
fn clamped(k: usize, x: f64) -> [f64; 2] {
    let beta: f64 =
        [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467][k];
    let sigma = (beta.cosh() + beta.cos()) / (beta.sinh() + beta.sin());
    let s = beta * x;
    let value = s.cosh() - s.cos() - sigma * (s.sinh() - s.sin());
    [value, beta * (s.sinh() + s.sin() - sigma * (s.cosh() - s.cos()))]
}

/// Spin-up of Kane's beam to 2 rad/s with four modes: deflection of the tip with and without geometric
/// stiffening.
#[test]
fn spin_up_with_and_without_stiffening() {
    let (n, length, per_length, ei, speed) = (2000, 10.0, 1.2, 1.4e4, 2.0);
    let place = |i: usize| (i as f64 + 0.5) / n as f64;
    let nodes: Vec<Vector3<f64>> = (0..n).map(|i| Vector3::new(length * place(i), 0.0, 0.0)).collect();
    let masses = vec![per_length * length / n as f64; n];
    let modes: Vec<Vec<Vector3<f64>>> =
        (0..4).map(|k| (0..n).map(|i| Vector3::new(0.0, clamped(k, place(i))[0], 0.0)).collect()).collect();
    // These modes are orthogonal: K is the mass times the squared frequencies.
    let betas =
        [1.875_104_068_711_961_f64, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467];
    let modal_mass = per_length * length;
    let frequency = |k: usize| (betas[k] / length).powi(4) * ei / per_length;
    let stiffness = DMatrix::from_diagonal(&DVector::from_fn(4, |k, _| modal_mass * frequency(k)));
    let integral = |k: usize, l: usize| {
        let f = |x: f64| (1.0 - x * x) * clamped(k, x)[1] * clamped(l, x)[1];
        (0..n).map(|i| f(place(i))).sum::<f64>() / n as f64
    };
    let k_g = DMatrix::from_fn(4, 4, |k, l| 0.5 * per_length * length * integral(k, l));
    for (stiffened, expected) in
        [(true, [-0.158754, -0.206620, -0.153319]), (false, [-0.160627, -0.225122, -0.194270])]
    {
        // Sections have rotary inertia; without rotations it acts on the frame only, which is driven.
        let inertias =
            vec![Matrix3::from_diagonal(&Vector3::new(1.2e-3, 6e-4, 6e-4)) * (length / n as f64); n];
        let rotary = Some(Rotary { inertias: &inertias, turns: &[] });
        let damping = DMatrix::zeros(4, 4);
        let mut body =
            Modal::with_rotary(&nodes, &masses, rotary, &modes, stiffness.clone(), damping).unwrap();
        if stiffened {
            body.stiffening.push(Stiffening { axis: Vector3::z(), matrix: k_g.clone() });
        }
        let rates = |t: f64, y: &SVector<f64, 8>| {
            let turn = 2.0 * PI / 15.0;
            let omega = speed / 15.0 * (t - (turn * t).sin() / turn);
            let acceleration = speed / 15.0 * (1.0 - (turn * t).cos());
            let v = [0.0, 0.0, omega, 0.0, 0.0, 0.0, y[4], y[5], y[6], y[7]];
            let (mut m, mut g) = (DMatrix::zeros(10, 10), [0.0; 10]);
            let z = &y.as_slice()[..4];
            body.mass_matrix(&Matrix3::identity(), z, &mut m);
            body.force(&Matrix3::identity(), z, &v, &Vector3::zeros(), &mut g);
            let a = nalgebra::Matrix4::from_fn(|i, j| m[(6 + i, 6 + j)]);
            let b = nalgebra::Vector4::from_fn(|i, _| -g[6 + i] - m[(6 + i, 2)] * acceleration);
            let x = a.lu().solve(&b).unwrap();
            SVector::<f64, 8>::from_fn(|i, _| if i < 4 { y[4 + i] } else { x[i - 4] })
        };
        let (h, mut y) = (0.002, SVector::<f64, 8>::zeros());
        let mut found = Vec::new();
        for i in 0..5000 {
            y = runge_kutta(&y, (f64::from(i) * h, h), &rates);
            if [2500, 3750, 5000].contains(&(i + 1)) {
                found.push((0..4).map(|k| y[k] * clamped(k, 1.0)[0]).sum::<f64>());
            }
        }
        for (x, e) in found.iter().zip(expected) {
            assert!((x - e).abs() < 5e-5, "{stiffened}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn bad_bodies_are_refused() {
    let (nodes, modes, k) = (nodes(), modes(), DMatrix::<f64>::identity(3, 3));
    let made = |masses: &[f64], modes: &[Vec<Vector3<f64>>]| {
        let n = modes.len();
        let k = k.view((0, 0), (n, n)).into_owned();
        Modal::new(&nodes, masses, modes, k.clone(), k).map(|_| ())
    };
    assert_eq!(made(&pendulum::MASSES, &modes), Ok(()));
    assert!(matches!(made(&[1.0; 6], &modes), Err(ModalError::Sizes { found: 6, expected: 7, .. })));
    assert!(matches!(made(&[0.0; 7], &modes), Err(ModalError::Mass(_))));
    assert!(matches!(made(&[f64::NAN; 7], &modes), Err(ModalError::Mass(_))));
    // A translation, a rotation, and a mode that is the sum of the one before and a rotation.
    let turned: Vec<Vector3<f64>> = nodes.iter().map(|x| Vector3::new(1.0, 2.0, 3.0).cross(x)).collect();
    let sum: Vec<Vector3<f64>> = turned.iter().zip(&modes[0]).map(|(a, b)| a + b).collect();
    for rigid in [vec![Vector3::x(); 7], turned, sum] {
        let found = made(&pendulum::MASSES, &[modes[0].clone(), rigid]).unwrap_err();
        assert!(matches!(found, ModalError::RigidMode { mode: 1, .. }), "{found}");
        assert!(found.to_string().contains("mode 2 is a motion of the rigid body"));
    }
}

/// A line of uniform section with its second half stretched by one mode and bent by another, by hand: C = EA
/// N' phi'^2 dx.
#[test]
fn tension_of_axial_modes() {
    use precess_engine::flex::{LineError, tension_of_line};
    let x = |s: f64| Vector3::new(s, 0.0, 0.0);
    let y = |s: f64| Vector3::new(0.0, s, 0.0);
    let nodes = [x(0.0), x(1.0), x(3.0)];
    let modes = vec![vec![y(0.0), y(0.2), y(1.0)], vec![x(0.0), x(0.0), x(0.5)]];
    let ea = 80.0;
    let stiffness = |axial: f64| DMatrix::from_diagonal(&DVector::from_vec(vec![3.0, axial]));
    // int N'^2 dx = 0.25^2 * 2.
    let found = tension_of_line(&nodes, &modes, &stiffness(ea * 0.125)).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].mode, 1);
    let expected = ea * 0.25 * 0.4 * 0.4 * 2.0;
    assert!((found[0].matrix[(0, 0)] - expected).abs() < 1e-12, "{}", found[0].matrix);
    assert!(found[0].matrix[(1, 1)].abs() < 1e-15 && found[0].matrix[(0, 1)].abs() < 1e-15);
    let alone = tension_of_line(&nodes, &modes[..1], &DMatrix::identity(1, 1));
    assert_eq!(alone, Err(LineError::NoAxialMode));
    let mixed = vec![modes[0].clone(), vec![x(0.0), y(0.1), x(0.5)]];
    assert_eq!(tension_of_line(&nodes, &mixed, &stiffness(1.0)), Err(LineError::Mixed(1)));
    let bent = [x(0.0), y(1.0), x(3.0)];
    assert_eq!(tension_of_line(&bent, &modes, &stiffness(1.0)), Err(LineError::NoLine));
    let two = vec![modes[1].clone(), vec![x(0.0), x(0.5), x(0.5)]];
    let found = tension_of_line(&nodes, &two, &stiffness(1.0));
    assert!(matches!(found, Err(LineError::NotUniform(..))), "{found:?}");
}
