//! Joints in directors: the rows of every joint are products of vectors that are affine in q, hence at most
//! quadratic.
//!
//! Coincidence of points is linear. All other rows are scalar invariants (products of directions, of a
//! direction with a distance, a squared distance), so energy-momentum schemes keep angular momentum.

use nalgebra::Vector3;

use super::bodies::DirectorBody;
use crate::{Affine, Quadratic};
use precess_engine::mechanics::joints::JointRows;

/// Both sides of a joint; `None` is the ground.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    /// First body.
    pub a: Option<&'a DirectorBody>,
    /// Second body.
    pub b: Option<&'a DirectorBody>,
}

/// A row, with points or directions in the body frames.
#[derive(Clone, Debug)]
pub enum DirectorRow {
    /// scale (r_a - r_b) = 0, three rows.
    Coincidence(Vector3<f64>, Vector3<f64>, f64),
    /// u_a . u_b = c.
    Product(Vector3<f64>, Vector3<f64>, f64),
    /// scale (u_a . (r_b - r_a) - c) = 0.
    Offset(Vector3<f64>, [Vector3<f64>; 2], f64, f64),
    /// scale (|r_b - r_a|^2 - c) = 0.
    Distance([Vector3<f64>; 2], f64, f64),
}

pub(super) fn point(body: Option<&DirectorBody>, p: &Vector3<f64>) -> Affine {
    body.map_or_else(|| Affine::fixed(*p), |b| b.point(p))
}

pub(super) fn direction(body: Option<&DirectorBody>, u: &Vector3<f64>) -> Affine {
    body.map_or_else(|| Affine::fixed(*u), |b| b.direction(u))
}

/// Number of directors without inertia along which a vector of a body has components.
fn massless(body: Option<&DirectorBody>, u: &Vector3<f64>) -> usize {
    body.filter(|b| !b.is_point).map_or(0, |b| {
        let c = b.components(u);
        (0..3).filter(|&i| c[i] != 0.0 && b.e[i] == 0.0).count()
    })
}

/// The rows of a joint without its drives ([`drives`](super::drives)); `None` for threads, which are not
/// quadratic, and for rows of velocities.
///
/// "b_3 is parallel to a_3" can be written with a_1, a_2 and b_3 or with a_3, b_1 and b_2: the one with fewer
/// directors without inertia is used.
pub fn rows(rows: &[JointRows], sides: Sides) -> Option<Vec<DirectorRow>> {
    let mut out = Vec::new();
    for rows in rows {
        match rows {
            JointRows::Point(p) => out.push(DirectorRow::Coincidence(p.p_a, p.p_b, p.scale)),
            JointRows::Directions1(d) => {
                out.push(DirectorRow::Product(d.e.column(0).into_owned(), d.h, d.c[0]))
            }
            JointRows::Directions2(d) => {
                let e: [Vector3<f64>; 2] = [d.e.column(0).into_owned(), d.e.column(1).into_owned()];
                let a_3 = e[0].cross(&e[1]);
                let b = perpendicular(sides.b, &d.h);
                let given = massless(sides.a, &e[0]) + massless(sides.a, &e[1]) + massless(sides.b, &d.h);
                let other = massless(sides.a, &a_3) + massless(sides.b, &b[0]) + massless(sides.b, &b[1]);
                if other < given && d.c.amax() == 0.0 {
                    out.extend(b.map(|b| DirectorRow::Product(a_3, b, 0.0)));
                } else {
                    out.extend((0..2).map(|i| DirectorRow::Product(e[i], d.h, d.c[i])));
                }
            }
            JointRows::Offset1(o) => {
                out.push(DirectorRow::Offset(o.e.column(0).into_owned(), [o.p_a, o.p_b], o.c[0], o.scale))
            }
            JointRows::Offset2(o) => {
                out.extend((0..2).map(|i| {
                    DirectorRow::Offset(o.e.column(i).into_owned(), [o.p_a, o.p_b], o.c[i], o.scale)
                }));
            }
            JointRows::Offset3(o) => {
                out.extend((0..3).map(|i| {
                    DirectorRow::Offset(o.e.column(i).into_owned(), [o.p_a, o.p_b], o.c[i], o.scale)
                }));
            }
            JointRows::Distance(d) => {
                let (scale, l) = (d.inner.scale, d.outer.d);
                let square = (l / scale).powi(2);
                out.push(DirectorRow::Distance([d.inner.p_a, d.inner.p_b], square, 0.5 * scale * scale / l));
            }
            JointRows::Drive(_) => {}
            JointRows::Thread(_) | JointRows::Touch(_) | JointRows::KnifeEdge(_) | JointRows::Rolling(_) => {
                return None;
            }
        }
    }
    Some(out)
}

/// Two unit vectors normal to h, along principal axes of the body if h is along one.
fn perpendicular(body: Option<&DirectorBody>, h: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let h = h.normalize();
    let axes = body.map_or_else(nalgebra::Matrix3::identity, |b| b.axes);
    let k = (0..3)
        .fold(0, |k, i| if axes.column(i).dot(&h).abs() < axes.column(k).dot(&h).abs() { i } else { k });
    let first = (axes.column(k) - h * axes.column(k).dot(&h)).normalize();
    [first, h.cross(&first)]
}

impl DirectorRow {
    /// Points and directions of the first and second body in this row.
    pub fn reads(&self) -> [Vec<Vector3<f64>>; 2] {
        match self {
            DirectorRow::Coincidence(p, q, _) | DirectorRow::Product(p, q, _) => [vec![*p], vec![*q]],
            DirectorRow::Offset(u, [p, q], _, _) => [vec![*u, *p], vec![*q]],
            DirectorRow::Distance([p, q], _, _) => [vec![*p], vec![*q]],
        }
    }

    /// The constraints.
    pub fn constraints(&self, sides: Sides) -> Vec<Quadratic> {
        let arm = |p: &Vector3<f64>, q: &Vector3<f64>| point(sides.b, q).plus(-1.0, &point(sides.a, p));
        match self {
            DirectorRow::Coincidence(p, q, scale) => {
                let arm = arm(p, q);
                (0..3).map(|k| Quadratic::component(&arm, k, -scale)).collect()
            }
            DirectorRow::Product(u, w, c) => {
                vec![Quadratic::dot(&direction(sides.a, u), &direction(sides.b, w), *c, 1.0)]
            }
            DirectorRow::Offset(u, [p, q], c, scale) => {
                vec![Quadratic::dot(&direction(sides.a, u), &arm(p, q), *c, *scale)]
            }
            DirectorRow::Distance([p, q], c, scale) => {
                vec![Quadratic::dot(&arm(p, q), &arm(p, q), *c, *scale)]
            }
        }
    }
}
