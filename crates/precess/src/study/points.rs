//! The points of a sweep: full grids, random points, Latin hypercubes. A seed makes them reproducible.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use super::configuration::{Spacing, count, spaced};
use super::distribution::Distribution;
pub use super::value::Value;
use super::value::{in_one_unit, quantity};

/// Values an entry may take.
#[derive(Clone, Debug, PartialEq)]
pub enum AllowedValues {
    /// A list of values.
    List(Vec<Value>),
    /// An interval, for random points.
    Range(f64, f64, Spacing),
    /// A distribution, for random points.
    Random(Distribution),
}

impl AllowedValues {
    /// `1e-3,5e-4`, `r3so3,se3`, `100:200:21`, `1e-5:1e-3:7:log`; for random points `100:200`,
    /// `1e-5:1e-3:log`, `normal(2, 0.1)`, `lognormal(2, 0.1)`, `discrete(1: 0.7, 2: 0.3)`.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_with_unit(text).map(|(values, _)| values)
    }

    /// The same, with the unit of the numbers: `0:1200rpm:9`, `10mm,20mm`, `normal(20mm, 0.5mm)`. All numbers
    /// are in the unit that is given last; a number without a unit has it, too.
    pub fn parse_with_unit(text: &str) -> Result<(Self, String), String> {
        const HELP: &str = "write values as 1,2,3 or 100:200:21 or 1e-5:1e-3:7:log or normal(2, 0.1)";
        if let Some(random) = Distribution::parse(text) {
            let (distribution, unit) = random?;
            return Ok((AllowedValues::Random(distribution), unit));
        }
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        let (parts, spacing) = match parts.split_last() {
            Some((&"log", rest)) if rest.len() > 1 => (rest, Spacing::Geometric),
            _ => (&parts[..], Spacing::Linear),
        };
        let ends = |a: &str, b: &str| {
            let cannot = |x: &str| format!("'{x}' in '{text}' is not a number to begin or end with; {HELP}");
            let wrong = [a, b]
                .into_iter()
                .find(|x| quantity(x).is_none_or(|(x, _)| !(spacing == Spacing::Linear || x > 0.0)));
            match (wrong, in_one_unit(&[a, b])?) {
                (None, Some((x, unit))) => match x[..] {
                    [a, b] => Ok((a, b, unit)),
                    _ => Err(cannot(a)),
                },
                (wrong, _) => Err(cannot(wrong.unwrap_or(a))),
            }
        };
        match parts {
            [list] => {
                let words: Vec<&str> = list.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
                if words.is_empty() {
                    return Err(format!("there are no values; {HELP}"));
                }
                if let Some((numbers, unit)) = in_one_unit(&words)? {
                    let list = numbers.into_iter().map(Value::Number).collect();
                    return Ok((AllowedValues::List(list), unit));
                }
                let value = |w: &&str| match w.parse::<f64>() {
                    Ok(x) if x.is_finite() => Value::Number(x),
                    _ => Value::Word(w.to_string()),
                };
                Ok((AllowedValues::List(words.iter().map(value).collect()), String::new()))
            }
            [from, to] => {
                let (a, b, unit) = ends(from, to)?;
                Ok((AllowedValues::Range(a, b, spacing), unit))
            }
            [from, to, n] => {
                let n = count(n)?;
                let (a, b, unit) = ends(from, to)?;
                let list = spaced(a, b, n, spacing).into_iter().map(Value::Number).collect();
                Ok((AllowedValues::List(list), unit))
            }
            _ => Err(format!("'{text}' has too many colons; {HELP}")),
        }
    }

    /// The value at u in [0, 1), if there are values.
    fn at(&self, u: f64) -> Option<Value> {
        Some(match self {
            AllowedValues::List(list) => list.get((u * list.len() as f64) as usize).or(list.last())?.clone(),
            AllowedValues::Range(a, b, Spacing::Linear) => Value::Number(a + u * (b - a)),
            AllowedValues::Range(a, b, Spacing::Geometric) => Value::Number(a * (b / a).powf(u)),
            AllowedValues::Random(distribution) => distribution.at(u),
        })
    }
}

/// Selection of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every combination, the last entry changing fastest.
    Grid,
    /// The first values of all entries, then the second ones, and so on.
    Together,
    /// Independent random points.
    Random {
        /// How many.
        n: usize,
        /// The same seed gives the same points.
        seed: u64,
    },
    /// n points, each in a different n-th of the range of every entry.
    LatinHypercube {
        /// How many.
        n: usize,
        /// The same seed gives the same points.
        seed: u64,
    },
}

/// Largest number of points: each takes about a hundred bytes, and a run.
const MAX_POINTS: usize = 1_000_000;

impl Selection {
    /// The points.
    pub fn points(self, values: &[AllowedValues]) -> Result<Vec<Vec<Value>>, String> {
        let empty = || "an entry that varies has no values; write 1,2,3 or 100:200:21".to_string();
        match self {
            Selection::Grid => grid(values),
            Selection::Together => together(values),
            Selection::Random { n, .. } | Selection::LatinHypercube { n, .. } if n > MAX_POINTS => {
                Err(format!("{n} points are too many; a sweep has at most {MAX_POINTS}"))
            }
            Selection::Random { n, seed } => {
                let mut random = SplitMix(seed);
                let mut point = || values.iter().map(|v| v.at(random.unit())).collect::<Option<Vec<_>>>();
                (0..n).map(|_| point()).collect::<Option<Vec<_>>>().ok_or_else(empty)
            }
            Selection::LatinHypercube { n, seed } => {
                let mut random = SplitMix(seed);
                let mut points = vec![Vec::with_capacity(values.len()); n];
                for v in values {
                    let mut strata: Vec<usize> = (0..n).collect();
                    for i in (1..n).rev() {
                        strata.swap(i, random.below(i + 1));
                    }
                    for (point, s) in points.iter_mut().zip(strata) {
                        point.push(v.at((s as f64 + random.unit()) / n as f64).ok_or_else(empty)?);
                    }
                }
                Ok(points)
            }
        }
    }
}

/// The values of all entries at the same place of their lists.
fn together(values: &[AllowedValues]) -> Result<Vec<Vec<Value>>, String> {
    let list = |v: &AllowedValues| match v {
        AllowedValues::List(list) => Ok(list.clone()),
        AllowedValues::Range(..) | AllowedValues::Random(_) => {
            Err("values that change together are lists: write 1,2,3".to_string())
        }
    };
    let lists = values.iter().map(list).collect::<Result<Vec<_>, _>>()?;
    let n = lists.first().map_or(0, Vec::len);
    if let Some(other) = lists.iter().find(|l| l.len() != n) {
        return Err(format!("lists that change together have the same length, not {n} and {}", other.len()));
    }
    Ok((0..n).map(|i| lists.iter().filter_map(|l| l.get(i).cloned()).collect()).collect())
}

fn grid(values: &[AllowedValues]) -> Result<Vec<Vec<Value>>, String> {
    let mut points = vec![Vec::new()];
    for v in values {
        let AllowedValues::List(list) = v else {
            return Err("a range without a number of values, or a distribution, needs random points: write \
                        100:200:21, or use random points"
                .into());
        };
        if points.len().saturating_mul(list.len()) > MAX_POINTS {
            return Err(format!(
                "the grid has more than {MAX_POINTS} points; use fewer values, or use random points"
            ));
        }
        let before: Vec<Vec<Value>> = std::mem::take(&mut points);
        for point in &before {
            points.extend(list.iter().map(|x| [point.as_slice(), std::slice::from_ref(x)].concat()));
        }
    }
    Ok(points)
}

/// Steele, Lea and Flood 2014. Written by hand, because the same seed must give the same table in every
/// version of this program.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &AllowedValues) -> Vec<f64> {
        let AllowedValues::List(list) = values else { panic!("{values:?}") };
        list.iter().map(|v| if let Value::Number(x) = v { *x } else { panic!("{v}") }).collect()
    }

    #[test]
    fn values_are_read() {
        assert_eq!(numbers(&AllowedValues::parse("100:200:5").unwrap()), [100.0, 125.0, 150.0, 175.0, 200.0]);
        let log = numbers(&AllowedValues::parse("1e-4:1e-2:3:log").unwrap());
        assert!((log[1] / 1e-3 - 1.0).abs() < 1e-14 && log[2] == 1e-2);
        assert_eq!(AllowedValues::parse("1:2").unwrap(), AllowedValues::Range(1.0, 2.0, Spacing::Linear));
        assert_eq!(
            AllowedValues::parse("a, 2").unwrap(),
            AllowedValues::List(vec![Value::Word("a".into()), Value::Number(2.0)])
        );
        let (values, unit) = AllowedValues::parse_with_unit("0:1200rpm:5").unwrap();
        assert_eq!((numbers(&values), unit.as_str()), (vec![0.0, 300.0, 600.0, 900.0, 1200.0], "rpm"));
        let (values, unit) = AllowedValues::parse_with_unit("1cm, 20 mm, 5").unwrap();
        assert_eq!((numbers(&values), unit.as_str()), (vec![10.0, 20.0, 5.0], "mm"));
        for wrong in ["", "1:b:3", "1:2:1", "1:2:3:4", "0:1:3:log", "1m:2s:3", "1m,2s"] {
            assert!(AllowedValues::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn grid_has_every_combination_once() {
        let values = [AllowedValues::parse("1,2").unwrap(), AllowedValues::parse("a,b,c").unwrap()];
        let text: Vec<String> =
            Selection::Grid.points(&values).unwrap().iter().map(|p| format!("{}{}", p[0], p[1])).collect();
        assert_eq!(text, ["1a", "1b", "1c", "2a", "2b", "2c"]);
        assert!(Selection::Grid.points(&[AllowedValues::parse("1:2").unwrap()]).is_err());
    }

    /// Each of n intervals contains one point, in every direction; random points do not have this property.
    #[test]
    fn latin_hypercube_fills_every_interval() {
        let values = ["0:1", "-5:5", "1e-3:1:log"].map(|v| AllowedValues::parse(v).unwrap());
        let n = 200;
        let strata = |sampling: Selection, k: usize| {
            let mut hit = vec![0; n];
            for p in sampling.points(&values).unwrap() {
                let Value::Number(x) = p[k] else { panic!() };
                let u = [x, (x + 5.0) / 10.0, 1.0 + x.log10() / 3.0][k];
                hit[((u * n as f64) as usize).min(n - 1)] += 1;
            }
            hit.iter().filter(|h| **h == 1).count()
        };
        for k in 0..3 {
            assert!(strata(Selection::LatinHypercube { n, seed: 7 }, k) >= n - 2, "{k}");
            assert!(strata(Selection::Random { n, seed: 7 }, k) < n / 2);
        }
    }

    /// First outputs of SplitMix64 with seed 1234567, from the reference implementation.
    #[test]
    fn random_numbers_are_those_of_the_reference() {
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        let mean = (0..10_000).map(|_| random.unit()).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
    }

    #[test]
    fn values_are_written_with_all_digits() {
        for x in [1.0 / 3.0, 1e-5, 123456789.123, -2.5e-7, 1e22, 0.0, 150.0] {
            assert_eq!(Value::Number(x).to_string().parse::<f64>().unwrap(), x);
        }
    }
}
