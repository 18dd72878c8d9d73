//! `[[gear]]` and `[[control]]`.

use super::Evaluator;
use crate::model::elements::{ControlSpec, Controller, GearSpec, Lag, Pid};
use crate::model::file_elements::{ControlBlock, ControlType, GearBlock};
use crate::model::formula::Need;
use crate::model::number::Number;
use crate::model::spec::Model;

impl Evaluator {
    pub(super) fn gear(&mut self, path: &str, block: &GearBlock, model: &Model) -> GearSpec {
        let [first, second] = block.joints.each_ref();
        let [of_first, of_second] = block.of.map_or([None; 2], |of| of.map(Some));
        let joints = [
            self.coordinate(&format!("{path}.joints[0]"), first, of_first, model),
            self.coordinate(&format!("{path}.joints[1]"), second, of_second, model),
        ];
        if joints[0] == joints[1] {
            self.problem(&format!("{path}.joints"), "a gear connects two different joints", "");
        }
        let ratio = self.number(&format!("{path}.ratio"), &block.ratio);
        if ratio == 0.0 {
            self.problem(&format!("{path}.ratio"), "a ratio of zero does not connect the joints", "");
        }
        let name = self.name(&format!("{path}.name"), &block.name);
        GearSpec { name, joints, ratio }
    }

    pub(super) fn control(&mut self, path: &str, block: &ControlBlock, model: &Model) -> ControlSpec {
        let at = self.coordinate(&format!("{path}.joint"), &block.joint, block.of, model);
        let measured = self.element.angular;
        let on = block.drives.as_ref().map(|j| self.coordinate(&format!("{path}.drives"), j, None, model));
        self.element.driven_angular = if on.is_some() { self.element.angular } else { measured };
        self.element.angular = measured;
        let given = [
            ("set_point", block.set_point.is_some()),
            ("proportional", block.proportional.is_some()),
            ("integral", block.integral.is_some()),
            ("derivative", block.derivative.is_some()),
            ("filter", block.filter.is_some()),
            ("input", block.input.is_some()),
            ("time", block.time.is_some()),
            ("initial", block.initial.is_some()),
        ];
        let used: &[&str] = match block.kind {
            ControlType::Pid => &["set_point", "proportional", "integral", "derivative", "filter"],
            ControlType::Lag => &["input", "time", "initial"],
        };
        self.unused(path, &format!("control '{}' of this type", block.name), &given, used);
        let missing = |key: &str| format!("control '{}' has no {key}", block.name);
        let controller = match block.kind {
            ControlType::Pid => {
                if block.set_point.is_none() {
                    self.problem(path, missing("set_point"), "add set_point = \"a function of t\"");
                }
                let zero = Number::Value(0.0);
                let set_point = block.set_point.as_ref().unwrap_or(&zero);
                let mut gain = |key: &str, x| self.option(&format!("{path}.{key}"), x).unwrap_or(0.0);
                let gains = [
                    gain("proportional", &block.proportional),
                    gain("integral", &block.integral),
                    gain("derivative", &block.derivative),
                ];
                Controller::Pid(Pid {
                    set_point: self.function(&format!("{path}.set_point"), set_point, Need::Motion),
                    proportional: gains[0],
                    integral: gains[1],
                    derivative: gains[2],
                    filter: self.positive_option(&format!("{path}.filter"), &block.filter),
                })
            }
            ControlType::Lag => {
                let time = self.positive_option(&format!("{path}.time"), &block.time);
                if time.is_none() {
                    self.problem(path, missing("time"), "add time, the time constant in s");
                }
                if block.input.is_none() {
                    self.problem(path, missing("input"), "add input = \"a function of t, x and v\"");
                }
                let zero = Number::Value(0.0);
                let input = block.input.as_ref().unwrap_or(&zero);
                Controller::Lag(Lag {
                    input: self.function(&format!("{path}.input"), input, Need::State),
                    time: time.unwrap_or(1.0),
                    initial: self.option(&format!("{path}.initial"), &block.initial).unwrap_or(0.0),
                })
            }
        };
        let name = self.name(&format!("{path}.name"), &block.name);
        ControlSpec { name, at, on, controller }
    }
}
