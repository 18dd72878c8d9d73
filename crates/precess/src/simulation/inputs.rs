//! Inputs: signals that a program sets while a simulation runs.
//!
//! Every actuator, force and torque of a model is an input by its name. What is set is added to its formula and held until it is set
//! again, as the output of a digital controller is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;
use crate::mechanics::Function;
use crate::mechanics::function::{Argument, Slope, Smooth};
use crate::model::Model;
use crate::model::elements::ForceKind;

/// A number that the equations read and a program writes.
#[derive(Clone, Debug, Default)]
struct Signal(Arc<AtomicU64>);

impl Signal {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, x: f64) {
        self.0.store(x.to_bits(), Ordering::Relaxed);
    }
}

/// A function of the model with a signal added.
#[derive(Debug)]
struct Held {
    base: Function,
    signal: Signal,
}

impl Smooth for Held {
    fn value(&self, at: Argument) -> f64 {
        self.base.value(at) + self.signal.get()
    }

    fn slope(&self, at: Argument) -> Slope {
        let slope = self.base.slope(at);
        Slope { value: slope.value + self.signal.get(), ..slope }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let [f, f_t, f_tt] = self.base.motion(t);
        [f + self.signal.get(), f_t, f_tt]
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.base.breakpoints(from, to)
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
    /// The same model with inputs.
    pub fn of(model: &Model) -> (Model, Self) {
        let mut model = model.clone();
        let mut list = Vec::new();
        for force in &mut model.forces {
            let functions: &mut [Function] = match &mut force.kind {
                ForceKind::Actuator { value, .. } => std::slice::from_mut(value),
                ForceKind::Force { force, .. } => force,
                ForceKind::Torque { torque, .. } => torque,
                _ => continue,
            };
            let wrap = |f: &mut Function| {
                let signal = Signal::default();
                let base = std::mem::replace(f, Function::Constant(0.0));
                *f = Function::Custom(Arc::new(Held { base, signal: signal.clone() }));
                signal
            };
            list.push((force.name.clone(), functions.iter_mut().map(wrap).collect()));
        }
        (model, Inputs(list))
    }

    /// Names, and how many numbers each has.
    pub fn names(&self) -> Vec<(String, usize)> {
        self.0.iter().map(|(name, signals)| (name.clone(), signals.len())).collect()
    }

    /// Sets an input; true if that changes something.
    pub fn set(&self, name: &str, values: &[f64]) -> Result<bool, Error> {
        let known = || self.0.iter().map(|x| x.0.as_str());
        let found = self.0.iter().find(|x| x.0 == name);
        let (_, signals) = found.ok_or_else(|| Error::unknown_name("input", name, known()))?;
        if signals.len() != values.len() {
            return Err(Error::Length { what: "the input", found: values.len(), expected: signals.len() });
        }
        if let Some(value) = values.iter().copied().find(|x| !x.is_finite()) {
            return Err(Error::Parameter { name: "input", value, expected: "an input is a finite number" });
        }
        let changed = signals.iter().zip(values).any(|(s, x)| s.get() != *x);
        signals.iter().zip(values).for_each(|(s, x)| s.set(*x));
        Ok(changed)
    }

    /// All numbers, in the order of the names.
    pub fn values(&self) -> Vec<f64> {
        self.0.iter().flat_map(|x| &x.1).map(Signal::get).collect()
    }

    /// Sets all numbers.
    pub fn set_all(&self, values: &[f64]) {
        self.0.iter().flat_map(|x| &x.1).zip(values).for_each(|(s, x)| s.set(*x));
    }
}
