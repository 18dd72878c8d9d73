//! What a force law, a stop and a moved body say in a model file.

use nalgebra::Vector3;
use toml::Value;

use super::{Writer, WrittenTable, vector};
use crate::mechanics::Function;
use crate::mechanics::forces::ForceFrame;
use crate::mechanics::forces::table::{Interpolation, Tables};
use crate::model::elements::{ForceKind, LawTarget, Of, SensorKind, Stops};
use crate::model::law::{PREFIX, values};
use crate::model::spec::{BodySpec, Model};

impl Writer {
    /// A force, a torque or an actuator that reads signals by name.
    pub(super) fn law(
        &mut self,
        entry: WrittenTable,
        (target, signals, functions): (&LawTarget, &[(SensorKind, usize)], &[Function]),
        whose: &str,
    ) -> WrittenTable {
        let mut texts = functions.iter().map(|f| self.law_text(f, signals, whose)).collect::<Vec<_>>();
        match target {
            LawTarget::Joint(at) => {
                entry.with("type", "actuator").at(at).with("value", texts.pop().unwrap_or(0.0.into()))
            }
            LawTarget::Point { body, point, frame } => entry
                .with("type", "force")
                .with("body", body.as_str())
                .with("point", vector(point))
                .with("force", texts)
                .with("frame", word(*frame)),
            LawTarget::Torque { body, frame } => entry
                .with("type", "torque")
                .with("body", body.as_str())
                .with("torque", texts)
                .with("frame", word(*frame)),
        }
    }

    /// The formula with the names of what it reads.
    fn law_text(&mut self, f: &Function, signals: &[(SensorKind, usize)], whose: &str) -> Value {
        let Value::String(mut text) = self.function(f, whose) else { return self.function(f, whose) };
        for (k, (kind, component)) in signals.iter().enumerate() {
            let place = format!("{PREFIX}{k}");
            if !text.contains(&place) {
                continue;
            }
            match self.signal(kind, *component) {
                Some(name) => text = text.replace(&place, &name),
                None => return self.nothing(&format!("what {whose} reads; add a [[sensor]] of it")),
            }
        }
        text.into()
    }

    /// The word for what a law reads: a sensor of the model, or a joint.
    fn signal(&self, kind: &SensorKind, component: usize) -> Option<String> {
        if let Some((_, name)) = self.sensors.iter().find(|(k, _)| k == kind) {
            let part = if values(kind) == 1 { "" } else { [".x", ".y", ".z"].get(component)? };
            return Some(format!("{{{name}}}{part}"));
        }
        match kind {
            SensorKind::Coordinate(at) if at.of == Of::Default => Some(format!("{{{}}}.x", at.joint)),
            SensorKind::Rate(at) if at.of == Of::Default => Some(format!("{{{}}}.v", at.joint)),
            _ => None,
        }
    }

    /// A table of two columns with the word for what is between its rows.
    pub(super) fn table(&mut self, entry: WrittenTable, table: &Tables, c: f64, whose: &str) -> WrittenTable {
        let Some(table) = table.alone() else {
            self.nothing(whose);
            return entry;
        };
        let word = match table.interpolation() {
            Interpolation::Linear => "linear",
            Interpolation::MonotoneCubic => "monotone-cubic",
        };
        let entry = entry.with("table", super::rows(table.points().into_iter()));
        entry.with("interpolation", word).with("damping", c)
    }

    /// A body, with its motion if it is moved.
    pub(super) fn moved(&mut self, b: &BodySpec, m: &Model) -> toml::Table {
        let guide = m.joints.iter().find(|j| j.bodies[1] == b.name).and_then(|j| j.guide.as_ref());
        let Some(guide) = guide else { return super::body(b) };
        let still = BodySpec { velocity: Vector3::zeros(), angular_velocity: Vector3::zeros(), ..b.clone() };
        let list = guide.each_ref().map(|f| self.function(f, &format!("the motion of body '{}'", b.name)));
        let [x, y, z, roll, pitch, yaw] = list;
        let motion = WrittenTable::default()
            .with("position", vec![x, y, z])
            .with("roll_pitch_yaw", vec![roll, pitch, yaw]);
        WrittenTable(super::body(&still)).with("motion", motion.0).0
    }
}

/// True for the sensor and the events that belong to a stop, which brings them along.
pub(super) fn comes_along(name: &str, m: &Model) -> bool {
    m.forces.iter().any(|f| {
        let sharp = matches!(&f.kind, ForceKind::Limit { stops, .. } if stops.width == 0.0);
        let own = [".x", ".v", " meets lower", " leaves lower", " meets upper", " leaves upper"];
        sharp && name.strip_prefix(f.name.as_str()).is_some_and(|rest| own.contains(&rest))
    })
}

/// Limits that are infinite are not there.
pub(super) fn stops(entry: WrittenTable, s: &Stops) -> WrittenTable {
    entry
        .with_if(s.lower.is_finite(), "lower", s.lower)
        .with_if(s.upper.is_finite(), "upper", s.upper)
        .with("stiffness", s.k)
        .with("damping", s.c)
        .with_if(s.width > 0.0, "width", s.width)
        .with_if(s.width == 0.0, "events", true)
}

fn word(frame: ForceFrame) -> &'static str {
    if frame == ForceFrame::Body { "body" } else { "inertial" }
}
