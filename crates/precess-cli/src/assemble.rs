//! `precess assemble`: closes the joints of a model with rough positions.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::report::assembly as written;
use precess::analysis::rough;
use precess::model::build;

use crate::args;
use crate::files::Target;
use crate::output::{Stop, message, print, report, wrong};
use crate::start_file;
use crate::subject::{Reader, stop};

/// Closes the joints of a model and prints how far its bodies moved.
pub fn assemble(args: &args::Assemble) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    // Positions may be rough.
    let loaded = reader.load(&["run.assemble=true".to_string()])?;
    let target = args.out.as_ref().map(|f| Target::open(f, &["toml"])).transpose()?;
    start_file::refuse_overrides(target.as_ref(), &args.subject.set)?;
    let weights = rough::weights(&loaded.model, &weights(args)?).map_err(wrong)?;
    let built = build(&loaded.model, reader.formulation()).map_err(wrong)?;
    let system = &*built.system;
    let found = rough::assemble(system, &built.q, &built.v, &weights).map_err(stop)?;
    if args.json {
        print(&format!("{:#}\n", written::json(&loaded, system, &found)));
    } else {
        report(&written::text(&loaded, system, &found));
    }
    for m in &found.mirrored {
        message(&format!("warning: {m}"));
    }
    if let Some(target) = target {
        let why =
            "Written by precess assemble: points and axes of the file belong to the positions of its bodies.";
        start_file::write(
            target,
            reader.file(),
            reader.files(),
            &system.bodies(&found.state.at()),
            why,
            !args.json,
        )?;
    }
    Ok(())
}

/// Names and weights of the bodies of --keep and --weight.
fn weights(args: &args::Assemble) -> Result<Vec<(String, f64)>, Stop> {
    let weight = |text: &String| {
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite());
        let parts = text.rsplit_once('=').and_then(|(name, t)| Some((name.trim().to_string(), number(t)?)));
        parts.ok_or_else(|| {
            wrong(format!(
                "--weight {text} does not give the weight of a body\n  help: write --weight crank=100"
            ))
        })
    };
    let kept = args.keep.iter().map(|name| Ok((name.clone(), f64::INFINITY)));
    args.weight.iter().map(weight).chain(kept).collect()
}
