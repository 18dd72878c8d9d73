//! Random small mechanisms, and what must be the same however they are simulated.
//!
//! [`generate`] makes a mechanism from a seed, [`data`] holds it and writes it as a model file, [`simulate`]
//! runs such files the way the command line does, [`compare`] runs one mechanism in many ways and measures
//! the differences, [`dense`] solves the equations of motion at t = 0 by other means, [`table`] gathers all
//! of it, [`reduce`] makes a mechanism with a fault as small as it can be.

pub mod compare;
pub mod data;
pub mod dense;
pub mod generate;
pub mod random;
pub mod reduce;
pub mod simulate;
pub mod table;
