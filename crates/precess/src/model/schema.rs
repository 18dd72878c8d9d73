//! The JSON schema of model files (draft 2020-12), for editors.
//!
//! It is derived from the types of `model/file.rs`, whose doc comments are its descriptions. The text
//! is stored in `schema.json`, so that users need not compile the derivation. A unit test compares both. To
//! write the file anew: `WRITE_SCHEMA=1 cargo test -p precess --lib schema`.

use serde_json::Value;

/// The schema as text, indented.
pub const TEXT: &str = include_str!("schema.json");

/// The schema as JSON.
pub fn schema() -> Value {
    serde_json::from_str(TEXT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::file::File;

    #[test]
    fn the_stored_schema_is_that_of_the_types() {
        let mut derived = schemars::schema_for!(File);
        derived.insert("title".to_string(), "precess model file".into());
        let derived = format!("{:#}\n", derived.to_value());
        if std::env::var_os("WRITE_SCHEMA").is_some() {
            std::fs::write("src/model/schema.json", &derived).unwrap();
            return;
        }
        let line = derived.lines().zip(TEXT.lines()).find(|(new, stored)| new != stored);
        assert!(derived == TEXT, "types and schema.json differ at {line:?}; WRITE_SCHEMA=1 writes the file");
        assert!(schema()["$defs"].is_object());
    }
}
