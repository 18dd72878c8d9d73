//! `precess run`: read, integrate, write, report.

use std::path::{Component, Path};

use precess::mechanics::State;
use precess::methods::adaptive_method;
use precess::model::{Built, Files, Loaded, Settings, build, load_with};
use precess::persist::{Archive, Damage};
use precess::study::execute::{initial_state, integrate, is_input};
use precess::study::report;
use precess::study::results::{History, Output};
use precess::study::start_from::projected;
use precess::study::trust::Doubt;
use precess::study::{Cadence, Checkpoints, Failure, Recorder, Sample, Spread, Summary};

use crate::begin::begin;
use crate::output::{Stop, message, print, wrong};
use crate::progress::Progress;
use crate::{args, disk_space, interrupt, subject};

/// Reads a model file with the options of the command line; `more` are further overrides. Closes the joints
/// if the model asks for it.
pub fn read(source: &args::Source, more: &[String]) -> Result<Loaded, Stop> {
    begin(as_it_is(source, more)?, None)
}

fn as_it_is(source: &args::Source, more: &[String]) -> Result<Loaded, Stop> {
    let (path, text) = subject::read(&source.model)?;
    let overrides = [&source.overrides(), more].concat();
    load_with(&path, &text, &overrides, files(source)).map_err(wrong)
}

/// The files that a model may read.
pub fn files(source: &args::Source) -> Files {
    subject::files(&source.model, source.allow_outside)
}

/// Sees every step: collects results and the states for --verify, shows progress, and checks for Ctrl-C.
struct Watch<'a> {
    record: Option<History<'a>>,
    progress: Progress,
    spread: Option<Spread>,
}

impl Recorder for Watch<'_> {
    fn record(&mut self, sample: &Sample) {
        if let Some(record) = &mut self.record {
            record.record(sample);
        }
        if let Some(spread) = &mut self.spread {
            spread.record(sample);
        }
        self.progress.observe(sample);
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        if let Some(record) = &mut self.record {
            record.persist(like, archive)?;
        }
        match &mut self.spread {
            Some(spread) => spread.persist(like, archive),
            None => Ok(()),
        }
    }

    fn reads_forces(&self, step: usize, t: f64) -> bool {
        self.record.as_ref().is_some_and(|record| record.reads_forces(step, t))
    }

    fn stops(&self) -> bool {
        interrupt::asked()
    }
}

/// Help for a run that cannot begin at the end of another one.
const START_HELP: &str = "time begins at zero: let drives and motions begin where the other run ended, or \
                       end that run where they begin";

/// The first state of a run.
fn first_state(args: &args::Run, settings: &Settings, built: &Built) -> Result<State, Stop> {
    let e = match (initial_state(settings, built), &args.start_from) {
        (Ok(state), _) => return Ok(state),
        (Err(e), None) => return Err(wrong(e)),
        (Err(e), Some(_)) => e,
    };
    let state = projected(built).ok_or_else(|| wrong(format!("{e}\n  help: {START_HELP}")))?;
    message("note: velocities of the other run were projected onto the constraints");
    Ok(state)
}

/// Refuses to write results outside the current folder: the model may come from a stranger.
fn check_inside_folder(file: &str) -> Result<(), Stop> {
    let below = |part| matches!(part, Component::CurDir | Component::Normal(_));
    let folder = Path::new(file).parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A link leads anywhere. A folder that is not there is reported later.
    let is_link = std::fs::symlink_metadata(file).is_ok_and(|there| there.is_symlink());
    let stays = match (folder.canonicalize(), Path::new(".").canonicalize()) {
        (Ok(folder), Ok(here)) => folder.starts_with(here),
        _ => true,
    };
    if Path::new(file).components().all(below) && stays && !is_link {
        return Ok(());
    }
    Err(wrong(format!(
        "output.file = '{file}' is outside the folder of the run\n  help: give --out {file}, or \
         --allow-outside if you trust the model"
    )))
}

/// Runs a model.
pub fn run(args: &args::Run) -> Result<(), Stop> {
    let every: Vec<String> = args.every.iter().map(|n| format!("output.every={}", toml_value(n))).collect();
    let loaded = begin(as_it_is(&args.source, &every)?, args.start_from.as_deref())?;
    loaded.notices.iter().for_each(|notice| message(&format!("warning: {notice}")));
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).map_err(wrong)?;
    if args.out.is_none() && settings.output.is_none() && loaded.document.gives("output.every") {
        message("warning: output.every has no effect without a file of results: give --out FILE");
    }
    if args.verify && settings.tolerance.is_none() {
        return Err(wrong("--verify needs a tolerance\n  help: give --tol instead of --step"));
    }
    let mut state = first_state(args, settings, &built)?;
    let own = loaded.document.overrides().iter().any(|o| o.trim_start().starts_with("output.file"));
    if let (None, Some(file), false) = (&args.out, &settings.output, own || args.source.allow_outside) {
        check_inside_folder(file)?;
    }
    let output = args.out.clone().or_else(|| settings.output.as_ref().map(Into::into));
    if let Some(file) = &output {
        disk_space::check(file, &loaded, &built, state.t)?;
    }
    let output = match output {
        Some(file) => {
            let mut output = Output::create(&file).map_err(wrong)?;
            output.units = args.units;
            Some((output, file))
        }
        None if args.units || !args.columns.is_empty() => {
            return Err(wrong("--columns and --units need a file of results\n  help: give --out FILE"));
        }
        None => None,
    };
    let first = state.clone();
    let mut watch = Watch {
        record: output.as_ref().map(|_| History::new(&loaded, &*built.system, state.t)),
        progress: Progress::new(args.progress, state.t, settings.until),
        spread: args.verify.then(|| Spread::over(COMPARED_STATES)),
    };
    let mut checkpoints = checkpoints(args, &loaded, output.is_some())?;
    interrupt::listen();
    let mut warn = |warning: String| message(&format!("warning: {warning}"));
    let system = &*built.system;
    let result = integrate(settings, system, &mut state, &mut watch, checkpoints.as_mut(), &mut warn)
        .map_err(wrong)?;
    watch.progress.finish();
    if let Some((step, t)) = checkpoints.as_ref().and_then(|c| c.resumed) {
        message(&format!("continued from step {step} at t = {t} s"));
    }

    let (mut summary, mut error) = summary_of(result, &built, &state, settings.until)?;
    if let (Some(spread), None, false) = (watch.spread, &error, summary.stopped) {
        verify(settings, &built, first, &spread.states(), &mut summary);
    }
    let written = match (output, watch.record) {
        (Some((output, file)), Some(record)) => {
            let (mut results, failed) = record.finish(&summary, error.take());
            error = failed;
            if !args.columns.is_empty()
                && let Err(e) = results.keep(&args.columns)
            {
                message(&format!("warning: {e}; all columns are written"));
            }
            let (place, failed) = disk_space::finish(output, &file, &results).map_err(wrong)?;
            error = error.or(failed);
            Some(place)
        }
        _ => None,
    };
    if args.json {
        let mut object = report::json(&loaded, &built, &state, &summary, error.as_deref());
        if let Some(file) = &written {
            object["results"] = file.display().to_string().into();
        }
        print(&format!("{object:#}\n"));
    } else {
        if let Some(file) = &written {
            print(&format!("results: {}\n", file.display()));
        }
        crate::output::report(&report::text(&loaded, &built, &state, &summary));
    }
    // Needed to continue after an error or Ctrl-C.
    let is_over = error.is_none() && !summary.stopped;
    if let Some(checkpoints) = checkpoints.filter(|_| is_over) {
        checkpoints.remove();
    }
    end(args, settings, &summary, error, written.is_some())
}

/// The summary of a run, and the reason if it failed. Input that makes the first step impossible ends the
/// program.
fn summary_of(
    result: Result<Summary, Box<Failure>>,
    built: &Built,
    state: &State,
    until: f64,
) -> Result<(Summary, Option<String>), Stop> {
    let failure = match result {
        Ok(summary) => return Ok((summary, None)),
        Err(failure) => failure,
    };
    if is_input(&failure.error) && failure.summary.steps == 0 {
        return Err(wrong(&failure.error));
    }
    let ahead = troubles_ahead(built, state, until);
    let why = std::iter::once(failure.error.to_string()).chain(ahead).collect::<Vec<_>>().join("\n  ");
    Ok((failure.summary, Some(why)))
}

/// Ends the run: `Ok`, or a message and an exit code.
fn end(
    args: &args::Run,
    settings: &Settings,
    summary: &Summary,
    error: Option<String>,
    written: bool,
) -> Result<(), Stop> {
    if let Some(error) = error {
        return Err(Stop { code: 1, message: format!("error: {error}") });
    }
    if summary.stopped {
        let kept = if written { ", the results up to then are written" } else { "" };
        let go_on = if args.checkpoint.is_some() { "; --resume continues from there" } else { "" };
        let message = format!(
            "stopped at t = {} of {} s after {} steps{kept}{go_on}",
            summary.t_end, settings.until, summary.steps
        );
        return Err(Stop { code: interrupt::CODE, message });
    }
    match summary.trust.wrong() {
        Some(reason) => {
            Err(Stop { code: 1, message: format!("error: these results cannot be trusted: {reason}") })
        }
        None => Ok(()),
    }
}

/// The file for checkpoints, and the checkpoint to continue from.
fn checkpoints(args: &args::Run, loaded: &Loaded, recorded: bool) -> Result<Option<Checkpoints>, Stop> {
    let Some(file) = &args.checkpoint else { return Ok(None) };
    let cadence = Cadence::parse(&args.checkpoint_every).map_err(wrong)?;
    let yes = |x: bool| if x { "asked for" } else { "not asked for" };
    let identity =
        loaded.identity().with("a file of results", yes(recorded)).with("--verify", yes(args.verify));
    let mut checkpoints = Checkpoints::new(file, cadence, identity);
    if !args.resume {
        checkpoints.begin().map_err(wrong)?;
    } else if !checkpoints.resume().map_err(wrong)? {
        message(&format!("there is no checkpoint {} yet: the run starts at the beginning", file.display()));
    }
    Ok(Some(checkpoints))
}

/// Problems shortly after a state, for example an expression without a value. They often explain a failure
/// whose last state is still good.
fn troubles_ahead(built: &Built, state: &State, until: f64) -> Vec<String> {
    let system = &*built.system;
    let mut ahead = state.clone();
    let duration = until - state.t;
    let distances =
        [0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1].map(|part| part * duration);
    let found = distances.into_iter().map(|dt| {
        let later = |v: &f64, a: &f64| if a.is_finite() { v + dt * a } else { *v };
        ahead.v = state.v.iter().zip(&state.vdot).map(|(v, a)| later(v, a)).collect();
        let theta: Vec<f64> = state.v.iter().zip(&ahead.v).map(|(v, w)| 0.5 * dt * (v + w)).collect();
        system.group().retract(&state.q, &theta, &mut ahead.q);
        ahead.t = state.t + dt;
        system.troubles(&ahead.at())
    });
    found.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
}

/// A number unchanged, anything else as a TOML string.
fn toml_value(text: &str) -> String {
    if text.trim().parse::<f64>().is_ok() { text.to_string() } else { format!("{text:?}") }
}

/// Number of states that --verify compares.
const COMPARED_STATES: usize = 40;

/// Estimates the global error with a second run at a tenth of the tolerance. If that run fails, the first
/// result stays valid, and a message says why there is no estimate.
fn verify(settings: &Settings, built: &Built, mut state: State, on_the_way: &[State], summary: &mut Summary) {
    if let (Some(run), Some(tol), Some(control)) =
        (settings.adaptive_run(), settings.tolerance, &mut summary.control)
    {
        let finer = adaptive_method(&settings.method, &settings.options, tol.scaled(0.1));
        let achieved =
            finer.and_then(|mut finer| run.verify(&*built.system, &mut *finer, &mut state, on_the_way));
        match achieved {
            Ok(achieved) => {
                control.achieved = Some(achieved);
                match achieved.doubt(tol.tol) {
                    Some(Doubt::Notice(text)) => summary.warnings.push(text),
                    Some(Doubt::Wrong(reason)) => summary.trust.reject(Some(reason)),
                    None => {}
                }
            }
            Err(error) => control.unverified = Some(error.to_string()),
        }
    }
}
