//! Spectra of results: amplitudes over frequency, or over the order of a shaft.
//!
//! ```text
//! A_k = 2 |sum_j w_j (x_j - mean) exp(-2 pi i j k/n)| / sum_j w_j
//! ```
//!
//! [`Samples`] are values at equal distances of time, or of revolutions of a shaft: then a vibration with k
//! periods per turn is the line k, at any speed. [`Spectrum::of`] is the formula above, so a sine of amplitude
//! A has a line of height A. Rows of results that are too far apart for the motion are refused
//! ([`SpectrumError::Folded`]): vibrations between rows would show as slow ones.

mod equal;
mod fourier;
mod rows;

use std::f64::consts::{PI, TAU};

use thiserror::Error;

use crate::analysis::Complex;
pub use equal::Samples;
pub use rows::{Abscissa, samples};

/// Weights of the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// For neighbouring lines; a sine shows in three of them.
    #[default]
    Hann,
    /// For amplitudes: they are right to 0.1 % at any frequency, and lines are wide.
    FlatTop,
    /// No weights: for a whole number of periods.
    None,
}

impl Window {
    /// All windows by name.
    pub const ALL: [(&'static str, Window); 3] =
        [("hann", Window::Hann), ("flat-top", Window::FlatTop), ("none", Window::None)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, w)| *w == self).map_or("", |(name, _)| name)
    }

    /// The weight of sample j of n.
    fn weight(self, j: usize, n: usize) -> f64 {
        let angle = TAU * j as f64 / n as f64;
        let cosines = |list: &[f64]| list.iter().enumerate().map(|(k, a)| a * (k as f64 * angle).cos()).sum();
        match self {
            Window::None => 1.0,
            Window::Hann => cosines(&[0.5, -0.5]),
            // The five terms of the window of the same name in scipy and Matlab.
            Window::FlatTop => cosines(&[0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368]),
        }
    }
}

impl std::str::FromStr for Window {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        let names = Self::ALL.map(|(name, _)| name);
        found.map(|(_, w)| *w).ok_or_else(|| crate::Error::unknown_name("window", text, names))
    }
}

/// Why there is no spectrum.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SpectrumError {
    /// Too few rows.
    #[error(
        "{rows} rows of results are too few for a spectrum, or some are not finite: write more rows, or choose \
         another interval"
    )]
    Rows {
        /// Their number.
        rows: usize,
    },
    /// Rows at unequal times that are too far apart.
    #[error(
        "the rows are too far apart to interpolate between them: a row differs by {:.0} % from what its \
         neighbours predict; run again with rows at equal, shorter intervals, for example one every millisecond",
        100.0 * error
    )]
    Coarse {
        /// The error of a predicted row, relative to the deviations from the mean.
        error: f64,
    },
    /// The signal has more in it than the rows can show.
    #[error(
        "the rows are too far apart for '{name}': {why}, so faster vibrations are folded down and show at wrong \
         frequencies; run again with more rows, for example one every {every}"
    )]
    Folded {
        /// The signal or the body.
        name: String,
        /// What was found.
        why: String,
        /// A shorter interval.
        every: String,
    },
    /// The shaft turns back.
    #[error("'{name}' does not turn in one direction from {from} s to {to} s; choose another interval")]
    TurnsBack {
        /// The angle.
        name: String,
        /// Where it turns back.
        from: f64,
        /// Where it turns back.
        to: f64,
    },
    /// Less than one revolution.
    #[error("orders need at least one whole revolution; choose a longer interval")]
    Turns,
    /// Too many samples.
    #[error("{samples:e} samples are too many; choose a shorter interval, or write rows at equal intervals")]
    Many {
        /// Their number.
        samples: f64,
    },
    /// More blocks than samples.
    #[error("{blocks} blocks of {samples} samples are too short; use fewer blocks, or write more rows")]
    Blocks {
        /// Their number.
        blocks: usize,
        /// The number of samples.
        samples: usize,
    },
}

/// Amplitudes over frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Distance of the lines, in 1/s or per turn.
    pub spacing: f64,
    /// Lines of 0, 1, 2, .. spacings: amplitude and phase of A cos(2 pi f t + phase), with t from the first
    /// sample. The first line is the mean.
    pub lines: Vec<Complex>,
    /// The mean.
    pub mean: f64,
    /// Root of the mean square of the deviations from the mean.
    pub rms: f64,
    /// Weights of the samples.
    pub window: Window,
}

/// A line that stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Its frequency, in 1/s or per turn, between the lines.
    pub frequency: f64,
    /// Its amplitude.
    pub amplitude: f64,
    /// The phase of A cos(2 pi f t + phase), with t from the first sample, in rad.
    pub phase: f64,
}

impl Spectrum {
    /// The spectrum of samples at this distance.
    pub fn of(values: &[f64], step: f64, window: Window) -> Self {
        let n = values.len().max(1);
        let mean = values.iter().sum::<f64>() / n as f64;
        let rms = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        let weighted: Vec<f64> =
            values.iter().enumerate().map(|(j, x)| window.weight(j, n) * (x - mean)).collect();
        let sum: f64 = (0..n).map(|j| window.weight(j, n)).sum();
        let mut lines = fourier::transform(&weighted);
        for (k, line) in lines.iter_mut().enumerate() {
            // The highest frequency of an even number has no partner.
            *line *= if 2 * k == n { 1.0 } else { 2.0 } / sum;
        }
        if let Some(first) = lines.first_mut() {
            *first = Complex::new(mean, 0.0);
        }
        Spectrum { spacing: 1.0 / (n as f64 * step), lines, mean, rms, window }
    }

    /// Frequencies of the lines.
    pub fn frequencies(&self) -> Vec<f64> {
        (0..self.lines.len()).map(|k| k as f64 * self.spacing).collect()
    }

    /// Amplitudes of the lines; the first one is the size of the mean.
    pub fn amplitudes(&self) -> Vec<f64> {
        self.lines.iter().map(|x| x.norm()).collect()
    }

    /// The highest lines up to a frequency, the highest first, each where it is between its neighbours: a
    /// single sine is found exactly with [`Window::Hann`] and [`Window::None`].
    pub fn peaks(&self, most: usize, up_to: f64) -> Vec<Peak> {
        let a = self.amplitudes();
        let at = |k: usize| a.get(k).copied().unwrap_or(0.0);
        let largest = a.iter().skip(1).copied().fold(0.0, f64::max);
        let reach = if self.window == Window::FlatTop { 4 } else { 2 };
        let is_top = |k: usize| {
            (k.saturating_sub(reach)..=k + reach)
                .all(|j| j == 0 || j == k || at(j) < at(k) || (at(j) == at(k) && j > k))
        };
        let mut peaks: Vec<Peak> = (1..a.len())
            .filter(|&k| at(k) > SMALL * largest && is_top(k))
            .map(|k| self.refined(k))
            .filter(|p| p.frequency <= up_to)
            .collect();
        peaks.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
        peaks.truncate(most);
        peaks
    }

    /// A peak between the lines. A sine at k + d has lines of |W(d - j)|: for no window sinc(d), for Hann
    /// sinc(d)/(1 - d^2); the ratio of two neighbours gives d.
    fn refined(&self, k: usize) -> Peak {
        let line = |k: usize| self.lines.get(k).copied().unwrap_or(Complex::new(0.0, 0.0));
        let [left, centre, right] = [line(k - 1), line(k), line(k + 1)].map(|x| x.norm());
        // The first line is the mean and no neighbour.
        let left = if k == 1 { 0.0 } else { left };
        let (neighbour, sign) = if right >= left { (right, 1.0) } else { (left, -1.0) };
        let ratio = neighbour / centre.max(f64::MIN_POSITIVE);
        let d = match self.window {
            Window::None => sign * ratio / (1.0 + ratio),
            Window::Hann => sign * ((2.0 * ratio - 1.0) / (1.0 + ratio)).max(0.0),
            Window::FlatTop => {
                let below = left - 2.0 * centre + right;
                if below < 0.0 { (0.5 * (left - right) / below).clamp(-0.5, 0.5) } else { 0.0 }
            }
        };
        let sinc = if d.abs() < 1e-9 { 1.0 } else { (PI * d).sin() / (PI * d) };
        let lost = match self.window {
            Window::None => sinc,
            Window::Hann => sinc / (1.0 - d * d),
            Window::FlatTop => 1.0,
        };
        // The middle of the samples turns the phase by pi d.
        let phase = (line(k).arg() - PI * d + PI).rem_euclid(TAU) - PI;
        Peak { frequency: (k as f64 + d) * self.spacing, amplitude: centre / lost, phase }
    }

    /// Share of the highest tenth of the frequencies in the mean square; 0.1 for white noise.
    fn share_at_the_top(&self) -> f64 {
        let power = |part: &[Complex]| part.iter().map(|x| x.norm_sqr()).sum::<f64>();
        let all = power(self.lines.get(1..).unwrap_or(&[]));
        let from = self.lines.len() - self.lines.len() / 10;
        power(self.lines.get(from..).unwrap_or(&[])) / all.max(f64::MIN_POSITIVE)
    }
}

/// Lines below this part of the largest are no peaks.
const SMALL: f64 = 1e-3;

/// Spectra of overlapping parts of the samples, each half over the next one.
pub fn blocks(
    samples: &Samples,
    blocks: usize,
    whole: bool,
    window: Window,
) -> Result<Vec<(f64, Spectrum)>, SpectrumError> {
    let n = samples.len();
    let short = || SpectrumError::Blocks { blocks, samples: n };
    let mut length = 2 * n / (blocks + 1);
    if whole {
        // Whole revolutions, so that orders are lines.
        let turn = (1.0 / samples.step).round().max(1.0) as usize;
        length = (length / turn).max(1) * turn;
    }
    if length < 8 || length > n {
        return Err(short());
    }
    let first = |k: usize| if blocks > 1 { k * (n - length) / (blocks - 1) } else { 0 };
    let part = |k: usize| {
        let values = samples.values.get(first(k)..first(k) + length).ok_or_else(short)?;
        let middle = samples.start + (first(k) as f64 + 0.5 * length as f64) * samples.step;
        Ok((middle, Spectrum::of(values, samples.step, window)))
    };
    (0..blocks).map(part).collect()
}

#[cfg(test)]
mod tests;
