//! `precess view` and `precess export` from end to end.

use crate::common::{directory, precess, text};

#[test]
fn models_and_results_become_pages() {
    let place = directory("view");
    let (npz, page) = (place.join("top.npz"), place.join("top.html"));
    precess(&["run", "models/heavy_top.toml", "--until", "0.2", "--every", "1ms", "-o", text(&npz)]).done();
    let o = precess(&["view", text(&npz)]).done();
    assert!(o.out.starts_with("page: ") && o.out.contains("top.html"), "{}", o.out);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains("\"name\":\"top\""));
    let other = place.join("other.html");
    let j = precess(&["view", "models/heavy_top.toml", "--until", "0.2", "-o", text(&other), "--json"])
        .done()
        .json();
    assert!(j["frames"].as_u64().unwrap() >= 240 && j["bodies"] == 1, "{j}");
    assert_eq!(j["bytes"].as_u64().unwrap(), std::fs::metadata(&other).unwrap().len());
    let both = place.join("both.html");
    precess(&["view", text(&npz), "--compare", text(&npz), "-o", text(&both)]).done();
    let html = std::fs::read_to_string(&both).unwrap();
    assert_eq!(html.matches("class=\"header\"").count(), 2);
}

#[test]
fn scenes_become_gltf() {
    let place = directory("gltf");
    let file = place.join("arm.glb");
    let args = ["export", "models/robot_arm.toml", "--until", "0.2", "-o", text(&file), "--json"];
    let j = precess(&args).done().json();
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"glTF") && j["bytes"] == bytes.len(), "{j}");
}

#[test]
fn mistakes_end_with_a_remedy() {
    let place = directory("view_mistakes");
    let npz = place.join("top.npz");
    let name = text(&npz);
    precess(&["run", "models/heavy_top.toml", "--until", "0.01", "-o", name]).done();
    precess(&["view", name, "-o", "top.pdf"]).refused(&["a page is .html", "help:", "export"]);
    precess(&["view", name, "--until", "2"]).refused(&["options of a run do not change results", "help:"]);
    precess(&["view", "no.toml"]).refused(&["cannot read", "help:"]);
    precess(&["view", "no.npz"]).refused(&["cannot read", "help:"]);
    precess(&["export", name, "-o", "top.avi"]).refused(&["unknown kind of export", ".glb"]);
    precess(&["export", name, "-o", "x.mp4", "--size", "big"]).refused(&["--size big", "960x600"]);
    precess(&["export", name, "-o", "x.mp4", "--speed", "0"]).refused(&["positive speed"]);
    let copy = place.join("model.html");
    std::fs::copy("../../models/heavy_top.toml", &copy).unwrap();
    precess(&["view", text(&copy), "-o", text(&copy)]).refused(&["is the input file", "-o"]);
}
