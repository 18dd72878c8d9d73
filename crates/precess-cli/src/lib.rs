//! The command line of precess: parses arguments, calls the library, prints.
//!
//! It is a library so that others can offer the same command: the Python package has it as `precess`.

// No user input causes a panic; unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

mod analysis_args;
mod animation;
mod args;
mod assemble;
mod begin;
mod browser;
mod campbell;
mod catalogue;
mod check;
mod claims;
mod cluster;
mod disk_space;
mod equilibrium;
mod export;
mod files;
mod film;
mod flags;
mod floquet;
mod gallery;
mod import;
mod import_body;
mod interrupt;
mod kinematics;
mod manual;
mod modes;
mod output;
mod playground;
mod plot;
mod progress;
mod run;
mod serve;
mod spectrum;
mod spectrum_figure;
mod stability_loss;
mod start_file;
mod state_space;
mod study;
mod study_args;
mod subject;
mod sweep;
mod view;

use std::ffi::OsString;

use args::Command;
use clap::Parser;

/// Runs the command line with these words, the name of the program first, and returns its exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    interrupt::install();
    let args = match args::Args::try_parse_from(words) {
        Ok(args) => args,
        // Control characters in the user's words are removed: they could change the terminal.
        Err(e) if e.use_stderr() => {
            output::message(&e.render().to_string());
            return 2;
        }
        Err(e) => {
            output::told(e.print());
            return u8::from(output::is_lost());
        }
    };
    let result = match args.command {
        Command::Run(args) => run::run(&args),
        Command::Plot(args) => plot::plot(&args),
        Command::Spectrum(args) => spectrum::spectrum(&args),
        Command::View(args) => view::view(&args),
        Command::Export(args) => export::export(&args),
        Command::Playground(args) => playground::playground(&args),
        Command::Check(args) => check::check(&args),
        Command::Study(args) => study::study(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::Assemble(args) => assemble::assemble(&args),
        Command::Kinematics(args) => kinematics::kinematics(&args),
        Command::Equilibrium(args) => equilibrium::equilibrium(&args),
        Command::Modes(args) => modes::modes(&args),
        Command::Campbell(args) => campbell::campbell(&args),
        Command::Claims(args) => claims::claims(&args),
        Command::Import(args) => import::import(&args),
        Command::Models(args) => catalogue::models(&args),
        Command::Methods(args) => catalogue::methods(&args),
        Command::Schema { markdown } => catalogue::schema(markdown),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { command } => manual::man(command.as_deref()),
    };
    match result {
        // The output is lost, and its reader must know.
        Ok(()) => u8::from(output::is_lost()),
        Err(stop) => {
            if !stop.message.is_empty() {
                output::message(&stop.message);
            }
            stop.code
        }
    }
}
