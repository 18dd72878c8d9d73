//! The iteration matrix of a step: blocks are added at their first unknowns, then the matrix is factorised.

mod add;

use precess_lie::VectorUnit;

use self::add::Plans;
use super::block_lu::BlockLu;
use super::dense_lu::DenseLu;
use super::singular::Singular;
use super::sparse_lu::SparseLu;
use crate::persist::{Archive, Damage, Persist};

/// Iteration matrix and its factors, dense for small systems and in sparse blocks for large ones.
#[derive(Clone, Debug)]
pub struct Kkt {
    n: usize,
    factors: Factors,
    trust: BlockTrust,
    work: Vec<f64>,
    /// See [`row_scale`](Kkt::row_scale).
    row_scale: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Factors {
    Dense(DenseLu),
    Block(Box<BlockLu>, Plans),
}

/// Factorisation of the iteration matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Dense for small systems, in sparse blocks for large ones. Both are tested when in doubt, and if
    /// necessary pivots are taken from whole columns.
    #[default]
    Auto,
    /// Dense with pivots from whole columns, for any size.
    Dense,
    /// Pivots from whole columns, sparse for large systems: slower and never in doubt.
    Pivoted,
}

crate::error::named! { Solver, "solver": Auto = "auto", Dense = "dense", Pivoted = "pivoted" }

/// Trust in sparse blocks. Pivots are chosen inside blocks, which is fast and nearly always enough.
#[derive(Clone, Debug)]
enum BlockTrust {
    /// Tested, or not doubted yet: no test for this number of factorisations.
    For(usize),
    /// The next factors are tested with a known solution.
    Doubtful,
    /// Blocks failed: pivots are taken from whole columns, and blocks are tried again after this number of
    /// factorisations.
    Pivoted(SparseLu, usize),
}

/// Diagonal entries below this belong to regularised constraint rows.
pub(crate) const SMALLEST_DIAGONAL: f64 = 1e-9;
/// Number of factorisations without another test.
const UNTESTED: usize = 100;
/// Largest error of a known solution with acceptable block factors: Newton's method then still gains three
/// digits per iteration. A coiled chain of 100 000 revolute joints in motion has 8e-4 (`bench/solvers`).
const ACCURATE_BLOCKS: f64 = 1e-3;
/// Pivots from whole columns take four times as long: their error must be smaller by this factor.
const PIVOTING_GAIN: f64 = 0.01;

impl Default for Kkt {
    fn default() -> Self {
        Kkt::dense(0)
    }
}

impl Kkt {
    fn new(n: usize, factors: Factors) -> Self {
        let is_sparse = matches!(factors, Factors::Block(..));
        Kkt {
            n,
            work: vec![0.0; if is_sparse { n } else { 0 }],
            factors,
            trust: BlockTrust::For(0),
            row_scale: vec![1.0; n],
        }
    }

    /// Dense matrix of n unknowns.
    pub fn dense(n: usize) -> Self {
        Kkt::new(n, Factors::Dense(DenseLu::new(n).in_blocks_of_three()))
    }

    /// Dense matrix with a regularised multiplier block.
    pub fn regularised(n: usize) -> Self {
        Kkt::new(n, Factors::Dense(DenseLu::new(n).accepting_small_pivots()))
    }

    /// Sparse blocks. Their factors need a vector unit. A processor without one takes pivots from whole
    /// columns.
    pub fn block(lu: BlockLu) -> Self {
        let kkt = Kkt::new(lu.len(), Factors::Block(Box::new(lu), Plans::default()));
        if VectorUnit::detect().is_some() { kkt } else { kkt.with_solver(Solver::Pivoted) }
    }

    /// Selects another solver than the size suggests. Small pivots stay accepted if they were.
    pub fn with_solver(mut self, solver: Solver) -> Self {
        match (solver, &mut self.factors) {
            (Solver::Auto, _) => {}
            (Solver::Pivoted, Factors::Block(..)) => {
                self.trust = BlockTrust::Pivoted(SparseLu::default(), usize::MAX);
            }
            (_, Factors::Dense(lu)) => lu.always_pivoting(),
            (Solver::Dense, Factors::Block(blocks, _)) => {
                let lu = DenseLu::new(self.n);
                let regular = blocks.has_inverses();
                self.factors = Factors::Dense(if regular { lu } else { lu.accepting_small_pivots() });
            }
        }
        self
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// True for sparse blocks.
    pub fn is_sparse(&self) -> bool {
        matches!(self.factors, Factors::Block(..))
    }

    /// Approximate cost of a new matrix and its factors, in iterations (a residual and a solution). Measured:
    /// single bodies 2.6, chains 2.4 to 3.2, a net of 32 x 32 bodies 8.8; this formula gives 2.0, 2.6 to 3.6
    /// and 7.8.
    pub fn cost(&self) -> f64 {
        let each = match &self.factors {
            Factors::Dense(_) => 2.0 / 3.0 * self.n as f64,
            Factors::Block(lu, _) => lu.operations() / lu.n_values().max(1) as f64,
        };
        1.5 + each / 8.0
    }

    /// Factors that convert rows to the units of a position: the inverse diagonal entries of the matrix that
    /// was [formed](Self::form) last. Constraints are already in these units; their diagonal is zero or a
    /// tiny regularisation.
    pub fn row_scale(&self) -> &[f64] {
        &self.row_scale
    }

    /// The scales, to be read from an archive.
    pub(crate) fn row_scale_mut(&mut self) -> &mut Vec<f64> {
        &mut self.row_scale
    }

    /// The scale of a row with this diagonal entry.
    #[inline(always)]
    fn scale_of(diagonal: f64) -> f64 {
        if diagonal.abs() > SMALLEST_DIAGONAL { 1.0 / diagonal.abs() } else { 1.0 }
    }

    /// Starts a new matrix.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.factors {
            Factors::Dense(lu) => lu.matrix_mut().fill(0.0),
            Factors::Block(lu, _) => lu.clear(),
        }
    }

    /// The columns of a dense matrix, one after the other, to be overwritten.
    pub(crate) fn dense_columns(&mut self) -> Option<&mut [f64]> {
        match &mut self.factors {
            Factors::Dense(lu) => Some(lu.matrix_mut().data_mut()),
            Factors::Block(..) => None,
        }
    }

    /// Entry (i, i), before factorisation.
    #[inline]
    pub fn diagonal(&self, i: usize) -> f64 {
        match &self.factors {
            Factors::Dense(lu) => lu.matrix().get(i, i),
            Factors::Block(lu, _) => lu.get(i, i),
        }
    }

    /// Computes the scales of the rows.
    #[inline]
    fn scale(&mut self) {
        let scale = &mut self.row_scale;
        match &self.factors {
            Factors::Dense(lu) => {
                for (s, d) in scale.iter_mut().zip(lu.matrix().data().chunks(self.n + 1)) {
                    *s = Kkt::scale_of(d[0]);
                }
            }
            Factors::Block(lu, _) => lu.for_diagonal(|i, d| scale[i] = Kkt::scale_of(d)),
        }
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        match (&mut self.factors, &mut self.trust) {
            (Factors::Dense(lu), _) => lu.factor(),
            (Factors::Block(lu, _), BlockTrust::Pivoted(factors, left)) => {
                *left = left.saturating_sub(1);
                *factors = lu.pivoted()?;
                Ok(())
            }
            (Factors::Block(lu, _), trust) => {
                if let BlockTrust::For(left) = trust {
                    *left = left.saturating_sub(1);
                }
                lu.factor()
            }
        }
    }

    /// Assembles, which begins with [`clear`](Self::clear), and factorises. If sparse blocks are singular, or
    /// [`doubtful`](Self::doubt) and inaccurate, assembles the matrix again and takes pivots from whole
    /// columns from now on.
    #[inline]
    pub fn form(&mut self, mut assemble: impl FnMut(&mut Kkt)) -> Result<(), Singular> {
        if matches!(self.trust, BlockTrust::Pivoted(_, 0)) {
            self.trust = BlockTrust::Doubtful;
        }
        assemble(self);
        self.scale();
        if let Factors::Dense(lu) = &mut self.factors {
            if lu.factor().is_ok() {
                return Ok(());
            }
            assemble(self);
        }
        let lu = match &mut self.factors {
            Factors::Dense(lu) => return lu.factor_in_own_scale(),
            Factors::Block(lu, _) => lu,
        };
        let mut known = Vec::new();
        if matches!(self.trust, BlockTrust::Doubtful) {
            known.resize(self.n, 0.0);
            lu.row_sums(&mut known);
        }
        let right = known.clone();
        let of_blocks = match self.factor() {
            Err(_) if !self.is_pivoted() => f64::INFINITY,
            Ok(()) if !known.is_empty() => self.error_of_ones(&mut known),
            outcome => return outcome,
        };
        if of_blocks <= ACCURATE_BLOCKS {
            self.trust = BlockTrust::For(UNTESTED);
            return Ok(());
        }
        self.trust = BlockTrust::Pivoted(SparseLu::default(), UNTESTED);
        assemble(self);
        self.factor()?;
        known = right;
        if of_blocks.is_finite() && !(self.error_of_ones(&mut known) < PIVOTING_GAIN * of_blocks) {
            // The matrix itself is ill-conditioned.
            self.trust = BlockTrust::For(UNTESTED);
            self.clear();
            assemble(self);
            return self.factor();
        }
        Ok(())
    }

    /// Error of a solution whose entries should all be one; NaN if an entry is NaN.
    fn error_of_ones(&mut self, right: &mut [f64]) -> f64 {
        self.solve(right);
        right.iter().fold(0.0, |e, x| if (x - 1.0).abs() <= e { e } else { (x - 1.0).abs() })
    }

    /// Makes the next factorisation test sparse blocks. Called at the start, where bad factors may look like
    /// convergence, and when Newton's method converges badly.
    pub fn doubt(&mut self) {
        match (&mut self.factors, &self.trust) {
            (Factors::Dense(lu), _) => lu.doubt(),
            (Factors::Block(..), BlockTrust::For(0)) => self.trust = BlockTrust::Doubtful,
            _ => {}
        }
    }

    /// True if sparse blocks have failed and pivots are taken from whole columns.
    pub fn is_pivoted(&self) -> bool {
        matches!(self.trust, BlockTrust::Pivoted(..))
    }

    /// Writes the factors to an archive, or reads them from it.
    pub(crate) fn persist_factors(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        match (&mut self.factors, &self.trust) {
            (Factors::Dense(lu), _) => lu.persist(archive),
            (Factors::Block(..), BlockTrust::Pivoted(..)) => {
                Err(Damage::Unsupported("a matrix with pivots from whole columns".into()))
            }
            (Factors::Block(lu, _), _) => lu.persist(archive),
        }
    }

    /// Writes how far blocks are trusted to an archive, or reads it from it.
    pub(crate) fn persist_trust(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        if let Factors::Dense(lu) = &mut self.factors {
            return lu.persist_doubt(archive);
        }
        let (mut kind, mut left) = match &self.trust {
            BlockTrust::For(left) => (0_u8, *left),
            BlockTrust::Doubtful => (1, 0),
            BlockTrust::Pivoted(_, left) => (2, *left),
        };
        kind.persist(archive)?;
        left.persist(archive)?;
        if archive.reads() {
            self.trust = match kind {
                0 => BlockTrust::For(left),
                1 => BlockTrust::Doubtful,
                2 => BlockTrust::Pivoted(SparseLu::default(), left),
                _ => return Err(Damage::Value),
            };
            // The checkpoint may be from another processor.
            if VectorUnit::detect().is_none() {
                self.trust = BlockTrust::Pivoted(SparseLu::default(), usize::MAX);
            }
        }
        Ok(())
    }

    /// Solves in place.
    #[inline]
    pub fn solve(&mut self, b: &mut [f64]) {
        match (&self.factors, &mut self.trust) {
            (Factors::Dense(lu), _) => lu.solve(b),
            (Factors::Block(lu, _), BlockTrust::Pivoted(factors, _)) => {
                lu.solve_pivoted(factors, false, b, &mut self.work)
            }
            (Factors::Block(lu, _), _) => lu.solve(b, &mut self.work),
        }
    }

    /// Solves with the transposed matrix in place: the same factors give gradients by adjoint equations.
    pub fn solve_transposed(&mut self, b: &mut [f64]) {
        match (&self.factors, &mut self.trust) {
            (Factors::Dense(lu), _) => lu.solve_transposed(b),
            (Factors::Block(lu, _), BlockTrust::Pivoted(factors, _)) => {
                lu.solve_pivoted(factors, true, b, &mut self.work)
            }
            (Factors::Block(lu, _), _) => lu.solve_transposed(b, &mut self.work),
        }
    }
}

/// Saves the factors of a matrix that later steps use again, bit by bit.
impl Persist for Kkt {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.persist_factors(archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::larger;

    /// Three masses on a line, connected to each other; the middle one has this mass. The unknowns are
    /// accelerations and forces.
    fn tied(middle: f64) -> impl FnMut(&mut Kkt) {
        move |kkt: &mut Kkt| {
            kkt.clear();
            for (i, mass) in [1.0, middle, 1.0].into_iter().enumerate() {
                kkt.add_diagonal(i, mass);
            }
            let Factors::Block(lu, _) = &mut kkt.factors else { return };
            for joint in 0..2 {
                for (body, x) in [(joint, 1.0), (joint + 1, -1.0)] {
                    lu.add(3 + joint, body, 1, 1.0, &[x]);
                    lu.add(body, 3 + joint, 1, 1.0, &[x]);
                }
            }
        }
    }

    fn blocks() -> Kkt {
        let unknowns = (0..5).map(|i| vec![i]).collect();
        let before = [vec![], vec![], vec![], vec![0, 1], vec![1, 2]];
        Kkt::block(BlockLu::new(unknowns, &before, &[(0, 3), (1, 3), (1, 4), (2, 4)]))
    }

    /// A force of one on the first mass moves all of them, and half of it passes through the middle.
    fn solution(kkt: &mut Kkt, middle: f64) -> f64 {
        let mut x = [1.0, 0.0, 0.0, 0.0, 0.0];
        kkt.solve(&mut x);
        let a = 1.0 / (2.0 + middle);
        let exact = [a, a, a, 1.0 - a, a];
        x.iter().zip(exact).fold(0.0, |e, (x, y)| larger(e, (x - y).abs()))
    }

    #[test]
    fn light_blocks_are_found_and_pivoted() {
        for middle in [0.0, 1e-20, 1e-17, 1e-15, 1e-13] {
            let mut kkt = blocks();
            kkt.doubt();
            kkt.form(tied(middle)).unwrap();
            assert!(kkt.is_pivoted(), "{middle}");
            assert!(solution(&mut kkt, middle) < 1e-14, "{middle}");
        }
    }

    /// y . A^-1 b = b . A^-T y for all factorisations, with a matrix that is not symmetric.
    #[test]
    fn transposed_equations_have_the_same_factors() {
        let skew = |kkt: &mut Kkt| {
            tied(0.7)(kkt);
            let Factors::Block(lu, _) = &mut kkt.factors else { return };
            lu.add(0, 3, 1, 1.0, &[0.5]);
            lu.add(4, 1, 1, 1.0, &[-0.3]);
        };
        for solver in [Solver::Auto, Solver::Pivoted] {
            let mut kkt = blocks().with_solver(solver);
            kkt.form(skew).unwrap();
            assert_eq!(kkt.is_pivoted(), solver == Solver::Pivoted);
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let (b, y) = ([1.0, -2.0, 0.5, 3.0, 0.25], [0.3, 1.0, -1.5, 2.0, -0.7]);
            let (mut x, mut z, mut w) = (b, y, y);
            kkt.solve(&mut x);
            kkt.solve_transposed(&mut z);
            kkt.solve(&mut w);
            assert!((dot(&y, &x) - dot(&b, &z)).abs() < 1e-13, "{solver:?}");
            assert!((dot(&b, &w) - dot(&b, &z)).abs() > 1e-3, "{solver:?}: the matrix is not symmetric");
        }
    }

    #[test]
    fn good_blocks_are_kept() {
        for middle in [1e-6, 1.0, 1e6] {
            let mut kkt = blocks();
            kkt.doubt();
            kkt.form(tied(middle)).unwrap();
            assert!(!kkt.is_pivoted(), "{middle}");
            assert!(solution(&mut kkt, middle) < 1e-9, "{middle}");
        }
    }
}
