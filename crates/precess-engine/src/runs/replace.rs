//! Files that appear under their name only when they are complete. If a program is killed in between, the old
//! file or the new one remains, never a part.
//!
//! A [`Draft`] is written under a temporary name of its own, synced to the disk and renamed. So two programs
//! that write the same file do not disturb each other: the last one to finish wins, and its file is whole.
//! The temporary file of a program that was killed is removed by the next one that writes the same file.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The end of all temporary names.
const PART: &str = ".part";
/// Longest chain of symbolic links.
const MAX_LINKS: usize = 40;

/// The temporary files of this program.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files of this program, before it ends at once.
pub fn discard_all() {
    open().drain(..).for_each(|part| drop(std::fs::remove_file(part)));
}

/// A file that is being written. Without [`finish`](Self::finish) nothing of it remains.
#[derive(Debug)]
pub struct Draft {
    out: File,
    /// The temporary name. A device or pipe has none: it is written directly.
    part: Option<PathBuf>,
    target: PathBuf,
}

impl Draft {
    /// Begins a file. A symbolic link keeps its place, and the file behind it is replaced.
    pub fn create(file: &Path) -> Result<Self> {
        let target = behind_links(file)?;
        match std::fs::metadata(&target) {
            Ok(there) if there.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let out = OpenOptions::new().write(true).open(&target)?;
                return Ok(Draft { out, part: None, target });
            }
            _ => {}
        }
        loop {
            let part = next_part(&target);
            let out = match OpenOptions::new().write(true).create_new(true).open(&part) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
                out => out?,
            };
            // Some disks have no locks. Then nobody removes the file of a program that was killed.
            let _ = out.lock();
            // Another program may have removed it as a leftover just before.
            if part.exists() {
                open().push(part.clone());
                return Ok(Draft { out, part: Some(part), target });
            }
        }
    }

    /// Gives the complete file its name.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush()?;
        let Some(part) = &self.part else { return Ok(()) };
        self.out.sync_all()?;
        std::fs::rename(part, &self.target)?;
        open().retain(|other| other != part);
        self.part = None;
        // The new name must also be on the disk. Some systems cannot open folders.
        if let Ok(folder) = File::open(folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = std::fs::remove_file(part);
            open().retain(|other| other != part);
        }
    }
}

/// The file behind a chain of symbolic links, which need not exist.
fn behind_links(file: &Path) -> Result<PathBuf> {
    let mut file = file.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&file) else { return Ok(file) };
        file = folder_of(&file).join(next);
    }
    Err(Error::other("too many symbolic links"))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new temporary name: `FILE.PROCESS-NUMBER.part`.
fn next_part(target: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let process = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut part = target.as_os_str().to_owned();
    part.push(format!(".{process}-{number}{PART}"));
    PathBuf::from(part)
}

/// Removes the temporary files of this file that killed programs have left. Those of running programs are
/// locked.
pub fn remove_leftovers(file: &Path) {
    let Ok(target) = behind_links(file) else { return };
    let Some(name) = target.file_name().map(|name| format!("{}.", name.to_string_lossy())) else { return };
    for entry in std::fs::read_dir(folder_of(&target)).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let middle = found.to_str().and_then(|f| f.strip_prefix(&name)?.strip_suffix(PART));
        let numbers = middle.and_then(|m| m.split_once('-'));
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        if numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
            && let Ok(part) = OpenOptions::new().write(true).open(entry.path())
            && part.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes a whole file; on an error nothing new remains.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let mut draft = Draft::create(file)?;
    draft.write_all(bytes)?;
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("precess-replace-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Many writers of one file: it is always whole, and at the end nothing else is there.
    #[test]
    fn writers_do_not_disturb_each_other() {
        let folder = folder("writers");
        let file = folder.join("out.csv");
        std::thread::scope(|scope| {
            for k in 0..8_u8 {
                let file = &file;
                scope.spawn(move || {
                    for i in 0..20 {
                        let mut draft = Draft::create(file).unwrap();
                        remove_leftovers(file);
                        for _ in 0..100 {
                            draft.write_all(&[k; 97]).unwrap();
                        }
                        if i % 3 > 0 {
                            draft.finish().unwrap();
                            let found = std::fs::read(file).unwrap();
                            assert_eq!(found.len(), 9700);
                            assert!(found.iter().all(|b| *b == found[0]));
                        }
                    }
                });
            }
        });
        assert_eq!(names(&folder), ["out.csv"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Leftovers are removed, files of users and of running programs are not.
    #[test]
    fn leftovers() {
        let folder = folder("leftovers");
        let file = folder.join("out.csv");
        let kept = ["out.csv", "out.csv.1.part", "out.csv.old.part", "out.csv.part", "x.csv.1-2.part"];
        for name in kept.iter().chain(&["out.csv.7-0.part", "out.csv.12-34.part"]) {
            std::fs::write(folder.join(name), name).unwrap();
        }
        let draft = Draft::create(&file).unwrap();
        assert_eq!(names(&folder).len(), 8);
        remove_leftovers(&file);
        assert_eq!(names(&folder).len(), 6);
        drop(draft);
        assert_eq!(names(&folder), kept);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "out.csv");
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A link stays a link, and its file gets the content. A device is written and not replaced.
    #[cfg(target_os = "linux")]
    #[test]
    fn links_and_devices() {
        use std::os::unix::fs::symlink;
        let folder = folder("links");
        std::fs::create_dir(folder.join("far")).unwrap();
        symlink("far/there.csv", folder.join("here.csv")).unwrap();
        symlink("here.csv", folder.join("first.csv")).unwrap();
        // The file does not exist at first.
        for text in ["one", "two"] {
            replace(&folder.join("first.csv"), text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(folder.join("far/there.csv")).unwrap(), text);
            assert!(std::fs::symlink_metadata(folder.join("here.csv")).unwrap().is_symlink());
        }
        assert_eq!(names(&folder.join("far")), ["there.csv"]);
        symlink("loop", folder.join("loop")).unwrap();
        assert!(replace(&folder.join("loop"), b"x").is_err());
        assert!(replace(&folder.join("far"), b"x").is_err());
        symlink("/dev/full", folder.join("full.csv")).unwrap();
        assert_eq!(replace(&folder.join("full.csv"), b"x").unwrap_err().kind(), ErrorKind::StorageFull);
        symlink("/dev/null", folder.join("null.csv")).unwrap();
        replace(&folder.join("null.csv"), b"x").unwrap();
        assert!(std::fs::symlink_metadata(folder.join("null.csv")).unwrap().is_symlink());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
