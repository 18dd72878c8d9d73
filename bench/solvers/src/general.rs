//! The general library, analysed once.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::prelude::Reborrow;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{LuSymbolicParams, NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};

use crate::equations::Equations;
use crate::{Solver, timed};

fn sparse(equations: &Equations) -> SparseColMat<u32, f64> {
    let triplets: Vec<_> = equations.entries.iter().map(|(i, j, x)| Triplet::new(*i, *j, *x)).collect();
    SparseColMat::try_new_from_triplets(equations.len(), equations.len(), &triplets).expect("entries")
}

/// With pivots from whole columns, in the order of COLAMD, which is the only one it has.
pub fn lu(equations: &Equations, threshold: SupernodalThreshold) -> Solver {
    let (a, par) = (sparse(equations), Par::Seq);
    let params = LuSymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    let symbolic = factorize_symbolic_lu(a.symbolic(), params).expect("memory");
    let room = symbolic.factorize_numeric_lu_scratch::<f64>(par, Default::default());
    let mut room = MemBuffer::new(room.or(symbolic.solve_in_place_scratch::<f64>(1, par)));
    let mut numeric = NumericLu::new();
    Box::new(move |b| {
        let (stack, n) = (MemStack::new(&mut room), b.len());
        let (factor, lu) =
            timed(|| symbolic.factorize_numeric_lu(&mut numeric, a.rb(), par, stack, Default::default()));
        let (lu, x) = (lu.map_err(|e| e.to_string())?, MatMut::from_column_major_slice_mut(b, n, 1));
        Ok([factor, timed(|| lu.solve_in_place_with_conj(Conj::No, x, par, stack)).0])
    })
}

/// LDL^T without interchanges, or with those of Bunch and Kaufman inside of supernodes.
pub fn ldlt(equations: &Equations, order: SymmetricOrdering<u32>, bunch_kaufman: bool) -> Solver {
    let (a, par, n) = (sparse(equations), Par::Seq, equations.len());
    let threshold =
        if bunch_kaufman { SupernodalThreshold::FORCE_SUPERNODAL } else { SupernodalThreshold::AUTO };
    let params = CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    let symbolic = factorize_symbolic_cholesky(a.symbolic(), Side::Lower, order, params).expect("memory");
    let room = symbolic.factorize_numeric_ldlt_scratch::<f64>(par, Default::default());
    let room = room.or(symbolic.factorize_numeric_intranode_lblt_scratch::<f64>(par, Default::default()));
    let mut room = MemBuffer::new(room.or(symbolic.solve_in_place_scratch::<f64>(1, par)));
    let (mut l, mut beside) = (vec![0.0; symbolic.len_val()], vec![0.0; n]);
    let (mut forward, mut inverse) = (vec![0_u32; n], vec![0_u32; n]);
    Box::new(move |b| {
        let (stack, a) = (MemStack::new(&mut room), a.rb());
        let x = MatMut::from_column_major_slice_mut(b, n, 1);
        if bunch_kaufman {
            let (beside, forward, inverse) = (&mut beside, &mut forward, &mut inverse);
            let (factor, lblt) = timed(|| {
                symbolic.factorize_numeric_intranode_lblt(
                    &mut l,
                    beside,
                    forward,
                    inverse,
                    a,
                    Side::Lower,
                    par,
                    stack,
                    Default::default(),
                )
            });
            return Ok([factor, timed(|| lblt.solve_in_place_with_conj(Conj::No, x, par, stack)).0]);
        }
        let none = Default::default();
        let (factor, ldlt) = timed(|| {
            symbolic.factorize_numeric_ldlt(&mut l, a, Side::Lower, none, par, stack, Default::default())
        });
        let ldlt = ldlt.map_err(|e| format!("{e:?}"))?;
        Ok([factor, timed(|| ldlt.solve_in_place_with_conj(Conj::No, x, par, stack)).0])
    })
}
