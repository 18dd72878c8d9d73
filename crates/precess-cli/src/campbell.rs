//! `precess campbell`: modes over the speed of a rotor.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::campbell::campbell as analyse;
use precess::analysis::report::campbell as written;
use precess_view::figures::campbell::figure;

use crate::args;
use crate::files::Target;
use crate::output::{Stop, print, report, wrong};
use crate::subject::{Reader, frame, notes, refuse_time, render, stop};

/// Draws a Campbell diagram and lists critical speeds.
pub fn campbell(args: &args::Campbell) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject.file)?;
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
    let result = analyse(&reader.source(&path), &values, frame, &orders).map_err(stop)?;
    let fastest = result.points.iter().map(|p| p.spin).fold(0.0, f64::max);
    if fastest == 0.0 {
        return Err(wrong(format!(
            "nothing turns at any value of {name}\n  help: let it set an angular_velocity of the file"
        )));
    }
    let json = written::json(&name, &result);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        report(&written::text(&name, &result, args.n.map_or(usize::MAX, |n| n as usize)));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => written::csv_table(&name, &result).into_bytes(),
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
