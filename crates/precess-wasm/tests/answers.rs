//! Answers to the page: places of problems, sliders, files. The same code runs in the browser
//! (`tools/playground-test`).

use precess::study::results;
use precess_wasm::{MARKS, Wish, packed, reply, run};
use serde_json::{Value, json};

const PENDULUM: &str = "# Géradin
[model]
gravity = [0, 0, -9.81]
[parameters]
l = 0.5
a = \"30 deg\"
w = \"2*pi\"
twice = \"2*l\"
[[body]]
name = \"bob\"
type = \"point\"
mass = 1
position = [\"l*sin(a)\", 0, \"-l*cos(a)\"]
[[joint]]
name = \"rod\"
type = \"rigid-distance\"
bodies = [\"ground\", \"bob\"]
point = [0, 0, 0]
point2 = [\"l*sin(a)\", 0, \"-l*cos(a)\"]
[run]
until = 0.5
";

fn split(bytes: &[u8]) -> (Value, Vec<u8>) {
    let n = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[4..4 + n]).unwrap(), bytes[4 + n..].to_vec())
}

fn ask(wish: &str, text: &str, overrides: &[&str]) -> (Value, Vec<u8>) {
    let words: Vec<&str> = [wish, "pendulum", text].into_iter().chain(overrides.iter().copied()).collect();
    split(&reply(&words.join("\0"), &mut |_| {}))
}

#[test]
fn problems_have_places() {
    let text = PENDULUM.replace("mass = 1", "mas = 1");
    for wish in ["0", "1"] {
        let (header, bytes) = ask(wish, &text, &[]);
        assert!(bytes.is_empty());
        let p = &header["problems"][0];
        let at = p["from"].as_u64().unwrap() as usize..p["to"].as_u64().unwrap() as usize;
        assert_eq!(&text[at], "mas", "{header}");
        // The twelfth line, counted as an editor does.
        assert_eq!(p["line"], 12);
        assert!(p["message"].as_str().unwrap().contains("did you mean 'mass'"), "{header}");
    }
    assert_eq!(ask("1", PENDULUM, &[]).0, json!({ "problems": [] }));
}

#[test]
fn sliders_are_the_numbers_of_the_text() {
    let sliders = |overrides: &[&str]| ask("0", PENDULUM, overrides).0["sliders"].clone();
    let wanted = json!([["a", 30.0, "deg"], ["l", 0.5, ""], ["w", std::f64::consts::TAU, ""]]);
    assert_eq!(sliders(&[]), wanted);
    assert_eq!(sliders(&["parameters.l=0.7", "parameters.a=\"10 deg\""]), wanted);
    // They move the mechanism: the bob stays on its circle.
    for (l, word) in [(0.5, "parameters.l=0.5"), (0.7, "parameters.l=0.7")] {
        let (header, _) = ask("6", PENDULUM, &[word]);
        let q: Vec<f64> = serde_json::from_value(header["end"]["q"].clone()).unwrap();
        assert!((q.iter().map(|x| x * x).sum::<f64>().sqrt() - l).abs() < 1e-9, "{header}");
        assert_eq!(header["end"]["t"], json!([0.5]));
    }
}

#[test]
fn files_are_those_of_the_program() {
    let (header, bytes) = ask("4", PENDULUM, &["parameters.l=0.7"]);
    assert_eq!(header["file"], "json");
    let read = results::decode("a.json".as_ref(), &bytes).unwrap();
    assert_eq!(read.metadata.overrides, ["parameters.l=0.7"]);
    assert_eq!(read.metadata.model_text, PENDULUM);
    let (_, bytes) = ask("5", PENDULUM, &[]);
    assert_eq!(results::decode("a.csv".as_ref(), &bytes).unwrap().rows(), read.rows());
    let (header, bytes) = ask("2", PENDULUM, &[]);
    assert_eq!((&header["file"], &bytes[..4]), (&json!("glb"), &b"glTF"[..]));
    let (_, bytes) = ask("3", PENDULUM, &[]);
    let page = String::from_utf8(bytes).unwrap();
    assert!(MARKS.iter().all(|m| page.matches(m).count() == 1), "{page}");
}

#[test]
fn the_page_hears_how_far_a_run_is() {
    let mut heard = Vec::new();
    let (header, bytes) = run("a", PENDULUM, &[], Wish::Scene, &mut |x| heard.push(x));
    assert!(
        heard.len() > 10
            && heard.windows(2).all(|w| w[0] < w[1])
            && heard.iter().all(|x| *x > 0.0 && *x < 1.0 + 1e-12)
    );
    assert_eq!(split(&packed((header.clone(), bytes.clone()))), (header, bytes));
}

#[test]
fn nothing_to_run_is_said() {
    let none = "[model]\nname = \"nothing\"\n[run]\nuntil = 1\n";
    let (header, _) = ask("0", none, &[]);
    assert!(header["problems"].is_array() || header["failure"].is_string(), "{header}");
    // Initial velocities that the rod forbids.
    let text = PENDULUM.replace("mass = 1", "mass = 1\nvelocity = [0, 0, 3]");
    let (header, _) = ask("0", &text, &[]);
    assert!(header["failure"].as_str().unwrap().contains("velocit"), "{header}");
    assert!(ask("99", "", &[]).0["problems"].is_array() || ask("99", "", &[]).0["failure"].is_string());
}
