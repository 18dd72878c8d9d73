//! Analysis of generalized-alpha: propagation of errors from step to step (LA, sections 3.2, 4.1 and 4.3).
//!
//! Every recursion has the form `T_plus z_np1 = T_zero z_n`, see [`Recursion`]. The powers of `T = T_plus^-1
//! T_zero` determine the damping ([`spectral_radius`]) and the size of transients ([`overshoot`],
//! [`error_constants`]).
//!
//! ```
//! use precess_engine::integrate::Alpha;
//! use precess_engine::integrate::analysis::{Recursion, overshoot, spectral_radius};
//!
//! let t = Recursion::test_equation(&Alpha::from_rho(0.9)?, f64::INFINITY)?.matrix()?;
//! assert!((spectral_radius(&t) - 0.9).abs() < 1e-4);
//! let peak = overshoot(&t)?;
//! assert_eq!(peak.n, 14);
//! assert!(peak.value > 34.0);
//! # Ok::<(), precess_engine::Error>(())
//! ```

use nalgebra::{Complex, DMatrix, Matrix2, Matrix3, SMatrix, Vector3};

use super::alpha::Alpha;
use crate::Error;

/// Longest transient; with rho_inf = 0.999 about 2e4 steps are needed.
const MAX_TRANSIENT: usize = 1_000_000;

/// `plus z_np1 = zero z_n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recursion<const N: usize> {
    /// T_plus, multiplies the new vector.
    pub plus: SMatrix<f64, N, N>,
    /// T_zero, multiplies the old vector.
    pub zero: SMatrix<f64, N, N>,
}

impl<const N: usize> Recursion<N> {
    /// T = T_plus^-1 T_zero.
    pub fn matrix(&self) -> Result<SMatrix<f64, N, N>, Error> {
        match self.plus.try_inverse() {
            Some(inverse) => Ok(inverse * self.zero),
            None => Err(Error::Coefficients {
                violation: "T_plus is singular: a step is not defined".to_string(),
            }),
        }
    }
}

impl Recursion<3> {
    /// T+_{h omega} and T0_{h omega} of (43) for q'' + omega^2 q = 0, z_n = (omega^2 q_n, v_n / h, a_n).
    ///
    /// `h_omega` is positive and may be infinite: then q'' = -lambda with q = 0, and lambda_n replaces
    /// omega^2 q_n (45).
    pub fn test_equation(alpha: &Alpha, h_omega: f64) -> Result<Self, Error> {
        if h_omega.is_nan() || h_omega <= 0.0 {
            return Err(Error::Parameter {
                name: "h omega",
                value: h_omega,
                expected: "a frequency times a step size is positive",
            });
        }
        let stiffness = h_omega.recip().powi(2);
        let Alpha { alpha_m, alpha_f, beta, gamma } = *alpha;
        Ok(Recursion {
            plus: Matrix3::new(stiffness, 0.0, -beta, 0.0, 1.0, -gamma, 1.0 - alpha_f, 0.0, 1.0 - alpha_m),
            zero: Matrix3::new(stiffness, 1.0, 0.5 - beta, 0.0, 1.0, 1.0 - gamma, -alpha_f, 0.0, -alpha_m),
        })
    }

    /// T+ and T0 of (95), for the errors (S lambda, r, B a) of the index-3 integrator in nonlinear systems on
    /// Lie groups. They equal the matrices of the test equation at infinite frequency; therefore section 3.2
    /// applies.
    pub fn index3(alpha: &Alpha) -> Self {
        let Alpha { alpha_m, alpha_f, beta, gamma } = *alpha;
        Recursion {
            plus: Matrix3::from_rows(&[
                [0.0, 0.0, -beta].into(),
                [0.0, 1.0, -gamma].into(),
                [1.0 - alpha_f, 0.0, 1.0 - alpha_m].into(),
            ]),
            zero: Matrix3::from_rows(&[
                [0.0, 1.0, 0.5 - beta].into(),
                [0.0, 1.0, 1.0 - gamma].into(),
                [-alpha_f, 0.0, -alpha_m].into(),
            ]),
        }
    }
}

impl Recursion<2> {
    /// The barred T+ and T0 of (100), for the errors (S lambda, B a) of the stabilized index-2 integrator.
    pub fn stabilized_index2(alpha: &Alpha) -> Self {
        let Alpha { alpha_m, alpha_f, gamma, .. } = *alpha;
        Recursion {
            plus: Matrix2::new(0.0, -gamma, 1.0 - alpha_f, 1.0 - alpha_m),
            zero: Matrix2::new(0.0, 1.0 - gamma, -alpha_f, -alpha_m),
        }
    }
}

/// Largest modulus of the eigenvalues.
///
/// If N eigenvalues coincide (T_inf for Chung and Hulbert's parameters), only about 16/N digits are correct;
/// [`Eigenvalues`] has closed forms for that case.
pub fn spectral_radius<const N: usize>(t: &SMatrix<f64, N, N>) -> f64 {
    DMatrix::from_column_slice(N, N, t.as_slice())
        .complex_eigenvalues()
        .iter()
        .fold(0.0, |m: f64, z| m.max(z.norm()))
}

/// Eigenvalues of the error propagation T_z of the two integrators in closed form (Lemma 4.17).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigenvalues {
    /// -alpha_m / (1 - alpha_m): accelerations along the constraint manifold, both integrators.
    pub zeta_m: f64,
    /// -alpha_f / (1 - alpha_f): multipliers, both integrators.
    pub zeta_f: f64,
    /// Roots of sigma(zeta) = beta zeta^2 + (1/2 + gamma - 2 beta) zeta + (1/2 - gamma + beta) (135), index-3
    /// only.
    pub index3: [Complex<f64>; 2],
    /// -(1 - gamma)/gamma, the root that replaces them in the stabilized form.
    pub stabilized: f64,
}

impl Eigenvalues {
    /// Eigenvalues for these parameters.
    pub fn new(alpha: &Alpha) -> Self {
        let (a, b) = (alpha.beta, 0.5 + alpha.gamma - 2.0 * alpha.beta);
        let c = 1.0 - a - b;
        let root = Complex::new(b * b - 4.0 * a * c, 0.0).sqrt();
        Eigenvalues {
            zeta_m: -alpha.alpha_m / (1.0 - alpha.alpha_m),
            zeta_f: -alpha.alpha_f / (1.0 - alpha.alpha_f),
            index3: [(root - b) / (2.0 * a), (-root - b) / (2.0 * a)],
            stabilized: -(1.0 - alpha.gamma) / alpha.gamma,
        }
    }

    /// Spectral radius of T_z in (95).
    pub fn radius_index3(&self) -> f64 {
        self.index3.iter().fold(self.zeta_m.abs().max(self.zeta_f.abs()), |m, z| m.max(z.norm()))
    }

    /// Spectral radius of T_z in (100).
    pub fn radius_stabilized_index2(&self) -> f64 {
        let m = self.zeta_m.abs().max(self.zeta_f.abs());
        m.max(self.stabilized.abs())
    }
}

/// Largest entry of a sequence in modulus.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The step.
    pub n: usize,
    /// The value, with its sign.
    pub value: f64,
}

impl Peak {
    fn observe(&mut self, n: usize, value: f64) {
        if value.abs() > self.value.abs() {
            *self = Peak { n, value };
        }
    }
}

/// max_n |T^n|_2 over n >= 0: the largest growth of a perturbation before it is damped.
///
/// The search ends at the first n with |T^n| <= 1, which bounds all later powers by earlier ones.
pub fn overshoot(t: &Matrix3<f64>) -> Result<Peak, Error> {
    let mut peak = Peak { n: 0, value: 1.0 };
    powers(t, |n, _, norm| {
        peak.observe(n, norm);
        norm <= 1.0
    })?;
    Ok(peak)
}

/// c_n of (53): the error of lambda in step n is c_n h v''(t_0) + O(h^2), for Chung and Hulbert's parameters.
pub fn error_constant(rho_inf: f64, n: usize) -> Result<f64, Error> {
    let c_q = Alpha::from_rho(rho_inf)?.c_q();
    let (x, mu) = (n as f64, -rho_inf);
    // Only mu^k with k >= 0 is needed: the factors n (n - 1) and n remove the others.
    let power = |k: usize| (0..k).fold(1.0, |p, _| p * mu);
    let jordan = match n {
        0 => 0.0,
        1 => 2.0 - rho_inf,
        _ => {
            0.5 * x * (x - 1.0) * (rho_inf * rho_inf - 1.0) * power(n - 2)
                + x * (2.0 - rho_inf) * power(n - 1)
        }
    };
    Ok(c_q * (1.0 + rho_inf).powi(2) * jordan)
}

/// c_0 .. c_n for any parameters: first components of T_inf^n (0, C_q, 0)^T.
pub fn error_constants(alpha: &Alpha, n: usize) -> Result<Vec<f64>, Error> {
    let t = Recursion::index3(alpha).matrix()?;
    let mut z = Vector3::new(0.0, alpha.c_q(), 0.0);
    let mut c = vec![z[0]];
    for _ in 0..n {
        z = t * z;
        c.push(z[0]);
    }
    Ok(c)
}

/// The c_n largest in modulus, for parameters that satisfy the stability conditions (134).
pub fn largest_error_constant(alpha: &Alpha) -> Result<Peak, Error> {
    let t = Recursion::index3(alpha).matrix()?;
    let start = Vector3::new(0.0, alpha.c_q(), 0.0);
    let mut peak = Peak::default();
    let mut longest = start.norm();
    powers(&t, |n, power, norm| {
        let z = power * start;
        peak.observe(n, z[0]);
        longest = longest.max(z.norm());
        // Later vectors are T^n times earlier ones.
        norm <= 1.0 && norm * longest <= peak.value.abs()
    })?;
    Ok(peak)
}

/// Computes T^n and |T^n|_2 for n = 1, 2, ... until `stop` returns true.
fn powers(t: &Matrix3<f64>, mut stop: impl FnMut(usize, &Matrix3<f64>, f64) -> bool) -> Result<(), Error> {
    let mut power = *t;
    for n in 1..=MAX_TRANSIENT {
        let norm = power.singular_values()[0];
        if !norm.is_finite() {
            break;
        }
        if stop(n, &power, norm) {
            return Ok(());
        }
        power *= t;
    }
    Err(Error::Coefficients {
        violation: format!(
            "the powers of T do not decay within {MAX_TRANSIENT} steps, its spectral radius is {}",
            spectral_radius(t)
        ),
    })
}
