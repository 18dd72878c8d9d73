//! Samples of a quantity of results, over time or over the revolutions of a shaft.

use super::{Samples, Spectrum, SpectrumError, Window};
use crate::Error;
use crate::study::results::Results;

/// What samples are taken over.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Abscissa {
    /// Time.
    #[default]
    Time,
    /// Revolutions of this angle in rad: the spectrum is over orders.
    Turns(String),
}

/// Share of the highest tenth of the frequencies from which a signal has more in it than the rows show.
const AT_THE_TOP: f64 = 0.01;

/// Why there are no samples: a wrong name, or a [`SpectrumError`].
type Refused = Box<dyn std::error::Error + Send + Sync>;

/// Samples of a quantity (a column, a component or a formula of them) in an interval of time, and its unit.
/// Rows that are too far apart are refused, unless `folded` allows them.
pub fn samples(
    results: &Results,
    quantity: &str,
    over: &Abscissa,
    interval: [f64; 2],
    folded: bool,
) -> Result<(Samples, String), Refused> {
    let (t, _) = results.evaluate("t")?;
    let (x, unit) = results.evaluate(quantity)?;
    let inside = |t: f64| t >= interval[0] && t <= interval[1];
    let cut =
        |x: &[f64]| -> Vec<f64> { x.iter().zip(&t).filter(|(_, t)| inside(**t)).map(|(x, _)| *x).collect() };
    let (times, values) = (cut(&t), cut(&x));
    let samples = match over {
        Abscissa::Time => Samples::new(&times, &values, false)?,
        Abscissa::Turns(name) => {
            let (angle, unit) = results.evaluate(name)?;
            if unit != "rad" && unit != "deg" {
                let message = format!("'{name}' is no angle: its unit is '{unit}'");
                return Err(Error::Input { message }.into());
            }
            let turn = if unit == "deg" { 360.0 } else { std::f64::consts::TAU };
            let turns = one_direction(name, &times, &unwrapped(&cut(&angle), turn))?;
            Samples::new(&turns, &values, true)?
        }
    };
    if !folded {
        refuse_folded(quantity, &samples, over)?;
        refuse_fast_bodies(results, interval)?;
    }
    Ok((samples, unit))
}

/// Revolutions, without jumps of a whole turn.
fn unwrapped(angle: &[f64], turn: f64) -> Vec<f64> {
    let (mut whole, mut last) = (0.0, angle.first().copied().unwrap_or(0.0) / turn);
    let next = |x: &f64| {
        let x = x / turn;
        whole -= (x - last).round();
        last = x;
        x + whole
    };
    angle.iter().map(next).collect()
}

/// Revolutions that grow; a shaft that turns the other way is counted backwards.
fn one_direction(name: &str, t: &[f64], turns: &[f64]) -> Result<Vec<f64>, SpectrumError> {
    let forward = turns.last() >= turns.first();
    let turns: Vec<f64> = turns.iter().map(|x| if forward { *x } else { -x }).collect();
    let back = turns.windows(2).zip(t.windows(2)).find(|(x, t)| x[1] < x[0] || (x[1] == x[0] && t[1] > t[0]));
    match back {
        Some((_, t)) => Err(SpectrumError::TurnsBack { name: name.to_string(), from: t[0], to: t[1] }),
        None => Ok(turns),
    }
}

/// A shorter interval of rows, in words.
fn shorter(seconds: f64) -> String {
    let digits = 10f64.powf(seconds.log10().floor());
    let round = (seconds / digits + 1e-9).floor().max(1.0) * digits;
    match round {
        x if x >= 1e-3 => format!("{}ms", short(1e3 * x)),
        x => format!("{}us", short(1e6 * x)),
    }
}

fn short(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

/// Refuses samples whose spectrum does not end below the highest frequency.
fn refuse_folded(name: &str, samples: &Samples, over: &Abscissa) -> Result<(), SpectrumError> {
    if samples.interpolated {
        return Ok(());
    }
    let spectrum = Spectrum::of(&samples.values, samples.step, Window::Hann);
    let share = spectrum.share_at_the_top();
    let size = samples.values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    // Rounding errors of a constant are white noise.
    if !(share > AT_THE_TOP) || spectrum.rms <= 1e-9 * size || *over != Abscissa::Time {
        return Ok(());
    }
    let top = 0.5 / samples.step;
    let why = format!(
        "{:.0} % of its mean square is between {:.4} and {top:.4} Hz, where its spectrum should have ended",
        100.0 * share,
        0.9 * top
    );
    Err(SpectrumError::Folded { name: name.to_string(), why, every: shorter(0.2 * samples.step) })
}

/// Refuses rows between which a body vibrates: its velocities do not fit its positions.
fn refuse_fast_bodies(results: &Results, interval: [f64; 2]) -> Result<(), SpectrumError> {
    let Some((t, _)) = results.numbers("t") else { return Ok(()) };
    let rows: Vec<usize> = t
        .iter()
        .enumerate()
        .filter(|(_, t)| **t >= interval[0] && **t <= interval[1])
        .map(|(i, _)| i)
        .collect();
    let mut found: Vec<(&str, f64, f64)> = Vec::new();
    for column in &results.columns {
        let Some(body) = column.name.strip_suffix(".position") else { continue };
        let Some(velocity) = results.column(&format!("{body}.velocity")) else { continue };
        let (mut error, mut size) = (0.0, 0.0);
        let speeds: Vec<&[f64]> = rows.iter().map(|&i| velocity.row(i)).collect();
        let mean: Vec<f64> = (0..3)
            .map(|k| speeds.iter().filter_map(|v| v.get(k)).sum::<f64>() / speeds.len().max(1) as f64)
            .collect();
        for pair in rows.windows(2) {
            let (x, v) =
                ([column.row(pair[0]), column.row(pair[1])], [velocity.row(pair[0]), velocity.row(pair[1])]);
            let h = t[pair[1]] - t[pair[0]];
            let at = |list: [&[f64]; 2], k: usize| list.map(|x| x.get(k).copied().unwrap_or(f64::NAN));
            for (k, mean) in mean.iter().enumerate() {
                let ([x0, x1], [v0, v1]) = (at(x, k), at(v, k));
                error += (x1 - x0 - 0.5 * h * (v0 + v1)).powi(2);
                size += 0.5 * h * h * ((v0 - mean).powi(2) + (v1 - mean).powi(2));
            }
        }
        found.push((body, error.sqrt(), size.sqrt()));
    }
    let largest = found.iter().map(|f| f.2).fold(0.0, f64::max);
    for (body, error, size) in found {
        // Half of it: 1.3 rows per half period.
        if error > 0.5 * size && error > 1e-3 * largest {
            let why = format!(
                "the velocities of body '{body}' explain its positions only to {:.0} %",
                100.0 * error / size
            );
            let h = t.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
            return Err(SpectrumError::Folded { name: body.to_string(), why, every: shorter(0.1 * h) });
        }
    }
    Ok(())
}
