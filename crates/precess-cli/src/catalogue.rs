//! Lists: `precess methods`, `precess models`, and `precess schema`.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use precess::methods::{METHODS, MethodEntry};
use precess::model::diagnostic::visible;
use precess::model::files::read_text;
use serde_json::{Value, json};

use crate::args;
use crate::output::{Stop, print, wrong};

/// Two columns, the first as wide as its longest entry.
fn table(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, about)| format!("{name:width$}  {about}").trim_end().to_string() + "\n").collect()
}

fn json(rows: &[(String, String)]) -> String {
    let list: Vec<Value> = rows.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    format!("{:#}\n", Value::from(list))
}

/// The catalogue of methods.
pub fn methods(args: &args::Methods) -> Result<(), Stop> {
    if args.json {
        let list: Vec<Value> = METHODS.iter().map(method_json).collect();
        print(&format!("{:#}\n", Value::from(list)));
        return Ok(());
    }
    let width = METHODS.iter().map(|m| m.name.len()).max().unwrap_or(0);
    let blocks: Vec<String> = METHODS.iter().map(|m| method_text(m, width)).collect();
    print(&blocks.join("\n"));
    Ok(())
}

fn method_json(m: &MethodEntry) -> Value {
    let f = &m.facts;
    json!({
        "name": m.name,
        "about": m.about,
        "order": f.order,
        "forms": f.forms,
        "formulations": f.formulations,
        "preserves": f.preserves,
        "reference": f.reference,
    })
}

fn method_text(m: &MethodEntry, width: usize) -> String {
    let f = &m.facts;
    let forms = if f.forms.is_empty() { "its own".to_string() } else { f.forms.join(" | ") };
    let lines = [
        ("order", f.order.to_string()),
        ("forms", forms),
        ("formulations", f.formulations.join(" | ")),
        ("preserves", f.preserves.to_string()),
        ("reference", f.reference.to_string()),
    ];
    let mut text = format!("{:width$}  {}\n", m.name, m.about);
    for (what, said) in lines {
        text += &format!("{:width$}  {what:12}  {said}\n", "");
    }
    text
}

/// Model files of a directory with their first comment line.
pub fn models(args: &args::Models) -> Result<(), Stop> {
    let directory = &args.directory;
    let folder = directory.display();
    let remedy = "give the directory of your model files: precess models DIRECTORY";
    let entries = std::fs::read_dir(directory)
        .map_err(|e| wrong(format!("cannot read {folder}: {e}\n  help: {remedy}")))?;
    let mut files: Vec<_> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(wrong(format!("there are no model files (.toml) in {folder}\n  help: {remedy}")));
    }
    let rows: Vec<_> =
        files.iter().map(|f| (visible(&f.display().to_string()), visible(&first_line(f)))).collect();
    print(&if args.json { json(&rows) } else { table(&rows) });
    Ok(())
}

fn first_line(file: &Path) -> String {
    let Ok(text) = read_text(file) else { return "(cannot be read)".to_string() };
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    first.strip_prefix('#').unwrap_or("").trim().to_string()
}

/// The JSON schema of model files, or the reference made from it.
pub fn schema(markdown: bool) -> Result<(), Stop> {
    print(&match markdown {
        true => precess::model::reference::markdown(),
        false => precess::model::schema::TEXT.to_string(),
    });
    Ok(())
}
