//! `[start.BODY]`: positions of bodies when the run begins.

use super::Evaluator;
use crate::Error;
use crate::model::file::File;
use crate::model::spec::{Model, StartSpec};

impl Evaluator {
    pub(super) fn start(&mut self, file: &File, model: &mut Model) {
        // The start of the run checks whether the joints are closed.
        self.rough |= !file.start.is_empty();
        for (name, block) in &file.start {
            let path = format!("start.{name}");
            let Some(body) = self.find_body(model, name) else {
                if self.complete(&["body", "beam"]) {
                    let known = model.bodies.iter().map(|b| b.name.as_str());
                    let e = Error::unknown_name("body", name, known);
                    self.problem(&path, e.to_string(), "");
                }
                continue;
            };
            let mut start = StartSpec {
                position: body.position,
                rotation: body.rotation,
                velocity: body.velocity,
                angular_velocity: body.angular_velocity,
            };
            if let Some(x) = &block.position {
                start.position = self.vector(&format!("{path}.position"), x);
            }
            if let Some(r) = &block.rotation {
                start.rotation = self.rotation(&format!("{path}.rotation"), r, model);
            }
            if let Some(x) = &block.velocity {
                start.velocity = self.vector(&format!("{path}.velocity"), x);
            }
            if let Some(x) = &block.angular_velocity {
                start.angular_velocity = self.vector(&format!("{path}.angular_velocity"), x);
            }
            // The start of a run is complete.
            model.partial.remove(name);
            model.start.insert(name.clone(), start);
        }
    }
}
