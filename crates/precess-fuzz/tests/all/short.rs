//! A short, deterministic part of the fuzzing, and every input that once failed.

use std::time::Duration;

use precess_fuzz::checkpoint;
use precess_fuzz::corpus::read;
use precess_fuzz::engine::{Plan, feed, input, run};
use precess_fuzz::targets::{TARGETS, target};

fn few(name: &str, runs: u64) {
    let target = target(name).unwrap();
    let seeds = target.seeds().unwrap();
    assert!(!seeds.is_empty());
    for (i, seed) in seeds.iter().enumerate() {
        let (what, ..) = feed(&target, &seed.kind, &seed.bytes, i as u64);
        println!("{}: {what:?}", seed.file.display());
        assert_eq!(what, None, "{}", seed.file.display());
    }
    let plan = Plan { seed: 2026, from: 0, runs, time: Duration::MAX, jobs: 1, save: None, trace: false };
    let outcome = run(&target, &seeds, &plan, &|_| {});
    assert_eq!(outcome.runs, runs);
    let found: Vec<String> = outcome
        .findings
        .iter()
        .map(|f| format!("input {}: {}\n{}", f.number, f.what, String::from_utf8_lossy(&f.bytes)))
        .collect();
    // The engine keeps panics quiet.
    found.iter().for_each(|f| println!("{f}"));
    assert!(found.is_empty(), "{} findings", found.len());
}

/// Inputs that once failed and are too large or too slow to be mutated: fed as they were found.
#[test]
fn found() {
    let mut fed = 0;
    for target in TARGETS {
        let folder = format!("fuzz/found/{}", target.name);
        for seed in read(&[&folder], target.extensions).unwrap_or_default() {
            let (what, ..) = feed(target, &seed.kind, &seed.bytes, fed);
            assert_eq!(what, None, "{}", seed.file.display());
            fed += 1;
        }
    }
    assert_eq!(fed, 8);
}

/// Unchanged checkpoints are resumed, and so are some whose changed numbers could occur in any run. The
/// others are refused with a reason.
#[test]
fn checkpoints_are_taken_up() {
    let target = target("checkpoint").unwrap();
    let seeds = target.seeds().unwrap();
    assert_eq!(seeds.len(), 10);
    for seed in &seeds {
        checkpoint::take_up(&seed.kind, &seed.bytes).unwrap_or_else(|e| panic!("{}: {e}", seed.kind));
    }
    let changed = (0..1000).map(|n| input(&target, &seeds, 5, n));
    let taken = changed.filter(|(kind, bytes)| checkpoint::take_up(kind, bytes).is_ok()).count();
    assert!((20..600).contains(&taken), "{taken}");
}

#[test]
fn units_tables_meshes_and_parts() {
    for name in ["unit", "table", "mesh", "include"] {
        few(name, 300);
    }
}

#[test]
fn models() {
    few("model", 6_000);
}

#[test]
fn robots() {
    few("urdf", 6_000);
    few("mjcf", 2_000);
}

#[test]
fn flexible_bodies() {
    few("calculix", 6_000);
    few("modal", 600);
}

#[test]
fn expressions() {
    few("expression", 20_000);
}

#[test]
fn results() {
    few("results", 6_000);
}

#[test]
fn checkpoints() {
    few("checkpoint", 6_000);
}

#[test]
fn every_target_has_its_test() {
    assert_eq!(TARGETS.len(), 12);
}

/// The fuzzer finds the faults that it looks for: a reader that panics, one that is slow, one that needs too
/// much memory.
#[test]
fn mistakes_are_found() {
    let seeds = target("expression").unwrap().seeds().unwrap();
    let found = |feed: fn(&str, &[u8])| {
        let mut target = target("expression").unwrap();
        target.feed = feed;
        let plan =
            Plan { seed: 1, from: 0, runs: 3000, time: Duration::MAX, jobs: 2, save: None, trace: false };
        run(&target, &seeds, &plan, &|_| {}).findings.into_iter().next().map(|f| f.what)
    };
    assert_eq!(found(|_, _| {}), None);
    let panic = found(|_, bytes| assert!(!bytes.starts_with(b"sin"), "a sine")).unwrap();
    assert!(panic.contains("a sine") && panic.contains("short.rs"), "{panic}");
    let memory = found(|_, bytes| {
        if bytes.first() == Some(&b't') {
            std::hint::black_box(vec![0_u8; 300 << 20]);
        }
    });
    assert_eq!(memory.unwrap(), "it holds 300 MB");
}
