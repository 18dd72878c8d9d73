//! The sections of a file, each with all its elements and their copies.

use super::{Evaluator, expected};
use crate::model::document::Document;
use crate::model::elements::Switchable;
use crate::model::file::{BodyType, File, JointType};
use crate::model::file_run;
use crate::model::spec::{GROUND, Model};

impl Evaluator {
    /// The general data of the model.
    pub(super) fn head(&mut self, file: &File, fallback_name: &str) -> Model {
        if file.version != 1 {
            self.problem(
                "version",
                format!("version {} of the format is not known", file.version),
                "this program reads version 1",
            );
        }
        let until = file.run.until.as_ref().and_then(|x| x.evaluate(&self.names).ok());
        if !self.is_part {
            self.until = until.unwrap_or(file_run::DEFAULT_UNTIL);
        }
        let mut model = Model::new(file.model.name.as_deref().unwrap_or(fallback_name));
        self.printable("model.name", &model.name.clone());
        if let Some(g) = &file.model.gravity {
            model.gravity = self.vector("model.gravity", g);
        }
        model.inputs = self.names.inputs.as_deref().cloned().unwrap_or_default();
        model.length_scale = self.option("model.length_scale", &file.model.length_scale);
        if model.length_scale.is_some_and(|l| l <= 0.0) {
            self.problem("model.length_scale", "a length scale is positive", "");
        }
        model
    }

    /// Bodies with their motions, and beams.
    pub(super) fn bodies_and_beams(&mut self, document: &Document, model: &mut Model) {
        let file = &document.file;
        let mut moved = Vec::new();
        for (k, block) in file.body.iter().enumerate() {
            let path = format!("body[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let problems = e.problems.len();
                let mut body = e.body(&path, block, model);
                if block.kind != BodyType::Point && (e.problems.len() > problems || document.is_part(&path)) {
                    e.unfinished.insert(body.name.clone());
                }
                if document.is_part(&path) {
                    // Its position may be unreadable, so no gap is measured from it.
                    body.position.fill(f64::NAN);
                }
                if let Some(modal) = e.modal(&path, block, &mut body) {
                    for node in &modal.nodes {
                        e.record_name("node", 0, &path, &node.body.name, "names of nodes are unique");
                    }
                    model.modal.push(modal);
                }
                moved.extend(e.motion(&path, block, &mut body));
                let help = "names of bodies are unique, and 'ground' is the inertial frame";
                if body.name == GROUND {
                    e.taken(&path, GROUND, help);
                }
                e.record_name("body", model.bodies.len(), &path, &body.name, help);
                let angular = block.angular_velocity.is_some() || block.angular_velocity_global.is_some();
                let given = [block.velocity.is_some(), angular];
                if given != [true; 2] && block.motion.is_none() && block.kind != BodyType::Modal {
                    model.partial.insert(body.name.clone(), given);
                }
                model.bodies.push(body);
            });
        }
        for (k, block) in file.beam.iter().enumerate() {
            let path = format!("beam[{k}]");
            self.repeat(&path, &block.count, &mut |e| e.beam(&path, block, model));
        }
        for joint in moved {
            let help = "the motion of a body is a joint of this name";
            self.record_name("joint", model.joints.len(), "joint", &joint.name, help);
            model.joints.push(joint);
        }
    }

    /// `[[joint]]`.
    pub(super) fn joints(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.joint.iter().enumerate() {
            let path = format!("joint[{k}]");
            self.element.angular = match block.kind {
                JointType::Prismatic | JointType::PointOnLine => Some(false),
                JointType::Cylindrical | JointType::Generic => None,
                _ => Some(true),
            };
            self.repeat(&path, &block.count, &mut |e| {
                let joint = e.joint(&path, block, model);
                e.check_nodes(&path, &joint, model);
                e.record_name("joint", model.joints.len(), &path, &joint.name, "names of joints are unique");
                if block.enabled == Some(false) {
                    model.disabled.push(Switchable::Joint(joint.name.clone()));
                }
                if block.drive_enabled == Some(false) {
                    model.disabled.push(Switchable::Drive(joint.name.clone()));
                }
                model.joints.push(joint);
            });
        }
    }

    /// `[[gear]]`.
    pub(super) fn gears(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.gear.iter().enumerate() {
            let path = format!("gear[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let gear = e.gear(&path, block, model);
                let help = "names of joints and gears are unique";
                if e.find("joint", &gear.name).is_some() {
                    e.taken(&path, &gear.name, help);
                }
                e.record_name("gear", model.gears.len(), &path, &gear.name, help);
                model.gears.push(gear);
            });
        }
    }

    /// `[[force]]`.
    pub(super) fn forces(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.force.iter().enumerate() {
            let path = format!("force[{k}]");
            self.element = expected::KnownElement { force: Some(block.kind), ..Default::default() };
            self.repeat(&path, &block.count, &mut |e| {
                let Some(force) = e.force(&path, block, model) else { return };
                e.record_name("force", model.forces.len(), &path, &force.name, "names of forces are unique");
                if block.enabled == Some(false) {
                    model.disabled.push(Switchable::Force(force.name.clone()));
                }
                model.forces.push(force);
            });
        }
    }

    /// `[[control]]`.
    pub(super) fn controls(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.control.iter().enumerate() {
            let path = format!("control[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let control = e.control(&path, block, model);
                e.record_name(
                    "control",
                    model.controls.len(),
                    &path,
                    &control.name,
                    "names of controls are unique",
                );
                if block.enabled == Some(false) {
                    model.disabled.push(Switchable::Control(control.name.clone()));
                }
                model.controls.push(control);
            });
        }
    }

    /// `[[sensor]]`.
    pub(super) fn sensors(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.sensor.iter().enumerate() {
            let path = format!("sensor[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let Some(sensor) = e.sensor(&path, block, model) else { return };
                e.column(&path, &sensor, model);
                e.record_name(
                    "sensor",
                    model.sensors.len(),
                    &path,
                    &sensor.name,
                    "names of sensors are unique",
                );
                model.sensors.push(sensor);
            });
        }
    }

    /// `[[event]]`.
    pub(super) fn events(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.event.iter().enumerate() {
            let path = format!("event[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let Some(event) = e.event(&path, block, model) else { return };
                e.record_name("event", model.events.len(), &path, &event.name, "names of events are unique");
                model.events.push(event);
            });
        }
    }
}
