//! Generic joint: any subset of the six relative motions is locked.
//!
//! Two locked rotations use the rows "column of the free axis", which keep full rank at every angle; the
//! union of two single locks would be singular at 90 degrees. One locked rotation is a constraint of
//! universal type between the two other axes.

use super::rows::{Frame, JointRows};

/// Locked motions along and about a_1, a_2, a_3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Translations.
    pub translation: [bool; 3],
    /// Rotations.
    pub rotation: [bool; 3],
}

/// One offset per locked translation, then the rotation rows.
pub fn rows(f: &Frame, locks: Locks) -> Vec<JointRows> {
    let mut rows = match locks.translation {
        [true, true, true] => vec![f.coincidence()],
        t => (0..3).filter(|&i| t[i]).map(|i| f.offset(i)).collect(),
    };
    rows.extend(match locks.rotation {
        [false, false, false] => vec![],
        [true, false, false] => vec![f.perpendicular(1, 2)],
        [false, true, false] => vec![f.perpendicular(0, 2)],
        [false, false, true] => vec![f.perpendicular(0, 1)],
        [true, true, false] => vec![f.parallel(0, 1, 2)],
        [true, false, true] => vec![f.parallel(0, 2, 1)],
        [false, true, true] => vec![f.parallel(1, 2, 0)],
        [true, true, true] => vec![f.perpendicular(0, 1), f.parallel(0, 1, 2)],
    });
    rows
}
