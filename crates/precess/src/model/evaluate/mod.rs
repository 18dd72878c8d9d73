//! From a file to a model: expressions are evaluated and everything is checked, all problems at once.

mod beams;
mod bodies;
mod controls;
mod events;
pub mod expected;
mod expressed;
mod forces;
mod joint_forces;
mod joints;
mod laws;
mod look;
mod modal;
mod motion;
mod options;
mod parameters;
mod parts;
mod points;
mod sensors;
mod solids;
mod start;
pub mod tables;

use std::collections::{HashMap, HashSet};

use nalgebra::Vector3;

use super::document::{Document, Problem};
use super::elements::{Element, Of};
use super::expression::Dimension;
use super::file::JointType;
use super::file_elements::OfBlock;
use super::files::Files;
use super::formula::{self, Need};
use super::number::{Names, Number, Parsed, Vector, not_a_name};
use super::settings;
use super::spec::{BodySpec, GROUND, JointSpec, Model};
use crate::mechanics::Function;

/// Name of the running index of repeated elements.
const INDEX: &str = "i";
/// Copies with mistakes that are made before the others are left out.
const MAX_WRONG_COPIES: usize = 100;
/// Most memory of the formulas of a model, in MB: one takes about a kB.
const MAX_FORMULAS: usize = 150;
/// Most copies of elements in a model.
const MAX_COPIES: f64 = 100_000.0;
/// Longest name of an element, in bytes: every copy has its own.
const LONGEST_NAME: usize = 200;

/// Evaluates numbers and collects what is wrong with them.
pub struct Evaluator {
    names: Names,
    /// True if every element of the file could be read, so that a name that is not found is wrong.
    complete: bool,
    /// Where the elements of a kind are in the model, by name: constant time, for models with many of them.
    places: HashMap<&'static str, HashMap<String, usize>>,
    /// Other names of bodies: the stations of beams.
    aliases: HashMap<String, String>,
    /// Copies made so far.
    copies: f64,
    /// Expressions that were read before.
    parsed: Parsed,
    /// Bytes of the formulas of time or state made so far.
    formulas: usize,
    /// Joints may be open in the positions of the bodies: something else closes them, or will.
    pub rough: bool,
    /// The element whose numbers are evaluated.
    element: expected::Element,
    /// Names of states and algebraic variables.
    variables: expressed::Variables,
    /// Named points.
    points: std::collections::BTreeMap<String, points::Point>,
    /// Files that the model names.
    files: Files,
    /// The files that lead to this part, and how many were read.
    including: Vec<String>,
    parts: usize,
    /// True for a part, whose run is that of the whole.
    is_part: bool,
    /// The end of the run.
    until: f64,
    /// Sensors that force laws may read, by name.
    readable: HashMap<String, super::elements::SensorKind>,
    /// Stops that events turn on and off: path, name, joint and numbers.
    sharp: Vec<(String, String, super::elements::At, super::elements::Stops)>,
    /// Parameters, tables and elements that are not known because they are wrong.
    wrong: HashSet<String>,
    /// What parts lose on their way into the model.
    pub notices: Vec<String>,
    /// Problems so far.
    pub problems: Vec<Problem>,
}

impl Evaluator {
    /// Evaluates the parameters, which may use each other.
    pub fn new(document: &Document) -> Self {
        let file = &document.file.parameters;
        let (names, mut problems) = (Names::new(), Vec::new());
        // Rows may use parameters that need no table, and other parameters may use tables.
        let (mut names, mut wrong) = parameters::evaluate(file, names);
        if !document.file.tables.is_empty() {
            let (tables, wrong_tables) = tables::evaluate(document, &names);
            problems = wrong_tables;
            let mut with = Names::new();
            with.tables = std::sync::Arc::new(tables);
            (names, wrong) = parameters::evaluate(file, with);
        }
        let problem = |name: &String, message, help: Option<&str>| Problem {
            path: format!("parameters.{name}"),
            message,
            help: help.map(str::to_string),
        };
        let bad_names = file
            .keys()
            .filter_map(|name| Some(problem(name, not_a_name(name)?, Some("choose another name"))));
        let (inputs, wrong_inputs) = parameters::inputs(&document.file.inputs, &names);
        names.inputs = Some(std::sync::Arc::new(inputs));
        problems.extend(wrong_inputs.into_iter().map(|(name, message)| Problem {
            path: format!("inputs.{name}"),
            message,
            help: None,
        }));
        let without = document.file.tables.keys().filter(|name| !names.tables.contains_key(*name));
        let missing = file.keys().filter(|name| !names.contains_key(*name)).chain(without);
        let missing: HashSet<String> = missing.chain(&document.gaps().names).cloned().collect();
        wrong.retain(|(_, e)| !parameters::unknown_name(e).is_some_and(|n| missing.contains(n)));
        problems.extend(bad_names.chain(wrong.into_iter().map(|(name, e)| problem(&name, e, None))));
        Evaluator {
            names,
            complete: true,
            places: HashMap::new(),
            aliases: HashMap::new(),
            copies: 0.0,
            parsed: Parsed::new(),
            formulas: 0,
            rough: false,
            element: expected::Element::default(),
            variables: expressed::Variables::default(),
            points: std::collections::BTreeMap::new(),
            files: document.files().clone(),
            including: Vec::new(),
            parts: 0,
            is_part: false,
            until: settings::DEFAULT_UNTIL,
            readable: HashMap::new(),
            sharp: Vec::new(),
            wrong: missing,
            notices: Vec::new(),
            problems,
        }
    }

    /// How many names are looked at for a message; fewer where there are many messages, so that none of them
    /// takes long.
    fn listed(&self) -> usize {
        if self.problems.len() < 50 { 1000 } else { 30 }
    }

    /// Adds a problem. What uses something wrong is not wrong itself.
    pub fn problem(&mut self, path: &str, message: impl Into<String>, help: &str) {
        let message = message.into();
        if parameters::unknown_name(&message).is_some_and(|name| self.wrong.contains(name)) {
            return;
        }
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Problem { path: path.to_string(), message, help });
    }

    /// A number; problems are noted and give NaN.
    pub fn number(&mut self, path: &str, x: &Number) -> f64 {
        if let Number::Value(x) = x
            && x.is_finite()
        {
            return *x;
        }
        self.number_in(path, x, self.expected(path))
    }

    /// A number of a dimension.
    pub(super) fn number_in(&mut self, path: &str, x: &Number, wanted: Option<Dimension>) -> f64 {
        let value = x.evaluate_in(&self.names, &mut self.parsed, wanted);
        value.map(|(x, _)| x).unwrap_or_else(|message| {
            self.problem(path, message, "");
            f64::NAN
        })
    }

    /// An optional number.
    pub fn option(&mut self, path: &str, x: &Option<Number>) -> Option<f64> {
        x.as_ref().map(|x| self.number(path, x))
    }

    /// An optional number that must be positive.
    fn positive_option(&mut self, path: &str, x: &Option<Number>) -> Option<f64> {
        let value = self.option(path, x)?;
        if value <= 0.0 {
            self.problem(path, format!("{value} is not positive"), "");
        }
        Some(value)
    }

    /// An optional number that must not be negative; zero if absent.
    fn not_negative(&mut self, path: &str, x: &Option<Number>) -> f64 {
        let value = self.option(path, x).unwrap_or(0.0);
        if value < 0.0 {
            self.problem(path, format!("{value} is negative"), "");
        }
        value
    }

    /// A function of time, or of time and state.
    fn function(&mut self, path: &str, x: &Number, need: Need) -> Function {
        let wanted = self.expected(path);
        let made = formula::function(x, &self.names, need, wanted).unwrap_or_else(|message| {
            let help = self.meant(path, &message);
            self.problem(path, message, &help);
            Function::Constant(0.0)
        });
        self.counted(path, made)
    }

    /// The function, if all of them together do not take too much memory.
    fn counted(&mut self, path: &str, made: Function) -> Function {
        if let Function::Custom(formula) = &made {
            self.formulas += formula.memory();
        }
        if self.formulas > 1_000_000 * MAX_FORMULAS {
            let message =
                format!("with this the formulas of time or state take more than {MAX_FORMULAS} MB of memory");
            self.problem(path, message, "make fewer copies, or write numbers");
            return Function::Constant(0.0);
        }
        made
    }

    /// Evaluates every entry of a list of fixed length at its own path.
    fn entries<T, U, const N: usize>(
        &mut self,
        path: &str,
        list: &[T; N],
        mut each: impl FnMut(&mut Self, &str, &T) -> U,
    ) -> [U; N] {
        let mut i = 0;
        list.each_ref().map(|x| {
            let path = format!("{path}[{i}]");
            i += 1;
            each(self, &path, x)
        })
    }

    /// Three functions of time.
    fn functions(&mut self, path: &str, x: &Vector) -> [Function; 3] {
        self.entries(path, x, |e, path, x| e.function(path, x, Need::Time))
    }

    pub(super) fn vector(&mut self, path: &str, x: &Vector) -> Vector3<f64> {
        self.entries(path, x, Self::number).into()
    }

    fn direction(&mut self, path: &str, x: &Vector) -> Vector3<f64> {
        let d = self.vector(path, x);
        if d.norm() < 1e-12 {
            self.problem(path, "an axis of length zero has no direction", "give a direction of any length");
            return Vector3::z();
        }
        d.normalize()
    }

    /// The model of a document. Problems are left in `self.problems`.
    pub fn model(&mut self, document: &Document, fallback_name: &str) -> Model {
        let file = &document.file;
        if file.version != 1 {
            self.problem(
                "version",
                format!("version {} of the format is not known", file.version),
                "this program reads version 1",
            );
        }
        let until = file.run.until.as_ref().and_then(|x| x.evaluate(&self.names).ok());
        if !self.is_part {
            self.until = until.unwrap_or(settings::DEFAULT_UNTIL);
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
        // Elements that could not be read are not missing.
        self.complete = !document.gaps().unnamed;
        self.points(&file.points, &model);
        if file.body.is_empty() && file.beam.is_empty() && file.include.is_empty() && document.is_readable() {
            self.problem("model", "the model has no bodies", "add a [[body]] section");
        }
        let mut moved = Vec::new();
        for (k, block) in file.body.iter().enumerate() {
            let path = format!("body[{k}]");
            self.repeat(&path, &block.count, |e| {
                let mut body = e.body(&path, block, &model);
                if document.is_part(&path) {
                    // Where it is may be what could not be read: no gap is measured from it.
                    body.position.fill(f64::NAN);
                }
                if let Some(modal) = e.modal(&path, block, &mut body) {
                    for node in &modal.nodes {
                        e.place("node", 0, &path, &node.body.name, "names of nodes are unique");
                    }
                    model.modal.push(modal);
                }
                moved.extend(e.motion(&path, block, &mut body));
                let help = "names of bodies are unique, and 'ground' is the inertial frame";
                if body.name == GROUND {
                    e.taken(&path, GROUND, help);
                }
                e.place("body", model.bodies.len(), &path, &body.name, help);
                model.bodies.push(body);
            });
        }
        for (k, block) in file.beam.iter().enumerate() {
            let path = format!("beam[{k}]");
            self.repeat(&path, &block.count, |e| e.beam(&path, block, &mut model));
        }
        for joint in moved {
            let help = "the motion of a body is a joint of this name";
            self.place("joint", model.joints.len(), "joint", &joint.name, help);
            model.joints.push(joint);
        }
        for (k, block) in file.include.iter().enumerate() {
            let path = format!("include[{k}]");
            self.repeat(&path, &block.count, |e| e.include(&path, block, &mut model));
        }
        self.start(file, &mut model);
        for (k, block) in file.joint.iter().enumerate() {
            let path = format!("joint[{k}]");
            self.element.angular = match block.kind {
                JointType::Prismatic => Some(false),
                JointType::Cylindrical => None,
                _ => Some(true),
            };
            self.repeat(&path, &block.count, |e| {
                let joint = e.joint(&path, block, &model);
                e.check_nodes(&path, &joint, &model);
                e.place("joint", model.joints.len(), &path, &joint.name, "names of joints are unique");
                if block.enabled == Some(false) {
                    model.disabled.push(Element::Joint(joint.name.clone()));
                }
                if block.drive_enabled == Some(false) {
                    model.disabled.push(Element::Drive(joint.name.clone()));
                }
                model.joints.push(joint);
            });
        }
        for (k, block) in file.gear.iter().enumerate() {
            let path = format!("gear[{k}]");
            self.repeat(&path, &block.count, |e| {
                let gear = e.gear(&path, block, &model);
                let help = "names of joints and gears are unique";
                if e.find("joint", &gear.name).is_some() {
                    e.taken(&path, &gear.name, help);
                }
                e.place("gear", model.gears.len(), &path, &gear.name, help);
                model.gears.push(gear);
            });
        }
        self.sensors_to_read(file, &model);
        self.variables(file);
        for (k, block) in file.force.iter().enumerate() {
            let path = format!("force[{k}]");
            self.element = expected::Element { angular: None, force: Some(block.kind) };
            self.repeat(&path, &block.count, |e| {
                let Some(force) = e.force(&path, block, &model) else { return };
                e.place("force", model.forces.len(), &path, &force.name, "names of forces are unique");
                if block.enabled == Some(false) {
                    model.disabled.push(Element::Force(force.name.clone()));
                }
                model.forces.push(force);
            });
        }
        self.expressed(file, &mut model);
        for (k, block) in file.control.iter().enumerate() {
            let path = format!("control[{k}]");
            self.repeat(&path, &block.count, |e| {
                let control = e.control(&path, block, &model);
                e.place(
                    "control",
                    model.controls.len(),
                    &path,
                    &control.name,
                    "names of controls are unique",
                );
                if block.enabled == Some(false) {
                    model.disabled.push(Element::Control(control.name.clone()));
                }
                model.controls.push(control);
            });
        }
        for (k, block) in file.sensor.iter().enumerate() {
            let path = format!("sensor[{k}]");
            self.repeat(&path, &block.count, |e| {
                let Some(sensor) = e.sensor(&path, block, &model) else { return };
                e.column(&path, &sensor, &model);
                e.place("sensor", model.sensors.len(), &path, &sensor.name, "names of sensors are unique");
                model.sensors.push(sensor);
            });
        }
        for (k, block) in file.event.iter().enumerate() {
            let path = format!("event[{k}]");
            self.repeat(&path, &block.count, |e| {
                let Some(event) = e.event(&path, block, &model) else { return };
                e.place("event", model.events.len(), &path, &event.name, "names of events are unique");
                model.events.push(event);
            });
        }
        self.stop_events(&mut model);
        if !self.is_part {
            self.weigh_moved(&mut model);
        }
        model
    }

    fn taken(&mut self, path: &str, name: &str, help: &str) {
        self.problem(&format!("{path}.name"), format!("the name '{name}' is taken"), help);
    }

    /// Notes where an element will be; its name must be the first of its kind.
    fn place(&mut self, kind: &'static str, at: usize, path: &str, name: &str, help: &str) {
        self.printable(&format!("{path}.name"), name);
        let places = self.places.entry(kind).or_default();
        if places.contains_key(name) {
            self.taken(path, name, help);
        } else {
            places.insert(name.to_string(), at);
        }
    }

    /// Names go to terminals and files.
    fn printable(&mut self, path: &str, name: &str) {
        if name.contains(char::is_control) {
            self.problem(
                path,
                format!("the name {name:?} has a control character"),
                "use visible characters",
            );
        }
    }

    /// Where an element is.
    fn find(&self, kind: &'static str, name: &str) -> Option<usize> {
        self.places.get(kind)?.get(name).copied()
    }

    pub(super) fn find_body<'m>(&self, model: &'m Model, name: &str) -> Option<&'m BodySpec> {
        let body = self.find("body", name).and_then(|i| model.bodies.get(i));
        body.or_else(|| self.find("node", name).and_then(|_| self.find_node(model, name)))
    }

    fn find_joint<'m>(&self, model: &'m Model, name: &str) -> Option<&'m JointSpec> {
        model.joints.get(self.find("joint", name)?)
    }

    /// Calls `each` once, or as often as `count` says with the index `i` (from 0) as a name for expressions.
    /// Problems of the first copy that has any are enough.
    fn repeat(&mut self, path: &str, count: &Option<Number>, mut each: impl FnMut(&mut Self)) {
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
        // Mistakes are told once; the other copies are made all the same, so that their names are known.
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

    /// A name with its braces filled in: `"rod{i}"`, `"rod{i+1}"`.
    fn name(&mut self, path: &str, text: &str) -> String {
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

    /// An optional name, with a problem if it is missing.
    fn needed(&mut self, path: &str, key: &str, text: &Option<String>, what: &str) -> Option<String> {
        match text {
            Some(text) => Some(self.name(&format!("{path}.{key}"), text)),
            None => {
                self.problem(path, format!("{what} has no {key}"), &format!("add {key} = \"..\""));
                None
            }
        }
    }

    /// The name of a body, `ground` included; a problem if there is none of that name.
    fn body_name(&mut self, path: &str, text: &str, model: &Model) -> String {
        let name = self.name(path, text);
        if let Some(node) = self.aliases.get(&name) {
            return node.clone();
        }
        let known = self.find("body", &name).is_some() || self.find("node", &name).is_some();
        if self.complete && name != GROUND && !known {
            let nodes = model.modal.iter().flat_map(|m| &m.nodes).map(|n| n.body.name.as_str());
            let mut stations: Vec<&str> = self.aliases.keys().map(String::as_str).collect();
            stations.sort_unstable();
            let bodies = model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]);
            let known = nodes.chain(stations).chain(bodies).take(self.listed());
            let message = crate::Error::unknown_name("body", &name, known).to_string();
            self.problem(path, message, "");
        }
        name
    }

    /// The name of a joint that has the wanted coordinate.
    fn coordinate(
        &mut self,
        path: &str,
        text: &str,
        of: Option<OfBlock>,
        model: &Model,
    ) -> super::elements::At {
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
            None if self.complete => {
                let known = model.joints.iter().map(|j| j.name.as_str()).take(self.listed());
                let message = crate::Error::unknown_name("joint", &joint, known).to_string();
                self.problem(path, message, "");
            }
            None => {}
        }
        super::elements::At { joint, of }
    }

    /// Notes keys that are given but have no meaning for this type.
    fn unused(&mut self, path: &str, kind: &str, given: &[(&str, bool)], used: &[&str]) {
        for (key, present) in given {
            if *present && !used.contains(key) {
                self.problem(
                    &format!("{path}.{key}"),
                    format!("'{key}' does not apply to {kind}"),
                    &format!("it knows {}", used.join(", ")),
                );
            }
        }
    }
}
