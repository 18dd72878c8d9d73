//! `precess modes`: vibrations of a mechanism.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::fmt::Write;
use std::path::Path;

use precess::analysis::animate::swing;
use precess::analysis::local::Layout;
use precess::analysis::modes::{self as analysis, Mode};
use precess::analysis::npz::arrays;
use precess::analysis::steady::{self, Found, moving};
use precess::analysis::{Frame, Matrix, Modes, Selection};
use precess::mechanics::mechanism::Mechanism;
use precess::model::{Built, Loaded};
use precess::study::checkpoint::state_of;
use precess::study::results::FORMATS;
use precess::study::text::{aligned, csv};
use precess_view::html;
use serde_json::{Map, Value, json};

use crate::args::{self, ModesAt};
use crate::begin::begin;
use crate::equilibrium::{LISTED, options};
use crate::files::Target;
use crate::linearised_state::{Linearised, Place};
use crate::output::{Stop, message, print, wrong};
use crate::stability_loss::stability_loss;
use crate::subject::{Reader, frame, notes, refuse_time, short, stop};
use crate::{animation, floquet, state_space};

/// Prints the modes of a model.
pub fn modes(args: &args::Modes) -> Result<(), Stop> {
    let reader = Reader::new(&args.subject)?;
    if args.frame == "floquet" {
        return floquet::multipliers(args, &reader);
    }
    let frame = frame(&args.frame)?;
    if args.period.is_some() {
        return Err(wrong("--period is for --frame floquet\n  help: add it, or leave --period out"));
    }
    if let Some(vary) = &args.find_stability_loss {
        return stability_loss(args, &reader, vary, frame);
    }
    let near = args.near.as_deref().map(frequency).transpose()?;
    let loaded = reader.load(&[])?;
    let built = reader.build(&loaded)?;
    let targets = args
        .out
        .iter()
        .map(|f| Target::open(f, &["json", "csv", "npz", "mat"]))
        .collect::<Result<Vec<_>, _>>()?;
    let matrices = state_space::targets(args)?;
    let page = animation::target(args.view.as_ref())?;
    notes(&loaded, args.subject.time, args.at == ModesAt::Equilibrium);
    let state = linearisation_state(args, &reader, &built, frame)?;
    let found = &state.found;
    let mut neglected = Vec::new();
    built.system.see_limits(&found.state.at(), &mut neglected);
    built.system.neglected(&neglected).iter().for_each(|text| message(&format!("warning: {text}")));
    let selection = Selection { n: args.n as usize, near };
    let modes = analysis::modes(&*built.system, found, selection).map_err(stop)?;
    let space = state_space::matrices(args, &reader, (&loaded, &built), (found, &modes))?;
    let json = as_json(&loaded, &*built.system, &state, &modes)?;
    if args.json {
        print(&format!("{json:#}\n"));
    } else {
        print(&text(&loaded, &*built.system, &state, &modes)?);
    }
    for target in targets {
        let content = match target.kind.as_str() {
            "csv" => table(&modes).into_bytes(),
            kind @ ("npz" | "mat") => archive(&*built.system, &modes, kind)?,
            _ => format!("{json:#}\n").into_bytes(),
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    state_space::write(args, space, (&*built.system, &state), &modes, matrices)?;
    page.map_or(Ok(()), |page| show(args, (&loaded, &built), (found, &modes), page))
}

/// Writes a page that shows one mode after the other.
fn show(
    args: &args::Modes,
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
    target: Target,
) -> Result<(), Stop> {
    let folder = args.subject.model.parent();
    animation::write(target, &page((loaded, built), (found, modes), folder)?, args.json)
}

/// The text of that page. Meshes are searched in this folder.
pub fn page(
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
    folder: Option<&Path>,
) -> Result<String, Stop> {
    if modes.modes.is_empty() {
        return Err(Stop { code: 1, message: "error: nothing vibrates, so there is no page".to_string() });
    }
    let system = &*built.system;
    let scene = |(i, m): (usize, &Mode)| {
        let label = format!("mode {}: {} Hz, {}", i + 1, short(m.frequency()), m.words);
        let mut scene = animation::scene(loaded, system, &swing(system, found, m)?, folder, label);
        scene.notes.push("Amplitudes are chosen to be seen; decay is not shown.".to_string());
        if !found.steady.is_rest() {
            scene.notes.push(format!("Seen from the {} frame, without the spin.", found.steady.frame.name()));
        }
        Ok(scene)
    };
    let scenes = modes.modes.iter().enumerate().map(scene).collect::<Result<Vec<_>, _>>().map_err(stop)?;
    Ok(html::choice(&scenes))
}

/// Eigenvalues, shapes and energies as arrays.
fn archive(system: &dyn Mechanism, modes: &Modes, kind: &str) -> Result<Vec<u8>, Stop> {
    let layout = Layout::new(system).map_err(stop)?;
    let rows = |width: usize, f: &dyn Fn(&Mode, usize) -> f64| {
        let values = modes.modes.iter().flat_map(|m| (0..width).map(move |j| f(m, j)));
        Matrix::from_row_iterator(modes.modes.len(), width, values)
    };
    let k = layout.controls.end;
    let at = |m: &Mode, j: usize| m.shape.get(j).copied().unwrap_or_default();
    let all = || -> Result<Vec<u8>, std::io::Error> {
        let mut file = arrays(kind);
        file.matrix("eigenvalues", &rows(2, &|m, j| if j == 0 { m.s.re } else { m.s.im }))?;
        file.matrix("shapes_re", &rows(k, &|m, j| at(m, j).re))?;
        file.matrix("shapes_im", &rows(k, &|m, j| at(m, j).im))?;
        file.matrix("energy", &rows(layout.names.len(), &|m, j| m.shares.get(j).copied().unwrap_or(0.0)))?;
        file.texts("bodies", &layout.names)?;
        file.texts("coordinates", &(0..k).map(|j| system.velocity_name(j)).collect::<Vec<_>>())?;
        file.texts("motions", &modes.modes.iter().map(|m| m.words.clone()).collect::<Vec<_>>())?;
        file.finish()
    };
    all().map_err(|e| wrong(format!("cannot write the archive: {e}")))
}

/// The state to linearise about.
fn linearisation_state(
    args: &args::Modes,
    reader: &Reader,
    built: &Built,
    frame: Frame,
) -> Result<Linearised, Stop> {
    let system = &*built.system;
    let t = args.subject.time;
    let place = match &args.at {
        ModesAt::Equilibrium => {
            if frame != Frame::Auto {
                return Err(wrong("--frame is for rotations\n  help: add --at steady"));
            }
            if built.v.iter().any(|v| *v != 0.0) {
                message("note: the velocities of the file are set to zero; --at steady keeps them");
            }
            return Linearised::find(built, Place::Equilibrium(options(args.kind, t).kind), frame, t)
                .map_err(stop);
        }
        ModesAt::Steady => Place::Steady,
        ModesAt::Initial => Place::Initial,
        ModesAt::File(file) => {
            refuse_time(&args.subject)?;
            let is_result = file.extension().and_then(|e| e.to_str()).is_some_and(|e| FORMATS.contains(&e));
            let state = if is_result {
                let then = reader.build(&begin(reader.load(&[])?, Some(file))?)?;
                moving(system, &then.q, &then.v, t)
            } else {
                let state = moving(system, &built.q, &built.v, t);
                state_of(file, &args.subject.formulation, &state).map_err(wrong)?
            };
            let found = steady::find(system, &state, frame, true).map_err(stop)?;
            return Ok(Linearised::new(
                found,
                if is_result { "end of the run" } else { "checkpoint" },
                &built.q,
            ));
        }
    };
    refuse_time(&args.subject)?;
    Linearised::find(built, place, frame, t).map_err(stop)
}

/// A frequency in Hz with or without a unit.
fn frequency(text: &str) -> Result<f64, Stop> {
    let units = [("rad/s", 1.0 / std::f64::consts::TAU), ("rpm", 1.0 / 60.0), ("kHz", 1e3), ("Hz", 1.0)];
    let trimmed = text.trim();
    let (number, factor) = units
        .iter()
        .find_map(|(unit, factor)| Some((trimmed.strip_suffix(unit)?, *factor)))
        .unwrap_or((trimmed, 1.0));
    match number.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x * factor),
        _ => Err(wrong(format!(
            "--near {text}: this is not a frequency\n  help: write 50, 50Hz, 3000rpm or 314rad/s"
        ))),
    }
}

/// The two largest shares of the energy.
fn shares(mode: &Mode, names: &[String]) -> String {
    let mut list: Vec<(&String, f64)> = names.iter().zip(mode.shares.iter().copied()).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    let words = list.iter().take(2).filter(|x| x.1 >= 0.005).map(|(n, x)| format!("{n} {:.0}%", 100.0 * x));
    words.collect::<Vec<_>>().join(", ")
}

fn about(found: &Found) -> String {
    match found.steady.is_rest() {
        true => format!("about rest at t = {} s", found.state.t),
        false => format!(
            "about a steady rotation, in the {} frame (proved: the equations change by {:.1e})",
            found.steady.frame.name(),
            found.proof
        ),
    }
}

/// The modes as text.
pub fn text(
    loaded: &Loaded,
    system: &dyn Mechanism,
    state: &Linearised,
    modes: &Modes,
) -> Result<String, Stop> {
    let layout = Layout::new(system).map_err(stop)?;
    let found = &state.found;
    let mut s = format!("{}: modes {}\n", loaded.model.name, about(found));
    let _ = writeln!(s, "state: {}", state.words(system));
    let n = modes.degrees_of_freedom;
    let freedom = if n == 1 { "degree" } else { "degrees" };
    let shown = modes.modes.len();
    let _ = match modes.available {
        Some(all) => writeln!(s, "{n} {freedom} of freedom, {shown} of {all} modes shown"),
        None => writeln!(s, "{n} {freedom} of freedom, the {shown} lowest modes that are not free"),
    };
    for words in modes.free.iter().take(LISTED) {
        let _ = writeln!(s, "free: {words}");
    }
    if modes.free.len() > LISTED {
        let _ = writeln!(s, "free: {} more (--json lists them)", modes.free.len() - LISTED);
    }
    if modes.modes.is_empty() {
        s.push_str("nothing vibrates\n");
        return Ok(s);
    }
    s.push('\n');
    let whirls = modes.modes.iter().any(|m| m.whirl.is_some());
    let mut head = vec!["f, Hz", "omega, rad/s", "damping", "decay, 1/s"];
    if whirls {
        head.push("whirl");
    }
    head.extend(["energy", "motion"]);
    let head: Vec<String> = head.into_iter().map(String::from).collect();
    let rows: Vec<Vec<String>> = modes
        .modes
        .iter()
        .map(|m| {
            let mut row = vec![
                short(m.frequency()),
                short(m.s.im),
                format!("{:.5}", m.damping()).replace("-0.00000", "0.00000"),
                short(-m.s.re),
            ];
            if whirls {
                row.push(m.whirl_word().to_string());
            }
            let growing = if m.grows() { " (grows)" } else { "" };
            row.extend([shares(m, &layout.names), format!("{}{growing}", m.words)]);
            row
        })
        .collect();
    // Words are aligned left, numbers right.
    s.push_str(&trim_line_ends(&aligned_words(&head, rows, 2)));
    if modes.modes.iter().any(Mode::grows) {
        s.push_str("\nunstable: a motion grows\n");
    }
    if !found.steady.is_rest() {
        s.push_str(&state.table(system));
    }
    Ok(s)
}

/// Pads the last `words` columns on the right, which aligns them left.
fn aligned_words(head: &[String], mut rows: Vec<Vec<String>>, words: usize) -> String {
    let mut head = head.to_vec();
    for i in head.len().saturating_sub(words)..head.len() {
        let width =
            rows.iter().chain([&head]).filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
        for row in rows.iter_mut().chain([&mut head]) {
            if let Some(cell) = row.get_mut(i) {
                *cell = format!("{cell:<width$}");
            }
        }
    }
    aligned(&head, &rows, 0)
}

/// Removes spaces at the ends of lines.
fn trim_line_ends(text: &str) -> String {
    text.lines().map(|l| l.trim_end().to_string() + "\n").collect()
}

/// The modes as JSON; the keys are stable.
pub fn as_json(
    loaded: &Loaded,
    system: &dyn Mechanism,
    state: &Linearised,
    modes: &Modes,
) -> Result<Value, Stop> {
    let found = &state.found;
    let layout = Layout::new(system).map_err(stop)?;
    let axes = precess::analysis::words::Axes::new(system, &found.state);
    let mode = |m: &Mode| {
        let (re, im) = (m.shape.map(|x| x.re), m.shape.map(|x| x.im));
        let shape: Map<String, Value> = layout
            .names
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let (re, im) = (axes.spatial(&layout, i, &re), axes.spatial(&layout, i, &im));
                let [turn_re, move_re] = re;
                let [turn_im, move_im] = im;
                let value = json!({
                    "rotation": { "re": turn_re.as_slice(), "im": turn_im.as_slice() },
                    "translation": { "re": move_re.as_slice(), "im": move_im.as_slice() },
                });
                (name.clone(), value)
            })
            .collect();
        let shares: Map<String, Value> =
            layout.names.iter().cloned().zip(m.shares.iter().map(|x| json!(x))).collect();
        json!({
            "re": m.s.re,
            "im": m.s.im,
            "frequency": m.frequency(),
            "damping": m.damping(),
            "grows": m.grows(),
            "whirl": m.whirl,
            "energy": shares,
            "motion": m.words,
            "shape": shape,
        })
    };
    Ok(json!({
        "model": loaded.model.name,
        "t": found.state.t,
        "state": state.as_json(system),
        "frame": found.steady.frame.name(),
        "frame_rate": found.steady.xi.as_slice(),
        "proof": found.proof,
        "acceleration": found.acceleration,
        "degrees_of_freedom": modes.degrees_of_freedom,
        "rank": modes.rank,
        "available": modes.available,
        "free": modes.free,
        "modes": modes.modes.iter().map(mode).collect::<Vec<_>>(),
    }))
}

fn table(modes: &Modes) -> String {
    let head = ["frequency, Hz", "re, 1/s", "im, 1/s", "damping", "whirl", "motion"].map(String::from);
    let row = |m: &Mode| {
        let numbers = [m.frequency(), m.s.re, m.s.im, m.damping()].map(|x| format!("{x:e}"));
        let words = [m.whirl.map_or(String::new(), |w| format!("{w:e}")), m.words.clone()];
        numbers.into_iter().chain(words).collect()
    };
    csv(&head, modes.modes.iter().map(row))
}
