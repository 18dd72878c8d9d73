//! Products of dense matrices and vectors, for code outside the steps. The functions are concrete, so that
//! other crates do not compile them again.

use nalgebra::{Complex, DMatrix, DVector};
use precess_lie::VectorUnit;

use super::Mat;

/// A complex vector.
type ComplexVector = DVector<Complex<f64>>;

/// y += a0 x0 + a1 x1 + a2 x2 + a3 x3, from left to right.
fn add_four(y: &mut [f64], columns: [&[f64]; 4], x: [f64; 4]) {
    let n = y.len();
    let [a0, a1, a2, a3] = columns.map(|a| &a[..n]);
    for i in 0..n {
        y[i] = y[i] + a0[i] * x[0] + a1[i] * x[1] + a2[i] * x[2] + a3[i] * x[3];
    }
}

/// y += A x for a matrix in columns.
fn add_product(y: &mut [f64], a: &[f64], x: &[f64]) {
    let n = y.len();
    if n == 0 {
        return;
    }
    let mut fours = a.chunks_exact(4 * n);
    let mut numbers = x.chunks_exact(4);
    for (a, x) in fours.by_ref().zip(numbers.by_ref()) {
        let (left, right) = a.split_at(2 * n);
        let ((a0, a1), (a2, a3)) = (left.split_at(n), right.split_at(n));
        add_four(y, [a0, a1, a2, a3], [x[0], x[1], x[2], x[3]]);
    }
    for (a, x) in fours.remainder().chunks_exact(n).zip(numbers.remainder()) {
        add(*x, a, y);
    }
}

/// y += A x and z += A u. A is read once for both.
#[inline(always)]
fn add_two_products(y: &mut [f64], z: &mut [f64], a: &[f64], x: &[f64], u: &[f64]) {
    let n = y.len();
    let z = &mut z[..n];
    let numbers = x.chunks_exact(4).zip(u.chunks_exact(4));
    for (a, (x, u)) in a.chunks_exact(4 * n).zip(numbers) {
        let [a0, a1, a2, a3] = [0, 1, 2, 3].map(|k| &a[k * n..(k + 1) * n]);
        for i in 0..n {
            y[i] = y[i] + a0[i] * x[0] + a1[i] * x[1] + a2[i] * x[2] + a3[i] * x[3];
            z[i] = z[i] + a0[i] * u[0] + a1[i] * u[1] + a2[i] * u[2] + a3[i] * u[3];
        }
    }
    let rest = a.chunks_exact(n).zip(x.iter().zip(u)).skip(x.len() / 4 * 4);
    rest.for_each(|(a, (x, u))| {
        add(*x, a, y);
        add(*u, a, z);
    });
}

/// A B.
pub fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(a.ncols(), b.nrows());
    let mut c = DMatrix::zeros(a.nrows(), b.ncols());
    if c.is_empty() || a.is_empty() {
        return c;
    }
    let (n, k, a) = (a.nrows(), b.nrows(), a.as_slice());
    let (mut to, mut from) = (c.as_mut_slice().chunks_exact_mut(2 * n), b.as_slice().chunks_exact(2 * k));
    for (c, b) in to.by_ref().zip(from.by_ref()) {
        let ((y, z), (x, u)) = (c.split_at_mut(n), b.split_at(k));
        VectorUnit::run_if_any(
            #[inline(always)]
            || add_two_products(y, z, a, x, u),
        );
    }
    add_product(to.into_remainder(), a, from.remainder());
    c
}

/// A^T B.
pub fn transposed_product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    product(&a.transpose(), b)
}

/// N^T A N.
pub fn congruent(a: &DMatrix<f64>, n: &DMatrix<f64>) -> DMatrix<f64> {
    transposed_product(n, &product(a, n))
}

/// A x.
pub fn times(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
    assert_eq!(a.ncols(), x.len());
    let mut y = DVector::zeros(a.nrows());
    add_product(y.as_mut_slice(), a.as_slice(), x.as_slice());
    y
}

/// A^T x.
pub fn transposed_times(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
    assert_eq!(a.nrows(), x.len());
    let x = x.as_slice();
    let parts = (0..a.ncols()).map(|j| dot(&a.as_slice()[j * x.len()..(j + 1) * x.len()], x));
    DVector::from_iterator(a.ncols(), parts)
}

/// x^T y.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((xs, x), (ys, y)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (x, y) in xs.iter().zip(ys) {
        for i in 0..8 {
            sums[i] += x[i] * y[i];
        }
    }
    let rest: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// The symmetric part of the matrix with entries x_i^T y_j.
pub fn symmetric_products(x: &[DVector<f64>], y: &[DVector<f64>]) -> DMatrix<f64> {
    let part = |i: usize, j: usize| dot(x[i].as_slice(), y[j].as_slice());
    symmetric_part(&DMatrix::from_fn(x.len(), y.len(), part))
}

/// y += a x.
pub fn add(a: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// (A + A^T)/2.
pub fn symmetric_part(a: &DMatrix<f64>) -> DMatrix<f64> {
    0.5 * (a + a.transpose())
}

/// Largest entry of A - A^T in modulus; zero for an empty matrix.
pub fn asymmetry(a: &DMatrix<f64>) -> f64 {
    largest((a - a.transpose()).as_slice())
}

/// Largest number in modulus, not NaN; zero if there are none.
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |b: f64, x| b.max(x.abs()))
}

/// diag(x) A.
pub fn scale_rows(x: &DVector<f64>, mut a: DMatrix<f64>) -> DMatrix<f64> {
    let columns = a.as_mut_slice().chunks_exact_mut(x.len().max(1));
    columns.for_each(|column| column.iter_mut().zip(x.as_slice()).for_each(|(a, x)| *a *= x));
    a
}

/// A diag(x).
pub fn scale_columns(a: &mut DMatrix<f64>, x: &[f64]) {
    let rows = a.nrows().max(1);
    let columns = a.as_mut_slice().chunks_exact_mut(rows);
    columns.zip(x).for_each(|(column, x)| column.iter_mut().for_each(|a| *a *= x));
}

/// The lengths of all columns.
pub fn column_norms(a: &DMatrix<f64>) -> Vec<f64> {
    let length = |j: usize| &a.as_slice()[j * a.nrows()..(j + 1) * a.nrows()];
    (0..a.ncols()).map(|j| dot(length(j), length(j)).sqrt()).collect()
}

/// A x of a matrix in blocks.
pub fn block_times(a: &Mat, x: &DVector<f64>) -> DVector<f64> {
    let mut y = DVector::zeros(a.rows());
    a.gemv(1.0, x.as_slice(), y.as_mut_slice());
    y
}

/// Real and imaginary parts.
pub fn parts(x: &ComplexVector) -> [DVector<f64>; 2] {
    [x.map(|z| z.re), x.map(|z| z.im)]
}

/// re + i im.
pub fn complex(re: &[f64], im: &[f64]) -> ComplexVector {
    DVector::from_iterator(re.len(), re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)))
}

/// x + 0 i.
pub fn complex_matrix(x: &DMatrix<f64>) -> DMatrix<Complex<f64>> {
    x.map(|x| Complex::new(x, 0.0))
}

/// A x of a real matrix.
pub fn times_complex(a: &DMatrix<f64>, x: &ComplexVector) -> ComplexVector {
    let [re, im] = parts(x);
    complex(times(a, &re).as_slice(), times(a, &im).as_slice())
}

/// y += A x of a real matrix.
pub fn add_times_complex(a: &DMatrix<f64>, x: &[Complex<f64>], y: &mut [Complex<f64>]) {
    for (a, x) in a.as_slice().chunks_exact(a.nrows().max(1)).zip(x) {
        y.iter_mut().zip(a).for_each(|(y, a)| *y += x * *a);
    }
}

/// A x of a real matrix in blocks.
pub fn block_times_complex(a: &Mat, x: &ComplexVector) -> ComplexVector {
    let [re, im] = parts(x);
    complex(block_times(a, &re).as_slice(), block_times(a, &im).as_slice())
}

/// A^T x of a real matrix in blocks.
pub fn transposed_block_times_complex(a: &Mat, x: &ComplexVector) -> ComplexVector {
    let [re, im] = parts(x).map(|x| {
        let mut y = DVector::zeros(a.cols());
        a.gemv_transpose(1.0, x.as_slice(), y.as_mut_slice());
        y
    });
    complex(re.as_slice(), im.as_slice())
}

/// x^H y.
pub fn complex_dot(x: &[Complex<f64>], y: &[Complex<f64>]) -> Complex<f64> {
    let (mut re, mut im) = ([0.0; 4], [0.0; 4]);
    for (k, (x, y)) in x.iter().zip(y).enumerate() {
        re[k % 4] += x.re * y.re + x.im * y.im;
        im[k % 4] += x.re * y.im - x.im * y.re;
    }
    Complex::new(re.iter().sum(), im.iter().sum())
}

/// Largest size of a number, not NaN.
pub fn complex_largest(x: &[Complex<f64>]) -> f64 {
    x.iter().fold(0.0, |b: f64, x| b.max(x.norm()))
}

/// y += a x.
pub fn complex_add(a: Complex<f64>, x: &[Complex<f64>], y: &mut [Complex<f64>]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// a x.
pub fn scaled(a: Complex<f64>, x: &ComplexVector) -> ComplexVector {
    x.map(|x| a * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::Largest;

    /// The products are those of nalgebra, for all remainders of the loops and for empty matrices.
    #[test]
    fn products_are_those_of_nalgebra() {
        let matrix = |rows: usize, columns: usize| {
            DMatrix::from_fn(rows, columns, |i, j| ((3 * i + 7 * j) as f64).sin())
        };
        for (n, k, m) in [(0, 3, 2), (3, 0, 2), (3, 4, 0), (1, 1, 1), (5, 4, 3), (7, 6, 9), (20, 11, 5)] {
            let (a, b, square) = (matrix(n, k), matrix(k, m), matrix(n, n));
            let x = DVector::from_fn(k, |i, _| Complex::new((i as f64).cos(), i as f64));
            let y = x.map(|z| z * Complex::new(0.3, -2.0) + 1.0);
            let [re, im] = parts(&x);
            assert!((product(&a, &b) - &a * &b).largest() < 1e-14);
            assert!((transposed_product(&a, &square) - a.tr_mul(&square)).largest() < 1e-14);
            assert!((congruent(&square, &a) - a.tr_mul(&(&square * &a))).largest() < 1e-13);
            assert!((times(&a, &re) - &a * &re).largest() < 1e-14);
            assert!((transposed_times(&b, &re) - b.tr_mul(&re)).largest() < 1e-14);
            assert!((dot(re.as_slice(), im.as_slice()) - re.dot(&im)).abs() < 1e-12);
            let found = times_complex(&a, &x) - complex_matrix(&a) * &x;
            assert!(found.iter().all(|z| z.norm() < 1e-13));
            let mut sum = ComplexVector::zeros(n);
            add_times_complex(&a, x.as_slice(), sum.as_mut_slice());
            assert!((sum - complex_matrix(&a) * &x).iter().all(|z| z.norm() < 1e-13));
            assert!((complex_dot(x.as_slice(), y.as_slice()) - x.dotc(&y)).norm() < 1e-12);
        }
    }
}
