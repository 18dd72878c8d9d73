//! `precess modes`: vibrations of a mechanism.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::linearised::{Linearised, Place};
use precess::analysis::report::modes as written;
use precess::analysis::steady::{self, Found, moving};
use precess::analysis::{Frame, Modes, Selection, modes as analysis};
use precess::model::{Built, Loaded};
use precess::study::checkpoint::state_of;
use precess::study::results::is_results;
use precess_view::{html, states};

use crate::args::{self, ModesAt};
use crate::begin::begin;
use crate::equilibrium::options;
use crate::files::Target;
use crate::output::{Stop, message, print, report, wrong};
use crate::stability_loss::stability_loss;
use crate::subject::{Reader, frame, notes, refuse_time, stop};
use crate::{animation, floquet, state_space};

/// Prints the modes of a model.
pub fn modes(args: &args::Modes) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject.file)?;
    if args.frame == "floquet" {
        return floquet::multipliers(args, &reader);
    }
    let frame = frame(&args.frame)?;
    if args.period.is_some() {
        return Err(wrong("--period is for --frame floquet\n  help: add it, or leave --period out"));
    }
    if let Some(vary) = &args.find_stability_loss {
        return stability_loss(args, &reader, vary, frame);
    }
    let near = args.near.as_deref().map(frequency).transpose()?;
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let targets = args
        .out
        .iter()
        .map(|f| Target::open(f, &["json", "csv", "npz", "mat"]))
        .collect::<Result<Vec<_>, _>>()?;
    let matrices = state_space::targets(args)?;
    let page = animation::target(args.view.as_ref())?;
    notes(&loaded, args.subject.time, args.at == ModesAt::Equilibrium);
    let state = linearisation_state(args, &reader, &built, frame)?;
    let found = &state.found;
    let mut neglected = Vec::new();
    built.system.see_limits(&found.state.at(), &mut neglected);
    built.system.neglected(&neglected).iter().for_each(|text| message(&format!("warning: {text}")));
    let selection = Selection { n: args.n as usize, near };
    let modes = analysis::modes(&*built.system, found, selection).map_err(stop)?;
    let space = state_space::matrices(args, &reader, (&loaded, &built), (found, &modes))?;
    let json = written::json(&loaded, &*built.system, &state, &modes).map_err(stop)?;
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        report(&written::text(&loaded, &*built.system, &state, &modes).map_err(stop)?);
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => written::csv_table(&modes).into_bytes(),
            kind @ ("npz" | "mat") => written::archive(&*built.system, &modes, kind).map_err(stop)?,
            _ => format!("{json:#}\n").into_bytes(),
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    state_space::write(args, space, (&*built.system, &state), &modes, matrices)?;
    page.map_or(Ok(()), |page| show(args, (&loaded, &built), (found, &modes), page))
}

/// Writes a page that shows one mode after the other.
fn show(
    args: &args::Modes,
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
    target: Target,
) -> Result<(), Stop> {
    let folder = args.subject.file.model.parent();
    let scenes = states::modes(loaded, &*built.system, (found, modes), folder).map_err(stop)?;
    animation::write(target, &html::choice(&scenes), args.json)
}

/// The state to linearise about.
fn linearisation_state(
    args: &args::Modes,
    reader: &Reader,
    built: &Built,
    frame: Frame,
) -> Result<Linearised, Stop> {
    let system = &*built.system;
    let t = args.subject.time;
    let place = match &args.at {
        ModesAt::Equilibrium => {
            if frame != Frame::Auto {
                return Err(wrong("--frame is for rotations\n  help: add --at steady"));
            }
            if built.v.iter().any(|v| *v != 0.0) {
                message("note: the velocities of the file are set to zero; --at steady keeps them");
            }
            return Linearised::find(built, Place::Equilibrium(options(args.kind, t).kind), frame, t)
                .map_err(stop);
        }
        ModesAt::Steady => Place::Steady,
        ModesAt::Initial => Place::Initial,
        ModesAt::File(file) => {
            refuse_time(&args.subject)?;
            let is_result = is_results(file);
            let state = if is_result {
                let then = reader.build(&begin(reader.load(&[])?, Some(file))?)?;
                moving(system, &then.q, &then.v, t)
            } else {
                let state = moving(system, &built.q, &built.v, t);
                state_of(file, &args.subject.file.formulation, &state).map_err(wrong)?
            };
            let found = steady::find(system, &state, frame, true).map_err(stop)?;
            return Ok(Linearised::new(
                found,
                if is_result { "end of the run" } else { "checkpoint" },
                &built.q,
            ));
        }
    };
    refuse_time(&args.subject)?;
    Linearised::find(built, place, frame, t).map_err(stop)
}

/// A frequency in Hz with or without a unit.
fn frequency(text: &str) -> Result<f64, Stop> {
    let units = [("rad/s", 1.0 / std::f64::consts::TAU), ("rpm", 1.0 / 60.0), ("kHz", 1e3), ("Hz", 1.0)];
    let trimmed = text.trim();
    let (number, factor) = units
        .iter()
        .find_map(|(unit, factor)| Some((trimmed.strip_suffix(unit)?, *factor)))
        .unwrap_or((trimmed, 1.0));
    match number.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x * factor),
        _ => Err(wrong(format!(
            "--near {text}: this is not a frequency\n  help: write 50, 50Hz, 3000rpm or 314rad/s"
        ))),
    }
}
