//! Errors for unknown names, with the nearest known name.

use super::Error;

impl Error {
    /// An unknown name, with the nearest known name.
    pub fn unknown_name<'a>(
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::unknown_among(kind, name, known.into_iter().collect())
    }

    /// Not generic, so that it is compiled once.
    fn unknown_among(kind: &'static str, name: &str, mut known: Vec<&str>) -> Self {
        known.dedup();
        let mut near: Vec<(usize, &str)> = known.iter().map(|k| (edit_distance(name, k), *k)).collect();
        near.sort_by(Ord::cmp);
        let begun = near.iter().find(|(_, k)| name.len() >= 3 && k.starts_with(name));
        let closest = near
            .first()
            .filter(|(d, k)| {
                let length = k.len().max(name.len());
                *d < length && 5 * *d <= 2 * length.max(3)
            })
            .or(begun)
            .map(|(_, k)| k.to_string());
        let known = match known.len().checked_sub(SHOWN_NAMES) {
            Some(more) if known.len() > LISTED_NAMES => {
                let list: Vec<&str> = near.iter().take(SHOWN_NAMES).map(|(_, k)| *k).collect();
                let all = if matches!(kind, "body" | "joint") { " (a check lists them)" } else { "" };
                format!("{} and {more} more{all}", list.join(", "))
            }
            _ => known.join(", "),
        };
        Error::UnknownName { kind, name: name.to_string(), closest, known }
    }
}

/// Up to this number, all names are listed: enough for the keys of any section of a model file.
const LISTED_NAMES: usize = 64;
/// From a longer list, this many of the nearest names are listed.
const SHOWN_NAMES: usize = 12;

/// Levenshtein distance; names are short, so two rows suffice.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_suggested() {
        let e = Error::unknown_name("method", "gen-alfa", ["gen-alpha", "rkmk4"]);
        assert!(e.to_string().contains("did you mean 'gen-alpha'"), "{e}");
        let e = Error::unknown_name("method", "zzzzzzzzzzzz", ["gen-alpha", "rkmk4"]);
        assert!(!e.to_string().contains("did you mean"), "{e}");
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        let e = Error::unknown_name("formulation", "euler", ["r3so3", "euler-parameters"]);
        assert!(e.to_string().contains("did you mean 'euler-parameters'"), "{e}");
        let many: Vec<String> = (0..100).map(|i| format!("body{i}.x")).collect();
        let e = Error::unknown_name("quantity", "body7x", many.iter().map(String::as_str)).to_string();
        assert!(e.contains("'body7.x'") && e.contains("and 88 more") && e.len() < 200, "{e}");
    }
}
