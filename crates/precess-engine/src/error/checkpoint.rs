//! Errors of checkpoints.

/// Why a checkpoint cannot be written, or why a run cannot continue from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(
        "cannot read the checkpoint {file}: {reason}\n  help: give a checkpoint that precess has written, \
         or start again without one"
    )]
    Read {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The file cannot be written.
    #[error(
        "cannot write the checkpoint {file}: {reason}\n  help: choose a folder you may write to, on a disk \
         with enough space"
    )]
    Write {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A run that does not continue would replace a checkpoint.
    #[error(
        "there is already a checkpoint {file}, of a run that has not ended\n  help: continue that run, \
         give another name, or remove the file"
    )]
    Exists {
        /// The file.
        file: String,
    },
    /// A run would replace a file that is not a checkpoint.
    #[error("{file} exists and is not a checkpoint: it is not replaced\n  help: give another name")]
    Occupied {
        /// The file.
        file: String,
    },
    /// The file is not a checkpoint.
    #[error(
        "{file} is not a checkpoint of precess\n  help: give a checkpoint that precess has written, or \
         start again without one"
    )]
    Foreign {
        /// The file.
        file: String,
    },
    /// The file has another format.
    #[error(
        "the checkpoint {file} has version {found} of the format, but this precess reads version \
         {expected}\n  \
         help: resume with the precess that wrote it, or start again without one"
    )]
    Version {
        /// The file.
        file: String,
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        expected: u32,
    },
    /// The file was cut off or changed.
    #[error("the checkpoint {file} is damaged: {reason}\n  help: start again without one")]
    Damaged {
        /// The file.
        file: String,
        /// The finding.
        reason: String,
    },
    /// The file belongs to another run.
    #[error(
        "the checkpoint {file} belongs to another run: {what} is {found} in the checkpoint and {here} in \
         this run\n  \
         help: resume with the same model and options, or start again without one"
    )]
    Other {
        /// The file.
        file: String,
        /// The part that differs.
        what: String,
        /// Value in the checkpoint.
        found: String,
        /// Value in this run.
        here: String,
    },
}
