//! `precess claims`: measures again what the papers state, and redraws their figures.

use std::path::Path;

use precess::Error;
use precess::study::parallel::Workers;
use precess_claims::figures::pictures;
use precess_claims::report::Report;
use precess_claims::{PAPERS, Value, all, differences, text};
use serde_json::{Value as Json, json};

use crate::args;
use crate::output::{Stop, print, write_file, wrong};
use crate::progress::jobs;

/// Folder of the pictures, beside the reports.
const PICTURES: &str = "figures";

/// Measures, draws, prints.
pub fn claims(args: &args::Claims) -> Result<(), Stop> {
    let papers = args.paper.iter().map(|name| paper(name)).collect::<Result<Vec<_>, _>>()?;
    let wanted =
        |key: &str, quick: bool| (papers.is_empty() || papers.contains(&key)) && (quick || !args.quick);
    let named = |id: &str| {
        // A whole name selects this claim alone, also if other names begin with it.
        let chosen = |name: &String| match all().any(|c| c.id.eq_ignore_ascii_case(name)) {
            true => id.eq_ignore_ascii_case(name),
            false => id.get(..name.len()).is_some_and(|x| x.eq_ignore_ascii_case(name)),
        };
        args.only.is_empty() || args.only.iter().any(chosen)
    };
    let claims: Vec<_> = all().filter(|c| wanted(c.paper, c.quick) && named(c.id)).collect();
    if claims.is_empty() {
        return Err(wrong("no claim has this name\n  help: names are in precess claims --json"));
    }
    let drawn: Vec<_> = match &args.out {
        Some(folder) => {
            prepare(folder)?;
            pictures().filter(|p| wanted(p.paper, p.quick)).collect()
        }
        None => Vec::new(),
    };

    let bar = jobs(claims.len() + drawn.len(), "claims and figures");
    let tick = || bar.inc(1);
    let report = Report::new(&claims, &drawn, Workers::new(args.jobs).telling(&tick));
    bar.finish_and_clear();

    if args.json {
        print(&format!("{:#}\n", as_json(&report)));
    } else {
        print(&text(&report.outcomes));
        let others = differences(&report.outcomes);
        if !others.is_empty() {
            print(&format!("\nDifferent from the papers:\n{others}"));
        }
        print(&format!("\n{} claims, {} verdicts changed\n", report.outcomes.len(), report.changed()));
    }
    if let Some(folder) = &args.out {
        write(folder, &report)?;
        if !args.json {
            let n = report.svgs().len();
            print(&format!("{n} figures, report: {}\n", folder.join("report.html").display()));
        }
    }
    let mut problems: Vec<String> = report
        .failures()
        .map(|(p, e)| format!("error: {} {} could not be drawn: {e}", p.paper, p.place))
        .collect();
    if report.changed() > 0 {
        problems.push(format!("error: {} verdicts changed", report.changed()));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Stop { code: 1, message: problems.join("\n") }),
    }
}

/// The key of a paper; upper and lower case are the same.
fn paper(name: &str) -> Result<&'static str, Stop> {
    let key = PAPERS.iter().map(|p| p.key).find(|k| k.eq_ignore_ascii_case(name));
    key.ok_or_else(|| wrong(Error::unknown_name("paper", name, PAPERS.iter().map(|p| p.key))))
}

/// Makes a folder that can be written to, before the work is done.
fn prepare(folder: &Path) -> Result<(), Stop> {
    std::fs::create_dir_all(folder.join(PICTURES)).map_err(|e| {
        wrong(format!("cannot make the folder {}: {e}\n  help: choose another one (--out)", folder.display()))
    })?;
    write_file(&folder.join("report.md"), b"")
}

fn write(folder: &Path, report: &Report) -> Result<(), Stop> {
    for (name, svg) in report.svgs() {
        write_file(&folder.join(PICTURES).join(name), svg.as_bytes())?;
    }
    write_file(&folder.join("report.md"), report.markdown(PICTURES).as_bytes())?;
    write_file(&folder.join("report.html"), report.html().as_bytes())
}

fn value(v: &Value) -> Json {
    match *v {
        Value::None => Json::Null,
        Value::Number(x) => json!(x),
        Value::AtMost(x) => json!({ "at_most": x }),
        Value::AtLeast(x) => json!({ "at_least": x }),
        Value::Between(x, y) => json!({ "at_least": x, "at_most": y }),
    }
}

fn as_json(report: &Report) -> Json {
    let claims: Vec<Json> = report
        .outcomes
        .iter()
        .map(|o| {
            let c = o.claim;
            let mut row = json!({
                "id": c.id,
                "paper": c.paper,
                "place": c.place,
                "statement": c.statement,
                "paper_value": value(&c.paper_value),
                "expected": value(&c.expected),
                "source": c.source.to_string(),
                "tolerance": c.tolerance,
                "verdict": c.verdict().to_string(),
                "by": format!("{:?}", c.by).to_lowercase(),
                "changed": o.changed(),
                "note": c.note,
            });
            match &o.measured {
                // JSON has no infinity.
                Ok(x) if x.is_finite() => row["measured"] = json!(x),
                Ok(x) => row["measured"] = json!(x.to_string()),
                Err(e) => row["failure"] = json!(e.to_string()),
            }
            row
        })
        .collect();
    let figures: Vec<Json> = report
        .figures
        .iter()
        .map(|d| {
            let p = d.picture;
            let file = matches!(d.figure, Some(Ok(_))).then(|| format!("{PICTURES}/{}.svg", p.slug()));
            json!({ "paper": p.paper, "place": p.place, "caption": p.caption, "note": p.note, "file": file })
        })
        .collect();
    json!({ "changed": report.changed(), "claims": claims, "figures": figures })
}
