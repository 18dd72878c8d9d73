//! Problems of a model file, shown with their lines.

use std::fmt;
use std::ops::Range;

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// Position in the text, in bytes.
    pub span: Option<Range<usize>>,
}

/// All problems of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// File name.
    pub file: String,
    /// Its text, followed by the overrides.
    pub source: String,
    /// Length of the text of the file itself.
    pub file_len: usize,
    /// The problems, in the order of the text; at most [`MOST_PROBLEMS`].
    pub list: Vec<Diagnostic>,
}

/// Largest number of problems that are kept.
pub const MOST_PROBLEMS: usize = 100;
/// Longest message, in characters.
const LONGEST_MESSAGE: usize = 2000;
/// Longest part of a line that is shown, in characters, and its part before the problem.
const WINDOW: usize = 160;
const BEFORE: usize = 60;

/// The beginning of a text.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or("")),
        None => text.to_string(),
    }
}

impl std::error::Error for Diagnostics {}

impl Diagnostics {
    /// The problems of a text, put into its order.
    pub fn new(file: &str, text: &str, mut list: Vec<Diagnostic>) -> Self {
        let start = |d: &Diagnostic| d.span.as_ref().map_or(usize::MAX, |s| s.start);
        list.sort_by_key(start);
        list.truncate(MOST_PROBLEMS);
        Diagnostics { file: file.to_string(), source: text.to_string(), file_len: text.len() + 1, list }
    }

    /// Line and column of a problem, from 1; none if it is not in the file.
    pub fn line_and_column(&self, problem: &Diagnostic) -> Option<(usize, usize)> {
        let start = problem.span.as_ref()?.start;
        let (line, column, _) = locate(&self.source, start);
        (start <= self.file_len).then_some((line, column))
    }

    /// The messages in one line, without positions.
    pub fn brief(&self) -> String {
        self.list.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ")
    }
}

/// Line number (from 1), column (from 1), and the line that contains byte `at`.
fn locate(source: &str, at: usize) -> (usize, usize, &str) {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = source.split_at_checked(at).unwrap_or((source, ""));
    let head = before.rsplit('\n').next().unwrap_or("");
    let tail = after.split('\n').next().unwrap_or("");
    let text = source.get(at - head.len()..at + tail.len()).unwrap_or("");
    (before.matches('\n').count() + 1, head.chars().count() + 1, text)
}

/// The part of a line around a column (from 0), and the place of the column in it.
fn window(line: &str, column: usize) -> (String, usize) {
    if line.chars().nth(WINDOW).is_none() {
        return (line.to_string(), column);
    }
    let first = column.saturating_sub(BEFORE);
    let before = if first > 0 { "..." } else { "" };
    let rest: String = line.chars().skip(first).collect();
    (format!("{before}{}", cut(&rest, WINDOW)), column - first + before.len())
}

/// Replaces characters that could control a terminal.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && !"\n\t".contains(c) { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            writeln!(f, "error: {}", cut(&visible(&d.message), LONGEST_MESSAGE))?;
            if let Some(span) = &d.span {
                let (line, column, text) = locate(&self.source, span.start);
                let length = self
                    .source
                    .get(span.clone())
                    .map_or(1, |s| s.lines().next().unwrap_or("").chars().count());
                let (text, indent) = window(text, column - 1);
                let length = length.clamp(1, text.chars().count().saturating_sub(indent).max(1));
                let gutter = if span.start > self.file_len {
                    writeln!(f, "  --> the overrides")?;
                    String::from("   ")
                } else {
                    writeln!(f, "  --> {}:{line}:{column}", self.file)?;
                    format!("{line:>4}")
                };
                writeln!(f, "{gutter} | {}", visible(&text))?;
                writeln!(f, "{} | {}{}", " ".repeat(gutter.len()), " ".repeat(indent), "^".repeat(length))?;
            }
            if let Some(help) = &d.help {
                writeln!(f, "  help: {}", cut(&visible(help), LONGEST_MESSAGE))?;
            }
        }
        match self.list.len() {
            0 | 1 => Ok(()),
            n if n < MOST_PROBLEMS => write!(f, "{n} problems in {}", self.file),
            n => write!(f, "these are the first {n} problems in {}; there may be more", self.file),
        }
    }
}
