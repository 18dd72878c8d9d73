//! GGL: the effect of the original stabilisation (30) of Gear, Gupta and Leimkuhler on a step that would
//! conserve energy, (32) and appendix A.3; and the form (40) of the principle that the paper calls invalid,
//! appendix A.5.

use nalgebra::{SMatrix, SVector, Vector3};

use super::ggl::GGL;
use super::{By, Claim, Source, Value, Verdict};
use precess::Error;
use precess::study::larger;

type Unknowns = SVector<f64, 8>;

/// Gravity of the spherical pendulum, with mass and length 1; it starts at (1, 0, 0) with the velocity (0, 1,
/// 0).
const WEIGHT: f64 = 9.81;

/// The equations of an EM step of the pendulum in (q_1, p_1, lambda, gamma), g = (q.q - 1)/2. With
/// `principle` they contain the term of gamma in the momenta from the GGL principle; the original
/// stabilisation lacks it.
fn residual(x: &Unknowns, from: (Vector3<f64>, Vector3<f64>), h: f64, principle: bool) -> Unknowns {
    let (q_0, p_0) = from;
    let [q, p] = [0, 3].map(|i| Vector3::new(x[i], x[i + 1], x[i + 2]));
    let (lambda, gamma) = (x[6], x[7]);
    let (q_m, p_m) = ((q_0 + q) / 2.0, (p_0 + p) / 2.0);
    let own = if principle { gamma * p_m } else { Vector3::zeros() };
    let kinematic = q - q_0 - h * (p_m + gamma * q_m);
    let dynamic = p - p_0 + h * (WEIGHT * Vector3::z() + lambda * q_m + own);
    let mut r = Unknowns::zeros();
    r.fixed_rows_mut::<3>(0).copy_from(&kinematic);
    r.fixed_rows_mut::<3>(3).copy_from(&dynamic);
    (r[6], r[7]) = (0.5 * (q.dot(&q) - 1.0), q.dot(&p));
    r
}

/// Largest |H - H_0| over 200 steps of 0.05 s.
fn energy(principle: bool) -> Result<f64, Error> {
    const H: f64 = 0.05;
    let (mut q, mut p) = (Vector3::x(), Vector3::y());
    let energy = |q: &Vector3<f64>, p: &Vector3<f64>| 0.5 * p.dot(p) + WEIGHT * q.z;
    let (first, mut largest) = (energy(&q, &p), 0.0);
    for step in 0..200 {
        let mut x = Unknowns::zeros();
        x.fixed_rows_mut::<3>(0).copy_from(&(q + H * p));
        x.fixed_rows_mut::<3>(3).copy_from(&p);
        for _ in 0..12 {
            let matrix = SMatrix::<f64, 8, 8>::from_columns(&std::array::from_fn::<_, 8, _>(|i| {
                let d = Unknowns::ith(i, 1e-6);
                (residual(&(x + d), (q, p), H, principle) - residual(&(x - d), (q, p), H, principle)) / 2e-6
            }));
            let correction = matrix.lu().solve(&residual(&x, (q, p), H, principle));
            let Some(correction) = correction else {
                return Err(Error::Input { message: format!("the matrix of step {step} is singular") });
            };
            x -= correction;
        }
        (q, p) = (x.fixed_rows::<3>(0).into_owned(), x.fixed_rows::<3>(3).into_owned());
        largest = larger(largest, (energy(&q, &p) - first).abs());
    }
    Ok(largest)
}

/// Rates of (q, p) of the pendulum by (142), with gamma and its rate given: v = p + gamma q, and lambda keeps
/// d/dt (q.v) = 0.
fn invalid_form(q: &Vector3<f64>, p: &Vector3<f64>, [gamma, rate]: [f64; 2]) -> [Vector3<f64>; 2] {
    let v = p + gamma * q;
    let push = -WEIGHT * Vector3::z();
    // p' = push - lambda q - gamma v, so v' = push - (lambda - gamma') q.
    let lambda = rate + (v.dot(&v) + q.dot(&push)) / q.dot(q);
    [v, push - lambda * q - gamma * v]
}

/// The pendulum at t = 1 in quadruple precision, by an independent program.
const AT_ONE: Vector3<f64> = Vector3::new(-0.906128890427, -0.394581468797, -0.152433258886);

/// Distance from the true motion at t = 1 of the solution of (142) with gamma = a sin(3 t), by Runge-Kutta
/// steps of order 4.
fn distance_of_invalid_form(a: f64) -> f64 {
    let (n, gamma) = (4000, |t: f64| [a * (3.0 * t).sin(), 3.0 * a * (3.0 * t).cos()]);
    let h = 1.0 / f64::from(n);
    let (mut q, mut p) = (Vector3::x(), Vector3::y());
    for k in 0..n {
        let t = f64::from(k) * h;
        let d1 = invalid_form(&q, &p, gamma(t));
        let d2 = invalid_form(&(q + 0.5 * h * d1[0]), &(p + 0.5 * h * d1[1]), gamma(t + 0.5 * h));
        let d3 = invalid_form(&(q + 0.5 * h * d2[0]), &(p + 0.5 * h * d2[1]), gamma(t + 0.5 * h));
        let d4 = invalid_form(&(q + h * d3[0]), &(p + h * d3[1]), gamma(t + h));
        q += h / 6.0 * (d1[0] + 2.0 * d2[0] + 2.0 * d3[0] + d4[0]);
        p += h / 6.0 * (d1[1] + 2.0 * d2[1] + 2.0 * d3[1] + d4[1]);
    }
    (q - AT_ONE).norm()
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "GGL-32-original",
        place: "(32), Sect. 2.3",
        statement: "The original stabilisation hinders conservation: largest |H - H_0| of an EM step \
                    without gamma in the momenta, pendulum, h = 0.05",
        expected: Value::Number(6.312e-2),
        tolerance: 0.01,
        note: "A Newton iteration of the claim itself; expected value from a second program, bench/papers; \
               1.578e-2 for half the step, so it vanishes with gamma, as O(h^2).",
        by: By::Formula,
        measure: |_| energy(false),
        ..GGL
    },
    Claim {
        id: "GGL-37-principle",
        place: "(37), (84)",
        statement: "The same step with that term, as the GGL principle has it",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "These are the equations of EM, solved by a Newton iteration of their own.",
        by: By::Formula,
        measure: |_| energy(true),
        ..GGL
    },
    Claim {
        id: "GGL-A5-motion",
        place: "(40), appendix A.5",
        statement: "With G(q) v for the secondary constraints the principle does not yield the correct \
                    equations of motion: distance of the pendulum \
                    from its true motion at t = 1, gamma = sin(3 t)",
        expected: Value::AtMost(1e-9),
        source: Source::Theory,
        verdict: Verdict::Corrected,
        note: "A qualification: (142) gives M v' = -DV - G^T (lambda - gamma'), the correct motion for \
               every gamma(t). The statement is true of lambda, gamma and p: with q' = v, (142e) follows \
               from (142d), and gamma, lambda and p = M v - G^T gamma are not determined.",
        by: By::Formula,
        measure: |_| Ok(larger(distance_of_invalid_form(1.0), distance_of_invalid_form(0.0))),
        ..GGL
    },
];
