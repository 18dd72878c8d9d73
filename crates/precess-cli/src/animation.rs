//! Pages that animate states without a run: modes, and the path to an equilibrium.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use precess::integrate::StepReport;
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;
use precess::model::Loaded;
use precess::study::results::{Recording, Results};
use precess::study::{Moment, Recorder, Sample, Sampling, Summary};
use precess_view::Scene;

use crate::browser;
use crate::files::Target;
use crate::output::{Stop, message, print};

/// States in the form of results: positions, velocities, joint forces, sensors.
pub fn recorded(recording: Recording, system: &dyn Mechanism, states: &[State]) -> Results {
    let mut recording = recording;
    for (i, state) in states.iter().enumerate() {
        recording.record(&Sample::of(system, i, state, StepReport::default(), Moment::Step));
    }
    let t_end = states.last().map_or(0.0, |s| s.t);
    let summary = Summary { steps: states.len().saturating_sub(1), t_end, ..Summary::default() };
    recording.finish(&summary, None)
}

/// The scene of these states, with a title line.
pub fn scene(
    loaded: &Loaded,
    system: &dyn Mechanism,
    states: &[State],
    folder: Option<&Path>,
    label: String,
) -> Scene {
    let recording = Recording::new(loaded, system, Sampling::Steps(1));
    let mut scene = Scene::simulated(loaded, &recorded(recording, system, states), folder);
    // No method computed these states.
    scene.summary = serde_json::json!({});
    scene.label = label;
    scene
}

/// Opens the file of a page, before anything is computed.
pub fn target(file: Option<&PathBuf>) -> Result<Option<Target>, Stop> {
    file.map(|f| Target::open(f, &["html"])).transpose()
}

/// Writes a page, and opens it if the command runs in a terminal.
pub fn write(target: Target, page: &str, quiet: bool) -> Result<(), Stop> {
    let file = target.file.clone();
    let place = target.write(page.as_bytes())?;
    if quiet {
        return Ok(());
    }
    print(&format!("page: {place}, {} kB\n", page.len().div_ceil(1000)));
    if std::io::stdout().is_terminal() && !browser::open(&file) {
        message("no browser could be started here: open the page yourself");
    }
    Ok(())
}
