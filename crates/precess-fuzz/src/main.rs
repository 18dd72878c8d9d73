//! `precess-fuzz TARGET`: feeds a parser with random inputs for a while and reports failures.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use precess_fuzz::engine::{self, Plan};
use precess_fuzz::targets::{TARGETS, target};

/// Feeds the parsers of precess with invalid input.
#[derive(Debug, Parser)]
#[command(after_help = "Exit codes: 0 nothing found; 1 findings; 3 an input did not end.\n\
    After a crash of the process: --from the last number it told, --trace.")]
struct Args {
    /// model | urdf | mjcf | expression | unit | table | mesh | include | results | checkpoint
    target: String,
    /// Files to feed unchanged, instead of random inputs.
    files: Vec<PathBuf>,
    /// The number of inputs.
    #[arg(long, default_value_t = u64::MAX)]
    runs: u64,
    /// The duration in seconds.
    #[arg(long, default_value_t = f64::MAX)]
    seconds: f64,
    /// The same seed gives the same inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    jobs: u64,
    /// The folder for findings.
    #[arg(long, default_value = "fuzz/failures")]
    save: PathBuf,
    /// Print the number of each input before it is fed.
    #[arg(long)]
    trace: bool,
    /// Print the input FROM and feed nothing.
    #[arg(long)]
    show: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(target) = target(&args.target) else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("error: there is no target '{}'; known: {}", args.target, names.join(", "));
        return ExitCode::from(2);
    };
    if !args.files.is_empty() {
        return feed_files(&target, &args.files);
    }
    let seeds = match target.seeds() {
        Ok(seeds) if !seeds.is_empty() => seeds,
        Ok(_) => {
            eprintln!("error: the corpus is empty");
            return ExitCode::from(2);
        }
        Err(e) => {
            eprintln!("error: the corpus cannot be read: {e}");
            return ExitCode::from(2);
        }
    };
    if args.show {
        let (_, bytes) = engine::input(&target, &seeds, args.seed, args.from);
        println!("{}", String::from_utf8_lossy(&bytes));
        return ExitCode::SUCCESS;
    }
    let plan = Plan {
        seed: args.seed,
        from: args.from,
        runs: args.runs,
        time: Duration::try_from_secs_f64(args.seconds).unwrap_or(Duration::MAX),
        jobs: args.jobs,
        save: Some(args.save),
        trace: args.trace,
    };
    let outcome = engine::run(&target, &seeds, &plan, &|text| eprintln!("{text}"));
    println!(
        "{}: {} seeds, seed {}, {} executions in {:.0} s of processor time ({:.0} per second), most memory \
         {:.1} MB, \
         slowest {:.3} s (input {}), {} findings",
        target.name,
        seeds.len(),
        args.seed,
        outcome.runs,
        outcome.processor,
        outcome.runs as f64 / outcome.processor.max(1e-9),
        outcome.peak as f64 / 1e6,
        outcome.slowest.0,
        outcome.slowest.1,
        outcome.findings.len()
    );
    if outcome.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn feed_files(target: &precess_fuzz::targets::Target, files: &[PathBuf]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let kind = file.extension().and_then(|e| e.to_str()).unwrap_or("");
        match std::fs::read(file) {
            Err(e) => println!("{}: {e}", file.display()),
            Ok(bytes) => {
                let (what, seconds, peak) = engine::feed(target, kind, &bytes, 0);
                let verdict = what.as_deref().unwrap_or("nothing wrong");
                println!("{}: {verdict} ({seconds:.3} s, {} kB)", file.display(), peak >> 10);
                if what.is_some() {
                    code = ExitCode::FAILURE;
                }
            }
        }
    }
    code
}
