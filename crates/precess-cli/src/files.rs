//! Output files: opened before the work is done, renamed to their final name when they are complete.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::io::Write;
use std::path::{Path, PathBuf};

use precess::study::replace::{Draft, remove_leftovers};

use crate::output::{Stop, unwritable, wrong};

/// A file to be written.
pub struct Target {
    /// Final name.
    pub file: PathBuf,
    /// Extension, which selects the format.
    pub kind: String,
    draft: Draft,
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
        remove_leftovers(file);
        let draft =
            Draft::create(file).map_err(|e| unwritable(file, &e, "choose a file you may write (-o)"))?;
        Ok(Target { file: file.to_path_buf(), kind: kind.to_string(), draft })
    }

    /// Writes the content under the final name.
    pub fn write(mut self, content: &[u8]) -> Result<String, Stop> {
        let done = self.draft.write_all(content).and_then(|()| self.draft.finish());
        done.map_err(|e| Stop {
            code: 1,
            message: format!("error: cannot write {}: {e}", self.file.display()),
        })?;
        Ok(self.file.display().to_string())
    }
}
