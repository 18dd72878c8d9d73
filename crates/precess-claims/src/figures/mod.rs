//! The figures of the papers, redrawn from runs of this library.
//!
//! A [`Picture`] gives the location of a figure, its content and how ours agrees with it. Its curves come
//! from the runs of a [`Lab`], which the claims share. Drawings without data are listed without a curve. A
//! further figure is one entry in the file of its paper.

mod bliedf;
mod ggl;
mod la;
mod sigma;
mod vp;

use precess_view::plot::{Axis, Figure, Panel, Series, Slope};

use super::{Lab, Setup, Trace};
use precess::Error;

/// Draws a figure.
pub type Draw = fn(&mut Lab) -> Result<Figure, Error>;

/// A figure of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Key of the paper.
    pub paper: &'static str,
    /// Number of the figure, or of figures that are drawn together.
    pub place: &'static str,
    /// Its content.
    pub caption: &'static str,
    /// Agreement with the paper, or the difference; one sentence.
    pub note: &'static str,
    /// Its curves; `None` for sketches.
    pub draw: Option<Draw>,
    /// True if it takes less than a second.
    pub quick: bool,
}

impl Picture {
    const fn of(
        paper: &'static str,
        place: &'static str,
        caption: &'static str,
        note: &'static str,
        draw: Draw,
    ) -> Self {
        Picture { paper, place, caption, note, draw: Some(draw), quick: true }
    }

    const fn sketch(paper: &'static str, place: &'static str, caption: &'static str) -> Self {
        Picture { paper, place, caption, note: "A sketch without data.", draw: None, quick: true }
    }

    const fn slow(self) -> Self {
        Picture { quick: false, ..self }
    }

    /// File name: `la-fig-6`.
    pub fn slug(&self) -> String {
        let words = format!("{} {}", self.paper, self.place).to_lowercase();
        words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join("-")
    }
}

/// All figures in the order of the papers.
pub fn pictures() -> impl Iterator<Item = &'static Picture> {
    [la::PICTURES, vp::PICTURES, bliedf::PICTURES, sigma::PICTURES, ggl::PICTURES].into_iter().flatten()
}

/// Step sizes of LA, Figs. 6 to 21.
const HALVINGS: &[f64] = &[4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];

type Window = (f64, f64);

fn time((from, to): Window) -> Axis {
    Axis::linear("time", "s").range(from, to)
}

fn step_size() -> Axis {
    Axis::log("step size h", "s")
}

/// Panels two by two.
fn side_by_side(panels: impl IntoIterator<Item = Panel>) -> Figure {
    panels.into_iter().fold(Figure::new("").columns(2).panel_size(460.0, 340.0), Figure::panel)
}

/// One panel.
fn alone(panel: Panel) -> Figure {
    Figure::new("").panel_size(640.0, 360.0).panel(panel)
}

fn with(panel: Panel, series: impl IntoIterator<Item = Series>) -> Panel {
    series.into_iter().fold(panel, Panel::series)
}

/// Adds triangles near series, given as (order, index of the series).
fn triangles(panel: Panel, slopes: &[(f64, usize)]) -> Panel {
    slopes.iter().fold(panel, |p, &(order, near)| p.slope(Slope::new(order).near(near)))
}

/// Curves over the times of a run in a window, one for each name: `value(n, i)` in step n for name i.
fn curves(trace: &Trace, window: Window, names: &[&str], value: impl Fn(usize, usize) -> f64) -> Vec<Series> {
    let slack = 1e-9 * trace.summary.h;
    let steps: Vec<usize> = (0..trace.t.len())
        .filter(|&n| trace.t[n] >= window.0 - slack && trace.t[n] <= window.1 + slack)
        .collect();
    let t: Vec<f64> = steps.iter().map(|&n| trace.t[n]).collect();
    let series = names.iter().enumerate();
    series
        .map(|(i, name)| Series::line(*name, t.clone(), steps.iter().map(|&n| value(n, i)).collect()))
        .collect()
}

/// A quantity over the step size; gaps if a run fails.
fn over_h(
    lab: &mut Lab,
    name: &str,
    setup: &Setup,
    steps: &[f64],
    quantity: impl Fn(&Trace) -> f64,
) -> Series {
    let y = steps.iter().map(|&h| lab.run(&setup.h(h)).map_or(f64::NAN, |t| quantity(&t))).collect();
    Series::marked(name, steps.to_vec(), y)
}

/// Largest relative errors of q, v, lambda in a window over the step size, with a triangle of slope 2 and, if
/// lambda has order 1, one of slope 1.
fn errors_over_h(lab: &mut Lab, title: &str, setup: &Setup, window: Window, first_order: bool) -> Panel {
    let of = |lab: &mut Lab, name: &str, pick: fn(&precess::study::Errors) -> f64| {
        over_h(lab, name, setup, HALVINGS, |t| pick(&t.errors(window)))
    };
    let series = [of(lab, "q", |e| e.q), of(lab, "v", |e| e.v), of(lab, "\u{3bb}", |e| e.lambda)];
    let panel = Panel::new(title).x(step_size()).y(Axis::log("largest relative error", ""));
    let slopes: &[(f64, usize)] = if first_order { &[(2.0, 1), (1.0, 2)] } else { &[(2.0, 1)] };
    triangles(with(panel, series), slopes)
}
