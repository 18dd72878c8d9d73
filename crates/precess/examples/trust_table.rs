//! How far good runs are from the limits above which results are called meaningless, and how far meaningless
//! ones.
//!
//! `cargo run --release -p precess --example trust_table` runs every model of `models/` with its own
//! settings, with steps 5, 10 and 20 times as long and with tolerances of 1e-3 and 1e-5, some of them with
//! other methods and coordinates, and then runs that are known to mean nothing. It prints the largest X and Y
//! of each group; `-- all` prints every run.

use precess::integrate::InitialValues;
use precess::methods::{adaptive_method, method};
use precess::model::{Settings, build, load};
use precess::study::{Doubt, Summary};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");

/// Models without losses for methods that are made for them.
const CONSERVATIVE: &[&str] = &["double_pendulum", "heavy_top_slow", "joint_universal", "pendulum"];
const DIRECTORS: &[&str] = &["em", "em-g", "vi-s", "vi-a", "vi-b", "vi-theta"];
const OTHERS: &[&str] =
    &["r3so3 bliedf", "se3 gen-alpha", "euler-parameters gen-alpha", "euler-parameters bliedf"];

/// Runs that mean nothing: model and settings.
const MEANINGLESS: &[(&str, &str)] = &[
    ("heavy_top", "formulation=tait-bryan method=gen-alpha step=1e-3"),
    ("heavy_top", "formulation=tait-bryan method=gen-alpha step=3e-4"),
    ("heavy_top", "formulation=tait-bryan method=gen-alpha step=1e-4"),
    ("heavy_top", "formulation=tait-bryan method=gen-alpha step=3e-5"),
    ("heavy_top", "method=gen-alpha step=2e-2"),
    ("heavy_top", "formulation=directors method=vi-theta vartheta=0.6 step=1e-3 until=0.03"),
    ("heavy_top", "method=gen-alpha form=index3 rho=0.9 sigma=1 sigma_variant=published step=3e-3"),
    ("rotor", "formulation=euler-parameters form=index3 step=1e-5 until=0.1"),
    ("rotor", "method=rkmk4 step=1.6e-4 until=0.01"),
];

/// The outcome of a run: its name, its summary, and the error it ended with.
struct Line {
    name: String,
    summary: Summary,
    error: Option<String>,
}

/// Overrides from words such as `step=1e-3`.
fn overrides(words: &str) -> Vec<String> {
    let path = |w: &str| match w.split('=').next() {
        Some("step" | "until") => format!("run.{w}"),
        _ => format!("integrator.{w}"),
    };
    let mut list: Vec<String> = words.split_whitespace().map(path).collect();
    if words.contains("step=") {
        list.push("integrator.tol=off".into());
    }
    if words.contains("tol=") {
        list.push("run.step=off".into());
    }
    list
}

fn run(model: &str, words: &str) -> Result<Line, String> {
    let say = |e: precess::Error| e.to_string();
    let text = std::fs::read_to_string(format!("{MODELS}/{model}.toml")).map_err(|e| e.to_string())?;
    let loaded = load(model, &text, &overrides(words)).map_err(|e| e.to_string())?;
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).map_err(say)?;
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = s.fix_initial;
    let mut state = initial.consistent(&*built.system).map_err(say)?;
    let outcome = if let (Some(run), Some(tol)) = (s.adaptive_run(), s.tolerance) {
        let mut method = adaptive_method(&s.method, &s.options, tol).map_err(say)?;
        run.run(&*built.system, &mut *method, &mut state, &mut ())
    } else {
        let mut method = method(&s.method, &s.options).map_err(say)?;
        s.run().run(&*built.system, &mut *method, &mut state, &mut ())
    };
    let name = format!("{model} {words}").trim().to_string();
    Ok(match outcome {
        Ok(summary) => Line { name, summary, error: None },
        Err(f) => Line { name, error: Some(f.error.to_string()), summary: f.summary },
    })
}

fn settings(model: &str) -> Option<Settings> {
    let text = std::fs::read_to_string(format!("{MODELS}/{model}.toml")).ok()?;
    Some(load(model, &text, &[]).ok()?.settings)
}

fn number(x: Option<f64>) -> String {
    x.map_or("-".to_string(), |x| format!("{x:.1e}"))
}

fn verdict(line: &Line) -> String {
    match (&line.error, &line.summary.trust.doubt) {
        (Some(error), _) => format!("error: {error}"),
        (None, Some(Doubt::Wrong(reason))) => format!("cannot be trusted: {reason}"),
        (None, Some(Doubt::Notice(_))) => "notice".to_string(),
        (None, None) => String::new(),
    }
}

/// The largest of the numbers of a group, and whose it is.
fn worst(lines: &[Line], of: fn(&Summary) -> Option<f64>) -> String {
    let all = lines.iter().filter(|l| l.error.is_none()).filter_map(|l| Some((of(&l.summary)?, &l.name)));
    let largest = all.max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map_or("-".to_string(), |(x, name)| format!("{x:.1e} ({name})"))
}

fn show(title: &str, lines: &[Line]) {
    let count = |f: fn(&Line) -> bool| lines.iter().filter(|l| f(l)).count();
    println!(
        "| {title} | {} | {} | {} | {} | {} | {} |",
        lines.len(),
        worst(lines, |s| s.trust.energy),
        worst(lines, |s| s.trust.velocity),
        count(|l| l.error.is_none() && matches!(l.summary.trust.doubt, Some(Doubt::Notice(_)))),
        count(|l| l.error.is_none() && l.summary.trust.wrong().is_some()),
        count(|l| l.error.is_some()),
    );
}

/// Groups of runs that mean something: title, and model and settings of each.
fn groups() -> Vec<(String, Vec<(String, String)>)> {
    let mut models: Vec<String> = std::fs::read_dir(MODELS)
        .into_iter()
        .flatten()
        .filter_map(|f| Some(f.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_string()))
        .collect();
    models.sort();
    let end = |model: &str| if model == "rotor" { " until=0.1" } else { "" };
    let mut groups = vec![(
        "own settings".to_string(),
        models.iter().map(|m| (m.clone(), end(m).to_string())).collect::<Vec<_>>(),
    )];
    for factor in [5.0, 10.0, 20.0] {
        let coarse = models.iter().filter_map(|m| {
            let s = settings(m)?;
            let own = if s.tolerance.is_some() { 1e-3 * s.until } else { s.step };
            // Three rad per step are listed below.
            let known = m == "heavy_top" && factor == 20.0;
            (!known).then(|| (m.clone(), format!("step={:.2e}{}", factor * own, end(m))))
        });
        groups.push((format!("steps {factor} times as long"), coarse.collect()));
    }
    for tol in ["1e-3", "1e-5"] {
        let list = models.iter().map(|m| (m.clone(), format!("tol={tol}{}", end(m))));
        groups.push((format!("tolerance {tol}"), list.collect()));
    }
    let mut others = Vec::new();
    for model in CONSERVATIVE {
        let h = settings(model).map_or(1e-3, |s| s.step);
        for factor in [1.0, 5.0] {
            let step = format!("step={:.2e}", factor * h);
            let conserving = DIRECTORS.iter().map(|m| format!("formulation=directors method={m} {step}"));
            let group = OTHERS.iter().filter_map(|m| {
                let (formulation, method) = m.split_once(' ')?;
                Some(format!("formulation={formulation} method={method} {step}"))
            });
            others.extend(conserving.chain(group).map(|words| (model.to_string(), words)));
        }
    }
    groups.push(("other methods and coordinates".to_string(), others));
    groups
}

fn main() {
    let all = std::env::args().any(|a| a == "all");
    println!(
        "| runs | how many | largest X | largest Y | notices | alarms | errors \
         |\n|---|---|---|---|---|---|---|"
    );
    let mut details = Vec::new();
    for (title, list) in groups() {
        let mut lines = Vec::new();
        for (model, words) in list {
            match run(&model, &words) {
                Ok(line) => lines.push(line),
                Err(e) => eprintln!("{model} {words}: {e}"),
            }
        }
        show(&title, &lines);
        details.append(&mut lines);
    }
    println!("\n| meaningless runs | X | Y | what is said |\n|---|---|---|---|");
    let meaningless = MEANINGLESS
        .iter()
        .filter_map(|(model, words)| run(model, words).map_err(|e| eprintln!("{model}: {e}")).ok());
    let row = |l: &Line| {
        let trust = &l.summary.trust;
        println!("| {} | {} | {} | {} |", l.name, number(trust.energy), number(trust.velocity), verdict(l));
    };
    meaningless.for_each(|l| row(&l));
    if all {
        println!("\n| run | X | Y | verdict |\n|---|---|---|---|");
        details.iter().for_each(row);
    }
}
