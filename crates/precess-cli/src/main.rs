//! The program `precess`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(precess_cli::main(std::env::args_os()))
}
