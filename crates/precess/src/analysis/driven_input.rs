//! Drives as inputs of a state space: prescribed motion instead of force.
//!
//! With the coordinate of a drive increased by u the small motions are z = N p + P u, B P = -Phi_u, and about
//! rest
//!
//! ```text
//! p'' + G p' + K p + N^T (K P + r_u) u + N^T D P u' + N^T M P u'' = 0
//! ```
//!
//! u and u' are two additional states, u'' is the input. Outputs are evaluated on the mechanism itself, with
//! a drive that moves accordingly.

use std::sync::Arc;

use crate::formulation::Formulation;
use crate::integrate::Accelerations;
use crate::integrate::project_velocity;
use crate::mechanics::Function;
use crate::mechanics::function::{Argument, Slope, Smooth};
use crate::mechanics::joints::JointKind;
use crate::mechanics::mechanism::Mechanism;
use crate::model::{Built, Model, build};
use crate::solve::products::{times, transposed_times};
use nalgebra::{DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::assemble;
use crate::analysis::frame::Linear;
use crate::analysis::freedom::Freedom;
use crate::analysis::local::{Layout, Local, constraint, moved, residual};
use crate::analysis::state_space::{Outputs, StateSpace};
use crate::analysis::steady::Found;

/// Step of fourth-order differences.
const STEP: f64 = 1e-3;

/// The drive of a joint as input.
pub struct DriveInput<'a> {
    model: &'a Model,
    formulation: Formulation,
    joint: usize,
    /// `JOINT.drive`.
    pub name: String,
    /// rad/s^2 or m/s^2.
    pub unit: &'static str,
}

impl<'a> DriveInput<'a> {
    /// A drive by name, `JOINT.drive`; none if there is no such driven joint.
    pub fn new(model: &'a Model, formulation: Formulation, name: &str) -> Option<Self> {
        let bare = name.strip_suffix(".drive")?;
        let joint = model.joints.iter().position(|j| j.name == bare && j.drive.is_some())?;
        let slides = matches!(model.joints[joint].kind, JointKind::Prismatic);
        let unit = if slides { "m/s^2" } else { "rad/s^2" };
        Some(DriveInput { model, formulation, joint, name: name.to_string(), unit })
    }

    /// The mechanism with its drive held at time t, plus u, u' and u''.
    fn moving(&self, t: f64, by: [f64; 3]) -> Result<Built, AnalysisError> {
        let mut model = self.model.clone();
        if let Some(drive) = model.joints.get_mut(self.joint).and_then(|j| j.drive.as_mut()) {
            let [held, ..] = drive.motion(t);
            *drive = Function::Custom(Arc::new(Held { t, held, by }));
        }
        Ok(build(&model, self.formulation)?)
    }
}

/// held + u + u' (t - t_0) + u'' (t - t_0)^2 / 2.
#[derive(Debug)]
struct Held {
    t: f64,
    held: f64,
    by: [f64; 3],
}

impl Smooth for Held {
    fn value(&self, at: Argument) -> f64 {
        self.motion(at.t)[0]
    }

    fn slope(&self, at: Argument) -> Slope {
        Slope { value: self.value(at), ..Slope::default() }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let (s, [u, du, ddu]) = (t - self.t, self.by);
        [self.held + u + s * (du + 0.5 * s * ddu), du + s * ddu, ddu]
    }

    fn label(&self) -> String {
        format!("{self:?}")
    }
}

/// Fourth-order derivative of a vector.
fn slope(f: impl Fn(f64) -> Result<DVector<f64>, AnalysisError>) -> Result<DVector<f64>, AnalysisError> {
    let near = f(STEP)? - f(-STEP)?;
    let far = f(2.0 * STEP)? - f(-2.0 * STEP)?;
    Ok((8.0 * near - far) / (12.0 * STEP))
}

/// A state space about rest with an additional drive as input; `outputs` are its existing ones.
pub fn with_drive(
    space: StateSpace,
    system: &dyn Mechanism,
    (found, linear): (&Found, &Linear),
    drive: &DriveInput,
    outputs: &[String],
) -> Result<StateSpace, AnalysisError> {
    let state = &found.state;
    if state.v.iter().any(|v| *v != 0.0) {
        let text = "a drive can be an input about rest only; linearise about an equilibrium";
        return Err(AnalysisError::Name(text.to_string()));
    }
    let layout = Layout::of_positions(system)?;
    let t = state.t;
    let local = Local::new(system, state);
    let phi_u = slope(|u| Ok(constraint(&*drive.moving(t, [u, 0.0, 0.0])?.system, state)))?;
    let r_u = slope(|u| Ok(residual(&*drive.moving(t, [u, 0.0, 0.0])?.system, state)))?;
    let p = Freedom::new(&local.m, &local.b, &layout)?.particular(&-phi_u);
    let reader = Outputs::new(system, found, outputs)?;
    let read = |by: [f64; 3]| -> Result<DVector<f64>, AnalysisError> {
        let built = drive.moving(t, by)?;
        let (mut state, _) = assemble(&*built.system, &layout, &moved(system, state, &(&p * by[0])))?;
        state.v.iter_mut().zip(p.iter()).for_each(|(v, p)| *v = p * by[1]);
        project_velocity(&*built.system, &mut state)?;
        Accelerations::new(&*built.system).solve(&*built.system, &mut state)?;
        Ok(reader.read(&*built.system, &state))
    };
    let columns =
        [slope(|x| read([x, 0.0, 0.0]))?, slope(|x| read([0.0, x, 0.0]))?, slope(|x| read([0.0, 0.0, x]))?];
    let force = |f: DVector<f64>| -transposed_times(&linear.n, &f);
    let parts = [force(times(&local.k, &p) + r_u), force(times(&local.d, &p)), force(times(&local.m, &p))];
    Ok(extended(space, linear, drive, &parts, &columns))
}

/// Adds two states and an input.
fn extended(
    space: StateSpace,
    linear: &Linear,
    drive: &DriveInput,
    forces: &[DVector<f64>; 3],
    outputs: &[DVector<f64>; 3],
) -> StateSpace {
    let (old, inputs, rows) = (space.a.nrows(), space.b.ncols(), space.c.nrows());
    let n = linear.n.ncols();
    let first = n - linear.first_order;
    let mut a = DMatrix::zeros(old + 2, old + 2);
    a.view_mut((0, 0), (old, old)).copy_from(&space.a);
    let mut b = DMatrix::zeros(old + 2, inputs + 1);
    b.view_mut((0, 0), (old, inputs)).copy_from(&space.b);
    a.view_mut((first, old), (n, 1)).copy_from(&forces[0]);
    a.view_mut((first, old + 1), (n, 1)).copy_from(&forces[1]);
    b.view_mut((first, inputs), (n, 1)).copy_from(&forces[2]);
    a[(old, old + 1)] = 1.0;
    b[(old + 1, inputs)] = 1.0;
    let mut c = DMatrix::zeros(rows, old + 2);
    c.view_mut((0, 0), (rows, old)).copy_from(&space.c);
    c.set_column(old, &outputs[0]);
    c.set_column(old + 1, &outputs[1]);
    let mut d = DMatrix::zeros(rows, inputs + 1);
    d.view_mut((0, 0), (rows, inputs)).copy_from(&space.d);
    d.set_column(inputs, &outputs[2]);
    let mut states = space.states;
    states.extend([drive.name.clone(), format!("rate of {}", drive.name)]);
    let mut names = space.inputs;
    names.push((format!("{}''", drive.name), drive.unit.to_string()));
    StateSpace { a, b, c, d, states, inputs: names, outputs: space.outputs }
}
