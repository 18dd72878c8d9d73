//! Files of results that other programs read: chosen columns, units, no formulas, no paths, no false times.

use crate::common::*;

const TOP: &str = "models/heavy_top.toml";

fn first_line(file: &std::path::Path) -> String {
    std::fs::read_to_string(file).unwrap().lines().next().unwrap().to_string()
}

#[test]
fn chosen_columns_and_units() {
    let folder = directory("chosen_columns");
    let (all, some) = (folder.join("all.csv"), folder.join("some.csv"));
    let run = ["run", TOP, "--until", "0.01"];
    precess(&[&run[..], &["--out", text(&all), "--units"]].concat()).done();
    let head = first_line(&all);
    for part in ["t [s],", "top.x [m],", "tip.fz [N],", "energy [J],"] {
        assert!(head.contains(part), "{part}: {head}");
    }
    let chosen = ["--out", text(&some), "--columns", "energy,top.position,tip.fz"];
    precess(&[&run[..], &chosen].concat()).done();
    assert_eq!(first_line(&some), "t,energy,top.x,top.y,top.z,tip.fz");
    // The numbers are those of the whole file, and both files can be read again.
    let column = |file: &std::path::Path, name: &str| -> Vec<String> {
        let content = std::fs::read_to_string(file).unwrap();
        let mut lines = content.lines().filter(|l| !l.starts_with('#'));
        let head: Vec<String> =
            lines.next().unwrap().split(',').map(|c| c.split(" [").next().unwrap().into()).collect();
        let k = head.iter().position(|c| c == name).unwrap();
        lines.map(|l| l.split(',').nth(k).unwrap().to_string()).collect()
    };
    for name in ["t", "energy", "top.y", "tip.fz"] {
        assert_eq!(column(&all, name), column(&some, name), "{name}");
    }
    for file in [&all, &some] {
        let picture = folder.join("p.svg");
        precess(&["plot", text(file), "--sensor", "energy", "-o", text(&picture)]).done();
    }
    // An unknown name costs no results.
    let o = precess(&[&run[..], &["--out", text(&some), "--columns", "enrgy"]].concat()).done();
    assert!(o.err.contains("did you mean 'energy'") && o.err.contains("all columns"), "{}", o.err);
    precess(&[&run[..], &["--columns", "energy"]].concat()).refused(&["give --out FILE"]);
}

/// Names of strangers are no formulas of spreadsheets, no paths in archives and no tricks in terminals.
#[test]
fn names_do_no_harm() {
    let folder = directory("harmless_names");
    let file = folder.join("m.toml");
    let model = |name: &str| {
        let name = serde_json::to_string(name).unwrap();
        let body = format!("[[body]]\nname = {name}\nmass = 1\ninertia = [1, 1, 1]\n");
        std::fs::write(
            &file,
            format!("{body}[[sensor]]\nname = {name}\ntype = \"position\"\nbody = {name}\n"),
        )
        .unwrap();
    };
    for bad in ["", " ", "a\u{202e}b", "a\u{2028}b", "a\u{7}"] {
        model(bad);
        assert_eq!(precess(&["check", text(&file)]).code, 2, "{bad:?}");
    }
    model("=cmd|' /C calc'!A0");
    let out = folder.join("r.csv");
    precess(&["run", text(&file), "--until", "0.1", "--out", text(&out)]).done();
    let head = first_line(&out);
    assert!(head.contains("'=cmd|"), "{head}");
    assert!(head.split(',').all(|cell| !cell.trim_start_matches('"').starts_with('=')), "{head}");
    model("../../x");
    let out = folder.join("r.npz");
    precess(&["run", text(&file), "--until", "0.1", "--out", text(&out)]).done();
    let bytes = std::fs::read(&out).unwrap();
    let has = |part: &str| bytes.windows(part.len()).any(|w| w == part.as_bytes());
    assert!(has("..%2F..%2Fx.position.npy") && !has("../x.position.npy"));
    precess(&["plot", text(&out), "-o", text(&folder.join("p.svg"))]).done();
}

/// Results whose times are not in order or not finite are refused by everything that reads them.
#[test]
fn false_times_are_refused() {
    let folder = directory("false_times");
    let (good, bad) = (folder.join("good.csv"), folder.join("bad.csv"));
    precess(&["run", TOP, "--until", "0.01", "--every", "1ms", "--out", text(&good)]).done();
    let content = std::fs::read_to_string(&good).unwrap();
    let lines: Vec<&str> = content.lines().collect();
    for time in ["NaN", "-1e0", "inf", "1e9"] {
        let mut changed: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        let rest = lines[5].split_once(',').unwrap().1;
        changed[5] = format!("{time},{rest}");
        std::fs::write(&bad, changed.join("\n") + "\n").unwrap();
        for command in [&["plot", text(&bad)][..], &["view", text(&bad), "--no-open"]] {
            let picture = folder.join(if command[0] == "plot" { "p.svg" } else { "p.html" });
            let o = precess(&[command, &["-o", text(&picture)]].concat());
            assert!(o.code == 2 && o.err.contains("times"), "{time} {command:?}: {} {}", o.code, o.err);
        }
        let o = precess(&["run", TOP, "--start-from", text(&bad), "--until", "0.01"]);
        assert!(o.code == 2 && o.err.contains("times"), "{time}: {} {}", o.code, o.err);
    }
}
