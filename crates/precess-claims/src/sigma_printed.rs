//! SM: omissions of the printed algorithms, and the cost of a step.

use super::la::WHOLE;
use super::sigma::{OPTIMAL, SM, exact, fig3, gain, printed};
use super::sigma_rotor::rotor_errors;
use super::{By, Claim, Source, Value, Verdict};
use precess::Error;
use precess::integrate::{Form, Modification, Variant};

/// Instructions per step, counted by callgrind: `bench/sigma_cost`.
const COUNTS: &str = include_str!("../sigma_cost.txt");

/// Instructions of a step with sigma = 1 over those of geom1: as published, and of the exact scheme.
fn cost(case: &str) -> Result<[f64; 2], Error> {
    let line = COUNTS.lines().find(|l| l.split(' ').next() == Some(case)).unwrap_or("");
    let numbers: Vec<f64> = line.split(' ').skip(1).filter_map(|x| x.parse().ok()).collect();
    match numbers[..] {
        [geom1, published, exact] => Ok([published / geom1, exact / geom1]),
        _ => Err(Error::Input { message: format!("there are no counts of '{case}'") }),
    }
}

/// Exactly Algorithm 2.
fn to_the_letter() -> Modification {
    Modification { variant: Variant::Printed, ..printed(OPTIMAL) }
}

/// A claim about the work of a step.
const fn work(id: &'static str, statement: &'static str, measure: super::Measure) -> Claim {
    Claim {
        id,
        place: "Sec. 8",
        statement,
        paper_value: Value::AtMost(1.0),
        source: Source::None,
        verdict: Verdict::NotReproduced,
        by: By::Recorded,
        note: "It depends on the program: the matrices of geom1 have an assembly of their own here, in which \
               T is a small part. bench/sigma_cost counts in the release profile, with two Newton iterations \
               each.",
        measure,
        ..SM
    }
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SM-65-rotor",
        place: "Algorithm 2, (65)",
        statement: "Algorithm 2 with the series (65) for P^-1: error of the right support of the rotor at t \
                    = 1, h = 1e-4, in m",
        expected: Value::Number(8.932e-5),
        note: "The paper has no number for it; expected value from a second program, bench/papers. 8.725e-5 \
               m with the exact inverse.",
        measure: |_| Ok(rotor_errors(to_the_letter(), 1e-4)?.0),
        verdict: Verdict::Beyond,
        ..SM
    },
    Claim {
        id: "SM-65-top",
        place: "Algorithm 2, (65)",
        statement: "The series (65) instead of the exact inverse does not matter for small steps: ratio of \
                    errors in q, heavy top, h = 5e-4",
        paper_value: Value::None,
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "The series neglects terms of third order in theta.",
        measure: |lab| {
            Ok(gain(lab, Form::Index3, printed(OPTIMAL), 5e-4)?
                / gain(lab, Form::Index3, to_the_letter(), 5e-4)?)
        },
        ..SM
    },
    Claim {
        id: "SM-74",
        place: "(74)",
        statement: "The simplification (74) has a negligible impact on accuracy: error in q of Algorithm \
                    2, which uses it, index-3, h = 5e-4; expected is that of (69)-(73) without it",
        expected: Value::Number(9.0168e-4),
        tolerance: 0.001,
        note: "The method without (74) is in bench/algorithm_2.py only, which also finds 3 iterations in \
               both ways.",
        measure: |lab| Ok(lab.errors(&fig3(Form::Index3, printed(OPTIMAL)).h(5e-4), WHOLE)?.q),
        ..SM
    },
    Claim {
        id: "SM-57-derivative",
        place: "(54), (57), Algorithm 2",
        statement: "Algorithm 2 solves (11)-(16): error in q of (11)-(16) over that of Algorithm 2, \
                    index-3, h = 5e-4",
        paper_value: Value::Number(1.0),
        expected: Value::Number(2.225e-3 / 9.016e-4),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        note: "The increments (54) and (57) leave out the derivative of T; this is as large as the term \
               that sigma is meant for, and here it happens to help.",
        measure: |lab| {
            Ok(gain(lab, Form::Index3, printed(OPTIMAL), 5e-4)?
                / gain(lab, Form::Index3, exact(OPTIMAL), 5e-4)?)
        },
        ..SM
    },
    work(
        "SM-8-cost-top",
        "A step with sigma = 1 costs less than one of geom1: instructions of Algorithm 1 over those of \
         geom1, heavy top",
        |_| Ok(cost("heavy_top-index3")?[0]),
    ),
    work("SM-8-cost-stabilized", "The same for Algorithm 3, stabilized index-2", |_| {
        Ok(cost("heavy_top-stabilized")?[0])
    }),
    work("SM-8-cost-rotor", "The same for Algorithm 1, rotor", |_| Ok(cost("rotor-index3")?[0])),
    work(
        "SM-8-cost-crank",
        "The same for Algorithm 1, slider-crank",
        |_| Ok(cost("slider_crank-index3")?[0]),
    ),
    Claim {
        id: "SM-8-cost-exact",
        place: "Sec. 8",
        statement: "The exact scheme with sigma = 1 has a tangent operator to handle: instructions over \
                    those of geom1, heavy top",
        expected: Value::AtLeast(1.0),
        source: Source::Theory,
        verdict: Verdict::Beyond,
        note: "It needs all that geom1 needs, and the derivative of T; counted by bench/sigma_cost.",
        by: By::Recorded,
        measure: |_| Ok(cost("heavy_top-index3")?[1]),
        ..SM
    },
];
