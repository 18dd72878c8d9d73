//! Expressions from a grammar, and extreme numbers.

use fastrand::Rng;

/// Numbers at the limits of the notation.
pub const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-3",
    "7",
    "1e308",
    "1.8e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "+nan",
    "1e999",
    "1e-999",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "4294967296",
    "1e9",
    "1e15",
    "1e16",
    "1000001",
    "0x7f",
    "0b1",
    "0o7",
    "1_0",
    "1.",
    ".5",
    "1e",
    "1e+",
    "000",
    "3.141592653589793",
    "90 deg",
    "1 rad",
    "1e6",
    "100000",
    "65536",
    "255",
];

const VARIABLES: &[&str] =
    &["t", "x", "v", "pi", "i", "l", "height", "tip.x", "{tip force}.z", "PI", "e", "τ", "N"];

const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor",
    "ceil", "round", "trunc", "fract", "exp", "sqrt", "cbrt", "log", "log2", "log10", "ln", "abs", "signum",
    "-", "+",
];

const OPERATORS: &[&str] = &["+", "-", "*", "/", "^", " + ", "*", "/", "atan2", "%", "&&", "<", "==", " "];

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> &'a str {
    rng.choice(list).copied().unwrap_or("")
}

/// A number, in most cases an extreme one.
pub fn number(rng: &mut Rng) -> String {
    match rng.u8(..4) {
        0 => format!("{:e}", f64::from_bits(rng.u64(..))),
        1 => format!("{}", rng.i64(-1000..1000)),
        _ => pick(rng, NUMBERS).to_string(),
    }
}

/// An expression that follows the grammar in most cases.
pub fn expression(rng: &mut Rng) -> String {
    let mut out = String::new();
    let depth = rng.u8(..6);
    write(rng, depth, &mut out);
    match rng.u8(..24) {
        0 => out.push_str(" deg"),
        1 => out.push_str(" rad"),
        2 => out.push_str(pick(rng, &["<0", "> 30 deg", "=t", "<=", " < ", ")", "("])),
        3 => {
            // These are nested as deeply as the length of an expression permits.
            let n = rng.usize(1..400);
            let f = pick(rng, FUNCTIONS);
            out = format!("{}{out}{}", format!("{f}(").repeat(n), ")".repeat(n));
        }
        4 => {
            let n = rng.usize(1..500);
            out = format!("{out}{}", pick(rng, &["^t", "*t", "+t", "/t", "*x*v", "^2", "-t"]).repeat(n));
        }
        _ => {}
    }
    out
}

fn write(rng: &mut Rng, depth: u8, out: &mut String) {
    if depth == 0 {
        match rng.u8(..5) {
            0 => out.push_str(&number(rng)),
            1 => out.push_str(&format!("{:.1}", rng.f64() * 10.0)),
            _ => out.push_str(pick(rng, VARIABLES)),
        }
        return;
    }
    match rng.u8(..8) {
        0..=3 => {
            write(rng, depth - 1, out);
            out.push_str(pick(rng, OPERATORS));
            write(rng, depth - 1, out);
        }
        4 | 5 => {
            out.push_str(pick(rng, FUNCTIONS));
            out.push('(');
            write(rng, depth - 1, out);
            out.push(')');
        }
        6 => {
            out.push_str(pick(rng, &["min", "max", "atan2"]));
            out.push('(');
            write(rng, depth - 1, out);
            out.push(',');
            write(rng, depth - 1, out);
            out.push(')');
        }
        _ => {
            out.push('(');
            write(rng, depth - 1, out);
            out.push(')');
        }
    }
}
