//! Running the program as a user does.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The output of a run of the program.
pub struct Outcome {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Outcome {
    /// The standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}\n{}\n{}", self.out, self.err))
    }

    /// The program must have ended with code 0.
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        self
    }

    /// Refused with code 2, a message that has all these parts, no output and no colours.
    pub fn refused(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, 2, "{}\n{}", self.out, self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        assert!(!self.err.contains('\u{1b}') && self.out.is_empty(), "{}\n{}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "'{part}' is missing in\n{}", self.err);
        }
        self
    }
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program at the root of the repository.
pub fn precess(args: &[&str]) -> Outcome {
    precess_with(&[], args)
}

/// Runs the program with these variables of the environment.
pub fn precess_with(variables: &[(&str, &str)], args: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_precess"))
        .args(args)
        .envs(variables.iter().copied())
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    Outcome {
        code: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// An empty directory for a test.
pub fn directory(name: &str) -> PathBuf {
    static NAMES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let new = NAMES.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string());
    assert!(new, "two tests want the folder {name}: one would remove files of the other");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory for the test");
    path
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Numbers of a JSON array.
pub fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap_or_else(|| panic!("not an array: {value}"));
    list.iter().map(|x| x.as_f64().unwrap_or_else(|| panic!("not a number: {x}"))).collect()
}
