//! `precess modes --find-stability-loss`: the value of a parameter at which a motion begins to grow.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::linearised::Place;
use precess::analysis::report::stability_loss as written;
use precess::analysis::stability_loss::stability_changes;
use precess::analysis::{Frame, Kind};

use crate::args::{self, ModesAt};
use crate::output::{Stop, print, report, wrong};
use crate::subject::{Reader, stop};

/// Looks for a change between stable and unstable in the values of a parameter.
pub fn stability_loss(args: &args::Modes, reader: &Reader, vary: &str, frame: Frame) -> Result<(), Stop> {
    let (name, path, values) = reader.variation(vary)?;
    if values.len() < 2 {
        return Err(wrong(format!(
            "--find-stability-loss {vary}: two or more values are needed\n  help: write {name}=0:100:11"
        )));
    }
    let place = match &args.at {
        ModesAt::Equilibrium => Place::Equilibrium(Kind::Any),
        ModesAt::Steady => Place::Steady,
        ModesAt::Initial => Place::Initial,
        ModesAt::File(file) => {
            return Err(wrong(format!(
                "--at {}: the end of a run belongs to one value of {name}\n  help: use --at equilibrium, steady \
                 or initial",
                file.display()
            )));
        }
    };
    let source = reader.source(&path);
    let found = stability_changes(&source, &values, (place, frame), args.subject.time).map_err(stop)?;
    match args.json {
        true => print(&format!("{:#}\n", written::json(&name, &found))),
        false => report(&written::text(&name, &found)),
    }
    Ok(())
}
