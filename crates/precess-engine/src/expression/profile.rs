//! Motion profiles: piecewise polynomials in time, and smooth steps.

use super::functions::Function;
use super::value::{Value, call};

/// From 0 to 1 while s goes from 0 to 1, with n continuous derivatives at the ends: the polynomial of degree
/// 2n + 1.
pub(super) fn smooth_step<T: Value>(s: T, n: i32) -> T {
    let r = s.re();
    if r.is_nan() {
        return T::constant(f64::NAN);
    }
    // At both ends the value to the right holds.
    if r < 0.0 {
        return T::constant(0.0);
    }
    if r >= 1.0 {
        return T::constant(1.0);
    }
    let polynomial = |c: &[f64]| {
        let sum = c.iter().rev().fold(T::constant(0.0), |sum, c| sum.mul(s).add(T::constant(*c)));
        (1..=n.max(1)).fold(sum, |sum, _| sum.mul(s)).mul(if n >= 1 { s } else { T::constant(1.0) })
    };
    match n {
        0 => s,
        1 => polynomial(&[3.0, -2.0]),
        2 => polynomial(&[10.0, -15.0, 6.0]),
        3 => polynomial(&[35.0, -84.0, 70.0, -20.0]),
        _ => T::constant(f64::NAN),
    }
}

/// s - sin(2 pi s)/(2 pi) from 0 to 1.
pub(super) fn cycloid<T: Value>(s: T) -> T {
    use std::f64::consts::TAU;
    match s.re() {
        r if r.is_nan() => T::constant(f64::NAN),
        r if r < 0.0 => T::constant(0.0),
        r if r >= 1.0 => T::constant(1.0),
        _ => s.sub(call(Function::Sin, &[s.scale(TAU)]).scale(1.0 / TAU)),
    }
}

/// 0 before zero and x after it, with a parabola of the width w at the corner.
pub(super) fn rounded_ramp<T: Value>(x: T, w: T) -> T {
    let half = 0.5 * w.re();
    match x.re() {
        r if r < -half => T::constant(0.0),
        r if r >= half => x,
        _ => {
            let from = x.add(w.scale(0.5));
            from.mul(from).div(w.scale(2.0))
        }
    }
}

/// sin of a phase whose rate is 2 pi f, with f from f0 to f1 in the time `end`.
pub(super) fn sweep<T: Value>(t: T, f0: T, f1: T, end: T) -> T {
    let cycles = if t.re() < 0.0 {
        f0.mul(t)
    } else if t.re() < end.re() {
        let growth = f1.sub(f0).div(end.scale(2.0));
        f0.mul(t).add(growth.mul(t).mul(t))
    } else {
        f0.add(f1).mul(end).scale(0.5).add(f1.mul(t.sub(end)))
    };
    call(Function::Sin, &[cycles.scale(std::f64::consts::TAU)])
}

/// A motion from 0: pieces with their durations, initial accelerations and jerks.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionProfile {
    /// Duration, acceleration at the beginning, jerk.
    pieces: [[f64; 3]; 7],
}

impl MotionProfile {
    const NONE: MotionProfile = MotionProfile { pieces: [[f64::NAN; 3]; 7] };

    /// Times at which acceleration or jerk jump.
    pub fn ends(&self) -> Vec<f64> {
        let mut t = 0.0;
        let ends = self.pieces.iter().map(|[d, ..]| {
            t += d;
            t
        });
        [0.0].into_iter().chain(ends).collect()
    }
}

/// The distance along a motion.
pub(super) fn way<T: Value>(t: T, motion: &MotionProfile) -> T {
    if t.re().is_nan() || motion.pieces.iter().flatten().any(|x| x.is_nan()) {
        return T::constant(f64::NAN);
    }
    if t.re() < 0.0 {
        return T::constant(0.0);
    }
    let (mut begin, mut x, mut v) = (0.0, 0.0, 0.0);
    for [d, a, j] in motion.pieces {
        if t.re() < begin + d {
            let s = t.sub(T::constant(begin));
            // ((j/6 s + a/2) s + v) s + x
            let cubic = s.scale(j / 6.0).add(T::constant(0.5 * a)).mul(s).add(T::constant(v));
            return cubic.mul(s).add(T::constant(x));
        }
        x += ((j / 6.0 * d + 0.5 * a) * d + v) * d;
        v += (0.5 * j * d + a) * d;
        begin += d;
    }
    T::constant(x)
}

/// Accelerates, cruises, brakes; without cruising if the distance is too short.
pub(super) fn trapezoid([distance, speed, acceleration]: [f64; 3]) -> MotionProfile {
    if !(speed > 0.0 && acceleration > 0.0 && distance.is_finite()) {
        return MotionProfile::NONE;
    }
    let (sign, way) = (distance.signum(), distance.abs());
    let peak = speed.min((way * acceleration).sqrt());
    let rise = peak / acceleration;
    let cruise = if peak > 0.0 { (way / peak - rise).max(0.0) } else { 0.0 };
    let a = sign * acceleration;
    let mut pieces = [[0.0; 3]; 7];
    for (piece, new) in pieces.iter_mut().zip([[rise, a, 0.0], [cruise, 0.0, 0.0], [rise, -a, 0.0]]) {
        *piece = new;
    }
    MotionProfile { pieces }
}

/// Seven pieces of constant jerk; acceleration and velocity stay below their limits.
pub(super) fn s_curve([distance, speed, acceleration, jerk]: [f64; 4]) -> MotionProfile {
    if !(speed > 0.0 && acceleration > 0.0 && jerk > 0.0 && distance.is_finite()) {
        return MotionProfile::NONE;
    }
    let (sign, way) = (distance.signum(), distance.abs());
    // Times of rising jerk and of constant acceleration, and the distance for reaching a velocity and braking
    // again.
    let rise = |v: f64| match v * jerk < acceleration * acceleration {
        true => ((v / jerk).sqrt(), 0.0),
        false => (acceleration / jerk, v / acceleration - acceleration / jerk),
    };
    let needed = |v: f64| {
        let (t_j, t_a) = rise(v);
        v * (2.0 * t_j + t_a)
    };
    // The largest velocity for which the distance is long enough; the distance grows with it.
    let mut peak = speed;
    if needed(speed) > way {
        let (mut low, mut high) = (0.0, speed);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if needed(middle) > way { high = middle } else { low = middle }
        }
        peak = low;
    }
    let (t_j, t_a) = rise(peak);
    let cruise = if peak > 0.0 { ((way - needed(peak)) / peak).max(0.0) } else { 0.0 };
    let (j, a) = (sign * jerk, sign * jerk * t_j);
    let pieces = [
        [t_j, 0.0, j],
        [t_a, a, 0.0],
        [t_j, a, -j],
        [cruise, 0.0, 0.0],
        [t_j, 0.0, -j],
        [t_a, -a, 0.0],
        [t_j, -a, j],
    ];
    MotionProfile { pieces }
}
