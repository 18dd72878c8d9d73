//! `precess equilibrium`: finds where a mechanism rests.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::equilibrium::find;
use precess::analysis::local::Layout;
use precess::analysis::report::equilibrium as written;
use precess::analysis::{Equilibrium, EquilibriumOptions, Kind, Stability};
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::sensors::for_summary;
use precess::model::Loaded;
use precess::model::turns::lost;
use precess::study::text::{aligned, csv};
use precess_view::plot::{Axis, Figure, Panel, Series};
use precess_view::{Scene, html, states};
use serde_json::{Map, Value, json};

use crate::animation;
use crate::args::{self, EquilibriumKind};
use crate::files::Target;
use crate::output::{Stop, message, print, wrong};
use crate::start_file;
use crate::subject::{Reader, notes, render, short, stop};

/// Options of the search for this kind.
pub fn options(kind: EquilibriumKind, t: f64) -> EquilibriumOptions {
    let kind = match kind {
        EquilibriumKind::Stable => Kind::Stable,
        EquilibriumKind::Any => Kind::Any,
    };
    EquilibriumOptions { kind, t, ..EquilibriumOptions::default() }
}

/// Searches an equilibrium, or one for every value of a parameter.
pub fn equilibrium(args: &args::Equilibrium) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    let options = options(args.kind, args.subject.time);
    if let Some(vary) = &args.vary {
        return sweep(args, &reader, vary, &options);
    }
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let targets = args.out.iter().map(|f| Target::open(f, &["toml"])).collect::<Result<Vec<_>, _>>()?;
    start_file::refuse_overrides(targets.first(), &args.subject.set)?;
    if !targets.is_empty() && options.t != 0.0 {
        return Err(wrong(
            "a model starts at t = 0, so -o cannot keep a position of another --time\n  help: shift the \
             functions of t in the file, \
             or leave -o out",
        ));
    }
    let page = animation::target(args.view.as_ref())?;
    notes(&loaded, options.t, true);
    let found = find(&*built.system, &built.q, &options).map_err(stop)?;
    if args.json {
        print(&format!("{:#}\n", written::json(&loaded, &*built.system, &found)));
    } else {
        crate::output::report(&written::text(&loaded, &*built.system, &found));
    }
    if !targets.is_empty() && !loaded.model.controls.is_empty() {
        message("note: the new file does not contain the states of controls; they start as in the model");
    }
    if !targets.is_empty() {
        for (joint, coordinate) in lost(&loaded.model, &*built.system, &found.state.at()) {
            message(&format!(
                "note: joint '{joint}' has made full turns, which positions do not contain; to keep them, \
                 set coordinate = {coordinate} in the new file"
            ));
        }
    }
    for target in targets {
        let why = "Written by precess equilibrium: it rests here. Points and axes of the file belong to the \
                   positions of its bodies.";
        start_file::write(
            target,
            reader.file(),
            reader.files(),
            &built.system.bodies(&found.state.at()),
            why,
            !args.json,
        )?;
    }
    if let Some(page) = page {
        let label = format!("equilibrium: {}", found.stability.words());
        let scene = path(args, (&loaded, &*built.system), &found.path, label);
        animation::write(page, &html::page(&[scene]), args.json)?;
    }
    // With controls the search takes the nearest equilibrium.
    let controlled = Layout::new(&*built.system).is_ok_and(|layout| !layout.controls.is_empty());
    let searched = args.kind == EquilibriumKind::Stable && !controlled;
    if searched && found.stability == Stability::Unstable {
        let message = "error: no stable equilibrium was found: this one is unstable\n  help: change the \
        model, \
                       or add --kind any, which accepts it";
        return Err(Stop { code: 1, message: message.to_string() });
    }
    Ok(())
}

/// The states of a search or of a sweep as a motion: one second in total, and one at rest.
fn path(
    args: &args::Equilibrium,
    (loaded, system): (&Loaded, &dyn Mechanism),
    states: &[State],
    label: String,
) -> Scene {
    let n = states.len().max(1);
    let mut list: Vec<State> = states.to_vec();
    list.extend(list.last().cloned());
    for (i, state) in list.iter_mut().enumerate() {
        state.t = if i == n { 1.5 } else { i as f64 / n as f64 };
    }
    states::scene(loaded, system, &list, args.subject.model.parent(), label)
}

/// One value of the parameter.
struct Row {
    value: f64,
    result: Result<Found, String>,
}

/// The recorded part of an equilibrium.
struct Found {
    stability: &'static str,
    lowest: Option<f64>,
    sensors: Vec<f64>,
}

/// Equilibria over a parameter; each search starts from the last one.
fn sweep(
    args: &args::Equilibrium,
    reader: &Reader,
    vary: &str,
    options: &EquilibriumOptions,
) -> Result<(), Stop> {
    let (name, path, values) = reader.variation(vary)?;
    let targets = args
        .out
        .iter()
        .map(|f| Target::open(f, &["csv", "json", "svg", "html", "png"]))
        .collect::<Result<Vec<_>, _>>()?;
    let page = animation::target(args.view.as_ref())?;
    let (mut rows, mut columns, mut q): (Vec<Row>, Vec<String>, Option<Vec<f64>>) =
        (Vec::new(), Vec::new(), None);
    let (mut states, mut shown): (Vec<State>, Vec<f64>) = (Vec::new(), Vec::new());
    for &value in &values {
        let loaded = reader.load(&[format!("{path}={value:e}")])?;
        let built = reader.build(&loaded)?;
        if rows.is_empty() {
            notes(&loaded, options.t, true);
            columns = sensor_columns(&*built.system, &built.q);
        }
        let start = q.clone().filter(|q| q.len() == built.q.len()).unwrap_or_else(|| built.q.clone());
        let result = find(&*built.system, &start, options).map(|e| {
            q = Some(e.state.q.clone());
            states.push(e.state.clone());
            shown.push(value);
            Found {
                stability: e.stability.words(),
                lowest: e.kappa.first().copied(),
                sensors: system_values(&*built.system, &e),
            }
        });
        rows.push(Row { value, result: result.map_err(|e| e.to_string()) });
    }
    report(args.json, &name, &columns, &rows, targets)?;
    let same = |a: &Row, b: &Row| match (&a.result, &b.result) {
        // Searches that start elsewhere differ by rounding errors.
        (Ok(a), Ok(b)) => {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-11 * (1.0 + a.abs());
            a.sensors.iter().zip(&b.sensors).all(near) && a.lowest.iter().zip(&b.lowest).all(near)
        }
        _ => false,
    };
    if rows.len() > 1 && rows.windows(2).all(|w| matches!(w, [a, b] if same(a, b))) {
        message(&format!("note: nothing depends on {name}: all rows are the same"));
    }
    if let (Some(page), Some(last)) = (page, shown.last()) {
        let loaded = reader.load(&[format!("{path}={last:e}")])?;
        let built = reader.build(&loaded)?;
        let mut scene =
            self::path(args, (&loaded, &*built.system), &states, format!("equilibria over {name}"));
        shown.extend(shown.last().copied());
        scene.clock = Some((name.clone(), shown));
        animation::write(page, &html::page(&[scene]), args.json)?;
    }
    match rows.iter().find_map(|r| r.result.as_ref().err()) {
        Some(e) if rows.iter().all(|r| r.result.is_err()) => {
            Err(Stop { code: 1, message: format!("error: {e}") })
        }
        _ if rows.is_empty() => Err(wrong("there are no values")),
        _ => Ok(()),
    }
}

/// Prints the table of a sweep and writes its files.
fn report(
    as_json: bool,
    name: &str,
    columns: &[String],
    rows: &[Row],
    targets: Vec<Target>,
) -> Result<(), Stop> {
    let head: Vec<String> = [name.to_string()]
        .into_iter()
        .chain(columns.iter().cloned())
        .chain(["lowest omega^2, 1/s^2".into(), "stability".into()])
        .collect();
    let cells = |r: &Row, digits: &dyn Fn(f64) -> String| -> Vec<String> {
        let mut row = vec![digits(r.value)];
        match &r.result {
            Ok(f) => {
                row.extend(f.sensors.iter().map(|x| digits(*x)));
                row.push(f.lowest.map_or(String::new(), digits));
                row.push(f.stability.to_string());
            }
            Err(e) => {
                row.extend(columns.iter().map(|_| String::new()));
                row.extend([String::new(), e.clone()]);
            }
        }
        row
    };
    let exact = |x: f64| format!("{x:e}");
    let json = sweep_json(name, columns, rows);
    if as_json {
        print(&format!("{json:#}\n"));
    } else {
        let table: Vec<Vec<String>> = rows.iter().map(|r| cells(r, &|x| short(x))).collect();
        print(&aligned(&head, &table, 0));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => csv(&head, rows.iter().map(|r| cells(r, &exact))).into_bytes(),
            "json" => format!("{json:#}\n").into_bytes(),
            kind => render(&sweep_figure(name, columns, rows), kind)?,
        };
        let file = target.write(&content)?;
        if !as_json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}

/// Sensors with units, one column per component; positions of bodies if there are no sensors.
fn sensor_columns(system: &dyn Mechanism, q: &[f64]) -> Vec<String> {
    let state = precess::analysis::local::at_rest(system, q, 0.0);
    let (sensors, _) = for_summary(system, &state.at());
    let axis =
        |n: usize, i: usize| if n == 1 { "" } else { [".x", ".y", ".z"].get(i).copied().unwrap_or("") };
    let named = |name: &str, n: usize, unit: &str| -> Vec<String> {
        (0..n).map(|i| format!("{name}{}, {unit}", axis(n, i)).trim_end_matches(", ").to_string()).collect()
    };
    if sensors.is_empty() {
        return system.bodies(&state.at()).iter().flat_map(|b| named(&b.name, 3, "m")).collect();
    }
    sensors.iter().flat_map(|(name, x, unit)| named(name, x.len(), unit)).collect()
}

fn system_values(system: &dyn Mechanism, e: &Equilibrium) -> Vec<f64> {
    let (sensors, _) = for_summary(system, &e.state.at());
    if sensors.is_empty() {
        return system
            .bodies(&e.state.at())
            .iter()
            .flat_map(|b| [b.position.x, b.position.y, b.position.z])
            .collect();
    }
    sensors.into_iter().flat_map(|(_, x, _)| x).collect()
}

fn sweep_json(name: &str, columns: &[String], rows: &[Row]) -> Value {
    let row = |r: &Row| {
        let mut object = Map::new();
        object.insert(name.to_string(), json!(r.value));
        match &r.result {
            Ok(f) => {
                object.extend(columns.iter().cloned().zip(f.sensors.iter().map(|x| json!(x))));
                object.insert("lowest_kappa".into(), json!(f.lowest));
                object.insert("stability".into(), json!(f.stability));
            }
            Err(e) => {
                object.insert("error".into(), json!(e));
            }
        }
        Value::Object(object)
    };
    json!({ "parameter": name, "rows": rows.iter().map(row).collect::<Vec<_>>() })
}

/// One panel per unit; constant curves are left out.
fn sweep_figure(name: &str, columns: &[String], rows: &[Row]) -> Figure {
    let x: Vec<f64> = rows.iter().map(|r| r.value).collect();
    let mut panels: Vec<(String, Panel)> = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        let (label, unit) = column.rsplit_once(", ").unwrap_or((column, ""));
        let y: Vec<f64> = rows
            .iter()
            .map(|r| r.result.as_ref().ok().and_then(|f| f.sensors.get(i).copied()).unwrap_or(f64::NAN))
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
