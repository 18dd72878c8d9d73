//! Trees of rigid bodies in joint coordinates: no constraints, and everything in one or two passes.
//!
//! The equations of motion of a tree are
//!
//! ```text
//! r(q, v, v') = M(q) v' + h(q, v) + sum J_i^T w_i = tau
//! ```
//!
//! with the Jacobians J_i of the bodies and the loads w_i of forces, joints that close loops, and so on, in the
//! sign of g. [`Tree`] has the constants: [`Stage`]s, each with one, three or six coordinates, and the frames of
//! the bodies. The passes go outward (poses, velocities, accelerations: [`outward`](Tree::velocities)) and inward
//! (forces):
//!
//! | function | file | cost |
//! |---|---|---|
//! | [`inverse`](Tree::inverse): r, and the wrench in every stage | inverse.rs | O(n) |
//! | [`accelerate`](Tree::accelerate): v' | accelerate.rs | O(n) |
//! | [`mass`](Tree::mass): M | mass.rs | O(sum of depths) |
//! | [`derivatives`](Tree::derivatives): M, dr/dv, D_q r | derivatives.rs | O(sum of depths) |
//! | [`jacobian`](Tree::jacobian) of a body | jacobian.rs | O(depth) |
//!
//! All vectors have the axes of the frame they belong to, and its origin.

mod accelerate;
mod derivatives;
mod inverse;
mod jacobian;
pub mod joints;
mod mass;
mod outward;
pub mod spatial;
pub mod stage;

use nalgebra::Vector3;
use precess_lie::{Number, Product};

use self::derivatives::Coupling;
pub use self::jacobian::BodyVariation;
use self::spatial::{ArticulatedInertia, compose};
pub use self::stage::{Stage, StageKind};
use crate::mechanics::kernels::{Motion, Pose, Wrench};

/// A body of a tree: its frame has its origin in the centre of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeBody<T = f64> {
    /// The stage that carries it; none for a body that is fixed to the ground.
    pub stage: Option<usize>,
    /// Its frame in the outer frame of the stage, or in the inertial frame.
    pub pose: Pose<T>,
}

/// The constants of a tree.
#[derive(Clone, Debug)]
pub struct Tree<T = f64> {
    stages: Vec<Stage<T>>,
    bodies: Vec<TreeBody<T>>,
    gravity: Vector3<T>,
    group: Product,
}

/// What the passes compute, one entry per stage.
#[derive(Clone, Debug, Default)]
pub struct TreeMotion<T = f64> {
    /// Outer frame of the stage in that of its parent.
    pub local: Vec<Pose<T>>,
    /// Outer frame in the inertial frame.
    pub pose: Vec<Pose<T>>,
    /// Velocity.
    pub v: Vec<Motion<T>>,
    /// Velocity relative to the parent, S v.
    pub rate: Vec<Motion<T>>,
    /// Acceleration relative to free fall: without gravity, minus the acceleration of gravity.
    pub a: Vec<Motion<T>>,
    /// Wrench that a stage transmits, on its outer frame.
    pub force: Vec<Wrench<T>>,
    /// Loads of the bodies, collected per stage, in the sign of g.
    pub load: Vec<Wrench<T>>,
    inertia: Vec<ArticulatedInertia<T>>,
    coupling: Vec<Coupling<T>>,
}

impl<T: Number> Tree<T> {
    /// A tree without stages.
    pub fn new(gravity: Vector3<T>) -> Self {
        Tree { stages: Vec::new(), bodies: Vec::new(), gravity, group: Product::new([]) }
    }

    /// With another gravity: none if weights are given as loads.
    pub fn set_gravity(&mut self, gravity: Vector3<T>) {
        self.gravity = gravity;
    }

    /// Adds a stage to the outer frame of another one, or to the ground; returns its number.
    pub fn add_stage(&mut self, parent: Option<usize>, placement: Pose<T>, kind: StageKind) -> usize {
        let (q, v) = (self.group.repr(), self.group.dim());
        self.stages.push(Stage { parent, placement, kind, q, v, inertia: None });
        self.group = Product::new(self.stages.iter().map(|s| s.kind.factor()));
        self.stages.len() - 1
    }

    /// Fixes a body in the outer frame of a stage, or to the ground; returns its number.
    pub fn add_body(
        &mut self,
        stage: Option<usize>,
        pose: Pose<T>,
        mass: T,
        tensor: &nalgebra::Matrix3<T>,
    ) -> usize {
        if let Some(stage) = stage {
            self.stages[stage]
                .inertia
                .get_or_insert_with(ArticulatedInertia::zero)
                .add(&ArticulatedInertia::rigid(mass, tensor, &pose));
        }
        self.bodies.push(TreeBody { stage, pose });
        self.bodies.len() - 1
    }

    /// The stages; a stage comes after those that carry it.
    pub fn stages(&self) -> &[Stage<T>] {
        &self.stages
    }

    /// The bodies.
    pub fn bodies(&self) -> &[TreeBody<T>] {
        &self.bodies
    }

    /// The configuration space: one factor per stage.
    pub fn group(&self) -> &Product {
        &self.group
    }

    /// Number of velocity coordinates.
    pub fn dim(&self) -> usize {
        self.group.dim()
    }

    /// Space for the passes.
    pub fn motion(&self) -> TreeMotion<T> {
        let n = self.stages.len();
        TreeMotion {
            local: vec![Pose::ground(); n],
            pose: vec![Pose::ground(); n],
            v: vec![Motion::rest(); n],
            rate: vec![Motion::rest(); n],
            a: vec![Motion::rest(); n],
            force: vec![Wrench::zero(); n],
            load: vec![Wrench::zero(); n],
            inertia: vec![ArticulatedInertia::zero(); n],
            coupling: vec![Coupling::zero(); n],
        }
    }

    /// The pose of a body in the inertial frame, after the outward pass.
    #[inline]
    pub fn body_pose(&self, body: usize, motion: &TreeMotion<T>) -> Pose<T> {
        let TreeBody { stage, pose } = &self.bodies[body];
        stage.map_or(*pose, |stage| compose(&motion.pose[stage], pose))
    }

    /// The stages from one down to the ground.
    pub fn path(&self, stage: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(stage, |&stage| self.stages[stage].parent)
    }
}
