//! Nothing is lost and nobody is overwritten: checkpoints beside other files, two writers of one file,
//! signals, full devices, links and pipes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::*;

/// Starts the program and does not wait for it.
fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_precess"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|n| n.to_string()).collect()
}

/// Files of users are no checkpoints: not without and not with --resume, and not if the run would be short.
#[test]
fn a_checkpoint_replaces_nothing() {
    let folder = directory("checkpoint_replaces");
    let model = folder.join("top.toml");
    std::fs::copy(root().join("models/heavy_top.toml"), &model).unwrap();
    let text_of_model = std::fs::read_to_string(&model).unwrap();
    let notes = folder.join("notes.txt");
    std::fs::write(&notes, "x\n").unwrap();
    std::fs::write(folder.join("empty"), "").unwrap();
    std::fs::create_dir(folder.join("folder")).unwrap();
    let sweep = ["sweep", text(&model), "--until", "0.01", "--vary", "spin=100,110"];
    for command in [&["run", text(&model), "--until", "0.01"][..], &sweep] {
        for name in ["notes.txt", "top.toml", "empty", "folder"] {
            let file = folder.join(name);
            let args = [command, &["--checkpoint", text(&file)]].concat();
            precess(&args).refused(&[name, "is not a checkpoint", "help: give another name"]);
            assert_eq!(precess(&[&args[..], &["--resume"]].concat()).code, 2);
        }
        precess(&[command, &["--checkpoint", text(&folder.join("no/such/x.chk"))]].concat())
            .refused(&["cannot write the checkpoint", "x.chk"]);
    }
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "x\n");
    assert_eq!(std::fs::read_to_string(&model).unwrap(), text_of_model);
    assert_eq!(names(&folder), set(&["top.toml", "notes.txt", "empty", "folder"]));
}

/// The checkpoint of hours of work needs a word of the user.
#[test]
fn a_half_finished_checkpoint_stays() {
    let folder = directory("half_finished");
    let chk = folder.join("run.chk");
    let failing =
        ["run", "models/heavy_top.toml", "--method", "gen-alpha", "--form", "index3", "--step", "0.1"];
    let every = ["--until", "30", "--checkpoint", text(&chk), "--checkpoint-every", "1steps"];
    let args = [&failing[..], &every].concat();
    assert_eq!(precess(&args).code, 1);
    let kept = std::fs::read(&chk).unwrap();
    precess(&args).refused(&["already a checkpoint", "run.chk", "help: continue that run (--resume)"]);
    // Another run does not replace it either.
    precess(&["run", "models/pendulum.toml", "--until", "0.1", "--checkpoint", text(&chk)])
        .refused(&["already a checkpoint"]);
    assert!(std::fs::read(&chk).unwrap() == kept);
    let again = precess(&[&args[..], &["--resume"]].concat());
    assert!(again.err.contains("continued from step"), "{}", again.err);
}

/// Several programs write one file at the same time: all say that they wrote it, and it is whole.
#[test]
fn two_writers_of_one_file() {
    let folder = directory("two_writers");
    let out = folder.join("mix.npz");
    let long = ["run", "models/pendulum.toml", "--until", "40", "--out", text(&out)];
    let short = ["run", "models/heavy_top.toml", "--until", "1", "--every", "1ms", "--out", text(&out)];
    let whole = [&long[..], &short].map(|args| {
        precess(args).done();
        std::fs::read(&out).unwrap()
    });
    for _ in 0..3 {
        let writers = [start(&long), start(&short), start(&long), start(&short)];
        for writer in writers {
            let done = writer.wait_with_output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
        let found = std::fs::read(&out).unwrap();
        assert!(whole.contains(&found), "mixed bytes");
        assert_eq!(names(&folder), set(&["mix.npz"]));
    }
}

#[cfg(unix)]
fn kill(child: &Child, signal: &str) {
    let done = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(done.unwrap().success());
}

/// Sends a signal when a file appears, and waits for the end, which is soon.
#[cfg(unix)]
fn ended(child: Child, signal: &str, delay: Duration) -> Output {
    std::thread::sleep(delay);
    kill(&child, signal);
    let begin = Instant::now();
    let done = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(20), "{signal} did not end the program");
    done
}

/// Ctrl-C, SIGTERM and SIGHUP end a run after its step: results and checkpoint are there, and it continues to
/// the same bytes.
#[cfg(unix)]
#[test]
fn signals_end_a_run() {
    let folder = directory("signals_run");
    let file = |name: &str| folder.join(name);
    let (out, chk) = (file("out.csv"), file("run.chk"));
    // Coarse steps, so that the test is short.
    let model = ["run", "models/double_pendulum.toml", "--step", "1e-3", "--every", "500"];
    for signal in ["INT", "TERM", "HUP"] {
        let args = [
            &model[..],
            &["--until", "4000", "--out", text(&out), "--checkpoint", text(&chk), "--progress", "none"],
        ]
        .concat();
        let done = ended(start(&args), signal, Duration::from_millis(700));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(130), "{signal}: {said}");
        assert!(said.contains("stopped at t = ") && said.contains("--resume continues"), "{signal}: {said}");
        assert_eq!(names(&folder), set(&["out.csv", "run.chk"]), "{signal}");
        let rows = std::fs::read_to_string(&out).unwrap().lines().filter(|l| !l.starts_with('#')).count();
        assert!(rows > 2, "{signal}: {rows} rows");
        std::fs::remove_file(&out).unwrap();
        std::fs::remove_file(&chk).unwrap();
    }
}

/// The same for a sweep: finished rows are written, the others say that they are not done, and the sweep that
/// continues gives the bytes of one that was never stopped.
#[cfg(unix)]
#[test]
fn signals_end_a_sweep() {
    let folder = directory("signals_sweep");
    let file = |name: &str| folder.join(name);
    let (whole, out, chk) = (file("whole.csv"), file("out.csv"), file("sweep.chk"));
    let args = [
        "sweep",
        "models/double_pendulum.toml",
        "--set",
        "integrator.tol=off",
        "--vary",
        "h=1e-4:2e-4:80",
        "--until",
        "0.4",
        "--jobs",
        "2",
    ];
    let begin = Instant::now();
    precess(&[&args[..], &["-o", text(&whole)]].concat()).done();
    let half = begin.elapsed() / 2;
    let whole = std::fs::read_to_string(whole).unwrap();
    let kept = [&args[..], &["-o", text(&out), "--checkpoint", text(&chk)]].concat();
    for signal in ["INT", "TERM", "HUP"] {
        let done = ended(start(&kept), signal, half);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(130), "{signal}: {said}");
        assert_eq!(names(&folder), set(&["whole.csv", "out.csv", "sweep.chk"]), "{signal}");
        let part = std::fs::read_to_string(&out).unwrap();
        let (mut same, mut missing) = (0, 0);
        for (a, b) in part.lines().zip(whole.lines()) {
            match a.contains(",not done,") {
                true => missing += 1,
                false => {
                    same += 1;
                    assert_eq!(a, b, "{signal}");
                }
            }
        }
        assert!(same > 1 && missing > 1 && same + missing == 81, "{signal}: {same} and {missing} lines");
        let refused = precess(&kept);
        refused.refused(&["already a checkpoint", "--resume"]);
        let go_on = precess(&[&kept[..], &["--resume"]].concat()).done();
        assert!(go_on.err.contains(&format!("continued with {} rows", same - 1)), "{}", go_on.err);
        assert!(std::fs::read_to_string(&out).unwrap() == whole, "{signal}: other rows");
        assert_eq!(names(&folder), set(&["whole.csv", "out.csv"]), "{signal}");
        std::fs::remove_file(&out).unwrap();
    }
    // Another sweep refuses the checkpoint.
    ended(start(&kept), "TERM", half);
    let other = [&kept[..], &["--resume", "--set", "body.upper.mass=3"]].concat();
    assert_eq!(precess(&other).code, 2);
}

/// A killed program leaves a temporary file, which the next one removes.
#[cfg(unix)]
#[test]
fn leftovers_of_killed_programs_are_removed() {
    let folder = directory("leftovers");
    let out = folder.join("out.csv");
    let args =
        ["run", "models/double_pendulum.toml", "--step", "1e-3", "--until", "4000", "--out", text(&out)];
    ended(start(&args), "KILL", Duration::from_millis(300));
    let left = names(&folder);
    assert!(left.len() == 1 && left.iter().all(|n| n.ends_with(".part")), "{left:?}");
    precess(&["run", "models/pendulum.toml", "--until", "0.1", "--out", text(&out)]).done();
    assert_eq!(names(&folder), set(&["out.csv"]));
    // A command without results so far ends at once and leaves nothing.
    let picture = folder.join("study.csv");
    let study = ["study", "models/heavy_top.toml", "--steps", "1e-4:1e-6", "-o", text(&picture)];
    let done = ended(start(&study), "TERM", Duration::from_millis(500));
    assert_eq!(done.status.code(), Some(130));
    assert_eq!(names(&folder), set(&["out.csv"]));
}

/// Output that does not arrive is an error of every command.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let top = "models/heavy_top.toml";
    for args in [
        &["run", top, "--until", "0.01"][..],
        &["run", top, "--until", "0.01", "--json"],
        &["check", top],
        &["check", top, "--json"],
        &["schema"],
        &["schema", "--markdown"],
        &["models", "models"],
        &["methods"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["run", "--help"],
        &["--version"],
        &["modes", "models/double_pendulum.toml"],
        &["equilibrium", "models/double_pendulum.toml"],
        &["sweep", top, "--until", "0.01", "--vary", "spin=1,2"],
        &["study", top, "--until", "0.01", "--steps", "1e-3:5e-4"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_precess"));
        let done = command.args(args).current_dir(root()).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("cannot write to the standard output"), "{args:?}: {said}");
    }
    // Files on a full device: the input is right, so the exit code is 1.
    let folder = directory("full_device");
    for (name, args) in [
        ("r.npz", &["run", top, "--until", "0.01", "--out"][..]),
        ("s.csv", &["sweep", top, "--until", "0.01", "--vary", "spin=1,2", "-o"]),
        ("v.html", &["view", top, "--until", "0.01", "--no-open", "-o"]),
    ] {
        let file = folder.join(name);
        std::os::unix::fs::symlink("/dev/full", &file).unwrap();
        let o = precess(&[args, &[text(&file)]].concat());
        assert!(o.code == 1 && o.err.contains("cannot write"), "{name}: {} {}", o.code, o.err);
    }
}

/// Results go through a link to its file, and into a pipe to its reader.
#[cfg(unix)]
#[test]
fn links_and_pipes_are_written() {
    let folder = directory("links_and_pipes");
    let file = |name: &str| folder.join(name);
    let run = ["run", "models/pendulum.toml", "--until", "0.1", "--out"];
    precess(&[&run[..], &[text(&file("plain.csv"))]].concat()).done();
    let plain = std::fs::read(file("plain.csv")).unwrap();
    std::fs::create_dir(file("far")).unwrap();
    std::os::unix::fs::symlink("far/there.csv", file("link.csv")).unwrap();
    precess(&[&run[..], &[text(&file("link.csv"))]].concat()).done();
    assert!(std::fs::symlink_metadata(file("link.csv")).unwrap().is_symlink());
    assert!(std::fs::read(file("far/there.csv")).unwrap() == plain);
    assert!(Command::new("mkfifo").arg(file("pipe.csv")).status().unwrap().success());
    let pipe = file("pipe.csv");
    let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
    precess(&[&run[..], &[text(&file("pipe.csv"))]].concat()).done();
    assert!(reader.join().unwrap() == plain);
    assert_eq!(names(&folder), set(&["plain.csv", "link.csv", "far", "pipe.csv"]));
    // A model of a stranger does not write through a link of its folder.
    let model = std::fs::read_to_string(root().join("models/pendulum.toml")).unwrap();
    std::fs::write(file("m.toml"), format!("{model}\n[output]\nfile = \"link.csv\"\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_precess"));
    let done = command.args(["run", "m.toml", "--until", "0.1"]).current_dir(&folder).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("is outside the folder"));
}
