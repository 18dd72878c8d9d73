//! Quantities in expressions: a coordinate of a point, the distance of two points, a joint coordinate. Each
//! depends on two bodies.

use nalgebra::{Vector1, Vector3};

use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::kernels::{
    Length, Measure, Offset, Pair, PairBlocks, PairMotion, Row, chain::SmoothNorm,
};
use crate::mechanics::links::{Bodies, Derivative, Link, Parts};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A quantity that depends on two bodies.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressedQuantity {
    /// A coordinate of a point, inertial frame.
    Place {
        /// The ground and the body.
        link: Link,
        /// Measure along the axis.
        measure: Offset<1>,
    },
    /// The distance of two points.
    Distance {
        /// The bodies.
        link: Link,
        /// Measure between the points.
        measure: Length,
    },
    /// A joint coordinate; angles count turns.
    Joint(Coordinate),
}

/// Applies a function to the measure.
macro_rules! each {
    ($self:expr, $measure:ident => $body:expr) => {
        match $self {
            ExpressedQuantity::Place { measure: $measure, .. } => $body,
            ExpressedQuantity::Distance { measure: $measure, .. } => $body,
            ExpressedQuantity::Joint(coordinate) => {
                let $measure = &coordinate.motion;
                $body
            }
        }
    };
}

impl ExpressedQuantity {
    /// axis . (r - origin) of a point r of a body, given in its frame; axis and origin are given in space.
    pub fn displacement_along(
        body: usize,
        point: Vector3<f64>,
        axis: Vector3<f64>,
        origin: Vector3<f64>,
    ) -> Self {
        let link = Link { a: None, b: Some(body) };
        let measure = Offset::displacement([axis], origin, point);
        ExpressedQuantity::Place { link, measure }
    }

    /// The distance of points of two bodies, given in their frames. At zero it has no direction and no
    /// derivative.
    pub fn distance(link: Link, points: [Vector3<f64>; 2]) -> Self {
        let measure = Length::new(points[0], points[1], 0.0);
        let sharp = Length { outer: SmoothNorm { eps: f64::MIN_POSITIVE }, ..measure };
        ExpressedQuantity::Distance { link, measure: sharp }
    }

    /// The bodies.
    pub fn link(&self) -> Link {
        match self {
            ExpressedQuantity::Place { link, .. } | ExpressedQuantity::Distance { link, .. } => *link,
            ExpressedQuantity::Joint(c) => c.link,
        }
    }

    fn pair(&self, bodies: &Bodies, at: &At) -> Pair {
        bodies.pair(self.link(), at.q)
    }

    fn motion(&self, bodies: &Bodies, at: &At) -> PairMotion {
        bodies.motion(self.link(), at)
    }

    /// Its value.
    pub fn value(&self, bodies: &Bodies, at: &At) -> f64 {
        match self {
            ExpressedQuantity::Joint(c) => c.position(bodies, at),
            ExpressedQuantity::Place { measure, .. } => measure.value(&self.pair(bodies, at)).x,
            ExpressedQuantity::Distance { measure, .. } => measure.value(&self.pair(bodies, at)).x,
        }
    }

    /// B v.
    pub fn rate(&self, bodies: &Bodies, at: &At) -> f64 {
        let (pair, v) = (self.pair(bodies, at), self.motion(bodies, at));
        each!(self, m => m.bv(&pair, &v).x)
    }

    /// B v' + Z(v, v).
    pub fn acceleration(&self, bodies: &Bodies, at: &At) -> f64 {
        let pair = self.pair(bodies, at);
        let (v, vdot) = (self.motion(bodies, at), bodies.acceleration(self.link(), at));
        each!(self, m => m.bv(&pair, &vdot).x + m.z(&pair, &v).x)
    }

    /// Its row of B.
    pub fn row(&self, bodies: &Bodies, at: &At) -> Row {
        let pair = self.pair(bodies, at);
        let [row] = each!(self, m => m.rows(&pair));
        row
    }

    /// Its row of D_q(B v).
    pub fn turned_row(&self, bodies: &Bodies, at: &At) -> Row {
        let (pair, v) = (self.pair(bodies, at), self.motion(bodies, at));
        let [row] = each!(self, m => m.y_rows(&pair, &v));
        row
    }

    /// B^T s.
    pub fn force(&self, bodies: &Bodies, at: &At, s: f64) -> Row {
        let pair = self.pair(bodies, at);
        each!(self, m => m.bt_lambda(&pair, &Vector1::new(s)))
    }

    /// Adds D_q(B^T s) to K.
    pub fn add_stiffness(&self, bodies: &Bodies, at: &At, s: f64, out: &mut Tangents) {
        if s == 0.0 {
            return;
        }
        let pair = self.pair(bodies, at);
        let mut k = PairBlocks::zero();
        each!(self, m => m.add_k(&pair, &Vector1::new(s), &mut k));
        bodies.add_blocks(self.link(), Parts::ALL, &k, (Derivative::Stiffness, at), out);
        bodies.add_bending(self.link(), &self.force(bodies, at, s), None::<&PairBlocks>, at, out);
    }
}
