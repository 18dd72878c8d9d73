//! Two jobs at the same time, for parts of one large model. Independent runs use `Workers` of
//! `precess::study` instead.

/// Smallest number of bodies for which two threads pay: a step then takes 10 ms, and waking a thread takes
/// some 10 us.
pub(crate) const LARGE: usize = 10_000;

/// Both results. With the feature `parallel` and an idle core, the jobs run at the same time.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon_core::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}
