//! The extension module `precess._precess`: functions that exchange data. `python/precess` is the interface
//! for users.
//!
//! A model is passed as the text of its file with overrides, results as arrays without a copy, everything
//! else as JSON. So a new joint or force appears in Python without a change here.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]

mod answers;
mod dense;
mod errors;
mod imports;
mod models;
mod motions;
mod own;
mod results;
mod runs;
mod simulation;
mod sweeps;
mod systems;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _precess {
    #[pymodule_export]
    use super::answers::{cli, equilibrium, linearize, methods, modes, schema, view_modes};
    #[pymodule_export]
    use super::dense::at;
    #[pymodule_export]
    use super::imports::{import_mjcf, import_urdf};
    #[pymodule_export]
    use super::models::{check, read_model, to_toml};
    #[pymodule_export]
    use super::motions::{assemble, campbell, kinematics};
    #[pymodule_export]
    use super::results::{plot, read, view, write};
    #[pymodule_export]
    use super::runs::{run, view_model};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::sweeps::{sweep_parts, sweep_paths, sweep_rows};
    #[pymodule_export]
    use super::systems::run_system;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
