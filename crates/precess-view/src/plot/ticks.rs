//! Positions and labels of the ticks of an axis.

use crate::plot::figure::Scale;
use crate::plot::text;

/// A label: digits, and a power of ten as superscript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    pub text: String,
    pub exponent: String,
}

/// Size of superscripts relative to other digits.
pub const RAISED: f64 = 0.75;

impl Label {
    fn plain(text: String) -> Self {
        Label { text, exponent: String::new() }
    }

    pub fn width(&self, size: f64) -> f64 {
        text::width(&self.text, size) + text::width(&self.exponent, RAISED * size)
    }
}

/// Ticks in the lengths of the axis (logarithms on a logarithmic axis).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    pub major: Vec<(f64, Label)>,
    pub minor: Vec<f64>,
    /// Power of ten by which the labels must be multiplied.
    pub factor: i32,
    /// Number that must be added to the labels.
    pub offset: f64,
}

/// Replaces the hyphen by a minus sign, which is as wide as a plus.
fn minus(text: String) -> String {
    text.replace('-', "\u{2212}")
}

fn power(exponent: i32) -> Label {
    Label { text: "10".to_string(), exponent: minus(exponent.to_string()) }
}

/// Ticks for the range `low..high` (lengths) on `room` pixels; `fits` tells whether two neighbouring labels
/// `gap` pixels apart do not overlap.
pub fn ticks(
    scale: Scale,
    [low, high]: [f64; 2],
    room: f64,
    fits: &dyn Fn(&Label, &Label, f64) -> bool,
) -> Ticks {
    match scale {
        Scale::Linear => linear(low, high, room, fits),
        Scale::Log => logarithmic(low, high, room, fits),
    }
}

fn all_fit(t: &Ticks, pixels: f64, fits: &dyn Fn(&Label, &Label, f64) -> bool) -> bool {
    t.major.windows(2).all(|p| fits(&p[0].1, &p[1].1, (p[1].0 - p[0].0) * pixels))
}

fn linear(low: f64, high: f64, room: f64, fits: &dyn Fn(&Label, &Label, f64) -> bool) -> Ticks {
    let pixels = room / (high - low);
    // 1, 2, 5 times a power of ten, from fine to coarse.
    let finest = ((high - low).log10() - 1.5).floor() as i32;
    for exponent in finest..finest + 4 {
        for (mantissa, parts) in [(1.0, 5), (2.0, 4), (5.0, 5)] {
            let step = mantissa * 10_f64.powi(exponent);
            let t = linear_with(low, high, step, parts);
            if step * pixels >= 26.0 && all_fit(&t, pixels, fits) {
                return t;
            }
        }
    }
    linear_with(low, high, high - low, 1)
}

/// More ticks than any axis has: there are no numbers between the ends of the range.
const TOO_MANY: f64 = 1e4;

fn linear_with(low: f64, high: f64, step: f64, parts: i64) -> Ticks {
    if !(step.is_normal() && (high - low) / step < TOO_MANY) {
        return Ticks::default();
    }
    let slack = 1e-9 * (high - low);
    let first = ((low - slack) / step).ceil();
    let last = ((high + slack) / step).floor();
    let values: Vec<f64> =
        (0..=((last - first).max(0.0) as usize)).map(|i| (first + i as f64) * step).collect();
    let fine = step / parts as f64;
    let minor = (((low - slack) / fine).ceil() as i64..=((high + slack) / fine).floor() as i64)
        .filter(|i| i % parts != 0)
        .map(|i| i as f64 * fine)
        .collect();
    let largest = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    // Many equal leading digits are written once, at the axis.
    let offset = if largest > 2e4 * step { values[values.len() / 2] } else { 0.0 };
    let largest = if offset == 0.0 { largest } else { high - low };
    let magnitude = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
    let factor = if (-3..5).contains(&magnitude) { 0 } else { magnitude };
    let unit = 10_f64.powi(factor);
    let decimals = (-(step / unit).log10().floor()).clamp(0.0, 20.0) as usize;
    let label = |x: f64| {
        let text = format!("{:.decimals$}", (x - offset) / unit);
        // Avoids "-0".
        let zero = text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
        Label::plain(minus(if zero { text.trim_start_matches('-').to_string() } else { text }))
    };
    Ticks { major: values.iter().map(|&x| (x, label(x))).collect(), minor, factor, offset }
}

fn logarithmic(low: f64, high: f64, room: f64, fits: &dyn Fn(&Label, &Label, f64) -> bool) -> Ticks {
    let pixels = room / (high - low);
    let slack = 1e-9 * (high - low);
    let (first, last) = ((low - slack).ceil() as i32, (high + slack).floor() as i32);
    let inside = |x: f64| x >= low - slack && x <= high + slack;
    if last - first >= 2 || high - low > 1.7 {
        for stride in [1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500] {
            let major: Vec<_> = (first..=last)
                .filter(|e| e.rem_euclid(stride) == 0)
                .map(|e| (f64::from(e), power(e)))
                .collect();
            let t = Ticks { major, ..Ticks::default() };
            if f64::from(stride) * pixels < 24.0 || !all_fit(&t, pixels, fits) {
                continue;
            }
            let minor: Vec<f64> = if stride > 1 {
                (first..=last).filter(|e| e.rem_euclid(stride) != 0).map(f64::from).collect()
            } else {
                (first - 1..=last)
                    .flat_map(|e| (2..10).map(move |m| f64::from(e) + f64::from(m).log10()))
                    .filter(|&x| inside(x))
                    .collect()
            };
            // Closer minor ticks would look like a grey bar.
            let minor = if stride == 1 && pixels < 20.0 { Vec::new() } else { minor };
            return Ticks { minor, ..t };
        }
    }
    // Less than two decades: multiples get labels, too.
    let mantissas =
        [&[1, 2, 3, 4, 5, 6, 7, 8, 9][..], &[1, 2, 3, 5][..], &[1, 2, 5][..], &[1, 3][..], &[1][..]];
    for list in mantissas {
        let mut major = Vec::new();
        for e in first - 1..=last {
            for &m in list {
                let x = f64::from(e) + f64::from(m).log10();
                if inside(x) {
                    let label = match (m, e) {
                        (1, _) => power(e),
                        _ => Label { text: format!("{m}\u{b7}10"), exponent: minus(e.to_string()) },
                    };
                    major.push((x, label));
                }
            }
        }
        let t = Ticks { major, ..Ticks::default() };
        if t.major.len() >= 2 && all_fit(&t, pixels, fits) {
            return t;
        }
    }
    // Less than a factor of two: linear ticks, unevenly spaced.
    let (a, b) = (10_f64.powf(low), 10_f64.powf(high));
    let t = linear(a, b, room * 0.8, fits);
    Ticks {
        major: t.major.into_iter().filter(|(x, _)| *x > 0.0).map(|(x, l)| (x.log10(), l)).collect(),
        minor: t.minor.into_iter().filter(|x| *x > 0.0).map(f64::log10).collect(),
        ..t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: &Label, b: &Label, gap: f64) -> bool {
        gap > 0.5 * (a.width(11.0) + b.width(11.0)) + 6.0
    }

    fn value(label: &Label, t: &Ticks, scale: Scale) -> f64 {
        let text = label.text.replace('\u{2212}', "-");
        let exponent: i32 = label.exponent.replace('\u{2212}', "-").parse().unwrap_or(0);
        let number = match text.split_once('\u{b7}') {
            Some((m, _)) => m.parse::<f64>().unwrap() * 10_f64.powi(exponent),
            None if scale == Scale::Log && !label.exponent.is_empty() => 10_f64.powi(exponent),
            None => text.parse::<f64>().unwrap(),
        };
        number * 10_f64.powi(t.factor) + t.offset
    }

    /// Labels match the ticks, do not overlap, and are sufficient.
    #[test]
    fn labels_are_true_and_apart() {
        for scale in [Scale::Linear, Scale::Log] {
            for low in [1e-9, 0.37e-3, 0.1, 0.9, 1.0, 7.7, 123.0, 5435.69, 9.99e6] {
                for ratio in [1.000001, 1.01, 1.3, 2.0, 5.0, 30.0, 1e3, 1e7, 1e14] {
                    for room in [110.0, 300.0, 520.0] {
                        let ends = [scale.apply(low), scale.apply(low * ratio)];
                        let t = ticks(scale, ends, room, &apart);
                        let case = format!("{scale:?} {low} {ratio} {room}: {t:?}");
                        let pixels = room / (ends[1] - ends[0]);
                        assert!(t.major.len() >= 2 || room < 120.0, "{case}");
                        assert!(t.major.len() <= 30, "{case}");
                        for p in t.major.windows(2) {
                            assert!(apart(&p[0].1, &p[1].1, (p[1].0 - p[0].0) * pixels), "{case}");
                        }
                        for (x, label) in &t.major {
                            let exact = if scale == Scale::Log { 10_f64.powf(*x) } else { *x };
                            let shown = value(label, &t, scale);
                            let span = low * (ratio - 1.0);
                            assert!(
                                (shown - exact).abs() <= 1e-6 * span.max(1e-9 * exact),
                                "{case}: {shown} {exact}"
                            );
                            assert!(*x >= ends[0] - 1e-6 * (ends[1] - ends[0]), "{case}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn zero_has_no_sign() {
        let t = ticks(Scale::Linear, [-1.0, 1.0], 300.0, &apart);
        assert!(
            t.major.iter().any(|(_, l)| l.text == "0.0")
                && t.major.iter().all(|(_, l)| l.text != "\u{2212}0.0")
        );
    }
}
