//! The simulator in a browser: texts are passed in and bytes out, through the memory of the module.
//!
//! A call leaves its answer in a buffer of the module, and the page copies it. The first four bytes are the
//! length of a JSON header; then come the header and packed numbers or a file:
//!
//! - `{"scene": .., "sliders": [[name, value, unit]]}` and the numbers of the scene after a run,
//! - `{"file": "json"}` and the bytes of a file,
//! - `{"end": {t, q, v}}` with the last state,
//! - `{"problems": [{message, help, line, from, to}]}` if the text is wrong (positions are bytes of UTF-8),
//! - `{"failure": text}` if nothing can be run.
//!
//! The page uses only the functions of `exports`. They are plain C functions, so the module needs no tool
//! except cargo. Nothing in them is unsafe except their names, which must stay unchanged for the linker.
//!
//! The module has one thread and no clock (`precess::clock`): the page measures time, and runs the module in
//! a worker.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;

use precess::model::Document;
use precess::model::number::{Names, Number, split_unit};
use precess::model::{Diagnostics, Loaded, build, load};
use precess::study::execute::{initial_state, integrate};
use precess::study::results::{Results, csv, json};
use precess_view::{Scene, glb, html, simulate};
use serde_json::{Value, json};

/// Placeholders for the style and the script in a page; the playground inserts its own.
pub const MARKS: [&str; 2] = ["/*style of the page*/", "/*script of the page*/"];

/// The requested answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The scene.
    Scene,
    /// The problems of a text, without a run.
    Check,
    /// glTF.
    Gltf,
    /// A page as `precess view` writes it, with [`MARKS`].
    Page,
    /// Results as JSON.
    Json,
    /// Results as CSV.
    Csv,
    /// The last state, digit by digit, for comparisons.
    End,
}

impl Wish {
    const ALL: [Wish; 7] =
        [Wish::Scene, Wish::Check, Wish::Gltf, Wish::Page, Wish::Json, Wish::Csv, Wish::End];

    /// A wish by number, as in the page (`web/src/simulator.js`).
    pub fn of(k: u32) -> Option<Self> {
        Self::ALL.get(k as usize).copied()
    }
}

/// A JSON header and its data.
pub type Answer = (Value, Vec<u8>);

fn alone(header: Value) -> Answer {
    (header, Vec::new())
}

fn problems(text: &str, d: &Diagnostics) -> Value {
    let line = |at: usize| 1 + text.bytes().take(at).filter(|b| *b == b'\n').count();
    let list = d.list.iter().map(|p| {
        let span = p.span.as_ref();
        json!({
            "message": p.message, "help": p.help,
            "line": span.map(|s| line(s.start)), "from": span.map(|s| s.start), "to": span.map(|s| s.end),
        })
    });
    json!({ "problems": list.collect::<Vec<_>>() })
}

/// The parameters that are plain numbers, with their values in the text, regardless of overrides: name,
/// value, unit (or none).
fn sliders(name: &str, text: &str) -> Value {
    let file = Document::parse(name, text, &[]).file;
    let list = file.parameters.iter().filter_map(|(name, number)| {
        let (plain, unit) = match number {
            Number::Value(_) => (number.clone(), None),
            Number::Text(text) => {
                let (plain, unit) = split_unit(text.trim());
                (Number::Text(plain.to_string()), unit)
            }
        };
        Some(json!([name, plain.evaluate(&Names::new()).ok()?, unit.unwrap_or("")]))
    });
    list.collect()
}

/// Runs a model: returns a header and bytes. `see` gets the finished part of the run, 0 to 1.
pub fn run(name: &str, text: &str, overrides: &[String], wish: Wish, see: &mut dyn FnMut(f64)) -> Answer {
    let loaded = match load(name, text, overrides) {
        Ok(loaded) => loaded,
        Err(d) => return alone(problems(text, &d)),
    };
    if wish == Wish::Check {
        return alone(json!({ "problems": [] }));
    }
    if wish == Wish::End {
        return alone(end(&loaded).unwrap_or_else(|e| json!({ "failure": e.to_string() })));
    }
    let until = loaded.settings.until;
    let mut next = 0.02;
    let results = simulate::simulate(&loaded, &mut |sample| {
        let done = sample.state.t / until;
        if done >= next {
            next = done + 0.02;
            see(done);
        }
        true
    });
    match results {
        Ok(results) => {
            let (mut header, bytes) = answer(&loaded, &results, wish);
            if wish == Wish::Scene {
                header["sliders"] = sliders(name, text);
            }
            (header, bytes)
        }
        Err(e) => alone(json!({ "failure": e.to_string() })),
    }
}

/// The last state of a run without recording, like `precess run` without `--out`.
fn end(loaded: &Loaded) -> Result<Value, precess::Error> {
    let built = build(&loaded.model, loaded.settings.formulation)?;
    let mut state = initial_state(&loaded.settings, &built)?;
    let done = integrate(&loaded.settings, &*built.system, &mut state, &mut (), None, &mut |_| {})?;
    let steps = done.map_err(|failure| failure.error)?.steps;
    Ok(json!({ "end": { "t": [state.t], "q": state.q.as_slice(), "v": state.v.as_slice(), "steps": steps } }))
}

/// The requested answer from the results of a run.
fn answer(loaded: &Loaded, results: &Results, wish: Wish) -> Answer {
    let scene = || Scene::simulated(loaded, results, None);
    let file = |kind: &str, bytes: Vec<u8>| (json!({ "file": kind }), bytes);
    let written = |kind: &str, write: fn(&Results, &mut dyn std::io::Write) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        match write(results, &mut bytes) {
            Ok(()) => file(kind, bytes),
            Err(e) => alone(json!({ "failure": e.to_string() })),
        }
    };
    match wish {
        Wish::Scene | Wish::Check => {
            let scene = scene();
            if scene.motion.frames() == 0 || scene.drawn.bodies.is_empty() {
                return alone(json!({ "failure": "there is no body, so there is nothing to show" }));
            }
            let (header, data) = scene.encode();
            (json!({ "scene": header }), data)
        }
        Wish::Gltf => file("glb", glb::write(&scene())),
        Wish::Page => file("html", html::page_with(&[scene()], MARKS[0], MARKS[1]).into_bytes()),
        Wish::Json => written("json", json::write),
        Wish::Csv => written("csv", csv::write),
        Wish::End => alone(Value::Null),
    }
}

/// Length of the header, header, data.
pub fn packed((header, data): Answer) -> Vec<u8> {
    let header = header.to_string().into_bytes();
    let mut out = Vec::with_capacity(4 + header.len() + data.len());
    out.extend((header.len() as u32).to_le_bytes());
    out.extend(header);
    out.extend(data);
    out
}

/// The answer to `wish NUL name NUL text NUL override NUL ..`.
pub fn reply(question: &str, see: &mut dyn FnMut(f64)) -> Vec<u8> {
    let mut words = question.split('\0');
    let mut word = || words.next().unwrap_or("");
    let (wish, name, text) = (word(), word(), word());
    let overrides: Vec<String> = words.map(str::to_string).collect();
    let wish = wish.parse().ok().and_then(Wish::of).unwrap_or(Wish::Scene);
    packed(run(name, text, &overrides, wish, see))
}
