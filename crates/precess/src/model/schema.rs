//! The JSON schema of model files, derived from the types of [`file`](super::file); doc comments are its
//! descriptions.

use serde_json::Value;

use super::file::File;

/// The schema (draft 2020-12) as JSON.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(File);
    schema.insert("title".to_string(), "precess model file".into());
    schema.to_value()
}
