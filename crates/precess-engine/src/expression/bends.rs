//! Tests whether a law bends where one of its parts does: `abs(x - 2)` has a kink at 2, but
//! `abs(x - 2)*(x - 2)` has none, and neither has `max(0, x - 2)^2`.
//!
//! At the points where the argument of such a part changes its sign along a variable of the motion, the
//! differences of the whole law on both sides must approach each other: values, first differences, second
//! ones. This is a test at a few points, not a proof, as for the pieces of `if` (`pieces.rs`).

use super::Expression;
use super::breakpoints::crossings;
use super::functions::{Code, Function};

/// Distances from the boundary, relative to the variable, for differences of order 0, 1 and 2, and their
/// divisor for the second test: rounding errors stay below 1e-8.
const NEAR: [f64; 3] = [1e-7, 1e-5, 1e-3];
const NEARER: f64 = 10.0;
/// Smaller parts of the size of the differences are rounding errors.
const SMALL: f64 = 1e-4;
/// Sizes of the variables at the tested points.
const SIZES: [f64; 4] = [0.04, 0.9, 13.0, 400.0];
/// Values from which boundaries are looked for, with both signs.
const TRIED: [f64; 8] = [0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e4];

impl Expression {
    /// True if the whole law has the wanted number of continuous derivatives at the bends of part i that were
    /// found, and some were.
    pub(super) fn passes_bend(&self, i: usize, variables: &[&str], wanted: i32) -> bool {
        let code = self.ops.get(i).map(|op| &op.code);
        if matches!(code, Some(Code::Call(Function::If, _) | Code::And | Code::Or | Code::Not)) {
            // Their comparisons are parts of their own.
            return self.arguments(i).first().is_some_and(|&end| self.is_logical(end));
        }
        let Some(arguments) = crossings(self, i) else { return false };
        let mut found = false;
        for argument in &arguments {
            for (k, name) in self.names.iter().enumerate() {
                if !variables.contains(&name.as_str()) || !argument.reads(name) {
                    continue;
                }
                for size in SIZES {
                    let place = self.trial_point(size);
                    for x in zeros(argument, &place, k) {
                        found = true;
                        if (0..=wanted).any(|order| self.bends_at(&place, (k, x), order)) {
                            return false;
                        }
                    }
                }
            }
        }
        found
    }

    fn is_logical(&self, end: usize) -> bool {
        let code = self.ops.get(end).map(|op| &op.code);
        let compares = matches!(code, Some(Code::Less | Code::LessEqual | Code::Equal | Code::NotEqual));
        compares || matches!(code, Some(Code::And | Code::Or | Code::Not))
    }

    fn reads(&self, name: &str) -> bool {
        self.uses(self.ops.len().saturating_sub(1)).any(|used| used == name)
    }

    /// True if the differences of an order on both sides of variable k = x do not approach each other.
    fn bends_at(&self, place: &[f64], (k, x): (usize, f64), order: i32) -> bool {
        let mut place = place.to_vec();
        let mut value = |x: f64| {
            place.get_mut(k).into_iter().for_each(|p| *p = x);
            self.eval(&place)
        };
        let mut sides = |d: f64| {
            [1.0, -1.0].map(|sign| {
                let mut at = |n: f64| value(x + sign * n * d);
                match order {
                    0 => at(1.0),
                    1 => sign * (at(2.0) - at(1.0)) / d,
                    _ => (at(3.0) - 2.0 * at(2.0) + at(1.0)) / (d * d),
                }
            })
        };
        let d = NEAR.get(order.clamp(0, 2) as usize).map_or(1e-3, |near| near * (x.abs() + 1.0));
        let [[a, b], [c, e]] = [d, d / NEARER].map(&mut sides);
        let (far, near) = ((a - b).abs(), (c - e).abs());
        let size = c.abs().max(e.abs());
        !near.is_finite() || (near > 0.5 * far && near > SMALL * size)
    }
}

/// Values of variable k at which an argument changes its sign.
fn zeros(argument: &Expression, place: &[f64], k: usize) -> Vec<f64> {
    let mut place = place.to_vec();
    let mut value = |x: f64| {
        place.get_mut(k).into_iter().for_each(|p| *p = x);
        argument.eval(&place)
    };
    // Most arguments are linear, with zeros at any distance.
    let (zero, one) = (value(0.0), value(1.0));
    let guess = zero / (zero - one);
    let mut tried: Vec<f64> = TRIED.map(|x| [x, -x]).concat();
    if guess.is_finite() {
        let d = 1e-3 * guess.abs() + 1e-9;
        tried.extend([guess - d, guess + d]);
    }
    tried.sort_unstable_by(f64::total_cmp);
    let mut list = Vec::new();
    for pair in tried.windows(2) {
        let &[mut a, mut b] = pair else { continue };
        let before = value(a) < 0.0;
        if before == (value(b) < 0.0) {
            continue;
        }
        loop {
            let m = 0.5 * (a + b);
            if m <= a || m >= b {
                break;
            }
            if (value(m) < 0.0) == before { a = m } else { b = m }
        }
        list.push(b);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Names;

    fn rough(text: &str, wanted: i32) -> Option<String> {
        let names = Names::from([("a".to_string(), 0.2)]);
        let bound = Expression::parse(text, &|n| n == "a").unwrap().bind(&names).unwrap();
        bound.rough_part(&["x", "v"], wanted).map(str::to_string)
    }

    #[test]
    fn laws_that_do_not_bend_pass() {
        for text in [
            "abs(x - 2)*(x - 2)",
            "-max(0, x - a)^2",
            "min(0, 3*x - 700)^3",
            "if(x > 2, (x - 2)^2, 0)",
            "-500*max(0, x - 2)^2*(1 + v)",
            "if(x > v and v > 0, (x - v)^2*v^2, 0)",
            "(x > 2)*(x - 2)^2",
            "x + clamp(x, -1, 1)*0",
        ] {
            assert_eq!(rough(text, 1), None, "{text}");
        }
        assert_eq!(rough("max(0, x - 2)^3", 2), None);
        assert_eq!(rough("abs(x)^3*v", 2), None);
    }

    #[test]
    fn laws_that_bend_are_named() {
        for text in [
            "abs(x - 2)",
            "max(0, x - a)",
            "abs(x - 2)*(x - 2.001)",
            "if(x > 2, x - 2, 0)",
            "if(x > 2, (x - 2)^2, 1e-3)",
            "(x > 2)*(x - 2)",
            "min(0, 3*x - 700)*v",
            "floor(x)*(x - 1)",
            "max(0, x)^2 + 0.01*abs(x + 3)",
        ] {
            assert!(rough(text, 1).is_some(), "{text}");
        }
        assert!(rough("max(0, x - 2)^2", 2).is_some());
    }
}
