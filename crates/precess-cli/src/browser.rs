//! Finds and starts browsers and other programs of this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Opens a page in the user's browser; false if that is impossible.
pub fn open(page: &Path) -> bool {
    // Without a display, some browsers would take over the terminal.
    let display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|v| std::env::var_os(v).is_some());
    let command: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["explorer"]
    } else if display {
        &["xdg-open"]
    } else {
        return false;
    };
    let Some((program, words)) = command.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(words).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

/// The first of these programs that is installed.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let candidates = names.iter().flat_map(|n| folders.iter().map(move |f| f.join(n)));
    candidates.into_iter().find(|p| p.is_file())
}
