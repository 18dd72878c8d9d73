//! Convergence studies: every method with every step size, errors against one reference, observed orders.
//!
//! ```no_run
//! use precess::study::convergence::Study;
//! use precess::study::parallel::Workers;
//! use precess::study::{Configuration, Reference};
//!
//! let text = std::fs::read_to_string("models/heavy_top.toml")?;
//! let methods = ["gen-alpha", "bliedf:k=4"].map(|m| Configuration::parse(m).expect("a method"));
//! let study = Study::load("heavy_top.toml", &text, &[], &methods, vec![2e-3, 1e-3, 5e-4])?;
//! let reference = Reference::fine(study.model(), study.times(), Workers::default())?;
//! println!("{}", study.run(&reference, Workers::default()).text());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;
use std::time::Duration;

use super::configuration::Configuration;
use super::errors::{larger, observed_order};
use super::execute::begin;
use super::observe::RowLayout;
use super::parallel::Workers;
use super::recorder::{Recorder, Sample};
use super::reference::{Reference, Times, has_joint_rows, raise};
use super::summary::Summary;
use super::text::{aligned, csv};
use crate::Error;
use crate::clock::Instant;
use crate::mechanics::At;
use crate::mechanics::mechanism::Mechanism;
use crate::model::{Diagnostics, Files, Loaded, build, load_with};

/// The multipliers of the last step of conserving methods, with which they enforce constraints: `step_lambda`
/// as forces and torques of the joints, compared with those at the end of the step, and `step_gamma`, which
/// is zero in the exact equations: the largest entry.
const OF_STEPS: [&str; 2] = ["step_lambda", "step_gamma"];
/// The place of the multipliers in the list of errors.
const LAMBDA: usize = 2;

/// The methods and steps of a study.
#[derive(Clone, Debug)]
pub struct Study {
    /// Name in tables, and the model with the settings of the method.
    pub methods: Vec<(String, Loaded)>,
    /// Step sizes, largest first.
    pub steps: Vec<f64>,
    /// Errors are the largest ones at times from..=to.
    pub from: f64,
    /// See `from`; the runs end here.
    pub to: f64,
    /// Numbers of steps, the same for all methods.
    counts: Vec<usize>,
    /// An error is trusted if it is larger than this factor times the estimated error of the reference.
    pub margin: f64,
}

/// One run of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceRow {
    /// Index of its method.
    pub method: usize,
    /// Step size.
    pub h: f64,
    /// Errors of the quantities, or why the run ended early. `None` if a quantity cannot be compared.
    pub errors: Result<Vec<Option<f64>>, Error>,
    /// Observed orders compared with the previous step size of the same method.
    pub orders: Vec<Option<f64>>,
    /// Summary of the run up to its end.
    pub summary: Summary,
    /// Shortest time of the run alone, if requested.
    pub time: Option<Duration>,
}

impl ConvergenceRow {
    /// True if the run is complete but cannot be trusted.
    pub fn is_wrong(&self) -> bool {
        self.errors.is_ok() && self.summary.trust.wrong().is_some()
    }
}

/// Result of a study.
#[derive(Clone, Debug)]
pub struct ConvergenceTable {
    /// Name of the model.
    pub model: String,
    /// Names of the methods.
    pub methods: Vec<String>,
    /// Names of the quantities: q, v, lambda, sensors, multipliers of steps.
    pub quantities: Vec<String>,
    /// Units of their errors; empty for relative ones.
    pub units: Vec<String>,
    /// Rows, by method and step size.
    pub rows: Vec<ConvergenceRow>,
    /// Source of the reference.
    pub reference: String,
    /// Its estimated errors.
    pub estimate: Vec<Option<f64>>,
    /// Errors are the largest ones in this interval of time.
    pub window: (f64, f64),
    margin: f64,
    shown: Option<Vec<usize>>,
}

impl Study {
    /// Reads a model with each of the methods. Problems of a file or of an option are reported with their
    /// location.
    pub fn load(
        file_name: &str,
        text: &str,
        overrides: &[String],
        methods: &[Configuration],
        steps: Vec<f64>,
    ) -> Result<Self, Diagnostics> {
        Self::load_with(file_name, text, overrides, Files::next_to(file_name), methods, steps)
    }

    /// The same for a model whose tables, meshes and parts are in `files`.
    pub fn load_with(
        file_name: &str,
        text: &str,
        overrides: &[String],
        files: Files,
        methods: &[Configuration],
        steps: Vec<f64>,
    ) -> Result<Self, Diagnostics> {
        // Step sizes replace a tolerance.
        let mut overrides = overrides.to_vec();
        if load_with(file_name, text, &overrides, files.clone())?.settings.tolerance.is_some() {
            overrides.extend(["integrator.tol=off".to_string(), "run.step=1e-3".to_string()]);
        }
        let methods = methods
            .iter()
            .map(|m| Ok((m.label.clone(), m.load_with(file_name, text, &overrides, files.clone())?)))
            .collect::<Result<Vec<_>, Diagnostics>>()?;
        Ok(Self::new(methods, steps))
    }

    /// A study of models that differ only in their settings.
    ///
    /// # Panics
    /// Without methods.
    pub fn new(methods: Vec<(String, Loaded)>, steps: Vec<f64>) -> Self {
        let to = methods[0].1.settings.until;
        let mut study = Study { methods, counts: Vec::new(), steps, from: 0.0, to, margin: 10.0 };
        study.counts = study.count();
        study
    }

    /// Errors at times from..=to only; the runs end at `to`.
    pub fn window(mut self, from: f64, to: f64) -> Self {
        (self.from, self.to) = (from, to);
        self.counts = self.count();
        self
    }

    /// With these step sizes, largest first.
    pub fn steps_of(mut self, steps: &[f64]) -> Self {
        self.steps = steps.to_vec();
        self.counts = self.count();
        self
    }

    fn count(&self) -> Vec<usize> {
        self.steps.iter().map(|h| (self.to / h * (1.0 - 1e-9)).ceil().max(1.0) as usize).collect()
    }

    /// The model, with the settings of the first method.
    pub fn model(&self) -> &Loaded {
        &self.methods[0].1
    }

    /// The times that a reference must contain.
    pub fn times(&self) -> Times<'_> {
        Times { steps: &self.counts, until: self.to, from: self.from, refine: 4 }
    }

    /// Notices about options of the methods without effect. Options in the file for other methods do not
    /// count.
    pub fn notices(&self, methods: &[Configuration]) -> Vec<String> {
        let own =
            |m: &Configuration, path: &str| m.overrides.iter().any(|o| o.starts_with(&format!("{path}=")));
        let mut list = Vec::new();
        for (method, (label, loaded)) in methods.iter().zip(&self.methods) {
            let settings = &loaded.settings;
            let ignored: Vec<_> = settings.ignored.iter().filter(|i| own(method, i.path)).cloned().collect();
            list.extend(settings.sentences(&ignored).into_iter().map(|s| format!("{label}: {s}")));
        }
        list
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.methods.len() * self.steps.len()
    }

    /// True if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All runs, the long ones first; a failed run is a row with its error.
    pub fn run(&self, reference: &Reference, workers: Workers) -> ConvergenceTable {
        let mut jobs: Vec<usize> = (0..self.len()).collect();
        jobs.sort_by(|a, b| {
            std::cmp::Reverse(self.counts[a % self.steps.len()])
                .cmp(&std::cmp::Reverse(self.counts[b % self.steps.len()]))
        });
        let rows = workers.map(jobs.len(), |j| self.row(jobs[j], reference));
        let mut rows: Vec<(usize, ConvergenceRow)> = jobs.into_iter().zip(rows).collect();
        rows.sort_by_key(|row| row.0);
        let mut rows: Vec<ConvergenceRow> = rows.into_iter().map(|r| r.1).collect();
        for i in 1..rows.len() {
            let (before, now) = rows.split_at_mut(i);
            let (coarse, fine) = (&before[i - 1], &mut now[0]);
            if let (true, Ok(a), Ok(b)) = (coarse.method == fine.method, &coarse.errors, &fine.errors) {
                let order = |(a, b): (&Option<f64>, &Option<f64>)| {
                    Some(observed_order(coarse.h, (*a)?, fine.h, (*b)?)).filter(|p| p.is_finite())
                };
                fine.orders = a.iter().zip(b).map(order).collect();
            }
        }
        let model = self.model();
        let sensors = build(&model.model, model.settings.formulation).map(|b| b.system.sensor_units());
        let units = ["rad, m", "", ""].into_iter().chain(sensors.unwrap_or_default()).chain(["", ""]);
        let mut quantities = reference.trajectory.layout.quantities();
        let n = quantities.len();
        if rows.iter().any(|r| r.errors.as_ref().is_ok_and(|e| e[n..].iter().any(Option::is_some))) {
            quantities.extend(OF_STEPS.map(String::from));
        } else {
            for row in &mut rows {
                row.orders.truncate(n);
                if let Ok(errors) = &mut row.errors {
                    errors.truncate(n);
                }
            }
        }
        ConvergenceTable {
            units: units.take(quantities.len()).map(String::from).collect(),
            model: self.model().model.name.clone(),
            methods: self.methods.iter().map(|m| m.0.clone()).collect(),
            quantities,
            rows,
            reference: reference.about.clone(),
            estimate: reference.estimate.clone(),
            window: (self.from, self.to),
            margin: self.margin,
            shown: None,
        }
    }

    /// The summary of run number `job` (methods before step sizes), without errors: Newton's work, residuals,
    /// energy.
    pub fn summary(&self, job: usize) -> Result<Summary, Error> {
        let (m, s) = (job / self.steps.len(), job % self.steps.len());
        let loaded = &self.methods[m].1;
        let (system, mut state, mut integrator) = begin(loaded)?;
        let mut run = loaded.settings.run();
        (run.h, run.t_end) = (self.to / self.counts[s] as f64, self.to);
        run.run(&*system, &mut *integrator, &mut state, &mut ()).map_err(|f| f.error)
    }

    fn row(&self, job: usize, reference: &Reference) -> ConvergenceRow {
        let (m, s) = (job / self.steps.len(), job % self.steps.len());
        let loaded = &self.methods[m].1;
        let largest = reference.trajectory.largest();
        let mut summary = Summary { h: self.to / self.counts[s] as f64, ..Summary::default() };
        let compare = |system: &dyn Mechanism, layout: RowLayout, run: &mut dyn FnMut(&mut dyn Recorder)| {
            let mut errors = vec![None; reference.trajectory.layout.quantities().len() + OF_STEPS.len()];
            let (mut row, mut exact) = (Vec::new(), Vec::new());
            run(&mut |sample: &Sample| {
                let (t, at) = (sample.state.t, sample.state.at());
                if sample.step > 0 && t >= self.from * (1.0 - 1e-12) {
                    layout.read(system, &at, &mut row);
                    if reference.trajectory.at(t, &mut exact) {
                        let known = &reference.trajectory.layout;
                        let mut now = layout.errors(&row, known, &exact, &largest);
                        now.push(sample.step_lambda.and_then(|lambda| {
                            layout.read(system, &At { lambda, ..at }, &mut row);
                            layout.errors(&row, known, &exact, &largest)[LAMBDA]
                        }));
                        let gamma = sample.step_lambda.and(sample.eta);
                        now.push(gamma.map(|gamma| gamma.iter().fold(0.0, |m, x| larger(m, x.abs()))));
                        raise(&mut errors, &now);
                    }
                }
            });
            errors
        };
        let mut attempt = || -> Result<Vec<Option<f64>>, Error> {
            let (system, mut state, mut integrator) = begin(loaded)?;
            let layout = RowLayout::of(&*system, &state.at(), has_joint_rows(loaded.settings.formulation));
            let mut run = loaded.settings.run();
            (run.h, run.t_end) = (summary.h, self.to);
            let mut result = Ok(());
            let errors = compare(&*system, layout, &mut |recorder| match run.run(
                &*system,
                &mut *integrator,
                &mut state,
                recorder,
            ) {
                Ok(done) => summary = done,
                Err(failure) => {
                    summary = failure.summary;
                    result = Err(failure.error);
                }
            });
            result.map(|()| errors)
        };
        let errors = attempt();
        ConvergenceRow { method: m, h: summary.h, errors, orders: Vec::new(), summary, time: None }
    }

    /// Adds the shortest of several times of each run to a table: start and steps, without comparisons, one
    /// run after another. `clock` is a monotonic time, for example that of the processor.
    pub fn measure(
        &self,
        table: &mut ConvergenceTable,
        repeats: usize,
        clock: &dyn Fn() -> Duration,
        finished: &dyn Fn(),
    ) {
        for row in table.rows.iter_mut().filter(|r| r.errors.is_ok()) {
            let loaded = &self.methods[row.method].1;
            let mut run = loaded.settings.run();
            (run.h, run.t_end) = (row.h, self.to);
            for _ in 0..repeats.max(1) {
                let Ok((system, mut state, mut integrator)) = begin(loaded) else { break };
                let begin = clock();
                if run.steps_only(&*system, &mut *integrator, &mut state).is_err() {
                    break;
                }
                let time = clock().saturating_sub(begin);
                row.time = Some(row.time.map_or(time, |best| best.min(time)));
            }
            finished();
        }
    }
}

/// Time since the first call.
pub fn wall_clock() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

impl ConvergenceTable {
    /// True if an error is well above that of the reference.
    pub fn is_trusted(&self, quantity: usize, error: f64) -> bool {
        !self.estimate.get(quantity).copied().flatten().is_some_and(|e| error < self.margin * e)
    }

    /// Requested quantities that are known in some row, in the order in which they are shown.
    pub fn known(&self) -> Vec<usize> {
        let known = |i: &usize| self.rows.iter().any(|r| r.errors.as_ref().is_ok_and(|e| e[*i].is_some()));
        let all: Vec<usize> = (0..self.quantities.len()).collect();
        self.shown.as_ref().unwrap_or(&all).iter().copied().filter(known).collect()
    }

    /// Shows only these quantities, in this order.
    pub fn show(&mut self, names: &[String]) -> Result<(), Error> {
        let place = |name: &String| {
            let place = self.quantities.iter().position(|q| q == name);
            place.ok_or_else(|| {
                Error::unknown_name("quantity", name, self.quantities.iter().map(String::as_str))
            })
        };
        self.shown = Some(names.iter().map(place).collect::<Result<_, _>>()?);
        Ok(())
    }

    /// The table as text: errors with observed orders in parentheses.
    pub fn text(&self) -> String {
        let known = self.known();
        let timed = self.rows.iter().any(|r| r.time.is_some());
        let mut head = vec!["method".to_string(), "h".to_string()];
        for &i in &known {
            head.push(self.quantities[i].clone());
            head.push("order".into());
        }
        head.push("iterations".into());
        if timed {
            head.push("time, ms".into());
        }
        let rows: Vec<Vec<String>> = self.rows.iter().map(|r| self.cells(r, &known, timed)).collect();
        let trusted = |r: &ConvergenceRow, i: usize| {
            r.errors.as_ref().map_or(true, |e| e[i].is_none_or(|e| self.is_trusted(i, e)))
        };
        let untrusted = self.rows.iter().any(|r| known.iter().any(|&i| !trusted(r, i)));
        let mut s = String::new();
        let (from, to) = self.window;
        let _ = match from < to {
            true => writeln!(s, "{}: largest errors on [{from}, {to}] s", self.model),
            false => writeln!(s, "{}: errors at t = {to} s", self.model),
        };
        let _ = writeln!(s, "reference: {}", self.reference);
        let estimates: Vec<String> = known
            .iter()
            .filter_map(|&i| Some(format!("{} {:.1e}", self.quantities[i], self.estimate.get(i).copied()??)))
            .collect();
        if !estimates.is_empty() {
            let _ = writeln!(s, "its estimated error: {}", estimates.join(", "));
        }
        s.push('\n');
        s.push_str(&aligned(&head, &rows, 1));
        s.push_str(
            "q in rad and m, v and lambda relative (in directors lambda are the forces and torques of the \
             joints, also step_lambda; step_gamma is exactly 0 in the continuous equations), sensors in their \
             units; (order) between this step size and the one above\n",
        );
        if untrusted {
            let _ = writeln!(
                s,
                "~ the reference may be wrong by a tenth of this error or more: give a finer one"
            );
        }
        if self.rows.iter().any(ConvergenceRow::is_wrong) {
            let _ = writeln!(s, "! the run cannot be trusted, see the notes");
        }
        for note in self.rows.iter().flat_map(|r| self.notes(r)) {
            let _ = writeln!(s, "note: {note}");
        }
        s
    }

    /// A row of the text table.
    fn cells(&self, r: &ConvergenceRow, known: &[usize], timed: bool) -> Vec<String> {
        let mark = if r.is_wrong() { "!" } else { "" };
        let mut cells = vec![self.methods[r.method].clone(), format!("{mark}{:.3e}", r.h)];
        for &i in known {
            let Ok(errors) = &r.errors else {
                cells.extend(["failed".to_string(), String::new()]);
                continue;
            };
            let error = errors[i].map(|e| format!("{}{e:.3e}", if self.is_trusted(i, e) { "" } else { "~" }));
            let order = r.orders.get(i).copied().flatten().map(|p| format!("({p:.2})"));
            cells.extend([error.unwrap_or("-".into()), order.unwrap_or_default()]);
        }
        cells.push(format!("{:.2}", r.summary.iterations as f64 / r.summary.steps.max(1) as f64));
        if timed {
            cells.push(r.time.map_or("-".into(), |t| format!("{:.3}", 1e3 * t.as_secs_f64())));
        }
        cells
    }

    /// Notes about a run: why it failed, why it cannot be trusted, its first warning.
    fn notes(&self, r: &ConvergenceRow) -> Vec<String> {
        let failed = r.errors.as_ref().err().map(|e| e.to_string());
        let doubt = r.summary.trust.wrong().filter(|_| r.errors.is_ok());
        let doubt = doubt.map(|reason| format!("cannot be trusted, {reason}"));
        let warning = r.summary.warnings.first().map(|w| w.to_string());
        let all = [failed, doubt, warning].into_iter().flatten();
        all.map(|what| format!("{}, h = {:.3e}: {what}", self.methods[r.method], r.h)).collect()
    }

    /// The table as CSV; one line per run, empty cells for missing numbers.
    pub fn csv(&self) -> String {
        let known = self.known();
        let mut head: Vec<String> = ["method", "h", "steps"].map(String::from).to_vec();
        for &i in &known {
            head.extend([format!("error {}", self.quantities[i]), format!("order {}", self.quantities[i])]);
        }
        head.extend(["iterations per step", "jacobians", "time s", "failure", "untrusted"].map(String::from));
        let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:e}"));
        let rows = self.rows.iter().map(|r| {
            let steps = r.summary.steps;
            let mut cells = vec![self.methods[r.method].clone(), format!("{:e}", r.h), steps.to_string()];
            for &i in &known {
                cells.push(number(r.errors.as_ref().ok().and_then(|e| e[i])));
                cells.push(number(r.orders.get(i).copied().flatten()));
            }
            cells.push(format!("{}", r.summary.iterations as f64 / steps.max(1) as f64));
            cells.push(r.summary.jacobians.to_string());
            cells.push(number(r.time.map(|t| t.as_secs_f64())));
            cells.push(r.errors.as_ref().err().map_or(String::new(), |e| e.to_string()));
            cells.push(r.summary.trust.wrong().unwrap_or("").to_string());
            cells
        });
        csv(&head, rows)
    }
}
