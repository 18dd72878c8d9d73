//! A Campbell diagram as text, as JSON and as a table.

use std::f64::consts::TAU;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::short;
use crate::analysis::Complex;
use crate::analysis::campbell::{Branch, Campbell, CampbellPoint};
use crate::study::text::{aligned, csv};

fn label(i: usize, branch: &Branch) -> String {
    match branch.direction() {
        "" => format!("mode {}", i + 1),
        d => format!("mode {}, {d}", i + 1),
    }
}

/// Frequencies, the state at the last value, and critical speeds as text; at most `most` modes.
pub fn text(name: &str, c: &Campbell, most: usize) -> String {
    let mut s = String::new();
    let frames: Vec<&str> = c.points.iter().filter(|p| p.spin > 0.0).map(|p| p.frame.name()).collect();
    let frame = frames.first().copied().unwrap_or("fixed");
    let worst = c.points.iter().map(|p| p.proof).fold(0.0, f64::max);
    let _ = writeln!(
        s,
        "{} modes at {} values of {name}, in the {frame} frame (proved: the equations change by at most \
         {worst:.1e})\n",
        c.branches.len(),
        c.points.len()
    );
    let head: Vec<String> =
        ["", "f at first, Hz", "f at last, Hz", "damping at last", "motion at the fastest"]
            .map(String::from)
            .to_vec();
    let hz = |s: Option<&Option<Complex>>| match s {
        Some(Some(s)) => short(s.im / TAU),
        _ => "-".to_string(),
    };
    let rows: Vec<Vec<String>> = c
        .branches
        .iter()
        .enumerate()
        .take(most)
        .map(|(i, b)| {
            let last = b.s.last().copied().flatten();
            let damping =
                last.map_or("-".to_string(), |s| format!("{:.5}", -s.re / s.norm().max(f64::MIN_POSITIVE)));
            vec![
                label(i, b),
                hz(b.s.first()),
                hz(b.s.last()),
                damping.replace("-0.00000", "0.00000"),
                b.words.clone(),
            ]
        })
        .collect();
    s.push_str(&aligned(&head, &rows, 1));
    if c.branches.len() > most {
        let _ = writeln!(s, "and {} more", c.branches.len() - most);
    }
    if let Some(last) = c.points.last() {
        let _ = writeln!(s, "\nstate of the rotation at {name} = {}", short(last.value));
        for (sensor, values, unit) in &last.sensors {
            let values: Vec<String> = values.iter().map(|x| short(*x)).collect();
            let _ = writeln!(s, "  {sensor}: {} {unit}", values.join(", "));
        }
        for (joint, force, torque) in last.joints.iter().take(8) {
            let three = |v: &[f64; 3]| v.iter().map(|x| short(*x)).collect::<Vec<_>>().join(", ");
            let _ = writeln!(s, "  {joint}: force {} N, torque {} N m", three(force), three(torque));
        }
    }
    if !c.critical.iter().any(|x| x.branch < most) {
        s.push_str("\nno critical speed between these values\n");
        return s;
    }
    s.push_str("\ncritical speeds\n");
    let head: Vec<String> = [name, "rad/s", "rpm", "per turn", "damping", "mode"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> = c
        .critical
        .iter()
        .filter(|x| x.branch < most)
        .map(|x| {
            let mode = c.branches.get(x.branch).map_or(String::new(), |b| label(x.branch, b));
            vec![
                short(x.value),
                short(x.spin),
                short(x.spin * 60.0 / TAU),
                x.order.to_string(),
                format!("{:.5}", x.damping).replace("-0.00000", "0.00000"),
                mode,
            ]
        })
        .collect();
    s.push_str(&aligned(&head, &rows, 0));
    s
}

/// All of it as JSON; the keys are stable.
pub fn json(name: &str, c: &Campbell) -> Value {
    let branch = |(i, b): (usize, &Branch)| {
        let part = |f: &dyn Fn(&Complex) -> f64| -> Vec<Option<f64>> {
            b.s.iter().map(|s| s.as_ref().map(f)).collect()
        };
        json!({
            "mode": i + 1,
            "direction": b.direction(),
            "motion": b.words,
            "re": part(&|s| s.re),
            "im": part(&|s| s.im),
            "whirl": b.whirl,
        })
    };
    let critical: Vec<Value> = c
        .critical
        .iter()
        .map(|x| {
            json!({
                name: x.value,
                "spin": x.spin,
                "rpm": x.spin * 60.0 / TAU,
                "order": x.order,
                "damping": x.damping,
                "mode": x.branch + 1,
                "direction": c.branches.get(x.branch).map(|b| b.direction()),
            })
        })
        .collect();
    let state = |p: &CampbellPoint| {
        let bodies = p.bodies.iter().map(|(name, x)| (name.clone(), json!(x)));
        let sensors = p.sensors.iter().map(|(name, x, _)| (name.clone(), json!(x)));
        let joints = p.joints.iter().map(|(name, f, t)| (name.clone(), json!({ "force": f, "torque": t })));
        json!({
            "positions": bodies.collect::<Map<_, _>>(),
            "sensors": sensors.collect::<Map<_, _>>(),
            "joints": joints.collect::<Map<_, _>>(),
        })
    };
    json!({
        "parameter": name,
        "states": c.points.iter().map(state).collect::<Vec<_>>(),
        "values": c.points.iter().map(|p| p.value).collect::<Vec<_>>(),
        "spin": c.points.iter().map(|p| p.spin).collect::<Vec<_>>(),
        "frame": c.points.iter().map(|p| p.frame.name()).collect::<Vec<_>>(),
        "proof": c.points.iter().map(|p| p.proof).collect::<Vec<_>>(),
        "branches": c.branches.iter().enumerate().map(branch).collect::<Vec<_>>(),
        "critical": critical,
    })
}

/// Eigenvalues at every value of the parameter, as a table of comma-separated values.
pub fn csv_table(name: &str, c: &Campbell) -> String {
    let mut head = vec![name.to_string(), "spin, rad/s".to_string()];
    for (i, b) in c.branches.iter().enumerate() {
        let label = label(i, b).replace(',', "");
        head.extend([format!("{label} re 1/s"), format!("{label} im 1/s")]);
    }
    let row = |(k, p): (usize, &CampbellPoint)| {
        let mut row = vec![format!("{:e}", p.value), format!("{:e}", p.spin)];
        for b in &c.branches {
            match b.s.get(k).copied().flatten() {
                Some(s) => row.extend([format!("{:e}", s.re), format!("{:e}", s.im)]),
                None => row.extend([String::new(), String::new()]),
            }
        }
        row
    };
    csv(&head, c.points.iter().enumerate().map(row))
}
