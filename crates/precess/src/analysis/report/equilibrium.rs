//! An equilibrium as text and as JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{LISTED, short};
use crate::analysis::Equilibrium;
use crate::analysis::equilibrium::Direction;
use crate::analysis::linearised::sensors_json;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::sensors::for_summary;
use crate::model::Loaded;
use crate::study::text::aligned;

fn directions(s: &mut String, head: &str, list: &[Direction]) {
    for d in list.iter().take(LISTED) {
        let rate = if d.growth > 0.0 && head == "unstable" {
            format!(": grows as exp({} t)", short(d.growth))
        } else {
            String::new()
        };
        let _ = writeln!(s, "  {head}: {}{rate}", d.words);
    }
    if list.len() > LISTED {
        let _ = writeln!(s, "  {head}: {} more, listed in the data", list.len() - LISTED);
    }
}

/// The equilibrium as text.
pub fn text(loaded: &Loaded, system: &dyn Mechanism, e: &Equilibrium) -> String {
    let mut s = String::new();
    let name = &loaded.model.name;
    let _ = writeln!(s, "{name}: equilibrium at t = {} s, {}", e.state.t, e.stability.words());
    directions(&mut s, "unstable", &e.unstable);
    directions(&mut s, "free", &e.free);
    let _ = writeln!(
        s,
        "  residual: {:.1e} m/s^2 on release, after {} factorisations\n",
        e.acceleration, e.factorisations
    );
    if let Some(words) = e.rescue {
        let _ = writeln!(s, "  found by {words}\n");
    }
    let head = ["body", "x, m", "y, m", "z, m", "turned, rad", "moved, m"].map(String::from);
    let bodies = system.bodies(&e.state.at());
    let rows: Vec<Vec<String>> = bodies
        .iter()
        .zip(&e.moved)
        .map(|(b, m)| {
            let numbers = b.position.iter().chain(m).map(|x| short(*x));
            std::iter::once(b.name.clone()).chain(numbers).collect()
        })
        .collect();
    s.push_str(&aligned(&head, &rows, 1));
    let reactions = system.reactions(&e.state.at());
    if !reactions.is_empty() {
        let head = ["joint", "Fx, N", "Fy, N", "Fz, N", "Tx, N m", "Ty, N m", "Tz, N m"].map(String::from);
        let rows: Vec<Vec<String>> = reactions
            .iter()
            .map(|r| {
                let largest = r.force.amax().max(r.torque.amax());
                let numbers = r.force.iter().chain(r.torque.iter());
                let numbers =
                    numbers.map(|x| if x.abs() < 1e-11 * largest { "0".to_string() } else { short(*x) });
                let mark = if r.unique { "" } else { " *" };
                std::iter::once(format!("{}{mark}", r.name)).chain(numbers).collect()
            })
            .collect();
        let _ = write!(s, "\n{}", aligned(&head, &rows, 1));
        if reactions.iter().any(|r| !r.unique) {
            s.push_str("* redundant: the share of minimum norm\n");
        }
    }
    other(&mut s, system, e);
    let (sensors, _) = for_summary(system, &e.state.at());
    if !sensors.is_empty() {
        s.push('\n');
        for (name, values, unit) in &sensors {
            let values: Vec<String> = values.iter().map(|x| short(*x)).collect();
            let _ = writeln!(s, "{name}: {} {unit}", values.join(", "));
        }
    }
    if e.asymmetry > 1e-5 {
        let _ = writeln!(s, "\nsome forces or controls have no potential: stability follows from the modes");
    }
    s
}

/// Mentions the equilibrium on the other side of an unstable one.
fn other(s: &mut String, system: &dyn Mechanism, e: &Equilibrium) {
    let bodies = system.bodies(&e.state.at());
    if let Some(other) = &e.other {
        let lead = bodies.iter().zip(system.bodies(&other.at())).max_by(|(a, b), (c, d)| {
            (a.position - b.position).norm().total_cmp(&(c.position - d.position).norm())
        });
        if let Some((_, b)) = lead {
            let at = b.position.map(short);
            let _ = writeln!(
                s,
                "\nanother one: the other direction away from the unstable equilibrium leads to a stable one \
                 with '{}' at ({}, {}, {}) m; start closer to it to find it",
                b.name, at.x, at.y, at.z
            );
        }
    }
}

/// The equilibrium as JSON; the keys are stable.
pub fn json(loaded: &Loaded, system: &dyn Mechanism, e: &Equilibrium) -> Value {
    let bodies: Map<String, Value> = system
        .bodies(&e.state.at())
        .iter()
        .zip(&e.moved)
        .map(|(b, m)| {
            let [turned, moved] = m;
            let value = json!({
                "position": b.position.as_slice(),
                "rotation": b.rotation,
                "turned": turned,
                "moved": moved,
            });
            (b.name.clone(), value)
        })
        .collect();
    let joints: Map<String, Value> = system
        .reactions(&e.state.at())
        .iter()
        .map(|r| {
            let value =
                json!({ "force": r.force.as_slice(), "torque": r.torque.as_slice(), "unique": r.unique });
            (r.name.clone(), value)
        })
        .collect();
    let sensors = sensors_json(system, &e.state.at());
    let list = |d: &[Direction]| {
        d.iter()
            .map(|d| json!({ "kappa": d.kappa, "growth": d.growth, "motion": d.words }))
            .collect::<Vec<_>>()
    };
    json!({
        "model": loaded.model.name,
        "t": e.state.t,
        "stability": e.stability.words(),
        "degrees_of_freedom": e.degrees_of_freedom,
        "kappa": e.kappa,
        "unstable": list(&e.unstable),
        "free": list(&e.free),
        "acceleration": e.acceleration,
        "asymmetry": e.asymmetry,
        "rank": e.rank,
        "factorisations": e.factorisations,
        "escapes": e.escapes,
        "rescue": e.rescue,
        "other": e.other.as_ref().map(|other| {
            let bodies = system.bodies(&other.at());
            let places = bodies.iter().map(|b| (b.name.clone(), json!(b.position.as_slice())));
            places.collect::<Map<_, _>>()
        }),
        "bodies": bodies,
        "joints": joints,
        "sensors": sensors,
    })
}
