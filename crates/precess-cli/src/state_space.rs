//! The linear equations of `precess modes` as matrices, and their frequency responses.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::Modes;
use precess::analysis::linearised::Linearised;
use precess::analysis::of_model::linear_equations;
use precess::analysis::report::state_space::{self as written, frequencies};
use precess::analysis::state_space::StateSpace;
use precess::analysis::steady::Found;
use precess::mechanics::mechanism::Mechanism;
use precess::model::{Built, Loaded};
use precess_view::figures::bode;

use crate::args;
use crate::files::Target;
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, render, stop};

/// Opens the requested files, before anything is computed.
pub fn targets(args: &args::Modes) -> Result<Vec<Target>, Stop> {
    if args.input.is_empty() && (args.state_space.is_some() || !args.bode.is_empty()) {
        return Err(wrong(
            "a state space needs inputs\n  help: add --input with a joint, an actuator, or FORCE.x",
        ));
    }
    let matrices = args.state_space.iter().map(|f| Target::open(f, &["json", "npz", "mat"]));
    let pictures = args.bode.iter().map(|f| Target::open(f, &["svg", "html", "png", "csv"]));
    matrices.chain(pictures).collect()
}

/// The linear equations with the requested inputs and outputs.
pub fn matrices(
    args: &args::Modes,
    reader: &Reader,
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
) -> Result<Option<StateSpace>, Stop> {
    if args.input.is_empty() {
        return Ok(None);
    }
    let model = (&loaded.model, built);
    let space = linear_equations(model, reader.formulation(), (found, modes), &args.input, &args.output);
    space.map(Some).map_err(stop)
}

/// Writes matrices and responses.
pub fn write(
    args: &args::Modes,
    space: Option<StateSpace>,
    state: (&dyn Mechanism, &Linearised),
    modes: &Modes,
    targets: Vec<Target>,
) -> Result<(), Stop> {
    let Some(space) = space else { return Ok(()) };
    for target in targets {
        let kind = target.kind.clone();
        let content = match kind.as_str() {
            "json" => format!("{:#}\n", written::json(&space, state)).into_bytes(),
            kind @ ("npz" | "mat") => {
                written::archive(&space, kind).map_err(|e| wrong(format!("cannot write the archive: {e}")))?
            }
            "csv" => written::csv_table(&space, &frequencies(modes)).into_bytes(),
            kind => render(&bode::figure(&space, &frequencies(modes)), kind)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}
