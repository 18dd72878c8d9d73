//! `mechanisms --seeds 0:300`: simulates random mechanisms in many ways and prints the differences.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use precess_fuzz::mechanisms::compare::{Extent, Variants, compare};
use precess_fuzz::mechanisms::data::Mechanism;
use precess_fuzz::mechanisms::generate::mechanism;
use precess_fuzz::mechanisms::reduce::{Fault, reduced};
use precess_fuzz::mechanisms::table::Tally;

/// Simulates random mechanisms in many ways and compares the results.
#[derive(Debug, Parser)]
#[command(after_help = "Exit codes: 0 all is as promised; 1 something is not.")]
struct Args {
    /// One seed (7), or a range from:to that excludes its end (0:300).
    #[arg(long, default_value = "0:100", value_parser = seeds)]
    seeds: std::ops::Range<u64>,
    /// Only compare default runs with runs at a hundredth of the tolerance.
    #[arg(long)]
    quick: bool,
    /// Print the model files instead of running them.
    #[arg(long)]
    show: bool,
    /// Print every comparison of every mechanism.
    #[arg(long)]
    all: bool,
    /// The folder for the model files of mechanisms with faults.
    #[arg(long)]
    write: Option<PathBuf>,
    /// Remove everything from these files that the fault does not need. This takes a while.
    #[arg(long)]
    reduce: bool,
    /// Write only faults of this comparison. Its name is that in the table.
    #[arg(long)]
    of: Option<String>,
}

fn seeds(text: &str) -> Result<std::ops::Range<u64>, String> {
    let number = |x: &str| x.trim().parse::<u64>().map_err(|_| format!("'{x}' is not a seed"));
    match text.split_once(':') {
        Some((from, to)) => Ok(number(from)?..number(to)?),
        None => number(text).map(|n| n..n + 1),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    if args.show {
        args.seeds.for_each(|seed| println!("{}", mechanism(seed).toml()));
        return ExitCode::SUCCESS;
    }
    let extent = if args.quick { Extent::Promise } else { Extent::All };
    let begin = Instant::now();
    let mut tally = Tally::default();
    for seed in args.seeds {
        let m = mechanism(seed);
        let before = Instant::now();
        let found = compare(&m, seed, extent);
        if args.all {
            println!("seed {seed}: {:.2} s, growth {}", before.elapsed().as_secs_f64(), three(&found.growth));
            if let Some(stopped) = &found.failed {
                println!("  {:<28} {stopped:?}", "default");
            }
            for c in &found.list {
                let verdict = if c.is_right() { "" } else { "  WRONG" };
                match &c.outcome {
                    Ok(x) => {
                        println!(
                            "  {:<28} {} of {}, {:?} steps{verdict}",
                            c.what,
                            three(x),
                            three(&c.limit),
                            c.steps
                        )
                    }
                    Err(e) => println!("  {:<28} {}", c.what, e.message),
                }
            }
        }
        tally.add(seed, found);
    }
    print!("{}", tally.text());
    println!("\n{} mechanisms in {:.0} s", tally.len(), begin.elapsed().as_secs_f64());
    let faults = tally.faults(args.of.as_deref());
    if let Some(folder) = &args.write
        && let Err(e) = write(folder, &faults, args.reduce)
    {
        eprintln!("error: cannot write to {}: {e}", folder.display());
        return ExitCode::from(2);
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn three(x: &[f64; 3]) -> String {
    format!("{:7.1e} {:7.1e} {:7.1e}", x[0], x[1], x[2])
}

fn write(folder: &std::path::Path, faults: &[(u64, Fault)], reduce: bool) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (seed, fault) in faults {
        let mut m = mechanism(*seed);
        if reduce {
            m = reduced(&m, *seed, fault);
        }
        let put = |name: &str, m: &Mechanism| {
            let text = format!("# Seed {seed}: {fault:?}\n{}", m.toml());
            std::fs::write(folder.join(format!("random_{seed}{name}.toml")), text)
        };
        put("", &m)?;
        let variants = Variants::of(&m, *seed);
        match fault {
            Fault::Differs(what) if what.starts_with("scaled") => put("_scaled", &variants.scaled)?,
            Fault::Differs(what) if what.starts_with("turned") => put("_turned", &variants.turned)?,
            Fault::Differs(what) if what.starts_with("permuted") => put("_permuted", &variants.permuted)?,
            _ => {}
        }
    }
    Ok(())
}
