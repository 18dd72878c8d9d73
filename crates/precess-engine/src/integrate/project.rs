//! Projections onto the constraints of position (VP 6) and velocity (VP 7), in the norm of the mass matrix or
//! in a norm without masses.

use nalgebra::DVector;

use super::start::{add, explain, finite, largest};
use crate::Error;
use crate::integrate::saddle::Saddle;
use crate::mechanics::{State, System, Tangents, Want};

/// Norm of the smallest correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// dq^T M dq: the kinetic energy of the correction. It depends neither on units nor on coordinates.
    #[default]
    Mass,
    /// The sum of squares, with angles times the length scale of the model: light and heavy bodies move
    /// equally.
    Euclidean,
}

crate::error::named! { Norm, "norm": Mass = "mass", Euclidean = "euclidean" }

impl Norm {
    /// Replaces M in `tangents.s`. The weights have the size of M, since regularised rows are compared with
    /// it.
    fn put(self, system: &dyn System, tangents: &mut Tangents) {
        if self == Norm::Mass {
            return;
        }
        let described = system.blocks();
        let lengths = || described.iter().filter(|b| b.is_length()).flat_map(|b| b.v.clone());
        let mass = lengths().map(|i| tangents.s.get(i, i)).fold(0.0, f64::max);
        let mass = if mass > 0.0 { mass } else { 1.0 };
        let mut weights = vec![mass * system.length_scale().powi(2); system.group().dim()];
        lengths().for_each(|i| weights[i] = mass);
        tangents.s.fill(0.0);
        for (i, w) in weights.into_iter().enumerate() {
            tangents.s.add_entry(i, i, w);
        }
    }
}

/// Sweeps converge linearly, at the rate of the distance from the manifold divided by its radius of
/// curvature.
const MAX_SWEEPS: usize = 500;

/// Replaces q by the point q o exp(dq) of the constraint manifold with the smallest dq^T M dq (VP 6).
///
/// Each sweep solves the saddle-point system of the linearised problem for the whole dq, so that the limit
/// satisfies the optimality condition M dq + (B T)^T mu = 0 and not only Phi = 0.
pub fn project_position(system: &dyn System, state: &mut State) -> Result<(), Error> {
    project_position_in(Norm::Mass, system, state)
}

/// [`project_position`] in another norm.
pub fn project_position_in(norm: Norm, system: &dyn System, state: &mut State) -> Result<(), Error> {
    let m = system.n_lambda();
    if m == 0 {
        return Ok(());
    }
    let group = system.group();
    let mut saddle = Saddle::new(system);
    let mut tangents = Tangents::of(system);
    let mut blocks = vec![0.0; group.tangent_len()];
    let starts = super::step::assembly::starts(group);
    let mut phi = DVector::zeros(m);
    let zero = DVector::zeros(group.dim());
    let q_0 = state.q.clone();
    let mut dq = DVector::<f64>::zeros(group.dim());
    tangents.evaluate(system, &state.at(), Want::MASS);
    norm.put(system, &mut tangents);
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
        // NaN is kept as the largest change.
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
    project_velocity_in(Norm::Mass, system, state)
}

/// [`project_velocity`] in another norm.
pub fn project_velocity_in(norm: Norm, system: &dyn System, state: &mut State) -> Result<(), Error> {
    let m = system.n_lambda();
    if m == 0 {
        return Ok(());
    }
    let mut saddle = Saddle::new(system);
    let mut tangents = Tangents::of(system);
    let mut residual = DVector::zeros(m);
    let zero = DVector::zeros(system.group().dim());
    tangents.evaluate(system, &state.at(), Want::SADDLE);
    norm.put(system, &mut tangents);
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
