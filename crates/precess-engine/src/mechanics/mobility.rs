//! Degrees of freedom and redundant constraints.
//!
//! The rank of the constraints is that of the unit-free matrix G = D^-1/2 B M^-1/2, by QR of G^T with column
//! pivoting. D is one number per joint for its rows of translation and one for its rows of rotation, the mean
//! of the diagonal of B M^-1 B^T. With redundant rows, the null space of G^T gives the share of each joint in
//! the redundancy: the diagonal blocks of its projector. Shares add up to the number of redundant rows. A
//! joint with share zero ([`UNIQUE`]) has unique reactions; for the others a rigid model determines only
//! their sum. Reactions of nearly redundant rows are unique in theory but depend on errors of the geometry,
//! so they are not called unique.
//!
//! A joint that alone holds a body cannot be redundant. Such joints are removed first, so that only loops are
//! factorised.

mod nearby;
mod pivoted;

use std::ops::Range;

use nalgebra::DMatrix;
use precess_lie::Factor;

use nearby::Nearby;
use pivoted::Pivoted;

use super::{State, System, Tangents, Want};
use crate::solve::structure::RowGroup;

/// Pivots below this fraction of the largest are zero: their rows are redundant.
pub const REDUNDANT: f64 = 1e-8;
/// Pivots below this fraction belong to rows that are redundant except for small errors of the geometry.
pub const NEARLY: f64 = 1e-4;
/// Joints with a smaller share in the redundancy have unique reactions. Shares are squares: joints that take
/// no part have 1e-20 and less, and one whose bodies have a millionth of the others' inertia has 1e-6.
pub const UNIQUE: f64 = 1e-14;
/// With more redundant rows, single components are not analysed.
const MAX_ANALYSED: usize = 200;
/// Smallest inertia, relative to the largest.
const INERTIA_FLOOR: f64 = 1e-6;

/// The mobility that the constraints leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mobility {
    /// Velocity coordinates of all bodies.
    pub coordinates: usize,
    /// Number of constraint rows that are not turned off.
    pub rows: usize,
    /// Number of independent rows.
    pub rank: usize,
    /// Share of each joint in the redundant rows; the sum is `rows - rank`.
    pub shares: Vec<f64>,
    /// Sizes of the pivots of nearly redundant rows, relative to the largest pivot.
    pub nearly: Vec<f64>,
    /// Share of each joint in the nearly redundant rows.
    pub nearly_shares: Vec<f64>,
    /// Combinations of multipliers without any force, one list for each redundant or nearly redundant row: a
    /// rigid model does not determine them. None if there are too many.
    pub null: Option<Vec<Vec<f64>>>,
    /// Rank in nearby configurations, if it is larger: the initial configuration is singular.
    pub rank_nearby: Option<usize>,
}

impl Mobility {
    /// True if no row depends on the others, not even nearly.
    pub fn is_regular(&self) -> bool {
        self.rank == self.rows && self.nearly.is_empty() && self.rank_nearby.is_none()
    }

    /// Rows that depend on the others.
    pub fn redundant(&self) -> usize {
        self.rows - self.rank
    }

    /// Degrees of freedom of the motion, outside singular configurations.
    pub fn degrees_of_freedom(&self) -> usize {
        self.coordinates - self.rank_nearby.unwrap_or(self.rank)
    }
}

/// Analyses a system in absolute coordinates R^3xSO(3) (every rigid body has three rotations, then three
/// translations). `joints` are the rows of each joint and the bodies they touch; together they cover all
/// rows. The first `bodies` factors of the group are bodies.
pub fn mobility(system: &dyn System, state: &State, joints: &[RowGroup], bodies: usize) -> Mobility {
    let joints = &acting(system, state, joints)[..];
    let columns = BodyColumns::new(system, bodies);
    let blocks = JointBlocks::new(system, state, joints, &columns).scaled(joints, &columns);
    let core = blocks.core(&columns);
    let mut m = Mobility {
        coordinates: columns.ranges.last().map_or(0, |r| r.end),
        rows: joints.iter().map(|j| j.rows.len()).sum(),
        shares: vec![0.0; joints.len()],
        nearly_shares: vec![0.0; joints.len()],
        ..Mobility::default()
    };
    let g = blocks.dense(joints, &columns, &core);
    let qr = Pivoted::new(&g, REDUNDANT);
    m.rank = m.rows - core.rows(joints) + qr.rank;
    qr.add_shares(&core, joints, qr.rank, &mut m.shares);
    let solid = qr.sizes.iter().take_while(|&&s| s > NEARLY * qr.sizes[0]).count();
    m.nearly = qr.sizes[solid..].iter().map(|s| s / qr.sizes[0]).collect();
    if solid < qr.rank {
        qr.add_shares(&core, joints, solid, &mut m.nearly_shares);
        for (near, exact) in m.nearly_shares.iter_mut().zip(&m.shares) {
            *near = (*near - exact).max(0.0);
        }
    }
    if qr.order.len() - solid <= MAX_ANALYSED {
        m.null = Some(blocks.multipliers(&qr.null_basis(solid), joints, &core, system.n_lambda()));
    }
    if m.rank < m.rows {
        let nearby = Nearby { system, state, joints, columns: &columns, core: &core };
        let rank = (0..3).filter_map(|seed| nearby.rank(seed)).max().unwrap_or(0);
        let rank = m.rows - core.rows(joints) + rank;
        m.rank_nearby = (rank > m.rank).then_some(rank);
    }
    m
}

/// The joints without rows that are turned off, which are zero. The drive has the last row of its joint.
fn acting(system: &dyn System, state: &State, joints: &[RowGroup]) -> Vec<RowGroup> {
    let mut t = Tangents::of(system);
    t.evaluate(system, &state.at(), Want::SADDLE);
    let acts = |joint: &RowGroup, row: usize| {
        let mut columns = joint.factors.iter().flat_map(|&f| system.group().v_range(f));
        columns.any(|col| t.b.get(row, col) != 0.0)
    };
    let without = |joint: &RowGroup| match joint.rows.clone().rev().find(|&row| acts(joint, row)) {
        Some(last) => RowGroup { rows: joint.rows.start..last + 1, factors: joint.factors.clone() },
        None => RowGroup { rows: joint.rows.start..joint.rows.start, factors: Vec::new() },
    };
    joints.iter().map(without).collect()
}

/// The constraint rows that measure lengths, not angles: those that depend on a translation.
pub fn length_rows(system: &dyn System, state: &State, joints: &[RowGroup], bodies: usize) -> Vec<bool> {
    let columns = BodyColumns::new(system, bodies);
    let blocks = JointBlocks::new(system, state, joints, &columns);
    let mut list = vec![false; system.n_lambda()];
    for (i, joint) in joints.iter().enumerate() {
        joint.rows.clone().enumerate().for_each(|(k, row)| list[row] = blocks.is_length(i, k, &columns));
    }
    list
}

/// Columns of every body, and which of them are rotations.
struct BodyColumns {
    ranges: Vec<Range<usize>>,
    rotations: Vec<usize>,
    length: f64,
}

impl BodyColumns {
    fn new(system: &dyn System, bodies: usize) -> Self {
        let group = system.group();
        let factors = &group.factors()[..bodies.min(group.factors().len())];
        let rotations = factors.iter().map(|f| if matches!(f, Factor::Rn(_)) { 0 } else { 3 }).collect();
        let ranges = (0..factors.len()).map(|i| group.v_range(i)).collect();
        BodyColumns { ranges, rotations, length: system.length_scale() }
    }

    /// Unit of a column of a body: rotations 1, translations the length scale.
    fn unit(&self, body: usize, column: usize) -> f64 {
        if column < self.rotations[body] { 1.0 } else { self.length }
    }
}

/// The blocks of B (or of a matrix with its pattern): for every joint those of the bodies it touches.
struct JointBlocks {
    joints: Vec<Vec<(usize, DMatrix<f64>)>>,
    /// M^-1/2 of every body.
    roots: Vec<DMatrix<f64>>,
    /// D^-1/2 of every row, by joint.
    scales: Vec<Vec<f64>>,
}

impl JointBlocks {
    /// B.
    fn new(system: &dyn System, state: &State, joints: &[RowGroup], columns: &BodyColumns) -> Self {
        let mut t = Tangents::of(system);
        t.evaluate(system, &state.at(), Want::SADDLE);
        let block = |rows: &Range<usize>, body: usize| {
            let cols = &columns.ranges[body];
            DMatrix::from_fn(rows.len(), cols.len(), |i, j| t.b.get(rows.start + i, cols.start + j))
        };
        let of_joint = |joint: &RowGroup| {
            let bodies = joint.factors.iter().filter(|&&f| f < columns.ranges.len());
            bodies.map(|&f| (f, block(&joint.rows, f))).collect()
        };
        let root = |body: usize| {
            let cols = &columns.ranges[body];
            let mut root = DMatrix::zeros(cols.len(), cols.len());
            for part in [0..columns.rotations[body], columns.rotations[body]..cols.len()] {
                if !part.is_empty() {
                    let mass = DMatrix::from_fn(part.len(), part.len(), |i, j| {
                        t.s.get(cols.start + part.start + i, cols.start + part.start + j)
                    });
                    root.view_mut((part.start, part.start), mass.shape()).copy_from(&inverse_root(mass));
                }
            }
            root
        };
        JointBlocks {
            joints: joints.iter().map(of_joint).collect(),
            roots: (0..columns.ranges.len()).map(root).collect(),
            scales: joints.iter().map(|j| vec![1.0; j.rows.len()]).collect(),
        }
    }

    /// True if row k of a joint depends on a translation.
    fn is_length(&self, joint: usize, k: usize, columns: &BodyColumns) -> bool {
        self.joints[joint]
            .iter()
            .any(|(body, block)| (columns.rotations[*body]..block.ncols()).any(|col| block[(k, col)] != 0.0))
    }

    /// G.
    fn scaled(mut self, joints: &[RowGroup], columns: &BodyColumns) -> Self {
        for (i, joint) in joints.iter().enumerate() {
            let lengths: Vec<bool> = (0..joint.rows.len()).map(|k| self.is_length(i, k, columns)).collect();
            for (body, block) in &mut self.joints[i] {
                *block = &*block * &self.roots[*body];
            }
            for kind in [true, false] {
                let rows: Vec<usize> = (0..lengths.len()).filter(|&k| lengths[k] == kind).collect();
                let size =
                    |&k: &usize| self.joints[i].iter().map(|(_, b)| b.row(k).norm_squared()).sum::<f64>();
                let sum: f64 = rows.iter().map(size).sum();
                if sum > 0.0 {
                    let scale = (sum / rows.len() as f64).sqrt().recip();
                    for (_, block) in &mut self.joints[i] {
                        rows.iter().for_each(|&k| block.row_mut(k).scale_mut(scale));
                    }
                    rows.iter().for_each(|&k| self.scales[i][k] = scale);
                }
            }
        }
        self
    }

    /// Converts columns over the rows of loops to multipliers of all rows.
    fn multipliers(
        &self,
        columns: &DMatrix<f64>,
        joints: &[RowGroup],
        core: &Core,
        m: usize,
    ) -> Vec<Vec<f64>> {
        let places = core.joints.iter().flat_map(|&j| joints[j].rows.clone().zip(&self.scales[j]));
        let places: Vec<(usize, &f64)> = places.collect();
        let of = |c: usize| {
            let mut lambda = vec![0.0; m];
            places.iter().enumerate().for_each(|(i, (row, scale))| lambda[*row] = *scale * columns[(i, c)]);
            lambda
        };
        (0..columns.ncols()).map(of).collect()
    }

    /// The joints and bodies of loops: repeatedly removes joints with independent rows that alone hold a
    /// body.
    fn core(&self, columns: &BodyColumns) -> Core {
        let mut holding: Vec<Vec<usize>> = vec![Vec::new(); columns.ranges.len()];
        for (j, blocks) in self.joints.iter().enumerate() {
            blocks.iter().for_each(|(b, _)| holding[*b].push(j));
        }
        let mut left = vec![true; self.joints.len()];
        let mut leaves: Vec<usize> = (0..columns.ranges.len()).collect();
        while let Some(body) = leaves.pop() {
            let [joint] = holding[body][..] else { continue };
            let Some((_, block)) = self.joints[joint].iter().find(|(b, _)| *b == body) else { continue };
            let qr = Pivoted::new(block, NEARLY);
            if qr.rank < block.nrows() || qr.sizes.last().is_some_and(|&s| s < 10.0 * NEARLY) {
                continue;
            }
            left[joint] = false;
            for (b, _) in &self.joints[joint] {
                holding[*b].retain(|&j| j != joint);
                leaves.push(*b);
            }
        }
        Core {
            joints: (0..left.len()).filter(|&j| left[j]).collect(),
            bodies: (0..holding.len()).filter(|&b| !holding[b].is_empty()).collect(),
        }
    }

    /// The rows and columns of the loops.
    fn dense(&self, joints: &[RowGroup], columns: &BodyColumns, core: &Core) -> DMatrix<f64> {
        let mut first = vec![0; columns.ranges.len()];
        let mut cols = 0;
        for &b in &core.bodies {
            first[b] = cols;
            cols += columns.ranges[b].len();
        }
        let mut dense = DMatrix::zeros(core.rows(joints), cols);
        let mut row = 0;
        for &j in &core.joints {
            for (body, block) in &self.joints[j] {
                dense.view_mut((row, first[*body]), block.shape()).copy_from(block);
            }
            row += joints[j].rows.len();
        }
        dense
    }
}

/// M^-1/2 of a symmetric block; directions without inertia get a little.
fn inverse_root(block: DMatrix<f64>) -> DMatrix<f64> {
    let eigen = block.symmetric_eigen();
    let largest = eigen.eigenvalues.max();
    let floor = if largest > 0.0 { INERTIA_FLOOR * largest } else { 1.0 };
    let roots = eigen.eigenvalues.map(|x| x.max(floor).sqrt().recip());
    &eigen.eigenvectors * DMatrix::from_diagonal(&roots) * eigen.eigenvectors.transpose()
}

/// The joints and bodies of loops.
struct Core {
    joints: Vec<usize>,
    bodies: Vec<usize>,
}

impl Core {
    fn rows(&self, joints: &[RowGroup]) -> usize {
        self.joints.iter().map(|&j| joints[j].rows.len()).sum()
    }
}
