//! From a file to a model: expressions are evaluated and everything is checked, all problems at once.

mod bodies;
mod controls;
mod events;
mod forces;
mod joints;
mod sensors;

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::document::{Document, Problem};
use super::elements::{Element, Of};
use super::file::Rotation;
use super::file_elements::{OfBlock, Place};
use super::formula::{self, Need};
use super::number::{Names, Number, Vector, not_a_name};
use super::spec::{GROUND, Model};
use crate::mechanics::Function;

/// Name of the running index of repeated elements.
const INDEX: &str = "i";
/// Most copies of an element.
const MAX_COUNT: f64 = 1e6;
/// Most names that are listed in a message.
const MAX_LISTED: usize = 30;

/// Evaluates numbers and collects what is wrong with them.
pub struct Evaluator {
    names: Names,
    /// True if every element of the file could be read, so that a name that is not found is wrong.
    complete: bool,
    /// Problems so far.
    pub problems: Vec<Problem>,
}

impl Evaluator {
    /// Evaluates the parameters, which may use each other.
    pub fn new(document: &Document) -> Self {
        let mut names = Names::new();
        let mut left: Vec<(&String, &Number)> = document.file.parameters.iter().collect();
        let mut problems = Vec::new();
        for (name, _) in &left {
            if let Some(message) = not_a_name(name) {
                let help = Some("choose another name".to_string());
                problems.push(Problem { path: format!("parameters.{name}"), message, help });
            }
        }
        loop {
            let before = left.len();
            let mut errors = Vec::new();
            left.retain(|(name, number)| match number.evaluate(&names) {
                Ok(x) => {
                    names.insert((*name).clone(), x);
                    false
                }
                Err(e) => {
                    errors.push((*name, e));
                    true
                }
            });
            if left.is_empty() || left.len() == before {
                for (name, message) in errors {
                    problems.push(Problem { path: format!("parameters.{name}"), message, help: None });
                }
                return Evaluator { names, complete: true, problems };
            }
        }
    }

    /// Adds a problem.
    pub fn problem(&mut self, path: &str, message: impl Into<String>, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Problem { path: path.to_string(), message: message.into(), help });
    }

    /// A number; problems are noted and give NaN.
    pub fn number(&mut self, path: &str, x: &Number) -> f64 {
        x.evaluate(&self.names).unwrap_or_else(|message| {
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
        formula::function(x, &self.names, need).unwrap_or_else(|message| {
            self.problem(path, message, "");
            Function::Constant(0.0)
        })
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

    fn vector(&mut self, path: &str, x: &Vector) -> Vector3<f64> {
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

    fn rotation(&mut self, path: &str, r: &Rotation) -> UnitQuaternion<f64> {
        match r {
            Rotation::Quaternion(x) => {
                let [w, x, y, z] = self.entries(path, x, Self::number);
                let q = Quaternion::new(w, x, y, z);
                if (q.norm() - 1.0).abs() > 1e-6 {
                    self.problem(
                        path,
                        format!("the quaternion has length {}, not 1", q.norm()),
                        "divide its entries by its length, or use { axis = .., angle = .. }",
                    );
                    return UnitQuaternion::identity();
                }
                UnitQuaternion::from_quaternion(q)
            }
            Rotation::AxisAngle { axis, angle } => {
                let axis = self.direction(&format!("{path}.axis"), axis);
                let angle = self.number(&format!("{path}.angle"), angle);
                UnitQuaternion::from_scaled_axis(axis * angle)
            }
            Rotation::Axes { x_axis, y_axis } => {
                let x = self.direction(&format!("{path}.x_axis"), x_axis);
                let y = self.direction(&format!("{path}.y_axis"), y_axis);
                let z = x.cross(&y);
                if z.norm() < 1e-6 {
                    self.problem(
                        path,
                        "x_axis and y_axis are parallel",
                        "give two directions that span a plane",
                    );
                    return UnitQuaternion::identity();
                }
                let z = z.normalize();
                let m = Matrix3::from_columns(&[x, z.cross(&x), z]);
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(m))
            }
        }
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
        let mut model = Model::new(file.model.name.as_deref().unwrap_or(fallback_name));
        if let Some(g) = &file.model.gravity {
            model.gravity = self.vector("model.gravity", g);
        }
        model.length_scale = self.option("model.length_scale", &file.model.length_scale);
        if model.length_scale.is_some_and(|l| l <= 0.0) {
            self.problem("model.length_scale", "a length scale is positive", "");
        }
        if file.body.is_empty() && document.is_readable() {
            self.problem("model", "the model has no bodies", "add a [[body]] section");
        }
        // Elements that could not be read are not missing.
        self.complete = document.is_readable();
        for (k, block) in file.body.iter().enumerate() {
            let path = format!("body[{k}]");
            self.repeat(&path, &block.count, |e| {
                let body = e.body(&path, block);
                let taken = body.name == GROUND || model.bodies.iter().any(|b| b.name == body.name);
                e.taken(
                    taken,
                    &path,
                    &body.name,
                    "names of bodies are unique, and 'ground' is the inertial frame",
                );
                model.bodies.push(body);
            });
        }
        for (k, block) in file.joint.iter().enumerate() {
            let path = format!("joint[{k}]");
            self.repeat(&path, &block.count, |e| {
                let joint = e.joint(&path, block, &model);
                let taken = model.joints.iter().any(|j| j.name == joint.name);
                e.taken(taken, &path, &joint.name, "names of joints are unique");
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
            let gear = self.gear(&path, block, &model);
            let taken = model.gears.iter().any(|g| g.name == gear.name)
                || model.joints.iter().any(|j| j.name == gear.name);
            self.taken(taken, &path, &gear.name, "names of joints and gears are unique");
            model.gears.push(gear);
        }
        for (k, block) in file.force.iter().enumerate() {
            let path = format!("force[{k}]");
            self.repeat(&path, &block.count, |e| {
                let Some(force) = e.force(&path, block, &model) else { return };
                let taken = model.forces.iter().any(|f| f.name == force.name);
                e.taken(taken, &path, &force.name, "names of forces are unique");
                if block.enabled == Some(false) {
                    model.disabled.push(Element::Force(force.name.clone()));
                }
                model.forces.push(force);
            });
        }
        for (k, block) in file.control.iter().enumerate() {
            let path = format!("control[{k}]");
            let control = self.control(&path, block, &model);
            let taken = model.controls.iter().any(|c| c.name == control.name);
            self.taken(taken, &path, &control.name, "names of controls are unique");
            if block.enabled == Some(false) {
                model.disabled.push(Element::Control(control.name.clone()));
            }
            model.controls.push(control);
        }
        for (k, block) in file.sensor.iter().enumerate() {
            let path = format!("sensor[{k}]");
            self.repeat(&path, &block.count, |e| {
                let Some(sensor) = e.sensor(&path, block, &model) else { return };
                let taken = model.sensors.iter().any(|s| s.name == sensor.name);
                e.taken(taken, &path, &sensor.name, "names of sensors are unique");
                model.sensors.push(sensor);
            });
        }
        for (k, block) in file.event.iter().enumerate() {
            let path = format!("event[{k}]");
            let Some(event) = self.event(&path, block, &model) else { continue };
            let taken = model.events.iter().any(|e| e.name == event.name);
            self.taken(taken, &path, &event.name, "names of events are unique");
            model.events.push(event);
        }
        model
    }

    fn taken(&mut self, taken: bool, path: &str, name: &str, help: &str) {
        if taken {
            self.problem(&format!("{path}.name"), format!("the name '{name}' is taken"), help);
        }
    }

    /// Calls `each` once, or as often as `count` says with the index `i` (from 0) as a name for expressions. Problems of
    /// the first copy that has any are enough.
    fn repeat(&mut self, path: &str, count: &Option<Number>, mut each: impl FnMut(&mut Self)) {
        let Some(count) = count else { return each(self) };
        let path = format!("{path}.count");
        let n = self.number(&path, count);
        if !((0.0..=MAX_COUNT).contains(&n) && n.fract() == 0.0) {
            if !n.is_nan() {
                self.problem(&path, format!("{n} is not a whole number from 0 to {MAX_COUNT}"), "");
            }
            return;
        }
        if self.names.contains_key(INDEX) {
            self.problem(&path, "a parameter has the name 'i' of the running index", "rename the parameter");
            return;
        }
        let before = self.problems.len();
        for i in 0..n as usize {
            self.names.insert(INDEX.to_string(), i as f64);
            each(self);
            if self.problems.len() > before {
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
        if self.complete && name != GROUND && !model.bodies.iter().any(|b| b.name == name) {
            let known = model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]).take(MAX_LISTED);
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
        let of = match of {
            None => Of::Default,
            Some(OfBlock::Angle) => Of::Angle,
            Some(OfBlock::Displacement) => Of::Displacement,
        };
        match model.joints.iter().find(|j| j.name == joint) {
            Some(spec) => {
                let (angle, displacement) = (spec.kind.has_angle(), spec.kind.has_displacement());
                let found = match of {
                    Of::Default => angle || displacement,
                    Of::Angle => angle,
                    Of::Displacement => displacement,
                };
                if !found {
                    self.problem(
                        path,
                        format!("joint '{joint}' has no such coordinate"),
                        "revolute and planar joints have an angle, prismatic ones a displacement, cylindrical ones both",
                    );
                }
            }
            None if self.complete => {
                let known = model.joints.iter().map(|j| j.name.as_str()).take(MAX_LISTED);
                let message = crate::Error::unknown_name("joint", &joint, known).to_string();
                self.problem(path, message, "");
            }
            None => {}
        }
        super::elements::At { joint, of }
    }

    /// A point at t = 0, given by coordinates or as a marker.
    fn point(&mut self, path: &str, place: &Place, model: &Model) -> Vector3<f64> {
        match place {
            Place::Point(x) => self.vector(path, x),
            Place::Marker(name) => self.marker(path, name, model).0,
        }
    }

    /// A direction at t = 0, given by components or as the z axis of a marker.
    fn axis(&mut self, path: &str, place: &Place, model: &Model) -> Vector3<f64> {
        match place {
            Place::Point(x) => self.direction(path, x),
            Place::Marker(name) => self.marker(path, name, model).1.column(2).into_owned(),
        }
    }

    fn marker(&mut self, path: &str, name: &str, model: &Model) -> (Vector3<f64>, Matrix3<f64>) {
        let name = self.name(path, name);
        model.marker(&name).unwrap_or_else(|| {
            if self.complete {
                let known: Vec<String> = model
                    .bodies
                    .iter()
                    .flat_map(|b| b.markers.iter().map(|m| format!("{}.{}", b.name, m.name)))
                    .take(MAX_LISTED)
                    .collect();
                let message =
                    crate::Error::unknown_name("marker", &name, known.iter().map(String::as_str)).to_string();
                self.problem(
                    path,
                    message,
                    "write \"body.marker\" with a marker of [[body]] markers = { .. }",
                );
            }
            (Vector3::zeros(), Matrix3::identity())
        })
    }

    /// Notes keys that are given but have no meaning for this type.
    fn unused(&mut self, path: &str, kind: &str, given: &[(&str, bool)], used: &[&str]) {
        for (key, present) in given {
            if *present && !used.contains(key) {
                self.problem(
                    &format!("{path}.{key}"),
                    format!("'{key}' means nothing for {kind}"),
                    &format!("it knows {}", used.join(", ")),
                );
            }
        }
    }
}
