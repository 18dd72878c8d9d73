//! `precess assemble`: closes the joints of a model with rough positions.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::fmt::Write;

use precess::Error;
use precess::analysis::rough::{self, Assembled};
use precess::formulation::Formulation;
use precess::mechanics::mechanism::Mechanism;
use precess::model::{Loaded, build, load_with};
use precess::study::text::aligned;
use serde_json::{Map, Value, json};

use crate::args;
use crate::files::Target;
use crate::output::{Stop, message, print, wrong};
use crate::start_file;
use crate::subject::{files, formulation, read, short, stop};

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
    let weights = weights(args, &loaded)?;
    let built = build(&loaded.model, formulation).map_err(wrong)?;
    let system = &*built.system;
    let found = rough::assemble(system, &built.q, &built.v, &weights);
    let found = found.map_err(|e| hint_without_keep(e, &loaded, formulation, &weights))?;
    if args.json {
        print(&format!("{:#}\n", as_json(&loaded, system, &found)));
    } else {
        print(&summary(&loaded, system, &found));
    }
    for m in &found.mirrored {
        message(&format!(
            "warning: '{}' and '{}' now bend the other way at joint '{}' than in the given positions; move \
             them closer to the side you want, \
             or --keep one of them",
            m.bodies.first().map_or("", String::as_str),
            m.bodies.last().map_or("", String::as_str),
            m.joint
        ));
    }
    if let Some(target) = target {
        let why =
            "Written by precess assemble: points and axes of the file belong to the positions of its bodies.";
        start_file::write(target, (&path, &text), files, &system.bodies(&found.state.at()), why, !args.json)?;
    }
    Ok(())
}

/// Weights of the bodies from --keep and --weight.
fn weights(args: &args::Assemble, loaded: &Loaded) -> Result<Vec<f64>, Stop> {
    let bodies = &loaded.model.bodies;
    let mut weights = vec![1.0; bodies.len()];
    let mut set = |name: &str, weight: f64| {
        let place = bodies.iter().position(|b| b.name == name).and_then(|i| weights.get_mut(i));
        match place {
            Some(w) => {
                *w = weight;
                Ok(())
            }
            None => Err(wrong(Error::unknown_name("body", name, bodies.iter().map(|b| b.name.as_str())))),
        }
    };
    for text in &args.weight {
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite());
        match text.rsplit_once('=').and_then(|(name, t)| Some((name, number(t)?))) {
            Some((name, weight)) => set(name.trim(), weight)?,
            None => {
                return Err(wrong(format!(
                    "--weight {text} does not give the weight of a body\n  help: write --weight crank=100"
                )));
            }
        }
    }
    for name in &args.keep {
        set(name, f64::INFINITY)?;
    }
    Ok(weights)
}

/// Checks whether the joints would close if the kept bodies could move.
fn hint_without_keep(
    e: precess::analysis::AnalysisError,
    loaded: &Loaded,
    formulation: Formulation,
    weights: &[f64],
) -> Stop {
    let mut stop = stop(e);
    let free: Vec<f64> = weights.iter().map(|w| if w.is_infinite() { 1e3 } else { *w }).collect();
    if weights.iter().any(|w| w.is_infinite())
        && let Ok(built) = build(&loaded.model, formulation)
        && let Ok(found) = rough::assemble(&*built.system, &built.q, &built.v, &free)
    {
        let kept =
            weights.iter().zip(&found.moved).zip(&loaded.model.bodies).filter(|((w, _), _)| w.is_infinite());
        let kept = kept.filter(|((_, [turned, moved]), _)| *turned > 0.0 || *moved > 0.0);
        let list: Vec<String> = kept
            .map(|((_, [turned, moved]), b)| {
                format!("'{}' by {} m and {} rad", b.name, short(*moved), short(*turned))
            })
            .collect();
        let _ = write!(
            stop.message,
            "\n  help: it would close if these bodies, which --keep holds, could move: {}",
            list.join(", ")
        );
    }
    stop
}

fn summary(loaded: &Loaded, system: &dyn Mechanism, found: &Assembled) -> String {
    let mut s = String::new();
    let open: Vec<String> =
        found.gaps.iter().filter(|g| g.length > 1e-9 || g.angle > 1e-9).map(|g| g.to_string()).collect();
    let name = &loaded.model.name;
    if open.is_empty() {
        let _ = writeln!(s, "{name}: all joints are closed in the given positions");
    } else {
        let _ = writeln!(s, "{name}: closed in {} iterations", found.iterations);
        for gap in open {
            let _ = writeln!(s, "  was open: {gap}");
        }
    }
    let head = ["body", "x, m", "y, m", "z, m", "turned, rad", "moved, m", "rad/s", "m/s"].map(String::from);
    let rows: Vec<Vec<String>> = system
        .bodies(&found.state.at())
        .iter()
        .zip(found.moved.iter().zip(&found.changed))
        .map(|(b, (moved, changed))| {
            let numbers = b.position.iter().chain(moved).chain(changed).map(|x| short(*x));
            std::iter::once(b.name.clone()).chain(numbers).collect()
        })
        .collect();
    let _ = write!(s, "\n{}", aligned(&head, &rows, 1));
    s.push_str("rad/s, m/s: by how much velocities changed\n");
    s
}

fn as_json(loaded: &Loaded, system: &dyn Mechanism, found: &Assembled) -> Value {
    let bodies: Map<String, Value> = system
        .bodies(&found.state.at())
        .iter()
        .zip(found.moved.iter().zip(&found.changed))
        .map(|(b, ([turned, moved], [spin, speed]))| {
            let value = json!({
                "position": b.position.as_slice(),
                "rotation": b.rotation,
                "velocity": b.velocity.as_slice(),
                "angular_velocity": b.angular_velocity.as_slice(),
                "turned": turned,
                "moved": moved,
                "angular_velocity_changed": spin,
                "velocity_changed": speed,
            });
            (b.name.clone(), value)
        })
        .collect();
    let gaps: Map<String, Value> =
        found.gaps.iter().map(|g| (g.name.clone(), json!({ "m": g.length, "rad": g.angle }))).collect();
    let mirrored = found.mirrored.iter().map(|m| json!({ "joint": m.joint, "bodies": m.bodies }));
    json!({
        "model": loaded.model.name,
        "iterations": found.iterations,
        "gaps": gaps,
        "bodies": bodies,
        "mirrored": mirrored.collect::<Vec<_>>(),
    })
}
