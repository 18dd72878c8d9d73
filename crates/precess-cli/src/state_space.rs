//! The linear equations of `precess modes` as matrices, and their frequency responses.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::f64::consts::TAU;

use precess::analysis::Modes;
use precess::analysis::driven_input::{DriveInput, with_drive};
use precess::analysis::inputs::increased;
use precess::analysis::npz::arrays;
use precess::analysis::state_space::{Input, StateSpace};
use precess::analysis::steady::Found;
use precess::formulation::Formulation;
use precess::mechanics::mechanism::Mechanism;
use precess::model::{Built, Loaded};
use precess::study::text::csv;
use precess_view::plot::{Axis, Figure, Legend, Panel, Series};
use serde_json::{Value, json};

use crate::args;
use crate::files::Target;
use crate::linearised_state::Linearised;
use crate::output::{Stop, print, wrong};
use crate::subject::{Reader, render, stop};

/// Points of a Bode plot.
const BODE_POINTS: usize = 600;

/// Opens the requested files, before anything is computed.
pub fn targets(args: &args::Modes) -> Result<Vec<Target>, Stop> {
    if args.input.is_empty() && (args.state_space.is_some() || !args.bode.is_empty()) {
        return Err(wrong(
            "a state space needs inputs\n  help: add --input with a joint, an actuator, or FORCE.x",
        ));
    }
    let matrices = args.state_space.iter().map(|f| Target::open(f, &["json", "npz", "mat"]));
    let pictures = args.bode.iter().map(|f| Target::open(f, &["svg", "html", "png", "csv"]));
    matrices.chain(pictures).collect()
}

/// The linear equations with the requested inputs and outputs.
pub fn matrices(
    args: &args::Modes,
    reader: &Reader,
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
) -> Result<Option<StateSpace>, Stop> {
    if args.input.is_empty() {
        return Ok(None);
    }
    let which = (reader.formulation(), &args.input[..], &args.output[..]);
    space(which, (loaded, built), (found, modes)).map(Some)
}

/// The linear equations in a formulation, with inputs and outputs by name.
pub fn space(
    (formulation, names, outputs): (Formulation, &[String], &[String]),
    (loaded, built): (&Loaded, &Built),
    (found, modes): (&Found, &Modes),
) -> Result<StateSpace, Stop> {
    let drive = |name: &String| DriveInput::new(&loaded.model, formulation, name);
    let more = names
        .iter()
        .filter(|name| drive(name).is_none())
        .map(|name| increased(&loaded.model, formulation, name).map_err(stop))
        .collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<Input> = more
        .iter()
        .map(|m| Input { name: m.name.clone(), unit: m.unit, size: 1.0, system: &*m.built.system })
        .collect();
    let Some(linear) = &modes.linear else {
        return Err(wrong(
            "the state space of a model of this size is not formed\n  help: make the model smaller",
        ));
    };
    let mut space = StateSpace::new(&*built.system, found, linear, &inputs, outputs).map_err(stop)?;
    // Drives come after forces.
    for drive in names.iter().filter_map(drive) {
        space = with_drive(space, &*built.system, (found, linear), &drive, outputs).map_err(stop)?;
    }
    Ok(space)
}

/// Writes matrices and responses.
pub fn write(
    args: &args::Modes,
    space: Option<StateSpace>,
    state: (&dyn Mechanism, &Linearised),
    modes: &Modes,
    targets: Vec<Target>,
) -> Result<(), Stop> {
    let Some(space) = space else { return Ok(()) };
    for target in targets {
        let kind = target.kind.clone();
        let content = match kind.as_str() {
            "json" => format!("{:#}\n", as_json(&space, state)).into_bytes(),
            kind @ ("npz" | "mat") => {
                archive(&space, kind).map_err(|e| wrong(format!("cannot write the archive: {e}")))?
            }
            "csv" => table(&space, &frequencies(modes)).into_bytes(),
            kind => render(&figure(&space, &frequencies(modes)), kind)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    Ok(())
}

/// Matrices and names, and the state.
pub fn as_json(s: &StateSpace, (system, state): (&dyn Mechanism, &Linearised)) -> Value {
    let rows = |m: &precess::analysis::Matrix| -> Vec<Vec<f64>> {
        m.row_iter().map(|r| r.iter().copied().collect()).collect()
    };
    let named = |list: &[(String, String)]| -> Vec<Value> {
        list.iter().map(|(name, unit)| json!({ "name": name, "unit": unit })).collect()
    };
    json!({
        "A": rows(&s.a), "B": rows(&s.b), "C": rows(&s.c), "D": rows(&s.d),
        "states": s.states, "inputs": named(&s.inputs), "outputs": named(&s.outputs),
        "state": state.as_json(system),
    })
}

fn archive(s: &StateSpace, kind: &str) -> Result<Vec<u8>, std::io::Error> {
    let mut file = arrays(kind);
    for (name, m) in [("A", &s.a), ("B", &s.b), ("C", &s.c), ("D", &s.d)] {
        file.matrix(name, m)?;
    }
    let first = |list: &[(String, String)]| -> Vec<String> { list.iter().map(|x| x.0.clone()).collect() };
    let second = |list: &[(String, String)]| -> Vec<String> { list.iter().map(|x| x.1.clone()).collect() };
    file.texts("states", &s.states)?;
    file.texts("inputs", &first(&s.inputs))?;
    file.texts("input_units", &second(&s.inputs))?;
    file.texts("outputs", &first(&s.outputs))?;
    file.texts("output_units", &second(&s.outputs))?;
    file.finish()
}

/// Frequencies from a tenth of the lowest to ten times the highest one shown, in Hz.
fn frequencies(modes: &Modes) -> Vec<f64> {
    let all = modes.modes.iter().map(|m| m.s.norm() / TAU).filter(|f| *f > 0.0);
    let (low, high) = all.fold((f64::INFINITY, 0.0_f64), |(a, b), f| (a.min(f), b.max(f)));
    let (low, high) = if high > 0.0 { (0.1 * low, 10.0 * high) } else { (0.01, 100.0) };
    (0..BODE_POINTS).map(|i| low * (high / low).powf(i as f64 / (BODE_POINTS - 1) as f64)).collect()
}

/// Every output over every input: name, gain and phase in degrees.
fn responses(s: &StateSpace, hz: &[f64]) -> Vec<(String, Vec<f64>, Vec<f64>)> {
    let all: Vec<_> = hz.iter().map(|f| s.transfer(TAU * f)).collect();
    let mut list = Vec::new();
    for (i, (output, unit)) in s.outputs.iter().enumerate() {
        for (j, (input, per)) in s.inputs.iter().enumerate() {
            let values = all.iter().map(|m| m.as_ref().and_then(|m| m.get((i, j)).copied()));
            let (gain, phase) =
                values.map(|v| v.map_or((f64::NAN, f64::NAN), |v| (v.norm(), v.arg().to_degrees()))).unzip();
            list.push((format!("{output} over {input}, {unit}/({per})"), gain, phase));
        }
    }
    list
}

fn table(s: &StateSpace, hz: &[f64]) -> String {
    let responses = responses(s, hz);
    let mut head = vec!["frequency, Hz".to_string()];
    for (name, _, _) in &responses {
        head.extend([format!("|{name}|"), format!("phase of {name}, deg")]);
    }
    let row = |(k, f): (usize, &f64)| {
        let mut row = vec![format!("{f:e}")];
        for (_, gain, phase) in &responses {
            let at = |list: &[f64]| list.get(k).map_or(String::new(), |x| format!("{x:e}"));
            row.extend([at(gain), at(phase)]);
        }
        row
    };
    csv(&head, hz.iter().enumerate().map(row))
}

/// Gain above, phase below. Values below rounding errors are left out.
fn figure(s: &StateSpace, hz: &[f64]) -> Figure {
    let mut responses = responses(s, hz);
    let largest = |list: &[f64]| list.iter().copied().filter(|x| x.is_finite()).fold(0.0, f64::max);
    let all = responses.iter().map(|r| largest(&r.1)).fold(0.0, f64::max);
    responses.retain(|r| largest(&r.1) > 1e-9 * all);
    let mut gain = Panel::new("").x(Axis::log("frequency", "Hz")).y(Axis::log("gain", ""));
    let mut phase =
        Panel::new("").x(Axis::log("frequency", "Hz")).y(Axis::linear("phase", "deg").range(-190.0, 190.0));
    for (i, (name, size, angle)) in responses.into_iter().enumerate() {
        gain = gain.series(Series::line(name, hz.to_vec(), size).colour(i));
        phase = phase.series(Series::line("", hz.to_vec(), angle).colour(i));
    }
    Figure::new("").panel(gain).panel(phase).legend(Legend::Above).panel_size(720.0, 320.0)
}
