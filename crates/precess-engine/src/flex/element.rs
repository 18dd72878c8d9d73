//! The two-node element: strain, stress, force, exact tangent, energy, damping.
//!
//! ```text
//! n = K (d - d_0)/L,    V = L/2 eps^T K eps,    delta d = P eta,    P = [-T^-1(-d), T^-1(d)],    g = P^T n
//! K_t = P^T (K/L) P + [H(-d, n); H(d, n)] P,    H(d, n) = d(T^-T(d) n)/dd
//! ```
//!
//! With damping of Kelvin and Voigt the stress is `n + K_d P v/L`. The tangent is left trivialised: it is the
//! derivative of `g(q exp(w))` at `w = 0`, and it is symmetric only at an equilibrium.

use nalgebra::{Matrix3, Matrix6, SVector, Vector3, Vector6};
use precess_lie::{LieGroup, SE3};

use crate::flex::error::MAX_ANGLE;
use crate::flex::jet::Dual;
use crate::flex::operator::{Operator, dual, dual_force, force, of_vectors, to_forces, vector};
use crate::flex::{BeamError, Section};

/// A beam element between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Reference length, along the arc if it is curved.
    pub length: f64,
    /// The reference `d_0`.
    pub reference: Vector6<f64>,
    /// Stiffness of the section.
    pub stiffness: Matrix6<f64>,
    /// Damping of the section, `K_d`.
    pub damping: Option<Matrix6<f64>>,
}

/// Blocks of a derivative with respect to both nodes: rows of the first, then of the second node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// Rows and columns of the first node.
    pub aa: Matrix6<f64>,
    /// Rows of the first, columns of the second node.
    pub ab: Matrix6<f64>,
    /// Rows of the second, columns of the first node.
    pub ba: Matrix6<f64>,
    /// Rows and columns of the second node.
    pub bb: Matrix6<f64>,
}

impl Tangent {
    /// Zero.
    pub fn zero() -> Self {
        let zero = Matrix6::zeros();
        Tangent { aa: zero, ab: zero, ba: zero, bb: zero }
    }

    /// `rows^T middle columns`, with the columns of both nodes for each.
    #[inline]
    pub(crate) fn congruence(
        rows: &[Matrix6<f64>; 2],
        middle: &Matrix6<f64>,
        columns: &[Matrix6<f64>; 2],
    ) -> Self {
        let (a, b) = (middle * columns[0], middle * columns[1]);
        Tangent {
            aa: rows[0].tr_mul(&a),
            ab: rows[0].tr_mul(&b),
            ba: rows[1].tr_mul(&a),
            bb: rows[1].tr_mul(&b),
        }
    }

    /// Adds another one.
    #[inline]
    pub fn add(&mut self, other: &Tangent) {
        self.aa += other.aa;
        self.ab += other.ab;
        self.ba += other.ba;
        self.bb += other.bb;
    }
}

/// The inverse tangent operators of an element, split into `T^-1(d) = E + O` and `T^-1(-d) = E - O`.
struct StrainVariation {
    x: Vector3<Dual>,
    inverse: Operator<Dual>,
}

impl StrainVariation {
    #[inline]
    fn new(d: &Vector6<f64>) -> Self {
        let x = dual(d);
        StrainVariation { x, inverse: Operator::tangent_inverse(&x) }
    }

    /// The two halves of P.
    #[inline]
    fn columns(&self) -> [Matrix6<f64>; 2] {
        let forward = self.inverse.matrix(&self.x);
        let backward: Matrix3<Dual> = -forward.transpose();
        [of_vectors(&backward), of_vectors(&forward)]
    }

    /// `P v`.
    #[inline]
    fn rate(&self, v: &[Vector6<f64>; 2]) -> Vector6<f64> {
        let [a, b] = [dual(&v[0]), dual(&v[1])];
        vector(&(self.inverse.times(&self.x, &b) - self.inverse.transpose().times(&self.x, &a)))
    }
}

impl Element {
    /// An element between two nodes in their reference poses, straight or along the arc of a helix between
    /// them.
    pub fn new(section: &Section, a: &SVector<f64, 7>, b: &SVector<f64, 7>) -> Result<Self, BeamError> {
        let reference = Element::difference(a, b);
        let length = reference.fixed_rows::<3>(3).norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(BeamError::NoLength);
        }
        let angle = Element::angle(&reference);
        if !(angle < MAX_ANGLE) {
            return Err(BeamError::TooCurved { angle });
        }
        Ok(Element { length, reference, stiffness: section.stiffness, damping: None })
    }

    /// With damping `K_d = factor K` of Kelvin and Voigt; the factor is a time.
    #[must_use]
    pub fn with_damping(mut self, factor: f64) -> Self {
        self.damping = (factor != 0.0).then(|| self.stiffness * factor);
        self
    }

    /// `d`, the vector from one node to the other.
    #[inline]
    pub fn difference(a: &SVector<f64, 7>, b: &SVector<f64, 7>) -> Vector6<f64> {
        SE3::difference(a, b)
    }

    /// The angle by which the element turns between its nodes; it must stay below [`MAX_ANGLE`].
    #[inline]
    pub fn angle(d: &Vector6<f64>) -> f64 {
        d.fixed_rows::<3>(0).norm()
    }

    /// Curvature and twist, stretch and shear.
    #[inline]
    pub fn strain(&self, d: &Vector6<f64>) -> Vector6<f64> {
        (d - self.reference) / self.length
    }

    /// Elastic section moments and forces, in the frame of the section.
    #[inline]
    pub fn stress(&self, d: &Vector6<f64>) -> Vector6<f64> {
        self.stiffness * self.strain(d)
    }

    /// Section moments and forces with those of the damping, for the velocities of both nodes.
    #[inline]
    pub fn damped_stress(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2]) -> Vector6<f64> {
        let elastic = self.stress(d);
        match &self.damping {
            Some(k_d) => elastic + k_d * (StrainVariation::new(d).rate(v) / self.length),
            None => elastic,
        }
    }

    /// Elastic energy.
    pub fn energy(&self, d: &Vector6<f64>) -> f64 {
        0.5 * self.length * self.strain(d).dot(&self.stress(d))
    }

    /// Power dissipated by the damping, not negative.
    pub fn dissipation(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2]) -> f64 {
        let Some(k_d) = &self.damping else { return 0.0 };
        let rate = StrainVariation::new(d).rate(v);
        rate.dot(&(k_d * rate)) / self.length
    }

    /// The force `g = P^T n` on both nodes, in their frames.
    #[inline]
    pub fn force(&self, d: &Vector6<f64>, n: &Vector6<f64>) -> [Vector6<f64>; 2] {
        let StrainVariation { x, inverse } = StrainVariation::new(d);
        let n = dual_force(n);
        [-force(&inverse.times(&x, &n)), force(&inverse.transpose().times(&x, &n))]
    }

    /// The rate `d' = P v`.
    #[inline]
    pub fn rate(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2]) -> Vector6<f64> {
        StrainVariation::new(d).rate(v)
    }

    /// The exact derivative of the force with respect to the nodes; `v` only matters with damping.
    pub fn stiffness(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2]) -> Tangent {
        let variation = StrainVariation::new(d);
        let StrainVariation { x, inverse } = &variation;
        let p = variation.columns();
        let mut n = self.stress(d);
        let mut middle = self.stiffness / self.length;
        if let Some(k_d) = &self.damping {
            n += k_d * (variation.rate(v) / self.length);
            // The rates turn with the element: d(P v)/dd.
            let [a, b] = [dual(&v[0]), dual(&v[1])];
            let turning = inverse.jacobian(x, &b) - inverse.transpose().jacobian(x, &a);
            middle += k_d * of_vectors(&turning) / self.length;
        }
        let n = dual_force(&n);
        let geometric =
            [-to_forces(&inverse.jacobian(x, &n)), to_forces(&inverse.transpose().jacobian(x, &n))];
        let mut k = Tangent::congruence(&p, &middle, &p);
        k.add(&Tangent {
            aa: geometric[0] * p[0],
            ab: geometric[0] * p[1],
            ba: geometric[1] * p[0],
            bb: geometric[1] * p[1],
        });
        k
    }

    /// The derivative of the force with respect to the velocities, `P^T (K_d/L) P`; none without damping.
    pub fn viscosity(&self, d: &Vector6<f64>) -> Option<Tangent> {
        let k_d = self.damping.as_ref()?;
        let p = StrainVariation::new(d).columns();
        Some(Tangent::congruence(&p, &(k_d / self.length), &p))
    }
}
