//! `tolerances [WORD]`: prints Markdown tables of error over tolerance for positions, velocities and forces
//! of the models in `models/`.

use std::process::ExitCode;

use clap::Parser;
use precess_fuzz::tolerances::{Cell, METHODS, TOLERANCES, cases, cell};

/// Prints error over tolerance of positions, velocities and forces of the models in models/.
#[derive(Debug, Parser)]
struct Args {
    /// Only models whose name contains this word.
    #[arg(default_value = "")]
    wanted: String,
    /// Only the tolerances 1e-3 and 1e-6.
    #[arg(long)]
    quick: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let tolerances = if args.quick { &[1e-3, 1e-6][..] } else { &TOLERANCES[..] };
    let cases = match cases(&args.wanted) {
        Ok(cases) => cases,
        Err(e) => {
            eprintln!("error: cannot read the models: {e}");
            return ExitCode::from(2);
        }
    };
    let mut rows: Vec<(String, Vec<Vec<Cell>>)> = Vec::new();
    for case in cases {
        match case.errors(&METHODS, tolerances) {
            Ok((errors, [q, v, f])) => {
                rows.push((format!("{} | {:.0} {:.0} {:.0}", case.name, q, v, f), errors));
            }
            Err(e) => eprintln!("{}: no reference: {}", case.name, e.message),
        }
    }
    for (k, method) in METHODS.iter().enumerate() {
        println!("\n### {method}\n\nPositions, velocities and forces: error over tolerance.\n");
        print!("| model | growth |");
        tolerances.iter().for_each(|tol| print!(" {tol:.0e} |"));
        println!("\n|---|---|{}", "---|".repeat(tolerances.len()));
        for (name, errors) in &rows {
            let cells: Vec<String> = errors[k].iter().map(cell).collect();
            println!("| {name} | {} |", cells.join(" | "));
        }
    }
    ExitCode::SUCCESS
}
