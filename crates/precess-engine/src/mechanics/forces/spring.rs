//! Spring and damper between two points: a force along their distance.
//!
//! A linear spring without free length and preload uses the distance vector as seen from body a, f = -k rho -
//! c rho', which acts at the point of b on both bodies. So there is no singular length, and the damper causes
//! no moment. All others need a direction: below a thousandth of the free length [`Element::trouble`] reports
//! a problem.

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, identity};

use super::super::coordinate::Coordinate;
use super::super::function::Argument;
use super::super::kernels::{CompliantLaw, Measure, Offset, Pair, PairMotion, Point, Row, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::along::elastic::Characteristic;
use super::along::{Along, LawKind};
use super::element::{Element, add_compliant_tangents, compliant_power};
use crate::mechanics::combine::combine;

/// A spring between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring<T = f64> {
    /// Its tension along the distance.
    along: Along<T>,
    /// The points in the frames of their bodies.
    points: [Vector3<T>; 2],
    /// Stiffness and damping of a spring that needs no direction.
    isotropic: Option<[T; 2]>,
}

impl<T: Number> Spring<T> {
    /// Its force along the distance.
    pub fn law(&self) -> &LawKind<T> {
        &self.along.law
    }

    /// A spring between body-fixed points; `length` is the length scale of the model, a millionth of which
    /// rounds the length at zero.
    pub fn new(
        name: String,
        link: Link,
        points: [Vector3<T>; 2],
        characteristic: Characteristic<T>,
        length: T,
    ) -> Self {
        let isotropic = match &characteristic {
            Characteristic::Linear(s) if s.y0.is_zero() && s.f0.is_zero() => Some([s.k, s.c]),
            _ => None,
        };
        let coordinate = Coordinate::distance(link, points, T::of(1e-6) * length);
        Spring { along: Along { name, coordinate, law: LawKind::Elastic(characteristic) }, points, isotropic }
    }

    /// Name.
    pub fn name(&self) -> &str {
        &self.along.name
    }

    /// The bodies.
    pub fn link(&self) -> Link {
        self.along.coordinate.link
    }

    /// The displacement between the points along the axes of body a, and its law.
    fn vector_law(
        &self,
        [k, c]: [T; 2],
        pair: &Pair<T>,
        v: &PairMotion<T>,
    ) -> (Offset<3, T>, CompliantLaw<3, T>) {
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let measure = Offset::displacement(axes, self.points[0], self.points[1]);
        let identity = identity();
        let law = CompliantLaw::linear(
            &(identity * k),
            &(identity * c),
            &measure.value(pair),
            &measure.bv(pair, v),
        );
        (measure, law)
    }

    /// Length, its rate and the law there.
    fn measured(&self, bodies: &Bodies<T>, at: &At<T>) -> ([T; 2], CompliantLaw<1, T>) {
        let sharp = Coordinate::sharp_distance(self.link(), self.points);
        let c = sharp.read(bodies, at);
        ([c.x, c.rate], self.along.law.law(Argument { t: at.t, x: c.x, v: c.rate }, at.memory))
    }

    /// Length, its rate and the tension.
    pub fn state(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 3] {
        let ([l, rate], law) = self.measured(bodies, at);
        [l, rate, law.s.x]
    }

    /// Gradient of the length, and of its rate for the positions.
    pub(crate) fn length_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> (Row<T>, Row<T>) {
        let length = &self.along.coordinate.motion;
        let ([row], [turned]) = (length.rows(pair), length.y_rows(pair, v));
        (row, turned)
    }

    /// The tension and its derivatives for the length and its rate.
    pub(crate) fn tension_slopes(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 3] {
        let (_, law) = self.measured(bodies, at);
        [law.s.x, law.s_y.x, law.s_rate.x]
    }
}

impl<T: Number> Element<T> for Spring<T> {
    fn link(&self) -> Link {
        self.along.coordinate.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let Some(law) = self.isotropic else { return self.along.residual(bodies, at, r) };
        let (pair, v) = (bodies.pair(self.link(), at.q), bodies.motion(self.link(), at));
        let (measure, law) = self.vector_law(law, &pair, &v);
        bodies.add_force(self.link(), &compliant::force(&measure, &pair, &law.s), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let Some(law) = self.isotropic else { return self.along.tangents(bodies, at, out) };
        let (pair, v) = (bodies.pair(self.link(), at.q), bodies.motion(self.link(), at));
        let (measure, law) = self.vector_law(law, &pair, &v);
        add_compliant_tangents(bodies, self.link(), &measure, (&pair, &v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let Some([_, c]) = self.isotropic else { return self.along.power(bodies, at) };
        (!c.is_zero()).then(|| {
            let (pair, v) = (bodies.pair(self.link(), at.q), bodies.motion(self.link(), at));
            let (measure, _) = self.vector_law([T::zero(), c], &pair, &v);
            compliant_power(&measure, (&pair, &v), |rate| rate * c)
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let Some([k, _]) = self.isotropic else { return self.along.potential(bodies, at) };
        let [a, b] = self.points;
        let y = Point::difference(a, b).value(&bodies.pair(self.link(), at.q));
        T::of(0.5) * k * y.inner(&y)
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let LawKind::Elastic(Characteristic::Linear(s)) = &self.along.law else {
            return self.along.trouble(bodies, at);
        };
        let l = self.state(bodies, at)[0].first();
        (l < 1e-3 * s.y0.first()).then(|| {
            format!(
                "spring '{}' has shrunk to {l:.3e} m, less than a thousandth of its free length: its \
                 direction is not defined",
                self.name()
            )
        })
    }
}

combine!(struct Spring { along, points, isotropic });
