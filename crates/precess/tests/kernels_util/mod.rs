//! Random pairs of bodies, retractions and differences for the kernel tests.
#![allow(dead_code)]

use precess::lie::Largest;
use std::array::from_fn;
use std::cell::RefCell;
use std::collections::BTreeMap;

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use precess::mechanics::kernels::*;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

pub type V3 = Vector3<f64>;
pub type M3 = Matrix3<f64>;
pub type M12 = SMatrix<f64, 12, 12>;

pub const GROUPS: [Group; 2] = [Group::R3xSO3, Group::SE3];

/// Coefficients of `exp`: `I + a1 hat + a2 hat^2` and of its integral `I + a2 hat + a3 hat^2`.
fn coefficients(w: &V3) -> (f64, f64, f64) {
    let t2 = w.norm_squared();
    if t2 < 1e-4 {
        let a1 = 1.0 - t2 / 6.0 * (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0));
        let a2 = 0.5 - t2 / 24.0 * (1.0 - t2 / 30.0 * (1.0 - t2 / 56.0));
        let a3 = 1.0 / 6.0 - t2 / 120.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0));
        return (a1, a2, a3);
    }
    let t = t2.sqrt();
    (t.sin() / t, 2.0 * (t / 2.0).sin().powi(2) / t2, (t - t.sin()) / (t2 * t))
}

/// Rodrigues formula.
pub fn rotation(w: &V3) -> M3 {
    let (a1, a2, _) = coefficients(w);
    M3::identity() + hat(w) * a1 + hat(w) * hat(w) * a2
}

/// `q o exp(w)` of the group.
pub fn retract(group: Group, q: &Pose, w: &Motion) -> Pose {
    let x = match group {
        Group::R3xSO3 => q.x + w.u,
        Group::SE3 => {
            let (_, a2, a3) = coefficients(&w.omega);
            let o = hat(&w.omega);
            q.x + q.r * (w.u + o * w.u * a2 + o * o * w.u * a3)
        }
    };
    Pose { r: q.r * rotation(&w.omega), x }
}

pub fn pair_motion(w: &SVector<f64, 12>) -> PairMotion {
    PairMotion { a: w.fixed_rows::<6>(0).into_owned().into(), b: w.fixed_rows::<6>(6).into_owned().into() }
}

pub fn flat(v: &PairMotion) -> SVector<f64, 12> {
    let parts = [v.a.omega, v.a.u, v.b.omega, v.b.u];
    SVector::from_fn(|i, _| parts[i / 3][i % 3])
}

/// The pair moved along `t w`.
pub fn moved(pair: &Pair, w: &SVector<f64, 12>, t: f64) -> Pair {
    let w = pair_motion(&(w * t));
    let a = retract(pair.group, &pair.a, &w.a);
    let b = retract(pair.group, &pair.b, &w.b);
    Pair::new(pair.group, &a, &b)
}

/// First derivative at zero by five points.
pub fn derivative<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let h = 3e-4;
    let at = |k: f64| f(k * h) - f(-k * h);
    (at(1.0) * 8.0 - at(2.0)) / (12.0 * h)
}

/// Second derivative at zero by five points.
pub fn second_derivative<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let h = 5e-4;
    let f0 = f(0.0);
    let at = |k: f64| (f(k * h) - f0) + (f(-k * h) - f0);
    (at(1.0) * 16.0 - at(2.0)) / (12.0 * h * h)
}

/// Matrix of derivatives for the twelve directions, one per column.
pub fn jacobian<const N: usize>(pair: &Pair, f: impl Fn(&Pair) -> SVector<f64, N>) -> SMatrix<f64, N, 12> {
    let columns: [SVector<f64, N>; 12] = from_fn(|j| {
        let w = unit::<12>(j);
        derivative(|t| f(&moved(pair, &w, t)))
    });
    SMatrix::from_columns(&columns)
}

/// Unit vector i.
pub fn unit<const N: usize>(i: usize) -> SVector<f64, N> {
    SVector::from_fn(|j, _| if i == j { 1.0 } else { 0.0 })
}

pub fn row_vector(row: &Row) -> SVector<f64, 12> {
    SVector::from(row.to_array())
}

pub fn matrix<const N: usize>(rows: &[Row; N]) -> SMatrix<f64, N, 12> {
    SMatrix::from_fn(|i, j| rows[i].to_array()[j])
}

/// `K_lambda` of a measure as a matrix.
pub fn k_of<const N: usize>(m: &impl Measure<N>, pair: &Pair, lambda: &SVector<f64, N>) -> M12 {
    let mut k = PairBlocks::zero();
    m.add_k(pair, lambda, &mut k);
    k.to_matrix()
}

/// `blkdiag(I, R_a, I, R_b)`, from velocities on SE(3) to velocities on R^3xSO(3).
pub fn conversion(pair: &Pair) -> M12 {
    let mut t = M12::identity();
    t.fixed_view_mut::<3, 3>(3, 3).copy_from(&pair.a.r);
    t.fixed_view_mut::<3, 3>(9, 9).copy_from(&pair.b.r);
    t
}

/// Largest error relative to the largest reference entry (at least one).
pub fn error<const R: usize, const C: usize>(
    found: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
) -> f64 {
    let e = (found - expected).largest() / expected.largest().max(1.0);
    if e.is_nan() { f64::INFINITY } else { e }
}

/// Largest errors per name.
#[derive(Default)]
pub struct Errors(RefCell<BTreeMap<String, f64>>);

impl Errors {
    pub fn add(&self, name: &str, e: f64) {
        let mut map = self.0.borrow_mut();
        let worst = map.entry(name.to_string()).or_insert(0.0);
        *worst = precess::study::larger(*worst, e);
    }

    /// Prints all errors and asserts those whose name contains `pattern`. At least one must exist.
    pub fn finish(&self, limits: &[(&str, f64)]) {
        let map = self.0.borrow();
        for (name, e) in map.iter() {
            println!("{name:40} {e:.1e}");
        }
        for (pattern, _) in limits {
            assert!(map.keys().any(|n| n.contains(pattern)), "no {pattern}");
        }
        for (name, e) in map.iter() {
            let limit = limits.iter().find(|(p, _)| name.contains(p));
            let (_, limit) = limit.unwrap_or_else(|| panic!("{name} has no limit"));
            assert!(e <= limit, "{name}: {e:e} exceeds {limit:e}");
        }
    }
}

/// One random situation of two bodies.
#[derive(Clone, Debug)]
pub struct Case {
    pub a: Pose,
    pub b: Pose,
    pub ma: Marker,
    pub mb: Marker,
    pub v: PairMotion,
    /// Numbers for multipliers, forces and parameters, in (-2, 2).
    pub extra: [V3; 8],
    pub length: f64,
}

impl Case {
    pub fn pair(&self, group: Group) -> Pair {
        Pair::new(group, &self.a, &self.b)
    }

    /// Relative pose of the markers set: displacement `d` and rotation `q` in the frame of marker a.
    pub fn joined(&self, q: &M3, d: &V3) -> Self {
        let r = self.a.r * self.ma.c * q * self.mb.c.transpose();
        let x = self.a.point(&(self.ma.p + self.ma.c * d)) - r * self.mb.p;
        Self { b: Pose { r, x }, ..self.clone() }
    }

    /// The markers touch, with parallel axes 3: on the manifold of most joints.
    pub fn on_manifold(&self) -> Self {
        self.joined(&rotation(&(V3::z() * 2.0 * self.extra[7].x)), &V3::zeros())
    }
}

pub fn case() -> impl Strategy<Value = Case> {
    prop::collection::vec(-1.0..1.0f64, 61).prop_map(|n| {
        let v3 = |i: usize| V3::new(n[3 * i], n[3 * i + 1], n[3 * i + 2]);
        let pose = |i: usize| Pose { r: rotation(&(v3(i) * 3.0)), x: v3(i + 1) * 2.0 };
        let marker = |i: usize| Marker { p: v3(i), c: rotation(&(v3(i + 1) * 3.0)) };
        let motion = |i: usize| Motion { omega: v3(i) * 2.0, u: v3(i + 1) * 2.0 };
        Case {
            a: pose(0),
            b: pose(2),
            ma: marker(4),
            mb: marker(6),
            v: PairMotion { a: motion(8), b: motion(10) },
            extra: from_fn(|k| v3(12 + k) * 2.0),
            length: 1.0 + 0.8 * n[60],
        }
    })
}

/// Runs `check` on the same random cases every time.
pub fn for_cases(count: u32, check: impl Fn(&Case)) {
    let config = ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng)
        .run(&case(), |c| {
            check(&c);
            Ok(())
        })
        .unwrap();
}
