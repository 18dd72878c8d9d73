//! The functions of expressions: names, numbers of arguments, and their descriptions for the book.

use std::sync::Arc;

use super::table::Table;

/// An operation. Operations follow their arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Code {
    Constant(f64),
    /// A constant with a unit, in SI.
    Quantity(f64, super::Dimension),
    /// A variable by its index in the list of names.
    Variable(usize),
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Call(Function, usize),
    /// A table by its index in the list of names, not yet bound.
    Table(usize),
    Lookup(Arc<Table>),
}

impl Code {
    /// Number of arguments.
    pub(crate) fn arguments(&self) -> usize {
        match self {
            Code::Constant(_) | Code::Quantity(..) | Code::Variable(_) => 0,
            Code::Not | Code::Table(_) | Code::Lookup(_) => 1,
            Code::Call(_, n) => *n,
            _ => 2,
        }
    }
}

/// Requirements of a function on the dimensions of its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// Numbers or angles; the result is a number.
    Number,
    /// Keeps the dimension of the first.
    Whole,
    /// Anything; the result is a number.
    Sign,
    /// The n-th root.
    Root(f64),
    /// All the same.
    Same,
    /// The first three the same; the result is a number.
    SameGivesNumber,
    /// The second and third the same.
    Select,
    /// The result has the dimension of the second.
    Distance,
    /// Not checked.
    Free,
}

macro_rules! functions {
    ($(
        $variant:ident $name:literal $arguments:expr, $rule:expr, $smooth:expr, $call:literal, $doc:literal;
    )*) => {
        /// A function by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Function {
            $(#[doc = $doc] $variant,)*
        }

        impl Function {
            /// All functions.
            pub const ALL: &'static [Function] = &[$(Function::$variant,)*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Function::$variant => $name,)* }
            }

            /// Its call with arguments.
            pub fn call(self) -> &'static str {
                match self { $(Function::$variant => $call,)* }
            }

            /// Its description, for the book.
            pub fn meaning(self) -> &'static str {
                match self { $(Function::$variant => $doc,)* }
            }

            /// Smallest and largest number of arguments.
            pub fn arguments(self) -> (usize, usize) {
                match self { $(Function::$variant => $arguments,)* }
            }

            /// Number of continuous derivatives for the first argument: -1 for jumps, 9 for all. The last
            /// argument of steps may reduce it.
            pub(crate) fn smoothness(self) -> i32 {
                match self { $(Function::$variant => $smooth,)* }
            }

            pub(crate) fn rule(self) -> Rule {
                match self { $(Function::$variant => $rule,)* }
            }
        }
    };
}

functions! {
    Sin "sin" (1, 1), Rule::Number, 9, "sin(x)", "sine";
    Cos "cos" (1, 1), Rule::Number, 9, "cos(x)", "cosine";
    Tan "tan" (1, 1), Rule::Number, 9, "tan(x)", "tangent";
    Asin "asin" (1, 1), Rule::Number, 9, "asin(x)", "inverse of sin";
    Acos "acos" (1, 1), Rule::Number, 9, "acos(x)", "inverse of cos";
    Atan "atan" (1, 1), Rule::Number, 9, "atan(x)", "inverse of tan";
    Atan2 "atan2" (2, 2), Rule::SameGivesNumber, 9, "atan2(y, x)", "angle of the point (x, y)";
    Sinh "sinh" (1, 1), Rule::Number, 9, "sinh(x)", "hyperbolic sine";
    Cosh "cosh" (1, 1), Rule::Number, 9, "cosh(x)", "hyperbolic cosine";
    Tanh "tanh" (1, 1), Rule::Number, 9, "tanh(x)", "hyperbolic tangent";
    Asinh "asinh" (1, 1), Rule::Number, 9, "asinh(x)", "inverse of sinh";
    Acosh "acosh" (1, 1), Rule::Number, 9, "acosh(x)", "inverse of cosh";
    Atanh "atanh" (1, 1), Rule::Number, 9, "atanh(x)", "inverse of tanh";
    Exp "exp" (1, 1), Rule::Number, 9, "exp(x)", "exponential";
    Ln "ln" (1, 1), Rule::Number, 9, "ln(x)", "natural logarithm";
    Log "log" (1, 1), Rule::Number, 9, "log(x)", "natural logarithm, as ln";
    Log2 "log2" (1, 1), Rule::Number, 9, "log2(x)", "logarithm to base 2";
    Log10 "log10" (1, 1), Rule::Number, 9, "log10(x)", "logarithm to base 10";
    Sqrt "sqrt" (1, 1), Rule::Root(2.0), 9, "sqrt(x)", "square root";
    Cbrt "cbrt" (1, 1), Rule::Root(3.0), 9, "cbrt(x)", "cube root";
    Abs "abs" (1, 1), Rule::Whole, 0, "abs(x)", "absolute value";
    Sign "sign" (1, 1), Rule::Sign, -1, "sign(x)", "1 for x >= 0, else -1";
    Signum "signum" (1, 1), Rule::Sign, -1, "signum(x)", "as sign";
    Floor "floor" (1, 1), Rule::Whole, -1, "floor(x)", "largest whole number not above x";
    Ceil "ceil" (1, 1), Rule::Whole, -1, "ceil(x)", "smallest whole number not below x";
    Round "round" (1, 1), Rule::Whole, -1, "round(x)", "nearest whole number";
    Trunc "trunc" (1, 1), Rule::Whole, -1, "trunc(x)", "x without its fraction";
    Fract "fract" (1, 1), Rule::Whole, -1, "fract(x)", "fraction of x, with its sign";
    Mod "mod" (2, 2), Rule::Same, -1, "mod(x, p)", "remainder of x divided by p, from 0 to p; makes a \
        function periodic";
    Min "min" (2, 8), Rule::Same, 0, "min(a, b, ..)", "smallest of two to eight";
    Max "max" (2, 8), Rule::Same, 0, "max(a, b, ..)", "largest of two to eight";
    Clamp "clamp" (3, 3), Rule::Same, 0, "clamp(x, low, high)", "x, but not outside low to high";
    If "if" (3, 3), Rule::Select, -1, "if(condition, a, b)", "a if the condition holds, else b; conditions: \
        < <= > >= == !=, and, or, not";
    Step "step" (2, 4), Rule::SameGivesNumber, 2,
        "step(x, x0, x1, n)", "from 0 at x0 to 1 at x1 with n continuous derivatives, 0 to 3 (2 if absent); \
            step(x, x0) jumps";
    Ramp "ramp" (2, 3), Rule::Same, 0, "ramp(x, x0, w)", "0 before x0, x - x0 after it; the corner is \
        rounded over the width w if given";
    Pulse "pulse" (3, 3), Rule::SameGivesNumber, -1, "pulse(x, x0, x1)", "1 from x0 to x1, else 0";
    Trapezoid "trapezoid" (4, 4), Rule::Distance, 1,
        "trapezoid(t, d, v, a)", "distance from 0 to d with a trapezoidal velocity: acceleration a, \
            velocity v, deceleration a";
    SCurve "scurve" (5, 5), Rule::Distance, 2,
        "scurve(t, d, v, a, j)", "distance from 0 to d with at most velocity v, acceleration a and jerk j";
    Poly345 "poly345" (2, 2), Rule::SameGivesNumber, 2, "poly345(t, T)", "from 0 to 1 in the time T, \
        polynomial 3-4-5: no jump of the acceleration";
    Cycloid "cycloid" (2, 2), Rule::SameGivesNumber, 2, "cycloid(t, T)", "from 0 to 1 in the time T, \
        cycloidal: no jump of the acceleration";
    Sweep "sweep" (4, 4), Rule::Free, 1, "sweep(t, f0, f1, T)", "sine whose frequency goes from f0 to f1 \
        (Hz) in the time T";
    SmoothAbs "smoothabs" (2, 2), Rule::Same, 9, "smoothabs(x, w)", "sqrt(x^2 + w^2) - w: abs(x) without \
        its corner";
    SmoothSign "smoothsign" (2, 2), Rule::SameGivesNumber, 9, "smoothsign(x, w)", "tanh(x/w): sign(x) \
        without its jump";
    SmoothMin "smoothmin" (3, 3), Rule::Same, 9, "smoothmin(a, b, w)", "min(a, b) rounded where they differ \
        by less than w";
    SmoothMax "smoothmax" (3, 3), Rule::Same, 9, "smoothmax(a, b, w)", "max(a, b) rounded where they differ \
        by less than w";
}

impl Function {
    /// By its name.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.iter().copied().find(|f| f.name() == name)
    }
}
