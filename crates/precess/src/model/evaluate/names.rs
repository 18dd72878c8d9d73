//! Names of elements: they are unique, copies contain their index, and other elements refer to them.

use super::Evaluator;
use crate::model::elements::{At, Of};
use crate::model::file_elements::OfBlock;
use crate::model::number::Number;
use crate::model::spec::{BodySpec, GROUND, JointSpec, Model};

/// Name of the running index of repeated elements.
pub(super) const INDEX: &str = "i";
/// Largest number of wrong copies; further ones are left out.
const MAX_WRONG_COPIES: usize = 100;

/// Largest number of copies of elements in a model. A chain of 100 000 bodies has as many joints, and a copy
/// takes up to 4 KiB.
pub(super) const MAX_COPIES: f64 = 300_000.0;

/// Longest name of an element, in bytes: every copy has its own.
const LONGEST_NAME: usize = 200;

impl Evaluator {
    pub(super) fn taken(&mut self, path: &str, name: &str, help: &str) {
        self.problem(&format!("{path}.name"), format!("the name '{name}' is taken"), help);
    }

    /// Records the index of an element; its name must be new among its kind.
    pub(in crate::model) fn record_name(
        &mut self,
        kind: &'static str,
        at: usize,
        path: &str,
        name: &str,
        help: &str,
    ) {
        self.printable(&format!("{path}.name"), name);
        let places = self.places.entry(kind).or_default();
        if places.contains_key(name) {
            self.taken(path, name, help);
        } else {
            places.insert(name.to_string(), at);
        }
    }

    /// Checks that a name can be printed in terminals and files.
    pub(super) fn printable(&mut self, path: &str, name: &str) {
        if name.trim().is_empty() && path.ends_with(".name") {
            self.problem(path, "the name is empty", "give a name");
        }
        // Marks that change the order of the text after them, and ends of lines, deceive readers.
        let deceives = |c: char| {
            c.is_control()
                || "\u{2028}\u{2029}".contains(c)
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        if name.contains(deceives) {
            self.problem(
                path,
                format!("the name {name:?} has a control character"),
                "use visible characters",
            );
        }
    }

    /// The index of an element.
    pub(super) fn find(&self, kind: &'static str, name: &str) -> Option<usize> {
        self.places.get(kind)?.get(name).copied()
    }

    pub(in crate::model) fn find_body<'m>(&self, model: &'m Model, name: &str) -> Option<&'m BodySpec> {
        let body = self.find("body", name).and_then(|i| model.bodies.get(i));
        body.or_else(|| self.find("node", name).and_then(|_| self.find_node(model, name)))
    }

    pub(in crate::model) fn find_joint<'m>(&self, model: &'m Model, name: &str) -> Option<&'m JointSpec> {
        model.joints.get(self.find("joint", name)?)
    }

    /// Calls `each` once, or `count` times with the index `i` (from 0) as a name for expressions. Only
    /// problems of the first wrong copy are reported.
    pub(super) fn repeat(&mut self, path: &str, count: &Option<Number>, each: &mut dyn FnMut(&mut Self)) {
        let Some(count) = count else { return each(self) };
        let path = format!("{path}.count");
        let n = self.number(&path, count);
        if !((0.0..=MAX_COPIES).contains(&n) && n.fract() == 0.0) {
            if !n.is_nan() {
                self.problem(&path, format!("{n} is not a whole number from 0 to {MAX_COPIES}"), "");
            }
            return;
        }
        self.copies += n;
        if self.copies > MAX_COPIES {
            let message = format!(
                "with these the model has {} copies of elements, more than {MAX_COPIES}",
                self.copies
            );
            self.problem(&path, message, "make fewer copies");
            return;
        }
        if self.names.contains_key(INDEX) {
            self.problem(&path, "a parameter has the name 'i' of the running index", "rename the parameter");
            return;
        }
        // Mistakes are reported once. The other copies are made anyway, so that their names are known.
        let (before, mut wrong) = (self.problems.len(), 0);
        for i in 0..n as usize {
            self.names.insert(INDEX.to_string(), i as f64);
            let told = self.problems.len();
            each(self);
            if wrong > 0 {
                self.problems.truncate(told);
            }
            wrong += usize::from(self.problems.len() > before);
            if wrong > MAX_WRONG_COPIES {
                break;
            }
        }
        self.names.remove(INDEX);
    }

    /// A name with its braces evaluated: `"rod{i}"`, `"rod{i+1}"`.
    pub(super) fn name(&mut self, path: &str, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((inside, after)) = after.split_once('}') else {
                self.problem(path, format!("the brace in '{text}' is not closed"), "");
                return out;
            };
            let x = self.number(path, &Number::Text(inside.to_string()));
            if x.fract() != 0.0 {
                self.problem(path, format!("'{{{inside}}}' is {x}, not a whole number"), "");
            }
            out.push_str(&format!("{x}"));
            rest = after;
        }
        out.push_str(rest);
        if out.len() > LONGEST_NAME {
            let message = format!("a name of {} bytes, more than {LONGEST_NAME}", out.len());
            self.problem(path, message, "choose a shorter name");
            out.clear();
        }
        out
    }

    /// A name that must be given.
    pub(super) fn needed(
        &mut self,
        path: &str,
        key: &str,
        text: &Option<String>,
        what: &str,
    ) -> Option<String> {
        match text {
            Some(text) => Some(self.name(&format!("{path}.{key}"), text)),
            None => {
                self.problem(path, format!("{what} has no {key}"), &format!("add {key} = \"..\""));
                None
            }
        }
    }

    /// The name of a body, including `ground`; a problem if there is none.
    pub(super) fn body_name(&mut self, path: &str, text: &str, model: &Model) -> String {
        let name = self.name(path, text);
        if let Some(node) = self.aliases.get(&name) {
            return node.clone();
        }
        let known = self.find("body", &name).is_some() || self.find("node", &name).is_some();
        if self.complete(&["body", "beam"]) && name != GROUND && !known {
            let nodes = model.nodes().into_iter().map(|b| b.name.as_str());
            let mut stations: Vec<&str> = self.aliases.keys().map(String::as_str).collect();
            stations.sort_unstable();
            let bodies = model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]);
            let known = nodes.chain(stations).chain(bodies).take(self.listed());
            let message = crate::Error::unknown_name("body", &name, known).to_string();
            self.problem(path, message, "");
        }
        name
    }

    /// The name of a joint with the requested coordinate.
    pub(super) fn coordinate(&mut self, path: &str, text: &str, of: Option<OfBlock>, model: &Model) -> At {
        let joint = self.name(path, text);
        self.element.angular = None;
        let of = match of {
            None => Of::Default,
            Some(OfBlock::Angle) => Of::Angle,
            Some(OfBlock::Displacement) => Of::Displacement,
        };
        match self.find_joint(model, &joint) {
            Some(spec) => {
                let (angle, displacement) = (spec.kind.has_angle(), spec.kind.has_displacement());
                let found = match of {
                    Of::Default => angle || displacement,
                    Of::Angle => angle,
                    Of::Displacement => displacement,
                };
                self.element.angular = Some(angle && of != Of::Displacement);
                if !found {
                    self.problem(
                        path,
                        format!("joint '{joint}' has no such coordinate"),
                        "revolute and planar joints have an angle, prismatic ones a displacement, \
                         cylindrical ones both",
                    );
                }
            }
            None if self.complete(&["joint"]) => {
                let known = model.joints.iter().map(|j| j.name.as_str()).take(self.listed());
                let message = crate::Error::unknown_name("joint", &joint, known).to_string();
                self.problem(path, message, "");
            }
            None => {}
        }
        At { joint, of }
    }
}
