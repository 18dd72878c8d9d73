//! Runs of the variational and energy-momentum integrators that the `ggl*` tests share.
#![allow(dead_code)]

pub mod general;

use precess::Error;
use precess::conserve::{Conservative, Guess, Invariants, Settings, StepRule, Stepper};
use precess::integrate::{InitialValues, Integrator};
use precess::lie::Largest;
use precess::mechanics::State;
use precess::problems::ggl::GglExample;
use precess::study::larger;

/// Everything the tables list, as maxima over a run.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// max |H(q, p) - H_0|.
    pub h: f64,
    /// max |E - E_0| of the paper's energy function.
    pub e: f64,
    /// max increment of the momentum about gravity.
    pub j_increment: f64,
    /// max |J - J_0|, |L - L_0|.
    pub momenta: f64,
    /// max |g|.
    pub g: f64,
    /// max |G M^-1 p|.
    pub gv: f64,
    /// max |gamma|.
    pub gamma: f64,
    /// max |lambda| as solved for.
    pub lambda: f64,
    /// Newton updates, the final ones included.
    pub updates: usize,
    /// Steps.
    pub steps: usize,
    /// Steps that needed another guess.
    pub rescued: usize,
    /// Final positions.
    pub q: Vec<f64>,
    /// Final M^-1 p.
    pub w: Vec<f64>,
    /// Final lambda as solved for.
    pub last_lambda: Vec<f64>,
    /// Time of failure and why.
    pub failure: Option<(f64, Error)>,
}

pub fn start(example: &GglExample) -> State {
    InitialValues::new(&example.q_0, &example.v_0).consistent(&example.system).unwrap()
}

pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| larger(m, x.abs()))
}

pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Runs n steps; `each` sees the stepper and the state after every step and may stop the run.
pub fn run_with<R: StepRule>(
    system: &Conservative,
    stepper: &mut Stepper<R>,
    mut state: State,
    (h, n): (f64, usize),
    mut each: impl FnMut(&Stepper<R>, &State) -> bool,
) -> Record {
    stepper.start(system, &mut state, h).unwrap();
    let first: Invariants = system.invariants(&state.q, &state.v);
    let mut last = first;
    let mut record = Record::default();
    let t_0 = state.t;
    for k in 1..=n {
        match stepper.step(system, &mut state, h) {
            Ok(report) => record.updates += report.iterations,
            Err(error) => {
                record.failure = Some((state.t, error));
                break;
            }
        }
        state.t = t_0 + k as f64 * h;
        record.steps = k;
        let now = system.invariants(&state.q, stepper.w());
        let u = stepper.unknowns();
        record.h = precess::study::larger(record.h, (now.energy - first.energy).abs());
        record.e = precess::study::larger(
            record.e,
            (stepper.energy_function(system, &state.q) - first.energy).abs(),
        );
        record.j_increment =
            precess::study::larger(record.j_increment, (now.about_gravity - last.about_gravity).abs());
        let momenta = [(now.angular - first.angular).largest(), (now.linear - first.linear).largest()];
        record.momenta = momenta.into_iter().fold(record.momenta, larger);
        record.g = precess::study::larger(record.g, now.primary);
        record.gv = precess::study::larger(record.gv, now.secondary);
        record.gamma = precess::study::larger(record.gamma, largest(u.gamma));
        record.lambda = precess::study::larger(record.lambda, largest(u.lambda));
        last = now;
        if !each(stepper, &state) {
            break;
        }
    }
    record.rescued = stepper.rescued;
    record.w = stepper.w().to_vec();
    record.last_lambda = stepper.unknowns().lambda.to_vec();
    record.q = state.q;
    record
}

pub fn run<R: StepRule>(example: &GglExample, rule: R, h: f64, n: usize) -> Record {
    run_with(&example.system, &mut Stepper::new(rule), start(example), (h, n), |_, _| true)
}

pub fn plain(guess: Guess) -> Settings {
    Settings { guess, fallback: false, ..Settings::default() }
}

/// `x` is `y` within a relative tolerance.
#[track_caller]
pub fn near(x: f64, y: f64, tolerance: f64) {
    assert!((x - y).abs() <= tolerance * y.abs(), "{x:e}, expected {y:e} within {tolerance}");
}
