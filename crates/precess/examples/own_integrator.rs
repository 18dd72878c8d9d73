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

use precess::formulation::Formulation;
use precess::integrate::{Form, Formulas, Implicit, InitialValues, OneByOne};
use precess::lie::Number;
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};

/// The formulas for one coordinate. The history is v_n, v'_n, theta_nm1 and v_nm1.
pub struct Bdf2;

impl Formulas<4> for Bdf2 {
    /// The step before the first one is made up.
    fn start<T: Number>(&self, h: f64, v: T, vdot: T) -> [T; 4] {
        let [h, half] = [h, 0.5 * h * h].map(T::of);
        [v, vdot, h * v - half * vdot, v - h * vdot]
    }

    /// dv/dtheta and dv'/dtheta.
    fn slopes(&self, h: f64) -> [f64; 2] {
        [1.5 / h, 2.25 / (h * h)]
    }

    /// A guess of theta_n, and what the formulas make of it.
    fn predict<T: Number>(&self, h: f64, [v, vdot, theta_nm1, v_nm1]: [T; 4]) -> [T; 3] {
        let [h, half, a, b, c] = [h, 0.5 * h * h, 1.5, 2.0, 0.5].map(T::of);
        let theta = h * v + half * vdot;
        let v_0 = (a * theta - c * theta_nm1) / h;
        [theta, v_0, (a * v_0 - b * v + c * v_nm1) / h]
    }

    /// What was now becomes history. The stabilisation is no part of the motion: theta is the increment that
    /// belongs to the velocities.
    fn accept<T: Number>(&self, _: f64, [v, ..]: [T; 4], new: [T; 2], [theta, _]: [T; 2]) -> [T; 4] {
        [new[0], new[1], theta, v]
    }
}

/// The method in this form of the constraints. Everything else is the same for all methods.
pub fn bdf2(form: Form) -> Implicit<OneByOne<Bdf2, 4>> {
    Implicit::new(OneByOne::new("bdf2", 2, Bdf2, form))
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
        let mut method = bdf2(Form::StabilizedIndex2);
        let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
        Run::new(h, 1.0).run(&top, &mut method, &mut state, &mut recorder)?;
        let e = recorder.errors[0];
        let order = last.map_or("-".to_string(), |q: f64| format!("{:.2}", (q / e.q).log2()));
        println!("{h:9.2e}  {:9.2e}  {:9.2e}  {:9.2e}   {order:>10}", e.q, e.v, e.lambda);
        last = Some(e.q);
    }
    Ok(())
}
