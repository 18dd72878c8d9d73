//! Linear equations as JSON and as arrays, and their frequency responses.

use std::f64::consts::TAU;

use serde_json::{Value, json};

use crate::analysis::linearised::Linearised;
use crate::analysis::npz::arrays;
use crate::analysis::{Matrix, Modes, StateSpace};
use crate::mechanics::mechanism::Mechanism;
use crate::study::text::csv;

/// The number of states, and the inputs and outputs, as text.
pub fn text(s: &StateSpace, (system, state): (&dyn Mechanism, &Linearised)) -> String {
    let names = |list: &[(String, String)]| {
        list.iter().map(|(name, unit)| format!("{name} ({unit})")).collect::<Vec<_>>().join(", ")
    };
    format!(
        "linear equations with {} states\n  about    {}\n  inputs   {}\n  outputs  {}\n",
        s.a.nrows(),
        state.words(system),
        names(&s.inputs),
        names(&s.outputs)
    )
}

/// Matrices and names, and the state.
pub fn json(s: &StateSpace, (system, state): (&dyn Mechanism, &Linearised)) -> Value {
    let rows = |m: &Matrix| -> Vec<Vec<f64>> { m.row_iter().map(|r| r.iter().copied().collect()).collect() };
    let named = |list: &[(String, String)]| -> Vec<Value> {
        list.iter().map(|(name, unit)| json!({ "name": name, "unit": unit })).collect()
    };
    json!({
        "A": rows(&s.a), "B": rows(&s.b), "C": rows(&s.c), "D": rows(&s.d),
        "states": s.states, "inputs": named(&s.inputs), "outputs": named(&s.outputs),
        "state": state.as_json(system),
    })
}

/// The same as named arrays in an archive of this kind.
pub fn archive(s: &StateSpace, kind: &str) -> Result<Vec<u8>, std::io::Error> {
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

/// Points of a Bode plot.
const BODE_POINTS: usize = 600;

/// Frequencies from a tenth of the lowest to ten times the highest one shown, in Hz.
pub fn frequencies(modes: &Modes) -> Vec<f64> {
    let all = modes.modes.iter().map(|m| m.s.norm() / TAU).filter(|f| *f > 0.0);
    let (low, high) = all.fold((f64::INFINITY, 0.0_f64), |(a, b), f| (a.min(f), b.max(f)));
    let (low, high) = if high > 0.0 { (0.1 * low, 10.0 * high) } else { (0.01, 100.0) };
    (0..BODE_POINTS).map(|i| low * (high / low).powf(i as f64 / (BODE_POINTS - 1) as f64)).collect()
}

/// Every output over every input: name, gain and phase in degrees.
pub fn responses(s: &StateSpace, hz: &[f64]) -> Vec<(String, Vec<f64>, Vec<f64>)> {
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

/// The responses as a table of comma-separated values.
pub fn csv_table(s: &StateSpace, hz: &[f64]) -> String {
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
