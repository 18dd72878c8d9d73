//! Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.
//!
//! At the depth p beyond a limit the stop pushes back with k R(p) + c S(p) p', never with a pull. R rounds the corner over the width w
//! (R = p^2/2w up to w, p - w/2 behind it), S lets the damper begin gently (3 a^2 - 2 a^3 with a = p/w, 1 behind w). So the force has no
//! jump when a stop is met, and implicit methods keep their convergence.
//!
//! Without a width the stop is sharp, k p + c p' from the first touch. Events turn it on and off, so that steps end where it is met.

use precess_lie::Number;

use super::super::coordinate::Coordinate;
use super::super::kernels::{Law, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;
use crate::mechanics::beside::beside;

/// The numbers of a stop. A limit that is infinite is not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stops<T = f64> {
    /// Smallest value of the coordinate.
    pub lower: T,
    /// Largest value.
    pub upper: T,
    /// Stiffness.
    pub k: T,
    /// Damping.
    pub c: T,
    /// Depth at which the spring is linear and the damper acts fully; zero for sharp stops, which events turn on and off.
    pub width: T,
}

/// What a stop does at some depth: elastic part and its slope, damper and its slope, energy.
struct Contact<T> {
    elastic: T,
    stiffness: T,
    damper: T,
    damper_slope: T,
    energy: T,
}

impl<T: Number> Stops<T> {
    /// At the depth p beyond a limit.
    fn contact(&self, p: T) -> Contact<T> {
        let (zero, one, two) = (T::zero(), T::one(), T::of(2.0));
        let w = self.width;
        if w.is_zero() {
            let (elastic, energy) = (self.k * p, self.k * p * p / two);
            return Contact { elastic, stiffness: self.k, damper: self.c, damper_slope: zero, energy };
        }
        let a = p.if_positive(p / w, zero);
        let over = p - w;
        let a = over.if_positive(one, a);
        let over = over.if_positive(over, zero);
        Contact {
            elastic: self.k * (w * a * a / two + over),
            stiffness: self.k * a,
            damper: self.c * a * a * (T::of(3.0) - two * a),
            damper_slope: self.c * T::of(6.0) * a * (one - a) / w,
            energy: self.k * (w * w * a * a * a / T::of(6.0) + over * (w + over) / two),
        }
    }

    /// The part of the law that belongs to one limit, of the depth p and its rate. It is conjugate to the depth.
    fn push(&self, p: T, rate: T) -> [T; 3] {
        let at = self.contact(p);
        let push = at.elastic + at.damper * rate;
        [
            push.if_positive(push, T::zero()),
            push.if_positive(at.stiffness + at.damper_slope * rate, T::zero()),
            push.if_positive(at.damper, T::zero()),
        ]
    }

    /// The depths beyond the lower and the upper limit. Of sharp stops only the nearer one is there.
    fn depths(&self, x: T) -> [T; 2] {
        let (below, above) = (self.lower - x, x - self.upper);
        if !self.width.is_zero() {
            return [below, above];
        }
        let far = T::of(f64::NEG_INFINITY);
        [(below - above).if_positive(below, far), (below - above).if_positive(far, above)]
    }

    /// s(x, x'), which opposes a larger coordinate.
    pub fn law(&self, x: T, rate: T) -> Law<1, T> {
        let [below, above] = self.depths(x);
        let (below, above) = (self.push(below, -rate), self.push(above, rate));
        Law::scalar(above[0] - below[0], above[1] + below[1], above[2] + below[2])
    }

    /// Energy in the springs.
    pub fn energy(&self, x: T) -> T {
        self.depths(x)
            .into_iter()
            .fold(T::zero(), |sum, p| sum + p.if_positive(self.contact(p).energy, T::zero()))
    }

    /// The force that has this energy.
    fn elastic(&self, x: T) -> T {
        let elastic = |p: T| p.if_positive(self.contact(p).elastic, T::zero());
        let [below, above] = self.depths(x);
        elastic(above) - elastic(below)
    }
}

/// Stops at a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimit<T = f64> {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate<T>,
    /// The stops.
    pub stops: Stops<T>,
}

impl<T: Number> Element<T> for JointLimit<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.coordinate.read(bodies, at);
        let law = self.stops.law(c.x, c.rate);
        let g = compliant::force(&self.coordinate.motion, &c.pair, &law.s);
        bodies.add_force(self.coordinate.link, &g, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.coordinate.read(bodies, at);
        let law = self.stops.law(c.x, c.rate);
        let motion = &self.coordinate.motion;
        add_compliant_tangents(bodies, self.coordinate.link, motion, (&c.pair, &c.v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        (!self.stops.c.is_zero()).then(|| {
            let c = self.coordinate.read(bodies, at);
            -(self.stops.law(c.x, c.rate).s.x - self.stops.elastic(c.x)) * c.rate
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.stops.energy(self.coordinate.position(bodies, at))
    }
}

beside!(struct Stops { lower, upper, k, c, width });
beside!(struct JointLimit { name, coordinate, stops });
