//! Force laws of a model in an assembled system: what they act on and what they read.

use nalgebra::Vector3;

use super::build_elements::{body_point, coordinate, force};
use super::elements::{ForceKind, LawTarget, SensorKind, Switchable};
use super::spec::Model;
use crate::Error;
use crate::mechanics::event::Switch;
use crate::mechanics::forces::law::Target;
use crate::mechanics::forces::{Force, LawForce, Spring};
use crate::mechanics::measured::Measured;
use crate::mechanics::{Function, Multibody};

/// A law with its target, its signals and its functions.
pub(super) fn law(
    model: &Model,
    system: &mut Multibody,
    name: String,
    (target, signals, functions): (&LawTarget, &[(SensorKind, usize)], &[Function]),
) -> Result<LawForce, Error> {
    let target = match target {
        LawTarget::Joint(at) => Target::Coordinate(coordinate(system, at)?),
        LawTarget::Point { body, point, frame } => {
            let (body, point) = body_point(model, body, point)?;
            Target::Point { body, point, frame: *frame }
        }
        LawTarget::Torque { body, frame } => {
            let (body, _) = body_point(model, body, &Vector3::zeros())?;
            Target::Torque { body, frame: *frame }
        }
    };
    let signals: Result<Vec<Measured>, Error> =
        signals.iter().map(|(kind, i)| signal(model, system, kind, *i)).collect();
    Ok(LawForce { name, target, signals: signals?, functions: functions.to_vec() })
}

/// A spring by name.
fn spring(model: &Model, system: &mut Multibody, name: &str) -> Result<Box<Spring>, Error> {
    let known = model.forces.iter().map(|f| f.name.as_str());
    let spec = model.forces.iter().find(|f| f.name == name);
    let spec = spec.ok_or_else(|| Error::unknown_name("spring", name, known))?;
    let no_spring = || Error::Unsupported {
        method: format!("the length of '{name}'"),
        reason: "it is no spring".to_string(),
    };
    let ForceKind::Spring { .. } = spec.kind else { return Err(no_spring()) };
    match force(model, system, spec)? {
        Force::Spring(spring) => Ok(Box::new(spring)),
        _ => Err(no_spring()),
    }
}

/// What a law reads.
fn signal(
    model: &Model,
    system: &mut Multibody,
    kind: &SensorKind,
    component: usize,
) -> Result<Measured, Error> {
    Ok(match kind {
        SensorKind::Position(body, p) => {
            let (body, point) = body_point(model, body, p)?;
            Measured::Position { body, point, component }
        }
        SensorKind::Velocity(body, p) => {
            let (body, point) = body_point(model, body, p)?;
            Measured::Velocity { body, point, component }
        }
        SensorKind::AngularVelocity(body) => {
            let (body, _) = body_point(model, body, &Vector3::zeros())?;
            Measured::AngularVelocity { body, component }
        }
        SensorKind::Coordinate(at) => Measured::Coordinate(coordinate(system, at)?),
        SensorKind::Rate(at) => Measured::Rate(coordinate(system, at)?),
        SensorKind::SpringLength(name) => Measured::SpringLength(spring(model, system, name)?),
        SensorKind::SpringForce(name) => {
            let enabled = !model.disabled.contains(&Switchable::Force(name.clone()));
            let spring = spring(model, system, name)?;
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
