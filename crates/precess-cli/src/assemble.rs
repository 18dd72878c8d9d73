//! `precess assemble`: closes the joints of a model with rough positions.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::report::assembly::{json, text as summary, warnings};
use precess::analysis::rough;
use precess::model::{build, load_with};

use crate::args;
use crate::files::Target;
use crate::output::{Stop, message, print, wrong};
use crate::start_file;
use crate::subject::{files, formulation, read, stop};

/// Closes the joints of a model and prints how far its bodies moved.
pub fn assemble(args: &args::Assemble) -> Result<(), Stop> {
    let (path, text) = read(&args.model)?;
    let formulation = formulation(&args.formulation)?;
    let files = files(&args.model, args.allow_outside);
    // Positions may be rough.
    let overrides = [&args.set[..], &["run.assemble=true".to_string()]].concat();
    let loaded = load_with(&path, &text, &overrides, files.clone()).map_err(wrong)?;
    let target = args.out.as_ref().map(|f| Target::open(f, &["toml"])).transpose()?;
    start_file::refuse_overrides(target.as_ref(), &args.set)?;
    let given = args.weight.iter().map(|text| weight(text)).collect::<Result<Vec<_>, _>>()?;
    let weights = rough::weights(&loaded.model, &given, &args.keep).map_err(wrong)?;
    let built = build(&loaded.model, formulation).map_err(wrong)?;
    let system = &*built.system;
    let found = rough::assemble(system, &built.q, &built.v, &weights);
    let found = found.map_err(|e| {
        let mut stop = stop(e);
        if let Some(list) = rough::in_the_way(&loaded.model, system, (&built.q, &built.v), &weights) {
            stop.message +=
                &format!("\n  help: it would close if these bodies, which --keep holds, could move: {list}");
        }
        stop
    })?;
    if args.json {
        print(&format!("{:#}\n", json(&loaded, system, &found)));
    } else {
        print(&summary(&loaded, system, &found));
    }
    for warning in warnings(&found) {
        message(&format!("warning: {warning}"));
    }
    if let Some(target) = target {
        let why =
            "Written by precess assemble: points and axes of the file belong to the positions of its bodies.";
        start_file::write(target, (&path, &text), files, &system.bodies(&found.state.at()), why, !args.json)?;
    }
    Ok(())
}

/// `crank=100`: a body and its weight.
fn weight(text: &str) -> Result<(String, f64), Stop> {
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite());
    let found = text.rsplit_once('=').and_then(|(name, t)| Some((name.trim().to_string(), number(t)?)));
    found.ok_or_else(|| {
        wrong(format!("--weight {text} does not give the weight of a body\n  help: write --weight crank=100"))
    })
}
