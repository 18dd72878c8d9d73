//! The order of the house: rooms use only rooms before them, files do not import each other in circles, names
//! have few meanings, and wrappers of systems forget no function.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// A module as its path in the crate: `["model", "forces", "drag"]`; the root is empty.
type Module = Vec<String>;

/// The files of a crate that a file imports, each with one of the paths that lead there.
type Imports = BTreeMap<Module, BTreeMap<Module, String>>;

/// The texts of all files of a crate without its unit tests.
fn texts(source: &Path) -> BTreeMap<Module, String> {
    let (mut folders, mut found) = (vec![source.to_path_buf()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().to_string();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let inside = path.strip_prefix(source).unwrap().with_extension("");
                let mut module: Module =
                    inside.components().map(|c| c.as_os_str().to_string_lossy().to_string()).collect();
                if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                    module.pop();
                }
                found.insert(module, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// What a file imports and what it exports again, as paths from the root of the crate.
struct Paths<'a> {
    module: &'a Module,
    modules: &'a BTreeSet<Module>,
    used: Vec<Module>,
    exported: BTreeMap<String, Module>,
}

impl Paths<'_> {
    /// A path as one from the root; none if it leads out of the crate or is a name of this file.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let (mut base, mut rest) = match first.as_str() {
            "crate" => (Module::new(), rest),
            "self" => (self.module.clone(), rest),
            "super" => (self.module.split_last()?.1.to_vec(), rest),
            child => {
                let inside = [&self.module[..], &[child.to_string()]].concat();
                return self.modules.contains(&inside).then(|| [&self.module[..], path].concat());
            }
        };
        while rest.first().is_some_and(|word| word == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend(rest.iter().filter(|word| *word != "self").cloned());
        Some(base)
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &[String], exports: bool) {
        let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        let (path, name) = match tree {
            syn::UseTree::Path(x) => return self.tree(&x.tree, &with(&x.ident), exports),
            syn::UseTree::Group(x) => return x.items.iter().for_each(|t| self.tree(t, before, exports)),
            syn::UseTree::Name(x) => (with(&x.ident), x.ident.to_string()),
            syn::UseTree::Rename(x) => (with(&x.ident), x.rename.to_string()),
            _ => (before.to_vec(), "*".to_string()),
        };
        if let Some(path) = self.absolute(&path) {
            // A file that only exports what another file has does not depend on it.
            match exports {
                true => drop(self.exported.insert(name, path)),
                false => self.used.push(path),
            }
        }
    }

    /// Paths in a macro are words between double colons.
    fn tokens(&mut self, text: &str) {
        let text: String = text.split_whitespace().collect();
        for start in ["crate::", "super::", "self::"] {
            for (at, _) in text.match_indices(start) {
                let whole = text[..at].ends_with(|c: char| c.is_alphanumeric() || "_$:".contains(c));
                let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
                let path = text[at..].split(|c| !word(c)).next().unwrap();
                let path: Vec<String> = path.split("::").map(str::to_string).collect();
                if let Some(path) = self.absolute(&path).filter(|_| !whole) {
                    self.used.push(path);
                }
            }
        }
    }
}

/// True for `#[cfg(test)]` and `#[cfg(all(test, ..))]`.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string().contains("test"),
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.tree(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if ["crate", "super", "self"].contains(&words[0].as_str()) && words.len() > 1 {
            self.used.extend(self.absolute(&words));
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        self.tokens(&found.tokens.to_string());
        syn::visit::visit_macro(self, found);
    }
}

/// The imports between the files of a crate. A path ends in the file that has what it names, also if another
/// file exports it again.
fn imports(texts: &BTreeMap<Module, String>) -> Imports {
    let modules: BTreeSet<Module> = texts.keys().cloned().collect();
    let read = |module: &Module, text: &String| {
        let parsed = syn::parse_file(text).unwrap_or_else(|e| panic!("{}: {e}", module.join("/")));
        let names = BTreeMap::new();
        let mut paths = Paths { module, modules: &modules, used: Vec::new(), exported: names };
        paths.visit_file(&parsed);
        (paths.used, paths.exported)
    };
    let all: BTreeMap<&Module, (Vec<Module>, BTreeMap<String, Module>)> =
        texts.iter().map(|(module, text)| (module, read(module, text))).collect();
    let end = |path: &Module| {
        let mut path = path.clone();
        for _ in 0..8 {
            let file = (0..=path.len()).rev().find(|k| modules.contains(&path[..*k])).unwrap_or(0);
            let next = path.get(file).and_then(|name| all.get(&path[..file].to_vec())?.1.get(name));
            match next {
                Some(next) => path = [&next[..], &path[file + 1..]].concat(),
                None => return path[..file].to_vec(),
            }
        }
        path
    };
    let of = |(module, (used, _)): (&&Module, &(Vec<Module>, BTreeMap<String, Module>))| {
        let list = used.iter().map(|path| (end(path), path.join("::")));
        // The root has no code of its own, only what other crates export.
        ((*module).clone(), list.filter(|(to, _)| to != *module && !to.is_empty()).collect())
    };
    all.iter().map(of).collect()
}

/// Groups of files that import each other, directly or through others (Tarjan, by reachability).
fn knots(imports: &Imports) -> Vec<Vec<String>> {
    let reach = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for next in imports.get(module).into_iter().flat_map(BTreeMap::keys) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = imports.keys().map(|m| (m, reach(m))).collect();
    let mut found = BTreeSet::new();
    for (module, from) in reached.iter().filter(|(module, from)| from.contains(**module)) {
        let knot = from.iter().filter(|other| reached.get(**other).is_some_and(|r| r.contains(*module)));
        found.insert(knot.map(|m| m.join("/")).collect::<Vec<String>>());
    }
    found.into_iter().collect()
}

/// The crates of the library, and the rooms of each in their order: a room uses only those before it.
/// `lib.rs` and ARCHITECTURE.md name the same order.
const ROOMS: [(&str, &[&str]); 3] = [
    (
        "precess-engine",
        &[
            "error",
            "persist",
            "threads",
            "clock",
            "expression",
            "flex",
            "solve",
            "mechanics",
            "integrate",
            "formulation",
            "problems",
            "runs",
        ],
    ),
    ("precess-conserve", &["conservative", "steps", "directors", "ggl"]),
    ("precess", &["methods", "model", "study", "analysis", "simulation"]),
];

#[test]
fn rooms_use_only_rooms_before_them() {
    for (name, rooms) in ROOMS {
        let place = |room: &str| rooms.iter().position(|r| *r == room);
        let imports = imports(&texts(&root().join(format!("crates/{name}/src"))));
        let mut seen = 0;
        for (from, list) in imports.iter().filter(|(from, _)| !from.is_empty() && from[0] != "prelude") {
            let own = place(&from[0]).unwrap_or_else(|| panic!("'{}' has no place in the order", from[0]));
            for (to, path) in list.iter().filter(|(to, _)| to[0] != from[0]) {
                seen += 1;
                assert!(place(&to[0]) < Some(own), "{} uses {path}, which comes after it", from.join("/"));
            }
        }
        assert!(seen > 20, "{seen} imports between the rooms of {name}");
    }
}

/// Both descriptions name the rooms in this order.
#[test]
fn the_order_is_said_once() {
    let (lib, page) = (read("crates/precess/src/lib.rs"), read("ARCHITECTURE.md"));
    let sentence = |text: &str| {
        let start = text.find("uses only those before it:").expect("the order");
        text[start..].split("\n\n").next().unwrap().split('.').next().unwrap().to_string()
    };
    for text in [sentence(&lib), sentence(&page)] {
        let mut rest = text.as_str();
        for room in ROOMS.iter().flat_map(|(_, rooms)| rooms.iter()) {
            let at = rest.find(&format!("`{room}`")).unwrap_or_else(|| panic!("'{room}' in: {text}"));
            rest = &rest[at..];
        }
    }
}

/// Most files of a knot.
const LARGEST: usize = 6;

/// Files of a room that import each other, and why. The list may only shrink. Files of one folder within a room
/// are one idea and may import each other.
const KNOTS: &[(&str, &str, &str)] = &[
    ("precess-lie", "coefficients number", "series of functions, for the numbers that have them"),
    ("precess-lie", "rotation so3", "operators on slices and on matrices of the same group"),
    (
        "precess-engine",
        "expression expression/dimension expression/functions expression/profile expression/table expression/value",
        "the room is one idea: a formula, its functions and their dimensions",
    ),
    (
        "precess-engine",
        "integrate/implicit integrate/integrator integrate/recovery",
        "a step that fails tries other ways to take itself",
    ),
    (
        "precess-engine",
        "integrate/project integrate/start",
        "starting values are projected, projections start",
    ),
    (
        "precess-engine",
        "mechanics/difference mechanics/system mechanics/tangents",
        "derivatives that a system does not give",
    ),
    (
        "precess-engine",
        "formulation/chain_rule formulation/coordinates",
        "other coordinates and their derivatives",
    ),
    (
        "precess-engine",
        "flex/geometric flex/modal flex/rotary",
        "a modal body, its stiffening and its rotary inertia",
    ),
    (
        "precess",
        "model/document model/evaluate model/forces model/misplaced model/sections",
        "a key in the wrong table is explained with the keys of force types",
    ),
    (
        "precess",
        "model/dimensions model/formula model/law model/measured",
        "names in formulas and their dimensions",
    ),
    ("precess", "model/modal_file model/modal_sid", "two formats of modal bodies"),
    (
        "precess",
        "analysis/equilibrium analysis/equilibrium/search analysis/large/rest analysis/steady",
        "rest and steady motion, in dense and in sparse matrices",
    ),
    ("precess", "analysis/error analysis/gaps analysis/local", "errors name the joints that are open"),
    ("precess", "analysis/frame analysis/large/pencil analysis/large/steady", "frames of large models"),
    ("precess", "analysis/mat analysis/npz", "two formats of matrices"),
    ("precess-claims", "ggl ggl_family ggl_original ggl_particles ggl_structure ggl_top", "one paper"),
    ("precess-claims", "sigma sigma_printed sigma_rotor", "one paper"),
    ("precess-claims", "bliedf bliedf_analysis", "one paper"),
];

/// True if all files lie in one folder within a room.
fn is_one_folder(knot: &[String]) -> bool {
    let folder = |file: &String| file.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
    let first = folder(&knot[0]);
    first.contains('/') && knot.iter().all(|file| folder(file) == first)
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut folders: Vec<_> =
        fs::read_dir(root().join("crates")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    let mut wrong = Vec::new();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().to_string();
        let known: BTreeSet<String> = KNOTS
            .iter()
            .filter(|(owner, ..)| *owner == name)
            .map(|(_, files, _)| files.to_string())
            .collect();
        let all = knots(&imports(&texts(&folder.join("src"))));
        assert!(all.iter().all(|k| k.len() <= LARGEST), "{name}: {all:?}");
        let found: BTreeSet<String> = all.iter().filter(|k| !is_one_folder(k)).map(|k| k.join(" ")).collect();
        wrong.extend(found.difference(&known).map(|k| format!("{name}: these import each other: {k}")));
        wrong.extend(known.difference(&found).map(|k| format!("{name}: no knot any more, take it off: {k}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The test above sees circles through grouped imports, paths within functions, macros and exports.
#[test]
fn a_circle_is_found() {
    let crate_of = |list: &[(&str, &str)]| {
        let module = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_string).collect();
        let texts = list.iter().map(|(path, text)| (module(path), text.to_string())).collect();
        knots(&imports(&texts))
    };
    let line = [("a", ""), ("a/b", "use crate::{a::c::Y, a::d};"), ("a/c", "pub struct Y;"), ("a/d", "")];
    assert!(crate_of(&line).is_empty());
    for back in [
        "use crate::{a::b::X, a::d};",
        "use super::b::{self};",
        "fn f() { crate::a::b::x(); }",
        "fn f() { println!(\"{}\", super::b::x()); }",
        "use crate::a::X;",
    ] {
        let circle = [("a", "pub use b::X;"), line[1], ("a/c", back), ("a/d", "")];
        assert_eq!(crate_of(&circle), [["a/b", "a/c"]], "{back}");
    }
    let test = "#[cfg(test)]\nmod tests { use crate::a::b::X; }";
    assert!(crate_of(&[("a", ""), line[1], ("a/c", test), ("a/d", "")]).is_empty());
}

/// The name of the type that a line defines. `combine!` and `persist!` repeat a definition, one level further
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
    for (owner, _) in ROOMS {
        for (module, text) in texts(&root().join(format!("crates/{owner}/src"))) {
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
            for name in code.lines().filter_map(defined) {
                places.entry(name.to_string()).or_default().push(module.join("/"));
            }
        }
    }
    assert!(places.len() > 500, "{} types", places.len());
    for (name, files) in places {
        assert!(files.len() <= MEANINGS, "'{name}' means {} things, see {files:?}", files.len());
    }
}

/// Functions that systems which wrap others leave to the defaults of the trait, because the default is right.
/// The lists may only shrink.
const LEFT_TO_DEFAULTS: [(&str, &str, &str); 3] = [
    // Other coordinates: the structure is that of the wrapped system only where the coordinates are
    // its own.
    (
        "precess-engine/src/formulation/coordinates.rs",
        "Coordinates<P>",
        "equations breakpoints structure constant_mass as_any",
    ),
    // No expressions, no switches, no velocity rows, no modal bodies: `build_directors` refuses them.
    (
        "precess-conserve/src/directors/mod.rs",
        "Directors",
        "n_s velocity_rows row_kind equations algebraic guess_algebraic power_reads_forces \
         nearest_lock switch breakpoints row_classes row_weights see_limits neglected exceeded",
    ),
    // One body without joints.
    (
        "precess-engine/src/formulation/fixed_point.rs",
        "FixedPoint",
        "n_lambda n_s constraint velocity_constraint acceleration_constraint velocity_rows row_kind \
         equations \
         algebraic guess_algebraic nearest_lock remember switch breakpoints structure \
         row_classes \
         row_weights constraint_name blocks sight constant_mass as_any",
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
    let all = functions_of(&read("crates/precess-engine/src/mechanics/system.rs"), "pub trait System");
    assert!(all.len() > 30, "{all:?}");
    for (file, name, left) in LEFT_TO_DEFAULTS {
        let own = functions_of(&read(&format!("crates/{file}")), &format!(" System for {name} {{"));
        let left: Vec<&str> = left.split_whitespace().collect();
        for function in &all {
            let (is_own, is_left) = (own.contains(function), left.contains(&function.as_str()));
            assert!(is_own || is_left, "{name} does not forward '{function}'");
            assert!(!(is_own && is_left), "{name} has '{function}': take it off the list");
        }
        assert!(left.iter().all(|f| all.iter().any(|x| x == f)), "{name}: {left:?}");
    }
}

/// ARCHITECTURE.md prints the function that takes a step, as it is in the source.
#[test]
fn the_printed_step_is_the_step() {
    let source = read("crates/precess-engine/src/integrate/step/mod.rs");
    let at = source.find("/// One time step.").expect("the function");
    let printed = source[at..].replace("pub fn", "fn").replace("#[inline(always)]\n", "");
    let text = read("ARCHITECTURE.md");
    assert!(text.contains(printed.trim_end()), "ARCHITECTURE.md should contain:\n{printed}");
    let lines = printed.lines().skip_while(|line| !line.starts_with("fn")).count();
    assert!(lines <= 60, "{lines} lines");
}
