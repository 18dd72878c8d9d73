//! What the variational and energy-momentum methods keep: the tables of `book/conserving.md`.
//!
//! `cargo run --release -p precess --example conserving`

use precess::Error;
use precess::conserve::Conservative;
use precess::conserve::{EnergyMomentum, Stepper, Theta, ViS, symplectic_defect};
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::mechanics::{State, System};
use precess::methods::{MethodOptions, method};
use precess::model::{build, load};
use precess::problems::ggl::{GglExample, four_particles, spherical_pendulum};
use precess::study::{Run, Sample};

const METHODS: [&str; 6] = ["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta"];

/// Largest deviations over a run: energy H(q, p), momentum, g, G M^-1 p; and the final positions.
fn watch(
    system: &dyn System,
    name: &str,
    mut state: State,
    (h, t_end): (f64, f64),
) -> Result<([f64; 4], Vec<f64>), Error> {
    let conservative = Conservative::of(system).expect("a system with constant mass");
    let first = conservative.invariants(&state.q, &state.v);
    let mut worst = [0.0_f64; 4];
    let mut see = |sample: &Sample| {
        let w = sample.conjugate.map_or(&sample.state.v[..], |c| c.w);
        let now = conservative.invariants(&sample.state.q, w);
        let momentum = match first.about_gravity {
            0.0 => (now.angular - first.angular).norm(),
            _ => (now.about_gravity - first.about_gravity).abs(),
        };
        let found = [(now.energy - first.energy).abs(), momentum, now.primary, now.secondary];
        worst.iter_mut().zip(found).for_each(|(w, x)| *w = w.max(x));
    };
    let mut integrator = method(name, &MethodOptions::default())?;
    Run::new(h, t_end).run(system, &mut *integrator, &mut state, &mut see).map_err(|f| f.error)?;
    Ok((worst, state.q))
}

fn defect(example: &GglExample, name: &str, state: &State, h: f64) -> Result<f64, Error> {
    let d = state.q.len();
    let number = |i: usize, k: usize| ((i + 17 * k) as f64 * 12.9898).sin();
    let direction = |k: usize| -> (Vec<f64>, Vec<f64>) {
        ((0..d).map(|i| number(i, k)).collect(), (0..d).map(|i| number(i, k + 9)).collect())
    };
    let directions: Vec<_> = (0..4).map(direction).collect();
    macro_rules! of {
        ($rule:expr) => {
            symplectic_defect(&example.system, &Stepper::new($rule), state, h, &directions, 2e-4)
        };
    }
    match name {
        "em" => of!(EnergyMomentum::EM),
        "em-g" => of!(EnergyMomentum::EM_G),
        "vi-s" => of!(ViS),
        "vi-a" => of!(Theta::VI_A),
        "vi-b" => of!(Theta::VI_B),
        _ => of!(Theta::MIDPOINT),
    }
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

fn example(
    title: &str,
    example: &GglExample,
    (h, t_end): (f64, f64),
    end: (usize, [f64; 3]),
) -> Result<(), Error> {
    println!("\n{title}, h = {h}, t = {t_end}");
    println!("| method | max abs(H - H_0), J | momentum | g | G M^-1 p | error of q | symplectic defect |");
    println!("|---|---|---|---|---|---|---|");
    let start = InitialValues::new(&example.q_0, &example.v_0).consistent(&example.system)?;
    // Away from the special place where the example starts.
    let mut away = start.clone();
    Run::new(h, 6.0 * h)
        .run(&example.system, &mut Stepper::new(EnergyMomentum::EM), &mut away, &mut ())
        .map_err(|f| f.error)?;
    for name in METHODS {
        let ([e, j, g, gv], q) = watch(&example.system, name, start.clone(), (h, t_end))?;
        let error = distance(&q[end.0..end.0 + 3], &end.1);
        let omega = defect(example, name, &away, h)?;
        println!("| {name} | {e:.3e} | {j:.1e} | {g:.3e} | {gv:.3e} | {error:.3e} | {omega:.1e} |");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Ends of both by integrations in quadruple precision that share nothing with this program.
    let end = [0.218611338000, 0.046728350139, -0.974692538286];
    example("Spherical pendulum", &spherical_pendulum(), (0.05, 10.0), (0, end))?;
    let end = [0.261202266883, 0.576171694720, 2.912251211352];
    example("Four particles", &four_particles(), (0.01, 10.0), (9, end))?;

    println!("\nHeavy top in directors, h = 0.001, t = 1");
    println!(
        "| method | max abs(H - H_0)/H_0 | momentum about gravity | error of x(1), m |\n|---|---|---|---|"
    );
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/heavy_top.toml");
    let model = load(file, &std::fs::read_to_string(file)?, &[])?.model;
    let built = build(&model, Formulation::Directors)?;
    let start = InitialValues::new(&built.q, &built.v).consistent(&*built.system)?;
    let h_0 = built.system.energy(&start.at()).map_or(1.0, |e| e.total());
    for name in METHODS {
        let ([e, j, ..], q) = watch(&*built.system, name, start.clone(), (1e-3, 1.0))?;
        let error = distance(&q[..3], &[0.173343964098, 0.640088592071, -0.748490791134]);
        println!("| {name} | {:.1e} | {j:.1e} | {error:.3e} |", e / h_0);
    }
    Ok(())
}
