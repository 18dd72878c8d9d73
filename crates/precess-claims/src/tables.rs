//! Tables of outcomes: aligned text and Markdown.

use crate::{Claim, Outcome, Verdict};
use precess::study::text::aligned;

/// Width of a statement in a table, in characters.
pub(super) const STATEMENT: usize = 60;

/// A text in lines of about this number of characters.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// The expected value with its source.
pub(super) fn expected(c: &Claim) -> String {
    format!("{} ({})", c.expected, c.source)
}

/// An aligned table: id, place, statement, the paper's value, the expected one with its source, ours,
/// tolerance, verdict. `precess claims --only ID` measures a row again.
pub fn text(outcomes: &[Outcome]) -> String {
    let head =
        ["id", "place", "statement", "paper's value", "expected (source)", "ours", "tolerance", "verdict"]
            .map(String::from);
    let mut rows = Vec::new();
    for o in outcomes {
        let c = o.claim;
        let statement = wrapped(&c.told(), STATEMENT);
        let place = wrapped(c.place, 24);
        for n in 0..statement.len().max(place.len()) {
            let part = |lines: &[String]| lines.get(n).cloned().unwrap_or_default();
            let first = |text: String| if n == 0 { text } else { String::new() };
            rows.push(vec![
                first(c.id.to_string()),
                part(&place),
                part(&statement),
                first(c.paper_value.to_string()),
                first(expected(c)),
                first(o.number()),
                first(c.tolerance()),
                first(o.verdict()),
            ]);
        }
    }
    aligned(&head, &rows, 3)
}

/// Every outcome that differs from the paper, with its reason.
pub fn differences(outcomes: &[Outcome]) -> String {
    let agrees = |o: &&Outcome| {
        matches!(o.claim.verdict(), Verdict::Reproduced | Verdict::Consistent | Verdict::Beyond)
    };
    let other = outcomes.iter().filter(|o| !agrees(o) || o.changed());
    other.map(|o| format!("{} ({}): {}\n", o.claim.id, o.verdict(), o.claim.note)).collect()
}

/// A Markdown table: id, place, statement, the paper's value, the expected one with its source, ours,
/// tolerance, verdict, note.
pub fn markdown(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| id | place | statement | paper's value | expected (source) | ours | tolerance | verdict | note |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for o in outcomes {
        let c = o.claim;
        let cells = [
            c.id,
            c.place,
            &c.told(),
            &c.paper_value.to_string(),
            &expected(c),
            &o.number(),
            &c.tolerance(),
            &o.verdict(),
            c.note,
        ]
        .map(|x| x.replace('|', "\\|"));
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}
