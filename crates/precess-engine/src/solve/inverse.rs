//! The inverse of a small pivot, used instead of its factors. Divisions become products, whose sums are
//! independent of each other, unlike those of substitutions.

use precess_lie::VectorUnit;

use super::singular::Singular;

/// Pivots of more unknowns are factorised, since an inverse takes three times the operations.
pub(super) const MAX_INVERTED: usize = 12;

/// A diagonal entry is the pivot if it is at least this part of the largest entry below it.
const DIAGONAL_PIVOT: f64 = 0.1;

/// D <- D^-1 of n <= [`MAX_INVERTED`] unknowns. D is at the beginning of `values`; up to three numbers after
/// it are read.
#[inline(never)]
pub(super) fn invert(unit: VectorUnit, values: &mut [f64], n: usize) -> Result<(), Singular> {
    unit.run(
        #[inline(always)]
        || invert_by_size(values, n),
    )
}

#[inline(always)]
fn invert_by_size(values: &mut [f64], n: usize) -> Result<(), Singular> {
    // With one loop for all sizes, steps of the slider-crank took 1.05 times as long.
    macro_rules! by_size {
        ($($n:literal)*) => {
            match n {
                $($n => divide::<{ padded($n) }, 0>(values, $n, &mut [[]; $n]),)*
                _ => exchanging(&mut values[..n * n], n, &mut []),
            }
        };
    }
    by_size!(1 2 3 4 5 6 7 8 9 10 11 12)
}

/// The number of rows that [`divide`] gives to columns of n unknowns.
pub(super) const fn padded(n: usize) -> usize {
    match n {
        0..=4 => 4,
        5..=8 => 8,
        _ => MAX_INVERTED,
    }
}

/// D <- D^-1 and L <- L D^-1 for the first n columns of L, of R numbers each, with P = [`padded`]`(n)`. More
/// accurate than a product with the inverse: it has the errors of an elimination.
///
/// Pivots come from the diagonal of D, which is good enough for nearly all mechanisms. If an entry of the
/// diagonal is too small, the largest entries of the columns are the pivots.
#[inline(always)]
pub(super) fn divide<const P: usize, const R: usize>(
    values: &mut [f64],
    n: usize,
    l: &mut [[f64; R]],
) -> Result<(), Singular> {
    let good = from_diagonal::<P, R>(values, n, l);
    if good { Ok(()) } else { exchanging(&mut values[..n * n], n, l[..n].as_flattened_mut()) }
}

/// For each row k of P: zero there and one elsewhere; one in the rows after k and zero elsewhere.
const fn masks<const P: usize>() -> [([f64; P], [f64; P]); P] {
    let mut masks = [([1.0; P], [0.0; P]); P];
    let mut k = 0;
    while k < P {
        masks[k].0[k] = 0.0;
        let mut i = k + 1;
        while i < P {
            masks[k].1[i] = 1.0;
            i += 1;
        }
        k += 1;
    }
    masks
}

/// Gauss-Jordan elimination of columns without exchanges. Pivots are tested at the end, so that nothing waits
/// for the test. If they are too small, D and L stay unchanged and the result is false.
///
/// Columns of D have P >= n rows here, and the last ones are zero. All are read and written as whole vectors,
/// because reading a vector that was written in parts stalls.
#[inline(always)]
fn from_diagonal<const P: usize, const R: usize>(values: &mut [f64], n: usize, l: &mut [[f64; R]]) -> bool {
    let n = n.min(P);
    let masks = const { &masks::<P>() };
    let (mut x, mut quotients) = ([[0.0; P]; P], [[0.0; R]; P]);
    for (x, d) in x[..n].iter_mut().zip(values.windows(P).step_by(n)) {
        for i in 0..P {
            x[i] = if i < n { d[i] } else { 0.0 };
        }
    }
    quotients[..n].copy_from_slice(&l[..n]);
    let mut growth = [0.0; P];
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0);
    for k in 0..n {
        let (keep, later) = &masks[k];
        let pivot = x[k][k];
        let inverse = 1.0 / pivot;
        let mut own = [0.0; P];
        for i in 0..P {
            own[i] = (x[k][i] * keep[i] + (1.0 - keep[i])) * inverse;
            growth[i] = larger((own[i] * later[i]).abs(), growth[i]);
        }
        smallest = if pivot.abs() > smallest { smallest } else { pivot.abs() };
        largest = larger(pivot.abs(), largest);
        let mut own_l = quotients[k];
        own_l.iter_mut().for_each(|x| *x *= inverse);
        for (j, (x, l)) in x[..n].iter_mut().zip(&mut quotients).enumerate() {
            let w = x[k];
            if j != k && w != 0.0 {
                for i in 0..P {
                    x[i] = x[i] * keep[i] - w * own[i];
                }
                for i in 0..R {
                    l[i] -= w * own_l[i];
                }
            }
        }
        (x[k], quotients[k]) = (own, own_l);
    }
    let growth = growth.iter().fold(0.0, |s, x| larger(*x, s));
    let good = growth <= 1.0 / DIAGONAL_PIVOT && smallest > 1e-14 * largest;
    if good {
        for (x, d) in x.iter().zip(values.chunks_exact_mut(n)).take(n) {
            d.copy_from_slice(&x[..n]);
        }
        l[..n].copy_from_slice(&quotients[..n]);
    }
    good
}

/// D <- D^-1 and L <- L D^-1 with the largest entries of the columns as pivots; L has n columns, one after
/// the other.
#[cold]
#[inline(never)]
fn exchanging(d: &mut [f64], n: usize, l: &mut [f64]) -> Result<(), Singular> {
    let size = d.iter().fold(0.0, |s, x| larger(x.abs(), s));
    let r = l.len() / n.max(1);
    let mut rows = [0; MAX_INVERTED];
    for k in 0..n {
        let p = choose(&d[k * n..(k + 1) * n], k, size)?;
        rows[k] = p;
        d.chunks_exact_mut(n).for_each(|column| column.swap(k, p));
        let inverse = 1.0 / d[k * n + k];
        d[k * n + k] = 1.0;
        d[k * n..(k + 1) * n].iter_mut().for_each(|x| *x *= inverse);
        l[k * r..(k + 1) * r].iter_mut().for_each(|x| *x *= inverse);
        for j in (0..n).filter(|j| *j != k) {
            let w = std::mem::take(&mut d[j * n + k]);
            (0..n).for_each(|i| d[j * n + i] -= w * d[k * n + i]);
            (0..r).for_each(|i| l[j * r + i] -= w * l[k * r + i]);
        }
    }
    for (k, &p) in rows[..n].iter().enumerate().rev() {
        (0..n).for_each(|i| d.swap(k * n + i, p * n + i));
        (0..r).for_each(|i| l.swap(k * r + i, p * r + i));
    }
    Ok(())
}

#[inline(always)]
pub(super) fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// Row of the largest entry from k on; refuses a column in which all entries are round-off of `size`.
#[inline(always)]
pub(super) fn choose(column: &[f64], k: usize, size: f64) -> Result<usize, Singular> {
    let (mut p, mut pivot) = (k, column[k].abs());
    for (i, x) in column.iter().enumerate() {
        if i > k && x.abs() > pivot {
            (p, pivot) = (i, x.abs());
        }
    }
    if pivot > 1e-14 * size { Ok(p) } else { Err(Singular { column: k, pivot, size }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;
    use precess_lie::Largest;
    use proptest::prelude::*;

    proptest! {
        /// D D^-1 = 1 for matrices with and without good diagonals, up to the round-off explained by their
        /// condition.
        #[test]
        fn is_an_inverse(
            n in 1..=MAX_INVERTED,
            entries in proptest::collection::vec(-1.0f64..1.0, MAX_INVERTED * MAX_INVERTED),
            shift in 0..MAX_INVERTED,
            weight in prop_oneof![Just(0.0), Just(1e-9), Just(1.0), Just(4.0)],
        ) {
            let large = |i: usize, j: usize| if (i + shift) % n == j { weight } else { 0.0 };
            let matrix = DMatrix::from_fn(n, n, |i, j| entries[i * n + j] + large(i, j));
            let singular = matrix.clone().svd(false, false).singular_values;
            let condition = singular.largest() / singular.min();
            prop_assume!(condition < 1e10);
            let mut d = matrix.as_slice().to_vec();
            d.extend([f64::NAN; 3]);
            invert_by_size(&mut d, n).unwrap();
            d.truncate(n * n);
            let error = (DMatrix::from_vec(n, n, d) * &matrix - DMatrix::identity(n, n)).largest();
            prop_assert!(error < 1e-12 * condition, "{error:e} with a condition of {condition:e}");
        }
    }

    /// A zero diagonal needs exchanges; a zero column is singular, and so are values that are not finite.
    #[test]
    fn pivots_are_looked_for() {
        let mut d = [0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 8.0, 0.0, 0.0, 7.0, 7.0, 7.0];
        invert_by_size(&mut d, 3).unwrap();
        assert_eq!(d[..9], [0.0, 0.0, 0.125, 0.5, 0.0, 0.0, 0.0, 0.25, 0.0]);
        let mut d = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 7.0, 7.0, 7.0];
        assert_eq!(invert_by_size(&mut d, 3).unwrap_err().column, 1);
        let mut d = [1.0, 0.0, 0.0, f64::NAN, 7.0, 7.0, 7.0];
        assert_eq!(invert_by_size(&mut d, 2).unwrap_err().column, 1);
    }
}
