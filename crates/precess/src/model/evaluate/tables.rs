//! `[tables]`: rows in the file or in a file beside it, as functions of expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::document::{Document, Problem};
use crate::model::expression::functions::Function;
use crate::model::expression::table::{BetweenRows, MOST_ROWS, Outside, Table};
use crate::model::expression::units;
use crate::model::file_tables::{BetweenBlock, Column, OutsideBlock, TableBlock};
use crate::model::files::Files;
use crate::model::number::{Names, not_a_name};

/// Most bytes of all tables of a model.
const MAX_TABLES: usize = 200 << 20;

/// All tables of a file, with what is wrong with them.
pub(super) fn evaluate(document: &Document, names: &Names) -> (BTreeMap<String, Arc<Table>>, Vec<Problem>) {
    let (mut tables, mut problems, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
    for (name, block) in &document.file.tables {
        let path = format!("tables.{name}");
        let mut wrong = |message: String, help: &str| {
            let help = (!help.is_empty()).then(|| help.to_string());
            problems.push(Problem { path: path.clone(), message, help });
        };
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
            Err(message) => wrong(message, ""),
        }
    }
    (tables, problems)
}

fn table(block: &TableBlock, names: &Names, files: &Files) -> Result<Table, String> {
    let mut rows = match (&block.rows, &block.file) {
        (Some(rows), None) => {
            if block.columns.is_some() {
                return Err("columns are those of a file; rows are [x, y]".to_string());
            }
            let mut list = Vec::with_capacity(rows.len());
            for (i, [x, y]) in rows.iter().enumerate() {
                let number = |n: &crate::model::number::Number| {
                    n.evaluate(names).map_err(|e| format!("row {}: {e}", i + 1))
                };
                list.push([number(x)?, number(y)?]);
            }
            list
        }
        (None, Some(file)) => {
            read(&files.text(file)?, block.columns.as_ref()).map_err(|e| format!("{file}: {e}"))?
        }
        _ => return Err("a table has rows = [[x, y], ..] or file = \"..\"".to_string()),
    };
    if let Some(words) = &block.units {
        let [x, y] = words.each_ref().map(|w| if w == "1" { Ok(None) } else { units::parse(w).map(Some) });
        let (x, y) = (x?, y?);
        for [a, b] in &mut rows {
            *a = x.map_or(*a, |u| u.to_si(*a));
            *b = y.map_or(*b, |u| u.to_si(*b));
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
    Table::new(&rows, between, outside)
}

/// Two columns of a file of numbers: separated by commas, semicolons, tabs or blanks; `#` begins a comment; a
/// first line of words names the columns.
pub fn read(text: &str, columns: Option<&[Column; 2]>) -> Result<Vec<[f64; 2]>, String> {
    let lines = text.lines().enumerate().filter(|(_, l)| {
        let l = l.trim();
        !l.is_empty() && !l.starts_with('#')
    });
    let default = [Column::Number(1), Column::Number(2)];
    let columns = columns.unwrap_or(&default);
    let mut places: Option<[usize; 2]> = None;
    let mut rows = Vec::new();
    for (k, line) in lines {
        let cells = cells(line.trim_start_matches('\u{feff}'));
        let heading = places.is_none() && cells.iter().all(|c| c.parse::<f64>().is_err());
        let [a, b] = match places {
            Some(places) => places,
            None => {
                let [a, b] = columns.each_ref().map(|c| c.place(&cells, heading));
                *places.insert([a?, b?])
            }
        };
        if heading {
            continue;
        }
        let number = |i: usize| {
            let cell = cells.get(i).ok_or_else(|| format!("line {} has no column {}", k + 1, i + 1))?;
            cell.parse::<f64>().map_err(|_| format!("line {}: '{cell}' is not a number", k + 1))
        };
        if rows.len() == MOST_ROWS {
            return Err(format!("it has more than {MOST_ROWS} rows"));
        }
        rows.push([number(a)?, number(b)?]);
    }
    Ok(rows)
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.split('#').next().unwrap_or("");
    match [',', ';', '\t'].into_iter().find(|c| line.contains(*c)) {
        Some(c) => line.split(c).map(|cell| cell.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().map(|cell| cell.trim_matches('"')).collect(),
    }
}

impl Column {
    /// Its place from 0.
    fn place(&self, cells: &[&str], heading: bool) -> Result<usize, String> {
        match self {
            Column::Number(0) => Err("columns count from 1".to_string()),
            Column::Number(n) => Ok(*n as usize - 1),
            Column::Name(name) if heading => cells.iter().position(|c| c == name).ok_or_else(|| {
                crate::Error::unknown_name("column", name, cells.iter().copied().take(100)).to_string()
            }),
            Column::Name(name) => Err(format!("the first line has no names of columns, '{name}' is wanted")),
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
        assert!(read("0,1\n", Some(&name("t", "y"))).unwrap_err().contains("no names"));
        assert!(read("0,a\n", None).unwrap_err().contains("'a' is not a number"));
        assert!(read("0,1\n", Some(&[Column::Number(0), Column::Number(1)])).is_err());
        assert!(read("", None).unwrap().is_empty());
    }
}
