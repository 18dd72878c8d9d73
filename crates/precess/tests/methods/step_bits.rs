//! A regression snapshot, not mathematics: the bits of q, v and lambda after some steps of many models, forms,
//! strategies and methods. It says whether a change of the code of a step has changed its arithmetic. If it should
//! have, `RECORD_BITS=1` writes the file again; the file also contains numbers to compare by eye.
//!
//! The bits belong to one kind of processor and mathematical library, so the test is for Linux on x86-64.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fmt::Write;

use crate::model_util::{load_model, start};
use precess::formulation::Formulation::{self, R3SO3, SE3};
use precess::integrate::adaptive::{Horizon, Tolerance};
use precess::integrate::{
    Chart, Eta, EtaTerm, Form, Modification, Predictor, Sigma, Start, StepReport, Strategy, Variant,
};
use precess::mechanics::State;
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::solve::Solver;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/step_bits.txt");
const STEPS: usize = 30;

const MODELS: [(&str, f64); 13] = [
    ("heavy_top", 1e-3),
    ("rotor", 1e-3),
    ("slider_crank", 1e-3),
    ("four_bar", 2e-3),
    ("robot_arm", 2e-3),
    ("suspension", 1e-3),
    ("squeezer", 2e-5),
    ("slewing_crane", 5e-3),
    ("double_pendulum", 2e-3),
    ("parallelograms", 2e-3),
    ("chain", 1e-3),
    ("joint_rolling", 5e-3),
    ("joint_knife_edge", 5e-3),
];

/// FNV-1a over the bits of numbers.
fn hash(lists: &[&[f64]]) -> u64 {
    let bytes = lists.iter().flat_map(|list| list.iter().flat_map(|x| x.to_bits().to_le_bytes()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// The options with their names.
fn cases() -> Vec<(String, &'static str, MethodOptions)> {
    let mut list = Vec::new();
    let forms = [Form::Index3, Form::StabilizedIndex2, Form::Index2, Form::Index1];
    let usual = MethodOptions::default();
    for form in forms {
        for strategy in [Strategy::Auto, Strategy::Full, Strategy::Once, Strategy::Kept] {
            let mut options = MethodOptions { form, ..usual };
            options.newton.strategy = strategy;
            list.push((format!("{} {}", form.name(), strategy.name()), "gen-alpha", options));
        }
    }
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let options = MethodOptions { form, ..usual };
        let name = form.name();
        for strategy in [Strategy::Simplified, Strategy::Modified] {
            let mut other = options;
            other.newton.strategy = strategy;
            list.push((format!("{name} {}", strategy.name()), "gen-alpha", other));
        }
        let mut other = options;
        other.newton.solver = Solver::Pivoted;
        list.push((format!("{name} pivoted"), "gen-alpha", other));
        let start = Start::Table2 { s: 0.1 };
        let predictor = Predictor::Extrapolate;
        let other = MethodOptions { eta: Eta::Paper, start, predictor, ..options };
        list.push((format!("{name} paper, table2, extrapolate"), "gen-alpha", other));
        let other = MethodOptions { chart: Chart::Cayley, predictor: Predictor::Paper, ..options };
        list.push((format!("{name} cayley, predictor of the paper"), "gen-alpha", other));
        for variant in [Variant::Exact, Variant::Published, Variant::Printed] {
            for sigma in [Sigma::Optimal, Sigma::Value(1.0)] {
                for eta_term in [EtaTerm::Plain, EtaTerm::Tangent] {
                    let modification = Modification { sigma, variant, eta_term, ..Modification::default() };
                    let what = format!("{name} sigma {sigma} {} {}", variant.name(), eta_term.name());
                    list.push((what, "gen-alpha", MethodOptions { modification, ..options }));
                }
            }
        }
        for (k, eta) in [(2, Eta::Mass), (4, Eta::Paper)] {
            let mut other = MethodOptions { k, eta, ..options };
            other.newton.recovery = true;
            list.push((format!("{name} k {k}"), "bliedf", other));
        }
    }
    list
}

fn line(out: &mut String, what: &str, state: &State, counts: [usize; 2]) {
    let hash = hash(&[&state.q, &state.v, &state.vdot, &state.lambda, &[state.t]]);
    let [iterations, matrices] = counts;
    let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (v, lambda) = (size(&state.v), size(&state.lambda));
    writeln!(out, "{what}: {hash:016x} {iterations} {matrices} |v| {v:.12e} |lambda| {lambda:.9e}").unwrap();
}

/// One line for a run of a method with fixed steps.
fn fixed(
    out: &mut String,
    (model, h): (&str, f64),
    formulation: Formulation,
    case: &(String, &str, MethodOptions),
) {
    let (name, which, options) = case;
    let begin = start(&load_model(model, &[]), formulation);
    let what = format!("{model} {formulation:?} {which} {name}");
    let (system, mut state) = (&*begin.system, begin.state);
    let mut by = method(which, options).unwrap();
    let mut counts = [0; 2];
    let mut run = || -> Result<(), precess::Error> {
        by.start(system, &mut state, h)?;
        for _ in 0..STEPS {
            let StepReport { iterations, jacobians, .. } = by.step(system, &mut state, h)?;
            counts = [counts[0] + iterations, counts[1] + jacobians];
        }
        Ok(())
    };
    match run() {
        Ok(()) => line(out, &what, &state, counts),
        Err(e) => writeln!(out, "{what}: {}", e.to_string().replace('\n', " ")).unwrap(),
    }
}

/// One line for a run with a tolerance.
fn adaptive(out: &mut String, model: &str, which: &str, form: Form) {
    let begin = start(&load_model(model, &[]), R3SO3);
    let (system, mut state) = (&*begin.system, begin.state);
    let what = format!("{model} tolerance {which} {}", form.name());
    let options = MethodOptions { form, ..MethodOptions::default() };
    let mut by = adaptive_method(which, &options, Tolerance::new(1e-6)).unwrap();
    let mut counts = [0; 2];
    let mut run = || -> Result<(), precess::Error> {
        by.start(system, &mut state, 1.0)?;
        for _ in 0..STEPS {
            let report = by.advance(system, &mut state, Horizon::until(1.0))?;
            counts = [counts[0] + report.iterations, counts[1] + report.jacobians];
        }
        Ok(())
    };
    match run() {
        Ok(()) => line(out, &what, &state, counts),
        Err(e) => writeln!(out, "{what}: {}", e.to_string().replace('\n', " ")).unwrap(),
    }
}

/// All lines of a model.
fn of_model(model: (&str, f64)) -> String {
    let mut out = String::new();
    for case in &cases() {
        fixed(&mut out, model, R3SO3, case);
        if case.1 == "gen-alpha" && !case.0.contains("cayley") && case.0.contains("auto") {
            fixed(&mut out, model, SE3, case);
        }
    }
    adaptive(&mut out, model.0, "bliedf", Form::StabilizedIndex2);
    adaptive(&mut out, model.0, "gen-alpha", Form::StabilizedIndex2);
    adaptive(&mut out, model.0, "gen-alpha", Form::Index3);
    out
}

#[test]
fn steps_have_the_recorded_bits() {
    let found: String = std::thread::scope(|scope| {
        let threads: Vec<_> = MODELS.map(|model| scope.spawn(move || of_model(model))).into();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    if std::env::var_os("RECORD_BITS").is_some() {
        std::fs::write(FILE, found).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(FILE).unwrap();
    let (n, expected) = (found.lines().count(), recorded.lines().count());
    let other: Vec<String> = found
        .lines()
        .zip(recorded.lines())
        .filter(|(found, recorded)| found != recorded)
        .map(|(found, recorded)| format!("- {recorded}\n+ {found}\n"))
        .collect();
    assert!(other.is_empty() && n == expected, "{} of {expected} differ:\n{}", other.len(), other.concat());
}
