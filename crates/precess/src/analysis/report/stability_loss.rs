//! Changes of stability over a parameter as text and as JSON.

use serde_json::{Value, json};

use super::short;
use crate::analysis::stability_loss::{Growth, StabilityChange, StabilityChanges};
use crate::study::text::aligned;

/// The changes as text; `name` is the parameter.
pub fn text(name: &str, all: &StabilityChanges) -> String {
    if all.changes.is_empty() {
        let is_stable = all.points.iter().all(|p| p.fastest.is_none());
        let always = if is_stable { "stable" } else { "unstable" };
        return format!("{always} at all {} values of {name}\n", all.points.len());
    }
    let head = [name, "becomes", "omega, rad/s", "motion"].map(String::from);
    let row = |c: &StabilityChange| {
        let becomes = match (c.is_loss, c.vibrates()) {
            (true, true) => "unstable: flutter",
            (true, false) => "unstable: divergence",
            (false, _) => "stable",
        };
        vec![short(c.value), becomes.to_string(), short(c.s.im), c.motion.clone()]
    };
    let rows: Vec<Vec<String>> = all.changes.iter().map(row).collect();
    aligned(&head, &rows, 0)
}

/// The changes as JSON; the keys are stable.
pub fn json(name: &str, all: &StabilityChanges) -> Value {
    let change = |c: &StabilityChange| {
        json!({
            name: c.value,
            "becomes": if c.is_loss { "unstable" } else { "stable" },
            "omega": c.s.im,
            "kind": if c.vibrates() { "vibrates" } else { "leaves" },
            "motion": c.motion,
        })
    };
    let point = |p: &Growth| json!({ name: p.value, "growth": p.fastest.as_ref().map_or(0.0, |f| f.0.re) });
    json!({
        "parameter": name,
        "changes": all.changes.iter().map(change).collect::<Vec<_>>(),
        "points": all.points.iter().map(point).collect::<Vec<_>>(),
    })
}
