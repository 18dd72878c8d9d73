//! Sections 3.3 to 3.6: the heavy top with consistent starting values, in both groups and both forms.

use super::super::{Claim, Lab, Problem, Source, Value, Verdict};
use super::{LA, LATE, PLOT, PROTOTYPE, R3SO3, SE3, TABLE_1, TABLE_2, WHOLE};
use super::{index3, lambda, q, stabilized, v};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::Start::Classical;
use precess::integrate::Strategy;
use precess::study::larger;

const FINE: &str = "Observed order between h = 2.5e-4 and 1.25e-4.";
const MIDDLE: &str = "Observed order between h = 5e-4 and 2.5e-4.";

/// Oscillating part of lambda_1 in the stabilized form, relative to |lambda|, in units of h.
fn oscillation(lab: &mut Lab, h: f64) -> Result<f64, Error> {
    let rough = lab.run(&stabilized(R3SO3, Classical).h(h))?;
    let smooth = lab.run(&stabilized(R3SO3, TABLE_1).h(h))?;
    Ok(rough.max(WHOLE, |n| rough.lambda_1_relative(n) - smooth.lambda_error(n)[0] / rough.lambda_size(n))
        / h)
}

/// Runs of the simplified Newton iteration that fail or need the line search, in both groups and forms.
fn hard_scenarios(lab: &mut Lab) -> Result<f64, Error> {
    let mut hard = 0;
    for problem in [R3SO3, SE3] {
        for mut setup in [index3(problem, Classical), stabilized(problem, Classical)] {
            setup.options.newton.strategy = Strategy::Simplified;
            for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4] {
                let easy = lab.run(&setup.h(h)).is_ok_and(|t| t.summary.damped_steps == 0);
                hard += usize::from(!easy);
            }
        }
    }
    Ok(hard as f64)
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LA-Fig6-q-r3so3",
        place: "Fig. 6",
        statement: "Index-3, SO(3)xR^3, [0, 1]: order of q",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical), 5e-4, q(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig6-v-r3so3",
        place: "Fig. 6",
        statement: "Index-3, SO(3)xR^3, [0, 1]: order of v",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical), 5e-4, v(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig6-lambda-r3so3",
        place: "Fig. 6",
        statement: "Index-3, SO(3)xR^3, [0, 1]: order of lambda is reduced to 1",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.02),
        tolerance: 0.05,
        note: "Observed order between h = 2.5e-4 and 1.25e-4; 1.10 between 1e-3 and 5e-4, as in the \
               prototype.",
        measure: |lab| lab.order(&index3(R3SO3, Classical), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig6-q-se3",
        place: "Fig. 6",
        statement: "Index-3, SE(3), [0, 1]: order of q",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, q(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig6-v-se3",
        place: "Fig. 6",
        statement: "Index-3, SE(3), [0, 1]: order of v",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, v(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig6-lambda-se3",
        place: "Fig. 6",
        statement: "Index-3, SE(3), [0, 1]: order of lambda is not reduced",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, lambda(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig6-constants-q",
        place: "Fig. 6",
        statement: "Much larger error of q in SE(3) than in SO(3)xR^3 for the fast top: ratio at h = 1e-3",
        expected: Value::Number(0.1573 / 1.280e-2),
        note: PLOT,
        measure: |lab| {
            let se3 = lab.errors(&index3(SE3, Classical), WHOLE)?.q;
            Ok(se3 / lab.errors(&index3(R3SO3, Classical), WHOLE)?.q)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig6-constants-v",
        place: "Fig. 6",
        statement: "Much larger error of v in SE(3) than in SO(3)xR^3 for the fast top: ratio at h = 1e-3",
        expected: Value::Number(1.185e-2 / 8.121e-4),
        note: PLOT,
        measure: |lab| {
            let se3 = lab.errors(&index3(SE3, Classical), WHOLE)?.v;
            Ok(se3 / lab.errors(&index3(R3SO3, Classical), WHOLE)?.v)
        },
        ..LA
    },
    Claim {
        id: "LA-3.3-slow-top",
        place: "Sec. 3.3",
        statement: "For a top a hundred times slower SE(3) has the smaller error of q: ratio at h = 0.01",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(0.4857),
        tolerance: 0.01,
        note: "The paper says smaller, without numbers: a factor of 2 in q (6.83e-4 against 1.406e-3 by an \
               independent program).",
        measure: |lab| {
            let slow = |f| index3(Problem::SlowTop(f), Classical).h(1e-2);
            let se3 = lab.errors(&slow(Formulation::SE3), WHOLE)?.q;
            Ok(se3 / lab.errors(&slow(Formulation::R3SO3), WHOLE)?.q)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig7-linear",
        place: "Fig. 7",
        statement: "Spurious oscillation of lambda_1 has an amplitude linear in h: order of its peak",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: FINE,
        measure: |lab| {
            lab.order(&index3(R3SO3, Classical), 2.5e-4, |t| t.max(WHOLE, |n| t.lambda_1_relative(n)))
        },
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig7-amplitude",
        place: "Fig. 7",
        statement: "Peak of that oscillation relative to |lambda|, in units of h, h = 1e-3",
        expected: Value::Number(306.15),
        note: "Falls to 266 for h to 0; expected value from an independent extended-precision prototype.",
        measure: |lab| {
            let t = lab.run(&index3(R3SO3, Classical))?;
            Ok(t.max(WHOLE, |n| t.lambda_1_relative(n)) / 1e-3)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig7-damped",
        place: "Fig. 7",
        statement: "Oscillations gone after about 50 steps: steps until they stay below 1 % of their peak",
        paper_value: Value::Number(50.0),
        expected: Value::Number(89.0),
        tolerance: 0.04,
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "By (53) a fifth of the peak is left after 50 steps and 1 % after 89; Example 3.2 and VP say \
               100.",
        measure: |lab| {
            let smooth = lab.run(&index3(R3SO3, TABLE_2).h(2.5e-4))?;
            let rough = lab.run(&index3(R3SO3, Classical).h(2.5e-4))?;
            Ok(rough.steps_to(&smooth, 0, 0.01) as f64)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig8-q-r3so3",
        place: "Fig. 8",
        statement: "Index-3, SO(3)xR^3, [0.5, 1]: order of q",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical), 5e-4, q(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig8-v-r3so3",
        place: "Fig. 8",
        statement: "Index-3, SO(3)xR^3, [0.5, 1]: order of v",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical), 5e-4, v(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig8-lambda-r3so3",
        place: "Fig. 8",
        statement: "Index-3, SO(3)xR^3, [0.5, 1]: order of lambda beyond the transient",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical), 5e-4, lambda(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig8-level",
        place: "Fig. 8",
        statement: "Index-3, SO(3)xR^3, [0.5, 1]: relative error of lambda, h = 1e-3",
        expected: Value::Number(1.094e-2),
        note: PLOT,
        measure: |lab| Ok(lab.errors(&index3(R3SO3, Classical), LATE)?.lambda),
        ..LA
    },
    Claim {
        id: "LA-Fig8-q-se3",
        place: "Fig. 8",
        statement: "Index-3, SE(3), [0.5, 1]: order of q",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, q(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig8-v-se3",
        place: "Fig. 8",
        statement: "Index-3, SE(3), [0.5, 1]: order of v",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, v(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig8-lambda-se3",
        place: "Fig. 8",
        statement: "Index-3, SE(3), [0.5, 1]: order of lambda",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(SE3, Classical), 5e-4, lambda(LATE)),
        ..LA
    },
    Claim {
        id: "LA-3.3-rho-whole",
        place: "Sec. 3.3",
        statement: "The same with rho 0.6: order of lambda on [0, 1], index-3, SO(3)xR^3",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical).rho(0.6), 5e-4, lambda(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-3.3-rho-late",
        place: "Sec. 3.3",
        statement: "The same with rho 0.6: order of lambda on [0.5, 1], index-3, SO(3)xR^3",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, Classical).rho(0.6), 5e-4, lambda(LATE)),
        ..LA
    },
    Claim {
        id: "LA-Fig9-r3so3",
        place: "Fig. 9",
        statement: "Index-3, SO(3)xR^3, h = 1e-3: residual |Phi| far below 1e-10",
        paper_value: Value::AtMost(1e-10),
        expected: Value::AtMost(1e-13),
        source: Source::Theory,
        note: "Only round-off of R^T x remains.",
        measure: |lab| Ok(lab.errors(&index3(R3SO3, Classical), WHOLE)?.phi),
        ..LA
    },
    Claim {
        id: "LA-Fig9-se3",
        place: "Fig. 9",
        statement: "Index-3, SE(3), h = 1e-3: residual |Phi| far below 1e-10",
        paper_value: Value::AtMost(1e-10),
        expected: Value::AtMost(1e-13),
        source: Source::Theory,
        note: "Only round-off of R^T x remains.",
        measure: |lab| Ok(lab.errors(&index3(SE3, Classical), WHOLE)?.phi),
        ..LA
    },
    Claim {
        id: "LA-Fig10-r3so3",
        place: "Fig. 10",
        statement: "Index-3, SO(3)xR^3, h = 1e-3: largest |B v| on [0, 1]",
        paper_value: Value::AtMost(0.025),
        expected: Value::Number(0.03231),
        verdict: Verdict::Corrected,
        note: "The transient reaches 0.0323 near step 15; the bound holds after it (prototype).",
        measure: |lab| Ok(lab.errors(&index3(R3SO3, Classical), WHOLE)?.bv),
        ..LA
    },
    Claim {
        id: "LA-Fig10-late",
        place: "Fig. 10",
        statement: "Index-3, SO(3)xR^3, h = 1e-3: largest |B v| after the transient, t > 0.2",
        paper_value: Value::AtMost(0.025),
        expected: Value::Number(0.0229),
        note: PROTOTYPE,
        measure: |lab| Ok(lab.errors(&index3(R3SO3, Classical), (0.2, 1.0))?.bv),
        ..LA
    },
    Claim {
        id: "LA-Fig10-se3",
        place: "Fig. 10, Lemma 3.5",
        statement: "Index-3, SE(3), h = 1e-3: |B v| vanishes without being enforced",
        paper_value: Value::AtMost(1e-10),
        expected: Value::AtMost(1e-10),
        source: Source::Theory,
        note: "Rounding errors of q divided by h; 1.3e-15 in extended precision.",
        measure: |lab| Ok(lab.errors(&index3(SE3, Classical), WHOLE)?.bv),
        ..LA
    },
    Claim {
        id: "LA-Fig10-ratio",
        place: "Fig. 10",
        statement: "Index-3, h = 1e-3: |B v| in SE(3) is eight orders smaller than in SO(3)xR^3, ratio",
        paper_value: Value::AtLeast(1e8),
        expected: Value::AtLeast(1e8),
        source: Source::Theory,
        note: "Limited by round-off only, see Lemma 3.5.",
        measure: |lab| {
            let r3so3 = lab.errors(&index3(R3SO3, Classical), WHOLE)?.bv;
            Ok(r3so3 / lab.errors(&index3(SE3, Classical), WHOLE)?.bv)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig11-level",
        place: "Fig. 11",
        statement: "Stabilized, SO(3)xR^3, [0, 1]: relative error of lambda over h^2, h = 1e-3",
        paper_value: Value::Number(3.0e3),
        expected: Value::Number(2965.0),
        note: PROTOTYPE,
        measure: |lab| Ok(lab.errors(&stabilized(R3SO3, Classical), WHOLE)?.lambda / 1e-6),
        ..LA
    },
    Claim {
        id: "LA-Fig11-q",
        place: "Fig. 11, Theorem 4.18",
        statement: "Stabilized, SO(3)xR^3, [0, 1]: order of q",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&stabilized(R3SO3, Classical), 5e-4, q(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig11-v",
        place: "Fig. 11, Theorem 4.18",
        statement: "Stabilized, SO(3)xR^3, [0, 1]: order of v",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&stabilized(R3SO3, Classical), 5e-4, v(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig11-lambda-coarse",
        place: "Fig. 11",
        statement: "Stabilized, SO(3)xR^3: order of lambda between h = 1e-3 and 5e-4",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.02),
        note: PROTOTYPE,
        measure: |lab| lab.order(&stabilized(R3SO3, Classical), 1e-3, lambda(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig11-lambda-middle",
        place: "Fig. 11",
        statement: "Stabilized, SO(3)xR^3: order 2 of lambda down to h = 2.5e-4, here between 5e-4 and \
                    2.5e-4",
        paper_value: Value::Number(2.0),
        expected: Value::Number(1.76),
        verdict: Verdict::Corrected,
        note: "The first-order term already shows in the last halving of that range (prototype).",
        measure: |lab| lab.order(&stabilized(R3SO3, Classical), 5e-4, lambda(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig11-lambda-fine",
        place: "Fig. 11",
        statement: "Stabilized, SO(3)xR^3: first-order term takes over below h = 2.5e-4, order down to \
                    1.25e-4",
        expected: Value::Number(1.31),
        note: PLOT,
        measure: |lab| lab.order(&stabilized(R3SO3, Classical), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig11-constants",
        place: "Fig. 11",
        statement: "Stabilized errors are slightly smaller than index-3 ones: ratio for lambda on [0.5, 1], \
                    h = 1e-3",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(2.965e-3 / 1.094e-2),
        note: "More than slightly: 3.7 times in lambda, 3.6 in v, 1.6 in q (prototype).",
        measure: |lab| {
            let stable = lab.errors(&stabilized(R3SO3, Classical), LATE)?.lambda;
            Ok(stable / lab.errors(&index3(R3SO3, Classical), LATE)?.lambda)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig11-se3",
        place: "Fig. 11, Lemma 3.5",
        statement: "SE(3), h = 1e-3: index-3 and stabilized solutions are the same, relative difference of \
                    lambda",
        expected: Value::AtMost(1e-7),
        source: Source::Theory,
        note: "Equal to all digits in extended precision; here round-off of q divided by h^2.",
        measure: |lab| {
            let a = lab.run(&index3(SE3, Classical))?;
            let b = lab.run(&stabilized(SE3, Classical))?;
            Ok(a.max(WHOLE, |n| a.distance(&b, n) / a.lambda_size(n)))
        },
        ..LA
    },
    Claim {
        id: "LA-3.6-eta",
        place: "Sec. 3.6",
        statement: "Stabilized, SE(3), h = 1e-3: eta vanishes",
        expected: Value::AtMost(1e-10),
        source: Source::Theory,
        note: "Only rounding errors of q divided by h are left for eta to compensate.",
        measure: |lab| {
            let t = lab.run(&stabilized(SE3, Classical))?;
            Ok(t.max(WHOLE, |n| t.eta(n)))
        },
        ..LA
    },
    Claim {
        id: "LA-Fig13-h1",
        place: "Fig. 13",
        statement: "Stabilized, SO(3)xR^3: oscillating part of the error of lambda_1 in units of h, h = 1e-3",
        paper_value: Value::Number(0.64),
        expected: Value::Number(0.6389),
        tolerance: 0.01,
        note: "Difference to the run started by Table 1; expected value from the prototype.",
        measure: |lab| oscillation(lab, 1e-3),
        ..LA
    },
    Claim {
        id: "LA-Fig13-h05",
        place: "Fig. 13",
        statement: "Stabilized, SO(3)xR^3: oscillating part of the error of lambda_1 in units of h, h = 5e-4",
        paper_value: Value::Number(0.64),
        expected: Value::Number(0.6384),
        tolerance: 0.01,
        note: "Difference to the run started by Table 1; expected value from the prototype.",
        measure: |lab| oscillation(lab, 5e-4),
        ..LA
    },
    Claim {
        id: "LA-Fig14-ratio",
        place: "Fig. 14",
        statement: "Stabilized, SO(3)xR^3: eta at h = 1e-3 is 4 times that at 5e-4",
        paper_value: Value::Number(4.0),
        expected: Value::Number(4.0),
        tolerance: 0.025,
        source: Source::Theory,
        note: "Order 2 of eta, Theorem 4.18.",
        measure: |lab| {
            let order = lab.order(&stabilized(R3SO3, Classical), 1e-3, |t| t.max(WHOLE, |n| t.eta(n)))?;
            Ok(order.exp2())
        },
        ..LA
    },
    Claim {
        id: "LA-Fig14-level",
        place: "Fig. 14",
        statement: "Stabilized, SO(3)xR^3: largest |eta|, h = 1e-3",
        expected: Value::Number(1.144e-2),
        note: PLOT,
        measure: |lab| {
            let t = lab.run(&stabilized(R3SO3, Classical))?;
            Ok(t.max(WHOLE, |n| t.eta(n)))
        },
        ..LA
    },
    Claim {
        id: "LA-Fig15-r3so3",
        place: "Fig. 15",
        statement: "Stabilized, SO(3)xR^3, h = 1e-3: residual |B v|",
        paper_value: Value::AtMost(2e-9),
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "Four orders smaller: the exact iteration matrix leaves round-off only.",
        measure: |lab| Ok(lab.errors(&stabilized(R3SO3, Classical), WHOLE)?.bv),
        ..LA
    },
    Claim {
        id: "LA-Fig15-se3",
        place: "Fig. 15",
        statement: "Stabilized, SE(3), h = 1e-3: residual |B v|",
        paper_value: Value::AtMost(2e-15),
        expected: Value::AtMost(1e-12),
        verdict: Verdict::NotReproduced,
        source: Source::Theory,
        note: "We evaluate B with R^T x instead of X, and 150 rad/s times its round-off is 1e-13; in \
               extended precision it is 2e-17.",
        measure: |lab| Ok(lab.errors(&stabilized(SE3, Classical), WHOLE)?.bv),
        ..LA
    },
    Claim {
        id: "LA-3.5-newton",
        place: "Sec. 3.5",
        statement: "Of 24 runs with simplified Newton iterations (two groups, two forms, six h) one has \
                    convergence problems (failure or line search)",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        source: Source::Theory,
        note: "Index-3, SO(3)xR^3, h = 4e-3, as in the paper; here the line search suffices and no \
               derivative is needed.",
        measure: hard_scenarios,
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-3.5-jacobians",
        place: "Sec. 3.5",
        statement: "Index-3, SE(3), h = 1e-3: very few iteration matrices when they are kept as long as \
                    they serve",
        expected: Value::AtMost(10.0),
        source: Source::Theory,
        note: "M and B are constant on the constraint manifold; SO(3)xR^3 needs hundreds in the same 1000 \
               steps.",
        measure: |lab| {
            let mut setup = index3(SE3, Classical);
            setup.options.newton.strategy = Strategy::Modified;
            Ok(lab.run(&setup)?.summary.jacobians as f64)
        },
        ..LA
    },
    Claim {
        id: "LA-Ex4.19",
        place: "Example 4.19",
        statement: "SE(3): B v'' = 0 along the solution, largest |B v''| / |v''|",
        expected: Value::AtMost(1e-9),
        source: Source::Theory,
        note: "Zero up to the round-off of differences of v' from (19); this is why SE(3) has no order \
               reduction.",
        measure: |lab| {
            let mut largest: f64 = 0.0;
            for i in 0..20 {
                let s = lab.solution(SE3, 0.05 * i as f64)?;
                let b = lab.constraint_times(SE3, &s.q, &s.vddot);
                let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
                largest = larger(largest, norm(&b) / norm(&s.vddot));
            }
            Ok(largest)
        },
        ..LA
    },
];
