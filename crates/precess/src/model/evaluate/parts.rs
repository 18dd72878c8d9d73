//! Reads `[[include]]`: other files become parts, with new positions and names.

use nalgebra::{UnitQuaternion, Vector3};

use super::Evaluator;
use crate::Error;
use crate::mechanics::function::MAX_READ;
use crate::model::diagnostic::Diagnostics;
use crate::model::document::Document;
use crate::model::elements::ForceKind;
use crate::model::expression::{Dimension, Kind};
use crate::model::file_parts::IncludeBlock;
use crate::model::number::Number;
use crate::model::placement::Placement;
use crate::model::spec::{GROUND, Model};
use crate::model::{mjcf, urdf};

/// The largest depth of nested parts.
const DEEPEST: usize = 16;
/// Largest number of files read for one model, counting each copy.
const MOST_PARTS: usize = 2000;
/// Largest number of elements of a model with all its parts.
const MOST_ELEMENTS: usize = 200_000;
/// The largest number of mistakes that are shown for a part.
const SHOWN: usize = 20;
/// The beginning of a message about mistakes in a part.
const WITHIN: &str = "the part cannot be used:";

/// Returns the text of a model file, with notes on omitted data. A robot description is converted to a model
/// file.
fn robot(name: &str, text: String) -> Result<(String, Vec<String>), String> {
    let import = match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("urdf") => urdf::import(name, &text, &urdf::ImportOptions::default()),
        Some("xml") => mjcf::import(name, &text),
        _ => return Ok((text, Vec::new())),
    };
    let losses = |robot: &urdf::Import| {
        robot.notes.losses().iter().map(|lost| format!("part '{name}': {lost}")).collect()
    };
    import.map(|robot| (robot.to_toml(), losses(&robot))).map_err(|e| mistakes(name, &e))
}

/// The first mistakes of a part, one per line with their places.
fn mistakes(file: &str, e: &Diagnostics) -> String {
    let lines = e.list.iter().take(SHOWN).map(|d| match e.line_and_column(d) {
        // If this part includes a part with a mistake, the message already has its place.
        _ if d.message.starts_with(WITHIN) => d.message.trim_start_matches(WITHIN).to_string(),
        Some((line, column)) => format!("\n  {file}:{line}:{column}: {}", d.message),
        None => format!("\n  {file}: {}", d.message),
    });
    let more = match e.list.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!("\n  and {n} more"),
    };
    format!("{WITHIN}{}{more}", lines.collect::<String>())
}

impl Evaluator {
    /// Adds a part to the model.
    pub(super) fn include(&mut self, path: &str, block: &IncludeBlock, model: &mut Model) {
        let prefix = block.prefix.as_deref().unwrap_or("");
        let prefix = self.name(&format!("{path}.prefix"), prefix);
        self.printable(&format!("{path}.prefix"), &prefix);
        let mirror = block.mirror.as_ref().map(|n| self.axis(&format!("{path}.mirror"), n, model));
        let rotation = block.rotation.as_ref().map(|r| self.rotation(&format!("{path}.rotation"), r, model));
        let position = block.position.as_ref().map(|p| self.point(&format!("{path}.position"), p, model));
        let ground = block.ground.as_ref().map(|g| self.body_name(&format!("{path}.ground"), g, model));
        let placement = Placement {
            prefix,
            ground: ground.unwrap_or_else(|| GROUND.to_string()),
            mirror,
            rotation: rotation.unwrap_or_else(UnitQuaternion::identity),
            position: position.unwrap_or_else(Vector3::zeros),
        };
        let Some(part) = self.part(path, block) else {
            // Uses of elements of this part are not reported as errors.
            self.incomplete.insert("include".to_string());
            return;
        };
        if let (Some(_), Some(modal)) = (&placement.mirror, part.modal.first()) {
            let message = format!("body '{}' deforms in modes, which cannot be mirrored", modal.name);
            self.problem(&format!("{path}.mirror"), message, "mirror the file of its modes");
        }
        if placement.ground != GROUND && reads_coordinates(&part) {
            self.problem(
                &format!("{path}.ground"),
                "expressions of this part read coordinates in space, and its ground moves",
                "use distances and joint coordinates",
            );
        }
        let placed = placement.placed(&part);
        for force in &placed.forces {
            if let ForceKind::Law(law) = &force.kind
                && law.signals.len() > MAX_READ
            {
                let message = format!(
                    "where the part is put, force '{}' reads more than {MAX_READ} signals",
                    force.name
                );
                self.problem(path, message, "write several forces, or turn the part about one of its axes");
            }
        }
        let size =
            |m: &Model| m.bodies.len() + m.joints.len() + m.forces.len() + m.sensors.len() + m.events.len();
        if size(model) + size(&placed) > MOST_ELEMENTS {
            let message = format!("with this part the model has more than {MOST_ELEMENTS} elements");
            self.problem(path, message, "make fewer copies");
            self.parts = MOST_PARTS;
            return;
        }
        self.append(path, placed, model);
    }

    /// Adds the elements of a part. Their names must be new.
    fn append(&mut self, path: &str, part: Model, model: &mut Model) {
        let help = "give the part its own prefix";
        macro_rules! take {
            ($list:ident, $kind:literal) => {
                for element in part.$list {
                    self.record_name($kind, model.$list.len(), &format!("{path}.file"), &element.name, help);
                    model.$list.push(element);
                }
            };
        }
        for node in part.modal.iter().flat_map(|m| &m.nodes) {
            self.record_name("node", 0, &format!("{path}.file"), &node.body.name, help);
        }
        model.modal.extend(part.modal);
        take!(beams, "beam");
        take!(bodies, "body");
        take!(joints, "joint");
        take!(gears, "gear");
        take!(constraints, "constraint");
        take!(forces, "force");
        take!(controls, "control");
        take!(sensors, "sensor");
        take!(events, "event");
        // The names of states are also names of sensors.
        model.states.extend(part.states);
        model.algebraic.extend(part.algebraic);
        model.disabled.extend(part.disabled);
        model.start.extend(part.start);
        model.partial.extend(part.partial);
        // An input belongs to the whole model. The outer file gives its initial value.
        for (name, value) in part.inputs {
            model.inputs.entry(name).or_insert(value);
        }
    }

    /// Adds notices. Each one is added only once.
    pub(super) fn notice(&mut self, list: Vec<String>) {
        for notice in list {
            if !self.notices.contains(&notice) {
                self.notices.push(notice);
            }
        }
    }

    /// Makes the model of a part in its own frame.
    fn part(&mut self, path: &str, block: &IncludeBlock) -> Option<Model> {
        let at = format!("{path}.file");
        let file = self.files.path_from_model(&block.file);
        let circle = self.including.contains(&file);
        if circle || self.including.len() >= DEEPEST {
            let list = self.including.join(" > ");
            let message = match circle {
                true => format!("'{file}' includes itself: {list} > {file}"),
                false => format!("parts are nested more than {DEEPEST} deep: {list}"),
            };
            self.problem(&at, message, "");
            return None;
        }
        if self.parts >= MOST_PARTS {
            self.problem(&at, format!("the model has more than {MOST_PARTS} parts"), "make fewer copies");
            return None;
        }
        self.parts += 1;
        let text = match self.files.text(&block.file) {
            Ok(text) => text,
            Err(message) => {
                self.problem(&at, message, "");
                return None;
            }
        };
        let text = match robot(&file, text) {
            Ok((text, losses)) => {
                self.notice(losses);
                text
            }
            Err(message) => {
                self.problem(&at, message, "");
                return None;
            }
        };
        let mut document = Document::parse_with(&file, &text, &[], self.files.of_part(&block.file));
        self.set_parameters(path, block, &mut document);
        let mut inner = Evaluator::new(&document);
        inner.including = self.including.iter().cloned().chain([file.clone()]).collect();
        (inner.parts, inner.copies, inner.formulas) = (self.parts, self.copies, self.formulas);
        inner.until = self.until;
        inner.is_part = true;
        inner.rough = self.rough;
        let model = inner.model(&document, &file);
        (self.parts, self.copies, self.formulas) = (inner.parts, inner.copies, inner.formulas);
        self.notice(std::mem::take(&mut inner.notices));
        match document.locate(inner.problems) {
            Ok(()) => Some(model),
            Err(e) => {
                let message = mistakes(&file, &e);
                // Another copy of the part has the same mistakes. They are reported once.
                if self.said.insert(message.clone()) {
                    self.problem(&at, message, "");
                }
                None
            }
        }
    }
}

impl Evaluator {
    /// Gives the parameters of a part the values from its `[[include]]`.
    fn set_parameters(&mut self, path: &str, block: &IncludeBlock, document: &mut Document) {
        if block.parameters.is_empty() {
            return;
        }
        let own = Evaluator::new(document).names;
        let file = document.name().to_string();
        for (name, value) in &block.parameters {
            let at = format!("{path}.parameters.{name}");
            match document.file.parameters.get_mut(name) {
                Some(parameter) => {
                    if let Some(value) = self.with_unit(&at, value, own.dimensions.get(name), &file) {
                        *parameter = value;
                    }
                }
                None => {
                    let known = document.file.parameters.keys().map(String::as_str);
                    let message = Error::unknown_name("parameter", name, known);
                    self.problem(&at, format!("{file}: {message}"), "");
                }
            }
        }
    }

    /// The value of a parameter of a part, with its unit if it has one. Returns `None` after a problem.
    fn with_unit(&mut self, path: &str, x: &Number, own: Option<&Dimension>, file: &str) -> Option<Number> {
        Some(match x.evaluate_in(&self.names, &mut self.parsed, None) {
            Ok((_, Kind::Known(found))) if own.is_some_and(|own| !found.fits(*own)) => {
                let own = own.map_or_else(String::new, Dimension::to_string);
                self.problem(path, format!("it is {found}, but in {file} it is {own}"), "");
                return None;
            }
            Ok((x, Kind::Known(dimension))) => match dimension.unit() {
                Some(unit) => Number::Text(format!("{x:?} {unit}")),
                None => Number::Value(x),
            },
            Ok((x, _)) => Number::Value(x),
            Err(message) => {
                self.problem(path, message, "");
                return None;
            }
        })
    }
}

/// True if an expression of a part uses a coordinate of a point.
fn reads_coordinates(part: &Model) -> bool {
    use crate::model::elements::ForceKind;
    use crate::model::expressed::{ExpressedSpec, MeasuredSpec, VariableSpec};
    let is_place = |m: &MeasuredSpec| matches!(m, MeasuredSpec::Place { .. });
    let reads = |e: &ExpressedSpec| {
        e.variables.iter().any(|v| matches!(v, VariableSpec::Value(m) | VariableSpec::Rate(m) if is_place(m)))
    };
    part.constraints.iter().any(|c| reads(&c.equation))
        || part.states.iter().any(|s| reads(&s.rate))
        || part.algebraic.iter().any(|s| reads(&s.equation))
        || part.forces.iter().any(|f| match &f.kind {
            ForceKind::Potential(potential) => reads(&potential.expression),
            ForceKind::Push(push) => is_place(&push.driven) || reads(&push.expression),
            _ => false,
        })
}
