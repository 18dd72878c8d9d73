//! Printing: plain text to the standard output, coloured messages to a terminal.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use precess::model::diagnostic::cut;

use crate::flags::with_flags;

/// A message that ends the program.
pub struct Stop {
    /// Exit code: 1 the simulation failed, 2 the input is wrong, 130 stopped by Ctrl-C.
    pub code: u8,
    /// Text for the user; empty if it was already printed.
    pub message: String,
}

/// Stops because of wrong input.
pub fn wrong(message: impl ToString) -> Stop {
    Stop { code: 2, message: format!("error: {}", message.to_string().trim_start_matches("error: ")) }
}

/// True if the standard output could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// True if something that was printed did not arrive, for example on a full disk.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Prints to the standard output. A closed pipe (`precess schema | head`) is not an error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    told(out.write_all(text.as_bytes()));
}

/// Notes whether something that was printed did not arrive.
pub fn told(written: std::io::Result<()>) {
    let written = written.and_then(|()| std::io::stdout().flush());
    if let Err(e) = written
        && e.kind() != ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        message(&format!("error: cannot write to the standard output: {e}"));
    }
}

/// Prints a report of the library, and adds the flags that do what it advises.
pub fn report(text: &str) {
    print(&with_flags(text));
}

/// Writes to a temporary file and renames it, so that no incomplete file remains.
pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Stop> {
    precess::study::replace::remove_leftovers(file);
    precess::study::replace::replace(file, bytes).map_err(|e| {
        let help = "choose a file you may write, on a disk with enough space";
        unwritable(file, &e, help)
    })
}

/// A file that cannot be written. The input is wrong if there can be no such file; other reasons, such as a
/// full disk, are a failure.
pub fn unwritable(file: &Path, e: &std::io::Error, help: &str) -> Stop {
    let is_input = matches!(
        e.kind(),
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    );
    let message = format!("error: cannot write {}: {e}\n  help: {help}", file.display());
    Stop { code: if is_input { 2 } else { 1 }, message }
}

/// Longest line of a message, in characters.
const LONGEST_LINE: usize = 4000;

/// Prints a message to the standard error; on a terminal, its marks are coloured.
pub fn message(text: &str) {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let colour = std::io::stderr().is_terminal() && !no_color && !dumb;
    let text = precess::model::diagnostic::visible(&with_flags(text));
    let text: Vec<String> = text.lines().map(|line| cut(line, LONGEST_LINE)).collect();
    let text = text.join("\n");
    let text = if colour { paint(&text) } else { text };
    let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end());
}

/// Colours errors red, help cyan, underlines yellow.
fn paint(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let rest = line.trim_start();
        let indent = line.strip_suffix(rest).unwrap_or("");
        let mark = ["error:", "warning:", "help:"].into_iter().find_map(|m| Some((m, rest.strip_prefix(m)?)));
        match (mark, rest.strip_prefix('|')) {
            (Some((mark, after)), _) => {
                let code = match mark {
                    "error:" => "1;31",
                    "warning:" => "1;33",
                    _ => "36",
                };
                out.push_str(&format!("{indent}\u{1b}[{code}m{mark}\u{1b}[0m{after}"));
            }
            (None, Some(after)) if after.trim_end_matches('^').trim_end().is_empty() => {
                out.push_str(&format!("{indent}|\u{1b}[33m{after}\u{1b}[0m"));
            }
            (None, _) => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_nothing_but_colours() {
        let text =
            "error: bad\n  --> a.toml:1:2\n   1 | x = 3\n     |     ^\n  help: do it\n1 problem in a.toml\n";
        let painted = paint(text);
        assert!(painted.contains("\u{1b}[1;31merror:") && painted.contains("\u{1b}[33m"));
        let mut plain = String::new();
        let mut rest = painted.as_str();
        while let Some((before, code)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = code.split_once('m').unwrap().1;
        }
        plain.push_str(rest);
        assert_eq!(plain, text);
    }
}
