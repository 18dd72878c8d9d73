//! Summaries of runs for people and for machines.

use std::fmt::Write;

use crate::formulation::Formulation;
use crate::mechanics::joints::JointKind;
use crate::mechanics::mechanism::BodyState;
use crate::mechanics::{At, State};
use crate::model::spec::GROUND;
use crate::model::{Built, JointSpec, Loaded, Model, Settings};
use crate::study::graph::word;
use crate::study::text::few;
use crate::study::{Control, Summary, trust};
use serde_json::{Map, Value, json};

/// A number, or a list of numbers.
fn values(x: &[f64]) -> Value {
    match x {
        [x] => json!(x),
        _ => json!(x),
    }
}

/// The summary as one JSON object; the keys are stable.
pub fn json(loaded: &Loaded, built: &Built, state: &State, summary: &Summary, error: Option<&str>) -> Value {
    let at = state.at();
    let bodies = bodies_of(built, &at);
    let joints: Map<String, Value> = built
        .system
        .reactions(&at)
        .into_iter()
        .map(|j| {
            let value = json!({
                "force": j.force.as_slice(),
                "torque": j.torque.as_slice(),
                "multipliers": j.multipliers,
                "unique": j.unique,
            });
            (j.name, value)
        })
        .collect();
    let sensors = sensors_of(built, &at);
    let events: Vec<Value> = summary
        .events
        .iter()
        .map(|e| {
            let at = e.state.at();
            json!({
                "name": e.event,
                "action": e.action,
                "t": e.t,
                "direction": if e.rising { "rising" } else { "falling" },
                "jump": e.jump.map(|j| json!({ "velocity": j.velocity, "energy": j.energy })),
                "bodies": bodies_of(built, &at),
                "sensors": sensors_of(built, &at),
            })
        })
        .collect();
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
        "bodies": bodies,
        "joints": joints,
        "sensors": sensors,
        "energy": {
            "initial": summary.energy_initial,
            "final": summary.energy_final,
            "max_abs_drift": summary.energy_drift,
            "is": if summary.energy_function_drift.is_some() { "H(q, p)" } else { "T + V" },
            "function_max_abs_drift": summary.energy_function_drift,
            "work": summary.work,
            "max_abs_balance": summary.balance,
        },
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
            "recovery": summary.rescues.json(),
        },
        "time": {
            "wall_s": summary.wall.as_secs_f64(),
            "us_per_step": summary.wall.as_secs_f64() * 1e6 / steps,
        },
    });
    if let Some(c) = &summary.control {
        object["control"] = json!({
            "tol": c.tol,
            "accepted": summary.steps,
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
        });
    }
    object["events"] = json!(events);
    object["diagnostics"] =
        summary.diagnostics.iter().map(|d| (d.name.to_string(), values(&d.values))).collect();
    object["notices"] = json!(notices(loaded, built, state, summary));
    object["defaults"] = json!(settings.defaults);
    if let Some(error) = error {
        object["error"] = json!(error);
    }
    object
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
    let value = |values: Vec<f64>| match values[..] {
        [x] => json!(x),
        _ => json!(values),
    };
    built.system.sensors(at).into_iter().map(|(name, values)| (name, value(values))).collect()
}

/// What a reader of the results must know.
fn notices(loaded: &Loaded, built: &Built, state: &State, summary: &Summary) -> Vec<String> {
    let at = state.at();
    let kind = |name: &str| {
        let joint = loaded.model.joints.iter().find(|j| j.name == name);
        joint.map_or_else(|| "other".to_string(), |j| word(&j.kind))
    };
    let shared = built.system.reactions(&at).into_iter().filter(|j| !j.unique).map(|j| j.name);
    let shared: Vec<(String, String)> = shared.map(|name| (name.clone(), kind(&name))).collect();
    let mut list = loaded.settings.notices();
    if !shared.is_empty() {
        list.push(format!(
            "constraints are redundant at {}: a rigid model determines the sum of their reactions only, {} are given",
            few(&shared),
            match loaded.settings.formulation {
                Formulation::Directors => "those without the dependent rows",
                _ => "the shares of minimum norm",
            }
        ));
    }
    list.extend(summary.warnings.iter().map(|w| w.to_string()));
    list.extend(built.system.troubles(&at));
    list
}

/// More bodies and joints than this are left to `--json` and `--out`.
const SHOWN: usize = 12;

/// Motions of the whole model that change neither joints nor gravity.
enum Symmetry {
    /// All of them.
    Free,
    /// Turning about the vertical through the origin.
    Vertical,
    None,
}

fn symmetry(model: &Model) -> Symmetry {
    let mut ground = model.joints.iter().filter(|j| j.bodies.iter().any(|b| b == GROUND));
    let weightless = model.gravity.norm() == 0.0;
    let on_axis = |j: &JointSpec| {
        j.kind == JointKind::Spherical && j.point.cross(&model.gravity).norm() <= 1e-12 * model.gravity.norm()
    };
    match ground.clone().next() {
        None if weightless => Symmetry::Free,
        _ if !weightless && ground.all(on_axis) => Symmetry::Vertical,
        _ => Symmetry::None,
    }
}

/// Steps, orders, choice and achieved accuracy of a run with a tolerance.
fn control_text(c: &Control, steps: usize) -> String {
    let mut s = format!("steps                  {steps} accepted, {} rejected", c.rejected);
    if c.failed > 0 {
        let _ = write!(s, ", {} without convergence", c.failed);
    }
    if let Some([low, high]) = c.h {
        let _ = write!(s, ", {low:.1e} to {high:.1e} s");
    }
    let orders: Vec<String> = c
        .orders
        .iter()
        .enumerate()
        .filter(|(_, n)| **n > 0)
        .map(|(k, n)| format!("{}: {n}", k + 1))
        .collect();
    let _ = writeln!(s, "\norders                 {}", orders.join(", "));
    if let Some(choice) = &c.choice {
        let _ = writeln!(s, "method                 {choice}");
    }
    if let Some(a) = c.achieved {
        let (positions, velocities) = (a.positions, a.velocities);
        let achieved = match a.forces {
            None => format!("about {positions:.0e} in positions and {velocities:.0e} in velocities"),
            Some(forces) => format!(
                "about {positions:.0e} in positions, {velocities:.0e} in velocities and {forces:.0e} in forces"
            ),
        };
        let _ = writeln!(s, "achieved               {achieved} (difference to a run with tol/10)");
    }
    if let Some(why) = &c.unverified {
        let _ = writeln!(s, "achieved               unknown, the run with tol/10 failed: {why}");
    }
    s
}

/// Nine decimals; what rounds to zero has no sign.
fn triple(x: &[f64]) -> String {
    let number = |x: &f64| format!("{:>15.9}", if x.abs() < 5e-10 { 0.0 } else { *x });
    x.iter().map(number).collect::<Vec<_>>().join(" ")
}

/// What a run needs and nobody gave.
fn defaults(settings: &Settings) -> String {
    let mut list = Vec::new();
    if settings.is_default("run.until") {
        list.push(format!("run.until is not given: {} s", settings.until));
    }
    match settings.tolerance {
        Some(tol) if settings.is_default("integrator.tol") => {
            list.push(format!("neither run.step nor integrator.tol is given: tol = {:e}", tol.tol));
        }
        None if settings.is_default("run.step") => {
            list.push(format!("run.step is not given: {:e} s", settings.step));
        }
        _ => {}
    }
    if list.is_empty() { String::new() } else { format!("  (defaults: {})\n", list.join("; ")) }
}

/// The summary for people.
pub fn text(loaded: &Loaded, built: &Built, state: &State, summary: &Summary) -> String {
    let settings = &loaded.settings;
    let constrained = built.system.n_lambda() > 0;
    let mut s = String::new();
    let form = settings.form().filter(|_| constrained).map_or(String::new(), |f| format!(" {}", f.name()));
    let accuracy = match &summary.control {
        Some(c) => format!("tol = {:e}", c.tol),
        None => format!("h = {:e} s", summary.h),
    };
    let _ = writeln!(
        s,
        "{}: {}{form} on {}, {accuracy}, {} to t = {} s",
        loaded.model.name,
        settings.method,
        settings.formulation.name(),
        if summary.steps == 1 { "1 step".to_string() } else { format!("{} steps", summary.steps) },
        summary.t_end
    );
    if summary.control.is_none()
        && (summary.h - settings.step).abs() > 1e-9 * settings.step
        && summary.steps > 0
    {
        let _ = writeln!(
            s,
            "  (step {:e} s does not divide the interval: {:e} s is used)",
            settings.step, summary.h
        );
    }
    s.push_str(&defaults(settings));
    let at = state.at();
    let bodies = built.system.bodies(&at);
    for b in bodies.iter().take(SHOWN) {
        let _ = writeln!(s, "\nbody {}", b.name);
        let _ = writeln!(s, "  position          {}  m", triple(b.position.as_slice()));
        let _ = writeln!(s, "  rotation (wxyz)   {}", triple(&b.rotation));
        let _ = writeln!(s, "  velocity          {}  m/s", triple(b.velocity.as_slice()));
        let _ =
            writeln!(s, "  angular velocity  {}  rad/s, body frame", triple(b.angular_velocity.as_slice()));
    }
    let joints = built.system.reactions(&at);
    for j in joints.iter().take(SHOWN) {
        let share = if j.unique { "" } else { " (redundant, see the notice)" };
        let _ = writeln!(s, "\njoint {}, on its second body{share}", j.name);
        let _ = writeln!(s, "  force             {}  N", triple(j.force.as_slice()));
        let _ = writeln!(s, "  torque            {}  N m", triple(j.torque.as_slice()));
    }
    let (more_bodies, more_joints) = (bodies.len().saturating_sub(SHOWN), joints.len().saturating_sub(SHOWN));
    if more_bodies + more_joints > 0 {
        let _ =
            writeln!(s, "\n... {more_bodies} more bodies and {more_joints} more joints are in the results");
    }
    let sensors = built.system.sensors(&at);
    if !sensors.is_empty() {
        let width = sensors.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(16);
        let _ = writeln!(s, "\nsensors");
        let units = built.system.sensor_units();
        for (i, (name, values)) in sensors.iter().enumerate() {
            let unit = units.get(i).copied().unwrap_or("");
            let _ = writeln!(s, "{}", format!("  {name:width$}  {}  {unit}", triple(values)).trim_end());
        }
    }
    if !summary.events.is_empty() {
        let events = &summary.events;
        let width = events.iter().map(|e| e.event.chars().count()).max().unwrap_or(0).max(16);
        let _ = writeln!(s, "\nevents");
        for e in events.iter().take(SHOWN) {
            let direction = if e.rising { "rising" } else { "falling" };
            let jump = e.jump.map_or(String::new(), |j| {
                let energy = j.energy.map_or(String::new(), |e| format!(", the energy by {e:.3e} J"));
                format!(": velocities jump by up to {:.3e} m/s or rad/s{energy}", j.velocity)
            });
            let _ =
                writeln!(s, "  {:width$}  t = {:>17.12} s  {direction:7}  {}{jump}", e.event, e.t, e.action);
        }
        if events.len() > SHOWN {
            let _ = writeln!(s, "  ... {} more are in the results", events.len() - SHOWN);
        }
    }
    let _ = writeln!(s);
    if constrained {
        let _ = writeln!(
            s,
            "constraint residuals   position {:.1e}   velocity {:.1e} /s   (largest of all steps; rad, or parts of the length {:.2e} m)",
            summary.position_max,
            summary.velocity_max,
            built.system.length_scale()
        );
    }
    if let (Some(e0), Some(e1), Some(drift)) =
        (summary.energy_initial, summary.energy_final, summary.energy_drift)
    {
        let _ = match (summary.work, summary.balance) {
            (Some(work), Some(balance)) => writeln!(
                s,
                "energy                 {e0:.9} J -> {e1:.9} J\n\
                 power balance          work of drives and forces without potential {work:.9} J, largest imbalance {balance:.2e} J"
            ),
            _ => match summary.energy_function_drift {
                Some(function) => writeln!(
                    s,
                    "energy H(q, p)         {e0:.9} J -> {e1:.9} J, largest deviation {drift:.3e} J\n\
                     energy E(q, v, p)      p.v - v.M v/2 + V, largest deviation {function:.3e} J"
                ),
                None => {
                    writeln!(
                        s,
                        "energy                 {e0:.9} J -> {e1:.9} J, largest deviation {drift:.2e} J"
                    )
                }
            },
        };
    }
    if let Some(x) = summary.trust.energy {
        let _ = writeln!(s, "energy balance         {} of what was exchanged", trust::part(x));
    }
    if let Some(m) = summary.momenta {
        // Only those that a symmetry of the model keeps; the others are in --json and the results.
        let kept = match symmetry(&loaded.model) {
            Symmetry::Free => {
                Some(format!("linear {:.1e} kg m/s, angular {:.1e} kg m^2/s", m.linear, m.angular))
            }
            Symmetry::Vertical => m.about_gravity.map(|x| format!("about gravity {x:.1e} kg m^2/s")),
            Symmetry::None => None,
        };
        if let Some(kept) = kept {
            let _ = writeln!(s, "momenta                largest deviation: {kept}");
        }
    }
    let steps = summary.steps.max(1) as f64;
    if let Some(control) = &summary.control {
        s.push_str(&control_text(control, summary.steps));
    }
    if summary.iterations > 0 {
        let _ = writeln!(
            s,
            "Newton                 {:.2} iterations per step, {} Jacobians{}{}",
            summary.iterations as f64 / steps,
            summary.jacobians,
            match summary.fallbacks {
                0 => String::new(),
                n => format!(", fallback factorizations {n}"),
            },
            match summary.damped_steps {
                0 => String::new(),
                1 => ", line search in 1 step".to_string(),
                n => format!(", line search in {n} steps"),
            }
        );
    }
    for notice in notices(loaded, built, state, summary) {
        let _ = writeln!(s, "notice                 {notice}");
    }
    let wall = summary.wall.as_secs_f64();
    let _ = writeln!(s, "time                   {wall:.3} s, {:.2} us per step", wall * 1e6 / steps);
    s
}
