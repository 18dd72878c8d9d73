//! Reads `[tables]`. The rows are in the model file or in a separate file, and expressions use tables as
//! functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::document::{Document, Problem};
use crate::model::expression::functions::Function;
use crate::model::expression::table::{BetweenRows, MOST_ROWS, Outside, Table};
use crate::model::expression::units;
use crate::model::expression::{Dimension, Kind};
use crate::model::file_tables::{BetweenBlock, Column, OutsideBlock, TableBlock};
use crate::model::files::Files;
use crate::model::number::{Names, Number, Parsed, not_a_name};

/// The largest size of all tables of a model, in bytes.
const MAX_TABLES: usize = 200 << 20;

/// Reads all tables of a file and collects their problems.
pub(super) fn evaluate(document: &Document, names: &Names) -> (BTreeMap<String, Arc<Table>>, Vec<Problem>) {
    let (mut tables, mut problems, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
    for (name, block) in &document.file.tables {
        let path = format!("tables.{name}");
        let mut wrong_at = |key: &str, message: String, help: &str| {
            let help = (!help.is_empty()).then(|| help.to_string());
            problems.push(Problem { path: format!("{path}{key}"), message, help });
        };
        let mut wrong = |message: String, help: &str| wrong_at("", message, help);
        if Function::named(name).is_some() || not_a_name(name).is_some() {
            wrong(format!("'{name}' cannot be the name of a table"), "choose another name");
        }
        if names.contains_key(name) {
            wrong(format!("'{name}' is a parameter and a table"), "rename one of them");
        }
        match table(block, names, document.files()) {
            Ok(table) => {
                bytes += table.memory();
                if bytes > MAX_TABLES {
                    wrong(
                        format!("with this the tables take more than {MAX_TABLES} bytes"),
                        "use fewer rows",
                    );
                    break;
                }
                tables.insert(name.clone(), Arc::new(table));
            }
            Err((key, message)) => wrong_at(key, message, ""),
        }
    }
    (tables, problems)
}

/// Reads the table of a block. An error consists of the key and the message.
fn table(block: &TableBlock, names: &Names, files: &Files) -> Result<Table, (&'static str, String)> {
    let source = if block.file.is_some() { ".file" } else { ".rows" };
    let (mut rows, mut dimensions) = match (&block.rows, &block.file) {
        (Some(rows), None) => {
            if block.columns.is_some() {
                return Err((".columns", "columns are those of a file; rows are [x, y]".to_string()));
            }
            read_rows(rows, names).map_err(|e| (source, e))?
        }
        (None, Some(file)) => {
            let rows = files
                .text(file)
                .and_then(|text| read(&text, block.columns.as_ref()).map_err(|e| format!("{file}: {e}")));
            (rows.map_err(|e| (source, e))?, [None; 2])
        }
        _ => return Err(("", "a table has rows = [[x, y], ..] or file = \"..\"".to_string())),
    };
    for (k, word) in block.units.iter().flatten().enumerate().filter(|(_, word)| *word != "1") {
        let unit = units::parse(word).map_err(|e| (".units", e))?;
        let Some(dimension) = dimensions.get_mut(k) else { continue };
        if dimension.is_some() {
            let twice = format!("the rows already have units, and units = .. gives '{word}' to them");
            return Err((".units", twice));
        }
        *dimension = Some(unit.dimension);
        for x in rows.iter_mut().filter_map(|row| row.get_mut(k)) {
            *x = unit.to_si(*x);
        }
    }
    let between = match block.interpolation {
        None | Some(BetweenBlock::Linear) => BetweenRows::Linear,
        Some(BetweenBlock::Cubic) => BetweenRows::Cubic,
        Some(BetweenBlock::Akima) => BetweenRows::Akima,
    };
    let outside = match block.outside {
        None | Some(OutsideBlock::Hold) => Outside::Hold,
        Some(OutsideBlock::Extend) => Outside::Extend,
        Some(OutsideBlock::Repeat) => Outside::Repeat,
    };
    let table = Table::new(&rows, between, outside).map_err(|e| match &block.file {
        Some(file) => (source, format!("{file}: {e}")),
        None => (source, e),
    });
    Ok(table?.with_dimensions(dimensions))
}

/// The rows of a model file, and the dimensions of the columns if they have units.
type Given = (Vec<[f64; 2]>, [Option<Dimension>; 2]);

/// Reads the rows of a model file.
fn read_rows(rows: &[[Number; 2]], names: &Names) -> Result<Given, String> {
    let (mut list, mut dimensions) = (Vec::with_capacity(rows.len()), [None; 2]);
    let mut parsed = Parsed::new();
    for (i, row) in rows.iter().enumerate() {
        let mut values = [0.0; 2];
        for ((x, value), dimension) in row.iter().zip(&mut values).zip(&mut dimensions) {
            let read = x.evaluate_in(names, &mut parsed, *dimension);
            let (number, kind) = read.map_err(|e| format!("row {}: {e}", i + 1))?;
            *value = number;
            if let Kind::Known(d) = kind {
                *dimension = Some(d);
            }
        }
        list.push(values);
    }
    Ok((list, dimensions))
}

/// Reads two columns of a file of numbers. Commas, semicolons, tabs or blanks separate the columns. `#`
/// begins a comment. A first line of words gives the names of the columns.
pub fn read(text: &str, columns: Option<&[Column; 2]>) -> Result<Vec<[f64; 2]>, String> {
    let lines = text.lines().enumerate().filter(|(_, l)| {
        let l = l.trim();
        !l.is_empty() && !l.starts_with('#')
    });
    let default = [Column::Number(1), Column::Number(2)];
    let columns = columns.unwrap_or(&default);
    let mut places: Option<[usize; 2]> = None;
    let mut rows = Vec::new();
    let mut separator = None;
    for (k, line) in lines {
        let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or("");
        let separator = *separator.get_or_insert_with(|| separated_by(line));
        let cells = cells(line, separator);
        let heading = places.is_none() && cells.iter().all(|c| c.parse::<f64>().is_err());
        let [a, b] = match places {
            Some(places) => places,
            None => {
                let [a, b] = columns.each_ref().map(|c| c.index(&cells, heading));
                *places.insert([a?, b?])
            }
        };
        if heading {
            continue;
        }
        let number = |i: usize| {
            let cell = cells.get(i).ok_or_else(|| format!("line {} has no column {}", k + 1, i + 1))?;
            let number = cell.parse::<f64>();
            // Programs that separate columns by semicolons or tabs may write 0,5 for 0.5.
            let number = match separator {
                Some(';' | '\t') if cell.contains(',') => cell.replacen(',', ".", 1).parse(),
                _ => number,
            };
            number.map_err(|_| format!("line {}: '{cell}' is not a number", k + 1))
        };
        if rows.len() == MOST_ROWS {
            return Err(format!("it has more than {MOST_ROWS} rows"));
        }
        rows.push([number(a)?, number(b)?]);
    }
    Ok(rows)
}

/// The separator of the columns. It is a blank by default.
fn separated_by(line: &str) -> Option<char> {
    [';', '\t', ','].into_iter().find(|c| line.contains(*c))
}

fn cells(line: &str, separator: Option<char>) -> Vec<&str> {
    match separator {
        Some(c) => line.split(c).map(|cell| cell.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().map(|cell| cell.trim_matches('"')).collect(),
    }
}

impl Column {
    /// The index of the column, counted from 0.
    fn index(&self, cells: &[&str], heading: bool) -> Result<usize, String> {
        match self {
            Column::Number(0) => Err("columns count from 1".to_string()),
            Column::Number(n) => Ok(*n as usize - 1),
            Column::Name(name) if heading => cells.iter().position(|c| c == name).ok_or_else(|| {
                crate::Error::unknown_name("column", name, cells.iter().copied().take(100)).to_string()
            }),
            Column::Name(name) => Err(format!("the first line has no column names, and '{name}' is needed")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_files() {
        let name = |a: &str, b: &str| [Column::Name(a.into()), Column::Name(b.into())];
        assert_eq!(read("0,1\n1,2.5e-1\n", None).unwrap(), [[0.0, 1.0], [1.0, 0.25]]);
        assert_eq!(read("# road\nx z y\n0\n1 3 4\n", None).unwrap_err(), "line 3 has no column 2");
        let text = "\"t\";\"height\"; note\n0; 5; 1\n\n2; 6; 2 # end\n";
        assert_eq!(read(text, Some(&name("t", "height"))).unwrap(), [[0.0, 5.0], [2.0, 6.0]]);
        assert_eq!(
            read(text, Some(&[Column::Number(3), Column::Number(2)])).unwrap(),
            [[1.0, 5.0], [2.0, 6.0]]
        );
        assert!(read(text, Some(&name("t", "hight"))).unwrap_err().contains("did you mean 'height'"));
        assert!(read("0,1\n", Some(&name("t", "y"))).unwrap_err().contains("no column names"));
        assert!(read("0,a\n", None).unwrap_err().contains("'a' is not a number"));
        assert!(read("0,1\n", Some(&[Column::Number(0), Column::Number(1)])).is_err());
        assert!(read("", None).unwrap().is_empty());
        let comma = "\u{feff}t;height\r\n0;0\r\n0,5;1,25e1\r\n";
        assert_eq!(read(comma, Some(&name("t", "height"))).unwrap(), [[0.0, 0.0], [0.5, 12.5]]);
        assert!(read("0;1,2,3\n", None).unwrap_err().contains("'1,2,3' is not a number"));
    }
}
