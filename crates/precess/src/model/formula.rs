//! Expressions of time and state as functions with exact derivatives.
//!
//! Parameters of the model are inserted when the formula is read. The remaining variables are `t` (time) and,
//! where allowed, `x` (a joint coordinate) and `v` (its rate); `l` (a length) in potentials; and inputs,
//! `input("motor")`, which a program sets during a simulation. Derivatives come from automatic
//! differentiation. Evaluation does not allocate.

use std::sync::Arc;

use super::dimensions::of_formula;
use super::expression::breakpoints::{self, Switching};
use super::expression::culprit::ExpressionSource;
use super::expression::jet::Jet;
use super::expression::value::Value;
use super::expression::{Dimension, Expression, Names, input_of};
use super::number::{Number, dimension, lone_unit};
use crate::Error;
use crate::mechanics::function::{Argument, Function, MAX_READ, Readings, Slope, Smooth};
use crate::mechanics::signal::Signal;

/// The derivatives that a formula must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A function of t without derivatives, for applied forces.
    Time,
    /// A function of t with two derivatives, for prescribed motions and set points.
    Motion,
    /// A function of t, x and v with derivatives for x and v.
    State,
    /// A function of a length l with two derivatives, for potentials.
    Length,
    /// A function of t and of signals, with derivatives for these: a [law](super::law).
    Law,
}

impl Need {
    fn variables(self) -> &'static [&'static str] {
        match self {
            Need::Time | Need::Motion => &["t"],
            Need::State => &["t", "x", "v"],
            Need::Length => &["l"],
            Need::Law => &["t"],
        }
    }
}

/// Largest number of switching arguments; each is followed over a whole run.
const MAX_SWITCHING: usize = 32;

/// Variables and inputs of one formula.
pub(super) const MAX_NAMES: usize = 8;

/// Names of the variables, in the order of their values.
const VARIABLES: [&str; 3] = ["t", "x", "v"];

/// A function of t, or of t, x and v, from the text of an expression without parameters.
pub fn formula(text: &str, need: Need) -> Result<Function, String> {
    function(&Number::Text(text.to_string()), &Names::new(), need, None, None)
}

/// A number or an expression of parameters, t and (for [`Need::State`]) x and v, of the wanted dimension.
/// `coordinate` is the dimension of x.
pub fn function(
    number: &Number,
    names: &Names,
    need: Need,
    wanted: Option<Dimension>,
    coordinate: Option<Dimension>,
) -> Result<Function, String> {
    let text = match number {
        Number::Value(x) if x.is_finite() => return Ok(Function::Constant(*x)),
        Number::Value(x) => return Err(format!("the value is {x}, not a finite number")),
        Number::Text(text) => text.trim(),
    };
    let allowed = need.variables();
    let expression =
        Expression::parse(text, &|n| names.contains_key(n) || (allowed.contains(&n) && n == "l"))?;
    let uses = |v: &str| expression.var_names().iter().any(|n| n == v);
    if let Some(clash) = allowed.iter().find(|v| uses(v) && names.contains_key(**v)) {
        return Err(format!("'{clash}' is a variable here and cannot be the name of a parameter as well"));
    }
    let inputs = inputs(&expression, names, need)?;
    if inputs.is_empty() && !allowed.iter().any(|v| uses(v)) {
        let value = number.evaluate_in(names, &mut std::collections::HashMap::new(), wanted);
        return value.map(|(x, _)| Function::Constant(x));
    }
    let called: Vec<&str> = expression.called().collect();
    for name in expression.var_names().iter().filter(|n| !called.contains(&n.as_str())) {
        let input = input_of(name).is_some();
        if !(allowed.contains(&name.as_str()) || names.contains_key(name) || name == "pi" || input) {
            let known: Vec<&str> = allowed.iter().copied().chain(names.keys().map(String::as_str)).collect();
            return Err(format!(
                "unknown name '{name}'; known here: {}{}",
                known.join(", "),
                lone_unit(name)
            ));
        }
    }
    dimension(&expression, names, wanted, &|name| of_formula(name, coordinate))?;
    let bound = expression.bind(names)?;
    if let Some(wrong) = bound.wrong_constants() {
        return Err(wrong);
    }
    // Jumps and kinks in time become breakpoints of a run; the times of jumps in the state are unknown in
    // advance.
    if need == Need::State
        && let Some(part) = bound.jumping_part(&["x", "v"])
    {
        return Err(jumps(part));
    }
    if need == Need::State
        && let Some(gap) = bound.gap(&["x", "v"])
    {
        return Err(gap.to_string());
    }
    if need == Need::Length
        && let Some(part) = bound.rough_part(&["l"], 2)
    {
        return Err(format!(
            "'{part}' does not have a derivative everywhere; use smooth functions such as tanh, sqrt, step, \
             smoothabs or smoothmax"
        ));
    }
    // A potential depends on no time and must have no kinks.
    let switching = if need == Need::Length { Vec::new() } else { breakpoints::switching(&bound) };
    if switching.len() > MAX_SWITCHING {
        return Err(format!(
            "'{text}' has {} functions with jumps or corners, but at most {MAX_SWITCHING} are allowed; \
             write several forces",
            switching.len()
        ));
    }
    let place = |name: &String| {
        let input = input_of(name).and_then(|n| inputs.iter().position(|s| s.name() == n));
        let variable = || VARIABLES.iter().position(|v| v == name).unwrap_or(0);
        input.map_or_else(variable, |i| VARIABLES.len() + i)
    };
    let places = bound.var_names().iter().map(place).collect();
    let source = ExpressionSource::default().with_parameters(&expression, names);
    Ok(Formula { source, need, expression: bound, places, switching, inputs }.shared())
}

/// Why a function of the state is refused.
pub(super) fn jumps(part: &str) -> String {
    format!(
        "'{part}' jumps with the motion, at a time that is unknown before the run; use smoothsign, \
         step(x, x0, x1), or an event that \
         switches a force"
    )
}

/// The inputs of an expression, each with its initial value.
pub(super) fn inputs(expression: &Expression, names: &Names, need: Need) -> Result<Vec<Signal>, String> {
    let mut list = Vec::new();
    for name in expression.var_names().iter().filter_map(|n| input_of(n)) {
        let value = match &names.inputs {
            None => 0.0,
            Some(known) => *known.get(name).ok_or_else(|| {
                let unknown = Error::unknown_name("input", name, known.keys().map(String::as_str));
                format!("{unknown}; inputs are listed with their first values: [inputs] {name} = 0")
            })?,
        };
        list.push(Signal::new(name, value));
    }
    if need == Need::Length && !list.is_empty() {
        return Err("a potential depends on a length alone, not on inputs".to_string());
    }
    if list.len() + VARIABLES.len() > MAX_NAMES {
        let most = MAX_NAMES - VARIABLES.len();
        return Err(format!("it reads {} inputs, at most {most} are possible in one formula", list.len()));
    }
    Ok(list)
}

/// An expression with the indices of its variables: (t, x, v) and then its inputs, where a length replaces t;
/// in a law t, signals and then inputs.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub source: ExpressionSource,
    pub need: Need,
    pub expression: Expression,
    pub places: Vec<usize>,
    /// The arguments that make it jump or bend.
    pub switching: Vec<Switching>,
    /// Its inputs.
    pub inputs: Vec<Signal>,
}

impl Formula {
    /// Converts it to a function.
    pub fn shared(self) -> Function {
        Function::Custom(Arc::new(self))
    }

    /// The value for values of the variables; `input` converts the value and rate of an input at time t.
    #[inline]
    fn eval<T: Value>(&self, t: f64, values: &[T], input: impl Fn([f64; 2]) -> T) -> T {
        let value = |place: usize| match values.get(place) {
            Some(x) => *x,
            None => {
                let signal = self.inputs.get(place - values.len());
                signal.map_or_else(|| T::constant(f64::NAN), |s| input(s.at(t)))
            }
        };
        match *self.places.as_slice() {
            [] => self.expression.eval(&[]),
            [a] => self.expression.eval(&[value(a)]),
            [a, b] => self.expression.eval(&[value(a), value(b)]),
            [a, b, c] => self.expression.eval(&[value(a), value(b), value(c)]),
            _ => {
                let mut list = [T::default(); MAX_READ + MAX_NAMES];
                list.iter_mut().zip(&self.places).for_each(|(x, place)| *x = value(*place));
                self.expression.eval(&list)
            }
        }
    }

    /// A law for values of its signals.
    fn read<T: Value>(&self, t: f64, signals: [T; MAX_READ]) -> T {
        let mut values = [T::constant(t); MAX_READ + 1];
        values.iter_mut().skip(1).zip(signals).for_each(|(x, y)| *x = y);
        self.eval(t, &values, |[u, _]| T::constant(u))
    }

    /// The value and the derivatives of the formula.
    fn jet(&self, at: Argument) -> Jet {
        match self.need {
            Need::Time | Need::Motion | Need::Length => {
                let values = [Jet::first(at.t), Jet::constant(at.x), Jet::constant(at.v)];
                self.eval(at.t, &values, |[u, rate]| Jet::line(u, rate))
            }
            Need::State | Need::Law => {
                let values = [Jet::constant(at.t), Jet::first(at.x), Jet::second(at.v)];
                self.eval(at.t, &values, |[u, _]| Jet::constant(u))
            }
        }
    }
}

impl Smooth for Formula {
    /// A law is not a function of time alone.
    fn value(&self, at: Argument) -> f64 {
        match self.need {
            Need::Law => f64::NAN,
            _ => self.eval(at.t, &[at.t, at.x, at.v], |[u, _]| u),
        }
    }

    fn slope(&self, at: Argument) -> Slope {
        match self.need {
            Need::State => {
                let jet = self.jet(at);
                Slope { value: jet.f, x: jet.a, v: jet.b }
            }
            _ => Slope { value: self.value(at), x: f64::NAN, v: f64::NAN },
        }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let at = Argument::time(t);
        match self.need {
            Need::Motion | Need::Length => {
                let jet = self.jet(at);
                [jet.f, jet.a, jet.aa]
            }
            _ => [self.value(at), f64::NAN, f64::NAN],
        }
    }

    fn law(&self, t: f64, signals: &Readings) -> f64 {
        match self.need {
            Need::Law => self.read(t, *signals),
            _ => self.value(Argument::time(t)),
        }
    }

    /// Makes two derivatives in each pass.
    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        let mut slopes = [0.0; MAX_READ];
        if self.need != Need::Law {
            return slopes;
        }
        for (pass, pair) in slopes.chunks_mut(2).enumerate() {
            let first = 2 * pass;
            if !self.places.iter().any(|p| *p == first + 1 || *p == first + 2) {
                continue;
            }
            let mut k = 0;
            let y = signals.map(|y| {
                k += 1;
                match k - 1 {
                    i if i == first => Jet::first(y),
                    i if i == first + 1 => Jet::second(y),
                    _ => Jet::constant(y),
                }
            });
            let jet = self.read(t, y);
            pair.iter_mut().zip([jet.a, jet.b]).for_each(|(s, x)| *s = x);
        }
        slopes
    }

    fn culprit(&self, at: Argument, signals: &Readings) -> Option<String> {
        // t (or a length), then x and v or the signals of a law, then inputs.
        let law = self.need == Need::Law;
        let own = if law { MAX_READ + 1 } else { VARIABLES.len() };
        let value = |place: usize| match place {
            0 => at.t,
            _ if place >= own => self.inputs.get(place - own).map_or(f64::NAN, |s| s.at(at.t)[0]),
            _ if law => signals.get(place - 1).copied().unwrap_or(f64::NAN),
            1 => at.x,
            _ => at.v,
        };
        let values: Vec<f64> = self.places.iter().map(|place| value(*place)).collect();
        let moves = |place: usize| match self.need {
            Need::Time => false,
            Need::Motion | Need::Length => place == 0,
            Need::State | Need::Law => place > 0 && place < own,
        };
        let moving: Vec<bool> = self.places.iter().map(|place| moves(*place)).collect();
        let twice = matches!(self.need, Need::Motion | Need::Length);
        self.source.culprit(&self.expression, &values, &moving, twice)
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        let mut times = Vec::new();
        self.switching.iter().for_each(|s| times.append(&mut s.times(from, to)));
        times
    }

    fn label(&self) -> String {
        self.source.label(&self.expression)
    }

    fn text(&self) -> Option<String> {
        self.expression.written(&str::to_string)
    }

    fn signals(&self) -> &[Signal] {
        &self.inputs
    }

    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Arc<dyn Smooth>> {
        if self.inputs.is_empty() {
            return None;
        }
        Some(Arc::new(Formula { inputs: self.inputs.iter().map(other).collect(), ..self.clone() }))
    }

    fn memory(&self) -> usize {
        let switching: usize = self.switching.iter().map(Switching::memory).sum();
        self.source.memory() + self.expression.memory() + switching
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::from([("a".to_string(), 0.2), ("f".to_string(), 10.0)])
    }

    fn read(text: &str, need: Need) -> Result<Function, String> {
        function(&Number::Text(text.to_string()), &names(), need, None, None)
    }

    #[test]
    fn derivatives_of_a_motion_match_differences() {
        for text in [
            "a*sin(f*t)",
            "t^2 - 3*t^3",
            "exp(-t)*cos(t/2)",
            "30*(1 - cos(pi*t)) deg",
            "tanh(t)",
            "2*poly345(t, 3) + sweep(t, 0.1, 1, 2)",
        ] {
            let f = read(text, Need::Motion).unwrap();
            // Profiles begin at t = 0, where their third derivative jumps.
            for t in [0.01, 0.3, 1.7] {
                let [y, y_t, y_tt] = f.motion(t);
                let d = 1e-4;
                let (up, down) = (f.motion(t + d), f.motion(t - d));
                let tolerance = 1e-5 * (1.0 + y_tt.abs() + y_t.abs() + y.abs());
                assert!(((up[0] - down[0]) / (2.0 * d) - y_t).abs() < tolerance, "{text} at {t}");
                assert!(((up[1] - down[1]) / (2.0 * d) - y_tt).abs() < tolerance, "{text} at {t}");
            }
        }
    }

    #[test]
    fn derivatives_for_the_state_match_differences() {
        for text in ["-5*x - a*v*sqrt(v^2 + 1) + t", "sin(x*v)*t", "x^3", "f*v"] {
            let f = read(text, Need::State).unwrap();
            let at = Argument { t: 0.7, x: -0.4, v: 1.3 };
            let s = f.slope(at);
            let d = 1e-6;
            let x = f.value(Argument { x: at.x + d, ..at }) - f.value(Argument { x: at.x - d, ..at });
            let v = f.value(Argument { v: at.v + d, ..at }) - f.value(Argument { v: at.v - d, ..at });
            assert!((s.x - x / (2.0 * d)).abs() < 1e-8 && (s.v - v / (2.0 * d)).abs() < 1e-8, "{text}");
        }
    }

    #[test]
    fn constants_units_and_errors() {
        assert_eq!(read("2*a", Need::State).unwrap(), Function::Constant(0.4));
        assert_eq!(read("180 deg", Need::Motion).unwrap(), Function::Constant(std::f64::consts::PI));
        let [v, slope, bend] = read("f*(l^2 - 1)^2", Need::Length).unwrap().motion(1.5);
        assert!((v - 15.625).abs() < 1e-12 && (slope - 75.0).abs() < 1e-12 && (bend - 230.0).abs() < 1e-12);
        assert!(read("t*l", Need::Length).unwrap_err().contains("unknown name 't'"));
        assert!(read("abs(l - 1)", Need::Length).unwrap_err().contains("does not have a derivative"));
        assert!(read("x", Need::Motion).unwrap_err().contains("unknown name 'x'"));
        assert!(read("abs(x) + if(v > 0, v, 0)", Need::State).is_ok());
        for jump in ["sign(x)", "(v > 0)*3", "if(floor(x) > 1, 0, floor(v))"] {
            assert!(read(jump, Need::State).unwrap_err().contains("jumps with the motion"), "{jump}");
        }
        assert!(read("abs(t)", Need::Time).is_ok() && read("abs(t - 1)", Need::Motion).is_ok());
        // A kink in time alone is not a kink in the state, for any branch.
        assert!(read("min(t, 1)*x", Need::State).is_ok() && read("step(x, 0, 1)*v", Need::State).is_ok());
        // Corners in a branch of time are corners of the motion; jumps in it are refused.
        assert!(read("if(t > 1, abs(x), 0)", Need::State).is_ok());
        assert!(read("if(t > 1, sign(x), 0)", Need::State).unwrap_err().contains("jumps with the motion"));
        assert!(read("trapezoid(t, t, 1, 1)", Need::Motion).unwrap_err().contains("must be a constant"));
        assert!(read("trapezoid(t, 1, 1, -1)", Need::Motion).unwrap_err().contains("must be positive"));
        assert!(read("step(t, 0, 1, 4)", Need::Motion).unwrap_err().contains("0, 1, 2 or 3"));
        assert!(read("foo(t)", Need::Motion).unwrap_err().contains("function or table"));
        assert!(read("t*", Need::Time).is_err());
        assert!(read("sin(t", Need::Time).is_err());
        let clash = Names::from([("t".to_string(), 1.0)]);
        assert!(
            function(&Number::Text("2*t".into()), &clash, Need::Time, None, None)
                .unwrap_err()
                .contains("variable")
        );
        let f = read("2*input(\"a b\")*t", Need::Motion).unwrap();
        f.signals()[0].set(crate::mechanics::signal::Line { t_0: 0.0, u_0: 0.0, t_1: 2.0, u_1: 6.0 });
        assert_eq!((f.signals()[0].name(), f.motion(1.0)), ("a b", [6.0, 12.0, 12.0]));
        assert!(read("input('a')*l", Need::Length).unwrap_err().contains("not on inputs"));
        assert!(read("input(\"a\"", Need::Time).unwrap_err().contains("write input"));
        // The same text with other parameters is a different function.
        assert_ne!(read("a*t", Need::Time).unwrap(), formula("t", Need::Time).unwrap());
        assert_eq!(read("a*t", Need::Time).unwrap(), read("a*t", Need::Time).unwrap());
    }
}
