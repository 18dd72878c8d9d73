//! Relative rotation as a vector, and measures stacked from others.

use std::array::from_fn;

use nalgebra::{Matrix3, SVector, Vector1, Vector2, Vector3, Vector6};

use super::chain::Angle;
use super::directions::Directions;
use super::offset::Offset;
use super::pose::{Marker, Pair, PairMotion, hat};
use super::row::{Measure, PairBlocks, Row};

/// Relative rotation of the frame of marker b in the frame of marker a as the vector
/// `2 tan(angle/2) axis`, for bushings.
///
/// It equals the rotation vector to second order and stiffens towards half a turn, where it is
/// singular. With `C = C_a^T R_a^T R_b C_b` it is `4 psi/t`, `t = 1 + tr C` and
/// `psi = vee(C - C^T)/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gibbs {
    /// Frame of body a, axes in columns.
    pub c_a: Matrix3<f64>,
    /// Frame of body b, axes in columns.
    pub c_b: Matrix3<f64>,
}

/// Numerator and denominator of the vector.
struct Parts {
    psi: Vector3<f64>,
    t: f64,
}

impl Gibbs {
    /// Below this margin (a rotation of 161 degrees) the vector should count as undefined.
    pub const MIN_MARGIN: f64 = 0.1;

    /// Relative rotation of the frames of two markers.
    pub fn new(a: &Marker, b: &Marker) -> Self {
        Self { c_a: a.c, c_b: b.c }
    }

    /// The denominator `1 + tr C = 2 + 2 cos(angle)`: four without rotation, zero at half a turn.
    pub fn margin(&self, pair: &Pair) -> f64 {
        self.parts(pair).t
    }

    #[inline]
    fn parts(&self, pair: &Pair) -> Parts {
        let c = self.c_a.tr_mul(&(pair.r_ab * self.c_b));
        Parts {
            psi: Vector3::new(c[(2, 1)] - c[(1, 2)], c[(0, 2)] - c[(2, 0)], c[(1, 0)] - c[(0, 1)]) * 0.5,
            t: 1.0 + c.trace(),
        }
    }

    /// The three direction kernels, one per axis j of b, whose sum is `sum_ij w_ij a_i . b_j`. The weights
    /// of `lambda . psi` are `hat(lambda)/2`, those of `t` are the identity.
    #[inline]
    fn weighted(&self, w: &Matrix3<f64>) -> [Directions<1>; 3] {
        let e = self.c_a * w;
        from_fn(|j| Directions::perpendicular([e.column(j).into_owned()], self.c_b.column(j).into_owned()))
    }

    #[inline]
    fn row(&self, pair: &Pair, w: &Matrix3<f64>) -> Row {
        let one = Vector1::new(1.0);
        let [x, y, z] = self.weighted(w).map(|d| d.bt_lambda(pair, &one));
        x + y + z
    }

    #[inline]
    fn y_row(&self, pair: &Pair, v: &PairMotion, w: &Matrix3<f64>) -> Row {
        let [x, y, z] = self.weighted(w).map(|d| d.y_rows(pair, v)[0]);
        x + y + z
    }
}

/// Weights of component i of `psi`.
#[inline]
fn psi_weights(i: usize) -> Matrix3<f64> {
    hat(&Vector3::ith(i, 0.5))
}

impl Measure<3> for Gibbs {
    #[inline]
    fn value(&self, pair: &Pair) -> Vector3<f64> {
        let Parts { psi, t } = self.parts(pair);
        psi * (4.0 / t)
    }

    #[inline]
    fn rows(&self, pair: &Pair) -> [Row; 3] {
        let Parts { psi, t } = self.parts(pair);
        let b_t = self.row(pair, &Matrix3::identity());
        from_fn(|i| self.row(pair, &psi_weights(i)) * (4.0 / t) + b_t * (-4.0 * psi[i] / (t * t)))
    }

    #[inline]
    fn z(&self, pair: &Pair, v: &PairMotion) -> Vector3<f64> {
        let rows = self.y_rows(pair, v);
        Vector3::from_fn(|i, _| rows[i].dot(v))
    }

    #[inline]
    fn y_rows(&self, pair: &Pair, v: &PairMotion) -> [Row; 3] {
        let Parts { psi, t } = self.parts(pair);
        let b_t = self.row(pair, &Matrix3::identity());
        let y_t = self.y_row(pair, v, &Matrix3::identity());
        let t_rate = b_t.dot(v);
        let t2 = t * t;
        from_fn(|i| {
            let b_psi = self.row(pair, &psi_weights(i));
            let y_psi = self.y_row(pair, v, &psi_weights(i));
            let along_t = -4.0 * b_psi.dot(v) / t2 + 8.0 * psi[i] * t_rate / (t2 * t);
            y_psi * (4.0 / t) + y_t * (-4.0 * psi[i] / t2) + b_psi * (-4.0 * t_rate / t2) + b_t * along_t
        })
    }

    #[inline]
    fn add_k(&self, pair: &Pair, lambda: &Vector3<f64>, k: &mut PairBlocks) {
        let Parts { psi, t } = self.parts(pair);
        let t2 = t * t;
        let w_psi = hat(&(lambda * 0.5));
        let along_t = lambda.dot(&psi);
        // Both linear parts, contracted to one set of weights.
        let w = w_psi * (4.0 / t) - Matrix3::identity() * (4.0 * along_t / t2);
        for d in self.weighted(&w) {
            d.add_k(pair, &Vector1::new(1.0), k);
        }
        // The second derivatives of psi/t; the two cross terms share the square of B_t.
        let b_psi = self.row(pair, &w_psi) * (-4.0 / t2);
        let b_t = self.row(pair, &Matrix3::identity());
        let mixed = b_psi + b_t * (4.0 * along_t / (t2 * t));
        k.add_outer(&mixed, &b_t);
        k.add_outer(&b_t, &mixed);
    }

    #[inline]
    fn bt_lambda(&self, pair: &Pair, lambda: &Vector3<f64>) -> Row {
        let Parts { psi, t } = self.parts(pair);
        let along_t = 4.0 * lambda.dot(&psi) / (t * t);
        let w = hat(&(lambda * (2.0 / t))) - Matrix3::identity() * along_t;
        self.row(pair, &w)
    }
}

/// Six measures of a bushing: the three displacements in the frame of a, then the relative rotation.
///
/// The forces act at the point of b on both bodies; the elastic centre follows body a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bushing {
    /// Displacements of the point of b along the axes of marker a.
    pub offset: Offset<3>,
    /// Relative rotation of the markers.
    pub gibbs: Gibbs,
}

impl Bushing {
    /// Bushing between two markers.
    pub fn new(a: &Marker, b: &Marker) -> Self {
        let e = [a.axis(0), a.axis(1), a.axis(2)];
        Self { offset: Offset::displacement(e, a.p, b.p), gibbs: Gibbs::new(a, b) }
    }
}

#[inline]
fn stack(t: Vector3<f64>, r: Vector3<f64>) -> Vector6<f64> {
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

#[inline]
fn split(s: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (s.fixed_rows::<3>(0).into_owned(), s.fixed_rows::<3>(3).into_owned())
}

impl Measure<6> for Bushing {
    #[inline]
    fn value(&self, pair: &Pair) -> Vector6<f64> {
        stack(self.offset.value(pair), self.gibbs.value(pair))
    }
    #[inline]
    fn rows(&self, pair: &Pair) -> [Row; 6] {
        let (t, r) = (self.offset.rows(pair), self.gibbs.rows(pair));
        from_fn(|i| if i < 3 { t[i] } else { r[i - 3] })
    }
    #[inline]
    fn z(&self, pair: &Pair, v: &PairMotion) -> Vector6<f64> {
        stack(self.offset.z(pair, v), self.gibbs.z(pair, v))
    }
    #[inline]
    fn y_rows(&self, pair: &Pair, v: &PairMotion) -> [Row; 6] {
        let (t, r) = (self.offset.y_rows(pair, v), self.gibbs.y_rows(pair, v));
        from_fn(|i| if i < 3 { t[i] } else { r[i - 3] })
    }
    #[inline]
    fn add_k(&self, pair: &Pair, lambda: &Vector6<f64>, k: &mut PairBlocks) {
        let (t, r) = split(lambda);
        self.offset.add_k(pair, &t, k);
        self.gibbs.add_k(pair, &r, k);
    }
    #[inline]
    fn bt_lambda(&self, pair: &Pair, lambda: &Vector6<f64>) -> Row {
        let (t, r) = split(lambda);
        self.offset.bt_lambda(pair, &t) + self.gibbs.bt_lambda(pair, &r)
    }
}

/// Two measures of a cylindrical joint: the angle about axis 3 of marker a and the displacement along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    /// Rotation angle.
    pub angle: Angle,
    /// Displacement along the axis.
    pub offset: Offset<1>,
}

impl Screw {
    /// Rotation about and translation along axis 3 of marker a.
    pub fn new(a: &Marker, b: &Marker) -> Self {
        Self { angle: Angle::new(a, b), offset: Offset::displacement([a.axis(2)], a.p, b.p) }
    }
}

impl Measure<2> for Screw {
    #[inline]
    fn value(&self, pair: &Pair) -> Vector2<f64> {
        Vector2::new(self.angle.value(pair).x, self.offset.value(pair).x)
    }
    #[inline]
    fn rows(&self, pair: &Pair) -> [Row; 2] {
        [self.angle.rows(pair)[0], self.offset.rows(pair)[0]]
    }
    #[inline]
    fn z(&self, pair: &Pair, v: &PairMotion) -> Vector2<f64> {
        Vector2::new(self.angle.z(pair, v).x, self.offset.z(pair, v).x)
    }
    #[inline]
    fn y_rows(&self, pair: &Pair, v: &PairMotion) -> [Row; 2] {
        [self.angle.y_rows(pair, v)[0], self.offset.y_rows(pair, v)[0]]
    }
    #[inline]
    fn add_k(&self, pair: &Pair, lambda: &SVector<f64, 2>, k: &mut PairBlocks) {
        self.angle.add_k(pair, &Vector1::new(lambda.x), k);
        self.offset.add_k(pair, &Vector1::new(lambda.y), k);
    }
}
