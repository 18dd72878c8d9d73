//! The owned simulation that is advanced by hand. Everything it gives is a copy.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, ToPyArray};
use precess::Error;
use precess::simulation::Simulation as Core;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::models::Source;

/// Position, rotation (w, x, y, z), velocity, angular velocity.
type Body<'py> = [Bound<'py, PyArray1<f64>>; 4];

/// A model on its way through time.
#[pyclass(frozen, module = "precess._precess")]
pub struct Simulation(Mutex<Core>);

impl Simulation {
    fn inner(&self) -> MutexGuard<'_, Core> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something while Python is free.
    fn free<T: Send>(&self, py: Python, f: impl Send + FnOnce(&mut Core) -> Result<T, Error>) -> PyResult<T> {
        py.detach(|| f(&mut self.inner())).map_err(|e| errors::of(py, &e))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python, source: Source) -> PyResult<Self> {
        let loaded = source.load(py)?;
        let core = py.detach(|| Core::new(loaded)).map_err(|e| errors::of(py, &e))?;
        Ok(Simulation(Mutex::new(core)))
    }

    fn t(&self) -> f64 {
        self.inner().t()
    }

    fn steps(&self) -> usize {
        self.inner().steps()
    }

    fn energy(&self) -> Option<f64> {
        self.inner().energy()
    }

    fn advance_to(&self, py: Python, t: f64) -> PyResult<f64> {
        self.free(py, |s| s.advance_to(t).map(|()| s.t()))
    }

    fn advance(&self, py: Python, dt: f64) -> PyResult<f64> {
        self.free(py, |s| s.advance_to(s.t() + dt).map(|()| s.t()))
    }

    fn step(&self, py: Python) -> PyResult<f64> {
        self.free(py, |s| s.step().map(|()| s.t()))
    }

    fn reset(&self, py: Python) -> PyResult<()> {
        self.free(py, Core::reset)
    }

    fn inputs(&self) -> Vec<(String, usize)> {
        self.inner().inputs()
    }

    fn set_input(&self, py: Python, name: &str, values: Vec<f64>) -> PyResult<()> {
        self.inner().set_input(name, &values).map_err(|e| errors::of(py, &e))
    }

    fn stopped(&self) -> Option<String> {
        self.inner().stopped().map(|o| o.event.clone())
    }

    fn events(&self) -> Vec<(String, f64, bool)> {
        self.inner().events().iter().map(|o| (o.event.clone(), o.t, o.rising)).collect()
    }

    fn body<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Body<'py>> {
        let b = self.inner().body(name).map_err(|e| errors::of(py, &e))?;
        let arrays =
            [b.position.as_slice(), &b.rotation, b.velocity.as_slice(), b.angular_velocity.as_slice()];
        Ok(arrays.map(|x| x.to_pyarray(py)))
    }

    fn joint<'py>(&self, py: Python<'py>, name: &str) -> PyResult<([Bound<'py, PyArray1<f64>>; 2], bool)> {
        let j = self.inner().joint(name).map_err(|e| errors::of(py, &e))?;
        Ok(([j.force.as_slice(), j.torque.as_slice()].map(|x| x.to_pyarray(py)), j.unique))
    }

    fn sensor(&self, py: Python, name: &str) -> PyResult<Vec<f64>> {
        self.inner().sensor(name).map_err(|e| errors::of(py, &e))
    }

    fn sensors(&self) -> Vec<(String, Vec<f64>)> {
        self.inner().sensors()
    }

    fn names(&self) -> (Vec<String>, Vec<String>) {
        let mut inner = self.inner();
        let bodies = inner.bodies().into_iter().map(|b| b.name).collect();
        (bodies, inner.joints().into_iter().map(|j| j.name).collect())
    }

    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.inner().state().q.to_pyarray(py)
    }

    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.inner().state().v.to_pyarray(py)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner().to_bytes().map_err(|e| errors::of(py, &e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn load_bytes(&self, py: Python, bytes: &[u8]) -> PyResult<()> {
        self.inner().from_bytes(bytes).map_err(|e| errors::of(py, &e))
    }

    fn save(&self, py: Python, file: String) -> PyResult<()> {
        self.free(py, |s| s.save(file))
    }

    fn restore(&self, py: Python, file: String) -> PyResult<()> {
        self.free(py, |s| s.restore(file))
    }
}
