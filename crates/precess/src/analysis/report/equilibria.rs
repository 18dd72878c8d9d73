//! Equilibria over a parameter as text, as JSON and as a table.

use serde_json::{Map, Value, json};

use super::short;
use crate::analysis::AnalysisError;
use crate::analysis::equilibria::{Equilibria, Rest};
use crate::study::text::{aligned, csv};

fn head(name: &str, all: &Equilibria) -> Vec<String> {
    let columns = std::iter::once(name).chain(all.columns.iter().map(String::as_str));
    columns.chain(["lowest omega^2, 1/s^2", "stability"]).map(String::from).collect()
}

fn cells(
    all: &Equilibria,
    (value, found): &(f64, Result<Rest, AnalysisError>),
    digits: &dyn Fn(f64) -> String,
) -> Vec<String> {
    let mut row = vec![digits(*value)];
    match found {
        Ok(f) => {
            row.extend(f.values.iter().map(|x| digits(*x)));
            row.extend([f.lowest.map_or(String::new(), digits), f.stability.to_string()]);
        }
        Err(e) => {
            row.extend(all.columns.iter().map(|_| String::new()));
            row.extend([String::new(), e.to_string()]);
        }
    }
    row
}

/// The equilibria as text; `name` is the parameter.
pub fn text(name: &str, all: &Equilibria) -> String {
    let rows: Vec<Vec<String>> = all.rows.iter().map(|row| cells(all, row, &short)).collect();
    aligned(&head(name, all), &rows, 0)
}

/// The equilibria as a table of comma-separated values.
pub fn csv_table(name: &str, all: &Equilibria) -> String {
    csv(&head(name, all), all.rows.iter().map(|row| cells(all, row, &|x| format!("{x:e}"))))
}

/// The equilibria as JSON; the keys are stable.
pub fn json(name: &str, all: &Equilibria) -> Value {
    let row = |(value, found): &(f64, Result<Rest, AnalysisError>)| {
        let mut object = Map::new();
        object.insert(name.to_string(), json!(value));
        match found {
            Ok(f) => {
                object.extend(all.columns.iter().cloned().zip(f.values.iter().map(|x| json!(x))));
                object.insert("lowest_kappa".into(), json!(f.lowest));
                object.insert("stability".into(), json!(f.stability));
            }
            Err(e) => {
                object.insert("error".into(), json!(e.to_string()));
            }
        }
        Value::Object(object)
    };
    json!({ "parameter": name, "rows": all.rows.iter().map(row).collect::<Vec<_>>() })
}
