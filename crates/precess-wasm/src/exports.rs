//! The functions of the module: the page writes a question into the buffer at `question(bytes)`, calls `ask`,
//! and reads the answer at `answer()`.

// These attributes keep names unchanged for the linker and import a function of the page. The language calls
// them unsafe, but there is no unsafe operation.
#![allow(unsafe_code)]

use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the page how much of a run is done.
    safe fn progress(done: f64);
}

/// A buffer for a question with this number of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn question(bytes: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|q| {
        q.clear();
        q.resize(bytes, 0);
        q.as_mut_ptr()
    })
}

/// Answers the question; returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let question = QUESTION.with_borrow(|q| String::from_utf8_lossy(q).into_owned());
    let bytes = super::reply(&question, &mut |done| progress(done));
    let n = bytes.len();
    ANSWER.set(bytes);
    n
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|a| a.as_ptr())
}
