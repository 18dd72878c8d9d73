//! Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.
//!
//! At the depth p beyond a limit the stop pushes back with k R(p) + c S(p) p', and never pulls. R rounds the
//! corner over the width w (R = p^2/2w up to w, p - w/2 beyond), S lets the damper begin gently (3 a^2 - 2
//! a^3 with a = p/w, 1 beyond w). So the force does not jump when a stop is met, and implicit methods keep
//! their convergence.
//!
//! Without a width the stop is sharp, k p + c p' from the first touch. Events turn it on where it is met, p =
//! 0, and off where the push ends, k p + c p' = 0. Between them the force is the plain formula without a
//! limit, so the step in which the contact ends has no kink, and methods keep their order. The memory says
//! which limit is in contact, and after every event and every step it agrees with the sign of the contact
//! function ([`Condition`](crate::mechanics::event::Condition)). At the start and in analyses without time
//! steps, no event has turned the stop on or off. It then acts while it is touched and its force pushes.

use precess_lie::Number;

use super::ScalarLaw;
use crate::mechanics::combine::combine;
use crate::mechanics::coordinate::Reading;
use crate::mechanics::event::{AT_LOWER, AT_UPPER, OFF};
use crate::mechanics::function::Argument;
use crate::mechanics::kernels::CompliantLaw;

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

/// A limit of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

impl Side {
    /// Memory of a sharp stop that is in contact with this limit.
    pub fn memory(self) -> f64 {
        match self {
            Side::Lower => AT_LOWER,
            Side::Upper => AT_UPPER,
        }
    }
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
    fn effect(&self, p: T) -> Contact<T> {
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
        let at = self.effect(p);
        let push = at.elastic + at.damper * rate;
        let all = [push, at.stiffness + at.damper_slope * rate, at.damper];
        if held { all } else { all.map(|x| p.if_positive(push.if_positive(x, T::zero()), T::zero())) }
    }

    /// s(x, x'), which opposes a larger coordinate. If events hold a stop, only the limit in contact acts.
    pub fn law(&self, x: T, rate: T, held: Option<Side>) -> CompliantLaw<1, T> {
        let of = |side: Side, p: T, rate: T| match held {
            Some(other) if other != side => [T::zero(); 3],
            held => self.push(p, rate, held.is_some()),
        };
        let (lower, upper) = (of(Side::Lower, self.lower - x, -rate), of(Side::Upper, x - self.upper, rate));
        CompliantLaw::scalar(upper[0] - lower[0], upper[1] + lower[1], upper[2] + lower[2])
    }

    /// Energy in the springs.
    pub fn energy(&self, x: T) -> T {
        [self.lower - x, x - self.upper]
            .into_iter()
            .fold(T::zero(), |sum, p| sum + p.if_positive(self.effect(p).energy, T::zero()))
    }

    /// The force that has this energy.
    fn elastic(&self, x: T) -> T {
        let elastic = |p: T| p.if_positive(self.effect(p).elastic, T::zero());
        elastic(x - self.upper) - elastic(self.lower - x)
    }
}

impl Stops {
    /// The memory of a sharp stop at the coordinate x with this rate; none if it is just touched.
    fn decided(&self, x: f64, rate: f64) -> Option<f64> {
        let [lower, upper] = [Side::Lower, Side::Upper].map(|side| self.contact(side, x, rate));
        if lower == 0.0 || upper == 0.0 {
            None
        } else if lower > 0.0 {
            Some(AT_LOWER)
        } else {
            Some(if upper > 0.0 { AT_UPPER } else { OFF })
        }
    }

    /// k p + c min(p', 0) of a limit, positive while a sharp stop is touched and pushes: it rises through
    /// zero where p does, and falls through zero where the push ends. Zero also within the rounding errors of
    /// the coordinate, where a stop at rest without load would turn on and off for ever.
    pub fn contact(&self, side: Side, x: f64, rate: f64) -> f64 {
        let (p, rate, limit) = match side {
            Side::Lower => (self.lower - x, -rate, self.lower),
            Side::Upper => (x - self.upper, rate, self.upper),
        };
        let push = self.k * p + self.c * rate.min(0.0);
        let rounding = 4.0 * f64::EPSILON * self.k * (x.abs() + limit.abs());
        if push.abs() <= rounding { 0.0 } else { push }
    }
}

/// Stops of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopLaw<T = f64> {
    /// The stops.
    pub stops: Stops<T>,
    /// For sharp stops, the entry of the memory that their events change.
    pub memory: Option<usize>,
}

impl StopLaw {
    /// Turns a sharp stop on or off in the memory at the start of a run, if it is not just touched.
    pub(in crate::mechanics) fn decide(&self, read: impl FnOnce() -> Reading, memory: &mut [f64]) {
        if let Some(x) = self.memory.and_then(|i| memory.get_mut(i)).filter(|x| **x == 0.0) {
            let c = read();
            *x = self.stops.decided(c.x, c.rate).unwrap_or(0.0);
        }
    }
}

impl<T: Number> StopLaw<T> {
    /// Between the events of a sharp stop, the limit in contact.
    fn held(&self, memory: &[T]) -> Option<Side> {
        let now = self.memory.and_then(|i| memory.get(i))?.first();
        [Side::Lower, Side::Upper].into_iter().find(|side| side.memory() == now)
    }
}

impl<T: Number> ScalarLaw<T> for StopLaw<T> {
    fn law(&self, here: Argument<T>, memory: &[T]) -> CompliantLaw<1, T> {
        self.stops.law(here.x, here.v, self.held(memory))
    }

    fn potential(&self, x: T) -> T {
        self.stops.energy(x)
    }

    fn is_elastic(&self) -> bool {
        self.stops.c.is_zero()
    }

    fn loss(&self, here: Argument<T>, memory: &[T]) -> T {
        self.strength(here, memory) - self.stops.elastic(here.x)
    }
}

combine!(struct Stops { lower, upper, k, c, width });
combine!(struct StopLaw { stops, memory });
