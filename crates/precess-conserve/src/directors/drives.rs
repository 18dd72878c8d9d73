//! Drives in directors: rows that depend on time.
//!
//! ```text
//! g(q, t) = sum of c_i(t) P_i(q) + c(t)
//! g'  = sum of c_i DP_i v + c_i' P_i + c'
//! g'' = sum of c_i (DP_i v' + v.D^2P_i v) + 2 c_i' DP_i v + c_i'' P_i + c''
//! ```
//!
//! The products P_i of directors and distances are quadratic, so the row is exactly that of [`Drive`] in
//! absolute coordinates. It is rheonomic, which LA (Remark 2.3) allows. Conserving methods need constraints
//! g(q): `gen-alpha` and `bliedf` only.

use nalgebra::{Matrix1, Vector3};
use std::ops::Range;

use super::joints::{DirectorRow, Sides};
use crate::Quadratic;
use precess_engine::mechanics::joints::Drive;
use precess_engine::mechanics::joints::drive::{DriveCoefficients, DriveProducts};
use precess_engine::mechanics::{At, Tangents};

/// The row of a drive.
#[derive(Clone, Debug)]
pub struct DirectorDrive {
    /// The joint.
    pub joint: String,
    drive: Drive,
    products: Vec<Quadratic>,
}

/// The products of a drive, as rows of a joint.
pub fn products(drive: &Drive) -> Vec<DirectorRow> {
    match drive.products() {
        DriveProducts::Directions(e, h) => {
            let used = e.into_iter().filter(|e| *e != Vector3::zeros());
            used.map(|e| DirectorRow::Product(e, h, 0.0)).collect()
        }
        DriveProducts::Offset(o) => {
            vec![DirectorRow::Offset(o.e.column(0).into_owned(), [o.p_a, o.p_b], o.c[0], o.scale)]
        }
    }
}

impl DirectorDrive {
    /// A drive of a joint between bodies that have positions in q.
    pub fn new(joint: &str, drive: Drive, sides: Sides) -> Self {
        let products = products(&drive).iter().flat_map(|row| row.constraints(sides)).collect();
        DirectorDrive { joint: joint.to_string(), drive, products }
    }

    /// The products with their coefficients and derivatives of these.
    fn terms(&self, c: &DriveCoefficients) -> impl Iterator<Item = (&Quadratic, [f64; 3])> {
        self.products.iter().zip(c.of)
    }

    /// g(q, t); NaN if an angle differs by more than a quarter turn.
    pub fn value(&self, t: f64, q: &[f64]) -> f64 {
        let c = self.drive.coefficients(t);
        let side = |side: [f64; 3]| self.products.iter().zip(side).map(|(p, s)| s * p.value(q)).sum::<f64>();
        if c.side.is_some_and(|s| !(side(s) > 0.0)) {
            return f64::NAN;
        }
        self.terms(&c).map(|(p, c)| c[0] * p.value(q)).sum::<f64>() + c.rest[0]
    }

    /// g_t.
    pub fn by_time(&self, t: f64, q: &[f64]) -> f64 {
        let c = self.drive.coefficients(t);
        self.terms(&c).map(|(p, c)| c[1] * p.value(q)).sum::<f64>() + c.rest[1]
    }

    /// G v + g_t.
    pub fn velocity(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let c = self.drive.coefficients(t);
        self.terms(&c).map(|(p, c)| c[0] * p.rate(q, v)).sum::<f64>() + self.by_time(t, q)
    }

    /// The second derivative for t.
    pub fn acceleration(&self, at: &At) -> f64 {
        let c = self.drive.coefficients(at.t);
        let term = |(p, c): (&Quadratic, [f64; 3])| {
            c[0] * (p.rate(at.q, at.vdot) + p.curvature(at.v, at.v))
                + 2.0 * c[1] * p.rate(at.q, at.v)
                + c[2] * p.value(at.q)
        };
        self.terms(&c).map(term).sum::<f64>() + c.rest[2]
    }

    /// out += weight G.
    pub fn add_gradient(&self, t: f64, q: &[f64], weight: f64, out: &mut [f64]) {
        let c = self.drive.coefficients(t);
        self.terms(&c).for_each(|(p, c)| p.add_gradient(q, weight * c[0], out));
    }

    /// The derivatives of this row, `lambda` its multiplier.
    pub fn tangents(&self, row: usize, lambda: f64, at: &At, out: &mut Tangents) {
        let (want, c, entry) = (out.want(), self.drive.coefficients(at.t), Matrix1::new);
        for (p, c) in self.terms(&c) {
            if want.constraint {
                p.each_gradient(at.q, |i, x| out.constraint(row, i, &entry(c[0] * x)));
            }
            if want.curvature {
                p.each_hessian_times(at.v, |i, x| out.curvature(row, i, &entry(c[0] * x)));
                p.each_gradient(at.q, |i, x| out.curvature(row, i, &entry(c[1] * x)));
            }
            if want.stiffness {
                p.each_hessian(|i, j, x| out.stiffness(i, j, &entry(c[0] * x * lambda)));
            }
        }
    }

    /// The bodies it touches, of those with these coordinates.
    pub fn bodies(&self, bodies: &[Range<usize>]) -> Vec<usize> {
        let touched = self.products.iter().flat_map(|p| p.touched());
        let mut list: Vec<usize> =
            touched.map(|&i| bodies.partition_point(|b| b.end <= i as usize)).collect();
        list.sort_unstable();
        list.dedup();
        list
    }
}
