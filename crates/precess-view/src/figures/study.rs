//! Pictures of studies: errors against step sizes, or against time.

use crate::plot::{Axis, Figure, Legend, Panel, Series, Slope};
use precess::study::convergence::{ConvergenceRow, ConvergenceTable};

/// One panel per quantity: errors over h with slope triangles, or over processor time where it was measured.
pub fn figure(table: &ConvergenceTable) -> Figure {
    let work = table.rows.iter().any(|r| r.time.is_some());
    let known = table.known();
    let columns = if known.len() > 1 { 2 } else { 1 };
    let size = if columns == 1 { [680.0, 440.0] } else { [460.0, 340.0] };
    let (from, to) = table.window;
    let when = if from < to {
        format!("largest errors on [{from}, {to}] s")
    } else {
        format!("errors at t = {to} s")
    };
    let mut figure = Figure::new(format!("{}: {when}", table.model))
        .columns(columns)
        .panel_size(size[0], size[1])
        .legend(if columns == 1 { Legend::Auto } else { Legend::Shared });
    for i in known {
        figure = figure.panel(panel(table, i, work));
    }
    figure
}

fn panel(table: &ConvergenceTable, quantity: usize, work: bool) -> Panel {
    let name = &table.quantities[quantity];
    let relative = matches!(name.as_str(), "v" | "lambda");
    let label = if relative { format!("relative error of {name}") } else { format!("error of {name}") };
    let x = if work { Axis::log("processor time", "s") } else { Axis::log("step size h", "s") };
    let mut panel =
        Panel::new("").x(x).y(Axis::log(label, table.units.get(quantity).map_or("", String::as_str)));
    let mut slopes: Vec<(i32, usize)> = Vec::new();
    let mut drawn = 0;
    for (m, method) in table.methods.iter().enumerate() {
        let rows: Vec<_> = table.rows.iter().filter(|r| r.method == m).collect();
        let shown = |r: &&ConvergenceRow| r.errors.as_ref().is_ok_and(|e| e[quantity].is_some());
        // A method without points has no legend entry either.
        if !rows.iter().any(shown) {
            continue;
        }
        let mut series = Series::marked(method.clone(), Vec::new(), Vec::new()).colour(m);
        for r in &rows {
            let error = r.errors.as_ref().ok().and_then(|e| e[quantity]);
            let at = if work { r.time.map(|t| t.as_secs_f64()) } else { Some(r.h) };
            series.x.push(at.unwrap_or(f64::NAN));
            series.y.push(error.unwrap_or(f64::NAN));
        }
        let mut orders: Vec<f64> =
            rows.iter().filter_map(|r| r.orders.get(quantity).copied().flatten()).collect();
        orders.sort_by(f64::total_cmp);
        if let Some(p) = orders.get(orders.len() / 2)
            && (p - p.round()).abs() < 0.25
            && (1.0..9.0).contains(&p.round())
            && !slopes.iter().any(|s| s.0 == p.round() as i32)
        {
            slopes.push((p.round() as i32, drawn));
        }
        panel = panel.series(series);
        drawn += 1;
    }
    if !work {
        for (order, near) in slopes {
            panel = panel.slope(Slope::new(f64::from(order)).near(near));
        }
    }
    panel
}
