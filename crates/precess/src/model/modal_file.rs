//! The neutral file of a modal body: nodes, masses, modes, stiffness and damping as JSON.
//!
//! ```json
//! { "nodes": [[0, 0, 0], [0.5, 0, 0]], "masses": [1, 1],
//!   "modes": [[[0, 0, 0], [0, 1, 0]]], "rotations": [[[0, 0, 0], [0, 0, 2]]],
//!   "stiffness": [[400]], "damping": [[0.1]], "names": { "tip": 1 },
//!   "stiffening": [{ "axis": [0, 0, 1], "matrix": [[1.2]] }] }
//! ```
//!
//! Lengths are in m, masses in kg, everything in the axes of the frame. `modes` and `rotations` have, for
//! each mode, a vector for each node. `stiffness` and `damping` are matrices, or lists for diagonal ones.
//! Everything except nodes, modes, stiffness and mass may be absent.
//!
//! `inertias` has the rotary inertia of each node in kg m^2: `[Jx, Jy, Jz]` or a matrix by rows. A body with
//! all nodes on a line needs it. With `rotations`, the inertia of a node turns with it.
//!
//! The mass is that of the nodes (`masses`), or it is given by `integrals`: `mass`, `s0`, `s1`, `i0`, `i1`,
//! `i2`, `g0`, `g1`, `mff` with the names of `precess_flex::Modal`; then only nodes for attachments are
//! needed. `tension` is stiffening by the tension of a mode: `[{ "mode": 2, "matrix": [[..]] }]`, with modes
//! counted from 0.
//!
//! An `.npz` of numpy has the same names; nested names are written with dots: `integrals.mass`, `names.tip`,
//! `stiffening.0.axis`.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, Vector3};
use precess_flex::{Modal, ModeStiffening, Stiffening};
use serde::Deserialize;
use serde_json::{Value, json};

use super::modal::Shapes;

/// Largest number of values in the modes of a body.
const MOST: usize = 20_000_000;

/// A matrix by rows, or its diagonal.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum MatrixEntry {
    Diagonal(Vec<f64>),
    Full(Vec<Vec<f64>>),
}

impl MatrixEntry {
    fn matrix(&self, what: &str, n: usize) -> Result<DMatrix<f64>, String> {
        let wrong = |found: String| format!("{what} has {found}, the body has {n} modes");
        let matrix = match self {
            MatrixEntry::Diagonal(d) if d.len() == n => DMatrix::from_fn(n, n, |i, j| match i == j {
                true => d.get(i).copied().unwrap_or(0.0),
                false => 0.0,
            }),
            MatrixEntry::Diagonal(d) => return Err(wrong(format!("{} entries", d.len()))),
            MatrixEntry::Full(rows) => {
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
    matrix: MatrixEntry,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensionEntry {
    mode: usize,
    matrix: MatrixEntry,
}

type Rows3 = [[f64; 3]; 3];

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Integrals {
    mass: f64,
    s0: [f64; 3],
    s1: Vec<[f64; 3]>,
    i0: Rows3,
    i1: Vec<Rows3>,
    i2: Vec<Vec<Rows3>>,
    g0: Vec<[f64; 3]>,
    g1: Vec<Vec<[f64; 3]>>,
    mff: MatrixEntry,
}

/// Rotary inertia of all nodes: principal moments about the axes of the frame, or matrices.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum InertiaEntries {
    Principal(Vec<[f64; 3]>),
    Full(Vec<Rows3>),
}

impl InertiaEntries {
    fn matrices(&self) -> Vec<Matrix3<f64>> {
        match self {
            InertiaEntries::Principal(list) => {
                list.iter().map(|j| Matrix3::from_diagonal(&Vector3::from(*j))).collect()
            }
            InertiaEntries::Full(list) => list.iter().map(square).collect(),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    nodes: Vec<[f64; 3]>,
    #[serde(default)]
    masses: Vec<f64>,
    #[serde(default)]
    inertias: Option<InertiaEntries>,
    #[serde(default)]
    integrals: Option<Integrals>,
    modes: Vec<Vec<[f64; 3]>>,
    #[serde(default)]
    rotations: Option<Vec<Vec<[f64; 3]>>>,
    stiffness: MatrixEntry,
    #[serde(default)]
    damping: Option<MatrixEntry>,
    #[serde(default)]
    names: BTreeMap<String, usize>,
    #[serde(default)]
    stiffening: Vec<StiffeningEntry>,
    #[serde(default)]
    tension: Vec<TensionEntry>,
    /// Origin of the file; not read.
    #[serde(default)]
    #[allow(dead_code)]
    comment: Option<String>,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct ModalFile {
    /// Nodes and modes; without masses if the integrals are given.
    pub shapes: Shapes,
    /// Integrals, stiffness, damping and stiffening.
    pub data: Modal,
    /// Names of nodes.
    pub names: BTreeMap<String, usize>,
}

fn vectors(list: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    list.iter().map(|x| Vector3::from(*x)).collect()
}

fn square(rows: &Rows3) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| rows.get(i).and_then(|r| r.get(j)).copied().unwrap_or(f64::NAN))
}

impl Integrals {
    fn modal(&self, shapes: &Shapes) -> Result<Modal, String> {
        let n = shapes.modes.len();
        let rows = [("i2", self.i2.iter().map(Vec::len).collect::<Vec<_>>())];
        for (what, list) in rows.into_iter().chain([("g1", self.g1.iter().map(Vec::len).collect())]) {
            if list.len() != n || list.iter().any(|l| *l != n) {
                return Err(format!(
                    "integrals.{what} must have {n} rows with {n} entries, one for each pair of modes"
                ));
            }
        }
        Ok(Modal {
            mass: self.mass,
            s0: self.s0.into(),
            s1: vectors(&self.s1),
            i0: square(&self.i0),
            i1: self.i1.iter().map(square).collect(),
            i2: self.i2.concat().iter().map(square).collect(),
            g0: vectors(&self.g0),
            g1: vectors(&self.g1.concat()),
            mff: self.mff.matrix("integrals.mff", n)?,
            stiffness: shapes.stiffness.clone(),
            damping: shapes.damping.clone(),
            stiffening: Vec::new(),
            by_modes: Vec::new(),
        })
    }
}

/// Reads a file; the error describes the problem.
pub fn read(bytes: &[u8]) -> Result<ModalFile, String> {
    let content: Content = if bytes.starts_with(b"PK") {
        serde_json::from_value(super::modal_npz::value(bytes)?).map_err(|e| e.to_string())?
    } else {
        serde_json::from_slice(bytes).map_err(|e| e.to_string())?
    };
    let n = content.modes.len();
    if n.saturating_mul(content.nodes.len()) > MOST {
        return Err(format!("{n} modes of {} nodes are too many", content.nodes.len()));
    }
    if n == 0 {
        return Err("there are no modes; a body without any is rigid".to_string());
    }
    let shapes = shapes(&content, n)?;
    if let Some((name, i)) = content.names.iter().find(|(_, i)| **i >= shapes.nodes.len()) {
        return Err(format!("name '{name}' stands for node {i}, there are {}", shapes.nodes.len()));
    }
    let mut data = match (&content.integrals, content.masses.is_empty()) {
        (Some(_), false) => return Err("masses and integrals are given, one of them is enough".to_string()),
        (Some(_), true) if !shapes.inertias.is_empty() => {
            return Err(
                "inertias and integrals are given; i0, g0 and mff contain the inertia of nodes".to_string()
            );
        }
        (Some(integrals), true) => integrals.modal(&shapes)?,
        (None, true) => return Err("there are neither masses nor integrals".to_string()),
        (None, false) => shapes.modal().map_err(|e| e.to_string())?,
    };
    for entry in &content.stiffening {
        let axis = Vector3::from(entry.axis).try_normalize(0.0);
        let axis = axis.ok_or("an axis of stiffening has no direction")?;
        data.stiffening.push(Stiffening { axis, matrix: entry.matrix.matrix("stiffening", n)? });
    }
    for entry in &content.tension {
        if entry.mode >= n {
            return Err(format!("tension of mode {}, there are modes 0 to {}", entry.mode, n - 1));
        }
        data.by_modes.push(ModeStiffening { mode: entry.mode, matrix: entry.matrix.matrix("tension", n)? });
    }
    data.check().map_err(|e| e.to_string())?;
    Ok(ModalFile { shapes, data, names: content.names })
}

fn shapes(content: &Content, n: usize) -> Result<Shapes, String> {
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
        inertias: content.inertias.as_ref().map(InertiaEntries::matrices).unwrap_or_default(),
        modes: lists("modes", &content.modes)?,
        rotations,
        stiffness: content.stiffness.matrix("stiffness", n)?,
        damping: content.damping.as_ref().map_or(Ok(zeros), |d| d.matrix("damping", n))?,
    };
    let turns = shapes.rotations.iter().flatten().flatten();
    let numbers = shapes.nodes.iter().chain(shapes.modes.iter().flatten()).chain(turns);
    if numbers.flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
        return Err("a node or a mode has an entry that is not finite".to_string());
    }
    Ok(shapes)
}

fn rows(m: &DMatrix<f64>) -> Value {
    json!((0..m.nrows()).map(|i| m.row(i).iter().copied().collect::<Vec<_>>()).collect::<Vec<_>>())
}

fn rows3(m: &Matrix3<f64>) -> Value {
    json!([0, 1, 2].map(|i| [0, 1, 2].map(|j| m[(i, j)])))
}

fn triple(x: &Vector3<f64>) -> [f64; 3] {
    [x.x, x.y, x.z]
}

fn triples(list: &[Vector3<f64>]) -> Vec<[f64; 3]> {
    list.iter().map(triple).collect()
}

/// The JSON text of a body, with its integrals; `comment` gives its origin.
pub fn write(file: &ModalFile, comment: &str) -> String {
    let (m, shapes) = (&file.data, &file.shapes);
    let n = m.modes();
    let pairs = |f: &dyn Fn(usize) -> Value| -> Vec<Vec<Value>> {
        (0..n).map(|k| (0..n).map(|l| f(k * n + l)).collect()).collect()
    };
    let mut object = json!({
        "comment": comment,
        "nodes": triples(&shapes.nodes),
        "modes": shapes.modes.iter().map(|m| triples(m)).collect::<Vec<_>>(),
        "stiffness": rows(&m.stiffness),
        "damping": rows(&m.damping),
        "names": file.names,
        "integrals": {
            "mass": m.mass,
            "s0": triple(&m.s0),
            "s1": triples(&m.s1),
            "i0": rows3(&m.i0),
            "i1": m.i1.iter().map(rows3).collect::<Vec<_>>(),
            "i2": pairs(&|i| m.i2.get(i).map_or(Value::Null, rows3)),
            "g0": triples(&m.g0),
            "g1": pairs(&|i| m.g1.get(i).map_or(Value::Null, |x| json!(triple(x)))),
            "mff": rows(&m.mff),
        },
    });
    let mut more = serde_json::Map::new();
    if let Some(turns) = &shapes.rotations {
        more.insert("rotations".into(), json!(turns.iter().map(|m| triples(m)).collect::<Vec<_>>()));
    }
    if !m.stiffening.is_empty() {
        let entry = |s: &Stiffening| json!({ "axis": triple(&s.axis), "matrix": rows(&s.matrix) });
        more.insert("stiffening".into(), m.stiffening.iter().map(entry).collect());
    }
    if !m.by_modes.is_empty() {
        let entry = |s: &ModeStiffening| json!({ "mode": s.mode, "matrix": rows(&s.matrix) });
        more.insert("tension".into(), m.by_modes.iter().map(entry).collect());
    }
    if let Some(object) = object.as_object_mut() {
        object.extend(more);
    }
    format!("{object}\n")
}
