//! Two jobs at the same time, for parts of one large model. Independent runs have `Workers` in
//! `precess::study`.

/// Bodies of a model that is worth two threads: a step then takes 10 ms, and it takes some 10 us to wake a
/// thread.
pub(crate) const LARGE: usize = 10_000;

/// Both results; with the feature `parallel` and an idle core the jobs are done at the same time.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}
