//! Times at which an expression of t, or one of its derivatives, jumps or has a kink: where the argument of
//! `abs`, `sign`, `floor`, a table, a profile and so on passes certain levels, and where two branches meet.
//!
//! Each such argument is followed separately on thousands of intervals of a run. So a short pulse between two
//! jumps is always found. Where the argument oscillates within an interval, the interval is halved until the
//! oscillation is resolved. A formula with more jumps than a run accepts, or one that takes too much work, is
//! refused; no jump of an oscillation is lost in silence.

use std::sync::Arc;

use super::functions::{Code, Function};
use super::{Expression, profile};

/// Number of intervals on which an argument is followed.
const INTERVALS: usize = 1_700;
/// Largest number of levels followed in one interval.
const MOST: f64 = 1e5;
/// Tables are not followed after more turns, since these could not be distinguished.
const MOST_TURNS: f64 = 1e12;
/// One more than a run accepts; further ones are not searched.
const ENOUGH: usize = 100_001;

/// Largest number of operations in a search for crossings: a formula that oscillates wildly is refused like
/// one with too many jumps.
const MOST_WORK: usize = 100_000_000;
/// Number of evaluations that locate a crossing to the last digit.
const BISECTIONS: usize = 55;

/// Places of an interval at which the argument is evaluated. Those inside are irregular: of all oscillations
/// with 0.35 to 60 periods in an interval and any phase, 4 in 100 000 look smooth there.
const PLACES: [f64; 6] = [0.0, 0.108, 0.277, 0.651, 0.693, 1.0];
/// Number of evaluations for two halves of an interval.
const EVALUATIONS: usize = 2 * PLACES.len();
/// An interval is halved at most this often.
const MOST_HALVINGS: u32 = 14;
/// An interval is halved if the argument is further from a straight line, relative to its size in the run.
const LARGEST_BEND: f64 = 0.05;
/// The same for halves of intervals: where the argument oscillates, one that looks smooth may be chance.
const LARGEST_BEND_OF_HALVES: f64 = 0.02;
/// Relative rounding errors of an argument.
const ROUNDING: f64 = 1e-12;

/// An interval with values of the argument.
#[derive(Clone, Copy)]
struct Piece {
    times: [f64; PLACES.len()],
    values: [f64; PLACES.len()],
}

/// The times at which a formula of t alone changes its sign.
#[derive(Clone, Debug)]
pub struct Signs {
    whole: Switching,
    parts: Vec<Switching>,
}

impl Signs {
    /// Those of a formula; none if it depends on anything else. Parameters are bound.
    pub fn of(formula: &Expression) -> Option<Signs> {
        let last = formula.ops.len().checked_sub(1)?;
        let mut names = formula.uses(last).peekable();
        names.peek()?;
        names.all(|n| n == "t").then(|| Signs {
            whole: Switching { argument: formula.clone(), kind: BreakpointKind::Zero },
            parts: switching(formula),
        })
    }

    /// The times in (from, to], each with true if the formula is positive or zero from then on; none if
    /// there are too many. Short pulses are found, because the intervals end where the formula jumps.
    pub fn changes(&self, from: f64, to: f64) -> Option<Vec<(f64, bool)>> {
        // A change at the end needs an interval behind it.
        let behind = to + 1e-9 * (to - from);
        let mut ends: Vec<f64> =
            (0..=INTERVALS).map(|i| from + (to - from) * i as f64 / INTERVALS as f64).collect();
        ends.push(behind);
        for part in &self.parts {
            let times = part.times(from, behind);
            if times.len() >= ENOUGH || ends.len() > 2 * ENOUGH {
                return None;
            }
            ends.extend(times.iter().flat_map(|t| [t.next_down(), *t]));
        }
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        let times = self.whole.times_between(&ends)?;
        // A formula that is zero at the start has no sign there.
        let starts = |t: f64| self.whole.value(from) == 0.0 && t - from <= 1e-12 * (to - from);
        let inside = times.into_iter().filter(|t| *t <= to && !starts(*t));
        Some(inside.map(|t| (t, self.whole.value(t) >= 0.0)).collect())
    }
}

/// An argument and the function that makes its levels matter.
#[derive(Clone, Debug)]
pub struct Switching {
    argument: Expression,
    kind: BreakpointKind,
}

#[derive(Clone, Debug, PartialEq)]
enum BreakpointKind {
    /// Zero, which counts as above.
    Zero,
    /// Zero, which counts as below.
    AboveZero,
    /// Whole numbers.
    Floor,
    /// Whole numbers.
    Ceil,
    /// Whole numbers except zero: trunc, fract.
    Trunc,
    /// Halves.
    Round,
    /// Numbers in order.
    Levels(Arc<[f64]>),
    /// Numbers in order, repeated after a period.
    Repeated(Arc<[f64]>, f64),
}

impl BreakpointKind {
    /// True if the function treats x as above the level.
    fn above(&self, x: f64, level: f64) -> bool {
        let upper = match self {
            BreakpointKind::Zero
            | BreakpointKind::Floor
            | BreakpointKind::Levels(_)
            | BreakpointKind::Repeated(..) => true,
            BreakpointKind::Ceil | BreakpointKind::AboveZero => false,
            BreakpointKind::Trunc | BreakpointKind::Round => level > 0.0,
        };
        if upper { x >= level } else { x > level }
    }

    /// The levels from low to high, including both.
    fn levels(&self, low: f64, high: f64) -> Vec<f64> {
        if let BreakpointKind::Levels(list) = self {
            let from = list.partition_point(|x| *x < low);
            return list.iter().skip(from).take_while(|x| **x <= high).take(ENOUGH).copied().collect();
        }
        if let (BreakpointKind::Repeated(list, period), true) = (self, high - low < MOST) {
            let Some(begin) = list.first() else { return Vec::new() };
            let turn = ((low - begin) / period).floor();
            if turn.abs() > MOST_TURNS {
                return Vec::new();
            }
            let turns =
                (0..).map(|k| (turn + f64::from(k)) * period).take_while(|shift| begin + shift <= high);
            // The last row equals the first one of the next turn.
            let rows = list.split_last().map_or(&[][..], |(_, rows)| rows);
            let all = turns.flat_map(|shift| rows.iter().map(move |x| x + shift));
            return all.filter(|x| (low..=high).contains(x)).take(ENOUGH).collect();
        }
        let shift = if *self == BreakpointKind::Round { 0.5 } else { 0.0 };
        let (first, last) = match self {
            BreakpointKind::Zero | BreakpointKind::AboveZero if low <= 0.0 && high >= 0.0 => (0.0, 0.0),
            BreakpointKind::Zero | BreakpointKind::AboveZero => (1.0, 0.0),
            _ => ((low - shift).ceil(), (high - shift).floor()),
        };
        let n = if high - low < MOST { (last - first + 1.0).max(0.0) as usize } else { 0 };
        let jumps = |level: &f64| *self != BreakpointKind::Trunc || *level != 0.0;
        (0..n.min(ENOUGH)).map(|i| first + i as f64 + shift).filter(jumps).collect()
    }
}

impl Expression {
    /// Continuous derivatives of an operation for its arguments.
    fn smoothness(&self, i: usize) -> i32 {
        let constant = |end: Option<&usize>| end.and_then(|e| self.part(*e).constant());
        match self.ops.get(i).map(|op| &op.code) {
            Some(Code::Less | Code::LessEqual | Code::Equal | Code::NotEqual) => -1,
            Some(Code::And | Code::Or | Code::Not) => -1,
            Some(Code::Lookup(table)) => table.smoothness(),
            Some(Code::Call(Function::Step, 2)) => -1,
            Some(Code::Call(Function::Step, 4)) => {
                constant(self.arguments(i).last()).map_or(-1, |n| n as i32)
            }
            Some(Code::Call(Function::Ramp, 3)) => 1,
            Some(Code::Call(f, _)) => f.smoothness(),
            _ => 9,
        }
    }

    /// The first part that has fewer continuous derivatives for these variables than wanted, unless the whole
    /// law has them (`bends.rs`).
    pub fn rough_part(&self, variables: &[&str], wanted: i32) -> Option<&str> {
        let rough = |i: &usize| {
            self.smoothness(*i) < wanted
                && self.uses(*i).any(|n| variables.contains(&n))
                && !self.passes_bend(*i, variables, wanted)
        };
        (0..self.ops.len()).find(rough).map(|i| self.text_of(i))
    }

    /// The first part that jumps where these variables cross a value. [`gap`](Self::gap) tests whether the
    /// pieces of `if` meet.
    pub fn jumping_part(&self, variables: &[&str]) -> Option<&str> {
        let is_if =
            |i: &usize| matches!(self.ops.get(*i).map(|op| &op.code), Some(Code::Call(Function::If, _)));
        let mut asked = vec![false; self.ops.len()];
        for i in (0..self.ops.len()).filter(is_if) {
            let Some(&end) = self.arguments(i).first() else { continue };
            let begin = self.ops.get(end).map_or(0, |op| op.begin);
            asked.iter_mut().take(end + 1).skip(begin).for_each(|a| *a = true);
        }
        let jumps = |i: &usize| {
            !is_if(i)
                && asked.get(*i) == Some(&false)
                && self.smoothness(*i) < 0
                && self.uses(*i).any(|n| variables.contains(&n))
        };
        (0..self.ops.len()).find(jumps).map(|i| self.text_of(i))
    }

    /// Arguments that must be constants but are not, or are not allowed.
    pub fn wrong_constants(&self) -> Option<String> {
        for (i, op) in self.ops.iter().enumerate() {
            let Code::Call(f, n) = op.code else { continue };
            let from = match (f, n) {
                (Function::Trapezoid | Function::SCurve | Function::Sweep, _) => 1,
                (Function::Step, 4) => 3,
                _ => continue,
            };
            for end in self.arguments(i).iter().skip(from) {
                let value = self.part(*end).constant();
                let good = match (f, value) {
                    (_, None) => false,
                    (Function::Step, Some(n)) => [0.0, 1.0, 2.0, 3.0].contains(&n),
                    (_, Some(x)) => x.is_finite(),
                };
                if !good {
                    let what = if f == Function::Step { "0, 1, 2 or 3" } else { "a constant" };
                    return Some(format!("'{}' in '{}' must be {what}", self.text_of(*end), self.text_of(i)));
                }
            }
            if matches!(f, Function::Trapezoid | Function::SCurve)
                && self.motion(i).is_none_or(|m| m.ends().iter().any(|t| t.is_nan()))
            {
                return Some(format!(
                    "velocity, acceleration and jerk in '{}' must be positive",
                    self.text_of(i)
                ));
            }
        }
        None
    }

    fn motion(&self, i: usize) -> Option<profile::MotionProfile> {
        let ends = self.arguments(i);
        let values: Option<Vec<f64>> = ends.iter().skip(1).map(|e| self.part(*e).constant()).collect();
        match (self.ops.get(i).map(|op| &op.code), values?.as_slice()) {
            (Some(Code::Call(Function::Trapezoid, _)), &[d, v, a]) => Some(profile::trapezoid([d, v, a])),
            (Some(Code::Call(Function::SCurve, _)), &[d, v, a, j]) => Some(profile::s_curve([d, v, a, j])),
            _ => None,
        }
    }
}

/// The arguments of a formula that make it jump or bend as a function of t alone; parameters are bound.
pub fn switching(formula: &Expression) -> Vec<Switching> {
    let mut list = Vec::new();
    for i in 0..formula.ops.len() {
        let mut names = formula.uses(i).peekable();
        if names.peek().is_some() && names.all(|n| n == "t") {
            list.extend(levels(formula, i));
        }
    }
    list
}

/// The arguments at whose zeros part i jumps or bends; none if it also does so at other values.
pub(super) fn crossings(formula: &Expression, i: usize) -> Option<Vec<Expression>> {
    let list = levels(formula, i);
    let zero = |s: &Switching| matches!(s.kind, BreakpointKind::Zero | BreakpointKind::AboveZero);
    (!list.is_empty() && list.iter().all(zero)).then(|| list.into_iter().map(|s| s.argument).collect())
}

fn levels(formula: &Expression, i: usize) -> Vec<Switching> {
    let ends = formula.arguments(i);
    let Some(op) = formula.ops.get(i) else { return Vec::new() };
    let at = |kind: BreakpointKind, argument: Expression| vec![Switching { argument, kind }];
    let whole = |kind: BreakpointKind| match ends.first() {
        Some(end) => at(kind, formula.part(*end)),
        None => Vec::new(),
    };
    let meet = |pairs: &[(usize, usize)]| {
        let of = |k: usize| ends.get(k).copied();
        let both = pairs.iter().filter_map(|(a, b)| Some((of(*a)?, of(*b)?)));
        let list =
            both.map(|(a, b)| Switching { argument: formula.difference(a, b), kind: BreakpointKind::Zero });
        list.collect::<Vec<_>>()
    };
    let constant = |k: usize| ends.get(k).and_then(|e| formula.part(*e).constant());
    match (&op.code, ends.as_slice()) {
        (Code::Less | Code::Equal | Code::NotEqual, _) => meet(&[(0, 1)]),
        (Code::LessEqual, &[a, b]) => at(BreakpointKind::AboveZero, formula.difference(a, b)),
        (Code::Lookup(table), _) => whole(match table.period() {
            Some(period) => BreakpointKind::Repeated(table.bends().into(), period),
            None => BreakpointKind::Levels(table.bends().into()),
        }),
        (Code::Call(f, n), ends) => match f {
            Function::Abs | Function::Sign | Function::Signum => whole(BreakpointKind::Zero),
            Function::Floor => whole(BreakpointKind::Floor),
            Function::Ceil => whole(BreakpointKind::Ceil),
            Function::Trunc | Function::Fract => whole(BreakpointKind::Trunc),
            Function::Round => whole(BreakpointKind::Round),
            Function::Mod => match ends {
                &[a, b] => at(BreakpointKind::Floor, formula.joined(a, b, Code::Divide)),
                _ => Vec::new(),
            },
            Function::Min | Function::Max => {
                let mut pairs: Vec<(usize, usize)> = Vec::new();
                (0..*n).for_each(|b| pairs.extend((0..b).map(|a| (a, b))));
                meet(&pairs)
            }
            Function::Clamp | Function::Pulse => meet(&[(0, 1), (0, 2)]),
            Function::Step => meet(&[(0, 1), (0, 2)]),
            Function::Ramp => match (ends, constant(2)) {
                (&[a, b, _], Some(w)) => {
                    at(BreakpointKind::Levels([-0.5 * w, 0.5 * w].into()), formula.difference(a, b))
                }
                _ => meet(&[(0, 1)]),
            },
            Function::Poly345 | Function::Cycloid => [whole(BreakpointKind::Zero), meet(&[(0, 1)])].concat(),
            Function::Sweep => whole(BreakpointKind::Levels([0.0, constant(3).unwrap_or(0.0)].into())),
            Function::Trapezoid | Function::SCurve => match formula.motion(i) {
                Some(motion) => {
                    let mut ends = motion.ends();
                    ends.dedup();
                    whole(BreakpointKind::Levels(ends.into()))
                }
                None => Vec::new(),
            },
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl Switching {
    /// Its size in bytes.
    pub fn memory(&self) -> usize {
        let levels = match &self.kind {
            BreakpointKind::Levels(list) | BreakpointKind::Repeated(list, _) => list.len() * 8,
            _ => 0,
        };
        self.argument.memory() + levels
    }

    fn value(&self, t: f64) -> f64 {
        self.argument.eval(&[t])
    }

    /// The times in (from, to), each the first number on the right side. If there are too many, a list that
    /// is longer than a run accepts.
    pub fn times(&self, from: f64, to: f64) -> Vec<f64> {
        let grid =
            |i: usize| if i == INTERVALS { to } else { from + (to - from) * i as f64 / INTERVALS as f64 };
        let ends: Vec<f64> = (0..=INTERVALS).map(grid).collect();
        self.times_between(&ends).unwrap_or_else(|| {
            (1..=ENOUGH).map(|k| from + (to - from) * k as f64 / (ENOUGH + 1) as f64).collect()
        })
    }

    /// The same for intervals that begin and end at these increasing times; none if there are too many.
    fn times_between(&self, ends: &[f64]) -> Option<Vec<f64>> {
        let (from, to) = (*ends.first()?, *ends.last()?);
        let cost = self.argument.ops.len().max(1);
        let most = (MOST_WORK / (BISECTIONS * cost)).min(ENOUGH);
        let mut left = MOST_WORK / cost;
        let mut times = Vec::new();
        // First values at all ends and between them, from which the size of the argument is known.
        let pieces: Vec<Piece> =
            ends.iter().zip(ends.iter().skip(1)).map(|(a, b)| self.piece([*a, *b])).collect();
        let range = |list: &[Piece]| {
            let all = list.iter().flat_map(|p| p.values).filter(|x| x.is_finite());
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [x.min(a), x.max(b)])
        };
        let [low, high] = range(&pieces);
        let size = high - low;
        let mut stack: Vec<(Piece, u32)> = Vec::new();
        for piece in pieces {
            stack.push((piece, 0));
            while let Some((piece, depth)) = stack.pop() {
                let [a, .., b] = piece.times;
                let middle = 0.5 * (a + b);
                if depth < MOST_HALVINGS && a < middle && middle < b && self.hides(&piece, depth, size) {
                    left = left.checked_sub(EVALUATIONS)?;
                    stack.push((self.piece([middle, b]), depth + 1));
                    stack.push((self.piece([a, middle]), depth + 1));
                    continue;
                }
                let points = piece.times.into_iter().zip(piece.values);
                for ((a, f_a), (b, f_b)) in points.clone().zip(points.skip(1)) {
                    for level in self.kind.levels(f_a.min(f_b), f_a.max(f_b)) {
                        // Each crossing belongs to one interval, also at its ends.
                        if self.kind.above(f_a, level) != self.kind.above(f_b, level) {
                            times.push(self.cross(a, b, level));
                        }
                        if times.len() >= most {
                            return None;
                        }
                    }
                }
            }
        }
        times.retain(|t| from < *t && *t < to);
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        Some(times)
    }

    fn piece(&self, [a, b]: [f64; 2]) -> Piece {
        let times = PLACES.map(|x| if x == 1.0 { b } else { a + x * (b - a) });
        Piece { times, values: times.map(|t| self.value(t)) }
    }

    /// True if the argument may pass a level in this interval without being seen: it bends too much for its
    /// size, as it does if it oscillates, or it nearly reaches a level.
    fn hides(&self, piece: &Piece, depth: u32, size: f64) -> bool {
        let [first, .., last] = piece.values;
        let (mut bend, mut low, mut high) = (0.0_f64, first.min(last), first.max(last));
        for (x, f) in PLACES.iter().zip(piece.values) {
            bend = bend.max((f - (first + x * (last - first))).abs());
            (low, high) = (low.min(f), high.max(f));
        }
        if !(bend > ROUNDING * high.abs().max(low.abs())) {
            return false;
        }
        let beyond = || self.kind.levels(low - 2.0 * bend, high + 2.0 * bend);
        let largest = if depth == 0 { LARGEST_BEND } else { LARGEST_BEND_OF_HALVES };
        bend > largest * size || beyond().len() > self.kind.levels(low, high).len()
    }

    /// The first number after the crossing of a level in (a, b], by bisection down to neighbouring numbers.
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
    use crate::expression::Names;

    fn bound(text: &str) -> Expression {
        let names = Names::from([("t_on".to_string(), 0.5)]);
        Expression::parse(text, &|_| false).unwrap().bind(&names).unwrap()
    }

    fn times(text: &str) -> Vec<f64> {
        let mut all: Vec<f64> = switching(&bound(text)).iter().flat_map(|s| s.times(0.0, 2.0)).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// Oscillations faster than the intervals, also in step with them, lose no jump; wild ones are refused.
    #[test]
    fn fast_oscillations_are_resolved_or_refused() {
        for (rate, shift) in
            [(20_000.0_f64, 0.0_f64), (2000.0, 0.3), (4000.0, 0.3), (8000.0, 0.1), (12_345.6, 0.2)]
        {
            let text = format!("signum(sin(2*pi*({rate}*t + {shift})))");
            let found = times(&text);
            // Half turns in (shift, 2 rate + shift).
            let first = (2.0 * shift).floor() + 1.0;
            let wanted = (2.0 * (2.0 * rate + shift)).ceil() - first;
            assert_eq!(found.len(), wanted as usize, "{text}");
            for (k, t) in found.iter().enumerate() {
                assert!((t - ((first + k as f64) / 2.0 - shift) / rate).abs() < 1e-12, "{text}: {t}");
            }
        }
        // A sawtooth as the carrier of a pulse width, whose jumps are inside of the argument.
        let mut found = times("if(mod(t, 1e-3) < 0.3e-3, 1, 0)");
        found.dedup_by(|b, a| *b - *a < 1e-12);
        assert_eq!(found.len(), 1999 + 2000);
        for wild in ["signum(sin(1e7*t))", "floor(1e6*t)", "abs(sin(1e9*t^2))", "signum(sin(exp(20*t)))"] {
            assert!(times(wild).len() >= ENOUGH, "{wild}");
        }
        // Smooth and slow arguments that only touch a level.
        assert!(times("abs(1.000001 + sin(t))").is_empty());
        assert_eq!(times("floor(9.5*sin(t))").len(), 9 + 1);
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
        assert_eq!(times("if(t < 0.5 or t >= 1.5, 1, 2)"), [0.5, 1.5]);
        assert_eq!(times("clamp(t, 0.25, 1.25)"), [0.25, 1.25]);
        assert_eq!(times("step(t, t_on, 1) + pulse(2*t, 0.5, 3)"), [0.25, 0.5, 1.0, 1.5]);
        assert_eq!(times("trapezoid(t - 0.5, 1, 2, 4)"), [0.5, 1.0, 1.5]);
        assert_eq!(times("trapezoid(t, 2, 2, 4)"), [0.5, 1.0, 1.5]);
        assert_eq!(times("scurve(t, 1, 2, 4, 1e9)").len(), 6);
        assert_eq!(times("poly345(t - 0.25, 0.5) + cycloid(t, 1.5)"), [0.25, 0.75, 1.5]);
        assert_eq!(times("ramp(t, 1, 0.5)"), [0.75, 1.25]);
        assert_eq!(times("mod(t, 0.5)"), [0.5, 1.0, 1.5]);
        assert_eq!(times("sweep(t - 0.25, 1, 2, 1)"), [0.25, 1.25]);
        // At a breakpoint the value of the right side holds.
        for text in [
            "floor(3*t)",
            "ceil(3*t)",
            "floor(1 - 3*t)",
            "ceil(1.7 - 3*t)",
            "fract(0.7*t)",
            "round(-1.3*t)",
            "trunc(2 - 3*t)",
            "step(t, 0.4)",
            "pulse(t, 0.3, 0.9)",
            "if(t < 0.7, 0, 1)",
            "if(t <= 0.7, 0, 1)",
            "if(3*t > 1, 0, 1)",
            "if(3*t >= 1, 0, 1)",
            "mod(1 - t, 0.6)*3",
        ] {
            let f = bound(text);
            for t in times(text) {
                let (left, at, right) = (t - 1e-9, t, t + 1e-9);
                let value = |t: f64| f.eval(&[t]);
                assert!((value(at) - value(right)).abs() < 1e-6, "{text} at {t}");
                assert!((value(left) - value(right)).abs() > 0.5, "{text} at {t}");
            }
        }
    }
}
