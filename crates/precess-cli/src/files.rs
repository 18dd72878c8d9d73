//! Output files: opened before the work is done, renamed to their final name when they are complete.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use precess::study::replace::{beside, settle};

use crate::output::{Stop, wrong};

/// A file to be written.
pub struct Target {
    /// Final name.
    pub file: PathBuf,
    /// Extension, which selects the format.
    pub kind: String,
    part: PathBuf,
    out: File,
}

impl Target {
    /// Opens a temporary file beside the final one; the extension must be one of these.
    pub fn open(file: &Path, kinds: &[&str]) -> Result<Self, Stop> {
        let kind = file.extension().and_then(|e| e.to_str()).unwrap_or("");
        if !kinds.contains(&kind) {
            let list = kinds.iter().map(|k| format!(".{k}")).collect::<Vec<_>>().join(", ");
            return Err(wrong(format!(
                "{}: unknown kind of output file\n  help: use one of {list}",
                file.display()
            )));
        }
        let part = beside(file);
        let out = File::create(&part).map_err(|e| {
            wrong(format!("cannot write {}: {e}\n  help: choose a file you may write (-o)", file.display()))
        })?;
        Ok(Target { file: file.to_path_buf(), kind: kind.to_string(), part, out })
    }

    /// Writes the content under the final name.
    pub fn write(mut self, content: &[u8]) -> Result<String, Stop> {
        let done = self.out.write_all(content).and_then(|()| self.out.flush());
        let done = done.and_then(|()| settle(&self.out, &self.file));
        done.map_err(|e| Stop {
            code: 1,
            message: format!("error: cannot write {}: {e}", self.file.display()),
        })?;
        Ok(self.file.display().to_string())
    }
}

impl Drop for Target {
    /// Removes an incomplete file.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.part);
    }
}
