//! Reads a URDF: links and joints, element by element so that every mistake has its position, and a list of
//! everything else in the file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::elements::{Joint, Link};
use super::notes::Ignored;
use super::numbered::{PerJoint, PerLink};
use super::visual::{Materials, colour};
use super::xml::{self, XmlElement};
use crate::model::Diagnostic;

/// A value with its position in the text.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Position of its start tag.
    pub span: Range<usize>,
}

/// A `limit` of a joint.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Name of the joint.
    pub joint: String,
    /// Its attributes as text.
    pub text: String,
    numbers: BTreeMap<String, f64>,
}

impl Limit {
    /// One of its numbers.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).copied()
    }
}

/// A `transmission`: joints and the actuators that move them, with their reductions.
#[derive(Clone, Debug, Default)]
pub struct Transmission {
    /// Name.
    pub name: String,
    /// Joints.
    pub joints: Vec<String>,
    /// Names and reductions.
    pub actuators: Vec<(String, f64)>,
}

/// A robot, and elements that are not imported.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    /// Name.
    pub name: String,
    /// Links.
    pub links: PerLink<Placed<Link>>,
    /// Joints.
    pub joints: PerJoint<Placed<Joint>>,
    /// `limit` elements of joints.
    pub limits: Vec<Limit>,
    /// `transmission` elements.
    pub transmissions: Vec<Transmission>,
    /// `visual` elements of the links.
    pub visuals: PerLink<Vec<XmlElement>>,
    /// Colours of the materials of the robot.
    pub materials: Materials,
    /// Elements and attributes that precess does not read, sorted, each with the names of its owners.
    pub ignored: Ignored,
}

/// Attributes and child elements of an element that are read.
fn known(path: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match path {
        "link" => (&["name"], &["inertial"]),
        "inertial" => (&[], &["origin", "mass", "inertia"]),
        "joint" => (&["name", "type"], &["origin", "parent", "child", "axis", "mimic", "dynamics"]),
        "origin" => (&["xyz", "rpy", "quat_xyzw"], &[]),
        "mass" => (&["value"], &[]),
        "inertia" => (&["ixx", "ixy", "ixz", "iyy", "iyz", "izz"], &[]),
        "parent" | "child" => (&["link"], &[]),
        "axis" => (&["xyz"], &[]),
        "mimic" => (&["joint", "multiplier", "offset"], &[]),
        "dynamics" => (&["damping", "friction"], &[]),
        _ => return None,
    })
}

/// Number of values of an attribute; `None` for names.
fn numbers(attribute: &str) -> Option<usize> {
    match attribute {
        "xyz" | "rpy" => Some(3),
        "quat_xyzw" => Some(4),
        "name" | "type" | "link" | "joint" => None,
        _ => Some(1),
    }
}

/// Reads a robot and records all problems.
pub fn read(text: &str, problems: &mut Vec<Diagnostic>) -> Robot {
    let root = match xml::parse(text) {
        Ok(root) => root,
        Err(e) => {
            problems.push(e);
            return Robot::default();
        }
    };
    let mut reader = Read { text, problems, robot: Robot::default(), knows_quaternions: false };
    if root.name != "robot" {
        reader.problem(
            &root.span,
            format!("the root element is <{}>, a URDF has <robot>", root.name),
            "give the URDF of a robot",
        );
        return reader.robot;
    }
    if root.children.iter().any(|e| e.name.starts_with("xacro:")) {
        reader.problem(
            &root.span,
            "this is a xacro file, not yet a URDF".to_string(),
            "expand it first: xacro robot.urdf.xacro > robot.urdf",
        );
        return reader.robot;
    }
    reader.robot.name = root.attribute("name").unwrap_or("robot").to_string();
    // Quaternions came with version 1.1; older readers ignore them.
    let version = root.attribute("version").and_then(|v| v.trim().parse::<f64>().ok()).unwrap_or(1.0);
    reader.knows_quaternions = version > 1.05;
    for e in &root.children {
        match e.name.as_str() {
            "link" => {
                if let Some(link) = reader.typed(e, Link::read) {
                    let visuals = e.children.iter().filter(|c| c.name == "visual");
                    reader.robot.visuals.push(visuals.cloned().collect());
                    reader.robot.links.push(Placed { value: link, span: e.span.clone() });
                }
            }
            // Transmissions and controllers contain elements of the same name at deeper levels.
            "joint" => {
                reader.aside(e);
                if let Some(joint) = reader.typed(e, Joint::read) {
                    reader.robot.joints.push(Placed { value: joint, span: e.span.clone() });
                }
            }
            "material" => {
                let colour = colour(e, &reader.robot.materials);
                if let (Some(name), Some(colour)) = (e.attribute("name"), colour) {
                    reader.robot.materials.insert(name.to_string(), colour);
                }
            }
            "transmission" => reader.transmission(e),
            other => reader.ignore(format!("<{other}>"), e.attribute("name").unwrap_or("")),
        }
    }
    reader.robot
}

struct Read<'a> {
    text: &'a str,
    problems: &'a mut Vec<Diagnostic>,
    robot: Robot,
    /// True if `quat_xyzw` of an origin is used.
    knows_quaternions: bool,
}

impl Read<'_> {
    fn problem(&mut self, span: &Range<usize>, message: String, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Diagnostic { message, help, span: Some(span.clone()) });
    }

    fn ignore(&mut self, what: String, owner: &str) {
        self.robot.ignored.add(what, owner);
    }

    /// Limits of a joint.
    fn aside(&mut self, joint: &XmlElement) {
        let name = joint.attribute("name").unwrap_or("").to_string();
        for e in joint.children.iter().filter(|e| e.name == "limit") {
            let text: Vec<String> = e.attributes.iter().map(|(n, v)| format!("{n} {v}")).collect();
            let known = |n: &str| ["lower", "upper", "effort", "velocity"].contains(&n);
            let mut numbers = BTreeMap::new();
            for (n, v) in e.attributes.iter().filter(|(n, _)| known(n)) {
                self.check_numbers(e, n, v);
                numbers.extend(v.trim().parse::<f64>().ok().map(|x| (n.clone(), x)));
            }
            self.robot.limits.push(Limit { joint: name.clone(), text: text.join(", "), numbers });
        }
    }

    /// Joints and actuators of a transmission.
    fn transmission(&mut self, e: &XmlElement) {
        let named = |e: &XmlElement| e.attribute("name").unwrap_or("").to_string();
        let of = |kind: &'static str| e.children.iter().filter(move |c| c.name == kind);
        let reduction = |a: &XmlElement| {
            let child = a.children.iter().find(|c| c.name == "mechanicalReduction");
            child.and_then(|c| c.text.trim().parse::<f64>().ok()).filter(|x| x.is_finite()).unwrap_or(1.0)
        };
        self.robot.transmissions.push(Transmission {
            name: named(e),
            joints: of("joint").map(named).collect(),
            actuators: of("actuator").map(|a| (named(a), reduction(a))).collect(),
        });
    }

    /// A link or joint, if it has no problem.
    fn typed<T>(&mut self, e: &XmlElement, read: impl FnOnce(&XmlElement) -> Result<T, String>) -> Option<T> {
        let before = self.problems.len();
        let owner = e.attribute("name").unwrap_or("").to_string();
        self.examine(e, &owner);
        if self.problems.len() > before {
            return None;
        }
        let mut counting = e.clone();
        if !self.knows_quaternions {
            counting.forget("quat_xyzw");
        }
        match read(&counting) {
            Ok(value) => Some(value),
            Err(error) => {
                let name = if owner.is_empty() { "without a name".into() } else { format!("'{owner}'") };
                let help = match e.name.as_str() {
                    "link" => {
                        "a link has a name; <inertial> has <mass value=..> and <inertia ixx=.. .. izz=..>"
                    }
                    _ => "a joint has a name, a type, <parent link=..> and <child link=..>",
                };
                self.problem(&e.span, format!("{} {name}: {error}", e.name), help);
                None
            }
        }
    }

    /// Checks the numbers of an element, and records ignored ones.
    fn examine(&mut self, e: &XmlElement, owner: &str) {
        let Some((attributes, children)) = known(&e.name) else { return };
        for (name, value) in &e.attributes {
            let counts = name != "quat_xyzw" || self.knows_quaternions;
            if attributes.contains(&name.as_str()) && counts {
                self.check_numbers(e, name, value);
            } else {
                self.ignore(format!("attribute {name} of <{}>", e.name), owner);
            }
        }
        for child in &e.children {
            if children.contains(&child.name.as_str()) {
                self.examine(child, owner);
            } else if ![("joint", "limit"), ("link", "visual")]
                .contains(&(e.name.as_str(), child.name.as_str()))
            {
                self.ignore(format!("<{}> of {}s", child.name, e.name), owner);
            }
        }
    }

    /// Records an attribute with wrong numbers.
    fn check_numbers(&mut self, e: &XmlElement, name: &str, value: &str) {
        let Some(n) = numbers(name) else { return };
        let words: Vec<&str> = value.split_whitespace().collect();
        let finite = |w: &&str| w.parse::<f64>().is_ok_and(f64::is_finite);
        if words.len() == n && words.iter().all(finite) {
            return;
        }
        let tag = self.text.get(e.span.clone()).unwrap_or("");
        let span = match tag.find(&format!("{name}=")) {
            Some(i) => {
                let start = e.span.start + i;
                start..(start + name.len() + 3 + value.len()).min(e.span.end)
            }
            None => e.span.clone(),
        };
        let wanted = match n {
            1 => "one finite number".to_string(),
            n => format!("{n} finite numbers separated by spaces"),
        };
        self.problem(&span, format!("{name}=\"{value}\" of <{}>: expected {wanted}", e.name), "");
    }
}
