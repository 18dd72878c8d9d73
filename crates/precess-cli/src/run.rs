//! `precess run`: read, integrate, report.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precess::Error;
use precess::integrate::{InitialValues, method};
use precess::mechanics::State;
use precess::model::{Built, Loaded, build, load};
use precess::study::{Failure, Sample, Summary};

use crate::args;
use crate::history::History;
use crate::output::{Stop, print, wrong};
use crate::report;

/// Name and text of a model file.
pub fn source_text(source: &args::Source) -> Result<(String, String), Stop> {
    let path = source.model.display().to_string();
    let text = std::fs::read_to_string(&source.model).map_err(|e| {
        wrong(format!(
            "cannot read {path}: {e}\n  help: give a model file; precess models lists those in models/"
        ))
    })?;
    Ok((path, text))
}

/// Reads a model file with the options of the command line; `more` are further overrides.
pub fn read(source: &args::Source, more: &[String]) -> Result<Loaded, Stop> {
    let (path, text) = source_text(source)?;
    let overrides = [&source.overrides(), more].concat();
    load(&path, &text, &overrides).map_err(wrong)
}

/// Runs a model.
pub fn run(args: &args::Run) -> Result<(), Stop> {
    let every: Vec<String> = args.every.iter().map(|n| format!("output.every={n}")).collect();
    let loaded = read(&args.source, &every)?;
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).map_err(wrong)?;
    let mut integrator = method(&settings.method, &settings.options).map_err(wrong)?;
    if let Some(warning) = integrator.warning() {
        eprintln!("warning: {warning}");
    }
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = settings.fix_initial;
    let mut state = initial.consistent(&*built.system).map_err(wrong)?;
    let output = args.out.clone().or_else(|| settings.output.as_ref().map(Into::into));
    let mut history = output.map(|file| History::create(file, settings.every)).transpose().map_err(wrong)?;

    let (steps, _) = settings.run().steps(state.t).map_err(wrong)?;
    let bar = progress(steps, "steps");
    let mut last = Instant::now();
    let mut record = |sample: &Sample| {
        if let Some(history) = &mut history {
            history.record(&*built.system, sample);
        }
        if sample.step.is_multiple_of(64) && last.elapsed() > Duration::from_millis(50) {
            last = Instant::now();
            bar.set_position(sample.step as u64);
            bar.set_message(format!("t = {:.4} s", sample.state.t));
        }
    };
    let result = settings.run().run(&*built.system, &mut *integrator, &mut state, &mut record);
    bar.finish_and_clear();

    if let Err(failure) = &result
        && is_input(&failure.error)
        && failure.summary.steps == 0
    {
        if let Some(history) = history {
            history.discard();
        }
        return Err(wrong(&failure.error));
    }
    if let Some(history) = history {
        let file = history.finish().map_err(wrong)?;
        if !args.json {
            print(&format!("time history: {file}\n"));
        }
    }
    match result {
        Ok(summary) => {
            show(args, &loaded, &built, &state, &summary, None);
            Ok(())
        }
        Err(failure) => {
            let Failure { error, summary } = *failure;
            show(args, &loaded, &built, &state, &summary, Some(&error.to_string()));
            Err(Stop { code: 1, message: format!("error: {error}") })
        }
    }
}

/// True for errors that say the input is wrong; the others are failures of a simulation.
fn is_input(error: &Error) -> bool {
    matches!(
        error,
        Error::Parameter { .. }
            | Error::Coefficients { .. }
            | Error::UnknownName { .. }
            | Error::Unsupported { .. }
    )
}

fn show(
    args: &args::Run,
    loaded: &Loaded,
    built: &Built,
    state: &State,
    summary: &Summary,
    error: Option<&str>,
) {
    if args.json {
        print(&format!("{:#}\n", report::json(loaded, built, state, summary, error)));
    } else {
        print(&report::text(loaded, built, state, summary));
    }
}

/// A bar on a terminal, nothing elsewhere.
pub fn progress(steps: usize, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{pos}}/{{len}} {what}  {{msg}}  {{per_sec}}  {{eta}} left"
    )) {
        bar.set_style(style);
    }
    bar
}
