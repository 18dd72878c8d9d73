//! Work arrays of a shared, immutable system.
//!
//! A formulation that wraps another system needs space for the state and the tangents of that system, but
//! [`System`](crate::mechanics::System) is `Sync` and gives only `&self`. Each call takes a set of arrays
//! from a pool and puts it back. The lock is held for two pointer moves. There are never more sets than
//! concurrent calls, so nothing allocates after the first call of each thread. Nothing survives a system, as
//! thread-local or static variables would.

use std::sync::{Mutex, PoisonError};

/// Sets of work arrays that are free.
#[derive(Debug)]
pub struct Pool<T> {
    free: Mutex<Vec<Box<T>>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { free: Mutex::new(Vec::new()) }
    }
}

impl<T> Pool<T> {
    /// Calls `f` with a free set, or with a new one if all are in use.
    pub fn with<R>(&self, new: impl FnOnce() -> T, f: impl FnOnce(&mut T) -> R) -> R {
        let mut set = self.take().unwrap_or_else(|| Box::new(new()));
        let result = f(&mut set);
        self.put_back(set);
        result
    }

    // Not inlined, so that all callers share one copy.
    #[inline(never)]
    fn take(&self) -> Option<Box<T>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    #[inline(never)]
    fn put_back(&self, set: Box<T>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn sets_are_reused_and_nested_calls_get_their_own() {
        let made = Cell::new(0);
        let new = || {
            made.set(made.get() + 1);
            [0.0; 2]
        };
        let pool = Pool::default();
        for _ in 0..3 {
            pool.with(new, |outer| {
                *outer = [1.0; 2];
                pool.with(new, |inner| *inner = [2.0; 2]);
                assert_eq!(*outer, [1.0; 2]);
            });
        }
        assert_eq!(made.get(), 2);
    }
}
