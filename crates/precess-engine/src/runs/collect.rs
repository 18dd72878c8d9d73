//! Values that a sweep keeps of a run: final values and extremes of sensors, bodies and joints, and numbers
//! of its summary.

use super::summary::Summary;
use crate::Error;
use crate::mechanics::At;
use crate::mechanics::mechanism::Mechanism;

/// Reduction of the values of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduce {
    Final,
    /// Largest value; for a vector, its largest length.
    Max,
    Min,
}

/// Source of a value.
#[derive(Clone, Debug, PartialEq)]
enum Probe {
    Sensor(usize, usize),
    Body(usize, &'static str),
    Joint(usize, &'static str),
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Probe(Reduce, Probe),
    Summary(usize),
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

/// A list of numbers to collect.
#[derive(Clone, Debug)]
pub struct Collect {
    items: Vec<Item>,
    /// Names of the numbers.
    pub columns: Vec<String>,
}

impl Collect {
    /// An empty list.
    pub fn empty() -> Self {
        Collect { items: Vec::new(), columns: Vec::new() }
    }

    /// Reads words such as `slider` or `final:slider`, `max:tip.force`, `min:crank angle`, `top.position`,
    /// `energy_drift`. Without words: the final values of all sensors (or the positions of the bodies), drift
    /// of the energy, Newton iterations per step.
    pub fn parse(words: &[String], system: &dyn Mechanism, at: &At) -> Result<Self, Error> {
        let sensors: Vec<(String, usize)> =
            system.sensors(at).into_iter().map(|(n, x)| (n, x.len())).collect();
        let bodies: Vec<String> = system.bodies(at).into_iter().map(|b| b.name).collect();
        let joints: Vec<String> = system.reactions(at).into_iter().map(|j| j.name).collect();
        let mut defaults: Vec<String> = sensors.iter().map(|s| s.0.clone()).collect();
        if defaults.is_empty() {
            defaults = bodies.iter().map(|b| format!("{b}.position")).collect();
        }
        if system.energy(at).is_some() {
            defaults.push("energy_drift".into());
        }
        defaults.push("iterations".into());
        let mut collect = Self::empty();
        for word in if words.is_empty() { &defaults[..] } else { words } {
            let (reduce, name) = match word.split_once(':') {
                Some(("final", name)) => (Reduce::Final, name),
                Some(("max", name)) => (Reduce::Max, name),
                Some(("min", name)) => (Reduce::Min, name),
                _ => (Reduce::Final, word.as_str()),
            };
            let place = |list: &[String], known: &[&'static str]| {
                let (owner, what) = name.rsplit_once('.')?;
                Some((list.iter().position(|n| n == owner)?, *known.iter().find(|k| **k == what)?))
            };
            let summarised = SUMMARY.iter().position(|s| s.0 == name).filter(|_| reduce == Reduce::Final);
            let (item, len) = if let Some(i) = sensors.iter().position(|s| s.0 == name) {
                (Item::Probe(reduce, Probe::Sensor(i, sensors[i].1)), sensors[i].1)
            } else if let Some(i) = summarised {
                (Item::Summary(i), 1)
            } else if let Some((i, what)) = place(&bodies, &BODY) {
                (Item::Probe(reduce, Probe::Body(i, what)), if what == "rotation" { 4 } else { 3 })
            } else if let Some((i, what)) = place(&joints, &JOINT) {
                (Item::Probe(reduce, Probe::Joint(i, what)), 3)
            } else {
                let of = |list: &[String], known: &[&str]| -> Vec<String> {
                    list.iter().take(10).flat_map(|n| known.iter().map(move |k| format!("{n}.{k}"))).collect()
                };
                let known: Vec<String> = sensors
                    .iter()
                    .map(|s| s.0.clone())
                    .chain(SUMMARY.iter().map(|s| s.0.to_string()))
                    .chain(of(&bodies, &BODY))
                    .chain(of(&joints, &JOINT))
                    .collect();
                return Err(Error::unknown_name("quantity", name, known.iter().map(String::as_str)));
            };
            collect.items.push(item);
            let title = if reduce == Reduce::Final { name } else { word.as_str() };
            match (len, reduce) {
                (3, Reduce::Final) => collect.columns.extend(["x", "y", "z"].map(|x| format!("{title}.{x}"))),
                (4, Reduce::Final) => {
                    collect.columns.extend(["w", "x", "y", "z"].map(|x| format!("{title}.{x}")))
                }
                _ => collect.columns.push(title.to_string()),
            }
        }
        Ok(collect)
    }

    /// True if every step must be examined.
    pub fn sees_steps(&self) -> bool {
        self.items.iter().any(|i| matches!(i, Item::Probe(Reduce::Max | Reduce::Min, _)))
    }

    /// True if steps and iterations are enough, without a summary, which is cheaper.
    pub fn is_plain(&self) -> bool {
        let plain = ["iterations", "jacobians", "steps"];
        let counted = |i: &Item| !matches!(i, Item::Summary(k) if !plain.contains(&SUMMARY[*k].0));
        !self.sees_steps() && self.items.iter().all(counted)
    }

    /// Extremes before the first step, one per item.
    pub fn start(&self) -> Vec<f64> {
        self.items
            .iter()
            .map(|i| match i {
                Item::Probe(Reduce::Max, _) => f64::NEG_INFINITY,
                Item::Probe(Reduce::Min, _) => f64::INFINITY,
                _ => f64::NAN,
            })
            .collect()
    }

    /// Updates the extremes with a step.
    pub fn see(&self, system: &dyn Mechanism, at: &At, extremes: &mut [f64]) {
        let reader = Reader::new(self, system, at);
        for (item, extreme) in self.items.iter().zip(extremes) {
            let Item::Probe(reduce, probe) = item else { continue };
            let values = reader.values(probe);
            let x = match values[..] {
                [x] => x,
                _ => values.iter().map(|x| x * x).sum::<f64>().sqrt(),
            };
            match reduce {
                Reduce::Max if !(x <= *extreme) => *extreme = x,
                Reduce::Min if !(x >= *extreme) => *extreme = x,
                _ => {}
            }
        }
    }

    /// All numbers, in the order of the columns.
    pub fn finish(&self, system: &dyn Mechanism, at: &At, summary: &Summary, extremes: &[f64]) -> Vec<f64> {
        let reader = Reader::new(self, system, at);
        let mut out = Vec::with_capacity(self.columns.len());
        for (item, extreme) in self.items.iter().zip(extremes) {
            match item {
                Item::Summary(i) => out.push(SUMMARY[*i].1(summary)),
                Item::Probe(Reduce::Final, probe) => out.extend(reader.values(probe)),
                Item::Probe(..) => out.push(*extreme),
            }
        }
        out
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
        let wants =
            |f: fn(&Probe) -> bool| collect.items.iter().any(|i| matches!(i, Item::Probe(_, p) if f(p)));
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
