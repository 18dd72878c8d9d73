//! Random small mechanisms, and comparisons of different simulations that must give the same results.
//!
//! [`generate`] makes a mechanism from a seed. [`data`] stores it and writes it as a model file. [`simulate`]
//! runs such files as the command line does. [`compare`] runs one mechanism in many ways and measures the
//! differences. [`dense`] solves the equations of motion at t = 0 by another algorithm. [`table`] collects
//! all findings. [`reduce`] makes a mechanism with a fault as small as possible.

pub mod compare;
pub mod data;
pub mod dense;
pub mod generate;
pub mod random;
pub mod reduce;
pub mod simulate;
pub mod table;
