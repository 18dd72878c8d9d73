//! Which joints become the edges of a tree.
//!
//! The ground is the root. A joint between two bodies that are not connected yet becomes an edge; joints with few
//! freedoms come first, so that as many rows as possible disappear. The others, the *cut joints*, close loops and keep
//! their rows.

use nalgebra::Vector3;

use crate::mechanics::Multibody;
use crate::mechanics::joint::Joint;
use crate::mechanics::kernels::Pose;
use crate::mechanics::tree::joints::{Step, steps};
use crate::mechanics::tree::spatial::{compose, invert};

/// An edge of the tree: a body and how it is attached.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The joint; none for a body that moves freely.
    pub joint: Option<usize>,
    /// The body that carries it; none for the ground.
    pub parent: Option<usize>,
    /// The body.
    pub body: usize,
    /// True if the second body of the joint carries the first.
    pub reversed: bool,
    /// The stages.
    pub steps: Vec<Step>,
    /// The marker on the parent, in its centre-of-mass frame or in space.
    pub on_parent: Pose,
    /// The marker on the body, in its centre-of-mass frame.
    pub on_body: Pose,
}

/// The pose of a marker in the frame of its body.
fn marker(m: &crate::mechanics::kernels::Marker) -> Pose {
    Pose { r: m.c, x: m.p }
}

/// Number of coordinates of some stages.
fn freedoms(steps: &[Step]) -> usize {
    let one = |step: &Step| match step {
        Step::Slide(_) | Step::Turn(_) => 1,
        Step::Ball => 3,
        Step::Free => 6,
    };
    steps.iter().map(one).sum()
}

/// The stages of a joint from its first body or, reversed, from its second one.
fn stages_of(joint: &Joint, poses: &[Pose], reversed: bool) -> Option<Vec<Step>> {
    let pose = |i: Option<usize>| i.map_or_else(Pose::ground, |i| poses[i]);
    let (a, b) = (
        compose(&pose(joint.link.a), &marker(&joint.marker_a)),
        compose(&pose(joint.link.b), &marker(&joint.marker_b)),
    );
    let forward = steps(&joint.kind, &compose(&invert(&a), &b))?;
    if !reversed {
        return Some(forward);
    }
    // Seen from b, the turns come first, and slides are measured along axes that turn with a: only joints in which this makes
    // no difference can be turned over.
    let turn = b.r.transpose() * a.r;
    let other = |axis: &Vector3<f64>| turn * axis;
    let mut list: Vec<Step> = forward
        .iter()
        .map(|step| match step {
            Step::Slide(axis) => Step::Slide(-other(axis)),
            Step::Turn(axis) => Step::Turn(-other(axis)),
            other => *other,
        })
        .collect();
    let slides = forward.iter().any(|s| matches!(s, Step::Slide(_)));
    let turns = forward.iter().any(|s| !matches!(s, Step::Slide(_)));
    let along_its_axis = matches!(forward[..], [Step::Slide(a), Step::Turn(b)] if a == b);
    if slides && turns && !along_its_axis {
        return None;
    }
    if !slides {
        list.reverse();
    }
    Some(list)
}

/// The edges of a spanning tree, each after the edge of its parent, and for every joint whether it is one. `keep` lists
/// the joints that must keep their rows.
pub fn spanning_tree(system: &Multibody, poses: &[Pose], keep: &[bool]) -> (Vec<Edge>, Vec<bool>) {
    let (joints, n) = (system.joint_list(), poses.len());
    let mut candidates: Vec<(usize, usize)> = (0..joints.len())
        .filter(|&i| {
            let joint = &joints[i];
            let bodies = joint.link.moving().all(|body| body < n);
            bodies && !keep[i] && !joint.is_driven() && !joint.is_switched()
        })
        .filter_map(|i| Some((freedoms(&stages_of(&joints[i], poses, false)?), i)))
        .collect();
    candidates.sort_unstable();
    // Kruskal's algorithm; node n is the ground.
    let mut groups: Vec<usize> = (0..=n).collect();
    fn root(groups: &mut [usize], mut i: usize) -> usize {
        while groups[i] != i {
            groups[i] = groups[groups[i]];
            i = groups[i];
        }
        i
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    let mut is_edge = vec![false; joints.len()];
    for (_, i) in candidates {
        let [a, b] = [joints[i].link.a, joints[i].link.b].map(|body| body.unwrap_or(n));
        let (group_a, group_b) = (root(&mut groups, a), root(&mut groups, b));
        if group_a != group_b {
            groups[group_a] = group_b;
            neighbours[a].push(i);
            neighbours[b].push(i);
            is_edge[i] = true;
        }
    }
    let mut tree =
        Outward { system, poses, neighbours, is_edge, edges: Vec::new(), reached: vec![false; n + 1] };
    tree.reached[n] = true;
    tree.from(n);
    // What does not hang on the ground moves freely.
    for body in 0..n {
        if !tree.reached[body] {
            tree.free(body);
            tree.from(body);
        }
    }
    (tree.edges, tree.is_edge)
}

struct Outward<'a> {
    system: &'a Multibody,
    poses: &'a [Pose],
    neighbours: Vec<Vec<usize>>,
    is_edge: Vec<bool>,
    edges: Vec<Edge>,
    reached: Vec<bool>,
}

impl Outward<'_> {
    /// A body without a joint to anything that was reached.
    fn free(&mut self, body: usize) {
        self.reached[body] = true;
        let steps = match self.system.body_list()[body].dim() {
            6 => vec![Step::Free],
            _ => (0..3).map(|i| Step::Slide(Vector3::ith(i, 1.0))).collect(),
        };
        let on_body = Pose::ground();
        let on_parent = self.poses[body];
        self.edges.push(Edge { joint: None, parent: None, body, reversed: false, steps, on_parent, on_body });
    }

    /// Adds all that hangs on a body; the last node is the ground.
    fn from(&mut self, node: usize) {
        let (joints, ground) = (self.system.joint_list(), self.poses.len());
        let mut list = vec![node];
        while let Some(node) = list.pop() {
            for i in self.neighbours[node].clone() {
                let joint = &joints[i];
                let [a, b] = [joint.link.a, joint.link.b].map(|body| body.unwrap_or(ground));
                let (other, reversed) = if a == node { (b, false) } else { (a, true) };
                if self.reached[other] {
                    continue;
                }
                let Some(steps) = stages_of(joint, self.poses, reversed) else {
                    // Its rows stay, and the body beyond it moves freely.
                    self.is_edge[i] = false;
                    self.free(other);
                    list.push(other);
                    continue;
                };
                self.reached[other] = true;
                let [on_a, on_b] = [&joint.marker_a, &joint.marker_b].map(marker);
                let (on_parent, on_body) = if reversed { (on_b, on_a) } else { (on_a, on_b) };
                let parent = (node < ground).then_some(node);
                self.edges.push(Edge {
                    joint: Some(i),
                    parent,
                    body: other,
                    reversed,
                    steps,
                    on_parent,
                    on_body,
                });
                list.push(other);
            }
        }
    }
}
