//! Largest stable step of the sigma-modified methods in index-3 form, predicted by the linear recursion of
//! errors and measured on the heavy top: `cargo run --release -p precess --example sigma_recursion`. Prints
//! the Markdown tables of book/sigma.md.

use precess::formulation::Formulation;
use precess::integrate::sigma_recursion::{SteadySpin, alternating, first_unstable};
use precess::integrate::{Alpha, Form, InitialValues, Modification, Sigma};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::study::{Run, Sample};

const LARGEST: f64 = 8e-3;

/// Whether the multipliers, below 900 N in the exact motion, stay below 1500 N.
fn is_stable(top: &HeavyTop, modification: Modification, rho: f64, h: f64) -> bool {
    let options = MethodOptions { rho, form: Form::Index3, modification, ..MethodOptions::default() };
    let mut method = options.generalized_alpha().expect("parameters");
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(top).expect("consistent start");
    let mut largest = 0.0_f64;
    let mut see = |s: &Sample| {
        // The transient of the starting values is another matter.
        if s.state.t > 0.2 {
            largest = largest.max(s.state.lambda.iter().map(|x| x * x).sum::<f64>().sqrt());
        }
    };
    Run::new(h, 2.0).run(top, &mut method, &mut state, &mut see).is_ok() && largest < 1500.0
}

fn measured(top: &HeavyTop, modification: Modification, rho: f64) -> Option<f64> {
    let (mut stable, mut unstable) = (3e-5, LARGEST);
    if is_stable(top, modification, rho, unstable) {
        return None;
    }
    while unstable / stable > 1.02 {
        let h: f64 = f64::sqrt(stable * unstable);
        if is_stable(top, modification, rho, h) { stable = h } else { unstable = h }
    }
    Some(stable)
}

fn main() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let spin = SteadySpin { m: top.m, j: top.j, x: top.x_body, omega: top.omega_0.y };
    let one = Sigma::Value(1.0);
    let half = Modification { predictor_factor: 0.5, ..Modification::published(one) };
    let methods = [
        ("exact, sigma = 0", Modification::default()),
        ("exact, sigma = 1", Modification::exact(one)),
        ("published, sigma = 1, p = 1", Modification::published(one)),
        ("published, sigma = 1, p = 1/2", half),
        ("published, sigma optimal, p = 1", Modification::published(Sigma::Optimal)),
    ];
    let cell = |h: Option<f64>| h.map_or("none".to_string(), |h| format!("{h:.2e}"));
    println!("| method | rho | predicted | measured |\n|---|---|---|---|");
    for (name, modification) in methods {
        for rho in [0.6, 0.8, 0.9] {
            let alpha = Alpha::from_rho(rho).expect("rho");
            let steps = (0..).map(|i| 3e-5 * 1.01_f64.powi(i)).take_while(|h| *h < LARGEST);
            let predicted = first_unstable(&spin, &alpha, &modification, steps);
            println!(
                "| {name} | {rho} | {} | {} |",
                cell(predicted),
                cell(measured(&top, modification, rho))
            );
        }
    }
    println!("\n| method | h = 1e-5 | h = 1e-4 |\n|---|---|---|");
    let rho = 0.8;
    let alpha = Alpha::from_rho(rho).expect("rho");
    for (name, modification) in methods {
        let split = |h: f64| {
            let values = alternating(&spin, &alpha, &modification, h);
            values.iter().filter(|z| z.re < -0.6).map(|z| (z + rho).norm()).fold(0.0, f64::max)
        };
        println!("| {name} | {:.1e} | {:.1e} |", split(1e-5), split(1e-4));
    }
}
