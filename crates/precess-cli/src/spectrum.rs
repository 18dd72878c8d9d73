//! `precess spectrum`: frequencies and orders in results.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::fmt::Write;

use precess::analysis::spectrum::{Abscissa, Peak, Samples, Spectrum, Window, blocks, samples};
use precess::study::results::{self, Results};
use precess::study::text::{aligned, csv, six_digits};
use serde_json::{Value, json};

use crate::analysis_args as args;
use crate::files::Target;
use crate::output::{Stop, print, wrong};
use crate::spectrum_figure::{Block, Found, Scales, figure};
use crate::subject::render;

/// Finds the frequencies of quantities of a file of results.
pub fn spectrum(args: &args::Spectrum) -> Result<(), Stop> {
    let window: Window = args.window.parse().map_err(wrong)?;
    let interval = interval(args.interval.as_deref())?;
    if args.sensor.is_empty() {
        return Err(wrong(
            "say which quantities to analyse\n  help: give --sensor NAME, for example --sensor top.x or --sensor \
             \"a.x - b.x\"",
        ));
    }
    let kinds = ["csv", "json", "svg", "png", "html"];
    let targets = args.out.iter().map(|f| Target::open(f, &kinds)).collect::<Result<Vec<_>, _>>()?;
    let results = results::read(&args.results).map_err(wrong)?;
    let over = args.over.clone().map_or(Abscissa::Time, Abscissa::Turns);
    let one = |name: &String| -> Result<Found, Stop> {
        let (samples, unit) =
            samples(&results, name, &over, interval, args.allow_aliasing).map_err(|e| refused(&*e))?;
        let orders = over != Abscissa::Time;
        let whole = Spectrum::of(&samples.values, samples.step, window);
        let up_to = args.up_to.unwrap_or(f64::INFINITY).min(0.5 / samples.gap);
        let peaks = whole.peaks(args.peaks as usize, up_to);
        let parts = match args.blocks {
            None => Vec::new(),
            Some(n) => blocks(&samples, n as usize, orders, window).map_err(wrong)?,
        };
        let times = times(&results, &over, interval).map_err(|e| refused(&*e))?;
        let block = |(middle, spectrum)| {
            let (time, speed) = if orders { at(&times, middle) } else { (middle, None) };
            Block { time, speed, spectrum }
        };
        let blocks = parts.into_iter().map(block).collect();
        Ok(Found { name: name.clone(), unit, samples, whole, peaks, blocks })
    };
    let found = args.sensor.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let highest = found.iter().map(|f| 0.5 / f.samples.gap).fold(f64::INFINITY, f64::min);
    let scales =
        Scales { orders: over != Abscissa::Time, up_to: args.up_to.unwrap_or(f64::INFINITY).min(highest) };
    let json = as_json(&found, &scales, window);
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        print(&text(&found, &scales, window));
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => table(&found, &scales).into_bytes(),
            "json" => format!("{json:#}\n").into_bytes(),
            kind => render(&figure(&found, &scales), kind)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}

/// A wrong name is wrong input, and so are rows that are too far apart.
fn refused(e: &(dyn std::error::Error + Send + Sync)) -> Stop {
    let text = e.to_string();
    match text.contains("folded down") {
        true => wrong(format!("{text}\n  help: --allow-aliasing shows the spectrum all the same")),
        false => wrong(text),
    }
}

/// `FROM:TO` in seconds; each may be left out.
fn interval(text: Option<&str>) -> Result<[f64; 2], Stop> {
    let Some(text) = text else { return Ok([f64::NEG_INFINITY, f64::INFINITY]) };
    let bad = || {
        wrong(format!("--interval {text}: two times in seconds are needed\n  help: write 0.5:2, 0.5: or :2"))
    };
    let (from, to) = text.split_once(':').ok_or_else(bad)?;
    let end = |x: &str, open: f64| match x.trim() {
        "" => Ok(open),
        x => x.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(bad),
    };
    let list = [end(from, f64::NEG_INFINITY)?, end(to, f64::INFINITY)?];
    if list[0] < list[1] { Ok(list) } else { Err(bad()) }
}

/// Time over the turns of the shaft, to give speeds to the parts of a waterfall.
fn times(
    results: &Results,
    over: &Abscissa,
    interval: [f64; 2],
) -> Result<Option<Samples>, Box<dyn std::error::Error + Send + Sync>> {
    match over {
        Abscissa::Time => Ok(None),
        turns => Ok(Some(samples(results, "t", turns, interval, true)?.0)),
    }
}

/// The time at a number of turns, and the speed there in turns per second.
fn at(times: &Option<Samples>, turns: f64) -> (f64, Option<f64>) {
    let Some(times) = times else { return (turns, None) };
    let k = ((turns - times.start) / times.step).floor().max(0.0) as usize;
    let k = k.min(times.len().saturating_sub(2));
    match (times.values.get(k), times.values.get(k + 1)) {
        (Some(a), Some(b)) if b > a => (*a, Some(times.step / (b - a))),
        (Some(a), _) => (*a, None),
        _ => (f64::NAN, None),
    }
}

fn text(found: &[Found], scales: &Scales, window: Window) -> String {
    let mut s = String::new();
    let (axis, unit) = scales.axis();
    for f in found {
        let n = f.samples.len();
        let end = f.samples.start + n as f64 * f.samples.step;
        let (distance, between) = match scales.orders {
            true => {
                let per_turn = (1.0 / f.samples.step).round();
                let turns = (n as f64 * f.samples.step).round();
                (format!("{per_turn} per turn"), format!("{turns} turns"))
            }
            false => (
                format!("{} s apart", six_digits(f.samples.step)),
                format!("{} s to {} s", six_digits(f.samples.start), six_digits(end)),
            ),
        };
        let how = if f.samples.interpolated { ", interpolated" } else { "" };
        let named = |unit: &str| if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let _ = writeln!(s, "{}: {n} samples, {distance}, {between}{how}, window {}", f.name, window.name());
        let _ = writeln!(
            s,
            "  mean {}{u}, rms about the mean {}{u}, lines {} {unit} apart, up to {} {unit}\n",
            six_digits(f.whole.mean),
            six_digits(f.whole.rms),
            six_digits(f.whole.spacing),
            six_digits(0.5 / f.samples.gap),
            u = named(&f.unit)
        );
        let with = |name: &str, unit: &str| {
            if unit.is_empty() { name.to_string() } else { format!("{name}, {unit}") }
        };
        let head = [with(axis, unit), with("amplitude", &f.unit), "phase, deg".into()];
        let row = |p: &Peak| {
            vec![six_digits(p.frequency), six_digits(p.amplitude), format!("{:.1}", p.phase.to_degrees())]
        };
        let rows: Vec<Vec<String>> = f.peaks.iter().map(row).collect();
        match rows.is_empty() {
            true => s.push_str("  nothing vibrates in it\n"),
            false => s.push_str(&aligned(&head, &rows, 0)),
        }
        if !f.blocks.is_empty() {
            let mut head = vec!["time, s".to_string()];
            head.extend(scales.orders.then(|| "speed, rpm".to_string()));
            head.extend([with(&format!("highest {axis}"), unit), with("amplitude", &f.unit)]);
            let row = |b: &Block| {
                let peak = b.spectrum.peaks(1, scales.up_to);
                let mut row = vec![six_digits(b.time)];
                row.extend(scales.orders.then(|| b.speed.map_or("-".into(), |x| six_digits(60.0 * x))));
                row.extend(match peak.first() {
                    Some(p) => [six_digits(p.frequency), six_digits(p.amplitude)],
                    None => ["-".into(), "-".into()],
                });
                row
            };
            s.push('\n');
            s.push_str(&aligned(&head, &f.blocks.iter().map(row).collect::<Vec<_>>(), 0));
        }
        s.push('\n');
    }
    s
}

fn as_json(found: &[Found], scales: &Scales, window: Window) -> Value {
    let (axis, unit) = scales.axis();
    let peak = |p: &Peak| json!({ axis: p.frequency, "amplitude": p.amplitude, "phase": p.phase });
    let one = |f: &Found| {
        let blocks = f.blocks.iter().map(|b| {
            json!({
                "time": b.time,
                "turns_per_second": b.speed,
                "spacing": b.spectrum.spacing,
                "amplitudes": b.spectrum.amplitudes(),
                "peaks": b.spectrum.peaks(8, scales.up_to).iter().map(peak).collect::<Vec<_>>(),
            })
        });
        json!({
            "name": f.name,
            "unit": f.unit,
            "mean": f.whole.mean,
            "rms": f.whole.rms,
            "samples": f.samples.len(),
            "interpolated": f.samples.interpolated,
            "highest": 0.5 / f.samples.gap,
            "spacing": f.whole.spacing,
            "amplitudes": f.whole.amplitudes(),
            "phases": f.whole.lines.iter().map(|x| x.arg()).collect::<Vec<_>>(),
            "peaks": f.peaks.iter().map(peak).collect::<Vec<_>>(),
            "blocks": blocks.collect::<Vec<_>>(),
        })
    };
    json!({
        "axis": axis,
        "unit": unit,
        "window": window.name(),
        "spectra": found.iter().map(one).collect::<Vec<_>>(),
    })
}

/// A line per frequency: the amplitudes of all quantities, and of the parts of their waterfalls.
fn table(found: &[Found], scales: &Scales) -> String {
    let (axis, unit) = scales.axis();
    let mut head = Vec::new();
    let mut columns: Vec<(f64, Vec<f64>)> = Vec::new();
    for f in found {
        let title = |what: &str| {
            let unit = if f.unit.is_empty() { String::new() } else { format!(" [{}]", f.unit) };
            format!("{}{what}{unit}", f.name)
        };
        head.extend([format!("{axis} [{unit}]"), title("")]);
        columns.push((f.whole.spacing, f.whole.amplitudes()));
        if let Some(first) = f.blocks.first() {
            head.push(format!("{axis} of parts [{unit}]"));
            columns.push((first.spectrum.spacing, Vec::new()));
            for b in &f.blocks {
                head.push(title(&format!(" at {} s", six_digits(b.time))));
                columns.push((f64::NAN, b.spectrum.amplitudes()));
            }
        }
    }
    let rows = columns.iter().map(|(_, a)| a.len()).max().unwrap_or(0);
    let part_lines = found.iter().filter_map(|f| f.blocks.first()).map(|b| b.spectrum.lines.len()).max();
    let cell = |k: usize, x: Option<f64>| {
        x.map_or(String::new(), |x| if k == 0 { format!("{x}") } else { format!("{x:e}") })
    };
    let row = |k: usize| {
        let mut row = Vec::new();
        for (spacing, amplitudes) in &columns {
            let known = if amplitudes.is_empty() { part_lines.unwrap_or(0) } else { amplitudes.len() };
            if spacing.is_finite() {
                row.push(cell(k, (k < known).then_some(k as f64 * spacing)));
            }
            if !amplitudes.is_empty() {
                row.push(cell(k, amplitudes.get(k).copied()));
            }
        }
        row
    };
    csv(&head, (0..rows).map(row))
}
