//! The topology of a model as text: the ground at the root, joints as edges, joints that close loops marked.

use std::collections::{HashMap, HashSet};

use crate::model::Model;
use crate::model::elements::{ForceKind, Switchable};
use crate::model::spec::GROUND;

/// Largest number of lines of the picture.
const MAX_LINES: usize = 60;

/// The owners of the bodies that forces hold, except for elements inside beams.
fn held_by_forces<'a>(model: &'a Model, owners: &Owners<'a>) -> HashSet<&'a str> {
    let mut held = HashSet::new();
    for force in &model.forces {
        match &force.kind {
            ForceKind::Spring(spring) => held.extend(spring.bodies.each_ref().map(|name| owners.of(name))),
            ForceKind::Bushing(bushing) => held.extend(bushing.bodies.each_ref().map(|name| owners.of(name))),
            _ => {}
        }
    }
    for constraint in &model.constraints {
        held.extend(constraint.bodies(&model.joints).into_iter().map(|name| owners.of(name)));
    }
    held
}

/// Owners of nodes: modal bodies and beams.
struct Owners<'a>(HashMap<&'a str, &'a str>);

impl<'a> Owners<'a> {
    fn new(model: &'a Model) -> Self {
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for modal in &model.modal {
            for node in &modal.nodes {
                owners.insert(&node.body.name, &modal.name);
            }
        }
        for body in model.bodies.iter().filter(|_| !model.beams.is_empty()) {
            if let Some(beam) = model.beams.iter().find(|b| b.has(&body.name)) {
                owners.insert(&body.name, &beam.name);
            }
        }
        Owners(owners)
    }

    /// The body or beam to which a name belongs.
    fn of(&self, name: &'a str) -> &'a str {
        self.0.get(name).copied().unwrap_or(name)
    }
}

/// Bodies and beams that no joint, spring, bushing or constraint touches.
pub fn free_bodies(model: &Model) -> Vec<String> {
    let owners = Owners::new(model);
    let mut connected = held_by_forces(model, &owners);
    for joint in &model.joints {
        connected.extend(joint.bodies.each_ref().map(|name| owners.of(name)));
    }
    let mut free: Vec<String> = model
        .bodies
        .iter()
        .map(|b| owners.of(&b.name))
        .filter(|n| !connected.contains(n))
        .map(String::from)
        .collect();
    // The nodes of a beam are consecutive.
    free.dedup();
    free
}

/// Groups of at least two bodies that are joined to each other, but not to the ground.
pub fn floating_groups(model: &Model) -> Vec<Vec<String>> {
    let (trees, _) = forest(model);
    let owners = Owners::new(model);
    let held = held_by_forces(model, &owners);
    trees
        .iter()
        .filter(|t| t.first().is_some_and(|n| n.body != GROUND) && t.len() > 1)
        .filter(|t| !t.iter().any(|n| held.contains(n.body)))
        .map(|t| t.iter().filter(|n| !n.closes).map(|n| n.body.to_string()).collect())
        .collect()
}

/// A line of the picture.
struct GraphLine<'a> {
    /// The joint that leads here and its kind; none at a root.
    joint: Option<(&'a str, String)>,
    body: &'a str,
    depth: usize,
    /// True if the body is drawn elsewhere: this joint closes a loop.
    closes: bool,
    /// True if an event closes the joint later.
    open: bool,
}

/// Trees in depth-first order, that of the ground first, and the number of loops.
fn forest(model: &Model) -> (Vec<Vec<GraphLine<'_>>>, usize) {
    let mut edges: HashMap<&str, Vec<usize>> = HashMap::new();
    let owners = Owners::new(model);
    for (i, joint) in model.joints.iter().enumerate() {
        for name in &joint.bodies {
            edges.entry(owners.of(name)).or_default().push(i);
        }
    }
    let mut seen: HashMap<&str, ()> = HashMap::new();
    let mut used = vec![false; model.joints.len()];
    let mut loops = 0;
    let mut trees = Vec::new();
    let roots = std::iter::once(GROUND).chain(model.bodies.iter().map(|b| owners.of(&b.name)));
    for root in roots {
        if seen.contains_key(root) {
            continue;
        }
        let mut tree = Vec::new();
        // Still to be visited: the joint, its next body, the depth.
        let mut stack: Vec<(Option<usize>, &str, usize)> = vec![(None, root, 0)];
        while let Some((joint, body, depth)) = stack.pop() {
            if let Some(j) = joint {
                if used[j] {
                    continue;
                }
                used[j] = true;
            }
            let closes = seen.insert(body, ()).is_some();
            let whole = |j: usize| Switchable::Joint(model.joints[j].name.clone());
            let open = joint.is_some_and(|j| model.disabled.contains(&whole(j)));
            loops += usize::from(closes && !open);
            let label = joint.map(|j| {
                let driven = if model.joints[j].is_driven() { ", driven" } else { "" };
                let open = if open { ", open at the start" } else { "" };
                (model.joints[j].name.as_str(), model.joints[j].kind.name() + driven + open)
            });
            tree.push(GraphLine { joint: label, body, depth, closes, open });
            if closes {
                continue;
            }
            for &j in edges.get(body).into_iter().flatten().rev() {
                let [a, b] = model.joints[j].bodies.each_ref().map(|name| owners.of(name));
                let other = if a == body { b } else { a };
                if !used[j] {
                    stack.push((Some(j), other, depth + 1));
                }
            }
        }
        trees.push(tree);
    }
    (trees, loops)
}

/// The picture, and the number of loops.
///
/// ```text
/// ground
/// ├─ crank_bearing (revolute) ─ crank
/// │  └─ ball (spherical) ─ rod
/// │     └─ cross (universal) ─ slider
/// │        └─ rail (prismatic) ─ ground, closes a loop
/// ```
pub fn picture(model: &Model) -> (String, usize) {
    let (trees, loops) = forest(model);
    let mut lines = Vec::new();
    for tree in &trees {
        // The ground alone is not shown if there are bodies.
        if tree.len() == 1 && tree[0].body == GROUND && !model.bodies.is_empty() {
            continue;
        }
        for (i, node) in tree.iter().enumerate() {
            let mut line = String::new();
            for level in 1..node.depth {
                line.push_str(if continues(tree, i, level) { "│  " } else { "   " });
            }
            if let Some((joint, kind)) = &node.joint {
                let edge = if continues(tree, i, node.depth) { "├─ " } else { "└─ " };
                line.push_str(&format!("{edge}{joint} ({kind}) ─ "));
            }
            line.push_str(node.body);
            if node.closes {
                line.push_str(if node.open { ", a loop once it is closed" } else { ", closes a loop" });
            } else if node.depth == 0 && node.body != GROUND {
                let owners = Owners::new(model);
                let held = held_by_forces(model, &owners).contains(node.body);
                line.push_str(if held {
                    " (held by forces or constraints)"
                } else {
                    " (not connected to the ground)"
                });
            }
            lines.push(line);
            if lines.len() == MAX_LINES + 1 {
                let total: usize = trees.iter().map(Vec::len).sum();
                lines[MAX_LINES] = format!("... and {} more lines", total - MAX_LINES);
                return (lines.join("\n"), loops);
            }
        }
    }
    (lines.join("\n"), loops)
}

/// True if a later line of the tree continues this level of line i.
fn continues(tree: &[GraphLine], i: usize, level: usize) -> bool {
    tree[i + 1..].iter().find(|n| n.depth <= level).is_some_and(|n| n.depth == level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodySpec, JointSpec};

    fn rigid(name: &str) -> BodySpec {
        BodySpec::rigid(name, 1.0, [1.0; 3])
    }

    #[test]
    fn loops_branches_and_free_bodies() {
        let spherical = |name: &str, a: &str, b: &str| JointSpec::spherical(name, [a, b], [0.0; 3]);
        let model = Model::new("m")
            .body(rigid("crank"))
            .body(rigid("rod"))
            .body(rigid("slider"))
            .body(rigid("arm"))
            .body(rigid("moon"))
            .joint(JointSpec::revolute("bearing", [GROUND, "crank"], [0.0; 3], [0.0, 0.0, 1.0]))
            .joint(spherical("ball", "crank", "rod"))
            .joint(spherical("cross", "slider", "rod"))
            .joint(spherical("rail", GROUND, "slider"))
            .joint(spherical("hook", "crank", "arm"));
        let (text, loops) = picture(&model);
        let expected = "\
ground
└─ bearing (revolute) ─ crank
   ├─ ball (spherical) ─ rod
   │  └─ cross (spherical) ─ slider
   │     └─ rail (spherical) ─ ground, closes a loop
   └─ hook (spherical) ─ arm
moon (not connected to the ground)";
        assert_eq!(text, expected);
        assert_eq!(loops, 1);
        assert_eq!(free_bodies(&model), ["moon"]);
        assert!(floating_groups(&model).is_empty());
        let (text, loops) = picture(&model.clone().disabled(Switchable::Joint("rail".to_string())));
        let open = "rail (spherical, open at the start) ─ ground, a loop once it is closed";
        assert!(text.contains(open) && loops == 0, "{text}");
    }

    /// A beam is one body in the graph, wherever something is attached to it.
    #[test]
    fn beams_join_what_is_attached_to_them() {
        let section = precess_engine::flex::Section::new(
            nalgebra::Vector6::from_element(1.0),
            1.0,
            nalgebra::Vector3::from_element(1.0),
        );
        let beam = |name: &str, to: [f64; 3]| {
            crate::model::beam::BeamSpec::straight(name, [0.0; 3], to, 3, section.clone().unwrap())
        };
        let model = Model::new("m")
            .body(rigid("load"))
            .beam(beam("post", [0.0, 0.0, 1.0]))
            .beam(beam("free", [1.0, 0.0, 0.0]))
            .joint(JointSpec::spherical("foot", [GROUND, "post.0"], [0.0; 3]))
            .joint(JointSpec::spherical("hook", ["post.3", "load"], [0.0; 3]))
            .joint(JointSpec::spherical("prop", ["load", "post.1"], [0.0; 3]));
        let expected = "\
ground
└─ foot (spherical) ─ post
   └─ hook (spherical) ─ load
      └─ prop (spherical) ─ post, closes a loop
free (not connected to the ground)";
        assert_eq!(picture(&model), (expected.to_string(), 1));
        assert_eq!(free_bodies(&model), ["free"]);
        assert!(floating_groups(&model).is_empty());
    }

    #[test]
    fn long_chains_are_cut_and_floating_groups_found() {
        let mut model = Model::new("chain");
        for i in 0..1000 {
            model = model.body(rigid(&format!("b{i}")));
            if i > 0 {
                let (a, b) = (format!("b{}", i - 1), format!("b{i}"));
                model = model.joint(JointSpec::spherical(&format!("j{i}"), [&a, &b], [0.0; 3]));
            }
        }
        let (text, loops) = picture(&model);
        assert_eq!((text.lines().count(), loops), (MAX_LINES + 1, 0));
        assert_eq!(floating_groups(&model)[0].len(), 1000);
    }
}
