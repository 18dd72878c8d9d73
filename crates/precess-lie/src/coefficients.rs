//! Scalar functions of the squared rotation angle.
//!
//! Every closed form for rotations is a combination of powers of a skew matrix with coefficients that depend
//! only on `s = Phi^2`. With
//!
//! ```text
//! phi_m(s) = sum_l (-s)^l / (2l + m)!        phi_2 = (1 - cos Phi)/Phi^2 = b
//!                                            phi_3 = (1 - sin Phi / Phi)/Phi^2 = c
//! ```
//!
//! the tangent operator (33) is `T = I - b W + c W^2`, where `W` is the skew matrix of the argument.
//! Its directional derivatives need `b1 = 2 db/ds`, `c1 = 2 dc/ds` (the last two coefficients of
//! (35) are `-b1` and `c1`) and once more `b2 = 2 db1/ds`, `c2 = 2 dc1/ds`.
//!
//! The textbook closed forms lose all digits for small angles. The power series have terms of moderate size
//! up to a half turn and cost no more than a pair of trigonometric calls. So they are used for all angles up
//! to `pi`, with the number of terms adapted to the angle; the closed forms are used only beyond. Inlining is
//! forced because a call would pass the results through memory, which doubles the time of an exponential map.

use crate::Number;

/// `s` up to which the shortest series is accurate to round-off.
const TINY: f64 = 1.0 / 16.0;
/// `s` up to which the series of medium length is accurate to round-off.
pub(crate) const SMALL: f64 = 1.0;
/// `s` up to which the longest series is accurate to round-off; a little more than `pi^2`.
const HALF_TURN: f64 = 10.0;

/// Coefficients of `(2 d/ds)^k phi_m`.
const fn table<const N: usize>(m: usize, k: usize) -> [f64; N] {
    let mut out = [0.0; N];
    let mut l = 0;
    while l < N {
        let mut value = if (l + k) & 1 == 0 { 1.0 } else { -1.0 };
        let mut i = 1;
        while i <= k {
            value *= (2 * (l + i)) as f64;
            i += 1;
        }
        let mut factorial = 1.0;
        let mut i = 2;
        while i <= 2 * (l + k) + m {
            factorial *= i as f64;
            i += 1;
        }
        out[l] = value / factorial;
        l += 1;
    }
    out
}

/// Coefficients of `phi_m(s / 4)`, for functions of the half angle.
const fn half_table<const N: usize>(m: usize) -> [f64; N] {
    let mut out = table::<N>(m, 0);
    let mut scale = 1.0;
    let mut l = 0;
    while l < N {
        out[l] *= scale;
        scale *= 0.25;
        l += 1;
    }
    out
}

const COS_HALF: [f64; 12] = half_table(0);
const SINC_HALF: [f64; 12] = half_table(1);
const B: [f64; 14] = table(2, 0);
const C: [f64; 14] = table(3, 0);
const B1: [f64; 14] = table(2, 1);
const C1: [f64; 14] = table(3, 1);
const B2: [f64; 14] = table(2, 2);
const C2: [f64; 14] = table(3, 2);

/// The first `N` terms of a power series.
#[inline(always)]
fn horner<const N: usize, T: Number>(s: T, table: &[f64]) -> T {
    let mut value = T::of(table[N - 1]);
    for i in (0..N - 1).rev() {
        value = value * s + T::of(table[i]);
    }
    value
}

/// `(cos(Phi/2), sin(Phi/2)/Phi)`: scalar part of the quaternion of a rotation vector and the factor
/// of its vector part.
#[inline(always)]
pub(crate) fn half_angle(s: f64) -> [f64; 2] {
    if s <= SMALL {
        half_angle_series(s)
    } else if s <= HALF_TURN {
        [horner::<12, _>(s, &COS_HALF), 0.5 * horner::<12, _>(s, &SINC_HALF)]
    } else {
        half_angle_closed(s)
    }
}

/// [`half_angle`] up to [`SMALL`].
#[inline(always)]
pub(crate) fn half_angle_series<T: Number>(s: T) -> [T; 2] {
    [horner::<8, _>(s, &COS_HALF), T::of(0.5) * horner::<8, _>(s, &SINC_HALF)]
}

/// [`half_angle`] by trigonometric functions.
#[cold]
#[inline(never)]
fn half_angle_closed(s: f64) -> [f64; 2] {
    let phi = s.sqrt();
    let (sin, cos) = (0.5 * phi).sin_cos();
    [cos, sin / phi]
}

/// `[b, c, b1, c1, b2, c2]` by closed forms.
#[cold]
#[inline(never)]
fn closed(s: f64) -> [f64; 6] {
    let phi = s.sqrt();
    let (sin, cos) = (0.5 * phi).sin_cos();
    let sinc = 2.0 * sin * cos / phi;
    let b = 2.0 * sin * sin / s;
    let c = (1.0 - sinc) / s;
    let b1 = (sinc - 2.0 * b) / s;
    let c1 = (b - 3.0 * c) / s;
    let b2 = (c - b - 4.0 * b1) / s;
    let c2 = (b1 - 5.0 * c1) / s;
    [b, c, b1, c1, b2, c2]
}

/// `[b, c]`: coefficients of the tangent operator (33).
#[inline(always)]
pub(crate) fn tangent(s: f64) -> [f64; 2] {
    #[inline(always)]
    fn series<const N: usize>(s: f64) -> [f64; 2] {
        [horner::<N, _>(s, &B), horner::<N, _>(s, &C)]
    }
    if s <= TINY {
        series::<6>(s)
    } else if s <= SMALL {
        series::<9>(s)
    } else if s <= HALF_TURN {
        series::<14>(s)
    } else {
        let [b, c, ..] = closed(s);
        [b, c]
    }
}

/// [`tangent`] up to [`SMALL`].
#[inline(always)]
pub(crate) fn tangent_series<T: Number>(s: T) -> [T; 2] {
    [horner::<9, _>(s, &B), horner::<9, _>(s, &C)]
}

/// `[b, c, b1, c1]`: coefficients of the first derivative of the tangent operator, see (35).
#[inline(always)]
pub(crate) fn first(s: f64) -> [f64; 4] {
    #[inline(always)]
    fn series<const N: usize>(s: f64) -> [f64; 4] {
        [horner::<N, _>(s, &B), horner::<N, _>(s, &C), horner::<N, _>(s, &B1), horner::<N, _>(s, &C1)]
    }
    if s <= TINY {
        series::<6>(s)
    } else if s <= SMALL {
        series::<9>(s)
    } else if s <= HALF_TURN {
        series::<14>(s)
    } else {
        let [b, c, b1, c1, ..] = closed(s);
        [b, c, b1, c1]
    }
}

/// `[b, c, b1, c1, b2, c2]`: coefficients of the second derivative of the tangent operator.
#[inline(always)]
pub(crate) fn second(s: f64) -> [f64; 6] {
    #[inline(always)]
    fn series<const N: usize>(s: f64) -> [f64; 6] {
        [
            horner::<N, _>(s, &B),
            horner::<N, _>(s, &C),
            horner::<N, _>(s, &B1),
            horner::<N, _>(s, &C1),
            horner::<N, _>(s, &B2),
            horner::<N, _>(s, &C2),
        ]
    }
    if s <= TINY {
        series::<6>(s)
    } else if s <= SMALL {
        series::<9>(s)
    } else if s <= HALF_TURN {
        series::<14>(s)
    } else {
        closed(s)
    }
}

/// `d = (1 - (Phi/2) cot(Phi/2))/Phi^2` of the inverse tangent operator `I + W/2 + d W^2`.
///
/// It equals `-b1/(2b)`, a quotient without cancellation, and has its pole at a full turn.
#[inline(always)]
pub(crate) fn inverse(s: f64) -> f64 {
    let [b, _, b1, _] = first(s);
    -b1 / (2.0 * b)
}

/// `[d, d1]` with `d1 = 2 dd/ds` for the derivative of the inverse tangent operator.
#[inline(always)]
pub(crate) fn inverse_first(s: f64) -> [f64; 2] {
    let [b, _, b1, _, b2, _] = second(s);
    let r = 1.0 / (2.0 * b);
    [-b1 * r, (b1 * b1 - b * b2) * 2.0 * r * r]
}

/// `atan(t)/t` as a function of `t^2`, for `t^2 <= ARCTAN_MAX`.
#[inline(always)]
pub(crate) fn arctan_ratio(t2: f64) -> f64 {
    const TABLE: [f64; 9] = {
        let mut out = [0.0; 9];
        let mut l = 0;
        while l < 9 {
            out[l] = if l & 1 == 0 { 1.0 } else { -1.0 } / (2 * l + 1) as f64;
            l += 1;
        }
        out
    };
    horner::<9, _>(t2, &TABLE)
}

/// Largest `t^2` for [`arctan_ratio`].
pub(crate) const ARCTAN_MAX: f64 = 1.0 / 64.0;

#[cfg(test)]
mod tests;
