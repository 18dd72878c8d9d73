//! Files of named arrays: matrices and lists of texts. `.npz`, which `numpy.load` reads, is a zip archive
//! with one file per array.

use std::io::Error;

use crate::model::archive::ArchiveWriter;
use nalgebra::DMatrix;

use crate::analysis::mat::MatFile;

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
#[derive(Default)]
pub struct Npz {
    archive: ArchiveWriter,
    bytes: Vec<u8>,
}

impl Arrays for Npz {
    fn matrix(&mut self, name: &str, m: &DMatrix<f64>) -> Result<(), Error> {
        let mut data = Vec::with_capacity(8 * m.len());
        for row in m.row_iter() {
            row.iter().for_each(|x| data.extend_from_slice(&x.to_le_bytes()));
        }
        self.archive.array(&mut self.bytes, name, ("<f8", &[m.nrows(), m.ncols()]), &data)
    }

    fn texts(&mut self, name: &str, list: &[String]) -> Result<(), Error> {
        let width = list.iter().map(|s| s.chars().count()).max().unwrap_or(0).max(1);
        let mut data = Vec::new();
        for s in list {
            let padded = s.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            padded.for_each(|c| data.extend_from_slice(&c.to_le_bytes()));
        }
        self.archive.array(&mut self.bytes, name, (&format!("<U{width}"), &[list.len()]), &data)
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<u8>, Error> {
        self.archive.finish(&mut self.bytes)?;
        Ok(self.bytes)
    }
}
