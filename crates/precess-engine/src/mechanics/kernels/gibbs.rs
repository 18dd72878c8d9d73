//! Relative rotation as a vector, and measures stacked from others.

use precess_lie::matrix::{SmallMatrix, identity};
use std::array::from_fn;

use nalgebra::{Matrix3, SVector, Vector1, Vector2, Vector3, Vector6};
use precess_lie::Number;

use super::chain::Angle;
use super::directions::rotation_row;
use super::offset::Offset;
use super::pose::{Marker, Pair, PairMotion, hat};
use super::row::{Blocks, Measure, Row};
use crate::mechanics::combine::combine;

/// Relative rotation of the frame of marker b in the frame of marker a as the vector
/// `phi = 2 tan(angle/2) axis`, for bushings.
///
/// It equals the rotation vector to second order and stiffens towards half a turn, where it is
/// singular. With `C = C_a^T R_a^T R_b C_b` it is `4 psi/t`, `t = 1 + tr C` and
/// `psi = vee(C - C^T)/2`. A relative rotation `delta = C_a^T (R_ab w_b - w_a)`, in the frame of marker a,
/// changes it by `G(phi) delta` with `G = I - hat(phi)/2 + phi phi^T/4`, a matrix without singularity:
/// all derivatives are polynomials in `phi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gibbs<T = f64> {
    /// Frame of body a, axes in columns.
    pub c_a: Matrix3<T>,
    /// Frame of body b, axes in columns.
    pub c_b: Matrix3<T>,
}

impl Gibbs {
    /// Below this margin (a rotation of 161 degrees) the vector counts as undefined.
    pub const MIN_MARGIN: f64 = 0.1;
}

impl<T: Number> Gibbs<T> {
    /// Relative rotation of the frames of two markers.
    pub fn new(a: &Marker<T>, b: &Marker<T>) -> Self {
        Self { c_a: a.c, c_b: b.c }
    }

    /// The denominator `1 + tr C = 2 + 2 cos(angle)`: four without rotation, zero at half a turn.
    pub fn margin(&self, pair: &Pair<T>) -> T {
        T::one() + self.relative(pair).trace()
    }

    #[inline]
    fn relative(&self, pair: &Pair<T>) -> Matrix3<T> {
        self.c_a.transposed_times(&(pair.r_ab * self.c_b))
    }

    /// The derivative of `G(phi) delta` for `phi`.
    #[inline]
    fn g_delta_phi(phi: &Vector3<T>, delta: &Vector3<T>) -> Matrix3<T> {
        let along = Matrix3::from_diagonal_element(T::of(0.25) * phi.inner(delta));
        hat(&(delta * T::of(0.5))) + along + phi * delta.transpose() * T::of(0.25)
    }

    /// Relative angular velocity in the frame of marker a.
    #[inline]
    fn delta(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        self.c_a.transposed_times(&(pair.r_ab * v.b.omega - v.a.omega))
    }
}

/// The matrix `G(phi)`.
#[inline]
fn g_matrix<T: Number>(phi: &Vector3<T>) -> Matrix3<T> {
    identity() - hat(&(phi * T::of(0.5))) + phi * phi.transpose() * T::of(0.25)
}

/// Rows of rotation columns given as matrices.
#[inline]
fn rotation_rows<T: Number>(a: &Matrix3<T>, b: &Matrix3<T>) -> [Row<T>; 3] {
    from_fn(|i| rotation_row(a.row(i).transpose(), b.row(i).transpose()))
}

impl<T: Number> Measure<3, T> for Gibbs<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector3<T> {
        let c = self.relative(pair);
        let twice_psi = Vector3::new(c[(2, 1)] - c[(1, 2)], c[(0, 2)] - c[(2, 0)], c[(1, 0)] - c[(0, 1)]);
        twice_psi * (T::of(2.0) / (T::one() + c.trace()))
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 3] {
        let a = g_matrix(&self.value(pair)) * self.c_a.transpose();
        rotation_rows(&-a, &(a * pair.r_ab))
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        let phi = self.value(pair);
        let g = g_matrix(&phi);
        let delta = self.delta(pair, v);
        let turning = (pair.r_ab * v.b.omega).cross(&v.a.omega);
        Self::g_delta_phi(&phi, &delta) * (g * delta) + g * self.c_a.transposed_times(&turning)
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 3] {
        let phi = self.value(pair);
        let a = g_matrix(&phi) * self.c_a.transpose();
        let bent = Self::g_delta_phi(&phi, &self.delta(pair, v)) * a;
        let turned = a * pair.r_ab;
        rotation_rows(
            &(a * hat(&(pair.r_ab * v.b.omega)) - bent),
            &(bent * pair.r_ab - turned * hat(&v.b.omega)),
        )
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector3<T>, k: &mut impl Blocks<T>) {
        let phi = self.value(pair);
        let a = g_matrix(&phi) * self.c_a.transpose();
        // The torque on b in frame a, and the derivative of G^T lambda for phi.
        let torque = a.transposed_times(lambda);
        let along = Matrix3::from_diagonal_element(T::of(0.25) * phi.inner(lambda));
        let bent = along + phi * lambda.transpose() * T::of(0.25) - hat(&(lambda * T::of(0.5)));
        let n = self.c_a * bent * a;
        let n_ab = n * pair.r_ab;
        if let Some(k) = k.pair_mut() {
            k.aa.rr += n;
            k.ab.rr -= n_ab;
            k.ba.rr -= n_ab.transpose();
        }
        k.second_mut().rr += pair.r_ab.transposed_times(&n_ab) + hat(&pair.r_ab.transposed_times(&torque));
    }

    #[inline]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &Vector3<T>) -> Row<T> {
        let torque = self.c_a * g_matrix(&self.value(pair)).transposed_times(lambda);
        rotation_row(-torque, pair.r_ab.transposed_times(&torque))
    }

    #[inline]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        g_matrix(&self.value(pair)) * self.delta(pair, v)
    }
}

/// Six measures of a bushing: the three displacements in the frame of a, then the relative rotation.
///
/// The forces act at the point of b on both bodies; the elastic centre follows body a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BushingMeasure<T = f64> {
    /// Displacements of the point of b along the axes of marker a.
    pub offset: Offset<3, T>,
    /// Relative rotation of the markers.
    pub gibbs: Gibbs<T>,
}

impl<T: Number> BushingMeasure<T> {
    /// Bushing between two markers.
    pub fn new(a: &Marker<T>, b: &Marker<T>) -> Self {
        let e = [a.axis(0), a.axis(1), a.axis(2)];
        Self { offset: Offset::displacement(e, a.p, b.p), gibbs: Gibbs::new(a, b) }
    }
}

#[inline]
fn stack<T: Number>(t: Vector3<T>, r: Vector3<T>) -> Vector6<T> {
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

#[inline]
fn split<T: Number>(s: &Vector6<T>) -> (Vector3<T>, Vector3<T>) {
    (s.fixed_rows::<3>(0).into_owned(), s.fixed_rows::<3>(3).into_owned())
}

impl<T: Number> Measure<6, T> for BushingMeasure<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector6<T> {
        stack(self.offset.value(pair), self.gibbs.value(pair))
    }
    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 6] {
        let (t, r) = (self.offset.rows(pair), self.gibbs.rows(pair));
        from_fn(|i| if i < 3 { t[i] } else { r[i - 3] })
    }
    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector6<T> {
        stack(self.offset.z(pair, v), self.gibbs.z(pair, v))
    }
    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 6] {
        let (t, r) = (self.offset.y_rows(pair, v), self.gibbs.y_rows(pair, v));
        from_fn(|i| if i < 3 { t[i] } else { r[i - 3] })
    }
    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector6<T>, k: &mut impl Blocks<T>) {
        let (t, r) = split(lambda);
        self.offset.add_k(pair, &t, k);
        self.gibbs.add_k(pair, &r, k);
    }
    #[inline]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &Vector6<T>) -> Row<T> {
        let (t, r) = split(lambda);
        self.offset.bt_lambda(pair, &t) + self.gibbs.bt_lambda(pair, &r)
    }
    #[inline]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector6<T> {
        stack(self.offset.bv(pair, v), self.gibbs.bv(pair, v))
    }
}

/// Two measures of a cylindrical joint: the angle about axis 3 of marker a and the displacement along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw<T = f64> {
    /// Rotation angle.
    pub angle: Angle<T>,
    /// Displacement along the axis.
    pub offset: Offset<1, T>,
}

impl<T: Number> Screw<T> {
    /// Rotation about and translation along axis 3 of marker a.
    pub fn new(a: &Marker<T>, b: &Marker<T>) -> Self {
        Self { angle: Angle::new(a, b), offset: Offset::displacement([a.axis(2)], a.p, b.p) }
    }
}

impl<T: Number> Measure<2, T> for Screw<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector2<T> {
        Vector2::new(self.angle.value(pair).x, self.offset.value(pair).x)
    }
    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 2] {
        [self.angle.rows(pair)[0], self.offset.rows(pair)[0]]
    }
    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector2<T> {
        Vector2::new(self.angle.z(pair, v).x, self.offset.z(pair, v).x)
    }
    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 2] {
        [self.angle.y_rows(pair, v)[0], self.offset.y_rows(pair, v)[0]]
    }
    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &SVector<T, 2>, k: &mut impl Blocks<T>) {
        self.angle.add_k(pair, &Vector1::new(lambda.x), k);
        self.offset.add_k(pair, &Vector1::new(lambda.y), k);
    }
}

combine!(struct Gibbs { c_a, c_b });
combine!(struct BushingMeasure { offset, gibbs });
combine!(struct Screw { angle, offset });
