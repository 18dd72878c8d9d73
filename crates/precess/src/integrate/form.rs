//! Which constraints a step enforces, and in which direction it is stabilised.

use crate::Error;

/// Which constraints a step enforces.
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

impl Form {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 4] = ["index3", "stabilized-index2", "index2", "index1"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "index3" => Ok(Form::Index3),
            "stabilized-index2" => Ok(Form::StabilizedIndex2),
            "index2" => Ok(Form::Index2),
            "index1" => Ok(Form::Index1),
            _ => Err(Error::unknown_name("form", name, Self::NAMES)),
        }
    }

    /// Name as typed by users.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
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

impl Eta {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["mass", "paper"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "mass" => Ok(Eta::Mass),
            "paper" => Ok(Eta::Paper),
            _ => Err(Error::unknown_name("eta", name, Self::NAMES)),
        }
    }
}
