//! Links and joints by number, and lists with an entry for each of them.
//!
//! Only the lists of a robot create numbers. So indices are always valid, and the number of a joint cannot be
//! used for a link.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A kind of number.
pub trait Number: Copy {
    /// The number of an index.
    fn at(index: usize) -> Self;
    /// Its index.
    fn index(self) -> usize;
}

macro_rules! number {
    ($name:ident, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(usize);

        impl Number for $name {
            fn at(index: usize) -> Self {
                $name(index)
            }
            fn index(self) -> usize {
                self.0
            }
        }
    };
}

number!(LinkId, "A link.");
number!(JointId, "A joint.");

/// An entry for every link or every joint.
#[derive(Clone, Debug)]
pub struct List<N, T> {
    entries: Vec<T>,
    number: PhantomData<N>,
}

/// An entry for every link.
pub type PerLink<T> = List<LinkId, T>;
/// An entry for every joint.
pub type PerJoint<T> = List<JointId, T>;

impl<N, T> Default for List<N, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<N, T> From<Vec<T>> for List<N, T> {
    fn from(entries: Vec<T>) -> Self {
        List { entries, number: PhantomData }
    }
}

impl<N: Number, T> List<N, T> {
    /// Adds an entry.
    pub fn push(&mut self, entry: T) {
        self.entries.push(entry);
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// A list of the same length.
    pub fn filled<U: Clone>(&self, entry: U) -> List<N, U> {
        vec![entry; self.len()].into()
    }

    /// All numbers.
    pub fn numbers(&self) -> impl Iterator<Item = N> + use<N, T> {
        (0..self.len()).map(N::at)
    }

    /// All entries.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// All entries with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (N, &T)> {
        self.numbers().zip(&self.entries)
    }
}

// The only unchecked accesses: numbers come from lists of the same robot.
#[expect(clippy::indexing_slicing)]
impl<N: Number, T> Index<N> for List<N, T> {
    type Output = T;

    fn index(&self, number: N) -> &T {
        &self.entries[number.index()]
    }
}

#[expect(clippy::indexing_slicing)]
impl<N: Number, T> IndexMut<N> for List<N, T> {
    fn index_mut(&mut self, number: N) -> &mut T {
        &mut self.entries[number.index()]
    }
}
