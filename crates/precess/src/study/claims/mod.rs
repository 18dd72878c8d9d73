//! What the papers state, as data, and code that measures each statement.
//!
//! A [`Claim`] says where a statement stands, which value the paper gives, which value must come out here and why the
//! two may differ. Expected values come from theory or from an independent extended-precision prototype, never from
//! this library. Measurements share their runs through a [`Lab`].
//!
//! A further paper is one file with its claims and one line in [`PAPERS`].
//!
//! ```
//! use precess::study::claims::{Lab, find};
//!
//! let claim = find("LA-3.2-norm-0.9").expect("a known claim");
//! let outcome = claim.check(&mut Lab::new());
//! assert!(outcome.holds, "{outcome}");
//! ```

mod bliedf;
mod ggl;
mod la;
mod lab;
mod sigma;
#[cfg(feature = "model")]
mod sigma_models;
mod vp;

use std::fmt;

use crate::Error;
pub use lab::{Lab, Problem, Setup, Solution, Trace};

/// A paper and its claims, grouped by section.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Short name, also the prefix of the ids.
    pub key: &'static str,
    /// Authors, title, year.
    pub title: &'static str,
    /// The claims.
    pub claims: &'static [&'static [Claim]],
}

/// All papers.
pub const PAPERS: &[Paper] = &[la::PAPER, vp::PAPER, bliedf::PAPER, sigma::PAPER, ggl::PAPER];

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Measured as stated.
    Reproduced,
    /// The number or statement is wrong or needs a qualification; the expected value is the right one.
    Corrected,
    /// Stated by the paper, not seen here.
    NotReproduced,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Corrected => "corrected",
            Verdict::NotReproduced => "not reproduced",
        })
    }
}

/// A number, or a bound of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Said in words only.
    None,
    /// This number, within a relative tolerance.
    Number(f64),
    /// Not more than this in modulus.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
}

impl Value {
    /// Whether a measured number agrees; NaN never does, anything else agrees with [`Value::None`].
    pub fn accepts(&self, measured: f64, tolerance: f64) -> bool {
        match *self {
            Value::None => !measured.is_nan(),
            Value::Number(x) => (measured - x).abs() <= tolerance * x.abs(),
            Value::AtMost(x) => measured.abs() <= x,
            Value::AtLeast(x) => measured >= x,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::None => f.write_str("-"),
            Value::Number(x) => f.write_str(&digits(x)),
            Value::AtMost(x) => write!(f, "<= {}", digits(x)),
            Value::AtLeast(x) => write!(f, ">= {}", digits(x)),
        }
    }
}

/// Four significant digits.
fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || x.fract() == 0.0 && size < 1e4 {
        format!("{x}")
    } else if (1e-2..1e4).contains(&size) {
        let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.3e}")
    }
}

/// Measures the number a claim is about.
pub type Measure = fn(&mut Lab) -> Result<f64, Error>;

/// A statement that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Unique name: paper, place, subject.
    pub id: &'static str,
    /// Key of the paper.
    pub paper: &'static str,
    /// Figure, table, equation, theorem or section.
    pub place: &'static str,
    /// The statement in our words.
    pub statement: &'static str,
    /// The paper's value.
    pub paper_value: Value,
    /// What must be measured.
    pub expected: Value,
    /// Relative tolerance of an expected number.
    pub tolerance: f64,
    /// What became of the statement.
    pub verdict: Verdict,
    /// Where the expected value comes from, or what is wrong with the paper's; one sentence.
    pub note: &'static str,
    /// The measurement.
    pub measure: Measure,
    /// True for measurements of a few milliseconds.
    pub quick: bool,
}

impl Claim {
    /// A blank to be filled in: tolerance 3 %, reproduced, quick.
    const fn of(paper: &'static str) -> Self {
        Claim {
            id: "",
            paper,
            place: "",
            statement: "",
            paper_value: Value::None,
            expected: Value::None,
            tolerance: 0.03,
            verdict: Verdict::Reproduced,
            note: "",
            measure: |_| Ok(f64::NAN),
            quick: true,
        }
    }

    /// Measures.
    pub fn check(&'static self, lab: &mut Lab) -> Outcome {
        let measured = (self.measure)(lab);
        let holds = matches!(&measured, Ok(x) if self.expected.accepts(*x, self.tolerance));
        Outcome { claim: self, measured, holds }
    }
}

/// A claim and its measurement.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The claim.
    pub claim: &'static Claim,
    /// The number measured, or why there is none.
    pub measured: Result<f64, Error>,
    /// Whether it is the expected one.
    pub holds: bool,
}

impl Outcome {
    fn number(&self) -> String {
        match &self.measured {
            Ok(x) => digits(*x),
            Err(e) => e.to_string(),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.claim;
        write!(
            f,
            "{} {:<28} measured {:<10} expected {:<10} paper {:<10} {}",
            if self.holds { "ok    " } else { "FAILED" },
            c.id,
            self.number(),
            c.expected.to_string(),
            c.paper_value.to_string(),
            c.verdict
        )
    }
}

/// All claims in the order of the papers.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    PAPERS.iter().flat_map(|p| p.claims.iter().flat_map(|group| group.iter()))
}

/// A claim by its id.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|c| c.id == id)
}

/// Measures these claims with shared runs.
pub fn check(claims: impl IntoIterator<Item = &'static Claim>) -> Vec<Outcome> {
    let mut lab = Lab::new();
    claims.into_iter().map(|c| c.check(&mut lab)).collect()
}

/// One line per outcome.
pub fn text(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|o| format!("{o}\n")).collect()
}

/// A Markdown table: paper, place, statement, the paper's value, ours, verdict, note.
pub fn markdown(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| paper | place | statement | paper's value | ours | verdict | note |\n|---|---|---|---|---|---|---|\n",
    );
    for o in outcomes {
        let c = o.claim;
        let verdict =
            if o.holds { c.verdict.to_string() } else { format!("FAILED: expected {}", c.expected) };
        let cells =
            [c.paper, c.place, c.statement, &c.paper_value.to_string(), &o.number(), &verdict, c.note]
                .map(|x| x.replace('|', "\\|"));
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_refuse_what_they_should() {
        assert!(Value::Number(2.0).accepts(2.05, 0.03));
        assert!(!Value::Number(2.0).accepts(2.07, 0.03));
        assert!(Value::AtMost(1e-10).accepts(-1e-11, 0.0));
        assert!(!Value::AtMost(1e-10).accepts(-2e-10, 0.0));
        assert!(Value::AtLeast(3.0).accepts(3.5, 0.0) && !Value::AtLeast(3.0).accepts(-3.5, 0.0));
        for value in [Value::None, Value::Number(f64::NAN), Value::AtMost(1.0), Value::AtLeast(1.0)] {
            assert!(!value.accepts(f64::NAN, 1.0), "{value:?}");
        }
    }

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (0.0, "0"),
            (89.0, "89"),
            (2965.49, "2965"),
            (0.64, "0.6400"),
            (31.932, "31.93"),
            (1.1234e-13, "1.123e-13"),
            (-0.0323, "-0.03230"),
        ] {
            assert_eq!(digits(x), text);
        }
    }

    #[test]
    fn failures_and_bars_show_in_the_tables() {
        static WRONG: Claim = Claim {
            id: "X",
            statement: "|Bv| is small",
            expected: Value::AtMost(1.0),
            measure: |_| Ok(2.0),
            ..Claim::of("X")
        };
        let outcome = WRONG.check(&mut Lab::new());
        assert!(!outcome.holds && outcome.to_string().starts_with("FAILED"));
        let table = markdown(&[outcome]);
        assert!(table.contains("\\|Bv\\| is small") && table.contains("FAILED: expected <= 1"));
    }
}
