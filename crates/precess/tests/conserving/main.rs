//! Variational and energy-momentum methods, and models in directors.

#[path = "../counting/mod.rs"]
mod counting;
#[path = "../ggl_util/mod.rs"]
mod ggl_util;
#[path = "../model_util/mod.rs"]
mod model_util;

mod conserving_units;
mod ggl_allocation;
mod ggl_directors;
mod ggl_elements;
mod ggl_files;
mod ggl_forces;
mod ggl_general;
mod ggl_particles;
mod ggl_pendulum;
mod ggl_structure;
mod ggl_top;
