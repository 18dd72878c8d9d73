//! Relative equilibria: steady motions with given rates, whose positions are found.
//!
//! With the velocities v(q) of a steady motion ([`Steady`]) and v' = -C v the forces must balance:
//!
//! ```text
//! r(q, v(q), -C v(q), lambda, t) = 0,   Phi(q, t) = 0,   D_q of the first: K + (D - M C) E
//! ```

use crate::integrate::project::project_velocity;
use crate::integrate::{Accelerations, project_position};
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::decompositions::solve;
use crate::solve::products::{largest, symmetric_part, times, transposed_times};
use nalgebra::{DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::{assemble, limited};
use crate::analysis::equilibrium::search::{LEAST_STIFFNESS, forces};
use crate::analysis::equilibrium::{self, EquilibriumOptions};
pub use crate::analysis::found::Found;
use crate::analysis::frame::{Frame, Linear, SAME, Steady, frame_matrices, settle};
use crate::analysis::freedom::Freedom;
use crate::analysis::large;
use crate::analysis::limits::is_large;
use crate::analysis::local::{Layout, at_rest as resting, moved};
use crate::analysis::matrix::{pseudo_solve, symmetric};
use crate::analysis::rolling::{self, Rolling};
use crate::analysis::words::{Axes, motion};

/// Accelerations beyond the steady ones that count as zero, relative to those of the forces.
const STEADY_TOLERANCE: f64 = 1e-8;

/// Speeds that may be rounding errors, relative to those of a fall by the length of the model.
const REST: f64 = 1e-8;

/// Number of steps that search for a stable steady motion; then any is accepted.
const STABLE_STEPS: usize = 40;

/// A steady motion at or near a state with velocities, in a proved frame. With `solve` the positions may
/// change.
pub fn find(
    system: &dyn Mechanism,
    state: &State,
    frame: Frame,
    solve: bool,
) -> Result<Found, AnalysisError> {
    find_near(system, state, frame, solve, None)
}

/// The same with initial positions for the search, those of a neighbouring motion.
pub(crate) fn find_near(
    system: &dyn Mechanism,
    state: &State,
    frame: Frame,
    solve: bool,
    guess: Option<&[f64]>,
) -> Result<Found, AnalysisError> {
    let layout = Layout::new(system)?;
    let mut state = state.clone();
    // At the end of a run that rests, velocities are rounding errors.
    let gravity = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let speed = layout.size(&DVector::from_column_slice(&state.v));
    if speed > 0.0 && speed <= REST * gravity.sqrt() {
        let mut still = state.clone();
        still.v[..layout.controls.start].fill(0.0);
        if let Ok(found) = at_rest(system, &layout, &still) {
            return Ok(found);
        }
    }
    let given = !is_at_rest(&layout, &state);
    if !given {
        // Without velocities, drives determine them, as in a run.
        project_velocity(system, &mut state)?;
    }
    let moves = given || moves_noticeably(&layout, &state);
    if !moves {
        state.v.fill(0.0);
        if !matches!(frame, Frame::Auto | Frame::Fixed) {
            let reason = "nothing moves; give velocities, or choose no frame".to_string();
            return Err(AnalysisError::UnknownFrame { name: frame.name().to_string(), reason });
        }
        return match at_rest(system, &layout, &state) {
            Err(AnalysisError::Unsteady { .. }) if solve => {
                let options = EquilibriumOptions { t: state.t, ..EquilibriumOptions::default() };
                let found = equilibrium::find(system, guess.unwrap_or(&state.q), &options)?;
                at_rest(system, &layout, &found.state)
            }
            given => given,
        };
    }
    Accelerations::new(system).solve(system, &mut state)?;
    let mut list = Steady::candidates(system, &layout, &state);
    if frame != Frame::Auto {
        list.retain(|s| s.frame == frame);
    }
    if list.is_empty() {
        let reason = "no body turns; use the fixed frame".to_string();
        return Err(AnalysisError::UnknownFrame { name: frame.name().to_string(), reason });
    }
    let found = first_proved(system, &layout, &state, &list, (solve, guess));
    if given || found.is_ok() || !matches!(frame, Frame::Auto | Frame::Rotating) {
        return found;
    }
    // Drives determine only the bodies beside them: the others may turn with them.
    match Steady::together(system, &layout, &state) {
        Some(steady) => first_proved(system, &layout, &state, &[steady], (true, guess)),
        None => found,
    }
}

/// True if the velocities that drives need are more than rounding errors.
fn moves_noticeably(layout: &Layout, state: &State) -> bool {
    layout.size(&DVector::from_column_slice(&state.v)) > 1e-12
}

/// The first of several steady motions that balances and passes the proof.
fn first_proved(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    list: &[Steady],
    (solve, guess): (bool, Option<&[f64]>),
) -> Result<Found, AnalysisError> {
    let (mut tried, mut unsteady) = (Vec::new(), None);
    for solving in [false, true] {
        if solving && !solve {
            break;
        }
        for steady in list {
            // The common motion of all bodies is that of the given positions.
            let rolls = !system.velocity_rows().is_empty();
            if solving && steady.frame == Frame::Precessing && list.len() > 1 && !rolls {
                continue;
            }
            let candidate = if solving {
                balance(system, layout, state, steady, guess)
            } else {
                at_given_positions(system, layout, state, steady)
            };
            match candidate {
                Ok((state, acceleration)) => {
                    let proof = steady.proof(system, layout, &state)?;
                    if proof <= SAME {
                        return Ok(Found { state, steady: steady.clone(), proof, acceleration });
                    }
                    if !tried.iter().any(|(name, _)| name == steady.frame.name()) {
                        tried.push((steady.frame.name().to_string(), proof));
                    }
                }
                Err(AnalysisError::Unsteady { motion, acceleration, .. }) => {
                    let least = unsteady.as_ref().is_none_or(|(_, a): &(String, f64)| acceleration < *a);
                    if least {
                        unsteady = Some((motion, acceleration));
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }
    // Some turning frame always fits one instant, so this says nothing.
    let meant = tried.iter().any(|(name, _)| name != Frame::Precessing.name());
    match unsteady {
        _ if meant => Err(AnalysisError::NoFrame { tried }),
        Some((motion, acceleration)) => Err(AnalysisError::Unsteady { motion, acceleration, looked: solve }),
        None => Err(AnalysisError::NoFrame { tried }),
    }
}

/// A step along the accelerating forces if some stiffness is negative: towards a stable steady motion.
/// Rotations can also stabilise others, so after some steps the nearest one is used.
fn downhill(k: &DMatrix<f64>, force: &DVector<f64>, least: f64) -> Option<DVector<f64>> {
    if k.is_empty() {
        return None;
    }
    let eigen = symmetric(symmetric_part(k));
    let lowest = eigen.eigenvalues.min();
    if lowest >= -least.max(1e-13 * eigen.eigenvalues.amax()) {
        return None;
    }
    let f = transposed_times(&eigen.eigenvectors, force);
    let y = DVector::from_fn(f.len(), |i, _| f[i] / (eigen.eigenvalues[i] - 1.5 * lowest));
    Some(times(&eigen.eigenvectors, &y))
}

/// (K + least)^-1 f.
fn newton(k: &DMatrix<f64>, force: &DVector<f64>, least: f64) -> DVector<f64> {
    let right = DMatrix::from_column_slice(force.len(), 1, force.as_slice());
    let y = solve(k + DMatrix::identity(k.nrows(), k.ncols()) * least, &right);
    match y.map(|y| DVector::from(y.column(0))) {
        Some(y) if y.iter().all(|x| x.is_finite()) => y,
        _ => pseudo_solve(k, force, 1e-12),
    }
}

/// A state with these positions and velocities; accelerations and multipliers are not yet solved for.
pub fn moving(system: &dyn Mechanism, q: &[f64], v: &[f64], t: f64) -> State {
    let mut state = resting(system, q, t);
    state.v.copy_from_slice(v);
    state
}

/// The steady motion of a state at rest, an equilibrium for example.
pub fn resting_at(system: &dyn Mechanism, state: &State) -> Result<Found, AnalysisError> {
    at_rest(system, &Layout::new(system)?, state)
}

/// True if no body moves.
pub(crate) fn is_at_rest(layout: &Layout, state: &State) -> bool {
    state.v[..layout.controls.start].iter().all(|v| *v == 0.0)
}

fn at_rest(system: &dyn Mechanism, layout: &Layout, state: &State) -> Result<Found, AnalysisError> {
    let mut state = state.clone();
    state.vdot.fill(0.0);
    let (size, a, scale) = settle(system, layout, &mut state)?;
    if !(size <= STEADY_TOLERANCE * scale) && size > 0.0 {
        let motion = motion(layout, &a, Some(&Axes::new(system, &state)));
        return Err(AnalysisError::Unsteady { motion, acceleration: size * layout.length, looked: false });
    }
    Ok(Found { state, steady: Steady::rest(layout), proof: 0.0, acceleration: size * layout.length })
}

/// The given positions, if they are those of the steady motion.
fn at_given_positions(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    steady: &Steady,
) -> Result<(State, f64), AnalysisError> {
    let mut state = state.clone();
    let before = state.v.clone();
    steady.velocities(system, layout, &mut state);
    let change = DVector::from_iterator(before.len(), before.iter().zip(&state.v).map(|(a, b)| a - b));
    let (size, a, scale) = settle(system, layout, &mut state)?;
    let speed = layout.size(&DVector::from_vec(before));
    let off = layout.size(&change) > STEADY_TOLERANCE * speed;
    if off || !(size <= STEADY_TOLERANCE * scale.max(STEADY_TOLERANCE * speed * speed)) {
        let a = if off { change * speed } else { a };
        let motion = motion(layout, &a, Some(&Axes::new(system, &state)));
        let acceleration = layout.size(&a) * layout.length;
        return Err(AnalysisError::Unsteady { motion, acceleration, looked: false });
    }
    Ok((state, size * layout.length))
}

/// Velocities that the joints do not allow, in m/s: rates of a rotation that does not fit them.
fn slip(system: &dyn Mechanism, state: &State) -> DVector<f64> {
    let mut rates = DVector::zeros(system.n_lambda());
    system.velocity_constraint(&state.at(), rates.as_mut_slice());
    rates
}

/// The same for wheels and blades: positions may also end a slip.
fn balance_rolling(
    system: &dyn Mechanism,
    layout: &Layout,
    start: &State,
    steady: &Steady,
) -> Result<(State, f64), AnalysisError> {
    let mut state = start.clone();
    steady.velocities(system, layout, &mut state);
    let (mut size, mut a, mut scale) = settle(system, layout, &mut state)?;
    let rows = system.velocity_rows();
    let fastest = steady.fastest(layout);
    let open = |state: &State| largest(slip(system, state).as_slice()) / layout.length.max(1.0);
    for _ in 0..100 {
        if size <= 1e-3 * STEADY_TOLERANCE * scale && open(&state) <= 1e-12 * fastest {
            break;
        }
        let all = frame_matrices(system, layout, &state, steady);
        let free = Freedom::new(&all.m, &all.b, layout)?;
        let Some(own) = Rolling::new(layout, &all, &free, rows)? else { break };
        let force = transposed_times(&free.n, &times(&all.m, &a));
        let x = rolling::step(&all, &free, &own, (&force, &slip(system, &state).select_rows(rows)));
        let before = (size, open(&state));
        let (mut next, _) = assemble(system, layout, &moved(system, &state, &limited(layout, x)))?;
        steady.velocities(system, layout, &mut next);
        let (s, da, sc) = settle(system, layout, &mut next)?;
        // Limited by rounding errors.
        if size <= STEADY_TOLERANCE * scale && before.1 <= 1e-9 * fastest && s >= 0.5 * size {
            break;
        }
        (state, size, a, scale) = (next, s, da, sc.max(scale));
    }
    if !(size <= STEADY_TOLERANCE * scale) || open(&state) > 1e-9 * fastest {
        let motion = motion(layout, &a, Some(&Axes::new(system, &state)));
        let acceleration = (size * layout.length).max(open(&state) * fastest);
        return Err(AnalysisError::Unsteady { motion, acceleration, looked: false });
    }
    Ok((state, size * layout.length))
}

/// Newton's method for the positions of a steady motion with given rates.
fn balance(
    system: &dyn Mechanism,
    layout: &Layout,
    start: &State,
    steady: &Steady,
    guess: Option<&[f64]>,
) -> Result<(State, f64), AnalysisError> {
    let mut state = start.clone();
    if !system.velocity_rows().is_empty() {
        return balance_rolling(system, layout, start, steady);
    }
    if let Some(q) = guess.filter(|q| q.len() == state.q.len()) {
        state.q.copy_from_slice(q);
        state.remember(system);
        if is_large(system) {
            project_position(system, &mut state)?;
        } else {
            (state, _) = assemble(system, layout, &state)?;
        }
    }
    steady.velocities(system, layout, &mut state);
    let (mut size, mut a, mut scale) = settle(system, layout, &mut state)?;
    let mut best = size;
    for iteration in 0..100 {
        if size <= 1e-3 * STEADY_TOLERANCE * scale {
            break;
        }
        if is_large(system) {
            let (next, s, da, sc) = large::steady::step(system, layout, &state, steady, (&a, scale))?;
            if size <= STEADY_TOLERANCE * scale && s >= 0.5 * size {
                break;
            }
            (state, size, a, scale) = (next, s, da, sc.max(scale));
            best = best.min(size);
            continue;
        }
        let linear = Linear::new(system, layout, &state, steady)?;
        let bodies = linear.n.ncols() - linear.first_order;
        let n: DMatrix<f64> = linear.plain.n.columns(0, bodies).into();
        let force = transposed_times(&n, &times(&linear.mass, &a));
        let k: DMatrix<f64> = linear.plain.k.view((0, 0), (bodies, bodies)).into();
        // A little stiffness holds motions that have none.
        let inertia = times(&linear.mass, &DVector::from_column_slice(&state.vdot));
        let least = (LEAST_STIFFNESS * forces(layout, &inertia)).max(f64::MIN_POSITIVE);
        let y = match downhill(&k, &force, least) {
            Some(y) if iteration < STABLE_STEPS => y,
            _ => newton(&k, &force, least),
        };
        let x = limited(layout, times(&n, &y));
        let (mut next, _) = assemble(system, layout, &moved(system, &state, &x))?;
        steady.velocities(system, layout, &mut next);
        let (s, da, sc) = settle(system, layout, &mut next)?;
        // Limited by rounding errors.
        if size <= STEADY_TOLERANCE * scale && s >= 0.5 * size {
            break;
        }
        (state, size, a, scale) = (next, s, da, sc.max(scale));
        best = best.min(size);
    }
    let speed = layout.size(&DVector::from_column_slice(&state.v));
    let open = largest(slip(system, &state).as_slice());
    let torn = open > 1e-7 * speed * (1.0 + layout.length);
    if !(size <= STEADY_TOLERANCE * scale) || torn {
        let motion = motion(layout, &a, Some(&Axes::new(system, &state)));
        // Rates that joints do not allow would open them with the speed of the rotation.
        let acceleration = if torn { open * speed } else { best * layout.length };
        return Err(AnalysisError::Unsteady { motion, acceleration, looked: false });
    }
    Ok((state, size * layout.length))
}
