//! Programs of this machine that show or draw pages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Opens a page in the browser of the user; false where that cannot be.
pub fn open(page: &Path) -> bool {
    // Without a display a browser would take over the terminal.
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

/// The first of these programs that this machine has.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let places = names.iter().flat_map(|n| folders.iter().map(move |f| f.join(n)));
    places.into_iter().find(|p| p.is_file())
}
