//! Rows of a joint as columns for its two bodies, and the parts of their blocks that can differ from zero.

use precess_lie::Number;

use super::kernels::{Blocks, Row};

/// Largest number of rows of a joint, including drives.
pub const MAX_ROWS: usize = 8;

/// The parts of the blocks of a pair that can differ from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Blocks between the two bodies.
    pub coupled: bool,
    /// Rows and columns of translations.
    pub translations: bool,
}

impl Parts {
    /// All parts.
    pub const ALL: Parts = Parts { coupled: true, translations: true };
}

/// Rows of a joint as its columns for both bodies, one after the other.
#[derive(Clone, Debug)]
pub struct JointColumns<T = f64> {
    pub(super) n: usize,
    pub(super) a: [T; 6 * MAX_ROWS],
    pub(super) b: [T; 6 * MAX_ROWS],
}

impl<T: Number> Default for JointColumns<T> {
    /// Space for the rows of any joint.
    fn default() -> Self {
        JointColumns { n: 0, a: [T::zero(); 6 * MAX_ROWS], b: [T::zero(); 6 * MAX_ROWS] }
    }
}

impl<T: Number> JointColumns<T> {
    /// Begins a joint with n rows. All of them will be set, unless it is `switched`.
    #[inline(always)]
    pub fn begin(&mut self, n: usize, switched: bool) {
        self.n = n.min(MAX_ROWS);
        if switched {
            self.a.fill(T::zero());
            self.b.fill(T::zero());
        }
    }

    /// Sets the columns of row i that `B` uses.
    #[inline(always)]
    pub fn set<B: Blocks<T>>(&mut self, i: usize, row: &Row<T>) {
        // With these bounds the compiler knows that every index is valid.
        let (n, i) = (self.n.min(MAX_ROWS), i.min(MAX_ROWS - 1));
        for j in 0..3 {
            if B::FIRST {
                self.a[j * n + i] = row.a.rot[j];
                self.a[(j + 3) * n + i] = row.a.trans[j];
            }
            self.b[j * n + i] = row.b.rot[j];
            self.b[(j + 3) * n + i] = row.b.trans[j];
        }
    }
}
