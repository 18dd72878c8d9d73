//! The functions of the module: the page writes a question into the buffer at `question(bytes)`, calls `ask`,
//! and reads the answer at `answer()`.

// Names that the linker finds unchanged, and a function of the page: declared unsafe by the language, without
// an unsafe operation.
#![allow(unsafe_code)]

use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The page hears how far a run is.
    safe fn progress(done: f64);
}

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn question(bytes: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|q| {
        q.clear();
        q.resize(bytes, 0);
        q.as_mut_ptr()
    })
}

/// Answers the question; the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let question = QUESTION.with_borrow(|q| String::from_utf8_lossy(q).into_owned());
    let bytes = super::reply(&question, &mut |done| progress(done));
    let n = bytes.len();
    ANSWER.set(bytes);
    n
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|a| a.as_ptr())
}
