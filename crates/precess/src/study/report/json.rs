//! The summary as JSON.

use serde_json::{Map, Value, json};

use super::notices;
use crate::integrate::Rescues;
use crate::mechanics::mechanism::BodyState;
use crate::mechanics::{At, State};
use crate::model::{Built, Loaded};
use crate::study::{Control, Occurrence, Summary};

/// Rescued steps as one object with stable keys.
pub(crate) fn rescues(found: &Rescues) -> Value {
    let Rescues { matrix, guess, continuation, regularisation, split, first, .. } = found;
    json!({
        "steps": found.total(), "first_t": first,
        "matrix": matrix, "guess": guess, "continuation": continuation,
        "regularisation": regularisation, "split": split,
    })
}

/// The summary as one JSON object; the keys are stable.
pub fn json(loaded: &Loaded, built: &Built, state: &State, summary: &Summary, error: Option<&str>) -> Value {
    let at = state.at();
    let settings = &loaded.settings;
    let steps = summary.steps.max(1) as f64;
    let mut object = json!({
        "model": loaded.model.name,
        "formulation": settings.formulation.name(),
        "method": settings.method,
        "form": settings.form().map(|f| f.name()),
        "h": summary.h,
        "steps": summary.steps,
        "t_end": summary.t_end,
        "bodies": bodies_of(built, &at),
        "joints": joints_of(built, &at),
        "sensors": sensors_of(built, &at),
        "energy": energy_of(summary),
        "momenta": summary.momenta.map(|m| json!({
            "linear_max_drift": m.linear,
            "angular_max_drift": m.angular,
            "about_gravity_max_drift": m.about_gravity,
        })),
        "constraints": {
            "position_max": summary.position_max,
            "velocity_max": summary.velocity_max,
            "force_difference": summary.force_difference,
        },
        "trust": {
            "energy_imbalance": summary.trust.energy,
            "energy_exchanged": summary.trust.exchanged,
            "velocity_residual": summary.trust.velocity,
            "untrusted": summary.trust.wrong(),
        },
        "newton": {
            "iterations_per_step": summary.iterations as f64 / steps,
            "jacobian_updates": summary.jacobians,
            "fallback_factorizations": summary.fallbacks,
            "recovery": rescues(&summary.rescues),
        },
        "time": {
            "wall_s": summary.wall.as_secs_f64(),
            "us_per_step": summary.wall.as_secs_f64() * 1e6 / steps,
        },
    });
    if let Some(control) = &summary.control {
        object["control"] = control_of(control, summary.steps);
    }
    object["events"] = summary.events.iter().map(|e| event(built, e)).collect();
    object["diagnostics"] =
        summary.diagnostics.iter().map(|d| (d.name.to_string(), values(&d.values))).collect();
    object["notices"] = json!(notices(loaded, built, state, summary));
    object["defaults"] = json!(settings.defaults);
    if let Some(error) = error {
        object["error"] = json!(error);
    }
    object
}

fn energy_of(summary: &Summary) -> Value {
    json!({
        "initial": summary.energy_initial,
        "final": summary.energy_final,
        "max_abs_drift": summary.energy_drift,
        "is": if summary.energy_function_drift.is_some() { "H(q, p)" } else { "T + V" },
        "function_max_abs_drift": summary.energy_function_drift,
        "work": summary.work,
        "max_abs_balance": summary.balance,
    })
}

fn control_of(c: &Control, accepted: usize) -> Value {
    json!({
        "tol": c.tol,
        "accepted": accepted,
        "rejected": c.rejected,
        "newton_failures": c.failed,
        "h_min": c.h.map(|h| h[0]),
        "h_max": c.h.map(|h| h[1]),
        "steps_of_order": c.orders,
        "choice": c.choice,
        "achieved": c.achieved.map(|a| json!({
            "positions": a.positions, "velocities": a.velocities, "forces": a.forces
        })),
        "unverified": c.unverified,
    })
}

fn event(built: &Built, e: &Occurrence) -> Value {
    let at = e.state.at();
    json!({
        "name": e.event,
        "action": e.action,
        "t": e.t,
        "direction": if e.rising { "rising" } else { "falling" },
        "jump": e
            .jump
            .filter(|j| j.velocity > 0.0)
            .map(|j| json!({ "velocity": j.velocity, "energy": j.energy })),
        "bodies": bodies_of(built, &at),
        "sensors": sensors_of(built, &at),
    })
}

fn joints_of(built: &Built, at: &At) -> Map<String, Value> {
    let joints = built.system.reactions(at).into_iter().map(|j| {
        let value = json!({
            "force": j.force.as_slice(),
            "torque": j.torque.as_slice(),
            "multipliers": j.multipliers,
            "unique": j.unique,
        });
        (j.name, value)
    });
    joints.collect()
}

/// A number, or a list of numbers.
fn values(x: &[f64]) -> Value {
    match x {
        [x] => json!(x),
        _ => json!(x),
    }
}

fn bodies_of(built: &Built, at: &At) -> Map<String, Value> {
    let value = |b: &BodyState| {
        json!({
            "position": b.position.as_slice(),
            "rotation": b.rotation,
            "velocity": b.velocity.as_slice(),
            "angular_velocity": b.angular_velocity.as_slice(),
        })
    };
    built.system.bodies(at).into_iter().map(|b| (b.name.clone(), value(&b))).collect()
}

fn sensors_of(built: &Built, at: &At) -> Map<String, Value> {
    built.system.sensors(at).into_iter().map(|(name, x)| (name, values(&x))).collect()
}
