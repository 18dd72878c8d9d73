//! A wheel or a ball of body b on a plane of body a: it touches the plane, and rolls without slipping.
//!
//! The wheel is a circle of radius R about axis 3 of marker b, with a round section of radius r: a thin disc
//! for r = 0, a ball for R = 0, a tyre otherwise. With `y_k = a_3 . b_k` and `n = |(y_1, y_2)|` the point
//! that touches lies at
//!
//! ```text
//! sigma = -R (y_1, y_2, 0) / n - r y       from the centre, in the axes of marker b
//! ```
//!
//! It touches while the height of the centre is `R n + r` ([`Touch`], a row of position). It does not slip
//! while the velocity of the material point, `rho' + sum_k sigma_k (R_ab b_k)'`, has no part along a_1 and
//! a_2 ([`Rolling`], two velocity rows).

use precess_lie::matrix::zeros;
use std::array::from_fn;

use nalgebra::{Matrix3, Vector2, Vector3};
use precess_lie::Number;

use super::chain::{Chain, Outer};
use super::directions::Directions;
use super::offset::Offset;
use super::pose::{Marker, Pair, PairMotion};
use super::row::{Blocks, Measure, Row};
use crate::mechanics::combine::combine;

/// Two velocity rows: no slip along a_1 and a_2. They are not derivatives: [`value`](Measure::value) is zero
/// everywhere. Multipliers over L are the friction forces on b along a_1 and a_2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling<T = f64> {
    /// The centre along a_1 and a_2, over -L.
    pub place: Offset<2, T>,
    /// `a_i . b_k`, one measure per k.
    pub turned: [Directions<3, T>; 3],
    /// R.
    pub circle: T,
    /// r.
    pub section: T,
}

/// The rows `a_i . b_k` at a pose.
struct Turned<T> {
    /// By k, then i.
    rows: [[Row<T>; 3]; 3],
    /// The contact point, over -L.
    sigma: Vector3<T>,
    /// Its derivative for y.
    slope: Matrix3<T>,
}

impl<T: Number> Turned<T> {
    /// The gradient of component k of sigma.
    fn gradient(&self, k: usize) -> Row<T> {
        let y: [Row<T>; 3] = from_fn(|j| self.rows[j][2]);
        Row::combine(&y, &self.slope.row(k).transpose())
    }
}

impl<T: Number> Rolling<T> {
    /// The centre is the point of marker b, its axis axis 3; the plane goes through the point of marker a,
    /// its normal is axis 3.
    pub fn new(a: &Marker<T>, b: &Marker<T>, circle: T, section: T, length: T) -> Self {
        let e = [a.axis(0), a.axis(1), a.axis(2)];
        Rolling {
            place: Offset::constraint([e[0], e[1]], a.p, b.p, zeros(), length),
            turned: from_fn(|k| Directions::perpendicular(e, b.axis(k))),
            circle,
            section,
        }
    }

    /// sigma over -L, and its derivative for y.
    fn contact(&self, pair: &Pair<T>) -> (Vector3<T>, Matrix3<T>) {
        let y = Vector3::from_fn(|k, _| self.turned[k].value(pair).z);
        let mut sigma = y * -self.section;
        let mut slope = Matrix3::from_diagonal_element(-self.section);
        if !self.circle.is_zero() {
            let n = (y.x * y.x + y.y * y.y).sqrt();
            let d = Vector3::new(y.x / n, y.y / n, T::zero());
            let flat = Matrix3::from_diagonal(&Vector3::new(T::one(), T::one(), T::zero()));
            sigma -= d * self.circle;
            slope -= (flat - d * d.transpose()) * (self.circle / n);
        }
        (sigma * self.place.scale, slope * self.place.scale)
    }

    fn turned(&self, pair: &Pair<T>) -> Turned<T> {
        let (sigma, slope) = self.contact(pair);
        Turned { rows: from_fn(|k| self.turned[k].rows(pair)), sigma, slope }
    }

    /// Rates of `a_i . b_k`: k is the column.
    fn rates(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Matrix3<T> {
        Matrix3::from_columns(&from_fn::<_, 3, _>(|k| self.turned[k].bv(pair, v)))
    }
}

impl<T: Number> Measure<2, T> for Rolling<T> {
    const IS_VELOCITY: bool = true;

    #[inline]
    fn value(&self, _: &Pair<T>) -> Vector2<T> {
        zeros()
    }

    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 2] {
        let (place, turned) = (self.place.rows(pair), self.turned(pair));
        from_fn(|i| {
            let along: [Row<T>; 3] = from_fn(|k| turned.rows[k][i]);
            place[i] + Row::combine(&along, &turned.sigma)
        })
    }

    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector2<T> {
        let (sigma, slope) = self.contact(pair);
        let rates = self.rates(pair, v);
        let moving = slope * rates.row(2).transpose();
        let second = Matrix3::from_columns(&from_fn::<_, 3, _>(|k| self.turned[k].z(pair, v)));
        self.place.z(pair, v) + (second * sigma + rates * moving).xy()
    }

    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 2] {
        let (place, turned) = (self.place.y_rows(pair, v), self.turned(pair));
        let rates = self.rates(pair, v);
        let curved: [[Row<T>; 3]; 3] = from_fn(|k| self.turned[k].y_rows(pair, v));
        let gradients: [Row<T>; 3] = from_fn(|k| turned.gradient(k));
        from_fn(|i| {
            let along: [Row<T>; 3] = from_fn(|k| curved[k][i]);
            let moving = Row::combine(&gradients, &rates.row(i).transpose());
            place[i] + Row::combine(&along, &turned.sigma) + moving
        })
    }

    fn add_k(&self, pair: &Pair<T>, lambda: &Vector2<T>, k: &mut impl Blocks<T>) {
        self.place.add_k(pair, lambda, k);
        let turned = self.turned(pair);
        let both = Vector3::new(lambda.x, lambda.y, T::zero());
        for (j, rows) in turned.rows.iter().enumerate() {
            self.turned[j].add_k(pair, &(both * turned.sigma[j]), k);
            add_product(k, &Row::combine(rows, &both), &turned.gradient(j));
        }
    }
}

/// Adds `y z^T`.
fn add_product<T: Number, B: Blocks<T>>(k: &mut B, y: &Row<T>, z: &Row<T>) {
    k.add_product(&B::part(y), &B::part(z));
}

/// `y_1`, `y_2` and the height of the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upright<T = f64> {
    /// `a_3 . b_k` for k = 1, 2.
    pub axes: [Directions<1, T>; 2],
    /// The height over -L.
    pub height: Offset<1, T>,
}

impl<T: Number> Measure<3, T> for Upright<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector3<T> {
        let [x, y] = self.axes.each_ref().map(|a| a.value(pair).x);
        Vector3::new(x, y, self.height.value(pair).x)
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 3] {
        let [x, y] = self.axes.each_ref().map(|a| a.rows(pair)[0]);
        [x, y, self.height.rows(pair)[0]]
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        let [x, y] = self.axes.each_ref().map(|a| a.z(pair, v).x);
        Vector3::new(x, y, self.height.z(pair, v).x)
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 3] {
        let [x, y] = self.axes.each_ref().map(|a| a.y_rows(pair, v)[0]);
        [x, y, self.height.y_rows(pair, v)[0]]
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector3<T>, k: &mut impl Blocks<T>) {
        self.axes[0].add_k(pair, &lambda.fixed_rows::<1>(0).into_owned(), k);
        self.axes[1].add_k(pair, &lambda.fixed_rows::<1>(1).into_owned(), k);
        self.height.add_k(pair, &lambda.fixed_rows::<1>(2).into_owned(), k);
    }
}

/// The function `y_3 + c n`, with `n = |(y_1, y_2)|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverPlane<T = f64> {
    /// R / L.
    pub circle: T,
}

impl<T: Number> Outer<3, T> for OverPlane<T> {
    #[inline]
    fn value(&self, y: &Vector3<T>) -> T {
        y.z + self.circle * (y.x * y.x + y.y * y.y).sqrt()
    }

    #[inline]
    fn gradient(&self, y: &Vector3<T>) -> Vector3<T> {
        let n = (y.x * y.x + y.y * y.y).sqrt();
        Vector3::new(self.circle * y.x / n, self.circle * y.y / n, T::one())
    }

    #[inline]
    fn hessian(&self, y: &Vector3<T>) -> Matrix3<T> {
        let n = (y.x * y.x + y.y * y.y).sqrt();
        let d = Vector3::new(y.x / n, y.y / n, T::zero());
        let flat = Matrix3::from_diagonal(&Vector3::new(T::one(), T::one(), T::zero()));
        (flat - d * d.transpose()) * (self.circle / n)
    }
}

/// One row of position: the wheel touches the plane. The multiplier over L is the normal force on b.
pub type Touch<T = f64> = Chain<3, Upright<T>, OverPlane<T>>;

impl<T: Number> Touch<T> {
    /// As for [`Rolling::new`].
    pub fn new(a: &Marker<T>, b: &Marker<T>, circle: T, section: T, length: T) -> Self {
        let axis = |k: usize| Directions::perpendicular([a.axis(2)], b.axis(k));
        let section = nalgebra::Vector1::new(section);
        Chain {
            inner: Upright {
                axes: [axis(0), axis(1)],
                height: Offset::constraint([a.axis(2)], a.p, b.p, section, length),
            },
            outer: OverPlane { circle: circle / length },
        }
    }
}

combine!(struct Rolling { place, turned, circle, section });
combine!(struct Upright { axes, height });
combine!(struct OverPlane { circle });
