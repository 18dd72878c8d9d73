//! A mechanism in the coordinates of its joints.
//!
//! A spanning tree of the bodies gives the coordinates ([`spanning_tree`]); joints of the tree need no constraint. The
//! other joints, gears and constraints keep their rows. With the Jacobian J of the bodies in SE(3),
//!
//! ```text
//! V = J(q) v     V' = J v' + J' v     r_c = J^T r(q, V, V', lambda)     Phi_c(q) = Phi(bodies at q)
//! ```
//!
//! so every force, drive, control and event works without changes: `inner` is the mechanism in SE(3) with the rows that are
//! left. `complete` is the same with all rows; from it come the forces in the joints of the tree. J is never formed in a
//! step: V follows by an outward pass, J^T r by an inward one, and accelerations of trees by articulated bodies
//! ([`Tree`]). `chain_rule.rs` has the derivatives.

mod chain_rule;
mod forces;
pub mod spanning_tree;
mod start;

use precess_lie::rotation::quaternion_from_matrix;
use precess_lie::{Factor, Product};

use self::spanning_tree::Edge;
use super::scratch::Pool;
use crate::Error;
use crate::mechanics::kernels::{Motion, Pose, Wrench};
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::mechanics::tree::spatial::{compose, invert};
use crate::mechanics::tree::{StageKind, Tree, TreeMotion};
use crate::mechanics::{
    At, Block, BodyKind, Describes, Energy, Event, Function, Momenta, Multibody, RowKind, System, Tangents,
};

/// Largest part of the velocities that may not fit the joints.
const MISFIT: f64 = 1e-9;

/// A mechanism in joint coordinates.
#[derive(Debug)]
pub struct JointCoordinates {
    inner: Multibody,
    complete: Multibody,
    tree: Tree,
    edges: Vec<Edge>,
    /// For each edge, the last stage of its parent and its own last stage.
    ends: Vec<(Option<usize>, Option<usize>)>,
    group: Product,
    /// Coordinates behind those of the bodies: modes, states, controls. First entries in q and v of the tree and of the
    /// mechanism, and their number.
    rest: Rest,
    row_weights: Option<Vec<f64>>,
    pool: Pool<Work>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    q: usize,
    v: usize,
    inner_q: usize,
    inner_v: usize,
    n: usize,
}

/// The expanded state and space for passes.
#[derive(Debug)]
struct Work {
    motion: TreeMotion,
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    zero: Vec<f64>,
    r: Vec<f64>,
    derivatives: chain_rule::Space,
}

impl JointCoordinates {
    /// The mechanism with all rows, the same without the rows of the edges, and the edges ([`spanning_tree`]), for bodies
    /// with the poses `assembled` where all coordinates are zero. Returns the initial q and v for those of the
    /// mechanism.
    pub fn new(
        complete: Multibody,
        inner: Multibody,
        edges: Vec<Edge>,
        assembled: &[Pose],
        (q, v): (&[f64], &[f64]),
    ) -> Result<(Self, Vec<f64>, Vec<f64>), Error> {
        // Weights are forces of the mechanism.
        let mut tree = Tree::new(nalgebra::Vector3::zeros());
        let n = inner.body_list().len();
        let mut placed: Vec<(Option<usize>, Pose)> = vec![(None, Pose::ground()); n];
        let mut ends = Vec::new();
        for edge in &edges {
            let (parent, parent_pose) = edge.parent.map_or((None, Pose::ground()), |p| placed[p]);
            let in_space = |body: Option<usize>, marker: &Pose| {
                compose(&body.map_or_else(Pose::ground, |b| assembled[b]), marker)
            };
            let (a, b) = (in_space(edge.parent, &edge.on_parent), in_space(Some(edge.body), &edge.on_body));
            let on_stage = compose(&parent_pose, &edge.on_parent);
            let (last, end) = tree.add_joint(parent, &on_stage, &compose(&invert(&a), &b), &edge.steps);
            placed[edge.body] = (last, compose(&end, &invert(&edge.on_body)));
            ends.push((parent, last));
        }
        for (body, (stage, pose)) in inner.body_list().iter().zip(&placed) {
            let inertia = match &body.kind {
                BodyKind::Rigid { inertia } => *inertia,
                BodyKind::PointMass => nalgebra::Matrix3::zeros(),
            };
            tree.add_body(*stage, *pose, body.mass, &inertia);
        }
        let group = inner.group();
        let factors = &group.factors()[n..];
        let rest = Rest {
            q: tree.group().repr(),
            v: tree.dim(),
            inner_q: (n < group.factors().len()).then(|| group.q_range(n).start).unwrap_or(group.repr()),
            inner_v: (n < group.factors().len()).then(|| group.v_range(n).start).unwrap_or(group.dim()),
            n: factors.iter().map(|f| f.dim()).sum(),
        };
        let group =
            Product::new(tree.group().factors().iter().chain(factors).copied().collect::<Vec<Factor>>());
        let mut joint = JointCoordinates {
            inner,
            complete,
            tree,
            edges,
            ends,
            group,
            rest,
            row_weights: None,
            pool: Pool::default(),
        };
        let (q, v) = joint.initial(assembled, q, v)?;
        joint.row_weights = joint.weights_of_dependent_rows(&q);
        Ok((joint, q, v))
    }

    /// The coordinates and their rates for a state of the mechanism.
    fn initial(&self, assembled: &[Pose], q: &[f64], v: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let bodies = self.inner.body_list();
        let now: Vec<Pose> =
            bodies.iter().map(|b| start::pose(&q[b.q..b.q + b.dim() + b.dim() / 6])).collect();
        let mut own = start::positions(&self.edges, assembled, &now);
        own.extend_from_slice(&q[self.rest.inner_q..]);
        let mut motion = self.tree.motion();
        self.tree.positions(&own, &mut motion);
        let speeds: Vec<Motion> = bodies
            .iter()
            .enumerate()
            .map(|(i, b)| {
                let m = b.motion(v);
                let turned = self.tree.body_pose(i, &motion).r.transpose() * m.u;
                if b.dim() == 6 { m } else { Motion { u: turned, ..m } }
            })
            .collect();
        let length = self.inner.length_scale();
        let (mut rates, misfit) =
            start::velocities((&self.tree, &self.ends), &motion, &speeds, &self.edges, length);
        if let Some(misfit) = misfit.filter(|m| !(m.size <= MISFIT)) {
            return Err(Error::InconsistentVelocity {
                constraint: format!("joint {}", self.edge_name(misfit.edge)),
                residual: misfit.size,
                tolerance: MISFIT,
                t: 0.0,
            });
        }
        rates.extend_from_slice(&v[self.rest.inner_v..]);
        Ok((own, rates))
    }

    /// The name of the joint of an edge, or of its body.
    fn edge_name(&self, edge: usize) -> String {
        match self.edges[edge].joint {
            Some(joint) => self.inner.joint_list()[joint].name.clone(),
            None => self.inner.body_list()[self.edges[edge].body].name.clone(),
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Joint (or free body) by joint: its name, and its coordinates in v.
    pub fn coordinates(&self) -> Vec<(String, std::ops::Range<usize>)> {
        let list = self.ends.iter().enumerate().map(|(i, &(first, last))| {
            let end = last.map_or(0, |s| self.tree.stages()[s].v + self.tree.stages()[s].dim());
            let stages = self.tree.path(last).take_while(|&k| Some(k) != first);
            let begin = stages.map(|k| self.tree.stages()[k].v).min().unwrap_or(end);
            (self.edge_name(i), begin..end)
        });
        list.collect()
    }

    fn work(&self) -> Work {
        let (k, n) = (self.inner.group().dim(), self.group.dim());
        Work {
            motion: self.tree.motion(),
            q: vec![0.0; self.inner.group().repr()],
            v: vec![0.0; k],
            vdot: vec![0.0; k],
            zero: vec![0.0; k.max(n)],
            r: vec![0.0; k],
            derivatives: chain_rule::Space::default(),
        }
    }

    /// Calls `f` with the state of the mechanism and free space.
    fn expanded<R>(&self, at: &At, f: impl FnOnce(&At, &mut Work) -> R) -> R {
        self.pool.with(
            || self.work(),
            |work| {
                self.expand(at, work);
                let [q, v, vdot] = [&mut work.q, &mut work.v, &mut work.vdot].map(std::mem::take);
                let full = At {
                    q: &q,
                    v: if self.is_given(at.v) { &v } else { &[] },
                    vdot: if self.is_given(at.vdot) { &vdot } else { &[] },
                    ..*at
                };
                let result = f(&full, work);
                (work.q, work.v, work.vdot) = (q, v, vdot);
                result
            },
        )
    }

    /// True if velocities or accelerations are given; a mechanism that cannot move has none.
    fn is_given(&self, x: &[f64]) -> bool {
        !x.is_empty() || self.group.dim() == 0
    }

    /// Poses, velocities and accelerations of the bodies, as far as they are given.
    fn expand(&self, at: &At, work: &mut Work) {
        let Work { motion, q, v, vdot, .. } = work;
        let (with_v, with_a) = (self.is_given(at.v), self.is_given(at.vdot));
        if with_v {
            self.tree.velocities(at.q, at.v, motion);
            if with_a {
                self.tree.accelerations(at.vdot, motion);
            }
        } else {
            self.tree.positions(at.q, motion);
        }
        for (i, body) in self.inner.body_list().iter().enumerate() {
            let pose = self.tree.body_pose(i, motion);
            let rigid = body.dim() == 6;
            if rigid {
                q[body.q..body.q + 4].copy_from_slice(quaternion_from_matrix(&pose.r).as_slice());
            }
            let x = body.q + if rigid { 4 } else { 0 };
            q[x..x + 3].copy_from_slice(pose.x.as_slice());
            if with_v {
                let own = self.tree.body_velocity(i, motion);
                put(&own, &pose, rigid, &mut v[body.v..]);
                if with_a {
                    let mut a = self.tree.body_acceleration(i, motion);
                    if !rigid {
                        a.u += own.omega.cross(&own.u);
                    }
                    put(&a, &pose, rigid, &mut vdot[body.v..]);
                }
            }
        }
        let Rest { q: own_q, v: own_v, inner_q, inner_v, n } = self.rest;
        q[inner_q..inner_q + n].copy_from_slice(&at.q[own_q..own_q + n]);
        if with_v {
            v[inner_v..inner_v + n].copy_from_slice(&at.v[own_v..own_v + n]);
        }
        if with_a {
            vdot[inner_v..inner_v + n].copy_from_slice(&at.vdot[own_v..own_v + n]);
        }
    }

    /// The wrench on a body in its frame, from a residual of the mechanism.
    fn wrench(&self, body: usize, r: &[f64], motion: &TreeMotion) -> Wrench {
        let b = &self.inner.body_list()[body];
        let three = |i: usize| nalgebra::Vector3::new(r[i], r[i + 1], r[i + 2]);
        if b.dim() == 6 {
            return Wrench { rot: three(b.v), trans: three(b.v + 3) };
        }
        let turned = self.tree.body_pose(body, motion).r.transpose() * three(b.v);
        Wrench { trans: turned, ..Wrench::zero() }
    }

    /// Loads of the tree from a residual of the mechanism.
    fn load(&self, r: &[f64], motion: &mut TreeMotion) {
        self.tree.clear_loads(motion);
        for body in 0..self.inner.body_list().len() {
            let w = self.wrench(body, r, motion);
            self.tree.add_load(body, &w, motion);
        }
    }
}

/// Writes a motion of a body; that of a point mass has the axes of space.
fn put(m: &Motion, pose: &Pose, rigid: bool, out: &mut [f64]) {
    if rigid {
        out[..3].copy_from_slice(m.omega.as_slice());
        out[3..6].copy_from_slice(m.u.as_slice());
    } else {
        out[..3].copy_from_slice((pose.r * m.u).as_slice());
    }
}

impl System for JointCoordinates {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.inner.n_lambda()
    }

    fn n_s(&self) -> usize {
        self.inner.n_s()
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.expanded(at, |full, work| {
            let mut all = std::mem::take(&mut work.r);
            self.inner.residual(full, &mut all);
            self.load(&all, &mut work.motion);
            self.tree.pull_back(&mut work.motion, r);
            let Rest { v, inner_v, n, .. } = self.rest;
            r[v..v + n].copy_from_slice(&all[inner_v..inner_v + n]);
            work.r = all;
        });
    }

    fn accelerate(&self, at: &At, vdot: &mut [f64]) -> Option<Result<(), Error>> {
        // The mass of modes and of their frames is coupled.
        if self.inner.n_lambda() > 0 || self.inner.n_s() > 0 || self.inner.has_modes() {
            return None;
        }
        self.expanded(&At { vdot: &[], ..*at }, |full, work| {
            let (mut all, zero) = (std::mem::take(&mut work.r), std::mem::take(&mut work.zero));
            let k = all.len();
            self.inner.residual(&At { vdot: &zero[..k], ..*full }, &mut all);
            self.load(&all, &mut work.motion);
            self.tree.accelerate_loaded(&zero[..self.tree.dim()], &mut work.motion, vdot);
            let Rest { v, inner_v, n, .. } = self.rest;
            (0..n).for_each(|i| vdot[v + i] = -all[inner_v + i]);
            (work.r, work.zero) = (all, zero);
        });
        let wrong = vdot.iter().position(|x| !x.is_finite());
        Some(match wrong {
            None => Ok(()),
            Some(i) => Err(Error::SingularMass {
                t: at.t,
                motion: format!("no inertia along {}, or a force that is not finite", self.velocity_name(i)),
            }),
        })
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.constraint(full, phi));
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.velocity_constraint(full, out));
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.acceleration_constraint(full, out));
    }

    fn velocity_rows(&self) -> &[usize] {
        self.inner.velocity_rows()
    }

    fn row_kind(&self, row: usize, memory: &[f64]) -> RowKind {
        self.inner.row_kind(row, memory)
    }

    fn algebraic(&self, at: &At, out: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.algebraic(full, out));
    }

    fn guess_algebraic(&self, s: &mut [f64]) {
        self.inner.guess_algebraic(s);
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.chain_rule(at, out);
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        self.expanded(at, |full, _| self.inner.energy(full))
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        self.expanded(at, |full, _| self.inner.momenta(full))
    }

    fn power(&self, at: &At) -> Option<f64> {
        self.expanded(at, |full, _| self.inner.power(full))
    }

    fn see_limits(&self, at: &At, seen: &mut Vec<f64>) {
        if self.inner.has_limits() {
            self.expanded(at, |full, _| self.inner.see_limits(full, seen));
        }
    }

    fn neglected(&self, seen: &[f64]) -> Vec<String> {
        self.inner.neglected(seen)
    }

    fn exceeded(&self, seen: &[f64]) -> Option<String> {
        self.inner.exceeded(seen)
    }

    fn power_reads_forces(&self) -> bool {
        self.inner.power_reads_forces()
    }

    fn n_memory(&self) -> usize {
        self.inner.n_memory()
    }

    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.remember(full, memory));
    }

    fn switch(&self, at: &At, list: &[(usize, f64)], memory: &mut [f64]) {
        self.expanded(at, |full, _| self.inner.switch(full, list, memory));
    }

    fn events(&self) -> &[Event] {
        self.inner.events()
    }

    fn event_moments(&self, event: usize, from: f64, to: f64) -> Result<Option<Vec<(f64, bool)>>, Error> {
        self.inner.event_moments(event, from, to)
    }

    fn event_values(&self, at: &At, out: &mut [f64]) {
        self.with_all_forces(at, |full| self.complete.event_values(full, out));
    }

    fn constraint_name(&self, row: usize) -> String {
        self.inner.constraint_name(row)
    }

    fn velocity_name(&self, index: usize) -> String {
        if index >= self.rest.v {
            return self.inner.velocity_name(self.rest.inner_v + index - self.rest.v);
        }
        let list = self.coordinates();
        match list.iter().find(|(_, range)| range.contains(&index)) {
            Some((name, range)) if range.len() == 1 => format!("the motion of joint {name}"),
            Some((name, range)) => format!("motion {} of joint {name}", index - range.start + 1),
            None => format!("velocity coordinate {}", index + 1),
        }
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.row_weights.as_deref()
    }

    /// Angles are rotations; states of controls count as lengths, as in other coordinates.
    fn blocks(&self) -> Vec<Block> {
        let mut list = Block::of(&self.group);
        for stage in self.tree.stages() {
            if stage.kind == StageKind::Turn
                && let Ok(i) = list.binary_search_by_key(&stage.v, |b| b.v.start)
            {
                list[i].describes = Describes::Rotation;
            }
        }
        list
    }

    fn length_scale(&self) -> f64 {
        self.inner.length_scale()
    }

    fn acceleration_scale(&self) -> Option<f64> {
        self.inner.acceleration_scale()
    }

    fn drives(&self) -> Vec<&Function> {
        self.inner.drives()
    }
}

impl Mechanism for JointCoordinates {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.expanded(at, |full, _| self.inner.bodies(full))
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        self.with_all_forces(at, |full| self.complete.reactions(full))
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        self.with_all_forces(at, |full| self.complete.sensors(full))
    }

    fn sensor_units(&self) -> Vec<&'static str> {
        self.inner.sensor_units()
    }

    fn troubles(&self, at: &At) -> Vec<String> {
        self.expanded(at, |full, _| self.inner.troubles(full))
    }
}
