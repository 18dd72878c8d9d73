//! Several runs at the same time, in the lanes of the vector unit.

use crate::integrate::side_by_side::{LANES, SideBySide};
use crate::mechanics::System;
use crate::mechanics::batch::LanePlan;
use crate::methods::MethodOptions;

/// [`MethodOptions::planned_side_by_side`]. That function is compiled wherever it is called. Callers of this
/// one share a copy, which takes seconds to compile.
pub fn side_by_side<'a>(
    options: &MethodOptions,
    systems: [&'a dyn System; LANES],
    plan: &mut Option<LanePlan>,
) -> Option<SideBySide<'a>> {
    options.planned_side_by_side(systems, plan)
}
