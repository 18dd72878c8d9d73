//! `[[sensor]]`.

use super::Evaluator;
use crate::Error;
use crate::model::dimensions::of_sensor;
use crate::model::elements::{ForceKind, ForceSpec, SensorFrame, SensorKind, SensorSpec, Total};
use crate::model::expression::Dimension;
use crate::model::expression::quantities::{QuantityFormula, Unread, usual_unit};
use crate::model::file_elements::{FrameBlock, SensorBlock, SensorType};
use crate::model::law::values;
use crate::model::number::Number;
use crate::model::spec::{GROUND, Model};

/// Keys of a type of sensor.
fn keys(kind: SensorType) -> &'static [&'static str] {
    use SensorType::*;
    match kind {
        Position | Velocity | Acceleration => &["body", "point"],
        AngularVelocity | AngularAcceleration => &["body", "frame"],
        GuideForce | GuideTorque => &["joint", "frame"],
        DriveEffort => &["joint", "of"],
        Effort => &["force"],
        TotalForce => &["body", "joints"],
        TotalTorque => &["body", "joints", "point"],
        Formula => &["value"],
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
            ("joints", block.joints.is_some()),
            ("value", block.value.is_some()),
            ("of", block.of.is_some()),
            ("frame", block.frame.is_some()),
            ("force", block.force.is_some()),
            ("control", block.control.is_some()),
        ];
        self.unused(path, &format!("{what} of this type"), &given, keys(block.kind));
        let kind = match block.kind {
            Position | Velocity | Acceleration | AngularVelocity | AngularAcceleration => {
                let (body, point) = self.body_and_point(path, &block.body, &block.point, &what, model)?;
                match block.kind {
                    Position => SensorKind::Position(body, point),
                    Velocity => SensorKind::Velocity(body, point),
                    Acceleration => SensorKind::Acceleration(body, point),
                    kind => {
                        let (accelerates, inertial) =
                            (kind == AngularAcceleration, self.is_inertial(path, block));
                        match accelerates || inertial {
                            true => SensorKind::Rotation { body, accelerates, inertial },
                            false => SensorKind::AngularVelocity(body),
                        }
                    }
                }
            }
            Coordinate | Rate => {
                let joint = self.needed(path, "joint", &block.joint, &what)?;
                let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
                if block.kind == Coordinate { SensorKind::Coordinate(at) } else { SensorKind::Rate(at) }
            }
            ReactionForce | ReactionTorque | GuideForce | GuideTorque => {
                let joint = self.needed(path, "joint", &block.joint, &what)?;
                if self.complete(&["joint"]) && self.find("joint", &joint).is_none() {
                    let known = model.joints.iter().map(|j| j.name.as_str()).take(self.listed());
                    let message = Error::unknown_name("joint", &joint, known).to_string();
                    self.problem(&format!("{path}.joint"), message, "");
                }
                let frame = self.reaction_frame(path, block);
                match block.kind {
                    ReactionForce => SensorKind::ReactionForce(joint, frame),
                    GuideForce => SensorKind::GuideForce(joint, frame),
                    GuideTorque => SensorKind::GuideTorque(joint, frame),
                    _ => SensorKind::ReactionTorque(joint, frame),
                }
            }
            DriveEffort => {
                let joint = self.needed(path, "joint", &block.joint, &what)?;
                let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
                let driven = model
                    .joints
                    .iter()
                    .find(|j| j.name == joint)
                    .is_none_or(|j| j.drive.is_some() || j.drive_displacement.is_some());
                if !driven {
                    let message = format!("{what}: joint '{joint}' has no drive");
                    self.problem(
                        &format!("{path}.joint"),
                        message,
                        "give the joint a drive, or measure an effort",
                    );
                }
                SensorKind::DriveEffort(at)
            }
            Effort => {
                let force = self.needed(path, "force", &block.force, &what)?;
                let found = self.find("force", &force).and_then(|i| model.forces.get(i));
                if self.complete(&["force"]) {
                    match found {
                        None => {
                            let known = model.forces.iter().map(|f| f.name.as_str()).take(self.listed());
                            let message = Error::unknown_name("force", &force, known).to_string();
                            self.problem(&format!("{path}.force"), message, "");
                        }
                        Some(f) if !f.kind.acts_on_coordinate() => {
                            let message = format!("{what}: '{force}' acts on no joint coordinate");
                            let help = "actuators, springs, friction and limits of joints have an effort; a spring \
                                        between points has a spring-force";
                            self.problem(&format!("{path}.force"), message, help);
                        }
                        Some(_) => {}
                    }
                }
                SensorKind::Effort(force)
            }
            TotalForce | TotalTorque => {
                let total = self.total(path, block, &what, model)?;
                match block.kind {
                    TotalForce => SensorKind::TotalForce(total),
                    _ => {
                        let origin = nalgebra::Vector3::zeros();
                        let point = block.point.as_ref();
                        let point = point.map(|p| self.point(&format!("{path}.point"), p, model));
                        SensorKind::TotalTorque(total, point.unwrap_or(origin))
                    }
                }
            }
            Formula => {
                let Some(value) = &block.value else {
                    let help = "write for example value = \"atan2(left.z - right.z, 1.2 m)*1 rad\"";
                    self.problem(path, format!("{what} has no value"), help);
                    return None;
                };
                self.sensor_formula(&format!("{path}.value"), value, model)?
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

    /// True for an angular velocity along the axes of the inertial frame.
    fn is_inertial(&mut self, path: &str, block: &SensorBlock) -> bool {
        match block.frame {
            Some(FrameBlock::Inertial) => true,
            None | Some(FrameBlock::Body) => false,
            Some(FrameBlock::First | FrameBlock::Second) => {
                let message = "an angular velocity belongs to one body".to_string();
                self.problem(&format!("{path}.frame"), message, "use body or inertial");
                false
            }
        }
    }

    /// What a total force adds up.
    fn total(&mut self, path: &str, block: &SensorBlock, what: &str, model: &Model) -> Option<Total> {
        match (&block.body, &block.joints) {
            (Some(body), None) => {
                if self.complete(&["body"]) && body != GROUND && self.find("body", body).is_none() {
                    let known =
                        model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]).take(self.listed());
                    let message = Error::unknown_name("body", body, known).to_string();
                    self.problem(&format!("{path}.body"), message, "");
                }
                Some(Total::Body(body.clone()))
            }
            (None, Some(joints)) if !joints.is_empty() => {
                for (k, joint) in joints.iter().enumerate() {
                    if self.complete(&["joint"]) && self.find("joint", joint).is_none() {
                        let known = model.joints.iter().map(|j| j.name.as_str()).take(self.listed());
                        let message = Error::unknown_name("joint", joint, known).to_string();
                        self.problem(&format!("{path}.joints[{k}]"), message, "");
                    }
                }
                Some(Total::Joints(joints.clone()))
            }
            _ => {
                let message = format!("{what} needs either a body or a list of joints");
                self.problem(path, message, "write body = \"ground\", or joints = [\"left\", \"right\"]");
                None
            }
        }
    }

    /// A formula of time, parameters and the sensors so far.
    fn sensor_formula(&mut self, path: &str, value: &Number, model: &Model) -> Option<SensorKind> {
        let text = match value {
            Number::Text(text) => self.numbered(text),
            Number::Value(x) => format!("{x}"),
        };
        let axis = |name: &str| ["x", "y", "z"].contains(&name);
        let sensor = |name: &str| {
            let find = |name: &str| model.sensors.iter().find(|s| s.name == name);
            find(name).or_else(|| name.rsplit_once('.').filter(|(_, a)| axis(a)).and_then(|(n, _)| find(n)))
        };
        let formula =
            QuantityFormula::read_with(&text, &self.names, &|name| name == "t" || sensor(name).is_some());
        let formula = match formula {
            Ok(formula) => formula,
            Err(Unread::Name(name)) => {
                let known = model.sensors.iter().map(|s| s.name.as_str()).take(self.listed());
                let owner = name.rsplit_once('.').filter(|(_, a)| axis(a)).map_or(name.as_str(), |(n, _)| n);
                let message = Error::unknown_name("sensor", owner, known).to_string();
                let help = "a formula reads time, parameters and sensors before it; names with blanks are put in \
                            braces, {left arm}.x";
                self.problem(path, message, help);
                return None;
            }
            Err(Unread::Text(message)) => {
                self.problem(path, message, "");
                return None;
            }
        };
        let joints = |name: &str| model.joints.iter().find(|j| j.name == name);
        let dimension = |name: &str| match (name, sensor(name)) {
            ("t", None) => Some(Dimension::SECOND),
            (_, Some(s)) => of_sensor(&s.kind, &joints),
            _ => None,
        };
        match formula.dimension(&self.names, &dimension) {
            Ok(dimension) => Some(SensorKind::Formula(formula, dimension.map_or("", usual_unit))),
            Err(message) => {
                self.problem(path, message, "");
                None
            }
        }
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
