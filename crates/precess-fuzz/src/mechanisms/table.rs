//! Tables of the findings of many mechanisms.

use std::fmt::Write;

use super::compare::{Findings, Measured};
use super::reduce::Fault;

/// Findings by seed.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    list: Vec<(u64, Findings)>,
}

impl Tally {
    /// Adds the findings of a mechanism.
    pub fn add(&mut self, seed: u64, findings: Findings) {
        self.list.push((seed, findings));
    }

    /// The number of mechanisms.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are no mechanisms yet.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn failed(&self, model_at_fault: bool) -> Vec<u64> {
        let of = |f: &Findings| f.failed.is_some() && f.model_at_fault == model_at_fault;
        self.list.iter().filter(|(_, f)| of(f)).map(|(seed, _)| *seed).collect()
    }

    /// The mechanisms with a fault, or with a fault in this comparison.
    pub fn faults(&self, what: Option<&str>) -> Vec<(u64, Fault)> {
        self.list.iter().filter_map(|(seed, f)| Some((*seed, Fault::of(f, what)?))).collect()
    }

    /// The table with one line per comparison, followed by the messages of failed runs.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:<28} {:>6} {:>6} {:>6}   median, 9 of 10, worst (seed) of differences in positions | \
             velocities | forces",
            "comparison", "models", "failed", "wrong"
        );
        for what in self.names() {
            let _ = writeln!(out, "{}", self.line(&what));
        }
        let (ours, models) = (self.failed(false), self.failed(true));
        let _ = writeln!(out, "\ndefault runs that fail: {} of {}", ours.len(), self.len());
        let _ = writeln!(out, "those of models that nothing can move further: {} {models:?}", models.len());
        let noticed: Vec<u64> =
            self.list.iter().filter(|(_, f)| !f.warnings.is_empty()).map(|(seed, _)| *seed).collect();
        let _ = writeln!(out, "default runs with notices: {} {noticed:?}", noticed.len());
        out + &self.messages()
    }

    /// The names of all comparisons, in their order.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for m in self.list.iter().flat_map(|(_, f)| &f.list) {
            if !names.contains(&m.what) {
                names.push(m.what.clone());
            }
        }
        names
    }

    fn of<'a>(&'a self, what: &'a str) -> impl Iterator<Item = (u64, &'a Measured)> {
        self.list
            .iter()
            .flat_map(move |(seed, f)| f.list.iter().filter(move |m| m.what == what).map(|m| (*seed, m)))
    }

    fn line(&self, what: &str) -> String {
        let failed = self.of(what).filter(|(_, m)| m.outcome.is_err()).count();
        let wrong: Vec<u64> = self.of(what).filter(|(_, m)| !m.is_right()).map(|(seed, _)| seed).collect();
        let mut columns = Vec::new();
        for k in 0..3 {
            let mut list: Vec<(f64, u64)> =
                self.of(what).filter_map(|(seed, m)| m.outcome.as_ref().ok().map(|x| (x[k], seed))).collect();
            list.sort_by(|a, b| a.0.total_cmp(&b.0));
            let part =
                |p: f64| list.get((p * (list.len().max(1) - 1) as f64) as usize).map_or(f64::NAN, |x| x.0);
            let (worst, seed) = list.last().copied().unwrap_or((f64::NAN, 0));
            columns.push(format!("{:7.1e} {:7.1e} {worst:7.1e} ({seed})", part(0.5), part(0.9)));
        }
        let models = self.of(what).count();
        let seeds = if wrong.is_empty() { String::new() } else { format!("  wrong: {}", few(&wrong)) };
        format!("{what:<28} {models:>6} {failed:>6} {:>6}   {}{seeds}", wrong.len(), columns.join(" | "))
    }

    /// The messages of failed runs. Messages that differ only in numbers are counted together.
    fn messages(&self) -> String {
        let mut groups: Vec<(String, String, Vec<u64>)> = Vec::new();
        for (seed, f) in &self.list {
            let default = f.failed.iter().map(|s| ("default".to_string(), s));
            let others = f.list.iter().filter_map(|m| m.outcome.as_ref().err().map(|s| (m.what.clone(), s)));
            for (what, stopped) in default.chain(others) {
                let key = format!("{what}: {}", without_numbers(&stopped.message));
                match groups.iter_mut().find(|g| g.0 == key) {
                    Some(group) => group.2.push(*seed),
                    None => groups.push((key, format!("{what}: {}", stopped.message), vec![*seed])),
                }
            }
        }
        groups.sort_by_key(|g| std::cmp::Reverse(g.2.len()));
        let mut out = String::new();
        for (_, message, seeds) in groups {
            let _ = writeln!(out, "\n{} times, seeds {}\n    {message}", seeds.len(), few(&seeds));
        }
        out
    }
}

fn few(seeds: &[u64]) -> String {
    let list: Vec<String> = seeds.iter().take(12).map(u64::to_string).collect();
    let more = if seeds.len() > list.len() { ", ..." } else { "" };
    list.join(", ") + more
}

/// The beginning of a message without its numbers and names of elements.
fn without_numbers(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_ascii_digit() && !"+-.'".contains(*c)).collect();
    plain.replace("e ", " ").chars().take(60).collect()
}
