//! The blocks `[[constraint]]`, `[[state]]` and `[[algebraic]]` of a model file.

use serde::{Deserialize, Serialize};

use super::number::Number;

/// `[[constraint]]`: an expression of positions and t that stays zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConstraintBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// The expression that stays zero, of coordinates (`bead.x`, `rod.tip.z`), distances, angles, joint
    /// coordinates and t.
    pub equation: Number,
}

/// `[[state]]`: a variable with a given rate. Actuators and other states may read it, and it is a sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// Its rate: an expression of t, positions, rates, states and algebraic variables.
    pub rate: Number,
    /// Its value at t = 0; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Number>,
}

/// `[[algebraic]]`: a variable that an equation determines. Actuators and states may read it, and it is a
/// sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AlgebraicBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// The expression that is zero, of t, positions and algebraic variables; it determines the variable.
    pub equation: Number,
    /// Initial guess of its value at t = 0; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<Number>,
}
