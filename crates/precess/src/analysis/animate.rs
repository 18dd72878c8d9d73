//! Modes as motions that can be shown: the mechanism swings about its position with a visible amplitude.
//!
//! A linear displacement of that size opens joints, so every position is projected back onto them. The motion
//! of a mode is Re(z exp(s t)); decay and growth are left out, so that the motion repeats. In a steady
//! rotation the rotation itself is not shown.

use crate::integrate::Accelerations;
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use nalgebra::{Complex, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::assemble;
use crate::analysis::limits::is_large;
use crate::analysis::local::{Layout, moved_apart};
use crate::analysis::mode::Mode;
use crate::analysis::steady::Found;

/// Largest rotation, in rad, or translation, in lengths of the model.
const AMPLITUDE: f64 = 0.25;
/// Number of positions per period.
const FRAMES: usize = 64;
/// Number of periods.
const PERIODS: usize = 2;

/// States over two periods of a mode, from rest at its largest deflection.
pub fn swing(system: &dyn Mechanism, found: &Found, mode: &Mode) -> Result<Vec<State>, AnalysisError> {
    let layout = Layout::new(system)?;
    // A mode that only decays is shown as a vibration with its decay rate as frequency.
    let omega = if mode.s.im > 0.0 { mode.s.im } else { mode.s.norm() };
    let omega = if omega > 0.0 { omega } else { 1.0 };
    let real = |z: Complex<f64>| mode.shape.map(|x| (x * z).re);
    let largest = (0..FRAMES)
        .map(|i| layout.size(&real(Complex::from_polar(1.0, angle(i)))))
        .fold(f64::MIN_POSITIVE, f64::max);
    let size = amplitude(&layout, &mode.shape) / largest;
    let frame = |i: usize| {
        let z = Complex::from_polar(size, angle(i));
        let mut x = real(z);
        layout.controls.clone().for_each(|j| x[j] = 0.0);
        let mut state = moved_apart(system, &found.state, &x);
        if !is_large(system) {
            state = assemble(system, &layout, &state).map_or(state, |(state, _)| state);
        }
        let v = real(z * Complex::new(0.0, omega));
        state.v.copy_from_slice(v.as_slice());
        // Forces of the full equations, or those at rest if these cannot be solved.
        if is_large(system) || Accelerations::new(system).solve(system, &mut state).is_err() {
            state.lambda.copy_from_slice(&found.state.lambda);
        }
        state.t = angle(i) / omega;
        state
    };
    Ok((0..=PERIODS * FRAMES).map(frame).collect())
}

fn angle(i: usize) -> f64 {
    std::f64::consts::TAU * i as f64 / FRAMES as f64
}

/// If only translations take part, a quarter of the length of the model is too far for small bodies.
fn amplitude(layout: &Layout, shape: &DVector<Complex<f64>>) -> f64 {
    let turns = (0..layout.bodies.len()).flat_map(|i| layout.rotation(i)).any(|j| shape[j].norm() > 0.1);
    if turns { AMPLITUDE } else { 0.6 * AMPLITUDE }
}
