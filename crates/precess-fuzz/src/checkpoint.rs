//! Changes checkpoints of small runs and resumes the runs from them. Length and checksum are mostly right, so
//! that the content is read. If a run accepts the checkpoint, it makes a few more steps.
//!
//! Models and checkpoints are kept in memory. Nothing is read from a disk or written to it.

use std::path::PathBuf;

use fastrand::Rng;
use precess::integrate::InitialValues;
use precess::mechanics::State;
use precess::methods::{adaptive_method, method};
use precess::model::{Built, Loaded, build, load};
use precess::study::results::Recording;
use precess::study::{AtTimes, Cadence, Checkpoints, Recorder, Sample, Sampling, Spread};

use crate::corpus::Seed;
use crate::mutate::mutate;

const MODEL: &str = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "bob"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "bob"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[sensor]]
name = "height"
type = "potential-energy"
[[event]]
name = "low"
when = "height < -0.5"
action = "record"
"#;

const GATE: &str = include_str!("../../../models/gate.toml");
const CHAIN: &str = include_str!("../../../models/chain.toml");

/// The names of the runs, with their models and settings.
const RUNS: [(&str, &str, &[&str]); 10] = [
    ("alpha", MODEL, &["integrator.method=gen-alpha", "run.step=0.01", "run.until=0.08"]),
    (
        "modified",
        MODEL,
        &[
            "integrator.method=gen-alpha",
            "integrator.newton=modified",
            "integrator.predictor=extrapolate",
            "run.step=0.01",
            "run.until=0.08",
            "output.every=0.015 s",
        ],
    ),
    ("bliedf", MODEL, &["integrator.method=bliedf", "run.step=0.01", "run.until=0.08"]),
    ("bliedf6", MODEL, &["integrator.method=bliedf", "integrator.k=6", "run.step=0.01", "run.until=0.12"]),
    (
        "em",
        MODEL,
        &["integrator.method=em", "integrator.formulation=directors", "run.step=0.01", "run.until=0.08"],
    ),
    ("tolerance", MODEL, &["integrator.tol=1e-4", "run.until=0.05", "output.every=0.01 s"]),
    ("tol-alpha", MODEL, &["integrator.method=gen-alpha", "integrator.tol=1e-3", "run.until=0.05"]),
    ("gate", GATE, &["run.step=0.05", "run.until=0.8"]),
    ("gate-tol", GATE, &["integrator.tol=1e-3", "run.step=off", "integrator.method=auto", "run.until=0.5"]),
    (
        "chain",
        CHAIN,
        &[
            "integrator.method=gen-alpha",
            "integrator.newton=modified",
            "parameters.N=8",
            "run.step=0.01",
            "run.until=0.05",
        ],
    ),
];

/// A resumed run is stopped after this number of samples.
const ENOUGH: usize = 12;

/// A model and the initial state of its run.
struct Case {
    kind: &'static str,
    loaded: Loaded,
    built: Built,
    initial: State,
}

impl Case {
    fn new((kind, text, settings): (&'static str, &str, &[&str])) -> Option<Self> {
        let overrides: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
        let loaded = load("fuzz.toml", text, &overrides).ok()?;
        let built = build(&loaded.model, loaded.settings.formulation).ok()?;
        let initial = InitialValues::new(&built.q, &built.v).consistent(&*built.system).ok()?;
        Some(Case { kind, loaded, built, initial })
    }

    fn checkpoints(&self, every: usize) -> Checkpoints {
        Checkpoints::in_memory(Cadence::Steps(every), self.loaded.identity())
    }

    /// Runs until `enough` samples are recorded. It records the same data as the command line.
    fn run(&self, enough: usize, checkpoints: &mut Checkpoints) -> Result<(), String> {
        let settings = &self.loaded.settings;
        let recording = |sampling| Recording::new(&self.loaded, &*self.built.system, sampling);
        match settings.every {
            Sampling::Time(dt) => {
                let times = AtTimes::every(dt, self.initial.t, settings.until, recording(Sampling::Steps(1)));
                self.run_with(&mut (times, (Spread::over(4), Limit(enough))), checkpoints)
            }
            steps => self.run_with(&mut (recording(steps), (Spread::over(4), Limit(enough))), checkpoints),
        }
    }

    fn run_with(&self, recorder: &mut dyn Recorder, checkpoints: &mut Checkpoints) -> Result<(), String> {
        let (settings, system) = (&self.loaded.settings, &*self.built.system);
        let mut state = self.initial.clone();
        let outcome = match (settings.tolerance, settings.adaptive_run()) {
            (Some(tol), Some(run)) => {
                let mut method =
                    adaptive_method(&settings.method, &settings.options, tol).map_err(|e| e.to_string())?;
                run.run_with(system, &mut *method, &mut state, recorder, Some(checkpoints))
            }
            _ => {
                let mut method = method(&settings.method, &settings.options).map_err(|e| e.to_string())?;
                settings.run().run_with(system, &mut *method, &mut state, recorder, Some(checkpoints))
            }
        };
        outcome.map(drop).map_err(|f| f.to_string())
    }
}

/// Stops a run after this number of samples.
struct Limit(usize);

impl Recorder for Limit {
    fn record(&mut self, _sample: &Sample) {
        self.0 = self.0.saturating_sub(1);
    }

    fn stops(&self) -> bool {
        self.0 == 0
    }
}

thread_local! {
    static CASES: Vec<Case> = RUNS.into_iter().filter_map(Case::new).collect();
}

/// Makes a checkpoint of each run.
pub fn seeds() -> Vec<Seed> {
    let seed = |case: &Case| {
        let mut checkpoints = case.checkpoints(3);
        case.run(usize::MAX, &mut checkpoints).ok()?;
        let bytes = checkpoints.bytes().to_vec();
        Some(Seed { file: PathBuf::from(case.kind), kind: case.kind.to_string(), bytes })
    };
    CASES.with(|cases| cases.iter().filter_map(seed).collect())
}

/// Reads a checkpoint and continues from it. The error says why it is refused or why the run fails.
pub fn take_up(kind: &str, bytes: &[u8]) -> Result<(), String> {
    CASES.with(|cases| {
        let case = cases.iter().find(|c| c.kind == kind).ok_or("no such run")?;
        let mut checkpoints = case.checkpoints(usize::MAX);
        checkpoints.resume_from(bytes).map_err(|e| e.to_string())?;
        case.run(ENOUGH, &mut checkpoints)
    })
}

/// Reads a checkpoint and continues from it.
pub fn feed(kind: &str, bytes: &[u8]) {
    drop(take_up(kind, bytes));
}

/// The size of magic, version and length.
const HEADER: usize = 20;

/// Extreme whole numbers and floating-point numbers.
const NUMBERS: [u64; 16] = [
    0,
    1,
    2,
    7,
    u64::MAX,
    i64::MAX as u64,
    1 << 32,
    1 << 53,
    f64::NAN.to_bits(),
    f64::INFINITY.to_bits(),
    1e300_f64.to_bits(),
    1e9_f64.to_bits(),
    1.0_f64.to_bits(),
    1e-9_f64.to_bits(),
    5e-324_f64.to_bits(),
    (-1.0_f64).to_bits(),
];

/// The end of the identity. Changes before it are refused at once.
fn after_identity(bytes: &[u8]) -> Option<usize> {
    let number = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?) as usize);
    let mut at = HEADER + 8;
    for _ in 0..2 * number(HEADER)? {
        at = at.checked_add(8)?.checked_add(number(at)?)?;
    }
    Some(at).filter(|at| *at < bytes.len())
}

/// A number that replaces another one: any number, one nearby, or one from elsewhere in the file.
fn other_number(rng: &mut Rng, here: u64, elsewhere: u64) -> u64 {
    let x = f64::from_bits(here);
    match rng.u8(..8) {
        0 => rng.choice(NUMBERS).unwrap_or(0),
        1 => here.wrapping_add(1),
        2 => here.wrapping_sub(1),
        3 => (x * (1.0 + 1e-3 * rng.f64())).to_bits(),
        4 => (x * 10.0_f64.powf(40.0 * rng.f64() - 20.0)).to_bits(),
        5 => (-x).to_bits(),
        6 => here ^ (1 << rng.u8(..64)),
        _ => elsewhere,
    }
}

/// Makes a changed checkpoint.
pub fn make(rng: &mut Rng, seed: &Seed, other: &Seed, words: &[&str]) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    let end = bytes.len().saturating_sub(4);
    bytes.truncate(end);
    let begin = after_identity(&bytes).unwrap_or(HEADER);
    match rng.u8(..16) {
        0 => return mutate(rng, &seed.bytes, &other.bytes, words),
        1 => {
            let payload = mutate(rng, bytes.get(begin..).unwrap_or(&[]), &other.bytes, words);
            bytes.truncate(begin);
            bytes.extend(payload);
        }
        n => {
            for _ in 0..n.div_ceil(6) {
                // State, monitor and place are at the front. The method is at the back, and results are in
                // between.
                let length = end.saturating_sub(begin + 8).max(1);
                let short = length.min(1500);
                let at = begin
                    + match rng.u8(..3) {
                        0 => rng.usize(..length),
                        1 => rng.usize(..short),
                        _ => length - 1 - rng.usize(..short),
                    };
                let from = begin + rng.usize(..length);
                let number = |bytes: &[u8], at: usize| {
                    bytes.get(at..).and_then(|b| b.first_chunk::<8>()).map_or(0, |b| u64::from_le_bytes(*b))
                };
                let new = other_number(rng, number(&bytes, at), number(&bytes, from));
                if let Some(place) = bytes.get_mut(at..at + 8) {
                    place.copy_from_slice(&new.to_le_bytes());
                }
            }
        }
    }
    let length = bytes.len().saturating_sub(HEADER) as u64;
    if let Some(place) = bytes.get_mut(12..HEADER) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}
