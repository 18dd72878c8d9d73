//! Checks that there is room for results before a run, and saves them elsewhere if they cannot be written
//! after it.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::{Path, PathBuf};

use precess::model::{Built, Loaded, Settings};
use precess::study::Sampling;
use precess::study::results::{FileError, Output, Results};

use crate::output::{Stop, message, wrong};

/// Results are collected in memory. More bytes than this cause a warning.
const WARN_ABOVE_BYTES: f64 = 2e9;
/// More bytes than this are refused.
const MAX_BYTES: f64 = 6.4e10;

/// Approximate size of the results in memory, in bytes. It is zero if the steps follow from a tolerance.
fn bytes(loaded: &Loaded, built: &Built, t_0: f64) -> f64 {
    let (settings, model) = (&loaded.settings, &loaded.model);
    let rows = match settings.every {
        Sampling::Time(dt) => (settings.until - t_0) / dt,
        Sampling::Steps(n) if settings.tolerance.is_none() => {
            (settings.until - t_0) / settings.step / n as f64
        }
        Sampling::Steps(_) => 0.0,
    };
    // Numbers per row: 13 of a body, 6 of a joint, at most 3 of a sensor; then q, v, v', lambda, and about 30
    // of the run.
    let mechanism = 13 * model.bodies.len() + 6 * model.joints.len() + 3 * model.sensors.len();
    let state = built.q.len() + 2 * built.v.len() + built.system.n_lambda();
    8.0 * rows * (mechanism + state + 30) as f64
}

/// Refuses a run whose results do not fit on the disk, and warns if they need much memory.
pub fn check(file: &Path, loaded: &Loaded, built: &Built, t_0: f64) -> Result<(), Stop> {
    let (settings, memory) = (&loaded.settings, bytes(loaded, built, t_0));
    // As text, numbers take up to three times as much space.
    let on_disk = if file.extension().is_some_and(|e| e == "npz") { memory } else { 2.5 * memory };
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let giga = |bytes: f64| format!("{:.1} GB", bytes * 1e-9);
    if let Some(free) = free(folder)
        && on_disk > free
    {
        return Err(wrong(format!(
            "{} would take about {} and there is room for {}\n  help: keep less, for example with --every \
             {}, or \
             write to another disk",
            file.display(),
            giga(on_disk),
            giga(free),
            fewer(settings, on_disk / free),
        )));
    }
    if memory > MAX_BYTES {
        return Err(wrong(format!(
            "the results would take about {} of memory, at most {} are collected\n  help: keep less, for \
             example with \
             --every {}",
            giga(memory),
            giga(MAX_BYTES),
            fewer(settings, memory / 1e8),
        )));
    }
    if memory > WARN_ABOVE_BYTES {
        message(&format!(
            "warning: results take about {} of memory until they are written\n  \
             help: keep less, for example with --every {}",
            giga(memory),
            fewer(settings, memory / 1e8),
        ));
    }
    Ok(())
}

/// Free space of the disk that has this folder, in bytes, if the system tells it.
fn free(folder: &Path) -> Option<f64> {
    #[cfg(unix)]
    return nix::sys::statvfs::statvfs(folder)
        .ok()
        .map(|disk| disk.blocks_available() as f64 * disk.fragment_size() as f64);
    #[cfg(not(unix))]
    fs4::available_space(folder).ok().map(|bytes| bytes as f64)
}

/// A sampling with fewer rows by this factor, as users write it.
fn fewer(settings: &Settings, times: f64) -> String {
    let times = 10_f64.powf(times.log10().ceil().max(1.0));
    match settings.every {
        Sampling::Time(dt) => format!("{}s", dt * times),
        Sampling::Steps(n) => format!("{}", n as f64 * times),
    }
}

/// Writes the results. If that fails, writes them to a temporary folder.
pub fn finish(
    output: Output,
    file: &Path,
    results: &Results,
) -> Result<(PathBuf, Option<String>), FileError> {
    let failure = match output.finish(results) {
        Ok(path) => return Ok((path, None)),
        Err(failure) => failure,
    };
    let name =
        format!("precess-{}-{}", std::process::id(), file.file_name().unwrap_or_default().to_string_lossy());
    let rescue = Output::create(std::env::temp_dir().join(name)).and_then(|o| o.finish(results));
    match rescue {
        Ok(path) => Ok((path, Some(failure.to_string()))),
        Err(_) => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the folder is gone when the run ends, the results are complete elsewhere, and the user learns why.
    #[test]
    fn results_are_not_lost() {
        let folder = std::env::temp_dir().join(format!("precess-room-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("run.json");
        let output = Output::create(&file).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let (place, why) = finish(output, &file, &Results::default()).unwrap();
        assert!(why.unwrap().contains("cannot write"));
        assert_eq!(precess::study::results::read(&place).unwrap().columns.len(), 0);
        std::fs::remove_file(place).unwrap();
    }
}
