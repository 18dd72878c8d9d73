//! Expressions of model files: numbers with units, parameters, functions, tables.
//!
//! An expression is a list of operations after their arguments. It is evaluated on a small stack, without
//! allocation, with plain numbers or with numbers that carry derivatives. Every operation has its part of the
//! text.
//!
//! The formulas of a model are evaluated in every step.

// User input never causes a panic. Unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]
#![deny(clippy::indexing_slicing, clippy::string_slice)]

mod bends;
pub mod breakpoints;
pub mod culprit;
mod dimension;
pub mod functions;
pub mod jet;
pub mod mixed;
mod parse;
mod pieces;
mod profile;
pub mod quantities;
pub mod table;
pub mod tokens;
pub mod units;
pub mod value;

use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

pub use dimension::{Dimension, Kind, Variables};
use functions::{Code, Function};
pub use pieces::Gap;
use table::Table;
use value::Value;

/// Largest nesting of parentheses.
const MAX_DEPTH: usize = 100;
/// Largest length of a text.
const MAX_LENGTH: usize = 1000;
/// Largest number of values that wait for an operation.
const MAX_PENDING: usize = 32;

/// The word that reads an input: `input("motor")`.
const INPUT: &str = "input";

/// The name of the variable for an input.
fn input_variable(name: &str) -> String {
    format!("{INPUT}(\"{name}\")")
}

/// The name of the input of a variable.
pub fn input_of(variable: &str) -> Option<&str> {
    variable.strip_prefix(INPUT)?.strip_prefix("(\"")?.strip_suffix("\")")
}

/// Values of the names in expressions, with their dimensions if they have units, and tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    values: BTreeMap<String, f64>,
    /// Dimensions of the names that were given with a unit.
    pub dimensions: HashMap<String, Dimension>,
    /// Tables, which are called as functions.
    pub tables: Arc<BTreeMap<String, Arc<Table>>>,
    /// Inputs with their initial values; without a list, any name is an input.
    pub inputs: Option<Arc<BTreeMap<String, f64>>>,
}

impl Names {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Deref for Names {
    type Target = BTreeMap<String, f64>;
    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl DerefMut for Names {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

impl<const N: usize> From<[(String, f64); N]> for Names {
    fn from(list: [(String, f64); N]) -> Self {
        Names { values: BTreeMap::from(list), ..Names::default() }
    }
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
struct Op {
    code: Code,
    /// The first operation of its arguments.
    begin: usize,
    /// Its part of the text.
    from: usize,
    to: usize,
}

/// An expression of named numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    ops: Vec<Op>,
    names: Vec<String>,
}

impl Expression {
    /// Reads an expression; `known` tells names from units of the same spelling.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        parse::Parser::read(text, known)
    }

    /// Names of variables and tables, in the order of their first use.
    pub fn var_names(&self) -> &[String] {
        &self.names
    }

    /// Its original text.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// Names that are called as functions.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().filter_map(|op| match op.code {
            Code::Table(k) => self.names.get(k).map(String::as_str),
            _ => None,
        })
    }

    /// True if a number in it has a unit.
    pub fn has_units(&self) -> bool {
        self.ops.iter().any(|op| matches!(op.code, Code::Quantity(..)))
    }

    /// True for a product of names and quantities that contains a frequency and nothing that turns it into an
    /// angle, such as `n*t`.
    pub fn counts_cycles(&self, names: &Names) -> bool {
        let mut frequency = false;
        for op in &self.ops {
            let dimension = match op.code {
                Code::Multiply => continue,
                Code::Quantity(_, dimension) => dimension,
                Code::Variable(k) => match self.names.get(k) {
                    Some(name) if name == "t" && !names.contains_key(name) => continue,
                    // A plain number may contain 2 pi.
                    name => match name.and_then(|name| names.dimensions.get(name)) {
                        Some(dimension) => *dimension,
                        None => return false,
                    },
                },
                _ => return false,
            };
            if dimension.has_angle() {
                return false;
            }
            frequency |= dimension == Dimension::FREQUENCY;
        }
        frequency
    }

    /// The unit of an expression that is one quantity.
    fn single_quantity(&self) -> Option<units::Unit> {
        match self.ops.as_slice() {
            [Op { code: Code::Quantity(x, dimension), .. }] => {
                Some(units::Unit { times: *x, over: 1.0, dimension: *dimension })
            }
            _ => None,
        }
    }

    fn text_of(&self, i: usize) -> &str {
        self.ops.get(i).and_then(|op| self.text.get(op.from..op.to)).unwrap_or("").trim()
    }

    /// The part of the expression that ends with an operation.
    fn part(&self, end: usize) -> Expression {
        let begin = self.ops.get(end).map_or(0, |op| op.begin);
        let mut ops: Vec<Op> = self.ops.get(begin..=end).unwrap_or(&[]).to_vec();
        ops.iter_mut().for_each(|op| op.begin -= begin);
        Expression { text: self.text.clone(), ops, names: self.names.clone() }
    }

    /// Ends of the arguments of an operation.
    fn arguments(&self, i: usize) -> Vec<usize> {
        let n = self.ops.get(i).map_or(0, |op| op.code.arguments());
        let mut ends = Vec::with_capacity(n);
        let mut end = i;
        for _ in 0..n {
            end = end.saturating_sub(1);
            ends.push(end);
            end = self.ops.get(end).map_or(0, |op| op.begin);
        }
        ends.reverse();
        ends
    }

    /// Largest number of values on the stack.
    fn pending(&self) -> usize {
        let (mut now, mut most) = (0_usize, 0);
        for op in &self.ops {
            now = (now + 1).saturating_sub(op.code.arguments());
            most = most.max(now + op.code.arguments().saturating_sub(1));
        }
        most
    }

    /// The value for values of the names, in their order; NaN for missing ones.
    pub fn eval<T: Value>(&self, values: &[T]) -> T {
        T::of(self, values)
    }

    /// The operations, one after the other.
    fn run<T: Value>(&self, values: &[T]) -> T {
        let mut stack = [T::default(); MAX_PENDING];
        let mut n = 0;
        for op in &self.ops {
            let first = n - op.code.arguments().min(n);
            let value = operate(&op.code, stack.get(first..n).unwrap_or(&[]), values);
            match stack.get_mut(first) {
                Some(top) => *top = value,
                None => return T::constant(f64::NAN),
            }
            n = first + 1;
        }
        let [first, ..] = stack;
        if n == 0 { T::constant(f64::NAN) } else { first }
    }

    /// Replaces names by values and evaluates constants. Unknown functions are errors.
    pub fn bind(&self, names: &Names) -> Result<Expression, String> {
        let mut out: Vec<Op> = Vec::with_capacity(self.ops.len());
        let mut left: Vec<String> = Vec::new();
        for op in &self.ops {
            let name = |k: usize| self.names.get(k).map_or("", String::as_str);
            let code = match &op.code {
                Code::Variable(k) => match (names.get(name(*k)), name(*k)) {
                    (Some(x), _) => Code::Constant(*x),
                    (None, "pi") => Code::Constant(std::f64::consts::PI),
                    (None, name) => Code::Variable(index_in(&mut left, name)),
                },
                Code::Quantity(x, _) => Code::Constant(*x),
                Code::Table(k) => match names.tables.get(name(*k)) {
                    Some(table) => Code::Lookup(Arc::clone(table)),
                    None => return Err(unknown_function(name(*k), names)),
                },
                other => other.clone(),
            };
            let n = code.arguments();
            let first = out.len() - n.min(out.len());
            let constants = out.get(first..).unwrap_or(&[]).iter().map(|op| match op.code {
                Code::Constant(x) => Some(x),
                _ => None,
            });
            let folded: Option<Vec<f64>> = constants.collect();
            let (code, begin) = match folded.filter(|_| n > 0) {
                Some(values) => {
                    out.truncate(first);
                    (Code::Constant(operate(&code, &values, &[])), first)
                }
                None => {
                    let mut begin = out.len();
                    for _ in 0..n {
                        begin = out.get(begin.wrapping_sub(1)).map_or(0, |op| op.begin);
                    }
                    (code, begin)
                }
            };
            out.push(Op { code, begin, from: op.from, to: op.to });
        }
        Ok(Expression { text: self.text.clone(), ops: out, names: left })
    }

    /// The value if it is a constant.
    pub fn constant(&self) -> Option<f64> {
        match self.ops.as_slice() {
            [Op { code: Code::Constant(x) | Code::Quantity(x, _), .. }] => Some(*x),
            _ => None,
        }
    }

    fn value_of(&self, names: &Names) -> Option<f64> {
        self.bind(names).ok()?.constant()
    }

    /// The source of a value that is not finite: the smallest part whose arguments are finite, with their
    /// values.
    pub fn culprit(&self, names: &Names) -> Option<String> {
        for (i, op) in self.ops.iter().enumerate() {
            let value = self.part(i).value_of(names)?;
            if value.is_finite() {
                continue;
            }
            let mut used: Vec<String> = Vec::new();
            for inner in self.ops.get(op.begin..=i).unwrap_or(&[]) {
                if let Code::Variable(k) = inner.code
                    && let Some((name, x)) = self.names.get(k).and_then(|n| names.get_key_value(n))
                    && !used.iter().any(|u| u.starts_with(&format!("{name} = ")))
                {
                    used.push(format!("{name} = {x}"));
                }
            }
            let with = if used.is_empty() { String::new() } else { format!(" with {}", used.join(", ")) };
            return Some(format!("'{}' is {value}{with}", self.text_of(i)));
        }
        None
    }

    /// True if the value is a vector, given which names are vectors; operations that vectors do not allow are
    /// errors.
    pub fn is_vector(&self, vector: &dyn Fn(&str) -> bool) -> Result<bool, String> {
        let mut stack: Vec<bool> = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            let first = stack.len().saturating_sub(op.code.arguments());
            let arguments = stack.split_off(first.min(stack.len()));
            let at = |k: usize| arguments.get(k).copied().unwrap_or(false);
            // A sign is stored as a difference from zero.
            let sign =
                matches!(op.code, Code::Subtract) && self.ops.get(op.begin).is_some_and(|o| o.from == o.to);
            let (kind, good) = match op.code {
                Code::Variable(k) => (self.names.get(k).is_some_and(|n| vector(n)), true),
                Code::Subtract if sign => (at(1), true),
                Code::Add | Code::Subtract => (at(0), at(0) == at(1)),
                Code::Multiply => (at(0) || at(1), !(at(0) && at(1))),
                Code::Divide => (at(0), !at(1)),
                _ => (false, !arguments.contains(&true)),
            };
            if !good {
                return Err(format!(
                    "'{}' does not go with points: they are added, subtracted and scaled",
                    self.text_of(i)
                ));
            }
            stack.push(kind);
        }
        Ok(stack.pop().unwrap_or(false))
    }

    /// The expression with plain numbers and these names of its variables; none if it contains a table or is
    /// too long to be read again.
    pub fn written(&self, name: &dyn Fn(&str) -> String) -> Option<String> {
        let mut stack: Vec<String> = Vec::new();
        for op in &self.ops {
            let arguments = stack.split_off(stack.len().checked_sub(op.code.arguments())?);
            let symbol = match &op.code {
                Code::Add => "+",
                Code::Subtract => "-",
                Code::Multiply => "*",
                Code::Divide => "/",
                Code::Power => "^",
                Code::Less => "<",
                Code::LessEqual => "<=",
                Code::Equal => "==",
                Code::NotEqual => "!=",
                Code::And => "and",
                Code::Or => "or",
                _ => "",
            };
            stack.push(match &op.code {
                Code::Constant(x) | Code::Quantity(x, _) if x.is_finite() => format!("({x:?})"),
                Code::Variable(k) => name(self.names.get(*k)?),
                Code::Not => format!("(not {})", arguments.first()?),
                Code::Call(f, _) => format!("{}({})", f.name(), arguments.join(", ")),
                Code::Constant(_) | Code::Quantity(..) | Code::Table(_) | Code::Lookup(_) => return None,
                _ => format!("({} {symbol} {})", arguments.first()?, arguments.get(1)?),
            });
        }
        stack.pop().filter(|text| text.len() <= MAX_LENGTH)
    }

    /// Its size in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.text.len() + self.ops.len() * size_of::<Op>()
    }

    /// `left - right` of two parts.
    fn difference(&self, left: usize, right: usize) -> Expression {
        self.joined(left, right, Code::Subtract)
    }

    /// An operation of two parts.
    fn joined(&self, left: usize, right: usize, code: Code) -> Expression {
        let (mut a, b) = (self.part(left), self.part(right));
        let n = a.ops.len();
        a.ops.extend(b.ops.into_iter().map(|op| Op { begin: op.begin + n, ..op }));
        a.ops.push(Op { code, begin: 0, from: 0, to: 0 });
        a
    }

    /// Which of the variables a part uses.
    fn uses(&self, end: usize) -> impl Iterator<Item = &str> {
        let begin = self.ops.get(end).map_or(0, |op| op.begin);
        self.ops.get(begin..=end).unwrap_or(&[]).iter().filter_map(|op| match op.code {
            Code::Variable(k) => self.names.get(k).map(String::as_str),
            _ => None,
        })
    }
}

fn index_in(list: &mut Vec<String>, name: &str) -> usize {
    list.iter().position(|n| n == name).unwrap_or_else(|| {
        list.push(name.to_string());
        list.len() - 1
    })
}

fn unknown_function(name: &str, names: &Names) -> String {
    let known = Function::ALL.iter().map(|f| f.name()).chain(names.tables.keys().map(String::as_str));
    crate::Error::unknown_name("function or table", name, known).to_string()
}

/// One operation.
#[inline]
fn operate<T: Value>(code: &Code, arguments: &[T], values: &[T]) -> T {
    let nan = || T::constant(f64::NAN);
    let truth = |x: bool| T::constant(if x { 1.0 } else { 0.0 });
    let (a, b) = match *arguments {
        [a, b] => (a, b),
        [a] => (a, a),
        _ => (T::default(), T::default()),
    };
    match code {
        Code::Constant(x) | Code::Quantity(x, _) => T::constant(*x),
        Code::Variable(k) => values.get(*k).copied().unwrap_or_else(nan),
        Code::Add => a.add(b),
        Code::Subtract => a.sub(b),
        Code::Multiply => a.mul(b),
        Code::Divide => a.div(b),
        Code::Power => a.pow(b),
        Code::Less | Code::LessEqual | Code::Equal | Code::NotEqual => {
            let (x, y) = (a.re(), b.re());
            match code {
                _ if x.is_nan() || y.is_nan() => nan(),
                Code::Less => truth(x < y),
                Code::LessEqual => truth(x <= y),
                Code::Equal => truth(x == y),
                _ => truth(x != y),
            }
        }
        Code::And => truth(a.re() != 0.0 && b.re() != 0.0),
        Code::Or => truth(a.re() != 0.0 || b.re() != 0.0),
        Code::Not => truth(a.re() == 0.0),
        Code::Call(f, _) => value::call(*f, arguments),
        Code::Table(_) => nan(),
        Code::Lookup(table) => {
            let [y, y_1, y_2] = table.at(a.re());
            a.chain(y, y_1, y_2)
        }
    }
}

#[cfg(test)]
mod tests;
