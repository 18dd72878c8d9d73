//! Equilibria over a parameter.

use precess::analysis::equilibria::{Equilibria, Rest};

use crate::plot::{Axis, Figure, Panel, Series};

/// One panel per unit; constant curves are left out. `name` is the parameter.
pub fn figure(name: &str, all: &Equilibria) -> Figure {
    let x: Vec<f64> = all.rows.iter().map(|row| row.0).collect();
    let mut panels: Vec<(String, Panel)> = Vec::new();
    for (i, column) in all.columns.iter().enumerate() {
        let (label, unit) = column.rsplit_once(", ").unwrap_or((column, ""));
        let value = |found: &Rest| found.values.get(i).copied();
        let y: Vec<f64> = all
            .rows
            .iter()
            .map(|(_, found)| found.as_ref().ok().and_then(value).unwrap_or(f64::NAN))
            .collect();
        let finite = y.iter().copied().filter(|y| y.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        // Rounding errors are not drawn.
        if !(high - low > 1e-12 && high - low > 1e-9 * high.abs().max(low.abs())) {
            continue;
        }
        let series = Series::line(label, x.clone(), y);
        match panels.iter_mut().find(|(u, _)| u == unit) {
            Some((_, panel)) => panel.series.push(series),
            None => {
                let panel = Panel::new("").x(Axis::linear(name, "")).y(Axis::linear("", unit)).series(series);
                panels.push((unit.to_string(), panel));
            }
        }
    }
    let mut figure = Figure::new(format!("equilibrium over {name}"));
    figure.panels = panels.into_iter().map(|p| p.1).collect();
    figure
}
