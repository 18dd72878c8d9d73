//! Error and work against tolerance on mechanisms, as Markdown tables.
//!
//! `cargo run --release -p precess --example tolerance_table` prints two tables per model, with a tolerance
//! and with fixed steps; an argument selects the models whose name contains it. The error is the largest of
//! all bodies and of eight times of the run, relative to what is usual in the model (rad, or the distance
//! from the origin plus a length of the model; for velocities their size plus a length per time of the
//! model), against a run with a much smaller tolerance; where nothing is constrained, against fixed steps of
//! RKMK4. `growth` is what becomes of a relative perturbation of the initial velocities, where it can be
//! applied.

use precess::Error;
use precess::integrate::adaptive::{
    Adaptive, Automatic, Horizon, Norm, TurningPoints, VariableAlpha, VariableBliedf,
};
use precess::integrate::{Form, InitialValues, Tolerance};
use precess::mechanics::{State, System};
use precess::methods::{MethodOptions, method};
use precess::model::{build, load};
use precess::study::Control;

/// A model, what is replaced in it, and the end of the run.
struct Case {
    name: &'static str,
    file: &'static str,
    set: &'static [&'static str],
    t_end: f64,
    /// The reference.
    finest: Finest,
}

/// How the reference is computed.
#[derive(Clone, Copy)]
enum Finest {
    /// Adaptive BLieDF with this tolerance in SI units.
    Tolerance(f64),
    /// RKMK4 with so many steps from one time to the next.
    Rkmk4(usize),
}

const CASES: &[Case] = &[
    Case { name: "heavy top", file: "heavy_top", set: &[], t_end: 1.0, finest: Finest::Tolerance(1e-12) },
    Case {
        name: "slider-crank",
        file: "slider_crank",
        set: &[],
        t_end: 1.0,
        finest: Finest::Tolerance(1e-12),
    },
    Case {
        name: "four-bar (driven)",
        file: "four_bar",
        set: &[],
        t_end: 2.0,
        finest: Finest::Tolerance(1e-12),
    },
    Case {
        name: "robot arm (drives, PID)",
        file: "robot_arm",
        set: &[],
        t_end: 2.0,
        finest: Finest::Tolerance(1e-12),
    },
    Case { name: "rotor on bushings", file: "rotor", set: &[], t_end: 0.5, finest: Finest::Rkmk4(200_000) },
    Case {
        name: "chain of 10",
        file: "chain",
        set: &["parameters.N=10"],
        t_end: 1.0,
        finest: Finest::Tolerance(1e-11),
    },
    Case {
        name: "chain of 20",
        file: "chain",
        set: &["parameters.N=20"],
        t_end: 1.0,
        finest: Finest::Tolerance(1e-10),
    },
    Case {
        name: "chain of 1000",
        file: "chain",
        set: &["parameters.N=1000"],
        t_end: 0.2,
        finest: Finest::Tolerance(1e-10),
    },
];

/// Times at which solutions are compared.
const TIMES: usize = 8;

struct Outcome {
    states: Vec<State>,
    steps: usize,
    control: Control,
    iterations: usize,
    jacobians: usize,
    seconds: f64,
}

fn run(system: &dyn System, first: &State, method: &mut dyn Adaptive, t_end: f64) -> Result<Outcome, Error> {
    let begin = std::time::Instant::now();
    let mut state = first.clone();
    let mut out = Outcome {
        states: Vec::new(),
        steps: 0,
        control: Control::default(),
        iterations: 0,
        jacobians: 0,
        seconds: 0.0,
    };
    let drives = TurningPoints::of(system, state.t, t_end);
    method.start(system, &mut state, t_end)?;
    for i in 1..=TIMES {
        let stop = t_end * i as f64 / TIMES as f64;
        while state.t < stop {
            let to = Horizon { stop, h_max: drives.longest_step(state.t) };
            let r = method.advance(system, &mut state, to)?;
            out.steps += 1;
            out.iterations += r.iterations;
            out.jacobians += r.jacobians;
            out.control.observe(&r);
        }
        state.t = stop;
        out.states.push(state.clone());
    }
    out.control.choice = method.choice();
    out.seconds = begin.elapsed().as_secs_f64();
    Ok(out)
}

/// Largest difference in positions and velocities.
fn difference(system: &dyn System, first: &State, a: &[State], b: &[State]) -> Result<[f64; 2], Error> {
    let mut norm = Norm::relative(system, first);
    let mut worst = [0.0_f64; 2];
    let mut dq = vec![0.0; first.v.len()];
    for (a, b) in a.iter().zip(b) {
        norm.weigh(system, b);
        system.group().difference(&a.q, &b.q, &mut dq);
        let dv: Vec<f64> = a.v.iter().zip(&b.v).map(|(x, y)| x - y).collect();
        worst = [worst[0].max(norm.of_positions(&dq)), worst[1].max(norm.of_velocities(&dq, &dv))];
    }
    Ok(worst)
}

/// Growth of a perturbation of all velocities by 1e-7, which keeps the constraints if nothing depends on
/// time.
fn growth(system: &dyn System, first: &State, reference: &[State], t_end: f64) -> Result<Option<f64>, Error> {
    if system.drives().iter().any(|f| f.constant().is_none()) {
        return Ok(None);
    }
    let mut other = first.clone();
    other.v.iter_mut().for_each(|v| *v *= 1.0 + 1e-7);
    let mut method = VariableBliedf::new(Tolerance::absolute(1e-10));
    let [q, v] = difference(system, first, &run(system, &other, &mut method, t_end)?.states, reference)?;
    Ok(Some(q.max(v) / 1e-7).filter(|x| *x > 0.1))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for case in CASES.iter().filter(|c| c.name.contains(&wanted)) {
        let path = format!("{}/../../models/{}.toml", env!("CARGO_MANIFEST_DIR"), case.file);
        let set: Vec<String> = case.set.iter().map(|s| s.to_string()).collect();
        let loaded = load(case.file, &std::fs::read_to_string(&path)?, &set).map_err(|e| e.to_string())?;
        let built = build(&loaded.model, loaded.settings.formulation)?;
        let system = &*built.system;
        let first = InitialValues::new(&built.q, &built.v).consistent(system)?;
        let reference = match case.finest {
            Finest::Tolerance(tol) => {
                let mut fine = VariableBliedf::new(Tolerance::absolute(tol));
                run(system, &first, &mut fine, case.t_end)?.states
            }
            Finest::Rkmk4(n) => fixed(system, &first, "rkmk4", &MethodOptions::default(), n, case.t_end)?,
        };
        let growth = growth(system, &first, &reference, case.t_end)?;
        let grows = growth.map_or(String::new(), |g| format!(", growth {g:.1}"));
        println!("\n### {}, {} s{grows}\n", case.name, case.t_end);
        println!(
            "| tol | method | steps | rejected | iterations per step | matrices | h, s | mean order | \
             positions | velocities | worst/tol | ms |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for exponent in 3..=9 {
            let tol = Tolerance::new(10f64.powi(-exponent));
            let bliedf = VariableBliedf::new(tol);
            let alpha = VariableAlpha::new(0.8, tol)?;
            let mut methods: Vec<(&str, Box<dyn Adaptive>)> = vec![("bliedf", Box::new(bliedf.clone()))];
            if exponent <= 6 {
                methods.push(("gen-alpha", Box::new(alpha.clone())));
            }
            let mut automatic = Automatic::new(bliedf, alpha);
            let chosen = run(system, &first, &mut automatic, case.t_end)?;
            if automatic.name() != "bliedf" {
                row("auto", tol.tol, system, &first, &chosen, &reference)?;
            }
            for (name, mut method) in methods {
                let outcome = run(system, &first, &mut *method, case.t_end)?;
                row(name, tol.tol, system, &first, &outcome, &reference)?;
            }
        }
        fixed_steps(system, &first, &reference, case.t_end)?;
    }
    Ok(())
}

fn row(
    name: &str,
    tol: f64,
    system: &dyn System,
    first: &State,
    o: &Outcome,
    reference: &[State],
) -> Result<(), Error> {
    let [q, v] = difference(system, first, &o.states, reference)?;
    let [low, high] = o.control.h.unwrap_or_default();
    let steps = o.steps as f64;
    let order: f64 =
        o.control.orders.iter().enumerate().map(|(k, n)| (k + 1) as f64 * *n as f64).sum::<f64>() / steps;
    println!(
        "| {tol:.0e} | {name} | {} | {} | {:.1} | {} | {low:.0e} .. {high:.0e} | {order:.1} | {q:.1e} | \
         {v:.1e} | {:.1} | {:.1} |",
        o.steps,
        o.control.rejected + o.control.failed,
        o.iterations as f64 / steps,
        o.jacobians,
        q.max(v) / tol,
        1e3 * o.seconds,
    );
    Ok(())
}

/// n steps of equal size from one time to the next.
fn fixed(
    system: &dyn System,
    first: &State,
    name: &str,
    options: &MethodOptions,
    n: usize,
    t_end: f64,
) -> Result<Vec<State>, Error> {
    let mut integrator = method(name, options)?;
    let h = t_end / (n * TIMES) as f64;
    let (mut state, mut states) = (first.clone(), Vec::new());
    integrator.start(system, &mut state, h)?;
    for i in 1..=n * TIMES {
        integrator.step(system, &mut state, h)?;
        if i % n == 0 {
            states.push(state.clone());
        }
    }
    Ok(states)
}

/// The same errors with fixed steps.
fn fixed_steps(
    system: &dyn System,
    first: &State,
    reference: &[State],
    t_end: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    println!("\n| fixed steps | steps | positions | velocities | ms |\n|---|---|---|---|---|");
    let stabilized = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
    // The longest chain is left to the shorter ones.
    let sizes: &[usize] = if first.v.len() > 1000 { &[8, 16] } else { &[32, 128, 512, 1024] };
    for (label, name, options) in [
        ("gen-alpha", "gen-alpha", stabilized),
        ("bliedf, k = 4", "bliedf", MethodOptions { k: 4, ..stabilized }),
        ("bliedf, k = 5", "bliedf", MethodOptions { k: 5, ..stabilized }),
    ] {
        for &n in sizes {
            let begin = std::time::Instant::now();
            let outcome = fixed(system, first, name, &options, n, t_end);
            let ms = 1e3 * begin.elapsed().as_secs_f64();
            match outcome {
                Ok(states) => {
                    let [q, v] = difference(system, first, &states, reference)?;
                    println!("| {label} | {} | {q:.1e} | {v:.1e} | {ms:.1} |", n * TIMES);
                }
                Err(Error::Newton { .. }) => println!("| {label} | {} | unstable | | |", n * TIMES),
                Err(e) => println!("| {label} | {} | {e} | | |", n * TIMES),
            }
        }
    }
    Ok(())
}
