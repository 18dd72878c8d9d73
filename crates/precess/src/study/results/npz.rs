//! NPZ: a zip archive with one numpy array per column, and `metadata` as a text. `numpy.load` reads it
//! without pickle:
//!
//! ```python
//! r = numpy.load("top.npz"); r["t"], r["top.position"]; json.loads(str(r["metadata"]))
//! ```
//!
//! The format of an array (version 1.0, little-endian f64 in rows) is simple and written directly: a header
//! of one line.

use std::io::{Cursor, Error, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::Results;
use super::file::{Problem, metadata};

/// Header of an array: magic, version, length, and a description padded to a multiple of 64 bytes.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape = match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")),
    };
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.as_bytes());
    out
}

/// Writes.
pub fn write(results: &Results, out: &mut dyn Write) -> Result<(), Error> {
    // Written in memory first, because the archive writer prints errors when the disk is full.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let begin = |zip: &mut ZipWriter<_>, name: &str, bytes: usize| {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(bytes > 1 << 31);
        zip.start_file(format!("{name}.npy"), options).map_err(Error::from)
    };
    let rows = results.rows();
    for c in &results.columns {
        begin(&mut zip, &c.name, 8 * c.values.len())?;
        zip.write_all(&if c.scalar {
            header("<f8", &[rows])
        } else {
            header("<f8", &[rows, c.parts.len()])
        })?;
        for x in &c.values {
            zip.write_all(&x.to_le_bytes())?;
        }
    }
    // A text is an array without dimensions, with one 32-bit code per character.
    let text: Vec<char> = serde_json::to_string(&results.described())?.chars().collect();
    begin(&mut zip, "metadata", 4 * text.len())?;
    zip.write_all(&header(&format!("<U{}", text.len()), &[]))?;
    for c in text {
        zip.write_all(&u32::from(c).to_le_bytes())?;
    }
    out.write_all(zip.finish()?.get_ref())
}

/// Data of an array after its header.
fn array(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Vec<u8>, Problem> {
    let mut entry = archive
        .by_name(&format!("{name}.npy"))
        .map_err(|_| Problem::Other(format!("there is no array '{name}' in it")))?;
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|e| Problem::Truncated(format!("array '{name}': {e}")))?;
    let length = match bytes.get(6..10) {
        Some([1, _, a, b]) if bytes.starts_with(b"\x93NUMPY") => usize::from(u16::from_le_bytes([*a, *b])),
        _ => return Err(Problem::Other(format!("'{name}' is not a numpy array"))),
    };
    let data = 10 + length;
    if bytes.len() < data {
        return Err(Problem::Truncated(format!("array '{name}' has no data")));
    }
    Ok(bytes.split_off(data))
}

/// Reads.
pub fn read(bytes: &[u8]) -> Result<Results, Problem> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|e| match bytes.starts_with(b"PK\x03\x04") {
            true => Problem::Truncated(format!("the directory at its end is missing ({e})")),
            false => Problem::Other(e.to_string()),
        })?;
    let text = array(&mut archive, "metadata")?;
    let (characters, _) = text.as_chunks();
    let text: String = characters.iter().filter_map(|c| char::from_u32(u32::from_le_bytes(*c))).collect();
    let mut results = Results::empty(metadata(&text)?);
    for c in &mut results.columns {
        let data = array(&mut archive, &c.name)?;
        let (numbers, _) = data.as_chunks();
        c.values = numbers.iter().map(|x| f64::from_le_bytes(*x)).collect();
    }
    Ok(results)
}
