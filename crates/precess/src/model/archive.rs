//! Numpy archives: zip archives without compression, with one array per file, as `numpy.savez` writes them.
//! Sizes and places that need more than 32 bits are in an extra field (zip64).
//!
//! By hand rather than by a crate for zip archives: the same results make the same bytes, columns are written
//! without a copy, and damage is told apart from a foreign file.
//!
//! The format of an array (version 1.0) is a header of one line and the numbers, little-endian and in rows.

use std::collections::HashMap;
use std::io::{Error, Write};

const FILE: u32 = 0x0403_4b50;
const ENTRY: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const LARGE_END: u32 = 0x0606_4b50;
const LARGE_END_PLACE: u32 = 0x0706_4b50;
/// Lengths of these parts without names and extra fields.
const FILE_BYTES: usize = 30;
const ENTRY_BYTES: usize = 46;
const END_BYTES: usize = 22;
const LARGE_END_PLACE_BYTES: usize = 20;
/// Marks a number that is in the extra field.
const ELSEWHERE: u64 = u32::MAX as u64;
/// Names in UTF-8.
const UTF_8: u64 = 1 << 11;
/// 1 January 1980: the same results make the same bytes.
const DATE: u64 = 0x21;

/// Numbers of a given number of bytes, one after the other.
fn fields(numbers: &[(usize, u64)]) -> Vec<u8> {
    numbers.iter().flat_map(|(bytes, n)| n.to_le_bytes().into_iter().take(*bytes)).collect()
}

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

/// Writes an archive, one array after the other.
pub struct ArchiveWriter {
    /// Bytes written.
    written: u64,
    directory: Vec<u8>,
    files: u64,
    /// Numbers from here on are in extra fields.
    large: u64,
}

impl Default for ArchiveWriter {
    fn default() -> Self {
        ArchiveWriter { written: 0, directory: Vec::new(), files: 0, large: ELSEWHERE }
    }
}

impl ArchiveWriter {
    fn put(&mut self, out: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
        self.written += bytes.len() as u64;
        out.write_all(bytes)
    }

    /// The numbers as fields of 32 bits, and the extra field with the numbers if one is large.
    fn sizes(&self, numbers: &[u64]) -> (Vec<u64>, Vec<u8>) {
        if numbers.iter().all(|n| *n < self.large) {
            return (numbers.to_vec(), Vec::new());
        }
        let mut extra = fields(&[(2, 1), (2, 8 * numbers.len() as u64)]);
        numbers.iter().for_each(|n| extra.extend(n.to_le_bytes()));
        (vec![ELSEWHERE; numbers.len()], extra)
    }

    /// Adds an array of this numpy type.
    pub fn array(
        &mut self,
        out: &mut dyn Write,
        name: &str,
        (kind, shape): (&str, &[usize]),
        data: &[u8],
    ) -> Result<(), Error> {
        self.file(out, &format!("{name}.npy"), &[&header(kind, shape), data])
    }

    /// Adds a file that consists of these parts.
    pub fn file(&mut self, out: &mut dyn Write, name: &str, parts: &[&[u8]]) -> Result<(), Error> {
        let (mut checksum, mut size, offset) = (crc32fast::Hasher::new(), 0, self.written);
        for part in parts {
            checksum.update(part);
            size += part.len() as u64;
        }
        let checksum = u64::from(checksum.finalize());
        // Version 4.5 of the format, no compression, no time of the day.
        let common = |sizes: &[u64], extra: &[u8]| {
            let mut out = fields(&[(2, 45), (2, UTF_8), (2, 0), (2, 0), (2, DATE), (4, checksum)]);
            sizes.iter().take(2).for_each(|n| out.extend(fields(&[(4, *n)])));
            out.extend(fields(&[(2, name.len() as u64), (2, extra.len() as u64)]));
            out
        };
        let (sizes, extra) = self.sizes(&[size, size]);
        let begin = [&FILE.to_le_bytes()[..], &common(&sizes, &extra), name.as_bytes(), &extra].concat();
        self.put(out, &begin)?;
        parts.iter().try_for_each(|part| self.put(out, part))?;
        let (sizes, extra) = self.sizes(&[size, size, offset]);
        let offset = sizes.last().copied().unwrap_or(ELSEWHERE);
        self.directory.extend(fields(&[(4, ENTRY.into()), (2, 45)]));
        self.directory.extend(common(&sizes, &extra));
        self.directory.extend(fields(&[(2, 0), (2, 0), (2, 0), (4, 0), (4, offset)]));
        self.directory.extend(name.as_bytes());
        self.directory.extend(extra);
        self.files += 1;
        Ok(())
    }

    /// Adds the directory.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<(), Error> {
        let (directory, offset, files) = (std::mem::take(&mut self.directory), self.written, self.files);
        self.put(out, &directory)?;
        let (size, end) = (directory.len() as u64, self.written);
        let (small, extra) = self.sizes(&[size, offset]);
        let small_files = if extra.is_empty() && files < 0xffff { files } else { 0xffff };
        if small_files == 0xffff {
            let whole = [(4, LARGE_END.into()), (8, 44), (2, 45), (2, 45), (4, 0), (4, 0)];
            self.put(out, &fields(&whole))?;
            self.put(out, &fields(&[(8, files), (8, files), (8, size), (8, offset)]))?;
            self.put(out, &fields(&[(4, LARGE_END_PLACE.into()), (4, 0), (8, end), (4, 1)]))?;
        }
        self.put(out, &fields(&[(4, END.into()), (2, 0), (2, 0), (2, small_files), (2, small_files)]))?;
        small.iter().try_for_each(|n| self.put(out, &fields(&[(4, *n)])))?;
        self.put(out, &[0, 0])
    }
}

/// A reason why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is compressed or encrypted.
    Packed,
    /// The archive ends before it.
    Short,
    /// Its bytes do not have its checksum.
    Changed,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unreadable::Packed => {
                "it is compressed or encrypted; write it with numpy.savez, not savez_compressed"
            }
            Unreadable::Short => "it ends too early",
            Unreadable::Changed => "its checksum is wrong",
        })
    }
}

/// The bytes from an offset on.
fn from(bytes: &[u8], offset: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(offset).ok()?..)
}

/// A number of so many bytes at an offset.
fn number(bytes: &[u8], offset: usize, size: usize) -> Option<u64> {
    let digits = bytes.get(offset..)?.get(..size)?;
    Some(digits.iter().rev().fold(0, |n, digit| n << 8 | u64::from(*digit)))
}

fn begins_with(bytes: &[u8], signature: u32) -> bool {
    bytes.starts_with(&signature.to_le_bytes())
}

/// A file of an archive.
struct Entry {
    name: String,
    is_plain: bool,
    checksum: u64,
    packed: u64,
    offset: u64,
}

impl Entry {
    /// The first entry of a directory, and the rest of it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let field = |offset, size| number(bytes, offset, size);
        let length = |offset| field(offset, 2).map(|n| n as usize);
        let (name, rest) = bytes.get(ENTRY_BYTES..)?.split_at_checked(length(28)?)?;
        let (mut extra, rest) = rest.split_at_checked(length(30)?)?;
        let mut sizes = [field(20, 4)?, field(24, 4)?, field(42, 4)?];
        while let (Some(kind), Some(size)) = (number(extra, 0, 2), number(extra, 2, 2)) {
            let mut at = 4;
            // Only numbers that have no room in their field, in the order of the uncompressed size first.
            for k in [1, 0, 2].into_iter().filter(|_| kind == 1) {
                if let Some(n) = sizes.get_mut(k).filter(|n| **n == ELSEWHERE) {
                    *n = number(extra, at, 8)?;
                    at += 8;
                }
            }
            extra = extra.get(4 + size as usize..).unwrap_or_default();
        }
        let [packed, size, offset] = sizes;
        let is_plain = field(10, 2)? == 0 && field(8, 2)? & 1 == 0 && packed == size;
        let name = String::from_utf8_lossy(name).into_owned();
        let entry = Entry { name, is_plain, checksum: field(16, 4)?, packed, offset };
        begins_with(bytes, ENTRY).then_some((entry, rest.get(length(32)?..)?))
    }

    /// Its content.
    fn content<'a>(&self, archive: &'a [u8]) -> Option<&'a [u8]> {
        let file = from(archive, self.offset).filter(|file| begins_with(file, FILE))?;
        let behind = number(file, 26, 2)? + number(file, 28, 2)?;
        from(file, FILE_BYTES as u64 + behind)?.get(..usize::try_from(self.packed).ok()?)
    }
}

/// An archive in memory.
pub struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// Places of names in the entries.
    named: HashMap<String, usize>,
}

impl<'a> Archive<'a> {
    /// Reads the directory. `None` if there is none.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        // The end is followed by a comment of at most 65535 bytes.
        let last = bytes.len().checked_sub(END_BYTES)?;
        let candidates = (last.saturating_sub(0xffff)..=last).rev();
        let at = candidates.into_iter().find(|at| begins_with(bytes.get(*at..).unwrap_or_default(), END))?;
        let end = bytes.get(at..)?;
        let (mut files, mut offset) = (number(end, 10, 2)?, number(end, 16, 4)?);
        let large = at.checked_sub(LARGE_END_PLACE_BYTES).and_then(|at| bytes.get(at..));
        if let Some(large) = large.filter(|large| begins_with(large, LARGE_END_PLACE)) {
            let large = from(bytes, number(large, 8, 8)?).filter(|large| begins_with(large, LARGE_END))?;
            (files, offset) = (number(large, 32, 8)?, number(large, 48, 8)?);
        }
        let (mut entries, mut directory, mut total) = (Vec::new(), from(bytes, offset)?, 0u64);
        for _ in 0..files {
            let (entry, rest) = Entry::read(directory)?;
            total = total.saturating_add(entry.packed);
            entries.push(entry);
            directory = rest;
        }
        let named = entries.iter().enumerate().map(|(i, e)| (e.name.clone(), i)).collect();
        // Files that share bytes would be read again and again.
        (total <= bytes.len() as u64).then_some(Archive { bytes, entries, named })
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| e.name.as_str())
    }

    /// The content of a file. `None` if there is no file of this name.
    pub fn file(&self, name: &str) -> Option<Result<&'a [u8], Unreadable>> {
        let entry = self.entries.get(*self.named.get(name)?)?;
        if !entry.is_plain {
            return Some(Err(Unreadable::Packed));
        }
        let whole = entry.content(self.bytes).ok_or(Unreadable::Short);
        let is_same = |content: &&[u8]| u64::from(crc32fast::hash(content)) == entry.checksum;
        Some(whole.and_then(|c| Some(c).filter(is_same).ok_or(Unreadable::Changed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(large: u64) -> Vec<u8> {
        let (mut out, mut writer) = (Vec::new(), ArchiveWriter { large, ..Default::default() });
        for (name, data) in [("a", &b"one"[..]), ("b.c", b"seven"), ("ü", b"")] {
            writer.array(&mut out, name, ("|u1", &[data.len()]), data).unwrap();
        }
        writer.finish(&mut out).unwrap();
        out
    }

    /// The number of files has a field of 16 bits; from 65 535 on it is elsewhere.
    #[test]
    fn many_files() {
        for n in [65_534, 65_535, 65_537] {
            let (mut out, mut writer) = (Vec::new(), ArchiveWriter::default());
            for i in 0..n {
                writer.file(&mut out, &format!("{i}"), &[&[i as u8]]).unwrap();
            }
            writer.finish(&mut out).unwrap();
            let read = Archive::read(&out).unwrap();
            assert_eq!(read.names().count(), n);
            assert_eq!(read.file(&format!("{}", n - 1)).unwrap().unwrap(), [(n - 1) as u8]);
        }
    }

    /// Whether numbers are in their fields or in extra fields.
    #[test]
    fn what_is_written_can_be_read() {
        for large in [0, 130, ELSEWHERE] {
            let bytes = archive(large);
            let read = Archive::read(&bytes).unwrap();
            assert_eq!(read.names().collect::<Vec<_>>(), ["a.npy", "b.c.npy", "ü.npy"]);
            for (name, end) in [("a.npy", &b"one"[..]), ("b.c.npy", b"seven"), ("ü.npy", b"}")] {
                let content = read.file(name).unwrap().unwrap();
                let content = if end == b"}" { content.trim_ascii_end() } else { content };
                assert!(content.starts_with(b"\x93NUMPY") && content.ends_with(end));
            }
            assert!(read.file("a").is_none());
        }
    }

    #[test]
    fn damage_is_found() {
        let whole = archive(ELSEWHERE);
        assert!((0..whole.len()).all(|n| Archive::read(&whole[..n]).is_none()));
        let mut changed = whole.clone();
        changed[100] ^= 1;
        assert!(Archive::read(&changed).unwrap().file("a.npy").unwrap().unwrap_err() == Unreadable::Changed);
    }
}
