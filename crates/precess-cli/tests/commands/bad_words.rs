//! Whatever a user types, the answer is a result or a message: never a panic or a signal, and the program
//! always ends.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::*;

/// Runs the program; it must end within a minute, with a code of its own.
fn survives(args: &[&OsStr]) {
    let said =
        || args.iter().map(|a| a.to_string_lossy().chars().take(60).collect::<String>()).collect::<Vec<_>>();
    let folder = directory_once();
    let mut child = Command::new(env!("CARGO_BIN_EXE_precess"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stderr = child.stderr.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = std::io::Read::read_to_end(&mut stderr, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None if begin.elapsed() > Duration::from_secs(60) => {
                let _ = child.kill();
                panic!("{:?} does not end", said());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let err = reader.join().expect("the reader ends");
    assert!(!err.contains("panicked") && !err.contains("overflowed its stack"), "{:?}\n{err}", said());
    let code = status.code();
    assert!(matches!(code, Some(0..=2)), "{:?} ends with {code:?}\n{err}", said());
    assert!(
        code == Some(0) || err.contains("error: "),
        "{:?} ends with {code:?} without a word\n{err}",
        said()
    );
    assert!(!err.contains('\u{1b}'), "{:?} sends controls to the terminal", said());
}

/// A folder where files with strange names may appear.
fn directory_once() -> &'static std::path::Path {
    static FOLDER: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = directory("bad_words");
        for file in ["models/pendulum.toml", "crates/precess/tests/urdf/arm.urdf"] {
            let from = root().join(file);
            std::fs::copy(&from, folder.join(from.file_name().unwrap())).unwrap();
        }
        let result = ["run", "pendulum.toml", "--step", "0.01", "--until", "0.02", "-o", "result.json"];
        let done =
            Command::new(env!("CARGO_BIN_EXE_precess")).args(result).current_dir(&folder).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        folder
    })
}

/// Words that nobody should type.
fn words() -> Vec<OsString> {
    let mut list: Vec<OsString> = [
        "",
        " ",
        "0",
        "-0",
        "-1",
        "nan",
        "-inf",
        "1e999",
        "1e300",
        "1e-300",
        "5e-324",
        "18446744073709551615",
        "-9223372036854775808",
        "1,2,,3",
        "::",
        "1:2:3:4:5",
        "1e-3:1e-300",
        "0:1:1000000000000",
        "x=0:1:1000000000000",
        "x0=nan",
        "x0=1:2:0",
        "=",
        "a=b=c",
        "run.step=nan",
        "a.b.c.d=1",
        "model=1",
        "body.=1",
        "run.until=((((",
        "ä😀\u{301}",
        "\u{1b}[31mred",
        "\"",
        "{",
        "\n",
        "[[[[[[",
        ".",
        "/",
        "/dev/null/x",
        "nowhere/x.csv",
        "x.npz.csv",
        ".csv",
        "--",
        "off",
        "gen-alpha:",
        ":=",
        "gen-alpha:rho=nan",
        "max:",
        "t,t,t",
        "shoulder=1e999",
    ]
    .iter()
    .map(OsString::from)
    .collect();
    list.push("9".repeat(400).into());
    list.push("x".repeat(20_000).into());
    list.push(format!("run.until={}", "(".repeat(5_000)).into());
    list.push(OsStr::from_bytes(b"\xff\xfe\x80").to_os_string());
    list
}

/// Each of these options with every word.
fn every_option(command: &[&str], options: &[&str]) {
    for option in options {
        for word in words() {
            // As one argument: what begins with a hyphen is a value, too.
            let glued: OsString = [OsStr::new(option), OsStr::new("="), &word].into_iter().collect();
            let args: Vec<&OsStr> = command.iter().map(OsStr::new).chain([glued.as_os_str()]).collect();
            survives(&args);
        }
    }
}

const QUICK: [&str; 4] = ["pendulum.toml", "--set=run.step=0.01", "--set=integrator.tol=off", "--until=0.02"];

fn quick(command: &'static str) -> Vec<&'static str> {
    [&[command], &QUICK[..]].concat()
}

const SOURCE: [&str; 9] = [
    "--method",
    "--form",
    "--rho",
    "--tol",
    "--max-step",
    "--atol-rotation",
    "--atol-velocity",
    "--formulation",
    "--set",
];

#[test]
fn run() {
    every_option(&quick("run"), &SOURCE);
    every_option(&quick("run"), &["--out", "--every", "--progress", "--checkpoint"]);
    every_option(&[&quick("run")[..], &["--checkpoint=x.checkpoint"]].concat(), &["--checkpoint-every"]);
    every_option(&[&quick("run")[..], &["--out=x.csv"]].concat(), &["--every"]);
    every_option(&["run", "pendulum.toml", "--until=0.02"], &["--step"]);
    every_option(&["run", "pendulum.toml", "--step=0.01"], &["--until"]);
}

#[test]
fn check_and_study() {
    every_option(&quick("check"), &["--set", "--method", "--rho"]);
    every_option(&["check", "pendulum.toml"], &["--step", "--until"]);
    let study = [&quick("study")[..], &["--steps=0.01,0.005"]].concat();
    every_option(
        &study,
        &["--methods", "--reference", "--refine", "--window", "--show", "--repeats", "--jobs", "--out"],
    );
    every_option(&quick("study"), &["--steps"]);
}

#[test]
fn sweep() {
    let sweep = [&quick("sweep")[..], &["--vary=x0=0.1,0.2"]].concat();
    every_option(&sweep, &["--vary", "--seed", "--collect", "--jobs", "--out"]);
    let range = [&quick("sweep")[..], &["--vary=x0=0.1:0.2"]].concat();
    every_option(&range, &["--random", "--lhs"]);
    every_option(&quick("sweep"), &["--vary"]);
}

#[test]
fn files_and_the_rest() {
    every_option(&["plot", "result.json"], &["--sensor", "--xy", "--path", "--out"]);
    every_option(&["import", "arm.urdf"], &["--out", "--joint"]);
    every_option(&["claims", "--quick"], &["--paper"]);
    for command in [
        &["run"][..],
        &["check"],
        // By now, some of the words are files, because `import` has written them.
        &["study", "--until=0.02", "--steps=0.01,0.005"],
        &["sweep"],
        &["plot"],
        &["import"],
        &["models"],
        &["man"],
        &["completions"],
        &["claims"],
        &["nonsense"],
    ] {
        for word in words() {
            // Claims without a paper takes its time.
            if command != ["claims"] || !word.is_empty() {
                let args = command.iter().map(OsStr::new).chain([OsStr::new("--"), &word]);
                survives(&args.collect::<Vec<_>>());
            }
        }
    }
}
