//! A body in directors: q = (phi, d_1, d_2, d_3), the centre of mass and the principal axes in space.
//!
//! ```text
//! T = m |phi'|^2/2 + sum of E_i |d_i'|^2/2,    E_i = (I_j + I_k - I_i)/2 = integral of X_i^2 dm      (101)
//! r(X) = phi + X_1 d_1 + X_2 d_2 + X_3 d_3    for a material point: linear in q
//! d_i . d_j = delta_ij                          six internal constraints                         (103)
//! ```
//!
//! A body without extent along an axis has E_i = 0 there: a flat disk (one) or a thin rod (two). If nothing
//! is attached to that director, it is left out together with its internal constraints. This is exact and
//! saves three coordinates.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};
use precess_lie::matrix::SmallMatrix;

use crate::directions::spin;
use crate::{Affine, Conservative, Quadratic};
use precess_engine::Error;
use precess_engine::mechanics::{BodyKind, frame_along};

/// Smaller E_i, relative to the largest, count as zero.
const ZERO_INERTIA: f64 = 1e-10;
/// Smaller components count as zero: they are round-off of the rotation into principal axes.
const ZERO_COMPONENT: f64 = 1e-14;

/// The 3-vector at x[i..i + 3].
pub(super) fn three(x: &[f64], i: usize) -> Vector3<f64> {
    Vector3::new(x[i], x[i + 1], x[i + 2])
}

/// A body and its position in q.
#[derive(Clone, Debug)]
pub struct DirectorBody {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// First coordinate of phi.
    pub phi: usize,
    /// First coordinates of the directors; none for those left out and for point masses.
    pub directors: [Option<usize>; 3],
    /// E_i.
    pub e: [f64; 3],
    /// Principal axes in the body frame, as columns.
    pub axes: Matrix3<f64>,
    /// True for point masses.
    pub is_point: bool,
}

impl DirectorBody {
    /// The inertia of a body; positions in q are assigned later.
    pub fn new(name: &str, mass: f64, kind: &BodyKind) -> Result<Self, Error> {
        let mut body = DirectorBody {
            name: name.to_string(),
            mass,
            phi: 0,
            directors: [None; 3],
            e: [0.0; 3],
            axes: Matrix3::identity(),
            is_point: true,
        };
        if let BodyKind::Rigid { inertia } = kind {
            body.is_point = false;
            let euler = Matrix3::identity() * (0.5 * inertia.trace()) - inertia;
            let size = euler.trace().abs();
            let diagonal = (euler - Matrix3::from_diagonal(&euler.diagonal())).amax() <= 1e-14 * size;
            let mut e = euler.diagonal();
            if !diagonal {
                let eigen = SymmetricEigen::new(euler);
                (e, body.axes) = (eigen.eigenvalues, eigen.eigenvectors);
                if body.axes.determinant() < 0.0 {
                    body.axes.column_mut(2).neg_mut();
                }
            }
            for i in 0..3 {
                if e[i] < -ZERO_INERTIA * size {
                    return Err(Error::Unsupported {
                        method: "the formulation directors".to_string(),
                        reason: format!(
                            "body '{name}' has a principal moment of inertia larger than the sum of the two \
                             others (E_{} = {:.3e}): \
                             no distribution of mass has that",
                            i + 1,
                            e[i]
                        ),
                    });
                }
                body.e[i] = if e[i] <= ZERO_INERTIA * size { 0.0 } else { e[i] };
            }
        }
        Ok(body)
    }

    /// Assigns positions in q. Directors without inertia are kept if `used`. Returns the number of
    /// coordinates.
    pub fn assign_indices(&mut self, at: usize, used: [bool; 3]) -> usize {
        self.phi = at;
        let mut next = at + 3;
        if !self.is_point {
            for i in 0..3 {
                if self.e[i] > 0.0 || used[i] {
                    self.directors[i] = Some(next);
                    next += 3;
                }
            }
        }
        next - at
    }

    /// Principal components of a vector in the body frame.
    pub fn components(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let c = self.axes.transposed_times(x);
        let size = c.amax();
        c.map(|y| if y.abs() <= ZERO_COMPONENT * size { 0.0 } else { y })
    }

    /// A direction fixed in the body.
    pub fn direction(&self, u: &Vector3<f64>) -> Affine {
        let c = self.components(u);
        let mut out = Affine::default();
        for i in 0..3 {
            if let (Some(d), true) = (self.directors[i], c[i] != 0.0) {
                out.terms.push((d, c[i]));
            }
        }
        out
    }

    /// A point fixed in the body, from the centre of mass.
    pub fn point(&self, p: &Vector3<f64>) -> Affine {
        Affine::at(self.phi).plus(1.0, &self.direction(p))
    }

    /// Adds mass, vectors and internal constraints to a system.
    pub fn add_to(&self, system: &mut Conservative) {
        system.add_mass(self.phi, self.mass);
        system.points.push(self.phi);
        for (i, d) in self.present() {
            if self.e[i] > 0.0 {
                system.add_mass(d, self.e[i]);
            }
            system.directions.push(d);
        }
        for (i, a) in self.present() {
            let unit = Quadratic::dot(&Affine::at(a), &Affine::at(a), 1.0, 0.5);
            system.constrain(&format!("director {} of {}", i + 1, self.name), unit);
        }
        for (i, a) in self.present() {
            for (j, b) in self.present().filter(|x| x.0 > i) {
                let angle = Quadratic::dot(&Affine::at(a), &Affine::at(b), 0.0, 1.0);
                system.constrain(&format!("directors {} and {} of {}", i + 1, j + 1, self.name), angle);
            }
        }
    }

    /// The directors that are coordinates: number and position in q.
    pub fn present(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.directors.iter().enumerate().filter_map(|(i, d)| d.map(|d| (i, d)))
    }

    /// Rotation from the principal axes to space; missing directors follow from the others.
    pub fn rotation(&self, q: &[f64]) -> Matrix3<f64> {
        let mut d = [Vector3::zeros(); 3];
        for (i, at) in self.present() {
            d[i] = three(q, at);
        }
        let missing: Vec<usize> = (0..3).filter(|&i| self.directors[i].is_none()).collect();
        match missing[..] {
            [i] => d[i] = d[(i + 1) % 3].cross(&d[(i + 2) % 3]),
            [i, j] => {
                // A rod: any frame about its axis is correct.
                let k = 3 - i - j;
                let frame = frame_along(&d[k]);
                d[(k + 1) % 3] = frame.column(0).into_owned();
                d[(k + 2) % 3] = frame.column(1).into_owned();
            }
            [_, _, _] => return Matrix3::identity(),
            _ => {}
        }
        Matrix3::from_columns(&d)
    }

    /// Angular velocity in space, sum of d_i x d_i'/2 over all three directors.
    pub fn angular_velocity(&self, q: &[f64], v: &[f64]) -> Vector3<f64> {
        self.spin(q, |d| three(v, d))
    }

    /// Angular acceleration w', from d'' - w x (w x d) = w' x d, like w from d' = w x d.
    pub fn angular_acceleration(&self, q: &[f64], v: &[f64], vdot: &[f64]) -> Vector3<f64> {
        let omega = self.angular_velocity(q, v);
        self.spin(q, |d| three(vdot, d) - omega.cross(&omega.cross(&three(q, d))))
    }

    /// The vector x with rate(d) = x cross d for the directors d that are coordinates.
    fn spin(&self, q: &[f64], rate: impl Fn(usize) -> Vector3<f64>) -> Vector3<f64> {
        spin(q, self.present().map(|x| x.1), rate)
    }

    /// Force and moment about the centre of mass of a generalised force on this body.
    pub fn wrench(&self, q: &[f64], f: &[f64]) -> [Vector3<f64>; 2] {
        let moment = self
            .present()
            .fold(Vector3::zeros(), |m: Vector3<f64>, (_, d)| m + three(q, d).cross(&three(f, d)));
        [three(f, self.phi), moment]
    }
}
