//! The transposed step: from the derivatives of a result for the end of a step to those for its beginning.
//!
//! It uses the factors of J, the derivatives at the solution and the two functions of the method:
//!
//! ```text
//! J^T z = T^T x_q + sum of the history's slopes      z . dpsi/dp is subtracted from the derivative for p
//! ```
//!
//! Written for the form index-3 with rotations and translations apart (not SE(3)).

use precess_lie::Product;

use super::data::Step;
use super::formulas::Formulas;
use super::linear::KktFactors;
use super::{Failure, Linear};
use crate::mechanics::jacobian::{Columns, Rows};
use crate::mechanics::{System, Want};

/// Derivatives of a result: left-trivialised for q, for the history of the method, and for lambda.
#[derive(Clone, Debug)]
pub struct Seeds {
    /// For q.
    pub q: Vec<f64>,
    /// For the vectors of the history.
    pub past: Vec<Vec<f64>>,
    /// For the multipliers; only the result itself sets them.
    pub lambda: Vec<f64>,
}

/// Moves the seeds from the end of an accepted step to its beginning and returns z: the derivative of the result
/// for a parameter is reduced by z . dpsi/dp.
pub fn back<const H: usize>(
    method: &impl Formulas<H>,
    system: &dyn System,
    (linear, step): (&mut KktFactors, &mut Step),
    seeds: &mut Seeds,
) -> Result<Vec<f64>, Failure> {
    let (h, k, group) = (step.h, step.delta.len(), system.group());
    let unit = |j: usize| -> [f64; H] { std::array::from_fn(|i| f64::from(u8::from(i == j))) };
    // The history of the next step as a linear map of (history, v, v', theta, delta).
    let weighed = |list: [f64; H], i: usize| (0..H).map(|j| list[j] * seeds.past[j][i]).sum::<f64>();
    let of_new = |new, steps, i| weighed(method.accept(h, [0.0; H], new, steps), i);
    let mut z = vec![0.0; step.layout.len()];
    let mut moved = vec![0.0; k];
    group.tangent_transpose_times(step.theta(), &seeds.q, &mut moved);
    for i in 0..k {
        let of_delta = step.dv * of_new([1.0, 0.0], [0.0; 2], i)
            + step.da * of_new([0.0, 1.0], [0.0; 2], i)
            + of_new([0.0; 2], [1.0, 1.0], i);
        z[i] = moved[i] + of_delta;
    }
    for (i, x) in step.layout.of(Columns::Lambda).zip(&seeds.lambda) {
        z[i] = x / (h * h);
    }
    linear.form(step, system).map_err(Failure::Singular)?;
    linear.solve_transposed(&mut z);
    // The residual as a function of q, v_0 and v'_0: the rows of the table TERMS, transposed.
    let mut of_q = seeds.q.clone();
    let mut of_v: Vec<f64> = (0..k).map(|i| of_new([1.0, 0.0], [0.0; 2], i)).collect();
    let mut of_vdot: Vec<f64> = (0..k).map(|i| of_new([0.0, 1.0], [0.0; 2], i)).collect();
    let motion = &z[step.layout.of(Columns::Theta)];
    let by_velocity = Want { c_m: 0.0, c_d: 1.0, stiffness: true, constraint: true, curvature: false };
    step.evaluate(system, by_velocity);
    step.tangents.s.gemv_transpose(-h * h, motion, &mut of_v);
    step.tangents.k.gemv_transpose(-h * h, motion, &mut of_q);
    if let Some(part) = step.layout.parts.iter().find(|part| part.equations == Rows::Position) {
        step.tangents.b.gemv_transpose(-1.0, &z[part.first..part.first + part.len], &mut of_q);
    }
    step.evaluate(system, Want::MASS);
    step.tangents.s.gemv_transpose(-h * h, motion, &mut of_vdot);
    let mut of_theta = vec![0.0; k];
    group.tangent_transpose_times(step.theta(), &of_q, &mut of_theta);
    let past = (0..H).map(|j| {
        let [theta, v, vdot] = method.predict(h, unit(j));
        let kept = method.accept(h, unit(j), [0.0; 2], [theta, 0.0]);
        let of = |i: usize| theta * of_theta[i] + v * of_v[i] + vdot * of_vdot[i] + weighed(kept, i);
        (0..k).map(of).collect()
    });
    let past = past.collect();
    turn_back(group, step.theta(), &of_q, &mut seeds.q);
    seeds.past = past;
    seeds.lambda.fill(0.0);
    Ok(z)
}

/// Ad^T of exp(-theta), which is Ad of exp(theta) where rotations and translations are apart.
fn turn_back(group: &Product, theta: &[f64], x: &[f64], out: &mut [f64]) {
    let mut element = vec![0.0; group.repr()];
    group.exp(theta, &mut element);
    group.adjoint_times(&element, x, out);
}
