//! `precess campbell`: modes over the speed of a rotor.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::cell::RefCell;
use std::f64::consts::TAU;

use precess::analysis::AnalysisError;
use precess::analysis::campbell::{Campbell, CampbellPoint, campbell as analyse};
use precess::analysis::report::campbell::{json, label, short_order, text};
use precess::study::text::csv;
use precess_view::plot::{Axis, Figure, Legend, Panel, Reference, Series};

use crate::args;
use crate::files::Target;
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, frame, notes, refuse_time, render, stop};

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
    let found = json(&name, &result);
    if args.json {
        print(&format!("{found:#}\n"));
    } else {
        print(&text(&name, &result, args.n.map_or(usize::MAX, |n| n as usize)));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => table(&name, &result).into_bytes(),
            "json" => format!("{found:#}\n").into_bytes(),
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

/// Frequencies over speed, with lines of excitation, and vertical lines at critical speeds.
fn figure(name: &str, c: &Campbell, orders: &[f64], up_to: Option<f64>) -> Figure {
    let x: Vec<f64> = c.points.iter().map(|p| p.value).collect();
    let spins: Vec<f64> = c.points.iter().map(|p| p.spin).collect();
    let fastest = spins.iter().copied().fold(0.0, f64::max) / TAU;
    let top = up_to.unwrap_or_else(|| {
        let all = c.branches.iter().flat_map(|b| b.s.iter().flatten()).map(|s| s.im / TAU);
        all.fold(0.0, f64::max).min(1.5 * fastest.max(f64::MIN_POSITIVE))
    });
    let mut panel =
        Panel::new("").x(Axis::linear(name, "")).y(Axis::linear("frequency", "Hz").range(0.0, top));
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
