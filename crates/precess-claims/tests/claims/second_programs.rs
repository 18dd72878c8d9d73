//! Expected values of second programs: `bench/papers/values.txt` has them under the ids of the claims, or
//! the note names the file of `bench/` that prints them.

use std::collections::HashMap;

use precess_claims::{Source, Value, all};

const VALUES: &str = include_str!("../../../../bench/papers/values.txt");

fn values() -> HashMap<&'static str, f64> {
    let lines = VALUES.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.map(|line| line.split_once(' ').expect("an id and a value"));
    pairs.map(|(id, value)| (id, value.parse().expect("a number"))).collect()
}

#[test]
fn expected_values_are_those_of_the_second_programs() {
    let values = values();
    assert!(values.len() > 100);
    let mut missing = Vec::new();
    for claim in all().filter(|c| c.source == Source::Prototype) {
        match values.get(claim.id) {
            // A tenth of the tolerance at most: rounded values, and the same quantity.
            Some(value) => {
                let near = match claim.expected {
                    Value::Number(x) => (x - value).abs() <= (0.1 * claim.tolerance).max(1e-3) * x.abs(),
                    bound => bound.accepts(*value, 0.0),
                };
                assert!(near, "{}: expected {}, the second program has {value}", claim.id, claim.expected);
            }
            None => {
                if !["bench/sigma_examples.py", "bench/algorithm_2.py"].iter().any(|f| claim.note.contains(f))
                {
                    missing.push(claim.id);
                }
            }
        }
    }
    assert!(missing.is_empty(), "no second program: {missing:?}");
}
