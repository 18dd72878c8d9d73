//! Short functions from a model to its results, for most programs.

use super::check::{Check, check};
use super::checkpoint::{FILE, FORMULATION, Identity, REPLACED, TEXT};
use super::{AdaptiveRun, Run};
use crate::model::{Loaded, Model, Settings};

use super::{execute, results::Results};
use crate::{Error, model::build};

impl Settings {
    /// The run that these settings describe.
    pub fn run(&self) -> Run {
        Run::new(self.step, self.until).with_projection(self.projection.clone())
    }

    /// The run that these settings describe, if they give a tolerance.
    pub fn adaptive_run(&self) -> Option<AdaptiveRun> {
        self.tolerance.map(|tol| AdaptiveRun::new(tol, self.until).with_max_step(self.max_step))
    }
}

impl Loaded {
    /// The identity of a run of the model with its settings, for checkpoints.
    pub fn identity(&self) -> Identity {
        let s = &self.settings;
        let form = s.form().map_or("none", |f| f.name());
        Identity::new()
            .with("the model", &self.model.name)
            .with("the method", &s.method)
            .with("the form", form)
            .with(FORMULATION, s.formulation.name())
            .with("the tolerance", s.tolerance.map_or("none".to_string(), |t| format!("{:e}", t.tol)))
            .with(
                "the step",
                if s.tolerance.is_some() { "free".to_string() } else { format!("{:e} s", s.step) },
            )
            .with("the end", format_args!("{} s", s.until))
            .with("the list of replaced entries", format_args!("[{}]", self.document.overrides().join(", ")))
            .with_text("the text of the model file", self.document.text())
            .with_text("the model with its values", &format!("{:?}", self.model))
            .with_text("the list of settings", &format!("{s:?}"))
            // Needed when runs of other models begin at this one; differences were found above.
            .with(FILE, self.document.name())
            .with(TEXT, self.document.text())
            .with(REPLACED, self.document.overrides().join("\n"))
    }

    /// Checks the model without running it.
    pub fn check(&self) -> Check {
        check(&self.model, &self.settings)
    }

    /// Runs the model with its settings.
    pub fn run(&self) -> Result<Results, Error> {
        let built = build(&self.model, self.settings.formulation)?;
        execute::run(self, &built, &mut |_| true)?.trusted()
    }
}

impl Model {
    /// Checks the model without running it: degrees of freedom, redundant rows, residuals, problems.
    pub fn check(&self) -> Check {
        check(self, &Settings::default())
    }

    /// Runs the model from t = 0 to `until` with a tolerance. A failed run, or one whose results cannot be
    /// trusted, is an error.
    pub fn run(&self, until: f64, tol: f64) -> Result<Results, Error> {
        Loaded::new(self.clone(), Settings::with_tol(tol).until(until)).run()
    }
}
