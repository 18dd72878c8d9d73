//! Bodies in pairs: what joints and forces need of the two bodies they act on.

use nalgebra::{Matrix1, Matrix3, Vector3};
use precess_lie::Number;

use super::body::Body;
pub use super::columns::{Columns, Parts};
use super::joints::MAX_ROWS;
use super::kernels::{Block, Blocks, Group, Motion, Pair, PairMotion, Pose, Row, Wrench, point};
use super::node::{Node, Place};
use super::system::At;
use super::tangents::Tangents;
use crate::mechanics::beside::beside;

/// A quantity of two bodies with its derivatives: dy = v . dv + q . dq.
#[derive(Clone, Copy, Debug)]
pub struct Change<T = f64> {
    /// The bodies.
    pub link: Link,
    /// For velocities.
    pub v: Row<T>,
    /// For positions.
    pub q: Row<T>,
}

/// Two bodies by index; `None` is the ground, whose columns and forces are dropped. Nodes of modal bodies are
/// counted after the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// First body.
    pub a: Option<usize>,
    /// Second body.
    pub b: Option<usize>,
}

impl Link {
    /// The bodies that are not the ground.
    pub fn moving(self) -> impl Iterator<Item = usize> {
        self.a.into_iter().chain(self.b)
    }
}

/// The moving bodies with the group they live in.
#[derive(Clone, Debug)]
pub struct Bodies<T = f64> {
    /// Group of every rigid body.
    pub group: Group,
    /// The bodies.
    pub list: Vec<Body<T>>,
    /// Nodes of modal bodies, where joints and forces attach to them.
    pub nodes: Vec<Node<T>>,
}

/// Which derivative a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// K = D_q g.
    Stiffness,
    /// D = dg/dv.
    Damping,
}

impl Derivative {
    #[inline]
    fn add<T: Number, R: nalgebra::Dim, C: nalgebra::Dim, S: nalgebra::RawStorage<T, R, C>>(
        self,
        out: &mut Tangents<T>,
        (row, col): (usize, usize),
        block: &nalgebra::Matrix<T, R, C, S>,
    ) {
        match self {
            Derivative::Stiffness => out.stiffness(row, col, block),
            Derivative::Damping => out.damping(row, col, block),
        }
    }
}

impl<T: Number> Bodies<T> {
    /// A body; none for the ground, and for a node of a modal body.
    #[inline(always)]
    pub fn get(&self, i: Option<usize>) -> Option<&Body<T>> {
        i.and_then(|i| self.list.get(i))
    }

    /// A node of a modal body.
    #[inline]
    pub fn node(&self, i: Option<usize>) -> Option<&Node<T>> {
        i.and_then(|i| self.nodes.get(i.checked_sub(self.list.len())?))
    }

    /// True if one of the two is a node of a modal body.
    #[inline]
    pub fn has_node(&self, link: Link) -> bool {
        !self.nodes.is_empty() && link.moving().any(|i| i >= self.list.len())
    }

    /// Factors of the configuration space that move two bodies.
    pub fn factors(&self, link: Link) -> Vec<usize> {
        self.factors_of(link.moving())
    }

    /// Factors of the configuration space that move several bodies, each once.
    pub fn factors_of(&self, moving: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut list: Vec<usize> = Vec::new();
        for i in moving {
            match self.node(Some(i)) {
                Some(node) => list.extend([node.frame, node.factor]),
                None => list.push(i),
            }
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Position and orientation.
    #[inline(always)]
    pub fn pose(&self, i: Option<usize>, q: &[T]) -> Pose<T> {
        match self.get(i) {
            Some(body) => body.pose(q),
            None => self.node(i).map_or_else(Pose::ground, |n| n.pose(self.group, q)),
        }
    }

    /// Poses of two bodies.
    #[inline(always)]
    pub fn pair(&self, link: Link, q: &[T]) -> Pair<T> {
        let b = self.pose(link.b, q);
        match link.a {
            Some(_) => Pair::new(self.group, &self.pose(link.a, q), &b),
            None => Pair { group: self.group, a: Pose::ground(), b, r_ab: b.r, x_ab: b.x },
        }
    }

    /// Poses of two bodies without the relative one, see [`Pair::in_space`].
    #[inline(always)]
    pub fn pair_in_space(&self, link: Link, q: &[T]) -> Pair<T> {
        Pair::in_space(self.group, &self.pose(link.a, q), &self.pose(link.b, q))
    }

    /// Velocity of a body.
    #[inline(always)]
    pub fn motion_of(&self, i: Option<usize>, at: &At<T>) -> Motion<T> {
        match self.get(i) {
            Some(body) => body.motion(at.v),
            None => self.node(i).map_or_else(Motion::rest, |n| n.motion(&n.place(self.group, at.q), at.v)),
        }
    }

    /// Acceleration of a body.
    #[inline]
    pub fn acceleration_of(&self, i: Option<usize>, at: &At<T>) -> Motion<T> {
        match self.get(i) {
            Some(body) => body.motion(at.vdot),
            None => self
                .node(i)
                .map_or_else(Motion::rest, |n| n.acceleration(&n.place(self.group, at.q), at.v, at.vdot)),
        }
    }

    /// Velocities of two bodies.
    #[inline(always)]
    pub fn motion(&self, link: Link, at: &At<T>) -> PairMotion<T> {
        PairMotion { a: self.motion_of(link.a, at), b: self.motion_of(link.b, at) }
    }

    /// Accelerations of two bodies.
    #[inline]
    pub fn acceleration(&self, link: Link, at: &At<T>) -> PairMotion<T> {
        PairMotion { a: self.acceleration_of(link.a, at), b: self.acceleration_of(link.b, at) }
    }

    /// Velocity of a point of a body, given in its frame, in the inertial frame.
    pub fn point_velocity(&self, i: Option<usize>, at: &At<T>, p: &Vector3<T>) -> Vector3<T> {
        point::velocity(self.group, &self.pose(i, at.q), &self.motion_of(i, at), p)
    }

    /// Its acceleration.
    pub fn point_acceleration(&self, i: Option<usize>, at: &At<T>, p: &Vector3<T>) -> Vector3<T> {
        let (v, a, r) = (self.motion_of(i, at), self.acceleration_of(i, at), self.pose(i, at.q).r);
        let turning = a.omega.cross(p) + v.omega.cross(&v.omega.cross(p));
        match (self.group, self.get(i).is_some_and(|b| b.dim() == 3)) {
            (Group::SE3, false) => r * (a.u + v.omega.cross(&v.u) + turning),
            _ => a.u + r * turning,
        }
    }

    /// Adds a generalised force on two bodies to the residual.
    #[inline]
    pub fn add_force(&self, link: Link, force: &Row<T>, at: &At<T>, r: &mut [T]) {
        self.add_force_from(link, force, at, 0, r);
    }

    /// Adds a generalised force on those of two bodies that belong to a residual that begins with coordinate
    /// `first`.
    #[inline(always)]
    pub fn add_force_from(&self, link: Link, force: &Row<T>, at: &At<T>, first: usize, r: &mut [T]) {
        for (i, part) in [(link.a, &force.a), (link.b, &force.b)] {
            if let Some(body) = self.get(i) {
                body.add_wrench_from(part, first, r);
            } else if let Some(node) = self.node(i) {
                let place = node.place(self.group, at.q);
                for j in 0..node.dim() {
                    r[node.index(j) - first] += part.dot(&node.column(&place, j));
                }
            }
        }
    }

    /// Calls `put(first coordinate, three entries)` for the parts of a row. Not for nodes of modal bodies.
    #[inline]
    pub fn put_row(&self, link: Link, row: &Row<T>, mut put: impl FnMut(usize, &Vector3<T>)) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            if let Some(body) = self.get(i) {
                body.row_parts(part, &mut put);
            }
        }
    }

    /// Calls `put(first coordinate, entries)` for the parts of a row, also for those of nodes of modal
    /// bodies.
    pub fn put_entries(&self, link: Link, row: &Row<T>, at: &At<T>, mut put: impl FnMut(usize, &[T])) {
        self.put_row(link, row, |j, x| put(j, x.as_slice()));
        self.put_nodes(link, row, at, |node, place, j| node.column(place, j), put);
    }

    /// What a row of a measure adds to its derivative Y because its nodes move with their carriers.
    pub fn put_turned_entries(&self, link: Link, row: &Row<T>, at: &At<T>, put: impl FnMut(usize, &[T])) {
        self.put_nodes(link, row, at, |node, place, j| node.turned(place, at.v, j), put);
    }

    /// Calls `put` with the product of a row and a motion of each coordinate of its nodes.
    fn put_nodes(
        &self,
        link: Link,
        row: &Row<T>,
        at: &At<T>,
        motion: impl Fn(&Node<T>, &Place<T>, usize) -> Motion<T>,
        mut put: impl FnMut(usize, &[T]),
    ) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            let Some(node) = self.node(i) else { continue };
            let place = node.place(self.group, at.q);
            for j in 0..node.dim() {
                put(node.index(j), &[part.dot(&motion(node, &place, j))]);
            }
        }
    }

    /// Calls `put(first coordinate, columns)` for the two bodies of a joint.
    #[inline(always)]
    pub fn put_columns(
        &self,
        link: Link,
        columns: &Columns<T>,
        at: &At<T>,
        mut put: impl FnMut(usize, &[T]),
    ) {
        let n = columns.n;
        for (i, columns) in [(link.a, &columns.a), (link.b, &columns.b)] {
            if let Some(body) = self.get(i) {
                // Point masses have translations only.
                put(body.v, &columns[(6 - body.dim()) * n..6 * n]);
            } else if let Some(node) = self.node(i) {
                let place = node.place(self.group, at.q);
                for j in 0..node.dim() {
                    put(node.index(j), &times(columns, n, &node.column(&place, j))[..n]);
                }
            }
        }
    }

    /// What the rows `b` of a joint add to Y because its nodes move with their carriers.
    pub fn put_turned(&self, link: Link, b: &Columns<T>, at: &At<T>, mut put: impl FnMut(usize, &[T])) {
        for (i, columns) in [(link.a, &b.a), (link.b, &b.b)] {
            let Some(node) = self.node(i) else { continue };
            let place = node.place(self.group, at.q);
            for j in 0..node.dim() {
                put(node.index(j), &times(columns, b.n, &node.turned(&place, at.v, j))[..b.n]);
            }
        }
    }

    /// Adds those parts of the blocks of one or two bodies that can differ from zero.
    #[inline]
    pub fn add_blocks(
        &self,
        link: Link,
        parts: Parts,
        k: &impl Blocks<T>,
        (derivative, at): (Derivative, &At<T>),
        out: &mut Tangents<T>,
    ) {
        if self.has_node(link) {
            return self.add_node_blocks(link, k, (derivative, at), out);
        }
        let mut put = |i, j, x: &Matrix3<T>| derivative.add(out, (i, j), x);
        let b = self.get(link.b);
        let Parts { coupled, translations } = parts;
        if let (Some(k), Some(a)) = (k.pair(), self.get(link.a)) {
            a.block_parts(a, &k.aa, translations, &mut put);
            if let (Some(b), true) = (b, coupled) {
                a.block_parts(b, &k.ab, translations, &mut put);
                b.block_parts(a, &k.ba, translations, &mut put);
            }
        }
        if let Some(b) = b {
            b.block_parts(b, k.second(), translations, &mut put);
        }
    }

    /// [`add_blocks`](Self::add_blocks) entry by entry: J_i^T k J_j.
    fn add_node_blocks(
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

    /// Adds to K what comes from nodes that move with their carriers: `force` is g of the pair, `d` its
    /// derivative with respect to the velocities.
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
            let place = node.place(self.group, at.q);
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
            let (Some(rows), Some(Side::Node(node, place))) = (&sides[row], &sides[column]) else { continue };
            for j in 0..node.dim() {
                let change = times_motion(block, &node.turned(place, at.v, j));
                for i in 0..rows.dim() {
                    let x = Matrix1::new(change.dot(&rows.column(i)));
                    out.stiffness(rows.index(i), node.index(j), &x);
                }
            }
        }
    }

    /// Adds the product of a force on two bodies and the change of a quantity of two bodies, perhaps others.
    pub fn add_product(
        &self,
        link: Link,
        force: &Row<T>,
        change: &Change<T>,
        (derivative, at): (Derivative, &At<T>),
        out: &mut Tangents<T>,
    ) {
        let row = match derivative {
            Derivative::Stiffness => &change.q,
            Derivative::Damping => &change.v,
        };
        if !(self.has_node(link) || self.has_node(change.link)) {
            return self.put_row(link, force, |i, w| {
                self.put_row(change.link, row, |j, x| derivative.add(out, (i, j), &(w * x.transpose())));
            });
        }
        let read = [(change.link.a, &row.a, &change.v.a), (change.link.b, &row.b, &change.v.b)];
        for (i, w) in [(link.a, &force.a), (link.b, &force.b)] {
            let Some(rows) = self.side(i, at) else { continue };
            for (k, x, rate) in &read {
                let Some(columns) = self.side(*k, at) else { continue };
                for j in 0..columns.dim() {
                    let mut entry = x.dot(&columns.column(j));
                    if let (Side::Node(node, place), Derivative::Stiffness) = (&columns, derivative) {
                        entry += rate.dot(&node.turned(place, at.v, j));
                    }
                    for i in 0..rows.dim() {
                        let x = Matrix1::new(w.dot(&rows.column(i)) * entry);
                        derivative.add(out, (rows.index(i), columns.index(j)), &x);
                    }
                }
            }
        }
    }

    fn side(&self, i: Option<usize>, at: &At<T>) -> Option<Side<'_, T>> {
        let node = || self.node(i).map(|n| Side::Node(n, n.place(self.group, at.q)));
        self.get(i).map(Side::Body).or_else(node)
    }
}

/// A body, or a node with what depends on its place.
enum Side<'a, T: Number> {
    Body(&'a Body<T>),
    Node(&'a Node<T>, Place<T>),
}

impl<T: Number> Side<'_, T> {
    fn dim(&self) -> usize {
        match self {
            Side::Body(body) => body.dim(),
            Side::Node(node, _) => node.dim(),
        }
    }

    fn index(&self, j: usize) -> usize {
        match self {
            Side::Body(body) => body.v + j,
            Side::Node(node, _) => node.index(j),
        }
    }

    /// What a unit of coordinate j moves.
    fn column(&self, j: usize) -> Motion<T> {
        match self {
            Side::Body(body) => {
                // Point masses have translations only.
                let (mut unit, j) = (Motion::rest(), j + 6 - body.dim());
                if j < 3 {
                    unit.omega[j] = T::one()
                } else {
                    unit.u[j - 3] = T::one()
                }
                unit
            }
            Side::Node(node, place) => node.column(place, j),
        }
    }
}

/// The blocks of a pair by the numbers of their rows and columns.
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

beside!(struct Bodies { group, list, nodes });
