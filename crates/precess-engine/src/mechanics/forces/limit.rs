//! Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.
//!
//! At the depth p beyond a limit the stop pushes back with k R(p) + c S(p) p', and never pulls. R rounds the
//! corner over the width w (R = p^2/2w up to w, p - w/2 beyond), S lets the damper begin gently (3 a^2 - 2
//! a^3 with a = p/w, 1 beyond w). So the force does not jump when a stop is met, and implicit methods keep
//! their convergence.
//!
//! Without a width the stop is sharp, k p + c p' from the first touch. Events turn it on where it is met, p =
//! 0, and off where the push ends, k p + c p' = 0. Between them the force is the plain formula without a
//! limit, so the step in which the contact ends has no kink, and methods keep their order. At the start and
//! in analyses without time steps, no event has turned the stop on or off. It then acts while it is touched
//! and its force pushes.

use precess_lie::Number;

use super::super::coordinate::Coordinate;
use super::super::event::{OFF, ON};
use super::super::kernels::{CompliantLaw, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;
use crate::mechanics::beside::beside;

/// The numbers of a stop. An infinite limit is absent.
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
    /// Depth at which the spring is linear and the damper acts fully; zero for sharp stops, which events turn
    /// on and off.
    pub width: T,
}

/// The effect of a stop at some depth: elastic part and its slope, damper and its slope, energy.
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

    /// The law of one limit, as a function of the depth p and its rate. It is conjugate to the depth. A stop
    /// that is not `held` by an event acts while it is touched and pushes.
    fn push(&self, p: T, rate: T, held: bool) -> [T; 3] {
        let at = self.contact(p);
        let push = at.elastic + at.damper * rate;
        let all = [push, at.stiffness + at.damper_slope * rate, at.damper];
        if held { all } else { all.map(|x| p.if_positive(push.if_positive(x, T::zero()), T::zero())) }
    }

    /// s(x, x'), which opposes a larger coordinate. If an event holds a stop, the nearer one is used.
    pub fn law(&self, x: T, rate: T, held: bool) -> CompliantLaw<1, T> {
        let [below, above] = [self.lower - x, x - self.upper];
        let nearer = below - above;
        let none = [T::zero(); 3];
        let [mut lower, mut upper] = [self.push(below, -rate, held), self.push(above, rate, held)];
        if held {
            for (i, zero) in none.into_iter().enumerate() {
                lower[i] = nearer.if_positive(lower[i], zero);
                upper[i] = nearer.if_positive(zero, upper[i]);
            }
        }
        CompliantLaw::scalar(upper[0] - lower[0], upper[1] + lower[1], upper[2] + lower[2])
    }

    /// True if a sharp stop is met at the coordinate x with this rate; none if it is just touched.
    pub fn is_met(&self, x: T, rate: T) -> Option<bool> {
        let met = |p: T, rate: T| Self::contact_sign(self.k, self.c, p, rate).first();
        let [below, above] = [met(self.lower - x, -rate), met(x - self.upper, rate)];
        if below == 0.0 || above == 0.0 { None } else { Some(below > 0.0 || above > 0.0) }
    }

    /// k p + c min(p', 0), positive while a sharp stop is touched and pushes: it rises through zero where p
    /// does, and falls through zero where the push ends.
    pub fn contact_sign(k: T, c: T, p: T, rate: T) -> T {
        k * p + c * rate.if_positive(T::zero(), rate)
    }

    /// Energy in the springs.
    pub fn energy(&self, x: T) -> T {
        [self.lower - x, x - self.upper]
            .into_iter()
            .fold(T::zero(), |sum, p| sum + p.if_positive(self.contact(p).energy, T::zero()))
    }

    /// The force that has this energy.
    fn elastic(&self, x: T) -> T {
        let elastic = |p: T| p.if_positive(self.contact(p).elastic, T::zero());
        elastic(x - self.upper) - elastic(self.lower - x)
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
    /// For sharp stops, the entry of the memory that their events change.
    pub memory: Option<usize>,
}

impl<T: Number> JointLimit<T> {
    /// Turns a sharp stop on or off in the memory at the start of a run, if it is not just touched.
    pub(in crate::mechanics) fn decide(&self, bodies: &Bodies<T>, at: &At<T>, memory: &mut [f64]) {
        if let Some(x) = self.memory.and_then(|i| memory.get_mut(i)).filter(|x| **x == 0.0) {
            let c = self.coordinate.read(bodies, at);
            *x = self.stops.is_met(c.x, c.rate).map_or(0.0, |met| if met { ON } else { OFF });
        }
    }

    /// True between the events of a sharp stop.
    fn is_held(&self, at: &At<T>) -> bool {
        self.memory.and_then(|i| at.memory.get(i)).is_some_and(|m| m.first() == ON)
    }
}

impl<T: Number> Element<T> for JointLimit<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.coordinate.read(bodies, at);
        let law = self.stops.law(c.x, c.rate, self.is_held(at));
        let g = compliant::force(&self.coordinate.motion, &c.pair, &law.s);
        bodies.add_force(self.coordinate.link, &g, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.coordinate.read(bodies, at);
        let law = self.stops.law(c.x, c.rate, self.is_held(at));
        let motion = &self.coordinate.motion;
        add_compliant_tangents(bodies, self.coordinate.link, motion, (&c.pair, &c.v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        (!self.stops.c.is_zero()).then(|| {
            let c = self.coordinate.read(bodies, at);
            -(self.stops.law(c.x, c.rate, self.is_held(at)).s.x - self.stops.elastic(c.x)) * c.rate
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.stops.energy(self.coordinate.position(bodies, at))
    }
}

beside!(struct Stops { lower, upper, k, c, width });
beside!(struct JointLimit { name, coordinate, stops, memory });
