//! `precess kinematics`: moves a driven mechanism without dynamics.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::kinematics::sweep;
use precess::analysis::report::kinematics::{STOPPED, json, notes, record, text};
use precess::study::results::Output;

use crate::args;
use crate::output::{Stop, message, print, wrong};
use crate::subject::{Reader, refuse_time, stop};

/// Moves the drives of a model.
pub fn kinematics(args: &args::Kinematics) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    refuse_time(&args.subject)?;
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let until = args.until.unwrap_or(loaded.settings.until);
    if !(until.is_finite() && until > 0.0) {
        return Err(wrong("--until must be a positive number of seconds"));
    }
    let output = args.out.as_ref().map(Output::create).transpose().map_err(wrong)?;
    let system = &*built.system;
    let found = sweep(system, &built.q, until, args.steps as usize).map_err(stop)?;
    if args.json {
        print(&format!("{:#}\n", json(&loaded, system, &found)));
    } else {
        print(&text(system, &found));
    }
    for note in notes(&found) {
        message(&format!("note: {note}"));
    }
    if let Some(output) = output {
        let file = output.finish(&record(&loaded, system, &found)).map_err(wrong)?;
        if !args.json {
            print(&format!("written: {}\n", file.display()));
        }
    }
    match found.dead.last() {
        Some(_) if found.stopped => Err(Stop { code: 1, message: format!("error: {STOPPED}") }),
        _ => Ok(()),
    }
}
