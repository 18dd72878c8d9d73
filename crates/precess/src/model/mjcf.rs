//! Import of models described in MJCF, the format of MuJoCo.
//!
//! Bodies, joints, geoms, sites, actuators and equalities that have a counterpart become blocks of a model
//! file, with global positions at t = 0 (the reference pose). Inertia comes from `inertial`, or from the
//! geoms. Several joints of one body follow each other, with light bodies between them. Contacts, tendons,
//! soft constraints and everything else are listed in [`Notes`], never dropped silently.

mod actuators;
mod attributes;
mod geoms;
mod joints;
mod unread;

use std::collections::{HashMap, HashSet};

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, Vector3};
use toml::{Table, Value};

use self::attributes::{AttributeReader, Defaults};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::Document;
use super::inertia::{MassProperties, impossible, principal_moments};
use super::spec::GROUND;
use super::urdf::Ignored;
use super::urdf::xml::{self, XmlElement};
pub use super::urdf::{Import, Notes};

/// Largest number of bodies.
const MOST: usize = 100_000;

/// Reads an MJCF. All problems are reported at once, with their positions in the text.
pub fn import(file_name: &str, text: &str) -> Result<Import, Diagnostics> {
    let mut problems = Vec::new();
    let import = convert(file_name, text, &mut problems);
    match import {
        Some(import) if problems.is_empty() => Ok(import),
        _ => Err(Diagnostics::new(file_name, text, problems)),
    }
}

/// A list of numbers as a TOML value; round-off of rotations becomes zero.
fn numbers(list: &[f64]) -> Value {
    let size = list.iter().fold(0.0_f64, |m, x| if x.abs() > m { x.abs() } else { m });
    let tidy = |x: &f64| Value::Float(if x.abs() <= 1e-15 * size { 0.0 } else { *x });
    Value::Array(list.iter().map(tidy).collect())
}

fn block(entries: Vec<(&str, Value)>) -> Value {
    let mut table = Table::new();
    for (key, value) in entries {
        table.insert(key.to_string(), value);
    }
    Value::Table(table)
}

/// A joint of the model file, for elements that act on it.
#[derive(Clone, Debug)]
struct JointPlace {
    /// Its block, and whether it has a coordinate.
    block: String,
    single: bool,
}

struct Convert<'a> {
    reader: AttributeReader<'a>,
    defaults: Defaults,
    notes: Notes,
    ignored: Ignored,
    lists: Vec<(&'static str, Vec<Value>)>,
    parameters: Table,
    /// Poses of bodies.
    frames: HashMap<String, (Isometry3<f64>, Vector3<f64>)>,
    joints: HashMap<String, JointPlace>,
    names: HashSet<String>,
    bodies: usize,
}

fn convert(file_name: &str, text: &str, problems: &mut Vec<Diagnostic>) -> Option<Import> {
    let root = xml::parse(text).map_err(|e| problems.push(e)).ok()?;
    let mut reader = AttributeReader::new(problems);
    if root.name != "mujoco" {
        reader.problem(&root, format!("the root element is <{}>, an MJCF has <mujoco>", root.name), "");
        return None;
    }
    reader.compiler(&root);
    let mut c = Convert {
        defaults: Defaults::read(&root),
        reader,
        notes: Notes::default(),
        ignored: Ignored::default(),
        lists: Vec::new(),
        parameters: Table::new(),
        frames: HashMap::new(),
        joints: HashMap::new(),
        names: HashSet::new(),
        bodies: 0,
    };
    let mut gravity = [0.0, 0.0, -9.81];
    for e in root.children.iter().filter(|e| e.name == "option") {
        if let Some(g) = c.reader.list::<3>(e, "gravity") {
            gravity = g;
        }
    }
    for e in root.children.iter().filter(|e| e.name == "worldbody") {
        c.children(e, GROUND, &Isometry3::identity(), "", 0);
    }
    for e in &root.children {
        match e.name.as_str() {
            "worldbody" | "compiler" | "option" | "default" | "asset" | "visual" | "size" | "statistic" => {}
            "actuator" => e.children.iter().for_each(|a| c.actuator(a)),
            "equality" => e.children.iter().for_each(|a| c.equality(a)),
            _ => c.ignore(&format!("<{}>", e.name), e.attribute("name").unwrap_or("")),
        }
    }
    for e in &root.children {
        match e.name.as_str() {
            "worldbody" | "actuator" | "option" | "compiler" | "default" => c.unread(e, ""),
            _ => {}
        }
    }
    if c.bodies == 0 {
        c.reader.problem(&root, "nothing moves: there is no <body>".to_string(), "");
    }
    let mut document = Table::new();
    let name = root.attribute("model").unwrap_or("mujoco");
    let entries = vec![("name", name.into()), ("gravity", numbers(&gravity))];
    document.insert("model".into(), block(entries));
    document.insert("parameters".into(), Value::Table(c.parameters));
    for (key, list) in c.lists {
        document.insert(key.into(), Value::Array(list));
    }
    c.notes.remarks.push("contacts are not part of a model file: bodies pass through each other".to_string());
    let mut notes = c.notes;
    notes.ignored = c.ignored.list();
    // Read like every other file, because a second reader would double the code of the blocks.
    let read = Document::parse(file_name, &toml::to_string(&document).unwrap_or_default(), &[]);
    if let Err(e) = read.locate(Vec::new()) {
        let what = e.list.first().map_or("", |d| d.message.as_str());
        let message = format!("the model could not be written: {what}");
        problems.push(Diagnostic { message, help: None, span: Some(0..1) });
        return None;
    }
    let file = read.file;
    let plain = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let header = [
        format!("{}: {} bodies and {} joints.", plain(name), file.body.len(), file.joint.len()),
        format!("Data: {} by precess import, in its reference pose.", plain(file_name)),
    ];
    Some(Import { file, notes, header })
}

impl Convert<'_> {
    fn ignore(&mut self, what: &str, owner: &str) {
        self.ignored.add(what.to_string(), owner);
    }

    fn push(&mut self, kind: &'static str, value: Value) {
        match self.lists.iter_mut().find(|(key, _)| *key == kind) {
            Some((_, list)) => list.push(value),
            None => self.lists.push((kind, vec![value])),
        }
    }

    /// An unused name.
    fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while name.is_empty() || name == GROUND || !self.names.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Reads the bodies inside a body.
    fn children(&mut self, e: &XmlElement, parent: &str, frame: &Isometry3<f64>, class: &str, depth: usize) {
        for child in &e.children {
            match child.name.as_str() {
                "body" => {
                    if depth < 60 && self.bodies < MOST {
                        self.body(child, parent, frame, class, depth);
                    }
                }
                "frame" | "include" | "replicate" | "composite" | "flexcomp" | "attach" => {
                    self.notes.missing.push(format!("<{}> of body {parent} is left out", child.name));
                }
                "inertial" | "joint" | "freejoint" | "geom" | "site" => {}
                "light" | "camera" => {}
                other => self.ignore(&format!("<{other}>"), parent),
            }
        }
    }

    fn body(&mut self, e: &XmlElement, parent: &str, above: &Isometry3<f64>, class: &str, depth: usize) {
        self.bodies += 1;
        let given = e.attribute("name").map_or_else(|| format!("body{}", self.bodies), str::to_string);
        let name = self.unique(&given);
        let class = e.attribute("childclass").unwrap_or(class).to_string();
        let frame = above * self.reader.pose(e);
        let mass = self.mass(e, &class, &name);
        let centre = frame * Point3::from(mass.centre);
        self.frames.insert(given, (frame, centre.coords));
        let q = frame.rotation.quaternion();
        let mut entries = vec![
            ("name", name.clone().into()),
            ("mass", mass.mass.into()),
            ("inertia", inertia(&mass.inertia)),
            ("position", numbers(centre.coords.as_slice())),
        ];
        if q.imag().amax() > 1e-15 {
            entries.push(("rotation", numbers(&[q.w, q.i, q.j, q.k])));
        }
        let markers = self.sites(e, &mass.centre);
        if !markers.is_empty() {
            entries.push(("markers", Value::Table(markers)));
        }
        let looks = self.looks(e, &class, &mass.centre);
        if !looks.is_empty() {
            entries.push(("look", Value::Array(looks)));
        }
        self.push("body", block(entries));
        self.hold((e, &mass), [parent, &name], &frame, &class);
        self.children(e, &name, &frame, &class, depth + 1);
    }

    /// Mass, centre and inertia in the frame of the body.
    fn mass(&mut self, e: &XmlElement, class: &str, name: &str) -> MassProperties {
        let inertial = e.children.iter().find(|c| c.name == "inertial");
        let m = match inertial {
            Some(i) => {
                let tensor = match (
                    self.reader.list::<3>(i, "diaginertia"),
                    self.reader.list::<6>(i, "fullinertia"),
                ) {
                    (Some(d), _) => Matrix3::from_diagonal(&Vector3::from(d)),
                    (None, Some([xx, yy, zz, xy, xz, yz])) => {
                        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
                    }
                    (None, None) => Matrix3::zeros(),
                };
                let mass = self.reader.number(i, "mass").unwrap_or(0.0);
                let own = MassProperties { mass, centre: Vector3::zeros(), inertia: tensor };
                own.moved(&self.reader.pose(i))
            }
            None => self.mass_of_geoms(e, class),
        };
        if !(m.mass > 0.0 && m.inertia.amax() > 0.0 && m.inertia.amax().is_finite()) {
            let help = "give <inertial mass diaginertia>, or geoms with a size";
            self.reader.problem(e, format!("body '{name}' has no mass or no moments of inertia"), help);
        } else if let Some(why) = impossible(&principal_moments(&m.inertia)) {
            self.reader.problem(e, format!("body '{name}': {why}"), "check the moments");
        }
        m
    }

    fn sites(&mut self, e: &XmlElement, centre: &Vector3<f64>) -> Table {
        let mut markers = Table::new();
        for site in e.children.iter().filter(|c| c.name == "site") {
            let Some(name) = site.attribute("name").filter(|n| !n.contains(char::is_control)) else {
                continue;
            };
            let pose = self.reader.pose(site);
            let point = pose.translation.vector - centre;
            markers.insert(name.to_string(), numbers(point.as_slice()));
        }
        markers
    }

    /// An attribute of an element, or its default.
    fn attribute(&self, e: &XmlElement, kind: &str, class: &str, key: &str) -> Option<String> {
        let own = e.attribute(key).map(str::to_string);
        own.or_else(|| self.defaults.get(e.attribute("class").unwrap_or(class), kind, key))
    }

    fn number(&mut self, e: &XmlElement, class: &str, key: &str) -> Option<f64> {
        self.words::<1>(e, class, key).map(|[x]| x)
    }

    fn pair(&mut self, e: &XmlElement, class: &str, key: &str) -> Option<[f64; 2]> {
        self.words(e, class, key)
    }

    fn triple(&mut self, e: &XmlElement, class: &str, key: &str) -> Option<[f64; 3]> {
        self.words(e, class, key)
    }

    fn words<const N: usize>(&mut self, e: &XmlElement, class: &str, key: &str) -> Option<[f64; N]> {
        let text = self.attribute(e, &e.name, class, key)?;
        self.reader.parse(e, key, &text)
    }
}

/// Three moments, or a matrix.
fn inertia(j: &Matrix3<f64>) -> Value {
    let j = (j + j.transpose()) * 0.5;
    let off = (j - Matrix3::from_diagonal(&j.diagonal())).amax();
    match off <= 1e-15 * j.amax() {
        true => numbers(j.diagonal().as_slice()),
        false => Value::Array(j.column_iter().map(|c| numbers(c.into_owned().as_slice())).collect()),
    }
}

/// A pose without rotation.
fn shifted(x: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(x), nalgebra::UnitQuaternion::identity())
}
