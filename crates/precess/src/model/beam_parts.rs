//! A beam as parts of a model: its nodes are bodies, its elements forces between neighbouring nodes.

use std::sync::Arc;

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::beam::BeamSpec;
use super::elements::{ForceSpec, SensorKind, SensorSpec};
use super::forces::Beam;
use super::spec::{BodySpec, Model};
use crate::mechanics::BodyKind;

impl BeamSpec {
    /// The nodes as bodies, with the lumped mass of the elements next to them.
    pub fn bodies(&self) -> Vec<BodySpec> {
        let lengths = self.lengths();
        let origin = self.nodes.first().map_or_else(Vector3::zeros, |n| n.translation.vector);
        let near = |i: usize| lengths.get(i).copied().unwrap_or(0.0);
        let body = |(i, node): (usize, &Isometry3<f64>)| {
            let before = if i > 0 { near(i - 1) } else { 0.0 };
            let (mass, rotary) = [before, near(i)].iter().fold((0.0, Vector3::zeros()), |(m, j), l| {
                let lump = self.data.lump(*l);
                (m + lump.mass, j + lump.rotary)
            });
            let x = node.translation.vector;
            BodySpec {
                mass,
                kind: BodyKind::Rigid { inertia: Matrix3::from_diagonal(&rotary) },
                position: x,
                rotation: node.rotation,
                velocity: self.velocity + self.angular_velocity.cross(&(x - origin)),
                angular_velocity: node.rotation.inverse() * self.angular_velocity,
                ..BodySpec::rigid(&self.node(i), mass, rotary.into())
            }
        };
        self.nodes.iter().enumerate().map(body).collect()
    }

    /// The elements as forces between neighbouring nodes.
    pub fn forces(&self) -> Vec<ForceSpec> {
        let data = Arc::new(self.data.clone());
        let element = |i: usize| Beam { bodies: [self.node(i), self.node(i + 1)], data: data.clone() };
        (0..self.elements()).map(|i| ForceSpec::new(&self.node(i), element(i))).collect()
    }

    /// Section forces and moments of every element, and the strain energy.
    pub fn sensors(&self) -> Vec<SensorSpec> {
        let mut list = Vec::with_capacity(2 * self.elements() + 1);
        for element in (0..self.elements()).map(|i| self.node(i)) {
            list.push(SensorSpec::new(
                &format!("{element}.force"),
                SensorKind::SectionForce(element.clone()),
            ));
            list.push(SensorSpec::new(&format!("{element}.moment"), SensorKind::SectionMoment(element)));
        }
        list.push(SensorSpec::new(
            &format!("{}.strain_energy", self.name),
            SensorKind::StrainEnergy(self.name.clone()),
        ));
        list
    }
}

impl Model {
    /// Adds a beam: its nodes become bodies, its elements forces, and its section forces sensors.
    pub fn beam(mut self, beam: BeamSpec) -> Self {
        self.bodies.extend(beam.bodies());
        self.forces.extend(beam.forces());
        self.sensors.extend(beam.sensors());
        self.beams.push(beam);
        self
    }
}
