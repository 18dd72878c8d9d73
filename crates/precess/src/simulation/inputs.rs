//! Inputs: signals that a program sets while a simulation runs.
//!
//! A formula reads an input as `input("name")`. Every actuator, force and torque of a model is also an input
//! by its name, unless an input has that name: its values are added to the formula. A value stays until it is
//! set again, like the output of a digital controller, or changes linearly to the next one.

use std::sync::Arc;

use crate::Error;
use crate::mechanics::Function;
use crate::mechanics::function::{Argument, Readings, Slope, Smooth};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::signal::{Line, Signal};
use crate::model::Model;

/// A function of the model with a signal added.
#[derive(Debug)]
struct Added {
    base: Function,
    signal: Signal,
}

impl Smooth for Added {
    fn value(&self, at: Argument) -> f64 {
        self.base.value(at) + self.signal.at(at.t)[0]
    }

    fn slope(&self, at: Argument) -> Slope {
        let slope = self.base.slope(at);
        Slope { value: slope.value + self.signal.at(at.t)[0], ..slope }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let ([f, f_t, f_tt], [u, rate]) = (self.base.motion(t), self.signal.at(t));
        [f + u, f_t + rate, f_tt]
    }

    fn law(&self, t: f64, signals: &Readings) -> f64 {
        self.base.law(t, signals) + self.signal.at(t)[0]
    }

    fn law_slopes(&self, t: f64, signals: &Readings) -> Readings {
        self.base.law_slopes(t, signals)
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.base.breakpoints(from, to)
    }

    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Arc<dyn Smooth>> {
        let mut base = self.base.clone();
        base.replace_signals(other);
        Some(Arc::new(Added { base, signal: other(&self.signal) }))
    }

    fn label(&self) -> String {
        match &self.base {
            Function::Constant(x) => format!("{x} and an input"),
            Function::Custom(f) => format!("{} and an input", f.label()),
            other => format!("{other:?} and an input"),
        }
    }
}

/// The inputs of one simulation.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs(Vec<(String, Vec<Signal>)>);

impl Inputs {
    /// The same model with separate inputs.
    pub fn of(model: &Model) -> (Model, Self) {
        let mut model = model.clone();
        // Sorted by name.
        let mut list: Vec<(String, Vec<Signal>)> = Vec::new();
        for (name, value) in &model.inputs {
            list.push((name.clone(), vec![Signal::new(name, *value)]));
        }
        let mut own = |signal: &Signal| {
            let at = list.partition_point(|(other, _)| other.as_str() < signal.name());
            match list.get(at) {
                Some((name, known)) if name == signal.name() => known[0].clone(),
                _ => {
                    let fresh = Signal::new(signal.name(), signal.at(0.0)[0]);
                    list.insert(at, (signal.name().to_string(), vec![fresh.clone()]));
                    fresh
                }
            }
        };
        model.replace_signals(&mut own);
        let known: Vec<String> = list.iter().map(|x| x.0.clone()).collect();
        for force in model.forces.iter_mut().filter(|f| !known.contains(&f.name)) {
            let wrap = |f: &mut Function| {
                let signal = Signal::new(&force.name, 0.0);
                let base = std::mem::replace(f, Function::Constant(0.0));
                *f = Function::Custom(Arc::new(Added { base, signal: signal.clone() }));
                signal
            };
            let signals: Vec<Signal> = force.kind.functions_mut().iter_mut().map(wrap).collect();
            if !signals.is_empty() {
                list.push((force.name.clone(), signals));
            }
        }
        (model, Inputs(list))
    }

    /// The same inputs, set separately, in this system and in a copy of its equations; none if the model must
    /// be built again for that.
    pub fn apart(&self, system: &Arc<dyn Mechanism>) -> Option<(Self, Arc<dyn Mechanism>)> {
        if self.0.is_empty() {
            return Some((Inputs::default(), system.clone()));
        }
        let apart =
            |(name, list): &(String, Vec<Signal>)| (name.clone(), list.iter().map(Signal::apart).collect());
        let copy = Inputs(self.0.iter().map(apart).collect());
        let (old, new) = (self.signals(), copy.signals());
        let pairs: Vec<(&Signal, &Signal)> = old.zip(new).collect();
        let mut replace = |signal: &Signal| {
            pairs.iter().find(|(old, _)| old.shares(signal)).map_or(signal, |(_, new)| new).clone()
        };
        let system = system.with_signals(&mut replace)?;
        Some((copy, Arc::from(system)))
    }

    fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.0.iter().flat_map(|x| &x.1)
    }

    /// Names, and the number of values of each.
    pub fn names(&self) -> Vec<(String, usize)> {
        self.0.iter().map(|(name, signals)| (name.clone(), signals.len())).collect()
    }

    fn find(&self, name: &str, n: Option<usize>) -> Result<&[Signal], Error> {
        let known = || self.0.iter().map(|x| x.0.as_str());
        let found = self.0.iter().find(|x| x.0 == name);
        let (_, signals) = found.ok_or_else(|| Error::unknown_name("input", name, known()))?;
        match n {
            Some(n) if n != signals.len() => {
                Err(Error::Length { what: "the input", found: n, expected: signals.len() })
            }
            _ => Ok(signals),
        }
    }

    /// The values of an input at time t.
    pub fn get(&self, name: &str, t: f64) -> Result<Vec<f64>, Error> {
        Ok(self.find(name, None)?.iter().map(|s| s.at(t)[0]).collect())
    }

    /// Changes an input linearly from its value at `t` to these values at `until`, or at once if there is no
    /// such time; true if that changes something.
    pub fn set(&self, name: &str, values: &[f64], t: f64, until: Option<f64>) -> Result<bool, Error> {
        let signals = self.find(name, Some(values.len()))?;
        if let Some(value) = values.iter().copied().find(|x| !x.is_finite()) {
            return Err(Error::Parameter { name: "input", value, expected: "an input is a finite number" });
        }
        if let Some(value) = until.filter(|x| !(*x > t && x.is_finite())) {
            return Err(Error::Parameter {
                name: "until",
                value,
                expected: "a line ends after the present time of the simulation",
            });
        }
        let line = |signal: &Signal, u: f64| match until {
            Some(t_1) => Line { t_0: t, u_0: signal.at(t)[0], t_1, u_1: u },
            None => Line::held(u),
        };
        let changes = |(s, u): (&Signal, &f64)| s.at(t) != [*u, 0.0] || until.is_some();
        let changed = signals.iter().zip(values).any(changes);
        signals.iter().zip(values).for_each(|(s, u)| s.set(line(s, *u)));
        Ok(changed)
    }

    /// The end of the next line after time t.
    pub fn next_end(&self, t: f64) -> Option<f64> {
        self.signals().map(|s| s.line().t_1).filter(|end| *end > t).min_by(f64::total_cmp)
    }

    /// All numbers, in the order of the names.
    pub fn values(&self) -> Vec<f64> {
        let parts = |s: &Signal| {
            let Line { t_0, u_0, t_1, u_1 } = s.line();
            [t_0, u_0, t_1, u_1]
        };
        let mut values = Vec::new();
        self.signals().for_each(|s| values.extend(parts(s)));
        values
    }

    /// Sets all numbers.
    pub fn set_all(&self, values: &[f64]) {
        for (signal, x) in self.signals().zip(values.chunks_exact(4)) {
            if let &[t_0, u_0, t_1, u_1] = x {
                signal.set(Line { t_0, u_0, t_1, u_1 });
            }
        }
    }
}
