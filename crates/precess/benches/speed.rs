//! Cost of time steps in processor time, minimum of several repeats.
//!
//! ```text
//! cargo bench -p precess --features parallel                      everything below
//! cargo bench -p precess --features parallel -- steps top         cases whose name contains "top"
//! ... -- scale     coiled chains of 1 to 100 000 bodies, the net: each in its own process, with memory and time to start
//! ... -- beside    steps of runs side by side, in the lanes of the vector unit
//! ... -- ensemble  1000 runs of the heavy top
//! ... -- kernels   exp, factorisations
//! ... -- memory    how fast memory is read
//! ... -- count CASE STEPS       only these steps: for callgrind (bench/instructions)
//! ... -- run CASE METHOD K H T  one run and where it ends: for comparisons (bench/peers)
//! ```

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use nalgebra::{UnitQuaternion, Vector3};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::side_by_side::LANES;
use precess::integrate::{Eta, Form, Horizon, InitialValues, Integrator, Strategy, Tolerance};
use precess::mechanics::{State, System, Tangents, Want};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::{BodySpec, JointSpec, Model, build, load};
use precess::problems::{HeavyTop, Rotor};
use precess::solve::block_lu::constraint_blocks;
use precess::solve::{DenseLu, Kkt};
use precess::study::parallel::Workers;
use precess_lie::{Factor, Product};

/// Something that moves, with its step size and the form of its constraints.
struct Case {
    system: Box<dyn System>,
    q: Vec<f64>,
    v: Vec<f64>,
    options: MethodOptions,
    h: f64,
    bodies: usize,
}

/// Names of the cases that are timed step by step; `chain-N`, `revolute-N`, `coil-N`, `revolute-coil-N` and
/// `net-N` exist for every N, every name with the ending `-stabilized`, and behind it `+full`, `+once` and so
/// on for Newton's method.
const CASES: [&str; 16] = [
    "top",
    "top-stabilized",
    "top-se3",
    "top-se3-stabilized",
    "top-so3",
    "top-model",
    "rotor",
    "rotor-model",
    "slider-crank",
    "slider-crank-stabilized",
    "revolute-1",
    "revolute-2",
    "chain-10",
    "chain-10-stabilized",
    "revolute-10",
    "revolute-10-stabilized",
];

/// Runs of an ensemble.
const RUNS: usize = 1000;

/// A turn after 64 rods.
const COIL: f64 = std::f64::consts::TAU / 64.0;

fn case(name: &str) -> Case {
    if let Some((base, strategy)) = name.split_once('+') {
        let mut case = case(base);
        case.options.newton.strategy =
            str::parse::<Strategy>(strategy).expect("a strategy of Newton's method");
        return case;
    }
    let (base, form) = match name.strip_suffix("-stabilized") {
        Some(base) => (base, Form::StabilizedIndex2),
        None => (name, Form::Index3),
    };
    let options = MethodOptions { form, ..MethodOptions::default() };
    let top = |formulation| {
        let top = HeavyTop::fast(formulation);
        Case { q: top.q_0(), v: top.v_0(), system: Box::new(top), options, h: 1e-3, bodies: 1 }
    };
    let number =
        |prefix: &str| base.strip_suffix("-se3").unwrap_or(base).strip_prefix(prefix)?.parse::<usize>().ok();
    match base {
        "top" => top(Formulation::R3SO3),
        "top-se3" => top(Formulation::SE3),
        "top-so3" => top(Formulation::SO3),
        "rotor" => {
            let rotor = Rotor::paper(5.165093);
            Case { q: rotor.q_0(), v: rotor.v_0(), system: Box::new(rotor), options, h: 1e-5, bodies: 1 }
        }
        "top-model" => from_file(include_str!("../../../models/heavy_top.toml"), options),
        "rotor-model" => from_file(include_str!("../../../models/rotor.toml"), options),
        // Without redundant rows.
        "four-bar" => {
            let text = include_str!("../../../models/four_bar.toml");
            from_file_with(text, options, &["joint.B.type=spherical", "joint.C.type=cylindrical"])
        }
        "robot-arm" => from_file(include_str!("../../../models/robot_arm.toml"), options),
        "slider-crank" => from_file(
            include_str!("../../../models/slider_crank.toml"),
            MethodOptions { eta: Eta::Paper, ..options },
        ),
        _ => {
            let revolute =
                |name: &str, bodies: [&str; 2], x| JointSpec::revolute(name, bodies, x, [0.0, 1.0, 0.0]);
            let model = if let Some(n) = number("chain-") {
                chain(n, 0.0, JointSpec::spherical)
            } else if let Some(n) = number("revolute-") {
                chain(n, 0.0, revolute)
            } else if let Some(n) = number("coil-") {
                chain(n, COIL, JointSpec::spherical)
            } else if let Some(n) = number("revolute-coil-") {
                chain(n, COIL, revolute)
            } else if let Some(n) = number("net-") {
                net(n)
            } else {
                panic!("there is no case '{name}'")
            };
            let se3 = base.ends_with("-se3");
            built(&model, if se3 { Formulation::SE3 } else { Formulation::R3SO3 }, options, 1e-3)
        }
    }
}

fn from_file(text: &str, options: MethodOptions) -> Case {
    from_file_with(text, options, &[])
}

fn from_file_with(text: &str, options: MethodOptions, set: &[&str]) -> Case {
    let set: Vec<String> = set.iter().map(|x| x.to_string()).collect();
    let loaded = load("model.toml", text, &set).expect("model file");
    built(&loaded.model, Formulation::R3SO3, options, loaded.settings.step)
}

fn built(model: &Model, formulation: Formulation, options: MethodOptions, h: f64) -> Case {
    let built = build(model, formulation).expect("model");
    Case { bodies: model.bodies.len(), system: built.system, q: built.q, v: built.v, options, h }
}

/// Rods of length and mass 1, each turned by this angle about y against the one before: zero is the
/// horizontal chain, other angles coil it up, so that positions stay small for any number of rods.
fn chain(n: usize, turn: f64, joint: impl Fn(&str, [&str; 2], [f64; 3]) -> JointSpec) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    let (mut x, mut angle) = (Vector3::zeros(), 0.0);
    for i in 0..n {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let half = rotation * Vector3::x() * 0.5;
        let rod = BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        model = model.body(rod.at((x + half).into()).rotated(rotation)).joint(joint(
            &format!("j{i}"),
            [&a, &b],
            x.into(),
        ));
        x += half * 2.0;
        angle += turn;
    }
    model
}

/// n x n bodies on a wavy surface, each held to its neighbours by spherical joints, hung from one corner:
/// (n - 1)^2 closed loops. (In a plane the joints would be redundant.)
fn net(n: usize) -> Model {
    let mut model = Model::new("net").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize, j: usize| format!("b{i}_{j}");
    let place = |x: f64, y: f64| [x, y, 0.3 * (1.7 * x + 0.4).sin() * (2.3 * y + 0.9).cos()];
    for i in 0..n {
        for j in 0..n {
            let (x, y) = (i as f64, j as f64);
            model = model.body(BodySpec::rigid(&name(i, j), 1.0, [0.1, 0.1, 0.2]).at(place(x, y)));
            let own = name(i, j);
            if i > 0 {
                let bodies = [name(i - 1, j), own.clone()];
                let joint =
                    JointSpec::spherical(&format!("x{i}_{j}"), [&bodies[0], &bodies[1]], place(x - 0.5, y));
                model = model.joint(joint);
            }
            if j > 0 {
                let bodies = [name(i, j - 1), own];
                let joint =
                    JointSpec::spherical(&format!("y{i}_{j}"), [&bodies[0], &bodies[1]], place(x, y - 0.5));
                model = model.joint(joint);
            }
        }
    }
    model.joint(JointSpec::spherical("corner", ["ground", &name(0, 0)], place(-0.5, -0.5)))
}

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
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
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

/// 1000 heavy tops with different spins, h = 1e-3, T = 0.1: one model, a workspace for each thread.
fn ensemble() -> Result<(), Error> {
    println!("| heavy tops | runs per second of processor time | threads |\n|---|---|---|");
    let (top, file) = (HeavyTop::fast(Formulation::R3SO3), case("top-model"));
    let hand = Ensemble { system: &top, q: top.q_0(), v: top.v_0() };
    let model = Ensemble { system: &*file.system, q: file.q, v: file.v };
    rate("hand-written equations, one by one", |threads| hand.one_by_one(threads))?;
    rate("model file, one by one", |threads| model.one_by_one(threads))?;
    rate("model file, side by side", |threads| model.side_by_side(threads))
}

fn rate(name: &str, run: impl Fn(usize) -> Result<Vec<f64>, Error>) -> Result<(), Error> {
    for threads in [1, 2] {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let begin = ProcessTime::now();
            assert_eq!(black_box(run(threads)?).len(), RUNS);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!("| {name} | {:.0} | {threads} |", RUNS as f64 / best);
    }
    Ok(())
}

/// A top and where it begins.
struct Ensemble<'a> {
    system: &'a dyn System,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Ensemble<'_> {
    fn state(&self, run: usize) -> Result<State, Error> {
        let mut v = self.v.clone();
        v[1] *= 1.0 + 1e-4 * run as f64;
        InitialValues::new(&self.q, &v).consistent(self.system)
    }

    /// Heights at the end.
    fn one_by_one(&self, threads: usize) -> Result<Vec<f64>, Error> {
        let integrator = || MethodOptions::default().generalized_alpha().expect("parameters");
        let ends = Workers::new(threads).map_with(RUNS, integrator, |integrator, i| {
            let mut state = self.state(i)?;
            integrator.start(self.system, &mut state, 1e-3)?;
            for _ in 0..100 {
                integrator.step(self.system, &mut state, 1e-3)?;
            }
            Ok(state.q[6])
        });
        ends.into_iter().collect()
    }

    /// Positions and velocities are checked at the start, and accelerations are found there.
    fn side_by_side(&self, threads: usize) -> Result<Vec<f64>, Error> {
        let first = self.state(0)?;
        let runs =
            || MethodOptions::default().side_by_side([self.system; LANES]).expect("a body and a joint");
        let ends = Workers::new(threads).map_with(RUNS / LANES, runs, |runs, i| {
            let state = |lane| {
                let mut state = first.clone();
                state.v[1] *= 1.0 + 1e-4 * (LANES * i + lane) as f64;
                state
            };
            let mut states: Vec<State> = (0..LANES).map(state).collect();
            runs.start(&mut states, 1e-3)?;
            (0..100).for_each(|_| runs.step());
            let end = |lane: usize| {
                assert!(runs.state(lane, &mut states[lane]), "a run failed");
                states[lane].q[6]
            };
            Ok((0..LANES).map(end).collect::<Vec<_>>())
        });
        Ok(ends.into_iter().collect::<Result<Vec<_>, Error>>()?.concat())
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
