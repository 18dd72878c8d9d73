//! Nodes of modal bodies in joints and forces. Few models have any, so this code is kept apart from the
//! common path.

use nalgebra::Matrix1;
use precess_lie::Number;

use super::{Bodies, Derivative, JointColumns, Link};
use crate::mechanics::body::Body;
use crate::mechanics::columns::MAX_ROWS;
use crate::mechanics::kernels::{Block, Blocks, Motion, Pose, Row, Wrench};
use crate::mechanics::node::{Node, NodePose};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

impl<T: Number> Bodies<T> {
    #[cold]
    #[inline(never)]
    pub(super) fn node_pose(&self, i: Option<usize>, q: &[T]) -> Pose<T> {
        self.node(i).map_or_else(Pose::ground, |n| n.pose(self.group, q))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn node_motion(&self, i: Option<usize>, at: &At<T>) -> Motion<T> {
        self.node(i).map_or_else(Motion::rest, |n| n.motion(&n.deformed(self.group, at.q), at.v))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn add_node_force(
        &self,
        i: Option<usize>,
        part: &Wrench<T>,
        at: &At<T>,
        first: usize,
        r: &mut [T],
    ) {
        let Some(node) = self.node(i) else { return };
        let place = node.deformed(self.group, at.q);
        for j in 0..node.dim() {
            r[node.index(j) - first] += part.dot(&node.column(&place, j));
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn put_node_columns(
        &self,
        i: Option<usize>,
        (columns, n): (&[T; 6 * MAX_ROWS], usize),
        at: &At<T>,
        put: &mut dyn FnMut(usize, &[T]),
    ) {
        let Some(node) = self.node(i) else { return };
        let place = node.deformed(self.group, at.q);
        for j in 0..node.dim() {
            put(node.index(j), &times(columns, n, &node.column(&place, j))[..n]);
        }
    }

    /// The contribution of the rows `b` of a joint to Y because its nodes move with their carriers.
    #[cold]
    #[inline(never)]
    pub fn put_turned(&self, link: Link, b: &JointColumns<T>, at: &At<T>, mut put: impl FnMut(usize, &[T])) {
        for (i, columns) in [(link.a, &b.a), (link.b, &b.b)] {
            let Some(node) = self.node(i) else { continue };
            let place = node.deformed(self.group, at.q);
            for j in 0..node.dim() {
                put(node.index(j), &times(columns, b.n, &node.turned(&place, at.v, j))[..b.n]);
            }
        }
    }

    /// [`add_blocks`](Self::add_blocks) entry by entry: J_i^T k J_j.
    #[cold]
    #[inline(never)]
    pub(super) fn add_node_blocks(
        &self,
        link: Link,
        k: &impl Blocks<T>,
        (derivative, at): (Derivative, &At<T>),
        out: &mut Tangents<T>,
    ) {
        let sides = [self.side(link.a, at), self.side(link.b, at)];
        for (row, column, block) in blocks(k) {
            let (Some(rows), Some(columns)) = (&sides[row], &sides[column]) else { continue };
            for j in 0..columns.dim() {
                let force = times_motion(block, &columns.column(j));
                for i in 0..rows.dim() {
                    let x = Matrix1::new(force.dot(&rows.column(i)));
                    derivative.add(out, (rows.index(i), columns.index(j)), &x);
                }
            }
        }
    }

    /// Adds the contribution of nodes that move with their carriers to K: `force` is g of the pair, `d` its
    /// derivative for the velocities.
    #[cold]
    pub fn add_bending(
        &self,
        link: Link,
        force: &Row<T>,
        d: Option<&impl Blocks<T>>,
        at: &At<T>,
        out: &mut Tangents<T>,
    ) {
        for (i, w) in [(link.a, &force.a), (link.b, &force.b)] {
            let Some(node) = self.node(i) else { continue };
            let place = node.deformed(self.group, at.q);
            for j in 0..node.dim() {
                for i in 0..node.dim() {
                    let x = Matrix1::new(node.bent(&place, w, i, j));
                    out.stiffness(node.index(i), node.index(j), &x);
                }
            }
        }
        let Some(d) = d else { return };
        let sides = [self.side(link.a, at), self.side(link.b, at)];
        for (row, column, block) in blocks(d) {
            let (Some(rows), Some(BodyOrNode::Node(node, place))) = (&sides[row], &sides[column]) else {
                continue;
            };
            for j in 0..node.dim() {
                let change = times_motion(block, &node.turned(place, at.v, j));
                for i in 0..rows.dim() {
                    let x = Matrix1::new(change.dot(&rows.column(i)));
                    out.stiffness(rows.index(i), node.index(j), &x);
                }
            }
        }
    }

    /// The contribution of a row of a measure to its derivative Y because its nodes move with their carriers.
    pub fn put_turned_entries(&self, link: Link, row: &Row<T>, at: &At<T>, mut put: impl FnMut(usize, &[T])) {
        self.put_nodes(link, row, at, &|node, place, j| node.turned(place, at.v, j), &mut put);
    }

    /// Calls `put` with the product of a row and the motion of its nodes for each coordinate.
    #[cold]
    #[inline(never)]
    pub(super) fn put_nodes(
        &self,
        link: Link,
        row: &Row<T>,
        at: &At<T>,
        motion: NodeMotion<T>,
        put: &mut dyn FnMut(usize, &[T]),
    ) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            let Some(node) = self.node(i) else { continue };
            let place = node.deformed(self.group, at.q);
            for j in 0..node.dim() {
                put(node.index(j), &[part.dot(&motion(node, &place, j))]);
            }
        }
    }

    pub(super) fn side<'a>(&'a self, i: Option<usize>, at: &At<'a, T>) -> Option<BodyOrNode<'a, T>> {
        let node = || self.node(i).map(|n| BodyOrNode::Node(n, n.deformed(self.group, at.q)));
        self.get(i).map(BodyOrNode::Body).or_else(node)
    }
}

/// The motion that belongs to a coordinate of a node.
type NodeMotion<'a, T> = &'a dyn Fn(&Node<T>, &NodePose<T>, usize) -> Motion<T>;

/// A body, or a node with its pose.
pub(super) enum BodyOrNode<'a, T: Number> {
    Body(&'a Body<T>),
    Node(&'a Node<T>, NodePose<'a, T>),
}

impl<T: Number> BodyOrNode<'_, T> {
    pub fn dim(&self) -> usize {
        match self {
            BodyOrNode::Body(body) => body.dim(),
            BodyOrNode::Node(node, _) => node.dim(),
        }
    }

    pub fn index(&self, j: usize) -> usize {
        match self {
            BodyOrNode::Body(body) => body.v + j,
            BodyOrNode::Node(node, _) => node.index(j),
        }
    }

    /// The motion caused by a unit of coordinate j.
    pub fn column(&self, j: usize) -> Motion<T> {
        match self {
            BodyOrNode::Body(body) => {
                // Point masses have translations only.
                let (mut unit, j) = (Motion::rest(), j + 6 - body.dim());
                if j < 3 {
                    unit.omega[j] = T::one()
                } else {
                    unit.u[j - 3] = T::one()
                }
                unit
            }
            BodyOrNode::Node(node, place) => node.column(place, j),
        }
    }
}

/// The blocks of a pair with the numbers of their rows and columns.
fn blocks<T: Number>(k: &impl Blocks<T>) -> impl Iterator<Item = (usize, usize, &Block<T>)> {
    let all = k.pair().map(|k| [(0, 0, &k.aa), (0, 1, &k.ab), (1, 0, &k.ba)]);
    all.into_iter().flatten().chain([(1, 1, k.second())])
}

fn times_motion<T: Number>(b: &Block<T>, v: &Motion<T>) -> Wrench<T> {
    Wrench { rot: b.rr * v.omega + b.rx * v.u, trans: b.xr * v.omega + b.xx * v.u }
}

/// Rows given by their six columns, times a motion.
fn times<T: Number>(columns: &[T; 6 * MAX_ROWS], n: usize, v: &Motion<T>) -> [T; MAX_ROWS] {
    let mut out = [T::zero(); MAX_ROWS];
    for j in 0..3 {
        for (i, x) in out[..n].iter_mut().enumerate() {
            *x += columns[j * n + i] * v.omega[j] + columns[(j + 3) * n + i] * v.u[j];
        }
    }
    out
}
