//! Controls: first-order states c' = h_c(q, v, c, t) (LA, Remark 2.3) whose output acts on a joint coordinate.
//!
//! A state is the velocity of an extra factor R^n of the configuration space with mass one, so r_c = c' - h_c and every
//! method integrates it with its own order. The output u drives the coordinate like an
//! [`Actuator`](super::forces::Actuator): the second body of the joint gets +u, the first -u.

pub mod lag;
pub mod pid;

pub use lag::Lag;
pub use pid::Pid;

use nalgebra::{Matrix1, Vector1};

use super::coordinate::{Coordinate, Reading};
use super::event::Switch;
use super::function::Function;
use super::kernels::{Measure, PairBlocks};
use super::links::{Bodies, Parts};
use super::system::At;
use super::tangents::Tangents;

/// The largest number of states of a control.
pub const MAX_STATES: usize = 2;

/// An output or the rate of a state at one instant, with its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linearised {
    /// Value.
    pub value: f64,
    /// Derivative for the measured coordinate.
    pub x: f64,
    /// Derivative for its rate.
    pub rate: f64,
    /// Derivatives for the states.
    pub states: [f64; MAX_STATES],
}

/// What a control computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Controller {
    /// Proportional, integral and derivative action.
    Pid(Pid),
    /// First-order lag.
    Lag(Lag),
}

impl Controller {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        match self {
            Controller::Pid(c) => c.n_states(),
            Controller::Lag(_) => 1,
        }
    }

    /// The states at t = 0.
    pub fn initial(&self) -> [f64; MAX_STATES] {
        match self {
            Controller::Pid(_) => [0.0; MAX_STATES],
            Controller::Lag(c) => [c.initial, 0.0],
        }
    }

    /// What it is told to follow.
    pub fn drive(&self) -> &Function {
        match self {
            Controller::Pid(c) => &c.set_point,
            Controller::Lag(c) => &c.input,
        }
    }

    /// The rates h_c of the states.
    fn rates(&self, t: f64, m: &Reading, c: &[f64]) -> [Linearised; MAX_STATES] {
        match self {
            Controller::Pid(pid) => pid.rates(t, m, c),
            Controller::Lag(lag) => [lag.rate(t, m, c), Linearised::default()],
        }
    }

    /// The output u.
    fn output(&self, t: f64, m: &Reading, c: &[f64]) -> Linearised {
        match self {
            Controller::Pid(pid) => pid.output(t, m, c),
            Controller::Lag(_) => Linearised { value: c[0], states: [1.0, 0.0], ..Linearised::default() },
        }
    }
}

/// A control between a measured and a driven joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Name, unique in its model.
    pub name: String,
    /// What is measured.
    pub measured: Coordinate,
    /// What is driven.
    pub driven: Coordinate,
    /// What is computed.
    pub controller: Controller,
    /// First state in v; assigned by the system.
    pub state: usize,
    /// A control that is off exerts no force and holds its states.
    pub switch: Switch,
}

impl Control {
    fn states<'a>(&self, x: &'a [f64]) -> &'a [f64] {
        &x[self.state..self.state + self.controller.n_states()]
    }

    /// The output u.
    pub fn output(&self, bodies: &Bodies, at: &At) -> f64 {
        if !self.switch.is_on(at.memory) {
            return 0.0;
        }
        let m = self.measured.read(bodies, at);
        self.controller.output(at.t, &m, self.states(at.v)).value
    }

    /// Power of the output.
    pub fn power(&self, bodies: &Bodies, at: &At) -> f64 {
        self.output(bodies, at) * self.driven.read(bodies, at).rate
    }

    /// Adds c' - h_c and the driving force.
    pub fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        if !self.switch.is_on(at.memory) {
            for (i, c_dot) in self.states(at.vdot).iter().enumerate() {
                r[self.state + i] += c_dot;
            }
            return;
        }
        let m = self.measured.read(bodies, at);
        let c = self.states(at.v);
        let rates = self.controller.rates(at.t, &m, c);
        for (i, c_dot) in self.states(at.vdot).iter().enumerate() {
            r[self.state + i] += c_dot - rates[i].value;
        }
        let u = self.controller.output(at.t, &m, c).value;
        let pair = bodies.pair(self.driven.link, at.q);
        bodies.add_force(self.driven.link, &self.driven.motion.bt_lambda(&pair, &Vector1::new(-u)), r);
    }

    /// Derivatives of [`residual`](Self::residual).
    pub fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let want = out.want();
        let n = self.controller.n_states();
        out.mass_diagonal(self.state, n, 1.0);
        if (want.c_d == 0.0 && !want.stiffness) || !self.switch.is_on(at.memory) {
            return;
        }
        let m = self.measured.read(bodies, at);
        let c = self.states(at.v);
        let rates = self.controller.rates(at.t, &m, c);
        let u = self.controller.output(at.t, &m, c);
        let pair = bodies.pair(self.driven.link, at.q);
        let [row] = self.measured.motion.rows(&m.pair);
        let [drive] = self.driven.motion.rows(&pair);
        let measured = self.measured.link;
        let driven = self.driven.link;

        for (i, h) in rates[..n].iter().enumerate() {
            for (j, s) in h.states[..n].iter().enumerate() {
                out.damping(self.state + i, self.state + j, &Matrix1::new(-s));
            }
            bodies.put_row(measured, &row, |col, x| {
                out.damping(self.state + i, col, &(x * -h.rate).transpose())
            });
        }
        for (j, s) in u.states[..n].iter().enumerate() {
            bodies.put_row(driven, &drive, |i, y| out.damping(i, self.state + j, &(y * -s)));
        }
        bodies.put_row(driven, &drive, |i, y| {
            bodies.put_row(measured, &row, |j, x| out.damping(i, j, &(y * x.transpose() * -u.rate)))
        });
        if want.stiffness {
            let [turned] = self.measured.motion.y_rows(&m.pair, &m.v);
            for (i, h) in rates[..n].iter().enumerate() {
                let change = row * -h.x + turned * -h.rate;
                bodies
                    .put_row(measured, &change, |col, x| out.stiffness(self.state + i, col, &x.transpose()));
            }
            let change = row * -u.x + turned * -u.rate;
            bodies.put_row(driven, &drive, |i, y| {
                bodies.put_row(measured, &change, |j, x| out.stiffness(i, j, &(y * x.transpose())))
            });
            let mut k = PairBlocks::zero();
            self.driven.motion.add_k(&pair, &Vector1::new(-u.value), &mut k);
            bodies.put_blocks(driven, Parts::ALL, &k, |i, j, x| out.stiffness(i, j, x));
        }
    }
}
