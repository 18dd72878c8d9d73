//! The preparation of runs side by side: the numbers of four models go into lanes, and an evaluation with
//! structural nonzeros yields the sparsity pattern of their matrix.
//!
//! The code is that of `precess-engine` for other numbers: all equations of motion. It runs before the first
//! step of four runs, so it need not be fast. In a crate of its own, the compiler can optimise it for size,
//! which takes less time than an optimisation for speed. The steps of the runs are compiled in the engine.

// User input never causes a panic.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

use precess_engine::integrate::side_by_side::{LANES, SideBySide};
use precess_engine::mechanics::System;
use precess_engine::mechanics::batch::LanePlan;
use precess_engine::methods::MethodOptions;

/// [`MethodOptions::planned_side_by_side`], compiled once for all callers.
pub fn side_by_side<'a>(
    options: &MethodOptions,
    systems: [&'a dyn System; LANES],
    plan: &mut Option<LanePlan>,
) -> Option<SideBySide<'a>> {
    options.planned_side_by_side(systems, plan)
}
