//! Signals that end the program: Ctrl-C, and on Unix SIGTERM and SIGHUP, which batch systems and terminals
//! send.
//!
//! The first signal ends a run or a sweep after its step, and what there is is written. The second one, or
//! the first one of other commands, ends the program at once. No temporary file remains.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// True while something watches [`asked`].
static LISTENING: AtomicBool = AtomicBool::new(false);

/// Exit code of a stopped run, as shells use it for the signal.
pub const CODE: u8 = 130;

/// Handles signals from now on. If no handler can be set, signals end the program as usual.
pub fn install() {
    #[cfg(target_os = "linux")]
    keep_ignored_hangup();
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) || !LISTENING.load(Ordering::SeqCst) {
            precess::study::replace::discard_all();
            std::process::exit(i32::from(CODE));
        }
    });
}

/// If SIGHUP is ignored when the program starts, as with `nohup`, it stays without effect.
#[cfg(target_os = "linux")]
fn keep_ignored_hangup() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if mask >> (Signal::SIGHUP as u32 - 1) & 1 == 1 {
        let mut hangup = SigSet::empty();
        hangup.add(Signal::SIGHUP);
        let _ = hangup.thread_block();
    }
}

/// The first signal no longer ends the program, but makes [`asked`] true.
pub fn listen() {
    LISTENING.store(true, Ordering::SeqCst);
}

/// True after the first signal.
pub fn asked() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
