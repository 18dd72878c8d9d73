//! The motion of a driven mechanism as text, as JSON and as results.

use serde_json::{Value, json};

use super::short;
use crate::analysis::kinematics::{DeadPoint, Moment, Sweep};
use crate::analysis::words::component_names;
use crate::mechanics::mechanism::Mechanism;
use crate::model::Loaded;
use crate::study::Sampling;
use crate::study::results::{Recording, Results, SampleRow};
use crate::study::text::aligned;

/// Number of printed rows.
const MAX_ROWS: usize = 20;

/// Names and units of the printed columns: sensors and drives.
fn columns(system: &dyn Mechanism, found: &Sweep) -> Vec<String> {
    let mut list = vec!["t, s".to_string()];
    if let Some(first) = found.moments.first() {
        for ((name, x), unit) in system.sensors(&first.state.at()).iter().zip(system.sensor_units()) {
            list.extend(component_names(name, x.len(), unit));
        }
    }
    list.extend(found.drives.iter().map(|d| format!("drive {}, {}", d.joint, d.unit)));
    list
}

/// What the table does not say: rods that can spin, and dead points.
pub fn notes(found: &Sweep) -> Vec<String> {
    let idle = match found.idle {
        0 => None,
        1 => Some("one rod can spin about its own axis"),
        _ => Some("some rods can spin about their own axes"),
    };
    let idle = idle.map(|rods| format!("{rods}; this motion and its forces leave that spin out"));
    let dead =
        |d: &DeadPoint| format!("dead point at t = {} s: there {} without the drives", short(d.t), d.motion);
    idle.into_iter().chain(found.dead.iter().map(dead)).collect()
}

fn rows(system: &dyn Mechanism, found: &Sweep) -> Vec<Vec<f64>> {
    let row = |m: &Moment| {
        let sensors = system.sensors(&m.state.at()).into_iter().flat_map(|(_, x)| x);
        std::iter::once(m.state.t).chain(sensors).chain(m.drives.iter().copied()).collect()
    };
    found.moments.iter().map(row).collect()
}

/// Some moments as text.
pub fn text(system: &dyn Mechanism, found: &Sweep) -> String {
    let all = rows(system, found);
    let every = all.len().div_ceil(MAX_ROWS).max(1);
    let last = all.len().saturating_sub(1);
    let shown = all.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
    let cells: Vec<Vec<String>> = shown.map(|(_, r)| r.iter().map(|x| short(*x)).collect()).collect();
    aligned(&columns(system, found), &cells, 0)
}

/// All moments as JSON; the keys are stable.
pub fn json(loaded: &Loaded, system: &dyn Mechanism, found: &Sweep) -> Value {
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
pub fn results(loaded: &Loaded, system: &dyn Mechanism, found: &Sweep) -> Results {
    let mut recording = Recording::new(loaded, system, Sampling::Steps(1));
    for (i, drive) in found.drives.iter().enumerate() {
        let values: Vec<f64> =
            found.moments.iter().map(|m| m.drives.get(i).copied().unwrap_or(f64::NAN)).collect();
        let read = move |r: &SampleRow| values.get(r.sample.step).copied().unwrap_or(f64::NAN);
        recording = recording.with(&format!("drive {}", drive.joint), drive.unit, read);
    }
    let states: Vec<_> = found.moments.iter().map(|m| m.state.clone()).collect();
    recording.of_states(&states)
}
