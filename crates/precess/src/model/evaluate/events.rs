//! `[[event]]`.

use super::Evaluator;
use crate::Error;
use crate::mechanics::Direction;
use crate::model::condition;
use crate::model::elements::{Element, EventAction, EventSpec, SensorKind};
use crate::model::file_elements::{ActionBlock, DirectionBlock, EventBlock};
use crate::model::spec::Model;

/// Number of values of a sensor.
fn values(kind: &SensorKind) -> usize {
    use SensorKind::*;
    match kind {
        Position(..) | Velocity(..) | Acceleration(..) | AngularVelocity(_) | ReactionForce(..)
        | ReactionTorque(..) | LinearMomentum | AngularMomentum => 3,
        Coordinate(_) | Rate(_) | SpringLength(_) | SpringForce(_) | ControlOutput(_) | KineticEnergy
        | PotentialEnergy | TotalEnergy => 1,
    }
}

impl Evaluator {
    /// An event; `None` if its condition cannot be read.
    pub(super) fn event(&mut self, path: &str, block: &EventBlock, model: &Model) -> Option<EventSpec> {
        let action = self.action(path, block, model);
        let sensors: Vec<condition::Known> =
            model.sensors.iter().map(|s| (s.name.as_str(), values(&s.kind))).collect();
        let (when, compared) = match condition::read(&block.when, &self.names, &sensors) {
            Ok(read) => read,
            Err(message) => {
                // Sensors that could not be read are not missing.
                if self.complete || !message.starts_with("unknown") {
                    self.problem(
                        &format!("{path}.when"),
                        message,
                        "write an expression of sensors, parameters and t, or one comparison, for example \"tip.z < 0.1\"",
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
        Some(EventSpec { name: block.name.clone(), when, direction, action })
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
                        "add enable = [..] or disable = [..] with names of forces and controls",
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

    fn elements(&mut self, path: &str, names: &[String], model: &Model) -> Vec<Element> {
        let mut list = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let path = format!("{path}[{i}]");
            let is = |kind: &&'static str| self.find(kind, name).is_some();
            let other = ["body", "joint", "gear", "sensor"].into_iter().find(is);
            match (is(&"force"), is(&"control")) {
                (true, true) => {
                    self.problem(&path, format!("'{name}' is a force and a control"), "rename one of them")
                }
                (true, false) => list.push(Element::Force(name.clone())),
                (false, true) => list.push(Element::Control(name.clone())),
                (false, false) => match other {
                    Some(kind) => self.problem(
                        &path,
                        format!("'{name}' is a {kind}, which cannot be switched"),
                        "forces (springs, bushings, actuators, ...) and controls can",
                    ),
                    None if self.complete => {
                        let forces = model.forces.iter().map(|f| f.name.as_str());
                        let known = forces.chain(model.controls.iter().map(|c| c.name.as_str()));
                        let message =
                            Error::unknown_name("force or control", name, known.take(super::MAX_LISTED));
                        self.problem(&path, message.to_string(), "");
                    }
                    None => {}
                },
            }
        }
        list
    }
}
