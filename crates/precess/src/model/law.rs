//! Force laws of model files. They are expressions of time, sensors and joint coordinates, with exact
//! derivatives.
//!
//! In a law, a word may be the name of a sensor (`tip.z`, `gap`). It may also be the name of a joint with
//! `.x` for its coordinate or `.v` for its rate (`hinge.x`). Names that are not plain words are put in
//! braces, `{tip force}.z`.

use super::dimensions::of_formula;
use super::elements::{At, SensorKind};
use super::expression::breakpoints;
use super::expression::culprit::ExpressionSource;
use super::expression::tokens::{Token, Tokens};
use super::expression::{Dimension, Expression, Names, input_of};
use super::formula::{self, Formula, Need};
use super::number::{dimension, lone_unit};
use crate::mechanics::function::{Function, MAX_READ};

/// The prefix of variables for signals.
pub(super) const PREFIX: &str = "_signal";

/// The signals available to a law.
pub trait Readable {
    /// Finds a sensor by name.
    fn sensor(&self, name: &str) -> Option<SensorKind>;
    /// Finds a joint by name. Returns `None` if the joint has no coordinate.
    fn joint(&self, name: &str) -> Option<At>;
    /// The coordinate of the joint on which the law acts.
    fn coordinate(&self) -> Option<&At>;
}

/// The sensors and components of a law, in the order of its arguments.
pub type List = Vec<(SensorKind, usize)>;

/// The number of values of a sensor.
pub fn values(kind: &SensorKind) -> usize {
    use SensorKind::*;
    match kind {
        Position(..)
        | Velocity(..)
        | Acceleration(..)
        | AngularVelocity(_)
        | ReactionForce(..)
        | ReactionTorque(..)
        | Rotation { .. }
        | GuideForce(..)
        | GuideTorque(..)
        | TotalForce(_)
        | TotalTorque(..)
        | LinearMomentum
        | AngularMomentum
        | SectionForce(_)
        | SectionMoment(_) => 3,
        Coordinate(_) | Rate(_) | DriveEffort(_) | Effort(_) | Formula(..) | SpringLength(_)
        | SpringForce(_) | ControlOutput(_) | State(_) | Algebraic(_) | KineticEnergy | PotentialEnergy
        | TotalEnergy | StrainEnergy(_) => 1,
    }
}

/// Says why a law cannot read a sensor; `None` if it can.
fn refusal(kind: &SensorKind) -> Option<&'static str> {
    use SensorKind::*;
    match kind {
        Acceleration(..)
        | ReactionForce(..)
        | ReactionTorque(..)
        | GuideForce(..)
        | GuideTorque(..)
        | DriveEffort(_)
        | TotalForce(_)
        | TotalTorque(..)
        | Rotation { accelerates: true, .. } => {
            Some("accelerations and joint forces follow from the law itself; read positions and velocities")
        }
        Rotation { .. } => Some("read the angular velocity along the axes of the body, without frame"),
        Effort(_) | Formula(..) => Some("write the formula into the law"),
        ControlOutput(_) => Some("the output of a control acts on its joint by itself"),
        SectionForce(_) | SectionMoment(_) | StrainEnergy(_) => {
            Some("a force cannot read the section forces of a beam")
        }
        KineticEnergy | PotentialEnergy | TotalEnergy | LinearMomentum | AngularMomentum => {
            Some("energies and momenta belong to all bodies at once; read positions and velocities")
        }
        _ => None,
    }
}

/// Replaces signals in a text by variables. Returns `None` if the text has no signals. `words` receives their
/// original words.
pub(crate) fn rewrite(
    text: &str,
    names: &Names,
    readable: &dyn Readable,
    list: &mut List,
    words: &mut Vec<String>,
) -> Result<Option<String>, String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut tokens = Tokens::of(text);
    let mut found = false;
    let mut push = |what, from: usize, rest: &str, out: &mut String| {
        let word = text.get(from..text.len() - rest.len()).unwrap_or("").trim();
        push(what, list, words, word, out)
    };
    while let Some((from, token)) = Some(text.len() - tokens.rest.len()).zip(tokens.next()) {
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
                push(what, from, tokens.rest, &mut out)?;
                found = true;
            }
            // The text in quotation marks is the name of an input.
            Token::Mark(quote @ ('\'' | '"')) => {
                let (name, rest) = tokens
                    .rest
                    .split_once(quote)
                    .ok_or_else(|| format!("the quotation mark in '{text}' is not closed"))?;
                tokens.rest = rest;
                out.push_str(&format!("{quote}{name}{quote}"));
            }
            Token::Mark(c) => out.push(c),
            Token::Word(word) if tokens.rest.trim_start().starts_with('(') => out.push_str(word),
            Token::Word(word @ ("t" | "pi")) => out.push_str(word),
            Token::Word(word @ ("x" | "v"))
                if readable.coordinate().is_some() && !names.contains_key(word) =>
            {
                let at = readable.coordinate().cloned().unwrap_or_else(|| At::from(""));
                let kind = if word == "x" { SensorKind::Coordinate(at) } else { SensorKind::Rate(at) };
                push((kind, 0), from, tokens.rest, &mut out)?;
            }
            Token::Word(word) => match read(word, names, readable, &mut tokens)? {
                Some(what) => {
                    push(what, from, tokens.rest, &mut out)?;
                    found = true;
                }
                None => out.push_str(word),
            },
        }
    }
    Ok(found.then_some(out))
}

/// Finds the signal for a name and its suffix.
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

fn push(
    what: (SensorKind, usize),
    list: &mut List,
    words: &mut Vec<String>,
    word: &str,
    out: &mut String,
) -> Result<(), String> {
    let place = list.iter().position(|x| *x == what).unwrap_or_else(|| {
        list.push(what);
        words.push(word.to_string());
        list.len() - 1
    });
    if place >= MAX_READ {
        return Err(format!("a force reads at most {MAX_READ} signals; write several forces"));
    }
    out.push_str(&format!("{PREFIX}{place}"));
    Ok(())
}

/// The number of a signal, from the name of its variable.
fn signal(name: &str) -> Option<usize> {
    name.strip_prefix(PREFIX).and_then(|i| i.parse().ok())
}

/// Finds a name that a law does not know.
fn unknown<'a>(expression: &'a Expression, names: &Names) -> Option<&'a str> {
    let called: Vec<&str> = expression.called().collect();
    let known = |n: &str| {
        n == "t" || n == "pi" || names.contains_key(n) || signal(n).is_some() || input_of(n).is_some()
    };
    let mut variables = expression.var_names().iter().map(String::as_str);
    variables.find(|n| !called.contains(n) && !known(n))
}

/// True if a rewritten text is an expression and a law knows every name in it.
pub fn knows(text: &str, names: &Names) -> bool {
    let expression = Expression::parse(text, &|n| names.contains_key(n));
    expression.is_ok_and(|e| unknown(&e, names).is_none())
}

/// Makes the function of a rewritten text. Messages show the original words for its signals.
/// `measured` has the dimensions of the signals.
pub fn function(
    text: &str,
    words: &[String],
    names: &Names,
    wanted: Option<Dimension>,
    measured: &[Option<Dimension>],
) -> Result<Function, String> {
    let words = words.iter().enumerate().map(|(k, word)| (format!("{PREFIX}{k}"), word.clone())).collect();
    let source = ExpressionSource::of_words(words);
    let shown = |text: String| source.shown(&text);
    let expression = Expression::parse(text, &|n| names.contains_key(n)).map_err(shown)?;
    if names.contains_key("t") && expression.var_names().iter().any(|n| n == "t") {
        return Err("'t' is a variable here and cannot be the name of a parameter as well".to_string());
    }
    let inputs = formula::inputs(&expression, names, Need::State)?;
    if let Some(name) = unknown(&expression, names) {
        let known: Vec<&str> = ["t"].into_iter().chain(names.keys().map(String::as_str)).take(30).collect();
        return Err(format!(
            "unknown name '{name}'; known here: {}, sensors, and JOINT.x or JOINT.v{}",
            known.join(", "),
            lone_unit(name)
        ));
    }
    let variables = |name: &str| match signal(name) {
        Some(k) => measured.get(k).copied().flatten(),
        None => of_formula(name, None),
    };
    dimension(&expression, names, wanted, &variables).map_err(shown)?;
    let bound = expression.bind(names)?;
    if let Some(wrong) = bound.wrong_constants() {
        return Err(wrong);
    }
    let signals: Vec<String> = bound.var_names().iter().filter(|n| signal(n).is_some()).cloned().collect();
    let variables: Vec<&str> = signals.iter().map(String::as_str).collect();
    if let Some(part) = bound.jumping_part(&variables) {
        return Err(formula::jumps(&shown(part.to_string())));
    }
    if let Some(gap) = bound.gap(&variables) {
        return Err(shown(gap.to_string()));
    }
    let switching = breakpoints::switching(&bound);
    let input = |n: &str| inputs.iter().position(|s| input_of(n) == Some(s.name())).map(|i| MAX_READ + 1 + i);
    let place = |n: &String| signal(n).map(|k| k + 1).or_else(|| input(n)).unwrap_or(0);
    let places = bound.var_names().iter().map(place).collect();
    let source = source.with_parameters(&expression, names);
    Ok(Formula { source, need: Need::Law, expression: bound, places, switching, inputs }.shared())
}
