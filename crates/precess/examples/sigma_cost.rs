//! Cost per step of the sigma-modification: `cargo run --release -p precess --example sigma_cost`.
//!
//! Minimum of several repeats on the heavy top (constrained, dense) and on the high-speed rotor
//! (unconstrained).

use std::time::Instant;

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Integrator, Modification, Predictor, Sigma, Strategy};
use precess::mechanics::System;
use precess::methods::MethodOptions;
use precess::problems::{HeavyTop, Rotor};

/// Name, system, q_0, v_0, form, step size.
type Problem<'a> = (&'a str, &'a dyn System, Vec<f64>, Vec<f64>, Form, f64);

const STEPS: usize = 5_000;
const REPEATS: usize = 40;

/// Seconds and Newton iterations of a run.
fn measure(system: &dyn System, q: &[f64], v: &[f64], options: &MethodOptions, h: f64) -> (f64, usize) {
    let mut state = InitialValues::new(q, v).consistent(system).expect("consistent start");
    let mut method = options.generalized_alpha().expect("parameters");
    method.start(system, &mut state, h).expect("start");
    let mut iterations = 0;
    let begin = Instant::now();
    for _ in 0..STEPS {
        iterations += method.step(system, &mut state, h).expect("step").iterations;
    }
    (begin.elapsed().as_secs_f64(), iterations)
}

fn main() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let rotor = Rotor::paper(Rotor::damping_by_formula());
    let one = Sigma::Value(1.0);
    let methods = [
        ("sigma 0", Modification::default()),
        ("sigma 1, exact", Modification::exact(one)),
        ("sigma 1, published", Modification::published(one)),
        ("optimal, exact", Modification::exact(Sigma::Optimal)),
        ("optimal, published", Modification::published(Sigma::Optimal)),
    ];
    println!("| problem | strategy | method | us/step | us/iteration | iterations |");
    println!("|---|---|---|---|---|---|");
    let problems: [Problem; 3] = [
        ("top, index3", &top, top.q_0(), top.v_0(), Form::Index3, 5e-4),
        ("top, stabilized-index2", &top, top.q_0(), top.v_0(), Form::StabilizedIndex2, 5e-4),
        ("rotor", &rotor, rotor.q_0(), rotor.v_0(), Form::Index3, 1e-5),
    ];
    for strategy in [Strategy::Full, Strategy::Simplified, Strategy::Modified] {
        for (problem, system, q, v, form, h) in &problems {
            let mut best = [(f64::INFINITY, 0); 5];
            // Methods take turns, so that other work on the machine disturbs all alike.
            for _ in 0..REPEATS {
                for ((_, modification), best) in methods.iter().zip(&mut best) {
                    let mut options = MethodOptions { rho: 0.65, form: *form, ..MethodOptions::default() };
                    options.modification = *modification;
                    options.newton.strategy = strategy;
                    // All from v' = 0, lambda = 0, which the published algorithms cannot do without.
                    options.predictor = Predictor::Paper;
                    let (seconds, iterations) = measure(*system, q, v, &options, *h);
                    if seconds < best.0 {
                        *best = (seconds, iterations);
                    }
                }
            }
            for ((name, _), (seconds, iterations)) in methods.iter().zip(best) {
                println!(
                    "| {problem} | {strategy:?} | {name} | {:.2} | {:.2} | {:.2} |",
                    seconds * 1e6 / STEPS as f64,
                    seconds * 1e6 / iterations as f64,
                    iterations as f64 / STEPS as f64
                );
            }
        }
    }
}
