//! `precess kinematics`: moves a driven mechanism without dynamics.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::kinematics::sweep;
use precess::analysis::report::kinematics as written;
use precess::study::results::Output;

use crate::args;
use crate::output::{Stop, message, print, report, wrong};
use crate::subject::{Reader, refuse_time, stop};

/// Moves the drives of a model.
pub fn kinematics(args: &args::Kinematics) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject.file)?;
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
        print(&format!("{:#}\n", written::json(&loaded, system, &found)));
    } else {
        report(&written::text(system, &found));
    }
    if let Some(output) = output {
        let file = output.finish(&written::results(&loaded, system, &found)).map_err(wrong)?;
        if !args.json {
            print(&format!("written: {}\n", file.display()));
        }
    }
    for note in written::notes(&found) {
        message(&format!("note: {note}"));
    }
    found.reached_the_end().map_err(stop)
}
