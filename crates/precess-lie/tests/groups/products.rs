//! Direct products against their factors, and the compact tangent operator against dense matrices.

use crate::common::*;
use nalgebra::{DMatrix, DVector};
use precess_lie::Largest;
use precess_lie::{Factor, InvalidElement, LieGroup, Product, R3xSO3, SE3, SO3};
use proptest::prelude::*;

/// An operation of a product, which the tests compare with the same operation of its factors.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Identity,
    Compose,
    Inverse,
    Exp,
    Log,
    Retract,
    CayleyRetract,
    Difference,
    Interpolate,
    Bracket,
    AdjointTimes,
    TangentTimes,
    TangentTransposeTimes,
    TangentInverseTimes,
}

use Operation::*;

const ALL: [Operation; 14] = [
    Identity,
    Compose,
    Inverse,
    Exp,
    Log,
    Retract,
    CayleyRetract,
    Difference,
    Interpolate,
    Bracket,
    AdjointTimes,
    TangentTimes,
    TangentTransposeTimes,
    TangentInverseTimes,
];

/// Two elements and two vectors, as flat arrays.
#[derive(Clone, Debug, Default)]
struct Data {
    a: Vec<f64>,
    b: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

const THETA: f64 = 0.3;

fn by_factor<G: Representation>(operation: Operation, d: &Data) -> Vec<f64> {
    let element = |numbers: &[f64]| {
        let mut q = G::identity();
        for (i, n) in numbers.iter().enumerate() {
            q[i] = *n;
        }
        q
    };
    let (a, b) = (element(&d.a), element(&d.b));
    let (x, y) = (G::vector(&d.x), G::vector(&d.y));
    let q = |q: G::Element| G::numbers(&q);
    let v = |v: G::Vector| G::coordinates(&v).as_slice().to_vec();
    match operation {
        Identity => q(G::identity()),
        Compose => q(G::compose(&a, &b)),
        Inverse => q(G::inverse(&a)),
        Exp => q(G::exp(&x)),
        Log => v(G::log(&a)),
        Retract => q(G::retract(&a, &x)),
        CayleyRetract => q(G::compose(&a, &G::cayley(&x))),
        Difference => v(G::difference(&a, &b)),
        Interpolate => q(G::interpolate(&a, &b, THETA)),
        Bracket => v(G::hat(&x) * y),
        AdjointTimes => v(G::adjoint(&a) * x),
        TangentTimes => v(G::tangent(&x) * y),
        TangentTransposeTimes => {
            let t = G::dense(&G::tangent(&x)).transpose();
            (t * G::coordinates(&y)).as_slice().to_vec()
        }
        TangentInverseTimes => v(G::tangent_inverse(&x) * y),
    }
}

fn by_product(product: &Product, operation: Operation, d: &Data) -> Vec<f64> {
    let length = match operation {
        Identity | Compose | Inverse | Exp | Retract | CayleyRetract | Interpolate => product.repr(),
        _ => product.dim(),
    };
    let mut out = vec![f64::NAN; length];
    match operation {
        Identity => product.identity(&mut out),
        Compose => product.compose(&d.a, &d.b, &mut out),
        Inverse => product.inverse(&d.a, &mut out),
        Exp => product.exp(&d.x, &mut out),
        Log => product.log(&d.a, &mut out),
        Retract => product.retract(&d.a, &d.x, &mut out),
        CayleyRetract => product.cayley_retract(&d.a, &d.x, &mut out),
        Difference => product.difference(&d.a, &d.b, &mut out),
        Interpolate => product.interpolate(&d.a, &d.b, THETA, &mut out),
        Bracket => product.bracket(&d.x, &d.y, &mut out),
        AdjointTimes => product.adjoint_times(&d.a, &d.x, &mut out),
        TangentTimes => product.tangent_times(&d.x, &d.y, &mut out),
        TangentTransposeTimes => product.tangent_transpose_times(&d.x, &d.y, &mut out),
        TangentInverseTimes => product.tangent_inverse_times(&d.x, &d.y, &mut out),
    }
    out
}

/// Runs a generic function with the group of a factor.
macro_rules! with_group {
    ($factor:expr, $function:ident ( $($argument:expr),* )) => {
        match $factor {
            Factor::Rn(1) => $function::<precess_lie::Rn<1>>($($argument),*),
            Factor::Rn(4) => $function::<precess_lie::Rn<4>>($($argument),*),
            Factor::Rn(n) => panic!("no test for dimension {n}"),
            Factor::SO3 => $function::<SO3>($($argument),*),
            Factor::R3xSO3 => $function::<R3xSO3>($($argument),*),
            Factor::SE3 => $function::<SE3>($($argument),*),
        }
    };
}

fn tangent_of<G: Representation>(x: &[f64]) -> DMatrix<f64> {
    G::dense(&G::tangent(&G::vector(x)))
}

fn element_of<G: Representation>(x: &[f64]) -> Vec<f64> {
    G::numbers(&element::<G>(x))
}

/// A factor with the coordinates of two elements and two vectors; six numbers each.
type Draw = (Factor, [Vec<f64>; 4]);

fn factor() -> impl Strategy<Value = Draw> {
    (
        prop::sample::select(vec![Factor::Rn(1), Factor::Rn(4), Factor::SO3, Factor::R3xSO3, Factor::SE3]),
        [coordinates(), coordinates(), coordinates(), coordinates()],
    )
}

fn assemble(draws: &[Draw]) -> (Product, Data, Vec<Data>) {
    let product = Product::new(draws.iter().map(|(factor, _)| *factor));
    let mut all = Data::default();
    let mut single = Vec::new();
    for (factor, [a, b, x, y]) in draws {
        let n = factor.dim();
        let data = Data {
            a: with_group!(factor, element_of(a)),
            b: with_group!(factor, element_of(b)),
            x: x[..n].to_vec(),
            y: y[..n].to_vec(),
        };
        all.a.extend(&data.a);
        all.b.extend(&data.b);
        all.x.extend(&data.x);
        all.y.extend(&data.y);
        single.push(data);
    }
    (product, all, single)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn operations_agree_with_the_factors(draws in prop::collection::vec(factor(), 0..5)) {
        let (product, all, single) = assemble(&draws);
        for operation in ALL {
            let found = by_product(&product, operation, &all);
            let mut expected = Vec::new();
            for (factor, data) in product.factors().iter().zip(&single) {
                expected.extend(with_group!(factor, by_factor(operation, data)));
            }
            prop_assert_eq!(found.len(), expected.len());
            for (f, e) in found.iter().zip(&expected) {
                prop_assert!((f - e).abs() <= 2e-14, "{operation:?}: {f} {e}");
            }
        }
    }

    #[test]
    fn compact_tangent(draws in prop::collection::vec(factor(), 1..5), rows in 0usize..9) {
        let (product, all, single) = assemble(&draws);
        let n = product.dim();
        let mut dense = DMatrix::zeros(n, n);
        for (i, (factor, data)) in product.factors().iter().zip(&single).enumerate() {
            let range = product.v_range(i);
            dense
                .view_mut((range.start, range.start), (range.len(), range.len()))
                .copy_from(&with_group!(factor, tangent_of(&data.x)));
        }
        let mut blocks = vec![f64::NAN; product.tangent_len()];
        product.tangent(&all.x, &mut blocks);
        let matrix = DMatrix::from_fn(rows, n, |i, j| ((3 + i * 7 + j * 13) % 17) as f64 - 8.0);
        let mut found = matrix.clone();
        product.mul_tangent(&blocks, rows, found.as_mut_slice());
        if rows > 0 {
            prop_assert!(distance(&found, &(matrix * &dense)) < 1e-13);
        }
        let mut image = vec![f64::NAN; n];
        product.tangent_times(&all.x, &all.y, &mut image);
        let expected = &dense * DVector::from_vec(all.y.clone());
        prop_assert!((DVector::from_vec(image) - expected).largest() < 2e-14);
    }

    #[test]
    fn elements_pass_the_check(draws in prop::collection::vec(factor(), 0..5)) {
        let (product, all, _) = assemble(&draws);
        prop_assert_eq!(product.check(&all.a), Ok(()));
        prop_assert_eq!(all.a.len(), product.repr());
        prop_assert_eq!(all.x.len(), product.dim());
        let mut end = (0, 0);
        for (i, factor) in product.factors().iter().enumerate() {
            let (q, v) = (product.q_range(i), product.v_range(i));
            prop_assert_eq!((q.start, v.start), end);
            prop_assert_eq!((q.len(), v.len()), (factor.repr(), factor.dim()));
            end = (q.end, v.end);
        }
        prop_assert_eq!(end, (product.repr(), product.dim()));
    }
}

#[test]
fn check_names_the_factor() {
    let product = Product::new([Factor::Rn(2), Factor::SO3, Factor::SE3]);
    let mut q = vec![0.0; product.repr()];
    product.identity(&mut q);
    assert_eq!(product.check(&q), Ok(()));
    assert_eq!(product.check(&q[1..]), Err(InvalidElement::Length { expected: 13, found: 12 }));
    q[6] = 1.001;
    let error = product.check(&q).unwrap_err();
    assert_eq!(error, InvalidElement::NotUnit { index: 2, factor: Factor::SE3, norm: 1.001 });
    assert!(error.to_string().contains("factor 2 (SE3)"));
    q[1] = f64::NAN;
    assert_eq!(product.check(&q), Err(InvalidElement::NotFinite { index: 0, factor: Factor::Rn(2) }));
}

#[test]
fn power_repeats_the_factor() {
    let product = Product::power(Factor::SE3, 3);
    assert_eq!(product, Product::new([Factor::SE3; 3]));
    assert_eq!((product.dim(), product.repr(), product.tangent_len()), (18, 21, 54));
    let names = [Factor::Rn(2), Factor::SO3, Factor::R3xSO3, Factor::SE3].map(Factor::name);
    assert_eq!(names, ["Rn", "SO3", "R3xSO3", "SE3"]);
    assert_eq!(SO3::NAME, "SO3");
}
