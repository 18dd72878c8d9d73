//! Ctrl-C: the first one ends a run after its step, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Exit code of a stopped run, as shells use it for the signal.
pub const CODE: u8 = 130;

/// Starts to watch for Ctrl-C. If no handler can be set, Ctrl-C ends the program as usual.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(CODE));
        }
    });
}

/// True after the first Ctrl-C.
pub fn asked() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
