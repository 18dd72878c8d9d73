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

/// Largest number of rows of a rare kind.
const RARE_ROWS: usize = 2;

/// All kinds of rows but drives, for the macro `$with`. A new kind is a [`Measure`] and a line here; large and
/// rare ones are boxed.
macro_rules! kinds {
    ($with:ident, $($arguments:tt)*) => {
        $with! {
            common {
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
            }
            rare {
                /// Rotation and displacement are coupled.
                Thread(Box<Thread<T>>),
                /// A wheel touches a plane.
                Touch(Box<Touch<T>>),
                /// A point does not move along a direction of its body: a velocity row.
                KnifeEdge(Box<KnifeEdge<T>>),
                /// A wheel does not slip: velocity rows.
                Rolling(Box<Rolling<T>>),
            }
            $($arguments)*
        }
    };
}

macro_rules! define {
    (
        common { $($(#[$doc:meta])* $name:ident($type:ty),)* }
        rare { $($(#[$rare_doc:meta])* $rare:ident($rare_type:ty),)* }
        $(#[$enum_doc:meta])*
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum JointRows<T = f64> {
            $($(#[$doc])* $name($type),)*
            $($(#[$rare_doc])* $rare($rare_type),)*
            /// A prescribed coordinate.
            Drive(Box<Drive<T>>),
        }

        combine!(enum JointRows { $($name(x),)* $($rare(x),)* Drive(x) });
    };
}

kinds! {
    define,
    /// A few scalar constraints between two bodies. Only drives depend on time.
}

/// Applies a function that is generic in the number of rows to the measure of a common kind; `$other` is for
/// all others.
macro_rules! common {
    (
        common { $($(#[$doc:meta])* $name:ident($type:ty),)* }
        rare { $($rare:tt)* }
        $self:expr, $measure:ident => $body:expr, $other:expr
    ) => {
        match $self {
            $(JointRows::$name($measure) => $body,)*
            _ => $other,
        }
    };
}

/// The same for the rare kinds and drives.
macro_rules! rare {
    (
        common { $($common:tt)* }
        rare { $($(#[$doc:meta])* $name:ident($type:ty),)* }
        $self:expr, $measure:ident => $body:expr, $drive:ident => $driven:expr
    ) => {
        match $self {
            $(JointRows::$name($measure) => $body,)*
            JointRows::Drive($drive) => $driven,
            _ => unreachable!("the kind is common"),
        }
    };
}

/// Applies a function to any kind, out of line to the rare ones.
macro_rules! each {
    ($self:expr, $measure:ident => $body:expr, $drive:ident => $driven:expr) => {
        kinds!(common, $self, $measure => $body, rarely::<T, _>(
            #[inline(always)]
            || kinds!(rare, $self, $measure => $body, $drive => $driven),
        ))
    };
}

/// Keeps rare cases out of the code that all joints run.
#[inline(never)]
fn rarely<T: Number, R>(f: impl FnOnce() -> R) -> R {
    T::vectorize(f)
}

/// What a joint needs to know about its rows.
struct Facts {
    len: usize,
    is_rotation: bool,
    is_velocity: bool,
    is_curved: bool,
    reads_translations: bool,
}

impl<T: Number> JointRows<T> {
    #[inline(always)]
    fn facts(&self) -> Facts {
        #[inline(always)]
        fn of<const N: usize, T: Number, M: Measure<N, T>>(_: &M) -> Facts {
            Facts {
                len: N,
                is_rotation: M::IS_ROTATION,
                is_velocity: M::IS_VELOCITY,
                is_curved: M::IS_CURVED,
                reads_translations: M::READS_TRANSLATIONS,
            }
        }
        let of_drive = |drive: &Drive<T>| Facts {
            len: 1,
            is_rotation: drive.is_rotation(),
            is_velocity: false,
            is_curved: true,
            reads_translations: true,
        };
        kinds!(common, self, m => of(m), kinds!(rare, self, m => of(m), d => of_drive(d)))
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.facts().len
    }

    /// The kind of the rows while they hold.
    pub fn row_kind(&self) -> RowKind {
        if self.facts().is_velocity { RowKind::Velocity } else { RowKind::Position }
    }

    /// True for rows that measure angles, not lengths.
    pub fn is_rotation(&self) -> bool {
        self.facts().is_rotation
    }

    /// True if B^T lambda on one body depends on the pose of the other.
    pub fn is_curved(&self) -> bool {
        self.facts().is_curved
    }

    /// True if B^T lambda has translational parts that change with the poses, or changes with the positions.
    #[inline]
    pub fn reads_translations(&self) -> bool {
        self.facts().reads_translations
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
        kinds!(
            common,
            self,
            m => m.rows(pair).iter().enumerate().for_each(#[inline(always)] |(i, r)| put(i, r)),
            self.rare_rows(when, pair)[..self.len()]
                .iter()
                .enumerate()
                .for_each(#[inline(always)] |(i, r)| put(i, r))
        )
    }

    /// The rows of B of rare kinds; the second is zero if there is one row only.
    #[inline(never)]
    fn rare_rows(&self, when: When<T>, pair: &Pair<T>) -> [Row<T>; RARE_ROWS] {
        T::vectorize(
            #[inline(always)]
            || kinds!(rare, self, m => at_most(m.rows(pair)), d => at_most([d.row(when, pair)])),
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
        kinds!(
            common,
            self,
            m => m.y_rows(pair, v).iter().enumerate().for_each(#[inline(always)] |(i, r)| put(i, r)),
            self.rare_y_rows(when, pair, v)[..self.len()]
                .iter()
                .enumerate()
                .for_each(#[inline(always)] |(i, r)| put(i, r))
        )
    }

    /// The rows of Y of rare kinds, as [`rare_rows`](Self::rare_rows).
    #[inline(never)]
    fn rare_y_rows(&self, when: When<T>, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; RARE_ROWS] {
        T::vectorize(
            #[inline(always)]
            || kinds!(rare, self, m => at_most(m.y_rows(pair, v)), d => at_most([d.y_row(when, pair, v)])),
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
