//! Short functions from a model to its results, for most programs.

use super::check::{Check, check};
use super::{AdaptiveRun, Run};
use crate::model::{Loaded, Model, Settings};

#[cfg(feature = "results")]
use super::{execute, results::Results};
#[cfg(feature = "results")]
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
    /// Checks the model without running it.
    pub fn check(&self) -> Check {
        check(&self.model, &self.settings)
    }

    /// Runs the model with its settings.
    #[cfg(feature = "results")]
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
    #[cfg(feature = "results")]
    pub fn run(&self, until: f64, tol: f64) -> Result<Results, Error> {
        Loaded::new(self.clone(), Settings::with_tol(tol).until(until)).run()
    }
}
