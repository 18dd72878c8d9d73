//! `type = "limit"`: stops of a joint coordinate; sharp stops have their own events.

use super::*;
use crate::mechanics::Direction;
use crate::mechanics::forces::along::stops::{Side, StopLaw, Stops};
use crate::model::condition::Condition;
use crate::model::elements::{EventAction, EventSpec, SensorKind, SensorSpec, Switchable};

/// Stops of a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Joint.
    pub at: At,
    /// Limits, stiffness, damping and width.
    pub stops: Stops,
}

impl Limit {
    /// True if events turn it on and off.
    pub(crate) fn has_events(&self) -> bool {
        self.stops.width == 0.0
    }
}

impl InFiles for Limit {
    const KEYS: Keys = &["joint", "of", "lower", "upper", "stiffness", "damping", "width", "events"];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (block, at) = (from.block, e.joint_of_force(from, "limit")?);
        let angular = e.is_angle().unwrap_or(true);
        if block.lower.is_none() && block.upper.is_none() {
            e.missing(from, "lower", "a, or upper = b, values of the coordinate");
        }
        if block.stiffness.is_none() {
            e.missing(from, "stiffness", if angular { "k, in N m/rad" } else { "k, in N/m" });
        }
        let lower = e.option(&from.at("lower"), &block.lower).unwrap_or(f64::NEG_INFINITY);
        let upper = e.option(&from.at("upper"), &block.upper).unwrap_or(f64::INFINITY);
        if lower >= upper {
            let message = format!("the lower limit {lower} is not below the upper one {upper}");
            e.problem(&from.at("lower"), message, "");
        }
        let k = e.scalar(&from.at("stiffness"), &block.stiffness);
        let c = e.scalar(&from.at("damping"), &block.damping);
        for (key, x) in [("stiffness", k), ("damping", c)] {
            if x < 0.0 {
                e.problem(&from.at(key), format!("{x} is negative"), "");
            }
        }
        let width = e.positive_option(&from.at("width"), &block.width);
        let width = width.unwrap_or(if angular { 1e-3 } else { 1e-4 });
        let mut stops = Stops { lower, upper, k, c, width };
        if block.events == Some(true) {
            stops.width = 0.0;
            if k == 0.0 && block.stiffness.is_some() {
                let message = "a stop with events has a stiffness: without one nothing says where it is left";
                e.problem(&from.at("stiffness"), message, "");
            }
            e.sharp.push((from.path.to_string(), from.name.to_string(), at.clone(), stops));
            for (key, given) in [("width", block.width.is_some()), ("enabled", block.enabled.is_some())] {
                if given {
                    let message = format!("stops with events have no '{key}'");
                    e.problem(&from.at(key), message, "leave it out, or leave out events");
                }
            }
        }
        Some(Limit { at, stops }.into())
    }
}

impl Evaluator {
    /// Adds the events that turn sharp stops on and off, with their sensors.
    pub(in crate::model) fn stop_events(&mut self, model: &mut Model) {
        for (path, name, at, stops) in std::mem::take(&mut self.sharp) {
            let help = "a limit with events adds sensors and events of its own";
            let sensors = [format!("{name}.x"), format!("{name}.v")];
            for (sensor, kind) in
                sensors.iter().zip([SensorKind::Coordinate(at.clone()), SensorKind::Rate(at)])
            {
                self.record_name("sensor", model.sensors.len(), &path, sensor, help);
                model.sensors.push(SensorSpec::new(sensor, kind));
            }
            let [x, v] = sensors.each_ref().map(|sensor| (sensor.as_str(), 0));
            for (limit, word, side) in
                [(stops.lower, "lower", Side::Lower), (stops.upper, "upper", Side::Upper)]
            {
                if !limit.is_finite() {
                    continue;
                }
                let Stops { k, c, .. } = stops;
                let text = format!("contact of '{name}' with {word} {limit:?}, {k:?}, {c:?}");
                let when = Condition::new(&text, &[x, v], move |values| match values {
                    [_, x, v] => stops.contact(side, *x, *v),
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
                    self.record_name("event", model.events.len(), &path, &event.name, help);
                    model.events.push(event);
                }
            }
        }
    }
}

/// The stop to which an event belongs, and its limit.
pub(in crate::model) fn stop_of_event<'a>(name: &str, m: &'a Model) -> Option<(&'a str, Side)> {
    let own = [
        (" meets lower", Side::Lower),
        (" leaves lower", Side::Lower),
        (" meets upper", Side::Upper),
        (" leaves upper", Side::Upper),
    ];
    let (stop, side) = own.iter().find_map(|(end, side)| Some((name.strip_suffix(end)?, *side)))?;
    let sharp = m.forces.iter().find(|f| f.name == stop && is_sharp(&f.kind))?;
    Some((&sharp.name, side))
}

/// True for stops that events turn on and off.
pub(in crate::model) fn is_sharp(kind: &ForceKind) -> bool {
    matches!(kind, ForceKind::Limit(limit) if limit.has_events())
}

/// True for sensors and events that belong to a stop, which creates them itself.
pub(in crate::model) fn comes_along(name: &str, m: &Model) -> bool {
    m.forces.iter().any(|f| {
        let sharp = is_sharp(&f.kind);
        let own = [".x", ".v", " meets lower", " leaves lower", " meets upper", " leaves upper"];
        sharp && name.strip_prefix(f.name.as_str()).is_some_and(|rest| own.contains(&rest))
    })
}

impl ForceModel for Limit {
    fn build(&self, name: String, _: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let coordinate = coordinate(system, &self.at)?;
        let law = LawKind::Stops(StopLaw { stops: self.stops, memory: None });
        Ok(Force::Along(Along { name, coordinate, law }))
    }

    /// Infinite limits are omitted.
    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        let s = &self.stops;
        entry
            .with("type", "limit")
            .at(&self.at)
            .with_if(s.lower.is_finite(), "lower", s.lower)
            .with_if(s.upper.is_finite(), "upper", s.upper)
            .with("stiffness", s.k)
            .with("damping", s.c)
            .with_if(s.width > 0.0, "width", s.width)
            .with_if(s.width == 0.0, "events", true)
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Limit { at: to.at(&self.at), stops: self.stops }.into()
    }
}
