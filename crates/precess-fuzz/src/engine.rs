//! The main loop. It makes inputs, feeds them to a target, and watches time, memory and panics.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use fastrand::Rng;

use crate::corpus::Seed;
use crate::memory;
use crate::targets::Target;

/// An input that takes longer, in seconds of processor time, is a finding.
pub const SLOW: f64 = 4.0;
/// If an input takes longer, in seconds of wall time, the process ends, because the input may never end.
const HANGS: f64 = 60.0;
/// An input that holds more memory at once is a finding.
pub const MUCH: usize = 256 << 20;

/// The settings of a session.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The same seed gives the same inputs.
    pub seed: u64,
    /// The number of the first input.
    pub from: u64,
    /// The largest number of inputs.
    pub runs: u64,
    /// The longest duration.
    pub time: Duration,
    /// The number of threads.
    pub jobs: u64,
    /// The folder for findings.
    pub save: Option<PathBuf>,
    /// True to print the number of each input before it is fed.
    pub trace: bool,
}

/// An input that failed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the input.
    pub number: u64,
    /// The extension.
    pub kind: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// The failure: a panic with its place, the time, or the memory.
    pub what: String,
}

/// The counts of a session.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The number of inputs.
    pub runs: u64,
    /// The wall time in seconds.
    pub seconds: f64,
    /// The processor time of the threads in seconds.
    pub processor: f64,
    /// The largest memory held by an input, in bytes.
    pub peak: usize,
    /// The longest processor time of an input in seconds, and the number of this input.
    pub slowest: (f64, u64),
    /// The findings. Only the first one at each place is kept.
    pub findings: Vec<Finding>,
}

/// Makes the input with a given number.
pub fn input(target: &Target, seeds: &[Seed], seed: u64, number: u64) -> (String, Vec<u8>) {
    // The generator of fastrand spreads its seed.
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
    let (Some(a), Some(b)) = (rng.choice(seeds), rng.choice(seeds)) else { return Default::default() };
    (a.kind.clone(), (target.make)(&mut rng, a, b, target.words))
}

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stores the messages of panics for the engine instead of printing them.
fn catch_messages() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        let _ = MESSAGE.try_with(|m| *m.borrow_mut() = text);
    }));
}

/// Feeds one input. Returns the failure if there is one, the time in seconds, and the bytes held.
pub fn feed(target: &Target, kind: &str, bytes: &[u8], number: u64) -> (Option<String>, f64, usize) {
    memory::begin(number);
    let begin = ThreadTime::now();
    let result = catch_unwind(AssertUnwindSafe(|| (target.feed)(kind, bytes)));
    let seconds = begin.elapsed().as_secs_f64();
    let peak = memory::peak();
    let what = match result {
        Err(_) => Some(MESSAGE.with(|m| m.borrow().clone())),
        Ok(()) if seconds > SLOW => Some(format!("it takes {seconds:.1} s")),
        Ok(()) if peak > MUCH => Some(format!("it holds {} MB", peak >> 20)),
        Ok(()) => None,
    };
    (what, seconds, peak)
}

/// The place of a finding. Without a place in the source, digits are removed, because they do not distinguish
/// findings.
fn place(what: &str) -> String {
    what.lines()
        .next()
        .unwrap_or("")
        .chars()
        .filter(|c| what.contains(".rs:") || !c.is_ascii_digit())
        .collect()
}

/// The current work of a thread, for the watchdog.
#[derive(Default)]
struct Doing {
    number: AtomicU64,
    done: AtomicU64,
    ended: AtomicBool,
}

/// Feeds inputs until the plan is fulfilled. `tell` receives messages about progress and findings.
pub fn run(target: &Target, seeds: &[Seed], plan: &Plan, tell: &(dyn Fn(&str) + Sync)) -> Outcome {
    catch_messages();
    let begin = Instant::now();
    let doing: Vec<Doing> = (0..plan.jobs.max(1)).map(|_| Doing::default()).collect();
    let jobs = doing.len() as u64;
    let mut total = Outcome::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = doing
            .iter()
            .enumerate()
            .map(|(k, doing)| {
                let numbers =
                    (plan.from + k as u64..plan.from.saturating_add(plan.runs)).step_by(jobs as usize);
                scope.spawn(move || work(target, seeds, plan, numbers, begin, doing, tell))
            })
            .collect();
        watch(target, seeds, plan, &doing, begin, tell);
        for thread in threads {
            // A thread that panics outside an input is a bug of this program.
            let part = thread.join().unwrap_or_default();
            total.runs += part.runs;
            total.processor += part.processor;
            total.peak = total.peak.max(part.peak);
            if part.slowest.0 > total.slowest.0 {
                total.slowest = part.slowest;
            }
            for f in part.findings {
                if !total.findings.iter().any(|g| place(&g.what) == place(&f.what)) {
                    total.findings.push(f);
                }
            }
        }
    });
    total.seconds = begin.elapsed().as_secs_f64();
    total
}

fn work(
    target: &Target,
    seeds: &[Seed],
    plan: &Plan,
    numbers: impl Iterator<Item = u64>,
    begin: Instant,
    doing: &Doing,
    tell: &(dyn Fn(&str) + Sync),
) -> Outcome {
    let mut outcome = Outcome::default();
    let processor = ThreadTime::now();
    for number in numbers {
        if begin.elapsed() > plan.time {
            break;
        }
        doing.number.store(number, Relaxed);
        if plan.trace {
            tell(&format!("input {number}"));
        }
        let (kind, bytes) = input(target, seeds, plan.seed, number);
        let (what, seconds, peak) = feed(target, &kind, &bytes, number);
        outcome.runs += 1;
        outcome.peak = outcome.peak.max(peak);
        if seconds > outcome.slowest.0 {
            outcome.slowest = (seconds, number);
        }
        if let Some(what) = what
            && !outcome.findings.iter().any(|f| place(&f.what) == place(&what))
        {
            let finding = Finding { number, kind, bytes, what };
            tell(&format!("input {number}: {}", finding.what));
            save(target, plan, &finding, tell);
            outcome.findings.push(finding);
        }
        doing.done.store(outcome.runs, Relaxed);
    }
    outcome.processor = processor.elapsed().as_secs_f64();
    doing.ended.store(true, Relaxed);
    outcome
}

/// Watches for inputs that never end, and reports the progress of the threads.
fn watch(
    target: &Target,
    seeds: &[Seed],
    plan: &Plan,
    doing: &[Doing],
    begin: Instant,
    tell: &(dyn Fn(&str) + Sync),
) {
    let mut since: Vec<(u64, Instant)> = doing.iter().map(|_| (u64::MAX, begin)).collect();
    let mut told = begin;
    while !doing.iter().all(|d| d.ended.load(Relaxed)) {
        std::thread::sleep(Duration::from_millis(20));
        for (d, (number, start)) in doing.iter().zip(&mut since) {
            let now = d.number.load(Relaxed);
            if now != *number {
                (*number, *start) = (now, Instant::now());
            } else if start.elapsed().as_secs_f64() > HANGS && !d.ended.load(Relaxed) {
                let (kind, bytes) = input(target, seeds, plan.seed, now);
                let finding =
                    Finding { number: now, kind, bytes, what: format!("it takes more than {HANGS} s") };
                tell(&format!("input {now}: {}; the process ends", finding.what));
                save(target, plan, &finding, tell);
                std::process::exit(3);
            }
        }
        if told.elapsed().as_secs() >= 10 {
            told = Instant::now();
            let done: u64 = doing.iter().map(|d| d.done.load(Relaxed)).sum();
            let at: Vec<u64> = doing.iter().map(|d| d.number.load(Relaxed)).collect();
            tell(&format!("{done} inputs, at {at:?}"));
        }
    }
}

fn save(target: &Target, plan: &Plan, finding: &Finding, tell: &(dyn Fn(&str) + Sync)) {
    let Some(folder) = &plan.save else { return };
    let name = format!("{}-{}-{}.{}", target.name, plan.seed, finding.number, finding.kind);
    let file = Path::new(folder).join(name);
    if let Err(e) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, &finding.bytes)) {
        tell(&format!("cannot write {}: {e}", file.display()));
    }
}
