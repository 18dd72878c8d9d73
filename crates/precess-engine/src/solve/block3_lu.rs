//! Elimination of 3, 6, 9 or 12 unknowns in blocks of three, without interchanges. It is for one rigid body
//! with or without a joint.
//!
//! ```text
//! for k: W_kj = A_kk^-1 A_kj,   A_ij <- A_ij - A_ik W_kj       i, j > k
//! ```
//!
//! The unknowns of a body come in threes (rotation, translation, multipliers). Its mass is eliminated before
//! its joint, as in [`BlockLu`](super::BlockLu). Three pivots need only one division and no search. This
//! takes half the time of partial pivoting, where each pivot waits for the previous one. Without it, steps of
//! the heavy top take 1.44 times as long, and 1.50 times in stabilized form (`-- steps top` of the benchmark
//! `speed`). The elimination is refused if a block is singular, or so small beside the rows below it that
//! they would lose their digits. In this case, [`DenseLu`](super::DenseLu) chooses pivots from whole columns.

use precess_lie::VectorUnit;

/// A block is refused if its determinant is below this fraction of the product of its columns. This test does
/// not depend on the units.
const SINGULAR: f64 = 1e-3;
/// The rows of a block may be subtracted from rows below it with factors up to this size.
const GROWTH: f64 = 1e7;

/// The factors of a matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Block3Lu {
    /// The factors A_ik below the diagonal and W_kj right of it. The diagonal blocks have the values that
    /// were inverted.
    factors: Vec<f64>,
    inverses: Vec<[f64; 9]>,
    pub trust: InterchangeTrust,
}

crate::persist!(Block3Lu { factors, inverses, trust });

/// The state of the trust in factors without interchanges.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InterchangeTrust {
    /// True if the next factors are tested with a known solution.
    doubtful: bool,
    /// The number of factorisations that need no further test.
    patience: usize,
    /// The number of factorisations that are refused after a failed test.
    refused: usize,
}

crate::persist!(InterchangeTrust { doubtful, patience, refused });

/// The number of factorisations between two tests.
const PATIENCE: usize = 100;
/// Factors are kept if the error of a known solution is below this. Newton's method then gains four digits
/// with each iteration.
const ACCURATE: f64 = 1e-4;

/// The largest number of unknowns.
const LARGEST: usize = 12;

/// Calls `$f` with the constant size.
macro_rules! with_size {
    ($n:expr, |$N:ident| $f:expr, $other:expr) => {
        with_size!(@each $n, $N, $f, $other; 3 6 9 12)
    };
    (@each $n:expr, $N:ident, $f:expr, $other:expr; $($known:literal)*) => {
        match $n {
            $($known => {
                const $N: usize = $known;
                $f
            })*
            _ => $other,
        }
    };
}

impl Block3Lu {
    /// Makes room for n unknowns, if this number is supported.
    pub fn resize(&mut self, n: usize) {
        let n = with_size!(n, |N| N, 0);
        self.factors.resize(n * n, 0.0);
        self.inverses.resize(n / 3, [0.0; 9]);
    }

    /// Tests the next factors. This is called if Newton's method converges badly.
    pub fn doubt(&mut self) {
        self.trust.doubtful = self.trust.patience == 0;
    }

    /// Factorises a column-major matrix. Returns false if the matrix is refused.
    #[inline]
    pub fn factor(&mut self, matrix: &[f64], n: usize) -> bool {
        let trust = &mut self.trust;
        if trust.refused > 0 {
            trust.refused -= 1;
            return false;
        }
        trust.patience = trust.patience.saturating_sub(1);
        let factorised = VectorUnit::expected().run(
            #[inline(always)]
            || with_size!(n, |N| self.factor_known::<N>(matrix), false),
        );
        factorised && self.passes(matrix, n)
    }

    /// Tests factors that are in doubt with a solution of ones.
    #[inline]
    fn passes(&mut self, matrix: &[f64], n: usize) -> bool {
        !self.trust.doubtful || self.pass(matrix, n)
    }

    #[cold]
    fn pass(&mut self, matrix: &[f64], n: usize) -> bool {
        let mut room = [0.0; LARGEST];
        let Some(x) = room.get_mut(..n) else { return false };
        for column in matrix.chunks_exact(n) {
            x.iter_mut().zip(column).for_each(|(x, a)| *x += a);
        }
        self.solve(x);
        let good = x.iter().all(|x| (x - 1.0).abs() <= ACCURATE);
        let (patience, refused) = if good { (PATIENCE, 0) } else { (0, PATIENCE) };
        self.trust = InterchangeTrust { doubtful: false, patience, refused };
        good
    }

    /// Solves A x = b in place, after [`factor`](Self::factor).
    #[inline]
    pub fn solve(&self, b: &mut [f64]) {
        VectorUnit::expected().run(
            #[inline(always)]
            || with_size!(b.len(), |N| self.solve_known::<N>(b), ()),
        );
    }

    /// Solves A^T x = b in place. A is L (I + W) with the blocks A_ik in L, so (I + W)^T comes first.
    pub fn solve_transposed(&self, b: &mut [f64]) {
        let (a, n) = (&self.factors, b.len());
        for j in 3..n {
            b[j] -= (0..j - j % 3).map(|i| a[j * n + i] * b[i]).sum::<f64>();
        }
        for k in (0..n).step_by(3).rev() {
            let rest: [f64; 3] = std::array::from_fn(|j| {
                b[k + j] - (k + 3..n).map(|i| a[(k + j) * n + i] * b[i]).sum::<f64>()
            });
            let inverse = &self.inverses[k / 3];
            for j in 0..3 {
                b[k + j] = (0..3).map(|i| inverse[3 * j + i] * rest[i]).sum();
            }
        }
    }

    #[inline(always)]
    fn factor_known<const N: usize>(&mut self, matrix: &[f64]) -> bool {
        let a = &mut self.factors.as_chunks_mut::<N>().0[..N];
        a.copy_from_slice(&matrix.as_chunks::<N>().0[..N]);
        let inverses = &mut self.inverses[..N / 3];
        // Constant positions give straight-line code. Stages beyond the matrix do nothing.
        eliminate::<N, 0>(a, inverses)
            && (N < 6 || eliminate::<N, 3>(a, inverses))
            && (N < 9 || eliminate::<N, 6>(a, inverses))
            && (N < 12 || eliminate::<N, 9>(a, inverses))
    }

    #[inline(always)]
    fn solve_known<const N: usize>(&self, b: &mut [f64]) {
        let (a, inverses) = (&self.factors.as_chunks::<N>().0[..N], &self.inverses[..N / 3]);
        let Some(b) = b.first_chunk_mut::<N>() else { return };
        for k in (0..N).step_by(3) {
            let y = times(&inverses[k / 3], [b[k], b[k + 1], b[k + 2]]);
            [b[k], b[k + 1], b[k + 2]] = y;
            for i in k + 3..N {
                b[i] -= a[k][i] * y[0] + a[k + 1][i] * y[1] + a[k + 2][i] * y[2];
            }
        }
        for j in (3..N).step_by(3).rev() {
            let x = [b[j], b[j + 1], b[j + 2]];
            for i in 0..j {
                b[i] -= a[j][i] * x[0] + a[j + 1][i] * x[1] + a[j + 2][i] * x[2];
            }
        }
    }
}

/// Computes m x for a column-major m.
#[inline(always)]
fn times(m: &[f64; 9], x: [f64; 3]) -> [f64; 3] {
    let row = |i: usize| m[i] * x[0] + m[i + 3] * x[1] + m[i + 6] * x[2];
    [row(0), row(1), row(2)]
}

/// The largest entry of some columns, from a row on.
#[inline(always)]
fn largest<'a, const R: usize>(columns: impl IntoIterator<Item = &'a [f64; R]>, from: usize) -> f64 {
    let mut rows = [0.0; R];
    for c in columns {
        for i in from..R {
            rows[i] = if c[i].abs() > rows[i] { c[i].abs() } else { rows[i] };
        }
    }
    let mut most = 0.0;
    for i in from..R {
        most = if rows[i] > most { rows[i] } else { most };
    }
    most
}

/// Eliminates the unknowns K, K + 1 and K + 2.
#[inline(always)]
fn eliminate<const N: usize, const K: usize>(a: &mut [[f64; N]], inverses: &mut [[f64; 9]]) -> bool {
    let (left, right) = a.split_at_mut((K + 3).min(N));
    let Some([c0, c1, c2]) = left.last_chunk::<3>() else { return false };
    let [x, y, z] = [c0, c1, c2].map(|c| [c[K % N], c[(K + 1) % N], c[(K + 2) % N]]);
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    // The rows of the adjugate are cross products of columns.
    let rows = [cross(&y, &z), cross(&z, &x), cross(&x, &y)];
    let det = x[0] * rows[0][0] + x[1] * rows[0][1] + x[2] * rows[0][2];
    let size = largest([&x], 0) * largest([&y], 0) * largest([&z], 0);
    let scale = 1.0 / det;
    let inverse: [f64; 9] = std::array::from_fn(|i| rows[i % 3][i / 3] * scale);
    let growth = largest([c0, c1, c2], (K + 3).min(N)) * largest(inverse.as_chunks::<3>().0, 0);
    if !(det.abs() > SINGULAR * size) || !(growth <= GROWTH) {
        return false;
    }
    inverses[K / 3] = inverse;
    for other in right {
        let w = times(&inverse, [other[K], other[K + 1], other[K + 2]]);
        [other[K], other[K + 1], other[K + 2]] = w;
        for i in K + 3..N {
            other[i] -= c0[i] * w[0] + c1[i] * w[1] + c2[i] * w[2];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solves_dominant_systems(
            blocks in 1usize..5,
            seed in proptest::collection::vec(-1.0f64..1.0, 12 * 12 + 12),
        ) {
            let n = 3 * blocks;
            let mut a = seed[..n * n].to_vec();
            (0..n).for_each(|i| a[i * n + i] += 4.0);
            let x = &seed[144..144 + n];
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[j * n + i] * x[j]).sum()).collect();
            let mut factors = Block3Lu::default();
            factors.resize(n);
            prop_assert!(factors.factor(&a, n));
            factors.solve(&mut b);
            for (b, x) in b.iter().zip(x) {
                prop_assert!((b - x).abs() < 1e-12, "{b} {x}");
            }
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect();
            factors.solve_transposed(&mut b);
            for (b, x) in b.iter().zip(x) {
                prop_assert!((b - x).abs() < 1e-12, "transposed: {b} {x}");
            }
        }
    }

    #[test]
    fn doubtful_factors_are_tested() {
        let mut a = vec![0.0; 36];
        for i in 0..3 {
            a[i * 6 + i] = 1.3e-7 + 1e-9 * i as f64;
            a[(i + 3) * 6 + i] = 1.7e6 / (1.0 + i as f64);
            a[i * 6 + i + 3] = 1.0;
            a[(i + 3) * 6 + i + 3] = 1.0;
        }
        let mut factors = Block3Lu::default();
        factors.resize(6);
        assert!(factors.factor(&a, 6), "not noticed beforehand");
        factors.doubt();
        assert_eq!((0..=PATIENCE).filter(|_| !factors.factor(&a, 6)).count(), PATIENCE + 1);
        assert!(factors.factor(&a, 6), "tried again");
        (0..3).for_each(|i| a[i * 6 + i] = 1.0);
        factors.doubt();
        assert!(factors.factor(&a, 6));
        assert!(factors.trust.patience > 0);
    }

    #[test]
    fn singular_and_tiny_blocks_are_refused() {
        let mut factors = Block3Lu::default();
        factors.resize(6);
        for (size, good) in [(0.0, false), (1e-12, false), (1e-6, true), (1.0, true), (f64::NAN, false)] {
            let mut a = vec![0.0; 36];
            for i in 0..3 {
                a[i * 6 + i] = size;
                a[(i + 3) * 6 + i] = 1.0;
                a[i * 6 + i + 3] = 1.0;
            }
            assert_eq!(factors.factor(&a, 6), good, "{size}");
        }
    }
}
