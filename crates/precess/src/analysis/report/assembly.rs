//! An assembled mechanism as text and as JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::short;
use crate::analysis::rough::Assembled;
use crate::mechanics::mechanism::Mechanism;
use crate::model::Loaded;
use crate::study::text::aligned;

/// The gaps that were closed, and how far bodies moved, as text.
pub fn text(loaded: &Loaded, system: &dyn Mechanism, found: &Assembled) -> String {
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

/// The positions found as JSON; the keys are stable.
pub fn json(loaded: &Loaded, system: &dyn Mechanism, found: &Assembled) -> Value {
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
