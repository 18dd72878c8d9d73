//! Tests whether the pieces of `if` meet. A force law must not jump with the motion, and `if` is the only
//! function that may or may not jump.
//!
//! The law is tested at the boundary of each condition: from a few points, each variable of the motion is
//! moved until the condition changes. There the whole law must have the same value from both sides. So
//! `if(x > 0, 3, 0)*x` passes, and `if(x > 0, 3, 0)` does not. This finds a gap at any boundary that one
//! variable can reach; it is a test, not a proof.

use std::fmt;

use super::Expression;
use super::functions::{Code, Function};
use super::jet::Jet;

/// Sizes of the variables at the tested points.
const SIZES: [f64; 4] = [0.04, 0.9, 13.0, 400.0];
/// Values of the moved variable, with both signs, in addition to those at which a comparison changes.
const TRIED: [f64; 11] = [0.0, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 10.0, 100.0, 1e4];
/// A smaller part of the value is rounding of the user's numbers.
const SMALL: f64 = 1e-6;
/// Distance from the boundary, relative to the variable, and its divisor for the second test.
const NEAR: f64 = 1e-7;
const NEARER: f64 = 100.0;

/// A jump of a law where two pieces of an `if` do not meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The `if` as written.
    pub part: String,
    /// The variable that crosses the boundary, and its value there.
    pub at: (String, f64),
    /// The law before and after it.
    pub values: [f64; 2],
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.values.map(digits);
        let (name, value) = (&self.at.0, digits(self.at.1));
        write!(
            f,
            "the pieces of '{}' do not meet: the law jumps from {a} to {b} at {name} = {value}, and the \
             time when a motion gets there is unknown before the run; make them meet there, use smoothsign \
             or step(x, x0, x1), or an event that switches a force",
            self.part
        )
    }
}

/// Six digits; values next to zero become zero.
fn digits(x: f64) -> f64 {
    if x.abs() < 1e-12 { 0.0 } else { format!("{x:.5e}").parse().unwrap_or(x) }
}

impl Expression {
    /// The first `if` whose pieces do not meet where one of these variables crosses the boundary of its
    /// condition.
    pub fn gap(&self, variables: &[&str]) -> Option<Gap> {
        for (i, op) in self.ops.iter().enumerate() {
            if !matches!(op.code, Code::Call(Function::If, _)) {
                continue;
            }
            let Some(&end) = self.arguments(i).first() else { continue };
            let moving = self.names.iter().enumerate();
            let moving = moving
                .filter(|(_, n)| variables.contains(&n.as_str()) && self.uses(end).any(|used| used == *n));
            for (k, name) in moving {
                for size in SIZES {
                    if let Some((at, values)) = self.gap_along(end, k, size) {
                        return Some(Gap {
                            part: self.text_of(i).to_string(),
                            at: (name.clone(), at),
                            values,
                        });
                    }
                }
            }
        }
        None
    }

    /// A point with variables of this size: different numbers of both signs.
    pub(super) fn trial_point(&self, size: f64) -> Vec<f64> {
        let number = |(k, name): (usize, &String)| {
            let x = size * (0.4 + (0.618 * (k + 1) as f64).fract());
            if name == "t" || (k + usize::from(size > 1.0)) % 2 == 0 { x } else { -x }
        };
        self.names.iter().enumerate().map(number).collect()
    }

    /// The value at which variable k crosses the boundary of a condition with a jump of the whole law, and
    /// both values of the law.
    fn gap_along(&self, condition: usize, k: usize, size: f64) -> Option<(f64, [f64; 2])> {
        let mut point = self.trial_point(size);
        let question = self.part(condition);
        let mut holds = |x: f64| {
            point.get_mut(k).into_iter().for_each(|p| *p = x);
            question.eval(&point) != 0.0
        };
        let mut tried: Vec<f64> = TRIED.map(|x| [x, -x]).concat();
        for turn in self.turns(condition, k, size) {
            let d = 1e-3 * turn.abs() + 1e-9;
            tried.extend([turn - d, turn + d]);
        }
        tried.sort_unstable_by(f64::total_cmp);
        let mut boundaries = Vec::new();
        for pair in tried.windows(2) {
            let &[mut a, mut b] = pair else { continue };
            let before = holds(a);
            if before == holds(b) {
                continue;
            }
            loop {
                let m = 0.5 * (a + b);
                if m <= a || m >= b {
                    break;
                }
                if holds(m) == before { a = m } else { b = m }
            }
            boundaries.push(b);
        }
        let mut value = |x: f64| {
            point.get_mut(k).into_iter().for_each(|p| *p = x);
            self.eval(&point)
        };
        boundaries.into_iter().find_map(|x| {
            let d = NEAR * x.abs() + 1e-10;
            let [far, near] = [d, d / NEARER].map(|d| [value(x - d), value(x + d)]);
            let jump = |[a, b]: [f64; 2]| (b - a).abs();
            let size = near.iter().fold(0.0, |m, x| if x.abs() > m { x.abs() } else { m });
            // A continuous change becomes smaller nearby.
            let jumps = jump(near) > 0.7 * jump(far) && jump(near) > SMALL * size;
            (jumps && near.iter().all(|x| x.is_finite())).then_some((x, near))
        })
    }

    /// Values of variable k at which a comparison in a condition changes, by Newton's method.
    fn turns(&self, condition: usize, k: usize, size: f64) -> Vec<f64> {
        let begin = self.ops.get(condition).map_or(0, |op| op.begin);
        let mut list = Vec::new();
        for i in begin..=condition {
            let comparison = self.ops.get(i).is_some_and(|op| {
                matches!(op.code, Code::Less | Code::LessEqual | Code::Equal | Code::NotEqual)
            });
            let (true, &[a, b]) = (comparison, self.arguments(i).as_slice()) else { continue };
            let difference = self.difference(a, b);
            let mut point: Vec<Jet> = self.trial_point(size).into_iter().map(Jet::constant).collect();
            let mut x = point.get(k).map_or(0.0, |x| x.f);
            for _ in 0..12 {
                point.get_mut(k).into_iter().for_each(|p| *p = Jet::first(x));
                let g = difference.eval(&point);
                let next = x - g.f / g.a;
                if !next.is_finite() || next == x {
                    break;
                }
                x = next;
            }
            list.push(x);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Names;

    fn gap(text: &str) -> Option<Gap> {
        let names = Names::from([("a".to_string(), 0.2), ("far".to_string(), 3.7e5)]);
        let expression = Expression::parse(text, &|n| n == "a" || n == "far").unwrap();
        expression.bind(&names).unwrap().gap(&["x", "v", "y"])
    }

    #[test]
    fn pieces_that_meet_pass() {
        for text in [
            "if(x > 0.25, -500*(x - 0.25), 0)",
            "if(x > a, 3, 0)*(x - a)",
            "if(x == 0, 1, sin(x)/x)",
            "if(v > 0, v^2, -v^2)",
            "if(v < 0.3, 10*v, 3 + 2*(v - 0.3))",
            "if(x > 0 and v < 0, -x*v, 0)",
            "if(x^2 + y^2 > 1, sqrt(x^2 + y^2) - 1, 0)",
            "if(x > far, x - far, 0)",
            "if(t > 1, 5, 0) + x",
            "if(x > 0.1*t, x - 0.1*t, 0)",
            "if(not x >= a, 0, sqrt(x - a))",
            "if(x < -0.01, 1e7*(x + 0.01), if(x > 0.01, 1e7*(x - 0.01), 0))",
            "if(floor(x) > 1, 0, 0)*v",
        ] {
            assert_eq!(gap(text), None, "{text}");
        }
    }

    #[test]
    fn pieces_that_do_not_meet_are_found() {
        for (text, at) in [
            ("if(v > 0, 3, -3)", 0.0),
            ("if(x > a, 3, 0)*x", 0.2),
            ("if(x > far, x, 0)", 3.7e5),
            ("if(x < -0.012345, 1e6*x, 0)", -0.012345),
            ("if(2*x - 7 >= 0, x, 3.4)", 3.5),
            ("if(t > 1, if(v > 2.5, 1, 0), 0)", 2.5),
            ("2 + if(x > 0, if(v > 0, x, 0), 0)", 0.0),
            ("if(floor(x) > 0.5, 1, 0)", 1.0),
            ("if(x*x > 2, 1, 0)", 2.0_f64.sqrt()),
        ] {
            let gap = gap(text).unwrap_or_else(|| panic!("{text}"));
            assert!((gap.at.1.abs() - at.abs()).abs() <= 1e-9 * (1.0 + at.abs()), "{text}: {gap:?}");
        }
        let message = gap("5*if(v > a, 3, -3)").unwrap().to_string();
        assert!(message.contains("'if(v > a, 3, -3)' do not meet"), "{message}");
        assert!(message.contains("from -15 to 15 at v = 0.2"), "{message}");
    }
}
