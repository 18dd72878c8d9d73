//! `precess spectrum` on motions whose spectra are known, and formulas in other commands.

use crate::common::{directory, numbers, precess, text};

/// A mass on a spring, and a crank that runs up from 2 to 8 turns per second.
const MODEL: &str = r#"
[[body]]
name = "mass"
type = "point"
mass = 2
position = [0.03, 0, 0]
[[body]]
name = "crank"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.2, 0, 1]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 1]
axis = "z"
drive = "2*pi*(2*t + t^2)"
[[force]]
name = "spring"
type = "force"
body = "mass"
force = ["-2*(2*pi*7.3)^2*place.x", 0, 0]
[[sensor]]
name = "place"
type = "position"
body = "mass"
[[sensor]]
name = "turn"
type = "coordinate"
joint = "axle"
[run]
until = 3
"#;

#[test]
fn frequencies_and_orders_of_a_run() {
    let place = directory("spectrum");
    let (model, rows, steps) = (place.join("m.toml"), place.join("rows.npz"), place.join("steps.npz"));
    std::fs::write(&model, MODEL).unwrap();
    let run = |out: &std::path::Path, more: &[&str]| {
        precess(&[&["run", text(&model), "--tol", "1e-8", "-o", text(out)], more].concat()).done();
    };
    run(&rows, &["--every", "2ms"]);
    run(&steps, &[]);
    for (file, interpolated) in [(&rows, false), (&steps, true)] {
        let j = precess(&["spectrum", text(file), "--sensor", "place.x", "--json"]).done().json();
        let found = &j["spectra"][0];
        assert_eq!(
            (found["interpolated"].as_bool(), found["unit"].as_str()),
            (Some(interpolated), Some("m"))
        );
        let peak = &found["peaks"][0];
        assert!((peak["frequency"].as_f64().unwrap() - 7.3).abs() < 1e-3, "{peak}");
        assert!((peak["amplitude"].as_f64().unwrap() / 0.03 - 1.0).abs() < 1e-3, "{peak}");
        assert!(numbers(&found["amplitudes"]).len() > 100);
    }
    // The crank: its frequency sweeps from 2 to 8 Hz, and its order is one.
    let j = precess(&[
        "spectrum",
        text(&rows),
        "--sensor",
        "crank.x",
        "--sensor",
        "2*crank.y - 1 m",
        "--over",
        "turn",
        "--blocks",
        "6",
        "--json",
        "-o",
        text(&place.join("waterfall.png")),
        "-o",
        text(&place.join("waterfall.csv")),
    ])
    .done()
    .json();
    assert_eq!(j["unit"], "per turn");
    for (found, amplitude, mean) in [(&j["spectra"][0], 0.2, 0.0), (&j["spectra"][1], 0.4, -1.0)] {
        assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-5, "{}", found["mean"]);
        let peaks = found["peaks"].as_array().unwrap();
        assert_eq!(peaks.len(), 1, "{peaks:?}");
        assert!((peaks[0]["order"].as_f64().unwrap() - 1.0).abs() < 1e-4, "{}", peaks[0]);
        assert!((peaks[0]["amplitude"].as_f64().unwrap() / amplitude - 1.0).abs() < 1e-3, "{}", peaks[0]);
        let blocks = found["blocks"].as_array().unwrap();
        assert_eq!(blocks.len(), 6);
        for b in blocks {
            // The speed is that of the drive, 2 + 2 t turns per second.
            let speed = 2.0 + 2.0 * b["time"].as_f64().unwrap();
            assert!((b["turns_per_second"].as_f64().unwrap() / speed - 1.0).abs() < 0.02, "{b}");
            assert!((b["peaks"][0]["order"].as_f64().unwrap() - 1.0).abs() < 1e-3, "{}", b["peaks"]);
        }
    }
    assert!(std::fs::read(place.join("waterfall.png")).unwrap().starts_with(b"\x89PNG"));
    let csv = std::fs::read_to_string(place.join("waterfall.csv")).unwrap();
    assert!(csv.starts_with("order [per turn],crank.x [m],"), "{}", csv.lines().next().unwrap());
    let o = precess(&[
        "spectrum",
        text(&rows),
        "--sensor",
        "place.x",
        "--interval",
        "1:2",
        "--window",
        "none",
        "-o",
        text(&place.join("s.svg")),
    ])
    .done();
    assert!(o.out.contains("frequency, Hz") && o.out.contains("1.00000 s to"), "{}", o.out);
    assert!(std::fs::read_to_string(place.join("s.svg")).unwrap().contains("frequency, Hz"));
    // Rows every 100 ms show the vibration of 7.3 Hz at 2.7 Hz: refused.
    let coarse = place.join("coarse.csv");
    run(&coarse, &["--every", "100ms"]);
    let coarse = text(&coarse);
    precess(&["spectrum", coarse, "--sensor", "place.x"]).refused(&[
        "folded down",
        "one every",
        "--allow-aliasing",
    ]);
    let j = precess(&["spectrum", coarse, "--sensor", "place.x", "--allow-aliasing", "--json"]).done().json();
    let wrong = j["spectra"][0]["peaks"][0]["frequency"].as_f64().unwrap();
    assert!((wrong - 2.7).abs() < 0.05, "{wrong}");
    for (more, part) in [
        (&["--sensor", "plac.x"][..], "did you mean 'place.x'"),
        (&[], "say which quantities"),
        (&["--sensor", "place.x", "--window", "hamm"], "unknown window 'hamm'"),
        (&["--sensor", "place.x", "--interval", "2:1"], "two times"),
        (&["--sensor", "place.x", "--over", "place.x"], "no angle"),
        (&["--sensor", "place.x", "--blocks", "900"], "too short"),
    ] {
        precess(&[&["spectrum", text(&rows)], more].concat()).refused(&[part]);
    }
}

/// Formulas in pictures and in files of results; a vector on an axis is named with its components.
#[test]
fn formulas_in_pictures_and_columns() {
    let place = directory("formulas");
    let (model, file) = (place.join("m.toml"), place.join("r.csv"));
    std::fs::write(&model, MODEL).unwrap();
    let formula = "abs(crank.x - mass.x)";
    precess(&[
        "run",
        text(&model),
        "--every",
        "10ms",
        "--until",
        "0.1",
        "--columns",
        formula,
        "--columns",
        "crank.position",
        "--units",
        "-o",
        text(&file),
    ])
    .done();
    let csv = std::fs::read_to_string(&file).unwrap();
    assert!(
        csv.starts_with("t [s],abs(crank.x - mass.x) [m],crank.x [m],"),
        "{}",
        csv.lines().next().unwrap()
    );
    let first: Vec<f64> = csv.lines().nth(1).unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert!((first[1] - 0.17).abs() < 1e-12, "{first:?}");
    let svg = place.join("r.svg");
    let name = text(&file);
    precess(&[
        "plot",
        name,
        "--sensor",
        "max(crank.x, crank.y)",
        "--xy",
        "crank.x,2*crank.y",
        "-o",
        text(&svg),
    ])
    .done();
    assert!(std::fs::read_to_string(&svg).unwrap().contains("2*crank.y"));
    precess(&["plot", name, "--xy", "t,crank.position"]).refused(&[
        "'crank.position' is a vector",
        "crank.x",
        "norm:crank.position",
    ]);
}

/// A picture that cannot be drawn is refused before the runs, and a parameter needs no path.
#[test]
fn pictures_of_random_points_are_refused_at_once() {
    let place = directory("refused_picture");
    let picture = place.join("x.png");
    precess(&[
        "sweep",
        "models/pendulum.toml",
        "--vary",
        "x0=0.1:0.3",
        "--vary",
        "until=1:2",
        "--random",
        "100000",
        "-o",
        text(&picture),
    ])
    .refused(&["a map needs every combination", "random points"]);
    assert!(!picture.exists());
    let whole =
        precess(&["run", "models/pendulum.toml", "--set", "parameters.x0=0.2", "--json"]).done().json();
    let short = precess(&["run", "models/pendulum.toml", "--set", "x0=0.2", "--json"]).done().json();
    assert!(!whole["bodies"].is_null());
    assert_eq!(whole["bodies"], short["bodies"]);
    precess(&["run", "models/pendulum.toml", "--set", "x9=0.2"]).refused(&["x9"]);
}
