//! Drive: the coordinate of a joint follows a given function of time. One rheonomic row beside those of the joint.
//!
//! Angle phi(t): with n = sin(phi) a_1 - cos(phi) a_2 the row is n . b_1 = sin(phi - theta), smooth at every angle and
//! without memory. It cannot tell theta from theta + pi: the value is NaN on the wrong side, so that a step that jumps
//! there is refused. The multiplier is the torque on body b about a_3.
//! Displacement c(t): the row (c - a_3 . rho)/L; lambda/L is the force on b along a_3.
//!
//! A drive that an event turns on goes on from the coordinate it finds: x(t) = x_e + f(t) - f(t_e), a shift of the function.

use nalgebra::{Vector1, Vector3};
use precess_lie::Number;

use crate::mechanics::beside::beside;
use crate::mechanics::function::Function;
use crate::mechanics::kernels::{Blocks, Directions, Marker, Measure, Offset, Pair, PairMotion, Row};

/// The time, and what a drive adds to its function since it was turned on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct When<T = f64> {
    /// Time.
    pub t: T,
    /// x_e - f(t_e).
    pub shift: T,
}

/// A prescribed joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive<T = f64> {
    /// The coordinate as a function of time.
    pub function: Function,
    /// Value of the coordinate in the assembled positions.
    pub zero: T,
    kind: Kind<T>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind<T = f64> {
    Angle { e1: Vector3<T>, e2: Vector3<T>, h1: Vector3<T> },
    Displacement(Offset<1, T>),
}

impl<T: Number> Drive<T> {
    /// True if it prescribes an angle.
    pub fn is_rotation(&self) -> bool {
        matches!(self.kind, Kind::Angle { .. })
    }

    /// Prescribes the angle about axis 3.
    pub fn angle(a: &Marker<T>, b: &Marker<T>, function: Function, zero: T) -> Self {
        Drive { function, zero, kind: Kind::Angle { e1: a.axis(0), e2: a.axis(1), h1: b.axis(0) } }
    }

    /// Prescribes the displacement along axis 3.
    pub fn displacement(a: &Marker<T>, b: &Marker<T>, length: T, function: Function, zero: T) -> Self {
        let offset = Offset::constraint([a.axis(2)], a.p, b.p, Vector1::zeros(), length);
        Drive { function, zero, kind: Kind::Displacement(offset) }
    }

    /// Value.
    #[inline]
    pub fn value(&self, when: When<T>, pair: &Pair<T>) -> T {
        let [phi, ..] = self.function.motion(when.t);
        let phi = phi + when.shift - self.zero;
        match &self.kind {
            Kind::Angle { e1, e2, h1 } => {
                let (sin, cos) = phi.sin_cos();
                let b1 = pair.r_ab * h1;
                let same_side = (e1 * cos + e2 * sin).dot(&b1);
                same_side.if_positive((e1 * sin - e2 * cos).dot(&b1), T::of(f64::NAN))
            }
            Kind::Displacement(offset) => offset.value(pair).x - offset.scale * phi,
        }
    }

    /// The row at a fixed time.
    #[inline]
    fn frozen(&self, when: When<T>) -> Frozen<T> {
        let [phi, phi_t, phi_tt] = self.function.motion(when.t);
        match &self.kind {
            Kind::Angle { e1, e2, h1 } => {
                let (sin, cos) = (phi + when.shift - self.zero).sin_cos();
                let (n, m) = (e1 * sin - e2 * cos, e1 * cos + e2 * sin);
                let row = |e: Vector3<T>| Directions::perpendicular([e], *h1);
                Frozen::Angle([row(n), row(m * phi_t), row(m * phi_tt - n * (phi_t * phi_t))])
            }
            Kind::Displacement(offset) => {
                Frozen::Displacement(*offset, [-offset.scale * phi_t, -offset.scale * phi_tt])
            }
        }
    }

    /// B v + Phi_t.
    #[inline]
    pub fn velocity(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>) -> T {
        match self.frozen(when) {
            Frozen::Angle([n, n_t, _]) => n.bv(pair, v).x + n_t.value(pair).x,
            Frozen::Displacement(d, [phi_t, _]) => d.bv(pair, v).x + phi_t,
        }
    }

    /// B v' + Z(v, v) + 2 B_t v + Phi_tt.
    #[inline]
    pub fn acceleration(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>, vdot: &PairMotion<T>) -> T {
        match self.frozen(when) {
            Frozen::Angle([n, n_t, n_tt]) => {
                n.bv(pair, vdot).x + n.z(pair, v).x + T::of(2.0) * n_t.bv(pair, v).x + n_tt.value(pair).x
            }
            Frozen::Displacement(d, [_, phi_tt]) => d.bv(pair, vdot).x + d.z(pair, v).x + phi_tt,
        }
    }

    /// The row of B.
    #[inline]
    pub fn row(&self, when: When<T>, pair: &Pair<T>) -> Row<T> {
        match self.frozen(when) {
            Frozen::Angle([n, ..]) => n.rows(pair)[0],
            Frozen::Displacement(d, _) => d.rows(pair)[0],
        }
    }

    /// The row of Y = D_q(B v + Phi_t).
    #[inline]
    pub fn y_row(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>) -> Row<T> {
        match self.frozen(when) {
            Frozen::Angle([n, n_t, _]) => n.y_rows(pair, v)[0] + n_t.rows(pair)[0],
            Frozen::Displacement(d, _) => d.y_rows(pair, v)[0],
        }
    }

    /// Adds D_q(B^T lambda).
    #[inline]
    pub fn add_k(&self, when: When<T>, pair: &Pair<T>, lambda: T, k: &mut impl Blocks<T>) {
        match self.frozen(when) {
            Frozen::Angle([n, ..]) => n.add_k(pair, &Vector1::new(lambda), k),
            Frozen::Displacement(d, _) => d.add_k(pair, &Vector1::new(lambda), k),
        }
    }
}

/// A drive at a fixed time: its row with the time derivatives.
enum Frozen<T> {
    /// Rows of n, n' and n''.
    Angle([Directions<1, T>; 3]),
    /// The row, Phi_t and Phi_tt.
    Displacement(Offset<1, T>, [T; 2]),
}

beside!(enum Kind { Angle { e1, e2, h1 }, Displacement(x) });
beside!(struct Drive { function, zero, kind });
