//! Numbers for expressions: plain numbers, and numbers that carry derivatives.

use super::Expression;
use super::functions::Function;
use super::profile;

/// A number with the operations of expressions.
pub trait Value: Copy + Default {
    /// The value of an expression. Each type calls the generic function here, so that it is compiled in this
    /// crate.
    fn of(expression: &Expression, values: &[Self]) -> Self;
    /// A number without derivatives.
    fn constant(x: f64) -> Self;
    /// The value alone.
    fn re(self) -> f64;
    /// self + y
    fn add(self, y: Self) -> Self;
    /// self - y
    fn sub(self, y: Self) -> Self;
    /// self y
    fn mul(self, y: Self) -> Self;
    /// self/y
    fn div(self, y: Self) -> Self;
    /// self to the power y
    fn pow(self, y: Self) -> Self;
    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
    /// g(self) from g, g' and g'' there.
    fn chain(self, g: f64, g_1: f64, g_2: f64) -> Self;

    /// self times a number without derivatives
    fn scale(self, c: f64) -> Self {
        self.mul(Self::constant(c))
    }
}

impl Value for f64 {
    fn of(expression: &Expression, values: &[Self]) -> Self {
        expression.run(values)
    }
    fn constant(x: f64) -> Self {
        x
    }
    fn re(self) -> f64 {
        self
    }
    fn add(self, y: Self) -> Self {
        self + y
    }
    fn sub(self, y: Self) -> Self {
        self - y
    }
    fn mul(self, y: Self) -> Self {
        self * y
    }
    fn div(self, y: Self) -> Self {
        self / y
    }
    fn pow(self, y: Self) -> Self {
        self.powf(y)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn chain(self, g: f64, _: f64, _: f64) -> Self {
        g
    }
}

/// A function of its arguments; NaN if there are too few.
pub(super) fn call<T: Value>(f: Function, arguments: &[T]) -> T {
    let nan = T::constant(f64::NAN);
    match *arguments {
        [x] => of_one(f, x),
        [x, y] => of_two(f, x, y).unwrap_or_else(|| of_several(f, arguments)),
        [] => nan,
        _ => of_several(f, arguments),
    }
}

/// A linear piece of a function that jumps or bends.
fn piece<T: Value>(x: T, g: f64, slope: f64) -> T {
    x.chain(g, slope, 0.0)
}

#[inline]
fn of_one<T: Value>(f: Function, x: T) -> T {
    use std::f64::consts::{LN_2, LN_10};
    let r = x.re();
    match f {
        Function::Sin => {
            let (s, c) = r.sin_cos();
            x.chain(s, c, -s)
        }
        Function::Cos => {
            let (s, c) = r.sin_cos();
            x.chain(c, -s, -c)
        }
        Function::Tan => {
            let t = r.tan();
            let d = 1.0 + t * t;
            x.chain(t, d, 2.0 * t * d)
        }
        Function::Asin => {
            let d = 1.0 / (1.0 - r * r);
            x.chain(r.asin(), d.sqrt(), r * d * d.sqrt())
        }
        Function::Acos => {
            let d = 1.0 / (1.0 - r * r);
            x.chain(r.acos(), -d.sqrt(), -r * d * d.sqrt())
        }
        Function::Atan => {
            let d = 1.0 / (1.0 + r * r);
            x.chain(r.atan(), d, -2.0 * r * d * d)
        }
        Function::Sinh => x.chain(r.sinh(), r.cosh(), r.sinh()),
        Function::Cosh => x.chain(r.cosh(), r.sinh(), r.cosh()),
        Function::Tanh => {
            let t = r.tanh();
            let d = 1.0 - t * t;
            x.chain(t, d, -2.0 * t * d)
        }
        Function::Asinh => {
            let d = 1.0 / (1.0 + r * r);
            x.chain(r.asinh(), d.sqrt(), -r * d * d.sqrt())
        }
        Function::Acosh => {
            let d = 1.0 / (r * r - 1.0);
            x.chain(r.acosh(), d.sqrt(), -r * d * d.sqrt())
        }
        Function::Atanh => {
            let d = 1.0 / (1.0 - r * r);
            x.chain(r.atanh(), d, 2.0 * r * d * d)
        }
        Function::Exp => {
            let e = r.exp();
            x.chain(e, e, e)
        }
        Function::Sqrt => {
            let s = r.sqrt();
            x.chain(s, 0.5 / s, -0.25 / (s * r))
        }
        Function::Cbrt => {
            let c = r.cbrt();
            x.chain(c, 1.0 / (3.0 * c * c), -2.0 / (9.0 * c * c * r))
        }
        Function::Ln | Function::Log => x.chain(r.ln(), 1.0 / r, -1.0 / (r * r)),
        Function::Log2 => x.chain(r.log2(), 1.0 / (r * LN_2), -1.0 / (r * r * LN_2)),
        Function::Log10 => x.chain(r.log10(), 1.0 / (r * LN_10), -1.0 / (r * r * LN_10)),
        Function::Abs => piece(x, r.abs(), r.signum()),
        Function::Sign | Function::Signum => piece(x, r.signum(), 0.0),
        Function::Floor => piece(x, r.floor(), 0.0),
        Function::Ceil => piece(x, r.ceil(), 0.0),
        Function::Round => piece(x, r.round(), 0.0),
        Function::Trunc => piece(x, r.trunc(), 0.0),
        Function::Fract => piece(x, r.fract(), 1.0),
        _ => T::constant(f64::NAN),
    }
}

fn of_two<T: Value>(f: Function, x: T, y: T) -> Option<T> {
    Some(match f {
        Function::Atan2 => x.atan2(y),
        Function::Min => smaller(x, y),
        Function::Max => larger(x, y),
        Function::Mod => {
            let turns = (x.re() / y.re()).floor();
            x.sub(y.scale(turns))
        }
        Function::SmoothAbs => root(x, y).sub(y),
        Function::SmoothSign => of_one(Function::Tanh, x.div(y)),
        Function::Poly345 => profile::smooth_step(x.div(y), 2),
        Function::Cycloid => profile::cycloid(x.div(y)),
        Function::Step => {
            let d = x.sub(y);
            piece(d, if d.re() >= 0.0 { 1.0 } else { 0.0 }, 0.0)
        }
        Function::Ramp => {
            let d = x.sub(y);
            pick(T::constant(0.0), d, d.re() < 0.0)
        }
        _ => return None,
    })
}

/// sqrt(x^2 + w^2)
fn root<T: Value>(x: T, w: T) -> T {
    of_one(Function::Sqrt, x.mul(x).add(w.mul(w)))
}

/// One of two values that may meet.
fn pick<T: Value>(x: T, y: T, first: bool) -> T {
    if first { x } else { y }
}

/// The smaller of two. If they are equal it is the second: the side on which x - y is not negative counts, as
/// in the breakpoints. NaN stays NaN.
fn smaller<T: Value>(x: T, y: T) -> T {
    pick(x, y, x.re() < y.re() || x.re().is_nan())
}

/// The larger of two; the first if they are equal.
fn larger<T: Value>(x: T, y: T) -> T {
    pick(x, y, x.re() >= y.re() || x.re().is_nan())
}

fn of_several<T: Value>(f: Function, arguments: &[T]) -> T {
    let one = T::constant(1.0);
    let zero = T::constant(0.0);
    match (f, arguments) {
        (Function::Min, [x, rest @ ..]) => rest.iter().fold(*x, |a, b| smaller(a, *b)),
        (Function::Max, [x, rest @ ..]) => rest.iter().fold(*x, |a, b| larger(a, *b)),
        (Function::Clamp, &[x, low, high]) => smaller(larger(x, low), high),
        (Function::If, &[condition, a, b]) => {
            // NaN in a comparison gives NaN.
            match condition.re() {
                c if c.is_nan() => T::constant(f64::NAN),
                c => {
                    if c != 0.0 {
                        a
                    } else {
                        b
                    }
                }
            }
        }
        (Function::Step, &[x, x0, x1]) => profile::smooth_step(x.sub(x0).div(x1.sub(x0)), 2),
        (Function::Step, &[x, x0, x1, n]) => {
            let s = x.sub(x0).div(x1.sub(x0));
            profile::smooth_step(s, n.re() as i32)
        }
        (Function::Ramp, &[x, x0, w]) => profile::rounded_ramp(x.sub(x0), w),
        (Function::Pulse, &[x, x0, x1]) => {
            let inside = x.re() >= x0.re() && x.re() < x1.re();
            if inside { one } else { zero }
        }
        (Function::SmoothMin, &[a, b, w]) => a.add(b).sub(root(a.sub(b), w)).scale(0.5),
        (Function::SmoothMax, &[a, b, w]) => a.add(b).add(root(a.sub(b), w)).scale(0.5),
        (Function::Trapezoid, &[t, d, v, a]) => profile::way(t, &profile::trapezoid([d, v, a].map(T::re))),
        (Function::SCurve, &[t, d, v, a, j]) => profile::way(t, &profile::s_curve([d, v, a, j].map(T::re))),
        (Function::Sweep, &[t, f0, f1, end]) => profile::sweep(t, f0, f1, end),
        _ => T::constant(f64::NAN),
    }
}
