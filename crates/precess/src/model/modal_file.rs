//! The neutral file of a modal body: nodes, masses, modes, stiffness and damping as JSON.
//!
//! ```json
//! { "nodes": [[0, 0, 0], [0.5, 0, 0]], "masses": [1, 1],
//!   "modes": [[[0, 0, 0], [0, 1, 0]]], "rotations": [[[0, 0, 0], [0, 0, 2]]],
//!   "stiffness": [[400]], "damping": [[0.1]], "names": { "tip": 1 },
//!   "stiffening": [{ "axis": [0, 0, 1], "matrix": [[1.2]] }] }
//! ```
//!
//! Lengths in m, masses in kg, everything in the axes of the frame. `modes` and `rotations` have, for each mode, a vector for each
//! node. `stiffness` and `damping` are matrices, or lists for diagonal ones. All but nodes, masses, modes and stiffness may be absent.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Vector3};
use precess_flex::Stiffening;
use serde::Deserialize;

use super::modal::Shapes;

/// Most numbers in the modes of a body.
const MOST: usize = 20_000_000;

/// A matrix by rows, or its diagonal.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Rows {
    Diagonal(Vec<f64>),
    Full(Vec<Vec<f64>>),
}

impl Rows {
    fn matrix(&self, what: &str, n: usize) -> Result<DMatrix<f64>, String> {
        let wrong = |found: String| format!("{what} has {found}, the body has {n} modes");
        let matrix = match self {
            Rows::Diagonal(d) if d.len() == n => DMatrix::from_fn(n, n, |i, j| match i == j {
                true => d.get(i).copied().unwrap_or(0.0),
                false => 0.0,
            }),
            Rows::Diagonal(d) => return Err(wrong(format!("{} entries", d.len()))),
            Rows::Full(rows) => {
                if rows.len() != n || rows.iter().any(|r| r.len() != n) {
                    return Err(wrong(format!("{} rows, or rows of another length", rows.len())));
                }
                DMatrix::from_row_iterator(n, n, rows.iter().flatten().copied())
            }
        };
        if matrix.iter().any(|x| !x.is_finite()) {
            return Err(format!("{what} has an entry that is not finite"));
        }
        Ok(matrix)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StiffeningEntry {
    axis: [f64; 3],
    matrix: Rows,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    nodes: Vec<[f64; 3]>,
    masses: Vec<f64>,
    modes: Vec<Vec<[f64; 3]>>,
    #[serde(default)]
    rotations: Option<Vec<Vec<[f64; 3]>>>,
    stiffness: Rows,
    #[serde(default)]
    damping: Option<Rows>,
    #[serde(default)]
    names: BTreeMap<String, usize>,
    #[serde(default)]
    stiffening: Vec<StiffeningEntry>,
    /// Where the file comes from; not read.
    #[serde(default)]
    #[allow(dead_code)]
    comment: Option<String>,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct ModalFile {
    /// Nodes, masses and modes.
    pub shapes: Shapes,
    /// Names of nodes.
    pub names: BTreeMap<String, usize>,
    /// Geometric stiffening.
    pub stiffening: Vec<Stiffening>,
}

/// Reads the text of a file; the error says what is wrong with it.
pub fn read(text: &str) -> Result<ModalFile, String> {
    let content: Content = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let n = content.modes.len();
    if n.saturating_mul(content.nodes.len()) > MOST {
        return Err(format!("{n} modes of {} nodes are too many", content.nodes.len()));
    }
    if n == 0 {
        return Err("there are no modes; a body without any is rigid".to_string());
    }
    let vectors = |list: &[[f64; 3]]| list.iter().map(|x| Vector3::from(*x)).collect::<Vec<_>>();
    let lists = |what: &str, list: &[Vec<[f64; 3]>]| {
        if list.len() != n || list.iter().any(|m| m.len() != content.nodes.len()) {
            return Err(format!(
                "{what} must have {n} modes with {} vectors each, one for each node",
                content.nodes.len()
            ));
        }
        Ok(list.iter().map(|m| vectors(m)).collect::<Vec<_>>())
    };
    let rotations = content.rotations.as_ref().map(|r| lists("rotations", r)).transpose()?;
    let zeros = DMatrix::zeros(n, n);
    let shapes = Shapes {
        nodes: vectors(&content.nodes),
        masses: content.masses.clone(),
        modes: lists("modes", &content.modes)?,
        rotations,
        stiffness: content.stiffness.matrix("stiffness", n)?,
        damping: content.damping.as_ref().map_or(Ok(zeros), |d| d.matrix("damping", n))?,
    };
    let numbers = shapes.nodes.iter().chain(shapes.modes.iter().flatten());
    if numbers.flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
        return Err("a node or a mode has an entry that is not finite".to_string());
    }
    if let Some((name, i)) = content.names.iter().find(|(_, i)| **i >= shapes.nodes.len()) {
        return Err(format!("name '{name}' stands for node {i}, there are {}", shapes.nodes.len()));
    }
    let mut stiffening = Vec::new();
    for entry in &content.stiffening {
        let axis = Vector3::from(entry.axis).try_normalize(0.0);
        let axis = axis.ok_or("an axis of stiffening has no direction")?;
        stiffening.push(Stiffening { axis, matrix: entry.matrix.matrix("stiffening", n)? });
    }
    Ok(ModalFile { shapes, names: content.names, stiffening })
}
