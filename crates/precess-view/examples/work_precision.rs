//! Time against error on the heavy top, [0, 1], stabilized index-2 form, as a Markdown table.
//!
//! `cargo run --release -p precess-view --example work_precision` runs generalized-alpha, its sigma-modifications
//! and BLieDF with k = 2..6, each with step sizes halved until its error in q is below 1e-9 or a run takes
//! too long, and interpolates the time each method needs for an error of 1e-6. With an argument it also
//! writes a picture (SVG) to that file. Errors are maxima over the interval, times (wall clock) the best of
//! three runs (one above a second), starting values included.

use std::time::{Duration, Instant};

use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Eta, Form, InitialValues, Integrator, Modification, Sigma};
use precess::methods::{MethodOptions, method};
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Errors, Run};
use precess_view::plot::{Axis, Figure, Panel, Series, Slope, svg};

const T_END: f64 = 1.0;
/// No step size is halved after a run that takes longer.
const PATIENCE: f64 = 7.0;

struct Measured {
    errors: Errors,
    seconds: f64,
}

fn solve(
    top: &HeavyTop,
    integrator: &mut dyn Integrator,
    h: f64,
    reference: Option<&TopReference>,
) -> Result<(Errors, Duration), Error> {
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(top)?;
    let run = Run::new(h, T_END);
    let begin = Instant::now();
    let errors = match reference {
        None => {
            // Without Run: it evaluates constraints and energy for its summary, which is no part of the
            // method.
            let (steps, h) = run.steps(0.0)?;
            integrator.start(top, &mut state, h)?;
            for _ in 0..steps {
                integrator.step(top, &mut state, h)?;
            }
            Errors::default()
        }
        Some(reference) => {
            let mut recorder = ErrorRecorder::new(reference, &[(0.0, T_END)]);
            run.run(top, integrator, &mut state, &mut recorder).map_err(|failure| failure.error)?;
            recorder.errors[0]
        }
    };
    Ok((errors, begin.elapsed()))
}

fn measure(
    top: &HeavyTop,
    reference: &TopReference,
    name: &str,
    options: &MethodOptions,
    h: f64,
) -> Result<Measured, Error> {
    let mut integrator = method(name, options)?;
    let (errors, _) = solve(top, integrator.as_mut(), h, Some(reference))?;
    // Long runs are not disturbed much.
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        best = best.min(solve(top, integrator.as_mut(), h, None)?.1.as_secs_f64());
        if best > 1.0 {
            break;
        }
    }
    Ok(Measured { errors, seconds: best })
}

/// Time for this error of q, on the line through neighbours in logarithmic scale; extrapolated with slope
/// -1/order beyond the last run.
fn time_for(runs: &[Measured], error: f64, order: f64) -> Option<f64> {
    let last = runs.last()?;
    if last.errors.q > error {
        return Some(last.seconds * (last.errors.q / error).powf(1.0 / order));
    }
    let pair = runs.windows(2).find(|p| p[0].errors.q > error && p[1].errors.q <= error)?;
    let x = (pair[0].errors.q / error).ln() / (pair[0].errors.q / pair[1].errors.q).ln();
    Some(pair[0].seconds * (pair[1].seconds / pair[0].seconds).powf(x))
}

fn main() -> Result<(), Error> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, T_END);
    let base = MethodOptions { form: Form::StabilizedIndex2, eta: Eta::Paper, ..MethodOptions::default() };
    let mut methods = vec![("gen-alpha", "gen-alpha, rho 0.9".to_string(), base, 2.0)];
    for (name, sigma) in [("sigma = 1", Sigma::Value(1.0)), ("sigma optimal", Sigma::Optimal)] {
        let modification = Modification { sigma, ..Modification::default() };
        methods.push(("gen-alpha", name.to_string(), MethodOptions { modification, ..base }, 2.0));
    }
    for k in 2..=6 {
        methods.push(("bliedf", format!("bliedf, k = {k}"), MethodOptions { k, ..base }, k as f64));
    }
    println!(
        "| method | h | error of q | error of v | error of lambda | time in ms |\n|---|---|---|---|---|---|"
    );
    let mut times = Vec::new();
    let mut curves = Vec::new();
    for (name, label, options, order) in methods {
        let mut runs = Vec::new();
        let mut h = 2e-3;
        loop {
            let run = measure(&top, &reference, name, &options, h)?;
            let e = run.errors;
            println!(
                "| {label} | {h:.3e} | {:.1e} | {:.1e} | {:.1e} | {:.2} |",
                e.q,
                e.v,
                e.lambda,
                1e3 * run.seconds
            );
            let enough = e.q < 1e-9 || run.seconds > PATIENCE;
            runs.push(run);
            if enough {
                break;
            }
            h /= 2.0;
        }
        let reached = runs.last().is_some_and(|r| r.errors.q <= 1e-6);
        curves.push((label.clone(), runs.iter().map(|r| (r.seconds, r.errors.q)).collect::<Vec<_>>()));
        times.push((label, time_for(&runs, 1e-6, order), reached));
    }
    let Some(yardstick) = times[0].1 else { return Ok(()) };
    println!("\n| method | time for 1e-6 in q, ms | times cheaper than gen-alpha |\n|---|---|---|");
    for (label, time, reached) in &times {
        let Some(time) = time else { continue };
        let mark = if *reached { "" } else { " (extrapolated)" };
        println!("| {label} | {:.1}{mark} | {:.1} |", 1e3 * time, yardstick / time);
    }
    if let Some(file) = std::env::args().nth(1) {
        match std::fs::write(&file, picture(&curves)) {
            Ok(()) => println!("\npicture: {file}"),
            Err(e) => eprintln!("cannot write {file}: {e}"),
        }
    }
    Ok(())
}

/// Error against time in logarithmic scale.
fn picture(curves: &[(String, Vec<(f64, f64)>)]) -> String {
    let mut panel = Panel::new("Heavy top, stabilized index-2 form")
        .x(Axis::log("time of the run", "s"))
        .y(Axis::log("largest error of q on [0, 1] s", ""));
    for (label, points) in curves {
        let (time, error) = points.iter().copied().unzip();
        panel = panel.series(Series::marked(label.clone(), time, error));
    }
    // Time grows as 1/h.
    let panel = [(-2.0, 0), (-4.0, 5), (-6.0, 7)]
        .into_iter()
        .fold(panel, |p, (order, k)| p.slope(Slope::new(order).near(k)));
    svg::render(&Figure::new("").panel_size(760.0, 440.0).panel(panel))
}
