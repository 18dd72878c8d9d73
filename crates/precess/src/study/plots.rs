//! Figures of results: histories, one quantity over another, paths in space, and one page with the most important ones.

use precess_plot::{Axis, Figure, Panel, Series};

use super::results::{Column, Results};
use crate::Error;

/// More curves than this in a panel are left out of the page of defaults, and the title says so.
const CURVES: usize = 12;

/// All panels of a figure show the same time.
fn time(t: &[f64]) -> Axis {
    let axis = Axis::linear("time", "s");
    match (t.first(), t.last()) {
        (Some(&a), Some(&b)) if a < b => axis.range(a, b),
        _ => axis,
    }
}

/// A number of every step. Numbers of many steps jump: dots instead of a line that fills the panel.
fn per_step(name: &str, t: Vec<f64>, x: Vec<f64>) -> Series {
    if x.len() > 200 { Series::dots(name, t, x) } else { Series::marked(name, t, x) }
}

fn unknown(results: &Results, name: &str) -> Error {
    let mut names: Vec<&str> = Vec::new();
    for c in &results.columns {
        names.push(&c.name);
        // Entries of the state have numbers and no names.
        let named = c.parts.iter().filter(|p| **p != c.name && !p.ends_with(|x: char| x.is_ascii_digit()));
        names.extend(named.map(String::as_str));
    }
    Error::unknown_name("quantity", name, names)
}

/// Names, values and unit of a column or of one of its parts.
type Curves<'a> = (Vec<(String, Vec<f64>)>, &'a str);

fn curves<'a>(results: &'a Results, name: &str) -> Result<Curves<'a>, Error> {
    if let Some(c) = results.column(name) {
        let list = c.parts.iter().enumerate().map(|(k, part)| (part.clone(), c.part(k))).collect();
        return Ok((list, &c.unit));
    }
    match results.numbers(name) {
        Some((values, unit)) => Ok((vec![(name.to_string(), values)], unit)),
        None => Err(unknown(results, name)),
    }
}

fn abscissae(results: &Results) -> Vec<f64> {
    results.numbers("t").map_or_else(Vec::new, |(t, _)| t)
}

/// Histories of quantities by name, one panel each.
pub fn histories(results: &Results, names: &[String]) -> Result<Figure, Error> {
    let t = abscissae(results);
    let mut figure = Figure::new(title(results)).panel_size(640.0, 260.0);
    for name in names {
        let (list, unit) = curves(results, name)?;
        let label = if list.len() == 1 { name.clone() } else { String::new() };
        let mut panel = Panel::new(name.clone()).x(time(&t)).y(Axis::linear(label, unit));
        let single = list.len() == 1;
        for (part, values) in list {
            let part = if single { String::new() } else { part };
            panel = panel.series(Series::line(part, t.clone(), values));
        }
        figure = figure.panel(panel);
    }
    Ok(figure)
}

/// One quantity over another.
pub fn phase(results: &Results, x: &str, y: &str) -> Result<Figure, Error> {
    let number = |name: &str| results.numbers(name).ok_or_else(|| unknown(results, name));
    let ((xs, x_unit), (ys, y_unit)) = (number(x)?, number(y)?);
    let panel =
        Panel::new("").x(Axis::linear(x, x_unit)).y(Axis::linear(y, y_unit)).series(Series::line("", xs, ys));
    Ok(Figure::new(title(results)).panel_size(560.0, 460.0).panel(panel))
}

/// The path of a body, or of a sensor of position, in isometric projection: x to the right front, y to the right back, z up.
pub fn path(results: &Results, name: &str) -> Result<Figure, Error> {
    let column = results.column(&format!("{name}.position")).or_else(|| results.column(name));
    let is_path = |c: &Column| c.parts.len() == 3 && c.unit == "m";
    let Some(column) = column.filter(|c| is_path(c)) else {
        let bodies =
            results.columns.iter().filter(|c| is_path(c)).map(|c| c.name.trim_end_matches(".position"));
        return Err(Error::unknown_name("body or sensor of a position", name, bodies));
    };
    let [x, y, z] = [0, 1, 2].map(|k| column.part(k));
    let (c, s) = (30_f64.to_radians().cos(), 30_f64.to_radians().sin());
    let project = |p: [f64; 3]| [c * (p[0] + p[1]), s * (p[1] - p[0]) + p[2]];
    let points: Vec<[f64; 2]> = (0..x.len()).map(|i| project([x[i], y[i], z[i]])).collect();
    let mut panel = Panel::new(format!("path of {name}, isometric"))
        .x(Axis::linear("(x + y) cos 30\u{b0}", "m"))
        .y(Axis::linear("z + (y \u{2212} x) sin 30\u{b0}", "m"))
        .equal()
        .series(Series::line(
            "path",
            points.iter().map(|p| p[0]).collect(),
            points.iter().map(|p| p[1]).collect(),
        ));
    if let Some(first) = points.first() {
        panel = panel.series(Series::markers("start", vec![first[0]], vec![first[1]]));
    }
    // Directions of the axes, from the origin, as long as a third of the path is wide.
    let size = [&x, &y, &z]
        .iter()
        .flat_map(|v| v.iter())
        .filter(|v| v.is_finite())
        .fold(0.0, |m: f64, v| m.max(v.abs()));
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let end = project(std::array::from_fn(|i| if i == k { 0.4 * size } else { 0.0 }));
        panel = panel.series(
            Series::line(format!("{axis} axis"), vec![0.0, end[0]], vec![0.0, end[1]]).colour(7).dash(k),
        );
    }
    Ok(Figure::new(title(results)).panel_size(560.0, 520.0).panel(panel))
}

fn title(results: &Results) -> String {
    let m = &results.metadata;
    let word = |key: &str| m.settings[key].as_str().unwrap_or("").to_string();
    let constrained = results.column("lambda").is_some_and(|c| !c.parts.is_empty());
    let form = if constrained { format!(" {}", word("form")) } else { String::new() };
    format!("{}: {}{form} on {}", m.model, word("method"), word("formulation"))
}

/// One page: positions, energy, constraint residuals, Newton iterations, step size and order where they vary.
pub fn page(results: &Results) -> Figure {
    let t = abscissae(results);
    let mut figure = Figure::new(title(results)).columns(2).panel_size(460.0, 290.0);
    let bodies: Vec<&Column> = results.columns.iter().filter(|c| c.name.ends_with(".position")).collect();
    if !bodies.is_empty() {
        let shown = (CURVES / 3).min(bodies.len());
        let more = if shown < bodies.len() {
            format!(" of the first {shown} of {} bodies", bodies.len())
        } else {
            String::new()
        };
        let mut panel = Panel::new(format!("positions{more}")).x(time(&t)).y(Axis::linear("position", "m"));
        for c in bodies.iter().take(shown) {
            for (k, part) in c.parts.iter().enumerate() {
                panel = panel.series(Series::line(part.clone(), t.clone(), c.part(k)));
            }
        }
        figure = figure.panel(panel);
    }
    if let Some((energy, unit)) = results.numbers("energy")
        && let Some(&first) = energy.first()
        && first.is_finite()
    {
        let deviation = energy.iter().map(|e| e - first).collect();
        let panel = Panel::new("energy deviation").x(time(&t)).y(Axis::linear("E \u{2212} E(0)", unit));
        figure = figure.panel(panel.series(Series::line("", t.clone(), deviation)));
    }
    let residuals: Vec<_> = [("position", "position_residual"), ("velocity", "velocity_residual")]
        .into_iter()
        .filter_map(|(name, column)| results.numbers(column).map(|(x, _)| (name, x)))
        .filter(|(_, x)| x.iter().any(|x| *x > 0.0))
        .collect();
    if !residuals.is_empty() {
        let mut panel = Panel::new("constraint residuals").x(time(&t)).y(Axis::log("largest residual", ""));
        for (name, x) in residuals {
            panel = panel.series(per_step(name, t.clone(), x));
        }
        figure = figure.panel(panel);
    }
    // The initial state is no step.
    let later = |x: Vec<f64>| x.into_iter().skip(1).collect::<Vec<_>>();
    if let Some((x, _)) = results.numbers("iterations")
        && x.iter().any(|x| *x > 0.0)
    {
        let most = x.iter().copied().fold(0.0, f64::max);
        let y = Axis::linear("iterations per step", "").range(0.0, 1.15 * most);
        let panel = Panel::new("Newton iterations").x(time(&t)).y(y);
        figure = figure.panel(panel.series(per_step("", later(t.clone()), later(x))));
    }
    if let Some((h, unit)) = results.numbers("h") {
        let h = later(h);
        let (low, high) = h.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), h| (a.min(*h), b.max(*h)));
        if high > low * (1.0 + 1e-6) {
            let panel = Panel::new("step size").x(time(&t)).y(Axis::log("h", unit));
            figure = figure.panel(panel.series(Series::line("", later(t.clone()), h)));
        }
    }
    if let Some((order, _)) = results.numbers("order") {
        let order = later(order);
        if order.windows(2).any(|w| w[0] != w[1]) {
            let y = Axis::linear("order of the step", "").range(0.0, 6.5);
            figure =
                figure.panel(Panel::new("order").x(time(&t)).y(y).series(Series::line("", later(t), order)));
        }
    }
    figure
}
