//! Reads the sections of a model file, so that one mistake does not hide the others.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, MOST_PROBLEMS};
use super::entry::{self, ReadError};
use super::file::File;
use super::misplaced::{self, Settled};
use super::wording::toml_error;
use crate::Error;

/// The largest number of mistakes that are reported in a table.
pub(super) const MAX_PROBLEMS: usize = 50;

/// Names and elements that are missing because they could not be read.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    /// The names of omitted elements and entries. Uses of these names are not reported as errors.
    pub names: HashSet<String>,
    /// The paths of the elements and sections that lack an entry.
    pub parts: HashSet<String>,
    /// The sections with omitted elements whose names are not known. "" means all sections.
    pub unnamed: HashSet<String>,
}

/// Reads the sections of a file. It records problems and missing names.
pub(super) struct Reader<'a> {
    /// The problems.
    pub problems: &'a mut Vec<Diagnostic>,
    /// The missing names.
    pub gaps: &'a mut Gaps,
}

/// The elements that were read, by their sections.
type Kept = HashMap<&'static str, Vec<usize>>;

/// Defines the sections of a file: settings, entries with names, or lists with double brackets.
macro_rules! sections {
    ($($name:ident: $how:ident,)*) => {
        const SECTIONS: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

        impl Reader<'_> {
            /// Reads a section; false if there is no section with this name.
            fn known(&mut self, section: &str, value: Spanned<DeValue>, file: &mut File, kept: &mut Kept) -> bool {
                $(if section == stringify!($name) {
                    sections!(@ $how self, stringify!($name), value, &mut file.$name, kept);
                    return true;
                })*
                false
            }
        }
    };
    (@ settings $reader:expr, $section:expr, $value:expr, $out:expr, $kept:expr) => {
        $reader.read_section($section, $value, $out)
    };
    (@ entries $reader:expr, $section:expr, $value:expr, $out:expr, $kept:expr) => {
        $reader.read_map($section, $value, $out)
    };
    (@ list $reader:expr, $section:expr, $value:expr, $out:expr, $kept:expr) => {{
        let places = $reader.read_list($section, $value, $out);
        $kept.insert($section, places);
    }};
}

sections! {
    version: settings,
    model: settings,
    parameters: entries,
    inputs: entries,
    tables: entries,
    points: entries,
    body: list,
    include: list,
    joint: list,
    beam: list,
    gear: list,
    constraint: list,
    state: list,
    algebraic: list,
    force: list,
    control: list,
    sensor: list,
    event: list,
    start: entries,
    integrator: settings,
    run: settings,
    output: settings,
}

impl Reader<'_> {
    /// Reads section by section, so that one mistake does not hide the others.
    pub fn fill(&mut self, file: &mut File, root: DeTable, kept: &mut Kept) {
        for (key, value) in root {
            let section = key.get_ref().as_ref();
            if self.known(section, value, file, kept) {
                continue;
            }
            let message = match misplaced::home("", &[], section) {
                Some(home) => format!("'{section}' is not a section: {home}"),
                None => Error::unknown_name("section", section, SECTIONS).to_string(),
            };
            self.problems.push(Diagnostic { message, help: None, span: Some(key.span()) });
        }
    }

    /// Reads a section in which every entry has its own name.
    fn read_map<T: DeserializeOwned>(&mut self, section: &str, value: Spanned<DeValue>, out: &mut T) {
        match read(section, value, &mut |value| entry::read(value).map(|x| *out = x), self.problems) {
            ReadEntry::Lost(_) => self.unnamed(section),
            ReadEntry::Found(removed, _) => self.gaps.names.extend(removed),
        }
    }

    /// Reads a section of settings.
    fn read_section<T: DeserializeOwned>(&mut self, section: &str, value: Spanned<DeValue>, out: &mut T) {
        match read(section, value, &mut |value| entry::read(value).map(|x| *out = x), self.problems) {
            ReadEntry::Found(removed, false) if removed.is_empty() => {}
            _ => drop(self.gaps.parts.insert(section.to_string())),
        }
    }

    /// Reads a list. Returns the indices of the elements that could be read.
    fn read_list<T: DeserializeOwned>(
        &mut self,
        section: &str,
        value: Spanned<DeValue>,
        out: &mut Vec<T>,
    ) -> Vec<usize> {
        self.read_elements(section, value, &mut |value| entry::read(value).map(|x| out.push(x)))
    }

    fn read_elements(&mut self, section: &str, value: Spanned<DeValue>, attempt: &mut Attempt) -> Vec<usize> {
        let span = value.span();
        let DeValue::Array(list) = value.into_inner() else {
            self.problems.push(Diagnostic {
                message: "expected a list of tables".to_string(),
                help: Some("write the section with double brackets, for example [[body]]".to_string()),
                span: Some(span),
            });
            self.unnamed(section);
            return Vec::new();
        };
        let mut kept = Vec::new();
        for (i, element) in list.into_iter().enumerate() {
            if self.problems.len() >= MOST_PROBLEMS {
                self.unnamed(section);
                break;
            }
            match read(section, element, attempt, self.problems) {
                ReadEntry::Found(removed, guessed) => {
                    if guessed || !removed.is_empty() {
                        self.gaps.parts.insert(format!("{section}[{i}]"));
                    }
                    kept.push(i);
                }
                // The name of a copy depends on its index.
                ReadEntry::Lost(Some(name)) if !name.contains('{') => drop(self.gaps.names.insert(name)),
                ReadEntry::Lost(_) => self.unnamed(section),
            }
        }
        kept
    }

    fn unnamed(&mut self, section: &str) {
        self.gaps.unnamed.insert(section.to_string());
    }
}

/// Reads a value of some type and keeps it.
type Attempt<'a> = dyn FnMut(&Spanned<DeValue>) -> Result<(), ReadError> + 'a;

/// The result for a value.
enum ReadEntry {
    /// The value was read without these entries. The flag is true if some words were guessed.
    Found(Vec<String>, bool),
    /// The value could not be read. Its name is given if it is known.
    Lost(Option<String>),
}

/// Reads one value by `attempt`. After an error, the wrong entry is removed and the rest is read again, so
/// that all problems of a table are found. The code does not depend on the type of the value.
fn read(
    section: &str,
    mut value: Spanned<DeValue>,
    attempt: &mut Attempt,
    problems: &mut Vec<Diagnostic>,
) -> ReadEntry {
    let name = match value.get_ref() {
        DeValue::Table(table) => table.get("name").and_then(|n| n.get_ref().as_str()).map(str::to_string),
        _ => None,
    };
    let lost = || ReadEntry::Lost(name.clone());
    let mut removed: Vec<String> = Vec::new();
    // These words were guessed. Later problems with them are not mistakes of the file.
    let (mut settled, mut guessed): (usize, Vec<Range<usize>>) = (0, Vec::new());
    loop {
        let e = match attempt(&value) {
            Ok(()) => return ReadEntry::Found(removed, !guessed.is_empty()),
            Err(e) => e,
        };
        let missing = removed.iter().any(|k| e.message().contains(&format!("missing field `{k}`")));
        let doubtful = e.span().is_some_and(|place| guessed.iter().any(|g| covers(g.clone(), &place)));
        if !missing && !doubtful {
            problems.push(misplaced::better(section, &value, &e).unwrap_or_else(|| toml_error(&e)));
        }
        if settled < MAX_PROBLEMS && !doubtful {
            settled += 1;
            match (misplaced::settle(section, &mut value, &e), e.span()) {
                (Settled::Guessed, Some(place)) => {
                    guessed.extend(value_of(&value, &place));
                    guessed.push(place);
                    continue;
                }
                (Settled::Whole, _) => continue,
                _ => {}
            }
        }
        let DeValue::Table(table) = value.get_mut() else { return lost() };
        let Some(place) = e.span().filter(|_| !missing) else { return lost() };
        let culprit = table
            .iter()
            .find(|(k, v)| covers(k.span(), &place) || holds(v, &place))
            .map(|(k, _)| k.get_ref().to_string());
        let Some(culprit) = culprit.filter(|_| removed.len() < MAX_PROBLEMS) else { return lost() };
        table.remove(culprit.as_str());
        removed.push(culprit);
    }
}

/// The place of a value, found by the place of its key.
fn value_of(value: &Spanned<DeValue>, place: &Range<usize>) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::Table(table) => table.iter().find_map(|(k, v)| match k.span() == *place {
            true => Some(v.span()),
            false => value_of(v, place),
        }),
        DeValue::Array(list) => list.iter().find_map(|v| value_of(v, place)),
        _ => None,
    }
}

fn covers(span: Range<usize>, place: &Range<usize>) -> bool {
    span.start <= place.start && place.end <= span.end
}

/// True if a position is inside a value. For a table with a header, the span is that of the header.
fn holds(value: &Spanned<DeValue>, place: &Range<usize>) -> bool {
    covers(value.span(), place)
        || match value.get_ref() {
            DeValue::Table(table) => table.iter().any(|(k, v)| covers(k.span(), place) || holds(v, place)),
            DeValue::Array(list) => list.iter().any(|v| holds(v, place)),
            _ => false,
        }
}

/// Makes a block of a file from the text of its table.
pub(super) fn from_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    let table = DeTable::parse(text).ok()?;
    entry::read(&Spanned::new(table.span(), DeValue::Table(table.into_inner()))).ok()
}
