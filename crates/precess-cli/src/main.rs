//! The command line of precess.
fn main() {}
