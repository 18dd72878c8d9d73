//! Every statement of the papers that is listed in `study::claims` is measured here.

use std::collections::HashSet;

use precess::study::claims::{PAPERS, Verdict, all, check, find, markdown, text};

#[test]
fn all_claims_hold_and_verdicts_are_honest() {
    let outcomes = check(all());
    assert!(outcomes.len() > 80);
    assert!(outcomes.iter().all(|o| o.holds), "\n{}", text(&outcomes));
    for o in &outcomes {
        let (claim, measured) = (o.claim, o.measured.clone().unwrap());
        // "Reproduced" means that the paper's own value is met, anything else that it is missed.
        match claim.verdict {
            Verdict::Reproduced => {
                assert!(claim.paper_value.accepts(measured, 0.15), "{o}")
            }
            Verdict::Corrected | Verdict::NotReproduced => {
                assert!(!claim.paper_value.accepts(measured, 0.10), "{o}")
            }
        }
    }
    let table = markdown(&outcomes);
    assert_eq!(table.lines().count(), outcomes.len() + 2);
    for line in table.lines() {
        let bars = line.matches('|').count() - line.matches("\\|").count();
        assert_eq!(bars, 8, "{line}");
    }
}

#[test]
fn claims_are_complete_and_unique() {
    let mut ids = HashSet::new();
    for paper in PAPERS {
        for claim in paper.claims.iter().flat_map(|group| group.iter()) {
            assert!(ids.insert(claim.id), "{} twice", claim.id);
            assert_eq!(claim.paper, paper.key);
            assert!(claim.id.starts_with(paper.key), "{}", claim.id);
            for words in [claim.place, claim.statement, claim.note] {
                assert!(!words.is_empty(), "{}", claim.id);
            }
            assert!(claim.tolerance <= 0.05, "{} is too lenient", claim.id);
        }
    }
    assert_eq!(ids.len(), all().count());
    assert!(find("LA-Fig13-h1").is_some() && find("LA-Fig1").is_none());
}
