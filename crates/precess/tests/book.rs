//! The book is up to date: sketches, code and models in it are those of the repository, and its links lead
//! somewhere.

#[allow(dead_code)]
#[path = "../examples/sketches/main.rs"]
mod sketches;

use std::collections::BTreeMap;
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
    let (page, example) = (read("README.md"), read("crates/precess-view/examples/four_bar.rs"));
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
    assert!(seen > 150 && crates.len() >= 11, "{seen} files, {crates:?}");
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

/// The modules of the library, each of which uses those before it. `lib.rs` and ARCHITECTURE.md name the same
/// order.
const ORDER: [&str; 16] = [
    "sorting",
    "error",
    "persist",
    "threads",
    "clock",
    "solve",
    "mechanics",
    "integrate",
    "conserve",
    "formulation",
    "methods",
    "problems",
    "runs",
    "model",
    "study",
    "simulation",
];

/// Lines of code that name another module of the library, with the module they are in.
fn references() -> Vec<(String, String, String)> {
    ["crates/precess-engine/src", "crates/precess-run/src", "crates/precess/src"]
        .iter()
        .flat_map(|s| references_in(root().join(s)))
        .collect()
}

fn references_in(source: PathBuf) -> Vec<(String, String, String)> {
    let (mut folders, mut found) = (vec![source.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(&source).unwrap().to_string_lossy().replace('\\', "/");
            if !inside.ends_with(".rs") || inside.ends_with("tests.rs") || inside == "lib.rs" {
                continue;
            }
            let room = inside.split('/').next().unwrap().trim_end_matches(".rs").to_string();
            let text = fs::read_to_string(&path).unwrap();
            // Unit tests may use everything.
            let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
            let code = code.split("\n#[cfg(all(test").next().unwrap();
            for line in code.lines().filter(|l| !l.trim_start().starts_with("//")) {
                for rest in line.split("crate::").skip(1) {
                    let other: String =
                        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if other != room && ORDER.contains(&other.as_str()) {
                        found.push((room.clone(), other, format!("{inside}: {}", line.trim())));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn dependencies_point_one_way() {
    let place = |room: &str| ORDER.iter().position(|r| *r == room);
    let found = references();
    assert!(found.len() > 200, "{} references", found.len());
    for (room, other, line) in &found {
        // `prelude` only gathers what others have.
        let from = place(room).unwrap_or(ORDER.len());
        assert!(room == "prelude" || from < ORDER.len(), "'{room}' has no place in the order");
        assert!(place(other) < Some(from), "'{room}' uses '{other}', which comes after it: {line}");
    }
}

/// Both descriptions name the modules in this order.
#[test]
fn the_order_is_said_once() {
    let (lib, page) = (read("crates/precess/src/lib.rs"), read("ARCHITECTURE.md"));
    let sentence = |text: &str| {
        let start = text.find("A module uses those before it:").expect("the order");
        text[start..].split("\n\n").next().unwrap().split('.').next().unwrap().to_string()
    };
    for text in [sentence(&lib), sentence(&page)] {
        let mut rest = text.as_str();
        for room in ORDER {
            let at = rest.find(&format!("`{room}`")).unwrap_or_else(|| panic!("'{room}' in: {text}"));
            rest = &rest[at..];
        }
    }
}

/// Most lines of a function and of a file.
const LONGEST: (usize, usize) = (80, 500);

/// All source files with their lines, without unit tests.
fn sources() -> Vec<(String, Vec<String>)> {
    let inside = |file: &String| file.contains("/src/") && !file.ends_with("tests.rs");
    let code = |text: String| -> Vec<String> {
        let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
        code.lines().map(str::to_string).collect()
    };
    rust_files().into_iter().filter(|(file, _)| inside(file)).map(|(file, text)| (file, code(text))).collect()
}

/// Test programs, examples and benchmarks with their lines.
fn programs() -> Vec<(String, Vec<String>)> {
    let files = rust_files().into_iter().filter(|(file, _)| !file.contains("/src/"));
    files.map(|(file, text)| (file, text.lines().map(str::to_string).collect())).collect()
}

/// Names of the functions of a file with their numbers of lines.
fn functions(lines: &[String]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let words: Vec<&str> = code.split_whitespace().take(4).collect();
        let Some(at) = words.iter().position(|w| *w == "fn") else { continue };
        let modifiers = ["pub", "pub(crate)", "pub(super)", "const", "unsafe"];
        if !words[..at].iter().all(|w| modifiers.contains(w)) {
            continue;
        }
        let name = words.get(at + 1).map_or("", |w| w.split(['(', '<']).next().unwrap());
        let end = format!("{}}}", &line[..line.len() - code.len()]);
        // A declaration, or an empty body, ends with its signature.
        let signature = lines[i..].iter().find(|l| l.ends_with(['{', ';', '}']));
        if !signature.is_some_and(|l| l.ends_with('{')) {
            continue;
        }
        let length = lines[i..].iter().position(|l| *l == end).map_or(0, |n| n + 1);
        found.push((name.to_string(), length));
    }
    found
}

/// A function holds one thought, a file one idea. Functions of tests and examples may be longer.
#[test]
fn nothing_is_too_long() {
    let sources = sources();
    assert!(sources.len() > 300, "{} files", sources.len());
    let (most_in_function, most_in_file) = LONGEST;
    let mut long = Vec::new();
    for (file, lines) in sources.iter().chain(&programs()).filter(|(_, lines)| lines.len() > most_in_file) {
        long.push(format!("{file}: {} lines, at most {most_in_file}", lines.len()));
    }
    for (file, lines) in &sources {
        let functions = functions(lines).into_iter().filter(|(_, n)| *n > most_in_function);
        long.extend(
            functions.map(|(name, n)| format!("{file}: {name}: {n} lines, at most {most_in_function}")),
        );
    }
    assert!(long.is_empty(), "divide these:\n{}", long.join("\n"));
}

/// The name of the type that a line defines. `beside!` and `persist!` repeat a definition, one level further
/// in.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split([' ', '<', '(', ';', '{', ':']).filter(|w| !w.is_empty());
    let first = words.next().filter(|_| !line.starts_with(' '))?;
    let visibility = ["pub", "crate)", "super)", "in"];
    let keyword = if first == "pub" { words.find(|w| !visibility.contains(w))? } else { first };
    ["struct", "enum", "trait", "type"].contains(&keyword).then(|| words.next()).flatten()
}

/// Most meanings of a name.
const MEANINGS: usize = 2;

/// A reader should not have to ask which `Place` is meant.
#[test]
fn type_names_have_few_meanings() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for (file, lines) in sources() {
        if ["precess-engine/", "precess/", "precess-analysis/"].iter().any(|c| file.starts_with(c)) {
            for name in lines.iter().filter_map(|line| defined(line)) {
                places.entry(name.to_string()).or_default().push(file.clone());
            }
        }
    }
    assert!(places.len() > 500, "{} types", places.len());
    for (name, files) in places {
        assert!(files.len() <= MEANINGS, "'{name}' means {} things, see {files:?}", files.len());
    }
}

/// Most columns of a line. rustfmt leaves comments, strings and macros as they are.
const COLUMNS: usize = 110;

#[test]
fn lines_are_short() {
    // Models in tests have long lines: a table of TOML is one line.
    let is_model = |line: &str| line.contains('"') || line.contains(" = { ") || line.contains(" = [{");
    let programs = programs().into_iter().map(|(file, mut lines)| {
        lines.iter_mut().filter(|line| is_model(line)).for_each(String::clear);
        (file, lines)
    });
    for (file, lines) in sources().into_iter().chain(programs) {
        for (i, line) in lines.iter().enumerate() {
            let columns = line.chars().count();
            assert!(columns <= COLUMNS, "{file}:{}: {columns} columns, at most {COLUMNS}", i + 1);
        }
    }
}

/// Functions that systems which wrap others leave to the defaults of the trait, because the default is right.
/// The lists may only shrink.
const LEFT_TO_DEFAULTS: [(&str, &str, &str); 3] = [
    // Other coordinates: the structure is that of the wrapped system only where the coordinates are
    // its own.
    (
        "formulation/coordinates.rs",
        "Coordinates<P>",
        "equations breakpoints structure as_conservative as_multibody",
    ),
    // No expressions, no switches, no velocity rows: `build_directors` refuses them.
    (
        "formulation/directors/mod.rs",
        "Directors",
        "n_s velocity_rows row_kind equations algebraic guess_algebraic power_reads_forces \
         nearest_lock switch breakpoints row_classes row_weights as_multibody \
         see_limits neglected exceeded",
    ),
    // One body without joints.
    (
        "formulation/fixed_point.rs",
        "FixedPoint",
        "n_lambda n_s constraint velocity_constraint acceleration_constraint velocity_rows row_kind \
         equations \
         algebraic guess_algebraic nearest_lock remember switch breakpoints structure \
         row_classes \
         row_weights constraint_name blocks sight as_conservative as_multibody",
    ),
];

/// Names of the functions of an item that begins with this line.
fn functions_of(text: &str, item: &str) -> Vec<String> {
    let (_, rest) = text.split_once(item).unwrap_or_else(|| panic!("no {item}"));
    let body = rest.split("\n}\n").next().unwrap();
    let names = body.lines().filter_map(|l| l.strip_prefix("    fn "));
    names.map(|l| l.split(['(', '<']).next().unwrap().to_string()).collect()
}

/// If a wrapper forgets a function of `System`, it silently gets the default. When the trait gets a new
/// function, its author has to decide about each wrapper.
#[test]
fn wrappers_of_systems_forget_nothing() {
    let engine = |file: &str| read(&format!("crates/precess-engine/src/{file}"));
    let all = functions_of(&engine("mechanics/system.rs"), "pub trait System");
    assert!(all.len() > 30, "{all:?}");
    for (file, name, left) in LEFT_TO_DEFAULTS {
        let own = functions_of(&engine(file), &format!(" System for {name} {{"));
        let left: Vec<&str> = left.split_whitespace().collect();
        for function in &all {
            let (is_own, is_left) = (own.contains(function), left.contains(&function.as_str()));
            assert!(is_own || is_left, "{name} does not forward '{function}'");
            assert!(!(is_own && is_left), "{name} has '{function}': take it off the list");
        }
        assert!(left.iter().all(|f| all.iter().any(|x| x == f)), "{name}: {left:?}");
    }
}
