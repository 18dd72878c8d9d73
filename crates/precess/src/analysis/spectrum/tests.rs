//! Signals with known spectra.

use super::*;
use crate::study::larger;
use crate::study::results::{Column, Results};

fn column(name: &str, unit: &str, values: Vec<f64>) -> Column {
    Column { values, ..Column::scalar(name, unit) }
}

fn results(t: &[f64], columns: Vec<Column>) -> Results {
    let mut results = Results::default();
    results.columns.push(column("t", "s", t.to_vec()));
    results.columns.extend(columns);
    results
}

const ALWAYS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Parseval: the mean square of the samples is that of the lines.
#[test]
fn mean_squares_are_equal() {
    for n in [64, 100, 243] {
        let x: Vec<f64> = (0..n).map(|j| ((j * j * 7919) % 1000) as f64 / 500.0 - 0.7).collect();
        let s = Spectrum::of(&x, 0.01, Window::None);
        let square = x.iter().map(|x| x * x).sum::<f64>() / n as f64;
        let line = |(k, a): (usize, &Complex)| a.norm_sqr() * if 2 * k == n { 1.0 } else { 0.5 };
        let lines: f64 = s.mean * s.mean + s.lines.iter().enumerate().skip(1).map(line).sum::<f64>();
        assert!((lines / square - 1.0).abs() < 1e-13, "{n}: {lines} {square}");
        assert!((s.mean * s.mean + s.rms * s.rms - square).abs() < 1e-13 * square);
    }
}

/// A sine with whole periods is one line with its amplitude and phase; all others are zero.
#[test]
fn a_sine_is_one_line() {
    let (n, step, amplitude, phase) = (500, 1e-3, 2.5, 0.7);
    let x: Vec<f64> =
        (0..n).map(|j| 4.0 + amplitude * (TAU * 40.0 * j as f64 * step + phase).cos()).collect();
    let s = Spectrum::of(&x, step, Window::None);
    assert!((s.spacing - 2.0).abs() < 1e-14 && (s.mean - 4.0).abs() < 1e-14);
    for (k, a) in s.lines.iter().enumerate().skip(1) {
        let expected = if k == 20 { Complex::from_polar(amplitude, phase) } else { Complex::new(0.0, 0.0) };
        assert!((a - expected).norm() < 1e-12, "{k}: {a}");
    }
}

/// Between the lines, a peak has the right frequency, amplitude and phase with every window.
#[test]
fn peaks_lie_between_lines() {
    let (n, step) = (2000, 1e-3);
    for part in [0.0, 0.13, 0.35, 0.5, 0.8] {
        let (f, amplitude, phase) = (0.5 * (100.0 + part), 3.0, -1.1);
        let x: Vec<f64> =
            (0..n).map(|j| amplitude * (TAU * f * j as f64 * step + phase).cos() - 2.0).collect();
        for (window, tolerance, off) in
            [(Window::Hann, 2e-5, 1e-5), (Window::None, 2e-2, 5e-3), (Window::FlatTop, 2e-3, 0.1)]
        {
            let peak = Spectrum::of(&x, step, window).peaks(1, f64::INFINITY)[0];
            assert!((peak.frequency - f).abs() < off, "{window:?} {part}: {peak:?}");
            assert!((peak.amplitude / amplitude - 1.0).abs() < tolerance, "{window:?} {part}: {peak:?}");
            if window == Window::Hann {
                assert!((peak.phase - phase).abs() < 1e-3, "{window:?} {part}: {peak:?}");
            }
        }
    }
}

/// A run-up with irregular rows: orders 1 and 3.5 stay lines with their amplitudes while the frequency grows
/// by a factor of four.
#[test]
fn orders_stay_in_a_run_up() {
    let t: Vec<f64> =
        (0..8000).map(|k| k as f64 / 8000.0).map(|s| 6.0 * (s + 0.02 * (9.0 * s).sin())).collect();
    let turns = |t: f64| 2.0 * t + 0.5 * t * t;
    let wrapped = |x: f64| TAU * (x - x.round());
    let angle: Vec<f64> = t.iter().map(|t| wrapped(turns(*t))).collect();
    let x: Vec<f64> = t
        .iter()
        .map(|t| 1.5 + (TAU * turns(*t) + 0.4).cos() + 0.25 * (3.5 * TAU * turns(*t)).cos())
        .collect();
    let r = results(&t, vec![column("angle", "rad", angle), column("x", "mm", x)]);
    let over = Abscissa::Turns("angle".into());
    let (samples, unit) = samples(&r, "x", &over, ALWAYS, false).unwrap();
    assert_eq!(unit, "mm");
    let s = Spectrum::of(&samples.values, samples.step, Window::Hann);
    let peaks = s.peaks(5, f64::INFINITY);
    assert_eq!(peaks.len(), 2, "{peaks:?}");
    for (peak, order, amplitude) in [(peaks[0], 1.0, 1.0), (peaks[1], 3.5, 0.25)] {
        assert!((peak.frequency - order).abs() < 1e-4, "{peak:?}");
        assert!((peak.amplitude - amplitude).abs() < 1e-4, "{peak:?}");
    }
    assert!((peaks[0].phase - 0.4).abs() < 1e-2, "{peaks:?}");
    // Over time, no line has more than half of it.
    let (over_time, _) = super::samples(&r, "x", &Abscissa::Time, ALWAYS, false).unwrap();
    let s = Spectrum::of(&over_time.values, over_time.step, Window::Hann);
    assert!(s.peaks(1, f64::INFINITY)[0].amplitude < 0.5);
    // In every block of a waterfall it is order 1; in time the frequency follows the speed.
    let over_turns = blocks(&samples, 9, true, Window::Hann).unwrap();
    let orders = over_turns.iter().map(|(_, s)| s.peaks(1, f64::INFINITY)[0].frequency);
    assert!(orders.map(|o| (o - 1.0).abs()).fold(0.0, larger) < 1e-3);
    for (middle, s) in blocks(&over_time, 9, false, Window::Hann).unwrap() {
        let f = s.peaks(1, f64::INFINITY)[0].frequency;
        assert!((f / (2.0 + middle) - 1.0).abs() < 0.15, "{middle}: {f}");
    }
}

/// A shaft that turns back has no orders; an angle is needed; one whole turn is needed.
#[test]
fn orders_need_a_shaft() {
    let t: Vec<f64> = (0..200).map(|k| 0.01 * k as f64).collect();
    let back: Vec<f64> = t.iter().map(|t| (2.0 * t).sin()).collect();
    let slow: Vec<f64> = t.iter().map(|t| 0.1 * t).collect();
    let r =
        results(&t, vec![column("a", "rad", back), column("b", "rad", slow), column("x", "m", t.clone())]);
    let refused =
        |name: &str| samples(&r, "x", &Abscissa::Turns(name.into()), ALWAYS, false).unwrap_err().to_string();
    assert!(refused("a").contains("one direction"), "{}", refused("a"));
    assert!(refused("b").contains("one whole revolution"), "{}", refused("b"));
    assert!(refused("x").contains("no angle"), "{}", refused("x"));
}

/// What rows cannot show is refused: white noise at equal rows, and a body that vibrates between rows.
#[test]
fn folded_vibrations_are_refused() {
    let t: Vec<f64> = (0..1000).map(|k| 1e-3 * k as f64).collect();
    let noise: Vec<f64> =
        (0..1000_u64).map(|k| (k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64).collect();
    let r = results(&t, vec![column("x", "N", noise)]);
    let e = samples(&r, "x", &Abscissa::Time, ALWAYS, false).unwrap_err().to_string();
    assert!(e.contains("'x'") && e.contains("every 200us"), "{e}");
    assert!(samples(&r, "x", &Abscissa::Time, ALWAYS, true).is_ok());
    // 980 Hz in rows of 1 ms looks like 20 Hz.
    for (f, is_folded) in [(20.0, false), (100.0, false), (250.0, false), (980.0, true), (700.0, true)] {
        let vector = |name: &str, unit: &str, x: &dyn Fn(f64) -> f64| {
            let parts = ["x", "y", "z"].map(|k| format!("{name}.{k}")).to_vec();
            let values = t.iter().flat_map(|t| [x(*t), 0.0, 0.0]).collect();
            Column { values, ..Column::vector(name, unit, parts) }
        };
        let x = |t: f64| 1e-3 * (TAU * f * t).sin() + 0.3 * t;
        let v = |t: f64| 1e-3 * TAU * f * (TAU * f * t).cos() + 0.3;
        let r = results(&t, vec![vector("a.position", "m", &x), vector("a.velocity", "m/s", &v)]);
        let found = samples(&r, "a.position.x - 0.3*t", &Abscissa::Time, ALWAYS, false);
        assert_eq!(found.is_err(), is_folded, "{f} Hz: {:?}", found.err());
    }
}
