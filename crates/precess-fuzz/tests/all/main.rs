//! Short runs of the fuzzer and of random mechanisms.

mod mechanisms;
mod short;
