//! `[[constraint]]`, `[[state]]`, `[[algebraic]]`, and expressions of positions in forces.

use super::Evaluator;
use crate::model::elements::{At, SensorKind, SensorSpec};
use crate::model::expressed::{AlgebraicSpec, ConstraintSpec, ExpressedSpec, MeasuredSpec, StateSpec};
use crate::model::file::File;
use crate::model::measured::{self, Allowed, Known};
use crate::model::number::Number;
use crate::model::spec::Model;

/// Names of first-order states and of algebraic variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    states: Vec<String>,
    algebraic: Vec<String>,
}

const CONSTRAINT: Allowed =
    Allowed { time: true, rates: false, algebraic: false, smooth: 2, what: "a constraint of positions" };
const RATE: Allowed = Allowed { time: true, rates: true, algebraic: true, smooth: 1, what: "a rate" };
const ALGEBRAIC: Allowed =
    Allowed { time: true, rates: false, algebraic: true, smooth: 1, what: "an algebraic equation" };

impl Evaluator {
    /// Reads the names of states and algebraic variables, before anything uses them.
    pub(super) fn variables(&mut self, file: &File) {
        let mut list = Variables::default();
        for (k, block) in file.state.iter().enumerate() {
            let path = format!("state[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let name = e.name(&format!("{path}.name"), &block.name);
                list.states.push(name);
            });
        }
        for (k, block) in file.algebraic.iter().enumerate() {
            let path = format!("algebraic[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let name = e.name(&format!("{path}.name"), &block.name);
                list.algebraic.push(name);
            });
        }
        self.variables = list;
    }

    /// Reads all of them, and adds sensors that show them.
    pub(super) fn expressed(&mut self, file: &File, model: &mut Model) {
        for (k, block) in file.constraint.iter().enumerate() {
            let path = format!("constraint[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let name = e.name(&format!("{path}.name"), &block.name);
                let equation = e.read(&format!("{path}.equation"), &block.equation, model, None, CONSTRAINT);
                let help = "names of joints, gears and constraints are unique";
                if e.find("joint", &name).is_some() || e.find("gear", &name).is_some() {
                    e.taken(&path, &name, help);
                }
                e.record_name("constraint", model.constraints.len(), &path, &name, help);
                let Some(equation) = equation else { return };
                model.constraints.push(ConstraintSpec { name, equation });
            });
        }
        for (k, block) in file.state.iter().enumerate() {
            let path = format!("state[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let name = e.variable_name(&path, &block.name, model);
                let rate = e.read(&format!("{path}.rate"), &block.rate, model, None, RATE);
                let initial = e.option(&format!("{path}.initial"), &block.initial).unwrap_or(0.0);
                let Some(rate) = rate else { return };
                model.sensors.push(SensorSpec::new(&name, SensorKind::State(name.clone())));
                model.states.push(StateSpec { name, rate, initial });
            });
        }
        for (k, block) in file.algebraic.iter().enumerate() {
            let path = format!("algebraic[{k}]");
            self.repeat(&path, &block.count, &mut |e| {
                let name = e.variable_name(&path, &block.name, model);
                let equation = e.read(&format!("{path}.equation"), &block.equation, model, None, ALGEBRAIC);
                let guess = e.option(&format!("{path}.guess"), &block.guess).unwrap_or(0.0);
                let Some(equation) = equation else { return };
                model.sensors.push(SensorSpec::new(&name, SensorKind::Algebraic(name.clone())));
                model.algebraic.push(AlgebraicSpec { name, equation, guess });
            });
        }
    }

    /// The name of a variable, which is also the name of a sensor.
    fn variable_name(&mut self, path: &str, text: &str, model: &Model) -> String {
        let name = self.name(&format!("{path}.name"), text);
        let help = "names of states, algebraic variables and sensors are unique";
        if self.names.contains_key(&name) {
            let message = format!("'{name}' is also a parameter");
            self.problem(&format!("{path}.name"), message, "rename one of them");
        }
        self.record_name("sensor", model.sensors.len(), path, &name, help);
        name
    }

    /// True if the value of an actuator uses more than a [law](Self::law) can: positions without a sensor,
    /// states, algebraic variables.
    pub(in crate::model) fn reads_more(&self, value: &Number, model: &Model, at: &At) -> bool {
        let Number::Text(text) = value else { return false };
        let (text, driven) = (self.numbered(text), Some(MeasuredSpec::Joint(at.clone())));
        self.with_known(model, driven, |known| measured::reads_more(&text, known))
            && !self.is_law(&text, at, model)
    }

    pub(in crate::model) fn read(
        &mut self,
        path: &str,
        number: &Number,
        model: &Model,
        driven: Option<MeasuredSpec>,
        allowed: Allowed,
    ) -> Option<ExpressedSpec> {
        let text = match number {
            Number::Text(text) => self.numbered(text),
            Number::Value(x) => format!("{x}"),
        };
        let spec = self.with_known(model, driven, |known| measured::read(&text, known, allowed));
        spec.map_err(|message| self.problem(path, message, "")).ok()
    }

    pub(in crate::model) fn with_known<T>(
        &self,
        model: &Model,
        driven: Option<MeasuredSpec>,
        f: impl FnOnce(&Known) -> T,
    ) -> T {
        let points = |name: &str| self.points.get(name).map(|p| p.at);
        // States of parts are already in the model.
        let states: Vec<String> =
            model.states.iter().map(|s| s.name.clone()).chain(self.variables.states.clone()).collect();
        let algebraic: Vec<String> =
            model.algebraic.iter().map(|s| s.name.clone()).chain(self.variables.algebraic.clone()).collect();
        f(&Known {
            names: &self.names,
            model,
            points: &points,
            sensors: &self.readable,
            aliases: &self.aliases,
            states: &states,
            algebraic: &algebraic,
            driven,
        })
    }
}
