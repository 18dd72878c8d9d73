//! The JSON schema of model files: it describes the models of this repository and refuses what the reader
//! refuses.

use serde_json::{Map, Value, json};

/// A validator for the keywords that the schema uses; an unknown keyword is an error, so that nothing passes
/// unseen.
struct Validator {
    root: Value,
}

impl Validator {
    fn check(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let Value::Object(schema) = schema else {
            return match schema {
                Value::Bool(true) => Ok(()),
                _ => Err(format!("{path}: nothing is allowed here")),
            };
        };
        for (keyword, rule) in schema {
            self.keyword(schema, keyword, rule, value, path)?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        schema: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
        path: &str,
    ) -> Result<(), String> {
        let fail = |why: &str| Err(format!("{path}: {why}: {value}"));
        match keyword {
            "$schema" | "title" | "description" | "default" | "$defs" | "format" => Ok(()),
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                self.check(self.root.pointer(pointer).expect("a definition"), value, path)
            }
            "type" => {
                let names: Vec<&str> = match rule {
                    Value::Array(list) => list.iter().map(|v| v.as_str().unwrap()).collect(),
                    rule => vec![rule.as_str().unwrap()],
                };
                let is = |name: &&str| match *name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("unknown type {other}"),
                };
                if names.iter().any(is) { Ok(()) } else { fail(&format!("not of type {names:?}")) }
            }
            "enum" => {
                if rule.as_array().unwrap().contains(value) {
                    Ok(())
                } else {
                    fail("not in the list")
                }
            }
            "const" => {
                if rule == value {
                    Ok(())
                } else {
                    fail("not the constant")
                }
            }
            "minimum" => match value.as_f64() {
                Some(x) if x < rule.as_f64().unwrap() => fail("too small"),
                _ => Ok(()),
            },
            "minItems" | "maxItems" => {
                let n = value.as_array().map_or(0, Vec::len) as u64;
                let bound = rule.as_u64().unwrap();
                let good = if keyword == "minItems" { n >= bound } else { n <= bound };
                if good || !value.is_array() { Ok(()) } else { fail("wrong length") }
            }
            "items" => {
                for (i, x) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(rule, x, &format!("{path}[{i}]"))?;
                }
                Ok(())
            }
            "required" => {
                let Some(object) = value.as_object() else { return Ok(()) };
                match rule.as_array().unwrap().iter().find(|k| !object.contains_key(k.as_str().unwrap())) {
                    Some(k) => fail(&format!("{k} is missing")),
                    None => Ok(()),
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(x) = value.get(name) {
                        self.check(rule, x, &format!("{path}.{name}"))?;
                    }
                }
                Ok(())
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, x) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|k| !k.contains_key(name)) {
                        self.check(rule, x, &format!("{path}.{name}"))?;
                    }
                }
                Ok(())
            }
            "anyOf" | "oneOf" => {
                let good =
                    rule.as_array().unwrap().iter().filter(|s| self.check(s, value, path).is_ok()).count();
                match (keyword, good) {
                    (_, 0) => fail("fits none of the alternatives"),
                    ("oneOf", n) if n > 1 => fail("fits several alternatives"),
                    _ => Ok(()),
                }
            }
            other => panic!("the schema uses the keyword {other}, which this test does not know"),
        }
    }
}

fn validate(value: &Value) -> Result<(), String> {
    let root = precess::model::schema::schema();
    Validator { root: root.clone() }.check(&root, value, "file")
}

fn models() -> Vec<(String, Value)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut list = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            list.push((path.display().to_string(), toml::from_str(&text).unwrap()));
        }
    }
    assert!(list.len() >= 3, "the models of the repository are there");
    list
}

#[test]
fn all_models_fit_the_schema() {
    for (name, value) in models() {
        validate(&value).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn mistakes_do_not_fit() {
    let (_, good) = models().into_iter().find(|(n, _)| n.ends_with("heavy_top.toml")).unwrap();
    let change = |pointer: &str, key: &str, x: Value| {
        let mut bad = good.clone();
        bad.pointer_mut(pointer).unwrap()[key] = x;
        validate(&bad).expect_err(&format!("{pointer}/{key} is wrong"))
    };
    assert!(change("", "bodies", json!([])).contains("file.bodies"));
    assert!(change("/body/0", "masss", json!(1)).contains("masss"));
    assert!(change("/body/0", "mass", json!([1])).contains("mass"));
    assert!(change("/body/0", "position", json!([1, 2])).contains("position"));
    assert!(change("/body/0", "inertia", json!("round")).contains("inertia"));
    assert!(change("/joint/0", "type", json!("hinge")).contains("type"));
    assert!(change("/integrator", "rho", json!(true)).contains("rho"));
    assert!(change("/integrator", "max_iterations", json!(-1)).contains("max_iterations"));
    let mut missing = good.clone();
    missing.pointer_mut("/body/0").unwrap().as_object_mut().unwrap().remove("name");
    assert!(validate(&missing).unwrap_err().contains("\"name\" is missing"));
}

#[test]
fn every_entry_is_described() {
    fn walk(value: &Value, path: &str, bare: &mut Vec<String>) {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                if property.get("description").is_none() {
                    bare.push(format!("{path}.{name}"));
                }
            }
        }
        match value {
            Value::Object(map) => map.iter().for_each(|(k, v)| walk(v, &format!("{path}/{k}"), bare)),
            Value::Array(list) => list.iter().for_each(|v| walk(v, path, bare)),
            _ => {}
        }
    }
    let schema = precess::model::schema::schema();
    let mut bare = Vec::new();
    walk(&schema, "", &mut bare);
    assert!(bare.is_empty(), "without description: {bare:?}");
    let mass = schema.pointer("/$defs/BodyBlock/properties/mass/description").unwrap();
    assert!(mass.as_str().unwrap().starts_with("Mass"));
}

/// The reference in the book is written from the schema.
#[test]
fn reference_of_the_book_is_up_to_date() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/model-reference.md");
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    let now = precess::model::reference::markdown();
    assert!(stored == now, "precess schema --markdown > book/model-reference.md");
    // Every link of the page has its heading, and every key of the schema its row.
    let headings: Vec<String> = now
        .lines()
        .filter_map(|l| l.strip_prefix("### "))
        .map(|h| format!("(#{})", h.to_lowercase()))
        .collect();
    for link in
        now.split("](#").skip(1).map(|rest| format!("(#{}", rest.split_inclusive(')').next().unwrap()))
    {
        assert!(headings.contains(&link), "{link}");
    }
    let schema = precess::model::schema::schema();
    for (_, def) in schema["$defs"].as_object().unwrap() {
        for key in def.get("properties").and_then(|p| p.as_object()).into_iter().flat_map(|p| p.keys()) {
            assert!(now.contains(&format!("`{key}`")), "{key}");
        }
    }
}
