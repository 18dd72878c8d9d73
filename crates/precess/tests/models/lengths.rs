//! Lists of fixed length: every such list of every key refuses one entry more and one fewer.

use std::collections::BTreeSet;

use precess::model::{load, schema::schema};
use serde_json::{Map, Value, json};

/// Deepest nesting of the values that are tried.
const DEPTH: usize = 8;

/// A value in which one list has a wrong length.
struct Wrong {
    value: Value,
    /// The key of the list.
    key: String,
    /// Its right length.
    length: usize,
    /// True if it is a list of numbers.
    numbers: bool,
}

/// Makes values from a schema.
struct Sampler {
    root: Value,
    /// The change of the length.
    more: isize,
    /// The definitions of the lists of fixed length that were tried, as text.
    tried: BTreeSet<String>,
}

/// The length that a schema of a list requires.
fn fixed_length(schema: &Value) -> Option<usize> {
    let [least, most] = ["minItems", "maxItems"].map(|key| schema.get(key).and_then(Value::as_u64));
    least.filter(|_| least == most).map(|n| n as usize)
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key)?.as_array())
}

impl Sampler {
    fn resolve(&self, schema: &Value) -> Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(rule) => {
                self.resolve(self.root.pointer(rule.trim_start_matches('#')).expect("a definition"))
            }
            None => schema.clone(),
        }
    }

    /// The simplest value.
    fn right(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(list) = alternatives(&schema) {
            return self.right(&list[0]);
        }
        if let Some(word) = schema.get("const").or_else(|| schema.get("enum")?.get(0)) {
            return word.clone();
        }
        let kind = schema["type"].as_array().map_or(&schema["type"], |list| &list[0]);
        match kind.as_str() {
            Some("array") => json!(vec![self.right(&schema["items"]); fixed_length(&schema).unwrap_or(1)]),
            Some("object") => Value::Object(self.required(&schema)),
            Some("string") => json!("a"),
            Some("boolean") => json!(true),
            _ => json!(1),
        }
    }

    /// A table with the required keys.
    fn required(&self, schema: &Value) -> Map<String, Value> {
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let names = names.filter_map(Value::as_str);
        names.map(|name| (name.to_string(), self.right(&schema["properties"][name]))).collect()
    }

    /// All values with one wrong list.
    fn wrong(&mut self, schema: &Value, key: &str, depth: usize) -> Vec<Wrong> {
        let schema = self.resolve(schema);
        if depth > DEPTH {
            return Vec::new();
        }
        let mut found = Vec::new();
        for other in alternatives(&schema).into_iter().flatten() {
            found.extend(self.wrong(other, key, depth + 1));
        }
        if let Some(items) = schema.get("items") {
            let right = self.right(items);
            if let Some(length) = fixed_length(&schema) {
                self.tried.insert(schema.to_string());
                let value = json!(vec![right.clone(); length.saturating_add_signed(self.more)]);
                let numbers = right.is_number();
                found.push(Wrong { value, key: key.to_string(), length, numbers });
            }
            for inner in self.wrong(items, key, depth + 1) {
                let mut list = vec![right.clone(); fixed_length(&schema).unwrap_or(1)];
                list[0] = inner.value;
                found.push(Wrong { value: json!(list), ..inner });
            }
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            for inner in self.wrong(property, name, depth + 1) {
                let mut table = self.required(&schema);
                table.insert(name.clone(), inner.value);
                found.push(Wrong { value: Value::Object(table), ..inner });
            }
        }
        if let Some(entries) = schema.get("additionalProperties").filter(|s| s.is_object()) {
            let inner = self.wrong(entries, "entry", depth + 1);
            found.extend(inner.into_iter().map(|w| Wrong { value: json!({ "entry": w.value }), ..w }));
        }
        found
    }
}

/// All definitions of lists of fixed length.
fn fixed_lists(schema: &Value, found: &mut BTreeSet<String>) {
    if fixed_length(schema).is_some() {
        found.insert(schema.to_string());
    }
    match schema {
        Value::Object(map) => map.values().for_each(|v| fixed_lists(v, found)),
        Value::Array(list) => list.iter().for_each(|v| fixed_lists(v, found)),
        _ => {}
    }
}

/// The words that a type allows.
fn words(root: &Value, kind: &str) -> Vec<String> {
    let list = alternatives(&root["$defs"][kind]).into_iter().flatten();
    list.filter_map(|x| x["const"].as_str().map(str::to_string)).collect()
}

fn said(value: &Value) -> (String, String) {
    let text = toml::to_string(value).unwrap();
    let found = load("t.toml", &text, &[]).map_or_else(|e| e.to_string(), |_| String::new());
    (text, found)
}

#[test]
fn every_list_of_fixed_length_has_this_length() {
    let root = schema();
    for more in [1, -1, 3, 0] {
        let mut sampler = Sampler { root: root.clone(), more, tried: BTreeSet::new() };
        let cases = sampler.wrong(&root, "", 0);
        let mut all = BTreeSet::new();
        fixed_lists(&root, &mut all);
        assert_eq!(sampler.tried, all, "a list of fixed length was not tried");
        assert!(cases.len() > 60, "{}", cases.len());
        for Wrong { value, key, length, numbers } in cases {
            let (text, mut found) = said(&value);
            // The key belongs to another type of force.
            for kind in words(&root, "ForceType") {
                if found.contains("is not a key of") {
                    found =
                        said(&toml::from_str(&text.replace("\"force\"", &format!("{kind:?}"))).unwrap()).1;
                }
            }
            if more == 0 {
                assert!(!found.contains("values"), "{key}: {text}: {found}");
                continue;
            }
            let n = length.saturating_add_signed(more);
            let (first, named) = (format!("'{key}"), format!("' has {n} value"));
            let named_at = found.match_indices(&first).any(|(i, _)| {
                let rest = found[i + first.len()..].trim_start_matches(|c: char| "[]0123456789".contains(c));
                rest.starts_with(&named)
            });
            assert!(named_at, "{key} with {n} for {length}: {text}: {found}");
            assert!(found.contains("expected"), "{key}: {text}: {found}");
            assert!(more != 1 || !numbers || found.contains("decimal point"), "{key}: {text}: {found}");
        }
    }
}

/// A decimal comma divides a number into two entries. The message shows what was probably meant.
#[test]
fn decimal_commas() {
    let gravity = |list: &str| said(&toml::from_str(&format!("model.gravity = {list}")).unwrap()).1;
    let found = gravity("[0, 0, -9,81]");
    for part in [
        "expected a list of three values, such as [0, 0, 1]; 'gravity' has 4 values",
        "if -9,81 is one number, write it with a decimal point: -9.81",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert!(gravity("[0.0, 0.0, -9.81, 0.0]").contains("numbers have a decimal point, not a comma"));
    assert!(gravity("[0.0, -9.81]").contains("'gravity' has 2 values"));
    assert!(!gravity("[0.0, -9.81]").contains("decimal"));
    let body = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let good = format!("{body}position = [0, 0, 1]\n");
    assert!(load("t.toml", &good, &[]).is_ok());
    for place in ["model.gravity", "body.b.position", "body.b.angular_velocity"] {
        for list in ["[0, 0, -9,81]", "[0, 1]", "[0, 0, -9.81, 0]", "[]"] {
            let set = format!("{place}={list}");
            let found = load("t.toml", &good, &[set]).unwrap_err().to_string();
            let key = place.rsplit('.').next().unwrap();
            assert!(found.contains(&format!("'{key}' has ")), "{place}={list}: {found}");
        }
    }
}
