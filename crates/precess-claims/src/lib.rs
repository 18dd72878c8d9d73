//! Statements of the papers as data, and code that measures each of them. `book/papers.md` lists what is left
//! out.
//!
//! A [`Claim`] gives the location of a statement, the value of the paper, the value that must be measured
//! here and the reason why the two may differ. Expected values come from theory, from second programs (Python
//! files in `bench/papers` and `bench/`, whose values are in `bench/papers/values.txt`) or from the paper
//! itself, never from this library. [`By`] says what is measured: most claims run the integrators, a few
//! evaluate formulas or read recorded counts. Measurements share their runs through a [`Lab`].
//!
//! A further paper is one file with its claims and one line in [`PAPERS`]; its figures are a file in
//! `figures`, and `report` combines both on a page.
//!
//! ```
//! use precess_claims::{Lab, find};
//!
//! let claim = find("LA-3.2-norm-0.9").expect("a known claim");
//! let outcome = claim.check(&mut Lab::new());
//! assert!(outcome.holds, "{outcome}");
//! ```

mod bliedf;
mod bliedf_analysis;
pub mod figures;
mod ggl;
mod ggl_family;
mod ggl_original;
mod ggl_particles;
mod ggl_structure;
mod ggl_top;
mod la;
mod lab;
pub mod report;
mod sigma;
mod sigma_flexible;
mod sigma_models;
mod sigma_printed;
mod sigma_rotor;
mod sigma_slider_crank;
mod tables;
mod trace;
mod vp;

use std::fmt;

pub use lab::{Lab, Problem, Setup, Solution};
use precess::Error;
use precess::study::parallel::Workers;
use tables::expected;
pub use tables::{differences, markdown, text, wrapped};
pub use trace::Trace;

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

/// Verdict on a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The paper gives a number and we get it.
    Reproduced,
    /// The paper states it in words, and the measurement agrees.
    Consistent,
    /// The number or statement is wrong or needs a qualification; the expected value is the right one.
    Corrected,
    /// Stated by the paper, but neither this library nor a second program shows it, and the cause is not
    /// known.
    NotReproduced,
    /// The number depends on something that the paper does not give, such as step sizes, the norm of a
    /// residual or the program; or the paper has it in a plot only.
    Undetermined,
    /// Not stated by the paper, but related to it.
    Beyond,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::Consistent,
        Verdict::Corrected,
        Verdict::NotReproduced,
        Verdict::Undetermined,
        Verdict::Beyond,
    ];
}

/// Source of an expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Another program, written from the paper alone: `bench/papers/values.txt` has the value under the id
    /// of the claim, or the note names a file in `bench/`.
    Prototype,
    /// A formula, an order of convergence, or a property that holds by construction.
    Theory,
    /// The paper itself: its number, or the bound given by its words.
    Paper,
    /// Nothing predicts the number: it is a recorded count of this library, compared with the paper only.
    None,
}

/// What a measurement uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The integrators of this library.
    #[default]
    Integrators,
    /// A formula, a matrix or a small program of the claim itself; no integrator runs.
    Formula,
    /// Counts in a file, which a command of `bench/` writes; nothing is measured now.
    Recorded,
}

impl By {
    /// A word after the verdict, for measurements that do not run the integrators.
    pub fn remark(self) -> &'static str {
        match self {
            By::Integrators => "",
            By::Formula => " (formula)",
            By::Recorded => " (recorded)",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Prototype => "second program",
            Source::Theory => "theory",
            Source::Paper => "paper",
            Source::None => "none",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Consistent => "consistent",
            Verdict::Corrected => "corrected",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Undetermined => "undetermined",
            Verdict::Beyond => "beyond the paper",
        })
    }
}

/// A number, or a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Only words.
    None,
    /// This number, within a relative tolerance.
    Number(f64),
    /// Not more than this in modulus.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
    /// Between these.
    Between(f64, f64),
}

impl Value {
    /// True if a measured number agrees; NaN never does, any other number agrees with [`Value::None`].
    pub fn accepts(&self, measured: f64, tolerance: f64) -> bool {
        match *self {
            Value::None => !measured.is_nan(),
            Value::Number(x) => (measured - x).abs() <= tolerance * x.abs(),
            Value::AtMost(x) => measured.abs() <= x,
            Value::AtLeast(x) => measured >= x,
            Value::Between(x, y) => x <= measured && measured <= y,
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
            Value::Between(x, y) => write!(f, "{} to {}", digits(x), digits(y)),
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

/// Measures the number of a claim.
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
    /// The value that must be measured.
    pub expected: Value,
    /// Relative tolerance of an expected number.
    pub tolerance: f64,
    /// Source of the expected value.
    pub source: Source,
    /// The verdict, see [`Claim::verdict`].
    pub verdict: Verdict,
    /// More about the expected value, or the error in the paper; one sentence.
    pub note: &'static str,
    /// What the measurement uses.
    pub by: By,
    /// The measurement.
    pub measure: Measure,
    /// True for measurements of a few milliseconds.
    pub quick: bool,
}

impl Claim {
    /// A template: tolerance 3 %, reproduced, quick.
    pub const fn of(paper: &'static str) -> Self {
        Claim {
            id: "",
            paper,
            place: "",
            statement: "",
            paper_value: Value::None,
            expected: Value::None,
            tolerance: 0.03,
            source: Source::Prototype,
            verdict: Verdict::Reproduced,
            note: "",
            by: By::Integrators,
            measure: |_| Ok(f64::NAN),
            quick: true,
        }
    }

    /// The statement; "The same ..." with the name of the claim before it, so that a row can be read alone.
    pub fn told(&self) -> String {
        let names_it = all().any(|c| c.id != self.id && self.statement.contains(c.id));
        let before = all().zip(all().skip(1)).find(|(_, c)| c.id == self.id).map(|(before, _)| before.id);
        match before.filter(|_| self.statement.starts_with("The same") && !names_it) {
            Some(before) => format!("{} (see {before})", self.statement),
            None => self.statement.to_string(),
        }
    }

    /// The verdict on the statement. Only a number of the paper can be reproduced; words and plots are
    /// consistent with ours.
    pub fn verdict(&self) -> Verdict {
        match (self.verdict, self.paper_value) {
            (Verdict::Reproduced, Value::Number(_)) => Verdict::Reproduced,
            (Verdict::Reproduced, _) => Verdict::Consistent,
            (other, _) => other,
        }
    }

    /// The tolerance in words; none for bounds.
    pub fn tolerance(&self) -> String {
        match self.expected {
            Value::Number(_) => format!("{} %", digits(100.0 * self.tolerance)),
            _ => "-".to_string(),
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
    /// True if it is the expected one.
    pub holds: bool,
}

impl Outcome {
    fn number(&self) -> String {
        match &self.measured {
            Ok(x) => digits(*x),
            Err(e) => e.to_string(),
        }
    }

    /// True if the recorded verdict no longer matches the measurement: the number is not the expected one, or
    /// "reproduced" or "consistent" misses the paper's value by more than 15 %, or "corrected" or "not
    /// reproduced" meets it within 10 %. For recorded counts without an expected value only the latter.
    pub fn changed(&self) -> bool {
        let paper = |tolerance| {
            self.claim.paper_value.accepts(*self.measured.as_ref().unwrap_or(&f64::NAN), tolerance)
        };
        let honest = match self.claim.verdict() {
            Verdict::Reproduced | Verdict::Consistent => paper(0.15),
            Verdict::Corrected | Verdict::NotReproduced => {
                self.claim.paper_value == Value::None || !paper(0.10)
            }
            Verdict::Undetermined => true,
            Verdict::Beyond => self.claim.paper_value == Value::None,
        };
        !self.holds || !honest
    }

    /// The verdict, or why it changed. Claims that do not run the integrators say so.
    pub fn verdict(&self) -> String {
        match (self.changed(), self.holds) {
            (false, _) => format!("{}{}", self.claim.verdict(), self.claim.by.remark()),
            (true, false) => format!("CHANGED: expected {}", self.claim.expected),
            (true, true) => format!("CHANGED: was {}", self.claim.verdict()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.claim;
        write!(
            f,
            "{} {:<28} measured {:<10} expected {:<10} paper {:<10} {}",
            if self.changed() { "CHANGED" } else { "ok     " },
            c.id,
            self.number(),
            c.expected.to_string(),
            c.paper_value.to_string(),
            self.verdict()
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
pub fn check(claims: &[&'static Claim], workers: Workers) -> Vec<Outcome> {
    let lab = Lab::new();
    workers.map_with(claims.len(), || lab.clone(), |lab, i| claims[i].check(lab))
}
