//! Convergence studies against values of an independent prototype, and the treatment of failed runs.

use crate::model_util::model_text as text;
use precess::Error;
use precess::study::convergence::{ConvergenceTable, Study};
use precess::study::parallel::Workers;
use precess::study::{Configuration, Reference};

fn study(model: &str, until: f64, methods: &[&str], steps: &[f64]) -> Study {
    let methods: Vec<_> = methods.iter().map(|m| Configuration::parse(m).unwrap()).collect();
    let overrides = [format!("run.until={until}")];
    Study::load(model, &text(model), &overrides, &methods, Vec::new()).unwrap().steps_of(steps)
}

fn error(table: &ConvergenceTable, row: usize, quantity: &str) -> f64 {
    let i = table.quantities.iter().position(|q| q == quantity).unwrap();
    table.rows[row].errors.as_ref().unwrap()[i].unwrap()
}

fn near(x: f64, expected: f64, tolerance: f64) {
    assert!((x / expected - 1.0).abs() < tolerance, "{x:e}, not {expected:e}");
}

/// Errors in the norms of the prototype: index-3, rho = 0.9, classical start, h = 1e-3 and 5e-4.
#[test]
fn heavy_top_has_the_errors_of_the_prototype() {
    let methods = ["gen-alpha:form=index3", "gen-alpha:form=index3,formulation=se3"];
    let study = study("heavy_top", 1.0, &methods, &[1e-3, 5e-4]);
    let reference = Reference::exact(study.model(), study.times()).unwrap();
    let table = study.run(&reference, Workers::default());
    for (row, q, v, lambda) in [(0, 1.280e-2, 8.121e-4, 3.063e-1), (1, 3.192e-3, 2.023e-4, 1.425e-1)] {
        near(error(&table, row, "q"), q, 1e-3);
        near(error(&table, row, "v"), v, 1e-3);
        near(error(&table, row, "lambda"), lambda, 1e-3);
    }
    // The logarithm in SE(3) differs from that in R^3xSO(3) by a term that is quadratic in the error.
    near(error(&table, 2, "q"), 1.573e-1, 2e-3);
    near(error(&table, 3, "q"), 3.947e-2, 2e-3);
    let orders = &table.rows[1].orders;
    assert!(
        (1.95..2.05).contains(&orders[0].unwrap()) && (1.0..1.2).contains(&orders[2].unwrap()),
        "{orders:?}"
    );
    assert!(table.rows[0].orders.is_empty() && table.rows[2].orders.is_empty());
    near(table.rows[0].summary.iterations as f64 / 1000.0, 2.0, 0.01);
}

/// The fine reference is as accurate as it says, also between its own times.
#[test]
fn fine_reference_knows_its_error() {
    // 157 and 125 steps have no small common multiple.
    let study = study("heavy_top", 0.1, &["gen-alpha"], &[8e-4, 6.4e-4]);
    let fine = Reference::fine(study.model(), study.times(), Workers::one()).unwrap();
    let exact = Reference::exact(study.model(), study.times()).unwrap();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let (f, e) = (&fine.trajectory, &exact.trajectory);
    let mut largest = [0.0_f64; 3];
    for i in 0..=1000 {
        let t = 1e-4 * f64::from(i);
        assert!(f.at(t, &mut a) && e.at(t, &mut b));
        for (l, x) in largest.iter_mut().zip(f.layout.errors(&a, &e.layout, &b, &e.largest())) {
            *l = precess::study::larger(*l, x.unwrap());
        }
    }
    for (largest, estimate) in largest.iter().zip(&fine.estimate) {
        let estimate = estimate.unwrap();
        assert!(*largest < 1.5 * estimate && estimate < 1e-6, "{largest:e} {estimate:e}");
    }
    let (x, y) = (study.run(&fine, Workers::one()), study.run(&exact, Workers::one()));
    for row in 0..2 {
        near(error(&x, row, "q"), error(&y, row, "q"), 1e-5);
        assert!(x.is_trusted(0, error(&x, row, "q")) && !x.is_trusted(0, 5.0 * fine.estimate[0].unwrap()));
    }
}

/// All formulations converge to the same motion; multipliers are compared where they are the same ones.
#[test]
fn formulations_are_compared() {
    let formulations = ["r3so3", "se3", "so3", "euler-parameters", "tait-bryan", "directors"];
    let words = formulations
        .map(|f| format!("{}:formulation={f}", if f == "directors" { "em" } else { "gen-alpha" }));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let study = study("heavy_top", 0.05, &words, &[2e-4, 1e-4]);
    let reference = Reference::exact(study.model(), study.times()).unwrap();
    let table = study.run(&reference, Workers::default());
    for (i, name) in formulations.iter().enumerate() {
        let row = &table.rows[2 * i + 1];
        for q in 0..2 {
            // Tait-Bryan angles pass near their singular place.
            let slack = if *name == "tait-bryan" { 0.4 } else { 0.1 };
            assert!((row.orders[q].unwrap() - 2.0).abs() < slack, "{name}: {:?}", row.orders);
        }
        let multipliers = row.errors.as_ref().unwrap()[2];
        // In so3 and directors these are the forces of the joint.
        let bound = if *name == "tait-bryan" { 1.0 } else { 1e-2 };
        assert!(multipliers.is_some_and(|e| e < bound), "{name}: {multipliers:?}");
    }
}

/// Sensors, loops and an end time only: the slider-crank with three formulations.
#[test]
fn sensors_converge() {
    let methods = ["gen-alpha", "gen-alpha:formulation=euler-parameters", "bliedf:k=3"];
    let study = study("slider_crank", 0.4, &methods, &[4e-3, 2e-3]).window(0.4, 0.4);
    let reference = Reference::fine(study.model(), study.times(), Workers::default()).unwrap();
    let table = study.run(&reference, Workers::default());
    assert_eq!(table.quantities, ["q", "v", "lambda", "slider", "slider velocity", "crank angle", "energy"]);
    for (row, order) in [(1, 2.0), (3, 2.0), (5, 3.0)] {
        let p = table.rows[row].orders[3].unwrap();
        assert!((p - order).abs() < 0.35, "{p}");
        assert!(error(&table, row, "slider") < 1e-4);
    }
}

/// A run that fails is a row with its error, the others are not touched; two threads give the same bits as
/// one.
#[test]
fn failures_are_rows_and_threads_do_not_matter() {
    let methods = ["gen-alpha", "gen-alpha:formulation=euler-parameters", "rkmk4", "em"];
    let study = study("rotor", 0.01, &methods, &[1e-4, 2e-5]);
    let tables = [1, 2, 3].map(|threads| {
        let workers = Workers::new(threads);
        let reference = Reference::fine(study.model(), study.times(), workers).unwrap();
        study.run(&reference, workers)
    });
    for table in &tables {
        let failed: Vec<bool> = table.rows.iter().map(|r| r.errors.is_err()).collect();
        assert_eq!(failed, [false, false, true, false, false, false, true, true], "{}", table.text());
        assert!(matches!(table.rows[2].errors, Err(Error::Newton { .. })), "{:?}", table.rows[2].errors);
        assert!(table.text().contains("failed") && table.text().contains("did not converge"));
        for (row, first) in table.rows.iter().zip(&tables[0].rows) {
            assert_eq!((&row.errors, &row.orders), (&first.errors, &first.orders));
        }
    }
    let lines: Vec<String> = tables[0].csv().lines().map(String::from).collect();
    assert_eq!(lines.len(), 9);
    assert!(lines[0].starts_with("method,h,steps,error q,order q,error v"), "{}", lines[0]);
}

#[test]
fn times_are_measured_on_request() {
    let study = study("heavy_top", 0.02, &["gen-alpha", "bliedf:k=3"], &[1e-3, 5e-4]);
    let reference = Reference::exact(study.model(), study.times()).unwrap();
    let mut table = study.run(&reference, Workers::one());
    assert!(table.rows.iter().all(|r| r.time.is_none()));
    // A clock that counts its calls: two per repeat.
    let ticks = std::cell::Cell::new(0);
    let clock = || {
        ticks.set(ticks.get() + 1);
        std::time::Duration::from_millis(ticks.get() * ticks.get())
    };
    study.measure(&mut table, 2, &clock, &|| {});
    assert_eq!(ticks.get(), 2 * 2 * 4);
    assert_eq!(table.rows[0].time.unwrap().as_millis(), 3);
    assert!(table.text().contains("time, ms"));
}

#[test]
fn exact_solutions_are_known_for_tops_only() {
    for model in ["slider_crank", "rotor", "pendulum"] {
        let study = study(model, 0.01, &["gen-alpha"], &[1e-3]);
        let e = Reference::exact(study.model(), study.times()).unwrap_err();
        assert!(e.to_string().contains("use fine"), "{e}");
    }
}
