//! Pairs of bodies, as joints and forces use them.

mod nodes;

use nalgebra::{Matrix1, Matrix3, Vector3};
use precess_lie::Number;

use self::nodes::BodyOrNode;
use super::body::Body;
pub use super::columns::{JointColumns, Parts};
use super::kernels::{Block, Blocks, Group, Motion, Pair, PairMotion, Pose, Row, point};
use super::node::Node;
use super::system::At;
use super::tangents::Tangents;
use crate::mechanics::combine::combine;

/// A quantity of two bodies with its derivatives: dy = v . dv + q . dq.
#[derive(Clone, Copy, Debug)]
pub struct Change<T = f64> {
    /// The bodies.
    pub link: Link,
    /// The derivative with respect to velocities.
    pub v: Row<T>,
    /// The derivative with respect to positions.
    pub q: Row<T>,
}

/// Two bodies, given by their indices. `None` is the ground, whose columns and forces are dropped. The nodes
/// of modal bodies are numbered after the bodies.
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

/// The moving bodies, their group, and gravity.
#[derive(Clone, Debug)]
pub struct Bodies<T = f64> {
    /// The group of every rigid body.
    pub group: Group,
    /// The bodies.
    pub list: Vec<Body<T>>,
    /// The nodes of modal bodies to which joints and forces are attached.
    pub nodes: Vec<Node<T>>,
    /// Gravitational acceleration.
    pub gravity: Vector3<T>,
}

/// The derivative to which a block belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// The stiffness K = D_q g.
    Stiffness,
    /// The damping D = dg/dv.
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

    /// Adds those parts of a block of two bodies that can differ from zero.
    #[inline]
    fn add_parts<T: Number>(
        self,
        out: &mut Tangents<T>,
        (rows, columns): (&Body<T>, &Body<T>),
        block: &Block<T>,
        translations: bool,
    ) {
        let Block { rr, rx, xr, xx } = block;
        let is_full = |parts: [&Matrix3<T>; 4]| parts.into_iter().all(|part| !T::all_zero(part.iter()));
        let rigid = rows.dim() == 6 && columns.dim() == 6;
        if translations && rigid && is_full([rx, xr, rr, xx]) {
            let want = out.want();
            let (weight, matrix) = match self {
                Derivative::Stiffness => (f64::from(want.stiffness), &mut out.k),
                Derivative::Damping => (want.c_d, &mut out.s),
            };
            if weight != 0.0 {
                matrix.add_quarters(rows.v, columns.v, T::of(weight), [rr, rx, xr, xx]);
            }
            return;
        }
        rows.block_parts(columns, block, translations, |i, j, x| self.add(out, (i, j), x));
    }
}

impl<T: Number> Bodies<T> {
    /// The body with this index; `None` for the ground and for a node of a modal body.
    #[inline(always)]
    pub fn get(&self, i: Option<usize>) -> Option<&Body<T>> {
        i.and_then(|i| self.list.get(i))
    }

    /// The node of a modal body with this index.
    #[inline]
    pub fn node(&self, i: Option<usize>) -> Option<&Node<T>> {
        i.and_then(|i| self.nodes.get(i.checked_sub(self.list.len())?))
    }

    /// True if one of the two bodies is a node of a modal body.
    #[inline]
    pub fn has_node(&self, link: Link) -> bool {
        !self.nodes.is_empty() && link.moving().any(|i| i >= self.list.len())
    }

    /// The factors of the configuration space that move two bodies.
    pub fn factors(&self, link: Link) -> Vec<usize> {
        self.factors_of(link.moving())
    }

    /// The factors of the configuration space that move several bodies, each listed once.
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

    /// The position and orientation of a body.
    #[inline(always)]
    pub fn pose(&self, i: Option<usize>, q: &[T]) -> Pose<T> {
        match (self.get(i), i) {
            (Some(body), _) => body.pose(q),
            (None, None) => Pose::ground(),
            (None, Some(_)) => self.node_pose(i, q),
        }
    }

    /// Writes a pose to its place. Unlike [`pose`](Self::pose), it does not copy a whole pose. For lanes,
    /// such a copy would be a call of `memcpy`.
    #[inline(always)]
    fn put_pose(&self, i: Option<usize>, q: &[T], out: &mut Pose<T>) {
        match (self.get(i), i) {
            (Some(body), _) => {
                let Pose { r, x } = body.pose(q);
                (out.r, out.x) = (r, x);
            }
            (None, None) => {}
            (None, Some(_)) => *out = self.node_pose(i, q),
        }
    }

    /// The poses of two bodies. Forces, gears and controls share this code.
    #[inline(never)]
    pub fn pair(&self, link: Link, q: &[T]) -> Pair<T> {
        T::vectorize(
            #[inline(always)]
            || self.joint_pair(link, q),
        )
    }

    /// [`pair`](Self::pair) as a part of the code of joints, which need it most often.
    #[inline(always)]
    pub fn joint_pair(&self, link: Link, q: &[T]) -> Pair<T> {
        let mut pair = self.pair_in_space(link, q);
        pair.relate(link.a.is_some());
        pair
    }

    /// The poses of two bodies without the relative pose, see [`Pair::in_space`].
    #[inline(always)]
    pub fn pair_in_space(&self, link: Link, q: &[T]) -> Pair<T> {
        let mut pair = Pair::in_space(self.group, &Pose::ground(), &Pose::ground());
        self.put_pose(link.a, q, &mut pair.a);
        self.put_pose(link.b, q, &mut pair.b);
        pair
    }

    /// The velocity of a body.
    #[inline(always)]
    pub fn motion_of(&self, i: Option<usize>, at: &At<T>) -> Motion<T> {
        match (self.get(i), i) {
            (Some(body), _) => body.motion(at.v),
            (None, None) => Motion::rest(),
            (None, Some(_)) => self.node_motion(i, at),
        }
    }

    /// The acceleration of a body.
    #[inline]
    pub fn acceleration_of(&self, i: Option<usize>, at: &At<T>) -> Motion<T> {
        match self.get(i) {
            Some(body) => body.motion(at.vdot),
            None => self
                .node(i)
                .map_or_else(Motion::rest, |n| n.acceleration(&n.deformed(self.group, at.q), at.v, at.vdot)),
        }
    }

    /// The velocities of two bodies.
    #[inline(always)]
    pub fn motion(&self, link: Link, at: &At<T>) -> PairMotion<T> {
        PairMotion { a: self.motion_of(link.a, at), b: self.motion_of(link.b, at) }
    }

    /// The accelerations of two bodies.
    #[inline]
    pub fn acceleration(&self, link: Link, at: &At<T>) -> PairMotion<T> {
        PairMotion { a: self.acceleration_of(link.a, at), b: self.acceleration_of(link.b, at) }
    }

    /// The velocity of a point of a body, in the inertial frame. The point `p` is given in the frame of the
    /// body.
    pub fn point_velocity(&self, i: Option<usize>, at: &At<T>, p: &Vector3<T>) -> Vector3<T> {
        point::velocity(self.group, &self.pose(i, at.q), &self.motion_of(i, at), p)
    }

    /// The acceleration of a point of a body, like [`point_velocity`](Self::point_velocity).
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

    /// Adds a generalised force on two bodies to a residual that begins with coordinate `first`.
    #[inline(always)]
    pub fn add_force_from(&self, link: Link, force: &Row<T>, at: &At<T>, first: usize, r: &mut [T]) {
        for (i, part) in [(link.a, &force.a), (link.b, &force.b)] {
            if let Some(body) = self.get(i) {
                body.add_wrench_from(part, first, r);
            } else if i.is_some() {
                self.add_node_force(i, part, at, first, r);
            }
        }
    }

    /// Calls `put(first coordinate, three entries)` for the parts of a row. It does not support nodes of
    /// modal bodies.
    #[inline]
    pub fn put_row(&self, link: Link, row: &Row<T>, mut put: impl FnMut(usize, &Vector3<T>)) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            if let Some(body) = self.get(i) {
                body.row_parts(part, &mut put);
            }
        }
    }

    /// Calls `put(first coordinate, entries)` for the parts of a row, including those of nodes of modal
    /// bodies.
    pub fn put_entries(&self, link: Link, row: &Row<T>, at: &At<T>, mut put: impl FnMut(usize, &[T])) {
        self.put_row(link, row, |j, x| put(j, x.as_slice()));
        if self.has_node(link) {
            self.put_nodes(link, row, at, &|node, place, j| node.column(place, j), &mut put);
        }
    }

    /// Calls `put(first coordinate, columns)` for the two bodies of a joint.
    #[inline(always)]
    pub fn put_columns(
        &self,
        link: Link,
        columns: &JointColumns<T>,
        at: &At<T>,
        mut put: impl FnMut(usize, &[T]),
    ) {
        let n = columns.n;
        for (i, columns) in [(link.a, &columns.a), (link.b, &columns.b)] {
            if let Some(body) = self.get(i) {
                // Point masses have only translations.
                put(body.v, &columns[(6 - body.dim()) * n..6 * n]);
            } else if i.is_some() {
                self.put_node_columns(i, (columns, n), at, &mut put);
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
        let b = self.get(link.b);
        let Parts { coupled, translations } = parts;
        let mut add = |rows, columns, k| derivative.add_parts(out, (rows, columns), k, translations);
        if let (Some(k), Some(a)) = (k.pair(), self.get(link.a)) {
            add(a, a, &k.aa);
            if let (Some(b), true) = (b, coupled) {
                add(a, b, &k.ab);
                add(b, a, &k.ba);
            }
        }
        if let Some(b) = b {
            add(b, b, k.second());
        }
    }

    /// Adds the product of a force on two bodies and the change of a quantity. The quantity may belong to
    /// other bodies.
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
                    if let (BodyOrNode::Node(node, place), Derivative::Stiffness) = (&columns, derivative) {
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
}

combine!(struct Bodies { group, list, nodes, gravity });

crate::mechanics::combine::same!(Link, Parts);
