//! Units of quantities in model files: `12 mm`, `3000 rpm`, `5 kN/m`, `0.3 kg m^2`.
//!
//! A unit consists of a factor to SI and a [`Dimension`]. The factor is a fraction, so that `12 mm` is
//! exactly 12/1000. Words are units if they follow a number, a name or a closing parenthesis. Neighbouring
//! words are multiplied, `/` divides by the next word, and `^` is a whole power.

use std::f64::consts::{PI, TAU};

use super::dimension::Dimension;

/// A factor to SI as a fraction, and a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The numerator of the factor.
    pub times: f64,
    /// The denominator of the factor.
    pub over: f64,
    /// The dimension.
    pub dimension: Dimension,
}

impl Unit {
    const ONE: Unit = Unit { times: 1.0, over: 1.0, dimension: Dimension::NONE };

    /// Converts a value in this unit to SI.
    pub fn to_si(&self, x: f64) -> f64 {
        if self.over == 1.0 { x * self.times } else { x * self.times / self.over }
    }

    fn times(self, other: Unit, power: i32) -> Unit {
        let n = power.abs();
        let (times, over) = (other.times.powi(n), other.over.powi(n));
        let (times, over) = if power < 0 { (over, times) } else { (times, over) };
        Unit {
            times: self.times * times,
            over: self.over * over,
            dimension: self.dimension.times(other.dimension.power(power)),
        }
    }
}

const fn unit(times: f64, over: f64, d: [i16; 4]) -> Unit {
    Unit { times, over, dimension: Dimension::new(d) }
}

const LENGTH: [i16; 4] = [1, 0, 0, 0];
const MASS: [i16; 4] = [0, 1, 0, 0];
const TIME: [i16; 4] = [0, 0, 1, 0];
const ANGLE: [i16; 4] = [0, 0, 0, 1];
const FORCE: [i16; 4] = [1, 1, -2, 0];
const ENERGY: [i16; 4] = [2, 1, -2, 0];
const PRESSURE: [i16; 4] = [-1, 1, -2, 0];
const POWER: [i16; 4] = [2, 1, -3, 0];

/// Units without prefixes, with their descriptions for the book.
pub const UNITS: &[(&str, Unit)] = &[
    ("kg", unit(1.0, 1.0, MASS)),
    ("tonne", unit(1000.0, 1.0, MASS)),
    ("lb", unit(45359237.0, 1e8, MASS)),
    ("lbm", unit(45359237.0, 1e8, MASS)),
    ("oz", unit(45359237.0, 16e8, MASS)),
    ("slug", unit(14.593902937206364, 1.0, MASS)),
    ("in", unit(254.0, 10000.0, LENGTH)),
    ("inch", unit(254.0, 10000.0, LENGTH)),
    ("ft", unit(3048.0, 10000.0, LENGTH)),
    ("yd", unit(9144.0, 10000.0, LENGTH)),
    ("mi", unit(1609.344, 1.0, LENGTH)),
    ("min", unit(60.0, 1.0, TIME)),
    ("h", unit(3600.0, 1.0, TIME)),
    ("day", unit(86400.0, 1.0, TIME)),
    ("rad", unit(1.0, 1.0, ANGLE)),
    ("mrad", unit(1.0, 1000.0, ANGLE)),
    ("deg", unit(PI / 180.0, 1.0, ANGLE)),
    ("°", unit(PI / 180.0, 1.0, ANGLE)),
    ("arcmin", unit(PI / 180.0, 60.0, ANGLE)),
    ("arcsec", unit(PI / 180.0, 3600.0, ANGLE)),
    ("rev", unit(TAU, 1.0, ANGLE)),
    ("turn", unit(TAU, 1.0, ANGLE)),
    ("rpm", unit(TAU, 60.0, [0, 0, -1, 1])),
    ("lbf", unit(4.4482216152605, 1.0, FORCE)),
    ("kgf", unit(980665.0, 100000.0, FORCE)),
    ("bar", unit(100000.0, 1.0, PRESSURE)),
    ("psi", unit(6894.757293168361, 1.0, PRESSURE)),
    ("hp", unit(745.6998715822702, 1.0, POWER)),
    ("Wh", unit(3600.0, 1.0, ENERGY)),
    ("kWh", unit(3.6e6, 1.0, ENERGY)),
    ("mph", unit(1609.344, 3600.0, [1, 0, -1, 0])),
    ("knot", unit(1852.0, 3600.0, [1, 0, -1, 0])),
    ("g0", unit(980665.0, 100000.0, [1, 0, -2, 0])),
    ("percent", unit(1.0, 100.0, [0, 0, 0, 0])),
    ("%", unit(1.0, 100.0, [0, 0, 0, 0])),
];

/// Units that can have prefixes: `n`, `u`, `m`, `c`, `k`, `M`, `G`.
pub const PREFIXED: &[(&str, Unit)] = &[
    ("m", unit(1.0, 1.0, LENGTH)),
    ("g", unit(1.0, 1000.0, MASS)),
    ("s", unit(1.0, 1.0, TIME)),
    ("N", unit(1.0, 1.0, FORCE)),
    ("Nm", unit(1.0, 1.0, ENERGY)),
    ("Nmm", unit(1.0, 1000.0, ENERGY)),
    ("J", unit(1.0, 1.0, ENERGY)),
    ("W", unit(1.0, 1.0, POWER)),
    ("Pa", unit(1.0, 1.0, PRESSURE)),
    ("Hz", unit(1.0, 1.0, [0, 0, -1, 0])),
];

/// The prefixes, with the numerators and denominators of their factors.
const PREFIXES: [(&str, f64, f64); 9] = [
    ("n", 1.0, 1e9),
    ("u", 1.0, 1e6),
    // These are the micro sign and the Greek letter.
    ("µ", 1.0, 1e6),
    ("μ", 1.0, 1e6),
    ("m", 1.0, 1000.0),
    ("c", 1.0, 100.0),
    ("k", 1000.0, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
];

/// Finds a unit by its word. The word may have a prefix if the unit allows it, and it may be squared or
/// cubed: `m²`.
pub fn word(text: &str) -> Option<Unit> {
    let raised = |sign: char, power: i32| {
        let base = text.strip_suffix(sign).filter(|base| !base.ends_with(['²', '³']))?;
        Some(Unit::ONE.times(word(base)?, power))
    };
    if let Some(unit) = raised('²', 2).or_else(|| raised('³', 3)) {
        return Some(unit);
    }
    let listed = |list: &[(&str, Unit)], name: &str| list.iter().find(|(n, _)| *n == name).map(|(_, u)| *u);
    listed(UNITS, text).or_else(|| listed(PREFIXED, text)).or_else(|| {
        let (prefix, times, over) = PREFIXES.iter().find(|(p, ..)| {
            text.strip_prefix(p).is_some_and(|rest| PREFIXED.iter().any(|(n, _)| *n == rest))
        })?;
        let base = listed(PREFIXED, text.strip_prefix(prefix)?)?;
        Some(Unit { times: base.times * times, over: base.over * over, ..base })
    })
}

/// Suggests a unit for an unknown word with letters in the wrong case or an additional s.
pub(super) fn meant(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let singular = lower.strip_suffix("es").into_iter().chain(lower.strip_suffix('s'));
    let others = [
        ("degrees", "deg"),
        ("degree", "deg"),
        ("radians", "rad"),
        ("sec", "s"),
        ("seconds", "s"),
        ("kilos", "kg"),
        ("newton", "N"),
        ("meter", "m"),
        ("metre", "m"),
        ("feet", "ft"),
    ];
    let words = std::iter::once(lower.as_str()).chain(singular);
    words.into_iter().find_map(|w| {
        let known = UNITS.iter().chain(PREFIXED).map(|(n, _)| *n).find(|n| n.to_lowercase() == w);
        let other = others.iter().find(|(o, _)| *o == w).map(|(_, unit)| *unit);
        let word = known.or(other).map(str::to_string);
        word.or_else(|| word_of(w).map(str::to_string)).or_else(|| with_prefix(text, w))
    })
}

/// Finds a unit with a prefix if some letters are upper case instead of lower case, or vice versa. The case
/// of `m` (milli) and `M` (mega) must be right.
fn with_prefix(text: &str, lower: &str) -> Option<String> {
    let prefixes =
        PREFIXES.iter().map(|(p, ..)| *p).filter(|p| !["m", "M"].contains(p) || text.starts_with(p));
    prefixes
        .flat_map(|p| PREFIXED.iter().map(move |(n, _)| format!("{p}{n}")))
        .find(|unit| unit.to_lowercase() == lower)
}

/// The word, if it is a unit as it is written.
fn word_of(text: &str) -> Option<&str> {
    word(text).map(|_| text)
}

/// A unit of several words, for example `kN/m` or `kg m^2`.
pub fn parse(text: &str) -> Result<Unit, String> {
    let number = super::Expression::parse(&format!("1 {text}"), &|_| false)?;
    number.single_quantity().ok_or_else(|| format!("'{text}' is not a unit; for example mm, kN/m, kg m^2"))
}

/// A compound unit. Its words are added from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compound {
    pub unit: Unit,
    pub divided: bool,
}

impl Compound {
    pub fn new() -> Self {
        Compound { unit: Unit::ONE, divided: false }
    }

    /// Adds a word with its power.
    pub fn push(&mut self, unit: Unit, power: i32, divide: bool) {
        self.divided |= divide;
        self.unit = self.unit.times(unit, if divide { -power } else { power });
    }
}

/// True for units of energy, which have the dimension of a torque.
pub fn is_energy(text: &str) -> bool {
    let last = text.trim();
    !last.contains(char::is_whitespace) && (last.ends_with('J') || last.ends_with("Wh"))
}

/// The first of the wanted units that can replace another one, and the factor for the values. Times stay in
/// seconds, and unknown units are ignored.
pub fn chosen<'a>(unit: &str, wanted: &'a [String]) -> Option<(&'a str, f64)> {
    let own = parse(unit).ok().filter(|_| unit != "s")?;
    wanted.iter().find_map(|text| {
        let other = parse(text).ok()?;
        let fits = other.dimension == own.dimension && is_energy(text) == is_energy(unit);
        fits.then(|| (text.as_str(), own.to_si(1.0) / other.to_si(1.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_units() {
        let si = |x: f64, text: &str| parse(text).unwrap().to_si(x);
        assert_eq!(si(12.0, "mm"), 0.012);
        assert_eq!(si(5.0, "kN/m"), 5000.0);
        assert_eq!(si(3.0, "g/cm^3"), 3000.0);
        assert_eq!(si(2.0, "lbf"), 8.896443230521);
        assert_eq!(si(36.0, "km/h"), 10.0);
        assert_eq!(si(7.0, "kg m^2/s^2"), 7.0);
        assert_eq!(si(7.0, "kg m²/s²"), 7.0);
        assert_eq!(si(3.0, "g/cm³"), 3000.0);
        assert_eq!(si(180.0, "°"), PI);
        assert_eq!(si(5.0, "%"), 0.05);
        assert_eq!([si(1.0, "µm"), si(1.0, "μm")], [1e-6; 2]);
        assert_eq!(si(1.0, "N m s/rad"), 1.0);
        assert_eq!(si(1.0, "N s m^-1"), 1.0);
        assert!((si(3000.0, "rpm") - 314.1592653589793).abs() < 1e-13);
        assert!((si(1.0, "psi") / (4.4482216152605 / 0.0254_f64.powi(2)) - 1.0).abs() < 1e-15);
        assert!((si(1.0, "hp") / (550.0 * 4.4482216152605 * 0.3048) - 1.0).abs() < 1e-15);
        assert!((si(1.0, "slug") / (4.4482216152605 / 0.3048) - 1.0).abs() < 1e-15);
        assert_eq!(parse("GPa").unwrap().dimension, parse("N/m^2").unwrap().dimension);
        for (text, unit) in [("kn", "kN"), ("Mpa", "MPa"), ("KG", "kg"), ("khz", "kHz")] {
            assert_eq!(meant(text).as_deref(), Some(unit), "{text}");
        }
        for bad in ["", "q", "m/", "N/m s", "kmin", "m^x", "2", "m²²", "²", "s²^2x"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
