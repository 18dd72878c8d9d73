//! Sweeps: one model with many values of its parameters and settings, on all cores, in one table.
//!
//! ```no_run
//! use precess::study::Sweep;
//! use precess::study::parallel::Workers;
//! use precess::study::points::Selection;
//!
//! let text = std::fs::read_to_string("models/pendulum.toml")?;
//! let vary = ["x0=0.1:0.3:21".to_string(), "h=1e-3,5e-4".to_string()];
//! let sweep = Sweep::new("models/pendulum.toml", &text, &[], &vary, Selection::Grid, &[])?;
//! println!("{}", sweep.run(Workers::default()).csv());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod resume;
mod table;

use std::ops::Range;

use thiserror::Error as ThisError;

use super::collect::Collect;
use super::configuration::INTEGRATOR_KEYS;
use super::parallel::Workers;
use super::points::{AllowedValues, Selection, Value};
use super::recorder::{Recorder, Sample};
use super::run_batch::{Combine, Ready, run_batch};
use super::summary::Summary;
use super::trust::Glance;
use crate::Error;
use crate::integrate::side_by_side::LANES;
use crate::integrate::{InitialValues, Integrator};
use crate::mechanics::State;
use crate::mechanics::batch::LanePlan;
use crate::mechanics::mechanism::Mechanism;
use crate::methods::{MethodOptions, adaptive_method, method};
use crate::model::number::Number;
use crate::model::{
    Built, Diagnostics, Document, Evaluator, File, Files, Loaded, Model, Settings, build, load_with,
};

pub(crate) use table::quoted;
pub use table::{SweepRow, SweepTable};

/// Why a sweep cannot begin.
#[derive(Clone, Debug, ThisError)]
pub enum SweepError {
    /// The model file is wrong.
    #[error("{0}")]
    Model(#[from] Diagnostics),
    /// An unknown name, or a wrong model with the first values.
    #[error("{0}")]
    Name(#[from] Error),
    /// Values cannot be read.
    #[error("{0}")]
    Values(String),
}

/// An entry that takes different values.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// Name as typed: the column of the table.
    pub name: String,
    /// Path of the entry in the model file.
    pub path: String,
    /// Unit of the numbers; empty for SI units and plain numbers.
    pub unit: String,
    /// Its values.
    pub values: AllowedValues,
}

impl Variation {
    /// `spin=100:200:21`, `h=1e-3,5e-4`, `rho=0:1`, `formulation=r3so3,se3`, `body.top.mass=1,2`,
    /// `n=0:1200rpm:9`, `l=normal(20mm, 0.5mm)`: a parameter of the model, a setting of `[integrator]`, `step` (or `h`) and `until` of `[run]`, or any path.
    pub fn parse(text: &str, file: &File) -> Result<Self, SweepError> {
        let Some((name, values)) = text.split_once('=') else {
            return Err(SweepError::Values(format!(
                "'{text}' has no values: write for example spin=100:200:21"
            )));
        };
        let name = name.trim();
        let path = match name {
            "h" | "step" => "run.step".to_string(),
            "until" => "run.until".to_string(),
            _ if file.parameters.contains_key(name) => format!("parameters.{name}"),
            _ if INTEGRATOR_KEYS.contains(&name) => format!("integrator.{name}"),
            _ if name.contains('.') && !name.starts_with("parameters.") => name.to_string(),
            _ if name.strip_prefix("parameters.").is_some_and(|n| file.parameters.contains_key(n)) => {
                name.to_string()
            }
            _ => {
                let known = file.parameters.keys().map(String::as_str).chain(["h", "step", "until"]);
                let bare = name.strip_prefix("parameters.").unwrap_or(name);
                return Err(Error::unknown_name("parameter", bare, known.chain(INTEGRATOR_KEYS)).into());
            }
        };
        let (values, unit) = AllowedValues::parse_with_unit(values).map_err(SweepError::Values)?;
        Ok(Variation { name: name.to_string(), path, unit, values })
    }

    /// The title of its column.
    pub fn title(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// An override of an entry.
fn with_unit(path: &str, value: &Value, unit: &str) -> String {
    match (value, unit) {
        (Value::Word(_), _) | (_, "") => format!("{path}={value}"),
        (value, unit) => format!("{path}={value} {unit}"),
    }
}

/// A model, the varied entries, and the quantities to collect.
#[derive(Clone, Debug)]
pub struct Sweep {
    file_name: String,
    text: String,
    overrides: Vec<String>,
    document: Document,
    /// The varied entries.
    pub variations: Vec<Variation>,
    /// Values of each run.
    pub points: Vec<Vec<Value>>,
    /// The quantities to collect.
    pub collect: Collect,
}

/// Smallest number of runs for which they are made side by side.
const SIDE_BY_SIDE_FROM: usize = 64;

/// Number of points that are tried until the model can be built.
const MAX_TRIES: usize = 100;

/// Settings that are numbers and can be replaced without reading the file again, besides parameters.
const NUMBER_SETTINGS: [&str; 5] =
    ["run.step", "run.until", "integrator.rho", "integrator.sigma", "integrator.newton_tolerance"];

/// Numbers of a run, and why they cannot be trusted, if so.
type Collected = (Vec<f64>, Option<String>);

/// Gets finished rows, each with its number.
pub type FinishedRows<'a> = dyn Fn(&[(usize, SweepRow)]) + Sync + 'a;

/// The mark of runs that were not done, because the sweep ended early.
pub const NOT_DONE: &str = "not done";

impl Sweep {
    /// Reads everything and tries the model with the first values.
    pub fn new(
        file_name: &str,
        text: &str,
        overrides: &[String],
        vary: &[String],
        selection: Selection,
        collect: &[String],
    ) -> Result<Self, SweepError> {
        Self::new_with(file_name, text, overrides, Files::next_to(file_name), vary, selection, collect)
    }

    /// The same for a model whose tables, meshes and parts are in `files`.
    pub fn new_with(
        file_name: &str,
        text: &str,
        overrides: &[String],
        files: Files,
        vary: &[String],
        selection: Selection,
        collect: &[String],
    ) -> Result<Self, SweepError> {
        // Step sizes replace a tolerance, and tolerances replace a step.
        let mut overrides = overrides.to_vec();
        let varies =
            |names: &[&str]| vary.iter().any(|v| names.contains(&v.split('=').next().unwrap_or("").trim()));
        match (varies(&["h", "step", "run.step"]), varies(&["tol", "integrator.tol"])) {
            (true, false) => overrides.push("integrator.tol=off".into()),
            (false, true) => overrides.push("run.step=off".into()),
            _ => {}
        }
        let document = Document::parse_with(file_name, text, &overrides, files);
        document.locate(Evaluator::new(&document).problems)?;
        let variations =
            vary.iter().map(|v| Variation::parse(v, &document.file)).collect::<Result<Vec<_>, _>>()?;
        let values: Vec<AllowedValues> = variations.iter().map(|v| v.values.clone()).collect();
        let points = selection.points(&values).map_err(SweepError::Values)?;
        let mut sweep = Sweep {
            file_name: file_name.to_string(),
            text: text.to_string(),
            overrides,
            document,
            variations,
            points,
            collect: Collect::empty(),
        };
        let mut why = None;
        for values in sweep.points.iter().take(MAX_TRIES) {
            match sweep.names(values, collect) {
                Ok(collect) => {
                    sweep.collect = collect;
                    return Ok(sweep);
                }
                Err(e) => why = why.or(Some(e)),
            }
        }
        Err(why.unwrap_or_else(|| SweepError::Values("there are no runs to do".into())))
    }

    /// The quantities to collect, for the model with these values.
    fn names(&self, values: &[Value], collect: &[String]) -> Result<Collect, SweepError> {
        let (model, settings) = self.loaded(&mut Tool::new(&self.document), values)?;
        let Built { system, q, v } = build(&model, settings.formulation)?;
        let state = InitialValues { fix: true, ..InitialValues::new(&q, &v) }.consistent(&*system)?;
        Ok(Collect::parse(collect, &*system, &state.at())?)
    }

    /// Model and settings with these values. Numbers are inserted into the parsed file; other values require
    /// parsing it again.
    fn loaded(&self, tool: &mut Tool, values: &[Value]) -> Result<(Model, Settings), Diagnostics> {
        let words: Vec<String> = self
            .variations
            .iter()
            .zip(values)
            .filter(|(v, x)| !matches!(x, Value::Number(_)) || !is_number(&self.document.file, &v.path))
            .map(|(v, x)| with_unit(&v.path, x, &v.unit))
            .collect();
        if words != tool.words {
            let overrides = [&self.overrides[..], &words].concat();
            let files = self.document.files().clone();
            tool.document = Document::parse_with(&self.file_name, &self.text, &overrides, files);
            tool.words = words;
        }
        for (variation, value) in self.variations.iter().zip(values) {
            if let Value::Number(x) = value
                && let Some(place) = number(&mut tool.document.file, &variation.path)
            {
                *place = match variation.unit.as_str() {
                    "" => Number::Value(*x),
                    unit => Number::Text(format!("{value} {unit}")),
                };
            }
        }
        let mut evaluator = Evaluator::new(&tool.document);
        let stem =
            std::path::Path::new(&self.file_name).file_stem().map_or("".into(), |s| s.to_string_lossy());
        let model = evaluator.model(&tool.document, &stem);
        let settings = evaluator.settings(&tool.document);
        tool.document.locate(evaluator.problems)?;
        Ok((model, settings))
    }

    /// Makes some runs, at the same time if they are alike. None if the sweep ends before they are done.
    fn rows(&self, tool: &mut Tool, runs: &[usize], stops: &dyn Fn() -> bool) -> Option<Vec<SweepRow>> {
        let ready: Vec<Result<Ready, String>> =
            runs.iter().map(|&i| self.ready(tool, &self.points[i])).collect();
        let list: Vec<Option<&Ready>> = ready.iter().map(|r| r.as_ref().ok()).collect();
        let mut beside =
            run_batch(&list, !self.collect.is_plain(), &mut tool.plan, stops).unwrap_or_default().into_iter();
        let rows = ready.into_iter().zip(runs).map(|(ready, &i)| {
            if stops() {
                return None;
            }
            let result = match (ready, beside.next().flatten()) {
                (Err(problem), _) => Err(problem),
                (Ok(ready), Some(Combine { state, summary, steps: None })) => {
                    Ok(self.collected(&ready, &state, &summary, &self.collect.start()))
                }
                (Ok(ready), Some(Combine { steps: Some(mut replay), .. })) => {
                    self.alone(ready, |_| Ok(&mut replay), stops)
                }
                (Ok(ready), None) => self.alone(ready, |s| tool.integrator(&s.method, &s.options), stops),
            };
            if stops() {
                return None;
            }
            let (result, untrusted) = match result {
                Ok((numbers, untrusted)) => (Ok(numbers), untrusted),
                Err(problem) => (Err(problem), None),
            };
            Some(SweepRow { values: self.points[i].clone(), result, untrusted })
        });
        rows.collect()
    }

    /// Model, settings and consistent initial values.
    fn ready(&self, tool: &mut Tool, values: &[Value]) -> Result<Ready, String> {
        let say = |e: Error| e.to_string();
        let (model, settings) = self.loaded(tool, values).map_err(|e| e.brief())?;
        let Built { system, q, v } = build(&model, settings.formulation).map_err(say)?;
        let mut initial = InitialValues::new(&q, &v);
        initial.fix = settings.fix_initial;
        let state = initial.consistent(&*system).map_err(say)?;
        Ok(Ready { system, settings, state })
    }

    /// The collected quantities of a run.
    fn collected(&self, ready: &Ready, state: &State, summary: &Summary, extremes: &[f64]) -> Collected {
        let numbers = self.collect.finish(&*ready.system, &state.at(), summary, extremes);
        (numbers, summary.trust.wrong().map(String::from))
    }

    /// Makes one run, with fixed or automatic steps.
    fn alone<'a>(
        &self,
        ready: Ready,
        integrator: impl FnOnce(&Settings) -> Result<&'a mut dyn Integrator, Error>,
        stops: &dyn Fn() -> bool,
    ) -> Result<Collected, String> {
        let say = |e: Error| e.to_string();
        let (system, settings, mut state) = (&*ready.system, &ready.settings, ready.state.clone());
        let mut see = Extremes { collect: &self.collect, system, values: self.collect.start(), stops };
        if let (Some(run), Some(tol)) = (settings.adaptive_run(), settings.tolerance) {
            let mut adaptive = adaptive_method(&settings.method, &settings.options, tol).map_err(say)?;
            let done = run.run(system, &mut *adaptive, &mut state, &mut see).map_err(|f| say(f.error))?;
            return Ok(self.collected(&ready, &state, &done, &see.values));
        }
        let integrator = integrator(settings).map_err(say)?;
        let run = settings.run();
        let smooth = system.events().is_empty() && system.breakpoints(state.t, settings.until).is_empty();
        // The energy of conserving methods is judged from neighbouring steps.
        if self.collect.is_plain() && smooth && system.constant_mass().is_none() {
            let (steps, h) = run.steps(state.t).map_err(say)?;
            let mut glance = Glance::new(system, &state, steps, h);
            let look = |step: usize, state: &State| {
                glance.observe(system, step, state);
                !stops()
            };
            let total = run.steps_while(system, integrator, &mut state, look).map_err(say)?;
            let summary = Summary {
                h,
                steps,
                t_end: state.t,
                iterations: total.iterations,
                jacobians: total.jacobians,
                trust: glance.close(system, &state),
                ..Summary::default()
            };
            return Ok(self.collected(&ready, &state, &summary, &see.values));
        }
        match run.run(system, integrator, &mut state, &mut see) {
            Ok(summary) => Ok(self.collected(&ready, &state, &summary, &see.values)),
            Err(failure) => Err(failure.error.to_string()),
        }
    }

    /// The model and settings of one run, parsed again.
    pub fn model(&self, run: usize) -> Result<Loaded, Diagnostics> {
        let varied =
            self.variations.iter().zip(&self.points[run]).map(|(v, x)| with_unit(&v.path, x, &v.unit));
        let overrides: Vec<String> = self.overrides.iter().cloned().chain(varied).collect();
        load_with(&self.file_name, &self.text, &overrides, self.document.files().clone())
    }

    /// Notices about settings without effect in some of the first runs.
    pub fn notices(&self) -> Vec<String> {
        let mut tool = Tool::new(&self.document);
        let mut list: Vec<String> = Vec::new();
        for values in self.points.iter().take(MAX_TRIES) {
            let Ok((_, settings)) = self.loaded(&mut tool, values) else { continue };
            for notice in settings.notices() {
                if !list.contains(&notice) {
                    list.push(notice);
                }
            }
        }
        list
    }

    /// Why each thread makes the runs of a large sweep one after the other, and not four at a time; none if
    /// it does, or if there are few runs.
    pub fn one_by_one(&self) -> Option<&'static str> {
        let first = self.points.first().filter(|_| self.points.len() >= SIDE_BY_SIDE_FROM)?;
        self.ready(&mut Tool::new(&self.document), first).ok()?.refusal()
    }

    /// Number of simultaneous runs per thread; it does not depend on the number of threads. A few runs are
    /// better spread over the cores.
    fn group_size(&self) -> usize {
        let first = self.points.first().filter(|_| self.points.len() >= SIDE_BY_SIDE_FROM);
        let ready = first.and_then(|values| self.ready(&mut Tool::new(&self.document), values).ok());
        if ready.is_some_and(|r| r.refusal().is_none()) { LANES } else { 1 }
    }

    /// Groups of simultaneous runs: they differ only in parameters of the model.
    fn groups(&self, size: usize) -> Vec<Vec<usize>> {
        let settings = |values: &Vec<Value>| -> Vec<String> {
            let all = self.variations.iter().zip(values).filter(|(v, _)| !v.path.starts_with("parameters."));
            if size > 1 { all.map(|(_, x)| x.to_string()).collect() } else { Vec::new() }
        };
        let words: Vec<Vec<String>> = self.points.iter().map(settings).collect();
        let mut sorted: Vec<usize> = (0..words.len()).collect();
        sorted.sort_by(|&i, &j| words[i].cmp(&words[j]));
        let alike = sorted.chunk_by(|&i, &j| words[i] == words[j]);
        alike.flat_map(|list| list.chunks(size)).map(<[usize]>::to_vec).collect()
    }

    /// The division of the runs. Parts can be made in any order, in other processes and on other machines.
    /// The rows are the same to the bit as those of [`run`](Self::run), because simultaneous runs stay
    /// together.
    pub fn parts(&self) -> Parts {
        Parts { groups: self.groups(self.group_size()) }
    }

    /// The runs of some parts, each with its number.
    pub fn run_parts(&self, parts: &Parts, range: Range<usize>, workers: Workers) -> Vec<(usize, SweepRow)> {
        let wanted: Vec<usize> = range.collect();
        self.run_some(parts, &wanted, workers, &|_| {})
    }

    /// The same for these parts. `seen` gets the rows of a part when they are done, from any thread. If the
    /// workers end early, the rows of the other parts are missing.
    pub fn run_some(
        &self,
        parts: &Parts,
        wanted: &[usize],
        workers: Workers,
        seen: &FinishedRows,
    ) -> Vec<(usize, SweepRow)> {
        let groups: Vec<&[usize]> = wanted.iter().filter_map(|&i| parts.runs(i)).collect();
        let stops = || workers.stops();
        let tool = || Tool::new(&self.document);
        let quiet = Workers { finished: None, ..workers };
        let rows = quiet.try_map_with(groups.len(), tool, |tool, i| {
            let runs = groups.get(i).copied().unwrap_or_default();
            let rows = self.rows(tool, runs, &stops)?;
            let rows: Vec<(usize, SweepRow)> = runs.iter().copied().zip(rows).collect();
            seen(&rows);
            workers.finished.iter().for_each(|tell| rows.iter().for_each(|_| tell()));
            Some(rows)
        });
        rows.into_iter().flatten().flatten().flatten().collect()
    }

    /// The table from numbered rows in any order. Missing rows have an error that says so.
    pub fn table(&self, rows: Vec<(usize, SweepRow)>) -> SweepTable {
        let missing = |values: &Vec<Value>| SweepRow {
            values: values.clone(),
            result: Err(NOT_DONE.to_string()),
            untrusted: None,
        };
        let mut all: Vec<SweepRow> = self.points.iter().map(missing).collect();
        for (i, row) in rows {
            if let Some(place) = all.get_mut(i) {
                *place = row;
            }
        }
        let rows = all;
        SweepTable {
            inputs: self.variations.iter().map(Variation::title).collect(),
            outputs: self.collect.columns.clone(),
            rows,
            model: self.file_name.clone(),
            overrides: self.overrides.clone(),
            paths: self.variations.iter().map(|v| v.path.clone()).collect(),
            units: self.variations.iter().map(|v| v.unit.clone()).collect(),
        }
    }

    /// All runs; a failed one is a row with its error. The table does not depend on the number of threads.
    pub fn run(&self, workers: Workers) -> SweepTable {
        let parts = self.parts();
        self.table(self.run_parts(&parts, 0..parts.len(), workers))
    }
}

/// Groups of simultaneous runs of a sweep, in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    groups: Vec<Vec<usize>>,
}

impl Parts {
    /// Number of parts.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// True if there are no runs.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The numbers of the runs of a part.
    pub fn runs(&self, part: usize) -> Option<&[usize]> {
        self.groups.get(part).map(Vec::as_slice)
    }
}

/// Extremes of the collected quantities over all steps of a run.
struct Extremes<'a> {
    collect: &'a Collect,
    system: &'a dyn Mechanism,
    values: Vec<f64>,
    stops: &'a dyn Fn() -> bool,
}

impl Recorder for Extremes<'_> {
    fn record(&mut self, sample: &Sample) {
        if self.collect.sees_steps() {
            self.collect.observe(self.system, &sample.state.at(), &mut self.values);
        }
    }

    fn reads_forces(&self, _step: usize, _t: f64) -> bool {
        self.collect.sees_steps()
    }

    fn stops(&self) -> bool {
        (self.stops)()
    }
}

/// Data that a thread keeps between runs.
struct Tool {
    document: Document,
    /// Overrides with which the document was read, in addition to those of the sweep.
    words: Vec<String>,
    integrator: Option<(String, MethodOptions, Box<dyn Integrator>)>,
    /// The plan of the last runs side by side, for models with the same structure.
    plan: Option<LanePlan>,
}

impl Tool {
    fn new(document: &Document) -> Self {
        Tool { document: document.clone(), words: Vec::new(), integrator: None, plan: None }
    }

    /// The integrator of the last run, with its memory, if it is the same one. Its start clears everything
    /// else.
    fn integrator(&mut self, name: &str, options: &MethodOptions) -> Result<&mut dyn Integrator, Error> {
        let same = self.integrator.as_ref().is_some_and(|(n, o, _)| n == name && o == options);
        if !same {
            self.integrator = None;
        }
        let (_, _, integrator) = match self.integrator.take() {
            Some(kept) => self.integrator.insert(kept),
            None => self.integrator.insert((name.to_string(), *options, method(name, options)?)),
        };
        Ok(&mut **integrator)
    }
}

/// A number of the file that can be replaced without parsing again.
fn number<'a>(file: &'a mut File, path: &str) -> Option<&'a mut Number> {
    if let Some(name) = path.strip_prefix("parameters.") {
        return file.parameters.get_mut(name);
    }
    let i = &mut file.integrator;
    let place = match path {
        "run.step" => &mut file.run.step,
        "run.until" => &mut file.run.until,
        "integrator.rho" => &mut i.rho,
        "integrator.sigma" => &mut i.sigma,
        "integrator.newton_tolerance" => &mut i.newton_tolerance,
        _ => return None,
    };
    Some(place.get_or_insert_default())
}

fn is_number(file: &File, path: &str) -> bool {
    match path.strip_prefix("parameters.") {
        Some(name) => file.parameters.contains_key(name),
        None => NUMBER_SETTINGS.contains(&path),
    }
}
