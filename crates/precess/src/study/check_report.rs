//! The report on a model before it runs, as text and as JSON.

use std::fmt::{self, Write};

use super::check::{Check, JointCheck, UNIQUE, rounded};
use crate::error::word;
use crate::methods::MethodOptions;
use crate::model::Settings;

fn count(n: usize, what: &str) -> String {
    match (n, what) {
        (1, _) => format!("1 {what}"),
        (_, "body") => format!("{n} bodies"),
        _ => format!("{n} {what}s"),
    }
}

/// The report as text.
pub fn text(given: &Settings, c: &Check) -> String {
    format!("{}{}{}", findings(c), settings(given, c), verdict(c))
}

impl fmt::Display for Check {
    /// The findings, without the settings of a run, and why the model cannot run.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", findings(self), verdict(self))?;
        self.problems.iter().try_for_each(|problem| writeln!(f, "error: {problem}"))
    }
}

/// Warnings, and whether the model can run.
fn verdict(c: &Check) -> String {
    let mut s = String::new();
    for warning in &c.warnings {
        let _ = writeln!(s, "warning: {warning}");
    }
    let _ = writeln!(s, "{}", if c.is_runnable() { "the model can run" } else { "the model cannot run" });
    s
}

/// Degrees of freedom, graph, bodies and joints.
fn findings(c: &Check) -> String {
    let m = &c.mobility;
    let mut s = String::new();
    let gears = c.joints.iter().filter(|j| j.kind == "gear").count();
    let parts =
        [(c.bodies.len(), "body"), (c.joints.len() - gears, "joint"), (gears, "gear"), (c.loops, "loop")];
    let parts: Vec<String> = parts.iter().filter(|p| p.0 > 0).map(|p| count(p.0, p.1)).collect();
    let _ = writeln!(s, "{}: {}", c.model, parts.join(", "));
    let all = m.degrees_of_freedom() + c.driven;
    let freedom = match all {
        1 => "1 degree of freedom".to_string(),
        n => format!("{n} degrees of freedom"),
    };
    let freedom = match c.driven {
        0 => freedom,
        n if n == all => format!("{freedom}, driven"),
        n => format!("{freedom}, {n} of them driven"),
    };
    let redundant = match m.redundant() {
        0 => String::new(),
        n => format!(", {n} redundant"),
    };
    let _ = writeln!(
        s,
        "{freedom}: {} coordinates, {} constraint rows, rank {}{redundant}\n\n{}\n",
        m.coordinates, m.rows, m.rank, c.graph
    );
    let width = |names: &mut dyn Iterator<Item = usize>| names.max().unwrap_or(0).max(6);
    let w = width(&mut c.bodies.iter().map(|b| b.name.chars().count()));
    let _ = writeln!(
        s,
        "{:w$}  {:>12}  {:38}  centre of mass, m",
        "body", "mass, kg", "principal moments of inertia, kg m2"
    );
    for b in &c.bodies {
        let moments = match b.principal {
            Some([x, y, z]) => format!("{x:<12.6e} {y:<12.6e} {z:.6e}"),
            None => "point mass".to_string(),
        };
        let [x, y, z] = b.centre;
        let _ = writeln!(s, "{:w$}  {:>12.6}  {moments:38}  {x:.6} {y:.6} {z:.6}", b.name, b.mass);
    }
    for line in &c.flexible {
        let _ = writeln!(s, "{line}");
    }
    if !c.joints.is_empty() {
        let w = width(&mut c.joints.iter().map(|j| j.name.chars().count()));
        let _ = writeln!(
            s,
            "\n{:w$}  {:14}  rows  {:>9} {:>9} {:>9} {:>9}  reactions",
            "joint", "type", "m", "rad", "m/s", "rad/s"
        );
        for j in &c.joints {
            let reactions = match j {
                j if j.is_unique() => "unique".to_string(),
                j if j.share > UNIQUE => format!("{}; share {} of the redundancy", open(j), rounded(j.share)),
                j => format!("{}; share {} of the near redundancy", open(j), rounded(j.nearly_share)),
            };
            let _ = writeln!(
                s,
                "{:w$}  {:14}  {:>4}  {:>9} {:>9} {:>9} {:>9}  {reactions}",
                j.name,
                j.kind,
                j.rows,
                residual(j.position),
                residual(j.angle),
                residual(j.velocity),
                residual(j.angular_velocity)
            );
        }
        let _ = writeln!(s, "m, rad, m/s, rad/s: largest residuals of the given initial values");
    }
    s
}

/// The components of a reaction that are not unique: in space, or along the axes of the joint if fewer are
/// open there.
fn open(j: &JointCheck) -> String {
    let count = |list: &[bool; 6]| list.iter().filter(|x| !**x).count();
    let (n_space, n_own) = (count(&j.unique), count(&j.unique_along_axes));
    let (list, axes, frame) = match n_own < n_space {
        true => (&j.unique_along_axes, ["1", "2", "3"], " along its own axes"),
        false => (&j.unique, ["x", "y", "z"], ""),
    };
    let part = |what: &str, first: usize| {
        let open = (0..3).filter(|k| !list[first + k]).map(|k| axes[k]).collect::<Vec<_>>();
        (!open.is_empty()).then(|| format!("{what} {}", open.join(" ")))
    };
    match n_own.min(n_space) {
        6 => "not unique".to_string(),
        0 => "unique up to rounding".to_string(),
        _ => {
            let parts: Vec<String> = [part("force", 0), part("torque", 3)].into_iter().flatten().collect();
            format!("all unique except {}{frame}", parts.join(", "))
        }
    }
}

/// Two digits, and a plain 0 for an exact zero.
fn residual(x: f64) -> String {
    if x == 0.0 { "0".to_string() } else { format!("{x:.1e}") }
}

/// The settings of the run; defaults are marked.
fn settings(s: &Settings, c: &Check) -> String {
    let o = &s.options;
    let mut lines: Vec<(&str, String, &str)> = vec![("method", s.method.clone(), "integrator.method")];
    if let Some(form) = s.form().filter(|_| c.mobility.rows > 0) {
        lines.push(("form", form.name().to_string(), "integrator.form"));
    }
    lines.push(("formulation", s.formulation.name().to_string(), "integrator.formulation"));
    match (s.tolerance, c.steps) {
        (Some(tol), _) => lines.push(("tolerance", format!("{:e}", tol.tol), "integrator.tol")),
        (None, Some((n, h))) => lines.push(("step", format!("{h:e} s, {n} of them"), "run.step")),
        (None, None) => lines.push(("step", format!("{:e} s", s.step), "run.step")),
    }
    lines.push(("until", format!("{} s", s.until), "run.until"));
    let mut text = String::from("\nsettings\n");
    for (name, value, path) in lines {
        let mark =
            if s.is_default(path) { format!("   (default: {path} is not given)") } else { String::new() };
        let _ = writeln!(text, "  {name:12} {value}{mark}");
    }
    if s.fix_initial {
        let _ = writeln!(text, "  initial      projected onto the constraints");
    }
    let more = details(s, o);
    if !more.is_empty() {
        let _ = writeln!(text, "  more         {}", more.join(", "));
    }
    text
}

/// Further options of methods with several forms.
fn details(s: &Settings, o: &MethodOptions) -> Vec<String> {
    if s.form().is_none() {
        return Vec::new();
    }
    let mut list = Vec::new();
    if s.method != "bliedf" {
        list.push(match &o.alpha {
            Some(a) => {
                format!("alpha_m {}, alpha_f {}, beta {}, gamma {}", a.alpha_m, a.alpha_f, a.beta, a.gamma)
            }
            None => format!("rho {}", o.rho),
        });
    }
    match s.tolerance {
        Some(_) => {
            if s.method != "gen-alpha" {
                list.push(format!("orders up to {}", o.max_order));
            }
            list.push(format!("Newton {}", word(&o.newton.strategy)));
        }
        None => {
            match s.method.as_str() {
                "bliedf" => list.push(format!("k {}", o.k)),
                _ => list.push(format!("start {}", word(&o.start))),
            }
            list.push(format!("Newton {} to {:e}", word(&o.newton.strategy), o.newton.tolerance));
        }
    }
    list
}

/// The report as JSON; the keys are stable.
pub fn json(s: &Settings, c: &Check) -> serde_json::Value {
    use serde_json::{Map, Value, json};
    let m = &c.mobility;
    let bodies: Map<String, Value> = c
        .bodies
        .iter()
        .map(|b| {
            (b.name.clone(), json!({ "mass": b.mass, "principal_moments": b.principal, "centre": b.centre }))
        })
        .collect();
    let components = |list: &[bool; 6]| json!({ "force": &list[..3], "torque": &list[3..] });
    let joints: Map<String, Value> = c
        .joints
        .iter()
        .map(|j| {
            let value = json!({
                "type": j.kind,
                "bodies": j.bodies,
                "rows": j.rows,
                "residual": {
                    "position": j.position,
                    "angle": j.angle,
                    "velocity": j.velocity,
                    "angular_velocity": j.angular_velocity,
                },
                "redundancy_share": j.share,
                "nearly_redundant_share": j.nearly_share,
                "unique_reactions": j.is_unique(),
                "unique_components": components(&j.unique),
                "unique_components_along_axes": components(&j.unique_along_axes),
            });
            (j.name.clone(), value)
        })
        .collect();
    json!({
        "model": c.model,
        "runnable": c.is_runnable(),
        "degrees_of_freedom": m.degrees_of_freedom(),
        "driven_degrees_of_freedom": c.driven,
        "coordinates": m.coordinates,
        "constraint_rows": m.rows,
        "rank": m.rank,
        "redundant_rows": m.redundant(),
        "nearly_redundant": m.nearly,
        "singular_configuration": m.rank_nearby.is_some(),
        "rank_nearby": m.rank_nearby.unwrap_or(m.rank),
        "loops": c.loops,
        "bodies": bodies,
        "flexible": c.flexible,
        "joints": joints,
        "free_bodies": c.free_bodies,
        "floating_groups": c.floating_groups,
        "graph": c.graph,
        "settings": {
            "method": s.method,
            "form": s.form().map(|f| f.name()),
            "formulation": s.formulation.name(),
            "rho": s.options.rho,
            "start": word(&s.options.start),
            "newton": word(&s.options.newton.strategy),
            "newton_tolerance": s.options.newton.tolerance,
            "tol": s.tolerance.map(|t| t.tol),
            "h": c.steps.map_or(s.step, |(_, h)| h),
            "steps": c.steps.map(|(n, _)| n),
            "t_end": s.until,
            "fix_initial": s.fix_initial,
            "defaults": s.defaults,
            "ignored": s.ignored.iter().map(|i| i.path).collect::<Vec<_>>(),
        },
        "warnings": c.warnings,
        "problems": c.problems,
    })
}
