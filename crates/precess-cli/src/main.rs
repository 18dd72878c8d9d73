//! The command line of precess: parse, call the library, print.

mod args;
mod history;
mod report;
mod run;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let result = match args.command {
        args::Command::Run(run) => run::run(&run),
        args::Command::Methods => {
            report::methods();
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
