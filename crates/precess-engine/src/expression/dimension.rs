//! Dimensions of quantities and of expressions.
//!
//! A plain number is in SI units and fits everywhere. In products it is a pure number. In sums it has the
//! dimension of the other terms. A parameter without a unit can have any dimension. Time, coordinates and
//! sensors are measured quantities. They have a dimension if they are combined with quantities that have
//! units. A plain number beside them may stand for a quantity with a unit (`3*x` may be a force). Thus, only
//! mistakes between quantities with units are found, but these are always found.

use std::fmt;

use super::functions::{Code, Function, Rule};
use super::table::Table;
use super::{Expression, Names};

/// An exponent of one is stored as this number, because roots have fractional exponents.
const PARTS: i16 = 6;

/// The exponents of length, mass, time and angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension([i16; 4]);

impl Dimension {
    /// The dimension of a time.
    pub const SECOND: Dimension = Dimension::new([0, 0, 1, 0]);

    /// The dimension of a pure number.
    pub const NONE: Dimension = Dimension([0; 4]);

    /// The dimension of cycles per second.
    pub const FREQUENCY: Dimension = Dimension::new([0, 0, -1, 0]);

    /// Makes a dimension from whole exponents of length, mass, time and angle.
    pub const fn new(d: [i16; 4]) -> Self {
        let [l, m, t, a] = d;
        Dimension([l * PARTS, m * PARTS, t * PARTS, a * PARTS])
    }

    /// The dimension of a product.
    pub const fn times(self, other: Self) -> Self {
        let ([l, m, t, a], [l2, m2, t2, a2]) = (self.0, other.0);
        Dimension([l.saturating_add(l2), m.saturating_add(m2), t.saturating_add(t2), a.saturating_add(a2)])
    }

    /// The dimension of a quotient.
    pub const fn over(self, other: Self) -> Self {
        let [l, m, t, a] = other.0;
        self.times(Dimension([
            l.saturating_neg(),
            m.saturating_neg(),
            t.saturating_neg(),
            a.saturating_neg(),
        ]))
    }

    /// The dimension of a power.
    pub fn power(self, n: i32) -> Self {
        Dimension(self.0.map(|d| (i32::from(d).saturating_mul(n)).clamp(-9999, 9999) as i16))
    }

    fn broken_power(self, x: f64) -> Option<Self> {
        let scaled = self.0.map(|d| f64::from(d) * x);
        let whole = scaled.iter().all(|d| d.fract() == 0.0 && d.abs() < 9999.0);
        whole.then(|| Dimension(scaled.map(|d| d as i16)))
    }

    /// The exponents without the angle. Angles are numbers, because a radian is one.
    fn without_angle(self) -> [i16; 3] {
        let [l, m, t, _] = self.0;
        [l, m, t]
    }

    /// True if a quantity of this dimension may be used where the other is needed.
    pub fn fits(self, wanted: Self) -> bool {
        self.without_angle() == wanted.without_angle()
    }

    /// True for numbers and angles.
    pub fn is_number(self) -> bool {
        self.without_angle() == [0; 3]
    }

    /// True for angles, angular velocities and similar quantities.
    pub fn is_rotation(self) -> bool {
        let [l, m, _, a] = self.0;
        l == 0 && m == 0 && a != 0
    }

    /// True if the dimension contains angles.
    pub fn has_angle(self) -> bool {
        let [_, _, _, a] = self.0;
        a != 0
    }
}

/// Names of common dimensions with their SI units.
const COMMON: &[([i16; 4], &str, &str)] = &[
    ([0, 0, 0, 0], "a number", "1"),
    ([1, 0, 0, 0], "a length", "m"),
    ([0, 1, 0, 0], "a mass", "kg"),
    ([0, 0, 1, 0], "a time", "s"),
    ([0, 0, 0, 1], "an angle", "rad"),
    ([1, 0, -1, 0], "a velocity", "m/s"),
    ([0, 0, -1, 1], "an angular velocity", "rad/s"),
    ([0, 0, -1, 0], "a frequency", "1/s"),
    ([1, 0, -2, 0], "an acceleration", "m/s^2"),
    ([1, 1, -2, 0], "a force", "N"),
    ([2, 1, -2, 0], "a torque or energy", "N m"),
    ([0, 1, -2, 0], "a stiffness", "N/m"),
    ([0, 1, -1, 0], "a damping", "N s/m"),
    ([2, 1, -2, -1], "a torsional stiffness", "N m/rad"),
    ([2, 1, -1, -1], "a torsional damping", "N m s/rad"),
    ([2, 1, 0, 0], "an inertia", "kg m^2"),
    ([-3, 1, 0, 0], "a density", "kg/m^3"),
    ([-1, 1, 0, 0], "a mass per length", "kg/m"),
    ([-1, 1, -2, 0], "a pressure", "Pa"),
    ([2, 1, -3, 0], "a power", "W"),
    ([2, 0, 0, 0], "an area", "m^2"),
    ([3, 0, 0, 0], "a volume", "m^3"),
];

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name, unit)) = COMMON.iter().find(|(d, ..)| Dimension::new(*d) == *self) {
            return write!(f, "{name} ({unit})");
        }
        write!(f, "a quantity in")?;
        for (d, unit) in self.0.iter().zip(["m", "kg", "s", "rad"]) {
            match f64::from(*d) / f64::from(PARTS) {
                0.0 => {}
                1.0 => write!(f, " {unit}")?,
                n => write!(f, " {unit}^{n}")?,
            }
        }
        Ok(())
    }
}

impl Dimension {
    /// The unit of the dimension in m, kg, s and rad, as written in expressions: `kg m/s^2`. Returns `None`
    /// if it begins with a division or has fractional powers.
    pub fn unit(&self) -> Option<String> {
        let powers = self.0.iter().zip(["m", "kg", "s", "rad"]);
        let powers = powers.map(|(d, u)| (f64::from(*d) / f64::from(PARTS), u)).filter(|(n, _)| *n != 0.0);
        let (above, below): (Vec<_>, Vec<_>) = powers.partition(|(n, _)| *n > 0.0);
        let powers: Vec<(f64, &str)> = [above, below].concat();
        if powers.first().is_none_or(|(n, _)| *n < 0.0) || powers.iter().any(|(n, _)| n.fract() != 0.0) {
            return None;
        }
        let mut text = String::new();
        for (n, unit) in powers {
            text.push_str(if n < 0.0 {
                "/"
            } else if text.is_empty() {
                ""
            } else {
                " "
            });
            text.push_str(unit);
            if n.abs() != 1.0 {
                text.push_str(&format!("^{}", n.abs()));
            }
        }
        Some(text)
    }
}

/// Information on the dimension of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The expression consists of plain numbers.
    Pure,
    /// The expression contains a name without a unit.
    Any,
    /// The expression consists of quantities with units.
    Known(Dimension),
    /// The expression consists of quantities of the motion: time, coordinates, sensors.
    Measured(Dimension),
}

/// The dimensions of variables by name.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<Dimension>;

impl Kind {
    fn product(self, other: Kind, combine: impl Fn(Dimension, Dimension) -> Dimension) -> Kind {
        match (self, other) {
            (Kind::Pure, Kind::Pure) => Kind::Pure,
            (Kind::Any, _) | (_, Kind::Any) => Kind::Any,
            // The number may stand for a quantity with a unit.
            (Kind::Pure, Kind::Measured(_)) | (Kind::Measured(_), Kind::Pure) => Kind::Any,
            (Kind::Measured(a), Kind::Measured(b)) => match combine(a, b) {
                Dimension::NONE => Kind::Pure,
                d => Kind::Measured(d),
            },
            // A ratio of times or lengths is a plain number: t/T, x/(1 mm).
            (Kind::Measured(a), Kind::Known(b)) | (Kind::Known(a), Kind::Measured(b)) => {
                match combine(a, b) {
                    Dimension::NONE => Kind::Pure,
                    d => Kind::Known(d),
                }
            }
            (Kind::Pure, Kind::Known(b)) => Kind::Known(combine(Dimension::NONE, b)),
            (Kind::Known(a), Kind::Pure) => Kind::Known(combine(a, Dimension::NONE)),
            (Kind::Known(a), Kind::Known(b)) => Kind::Known(combine(a, b)),
        }
    }

    /// The kind of two terms that must have the same dimension. If they differ, the error has both
    /// dimensions.
    fn same(self, other: Kind) -> Result<Kind, (Dimension, Dimension)> {
        match (self, other) {
            (Kind::Known(a), Kind::Known(b) | Kind::Measured(b)) | (Kind::Measured(a), Kind::Known(b))
                if !a.fits(b) =>
            {
                Err((a, b))
            }
            (known @ Kind::Known(_), _) | (_, known @ Kind::Known(_)) => Ok(known),
            (Kind::Pure, Kind::Pure) => Ok(Kind::Pure),
            (Kind::Measured(a), Kind::Measured(b)) if !a.fits(b) => Ok(Kind::Any),
            (measured @ Kind::Measured(_), Kind::Pure | Kind::Measured(_)) => Ok(measured),
            (Kind::Pure, measured @ Kind::Measured(_)) => Ok(measured),
            _ => Ok(Kind::Any),
        }
    }
}

/// The kind of a table value for an argument.
fn looked_up(table: &Table, argument: Kind) -> Result<Kind, String> {
    let [x, y] = table.dimensions();
    match (argument, x) {
        (Kind::Known(found) | Kind::Measured(found), Some(x)) if !found.fits(x) => {
            Err(format!("reads a table of {x}, its argument is {found}"))
        }
        _ => Ok(y.map_or(Kind::Any, Kind::Known)),
    }
}

impl Expression {
    /// The dimension of the value. Dimensions that do not match are an error.
    pub fn kind(&self, names: &Names) -> Result<Kind, String> {
        self.kind_with(names, &|_| None)
    }

    /// Does the same as [`kind`](Self::kind) with variables.
    pub fn kind_with(&self, names: &Names, variables: Variables) -> Result<Kind, String> {
        let mut stack: Vec<Kind> = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            let first = stack.len().saturating_sub(op.code.arguments());
            let arguments = stack.split_off(first.min(stack.len()));
            let kind = self.kind_of(i, &arguments, names, variables)?;
            stack.push(kind);
        }
        Ok(stack.pop().unwrap_or(Kind::Pure))
    }

    /// Refuses a number of cycles such as `5 Hz*t` as the argument of a sine. The argument must be an angle.
    fn no_cycles(&self, i: usize, f: Function, names: &Names) -> Result<(), String> {
        let argument = i.saturating_sub(1);
        let is_angle = matches!(f, Function::Sin | Function::Cos | Function::Tan);
        if !is_angle || !self.part(argument).counts_cycles(names) {
            return Ok(());
        }
        Err(format!(
            "'{}' in {} counts cycles, but an angle is needed: write rev/s, rpm, rad/s or 2*pi*f",
            self.text_of(argument),
            f.name()
        ))
    }

    /// The kind of the power at operation i.
    fn power(&self, i: usize, base: Kind, names: &Names) -> Result<Kind, String> {
        let raised = |d: Dimension| {
            let exponent = self.part(i.saturating_sub(1)).value_of(names);
            exponent.and_then(|x| d.broken_power(x))
        };
        match base {
            Kind::Known(d) if !d.is_number() => raised(d).map(Kind::Known).ok_or_else(|| {
                format!("'{}' raises {d} to a power that is not a plain number", self.text_of(i))
            }),
            Kind::Measured(d) if !d.is_number() => Ok(raised(d).map_or(Kind::Any, Kind::Measured)),
            other => Ok(other),
        }
    }

    fn kind_of(
        &self,
        i: usize,
        arguments: &[Kind],
        names: &Names,
        variables: Variables,
    ) -> Result<Kind, String> {
        let Some(op) = self.ops.get(i) else { return Ok(Kind::Any) };
        let at = |k: usize| arguments.get(k).copied().unwrap_or(Kind::Pure);
        let words = || self.text_of(i);
        let differ = |(a, b): (Dimension, Dimension)| format!("'{}' mixes {a} with {b}", words());
        let number = |k: Kind| match k {
            Kind::Known(d) if !d.is_number() => {
                Err(format!("'{}' needs a number, its argument is {d}", words()))
            }
            _ => Ok(()),
        };
        match &op.code {
            Code::Constant(_) => Ok(Kind::Pure),
            Code::Quantity(_, d) => Ok(Kind::Known(*d)),
            Code::Variable(k) => {
                let name = self.names.get(*k).map_or("", String::as_str);
                Ok(match names.dimensions.get(name) {
                    Some(d) => Kind::Known(*d),
                    None if names.contains_key(name) => Kind::Any,
                    None if name == "pi" => Kind::Pure,
                    None => variables(name).map_or(Kind::Any, Kind::Measured),
                })
            }
            Code::Add | Code::Subtract => at(0).same(at(1)).map_err(differ),
            Code::Multiply => Ok(at(0).product(at(1), Dimension::times)),
            Code::Divide => Ok(at(0).product(at(1), Dimension::over)),
            Code::Power => {
                number(at(1))?;
                self.power(i, at(0), names)
            }
            Code::Less | Code::LessEqual | Code::Equal | Code::NotEqual => {
                at(0).same(at(1)).map_err(differ).map(|_| Kind::Pure)
            }
            Code::And | Code::Or | Code::Not => Ok(Kind::Pure),
            Code::Table(k) => match self.names.get(*k).and_then(|name| names.tables.get(name)) {
                Some(table) => looked_up(table, at(0)).map_err(|e| format!("'{}' {e}", words())),
                None => Ok(Kind::Any),
            },
            Code::Lookup(table) => looked_up(table, at(0)).map_err(|e| format!("'{}' {e}", words())),
            Code::Call(f, _) => match f.rule() {
                Rule::Number => {
                    self.no_cycles(i, *f, names)?;
                    arguments.iter().try_for_each(|k| number(*k)).map(|()| Kind::Pure)
                }
                Rule::Whole => Ok(at(0)),
                Rule::Sign => Ok(Kind::Pure),
                Rule::Root(n) => match at(0) {
                    Kind::Known(d) => d
                        .broken_power(1.0 / n)
                        .map(Kind::Known)
                        .ok_or_else(|| format!("'{}' is a root of {d}, which has no unit", words())),
                    Kind::Measured(d) => Ok(d.broken_power(1.0 / n).map_or(Kind::Any, Kind::Measured)),
                    other => Ok(other),
                },
                Rule::Same => {
                    let mut kind = at(0);
                    for k in arguments.iter().skip(1) {
                        kind = kind.same(*k).map_err(differ)?;
                    }
                    Ok(kind)
                }
                Rule::SameGivesNumber => {
                    let mut kind = at(0);
                    for k in arguments.iter().skip(1).take(2) {
                        kind = kind.same(*k).map_err(differ)?;
                    }
                    Ok(Kind::Pure)
                }
                Rule::Select => at(1).same(at(2)).map_err(differ),
                Rule::Distance => Ok(at(1)),
                Rule::Free => Ok(Kind::Any),
            },
        }
    }
}
