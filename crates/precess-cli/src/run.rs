//! `precess run`: read, integrate, report.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precess::Error;
use precess::integrate::{InitialValues, adaptive_method, method};
use precess::mechanics::State;
use precess::model::{Built, Loaded, Settings, build, load};
use precess::study::{Failure, Recorder, Sample, Spread, Summary};

use crate::args;
use crate::history::History;
use crate::output::{Stop, print, wrong};
use crate::report;

/// Reads a model file with the options of the command line; `more` are further overrides.
pub fn read(source: &args::Source, more: &[String]) -> Result<Loaded, Stop> {
    let path = source.model.display().to_string();
    let text = std::fs::read_to_string(&source.model).map_err(|e| {
        wrong(format!(
            "cannot read {path}: {e}\n  help: give a model file; precess models lists those in models/"
        ))
    })?;
    let overrides = [&source.overrides(), more].concat();
    load(&path, &text, &overrides).map_err(wrong)
}

/// Runs a model.
pub fn run(args: &args::Run) -> Result<(), Stop> {
    let every: Vec<String> = args.every.iter().map(|n| format!("output.every={n}")).collect();
    let loaded = read(&args.source, &every)?;
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).map_err(wrong)?;
    if args.verify && settings.tolerance.is_none() {
        return Err(wrong("--verify needs a tolerance\n  help: give --tol instead of --step"));
    }
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = settings.fix_initial;
    let mut state = initial.consistent(&*built.system).map_err(wrong)?;
    let output = args.out.clone().or_else(|| settings.output.as_ref().map(Into::into));
    let mut history = output.map(|file| History::create(file, settings.every)).transpose().map_err(wrong)?;

    let bar = progress();
    let (t_0, span) = (state.t, settings.until - state.t);
    let mut last = Instant::now();
    let mut record = |sample: &Sample| {
        if let Some(history) = &mut history {
            history.record(&*built.system, sample);
        }
        if sample.step.is_multiple_of(64) && last.elapsed() > Duration::from_millis(50) {
            last = Instant::now();
            bar.set_position((1000.0 * (sample.state.t - t_0) / span) as u64);
            bar.set_message(format!("t = {:.4} s", sample.state.t));
        }
    };
    let first = state.clone();
    let mut spread = Spread::over(if args.verify { VERIFIED } else { 2 });
    let mut both = |sample: &Sample| {
        record(sample);
        spread.record(sample);
    };
    let mut result = integrate(settings, &built, &mut state, &mut both).map_err(wrong)?;
    bar.finish_and_clear();
    if let (true, Ok(summary)) = (args.verify, &mut result) {
        verify(settings, &built, first, &spread.states(), summary).map_err(wrong)?;
    }

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

/// States that are compared by --verify.
const VERIFIED: usize = 40;

/// Integrates with a tolerance or with fixed steps, whichever the settings give.
fn integrate(
    settings: &Settings,
    built: &Built,
    state: &mut State,
    recorder: &mut dyn Recorder,
) -> Result<Result<Summary, Box<Failure>>, Error> {
    let warn = |warning: Option<String>| {
        if let Some(warning) = warning {
            eprintln!("warning: {warning}");
        }
    };
    if let (Some(run), Some(tol)) = (settings.adaptive_run(), settings.tolerance) {
        let mut adaptive = adaptive_method(&settings.method, &settings.options, tol)?;
        warn(adaptive.warning());
        return Ok(run.run(&*built.system, &mut *adaptive, state, recorder));
    }
    let mut integrator = method(&settings.method, &settings.options)?;
    warn(integrator.warning());
    settings.run().steps(state.t)?;
    Ok(settings.run().run(&*built.system, &mut *integrator, state, recorder))
}

/// Estimates the global error by a run with a tenth of the tolerance.
fn verify(
    settings: &Settings,
    built: &Built,
    mut state: State,
    on_the_way: &[State],
    summary: &mut Summary,
) -> Result<(), Error> {
    if let (Some(run), Some(tol), Some(control)) =
        (settings.adaptive_run(), settings.tolerance, &mut summary.control)
    {
        let mut finer = adaptive_method(&settings.method, &settings.options, tol.scaled(0.1))?;
        control.achieved = Some(run.verify(&*built.system, &mut *finer, &mut state, on_the_way)?);
    }
    Ok(())
}

/// True for errors that say the input is wrong; the others are failures of a simulation.
fn is_input(error: &Error) -> bool {
    matches!(
        error,
        Error::Parameter { .. }
            | Error::Coefficients { .. }
            | Error::UnknownName { .. }
            | Error::Unsupported { .. }
            | Error::Precision { .. }
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
fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} %  {msg}  {eta} left") {
        bar.set_style(style);
    }
    bar
}
