//! `precess kinematics`: moves a driven mechanism without dynamics.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::kinematics::{Sweep, sweep};
use precess::mechanics::mechanism::Mechanism;
use precess::model::Loaded;
use precess::study::Sampling;
use precess::study::results::{Output, Recording};
use precess::study::text::aligned;
use serde_json::{Value, json};

use crate::args;
use crate::output::{Stop, message, print, wrong};
use crate::subject::{Reader, refuse_time, short, stop};

/// Number of printed rows.
const MAX_ROWS: usize = 20;

/// Moves the drives of a model.
pub fn kinematics(args: &args::Kinematics) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    refuse_time(&args.subject)?;
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let until = args.until.unwrap_or(loaded.settings.until);
    if !(until.is_finite() && until > 0.0) {
        return Err(wrong("--until must be a positive number of seconds"));
    }
    let output = args.out.as_ref().map(Output::create).transpose().map_err(wrong)?;
    let system = &*built.system;
    let found = sweep(system, &built.q, until, args.steps as usize).map_err(stop)?;
    if args.json {
        print(&format!("{:#}\n", as_json(&loaded, system, &found)));
    } else {
        print(&table(system, &found));
    }
    if found.idle > 0 {
        let n = found.idle;
        let rods = if n == 1 {
            "one rod can spin about its own axis"
        } else {
            "some rods can spin about their own axes"
        };
        message(&format!("note: {rods}; this motion and its forces leave that spin out"));
    }
    if let Some(output) = output {
        let file = output.finish(&record(&loaded, system, &found)).map_err(wrong)?;
        if !args.json {
            print(&format!("written: {}\n", file.display()));
        }
    }
    let dead =
        |t: f64, motion: &str| format!("dead point at t = {} s: there {motion} without the drives", short(t));
    for point in &found.dead {
        message(&format!("note: {}", dead(point.t, &point.motion)));
    }
    match found.dead.last() {
        Some(_) if found.stopped => Err(Stop {
            code: 1,
            message: "error: the drives cannot pass the last dead point\n  help: let them turn back before \
                      it, or change dimensions"
                .to_string(),
        }),
        _ => Ok(()),
    }
}

/// Names and units of the printed columns: sensors and drives.
fn columns(system: &dyn Mechanism, found: &Sweep) -> Vec<String> {
    let mut list = vec!["t, s".to_string()];
    if let Some(first) = found.moments.first() {
        for ((name, x), unit) in system.sensors(&first.state.at()).iter().zip(system.sensor_units()) {
            let part =
                |i: usize| if x.len() == 1 { "" } else { [".x", ".y", ".z"].get(i).copied().unwrap_or("") };
            list.extend(
                (0..x.len()).map(|i| format!("{name}{}, {unit}", part(i)).trim_end_matches(", ").to_string()),
            );
        }
    }
    list.extend(found.drives.iter().map(|d| format!("drive {}, {}", d.joint, d.unit)));
    list
}

fn rows(system: &dyn Mechanism, found: &Sweep) -> Vec<Vec<f64>> {
    let row = |m: &precess::analysis::kinematics::Moment| {
        let sensors = system.sensors(&m.state.at()).into_iter().flat_map(|(_, x)| x);
        std::iter::once(m.state.t).chain(sensors).chain(m.drives.iter().copied()).collect()
    };
    found.moments.iter().map(row).collect()
}

fn table(system: &dyn Mechanism, found: &Sweep) -> String {
    let all = rows(system, found);
    let every = all.len().div_ceil(MAX_ROWS).max(1);
    let last = all.len().saturating_sub(1);
    let shown = all.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
    let cells: Vec<Vec<String>> = shown.map(|(_, r)| r.iter().map(|x| short(*x)).collect()).collect();
    aligned(&columns(system, found), &cells, 0)
}

fn as_json(loaded: &Loaded, system: &dyn Mechanism, found: &Sweep) -> Value {
    let dead: Vec<Value> = found.dead.iter().map(|d| json!({ "t": d.t, "motion": d.motion })).collect();
    json!({
        "model": loaded.model.name,
        "columns": columns(system, found),
        "rows": rows(system, found),
        "dead_points": dead,
        "stopped": found.stopped,
        "idle_spins": found.idle,
    })
}

/// The motion in the form of results: positions, velocities, accelerations, joint forces, sensors, drives.
fn record(loaded: &Loaded, system: &dyn Mechanism, found: &Sweep) -> precess::study::results::Results {
    let mut recording = Recording::new(loaded, system, Sampling::Steps(1));
    for (i, drive) in found.drives.iter().enumerate() {
        let values: Vec<f64> =
            found.moments.iter().map(|m| m.drives.get(i).copied().unwrap_or(f64::NAN)).collect();
        let read = move |r: &precess::study::results::SampleRow| {
            values.get(r.sample.step).copied().unwrap_or(f64::NAN)
        };
        recording = recording.with(&format!("drive {}", drive.joint), drive.unit, read);
    }
    let states: Vec<_> = found.moments.iter().map(|m| m.state.clone()).collect();
    recording.of_states(&states)
}
