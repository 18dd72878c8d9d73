//! The tree of links, and where they are for given joint values.

use std::collections::HashMap;

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};
use urdf_rs::{Joint, JointType, Pose};

use super::read::{Placed, Robot};
use crate::Error;
use crate::model::Diagnostic;

/// Links and joints by index; every link but the root has one joint above it.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Links, parents before children.
    pub order: Vec<usize>,
    /// The joint above each link.
    pub above: Vec<Option<usize>>,
    /// The joints below each link.
    pub below: Vec<Vec<usize>>,
    /// Parent and child link of each joint.
    pub ends: Vec<(usize, usize)>,
}

/// A problem at an element.
pub fn problem<T>(at: &Placed<T>, message: String, help: &str) -> Diagnostic {
    let help = (!help.is_empty()).then(|| help.to_string());
    Diagnostic { message, help, span: Some(at.place.clone()) }
}

/// Index of every name; names used twice are problems.
fn index<'a, T>(
    kind: &str,
    list: &'a [Placed<T>],
    name: impl Fn(&'a T) -> &'a str,
    problems: &mut Vec<Diagnostic>,
) -> HashMap<&'a str, usize> {
    let mut map = HashMap::new();
    for (i, x) in list.iter().enumerate() {
        let name = name(&x.value);
        if map.insert(name, i).is_some() {
            problems.push(problem(x, format!("the {kind} name '{name}' is taken"), "names are unique"));
        }
    }
    map
}

/// Joins links by joints; nothing if they are not one tree.
pub fn tree(robot: &Robot, problems: &mut Vec<Diagnostic>) -> Option<Tree> {
    let before = problems.len();
    let links = index("link", &robot.links, |l| &l.name, problems);
    index("joint", &robot.joints, |j| &j.name, problems);
    let n = robot.links.len();
    let mut tree = Tree { above: vec![None; n], below: vec![Vec::new(); n], ..Tree::default() };
    for (j, joint) in robot.joints.iter().enumerate() {
        let name = &joint.value.name;
        let mut find = |link: &str| {
            let found = links.get(link).copied();
            if found.is_none() {
                let mut known: Vec<&str> = links.keys().copied().collect();
                known.sort_unstable();
                let e = Error::unknown_name("link", link, known);
                problems.push(problem(joint, format!("joint '{name}': {e}"), ""));
            }
            found
        };
        let ends = (find(&joint.value.parent.link), find(&joint.value.child.link));
        let (Some(parent), Some(child)) = ends else { continue };
        if let Some(other) = tree.above[child] {
            problems.push(problem(
                joint,
                format!(
                    "link '{}' is the child of joint '{}' and of joint '{name}'",
                    robot.links[child].value.name, robot.joints[other].value.name
                ),
                "a URDF is a tree: close loops in the model file after the import",
            ));
        }
        tree.above[child] = Some(j);
        tree.below[parent].push(j);
        tree.ends.push((parent, child));
    }
    if problems.len() > before {
        return None;
    }
    let roots: Vec<usize> = (0..n).filter(|&i| tree.above[i].is_none()).collect();
    if let [_, second, ..] = roots[..] {
        let names: Vec<&str> = roots.iter().map(|&i| robot.links[i].value.name.as_str()).collect();
        problems.push(problem(
            &robot.links[second],
            format!("{} links have no parent: {}", roots.len(), names.join(", ")),
            "a URDF has one root link: join the others to it, by floating joints if they are free",
        ));
        return None;
    }
    tree.order = roots;
    let mut next = 0;
    while let Some(&link) = tree.order.get(next) {
        let children = tree.below[link].iter().map(|&j| tree.ends[j].1);
        tree.order.extend(children);
        next += 1;
    }
    // Links in a circle hang on no root.
    if let Some(lost) = (0..n).find(|i| !tree.order.contains(i)) {
        problems.push(problem(
            &robot.links[lost],
            format!("link '{}' is in a circle of joints without a root", robot.links[lost].value.name),
            "a URDF is a tree with one root link",
        ));
        return None;
    }
    Some(tree)
}

/// An `origin` element.
pub fn pose(p: &Pose) -> Isometry3<f64> {
    let [roll, pitch, yaw] = p.rpy.0;
    Isometry3::from_parts(
        Translation3::from(Vector3::from(p.xyz.0)),
        UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    )
}

/// The axis of a joint in the frame of its child, or nothing if its length is zero.
pub fn axis(joint: &Joint) -> Option<Unit<Vector3<f64>>> {
    Unit::try_new(Vector3::from(joint.axis.xyz.0), 1e-12)
}

/// True if one number describes the position of the joint.
pub fn is_single(joint: &Joint) -> bool {
    matches!(joint.joint_type, JointType::Revolute | JointType::Continuous | JointType::Prismatic)
}

/// The values of all joints: as given, following others (mimic), zero elsewhere.
pub fn joint_values(robot: &Robot, given: &[(String, f64)], problems: &mut Vec<Diagnostic>) -> Vec<f64> {
    let find = |name: &str| robot.joints.iter().position(|j| j.value.name == name);
    let mut values: Vec<Option<f64>> = vec![None; robot.joints.len()];
    for (name, value) in given {
        let mut bad = |message: String| problems.push(Diagnostic { message, help: None, span: None });
        match find(name) {
            None => {
                let known =
                    robot.joints.iter().filter(|j| is_single(&j.value)).map(|j| j.value.name.as_str());
                bad(format!("--joint {name}={value}: {}", Error::unknown_name("joint", name, known)));
            }
            Some(j) if !is_single(&robot.joints[j].value) => {
                bad(format!("--joint {name}={value}: only revolute and prismatic joints have one value"));
            }
            Some(j) if robot.joints[j].value.mimic.is_some() => {
                bad(format!("--joint {name}={value}: this joint follows another (mimic), give that one"));
            }
            Some(j) => values[j] = Some(*value),
        }
    }
    for (j, joint) in robot.joints.iter().enumerate() {
        let mut chain = vec![j];
        // Along the mimics to a joint that has a value of its own.
        let source = loop {
            let last = chain[chain.len() - 1];
            let Some(mimic) = &robot.joints[last].value.mimic else { break Some(last) };
            match find(&mimic.joint) {
                None => {
                    let known = robot.joints.iter().map(|j| j.value.name.as_str());
                    let e = Error::unknown_name("joint", &mimic.joint, known);
                    problems.push(problem(joint, format!("mimic of joint '{}': {e}", joint.value.name), ""));
                    break None;
                }
                Some(next) if chain.contains(&next) => {
                    problems.push(problem(
                        joint,
                        format!("joint '{}' follows itself through its mimic", joint.value.name),
                        "a mimic names a joint that moves on its own",
                    ));
                    break None;
                }
                Some(next) => chain.push(next),
            }
        };
        let mut value = source.and_then(|s| values[s]).unwrap_or(0.0);
        for &k in chain.iter().rev() {
            if let Some(mimic) = &robot.joints[k].value.mimic {
                value = value * mimic.multiplier.unwrap_or(1.0) + mimic.offset.unwrap_or(0.0);
            }
        }
        if joint.value.mimic.is_some() {
            values[j] = Some(value);
        }
    }
    values.into_iter().map(|v| v.unwrap_or(0.0)).collect()
}

/// Frames of all links: parent, origin of the joint, motion of the joint.
pub fn forward(robot: &Robot, tree: &Tree, values: &[f64]) -> Vec<Isometry3<f64>> {
    let mut frames = vec![Isometry3::identity(); robot.links.len()];
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
        frames[link] = frames[tree.ends[j].0] * pose(&joint.origin) * motion;
    }
    frames
}
