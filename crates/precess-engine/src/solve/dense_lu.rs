//! LU factorisation with partial pivoting, in place, on a fixed workspace.
//!
//! It is written by hand: the iteration matrices of one or a few bodies (9 to 40 unknowns) are factorised
//! twice per step without allocation. General crates do not offer this.

use precess_lie::VectorUnit;

use super::block3_lu::Block3Lu;
use super::mat::Mat;
use super::panel::add_scaled;
use super::singular::Singular;
use crate::persist::{Archive, Damage, Persist};

/// Smaller pivots are refused. They are compared with the largest entry of their column.
const SMALLEST_PIVOT: f64 = 1e-14;

/// The factors P A = L U.
#[derive(Clone, Debug, Default)]
pub struct DenseLu {
    lu: Mat,
    pivots: Vec<usize>,
    inverse_diagonal: Vec<f64>,
    /// True for regularised matrices, whose pivots are small on purpose.
    accept_small_pivots: bool,
    in_blocks_of_three: bool,
    blocks: Block3Lu,
    /// True if the factors of the last matrix are in blocks of three.
    holds_blocks: bool,
}

crate::persist!(DenseLu { lu, pivots, inverse_diagonal, blocks, holds_blocks } given {
    accept_small_pivots, in_blocks_of_three
} where |x| {
    x.pivots.iter().all(|p| *p < x.pivots.len()) => "a pivot is outside of the matrix",
    x.in_blocks_of_three || !x.holds_blocks => "factors in blocks of three of a matrix that has none",
});

impl DenseLu {
    /// Makes the workspace for n unknowns.
    pub fn new(n: usize) -> Self {
        let mut lu = Self::default();
        lu.resize(n);
        lu
    }

    /// Tries blocks of three (block3_lu.rs) before pivots from whole columns. This is for masses of bodies
    /// and for matrices of Newton's method, which notices bad factors ([`doubt`](Self::doubt)). Blocks need a
    /// vector unit.
    pub fn in_blocks_of_three(mut self) -> Self {
        self.in_blocks_of_three = VectorUnit::detect().is_some();
        self.resize(self.pivots.len());
        self
    }

    /// Uses no blocks of three from now on.
    pub(super) fn always_pivoting(&mut self) {
        (self.in_blocks_of_three, self.holds_blocks) = (false, false);
    }

    /// Tests the next factors in blocks of three. If they are bad, takes pivots from whole columns for a
    /// while.
    pub fn doubt(&mut self) {
        self.blocks.doubt();
    }

    /// Writes the doubts to an archive, or reads them from it.
    pub(crate) fn persist_doubt(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.blocks.trust.persist(archive)
    }

    /// Refuses only pivots that are exactly zero. This is for matrices regularised with
    /// [`redundancy::EPS`](crate::mechanics::redundancy::EPS).
    pub fn accepting_small_pivots(mut self) -> Self {
        self.accept_small_pivots = true;
        self
    }

    /// Changes the number of unknowns. It allocates only if the number exceeds all earlier ones.
    pub fn resize(&mut self, n: usize) {
        self.lu.resize(n, n);
        self.pivots.resize(n, 0);
        self.inverse_diagonal.resize(n, 0.0);
        if self.in_blocks_of_three {
            self.blocks.resize(n);
        }
    }

    /// The matrix, to be filled in before [`factor`](Self::factor).
    pub fn matrix_mut(&mut self) -> &mut Mat {
        &mut self.lu
    }

    /// The matrix, before [`factor`](Self::factor).
    pub fn matrix(&self) -> &Mat {
        &self.lu
    }

    /// Factorises the matrix in place. It refuses pivots below 1e-14 of the largest entry in their column,
    /// because a solution would have no correct digit. Each column is judged on its own, because columns have
    /// different units: masses of 1e8 beside constraint gradients of size one are no singularity.
    pub fn factor(&mut self) -> Result<(), Singular> {
        self.holds_blocks = self.in_blocks_of_three && self.blocks.factor(self.lu.data(), self.pivots.len());
        if self.holds_blocks {
            return Ok(());
        }
        let relative = if self.accept_small_pivots { 0.0 } else { SMALLEST_PIVOT };
        let DenseLu { lu, pivots, inverse_diagonal, .. } = self;
        DenseFactorisation { data: lu.data_mut(), pivots, inverse_diagonal, relative }.run()
    }

    /// Factorises a matrix whose pivots [`factor`](Self::factor) has refused, if they are small only because
    /// of their units. The pivots of multipliers are of the size 1/mass, so those of a bridge are small
    /// beside the entries of B. The function divides rows and columns by their largest entries. After that,
    /// only a singular matrix has small pivots. Allocates.
    pub fn factor_in_own_scale(&mut self) -> Result<(), Singular> {
        let n = self.pivots.len();
        let mut scaled = self.lu.clone();
        let inverse = |x: f64| if x > 0.0 { x.recip() } else { 1.0 };
        let mut rows = vec![0.0_f64; n];
        for column in scaled.data().chunks_exact(n.max(1)) {
            rows.iter_mut().zip(column).for_each(|(row, x)| *row = row.max(x.abs()));
        }
        for column in scaled.data_mut().chunks_exact_mut(n.max(1)) {
            column.iter_mut().zip(&rows).for_each(|(x, row)| *x *= inverse(*row));
            let largest = column.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            column.iter_mut().for_each(|x| *x *= inverse(largest));
        }
        let DenseLu { lu, pivots, inverse_diagonal, .. } = self;
        let data = scaled.data_mut();
        DenseFactorisation { data, pivots, inverse_diagonal, relative: SMALLEST_PIVOT }.run()?;
        DenseFactorisation { data: lu.data_mut(), pivots, inverse_diagonal, relative: 0.0 }.run()
    }

    /// Solves A x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        if self.holds_blocks {
            return self.blocks.solve(&mut b[..self.pivots.len()]);
        }
        let (lu, pivots, inverse) = (self.lu.data(), &self.pivots[..], &self.inverse_diagonal[..]);
        solve(lu, pivots, inverse, b);
    }
}

impl DenseLu {
    /// Solves A^T x = b in place with the same factors.
    pub fn solve_transposed(&self, b: &mut [f64]) {
        let n = self.pivots.len();
        let b = &mut b[..n];
        if self.holds_blocks {
            return self.blocks.solve_transposed(b);
        }
        let lu = self.lu.data();
        for k in 0..n {
            let above: f64 = (0..k).map(|i| lu[k * n + i] * b[i]).sum();
            b[k] = (b[k] - above) * self.inverse_diagonal[k];
        }
        for k in (0..n).rev() {
            b[k] -= (k + 1..n).map(|i| lu[k * n + i] * b[i]).sum::<f64>();
        }
        for (k, &p) in self.pivots.iter().enumerate().rev() {
            b.swap(k, p);
        }
    }
}

/// The factorisation, compiled for the available vector unit.
struct DenseFactorisation<'a> {
    data: &'a mut [f64],
    pivots: &'a mut [usize],
    inverse_diagonal: &'a mut [f64],
    relative: f64,
}

impl DenseFactorisation<'_> {
    /// Runs the factorisation. It is compiled once per vector unit, and the callers share it.
    #[inline(never)]
    fn run(self) -> Result<(), Singular> {
        VectorUnit::run_if_any(
            #[inline(always)]
            || self.factor(),
        )
    }

    #[inline(always)]
    fn factor(self) -> Result<(), Singular> {
        for (size, column) in
            self.inverse_diagonal.iter_mut().zip(self.data.chunks_exact(self.pivots.len().max(1)))
        {
            *size = column.iter().fold(0.0_f64, |s, x| x.abs().max(s));
        }
        self.eliminate()
    }

    /// The row of the pivot in column k.
    #[inline(always)]
    fn choose(&self, k: usize, column: &[f64]) -> Result<usize, Singular> {
        let (mut p, mut largest) = (k, column[k].abs());
        for (i, x) in column.iter().enumerate() {
            if i > k && x.abs() > largest {
                (p, largest) = (i, x.abs());
            }
        }
        let size = self.inverse_diagonal[k];
        let enough = largest > self.relative * size;
        if enough { Ok(p) } else { Err(Singular { column: k, pivot: largest, size }) }
    }

    #[inline(always)]
    fn eliminate(self) -> Result<(), Singular> {
        let n = self.pivots.len();
        for k in 0..n {
            let p = self.choose(k, &self.data[k * n..(k + 1) * n])?;
            self.pivots[k] = p;
            if p != k {
                self.data.chunks_exact_mut(n).for_each(|column| column.swap(k, p));
            }
            let (left, right) = self.data.split_at_mut((k + 1) * n);
            let column = &mut left[k * n..];
            let inverse = 1.0 / column[k];
            self.inverse_diagonal[k] = inverse;
            column[k + 1..].iter_mut().for_each(|x| *x *= inverse);
            for other in right.chunks_exact_mut(n) {
                if other[k] != 0.0 {
                    add_scaled(-other[k], &column[k + 1..], &mut other[k + 1..]);
                }
            }
        }
        Ok(())
    }
}

fn solve(lu: &[f64], pivots: &[usize], inverse_diagonal: &[f64], b: &mut [f64]) {
    let n = pivots.len();
    let (lu, inverse_diagonal, b) = (&lu[..n * n], &inverse_diagonal[..n], &mut b[..n]);
    if n == 0 {
        return;
    }
    for (k, &p) in pivots.iter().enumerate() {
        b.swap(k, p);
    }
    for (k, column) in lu.chunks_exact(n).enumerate() {
        let w = b[k];
        for (y, l) in b[k + 1..].iter_mut().zip(&column[k + 1..]) {
            *y -= w * l;
        }
    }
    for (k, column) in lu.chunks_exact(n).enumerate().rev() {
        let w = b[k] * inverse_diagonal[k];
        b[k] = w;
        for (y, u) in b[..k].iter_mut().zip(&column[..k]) {
            *y -= w * u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::larger;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solves_random_systems(
            n in 1usize..14,
            seed in proptest::collection::vec(-1.0f64..1.0, 14 * 14 + 14),
        ) {
            let mut lu = DenseLu::new(n);
            let a: Vec<f64> = seed[..n * n].to_vec();
            let x: Vec<f64> = seed[14 * 14..14 * 14 + n].to_vec();
            lu.matrix_mut().data_mut().copy_from_slice(&a);
            let mut b = vec![0.0; n];
            lu.matrix_mut().gemv(1.0, &x, &mut b);
            let right = b.clone();
            if lu.factor().is_ok() {
                lu.solve(&mut b);
                let mut a_mat = Mat::zeros(n, n);
                a_mat.data_mut().copy_from_slice(&a);
                let mut residual = right.iter().map(|x| -x).collect::<Vec<_>>();
                a_mat.gemv(1.0, &b, &mut residual);
                let growth = b.iter().fold(1.0, |s, x| larger(s, x.abs()));
                for r in residual {
                    prop_assert!(r.abs() <= 1e-13 * growth * n as f64, "{r}");
                }
                let mut y = right.clone();
                lu.solve_transposed(&mut y);
                let mut residual = right.iter().map(|x| -x).collect::<Vec<_>>();
                a_mat.gemv_transpose(1.0, &y, &mut residual);
                let growth = 1.0 + y.iter().map(|y| y.abs()).sum::<f64>();
                for r in residual {
                    prop_assert!(r.abs() <= 1e-13 * growth * n as f64, "transposed: {r}");
                }
            }
        }
    }

    #[test]
    fn singular_matrix_is_refused_with_its_column() {
        let mut lu = DenseLu::new(3);
        lu.matrix_mut().data_mut().copy_from_slice(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0]);
        let e = lu.factor().unwrap_err();
        assert_eq!(e.column, 1);
    }
}
