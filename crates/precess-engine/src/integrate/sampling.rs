//! Selects the steps of a run that are kept.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use crate::Error;
use crate::persist::{Damage, ensure};

/// Every n-th step, or one sample per interval of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// Every n-th step, the initial state first.
    Steps(usize),
    /// At the times 0, dt, 2 dt, ... after the start: exactly if the run has a state there, otherwise at the
    /// end of the step that contains the time.
    Time(f64),
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling::Steps(1)
    }
}

impl Sampling {
    /// `10` is every tenth step; `0.01s`, `0.01 s` and `10 ms` are times.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |value| Error::Parameter {
            name: "every",
            value,
            expected: "give a positive number of steps (10) or a positive time (0.01s, 10ms)",
        };
        let text = text.trim();
        let time = |digits: &str, unit: f64| {
            let dt = digits.trim().parse::<f64>().map_err(|_| wrong(f64::NAN))? * unit;
            if dt > 0.0 && dt.is_finite() { Ok(Sampling::Time(dt)) } else { Err(wrong(dt)) }
        };
        match (text.strip_suffix("ms"), text.strip_suffix('s')) {
            (Some(digits), _) => time(digits, 1e-3),
            (None, Some(digits)) => time(digits, 1.0),
            (None, None) => match text.parse::<f64>() {
                Ok(n) if n >= 1.0 && n.fract() == 0.0 => Ok(Sampling::Steps(n as usize)),
                Ok(n) => Err(wrong(n)),
                Err(_) => Err(wrong(f64::NAN)),
            },
        }
    }
}

/// Progress of a sampling through a run.
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    start: Option<f64>,
    taken: u64,
}

crate::persist!(Sampler { start, taken } given { sampling });

impl Sampler {
    /// Checks that this sampler belongs to a run up to time t.
    pub fn ensure_until(&self, t: f64) -> Result<(), Damage> {
        let most = match (self.sampling, self.start) {
            (Sampling::Time(dt), Some(start)) => (t - start) / dt + 2.0,
            _ => 0.0,
        };
        ensure(self.start.is_none_or(|start| start <= t) && self.taken as f64 <= most, || {
            format!("{} samples were taken up to {t} s, at most {most:.0} are", self.taken)
        })
    }

    /// A sampler before the first state.
    pub fn new(sampling: Sampling) -> Self {
        Sampler { sampling, start: None, taken: 0 }
    }

    /// True if the state of this step is a sample. Call it once for every state, in the order of time.
    pub fn takes(&mut self, step: usize, t: f64) -> bool {
        let t_0 = *self.start.get_or_insert(t);
        match self.sampling {
            Sampling::Steps(n) => step.is_multiple_of(n.max(1)),
            Sampling::Time(dt) => {
                // Rounding errors of t must not miss a time.
                let passed = (t - t_0) / dt + 1e-9;
                if passed < self.taken as f64 {
                    return false;
                }
                self.taken = passed as u64 + 1;
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_users() {
        for (text, expected) in [
            ("10", Sampling::Steps(10)),
            ("0.01s", Sampling::Time(0.01)),
            (" 2e-3 s ", Sampling::Time(2e-3)),
            ("10 ms", Sampling::Time(0.01)),
        ] {
            assert_eq!(Sampling::parse(text).unwrap(), expected, "{text}");
        }
        for text in ["0", "-3", "1.5", "0s", "-1s", "s", "inf s", "nan", "often", ""] {
            assert!(Sampling::parse(text).is_err(), "{text}");
        }
    }

    fn times(sampling: Sampling, t: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sampler = Sampler::new(sampling);
        t.enumerate().filter(|(step, t)| sampler.takes(*step, *t)).map(|(_, t)| t).collect()
    }

    #[test]
    fn samples_by_time() {
        // The interval is a multiple of the step: exact times, however t was rounded.
        let kept = times(Sampling::Time(0.01), (0..=1000).map(|i| 0.3 + f64::from(i) * 1e-3));
        assert_eq!(kept.len(), 101);
        assert!(kept.iter().enumerate().all(|(i, t)| (t - 0.3 - 0.01 * i as f64).abs() < 1e-12));
        // Not a multiple: one sample at or after each time, none twice.
        let kept = times(Sampling::Time(0.01), (0..=143).map(|i| f64::from(i) * 7e-3));
        assert_eq!(kept.len(), 101);
        assert!(
            kept.iter().enumerate().all(|(i, t)| (-1e-9..7e-3).contains(&(t - 0.01 * i as f64))),
            "{kept:?}"
        );
        // Steps larger than the interval: every step once.
        assert_eq!(times(Sampling::Time(0.01), (0..5).map(f64::from)).len(), 5);
    }
}
