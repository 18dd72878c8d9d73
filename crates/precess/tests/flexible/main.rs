//! Flexible bodies: beams and modal bodies in models.

#[path = "../model_util/mod.rs"]
mod model_util;

mod beams;
mod derivatives;
mod modal;
mod modal_files;
mod references;
