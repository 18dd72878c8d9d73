//! A global allocator that counts, for tests that a step does not allocate.

// A global allocator cannot be written without `unsafe`. This one only counts and passes every call on to the
// system allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Allocations of this thread; tests run in parallel.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub fn count() -> usize {
    COUNT.with(Cell::get)
}

// SAFETY: every call is handed on unchanged to the system allocator, whose contract is the same. Counting
// touches a thread-local number without destructor, so it does not allocate itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { SystemAllocator.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { SystemAllocator.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { SystemAllocator.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
