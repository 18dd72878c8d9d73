//! The files from which mutations start.

use std::path::{Path, PathBuf};

/// A file: its bytes, and its extension if the reader uses it.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The path of the file.
    pub file: PathBuf,
    /// The extension.
    pub kind: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of some folders of the repository, in the order of their names.
pub fn read(folders: &[&str], extensions: &[&str]) -> std::io::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(repository().join(folder))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        files.sort();
        for file in files {
            let kind = file.extension().and_then(|e| e.to_str()).unwrap_or("").to_string();
            if extensions.contains(&kind.as_str()) {
                seeds.push(Seed { bytes: std::fs::read(&file)?, file, kind });
            }
        }
    }
    Ok(seeds)
}
