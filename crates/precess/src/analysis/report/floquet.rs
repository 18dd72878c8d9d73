//! Multipliers of a period as text, as JSON and as a table.

use std::fmt::Write;

use serde_json::{Value, json};

use super::short;
use crate::analysis::Complex;
use crate::analysis::floquet::Floquet;
use crate::study::text::{aligned, csv};

/// The multipliers as text.
pub fn text(name: &str, f: &Floquet) -> String {
    let mut s = format!("{name}: multipliers of a period of {} s\n", short(f.period));
    let n = f.degrees_of_freedom;
    let freedom = if n == 1 { "degree" } else { "degrees" };
    let _ = writeln!(s, "{n} {freedom} of freedom, multipliers to {:.1e}", f.uncertainty);
    if f.corrections > 0 {
        let _ = writeln!(
            s,
            "positions and velocities were corrected {} times, until the motion closed within {:.1e}",
            f.corrections, f.gap
        );
    }
    s.push('\n');
    let head = ["|mu|", "mu, re", "mu, im", "decay, 1/s", "f, Hz", ""].map(String::from);
    let rows = f.multipliers.iter().zip(f.exponents()).filter(|(m, _)| m.im >= 0.0).map(|(m, e)| {
        let grows = if m.norm() > 1.0 + f.tolerance() { "grows" } else { "" };
        vec![
            format!("{:.6}", m.norm()),
            format!("{:.6}", m.re).replace("-0.000000", "0.000000"),
            format!("{:.6}", m.im),
            short(-e.re),
            short(e.im / std::f64::consts::TAU),
            grows.to_string(),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    s.push_str(
        &aligned(&head, &rows, 0).lines().map(|l| l.trim_end().to_string() + "\n").collect::<String>(),
    );
    let _ = writeln!(
        s,
        "\n{}; frequencies are those between 0 and {} Hz, or multiples of {} Hz away from them",
        if f.grows() { "unstable: a deviation grows" } else { "stable: no deviation grows" },
        short(0.5 / f.period),
        short(1.0 / f.period)
    );
    s
}

/// The multipliers as JSON; the keys are stable.
pub fn json(name: &str, f: &Floquet) -> Value {
    let pair = |z: &Complex| json!({ "re": z.re, "im": z.im });
    json!({
        "model": name,
        "period": f.period,
        "multipliers": f.multipliers.iter().map(pair).collect::<Vec<_>>(),
        "exponents": f.exponents().iter().map(pair).collect::<Vec<_>>(),
        "uncertainty": f.uncertainty,
        "gap": f.gap,
        "corrections": f.corrections,
        "grows": f.grows(),
        "degrees_of_freedom": f.degrees_of_freedom,
    })
}

/// The multipliers as a table of comma-separated values.
pub fn csv_table(f: &Floquet) -> String {
    let head = ["|mu|", "mu re", "mu im", "s re, 1/s", "s im, 1/s"].map(String::from);
    let rows = f.multipliers.iter().zip(f.exponents());
    csv(&head, rows.map(|(m, e)| [m.norm(), m.re, m.im, e.re, e.im].map(|x| format!("{x:e}")).to_vec()))
}
