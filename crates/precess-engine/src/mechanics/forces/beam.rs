//! Element of a geometrically exact beam between two nodes, which are rigid bodies.
//!
//! The element is that of `precess_flex`: constant strain `eps = (d - d_0)/L` with `d = log(q_A^-1 q_B)`,
//! exact tangent. It uses the frames of its nodes and left-invariant velocities. So on SE(3) its force is
//! used directly, and on R^3xSO(3) it is converted: with U = R^T u the velocity of a node is (Omega, U) and
//! the acceleration (Omega', R^T u' - Omega x U).
//!
//! Nodes are bodies with the lumped mass of the adjacent elements. With consistent mass the element adds the
//! difference: the inertia of the path between the nodes minus that of its two lumps. So bodies, weight and
//! total mass are the same for both.

use crate::flex::{BeamError, Consistent, Element as Elastic, Inertia, MAX_ANGLE, Section, Tangent};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use precess_lie::matrix::SmallMatrix;
use precess_lie::rotation::{rotation_matrix, skew};
use precess_lie::{LieGroup, SE3};

use super::super::body::Body;
use super::super::kernels::{Group, Row, Wrench};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;

/// Pose of a node for the element: quaternion, then position.
type NodeFrame = nalgebra::SVector<f64, 7>;

/// An element between two nodes.
#[derive(Clone, Debug)]
pub struct BeamElement {
    /// Name, for messages.
    pub name: String,
    nodes: [usize; 2],
    elastic: Elastic,
    mass: Option<Masses>,
}

/// Consistent inertia, and the lump that each node already has.
#[derive(Clone, Debug)]
struct Masses {
    consistent: Consistent,
    lump: Inertia,
}

/// Data of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamData {
    /// Stiffness and inertia per length.
    pub section: Section,
    /// Time constant of the damping of Kelvin and Voigt in s: `K_d = damping K`.
    pub damping: f64,
    /// Use mass consistent with the path between the nodes instead of lumps.
    pub consistent: bool,
    /// Residual bending flexibility, see [`Section::with_residual_flexibility`].
    pub residual_flexibility: bool,
}

impl BeamData {
    /// Mass and rotary inertia for each of the two nodes of an element.
    pub fn lump(&self, length: f64) -> Inertia {
        Inertia::of(&self.section, 0.5 * length)
    }
}

/// One node in motion, in its own frame.
struct MovingNode {
    r: Matrix3<f64>,
    omega: Vector3<f64>,
    /// R^T u and R^T u'.
    u: Vector3<f64>,
    udot: Vector3<f64>,
    v: Vector6<f64>,
    vdot: Vector6<f64>,
}

fn stack(a: &Vector3<f64>, b: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

impl MovingNode {
    fn new(group: Group, body: &Body, at: &At) -> Self {
        let r = rotation_matrix(&at.q[body.q..body.q + 4]);
        let (v, a) = (body.motion(at.v), body.motion(at.vdot));
        match group {
            Group::SE3 => MovingNode {
                r,
                omega: v.omega,
                u: v.u,
                udot: a.u,
                v: stack(&v.omega, &v.u),
                vdot: stack(&a.omega, &a.u),
            },
            Group::R3xSO3 => {
                let (u, udot) = (r.transposed_times(&v.u), r.transposed_times(&a.u));
                MovingNode {
                    r,
                    omega: v.omega,
                    u,
                    udot,
                    v: stack(&v.omega, &u),
                    vdot: stack(&a.omega, &(udot - v.omega.cross(&u))),
                }
            }
        }
    }

    /// Converts a force in the frame of the node to the group.
    fn wrench(&self, group: Group, f: &Vector6<f64>) -> Wrench {
        let (rot, trans) = (f.fixed_rows::<3>(0).into_owned(), f.fixed_rows::<3>(3).into_owned());
        match group {
            Group::SE3 => Wrench { rot, trans },
            Group::R3xSO3 => Wrench { rot, trans: self.r * trans },
        }
    }

    /// `J^T x` for the velocity (Omega, R^T u) = J v.
    fn rows(&self, group: Group, x: &Matrix6<f64>) -> Matrix6<f64> {
        let mut x = *x;
        if group == Group::R3xSO3 {
            let turned = self.r * x.fixed_view::<3, 6>(3, 0);
            x.fixed_view_mut::<3, 6>(3, 0).copy_from(&turned);
        }
        x
    }

    /// `x J`.
    fn columns(&self, group: Group, x: &Matrix6<f64>) -> Matrix6<f64> {
        let mut x = *x;
        if group == Group::R3xSO3 {
            let turned = x.fixed_view::<6, 3>(0, 3) * self.r.transpose();
            x.fixed_view_mut::<6, 3>(0, 3).copy_from(&turned);
        }
        x
    }

    /// Adds `x` times the derivative of the velocity with respect to the pose.
    fn add_turned_velocity(&self, x: &Matrix6<f64>, sum: &mut Matrix6<f64>) {
        add_to_rotation(x, &skew(&self.u), sum);
    }

    /// Adds `x` times the derivative of the acceleration with respect to the pose.
    fn add_turned_acceleration(&self, x: &Matrix6<f64>, sum: &mut Matrix6<f64>) {
        add_to_rotation(x, &(skew(&self.udot) - skew(&self.omega) * skew(&self.u)), sum);
    }

    /// Adds `x` times the derivative of the acceleration with respect to the velocity.
    fn add_coriolis(&self, x: &Matrix6<f64>, sum: &mut Matrix6<f64>) {
        add_to_rotation(x, &skew(&self.u), sum);
        let mut columns = sum.fixed_view_mut::<6, 3>(0, 3);
        columns -= x.fixed_view::<6, 3>(0, 3) * (skew(&self.omega) * self.r.transpose());
    }
}

/// Adds the translational columns of `x` times `m` to the rotational columns of `sum`.
fn add_to_rotation(x: &Matrix6<f64>, m: &Matrix3<f64>, sum: &mut Matrix6<f64>) {
    let mut columns = sum.fixed_view_mut::<6, 3>(0, 0);
    columns += x.fixed_view::<6, 3>(0, 3) * m;
}

/// The four blocks with the numbers of their nodes.
fn blocks(t: &Tangent) -> [(usize, usize, &Matrix6<f64>); 4] {
    [(0, 0, &t.aa), (0, 1, &t.ab), (1, 0, &t.ba), (1, 1, &t.bb)]
}

fn add_diagonal(t: &mut Tangent, x: [Matrix6<f64>; 2]) {
    t.aa += x[0];
    t.bb += x[1];
}

/// Derivatives of the force of both nodes in their own frames.
struct Derivatives {
    pose: Tangent,
    velocity: Option<Tangent>,
    acceleration: Option<Tangent>,
}

impl BeamElement {
    /// An element between two nodes, given by the numbers of their bodies and their undeformed poses.
    pub fn new(
        name: String,
        nodes: [usize; 2],
        frames: [&NodeFrame; 2],
        data: &BeamData,
    ) -> Result<Self, BeamError> {
        let mut elastic = Elastic::new(&data.section, frames[0], frames[1])?;
        if data.residual_flexibility {
            elastic.stiffness = data.section.with_residual_flexibility(elastic.length).stiffness;
        }
        let elastic = elastic.with_damping(data.damping);
        let mass = data.consistent.then(|| Masses {
            consistent: Consistent::new(&data.section, elastic.length),
            lump: data.lump(elastic.length),
        });
        Ok(BeamElement { name, nodes, elastic, mass })
    }

    /// The elastic element.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    fn frames(&self, bodies: &Bodies, at: &At) -> [NodeFrame; 2] {
        self.nodes.map(|i| {
            let first = bodies.list[i].q;
            NodeFrame::from_fn(|j, _| at.q[first + j])
        })
    }

    fn difference(&self, bodies: &Bodies, at: &At) -> Vector6<f64> {
        let [a, b] = self.frames(bodies, at);
        let d = Elastic::difference(&a, &b);
        // Beyond this angle the element is not defined; NaN makes the step fail.
        if Elastic::angle(&d) < MAX_ANGLE { d } else { Vector6::repeat(f64::NAN) }
    }

    fn nodes(&self, bodies: &Bodies, at: &At) -> [MovingNode; 2] {
        self.nodes.map(|i| MovingNode::new(bodies.group, &bodies.list[i], at))
    }

    /// Force on both nodes in their frames.
    fn force(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2], vdot: &[Vector6<f64>; 2]) -> [Vector6<f64>; 2] {
        let mut f = self.elastic.force(d, &self.elastic.damped_stress(d, v));
        if let Some(Masses { consistent, lump }) = &self.mass {
            let path = consistent.force(d, v, vdot);
            for i in 0..2 {
                f[i] += path[i] - lump.force(&v[i], &vdot[i]);
            }
        }
        f
    }

    fn derivatives(&self, d: &Vector6<f64>, v: &[Vector6<f64>; 2], vdot: &[Vector6<f64>; 2]) -> Derivatives {
        let mut pose = self.elastic.stiffness(d, v);
        let mut velocity = self.elastic.viscosity(d);
        let mut acceleration = None;
        if let Some(Masses { consistent, lump }) = &self.mass {
            pose.add(&consistent.stiffness(d, v, vdot));
            let mut gyroscopic = consistent.viscosity(d, v);
            add_diagonal(&mut gyroscopic, [0, 1].map(|i| -lump.gyroscopic_derivative(&v[i])));
            match &mut velocity {
                Some(damping) => damping.add(&gyroscopic),
                None => velocity = Some(gyroscopic),
            }
            let mut mass = consistent.mass(d);
            let diagonal = -Matrix6::from_diagonal(&lump.diagonal());
            add_diagonal(&mut mass, [diagonal; 2]);
            acceleration = Some(mass);
        }
        Derivatives { pose, velocity, acceleration }
    }
}

impl Element for BeamElement {
    fn link(&self) -> Link {
        Link { a: Some(self.nodes[0]), b: Some(self.nodes[1]) }
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (d, [a, b]) = (self.difference(bodies, at), self.nodes(bodies, at));
        let [f_a, f_b] = self.force(&d, &[a.v, b.v], &[a.vdot, b.vdot]);
        let row = Row { a: a.wrench(bodies.group, &f_a), b: b.wrench(bodies.group, &f_b) };
        bodies.add_force(self.link(), &row, at, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (group, want) = (bodies.group, out.want());
        let (d, nodes) = (self.difference(bodies, at), self.nodes(bodies, at));
        let (v, vdot) = (nodes.each_ref().map(|n| n.v), nodes.each_ref().map(|n| n.vdot));
        let first = self.nodes.map(|i| bodies.list[i].v);
        let Derivatives { pose, velocity, acceleration } = self.derivatives(&d, &v, &vdot);
        let wrapped = group == Group::R3xSO3;
        if let (Some(mass), true) = (&acceleration, want.c_m != 0.0) {
            for (i, j, x) in blocks(mass) {
                out.mass(first[i], first[j], &nodes[i].rows(group, &nodes[j].columns(group, x)));
            }
        }
        if want.c_d != 0.0 {
            for (i, j, x) in velocity.iter().flat_map(blocks) {
                out.damping(first[i], first[j], &nodes[i].rows(group, &nodes[j].columns(group, x)));
            }
            for (i, j, x) in acceleration.iter().flat_map(blocks).filter(|_| wrapped) {
                let mut sum = Matrix6::zeros();
                nodes[j].add_coriolis(x, &mut sum);
                out.damping(first[i], first[j], &nodes[i].rows(group, &sum));
            }
        }
        if want.stiffness {
            let turned = |t: &Option<Tangent>, i: usize, j: usize| {
                t.as_ref().filter(|_| wrapped).map(|t| *blocks(t)[2 * i + j].2)
            };
            let forces = self.force(&d, &v, &vdot);
            for (i, j, x) in blocks(&pose) {
                let mut sum = nodes[j].columns(group, x);
                if let Some(x) = turned(&velocity, i, j) {
                    nodes[j].add_turned_velocity(&x, &mut sum);
                }
                if let Some(x) = turned(&acceleration, i, j) {
                    nodes[j].add_turned_acceleration(&x, &mut sum);
                }
                let mut k = nodes[i].rows(group, &sum);
                if wrapped && i == j {
                    // The force R f turns with the node.
                    let mut corner = k.fixed_view_mut::<3, 3>(3, 0);
                    corner -= nodes[i].r * skew(&forces[i].fixed_rows::<3>(3).into_owned());
                }
                out.stiffness(first[i], first[j], &k);
            }
        }
    }

    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        self.elastic.energy(&self.difference(bodies, at))
    }

    fn kinetic(&self, bodies: &Bodies, at: &At) -> f64 {
        let Some(Masses { consistent, lump }) = &self.mass else { return 0.0 };
        let (d, [a, b]) = (self.difference(bodies, at), self.nodes(bodies, at));
        consistent.energy(&d, &[a.v, b.v]) - lump.energy(&a.v) - lump.energy(&b.v)
    }

    fn momenta(&self, bodies: &Bodies, at: &At) -> [Vector3<f64>; 2] {
        let Some(Masses { consistent, lump }) = &self.mass else { return [Vector3::zeros(); 2] };
        let (frames, d) = (self.frames(bodies, at), self.difference(bodies, at));
        let v = self.nodes(bodies, at).map(|n| n.v);
        let mut sum = [Vector3::zeros(); 2];
        let mut add = |frame: &NodeFrame, inertia: &Inertia, v: &Vector6<f64>, weight: f64| {
            let r = rotation_matrix(&frame.as_slice()[..4]);
            let x = Vector3::new(frame[4], frame[5], frame[6]);
            let p = r * (v.fixed_rows::<3>(3) * (inertia.mass * weight));
            sum[0] += p;
            sum[1] += x.cross(&p) + r * v.fixed_rows::<3>(0).component_mul(&inertia.rotary) * weight;
        };
        for (xi, weight, w) in consistent.velocities(&d, &v) {
            add(&SE3::compose(&frames[0], &SE3::exp(&(d * xi))), &consistent.inertia, &w, weight);
        }
        for i in 0..2 {
            add(&frames[i], lump, &v[i], -1.0);
        }
        sum
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        self.elastic.damping.as_ref()?;
        let [a, b] = self.nodes(bodies, at);
        Some(-self.elastic.dissipation(&self.difference(bodies, at), &[a.v, b.v]))
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        let [a, b] = self.frames(bodies, at);
        let angle = Elastic::angle(&Elastic::difference(&a, &b));
        (!(angle < 0.8 * MAX_ANGLE)).then(|| {
            format!(
                "beam element '{}' turns by {:.0} degrees between its nodes, more than {:.0} are not \
                 possible; use more elements",
                self.name,
                angle.to_degrees(),
                MAX_ANGLE.to_degrees()
            )
        })
    }

    /// Moments about the axes of the section, then forces along them.
    fn section_forces(&self, bodies: &Bodies, at: &At) -> Option<[f64; 6]> {
        let d = self.difference(bodies, at);
        let [a, b] = self.nodes(bodies, at);
        Some(self.elastic.damped_stress(&d, &[a.v, b.v]).into())
    }
}
