//! Forces along one coordinate of two bodies: a measure and a law.
//!
//! Springs, tables, actuators, stops and friction that does not read the load of its joint differ only in
//! their law s(t, x, x'). The force is g = B^T s with the row B of the coordinate, so a positive s reduces
//! the coordinate. A new law needs a file and a line in the list of [`LawKind`].

pub mod effort;
pub mod elastic;
pub mod slip;
pub mod stops;

use std::ops::Deref;

use nalgebra::Vector1;
use precess_lie::Number;

use super::element::{Element, add_compliant_tangents};
use crate::mechanics::combine::combine;
use crate::mechanics::coordinate::{Coordinate, Reading};
use crate::mechanics::function::{Argument, Function};
use crate::mechanics::kernels::{CompliantLaw, Measure};
use crate::mechanics::links::{Bodies, Link};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A force law s(t, x, x') of one coordinate. A positive s reduces x.
pub trait ScalarLaw<T: Number> {
    /// s with its derivatives for x and x'.
    fn law(&self, here: Argument<T>, memory: &[T]) -> CompliantLaw<1, T>;

    /// s alone.
    fn strength(&self, here: Argument<T>, memory: &[T]) -> T {
        self.law(here, memory).s.x
    }

    /// False if s does not depend on x. Then x is not measured, and zero in the argument.
    fn reads_position(&self) -> bool {
        true
    }

    /// The energy of the part of s that has a potential.
    fn potential(&self, x: T) -> T {
        let _ = x;
        T::zero()
    }

    /// True if all of s has a potential.
    fn is_elastic(&self) -> bool {
        false
    }

    /// The part of s that has no potential.
    fn loss(&self, here: Argument<T>, memory: &[T]) -> T;

    /// Functions of time in it.
    fn drives(&self) -> Vec<&Function> {
        Vec::new()
    }

    /// A sentence about a function of the force `whose` that has no value here.
    fn trouble(&self, here: Argument<T>, whose: &str) -> Option<String> {
        let _ = (here, whose);
        None
    }
}

/// Defines the enum of all laws.
macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident($type:ty),)*) => {
        /// Any law.
        #[derive(Clone, Debug, PartialEq)]
        pub enum LawKind<T = f64> {
            $($(#[$doc])* $name($type),)*
        }

        combine!(enum LawKind { $($name(x),)* });

        impl<T: Number> Deref for LawKind<T> {
            type Target = dyn ScalarLaw<T>;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(LawKind::$name(law) => law,)*
                }
            }
        }
    };
}

laws! {
    /// A spring, linear or given by a table or a potential, with a damper.
    Elastic(elastic::Characteristic<T>),
    /// The force of an actuator: minus a function of time, coordinate and rate.
    Effort(Function),
    /// Springs with dampers beyond a lower and an upper limit.
    Stops(stops::StopLaw<T>),
    /// Viscous friction.
    Viscous(slip::Viscous<T>),
    /// Dry and viscous friction.
    Dry(slip::Dry<T>),
}

/// A force along a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Along<T = f64> {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate<T>,
    /// Its law.
    pub law: LawKind<T>,
}

impl<T: Number> Along<T> {
    /// The bodies, the coordinate and its rate. A reading is large, so it is not passed on.
    #[inline(always)]
    fn read(&self, bodies: &Bodies<T>, at: &At<T>) -> Reading<T> {
        let mut c = self.coordinate.read_rate(bodies, at);
        if self.law.reads_position() {
            c.x = self.coordinate.value(&c.pair, at.t, at.memory);
        }
        c
    }
}

/// The arguments of a law.
#[inline(always)]
fn argument<T: Number>(c: &Reading<T>, at: &At<T>) -> Argument<T> {
    Argument { t: at.t, x: c.x, v: c.rate }
}

impl<T: Number> Element<T> for Along<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn drives(&self) -> Vec<&Function> {
        self.law.drives()
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.read(bodies, at);
        let s = Vector1::new(self.law.strength(argument(&c, at), at.memory));
        bodies.add_force(self.coordinate.link, &self.coordinate.motion.bt_lambda(&c.pair, &s), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.read(bodies, at);
        let (law, motion) = (self.law.law(argument(&c, at), at.memory), &self.coordinate.motion);
        add_compliant_tangents(bodies, self.coordinate.link, motion, (&c.pair, &c.v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        (!self.law.is_elastic()).then(|| {
            let c = self.read(bodies, at);
            -self.law.loss(argument(&c, at), at.memory) * c.rate
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        match self.law.reads_position() {
            true => self.law.potential(self.coordinate.position(bodies, at)),
            false => T::zero(),
        }
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        self.law.trouble(argument(&self.read(bodies, at), at), &self.name)
    }
}

combine!(struct Along { name, coordinate, law });
