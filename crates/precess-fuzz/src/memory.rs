//! A global allocator that counts bytes and refuses to hand out more than a limit.

// A global allocator cannot be written without `unsafe`. This one only counts and passes all calls on to the
// system.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The number of bytes that a thread may hold at once. If an input needs more, the process ends with a
/// message that names the input.
pub const LIMIT: usize = 1 << 30;

struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Resets the counters before input `number`.
pub fn begin(number: u64) {
    NUMBER.set(number);
    HELD.set(0);
    PEAK.set(0);
}

/// The largest number of bytes held at once since [`begin`].
pub fn peak() -> usize {
    PEAK.get().max(0) as usize
}

/// Counts `bytes`. Returns false if they are too many.
fn take(bytes: isize) -> bool {
    // Threads that are ending have no counters.
    HELD.try_with(|held| {
        let now = held.get() + bytes;
        if now > LIMIT as isize {
            use std::io::Write;
            let number = NUMBER.try_with(Cell::get).unwrap_or(0);
            let _ = writeln!(std::io::stderr(), "input {number} wants {now} bytes");
            return false;
        }
        held.set(now);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now)));
        true
    })
    .unwrap_or(true)
}

// SAFETY: every call is passed on unchanged to the system allocator, whose contract is the same, or refused
// with a null pointer, which the contract allows. Counting uses thread-local numbers without destructors and
// does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size() as isize) {
            return std::ptr::null_mut();
        }
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size() as isize) {
            return std::ptr::null_mut();
        }
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        take(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size as isize - layout.size() as isize) {
            return std::ptr::null_mut();
        }
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
