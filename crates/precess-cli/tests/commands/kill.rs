//! Killed at any moment, resumed, and the results are the same bytes; stopped, refused, finished.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::*;

/// Starts the program and does not wait for it.
fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_precess"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// xorshift64: times that look random and are the same in every test run, as far as a scheduler allows.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

const KILLS: usize = 200;

#[test]
fn killed_two_hundred_times() {
    let folder = directory("kill");
    let file = |name: &str| folder.join(name);
    let (whole, out, chk) = (file("whole.npz"), file("out.npz"), file("run.chk"));
    let model = ["run", "models/double_pendulum.toml", "--step", "5e-4", "--until", "2", "--every", "4"];
    precess(&[&model[..], &["--out", text(&whole)]].concat()).done();
    let expected = std::fs::read(&whole).unwrap();
    let args = [
        &model[..],
        &["--out", text(&out), "--checkpoint", text(&chk), "--checkpoint-every", "50steps", "--resume"],
    ]
    .concat();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut kills, mut finished, mut resumed) = (0, 0, 0);
    let begin = Instant::now();
    while kills < KILLS || finished == 0 {
        resumed += usize::from(chk.exists());
        let mut child = start(&args);
        // Most kills happen during the run, some during the start of the program.
        std::thread::sleep(Duration::from_micros(500 + random.below(40_000)));
        if kills < KILLS && child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            // A kill between the results and the end of the program leaves them complete.
            if out.exists() {
                assert!(std::fs::read(&out).unwrap() == expected, "half a file after {kills} kills");
            }
            continue;
        }
        assert!(child.wait().unwrap().success(), "after {kills} kills");
        finished += 1;
        assert!(std::fs::read(&out).unwrap() == expected, "other results after {kills} kills");
        assert!(!chk.exists(), "the checkpoint of a finished run is of no use");
        std::fs::remove_file(&out).unwrap();
    }
    println!("{kills} kills, {resumed} resumed, {finished} finished, {:.1} s", begin.elapsed().as_secs_f64());
    assert!(resumed > KILLS / 2, "only {resumed} of {KILLS} runs were resumed");
}

fn with_checkpoint(chk: &Path, more: &[&str]) -> Outcome {
    precess(&[&["run", "models/heavy_top.toml", "--checkpoint", text(chk)], more].concat())
}

/// A failing run keeps its last checkpoint; another run refuses it and says why.
#[test]
fn refused() {
    let folder = directory("checkpoint_refused");
    let chk = folder.join("run.chk");
    let failing = ["--method", "gen-alpha", "--form", "index3", "--step", "0.1", "--until", "30"];
    let every = ["--checkpoint-every", "1steps"];
    let o = with_checkpoint(&chk, &[&failing[..], &every].concat());
    assert_eq!(o.code, 1, "{}", o.err);
    assert!(chk.exists());
    with_checkpoint(&chk, &["--resume", "--method", "bliedf", "--step", "0.1"]).refused(&[
        "belongs to another run: the method is gen-alpha in the checkpoint and bliedf in this run",
        "help: ",
    ]);
    // The same command continues the run, which fails in the same step.
    let again = with_checkpoint(&chk, &[&failing[..], &every, &["--resume"]].concat());
    assert!(
        again.err.contains("continued from step") && again.err.ends_with(&o.err),
        "{}\n{}",
        again.err,
        o.err
    );
    let bytes = std::fs::read(&chk).unwrap();
    std::fs::write(&chk, &bytes[..bytes.len() / 2]).unwrap();
    with_checkpoint(&chk, &[&failing[..], &["--resume"]].concat())
        .refused(&["damaged", "help: start again without one (leave out --resume)"]);
    std::fs::write(&chk, "notes").unwrap();
    with_checkpoint(&chk, &["--resume"]).refused(&["not a checkpoint of precess"]);
    with_checkpoint(&chk, &["--checkpoint-every", "often"]).refused(&["checkpoint-every", "1000steps"]);
    std::fs::remove_file(&chk).unwrap();
    let o = with_checkpoint(&chk, &["--resume", "--until", "0.01"]).done();
    assert!(o.err.contains("starts at the beginning") && !chk.exists(), "{}", o.err);
    assert_eq!(precess(&["run", "models/heavy_top.toml", "--resume"]).code, 2);
}

/// The same input gives the same bytes: twice the same command, one thread or two.
#[test]
fn same_input_same_bytes() {
    let folder = directory("same_bytes");
    let written = |name: &str, args: &[&str]| {
        let file = folder.join(name);
        precess(&[args, &["--out", text(&file)]].concat()).done();
        std::fs::read(file).unwrap()
    };
    for (model, more) in [
        ("models/heavy_top.toml", &["--tol", "1e-6"][..]),
        ("models/four_bar.toml", &[]),
        ("models/gate.toml", &[]),
        ("models/chain.toml", &["--until", "0.1"]),
        ("models/heavy_top.toml", &["--method", "em", "--formulation", "directors", "--step", "1e-3"]),
    ] {
        for kind in ["npz", "csv", "json"] {
            let args = [&["run", model], more].concat();
            let [a, b] = ["a", "b"].map(|n| written(&format!("{n}.{kind}"), &args));
            assert!(a == b && !a.is_empty(), "{args:?} .{kind}");
        }
    }
    let sweep = [
        "sweep",
        "models/heavy_top.toml",
        "--vary",
        "spin=100:200:9",
        "--vary",
        "h=1e-3,5e-4",
        "--until",
        "0.1",
    ];
    let study = [
        "study",
        "models/heavy_top.toml",
        "--methods",
        "gen-alpha",
        "bliedf:k=3",
        "--steps",
        "2e-3:5e-4",
        "--window",
        "0:0.2",
    ];
    for (name, args) in [("sweep", &sweep[..]), ("study", &study)] {
        for kind in ["csv", "json"] {
            let jobs = |n: &str, run: &str| {
                written(&format!("{name}{run}.{kind}"), &[args, &["--jobs", n]].concat())
            };
            let one = jobs("1", "a");
            assert!(!one.is_empty());
            for run in ["b", "c", "d"] {
                assert!(jobs("2", run) == one, "{name}.{kind} depends on the threads");
            }
        }
    }
}
