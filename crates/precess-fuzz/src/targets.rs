//! The targets, one function per parser. They may refuse an input, but must not panic, hang or take unbounded
//! memory.

use std::path::Path;

use fastrand::Rng;
use precess::integrate::InitialValues;
use precess::mechanics::function::{Argument, NOTHING_READ};
use precess::methods::{adaptive_method, method};
use precess::model::archive::{Archive, ArchiveWriter};
use precess::model::condition;
use precess::model::evaluate::tables;
use precess::model::expression::table::{BetweenRows, Outside, Table};
use precess::model::expression::{Expression, units};
use precess::model::formula::{Need, formula};
use precess::model::number::{Names, Number};
use precess::model::{Files, Loaded, build, load, load_with, mjcf, urdf};
use precess::study::check::check;
use precess::study::configuration::{Configuration, steps};
use precess::study::points::{AllowedValues, Selection};
use precess::study::results::{Recording, csv, decode, json, npz};
use precess::study::{Recorder, Run, Sample, Sampling};
use precess_view::curves;

use crate::checkpoint;
use crate::corpus::{self, Seed};
use crate::expression::expression;
use crate::flexible;
use crate::mutate::mutate;
use crate::words::{MODEL_WORDS, URDF_WORDS};

/// A parser, the sources of its inputs, and the words of its format.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name.
    pub name: &'static str,
    /// The folders of the corpus.
    pub folders: &'static [&'static str],
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// The words of the format.
    pub words: &'static [&'static str],
    /// Makes an input from two seeds.
    pub make: fn(&mut Rng, &Seed, &Seed, &[&str]) -> Vec<u8>,
    /// Feeds an input to the parser. The extension is the first argument.
    pub feed: fn(&str, &[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "model",
        folders: &["fuzz/corpus/model", "models"],
        extensions: &["toml"],
        words: MODEL_WORDS,
        make: mutated,
        feed: |_, bytes| text(bytes, model),
    },
    Target {
        name: "urdf",
        folders: &["fuzz/corpus/urdf", "crates/precess/tests/urdf"],
        extensions: &["urdf"],
        words: URDF_WORDS,
        make: mutated,
        feed: |_, bytes| text(bytes, robot),
    },
    Target {
        name: "mjcf",
        folders: &["fuzz/corpus/mjcf"],
        extensions: &["xml"],
        words: &[
            "<body",
            "<joint",
            "<geom",
            "<freejoint/>",
            "type=\"slide\"",
            "type=\"ball\"",
            "fromto=\"0 0 0 1 0 0\"",
            "size=\"0.1\"",
            "range=\"-1 1\"",
            "euler=\"0 90 0\"",
            "class=\"stiff\"",
            "<default",
            "<motor",
            "joint=\"elbow\"",
            "<connect",
            "quat=\"0 0 0 0\"",
            "1e308",
            "-0",
            "nan",
            "</body>",
        ],
        make: mutated,
        feed: |_, bytes| text(bytes, mujoco),
    },
    Target {
        name: "calculix",
        folders: &["fuzz/corpus/calculix"],
        extensions: &["txt"],
        words: &[
            "*NODE",
            "*NSET, NSET=A",
            "GENERATE",
            "*INCLUDE, INPUT=x",
            "== sti",
            "== dof",
            "1.3",
            "1e308",
            "-0",
            "nan",
        ],
        make: mutated,
        feed: |_, bytes| text(bytes, flexible::calculix),
    },
    Target {
        name: "modal",
        folders: &["fuzz/corpus/modal", "models/flexible", "crates/precess/tests/data"],
        extensions: &["json", "npz", "SID_FEM"],
        words: &[
            "\"tension\"",
            "\"stiffening\"",
            "\"geometric\"",
            "\"shifts\"",
            "\"w33\"",
            "new modal\n",
            "m1( 1, 1, 1) = 2\n",
            "new node = 1\n",
            "\"integrals\"",
            "\"inertias\"",
            "\"names\"",
            "[]",
            "[[0]]",
            "1e308",
            "-0",
            "null",
        ],
        make: |rng, seed, other, words| {
            repacked(rng, seed, words).unwrap_or_else(|| mutated(rng, seed, other, words))
        },
        feed: |_, bytes| flexible::modal(bytes),
    },
    Target {
        name: "expression",
        folders: &["fuzz/corpus/expression"],
        extensions: &["txt"],
        words: &["sin", "t", "x", "v", "deg", "min", "max", "floor", "height", "tip", "pi"],
        make: |rng, seed, other, words| match rng.u8(..3) {
            0 => mutated(rng, seed, other, words),
            _ => expression(rng).into_bytes(),
        },
        feed: |_, bytes| text(bytes, words_of_users),
    },
    Target {
        name: "unit",
        folders: &["fuzz/corpus/unit"],
        extensions: &["txt"],
        words: &[
            "mm", "kN/m", "rpm", "deg", "kg m^2", "N s/m", "l", "t", "^", "/", "(", ")", "1e-3", "Hz", "µm",
        ],
        make: mutated,
        feed: |_, bytes| text(bytes, quantity),
    },
    Target {
        name: "table",
        folders: &["fuzz/corpus/table"],
        extensions: &["csv"],
        words: &[",", ";", "\t", "#", "x", "height", "1e308", "-0", "nan", "inf", "\"", "\n"],
        make: mutated,
        feed: |_, bytes| text(bytes, table),
    },
    Target {
        name: "mesh",
        folders: &["fuzz/corpus/mesh"],
        extensions: &["stl", "obj"],
        words: &["solid", "facet", "vertex", "v ", "f ", "-1", "1e300", "nan", "endsolid"],
        make: mutated,
        feed: |kind, bytes| {
            if let Ok(mesh) = precess::model::mesh::decode(&format!("fuzz.{kind}"), bytes, 1e-3) {
                let _ = mesh.moments();
            }
        },
    },
    Target {
        name: "include",
        folders: &["fuzz/corpus/include"],
        extensions: &["toml"],
        words: &[
            "include",
            "file",
            "prefix",
            "mirror",
            "count",
            "\"x\"",
            "points",
            "tables",
            "part.toml",
            "{i}",
            "A -> B",
        ],
        make: mutated,
        feed: |_, bytes| text(bytes, part),
    },
    Target {
        name: "results",
        folders: &["fuzz/corpus/results"],
        extensions: &["npz", "csv", "json"],
        words: &[
            "t", "q", "v", "lambda", "rows", "names", "units", "metadata", "columns", "energy", "step",
            "null",
        ],
        make: |rng, seed, other, words| match seed.kind.as_str() {
            "npz" if rng.u8(..4) > 0 => repacked(rng, seed, words).unwrap_or_else(|| seed.bytes.clone()),
            _ => mutated(rng, seed, other, words),
        },
        feed: results,
    },
    Target {
        name: "checkpoint",
        folders: &[],
        extensions: &[],
        words: &["model", "method", "version", "bob", "low"],
        make: checkpoint::make,
        feed: checkpoint::feed,
    },
];

fn mutated(rng: &mut Rng, seed: &Seed, other: &Seed, words: &[&str]) -> Vec<u8> {
    mutate(rng, &seed.bytes, &other.bytes, words)
}

fn text(bytes: &[u8], feed: fn(&str)) {
    // Files that are not text are refused before they are read.
    feed(&String::from_utf8_lossy(bytes));
}

/// A few bits of the input that decide whether expensive parts are run.
fn lot(text: &str) -> u8 {
    text.bytes().fold(0_u8, |h, b| h.wrapping_mul(31).wrapping_add(b))
}

fn model(text: &str) {
    match load_with("fuzz.toml", text, &[], Files::memory([])) {
        Err(e) => drop(e.to_string()),
        Ok(loaded) => loaded_model(&loaded, lot(text)),
    }
}

/// Larger models are read but not built. They are only slower, not harder.
const LARGE: usize = 12;
/// The number of steps of a run.
const STEPS: usize = 3;

fn loaded_model(loaded: &Loaded, lot: u8) {
    let (model, settings) = (&loaded.model, &loaded.settings);
    let elements = model.bodies.len() + model.joints.len() + model.forces.len() + model.controls.len();
    if elements > LARGE {
        return;
    }
    let checked = check(model, settings);
    let Ok(built) = build(model, settings.formulation) else {
        assert!(!checked.is_runnable(), "check finds nothing wrong with a model that cannot be built");
        return;
    };
    if lot.is_multiple_of(16) {
        built.system.breakpoints(0.0, settings.until);
    }
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = true;
    let Ok(mut state) = initial.consistent(&*built.system) else { return };
    let recording = Recording::new(loaded, &*built.system, Sampling::Steps(1));
    let mut few = Few { seen: 0, recording };
    let outcome = match settings.tolerance {
        Some(tol) => adaptive_method(&settings.method, &settings.options, tol)
            .ok()
            .zip(settings.adaptive_run())
            .map(|(mut method, run)| {
                // This runs a thousandth of the time. The first steps are those of the whole run.
                let run = precess::study::AdaptiveRun { t_end: run.t_end.min(1.0) * 1e-3, ..run };
                run.run(&*built.system, &mut *method, &mut state, &mut few)
            }),
        None => method(&settings.method, &settings.options).ok().map(|mut method| {
            let run = Run { t_end: settings.until.min(STEPS as f64 * settings.step), ..settings.run() };
            run.run(&*built.system, &mut *method, &mut state, &mut few)
        }),
    };
    let (summary, error) = match outcome {
        None => return,
        Some(Ok(summary)) => (summary, None),
        Some(Err(failure)) => (failure.summary, Some(failure.error.to_string())),
    };
    if lot.is_multiple_of(8) {
        let results = few.recording.finish(&summary, error.as_deref());
        let mut bytes = Vec::new();
        let written = match lot / 8 % 3 {
            0 => ("npz", npz::write(&results, &mut bytes)),
            1 => ("csv", csv::write(&results, &mut bytes)),
            _ => ("json", json::write(&results, &mut bytes)),
        };
        let name = format!("fuzz.{}", written.0);
        assert!(written.1.is_ok(), "results cannot be written: {:?}", written.1);
        let back = decode(Path::new(&name), &bytes).map(|r| r.rows());
        assert_eq!(back.as_ref().ok(), Some(&results.rows()), "results cannot be read back: {back:?}");
        if lot == 0 {
            draw(&curves::page(&results, true));
        }
    }
}

fn draw(figure: &precess_view::plot::Figure) {
    precess_view::plot::svg::render(figure);
    precess_view::plot::html::render(figure);
}

/// Ends a run after a few steps.
struct Few<'a> {
    seen: usize,
    recording: Recording<'a>,
}

impl Recorder for Few<'_> {
    fn record(&mut self, sample: &Sample) {
        self.seen += 1;
        self.recording.record(sample);
    }
    fn stops(&self) -> bool {
        self.seen > STEPS
    }
}

/// A successful import gives a model file that can be read, or one whose problems are reported.
fn mujoco(text: &str) {
    if let Ok(import) = mjcf::import("fuzz.xml", text) {
        let _ = import.notes.to_string();
        if let Ok(loaded) = load("fuzz.toml", &import.to_toml(), &[])
            && loaded.model.bodies.len() < 30
        {
            let _ = build(&loaded.model, loaded.settings.formulation);
        }
    }
}

fn robot(text: &str) {
    let lot = lot(text);
    let options = urdf::ImportOptions {
        floating_base: lot & 1 > 0,
        merge_fixed: lot & 2 > 0,
        joints: if lot & 4 > 0 { vec![("shoulder".to_string(), 0.3)] } else { Vec::new() },
    };
    match urdf::import("fuzz.urdf", text, &options) {
        Err(e) => drop(e.to_string()),
        Ok(import) => {
            drop(import.notes.to_string());
            let toml = import.to_toml();
            match load("fuzz.toml", &toml, &[]) {
                // Numbers may cancel or overflow, but the text itself must be a model file.
                Err(e) => {
                    let text = e.to_string();
                    assert!(!text.contains("TOML"), "an imported model cannot be read: {text}");
                }
                Ok(loaded) if lot.is_multiple_of(8) => loaded_model(&loaded, lot),
                Ok(_) => {}
            }
        }
    }
}

/// Reads numbers, functions, conditions, and lists of steps and of values.
fn words_of_users(text: &str) {
    let names = Names::from([("l".to_string(), 0.5), ("N".to_string(), 1e3), ("i".to_string(), 2.0)]);
    let lot = lot(text);
    let need = match lot % 5 {
        0 => Need::Time,
        1 => Need::Motion,
        2 => Need::State,
        3 => {
            let sensors = [("height", 1, None), ("tip", 3, None), ("tip force", 3, None)];
            if let Ok((condition, _)) = condition::read(text, &names, &sensors) {
                (condition.function)(&vec![0.4; condition.arguments.len() + 1]);
            }
            return;
        }
        _ => return drop(Number::Text(text.to_string()).evaluate(&names)),
    };
    if let Ok(f) = formula(text, need) {
        f.motion(0.3);
        let at = Argument { t: 0.1, x: 0.2, v: 0.3 };
        // Values that are not finite must be explained.
        let wrong = !f.slope(at).value.is_finite();
        assert!(!wrong || f.culprit(at, &NOTHING_READ).is_some(), "'{text}' has no value and no reason");
        if need == Need::Time && lot.is_multiple_of(16) {
            f.breakpoints(0.0, 10.0);
        }
    }
    drop(steps(text));
    drop(Configuration::parse(text));
    drop(Sampling::parse(text));
    if let Ok(values) = AllowedValues::parse(text) {
        drop(Selection::LatinHypercube { n: 3, seed: 1 }.points(std::slice::from_ref(&values)));
        drop(Selection::Grid.points(&[values.clone(), values]));
    }
}

/// Reads a quantity with its unit and checks the dimension.
fn quantity(text: &str) {
    drop(units::parse(text));
    let names = Names::from([("l".to_string(), 0.5)]);
    if let Ok(expression) = Expression::parse(text, &|n| n == "l") {
        let _ = expression.kind(&names);
        drop(expression.culprit(&names));
    }
}

/// Reads columns of a file as a table, with all kinds of curves.
fn table(text: &str) {
    let Ok(rows) = tables::read(text, None) else { return };
    let outside = [Outside::Extend, Outside::Repeat, Outside::Hold];
    for (between, outside) in [BetweenRows::Linear, BetweenRows::Cubic, BetweenRows::Akima]
        .into_iter()
        .flat_map(|b| outside.map(|o| (b, o)))
    {
        if let Ok(table) = Table::new(&rows, between, outside) {
            assert!(table.at(f64::NAN)[0].is_nan());
            assert!([0.3, -1e9, 1e300].iter().all(|x| table.at(*x).len() == 3));
        }
    }
}

/// Uses a model as a part of itself and of another model, with files in memory.
fn part(text: &str) {
    const WHOLE: &str = "[[include]]\nfile = \"part.toml\"\nprefix = \"a{i}_\"\ncount = 2\nmirror = \
                         \"y\"\nposition = [\"i\", 0, 0]";
    let files = Files::memory([("part.toml", text), ("rows.csv", "0,1\n1,2\n")]);
    for whole in [WHOLE, text] {
        match load_with("fuzz.toml", whole, &[], files.clone()) {
            Err(e) => drop(e.to_string()),
            Ok(loaded) => loaded_model(&loaded, lot(text)),
        }
    }
}

fn results(kind: &str, bytes: &[u8]) {
    match decode(Path::new(&format!("fuzz.{kind}")), bytes) {
        Err(e) => drop(e.to_string()),
        Ok(results) => {
            // This makes figures of results that were changed.
            if results.rows() < 200 && results.columns.len() < 40 && lot(&results.metadata.model_text) < 64 {
                draw(&curves::page(&results, true));
                for c in results.columns.iter().take(3) {
                    let _ = curves::histories(&results, std::slice::from_ref(&c.name)).map(|f| draw(&f));
                    let _ = curves::phase(&results, &format!("t,{}", c.name));
                    let _ = curves::path(&results, &c.name);
                }
            }
            let mut again = Vec::new();
            assert!(csv::write(&results, &mut again).is_ok() && json::write(&results, &mut again).is_ok());
        }
    }
}

/// Makes an archive with one changed entry and valid checksums.
fn repacked(rng: &mut Rng, seed: &Seed, words: &[&str]) -> Option<Vec<u8>> {
    let archive = Archive::read(&seed.bytes)?;
    let names: Vec<&str> = archive.names().collect();
    let chosen = if rng.bool() { names.len().checked_sub(1)? } else { rng.usize(..names.len()) };
    let (mut writer, mut out) = (ArchiveWriter::default(), Vec::new());
    for (i, name) in names.into_iter().enumerate() {
        let mut bytes = archive.file(name)?.ok()?.to_vec();
        if i == chosen {
            let data = 10 + usize::from(*bytes.get(8)?) + 256 * usize::from(*bytes.get(9)?);
            if name == "metadata.npy" && rng.u8(..8) > 0 {
                // A character has four bytes.
                let plain: Vec<u8> = bytes.get(data..)?.chunks_exact(4).map(|c| c[0]).collect();
                let changed = mutate(rng, &plain, &plain, words);
                bytes.truncate(data);
                bytes.extend(changed.iter().flat_map(|b| [*b, 0, 0, 0]));
            } else {
                let old = bytes.clone();
                bytes = mutate(rng, &old, &old, words);
            }
        }
        writer.file(&mut out, name, &[&bytes]).ok()?;
    }
    writer.finish(&mut out).ok()?;
    Some(out)
}

/// Finds a target by name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|t| t.name == name).copied()
}

impl Target {
    /// The corpus of the target. Checkpoints belong to a version of precess, so they are made anew.
    pub fn seeds(&self) -> std::io::Result<Vec<Seed>> {
        let mut seeds = if self.name == "checkpoint" { checkpoint::seeds() } else { Vec::new() };
        seeds.extend(corpus::read(self.folders, self.extensions)?);
        Ok(seeds)
    }
}
