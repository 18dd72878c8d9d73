//! A model file that starts where an analysis ended: the user's file with `[start.BODY]` tables at its end.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::mechanics::mechanism::BodyState;
use precess::model::start::with_start;
use precess::model::{Files, StartSpec, load_with};

use crate::files::Target;
use crate::output::{Stop, print, wrong};

/// Refuses to write a new file together with --set, since the new file would not contain the changes.
pub fn refuse_overrides(target: Option<&Target>, set: &[String]) -> Result<(), Stop> {
    match (target, set) {
        (Some(_), [first, ..]) => Err(wrong(format!(
            "the new file would not have --set {first}\n  help: write that into the model first, or leave \
             -o out"
        ))),
        _ => Ok(()),
    }
}

/// Writes a copy of the file with these positions and velocities, after a test that it can be read.
pub fn write(
    target: Target,
    (path, text): (&str, &str),
    files: Files,
    bodies: &[BodyState],
    why: &str,
    say: bool,
) -> Result<(), Stop> {
    let list: Vec<(String, StartSpec)> = bodies.iter().map(|b| (b.name.clone(), StartSpec::of(b))).collect();
    let new = with_start(text, why, &list);
    let read = load_with(path, &new, &[], files)
        .map_err(|e| wrong(format!("the new file could not be read: {e}")))?;
    let same = |(name, start): &(String, StartSpec)| {
        read.model
            .start
            .get(name)
            .is_some_and(|r| r.position == start.position && r.velocity == start.velocity)
    };
    if !list.iter().all(same) {
        let help = "write each [start.BODY] of the model as a separate table";
        return Err(wrong(format!("the new file would start elsewhere\n  help: {help}")));
    }
    let file = target.write(new.as_bytes())?;
    if say {
        print(&format!("written: {file}\n"));
    }
    Ok(())
}
