//! `precess study`: compares methods and step sizes with a reference.

use std::time::Duration;

use indicatif::ProgressBar;
use precess::model::load_with;
use precess::study::configuration::steps;
use precess::study::convergence::{ConvergenceTable, Study};
use precess::study::parallel::Workers;
use precess::study::{Configuration, Reference};
use serde_json::{Map, Value, json};

use crate::args;
use crate::begin::assembled;
use crate::files::Target;
use crate::output::{Stop, message, print, wrong};
use crate::plot::draw;
use crate::progress::jobs;
use crate::run::files;
use crate::subject::read;
use precess_view::figures::study::figure;

/// Runs a study.
pub fn study(args: &args::Study) -> Result<(), Stop> {
    let study = study_from_args(args)?;
    let outputs = args
        .out
        .iter()
        .map(|f| Target::open(f, &["csv", "json", "svg", "png", "html"]))
        .collect::<Result<Vec<_>, _>>()?;
    let workers = Workers::new(args.jobs);
    let reference = reference(args, &study, workers)?;
    let bar = jobs(study.len(), "runs");
    let tick = || bar.inc(1);
    let mut table = study.run(&reference, workers.telling(&tick));
    bar.finish_and_clear();
    if args.work {
        let bar: ProgressBar = jobs(study.len(), "timed runs");
        study.measure(&mut table, args.repeats as usize, &processor_time, &|| bar.inc(1));
        bar.finish_and_clear();
    }

    if !args.show.is_empty() {
        table.show(&args.show).map_err(wrong)?;
    }
    if args.json {
        print(&format!("{:#}\n", as_json(&table)));
    } else {
        crate::output::report(&table.text());
    }
    for target in outputs {
        let content = match target.kind.as_str() {
            "csv" => table.csv().into_bytes(),
            "json" => format!("{:#}\n", as_json(&table)).into_bytes(),
            picture => draw(&figure(&table), picture)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    end(&table)
}

/// Ends the study: it succeeds if one run can be used. Printed and written results stay.
fn end(table: &ConvergenceTable) -> Result<(), Stop> {
    let of_use = table.rows.iter().any(|r| r.errors.is_ok() && !r.is_wrong());
    let message = match table.rows.iter().find_map(|r| r.summary.trust.wrong().filter(|_| r.is_wrong())) {
        _ if of_use => return Ok(()),
        Some(reason) => {
            format!("error: no run of this study can be trusted; the first complete run: {reason}")
        }
        None => "error: all runs failed".to_string(),
    };
    Err(Stop { code: 1, message })
}

/// The study that the arguments describe.
fn study_from_args(args: &args::Study) -> Result<Study, Stop> {
    let (path, text) = read(&args.source.model)?;
    let overrides = args.source.overrides();
    let files = files(&args.source);
    let text = assembled(&path, text, &overrides, &files)?;
    let mut methods = Vec::new();
    for word in args.methods.iter().flat_map(|m| m.split_whitespace()) {
        methods.push(Configuration::parse(word).map_err(wrong)?);
    }
    if methods.is_empty() {
        let base = load_with(&path, &text, &overrides, files.clone()).map_err(wrong)?;
        let label = if base.settings.tolerance.is_some() { "gen-alpha".into() } else { base.settings.method };
        methods.push(Configuration { label, overrides: Vec::new() });
    }
    let mut study = Study::load_with(&path, &text, &overrides, files, &methods, Vec::new()).map_err(wrong)?;
    for notice in study.notices(&methods) {
        message(&format!("warning: {notice}"));
    }
    if args.source.tol.is_some() {
        message("warning: --tol has no effect: a study compares fixed steps");
    }
    let h = study.model().settings.step;
    study.steps = match &args.steps {
        Some(text) => steps(text).map_err(wrong)?,
        None => (0..4).map(|i| h / f64::from(1 << i)).collect(),
    };
    let until = study.to;
    let (from, to) = args.window.as_ref().map_or(Ok((0.0, until)), |w| window(w, until))?;
    Ok(study.window(from, to))
}

/// The reference for the errors.
fn reference(args: &args::Study, study: &Study, workers: Workers) -> Result<Reference, Stop> {
    let mut times = study.times();
    times.refine = args.refine as usize;
    match args.reference.as_str() {
        "fine" => {
            let bar = jobs(2, "references");
            let tick = || bar.inc(1);
            let reference = Reference::fine(study.model(), times, workers.telling(&tick));
            bar.finish_and_clear();
            reference.map_err(|e| Stop { code: 1, message: format!("error: no reference: {e}") })
        }
        "exact" => Reference::exact(study.model(), times).map_err(wrong),
        file if file.contains('.') => {
            let results = precess::study::results::read(file).map_err(wrong)?;
            Reference::from_results(file, study.model(), &results).map_err(wrong)
        }
        other => {
            Err(wrong(format!("'{other}' is not a reference\n  help: use fine, exact, or a file of results")))
        }
    }
}

/// Processor time of this thread.
fn processor_time() -> Duration {
    cpu_time::ThreadTime::try_now()
        .map_or_else(|_| precess::study::convergence::wall_clock(), |t| t.as_duration())
}

/// `FROM:TO`, `FROM:`, or one time.
fn window(text: &str, until: f64) -> Result<(f64, f64), Stop> {
    let number = |x: &str| x.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let (from, to) = match text.split_once(':') {
        Some((from, "")) => (number(from), Some(until)),
        Some((from, to)) => (number(from), number(to)),
        None => (number(text), number(text)),
    };
    match (from, to) {
        (Some(from), Some(to)) if 0.0 <= from && from <= to && to > 0.0 => Ok((from, to)),
        _ => Err(wrong(format!(
            "'{text}' is not an interval of time\n  help: write --window FROM:TO in seconds, or one time to \
             look at its errors only"
        ))),
    }
}

fn as_json(table: &ConvergenceTable) -> Value {
    let named = |values: &[Option<f64>]| -> Map<String, Value> {
        table.quantities.iter().cloned().zip(values.iter().map(|x| json!(x))).collect()
    };
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|r| {
            let steps = r.summary.steps;
            let mut row = json!({
                "method": table.methods[r.method],
                "h": r.h,
                "steps": steps,
                "newton": {
                    "iterations_per_step": r.summary.iterations as f64 / steps.max(1) as f64,
                    "jacobian_updates": r.summary.jacobians,
                },
                "warnings": r.summary.warnings,
                "untrusted": r.summary.trust.wrong(),
            });
            match &r.errors {
                Ok(errors) => {
                    row["errors"] = named(errors).into();
                    row["orders"] = named(&r.orders).into();
                }
                Err(e) => row["failure"] = json!(e.to_string()),
            }
            if let Some(t) = r.time {
                row["time_s"] = json!(t.as_secs_f64());
            }
            row
        })
        .collect();
    json!({
        "model": table.model,
        "window": [table.window.0, table.window.1],
        "reference": { "about": table.reference, "estimated_errors": named(&table.estimate) },
        "rows": rows,
    })
}
