//! Geometric stiffening of modal bodies: rods against exact frequencies, buckling loads and nonlinear
//! kinematics; the equations against those of Lagrange. Values: classical theory (Ritz with polynomials) and
//! a nonlinear inextensible rod, computed without this crate.

use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};
use precess_engine::flex::{Geometric, Modal, Rod, RodError, Rotary, SecondOrder};
use precess_lie::Largest;

type Field = Vec<Vector3<f64>>;

/// Nodes at equal distances along x from `start`, of total length and mass 1, weighted by Simpson's rule.
fn line(pieces: usize, start: Vector3<f64>) -> (Field, Vec<f64>) {
    let h = 1.0 / pieces as f64;
    let nodes = (0..=pieces).map(|i| start + Vector3::new(i as f64 * h, 0.0, 0.0)).collect();
    let weight = |i: usize| if i == 0 || i == pieces { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    (nodes, (0..=pieces).map(|i| weight(i) * h / 3.0).collect())
}

/// k L of the clamped beam.
fn root(k: usize) -> f64 {
    let mut x = std::f64::consts::PI * (k as f64 + 0.5);
    for _ in 0..50 {
        // cos x = -1/cosh x.
        x -= (x.cos() + 1.0 / x.cosh()) / (-x.sin() - x.sinh() / x.cosh().powi(2));
    }
    x
}

/// Value and slope of mode k of the clamped beam at x, of modal mass 1.
fn clamped(k: usize, x: f64) -> [f64; 2] {
    let b = root(k);
    let sigma = (b.cosh() + b.cos()) / (b.sinh() + b.sin());
    let s = b * x;
    let value = s.cosh() - s.cos() - sigma * (s.sinh() - s.sin());
    [value, b * (s.sinh() + s.sin() - sigma * (s.cosh() - s.cos()))]
}

/// The first n modes with displacements along `direction` and their rotations, for nodes along x.
fn bending(n: usize, nodes: &Field, direction: Vector3<f64>) -> [Vec<Field>; 2] {
    let start = nodes[0].x;
    let field = |i: usize, to: Vector3<f64>| {
        (0..n).map(|k| nodes.iter().map(|x| to * clamped(k, x.x - start)[i]).collect()).collect()
    };
    [field(0, direction), field(1, Vector3::x().cross(&direction))]
}

/// Ascending eigenvalues of a symmetric matrix.
fn eigenvalues(a: &DMatrix<f64>) -> Vec<f64> {
    assert!(a.iter().all(|x| x.is_finite()), "{a}");
    let mut list: Vec<f64> = a.clone().symmetric_eigenvalues().iter().copied().collect();
    list.sort_by(f64::total_cmp);
    list
}

/// The lowest frequency of K x = omega^2 x.
fn lowest(k: &DMatrix<f64>) -> f64 {
    eigenvalues(&((k + k.transpose()) * 0.5))[0].sqrt()
}

/// The least positive load P with det(K - P D) = 0.
fn critical(k: &DMatrix<f64>, d: &DMatrix<f64>) -> f64 {
    let half = k.clone().cholesky().unwrap().l();
    let inner = half.solve_lower_triangular(d).unwrap();
    let inner = half.solve_lower_triangular(&inner.transpose()).unwrap();
    1.0 / eigenvalues(&inner).last().unwrap()
}

const LOADS: [&str; 12] = precess_engine::flex::UNIT_LOADS;

fn load(g: &Geometric, name: &str) -> DMatrix<f64> {
    g.load(LOADS.iter().position(|x| *x == name).unwrap())
}

/// Frequencies of blades and loads of columns with n modes, EI = rho A = L = 1: the rows of a table that an
/// independent program computed with the same modes.
#[test]
fn blades_and_columns() {
    let rows = [
        (1, [13.57213, 20.25856, 9.53448, 2.12320, 7.86971, 2.65984]),
        (2, [13.27966, 19.97908, 9.50618, 2.12080, 7.85295, 2.48168]),
        (3, [13.20356, 19.81834, 9.47833, 2.11892, 7.84020, 2.47396]),
        (6, [13.17280, 19.73520, 9.46932, 2.11851, 7.83747, 2.46813]),
    ];
    for (n, expected) in rows {
        let (nodes, masses) = line(400, Vector3::zeros());
        let [modes, turns] = bending(n, &nodes, Vector3::z());
        let rod = Rod::new(&nodes, &modes, &turns).unwrap();
        let (g, tip) = rod.stiffening(&masses, None, &[400]).unwrap();
        let k = DMatrix::from_diagonal(&DVector::from_fn(n, |k, _| root(k).powi(4)));
        let (axial, spin) = (load(&g, "a1"), load(&g, "w33"));
        let end = DMatrix::from_fn(n, n, |i, j| -tip[0].1.shifts[i * n + j].x);
        let found = [
            lowest(&(&k + &spin * 144.0)),
            lowest(&(&k + &spin * 144.0 - &axial * 144.0)),
            lowest(&(&k - &axial * 50.0)),
            lowest(&(&k + &axial * 5.0)),
            critical(&k, &(-&axial)),
            critical(&k, &end),
        ];
        for (x, e) in found.iter().zip(expected) {
            assert!((x / e - 1.0).abs() < 3e-6, "{n} modes: {found:?} {expected:?}");
        }
        // The frame on the axle instead of at the root of the blade: the same rotation, without acceleration.
        let (nodes, masses) = line(400, Vector3::x());
        let rod = Rod::new(&nodes, &modes, &turns).unwrap();
        let moved = load(&rod.stiffening(&masses, None, &[]).unwrap().0, "w33");
        assert!((lowest(&(&k + moved * 144.0)) / found[1] - 1.0).abs() < 1e-12);
    }
}

/// A strip with EI = GJ = 1 buckles sideways under an end load of 4.0126 and a weight of 12.854.
#[test]
fn sideways_buckling() {
    let (nodes, masses) = line(160, Vector3::zeros());
    let n = 7;
    let field = |power: fn(usize) -> i32, factor: fn(i32) -> f64, to: Vector3<f64>| -> Vec<Field> {
        (0..n).map(|k| nodes.iter().map(|x| to * factor(power(k)) * x.x.powi(power(k))).collect()).collect()
    };
    let none = || vec![vec![Vector3::zeros(); nodes.len()]; n];
    // Bending x^2 .. x^8 along y with its slopes about z, and torsion x .. x^7.
    let modes = [field(|k| k as i32 + 2, |_| 1.0, Vector3::y()), none()].concat();
    let slopes = field(|k| k as i32 + 1, |p| f64::from(p + 1), Vector3::z());
    let turns = [slopes, field(|k| k as i32 + 1, |_| 1.0, Vector3::x())].concat();
    let k = DMatrix::from_fn(2 * n, 2 * n, |i, j| {
        let [p, q] = [i % n, j % n].map(|k| k as f64);
        match (i < n, j < n) {
            (true, true) => (p + 2.0) * (p + 1.0) * (q + 2.0) * (q + 1.0) / (p + q + 1.0),
            (false, false) => (p + 1.0) * (q + 1.0) / (p + q + 1.0),
            _ => 0.0,
        }
    });
    let rod = Rod::new(&nodes, &modes, &turns).unwrap();
    let mut force = vec![Vector3::zeros(); nodes.len()];
    force[160].z = -1.0;
    let tip = critical(&k, &(-rod.stiffness(&force)));
    assert!((tip / 4.012599370617 - 1.0).abs() < 2e-4, "{tip}");
    let (g, _) = rod.stiffening(&masses, None, &[]).unwrap();
    let own = critical(&k, &(-load(&g, "a3")));
    assert!((own / 12.85378111151 - 1.0).abs() < 2e-4, "{own}");
}

/// A bent rod in space: its pieces, and modes from linear curvatures and twists in the sections.
struct Bent {
    nodes: Field,
    masses: Vec<f64>,
    modes: Vec<Field>,
    turns: Vec<Field>,
}

const MODES: usize = 3;

/// Curvature of mode k in the axes of the undeformed section, at s.
fn curvature(k: usize, s: f64) -> Vector3<f64> {
    let x = s + 0.3 * k as f64;
    Vector3::new(0.8 * (2.0 * x).cos(), 1.0 - 0.6 * x, 0.5 + (3.0 * x).sin())
}

/// Axes of the undeformed sections and nodes of `count` pieces, and both when the modes bend them. Pieces are
/// rigid; neighbouring ones turn by the curvature.
fn chain(count: usize, z: &[f64]) -> (Field, Vec<UnitQuaternion<f64>>) {
    let h = 1.0 / count as f64;
    let (mut at, mut axes) = (Vector3::new(0.1, 0.2, -0.1), UnitQuaternion::identity());
    let (mut nodes, mut all) = (vec![at], vec![axes]);
    for i in 0..count {
        let s = (i as f64 + 0.5) * h;
        let bent = (0..z.len()).fold(Vector3::new(0.2, -0.5, 0.9), |sum, k| sum + curvature(k, s) * z[k]);
        // Half of the turn before the piece, half after it: second order.
        let half = UnitQuaternion::from_scaled_axis(bent * (0.5 * h));
        axes *= half;
        at += axes * Vector3::new(h, 0.0, 0.0);
        axes *= half;
        nodes.push(at);
        all.push(axes);
    }
    (nodes, all)
}

/// Rotation vectors from undeformed to deformed sections.
fn rotations(count: usize, z: &[f64]) -> Field {
    let (still, bent) = (chain(count, &[]).1, chain(count, z).1);
    bent.iter().zip(&still).map(|(a, b)| (a * b.inverse()).scaled_axis()).collect()
}

fn bent(count: usize) -> Bent {
    let unit = |k: usize, size: f64| {
        let mut z = [0.0; MODES];
        z[k] = size;
        z
    };
    let slope = |of: &dyn Fn(&[f64]) -> Field, k: usize| -> Field {
        let h = 1e-4;
        let fields = [2.0, 1.0, -1.0, -2.0].map(|x| of(&unit(k, x * h)));
        (0..=count)
            .map(|i| (fields[3][i] - fields[0][i] + (fields[1][i] - fields[2][i]) * 8.0) / (12.0 * h))
            .collect()
    };
    Bent {
        nodes: chain(count, &[]).0,
        masses: (0..=count).map(|i| (1.0 + 0.3 * (i % 3) as f64) / count as f64).collect(),
        modes: (0..MODES).map(|k| slope(&|z| chain(count, z).0, k)).collect(),
        turns: (0..MODES).map(|k| slope(&|z| rotations(count, z), k)).collect(),
    }
}

impl Bent {
    fn rod(&self) -> Rod<'_> {
        Rod::new(&self.nodes, &self.modes, &self.turns).unwrap()
    }

    fn second(&self) -> Vec<SecondOrder> {
        let mut all = vec![SecondOrder::zeros(MODES); self.nodes.len()];
        self.rod().visit(&mut |i, second| all[i] = second.clone());
        all
    }

    fn body(&self, inertias: &[Matrix3<f64>]) -> Modal {
        let rotary = Rotary { inertias, turns: &self.turns };
        let stiffness = DMatrix::from_diagonal(&DVector::from_vec(vec![40.0, 90.0, 160.0]));
        let damping = DMatrix::zeros(MODES, MODES);
        let mut body =
            Modal::with_rotary(&self.nodes, &self.masses, Some(rotary), &self.modes, stiffness, damping)
                .unwrap();
        body.geometric = Some(self.rod().stiffening(&self.masses, Some(rotary), &[]).unwrap().0);
        body
    }
}

/// The second-order motion of nodes of a bent and twisted rod is that of the exact kinematics, to the order
/// of its pieces.
#[test]
fn second_order_of_exact_kinematics() {
    let z = [0.6, -0.4, 0.5];
    let errors = [40, 80].map(|count| {
        let h = 2e-3;
        let along = |x: f64| z.map(|z| z * x * h);
        let fields = [1.0, 0.0, -1.0].map(|x| chain(count, &along(x)).0);
        let turned = [1.0, -1.0].map(|x| rotations(count, &along(x)));
        let second = bent(count).second();
        let (mut error, mut size) = (0.0, 0.0);
        for i in [count / 3, count] {
            let [shift, turn] = second[i].motion(&z);
            let exact = (fields[0][i] + fields[2][i] - fields[1][i] * 2.0) / (2.0 * h * h);
            let exact_turn = (turned[0][i] + turned[1][i]) / (2.0 * h * h);
            error += (shift - exact).norm() + (turn - exact_turn).norm();
            size += exact.norm().min(exact_turn.norm());
        }
        assert!(size > 0.05, "{size}");
        error / size
    });
    let order = (errors[0] / errors[1]).log2();
    assert!(errors[1] < 2e-3 && (order - 2.0).abs() < 0.3, "{errors:?}, order {order}");
}

/// The matrices of the twelve unit loads are those of the forces on the masses.
#[test]
fn unit_loads_are_forces_on_the_masses() {
    let bent = bent(20);
    let (g, _) = bent.rod().stiffening(&bent.masses, None, &[]).unwrap();
    let axis = |i: usize| Vector3::ith(i, 1.0);
    let turn = |i: usize, j: usize, x: &Vector3<f64>| axis(i).cross(&axis(j).cross(x));
    let given: [Option<DMatrix<f64>>; 12] = std::array::from_fn(|load| {
        let force = |(x, m): (&Vector3<f64>, &f64)| {
            let push = match load {
                0..3 => axis(load),
                3..6 => axis(load - 3).cross(x),
                6..9 => turn(load - 6, load - 6, x),
                _ => {
                    let [i, j] = [[0, 1], [1, 2], [2, 0]][load - 9];
                    turn(i, j, x) + turn(j, i, x)
                }
            };
            push * -*m
        };
        let forces: Vec<_> = bent.nodes.iter().zip(&bent.masses).map(force).collect();
        Some(bent.rod().stiffness(&forces))
    });
    for (load, matrix) in given.iter().enumerate() {
        let error = (g.load(load) - matrix.as_ref().unwrap()).largest();
        assert!(error < 1e-14 && g.load(load).largest() > 1e-4, "{}: {error:e}", LOADS[load]);
    }
    let again = Geometric::from_loads(MODES, &given);
    for load in 0..12 {
        assert!((again.load(load) - g.load(load)).largest() < 1e-14, "{}", LOADS[load]);
    }
    assert!(again.missing().is_empty());
}

/// Kinetic energy, momenta and gravity of the nodes on their second-order paths, to the order that the body
/// keeps: what is left is of third order in the deformation.
#[test]
fn integrals_are_those_of_the_nodes() {
    let bent = bent(20);
    let inertias: Vec<_> = (0..=20)
        .map(|i| {
            let r =
                UnitQuaternion::from_scaled_axis(Vector3::new(0.1, 0.2, 0.3) * i as f64).to_rotation_matrix();
            r.matrix() * Matrix3::from_diagonal(&Vector3::new(0.01, 0.02, 0.025)) * r.matrix().transpose()
        })
        .collect();
    let (body, second) = (bent.body(&inertias), bent.second());
    let (omega, u) = (Vector3::new(0.7, -1.1, 0.9), Vector3::new(0.3, 0.8, -0.5));
    let difference = |size: f64| {
        let (z, rates) = ([0.5, -0.8, 0.4].map(|x| x * size), [-0.7, 0.3, 0.9].map(|x| x * size));
        let kinetic = |i: usize| {
            let step = 1e-6;
            let pose = |sign: f64| {
                let z: Vec<f64> = z.iter().zip(&rates).map(|(z, v)| z + sign * step * v).collect();
                let [shift, turn] = second[i].motion(&z);
                let sum = |field: &Vec<Field>| (0..MODES).map(|k| field[k][i] * z[k]).sum::<Vector3<f64>>();
                let turned = UnitQuaternion::from_scaled_axis(sum(&bent.turns) + turn);
                (bent.nodes[i] + sum(&bent.modes) + shift, turned)
            };
            let ((c, a), (x, r), (y, s)) = (pose(0.0), pose(1.0), pose(-1.0));
            let velocity = u + omega.cross(&c) + (x - y) / (2.0 * step);
            let spin = omega + (r * s.inverse()).scaled_axis() / (2.0 * step);
            let local = a.inverse() * spin;
            0.5 * (bent.masses[i] * velocity.norm_squared() + local.dot(&(inertias[i] * local)))
        };
        let exact: f64 = (0..=20).map(kinetic).sum();
        let v: Vec<f64> = omega.iter().chain(u.iter()).copied().chain(rates).collect();
        (body.kinetic(&Matrix3::identity(), &z, &v) - exact).abs()
    };
    let [coarse, fine] = [0.2, 0.1].map(difference);
    let order = (coarse / fine).log2();
    assert!(coarse > 1e-8 && (order - 3.0).abs() < 0.35, "{coarse:e} {fine:e}, order {order}");
}

/// M v' + g is Lagrange's equation of the kinetic energy, in velocities of the frame. The energy is a
/// polynomial of second order in v and z, so that differences are exact.
#[test]
fn equations_are_those_of_lagrange() {
    let bent = bent(12);
    let body = bent.body(&vec![Matrix3::from_diagonal(&Vector3::new(0.03, 0.01, 0.02)); 13]);
    let (one, n) = (Matrix3::identity(), 6 + MODES);
    let z = [0.12, -0.2, 0.15];
    let v: Vec<f64> = vec![0.9, -0.6, 1.2, 0.4, -0.3, 0.8, 0.5, -0.7, 0.35];
    let vdot = DVector::from_vec(vec![0.3, 1.1, -0.8, 0.2, 0.9, -0.4, -1.3, 0.6, 0.7]);
    let mass = |z: &[f64]| {
        let mut m = DMatrix::zeros(n, n);
        body.mass_matrix(&one, z, &mut m);
        m
    };
    // u is inertial and R the identity: its derivative in the frame is u' - Omega x u.
    let (omega, u) = (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
    let mut local = vdot.clone();
    local.fixed_rows_mut::<3>(3).copy_from(&(vdot.fixed_rows::<3>(3) - omega.cross(&u)));
    let v_all = DVector::from_vec(v.clone());
    let along = |sign: f64| (0..MODES).map(|k| z[k] + sign * v[6 + k]).collect::<Vec<f64>>();
    let rate = (mass(&along(1.0)) - mass(&along(-1.0))) * 0.5;
    let p = mass(&z) * &v_all;
    let mut expected = rate * &v_all + mass(&z) * local;
    let (spin, push): (Vector3<f64>, Vector3<f64>) =
        (p.fixed_rows::<3>(0).into_owned(), p.fixed_rows::<3>(3).into_owned());
    for i in 0..3 {
        expected[i] += (omega.cross(&spin) + u.cross(&push))[i];
        expected[3 + i] += omega.cross(&push)[i];
    }
    for k in 0..MODES {
        let moved = |sign: f64| {
            let mut z = z;
            z[k] += sign;
            body.kinetic(&one, &z, &v)
        };
        expected[6 + k] -= (moved(1.0) - moved(-1.0)) * 0.5;
        expected[6 + k] += (0..MODES).map(|l| body.stiffness[(k, l)] * z[l]).sum::<f64>();
    }
    let mut g = vec![0.0; n];
    body.force(&one, &z, &v, &Vector3::zeros(), &mut g);
    let found = mass(&z) * &vdot + DVector::from_vec(g);
    let error = (&found - &expected).largest();
    assert!(error < 1e-12 * (1.0 + expected.largest()), "{error:e}\n{found}{expected}");
    // Without stiffening the equations differ: the test sees it.
    let mut plain = body.clone();
    plain.geometric = None;
    let mut g = vec![0.0; n];
    plain.force(&one, &z, &v, &Vector3::zeros(), &mut g);
    assert!((mass(&z) * &vdot + DVector::from_vec(g) - expected).largest() > 1e-3);
}

/// A rod that is spun up to 6 rad/s about a hub, with the clamp at (R, b): the largest deflection of the tip
/// with four modes, and that of a nonlinear inextensible rod.
#[test]
fn spin_up_on_a_hub() {
    // T, R, b; with the same modes; nonlinear, and how well the modes meet it.
    for (time, hub, offset, same, nonlinear, close) in [
        (40.0, 0.0, 0.0, -0.02457584475, -0.02457304602, 3e-4),
        (40.0, 1.0, 0.0, -0.04128805385, -0.04125281302, 1e-3),
        (12.0, 0.0, 0.0, -0.08378505844, -0.08360248052, 3e-3),
        (12.0, 0.3, 0.0, -0.10081346349, -0.10040384986, 5e-3),
        (12.0, 1.0, 0.0, -0.13880055443, -0.13715610660, 1.5e-2),
        (12.0, 0.0, 0.02, -0.07226677388, -0.07217076828, 2e-3),
    ] {
        let n = 4;
        let (nodes, masses) = line(120, Vector3::new(hub, offset, 0.0));
        let [modes, turns] = bending(n, &nodes, Vector3::y());
        let stiffness = DMatrix::from_diagonal(&DVector::from_fn(n, |k, _| root(k).powi(4)));
        let inertias = vec![Matrix3::from_diagonal_element(1e-9); nodes.len()];
        let rotary = Some(Rotary { inertias: &inertias, turns: &[] });
        let damping = DMatrix::zeros(n, n);
        let mut body = Modal::with_rotary(&nodes, &masses, rotary, &modes, stiffness, damping).unwrap();
        let rod = Rod::new(&nodes, &modes, &turns).unwrap();
        body.geometric = Some(rod.stiffening(&masses, None, &[]).unwrap().0);
        let rates = |t: f64, y: &DVector<f64>| {
            let turn = std::f64::consts::TAU / time;
            let omega = 6.0 * (t / time - (turn * t).sin() / std::f64::consts::TAU);
            let alpha = 6.0 / time * (1.0 - (turn * t).cos());
            let mut v = vec![0.0; 6 + n];
            v[2] = omega;
            v[6..].copy_from_slice(&y.as_slice()[n..]);
            let (mut m, mut g) = (DMatrix::zeros(6 + n, 6 + n), vec![0.0; 6 + n]);
            body.mass_matrix(&Matrix3::identity(), &y.as_slice()[..n], &mut m);
            body.force(&Matrix3::identity(), &y.as_slice()[..n], &v, &Vector3::zeros(), &mut g);
            let b = DVector::from_fn(n, |i, _| -g[6 + i] - m[(6 + i, 2)] * alpha);
            let a = m.view((6, 6), (n, n)).into_owned().lu().solve(&b).unwrap();
            DVector::from_fn(2 * n, |i, _| if i < n { y[n + i] } else { a[i - n] })
        };
        let (h, mut y, mut least) = (0.008, DVector::zeros(2 * n), 0.0f64);
        // The largest deflection is in the first half.
        for i in 0..(0.55 * time / h) as usize {
            let t = i as f64 * h;
            let k1 = rates(t, &y);
            let k2 = rates(t + 0.5 * h, &(&y + &k1 * (0.5 * h)));
            let k3 = rates(t + 0.5 * h, &(&y + &k2 * (0.5 * h)));
            let k4 = rates(t + h, &(&y + &k3 * h));
            y += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
            let tip: f64 = (0..n).map(|k| y[k] * clamped(k, 1.0)[0]).sum();
            assert!(tip.is_finite());
            least = least.min(tip);
        }
        assert!((least / same - 1.0).abs() < 1e-4, "T {time}, R {hub}, b {offset}: {least}");
        assert!((least / nonlinear - 1.0).abs() < close, "T {time}, R {hub}, b {offset}: {least}");
    }
}

/// The mass matrix is positive up to a deflection of a tenth of the length, and not at half of it.
#[test]
fn mass_is_positive_for_small_deflections() {
    let (nodes, masses) = line(40, Vector3::zeros());
    let [modes, turns] = bending(2, &nodes, Vector3::y());
    let inertias = vec![Matrix3::from_diagonal_element(1e-4); nodes.len()];
    let rotary = Some(Rotary { inertias: &inertias, turns: &turns });
    let stiffness = DMatrix::identity(2, 2);
    let mut body =
        Modal::with_rotary(&nodes, &masses, rotary, &modes, stiffness, DMatrix::zeros(2, 2)).unwrap();
    body.geometric =
        Some(Rod::new(&nodes, &modes, &turns).unwrap().stiffening(&masses, rotary, &[]).unwrap().0);
    let at = |tip: f64| body.least_mass(&[tip / clamped(0, 1.0)[0], 0.0]);
    assert!(at(0.0) > 0.0 && at(0.1) > 0.0 && at(0.5) < 0.0, "{} {} {}", at(0.0), at(0.1), at(0.5));
}

/// What is no rod is refused, and rotations that do not fit.
#[test]
fn bodies_without_a_chain_are_refused() {
    let (nodes, _) = line(8, Vector3::zeros());
    let [modes, turns] = bending(2, &nodes, Vector3::y());
    assert!(Rod::new(&nodes, &modes, &turns).is_ok() && Rod::new(&nodes, &modes, &[]).is_ok());
    // In any order along a line.
    let order = [3, 0, 8, 5, 1, 7, 2, 6, 4];
    let mixed = |field: &Field| order.map(|i| field[i]).to_vec();
    let shuffled = mixed(&nodes);
    let [moved, turned] = [&modes, &turns].map(|list| list.iter().map(mixed).collect::<Vec<Field>>());
    let [a, b] = [(&nodes, &modes, &turns), (&shuffled, &moved, &turned)].map(|(nodes, modes, turns)| {
        let mut force = vec![Vector3::zeros(); 9];
        let tip = nodes.iter().position(|x| x.x == 1.0).unwrap();
        force[tip].x = 1.0;
        Rod::new(nodes, modes, turns).unwrap().stiffness(&force)
    });
    assert!((&a - &b).largest() < 1e-13 && a[(0, 0)] > 4.0, "{a}{b}");
    // Rotations of the other sign.
    let wrong: Vec<Field> = turns.iter().map(|f| f.iter().map(|x| -x).collect()).collect();
    let found = Rod::new(&nodes, &modes, &wrong).err();
    assert!(matches!(found, Some(RodError::Rotations { mode: 0, .. })), "{found:?}");
    // A cube, and a bar with four nodes in each section.
    let cube: Field =
        (0..8).map(|i| Vector3::new((i & 1) as f64, ((i / 2) & 1) as f64, (i / 4) as f64)).collect();
    let bar: Field = (0..32)
        .map(|i| Vector3::new((i / 4) as f64, 0.1 * (i & 1) as f64, 0.1 * ((i / 2) & 1) as f64))
        .collect();
    for nodes in [cube, bar, vec![Vector3::zeros(); 3], vec![]] {
        let modes = vec![vec![Vector3::y(); nodes.len()]];
        assert_eq!(Rod::new(&nodes, &modes, &[]).err(), Some(RodError::NoChain));
    }
}

/// Matrices of accelerations with the sign of the load instead of the acceleration are recognised.
#[test]
fn wrong_signs_are_turned() {
    let (nodes, masses) = line(40, Vector3::zeros());
    let [modes, turns] = bending(2, &nodes, Vector3::y());
    let inertias = vec![Matrix3::from_diagonal_element(1e-4); nodes.len()];
    let rotary = Some(Rotary { inertias: &inertias, turns: &turns });
    let mut body =
        Modal::with_rotary(&nodes, &masses, rotary, &modes, DMatrix::identity(2, 2), DMatrix::zeros(2, 2))
            .unwrap();
    let right = Rod::new(&nodes, &modes, &turns).unwrap().stiffening(&masses, rotary, &[]).unwrap().0;
    body.geometric = Some(right.clone());
    assert_eq!(body.turn_sign(), None);
    if let Some(g) = &mut body.geometric {
        g.s2.iter_mut().for_each(|x| *x = -*x);
    }
    assert!(body.turn_sign().unwrap().contains("a1"));
    assert_eq!(body.geometric, Some(right));
}
