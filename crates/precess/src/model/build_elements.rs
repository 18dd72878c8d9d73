//! Adds gears, forces, controls, sensors and events of a model to an assembled system.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::build_expressed;
use super::elements::{ControlSpec, EventAction, EventSpec, SensorKind, Switchable, Total};
use super::find::{Names, coordinate, find, joint, point_of};
use super::forces::limit::stop_of_event;
use super::spec::Model;
use crate::Error;
use crate::mechanics::controls::Control;
use crate::mechanics::event::{Condition, Direction, Indicator, OFF, ON, Switch};
use crate::mechanics::forces::Force;
use crate::mechanics::joints::Gear;
use crate::mechanics::reaction_group::{ReactionGroup, coordinate_of};
use crate::mechanics::sensors::{FormulaSource, Quantity, Sensor, SensorFormula};
use crate::mechanics::{Action, Event, Multibody, System};

/// Adds everything that comes after the joints.
pub(super) fn add_elements(model: &Model, system: &mut Multibody) -> Result<(), Error> {
    let length = system.length_scale();
    for spec in &model.gears {
        let coordinates = [coordinate(system, &spec.joints[0])?, coordinate(system, &spec.joints[1])?];
        system.add_gear(Gear {
            name: spec.name.clone(),
            coordinates,
            ratio: spec.ratio,
            length: if coordinates[0].is_angle() { 1.0 } else { length },
            row: 0,
        });
    }
    build_expressed::add_constraints(model, system)?;
    let switches = switches(model, system);
    let switch = |element: &Switchable| Switch {
        memory: switches.get(element).copied(),
        enabled: !model.disabled.contains(element),
    };
    let held = |element: &Switchable| model.disabled.contains(element) || switches.contains_key(element);
    for spec in &model.joints {
        let (whole, drive) = (Switchable::Joint(spec.name.clone()), Switchable::Drive(spec.name.clone()));
        if held(&whole) {
            let (index, _) = joint(system, &spec.name)?;
            system.switch_joint(index, switch(&whole));
        }
        if held(&drive) {
            let (index, _) = joint(system, &spec.name)?;
            system.switch_drive(index, switch(&drive));
        }
    }
    let names = Names::new(model);
    for spec in &model.forces {
        let switch = switch(&Switchable::Force(spec.name.clone()));
        spec.kind.model().add(&spec.name, &names, system, switch)?;
    }
    build_expressed::add_variables(model, system)?;
    for spec in &model.controls {
        let mut control = control(system, spec)?;
        control.switch = switch(&Switchable::Control(spec.name.clone()));
        system.add_control(control);
    }
    let forces: HashMap<&str, usize> =
        model.forces.iter().enumerate().rev().map(|(i, f)| (f.name.as_str(), i)).collect();
    for spec in &model.sensors {
        let quantity = quantity(model, &forces, system, &spec.kind)?;
        system.add_sensor(Sensor { name: spec.name.clone(), quantity });
    }
    for spec in &model.events {
        let (mut event, indicator) = event(system, spec, &switches)?;
        if let Some((stop, side)) = stop_of_event(&spec.name, model)
            && let Some(&entry) = switches.get(&Switchable::Force(stop.to_string()))
        {
            event.condition = Some(Condition { entry, value: side.memory() });
            let value = if spec.direction == Direction::Rising { side.memory() } else { OFF };
            event.action = Action::Switch(vec![(entry, value)]);
        }
        system.add_event(event, indicator);
    }
    Ok(())
}

/// Entries of the memory for everything that events switch.
fn switches(model: &Model, system: &mut Multibody) -> HashMap<Switchable, usize> {
    let mut places = HashMap::new();
    for event in &model.events {
        if let EventAction::Switch { enable, disable } = &event.action {
            for element in enable.iter().chain(disable) {
                places.entry(element.clone()).or_insert_with(|| system.add_switch());
            }
        }
    }
    places
}

fn event(
    system: &Multibody,
    spec: &EventSpec,
    switches: &HashMap<Switchable, usize>,
) -> Result<(Event, Indicator), Error> {
    let (mut arguments, mut needs_forces) = (Vec::new(), false);
    for (name, component) in &spec.when.arguments {
        let known = || system.sensor_list().iter();
        let found = known().enumerate().find(|(_, s)| s.name == *name && *component < s.quantity.len());
        let (i, sensor) =
            found.ok_or_else(|| Error::unknown_name("sensor", name, known().map(|s| s.name.as_str())))?;
        arguments.push((i, *component));
        needs_forces |= sensor.quantity.needs_forces();
    }
    let action = match &spec.action {
        EventAction::Record => Action::Record,
        EventAction::Stop => Action::Stop,
        EventAction::Switch { enable, disable } => {
            let set = |list: &[Switchable], x: f64| -> Vec<(usize, f64)> {
                list.iter().filter_map(|e| switches.get(e)).map(|i| (*i, x)).collect()
            };
            Action::Switch([set(enable, ON), set(disable, OFF)].concat())
        }
    };
    let (name, direction) = (spec.name.clone(), spec.direction);
    let event = Event { name, direction, action, needs_forces, condition: None };
    let (function, moments) = (spec.when.function.clone(), spec.when.moments.clone());
    Ok((event, Indicator { arguments, function, moments }))
}

fn control(system: &mut Multibody, spec: &ControlSpec) -> Result<Control, Error> {
    let measured = coordinate(system, &spec.at)?;
    let driven = match &spec.on {
        Some(at) => coordinate(system, at)?,
        None => measured,
    };
    Ok(Control {
        name: spec.name.clone(),
        measured,
        driven,
        controller: spec.controller.clone(),
        state: 0,
        switch: Switch::default(),
    })
}

/// True for a force along an angle.
fn acts_on_angle(force: &Force) -> bool {
    coordinate_of(force).is_some_and(|c| c.is_angle())
}

/// The joints and forces of a total.
fn group(model: &Model, system: &mut Multibody, total: &Total, point: Vector3<f64>) -> Result<usize, Error> {
    let mut group = ReactionGroup { point, ..ReactionGroup::default() };
    match total {
        Total::Joints(names) => {
            for name in names {
                group.joints.push((joint(system, name)?.0, 1.0));
            }
        }
        Total::Body(name) => {
            let body = find(model, name)?.map(|b| b.0);
            group.body = Some(body);
            for (i, joint) in system.joint_list().iter().enumerate() {
                let sign = if joint.link.b == body { 1.0 } else { -1.0 };
                if joint.link.a != joint.link.b && (joint.link.a == body || joint.link.b == body) {
                    group.joints.push((i, sign));
                }
            }
        }
    }
    Ok(system.add_reaction_group(group))
}

fn quantity(
    model: &Model,
    forces: &HashMap<&str, usize>,
    system: &mut Multibody,
    kind: &SensorKind,
) -> Result<Quantity, Error> {
    let point =
        |body: &str, point: &Vector3<f64>| find(model, body).map(|b| (b.map(|b| b.0), point_of(b, point)));
    let force = |name: &str| {
        let found = forces.get(name).copied();
        let known = model.forces.iter().map(|f| f.name.as_str());
        found.ok_or_else(|| Error::unknown_name("force", name, known))
    };
    Ok(match kind {
        SensorKind::Position(body, p) => point(body, p).map(|(b, p)| Quantity::Position(b, p))?,
        SensorKind::Velocity(body, p) => point(body, p).map(|(b, p)| Quantity::Velocity(b, p))?,
        SensorKind::Acceleration(body, p) => point(body, p).map(|(b, p)| Quantity::Acceleration(b, p))?,
        SensorKind::AngularVelocity(body) => Quantity::AngularVelocity(point(body, &Vector3::zeros())?.0),
        SensorKind::Rotation { body, accelerates, inertial } => Quantity::Rotation {
            body: point(body, &Vector3::zeros())?.0,
            accelerates: *accelerates,
            inertial: *inertial,
        },
        SensorKind::GuideForce(name, frame) => Quantity::GuideForce(joint(system, name)?.0, *frame),
        SensorKind::GuideTorque(name, frame) => Quantity::GuideTorque(joint(system, name)?.0, *frame),
        SensorKind::DriveEffort(at) => {
            Quantity::DriveEffort(joint(system, &at.joint)?.0, coordinate(system, at)?)
        }
        SensorKind::Effort(name) => {
            let found = force(name)?;
            Quantity::Effort(found, acts_on_angle(system.force(found)))
        }
        SensorKind::TotalForce(total) => Quantity::TotalForce(group(model, system, total, Vector3::zeros())?),
        SensorKind::TotalTorque(total, point) => Quantity::TotalTorque(group(model, system, total, *point)?),
        SensorKind::Formula(formula, unit) => {
            let find = |name: &str| system.sensor_list().iter().position(|s| s.name == name);
            let source = |name: &String| {
                let parts = name.rsplit_once('.');
                let axis = parts.and_then(|(_, axis)| ["x", "y", "z"].iter().position(|a| *a == axis));
                match (find(name), parts.and_then(|(owner, _)| find(owner)), axis) {
                    (None, None, _) if name == "t" => Ok(FormulaSource::Time),
                    (Some(i), ..) => Ok(match system.sensor_list().get(i).map(|s| s.quantity.len()) {
                        Some(1) => FormulaSource::Component(i, 0),
                        _ => FormulaSource::Length(i),
                    }),
                    (None, Some(i), Some(k)) => Ok(FormulaSource::Component(i, k)),
                    _ => {
                        let known = system.sensor_list().iter().map(|s| s.name.as_str());
                        Err(Error::unknown_name("sensor", name, known))
                    }
                }
            };
            let sources = formula.names.iter().map(source).collect::<Result<Vec<_>, Error>>()?;
            Quantity::Formula(system.add_formula(SensorFormula { formula: formula.clone(), sources, unit }))
        }
        SensorKind::Coordinate(at) => Quantity::Coordinate(coordinate(system, at)?),
        SensorKind::Rate(at) => Quantity::Rate(coordinate(system, at)?),
        SensorKind::ReactionForce(name, frame) => Quantity::ReactionForce(joint(system, name)?.0, *frame),
        SensorKind::ReactionTorque(name, frame) => Quantity::ReactionTorque(joint(system, name)?.0, *frame),
        SensorKind::SpringLength(name) => Quantity::SpringLength(force(name)?),
        SensorKind::SpringForce(name) => Quantity::SpringForce(force(name)?),
        SensorKind::SectionForce(name) => Quantity::SectionForce(force(name)?),
        SensorKind::SectionMoment(name) => Quantity::SectionMoment(force(name)?),
        SensorKind::StrainEnergy(name) => {
            let found = model.beams.iter().find(|b| b.name == *name);
            let known = model.beams.iter().map(|b| b.name.as_str());
            let beam = found.ok_or_else(|| Error::unknown_name("beam", name, known))?;
            Quantity::StrainEnergy(force(&beam.node(0))?, beam.elements())
        }
        SensorKind::ControlOutput(name) => {
            let found = model.controls.iter().position(|c| c.name == *name);
            let known = model.controls.iter().map(|c| c.name.as_str());
            Quantity::ControlOutput(found.ok_or_else(|| Error::unknown_name("control", name, known))?)
        }
        SensorKind::State(name) => {
            let found = model.states.iter().position(|s| s.name == *name);
            let known = model.states.iter().map(|s| s.name.as_str());
            let index = found.ok_or_else(|| Error::unknown_name("state", name, known))?;
            Quantity::State(system.state_place(index))
        }
        SensorKind::Algebraic(name) => {
            let found = model.algebraic.iter().position(|s| s.name == *name);
            let known = model.algebraic.iter().map(|s| s.name.as_str());
            Quantity::Algebraic(found.ok_or_else(|| Error::unknown_name("algebraic variable", name, known))?)
        }
        SensorKind::KineticEnergy => Quantity::KineticEnergy,
        SensorKind::PotentialEnergy => Quantity::PotentialEnergy,
        SensorKind::TotalEnergy => Quantity::TotalEnergy,
        SensorKind::LinearMomentum => Quantity::LinearMomentum,
        SensorKind::AngularMomentum => Quantity::AngularMomentum,
    })
}
