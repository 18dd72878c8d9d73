//! Forces, torques and actuators whose functions read sensors and joint coordinates.

use super::Evaluator;
use crate::mechanics::Function;
use crate::model::elements::{At, ForceKind, LawTarget, Of, SensorKind};
use crate::model::file::File;
use crate::model::law::{self, List, Readable};
use crate::model::number::Number;
use crate::model::spec::Model;

/// Sensors and joints by name, with the joint that a law acts on.
struct Here<'a> {
    evaluator: &'a Evaluator,
    model: &'a Model,
    own: Option<&'a At>,
}

impl Readable for Here<'_> {
    fn sensor(&self, name: &str) -> Option<SensorKind> {
        self.evaluator.readable.get(name).cloned()
    }

    fn joint(&self, name: &str) -> Option<At> {
        let joint = self.evaluator.find_joint(self.model, name)?;
        let has = joint.kind.has_angle() || joint.kind.has_displacement();
        has.then(|| At { joint: name.to_string(), of: Of::Default })
    }

    fn own(&self) -> Option<&At> {
        self.own
    }
}

impl Evaluator {
    /// Looks at the sensors before the forces that may read them. What is wrong with them is said in their turn.
    pub(super) fn sensors_to_read(&mut self, file: &File, model: &Model) {
        let is_text = |n: &Number| matches!(n, Number::Text(_));
        let reads = |f: &crate::model::file_elements::ForceBlock| {
            let vectors = f.force.iter().chain(&f.torque).flatten();
            vectors.chain(&f.value).any(is_text)
        };
        if !file.force.iter().any(reads) {
            return;
        }
        let (problems, copies, complete) = (self.problems.len(), self.copies, self.complete);
        self.complete = false;
        for (k, block) in file.sensor.iter().enumerate() {
            let path = format!("sensor[{k}]");
            self.repeat(&path, &block.count, |e| {
                if let Some(sensor) = e.sensor(&path, block, model) {
                    e.readable.insert(sensor.name, sensor.kind);
                }
            });
        }
        self.problems.truncate(problems);
        (self.copies, self.complete) = (copies, complete);
        for sensor in &model.sensors {
            self.readable.insert(sensor.name.clone(), sensor.kind.clone());
        }
    }

    /// A law, if one of the functions reads a signal; their paths, and the wanted dimension is that of the paths.
    pub(super) fn law(
        &mut self,
        numbers: &[(String, &Number)],
        target: LawTarget,
        model: &Model,
    ) -> Option<ForceKind> {
        let own = match &target {
            LawTarget::Joint(at) => Some(at.clone()),
            _ => None,
        };
        let index = self.names.get(super::INDEX).map(f64::to_string);
        let numbered = |text: &str| match &index {
            Some(i) => text.replace("{i}", i),
            None => text.to_string(),
        };
        let mut signals = List::new();
        let mut texts = Vec::with_capacity(numbers.len());
        for (path, number) in numbers {
            let Number::Text(text) = number else {
                texts.push(None);
                continue;
            };
            let text = numbered(text);
            let here = Here { evaluator: self, model, own: own.as_ref() };
            match law::rewrite(&text, &self.names, &here, &mut signals) {
                Ok(rewritten) => texts.push(rewritten.map(|r| (r, text))),
                Err(message) => {
                    self.problem(path, message, "");
                    texts.push(None);
                }
            }
        }
        if texts.iter().all(Option::is_none) {
            return None;
        }
        // What reads nothing is a function of time.
        let mut functions = Vec::with_capacity(numbers.len());
        for ((path, number), text) in numbers.iter().zip(texts) {
            functions.push(match text {
                Some((rewritten, original)) => {
                    let wanted = self.expected(path);
                    let made = law::function(&rewritten, &original, &self.names, wanted);
                    let made = made.unwrap_or_else(|message| {
                        self.problem(path, message, "");
                        Function::Constant(0.0)
                    });
                    self.counted(path, made)
                }
                None => self.function(path, number, super::Need::Time),
            });
        }
        Some(ForceKind::Law { target, signals, functions })
    }
}
