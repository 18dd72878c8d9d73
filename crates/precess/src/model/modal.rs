//! Modal bodies as plain data: integrals of mass and modes, and the nodes to which joints and forces attach.

use std::sync::Arc;

use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};
use precess_engine::flex::{Geometric, Modal, ModalError, Rod, RodError, Rotary, SecondOrder};

use super::body::BodySpec;
use crate::mechanics::modal::{ModalBody, frequencies};
use crate::mechanics::node::Node;

/// A node of a modal body, to which joints, forces and sensors attach.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSpec {
    /// The node as a body: its name, and its pose at t = 0, deformed by the initial modal coordinates.
    pub body: BodySpec,
    /// Undeformed position in the frame.
    pub point: Vector3<f64>,
    /// Displacement in each mode, in the axes of the frame.
    pub shifts: Vec<Vector3<f64>>,
    /// Rotation in each mode; none if the modes contain no rotations.
    pub turns: Option<Vec<Vector3<f64>>>,
    /// Motion of second order, with which forces at the node stiffen the body.
    pub second: Option<SecondOrder>,
}

/// A body that deforms in modes. Its frame is the body of the same name.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalSpec {
    /// Name of the body.
    pub name: String,
    /// Integrals, stiffness and damping.
    pub data: Arc<Modal>,
    /// Nodes with names.
    pub nodes: Vec<NodeSpec>,
    /// Modal coordinates at t = 0.
    pub coordinates: Vec<f64>,
    /// Their rates.
    pub rates: Vec<f64>,
}

/// Nodes, masses and modes from a finite-element program.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    /// Positions of the nodes in the frame.
    pub nodes: Vec<Vector3<f64>>,
    /// Their masses.
    pub masses: Vec<f64>,
    /// Their rotary inertias in the axes of the frame; empty if there are none.
    pub inertias: Vec<Matrix3<f64>>,
    /// Displacement of every node, for each mode.
    pub modes: Vec<Vec<Vector3<f64>>>,
    /// Rotation of every node, for each mode, if known.
    pub rotations: Option<Vec<Vec<Vector3<f64>>>>,
    /// Stiffness of the modes.
    pub stiffness: DMatrix<f64>,
    /// Their damping.
    pub damping: DMatrix<f64>,
}

impl Shapes {
    /// The integrals.
    pub fn modal(&self) -> Result<Modal, ModalError> {
        let (stiffness, damping) = (self.stiffness.clone(), self.damping.clone());
        Modal::with_rotary(&self.nodes, &self.masses, self.rotary(), &self.modes, stiffness, damping)
    }

    /// Rotary inertia, if there is any.
    pub fn rotary(&self) -> Option<Rotary<'_>> {
        let (inertias, turns) = (&self.inertias, self.rotations.as_deref().unwrap_or_default());
        (!inertias.is_empty()).then_some(Rotary { inertias, turns })
    }

    /// Geometric stiffening of a rod, and the second-order motion of some of its nodes.
    pub fn stiffening(&self, wanted: &[usize]) -> Result<(Geometric, Vec<(usize, SecondOrder)>), RodError> {
        let turns = self.rotations.as_deref().unwrap_or_default();
        Rod::new(&self.nodes, &self.modes, turns)?.stiffening(&self.masses, self.rotary(), wanted)
    }

    /// A node of a body, by its number. Its pose includes the deformation by the modal coordinates `z`; empty
    /// means zeros.
    pub fn node(&self, frame: &BodySpec, name: &str, i: usize, z: &[f64]) -> Option<NodeSpec> {
        self.node_with(frame, name, i, (z, None))
    }

    /// A node with its motion of second order, if that is known.
    pub(crate) fn node_with(
        &self,
        frame: &BodySpec,
        name: &str,
        i: usize,
        (z, second): (&[f64], Option<SecondOrder>),
    ) -> Option<NodeSpec> {
        let point = *self.nodes.get(i)?;
        let of = |list: &Vec<Vec<Vector3<f64>>>| {
            list.iter().map(|m| m.get(i).copied()).collect::<Option<Vec<_>>>()
        };
        let turns = match &self.rotations {
            Some(list) => Some(of(list)?),
            None => None,
        };
        let shifts = of(&self.modes)?;
        let sum =
            |list: &[Vector3<f64>]| list.iter().zip(z).fold(Vector3::zeros(), |sum, (x, z)| sum + x * *z);
        let [shift2, turn2] = second.as_ref().map_or([Vector3::zeros(); 2], |s| s.motion(z));
        let turn = turns.as_deref().map_or_else(Vector3::zeros, sum) + turn2;
        let turn = UnitQuaternion::from_scaled_axis(turn);
        let body = BodySpec {
            position: frame.position + frame.rotation * (point + sum(&shifts) + shift2),
            rotation: frame.rotation * turn,
            ..BodySpec::rigid(&format!("{}.{name}", frame.name), 0.0, [0.0; 3])
        };
        Some(NodeSpec { body, point, shifts, turns, second })
    }
}

impl ModalSpec {
    /// First frequencies in Hz, with the frame held and free, without damping.
    pub fn frequencies(&self) -> [f64; 2] {
        frequencies(&self.data)
    }

    /// The body in an assembled system; `frame` is the number of its body. The system assigns indices in the
    /// state.
    pub(super) fn assembled(&self, frame: usize) -> ModalBody {
        ModalBody::new(&self.name, frame, self.data.clone())
    }

    /// Its nodes in an assembled system.
    pub(super) fn assembled_nodes(&self, frame: usize) -> impl Iterator<Item = Node> + '_ {
        let second = |node: &NodeSpec, list: fn(&SecondOrder) -> &Vec<Vector3<f64>>| {
            node.second.as_ref().map_or_else(Vec::new, |s| list(s).clone())
        };
        self.nodes.iter().map(move |node| Node {
            name: node.body.name.clone(),
            frame,
            factor: 0,
            at: [0; 2],
            modal: [0; 2],
            point: node.point,
            shifts: node.shifts.clone(),
            turns: node.turns.clone().unwrap_or_else(|| vec![Vector3::zeros(); node.shifts.len()]),
            shifts2: second(node, |s| &s.shifts),
            turns2: second(node, |s| &s.turns),
        })
    }
}
