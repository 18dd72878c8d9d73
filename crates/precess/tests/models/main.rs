//! Model files: language, schema, settings, checks, import, models of others.

#[path = "../language_util/mod.rs"]
mod language_util;
#[path = "../model_util/mod.rs"]
mod model_util;

mod benchmarks;
mod bending_laws;
mod check;
mod diagnostics;
mod dimensions;
mod driven_constraints;
mod elements;
mod extreme_units;
mod family;
mod hidden_jumps;
mod independent;
mod language;
mod language_parts;
mod lengths;
mod mistakes;
mod mjcf;
mod model_files;
mod rates;
mod schema;
mod sensors;
mod settings;
mod shapes;
mod stops;
mod stops_random;
mod strangers;
mod troubles;
mod urdf;
mod urdf_mistakes;
