//! The preparation of runs side by side: the numbers of four models go into lanes, and an evaluation with
//! structural nonzeros yields the sparsity pattern of their matrix.
//!
//! The code is generic code of the crate `precess-engine` and large, because it contains all equations of
//! motion. Sweeps run it once for many models, so it need not be fast. So it is compiled here, for size:
//! this takes less time than any speed. The steps of the runs are compiled in the engine.

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
