//! Force laws of model files: expressions of time, sensors and joint coordinates, with exact derivatives.
//!
//! In a law a word may be the name of a sensor (`tip.z`, `gap`), or of a joint with `.x` for its coordinate and `.v` for its rate
//! (`hinge.x`). Names that are no plain words go into braces, `{tip force}.z`.

use std::sync::Arc;

use super::elements::{At, SensorKind};
use super::expression::breakpoints::{self, Switching};
use super::expression::jet::Jet;
use super::expression::tokens::{Token, Tokens};
use super::expression::{Dimension, Expression, Names};
use super::number::dimension;
use crate::mechanics::function::{Argument, Function, MAX_READ, Readings, Slope, Smooth};

/// Variables that stand for signals.
pub(super) const PREFIX: &str = "_signal";

/// What a law may read.
pub trait Readable {
    /// A sensor by name.
    fn sensor(&self, name: &str) -> Option<SensorKind>;
    /// A joint by name; none if it has no coordinate.
    fn joint(&self, name: &str) -> Option<At>;
    /// The coordinate of the joint that the law acts on.
    fn own(&self) -> Option<&At>;
}

/// Sensors and components that a law reads, in the order of its arguments.
pub type List = Vec<(SensorKind, usize)>;

/// Number of values of a sensor.
pub fn values(kind: &SensorKind) -> usize {
    use SensorKind::*;
    match kind {
        Position(..) | Velocity(..) | Acceleration(..) | AngularVelocity(_) | ReactionForce(..)
        | ReactionTorque(..) | LinearMomentum | AngularMomentum | SectionForce(_) | SectionMoment(_) => 3,
        Coordinate(_) | Rate(_) | SpringLength(_) | SpringForce(_) | ControlOutput(_) | KineticEnergy
        | PotentialEnergy | TotalEnergy | StrainEnergy(_) => 1,
    }
}

/// Why a law cannot read a sensor.
fn refusal(kind: &SensorKind) -> Option<&'static str> {
    use SensorKind::*;
    match kind {
        Acceleration(..) | ReactionForce(..) | ReactionTorque(..) => {
            Some("accelerations and joint forces follow from the law itself; read positions and velocities")
        }
        ControlOutput(_) => Some("the output of a control acts on its joint by itself"),
        SectionForce(_) | SectionMoment(_) | StrainEnergy(_) => {
            Some("what a beam carries cannot be read by a force")
        }
        KineticEnergy | PotentialEnergy | TotalEnergy | LinearMomentum | AngularMomentum => {
            Some("energies and momenta belong to all bodies at once; read positions and velocities")
        }
        _ => None,
    }
}

/// The text with variables for signals; none if it reads nothing.
pub fn rewrite(
    text: &str,
    names: &Names,
    readable: &dyn Readable,
    list: &mut List,
) -> Result<Option<String>, String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut tokens = Tokens::of(text);
    let mut found = false;
    while let Some(token) = tokens.next() {
        match token {
            Token::Number(number) => out.push_str(number),
            Token::Mark('{') => {
                let (name, rest) = tokens
                    .rest
                    .split_once('}')
                    .ok_or_else(|| format!("the brace in '{text}' is not closed"))?;
                tokens.rest = rest;
                let what = read(name, names, readable, &mut tokens)?;
                let what = what
                    .ok_or_else(|| format!("'{name}' is neither a sensor nor a joint with a coordinate"))?;
                push(what, list, &mut out)?;
                found = true;
            }
            Token::Mark(c) => out.push(c),
            Token::Word(word) if tokens.rest.trim_start().starts_with('(') => out.push_str(word),
            Token::Word(word @ ("t" | "pi")) => out.push_str(word),
            Token::Word(word @ ("x" | "v")) if readable.own().is_some() && !names.contains_key(word) => {
                let at = readable.own().cloned().unwrap_or_else(|| At::from(""));
                let kind = if word == "x" { SensorKind::Coordinate(at) } else { SensorKind::Rate(at) };
                push((kind, 0), list, &mut out)?;
            }
            Token::Word(word) => match read(word, names, readable, &mut tokens)? {
                Some(what) => {
                    push(what, list, &mut out)?;
                    found = true;
                }
                None => out.push_str(word),
            },
        }
    }
    Ok(found.then_some(out))
}

/// The signal of a name and what follows it.
fn read(
    name: &str,
    names: &Names,
    readable: &dyn Readable,
    tokens: &mut Tokens,
) -> Result<Option<(SensorKind, usize)>, String> {
    let part = |rest: &str| {
        let mut ahead = Tokens::of(rest.strip_prefix('.')?);
        match ahead.next() {
            Some(Token::Word(word @ ("x" | "y" | "z" | "v"))) => Some((word.to_string(), ahead.rest.len())),
            _ => None,
        }
    };
    let after = part(tokens.rest);
    let mut take = |left: usize| {
        let cut = tokens.rest.len() - left;
        tokens.rest = tokens.rest.get(cut..).unwrap_or("");
    };
    let dotted = after.as_ref().map(|(word, _)| format!("{name}.{word}"));
    let is_point = dotted.as_ref().is_some_and(|d| names.contains_key(d));
    let joint = readable.joint(name).filter(|_| matches!(&after, Some((w, _)) if w == "x" || w == "v"));
    if let Some(kind) = readable.sensor(name) {
        if names.contains_key(name) || is_point || joint.is_some() {
            return Err(format!("'{name}' is a sensor and something else; rename one of them"));
        }
        if let Some(why) = refusal(&kind) {
            return Err(format!("a force cannot read sensor '{name}': {why}"));
        }
        let component = match (values(&kind), &after) {
            (1, _) => 0,
            (_, Some((word, left))) if word != "v" => {
                take(*left);
                ["x", "y", "z"].iter().position(|a| a == word).unwrap_or(0)
            }
            _ => return Err(format!("sensor '{name}' has three values: add .x, .y or .z")),
        };
        return Ok(Some((kind, component)));
    }
    let (Some(at), Some((word, left))) = (joint, after) else { return Ok(None) };
    if is_point {
        return Err(format!("'{name}.{word}' is a point and a joint coordinate; rename one of them"));
    }
    take(left);
    Ok(Some((if word == "x" { SensorKind::Coordinate(at) } else { SensorKind::Rate(at) }, 0)))
}

fn push(what: (SensorKind, usize), list: &mut List, out: &mut String) -> Result<(), String> {
    let place = list.iter().position(|x| *x == what).unwrap_or_else(|| {
        list.push(what);
        list.len() - 1
    });
    if place >= MAX_READ {
        return Err(format!("a force reads at most {MAX_READ} signals; write several forces"));
    }
    out.push_str(&format!("{PREFIX}{place}"));
    Ok(())
}

/// The function of a [rewritten](rewrite) text; `original` is what messages show.
pub fn function(
    text: &str,
    original: &str,
    names: &Names,
    wanted: Option<Dimension>,
) -> Result<Function, String> {
    let shown = |e: String| e.replace(text, original);
    let expression = Expression::parse(text, &|n| names.contains_key(n)).map_err(shown)?;
    if names.contains_key("t") && expression.var_names().iter().any(|n| n == "t") {
        return Err("'t' is a variable here and cannot be the name of a parameter as well".to_string());
    }
    let called: Vec<&str> = expression.called().collect();
    let signal = |name: &str| name.strip_prefix(PREFIX).and_then(|i| i.parse::<usize>().ok());
    for name in expression.var_names().iter().filter(|n| !called.contains(&n.as_str())) {
        if !(name == "t" || name == "pi" || names.contains_key(name) || signal(name).is_some()) {
            let known: Vec<&str> =
                ["t"].into_iter().chain(names.keys().map(String::as_str)).take(30).collect();
            return Err(format!(
                "unknown name '{name}'; known here: {}, sensors, and JOINT.x or JOINT.v",
                known.join(", ")
            ));
        }
    }
    dimension(&expression, names, wanted).map_err(shown)?;
    let bound = expression.bind(names)?;
    if let Some(wrong) = bound.wrong_constants() {
        return Err(wrong);
    }
    let signals: Vec<String> = bound.var_names().iter().filter(|n| signal(n).is_some()).cloned().collect();
    let variables: Vec<&str> = signals.iter().map(String::as_str).collect();
    if bound.rough_part(&variables, 1).is_some() {
        return Err(format!(
            "no derivative of '{original}' is known everywhere; use smooth functions such as tanh, sqrt, step, smoothabs or smoothmax, \
             ramp with a width, or a table with interpolation = \"cubic\" or \"akima\""
        ));
    }
    let used = names.iter().filter(|(n, _)| expression.var_names().iter().any(|v| v == *n));
    let used: Vec<String> = used.map(|(n, x)| format!("{n} = {x}")).collect();
    let switching = breakpoints::switching(&bound);
    let places = bound.var_names().iter().map(|n| signal(n).map_or(0, |k| k + 1)).collect();
    let label = format!("{original}, {}", used.join(", "));
    Ok(Function::Custom(Arc::new(LawFormula { label, expression: bound, places, switching })))
}

/// An expression with the places of its variables: 0 for t, k + 1 for signal k.
#[derive(Clone, Debug)]
struct LawFormula {
    label: String,
    expression: Expression,
    places: Vec<usize>,
    switching: Vec<Switching>,
}

impl LawFormula {
    fn eval<T: super::expression::value::Value>(&self, t: T, y: [T; MAX_READ]) -> T {
        let mut values = [T::default(); MAX_READ + 1];
        for (value, place) in values.iter_mut().zip(&self.places) {
            *value = match place.checked_sub(1) {
                None => t,
                Some(k) => y.get(k).copied().unwrap_or_default(),
            };
        }
        self.expression.eval(&values)
    }
}

impl Smooth for LawFormula {
    /// A law is no function of time alone.
    fn value(&self, _: Argument) -> f64 {
        f64::NAN
    }

    fn slope(&self, _: Argument) -> Slope {
        Slope { value: f64::NAN, x: f64::NAN, v: f64::NAN }
    }

    fn motion(&self, _: f64) -> [f64; 3] {
        [f64::NAN; 3]
    }

    fn law(&self, t: f64, signals: &Readings) -> f64 {
        self.eval(t, *signals)
    }

    /// Two derivatives in each pass.
    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        let mut slopes = [0.0; MAX_READ];
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
            let jet = self.eval(Jet::constant(t), y);
            pair.iter_mut().zip([jet.a, jet.b]).for_each(|(s, x)| *s = x);
        }
        slopes
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.switching.iter().flat_map(|s| s.times(from, to)).collect()
    }

    fn label(&self) -> String {
        self.label.clone()
    }

    fn text(&self) -> Option<String> {
        self.expression.written(&str::to_string)
    }

    fn memory(&self) -> usize {
        let switching: usize = self.switching.iter().map(Switching::memory).sum();
        self.label.len() + self.expression.memory() + switching
    }
}
