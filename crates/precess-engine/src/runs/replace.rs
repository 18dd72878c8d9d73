//! Files that appear under their name only when they are complete. If a program is killed in between, the old
//! file or the new one remains, never a part. A file is written under a temporary name ([`beside`]), synced
//! to the disk and renamed ([`settle`]).

use std::fs::File;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

/// The temporary name of a file until it is complete.
pub fn beside(file: &Path) -> PathBuf {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

/// Gives a complete file its final name.
pub fn settle(out: &File, file: &Path) -> Result<()> {
    out.sync_all()?;
    std::fs::rename(beside(file), file)?;
    // The new name must also be on the disk. Some systems cannot open folders.
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a whole file; on an error nothing new remains.
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
