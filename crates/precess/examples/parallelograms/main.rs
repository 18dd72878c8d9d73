//! Rows of parallelogram loops through ten singular positions, with tolerances and with fixed steps.
//!
//! `cargo run --release -p precess --example parallelograms` prints a table of all runs; numbers as arguments
//! select the numbers of loops, words the methods. All bars are in line twice per turn. Positions are
//! compared with the equation of the one angle that all cranks have in common.

mod family;

use family::{Outcome, run};

const ROWS: [usize; 5] = [1, 2, 5, 20, 60];
const TOLERANCES: [&str; 7] = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"];
const STEPS: [&str; 8] = ["2e-2", "1e-2", "5e-3", "2e-3", "1e-3", "5e-4", "2e-4", "1e-4"];

/// A method as in a model file, for tolerances or for steps.
const WITH_TOLERANCE: [(&str, &[&str]); 3] = [
    ("auto", &[]),
    ("bliedf", &["integrator.method=bliedf"]),
    ("gen-alpha", &["integrator.method=gen-alpha", "integrator.rho=0.8"]),
];
const WITH_STEP: [(&str, &[&str]); 4] = [
    ("gen-alpha-index3", &["integrator.method=gen-alpha", "integrator.rho=0.8", "integrator.form=index3"]),
    (
        "gen-alpha",
        &["integrator.method=gen-alpha", "integrator.rho=0.8", "integrator.form=stabilized-index2"],
    ),
    ("bliedf-3", &["integrator.method=bliedf", "integrator.k=3", "integrator.form=stabilized-index2"]),
    ("bliedf-5", &["integrator.method=bliedf", "integrator.k=5", "integrator.form=stabilized-index2"]),
];

fn row(n: usize, method: &str, given: &str, o: &Outcome) {
    let passed = if o.passed() { "passed" } else { "FAILED" };
    println!(
        "| {n} | {method} | {given} | {passed} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1} |",
        o.steps, o.troubles, o.error, o.turned, o.energy, o.seconds
    );
    if let Some(why) = &o.failure {
        println!("  t = {}: {why}", o.t);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = words.iter().filter_map(|w| w.parse().ok()).collect();
    let given: Vec<&String> = words.iter().filter(|w| w.contains("e-")).collect();
    let methods: Vec<&String> =
        words.iter().filter(|w| w.parse::<usize>().is_err() && !w.contains("e-")).collect();
    let wanted = |method: &str, value: &str| {
        (methods.is_empty() || methods.iter().any(|m| *m == method))
            && (given.is_empty() || given.iter().any(|g| *g == value))
    };
    println!(
        "| loops | method | tol or step | ten folds | steps | rejected | error, m | turned, rad | energy | \
         s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let (mut passed, mut runs) = (0, 0);
    for n in ROWS.into_iter().filter(|n| numbers.is_empty() || numbers.contains(n)) {
        let mut go = |name: &str, value: &str, key: &str, settings: &[&str]| {
            let set = format!("{key}={value}");
            let all: Vec<&str> = settings.iter().copied().chain([set.as_str()]).collect();
            let outcome = run(n, 0.35, 7.0, &all);
            (passed, runs) = (passed + usize::from(outcome.passed()), runs + 1);
            row(n, name, value, &outcome);
        };
        for (name, settings) in WITH_TOLERANCE {
            for tol in TOLERANCES.into_iter().filter(|tol| wanted(name, tol)) {
                go(name, tol, "integrator.tol", settings);
            }
        }
        for (name, settings) in WITH_STEP {
            for step in STEPS.into_iter().filter(|step| wanted(name, step)) {
                go(name, step, "run.step", settings);
            }
        }
    }
    println!("\n{passed} of {runs} runs passed ten folds.");
}
