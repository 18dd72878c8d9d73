//! Mechanisms in motion: results of a run as a scene, drawn by one HTML page or written as glTF.
//!
//! What things look like is decided here ([`look`]): a scene is a flat list of solids on bodies, and where the bodies are over
//! time. The page and glTF only draw that.
//!
//! ```no_run
//! use precess_view::{Scene, html};
//!
//! let results = precess::study::results::read("top.npz")?;
//! let scene = Scene::of(&results, None);
//! std::fs::write("top.html", html::page(&[scene]))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub mod drawn;
pub mod glb;
pub mod html;
pub mod look;
pub mod mesh;
pub mod motion;
pub mod pack;
pub mod playground;
pub mod scene;
pub mod simulate;

pub use scene::Scene;

/// A vector in space.
pub type V = nalgebra::Vector3<f64>;
/// A rotation.
pub type Q = nalgebra::UnitQuaternion<f64>;
