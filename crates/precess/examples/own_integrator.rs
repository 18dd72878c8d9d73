//! Your own integrator in one file: the BDF method of two steps on a Lie group, for constrained systems.
//! Run it by `cargo run --release -p precess --example own_integrator`.
//!
//! ```text
//! q_np1 = q_n o exp(theta_n)
//! v_np1  = (3/2 theta_n - 1/2 theta_nm1)/h
//! v'_np1 = (3/2 v_np1 - 2 v_n + 1/2 v_nm1)/h
//! M v'_np1 + g + B^T lambda_np1 = 0,   Phi(q_np1) = 0   [, B v_np1 = 0 with theta_n <- theta_n - N h eta ]
//! ```
//!
//! Order 2 in q and v for equal steps; lambda is of order 1 in the first steps, where the history is a Taylor
//! polynomial.

use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Accelerations, Condensed, Eta, Form, Implicit, InitialValues, Scheme};
use precess::mechanics::{State, System};
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};

/// What the method remembers (theta and v one step back), and the step in condensed form, which knows the
/// equations of motion in all forms of the constraints and their derivatives.
#[derive(Clone)]
pub struct Bdf2 {
    theta_nm1: Vec<f64>,
    v_nm1: Vec<f64>,
    step: Condensed,
}

impl Bdf2 {
    /// In this form of the constraints.
    pub fn new(form: Form) -> Self {
        Bdf2 { theta_nm1: Vec::new(), v_nm1: Vec::new(), step: Condensed::new(form) }
    }
}

impl Scheme for Bdf2 {
    fn name(&self) -> &'static str {
        "bdf2"
    }

    fn order(&self) -> usize {
        2
    }

    /// Sizes everything, so that steps do not allocate, and makes up the step before the first one.
    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.step.resize(system, state);
        Accelerations::new(system).solve(system, state)?;
        let before = |v: &f64, a: &f64| (h * v - 0.5 * h * h * a, v - h * a);
        (self.theta_nm1, self.v_nm1) = state.v.iter().zip(&state.vdot).map(|(v, a)| before(v, a)).unzip();
        Ok(())
    }

    /// The method itself: v_np1 and v'_np1 as affine functions of theta_n. `theta_0` is the guess of Newton's
    /// method, `v_0` and `vdot_0` are what the formulas make of it, `dv` and `da` are their slopes.
    fn predict(&mut self, system: &dyn System, state: &State, h: f64) {
        let step = &mut self.step;
        if step.form == Form::StabilizedIndex2 {
            step.stabilisation_direction(system, &state.at(), Eta::Mass);
        }
        step.begin(state, h);
        step.dv = 1.5 / h;
        step.da = 1.5 / h * step.dv;
        for i in 0..state.v.len() {
            step.theta_0[i] = h * state.v[i] + 0.5 * h * h * state.vdot[i];
            step.v_0[i] = (1.5 * step.theta_0[i] - 0.5 * self.theta_nm1[i]) / h;
            step.vdot_0[i] = (1.5 * step.v_0[i] - 2.0 * state.v[i] + 0.5 * self.v_nm1[i]) / h;
        }
        step.follow(system);
    }

    /// The iterate becomes the state, what was now becomes history. The stabilisation is no part of the
    /// motion: the increment to remember is the one that belongs to the velocities.
    fn accept(&mut self, state: &mut State) {
        for i in 0..state.v.len() {
            self.theta_nm1[i] = self.step.theta_0[i] + self.step.delta[i];
        }
        self.v_nm1.copy_from_slice(&state.v);
        self.step.accept(state);
    }

    /// The equations of a step and their derivatives.
    fn step(&self) -> &Condensed {
        &self.step
    }

    fn step_mut(&mut self) -> &mut Condensed {
        &mut self.step
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    println!(
        "heavy top, stabilized-index2, largest errors on [0, 1]\n        h          q          v     \
         lambda   order of q"
    );
    let mut last = None;
    for h in [1e-3, 5e-4, 2.5e-4, 1.25e-4] {
        let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
        let mut method = Implicit::new(Bdf2::new(Form::StabilizedIndex2));
        let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
        Run::new(h, 1.0).run(&top, &mut method, &mut state, &mut recorder)?;
        let e = recorder.errors[0];
        let order = last.map_or("-".to_string(), |q: f64| format!("{:.2}", (q / e.q).log2()));
        println!("{h:9.2e}  {:9.2e}  {:9.2e}  {:9.2e}   {order:>10}", e.q, e.v, e.lambda);
        last = Some(e.q);
    }
    Ok(())
}
