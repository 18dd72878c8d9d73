//! The gaps of open joints.

use crate::mechanics::RowGroup;
use crate::mechanics::mobility::length_rows;
use crate::mechanics::{State, System};

use crate::analysis::error::number;
use crate::analysis::local::{Layout, constraint};

/// The gap of a joint, a gear or a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// `joint C`, `gear G`.
    pub name: String,
    /// Distance in m.
    pub length: f64,
    /// Angle in rad.
    pub angle: f64,
}

impl Gap {
    /// The larger of both, dimensionless.
    pub fn size(&self, length: f64) -> f64 {
        // NaN must be kept.
        let l = self.length / length;
        if self.angle > l { self.angle } else { l }
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [(self.length, "m"), (self.angle, "rad")];
        let words =
            parts.iter().filter(|p| !(p.0 <= 1e-12)).map(|(x, unit)| format!("{} {unit}", number(*x)));
        let words: Vec<String> = words.collect();
        write!(
            f,
            "{} by {}",
            self.name,
            if words.is_empty() { "0 m".to_string() } else { words.join(" and ") }
        )
    }
}

/// The gaps of all joints and gears at a state.
pub fn gaps(system: &dyn System, layout: &Layout, state: &State) -> Vec<Gap> {
    let everything =
        || RowGroup { rows: 0..system.n_lambda(), factors: (0..system.group().factors().len()).collect() };
    let groups = system.structure().map_or_else(|| vec![everything()], |s| s.constraints.clone());
    let lengths = length_rows(system, state, &groups, layout.moving());
    let phi = constraint(system, state);
    let gap = |group: &RowGroup| {
        let norm = |wanted: bool| {
            let rows = group.rows.clone().filter(|&r| lengths[r] == wanted);
            rows.map(|r| phi[r] * phi[r]).sum::<f64>().sqrt()
        };
        let name = system.constraint_name(group.rows.start);
        let name = name.split(", row ").next().unwrap_or(&name).to_string();
        Gap { name, length: norm(true) * system.length_scale(), angle: norm(false) }
    };
    groups.iter().filter(|g| !g.rows.is_empty()).map(gap).collect()
}
