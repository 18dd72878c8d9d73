//! Findings about a failed step, in terms of bodies and joints.

use std::fmt;

/// Size of the residual in an iteration, and the row where it was largest.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// In units of position.
    pub size: f64,
    /// The row.
    pub row: String,
}

/// A direction in which the iteration matrix is nearly singular.
#[derive(Clone, Debug, PartialEq)]
pub struct Singularity {
    /// Smallest singular value of the unit-free constraint matrix B M^-1/2, or of M if there are no
    /// constraints.
    pub size: f64,
    /// Constraints that become dependent on each other, the largest part first.
    pub constraints: Vec<String>,
    /// The motion that they no longer prevent: its parts, the largest first, with sizes relative to the
    /// largest.
    pub motion: Vec<(String, f64)>,
}

/// Findings about a failed step. Empty if nothing was examined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnosis {
    /// The residual in the last iterations, the latest last.
    pub residuals: Vec<Residual>,
    /// The direction in which the matrix is nearly singular, if there is one.
    pub singular: Option<Singularity>,
    /// Amplitude of multipliers that alternate from step to step, relative to their size.
    pub alternating: Option<f64>,
    /// Remedies that are not yet in use.
    pub remedies: Vec<&'static str>,
}

impl Diagnosis {
    /// Number of iterations shown.
    pub const SHOWN: usize = 6;

    /// A diagnosis that contains only a remedy.
    pub fn advising(remedy: &'static str) -> Self {
        Diagnosis { remedies: vec![remedy], ..Diagnosis::default() }
    }

    /// The remedies, as the end of a message.
    pub fn remedy(&self) -> String {
        match self.remedies.split_last() {
            None => String::new(),
            Some((last, [])) => format!("; try {last}"),
            Some((last, others)) => format!("; try {} or {last}", others.join(", ")),
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.residuals.is_empty() {
            let sizes: Vec<String> = self.residuals.iter().map(|r| format!("{:.1e}", r.size)).collect();
            write!(f, "; residuals of the last iterations (m, rad) {}", sizes.join(", "))?;
        }
        if let Some(s) = &self.singular {
            write!(f, "; the position is nearly singular (smallest singular value {:.1e})", s.size)?;
            if !s.constraints.is_empty() {
                write!(f, ": {} become dependent", s.constraints.join(", "))?;
            }
            let parts: Vec<String> = s.motion.iter().map(|(name, x)| format!("{name} ({x:+.2})")).collect();
            if !parts.is_empty() {
                write!(f, ", and nothing prevents {}", parts.join(", "))?;
            }
        }
        if let Some(relative) = self.alternating {
            let percent = 100.0 * relative;
            write!(
                f,
                "; the multipliers alternate from step to step, by {percent:.0} % of their size: rho is too \
                 close to 1"
            )?;
        }
        Ok(())
    }
}
