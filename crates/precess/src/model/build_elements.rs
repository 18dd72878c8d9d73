//! Gears, forces, controls, sensors and events of a model in an assembled system.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::beam::frame;
use super::build::{Names, find, marker};
use super::build_expressed;
use super::build_laws::law;
use super::elements::{
    At, ControlSpec, EventAction, EventSpec, ForceKind, ForceSpec, FrictionSpec, Of, SensorKind, Switchable,
};
use super::spec::Model;
use crate::Error;
use crate::mechanics::controls::Control;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::event::{Indicator, OFF, ON, Switch};
use crate::mechanics::forces::friction::FrictionKind;
use crate::mechanics::forces::own::PointForceLaw;
use crate::mechanics::forces::own_body::BodyForceLaw;
use crate::mechanics::forces::{
    Actuator, BeamData, BeamElement, Bushing, Drag, Force, JointFriction, JointLimit, JointSpring,
    JointTable, PointForce, Spring, Torque,
};
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::{Gear, JointKind};
use crate::mechanics::kernels::{Friction, FrictionData, Screw};
use crate::mechanics::links::Link;
use crate::mechanics::sensors::{Quantity, Sensor};
use crate::mechanics::{Action, BodyKind, Event, Multibody, System};

/// Rounding of the load of friction at zero, relative to a newton: keeps the derivative finite without any
/// load.
const LOAD_ROUNDING: f64 = 1e-6;

/// Adds what comes after the joints.
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
        let force = match &spec.kind {
            ForceKind::Beam { bodies, data } => beam_element(&names, spec, bodies, data)?,
            ForceKind::Load { driven, expression } => {
                let load = build_expressed::load(model, system, spec.name.clone(), (driven, expression))?;
                system.add_load(load, switch);
                continue;
            }
            _ => force(model, system, spec)?,
        };
        system.add_switched_force(force, switch);
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
        let (event, indicator) = event(system, spec, &switches)?;
        system.add_event(event, indicator);
    }
    Ok(())
}

/// Places in the memory for everything that an event switches.
fn switches(model: &Model, system: &mut Multibody) -> BTreeMap<Switchable, usize> {
    let mut places = BTreeMap::new();
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
    switches: &BTreeMap<Switchable, usize>,
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
    let event = Event { name: spec.name.clone(), direction: spec.direction, action, needs_forces };
    Ok((event, Indicator { arguments, function: spec.when.function.clone() }))
}

pub(crate) fn joint<'a>(system: &'a Multibody, name: &str) -> Result<(usize, &'a Joint), Error> {
    let joints = system.joint_list();
    joints
        .iter()
        .enumerate()
        .find(|(_, j)| j.name == name)
        .ok_or_else(|| Error::unknown_name("joint", name, joints.iter().map(|j| j.name.as_str())))
}

/// The coordinate of a joint for an element, which counts turns from now on.
pub(super) fn coordinate(system: &mut Multibody, at: &At) -> Result<Coordinate, Error> {
    let (index, _) = joint(system, &at.joint)?;
    coordinate_of(system.watch(index), at)
}

/// The coordinate of a joint that is meant.
pub(crate) fn coordinate_of(joint: &Joint, at: &At) -> Result<Coordinate, Error> {
    let found = match at.of {
        Of::Default => joint.coordinate(),
        Of::Angle => joint.angle(),
        Of::Displacement => joint.displacement(),
    };
    found.ok_or_else(|| Error::Unsupported {
        method: format!("joint '{}'", at.joint),
        reason: "it has no such coordinate; revolute joints have an angle, prismatic ones a displacement"
            .to_string(),
    })
}

/// A moving body with a point in its frame.
pub(super) fn body_point(
    model: &Model,
    name: &str,
    point: &Vector3<f64>,
) -> Result<(usize, Vector3<f64>), Error> {
    match find(model, name)? {
        Some(found) => Ok((found.0, marker(Some(found), point, &Matrix3::identity()).p)),
        None => Err(Error::Unsupported {
            method: "a force".to_string(),
            reason: "it acts on the ground, which does not move".to_string(),
        }),
    }
}

pub(super) fn force(model: &Model, system: &mut Multibody, spec: &ForceSpec) -> Result<Force, Error> {
    let name = spec.name.clone();
    Ok(match &spec.kind {
        ForceKind::Force { body, point, force, frame } => {
            let (body, point) = body_point(model, body, point)?;
            Force::PointForce(PointForce { name, body, point, force: force.clone(), frame: *frame })
        }
        ForceKind::Torque { body, torque, frame } => {
            let (body, _) = body_point(model, body, &Vector3::zeros())?;
            Force::Torque(Torque { name, body, torque: torque.clone(), frame: *frame })
        }
        ForceKind::Drag { body, point, coefficient, wind } => {
            let (body, point) = body_point(model, body, point)?;
            Force::Drag(Drag { name, body, point, coefficient: *coefficient, wind: *wind })
        }
        ForceKind::Spring { bodies, points, characteristic } => {
            let (a, b) = (find(model, &bodies[0])?, find(model, &bodies[1])?);
            let link = Link { a: a.map(|x| x.0), b: b.map(|x| x.0) };
            let identity = Matrix3::identity();
            let points = [marker(a, &points[0], &identity).p, marker(b, &points[1], &identity).p];
            Force::Spring(Spring::new(name, link, points, characteristic.clone(), system.length_scale()))
        }
        ForceKind::Bushing { bodies, point, frame, stiffness, damping } => {
            let (a, b) = (find(model, &bodies[0])?, find(model, &bodies[1])?);
            let link = Link { a: a.map(|x| x.0), b: b.map(|x| x.0) };
            let (a, b) = (marker(a, point, frame), marker(b, point, frame));
            Force::Bushing(Bushing::new(name, link, &a, &b, **stiffness, **damping))
        }
        ForceKind::JointSpring { at, law } => {
            Force::JointSpring(JointSpring { name, coordinate: coordinate(system, at)?, law: *law })
        }
        ForceKind::Actuator { at, value } => {
            Force::Actuator(Actuator { name, coordinate: coordinate(system, at)?, value: value.clone() })
        }
        ForceKind::Typed(force) => force.model().build(name, model, system)?,
        ForceKind::Own { bodies, points, law } => {
            let (a, b) = (find(model, &bodies[0])?, find(model, &bodies[1])?);
            let link = Link { a: a.map(|x| x.0), b: b.map(|x| x.0) };
            let identity = Matrix3::identity();
            let points = [marker(a, &points[0], &identity).p, marker(b, &points[1], &identity).p];
            Force::Custom(std::sync::Arc::new(PointForceLaw { link, points, law: law.clone() }))
        }
        ForceKind::Beam { bodies, data } => beam_element(&Names::new(model), spec, bodies, data)?,
        ForceKind::OnBody { body, point, law } => match find(model, body)? {
            None => {
                let message = format!("the force '{name}' acts on the ground; name a body that moves");
                return Err(Error::Input { message });
            }
            b @ Some((body, _)) => {
                let point = marker(b, point, &Matrix3::identity()).p;
                Force::Custom(std::sync::Arc::new(BodyForceLaw { body, point, law: law.clone() }))
            }
        },
        ForceKind::Potential { expression } => build_expressed::potential(model, system, name, expression)?,
        ForceKind::Load { driven, expression } => {
            let load = build_expressed::load(model, system, name, (driven, expression))?;
            Force::Custom(std::sync::Arc::new(load))
        }
        ForceKind::Custom(element) => Force::Custom(element.0.clone()),
        ForceKind::Friction { at, data } => Force::Friction(friction(system, name, at, data)?),
        ForceKind::Limit { at, stops } => {
            let coordinate = coordinate(system, at)?;
            Force::Limit(JointLimit { name, coordinate, stops: *stops, memory: None })
        }
        ForceKind::JointTable { at, table, damping } => Force::JointTable(JointTable {
            name,
            coordinate: coordinate(system, at)?,
            table: table.clone(),
            c: *damping,
        }),
        ForceKind::Law { target, signals, functions } => {
            Force::Law(law(model, system, name, (target, signals, functions))?)
        }
    })
}

/// An element of a beam, without stress where its nodes are placed.
fn beam_element(
    names: &Names,
    spec: &ForceSpec,
    bodies: &[String; 2],
    data: &BeamData,
) -> Result<Force, Error> {
    let unsupported =
        |reason: String| Error::Unsupported { method: format!("the beam element '{}'", spec.name), reason };
    let node = |name: &String| match names.find(name)? {
        Some((i, body)) if matches!(body.kind, BodyKind::Rigid { .. }) => {
            Ok((i, frame(&body.position, &body.rotation)))
        }
        _ => Err(unsupported(format!("'{name}' is not a rigid body"))),
    };
    let ((i, a), (j, b)) = (node(&bodies[0])?, node(&bodies[1])?);
    let element = BeamElement::new(spec.name.clone(), [i, j], [&a, &b], data);
    Ok(Force::Custom(Arc::new(element.map_err(|e| unsupported(e.to_string()))?)))
}

fn friction(
    system: &mut Multibody,
    name: String,
    at: &At,
    spec: &FrictionSpec,
) -> Result<JointFriction, Error> {
    let joint = joint(system, &at.joint)?.1.clone();
    let data = FrictionData {
        mu: spec.coefficient,
        w_s: spec.speed,
        eps: LOAD_ROUNDING,
        c_v: spec.viscous,
        length: system.length_scale(),
        bearing: spec.bearing_length,
    };
    let kind = match joint.kind {
        _ if spec.coefficient == 0.0 && spec.constant != 0.0 => FrictionKind::Dry {
            coordinate: coordinate(system, at)?,
            c_v: spec.viscous,
            level: spec.constant,
            speed: spec.speed,
        },
        _ if spec.coefficient == 0.0 => {
            FrictionKind::Viscous { coordinate: coordinate(system, at)?, c_v: spec.viscous }
        }
        _ if spec.constant != 0.0 => {
            return Err(Error::Unsupported {
                method: format!("friction '{name}'"),
                reason: "friction that is constant and friction that follows the load are two forces"
                    .to_string(),
            });
        }
        JointKind::Revolute => FrictionKind::Single {
            coordinate: coordinate(system, at)?,
            law: Friction::revolute(&data, spec.radius),
        },
        JointKind::Prismatic => {
            FrictionKind::Single { coordinate: coordinate(system, at)?, law: Friction::prismatic(&data) }
        }
        JointKind::Cylindrical => FrictionKind::Screw {
            measure: Screw::new(&joint.marker_a, &joint.marker_b),
            law: Friction::cylindrical(&data, spec.radius),
        },
        _ => {
            return Err(Error::Unsupported {
                method: format!("friction '{name}'"),
                reason: format!(
                    "joint '{}' is not revolute, prismatic or cylindrical; use viscous friction only",
                    joint.name
                ),
            });
        }
    };
    Ok(JointFriction { name, link: joint.link, first: joint.range.start, kind })
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

fn quantity(
    model: &Model,
    forces: &HashMap<&str, usize>,
    system: &mut Multibody,
    kind: &SensorKind,
) -> Result<Quantity, Error> {
    let point = |body: &str, point: &Vector3<f64>| {
        find(model, body).map(|b| (b.map(|b| b.0), marker(b, point, &Matrix3::identity()).p))
    };
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
