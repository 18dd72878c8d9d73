//! Sensors as text of a model file.

use nalgebra::Vector3;
use toml::Table;

use crate::model::elements::{SensorFrame, SensorKind, SensorSpec};
use crate::model::written::{WrittenTable, vector};

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
