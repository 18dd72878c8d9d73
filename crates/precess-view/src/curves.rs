//! Figures of results: histories, one quantity over another, paths in space, and a page with the most
//! important ones.

use crate::plot::{Axis, Figure, Panel, Series};

use precess::Error;
use precess::study::results::{Column, Results};

/// Largest number of curves in a panel of the default page; the title mentions omitted ones.
const MAX_CURVES: usize = 12;

/// The time axis, the same for all panels of a figure.
fn time(t: &[f64]) -> Axis {
    let axis = Axis::linear("time", "s");
    match (t.first(), t.last()) {
        (Some(&a), Some(&b)) if a < b => axis.range(a, b),
        _ => axis,
    }
}

/// A number of every step. With many steps it is drawn as dots, since a line would fill the panel.
fn per_step(name: &str, t: Vec<f64>, x: Vec<f64>) -> Series {
    if x.len() > 200 { Series::dots(name, t, x) } else { Series::marked(name, t, x) }
}

/// Names, values and unit of a column or of one of its parts.
type Curves = (Vec<(String, Vec<f64>)>, String);

/// Prefix of a vector's name to draw its length.
const NORM: &str = "norm:";

fn curves(results: &Results, name: &str) -> Result<Curves, Error> {
    if let Some(vector) = name.strip_prefix(NORM).filter(|_| results.column(name).is_none()) {
        let column = results.column(vector).ok_or_else(|| results.unknown(vector))?;
        return Ok((vec![(format!("|{vector}|"), column.lengths())], column.unit.clone()));
    }
    if let Some(c) = results.column(name) {
        let list = c.parts.iter().enumerate().map(|(k, part)| (part.clone(), c.part(k))).collect();
        return Ok((list, c.unit.clone()));
    }
    let (values, unit) = results.evaluate(name)?;
    Ok((vec![(name.to_string(), values)], unit))
}

fn abscissae(results: &Results) -> Vec<f64> {
    results.numbers("t").map_or_else(Vec::new, |(t, _)| t)
}

/// Histories of quantities by name, one panel each. Names with commas between them share a panel, `norm:NAME`
/// is the length of a vector.
pub fn histories(results: &Results, names: &[String]) -> Result<Figure, Error> {
    overlaid(&[("", results)], names)
}

/// The same quantities of several runs, in the same panels. Each run comes with its name in the legend.
pub fn overlaid(runs: &[(&str, &Results)], names: &[String]) -> Result<Figure, Error> {
    let title =
        runs.iter().map(|(_, r)| title(r)).reduce(|a, b| if a == b { a } else { format!("{a} | {b}") });
    let mut figure = Figure::new(title.unwrap_or_default()).panel_size(640.0, 260.0);
    let ends = |r: &Results| time(&abscissae(r));
    let longest = runs.iter().map(|(_, r)| ends(r)).max_by(|a, b| {
        let end = |x: &Axis| x.range.map_or(f64::NEG_INFINITY, |r| r[1]);
        end(a).total_cmp(&end(b))
    });
    for group in names {
        let mut panel = Panel::new(group.clone()).x(longest.clone().unwrap_or_default());
        let mut units: Vec<String> = Vec::new();
        // A quantity has the same colour in all runs, and a different dash in each.
        for (n, (run, results)) in runs.iter().enumerate() {
            let (t, mut colour) = (abscissae(results), 0);
            for name in parts(results, group) {
                let (list, unit) = curves(results, &name)?;
                if !units.contains(&unit) {
                    units.push(unit);
                }
                for (part, values) in list {
                    let label = if run.is_empty() { part } else { format!("{part}, {run}") };
                    let series = Series::line(label, t.clone(), values).colour(colour);
                    panel = panel.series(if runs.len() > 1 { series.dash(n) } else { series });
                    colour += 1;
                }
            }
        }
        if let [only] = panel.series.as_mut_slice() {
            only.name.clear();
        }
        let label = if group.contains(',') { String::new() } else { group.clone() };
        let single = panel.series.iter().all(|s| s.name.is_empty());
        let y = Axis::linear(if single { label } else { String::new() }, units.join(", "));
        figure = figure.panel(panel.y(y));
    }
    Ok(figure)
}

/// The names of a panel: one, or several with commas between them. A name or formula with a comma in it is one.
fn parts(results: &Results, group: &str) -> Vec<String> {
    if results.column(group).is_some() || results.evaluate(group).is_ok() {
        return vec![group.to_string()];
    }
    outer_commas(group).into_iter().map(|n| n.trim().to_string()).collect()
}

/// Splits at commas outside of parentheses: `x,max(a, b)` has two parts.
fn outer_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        c == ',' && depth <= 0
    })
    .collect()
}

/// One quantity over another, from two names with a comma between them: `a,b` draws b over a.
pub fn phase(results: &Results, pair: &str) -> Result<Figure, Error> {
    let [x, y] = outer_commas(pair)[..] else {
        return Err(Error::Input {
            message: format!("{pair}: two names with a comma between them are needed"),
        });
    };
    let (x, y) = (x.trim(), y.trim());
    let number = |name: &str| {
        let (mut list, unit) = curves(results, name)?;
        match (list.len(), list.pop()) {
            (1, Some((_, values))) => Ok((values, unit)),
            _ => Err(Error::Input {
                message: format!(
                    "'{name}' is a vector: give one of its components ({}) or its length, norm:{name}",
                    results.column(name).map_or(String::new(), |c| c.parts.join(", "))
                ),
            }),
        }
    };
    let ((xs, x_unit), (ys, y_unit)) = (number(x)?, number(y)?);
    let panel =
        Panel::new("").x(Axis::linear(x, x_unit)).y(Axis::linear(y, y_unit)).series(Series::line("", xs, ys));
    Ok(Figure::new(title(results)).panel_size(560.0, 460.0).panel(panel))
}

/// The path of a body, or of a sensor of position, in isometric projection: x to the right front, y to the
/// right back, z up.
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
    // Axis directions are drawn at the lower left of the path, so that the picture need not include the
    // origin.
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
        low = [0, 1].map(|k| low[k].min(p[k]));
        high = [0, 1].map(|k| high[k].max(p[k]));
    }
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    if size > 0.0 && size.is_finite() {
        let reach = 0.2 * size;
        let corner = [low[0] - 1.2 * reach, low[1] - 0.6 * reach];
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let d = project(std::array::from_fn(|i| if i == k { reach } else { 0.0 }));
            let (xs, ys) = (vec![corner[0], corner[0] + d[0]], vec![corner[1], corner[1] + d[1]]);
            panel = panel.series(Series::line(format!("{axis} axis"), xs, ys).colour(7).dash(k));
        }
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

/// One page: positions, energy, joint forces; with `solver` also constraint residuals, Newton iterations, and
/// step size and order if they vary.
pub fn page(results: &Results, solver: bool) -> Figure {
    let t = abscissae(results);
    let mut figure = Figure::new(title(results)).columns(2).panel_size(460.0, 290.0);
    let bodies: Vec<&Column> = results.columns.iter().filter(|c| c.name.ends_with(".position")).collect();
    if !bodies.is_empty() {
        let shown = (MAX_CURVES / 3).min(bodies.len());
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
    if let Some(panel) = joint_forces(results, &t) {
        figure = figure.panel(panel);
    }
    let panels = if solver { solver_panels(results, t) } else { Vec::new() };
    panels.into_iter().fold(figure, Figure::panel)
}

/// Sizes of the joint forces; only the largest if there are many.
fn joint_forces(results: &Results, t: &[f64]) -> Option<Panel> {
    let has_torque = |name: &str| results.column(&format!("{name}.torque")).is_some();
    let mut forces: Vec<(&str, Vec<f64>)> = results
        .columns
        .iter()
        .filter_map(|c| Some((c.name.strip_suffix(".force")?, c)))
        .filter(|(name, _)| has_torque(name))
        .map(|(name, c)| (name, c.lengths()))
        .collect();
    let most = |x: &Vec<f64>| x.iter().copied().filter(|x| x.is_finite()).fold(0.0, f64::max);
    let count = forces.len();
    let more = if count > MAX_CURVES {
        forces.sort_by(|a, b| most(&b.1).total_cmp(&most(&a.1)));
        forces.truncate(MAX_CURVES);
        format!(", the {MAX_CURVES} largest of {count}")
    } else {
        String::new()
    };
    if forces.iter().all(|f| most(&f.1) == 0.0) {
        return None;
    }
    let panel = Panel::new(format!("joint forces{more}")).x(time(t)).y(Axis::linear("|force|", "N"));
    Some(forces.into_iter().fold(panel, |p, (name, x)| p.series(Series::line(name, t.to_vec(), x))))
}

/// Panels about the method: residuals, iterations, step sizes, orders.
fn solver_panels(results: &Results, t: Vec<f64>) -> Vec<Panel> {
    let mut list = Vec::new();
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
        list.push(panel);
    }
    // The initial state is not a step.
    let later = |x: Vec<f64>| x.into_iter().skip(1).collect::<Vec<_>>();
    if let Some((x, _)) = results.numbers("iterations")
        && x.iter().any(|x| *x > 0.0)
    {
        let most = x.iter().copied().fold(0.0, f64::max);
        let y = Axis::linear("iterations per step", "").range(0.0, 1.15 * most);
        let panel = Panel::new("Newton iterations").x(time(&t)).y(y);
        list.push(panel.series(per_step("", later(t.clone()), later(x))));
    }
    if let Some((h, unit)) = results.numbers("h") {
        let h = later(h);
        let (low, high) = h.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), h| (a.min(*h), b.max(*h)));
        if high > low * (1.0 + 1e-6) {
            let panel = Panel::new("step size").x(time(&t)).y(Axis::log("h", unit));
            list.push(panel.series(Series::line("", later(t.clone()), h)));
        }
    }
    if let Some((order, _)) = results.numbers("order") {
        let order = later(order);
        if order.windows(2).any(|w| w[0] != w[1]) {
            let y = Axis::linear("order of the step", "").range(0.0, 6.5);
            list.push(Panel::new("order").x(time(&t)).y(y).series(Series::line("", later(t), order)));
        }
    }
    list
}
