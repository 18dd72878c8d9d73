//! Functions of time and of a joint coordinate, with the derivatives that exact tangents need.

use std::fmt;
use std::sync::Arc;

/// Where a function is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Argument {
    /// Time.
    pub t: f64,
    /// Joint coordinate: an angle or a displacement.
    pub x: f64,
    /// Its rate.
    pub v: f64,
}

impl Argument {
    /// Only time.
    pub fn time(t: f64) -> Self {
        Argument { t, ..Argument::default() }
    }
}

/// Value and first derivatives of a function of (t, x, v).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Value.
    pub value: f64,
    /// Derivative for x.
    pub x: f64,
    /// Derivative for v.
    pub v: f64,
}

/// A smooth scalar function of time t, a coordinate x and its rate v.
pub trait Smooth: Send + Sync + fmt::Debug {
    /// f(t, x, v).
    fn value(&self, at: Argument) -> f64;

    /// Value and derivatives for x and v.
    fn slope(&self, at: Argument) -> Slope;

    /// Value, first and second derivative for t at x = v = 0: what a prescribed motion needs.
    fn motion(&self, t: f64) -> [f64; 3];

    /// Times in (from, to) at which the function of time jumps or has a kink; at such a time itself the value to the right
    /// holds.
    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        let _ = (from, to);
        Vec::new()
    }

    /// A text that says what the function is; functions with the same text count as equal.
    fn label(&self) -> String;

    /// Bytes it takes, where that matters.
    fn memory(&self) -> usize {
        size_of_val(self)
    }
}

/// A constant or any smooth function.
#[derive(Clone, Debug)]
pub enum Function {
    /// Independent of everything.
    Constant(f64),
    /// Anything else, for example an expression of a model file.
    Custom(Arc<dyn Smooth>),
}

impl Function {
    /// f(t, x, v).
    #[inline]
    pub fn value(&self, at: Argument) -> f64 {
        match self {
            Function::Constant(c) => *c,
            Function::Custom(f) => f.value(at),
        }
    }

    /// Value and derivatives for x and v.
    #[inline]
    pub fn slope(&self, at: Argument) -> Slope {
        match self {
            Function::Constant(c) => Slope { value: *c, ..Slope::default() },
            Function::Custom(f) => f.slope(at),
        }
    }

    /// Value, first and second derivative for t.
    #[inline]
    pub fn motion(&self, t: f64) -> [f64; 3] {
        match self {
            Function::Constant(c) => [*c, 0.0, 0.0],
            Function::Custom(f) => f.motion(t),
        }
    }

    /// Times in (from, to) at which the function jumps or has a kink.
    pub fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        match self {
            Function::Constant(_) => Vec::new(),
            Function::Custom(f) => f.breakpoints(from, to),
        }
    }

    /// The value of a constant.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Function::Constant(c) => Some(*c),
            Function::Custom(_) => None,
        }
    }

    /// A function of time from three closures: value, first and second derivative. `label` names it.
    pub fn of_time(
        label: &str,
        f: impl Fn(f64) -> f64 + Send + Sync + 'static,
        f_t: impl Fn(f64) -> f64 + Send + Sync + 'static,
        f_tt: impl Fn(f64) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let parts: [Closure; 3] = [Box::new(f), Box::new(f_t), Box::new(f_tt)];
        Function::Custom(Arc::new(OfTime { label: label.to_string(), parts }))
    }
}

impl From<f64> for Function {
    fn from(x: f64) -> Self {
        Function::Constant(x)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Function::Constant(a), Function::Constant(b)) => a == b,
            (Function::Custom(a), Function::Custom(b)) => a.label() == b.label(),
            _ => false,
        }
    }
}

type Closure = Box<dyn Fn(f64) -> f64 + Send + Sync>;

struct OfTime {
    label: String,
    parts: [Closure; 3],
}

impl fmt::Debug for OfTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OfTime({})", self.label)
    }
}

impl Smooth for OfTime {
    fn value(&self, at: Argument) -> f64 {
        (self.parts[0])(at.t)
    }

    fn slope(&self, at: Argument) -> Slope {
        Slope { value: self.value(at), ..Slope::default() }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        std::array::from_fn(|i| (self.parts[i])(t))
    }

    fn label(&self) -> String {
        self.label.clone()
    }
}
