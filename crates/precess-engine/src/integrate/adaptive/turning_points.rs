//! Turning points of drives, which limit the steps.
//!
//! A method evaluates a drive only at the ends of its steps, so it could miss a short pulse between them. The
//! functions of time of a system are sampled before the run. A step that passes a turning point of one of
//! them ends halfway to the next one at the latest. A pulse has three turning points (its beginning, top and
//! end), an oscillation two per period. So a step always ends well inside a pulse, on each of its sides, and
//! never exceeds three quarters of a period; from there on the error test decides. Pulses shorter than
//! 1/10000 of a run are missed.

use crate::mechanics::{Function, System};

/// Number of samples of a function over a run.
const SAMPLES: usize = 10_000;
/// Smaller changes between samples, relative to the range, count as zero.
const NO_CHANGE: f64 = 1e-9;
/// Shorter pauses between rising and falling, in samples, belong to one turning point.
const SHORT_PAUSE: usize = 4;

/// The turning points of all drives of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurningPoints {
    /// One list of times per function, in order.
    lists: Vec<Vec<f64>>,
}

impl TurningPoints {
    /// The turning points of a system during [t_0, t_end].
    pub fn of(system: &dyn System, t_0: f64, t_end: f64) -> Self {
        let lists = system
            .drives()
            .into_iter()
            .filter(|f| f.constant().is_none())
            .map(|f| turning_points(f, t_0, t_end))
            .filter(|list| list.len() > 1)
            .collect();
        TurningPoints { lists }
    }

    /// The longest step from t: for every drive, up to the middle between the next two turning points.
    pub fn longest_step(&self, t: f64) -> f64 {
        let middle = |list: &Vec<f64>| match list[list.partition_point(|x| *x <= t)..] {
            [next, second, ..] => 0.5 * (next + second) - t,
            _ => f64::INFINITY,
        };
        self.lists.iter().map(middle).fold(f64::INFINITY, f64::min)
    }
}

fn turning_points(f: &Function, t_0: f64, t_end: f64) -> Vec<f64> {
    let time = |i: usize| t_0 + (t_end - t_0) * i as f64 / SAMPLES as f64;
    let values: Vec<f64> =
        (0..=SAMPLES).map(|i| f.value(crate::mechanics::function::Argument::time(time(i)))).collect();
    let finite = values.iter().copied().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let threshold = NO_CHANGE * (high - low);
    // Runs of samples in which the function rises (1), rests (0) or falls (-1).
    let mut runs: Vec<(i8, usize, usize)> = Vec::new();
    for (i, pair) in values.windows(2).enumerate() {
        let change = pair[1] - pair[0];
        let sense = i8::from(change > threshold) - i8::from(change < -threshold);
        match runs.last_mut() {
            Some(run) if run.0 == sense => run.2 += 1,
            _ => runs.push((sense, i, 1)),
        }
    }
    let first = runs.first().copied();
    runs.retain(|run| run.0 != 0 || run.2 >= SHORT_PAUSE || Some(*run) == first);
    runs.dedup_by(|later, before| later.0 == before.0);
    runs.iter().skip(1).map(|run| time(run.1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(f: impl Fn(f64) -> f64 + Send + Sync + 'static) -> TurningPoints {
        let f = Function::of_time("test", f, |_| 0.0, |_| 0.0);
        TurningPoints { lists: vec![turning_points(&f, 0.0, 2.0)] }
    }

    #[test]
    fn a_pulse_is_not_jumped_over() {
        let pulse = of(|t| if (t - 1.0).abs() < 0.002 { (500.0 * (t - 1.0)).powi(2) - 1.0 } else { 0.0 });
        let list = &pulse.lists[0];
        assert!(
            list.len() == 3 && (list[0] - 0.998).abs() < 5e-4 && (list[1] - 1.0).abs() < 5e-4,
            "{list:?}"
        );
        for (from, to) in [(0.3, 0.999), (0.9985, 1.001)] {
            let h = pulse.longest_step(from);
            assert!((from + h - to).abs() < 5e-4, "a step from {from} ends on the pulse: {h}");
        }
        assert_eq!(pulse.longest_step(1.1), f64::INFINITY);
    }

    #[test]
    fn oscillations_have_two_per_period() {
        let sine = of(|t| (40.0 * t).sin());
        assert_eq!(sine.lists[0].len(), (80.0 / std::f64::consts::PI - 0.5) as usize + 1);
        let half = std::f64::consts::PI / 40.0;
        for i in 0..150 {
            let h = sine.longest_step(0.01 * i as f64);
            assert!(h > 0.49 * half && h < 1.51 * half, "{h}");
        }
        // A ramp has none, a slow curve one.
        assert!(of(|t| 3.0 * t).lists[0].is_empty());
        assert_eq!(of(|t| (t - 0.7) * (t - 0.7)).lists[0].len(), 1);
    }
}
