//! LU factorisation with partial pivoting, in place, on a fixed workspace.
//!
//! Written by hand because the iteration matrices of one or a few bodies (9 to 40 unknowns) are factorised
//! twice per step without allocation, which general crates do not offer.

use super::mat::Mat;

/// A pivot vanished: the matrix is singular to working precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// Column of the pivot.
    pub column: usize,
    /// The pivot.
    pub pivot: f64,
    /// Largest entry of the column before the factorisation.
    pub size: f64,
}

/// Factors P A = L U.
#[derive(Clone, Debug, Default)]
pub struct DenseLu {
    lu: Mat,
    pivots: Vec<usize>,
    inverse_diagonal: Vec<f64>,
    /// Regularised matrices have pivots that are small on purpose.
    accept_small_pivots: bool,
}

crate::persist!(DenseLu { lu, pivots, inverse_diagonal } given { accept_small_pivots });

impl DenseLu {
    /// Workspace for n unknowns.
    pub fn new(n: usize) -> Self {
        DenseLu {
            pivots: vec![0; n],
            inverse_diagonal: vec![0.0; n],
            lu: Mat::zeros(n, n),
            ..Self::default()
        }
    }

    /// Refuses exact zeros only: for matrices regularised with [`redundancy::EPS`](super::redundancy::EPS).
    pub fn accepting_small_pivots(mut self) -> Self {
        self.accept_small_pivots = true;
        self
    }

    /// Another number of unknowns; allocates only when it grows beyond any before.
    pub fn resize(&mut self, n: usize) {
        self.lu.resize(n, n);
        self.pivots.resize(n, 0);
        self.inverse_diagonal.resize(n, 0.0);
    }

    /// The matrix to be filled in before [`factor`](Self::factor).
    pub fn matrix_mut(&mut self) -> &mut Mat {
        &mut self.lu
    }

    /// The matrix, or its factors after [`factor`](Self::factor).
    pub fn matrix(&self) -> &Mat {
        &self.lu
    }

    /// Factorises the matrix in place. Refuses pivots below 1e-14 of what was largest in their column: a solution
    /// would carry no correct digit. Columns are judged on their own because they have different units: masses
    /// of 1e8 beside constraint gradients of size one are no singularity.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let relative = if self.accept_small_pivots { 0.0 } else { 1e-14 };
        let (data, pivots, inverse) =
            (self.lu.data_mut(), &mut self.pivots[..], &mut self.inverse_diagonal[..]);
        // The same code with sizes known to the compiler, for one body with or without a joint.
        match pivots.len() {
            3 => factor(data, pivots, inverse, relative, 3),
            6 => factor(data, pivots, inverse, relative, 6),
            9 => factor(data, pivots, inverse, relative, 9),
            11 => factor(data, pivots, inverse, relative, 11),
            12 => factor(data, pivots, inverse, relative, 12),
            16 => factor(data, pivots, inverse, relative, 16),
            n => factor(data, pivots, inverse, relative, n),
        }
    }

    /// Solves A x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        let (lu, pivots, inverse) = (self.lu.data(), &self.pivots[..], &self.inverse_diagonal[..]);
        match pivots.len() {
            3 => solve(lu, pivots, inverse, b, 3),
            6 => solve(lu, pivots, inverse, b, 6),
            9 => solve(lu, pivots, inverse, b, 9),
            11 => solve(lu, pivots, inverse, b, 11),
            12 => solve(lu, pivots, inverse, b, 12),
            16 => solve(lu, pivots, inverse, b, 16),
            n => solve(lu, pivots, inverse, b, n),
        }
    }
}

#[inline(always)]
fn factor(
    data: &mut [f64],
    pivots: &mut [usize],
    inverse_diagonal: &mut [f64],
    relative: f64,
    n: usize,
) -> Result<(), Singular> {
    let (data, pivots, inverse_diagonal) = (&mut data[..n * n], &mut pivots[..n], &mut inverse_diagonal[..n]);
    for (size, column) in inverse_diagonal.iter_mut().zip(data.chunks_exact(n)) {
        *size = column.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    }
    for k in 0..n {
        let (left, right) = data.split_at_mut((k + 1) * n);
        let column = &mut left[k * n..];
        let mut p = k;
        let mut largest = column[k].abs();
        for (i, x) in column.iter().enumerate().skip(k + 1) {
            if x.abs() > largest {
                largest = x.abs();
                p = i;
            }
        }
        let size = inverse_diagonal[k];
        if !(largest > relative * size) {
            return Err(Singular { column: k, pivot: largest, size });
        }
        pivots[k] = p;
        column.swap(k, p);
        let inverse = 1.0 / column[k];
        inverse_diagonal[k] = inverse;
        let lower = &mut column[k + 1..];
        for x in lower.iter_mut() {
            *x *= inverse;
        }
        for other in right.chunks_exact_mut(n) {
            other.swap(k, p);
            let factor = other[k];
            if factor != 0.0 {
                for (y, l) in other[k + 1..].iter_mut().zip(lower.iter()) {
                    *y -= factor * l;
                }
            }
        }
        // Keep the row interchange of earlier columns implicit: L is applied pivot by pivot in `solve`.
    }
    Ok(())
}

#[inline(always)]
fn solve(lu: &[f64], pivots: &[usize], inverse_diagonal: &[f64], b: &mut [f64], n: usize) {
    let (lu, pivots, inverse_diagonal, b) = (&lu[..n * n], &pivots[..n], &inverse_diagonal[..n], &mut b[..n]);
    for (k, column) in lu.chunks_exact(n).enumerate() {
        b.swap(k, pivots[k]);
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solves_random_systems(n in 1usize..14, seed in proptest::collection::vec(-1.0f64..1.0, 14 * 14 + 14)) {
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
                let growth = b.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
                for r in residual {
                    prop_assert!(r.abs() <= 1e-13 * growth * n as f64, "{r}");
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
