//! Forces and systems written in Python, and forces in compiled code.

use std::sync::{Arc, Mutex, PoisonError};

use nalgebra::Vector3;
use numpy::{PyArray1, PyArrayMethods};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, Energy, System};
use precess::model::ForceSpec;
use precess::model::elements::{ForceAndTorque, PointMotion};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;

/// The first exception raised by user code during a run.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<(f64, PyErr)>>>);

impl Raised {
    fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn put(&self, t: f64, e: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((t, e));
    }

    /// The exception of the user's code as the cause of a `CallbackError`; none if there was none.
    pub fn take(&self, py: Python) -> Option<PyErr> {
        let (t, cause) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        // Ctrl-C and the end of the program are no errors of the function.
        if !cause.is_instance_of::<PyException>(py) {
            return Some(cause);
        }
        let message = format!("at t = {t} s a function of yours raised {cause}");
        let made = errors::exception(py, "CallbackError", &message, &serde_json::json!({ "t": t }));
        made.set_cause(py, Some(cause));
        Some(made)
    }

    /// An error of the core, or the exception that caused it.
    pub fn or(&self, py: Python, e: &precess::Error) -> PyErr {
        self.take(py).unwrap_or_else(|| errors::of(py, e))
    }
}

/// A C function: time, position, velocity, rotation matrix by rows, angular velocity; six numbers out, force
/// and torque.
type Compiled = unsafe extern "C" fn(f64, *const f64, *const f64, *const f64, *const f64, *mut f64);

/// Name, body, point, callable, its address if it is compiled (0 if not), whether it uses the angular
/// velocity.
#[derive(FromPyObject)]
pub struct OwnForce(String, String, [f64; 3], Py<PyAny>, usize, bool);

impl OwnForce {
    /// The force for a model.
    pub fn force(&self, py: Python, raised: &Raised) -> ForceSpec {
        let OwnForce(name, body, point, function, address, omega) = self;
        let (function, raised, omega) = (function.clone_ref(py), raised.clone(), *omega);
        match *address {
            0 => ForceSpec::on_body(name, body, *point, move |m| python(&function, omega, m, &raised)),
            // The object is kept, because it owns the code.
            address => ForceSpec::on_body(name, body, *point, move |m| {
                let _kept = &function;
                compiled(address, m)
            }),
        }
    }
}

const NOTHING: ForceAndTorque = [Vector3::new(f64::NAN, f64::NAN, f64::NAN); 2];

fn python(function: &Py<PyAny>, omega: bool, m: &PointMotion, raised: &Raised) -> ForceAndTorque {
    if raised.is_some() {
        return NOTHING;
    }
    Python::attach(|py| {
        let called = || -> PyResult<ForceAndTorque> {
            let array = |x: &Vector3<f64>| PyArray1::from_slice(py, x.as_slice());
            let rotation = PyArray1::from_slice(py, m.rotation.transpose().as_slice()).reshape([3, 3])?;
            let (x, v) = (array(&m.x), array(&m.v));
            let answer = match omega {
                true => function.bind(py).call1((m.t, x, v, rotation, array(&m.omega)))?,
                false => function.bind(py).call1((m.t, x, v, rotation))?,
            };
            load(&answer)
        };
        called().unwrap_or_else(|e| {
            raised.put(m.t, e);
            NOTHING
        })
    })
}

/// Three numbers, or twice three.
fn load(answer: &Bound<PyAny>) -> PyResult<ForceAndTorque> {
    if let Ok(array) = answer.cast::<PyArray1<f64>>() {
        let array = array.readonly();
        if let Ok(&[x, y, z]) = array.as_slice() {
            return Ok([Vector3::new(x, y, z), Vector3::zeros()]);
        }
        if let Ok(&[x, y, z, a, b, c]) = array.as_slice() {
            return Ok([Vector3::new(x, y, z), Vector3::new(a, b, c)]);
        }
    }
    if let Ok(force) = answer.extract::<[f64; 3]>() {
        return Ok([force.into(), Vector3::zeros()]);
    }
    let both = answer.extract::<([f64; 3], [f64; 3])>().map_err(|_| {
        PyTypeError::new_err("a force returns three numbers, or (force, torque) with three numbers each")
    })?;
    Ok([both.0.into(), both.1.into()])
}

/// Calls compiled code.
// The user is responsible for the address, as with every function of ctypes: `precess.cfunc` documents the
// required signature. The arrays live as long as the call.
#[allow(unsafe_code)]
fn compiled(address: usize, m: &PointMotion) -> ForceAndTorque {
    let rotation = m.rotation.transpose();
    let mut out = [0.0; 6];
    unsafe {
        let f = std::mem::transmute::<usize, Compiled>(address);
        let (x, v, r, w) = (m.x.as_ptr(), m.v.as_ptr(), rotation.as_ptr(), m.omega.as_ptr());
        f(m.t, x, v, r, w, out.as_mut_ptr());
    }
    let [x, y, z, a, b, c] = out;
    [Vector3::new(x, y, z), Vector3::new(a, b, c)]
}

/// A system whose equations are Python functions.
pub struct OwnSystem {
    group: Product,
    n_lambda: usize,
    residual: Py<PyAny>,
    constraint: Py<PyAny>,
    energy: Option<Py<PyAny>>,
    raised: Raised,
}

impl OwnSystem {
    /// From an object with `residual`, and `constraint` and `energy` if it has them.
    pub fn new(
        object: &Bound<PyAny>,
        factors: &[(String, usize)],
        n_lambda: usize,
        raised: &Raised,
    ) -> PyResult<Self> {
        let factor = |(kind, n): &(String, usize)| match kind.as_str() {
            "Rn" => Ok(Factor::Rn(*n)),
            "SO3" => Ok(Factor::SO3),
            "R3xSO3" => Ok(Factor::R3xSO3),
            "SE3" => Ok(Factor::SE3),
            other => Err(PyValueError::new_err(format!("unknown group {other}"))),
        };
        let factors = factors.iter().map(factor).collect::<PyResult<Vec<_>>>()?;
        let energy = object.getattr("energy")?;
        Ok(OwnSystem {
            group: Product::new(factors),
            n_lambda,
            residual: object.getattr("residual")?.unbind(),
            constraint: object.getattr("constraint")?.unbind(),
            energy: (!energy.is_none()).then(|| energy.unbind()),
            raised: raised.clone(),
        })
    }

    /// Calls a function whose last argument is an array to fill.
    fn fill(
        &self,
        t: f64,
        out: &mut [f64],
        call: impl FnOnce(Python, &Bound<PyArray1<f64>>) -> PyResult<()>,
    ) {
        if self.raised.is_some() {
            return out.fill(f64::NAN);
        }
        Python::attach(|py| {
            let array = PyArray1::zeros(py, out.len(), false);
            let filled = call(py, &array).and_then(|()| {
                out.copy_from_slice(array.readonly().as_slice()?);
                Ok(())
            });
            if let Err(e) = filled {
                self.raised.put(t, e);
                out.fill(f64::NAN);
            }
        });
    }
}

impl System for OwnSystem {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.n_lambda
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.fill(at.t, r, |py, out| {
            let [q, v, vdot, lambda] = [at.q, at.v, at.vdot, at.lambda].map(|x| PyArray1::from_slice(py, x));
            self.residual.bind(py).call1((at.t, q, v, vdot, lambda, out)).map(|_| ())
        });
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        if self.n_lambda > 0 {
            self.fill(at.t, phi, |py, out| {
                let q = PyArray1::from_slice(py, at.q);
                self.constraint.bind(py).call1((at.t, q, out)).map(|_| ())
            });
        }
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let energy = self.energy.as_ref()?;
        if self.raised.is_some() {
            return None;
        }
        Python::attach(|py| {
            let [q, v] = [at.q, at.v].map(|x| PyArray1::from_slice(py, x));
            let called = energy.bind(py).call1((at.t, q, v)).and_then(|x| x.extract::<f64>());
            match called {
                Ok(total) => Some(Energy { kinetic: total, potential: 0.0 }),
                Err(e) => {
                    self.raised.put(at.t, e);
                    None
                }
            }
        })
    }
}
