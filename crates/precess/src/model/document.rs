//! Reads a model file: TOML with overrides. Every problem is reported with its location.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, Diagnostics, MOST_PROBLEMS};
use super::entry::ReadError;
use super::file::File;
use super::files::Files;
use super::sections::{Gaps, MAX_PROBLEMS, Reader};
use super::wording::{missing_value, toml_error};
use crate::Error;

/// A model file with the locations of its entries.
#[derive(Clone, Debug)]
pub struct Document {
    /// The content of the file.
    pub file: File,
    name: String,
    source: String,
    overrides: Vec<String>,
    file_len: usize,
    spans: HashMap<String, Range<usize>>,
    /// For each list, the locations of the elements that could be read. The others are missing in the list.
    kept: HashMap<&'static str, Vec<usize>>,
    /// Entries that could not be read.
    unreadable: Vec<Diagnostic>,
    /// Names and elements that are missing for this reason.
    gaps: Gaps,
    /// The files that it names.
    files: Files,
}

/// A problem with the path of its entry, for example `body[2].mass`.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Path of the entry.
    pub path: String,
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// One override from the command line: its location in the combined source, its path, and a text in which the
/// value has the same location as in the combined source.
struct Override {
    start: usize,
    path: String,
    value_at: usize,
    padded: String,
}

impl Override {
    /// The value alone.
    fn value(&self) -> &str {
        self.padded.get(self.value_at..).unwrap_or("")
    }
}

impl Document {
    /// Reads the text of a file. Each override is `path=value`, for example `run.step=1e-3` or
    /// `body.top.mass=2`.
    ///
    /// Entries that cannot be read are left out and noted; [`locate`](Self::locate) gives the complete list
    /// of problems.
    pub fn parse(name: &str, text: &str, overrides: &[String]) -> Self {
        Self::parse_with(name, text, overrides, Files::next_to(name))
    }

    /// The same with the files that the text names.
    pub fn parse_with(name: &str, text: &str, overrides: &[String], files: Files) -> Self {
        let mut problems = Vec::new();
        let mut source = text.to_string();
        let given = overrides.to_vec();
        let overrides: Vec<Override> =
            overrides.iter().filter_map(|o| split(o, &mut source, &mut problems)).collect();
        let mut root = read_table(text, &mut problems);
        let (mut spans, mut kept) = (HashMap::new(), HashMap::new());
        let mut file = File { version: 1, ..File::default() };
        let mut gaps = Gaps::default();
        let all = |problems: &[Diagnostic]| (!problems.is_empty()).then(String::new).into_iter().collect();
        gaps.unnamed = all(&problems);
        if problems.is_empty() {
            problems.extend(overrides.iter().filter_map(|o| apply(&mut root, o).err()));
            gaps.unnamed = all(&problems);
            collect_spans(&root, "", &mut spans);
            Reader { problems: &mut problems, gaps: &mut gaps }.fill(&mut file, root, &mut kept);
        }
        let name = name.to_string();
        let (overrides, file_len, unreadable) = (given, text.len(), problems);
        Document { file, name, source, overrides, file_len, spans, kept, unreadable, gaps, files }
    }

    /// Names and elements that are missing because they could not be read.
    pub(super) fn gaps(&self) -> &Gaps {
        &self.gaps
    }

    /// True if the element or section of this path lacks an entry that could not be read.
    pub(super) fn is_part(&self, path: &str) -> bool {
        !self.gaps.parts.is_empty() && self.gaps.parts.contains(self.in_file(path).as_ref())
    }

    /// True for a problem that may come from an unreadable entry: it is about an element that lacks one, and
    /// not about an entry of its own.
    fn is_consequence(&self, problem: &Problem) -> bool {
        let path = self.in_file(&problem.path);
        let around = |part: &String| {
            path.strip_prefix(part.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let given = self.spans.contains_key(path.as_ref()) && !self.gaps.parts.contains(path.as_ref());
        !given && self.gaps.parts.iter().any(around)
    }

    /// The files that it names.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        self.source.get(..self.file_len).unwrap_or(&self.source)
    }

    /// The replaced entries, `path=value`.
    pub fn overrides(&self) -> &[String] {
        &self.overrides
    }

    /// True if the file or an override has an entry of this path, for example `integrator.rho`.
    pub fn gives(&self, path: &str) -> bool {
        self.spans.contains_key(path)
    }

    /// True if every entry could be read.
    pub(crate) fn is_readable(&self) -> bool {
        self.unreadable.is_empty()
    }

    /// Unreadable entries, and problems found later, shown at their entries.
    pub fn locate(&self, problems: Vec<Problem>) -> Result<(), Diagnostics> {
        // Many unreadable entries make the rest meaningless.
        let enough = self.unreadable.len() >= MOST_PROBLEMS;
        let later = problems.into_iter().filter(|p| !enough && !self.is_consequence(p)).map(|p| Diagnostic {
            span: self.span_of(&p.path),
            message: p.message,
            help: p.help,
        });
        let list: Vec<Diagnostic> = self.unreadable.iter().cloned().chain(later).collect();
        if list.is_empty() {
            return Ok(());
        }
        Err(Diagnostics { file_len: self.file_len, ..Diagnostics::new(&self.name, &self.source, list) })
    }

    /// The path of the innermost entry at this position of the text, for example `body[2].mass`.
    pub fn path_at(&self, offset: usize) -> Option<&str> {
        let around = self
            .spans
            .iter()
            .filter(|(_, span)| span.start <= offset && offset < span.end.max(span.start + 1));
        around
            .min_by_key(|(path, span)| (span.end - span.start, std::cmp::Reverse(path.len())))
            .map(|(path, _)| path.as_str())
    }

    /// The path in the file: `body[1].mass` of the readable elements is `body[2].mass` of the file if the
    /// element before could not be read.
    fn in_file<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let parts = path.split_once('[').and_then(|(list, rest)| Some((list, rest.split_once(']')?)));
        let moved = parts.and_then(|(list, (index, rest))| {
            let (k, index) = (self.kept.get(list)?.get(index.parse::<usize>().ok()?)?, index);
            (k.to_string() != index).then(|| format!("{list}[{k}]{rest}"))
        });
        moved.map_or(Cow::Borrowed(path), Cow::Owned)
    }

    /// The location of an entry, or of the nearest table around it.
    fn span_of(&self, path: &str) -> Option<Range<usize>> {
        let path = self.in_file(path);
        let mut path = path.as_ref();
        loop {
            if let Some(span) = self.spans.get(path) {
                return Some(span.clone());
            }
            path = path.rsplit_once(['.', '['])?.0;
        }
    }
}

/// Largest length of a file in bytes.
const MAX_LENGTH: usize = 64 << 20;
/// Largest nesting of brackets; models need four levels.
const MAX_DEPTH: usize = 32;
/// In longer files only the first violation of TOML is reported, because the reader copies the text for each.
const MAX_RECOVERED: usize = 1 << 20;

/// The entries of a file, with all violations of TOML.
fn read_table<'a>(text: &'a str, problems: &mut Vec<Diagnostic>) -> DeTable<'a> {
    let refused = if text.len() > MAX_LENGTH {
        Some((0, format!("the file has {} bytes, at most {MAX_LENGTH} are read", text.len()), COPIES_HELP))
    } else {
        too_deep(text).map(|at| (at, format!("brackets are nested more than {MAX_DEPTH} deep"), ""))
    };
    if let Some((at, message, help)) = refused {
        let help = (!help.is_empty()).then(|| help.to_string());
        problems.push(Diagnostic { message, help, span: Some(at..at + 1) });
        return DeTable::new();
    }
    if text.len() > MAX_RECOVERED {
        return match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(e) => {
                problems.push(toml_error(&ReadError::from(&e)));
                DeTable::new()
            }
        };
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let errors = errors.iter().take(MAX_PROBLEMS).map(ReadError::from);
    problems.extend(errors.map(|e| missing_value(&e, text).unwrap_or_else(|| toml_error(&e))));
    table.into_inner()
}

const COPIES_HELP: &str = "write equal elements once, with count = N";

/// The position at which brackets outside strings and comments are nested too deeply.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut characters = text.char_indices();
    while let Some((i, c)) = characters.next() {
        match (c, quote) {
            // A string hides brackets only up to the end of its line; strings of several lines have none in
            // models.
            ('\n', _) => quote = None,
            ('\\', Some('"')) => drop(characters.next()),
            (_, Some(q)) => quote = Some(q).filter(|q| *q != c),
            ('"' | '\'' | '#', None) => quote = Some(if c == '#' { '\n' } else { c }),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(i);
        }
    }
    None
}

const OVERRIDE_HELP: &str =
    "write path=value, for example run.step=1e-3, integrator.form=index3, body.top.mass=2";

/// Appends an override to the source and splits it.
fn split(text: &str, source: &mut String, problems: &mut Vec<Diagnostic>) -> Option<Override> {
    source.push('\n');
    let start = source.len();
    source.push_str(text);
    let (path, value) = match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => (path.trim(), value.trim()),
        _ => {
            problems.push(Diagnostic {
                message: format!("'{text}' is not of the form path=value"),
                help: Some(OVERRIDE_HELP.to_string()),
                span: Some(start..source.len()),
            });
            return None;
        }
    };
    let value_at = start + text.trim_end().len() - value.len();
    Some(Override {
        start,
        path: path.to_string(),
        value_at,
        padded: format!("{}v={value}", " ".repeat(value_at - 2)),
    })
}

/// The path of a single word: a parameter of the model, or `h`, `step` and `until` of `[run]`.
fn full_path<'a>(root: &DeTable, path: &'a str) -> Cow<'a, str> {
    let parameters = root.get("parameters").and_then(|p| p.get_ref().as_table());
    match path {
        _ if path.contains('.') || root.contains_key(path) => path.into(),
        _ if parameters.is_some_and(|p| p.contains_key(path)) => format!("parameters.{path}").into(),
        "h" | "step" => "run.step".into(),
        "until" => "run.until".into(),
        _ => path.into(),
    }
}

/// Sets one entry of the tree. Elements of lists (`body`, `joint`, `force`, ...) are addressed by their name,
/// includes by their prefix or number.
fn apply<'i>(root: &mut DeTable<'i>, o: &'i Override) -> Result<(), Diagnostic> {
    let key_span = o.start..o.start + o.path.len();
    let problem = |message: String| Diagnostic {
        message,
        help: Some(OVERRIDE_HELP.to_string()),
        span: Some(key_span.clone()),
    };
    // Anything that is not TOML is a string without quotes.
    let parsed = DeTable::parse(&o.padded).ok().and_then(|t| t.into_inner().remove("v"));
    let value = parsed.unwrap_or_else(|| {
        Spanned::new(o.value_at..o.padded.len(), DeValue::String(Cow::Borrowed(o.value())))
    });
    let path = full_path(root, &o.path);
    let mut keys = path.split('.').peekable();
    let mut table = root;
    while let Some(key) = keys.next() {
        let spanned_key = Spanned::new(key_span.clone(), Cow::Owned(key.to_string()));
        if keys.peek().is_none() {
            if path.starts_with("parameters.") && !table.contains_key(key) {
                // Nothing could use a new parameter.
                let known: Vec<&str> = table.keys().map(|k| k.get_ref().as_ref()).collect();
                return Err(problem(Error::unknown_name("parameter", key, known).to_string()));
            }
            table.remove(key);
            table.insert(spanned_key, value);
            return Ok(());
        }
        if !table.contains_key(key) {
            table.insert(spanned_key, Spanned::new(key_span.clone(), DeValue::Table(DeTable::new())));
        }
        table = match table.get_mut(key).map(Spanned::get_mut) {
            Some(DeValue::Table(t)) => t,
            Some(DeValue::Array(list)) => {
                let wanted = keys.next().unwrap_or("");
                let index = named(list, wanted);
                match index.and_then(|i| list.get_mut(i)).map(Spanned::get_mut) {
                    Some(DeValue::Table(t)) => t,
                    _ => return Err(problem(format!("there is no {key} named '{wanted}'"))),
                }
            }
            _ => return Err(problem(format!("'{key}' is a value and has no entries"))),
        };
    }
    Err(problem("the path ends too early".to_string()))
}

/// The place of an element by its name, an include by its prefix, or what has neither by its number from 0.
fn named(list: &[Spanned<DeValue>], wanted: &str) -> Option<usize> {
    let by = |key: &str| {
        let of = |v: &Spanned<DeValue>| Some(v.get_ref().as_table()?.get(key)?.get_ref().as_str()? == wanted);
        list.iter().position(|v| of(v) == Some(true))
    };
    by("name").or_else(|| by("prefix")).or_else(|| {
        let index: usize = wanted.parse().ok()?;
        list.get(index)?.get_ref().as_table().filter(|t| !t.contains_key("name")).map(|_| index)
    })
}

/// Paths of all entries: `integrator.rho`, `body[0]`, `body[0].mass`, ...
fn collect_spans(table: &DeTable, prefix: &str, spans: &mut HashMap<String, Range<usize>>) {
    for (key, value) in table {
        let path =
            if prefix.is_empty() { key.get_ref().to_string() } else { format!("{prefix}.{}", key.get_ref()) };
        match value.get_ref() {
            DeValue::Array(list) => {
                for (i, v) in list.iter().enumerate() {
                    let element = format!("{path}[{i}]");
                    if let DeValue::Table(t) = v.get_ref() {
                        collect_spans(t, &element, spans);
                    }
                    spans.insert(element, v.span());
                }
            }
            DeValue::Table(t) => collect_spans(t, &path, spans),
            _ => {}
        }
        spans.insert(path, value.span());
    }
}
