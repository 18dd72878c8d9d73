//! Forces at the joints of a robot: damping and dry friction, stops at the limits, actuators of
//! transmissions.

use super::Convert;
use super::elements::JointType as UrdfType;
use super::numbered::JointId;
use super::tree;
use crate::model::file::File;
use crate::model::file_elements::ForceBlock;
use crate::model::number::Number;
use crate::model::sections::from_text;

/// Depth (rad, m) at which a stop reaches the largest effort of its joint.
const GIVE: [f64; 2] = [0.01, 1e-3];
/// Stiffness of a stop if no effort is given (N m/rad, N/m).
const STIFFNESS: [f64; 2] = [1e4, 1e6];
/// Ratio of damping to stiffness of a stop, in s.
const DAMPING: f64 = 0.01;
/// Rate (rad/s, m/s) below which dry friction fades.
const SPEED: [f64; 2] = [0.01, 1e-3];

/// A block of a model file from its keys.
fn block(entries: &[(&str, toml::Value)]) -> Option<ForceBlock> {
    let mut table = toml::Table::new();
    for (key, value) in entries {
        table.insert(key.to_string(), value.clone());
    }
    from_text(&toml::to_string(&table).ok()?)
}

/// A name for expressions.
fn word(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    plain
}

impl Convert<'_> {
    /// Adds the forces of a joint.
    pub(super) fn efforts(&mut self, j: JointId, file: &mut File) {
        self.friction(j, file);
        self.stops(j, file);
        self.actuators(j, file);
    }

    fn friction(&mut self, j: JointId, file: &mut File) {
        let joint = &self.robot.joints[j].value;
        let Some(dynamics) = &joint.dynamics else { return };
        let (name, damping, friction) = (joint.name.clone(), dynamics.damping, dynamics.friction);
        if damping == 0.0 && friction == 0.0 {
            return;
        }
        if !tree::is_single(joint) {
            let note = format!(
                "joint {name}: damping {damping} and friction {friction} are left out, it has no single \
                 coordinate"
            );
            self.notes.missing.push(note);
            return;
        }
        let kind = usize::from(joint.joint_type == UrdfType::Prismatic);
        let mut entries: Vec<(&str, toml::Value)> = vec![
            ("name", format!("{}_{name}", if friction == 0.0 { "damping" } else { "friction" }).into()),
            ("type", "friction".into()),
            ("joint", name.clone().into()),
        ];
        if damping != 0.0 {
            entries.push(("viscous", damping.into()));
        }
        if friction != 0.0 {
            let speed = SPEED.get(kind).copied().unwrap_or(0.01);
            entries.extend([("constant", friction.into()), ("speed", speed.into())]);
            self.notes.remarks.push(format!(
                "joint {name}: dry friction {friction} fades below {speed}, which a URDF does not say"
            ));
        }
        file.force.extend(block(&entries));
    }

    /// Stops at the limits of a revolute or prismatic joint.
    fn stops(&mut self, j: JointId, file: &mut File) {
        let joint = &self.robot.joints[j].value;
        let name = joint.name.clone();
        let Some(limit) = self.robot.limits.iter().find(|l| l.joint == name) else { return };
        let bounded = matches!(joint.joint_type, UrdfType::Revolute | UrdfType::Prismatic);
        let (lower, upper, effort) = (
            limit.number("lower").unwrap_or(0.0),
            limit.number("upper").unwrap_or(0.0),
            limit.number("effort"),
        );
        let text = limit.text.clone();
        let value = self.values[j];
        if bounded && lower < upper && (lower..=upper).contains(&value) {
            let kind = usize::from(joint.joint_type == UrdfType::Prismatic);
            let of = |list: [f64; 2]| list.get(kind).copied().unwrap_or(1.0);
            let give = of(GIVE);
            let stiffness = effort.filter(|e| *e > 0.0).map_or(of(STIFFNESS), |e| e / give);
            file.force.extend(block(&[
                ("name", format!("limit_{name}").into()),
                ("type", "limit".into()),
                ("joint", name.clone().into()),
                ("lower", lower.into()),
                ("upper", upper.into()),
                ("stiffness", stiffness.into()),
                ("damping", (DAMPING * stiffness).into()),
                ("width", (0.1 * give).into()),
            ]));
        } else if bounded {
            let why =
                if lower < upper { format!(", and the joint begins at {value}") } else { String::new() };
            self.notes.limits.push((name.clone(), format!("{text}{why}")));
        }
        if let Some(speed) = limit.number("velocity").filter(|v| *v > 0.0) {
            self.notes.remarks.push(format!("joint {name}: the largest velocity {speed} is not enforced"));
        }
    }

    /// An actuator for every transmission of the joint. Its command is a parameter.
    fn actuators(&mut self, j: JointId, file: &mut File) {
        let joint = &self.robot.joints[j].value;
        let name = joint.name.clone();
        let own = self.robot.transmissions.iter().filter(|t| t.joints.contains(&name));
        for transmission in own.cloned().collect::<Vec<_>>() {
            let [_] = transmission.joints.as_slice() else {
                let note = format!("transmission {} moves several joints: it is left out", transmission.name);
                if !self.notes.missing.contains(&note) {
                    self.notes.missing.push(note);
                }
                continue;
            };
            if !tree::is_single(joint) {
                let note =
                    format!("transmission {}: joint {name} has no single coordinate", transmission.name);
                self.notes.missing.push(note);
                continue;
            }
            if transmission.actuators.is_empty() {
                let note = format!("transmission {} names no actuator: it is left out", transmission.name);
                self.notes.missing.push(note);
            }
            let limit = self.robot.limits.iter().find(|l| l.joint == name).and_then(|l| l.number("effort"));
            let limit = limit.filter(|e| *e > 0.0).map(|e| (format!("effort_{}", word(&name)), e));
            for (actuator, reduction) in &transmission.actuators {
                let command = format!("command_{}", word(actuator));
                let product = match *reduction == 1.0 {
                    true => command.clone(),
                    false => format!("{reduction}*{command}"),
                };
                let value = match &limit {
                    Some((effort, most)) => {
                        file.parameters.insert(effort.clone(), Number::from(*most));
                        format!("clamp({product}, 0 - {effort}, {effort})")
                    }
                    None => product,
                };
                file.parameters.insert(command.clone(), Number::from(0.0));
                self.notes.remarks.push(format!(
                    "actuator {actuator} at joint {name}: its force or torque at the motor is the parameter \
                     {command}, 0 until it is set"
                ));
                file.force.extend(block(&[
                    ("name", actuator.clone().into()),
                    ("type", "actuator".into()),
                    ("joint", name.clone().into()),
                    ("value", value.into()),
                ]));
            }
        }
    }
}
