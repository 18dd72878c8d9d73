//! The linear equations as a state space x' = A x + B u, y = C x + D u, with named inputs and outputs.
//!
//! ```text
//! x = (p, p'),   A = [[0, 1], [-K, -G]],   B = [0; -N^T r_u]        with z = N p, N^T M N = 1
//! ```
//!
//! A force or torque as input has r_u = -(its generalised force for u = 1). Outputs are the sensors of the
//! model. Their derivatives are central differences along the free motions, of positions, velocities and,
//! with the resulting accelerations, of the input itself (D).

use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::decompositions::{complex_lu, complex_solve};
use crate::solve::products::{complex_matrix, times, times_complex};
use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::frame::Linear;
use crate::analysis::local::{Layout, moved, residual};
use crate::analysis::steady::Found;
use crate::analysis::words::{Axes, motion};

/// An input: its name, unit, and the equations with it increased by `size`.
pub struct Input<'a> {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Increase of the input.
    pub size: f64,
    /// The same mechanism with the increased input.
    pub system: &'a dyn Mechanism,
    /// The mechanism before the increase, if it is not the one that is linearised.
    pub before: Option<&'a dyn Mechanism>,
}

/// Matrices with the names and units of their rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// A.
    pub a: DMatrix<f64>,
    /// B.
    pub b: DMatrix<f64>,
    /// C.
    pub c: DMatrix<f64>,
    /// D.
    pub d: DMatrix<f64>,
    /// Names of the states.
    pub states: Vec<String>,
    /// Names and units of the inputs.
    pub inputs: Vec<(String, String)>,
    /// Names and units of the outputs.
    pub outputs: Vec<(String, String)>,
}

impl StateSpace {
    /// The state space about a steady motion; `outputs` are names of sensors, all if empty. Without sensors C
    /// and D have no rows.
    pub fn new(
        system: &dyn Mechanism,
        found: &Found,
        linear: &Linear,
        inputs: &[Input],
        outputs: &[String],
    ) -> Result<Self, AnalysisError> {
        let n = linear.n.ncols();
        let bodies = n - linear.first_order;
        let size = bodies + n;
        let mut a = DMatrix::zeros(size, size);
        a.view_mut((0, bodies), (bodies, bodies)).fill_with_identity();
        a.view_mut((bodies, 0), (n, bodies)).copy_from(&-linear.k.columns(0, bodies));
        a.view_mut((bodies, bodies), (n, n)).copy_from(&-&linear.g);
        let mut b = DMatrix::zeros(size, inputs.len());
        for (j, input) in inputs.iter().enumerate() {
            let before = input.before.unwrap_or(system);
            let force = residual(input.system, &found.state) - residual(before, &found.state);
            b.view_mut((bodies, j), (n, 1)).copy_from(&-(linear.generalised(&force) / input.size));
        }
        let reader = Outputs::new(system, found, outputs)?;
        let read = Differences { system, found, linear, reader: &reader, a: &a };
        let (c, d) = read.matrices(inputs);
        // Each coordinate is the size of a motion of the mechanism.
        let (layout, axes) = (Layout::new(system)?, Axes::new(system, &found.state));
        let words: Vec<String> =
            linear.n.column_iter().map(|x| motion(&layout, &x.into(), Some(&axes))).collect();
        let names = |what: &str| {
            words.iter().enumerate().map(|(i, w)| format!("{what} {} ({w})", i + 1)).collect::<Vec<_>>()
        };
        let mut rates = names("rate");
        // Of bodies that roll, some positions have no rate of their own.
        for i in linear.drifting_positions() {
            if let Some(rate) = rates.get_mut(i) {
                *rate = rate.replacen("rate", "coordinate", 1);
            }
        }
        let states = names("coordinate").into_iter().take(bodies).chain(rates).collect();
        Ok(StateSpace {
            a,
            b,
            c,
            d,
            states,
            inputs: inputs.iter().map(|i| (i.name.clone(), i.unit.to_string())).collect(),
            outputs: reader.names,
        })
    }

    /// C (i omega - A)^-1 B + D.
    pub fn transfer(&self, omega: f64) -> Option<DMatrix<Complex<f64>>> {
        let mut matrix = complex_matrix(&-&self.a);
        (0..self.a.nrows()).for_each(|i| matrix[(i, i)].im += omega);
        let lu = complex_lu(matrix);
        let mut gains = complex_matrix(&self.d);
        for (b, mut gain) in complex_matrix(&self.b).column_iter().zip(gains.column_iter_mut()) {
            gain += times_complex(&self.c, &complex_solve(&lu, &b.into_owned())?);
        }
        Some(gains)
    }
}

/// The selected values of sensors.
pub(crate) struct Outputs {
    names: Vec<(String, String)>,
    /// Sensor and component of each output.
    places: Vec<(usize, usize)>,
}

impl Outputs {
    pub(crate) fn new(
        system: &dyn Mechanism,
        found: &Found,
        wanted: &[String],
    ) -> Result<Self, AnalysisError> {
        let sensors = system.sensors(&found.state.at());
        let units = system.sensor_units();
        let (mut names, mut places) = (Vec::new(), Vec::new());
        for (i, (name, values)) in sensors.iter().enumerate() {
            for k in 0..values.len() {
                let full = if values.len() == 1 {
                    name.clone()
                } else {
                    format!("{name}.{}", ["x", "y", "z"][k % 3])
                };
                if wanted.is_empty() || wanted.iter().any(|w| w == name || *w == full) {
                    names.push((full, units.get(i).copied().unwrap_or("").to_string()));
                    places.push((i, k));
                }
            }
        }
        let known = |w: &&String| {
            !sensors.iter().any(|(name, _)| name == *w) && !names.iter().any(|(name, _)| name == *w)
        };
        if let Some(w) = wanted.iter().find(known) {
            let list: Vec<&str> = sensors.iter().map(|(name, _)| name.as_str()).collect();
            return Err(AnalysisError::Name(crate::Error::unknown_name("sensor", w, list).to_string()));
        }
        Ok(Outputs { names, places })
    }

    pub(crate) fn read(&self, system: &dyn Mechanism, state: &State) -> DVector<f64> {
        let sensors = system.sensors(&state.at());
        DVector::from_iterator(self.places.len(), self.places.iter().map(|&(i, k)| sensors[i].1[k]))
    }
}

/// Derivatives of sensors by central differences of states that satisfy the equations.
struct Differences<'a> {
    system: &'a dyn Mechanism,
    found: &'a Found,
    linear: &'a Linear,
    reader: &'a Outputs,
    a: &'a DMatrix<f64>,
}

impl Differences<'_> {
    /// C and D.
    fn matrices(&self, inputs: &[Input]) -> (DMatrix<f64>, DMatrix<f64>) {
        let size = self.a.nrows();
        let mut c = DMatrix::zeros(self.reader.places.len(), size);
        for j in 0..size {
            let x = DVector::from_fn(size, |i, _| f64::from(u8::from(i == j)));
            // Fourth order: errors of 1e-12 with steps of 1e-3.
            let unit = 1e-3 / self.largest_step(&x).max(1e-12);
            let at = |h: f64| self.output(&(&x * (h * unit)), self.system);
            let slope = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * unit);
            c.set_column(j, &slope);
        }
        let mut d = DMatrix::zeros(self.reader.places.len(), inputs.len());
        for (j, input) in inputs.iter().enumerate() {
            let zero = DVector::zeros(size);
            let before = input.before.unwrap_or(self.system);
            let (with, without) = (self.output(&zero, input.system), self.output(&zero, before));
            d.set_column(j, &((with - without) / input.size));
        }
        (c, d)
    }

    /// Largest motion or rate of a state, to choose a step.
    fn largest_step(&self, x: &DVector<f64>) -> f64 {
        let n = self.linear.n.ncols();
        let bodies = n - self.linear.first_order;
        let z = times(&self.linear.n.columns(0, bodies).into(), &x.rows(0, bodies).into());
        let w = times(&self.linear.n, &x.rows(bodies, n).into());
        z.amax().max(w.amax())
    }

    /// Sensors at the state x of a mechanism, with the accelerations and forces of the full equations.
    fn output(&self, x: &DVector<f64>, system: &dyn Mechanism) -> DVector<f64> {
        let n = self.linear.n.ncols();
        let bodies = n - self.linear.first_order;
        let mut p = DVector::zeros(n);
        p.rows_mut(0, bodies).copy_from(&x.rows(0, bodies));
        let mut rates: DVector<f64> = x.rows(bodies, n).into();
        let change = times(self.a, x);
        for i in self.linear.drifting_positions() {
            p[i] = rates[i];
            rates[i] = change[bodies + i];
        }
        let z = times(&self.linear.n, &p);
        let w = times(&self.linear.n, &rates) + times(&self.linear.e, &z);
        let base = &self.found.state;
        let mut state = moved(self.system, base, &z);
        for (i, v) in state.v.iter_mut().enumerate() {
            *v = base.v[i] + w[i];
        }
        if crate::integrate::Accelerations::new(system).solve(system, &mut state).is_err() {
            state.vdot.copy_from_slice(&base.vdot);
        }
        self.reader.read(system, &state)
    }
}
