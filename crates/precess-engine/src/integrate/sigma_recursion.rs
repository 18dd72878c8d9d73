//! The linear recursion of errors in a steady spin, which explains why multipliers grow in index-3 form.
//!
//! A body turns with constant Omega about an axis through a fixed point X, where x = R X holds it. Errors of
//! all quantities of a step are followed to first order, in the frame of the body: rotation psi, omega,
//! omega', a, and the same for the translation. The translation is affine in R^3,
//!
//! ```text
//! x_np1 = x_n + h u_n + h^2 ((1/2 - beta) alpha_n + beta alpha_np1),
//!         seen from a frame that has turned by h Omega,
//! ```
//!
//! while the rotation goes through the relation between theta and v of the method (T = T(h Omega), E = exp(h
//! Omega~)):
//!
//! ```text
//! exact:      psi_np1 = E^T psi_n + T dtheta
//!             (h beta/gamma) P omega_np1 = dtheta - (dT(h Omega)[dtheta]) w - T dc
//! published:  psi_np1 = E^T psi_n + T dtheta_p + D,   omega_np1 = omega_p + gamma/(h beta) P^-1 D
//! ```
//!
//! with the predictor theta_p, omega_p of [`Sigma`](super::Sigma) and the sum D of Newton's increments. For h
//! = 0 the errors of the multipliers belong to the eigenvalue -rho, in chains of length three for each
//! constraint. The terms of size h Omega split it:
//!
//! - sigma = 0: eigenvalues move by O(h), since the two kinds of kinematics agree;
//! - exact, sigma > 0: by O(h^(1/2)), to both sides, and bend back inside the unit circle;
//! - published: by O(h^(1/3)), the largest split a chain of three allows. (12) is never evaluated, so v
//!   follows D = T dtheta instead of (I - dT(.) w) dtheta: a factor I + (h beta/(2 gamma)) v^ is missing. The
//!   predictor has an error of the same kind, proportional to its factor p. The two cancel near p = 1, the
//!   printed value, which is why the corrected p = 1/2 is the less stable one.
//!
//! The first step size for which an eigenvalue near -1 leaves the unit circle agrees with runs of the heavy
//! top (test `sigma_warning`, example `stability_map`).

use nalgebra::{Complex, DMatrix, Matrix3, Vector3};
use precess_lie::rotation::{rotation_matrix, skew};
use precess_lie::{Factor, Product};

use super::alpha::Alpha;
use super::sigma::{Modification, Variant};

/// Errors of a step: psi, omega, omega', a, x, u, u', alpha.
const STATE: usize = 8;
/// Further unknowns of a step: lambda, and dtheta or D.
const LAMBDA: usize = 8;
const THETA: usize = 9;

/// Rows of equations `plus (new, lambda, dtheta) = zero old`, three at a time.
struct Recurrence {
    plus: DMatrix<f64>,
    zero: DMatrix<f64>,
    row: usize,
}

impl Recurrence {
    /// Adds one vector equation.
    fn add(&mut self, plus: &[(usize, Matrix3<f64>)], zero: &[(usize, Matrix3<f64>)]) {
        for (k, m) in plus {
            self.plus.fixed_view_mut::<3, 3>(3 * self.row, 3 * k).copy_from(m);
        }
        for (k, m) in zero {
            self.zero.fixed_view_mut::<3, 3>(3 * self.row, 3 * k).copy_from(m);
        }
        self.row += 1;
    }
}

/// A body that turns steadily about a principal axis through its centre of mass and the fixed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadySpin {
    /// Mass.
    pub m: f64,
    /// Principal moments of inertia about the centre of mass.
    pub j: Vector3<f64>,
    /// Centre of mass in the body frame, seen from the fixed point.
    pub x: Vector3<f64>,
    /// Angular velocity, along x.
    pub omega: f64,
}

/// The matrix that multiplies the errors in a step of size h in index-3 form.
pub fn recursion(
    body: &SteadySpin,
    alpha: &Alpha,
    modification: &Modification,
    h: f64,
) -> Option<DMatrix<f64>> {
    let Alpha { alpha_m, alpha_f, beta, gamma } = *alpha;
    let sigma = modification.sigma.value(alpha);
    let one = Matrix3::identity();
    let omega = body.x.normalize() * body.omega;
    let j = Matrix3::from_diagonal(&body.j);
    let group = Product::new([Factor::SO3]);
    let turn = omega * h;
    let back = rotation_matrix(&exp(&turn)).transpose();
    let t = operator(|x, out| group.tangent_times(turn.as_slice(), x, out));
    let p_matrix = one * sigma + t * (1.0 - sigma);
    let n = 3 * (THETA + 1);
    let mut rows = Recurrence { plus: DMatrix::zeros(n, n), zero: DMatrix::zeros(n, 3 * STATE), row: 0 };
    let [psi, om, omd, a, x, u, ud, al] = [0, 1, 2, 3, 4, 5, 6, 7];
    let hh = h * h;

    rows.add(
        &[(x, one), (al, one * (-hh * beta))],
        &[(x, back), (u, back * h), (al, back * (hh * (0.5 - beta)))],
    );
    rows.add(&[(u, one), (al, one * (-h * gamma))], &[(u, back), (al, back * (h * (1.0 - gamma)))]);
    rows.add(
        &[(al, one * (1.0 - alpha_m)), (ud, one * (alpha_f - 1.0))],
        &[(al, back * -alpha_m), (ud, back * alpha_f)],
    );
    rows.add(&[(om, one), (a, one * (-h * gamma))], &[(om, one), (a, one * (h * (1.0 - gamma)))]);
    rows.add(
        &[(a, one * (1.0 - alpha_m)), (omd, one * (alpha_f - 1.0))],
        &[(a, one * -alpha_m), (omd, one * alpha_f)],
    );
    // J omega' + Omega x J omega + omega x J Omega + X x lambda = 0, m u' - lambda = 0, x = psi x X.
    let gyroscopic = skew(&omega) * j - skew(&(j * omega));
    rows.add(&[(omd, j), (om, gyroscopic), (LAMBDA, skew(&body.x))], &[]);
    rows.add(&[(ud, one * body.m), (LAMBDA, -one)], &[]);
    rows.add(&[(x, one), (psi, skew(&body.x))], &[]);
    match modification.variant {
        Variant::Exact => {
            let w = turn * (1.0 - sigma * beta / gamma);
            let mut bent = vec![0.0; group.tangent_len()];
            group.tangent_times_derivative(turn.as_slice(), w.as_slice(), &mut bent);
            let bent = operator(|x, out| {
                out.copy_from_slice(x);
                group.compact_times(&bent, out);
            });
            rows.add(&[(psi, one), (THETA, -t)], &[(psi, back)]);
            rows.add(
                &[(om, p_matrix * (h * beta / gamma)), (THETA, bent - one)],
                &[(om, t * (-h * (1.0 - beta / gamma))), (a, t * (-hh * (0.5 - beta / gamma)))],
            );
        }
        // (65) differs in third order of h omega, which is not in the linear recursion of P.
        Variant::Published | Variant::Printed => {
            // a_p = (alpha_f omega'_n - alpha_m a_n)/(1 - alpha_m), v_p and theta_p from it, then line 6.
            let (of_vdot, of_a) = (alpha_f / (1.0 - alpha_m), -alpha_m / (1.0 - alpha_m));
            let (v_a, v_vdot) = (h * (1.0 - gamma) + h * gamma * of_a, h * gamma * of_vdot);
            let (t_a, t_vdot) = (hh * (0.5 - beta) + hh * beta * of_a, hh * beta * of_vdot);
            let line_6 = skew(&omega) * (modification.predictor_factor * sigma * h * beta / gamma);
            let predicted = |theta: f64, v: f64| t * (one * theta - line_6 * (theta - h * v));
            rows.add(
                &[(psi, one), (THETA, -one)],
                &[(psi, back), (om, t * h), (a, predicted(t_a, v_a)), (omd, predicted(t_vdot, v_vdot))],
            );
            rows.add(
                &[(om, p_matrix), (THETA, one * (-gamma / (h * beta)))],
                &[(om, p_matrix), (a, p_matrix * v_a), (omd, p_matrix * v_vdot)],
            );
        }
    }
    let solved = rows.plus.lu().solve(&rows.zero)?;
    // Positions count in h^2, velocities in h: all entries then have the same size, as needed for the
    // eigenvalues.
    let unit = |i: usize| [hh, h, 1.0, 1.0][i / 3 % 4];
    Some(DMatrix::from_fn(3 * STATE, 3 * STATE, |i, j| solved[(i, j)] * unit(j) / unit(i)))
}

/// Eigenvalues of the [`recursion`] near the negative real axis: those of the multipliers.
pub fn alternating(
    body: &SteadySpin,
    alpha: &Alpha,
    modification: &Modification,
    h: f64,
) -> Vec<Complex<f64>> {
    let Some(schur) = recursion(body, alpha, modification, h).and_then(|m| m.try_schur(f64::EPSILON, 10_000))
    else {
        return Vec::new();
    };
    schur.complex_eigenvalues().iter().copied().filter(|z| z.re < -0.3).collect()
}

/// The smallest of these step sizes (in increasing order) for which multipliers grow.
pub fn first_unstable(
    body: &SteadySpin,
    alpha: &Alpha,
    modification: &Modification,
    steps: impl IntoIterator<Item = f64>,
) -> Option<f64> {
    let grows = |h: &f64| alternating(body, alpha, modification, *h).iter().any(|z| z.norm() > 1.0 + 1e-6);
    steps.into_iter().find(grows)
}

fn exp(theta: &Vector3<f64>) -> [f64; 4] {
    let q = nalgebra::UnitQuaternion::from_scaled_axis(*theta);
    [q.w, q.i, q.j, q.k]
}

/// The matrix of a linear map, from its values at the unit vectors.
fn operator(map: impl Fn(&[f64], &mut [f64])) -> Matrix3<f64> {
    let mut m = Matrix3::zeros();
    for i in 0..3 {
        let mut out = [0.0; 3];
        map(Vector3::ith(i, 1.0).as_slice(), &mut out);
        m.set_column(i, &Vector3::from(out));
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::Sigma;
    use precess_lie::larger;

    /// Largest distance of an eigenvalue of the multipliers from -rho.
    fn split(modification: Modification, h: f64) -> f64 {
        let top = SteadySpin {
            m: 15.0,
            j: Vector3::new(0.234375, 0.46875, 0.234375),
            x: Vector3::y(),
            omega: 150.0,
        };
        let rho = 0.8;
        let alpha = Alpha::from_rho(rho).unwrap();
        let values = alternating(&top, &alpha, &modification, h);
        // Motion along the spin axis has other eigenvalues.
        values.iter().filter(|z| z.re < -0.6).map(|z| (z + rho).norm()).fold(0.0, larger)
    }

    #[test]
    fn eigenvalues_split_by_the_power_of_the_method() {
        let one = Sigma::Value(1.0);
        let half = Modification { predictor_factor: 0.5, ..Modification::published(one) };
        for (modification, power, h) in [
            (Modification::default(), 1.0, 1e-4),
            (Modification::exact(one), 0.5, 1e-6),
            (Modification::exact(Sigma::Optimal), 0.5, 1e-6),
            (half, 1.0 / 3.0, 1e-8),
        ] {
            let measured = (split(modification, 4.0 * h) / split(modification, h)).log(4.0);
            assert!((measured - power).abs() < 0.05, "{modification:?}: {measured:.3}");
        }
    }

    /// The printed factor is close to the one that cancels the missing factor.
    #[test]
    fn printed_predictor_cancels() {
        let with = |p| {
            let m = Modification { predictor_factor: p, ..Modification::published(Sigma::Value(1.0)) };
            split(m, 1e-6).powi(3)
        };
        assert!(with(1.0) < 0.05 * with(0.5) && with(1.0) < 0.05 * with(1.5));
    }
}
