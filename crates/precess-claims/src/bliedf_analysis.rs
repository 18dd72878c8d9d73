//! BLieDF, sections 2.3 and 3.1: the start from k values, the correction (22) and the local errors (27) on
//! the exact motion of the top.

use super::bliedf::{NONE, T_END, TABLE, setup};
use super::la::R3SO3;
use super::{By, Claim, Lab, Measure, Problem, Source, Value, Verdict};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::bliedf::coefficients::{alpha, gamma};
use precess::integrate::{Accelerations, Bliedf, Eta, Form, InitialValues};
use precess::mechanics::State;
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};

const BLIEDF: Claim = Claim { source: Source::Theory, ..Claim::of("BLieDF") };
/// Where the local errors are evaluated, and the larger step.
const T: f64 = 0.3;
const H: f64 = 1e-3;
const PENDULUM: Problem = Problem::Pendulum { x_0: 0.2 };

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// h^2 L_k of (22) from v(t), v(t - h), ... of the exact motion.
fn correction(lab: &mut Lab, k: usize, t: f64, h: f64) -> Vec<f64> {
    let weights: &[f64] = if k == 3 { &[1.5, -2.0, 0.5] } else { &[1.75, -1.75, -0.75, 0.75] };
    let v: Vec<Vec<f64>> =
        (0..weights.len()).map(|j| lab.exact(R3SO3, t - j as f64 * h, T_END)[1].clone()).collect();
    let slope: Vec<f64> = (0..6).map(|i| weights.iter().zip(&v).map(|(w, v)| w * v[i]).sum()).collect();
    lab.bracket(R3SO3, &v[0], &slope).iter().map(|x| h / 12.0 * x).collect()
}

/// Distance of L_k from its limit in (26).
fn distance_26(lab: &mut Lab, k: usize, h: f64) -> Result<f64, Error> {
    let s = lab.solution(R3SO3, T)?;
    let ahead = if k == 4 { h } else { 0.0 };
    let slope: Vec<f64> = s.vdot.iter().zip(&s.vddot).map(|(a, j)| a + ahead * j).collect();
    let limit = lab.bracket(R3SO3, &s.v, &slope);
    let found = correction(lab, k, T, h);
    let difference: Vec<f64> = found.iter().zip(&limit).map(|(l, x)| l / (h * h) - x / 12.0).collect();
    Ok(norm(&difference))
}

/// l^q of (24a) for the step from t to t + h.
fn error_of_q(lab: &mut Lab, k: usize, t: f64, h: f64) -> Vec<f64> {
    let gamma = gamma(k);
    let mut out: Vec<f64> = lab.exact(R3SO3, t + h, T_END)[1].iter().map(|v| -h * v).collect();
    for (i, gamma) in gamma.iter().enumerate().take(k) {
        let (from, to) = (t - i as f64 * h, t - i as f64 * h + h);
        let q = [from, to].map(|t| lab.exact(R3SO3, t, T_END)[0].clone());
        let increment = lab.difference(R3SO3, &q[0], &q[1]);
        out.iter_mut().zip(&increment).for_each(|(o, d)| *o += gamma * d);
    }
    if k > 2 {
        let l = correction(lab, k, t, h);
        out.iter_mut().zip(&l).for_each(|(o, l)| *o -= h * l);
    }
    out
}

/// l^v of (24b), divided by M.
fn error_of_v(lab: &mut Lab, k: usize, t: f64, h: f64) -> Result<Vec<f64>, Error> {
    let mut out: Vec<f64> = lab.solution(R3SO3, t + h)?.vdot.iter().map(|a| -h * a).collect();
    for (i, alpha) in alpha(k).iter().enumerate().take(k + 1) {
        let v = lab.exact(R3SO3, t + h - i as f64 * h, T_END)[1].clone();
        out.iter_mut().zip(&v).for_each(|(o, v)| *o += alpha * v);
    }
    Ok(out)
}

/// Order of a size between H and H/2.
fn order(lab: &mut Lab, size: impl Fn(&mut Lab, f64) -> Result<f64, Error>) -> Result<f64, Error> {
    Ok((size(lab, H)? / size(lab, 0.5 * H)?).log2())
}

/// Order of l^q for k = 2, 3, 4: the one farthest from k + 1, less k + 1.
fn farthest(lab: &mut Lab, size: fn(&mut Lab, usize, f64) -> Result<f64, Error>) -> Result<f64, Error> {
    let mut worst = 0.0_f64;
    for k in 2..=4 {
        let off = order(lab, |lab, h| size(lab, k, h))? - (k + 1) as f64;
        worst = if off.abs() <= worst.abs() { worst } else { off };
    }
    Ok(1.0 + worst)
}

/// The state of the exact motion.
fn exact(top: &HeavyTop, lab: &mut Lab, t: f64) -> Result<State, Error> {
    let [q, v, lambda] = lab.exact(R3SO3, t, T_END);
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(top)?;
    (state.t, state.q, state.v, state.lambda) = (t, q, v, lambda);
    Accelerations::new(top).solve(top, &mut state)?;
    Ok(state)
}

/// Largest error of lambda of a run that starts from `values` exact values with (56).
fn started(lab: &mut Lab, k: usize, values: usize, h: f64) -> Result<f64, Error> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let history = (0..values).map(|j| exact(&top, lab, j as f64 * h)).collect::<Result<Vec<_>, Error>>()?;
    let mut method = Bliedf::new(k, Form::Index3)?
        .with_correction(TABLE)?
        .with_eta(Eta::Paper)
        .with_history(history.clone())?;
    let reference = TopReference::new(&top, 0.5);
    let mut errors = ErrorRecorder::new(&reference, &[(0.0, 0.5)]);
    let mut state = history[0].clone();
    Run::new(h, 0.5).run(&top, &mut method, &mut state, &mut errors).map_err(|f| f.error)?;
    Ok(errors.errors[0].lambda)
}

const fn of(
    id: &'static str,
    place: &'static str,
    statement: &'static str,
    value: f64,
    measure: Measure,
) -> Claim {
    Claim {
        id,
        place,
        statement,
        paper_value: Value::Number(value),
        expected: Value::Number(value),
        tolerance: 0.05,
        by: By::Formula,
        note: "On the exact motion of the top at t = 0.3, between h = 1e-3 and 5e-4.",
        measure,
        ..BLIEDF
    }
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        paper_value: Value::AtLeast(1.0),
        note: "The difference quotient of (22b) has order 2, which is more than O(h).",
        ..of("BLieDF-26b", "(26b)", "L_3 differs from [v, v']/12 by O(h): order", 2.0, |lab| {
            order(lab, |lab, h| distance_26(lab, 3, h))
        })
    },
    of("BLieDF-26c", "(26c)", "L_4 differs from [v, v' + h v'']/12 by O(h^2): order", 2.0, |lab| {
        order(lab, |lab, h| distance_26(lab, 4, h))
    }),
    of(
        "BLieDF-27-q",
        "(27)",
        "l^q has the order k + 1: one plus the largest deviation for k = 2, 3, 4",
        1.0,
        |lab| farthest(lab, |lab, k, h| Ok(norm(&error_of_q(lab, k, T, h)))),
    ),
    of("BLieDF-27-difference", "(27)", "(l^q_n+1 - l^q_n)/h has the order k + 1: the same", 1.0, |lab| {
        farthest(lab, |lab, k, h| {
            let (next, now) = (error_of_q(lab, k, T + h, h), error_of_q(lab, k, T, h));
            Ok(norm(&next.iter().zip(&now).map(|(a, b)| (a - b) / h).collect::<Vec<_>>()))
        })
    }),
    of("BLieDF-27-v", "(27)", "l^v has the order k + 1: the same", 1.0, |lab| {
        farthest(lab, |lab, k, h| Ok(norm(&error_of_v(lab, k, T, h)?)))
    }),
    Claim {
        id: "BLieDF-22-linear",
        place: "Section 2.3",
        statement: "L_k is zero in linear spaces: largest difference of q with and without it, pendulum, k \
                    = 4",
        expected: Value::AtMost(0.0),
        note: "Bit by bit the same run.",
        measure: |lab| {
            let [with, without] =
                [TABLE, NONE].map(|c| setup(PENDULUM, Form::Index3, 4, c).h(0.01).until(2.0));
            let (with, without) = (lab.run(&with)?, lab.run(&without)?);
            Ok((0..=with.last()).map(|n| (with.q[n] - without.q[n]).abs()).fold(0.0, precess::study::larger))
        },
        ..BLIEDF
    },
    Claim {
        id: "BLieDF-21-start",
        place: "(21), (56)",
        statement: "The k starting values of (21), velocities of (56), k = 3, index-3: order of the \
                    largest error of lambda on [0, 0.5]",
        paper_value: Value::Number(3.0),
        expected: Value::Number(3.0),
        tolerance: 0.05,
        note: "Exact values as history; observed order between h = 5e-4 and 2.5e-4.",
        measure: |lab| Ok((started(lab, 3, 3, 5e-4)? / started(lab, 3, 3, 2.5e-4)?).log2()),
        quick: false,
        ..BLIEDF
    },
    Claim {
        id: "BLieDF-21-values",
        place: "(21)",
        statement: "Runs that start from k + 1 values, as precess does by itself, have the same errors: \
                    largest error of lambda with k + 1 over that with k exact values, k = 3, h = 2.5e-4",
        expected: Value::Number(1.0),
        tolerance: 0.05,
        verdict: Verdict::Beyond,
        note: "The first step of the method is t_k to t_k+1 instead of t_k-1 to t_k.",
        measure: |lab| Ok(started(lab, 3, 4, 2.5e-4)? / started(lab, 3, 3, 2.5e-4)?),
        quick: false,
        ..BLIEDF
    },
];
