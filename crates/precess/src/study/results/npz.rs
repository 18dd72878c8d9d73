//! NPZ: a zip archive with one numpy array per column, and `metadata` as a text. `numpy.load` reads it
//! without pickle:
//!
//! ```python
//! r = numpy.load("top.npz"); r["t"], r["top.position"]; json.loads(str(r["metadata"]))
//! ```

use std::io::{Error, Write};

use super::Results;
use super::metadata::{Problem, metadata};
use crate::model::archive::{Archive, ArchiveWriter, Unreadable};

/// Writes.
pub fn write(results: &Results, out: &mut dyn Write) -> Result<(), Error> {
    let (mut archive, rows, mut bytes) = (ArchiveWriter::default(), results.rows(), Vec::new());
    for c in &results.columns {
        bytes.clear();
        bytes.reserve(8 * c.values.len());
        c.values.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        let shape = [rows, c.parts.len()];
        archive.array(out, &member(&c.name), ("<f8", if c.scalar { &shape[..1] } else { &shape }), &bytes)?;
    }
    // A text is an array without dimensions, with one 32-bit code per character.
    let text: Vec<char> = serde_json::to_string(&results.described())?.chars().collect();
    let bytes: Vec<u8> = text.iter().flat_map(|c| u32::from(*c).to_le_bytes()).collect();
    archive.array(out, "metadata", (&format!("<U{}", text.len()), &[]), &bytes)?;
    archive.finish(out)
}

/// The name of a column in the archive. It is not a path: programs that unpack archives carelessly would
/// write elsewhere.
fn member(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F").replace('\\', "%5C")
}

/// Data of an array after its header.
fn array<'a>(archive: &Archive<'a>, name: &str) -> Result<&'a [u8], Problem> {
    let bytes = archive
        .file(&format!("{name}.npy"))
        .ok_or_else(|| Problem::Other(format!("there is no array '{name}' in it")))?
        .map_err(|e| match e {
            Unreadable::Packed => Problem::Other(format!("array '{name}': {e}")),
            _ => Problem::Truncated(format!("array '{name}': {e}")),
        })?;
    let length = match bytes.get(6..10) {
        Some([1, _, a, b]) if bytes.starts_with(b"\x93NUMPY") => usize::from(u16::from_le_bytes([*a, *b])),
        _ => return Err(Problem::Other(format!("'{name}' is not a numpy array"))),
    };
    bytes.get(10 + length..).ok_or_else(|| Problem::Truncated(format!("array '{name}' has no data")))
}

/// Reads.
pub fn read(bytes: &[u8]) -> Result<Results, Problem> {
    let archive = Archive::read(bytes).ok_or_else(|| match bytes.starts_with(b"PK\x03\x04") {
        true => Problem::Truncated("the directory at its end is missing".to_string()),
        false => Problem::Other("it is not a numpy archive".to_string()),
    })?;
    let text = array(&archive, "metadata")?;
    let (characters, _) = text.as_chunks();
    let text: String = characters.iter().filter_map(|c| char::from_u32(u32::from_le_bytes(*c))).collect();
    let mut results = Results::empty(metadata(&text)?);
    for c in &mut results.columns {
        let data = array(&archive, &member(&c.name))?;
        let (numbers, _) = data.as_chunks();
        c.values = numbers.iter().map(|x| f64::from_le_bytes(*x)).collect();
    }
    Ok(results)
}
