//! Reduces a finite-element model to a modal body: Craig and Bampton's method (1968).
//!
//! Interfaces are sets of nodes held by a joint or a clamp: each moves as a rigid piece with six coordinates.
//! With all of them held, the rest vibrates in *normal modes*, `K phi = omega^2 M phi`. Moving one coordinate
//! of an interface by one unit gives a *constraint mode*, `K u = 0` inside. Both together are the basis V.
//! The frame of the body is fixed to the first interface, whose own modes are left out, so that there is no
//! rigid motion among them. The final modes are those of `V^T K V y = omega^2 V^T M V y`: stiffness is
//! diagonal, modal masses are 1.
//!
//! Inertia integrals come from the mass matrix of the elements ([`crate::flex::Modal::weighed`]), so nodes
//! without attachments are not needed afterwards. [`calculix`] reads the matrices of a program.
//!
//! The reduction is exact for static loads at the interfaces. Frequencies are upper bounds that fall with the
//! number of normal modes.

pub mod calculix;
mod normal;
pub mod sparse;

use std::collections::BTreeMap;

use crate::flex::{Modal, ModalError};
use crate::model::modal::Shapes;
use crate::model::modal_file::ModalFile;
use crate::solve::decompositions::{cholesky, lower_inverse};
use crate::solve::products::{add, congruent, product, symmetric_products, transposed_product};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use thiserror::Error;

use crate::analysis::matrix::ascending;
use crate::analysis::matrix::symmetric;
use sparse::Symmetric;

/// Errors of a reduction.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ReduceError {
    /// A file cannot be understood.
    #[error("{file}, line {line}: {message}")]
    Text {
        /// The file.
        file: String,
        /// Line number from 1.
        line: usize,
        /// The problem.
        message: String,
    },
    /// The files do not belong together.
    #[error("{0}")]
    Files(String),
    /// A set of nodes does not exist.
    #[error("there is no node set '{name}'; the file has {known}")]
    Set {
        /// The name.
        name: String,
        /// The existing sets.
        known: String,
    },
    /// An interface is not possible.
    #[error("interface '{name}' {why}")]
    Interface {
        /// Its name.
        name: String,
        /// The problem.
        why: String,
    },
    /// The body can still move with its interfaces held.
    #[error(
        "with all interfaces held the body can still move: is it one piece, and of elements with full \
         integration (C3D10, C3D20, not C3D20R)?"
    )]
    Loose,
    /// The modes are not those of a body.
    #[error(transparent)]
    Modes(#[from] ModalError),
}

/// A free body of finite elements: coordinate 3 i + k is the displacement of node i along axis k.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticBody {
    /// Positions of the nodes.
    pub nodes: Vec<Vector3<f64>>,
    /// Sets of nodes by name, in capitals.
    pub sets: BTreeMap<String, Vec<usize>>,
    /// Stiffness.
    pub stiffness: Symmetric,
    /// Mass.
    pub mass: Symmetric,
}

/// A set of nodes that moves as a rigid piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// Name of its node in the modal body.
    pub name: String,
    /// The set.
    pub set: String,
    /// Position of that node; the middle of the set if absent.
    pub point: Option<[f64; 3]>,
}

/// Options of a reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceOptions {
    /// Interfaces; the first carries the frame.
    pub interfaces: Vec<Interface>,
    /// Normal modes.
    pub modes: usize,
    /// Modes above this frequency in Hz are removed at the end; none if absent.
    pub up_to: Option<f64>,
    /// Sets of further nodes to keep.
    pub keep: Vec<String>,
}

/// An interface with its nodes.
struct InterfaceNodes {
    name: String,
    nodes: Vec<usize>,
    point: Vector3<f64>,
    /// Six coordinates, or three if its nodes are on a line.
    coordinates: usize,
}

/// Below this part of the size of an interface, its nodes count as lying on a line.
const LINE: f64 = 1e-6;

impl ElasticBody {
    /// Nodes of a set.
    fn set(&self, name: &str) -> Result<&Vec<usize>, ReduceError> {
        let list = || self.sets.keys().cloned().collect::<Vec<_>>().join(", ");
        let known = || if self.sets.is_empty() { "none".to_string() } else { list() };
        let found = self.sets.get(&name.to_uppercase());
        found.ok_or_else(|| ReduceError::Set { name: name.to_string(), known: known() })
    }

    fn pieces(&self, options: &ReduceOptions) -> Result<Vec<InterfaceNodes>, ReduceError> {
        let mut owner = vec![None; self.nodes.len()];
        let mut list = Vec::new();
        for (k, interface) in options.interfaces.iter().enumerate() {
            let wrong = |why: String| ReduceError::Interface { name: interface.name.clone(), why };
            let nodes = self.set(&interface.set)?.clone();
            for &i in &nodes {
                if let Some(other) = owner[i].replace(k) {
                    let other: &Interface = &options.interfaces[other];
                    return Err(wrong(format!("shares a node with interface '{}'", other.name)));
                }
            }
            let centre =
                nodes.iter().fold(Vector3::zeros(), |sum, &i| sum + self.nodes[i]) / nodes.len() as f64;
            let spread = nodes.iter().fold(Matrix3::zeros(), |sum, &i| {
                let d = self.nodes[i] - centre;
                sum + d * d.transpose()
            });
            // Two directions of the nodes are needed for rotations.
            let spread = DMatrix::from_column_slice(3, 3, spread.as_slice());
            let mut extent: Vec<f64> = symmetric(spread).eigenvalues.iter().copied().collect();
            extent.sort_unstable_by(f64::total_cmp);
            let turns = extent[1] > LINE * LINE * extent[2] && extent[2] > 0.0;
            if k == 0 && !turns {
                return Err(wrong(
                    "carries the frame and needs three nodes that are not on a line".to_string(),
                ));
            }
            let point = interface.point.map_or(centre, Vector3::from);
            let coordinates = if turns { 6 } else { 3 };
            list.push(InterfaceNodes { name: interface.name.clone(), nodes, point, coordinates });
        }
        Ok(list)
    }

    /// The field of one coordinate of an interface: three displacements, three rotations about its point.
    fn rigid(&self, piece: &InterfaceNodes, j: usize) -> DVector<f64> {
        let mut field = DVector::zeros(3 * self.nodes.len());
        for &i in &piece.nodes {
            let u = match j {
                0..3 => Vector3::ith(j, 1.0),
                _ => Vector3::<f64>::ith(j - 3, 1.0).cross(&(self.nodes[i] - piece.point)),
            };
            field.fixed_rows_mut::<3>(3 * i).copy_from(&u);
        }
        field
    }

    /// The rotation of a node in a field: the rotation that fits its neighbours best.
    fn turn(&self, i: usize, neighbours: &[usize], field: &[Vector3<f64>]) -> Vector3<f64> {
        let (mut a, mut b) = (Matrix3::zeros(), Vector3::zeros());
        for &j in neighbours {
            let (d, u) = (self.nodes[j] - self.nodes[i], field[j] - field[i]);
            // Near neighbours have the largest weight: those of the section in a slender body.
            let weight = d.norm_squared().powi(-2);
            a += (Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose()) * weight;
            b += d.cross(&u) * weight;
        }
        a.lu().solve(&b).unwrap_or_else(Vector3::zeros)
    }

    /// Reduces the body.
    pub fn reduce(&self, options: &ReduceOptions) -> Result<ModalFile, ReduceError> {
        let pieces = self.pieces(options)?;
        let Some((_, others)) = pieces.split_first() else {
            let why = "is missing: at least one must carry the frame".to_string();
            return Err(ReduceError::Interface { name: "root".to_string(), why });
        };
        let held: Vec<usize> = pieces.iter().flat_map(|p| p.nodes.iter().copied()).collect();
        let mut inside = normal::Inside::new(self, &held)?;
        let mut basis: Vec<DVector<f64>> = Vec::new();
        // The coordinate and interface of each constraint mode.
        let mut moved: Vec<(usize, usize)> = Vec::new();
        for (k, piece) in others.iter().enumerate() {
            for j in 0..piece.coordinates {
                let field = self.rigid(piece, j);
                let inner = inside.solve(&(-self.stiffness.times(&field)));
                basis.push(field + inner);
                moved.push((k + 1, j));
            }
        }
        basis.extend(inside.lowest(options.modes));
        if basis.is_empty() {
            let why = "is the only one and no normal modes are wanted: the body would be rigid".to_string();
            return Err(ReduceError::Interface { name: pieces[0].name.clone(), why });
        }
        let (omega2, y) = self.final_modes(&basis, options.up_to)?;
        self.file(options, &pieces, &basis, &moved, &omega2, &y)
    }

    /// Eigenvalues, ascending, and the parts of the basis in each mode; modal masses are 1.
    fn final_modes(
        &self,
        basis: &[DVector<f64>],
        up_to: Option<f64>,
    ) -> Result<(Vec<f64>, DMatrix<f64>), ReduceError> {
        let form = |a: &Symmetric| {
            let av: Vec<DVector<f64>> = basis.iter().map(|v| a.times(v)).collect();
            symmetric_products(basis, &av)
        };
        let (k, m) = (form(&self.stiffness), form(&self.mass));
        // Coordinates of interfaces have different units.
        let unit = m.diagonal().map(|x| if x > 0.0 { x.sqrt().recip() } else { 1.0 });
        let unit = DMatrix::from_diagonal(&unit);
        let (k, m) = (congruent(&k, &unit), congruent(&m, &unit));
        let half = cholesky(m).and_then(|l| lower_inverse(&l));
        let half = half.ok_or_else(|| ReduceError::Files("the mass matrix is not positive".to_string()))?;
        let eigen = symmetric(congruent(&k, &half.transpose()));
        let mut order = ascending(&eigen.eigenvalues);
        let highest = up_to.map_or(f64::INFINITY, |f| (f * std::f64::consts::TAU).powi(2));
        order.retain(|&i| eigen.eigenvalues[i] <= highest);
        if order.is_empty() {
            return Err(ReduceError::Files(
                "all modes are above the highest frequency that was wanted".to_string(),
            ));
        }
        let y = product(&unit, &transposed_product(&half, &eigen.eigenvectors));
        Ok((order.iter().map(|&i| eigen.eigenvalues[i]).collect(), y.select_columns(&order)))
    }

    /// Integrals, and modes of the kept nodes.
    fn file(
        &self,
        options: &ReduceOptions,
        pieces: &[InterfaceNodes],
        basis: &[DVector<f64>],
        moved: &[(usize, usize)],
        omega2: &[f64],
        y: &DMatrix<f64>,
    ) -> Result<ModalFile, ReduceError> {
        let n = omega2.len();
        let fields: Vec<Vec<Vector3<f64>>> = (0..n)
            .map(|k| {
                let mut x = DVector::zeros(3 * self.nodes.len());
                basis
                    .iter()
                    .zip(y.column(k).iter())
                    .for_each(|(v, y)| add(*y, v.as_slice(), x.as_mut_slice()));
                x.as_slice().chunks_exact(3).map(Vector3::from_column_slice).collect()
            })
            .collect();
        let weigh = |field: &[Vector3<f64>]| {
            let flat = DVector::from_iterator(3 * field.len(), field.iter().flat_map(|x| x.iter().copied()));
            self.mass.times(&flat).as_slice().chunks_exact(3).map(Vector3::from_column_slice).collect()
        };
        let stiffness = DMatrix::from_diagonal(&DVector::from_column_slice(omega2));
        let data = Modal::weighed(&self.nodes, &weigh, &fields, stiffness.clone(), DMatrix::zeros(n, n))?;
        let mut shapes = Shapes {
            nodes: Vec::new(),
            masses: Vec::new(),
            inertias: Vec::new(),
            modes: vec![Vec::new(); n],
            rotations: Some(vec![Vec::new(); n]),
            stiffness,
            damping: DMatrix::zeros(n, n),
        };
        let mut names = BTreeMap::new();
        for (p, piece) in pieces.iter().enumerate() {
            names.insert(piece.name.clone(), shapes.nodes.len());
            shapes.nodes.push(piece.point);
            for k in 0..n {
                let (mut shift, mut turn) = (Vector3::zeros(), Vector3::zeros());
                for (row, (_, j)) in moved.iter().enumerate().filter(|(_, (q, _))| *q == p) {
                    if *j < 3 { shift[*j] += y[(row, k)] } else { turn[*j - 3] += y[(row, k)] }
                }
                shapes.push(k, shift, turn);
            }
        }
        let neighbours = self.stiffness.neighbours(self.nodes.len());
        for set in &options.keep {
            for &i in self.set(set)? {
                shapes.nodes.push(self.nodes[i]);
                for (k, field) in fields.iter().enumerate() {
                    shapes.push(k, field[i], self.turn(i, &neighbours[i], field));
                }
            }
        }
        ensure_finite(&shapes, &data)?;
        Ok(ModalFile { shapes, data, names, second: Vec::new(), remark: None })
    }
}

/// Refuses results that are not finite, caused by coinciding nodes and numbers out of range.
fn ensure_finite(shapes: &Shapes, data: &Modal) -> Result<(), ReduceError> {
    let fields = shapes.modes.iter().chain(shapes.rotations.iter().flatten()).flatten();
    let vectors = [&data.s0].into_iter().chain(&data.s1).chain(&data.g0).chain(&data.g1).chain(&shapes.nodes);
    let tensors = [&data.i0].into_iter().chain(&data.i1).chain(&data.i2);
    let mut numbers = fields.chain(vectors).flatten().chain(tensors.flatten()).chain(&data.mff);
    if data.mass.is_finite() && numbers.all(|x| x.is_finite()) && data.stiffness.iter().all(|x| x.is_finite())
    {
        return Ok(());
    }
    let why = "the reduced body has entries that are not finite: look for coinciding nodes and for \
               numbers out of range";
    Err(ReduceError::Files(why.to_string()))
}

/// Adds a node to a mode.
trait Push {
    fn push(&mut self, mode: usize, shift: Vector3<f64>, turn: Vector3<f64>);
}

impl Push for Shapes {
    fn push(&mut self, mode: usize, shift: Vector3<f64>, turn: Vector3<f64>) {
        self.modes[mode].push(shift);
        if let Some(rotations) = &mut self.rotations {
            rotations[mode].push(turn);
        }
    }
}
