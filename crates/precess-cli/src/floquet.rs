//! `precess modes --frame floquet`: growth of small deviations over one period of a periodic motion.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::floquet::{PeriodOptions, floquet, period_of};
use precess::analysis::report::floquet as written;
use precess::analysis::steady::moving;
use precess::study::checkpoint::state_of;

use crate::args::{self, ModesAt};
use crate::files::Target;
use crate::output::{Stop, print, report, wrong};
use crate::subject::{Reader, notes, refuse_time, stop};

/// Prints the multipliers of a period.
pub fn multipliers(args: &args::Modes, reader: &Reader) -> Result<(), Stop> {
    refuse(args)?;
    refuse_time(&args.subject)?;
    let targets =
        args.out.iter().map(|f| Target::open(f, &["json", "csv"])).collect::<Result<Vec<_>, _>>()?;
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let system = &*built.system;
    notes(&loaded, 0.0, false);
    let mut state = moving(system, &built.q, &built.v, 0.0);
    if let ModesAt::File(file) = &args.at {
        state = state_of(file, &args.subject.file.formulation, &state).map_err(wrong)?;
    }
    let period = match args.period {
        Some(t) if t.is_finite() && t > 0.0 => t,
        Some(t) => {
            return Err(wrong(format!("--period {t}: a positive number of seconds is needed")));
        }
        None => period_of(system, &state).ok_or_else(|| {
            wrong("nothing turns at the start, so the period is not known\n  help: give it with --period")
        })?,
    };
    let found = floquet(system, &state, &PeriodOptions::new(period)).map_err(stop)?;
    let json = written::json(&loaded.model.name, &found);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        report(&written::text(&loaded.model.name, &found));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => written::csv_table(&found),
            _ => format!("{json:#}\n"),
        };
        let file = target.write(content.as_bytes())?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}

/// Refuses options for modes, which a period does not have.
fn refuse(args: &args::Modes) -> Result<(), Stop> {
    if args.at == ModesAt::Equilibrium {
        return Err(wrong("--frame floquet is for motions\n  help: add --at steady"));
    }
    let asked = [
        ("--near", args.near.is_some()),
        ("--view", args.view.is_some()),
        ("--state-space", args.state_space.is_some()),
        ("--bode", !args.bode.is_empty()),
        ("--input", !args.input.is_empty()),
    ];
    match asked.iter().find(|(_, is)| *is) {
        Some((name, _)) => Err(wrong(format!(
            "{name} needs modes, and a period has multipliers\n  help: leave it out, or use --frame auto"
        ))),
        None => Ok(()),
    }
}
