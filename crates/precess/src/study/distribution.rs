//! Distributions of random values of a sweep: normal, lognormal, uniform, discrete.
//!
//! Each is given by its inverse distribution function, so that Latin hypercubes divide it into parts of equal
//! probability.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use super::value::{Value, in_one_unit};

/// A distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Mean and standard deviation.
    Normal(f64, f64),
    /// Median, and standard deviation of the logarithm.
    Lognormal(f64, f64),
    /// Values with their cumulative probabilities.
    Discrete(Vec<(Value, f64)>),
}

impl Distribution {
    /// `normal(2, 0.1)`, `lognormal(2, 0.1)`, `discrete(1: 0.7, 2: 0.3)`, with the unit of the values; none if
    /// the text is no distribution.
    pub fn parse(text: &str) -> Option<Result<(Self, String), String>> {
        let (name, rest) = text.trim().split_once('(')?;
        let arguments: Vec<&str> = rest.trim_end().strip_suffix(')')?.split(',').map(str::trim).collect();
        Some(match name.trim() {
            "normal" => normal(&arguments),
            "lognormal" => lognormal(&arguments),
            "discrete" => discrete(&arguments),
            other => Err(format!(
                "unknown distribution '{other}'; write normal(MEAN, DEVIATION), lognormal(MEDIAN, DEVIATION \
                 OF THE LOGARITHM) or discrete(VALUE: PROBABILITY, ..); a range 1:2 is uniform"
            )),
        })
    }

    /// The value below which a part u of all values is.
    pub fn at(&self, u: f64) -> Value {
        // Zero would be infinitely far away.
        let z = || standard_normal(u.clamp(f64::EPSILON / 4.0, 1.0 - f64::EPSILON));
        match self {
            Distribution::Normal(mean, deviation) => Value::Number(mean + deviation * z()),
            Distribution::Lognormal(median, deviation) => Value::Number(median * (deviation * z()).exp()),
            Distribution::Discrete(list) => {
                let found = list.iter().find(|(_, below)| u < *below).or(list.last());
                found.map_or(Value::Number(f64::NAN), |(value, _)| value.clone())
            }
        }
    }
}

fn normal(arguments: &[&str]) -> Result<(Distribution, String), String> {
    const HELP: &str = "write normal(MEAN, DEVIATION), for example normal(20mm, 0.5mm)";
    match (in_one_unit(arguments)?, arguments.len()) {
        (Some((x, unit)), 2) => match x[..] {
            [mean, deviation] if deviation >= 0.0 => Ok((Distribution::Normal(mean, deviation), unit)),
            _ => Err(format!("the deviation is negative; {HELP}")),
        },
        _ => Err(format!("two numbers are needed; {HELP}")),
    }
}

fn lognormal(arguments: &[&str]) -> Result<(Distribution, String), String> {
    const HELP: &str = "write lognormal(MEDIAN, DEVIATION OF THE LOGARITHM), for example lognormal(5kN, 0.1)";
    let [median, deviation] = arguments else { return Err(format!("two numbers are needed; {HELP}")) };
    match (in_one_unit(&[median])?, deviation.parse::<f64>()) {
        (Some((x, unit)), Ok(deviation)) if deviation >= 0.0 && deviation.is_finite() => match x[..] {
            [median] if median > 0.0 => Ok((Distribution::Lognormal(median, deviation), unit)),
            _ => Err(format!("the median must be positive; {HELP}")),
        },
        _ => Err(format!("a median and a plain positive number are needed; {HELP}")),
    }
}

fn discrete(arguments: &[&str]) -> Result<(Distribution, String), String> {
    const HELP: &str = "write discrete(VALUE: PROBABILITY, ..), for example discrete(1: 0.7, 2: 0.3)";
    let pair = |a: &&str| -> Result<(String, f64), String> {
        let (value, p) = a.split_once(':').ok_or_else(|| format!("'{a}' has no probability; {HELP}"))?;
        match p.trim().parse::<f64>() {
            Ok(p) if p >= 0.0 && p.is_finite() => Ok((value.trim().to_string(), p)),
            _ => Err(format!("'{}' is not a probability; {HELP}", p.trim())),
        }
    };
    let pairs = arguments.iter().map(pair).collect::<Result<Vec<_>, String>>()?;
    let sum: f64 = pairs.iter().map(|(_, p)| p).sum();
    if !((sum - 1.0).abs() <= 1e-6) {
        return Err(format!("the probabilities add up to {sum} and not to 1; {HELP}"));
    }
    let words: Vec<&str> = pairs.iter().map(|(w, _)| w.as_str()).collect();
    let (values, unit) = match in_one_unit(&words)? {
        Some((numbers, unit)) => (numbers.into_iter().map(Value::Number).collect::<Vec<_>>(), unit),
        None => (words.iter().map(|w| Value::Word(w.to_string())).collect(), String::new()),
    };
    let mut below = 0.0;
    let cumulated = pairs.iter().zip(values).map(|((_, p), value)| {
        below += p;
        (value, below)
    });
    Ok((Distribution::Discrete(cumulated.collect()), unit))
}

/// The inverse of the distribution function of the standard normal distribution, to 1e-15: rational functions
/// of Wichura, Algorithm AS 241, Applied Statistics 37 (1988).
fn standard_normal(p: f64) -> f64 {
    let ratio = |above: &[f64; 8], below: &[f64; 8], x: f64| {
        let value = |list: &[f64; 8]| list.iter().rev().fold(0.0, |sum, c| sum * x + c);
        value(above) / value(below)
    };
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRE[0], &CENTRE[1], 0.180625 - q * q);
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let x = match r {
        r if r <= 5.0 => ratio(&SIDE[0], &SIDE[1], r - 1.6),
        r => ratio(&TAIL[0], &TAIL[1], r - 5.0),
    };
    if q < 0.0 { -x } else { x }
}

const CENTRE: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854_5,
    ],
];
const SIDE: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];
const TAIL: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103_5,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::points::{AllowedValues, Selection};

    /// Phi(x) by its series, which shares nothing with the inverse.
    fn probability(x: f64) -> f64 {
        let (mut term, mut sum, mut k) = (x, x, 1.0);
        while term.abs() > 1e-18 * sum.abs() {
            term *= x * x / (2.0 * k + 1.0);
            sum += term;
            k += 1.0;
        }
        0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
    }

    #[test]
    fn the_inverse_of_the_normal_distribution() {
        for k in 1..200 {
            let p = k as f64 / 200.0;
            let found = probability(standard_normal(p));
            assert!((found - p).abs() < 3e-16 * 10.0, "{p}: {found}");
        }
        // Quantiles of tables.
        for (p, x) in
            [(0.975, 1.959_963_984_540_054), (1e-10, -6.361_340_902_404_056), (1e-20, -9.262_340_089_798_408)]
        {
            assert!((standard_normal(p) / x - 1.0).abs() < 1e-13, "{p}: {}", standard_normal(p));
        }
    }

    fn numbers(text: &str, n: usize) -> Vec<f64> {
        let values = [AllowedValues::parse(text).unwrap()];
        let points = Selection::LatinHypercube { n, seed: 3 }.points(&values).unwrap();
        points.iter().map(|p| if let Value::Number(x) = p[0] { x } else { panic!() }).collect()
    }

    /// Mean, deviation and shares are those that were asked for; a hypercube is much closer than 1/sqrt(n).
    #[test]
    fn moments_are_those_given() {
        let n = 4000;
        let moments = |x: &[f64]| {
            let mean = x.iter().sum::<f64>() / n as f64;
            (mean, (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64).sqrt())
        };
        let (mean, deviation) = moments(&numbers("normal(20, 0.5)", n));
        assert!((mean - 20.0).abs() < 1e-3 && (deviation - 0.5).abs() < 3e-3, "{mean} {deviation}");
        let logs: Vec<f64> = numbers("lognormal(5, 0.1)", n).iter().map(|x| x.ln()).collect();
        let (mean, deviation) = moments(&logs);
        assert!((mean - 5f64.ln()).abs() < 1e-3 && (deviation - 0.1).abs() < 1e-3, "{mean} {deviation}");
        let ones = numbers("discrete(1: 0.7, 2: 0.3)", n).iter().filter(|x| **x == 1.0).count();
        assert!((ones as f64 / n as f64 - 0.7).abs() < 1e-3, "{ones}");
    }

    #[test]
    fn units_and_mistakes() {
        let (_, unit) = AllowedValues::parse_with_unit("normal(20mm, 0.5mm)").unwrap();
        assert_eq!(unit, "mm");
        for (text, part) in [
            ("normal(20mm, 1s)", "different quantities"),
            ("normal(1)", "two numbers"),
            ("normal(1, -2)", "negative"),
            ("lognormal(-1, 0.1)", "positive"),
            ("discrete(1: 0.5, 2: 0.4)", "add up to 0.9"),
            ("gauss(1, 2)", "unknown distribution 'gauss'"),
        ] {
            let e = AllowedValues::parse(text).unwrap_err();
            assert!(e.contains(part), "{text}: {e}");
        }
    }
}
