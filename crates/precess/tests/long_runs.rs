//! Millions of steps: nothing grows that should not. Rotations stay orthogonal, constraints stay at
//! round-off, the energy stays as constant as the method keeps it, and memory stays the same after the first
//! step.
//!
//! A twentieth of the steps by default; all of them by `tools/long-runs`.

use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::mechanics::{State, System};
use precess::methods::method;
use precess::model::{build, load};
use precess::study::larger;
use precess_lie::Factor;

/// Measurements at a hundred times of a run.
struct Seen {
    /// Largest deviation of a quaternion from length one.
    length: f64,
    /// Largest |Phi|.
    position: f64,
    /// Largest |B v + Phi_t|.
    velocity: f64,
    /// Energies.
    energy: Vec<f64>,
    /// Resident memory in KiB, where the system tells it.
    memory: Vec<usize>,
    /// The energy to which others are compared.
    scale: f64,
    /// Number of steps.
    steps: f64,
}

impl Seen {
    fn observe(&mut self, system: &dyn System, state: &State) {
        let group = system.group();
        let rotating = |f: &Factor| !matches!(f, Factor::Rn(_));
        for (i, _) in group.factors().iter().enumerate().filter(|(_, f)| rotating(f)) {
            let quaternion = &state.q[group.q_range(i)][..4];
            let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
            self.length = precess::study::larger(self.length, (length - 1.0).abs());
        }
        let mut rows = vec![0.0; system.n_lambda()];
        let mut largest = |f: &dyn Fn(&mut [f64])| {
            f(&mut rows);
            rows.iter().fold(0.0_f64, |m, x| larger(m, x.abs()))
        };
        self.position =
            precess::study::larger(self.position, largest(&|r| system.constraint(&state.at(), r)));
        self.velocity =
            precess::study::larger(self.velocity, largest(&|r| system.velocity_constraint(&state.at(), r)));
        self.energy.extend(system.energy(&state.at()).map(|e| e.total()));
        self.memory.extend(resident());
    }

    /// Largest deviation of the energy from its first value.
    fn drift(&self) -> f64 {
        self.energy.iter().fold(0.0_f64, |m, e| larger(m, (e - self.energy[0]).abs())) / self.scale
    }
}

fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn run(
    name: &str,
    set: &[&str],
    formulation: Formulation,
    word: &str,
    h: f64,
    steps: usize,
    scale: f64,
) -> Seen {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let loaded = load(name, &std::fs::read_to_string(path).unwrap(), &set).unwrap();
    let built = build(&loaded.model, formulation).unwrap();
    let system: &dyn System = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut integrator = method(word, &loaded.settings.options).unwrap();
    let all = std::env::var_os("PRECESS_LONG_RUNS").is_some();
    let every = if all { steps / 100 } else { steps / 2000 };
    let steps = 100.0 * every as f64;
    let (energy, memory) = (Vec::new(), Vec::new());
    let mut seen = Seen { length: 0.0, position: 0.0, velocity: 0.0, energy, memory, scale, steps };
    seen.observe(system, &state);
    integrator.start(system, &mut state, h).unwrap();
    for _ in 0..100 {
        for _ in 0..every {
            integrator.step(system, &mut state, h).unwrap();
        }
        seen.observe(system, &state);
    }
    println!(
        "{name}, {word}, {} steps of {h} s: | |q| - 1 | {:.1e}, Phi {:.1e}, B v {:.1e}, energy {:.1e}, {} \
         -> {} KiB",
        seen.steps,
        seen.length,
        seen.position,
        seen.velocity,
        seen.drift(),
        seen.memory.get(1).unwrap_or(&0),
        seen.memory.last().unwrap_or(&0),
    );
    assert!(seen.length < 1e-14, "rotations lose their length: {:e}", seen.length);
    if let [_, first, .., last] = seen.memory[..] {
        // The allocator may use a few more pages.
        assert!(last <= first + 1024, "memory grows: {:?} KiB", seen.memory);
    }
    seen
}

/// A fast top for almost three hours of simulated time. The numerical damping of rho = 0.9 takes 8.6e-10 of
/// its energy per step.
#[test]
fn heavy_top_ten_million_steps() {
    let seen = run("heavy_top", &[], Formulation::R3SO3, "gen-alpha", 1e-3, 10_000_000, 5436.0);
    assert!(seen.position < 1e-14 && seen.velocity < 1e-13);
    assert!(seen.drift() < 1.5e-9 * seen.steps);
    assert!(seen.energy.windows(2).all(|e| e[1] < e[0] * (1.0 + 1e-5)), "numerical damping adds energy");
}

/// The energy-momentum method has rounding errors only: 4e-18 of the energy per step.
#[test]
fn heavy_top_energy_momentum() {
    let seen = run("heavy_top", &[], Formulation::Directors, "em", 1e-3, 1_000_000, 5436.0);
    assert!(seen.position < 1e-14 && seen.velocity < 1e-12);
    assert!(seen.drift() < 2e-17 * seen.steps);
}

/// Large models solve for one matrix per step: residuals of the size of Newton's tolerance, which do not add
/// up. The energy is measured against that of the whole chain lifted by its half length.
#[test]
fn chain_of_a_hundred() {
    let chain = ["parameters.N=100"];
    let seen = run("chain", &chain, Formulation::R3SO3, "gen-alpha", 1e-3, 100_000, 100.0 * 9.81 * 50.0);
    assert!(seen.position < 1e-8 && seen.velocity < 1e-4);
    assert!(seen.drift() < 0.05);
    let most = seen.energy.iter().fold(f64::MIN, |m, e| larger(m, *e));
    assert!(most < 1.0, "the chain gains {most} J");
}

/// 200 000 turns of a rotor; its supports and their torque move 2e-5 of its energy.
#[test]
fn rotor_a_million_steps() {
    let seen = run("rotor", &[], Formulation::R3SO3, "gen-alpha", 1e-5, 1_000_000, 337979.0);
    assert!(seen.drift() < 1e-3);
}
