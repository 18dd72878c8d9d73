//! `precess study` and `precess sweep` as users call them.

use crate::common::{directory, precess, text};

const STUDY: [&str; 6] = ["study", "models/heavy_top.toml", "--until", "0.05", "--steps", "1e-3,5e-4"];

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

#[test]
fn study_prints_a_table() {
    let out = precess(&with(&STUDY, &["--methods", "gen-alpha", "fourth=bliedf:k=4"])).done().out;
    for part in ["largest errors on [0, 0.05] s", "its estimated error: q", "fourth", "(2.0", "iterations"] {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
    let lines: Vec<&str> = out.lines().filter(|l| l.starts_with("fourth")).collect();
    assert_eq!(lines.len(), 2);
}

#[test]
fn study_for_machines_and_files() {
    let folder = directory("study");
    let [csv, svg, html] = ["t.csv", "t.svg", "t.html"].map(|f| folder.join(f));
    let more = ["--methods", "gen-alpha rkmk4", "--reference", "exact", "--json", "--work", "--repeats", "1"];
    let files = ["-o", text(&csv), "-o", text(&svg), "-o", text(&html)];
    let json = precess(&with(&with(&STUDY, &more), &files)).done().json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let order = rows[1]["orders"]["q"].as_f64().unwrap();
    assert!((order - 2.0).abs() < 0.2 && rows[1]["time_s"].as_f64().unwrap() > 0.0, "{json:#}");
    assert!(rows[2]["failure"].as_str().unwrap().contains("constraints"), "{json:#}");
    assert!(std::fs::read_to_string(&csv).unwrap().starts_with("method,h,steps,error q"));
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert!(std::fs::read_to_string(&html).unwrap().contains("<html"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing else is left behind");
}

#[test]
fn study_shows_what_is_asked_for() {
    let out = precess(&with(&STUDY, &["--show", "v", "--window", "0.05"])).done().out;
    assert!(out.contains("errors at t = 0.05 s") && !out.contains("lambda  "), "{out}");
}

#[test]
fn studies_refuse_what_is_wrong() {
    precess(&with(&STUDY, &["--methods", "gen-alpha:sgma=1"])).refused(&["did you mean 'sigma'"]);
    precess(&with(&STUDY, &["--methods", "bliefd"])).refused(&["did you mean 'bliedf'"]);
    precess(&["study", "models/heavy_top.toml", "--steps", "1e-3:x"])
        .refused(&["positive number", "1e-3:1e-5:7"]);
    precess(&with(&STUDY, &["--window", "2:1"])).refused(&["--window FROM:TO"]);
    precess(&with(&STUDY, &["--reference", "best"])).refused(&["use fine, exact"]);
    precess(&with(&STUDY, &["-o", "/nonexistent/t.csv"])).refused(&["cannot write /nonexistent/t.csv"]);
    precess(&with(&STUDY, &["-o", "t.doc"])).refused(&["unknown kind", ".svg"]);
    precess(&["study", "models/rotor.toml", "--reference", "exact"]).refused(&["use fine"]);
    precess(&["sweep", "models/pendulum.toml", "--vary", "x=1,2"]).refused(&["unknown parameter 'x'", "x0"]);
    precess(&["sweep", "models/pendulum.toml", "--vary", "x0=0.1", "-o", "t.xls"]).refused(&["unknown kind"]);
}

/// Errors grow in every step. All runs reach their end, but none is useful. The table is still printed and
/// written.
#[test]
fn a_study_without_a_run_that_can_be_trusted_is_no_success() {
    let file = directory("untrusted").join("t.csv");
    let words = "unstable=vi-theta:variant=a,theta=0.45,allow_unstable=true";
    let study = ["study", "models/spherical_pendulum.toml", "--steps", "0.01,0.009", "--until", "1"];
    let o = precess(&with(&study, &["--methods", words, "-o", text(&file)]));
    assert_eq!(o.code, 1, "{}\n{}", o.out, o.err);
    assert!(o.err.contains("error: no run of this study can be trusted"), "{}", o.err);
    assert!(o.out.contains("!1.000e-2"), "{}", o.out);
    assert_eq!(std::fs::read_to_string(&file).expect("a table").lines().count(), 3);
    // One good row is enough.
    precess(&with(&study, &["--methods", words, "em"])).done();
}

/// A result file as reference: the run that wrote it has no error, and the error of another run is the
/// difference between the two.
#[test]
fn results_are_references() {
    let file = directory("reference").join("r.npz");
    let run = [
        "run",
        "models/heavy_top.toml",
        "--until",
        "0.05",
        "--step",
        "1e-4",
        "--method",
        "bliedf",
        "--out",
        text(&file),
    ];
    precess(&run).done();
    let more = ["--methods", "gen-alpha", "--reference", text(&file), "--json"];
    let by_file = precess(&with(&STUDY, &more)).done().json();
    let exact =
        precess(&with(&STUDY, &["--methods", "gen-alpha", "--reference", "exact", "--json"])).done().json();
    for quantity in ["q", "v", "lambda"] {
        let of = |json: &serde_json::Value| json["rows"][1]["errors"][quantity].as_f64().unwrap();
        assert!(
            (of(&by_file) / of(&exact) - 1.0).abs() < 1e-3,
            "{quantity}: {} {}",
            of(&by_file),
            of(&exact)
        );
    }
    precess(&["study", "models/rotor.toml", "--reference", text(&file)]).refused(&["rotor"]);
}

#[test]
fn sweep_prints_and_writes() {
    let folder = directory("sweep");
    let file = folder.join("t.csv");
    let base = [
        "sweep",
        "models/pendulum.toml",
        "--until",
        "0.05",
        "--vary",
        "x0=0.1:0.3:5",
        "--vary",
        "h=1e-3,5e-4",
    ];
    let out = precess(&with(&base, &["-o", text(&file)])).done().out;
    assert!(out.contains("10 runs in") && out.contains("precess run models/pendulum.toml"), "{out}");
    let table = std::fs::read_to_string(&file).unwrap();
    assert_eq!(table.lines().count(), 11);
    let columns = folder.join("t.npz");
    precess(&with(&base, &["-o", text(&columns)])).done();
    assert!(std::fs::metadata(&columns).unwrap().len() > 200);
    let json = precess(&with(&base, &["--json", "--jobs", "1"])).done().json();
    assert_eq!(json["rows"].as_array().unwrap().len(), 10);
    // The command of a row gives its numbers.
    let row = &json["rows"][7];
    let command = row["command"].as_str().unwrap();
    let args: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let run = precess(&args).done().json();
    assert_eq!(run["energy"]["max_abs_drift"], row["energy_drift"], "{command}");
}

/// A method that fails has no line, so it has no place in the legend.
#[test]
fn failed_methods_are_not_in_the_legend() {
    let file = directory("legend").join("t.svg");
    let more = ["--methods", "good=gen-alpha", "hopeless=gen-alpha:max_iterations=1", "-o", text(&file)];
    let o = precess(&with(&STUDY, &more)).done();
    assert!(o.out.contains("hopeless") && o.out.contains("failed"), "{}", o.out);
    let picture = std::fs::read_to_string(&file).expect("a picture");
    assert!(picture.contains("good") && !picture.contains("hopeless"));
}

#[test]
fn options_without_effect_are_told() {
    let o = precess(&with(&STUDY, &["--methods", "bliedf:rho=0.5,k=3"])).done();
    assert!(
        o.err.contains("integrator.rho has no effect with bliedf") && !o.err.contains("integrator.k"),
        "{}",
        o.err
    );
    let sweep =
        ["sweep", "models/pendulum.toml", "--until", "0.05", "--method", "bliedf", "--vary", "rho=0.5,0.9"];
    let o = precess(&sweep).done();
    assert!(o.err.contains("integrator.rho has no effect with bliedf"), "{}", o.err);
    precess(&with(&sweep, &["--seed", "3"])).refused(&["--seed"]);
    precess(&with(&STUDY, &["--repeats", "3"])).refused(&["--work"]);
}

/// Width and height of a PNG file. It must be a valid PNG.
fn png(file: &std::path::Path) -> (u32, u32) {
    let bytes = std::fs::read(file).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (word(16), word(20))
}

#[test]
fn studies_and_sweeps_draw_png() {
    let folder = directory("pictures_of_studies");
    let [study, map] = ["study.png", "map.png"].map(|f| folder.join(f));
    precess(&with(&STUDY, &["-o", text(&study)])).done();
    let sweep = ["sweep", "models/pendulum.toml", "--until", "0.05", "--vary", "x0=0.1:0.3:5"];
    let two = with(&sweep, &["--vary", "h=1e-3,5e-4"]);
    precess(&with(&two, &["-o", text(&map)])).done();
    for file in [&study, &map] {
        let (w, h) = png(file);
        assert!(w > 400 && h > 400, "{w} x {h}");
    }
    // One parameter: lines over it. Two: a map with a cell per run, and the value of each in its title.
    let [lines, map] = ["lines.svg", "map.svg"].map(|f| folder.join(f));
    precess(&with(&sweep, &["-o", text(&lines)])).done();
    precess(&with(&two, &["-o", text(&map)])).done();
    let [lines, map] = [lines, map].map(|f| std::fs::read_to_string(f).unwrap());
    assert!(lines.contains(">5 runs over x0<") && lines.contains("<path"), "{lines}");
    let panels = map.matches("<title").count() / 10;
    assert!(panels > 0 && map.matches("<title").count() == 10 * panels, "{panels}");
}
