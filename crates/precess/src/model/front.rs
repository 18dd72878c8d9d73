//! Short constructors of models: default settings, files, bars, drives. `study/front.rs` checks and runs
//! them.

use std::path::Path;

use super::document::Document;
use super::evaluate::Evaluator;
use super::files::read_text;
use super::formula::{Need, formula};
use super::settings::Settings;
use super::spec::{BodySpec, JointSpec, Model, SolidForm, SolidSpec};
use super::{Loaded, load};
use crate::Error;
use crate::integrate::Tolerance;
use crate::mechanics::BodyKind;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

impl Default for Settings {
    /// The settings of a file without any: automatic orders and steps for a tolerance of 1e-6, up to t = 1 s.
    fn default() -> Self {
        let document = Document::parse("", "", &[]);
        Evaluator::new(&document).settings(&document)
    }
}

impl Settings {
    /// The settings of a file with these entries, each `path=value`: `integrator.tol=1e-8`, `run.until=2`.
    pub fn read(entries: &[String]) -> Result<Self, Error> {
        let document = Document::parse("", "", entries);
        let mut evaluator = Evaluator::new(&document);
        let settings = evaluator.settings(&document);
        document.locate(evaluator.problems)?;
        Ok(settings)
    }

    /// A tolerance; the method chooses orders and steps.
    pub fn with_tol(tol: f64) -> Self {
        Settings { tolerance: Some(Tolerance::new(tol)), ..Settings::default() }
    }

    /// Steps of this size, by generalized-alpha in stabilized index-2 form; `method` and `options` select
    /// other methods.
    pub fn with_step(step: f64) -> Self {
        let document = Document::parse("", "", &[format!("run.step={step:e}")]);
        let mut settings = Evaluator::new(&document).settings(&document);
        settings.step = step;
        settings
    }

    /// Sets the end time.
    pub fn until(mut self, t: f64) -> Self {
        self.until = t;
        self
    }
}

impl Loaded {
    /// A model made in Rust, with settings.
    pub fn new(model: Model, settings: Settings) -> Self {
        Loaded { document: Document::parse("", "", &[]), model, settings, notices: Vec::new() }
    }

    /// Reads a model file. Each override is `path=value`, for example `parameters.spin=120`.
    pub fn open(path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, Error> {
        let name = path.as_ref().display().to_string();
        let text = read_text(path.as_ref()).map_err(|e| Error::Input {
            message: format!("cannot read {name}: {e}\n  help: give the path of a model file"),
        })?;
        Ok(load(&name, &text, overrides)?)
    }
}

impl From<Model> for Loaded {
    fn from(model: Model) -> Self {
        Loaded::new(model, Settings::default())
    }
}

impl BodySpec {
    /// A homogeneous round bar between two points, with the body's x axis along it.
    pub fn bar(name: &str, from: [f64; 3], to: [f64; 3], mass: f64, radius: f64) -> Self {
        let (a, b) = (Vector3::from(from), Vector3::from(to));
        let length = (b - a).norm();
        let along = mass * (3.0 * radius * radius + length * length) / 12.0;
        let rotation = UnitQuaternion::rotation_between(&Vector3::x(), &(b - a)).unwrap_or_else(|| {
            // Opposite to x: any perpendicular axis is correct.
            UnitQuaternion::from_axis_angle(&Vector3::y_axis(), std::f64::consts::PI)
        });
        let moments = Vector3::new(0.5 * mass * radius * radius, along, along);
        let solid = SolidSpec {
            form: SolidForm::Cylinder { radius, length, axis: Vector3::x() },
            at: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
            colour: None,
        };
        BodySpec {
            kind: BodyKind::Rigid { inertia: Matrix3::from_diagonal(&moments) },
            position: 0.5 * (a + b),
            rotation,
            solid: Some(solid),
            ..BodySpec::rigid(name, mass, [0.0; 3])
        }
    }
}

impl JointSpec {
    /// Makes the coordinate follow a formula of t, for example `"2*pi*t"`: the angle of a revolute joint in
    /// rad, the displacement of a prismatic one in m.
    pub fn drive(self, text: &str) -> Result<Self, Error> {
        let function = formula(text, Need::Motion).map_err(|reason| Error::Input {
            message: format!("the drive of joint '{}': {reason}", self.name),
        })?;
        Ok(self.driven(function))
    }
}
