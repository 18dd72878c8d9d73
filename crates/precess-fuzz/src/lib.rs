//! Fuzzing of all parsers of files and of user input. They must not panic, hang or take unbounded memory.
//!
//! An input is a function of target, seed and number, so every finding can be repeated by its number. Some
//! inputs are mutations of bytes and of tokens. They start from a corpus (`fuzz/corpus`, `models`, and every
//! input that once failed). Other inputs are expressions from a grammar. The fuzzer runs on stable Rust
//! without instrumentation.
//!
//! Two more commands test results instead of parsers. The first simulates random [`mechanisms`] in many ways,
//! which must give the same motion. The second prints error over tolerance of all models ([`tolerances`]).

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
