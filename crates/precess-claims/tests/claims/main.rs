//! Every statement of the papers that is listed in `precess_claims` is measured here.

mod outcomes;
mod report;
mod runs;
mod second_programs;

use std::collections::HashSet;

use precess::study::parallel::Workers;
use precess_claims::{By, PAPERS, Source, Value, Verdict, all, check, find, markdown, text};

#[test]
fn all_claims_hold_and_verdicts_are_honest() {
    let claims: Vec<_> = all().collect();
    let outcomes = check(&claims, Workers::default());
    assert!(outcomes.len() > 200);
    println!("{}", text(&outcomes)); // cargo test -p precess-claims -- --nocapture
    let changed: Vec<_> = outcomes.iter().filter(|o| o.changed()).cloned().collect();
    assert!(changed.is_empty(), "\n{}", text(&changed));
    let table = markdown(&outcomes);
    assert_eq!(table.lines().count(), outcomes.len() + 2);
    for line in table.lines() {
        let bars = line.matches('|').count() - line.matches("\\|").count();
        assert_eq!(bars, 10, "{line}");
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
            assert!(claim.note.ends_with('.'), "{}: the note is no sentence", claim.id);
            assert!(claim.tolerance <= 0.05, "{} is too lenient", claim.id);
        }
    }
    assert_eq!(ids.len(), all().count());
    assert!(find("LA-Fig13-h1").is_some() && find("LA-Fig1").is_none());
}

/// An expected value from the paper says what the paper says, not less and not the opposite. Only recorded counts
/// have no expected value, and then nothing claims to predict them.
#[test]
fn sources_fit_their_values() {
    for claim in all() {
        let (paper, expected) = (claim.paper_value, claim.expected);
        if claim.source == Source::Paper {
            let agrees = match (paper, expected) {
                (Value::AtLeast(x), Value::AtLeast(y)) => y >= x,
                (Value::AtMost(x), Value::AtMost(y)) => y <= x,
                (_, Value::Number(y) | Value::AtMost(y) | Value::AtLeast(y)) => paper.accepts(y, 0.0),
                (_, Value::Between(x, y)) => paper.accepts(x, 0.0) && paper.accepts(y, 0.0),
                (_, Value::None) => false,
            };
            assert!(agrees, "{}: the paper has {paper}, expected {expected} is not from it", claim.id);
        }
        assert_eq!(expected == Value::None, claim.source == Source::None, "{}", claim.id);
        assert!(claim.source != Source::None || claim.by == By::Recorded, "{}", claim.id);
        if matches!(claim.verdict(), Verdict::Beyond) {
            assert_eq!(paper, Value::None, "{}: stated by the paper", claim.id);
        }
    }
}

/// A row can be read alone.
#[test]
fn the_same_as_what() {
    for claim in all().filter(|c| c.statement.starts_with("The same")) {
        let told = claim.told();
        assert!(all().any(|c| c.id != claim.id && told.contains(c.id)), "{}: {told}", claim.id);
    }
}
