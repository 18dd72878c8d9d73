//! Rigid bodies and point masses with joints, in absolute coordinates R^3xSO(3) or SE(3): bodies and joints are summed up
//! into the equations of motion.

use nalgebra::{RowVector3, Vector3};
use precess_lie::Product;

use super::body::Body;
use super::joints::Rows;
use super::kernels::{Group, Motion, Pair, PairBlocks, PairMotion, Pose, Row};
use super::structure::{RowGroup, Structure};
use super::system::{At, Energy, System};
use super::tangents::Tangents;
use crate::solve::redundancy;

/// A joint in the assembled system. `None` as a body is the ground.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name, unique in its model.
    pub name: String,
    /// Index of the first body.
    pub a: Option<usize>,
    /// Index of the second body.
    pub b: Option<usize>,
    /// Where the joint acts on body b, in its body frame.
    pub point_b: Vector3<f64>,
    /// Constraint rows.
    pub rows: Vec<Rows>,
    /// First row in Phi.
    pub first: usize,
}

impl Joint {
    /// Number of constraint rows.
    pub fn n_rows(&self) -> usize {
        self.rows.iter().map(Rows::len).sum()
    }

    /// Its rows in Phi and lambda.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.n_rows()
    }
}

/// What a body does, in physical terms.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Name.
    pub name: String,
    /// Centre of mass, inertial frame.
    pub position: Vector3<f64>,
    /// Unit quaternion (w, x, y, z) from body to inertial frame.
    pub rotation: [f64; 4],
    /// Velocity of the centre of mass, inertial frame.
    pub velocity: Vector3<f64>,
    /// Angular velocity, body frame.
    pub angular_velocity: Vector3<f64>,
}

/// What a joint does to its second body.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Name of the joint.
    pub name: String,
    /// Force on body b at the joint, inertial frame.
    pub force: Vector3<f64>,
    /// Torque on body b about the joint point, inertial frame.
    pub torque: Vector3<f64>,
    /// Multipliers of its rows.
    pub multipliers: Vec<f64>,
}

/// A system that can say what its bodies and joints do.
pub trait Mechanism: System {
    /// All bodies.
    fn bodies(&self, at: &At) -> Vec<BodyState>;
    /// All joints.
    fn reactions(&self, at: &At) -> Vec<Reaction>;
}

/// Bodies and joints in absolute coordinates.
#[derive(Clone, Debug)]
pub struct Multibody {
    kind: Group,
    group: Product,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    gravity: Vector3<f64>,
    length: f64,
    n_rows: usize,
    structure: Structure,
    row_weights: Option<Vec<f64>>,
}

impl Multibody {
    /// An empty system.
    pub fn new(kind: Group, gravity: Vector3<f64>, length: f64) -> Self {
        Multibody {
            kind,
            group: Product::new([]),
            bodies: Vec::new(),
            joints: Vec::new(),
            gravity,
            length,
            n_rows: 0,
            structure: Structure::default(),
            row_weights: None,
        }
    }

    /// Adds bodies; their places in the state are assigned.
    pub fn with_bodies(mut self, bodies: impl IntoIterator<Item = Body>) -> Self {
        self.bodies.extend(bodies);
        self.group = Product::new(self.bodies.iter().map(|b| b.factor(self.kind)));
        for (i, body) in self.bodies.iter_mut().enumerate() {
            body.q = self.group.q_range(i).start;
            body.v = self.group.v_range(i).start;
        }
        self
    }

    /// Adds a joint; its rows come after those of the joints before it.
    pub fn add_joint(&mut self, mut joint: Joint) {
        joint.first = self.n_rows;
        self.n_rows += joint.n_rows();
        self.structure
            .constraints
            .push(RowGroup { rows: joint.range(), factors: joint.a.into_iter().chain(joint.b).collect() });
        Self::each_rows(&joint, |rows, first| self.structure.classes.push(first..first + rows.len()));
        self.joints.push(joint);
    }

    /// Looks for redundant rows at the configuration q and regularises them from now on. Returns their number.
    pub fn detect_redundancy(&mut self, q: &[f64]) -> usize {
        let redundant = redundancy::count(self, &self.structure, q);
        if redundant.count > 0 {
            self.row_weights = Some(redundant.weights);
        }
        redundant.count
    }

    /// Group of every rigid body.
    pub fn kind(&self) -> Group {
        self.kind
    }

    /// The moving bodies.
    pub fn body_list(&self) -> &[Body] {
        &self.bodies
    }

    /// The joints.
    pub fn joint_list(&self) -> &[Joint] {
        &self.joints
    }

    /// Gravitational acceleration.
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    fn body(&self, i: Option<usize>) -> Option<&Body> {
        i.map(|i| &self.bodies[i])
    }

    #[inline]
    fn pose(&self, i: Option<usize>, q: &[f64]) -> Pose {
        self.body(i).map_or_else(Pose::ground, |b| b.pose(q))
    }

    #[inline]
    fn pair(&self, joint: &Joint, q: &[f64]) -> Pair {
        Pair::new(self.kind, &self.pose(joint.a, q), &self.pose(joint.b, q))
    }

    #[inline]
    fn motion(&self, joint: &Joint, v: &[f64]) -> PairMotion {
        let of = |i| self.body(i).map_or_else(Motion::rest, |b| b.motion(v));
        PairMotion { a: of(joint.a), b: of(joint.b) }
    }

    /// Calls `f(rows, first row)` for the groups of rows of a joint.
    #[inline]
    fn each_rows(joint: &Joint, mut f: impl FnMut(&Rows, usize)) {
        let mut first = joint.first;
        for rows in &joint.rows {
            f(rows, first);
            first += rows.len();
        }
    }

    /// Adds a row of B or Y.
    #[inline]
    fn put_row(&self, joint: &Joint, row: &Row, mut put: impl FnMut(usize, &RowVector3<f64>)) {
        for (i, part) in [(joint.a, &row.a), (joint.b, &row.b)] {
            if let Some(body) = self.body(i) {
                body.row_parts(part, |col, x| put(col, &x.transpose()));
            }
        }
    }
}

impl System for Multibody {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.n_rows
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        r.fill(0.0);
        for body in &self.bodies {
            body.residual(self.kind, &self.gravity, at, r);
        }
        for joint in &self.joints {
            let pair = self.pair(joint, at.q);
            let mut force = Row::zero();
            Self::each_rows(joint, |rows, first| {
                force += rows.bt_lambda(&pair, &at.lambda[first..first + rows.len()]);
            });
            for (i, part) in [(joint.a, &force.a), (joint.b, &force.b)] {
                if let Some(body) = self.body(i) {
                    body.add_wrench(part, r);
                }
            }
        }
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        for joint in &self.joints {
            let pair = self.pair(joint, at.q);
            Self::each_rows(joint, |rows, first| rows.value(&pair, &mut phi[first..first + rows.len()]));
        }
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        for joint in &self.joints {
            let (pair, v) = (self.pair(joint, at.q), self.motion(joint, at.v));
            Self::each_rows(joint, |rows, first| rows.bv(&pair, &v, &mut out[first..first + rows.len()]));
        }
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        for joint in &self.joints {
            let pair = self.pair(joint, at.q);
            let (v, vdot) = (self.motion(joint, at.v), self.motion(joint, at.vdot));
            Self::each_rows(joint, |rows, first| {
                rows.acceleration(&pair, &v, &vdot, &mut out[first..first + rows.len()])
            });
        }
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let want = out.want();
        for body in &self.bodies {
            body.tangents(self.kind, &self.gravity, at, out);
        }
        for joint in &self.joints {
            let pair = self.pair(joint, at.q);
            if want.constraint {
                Self::each_rows(joint, |rows, first| {
                    rows.rows(&pair, |i, row| {
                        self.put_row(joint, row, |col, x| out.constraint(first + i, col, x))
                    })
                });
            }
            if want.curvature {
                let v = self.motion(joint, at.v);
                Self::each_rows(joint, |rows, first| {
                    rows.y_rows(&pair, &v, |i, row| {
                        self.put_row(joint, row, |col, x| out.curvature(first + i, col, x))
                    })
                });
            }
            if want.stiffness {
                let mut k = PairBlocks::zero();
                Self::each_rows(joint, |rows, first| {
                    rows.add_k(&pair, &at.lambda[first..first + rows.len()], &mut k)
                });
                let (a, b) = (self.body(joint.a), self.body(joint.b));
                for (row, col, block) in [(a, a, &k.aa), (a, b, &k.ab), (b, a, &k.ba), (b, b, &k.bb)] {
                    if let (Some(row), Some(col)) = (row, col) {
                        row.block_parts(col, block, |i, j, x| out.stiffness(i, j, x));
                    }
                }
            }
        }
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let mut energy = Energy::default();
        for body in &self.bodies {
            energy.kinetic += body.kinetic(at);
            energy.potential -= body.mass * self.gravity.dot(&body.pose(at.q).x);
        }
        Some(energy)
    }

    fn constraint_name(&self, row: usize) -> String {
        match self.joints.iter().find(|j| j.range().contains(&row)) {
            Some(j) => format!("joint {}, row {} of {}", j.name, row - j.first + 1, j.n_rows()),
            None => format!("constraint {}", row + 1),
        }
    }

    fn velocity_name(&self, index: usize) -> String {
        match self.bodies.iter().find(|b| (b.v..b.v + b.dim()).contains(&index)) {
            Some(b) => {
                let i = index - b.v;
                let kind = if b.dim() == 6 && i < 3 { "rotation" } else { "translation" };
                format!("{kind} of body {}, {} axis", b.name, ["x", "y", "z"][i % 3])
            }
            None => format!("velocity coordinate {}", index + 1),
        }
    }

    fn length_scale(&self) -> f64 {
        self.length
    }

    fn structure(&self) -> Option<&Structure> {
        Some(&self.structure)
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.row_weights.as_deref()
    }
}

impl Mechanism for Multibody {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.bodies
            .iter()
            .map(|b| BodyState {
                name: b.name.clone(),
                position: b.pose(at.q).x,
                rotation: match b.dim() {
                    6 => std::array::from_fn(|i| at.q[b.q + i]),
                    _ => [1.0, 0.0, 0.0, 0.0],
                },
                velocity: b.velocity(self.kind, at),
                angular_velocity: b.motion(at.v).omega,
            })
            .collect()
    }

    /// The force on the system is -B^T lambda.
    fn reactions(&self, at: &At) -> Vec<Reaction> {
        let lambda = redundancy::filtered_multipliers(self, at);
        let at = &At { lambda: &lambda, ..*at };
        self.joints
            .iter()
            .map(|joint| {
                let pair = self.pair(joint, at.q);
                let mut row = Row::zero();
                Self::each_rows(joint, |rows, first| {
                    row += rows.bt_lambda(&pair, &at.lambda[first..first + rows.len()]) * -1.0;
                });
                let (force, moment) = row.b.inertial(self.kind, &pair.b);
                let arm = pair.b.r * joint.point_b;
                Reaction {
                    name: joint.name.clone(),
                    force,
                    torque: moment - arm.cross(&force),
                    multipliers: at.lambda[joint.range()].to_vec(),
                }
            })
            .collect()
    }
}
