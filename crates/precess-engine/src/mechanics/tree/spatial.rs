//! Velocities, forces and inertias of a rigid frame, six numbers at a time.
//!
//! A [`Motion`] (Omega, U) is the velocity of a frame: angular velocity and velocity of its origin, both in its
//! own axes. A [`Wrench`] (n, f) is a moment about the origin and a force, in the same axes. A frame with the
//! [`Pose`] (R, x) in another one takes over its motion by Ad^-1 and returns its wrench by Ad^-T:
//!
//! ```text
//! Ad^-1 (Omega, U) = (R^T Omega, R^T (U + Omega x x))        Ad^-T (n, f) = (R n + x x R f, R f)
//! ad_V W = (Omega x w, U x w + Omega x u)                     -ad_V^T (n, f) = (Omega x n + U x f, Omega x f)
//! ```

use nalgebra::{Matrix3, Vector3};
use precess_lie::Number;
use precess_lie::matrix::zeros;

use crate::mechanics::kernels::pose::{hat_times, tr_times};
use crate::mechanics::kernels::{Motion, Pose, Wrench};

/// The motion of the outer frame if it were fixed in the inner one.
#[inline(always)]
pub fn outward<T: Number>(pose: &Pose<T>, v: &Motion<T>) -> Motion<T> {
    Motion { omega: tr_times(&pose.r, &v.omega), u: tr_times(&pose.r, &(v.u + v.omega.cross(&pose.x))) }
}

/// The wrench on the inner frame of a wrench on the outer one.
#[inline(always)]
pub fn inward<T: Number>(pose: &Pose<T>, f: &Wrench<T>) -> Wrench<T> {
    let trans = pose.r * f.trans;
    Wrench { rot: pose.r * f.rot + pose.x.cross(&trans), trans }
}

/// The pose of an outer frame, given in a frame that has itself a pose.
#[inline(always)]
pub fn compose<T: Number>(a: &Pose<T>, b: &Pose<T>) -> Pose<T> {
    Pose { r: a.r * b.r, x: a.x + a.r * b.x }
}

/// The pose of the inner frame seen from the outer one.
#[inline(always)]
pub fn invert<T: Number>(a: &Pose<T>) -> Pose<T> {
    Pose { r: a.r.transpose(), x: -tr_times(&a.r, &a.x) }
}

/// ad_v w.
#[inline(always)]
pub fn ad<T: Number>(v: &Motion<T>, w: &Motion<T>) -> Motion<T> {
    Motion { omega: v.omega.cross(&w.omega), u: v.u.cross(&w.omega) + v.omega.cross(&w.u) }
}

/// -ad_v^T f: the rate of a wrench that is fixed in a frame with the motion v.
#[inline(always)]
pub fn carried<T: Number>(v: &Motion<T>, f: &Wrench<T>) -> Wrench<T> {
    Wrench { rot: v.omega.cross(&f.rot) + v.u.cross(&f.trans), trans: v.omega.cross(&f.trans) }
}

/// The sum of two motions.
#[inline(always)]
pub fn sum<T: Number>(a: &Motion<T>, b: &Motion<T>) -> Motion<T> {
    Motion { omega: a.omega + b.omega, u: a.u + b.u }
}

/// A symmetric 3x3 matrix; only one half is ever computed.
///
/// An articulated-body recursion grows rounding errors exponentially if its inertias lose their symmetry: for
/// a chain of 20 rods, the relative error of the accelerations is 6e-2 with full matrices and 3e-15 with
/// these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric<T> {
    /// xx, yy, zz.
    pub diagonal: [T; 3],
    /// yz, xz, xy.
    pub off: [T; 3],
}

impl<T: Number> Symmetric<T> {
    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Symmetric { diagonal: [T::ZERO; 3], off: [T::ZERO; 3] }
    }

    /// The upper half of a matrix.
    #[inline(always)]
    pub fn upper(m: &Matrix3<T>) -> Self {
        Symmetric { diagonal: [m[(0, 0)], m[(1, 1)], m[(2, 2)]], off: [m[(1, 2)], m[(0, 2)], m[(0, 1)]] }
    }

    /// x I.
    #[inline(always)]
    pub fn scalar(x: T) -> Self {
        Symmetric { diagonal: [x; 3], off: [T::ZERO; 3] }
    }

    /// As a full matrix.
    #[inline(always)]
    pub fn full(&self) -> Matrix3<T> {
        let ([a, b, c], [yz, xz, xy]) = (self.diagonal, self.off);
        Matrix3::new(a, xy, xz, xy, b, yz, xz, yz, c)
    }

    /// A column.
    #[inline(always)]
    pub fn column(&self, i: usize) -> Vector3<T> {
        let ([a, b, c], [yz, xz, xy]) = (self.diagonal, self.off);
        [Vector3::new(a, xy, xz), Vector3::new(xy, b, yz), Vector3::new(xz, yz, c)][i]
    }

    /// The product with a vector.
    #[inline(always)]
    pub fn times(&self, v: &Vector3<T>) -> Vector3<T> {
        let ([a, b, c], [yz, xz, xy]) = (self.diagonal, self.off);
        Vector3::new(
            a * v.x + xy * v.y + xz * v.z,
            xy * v.x + b * v.y + yz * v.z,
            xz * v.x + yz * v.y + c * v.z,
        )
    }

    /// self += weight * (upper half of m).
    #[inline(always)]
    pub fn add_upper(&mut self, m: &Matrix3<T>) {
        self.add(&Symmetric::upper(m));
    }

    /// self += m + m^T.
    #[inline(always)]
    pub fn add_both(&mut self, m: &Matrix3<T>) {
        for i in 0..3 {
            self.diagonal[i] += m[(i, i)] + m[(i, i)];
        }
        self.off[0] += m[(1, 2)] + m[(2, 1)];
        self.off[1] += m[(0, 2)] + m[(2, 0)];
        self.off[2] += m[(0, 1)] + m[(1, 0)];
    }

    /// self += other.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for i in 0..3 {
            self.diagonal[i] += other.diagonal[i];
            self.off[i] += other.off[i];
        }
    }

    /// self -= x x^T weight.
    #[inline(always)]
    pub fn subtract_square(&mut self, x: &Vector3<T>, weight: T) {
        let y = x * weight;
        for i in 0..3 {
            self.diagonal[i] -= x[i] * y[i];
        }
        self.off[0] -= x[1] * y[2];
        self.off[1] -= x[0] * y[2];
        self.off[2] -= x[0] * y[1];
    }

    /// R self R^T.
    #[inline(always)]
    pub fn turned(&self, r: &Matrix3<T>) -> Self {
        let m = r * self.full();
        let entry =
            |i: usize, j: usize| m[(i, 0)] * r[(j, 0)] + m[(i, 1)] * r[(j, 1)] + m[(i, 2)] * r[(j, 2)];
        Symmetric {
            diagonal: [entry(0, 0), entry(1, 1), entry(2, 2)],
            off: [entry(1, 2), entry(0, 2), entry(0, 1)],
        }
    }

    /// The inverse, and the determinant, which is zero if there is none.
    #[inline(always)]
    pub fn inverse(&self) -> (Self, T) {
        let ([a, b, c], [yz, xz, xy]) = (self.diagonal, self.off);
        let cofactors = [b * c - yz * yz, a * c - xz * xz, a * b - xy * xy];
        let off = [xy * xz - a * yz, xy * yz - b * xz, xz * yz - c * xy];
        let determinant = a * cofactors[0] + xy * off[2] + xz * off[1];
        let factor = T::one() / determinant;
        (Symmetric { diagonal: cofactors.map(|x| x * factor), off: off.map(|x| x * factor) }, determinant)
    }
}

/// The inertia of a frame: (n, f) = (A Omega + B U, B^T Omega + C U).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<T> {
    /// Moments of inertia about the origin.
    pub a: Symmetric<T>,
    /// The coupling; for a rigid body m hat(c) with its centre of mass c.
    pub b: Matrix3<T>,
    /// The mass; for a rigid body m I.
    pub c: Symmetric<T>,
}

impl<T: Number> Inertia<T> {
    /// No inertia.
    #[inline(always)]
    pub fn zero() -> Self {
        Inertia { a: Symmetric::zero(), b: zeros(), c: Symmetric::zero() }
    }

    /// A rigid body whose centre-of-mass frame has this pose, with the inertia tensor in that frame.
    pub fn rigid(mass: T, tensor: &Matrix3<T>, pose: &Pose<T>) -> Self {
        let at_centre = Inertia { a: Symmetric::upper(tensor), b: zeros(), c: Symmetric::scalar(mass) };
        at_centre.moved(pose)
    }

    /// The momentum of a motion.
    #[inline(always)]
    pub fn times(&self, v: &Motion<T>) -> Wrench<T> {
        Wrench {
            rot: self.a.times(&v.omega) + self.b * v.u,
            trans: tr_times(&self.b, &v.omega) + self.c.times(&v.u),
        }
    }

    /// self += other.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.a.add(&other.a);
        self.b += other.b;
        self.c.add(&other.c);
    }

    /// The same inertia in the frame in which this one has the given pose:
    /// C' = R C R^T, B' = R B R^T + hat(x) C', A' = R A R^T + G + G^T - hat(x) C' hat(x) with G = hat(x) (R B R^T)^T.
    #[inline(always)]
    pub fn moved(&self, pose: &Pose<T>) -> Self {
        let (r, x) = (&pose.r, &pose.x);
        let mut a = self.a.turned(r);
        let mut b = r * self.b * r.transpose();
        let c = self.c.turned(r);
        a.add_both(&hat_times(x, &b.transpose()));
        let arm = hat_times(x, &c.full());
        // -arm hat(x) = (hat(x) arm^T)^T, which is symmetric.
        a.add_upper(&hat_times(x, &arm.transpose()));
        b += arm;
        Inertia { a, b, c }
    }

    /// The inverse applied to a wrench: the motion with this momentum.
    pub fn solve(&self, f: &Wrench<T>) -> Motion<T> {
        let (c_inverse, _) = self.c.inverse();
        let b_c = self.b * c_inverse.full();
        let mut schur = self.a;
        schur.add_upper(&-(b_c * self.b.transpose()));
        let omega = schur.inverse().0.times(&(f.rot - b_c * f.trans));
        Motion { omega, u: c_inverse.times(&(f.trans - tr_times(&self.b, &omega))) }
    }
}
