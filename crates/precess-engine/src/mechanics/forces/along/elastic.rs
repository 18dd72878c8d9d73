//! Springs with dampers: s = s(x) + c x', linear, from a table, or the derivative of a potential.

use precess_lie::Number;

use super::ScalarLaw;
use crate::mechanics::combine::combine;
use crate::mechanics::forces::element::no_number;
use crate::mechanics::forces::table::Tables;
use crate::mechanics::function::{Argument, Function, MAX_READ};
use crate::mechanics::kernels::{CompliantLaw, SpringDamper};

/// Tension over length, or effort over a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Characteristic<T = f64> {
    /// Stiffness, damping, free length and preload.
    Linear(SpringDamper<T>),
    /// Force over length, and additional damping.
    Table {
        /// Tension over length.
        table: Tables,
        /// Damping.
        c: T,
    },
    /// Energy over length, and additional damping.
    Potential {
        /// V(l) with two derivatives, in the form of a motion.
        potential: Function,
        /// Damping.
        c: T,
    },
}

impl<T: Number> Characteristic<T> {
    /// The coefficient of its damper.
    pub fn damping(&self) -> T {
        match self {
            Characteristic::Linear(s) => s.c,
            Characteristic::Table { c, .. } | Characteristic::Potential { c, .. } => *c,
        }
    }
}

impl<T: Number> ScalarLaw<T> for Characteristic<T> {
    fn law(&self, here: Argument<T>, _: &[T]) -> CompliantLaw<1, T> {
        match self {
            Characteristic::Linear(s) => s.law(here.x, here.v),
            Characteristic::Table { table, c } => {
                let [s, s_y] = table.at(here.x);
                CompliantLaw::scalar(s + *c * here.v, s_y, *c)
            }
            Characteristic::Potential { potential, c } => {
                let [_, s, s_y] = potential.motion(here.x);
                CompliantLaw::scalar(s + *c * here.v, s_y, *c)
            }
        }
    }

    fn potential(&self, x: T) -> T {
        match self {
            Characteristic::Linear(s) => {
                let x = x - s.y0;
                x * (T::of(0.5) * s.k * x + s.f0)
            }
            Characteristic::Table { table, .. } => table.energy(x),
            Characteristic::Potential { potential, .. } => potential.motion(x)[0],
        }
    }

    fn is_elastic(&self) -> bool {
        self.damping().is_zero()
    }

    fn loss(&self, here: Argument<T>, _: &[T]) -> T {
        self.damping() * here.v
    }

    fn trouble(&self, here: Argument<T>, whose: &str) -> Option<String> {
        let Characteristic::Potential { potential, .. } = self else { return None };
        let functions = std::slice::from_ref(potential);
        no_number(functions, Argument::time(here.x), &[T::zero(); MAX_READ], (whose, here.t))
    }
}

combine!(enum Characteristic { Linear(x), Table { table, c }, Potential { potential, c } });
