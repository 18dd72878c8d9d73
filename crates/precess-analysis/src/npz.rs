//! Files of named arrays: matrices and lists of texts. `.npz`, which `numpy.load` reads, is a zip archive
//! with one file per array.

use std::io::{Cursor, Error, Write};

use nalgebra::DMatrix;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::mat::MatFile;

/// A file of named arrays, being written.
pub trait Arrays {
    /// Adds a matrix.
    fn matrix(&mut self, name: &str, m: &DMatrix<f64>) -> Result<(), Error>;
    /// Adds a list of texts.
    fn texts(&mut self, name: &str, list: &[String]) -> Result<(), Error>;
    /// The bytes of the file.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error>;
}

/// A file of this kind: `npz` or `mat`.
pub fn arrays(kind: &str) -> Box<dyn Arrays> {
    match kind {
        "mat" => Box::new(MatFile::default()),
        _ => Box::new(Npz::default()),
    }
}

/// An archive being written.
pub struct Npz {
    zip: ZipWriter<Cursor<Vec<u8>>>,
}

impl Default for Npz {
    fn default() -> Self {
        Npz { zip: ZipWriter::new(Cursor::new(Vec::new())) }
    }
}

impl Npz {
    fn begin(&mut self, name: &str, kind: &str, shape: &str) -> Result<(), Error> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.zip.start_file(format!("{name}.npy"), options)?;
        let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // The data begin at a multiple of 64 bytes.
        text.push_str(&" ".repeat((64 - (11 + text.len()) % 64) % 64));
        text.push('\n');
        self.zip.write_all(b"\x93NUMPY\x01\x00")?;
        self.zip.write_all(&(text.len() as u16).to_le_bytes())?;
        self.zip.write_all(text.as_bytes())
    }
}

impl Arrays for Npz {
    fn matrix(&mut self, name: &str, m: &DMatrix<f64>) -> Result<(), Error> {
        self.begin(name, "<f8", &format!("({}, {})", m.nrows(), m.ncols()))?;
        for row in m.row_iter() {
            for x in row.iter() {
                self.zip.write_all(&x.to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn texts(&mut self, name: &str, list: &[String]) -> Result<(), Error> {
        let width = list.iter().map(|s| s.chars().count()).max().unwrap_or(0).max(1);
        self.begin(name, &format!("<U{width}"), &format!("({},)", list.len()))?;
        for s in list {
            let padded = s.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            for c in padded {
                self.zip.write_all(&c.to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        Ok(self.zip.finish()?.into_inner())
    }
}
