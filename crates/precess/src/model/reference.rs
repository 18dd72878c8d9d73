//! The reference of model files as Markdown, from their [`schema`](super::schema): `book/model-reference.md`.

use serde_json::{Map, Value};

use super::schema::schema;

const HEAD: &str = "\
# Model file reference

<!-- Written by `precess schema --markdown` from the types in crates/precess/src/model: change those, not \
this page. -->

A model is a TOML file of blocks. Plain numbers are SI; a text may have a unit, `\"12 mm\"`
([Expressions](expressions.md)). Points and directions are those at t = 0 in the inertial frame. Keys in \
**bold** are
required, the others may be left out. How the blocks work together is told in `models/README.md`, what joints
and forces do in [Joints](joints.md) and [Forces](forces.md).
";

/// The page.
pub fn markdown() -> String {
    let schema = schema();
    let (blocks, defs) = (object(&schema, "properties"), object(&schema, "$defs"));
    let mut text = format!("{HEAD}\n| block | what it holds |\n|---|---|\n");
    for (name, block) in blocks {
        text += &format!("| {} | {} |\n", heading(name, block, defs), about(block));
    }
    let mut shown = Vec::new();
    for (name, block) in blocks {
        let Some((def, body)) = table_of(block, defs) else { continue };
        text += &format!("\n## {}\n\n{}", heading(name, block, defs), keys(body));
        shown.push(def);
        if let Some(kind) = object(body, "properties").get("type").and_then(reference) {
            let what = alternatives(&defs[kind]);
            text += &format!("\n### {}\n\nValues of `type` in `[[{name}]]`:\n\n{what}", title(kind));
            shown.push(kind);
        }
    }
    text += "\n## Types of values\n";
    for (name, def) in defs.iter().filter(|(name, _)| !shown.contains(&name.as_str())) {
        text += &format!("\n### {}\n\n{}\n\n{}", title(name), about(def), alternatives(def));
    }
    text
}

/// Name of a type for readers.
fn title(name: &str) -> &str {
    name.strip_suffix("Block").unwrap_or(name)
}

/// `[[body]]`, `[model]` or the name of a plain entry.
fn heading(name: &str, block: &Value, defs: &Map<String, Value>) -> String {
    match table_of(block, defs) {
        Some(_) if block.get("items").is_some() => format!("`[[{name}]]`"),
        Some(_) => format!("`[{name}]`"),
        None if block.get("additionalProperties").is_some() => format!("`[{name}]`"),
        None => format!("`{name}`"),
    }
}

/// The definition of the keys of an entry of the file.
fn table_of<'a>(block: &'a Value, defs: &'a Map<String, Value>) -> Option<(&'a str, &'a Value)> {
    let name = reference(block.get("items").unwrap_or(block))?;
    let def = &defs[name];
    def.get("properties").map(|_| (name, def))
}

/// A row per key.
fn keys(table: &Value) -> String {
    let required: Vec<&str> = table
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut text = "| key | value | meaning |\n|---|---|---|\n".to_string();
    for (name, value) in object(table, "properties") {
        let key =
            if required.contains(&name.as_str()) { format!("**`{name}`**") } else { format!("`{name}`") };
        text += &format!("| {key} | {} | {} |\n", kind(value), about(value));
    }
    text
}

/// One line per alternative of an enumeration, or the keys of a table.
fn alternatives(def: &Value) -> String {
    if def.get("properties").is_some() {
        return keys(def);
    }
    let list = ["oneOf", "anyOf"].iter().find_map(|k| def.get(k)).and_then(Value::as_array);
    let line = |x: &Value| match x.get("const").and_then(Value::as_str) {
        Some(word) => format!("- `{word}`: {}\n", about(x)),
        None if x.get("properties").is_some() => {
            let inner: Vec<String> =
                object(x, "properties").iter().map(|(k, v)| format!("{k} = {}", kind(v))).collect();
            format!("- {{ {} }}: {}\n", inner.join(", "), about(x))
        }
        None => format!("- {}: {}\n", kind(x), about(x)),
    };
    list.into_iter().flatten().map(line).collect()
}

/// The type of a value in words, with links to named types.
fn kind(value: &Value) -> String {
    if let Some(name) = reference(value) {
        return format!("[{}](#{})", title(name), title(name).to_lowercase());
    }
    if let Some(choices) = value.get("anyOf").and_then(Value::as_array) {
        let words: Vec<String> =
            choices.iter().filter(|c| c.get("type") != Some(&"null".into())).map(kind).collect();
        return words.join(" or ");
    }
    if let Some(inner) = value.get("additionalProperties").filter(|x| x.is_object()) {
        return format!("table of {}", kind(inner));
    }
    let words = match value.get("type") {
        Some(Value::String(t)) => vec![t.as_str()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).filter(|t| *t != "null").collect(),
        _ => vec!["value"],
    };
    match (words.first().copied().unwrap_or("value"), value.get("items")) {
        ("array", Some(items)) => match value.get("minItems").and_then(Value::as_u64) {
            Some(n) if n > 0 => format!("{n} x {}", kind(items)),
            _ => format!("list of {}", kind(items)),
        },
        (word, _) => word.to_string(),
    }
}

/// The description on one line, escaped for a table.
fn about(value: &Value) -> String {
    let text = value.get("description").and_then(Value::as_str).unwrap_or("");
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The name in a `$ref`.
fn reference(value: &Value) -> Option<&str> {
    value.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"))
}

/// The entries of an object, empty if there is none.
fn object<'a>(value: &'a Value, key: &str) -> &'a Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    value.get(key).and_then(Value::as_object).unwrap_or(&NONE)
}
