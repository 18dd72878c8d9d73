//! Every input is answered in time and memory proportional to its size, or refused with the limit.

use std::time::{Duration, Instant};

use crate::common::*;

/// Runs the program, which must not take long.
fn soon(args: &[&str]) -> Outcome {
    let begin = Instant::now();
    let outcome = precess(args);
    assert!(begin.elapsed() < Duration::from_secs(20), "{args:?}: {:?}", begin.elapsed());
    outcome
}

#[test]
fn many_mistakes() {
    let folder = directory("many_mistakes");
    let bodies = |n: usize, rest: &str| -> String {
        (0..n)
            .map(|i| format!("[[body]]\nname = \"b{i}\"\n{}\n", rest.replace('#', &i.to_string())))
            .collect()
    };
    // Unreadable entries, and entries that are wrong in the model.
    for (name, first, content) in [
        ("unreadable", ":4:11", bodies(50_000, "mass = \"x#\"\ninertia = [1, 1]\ncolor = 3")),
        ("wrong", ":3:8", bodies(50_000, "mass = \"x#\"\ninertia = [1, 1, 9]\nposition = \"nowhere\"")),
    ] {
        let file = folder.join(format!("{name}.toml"));
        std::fs::write(&file, content).unwrap();
        let found = soon(&["check", text(&file)]).refused(&["these are the first 100 problems"]);
        assert_eq!(found.err.matches("error:").count(), 100, "{name}");
        assert!(found.err.len() < 50_000, "{name}: {} bytes", found.err.len());
        // The first body is among them.
        assert!(found.err.contains(first), "{name}: {}", found.err);
    }
}

/// A problem in a long line shows the part around it.
#[test]
fn long_lines_are_cut() {
    let file = directory("long_lines").join("long.toml");
    let (before, after) = ("1, ".repeat(100_000), ", 1".repeat(100_000));
    std::fs::write(&file, format!("[model]\ngravity = [{before}wrong{after}]\n")).unwrap();
    let found = soon(&["check", text(&file)]).refused(&["wrong", "^", ":2:300012"]);
    assert!(found.err.len() < 2000, "{}", found.err.len());
    let marked = found.err.lines().find(|l| l.contains('^')).unwrap();
    let line = found.err.lines().find(|l| l.contains("wrong,")).unwrap();
    assert_eq!(line.chars().position(|c| c == 'w'), marked.chars().position(|c| c == '^'), "{}", found.err);
    let name = "n".repeat(1_000_000);
    std::fs::write(&file, format!("[[body]]\nname = \"{name}\"\nmass = -1\ninertia = [1, 1, 1]\n")).unwrap();
    let found = soon(&["check", text(&file)]).refused(&["choose a shorter name", "-1 is not positive"]);
    assert!(found.err.len() < 2000, "{}", found.err.len());
}

/// Devices without an end are not read to the end of the memory.
#[cfg(target_os = "linux")]
#[test]
fn endless_inputs() {
    for command in ["check", "run", "view", "modes", "equilibrium", "assemble", "kinematics", "import"] {
        soon(&[command, "/dev/zero"]).refused(&["/dev/zero", "more than 67108864 bytes"]);
    }
    let folder = directory("endless");
    for name in ["results.npz", "results.csv", "run.chk"] {
        std::os::unix::fs::symlink("/dev/zero", folder.join(name)).unwrap();
    }
    soon(&["plot", text(&folder.join("results.npz"))]).refused(&["not a plain file"]);
    soon(&["plot", text(&folder.join("results.csv"))]).refused(&["not a plain file"]);
    let chk = folder.join("run.chk");
    for more in [&[][..], &["--resume"]] {
        assert_eq!(
            soon(&[&["run", "models/pendulum.toml", "--checkpoint", text(&chk)], more].concat()).code,
            2
        );
    }
    // A model with a table that has no end.
    let model = folder.join("m.toml");
    let table = "[tables.a]\nfile = \"results.csv\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
    std::fs::write(&model, table).unwrap();
    soon(&["check", text(&model), "--allow-outside"]).refused(&["not a file"]);
}

/// An element of an imported robot is compared attribute by attribute, so their number is limited.
#[test]
fn robots_with_many_attributes() {
    let folder = directory("attributes");
    let list = |n: usize| (0..n).map(|i| format!(" a{i}=\"1\"")).collect::<String>();
    for (name, root) in [("r.urdf", "robot"), ("r.xml", "mujoco")] {
        let file = folder.join(name);
        std::fs::write(&file, format!("<{root} name=\"r\"{}/>", list(200_000))).unwrap();
        soon(&["import", text(&file)]).refused(&["the element has more than 1000 attributes"]);
    }
    // Many elements with a few unknown attributes each are no problem.
    let file = folder.join("links.urdf");
    let links: String = (0..9000).map(|i| format!("<link name=\"l{i}\" x{i}=\"1\" y=\"2\"/>")).collect();
    std::fs::write(&file, format!("<robot name=\"r\">{links}</robot>")).unwrap();
    soon(&["import", text(&file)]);
}
