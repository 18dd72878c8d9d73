//! Models from files or text, run with fixed steps.
#![allow(dead_code)]

pub mod extrapolated;
pub mod hidden;

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::{State, sensors};
use precess::methods::MethodOptions;
use precess::model::{Built, Loaded, build, load};
use precess::study::{Run, Sample, Summary};

/// A file in models/.
pub fn model_path(name: &str) -> String {
    format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file in models/.
pub fn model_text(name: &str) -> String {
    let path = model_path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub fn load_model(name: &str, overrides: &[&str]) -> Loaded {
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
    load(&model_path(name), &model_text(name), &overrides).unwrap_or_else(|e| panic!("{e}"))
}

pub fn load_text(text: &str) -> Loaded {
    load("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// A built model with its consistent start.
pub struct Start {
    pub system: Box<dyn Mechanism>,
    pub state: State,
}

pub fn start(loaded: &Loaded, formulation: Formulation) -> Start {
    let Built { system, q, v } = build(&loaded.model, formulation).unwrap_or_else(|e| panic!("{e}"));
    let state = InitialValues::new(&q, &v).consistent(system.as_ref()).unwrap_or_else(|e| panic!("{e}"));
    Start { system, state }
}

pub fn options(form: Form) -> MethodOptions {
    MethodOptions { form, ..MethodOptions::default() }
}

impl Start {
    /// Runs to the end of the interval; `see` looks at every step.
    pub fn run(
        &mut self,
        options: &MethodOptions,
        h: f64,
        t_end: f64,
        mut see: impl FnMut(&dyn Mechanism, &Sample),
    ) -> Summary {
        let mut method = options.generalized_alpha().unwrap();
        let system = self.system.as_ref();
        Run::new(h, t_end)
            .run(system, &mut method, &mut self.state, &mut |sample: &Sample| see(system, sample))
            .unwrap_or_else(|e| panic!("{e}"))
    }

    pub fn sensor(&self, name: &str) -> Vec<f64> {
        sensors::read(self.system.as_ref(), name, &self.state.at())
            .unwrap_or_else(|| panic!("no sensor {name}"))
    }
}

/// Largest difference of two vectors.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m, (x, y)| {
        let d = (x - y).abs();
        if d <= m { m } else { d }
    })
}
