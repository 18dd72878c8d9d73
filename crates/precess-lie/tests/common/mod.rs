//! Helpers shared by the test programs: random arguments, norms and independent references.
#![allow(dead_code)]

use nalgebra::{DMatrix, DVector};
use precess_lie::Largest;
use precess_lie::{LieGroup, R3xSO3, Rn, SE3, SO3, rotation};
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

/// Eight times the usual number of cases unless `PROPTEST_CASES` is set, and no files of failures.
pub fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: 8 * usual.cases, failure_persistence: None, ..usual }
}

/// A group with its matrix representation (4), (12) and the tilde operator, both built here from the
/// definitions and not from the operators under test.
pub trait Representation: LieGroup {
    /// Whether the first three coordinates are a rotation vector.
    const ROTATES: bool;
    /// Matrix of an element.
    fn matrix(q: &Self::Element) -> DMatrix<f64>;
    /// Matrix of an element of the Lie algebra.
    fn tilde(x: &Self::Vector) -> DMatrix<f64>;

    /// A vector from its coordinates.
    fn vector(x: &[f64]) -> Self::Vector {
        let mut v = Self::log(&Self::identity());
        for (i, x) in x.iter().enumerate().take(Self::DIM) {
            v[i] = *x;
        }
        v
    }

    /// The coordinates of a vector.
    fn coordinates(x: &Self::Vector) -> DVector<f64> {
        DVector::from_fn(Self::DIM, |i, _| x[i])
    }

    /// Largest absolute coordinate.
    fn largest(x: &Self::Vector) -> f64 {
        Self::coordinates(x).largest()
    }

    /// A linear map as a dynamic matrix.
    fn dense(m: &Self::Matrix) -> DMatrix<f64> {
        DMatrix::from_fn(Self::DIM, Self::DIM, |i, j| m[(i, j)])
    }

    /// The numbers of an element.
    fn numbers(q: &Self::Element) -> Vec<f64> {
        (0..Self::REPR).map(|i| q[i]).collect()
    }
}

fn skew(w: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0])
}

/// Rotation matrix by the sandwich product `q v q*` with the basis vectors.
fn rotation_by_sandwich(q: &[f64]) -> DMatrix<f64> {
    let product = |a: [f64; 4], b: [f64; 4]| {
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
            a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
        ]
    };
    let q = [q[0], q[1], q[2], q[3]];
    let c = [q[0], -q[1], -q[2], -q[3]];
    let mut r = DMatrix::zeros(3, 3);
    for j in 0..3 {
        let mut e = [0.0; 4];
        e[j + 1] = 1.0;
        let v = product(product(q, e), c);
        for i in 0..3 {
            r[(i, j)] = v[i + 1];
        }
    }
    r
}

impl<const N: usize> Representation for Rn<N> {
    const ROTATES: bool = false;
    fn matrix(q: &Self::Element) -> DMatrix<f64> {
        let mut m = DMatrix::identity(N + 1, N + 1);
        for i in 0..N {
            m[(i, N)] = q[i];
        }
        m
    }
    fn tilde(x: &Self::Vector) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(N + 1, N + 1);
        for i in 0..N {
            m[(i, N)] = x[i];
        }
        m
    }
}

impl Representation for SO3 {
    const ROTATES: bool = true;
    fn matrix(q: &Self::Element) -> DMatrix<f64> {
        rotation_by_sandwich(q.as_slice())
    }
    fn tilde(x: &Self::Vector) -> DMatrix<f64> {
        skew(x.as_slice())
    }
}

impl Representation for R3xSO3 {
    const ROTATES: bool = true;
    fn matrix(q: &Self::Element) -> DMatrix<f64> {
        let mut m = DMatrix::identity(7, 7);
        m.view_mut((0, 0), (3, 3)).copy_from(&rotation_by_sandwich(q.as_slice()));
        for i in 0..3 {
            m[(3 + i, 6)] = q[4 + i];
        }
        m
    }
    fn tilde(x: &Self::Vector) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(7, 7);
        m.view_mut((0, 0), (3, 3)).copy_from(&skew(x.as_slice()));
        for i in 0..3 {
            m[(3 + i, 6)] = x[3 + i];
        }
        m
    }
}

impl Representation for SE3 {
    const ROTATES: bool = true;
    fn matrix(q: &Self::Element) -> DMatrix<f64> {
        let mut m = DMatrix::identity(4, 4);
        m.view_mut((0, 0), (3, 3)).copy_from(&rotation_by_sandwich(q.as_slice()));
        for i in 0..3 {
            m[(i, 3)] = q[4 + i];
        }
        m
    }
    fn tilde(x: &Self::Vector) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(4, 4);
        m.view_mut((0, 0), (3, 3)).copy_from(&skew(x.as_slice()));
        for i in 0..3 {
            m[(i, 3)] = x[3 + i];
        }
        m
    }
}

/// Matrix exponential (8) by scaling, series and squaring.
pub fn expm(a: &DMatrix<f64>) -> DMatrix<f64> {
    let halvings = (a.norm() * 4.0).log2().ceil().max(0.0) as i32;
    let a = a / 2f64.powi(halvings);
    let n = a.nrows();
    let mut sum = DMatrix::identity(n, n);
    let mut term = DMatrix::identity(n, n);
    for i in 1..20 {
        term = &term * &a / i as f64;
        sum += &term;
    }
    for _ in 0..halvings {
        sum = &sum * &sum;
    }
    sum
}

/// Tangent operator by the series (30), for a given matrix of the bracket.
pub fn tangent_series(hat: &DMatrix<f64>) -> DMatrix<f64> {
    let n = hat.nrows();
    let mut sum = DMatrix::identity(n, n);
    let mut term = DMatrix::identity(n, n);
    for i in 1..60 {
        term = &term * hat / -(i as f64 + 1.0);
        sum += &term;
    }
    sum
}

/// Largest entry of a difference.
pub fn distance(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    (a - b).largest()
}

/// Largest entry of a difference of two elements in the matrix representation, which does not see
/// the sign of a quaternion.
pub fn apart<G: Representation>(a: &G::Element, b: &G::Element) -> f64 {
    distance(&G::matrix(a), &G::matrix(b))
}

/// A rotation vector with an angle in the given range of decades, and a translation.
fn with_angle(angle: impl Strategy<Value = f64> + 'static) -> BoxedStrategy<Vec<f64>> {
    (prop::array::uniform3(-1.0..1.0), angle, prop::array::uniform3(-3.0..3.0))
        .prop_filter_map("a direction", |(d, angle, u): ([f64; 3], f64, [f64; 3])| {
            let norm = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            (norm > 0.1).then(|| {
                let mut x: Vec<f64> = d.iter().map(|d| d / norm * angle).collect();
                x.extend(u);
                x
            })
        })
        .boxed()
}

/// Coordinates with a rotation angle of `1e-12 .. pi`, uniform or over the decades.
pub fn coordinates() -> BoxedStrategy<Vec<f64>> {
    prop_oneof![
        with_angle(0.0..std::f64::consts::PI - 1e-3),
        with_angle((-12.0..0.0f64).prop_map(|e| 10f64.powf(e))),
    ]
    .boxed()
}

/// Coordinates with a rotation angle of at most `max`, where round-off is not the subject.
pub fn moderate(max: f64) -> BoxedStrategy<Vec<f64>> {
    with_angle(0.0..max)
}

/// Coordinates with a rotation angle of `pi - 10^-k`, `k <= 12`, or `pi`.
pub fn near_half_turn() -> BoxedStrategy<Vec<f64>> {
    prop_oneof![
        with_angle((-12.0..-2.0f64).prop_map(|e| std::f64::consts::PI - 10f64.powf(e))),
        with_angle(Just(std::f64::consts::PI)),
    ]
    .boxed()
}

/// An element from coordinates, away from the identity and with either sign of the quaternion.
pub fn element<G: Representation>(x: &[f64]) -> G::Element {
    let mut q = G::exp(&G::vector(x));
    if G::ROTATES && x[5] > 0.0 {
        for i in 0..4 {
            q[i] = -q[i];
        }
    }
    q
}

/// Checks that the public rotation matrix agrees with the sandwich product.
pub fn rotation_matrix_error(q: &[f64]) -> f64 {
    let r = rotation::rotation_matrix(q);
    distance(&DMatrix::from_column_slice(3, 3, r.as_slice()), &rotation_by_sandwich(q))
}
