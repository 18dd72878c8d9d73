//! Sensors as text of a model file.

use nalgebra::Vector3;
use toml::Table;

use crate::model::elements::{SensorFrame, SensorKind, SensorSpec, Total};
use crate::model::written::{WrittenTable, vector};

fn of_total(entry: WrittenTable, total: &Total) -> WrittenTable {
    match total {
        Total::Body(body) => entry.with("body", body.as_str()),
        Total::Joints(list) => entry.with("joints", list.clone()),
    }
}

pub(super) fn sensor(s: &SensorSpec) -> Table {
    let entry = WrittenTable::named(&s.name);
    let point = |kind: &str, body: &str, p: &Vector3<f64>| -> WrittenTable {
        WrittenTable::named(&s.name).with("type", kind).with("body", body).with("point", vector(p))
    };
    let frame = |frame: &SensorFrame| match frame {
        SensorFrame::Inertial => "inertial",
        SensorFrame::First => "first",
        SensorFrame::Second => "second",
    };
    use SensorKind::*;
    let entry = match &s.kind {
        Position(body, p) => point("position", body, p),
        Velocity(body, p) => point("velocity", body, p),
        Acceleration(body, p) => point("acceleration", body, p),
        AngularVelocity(body) => entry.with("type", "angular-velocity").with("body", body.as_str()),
        Coordinate(at) => entry.with("type", "coordinate").at(at),
        Rate(at) => entry.with("type", "rate").at(at),
        ReactionForce(joint, f) => {
            entry.with("type", "reaction-force").with("joint", joint.as_str()).with("frame", frame(f))
        }
        ReactionTorque(joint, f) => {
            entry.with("type", "reaction-torque").with("joint", joint.as_str()).with("frame", frame(f))
        }
        Rotation { body, accelerates, inertial } => {
            let kind = if *accelerates { "angular-acceleration" } else { "angular-velocity" };
            let entry = entry.with("type", kind).with("body", body.as_str());
            if *inertial { entry.with("frame", "inertial") } else { entry }
        }
        GuideForce(joint, f) => {
            entry.with("type", "guide-force").with("joint", joint.as_str()).with("frame", frame(f))
        }
        GuideTorque(joint, f) => {
            entry.with("type", "guide-torque").with("joint", joint.as_str()).with("frame", frame(f))
        }
        DriveEffort(at) => entry.with("type", "drive-effort").at(at),
        Effort(force) => entry.with("type", "effort").with("force", force.as_str()),
        TotalForce(total) => of_total(entry.with("type", "total-force"), total),
        TotalTorque(total, point) => {
            of_total(entry.with("type", "total-torque"), total).with("point", vector(point))
        }
        Formula(formula, _) => match formula.text(&str::to_string) {
            Some(text) => entry.with("type", "formula").with("value", text),
            None => entry,
        },
        SpringLength(force) => entry.with("type", "spring-length").with("force", force.as_str()),
        SpringForce(force) => entry.with("type", "spring-force").with("force", force.as_str()),
        ControlOutput(control) => entry.with("type", "control").with("control", control.as_str()),
        KineticEnergy => entry.with("type", "kinetic-energy"),
        PotentialEnergy => entry.with("type", "potential-energy"),
        TotalEnergy => entry.with("type", "energy"),
        LinearMomentum => entry.with("type", "linear-momentum"),
        AngularMomentum => entry.with("type", "angular-momentum"),
        SectionForce(_) | SectionMoment(_) | StrainEnergy(_) | State(_) | Algebraic(_) => entry,
    };
    entry.0
}
