//! Handles keys in the wrong table. It finds the right table, or the key that was probably meant.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde::de::value::{Error as Unreadable, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Diagnostic;
use super::entry::{self, ReadError};
use super::file::{BodyBlock, IntegratorBlock, JointBlock, ModelBlock, OutputBlock, RunBlock, Shape};
use super::file_beam::{BeamBlock, SectionBlock};
use super::file_elements::{ControlBlock, EventBlock, ForceBlock, SensorBlock};
use super::file_look::LookBlock;
use super::file_motion::MotionBlock;
use super::forces::ForceType;
use super::wording::meant;

/// The keys of a table. They are taken from the error of its reader about an unknown key.
fn keys<T: DeserializeOwned>() -> Vec<String> {
    let unknown = DeValue::parse("{ \"\" = 0 }").ok();
    let refusal = unknown.and_then(|table| entry::read::<T>(&table).err());
    let message = refusal.map_or_else(String::new, |e| e.message().to_string());
    let list = message.strip_prefix("unknown field ``").unwrap_or("");
    list.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// The name of a table, and its keys.
type KnownTable = (&'static str, fn() -> Vec<String>);

/// The sections that occur once.
const SINGLE: [KnownTable; 4] = [
    ("model", keys::<ModelBlock>),
    ("integrator", keys::<IntegratorBlock>),
    ("run", keys::<RunBlock>),
    ("output", keys::<OutputBlock>),
];

/// The sections that may occur several times.
const ELEMENTS: [KnownTable; 6] = [
    ("body", keys::<BodyBlock>),
    ("beam", keys::<BeamBlock>),
    ("joint", keys::<JointBlock>),
    ("control", keys::<ControlBlock>),
    ("sensor", keys::<SensorBlock>),
    ("event", keys::<EventBlock>),
];

/// The tables within elements.
const INNER: [(&str, KnownTable); 4] = [
    ("body", ("shape", keys::<Shape>)),
    ("body", ("look", keys::<LookBlock>)),
    ("body", ("motion", keys::<MotionBlock>)),
    ("beam", ("section", keys::<SectionBlock>)),
];

/// Finds the table to which a key of a section belongs. The section is empty for the top of the file.
/// `around` are the tables that contain the key.
pub(super) fn home(section: &str, around: &[String], key: &str) -> Option<String> {
    let knows = |table: &KnownTable| (table.1)().iter().any(|k| k == key);
    match around {
        [] => {
            let inner = INNER.iter().filter(|(owner, _)| *owner == section).map(|(_, table)| table);
            if let Some((table, _)) = inner.into_iter().find(|table| knows(table)) {
                return Some(format!("it belongs to the {table}: {table} = {{ .., {key} = .. }}"));
            }
            let single = section.is_empty() || SINGLE.iter().any(|(name, _)| *name == section);
            if let Some((other, _)) = SINGLE.iter().find(|table| single && knows(table)) {
                return Some(format!("it belongs to [{other}]"));
            }
            let body = ELEMENTS.first().filter(|table| section.is_empty() && knows(table));
            body.map(|_| "it belongs to a [[body]]".to_string())
        }
        [table] => {
            let owner = ELEMENTS.iter().find(|(name, _)| *name == section).filter(|table| knows(table));
            owner.map(|(name, _)| format!("it belongs to the {name}, beside {table}"))
        }
        _ => None,
    }
}

/// Makes a better message than that of the reader, if a key is in the wrong table.
pub(super) fn better(section: &str, value: &Spanned<DeValue>, e: &ReadError) -> Option<Diagnostic> {
    let (DeValue::Table(table), Some(wanted)) = (value.get_ref(), e.span()) else { return None };
    let unknown = e.message().strip_prefix("unknown field `").and_then(|m| m.split('`').next());
    let found = match unknown {
        Some(key) => {
            let mut around = Vec::new();
            within(table, &wanted, key, &mut around).then_some(())?;
            let here = around.last().map_or(section, String::as_str);
            (format!("'{key}' is not a key of {here}: {}", home(section, &around, key)?), String::new())
        }
        None if section == "force" => {
            let key = table.iter().find(|(k, v)| covers(k.span(), &wanted) || covers(v.span(), &wanted))?.0;
            let key = key.get_ref().as_ref();
            let named: StrDeserializer<Unreadable> =
                table.get("type")?.get_ref().as_str()?.into_deserializer();
            let kind = ForceType::deserialize(named).ok()?;
            let given = keys::<ForceBlock>().iter().any(|k| k == key);
            let always = ["name", "type", "count", "enabled"].contains(&key);
            (given && !always && !kind.keys().contains(&key)).then(|| kind.without(key))?
        }
        None => return None,
    };
    let (message, help) = found;
    Some(Diagnostic { message, help: (!help.is_empty()).then_some(help), span: Some(wanted) })
}

/// The result of [`settle`] for an entry that its table does not know.
pub(super) enum Settled {
    /// The entry was moved to the right table, or removed because it has no meaning.
    Whole,
    /// The entry was replaced by a guess.
    Guessed,
    /// The entry was not changed, because the intended one is not known.
    Not,
}

/// Repairs a table so that the rest of it can be read. The function moves a key to the right table, removes a
/// key without meaning, or replaces a misspelt word by the nearest one.
pub(super) fn settle(section: &str, value: &mut Spanned<DeValue>, e: &ReadError) -> Settled {
    let Some(wanted) = e.span() else { return Settled::Not };
    let meant = meant(e.message());
    if e.message().starts_with("unknown variant") {
        let word = meant.and_then(|meant| Some((string_at(value, &wanted)?, meant)));
        let Some((word, meant)) = word else { return Settled::Not };
        *word = Cow::Owned(meant);
        return Settled::Guessed;
    }
    let DeValue::Table(table) = value.get_mut() else { return Settled::Not };
    let key = e.message().strip_prefix("unknown field `").and_then(|m| m.split('`').next());
    let (Some(key), mut around) = (key, Vec::new()) else { return Settled::Not };
    if !within(table, &wanted, key, &mut around) {
        return Settled::Not;
    }
    if let (Some(meant), None) = (meant, home(section, &around, key)) {
        let renamed = table_at(table, &wanted, key).is_some_and(|table| rename(table, key, meant));
        return if renamed { Settled::Guessed } else { Settled::Not };
    }
    match moved(section, table, &around, key) {
        true => Settled::Whole,
        false => Settled::Not,
    }
}

/// Renames an entry, unless another entry already has this name.
fn rename(table: &mut DeTable, key: &str, meant: String) -> bool {
    let Some((name, value)) = table.remove_entry(key) else { return false };
    if !table.contains_key(meant.as_str()) {
        table.insert(Spanned::new(name.span(), Cow::Owned(meant)), value);
    }
    true
}

/// Moves a key to the right table among those around it, or removes it.
fn moved(section: &str, table: &mut DeTable, around: &[String], key: &str) -> bool {
    match around {
        [] => home(section, &[], key).is_none() && table.remove(key).is_some(),
        [inner] => {
            let Some(DeValue::Table(nested)) = table.get_mut(inner.as_str()).map(Spanned::get_mut) else {
                return false;
            };
            let Some((name, value)) = nested.remove_entry(key) else { return false };
            if home(section, around, key).is_some() && !table.contains_key(key) {
                table.insert(name, value);
            }
            true
        }
        _ => false,
    }
}

/// Finds the text at a span.
fn string_at<'a, 'i>(
    value: &'a mut Spanned<DeValue<'i>>,
    wanted: &Range<usize>,
) -> Option<&'a mut Cow<'i, str>> {
    let here = value.span() == *wanted;
    match value.get_mut() {
        DeValue::String(text) if here => Some(text),
        DeValue::Array(list) => list.iter_mut().find_map(|v| string_at(v, wanted)),
        DeValue::Table(table) => table.iter_mut().find_map(|(_, v)| string_at(v, wanted)),
        _ => None,
    }
}

/// Finds the table that has a key at a span.
fn table_at<'a, 'i>(
    table: &'a mut DeTable<'i>,
    wanted: &Range<usize>,
    key: &str,
) -> Option<&'a mut DeTable<'i>> {
    let here = |(k, v): (&Spanned<Cow<str>>, &Spanned<DeValue>)| {
        k.get_ref().as_ref() == key && (covers(k.span(), wanted) || covers(v.span(), wanted))
    };
    if table.iter().any(here) {
        return Some(table);
    }
    table.iter_mut().find_map(|(_, v)| match v.get_mut() {
        DeValue::Table(inner) => table_at(inner, wanted, key),
        DeValue::Array(list) => list.iter_mut().find_map(|v| match v.get_mut() {
            DeValue::Table(inner) => table_at(inner, wanted, key),
            _ => None,
        }),
        _ => None,
    })
}

fn covers(span: Range<usize>, wanted: &Range<usize>) -> bool {
    span.start <= wanted.start && wanted.end <= span.end
}

/// Finds the table with a key at a position. `around` receives the names of the tables around it.
fn within(table: &DeTable, wanted: &Range<usize>, key: &str, around: &mut Vec<String>) -> bool {
    for (k, v) in table {
        let here = k.get_ref().as_ref() == key && (covers(k.span(), wanted) || covers(v.span(), wanted));
        if here {
            return true;
        }
        let tables: Vec<&DeTable> = match v.get_ref() {
            DeValue::Table(inner) => vec![inner],
            DeValue::Array(list) => list.iter().filter_map(|x| x.get_ref().as_table()).collect(),
            _ => Vec::new(),
        };
        around.push(k.get_ref().to_string());
        if tables.into_iter().any(|inner| within(inner, wanted, key, around)) {
            return true;
        }
        around.pop();
    }
    false
}
