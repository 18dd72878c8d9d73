//! The report and its figures.

use std::collections::HashSet;

use precess::Error;
use precess::study::parallel::Workers;
use precess_claims::figures::{Picture, pictures};
use precess_claims::report::Report;
use precess_claims::{PAPERS, Value, find};

#[test]
fn a_report_holds_claims_figures_and_failures() {
    static BROKEN: Picture = Picture {
        paper: "VP",
        place: "Fig. 0",
        caption: "a <b> & c",
        note: "None.",
        draw: Some(|_| Err(Error::Parameter { name: "x", value: 1.0, expected: "two" })),
        quick: true,
    };
    let mut shown: Vec<_> = pictures().filter(|p| p.paper == "VP").collect();
    shown.push(&BROKEN);
    let claim = find("VP-Fig1-level").unwrap();
    let report = Report::new(&[claim], &shown, Workers::one());
    assert_eq!((report.changed(), report.failures().count(), report.svgs().len()), (0, 1, 2));
    let text = report.markdown("figures");
    assert!(text.contains("(figures/vp-fig-1.svg)") && text.contains("Not drawn") && !text.contains("## LA"));
    let page = report.html();
    assert!(page.contains("id=\"panel3\"") && !page.contains("id=\"panel4\""), "two figures of two panels");
    assert!(page.contains("a &lt;b&gt; &amp; c") && page.contains("|B v| before the projection"));
    assert_ne!(claim.expected, Value::None);
}

#[test]
fn pictures_have_words_and_names_of_their_own() {
    let mut names = HashSet::new();
    for p in pictures() {
        assert!(names.insert(p.slug()), "{} twice", p.slug());
        assert!(!p.caption.is_empty() && p.note.ends_with('.'), "{}", p.slug());
        assert!(PAPERS.iter().any(|x| x.key == p.paper), "{}", p.slug());
    }
}
