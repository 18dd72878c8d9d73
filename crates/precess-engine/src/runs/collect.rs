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

#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// A quantity, or a component of it.
    Probe(Reduce, Probe, Option<usize>),
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

    /// Reads words such as `slider` or `final:slider`, `max:tip.force`, `min:crank angle`, `mean:slider`,
    /// `rms:tip.force.z`, `p2p:crank angle`, `top.position`, `top.position.z`, `energy_drift`. Without words:
    /// the final values of all sensors (or the positions of the bodies), drift of the energy, Newton
    /// iterations per step.
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
            let reduction = |first: &str| REDUCTIONS.iter().find(|(w, _)| *w == first).map(|r| r.1);
            let split = word.split_once(':').and_then(|(first, name)| Some((reduction(first)?, name)));
            let (reduce, whole) = split.unwrap_or((Reduce::Final, word.as_str()));
            // A component, if the name is not that of a whole quantity.
            let component = |owner: &str, axis: &str| {
                let sensor = sensors.iter().find(|s| s.0 == owner).map(|s| s.1);
                let axes: &[&str] = match (sensor, owner.rsplit_once('.')) {
                    (Some(4), _) | (None, Some((_, "rotation"))) => &["w", "x", "y", "z"],
                    (Some(3), _) | (None, Some(_)) => &["x", "y", "z"],
                    _ => &[],
                };
                axes.iter().position(|a| *a == axis)
            };
            let is_sensor = sensors.iter().any(|s| s.0 == whole);
            let part = whole.rsplit_once('.').filter(|_| !is_sensor);
            let part = part.and_then(|(owner, axis)| Some((owner, component(owner, axis)?)));
            let (name, part) = part.map_or((whole, None), |(owner, k)| (owner, Some(k)));
            let find = |list: &[String], known: &[&'static str]| {
                let (owner, what) = name.rsplit_once('.')?;
                Some((list.iter().position(|n| n == owner)?, *known.iter().find(|k| **k == what)?))
            };
            let summarised = SUMMARY.iter().position(|s| s.0 == name).filter(|_| reduce == Reduce::Final);
            let (item, len) = if let Some(i) = sensors.iter().position(|s| s.0 == name) {
                (Item::Probe(reduce, Probe::Sensor(i, sensors[i].1), part), sensors[i].1)
            } else if let Some(i) = summarised {
                (Item::Summary(i), 1)
            } else if let Some((i, what)) = find(&bodies, &BODY) {
                (Item::Probe(reduce, Probe::Body(i, what), part), if what == "rotation" { 4 } else { 3 })
            } else if let Some((i, what)) = find(&joints, &JOINT) {
                (Item::Probe(reduce, Probe::Joint(i, what), part), 3)
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
                return Err(Error::unknown_name("quantity", whole, known.iter().map(String::as_str)));
            };
            collect.items.push(item);
            let title = if reduce == Reduce::Final { whole } else { word.as_str() };
            match (if part.is_some() { 1 } else { len }, reduce) {
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
        self.items.iter().any(|i| matches!(i, Item::Probe(r, ..) if *r != Reduce::Final))
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
            Item::Probe(Reduce::Max, ..) => [f64::NEG_INFINITY, 0.0, 0.0, 0.0],
            Item::Probe(Reduce::Min, ..) => [f64::INFINITY, 0.0, 0.0, 0.0],
            Item::Probe(Reduce::PeakToPeak, ..) => [f64::NEG_INFINITY, f64::INFINITY, 0.0, 0.0],
            Item::Probe(Reduce::Mean | Reduce::Rms, ..) => [0.0, f64::NAN, f64::NAN, f64::NAN],
            _ => [f64::NAN; KEPT],
        };
        self.items.iter().flat_map(first).collect()
    }

    /// Updates what is kept with a step.
    pub fn observe(&self, system: &dyn Mechanism, at: &At, kept: &mut [f64]) {
        let reader = Reader::new(self, system, at);
        for (item, kept) in self.items.iter().zip(kept.chunks_exact_mut(KEPT)) {
            let Item::Probe(reduce, probe, part) = item else { continue };
            let values = reader.values(probe);
            let values = part.map_or(values.clone(), |k| vec![values.get(k).copied().unwrap_or(f64::NAN)]);
            let x = match values[..] {
                [x] => x,
                _ => values.iter().map(|x| x * x).sum::<f64>().sqrt(),
            };
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
        let mut out = Vec::with_capacity(self.columns.len());
        for (item, kept) in self.items.iter().zip(kept.chunks_exact(KEPT)) {
            let mean = || match kept[1] - kept[3] {
                duration if duration > 0.0 => kept[0] / duration,
                _ => kept[2],
            };
            match item {
                Item::Summary(i) => out.push(SUMMARY[*i].1(summary)),
                Item::Probe(Reduce::Final, probe, None) => out.extend(reader.values(probe)),
                Item::Probe(Reduce::Final, probe, Some(k)) => {
                    out.push(reader.values(probe).get(*k).copied().unwrap_or(f64::NAN));
                }
                Item::Probe(Reduce::Max | Reduce::Min, ..) => out.push(kept[0]),
                Item::Probe(Reduce::PeakToPeak, ..) => out.push(kept[0] - kept[1]),
                Item::Probe(Reduce::Mean, ..) => out.push(mean()),
                Item::Probe(Reduce::Rms, ..) => out.push(mean().sqrt()),
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
            |f: fn(&Probe) -> bool| collect.items.iter().any(|i| matches!(i, Item::Probe(_, p, _) if f(p)));
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
