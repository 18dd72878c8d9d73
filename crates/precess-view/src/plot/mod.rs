//! Figures of numerical studies: curves over time, errors over step sizes with slope triangles, maps.
//!
//! A [`Figure`] is plain data. [`svg`], [`png`] and [`html`] draw it: the first two from the same
//! [`drawing`], the third as one file that opens offline in a browser, with values under the pointer and
//! zoom.
//!
//! ```
//! use precess_view::plot::{Axis, Figure, Panel, Series, Slope, svg};
//!
//! let h = vec![1e-3, 2e-3, 4e-3];
//! let error = h.iter().map(|h| 3.0 * h * h).collect();
//! let panel = Panel::new("heavy top")
//!     .x(Axis::log("step size", "s"))
//!     .y(Axis::log("error of q", "m"))
//!     .series(Series::marked("gen-alpha", h, error))
//!     .slope(Slope::new(2.0));
//! let text = svg::render(&Figure::new("").panel(panel));
//! assert!(text.starts_with("<svg"));
//! ```

// User input never causes a panic; unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub(crate) mod decimate;
pub mod drawing;
mod figure;
pub mod html;
mod layout;
mod legend;
mod map;
pub(crate) mod palette;
pub mod png;
mod slope;
pub mod svg;
mod text;
mod ticks;

pub use figure::{Axis, Cell, Figure, Legend, Map, Panel, Reference, Scale, Series, Slope, Style};
pub use layout::draw;
