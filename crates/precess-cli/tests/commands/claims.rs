//! `precess claims` as users call it. All claims are measured in the tests of the library.

use crate::common::{directory, precess, text};

#[test]
fn quick_claims_print_a_table_and_their_differences() {
    let out = precess(&["claims", "--quick", "--paper", "vp", "LA"]).done().out;
    let parts = ["id ", "paper's value", "LA-3.2-norm-0.6 ", "reproduced (formula)", "corrected"];
    for part in parts.into_iter().chain(["Different from the papers:", "0 verdicts changed"]) {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
    assert!(!out.contains("GGL"));
}

/// The first column of the table has the names that --only takes.
#[test]
fn a_row_is_measured_again_by_its_id() {
    let out = precess(&["claims", "--only", "SM-8-cost-top"]).done().out;
    let row = out.lines().nth(1).unwrap();
    assert!(row.starts_with("SM-8-cost-top ") && row.ends_with("not reproduced (recorded)"), "{out}");
    assert!(out.contains("\n1 claims, 0 verdicts changed"), "{out}");
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
