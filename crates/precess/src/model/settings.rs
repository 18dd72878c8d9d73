//! The settings of a run.

use std::sync::Arc;

use crate::formulation::Formulation;
use crate::integrate::{Form, Projection, Sampling, Tolerance};
use crate::methods::{MethodOptions, has_form};

/// Settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Method name.
    pub method: String,
    /// Its options.
    pub options: MethodOptions,
    /// Coordinates.
    pub formulation: Formulation,
    /// Step size, if there is no tolerance.
    pub step: f64,
    /// Tolerance instead of a step size.
    pub tolerance: Option<Tolerance>,
    /// Longest step with a tolerance.
    pub max_step: Option<f64>,
    /// End time.
    pub until: f64,
    /// Projections.
    pub projection: Projection,
    /// Correct inconsistent initial values.
    pub fix_initial: bool,
    /// A file of results with the starting values of `bliedf`, and its content.
    pub history: Option<(String, Arc<[u8]>)>,
    /// True if the joints are open in the given positions and must be closed before the run.
    pub assemble: bool,
    /// Units of the results; SI for all others.
    pub units: Vec<String>,
    /// Output file.
    pub output: Option<String>,
    /// The steps that are written.
    pub every: Sampling,
    /// Settings that were not given; defaults are used.
    pub defaults: Vec<&'static str>,
    /// Given settings that are not used.
    pub ignored: Vec<Ignored>,
}

/// A given setting that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Path in a model file.
    pub path: &'static str,
    /// The modes that use it.
    pub belongs_to: &'static str,
}

impl Settings {
    /// The index form, for methods that have one.
    pub fn form(&self) -> Option<Form> {
        has_form(&self.method).then_some(self.options.form)
    }

    /// Notices about given settings without effect.
    pub fn notices(&self) -> Vec<String> {
        self.sentences(&self.ignored)
    }

    /// One sentence for all of these settings that are ignored for the same reason.
    pub fn sentences(&self, ignored: &[Ignored]) -> Vec<String> {
        let mode = format!(
            "{} and a {}",
            self.method,
            if self.tolerance.is_some() { "tolerance" } else { "fixed step" }
        );
        let mut reasons: Vec<&str> = Vec::new();
        ignored.iter().for_each(|i| {
            if !reasons.contains(&i.belongs_to) {
                reasons.push(i.belongs_to);
            }
        });
        let sentence = |reason: &&str| {
            let keys: Vec<&str> =
                ignored.iter().filter(|i| i.belongs_to == *reason).map(|i| i.path).collect();
            let verb = if keys.len() == 1 { "has" } else { "have" };
            format!("{} {verb} no effect with {mode}: {reason}", keys.join(", "))
        };
        reasons.iter().map(sentence).collect()
    }

    /// True if this setting was not given.
    pub fn is_default(&self, path: &str) -> bool {
        self.defaults.contains(&path)
    }
}
