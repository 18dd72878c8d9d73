//! A symmetric sparse matrix by its entries.

use nalgebra::DVector;

/// Entries of the upper triangle (row <= column), each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symmetric {
    /// Rows and columns.
    pub size: usize,
    /// (row, column, value).
    pub entries: Vec<(u32, u32, f64)>,
}

impl Symmetric {
    /// The matrix times a vector.
    pub fn times(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut y = DVector::zeros(self.size);
        for &(i, j, a) in &self.entries {
            let (i, j) = (i as usize, j as usize);
            y[i] += a * x[j];
            if i != j {
                y[j] += a * x[i];
            }
        }
        y
    }

    /// For each node (three rows), the nodes coupled to it.
    pub fn neighbours(&self, nodes: usize) -> Vec<Vec<usize>> {
        let mut list = vec![Vec::new(); nodes];
        for &(i, j, _) in &self.entries {
            let (i, j) = (i as usize / 3, j as usize / 3);
            if i != j {
                list[i].push(j);
                list[j].push(i);
            }
        }
        for l in &mut list {
            l.sort_unstable();
            l.dedup();
        }
        list
    }
}
