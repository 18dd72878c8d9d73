//! Reads expressions of positions: coordinates of points, distances, angles, joint coordinates, rates,
//! states, algebraic variables.
//!
//! | written | means |
//! |---|---|
//! | `bead.x`, `rod.tip.z`, `A.y` | coordinate of a centre of mass, a marker or a point, inertial frame |
//! | `distance(rod.tip, A)` | distance of two points |
//! | `angle(a, b, c)` | angle at b between the directions to a and c, 0 to pi; smooth in between |
//! | `hinge` or `hinge.x`, `hinge.angle`, `hinge.displacement` | joint coordinate |
//! | `rate(..)`, `hinge.v` | rate of a coordinate, a distance or a joint coordinate |
//! | `tip.z`, `turned` | value of a sensor of positions, velocities, joint coordinates or rates |
//! | a name of `[[state]]` or `[[algebraic]]` | its value |
//!
//! Names that are not plain words are put in braces: `{left rod}.x`. In the rewritten text, each measured
//! quantity is a variable.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::elements::{At, Of, SensorKind};
use super::expressed::{ExpressedSpec, Formula, MeasuredSpec, PointOf, VariableSpec};
use super::expression::culprit::ExpressionSource;
use super::expression::tokens::{Token, Tokens};
use super::expression::{Expression, Names};
use super::law;
use super::spec::{GROUND, Model};
use crate::Error;
use crate::mechanics::expressed::MAX_VARIABLES;

/// The largest number of bodies, joints and sensors that are searched for the message about an unknown name.
const LISTED: usize = 200;

/// The prefix of variables for measured quantities.
pub(super) const PREFIX: &str = "measured_";

/// The quantities that an expression may read in addition to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    /// Allows the time t.
    pub time: bool,
    /// Allows rates and states.
    pub rates: bool,
    /// Allows algebraic variables.
    pub algebraic: bool,
    /// The required number of continuous derivatives.
    pub smooth: i32,
    /// A description of the expression, for messages.
    pub what: &'static str,
}

/// All elements that have a name.
pub(super) struct Known<'a> {
    pub names: &'a Names,
    pub model: &'a Model,
    /// The points of `[points]`.
    pub points: &'a dyn Fn(&str) -> Option<Vector3<f64>>,
    /// The sensors.
    pub sensors: &'a HashMap<String, SensorKind>,
    /// Other names of bodies, which are the stations of beams.
    pub aliases: &'a HashMap<String, String>,
    pub states: &'a [String],
    pub algebraic: &'a [String],
    /// The quantity that `x` and `v` refer to in actuators.
    pub driven: Option<MeasuredSpec>,
}

/// Reads an expression.
pub(super) fn read(text: &str, known: &Known, allowed: Allowed) -> Result<ExpressedSpec, String> {
    let mut reader = MeasuredReader { known, allowed, variables: Vec::new() };
    let rewritten = reader.rewrite(text)?;
    let mut variables = reader.variables;
    // A constant rate is also allowed. It is a function of time.
    if variables.is_empty() && allowed.rates {
        variables.push(VariableSpec::Time);
    }
    if variables.len() > MAX_VARIABLES {
        return Err(format!("it reads {} quantities, at most {MAX_VARIABLES} are possible", variables.len()));
    }
    let names = known.names;
    let expression = Expression::parse(&rewritten, &|n| names.contains_key(n))
        .map_err(|e| e.replace(&rewritten, text.trim()))?;
    let place = |name: &str| name.strip_prefix(PREFIX).and_then(|i| i.parse::<usize>().ok());
    let called: Vec<&str> = expression.called().collect();
    for name in expression.var_names().iter().filter(|n| !called.contains(&n.as_str())) {
        if place(name).is_none() && !names.contains_key(name) && name != "pi" {
            let model = known.model;
            let words = (names.keys().map(String::as_str).chain(["t"]))
                .chain(model.bodies.iter().map(|b| b.name.as_str()))
                .chain(model.joints.iter().map(|j| j.name.as_str()))
                .chain(known.states.iter().chain(known.algebraic).map(String::as_str));
            return Err(Error::unknown_name("name", name, words).to_string());
        }
    }
    if variables.is_empty() {
        return Err(format!(
            "'{}' reads no position: write bead.x, distance(a, b) or the name of a joint",
            text.trim()
        ));
    }
    super::dimensions::check(&expression, known, &variables)?;
    let bound = expression.bind(names)?;
    if let Some(wrong) = bound.wrong_constants() {
        return Err(wrong);
    }
    let moving: Vec<String> = (0..variables.len()).map(|i| format!("{PREFIX}{i}")).collect();
    let moving: Vec<&str> = moving.iter().map(String::as_str).collect();
    if let Some(part) = bound.rough_part(&moving, allowed.smooth) {
        let mut part = part.to_string();
        for (i, _) in variables.iter().enumerate().rev() {
            part = part.replace(&format!("{PREFIX}{i}"), "..");
        }
        let table = names.tables.keys().any(|name| part.starts_with(&format!("{name}(")));
        let remedy = match (table, allowed.smooth) {
            (true, 2) => "give the table interpolation = \"cubic\" and outside = \"repeat\"",
            (true, _) => "give the table interpolation = \"akima\" and outside = \"extend\" or \"repeat\"",
            _ => "use smooth functions such as tanh, sqrt, step, smoothabs or smoothmax",
        };
        return Err(format!(
            "{} needs {} continuous derivatives, and '{part}' does not have them everywhere; {remedy}",
            allowed.what, allowed.smooth
        ));
    }
    let places = bound.var_names().iter().filter_map(|n| place(n)).collect();
    let used = names.iter().filter(|(n, _)| expression.var_names().contains(n));
    let used: Vec<String> = used.map(|(n, x)| format!("{n} = {x}")).collect();
    let label = format!("{}, {}", text.trim(), used.join(", "));
    let words = variables.iter().enumerate().map(|(i, v)| (format!("{PREFIX}{i}"), v.word())).collect();
    let source = ExpressionSource::of_words(words).with_parameters(&expression, names);
    Ok(ExpressedSpec { variables, function: Formula { label, source, expression: bound, places }.shared() })
}

/// True if a text names a moving element, a state or an algebraic variable, apart from time and the driven
/// quantity.
pub(super) fn reads_more(text: &str, known: &Known) -> bool {
    let allowed = Allowed { time: true, rates: true, algebraic: true, smooth: 0, what: "an expression" };
    let mut reader = MeasuredReader { known, allowed, variables: Vec::new() };
    let own = |v: &VariableSpec| match v {
        VariableSpec::Time => true,
        VariableSpec::Value(m) | VariableSpec::Rate(m) => Some(m) == known.driven.as_ref(),
        _ => false,
    };
    let failed = reader.rewrite(text).is_err();
    let calls = || ["distance(", "rate(", "angle("].iter().any(|call| text.contains(call));
    !reader.variables.iter().all(own) || (failed && calls())
}

/// Reads a single measured quantity, such as `bead.x`.
pub(super) fn read_measured(text: &str, known: &Known) -> Result<MeasuredSpec, String> {
    let allowed = Allowed { time: false, rates: false, algebraic: false, smooth: 0, what: "a direction" };
    let mut reader = MeasuredReader { known, allowed, variables: Vec::new() };
    let rewritten = reader.rewrite(text)?;
    match (&reader.variables[..], rewritten.trim() == format!("{PREFIX}0")) {
        ([VariableSpec::Value(m)], true) => Ok(m.clone()),
        _ => Err(format!("'{}' is not a coordinate of a point, a distance or a joint", text.trim())),
    }
}

struct MeasuredReader<'a> {
    known: &'a Known<'a>,
    allowed: Allowed,
    variables: Vec<VariableSpec>,
}

/// A name with the parts after its dots.
struct Path<'a> {
    parts: Vec<&'a str>,
}

impl Path<'_> {
    fn text(&self) -> String {
        self.parts.join(".")
    }
}

impl MeasuredReader<'_> {
    fn rewrite(&mut self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut tokens = Tokens::of(text);
        while let Some(token) = tokens.next() {
            let first = match token {
                Token::Number(x) => {
                    out.push_str(x);
                    continue;
                }
                Token::Mark('{') => in_braces(&mut tokens, text)?,
                Token::Mark(c) => {
                    out.push(c);
                    continue;
                }
                Token::Word(word) => word,
            };
            if tokens.rest.trim_start().starts_with('(') && matches!(first, "distance" | "angle" | "rate") {
                let inside = arguments(&mut tokens, text)?;
                self.call(first, &inside, &mut out)?;
                continue;
            }
            let path = path(first, &mut tokens);
            match self.quantity(&path)? {
                Some(Found::Variable(variable)) => self.push(variable, &mut out)?,
                Some(Found::Number(x)) => out.push_str(&format!("({x:e})")),
                None if path.parts.len() > 1 && !self.known.names.contains_key(&path.text()) => {
                    return Err(self.unknown(&path));
                }
                None => out.push_str(&path.text()),
            }
        }
        Ok(out)
    }

    /// The error for an unknown name with dots. It makes a suggestion.
    fn unknown(&self, path: &Path) -> String {
        let (model, whole) = (self.known.model, path.text());
        let parts =
            |list: &[&'static str]| match path.parts.last().and_then(|l| list.iter().find(|p| *p == l)) {
                Some(last) => vec![*last],
                None => list.to_vec(),
            };
        let (axes, ends) = (parts(&["x", "y", "z"]), parts(&["x", "v", "angle", "displacement"]));
        let mut words = Vec::new();
        for body in model.bodies.iter().take(LISTED) {
            let markers = body.markers.iter().map(|m| format!("{}.{}", body.name, m.name));
            for name in std::iter::once(body.name.clone()).chain(markers) {
                words.extend(axes.iter().map(|a| format!("{name}.{a}")));
            }
        }
        for joint in model.joints.iter().take(LISTED) {
            words.extend(ends.iter().map(|e| format!("{}.{e}", joint.name)));
        }
        let mut sensors: Vec<&str> = self.known.sensors.keys().map(String::as_str).collect();
        sensors.sort_unstable();
        for name in sensors.into_iter().take(LISTED) {
            match self.known.sensors.get(name).map_or(1, law::values) {
                1 => words.push(name.to_string()),
                _ => words.extend(axes.iter().map(|a| format!("{name}.{a}"))),
            }
        }
        words.extend(self.known.names.keys().filter(|n| n.contains('.')).take(LISTED).cloned());
        Error::unknown_name("name", &whole, words.iter().map(String::as_str)).to_string()
    }

    /// Writes a variable for a quantity. The same quantity has the same variable.
    fn push(&mut self, variable: VariableSpec, out: &mut String) -> Result<(), String> {
        let what = self.allowed.what;
        let refuse = |kind: &str| Err(format!("{what} cannot read {kind}"));
        match &variable {
            VariableSpec::Time if !self.allowed.time => return refuse("the time t"),
            VariableSpec::Rate(_) if !self.allowed.rates => return refuse("rates"),
            VariableSpec::State(name) if !self.allowed.rates => {
                return refuse(&format!("the state '{name}'"));
            }
            VariableSpec::Algebraic(name) if !self.allowed.algebraic => {
                return refuse(&format!("the algebraic variable '{name}'"));
            }
            _ => {}
        }
        let place = self.variables.iter().position(|v| *v == variable).unwrap_or(self.variables.len());
        if place == self.variables.len() {
            self.variables.push(variable);
        }
        out.push_str(&format!("{PREFIX}{place}"));
        Ok(())
    }

    fn call(&mut self, name: &str, inside: &[&str], out: &mut String) -> Result<(), String> {
        match (name, inside) {
            ("distance", [a, b]) => {
                let points = [self.point(a)?, self.point(b)?];
                self.distance(points, out)
            }
            ("angle", [a, b, c]) => {
                let [a, b, c] = [self.point(a)?, self.point(b)?, self.point(c)?];
                let mut sides = [String::new(), String::new(), String::new()];
                let pairs = [[&a, &b], [&b, &c], [&a, &c]];
                for (side, [p, q]) in sides.iter_mut().zip(pairs) {
                    self.distance([p.clone(), q.clone()], side)?;
                }
                let [ab, bc, ac] = sides;
                // The law of cosines uses three distances, which every method supports.
                out.push_str(&format!("acos(({ab}^2 + {bc}^2 - {ac}^2)/(2*{ab}*{bc}))"));
                Ok(())
            }
            ("rate", [inner]) => {
                let measured = read_measured(inner, self.known)?;
                self.push(VariableSpec::Rate(measured), out)
            }
            ("distance", _) => Err("distance(a, b) has two points".to_string()),
            ("angle", _) => Err("angle(a, b, c) has three points".to_string()),
            _ => Err("rate(x) has one quantity".to_string()),
        }
    }

    fn distance(&mut self, points: [PointOf; 2], out: &mut String) -> Result<(), String> {
        let [a, b] = &points;
        if a.body == b.body {
            out.push_str(&format!("({:e})", (a.at - b.at).norm()));
            return Ok(());
        }
        self.push(VariableSpec::Value(MeasuredSpec::Distance(points)), out)
    }

    /// Finds a point by name.
    fn point(&self, text: &str) -> Result<PointOf, String> {
        let name = text.trim();
        let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
        self.named_point(name).ok_or_else(|| {
            let bodies = self.known.model.bodies.iter();
            let words = bodies.flat_map(|b| {
                let markers = b.markers.iter().map(move |m| format!("{}.{}", b.name, m.name));
                std::iter::once(b.name.clone()).chain(markers)
            });
            let nodes = self.known.model.nodes().into_iter().map(|b| b.name.clone());
            let mut stations: Vec<String> = self.known.aliases.keys().cloned().collect();
            stations.sort_unstable();
            let words: Vec<String> = nodes.chain(stations).chain(words).take(200).collect();
            Error::unknown_name("point", name, words.iter().map(String::as_str)).to_string()
        })
    }

    fn named_point(&self, name: &str) -> Option<PointOf> {
        let model = self.known.model;
        let name = self.known.aliases.get(name).map_or(name, String::as_str);
        if let Some(body) = model.bodies.iter().chain(model.nodes()).find(|b| b.name == name) {
            return Some(PointOf { body: body.name.clone(), at: body.position });
        }
        for body in &model.bodies {
            let marker = name.strip_prefix(&body.name).and_then(|rest| rest.strip_prefix('.'));
            if let Some((at, _)) = marker.and_then(|m| body.frame(m)) {
                return Some(PointOf { body: body.name.clone(), at });
            }
        }
        (self.known.points)(name).map(|at| PointOf { body: GROUND.to_string(), at })
    }

    /// Finds the quantity of a path. Returns `None` for names of parameters and functions.
    fn quantity(&self, path: &Path) -> Result<Option<Found>, String> {
        let known = self.known;
        let whole = path.text();
        let variable = |v| Ok(Some(Found::Variable(v)));
        match (whole.as_str(), &known.driven) {
            ("t", _) => return variable(VariableSpec::Time),
            ("x", Some(m)) => return variable(VariableSpec::Value(m.clone())),
            ("v", Some(m)) => return variable(VariableSpec::Rate(m.clone())),
            _ => {}
        }
        let mut found = self.find(path, &whole)?;
        found.dedup_by(|a, b| a.1 == b.1);
        if let [(first, _), (second, _), ..] = &found[..] {
            return Err(format!("'{whole}' may be {first} or {second}; rename one of them"));
        }
        let found = found.pop().map(|f| f.1);
        if found.is_some() && known.names.contains_key(&whole) && (known.points)(&base(&whole)).is_none() {
            return Err(format!(
                "'{whole}' is a parameter and the name of something that moves; rename one of them"
            ));
        }
        Ok(found)
    }

    /// Finds all possible meanings of a path, with descriptions.
    fn find(&self, path: &Path, whole: &str) -> Result<Vec<(&'static str, Found)>, String> {
        let known = self.known;
        let mut list = Vec::new();
        if known.states.iter().any(|s| s == whole) {
            return Ok(vec![("a state", Found::Variable(VariableSpec::State(whole.to_string())))]);
        }
        if known.algebraic.iter().any(|s| s == whole) {
            let variable = VariableSpec::Algebraic(whole.to_string());
            return Ok(vec![("an algebraic variable", Found::Variable(variable))]);
        }
        if let Some(found) = self.sensor(path, whole)? {
            list.push(("a sensor", found));
        }
        let joint = |name: &str, of: Of| {
            let at = At { joint: name.to_string(), of };
            known.model.joints.iter().any(|j| j.name == name).then_some(MeasuredSpec::Joint(at))
        };
        let value = |m: MeasuredSpec| ("a joint", Found::Variable(VariableSpec::Value(m)));
        list.extend(joint(whole, Of::Default).map(value));
        let Some((last, rest)) = path.parts.split_last() else { return Ok(list) };
        let before = rest.join(".");
        match *last {
            "angle" => list.extend(joint(&before, Of::Angle).map(value)),
            "displacement" => list.extend(joint(&before, Of::Displacement).map(value)),
            "x" => list.extend(joint(&before, Of::Default).map(value)),
            "v" => {
                let rate = |m| ("a joint", Found::Variable(VariableSpec::Rate(m)));
                list.extend(joint(&before, Of::Default).map(rate));
            }
            _ => {}
        }
        if let Some(i) = axis(last)
            && let Some(point) = self.named_point(&before)
        {
            list.push(("a body", coordinate(point, i, false)));
        }
        Ok(list)
    }

    /// Finds a sensor. If it has three values, it needs `.x`, `.y` or `.z`.
    fn sensor(&self, path: &Path, whole: &str) -> Result<Option<Found>, String> {
        let base = base(whole);
        let last = path.parts.last().and_then(|last| axis(last));
        let sensor = |name: &str| self.known.sensors.get(name).cloned();
        let (name, kind, i) = match (sensor(whole), last, sensor(&base)) {
            (Some(kind), ..) if law::values(&kind) == 1 => (whole, kind, 0),
            (Some(_), ..) => return Err(format!("sensor '{whole}' has three values: add .x, .y or .z")),
            (None, Some(i), Some(kind)) if law::values(&kind) == 3 => (base.as_str(), kind, i),
            _ => return Ok(None),
        };
        let rate = |m| Ok(Some(Found::Variable(VariableSpec::Rate(m))));
        let value = |m| Ok(Some(Found::Variable(VariableSpec::Value(m))));
        match kind {
            SensorKind::Position(body, at) => Ok(Some(coordinate(PointOf { body, at }, i, true))),
            SensorKind::Velocity(body, at) => match coordinate(PointOf { body, at }, i, true) {
                Found::Variable(VariableSpec::Value(m)) => rate(m),
                _ => Ok(Some(Found::Number(0.0))),
            },
            SensorKind::Coordinate(at) => value(MeasuredSpec::Joint(at)),
            SensorKind::Rate(at) => rate(MeasuredSpec::Joint(at)),
            _ => Err(format!(
                "{} cannot read sensor '{name}': it reads positions, velocities, joint coordinates and \
                 their rates",
                self.allowed.what
            )),
        }
    }
}

fn axis(word: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|a| *a == word)
}

/// A coordinate of a point. It is a number if the point is fixed.
fn coordinate(point: PointOf, i: usize, of_space: bool) -> Found {
    if point.body == GROUND {
        return Found::Number(point.at.get(i).copied().unwrap_or_default());
    }
    let (axis, origin) = (Vector3::ith(i, 1.0), Vector3::zeros());
    Found::Variable(VariableSpec::Value(MeasuredSpec::Place { point, axis, origin, of_space }))
}

/// The meaning of a name.
#[derive(PartialEq)]
enum Found {
    /// A quantity that changes.
    Variable(VariableSpec),
    /// A coordinate of a fixed point.
    Number(f64),
}

fn base(name: &str) -> String {
    name.rsplit_once('.').map_or_else(String::new, |(base, _)| base.to_string())
}

/// Reads the name between braces.
fn in_braces<'a>(tokens: &mut Tokens<'a>, text: &str) -> Result<&'a str, String> {
    let closed = tokens.rest.split_once('}');
    let (name, rest) = closed.ok_or_else(|| format!("the brace in '{}' is not closed", text.trim()))?;
    tokens.rest = rest;
    Ok(name)
}

/// Reads a name with all parts after its dots.
fn path<'a>(first: &'a str, tokens: &mut Tokens<'a>) -> Path<'a> {
    let mut parts = vec![first];
    while let Some(after) = tokens.rest.strip_prefix('.') {
        let mut ahead = Tokens::of(after);
        let Some(Token::Word(word)) = ahead.next() else { break };
        parts.push(word);
        tokens.rest = ahead.rest;
    }
    Path { parts }
}

/// Reads the arguments of a call. Their parentheses must be balanced.
fn arguments<'a>(tokens: &mut Tokens<'a>, text: &str) -> Result<Vec<&'a str>, String> {
    let rest = tokens.rest.trim_start().strip_prefix('(').unwrap_or(tokens.rest);
    let (mut depth, mut begin, mut list) = (0_usize, 0, Vec::new());
    for (i, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ',' if depth == 0 => {
                list.extend(rest.get(begin..i));
                begin = i + 1;
            }
            ')' if depth == 0 => {
                list.extend(rest.get(begin..i));
                tokens.rest = rest.get(i + 1..).unwrap_or("");
                return Ok(list);
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    Err(format!("a parenthesis in '{}' is not closed", text.trim()))
}
