//! The lowest modes of large models at rest, by shift and invert with the block factors of the integrators.
//!
//! ```text
//! [ K + c M   B^T ] [ x  ]   [ M v ]
//! [ B          0  ] [ mu ] = [ 0   ]          kappa -> 1/(kappa + c)
//! ```
//!
//! is one factorisation at linear cost and a solution per vector. The block Lanczos method keeps all vectors
//! M-orthogonal, so double frequencies are found twice. Motions without stiffness are removed from the first
//! vectors (by a factor kappa/(kappa + c)): a chain of spherical joints has one per rod, which would crowd
//! the spectrum. With damping, in a rotation, or next to a given frequency the problem is not symmetric: see
//! `arnoldi`. `rest` finds the equilibrium of large models with the same factors, `steady` their steady
//! rotations.

mod arnoldi;
mod lanczos;
pub(crate) mod pencil;
pub mod rest;
mod shifted;
pub mod steady;

use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, Tangents, Want};
use crate::solve::Mat;
use crate::solve::products::block_times;
use nalgebra::{Complex, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::found::Found;
use crate::analysis::local::Layout;
use crate::analysis::mode::{Mode, Selection, spatial_whirl};
use crate::analysis::travel::wide;
use crate::analysis::words::{Axes, vibration};
use arnoldi::{Goal, MAX_VECTORS, nearest};
use lanczos::{BLOCK, Lanczos};
use pencil::{Pencil, Vector};
use shifted::Shifted;

/// Largest error of a converged eigenvector.
const CONVERGED: f64 = 1e-7;

/// The n lowest modes with stiffness about rest, at a state with its multipliers.
pub fn lowest(system: &dyn Mechanism, state: &State, n: usize) -> Result<Vec<Mode>, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    let steady = crate::analysis::Steady::rest(&layout);
    let found = Found { state: state.clone(), steady, proof: 0.0, acceleration: 0.0 };
    modes(system, &found, Selection { n, near: None })
}

/// Modes about rest or a steady rotation: the lowest with stiffness, or those nearest to a frequency.
pub fn modes(
    system: &dyn Mechanism,
    found: &Found,
    selection: Selection,
) -> Result<Vec<Mode>, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    let state = &found.state;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let floor = 1e-8 * scale;
    // Long chains vibrate as slowly as a pendulum of their whole length.
    let slow = system.acceleration_scale().unwrap_or(0.0) / wide(system, &layout).length;
    let mut shifted = Shifted::new(system, state, if slow > 0.0 { slow } else { 1.0 })?;
    let axes = Axes::new(system, state);
    let spin = found.steady.spin_axis(system, state).filter(|_| found.steady.xi.norm() == 0.0);
    let c = first_estimate(&mut shifted, floor);
    let moves = !found.steady.is_rest();
    if selection.near.is_none()
        && !moves
        && !is_damped(system, state)
        && let Some(list) = undamped(&mut shifted, selection.n, floor, c)?
    {
        let make = |(kappa, x): (f64, DVector<f64>)| {
            let x = x.map(|a| Complex::new(a, 0.0));
            mode(&layout, &axes, &shifted.t.s, (Complex::new(0.0, kappa.sqrt()), x.clone()), x)
        };
        return Ok(list.into_iter().map(make).collect());
    }
    let mut pencil = Pencil::new(system, &layout, state, &found.steady)?;
    let turning = system.bodies(&state.at()).iter().fold(0.0, |a: f64, b| a.max(b.angular_velocity.norm()));
    let kappa = if c.is_finite() && c > 0.0 { c } else { 0.0 }.max(1e-4 * turning * turning);
    let near = selection.near.map(|f| f * std::f64::consts::TAU);
    let pairs = nearest(&mut pencil, &Goal { n: selection.n, near, kappa, floor })?;
    let make = |(s, z): (Complex<f64>, Vector)| {
        let w = &z * s + pencil.rates(&z);
        let whirl = spin.and_then(|a| spatial_whirl(&layout, &axes, &z, &a)).filter(|_| s.im > 0.0);
        Mode { whirl, ..mode(&layout, &axes, &pencil.m, (s, z), w) }
    };
    Ok(pairs.into_iter().map(make).collect())
}

/// True if forces depend on velocities.
fn is_damped(system: &dyn Mechanism, state: &State) -> bool {
    let mut t = Tangents::of(system);
    let want = Want { c_m: 0.0, c_d: 1.0, stiffness: false, constraint: false, curvature: false };
    t.evaluate(system, &state.at(), want);
    t.s.data().iter().any(|x| *x != 0.0)
}

/// A stiffness (the square of a frequency) and its motion.
type Undamped = (f64, DVector<f64>);

/// The lowest stiffnesses and their motions; none if they do not converge, for example if follower forces
/// make K asymmetric.
fn undamped(
    shifted: &mut Shifted,
    n: usize,
    floor: f64,
    mut c: f64,
) -> Result<Option<Vec<Undamped>>, AnalysisError> {
    for _ in 0..3 {
        shifted.factor(c)?;
        match lanczos(shifted, n, floor) {
            Some((list, true)) => return Ok(Some(list)),
            Some((list, false)) => c = list.first().map_or(c, |x| x.0).max(1e-3 * c),
            None => break,
        }
    }
    Ok(None)
}

/// A shift of about the lowest stiffness: a few vectors with decreasing shifts.
fn first_estimate(shifted: &mut Shifted, floor: f64) -> f64 {
    let mut c = shifted.c;
    for _ in 0..6 {
        if shifted.factor(c).is_err() {
            break;
        }
        let mut basis = Lanczos::new(shifted);
        basis.grow(2 * BLOCK);
        let Some(list) = basis.ritz() else { break };
        let Some(lowest) = list.iter().map(|x| x.kappa).find(|x| *x > floor) else { break };
        if lowest > 0.1 * c {
            return lowest;
        }
        c = lowest;
    }
    c
}

/// The n lowest stiffnesses above the floor and their motions, and whether they have converged; none if K is
/// not symmetric.
#[allow(clippy::type_complexity)]
fn lanczos(shifted: &mut Shifted, n: usize, floor: f64) -> Option<(Vec<Undamped>, bool)> {
    let mut basis = Lanczos::new(shifted);
    let mut size = (n + 6 * BLOCK).min(MAX_VECTORS);
    loop {
        let more = basis.grow(size);
        let list: Vec<_> = basis.ritz()?.into_iter().filter(|x| x.kappa > floor).take(n).collect();
        let converged = list.len() == n && list.iter().all(|x| x.lack <= CONVERGED);
        if converged || !more || size >= MAX_VECTORS {
            return Some((list.iter().map(|x| basis.vector(x)).collect(), converged || !more));
        }
        size = (size + 2 * BLOCK + n / 2).min(MAX_VECTORS);
    }
}

/// A mode from an eigenvalue, its shape and its velocities w, which give the shares of kinetic energy.
fn mode(layout: &Layout, axes: &Axes, mass: &Mat, (s, x): (Complex<f64>, Vector), w: Vector) -> Mode {
    // The largest part is made real and positive.
    let units = layout.units();
    let weighted = |i: &usize| x[*i].norm() / units[*i];
    let lead = (0..layout.controls.start).max_by(|a, b| weighted(a).total_cmp(&weighted(b)));
    let phase =
        lead.map(|i| x[i]).filter(|z| z.norm() > 0.0).map_or(Complex::new(1.0, 0.0), |z| z.conj() / z.norm());
    let x = x * phase;
    let (re, im) = (w.map(|z| z.re), w.map(|z| z.im));
    let (mr, mi) = (block_times(mass, &re), block_times(mass, &im));
    let energy = |i: usize| layout.columns(i).iter().map(|&j| re[j] * mr[j] + im[j] * mi[j]).sum::<f64>();
    let energies: Vec<f64> = (0..layout.bodies.len()).map(energy).collect();
    let total: f64 = energies.iter().sum();
    let real = x.map(|z| z.re);
    let size = layout.size(&real).max(f64::MIN_POSITIVE);
    let shares: Vec<f64> = energies.iter().map(|e| e / total).collect();
    Mode {
        s,
        words: vibration(layout, &real, axes, &shares),
        shares,
        whirl: None,
        shape: x / Complex::new(size, 0.0),
    }
}
