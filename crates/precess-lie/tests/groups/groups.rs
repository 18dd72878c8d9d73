//! One suite of properties for every group.

use crate::common::*;
use nalgebra::DMatrix;
use precess_lie::Largest;
use proptest::prelude::*;

fn close(error: f64, tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert!(error <= tolerance, "error {error:e} > {tolerance:e}");
    Ok(())
}

/// Central difference of fourth order of a matrix-valued function.
fn difference(f: impl Fn(f64) -> DMatrix<f64>, h: f64) -> DMatrix<f64> {
    ((f(h) - f(-h)) * 8.0 - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

fn axioms<G: Representation>(x: &[f64], y: &[f64], z: &[f64]) -> Result<(), TestCaseError> {
    let (a, b, c) = (element::<G>(x), element::<G>(y), element::<G>(z));
    let e = G::identity();
    close(apart::<G>(&G::compose(&a, &e), &a), 1e-15)?;
    close(apart::<G>(&G::compose(&e, &a), &a), 1e-15)?;
    close(apart::<G>(&G::compose(&a, &G::inverse(&a)), &e), 1e-14)?;
    close(apart::<G>(&G::compose(&G::inverse(&a), &a), &e), 1e-14)?;
    let left = G::compose(&G::compose(&a, &b), &c);
    let right = G::compose(&a, &G::compose(&b, &c));
    close(apart::<G>(&left, &right), 2e-14)?;
    close(distance(&G::matrix(&G::compose(&a, &b)), &(G::matrix(&a) * G::matrix(&b))), 1e-14)?;
    close(rotation_error::<G>(&a), 1e-15)
}

fn rotation_error<G: Representation>(q: &G::Element) -> f64 {
    if G::ROTATES { rotation_matrix_error(&G::numbers(q)) } else { 0.0 }
}

fn exponential<G: Representation>(x: &[f64]) -> Result<(), TestCaseError> {
    let v = G::vector(x);
    let q = G::exp(&v);
    close(distance(&G::matrix(&q), &expm(&G::tilde(&v))), 2e-14)?;
    let back = G::log(&q);
    close(G::largest(&(back - v)), 4e-15 * G::largest(&v))?;
    let back = G::log(&element::<G>(x));
    close(G::largest(&(back - v)), 4e-15 * G::largest(&v))
}

fn half_turn<G: Representation>(x: &[f64]) -> Result<(), TestCaseError> {
    let v = G::vector(x);
    let q = element::<G>(x);
    let back = G::log(&q);
    // At the half turn itself both directions of the axis are right.
    let angle = x[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
    if angle < std::f64::consts::PI - 1e-13 {
        close(G::largest(&(back - v)), 1e-14)?;
    }
    close(apart::<G>(&G::exp(&back), &q), 1e-14)
}

fn tangents<G: Representation>(x: &[f64], y: &[f64]) -> Result<(), TestCaseError> {
    let (x, y) = (G::vector(x), G::vector(y));
    let t = G::tangent(&x);
    let series = tangent_series(&G::dense(&G::hat(&x)));
    close(distance(&G::dense(&t), &series), 2e-14)?;
    close(G::largest(&(t * x - x)), 1e-15 * (1.0 + G::largest(&x)))?;
    let unit = DMatrix::identity(G::DIM, G::DIM);
    let inverse = G::tangent_inverse(&x);
    close(distance(&G::dense(&(t * inverse)), &unit), 2e-14)?;
    close(distance(&G::dense(&(inverse * t)), &unit), 2e-14)?;
    let numeric = difference(|s| G::matrix(&G::exp(&(x + y * s))), 1e-3);
    let exact = G::matrix(&G::exp(&x)) * G::tilde(&(t * y));
    close(distance(&numeric, &exact), 2e-9)
}

fn derivatives<G: Representation>(x: &[f64], y: &[f64], w: &[f64]) -> Result<(), TestCaseError> {
    let (x, y, w) = (G::vector(x), G::vector(y), G::vector(w));
    let exact = G::dense(&G::tangent_derivative(&x, &y));
    let numeric = difference(|s| G::dense(&G::tangent(&(x + y * s))), 1e-3);
    close(distance(&numeric, &exact), 2e-9)?;
    let along = G::tangent_derivative(&x, &y) * w;
    let jacobian = G::tangent_times_derivative(&x, &w) * y;
    close(G::largest(&(along - jacobian)), 4e-14)
}

fn brackets<G: Representation>(x: &[f64], y: &[f64], z: &[f64]) -> Result<(), TestCaseError> {
    let (x, y, z) = (G::vector(x), G::vector(y), G::vector(z));
    let bracket = |a: &G::Vector, b: &G::Vector| G::hat(a) * *b;
    let (a, b) = (G::tilde(&x), G::tilde(&y));
    let commutator = &a * &b - &b * &a;
    close(distance(&G::tilde(&bracket(&x, &y)), &commutator), 1e-14)?;
    close(G::largest(&(bracket(&x, &y) + bracket(&y, &x))), 1e-14)?;
    let jacobi =
        bracket(&x, &bracket(&y, &z)) + bracket(&y, &bracket(&z, &x)) + bracket(&z, &bracket(&x, &y));
    close(G::largest(&jacobi), 2e-13)
}

fn adjoints<G: Representation>(x: &[f64], y: &[f64], z: &[f64]) -> Result<(), TestCaseError> {
    let (a, b) = (element::<G>(x), element::<G>(y));
    let (x, z) = (G::vector(x), G::vector(z));
    let ad = G::dense(&G::adjoint(&a));
    let product = G::dense(&(G::adjoint(&a) * G::adjoint(&b)));
    close(distance(&G::dense(&G::adjoint(&G::compose(&a, &b))), &product), 1e-13)?;
    close(distance(&ad, &expm(&G::dense(&G::hat(&x)))), 1e-13)?;
    let conjugated = G::compose(&G::compose(&a, &G::exp(&z)), &G::inverse(&a));
    close(apart::<G>(&conjugated, &G::exp(&(G::adjoint(&a) * z))), 4e-14)?;
    // T(-x) = Ad(exp x) T(x), the relation between left and right trivialisation.
    let other = G::adjoint(&G::exp(&x)) * G::tangent(&x);
    close(distance(&G::dense(&G::tangent(&-x)), &G::dense(&other)), 4e-14)
}

/// Lemma 2.5 up to the order three, with a measured exponent.
fn baker_campbell_hausdorff<G: Representation>(a: &[f64], c: &[f64]) -> Result<(), TestCaseError> {
    let (a, c) = (G::vector(a), G::vector(c));
    let remainder = |s: f64| {
        let (a, c) = (a * s, c * s);
        let exact = G::log(&G::compose(&G::exp(&a), &G::exp(&c)));
        exact - (a + c + G::hat(&a) * c * 0.5)
    };
    // The term of third order is known, which fixes size, sign and order at once.
    let bracket = |a: &G::Vector, b: &G::Vector| G::hat(a) * *b;
    let ac = bracket(&a, &c);
    let cubic = (bracket(&a, &ac) - bracket(&c, &ac)) * (1.0 / 12.0);
    for s in [4e-3, 1e-3] {
        let leading = remainder(s) * (1.0 / (s * s * s));
        close(G::largest(&(leading - cubic)), 100.0 * s + 1e-15 / (s * s * s))?;
    }
    if G::largest(&cubic) > 0.1 {
        let order = (G::largest(&remainder(2e-2)) / G::largest(&remainder(1e-2))).log2();
        prop_assert!((order - 3.0).abs() < 0.5, "order {order}");
    }
    let commuting = G::log(&G::compose(&G::exp(&(a * 0.3)), &G::exp(&(a * 0.4))));
    close(G::largest(&(commuting - a * 0.7)), 4e-15 * (1.0 + G::largest(&a)))
}

fn cayley_maps<G: Representation>(x: &[f64], y: &[f64]) -> Result<(), TestCaseError> {
    let (x, y) = (G::vector(x), G::vector(y));
    let q = G::cayley(&x);
    let half = G::tilde(&x) * 0.5;
    let unit = DMatrix::identity(half.nrows(), half.nrows());
    let matrix = (&unit - &half).try_inverse().expect("regular") * (&unit + &half);
    close(distance(&G::matrix(&q), &matrix), 2e-14)?;
    if G::ROTATES {
        let m = G::matrix(&q);
        let r = m.view((0, 0), (3, 3));
        close((r.transpose() * r - DMatrix::identity(3, 3)).largest(), 2e-15)?;
    }
    close(G::largest(&(G::cayley_inverse(&q) - x)), 1e-14)?;
    let t = G::cayley_tangent(&x);
    let numeric = difference(|s| G::matrix(&G::cayley(&(x + y * s))), 1e-3);
    close(distance(&numeric, &(G::matrix(&q) * G::tilde(&(t * y)))), 4e-9)?;
    let unit = DMatrix::identity(G::DIM, G::DIM);
    let inverse = G::cayley_tangent_inverse(&x);
    close(distance(&G::dense(&(t * inverse)), &unit), 2e-14)?;
    // Agreement with the exponential map to second order: the error is of third order.
    let error = |s: f64| G::largest(&(G::log(&G::cayley(&(x * s))) - x * s));
    let (coarse, fine) = (error(0.04), error(0.02));
    if fine > 1e-9 {
        let order = (coarse / fine).log2();
        prop_assert!((order - 3.0).abs() < 0.1, "order {order}");
    } else {
        close(coarse, 2e-8)?;
    }
    Ok(())
}

fn interpolation<G: Representation>(x: &[f64], y: &[f64], theta: f64) -> Result<(), TestCaseError> {
    let (a, d) = (element::<G>(x), G::vector(y));
    let b = G::retract(&a, &d);
    close(G::largest(&(G::difference(&a, &b) - d)), 2e-14)?;
    let forward = G::interpolate(&a, &b, theta);
    let backward = G::interpolate(&b, &a, 1.0 - theta);
    close(apart::<G>(&forward, &backward), 4e-14)?;
    close(apart::<G>(&forward, &G::retract(&a, &(d * theta))), 4e-14)?;
    close(apart::<G>(&G::interpolate(&a, &b, 0.0), &a), 1e-14)?;
    close(apart::<G>(&G::interpolate(&a, &b, 1.0), &b), 4e-14)
}

macro_rules! suite {
    ($name:ident, $group:ty) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(config())]
                #[test]
                fn group_axioms(x in coordinates(), y in coordinates(), z in coordinates()) {
                    axioms::<$group>(&x, &y, &z)?;
                }
                #[test]
                fn exp_and_log(x in coordinates()) {
                    exponential::<$group>(&x)?;
                }
                #[test]
                fn log_near_a_half_turn(x in near_half_turn()) {
                    half_turn::<$group>(&x)?;
                }
                #[test]
                fn tangent_operator(x in coordinates(), y in moderate(1.0)) {
                    tangents::<$group>(&x, &y)?;
                }
                #[test]
                fn tangent_derivatives(x in coordinates(), y in moderate(1.0), w in moderate(1.0)) {
                    derivatives::<$group>(&x, &y, &w)?;
                }
                #[test]
                fn lie_bracket(x in coordinates(), y in coordinates(), z in coordinates()) {
                    brackets::<$group>(&x, &y, &z)?;
                }
                #[test]
                fn adjoint_representation(
                    x in coordinates(), y in coordinates(), z in coordinates()
                ) {
                    adjoints::<$group>(&x, &y, &z)?;
                }
                #[test]
                fn lemma_2_5(a in moderate(1.5), c in moderate(1.5)) {
                    baker_campbell_hausdorff::<$group>(&a, &c)?;
                }
                #[test]
                fn cayley_map(x in coordinates(), y in moderate(1.0)) {
                    cayley_maps::<$group>(&x, &y)?;
                }
                #[test]
                fn remark_2_2(x in coordinates(), y in moderate(3.0), theta in 0.0..1.0) {
                    interpolation::<$group>(&x, &y, theta)?;
                }
            }
        }
    };
}

suite!(linear, precess_lie::Rn<5>);
suite!(so3, precess_lie::SO3);
suite!(r3so3, precess_lie::R3xSO3);
suite!(se3, precess_lie::SE3);
