//! The commands of the program, as users type them.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod bad_words;
mod begin;
mod claims;
mod events;
mod kill;
mod limits;
mod lost;
mod playground;
mod plot;
mod refusals;
mod rest;
mod run;
mod run_mistakes;
mod spectrum;
mod studies;
mod tables;
mod tools;
mod vector_unit;
mod view;
