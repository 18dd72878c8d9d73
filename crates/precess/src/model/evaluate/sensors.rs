//! `[[sensor]]`.

use super::Evaluator;
use crate::Error;
use crate::model::elements::{ForceKind, ForceSpec, SensorFrame, SensorKind, SensorSpec};
use crate::model::file_elements::{FrameBlock, SensorBlock, SensorType};
use crate::model::law::values;
use crate::model::spec::Model;

/// Keys of a type of sensor.
fn keys(kind: SensorType) -> &'static [&'static str] {
    use SensorType::*;
    match kind {
        Position | Velocity | Acceleration => &["body", "point"],
        AngularVelocity => &["body"],
        Coordinate | Rate => &["joint", "of"],
        ReactionForce | ReactionTorque => &["joint", "frame"],
        SpringLength | SpringForce => &["force"],
        Control => &["control"],
        KineticEnergy | PotentialEnergy | Energy | LinearMomentum | AngularMomentum => &["name"],
    }
}

/// Columns of every result, and their content; quantities of the second list may also be sensors of the same
/// name.
const COLUMNS: [(&str, &str); 17] = [
    ("t", "the time"),
    ("q", "the positions of the state"),
    ("v", "the velocities of the state"),
    ("vdot", "the accelerations of the state"),
    ("lambda", "the multipliers"),
    ("metadata", "the model and the settings"),
    ("step", "the number of the step"),
    ("h", "the step size"),
    ("order", "the order of the method"),
    ("iterations", "the Newton iterations"),
    ("jacobians", "the new matrices"),
    ("hamiltonian", "the energy of methods with momenta"),
    ("energy_function", "the energy of methods with momenta"),
    ("work", "the work of the forces"),
    ("momentum_about_gravity", "the angular momentum about gravity"),
    ("position_residual", "the gaps of the joints"),
    ("velocity_residual", "the gaps of the joints in velocities"),
];

/// Columns of a body and of a joint, after its name and a dot.
const OF_BODY: [&str; 17] = [
    "position",
    "rotation",
    "velocity",
    "angular_velocity",
    "x",
    "y",
    "z",
    "qw",
    "qx",
    "qy",
    "qz",
    "vx",
    "vy",
    "vz",
    "wx",
    "wy",
    "wz",
];
const OF_JOINT: [&str; 8] = ["force", "torque", "fx", "fy", "fz", "mx", "my", "mz"];

impl Evaluator {
    /// Refuses names of sensors that collide with columns of results.
    pub(super) fn column(&mut self, path: &str, sensor: &SensorSpec, model: &Model) {
        let SensorSpec { name, kind } = sensor;
        let same = match name.as_str() {
            "energy" => Some(*kind == SensorKind::TotalEnergy),
            "linear_momentum" => Some(*kind == SensorKind::LinearMomentum),
            "angular_momentum" => Some(*kind == SensorKind::AngularMomentum),
            _ => None,
        };
        let quantity = (same == Some(false)).then_some((name.as_str(), "that of the whole model"));
        if let Some((_, what)) = COLUMNS.iter().find(|(column, _)| column == name).copied().or(quantity) {
            let message = format!("results have a column '{name}' already: {what}");
            self.problem(&format!("{path}.name"), message, "choose another name for the sensor");
        }
        let part = name.rsplit_once('.').and_then(|(owner, part)| {
            let of = |kind, parts: &[&str]| self.find(kind, owner).is_some() && parts.contains(&part);
            (of("body", &OF_BODY) || of("joint", &OF_JOINT)).then_some(owner)
        });
        // The position of a body equals that of its columns.
        let body = self.find("body", name).and_then(|i| model.bodies.get(i)).filter(|_| values(kind) == 3);
        let other = body.filter(|b| *kind != SensorKind::Position(b.name.clone(), b.position));
        if let Some(owner) = part.or_else(|| other.map(|_| name.as_str())) {
            let column =
                if values(kind) == 3 { format!("sensor.{name}.x, .y, .z") } else { format!("sensor.{name}") };
            let notice = format!(
                "sensor '{name}' has the same name as columns of '{owner}': in results it is {column}"
            );
            self.notice(vec![notice]);
        }
    }

    /// Reads a sensor; `None` if too little is known.
    pub(super) fn sensor(&mut self, path: &str, block: &SensorBlock, model: &Model) -> Option<SensorSpec> {
        use SensorType::*;
        let name = self.name(&format!("{path}.name"), &block.name);
        let what = format!("sensor '{name}'");
        let given = [
            ("body", block.body.is_some()),
            ("point", block.point.is_some()),
            ("joint", block.joint.is_some()),
            ("of", block.of.is_some()),
            ("frame", block.frame.is_some()),
            ("force", block.force.is_some()),
            ("control", block.control.is_some()),
        ];
        self.unused(path, &format!("{what} of this type"), &given, keys(block.kind));
        let kind = match block.kind {
            Position | Velocity | Acceleration | AngularVelocity => {
                let (body, point) = self.body_and_point(path, &block.body, &block.point, &what, model)?;
                match block.kind {
                    Position => SensorKind::Position(body, point),
                    Velocity => SensorKind::Velocity(body, point),
                    Acceleration => SensorKind::Acceleration(body, point),
                    _ => SensorKind::AngularVelocity(body),
                }
            }
            Coordinate | Rate => {
                let joint = self.needed(path, "joint", &block.joint, &what)?;
                let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
                if block.kind == Coordinate { SensorKind::Coordinate(at) } else { SensorKind::Rate(at) }
            }
            ReactionForce | ReactionTorque => {
                let joint = self.needed(path, "joint", &block.joint, &what)?;
                if self.complete(&["joint"]) && self.find("joint", &joint).is_none() {
                    let known = model.joints.iter().map(|j| j.name.as_str()).take(self.listed());
                    let message = Error::unknown_name("joint", &joint, known).to_string();
                    self.problem(&format!("{path}.joint"), message, "");
                }
                let frame = self.reaction_frame(path, block);
                match block.kind {
                    ReactionForce => SensorKind::ReactionForce(joint, frame),
                    _ => SensorKind::ReactionTorque(joint, frame),
                }
            }
            SpringLength | SpringForce => {
                let force = self.needed(path, "force", &block.force, &what)?;
                let is_spring = |f: &&ForceSpec| matches!(f.kind, ForceKind::Spring(_));
                let found = self.find("force", &force).and_then(|i| model.forces.get(i)).filter(is_spring);
                if self.complete(&["force"]) && found.is_none() {
                    let known =
                        model.forces.iter().filter(is_spring).map(|f| f.name.as_str()).take(self.listed());
                    let message = Error::unknown_name("spring", &force, known).to_string();
                    self.problem(&format!("{path}.force"), message, "");
                }
                match block.kind {
                    SpringLength => SensorKind::SpringLength(force),
                    _ => SensorKind::SpringForce(force),
                }
            }
            Control => {
                let control = self.needed(path, "control", &block.control, &what)?;
                if self.complete(&["control"]) && self.find("control", &control).is_none() {
                    let known = model.controls.iter().map(|c| c.name.as_str()).take(self.listed());
                    let message = Error::unknown_name("control", &control, known).to_string();
                    self.problem(&format!("{path}.control"), message, "");
                }
                SensorKind::ControlOutput(control)
            }
            KineticEnergy => SensorKind::KineticEnergy,
            PotentialEnergy => SensorKind::PotentialEnergy,
            Energy => SensorKind::TotalEnergy,
            LinearMomentum => SensorKind::LinearMomentum,
            AngularMomentum => SensorKind::AngularMomentum,
        };
        Some(SensorSpec { name, kind })
    }

    /// The frame of a reaction; inertial by default.
    fn reaction_frame(&mut self, path: &str, block: &SensorBlock) -> SensorFrame {
        match block.frame {
            None | Some(FrameBlock::Inertial) => SensorFrame::Inertial,
            Some(FrameBlock::First) => SensorFrame::First,
            Some(FrameBlock::Second) => SensorFrame::Second,
            Some(FrameBlock::Body) => {
                self.problem(
                    &format!("{path}.frame"),
                    "which body is meant?",
                    "use inertial, first or second",
                );
                SensorFrame::Inertial
            }
        }
    }
}
