//! `precess sweep`: one model with many values of its parameters.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use precess::study::parallel::Workers;
use precess::study::points::{Selection, Value};
use precess::study::sweep::{SweepRow, SweepTable};
use precess::study::text::{aligned, six_digits};
use precess::study::{Cadence, Checkpoints, Sweep};
use precess_view::figures::sweep::figure;
use serde_json::{Map, Value as Json, json};

use crate::begin::assembled;
use crate::files::Target;
use crate::output::{Stop, message, print, wrong};
use crate::plot::draw;
use crate::progress::jobs;
use crate::run::files;
use crate::subject::read;
use crate::{args, cluster, interrupt};

/// Largest number of rows printed on a terminal.
const MAX_ROWS: usize = 20;

/// Runs a sweep.
pub fn sweep(args: &args::Sweep) -> Result<(), Stop> {
    let (path, text) = read(&args.source.model)?;
    if args.dask.is_some() && args.source.allow_outside {
        return Err(wrong(
            "--allow-outside has no effect on the workers of --dask\n  help: put the files into the folder \
             of the model, or leave --dask out",
        ));
    }
    let (overrides, files) = (args.source.overrides(), files(&args.source));
    let text = assembled(&path, text, &overrides, &files)?;
    let selection = match (args.random, args.lhs) {
        (Some(n), _) => Selection::Random { n, seed: args.seed },
        (_, Some(n)) => Selection::LatinHypercube { n, seed: args.seed },
        _ => Selection::Grid,
    };
    let sweep = Sweep::new_with(&path, &text, &overrides, files, &args.vary, selection, &args.collect)
        .map_err(wrong)?;
    for notice in sweep.notices() {
        message(&format!("warning: {notice}"));
    }
    let kinds = ["csv", "npz", "json", "svg", "png", "html"];
    let outputs = args.out.iter().map(|f| Target::open(f, &kinds)).collect::<Result<Vec<_>, _>>()?;
    if outputs.iter().any(|o| ["svg", "png", "html"].contains(&o.kind.as_str())) {
        // A picture that cannot be drawn is refused before the runs.
        precess_view::figures::sweep::check(&sweep.table(Vec::new())).map_err(wrong)?;
    }
    let bar = jobs(sweep.points.len(), "runs");
    let tick = || bar.inc(1);
    let begin = Instant::now();
    let mut checkpoint = Checkpoint::open(args, &sweep)?;
    interrupt::listen();
    let (table, stopped) = match &args.dask {
        Some(address) => {
            let (rows, stopped) = cluster::sweep(&sweep, args, (&path, &text), address, tick)?;
            (sweep.table(rows), stopped)
        }
        None => (checkpoint.run(args.jobs, &tick), None),
    };
    let seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();

    if args.json {
        print(&format!("{:#}\n", as_json(&table)));
    } else {
        let mut text = text_of(&table, seconds);
        if let Some(reason) = sweep.one_by_one() {
            text.push_str(&format!("the runs were not made four at a time: {reason}\n"));
        }
        crate::output::report(&text);
    }
    for target in outputs {
        let content = match target.kind.as_str() {
            "csv" => table.csv().into_bytes(),
            "npz" => {
                let mut bytes = std::io::Cursor::new(Vec::new());
                precess::study::results::npz::write(&table.results(), &mut bytes).map_err(wrong)?;
                bytes.into_inner()
            }
            "json" => format!("{:#}\n", as_json(&table)).into_bytes(),
            picture => draw(&figure(&table).map_err(wrong)?, picture)?,
        };
        let file = target.write(&content)?;
        if !args.json {
            print(&format!("written: {file}\n"));
        }
    }
    if let Some(stop) = stopped {
        return Err(stop);
    }
    let (done, runs) = (table.done(), table.rows.len());
    if done < runs {
        let go_on = if args.checkpoint.is_some() { "; --resume continues from there" } else { "" };
        let message = format!("stopped after {done} of {runs} runs; the others are marked{go_on}");
        return Err(Stop { code: interrupt::CODE, message });
    }
    checkpoint.end();
    let (failures, untrusted) = (table.failures(), table.untrusted());
    match failures + untrusted < table.rows.len() {
        true => Ok(()),
        false if untrusted == 0 => Err(Stop { code: 1, message: "error: all runs failed".into() }),
        false => Err(Stop { code: 1, message: "error: all runs failed or cannot be trusted".into() }),
    }
}

/// The finished rows of a sweep, and the file that keeps them.
struct Checkpoint<'a> {
    sweep: &'a Sweep,
    file: Option<Mutex<Checkpoints>>,
    rows: Vec<(usize, SweepRow)>,
}

impl<'a> Checkpoint<'a> {
    /// Reads the rows of an earlier part of the sweep.
    fn open(args: &args::Sweep, sweep: &'a Sweep) -> Result<Self, Stop> {
        let mut rows = Vec::new();
        let Some(file) = &args.checkpoint else { return Ok(Checkpoint { sweep, file: None, rows }) };
        let mut checkpoints = Checkpoints::new(file, Cadence::Time(SAVED), sweep.identity());
        if !args.resume {
            checkpoints.begin().map_err(wrong)?;
        } else if !checkpoints.resume().map_err(wrong)? {
            message(&format!("there is no checkpoint {} yet: all runs are made", file.display()));
        } else {
            let read = checkpoints.load(|archive| {
                sweep.persist_rows(&mut rows, archive)?;
                Ok((rows.len(), 0.0))
            });
            read.map_err(wrong)?;
            message(&format!("continued with {} rows that are done", rows.len()));
        }
        Ok(Checkpoint { sweep, file: Some(Mutex::new(checkpoints)), rows })
    }

    /// Makes the runs that are not done.
    fn run(&mut self, threads: usize, tick: &(dyn Fn() + Sync)) -> SweepTable {
        let (sweep, parts) = (self.sweep, self.sweep.parts());
        let wanted = sweep.missing(&parts, &self.rows);
        let runs = |&i: &usize| parts.runs(i).map_or(0, <[usize]>::len);
        (wanted.iter().map(runs).sum::<usize>()..sweep.points.len()).for_each(|_| tick());
        let rows = Mutex::new(std::mem::take(&mut self.rows));
        let seen = |new: &[(usize, SweepRow)]| {
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.extend_from_slice(new);
            let Some(file) = &self.file else { return };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if file.is_due(rows.len()) {
                save(sweep, &mut file, &mut rows);
            }
        };
        let workers = Workers::new(threads).telling(tick).until(&interrupt::asked);
        sweep.run_some(&parts, &wanted, workers, &seen);
        let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(file), true) = (&self.file, rows.len() < sweep.points.len()) {
            save(sweep, &mut file.lock().unwrap_or_else(PoisonError::into_inner), &mut rows);
        }
        sweep.table(rows)
    }

    /// Removes the file, when everything is written.
    fn end(self) {
        if let Some(file) = self.file {
            file.into_inner().unwrap_or_else(PoisonError::into_inner).remove();
        }
    }
}

/// How often finished rows are saved.
const SAVED: Duration = Duration::from_secs(60);

fn save(sweep: &Sweep, file: &mut Checkpoints, rows: &mut Vec<(usize, SweepRow)>) {
    let n = rows.len();
    if let Err(e) = file.save(n, |archive| sweep.persist_rows(rows, archive)) {
        message(&format!("warning: {e}"));
    }
}

fn text_of(table: &SweepTable, seconds: f64) -> String {
    let mut head: Vec<String> = table.inputs.iter().chain(&table.outputs).cloned().collect();
    let marked = table.untrusted() > 0;
    if marked {
        head.push("trust".into());
    }
    let cells = |row: &SweepRow| -> Vec<String> {
        let inputs = row.values.iter().map(|v| match v {
            Value::Number(x) => Value::Number(format!("{x:.9e}").parse().unwrap_or(*x)).to_string(),
            word => word.to_string(),
        });
        let outputs: Vec<String> = match &row.result {
            Ok(numbers) => numbers.iter().map(|x| six_digits(*x)).collect(),
            Err(_) => table.outputs.iter().map(|_| "failed".to_string()).collect(),
        };
        let mark = marked.then(|| if row.untrusted.is_some() { "no" } else { "" }.to_string());
        inputs.chain(outputs).chain(mark).collect()
    };
    let rows: Vec<Vec<String>> = table.rows.iter().take(MAX_ROWS).map(cells).collect();
    let mut s = aligned(&head, &rows, 0);
    if table.rows.len() > MAX_ROWS {
        s.push_str(&format!("... {} more rows: -o FILE.csv\n", table.rows.len() - MAX_ROWS));
    }
    let (n, failures) = (table.rows.len(), table.failures());
    let runs = if n == 1 { "run" } else { "runs" };
    s.push_str(&format!("\n{n} {runs} in {seconds:.2} s, {:.0} per second", n as f64 / seconds.max(1e-9)));
    s.push_str(&match failures {
        0 => "\n".to_string(),
        f => format!("; {f} failed\n"),
    });
    if let Some((row, reason)) = table.rows.iter().find_map(|r| Some((r, r.untrusted.as_ref()?))) {
        let rows = if table.untrusted() == 1 { "row" } else { "rows" };
        s.push_str(&format!("{} {rows} cannot be trusted; the first: {reason}\n  ", table.untrusted()));
        s.push_str(&format!("{}\n", table.command(row)));
    }
    if let Some((row, e)) = table.rows.iter().find_map(|r| Some((r, r.result.as_ref().err()?))) {
        s.push_str(&format!("first failure: {e}\n  {}\n", table.command(row)));
    } else if let Some(row) = table.rows.first() {
        s.push_str(&format!("to repeat the first row: {}\n", table.command(row)));
    }
    s
}

fn as_json(table: &SweepTable) -> Json {
    let rows: Vec<Json> = table
        .rows
        .iter()
        .map(|r| {
            let mut object = Map::new();
            for (name, value) in table.inputs.iter().zip(&r.values) {
                let value = match value {
                    Value::Number(x) => json!(x),
                    Value::Word(w) => json!(w),
                };
                object.insert(name.clone(), value);
            }
            match &r.result {
                Ok(numbers) => {
                    object.extend(table.outputs.iter().cloned().zip(numbers.iter().map(|x| json!(x))));
                }
                Err(e) => {
                    object.insert("error".into(), json!(e));
                }
            }
            if let Some(reason) = &r.untrusted {
                object.insert("untrusted".into(), json!(reason));
            }
            object.insert("command".into(), json!(table.command(r)));
            object.into()
        })
        .collect();
    json!({
        "inputs": table.inputs,
        "outputs": table.outputs,
        "failures": table.failures(),
        "untrusted": table.untrusted(),
        "rows": rows,
    })
}
