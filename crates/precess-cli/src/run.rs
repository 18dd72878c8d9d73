//! `precess run`: read, integrate, report.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precess::integrate::{InitialValues, method};
use precess::mechanics::State;
use precess::model::{Built, Loaded, build, load};
use precess::study::{Failure, Sample, Summary};

use crate::args;
use crate::history::History;
use crate::report;

/// What ends the program with a message.
pub struct Stop {
    /// Exit code: 1 the simulation failed, 2 the input is wrong.
    pub code: u8,
    /// For the user.
    pub message: String,
}

fn wrong(message: impl ToString) -> Stop {
    Stop { code: 2, message: format!("error: {}", message.to_string().trim_start_matches("error: ")) }
}

/// Runs a model.
pub fn run(args: &args::Run) -> Result<(), Stop> {
    let path = args.model.display().to_string();
    let text = std::fs::read_to_string(&args.model).map_err(|e| wrong(format!("cannot read {path}: {e}")))?;
    let loaded = load(&path, &text, &args.overrides()).map_err(wrong)?;
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).map_err(wrong)?;
    let output = args.out.clone().or_else(|| settings.output.as_ref().map(Into::into));
    let mut history = output.map(|file| History::create(file, settings.every)).transpose().map_err(wrong)?;
    let mut integrator = method(&settings.method, &settings.options).map_err(wrong)?;
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = settings.fix_initial;
    let mut state = initial.consistent(&*built.system).map_err(wrong)?;

    let (steps, _) = settings.run().steps(state.t).map_err(wrong)?;
    let bar = progress(steps);
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

    if let Some(history) = history {
        let file = history.finish().map_err(wrong)?;
        if !args.json {
            println!("time history: {file}");
        }
    }
    match result {
        Ok(summary) => {
            show(args, &loaded, &built, &state, &summary, None);
            Ok(())
        }
        Err(failure) => {
            let Failure { error, summary } = *failure;
            if summary.steps == 0 {
                return Err(wrong(error));
            }
            show(args, &loaded, &built, &state, &summary, Some(&error.to_string()));
            Err(Stop { code: 1, message: format!("error: {error}") })
        }
    }
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
        println!("{:#}", report::json(loaded, built, state, summary, error));
    } else {
        print!("{}", report::text(loaded, built, state, summary));
    }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {pos}/{len} steps  {msg}  {per_sec}  {eta} left")
    {
        bar.set_style(style);
    }
    bar
}
