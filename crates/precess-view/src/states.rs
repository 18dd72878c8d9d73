//! Scenes of states that no run has computed: modes, and the path to an equilibrium.

use std::path::Path;

use precess::analysis::animate::swing;
use precess::analysis::report::short;
use precess::analysis::steady::Found;
use precess::analysis::{AnalysisError, Mode, Modes};
use precess::integrate::Sampling;
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;
use precess::model::Loaded;
use precess::study::results::Recording;

use crate::Scene;

/// The scene of these states, with a title line. Meshes are searched in this folder.
pub fn scene(
    loaded: &Loaded,
    system: &dyn Mechanism,
    states: &[State],
    folder: Option<&Path>,
    label: String,
) -> Scene {
    let results = Recording::new(loaded, system, Sampling::Steps(1)).of_states(states);
    let mut scene = Scene::simulated(loaded, &results, folder);
    // No method computed these states.
    scene.summary = serde_json::json!({});
    scene.label = label;
    scene
}

/// One scene for each mode.
pub fn modes(
    loaded: &Loaded,
    system: &dyn Mechanism,
    (found, modes): (&Found, &Modes),
    folder: Option<&Path>,
) -> Result<Vec<Scene>, AnalysisError> {
    if modes.modes.is_empty() {
        return Err(AnalysisError::NothingVibrates);
    }
    let of_mode = |(i, m): (usize, &Mode)| {
        let label = format!("mode {}: {} Hz, {}", i + 1, short(m.frequency()), m.words);
        let mut scene = scene(loaded, system, &swing(system, found, m)?, folder, label);
        scene.notes.push("Amplitudes are chosen to be seen; decay is not shown.".to_string());
        if !found.steady.is_rest() {
            scene.notes.push(format!("Seen from the {} frame, without the spin.", found.steady.frame.name()));
        }
        Ok(scene)
    };
    modes.modes.iter().enumerate().map(of_mode).collect()
}
