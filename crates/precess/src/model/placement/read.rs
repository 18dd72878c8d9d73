//! The signals of force laws of a part after the part was moved: the same numbers as before, in the axes of
//! the part.
//!
//! A position in the part is e . x = (A e) . (X - p) with the position X in space, A the rotation and
//! reflection of the part and p its position. Velocities have no p. In a mirror, the angular velocity in the
//! axes of a body changes its sense.

use std::sync::Arc;

use nalgebra::Vector3;

use super::Placement;
use crate::mechanics::function::{Argument, Function, MAX_READ, Readings, Slope, Smooth};
use crate::mechanics::signal::Signal;
use crate::model::elements::SensorKind;
use crate::model::law::List;

/// Smaller parts of a component are rounding.
const NOTHING: f64 = 1e-12;

/// A signal of the part: a constant, and a weighted sum of signals in space.
#[derive(Clone, Debug, PartialEq)]
struct SignalReading {
    offset: f64,
    shares: Vec<(usize, f64)>,
}

impl Placement {
    /// The signals in space, and the functions of them.
    pub(in crate::model) fn read(
        &self,
        signals: &[(SensorKind, usize)],
        functions: Vec<Function>,
    ) -> (List, Vec<Function>) {
        let mut list = List::new();
        let mut readings = Vec::with_capacity(signals.len());
        for (kind, i) in signals {
            let e = Vector3::ith(*i, 1.0);
            let handed = if self.mirror.is_some() { -1.0 } else { 1.0 };
            let (along, offset) = match kind {
                SensorKind::Position(..) => (self.vector(&e), -self.vector(&e).dot(&self.position)),
                SensorKind::Velocity(..) => (self.vector(&e), 0.0),
                SensorKind::AngularVelocity(_) => (self.reflection() * e * handed, 0.0),
                _ => (e, 0.0),
            };
            let kind = self.sensor(kind);
            let mut shares = Vec::new();
            for (k, share) in along.iter().enumerate().filter(|(_, x)| x.abs() > NOTHING) {
                let wanted = (kind.clone(), k);
                let place = list.iter().position(|x| *x == wanted).unwrap_or(list.len());
                if place == list.len() {
                    list.push(wanted);
                }
                shares.push((place, *share));
            }
            readings.push(SignalReading { offset, shares });
        }
        let same = |(i, r): (usize, &SignalReading)| r.offset == 0.0 && r.shares == [(i, 1.0)];
        if readings.iter().enumerate().all(same) {
            return (list, functions);
        }
        let readings: Arc<[SignalReading]> = readings.into();
        let moved = |f: Function| match f {
            Function::Constant(_) => f,
            base => Function::Custom(Arc::new(Moved {
                inputs: base.signals().to_vec(),
                base,
                readings: readings.clone(),
            })),
        };
        (list, functions.into_iter().map(moved).collect())
    }
}

/// A law of the signals of a part, converted to signals in space.
#[derive(Debug)]
struct Moved {
    base: Function,
    readings: Arc<[SignalReading]>,
    inputs: Vec<Signal>,
}

impl Smooth for Moved {
    fn value(&self, at: Argument) -> f64 {
        self.base.value(at)
    }

    fn slope(&self, at: Argument) -> Slope {
        self.base.slope(at)
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        self.base.motion(t)
    }

    fn law(&self, t: f64, signals: &Readings) -> f64 {
        self.base.law(t, &self.inside(signals))
    }

    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        let slopes = self.base.law_slopes(t, &self.inside(signals));
        let mut out = [0.0; MAX_READ];
        for (slope, reading) in slopes.iter().zip(self.readings.iter()) {
            for (k, share) in &reading.shares {
                if let Some(x) = out.get_mut(*k) {
                    *x += slope * share;
                }
            }
        }
        out
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.base.breakpoints(from, to)
    }

    fn label(&self) -> String {
        let base = match &self.base {
            Function::Custom(f) => f.label(),
            other => format!("{other:?}"),
        };
        format!("{base} of {:?}", self.readings)
    }

    fn signals(&self) -> &[Signal] {
        &self.inputs
    }

    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Arc<dyn Smooth>> {
        let Function::Custom(base) = &self.base else { return None };
        let base = Function::Custom(base.with_signals(other)?);
        Some(Arc::new(Moved { inputs: base.signals().to_vec(), base, readings: self.readings.clone() }))
    }
}

impl Moved {
    /// The signals in the axes of the part.
    fn inside(&self, signals: &Readings) -> Readings {
        let mut out = [0.0; MAX_READ];
        for (y, reading) in out.iter_mut().zip(self.readings.iter()) {
            let shares =
                reading.shares.iter().map(|(k, share)| share * signals.get(*k).copied().unwrap_or(f64::NAN));
            *y = reading.offset + shares.sum::<f64>();
        }
        out
    }
}
