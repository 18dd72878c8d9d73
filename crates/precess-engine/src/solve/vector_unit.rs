//! The vector unit of the processor, with registers of four numbers.

#[cfg(target_arch = "x86_64")]
use pulp::x86::V3;

/// A proof that the processor has the unit. On x86-64 these are AVX2 and FMA, since 2013.
#[derive(Clone, Copy)]
pub(super) struct VectorUnit(#[cfg(target_arch = "x86_64")] V3);

impl VectorUnit {
    /// The unit of this processor, if it has one.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return V3::try_new().map(VectorUnit);
        #[cfg(not(target_arch = "x86_64"))]
        Some(VectorUnit())
    }

    /// Calls a function that is compiled for the unit. Everything inside it must be inlined.
    #[inline(always)]
    pub fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        return self.0.vectorize(f);
        #[cfg(not(target_arch = "x86_64"))]
        f()
    }

    /// Calls a function, compiled for the unit if the processor has one.
    #[inline(always)]
    pub fn run_if_any<R>(f: impl FnOnce() -> R) -> R {
        match VectorUnit::detect() {
            Some(unit) => unit.run(f),
            None => f(),
        }
    }
}
