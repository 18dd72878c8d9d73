//! Starting values without an analytical solution.
//!
//! A grid interval h is crossed by the backward Euler method in stabilized index-2 form with 1, 2, ..., J
//! equal sub-steps. On {Phi = 0, B v = 0} this is a smooth one-step method, so its error has an expansion in
//! powers of the sub-step, and the combination
//!
//! ```text
//! sum_i w_i y_i,   w_i = prod_{m != i} i/(i - m),   i, m = 1..J
//! ```
//!
//! of the results y_i (v, and q in the chart log(q_n^-1 o q)) has a local error of O(h^Jp1). It is as stable
//! as an implicit method, so stiff forces do no harm. A projection removes the remaining Phi and B v, and the
//! equations of motion (19) give v', lambda and s. With J = k + 1 conditions (46), (52) and (54) hold with
//! one order to spare.

use super::step::MultiStep;
use crate::Error;
use crate::integrate::form::{Eta, Form};
use crate::integrate::implicit::{Implicit, Newton, Strategy};
use crate::integrate::integrator::Integrator;
use crate::integrate::project::{project_position, project_velocity};
use crate::integrate::start::Accelerations;
use crate::mechanics::{State, System};

/// Newton's method iterates down to rounding errors, since extrapolation magnifies its error.
const NEWTON_TOLERANCE: f64 = 1e-14;

/// The solution at t, t + h, ..., t + n h, with local errors of order h^(columns + 1).
pub(super) fn states(
    system: &dyn System,
    first: &State,
    h: f64,
    n: usize,
    columns: usize,
    newton: Newton,
    eta: Eta,
) -> Result<Vec<State>, Error> {
    let mut scheme = MultiStep::new(1, Form::StabilizedIndex2);
    scheme.eta_direction = eta;
    let mut euler = Implicit::new(scheme).with_newton(Newton {
        strategy: Strategy::Full,
        tolerance: NEWTON_TOLERANCE,
        ..newton
    });
    let mut solver = Accelerations::new(system);
    let mut states = vec![first.clone()];
    solver.solve(system, &mut states[0])?;
    for _ in 0..n {
        let from = &states[states.len() - 1];
        let next = cross(system, &mut euler, &mut solver, from, h, columns)?;
        states.push(next);
    }
    Ok(states)
}

fn cross(
    system: &dyn System,
    euler: &mut Implicit<MultiStep>,
    solver: &mut Accelerations,
    from: &State,
    h: f64,
    columns: usize,
) -> Result<State, Error> {
    let group = system.group();
    let dim = from.v.len();
    let mut theta = vec![0.0; dim];
    let mut v = from.v.clone();
    let mut difference = vec![0.0; dim];
    let mut state = from.clone();
    for i in 1..=columns {
        state.copy_from(from);
        euler.start(system, &mut state, h / i as f64)?;
        for _ in 0..i {
            euler.step(system, &mut state, h / i as f64)?;
        }
        let others = (1..=columns).filter(|&m| m != i);
        let w: f64 = others.map(|m| i as f64 / (i as f64 - m as f64)).product();
        group.difference(&from.q, &state.q, &mut difference);
        for j in 0..dim {
            theta[j] += w * difference[j];
            v[j] += w * (state.v[j] - from.v[j]);
        }
    }
    // Algebraic variables and memory come from the finest crossing, as first guesses.
    state.t = from.t + h;
    group.retract(&from.q, &theta, &mut state.q);
    state.v.copy_from_slice(&v);
    project_position(system, &mut state)?;
    project_velocity(system, &mut state)?;
    solver.solve(system, &mut state)?;
    Ok(state)
}
