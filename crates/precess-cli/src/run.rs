//! `precess run`: read, integrate, write, report.

use precess::Error;
use precess::integrate::{InitialValues, method};
use precess::model::{Loaded, build, load};
use precess::study::results::{Output, Recording};
use precess::study::{Recorder, Sample};

use crate::output::{Stop, message, print, wrong};
use crate::progress::Progress;
use crate::{args, interrupt, report};

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

/// What sees every step: the results, the progress, and Ctrl-C.
struct Watch<'a> {
    recording: Option<Recording<'a>>,
    progress: Progress,
}

impl Recorder for Watch<'_> {
    fn record(&mut self, sample: &Sample) {
        if let Some(recording) = &mut self.recording {
            recording.record(sample);
        }
        self.progress.see(sample);
    }

    fn stops(&self) -> bool {
        interrupt::asked()
    }
}

/// Runs a model.
pub fn run(args: &args::Run) -> Result<(), Stop> {
    let every: Vec<String> = args.every.iter().map(|n| format!("output.every={}", toml_value(n))).collect();
    let loaded = read(&args.source, &every)?;
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).map_err(wrong)?;
    let mut integrator = method(&settings.method, &settings.options).map_err(wrong)?;
    if let Some(warning) = integrator.warning() {
        message(&format!("warning: {warning}"));
    }
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = settings.fix_initial;
    let mut state = initial.consistent(&*built.system).map_err(wrong)?;
    let output = args.out.clone().or_else(|| settings.output.as_ref().map(Into::into));
    let output = output.map(Output::create).transpose().map_err(wrong)?;
    let recording = output.as_ref().map(|_| Recording::new(&loaded, &*built.system, settings.every));
    let mut watch = Watch { recording, progress: Progress::new(args.progress, state.t, settings.until) };
    interrupt::listen();
    let result = settings.run().run(&*built.system, &mut *integrator, &mut state, &mut watch);
    watch.progress.finish();

    let (summary, error) = match result {
        Ok(summary) => (summary, None),
        Err(failure) if is_input(&failure.error) && failure.summary.steps == 0 => {
            return Err(wrong(&failure.error));
        }
        Err(failure) => (failure.summary, Some(failure.error.to_string())),
    };
    let written = match (output, watch.recording) {
        (Some(output), Some(recording)) => {
            Some(output.finish(&recording.finish(&summary, error.as_deref())).map_err(wrong)?)
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
        print(&report::text(&loaded, &built, &state, &summary));
    }
    if let Some(error) = error {
        return Err(Stop { code: 1, message: format!("error: {error}") });
    }
    if summary.stopped {
        let kept = if written.is_some() { ", the results up to then are written" } else { "" };
        let message = format!(
            "stopped at t = {} of {} s after {} steps{kept}",
            summary.t_end, settings.until, summary.steps
        );
        return Err(Stop { code: interrupt::CODE, message });
    }
    Ok(())
}

/// A number as it is, anything else as a text of TOML.
fn toml_value(text: &str) -> String {
    if text.trim().parse::<f64>().is_ok() { text.to_string() } else { format!("{text:?}") }
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
