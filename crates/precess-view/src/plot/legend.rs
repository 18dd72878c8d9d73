//! Names of series in rows or in a column.

use crate::plot::drawing::{Anchor, Area, Drawing, Item};
use crate::plot::figure::{Panel, Scale, Style};
use crate::plot::{palette, text};

/// The sample before a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// Colour, dash, style and shape of the marker.
    Curve(String, Vec<f64>, Style, usize),
    /// A filled square.
    Square(String),
    /// Colours from light to dark.
    Gradient,
    /// A white dot.
    Dot,
}

/// A line of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    pub sample: Sample,
}

pub const SIZE: f64 = 11.0;
pub const ROW: f64 = 17.0;
const SAMPLE: f64 = 26.0;
const GAP: f64 = 16.0;

/// Number of the colour of a series, its dash and its marker.
pub fn look(panel: &Panel, k: usize) -> (&'static str, &'static [f64], usize) {
    let s = &panel.series[k];
    let n = s.colour.unwrap_or(k);
    let round = n / palette::SERIES.len();
    (palette::series(n), palette::dash(s.dash.unwrap_or(round)), n + round)
}

fn number(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

/// Entries of a panel.
pub fn entries(panel: &Panel) -> Vec<Entry> {
    let mut list: Vec<Entry> = Vec::new();
    for (k, s) in panel.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
        let (colour, dash, shape) = look(panel, k);
        let sample = Sample::Curve(colour.to_string(), dash.to_vec(), s.style, shape);
        list.push(Entry { name: s.name.clone(), sample });
    }
    if let Some(map) = &panel.map {
        let (what, [low, high]) = &map.values;
        if !what.is_empty() {
            let scale = if map.scale == Scale::Log { ", logarithmic" } else { "" };
            list.push(if low < high {
                let name = format!("{what}, {} to {}{scale}", number(*low), number(*high));
                Entry { name, sample: Sample::Gradient }
            } else {
                let name = format!("{what}, {} everywhere", number(*low));
                Entry { name, sample: Sample::Square(palette::sequential(palette::CONSTANT)) }
            });
        }
        for (name, colour) in &map.classes {
            list.push(Entry { name: name.clone(), sample: Sample::Square(colour.clone()) });
        }
        if !map.mark.is_empty() {
            list.push(Entry { name: map.mark.clone(), sample: Sample::Dot });
        }
    }
    list
}

fn width(e: &Entry, room: f64) -> f64 {
    (SAMPLE + text::width(&e.name, SIZE)).min(room)
}

/// Entries in rows of a given width.
fn rows(list: &[Entry], room: f64) -> Vec<Vec<&Entry>> {
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    let mut free = 0.0;
    for e in list {
        let needed = width(e, room);
        match rows.last_mut() {
            Some(row) if free >= GAP + needed => {
                row.push(e);
                free -= GAP + needed;
            }
            _ => {
                rows.push(vec![e]);
                free = room - needed;
            }
        }
    }
    rows
}

/// Height of the entries in rows.
pub fn height(list: &[Entry], room: f64) -> f64 {
    ROW * rows(list, room).len() as f64
}

/// Width of the entries in a column.
pub fn column_width(list: &[Entry]) -> f64 {
    list.iter().map(|e| width(e, 260.0)).fold(0.0, f64::max)
}

/// Draws entries in rows with the upper left corner at `at`.
pub fn draw(d: &mut Drawing, list: &[Entry], at: [f64; 2], room: f64) {
    for (i, row) in rows(list, room).into_iter().enumerate() {
        let mut x = at[0];
        for e in row {
            let y = at[1] + ROW * (i as f64 + 0.5);
            sample(d, &e.sample, x, y);
            let (name, size) = text::fit(&e.name, SIZE, room - SAMPLE);
            d.text(&name, [x + SAMPLE, y + 0.36 * size], size, Anchor::Start, palette::INK);
            x += width(e, room) + GAP;
        }
    }
}

fn sample(d: &mut Drawing, sample: &Sample, x: f64, y: f64) {
    let square = |x: f64, w: f64, fill: &str| Item::Rect {
        area: Area { x, y: y - 5.0, w, h: 10.0 },
        fill: fill.to_string(),
        hover: String::new(),
    };
    match sample {
        Sample::Curve(colour, dash, style, shape) => {
            if style.has_line() {
                d.line(&[[x, y], [x + 20.0, y]], colour, 1.8, dash);
            }
            if style.radius().is_some() {
                let shape = if *style == Style::Dots { 0 } else { *shape };
                let points = vec![[x + 10.0, y]];
                d.items.push(Item::Markers { points, colour: colour.clone(), radius: 3.0, shape });
            }
        }
        Sample::Square(colour) => d.items.push(square(x + 5.0, 10.0, colour)),
        Sample::Gradient => {
            d.items.extend(
                (0..5)
                    .map(|i| square(x + 4.0 * f64::from(i), 4.0, &palette::sequential(0.25 * f64::from(i)))),
            );
        }
        Sample::Dot => {
            d.items.push(square(x + 5.0, 10.0, &palette::sequential(0.8)));
            d.items.push(Item::Markers {
                points: vec![[x + 10.0, y]],
                colour: "#ffffff".to_string(),
                radius: 2.5,
                shape: 0,
            });
        }
    }
}
