//! Sensors that are formulas of other sensors.

use nalgebra::Vector3;

use crate::expression::quantities::QuantityFormula;

/// A formula of other sensors.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorFormula {
    /// The formula.
    pub formula: QuantityFormula,
    /// The quantities that it uses, in their order.
    pub sources: Vec<FormulaSource>,
    /// Its unit; empty if it is not known.
    pub unit: &'static str,
}

/// A quantity in the formula of a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulaSource {
    /// The time.
    Time,
    /// A component of another sensor, by its index.
    Component(usize, usize),
    /// The length of a sensor with three values.
    Length(usize),
}

impl SensorFormula {
    /// The value at a time; `read` puts the values of a sensor.
    pub fn value(&self, t: f64, read: &mut dyn FnMut(usize, &mut [f64; 3])) -> f64 {
        let mut one = |source: &FormulaSource| {
            let mut x = [0.0; 3];
            match *source {
                FormulaSource::Time => t,
                FormulaSource::Component(sensor, k) => {
                    read(sensor, &mut x);
                    x.get(k).copied().unwrap_or(f64::NAN)
                }
                FormulaSource::Length(sensor) => {
                    read(sensor, &mut x);
                    Vector3::from(x).norm()
                }
            }
        };
        let values: Vec<f64> = self.sources.iter().map(&mut one).collect();
        self.formula.value(&values)
    }
}
