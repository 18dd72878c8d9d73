//! Why there is no checkpoint.

/// Why there is no checkpoint, or why a run cannot go on from one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(
        "cannot read the checkpoint {file}: {reason}\n  help: give a checkpoint that precess has written, or start again without one"
    )]
    Read {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The file cannot be written.
    #[error(
        "cannot write the checkpoint {file}: {reason}\n  help: choose a place you may write to, on a disk with room"
    )]
    Write {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The file is something else.
    #[error(
        "{file} is no checkpoint of precess\n  help: give a checkpoint that precess has written, or start again without one"
    )]
    Foreign {
        /// The file.
        file: String,
    },
    /// The file has another format.
    #[error(
        "the checkpoint {file} has version {found} of the format and this precess has version {expected}\n  \
         help: resume with the precess that wrote it, or start again without one"
    )]
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// The file was cut off or changed.
    #[error("the checkpoint {file} is damaged: {reason}\n  help: start again without one")]
    Damaged {
        /// The file.
        file: String,
        /// What was found.
        reason: String,
    },
    /// The file belongs to another run.
    #[error(
        "the checkpoint {file} is of another run: {what} is {found} there and {here} here\n  \
         help: resume with the same model and options, or start again without one"
    )]
    Other {
        /// The file.
        file: String,
        /// What differs.
        what: String,
        /// In the checkpoint.
        found: String,
        /// In this run.
        here: String,
    },
}
