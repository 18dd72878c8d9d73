//! Controls: first-order states c' = h_c(q, v, c, t) (LA, Remark 2.3) whose output acts on a joint
//! coordinate.
//!
//! A state is the velocity of an extra factor R^n of the configuration space with mass one, so r_c = c' - h_c
//! and every method integrates it with its own order. The output u drives the coordinate like an
//! [actuator](super::forces::along::effort): the second body of the joint gets +u, the first -u.

pub mod lag;
pub mod pid;

pub use lag::Lag;
pub use pid::Pid;

use nalgebra::{DMatrixView, Matrix1};
use precess_lie::Number;

use super::coordinate::{Coordinate, Reading};
use super::event::Switch;
use super::function::{Argument, Function, MAX_READ};
use super::kernels::Measure;
use super::links::{Bodies, Change, Derivative};
use super::part::Part;
use super::system::At;
use super::tangents::Tangents;
use crate::mechanics::combine::combine;

/// The largest number of states of a control.
pub const MAX_STATES: usize = 2;

/// An output or the rate of a state, with its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearised<T = f64> {
    /// Value.
    pub value: T,
    /// Derivative for the measured coordinate.
    pub x: T,
    /// Derivative for its rate.
    pub rate: T,
    /// Derivatives for the states.
    pub states: [T; MAX_STATES],
}

impl<T: Number> Default for Linearised<T> {
    fn default() -> Self {
        Linearised { value: T::zero(), x: T::zero(), rate: T::zero(), states: [T::zero(); MAX_STATES] }
    }
}

/// What a controller does at one moment.
struct Response<T> {
    /// The rates h_c of the states.
    rates: [Linearised<T>; MAX_STATES],
    /// The output u.
    output: Linearised<T>,
}

/// The kinds of controllers.
#[derive(Clone, Debug, PartialEq)]
pub enum Controller<T = f64> {
    /// Proportional, integral and derivative action.
    Pid(Pid<T>),
    /// First-order lag.
    Lag(Lag<T>),
}

impl<T: Number> Controller<T> {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        match self {
            Controller::Pid(c) => c.n_states(),
            Controller::Lag(_) => 1,
        }
    }

    /// The states at t = 0.
    pub fn initial(&self) -> [T; MAX_STATES] {
        match self {
            Controller::Pid(_) => [T::zero(); MAX_STATES],
            Controller::Lag(c) => [c.initial, T::zero()],
        }
    }

    /// The function that it follows.
    pub fn drive(&self) -> &Function {
        match self {
            Controller::Pid(c) => &c.set_point,
            Controller::Lag(c) => &c.input,
        }
    }

    /// The function that it follows, mutable.
    pub fn drive_mut(&mut self) -> &mut Function {
        match self {
            Controller::Pid(c) => &mut c.set_point,
            Controller::Lag(c) => &mut c.input,
        }
    }

    /// The rates of the states and the output. The function that it follows is evaluated once.
    fn respond(&self, t: T, m: &Reading<T>, c: &[T]) -> Response<T> {
        match self {
            Controller::Pid(pid) => pid.respond(t, m, c),
            Controller::Lag(lag) => Response {
                rates: [lag.rate(t, m, c), Linearised::default()],
                output: Linearised { value: c[0], states: [T::one(), T::zero()], ..Linearised::default() },
            },
        }
    }
}

/// Numbers as a row.
fn row_of<T: Number>(x: &[T]) -> DMatrixView<'_, T> {
    DMatrixView::from_slice(x, 1, x.len())
}

/// Numbers as a column.
fn column_of<T: Number>(x: &[T]) -> DMatrixView<'_, T> {
    DMatrixView::from_slice(x, x.len(), 1)
}

/// A control between a measured and a driven joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Control<T = f64> {
    /// Name, unique in its model.
    pub name: String,
    /// The measured coordinate.
    pub measured: Coordinate<T>,
    /// The driven coordinate.
    pub driven: Coordinate<T>,
    /// The controller.
    pub controller: Controller<T>,
    /// First state in v; assigned by the system.
    pub state: usize,
    /// A control that is off exerts no force and holds its states.
    pub switch: Switch,
}

impl<T: Number> Control<T> {
    fn states<'a>(&self, x: &'a [T]) -> &'a [T] {
        &x[self.state..self.state + self.controller.n_states()]
    }

    /// The output u.
    pub fn output(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        if !self.switch.is_on(at.memory) {
            return T::zero();
        }
        let m = self.measured.read(bodies, at);
        self.controller.respond(at.t, &m, self.states(at.v)).output.value
    }
}

impl<T: Number> Part<T> for Control<T> {
    /// Power of the output.
    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        Some(self.output(bodies, at) * self.driven.rate(bodies, at))
    }

    fn drives(&self) -> Vec<&Function> {
        vec![self.controller.drive()]
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        if !self.switch.is_on(at.memory) {
            return None;
        }
        let m = self.measured.read(bodies, at);
        let here = Argument { t: at.t, x: m.x, v: m.rate };
        let why = self.controller.drive().culprit(here, &[T::zero(); MAX_READ])?;
        Some(format!("{why}, in control '{}' at t = {} s", self.name, at.t.first()))
    }

    /// Adds c' - h_c and the driving force.
    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        if !self.switch.is_on(at.memory) {
            for (i, c_dot) in self.states(at.vdot).iter().enumerate() {
                r[self.state + i] += *c_dot;
            }
            return;
        }
        let m = self.measured.read(bodies, at);
        let Response { rates, output } = self.controller.respond(at.t, &m, self.states(at.v));
        for (i, c_dot) in self.states(at.vdot).iter().enumerate() {
            r[self.state + i] += *c_dot - rates[i].value;
        }
        bodies.add_force(self.driven.link, &self.driven.force(bodies, at, -output.value), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let want = out.want();
        let n = self.controller.n_states();
        out.mass_diagonal(self.state, n, T::one());
        if (want.c_d == 0.0 && !want.stiffness) || !self.switch.is_on(at.memory) {
            return;
        }
        let m = self.measured.read(bodies, at);
        let Response { rates, output: u } = self.controller.respond(at.t, &m, self.states(at.v));
        let [row] = self.measured.motion.rows(&m.pair);
        let drive = self.driven.row(bodies, at);
        let measured = self.measured.link;
        let driven = self.driven.link;

        for (i, h) in rates[..n].iter().enumerate() {
            for (j, s) in h.states[..n].iter().enumerate() {
                out.damping(self.state + i, self.state + j, &Matrix1::new(-*s));
            }
            let mut put = |col, x: &[T]| out.damping(self.state + i, col, &row_of(x));
            bodies.put_entries(measured, &(row * -h.rate), at, &mut put);
        }
        for (j, s) in u.states[..n].iter().enumerate() {
            bodies.put_entries(driven, &(drive * -*s), at, |i, y| {
                out.damping(i, self.state + j, &column_of(y))
            });
        }
        let [turned] = self.measured.motion.y_rows(&m.pair, &m.v);
        let change = Change { link: measured, v: row * -u.rate, q: row * -u.x + turned * -u.rate };
        bodies.add_product(driven, &drive, &change, (Derivative::Damping, at), out);
        if want.stiffness {
            for (i, h) in rates[..n].iter().enumerate() {
                let mut put = |col, x: &[T]| out.stiffness(self.state + i, col, &row_of(x));
                bodies.put_entries(measured, &(row * -h.x + turned * -h.rate), at, &mut put);
                bodies.put_turned_entries(measured, &(row * -h.rate), at, put);
            }
            bodies.add_product(driven, &drive, &change, (Derivative::Stiffness, at), out);
            self.driven.add_stiffness(bodies, at, -u.value, out);
        }
    }
}

combine!(
    enum Controller {
        Pid(x),
        Lag(x),
    }
);
combine!(struct Control { name, measured, driven, controller, state, switch });
