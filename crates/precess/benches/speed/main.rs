//! Cost of time steps in processor time, minimum of several repeats.
//!
//! ```text
//! cargo bench -p precess --features parallel                      everything below
//! cargo bench -p precess --features parallel -- steps top         cases whose name contains "top"
//! ... -- scale     coiled chains of 1 to 100 000 bodies, the net: each in its own process, with memory and
//!                  time to start
//! ... -- beside    steps of runs side by side, in the lanes of the vector unit
//! ... -- ensemble  1000 runs of the heavy top
//! ... -- kernels   exp, factorisations
//! ... -- memory    how fast memory is read
//! ... -- count CASE STEPS       only these steps: for callgrind (bench/instructions)
//! ... -- run CASE METHOD K H T  one run and where it ends: for comparisons (bench/peers)
//! ```

mod cases;
mod ensemble;

use cases::{CASES, Case, case};
use ensemble::ensemble;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use precess::Error;
use precess::integrate::side_by_side::LANES;
use precess::integrate::{Horizon, InitialValues, Integrator, Tolerance};
use precess::mechanics::{State, Tangents, Want};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::solve::block_lu::constraint_blocks;
use precess::solve::{DenseLu, Kkt};
use precess_lie::{Factor, Product};

/// Per step.
struct Measured {
    /// Of the thread that measures.
    processor: Duration,
    wall: Duration,
    iterations: f64,
    matrices: f64,
}

/// With this many threads for large models.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

impl Case {
    fn start(&self, integrator: &mut dyn Integrator) -> Result<State, Error> {
        let mut state = InitialValues::new(&self.q, &self.v).consistent(&*self.system)?;
        integrator.start(&*self.system, &mut state, self.h)?;
        Ok(state)
    }

    /// Time per step and Newton iterations per step, the best of several repeats.
    fn measure(&self, steps: usize, repeats: usize) -> Result<Measured, Error> {
        let mut integrator = self.options.generalized_alpha()?;
        let mut best =
            Measured { processor: Duration::MAX, wall: Duration::MAX, iterations: 0.0, matrices: 0.0 };
        for _ in 0..repeats {
            let mut state = self.start(&mut integrator)?;
            let (mut iterations, mut matrices) = (0, 0);
            let (begin, wall) = (ThreadTime::now(), Instant::now());
            for _ in 0..steps {
                let report = integrator.step(&*self.system, &mut state, self.h)?;
                iterations += report.iterations;
                matrices += report.jacobians;
            }
            best = Measured {
                processor: best.processor.min(begin.elapsed() / steps as u32),
                wall: best.wall.min(wall.elapsed() / steps as u32),
                iterations: iterations as f64 / steps as f64,
                matrices: matrices as f64 / steps as f64,
            };
        }
        Ok(best)
    }
}

/// Names that contain a text; one with a strategy of Newton's method is the whole name of a case.
fn chosen(names: impl IntoIterator<Item = String>, filter: &str) -> Vec<String> {
    if filter.contains('+') {
        return vec![filter.to_string()];
    }
    names.into_iter().filter(|name| name.contains(filter)).collect()
}

fn steps(filter: &str) -> Result<(), Error> {
    println!("| case | us/step | Newton iterations | matrices |\n|---|---|---|---|");
    let large = ["chain-1000", "chain-1000-stabilized", "revolute-1000", "revolute-1000-stabilized"];
    for name in chosen(CASES.into_iter().chain(large).map(String::from), filter) {
        let case = case(&name);
        // The first step also tests its factors and touches memory for the first time.
        let measured = case.measure((5000 / case.bodies).max(50), 5)?;
        let Measured { processor, iterations, matrices, .. } = measured;
        println!("| {name} | {:.2} | {iterations:.2} | {matrices:.2} |", 1e6 * processor.as_secs_f64());
    }
    Ok(())
}

/// Models that can be simulated side by side: a step of one run alone and in the lanes of the vector unit.
fn beside(filter: &str) -> Result<(), Error> {
    println!(
        "| case | us/step alone | us/step and run beside {} others | ratio | iterations | matrices |\n\
        |---|---|---|---|---|---|",
        LANES - 1
    );
    let models = [
        "top-model",
        "slider-crank",
        "chain-2",
        "chain-5",
        "revolute-2",
        "revolute-5",
        "revolute-2-se3",
        "rotor-model",
        "four-bar",
        "robot-arm",
    ];
    let names = models.iter().flat_map(|name| [name.to_string(), format!("{name}-stabilized")]);
    for name in chosen(names, filter) {
        let case = case(&name);
        let n = 2000 / case.bodies;
        let Some(mut runs) = case.options.side_by_side([&*case.system; LANES]) else {
            println!("| {name} | {:.2} | - | - | - | - |", 1e6 * case.measure(n, 5)?.processor.as_secs_f64());
            continue;
        };
        // In turn, so that both see the same load of the machine.
        let (mut alone, mut together) = (Duration::MAX, Duration::MAX);
        for _ in 0..12 {
            alone = alone.min(case.measure(n, 1)?.processor);
            let state = InitialValues::new(&case.q, &case.v).consistent(&*case.system)?;
            runs.start(&mut vec![state.clone(); LANES], case.h)?;
            let begin = ThreadTime::now();
            (0..n).for_each(|_| runs.step());
            together = together.min(begin.elapsed() / (n * LANES) as u32);
            let mut end = state.clone();
            assert!(runs.state(0, &mut end), "a run failed");
        }
        let counts = runs.counts()[0];
        let [iterations, matrices] =
            [counts.iterations, counts.jacobians].map(|n| n as f64 / counts.steps as f64);
        let [alone, together] = [alone, together].map(|time| 1e6 * time.as_secs_f64());
        let ratio = alone / together;
        println!("| {name} | {alone:.3} | {together:.3} | {ratio:.2} | {iterations:.2} | {matrices:.2} |");
    }
    Ok(())
}

/// Each case in its own process, so that memory is its own.
fn scale(filter: &str) -> Result<(), Error> {
    println!(
        "| case | start, s | us per body and step | on two threads, wall | KiB per body | Newton iterations \
         | matrices |\n\
        |---|---|---|---|---|---|---|"
    );
    let program = std::env::current_exe().expect("own name");
    let mut names = Vec::new();
    for kind in ["coil", "revolute-coil"] {
        for ending in ["", "-stabilized"] {
            names.extend([1, 10, 100, 1000, 10_000, 100_000].map(|n| format!("{kind}-{n}{ending}")));
        }
    }
    names.extend(["net-32".into(), "net-32-stabilized".into()]);
    for name in chosen(names, filter) {
        let status = std::process::Command::new(&program).args(["alone", name.as_str()]).status();
        assert!(status.is_ok_and(|s| s.success()), "{name} failed");
    }
    Ok(())
}

fn alone(name: &str) -> Result<(), Error> {
    let (rss, begin) = (resident(), ThreadTime::now());
    let case = case(name);
    let mut integrator = case.options.generalized_alpha()?;
    let mut state = case.start(&mut integrator)?;
    integrator.step(&*case.system, &mut state, case.h)?;
    let start = begin.elapsed().as_secs_f64();
    let memory = (resident() - rss) / case.bodies as f64;
    drop(integrator);
    let (steps, repeats) = ((20_000 / case.bodies).clamp(10, 2000), 3);
    let each = |time: Duration| 1e6 * time.as_secs_f64() / case.bodies as f64;
    let Measured { processor, iterations, matrices, .. } = with_threads(1, || case.measure(steps, repeats))?;
    let two = match case.bodies {
        10_000.. => format!("{:.3}", each(with_threads(2, || case.measure(steps, repeats))?.wall)),
        _ => "-".into(),
    };
    println!(
        "| {name} | {start:.3} | {:.3} | {two} | {memory:.1} | {iterations:.2} | {matrices:.2} |",
        each(processor)
    );
    Ok(())
}

/// Memory of this process in KiB, of Linux; elsewhere nothing is known.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(f64::NAN)
}

/// How fast numbers come from memory, in the patterns in which factors could be read.
fn memory() {
    println!("| memory is read | GB/s |\n|---|---|");
    let numbers: Vec<f64> = (0..36 << 20).map(|i| i as f64).collect();
    let patterns = [
        ("from the first number to the last", 96, 0, false),
        ("96 numbers, then 132 left out", 96, 132, false),
        ("96 numbers from the end, then those before", 96, 0, true),
        ("16 numbers from the end, then those before", 16, 0, true),
    ];
    for (name, len, gap, down) in patterns {
        let mut best = f64::INFINITY;
        let chunks = numbers.len() / (len + gap);
        for _ in 0..5 {
            let begin = ThreadTime::now();
            let mut sum = [0.0; 4];
            for i in 0..chunks {
                let at = (len + gap) * if down { chunks - 1 - i } else { i };
                for x in numbers[at..at + len].as_chunks::<4>().0 {
                    (0..4).for_each(|k| sum[k] += x[k]);
                }
            }
            black_box(sum);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!("| {name} | {:.1} |", 8e-9 * (chunks * len) as f64 / best);
    }
}

fn kernels() -> Result<(), Error> {
    println!("| kernel | ns |\n|---|---|");
    let repeat = |n: usize, name: &str, f: &mut dyn FnMut()| {
        let mut best = f64::INFINITY;
        for _ in 0..7 {
            let begin = ThreadTime::now();
            (0..n).for_each(|_| f());
            best = best.min(begin.elapsed().as_secs_f64() / n as f64);
        }
        println!("| {name} | {:.1} |", 1e9 * best);
    };
    let time = |name: &str, f: &mut dyn FnMut()| repeat(20_000, name, f);
    let x = [0.1, -0.2, 0.3, 1.0, 2.0, 3.0];
    let q = [0.5, 0.5, 0.5, 0.5, 1.0, 2.0, 3.0];
    for (name, factor) in [("R3xSO3", Factor::R3xSO3), ("SE3", Factor::SE3)] {
        let group = Product::new([factor]);
        let mut out = [0.0; 7];
        time(&format!("q o exp(x), {name}"), &mut || group.retract(black_box(&q), black_box(&x), &mut out));
        let mut t = vec![0.0; group.tangent_len()];
        time(&format!("T(x), {name}"), &mut || group.tangent(black_box(&x), &mut t));
    }
    for n in [6, 9, 12, 29] {
        let entry = |k: usize| if k % n == k / n { 4.0 } else { (k * 7 % 5) as f64 * 0.1 };
        let matrix: Vec<f64> = (0..n * n).map(entry).collect();
        let blocks = (n <= 12).then(|| (", in blocks of three", DenseLu::new(n).in_blocks_of_three()));
        for (how, mut lu) in [("", DenseLu::new(n))].into_iter().chain(blocks) {
            time(&format!("dense LU, n = {n}{how}"), &mut || {
                lu.matrix_mut().data_mut().copy_from_slice(&matrix);
                lu.factor().expect("regular");
            });
            let mut b = vec![1.0; n];
            time(&format!("dense solution, n = {n}{how}"), &mut || lu.solve(black_box(&mut b)));
        }
    }
    for (name, n) in [("slider-crank", 5000), ("chain-100", 500), ("revolute-100", 500), ("net-32", 10)] {
        let case = case(name);
        let system = &*case.system;
        let state = InitialValues::new(&case.q, &case.v).consistent(system)?;
        let (k, m) = (system.group().dim(), system.n_lambda());
        let Some(structure) = system.structure() else { continue };
        let blocks = constraint_blocks(system.group(), structure, m, false);
        let (values, operations) = (blocks.n_values(), 1e-6 * blocks.operations());
        println!(
            "| {name}: {} unknowns, {values} values, {operations:.3} million operations | |",
            blocks.len()
        );
        let mut kkt = Kkt::block(blocks);
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::SADDLE);
        let assemble = |kkt: &mut Kkt| {
            kkt.clear();
            kkt.add(0, 0, 1.0, &tangents.s);
            kkt.add_transpose(0, k, 1.0, &tangents.b);
            kkt.add(k, 0, 1.0, &tangents.b);
        };
        repeat(n, "- assembly", &mut || assemble(&mut kkt));
        repeat(n, "- assembly and block LU", &mut || {
            assemble(&mut kkt);
            kkt.factor().expect("regular");
        });
        let mut b = vec![1.0; k + m];
        repeat(n, "- solution", &mut || kkt.solve(black_box(&mut b)));
    }
    Ok(())
}

/// Nothing but steps: differences of two counts are the instructions of a step.
/// Only steps; with the ending `-beside` those of runs side by side.
fn count(name: &str, steps: usize) -> Result<(), Error> {
    if let Some(name) = name.strip_suffix("-beside") {
        let case = case(name);
        let mut runs = case.options.side_by_side([&*case.system; LANES]).expect("a model for lanes");
        let state = InitialValues::new(&case.q, &case.v).consistent(&*case.system)?;
        runs.start(&mut vec![state; LANES], case.h)?;
        (0..steps).for_each(|_| runs.step());
        black_box(runs.counts());
        return Ok(());
    }
    let case = case(name);
    let mut integrator = case.options.generalized_alpha()?;
    let mut state = case.start(&mut integrator)?;
    for _ in 0..steps {
        integrator.step(&*case.system, &mut state, case.h)?;
    }
    black_box(&state);
    Ok(())
}

/// BLieDF and generalized-alpha with their own steps; their H is the tolerance.
const ADAPTIVE: [&str; 2] = ["adaptive", "adaptive-alpha"];

/// Prints the processor time of a run, its steps, and where the last body is at the end, which is what all
/// programs can say.
fn run(name: &str, method_name: &str, k: usize, h: f64, t_end: f64) -> Result<(), Error> {
    let case = case(name);
    let system = &*case.system;
    let mut state = InitialValues::new(&case.q, &case.v).consistent(system)?;
    let begin = ThreadTime::now();
    let mut steps = 0;
    if let Some(which) = ADAPTIVE.iter().position(|name| *name == method_name) {
        let options = MethodOptions { rho: 0.8, ..case.options };
        let mut integrator = adaptive_method(["bliedf", "gen-alpha"][which], &options, Tolerance::new(h))?;
        integrator.start(system, &mut state, t_end)?;
        while state.t < t_end * (1.0 - 1e-12) {
            integrator.advance(system, &mut state, Horizon::until(t_end))?;
            steps += 1;
        }
    } else {
        let mut integrator = method(method_name, &MethodOptions { k, ..case.options })?;
        integrator.start(system, &mut state, h)?;
        steps = (t_end / h).round() as usize;
        for _ in 0..steps {
            integrator.step(system, &mut state, h)?;
        }
    }
    let time = begin.elapsed().as_secs_f64();
    let x = &state.q[state.q.len() - 3..];
    println!("{time:e} {steps} {:e} {:e} {:e}", x[0], x[1], x[2]);
    Ok(())
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<f64>().expect("a number");
    match words[..] {
        ["steps", filter] => steps(filter),
        ["steps"] => steps(""),
        ["scale", filter] => scale(filter),
        ["scale"] => scale(""),
        ["alone", name] => alone(name),
        ["ensemble"] => ensemble(),
        ["beside"] => beside(""),
        ["beside", filter] => beside(filter),
        ["kernels"] => kernels(),
        ["memory"] => {
            memory();
            Ok(())
        }
        ["count", name, n] => count(name, number(n) as usize),
        ["run", name, method, k, h, t_end] => run(name, method, number(k) as usize, number(h), number(t_end)),
        [] => [kernels(), steps(""), scale(""), beside(""), ensemble()].into_iter().collect(),
        _ => panic!(
            "steps [NAME] | scale [NAME] | beside [NAME] | ensemble | kernels | memory | count CASE STEPS | \
             run CASE METHOD K H T"
        ),
    }
}
