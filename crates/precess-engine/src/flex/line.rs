//! Stiffening of a modal body with nodes along a line by the tension of its axial modes.

use nalgebra::{DMatrix, Vector3};

use crate::flex::modal::ModeStiffening;

/// Largest distance of a node from the line, relative to its length.
const MAX_OFFSET: f64 = 0.05;

/// Largest part of a mode along the line, or across it, that is neglected.
const NEGLECTED_PART: f64 = 1e-6;

/// Largest relative difference of EA between axial modes of a uniform line.
const UNIFORM_TOLERANCE: f64 = 0.01;

/// Nodes in their order along a line.
struct Line<'a> {
    direction: Vector3<f64>,
    length: f64,
    order: Vec<usize>,
    nodes: &'a [Vector3<f64>],
    modes: &'a [Vec<Vector3<f64>>],
}

impl<'a> Line<'a> {
    /// None if the nodes are not along a line through the origin of the frame.
    fn new(nodes: &'a [Vector3<f64>], modes: &'a [Vec<Vector3<f64>>]) -> Option<Self> {
        let far = nodes.iter().max_by(|a, b| a.norm().total_cmp(&b.norm()))?;
        let (length, direction) = (far.norm(), far.try_normalize(0.0)?);
        if nodes.iter().any(|x| (x - direction * x.dot(&direction)).norm() > MAX_OFFSET * length) {
            return None;
        }
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by(|a, b| nodes[*a].dot(&direction).total_cmp(&nodes[*b].dot(&direction)));
        Some(Line { direction, length, order, nodes, modes })
    }

    fn coordinate(&self, i: usize) -> f64 {
        self.nodes[i].dot(&self.direction)
    }

    /// Pieces between neighbours with their lengths.
    fn pieces(&self) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
        let pairs = self.order.windows(2).map(|pair| [pair[0], pair[1]]);
        let pieces = pairs.map(|[a, b]| ([a, b], self.coordinate(b) - self.coordinate(a)));
        pieces.filter(|(_, dx)| *dx > 1e-9 * self.length)
    }

    /// Slopes of mode `k` in a piece: along the line, and across it.
    fn slopes(&self, k: usize, [a, b]: [usize; 2], dx: f64) -> (f64, Vector3<f64>) {
        let d = (self.modes[k][b] - self.modes[k][a]) / dx;
        let along = d.dot(&self.direction);
        (along, d - self.direction * along)
    }

    /// `int N phi' phi'^T dx` over the slopes across, with the tension `N` of each piece.
    fn tightened(&self, tension: impl Fn([usize; 2], f64) -> f64) -> DMatrix<f64> {
        let n = self.modes.len();
        let mut matrix = DMatrix::zeros(n, n);
        for (piece, dx) in self.pieces() {
            let pull = tension(piece, dx) * dx;
            let bends: Vec<Vector3<f64>> = (0..n).map(|k| self.slopes(k, piece, dx).1).collect();
            for k in 0..n {
                for l in 0..n {
                    matrix[(k, l)] += pull * bends[k].dot(&bends[l]);
                }
            }
        }
        matrix
    }
}

/// Why the tension of a line is unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum LineError {
    /// The nodes are not along a line through the origin of the frame.
    NoLine,
    /// No mode stretches the line.
    NoAxialMode,
    /// A mode stretches and bends the line, so its stiffness does not give EA.
    Mixed(usize),
    /// EA from two of the modes.
    NotUniform(f64, f64),
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LineError::NoLine => {
                f.write_str("the nodes are not along a line through the origin of the frame")
            }
            LineError::NoAxialMode => f.write_str("no mode stretches the line of the nodes"),
            LineError::Mixed(k) => write!(f, "mode {} stretches the line and bends it", k + 1),
            LineError::NotUniform(a, b) => {
                write!(
                    f,
                    "EA is {a:.4e} N by one axial mode and {b:.4e} N by another: the section is not uniform"
                )
            }
        }
    }
}

impl std::error::Error for LineError {}

/// Stiffening of bending by the tension of the axial modes, for a line of uniform section:
/// `C_a = EA int N_a' phi' phi'^T dx`. The stiffness of the axial modes, `K_aa = EA int N_a'^2 dx`, gives EA.
/// See [`ModeStiffening`].
pub fn tension_of_line(
    nodes: &[Vector3<f64>],
    modes: &[Vec<Vector3<f64>>],
    stiffness: &DMatrix<f64>,
) -> Result<Vec<ModeStiffening>, LineError> {
    let line = Line::new(nodes, modes).ok_or(LineError::NoLine)?;
    let mut list: Vec<(usize, f64)> = Vec::new();
    for k in 0..modes.len() {
        let (mut along, mut across) = (0.0, 0.0);
        for (piece, dx) in line.pieces() {
            let (stretch, bend) = line.slopes(k, piece, dx);
            along += stretch * stretch * dx;
            across += bend.norm_squared() * dx;
        }
        if along <= NEGLECTED_PART * across {
            continue;
        }
        if !(across <= NEGLECTED_PART * along) {
            return Err(LineError::Mixed(k));
        }
        list.push((k, stiffness[(k, k)] / along));
    }
    let Some(&(_, first)) = list.first() else { return Err(LineError::NoAxialMode) };
    if let Some((_, other)) = list.iter().find(|(_, ea)| !((ea / first - 1.0).abs() < UNIFORM_TOLERANCE)) {
        return Err(LineError::NotUniform(first, *other));
    }
    let entry = |&(mode, ea): &(usize, f64)| ModeStiffening {
        mode,
        matrix: line.tightened(|piece, dx| ea * line.slopes(mode, piece, dx).0),
    };
    Ok(list.iter().map(entry).collect())
}
