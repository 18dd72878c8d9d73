//! Times at which an expression of t jumps or has a kink: where the argument of `abs`, `signum`, `floor`, `ceil`, `round`,
//! `trunc` or `fract` passes the values that matter to it, and where the arguments of `min` and `max` meet.
//!
//! Each such argument is followed by itself on ten thousand intervals of a run, so that a short pulse between two jumps is
//! found however short it is; only arguments that oscillate faster than that are not.

use exmex::prelude::*;

use super::number::{Expression, Names, parse_with};
use super::tokens::{Token, Tokens};

/// Intervals on which an argument is followed.
const INTERVALS: usize = 10_000;
/// More levels than this in one interval are not followed.
const MOST: f64 = 1e5;
/// One more than a run takes: the others are not looked for.
const ENOUGH: usize = 100_001;

/// An argument with the function that makes its levels matter.
#[derive(Clone, Debug)]
pub(super) struct Switching {
    argument: Expression,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// abs, signum, min, max: zero.
    Zero,
    /// Whole numbers.
    Floor,
    /// Whole numbers.
    Ceil,
    /// Whole numbers except zero: trunc, fract.
    Trunc,
    /// Halves.
    Round,
}

impl Kind {
    fn of(function: &str) -> Option<Self> {
        match function {
            "abs" | "signum" | "min" | "max" => Some(Kind::Zero),
            "floor" => Some(Kind::Floor),
            "ceil" => Some(Kind::Ceil),
            "trunc" | "fract" => Some(Kind::Trunc),
            "round" => Some(Kind::Round),
            _ => None,
        }
    }

    /// Whether the function treats x as above the level.
    fn above(self, x: f64, level: f64) -> bool {
        let upper = match self {
            Kind::Zero | Kind::Floor => true,
            Kind::Ceil => false,
            Kind::Trunc | Kind::Round => level > 0.0,
        };
        if upper { x >= level } else { x > level }
    }

    /// The levels from low to high, both included.
    fn levels(self, low: f64, high: f64) -> impl Iterator<Item = f64> {
        let shift = if self == Kind::Round { 0.5 } else { 0.0 };
        let (first, last) = match self {
            Kind::Zero if low <= 0.0 && high >= 0.0 => (0.0, 0.0),
            Kind::Zero => (1.0, 0.0),
            _ => ((low - shift).ceil(), (high - shift).floor()),
        };
        let n = if high - low < MOST { (last - first + 1.0).max(0.0) as usize } else { 0 };
        let jumps = move |level: &f64| self != Kind::Trunc || *level != 0.0;
        (0..n).map(move |i| first + i as f64 + shift).filter(jumps)
    }
}

/// The arguments of a formula that make it jump or bend as a function of t alone.
pub(super) fn switching(text: &str, names: &Names) -> Vec<Switching> {
    let mut list = Vec::new();
    let mut tokens = Tokens::of(text);
    while let Some(token) = tokens.next() {
        if let Token::Word(word) = token
            && let Some(kind) = Kind::of(word)
            && let Some(argument) = argument(tokens.rest.trim_start(), names)
        {
            list.push(Switching { argument, kind });
        }
    }
    list
}

/// The argument in parentheses, or the difference of two, if it depends on t alone.
fn argument(text: &str, names: &Names) -> Option<Expression> {
    let inside = text.strip_prefix('(')?;
    let (mut depth, mut comma, mut end) = (0, None, None);
    for (i, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => {
                end = Some(i);
                break;
            }
            ')' => depth -= 1,
            ',' if depth == 0 => comma = Some(i),
            _ => {}
        }
    }
    let inside = inside.get(..end?)?;
    let body = match comma.and_then(|i| inside.split_at_checked(i)) {
        Some((first, second)) => format!("({first})-({})", second.strip_prefix(',')?),
        None => inside.to_string(),
    };
    let bound: Expression = parse_with(&body, names).ok()?;
    (bound.var_names() == ["t"]).then_some(bound)
}

impl Switching {
    fn value(&self, t: f64) -> f64 {
        self.argument.eval(&[t]).unwrap_or(f64::NAN)
    }

    /// The times in (from, to), each the first number on its right side.
    pub(super) fn times(&self, from: f64, to: f64) -> Vec<f64> {
        let mut times = Vec::new();
        let at =
            |i: usize| if i == INTERVALS { to } else { from + (to - from) * i as f64 / INTERVALS as f64 };
        let (mut a, mut f_a) = (from, self.value(from));
        for i in 1..=INTERVALS {
            if times.len() >= ENOUGH {
                break;
            }
            let (b, f_b) = (at(i), self.value(at(i)));
            for level in self.kind.levels(f_a.min(f_b), f_a.max(f_b)).take(ENOUGH) {
                // Each crossing belongs to one interval, also at its ends.
                if self.kind.above(f_a, level) != self.kind.above(f_b, level) {
                    times.push(self.cross(a, b, level));
                }
            }
            (a, f_a) = (b, f_b);
        }
        times.retain(|t| from < *t && *t < to);
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The first number behind the crossing of a level in (a, b], by bisection down to neighbouring numbers.
    fn cross(&self, mut a: f64, mut b: f64, level: f64) -> f64 {
        let behind = self.kind.above(self.value(b), level);
        loop {
            let m = 0.5 * (a + b);
            if m <= a || m >= b {
                return b;
            }
            if self.kind.above(self.value(m), level) == behind { b = m } else { a = m }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::number::parse;

    fn times(text: &str) -> Vec<f64> {
        let names = Names::from([("t_on".to_string(), 0.5)]);
        let mut all: Vec<f64> = switching(text, &names).iter().flat_map(|s| s.times(0.0, 2.0)).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn jumps_and_kinks_are_found_to_the_last_digit() {
        assert_eq!(times("3*(1 + signum(t - t_on))"), [0.5]);
        assert_eq!(times("abs(2*t - 1.5)*sin(t)"), [0.75]);
        assert_eq!(times("min(t, 1)"), [1.0]);
        assert!(times("max(0, sin(pi*t_on))").is_empty());
        assert_eq!(times("floor(2*t)"), [0.5, 1.0, 1.5]);
        assert_eq!(times("round(t)"), [0.5, 1.5]);
        // A pulse of a microsecond.
        assert_eq!(times("signum(t - 1) - signum(t - 1.000001)"), [1.0, 1.000001]);
        let wave = times("signum(sin(20*pi*t))");
        assert_eq!(wave.len(), 39);
        assert!(wave.iter().enumerate().all(|(i, t)| (t - 0.05 * (i + 1) as f64).abs() < 1e-15));
        assert!(times("sin(t) + t^2").is_empty());
        // The value at a breakpoint is that of the right side.
        for text in [
            "floor(3*t)",
            "ceil(3*t)",
            "floor(1 - 3*t)",
            "ceil(1.7 - 3*t)",
            "fract(0.7*t)",
            "round(-1.3*t)",
            "trunc(2 - 3*t)",
        ] {
            let f = parse(text).unwrap();
            for t in times(text) {
                let (left, at, right) = (t - 1e-9, t, t + 1e-9);
                let value = |t: f64| f.eval(&[t]).unwrap();
                assert!((value(at) - value(right)).abs() < 1e-6, "{text} at {t}");
                assert!((value(left) - value(right)).abs() > 0.5, "{text} at {t}");
            }
        }
    }
}
