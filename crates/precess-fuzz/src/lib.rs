//! Fuzzing of everything that reads files and words of users: no panic, no hang, no unbounded memory.
//!
//! An input is a function of target, seed and number, so that every finding is repeated by its number. Inputs
//! are mutations of a corpus (`fuzz/corpus`, `models`, and every input that once failed), of bytes and of
//! tokens, and expressions from a grammar. Runs on stable Rust without instrumentation.
//!
//! Two more commands look at results instead of readers: random [`mechanisms`] that must move the same
//! however they are simulated, and error over tolerance of all models ([`tolerances`]).

pub mod checkpoint;
pub mod corpus;
pub mod engine;
pub mod expression;
mod flexible;
pub mod mechanisms;
pub mod memory;
pub mod mutate;
pub mod targets;
pub mod tolerances;
mod words;
