//! Converts a file to a model. It evaluates expressions, checks everything and reports all problems at once.

mod beams;
mod bodies;
mod controls;
mod doubtful;
mod drives;
mod events;
pub mod expected;
mod expressed;
mod forces;
mod joints;
mod laws;
mod look;
mod modal;
mod motion;
mod names;
mod options;
mod parameters;
mod parts;
mod points;
mod sections;
mod sensors;
mod settings;
mod solids;
mod start;
pub mod tables;

use std::collections::{HashMap, HashSet};

use nalgebra::Vector3;

use super::document::{Document, Problem};
use super::expression::Dimension;
use super::file_run;
use super::files::Files;
use super::formula::{self, Need};
use super::number::{Names, Number, Parsed, Vector, not_a_name};
use super::spec::Model;
use crate::mechanics::Function;

/// The largest memory of the formulas of a model, in MB. A formula takes about one kB.
const MAX_FORMULAS: usize = 150;
/// Evaluates numbers and collects problems.
pub struct Evaluator {
    names: Names,
    /// Sections with elements that could not be read. A name that is not found may belong to one of them. ""
    /// means all sections.
    incomplete: HashSet<String>,
    /// The places of elements in the model, by kind and name. A search takes constant time, also in large
    /// models.
    places: HashMap<&'static str, HashMap<String, usize>>,
    /// Other names of bodies, which are the stations of beams.
    aliases: HashMap<String, String>,
    /// The number of copies so far.
    copies: f64,
    /// The expressions that have been parsed already.
    parsed: Parsed,
    /// The bytes of all formulas of time or state so far.
    formulas: usize,
    /// True if joints may be open in the given positions, because they are closed later.
    pub rough: bool,
    /// The element whose numbers are evaluated.
    element: expected::KnownElement,
    /// The names of states and algebraic variables.
    variables: expressed::Variables,
    /// The named points.
    points: HashMap<String, points::NamedPoint>,
    /// The files that the model names.
    files: Files,
    /// The chain of files that includes this part, and the number of files read.
    including: Vec<String>,
    parts: usize,
    /// True for a part. A part uses the run settings of the whole model.
    is_part: bool,
    /// The end of the run.
    until: f64,
    /// The sensors for force laws, by name.
    readable: HashMap<String, super::elements::SensorKind>,
    /// The stops that events turn on and off: path, name, joint and numbers.
    pub(super) sharp: Vec<(String, String, super::elements::At, super::elements::Stops)>,
    /// Parameters, tables and elements that are unknown because their definitions have errors.
    wrong: HashSet<String>,
    /// The messages about parts that have been reported already.
    said: HashSet<String>,
    /// Bodies whose inertia is unknown because its definition has an error.
    unfinished: HashSet<String>,
    /// Notices for the user, for example about data of parts that are not used in the model.
    pub notices: Vec<String>,
    /// The problems so far.
    pub problems: Vec<Problem>,
}

impl Evaluator {
    /// Evaluates the parameters. They may use each other.
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
            incomplete: HashSet::new(),
            places: HashMap::new(),
            aliases: HashMap::new(),
            copies: 0.0,
            parsed: Parsed::new(),
            formulas: 0,
            rough: false,
            element: expected::KnownElement::default(),
            variables: expressed::Variables::default(),
            points: HashMap::new(),
            files: document.files().clone(),
            including: Vec::new(),
            parts: 0,
            is_part: false,
            until: file_run::DEFAULT_UNTIL,
            readable: HashMap::new(),
            sharp: Vec::new(),
            wrong: missing,
            said: HashSet::new(),
            unfinished: HashSet::new(),
            notices: Vec::new(),
            problems,
        }
    }

    /// True if all elements of these sections could be read. A name that is not found is then an error.
    fn complete(&self, sections: &[&str]) -> bool {
        !sections.iter().chain(&["", "include"]).any(|section| self.incomplete.contains(*section))
    }

    /// The number of names that are searched for a message. It is smaller if there are many messages, so that
    /// none of them takes long.
    fn listed(&self) -> usize {
        if self.problems.len() < 50 { 1000 } else { 30 }
    }

    /// Adds a problem. An entry that uses a wrong entry is not reported.
    pub fn problem(&mut self, path: &str, message: impl Into<String>, help: &str) {
        let message = message.into();
        if parameters::unknown_name(&message).is_some_and(|name| self.wrong.contains(name)) {
            return;
        }
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Problem { path: path.to_string(), message, help });
    }

    /// Evaluates a number. If there is a problem, it is recorded and the number is NaN.
    pub fn number(&mut self, path: &str, x: &Number) -> f64 {
        if let Number::Value(x) = x
            && x.is_finite()
        {
            return *x;
        }
        self.number_in(path, x, self.expected(path))
    }

    /// Evaluates a number that must have a dimension.
    pub(super) fn number_in(&mut self, path: &str, x: &Number, wanted: Option<Dimension>) -> f64 {
        let value = x.evaluate_in(&self.names, &mut self.parsed, wanted);
        value.map(|(x, _)| x).unwrap_or_else(|message| {
            self.problem(path, message, "");
            f64::NAN
        })
    }

    /// Evaluates an optional number.
    pub fn option(&mut self, path: &str, x: &Option<Number>) -> Option<f64> {
        x.as_ref().map(|x| self.number(path, x))
    }

    /// Evaluates an optional number that must be positive.
    pub(super) fn positive_option(&mut self, path: &str, x: &Option<Number>) -> Option<f64> {
        let value = self.option(path, x)?;
        if value <= 0.0 {
            self.problem(path, format!("{value} is not positive"), "");
        }
        Some(value)
    }

    /// Evaluates an optional number that must not be negative. It is zero if absent.
    pub(super) fn not_negative(&mut self, path: &str, x: &Option<Number>) -> f64 {
        let value = self.option(path, x).unwrap_or(0.0);
        if value < 0.0 {
            self.problem(path, format!("{value} is negative"), "");
        }
        value
    }

    /// Makes a function of time, or of time and state.
    pub(super) fn function(&mut self, path: &str, x: &Number, need: Need) -> Function {
        let wanted = self.expected(path);
        let [coordinate, _] = self.coordinate_and_effort();
        let made = formula::function(x, &self.names, need, wanted, coordinate).unwrap_or_else(|message| {
            let help = self.meant(path, &message);
            self.problem(path, message, &help);
            Function::Constant(0.0)
        });
        self.counted(path, made)
    }

    /// Returns the function, unless all formulas together take too much memory.
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

    /// Makes three functions of time.
    pub(super) fn functions(&mut self, path: &str, x: &Vector) -> [Function; 3] {
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

    /// Makes the model of a document and collects problems in `self.problems`. Sections can refer to sections
    /// that are read earlier.
    pub fn model(&mut self, document: &Document, fallback_name: &str) -> Model {
        let file = &document.file;
        let mut model = self.head(file, fallback_name);
        // Elements that could not be read are not reported as missing.
        self.incomplete.clone_from(&document.gaps().unnamed);
        self.points(&file.points, &model);
        if file.body.is_empty() && file.beam.is_empty() && file.include.is_empty() && document.is_readable() {
            self.problem("model", "the model has no bodies", "add a [[body]] section");
        }
        self.bodies_and_beams(document, &mut model);
        for (k, block) in file.include.iter().enumerate() {
            let path = format!("include[{k}]");
            self.repeat(&path, &block.count, &mut |e| e.include(&path, block, &mut model));
        }
        self.start(file, &mut model);
        self.joints(file, &mut model);
        self.gears(file, &mut model);
        self.sensors_to_read(file, &model);
        self.variables(file);
        self.forces(file, &mut model);
        self.expressed(file, &mut model);
        self.controls(file, &mut model);
        self.sensors(file, &mut model);
        self.events(file, &mut model);
        self.stop_events(&mut model);
        if !self.is_part {
            self.doubtful(&model);
            self.weigh_moved(&mut model);
        }
        model
    }

    /// Reports keys that are given but have no meaning for this type.
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
