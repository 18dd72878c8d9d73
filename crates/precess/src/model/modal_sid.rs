//! Modal bodies in the text format of standard input data (Wallrapp 1993; Schwertassek and Wallrapp 1999):
//! files `.SID_FEM`, which finite-element programs write for programs of multibody dynamics.
//!
//! A file has blocks with the terms of Taylor series in the modal coordinates q: `m0(i,j)` and
//! `m1(i,j,l)`, the derivative by q_l. With the names of `precess_engine::flex::Modal`,
//!
//! ```text
//! mdCM = s_0         J = I_0 + q_l I1_l      Me = Mff      Ke, De: stiffness, damping
//! Ct(k,i) = S1_k,i + q_l S2_kl,i             Cr(k,i) = G0_k,i + q_l (G1_lk + G2_lk)_i
//! Oe(k,m) = .. - q_l I2_kl (ii), - 2 q_l I2_kl (ij),  m = 11, 22, 33, 12, 23, 31, with the geometric part
//! node: origin, phi, psi: place, displacements, rotations; phi.m1, psi.m1: their second order W
//! ```

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, Vector3};
use precess_engine::flex::{Geometric, Modal, SecondOrder};

use super::modal::Shapes;
use super::modal_file::ModalFile;

/// Largest number of modes.
const MOST_MODES: usize = 1000;

/// Largest number of vectors of all nodes.
const MOST_VECTORS: usize = 5_000_000;

/// Numbers of the file have about six digits.
const DIGITS: f64 = 1e-4;

/// The entries of a series that are given, by row, column and the number of the modal coordinate; all count
/// from 1. The terms of order 0 have the number 0.
#[derive(Clone, Debug, Default)]
struct Series {
    rows: usize,
    structure: usize,
    entries: BTreeMap<(usize, usize, usize), f64>,
}

/// The structures of matrices whose entries are not all in the file.
const SYMMETRIC: usize = 2;
const UNIT: usize = 4;

impl Series {
    /// An entry; indices count from 0, `l` is the modal coordinate of a term of first order.
    fn get(&self, i: usize, j: usize, l: Option<usize>) -> f64 {
        let l = l.map_or(0, |l| l + 1);
        let at = |i: usize, j: usize| self.entries.get(&(i + 1, j + 1, l)).copied();
        let mirrored = || if self.structure == SYMMETRIC { at(j, i) } else { None };
        let unit = if self.structure == UNIT && l == 0 && i == j { 1.0 } else { 0.0 };
        at(i, j).or_else(mirrored).unwrap_or(unit)
    }

    /// True if a term of first order differs from zero.
    fn changes(&self) -> bool {
        self.entries.iter().any(|((.., l), x)| *l > 0 && *x != 0.0)
    }

    fn symmetric(&self, n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| 0.5 * (self.get(i, j, None) + self.get(j, i, None)))
    }

    fn tensor(&self, l: Option<usize>) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| 0.5 * (self.get(i, j, l) + self.get(j, i, l)))
    }

    fn set(&mut self, key: &str, value: f64) -> Option<()> {
        let (name, rest) = key.split_once('(')?;
        let list: Option<Vec<usize>> =
            rest.trim_end_matches(')').split(',').map(|x| x.trim().parse().ok()).collect();
        let (list, first) = (list?, name.trim() == "m0");
        let place = match list.as_slice() {
            [i, j] if first => (*i, *j, 0),
            // Some programs write the terms of first order with the name of the others.
            [i, j, l] if *l > 0 => (*i, *j, *l),
            _ => return None,
        };
        self.entries.insert(place, value);
        Some(())
    }
}

/// A node of the file.
#[derive(Clone, Debug, Default)]
struct NodeBlock {
    name: String,
    blocks: BTreeMap<String, Series>,
}

/// The blocks of a file.
#[derive(Clone, Debug, Default)]
struct Blocks {
    mass: Option<f64>,
    nodes: Vec<NodeBlock>,
    blocks: BTreeMap<String, Series>,
}

/// True for a file of this format.
pub(super) fn is_sid(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    !bytes.trim_ascii_start().starts_with(b"{") && lines.any(|line| line.eq_ignore_ascii_case(b"new modal"))
}

fn number(text: &str) -> Option<f64> {
    text.trim().replace(['d', 'D'], "e").parse().ok().filter(|x: &f64| x.is_finite())
}

/// Splits a file into its blocks.
fn blocks(text: &str) -> Result<Blocks, String> {
    let mut all = Blocks::default();
    let mut open: Vec<String> = Vec::new();
    let begin = |line: &&str| !line.trim().eq_ignore_ascii_case("new modal");
    for (count, line) in text.lines().enumerate().skip_while(|(_, line)| begin(line)).skip(1) {
        let line = line.trim();
        let wrong = |what: &str| format!("line {}: {what}: '{line}'", count + 1);
        let Some((key, value)) = line.split_once('=') else {
            match line.to_ascii_lowercase().strip_prefix("end") {
                _ if line.is_empty() => {}
                Some(_) if open.is_empty() => return Ok(all),
                Some(_) => drop(open.pop()),
                None => open.push(line.to_string()),
            }
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if key.to_ascii_lowercase().starts_with("new node") {
            open.push("node".to_string());
            all.nodes
                .push(NodeBlock { name: value.replace(char::is_whitespace, "_"), ..NodeBlock::default() });
            continue;
        }
        let Some(block) = open.last() else { continue };
        if block == "refmod" {
            if key == "mass" {
                all.mass = Some(number(value).ok_or_else(|| wrong("the mass is not a number"))?);
            }
            continue;
        }
        if block == "node" || block == "frame" {
            continue;
        }
        let inside = open.iter().any(|name| name == "node");
        let list = match all.nodes.last_mut().filter(|_| inside) {
            Some(node) => &mut node.blocks,
            None => &mut all.blocks,
        };
        let series = list.entry(block.clone()).or_default();
        let x = number(value).ok_or_else(|| wrong("this is not a number"))?;
        match key {
            "nrow" => series.rows = x as usize,
            "structure" => series.structure = x as usize,
            "order" | "ncol" | "nq" | "nqn" => {}
            _ => series.set(key, x).ok_or_else(|| wrong("unknown entry"))?,
        }
    }
    Err("the file ends before 'end modal'".to_string())
}

/// Reads a file; the error describes the problem.
pub(super) fn read(bytes: &[u8]) -> Result<ModalFile, String> {
    let file = blocks(&String::from_utf8_lossy(bytes))?;
    let none = Series::default();
    let block = |name: &str| file.blocks.get(name).unwrap_or(&none);
    let need = |name: &str| file.blocks.get(name).ok_or_else(|| format!("the block {name} is missing"));
    let (mff, stiffness) = (need("Me")?, need("Ke")?);
    let n = mff.rows;
    if n == 0 || n > MOST_MODES {
        return Err(format!("there are {n} modes; 1 to {MOST_MODES} are possible"));
    }
    if mff.entries.len().max(stiffness.entries.len()) < n {
        return Err(format!("there are {n} modes, but Me and Ke have fewer entries"));
    }
    if block("ksigma").entries.values().any(|x| *x != 0.0) {
        return Err("the body has stresses at rest (ksigma), which modal bodies do not support".to_string());
    }
    let damping = block("De").symmetric(n);
    let (ct, cr, oe) = (need("Ct")?, need("Cr")?, block("Oe"));
    let vector = |series: &Series, k: usize, l: Option<usize>| Vector3::from_fn(|i, _| series.get(k, i, l));
    // Cr is missing or without terms of first order: Ge has twice their antisymmetric part.
    let turning = |k: usize, l: usize| match cr.changes() {
        true => vector(cr, k, Some(l)),
        false => Vector3::from_fn(|i, _| 0.5 * block("Ge").get(k, 3 * l + i, None)),
    };
    let pairs = || (0..n * n).map(move |pair| (pair / n, pair % n));
    let mut all = Geometric::zeros(n);
    all.s2 = pairs().map(|(k, l)| (vector(ct, k, Some(l)) + vector(ct, l, Some(k))) * 0.5).collect();
    all.g2 = pairs().map(|(k, l)| (turning(k, l) + turning(l, k)) * 0.5).collect();
    let centrifugal = |k: usize, l: usize| {
        let x: [f64; 6] = std::array::from_fn(|m| -0.5 * (oe.get(k, m, Some(l)) + oe.get(l, m, Some(k))));
        Matrix3::new(x[0], 0.5 * x[3], 0.5 * x[5], 0.5 * x[3], x[1], 0.5 * x[4], 0.5 * x[5], 0.5 * x[4], x[2])
    };
    let i2: Vec<Matrix3<f64>> = pairs().map(|(k, l)| centrifugal(k, l)).collect();
    let mff = mff.symmetric(n);
    // The trace of the part that comes from inertia alone is 2 Mff.
    let plain = i2.iter().zip(mff.iter()).all(|(i, m)| (i.trace() - 2.0 * m).abs() <= DIGITS * mff.amax());
    let i2 = if plain { i2 } else { std::mem::replace(&mut all.i2, i2) };
    let largest = pairs().map(|(k, l)| turning(k, l).amax()).fold(0.0, f64::max);
    let above = |list: &[Vector3<f64>], i: usize, limit: f64| {
        list.iter().filter_map(|x| x.get(i)).any(|x| x.abs() > limit)
    };
    all.known = std::array::from_fn(|load| match load {
        0..3 => above(&all.s2, load, 0.0),
        3..6 => above(&all.g2, load - 3, DIGITS * largest),
        _ => !plain,
    });
    let (shapes, names, second) = nodes(&file, n, stiffness.symmetric(n), damping)?;
    all.nodes = !second.is_empty();
    let mut data = Modal {
        mass: file.mass.ok_or("refmod has no mass")?,
        s0: vector_of(need("mdCM")?, None),
        s1: (0..n).map(|k| vector(ct, k, None)).collect(),
        i0: need("J")?.tensor(None),
        i1: (0..n).map(|k| block("J").tensor(Some(k))).collect(),
        i2,
        g0: (0..n).map(|k| vector(cr, k, None)).collect(),
        g1: pairs().map(|(l, k)| (turning(k, l) - turning(l, k)) * 0.5).collect(),
        mff,
        stiffness: shapes.stiffness.clone(),
        damping: shapes.damping.clone(),
        stiffening: Vec::new(),
        by_modes: Vec::new(),
        geometric: Some(all).filter(|all| all.nodes || all.known.iter().any(|known| *known)),
    };
    let remark = data.turn_sign();
    data.check().map_err(|e| e.to_string())?;
    Ok(ModalFile { shapes, data, names, second, remark })
}

/// A vector in one column.
fn vector_of(series: &Series, l: Option<usize>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| series.get(i, 0, l))
}

/// Nodes with their names and second-order motion.
type Nodes = (Shapes, BTreeMap<String, usize>, Vec<SecondOrder>);

fn nodes(file: &Blocks, n: usize, stiffness: DMatrix<f64>, damping: DMatrix<f64>) -> Result<Nodes, String> {
    let none = Series::default();
    let series = |i: usize, name: &str| file.nodes.get(i).and_then(|n| n.blocks.get(name)).unwrap_or(&none);
    let count = file.nodes.len();
    let curved = (0..count).any(|i| series(i, "phi").changes() || series(i, "psi").changes());
    if (if curved { n * n } else { n }).saturating_mul(count) > MOST_VECTORS {
        return Err(format!("{n} modes of {count} nodes are too many"));
    }
    let field = |name: &str| -> Vec<Vec<Vector3<f64>>> {
        let entry = |k: usize, i: usize| Vector3::from_fn(|j, _| series(i, name).get(j, k, None));
        (0..n).map(|k| (0..count).map(|i| entry(k, i)).collect()).collect()
    };
    let twice = |i: usize, name: &str| -> Vec<Vector3<f64>> {
        let of = |k: usize, l: usize| Vector3::from_fn(|j, _| series(i, name).get(j, k, Some(l)));
        (0..n * n).map(|pair| (of(pair / n, pair % n) + of(pair % n, pair / n)) * 0.5).collect()
    };
    let second = (0..if curved { count } else { 0 })
        .map(|i| SecondOrder { shifts: twice(i, "phi"), turns: twice(i, "psi") })
        .collect();
    let mut names = BTreeMap::new();
    for (i, node) in file.nodes.iter().enumerate() {
        if names.insert(node.name.clone(), i).is_some() {
            return Err(format!("two nodes have the name '{}'", node.name));
        }
    }
    let turned = file.nodes.iter().all(|node| node.blocks.contains_key("psi"));
    let shapes = Shapes {
        nodes: (0..count).map(|i| vector_of(series(i, "origin"), None)).collect(),
        masses: Vec::new(),
        inertias: Vec::new(),
        modes: field("phi"),
        rotations: turned.then(|| field("psi")),
        stiffness,
        damping,
    };
    Ok((shapes, names, second))
}
