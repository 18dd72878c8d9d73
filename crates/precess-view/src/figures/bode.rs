//! Frequency responses: a Bode plot.

use precess::analysis::StateSpace;
use precess::analysis::report::state_space::responses;

use crate::plot::{Axis, Figure, Legend, Panel, Series};

/// Gain above, phase below. Values below rounding errors are left out.
pub fn figure(s: &StateSpace, hz: &[f64]) -> Figure {
    let mut responses = responses(s, hz);
    let largest = |list: &[f64]| list.iter().copied().filter(|x| x.is_finite()).fold(0.0, f64::max);
    let all = responses.iter().map(|r| largest(&r.1)).fold(0.0, f64::max);
    responses.retain(|r| largest(&r.1) > 1e-9 * all);
    let mut gain = Panel::new("").x(Axis::log("frequency", "Hz")).y(Axis::log("gain", ""));
    let mut phase =
        Panel::new("").x(Axis::log("frequency", "Hz")).y(Axis::linear("phase", "deg").range(-190.0, 190.0));
    for (i, (name, size, angle)) in responses.into_iter().enumerate() {
        gain = gain.series(Series::line(name, hz.to_vec(), size).colour(i));
        phase = phase.series(Series::line("", hz.to_vec(), angle).colour(i));
    }
    Figure::new("").panel(gain).panel(phase).legend(Legend::Above).panel_size(720.0, 320.0)
}
