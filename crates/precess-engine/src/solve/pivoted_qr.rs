//! QR of a dense matrix with column pivoting, which finds its rank.

use nalgebra::DMatrix;

use super::products::{add, dot};

/// A P = Q R with columns of A in the order of their remainders.
pub struct PivotedQr {
    /// Orthogonal, k x k.
    pub q: DMatrix<f64>,
    /// Only its upper triangle is used.
    pub r: DMatrix<f64>,
    /// Columns in the order of their pivots.
    pub order: Vec<usize>,
    /// Number of pivots above the tolerance.
    pub rank: usize,
}

impl PivotedQr {
    /// Householder QR; pivots below `tolerance` times the first are zero.
    pub fn new(mut a: DMatrix<f64>, tolerance: f64) -> Self {
        let (k, m) = a.shape();
        let mut q = DMatrix::identity(k, k);
        let mut order: Vec<usize> = (0..m).collect();
        let (mut rank, mut first) = (0, 0.0);
        let mut products = vec![0.0; k];
        for j in 0..k.min(m) {
            let below = |c: usize| &a.as_slice()[c * k + j..(c + 1) * k];
            let norm = |c: usize| dot(below(c), below(c)).sqrt();
            let (pivot, size) =
                (j..m).map(|c| (c, norm(c))).fold((j, -1.0), |b, x| if x.1 > b.1 { x } else { b });
            if j == 0 {
                first = size;
            }
            if !(size > tolerance * first) {
                break;
            }
            a.swap_columns(j, pivot);
            order.swap(j, pivot);
            let mut v = a.as_slice()[j * k + j..(j + 1) * k].to_vec();
            v[0] += if v[0] < 0.0 { -size } else { size };
            let norm = dot(&v, &v).sqrt();
            v.iter_mut().for_each(|x| *x /= norm);
            for c in j..m {
                let column = &mut a.as_mut_slice()[c * k + j..(c + 1) * k];
                add(-2.0 * dot(column, &v), &v, column);
            }
            products.fill(0.0);
            let rest = &mut q.as_mut_slice()[j * k..];
            rest.chunks_exact(k).zip(&v).for_each(|(column, v)| add(*v, column, &mut products));
            rest.chunks_exact_mut(k).zip(&v).for_each(|(column, v)| add(-2.0 * v, &products, column));
            rank += 1;
        }
        PivotedQr { q, r: a, order, rank }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DVector;
    use precess_lie::Largest;

    #[test]
    fn rank_and_factors() {
        let b = DMatrix::from_row_slice(3, 4, &[1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0]);
        let qr = PivotedQr::new(b.transpose(), 1e-10);
        assert_eq!(qr.rank, 2);
        assert!((qr.q.tr_mul(&qr.q) - DMatrix::identity(4, 4)).largest() < 1e-14);
        assert!((&b * qr.q.columns(2, 2)).largest() < 1e-14);
        for (j, &c) in qr.order.iter().enumerate() {
            let mut column = DVector::zeros(4);
            (0..=j.min(1)).for_each(|i| column[i] = qr.r[(i, j)]);
            assert!((&qr.q * column - b.transpose().column(c)).largest() < 1e-14);
        }
    }
}
