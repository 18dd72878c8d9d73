//! Colours that colour-blind people can distinguish.

/// Colours of series (Okabe and Ito 2008, without its yellow, which is too pale on white, and with grey as
/// the eighth).
pub const SERIES: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"];

/// Text and frames.
pub const INK: &str = "#222222";
/// Minor text: tick labels.
pub const SOFT: &str = "#444444";
/// Grid.
pub const GRID: &str = "#e4e4e4";
/// Reference lines.
pub const REFERENCE: &str = "#8a8a8a";

/// Colour of the n-th series.
pub fn series(n: usize) -> &'static str {
    SERIES[n % SERIES.len()]
}

/// Dash pattern of the n-th series; series of the same colour differ in it. Empty is a solid line.
pub fn dash(n: usize) -> &'static [f64] {
    [&[][..], &[6.0, 3.0], &[2.0, 2.5], &[8.0, 3.0, 2.0, 3.0]][n % 4]
}

/// Position of a constant value on the scale from 0 to 1.
pub const CONSTANT: f64 = 0.4;

/// Light to dark blue for `x` from 0 to 1.
pub fn sequential(x: f64) -> String {
    let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 1.0 };
    let mix = |from: f64, to: f64| (from + x * (to - from)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(240.0, 40.0), mix(246.0, 98.0), mix(252.0, 165.0))
}
