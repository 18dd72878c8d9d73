//! Modes as text, as JSON, as a table and as arrays.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{LISTED, not_written, short};
use crate::analysis::found::Found;
use crate::analysis::linearised::Linearised;
use crate::analysis::local::Layout;
use crate::analysis::modes::Mode;
use crate::analysis::npz::arrays;
use crate::analysis::{AnalysisError, Matrix, Modes};
use crate::mechanics::mechanism::Mechanism;
use crate::model::Loaded;
use crate::study::text::{aligned, csv};

/// Eigenvalues, shapes and energies as arrays.
pub fn archive(system: &dyn Mechanism, modes: &Modes, kind: &str) -> Result<Vec<u8>, AnalysisError> {
    let layout = Layout::new(system)?;
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
    Ok(all().map_err(not_written)?)
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
) -> Result<String, AnalysisError> {
    let (layout, found) = (Layout::new(system)?, &state.found);
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
        let _ = writeln!(s, "free: {} more, listed in the data", modes.free.len() - LISTED);
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
pub fn json(
    loaded: &Loaded,
    system: &dyn Mechanism,
    state: &Linearised,
    modes: &Modes,
) -> Result<Value, AnalysisError> {
    let (layout, found) = (Layout::new(system)?, &state.found);
    let axes = crate::analysis::words::Axes::new(system, &found.state);
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

/// The modes as a table of comma-separated values.
pub fn csv_table(modes: &Modes) -> String {
    let head = ["frequency, Hz", "re, 1/s", "im, 1/s", "damping", "whirl", "motion"].map(String::from);
    let row = |m: &Mode| {
        let numbers = [m.frequency(), m.s.re, m.s.im, m.damping()].map(|x| format!("{x:e}"));
        let words = [m.whirl.map_or(String::new(), |w| format!("{w:e}")), m.words.clone()];
        numbers.into_iter().chain(words).collect()
    };
    csv(&head, modes.modes.iter().map(row))
}
