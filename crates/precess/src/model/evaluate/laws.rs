//! Reads forces, torques and actuators whose functions use sensors and joint coordinates.

use super::Evaluator;
use crate::Error;
use crate::mechanics::Function;
use crate::model::diagnostic::MOST_PROBLEMS;
use crate::model::dimensions::of_sensor;
use crate::model::elements::{At, Of, SensorKind};
use crate::model::expression::tokens::{Token, Tokens};
use crate::model::file::File;
use crate::model::forces::{Law, LawTarget};
use crate::model::law::{self, List, Readable};
use crate::model::number::Number;
use crate::model::spec::Model;

/// The sensors and joints by name, and the joint on which a law acts.
struct Here<'a> {
    evaluator: &'a Evaluator,
    model: &'a Model,
    own: Option<&'a At>,
}

impl Readable for Here<'_> {
    fn sensor(&self, name: &str) -> Option<SensorKind> {
        let variable = |k: &SensorKind| matches!(k, SensorKind::State(_) | SensorKind::Algebraic(_));
        self.evaluator.readable.get(name).filter(|k| !variable(k)).cloned()
    }

    fn joint(&self, name: &str) -> Option<At> {
        let joint = self.evaluator.find_joint(self.model, name)?;
        let has = joint.kind.has_angle() || joint.kind.has_displacement();
        has.then(|| At { joint: name.to_string(), of: Of::Default })
    }

    fn coordinate(&self) -> Option<&At> {
        self.own
    }
}

impl Evaluator {
    /// Reads the sensors before the forces that may use them. Problems of the sensors are reported later.
    pub(super) fn sensors_to_read(&mut self, file: &File, model: &Model) {
        let is_text = |n: &Number| matches!(n, Number::Text(_));
        let reads = |f: &crate::model::file_elements::ForceBlock| {
            let vectors = f.force.iter().chain(&f.torque).flatten();
            vectors.chain(&f.value).any(is_text)
        };
        let expressed = !(file.constraint.is_empty() && file.state.is_empty() && file.algebraic.is_empty());
        let potential = file.force.iter().any(|f| f.along.is_some() || f.potential.is_some());
        if !(expressed || potential || file.force.iter().any(reads)) {
            return;
        }
        let (problems, copies) = (self.problems.len(), self.copies);
        for (k, block) in file.sensor.iter().enumerate() {
            let path = format!("sensor[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                if let Some(sensor) = e.sensor(&path, block, model) {
                    e.readable.insert(sensor.name, sensor.kind);
                }
            });
        }
        self.problems.truncate(problems);
        self.copies = copies;
        for sensor in &model.sensors {
            self.readable.insert(sensor.name.clone(), sensor.kind.clone());
        }
    }

    /// Suggests a sensor or joint for an unknown name.
    pub(super) fn meant(&self, path: &str, message: &str) -> String {
        let unknown = message.strip_prefix("unknown name '").and_then(|rest| rest.split('\'').next());
        let (Some(name), true) = (unknown, path.starts_with("force[")) else { return String::new() };
        if self.problems.len() >= MOST_PROBLEMS {
            return String::new();
        }
        let name = name.split('.').next().unwrap_or(name);
        let joints = self.places.get("joint").into_iter().flat_map(|list| list.keys());
        let mut known: Vec<&str> = self.readable.keys().chain(joints).map(String::as_str).collect();
        known.sort_unstable();
        known.truncate(self.listed());
        // A name that is known is wrong for another reason.
        if known.is_empty() || known.contains(&name) {
            return String::new();
        }
        Error::unknown_name("sensor or joint", name, known).to_string()
    }

    /// Replaces indices, `{i}` or `{i + 1}`. Other braces contain names.
    pub(in crate::model) fn numbered(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let counted = after.split_once('}').and_then(|(inside, after)| {
                let words = Tokens::of(inside).filter_map(|token| match token {
                    Token::Word(word) => Some(word),
                    _ => None,
                });
                let only_index =
                    self.names.contains_key(super::names::INDEX) && words.eq([super::names::INDEX]);
                let number = Number::Text(inside.to_string()).evaluate(&self.names).ok();
                Some((number.filter(|x| only_index && x.fract() == 0.0)?, after))
            });
            match counted {
                Some((number, after)) => {
                    out.push_str(&number.to_string());
                    rest = after;
                }
                None => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// True if a law knows every name in the value of an actuator. In this case, the law gives the best error
    /// message.
    pub(super) fn is_law(&self, text: &str, own: &At, model: &Model) -> bool {
        let here = Here { evaluator: self, model, own: Some(own) };
        match law::rewrite(text, &self.names, &here, &mut List::new(), &mut Vec::new()) {
            Ok(Some(rewritten)) => law::knows(&rewritten, &self.names),
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Makes a law if one of the functions uses a signal. The paths determine the dimensions.
    pub(in crate::model) fn law(
        &mut self,
        numbers: &[(String, &Number)],
        target: LawTarget,
        model: &Model,
    ) -> Option<Law> {
        let own = match &target {
            LawTarget::Joint(at) => Some(at.clone()),
            _ => None,
        };
        let (mut signals, mut words) = (List::new(), Vec::new());
        let mut texts = Vec::with_capacity(numbers.len());
        for (path, number) in numbers {
            let Number::Text(text) = number else {
                texts.push(None);
                continue;
            };
            let text = self.numbered(text);
            let here = Here { evaluator: self, model, own: own.as_ref() };
            match law::rewrite(&text, &self.names, &here, &mut signals, &mut words) {
                Ok(rewritten) => texts.push(rewritten),
                Err(message) => {
                    self.problem(path, message, "");
                    // One message is enough.
                    texts.push(Some("0".to_string()));
                }
            }
        }
        if texts.iter().all(Option::is_none) {
            return None;
        }
        let joints = |name: &str| self.find_joint(model, name);
        let measured: Vec<_> = signals.iter().map(|(kind, _)| of_sensor(kind, &joints)).collect();
        // An expression that reads no signal is a function of time.
        let mut functions = Vec::with_capacity(numbers.len());
        for ((path, number), text) in numbers.iter().zip(texts) {
            functions.push(match text {
                Some(rewritten) => {
                    let wanted = self.expected(path);
                    let made = law::function(&rewritten, &words, &self.names, wanted, &measured);
                    let made = made.unwrap_or_else(|message| {
                        let help = self.meant(path, &message);
                        self.problem(path, message, &help);
                        Function::Constant(0.0)
                    });
                    self.counted(path, made)
                }
                None => self.function(path, number, super::Need::Time),
            });
        }
        Some(Law { target, signals, functions })
    }
}
