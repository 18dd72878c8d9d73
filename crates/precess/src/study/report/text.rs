//! The summary as text.

use std::fmt::Write;

use super::notices;
use crate::mechanics::joints::JointKind;
use crate::mechanics::sensors::for_summary;
use crate::mechanics::{At, State};
use crate::model::elements::ForceKind;
use crate::model::expression::units::chosen;
use crate::model::spec::GROUND;
use crate::model::{Built, JointSpec, Loaded, Model, Settings};
use crate::study::{Control, Occurrence, Summary, trust};

/// Largest number of bodies and joints in the summary; the others are in the results.
const MAX_SHOWN: usize = 12;

/// Motions of the whole model that change neither joints nor gravity.
enum Symmetry {
    /// All motions.
    Free,
    /// Rotation about the vertical through the origin.
    Vertical,
    None,
}

fn symmetry(model: &Model) -> Symmetry {
    let mut ground = model.joints.iter().filter(|j| j.bodies.iter().any(|b| b == GROUND));
    let weightless = model.gravity.norm() == 0.0;
    let on_axis = |j: &JointSpec| {
        j.kind == JointKind::Spherical && j.point.cross(&model.gravity).norm() <= 1e-12 * model.gravity.norm()
    };
    let expressions = model.constraints.iter().map(|c| &c.equation).chain(model.forces.iter().filter_map(
        |f| match &f.kind {
            ForceKind::Potential(potential) => Some(&potential.expression),
            _ => None,
        },
    ));
    if expressions.into_iter().any(|e| e.reads_place()) {
        return Symmetry::None;
    }
    match ground.clone().next() {
        None if weightless => Symmetry::Free,
        _ if !weightless && ground.all(on_axis) => Symmetry::Vertical,
        _ => Symmetry::None,
    }
}

/// The summary as text.
pub fn text(loaded: &Loaded, built: &Built, state: &State, summary: &Summary) -> String {
    let mut s = head(loaded, built, summary);
    let at = state.at();
    let _ = writeln!(s);
    if let Some(reason) = summary.trust.wrong() {
        let _ = writeln!(s, "verdict                these results cannot be trusted: {reason}");
    }
    if built.system.n_lambda() > 0 {
        let _ = writeln!(
            s,
            "constraint residuals   position {:.1e}   velocity {:.1e} /s   (largest of all steps; in rad, \
             or relative to the length {:.2e} m)",
            summary.position_max,
            summary.velocity_max,
            built.system.length_scale()
        );
    }
    s.push_str(&energy(summary));
    s.push_str(&momenta(&loaded.model, summary));
    if let Some(control) = &summary.control {
        s.push_str(&control_text(control, summary.steps));
    }
    s.push_str(&newton(summary));
    for notice in notices(loaded, built, state, summary) {
        let _ = writeln!(s, "notice                 {notice}");
    }
    let wall = summary.wall.as_secs_f64();
    let per_step = wall * 1e6 / summary.steps.max(1) as f64;
    let _ = writeln!(s, "time                   {wall:.3} s, {per_step:.2} us per step");
    // Bodies come last: there may be many, and all of the above is about the whole run.
    s.push_str(&events(&summary.events));
    s.push_str(&sensors(built, &at, &loaded.settings.units));
    s.push_str(&bodies_and_joints(&loaded.model, built, &at, &loaded.settings.units));
    s
}

/// The model, the method and its settings.
fn head(loaded: &Loaded, built: &Built, summary: &Summary) -> String {
    let settings = &loaded.settings;
    let constrained = built.system.n_lambda() > 0;
    let form = settings.form().filter(|_| constrained).map_or(String::new(), |f| format!(" {}", f.name()));
    let accuracy = match &summary.control {
        Some(c) => format!("tol = {:e}", c.tol),
        None => format!("h = {:e} s", summary.h),
    };
    let mut s = format!(
        "{}: {}{form} on {}, {accuracy}, {} to t = {} s\n",
        loaded.model.name,
        settings.method,
        settings.formulation.name(),
        if summary.steps == 1 { "1 step".to_string() } else { format!("{} steps", summary.steps) },
        summary.t_end
    );
    let divides = (summary.h - settings.step).abs() <= 1e-9 * settings.step;
    if summary.control.is_none() && !divides && summary.steps > 0 {
        let _ = writeln!(
            s,
            "  (step {:e} s does not divide the interval: {:e} s is used)",
            settings.step, summary.h
        );
    }
    s.push_str(&defaults(settings));
    s
}

/// Numbers of an SI unit in the unit that results are written in.
fn in_unit(x: &[f64], unit: &'static str, units: &[String]) -> String {
    let (unit, factor) = chosen(unit, units).unwrap_or((unit, 1.0));
    let x: Vec<f64> = x.iter().map(|x| factor * x).collect();
    format!("{}  {unit}", triple(&x))
}

/// Number of elements that are printed out of n: all if only one would be left out.
fn shown(n: usize) -> usize {
    if n <= MAX_SHOWN + 1 { n } else { MAX_SHOWN }
}

fn bodies_and_joints(model: &Model, built: &Built, at: &At, units: &[String]) -> String {
    let mut s = String::new();
    let in_unit = |x: &nalgebra::Vector3<f64>, unit| in_unit(x.as_slice(), unit, units);
    let bodies = built.system.bodies(at);
    for b in bodies.iter().take(shown(bodies.len())) {
        let _ = writeln!(s, "\nbody {}", b.name);
        let _ = writeln!(s, "  position          {}", in_unit(&b.position, "m"));
        let _ = writeln!(s, "  rotation (wxyz)   {}", triple(&b.rotation));
        let _ = writeln!(s, "  velocity          {}", in_unit(&b.velocity, "m/s"));
        let _ = writeln!(s, "  angular velocity  {}, body frame", in_unit(&b.angular_velocity, "rad/s"));
    }
    let joints = built.system.reactions(at);
    for j in joints.iter().take(shown(joints.len())) {
        let share = if j.unique { "" } else { " (redundant, see the notice)" };
        let _ = match model.constraints.iter().any(|c| c.name == j.name) {
            false => writeln!(s, "\njoint {}, on its second body{share}", j.name),
            true => writeln!(s, "\nconstraint {}, on the body it names first{share}", j.name),
        };
        let _ = writeln!(s, "  force             {}", in_unit(&j.force, "N"));
        let _ = writeln!(s, "  torque            {}", in_unit(&j.torque, "N m"));
    }
    let more = |n: usize, one: &str, several: &str| match n.saturating_sub(shown(n)) {
        0 => None,
        rest => Some(format!("{rest} more {}", if rest == 1 { one } else { several })),
    };
    let more = [more(bodies.len(), "body", "bodies"), more(joints.len(), "joint", "joints")];
    let more: Vec<String> = more.into_iter().flatten().collect();
    if !more.is_empty() {
        let _ = writeln!(s, "\n... and {} in the results", more.join(" and "));
    }
    s
}

/// Sensors, in the units of the results.
fn sensors(built: &Built, at: &At, units: &[String]) -> String {
    let (sensors, hidden) = for_summary(&*built.system, at);
    if sensors.len() + hidden == 0 {
        return String::new();
    }
    let width = sensors.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0).max(16);
    let mut s = "\nsensors\n".to_string();
    for (name, values, unit) in &sensors {
        let _ = writeln!(s, "{}", format!("  {name:width$}  {}", in_unit(values, unit, units)).trim_end());
    }
    if hidden > 0 {
        let _ = writeln!(s, "  ... {hidden} section forces and moments of beams are in the results");
    }
    s
}

fn events(events: &[Occurrence]) -> String {
    if events.is_empty() {
        return String::new();
    }
    let width = events.iter().map(|e| e.event.chars().count()).max().unwrap_or(0).max(16);
    let mut s = "\nevents\n".to_string();
    for e in events.iter().take(MAX_SHOWN) {
        let direction = if e.rising { "rising" } else { "falling" };
        let jump = e.jump.filter(|j| j.velocity > 0.0).map_or(String::new(), |j| {
            let energy = j.energy.map_or(String::new(), |e| format!(", the energy by {e:.3e} J"));
            format!(": velocities jump by up to {:.3e} m/s or rad/s{energy}", j.velocity)
        });
        let _ = writeln!(s, "  {:width$}  t = {:>17.12} s  {direction:7}  {}{jump}", e.event, e.t, e.action);
    }
    if events.len() > MAX_SHOWN {
        let _ = writeln!(s, "  ... {} more are in the results", events.len() - MAX_SHOWN);
    }
    s
}

fn energy(summary: &Summary) -> String {
    let mut s = String::new();
    if let (Some(e0), Some(e1), Some(drift)) =
        (summary.energy_initial, summary.energy_final, summary.energy_drift)
    {
        s = match (summary.work, summary.balance, summary.energy_function_drift) {
            (Some(work), Some(balance), _) => format!(
                "energy                 {e0:.9} J -> {e1:.9} J\n\
                 power balance          work of drives and forces without potential {work:.9} J, largest \
                 imbalance {balance:.2e} J\n"
            ),
            (_, _, Some(function)) => format!(
                "energy H(q, p)         {e0:.9} J -> {e1:.9} J, largest deviation {drift:.3e} J\n\
                 energy E(q, v, p)      p.v - v.M v/2 + V, largest deviation {function:.3e} J\n"
            ),
            _ => format!("energy                 {e0:.9} J -> {e1:.9} J, largest deviation {drift:.2e} J\n"),
        };
    }
    if let Some(x) = summary.trust.energy {
        let _ = writeln!(s, "energy balance         wrong by {} of the exchanged energy", trust::part(x));
    }
    s
}

/// The momenta that a symmetry of the model keeps; the others are in the results.
fn momenta(model: &Model, summary: &Summary) -> String {
    let kept = summary.momenta.and_then(|m| match symmetry(model) {
        Symmetry::Free => Some(format!("linear {:.1e} kg m/s, angular {:.1e} kg m^2/s", m.linear, m.angular)),
        Symmetry::Vertical => m.about_gravity.map(|x| format!("about gravity {x:.1e} kg m^2/s")),
        Symmetry::None => None,
    });
    kept.map_or(String::new(), |kept| format!("momenta                largest deviation: {kept}\n"))
}

fn newton(summary: &Summary) -> String {
    if summary.iterations == 0 {
        return String::new();
    }
    let per_step = summary.iterations as f64 / summary.steps.max(1) as f64;
    let fallbacks = match summary.fallbacks {
        0 => String::new(),
        n => format!(", fallback factorizations {n}"),
    };
    let damped = match summary.damped_steps {
        0 => String::new(),
        1 => ", line search in 1 step".to_string(),
        n => format!(", line search in {n} steps"),
    };
    let jacobians = summary.jacobians;
    format!(
        "Newton                 {per_step:.2} iterations per step, {jacobians} Jacobians{fallbacks}{damped}\n"
    )
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
                "about {positions:.0e} in positions, {velocities:.0e} in velocities and {forces:.0e} in \
                 forces"
            ),
        };
        let _ = writeln!(s, "achieved               {achieved} (difference to a run with tol/10)");
    }
    if let Some(why) = &c.unverified {
        let _ = writeln!(s, "achieved               unknown, the run with tol/10 failed: {why}");
    }
    s
}

/// Nine decimals, fewer for large numbers; numbers that round to zero have no sign.
fn triple(x: &[f64]) -> String {
    let number = |x: &f64| match x.abs() {
        size if size < 5e-10 => format!("{:>15.9}", 0.0),
        size if size < 1e5 => format!("{x:>15.9}"),
        size if size < 1e9 => format!("{x:>15.4}"),
        _ => format!("{x:>15.7e}"),
    };
    x.iter().map(number).collect::<Vec<_>>().join(" ")
}

/// Settings that the run needs but were not given.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns stay in line: each number takes 15 places, whatever its size and sign.
    #[test]
    fn numbers_are_aligned() {
        let x = [-1e-12, 12.5, -99_999.5, 250_000.0, -987_654_321.0, 6.9e15, -1e-3, -1e300];
        let expected = [
            "0.000000000",
            "12.500000000",
            "-99999.500000000",
            "250000.0000",
            "-987654321.0000",
            "6.9000000e15",
            "-0.001000000",
            "-1.0000000e300",
        ];
        for (x, expected) in x.iter().zip(expected) {
            assert_eq!(triple(&[*x]), format!("{expected:>15}"));
            assert!(triple(&[*x]).len() <= 16, "{x}");
        }
        assert_eq!(triple(&[f64::NAN]).trim(), "NaN");
    }
}
