//! The tree of links, and their frames for given joint values.

use std::collections::HashMap;

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

use super::elements::{Joint, JointType};
use super::numbered::{JointId, LinkId, List, Number, PerJoint, PerLink};
use super::read::{Placed, Robot};
use crate::Error;
use crate::model::Diagnostic;

/// The tree: every link except the root has one joint above it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The link without a parent.
    pub root: LinkId,
    /// Links, parents before children.
    pub order: Vec<LinkId>,
    /// The joint above each link.
    pub above: PerLink<Option<JointId>>,
    /// The joints below each link.
    pub below: PerLink<Vec<JointId>>,
    /// Parent and child link of each joint.
    pub ends: PerJoint<(LinkId, LinkId)>,
    /// Joints by name.
    pub joints: HashMap<String, JointId>,
}

/// Largest number of links of a robot.
const MAX_LINKS: usize = 10_000;
/// Largest number of mistakes reported.
const MAX_PROBLEMS: usize = 100;

/// A problem at an element.
pub fn problem<T>(at: &Placed<T>, message: String, help: &str) -> Diagnostic {
    let help = (!help.is_empty()).then(|| help.to_string());
    Diagnostic { message, help, span: Some(at.span.clone()) }
}

/// Index of every name; duplicate names are problems.
fn index<N: Number, T>(
    kind: &str,
    list: &List<N, Placed<T>>,
    name: impl Fn(&T) -> &str,
    problems: &mut Vec<Diagnostic>,
) -> HashMap<String, N> {
    let mut map = HashMap::new();
    for (i, x) in list.numbered() {
        let name = name(&x.value);
        if name.contains(['{', '}']) {
            problems.push(problem(
                x,
                format!("the {kind} name '{name}' has a brace"),
                "rename it: braces stand for numbers in model files",
            ));
        }
        if map.insert(name.to_string(), i).is_some() {
            problems.push(problem(x, format!("the {kind} name '{name}' is taken"), "names are unique"));
        }
    }
    map
}

/// Joins links by joints; nothing if they are not one tree.
pub fn tree(robot: &Robot, problems: &mut Vec<Diagnostic>) -> Option<Tree> {
    let before = problems.len();
    if robot.links.len() > MAX_LINKS {
        let (message, help) = (
            format!("the robot has {} links, at most {MAX_LINKS} are read", robot.links.len()),
            "import it in parts and join their model files".to_string(),
        );
        problems.push(Diagnostic { message, help: Some(help), span: Some(0..1) });
        return None;
    }
    let links = index("link", &robot.links, |l| &l.name, problems);
    let joints = index("joint", &robot.joints, |j| &j.name, problems);
    let mut above = robot.links.filled(None);
    let mut below = robot.links.filled(Vec::new());
    let mut ends = PerJoint::default();
    for (j, joint) in robot.joints.numbered() {
        let name = &joint.value.name;
        let mut find = |link: &str| {
            let found = links.get(link).copied();
            if found.is_none() {
                let mut known: Vec<&str> = links.keys().map(String::as_str).collect();
                known.sort_unstable();
                let e = Error::unknown_name("link", link, known);
                problems.push(problem(joint, format!("joint '{name}': {e}"), ""));
            }
            found
        };
        let (parent, child) = (find(&joint.value.parent), find(&joint.value.child));
        if problems.len() > MAX_PROBLEMS {
            break;
        }
        let (Some(parent), Some(child)) = (parent, child) else { continue };
        if let Some(other) = above[child].replace(j) {
            problems.push(problem(
                joint,
                format!(
                    "link '{}' is the child of joint '{}' and of joint '{name}'",
                    robot.links[child].value.name, robot.joints[other].value.name
                ),
                "a URDF is a tree: close loops in the model file after the import",
            ));
        }
        below[parent].push(j);
        ends.push((parent, child));
    }
    if problems.len() > before {
        return None;
    }
    let roots: Vec<LinkId> = above.numbered().filter(|(_, j)| j.is_none()).map(|(link, _)| link).collect();
    let name = |link: LinkId| robot.links[link].value.name.as_str();
    if let [_, second, ..] = roots[..] {
        let names: Vec<&str> = roots.iter().map(|link| name(*link)).collect();
        problems.push(problem(
            &robot.links[second],
            format!("{} links have no parent: {}", roots.len(), names.join(", ")),
            "a URDF has one root link: join the others to it, by floating joints if they are free",
        ));
        return None;
    }
    let mut order = roots;
    let mut reached = robot.links.filled(false);
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        reached[link] = true;
        order.extend(below[link].iter().map(|&j| ends[j].1));
        next += 1;
    }
    // Links in a cycle are not connected to the root.
    let lost = reached.numbered().find(|(_, reached)| !**reached);
    if let Some((lost, _)) = lost {
        problems.push(problem(
            &robot.links[lost],
            format!("link '{}' is in a circle of joints without a root", name(lost)),
            "a URDF is a tree with one root link",
        ));
        return None;
    }
    let root = *order.first()?;
    Some(Tree { root, order, above, below, ends, joints })
}

/// The axis of a joint in the frame of its child, or nothing if its length is zero.
pub fn axis(joint: &Joint) -> Option<Unit<Vector3<f64>>> {
    Unit::try_new(joint.axis, 1e-12)
}

/// True if one number describes the position of the joint.
pub fn is_single(joint: &Joint) -> bool {
    matches!(joint.joint_type, JointType::Revolute | JointType::Continuous | JointType::Prismatic)
}

/// The values of all joints: given ones, those that follow others (mimic), and zero for the rest.
pub fn joint_values(
    robot: &Robot,
    tree: &Tree,
    given: &[(String, f64)],
    problems: &mut Vec<Diagnostic>,
) -> PerJoint<f64> {
    let mut values = robot.joints.filled(None);
    for (name, value) in given {
        let mut bad = |message: String| problems.push(Diagnostic { message, help: None, span: None });
        match tree.joints.get(name).map(|j| (*j, &robot.joints[*j].value)) {
            None => {
                let known =
                    robot.joints.iter().filter(|j| is_single(&j.value)).map(|j| j.value.name.as_str());
                bad(format!(
                    "the value {value} of joint {name}: {}",
                    Error::unknown_name("joint", name, known)
                ));
            }
            Some((_, joint)) if !is_single(joint) => {
                bad(format!(
                    "the value {value} of joint {name}: only revolute and prismatic joints have one value"
                ));
            }
            Some((_, joint)) if joint.mimic.is_some() => {
                bad(format!(
                    "the value {value} of joint {name}: this joint follows another (mimic), give that one"
                ));
            }
            Some((j, _)) => values[j] = Some(*value),
        }
    }
    for j in robot.joints.numbers() {
        follow(robot, tree, j, &mut values, problems);
    }
    let known: Vec<f64> = values.iter().map(|x| x.unwrap_or(0.0)).collect();
    known.into()
}

/// Finds the value of a joint that follows others, and of those it follows.
fn follow(
    robot: &Robot,
    tree: &Tree,
    first: JointId,
    values: &mut PerJoint<Option<f64>>,
    problems: &mut Vec<Diagnostic>,
) {
    let mut followers = Vec::new();
    let mut at = first;
    // Follows the mimics to a joint with a value.
    while let Some(mimic) = &robot.joints[at].value.mimic
        && values[at].is_none()
    {
        let joint = &robot.joints[at];
        followers.push((at, mimic));
        match tree.joints.get(&mimic.joint) {
            None => {
                let known = robot.joints.iter().map(|j| j.value.name.as_str());
                let e = Error::unknown_name("joint", &mimic.joint, known);
                problems.push(problem(joint, format!("mimic of joint '{}': {e}", joint.value.name), ""));
                break;
            }
            Some(next) => at = *next,
        }
        if followers.iter().any(|(j, _)| *j == at) {
            problems.push(problem(
                joint,
                format!("joint '{}' follows itself through its mimic", joint.value.name),
                "a mimic names a joint that moves on its own",
            ));
            break;
        }
    }
    let mut value = values[at].unwrap_or(0.0);
    for (j, mimic) in followers.into_iter().rev() {
        value = value * mimic.multiplier + mimic.offset;
        values[j] = Some(value);
    }
}

/// Frames of all links: parent, origin of the joint, motion of the joint.
pub fn forward(robot: &Robot, tree: &Tree, values: &PerJoint<f64>) -> PerLink<Isometry3<f64>> {
    let mut frames = robot.links.filled(Isometry3::identity());
    for &link in &tree.order {
        let Some(j) = tree.above[link] else { continue };
        let joint = &robot.joints[j].value;
        let motion = match (&joint.joint_type, axis(joint)) {
            (JointType::Revolute | JointType::Continuous, Some(a)) => Isometry3::from_parts(
                Translation3::identity(),
                UnitQuaternion::from_axis_angle(&a, values[j]),
            ),
            (JointType::Prismatic, Some(a)) => {
                Isometry3::translation(a.x * values[j], a.y * values[j], a.z * values[j])
            }
            _ => Isometry3::identity(),
        };
        frames[link] = frames[tree.ends[j].0] * joint.origin * motion;
    }
    frames
}
