//! Reads a `[[body]]` with `type = "modal"`: the file of its modes and the named nodes.

use std::sync::Arc;

use nalgebra::Vector3;
use precess_engine::flex::{Modal, SecondOrder, tension_of_line};

use super::Evaluator;
use crate::mechanics::BodyKind;
use crate::mechanics::joints::JointKind;
use crate::model::file::{BodyBlock, BodyType};
use crate::model::file_modal::{ModalBlock, Ratios};
use crate::model::modal::{ModalSpec, Shapes};
use crate::model::modal_file::{self, ModalFile};
use crate::model::number::Number;
use crate::model::spec::{BodySpec, JointSpec, Model};

impl Evaluator {
    /// Reads the modes of a body. The nodes determine its mass and inertia.
    pub(super) fn modal(&mut self, path: &str, block: &BodyBlock, body: &mut BodySpec) -> Option<ModalSpec> {
        let at = format!("{path}.modal");
        let modal = match (block.kind, &block.modal) {
            (BodyType::Modal, Some(modal)) => modal,
            (BodyType::Modal, None) => {
                let message = format!("body '{}' has no modes", body.name);
                self.problem(path, message, "add modal = { file = \"..\" }");
                return None;
            }
            (_, Some(_)) => {
                self.problem(&at, "only bodies of type \"modal\" have modes", "set type = \"modal\"");
                return None;
            }
            (_, None) => return None,
        };
        let given = [
            ("mass", block.mass.is_some()),
            ("inertia", block.inertia.is_some()),
            ("inertia_frame", block.inertia_frame.is_some()),
            ("shape", block.shape.is_some()),
            ("density", block.density.is_some()),
        ];
        self.unused(
            path,
            "a modal body, whose nodes have the mass",
            &given,
            &["modal", "look", "position", "rotation"],
        );
        let path = at;
        let read = self.files.read(&modal.file);
        let read = read.and_then(|bytes| {
            modal_file::read(&bytes).map_err(|e| format!("body '{}', {}: {e}", body.name, modal.file))
        });
        let ModalFile { shapes, mut data, names, second, remark } = match read {
            Ok(found) => found,
            Err(message) => {
                self.problem(&format!("{path}.file"), message, "");
                // Uses of the nodes of this body are not reported as errors.
                self.incomplete.insert("body".to_string());
                return None;
            }
        };
        self.notice(remark.map(|text| format!("modal body '{}': {text}", body.name)).into_iter().collect());
        let n = data.modes();
        self.add_ratios(&path, modal, &mut data);
        let mut named: Vec<(String, usize)> = names.into_iter().collect();
        for (name, x) in &modal.nodes {
            let at = format!("{path}.nodes.{name}");
            let i = self.number(&at, x);
            if !(i.fract() == 0.0 && i >= 0.0 && i < shapes.nodes.len() as f64) {
                let message =
                    format!("there is no node {i}, the file has nodes 0 to {}", shapes.nodes.len() - 1);
                self.problem(&at, message, "");
                continue;
            }
            named.push((name.clone(), i as usize));
        }
        let wanted: Vec<usize> = named.iter().map(|(_, i)| *i).collect();
        let computed = self.add_stiffening(&path, modal, (&shapes, &wanted), &mut data);
        let second = |i: usize| {
            let found = computed.iter().find(|(node, _)| *node == i).map(|(_, second)| second);
            found.or_else(|| second.get(i)).cloned()
        };
        let coordinates = self.start_of_modes(&format!("{path}.coordinates"), &modal.coordinates, n);
        let node = |(name, i): &(String, usize)| shapes.node_with(body, name, *i, (&coordinates, second(*i)));
        let nodes = named.iter().filter_map(node).collect();
        let rates = self.start_of_modes(&format!("{path}.rates"), &modal.rates, n);
        (body.mass, body.kind) = (data.mass, BodyKind::Rigid { inertia: data.i0 });
        Some(ModalSpec { name: body.name.clone(), data: Arc::new(data), nodes, coordinates, rates })
    }

    /// Adds geometric stiffening and stiffening by tension. Returns the second-order motion of the wanted
    /// nodes, if it is computed here.
    fn add_stiffening(
        &mut self,
        path: &str,
        block: &ModalBlock,
        (shapes, wanted): (&Shapes, &[usize]),
        data: &mut Modal,
    ) -> Vec<(usize, SecondOrder)> {
        let mut computed = Vec::new();
        // The data of a file come before what can be computed.
        if block.stiffening == Some(true) && data.geometric.is_none() && data.stiffening.is_empty() {
            match shapes.stiffening(wanted) {
                Ok((geometric, nodes)) => (data.geometric, computed) = (Some(geometric), nodes),
                Err(e) => self.problem(
                    &format!("{path}.stiffening"),
                    e.to_string(),
                    "give the stiffening in the file, as \"geometric\"",
                ),
            }
        }
        if block.tension == Some(true) && block.stiffening == Some(true) {
            self.problem(
                &format!("{path}.tension"),
                "stiffening contains the tension of axial modes, which would count twice",
                "leave tension out",
            );
        }
        if block.tension == Some(true) {
            match tension_of_line(&shapes.nodes, &shapes.modes, &shapes.stiffness) {
                Ok(list) => data.by_modes.extend(list),
                Err(e) => self.problem(
                    &format!("{path}.tension"),
                    e.to_string(),
                    "give the tension in the file, or leave it out",
                ),
            }
        }
        computed
    }

    /// Reads one number per mode. The numbers are zero if none are given.
    fn start_of_modes(&mut self, path: &str, list: &[Number], n: usize) -> Vec<f64> {
        if list.is_empty() {
            return vec![0.0; n];
        }
        if list.len() != n {
            let message = format!("{} entries were given, the body has {n} modes", list.len());
            self.problem(path, message, "");
            return vec![0.0; n];
        }
        list.iter().enumerate().map(|(i, x)| self.number(&format!("{path}[{i}]"), x)).collect()
    }

    /// Adds the damping 2 D sqrt(K M) of each mode on the diagonal.
    fn add_ratios(&mut self, path: &str, block: &ModalBlock, data: &mut Modal) {
        let n = data.modes();
        let at = format!("{path}.damping_ratios");
        let ratios: Vec<f64> = match &block.damping_ratios {
            None => return,
            Some(Ratios::All(x)) => vec![self.number(&at, x); n],
            Some(Ratios::Each(list)) => {
                list.iter().enumerate().map(|(i, x)| self.number(&format!("{at}[{i}]"), x)).collect()
            }
        };
        if ratios.len() != n || ratios.iter().any(|d| *d < 0.0) {
            self.problem(
                &at,
                format!("{} ratios were given, the body has {n} modes", ratios.len()),
                "none is negative",
            );
            return;
        }
        let critical = data.stiffness.diagonal().component_mul(&data.mff.diagonal()).map(f64::sqrt) * 2.0;
        let added = nalgebra::DVector::from_vec(ratios).component_mul(&critical);
        data.damping += nalgebra::DMatrix::from_diagonal(&added);
    }

    /// Refuses a joint that needs the orientation of a node whose modes contain no rotations.
    pub(super) fn check_nodes(&mut self, path: &str, joint: &JointSpec, model: &Model) {
        let points = matches!(
            joint.kind,
            JointKind::Spherical
                | JointKind::RigidDistance
                | JointKind::PointOnLine
                | JointKind::PointOnPlane
        );
        let nodes = model.modal.iter().flat_map(|m| &m.nodes);
        let mute = nodes.filter(|n| n.turns.is_none()).map(|n| &n.body.name);
        for name in mute.filter(|name| !points && joint.bodies.contains(name)) {
            self.problem(
                &format!("{path}.bodies"),
                format!(
                    "joint '{}' needs the orientation of '{name}', which its modes do not give",
                    joint.name
                ),
                "add \"rotations\" to the file of the modes, or use a spherical joint",
            );
        }
    }

    /// The undeformed position of a node.
    pub(super) fn find_node<'m>(&self, model: &'m Model, name: &str) -> Option<&'m BodySpec> {
        model.nodes().into_iter().find(|b| b.name == name)
    }

    /// The position of a node, for a joint without a point.
    pub(super) fn place_of_node(&self, bodies: &[String; 2], model: &Model) -> Option<Vector3<f64>> {
        bodies.iter().find_map(|b| self.find_node(model, b)).map(|b| b.position)
    }
}
