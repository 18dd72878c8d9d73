//! Short ways from a model to its results: what most programs need.

use super::check::{Check, check};
use super::{AdaptiveRun, Run};
use crate::model::{Loaded, Model, Settings};

#[cfg(feature = "results")]
use super::{execute, results::Results};
#[cfg(feature = "results")]
use crate::{Error, model::build};

impl Settings {
    /// The run these settings describe.
    pub fn run(&self) -> Run {
        Run::new(self.step, self.until).with_projection(self.projection.clone())
    }

    /// The run these settings describe, where they give a tolerance.
    pub fn adaptive_run(&self) -> Option<AdaptiveRun> {
        self.tolerance.map(|tol| AdaptiveRun::new(tol, self.until).with_max_step(self.max_step))
    }
}

impl Loaded {
    /// What is known about the model before it runs.
    pub fn check(&self) -> Check {
        check(&self.model, &self.settings)
    }

    /// Runs the model as its settings say.
    #[cfg(feature = "results")]
    pub fn run(&self) -> Result<Results, Error> {
        let built = build(&self.model, self.settings.formulation)?;
        execute::run(self, &built, &mut |_| true)?.trusted()
    }
}

impl Model {
    /// What is known about the model before it runs: degrees of freedom, redundant rows, residuals, what is
    /// wrong.
    pub fn check(&self) -> Check {
        check(self, &Settings::default())
    }

    /// Runs the model from t = 0 to `until` with a tolerance. A run that fails, or whose results cannot be
    /// trusted, is an error.
    #[cfg(feature = "results")]
    pub fn run(&self, until: f64, tol: f64) -> Result<Results, Error> {
        Loaded::new(self.clone(), Settings::with_tol(tol).until(until)).run()
    }
}
