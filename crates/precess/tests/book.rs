//! The book is up to date: sketches, code and models in it are those of the repository, and its links lead
//! somewhere.

#[allow(dead_code)]
#[path = "../examples/sketches/main.rs"]
mod sketches;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn pages() -> Vec<(String, String)> {
    let list =
        fs::read_dir(root().join("book")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = list.filter(|n| n.ends_with(".md")).collect();
    names.sort();
    names.into_iter().map(|n| (n.clone(), read(&format!("book/{n}")))).collect()
}

/// Contents of the blocks in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    page.split(&open).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

#[test]
fn sketches_are_those_of_the_example() {
    let folder = root().join("book/pictures/elements");
    let files = sketches::files();
    for (name, svg) in &files {
        let stored = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(stored == *svg, "{name}: cargo run -p precess --example sketches");
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), files.len());
}

/// Every joint and force of the schema's enumerations has a sketch on its page.
#[test]
fn every_joint_and_force_is_in_the_book() {
    // Lines `Name,` or `Name: what belongs to it`.
    let source = |file: &str, name: &str| {
        let text = read(file);
        let body = text.split(&format!("\n{name} {{")).nth(1).unwrap().split("\n}").next().unwrap();
        let lines = body.lines().filter_map(|l| l.strip_prefix("    "));
        let names = lines.filter_map(|l| l.split_once([',', ':']).map(|x| x.0));
        names.filter(|n| n.starts_with(char::is_uppercase)).map(str::to_string).collect::<Vec<_>>()
    };
    let kebab = |name: &str, dash: char| {
        let mut out = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !out.is_empty() {
                out.push(dash);
            }
            out.push(c.to_ascii_lowercase());
        }
        out
    };
    for (page, file, name) in [
        ("joints", "crates/precess/src/model/file.rs", "pub enum JointType"),
        ("forces", "crates/precess/src/model/forces/mod.rs", "force_types!"),
    ] {
        let text = read(&format!("book/{page}.md"));
        let kinds = source(file, name);
        assert!(kinds.len() >= 8, "{kinds:?}");
        for kind in kinds {
            assert!(text.contains(&format!("`{}`", kebab(&kind, '-'))), "{kind} in {page}.md");
            assert!(text.contains(&format!("elements/{}.svg", kebab(&kind, '_'))), "{kind} in {page}.md");
        }
    }
}

#[test]
fn methods_and_formulations_are_in_the_book() {
    let (methods, coordinates) = (read("book/methods.md"), read("book/formulations.md"));
    for entry in precess::methods::METHODS {
        assert!(methods.contains(&format!("`{}`", entry.name)), "{}", entry.name);
    }
    for name in precess::formulation::Formulation::NAMES {
        assert!(coordinates.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn code_is_that_of_the_examples() {
    let page = read("book/extending.md");
    let examples = ["own_system", "own_integrator"].map(|e| read(&format!("crates/precess/examples/{e}.rs")));
    let blocks = blocks(&page, "rust");
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        assert!(examples.iter().any(|e| e.contains(block)), "not in an example:\n{block}");
    }
}

#[test]
fn the_first_mechanism_is_the_model() {
    let page = read("book/first-mechanism.md");
    let model = read("models/piston_pump.toml");
    let (_, without_head) = model.split_once("\n\n").unwrap();
    assert_eq!(blocks(&page, "toml").join("\n\n"), without_head.trim_end());
}

#[test]
fn the_readme_shows_the_example() {
    let (page, example) = (read("book/three-ways.md"), read("crates/precess-view/examples/four_bar.rs"));
    assert_eq!(blocks(&read("README.md"), "toml")[0], blocks(&page, "toml")[0]);
    let first = blocks(&page, "rust")[0];
    assert!(example.contains(first.trim()), "not in the example:\n{first}");
    // The file is the same mechanism: no velocities, four hinges, and it runs.
    let loaded = precess::model::load("four_bar.toml", blocks(&page, "toml")[0], &[]).unwrap();
    let check = loaded.check();
    assert!(check.is_runnable(), "{:?}", check.problems);
    assert_eq!((check.mobility.degrees_of_freedom(), check.mobility.redundant()), (0, 3));
}

/// Relative links and pictures exist, and every page is in the table of contents.
#[test]
fn links_lead_somewhere() {
    let summary = read("book/SUMMARY.md");
    for (name, text) in pages() {
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in SUMMARY.md"
        );
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let file = target.split('#').next().unwrap();
            if let Some(model) = file.strip_prefix("moving/").and_then(|f| f.strip_suffix(".html")) {
                // `tools/book-site` makes these pages.
                assert!(root().join(format!("models/{model}.toml")).exists(), "{name}: {target}");
            } else if !file.is_empty() && !file.starts_with("http") {
                assert!(root().join("book").join(file).exists(), "{name}: {target}");
            }
        }
    }
}

/// True if a line finds a maximum of floating-point numbers that forgets NaN: `f64::max` as a function, and
/// `x.max(y)` unless y is a number or a constant. Counts have no NaN, and the trace of a run keeps it.
fn hides_nan(line: &str) -> bool {
    let code = line.split("//").next().unwrap();
    let counts = ["len()", "rows()", "count()", "iterations", "usize", "), |n| ", "a.max(b)]", "moving()"];
    if code.contains("f64::max") || code.contains(".amax()") {
        return true;
    }
    let hides = code.split(".max(").skip(1).any(|rest| {
        let argument = rest.split(')').next().unwrap().trim();
        let constant = argument.rsplit("::").next().unwrap();
        let is_constant = constant.starts_with(char::is_uppercase) && !constant.contains('(');
        !(argument.starts_with(|c: char| c.is_ascii_digit()) || is_constant)
    });
    hides && !counts.iter().any(|count| code.contains(count))
}

#[test]
fn lines_that_hide_nan_are_known() {
    for line in [
        "let e = list.iter().copied().fold(0.0, f64::max);",
        "worst = worst.max((a - b).abs());",
        "worst = (a - b).abs().max(worst);",
        "let e = list.iter().fold(0.0, |m: f64, x| m.max(x.abs()));",
        "assert!((a - b).amax() < 1e-12);",
        "    .max((a.position - b.position).largest())",
        "(worst, n) = (worst.max(off), n + 1);",
    ] {
        assert!(hides_nan(line), "{line}");
    }
    for line in [
        "let e = list.iter().copied().fold(0.0, larger);",
        "assert!(error < 1e-12 * size.max(1.0));",
        "let e = distance(a, b) / norm(b).max(f64::MIN_POSITIVE);",
        "let n = a.len().max(b.len());",
        "most = most.max(sample.report.iterations);",
    ] {
        assert!(!hides_nan(line), "{line}");
    }
}

/// `f64::max` forgets NaN, and so does `amax` of nalgebra: a test that measures with them cannot fail on one.
#[test]
fn tests_do_not_hide_nan() {
    let mut crates = std::collections::BTreeSet::new();
    let mut seen = 0;
    for (file, text) in rust_files() {
        let inside = file.contains("/src/");
        if file.ends_with("tests/book.rs") || !(inside || file.contains("/tests/")) {
            continue;
        }
        // Unit tests are at the end of a file or in a file of their own.
        let begin = if inside && !file.ends_with("/tests.rs") {
            text.find("#[cfg(test)]\nmod tests {")
        } else {
            Some(0)
        };
        let Some(tests) = begin.and_then(|begin| text.get(begin..)) else { continue };
        seen += 1;
        crates.insert(file.split('/').next().unwrap().to_string());
        for line in tests.lines() {
            assert!(!hides_nan(line), "{file}: use larger or Largest of precess-lie: {line}");
        }
    }
    // All crates but the Python package.
    assert!(seen > 150 && crates.len() >= 8, "{seen} files, {crates:?}");
}

/// All Rust files in `crates` with their texts.
fn rust_files() -> Vec<(String, String)> {
    let (mut folders, mut found) = (vec![root().join("crates")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().replace('\\', "/");
            let inside = name.rsplit_once("/crates/").unwrap().1.to_string();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") {
                found.push((inside, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}
