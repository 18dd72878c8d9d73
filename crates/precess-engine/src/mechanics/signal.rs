//! Inputs: numbers in formulas that a program sets during a simulation.
//!
//! A signal is constant, or changes linearly from one value to another. It is set only between two steps, so
//! a step sees one function of time. Copies share their value: all formulas with this signal read the value
//! that a program sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A straight line from `u_0` at `t_0` to `u_1` at `t_1`, and `u_1` from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Time of its beginning.
    pub t_0: f64,
    /// Value there and before.
    pub u_0: f64,
    /// Time of its end.
    pub t_1: f64,
    /// Value there and after.
    pub u_1: f64,
}

impl Line {
    /// One value for all times.
    pub fn held(u: f64) -> Self {
        Line { t_0: f64::MIN, u_0: u, t_1: f64::MIN, u_1: u }
    }

    /// Value and rate at time t; at the ends the rate is that of the line.
    pub fn at(&self, t: f64) -> [f64; 2] {
        if t > self.t_1 {
            return [self.u_1, 0.0];
        }
        if t < self.t_0 {
            return [self.u_0, 0.0];
        }
        let rate = (self.u_1 - self.u_0) / (self.t_1 - self.t_0);
        // Gives exactly u_1 at the end.
        [self.u_1 + rate * (t - self.t_1), rate]
    }
}

/// A named number in formulas that a program sets.
#[derive(Clone, Debug)]
pub struct Signal {
    name: Arc<str>,
    bits: Arc<[AtomicU64; 4]>,
}

impl Signal {
    /// A signal with an initial value.
    pub fn new(name: &str, value: f64) -> Self {
        let signal = Signal { name: name.into(), bits: Arc::default() };
        signal.set(Line::held(value));
        signal
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True for a copy, which shares its value.
    pub fn shares(&self, other: &Signal) -> bool {
        Arc::ptr_eq(&self.bits, &other.bits)
    }

    /// A signal with the same name and line that is set separately.
    pub fn apart(&self) -> Signal {
        let signal = Signal { name: self.name.clone(), bits: Arc::default() };
        signal.set(self.line());
        signal
    }

    /// Its current line.
    pub fn line(&self) -> Line {
        let [t_0, u_0, t_1, u_1] = self.bits.each_ref().map(|x| f64::from_bits(x.load(Ordering::Relaxed)));
        Line { t_0, u_0, t_1, u_1 }
    }

    /// Sets the line.
    pub fn set(&self, line: Line) {
        for (place, x) in self.bits.iter().zip([line.t_0, line.u_0, line.t_1, line.u_1]) {
            place.store(x.to_bits(), Ordering::Relaxed);
        }
    }

    /// Value and rate at time t.
    pub fn at(&self, t: f64) -> [f64; 2] {
        self.line().at(t)
    }
}

/// Two signals are equal if they have the same name and value.
impl PartialEq for Signal {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.line() == other.line()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_held_at_both_ends() {
        let line = Line { t_0: 1.0, u_0: 2.0, t_1: 3.0, u_1: 8.0 };
        assert_eq!(line.at(0.5), [2.0, 0.0]);
        assert_eq!(line.at(2.0), [5.0, 3.0]);
        assert_eq!(line.at(3.0), [8.0, 3.0]);
        assert_eq!(line.at(3.5), [8.0, 0.0]);
        assert_eq!(Line::held(4.0).at(-7.0), [4.0, 0.0]);
        let a = Signal::new("a", 1.0);
        let b = a.clone();
        b.set(line);
        assert_eq!(a.at(2.0), [5.0, 3.0]);
    }
}
