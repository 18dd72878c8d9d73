//! Second-order motion of the nodes of a rod: how it shortens when it bends.
//!
//! The nodes are a chain with the tangents t of its pieces. The modes displace them by phi and turn their
//! sections by psi, with `psi x t = phi'` across the tangent. No piece stretches or curves by the terms of
//! second order, so that the elastic energy is that of the modes:
//!
//! ```text
//! theta = psi + psi_2            psi_2' = psi x psi'/2
//! u = phi + u_2                  u_2'   = psi x (psi x t)/2 + psi_2 x t
//!                                       = -t |phi'|^2/2 + (psi . t) psi_n/2 + psi_2 x t
//! ```
//!
//! The first term is the foreshortening. The others couple bending with torsion; without them a strip would
//! not buckle sideways. All are quadratic forms of the modal coordinates, and W is twice their symmetric
//! part. `|phi'|^2` is integrated over the cubic polynomial with the slopes of the sections, or over a
//! straight piece if the sections are unknown. psi is linear within a piece.

use nalgebra::{DMatrix, Vector3};

use crate::flex::geometric::{Geometric, SecondOrder};
use crate::flex::rotary::Rotary;

/// Largest distance of a node from a straight line, relative to its length.
const MAX_OFFSET: f64 = 0.05;

/// Shorter pieces, relative to the longest distance of two nodes, count as one place.
const SHORTEST_PIECE: f64 = 1e-9;

/// Least cosine of the angle between a piece and the line of a straight rod.
const STRAIGHT: f64 = 0.5;

/// Least cosine of the angle between neighbouring pieces of a bent rod.
const BENT: f64 = -1e-9;

/// A mode with smaller displacements, relative to its largest, holds a node still.
const STILL: f64 = 1e-9;

/// Largest difference of the slopes that displacements and rotations of a mode give, relative to them.
const MAX_MISMATCH: f64 = 0.7;

/// Why the second-order motion is unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum RodError {
    /// The nodes are not a chain: neither along a line, nor in the order of a bent rod.
    NoChain,
    /// The nodes have no masses.
    NoMasses,
    /// The rotations of a mode do not fit its displacements.
    Rotations {
        /// Number of the mode, from 0.
        mode: usize,
        /// Difference of the two slopes, relative to them.
        difference: f64,
    },
}

impl std::fmt::Display for RodError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RodError::NoChain => f.write_str(
                "the nodes are neither along a line nor in their order along a bent rod, so that their \
                 second-order motion is unknown",
            ),
            RodError::NoMasses => f.write_str("the nodes have no masses"),
            RodError::Rotations { mode, difference } => write!(
                f,
                "the rotations of mode {} do not fit its displacements: the slopes differ by {:.0} %",
                mode + 1,
                100.0 * difference
            ),
        }
    }
}

impl std::error::Error for RodError {}

/// The nodes of a rod in their order along it.
#[derive(Clone, Debug)]
pub struct Rod<'a> {
    nodes: &'a [Vector3<f64>],
    modes: &'a [Vec<Vector3<f64>>],
    /// Empty if unknown.
    turns: &'a [Vec<Vector3<f64>>],
    order: Vec<usize>,
    /// The place in `order` that does not move, if there is one.
    root: usize,
    shortest: f64,
}

/// What a piece of the rod needs: length, tangent, and for each mode the slope across and the rotations of
/// both ends.
struct RodPiece {
    length: f64,
    tangent: Vector3<f64>,
    slopes: Vec<Vector3<f64>>,
    ends: Vec<[Vector3<f64>; 2]>,
}

impl<'a> Rod<'a> {
    /// Finds the order of the nodes. `turns` contains the rotations of the modes; it is empty if they are
    /// unknown.
    pub fn new(
        nodes: &'a [Vector3<f64>],
        modes: &'a [Vec<Vector3<f64>>],
        turns: &'a [Vec<Vector3<f64>>],
    ) -> Result<Self, RodError> {
        let (order, size) = chain(nodes).ok_or(RodError::NoChain)?;
        let mut rod = Rod { nodes, modes, turns, order, root: 0, shortest: SHORTEST_PIECE * size };
        rod.root = rod.find_root();
        rod.check_rotations()?;
        Ok(rod)
    }

    /// Among the nodes that do not move, or all if there are none, the nearest one to the origin of the
    /// frame.
    fn find_root(&self) -> usize {
        let largest = |field: &'a Vec<Vector3<f64>>| field.iter().fold(0.0, |a: f64, x| a.max(x.norm()));
        let fields: Vec<_> = self.modes.iter().chain(self.turns).map(|f| (f, STILL * largest(f))).collect();
        let still = |i: usize| fields.iter().all(|(field, limit)| field[i].norm() <= *limit);
        let any = self.order.iter().any(|i| still(*i));
        let candidates = self.order.iter().enumerate().filter(|(_, i)| !any || still(**i));
        let nearest = candidates.min_by(|a, b| self.nodes[*a.1].norm().total_cmp(&self.nodes[*b.1].norm()));
        nearest.map_or(0, |(place, _)| place)
    }

    /// Compares the slopes of displacements and rotations.
    fn check_rotations(&self) -> Result<(), RodError> {
        for mode in 0..self.turns.len() {
            let (mut difference, mut size, mut turned) = (0.0, 0.0, 0.0);
            for pair in self.order.windows(2) {
                let Some(piece) = self.piece(pair[0], pair[1]) else { continue };
                let [a, b] = piece.ends[mode];
                let (d, r) = (piece.slopes[mode], ((a + b) * 0.5).cross(&piece.tangent));
                difference += piece.length * (d - r).norm_squared();
                size += piece.length * (d.norm_squared() + r.norm_squared());
                turned += piece.length * (a.norm_squared() + b.norm_squared());
            }
            // Torsion has no slopes.
            if size > STILL * turned && !(difference <= MAX_MISMATCH * size) {
                return Err(RodError::Rotations { mode, difference: (difference / size).sqrt() });
            }
        }
        Ok(())
    }

    /// The piece from node `a` to node `b`; none if they are at one place.
    fn piece(&self, a: usize, b: usize) -> Option<RodPiece> {
        let (along, length) = (self.nodes[b] - self.nodes[a], (self.nodes[b] - self.nodes[a]).norm());
        if !(length > self.shortest) {
            return None;
        }
        let tangent = along / length;
        let slope = |mode: &Vec<Vector3<f64>>| across(&((mode[b] - mode[a]) / length), &tangent);
        Some(RodPiece {
            length,
            tangent,
            slopes: self.modes.iter().map(slope).collect(),
            ends: self.turns.iter().map(|turn| [turn[a], turn[b]]).collect(),
        })
    }

    /// Calls `visit(node, its second-order motion)` for every node, from the root outwards.
    pub fn visit(&self, visit: &mut dyn FnMut(usize, &SecondOrder)) {
        let n = self.modes.len();
        let still = SecondOrder::zeros(n);
        if let Some(root) = self.order.get(self.root) {
            visit(*root, &still);
        }
        let inwards: Vec<usize> = self.order[..=self.root].iter().rev().copied().collect();
        for branch in [&self.order[self.root..], &inwards] {
            let mut second = still.clone();
            for pair in branch.windows(2) {
                if let Some(piece) = self.piece(pair[0], pair[1]) {
                    piece.advance(&mut second, n);
                }
                visit(pair[1], &second);
            }
        }
    }

    /// The integrals of the whole rod, and the second-order motion of some nodes.
    pub fn stiffening(
        &self,
        masses: &[f64],
        rotary: Option<Rotary>,
        wanted: &[usize],
    ) -> Result<(Geometric, Vec<(usize, SecondOrder)>), RodError> {
        if masses.len() != self.nodes.len() {
            return Err(RodError::NoMasses);
        }
        let mut all = Geometric::zeros(self.modes.len());
        (all.known, all.nodes) = ([true; 12], true);
        let mut kept = Vec::new();
        self.visit(&mut |node, second| {
            all.add_mass(&self.nodes[node], masses[node], second);
            if let Some(rotary) = rotary.filter(|r| !r.turns.is_empty()) {
                all.add_rotary(&rotary, node, second);
            }
            if wanted.contains(&node) {
                kept.push((node, second.clone()));
            }
        });
        Ok((all, kept))
    }

    /// Geometric stiffness of forces at the nodes, which do not turn with the body.
    pub fn stiffness(&self, forces: &[Vector3<f64>]) -> DMatrix<f64> {
        let n = self.modes.len();
        let mut matrix = DMatrix::zeros(n, n);
        self.visit(&mut |node, second| {
            let force = forces.get(node).copied().unwrap_or_default();
            for (pair, w) in second.shifts.iter().enumerate() {
                matrix[(pair / n, pair % n)] -= force.dot(w);
            }
        });
        matrix
    }
}

impl RodPiece {
    /// Moves on from the first end of the piece to the second.
    fn advance(&self, second: &mut SecondOrder, n: usize) {
        let (length, t) = (self.length, self.tangent);
        for k in 0..n {
            for l in 0..=k {
                let mut step = -t * self.shortening(k, l);
                if let (Some(a), Some(b)) = (self.ends.get(k), self.ends.get(l)) {
                    let twist = (a[0].cross(&b[1]) + b[0].cross(&a[1])) * 0.5;
                    step += (second.turns[k * n + l] + twist * 0.5).cross(&t) * length;
                    step += (self.twisted(a, b) + self.twisted(b, a)) * 0.5;
                    second.turns[k * n + l] += twist;
                    second.turns[l * n + k] = second.turns[k * n + l];
                }
                second.shifts[k * n + l] += step;
                second.shifts[l * n + k] = second.shifts[k * n + l];
            }
        }
    }

    /// `int phi_k' . phi_l' ds` across the tangent.
    fn shortening(&self, k: usize, l: usize) -> f64 {
        let (d, e) = (self.slopes[k], self.slopes[l]);
        let (Some(a), Some(b)) = (self.ends.get(k), self.ends.get(l)) else { return self.length * d.dot(&e) };
        let [a, b] = [a, b].map(|ends| ends.map(|psi| psi.cross(&self.tangent)));
        let mixed = d.dot(&(b[0] + b[1])) + e.dot(&(a[0] + a[1]));
        let own = a[0].dot(&b[0]) + a[1].dot(&b[1]);
        let other = a[0].dot(&b[1]) + a[1].dot(&b[0]);
        self.length * (1.2 * d.dot(&e) - mixed / 10.0 + own * (2.0 / 15.0) - other / 30.0)
    }

    /// `int (psi_k . t) psi_l ds` across the tangent.
    fn twisted(&self, a: &[Vector3<f64>; 2], b: &[Vector3<f64>; 2]) -> Vector3<f64> {
        let twist = a.map(|psi| psi.dot(&self.tangent));
        let bend = b.map(|psi| across(&psi, &self.tangent));
        let sum = bend[0] * (2.0 * twist[0] + twist[1]) + bend[1] * (twist[0] + 2.0 * twist[1]);
        sum * (self.length / 6.0)
    }
}

fn across(x: &Vector3<f64>, t: &Vector3<f64>) -> Vector3<f64> {
    x - t * x.dot(t)
}

/// Nodes in their order along a straight line, or in the given order along a bent one; and the size of the
/// rod.
fn chain(nodes: &[Vector3<f64>]) -> Option<(Vec<usize>, f64)> {
    let farthest = |from: &Vector3<f64>| {
        nodes.iter().copied().max_by(|a, b| (a - from).norm().total_cmp(&(b - from).norm()))
    };
    let end = farthest(nodes.first()?)?;
    let other = farthest(&end)?;
    let (size, direction) = ((end - other).norm(), (end - other).try_normalize(0.0)?);
    let offset = |x: &Vector3<f64>| across(&(x - other), &direction).norm();
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    let straight = nodes.iter().all(|x| offset(x) <= MAX_OFFSET * size);
    if straight {
        order.sort_by(|a, b| nodes[*a].dot(&direction).total_cmp(&nodes[*b].dot(&direction)));
    }
    let mut before: Option<Vector3<f64>> = None;
    for pair in order.windows(2) {
        let along = nodes[pair[1]] - nodes[pair[0]];
        let Some(t) = along.try_normalize(SHORTEST_PIECE * size) else { continue };
        let bent = before.is_some_and(|last| !(last.dot(&t) > BENT));
        if straight && !(t.dot(&direction) > STRAIGHT) || bent {
            return None;
        }
        before = Some(t);
    }
    Some((order, size))
}
