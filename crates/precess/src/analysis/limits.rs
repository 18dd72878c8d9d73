//! What counts as large, and what as no stiffness.

use crate::mechanics::mechanism::Mechanism;

/// Largest number of degrees of freedom for dense matrices.
pub const MAX_DENSE: usize = 700;

/// Stiffness over inertia that counts as zero, relative to gravity over the length of the model: positions of
/// rest are known with such errors.
pub(crate) const ZERO_STIFFNESS: f64 = 1e-8;

/// True if dense matrices of this model would take too long.
pub fn is_large(system: &dyn Mechanism) -> bool {
    system.group().dim().saturating_sub(system.n_lambda()) > MAX_DENSE
}
