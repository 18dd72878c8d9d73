//! Pages that animate states without a run: modes, and the path to an equilibrium.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::io::IsTerminal;
use std::path::PathBuf;

use crate::browser;
use crate::files::Target;
use crate::output::{Stop, message, print};

/// Opens the file of a page, before anything is computed.
pub fn target(file: Option<&PathBuf>) -> Result<Option<Target>, Stop> {
    file.map(|f| Target::open(f, &["html"])).transpose()
}

/// Writes a page, and opens it if the command runs in a terminal.
pub fn write(target: Target, page: &str, quiet: bool) -> Result<(), Stop> {
    let file = target.file.clone();
    let written = target.write(page.as_bytes())?;
    if quiet {
        return Ok(());
    }
    print(&format!("page: {written}, {} kB\n", page.len().div_ceil(1000)));
    if std::io::stdout().is_terminal() && !browser::open(&file) {
        message("no browser could be started here: open the page yourself");
    }
    Ok(())
}
