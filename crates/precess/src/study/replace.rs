//! Files that appear under their name when they are complete: whoever is killed in between leaves the old one
//! or the new one, whole. A file is written beside its name ([`beside`]), synced to the disk and renamed
//! ([`settle`]).

use std::fs::File;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

/// Where a file is written until it is complete.
pub fn beside(file: &Path) -> PathBuf {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

/// Gives a complete file its name.
pub fn settle(out: &File, file: &Path) -> Result<()> {
    out.sync_all()?;
    std::fs::rename(beside(file), file)?;
    // The new name must be on the disk as well. Not every system lets folders be opened.
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a whole file; where that fails nothing new is left.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let written = File::create(beside(file)).and_then(|mut out| {
        out.write_all(bytes)?;
        settle(&out, file)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(beside(file));
    }
    written
}
