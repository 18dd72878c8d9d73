//! Accuracy of the coefficients compared with the textbook closed forms, evaluated with about 31 digits.

use crate::larger;
use std::f64::consts::PI;
use std::ops::{Add, Div, Mul, Sub};

use super::*;

/// An unevaluated sum of two `f64`.
#[derive(Clone, Copy, Debug)]
struct Twofold(f64, f64);

fn from(x: f64) -> Twofold {
    Twofold(x, 0.0)
}

fn two_sum(a: f64, b: f64) -> Twofold {
    let s = a + b;
    let t = s - a;
    Twofold(s, (a - (s - t)) + (b - t))
}

fn two_product(a: f64, b: f64) -> Twofold {
    let p = a * b;
    Twofold(p, a.mul_add(b, -p))
}

impl Add for Twofold {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.0, other.0);
        let low = two_sum(self.1, other.1);
        let s = two_sum(high.0, high.1 + low.0);
        two_sum(s.0, s.1 + low.1)
    }
}

impl Sub for Twofold {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Self(-other.0, -other.1)
    }
}

impl Mul for Twofold {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = two_product(self.0, other.0);
        two_sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Twofold {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let mut quotient = from(0.0);
        for _ in 0..4 {
            let rest = self - quotient * other;
            quotient = quotient + from(rest.0 / other.0);
        }
        quotient
    }
}

/// `sum_l (-s)^l / (2l + m)!`; 40 terms are exact for `s < 50`.
fn phi(m: usize, s: Twofold) -> Twofold {
    let mut term = from(1.0);
    for i in 2..=m {
        term = term / from(i as f64);
    }
    let mut sum = term;
    for l in 1..40 {
        let n = 2 * l + m;
        term = from(0.0) - term * s / from((n * (n - 1)) as f64);
        sum = sum + term;
    }
    sum
}

/// The coefficients as in textbooks, for `s` large enough to survive the cancellation in 31 digits, and the
/// first terms of their expansions otherwise.
struct Reference {
    b: Twofold,
    c: Twofold,
    b1: Twofold,
    c1: Twofold,
    b2: Twofold,
    c2: Twofold,
    d: Twofold,
    d1: Twofold,
}

fn reference(s: f64) -> Reference {
    let small = s < 1e-5;
    let s = from(s);
    let expansion = |terms: [(f64, f64); 4]| {
        let [t0, t1, t2, t3] = terms.map(|(a, b)| from(a) / from(b));
        t0 + s * (t1 + s * (t2 + s * t3))
    };
    if small {
        return Reference {
            b: phi(2, s),
            c: phi(3, s),
            b1: expansion([(-1.0, 12.0), (1.0, 180.0), (-1.0, 6720.0), (1.0, 453600.0)]),
            c1: expansion([(-1.0, 60.0), (1.0, 1260.0), (-1.0, 60480.0), (1.0, 4989600.0)]),
            b2: expansion([(1.0, 90.0), (-1.0, 1680.0), (1.0, 75600.0), (-1.0, 5987520.0)]),
            c2: expansion([(1.0, 630.0), (-1.0, 15120.0), (1.0, 831600.0), (-1.0, 77837760.0)]),
            d: expansion([(1.0, 12.0), (1.0, 720.0), (1.0, 30240.0), (1.0, 1209600.0)]),
            d1: expansion([(1.0, 360.0), (1.0, 7560.0), (1.0, 201600.0), (1.0, 5987520.0)]),
        };
    }
    let cos = phi(0, s);
    let sinc = phi(1, s);
    let (one, two, three) = (from(1.0), from(2.0), from(3.0));
    // Three nested quotients would lose too many of the 31 digits for small angles.
    let (b, c) = if s.0 < 0.1 { (phi(2, s), phi(3, s)) } else { ((one - cos) / s, (one - sinc) / s) };
    let b1 = (sinc - two * b) / s;
    let c1 = (b - three * c) / s;
    // With dsinc/ds = (cos - sinc)/(2s).
    let b2 = ((cos - sinc) / s - two * b1 - two * b1) / s;
    let c2 = (b1 - three * c1 - two * c1) / s;
    let quarter = s / from(4.0);
    let sinc_half = phi(1, quarter);
    let gamma = phi(0, quarter) / sinc_half;
    let d = (one - gamma) / s;
    let d1 = (one / (sinc_half * sinc_half) + gamma - two) / (s * s);
    Reference { b, c, b1, c1, b2, c2, d, d1 }
}

/// Squared angles over all decades from `1e-15` to the given angle, densely in the upper part and
/// around the places where the number of terms changes.
fn arguments(largest: f64) -> impl Iterator<Item = f64> {
    let decades = (0..4000).map(move |i| 10f64.powf(-15.0 + 15.0 * i as f64 / 4000.0));
    let linear = (1..=40000).map(move |i| largest * i as f64 / 40000.0);
    let edges = [TINY, SMALL, HALF_TURN]
        .into_iter()
        .flat_map(|s| (-20..=20).map(move |i| s * (1.0 + 1e-13 * i as f64)));
    decades.chain(linear).map(|phi| phi * phi).chain(edges.filter(move |s| *s <= largest * largest))
}

fn relative(value: f64, exact: Twofold) -> f64 {
    ((from(value) - exact) / exact).0.abs()
}

/// Largest relative errors, in the order of the names.
fn errors(largest: f64) -> Vec<(&'static str, f64)> {
    let names = ["b", "c", "b1", "c1", "b2", "c2", "d", "d1", "sin half"];
    let mut worst = names.map(|name| (name, 0.0f64));
    for s in arguments(largest) {
        let exact = reference(s);
        let [b, c, b1, c1, b2, c2] = second(s);
        assert_eq!(tangent(s), [b, c]);
        assert_eq!(first(s), [b, c, b1, c1]);
        let [d, d1] = inverse_first(s);
        assert!((inverse(s) - d).abs() <= 2.0 * f64::EPSILON * d);
        let found = [
            relative(b, exact.b),
            relative(c, exact.c),
            relative(b1, exact.b1),
            relative(c1, exact.c1),
            relative(b2, exact.b2),
            relative(c2, exact.c2),
            relative(d, exact.d),
            relative(d1, exact.d1),
            relative(half_angle(s)[1], phi(1, from(s) / from(4.0)) / from(2.0)),
        ];
        for (worst, found) in worst.iter_mut().zip(found) {
            worst.1 = larger(worst.1, found);
        }
    }
    worst.to_vec()
}

#[test]
fn accurate_up_to_a_half_turn() {
    let errors = errors(PI);
    println!("{errors:?}");
    for (name, error) in errors {
        let tolerance = if name == "d1" { 8e-15 } else { 1e-15 };
        assert!(error < tolerance, "{name}: {error:e}");
    }
}

#[test]
fn accurate_beyond_a_half_turn() {
    let errors = errors(5.0);
    println!("{errors:?}");
    for (name, error) in errors {
        assert!(error < 1e-14, "{name}: {error:e}");
    }
}

/// The cosine has a zero at the half turn, where only the absolute error can be small.
#[test]
fn cosine_of_the_half_angle() {
    for s in arguments(6.0) {
        let exact = phi(0, from(s) / from(4.0));
        let error = (from(half_angle(s)[0]) - exact).0.abs();
        assert!(error < 4e-16, "{s}: {error:e}");
    }
}

#[test]
fn arctangent() {
    for i in 1..=10000 {
        let t2 = ARCTAN_MAX * f64::from(i) / 10000.0;
        let t = t2.sqrt();
        let exact = t.atan() / t;
        assert!((arctan_ratio(t2) - exact).abs() < 4e-16, "{t2}");
    }
    assert_eq!(arctan_ratio(0.0), 1.0);
}

/// The reference itself: known values of the sine and of pi in 31 digits.
#[test]
fn reference_has_31_digits() {
    let pi = Twofold(PI, 1.224_646_799_147_353_2e-16);
    let s = pi * pi;
    assert!(phi(1, s).0.abs() < 1e-30);
    assert!((phi(0, s) + from(1.0)).0.abs() < 1e-30);
    let third = from(1.0) / from(3.0);
    assert!((third * from(3.0) - from(1.0)).0.abs() < 1e-31);
}
