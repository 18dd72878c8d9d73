//! Values that a sweep keeps of a run: final values and extremes of sensors, bodies and joints, and numbers
//! of its summary.

use super::summary::Summary;
use crate::Error;
use crate::expression::quantities::{QuantityFormula, Unread};
use crate::mechanics::At;
use crate::mechanics::mechanism::Mechanism;

/// Reduction of the values of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduce {
    Final,
    /// Largest value; for a vector, its largest length.
    Max,
    Min,
    /// Mean over time, by the trapezoidal rule over all steps; for a vector, of its length.
    Mean,
    /// Root of the mean square over time.
    Rms,
    /// Largest minus smallest value.
    PeakToPeak,
}

/// Words before the name of a quantity.
const REDUCTIONS: [(&str, Reduce); 6] = [
    ("final", Reduce::Final),
    ("max", Reduce::Max),
    ("min", Reduce::Min),
    ("mean", Reduce::Mean),
    ("rms", Reduce::Rms),
    ("p2p", Reduce::PeakToPeak),
];

/// Numbers that a reduction keeps between steps: an extreme and the opposite one, or an integral, the last
/// time and value, and the first time.
const KEPT: usize = 4;

/// Source of a value.
#[derive(Clone, Debug, PartialEq)]
enum Probe {
    Sensor(usize, usize),
    Body(usize, &'static str),
    Joint(usize, &'static str),
}

/// A number of every step.
#[derive(Clone, Debug, PartialEq)]
enum Tracked {
    /// A quantity, or a component of it; the number is the length of a vector.
    Quantity(Probe, Option<usize>),
    /// A formula of such numbers.
    Formula(QuantityFormula, Vec<(Probe, Option<usize>)>),
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Reduced(Reduce, Tracked),
    Summary(usize),
}

/// What a word of the user asks for.
#[derive(Clone, Debug, PartialEq)]
enum Output {
    /// An item; a vector at the end is given by its components.
    Item(usize),
    /// A formula of items.
    Formula(QuantityFormula, Vec<usize>),
}

/// Numbers of the summary by name.
type Summarised = (&'static str, fn(&Summary) -> f64);
const SUMMARY: [Summarised; 8] = [
    ("energy_drift", |s| s.energy_drift.unwrap_or(f64::NAN)),
    ("energy_final", |s| s.energy_final.unwrap_or(f64::NAN)),
    ("position_max", |s| s.position_max),
    ("velocity_max", |s| s.velocity_max),
    ("iterations", |s| s.iterations as f64 / s.steps.max(1) as f64),
    ("jacobians", |s| s.jacobians as f64),
    ("steps", |s| s.steps as f64),
    ("warnings", |s| s.warnings.len() as f64),
];
const BODY: [&str; 4] = ["position", "velocity", "angular_velocity", "rotation"];
const JOINT: [&str; 2] = ["force", "torque"];
/// Components as the columns of results are called.
const COLUMNS: [(&str, &[&str]); 6] = [
    ("position", &["x", "y", "z"]),
    ("velocity", &["vx", "vy", "vz"]),
    ("angular_velocity", &["wx", "wy", "wz"]),
    ("rotation", &["qw", "qx", "qy", "qz"]),
    ("force", &["fx", "fy", "fz"]),
    ("torque", &["mx", "my", "mz"]),
];

/// A list of numbers to collect.
#[derive(Clone, Debug)]
pub struct Collect {
    items: Vec<Item>,
    outputs: Vec<Output>,
    /// Names of the numbers.
    pub columns: Vec<String>,
}

impl Collect {
    /// An empty list.
    pub fn empty() -> Self {
        Collect { items: Vec::new(), outputs: Vec::new(), columns: Vec::new() }
    }

    /// Reads words such as `slider` or `final:slider`, `max:tip.force`, `min:crank angle`, `mean:slider`,
    /// `rms:tip.force.z`, `p2p:crank angle`, `top.position`, `top.position.z`, `energy_drift`, and formulas:
    /// `rms(tip.force)`, `max(abs(a.position.x - b.position.x))`, `max(slider) - min(slider)`. Without words:
    /// the final values of all sensors (or the positions of the bodies), drift of the energy, Newton
    /// iterations per step.
    pub fn parse(words: &[String], system: &dyn Mechanism, at: &At) -> Result<Self, Error> {
        let known = Quantities::new(system, at);
        let mut defaults: Vec<String> = known.sensors.iter().map(|s| s.0.clone()).collect();
        if defaults.is_empty() {
            defaults = known.bodies.iter().map(|b| format!("{b}.position")).collect();
        }
        if system.energy(at).is_some() {
            defaults.push("energy_drift".into());
        }
        defaults.push("iterations".into());
        let mut collect = Self::empty();
        for word in if words.is_empty() { &defaults[..] } else { words } {
            let reduction = |first: &str| REDUCTIONS.iter().find(|(w, _)| *w == first).map(|r| r.1);
            let split = word.split_once(':').and_then(|(first, name)| Some((reduction(first)?, name)));
            let (reduce, whole) = split.unwrap_or((Reduce::Final, word.as_str()));
            let title = if reduce == Reduce::Final { whole } else { word.as_str() };
            let summarised = SUMMARY.iter().position(|s| s.0 == whole).filter(|_| reduce == Reduce::Final);
            match (known.quantity(whole), summarised) {
                (Some((probe, part, len)), _) => {
                    let item = collect.item(Item::Reduced(reduce, Tracked::Quantity(probe, part)));
                    collect.outputs.push(Output::Item(item));
                    let axes: &[&str] = match (reduce, len) {
                        (Reduce::Final, 3) => &["x", "y", "z"],
                        (Reduce::Final, 4) => &["w", "x", "y", "z"],
                        _ => &[],
                    };
                    match axes {
                        [] => collect.columns.push(title.to_string()),
                        axes => collect.columns.extend(axes.iter().map(|x| format!("{title}.{x}"))),
                    }
                }
                (None, Some(k)) => {
                    let item = collect.item(Item::Summary(k));
                    collect.outputs.push(Output::Item(item));
                    collect.columns.push(title.to_string());
                }
                (None, None) if split.is_none() && is_formula(whole) => {
                    let output = collect.formula(whole, &known)?;
                    collect.outputs.push(output);
                    collect.columns.push(title.to_string());
                }
                (None, None) => {
                    let source = known.source(whole)?;
                    let item = collect.item(Item::Reduced(reduce, source));
                    collect.outputs.push(Output::Item(item));
                    collect.columns.push(title.to_string());
                }
            }
        }
        Ok(collect)
    }

    /// The place of an item, which is added if it is new.
    fn item(&mut self, item: Item) -> usize {
        self.items.iter().position(|i| *i == item).unwrap_or_else(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }

    /// A formula: reductions such as `rms(..)` over the run, and values at the end for everything else.
    fn formula(&mut self, text: &str, known: &Quantities) -> Result<Output, Error> {
        let (mut outer, mut used) = (String::new(), Vec::<(String, usize)>::new());
        let mut rest = text;
        while let Some((before, reduce, inner, after)) = first_reduction(rest) {
            let item = self.item(Item::Reduced(reduce, known.source(inner)?));
            let name = format!("reduced {}", used.len());
            outer.push_str(&format!("{before}{{{name}}}"));
            used.push((name, item));
            rest = after;
        }
        outer.push_str(rest);
        let is_known = |n: &str| {
            used.iter().any(|(name, _)| name == n)
                || SUMMARY.iter().any(|s| s.0 == n)
                || known.quantity(n).is_some()
        };
        let formula = QuantityFormula::read(&outer, &is_known).map_err(|e| known.unread(text, e))?;
        let mut items = Vec::new();
        for name in &formula.names {
            let item = match (used.iter().find(|(n, _)| n == name), known.quantity(name)) {
                (Some((_, item)), _) => *item,
                (None, Some((probe, part, _))) => {
                    self.item(Item::Reduced(Reduce::Final, Tracked::Quantity(probe, part)))
                }
                (None, None) => match SUMMARY.iter().position(|s| s.0 == name) {
                    Some(k) => self.item(Item::Summary(k)),
                    None => return Err(known.unknown(name)),
                },
            };
            items.push(item);
        }
        Ok(Output::Formula(formula, items))
    }

    /// True if every step must be examined.
    pub fn sees_steps(&self) -> bool {
        self.items.iter().any(|i| matches!(i, Item::Reduced(r, _) if *r != Reduce::Final))
    }

    /// True if steps and iterations are enough, without a summary, which is cheaper.
    pub fn is_plain(&self) -> bool {
        let plain = ["iterations", "jacobians", "steps"];
        let counted = |i: &Item| !matches!(i, Item::Summary(k) if !plain.contains(&SUMMARY[*k].0));
        !self.sees_steps() && self.items.iter().all(counted)
    }

    /// What is kept before the first step.
    pub fn start(&self) -> Vec<f64> {
        let first = |i: &Item| match i {
            Item::Reduced(Reduce::Max, _) => [f64::NEG_INFINITY, 0.0, 0.0, 0.0],
            Item::Reduced(Reduce::Min, _) => [f64::INFINITY, 0.0, 0.0, 0.0],
            Item::Reduced(Reduce::PeakToPeak, _) => [f64::NEG_INFINITY, f64::INFINITY, 0.0, 0.0],
            Item::Reduced(Reduce::Mean | Reduce::Rms, _) => [0.0, f64::NAN, f64::NAN, f64::NAN],
            _ => [f64::NAN; KEPT],
        };
        self.items.iter().flat_map(first).collect()
    }

    /// Updates what is kept with a step.
    pub fn observe(&self, system: &dyn Mechanism, at: &At, kept: &mut [f64]) {
        let reader = Reader::new(self, system, at);
        for (item, kept) in self.items.iter().zip(kept.chunks_exact_mut(KEPT)) {
            let Item::Reduced(reduce, source) = item else { continue };
            let x = reader.number(source);
            let [extreme, other, last, first] = kept else { continue };
            match reduce {
                Reduce::Max if !(x <= *extreme) => *extreme = x,
                Reduce::Min if !(x >= *extreme) => *extreme = x,
                Reduce::PeakToPeak => {
                    *extreme = if x <= *extreme { *extreme } else { x };
                    *other = if x >= *other { *other } else { x };
                }
                Reduce::Mean | Reduce::Rms => {
                    let (sum, before) = (extreme, other);
                    let y = if *reduce == Reduce::Rms { x * x } else { x };
                    match first.is_nan() {
                        true => *first = at.t,
                        false => *sum += 0.5 * (at.t - *before) * (*last + y),
                    }
                    (*before, *last) = (at.t, y);
                }
                _ => {}
            }
        }
    }

    /// All numbers, in the order of the columns.
    pub fn finish(&self, system: &dyn Mechanism, at: &At, summary: &Summary, kept: &[f64]) -> Vec<f64> {
        let reader = Reader::new(self, system, at);
        let number = |k: usize| -> f64 {
            let (Some(item), Some(kept)) = (self.items.get(k), kept.get(KEPT * k..KEPT * (k + 1))) else {
                return f64::NAN;
            };
            let mean = || match kept[1] - kept[3] {
                duration if duration > 0.0 => kept[0] / duration,
                _ => kept[2],
            };
            match item {
                Item::Summary(i) => SUMMARY[*i].1(summary),
                Item::Reduced(Reduce::Final, source) => reader.number(source),
                Item::Reduced(Reduce::Max | Reduce::Min, _) => kept[0],
                Item::Reduced(Reduce::PeakToPeak, _) => kept[0] - kept[1],
                Item::Reduced(Reduce::Mean, _) => mean(),
                Item::Reduced(Reduce::Rms, _) => mean().sqrt(),
            }
        };
        let mut out = Vec::with_capacity(self.columns.len());
        for output in &self.outputs {
            match output {
                Output::Item(k) => match self.items.get(*k) {
                    Some(Item::Reduced(Reduce::Final, Tracked::Quantity(probe, None))) => {
                        out.extend(reader.values(probe));
                    }
                    _ => out.push(number(*k)),
                },
                Output::Formula(formula, items) => {
                    let values: Vec<f64> = items.iter().map(|k| number(*k)).collect();
                    out.push(formula.value(&values));
                }
            }
        }
        out
    }
}

/// True for a text that can only be a formula: a call, an operator, braces.
fn is_formula(text: &str) -> bool {
    text.contains(['(', '+', '*', '/', '^', '{']) || text.contains(" - ") || text.starts_with('-')
}

/// The first reduction in a formula, such as `rms(tip.force)`: the text before it, the reduction, its argument
/// and the text after it. `max(a, b)` is the larger of two numbers and no reduction.
fn first_reduction(text: &str) -> Option<(&str, Reduce, &str, &str)> {
    for (open, _) in text.match_indices('(') {
        let head = text.get(..open)?;
        let word = head.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_').len();
        let start = head.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        let Some((_, reduce)) = REDUCTIONS.iter().find(|(w, _)| head.get(start..word) == Some(*w)) else {
            continue;
        };
        let (mut depth, mut close, mut commas) = (0_usize, None, false);
        for (i, c) in text.get(open..)?.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => commas = true,
                _ => {}
            }
            if depth == 0 {
                close = Some(open + i);
                break;
            }
        }
        let Some(close) = close.filter(|_| !commas) else { continue };
        return Some((text.get(..start)?, *reduce, text.get(open + 1..close)?, text.get(close + 1..)?));
    }
    None
}

/// The quantities of a mechanism by name.
struct Quantities {
    sensors: Vec<(String, usize)>,
    bodies: Vec<String>,
    joints: Vec<String>,
}

impl Quantities {
    fn new(system: &dyn Mechanism, at: &At) -> Self {
        Quantities {
            sensors: system.sensors(at).into_iter().map(|(n, x)| (n, x.len())).collect(),
            bodies: system.bodies(at).into_iter().map(|b| b.name).collect(),
            joints: system.reactions(at).into_iter().map(|j| j.name).collect(),
        }
    }

    /// A quantity or a component of one, and the number of its values.
    fn quantity(&self, whole: &str) -> Option<(Probe, Option<usize>, usize)> {
        if let Some((probe, len)) = self.probe(whole) {
            return Some((probe, None, len));
        }
        let (owner, axis) = whole.rsplit_once('.')?;
        // As the columns of results are called: a.x, a.vx, tip.fx.
        for (what, parts) in COLUMNS {
            if let Some(k) = parts.iter().position(|p| *p == axis)
                && let Some((probe, _)) = self.probe(&format!("{owner}.{what}"))
            {
                return Some((probe, Some(k), 1));
            }
        }
        let (probe, len) = self.probe(owner)?;
        let axes: &[&str] = match len {
            4 => &["w", "x", "y", "z"],
            3 => &["x", "y", "z"],
            _ => &[],
        };
        Some((probe, Some(axes.iter().position(|a| *a == axis)?), 1))
    }

    fn probe(&self, name: &str) -> Option<(Probe, usize)> {
        if let Some(i) = self.sensors.iter().position(|s| s.0 == name) {
            return Some((Probe::Sensor(i, self.sensors[i].1), self.sensors[i].1));
        }
        let (owner, what) = name.rsplit_once('.')?;
        let place = |list: &[String], known: &[&'static str]| {
            Some((list.iter().position(|n| n == owner)?, *known.iter().find(|k| **k == what)?))
        };
        if let Some((i, what)) = place(&self.bodies, &BODY) {
            return Some((Probe::Body(i, what), if what == "rotation" { 4 } else { 3 }));
        }
        place(&self.joints, &JOINT).map(|(i, what)| (Probe::Joint(i, what), 3))
    }

    /// A quantity or a formula of quantities.
    fn source(&self, text: &str) -> Result<Tracked, Error> {
        let text = text.trim();
        if let Some((probe, part, _)) = self.quantity(text) {
            return Ok(Tracked::Quantity(probe, part));
        }
        let formula = QuantityFormula::read(text, &|n| self.quantity(n).is_some());
        let formula = formula.map_err(|e| self.unread(text, e))?;
        let found = formula.names.iter().map(|n| self.quantity(n).map(|(probe, part, _)| (probe, part)));
        match found.collect() {
            Some(list) => Ok(Tracked::Formula(formula, list)),
            None => Err(self.unknown(text)),
        }
    }

    fn unread(&self, text: &str, why: Unread) -> Error {
        match why {
            Unread::Name(name) => self.unknown(&name),
            Unread::Text(message) => Error::Input { message: format!("'{text}': {message}") },
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let of = |list: &[String], known: &[&str]| -> Vec<String> {
            list.iter().take(10).flat_map(|n| known.iter().map(move |k| format!("{n}.{k}"))).collect()
        };
        let known: Vec<String> = self
            .sensors
            .iter()
            .map(|s| s.0.clone())
            .chain(SUMMARY.iter().map(|s| s.0.to_string()))
            .chain(of(&self.bodies, &BODY))
            .chain(of(&self.joints, &JOINT))
            .collect();
        Error::unknown_name("quantity", name, known.iter().map(String::as_str))
    }
}

/// All requested values, each read once.
struct Reader {
    sensors: Vec<(String, Vec<f64>)>,
    bodies: Vec<crate::mechanics::mechanism::BodyState>,
    joints: Vec<crate::mechanics::mechanism::Reaction>,
}

impl Reader {
    fn new(collect: &Collect, system: &dyn Mechanism, at: &At) -> Self {
        let wants = |f: fn(&Probe) -> bool| {
            collect.items.iter().any(|i| match i {
                Item::Reduced(_, Tracked::Quantity(p, _)) => f(p),
                Item::Reduced(_, Tracked::Formula(_, list)) => list.iter().any(|(p, _)| f(p)),
                Item::Summary(_) => false,
            })
        };
        let mut reader = Reader { sensors: Vec::new(), bodies: Vec::new(), joints: Vec::new() };
        if wants(|p| matches!(p, Probe::Sensor(..))) {
            reader.sensors = system.sensors(at);
        }
        if wants(|p| matches!(p, Probe::Body(..))) {
            reader.bodies = system.bodies(at);
        }
        if wants(|p| matches!(p, Probe::Joint(..))) {
            reader.joints = system.reactions(at);
        }
        reader
    }

    /// One number: a component, or the length of a vector.
    fn one(&self, probe: &Probe, part: Option<usize>) -> f64 {
        let values = self.values(probe);
        match (part, &values[..]) {
            (Some(k), list) => list.get(k).copied().unwrap_or(f64::NAN),
            (None, [x]) => *x,
            (None, list) => list.iter().map(|x| x * x).sum::<f64>().sqrt(),
        }
    }

    fn number(&self, source: &Tracked) -> f64 {
        match source {
            Tracked::Quantity(probe, part) => self.one(probe, *part),
            Tracked::Formula(formula, list) => {
                let values: Vec<f64> = list.iter().map(|(probe, part)| self.one(probe, *part)).collect();
                formula.value(&values)
            }
        }
    }

    fn values(&self, probe: &Probe) -> Vec<f64> {
        match probe {
            Probe::Sensor(i, n) => self.sensors.get(*i).map_or_else(|| vec![f64::NAN; *n], |s| s.1.clone()),
            Probe::Body(i, what) => {
                let b = &self.bodies[*i];
                match *what {
                    "position" => b.position.as_slice().to_vec(),
                    "velocity" => b.velocity.as_slice().to_vec(),
                    "angular_velocity" => b.angular_velocity.as_slice().to_vec(),
                    _ => b.rotation.to_vec(),
                }
            }
            Probe::Joint(i, what) => {
                let j = &self.joints[*i];
                if *what == "force" { j.force.as_slice().to_vec() } else { j.torque.as_slice().to_vec() }
            }
        }
    }
}
