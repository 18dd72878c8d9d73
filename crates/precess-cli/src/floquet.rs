//! `precess modes --frame floquet`: growth of small deviations over one period of a periodic motion.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::fmt::Write;

use precess::analysis::floquet::{Floquet, PeriodOptions, floquet, period_of};
use precess::analysis::steady::moving;
use precess::study::checkpoint::state_of;
use precess::study::text::{aligned, csv};
use serde_json::{Value, json};

use crate::args::{self, ModesAt};
use crate::files::Target;
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, notes, refuse_time, short, stop};

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
        state = state_of(file, &args.subject.formulation, &state).map_err(wrong)?;
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
    let json = as_json(&loaded.model.name, &found);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        print(&text(&loaded.model.name, &found));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => table(&found),
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

fn text(name: &str, f: &Floquet) -> String {
    let mut s = format!("{name}: multipliers of a period of {} s\n", short(f.period));
    let n = f.degrees_of_freedom;
    let freedom = if n == 1 { "degree" } else { "degrees" };
    let _ = writeln!(s, "{n} {freedom} of freedom, multipliers to {:.1e}", f.uncertainty);
    if f.corrections > 0 {
        let _ = writeln!(
            s,
            "positions and velocities were corrected {} times, until the motion closed within {:.1e}",
            f.corrections, f.gap
        );
    }
    s.push('\n');
    let head = ["|mu|", "mu, re", "mu, im", "decay, 1/s", "f, Hz", ""].map(String::from);
    let rows = f.multipliers.iter().zip(f.exponents()).filter(|(m, _)| m.im >= 0.0).map(|(m, e)| {
        let grows = if m.norm() > 1.0 + f.tolerance() { "grows" } else { "" };
        vec![
            format!("{:.6}", m.norm()),
            format!("{:.6}", m.re).replace("-0.000000", "0.000000"),
            format!("{:.6}", m.im),
            short(-e.re),
            short(e.im / std::f64::consts::TAU),
            grows.to_string(),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    s.push_str(
        &aligned(&head, &rows, 0).lines().map(|l| l.trim_end().to_string() + "\n").collect::<String>(),
    );
    let _ = writeln!(
        s,
        "\n{}; frequencies are those between 0 and {} Hz, or multiples of {} Hz away from them",
        if f.grows() { "unstable: a deviation grows" } else { "stable: no deviation grows" },
        short(0.5 / f.period),
        short(1.0 / f.period)
    );
    s
}

fn as_json(name: &str, f: &Floquet) -> Value {
    let pair = |z: &precess::analysis::Complex| json!({ "re": z.re, "im": z.im });
    json!({
        "model": name,
        "period": f.period,
        "multipliers": f.multipliers.iter().map(pair).collect::<Vec<_>>(),
        "exponents": f.exponents().iter().map(pair).collect::<Vec<_>>(),
        "uncertainty": f.uncertainty,
        "gap": f.gap,
        "corrections": f.corrections,
        "grows": f.grows(),
        "degrees_of_freedom": f.degrees_of_freedom,
    })
}

fn table(f: &Floquet) -> String {
    let head = ["|mu|", "mu re", "mu im", "s re, 1/s", "s im, 1/s"].map(String::from);
    let rows = f.multipliers.iter().zip(f.exponents());
    csv(&head, rows.map(|(m, e)| [m.norm(), m.re, m.im, e.re, e.im].map(|x| format!("{x:e}")).to_vec()))
}
