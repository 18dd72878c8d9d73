//! Functions of time and of a joint coordinate, with the derivatives that exact tangents need.

use std::fmt;
use std::sync::Arc;

use precess_lie::Number;

use super::signal::Signal;

/// Arguments of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Argument<T = f64> {
    /// Time.
    pub t: T,
    /// Joint coordinate: an angle or a displacement.
    pub x: T,
    /// Its rate.
    pub v: T,
}

impl<T: Number> Argument<T> {
    /// Only time.
    pub fn time(t: T) -> Self {
        Argument { t, x: T::zero(), v: T::zero() }
    }

    /// The numbers of all models, if they are the same in each of them.
    #[inline(always)]
    fn shared(&self) -> Option<Argument> {
        Some(Argument { t: self.t.shared()?, x: self.x.shared()?, v: self.v.shared()? })
    }

    /// The numbers of the first model, without derivatives.
    fn plain(&self) -> Argument {
        Argument { t: self.t.first(), x: self.x.first(), v: self.v.first() }
    }
}

/// Value and first derivatives of a function of (t, x, v).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope<T = f64> {
    /// Value.
    pub value: T,
    /// Derivative for x.
    pub x: T,
    /// Derivative for v.
    pub v: T,
}

/// Largest number of signals of a law.
pub const MAX_READ: usize = 8;

/// The signals of a law; missing ones are zero.
pub type Readings<T = f64> = [T; MAX_READ];

/// The signals of functions that are not laws.
pub const NOTHING_READ: Readings = [0.0; MAX_READ];

/// A smooth scalar function of time t, a coordinate x and its rate v.
pub trait Smooth: Send + Sync + fmt::Debug {
    /// f(t, x, v).
    fn value(&self, at: Argument) -> f64;

    /// Value and derivatives for x and v.
    fn slope(&self, at: Argument) -> Slope;

    /// Value, first and second derivative for t at x = v = 0, for a prescribed motion.
    fn motion(&self, t: f64) -> [f64; 3];

    /// Times in (from, to) at which the function of time jumps or has a kink. At such a time the value to the
    /// right holds.
    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        let _ = (from, to);
        Vec::new()
    }

    /// f(t, signals) of a law with several signals.
    fn law(&self, t: f64, signals: &Readings) -> f64 {
        let _ = signals;
        self.value(Argument::time(t))
    }

    /// Derivatives of [`law`](Self::law) for its signals.
    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        let _ = (t, signals);
        [0.0; MAX_READ]
    }

    /// The part in which a value or a needed derivative is not a number, in words; none if all are numbers.
    fn culprit(&self, at: Argument, signals: &Readings) -> Option<String> {
        let _ = (at, signals);
        None
    }

    /// A description; functions with the same description count as equal.
    fn label(&self) -> String;

    /// The function as an expression of model files, with plain numbers; none if it is written in code.
    fn text(&self) -> Option<String> {
        None
    }

    /// Its inputs.
    fn signals(&self) -> &[Signal] {
        &[]
    }

    /// The same function with other inputs; none if it has none.
    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Arc<dyn Smooth>> {
        let _ = other;
        None
    }

    /// Its size in bytes, if that matters.
    fn memory(&self) -> usize {
        size_of_val(self)
    }
}

/// A constant or any smooth function.
#[derive(Clone, Debug)]
pub enum Function {
    /// A constant.
    Constant(f64),
    /// Anything else, for example an expression of a model file.
    Custom(Arc<dyn Smooth>),
    /// One function for each of several models that run side by side.
    Lanes(Variants),
}

/// A function of several models. If the models are one with different values of a parameter, weighted sums
/// give the derivative for that parameter; the first model has the value itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Variants {
    list: Arc<[Function]>,
    /// Empty for unrelated models.
    weights: Arc<[f64]>,
}

impl Variants {
    /// Adds the derivative for the parameter to a value; `of` is the value of one function.
    #[inline]
    fn varied<T: Number>(&self, value: T, of: impl Fn(&Function) -> f64) -> T {
        if self.weights.is_empty() {
            return value;
        }
        let base = of(&self.list[0]);
        value.plus_derivative(self.weights.iter().zip(&*self.list).map(|(w, f)| w * (of(f) - base)).sum())
    }
}

impl Function {
    /// The functions of several models, side by side; `weights` are those of a derivative.
    pub fn combine(list: Vec<Function>, weights: Vec<f64>) -> Function {
        // Functions with inputs have the same text for all values of them.
        let may_differ = |f: &Function| !weights.is_empty() && !f.signals().is_empty();
        match &list[..] {
            [first, rest @ ..] if !may_differ(first) && rest.iter().all(|f| f == first) => first.clone(),
            _ => Function::Lanes(Variants { list: list.into(), weights: weights.into() }),
        }
    }

    /// f(t, x, v). If all models have the same function and the same arguments, it is evaluated once.
    #[inline]
    pub fn value<T: Number>(&self, at: Argument<T>) -> T {
        match self {
            Function::Constant(c) => T::of(*c),
            Function::Custom(f) => match at.shared() {
                Some(at) => T::of(f.value(at)),
                None => T::compose(
                    [at.t, at.x, at.v],
                    |_, [t, x, v]| f.value(Argument { t, x, v }),
                    |_, [t, x, v]| {
                        let slope = f.slope(Argument { t, x, v });
                        [if x == 0.0 && v == 0.0 { f.motion(t)[1] } else { f64::NAN }, slope.x, slope.v]
                    },
                ),
            },
            Function::Lanes(several) => {
                let list = &several.list;
                let value = |lane: usize, [t, x, v]: [f64; 3]| list[lane].value(Argument { t, x, v });
                let slopes = |lane: usize, [t, x, v]: [f64; 3]| {
                    let slope = list[lane].slope(Argument { t, x, v });
                    [f64::NAN, slope.x, slope.v]
                };
                let here = at.plain();
                several.varied(T::compose([at.t, at.x, at.v], value, slopes), |f| f.value(here))
            }
        }
    }

    /// Value and derivatives for x and v.
    #[inline]
    pub fn slope<T: Number>(&self, at: Argument<T>) -> Slope<T> {
        let array = |s: Slope| [s.value, s.x, s.v];
        let [value, x, v] = match self {
            Function::Constant(c) => [T::of(*c), T::zero(), T::zero()],
            Function::Custom(f) => {
                T::slope([at.t, at.x, at.v], |_, [t, x, v]| array(f.slope(Argument { t, x, v })))
            }
            Function::Lanes(several) => {
                let of = |f: &Function, [t, x, v]: [f64; 3]| array(f.slope(Argument { t, x, v }));
                let all = T::slope([at.t, at.x, at.v], |lane, at| of(&several.list[lane], at));
                let here = at.plain();
                std::array::from_fn(|i| several.varied(all[i], |f| array(f.slope(here))[i]))
            }
        };
        Slope { value, x, v }
    }

    /// f(t, signals).
    pub fn law<T: Number>(&self, t: T, signals: &Readings<T>) -> T {
        let value = |lane: usize, x: [f64; MAX_READ + 1]| {
            let (t, y) = apart(x);
            match self {
                Function::Constant(c) => *c,
                Function::Custom(f) => f.law(t, &y),
                Function::Lanes(several) => several.list[lane].law(t, &y),
            }
        };
        let slopes = |lane: usize, x: [f64; MAX_READ + 1]| {
            let (t, y) = apart(x);
            together(f64::NAN, &self.law_slopes_in(lane, t, &y))
        };
        match self {
            Function::Constant(c) => T::of(*c),
            Function::Custom(_) => T::compose(together(t, signals), value, slopes),
            Function::Lanes(several) => {
                let here = signals.map(T::first);
                several.varied(T::compose(together(t, signals), value, slopes), |f| f.law(t.first(), &here))
            }
        }
    }

    /// Derivatives of [`law`](Self::law) for its signals.
    pub fn law_slopes<T: Number>(&self, t: T, signals: &Readings<T>) -> Readings<T> {
        match self {
            Function::Constant(_) => [T::zero(); MAX_READ],
            _ => T::map(together(t, signals), |lane, x| {
                let (t, y) = apart(x);
                self.law_slopes_in(lane, t, &y)
            }),
        }
    }

    fn law_slopes_in(&self, lane: usize, t: f64, y: &Readings) -> Readings {
        match self {
            Function::Constant(_) => [0.0; MAX_READ],
            Function::Custom(f) => f.law_slopes(t, y),
            Function::Lanes(several) => several.list[lane].law_slopes_in(0, t, y),
        }
    }

    /// Value, first and second derivative for t. A function that all models share is evaluated once for the
    /// same t.
    #[inline]
    pub fn motion<T: Number>(&self, t: T) -> [T; 3] {
        match self {
            Function::Constant(c) => [T::of(*c), T::zero(), T::zero()],
            Function::Custom(f) => match t.shared() {
                Some(t) => f.motion(t).map(T::of),
                None => T::motion(t, |_, t| f.motion(t)),
            },
            Function::Lanes(several) => {
                let all = T::motion(t, |lane, t| several.list[lane].motion(t));
                std::array::from_fn(|i| several.varied(all[i], |f| f.motion(t.first())[i]))
            }
        }
    }

    /// Times in (from, to) at which the function jumps or has a kink.
    pub fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        match self {
            Function::Constant(_) => Vec::new(),
            Function::Custom(f) => f.breakpoints(from, to),
            Function::Lanes(several) => several.list.iter().flat_map(|f| f.breakpoints(from, to)).collect(),
        }
    }

    /// The part in which a value or a needed derivative is not a number, in words; none if all are numbers.
    pub fn culprit<T: Number>(&self, at: Argument<T>, signals: &Readings<T>) -> Option<String> {
        match self {
            Function::Custom(f) => f.culprit(at.plain(), &signals.map(T::first)),
            Function::Constant(_) | Function::Lanes(_) => None,
        }
    }

    /// Its inputs.
    pub fn signals(&self) -> &[Signal] {
        match self {
            Function::Custom(f) => f.signals(),
            Function::Constant(_) | Function::Lanes(_) => &[],
        }
    }

    /// Replaces its inputs.
    pub fn replace_signals(&mut self, other: &mut dyn FnMut(&Signal) -> Signal) {
        if let Function::Custom(f) = self
            && let Some(made) = f.with_signals(other)
        {
            *f = made;
        }
    }

    /// The value of a constant.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Function::Constant(c) => Some(*c),
            Function::Custom(_) | Function::Lanes(_) => None,
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

/// Time and signals in one list.
fn together<T: Number>(t: T, y: &Readings<T>) -> [T; MAX_READ + 1] {
    std::array::from_fn(|i| if i == 0 { t } else { y[i - 1] })
}

/// The inverse of [`together`].
fn apart(x: [f64; MAX_READ + 1]) -> (f64, Readings) {
    (x[0], std::array::from_fn(|i| x[i + 1]))
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
            (Function::Lanes(a), Function::Lanes(b)) => a == b,
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
