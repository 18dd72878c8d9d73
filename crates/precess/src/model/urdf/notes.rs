//! Notes for the user of an import: omissions and decisions.

use std::collections::BTreeMap;
use std::fmt;

/// Omissions and changes of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Elements without a counterpart, each with the names of their links or joints.
    pub ignored: Vec<(String, Vec<String>)>,
    /// Joint limits that are not enforced: joint and limits.
    pub limits: Vec<(String, String)>,
    /// Parts that will move differently: dry friction, couplings of joints without a counterpart.
    pub missing: Vec<String>,
    /// Decisions: merged links, the ground, gravity.
    pub remarks: Vec<String>,
}

/// Elements and attributes that are not imported, each with its owners. Owners are added one after the other.
#[derive(Clone, Debug, Default)]
pub struct Ignored(BTreeMap<String, Vec<String>>);

impl Ignored {
    /// Adds an owner, once.
    pub fn add(&mut self, what: String, owner: &str) {
        let owners = self.0.entry(what).or_default();
        if owners.last().is_none_or(|last| last != owner) {
            owners.push(owner.to_string());
        }
    }

    /// Everything, sorted.
    pub fn list(&self) -> Vec<(String, Vec<String>)> {
        self.0.clone().into_iter().collect()
    }
}

impl Notes {
    /// Omissions, one line each; remarks are not included.
    pub fn losses(&self) -> Vec<String> {
        let whose = |owners: &[String]| {
            let names: Vec<&str> = owners.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
            match names.len() {
                0 => String::new(),
                n if n > NAMED => format!(
                    " ({} and {} more)",
                    names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "),
                    n - NAMED
                ),
                _ => format!(" ({})", names.join(", ")),
            }
        };
        let ignored =
            self.ignored.iter().map(|(what, owners)| format!("{what}{} is left out", whose(owners)));
        let limits =
            self.limits.iter().map(|(joint, text)| format!("the limits of {joint} do not act: {text}"));
        ignored.chain(self.missing.iter().cloned()).chain(limits).collect()
    }
}

/// Largest number of owners named for an omitted element.
const NAMED: usize = 6;

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = |title: &str, lines: Vec<String>| -> fmt::Result {
            if !lines.is_empty() {
                writeln!(f, "{title}:")?;
                lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
            }
            Ok(())
        };
        let owned = |(what, owners): &(String, Vec<String>)| {
            let names: Vec<&str> = owners.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
            if names.is_empty() { what.clone() } else { format!("{what}: {}", names.join(", ")) }
        };
        section("not imported, a model file has no counterpart", self.ignored.iter().map(owned).collect())?;
        section("missing in the motion", self.missing.clone())?;
        let limits = self.limits.iter().map(|(joint, text)| format!("{joint}: {text}")).collect();
        section("joint limits that are not enforced", limits)?;
        section("remarks", self.remarks.clone())
    }
}
