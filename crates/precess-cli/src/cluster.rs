//! `precess sweep --dask`: a Dask cluster makes the runs, through the Python package `precess`.
//!
//! The plan goes to `python -m precess._cluster` as JSON. Rows come back when they are done, one line each.
//! The points and the table are the same as on this machine. If the scheduler is lost, the finished rows are
//! kept.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use precess::study::Sweep;
use precess::study::sweep::SweepRow;
use serde_json::{Value, json};

use crate::output::{Stop, wrong};
use crate::{args, interrupt};

/// Interval of the checks for Ctrl-C.
const ASKED: Duration = Duration::from_millis(100);

/// Rows with their numbers, and the error, if there was one.
pub type Done = (Vec<(usize, SweepRow)>, Option<Stop>);

/// Makes all runs of a sweep on the cluster with this scheduler. Calls `tick` for every row.
pub fn sweep(
    sweep: &Sweep,
    args: &args::Sweep,
    (file, text): (&str, &str),
    address: &str,
    tick: impl Fn(),
) -> Result<Done, Stop> {
    let (kind, n) = match (args.random, args.lhs) {
        (Some(n), _) => ("random", n),
        (_, Some(n)) => ("lhs", n),
        _ => ("grid", 0),
    };
    let plan = json!({
        "address": address,
        "file": file,
        "text": text,
        "overrides": args.source.overrides(),
        "vary": args.vary,
        "kind": kind,
        "n": n,
        "seed": args.seed,
        "collect": args.collect,
        "runs": sweep.points.len(),
    });
    let python = std::env::var("PRECESS_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let mut command = Command::new(&python);
    command.args(["-m", "precess._cluster"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let help = "install the package (pip install precess distributed), or name a Python that has it: \
                PRECESS_PYTHON=...";
    let mut child =
        command.spawn().map_err(|e| wrong(format!("cannot start {python}: {e}\n  help: {help}")))?;
    if let Some(mut input) = child.stdin.take() {
        // A Python without the package has already ended; this is reported below.
        let _ = input.write_all(plan.to_string().as_bytes());
    }
    let mut rows: Vec<Option<SweepRow>> = vec![None; sweep.points.len()];
    let (send, lines) = std::sync::mpsc::channel();
    let out = child.stdout.take();
    std::thread::spawn(move || {
        let lines = out.into_iter().flat_map(|out| BufReader::new(out).lines());
        lines.map_while(Result::ok).for_each(|line| drop(send.send(line)));
    });
    loop {
        match lines.recv_timeout(ASKED) {
            Ok(line) => {
                let Some((i, row)) = read(sweep, &line) else { continue };
                if let Some(place) = rows.get_mut(i) {
                    *place = Some(row);
                    tick();
                }
            }
            Err(RecvTimeoutError::Timeout) if interrupt::asked() => drop(child.kill()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().map_err(wrong)?;
    let done = rows.iter().flatten().count();
    let stop = match (status.success() && done == rows.len(), done) {
        (true, _) => None,
        _ if interrupt::asked() => None,
        (false, 0) => return Err(wrong(format!("the cluster made no run\n  help: {help}"))),
        (false, _) => {
            let message = format!(
                "error: the connection to the cluster was lost: {done} of {} runs are done",
                rows.len()
            );
            Some(Stop { code: 1, message })
        }
    };
    let rows = rows.into_iter().enumerate().filter_map(|(i, row)| Some((i, row?)));
    Ok((rows.collect(), stop))
}

/// Reads a row from its line.
fn read(sweep: &Sweep, line: &str) -> Option<(usize, SweepRow)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let [number, values, error, untrusted] = value.as_array()?.as_slice() else { return None };
    let number = usize::try_from(number.as_u64()?).ok()?;
    let word = |v: &Value| v.as_str().map(str::to_string);
    let numbers =
        || values.as_array()?.iter().map(|x| x.as_str()?.parse().ok()).collect::<Option<Vec<f64>>>();
    let result = match word(error) {
        Some(error) => Err(error),
        None => Ok(numbers()?),
    };
    Some((number, SweepRow { values: sweep.points.get(number)?.clone(), result, untrusted: word(untrusted) }))
}
