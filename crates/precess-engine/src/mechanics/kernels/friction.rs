//! Joint friction that depends on the multipliers of the joint.
//!
//! Smoothed Coulomb friction on `M` rates `y'` (an angle, a displacement, both), with the load taken
//! from the `N` multipliers of the joint:
//! `s = c_v y' + mu n(lambda) A w / sqrt(w_s^2 + |w|^2)`, `w = A y'`, `A = diag(arm)`,
//! `n = sqrt(lambda^T W lambda + eps^2) - eps`. Smoothing means creep: a load below the friction limit
//! moves slowly instead of sticking.
//!
//! The force enters the equations through [`compliant`](super::compliant) with the law of this module. Its
//! derivative for the multipliers [`Friction::g_lambda`] is added to `B^T` in the Jacobian and makes it
//! unsymmetric; for large coefficients the system with it may become singular.

use nalgebra::{SMatrix, SVector, Vector1, Vector2, Vector4, Vector5};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, identity, zeros};
use std::array::from_fn;

use super::compliant::CompliantLaw;
use super::pose::Pair;
use super::row::{Measure, Row};
use crate::mechanics::combine::combine;

/// Smoothed Coulomb and viscous friction on `M` rates, loaded by `N` multipliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction<const M: usize, const N: usize, T = f64> {
    /// Friction coefficient.
    pub mu: T,
    /// Lever arms `A` that turn the rates into sliding speeds.
    pub arm: SVector<T, M>,
    /// Sliding speed at which friction reaches `1/sqrt(2)` of its limit.
    pub w_s: T,
    /// Rounding of the load at zero, an absolute force.
    pub eps: T,
    /// Viscous coefficients of the rates.
    pub c_v: SVector<T, M>,
    /// Diagonal of `W`, the squared factors from multipliers to forces.
    pub weights: SVector<T, N>,
}

/// Parameters shared by the friction laws of the joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionData {
    /// Friction coefficient.
    pub mu: f64,
    /// Regularisation speed, of the rate itself (angular for a revolute joint).
    pub w_s: f64,
    /// Rounding of the load at zero, an absolute force.
    pub eps: f64,
    /// Viscous coefficient.
    pub c_v: f64,
    /// Length scale of the constraint rows, from multipliers to forces.
    pub length: f64,
    /// Bearing length: a transverse moment loads the bearing by moment over this length.
    pub bearing: f64,
}

impl FrictionData {
    fn inverse_squares(&self) -> (f64, f64) {
        (self.length.powi(-2), self.bearing.powi(-2))
    }
}

impl Friction<1, 5> {
    /// Revolute joint of bearing radius `r`: rate of [`Angle`](super::Angle), multipliers of the three
    /// coincidence rows and the two axis rows.
    pub fn revolute(data: &FrictionData, r: f64) -> Self {
        let (f, t) = data.inverse_squares();
        Self {
            mu: data.mu * r,
            arm: Vector1::new(1.0),
            w_s: data.w_s,
            eps: data.eps,
            c_v: Vector1::new(data.c_v),
            weights: Vector5::new(f, f, f, t, t),
        }
    }

    /// Prismatic joint: rate of the displacement along the axis, multipliers of the two offset rows and of
    /// the three rows that lock the rotation, the row about the axis first (it does not load the bearing).
    pub fn prismatic(data: &FrictionData) -> Self {
        let (f, t) = data.inverse_squares();
        Self {
            mu: data.mu,
            arm: Vector1::new(1.0),
            w_s: data.w_s,
            eps: data.eps,
            c_v: Vector1::new(data.c_v),
            weights: Vector5::new(f, f, 0.0, t, t),
        }
    }
}

impl Friction<2, 4> {
    /// Cylindrical joint of radius `r`: rates of [`Screw`](super::Screw), one sliding direction on the
    /// cylinder; `w_s` is a sliding speed and the viscous coefficient belongs to sliding.
    pub fn cylindrical(data: &FrictionData, r: f64) -> Self {
        let (f, t) = data.inverse_squares();
        Self {
            mu: data.mu,
            arm: Vector2::new(r, 1.0),
            w_s: data.w_s,
            eps: data.eps,
            c_v: Vector2::new(r * r, 1.0) * data.c_v,
            weights: Vector4::new(f, f, t, t),
        }
    }
}

impl<const M: usize, const N: usize, T: Number> Friction<M, N, T> {
    fn load(&self, lambda: &SVector<T, N>) -> T {
        let square = self.weights.inner(&lambda.component_mul(lambda));
        (square + self.eps * self.eps).sqrt()
    }

    /// Bearing load `n(lambda)`, zero without multipliers.
    pub fn normal(&self, lambda: &SVector<T, N>) -> T {
        self.load(lambda) - self.eps
    }

    /// The law at the given rates and multipliers.
    pub fn law(&self, rate: &SVector<T, M>, lambda: &SVector<T, N>) -> CompliantLaw<M, T> {
        let limit = self.mu * self.normal(lambda);
        let w = self.arm.component_mul(rate);
        let q = (self.w_s * self.w_s + w.inner(&w)).sqrt();
        let sliding = identity::<T, M>() / q - w * w.transpose() / (q * q * q);
        let arm = SMatrix::from_diagonal(&self.arm);
        CompliantLaw {
            s: self.c_v.component_mul(rate) + arm * w * (limit / q),
            s_y: zeros(),
            s_rate: SMatrix::from_diagonal(&self.c_v) + arm * sliding * arm * limit,
        }
    }

    /// Derivative `ds/dlambda` of the law; it needs `eps > 0` or non-zero multipliers.
    pub fn s_lambda(&self, rate: &SVector<T, M>, lambda: &SVector<T, N>) -> SMatrix<T, M, N> {
        let w = self.arm.component_mul(rate);
        let q = (self.w_s * self.w_s + w.inner(&w)).sqrt();
        let direction = self.arm.component_mul(&w) * (self.mu / q);
        let n_lambda = self.weights.component_mul(lambda) / self.load(lambda);
        direction * n_lambda.transpose()
    }

    /// The columns of `G_lambda = dg/dlambda = B^T ds/dlambda`, one per multiplier.
    pub fn g_lambda(
        &self,
        measure: &impl Measure<M, T>,
        pair: &Pair<T>,
        rate: &SVector<T, M>,
        lambda: &SVector<T, N>,
    ) -> [Row<T>; N] {
        let rows = measure.rows(pair);
        let s_lambda = self.s_lambda(rate, lambda);
        from_fn(|j| Row::combine(&rows, &s_lambda.column(j).into_owned()))
    }
}

combine!(struct <const M, const N> Friction [M, N] { mu, arm, w_s, eps, c_v, weights });
