//! CSV: a line of names, one line per row, and a last line that begins with `#` and contains the metadata.
//!
//! Numbers have the shortest text that reads back as the same number. numpy and gnuplot skip the last line,
//! pandas with `comment="#"`. A file without this line was cut off.

use std::io::{Error, Write};

use super::Results;
use super::metadata::{Problem, metadata};
use crate::study::text::no_formula;

/// Writes.
pub fn write(results: &Results, out: &mut dyn Write) -> Result<(), Error> {
    write_with(results, false, out)
}

/// The same. With `units`, they stand behind the names in the first line: `tip.fx [N]`.
pub(crate) fn write_with(results: &Results, units: bool, out: &mut dyn Write) -> Result<(), Error> {
    {
        let mut table = ::csv::Writer::from_writer(&mut *out);
        let titles = results.columns.iter().flat_map(|c| c.parts.iter().map(|part| (part, &c.unit)));
        for (part, unit) in titles {
            let name = no_formula(part);
            match units && !unit.is_empty() {
                true => table.write_field(format!("{name} [{unit}]"))?,
                false => table.write_field(&*name)?,
            }
        }
        table.write_record(None::<&[u8]>)?;
        let mut text = String::new();
        for row in 0..results.rows() {
            for c in &results.columns {
                for x in c.row(row) {
                    use std::fmt::Write;
                    text.clear();
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{x:e}");
                    table.write_field(&text)?;
                }
            }
            table.write_record(None::<&[u8]>)?;
        }
        table.flush()?;
    }
    writeln!(out, "# {}", serde_json::to_string(&results.described())?)
}

/// Reads.
pub fn read(bytes: &[u8]) -> Result<Results, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::Other("it is not text".to_string()))?;
    let Some((table, last)) = text.trim_end().rsplit_once("\n# ") else {
        let first = text.split(',').next().unwrap_or("");
        return Err(if first == "t" || first == "t [s]" {
            Problem::Truncated("its last line with the metadata is missing".to_string())
        } else {
            Problem::Other("its first column is not t".to_string())
        });
    };
    let mut results = Results::empty(metadata(last)?);
    let mut reader = ::csv::Reader::from_reader(table.as_bytes());
    let width: usize = results.columns.iter().map(|c| c.parts.len()).sum();
    for record in reader.records() {
        let record = record.map_err(|e| Problem::Truncated(e.to_string()))?;
        if record.len() != width {
            return Err(Problem::Truncated(format!("a line has {} of {width} numbers", record.len())));
        }
        let mut fields = record.iter();
        for c in &mut results.columns {
            for field in fields.by_ref().take(c.parts.len()) {
                let x =
                    field.trim().parse().map_err(|_| Problem::Other(format!("'{field}' is not a number")))?;
                c.values.push(x);
            }
        }
    }
    Ok(results)
}
