//! Where the multipliers of the fast heavy top in index-3 form are stable, over rho and h:
//! `cargo run --release -p precess --example stability_map > map.csv`.
//!
//! Prints sigma, variant, rho, h, the relative error of lambda on [0.5, 1] and the time of the warning as CSV, and writes
//! the picture book/pictures/sigma_stability.svg.

use std::fmt::Write;

use precess::formulation::Formulation;
use precess::integrate::{Form, Implicit, InitialValues, MethodOptions, Modification, Sigma};
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};

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

/// White to blue up to an error of 1, red beyond, black where Newton's method failed.
fn colour(c: &Cell) -> String {
    if c.failed {
        return "#222222".to_string();
    }
    if !(c.error < 1.0) {
        return "#c0392b".to_string();
    }
    let depth = ((c.error.log10() + 5.0) / 5.0).clamp(0.0, 1.0);
    let mix = |from: f64, to: f64| (from + depth * (to - from)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(240.0, 70.0), mix(246.0, 120.0), mix(252.0, 180.0))
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
    let (size, left, top_margin, gap) = (18.0, 60.0, 40.0, 60.0);
    let (wide, high) = (size * rhos.len() as f64, size * steps.len() as f64);
    let mut svg = String::new();
    for (n, (name, variant, modification)) in panels.iter().enumerate() {
        let x_0 = left + (n % 3) as f64 * (wide + gap);
        let y_0 = top_margin + (n / 3) as f64 * (high + gap + 20.0);
        let p =
            if *variant == "published" { modification.predictor_factor.to_string() } else { String::new() };
        let title =
            if p.is_empty() { format!("{variant}, {name}") } else { format!("{variant}, {name}, p = {p}") };
        let _ = writeln!(svg, r#"<text x="{x_0}" y="{}" font-size="13">{title}</text>"#, y_0 - 8.0);
        for (i, &rho) in rhos.iter().enumerate() {
            for (k, &h) in steps.iter().enumerate() {
                let c = cell(&top, &reference, *modification, rho, h);
                println!("{variant},{name},{p},{rho},{h:.4e},{:.3e},{},{}", c.error, c.warned, c.failed);
                let (x, y) = (x_0 + i as f64 * size, y_0 + k as f64 * size);
                let _ = writeln!(
                    svg,
                    r#"<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{}"/>"#,
                    colour(&c)
                );
                if c.warned {
                    let (cx, cy) = (x + 0.5 * size, y + 0.5 * size);
                    let _ = writeln!(svg, r##"<circle cx="{cx}" cy="{cy}" r="3" fill="#ffffff"/>"##);
                }
            }
            if i % 2 == 0 {
                let (x, y) = (x_0 + (i as f64 + 0.5) * size, y_0 + high + 14.0);
                let _ = writeln!(
                    svg,
                    r#"<text x="{x}" y="{y}" font-size="10" text-anchor="middle">{rho}</text>"#
                );
            }
        }
        for (k, h) in steps.iter().enumerate().step_by(2) {
            let y = y_0 + (k as f64 + 0.75) * size;
            let _ = writeln!(
                svg,
                r#"<text x="{}" y="{y}" font-size="10" text-anchor="end">{h:.1e}</text>"#,
                x_0 - 4.0
            );
        }
        let _ = writeln!(
            svg,
            r#"<text x="{}" y="{}" font-size="11" text-anchor="middle">rho</text>"#,
            x_0 + 0.5 * wide,
            y_0 + high + 28.0
        );
    }
    let (w, h) = (left + 3.0 * (wide + gap), top_margin + 2.0 * (high + gap + 20.0) + 10.0);
    let legend = "Blue: relative error of lambda on [0.5, 1] s from 1e-5 (light) to 1; red: above 1; black: Newton's method failed; white dot: the run warned";
    let picture = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" font-family="sans-serif">
<rect width="{w}" height="{h}" fill="#ffffff"/>
<text x="{left}" y="{}" font-size="12">Heavy top in index-3 form, step size h in s against rho.</text>
<text x="{left}" y="{}" font-size="12">{legend}</text>
{svg}</svg>
"##,
        h - 30.0,
        h - 12.0
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/pictures");
    std::fs::create_dir_all(folder).expect("folder of pictures");
    std::fs::write(format!("{folder}/sigma_stability.svg"), picture).expect("picture");
}
