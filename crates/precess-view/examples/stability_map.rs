//! Where the multipliers of the fast heavy top in index-3 form are stable, over rho and h:
//! `cargo run --release -p precess-view --example stability_map > map.csv`.
//!
//! Prints sigma, variant, rho, h, the relative error of lambda on [0.5, 1] and the time of the warning as
//! CSV, and writes the picture book/pictures/sigma_stability.svg.

use precess::formulation::Formulation;
use precess::integrate::{Form, Implicit, InitialValues, Modification, Sigma};
use precess::methods::MethodOptions;
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};
use precess_view::plot::{Axis, Figure, Legend, Map, Panel, Scale, svg};

/// Error of lambda, and whether the run warned.
#[derive(Clone, Copy)]
struct Cell {
    error: f64,
    warned: bool,
    failed: bool,
}

fn cell(top: &HeavyTop, reference: &TopReference, modification: Modification, rho: f64, h: f64) -> Cell {
    let options = MethodOptions { rho, form: Form::Index3, modification, ..MethodOptions::default() };
    let mut method: Implicit<_> = options.generalized_alpha().expect("parameters");
    method.scheme.accept_undamped = true;
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(top).expect("consistent start");
    let mut errors = ErrorRecorder::new(reference, &[(0.5, 1.0)]);
    match Run::new(h, 1.0).run(top, &mut method, &mut state, &mut errors) {
        Ok(s) => Cell { error: errors.errors[0].lambda, warned: !s.warnings.is_empty(), failed: false },
        Err(f) => Cell { error: f64::INFINITY, warned: !f.summary.warnings.is_empty(), failed: true },
    }
}

fn main() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let rhos = [0.0, 0.2, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0];
    let steps: Vec<f64> = (0..13).map(|i| 8e-3 * 0.5_f64.powf(0.5 * i as f64)).collect();
    let panels = [
        ("sigma = 0", "exact", Modification::exact(Sigma::Value(0.0))),
        ("sigma = 1", "exact", Modification::exact(Sigma::Value(1.0))),
        ("sigma = gamma/(3 beta)", "exact", Modification::exact(Sigma::Optimal)),
        ("sigma = 1", "published", Modification::published(Sigma::Value(1.0))),
        (
            "sigma = 1",
            "published",
            Modification { predictor_factor: 0.5, ..Modification::published(Sigma::Value(1.0)) },
        ),
        ("sigma = gamma/(3 beta)", "published", Modification::published(Sigma::Optimal)),
    ];
    println!("variant,sigma,p,rho,h,lambda_error,warned,failed");
    let mut figure = Figure::new("Multipliers of the fast heavy top in index-3 form")
        .columns(3)
        .panel_size(300.0, 290.0)
        .legend(Legend::Shared);
    for (name, variant, modification) in panels {
        let p =
            if variant == "published" { modification.predictor_factor.to_string() } else { String::new() };
        let title =
            if p.is_empty() { format!("{variant}, {name}") } else { format!("{variant}, {name}, p = {p}") };
        let mut cells = Vec::new();
        for &h in &steps {
            for rho in rhos {
                let c = cell(&top, &reference, modification, rho, h);
                println!("{variant},{name},{p},{rho},{h:.4e},{:.3e},{},{}", c.error, c.warned, c.failed);
                let class = if c.failed { Some(1) } else { (!(c.error < 1.0)).then_some(0) };
                cells.push(precess_view::plot::Cell { value: c.error, class, marked: c.warned });
            }
        }
        let map = Map {
            x: rhos.iter().map(|rho| rho.to_string()).collect(),
            y: steps.iter().map(|h| format!("{h:.1e}")).collect(),
            cells,
            values: ("relative error of lambda on [0.5, 1] s".to_string(), [1e-5, 1.0]),
            scale: Scale::Log,
            classes: [("above 1", "#c0392b"), ("Newton's method failed", "#222222")]
                .map(|(name, colour)| (name.to_string(), colour.to_string()))
                .to_vec(),
            mark: "the run warned".to_string(),
        };
        let panel = Panel::new(title).x(Axis::linear("rho", "")).y(Axis::linear("step size h", "s"));
        figure = figure.panel(panel.map(map));
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/pictures");
    std::fs::create_dir_all(folder).expect("folder of pictures");
    std::fs::write(format!("{folder}/sigma_stability.svg"), svg::render(&figure)).expect("picture");
}
