//! Kernel D2: components of the relative position along directions of body a.

use nalgebra::{SMatrix, SVector, Vector3};
use precess_lie::matrix::{SmallMatrix, zeros};

use precess_lie::Number;

use super::pose::{Group, Marker, Pair, PairMotion, hat, hat_hat, hat_times, times_hat, tr_times};
use super::row::{Blocks, Measure, Row, Wrench, each_row};
use crate::mechanics::combine::combine;

/// Measures `y_i = scale (R_a e_i . (r_b - r_a) - c_i)` for `N` directions `e_i` attached to body a.
///
/// As a constraint with `scale = -1/L`, multiplier i puts the force `lambda_i R_a e_i / L` on body b at `r_b`
/// and the opposite force on body a at the *same* point in space. So forces and moments balance at every
/// pose, also off the manifold. With `scale = 1` it is the plain displacement whose rate is the velocity seen
/// from body a.
///
/// Rails, planes and guides belong to body a, the sliding point to body b. On SE(3), coincidence is best
/// written with three directions: rows and stiffness depend only on the relative pose. As in
/// [`Directions`](super::Directions) the kernel is linear in `e`, so all rows cost one evaluation of `K`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset<const N: usize, T = f64> {
    /// Directions of body a, one per column.
    pub e: SMatrix<T, 3, N>,
    /// Reference point of body a. It enters only the value: in the frame of body a it is constant.
    pub p_a: Vector3<T>,
    /// Point of body b.
    pub p_b: Vector3<T>,
    /// Prescribed displacements.
    pub c: SVector<T, N>,
    /// Factor, `-1/L` for a constraint with the length scale `L`.
    pub scale: T,
}

impl<const N: usize, T: Number> Offset<N, T> {
    /// Dimensionless constraint rows `(c_i - d_i . rho)/L` with the length scale `length`.
    pub fn constraint(
        e: [Vector3<T>; N],
        p_a: Vector3<T>,
        p_b: Vector3<T>,
        c: SVector<T, N>,
        length: T,
    ) -> Self {
        Self { e: SMatrix::from_columns(&e), p_a, p_b, c, scale: -T::one() / length }
    }

    /// The plain displacements `d_i . rho`.
    pub fn displacement(e: [Vector3<T>; N], p_a: Vector3<T>, p_b: Vector3<T>) -> Self {
        Self { e: SMatrix::from_columns(&e), p_a, p_b, c: zeros(), scale: T::one() }
    }
}

impl<T: Number> Offset<3, T> {
    /// Coincidence of two marker points written in the frame of marker a. Its multipliers are force
    /// components in that frame: the first two radial, the third axial for an axis along `e_3`.
    pub fn coincidence(a: &Marker<T>, b: &Marker<T>, length: T) -> Self {
        let e = [a.axis(0), a.axis(1), a.axis(2)];
        Self::constraint(e, a.p, b.p, zeros(), length)
    }
}

/// Point b seen from the centre of mass of a, in frame a. This is the moment arm of forces on a, not `p_a`.
#[inline(always)]
fn arm<T: Number>(pair: &Pair<T>, p_b: &Vector3<T>) -> Vector3<T> {
    pair.x_ab + pair.r_ab * p_b
}

/// Row of the single direction `e` for the unscaled displacement.
#[inline(always)]
fn row<T: Number>(pair: &Pair<T>, e: &Vector3<T>, s: &Vector3<T>, p_b: &Vector3<T>) -> Row<T> {
    let d_b = tr_times(&pair.r_ab, e);
    let (trans_a, trans_b) = match pair.group {
        Group::R3xSO3 => {
            let d = pair.a.r * e;
            (-d, d)
        }
        Group::SE3 => (-e, d_b),
    };
    Row { a: Wrench { rot: e.cross(s), trans: trans_a }, b: Wrench { rot: p_b.cross(&d_b), trans: trans_b } }
}

/// Velocities of point b that the derivatives share.
struct PointVelocities<T> {
    /// Part of the velocity of point b that turns with body b, in frame b.
    carried_b: Vector3<T>,
    /// Velocity of point b in frame a, relative to the part of the velocity of a that does not turn
    /// with body a (`u_a` on R^3xSO(3), nothing on SE(3)).
    w: Vector3<T>,
    /// Part of the velocity of a that turns with body a (`U_a` on SE(3), nothing on R^3xSO(3)).
    turning_a: Vector3<T>,
}

impl<T: Number> PointVelocities<T> {
    #[inline(always)]
    fn new(pair: &Pair<T>, v: &PairMotion<T>, p_b: &Vector3<T>) -> Self {
        let spin = v.b.omega.cross(p_b);
        match pair.group {
            Group::R3xSO3 => Self {
                carried_b: spin,
                w: pair.r_ab * spin + tr_times(&pair.a.r, &(v.b.u - v.a.u)),
                turning_a: zeros(),
            },
            Group::SE3 => {
                let carried_b = v.b.u + spin;
                Self { carried_b, w: pair.r_ab * carried_b, turning_a: v.a.u }
            }
        }
    }
}

impl<const N: usize, T: Number> Measure<N, T> for Offset<N, T> {
    #[inline(always)]
    fn value(&self, pair: &Pair<T>) -> SVector<T, N> {
        (self.e.transposed_times(&(arm(pair, &self.p_b) - self.p_a)) - self.c) * self.scale
    }

    #[inline(always)]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; N] {
        let s = arm(pair, &self.p_b);
        each_row(
            #[inline(always)]
            |i| {
                let e = self.e.column(i) * self.scale;
                row(pair, &e, &s, &self.p_b)
            },
        )
    }

    /// Second derivative of the position of point b as seen from body a, in its frame.
    #[inline(always)]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        let s = arm(pair, &self.p_b);
        let rates = PointVelocities::new(pair, v, &self.p_b);
        let o_a = &v.a.omega;
        let transport = o_a.cross(&(o_a.cross(&s) - rates.w * T::of(2.0) + rates.turning_a));
        let own = pair.r_ab * v.b.omega.cross(&rates.carried_b);
        self.e.transposed_times(&(transport + own)) * self.scale
    }

    #[inline(always)]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; N] {
        let s = arm(pair, &self.p_b);
        let rates = PointVelocities::new(pair, v, &self.p_b);
        each_row(
            #[inline(always)]
            |i| {
                let e = self.e.column(i) * self.scale;
                // The row of the turning direction, and the turning of the arms with that direction fixed.
                let mut y = row(pair, &v.a.omega.cross(&e), &s, &self.p_b);
                y.a.rot += e.cross(&rates.w);
                y.b.rot += rates.carried_b.cross(&tr_times(&pair.r_ab, &e));
                y
            },
        )
    }

    #[inline(always)]
    fn add_k(&self, pair: &Pair<T>, lambda: &SVector<T, N>, k: &mut impl Blocks<T>) {
        let e: Vector3<T> = self.e * lambda * self.scale;
        let d_b = tr_times(&pair.r_ab, &e);
        let own = k.second_mut();
        own.rr += hat_hat(&self.p_b, &d_b);
        if pair.group == Group::SE3 {
            own.xr += hat(&d_b);
        }
        let Some(k) = k.pair_mut() else { return };
        let s = arm(pair, &self.p_b);
        let e_r = hat_times(&e, &pair.r_ab);
        let ab = times_hat(&e_r, &self.p_b);
        k.aa.rr += hat_hat(&e, &s);
        k.ab.rr -= ab;
        k.ba.rr -= ab.transpose();
        match pair.group {
            Group::R3xSO3 => {
                let turn = times_hat(&pair.a.r, &e);
                k.aa.xr += turn;
                k.ba.xr -= turn;
                k.aa.rx += turn.transpose();
                k.ab.rx -= turn.transpose();
            }
            Group::SE3 => {
                k.aa.rx -= hat(&e);
                k.ab.rx += e_r;
                k.ba.xr += e_r.transpose();
            }
        }
    }

    #[inline(always)]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &SVector<T, N>) -> Row<T> {
        let e: Vector3<T> = self.e * lambda * self.scale;
        row(pair, &e, &arm(pair, &self.p_b), &self.p_b)
    }

    #[inline(always)]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        let s = arm(pair, &self.p_b);
        let rates = PointVelocities::new(pair, v, &self.p_b);
        self.e.transposed_times(&(rates.w - rates.turning_a - v.a.omega.cross(&s))) * self.scale
    }
}

combine!(struct <const N> Offset [N] { e, p_a, p_b, c, scale });
