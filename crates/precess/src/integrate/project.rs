//! Projections onto the constraints of position (VP 6) and velocity (VP 7) in the norm of the mass matrix.

use nalgebra::DVector;

use super::start::{add, explain, finite, largest};
use crate::Error;
use crate::integrate::saddle::Saddle;
use crate::mechanics::{State, System, Tangents, Want};

/// Sweeps converge linearly, at the rate of the distance from the manifold to its radius of curvature.
const MAX_SWEEPS: usize = 500;

/// Replaces q by the point q o exp(dq) of the constraint manifold with the smallest dq^T M dq (VP 6).
///
/// Each sweep solves the saddle-point system of the linearised problem for the whole dq, so that the limit
/// satisfies the optimality condition M dq + (B T)^T mu = 0 and not only Phi = 0.
pub fn project_position(system: &dyn System, state: &mut State) -> Result<(), Error> {
    let m = system.n_lambda();
    if m == 0 {
        return Ok(());
    }
    let group = system.group();
    let mut saddle = Saddle::new(system);
    let mut tangents = Tangents::of(system);
    let mut blocks = vec![0.0; group.tangent_len()];
    let starts = super::condensed::starts(group);
    let mut phi = DVector::zeros(m);
    let zero = DVector::zeros(group.dim());
    let q_0 = state.q.clone();
    let mut dq = DVector::<f64>::zeros(group.dim());
    tangents.evaluate(system, &state.at(), Want::MASS);
    let mass = tangents.s.clone();
    let length = system.length_scale();
    let described = system.blocks();
    let mut units = vec![1.0; group.dim()];
    let lengths = || described.iter().filter(|b| b.is_length());
    lengths().for_each(|b| units[b.v.clone()].fill(length));
    let mut previous = f64::INFINITY;
    for _ in 0..MAX_SWEEPS {
        system.constraint(&state.at(), phi.as_mut_slice());
        finite(phi.as_slice(), state.t, |i| format!("'{}'", system.constraint_name(i)))?;
        tangents.evaluate(system, &state.at(), Want::CONSTRAINT);
        tangents.s.copy_from(&mass);
        group.tangent(dq.as_slice(), &mut blocks);
        tangents.b.mul_tangent(group, &blocks, &starts);
        let mut right = -&phi;
        tangents.b.gemv(1.0, dq.as_slice(), right.as_mut_slice());
        let (next, _) =
            saddle.solve(system, &tangents, &zero, &right).map_err(|e| explain(system, state.t, e))?;
        // What is not a number wins.
        let change = next.iter().zip(&dq).zip(&units).fold(0.0, |m, ((a, b), u)| {
            let x = (a - b).abs() / u;
            if x <= m { m } else { x }
        });
        dq = next;
        group.retract(&q_0, dq.as_slice(), &mut state.q);
        let size = 1.0 + lengths().map(|b| largest(&state.q[b.q.clone()]).1 / length).fold(0.0, f64::max);
        if change <= 1e-14 || (change <= 1e-10 * size && change >= previous) {
            return Ok(());
        }
        previous = change;
    }
    system.constraint(&state.at(), phi.as_mut_slice());
    let (row, residual) = largest(phi.as_slice());
    Err(Error::Projection { t: state.t, constraint: system.constraint_name(row), residual })
}

/// Replaces v by v - M^-1 B^T (B M^-1 B^T)^-1 (B v + Phi_t), the nearest velocity that satisfies (16).
pub fn project_velocity(system: &dyn System, state: &mut State) -> Result<(), Error> {
    let m = system.n_lambda();
    if m == 0 {
        return Ok(());
    }
    let mut saddle = Saddle::new(system);
    let mut tangents = Tangents::of(system);
    let mut residual = DVector::zeros(m);
    let zero = DVector::zeros(system.group().dim());
    tangents.evaluate(system, &state.at(), Want::SADDLE);
    // The second pass removes the rounding errors of the first.
    for _ in 0..2 {
        system.velocity_constraint(&state.at(), residual.as_mut_slice());
        finite(residual.as_slice(), state.t, |i| {
            format!("the velocity level of '{}'", system.constraint_name(i))
        })?;
        let (dv, _) =
            saddle.solve(system, &tangents, &zero, &-&residual).map_err(|e| explain(system, state.t, e))?;
        add(&mut state.v, dv.as_slice());
    }
    Ok(())
}
