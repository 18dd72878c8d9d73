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
//! `i2`, `g0`, `g1`, `mff` with the names of `precess_engine::flex::Modal`; then only nodes for attachments are
//! needed. `tension` is stiffening by the tension of a mode: `[{ "mode": 2, "matrix": [[..]] }]`, with modes
//! counted from 0.
//!
//! `geometric` has the geometric stiffness of unit loads ([`UNIT_LOADS`]): accelerations of the frame minus
//! gravity `a1`, `a2`, `a3`, angular accelerations `al1`, `al2`, `al3`, and products of the angular velocity
//! `w11`, `w22`, `w33`, `w12`, `w23`, `w31`. The load of `w12` contains both products, 12 and 21. What is
//! absent counts as zero. `geometric.shifts` and `geometric.turns` have the second-order displacements and
//! rotations `W_kl` of the nodes: for each pair of modes a vector for each node. With `masses` and `shifts`,
//! the twelve matrices are computed.
//!
//! An `.npz` of numpy has the same names; nested names are written with dots: `integrals.mass`, `names.tip`,
//! `stiffening.0.axis`. Files of standard input data (`modal_sid`) are read as well.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, Vector3};
use precess_engine::flex::{Geometric, Modal, ModeStiffening, SecondOrder, Stiffening, UNIT_LOADS};
use serde_json::{Value, json};

use super::modal::Shapes;
use super::modal_arrays::{Array, Arrays};

/// Largest number of values in the modes of a body.
const MOST: usize = 20_000_000;

/// The keys of a file.
const KEYS: [&str; 13] = [
    "nodes",
    "masses",
    "inertias",
    "integrals",
    "modes",
    "rotations",
    "stiffness",
    "damping",
    "names",
    "stiffening",
    "tension",
    "geometric",
    "comment",
];

/// The keys of the integrals.
const INTEGRALS: [&str; 9] = ["mass", "s0", "s1", "i0", "i1", "i2", "g0", "g1", "mff"];

/// Largest asymmetry of geometric stiffness, relative to its largest entry.
const SYMMETRY: f64 = 1e-6;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct ModalFile {
    /// Nodes and modes; without masses if the integrals are given.
    pub shapes: Shapes,
    /// Integrals, stiffness, damping and stiffening.
    pub data: Modal,
    /// Names of nodes.
    pub names: BTreeMap<String, usize>,
    /// Second-order motion of all nodes; empty if the file does not give it.
    pub second: Vec<SecondOrder>,
    /// What the user should know about the file.
    pub remark: Option<String>,
}

/// Reads a file; the error describes the problem.
pub fn read(bytes: &[u8]) -> Result<ModalFile, String> {
    if super::modal_sid::is_sid(bytes) {
        return super::modal_sid::read(bytes);
    }
    let mut arrays = match bytes.starts_with(b"PK") {
        true => super::modal_npz::arrays(bytes)?,
        false => Arrays::from_json(bytes)?,
    };
    let modes = arrays.need("modes")?;
    let n = modes.shape.first().copied().unwrap_or(0);
    if modes.numbers.len() / 3 > MOST || n.saturating_mul(n) > MOST {
        return Err(format!("{n} modes with {} vectors are too many", modes.numbers.len() / 3));
    }
    if n == 0 {
        return Err("there are no modes; a body without any is rigid".to_string());
    }
    let shapes = shapes(&mut arrays, &modes, n)?;
    let mut names = BTreeMap::new();
    for (name, node) in arrays.take_group("names").0 {
        let i = node.index(&format!("names.{name}"))?;
        if i >= shapes.nodes.len() {
            return Err(format!("name '{name}' stands for node {i}, there are {}", shapes.nodes.len()));
        }
        names.insert(name, i);
    }
    let mut integrals = arrays.take_group("integrals");
    let mut data = match (integrals.0.is_empty(), shapes.masses.is_empty()) {
        (false, false) => return Err("masses and integrals are given, one of them is enough".to_string()),
        (false, true) if !shapes.inertias.is_empty() => {
            return Err(
                "inertias and integrals are given; i0, g0 and mff contain the inertia of nodes".to_string()
            );
        }
        (false, true) => modal(&mut integrals, &shapes)?,
        (true, true) => return Err("there are neither masses nor integrals".to_string()),
        (true, false) => shapes.modal().map_err(|e| e.to_string())?,
    };
    for mut entry in arrays.take_list("stiffening") {
        let axis = entry.need("axis")?.vector("an axis of stiffening")?.try_normalize(0.0);
        let axis = axis.ok_or("an axis of stiffening has no direction")?;
        data.stiffening.push(Stiffening { axis, matrix: entry.need("matrix")?.matrix("stiffening", n)? });
        entry.finish("key of stiffening", &["axis", "matrix"])?;
    }
    for mut entry in arrays.take_list("tension") {
        let mode = entry.need("mode")?.index("the mode of a tension")?;
        if mode >= n {
            return Err(format!("tension of mode {mode}, there are modes 0 to {}", n - 1));
        }
        data.by_modes.push(ModeStiffening { mode, matrix: entry.need("matrix")?.matrix("tension", n)? });
        entry.finish("key of tension", &["mode", "matrix"])?;
    }
    let mut geometric = arrays.take_group("geometric");
    let second = second_order(&mut geometric, &shapes)?;
    data.geometric = loads(&mut geometric, &shapes, &second)?;
    geometric.finish("key of geometric", &[&UNIT_LOADS[..], &["shifts", "turns"]].concat())?;
    if data.geometric.is_some() && !data.stiffening.is_empty() {
        return Err(
            "stiffening and geometric are given; geometric contains the stiffening by rotation".into()
        );
    }
    arrays.finish("key", &KEYS)?;
    data.check().map_err(|e| e.to_string())?;
    let remark = data.turn_sign();
    Ok(ModalFile { shapes, data, names, second, remark })
}

/// Second-order motion of the nodes, in the order of the nodes.
fn second_order(geometric: &mut Arrays, shapes: &Shapes) -> Result<Vec<SecondOrder>, String> {
    let (n, count) = (shapes.modes.len(), shapes.nodes.len());
    let mut take = |key: &str| {
        let Some(array) = geometric.take(key) else { return Ok(None) };
        if array.shape != [n, n, count, 3] {
            return Err(format!("geometric.{key} must have {n} times {n} lists of {count} vectors"));
        }
        let all = array.vectors(&format!("geometric.{key}"))?;
        let entry = |k: usize, l: usize, i: usize| all.get((k * n + l) * count + i).copied();
        let size = all.iter().fold(0.0, |a: f64, x| if x.amax() <= a { a } else { x.amax() });
        let even = |k: usize, l: usize, i: usize| {
            let [a, b] = [entry(k, l, i), entry(l, k, i)].map(Option::unwrap_or_default);
            (a - b).amax() <= SYMMETRY * size
        };
        if !size.is_finite() || (0..n * n * count).any(|j| !even(j / count / n, j / count % n, j % count)) {
            return Err(format!("geometric.{key} changes when its modes are exchanged, or is not finite"));
        }
        let of = |i: usize| (0..n * n).filter_map(|pair| entry(pair / n, pair % n, i)).collect();
        Ok(Some((0..count).map(of).collect::<Vec<Vec<_>>>()))
    };
    match (take("shifts")?, take("turns")?) {
        (None, None) => Ok(Vec::new()),
        (None, Some(_)) => Err("geometric.turns are given without geometric.shifts".to_string()),
        (Some(shifts), turns) => {
            let turns = turns.unwrap_or_else(|| vec![vec![Vector3::zeros(); n * n]; count]);
            Ok(shifts.into_iter().zip(turns).map(|(shifts, turns)| SecondOrder { shifts, turns }).collect())
        }
    }
}

/// The integrals of the unit loads, given or computed from the motion of the nodes.
fn loads(
    geometric: &mut Arrays,
    shapes: &Shapes,
    second: &[SecondOrder],
) -> Result<Option<Geometric>, String> {
    let n = shapes.modes.len();
    let mut given: [Option<DMatrix<f64>>; 12] = Default::default();
    for (slot, key) in given.iter_mut().zip(UNIT_LOADS) {
        let what = format!("geometric.{key}");
        *slot = geometric.take(key).map(|array| array.matrix(&what, n)).transpose()?;
        if slot.as_ref().is_some_and(|m| !((m - m.transpose()).amax() <= SYMMETRY * m.amax())) {
            return Err(format!("{what} is not symmetric"));
        }
    }
    let none = given.iter().all(Option::is_none);
    if none && second.is_empty() {
        return Ok(None);
    }
    let mut all = Geometric::from_loads(n, &given);
    all.nodes = !second.is_empty();
    if none && !shapes.masses.is_empty() {
        all.known = [true; 12];
        for (i, second) in second.iter().enumerate() {
            if let (Some(x), Some(mass)) = (shapes.nodes.get(i), shapes.masses.get(i)) {
                all.add_mass(x, *mass, second);
            }
            if let Some(rotary) = shapes.rotary().filter(|r| !r.turns.is_empty()) {
                all.add_rotary(&rotary, i, second);
            }
        }
    }
    Ok(Some(all))
}

/// The integrals of a file, with the matrices of its modes.
fn modal(integrals: &mut Arrays, shapes: &Shapes) -> Result<Modal, String> {
    let n = shapes.modes.len();
    let mut need = |key: &str| integrals.need(key).map_err(|e| format!("integrals: {e}"));
    let mut pairs = |key: &str| {
        let array = need(key)?;
        match array.shape.starts_with(&[n, n]) {
            true => Ok(array),
            false => Err(format!(
                "integrals.{key} must have {n} rows with {n} entries, one for each pair of modes"
            )),
        }
    };
    let (i2, g1) = (pairs("i2")?.matrices("integrals.i2")?, pairs("g1")?.vectors("integrals.g1")?);
    let i0 = need("i0")?.matrices("integrals.i0")?;
    let [i0] = i0.as_slice() else { return Err("integrals.i0 must be one matrix".to_string()) };
    let modal = Modal {
        mass: need("mass")?.number("integrals.mass")?,
        s0: need("s0")?.vector("integrals.s0")?,
        s1: need("s1")?.vectors("integrals.s1")?,
        i0: *i0,
        i1: need("i1")?.matrices("integrals.i1")?,
        i2,
        g0: need("g0")?.vectors("integrals.g0")?,
        g1,
        mff: need("mff")?.matrix("integrals.mff", n)?,
        stiffness: shapes.stiffness.clone(),
        damping: shapes.damping.clone(),
        stiffening: Vec::new(),
        by_modes: Vec::new(),
        geometric: None,
    };
    integrals.finish("key of integrals", &INTEGRALS)?;
    Ok(modal)
}

/// Nodes, masses and the `n` modes of a file.
fn shapes(arrays: &mut Arrays, modes: &Array, n: usize) -> Result<Shapes, String> {
    let nodes = arrays.need("nodes")?.vectors("nodes")?;
    let lists = |what: &str, array: &Array| {
        // With given integrals, a body needs no nodes.
        if nodes.is_empty() && array.numbers.is_empty() {
            return Ok(vec![Vec::new(); n]);
        }
        if array.shape != [n, nodes.len(), 3] {
            return Err(format!(
                "{what} must have {n} modes with {} vectors each, one for each node",
                nodes.len()
            ));
        }
        let all = array.vectors(what)?;
        Ok(all.chunks(nodes.len().max(1)).map(<[_]>::to_vec).collect::<Vec<_>>())
    };
    let rotations = arrays.take("rotations").map(|array| lists("rotations", &array)).transpose()?;
    let shapes = Shapes {
        masses: arrays.take("masses").map_or(Ok(Vec::new()), |array| array.list("masses"))?,
        inertias: arrays.take("inertias").map_or(Ok(Vec::new()), |array| inertias(&array))?,
        modes: lists("modes", modes)?,
        rotations,
        stiffness: arrays.need("stiffness")?.matrix("stiffness", n)?,
        damping: match arrays.take("damping") {
            Some(array) => array.matrix("damping", n)?,
            None => DMatrix::zeros(n, n),
        },
        nodes,
    };
    let turns = shapes.rotations.iter().flatten().flatten();
    let numbers = shapes.nodes.iter().chain(shapes.modes.iter().flatten()).chain(turns);
    if numbers.flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
        return Err("a node or a mode has an entry that is not finite".to_string());
    }
    Ok(shapes)
}

/// Rotary inertia of all nodes: principal moments about the axes of the frame, or matrices.
fn inertias(array: &Array) -> Result<Vec<Matrix3<f64>>, String> {
    match array.shape.as_slice() {
        [_, 3] => Ok(array.vectors("inertias")?.iter().map(Matrix3::from_diagonal).collect()),
        _ => array.matrices("inertias"),
    }
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
    if let Some(g) = &m.geometric {
        let known = UNIT_LOADS.iter().zip(g.known).enumerate().filter(|(_, (_, known))| *known);
        let mut geometric: serde_json::Map<String, Value> =
            known.map(|(i, (name, _))| (name.to_string(), rows(&g.load(i)))).collect();
        let nodes = |list: fn(&SecondOrder) -> &Vec<Vector3<f64>>| {
            let of = |pair: usize| file.second.iter().filter_map(move |s| list(s).get(pair).map(triple));
            pairs(&|pair| json!(of(pair).collect::<Vec<_>>())).into()
        };
        if !file.second.is_empty() {
            geometric.insert("shifts".into(), nodes(|s| &s.shifts));
            geometric.insert("turns".into(), nodes(|s| &s.turns));
        }
        more.insert("geometric".into(), geometric.into());
    }
    if let Some(object) = object.as_object_mut() {
        object.extend(more);
    }
    format!("{object}\n")
}
