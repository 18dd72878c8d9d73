//! `precess claims` as users call it. All claims are measured in the tests of the library.

use crate::common::{directory, precess, text};

#[test]
fn quick_claims_print_a_table_and_their_differences() {
    let out = precess(&["claims", "--quick", "--paper", "vp", "LA"]).done().out;
    for part in
        ["paper's value", "LA     Sec. 3.2", "corrected", "Different from the papers:", "0 verdicts changed"]
    {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
    assert!(!out.contains("GGL"));
}

#[test]
fn a_report_is_written() {
    let folder = directory("claims");
    let json =
        precess(&["claims", "--quick", "--paper", "VP", "--json", "--out", text(&folder)]).done().json();
    assert_eq!(json["changed"], 0);
    let claim = json["claims"].as_array().unwrap().iter().find(|c| c["id"] == "VP-Fig1-before").unwrap();
    assert!(
        (claim["measured"].as_f64().unwrap() - 4.0).abs() < 0.1 && claim["paper_value"] == 4.0,
        "{claim:#}"
    );
    for figure in json["figures"].as_array().unwrap() {
        let svg = std::fs::read_to_string(folder.join(figure["file"].as_str().unwrap())).unwrap();
        assert!(svg.starts_with("<svg"));
    }
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("report.md").contains("(figures/vp-fig-2.svg)"));
    assert!(read("report.html").contains("id=\"vp-fig-2\""));
}

#[test]
fn unknown_papers_are_refused_with_the_nearest_name() {
    precess(&["claims", "--paper", "BLiDF"]).refused(&["paper", "BLieDF"]);
}
