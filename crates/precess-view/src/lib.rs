//! Mechanisms in motion: a scene from the results of a run, drawn by one HTML page or written as glTF.
//!
//! [`look`] decides the appearance: a scene is a flat list of solids on bodies, and the positions of the
//! bodies over time. The page and glTF only draw it.
//!
//! ```
//! use precess::prelude::*;
//!
//! let model = Model::new("pendulum")
//!     .gravity([0.0, 0.0, -9.81])
//!     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
//!     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y));
//! let results = model.run(1.0, 1e-6)?;
//! precess_view::save(&results, std::env::temp_dir().join("pendulum.html"))?;
//! # Ok::<(), Error>(())
//! ```

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

use std::path::Path;

use precess::study::replace::replace;

pub mod curves;
pub mod drawn;
pub mod figures;
mod geometry;
pub mod glb;
pub mod html;
pub mod look;
pub(crate) mod mesh;
pub(crate) mod motion;
pub(crate) mod pack;
pub mod playground;
pub mod plot;
pub mod scene;
pub mod simulate;
pub mod states;

pub use pack::from_base64;
pub use scene::Scene;

/// Writes results as a page for the browser, or as glTF if the name ends with `.glb`. Meshes are searched in
/// the folder of the file.
pub fn save(
    results: &precess::study::results::Results,
    path: impl AsRef<Path>,
) -> Result<(), precess::Error> {
    let path = path.as_ref();
    let scene = Scene::of(results, path.parent());
    let written = match path.extension().and_then(|e| e.to_str()) {
        Some("html") => replace(path, html::page(&[scene]).as_bytes()),
        Some("glb") => replace(path, &glb::write(&scene)),
        _ => Err(std::io::Error::other("a page is .html, glTF is .glb")),
    };
    written.map_err(|e| precess::Error::Input { message: format!("cannot write {}: {e}", path.display()) })
}

/// A vector in space.
pub type V = nalgebra::Vector3<f64>;
/// A rotation.
pub type Q = nalgebra::UnitQuaternion<f64>;
