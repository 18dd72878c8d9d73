//! Rewrites messages of the TOML reader in the words of model files, with suggestions.

use super::diagnostic::Diagnostic;
use super::entry::ReadError;
use crate::Error;

/// The message of the reader about missing quotes.
const UNQUOTED: &str = "string values must be quoted";

/// The problem of a `key =` without a value.
pub(super) fn missing_value(e: &ReadError, text: &str) -> Option<Diagnostic> {
    let span = e.span().filter(|_| e.message().starts_with(UNQUOTED))?;
    let behind = text.get(span.start..)?.lines().next().unwrap_or("").trim();
    let nothing = behind.is_empty() || behind.starts_with('#');
    nothing.then(|| Diagnostic { message: "the value is missing".to_string(), help: None, span: Some(span) })
}

/// The problem for a mistake that the TOML reader found.
pub(super) fn toml_error(e: &ReadError) -> Diagnostic {
    let message = e.message().trim();
    let help = match message {
        m if m.starts_with(UNQUOTED) => {
            "put text in quotes, also a number with a unit: \"300 rpm\"; entries of a list have commas \
             between them"
        }
        m if m.starts_with("duplicate key") => {
            "a key is given once; repeated sections have double brackets everywhere: \
             [[body]], [[joint]]"
        }
        _ => e.help().unwrap_or(""),
    };
    Diagnostic {
        message: nearest(message).unwrap_or_else(|| plain(message)),
        help: (!help.is_empty()).then(|| help.to_string()),
        span: e.span(),
    }
}

/// Rewrites a message of the reader in the words of model files.
fn plain(message: &str) -> String {
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    if let Some(key) = missing {
        return format!("the key '{key}' is missing");
    }
    let lists = [
        ("an array of length 2", "a list of two values"),
        ("an array of length 3", "a list of three values, such as [0, 0, 1]"),
    ];
    lists.iter().fold(message.to_string(), |m, (from, to)| m.replace(from, to))
}

/// Words from other programs, and the words of model files.
const WORDS: [(&str, &str); 32] = [
    ("hinge", "revolute"),
    ("pin", "revolute"),
    ("rotational", "revolute"),
    ("ball", "spherical"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("sliding", "prismatic"),
    ("translational", "prismatic"),
    ("linear", "prismatic"),
    ("cardan", "universal"),
    ("hooke", "universal"),
    ("weld", "fixed"),
    ("rigid", "fixed"),
    ("cuboid", "box"),
    ("block", "box"),
    ("pipe", "tube"),
    ("bar", "rod"),
    ("motor", "actuator"),
    ("damper", "spring"),
    ("stop", "limit"),
    ("angle", "coordinate"),
    ("speed", "rate"),
    ("force", "reaction-force"),
    ("torque", "reaction-torque"),
    ("omega", "angular_velocity"),
    ("orientation", "rotation"),
    ("location", "position"),
    ("position", "at"),
    ("centre", "at"),
    ("anchor", "point"),
    ("rest_length", "free_length"),
    ("connects", "bodies"),
];

/// Suggests a key or a value for an unknown one.
pub(super) fn meant(message: &str) -> Option<String> {
    match nearest_name(message)? {
        Error::UnknownName { closest, .. } => closest,
        _ => None,
    }
}

/// Reads "unknown field `x`, expected one of `a`, `b`" (or variant) and finds the nearest of the names.
fn nearest(message: &str) -> Option<String> {
    nearest_name(message).map(|e| e.to_string())
}

fn nearest_name(message: &str) -> Option<Error> {
    let kind = if message.starts_with("unknown field") {
        "key"
    } else if message.starts_with("unknown variant") {
        "value"
    } else {
        return None;
    };
    let mut quoted = message.split('`').skip(1).step_by(2);
    let name = quoted.next()?;
    let known: Vec<&str> = quoted.collect();
    let mut error = Error::unknown_name(kind, name, known.iter().copied());
    let ours = WORDS.iter().find(|(word, ours)| word.eq_ignore_ascii_case(name) && known.contains(ours));
    if let (Error::UnknownName { closest, .. }, Some((_, ours))) = (&mut error, ours) {
        *closest = Some(ours.to_string());
    }
    Some(error)
}
