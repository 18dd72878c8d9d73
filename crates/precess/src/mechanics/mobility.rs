//! Degrees of freedom and redundant constraints.
//!
//! The rank of the constraints is that of the unit-free matrix G = D^-1/2 B M^-1/2, by QR of G^T with column pivoting. D is
//! one number per joint for its rows of translation and one for its rows of rotation, the mean of the diagonal of
//! B M^-1 B^T. With redundant rows, the null space of G^T says how much each joint takes part in the redundancy: the
//! diagonal blocks of its projector. Shares add up to the number of redundant rows; a joint with share zero ([`UNIQUE`]) has
//! unique reactions, for the others a rigid model determines their sum only. Those of nearly redundant rows are unique on paper
//! but follow errors of the geometry, and are not called unique.
//!
//! Joints that hang on a body which nothing else holds cannot be redundant and are taken off first, so that only loops are
//! factorised.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use precess_lie::Factor;

use super::{State, System, Tangents, Want};
use crate::solve::structure::RowGroup;

/// Pivots below this fraction of the largest are zero: their rows are redundant.
pub const REDUNDANT: f64 = 1e-8;
/// Pivots below this fraction belong to rows that are redundant but for small errors of the geometry.
pub const NEARLY: f64 = 1e-4;
/// Joints with a smaller share in the redundancy have unique reactions. Shares are squares: joints that take no part have
/// 1e-20 and less, and one whose bodies have a millionth of the others' inertia has 1e-6.
pub const UNIQUE: f64 = 1e-14;
/// With more redundant rows than this nobody looks at single components.
const MOST_OPEN: usize = 200;
/// Inertias are not taken smaller than this fraction of the largest.
const INERTIA_FLOOR: f64 = 1e-6;

/// What the constraints leave free.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mobility {
    /// Velocity coordinates of all bodies.
    pub coordinates: usize,
    /// Constraint rows that are not turned off.
    pub rows: usize,
    /// Independent ones.
    pub rank: usize,
    /// Share of each joint in the redundant rows; the sum is `rows - rank`.
    pub shares: Vec<f64>,
    /// Sizes of the pivots of nearly redundant rows, relative to the largest pivot.
    pub nearly: Vec<f64>,
    /// Share of each joint in the nearly redundant rows.
    pub nearly_shares: Vec<f64>,
    /// Multipliers that exert no force together, one list for each redundant or nearly redundant row: what a rigid model leaves open. None
    /// where there are very many.
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

    /// Degrees of freedom of the motion, that is outside of singular configurations.
    pub fn degrees_of_freedom(&self) -> usize {
        self.coordinates - self.rank_nearby.unwrap_or(self.rank)
    }
}

/// Analyses a system in absolute coordinates R^3xSO(3) (every rigid body has three rotations, then three translations).
/// `joints` are the rows of each joint and the bodies they touch; together they cover all rows. The first `bodies` factors
/// of the group are bodies.
pub fn mobility(system: &dyn System, state: &State, joints: &[RowGroup], bodies: usize) -> Mobility {
    let joints = &acting(system, state, joints)[..];
    let columns = Columns::new(system, bodies);
    let blocks = Blocks::new(system, state, joints, &columns).scaled(joints, &columns);
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
    if qr.order.len() - solid <= MOST_OPEN {
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

/// The joints without what is turned off: rows of zeros hold nothing. Drives have the last row of their joint.
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

/// Which constraint rows measure lengths, not angles: those that depend on a translation.
pub fn length_rows(system: &dyn System, state: &State, joints: &[RowGroup], bodies: usize) -> Vec<bool> {
    let columns = Columns::new(system, bodies);
    let blocks = Blocks::new(system, state, joints, &columns);
    let mut list = vec![false; system.n_lambda()];
    for (i, joint) in joints.iter().enumerate() {
        joint.rows.clone().enumerate().for_each(|(k, row)| list[row] = blocks.is_length(i, k, &columns));
    }
    list
}

/// Columns of every body, and which of them are rotations.
struct Columns {
    ranges: Vec<Range<usize>>,
    rotations: Vec<usize>,
    length: f64,
}

impl Columns {
    fn new(system: &dyn System, bodies: usize) -> Self {
        let group = system.group();
        let factors = &group.factors()[..bodies.min(group.factors().len())];
        let rotations = factors.iter().map(|f| if matches!(f, Factor::Rn(_)) { 0 } else { 3 }).collect();
        let ranges = (0..factors.len()).map(|i| group.v_range(i)).collect();
        Columns { ranges, rotations, length: system.length_scale() }
    }

    /// Unit of a column of a body: rotations 1, translations the length scale.
    fn unit(&self, body: usize, column: usize) -> f64 {
        if column < self.rotations[body] { 1.0 } else { self.length }
    }
}

/// The blocks of B (or of a matrix with its pattern): for every joint those of the bodies it touches.
struct Blocks {
    joints: Vec<Vec<(usize, DMatrix<f64>)>>,
    /// M^-1/2 of every body.
    roots: Vec<DMatrix<f64>>,
    /// D^-1/2 of every row, by joint.
    scales: Vec<Vec<f64>>,
}

impl Blocks {
    /// B.
    fn new(system: &dyn System, state: &State, joints: &[RowGroup], columns: &Columns) -> Self {
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
        Blocks {
            joints: joints.iter().map(of_joint).collect(),
            roots: (0..columns.ranges.len()).map(root).collect(),
            scales: joints.iter().map(|j| vec![1.0; j.rows.len()]).collect(),
        }
    }

    /// True if row k of a joint depends on a translation.
    fn is_length(&self, joint: usize, k: usize, columns: &Columns) -> bool {
        self.joints[joint]
            .iter()
            .any(|(body, block)| (columns.rotations[*body]..block.ncols()).any(|col| block[(k, col)] != 0.0))
    }

    /// G.
    fn scaled(mut self, joints: &[RowGroup], columns: &Columns) -> Self {
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

    /// Columns over the rows of loops as multipliers of all rows.
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

    /// The joints and bodies of loops: joints that alone hold a body, with independent rows, are taken off, again and
    /// again.
    fn core(&self, columns: &Columns) -> Core {
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
    fn dense(&self, joints: &[RowGroup], columns: &Columns, core: &Core) -> DMatrix<f64> {
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

/// M^-1/2 of a symmetric block; directions without inertia are given a little.
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

/// QR factorisation with column pivoting of the transpose: rows of the matrix are orthogonalised one after the other, the
/// largest remainder first, until it is below a tolerance.
struct Pivoted {
    /// Rows in the order they were taken; those after `rank` were left over.
    order: Vec<usize>,
    /// Remainders of the rows taken, R_kk.
    sizes: Vec<f64>,
    rank: usize,
    /// Orthonormal rows, as columns.
    q: Vec<DVector<f64>>,
    /// R, its columns by row of the matrix.
    r: Vec<Vec<f64>>,
}

impl Pivoted {
    fn new(matrix: &DMatrix<f64>, tolerance: f64) -> Self {
        let n = matrix.nrows();
        let mut rest: Vec<DVector<f64>> = matrix.row_iter().map(|r| r.transpose()).collect();
        let mut qr =
            Pivoted { order: (0..n).collect(), sizes: vec![], rank: 0, q: vec![], r: vec![vec![]; n] };
        while qr.rank < n {
            let k = qr.rank;
            let (at, size) = qr.order[k..]
                .iter()
                .enumerate()
                .map(|(i, &row)| (k + i, rest[row].norm()))
                .fold((k, -1.0), |best, x| if x.1 > best.1 { x } else { best });
            let first = qr.sizes.first().copied().unwrap_or(size);
            if !(size > tolerance * first) {
                break;
            }
            qr.order.swap(k, at);
            let chosen = qr.order[k];
            let direction = &rest[chosen] / size;
            qr.r[chosen].push(size);
            for &row in &qr.order[k + 1..] {
                let mut overlap = 0.0;
                // The second pass restores orthogonality.
                for _ in 0..2 {
                    let part = rest[row].dot(&direction);
                    rest[row].axpy(-part, &direction, 1.0);
                    overlap += part;
                }
                qr.r[row].push(overlap);
            }
            qr.q.push(direction);
            qr.sizes.push(size);
            qr.rank += 1;
        }
        qr
    }

    /// Adds the diagonal of N N^T, summed over the rows of each joint, with N of [`null_basis`](Self::null_basis).
    fn add_shares(&self, core: &Core, joints: &[RowGroup], rank: usize, shares: &mut [f64]) {
        if self.order.len() == rank {
            return;
        }
        let basis = self.null_basis(rank);
        let mut row = 0;
        for &joint in &core.joints {
            for _ in joints[joint].rows.clone() {
                shares[joint] += basis.row(row).norm_squared();
                row += 1;
            }
        }
    }

    /// An orthonormal basis of the combinations of rows that vanish when everything after `rank` pivots counts as zero, as columns.
    fn null_basis(&self, rank: usize) -> DMatrix<f64> {
        let (n, left) = (self.order.len(), self.order.len() - rank);
        if left == 0 {
            return DMatrix::zeros(n, 0);
        }
        let mut null = DMatrix::zeros(n, left);
        let r11 = DMatrix::from_fn(rank, rank, |i, j| if i <= j { self.r[self.order[j]][i] } else { 0.0 });
        for (c, &row) in self.order[rank..].iter().enumerate() {
            let right = DVector::from_fn(rank, |i, _| -self.r[row][i]);
            if let Some(z) = r11.solve_upper_triangular(&right) {
                (0..rank).for_each(|i| null[(self.order[i], c)] = z[i]);
            }
            null[(row, c)] = 1.0;
        }
        null.qr().q()
    }

    /// The shortest x with A x = right in the independent rows.
    fn solve(&self, right: &DVector<f64>) -> DVector<f64> {
        let n = self.q.first().map_or(0, DVector::len);
        let mut x = DVector::zeros(n);
        let mut z = vec![0.0; self.rank];
        for k in 0..self.rank {
            let column = &self.r[self.order[k]];
            let known: f64 = (0..k).map(|i| column[i] * z[i]).sum();
            z[k] = (right[self.order[k]] - known) / column[k];
            x.axpy(z[k], &self.q[k], 1.0);
        }
        x
    }
}

/// A configuration near the given one that satisfies the constraints.
struct Nearby<'a> {
    system: &'a dyn System,
    state: &'a State,
    joints: &'a [RowGroup],
    columns: &'a Columns,
    core: &'a Core,
}

impl Nearby<'_> {
    /// B of the loops, with translations in units of the length scale.
    fn b(&self, state: &State) -> DMatrix<f64> {
        let mut blocks = Blocks::new(self.system, state, self.joints, self.columns);
        for (body, block) in blocks.joints.iter_mut().flatten() {
            for (j, mut column) in block.column_iter_mut().enumerate() {
                column *= self.columns.unit(*body, j);
            }
        }
        blocks.dense(self.joints, self.columns, self.core)
    }

    fn moved(&self, state: &State, x: &DVector<f64>) -> State {
        let group = self.system.group();
        let mut full = vec![0.0; group.dim()];
        let mut x = x.iter();
        for &body in &self.core.bodies {
            for (j, col) in self.columns.ranges[body].clone().enumerate() {
                full[col] = x.next().copied().unwrap_or(0.0) * self.columns.unit(body, j);
            }
        }
        let mut moved = state.clone();
        group.retract(&state.q, &full, &mut moved.q);
        moved
    }

    fn phi(&self, state: &State) -> DVector<f64> {
        let mut all = vec![0.0; self.system.n_lambda()];
        self.system.constraint(&state.at(), &mut all);
        let rows = self.core.joints.iter().flat_map(|&j| self.joints[j].rows.clone());
        DVector::from_iterator(self.core.rows(self.joints), rows.map(|r| all[r]))
    }

    /// Rank of the loops after a random step along the free motions, brought back onto the constraints.
    fn rank(&self, seed: u64) -> Option<usize> {
        let b = self.b(self.state);
        let qr = Pivoted::new(&b, REDUNDANT);
        let mut random = Random(seed + 1);
        let mut x = DVector::from_fn(b.ncols(), |_, _| random.next());
        for q in &qr.q {
            let part = q.dot(&x);
            x.axpy(-part, q, 1.0);
        }
        let size = x.norm();
        if !(size > 1e-6) {
            return None;
        }
        let mut state = self.moved(self.state, &(x * (1e-3 / size)));
        for _ in 0..20 {
            let phi = self.phi(&state);
            if phi.amax() <= 1e-13 {
                break;
            }
            // Between the second-order errors of the step, 1e-6, and the first-order ones that make rows independent, 1e-3.
            let correction = Pivoted::new(&self.b(&state), 3e-5).solve(&-phi);
            state = self.moved(&state, &correction);
        }
        if !(self.phi(&state).amax() <= 1e-11) {
            return None;
        }
        let blocks = Blocks::new(self.system, &state, self.joints, self.columns);
        let g = blocks.scaled(self.joints, self.columns).dense(self.joints, self.columns, self.core);
        Some(Pivoted::new(&g, REDUNDANT).rank)
    }
}

/// Numbers in [-1, 1), the same ones every time (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        // Seeds are small: a few rounds mix their bits.
        for _ in 0..4 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivoted_qr_finds_rank_and_solves() {
        let a = DMatrix::from_row_slice(
            4,
            5,
            &[
                1.0, 2.0, 0.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 3.0, 1.0, 1.0, 0.5, 2.0, 0.0, 0.0,
                1.0, 4.0,
            ],
        );
        let qr = Pivoted::new(&a, 1e-10);
        assert_eq!(qr.rank, 3);
        let right = &a * DVector::from_vec(vec![1.0, -1.0, 2.0, 0.3, 0.7]);
        let x = qr.solve(&right);
        assert!((&a * &x - right).amax() < 1e-13);
        let core = Core { joints: vec![0, 1, 2, 3], bodies: vec![] };
        let joints: Vec<RowGroup> = (0..4).map(|i| RowGroup { rows: i..i + 1, factors: vec![] }).collect();
        // The third row is the sum of the first two; the fourth is independent.
        let mut shares = vec![0.0; 4];
        qr.add_shares(&core, &joints, qr.rank, &mut shares);
        for (share, expected) in shares.iter().zip([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]) {
            assert!((share - expected).abs() < 1e-13, "{shares:?}");
        }
    }

    #[test]
    fn random_numbers_fill_the_interval() {
        let mut random = Random(1);
        let list: Vec<f64> = (0..1000).map(|_| random.next()).collect();
        assert!(list.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(list.iter().sum::<f64>().abs() < 60.0 && list.iter().any(|x| *x > 0.9));
    }
}
