//! `[tables]` of a model file: functions of one number given by rows.

use serde::{Deserialize, Serialize};

use super::number::Number;

/// Interpolation between the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BetweenBlock {
    /// Straight lines.
    Linear,
    /// Cubic spline with two continuous derivatives.
    Cubic,
    /// Akima's curve: one continuous derivative, little overshoot.
    Akima,
}

/// Values outside the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutsideBlock {
    /// The first and the last value.
    Hold,
    /// Straight lines with the slopes of the ends.
    Extend,
    /// The rows repeated, for cams: the last row equals the first one of the next turn.
    Repeat,
}

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected the number of a column, from 1, or its name")]
pub enum Column {
    /// By number, from 1.
    Number(u32),
    /// By name, as in the first line of the file.
    Name(String),
}

/// `[tables.NAME]`: a function that expressions call by its name, `NAME(t)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TableBlock {
    /// Rows [x, y] with increasing x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<[Number; 2]>>,
    /// A file of numbers in columns instead of rows, in the folder of the model or part: .csv or plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Columns of the file for x and y, by number from 1 or by name; the first two if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[Column; 2]>,
    /// Units of x and y, for example ["s", "mm"]; SI if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<[String; 2]>,
    /// Interpolation between the rows: linear (default), cubic or akima.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<BetweenBlock>,
    /// Values outside the rows: hold (default), extend or repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<OutsideBlock>,
}
