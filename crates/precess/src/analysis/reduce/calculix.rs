//! Matrices of CalculiX (2.20), which `*FREQUENCY, SOLVER=MATRIXSTORAGE` writes beside an input file
//! `job.inp`.
//!
//! `job.dof` has a line `node.direction` for each row of the matrices, `job.sti` and `job.mas` have lines
//! `row column value` of one triangle. Positions and sets of nodes are in the input file and its includes:
//! `*NODE`, `*NSET`, `*INCLUDE`. The body must be free, of solid elements, without `*BOUNDARY`, `*EQUATION`
//! and rigid bodies.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::sparse::Symmetric;
use super::{ElasticBody, ReduceError};

/// Largest number of rows of the matrices.
const MAX_ROWS: usize = 3_000_000;
/// Largest nesting of includes.
const MAX_INCLUDES: usize = 10;

/// The four texts, and a function that reads included files.
pub struct Job<'a> {
    /// Name without its ending, for messages.
    pub name: &'a str,
    /// `job.inp`.
    pub inp: &'a str,
    /// `job.dof`.
    pub dof: &'a str,
    /// `job.sti`.
    pub sti: &'a str,
    /// `job.mas`.
    pub mas: &'a str,
    /// Reads an included file.
    pub include: &'a dyn Fn(&str) -> Result<String, String>,
}

/// Nodes and sets by their numbers in the program.
#[derive(Default)]
struct Mesh {
    nodes: BTreeMap<usize, Vector3<f64>>,
    sets: BTreeMap<String, Vec<usize>>,
}

/// The kind of data lines after a keyword.
enum DataBlock {
    Nodes(Option<String>),
    Set(String, bool),
    Other,
}

fn parameter(line: &str, key: &str) -> Option<String> {
    let found = line.split(',').skip(1).map(str::trim).find_map(|p| {
        let (name, value) = p.split_once('=').unwrap_or((p, ""));
        (name.trim().eq_ignore_ascii_case(key)).then(|| value.trim().trim_matches('"').to_string())
    })?;
    Some(found)
}

impl Mesh {
    fn read(&mut self, file: &str, text: &str, job: &Job, depth: usize) -> Result<(), ReduceError> {
        let mut block = DataBlock::Other;
        for (number, line) in text.lines().enumerate() {
            let wrong =
                |message: String| ReduceError::Text { file: file.to_string(), line: number + 1, message };
            let line = line.trim();
            if line.is_empty() || line.starts_with("**") {
                continue;
            }
            if let Some(keyword) = line.strip_prefix('*') {
                let word = keyword.split(',').next().unwrap_or("").trim().to_uppercase();
                let set = || parameter(keyword, "NSET").map(|s| s.to_uppercase());
                block = match word.as_str() {
                    "NODE" => DataBlock::Nodes(set()),
                    "NSET" => {
                        let name = set().ok_or_else(|| wrong("a *NSET without NSET=name".to_string()))?;
                        self.sets.entry(name.clone()).or_default();
                        DataBlock::Set(name, parameter(keyword, "GENERATE").is_some())
                    }
                    "INCLUDE" => {
                        let name = parameter(keyword, "INPUT")
                            .ok_or_else(|| wrong("an *INCLUDE without INPUT=file".to_string()))?;
                        if depth >= MAX_INCLUDES {
                            return Err(wrong("files include each other too often".to_string()));
                        }
                        let text = (job.include)(&name).map_err(&wrong)?;
                        self.read(&name, &text, job, depth + 1)?;
                        DataBlock::Other
                    }
                    "BOUNDARY" | "EQUATION" | "MPC" | "RIGID BODY" | "TRANSFORM" => {
                        return Err(wrong(format!(
                            "*{word}: import the free body, its interfaces hold it later"
                        )));
                    }
                    _ => DataBlock::Other,
                };
                continue;
            }
            match &block {
                DataBlock::Nodes(set) => {
                    let (label, x) =
                        node(line).ok_or_else(|| wrong("a node is number, x, y, z".to_string()))?;
                    self.nodes.insert(label, x);
                    if let Some(set) = set {
                        self.sets.entry(set.clone()).or_default().push(label);
                    }
                }
                DataBlock::Set(name, generate) => {
                    let list = self.members(line, *generate).map_err(wrong)?;
                    self.sets.entry(name.clone()).or_default().extend(list);
                }
                DataBlock::Other => {}
            }
        }
        Ok(())
    }

    /// Numbers of nodes, names of other sets, or from, to, step.
    fn members(&self, line: &str, generate: bool) -> Result<Vec<usize>, String> {
        let words: Vec<&str> = line.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
        let number = |w: &str| w.parse::<usize>().map_err(|_| format!("'{w}' is no number of a node"));
        if generate {
            let list = words.iter().map(|w| number(w)).collect::<Result<Vec<_>, _>>()?;
            return match list.as_slice() {
                [from, to, ..] if to.saturating_sub(*from) > MAX_ROWS => {
                    Err(format!("more than {MAX_ROWS} nodes"))
                }
                [from, to] => Ok((*from..=*to).collect()),
                [from, to, step] if *step > 0 => Ok((*from..=*to).step_by(*step).collect()),
                _ => Err("GENERATE needs first, last and step".to_string()),
            };
        }
        let mut list = Vec::new();
        for word in words {
            match self.sets.get(&word.to_uppercase()) {
                Some(other) => list.extend(other),
                None => list.push(number(word)?),
            }
        }
        Ok(list)
    }
}

/// Number and position of a node.
fn node(line: &str) -> Option<(usize, Vector3<f64>)> {
    let mut words = line.split(',').map(str::trim);
    let label = words.next()?.parse().ok()?;
    let mut x = Vector3::zeros();
    for k in 0..3 {
        // Trailing coordinates may be omitted.
        x[k] = match words.next() {
            Some("") | None => 0.0,
            Some(w) => w.parse::<f64>().ok().filter(|x| x.is_finite())?,
        };
    }
    Some((label, x))
}

/// Node and direction of each row.
fn rows(job: &Job) -> Result<Vec<(usize, usize)>, ReduceError> {
    let file = format!("{}.dof", job.name);
    let mut list = Vec::new();
    for (number, line) in job.dof.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| ReduceError::Text { file: file.clone(), line: number + 1, message };
        let parts = line.trim().split_once('.').and_then(|(n, d)| Some((n.parse().ok()?, d.parse().ok()?)));
        let (node, direction) = parts.ok_or_else(|| wrong("a row is node.direction".to_string()))?;
        if !(1..=3usize).contains(&direction) {
            return Err(wrong(format!("direction {direction} of node {node}; only solid elements are read")));
        }
        if list.len() >= MAX_ROWS {
            return Err(wrong(format!("more than {MAX_ROWS} rows")));
        }
        list.push((node, direction - 1));
    }
    Ok(list)
}

/// A matrix with renumbered rows.
fn matrix(file: &str, text: &str, order: &[usize]) -> Result<Symmetric, ReduceError> {
    let mut seen: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| ReduceError::Text { file: file.to_string(), line: number + 1, message };
        let mut words = line.split_whitespace();
        let mut row = || words.next()?.parse::<usize>().ok()?.checked_sub(1);
        let place = row().zip(row());
        let value = words.next().and_then(|w| w.parse::<f64>().ok()).filter(|x| x.is_finite());
        let ((i, j), x) =
            place.zip(value).ok_or_else(|| wrong("an entry is row column value".to_string()))?;
        let (i, j) = match (order.get(i), order.get(j)) {
            (Some(i), Some(j)) => (*i as u32, *j as u32),
            _ => return Err(wrong(format!("the matrix is larger than the {} rows of .dof", order.len()))),
        };
        if x != 0.0 {
            // Both triangles may be given; they are equal.
            seen.insert((i.min(j), i.max(j)), x);
        }
    }
    let entries = seen.into_iter().map(|((i, j), x)| (i, j, x)).collect();
    Ok(Symmetric { size: order.len(), entries })
}

/// Reads a job.
pub fn read(job: &Job) -> Result<ElasticBody, ReduceError> {
    let mut mesh = Mesh::default();
    mesh.read(&format!("{}.inp", job.name), job.inp, job, 0)?;
    let rows = rows(job)?;
    let mut index: BTreeMap<usize, usize> = BTreeMap::new();
    let mut nodes = Vec::new();
    for (label, _) in &rows {
        let Some(x) = mesh.nodes.get(label) else {
            return Err(ReduceError::Files(format!(
                "node {label} of {0}.dof is not in {0}.inp: shells, beams and C3D8I have nodes of their \
                 own; use other solid elements, such as C3D10 or C3D20",
                job.name
            )));
        };
        index.entry(*label).or_insert_with(|| {
            nodes.push(*x);
            nodes.len() - 1
        });
    }
    let order: Vec<usize> =
        rows.iter().map(|(label, k)| 3 * index.get(label).copied().unwrap_or(0) + k).collect();
    let mut filled = vec![false; 3 * nodes.len()];
    order.iter().for_each(|&i| filled[i] = true);
    if nodes.is_empty() || order.len() != filled.len() || filled.iter().any(|f| !f) {
        return Err(ReduceError::Files(format!(
            "{}.dof has {} rows for {} nodes: import the free body, without *BOUNDARY",
            job.name,
            order.len(),
            nodes.len()
        )));
    }
    let known = |list: &Vec<usize>| {
        let mut known: Vec<usize> = list.iter().filter_map(|l| index.get(l).copied()).collect();
        known.sort_unstable();
        known.dedup();
        known
    };
    let lists = mesh.sets.iter().map(|(name, list)| (name.clone(), known(list)));
    let mut sets = BTreeMap::new();
    sets.extend(lists.filter(|(_, list)| !list.is_empty()));
    Ok(ElasticBody {
        sets,
        stiffness: matrix(&format!("{}.sti", job.name), job.sti, &order)?,
        mass: matrix(&format!("{}.mas", job.name), job.mas, &order)?,
        nodes,
    })
}
