//! `precess plot`, progress, Ctrl-C, completions and manual pages from end to end.

use std::process::{Command, Stdio};

use crate::common::{directory, precess, root, text};

#[test]
fn results_become_pictures() {
    let place = directory("pictures");
    let file = place.join("top.npz");
    precess(&["run", "models/heavy_top.toml", "--until", "0.2", "--every", "2ms", "-o", text(&file)]).done();
    let o = precess(&["plot", text(&file), "--solver"]).done();
    let svg = std::fs::read_to_string(place.join("top.svg")).unwrap();
    assert!(o.out.contains("top.svg") && svg.starts_with("<svg"), "{}", o.out);
    for part in [
        "positions",
        "energy deviation",
        "joint forces",
        "constraint residuals",
        "Newton iterations",
        "time, s",
        "position, m",
    ] {
        assert!(svg.contains(part), "'{part}' is missing");
    }
    let html = place.join("top.html");
    let j = precess(&[
        "plot",
        text(&file),
        "--sensor",
        "top.velocity",
        "--xy",
        "top.x,top.y",
        "--path",
        "top",
        "-o",
        text(&html),
        "--json",
    ])
    .done()
    .json();
    assert_eq!((j["panels"].as_u64(), j["rows"].as_u64()), (Some(3), Some(101)));
    assert!(std::fs::read_to_string(&html).unwrap().contains("uPlot"));
    precess(&["plot", text(&file), "-o", text(&place.join("top.png"))]).done();
    assert!(std::fs::read(place.join("top.png")).unwrap().starts_with(b"\x89PNG"));
    let count = std::fs::read_dir(&place).unwrap().count();
    assert_eq!(count, 4, "npz, svg, html, png");
}

#[test]
fn mistakes_end_with_a_remedy() {
    let place = directory("mistakes");
    let file = place.join("top.csv");
    let name = text(&file);
    precess(&["run", "models/heavy_top.toml", "--until", "0.01", "-o", name]).done();
    precess(&["plot", name, "--sensor", "enrgy"])
        .refused(&["unknown quantity 'enrgy'", "did you mean 'energy'"]);
    precess(&["plot", name, "--xy", "top.x"]).refused(&["two names", "help:"]);
    precess(&["plot", name, "--xy", "top.x,tip.fffx"]).refused(&["did you mean 'tip.fx'"]);
    precess(&["plot", name, "--path", "tap"]).refused(&["did you mean 'top'"]);
    precess(&["plot", name, "-o", "a.gif"]).refused(&["unknown kind of picture", ".html"]);
    precess(&["plot", name, "-o", text(&place.join("no/a.svg"))]).refused(&["cannot write", "help:"]);
    precess(&["plot", "models/heavy_top.toml"]).refused(&["unknown kind of results file"]);
    precess(&["plot", "nothing.npz"]).refused(&["cannot read nothing.npz", "help:"]);
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    precess(&["plot", name]).refused(&["is not complete", "help:"]);
    std::fs::write(&file, whole.replace("\"version\":1,", "\"version\":2,")).unwrap();
    precess(&["plot", name]).refused(&["has version 2", "reads version 1", "help:"]);
    precess(&["man", "plots"]).refused(&["did you mean 'plot'"]);
}

/// The first Ctrl-C ends the run after its step: results are complete, the code is 130.
#[cfg(unix)]
#[test]
fn ctrl_c_writes_what_there_is() {
    use std::io::{BufRead, BufReader};
    let place = directory("stopped");
    let file = place.join("top.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_precess"))
        .args([
            "run",
            "models/heavy_top.toml",
            "--until",
            "1e5",
            "--every",
            "1s",
            "--progress=plain",
            "-o",
            text(&file),
        ])
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line says that the run goes on.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    for part in ["t = ", " of 100000 s (", " steps/s, ", " Newton iterations per step, ", " left"] {
        assert!(first.contains(part), "'{part}' is missing in {first}");
    }
    assert!(!file.exists());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let last = lines.map_while(Result::ok).last().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{last}");
    assert!(
        last.starts_with("stopped at t = ") && last.ends_with("the results up to then are written"),
        "{last}"
    );
    let r = precess::study::results::read(&file).unwrap();
    let t = r.numbers("t").unwrap().0;
    assert!(!t.is_empty() && r.metadata.summary["t_end"].as_f64().unwrap() < 1e5);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);
}

#[test]
fn progress_is_quiet_unless_asked() {
    for how in ["auto", "none", "plain", "bar"] {
        let o = precess(&["run", "models/heavy_top.toml", "--until", "0.01", "--progress", how]).done();
        assert!(o.err.is_empty(), "{how}: {}", o.err);
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let o = precess(&["completions", shell]).done();
        assert!(o.out.contains("precess") && o.out.contains("formulation"), "{shell}");
    }
    let page = precess(&["man"]).done().out;
    assert!(page.contains(".TH precess 1") && page.contains("130 stopped by Ctrl"), "{page}");
    let page = precess(&["man", "run"]).done().out;
    assert!(page.contains("\\-\\-every") && page.contains("Exit codes"), "{page}");
}
