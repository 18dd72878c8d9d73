//! Checkpoints: a run that was killed continues from the last one, with the same bits as without the
//! interruption.
//!
//! A checkpoint contains everything the rest of a run depends on ([`persist`](mod@crate::persist)): the
//! state, the history of the method with its kept matrices, signs of event functions, positions of switches,
//! counters, monitors and recorded results. It replaces the previous one atomically: it is written to a
//! temporary file, synced to the disk and renamed. Checkpoints do not change a single bit of the results.
//!
//! ```text
//! magic "PRECESS\x1a" | format version u32 | length u64 | identity, wall time, run | CRC-32 of all before
//! ```
//!
//! The identity describes the run in words. Another model, method or version is refused, and the error names
//! the difference.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::replace::{Draft, remove_leftovers, replace};
use crate::Error;
use crate::clock::Instant;
pub use crate::error::checkpoint::CheckpointError;
use crate::persist::{Archive, Damage, Persist, ensure};

const MAGIC: &[u8; 8] = b"PRECESS\x1a";
/// Version of the format.
const VERSION: u32 = 10;
/// Magic, version and length.
const HEADER: usize = 8 + 4 + 8;

/// Longest possible run in seconds of wall time: a thousand years.
const LONGEST_RUN: f64 = 3.2e10;

/// How often a checkpoint is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cadence {
    /// After this number of steps.
    Steps(usize),
    /// After this wall time.
    Time(Duration),
}

impl Cadence {
    /// `1000steps` or `1000`; `30s`, `5min` and `2h` are wall times.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |value| Error::Parameter {
            name: "checkpoint-every",
            value,
            expected: "give a positive number of steps (1000steps) or a time on the clock (30s, 5min, 2h)",
        };
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
        let x: f64 = digits.trim().parse().map_err(|_| wrong(f64::NAN))?;
        let seconds = match text.strip_prefix(digits).unwrap_or_default() {
            "" | "step" | "steps" if x >= 1.0 && x.fract() == 0.0 => return Ok(Cadence::Steps(x as usize)),
            "s" => x,
            "min" => 60.0 * x,
            "h" => 3600.0 * x,
            _ => return Err(wrong(x)),
        };
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) if !time.is_zero() => Ok(Cadence::Time(time)),
            _ => Err(wrong(x)),
        }
    }
}

/// The name of the pair with the formulation of a model.
pub const FORMULATION: &str = "the formulation";
/// The name of the pair with the name of the model file.
pub const FILE: &str = "the name of the model file";
/// The name of the pair with the source of the model.
pub const TEXT: &str = "the source of the model";
/// The name of the pair with the replaced entries of the source.
pub const REPLACED: &str = "the replaced entries of the source";

/// The identity of a run, in pairs of a name and a value: two runs with the same pairs have the same bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// A run of this version of precess.
    pub fn new() -> Self {
        Identity::default().with("the version of precess", env!("CARGO_PKG_VERSION"))
    }

    /// Adds a pair that distinguishes the run.
    pub fn with(mut self, what: &str, value: impl std::fmt::Display) -> Self {
        self.0.push((what.to_string(), value.to_string()));
        self
    }

    /// Adds a pair with the fingerprint of a long text.
    pub fn with_text(self, what: &str, text: &str) -> Self {
        // FNV-1a, 64 bits: detects mistakes, not forgery.
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        self.with(what, format_args!("no. {hash:016x}"))
    }

    /// The first difference: name, value here, value there.
    fn difference(&self, other: &Identity) -> Option<(String, String, String)> {
        let value = |list: &Identity, what: &str| {
            list.0.iter().find(|x| x.0 == what).map_or("missing".to_string(), |x| x.1.clone())
        };
        self.0
            .iter()
            .chain(&other.0)
            .map(|(what, _)| (what.clone(), value(self, what), value(other, what)))
            .find(|(_, here, there)| here != there)
    }
}

/// The state of a checkpoint, with the sizes of `like` and in this formulation; the run may differ otherwise.
pub fn state_of(
    file: &Path,
    formulation: &str,
    like: &crate::mechanics::State,
) -> Result<crate::mechanics::State, CheckpointError> {
    let name = file.display().to_string();
    let bytes =
        content(file).map_err(|e| CheckpointError::Read { file: name.clone(), reason: e.to_string() })?;
    let (identity, payload) = opened(&name, &bytes)?;
    let what = FORMULATION;
    if let Some((_, found)) = identity.0.iter().find(|x| x.0 == what && x.1 != formulation) {
        let (found, here) = (found.clone(), formulation.to_string());
        return Err(CheckpointError::Other { file: name, what: what.to_string(), found, here });
    }
    let mut archive = Archive::reader(payload);
    let (mut identity, mut seconds, mut state) = (Identity::default(), 0.0_f64, like.clone());
    let mut read = || {
        archive.growing(&mut identity.0)?;
        seconds.persist(&mut archive)?;
        archive.finite("the state", |archive| state.persist(archive))
    };
    read().map_err(|e| CheckpointError::Damaged {
        file: name,
        reason: format!("{e}, or it is of another model"),
    })?;
    Ok(state)
}

/// The model of the run of a checkpoint.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of its file.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// The replaced entries.
    pub overrides: Vec<String>,
    /// The formulation of the run.
    pub formulation: String,
}

/// The model of the run of a checkpoint, for runs of other models that begin at its state.
pub fn source_of(file: &Path) -> Result<Source, CheckpointError> {
    let name = file.display().to_string();
    let bytes =
        content(file).map_err(|e| CheckpointError::Read { file: name.clone(), reason: e.to_string() })?;
    let (identity, _) = opened(&name, &bytes)?;
    let entry = |what: &str| {
        let found = identity.0.iter().find(|x| x.0 == what).map(|x| x.1.clone());
        let reason = format!("{what} is missing");
        found.ok_or_else(|| CheckpointError::Damaged { file: name.clone(), reason })
    };
    Ok(Source {
        file: entry(FILE)?,
        text: entry(TEXT)?,
        overrides: entry(REPLACED)?.lines().map(str::to_string).collect(),
        formulation: entry(FORMULATION)?,
    })
}

/// Opens a file that is no device and no pipe, which may have no end.
fn plain(file: &Path) -> std::io::Result<File> {
    if std::fs::metadata(file)?.is_file() {
        return File::open(file);
    }
    Err(std::io::Error::other("it is not a plain file"))
}

fn content(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    plain(file)?.read_to_end(&mut bytes).map(|_| bytes)
}

/// Identity and content of a file, from its bytes.
fn opened<'a>(file: &str, bytes: &'a [u8]) -> Result<(Identity, &'a [u8]), CheckpointError> {
    let damaged = |reason: String| CheckpointError::Damaged { file: file.to_string(), reason };
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(CheckpointError::Foreign { file: file.to_string() });
    };
    let mut archive = Archive::reader(rest);
    let (mut version, mut length) = (0_u32, 0_u64);
    version.persist(&mut archive).map_err(|e| damaged(e.to_string()))?;
    if version != VERSION {
        return Err(CheckpointError::Version { file: file.to_string(), found: version, expected: VERSION });
    }
    length.persist(&mut archive).map_err(|e| damaged(e.to_string()))?;
    let parts = bytes.split_last_chunk::<4>().and_then(|(all, sum)| Some((all, all.get(HEADER..)?, sum)));
    let Some((checked, payload, checksum)) = parts else {
        return Err(damaged(Damage::End.to_string()));
    };
    if payload.len() as u64 != length {
        return Err(damaged(format!("it has {} bytes instead of {length}", payload.len())));
    }
    if *checksum != crc32fast::hash(checked).to_le_bytes() {
        return Err(damaged("its checksum is wrong".to_string()));
    }
    let mut archive = Archive::reader(payload);
    let mut identity = Identity::default();
    archive.growing(&mut identity.0).map_err(|e| damaged(e.to_string()))?;
    Ok((identity, payload))
}

/// Writes checkpoints of a run, and resumes from one.
#[derive(Debug)]
pub struct Checkpoints {
    /// The file; without a file the last checkpoint is kept in memory.
    file: Option<PathBuf>,
    bytes: Vec<u8>,
    cadence: Cadence,
    identity: Identity,
    /// The content of a checkpoint, until the run has read it.
    found: Option<Vec<u8>>,
    last_step: usize,
    last_time: Instant,
    begin: Instant,
    /// Wall time of earlier parts of the run.
    before: Duration,
    /// Checkpoints written by this part of the run.
    pub written: usize,
    /// Step and time at which the run was resumed.
    pub resumed: Option<(usize, f64)>,
}

impl Checkpoints {
    /// Checkpoints in this file, this often, of this run.
    pub fn new(file: impl Into<PathBuf>, cadence: Cadence, identity: Identity) -> Self {
        Checkpoints { file: Some(file.into()), ..Checkpoints::in_memory(cadence, identity) }
    }

    /// Checkpoints in memory ([`bytes`](Self::bytes)), this often, of this run.
    pub fn in_memory(cadence: Cadence, identity: Identity) -> Self {
        let now = Instant::now();
        Checkpoints {
            file: None,
            bytes: Vec::new(),
            cadence,
            identity,
            found: None,
            last_step: 0,
            last_time: now,
            begin: now,
            before: Duration::ZERO,
            written: 0,
            resumed: None,
        }
    }

    fn name(&self) -> String {
        self.file.as_ref().map_or_else(|| "in memory".to_string(), |file| file.display().to_string())
    }

    /// The last checkpoint in memory; empty before the first.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Prepares a run from the beginning: checkpoints can be written here, and replace nothing.
    pub fn begin(&self) -> Result<(), CheckpointError> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut head = [0; MAGIC.len()];
        match plain(file).and_then(|mut file| file.read_exact(&mut head)) {
            Ok(()) if head == *MAGIC => Err(CheckpointError::Exists { file: self.name() }),
            Err(e) if e.kind() == ErrorKind::NotFound => self.writable(),
            _ => Err(CheckpointError::Occupied { file: self.name() }),
        }
    }

    /// Tries to write beside the file.
    fn writable(&self) -> Result<(), CheckpointError> {
        let Some(file) = &self.file else { return Ok(()) };
        remove_leftovers(file);
        let tried = Draft::create(file).map(drop);
        tried.map_err(|e| CheckpointError::Write { file: self.name(), reason: e.to_string() })
    }

    /// Reads the file, from which the next run continues; false if there is none.
    pub fn resume(&mut self) -> Result<bool, CheckpointError> {
        let Some(file) = &self.file else { return Ok(false) };
        let bytes = match content(file) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::NotFound => return self.writable().map(|()| false),
            Err(e) => return Err(CheckpointError::Read { file: self.name(), reason: e.to_string() }),
        };
        self.resume_from(&bytes)?;
        self.writable().map(|()| true)
    }

    /// The same with the bytes of a file.
    pub fn resume_from(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let file = self.name();
        let (identity, payload) = opened(&file, bytes)?;
        if let Some((what, here, found)) = self.identity.difference(&identity) {
            return Err(CheckpointError::Other { file, what, found, here });
        }
        self.found = Some(payload.to_vec());
        Ok(())
    }

    /// True if there is a checkpoint to continue from.
    pub(super) fn resumes(&self) -> bool {
        self.found.is_some()
    }

    /// Reads the checkpoint; `fill` gets an archive with the parts of the run and returns step and time.
    pub fn load(
        &mut self,
        fill: impl FnOnce(&mut Archive) -> Result<(usize, f64), Damage>,
    ) -> Result<(), Error> {
        let payload = self.found.take().unwrap_or_default();
        let mut archive = Archive::reader(&payload);
        let mut identity = Identity::default();
        let mut seconds = 0.0;
        let read = || {
            archive.growing(&mut identity.0)?;
            seconds.persist(&mut archive)?;
            ensure((0.0..LONGEST_RUN).contains(&seconds), || format!("it took {seconds} s on the clock"))?;
            let saved = fill(&mut archive)?;
            archive.finish().map(|()| saved)
        };
        let saved =
            read().map_err(|e| CheckpointError::Damaged { file: self.name(), reason: e.to_string() })?;
        self.before = Duration::from_secs_f64(seconds);
        self.last_step = saved.0;
        self.resumed = Some(saved);
        Ok(())
    }

    /// Wall time of the whole run, including earlier parts.
    pub(super) fn wall(&self) -> Duration {
        self.before + self.begin.elapsed()
    }

    /// True if a checkpoint is due.
    pub fn is_due(&self, step: usize) -> bool {
        match self.cadence {
            Cadence::Steps(n) => step - self.last_step >= n,
            Cadence::Time(time) => self.last_time.elapsed() >= time,
        }
    }

    /// Writes a checkpoint; `fill` fills its archive.
    pub fn save(
        &mut self,
        step: usize,
        fill: impl FnOnce(&mut Archive) -> Result<(), Damage>,
    ) -> Result<(), CheckpointError> {
        let failed = |reason: String| CheckpointError::Write { file: self.name(), reason };
        let mut archive = Archive::writer();
        let put = || {
            let mut head = (*MAGIC, (VERSION, 0_u64));
            head.persist(&mut archive)?;
            archive.growing(&mut self.identity.0.clone())?;
            self.wall().as_secs_f64().persist(&mut archive)?;
            fill(&mut archive)
        };
        put().map_err(|e| failed(e.to_string()))?;
        let mut bytes = archive.into_bytes();
        let length = (bytes.len() - HEADER) as u64;
        bytes[12..HEADER].copy_from_slice(&length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        match &self.file {
            Some(file) => replace(file, &bytes).map_err(|e| failed(e.to_string()))?,
            None => self.bytes = bytes,
        }
        (self.last_step, self.last_time) = (step, Instant::now());
        self.written += 1;
        Ok(())
    }

    /// Removes the file at the end of the run, if it is a checkpoint of this run.
    pub fn remove(&self) {
        let Some(file) = &self.file else { return };
        let Ok(bytes) = content(file) else { return };
        let mine = opened("", &bytes).is_ok_and(|(identity, _)| identity == self.identity);
        if mine && (self.written > 0 || self.resumed.is_some()) {
            let _ = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_users() {
        let seconds = |s| Cadence::Time(Duration::from_secs(s));
        for (text, expected) in [
            ("1000steps", Cadence::Steps(1000)),
            ("1 step", Cadence::Steps(1)),
            ("50", Cadence::Steps(50)),
            ("30s", seconds(30)),
            (" 5 min ", seconds(300)),
            ("2h", seconds(7200)),
        ] {
            assert_eq!(Cadence::parse(text).unwrap(), expected, "{text}");
        }
        for text in
            ["", "0", "0s", "-3s", "1.5steps", "often", "s", "nan s", "1e400s", "inf", "3 weeks", "1e30h"]
        {
            assert!(Cadence::parse(text).is_err(), "{text}");
        }
    }
}
