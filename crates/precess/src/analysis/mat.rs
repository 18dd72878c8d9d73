//! Matrices in a file that MATLAB, Octave and `scipy.io.loadmat` read: MAT-files of level 5.
//!
//! A file has a header of 128 bytes, then one element per variable. An element is a tag (type and length,
//! four bytes each) and its data, padded to eight bytes. A matrix is an element that contains its flags, its
//! dimensions, its name and its numbers column by column. Texts are cells, one row of UTF-16 each.

use nalgebra::DMatrix;

use crate::analysis::npz::Arrays;

/// Types of elements.
const INT8: u32 = 1;
const UINT16: u32 = 4;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
/// Classes of arrays.
const CELL: u32 = 1;
const CHAR: u32 = 4;
const NUMBERS: u32 = 6;

/// A file being written.
pub struct MatFile {
    bytes: Vec<u8>,
}

impl Default for MatFile {
    fn default() -> Self {
        let mut bytes = format!("{:<116}", "MATLAB 5.0 MAT-file, written by precess").into_bytes();
        bytes.extend([0; 8]);
        // Version, and letters that indicate little-endian order.
        bytes.extend([0x00, 0x01, b'I', b'M']);
        MatFile { bytes }
    }
}

fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + data.len().next_multiple_of(8));
    out.extend(kind.to_le_bytes());
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out.resize(8 + data.len().next_multiple_of(8), 0);
    out
}

/// An array of a class with its dimensions, its name and its content.
fn array(class: u32, shape: [usize; 2], name: &str, content: &[u8]) -> Vec<u8> {
    let flags: Vec<u8> = [class, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let shape: Vec<u8> = shape.iter().flat_map(|n| (*n as i32).to_le_bytes()).collect();
    let parts = [element(UINT32, &flags), element(INT32, &shape), element(INT8, name.as_bytes())];
    element(MATRIX, &[parts.concat(), content.to_vec()].concat())
}

impl Arrays for MatFile {
    fn matrix(&mut self, name: &str, m: &DMatrix<f64>) -> Result<(), std::io::Error> {
        let numbers: Vec<u8> = m.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.bytes.extend(array(NUMBERS, [m.nrows(), m.ncols()], name, &element(DOUBLE, &numbers)));
        Ok(())
    }

    fn texts(&mut self, name: &str, list: &[String]) -> Result<(), std::io::Error> {
        let cell = |s: &String| {
            let letters: Vec<u16> = s.encode_utf16().collect();
            let bytes: Vec<u8> = letters.iter().flat_map(|c| c.to_le_bytes()).collect();
            array(CHAR, [usize::from(!s.is_empty()), letters.len()], "", &element(UINT16, &bytes))
        };
        let cells: Vec<u8> = list.iter().flat_map(cell).collect();
        self.bytes.extend(array(CELL, [list.len(), 1], name, &cells));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, std::io::Error> {
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes and positions according to the description of the format; `tools/numpy-check` reads such a file
    /// with SciPy.
    #[test]
    fn elements_are_where_the_format_says() {
        let mut file = Box::new(MatFile::default());
        file.matrix("A", &DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).unwrap();
        file.texts("names", &["tip".to_string(), String::new(), "größe".to_string()]).unwrap();
        let bytes = file.finish().unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(&bytes[124..128], [0, 1, b'I', b'M']);
        // Flags 16, dimensions 16, name 16, numbers 8 + 48.
        assert_eq!((word(128), word(132)), (MATRIX, 16 + 16 + 16 + 56));
        assert_eq!((word(144), word(160), word(164)), (NUMBERS, 2, 3));
        let number = |k: usize| f64::from_le_bytes(bytes[192 + 8 * k..200 + 8 * k].try_into().unwrap());
        assert_eq!([number(0), number(1), number(2), number(5)], [1.0, 4.0, 2.0, 6.0]);
        let next = 136 + 104;
        assert_eq!((word(next), word(next + 16)), (MATRIX, CELL));
        assert_eq!(bytes.len() % 8, 0);
        assert_eq!(next + 8 + word(next + 4) as usize, bytes.len());
    }
}
