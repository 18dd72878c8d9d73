//! Mutations of bytes, tokens and lines.

use fastrand::Rng;

use crate::expression::{expression, number};

/// Longer inputs are cut.
pub const LONGEST: usize = 64 << 10;

/// Pieces that are hard to read: control characters, quotes, special characters of several formats,
/// characters of several bytes, bytes that are no characters.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\"",
    b"'",
    b"\\",
    b"\n",
    b"\r\n",
    b"\t",
    b"<",
    b">",
    b"&",
    b"&amp;",
    b"&#0;",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"-->",
    b"</robot>",
    b"{i}",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[",
    b"]]",
    b"\"\"\"",
    b"#",
    b"=",
    b".",
    b",",
    b"null",
    b"true",
    b"ground",
    b"world",
    "\u{feff}".as_bytes(),
    "ä".as_bytes(),
    "😀".as_bytes(),
    "\u{301}".as_bytes(),
    "\u{202e}".as_bytes(),
    b"\xff\xfe",
    b"\xf0\x9f",
    b"1e999",
    b"nan",
    b"inf",
    b"off",
    b"optimal",
];

/// A changed copy of one entry of the corpus; `words` are the words of the format.
pub fn mutate(rng: &mut Rng, base: &[u8], other: &[u8], words: &[&str]) -> Vec<u8> {
    let mut bytes = base.to_vec();
    // Most inputs have one or two changes. An input that is nearly right gets furthest.
    let n = match rng.u8(..8) {
        0..=3 => 1,
        4 | 5 => 2,
        6 => 4,
        _ => 8,
    };
    for _ in 0..n {
        change(rng, &mut bytes, other, words);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(rng: &mut Rng, bytes: &mut Vec<u8>, other: &[u8], words: &[&str]) {
    match rng.u8(..20) {
        0 => {
            if let Some(b) = rng.choice(bytes.iter_mut()) {
                *b ^= 1 << 3;
            }
        }
        1 => {
            let new = rng.u8(..);
            if let Some(b) = rng.choice(bytes.iter_mut()) {
                *b = new;
            }
        }
        2 => {
            let at = rng.usize(..=bytes.len());
            let piece = rng.choice(PIECES).copied().unwrap_or(b"");
            bytes.splice(at..at, piece.iter().copied());
        }
        3 => {
            let range = part(rng, bytes.len(), 40);
            bytes.drain(range);
        }
        4 => {
            let range = part(rng, bytes.len(), 60);
            let n = if rng.u8(..10) == 0 { rng.usize(1..500) } else { 1 };
            let copy = bytes[range.clone()].repeat(n);
            bytes.splice(range.end..range.end, copy);
        }
        5..=9 => replace(rng, bytes, numbers, |rng, _| number(rng).into_bytes()),
        10 | 11 => replace(rng, bytes, strings, |rng, _| expression(rng).into_bytes()),
        12 | 13 => {
            replace(rng, bytes, names, |rng, _| rng.choice(words).copied().unwrap_or("x").as_bytes().to_vec())
        }
        14 => {
            let found = strings(other);
            let text = rng.choice(&found).map_or(Vec::new(), |r| other[r.clone()].to_vec());
            replace(rng, bytes, strings, |_, _| text.clone());
        }
        15 => {
            // This nests a number in brackets.
            let n = if rng.bool() { rng.usize(1..4) } else { rng.usize(1..3000) };
            let (open, close) = *rng
                .choice(&[("[", "]"), ("(", ")"), ("{a=", "}"), ("<a>", "</a>"), ("[", ""), ("{", "}")])
                .unwrap_or(&("[", "]"));
            replace(rng, bytes, numbers, |_, old| {
                [open.repeat(n).as_bytes(), old, close.repeat(n).as_bytes()].concat()
            });
        }
        _ => lines(rng, bytes, other),
    }
}

/// A range of at most `longest` bytes.
fn part(rng: &mut Rng, length: usize, longest: usize) -> std::ops::Range<usize> {
    let start = rng.usize(..=length);
    start..(start + rng.usize(..=longest)).min(length)
}

type Ranges = Vec<std::ops::Range<usize>>;

fn runs(bytes: &[u8], belongs: impl Fn(u8) -> bool, begins: impl Fn(u8) -> bool) -> Ranges {
    let mut list = Ranges::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        while i < bytes.len() && belongs(bytes[i]) {
            i += 1;
        }
        if i > start && begins(bytes[start]) {
            list.push(start..i);
        }
        i = i.max(start + 1);
    }
    list
}

fn numbers(bytes: &[u8]) -> Ranges {
    runs(bytes, |b| b.is_ascii_alphanumeric() || b"_.+-".contains(&b), |b| b.is_ascii_digit() || b == b'-')
}

fn names(bytes: &[u8]) -> Ranges {
    runs(bytes, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-', |b| b.is_ascii_alphabetic())
}

/// The ranges between quotes.
fn strings(bytes: &[u8]) -> Ranges {
    let quotes: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b'"').collect();
    quotes.chunks_exact(2).map(|c| c[0] + 1..c[1]).collect()
}

fn replace(
    rng: &mut Rng,
    bytes: &mut Vec<u8>,
    find: fn(&[u8]) -> Ranges,
    new: impl Fn(&mut Rng, &[u8]) -> Vec<u8>,
) {
    let found = find(bytes);
    if let Some(range) = rng.choice(found) {
        let new = new(rng, &bytes[range.clone()]);
        bytes.splice(range, new);
    }
}

fn lines(rng: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    let mut list: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let others: Vec<&[u8]> = other.split_inclusive(|b| *b == b'\n').collect();
    if list.is_empty() || others.is_empty() {
        return;
    }
    let i = rng.usize(..list.len());
    match rng.u8(..6) {
        0 => {
            list.remove(i);
        }
        1 => list.insert(rng.usize(..=list.len()), list[i]),
        2 => {
            let k = rng.usize(..list.len());
            list.swap(i, k);
        }
        3 => list.insert(i, others[rng.usize(..others.len())]),
        4 => {
            // This inserts a block of another file.
            let k = rng.usize(..others.len());
            let n = rng.usize(1..12).min(others.len() - k);
            list.splice(i..i, others[k..k + n].iter().copied());
        }
        _ => {
            list.truncate(i);
            list.extend(&others[rng.usize(..others.len())..]);
        }
    }
    *bytes = list.concat();
}
