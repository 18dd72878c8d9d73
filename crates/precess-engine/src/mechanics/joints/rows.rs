//! Primitive constraint rows, and the frame from which a joint builds them.

use nalgebra::{SVector, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{first, identity, zeros};

use super::drive::{Drive, When};
use crate::mechanics::combine::combine;
use crate::mechanics::kernels::knife_edge::KnifeEdge;
use crate::mechanics::kernels::rolling::{Rolling, Touch};
use crate::mechanics::kernels::thread::Thread;
use crate::mechanics::kernels::{
    Blocks, Directions, Distance, Group, Marker, Measure, Offset, Pair, PairMotion, Point, Row,
};
use crate::mechanics::system::RowKind;

/// Markers of a joint, with the length scale and group of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Marker on body a: the axes of the joint.
    pub a: Marker,
    /// Marker on body b.
    pub b: Marker,
    /// Length scale L that makes rows dimensionless.
    pub length: f64,
    /// Group of the bodies: coincidence is written in inertial components on R^3xSO(3) (constant
    /// translational columns) and in the frame of body a on SE(3) (rows that depend on the relative pose
    /// only).
    pub group: Group,
    /// Initial distance of the two points.
    pub distance: f64,
}

impl Frame {
    /// Three rows: the points coincide.
    pub fn coincidence(&self) -> JointRows {
        match self.group {
            Group::R3xSO3 => JointRows::Point(Point::constraint(self.a.p, self.b.p, self.length)),
            Group::SE3 => JointRows::Offset3(Box::new(Offset::coincidence(&self.a, &self.b, self.length))),
        }
    }

    /// Three rows: the points coincide, in the axes of body a.
    pub fn coincidence_in_body(&self) -> JointRows {
        let a = Marker { c: identity(), ..self.a };
        JointRows::Offset3(Box::new(Offset::coincidence(&a, &self.b, self.length)))
    }

    /// One row: a_i stays perpendicular to b_j.
    pub fn perpendicular(&self, i: usize, j: usize) -> JointRows {
        JointRows::Directions1(Directions::perpendicular([self.a.axis(i)], self.b.axis(j)))
    }

    /// Two rows: a_i and a_j stay perpendicular to b_k, that is b_k stays parallel to a_k.
    pub fn parallel(&self, i: usize, j: usize, k: usize) -> JointRows {
        JointRows::Directions2(Directions::perpendicular([self.a.axis(i), self.a.axis(j)], self.b.axis(k)))
    }

    /// One row: no displacement of the point of b along a_i, seen from a.
    pub fn offset(&self, i: usize) -> JointRows {
        JointRows::Offset1(Offset::constraint([self.a.axis(i)], self.a.p, self.b.p, zeros(), self.length))
    }

    /// Two rows: no displacement along a_i and a_j.
    pub fn offsets(&self, i: usize, j: usize) -> JointRows {
        let e: [Vector3<f64>; 2] = [self.a.axis(i), self.a.axis(j)];
        JointRows::Offset2(Box::new(Offset::constraint(e, self.a.p, self.b.p, zeros(), self.length)))
    }
}

/// Largest number of rows of a rare type.
const RARE_ROWS: usize = 2;

/// A few scalar constraints between two bodies. Only drives depend on time. Large and rare variants are
/// boxed.
#[derive(Clone, Debug, PartialEq)]
pub enum JointRows<T = f64> {
    /// Coincidence in inertial components.
    Point(Point<T>),
    /// a . b = 0.
    Directions1(Directions<1, T>),
    /// Two such rows with the same b.
    Directions2(Directions<2, T>),
    /// Displacement along one direction of a.
    Offset1(Offset<1, T>),
    /// Displacements along two directions.
    Offset2(Box<Offset<2, T>>),
    /// Displacements along three directions: coincidence in the frame of a.
    Offset3(Box<Offset<3, T>>),
    /// Distance of two points.
    Distance(Distance<T>),
    /// Rotation and displacement are coupled.
    Thread(Box<Thread<T>>),
    /// A wheel touches a plane.
    Touch(Box<Touch<T>>),
    /// A point does not move along a direction of its body: a velocity row.
    KnifeEdge(Box<KnifeEdge<T>>),
    /// A wheel does not slip: velocity rows.
    Rolling(Box<Rolling<T>>),
    /// A prescribed coordinate.
    Drive(Box<Drive<T>>),
}

/// Applies a function that is generic in the number of rows.
macro_rules! each {
    ($self:expr, $measure:ident => $body:expr, $drive:ident => $driven:expr) => {
        common!(
            $self,
            $measure => $body,
            rarely::<T, _>(
                #[inline(always)]
                || rare!($self, $measure => $body, $drive => $driven),
            )
        )
    };
}

/// [`each`] for the types that most joints have; `$rare` is for all others.
macro_rules! common {
    ($self:expr, $measure:ident => $body:expr, $rare:expr) => {
        match $self {
            JointRows::Point($measure) => $body,
            JointRows::Directions1($measure) => $body,
            JointRows::Directions2($measure) => $body,
            JointRows::Offset1($measure) => $body,
            JointRows::Offset2(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::Offset3(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::Distance($measure) => $body,
            _ => $rare,
        }
    };
}

/// [`each`] for the rare types.
macro_rules! rare {
    ($self:expr, $measure:ident => $body:expr, $drive:ident => $driven:expr) => {
        match $self {
            JointRows::Thread(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::Touch(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::KnifeEdge(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::Rolling(measure) => {
                let $measure = &**measure;
                $body
            }
            JointRows::Drive($drive) => $driven,
            _ => unreachable!("the type is common"),
        }
    };
}

/// Keeps rare cases out of the code that all joints run.
#[inline(never)]
fn rarely<T: Number, R>(f: impl FnOnce() -> R) -> R {
    T::vectorize(f)
}

impl<T: Number> JointRows<T> {
    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        fn count<const N: usize, T: Number>(_: &impl Measure<N, T>) -> usize {
            N
        }
        match self {
            JointRows::Point(m) => count(m),
            JointRows::Directions1(m) => count(m),
            JointRows::Directions2(m) => count(m),
            JointRows::Offset1(m) => count(m),
            JointRows::Offset2(m) => count(&**m),
            JointRows::Offset3(m) => count(&**m),
            JointRows::Distance(m) => count(m),
            JointRows::Thread(m) => count(&**m),
            JointRows::Touch(m) => count(&**m),
            JointRows::KnifeEdge(m) => count(&**m),
            JointRows::Rolling(m) => count(&**m),
            JointRows::Drive(_) => 1,
        }
    }

    /// The kind of the rows while they hold.
    pub fn row_kind(&self) -> RowKind {
        match self {
            JointRows::KnifeEdge(_) | JointRows::Rolling(_) => RowKind::Velocity,
            _ => RowKind::Position,
        }
    }

    /// True for rows that measure angles, not lengths.
    pub fn is_rotation(&self) -> bool {
        match self {
            JointRows::Directions1(_) | JointRows::Directions2(_) => true,
            JointRows::Drive(drive) => drive.is_rotation(),
            _ => false,
        }
    }

    /// True if B^T lambda on one body depends on the pose of the other: all rows except points in inertial
    /// components.
    pub fn is_curved(&self) -> bool {
        !matches!(self, JointRows::Point(_))
    }

    /// True if B^T lambda has translational parts that change with the poses, or changes with the positions.
    /// Points are used only on R^3xSO(3), where their forces have inertial components.
    #[inline]
    pub fn reads_translations(&self) -> bool {
        !matches!(self, JointRows::Point(_) | JointRows::Directions1(_) | JointRows::Directions2(_))
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Values.
    #[inline(always)]
    pub fn value(&self, when: When<T>, pair: &Pair<T>, out: &mut [T]) {
        each!(self, m => out.copy_from_slice(m.value(pair).as_slice()), d => out[0] = d.value(when, pair))
    }

    /// B v + Phi_t.
    #[inline(always)]
    pub fn velocity(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>, out: &mut [T]) {
        each!(self,
            m => out.copy_from_slice(m.bv(pair, v).as_slice()),
            d => out[0] = d.velocity(when, pair, v))
    }

    /// B v' + Z(v, v) + 2 B_t v + Phi_tt.
    #[inline(never)]
    pub fn acceleration(
        &self,
        when: When<T>,
        pair: &Pair<T>,
        v: &PairMotion<T>,
        vdot: &PairMotion<T>,
        out: &mut [T],
    ) {
        each!(
            self,
            m => out.copy_from_slice((m.bv(pair, vdot) + m.z(pair, v)).as_slice()),
            d => out[0] = d.acceleration(when, pair, v, vdot)
        )
    }

    /// B^T lambda.
    #[inline(always)]
    pub fn bt_lambda(&self, when: When<T>, pair: &Pair<T>, lambda: &[T]) -> Row<T> {
        each!(self, m => m.bt_lambda(pair, &vector(m, lambda)), d => d.row(when, pair) * lambda[0])
    }

    /// Calls `put(i, row)` for the rows of B.
    #[inline(always)]
    pub fn rows(&self, when: When<T>, pair: &Pair<T>, mut put: impl FnMut(usize, &Row<T>)) {
        common!(
            self,
            m => m.rows(pair).iter().enumerate().for_each(#[inline(always)] |(i, r)| put(i, r)),
            self.rare_rows(when, pair)[..self.len()]
                .iter()
                .enumerate()
                .for_each(#[inline(always)] |(i, r)| put(i, r))
        )
    }

    /// The rows of B of rare types; the second is zero if there is one row only.
    #[inline(never)]
    fn rare_rows(&self, when: When<T>, pair: &Pair<T>) -> [Row<T>; RARE_ROWS] {
        T::vectorize(
            #[inline(always)]
            || rare!(self, m => at_most(m.rows(pair)), d => at_most([d.row(when, pair)])),
        )
    }

    /// Calls `put(i, row)` for the rows of Y = D_q(B v + Phi_t).
    #[inline(always)]
    pub fn y_rows(
        &self,
        when: When<T>,
        pair: &Pair<T>,
        v: &PairMotion<T>,
        mut put: impl FnMut(usize, &Row<T>),
    ) {
        common!(
            self,
            m => m.y_rows(pair, v).iter().enumerate().for_each(#[inline(always)] |(i, r)| put(i, r)),
            self.rare_y_rows(when, pair, v)[..self.len()]
                .iter()
                .enumerate()
                .for_each(#[inline(always)] |(i, r)| put(i, r))
        )
    }

    /// The rows of Y of rare types, as [`rare_rows`](Self::rare_rows).
    #[inline(never)]
    fn rare_y_rows(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; RARE_ROWS] {
        T::vectorize(
            #[inline(always)]
            || rare!(self, m => at_most(m.y_rows(pair, v)), d => at_most([d.y_row(when, pair, v)])),
        )
    }

    /// Adds D_q(B^T lambda).
    #[inline(always)]
    pub fn add_k(&self, when: When<T>, pair: &Pair<T>, lambda: &[T], k: &mut impl Blocks<T>) {
        each!(self, m => m.add_k(pair, &vector(m, lambda), k), d => d.add_k(when, pair, lambda[0], k))
    }
}

/// The rows, followed by zeros.
#[inline(always)]
fn at_most<const N: usize, T: Number>(rows: [Row<T>; N]) -> [Row<T>; RARE_ROWS] {
    let mut list = [Row::zero(); RARE_ROWS];
    list[..N].copy_from_slice(&rows);
    list
}

/// The multipliers of a measure as a vector of its length.
#[inline(always)]
fn vector<const N: usize, T: Number>(_: &impl Measure<N, T>, lambda: &[T]) -> SVector<T, N> {
    first(lambda)
}

combine!(
    enum JointRows {
        Point(x),
        Directions1(x),
        Directions2(x),
        Offset1(x),
        Offset2(x),
        Offset3(x),
        Distance(x),
        Thread(x),
        Touch(x),
        KnifeEdge(x),
        Rolling(x),
        Drive(x),
    }
);
