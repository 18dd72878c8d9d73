//! Trees of bodies in joint coordinates.

mod reference;
mod stability;
