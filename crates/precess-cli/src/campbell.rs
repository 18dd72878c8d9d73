//! `precess campbell`: modes over the speed of a rotor.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::cell::RefCell;
use std::f64::consts::TAU;
use std::fmt::Write;

use precess::analysis::campbell::{Branch, Campbell, CampbellPoint, campbell as analyse};
use precess::analysis::{AnalysisError, Complex};
use precess::study::text::{aligned, csv};
use precess_view::plot::{Axis, Figure, Legend, Panel, Reference, Series};
use serde_json::{Value, json};

use crate::args;
use crate::files::Target;
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, frame, notes, refuse_time, render, short, stop};

/// Draws a Campbell diagram and lists critical speeds.
pub fn campbell(args: &args::Campbell) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    let frame = frame(&args.frame)?;
    let orders = orders(&args.orders)?;
    let (name, path, values) = reader.variation(&args.vary)?;
    if values.len() < 2 || !values.windows(2).all(|w| matches!(w, [a, b] if a < b)) {
        return Err(wrong(format!(
            "--vary {}: two or more increasing values are needed\n  help: write {name}=0:3000:61",
            args.vary
        )));
    }
    let targets = args
        .out
        .iter()
        .map(|f| Target::open(f, &["svg", "html", "png", "csv", "json"]))
        .collect::<Result<Vec<_>, _>>()?;
    refuse_time(&args.subject)?;
    notes(&reader.load(&[])?, 0.0, false);
    // Errors in the file are reported like everywhere else, not as errors of the analysis.
    let wrong_file: RefCell<Option<Stop>> = RefCell::new(None);
    let source = |value: f64| {
        let built = reader.load(&[format!("{path}={value:e}")]).and_then(|loaded| reader.build(&loaded));
        built.map_err(|stop| {
            let text = stop.message.clone();
            *wrong_file.borrow_mut() = Some(stop);
            AnalysisError::Name(text)
        })
    };
    let result = match analyse(&source, &values, frame, &orders) {
        Ok(result) => result,
        Err(e) => return Err(wrong_file.into_inner().unwrap_or_else(|| stop(e))),
    };
    let fastest = result.points.iter().map(|p| p.spin).fold(0.0, f64::max);
    if fastest == 0.0 {
        return Err(wrong(format!(
            "nothing turns at any value of {name}\n  help: let it set an angular_velocity of the file"
        )));
    }
    let json = as_json(&name, &result);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        print(&text(&name, &result, args.n.map_or(usize::MAX, |n| n as usize)));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => table(&name, &result).into_bytes(),
            "json" => format!("{json:#}\n").into_bytes(),
            kind => render(&figure(&name, &result, &orders, args.up_to), kind)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}

fn orders(text: &str) -> Result<Vec<f64>, Stop> {
    let bad = || wrong(format!("--orders {text}: positive numbers are needed\n  help: write 1 or 1,2"));
    let number = |w: &str| w.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0).ok_or_else(bad);
    text.split(',').map(number).collect()
}

fn label(i: usize, branch: &Branch) -> String {
    match branch.direction() {
        "" => format!("mode {}", i + 1),
        d => format!("mode {}, {d}", i + 1),
    }
}

fn text(name: &str, c: &Campbell, most: usize) -> String {
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
                short_order(x.order),
                format!("{:.5}", x.damping).replace("-0.00000", "0.00000"),
                mode,
            ]
        })
        .collect();
    s.push_str(&aligned(&head, &rows, 0));
    s
}

fn as_json(name: &str, c: &Campbell) -> Value {
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
            "positions": bodies.collect::<serde_json::Map<_, _>>(),
            "sensors": sensors.collect::<serde_json::Map<_, _>>(),
            "joints": joints.collect::<serde_json::Map<_, _>>(),
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

fn table(name: &str, c: &Campbell) -> String {
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

/// The unit of the parameter, if it is the speed itself; otherwise none is known.
fn speed_unit(c: &Campbell) -> &'static str {
    let is = |per_turn: f64| {
        c.points.iter().filter(|p| p.spin > 0.0).all(|p| {
            let value = p.spin / TAU * per_turn;
            (p.value.abs() - value).abs() <= 1e-9 * value
        })
    };
    [("rad/s", TAU), ("rpm", 60.0), ("Hz", 1.0)]
        .into_iter()
        .find(|(_, x)| is(*x))
        .map_or("", |(unit, _)| unit)
}

/// Frequencies over speed, with lines of excitation, and vertical lines at critical speeds.
fn figure(name: &str, c: &Campbell, orders: &[f64], up_to: Option<f64>) -> Figure {
    let x: Vec<f64> = c.points.iter().map(|p| p.value).collect();
    let spins: Vec<f64> = c.points.iter().map(|p| p.spin).collect();
    let fastest = spins.iter().copied().fold(0.0, f64::max) / TAU;
    let top = up_to.unwrap_or_else(|| {
        let all = c.branches.iter().flat_map(|b| b.s.iter().flatten()).map(|s| s.im / TAU);
        all.fold(0.0, f64::max).min(1.5 * fastest.max(f64::MIN_POSITIVE))
    });
    let mut panel = Panel::new("")
        .x(Axis::linear(name, speed_unit(c)))
        .y(Axis::linear("frequency", "Hz").range(0.0, top));
    let mut named = [false; 3];
    for b in &c.branches {
        let (kind, word) = match b.direction() {
            "forward" => (0, "forward whirl"),
            "backward" => (1, "backward whirl"),
            _ => (2, "no whirl"),
        };
        let y: Vec<f64> =
            b.s.iter()
                .map(|s| s.map_or(f64::NAN, |s| s.im / TAU))
                .map(|f| if f > top { f64::NAN } else { f })
                .collect();
        if y.iter().all(|f| f.is_nan()) {
            continue;
        }
        let seen = named.get_mut(kind).is_some_and(|n| std::mem::replace(n, true));
        let series = Series::line(if seen { "" } else { word }, x.clone(), y).colour(kind).dash(0);
        panel = panel.series(series);
    }
    for order in orders {
        let y = spins.iter().map(|w| order * w / TAU).map(|f| if f > top { f64::NAN } else { f }).collect();
        panel = panel.series(
            Series::line(format!("{} per turn", short_order(*order)), x.clone(), y).colour(3).dash(1),
        );
    }
    let marks: (Vec<f64>, Vec<f64>) =
        c.critical.iter().map(|k| (k.value, k.order * k.spin / TAU)).filter(|k| k.1 <= top).unzip();
    if !marks.0.is_empty() {
        panel = panel.series(Series::markers("critical", marks.0, marks.1).colour(4));
    }
    let forward =
        c.critical.iter().filter(|k| c.branches.get(k.branch).is_some_and(|b| b.direction() == "forward"));
    for k in forward {
        panel = panel.reference(Reference::Vertical(k.value, format!("{:.0} rpm", k.spin * 60.0 / TAU)));
    }
    Figure::new("").panel(panel).legend(Legend::Right).panel_size(720.0, 420.0)
}

fn short_order(x: f64) -> String {
    if x == x.round() { format!("{x:.0}") } else { format!("{x}") }
}
