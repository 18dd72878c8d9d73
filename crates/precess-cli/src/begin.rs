//! The start of a run that differs from its file: joints are closed first, or the run begins at the end of
//! another one.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use precess::analysis::rough::{self, Assembled};
use precess::model::{Files, Loaded};
use precess::study::larger;
use precess::study::start_from::start_from;

use crate::output::{Stop, message, wrong};
use crate::subject::stop;

/// The model with its first positions and velocities.
pub fn begin(mut loaded: Loaded, from: Option<&Path>) -> Result<Loaded, Stop> {
    let Some(file) = from else {
        report(rough::close(&mut loaded).map_err(stop)?.as_ref());
        return Ok(loaded);
    };
    let started = start_from(&mut loaded, file).map_err(wrong)?;
    let file = file.display();
    if !started.missing.is_empty() {
        message(&format!("not in {file}, so they begin as in the model: {}", started.missing.join(", ")));
    }
    if !loaded.model.events.is_empty() {
        message("events start again: switches are set as in the model, not as at the end of the other run");
    }
    message(&format!("begins where {file} ends, at t = {} s of that run", started.t));
    Ok(loaded)
}

/// The text of a model for a study or a sweep, which reads it once per run.
pub fn assembled(path: &str, text: String, overrides: &[String], files: &Files) -> Result<String, Stop> {
    let closed = rough::close_text(path, &text, overrides, files).map_err(stop)?;
    report(closed.as_ref().map(|(_, found)| found));
    Ok(closed.map_or(text, |(closed, _)| closed))
}

/// Prints how far bodies moved until the joints were closed.
fn report(found: Option<&Assembled>) {
    let Some(found) = found else { return };
    let turned = found.moved.iter().fold(0.0, |m, [turned, _]| larger(m, *turned));
    let moved = found.moved.iter().fold(0.0, |m, [_, moved]| larger(m, *moved));
    message(&format!(
        "assembled in {} iterations: bodies moved by up to {moved:.3e} m and {turned:.3e} rad",
        found.iterations
    ));
    for m in &found.mirrored {
        message(&format!("warning: joint '{}' now bends the other way than in the given positions", m.joint));
    }
}
