//! Writes a model as the text of a model file: models built in Rust can be saved, sent and inspected.
//!
//! The text describes the same model with plain numbers: copies, parts, parameters, units and shapes are
//! evaluated. Forces and conditions written in Rust cannot be expressed and are errors.

use nalgebra::{UnitQuaternion, Vector3};
use toml::Table;

use super::elements::{ControlSpec, EventAction, EventSpec, ForceKind, ForceSpec, Of, Switchable};
use super::forces::limit::comes_along;
use super::spec::{BodySpec, JointSpec, Model, SolidForm, SolidSpec};
use super::written::{Writer, WrittenTable, axis, coordinate_word, matrix3, quaternion, vector};
use crate::Error;
use crate::mechanics::controls::Controller;
use crate::mechanics::joints::JointKind;
use crate::mechanics::{BodyKind, Direction, Function};
use sensors::sensor;

mod sensors;

impl Model {
    /// The text of a model file that describes this model. Elements that a file cannot express are errors.
    ///
    /// ```
    /// use precess::prelude::*;
    ///
    /// let model = Model::new("pendulum")
    ///     .gravity([0.0, 0.0, -9.81])
    ///     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
    ///     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y));
    /// let text = model.to_toml()?;
    /// let again = Model::from_toml(&text)?;
    /// assert_eq!(again.to_toml()?, text);
    /// # Ok::<(), precess::Error>(())
    /// ```
    pub fn to_toml(&self) -> Result<String, Error> {
        let sensors = self.sensors.iter().map(|s| (s.kind.clone(), s.name.clone())).collect();
        let mut writer = Writer::new(sensors);
        let table = writer.model(self);
        if !writer.without_words.is_empty() {
            let list = writer.without_words.join(", ");
            let message =
                format!("a model file cannot express {list}\n  help: write formulas instead of code");
            return Err(Error::Input { message });
        }
        toml::to_string(&table).map_err(|e| Error::Input { message: format!("cannot write the model: {e}") })
    }

    /// The model of a file's text, without its settings. [`Loaded::open`](super::Loaded::open) has both.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        Ok(super::load("model", text, &[])?.model)
    }
}

impl Writer {
    fn model(&mut self, m: &Model) -> Table {
        let more = [m.beams.len(), m.modal.len(), m.constraints.len(), m.states.len(), m.algebraic.len()];
        if more.iter().any(|n| *n > 0) {
            self.nothing("beams, modal bodies, constraints and variables; keep the file they came from");
        }
        let head = WrittenTable::named(&m.name).with_if(
            m.gravity != Vector3::zeros(),
            "gravity",
            vector(&m.gravity),
        );
        let head = head.with_if(m.length_scale.is_some(), "length_scale", m.length_scale.unwrap_or(1.0));
        let mut file = WrittenTable::default().with("model", head.0);
        if !m.inputs.is_empty() {
            let mut inputs = WrittenTable::default();
            for (name, x) in &m.inputs {
                inputs = inputs.with(name, *x);
            }
            file = file.with("inputs", inputs.0);
        }
        let off = |element: &Switchable| m.disabled.contains(element);
        let switched =
            |entry: WrittenTable, element: Switchable| entry.with_if(off(&element), "enabled", false).0;
        let bodies = m.bodies.iter().map(|b| self.moved(b, m)).collect();
        let joints = m.joints.iter().filter(|j| j.guide.is_none()).map(|j| {
            let drive = off(&Switchable::Drive(j.name.clone()));
            switched(self.joint(j).with_if(drive, "drive_enabled", false), Switchable::Joint(j.name.clone()))
        });
        let joints = joints.collect();
        let gears = m.gears.iter().map(|g| {
            let joints = g.joints.each_ref().map(|at| at.joint.clone()).to_vec();
            let of = g.joints.each_ref().map(|at| coordinate_word(at.of));
            let entry = WrittenTable::named(&g.name).with("joints", joints).with("ratio", g.ratio);
            match of {
                [Some(a), Some(b)] => entry.with("of", vec![a, b]).0,
                _ => entry.0,
            }
        });
        let gears = gears.collect();
        let forces = m.forces.iter().map(|f| match &f.kind {
            // Its own events turn it on.
            ForceKind::Limit(limit) if limit.has_events() => self.force(f).0,
            _ => switched(self.force(f), Switchable::Force(f.name.clone())),
        });
        let forces = forces.collect();
        let controls = m
            .controls
            .iter()
            .map(|c| switched(self.control(c), Switchable::Control(c.name.clone())))
            .collect();
        let sensors = m.sensors.iter().filter(|s| !comes_along(&s.name, m)).map(sensor).collect();
        let events = m.events.iter().filter(|e| !comes_along(&e.name, m));
        let events = events.map(|e| self.event(e)).collect();
        let lists: [(&str, Vec<Table>); 7] = [
            ("body", bodies),
            ("joint", joints),
            ("gear", gears),
            ("force", forces),
            ("control", controls),
            ("sensor", sensors),
            ("event", events),
        ];
        for (key, list) in lists {
            file = file.with_if(!list.is_empty(), key, list);
        }
        if !m.start.is_empty() {
            let mut start = WrittenTable::default();
            for (name, s) in &m.start {
                let entry = WrittenTable::default()
                    .with("position", vector(&s.position))
                    .with("rotation", quaternion(&s.rotation))
                    .with("velocity", vector(&s.velocity))
                    .with("angular_velocity", vector(&s.angular_velocity));
                start = start.with(name, entry.0);
            }
            file = file.with("start", start.0);
        }
        file.0
    }

    fn joint(&mut self, j: &JointSpec) -> WrittenTable {
        let entry = WrittenTable::named(&j.name)
            .with("type", j.kind.name())
            .bodies(&j.bodies)
            .with("point", vector(&j.point))
            .with_if(j.point2 != j.point, "point2", vector(&j.point2));
        let entry = match j.kind {
            JointKind::Spherical | JointKind::Fixed | JointKind::RigidDistance => entry,
            JointKind::Universal => {
                if j.frame2 != j.frame {
                    self.nothing(&format!("a universal joint that begins at an angle ('{}')", j.name));
                }
                entry.with("axis", axis(&j.frame, 0)).with("axis2", axis(&j.frame, 1))
            }
            JointKind::Generic(locks) => {
                let words = ["tx", "ty", "tz", "rx", "ry", "rz"].into_iter();
                let locked =
                    words.zip(locks.translation.iter().chain(&locks.rotation)).filter(|(_, on)| **on);
                let lock: Vec<&str> = locked.map(|(word, _)| word).collect();
                entry.with("axis", axis(&j.frame, 2)).with("axis2", axis(&j.frame, 0)).with("lock", lock)
            }
            JointKind::Screw { pitch } => entry.with("axis", axis(&j.frame, 2)).with("pitch", pitch),
            JointKind::Rolling { circle, section } => {
                if circle > 0.0 && section > 0.0 {
                    self.nothing(&format!("a wheel with a round section ('{}')", j.name));
                }
                let entry = entry.with("axis", axis(&j.frame, 2));
                entry.with_if(circle > 0.0, "axis2", axis(&j.frame2, 2))
            }
            _ => entry.with("axis", axis(&j.frame, 2)),
        };
        let entry = entry.with_if(j.coordinate != 0.0, "coordinate", j.coordinate).with_if(
            j.rows_in_body,
            "frame",
            "body",
        );
        let entry = match j.rate {
            Some(rate) => entry.with("rate", rate),
            None => entry,
        };
        let whose = format!("joint '{}'", j.name);
        let mut driven = |entry: WrittenTable, key: &str, drive: &Option<Function>| match drive {
            Some(drive) => entry.with(key, self.function(drive, &whose)),
            None => entry,
        };
        let entry = driven(entry, "drive", &j.drive);
        driven(entry, "drive_displacement", &j.drive_displacement)
    }

    fn force(&mut self, f: &ForceSpec) -> WrittenTable {
        f.kind.model().write(WrittenTable::named(&f.name), self, &format!("force '{}'", f.name))
    }

    /// A body, with its motion if it has one.
    fn moved(&mut self, b: &BodySpec, m: &Model) -> Table {
        let guide = m.joints.iter().find(|j| j.bodies[1] == b.name).and_then(|j| j.guide.as_ref());
        let Some(guide) = guide else { return body(b) };
        let still = BodySpec { velocity: Vector3::zeros(), angular_velocity: Vector3::zeros(), ..b.clone() };
        let list = guide.each_ref().map(|f| self.function(f, &format!("the motion of body '{}'", b.name)));
        let [x, y, z, roll, pitch, yaw] = list;
        let motion = WrittenTable::default()
            .with("position", vec![x, y, z])
            .with("roll_pitch_yaw", vec![roll, pitch, yaw]);
        WrittenTable(body(&still)).with("motion", motion.0).0
    }

    fn control(&mut self, c: &ControlSpec) -> WrittenTable {
        let whose = format!("control '{}'", c.name);
        let entry = WrittenTable::named(&c.name).at(&c.at);
        let entry = match &c.on {
            Some(on) => {
                if on.of != Of::Default {
                    self.nothing(&format!("what {whose} drives"));
                }
                entry.with("drives", on.joint.as_str())
            }
            None => entry,
        };
        match &c.controller {
            Controller::Pid(pid) => {
                let entry = entry
                    .with("type", "pid")
                    .with("set_point", self.function(&pid.set_point, &whose))
                    .with("proportional", pid.proportional)
                    .with("integral", pid.integral)
                    .with("derivative", pid.derivative);
                match pid.filter {
                    Some(filter) => entry.with("filter", filter),
                    None => entry,
                }
            }
            Controller::Lag(lag) => entry
                .with("type", "lag")
                .with("input", self.function(&lag.input, &whose))
                .with("time", lag.time)
                .with("initial", lag.initial),
        }
    }

    fn event(&mut self, e: &EventSpec) -> Table {
        let direction = match e.direction {
            Direction::Rising => "rising",
            Direction::Falling => "falling",
            Direction::Both => "both",
        };
        let when = match &e.when.written {
            Some(text) => text.as_str().into(),
            None => self.nothing(&format!("the condition of event '{}'", e.name)),
        };
        let entry = WrittenTable::named(&e.name).with("when", when).with("direction", direction);
        let names = |list: &[Switchable]| -> Vec<String> {
            let name = |x: &Switchable| match x {
                Switchable::Drive(joint) => format!("{joint}.drive"),
                other => other.name().to_string(),
            };
            list.iter().map(name).collect()
        };
        match &e.action {
            EventAction::Record => entry.with("action", "record").0,
            EventAction::Stop => entry.with("action", "stop").0,
            EventAction::Switch { enable, disable } => {
                entry.with("action", "switch").with("enable", names(enable)).with("disable", names(disable)).0
            }
        }
    }
}

fn body(b: &BodySpec) -> Table {
    let entry = WrittenTable::named(&b.name);
    let entry = match &b.kind {
        BodyKind::PointMass => entry.with("type", "point").with("mass", b.mass),
        BodyKind::Rigid { inertia } => entry
            .with("mass", b.mass)
            .with("inertia", matrix3(inertia))
            .with_if(b.rotation != UnitQuaternion::identity(), "rotation", quaternion(&b.rotation))
            .with_if(b.angular_velocity != Vector3::zeros(), "angular_velocity", vector(&b.angular_velocity)),
    };
    let entry = entry.with("position", vector(&b.position)).with_if(
        b.velocity != Vector3::zeros(),
        "velocity",
        vector(&b.velocity),
    );
    let seen: Vec<Table> = match b.look.is_empty() {
        true => b.solid.iter().map(solid).collect(),
        false => b.look.iter().map(solid).collect(),
    };
    let entry = entry.with_if(!seen.is_empty(), "look", seen);
    let mut markers = WrittenTable::default();
    for m in &b.markers {
        let entry =
            WrittenTable::default().with("point", vector(&m.point)).with("rotation", quaternion(&m.rotation));
        markers = markers.with(&m.name, entry.0);
    }
    entry.with_if(!b.markers.is_empty(), "markers", markers.0).0
}

fn solid(s: &SolidSpec) -> Table {
    let entry = match &s.form {
        SolidForm::Box(size) => WrittenTable::default().with("type", "box").with("size", vector(size)),
        SolidForm::Cylinder { radius, length, axis } => WrittenTable::default()
            .with("type", "cylinder")
            .with("radius", *radius)
            .with("length", *length)
            .with("axis", ["x", "y", "z"].into_iter().nth(axis.iamax()).unwrap_or("z")),
        SolidForm::Sphere(radius) => WrittenTable::default().with("type", "sphere").with("radius", *radius),
        SolidForm::Mesh { file, scale } => {
            WrittenTable::default().with("type", "mesh").with("file", file.as_str()).with("scale", *scale)
        }
    };
    let entry = entry.with("at", vector(&s.at)).with("rotation", quaternion(&s.rotation));
    match s.colour {
        Some([r, g, b]) => entry.with("colour", format!("#{r:02x}{g:02x}{b:02x}")).0,
        None => entry.0,
    }
}
