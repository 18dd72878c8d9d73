//! A Campbell diagram.

use std::f64::consts::TAU;

use precess::analysis::campbell::Campbell;

use crate::plot::{Axis, Figure, Legend, Panel, Reference, Series};

/// Frequencies over speed, with lines of excitation, and vertical lines at critical speeds.
pub fn figure(name: &str, c: &Campbell, orders: &[f64], up_to: Option<f64>) -> Figure {
    let x: Vec<f64> = c.points.iter().map(|p| p.value).collect();
    let spins: Vec<f64> = c.points.iter().map(|p| p.spin).collect();
    let fastest = spins.iter().copied().fold(0.0, f64::max) / TAU;
    let top = up_to.unwrap_or_else(|| {
        let all = c.branches.iter().flat_map(|b| b.s.iter().flatten()).map(|s| s.im / TAU);
        all.fold(0.0, f64::max).min(1.5 * fastest.max(f64::MIN_POSITIVE))
    });
    let mut panel = Panel::new("")
        .x(Axis::linear(name, speed_unit(c)))
        .y(Axis::linear("frequency", "Hz").range(0.0, top));
    let mut named = [false; 3];
    for b in &c.branches {
        let (kind, word) = match b.direction() {
            "forward" => (0, "forward whirl"),
            "backward" => (1, "backward whirl"),
            _ => (2, "no whirl"),
        };
        let y: Vec<f64> =
            b.s.iter()
                .map(|s| s.map_or(f64::NAN, |s| s.im / TAU))
                .map(|f| if f > top { f64::NAN } else { f })
                .collect();
        if y.iter().all(|f| f.is_nan()) {
            continue;
        }
        let seen = named.get_mut(kind).is_some_and(|n| std::mem::replace(n, true));
        let series = Series::line(if seen { "" } else { word }, x.clone(), y).colour(kind).dash(0);
        panel = panel.series(series);
    }
    for order in orders {
        let y = spins.iter().map(|w| order * w / TAU).map(|f| if f > top { f64::NAN } else { f }).collect();
        panel = panel.series(Series::line(format!("{order} per turn"), x.clone(), y).colour(3).dash(1));
    }
    let marks: (Vec<f64>, Vec<f64>) =
        c.critical.iter().map(|k| (k.value, k.order * k.spin / TAU)).filter(|k| k.1 <= top).unzip();
    if !marks.0.is_empty() {
        panel = panel.series(Series::markers("critical", marks.0, marks.1).colour(4));
    }
    let forward =
        c.critical.iter().filter(|k| c.branches.get(k.branch).is_some_and(|b| b.direction() == "forward"));
    for k in forward {
        panel = panel.reference(Reference::Vertical(k.value, format!("{:.0} rpm", k.spin * 60.0 / TAU)));
    }
    Figure::new("").panel(panel).legend(Legend::Right).panel_size(720.0, 420.0)
}

/// The unit of the parameter, if it is the speed itself; otherwise none is known.
fn speed_unit(c: &Campbell) -> &'static str {
    let is = |per_turn: f64| {
        c.points.iter().filter(|p| p.spin > 0.0).all(|p| {
            let value = p.spin / TAU * per_turn;
            (p.value.abs() - value).abs() <= 1e-9 * value
        })
    };
    [("rad/s", TAU), ("rpm", 60.0), ("Hz", 1.0)]
        .into_iter()
        .find(|(_, x)| is(*x))
        .map_or("", |(unit, _)| unit)
}
