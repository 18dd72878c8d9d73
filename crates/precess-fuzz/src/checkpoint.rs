//! Checkpoints of small runs, changed and read again. Length and checksum are mostly right, so that what is inside is read.
//!
//! Runs are not taken up from them: a checkpoint with a forged checksum may ask for as many steps as it likes.

use std::path::PathBuf;

use fastrand::Rng;
use precess::integrate::{InitialValues, adaptive_method, method};
use precess::model::{Loaded, build, load};
use precess::study::results::Recording;
use precess::study::{Cadence, Checkpoints, Identity, Sampling};

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

/// Names of the runs and their settings.
const RUNS: [(&str, &[&str]); 3] = [
    ("alpha", &["integrator.method=gen-alpha", "run.step=0.01", "run.until=0.08"]),
    ("bliedf", &["integrator.method=bliedf", "run.step=0.01", "run.until=0.08"]),
    ("tolerance", &["integrator.tol=1e-4", "run.until=0.05"]),
];

fn loaded(kind: &str) -> Option<Loaded> {
    let (_, settings) = RUNS.iter().find(|(name, _)| *name == kind)?;
    let overrides: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
    load("fuzz.toml", MODEL, &overrides).ok()
}

/// Runs; the last checkpoint stays in the file.
fn run(kind: &str, mut checkpoints: Checkpoints) -> Option<()> {
    let loaded = loaded(kind)?;
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).ok()?;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).ok()?;
    let mut recording = Recording::new(&loaded, &*built.system, Sampling::Steps(1));
    let outcome = match (settings.tolerance, settings.adaptive_run()) {
        (Some(tol), Some(run)) => {
            let mut method = adaptive_method(&settings.method, &settings.options, tol).ok()?;
            run.run_with(&*built.system, &mut *method, &mut state, &mut recording, Some(&mut checkpoints))
        }
        _ => {
            let mut method = method(&settings.method, &settings.options).ok()?;
            let run = settings.run();
            run.run_with(&*built.system, &mut *method, &mut state, &mut recording, Some(&mut checkpoints))
        }
    };
    outcome.map_err(|f| drop(f.to_string())).ok().map(drop)
}

fn checkpoints(kind: &str, file: PathBuf, cadence: Cadence) -> Option<Checkpoints> {
    Some(Checkpoints::new(file, cadence, Identity::of(&loaded(kind)?)))
}

/// A checkpoint of each run.
pub fn seeds() -> Vec<Seed> {
    let seed = |(kind, _): &(&str, &[&str])| {
        let file =
            std::env::temp_dir().join(format!("precess-fuzz-{}-{kind}.checkpoint", std::process::id()));
        run(kind, checkpoints(kind, file.clone(), Cadence::Steps(3))?)?;
        let bytes = std::fs::read(&file).ok()?;
        let _ = std::fs::remove_file(&file);
        Some(Seed { file, kind: kind.to_string(), bytes })
    };
    RUNS.iter().filter_map(seed).collect()
}

/// Reads it.
pub fn feed(kind: &str, bytes: &[u8]) {
    if let Some(mut checkpoints) =
        checkpoints(kind, PathBuf::from("fuzz.checkpoint"), Cadence::Steps(usize::MAX))
        && let Err(e) = checkpoints.resume_from(bytes)
    {
        drop(e.to_string());
    }
}

/// Magic, version and length.
const HEADER: usize = 20;

/// Whole numbers and floating-point numbers at the edges.
const NUMBERS: [u64; 12] = [
    0,
    1,
    2,
    u64::MAX,
    i64::MAX as u64,
    1 << 32,
    1 << 60,
    f64::NAN.to_bits(),
    f64::INFINITY.to_bits(),
    1e300_f64.to_bits(),
    5e-324_f64.to_bits(),
    (-1.0_f64).to_bits(),
];

/// A changed checkpoint.
pub fn make(rng: &mut Rng, seed: &Seed, other: &Seed, words: &[&str]) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    let end = bytes.len().saturating_sub(4);
    bytes.truncate(end);
    match rng.u8(..8) {
        0 => return mutate(rng, &seed.bytes, &other.bytes, words),
        1 => {
            let payload = mutate(rng, bytes.get(HEADER..).unwrap_or(&[]), &other.bytes, words);
            bytes.truncate(HEADER);
            bytes.extend(payload);
        }
        n => {
            for _ in 0..(n / 2) {
                let at = HEADER + rng.usize(..end.saturating_sub(HEADER + 8).max(1));
                let number = rng.choice(NUMBERS).unwrap_or(0).wrapping_add(u64::from(rng.u8(..2)));
                if let Some(place) = bytes.get_mut(at..at + 8) {
                    place.copy_from_slice(&number.to_le_bytes());
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
