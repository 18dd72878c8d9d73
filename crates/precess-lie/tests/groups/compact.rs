//! Arithmetic of compact operators against dense matrices and difference quotients.

use nalgebra::{DMatrix, DVector};
use precess_lie::Largest;
use precess_lie::{Factor, Product};
use proptest::prelude::*;

fn group() -> Product {
    Product::new([Factor::SE3, Factor::Rn(2), Factor::R3xSO3, Factor::SO3])
}

/// The matrix of a compact operator that is the identity on linear spaces.
fn dense(blocks: &[f64]) -> DMatrix<f64> {
    let g = group();
    let mut m = DMatrix::identity(g.dim(), g.dim());
    g.mul_tangent(blocks, g.dim(), m.as_mut_slice());
    m
}

fn tangent(x: &[f64]) -> Vec<f64> {
    let g = group();
    let mut blocks = vec![0.0; g.tangent_len()];
    g.tangent(x, &mut blocks);
    blocks
}

fn vectors() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(-1.5..1.5_f64, group().dim())
}

proptest! {
    #[test]
    fn sums_products_and_inverses(x in vectors(), y in vectors(), sigma in 0.0..1.5_f64) {
        let g = group();
        let one = DMatrix::<f64>::identity(g.dim(), g.dim());
        let (t, u) = (tangent(&x), tangent(&y));
        let mut p = t.clone();
        g.compact_shift(sigma, 1.0 - sigma, &mut p);
        let p_dense = &one * sigma + dense(&t) * (1.0 - sigma);
        prop_assert!((dense(&p) - &p_dense).largest() < 1e-14);
        let mut product = vec![0.0; t.len()];
        g.compact_product(&p, &u, &mut product);
        prop_assert!((dense(&product) - &p_dense * dense(&u)).largest() < 1e-13);
        let mut z = y.clone();
        g.compact_times(&p, &mut z);
        prop_assert!((DVector::from_vec(z) - &p_dense * DVector::from_column_slice(&y)).largest() < 1e-13);
        g.compact_inverse(&mut p);
        prop_assert!((dense(&p) * &p_dense - one).largest() < 1e-11);
    }

    #[test]
    fn defect_and_derivative(x in vectors(), w in vectors(), d in vectors()) {
        let g = group();
        let n = g.dim();
        let (mut tw, mut defect) = (vec![0.0; n], vec![0.0; n]);
        g.tangent_times(&x, &w, &mut tw);
        g.tangent_defect_times(&x, &w, &mut defect);
        for i in 0..n {
            prop_assert!((w[i] - tw[i] - defect[i]).abs() < 1e-13);
        }
        let mut blocks = vec![0.0; g.tangent_len()];
        g.tangent_times_derivative(&x, &w, &mut blocks);
        // It vanishes on linear spaces, where compact operators stand for the identity.
        let mut linear = d.clone();
        linear[6..8].fill(0.0);
        linear[11..14].fill(0.0);
        g.compact_times(&blocks, &mut linear);
        let step = 1e-5;
        let mut ends = [vec![0.0; n], vec![0.0; n]];
        for (side, end) in [step, -step].iter().zip(&mut ends) {
            let moved: Vec<f64> = x.iter().zip(&d).map(|(x, d)| x + side * d).collect();
            g.tangent_times(&moved, &w, end);
        }
        for i in 0..n {
            let quotient = (ends[0][i] - ends[1][i]) / (2.0 * step);
            prop_assert!((quotient - linear[i]).abs() < 1e-8, "{i}: {quotient} {}", linear[i]);
        }
    }
}

/// For tiny increments, the difference w - T w loses all digits, but the defect loses none.
#[test]
fn defect_of_tiny_increments() {
    let g = Product::new([Factor::SO3]);
    let mut out = [0.0; 3];
    g.tangent_defect_times(&[1e-20, 0.0, 0.0], &[0.0, 1.0, 0.0], &mut out);
    assert!((out[2] - 0.5e-20).abs() < 1e-34, "{out:?}");
}

#[test]
fn singular_operators_are_not_a_number() {
    let g = Product::new([Factor::SO3]);
    let mut zero = [0.0; 9];
    g.compact_inverse(&mut zero);
    assert!(zero.iter().all(|x| x.is_nan()));
}
