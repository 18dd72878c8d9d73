//! Reads `[[event]]`.

use super::Evaluator;
use crate::Error;
use crate::mechanics::Direction;
use crate::model::condition;
use crate::model::dimensions::of_sensor;
use crate::model::elements::{EventAction, EventSpec, Switchable};
use crate::model::file_elements::{ActionBlock, DirectionBlock, EventBlock};
use crate::model::forces::limit::is_sharp;
use crate::model::law::values;
use crate::model::spec::Model;

/// All elements with this name that can be switched. JOINT.drive is the drive of a joint.
fn named(name: &str, model: &Model) -> Vec<Switchable> {
    let mut found = Vec::new();
    if model.forces.iter().any(|f| f.name == name) {
        found.push(Switchable::Force(name.to_string()));
    }
    if model.controls.iter().any(|c| c.name == name) {
        found.push(Switchable::Control(name.to_string()));
    }
    if model.joints.iter().any(|j| j.name == name) {
        found.push(Switchable::Joint(name.to_string()));
    }
    if let Some(joint) = name.strip_suffix(".drive")
        && model.joints.iter().any(|j| j.name == joint && j.drive.is_some())
    {
        found.push(Switchable::Drive(joint.to_string()));
    }
    found
}

impl Evaluator {
    /// Reads an event. Returns `None` if its condition cannot be read.
    pub(super) fn event(&mut self, path: &str, block: &EventBlock, model: &Model) -> Option<EventSpec> {
        let action = self.action(path, block, model);
        let counted = block.count.is_some();
        // In `when`, other braces contain names of sensors.
        let text = self.numbered(&block.when);
        let joints = |name: &str| self.find_joint(model, name);
        let sensors = model.sensors.iter();
        let sensors: Vec<condition::Known> =
            sensors.map(|s| (s.name.as_str(), values(&s.kind), of_sensor(&s.kind, &joints))).collect();
        let (when, compared) = match condition::read(&text, &self.names, &sensors) {
            Ok(read) => read,
            Err(message) => {
                // Names of sensors that could not be read are not reported as unknown.
                if self.complete(&["sensor", "state", "algebraic", "parameters"])
                    || !message.starts_with("unknown")
                {
                    self.problem(
                        &format!("{path}.when"),
                        message,
                        "write an expression of sensors, parameters and t, or one comparison, for example \
                         \"tip.z < 0.1\"",
                    );
                }
                return None;
            }
        };
        let given = block.direction.map(|d| match d {
            DirectionBlock::Rising => Direction::Rising,
            DirectionBlock::Falling => Direction::Falling,
            DirectionBlock::Both => Direction::Both,
        });
        if let (Some(given), Some(compared)) = (given, compared)
            && given != compared
        {
            self.problem(
                &format!("{path}.direction"),
                "the comparison in 'when' already says which crossings count",
                "remove direction, or write the difference of both sides instead of a comparison",
            );
        }
        let direction = compared.or(given).unwrap_or_default();
        let name = if counted { self.name(&format!("{path}.name"), &block.name) } else { block.name.clone() };
        Some(EventSpec { name, when, direction, action })
    }

    fn action(&mut self, path: &str, block: &EventBlock, model: &Model) -> EventAction {
        if block.action != ActionBlock::Switch {
            let given = [("enable", !block.enable.is_empty()), ("disable", !block.disable.is_empty())];
            self.unused(path, "an event that switches nothing", &given, &["action = \"switch\""]);
        }
        match block.action {
            ActionBlock::Record => EventAction::Record,
            ActionBlock::Stop => EventAction::Stop,
            ActionBlock::Switch => {
                let enable = self.elements(&format!("{path}.enable"), &block.enable, model);
                let disable = self.elements(&format!("{path}.disable"), &block.disable, model);
                if block.enable.is_empty() && block.disable.is_empty() {
                    self.problem(
                        &format!("{path}.action"),
                        format!("event '{}' switches nothing", block.name),
                        "add enable = [..] or disable = [..] with names of forces, controls, joints, or \
                         JOINT.drive",
                    );
                }
                if let Some(both) = enable.iter().find(|e| disable.contains(e)) {
                    let message = format!("'{}' is in enable and in disable", both.name());
                    self.problem(&format!("{path}.disable"), message, "");
                }
                EventAction::Switch { enable, disable }
            }
        }
    }

    fn elements(&mut self, path: &str, names: &[String], model: &Model) -> Vec<Switchable> {
        let mut list = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let path = format!("{path}[{i}]");
            let name = &if name.contains('{') { self.name(&path, name) } else { name.clone() };
            let other = [
                ("body", model.bodies.iter().any(|x| x.name == *name)),
                ("gear", model.gears.iter().any(|x| x.name == *name)),
                ("sensor", model.sensors.iter().any(|x| x.name == *name)),
            ];
            let mut found = named(name, model);
            let decides_itself = model.forces.iter().any(|f| f.name == *name && is_sharp(&f.kind));
            match (found.pop(), found.pop()) {
                (Some(Switchable::Force(_)), None) if decides_itself => self.problem(
                    &path,
                    format!("'{name}' is a stop with events, which turn it on and off"),
                    "leave out its key 'events', or this name",
                ),
                (Some(a), Some(b)) => {
                    let message = format!("'{name}' is a {} and a {}", b.kind(), a.kind());
                    self.problem(&path, message, "rename one of them")
                }
                (Some(Switchable::Joint(joint)), None)
                    if model.gears.iter().any(|g| g.joints.iter().any(|x| x.joint == joint)) =>
                {
                    self.problem(
                        &path,
                        format!("joint '{joint}' carries a gear, which cannot work without it"),
                        "switch forces, controls, drives, or joints without gears",
                    );
                }
                (Some(element), None) => list.push(element),
                (None, _) => match other.iter().find(|(_, found)| *found) {
                    Some((kind, _)) => self.problem(
                        &path,
                        format!("'{name}' is a {kind}, which cannot be switched"),
                        "you can switch forces (springs, actuators, ...), controls, joints and drives",
                    ),
                    None if self.complete(&["force", "control", "joint"]) => {
                        let forces = model.forces.iter().map(|f| f.name.as_str());
                        let known = forces.chain(model.controls.iter().map(|c| c.name.as_str()));
                        let known = known.chain(model.joints.iter().map(|j| j.name.as_str()));
                        let message =
                            Error::unknown_name("force, control or joint", name, known.take(self.listed()));
                        self.problem(&path, message.to_string(), "");
                    }
                    None => {}
                },
            }
        }
        list
    }
}
