//! Models: bodies, joints and forces described once, in a file or in Rust, and built in any formulation.

// User input must not cause a panic.
#![deny(clippy::indexing_slicing, clippy::string_slice)]

// The fuzzer reads archives, conditions and tables.
#[doc(hidden)]
pub mod archive;
pub mod beam;
mod beam_parts;
mod body;
pub(crate) mod build;
mod build_directors;
pub(crate) mod build_elements;
mod build_expressed;
mod build_joint;
mod build_multibody;
mod build_velocities;
#[doc(hidden)]
pub mod condition;
pub use crate::error::diagnostic;
mod dimensions;
pub(crate) mod document;
pub mod effect;
pub mod elements;
mod entry;
#[doc(hidden)]
pub mod evaluate;
pub(crate) mod expressed;
pub use precess_engine::expression;
mod extreme_units;
pub mod family;
pub(crate) mod file;
pub(crate) mod file_beam;
mod file_body;
pub(crate) mod file_elements;
pub(crate) mod file_expressed;
pub(crate) mod file_geometry;
pub(crate) mod file_look;
pub(crate) mod file_modal;
pub(crate) mod file_motion;
pub(crate) mod file_parts;
mod file_run;
pub(crate) mod file_start;
pub(crate) mod file_tables;
pub mod files;
pub(crate) mod find;
pub mod forces;
pub mod formula;
mod front;
pub(crate) mod inertia;
mod joint;
pub mod law;
mod measured;
pub mod mesh;
mod misplaced;
pub mod mjcf;
pub mod modal;
mod modal_arrays;
pub mod modal_file;
mod modal_npz;
mod modal_sid;
pub mod number;
pub(crate) mod placement;
pub mod reference;
pub mod schema;
mod sections;
pub mod settings;
pub mod spec;
pub mod start;
pub mod turns;
pub mod urdf;
mod volumes;
pub(crate) mod wording;
mod write;
mod written;

pub use build::{Built, build};
pub use condition::Condition;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use document::Document;
pub use elements::{ControlSpec, EventAction, EventSpec, ForceSpec, GearSpec, SensorSpec, Switchable};
pub use evaluate::Evaluator;
pub use family::{Family, ParameterDerivative};
pub use file::File;
pub use files::Files;
pub use settings::Settings;
pub use spec::{BodySpec, JointSpec, Model, StartSpec};

/// A model file, read, checked and evaluated.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The text with the locations of its entries.
    pub document: Document,
    /// Bodies, joints, gravity.
    pub model: Model,
    /// The settings of the run.
    pub settings: Settings,
    /// Losses of its parts when they became part of the model, for example contacts of an MJCF.
    pub notices: Vec<String>,
}

/// Reads a model from the text of a file; `overrides` are `path=value`. All problems are reported at once.
///
/// ```
/// let text = r#"
///     [model]
///     gravity = [0, 0, -9.81]
///     [[body]]
///     name = "bob"
///     type = "point"
///     mass = 1
///     position = [1, 0, 0]
///     [[joint]]
///     name = "rod"
///     type = "rigid-distance"
///     bodies = ["ground", "bob"]
///     point = [0, 0, 0]
///     point2 = [1, 0, 0]
/// "#;
/// let loaded = precess::model::load("pendulum.toml", text, &[])?;
/// assert_eq!(loaded.model.bodies.len(), 1);
/// # Ok::<(), precess::model::Diagnostics>(())
/// ```
pub fn load(file_name: &str, text: &str, overrides: &[String]) -> Result<Loaded, Diagnostics> {
    load_with(file_name, text, overrides, Files::next_to(file_name))
}

/// Reads a model whose tables, meshes and parts are in `files`.
pub fn load_with(
    file_name: &str,
    text: &str,
    overrides: &[String],
    files: Files,
) -> Result<Loaded, Diagnostics> {
    let document = Document::parse_with(file_name, text, overrides, files);
    let mut evaluator = Evaluator::new(&document);
    // Joints may be open and drives may start elsewhere.
    evaluator.rough = document.file.run.assemble;
    let stem = std::path::Path::new(file_name).file_stem().map_or(file_name.into(), |s| s.to_string_lossy());
    let model = evaluator.model(&document, &stem);
    let settings = evaluator.settings(&document);
    document.locate(evaluator.problems)?;
    Ok(Loaded { document, model, settings, notices: evaluator.notices })
}
