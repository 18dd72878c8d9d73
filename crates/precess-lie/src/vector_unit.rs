//! The vector unit of the processor, with registers of four numbers.
//!
//! The code is written here and not taken from a crate: the crates for this purpose compile longer than the
//! whole of `precess-lie`.

/// A proof that the processor has the unit. On x86-64 these are AVX2 and FMA; most processors have them
/// since 2013. Other processors need no proof: their code always uses the registers they have. A program
/// does without the unit if the environment variable `PRECESS_NO_VECTOR_UNIT` is set; tests use it.
#[derive(Clone, Copy, Debug)]
pub struct VectorUnit(());

impl VectorUnit {
    /// The unit of this processor, if it has one.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let available = x86::is_available();
        #[cfg(not(target_arch = "x86_64"))]
        let available = true;
        available.then_some(VectorUnit(()))
    }

    /// The unit of this processor.
    ///
    /// # Panics
    ///
    /// If the processor has none. Code that calls this function is not reached then.
    #[inline(always)]
    pub fn expected() -> Self {
        match Self::detect() {
            Some(unit) => unit,
            None => unavailable(),
        }
    }

    /// Calls a function that is compiled for the unit. Everything inside it must be inlined.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
    pub fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `detect` has found all instructions that `call` uses, or there would be no `self`.
        let result = unsafe { x86::call(f) };
        #[cfg(not(target_arch = "x86_64"))]
        let result = f();
        result
    }

    /// Calls a function, compiled for the unit if the processor has one. There are two copies of the
    /// function.
    #[inline(always)]
    pub fn run_if_any<R>(f: impl FnOnce() -> R) -> R {
        match Self::detect() {
            Some(unit) => unit.run(f),
            None => f(),
        }
    }
}

#[cold]
#[inline(never)]
#[expect(clippy::panic)]
fn unavailable() -> ! {
    panic!("this code needs a processor with AVX2 and FMA")
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 0;
    const MISSING: u8 = 1;
    const AVAILABLE: u8 = 2;

    static UNIT: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// True if the processor has all instructions of [`call`].
    #[inline(always)]
    pub fn is_available() -> bool {
        match UNIT.load(Ordering::Relaxed) {
            UNKNOWN => look(),
            unit => unit == AVAILABLE,
        }
    }

    #[cold]
    #[inline(never)]
    fn look() -> bool {
        let available = std::env::var_os("PRECESS_NO_VECTOR_UNIT").is_none()
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        UNIT.store(if available { AVAILABLE } else { MISSING }, Ordering::Relaxed);
        available
    }

    /// Calls a function with the instructions of the unit. Products and sums are still rounded one by one, so
    /// results do not depend on the unit.
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub fn call<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Products, sums, quotients and roots of a list, as the loops of the solvers use them.
    #[inline(always)]
    fn kernel(x: &[f64; 8], y: &[f64; 8]) -> [u64; 8] {
        let mut out = [0; 8];
        for i in 0..8 {
            let mut sum = 0.0;
            for j in 0..8 {
                sum += x[i] * y[j] - x[j] / (1.0 + y[i] * y[i]).sqrt();
            }
            out[i] = sum.to_bits();
        }
        out
    }

    proptest! {
        /// Results on the unit and elsewhere agree to the last bit: nothing is fused.
        #[test]
        fn results_do_not_depend_on_the_unit(
            x in proptest::array::uniform8(-1e3..1e3f64),
            y in proptest::array::uniform8(-1e3..1e3f64),
        ) {
            let expected = kernel(&x, &y);
            let on_the_unit = VectorUnit::run_if_any(#[inline(always)] || kernel(&x, &y));
            prop_assert_eq!(on_the_unit, expected);
        }
    }
}
