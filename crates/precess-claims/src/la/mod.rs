//! LA: Arnold, Cardona, Brüls, "A Lie algebra approach to Lie group time integration of constrained systems"
//! (2015).

mod condition;
mod lemma;
mod linear;
mod starts;
mod top;
mod top_stabilized;

use super::{Claim, Paper, Problem, Setup, Trace};
use precess::formulation::Formulation;
use precess::integrate::{Form, Start};

pub(super) const PAPER: Paper = Paper {
    key: "LA",
    title: "Arnold, Cardona, Brüls: A Lie algebra approach to Lie group time integration of constrained \
            systems (2015)",
    claims: &[
        linear::CLAIMS,
        top::CLAIMS,
        top_stabilized::CLAIMS,
        starts::CLAIMS,
        condition::CLAIMS,
        lemma::CLAIMS,
    ],
};

/// Defaults of a claim of this paper.
const LA: Claim = Claim::of("LA");
/// Source of most expected values.
const PROTOTYPE: &str = "Expected value from a second program, bench/papers.";
/// The same if the text has no number.
const PLOT: &str = "Words or a plot only; expected value from a second program, bench/papers.";

/// A level of a curve.
const LEVEL: &str = "The paper has it in a plot only, whose values its text does not give; expected value from a \
                     second program, bench/papers.";

pub(super) const R3SO3: Problem = Problem::FastTop(Formulation::R3SO3);
pub(super) const SE3: Problem = Problem::FastTop(Formulation::SE3);
pub(super) const TABLE_1: Start = Start::Table1 { s: 0.1 };
pub(super) const TABLE_2: Start = Start::Table2 { s: 0.1 };
/// The whole interval, and the part after the transient.
pub(super) const WHOLE: (f64, f64) = (0.0, 1.0);
const LATE: (f64, f64) = (0.5, 1.0);

/// Integrator (37).
pub(super) fn index3(problem: Problem, start: Start) -> Setup {
    Setup::new(problem, Form::Index3, start)
}

/// Integrator (56).
pub(super) fn stabilized(problem: Problem, start: Start) -> Setup {
    Setup::new(problem, Form::StabilizedIndex2, start)
}

/// Largest relative error of q, v, lambda in a window, to be used with [`Lab::order`](super::Lab::order).
fn q(window: (f64, f64)) -> impl Fn(&Trace) -> f64 {
    move |t| t.errors(window).q
}

fn v(window: (f64, f64)) -> impl Fn(&Trace) -> f64 {
    move |t| t.errors(window).v
}

pub(super) fn lambda(window: (f64, f64)) -> impl Fn(&Trace) -> f64 {
    move |t| t.errors(window).lambda
}
