//! A force, torque or actuator whose functions use sensors and joint coordinates by name.
//! [`model::law`](crate::model::law) reads the formulas.

use super::*;
use toml::Value;

use crate::mechanics::forces::LawForce;
use crate::mechanics::forces::law::Target;
use crate::mechanics::measured::Measured;
use crate::model::elements::{Of, SensorKind, Switchable};
use crate::model::law::{PREFIX, values};

/// A force law.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The target.
    pub target: LawTarget,
    /// Its signals: sensors and their components.
    pub signals: Vec<(SensorKind, usize)>,
    /// One function for a joint, three for a body.
    pub functions: Vec<Function>,
}

/// The target of a force law.
#[derive(Clone, Debug, PartialEq)]
pub enum LawTarget {
    /// A joint coordinate.
    Joint(At),
    /// A point of a body.
    Point {
        /// Body.
        body: String,
        /// Point of application at t = 0.
        point: Vector3<f64>,
        /// Frame of the components.
        frame: ForceFrame,
    },
    /// A body, by a torque.
    Torque {
        /// Body.
        body: String,
        /// Frame of the components.
        frame: ForceFrame,
    },
}

impl ForceModel for Law {
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let target = match &self.target {
            LawTarget::Joint(at) => Target::Coordinate(coordinate(system, at)?),
            LawTarget::Point { body, point, frame } => {
                let (body, point) = names.point(body, point)?;
                Target::Point { body, point, frame: *frame }
            }
            LawTarget::Torque { body, frame } => {
                let (body, _) = names.point(body, &Vector3::zeros())?;
                Target::Torque { body, frame: *frame }
            }
        };
        let signals: Result<Vec<Measured>, Error> =
            self.signals.iter().map(|(kind, i)| signal(names, system, kind, *i)).collect();
        Ok(Force::Law(LawForce { name, target, signals: signals?, functions: self.functions.clone() }))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        let mut texts = self.functions.iter().map(|f| text(to, f, &self.signals, whose)).collect::<Vec<_>>();
        match &self.target {
            LawTarget::Joint(at) => {
                entry.with("type", "actuator").at(at).with("value", texts.pop().unwrap_or(0.0.into()))
            }
            LawTarget::Point { body, point, frame } => entry
                .with("type", "force")
                .with("body", body.as_str())
                .with("point", vector(point))
                .with("force", texts)
                .frame(*frame),
            LawTarget::Torque { body, frame } => {
                entry.with("type", "torque").with("body", body.as_str()).with("torque", texts).frame(*frame)
            }
        }
    }

    /// It acts at its new position and uses the same signals.
    fn moved(&self, to: &Placement) -> ForceKind {
        let three = |frame: ForceFrame, torque: bool| match self.functions.as_slice() {
            [x, y, z] => to.functions(&[x.clone(), y.clone(), z.clone()], frame, torque).to_vec(),
            other => other.to_vec(),
        };
        let (target, functions) = match &self.target {
            LawTarget::Joint(at) => (LawTarget::Joint(to.at(at)), self.functions.clone()),
            LawTarget::Point { body, point, frame } => {
                let (body, point) = (to.body_name(body), to.point(point));
                (LawTarget::Point { body, point, frame: *frame }, three(*frame, false))
            }
            LawTarget::Torque { body, frame } => {
                (LawTarget::Torque { body: to.body_name(body), frame: *frame }, three(*frame, true))
            }
        };
        let (signals, functions) = to.read(&self.signals, functions);
        Law { target, signals, functions }.into()
    }
}

/// The formula with the names of its signals.
fn text(to: &mut Writer, f: &Function, signals: &[(SensorKind, usize)], whose: &str) -> Value {
    let mut text = match to.function(f, whose) {
        Value::String(text) => text,
        other => return other,
    };
    for (k, (kind, component)) in signals.iter().enumerate() {
        let place = format!("{PREFIX}{k}");
        if !text.contains(&place) {
            continue;
        }
        match word(&to.sensors, kind, *component) {
            Some(name) => text = text.replace(&place, &name),
            None => return to.nothing(&format!("what {whose} reads; add a [[sensor]] of it")),
        }
    }
    text.into()
}

/// The name of a signal: a sensor of the model, or a joint.
fn word(sensors: &[(SensorKind, String)], kind: &SensorKind, component: usize) -> Option<String> {
    if let Some((_, name)) = sensors.iter().find(|(k, _)| k == kind) {
        let part = if values(kind) == 1 { "" } else { [".x", ".y", ".z"].get(component)? };
        return Some(format!("{{{name}}}{part}"));
    }
    match kind {
        SensorKind::Coordinate(at) if at.of == Of::Default => Some(format!("{{{}}}.x", at.joint)),
        SensorKind::Rate(at) if at.of == Of::Default => Some(format!("{{{}}}.v", at.joint)),
        _ => None,
    }
}

/// A spring by name.
fn spring(names: &Names, system: &mut Multibody, name: &str) -> Result<Box<forces::Spring>, Error> {
    let known = names.model.forces.iter().map(|f| f.name.as_str());
    let spec = names.model.forces.iter().find(|f| f.name == name);
    let spec = spec.ok_or_else(|| Error::unknown_name("spring", name, known))?;
    let no_spring = || Error::Unsupported {
        method: format!("the length of '{name}'"),
        reason: "it is not a spring".to_string(),
    };
    let ForceKind::Spring(spring) = &spec.kind else { return Err(no_spring()) };
    match spring.build(name.to_string(), names, system)? {
        Force::Spring(spring) => Ok(Box::new(spring)),
        _ => Err(no_spring()),
    }
}

/// A signal in the system.
fn signal(
    names: &Names,
    system: &mut Multibody,
    kind: &SensorKind,
    component: usize,
) -> Result<Measured, Error> {
    Ok(match kind {
        SensorKind::Position(body, p) => {
            let (body, point) = names.point(body, p)?;
            Measured::Position { body, point, component }
        }
        SensorKind::Velocity(body, p) => {
            let (body, point) = names.point(body, p)?;
            Measured::Velocity { body, point, component }
        }
        SensorKind::AngularVelocity(body) => {
            let (body, _) = names.point(body, &Vector3::zeros())?;
            Measured::AngularVelocity { body, component }
        }
        SensorKind::Coordinate(at) => Measured::Coordinate(coordinate(system, at)?),
        SensorKind::Rate(at) => Measured::Rate(coordinate(system, at)?),
        SensorKind::SpringLength(name) => Measured::SpringLength(spring(names, system, name)?),
        SensorKind::SpringForce(name) => {
            let enabled = !names.model.disabled.contains(&Switchable::Force(name.clone()));
            let spring = spring(names, system, name)?;
            Measured::SpringForce { spring, switch: Switch { memory: None, enabled } }
        }
        _ => {
            return Err(Error::Unsupported {
                method: "a force law".to_string(),
                reason: "it reads positions, velocities, joint coordinates and springs only".to_string(),
            });
        }
    })
}
