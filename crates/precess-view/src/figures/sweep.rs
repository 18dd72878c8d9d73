//! Pictures of sweeps: lines over one parameter, a map over two.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use crate::plot::{Axis, Cell, Figure, Legend, Map, Panel, Scale, Series};
use precess::study::points::Value;
use precess::study::sweep::{SweepRow, SweepTable};

/// Largest number of panels; further quantities are left out.
const MAX_PANELS: usize = 8;
/// Largest number of lines in a panel.
const MAX_LINES: usize = 12;
/// Largest number of columns of a map.
const MAX_CELLS: usize = 200;

/// What a picture shows: numbers over one input, with a line for each word of another, or over two.
enum Shown {
    Lines(usize, Option<usize>),
    Map(usize, usize),
}

/// Refuses tables that no picture can show; the values of the inputs are enough to tell.
pub fn check(table: &SweepTable) -> Result<(), String> {
    shown(table).map(|_| ())
}

fn shown(table: &SweepTable) -> Result<Shown, String> {
    let numeric = |k: usize| table.rows.iter().all(|r| matches!(r.values.get(k), Some(Value::Number(_))));
    let numbers: Vec<usize> = (0..table.inputs.len()).filter(|k| numeric(*k)).collect();
    let words: Vec<usize> = (0..table.inputs.len()).filter(|k| !numeric(*k)).collect();
    match (numbers.as_slice(), words.as_slice()) {
        (&[x], groups) if groups.len() <= 1 => Ok(Shown::Lines(x, groups.first().copied())),
        (&[x, y], []) => {
            let [xs, ys] = axes(table, x, y);
            if xs.len() > MAX_CELLS || ys.len() > MAX_CELLS || xs.len() * ys.len() > 4 * table.rows.len() {
                return Err(
                    "a map needs every combination of two parameters\n  help: sweep all combinations instead \
                     of random points, or write the table (.csv, .npz, .json)"
                        .to_string(),
                );
            }
            Ok(Shown::Map(x, y))
        }
        _ => Err(format!(
            "{} parameters vary, a picture shows one number, one number and one word, or two numbers\n  \
             help: vary fewer, or \
             write the table (.csv, .npz, .json)",
            table.inputs.len()
        )),
    }
}

/// One panel per quantity. Runs that failed are gaps.
pub fn figure(table: &SweepTable) -> Result<Figure, String> {
    let kind = shown(table)?;
    let panel = |out: usize| match kind {
        Shown::Lines(x, group) => lines(table, x, group, out),
        Shown::Map(x, y) => map(table, x, y, out),
    };
    let shown = table.outputs.len().min(MAX_PANELS);
    let mut figure = Figure::new(format!("{} runs over {}", table.rows.len(), table.inputs.join(" and ")))
        .columns(if shown > 1 { 2 } else { 1 })
        .panel_size(if shown > 1 { 460.0 } else { 640.0 }, 320.0)
        .legend(Legend::Auto);
    for out in 0..shown {
        figure = figure.panel(panel(out));
    }
    if shown < table.outputs.len() {
        figure = figure.note(format!("{shown} of {} quantities", table.outputs.len()));
    }
    match table.failures() {
        0 => Ok(figure),
        n => Ok(figure.note(format!("{n} runs failed and are not shown"))),
    }
}

fn number(row: &SweepRow, k: usize) -> f64 {
    match row.values.get(k) {
        Some(Value::Number(x)) => *x,
        _ => f64::NAN,
    }
}

fn result(row: &SweepRow, out: usize) -> f64 {
    row.result.as_ref().ok().and_then(|r| r.get(out)).copied().unwrap_or(f64::NAN)
}

fn name(list: &[String], k: usize) -> String {
    list.get(k).cloned().unwrap_or_default()
}

/// A logarithmic axis if the values span more than two decades.
fn axis(label: String, values: impl Iterator<Item = f64> + Clone) -> Axis {
    let finite = values.filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    if low > 0.0 && high > 300.0 * low { Axis::log(label, "") } else { Axis::linear(label, "") }
}

fn lines(table: &SweepTable, x: usize, group: Option<usize>, out: usize) -> Panel {
    let label = name(&table.outputs, out);
    let y = axis(label.clone(), table.rows.iter().map(|r| result(r, out)));
    let across = axis(name(&table.inputs, x), table.rows.iter().map(|r| number(r, x)));
    let mut panel = Panel::new(label).x(across).y(y);
    let word = |r: &SweepRow| group.and_then(|g| r.values.get(g)).map_or(String::new(), |v| v.to_string());
    let mut words: Vec<String> = Vec::new();
    for r in &table.rows {
        if !words.contains(&word(r)) {
            words.push(word(r));
        }
    }
    for w in words.into_iter().take(MAX_LINES) {
        let mut points: Vec<[f64; 2]> =
            table.rows.iter().filter(|r| word(r) == w).map(|r| [number(r, x), result(r, out)]).collect();
        points.sort_by(|[a, _], [b, _]| a.total_cmp(b));
        let (xs, ys): (Vec<f64>, Vec<f64>) = points.into_iter().map(|[a, b]| (a, b)).unzip();
        panel = panel.series(Series::marked(w, xs, ys));
    }
    panel
}

/// The values of two inputs, each once, in order.
fn axes(table: &SweepTable, x: usize, y: usize) -> [Vec<f64>; 2] {
    [x, y].map(|k| {
        let mut list: Vec<f64> = table.rows.iter().map(|r| number(r, k)).collect();
        list.sort_by(f64::total_cmp);
        list.dedup();
        list
    })
}

fn map(table: &SweepTable, x: usize, y: usize, out: usize) -> Panel {
    let [xs, mut ys] = axes(table, x, y);
    // Rows are drawn from top to bottom.
    ys.reverse();
    let cell = |a: f64, b: f64| {
        let row = table.rows.iter().find(|r| number(r, x) == a && number(r, y) == b);
        let value = row.map_or(f64::NAN, |r| result(r, out));
        Cell { value, class: (!value.is_finite()).then_some(0), marked: false }
    };
    let cells: Vec<Cell> =
        ys.iter().flat_map(|b| xs.iter().map(move |a| (*a, *b))).map(|(a, b)| cell(a, b)).collect();
    let finite = || cells.iter().map(|c| c.value).filter(|v| v.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let scale = if low > 0.0 && high > 300.0 * low { Scale::Log } else { Scale::Linear };
    let ends = [short(low), short(high)];
    let failed = cells.iter().any(|c| c.class.is_some());
    let words = |list: &[f64]| list.iter().map(|v| short(*v).to_string()).collect::<Vec<_>>();
    let classes = if failed { vec![("failed".to_string(), "#9aa3ae".to_string())] } else { Vec::new() };
    let label = name(&table.outputs, out);
    // Without values, the colours need no label.
    let title = if low <= high { label.clone() } else { String::new() };
    let map = Map {
        x: words(&xs),
        y: words(&ys),
        values: (title, ends),
        scale,
        classes,
        mark: String::new(),
        cells,
    };
    Panel::new(label)
        .x(Axis::linear(name(&table.inputs, x), ""))
        .y(Axis::linear(name(&table.inputs, y), ""))
        .map(map)
}

fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
