//! Starting values of BLieDF from a file of results: q, v, v' and lambda at the first k + 1 times, or k as
//! in (21).

use std::path::Path;

use super::results::{Column, Results, decode};
use crate::Error;
use crate::mechanics::{State, System};

/// Largest deviation of times, relative to a step.
const SAME_TIME: f64 = 1e-6;

/// The states at t, t + h, ..., t + k h; without the last one if the file ends before it.
pub(super) fn states(
    (name, bytes): (&str, &[u8]),
    system: &dyn System,
    first: &State,
    k: usize,
    h: f64,
) -> Result<Vec<State>, Error> {
    let wrong = |reason: String| Error::Input { message: format!("integrator.history: '{name}': {reason}") };
    let results = decode(Path::new(name), bytes).map_err(|e| wrong(e.to_string()))?;
    if system.n_s() > 0 {
        return Err(wrong("results do not hold algebraic variables; leave history out".to_string()));
    }
    let column = |name: &str, length: usize| -> Result<&Column, Error> {
        let found = results.column(name).filter(|_| length > 0);
        match found {
            Some(c) if c.parts.len() == length => Ok(c),
            Some(c) => Err(wrong(format!(
                "{name} has {} entries and this model in these coordinates {length}",
                c.parts.len()
            ))),
            None => Err(wrong(format!("there is no column {name}"))),
        }
    };
    let (k_v, m) = (system.group().dim(), system.n_lambda());
    let (q, v, vdot) = (column("q", system.group().repr())?, column("v", k_v)?, column("vdot", k_v)?);
    let lambda = if m > 0 { Some(column("lambda", m)?) } else { None };
    let mut list: Vec<State> = Vec::with_capacity(k + 1);
    for j in 0..=k {
        let t = first.t + j as f64 * h;
        let row = match row_at(&results, t, SAME_TIME * h) {
            Some(row) => row,
            None if j == k => break,
            None => {
                let reason = format!("there is no row at t = {t:.6e} s; {k} rows {h:.3e} s apart are needed");
                return Err(wrong(reason));
            }
        };
        let mut state = State { t, ..list.last().unwrap_or(first).clone() };
        state.q.copy_from_slice(q.row(row));
        state.v.copy_from_slice(v.row(row));
        state.vdot.copy_from_slice(vdot.row(row));
        if let Some(lambda) = lambda {
            state.lambda.copy_from_slice(lambda.row(row));
        }
        system.group().check(&state.q).map_err(|e| wrong(format!("q at t = {t:.6e} s: {e}")))?;
        state.remember(system);
        list.push(state);
    }
    Ok(list)
}

fn row_at(results: &Results, t: f64, tolerance: f64) -> Option<usize> {
    results.t().iter().position(|x| (x - t).abs() <= tolerance)
}
