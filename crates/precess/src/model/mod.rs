//! Models: bodies, joints and forces described once, in a file or in Rust, and built in any formulation.

pub mod build;
pub mod diagnostic;
pub mod document;
pub mod evaluate;
pub mod file;
pub mod number;
pub mod spec;

pub use build::{Built, build};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use document::Document;
pub use file::File;
pub use spec::{BodySpec, JointSpec, Model};
