//! After the first step of a variational or energy-momentum integrator nothing allocates.

// A global allocator cannot be written without `unsafe`. This one only counts and hands everything on to the system.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

use precess::integrate::{InitialValues, MethodOptions, method};
use precess::problems::ggl::{four_particles, gyroscopic_top};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on unchanged to the system allocator, whose contract is the same.
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

#[test]
fn steps_do_not_allocate() {
    for name in ["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta", "bs99"] {
        for (example, h) in [(gyroscopic_top(), 0.002), (four_particles(), 0.01)] {
            let system = &example.system;
            let mut state = InitialValues::new(&example.q_0, &example.v_0).consistent(system).unwrap();
            let mut method = method(name, &MethodOptions::default()).unwrap();
            if method.start(system, &mut state, h).is_err() {
                assert_eq!(name, "bs99");
                continue;
            }
            method.step(system, &mut state, h).unwrap();
            let before = COUNT.with(Cell::get);
            for _ in 0..100 {
                method.step(system, &mut state, h).unwrap();
            }
            assert_eq!(COUNT.with(Cell::get) - before, 0, "{name}");
        }
    }
    let before = COUNT.with(Cell::get);
    drop(vec![0_u8; 100]);
    assert!(COUNT.with(Cell::get) > before, "the counter counts");
}
