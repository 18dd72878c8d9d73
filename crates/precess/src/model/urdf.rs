//! Import of robots described in URDF.
//!
//! A link becomes a body (frame parallel to that of the link, origin in the centre of mass) or, without
//! inertia, a marker on the body it is fixed to. A joint becomes a joint at the origin of its child. A mimic
//! becomes a gear, damping and friction become a friction force, limits become stops, transmissions become
//! actuators, and visuals become looks. Poses come from forward kinematics, so that the model file has the
//! global positions at t = 0. Whatever has no counterpart in a model file is listed in [`Notes`], never
//! dropped silently.

mod blocks;
mod efforts;
mod elements;
mod notes;
mod numbered;
mod read;
mod tree;
mod visual;
pub(super) mod xml;

use std::collections::HashSet;

use nalgebra::{Isometry3, Vector3};

use self::blocks::joint_block;
use self::elements::JointType as UrdfType;
pub(super) use self::notes::Ignored;
pub use self::notes::Notes;
use self::numbered::{LinkId, PerJoint, PerLink};
use self::read::Robot;
use self::tree::{Tree, problem};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::file::{File, JointType};
use super::inertia::{MassProperties, impossible, principal_moments};
use super::number::Number;
use super::spec::GROUND;

/// Options of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// The root link moves freely instead of being fixed to the ground.
    pub floating_base: bool,
    /// Links that are fixed to their parent become one body with it.
    pub merge_fixed: bool,
    /// Initial values of joints (rad or m); the others are zero.
    pub joints: Vec<(String, f64)>,
}

/// A robot as a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The model.
    pub file: File,
    /// Notes for the user.
    pub notes: Notes,
    /// The two lines at the top of the file.
    pub header: [String; 2],
}

impl Import {
    /// The text of the model file.
    pub fn to_toml(&self) -> String {
        // Plain data with string keys always has a TOML form. It goes through JSON, because the five
        // serializers of the crate `toml` would each copy the code of every block.
        let body = serde_json::to_value(&self.file).map(without_nulls).unwrap_or_default();
        let body = toml::to_string(&body).unwrap_or_default();
        format!("# {}\n# {}\n\n{body}", self.header[0], self.header[1])
    }
}

/// Removes keys without a value.
fn without_nulls(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(map) => {
            let kept = map.into_iter().filter(|(_, v)| !v.is_null());
            kept.map(|(key, v)| (key, without_nulls(v))).collect()
        }
        serde_json::Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Reads a URDF. All problems are reported at once, with their positions in the text.
///
/// ```
/// let text = r#"<robot name="swing">
///   <link name="world"/>
///   <link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
///     <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/></inertial></link>
///   <joint name="hinge" type="continuous">
///     <parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint>
/// </robot>"#;
/// let import = precess::model::urdf::import("swing.urdf", text, &Default::default())?;
/// let loaded = precess::model::load("swing.toml", &import.to_toml(), &[])?;
/// assert_eq!(loaded.model.bodies[0].position.z, -0.5);
/// # Ok::<(), precess::model::Diagnostics>(())
/// ```
pub fn import(file_name: &str, text: &str, options: &ImportOptions) -> Result<Import, Diagnostics> {
    let mut problems = Vec::new();
    let import = read_and_convert(file_name, text, options, &mut problems);
    match import {
        Some(import) if problems.is_empty() => Ok(import),
        _ => Err(Diagnostics::new(file_name, text, problems)),
    }
}

fn read_and_convert(
    file_name: &str,
    text: &str,
    options: &ImportOptions,
    problems: &mut Vec<Diagnostic>,
) -> Option<Import> {
    let robot = read::read(text, problems);
    if !problems.is_empty() {
        return None;
    }
    if robot.links.len() == 0 {
        problems.push(Diagnostic {
            message: "the robot has no links".to_string(),
            help: Some("a URDF has at least one <link>".to_string()),
            span: Some(0..1),
        });
        return None;
    }
    let tree = tree::tree(&robot, problems)?;
    let values = tree::joint_values(&robot, &tree, &options.joints, problems);
    let frames = tree::forward(&robot, &tree, &values);
    let mut convert = Convert {
        holders: robot.links.filled(Holder::Ground),
        masses: PerLink::default(),
        robot: &robot,
        tree,
        frames,
        values,
        options,
        problems,
        notes: Notes::default(),
    };
    convert.masses = convert.mass_properties();
    convert.assign();
    let file = convert.file();
    convert.other_notes();
    let notes = convert.notes;
    let pose = if options.joints.is_empty() {
        "with all joints at zero".to_string()
    } else {
        let list: Vec<String> = options.joints.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        format!("with {} and the other joints at zero", list.join(", "))
    };
    let header = [
        format!(
            "{}: a robot of {} bodies and {} joints.",
            one_line(&robot.name),
            file.body.len(),
            file.joint.len()
        ),
        format!("Data: {} by precess import, {}.", one_line(file_name), one_line(&pose)),
    ];
    Some(Import { file, notes, header })
}

/// Replaces line ends, which would end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The carrier of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Ground,
    /// The body of this link.
    Body(LinkId),
}

struct Convert<'a> {
    robot: &'a Robot,
    tree: Tree,
    frames: PerLink<Isometry3<f64>>,
    values: PerJoint<f64>,
    /// In the frame of the link.
    masses: PerLink<MassProperties>,
    holders: PerLink<Holder>,
    options: &'a ImportOptions,
    problems: &'a mut Vec<Diagnostic>,
    notes: Notes,
}

impl Convert<'_> {
    fn name(&self, link: LinkId) -> &str {
        &self.robot.links[link].value.name
    }

    fn holder_name(&self, holder: Holder) -> &str {
        match holder {
            Holder::Ground => GROUND,
            Holder::Body(link) => self.name(link),
        }
    }

    /// Mass, centre of mass and inertia of all links, in their own frames.
    fn mass_properties(&mut self) -> PerLink<MassProperties> {
        let mut list = PerLink::default();
        for link in self.robot.links.iter() {
            let inertial = &link.value.inertial;
            let (mass, tensor) = (inertial.mass, inertial.inertia);
            let name = &link.value.name;
            let mut bad = |message: String, help: &str| self.problems.push(problem(link, message, help));
            if mass < 0.0 {
                bad(format!("link '{name}': the mass {mass} is negative"), "give a positive mass");
            } else if mass == 0.0 && tensor.amax() > 0.0 {
                bad(
                    format!("link '{name}' has an inertia but no mass"),
                    "give both, or remove <inertial> from a link that is only a frame",
                );
            } else if let Some(why) = impossible(&principal_moments(&tensor)) {
                bad(
                    format!("link '{name}': {why}"),
                    "check the moments and that they belong to the centre of mass",
                );
            }
            let own = MassProperties { mass, centre: Vector3::zeros(), inertia: tensor };
            list.push(own.moved(&inertial.origin));
        }
        list
    }

    fn fixed_above(&self, link: LinkId) -> bool {
        self.tree.above[link].is_some_and(|j| self.robot.joints[j].value.joint_type == UrdfType::Fixed)
    }

    /// True if the link has mass and inertia; otherwise it is part of another body.
    fn is_body(&self, link: LinkId) -> bool {
        self.masses[link].mass > 0.0 && self.masses[link].inertia.amax() > 0.0
    }

    /// The nearest link below that is a body, reached through fixed joints only.
    fn heir(&self, link: LinkId) -> Option<LinkId> {
        let mut queue = vec![link];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &j in &self.tree.below[at] {
                let child = self.tree.ends[j].1;
                if !self.fixed_above(child) {
                    continue;
                }
                if self.is_body(child) {
                    return Some(child);
                }
                queue.push(child);
            }
        }
        None
    }

    /// Decides which body carries each link.
    fn assign(&mut self) {
        for link in self.tree.order.clone() {
            let holder = match self.tree.above[link] {
                None => self.root(link),
                Some(j) => self.below(link, self.holders[self.tree.ends[j].0]),
            };
            self.holders[link] = holder;
            // The mass of a merged link is added to its body; the ground needs none.
            if holder != Holder::Body(link)
                && self.masses[link].mass > 0.0
                && let Holder::Body(body) = holder
            {
                let here = self.frames[body].inv_mul(&self.frames[link]);
                self.masses[body] = self.masses[body].with(&self.masses[link].moved(&here));
            }
        }
    }

    fn root(&mut self, link: LinkId) -> Holder {
        let name = self.name(link).to_string();
        let has_mass = self.masses[link].mass > 0.0;
        if name == "world" || name == GROUND {
            if has_mass {
                self.notes.remarks.push(format!("link {name} is the ground, its inertia does not matter"));
            }
            if self.options.floating_base {
                self.problems.push(problem(
                    &self.robot.links[link],
                    format!("the root link '{name}' is the ground and does not float"),
                    "leave the base fixed; a joint of type floating frees the robot from it",
                ));
            }
            return Holder::Ground;
        }
        match (self.is_body(link), self.options.floating_base) {
            (true, _) => Holder::Body(link),
            (false, false) => {
                let why = if has_mass { "has no moments of inertia" } else { "has no inertia" };
                self.notes.remarks.push(format!("root link {name} {why}: it is the ground"));
                Holder::Ground
            }
            (false, true) => self.heir_or_problem(link),
        }
    }

    fn below(&mut self, link: LinkId, parent: Holder) -> Holder {
        // A massless parent may already be part of this link.
        if parent == Holder::Body(link) {
            return parent;
        }
        if self.is_body(link) && !(self.options.merge_fixed && self.fixed_above(link)) {
            return Holder::Body(link);
        }
        if !self.fixed_above(link) {
            return self.heir_or_problem(link);
        }
        let why = if self.masses[link].mass == 0.0 {
            "has no inertia and is fixed to"
        } else if self.masses[link].inertia.amax() == 0.0 {
            "has a mass without moments of inertia and is fixed to"
        } else {
            "is fixed to"
        };
        let remark = format!(
            "link {} {why} {}: {}",
            self.name(link),
            self.holder_name(parent),
            self.part(link, parent)
        );
        self.notes.remarks.push(remark);
        parent
    }

    /// A moving link without inertia: a frame of the body fixed below it, otherwise a mistake.
    fn heir_or_problem(&mut self, link: LinkId) -> Holder {
        let name = self.name(link).to_string();
        match self.heir(link) {
            Some(heir) => {
                let part = self.part(link, Holder::Body(heir));
                let remark =
                    format!("link {name} has no inertia, {} is fixed to it: {part}", self.name(heir));
                self.notes.remarks.push(remark);
                Holder::Body(heir)
            }
            None => {
                let what = if self.masses[link].mass > 0.0 { "moments of inertia" } else { "inertia" };
                self.problems.push(problem(
                    &self.robot.links[link],
                    format!("link '{name}' moves but has no {what}"),
                    "add an <inertial> element, or make the joint above it fixed",
                ));
                Holder::Body(link)
            }
        }
    }

    /// A note about a link that is not a separate body.
    fn part(&self, link: LinkId, holder: Holder) -> String {
        match holder {
            Holder::Ground => "part of it".to_string(),
            Holder::Body(body) => format!("part of it, marker {}.{}", self.name(body), self.name(link)),
        }
    }

    fn file(&mut self) -> File {
        let mut file = File { version: 1, ..File::default() };
        file.model.name = Some(self.robot.name.clone());
        file.model.gravity = Some(GRAVITY.map(Number::from));
        file.run.until = Some(1.0.into());
        let root = self.tree.root;
        if let Holder::Body(body) = self.holders[root]
            && !self.options.floating_base
        {
            let origin = self.frames[root].translation.vector;
            let bodies = [GROUND.to_string(), self.name(body).to_string()];
            let name = self.unique_joint(&format!("{GROUND}_{}", bodies[1]));
            self.notes
                .remarks
                .push(format!("root link {} is fixed to the ground by joint {name}", bodies[1]));
            file.joint.push(joint_block(name, JointType::Fixed, bodies, origin, None, 0.0));
        }
        for link in self.tree.order.clone() {
            if self.holders[link] == Holder::Body(link) {
                file.body.push(self.body(link));
            }
            if let Some(j) = self.tree.above[link] {
                file.joint.extend(self.joint(j));
            }
        }
        let blocks: HashSet<String> = file.joint.iter().map(|block| block.name.clone()).collect();
        for j in self.robot.joints.numbers() {
            if blocks.contains(&self.robot.joints[j].value.name) {
                self.efforts(j, &mut file);
            }
            file.gear.extend(self.gear(j, &blocks));
        }
        if file.body.is_empty() && self.problems.is_empty() {
            self.problems.push(problem(
                &self.robot.links[root],
                "nothing moves: all links are part of the ground".to_string(),
                "add <inertial> elements, or let the robot float",
            ));
        }
        file
    }

    fn unique_joint(&self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while self.tree.joints.contains_key(&name) {
            name.push('_');
        }
        name
    }

    /// Notes which looks are not shown, and where meshes are searched.
    fn visual_notes(&mut self) {
        let (mut lines, mut meshes) = (Vec::new(), false);
        let each = self.robot.visuals.numbered().flat_map(|(l, list)| list.iter().map(move |e| (l, e)));
        for (link, e) in each {
            let name = self.name(link);
            let frame = Isometry3::identity();
            match visual::look(e, &frame, &Vector3::zeros(), &self.robot.materials) {
                _ if self.holders[link] == Holder::Ground => {
                    lines.push(format!("look of link {name} is left out: it is part of the ground"));
                }
                Ok(look) => meshes |= look.file.is_some(),
                Err(why) => lines.push(format!("look of link {name} is left out: {why}")),
            }
        }
        if meshes {
            lines.push("mesh files are searched in the folder of the model file".to_string());
        }
        lines.dedup();
        self.notes.remarks.extend(lines);
    }

    fn other_notes(&mut self) {
        let [x, y, z] = GRAVITY;
        self.notes.remarks.push(format!("gravity is not part of a URDF: [{x}, {y}, {z}] is assumed"));
        self.visual_notes();
        self.notes.ignored = self.robot.ignored.list();
    }
}

/// Standard direction of gravity in robot descriptions.
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
