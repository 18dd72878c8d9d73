//! Error over tolerance of the models in `models/`: positions, velocities and joint forces, for every method
//! that has a tolerance.
//!
//! The errors are those of the results that a user gets, at the steps of the run. The reference is a run of
//! BLieDF with the smallest tolerance that is accepted. Forces are relative to the largest reaction of the
//! run. `growth` is the factor by which a relative perturbation of the initial values grows.

use std::path::PathBuf;

use crate::mechanisms::compare::{difference, growth};
use crate::mechanisms::simulate::{Course, Ready, Stopped};

/// The methods that have a tolerance.
pub const METHODS: [&str; 3] = ["auto", "bliedf", "gen-alpha"];
/// The tolerances of the whole table.
pub const TOLERANCES: [f64; 7] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
/// The tolerances of references. The first one that is accepted is used.
const FINEST: [f64; 6] = [1e-11, 1e-10, 3e-10, 1e-9, 3e-9, 1e-8];
/// The largest number of rows of a run that are compared.
const SAMPLES: usize = 200;
/// Forces jump a little earlier or later in different runs. Times near a jump are not compared. The distance
/// is this number of tolerances, as a fraction of the run.
const NEAR_A_JUMP: f64 = 10.0;

/// Models with a shorter end, because their own end is too late for a table.
const ENDS: [(&str, f64); 7] = [
    ("rotor", 0.1),
    ("double_pendulum", 2.0),
    ("pendulum", 5.0),
    ("slider_crank", 1.0),
    ("slider_crank_a", 1.0),
    ("door", 2.0),
    ("gate", 4.0),
];

/// A model and the settings that are replaced.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in the table.
    pub name: String,
    text: String,
    set: Vec<String>,
}

/// The errors of a model over a tolerance, or the reason why there are none.
pub type Cell = Result<[f64; 3], Stopped>;

/// All models of the folder whose name contains a word. The cardan shaft is included at two speeds.
pub fn cases(wanted: &str) -> std::io::Result<Vec<Case>> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|f| Some(f.ok()?.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !stem.contains(wanted) {
            continue;
        }
        let text = std::fs::read_to_string(&file)?;
        let mut set = vec!["run.step=off".to_string()];
        set.extend(ENDS.iter().filter(|e| e.0 == stem).map(|e| format!("run.until={:?}", e.1)));
        let variants: &[&str] = if stem == "cardan" { &["n=1000", "n=3000"] } else { &[""] };
        for variant in variants {
            let mut case = Case { name: stem.clone(), text: text.clone(), set: set.clone() };
            if !variant.is_empty() {
                case.name = format!("{stem}, {variant}");
                case.set.push(format!("parameters.{variant}"));
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

impl Case {
    fn ready(&self, method: &str, tol: f64) -> Result<Ready, Stopped> {
        let mut set: Vec<&str> = self.set.iter().map(String::as_str).collect();
        let more = [format!("integrator.method={method}"), format!("integrator.tol={tol:?}")];
        set.extend(more.iter().map(String::as_str));
        Ok(Ready { shared_loads: true, ..Ready::new(&self.text, &set)? })
    }

    /// The errors by method and tolerance, in units of the tolerance, and the growth of perturbations.
    pub fn errors(
        &self,
        methods: &[&str],
        tolerances: &[f64],
    ) -> Result<(Vec<Vec<Cell>>, [f64; 3]), Stopped> {
        let run = |method: &str, tol: f64| -> Result<Course, Stopped> {
            let (_, steps) = self.ready(method, tol)?.run(&[], true)?;
            Ok(steps.unwrap_or_default())
        };
        let runs: Vec<Vec<Result<Course, Stopped>>> =
            methods.iter().map(|m| tolerances.iter().map(|tol| run(m, *tol)).collect()).collect();
        let mut times = Vec::new();
        for course in runs.iter().flatten().flatten() {
            times.extend(course.thinned(SAMPLES).times);
        }
        times.sort_by(f64::total_cmp);
        let (reference, ready) = self.reference(&times)?;
        let grid: Vec<f64> = reference.thinned(20).times;
        let growth = growth(ready, &reference, &grid).unwrap_or([1.0; 3]);
        let over = |course: &Result<Course, Stopped>, tol: f64| {
            let course = course.as_ref().map_err(Clone::clone)?;
            let span = reference.times.last().copied().unwrap_or_default();
            let jumps = [course.jumps(), reference.jumps()].concat();
            let smooth = course.thinned(SAMPLES).away_from(&jumps, NEAR_A_JUMP * tol * span);
            Ok(difference(&smooth, &reference.at(&smooth.times)).map(|x| x / tol))
        };
        let table = runs.iter().map(|row| row.iter().zip(tolerances).map(|(c, tol)| over(c, *tol)).collect());
        Ok((table.collect(), growth))
    }

    /// Does the run with the smallest tolerance that is accepted.
    fn reference(&self, times: &[f64]) -> Result<(Course, Ready), Stopped> {
        let mut why = None;
        for tol in FINEST {
            match self.ready("bliedf", tol).and_then(|r| Ok((r.run(times, false)?.0, r))) {
                Ok(both) => return Ok(both),
                Err(stopped) => why = Some(stopped),
            }
        }
        Err(why.unwrap_or(Stopped { t: None, message: "no reference".to_string() }))
    }
}

/// Formats a number with two digits.
fn short(x: f64) -> String {
    if x < 1e-3 {
        return "0".to_string();
    }
    if x < 1000.0 {
        let digits = if x < 0.01 {
            3
        } else if x < 0.1 {
            2
        } else if x < 10.0 {
            1
        } else {
            0
        };
        format!("{x:.digits$}")
    } else {
        format!("{x:.0e}")
    }
}

/// Writes positions, velocities and forces into one cell.
pub fn cell(outcome: &Cell) -> String {
    match outcome {
        Ok([q, v, f]) => format!("{} {} {}", short(*q), short(*v), short(*f)),
        Err(e) if e.t.is_none() => "refused".to_string(),
        Err(e) if e.message.starts_with("more than") => "too many steps".to_string(),
        Err(e) => format!("stops at {:.3}", e.t.unwrap_or_default()),
    }
}
