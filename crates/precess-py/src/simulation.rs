//! The simulation that a program advances itself. All returned data are copies.

use std::sync::{Mutex, MutexGuard, PoisonError};

use nalgebra::DMatrix;
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use precess::Error;
use precess::simulation::{JointCoordinate, Simulation as Core};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use crate::errors;
use crate::models::Source;
use crate::own::Raised;
use crate::runs::Attention;

/// Position, rotation (w, x, y, z), velocity, angular velocity.
type Body<'py> = [Bound<'py, PyArray1<f64>>; 4];

/// A matrix in the order of numpy.
fn matrix<'py>(py: Python<'py>, m: &DMatrix<f64>) -> Bound<'py, PyArray2<f64>> {
    let array = PyArray2::zeros(py, [m.nrows(), m.ncols()], true);
    // Both are stored by columns.
    if let Ok(all) = array.readwrite().as_slice_mut() {
        all.copy_from_slice(m.as_slice());
    }
    array
}

/// Names, values, rates, units.
type Coordinates<'py> =
    (Vec<String>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Vec<&'static str>);
/// M, bias forces, B, drift, names of velocities, names of constraints.
type Dynamics<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Vec<String>,
    Vec<String>,
);

/// A running simulation of a model.
#[pyclass(frozen, module = "precess._precess")]
pub struct Simulation(Mutex<Core>, Raised);

impl Simulation {
    /// Locks the simulation. Python is released meanwhile, since the thread with the lock may wait for
    /// Python.
    fn inner(&self, py: Python) -> MutexGuard<'_, Core> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function while Python is released.
    fn free<T: Send>(&self, py: Python, f: impl Send + FnOnce(&mut Core) -> Result<T, Error>) -> PyResult<T> {
        py.detach(|| f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
            .map_err(|e| self.1.or(py, &e))
    }

    /// Advances to a time that follows from the current one. Ctrl-C ends this after a step.
    fn go(&self, py: Python, end: impl Send + FnOnce(f64) -> f64) -> PyResult<f64> {
        let mut attention = Attention::new(None);
        let t = self.free(py, |s| {
            s.advance_while(end(s.t()), |t| attention.observe(t))?;
            Ok(s.t())
        })?;
        attention.raised.map_or(Ok(t), Err)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python, source: Source) -> PyResult<Self> {
        let (loaded, raised) = source.with_callbacks(py)?;
        let core = py.detach(|| Core::new(loaded)).map_err(|e| raised.or(py, &e))?;
        Ok(Simulation(Mutex::new(core), raised))
    }

    fn t(&self, py: Python) -> f64 {
        self.inner(py).t()
    }

    fn steps(&self, py: Python) -> usize {
        self.inner(py).steps()
    }

    fn energy(&self, py: Python) -> Option<f64> {
        self.inner(py).energy()
    }

    fn advance_to(&self, py: Python, t: f64) -> PyResult<f64> {
        self.go(py, |_| t)
    }

    fn advance(&self, py: Python, dt: f64) -> PyResult<f64> {
        self.go(py, |now| now + dt)
    }

    fn step(&self, py: Python) -> PyResult<f64> {
        self.free(py, |s| s.step().map(|()| s.t()))
    }

    fn reset(&self, py: Python) -> PyResult<()> {
        self.free(py, Core::reset)
    }

    fn inputs(&self, py: Python) -> Vec<(String, usize)> {
        self.inner(py).inputs()
    }

    fn input(&self, py: Python, name: &str) -> PyResult<Vec<f64>> {
        self.inner(py).input(name).map_err(|e| errors::of(py, &e))
    }

    fn set_input(&self, py: Python, name: &str, values: Vec<f64>, until: Option<f64>) -> PyResult<()> {
        let mut inner = self.inner(py);
        let set = match until {
            Some(until) => inner.ramp_input(name, &values, until),
            None => inner.set_input(name, &values),
        };
        set.map_err(|e| errors::of(py, &e))
    }

    fn stopped(&self, py: Python) -> Option<String> {
        self.inner(py).stopped().map(|o| o.event.clone())
    }

    fn events(&self, py: Python) -> Vec<(String, f64, bool)> {
        self.inner(py).events().iter().map(|o| (o.event.clone(), o.t, o.rising)).collect()
    }

    fn body<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Body<'py>> {
        let b = self.inner(py).body(name).map_err(|e| errors::of(py, &e))?;
        let arrays =
            [b.position.as_slice(), &b.rotation, b.velocity.as_slice(), b.angular_velocity.as_slice()];
        Ok(arrays.map(|x| x.to_pyarray(py)))
    }

    fn joint<'py>(&self, py: Python<'py>, name: &str) -> PyResult<([Bound<'py, PyArray1<f64>>; 2], bool)> {
        let j = self.inner(py).joint(name).map_err(|e| errors::of(py, &e))?;
        Ok(([j.force.as_slice(), j.torque.as_slice()].map(|x| x.to_pyarray(py)), j.unique))
    }

    fn sensor(&self, py: Python, name: &str) -> PyResult<Vec<f64>> {
        self.inner(py).sensor(name).map_err(|e| errors::of(py, &e))
    }

    fn sensors(&self, py: Python) -> Vec<(String, Vec<f64>)> {
        self.inner(py).sensors()
    }

    fn names(&self, py: Python) -> (Vec<String>, Vec<String>) {
        let mut inner = self.inner(py);
        let bodies = inner.bodies().into_iter().map(|b| b.name).collect();
        (bodies, inner.joints().into_iter().map(|j| j.name).collect())
    }

    /// Names, values, rates and units of joint coordinates.
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Coordinates<'py>> {
        let list = self.inner(py).coordinates().map_err(|e| errors::of(py, &e))?;
        let column = |f: &dyn Fn(&JointCoordinate) -> f64| PyArray1::from_iter(py, list.iter().map(f));
        let (q, v) = (column(&|c| c.q), column(&|c| c.v));
        let units = list.iter().map(|c| c.unit).collect();
        Ok((list.iter().map(|c| c.name.clone()).collect(), q, v, units))
    }

    fn set_state(&self, py: Python, q: Vec<(String, f64)>, v: Vec<(String, f64)>) -> PyResult<()> {
        self.free(py, |s| {
            let [q, v] = [&q, &v].map(|x| x.iter().map(|(n, x)| (n.as_str(), *x)).collect::<Vec<_>>());
            s.set_state(&q, &v)
        })
    }

    /// M, bias forces, B, and the names of the velocities and of the rows.
    fn dynamics<'py>(&self, py: Python<'py>) -> PyResult<Dynamics<'py>> {
        let found = self.inner(py).dynamics();
        let matrix = |m: &DMatrix<f64>| matrix(py, m);
        let [bias, drift] = [&found.bias, &found.drift].map(|x| x.as_slice().to_pyarray(py));
        Ok((matrix(&found.m), bias, matrix(&found.b), drift, found.velocities, found.constraints))
    }

    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        point: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let found = self.inner(py).jacobian(body, point).map_err(|e| errors::of(py, &e))?;
        Ok(matrix(py, &found))
    }

    /// The state in the coordinates of the formulation.
    fn raw<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 2] {
        let inner = self.inner(py);
        [inner.state().q.to_pyarray(py), inner.state().v.to_pyarray(py)]
    }

    /// A second simulation in the same state.
    fn copy(&self, py: Python) -> PyResult<Self> {
        let copy = self.inner(py).fork().map_err(|e| errors::of(py, &e))?;
        Ok(Simulation(Mutex::new(copy), self.1.clone()))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner(py).to_bytes().map_err(|e| errors::of(py, &e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn load_bytes(&self, py: Python, bytes: &[u8]) -> PyResult<()> {
        self.inner(py).from_bytes(bytes).map_err(|e| errors::of(py, &e))
    }

    fn save(&self, py: Python, file: String) -> PyResult<()> {
        self.free(py, |s| s.save(file))
    }

    fn restore(&self, py: Python, file: String) -> PyResult<()> {
        self.free(py, |s| s.restore(file))
    }
}
