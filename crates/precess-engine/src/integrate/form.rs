//! The constraints that a step enforces, and the direction of its stabilisation.

/// The constraints that a step enforces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Phi = 0, (37).
    #[default]
    Index3,
    /// Phi = 0 and B v = 0 with auxiliary multipliers eta, (56).
    StabilizedIndex2,
    /// B v = 0 only.
    Index2,
    /// B v' + Z(v,v) = 0 only.
    Index1,
}

crate::error::named! {
    Form, "form":
    Index3 = "index3",
    StabilizedIndex2 = "stabilized-index2",
    Index2 = "index2",
    Index1 = "index1",
}

/// The direction N in which eta moves the positions in the stabilized form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eta {
    /// N = M^-1 B^T: the trajectory does not depend on the units of the model. Needs M positive definite.
    #[default]
    Mass,
    /// N = B^T as printed in (56b).
    Paper,
}

crate::error::named! { Eta, "eta": Mass = "mass", Paper = "paper" }
