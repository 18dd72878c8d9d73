//! Tait-Bryan (Cardan) angles: three coordinates p = (phi_1, phi_2, phi_3) of each rotation, no constraint.
//!
//! ```text
//! R     = R_x(phi_1) R_y(phi_2) R_z(phi_3)   about the axes x, y, z of the moving frame, one after the other
//!
//!         |  c_2 c_3   s_3   0 |
//! Omega = | -c_2 s_3   c_3   0 | p' = E(p) p',     det E = c_2 = cos(phi_2)
//!         |  s_2       0     1 |
//! ```
//!
//! with Omega in the body frame (Géradin and Cardona 2001). Holzinger, Arnold and Gerstmayr compare with
//! Cardan/Tait-Bryan angles without printing the sequence; x-y-z is that of Exudyn, the code they use.
//!
//! **Gimbal lock.** At phi_2 = +-90 degrees E is singular: the axes of phi_1 and phi_3 coincide, and the
//! rates for a given angular velocity are infinite. A model with a body that starts within [`START_DEGREES`]
//! of that is refused. During a run, cos(phi_2) must stay above [`MIN_COSINE`]: an exact motion that does not
//! meet the singularity never leaves (-90, 90) degrees, so an angle beyond them means that the steps went
//! past it. The residual in the row of the middle angle is NaN there, and integrators end with an error that
//! names the body. Runs stop if a step turns a body further than its distance from gimbal lock
//! ([`System::nearest_lock`](crate::mechanics::System::nearest_lock)).
//!
//! **Measured** (heavy top): with the axis of symmetry along z of the body, the spin is phi_3 and nearly
//! linear in time: errors at h = 5e-4, t = 0.1 are 6e-7, five hundred times smaller than in R^3xSO(3). With
//! the axis along y, as in the papers, the spin is phi_2, which comes close to +-90 twice in every turn:
//! gimbal lock is reported for h = 1.25e-4 and larger in index-3 form and 2.5e-4 and larger in stabilized
//! index-2 form, where h = 1.25e-4 has an error of x of 1.5e-2 at t = 1 (R^3xSO(3): 1.9e-5).

use nalgebra::{Matrix3, Matrix3x4, Matrix4, Quaternion, Vector3, Vector4};
use precess_lie::rotation::rotation_matrix;

use super::parameters::{ParameterMotion, Parameters, Variations};

/// Initial middle angles closer to +-90 degrees than this are refused.
pub const START_DEGREES: f64 = 1.0;
/// Smallest cosine of the middle angle during a run: 0.057 degrees from the singularity.
pub const MIN_COSINE: f64 = 1e-3;

/// Angles about x, y, z.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaitBryan;

/// E and its derivatives with respect to phi_2 and phi_3; E does not depend on phi_1.
struct E {
    e: Matrix3<f64>,
    d2: Matrix3<f64>,
    d3: Matrix3<f64>,
    d22: Matrix3<f64>,
    d23: Matrix3<f64>,
    d33: Matrix3<f64>,
}

impl E {
    #[rustfmt::skip]
    fn new(p: &Vector4<f64>) -> Self {
        let (s2, c2) = p[1].sin_cos();
        let (s3, c3) = p[2].sin_cos();
        E {
            e: Matrix3::new(
                c2 * c3, s3, 0.0,
                -c2 * s3, c3, 0.0,
                s2, 0.0, 1.0,
            ),
            d2: first_column(-s2 * c3, s2 * s3, c2),
            d3: Matrix3::new(
                -c2 * s3, c3, 0.0,
                -c2 * c3, -s3, 0.0,
                0.0, 0.0, 0.0,
            ),
            d22: first_column(-c2 * c3, c2 * s3, -s2),
            d23: first_column(s2 * s3, s2 * c3, 0.0),
            d33: Matrix3::new(
                -c2 * c3, -s3, 0.0,
                c2 * s3, -c3, 0.0,
                0.0, 0.0, 0.0,
            ),
        }
    }

    /// E'(p, p').
    fn rate(&self, rate: &Vector3<f64>) -> Matrix3<f64> {
        self.d2 * rate[1] + self.d3 * rate[2]
    }
}

fn first_column(x: f64, y: f64, z: f64) -> Matrix3<f64> {
    Matrix3::new(x, 0.0, 0.0, y, 0.0, 0.0, z, 0.0, 0.0)
}

fn three(x: &Vector4<f64>) -> Vector3<f64> {
    x.fixed_rows::<3>(0).into()
}

fn wide(a: &Matrix3<f64>) -> Matrix3x4<f64> {
    a.fixed_resize::<3, 4>(0.0)
}

impl Parameters for TaitBryan {
    const NAME: &'static str = "tait-bryan";
    const N: usize = 3;
    const ROWS: usize = 0;

    fn quaternion(&self, p: &Vector4<f64>) -> Vector4<f64> {
        let half = |i: usize| (0.5 * p[i]).sin_cos();
        let ((s1, c1), (s2, c2), (s3, c3)) = (half(0), half(1), half(2));
        let q = Quaternion::new(c1, s1, 0.0, 0.0)
            * Quaternion::new(c2, 0.0, s2, 0.0)
            * Quaternion::new(c3, 0.0, 0.0, s3);
        Vector4::new(q.w, q.i, q.j, q.k)
    }

    fn map(&self, p: &Vector4<f64>) -> Matrix3x4<f64> {
        wide(&E::new(p).e)
    }

    fn bias(&self, p: &Vector4<f64>, rate: &Vector4<f64>) -> Vector3<f64> {
        let rate = three(rate);
        E::new(p).rate(&rate) * rate
    }

    fn variations(&self, x: &ParameterMotion) -> Variations {
        let e = E::new(&x.p);
        let (rate, acceleration) = (three(&x.rate), three(&x.acceleration));
        let omega = Matrix3::from_columns(&[Vector3::zeros(), e.d2 * rate, e.d3 * rate]);
        let omega_dot = Matrix3::from_columns(&[
            Vector3::zeros(),
            e.d2 * acceleration + (e.d22 * rate[1] + e.d23 * rate[2]) * rate,
            e.d3 * acceleration + (e.d23 * rate[1] + e.d33 * rate[2]) * rate,
        ]);
        Variations {
            omega: wide(&omega),
            omega_dot: wide(&omega_dot),
            omega_dot_rate: wide(&(e.rate(&rate) + omega)),
        }
    }

    fn force_variation(&self, p: &Vector4<f64>, r: &Vector3<f64>) -> Matrix4<f64> {
        let e = E::new(p);
        Matrix3::from_columns(&[Vector3::zeros(), e.d2.transpose() * r, e.d3.transpose() * r])
            .fixed_resize::<4, 4>(0.0)
    }

    fn start(
        &self,
        quaternion: &Vector4<f64>,
        omega: &Vector3<f64>,
        body: &str,
    ) -> Result<(Vector4<f64>, Vector4<f64>), String> {
        let r = rotation_matrix(quaternion.as_slice());
        let cosine = r[(0, 0)].hypot(r[(0, 1)]);
        let middle = r[(0, 2)].atan2(cosine);
        if cosine < START_DEGREES.to_radians().sin() {
            return Err(format!(
                "gimbal lock of body {body} at the start: its middle angle is {:.3} degrees, within \
                 {START_DEGREES} \
                 degree of +-90; turn the frame of the body, or use r3so3 or euler-parameters",
                middle.to_degrees()
            ));
        }
        let (first, last) = ((-r[(1, 2)]).atan2(r[(2, 2)]), (-r[(0, 1)]).atan2(r[(0, 0)]));
        let (s3, c3) = last.sin_cos();
        let rate_1 = (c3 * omega.x - s3 * omega.y) / cosine;
        let rate_2 = s3 * omega.x + c3 * omega.y;
        let rate_3 = omega.z - middle.sin() * rate_1;
        Ok((Vector4::new(first, middle, last, 0.0), Vector4::new(rate_1, rate_2, rate_3, 0.0)))
    }

    fn singular(&self, p: &Vector4<f64>) -> Option<usize> {
        // NaN angles are reported where they arise.
        (p[1].cos() < MIN_COSINE).then_some(1)
    }

    /// At gimbal lock the x axis of the inertial frame and the z axis of the body coincide or are opposite:
    /// cos(phi_2) is the sine of the angle between them. It changes with the rate of phi_2, and the z axis
    /// circles about the x axis with that of phi_1.
    fn approach(&self, p: &Vector4<f64>, rate: &Vector4<f64>) -> Option<[f64; 3]> {
        let cosine = p[1].cos();
        Some([cosine.clamp(0.0, 1.0).asin(), rate[1].abs(), (cosine * rate[0]).hypot(rate[1])])
    }

    /// Only gimbal lock makes the row of the middle angle the first that is not finite; see the module
    /// documentation.
    fn name(&self, i: usize, body: &str) -> String {
        match i {
            0 => format!("first Tait-Bryan angle of body {body}"),
            1 => format!(
                "middle Tait-Bryan angle of body {body} (gimbal lock of body {body} at +-90 degrees: use \
                 r3so3 or \
                 euler-parameters)"
            ),
            _ => format!("last Tait-Bryan angle of body {body}"),
        }
    }
}
