//! `[parameters]`: numbers and expressions of other parameters, in any order.

use std::collections::{BTreeMap, HashMap};

use super::Evaluator;
use crate::model::document::Document;
use crate::model::expression::Kind;
use crate::model::number::{Names, Number};

/// A parameter and its problem.
type Wrong = (String, String);

/// Evaluates every parameter after those it uses.
pub(super) fn evaluate(parameters: &BTreeMap<String, Number>, mut names: Names) -> (Names, Vec<Wrong>) {
    let mut wrong = Vec::new();
    // Number of parameters on which each one still waits, and those that wait for it.
    let mut missing: HashMap<&str, usize> = HashMap::new();
    let mut waiting: HashMap<String, Vec<&str>> = HashMap::new();
    let mut ready: Vec<&str> = Vec::new();
    for (name, number) in parameters {
        let mut used = number.names();
        used.retain(|n| parameters.contains_key(n));
        if used.is_empty() {
            ready.push(name);
        }
        missing.insert(name, used.len());
        for n in used {
            waiting.entry(n).or_default().push(name);
        }
    }
    while let Some(name) = ready.pop() {
        missing.remove(name);
        let Some(number) = parameters.get(name) else { continue };
        match number.evaluate_in(&names, &mut HashMap::new(), None) {
            Ok((x, kind)) => {
                names.insert(name.to_string(), x);
                if let Kind::Known(dimension) = kind {
                    names.dimensions.insert(name.to_string(), dimension);
                }
            }
            // A parameter that uses a wrong one is not reported as wrong.
            Err(e) if unknown_name(&e).is_some_and(|n| parameters.contains_key(n)) => {}
            Err(e) => wrong.push((name.to_string(), e)),
        }
        for other in waiting.remove(name).unwrap_or_default() {
            if let Some(n) = missing.get_mut(other) {
                *n -= 1;
                if *n == 0 {
                    ready.push(other);
                }
            }
        }
    }
    let mut left: Vec<&str> = missing.into_keys().collect();
    left.sort_unstable();
    if let Some(first) = left.first() {
        let list = left.iter().take(10).copied().collect::<Vec<_>>().join(", ");
        wrong.push((first.to_string(), format!("these parameters depend on each other: {list}")));
    }
    wrong.sort();
    (names, wrong)
}

/// The name that a message calls unknown; for a marker, the name of its body.
pub(super) fn unknown_name(message: &str) -> Option<&str> {
    let (_, rest) = message.strip_prefix("unknown ")?.split_once('\'')?;
    let name = rest.split('\'').next()?;
    let marker = message.starts_with("unknown marker");
    if marker { name.split('.').next() } else { Some(name) }
}

/// The first values of `[inputs]`.
pub(super) fn inputs(list: &BTreeMap<String, Number>, names: &Names) -> (BTreeMap<String, f64>, Vec<Wrong>) {
    let (mut values, mut wrong) = (BTreeMap::new(), Vec::new());
    for (name, number) in list {
        match number.evaluate(names) {
            Ok(_)
                if name.contains(['"', '\''])
                    || name.trim().is_empty()
                    || name.contains(char::is_control) =>
            {
                wrong.push((name.clone(), "the name of an input has no quotation marks".to_string()));
            }
            Ok(x) => {
                values.insert(name.clone(), x);
            }
            Err(e) => wrong.push((name.clone(), e)),
        }
    }
    (values, wrong)
}

impl Evaluator {
    /// Evaluated parameters and inputs by name; a parameter has priority over an input of the same name.
    pub fn parameters(&self, document: &Document) -> BTreeMap<String, f64> {
        let mut values = self.names.inputs.as_deref().cloned().unwrap_or_default();
        for name in document.file.parameters.keys() {
            if let Some(x) = self.names.get(name) {
                values.insert(name.clone(), *x);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluated(list: &[(&str, &str)]) -> (Names, Vec<Wrong>) {
        let list = list.iter().map(|(n, x)| (n.to_string(), Number::Text(x.to_string()))).collect();
        evaluate(&list, Names::new())
    }

    #[test]
    fn in_any_order() {
        let (names, wrong) = evaluated(&[("a", "2*b + c^2"), ("b", "c*pi"), ("c", "3")]);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!((names["a"] - (6.0 * std::f64::consts::PI + 9.0)).abs() < 1e-14);
    }

    #[test]
    fn mistakes() {
        let (_, wrong) = evaluated(&[("a", "b"), ("b", "a + 1"), ("f", "2*")]);
        assert_eq!(wrong.len(), 2);
        assert!(wrong[0].1.contains("depend on each other: a, b"), "{wrong:?}");
        assert!(wrong[1].1.contains("cannot read"), "{wrong:?}");
        assert!(evaluated(&[("a", "q")]).1[0].1.contains("unknown name 'q'"));
        assert!(evaluated(&[("a", "a")]).1[0].1.contains("depend on each other"));
        // One mistake gives one message.
        let (_, wrong) = evaluated(&[("a", "sqrt(-1)"), ("b", "2*a"), ("c", "b + a")]);
        assert_eq!(wrong.iter().map(|w| w.0.as_str()).collect::<Vec<_>>(), ["a"], "{wrong:?}");
    }

    /// A chain of fifty thousand, the last one first.
    #[test]
    fn long_chains_take_linear_time() {
        let name = |i: usize| format!("p{i:06}");
        let chain: BTreeMap<String, Number> = (0..50_000)
            .map(|i| {
                (name(i), Number::Text(if i == 49_999 { "1".into() } else { format!("{} + 1", name(i + 1)) }))
            })
            .collect();
        let (names, wrong) = evaluate(&chain, Names::new());
        assert!(wrong.is_empty());
        assert_eq!(names[&name(0)], 50_000.0);
    }
}
