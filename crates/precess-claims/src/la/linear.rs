//! Section 3.2: the method in linear spaces, its overshoot and the pendulum.

use super::super::{By, Claim, Lab, Problem, Source, Value, Verdict};
use super::{LA, PLOT, PROTOTYPE, TABLE_1, TABLE_2, index3};
use nalgebra::Matrix3;
use precess::Error;
use precess::integrate::Alpha;
use precess::integrate::analysis::{
    Eigenvalues, Peak, Recursion, error_constants, largest_error_constant, overshoot, spectral_radius,
};
use precess::study::larger;

const SWAPPED: &str = "The paper quotes |c_n/C_q|; (53) contains the factor C_q and gives this maximum.";
const PENDULUM: Problem = Problem::Pendulum { x_0: 0.2 };
const HANGING: Problem = Problem::Pendulum { x_0: 0.0 };

/// The largest |T^n| and its n.
fn norm(rho: f64) -> Result<Peak, Error> {
    let t = Recursion::test_equation(&Alpha::from_rho(rho)?, f64::INFINITY)?;
    overshoot(&t.matrix()?)
}

/// Largest entry of T X - X J, with the Jordan block J of mu = -rho and the printed X(mu), over several
/// dampings.
fn jordan() -> Result<f64, Error> {
    let mut largest: f64 = 0.0;
    for i in 0..100 {
        let rho = f64::from(i) / 100.0;
        let (mu, t) = (-rho, Recursion::test_equation(&Alpha::from_rho(rho)?, f64::INFINITY)?.matrix()?);
        let j = Matrix3::new(mu, 1.0, 0.0, 0.0, mu, 1.0, 0.0, 0.0, mu);
        let (plus, minus) = (1.0 + mu, 1.0 - mu);
        let x = Matrix3::new(
            plus * minus,
            -(2.0 + mu),
            0.0,
            0.0,
            0.5 * plus / minus,
            -1.0 / (minus * minus),
            0.0,
            1.0,
            0.0,
        );
        largest = larger(largest, (t * x - x * j).abs().max());
    }
    Ok(largest)
}

/// The residuals l^q, l^v, l^a of (39) for q = -cos t at t = 0.3.
fn residuals(rho: f64, h: f64) -> Result<[f64; 3], Error> {
    let Alpha { alpha_m, alpha_f, beta, gamma } = Alpha::from_rho(rho)?;
    let (t, offset) = (0.3_f64, (alpha_m - alpha_f) * h);
    let (q, v, a) = (|t: f64| -t.cos(), |t: f64| t.sin(), |t: f64| t.cos());
    let (a_0, a_1) = (a(t + offset), a(t + h + offset));
    Ok([
        q(t + h) - q(t) - h * v(t) - h * h * ((0.5 - beta) * a_0 + beta * a_1),
        v(t + h) - v(t) - h * ((1.0 - gamma) * a_0 + gamma * a_1),
        (1.0 - alpha_m) * a_1 + alpha_m * a_0 - (1.0 - alpha_f) * a(t + h) - alpha_f * a(t),
    ])
}

/// The order of one of these residuals between h = 0.02 and 0.01.
fn residual_order(which: usize) -> Result<f64, Error> {
    Ok((residuals(0.9, 0.02)?[which] / residuals(0.9, 0.01)?[which]).abs().log2())
}

/// A claim about a local error in linear spaces, whose order is the paper's.
const fn local_error(
    id: &'static str,
    place: &'static str,
    statement: &'static str,
    order: f64,
    measure: super::super::Measure,
) -> Claim {
    Claim {
        id,
        place,
        statement,
        paper_value: Value::Number(order),
        expected: Value::Number(order),
        source: Source::Theory,
        by: By::Formula,
        note: "q = -cos t at t = 0.3, rho 0.9, between h = 0.02 and 0.01.",
        measure,
        ..LA
    }
}

/// A claim about the step at which a maximum is reached.
const fn reached(
    id: &'static str,
    place: &'static str,
    statement: &'static str,
    n: f64,
    measure: super::super::Measure,
) -> Claim {
    Claim {
        id,
        place,
        statement,
        paper_value: Value::Number(n),
        expected: Value::Number(n),
        tolerance: 0.0,
        by: By::Formula,
        note: PROTOTYPE,
        measure,
        ..LA
    }
}

/// The largest c_n and C_q.
fn constant(rho: f64) -> Result<(Peak, f64), Error> {
    let alpha = Alpha::from_rho(rho)?;
    Ok((largest_error_constant(&alpha)?, alpha.c_q()))
}

/// Largest increase of the spectral radius on a grid of frequencies, over several dampings.
fn increase() -> Result<f64, Error> {
    let mut largest = f64::NEG_INFINITY;
    for rho in [0.0, 0.3, 0.6, 0.9, 0.99] {
        let alpha = Alpha::from_rho(rho)?;
        let mut previous = 1.0;
        for i in 0..=60 {
            let h_omega = 0.1 * 10f64.powf(i as f64 / 20.0);
            let r = spectral_radius(&Recursion::test_equation(&alpha, h_omega)?.matrix()?);
            largest = larger(largest, r - previous);
            previous = r;
        }
    }
    Ok(larger(largest, 0.0))
}

/// Largest error of lambda of the pendulum up to a time.
fn pendulum(lab: &mut Lab, problem: Problem, h: f64, t_end: f64) -> Result<f64, Error> {
    let trace = lab.run(&index3(problem, TABLE_1).h(h).until(t_end))?;
    Ok(trace.max((0.0, t_end), |n| trace.lambda_error(n)[0]))
}

pub(super) const CLAIMS: &[Claim] = &[
    local_error("LA-40a", "(40a), (41)", "Order of the local error l^q in linear spaces", 3.0, |_| {
        residual_order(0)
    }),
    local_error("LA-40b", "(40b), (41)", "Order of the local error l^v", 3.0, |_| residual_order(1)),
    local_error("LA-40c", "(40c), (41)", "Order of the local error l^a", 2.0, |_| residual_order(2)),
    Claim {
        id: "LA-40a-constant",
        place: "(40a)",
        statement: "l^q = C_q h^3 v'': largest l^q/(h^3 v'') over C_q, rho 0, 0.1 .. 0.9",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.01,
        source: Source::Theory,
        by: By::Formula,
        note: "q = -cos t at t = 0.3, h = 1e-3.",
        measure: |_| {
            let mut worst = 1.0;
            for i in 0..10 {
                let rho = 0.1 * f64::from(i);
                let ratio =
                    residuals(rho, 1e-3)?[0] / (1e-9 * -(0.3_f64.sin()) * Alpha::from_rho(rho)?.c_q());
                worst = if (ratio - 1.0).abs() <= (worst - 1.0_f64).abs() { worst } else { ratio };
            }
            Ok(worst)
        },
        ..LA
    },
    Claim {
        id: "LA-42-jordan",
        place: "below (42)",
        statement: "T_inf has one Jordan block, with the printed X(mu): largest entry of T X - X J, rho 0, \
                    0.01 .. 0.99",
        expected: Value::AtMost(1e-14),
        source: Source::Theory,
        by: By::Formula,
        note: "Rounding errors only.",
        measure: |_| jordan(),
        ..LA
    },
    reached("LA-3.2-norm-n-0.6", "Sec. 3.2", "The step n of the largest |T^n|, rho 0.6", 3.0, |_| {
        Ok(norm(0.6)?.n as f64)
    }),
    reached("LA-3.2-norm-n-0.9", "Sec. 3.2", "The step n of the largest |T^n|, rho 0.9", 14.0, |_| {
        Ok(norm(0.9)?.n as f64)
    }),
    reached("LA-Eq53-n-0.6", "Eq. (53)", "The step n of the largest |c_n|, rho 0.6", 3.0, |_| {
        Ok(constant(0.6)?.0.n as f64)
    }),
    reached("LA-Eq53-n-0.9", "Eq. (53)", "The step n of the largest |c_n|, rho 0.9", 15.0, |_| {
        Ok(constant(0.9)?.0.n as f64)
    }),
    reached("LA-Eq53-n-0.99", "Eq. (53)", "The step n of the largest |c_n|, rho 0.99", 161.0, |_| {
        Ok(constant(0.99)?.0.n as f64)
    }),
    Claim {
        id: "LA-Ex3.2-damping",
        place: "Example 3.2",
        statement: "A smaller rho damps faster: steps until the transient of the pendulum stays below 1 % \
                    of its peak, rho 0.6 over rho 0.9",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(19.0 / 89.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "By (53): 19 steps for rho 0.6, 89 for rho 0.9.",
        measure: |lab| {
            let mut steps = [0.0; 2];
            for (steps, rho) in steps.iter_mut().zip([0.6, 0.9]) {
                let [rough, smooth] =
                    [TABLE_1, TABLE_2].map(|start| index3(PENDULUM, start).rho(rho).h(0.005).until(1.0));
                let smooth = lab.run(&smooth)?;
                *steps = lab.run(&rough)?.steps_to(&smooth, 0, 0.01) as f64;
            }
            Ok(steps[0] / steps[1])
        },
        ..LA
    },
    Claim {
        id: "LA-3.2-norm-0.6",
        place: "Sec. 3.2",
        statement: "Overshoot: max of |T^n| at infinite frequency, rho 0.6 (n = 3)",
        paper_value: Value::Number(7.4),
        expected: Value::Number(7.386),
        tolerance: 0.005,
        note: PROTOTYPE,
        by: By::Formula,
        measure: |_| Ok(norm(0.6)?.value),
        ..LA
    },
    Claim {
        id: "LA-3.2-norm-0.9",
        place: "Sec. 3.2",
        statement: "Overshoot: max of |T^n| at infinite frequency, rho 0.9 (n = 14)",
        paper_value: Value::Number(34.3),
        expected: Value::Number(34.27),
        tolerance: 0.005,
        note: PROTOTYPE,
        by: By::Formula,
        measure: |_| Ok(norm(0.9)?.value),
        ..LA
    },
    Claim {
        id: "LA-3.2-monotone",
        place: "Sec. 3.2",
        statement: "The spectral radius never grows with the frequency (largest increase on a grid)",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "Zero up to the rounding errors of the eigenvalues, rho 0 to 0.99.",
        by: By::Formula,
        measure: |_| increase(),
        ..LA
    },
    Claim {
        id: "LA-3.2-radius",
        place: "Sec. 3.2",
        statement: "Spectral radius at infinite frequency is rho_inf, here 0.9",
        paper_value: Value::Number(0.9),
        expected: Value::Number(0.9),
        tolerance: 1e-4,
        source: Source::Theory,
        note: "Three equal eigenvalues: only a third of the digits of the matrix survive.",
        by: By::Formula,
        measure: |_| {
            let alpha = Alpha::from_rho(0.9)?;
            let t = Recursion::test_equation(&alpha, f64::INFINITY)?.matrix()?;
            Ok(spectral_radius(&t))
        },
        ..LA
    },
    Claim {
        id: "LA-Eq53-c-0.6",
        place: "Eq. (53)",
        statement: "Largest error constant |c_n|, rho 0.6 (n = 3)",
        paper_value: Value::Number(6.8),
        expected: Value::Number(0.6749),
        tolerance: 0.005,
        verdict: Verdict::Corrected,
        note: SWAPPED,
        by: By::Formula,
        measure: |_| Ok(constant(0.6)?.0.value.abs()),
        ..LA
    },
    Claim {
        id: "LA-Eq53-c-0.9",
        place: "Eq. (53)",
        statement: "Largest error constant |c_n|, rho 0.9 (n = 15)",
        paper_value: Value::Number(31.9),
        expected: Value::Number(2.683),
        tolerance: 0.005,
        verdict: Verdict::Corrected,
        note: SWAPPED,
        by: By::Formula,
        measure: |_| Ok(constant(0.9)?.0.value.abs()),
        ..LA
    },
    Claim {
        id: "LA-Eq53-c-0.99",
        place: "Eq. (53)",
        statement: "Largest error constant |c_n|, rho 0.99 (n = 161)",
        paper_value: Value::Number(334.3),
        expected: Value::Number(27.86),
        tolerance: 0.005,
        verdict: Verdict::Corrected,
        note: SWAPPED,
        by: By::Formula,
        measure: |_| Ok(constant(0.99)?.0.value.abs()),
        ..LA
    },
    Claim {
        id: "LA-Eq53-scaled-0.6",
        place: "Eq. (53)",
        statement: "The same without the factor C_q, rho 0.6",
        paper_value: Value::Number(6.8),
        expected: Value::Number(6.820),
        tolerance: 0.005,
        note: PROTOTYPE,
        by: By::Formula,
        measure: |_| constant(0.6).map(|(c, c_q)| (c.value / c_q).abs()),
        ..LA
    },
    Claim {
        id: "LA-Eq53-scaled-0.9",
        place: "Eq. (53)",
        statement: "The same without the factor C_q, rho 0.9",
        paper_value: Value::Number(31.9),
        expected: Value::Number(31.93),
        tolerance: 0.005,
        note: PROTOTYPE,
        by: By::Formula,
        measure: |_| constant(0.9).map(|(c, c_q)| (c.value / c_q).abs()),
        ..LA
    },
    Claim {
        id: "LA-Eq53-scaled-0.99",
        place: "Eq. (53)",
        statement: "The same without the factor C_q, rho 0.99",
        paper_value: Value::Number(334.3),
        expected: Value::Number(334.3),
        tolerance: 0.005,
        note: PROTOTYPE,
        by: By::Formula,
        measure: |_| constant(0.99).map(|(c, c_q)| (c.value / c_q).abs()),
        ..LA
    },
    Claim {
        id: "LA-3.2-cubic",
        place: "Sec. 3.2",
        statement: "With the constraint q = t^3/6 the error of lambda is c_n h exactly (largest deviation \
                    over largest c_n)",
        expected: Value::AtMost(1e-8),
        source: Source::Theory,
        note: "Zero up to the round-off of q, divided by h^2 and amplified by the overshoot; the sign of \
               (53) is right as well.",
        measure: |lab| {
            let trace = lab.run(&index3(Problem::Cubic, TABLE_1).h(0.01))?;
            let alpha = Alpha::from_rho(0.9)?;
            let c = error_constants(&alpha, trace.last())?;
            let largest = largest_error_constant(&alpha)?.value.abs();
            Ok(trace.max((0.0, 1.0), |n| (trace.lambda_error(n)[0] / 0.01 - c[n]) / largest))
        },
        ..LA
    },
    Claim {
        id: "LA-Lemma4.17",
        place: "Lemma 4.17",
        statement: "Errors of both integrators are damped: largest spectral radius of T_z for rho = 0, 0.01 \
                    .. 0.99",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(0.99),
        tolerance: 1e-6,
        source: Source::Theory,
        note: "From the closed-form eigenvalues; the largest belongs to rho 0.99 itself.",
        by: By::Formula,
        measure: |_| {
            (0..100).try_fold(0.0, |m: f64, i| {
                let e = Eigenvalues::new(&Alpha::from_rho(i as f64 / 100.0)?);
                Ok(larger(larger(m, e.radius_index3()), e.radius_stabilized_index2()))
            })
        },
        ..LA
    },
    Claim {
        id: "LA-Fig5-h20",
        place: "Fig. 5",
        statement: "Pendulum, x_0 = 0.2: largest oscillating error of lambda, h = 0.02",
        paper_value: Value::Number(2.48e-1),
        expected: Value::Number(2.483e-1),
        tolerance: 0.01,
        note: PROTOTYPE,
        measure: |lab| pendulum(lab, PENDULUM, 0.02, 4.0),
        ..LA
    },
    Claim {
        id: "LA-Fig5-h10",
        place: "Fig. 5",
        statement: "Pendulum, x_0 = 0.2: largest oscillating error of lambda, h = 0.01",
        paper_value: Value::Number(1.23e-1),
        expected: Value::Number(1.2315e-1),
        tolerance: 0.01,
        note: PROTOTYPE,
        measure: |lab| pendulum(lab, PENDULUM, 0.01, 2.0),
        ..LA
    },
    Claim {
        id: "LA-Fig5-equilibrium-h20",
        place: "Fig. 5",
        statement: "Pendulum started at x_0 = 0: very small error of lambda, h = 0.02, 4 s",
        expected: Value::Number(6.865e-3),
        note: PLOT,
        measure: |lab| pendulum(lab, HANGING, 0.02, 4.0),
        ..LA
    },
    Claim {
        id: "LA-Fig5-equilibrium-h10",
        place: "Fig. 5",
        statement: "Pendulum started at x_0 = 0: error of lambda over the same 4 s, h = 0.01",
        expected: Value::Number(1.716e-3),
        note: "A quarter of the value at h = 0.02: order 2, no reduction; expected value from a second \
               program (bench/papers).",
        measure: |lab| pendulum(lab, HANGING, 0.01, 4.0),
        ..LA
    },
    Claim {
        id: "LA-Fig5-damped",
        place: "Fig. 5",
        statement: "Transient of the pendulum gone after about 100 steps: steps until it stays below 1 % of \
                    its peak",
        paper_value: Value::Number(100.0),
        expected: Value::Number(89.0),
        tolerance: 0.04,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "The paper does not say which part of the peak is left. By (53) it is 1 % after 89 steps and \
               a fifth after 51, for every problem; Fig. 7 calls the same decay 50 steps.",
        measure: |lab| {
            let setup = index3(PENDULUM, TABLE_1).h(0.005).until(1.0);
            let smooth = index3(PENDULUM, TABLE_2).h(0.005).until(1.0);
            let smooth = lab.run(&smooth)?;
            Ok(lab.run(&setup)?.steps_to(&smooth, 0, 0.01) as f64)
        },
        ..LA
    },
    Claim {
        id: "LA-Ex3.2-jerk",
        place: "Example 3.2",
        statement: "B v'' = -3 g x_0 x'_0 / y_0 at the start of the pendulum, x_0 = 0.2",
        expected: Value::Number(4.57292),
        tolerance: 1e-5,
        note: PLOT,
        by: By::Formula,
        measure: |lab| {
            let s = lab.solution(PENDULUM, 0.0)?;
            Ok(lab.constraint_times(PENDULUM, &s.q, &s.vddot)[0])
        },
        ..LA
    },
    Claim {
        id: "LA-Eq54",
        place: "Eq. (54)",
        statement: "First-order error of the pendulum: its peak divided by h tends to max |c_n| B v''",
        expected: Value::Number(2.683 * 4.57292),
        tolerance: 0.01,
        source: Source::Theory,
        note: "With the corrected c_15 = 2.683; with the printed 31.9 the error would be twelve times \
               larger.",
        measure: |lab| Ok(pendulum(lab, PENDULUM, 0.005, 1.0)? / 0.005),
        ..LA
    },
    Claim {
        id: "LA-Thm3.1-level",
        place: "Theorem 3.1",
        statement: "Velocity perturbed as in (52): largest error of lambda of the pendulum, h = 0.01, 200 \
                    steps",
        expected: Value::Number(9.96e-4),
        note: "The theorem has no number; expected value from a second program, bench/papers.",
        measure: |lab| {
            let trace = lab.run(&index3(PENDULUM, TABLE_2).h(0.01).until(4.0))?;
            Ok(trace.max((0.0, 2.0), |n| trace.lambda_error(n)[0]))
        },
        verdict: Verdict::Beyond,
        ..LA
    },
    Claim {
        id: "LA-Thm3.1-order",
        place: "Theorem 3.1",
        statement: "Velocity perturbed as in (52): order of lambda of the pendulum",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: "Observed order between h = 0.02 and 0.01 over 4 s.",
        measure: |lab| {
            let setup = index3(PENDULUM, TABLE_2).until(4.0);
            lab.order(&setup, 0.02, |t| t.max((0.0, 4.0), |n| t.lambda_error(n)[0]))
        },
        ..LA
    },
];
