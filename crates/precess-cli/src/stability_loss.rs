//! `precess modes --find-stability-loss`: the value of a parameter at which a motion begins to grow.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use precess::analysis::equilibrium::find;
use precess::analysis::steady::{self, moving, resting_at};
use precess::analysis::{AnalysisError, Complex, EquilibriumOptions, Frame, Kind, modes as analysis};
use precess::study::text::aligned;
use serde_json::json;

use crate::args::{self, ModesAt};
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, short, stop};

/// Halvings of the interval between two values.
const HALVINGS: usize = 50;
/// The interval is small enough, relative to the value.
const NARROW: f64 = 1e-8;

/// The state at one value of the parameter.
struct Point {
    value: f64,
    q: Vec<f64>,
    /// The eigenvalue that grows fastest, and its motion.
    worst: Option<(Complex, String)>,
}

/// Looks for a change between stable and unstable in the values of a parameter.
pub fn stability_loss(args: &args::Modes, reader: &Reader, vary: &str, frame: Frame) -> Result<(), Stop> {
    let (name, path, values) = reader.variation(vary)?;
    if values.len() < 2 {
        return Err(wrong(format!(
            "--find-stability-loss {vary}: two or more values are needed\n  help: write {name}=0:100:11"
        )));
    }
    let point = |value: f64, near: Option<&Point>| -> Result<Point, Stop> {
        let loaded = reader.load(&[format!("{path}={value:e}")])?;
        let built = reader.build(&loaded)?;
        let system = &*built.system;
        let q = near.map(|p| &p.q).filter(|q| q.len() == built.q.len()).unwrap_or(&built.q);
        let search = || -> Result<_, AnalysisError> {
            let found = match args.at {
                // The equilibrium is followed although it may lose its stability.
                ModesAt::Equilibrium => {
                    let options =
                        EquilibriumOptions { kind: Kind::Any, t: args.subject.time, ..Default::default() };
                    resting_at(system, &find(system, q, &options)?.state)?
                }
                ModesAt::Steady => {
                    let state = moving(system, &built.q, &built.v, 0.0);
                    steady::find_near(system, &state, frame, true, Some(q))?
                }
                _ => steady::find(system, &moving(system, &built.q, &built.v, 0.0), frame, false)?,
            };
            let worst = analysis::fastest_growth(system, &found)?;
            Ok((found.state.q, worst))
        };
        let (q, worst) = search().map_err(stop)?;
        Ok(Point { value, q, worst })
    };
    let mut points: Vec<Point> = Vec::new();
    for value in values {
        let next = point(value, points.last())?;
        points.push(next);
    }
    let mut losses = Vec::new();
    for pair in points.windows(2) {
        let [a, b] = pair else { continue };
        if a.worst.is_some() == b.worst.is_some() {
            continue;
        }
        let (mut low, mut high, mut unstable) = (a.value, b.value, None);
        for _ in 0..HALVINGS {
            if (high - low).abs() <= NARROW * high.abs().max(low.abs()) {
                break;
            }
            let middle = point(0.5 * (low + high), Some(a))?;
            let same = middle.worst.is_some() == a.worst.is_some();
            if same {
                low = middle.value
            } else {
                high = middle.value
            }
            unstable = middle.worst.or(unstable);
        }
        let loses = a.worst.is_none();
        let (s, words) = unstable.or_else(|| a.worst.clone().or_else(|| b.worst.clone())).unwrap_or_default();
        losses.push((0.5 * (low + high), loses, s, words));
    }
    let kind = |s: &Complex| if s.im > 1e-3 * s.norm() && s.im > 0.0 { "vibrates" } else { "leaves" };
    if args.json {
        let row = |(value, loses, s, words): &(f64, bool, Complex, String)| {
            json!({
                name.clone(): value, "becomes": if *loses { "unstable" } else { "stable" }, "omega": s.im,
                "kind": kind(s), "motion": words,
            })
        };
        let states = points
            .iter()
            .map(|p| json!({ name.clone(): p.value, "growth": p.worst.as_ref().map_or(0.0, |(s, _)| s.re) }));
        let all = json!({
            "parameter": name,
            "changes": losses.iter().map(row).collect::<Vec<_>>(),
            "points": states.collect::<Vec<_>>(),
        });
        print(&format!("{all:#}\n"));
        return Ok(());
    }
    if losses.is_empty() {
        let always = if points.iter().all(|p| p.worst.is_none()) { "stable" } else { "unstable" };
        print(&format!("{always} at all {} values of {name}\n", points.len()));
        return Ok(());
    }
    let head = [&name, "becomes", "omega, rad/s", "motion"].map(String::from);
    let rows: Vec<Vec<String>> = losses
        .iter()
        .map(|(value, loses, s, words)| {
            let what = match (loses, kind(s)) {
                (true, "vibrates") => "unstable: flutter",
                (true, _) => "unstable: divergence",
                (false, _) => "stable",
            };
            vec![short(*value), what.to_string(), short(s.im), words.clone()]
        })
        .collect();
    print(&aligned(&head, &rows, 0));
    Ok(())
}
