//! `precess equilibrium`: finds where a mechanism rests.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::equilibria::equilibria;
use precess::analysis::equilibrium::find;
use precess::analysis::report::{equilibria as sweep_written, equilibrium as written};
use precess::analysis::{EquilibriumOptions, Kind};
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;
use precess::model::Loaded;
use precess::model::turns::lost;
use precess_view::figures::equilibria::figure;
use precess_view::{Scene, html, states};

use crate::animation;
use crate::args::{self, EquilibriumKind};
use crate::files::Target;
use crate::output::{Stop, message, print, report, wrong};
use crate::start_file;
use crate::subject::{Reader, notes, render, stop};

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
    let reader = Reader::new(&args.subject.file)?;
    let options = options(args.kind, args.subject.time);
    if let Some(vary) = &args.vary {
        return sweep(args, &reader, vary, &options);
    }
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let targets = args.out.iter().map(|f| Target::open(f, &["toml"])).collect::<Result<Vec<_>, _>>()?;
    start_file::refuse_overrides(targets.first(), &args.subject.file.set)?;
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
        report(&written::text(&loaded, &*built.system, &found));
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
    found.is_as_wanted(&*built.system, options.kind).map_err(stop)
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
    states::scene(loaded, system, &list, args.subject.file.model.parent(), label)
}

/// Equilibria over a parameter; each search starts from the last one.
fn sweep(
    args: &args::Equilibrium,
    reader: &Reader,
    vary: &str,
    options: &EquilibriumOptions,
) -> Result<(), Stop> {
    let (name, path, values) = reader.variation(vary)?;
    let [first, ..] = values[..] else { return Err(wrong("there are no values")) };
    let targets = args
        .out
        .iter()
        .map(|f| Target::open(f, &["csv", "json", "svg", "html", "png"]))
        .collect::<Result<Vec<_>, _>>()?;
    let page = animation::target(args.view.as_ref())?;
    let at = |value: f64| reader.load(&[format!("{path}={value:e}")]);
    notes(&at(first)?, options.t, true);
    let all = equilibria(&reader.source(&path), &values, options).map_err(stop)?;
    let json = sweep_written::json(&name, &all);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        report(&sweep_written::text(&name, &all));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => sweep_written::csv_table(&name, &all).into_bytes(),
            "json" => format!("{json:#}\n").into_bytes(),
            kind => render(&figure(&name, &all), kind)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    if all.are_equal() {
        message(&format!("note: nothing depends on {name}: all rows are the same"));
    }
    let found =
        all.rows.iter().filter_map(|(value, found)| Some((*value, found.as_ref().ok()?.state.clone())));
    let (mut shown, states): (Vec<f64>, Vec<State>) = found.unzip();
    let Some(last) = shown.last().copied() else {
        let first = all.rows.into_iter().find_map(|(_, found)| found.err());
        return first.map_or(Ok(()), |e| Err(Stop { code: 1, ..stop(e) }));
    };
    if let Some(page) = page {
        let loaded = at(last)?;
        let built = reader.build(&loaded)?;
        let mut scene =
            self::path(args, (&loaded, &*built.system), &states, format!("equilibria over {name}"));
        shown.push(last);
        scene.clock = Some((name, shown));
        animation::write(page, &html::page(&[scene]), args.json)?;
    }
    Ok(())
}
