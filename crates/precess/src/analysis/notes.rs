//! Parts of a model that a linearisation ignores, one sentence each.

use crate::model::elements::ForceKind;
use crate::model::forces::{Friction, PointForce, Torque};
use crate::model::{EventAction, EventSpec, ForceSpec, Model, Switchable};
use crate::study::sweep::quoted;

/// Parts of the model that an analysis at one position ignores. At `rest` drives also stand still.
pub fn notes(model: &Model, t: f64, rest: bool) -> Vec<String> {
    let mut list = Vec::new();
    let sharp = |e: &Switchable| {
        let stop = |f: &ForceSpec| matches!(&f.kind, ForceKind::Limit(limit) if limit.has_events());
        matches!(e, Switchable::Force(name) if model.forces.iter().any(|f| f.name == *name && stop(f)))
    };
    // Stops act while they are touched.
    let of_stop = |e: &&EventSpec| match &e.action {
        EventAction::Switch { enable, disable } => enable.iter().chain(disable).all(sharp),
        _ => false,
    };
    let names: Vec<&str> = model.events.iter().filter(|e| !of_stop(e)).map(|e| e.name.as_str()).collect();
    if !names.is_empty() {
        list.push(format!(
            "events are ignored ({}): elements are on or off as the file starts them",
            names.join(", ")
        ));
    }
    for force in &model.forces {
        match &force.kind {
            ForceKind::Friction(Friction { data, .. }) if data.coefficient > 0.0 => list.push(format!(
                "the friction of '{}' is linearised as a damper, which is right only below {} rad/s or m/s; \
                 {} leaves it out",
                force.name,
                data.speed,
                quoted(&format!("force.{}.coefficient=0", force.name))
            )),
            ForceKind::Force(PointForce { force: parts, .. })
            | ForceKind::Torque(Torque { torque: parts, .. })
                if parts.iter().any(|f| f.constant().is_none()) =>
            {
                list.push(format!(
                    "'{}' depends on time and is taken at t = {t} s, the time of the analysis",
                    force.name
                ));
            }
            ForceKind::Drag(_) => list.push(format!(
                "the drag of '{}' is quadratic: it has no linear part where the medium is still",
                force.name
            )),
            _ => {}
        }
    }
    for joint in &model.joints {
        let off = model.disabled.iter().any(|e| matches!(e, Switchable::Drive(name) if *name == joint.name));
        if rest && !off && joint.drive.as_ref().is_some_and(|f| f.constant().is_none()) {
            list.push(format!(
                "the drive of joint '{}' is held where it is at t = {t} s, the time of the analysis",
                joint.name
            ));
        }
    }
    list
}
