//! Functions of the squared angle `s = p^2` in the operators of a beam, by power series.
//!
//! An element turns by less than half a turn. There, series of a few terms are accurate to round-off without
//! cancellation. They work for any kind of number, so derivatives follow automatically. With
//!
//! ```text
//! phi_m(s) = sum_l (-s)^l / (2l + m)!        b = phi_2 = (1 - cos p)/p^2
//! ```
//!
//! the inverse of the tangent operator (33) is `I + X/2 + k X^2` with `k = -b'/(2b)`, where a prime is
//! `2 d/ds`.

use crate::flex::jet::Real;

/// Number of terms of the longest series, for angles up to half a turn.
const TERMS: usize = 15;
/// Number of terms up to [`SMALL`].
const FEW_TERMS: usize = 6;
/// `s` up to which few terms are accurate to round-off.
const SMALL: f64 = 1.0 / 16.0;

/// Coefficients of a power series in `s`.
type Series = [f64; TERMS];

/// `1/n!`.
const fn inverse_factorial(n: usize) -> f64 {
    let (mut product, mut i) = (1.0, 2);
    while i <= n {
        product *= i as f64;
        i += 1;
    }
    1.0 / product
}

/// The `k`-th derivative, in the sense of `2 d/ds`, of `phi_m(scale s)`.
const fn phi(m: usize, k: usize, scale: f64) -> Series {
    let mut out = [0.0; TERMS];
    let mut l = 0;
    while l < TERMS {
        let mut value = inverse_factorial(2 * (l + k) + m);
        let mut i = 1;
        while i <= l + k {
            value *= -scale;
            if i > l {
                value *= (2 * i) as f64;
            }
            i += 1;
        }
        out[l] = value;
        l += 1;
    }
    out
}

/// `(phi_m(s/4) - phi_m(a2 s/4))/s`.
const fn drop(m: usize, a2: f64) -> Series {
    let mut out = [0.0; TERMS];
    let (mut l, mut power, mut scale) = (0, 1.0, 1.0);
    while l < TERMS {
        power *= a2;
        scale *= -0.25;
        out[l] = scale * (1.0 - power) * inverse_factorial(2 * (l + 1) + m);
        l += 1;
    }
    out
}

/// The derivative `2 d/ds`; its last term is missing.
const fn slope(series: &Series) -> Series {
    let mut out = [0.0; TERMS];
    let mut l = 0;
    while l + 1 < TERMS {
        out[l] = 2.0 * (l + 1) as f64 * series[l + 1];
        l += 1;
    }
    out
}

const B: Series = phi(2, 0, 1.0);
const B1: Series = phi(2, 1, 1.0);
const B2: Series = phi(2, 2, 1.0);

/// The value of a series.
#[inline]
fn sum<T: Real>(series: &Series, s: T) -> T {
    let n = if s.real() <= SMALL { FEW_TERMS } else { TERMS };
    let mut value = T::of(series[n - 1]);
    for c in series[..n - 1].iter().rev() {
        value = value * s + T::of(*c);
    }
    value
}

/// `k` of the inverse tangent operator and its derivative `2 dk/ds`.
#[inline]
pub fn inverse<T: Real>(s: T) -> [T; 2] {
    let (b, b1, b2) = (sum(&B, s), sum(&B1, s), sum(&B2, s));
    let half = T::of(0.5) / b;
    let k = -b1 * half;
    // From 2 k b = -b'.
    [k, (-b2 - T::of(2.0) * k * b1) * half]
}

const SINC: Series = phi(1, 0, 0.25);
const SINC1: Series = phi(1, 1, 0.25);

/// The operator that interpolates velocities at a point `xi` of an element, see
/// [`Operator::interpolation`](crate::flex::Operator::interpolation): with `a = 2 xi - 1`
///
/// ```text
/// f_1 = (cos(a p/2) - cos(p/2))/(2 p sin(p/2))        f_2 = a (1 - sin(a p/2)/(a sin(p/2)))/(2 p^2)
/// ```
#[derive(Clone, Debug)]
pub struct Place {
    /// Between 0 at the first and 1 at the second node.
    pub xi: f64,
    cosines: [Series; 2],
    sines: [Series; 2],
}

impl Place {
    /// With `a = 2 xi - 1`, and its square to full accuracy.
    const fn new(a: f64, a2: f64) -> Self {
        let (cosines, sines) = (drop(0, a2), drop(1, a2));
        Place { xi: 0.5 + 0.5 * a, cosines: [cosines, slope(&cosines)], sines: [sines, slope(&sines)] }
    }

    /// `[f_1, f_2]` and their derivatives `2 d/ds`.
    #[inline]
    pub fn coefficients<T: Real>(&self, s: T) -> [[T; 2]; 2] {
        let one = T::one() / sum(&SINC, s);
        let sinc1 = sum(&SINC1, s);
        let quotient = |[n, n1]: &[Series; 2], factor: T| {
            let f = factor * sum(n, s) * one;
            [f, (factor * sum(n1, s) - f * sinc1) * one]
        };
        let [f1, slope1] = quotient(&self.cosines, T::of(-1.0));
        let [f2, slope2] = quotient(&self.sines, T::of(self.xi - 0.5));
        [[f1, f2], [slope1, slope2]]
    }
}

/// `sqrt(3/5)`.
const OUTER: f64 = 0.774_596_669_241_483_4;

/// Points and weights of the Gauss rule with three points. Two points are not exact even for a straight
/// element.
pub static GAUSS: [(Place, f64); 3] = [
    (Place::new(-OUTER, 0.6), 5.0 / 18.0),
    (Place::new(0.0, 0.0), 8.0 / 18.0),
    (Place::new(OUTER, 0.6), 5.0 / 18.0),
];
