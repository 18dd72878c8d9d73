//! Bodies, joints and gears of the model file.

use std::collections::{BTreeMap, HashSet};

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::elements::JointType as UrdfType;
use super::numbered::{JointId, LinkId};
use super::tree::{self, problem};
use super::{Convert, Holder, visual};
use crate::model::file::{BodyBlock, BodyType, Inertia, JointBlock, JointType, Rotation};
use crate::model::file_elements::{GearBlock, MarkerBlock};
use crate::model::file_look::LookBlock;
use crate::model::number::{Number, Vector};
use crate::model::spec::GROUND;

impl Convert<'_> {
    pub(super) fn body(&mut self, link: LinkId) -> BodyBlock {
        let name = self.name(link).to_string();
        if name == GROUND {
            self.problems.push(problem(
                &self.robot.links[link],
                format!("a link is called '{GROUND}', which is the inertial frame in model files"),
                "rename the link",
            ));
        }
        let (frame, m) = (&self.frames[link], &self.masses[link]);
        BodyBlock {
            look: self.looks(link),
            name,
            kind: BodyType::Rigid,
            count: None,
            mass: Some(m.mass.into()),
            inertia: Some(inertia(&m.inertia)),
            inertia_frame: None,
            shape: None,
            density: None,
            modal: None,
            markers: self.markers(link),
            position: Some(vector(&(frame * Point3::from(m.centre)).coords).into()),
            rotation: rotation(frame),
            velocity: None,
            angular_velocity: None,
            angular_velocity_global: None,
            motion: None,
        }
    }

    /// The looks of the links of a body.
    pub(super) fn looks(&self, body: LinkId) -> Vec<LookBlock> {
        let links = self.robot.visuals.numbered().filter(|(l, _)| self.holders[*l] == Holder::Body(body));
        let looks = links.flat_map(|(link, visuals)| {
            let here = self.frames[body].inv_mul(&self.frames[link]);
            let centre = &self.masses[body].centre;
            visuals.iter().filter_map(move |e| visual::look(e, &here, centre, &self.robot.materials).ok())
        });
        looks.collect()
    }

    /// Frames of the links that are part of a body, from its centre of mass.
    pub(super) fn markers(&self, body: LinkId) -> BTreeMap<String, MarkerBlock> {
        let others =
            self.holders.numbered().filter(|(l, holder)| *l != body && **holder == Holder::Body(body));
        let mut markers = BTreeMap::new();
        for (link, _) in others {
            let here = self.frames[body].inv_mul(&self.frames[link]);
            let point = vector(&(here.translation.vector - self.masses[body].centre));
            let marker = match rotation(&here) {
                Some(rotation) => MarkerBlock::Frame { point, rotation },
                None => MarkerBlock::Point(point),
            };
            markers.insert(self.name(link).to_string(), marker);
        }
        markers
    }

    /// A mimic: x = multiplier x_leader + offset, as a gear between the two joints.
    pub(super) fn gear(&mut self, j: JointId, blocks: &HashSet<String>) -> Option<GearBlock> {
        let joint = &self.robot.joints[j].value;
        let mimic = joint.mimic.as_ref()?;
        let (name, leader) = (&joint.name, &mimic.joint);
        let multiplier = mimic.multiplier;
        let can = |name: &String| {
            let joint = self.tree.joints.get(name);
            joint.is_some_and(|j| tree::is_single(&self.robot.joints[*j].value)) && blocks.contains(name)
        };
        if multiplier == 0.0 || !can(name) || !can(leader) {
            let note =
                format!("joint {name} should follow {leader} with ratio {multiplier}: it moves on its own");
            self.notes.missing.push(note);
            return None;
        }
        let gear = self.unique_joint(&format!("mimic_{name}"));
        self.notes.remarks.push(format!("joint {name} follows {leader} by gear {gear}"));
        Some(GearBlock {
            count: None,
            name: gear,
            joints: [name.clone(), leader.clone()],
            ratio: (-multiplier).into(),
            of: None,
        })
    }

    pub(super) fn joint(&mut self, j: JointId) -> Option<JointBlock> {
        let joint = &self.robot.joints[j];
        let (parent, child) = self.tree.ends[j];
        let (a, b) = (self.holders[parent], self.holders[child]);
        if a == b {
            return None;
        }
        let kind = match joint.value.joint_type {
            UrdfType::Revolute | UrdfType::Continuous => JointType::Revolute,
            UrdfType::Prismatic => JointType::Prismatic,
            UrdfType::Planar => JointType::Planar,
            UrdfType::Spherical => JointType::Spherical,
            UrdfType::Fixed => JointType::Fixed,
            UrdfType::Floating => {
                let remark =
                    format!("joint {} is floating: {} moves freely", joint.value.name, self.holder_name(b));
                self.notes.remarks.push(remark);
                return None;
            }
        };
        let needs_axis = !matches!(kind, JointType::Fixed | JointType::Spherical);
        let frame = &self.frames[child];
        let axis = match (needs_axis, tree::axis(&joint.value)) {
            (false, _) => None,
            (true, Some(a)) => Some(frame.rotation * a.into_inner()),
            (true, None) => {
                self.problems.push(problem(
                    joint,
                    format!("joint '{}' has an axis of length zero", joint.value.name),
                    "give a direction of any length, for example <axis xyz=\"0 0 1\"/>",
                ));
                None
            }
        };
        let bodies = [a, b].map(|h| self.holder_name(h).to_string());
        let name = joint.value.name.clone();
        Some(joint_block(name, kind, bodies, frame.translation.vector, axis, self.values[j]))
    }
}

pub(super) fn joint_block(
    name: String,
    kind: JointType,
    bodies: [String; 2],
    point: Vector3<f64>,
    axis: Option<Vector3<f64>>,
    coordinate: f64,
) -> JointBlock {
    JointBlock {
        name,
        kind,
        count: None,
        bodies,
        point: Some(vector(&point).into()),
        point2: None,
        axis: axis.as_ref().map(|a| vector(a).into()),
        axis2: None,
        drive: None,
        drive_displacement: None,
        enabled: None,
        drive_enabled: None,
        coordinate: (coordinate != 0.0).then(|| coordinate.into()),
        rate: None,
        frame: None,
        lock: None,
        pitch: None,
    }
}

/// A number in which round-off of rotations becomes zero.
pub(super) fn tidy(x: f64, size: f64) -> Number {
    Number::from(if x.abs() <= 1e-15 * size { 0.0 } else { x })
}

pub(super) fn vector(v: &Vector3<f64>) -> Vector {
    let size = v.amax();
    [tidy(v.x, size), tidy(v.y, size), tidy(v.z, size)]
}

pub(super) fn inertia(j: &Matrix3<f64>) -> Inertia {
    let j = (j + j.transpose()) * 0.5;
    let size = j.amax();
    let off = (j - Matrix3::from_diagonal(&j.diagonal())).amax();
    if off <= 1e-15 * size {
        return Inertia::Principal(vector(&j.diagonal()));
    }
    // A symmetric matrix: its columns are its rows.
    let columns: [[f64; 3]; 3] = j.into();
    Inertia::Matrix(columns.map(|row| row.map(|x| tidy(x, size))))
}

pub(super) fn rotation(frame: &Isometry3<f64>) -> Option<Rotation> {
    let q = frame.rotation.quaternion();
    // Both signs give the same rotation.
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let x = [q.w, q.i, q.j, q.k].map(|x| x * sign);
    if q.imag().amax() <= 1e-15 {
        return None;
    }
    Some(Rotation::Quaternion(x.map(|x| tidy(x, 1.0))))
}
