//! `[[force]]` at joints: springs, stops, friction and actuators.

use super::Evaluator;
use crate::mechanics::Direction;
use crate::mechanics::kernels::SpringDamper;
use crate::model::condition::Condition;
use crate::model::elements::{EventAction, EventSpec, ForceKind, FrictionSpec, LawTarget, Switchable};
use crate::model::elements::{SensorKind, SensorSpec, Stops};
use crate::model::expressed::MeasuredSpec;
use crate::model::file_elements::ForceBlock;
use crate::model::formula::Need;
use crate::model::spec::Model;

impl Evaluator {
    pub(in crate::model) fn joint_spring(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let joint = self.needed(path, "joint", &block.joint, &format!("force '{name}'"))?;
        let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
        if block.table.is_some() {
            let other = [
                ("stiffness", block.stiffness.is_some()),
                ("rest", block.rest.is_some()),
                ("preload", block.preload.is_some()),
            ];
            for (key, _) in other.iter().filter(|(_, given)| *given) {
                let message = format!("'{key}' and a table exclude each other");
                self.problem(&format!("{path}.{key}"), message, "");
            }
            let damping = self.scalar(&format!("{path}.damping"), &block.damping);
            let table = self.table(path, block, self.coordinate_and_effort())?;
            return Some(ForceKind::JointTable { at, table, damping });
        }
        if block.interpolation.is_some() {
            self.problem(&format!("{path}.interpolation"), "there is no table to interpolate", "");
        }
        if block.stiffness.is_none() && block.damping.is_none() {
            self.missing(path, name, "stiffness", "k");
        }
        Some(ForceKind::JointSpring { at, law: self.spring_damper(path, block) })
    }

    /// Stiffness, damping, rest and preload.
    pub(in crate::model) fn spring_damper(&mut self, path: &str, block: &ForceBlock) -> SpringDamper {
        SpringDamper {
            k: self.scalar(&format!("{path}.stiffness"), &block.stiffness),
            c: self.scalar(&format!("{path}.damping"), &block.damping),
            y0: self.option(&format!("{path}.rest"), &block.rest).unwrap_or(0.0),
            f0: self.option(&format!("{path}.preload"), &block.preload).unwrap_or(0.0),
        }
    }

    /// Stops beyond the limits of a joint coordinate.
    pub(in crate::model) fn limit(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let joint = self.needed(path, "joint", &block.joint, &format!("limit '{name}'"))?;
        let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
        let angular = self.element.angular.unwrap_or(true);
        if block.lower.is_none() && block.upper.is_none() {
            self.missing(path, name, "lower", "a, or upper = b, values of the coordinate");
        }
        if block.stiffness.is_none() {
            let example = if angular { "k, in N m/rad" } else { "k, in N/m" };
            self.missing(path, name, "stiffness", example);
        }
        let lower = self.option(&format!("{path}.lower"), &block.lower).unwrap_or(f64::NEG_INFINITY);
        let upper = self.option(&format!("{path}.upper"), &block.upper).unwrap_or(f64::INFINITY);
        if lower >= upper {
            let message = format!("the lower limit {lower} is not below the upper one {upper}");
            self.problem(&format!("{path}.lower"), message, "");
        }
        let k = self.scalar(&format!("{path}.stiffness"), &block.stiffness);
        let c = self.scalar(&format!("{path}.damping"), &block.damping);
        for (key, x) in [("stiffness", k), ("damping", c)] {
            if x < 0.0 {
                self.problem(&format!("{path}.{key}"), format!("{x} is negative"), "");
            }
        }
        let width = self.positive_option(&format!("{path}.width"), &block.width);
        let width = width.unwrap_or(if angular { 1e-3 } else { 1e-4 });
        let mut stops = Stops { lower, upper, k, c, width };
        if block.events == Some(true) {
            stops.width = 0.0;
            if k == 0.0 && block.stiffness.is_some() {
                let message = "a stop with events has a stiffness: without one nothing says where it is left";
                self.problem(&format!("{path}.stiffness"), message, "");
            }
            self.sharp.push((path.to_string(), name.to_string(), at.clone(), stops));
            for (key, given) in [("width", block.width.is_some()), ("enabled", block.enabled.is_some())] {
                if given {
                    let message = format!("stops with events have no '{key}'");
                    self.problem(&format!("{path}.{key}"), message, "leave it out, or leave out events");
                }
            }
        }
        Some(ForceKind::Limit { at, stops })
    }

    /// The events that turn sharp stops on and off, with the sensors that they read.
    pub(super) fn stop_events(&mut self, model: &mut Model) {
        for (path, name, at, stops) in std::mem::take(&mut self.sharp) {
            let help = "a limit with events adds sensors and events of its own";
            let sensors = [format!("{name}.x"), format!("{name}.v")];
            for (sensor, kind) in
                sensors.iter().zip([SensorKind::Coordinate(at.clone()), SensorKind::Rate(at)])
            {
                self.place("sensor", model.sensors.len(), &path, sensor, help);
                model.sensors.push(SensorSpec::new(sensor, kind));
            }
            let [x, v] = sensors.each_ref().map(|sensor| (sensor.as_str(), 0));
            for (limit, word, outwards) in [(stops.lower, "lower", -1.0), (stops.upper, "upper", 1.0)] {
                if !limit.is_finite() {
                    continue;
                }
                let Stops { k, c, .. } = stops;
                let text = format!("contact of '{name}' with {word} {limit:?}, {k:?}, {c:?}");
                let when = Condition::new(&text, &[x, v], move |values| match values {
                    [_, x, v] => Stops::contact_sign(k, c, outwards * (x - limit), outwards * v),
                    _ => f64::NAN,
                });
                let element = vec![Switchable::Force(name.clone())];
                let on = EventAction::Switch { enable: element.clone(), disable: Vec::new() };
                let off = EventAction::Switch { enable: Vec::new(), disable: element };
                for (what, direction, action) in
                    [("meets", Direction::Rising, on), ("leaves", Direction::Falling, off)]
                {
                    let event =
                        EventSpec::new(&format!("{name} {what} {word}"), when.clone(), direction, action);
                    self.place("event", model.events.len(), &path, &event.name, help);
                    model.events.push(event);
                }
            }
        }
    }

    pub(in crate::model) fn friction(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        use crate::mechanics::joints::JointKind;
        let joint = self.needed(path, "joint", &block.joint, &format!("friction '{name}'"))?;
        let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
        let viscous = self.not_negative(&format!("{path}.viscous"), &block.viscous);
        let coefficient = self.not_negative(&format!("{path}.coefficient"), &block.coefficient);
        let constant = self.not_negative(&format!("{path}.constant"), &block.constant);
        if block.viscous.is_none() && block.coefficient.is_none() && block.constant.is_none() {
            self.missing(path, name, "coefficient", "mu, constant = a force or torque, or viscous = c");
        }
        if constant > 0.0 && coefficient > 0.0 {
            self.problem(
                &format!("{path}.constant"),
                "friction that is constant and friction that follows the load are two forces",
                "write two [[force]] blocks",
            );
        }
        let radius = self.positive_option(&format!("{path}.radius"), &block.radius);
        let bearing = self.positive_option(&format!("{path}.bearing_length"), &block.bearing_length);
        let speed = self.positive_option(&format!("{path}.speed"), &block.speed);
        if coefficient > 0.0 {
            let kind = self.find_joint(model, &at.joint).map(|j| j.kind);
            if !matches!(
                kind,
                None | Some(JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical)
            ) {
                self.problem(
                    &format!("{path}.joint"),
                    "Coulomb friction is known for revolute, prismatic and cylindrical joints",
                    "use viscous friction only",
                );
            }
            if radius.is_none() && kind != Some(JointKind::Prismatic) {
                self.missing(path, name, "radius", "r, the bearing radius in m");
            }
            if bearing.is_none() {
                self.missing(
                    path,
                    name,
                    "bearing_length",
                    "b, in m: a bending moment M loads the bearing by M/b",
                );
            }
            if speed.is_none() {
                self.missing(path, name, "speed", "the rate below which friction fades, for example 0.01");
            }
        }
        if constant > 0.0 && speed.is_none() {
            self.missing(path, name, "speed", "the rate below which friction fades, for example 0.01");
        }
        let data = FrictionSpec {
            constant,
            viscous,
            coefficient,
            radius: radius.unwrap_or(1.0),
            bearing_length: bearing.unwrap_or(1.0),
            speed: speed.unwrap_or(1.0),
        };
        Some(ForceKind::Friction { at, data })
    }

    pub(in crate::model) fn actuator(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        if let Some(along) = &block.along {
            if block.joint.is_some() {
                self.problem(&format!("{path}.along"), "a joint is given as well", "leave one of them out");
            }
            return self.push_along(path, block, along, model);
        }
        let joint = self.needed(path, "joint", &block.joint, &format!("actuator '{name}'"))?;
        let at = self.coordinate(&format!("{path}.joint"), &joint, block.of, model);
        let Some(value) = &block.value else {
            self.missing(path, name, "value", "\"an expression of t, x and v\"");
            return None;
        };
        let path = format!("{path}.value");
        if self.reads_more(value, model, &at) {
            return self.load(&path, value, MeasuredSpec::Joint(at), model);
        }
        if let Some(law) = self.law(&[(path.clone(), value)], LawTarget::Joint(at.clone()), model) {
            return Some(law);
        }
        let value = self.function(&path, value, Need::State);
        Some(ForceKind::Actuator { at, value })
    }
}
