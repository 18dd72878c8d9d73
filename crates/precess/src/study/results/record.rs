//! The columns of results: one line per column.

use super::geometry::geometry;
use super::{Column, Metadata, Results};
use crate::error::word;
use crate::integrate::{Sampler, Sampling, StepReport};
use crate::mechanics::State;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::model::Loaded;
use crate::model::turns::angles;
use crate::persist::{Archive, Damage, Persist, ensure};
use crate::study::report::rescues;
use crate::study::{Diagnostic, Moment, Recorder, Sample, Summary, diagnostics};

/// The source of columns: a sample and the quantities evaluated for it once.
pub struct SampleRow<'a> {
    /// State, step and report.
    pub sample: &'a Sample<'a>,
    /// Bodies.
    pub bodies: Vec<BodyState>,
    /// Joints.
    pub reactions: Vec<Reaction>,
    /// Sensors.
    pub sensors: Vec<(String, Vec<f64>)>,
    /// Invariants and residuals.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a number from a row.
type Scalar = Box<dyn Fn(&SampleRow) -> f64>;

/// Name, unit, and function.
type ScalarColumn = (&'static str, &'static str, fn(&SampleRow) -> f64);

/// Numbers that every run has, one line each.
const SCALARS: &[ScalarColumn] = &[
    ("step", "", |r| r.sample.step as f64),
    ("h", "s", |r| r.sample.report.h),
    ("order", "", |r| r.sample.report.order as f64),
    ("iterations", "", |r| r.sample.report.iterations as f64),
    ("jacobians", "", |r| r.sample.report.jacobians as f64),
];

/// Parts of a body and of a joint: name, unit, names of the entries.
const BODY: [(&str, &str, &[&str]); 4] = [
    ("position", "m", &["x", "y", "z"]),
    ("rotation", "", &["qw", "qx", "qy", "qz"]),
    ("velocity", "m/s", &["vx", "vy", "vz"]),
    ("angular_velocity", "rad/s", &["wx", "wy", "wz"]),
];
const JOINT: [(&str, &str, &[&str]); 2] =
    [("force", "N", &["fx", "fy", "fz"]), ("torque", "N m", &["mx", "my", "mz"])];

/// Collects the results of a run: a [`Recorder`].
pub struct Recording<'a> {
    mechanism: &'a dyn Mechanism,
    sampler: Sampler,
    scalars: Vec<Scalar>,
    results: Results,
    /// Units for the results.
    units: Vec<String>,
}

impl<'a> Recording<'a> {
    /// A recorder for a model with its settings.
    pub fn new(loaded: &Loaded, mechanism: &'a dyn Mechanism, sampling: Sampling) -> Self {
        let (s, o) = (&loaded.settings, &loaded.settings.options);
        let settings = serde_json::json!({
            "method": s.method,
            "form": s.form().map(|f| f.name()),
            "formulation": s.formulation.name(),
            "tol": s.tolerance.map(|t| t.tol),
            "step": if s.tolerance.is_none() { Some(s.step) } else { None },
            "until": s.until,
            "rho": o.rho,
            "start": word(&o.start),
            "newton": word(&o.newton.strategy),
            "newton_tolerance": o.newton.tolerance,
        });
        let metadata = Metadata {
            model: loaded.model.name.clone(),
            model_text: match loaded.document.text() {
                // Made in Rust: the equivalent file, if there is one.
                "" => loaded.model.to_toml().unwrap_or_default(),
                text => text.to_string(),
            },
            overrides: loaded.document.overrides().to_vec(),
            settings,
            geometry: geometry(&loaded.model),
            variables: loaded.model.variables(),
            ..Metadata::default()
        };
        Recording {
            mechanism,
            sampler: Sampler::new(sampling),
            scalars: SCALARS.iter().map(|s| Box::new(s.2) as Scalar).collect(),
            results: Results {
                metadata,
                columns: SCALARS.iter().map(|(name, unit, _)| Column::scalar(name, unit)).collect(),
            },
            units: s.units.clone(),
        }
    }

    /// Adds a number per sample.
    pub fn with(mut self, name: &str, unit: &str, read: impl Fn(&SampleRow) -> f64 + 'static) -> Self {
        self.results.columns.push(Column::scalar(name, unit));
        self.scalars.push(Box::new(read));
        self
    }

    /// The results of these states, which no method has computed.
    pub fn of_states(mut self, states: &[State]) -> Results {
        for (i, state) in states.iter().enumerate() {
            self.record(&Sample::of(self.mechanism, i, state, StepReport::default(), Moment::Step));
        }
        let t_end = states.last().map_or(0.0, |s| s.t);
        self.finish(&Summary { steps: states.len().saturating_sub(1), t_end, ..Summary::default() }, None)
    }

    /// Ends the recording.
    pub fn finish(mut self, summary: &Summary, error: Option<&str>) -> Results {
        self.results.metadata.summary = serde_json::json!({
            "steps": summary.steps,
            "t_end": summary.t_end,
            "h": summary.h,
            "newton_iterations": summary.iterations,
            "jacobians": summary.jacobians,
            "recovery": rescues(&summary.rescues),
            "position_max": summary.position_max,
            "velocity_max": summary.velocity_max,
            "energy_initial": summary.energy_initial,
            "energy_final": summary.energy_final,
            "energy_drift": summary.energy_drift,
            "energy_imbalance": summary.trust.energy,
            "velocity_residual": summary.trust.velocity,
            "untrusted": summary.trust.wrong(),
            "warnings": summary.warnings,
            "error": error,
        });
        let described = self.results.described();
        Results { metadata: described, ..self.results }.in_units(&self.units)
    }

    /// Checks that every column has the width of this model, and that all have the same number of rows, in
    /// the order of time.
    fn ensure_rows(&self, like: &State) -> Result<(), Damage> {
        let columns = &self.results.columns;
        let at = like.at();
        let n_scalars = self.scalars.len();
        let bodies = self.mechanism.bodies(&at).len();
        let joints = self.mechanism.reactions(&at).len();
        let mut front = vec![1];
        (0..bodies).for_each(|_| front.extend(BODY.map(|(_, _, parts)| parts.len())));
        (0..joints).for_each(|_| front.extend(JOINT.map(|(_, _, parts)| parts.len())));
        front.extend(self.mechanism.sensors(&at).iter().map(|(_, x)| x.len()));
        let mut back = vec![1; n_scalars];
        back.extend([&like.q, &like.v, &like.vdot, &like.lambda].map(Vec::len));
        let times = columns.first().map_or(&[][..], |c| &c.values);
        let width = |c: &Column| c.parts.len();
        let widths: Vec<usize> = columns.iter().map(width).collect();
        // Before the first sample, only the numbers that every run has are known.
        let (known, rows) = if columns.len() == n_scalars {
            (widths.iter().all(|n| *n == 1), 0)
        } else {
            (widths.starts_with(&front) && widths.ends_with(&back), times.len())
        };
        let full = |c: &Column| rows.checked_mul(width(c)) == Some(c.values.len());
        ensure(known && columns.len() >= n_scalars && columns.iter().all(full), || {
            format!(
                "its {} columns of results are not those of this model, or not equally long",
                columns.len()
            )
        })?;
        let ordered = times.is_sorted() && times.last().is_none_or(|t| *t <= like.t);
        ensure(rows == 0 || ordered, || "its results are not in the order of time".to_string())
    }

    /// Names all columns, when the first sample is known: t, bodies, joints, sensors, numbers, state.
    fn name_columns(&mut self, row: &SampleRow) {
        let scalars = std::mem::take(&mut self.results.columns);
        let diagnostics = row.diagnostics.iter().map(|d| match d.values.len() {
            1 => Column::scalar(d.name, d.unit),
            _ => Column::vector(d.name, d.unit, d.columns().collect()),
        });
        let numbers: Vec<Column> = diagnostics.chain(scalars).collect();
        let columns = &mut self.results.columns;
        columns.push(Column::scalar("t", "s"));
        let parts = |owner: &str, list: &[&str]| list.iter().map(|p| format!("{owner}.{p}")).collect();
        for b in &row.bodies {
            columns.extend(BODY.map(|(what, unit, p)| {
                Column::vector(&format!("{}.{what}", b.name), unit, parts(&b.name, p))
            }));
        }
        for j in &row.reactions {
            columns.extend(JOINT.map(|(what, unit, p)| {
                Column::vector(&format!("{}.{what}", j.name), unit, parts(&j.name, p))
            }));
        }
        let units = self.mechanism.sensor_units();
        let taken = |name: &str, list: &[Column]| {
            list.iter().any(|c| c.name == name || c.parts.iter().any(|p| p == name))
        };
        for (k, (name, values)) in row.sensors.iter().enumerate() {
            let unit = units.get(k).copied().unwrap_or("");
            let reserved = ["q", "v", "vdot", "lambda", "metadata"].contains(&name.as_str());
            // A sensor may have the same name as another element.
            let column = |name: &str| match values.len() {
                1 => Column::scalar(name, unit),
                _ => Column::vector(name, unit, parts(name, &["x", "y", "z"])),
            };
            let (own, other) = (column(name), column(&format!("sensor.{name}")));
            let clash = |n: &String| taken(n, columns) || taken(n, &numbers);
            columns.push(match (reserved || clash(name), own.parts.iter().any(clash)) {
                (true, _) => other,
                // If it has the name of a body, its parts would collide with those of the body.
                (false, true) => Column { parts: other.parts, ..own },
                (false, false) => own,
            });
        }
        columns.extend(numbers);
        let state = row.sample.state;
        for (name, x) in [("q", &state.q), ("v", &state.v), ("vdot", &state.vdot), ("lambda", &state.lambda)]
        {
            columns.push(Column::vector(name, "", (0..x.len()).map(|i| format!("{name}.{i}")).collect()));
        }
    }
}

impl Recorder for Recording<'_> {
    fn record(&mut self, sample: &Sample) {
        let state = sample.state;
        // Events are always kept; when forces jump there are two rows of the same time.
        if !self.sampler.takes(sample.step, state.t) && sample.moment == Moment::Step {
            return;
        }
        let at = state.at();
        self.results.metadata.angles = angles(self.mechanism, &at);
        let row = SampleRow {
            sample,
            bodies: self.mechanism.bodies(&at),
            reactions: self.mechanism.reactions(&at),
            sensors: self.mechanism.sensors(&at),
            diagnostics: diagnostics(sample),
        };
        if self.results.columns.len() == self.scalars.len() {
            self.name_columns(&row);
        }
        let mut columns = self.results.columns.iter_mut();
        let mut put = |x: &[f64]| {
            if let Some(c) = columns.next() {
                c.values.extend_from_slice(x);
            }
        };
        put(&[state.t]);
        for b in &row.bodies {
            put(b.position.as_slice());
            put(&b.rotation);
            put(b.velocity.as_slice());
            put(b.angular_velocity.as_slice());
        }
        for j in &row.reactions {
            put(j.force.as_slice());
            put(j.torque.as_slice());
        }
        row.sensors.iter().for_each(|(_, x)| put(x));
        row.diagnostics.iter().for_each(|d| put(&d.values));
        self.scalars.iter().for_each(|read| put(&[read(&row)]));
        [&state.q, &state.v, &state.vdot, &state.lambda].into_iter().for_each(|x| put(x));
    }

    fn reads_forces(&self, step: usize, t: f64) -> bool {
        self.sampler.clone().takes(step, t)
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let Recording { mechanism, sampler, scalars: _, results, units: _ } = self;
        sampler.persist(archive)?;
        sampler.ensure_until(like.t)?;
        let mut last: Vec<f64> = results.metadata.angles.iter().map(|(_, x)| *x).collect();
        archive.growing(&mut last)?;
        let known = angles(*mechanism, &like.at());
        ensure(last.is_empty() || last.len() == known.len(), || {
            format!("it has {} angles of joints, and the model has {}", last.len(), known.len())
        })?;
        results.metadata.angles = known.into_iter().zip(last).map(|((name, _), x)| (name, x)).collect();
        archive.growing(&mut results.columns)?;
        self.ensure_rows(like)
    }
}
