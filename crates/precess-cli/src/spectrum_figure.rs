//! Pictures of spectra: lines over frequency or order, and waterfalls.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::spectrum::{Peak, Samples, Spectrum};
use precess_view::plot::{Axis, Cell, Figure, Map, Panel, Scale, Series};

/// The spectrum of one quantity.
pub struct Found {
    /// The quantity as typed.
    pub name: String,
    pub unit: String,
    pub samples: Samples,
    pub whole: Spectrum,
    pub peaks: Vec<Peak>,
    /// Middle of every part in time or turns, the speed of the shaft there in rad/s, and the spectrum.
    pub blocks: Vec<Block>,
}

/// A part of a waterfall.
pub struct Block {
    /// Time in the middle, in s.
    pub time: f64,
    /// Speed of the shaft there in turns per second, if there is a shaft.
    pub speed: Option<f64>,
    pub spectrum: Spectrum,
}

/// What all spectra of a command share.
pub struct Scales {
    /// True for orders of a shaft.
    pub orders: bool,
    /// The highest frequency or order to show.
    pub up_to: f64,
}

impl Scales {
    /// Name and unit of the axis of frequencies.
    pub fn axis(&self) -> (&'static str, &'static str) {
        if self.orders { ("order", "per turn") } else { ("frequency", "Hz") }
    }
}

/// Largest number of columns of a waterfall; lines between share one with the highest of them.
const MAX_COLUMNS: usize = 240;
/// Darkest colour of a waterfall, relative to the highest line.
const RANGE: f64 = 1e-3;

/// One panel per quantity: its spectrum, or its waterfall.
pub fn figure(found: &[Found], scales: &Scales) -> Figure {
    let (axis, unit) = scales.axis();
    let mut figure = Figure::new("").panel_size(720.0, 320.0);
    for f in found {
        let x = Axis::linear(axis, unit);
        let panel = if f.blocks.is_empty() { lines(f, scales, x) } else { waterfall(f, scales, x) };
        figure = figure.panel(panel);
    }
    figure
}

/// The largest frequency worth showing: where the last line of a thousandth of the highest one is.
fn end(spectra: &[&Spectrum], up_to: f64) -> f64 {
    let highest = spectra.iter().flat_map(|s| s.amplitudes().into_iter().skip(1)).fold(0.0, f64::max);
    let last = |s: &&Spectrum| {
        s.amplitudes().iter().rposition(|a| *a > RANGE * highest).map_or(0.0, |k| k as f64 * s.spacing)
    };
    let last = spectra.iter().map(last).fold(0.0, f64::max);
    if last > 0.0 { up_to.min(1.2 * last) } else { up_to }
}

fn lines(f: &Found, scales: &Scales, x: Axis) -> Panel {
    let top = end(&[&f.whole], scales.up_to);
    let all = f.whole.frequencies().into_iter().zip(f.whole.amplitudes()).skip(1);
    let (frequencies, amplitudes): (Vec<f64>, Vec<f64>) = all.take_while(|(x, _)| *x <= top).unzip();
    let peaks = f.peaks.iter().filter(|p| p.frequency <= top).map(|p| (p.frequency, p.amplitude));
    let (px, py): (Vec<f64>, Vec<f64>) = peaks.unzip();
    let panel = Panel::new(f.name.clone())
        .x(x.range(0.0, top))
        .y(Axis::linear("amplitude", f.unit.clone()))
        .series(Series::line("", frequencies, amplitudes));
    if px.is_empty() { panel } else { panel.series(Series::markers("peaks", px, py).colour(1)) }
}

fn waterfall(f: &Found, scales: &Scales, x: Axis) -> Panel {
    let spectra: Vec<&Spectrum> = f.blocks.iter().map(|b| &b.spectrum).collect();
    let top = end(&spectra, scales.up_to);
    let spacing = spectra.first().map_or(1.0, |s| s.spacing);
    let lines = ((top / spacing).floor() as usize + 1).max(2);
    let group = lines.div_ceil(MAX_COLUMNS);
    let columns = lines.div_ceil(group);
    let cell = |s: &Spectrum, column: usize| {
        let part = s.lines.iter().enumerate().skip(column * group).take(group).filter(|(k, _)| *k > 0);
        part.map(|(_, x)| x.norm()).fold(0.0, f64::max)
    };
    // Rows are drawn from top to bottom: the last part is at the top.
    let values: Vec<f64> =
        spectra.iter().rev().flat_map(|s| (0..columns).map(|c| cell(s, c)).collect::<Vec<_>>()).collect();
    let highest = values.iter().copied().fold(0.0, f64::max);
    let low = RANGE * highest;
    let cells = values.into_iter().map(|v| Cell { value: v.max(low), class: None, marked: false }).collect();
    let row = |b: &Block| match b.speed {
        Some(speed) => format!("{:.0}", 60.0 * speed),
        None => format!("{:.3}", b.time),
    };
    let map = Map {
        x: (0..columns).map(|c| short((c * group) as f64 * spacing)).collect(),
        y: f.blocks.iter().rev().map(row).collect(),
        values: (label(f), [low, highest].map(|x| format!("{x:.2e}").parse().unwrap_or(x))),
        scale: Scale::Log,
        classes: Vec::new(),
        mark: String::new(),
        cells,
    };
    let y = match f.blocks.iter().any(|b| b.speed.is_some()) {
        true => Axis::linear("speed", "rpm"),
        false => Axis::linear("time", "s"),
    };
    Panel::new(f.name.clone()).x(x).y(y).map(map)
}

fn label(f: &Found) -> String {
    if f.unit.is_empty() { "amplitude".to_string() } else { format!("amplitude, {}", f.unit) }
}

fn short(x: f64) -> String {
    format!("{}", format!("{x:.2e}").parse::<f64>().unwrap_or(x))
}
