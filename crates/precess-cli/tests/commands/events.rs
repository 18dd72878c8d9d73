//! Events on the command line: summaries, time histories, mistakes.

use crate::common::{directory, precess, text};

const DROP: &str = "models/drop_test.toml";

#[test]
fn a_stop_ends_the_run_and_events_are_in_the_summaries() {
    let j = precess(&["run", DROP, "--json"]).done().json();
    assert_eq!(j["t_end"], 2.5);
    let events = j["events"].as_array().unwrap();
    let first = &events[0];
    assert_eq!(
        (&first["name"], &first["action"], &first["direction"]),
        (&"contact".into(), &"switch".into(), &"falling".into())
    );
    // Free fall from 0.5 m.
    let t = (1.0_f64 / 9.81).sqrt();
    assert!((first["t"].as_f64().unwrap() - t).abs() < 1e-12);
    assert!((first["sensors"]["speed"].as_f64().unwrap() + 9.81 * t).abs() < 1e-9);
    assert!(first["bodies"]["carriage"]["position"][2].as_f64().unwrap().abs() < 1e-12);
    let last = events.last().unwrap();
    assert_eq!((&last["name"], &last["action"], &last["t"]), (&"enough".into(), &"stop".into(), &2.5.into()));
    let o = precess(&["run", DROP, "--until", "0.6"]).done();
    for part in ["\nevents\n", "contact ", "rebound ", "falling  switch", "to t = 0.6 s"] {
        assert!(o.out.contains(part), "'{part}' is missing in\n{}", o.out);
    }
    // A run without events does not mention events.
    let o = precess(&["run", "models/pendulum.toml", "--until", "0.01"]).done();
    assert!(!o.out.contains("events"), "{}", o.out);
    let j = precess(&["run", "models/pendulum.toml", "--until", "0.01", "--json"]).done().json();
    assert_eq!(j["events"], serde_json::json!([]));
}

#[test]
fn the_history_has_the_events() {
    let file = directory("events").join("drop.csv");
    let run = ["run", DROP, "--until", "0.9", "--every", "10", "--out", text(&file), "--json"];
    let j = precess(&run).done().json();
    let kept = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<f64> = kept
        .lines()
        .skip(1)
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(rows.windows(2).all(|w| w[0] <= w[1]));
    for event in j["events"].as_array().unwrap() {
        let t = event["t"].as_f64().unwrap();
        let expected = if event["action"] == "switch" { 2 } else { 1 };
        assert_eq!(rows.iter().filter(|x| (**x - t).abs() < 1e-14).count(), expected, "{event}");
    }
    assert!(rows.len() > 90 && rows.len() < 110, "{}", rows.len());
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let model = std::fs::read_to_string(crate::common::root().join(DROP)).unwrap();
    let bad = directory("bad events").join("bad.toml");
    for (from, to, parts) in [
        (
            "height < 0",
            "heigth < 0",
            &["unknown name 'heigth'", "did you mean 'height'", "bad.toml:44", "^^^"][..],
        ),
        ("height < 0", "0 < height < 1", &["more than one comparison"]),
        ("height < 0", "2 > 1", &["depends neither on a sensor nor on t"]),
        ("enable = [\"buffer\"]", "enable = [\"bufer\"]", &["'bufer'", "did you mean 'buffer'"]),
        (
            "enable = [\"buffer\"]",
            "enable = [\"carriage\"]",
            &["'carriage' is a body, which cannot be switched"],
        ),
        ("enable = [\"buffer\"]", "", &["event 'contact' switches nothing"]),
        (
            "enable = [\"buffer\"]",
            "enable = [\"buffer\"]\ndisable = [\"buffer\"]",
            &["in enable and in disable"],
        ),
        ("action = \"record\"", "action = \"record\"\nenable = [\"buffer\"]", &["'enable' does not apply"]),
        ("action = \"record\"", "action = \"recrod\"", &["did you mean 'record'"]),
        ("action = \"record\"", "action = \"record\"\ndirection = \"up\"", &["unknown value 'up'", "rising"]),
        (
            "action = \"record\"",
            "action = \"record\"\ndirection = \"rising\"",
            &["already says which crossings count"],
        ),
        ("when = \"speed < 0\"", "when = true", &["bad.toml:56", "string"]),
        ("name = \"top\"", "name = \"contact\"", &["the name 'contact' is taken"]),
        ("enabled = false", "enabled = \"no\"", &["bad.toml:30"]),
    ] {
        let text_of = model.replacen(from, to, 1);
        assert_ne!(text_of, model, "{from}");
        std::fs::write(&bad, text_of).unwrap();
        precess(&["run", text(&bad)]).refused(parts);
    }
    // Formulations without switches say so.
    precess(&["run", DROP, "--formulation", "directors", "--method", "em"]).refused(&["event 'contact'"]);
}

#[test]
fn chattering_fails_with_what_was_reached() {
    let model = std::fs::read_to_string(crate::common::root().join(DROP)).unwrap();
    // A force pushes the body up below a speed, and is off above it.
    let text_of = model
        .replace("type = \"joint-spring\"", "type = \"actuator\"\nvalue = 1000")
        .replace("stiffness = 8e3\ndamping = 120\nrest = 0\n", "")
        .replace("height < 0", "speed < -1")
        .replace("height > 0", "speed > -1");
    let file = directory("chattering").join("bad.toml");
    std::fs::write(&file, text_of).unwrap();
    let o = precess(&["run", text(&file)]);
    assert_eq!(o.code, 1, "{}", o.err);
    assert!(o.err.contains("hysteresis") && o.out.contains("body carriage"), "{}\n{}", o.out, o.err);
}
