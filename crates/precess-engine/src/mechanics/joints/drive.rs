//! Drive: the coordinate of a joint follows a given function of time. It adds one rheonomic row to those of
//! the joint.
//!
//! Angle phi(t): with n = sin(phi) a_1 - cos(phi) a_2 the row is n . b_1 = sin(phi - theta), smooth at every
//! angle and without memory. It cannot distinguish theta from theta + pi: the value is NaN on the wrong side,
//! so a step that jumps there is refused. The multiplier is the torque on body b about a_3. Displacement
//! c(t): the row (c - a_3 . rho)/L; lambda/L is the force on b along a_3.
//!
//! Guide: a body follows a frame whose position and orientation are functions of time. Three displacements
//! along the axes of the marker on the first body, and three rows d_i(t) . b_j of the axes d of the frame, R
//! = R_z(yaw) R_y(pitch) R_x(roll).
//!
//! A drive that an event turns on continues from the current coordinate: x(t) = x_e + f(t) - f(t_e), a shift
//! of the function.

use nalgebra::{Matrix3, Vector1, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, zeros};

use crate::mechanics::combine::combine;
use crate::mechanics::function::{Argument, Function, MAX_READ};
use crate::mechanics::kernels::{Blocks, Directions, Marker, Measure, Offset, Pair, PairMotion, Row};

/// The time, and the shift of a drive since it was turned on.
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
    kind: DriveKind<T>,
}

#[derive(Clone, Debug, PartialEq)]
enum DriveKind<T = f64> {
    Angle {
        e1: Vector3<T>,
        e2: Vector3<T>,
        h1: Vector3<T>,
    },
    Displacement(Offset<1, T>),
    /// Axis k of a frame that turns by three angles about the axes c stays perpendicular to the axis h of the
    /// second body, which is the next axis of its frame.
    Turned {
        angles: Box<[Function; 3]>,
        c: Matrix3<T>,
        k: usize,
        h: Vector3<T>,
    },
}

/// The row of a drive as a sum of products of body-fixed vectors, for coordinates in which these are
/// polynomials.
#[derive(Clone, Copy, Debug)]
pub enum DriveProducts<T = f64> {
    /// e_i . h for three directions e_i of the first body and one of the second.
    Directions([Vector3<T>; 3], Vector3<T>),
    /// One displacement.
    Offset(Offset<1, T>),
}

/// The row is the sum of `of[i]` times product i, and `rest`; each with first and second derivative for t.
#[derive(Clone, Copy, Debug)]
pub struct DriveCoefficients<T = f64> {
    /// Of the products.
    pub of: [[T; 3]; 3],
    /// Without a product.
    pub rest: [T; 3],
    /// The sum of these times the products is positive on the right side of an angle, see [`Drive`].
    pub side: Option<[T; 3]>,
}

/// A matrix with its first and second derivative for t.
type Turn<T> = [Matrix3<T>; 3];

/// The rotation about coordinate axis k by an angle with its derivatives.
fn turn<T: Number>(k: usize, [phi, phi_t, phi_tt]: [T; 3]) -> Turn<T> {
    let (sin, cos) = phi.sin_cos();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let of = |c: T, s: T, axis: T| {
        let mut m = zeros();
        (m[(i, i)], m[(j, j)], m[(k, k)]) = (c, c, axis);
        (m[(i, j)], m[(j, i)]) = (-s, s);
        m
    };
    let zero = T::zero();
    let (first, second) = (of(-sin, cos, zero), of(-cos, -sin, zero));
    [of(cos, sin, T::one()), first * phi_t, first * phi_tt + second * (phi_t * phi_t)]
}

/// The product of two turns.
fn product<T: Number>(a: &Turn<T>, b: &Turn<T>) -> Turn<T> {
    [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + (a[1] * b[1]) * T::of(2.0) + a[0] * b[2]]
}

/// Roll, pitch and yaw as functions of time.
fn turned<T: Number>(angles: &[Function; 3], t: T) -> Turn<T> {
    let [roll, pitch, yaw] = [0, 1, 2].map(|k| turn(k, angles[k].motion(t)));
    product(&yaw, &product(&pitch, &roll))
}

impl<T: Number> Drive<T> {
    /// True if it prescribes an angle.
    pub fn is_rotation(&self) -> bool {
        matches!(self.kind, DriveKind::Angle { .. } | DriveKind::Turned { .. })
    }

    /// The torque or force along the coordinate, from the multiplier of its row.
    pub fn effort(&self, lambda: T) -> T {
        match &self.kind {
            DriveKind::Angle { .. } | DriveKind::Turned { .. } => lambda,
            DriveKind::Displacement(offset) => -offset.scale * lambda,
        }
    }

    /// Prescribes the angle about axis 3.
    pub fn angle(a: &Marker<T>, b: &Marker<T>, function: Function, zero: T) -> Self {
        Drive { function, zero, kind: DriveKind::Angle { e1: a.axis(0), e2: a.axis(1), h1: b.axis(0) } }
    }

    /// Prescribes the displacement along axis 3.
    pub fn displacement(a: &Marker<T>, b: &Marker<T>, length: T, function: Function, zero: T) -> Self {
        let offset = Offset::constraint([a.axis(2)], a.p, b.p, zeros(), length);
        Drive { function, zero, kind: DriveKind::Displacement(offset) }
    }

    /// Six drives that make the marker on b follow a frame on a: displacements along the axes of a, and roll,
    /// pitch, yaw about them.
    pub fn guide(
        a: &Marker<T>,
        b: &Marker<T>,
        length: T,
        displacements: [Function; 3],
        angles: [Function; 3],
    ) -> [Self; 6] {
        let [x, y, z] = displacements;
        let along = |k: usize, function: Function| {
            let offset = Offset::constraint([a.axis(k)], a.p, b.p, zeros(), length);
            Drive { function, zero: T::zero(), kind: DriveKind::Displacement(offset) }
        };
        let about = |k: usize| {
            let j = (k + 1) % 3;
            let kind = DriveKind::Turned { angles: Box::new(angles.clone()), c: a.c, k, h: b.axis(j) };
            Drive { function: angles[k].clone(), zero: T::zero(), kind }
        };
        [along(0, x), along(1, y), along(2, z), about(0), about(1), about(2)]
    }

    /// The products of which the row is a sum with coefficients that depend on time alone.
    pub fn products(&self) -> DriveProducts<T> {
        match &self.kind {
            DriveKind::Angle { e1, e2, h1 } => DriveProducts::Directions([*e1, *e2, zeros()], *h1),
            DriveKind::Displacement(offset) => DriveProducts::Offset(*offset),
            DriveKind::Turned { c, h, .. } => {
                DriveProducts::Directions([0, 1, 2].map(|i| c.column(i).into_owned()), *h)
            }
        }
    }

    /// Their coefficients at time t, without a shift.
    pub fn coefficients(&self, t: T) -> DriveCoefficients<T> {
        let [phi, phi_t, phi_tt] = self.function.motion(t);
        let mut out = DriveCoefficients { of: [[T::zero(); 3]; 3], rest: [T::zero(); 3], side: None };
        match &self.kind {
            DriveKind::Angle { .. } => {
                let (sin, cos) = (phi - self.zero).sin_cos();
                out.of[0] = [sin, cos * phi_t, cos * phi_tt - sin * (phi_t * phi_t)];
                out.of[1] = [-cos, sin * phi_t, sin * phi_tt + cos * (phi_t * phi_t)];
                out.side = Some([cos, sin, T::zero()]);
            }
            DriveKind::Displacement(offset) => {
                out.of[0][0] = T::one();
                out.rest = [phi - self.zero, phi_t, phi_tt].map(|x| -offset.scale * x);
            }
            DriveKind::Turned { angles, k, .. } => {
                let [r, r_t, r_tt] = turned(angles, t);
                out.of = [0, 1, 2].map(|i| [r[(i, *k)], r_t[(i, *k)], r_tt[(i, *k)]]);
                out.side = Some([0, 1, 2].map(|i| r[(i, (*k + 1) % 3)]));
            }
        }
        out
    }

    /// The function without a value or derivative, in words.
    pub fn culprit(&self, t: T) -> Option<String> {
        let angles = match &self.kind {
            DriveKind::Turned { angles, .. } => angles.as_slice(),
            DriveKind::Angle { .. } | DriveKind::Displacement(_) => &[],
        };
        let mut functions = std::iter::once(&self.function).chain(angles);
        functions.find_map(|f| f.culprit(Argument::time(t), &[T::zero(); MAX_READ]))
    }

    /// Value.
    #[inline]
    pub fn value(&self, when: When<T>, pair: &Pair<T>) -> T {
        let [phi, ..] = self.function.motion(when.t);
        let phi = phi + when.shift - self.zero;
        match &self.kind {
            DriveKind::Angle { e1, e2, h1 } => {
                let (sin, cos) = phi.sin_cos();
                let b1 = pair.r_ab * h1;
                let same_side = (e1 * cos + e2 * sin).inner(&b1);
                same_side.if_positive((e1 * sin - e2 * cos).inner(&b1), T::of(f64::NAN))
            }
            DriveKind::Displacement(offset) => offset.value(pair).x - offset.scale * phi,
            DriveKind::Turned { angles, c, k, h } => {
                let [r, ..] = turned(angles, when.t);
                let (d, b) = (c * r, pair.r_ab * h);
                let along = |k: usize| Vector3::new(d[(0, k)], d[(1, k)], d[(2, k)]).inner(&b);
                along((k + 1) % 3).if_positive(along(*k), T::of(f64::NAN))
            }
        }
    }

    /// The row at a fixed time.
    #[inline]
    fn frozen(&self, when: When<T>) -> Frozen<T> {
        let [phi, phi_t, phi_tt] = self.function.motion(when.t);
        match &self.kind {
            DriveKind::Angle { e1, e2, h1 } => {
                let (sin, cos) = (phi + when.shift - self.zero).sin_cos();
                let (n, m) = (e1 * sin - e2 * cos, e1 * cos + e2 * sin);
                let row = |e: Vector3<T>| Directions::perpendicular([e], *h1);
                Frozen::Angle([row(n), row(m * phi_t), row(m * phi_tt - n * (phi_t * phi_t))])
            }
            DriveKind::Turned { angles, c, k, h } => {
                let axis = |r: Matrix3<T>| (c * r).column(*k).into_owned();
                Frozen::Angle(turned(angles, when.t).map(|r| Directions::perpendicular([axis(r)], *h)))
            }
            DriveKind::Displacement(offset) => {
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

combine!(enum DriveKind { Angle { e1, e2, h1 }, Displacement(x), Turned { angles, c, k, h } });
combine!(struct Drive { function, zero, kind });
