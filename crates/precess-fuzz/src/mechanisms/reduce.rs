//! Reduces a mechanism with a fault. Everything that the fault does not need is removed.

use super::compare::{Extent, Findings, compare};
use super::data::{ForceKind, Mechanism};

/// The fault of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The default run fails, although the model is valid.
    Fails,
    /// A comparison differs by more than its limit.
    Differs(String),
}

impl Fault {
    /// The worst fault among the findings, or the fault of one comparison.
    pub fn of(found: &Findings, what: Option<&str>) -> Option<Fault> {
        if found.failed.is_some() {
            return (!found.model_at_fault).then_some(Fault::Fails);
        }
        let asked = |name: &str| what.is_none_or(|what| what == name);
        found.list.iter().find(|m| !m.is_right() && asked(&m.what)).map(|m| Fault::Differs(m.what.clone()))
    }

    fn is_in(&self, m: &Mechanism, seed: u64) -> bool {
        let first = Fault::Differs("tolerance 1e-6".to_string());
        let extent = if *self == Fault::Fails || *self == first { Extent::Promise } else { Extent::All };
        let found = compare(m, seed, extent);
        match self {
            Fault::Fails => Fault::of(&found, None) == Some(Fault::Fails),
            Fault::Differs(what) => found.list.iter().any(|c| c.what == *what && !c.is_right()),
        }
    }
}

/// Removes one element at a time as long as the fault remains.
pub fn reduced(m: &Mechanism, seed: u64, fault: &Fault) -> Mechanism {
    let mut best = m.clone();
    loop {
        let smaller = attempts(&best).into_iter().find(|m| fault.is_in(m, seed));
        match smaller {
            Some(m) => best = m,
            None => return best,
        }
    }
}

/// Makes all mechanisms that lack one element.
fn attempts(m: &Mechanism) -> Vec<Mechanism> {
    let mut list = Vec::new();
    let mut put = |change: &dyn Fn(&mut Mechanism)| {
        let mut other = m.clone();
        change(&mut other);
        list.push(other);
    };
    if m.bodies.len() > 1 {
        m.bodies.iter().for_each(|b| put(&|m| remove_body(m, &b.name)));
    }
    m.joints.iter().for_each(|j| put(&|m| remove_joint(m, &j.name)));
    (0..m.gears.len()).for_each(|i| put(&|m| drop(m.gears.remove(i))));
    (0..m.forces.len()).for_each(|i| put(&|m| drop(m.forces.remove(i))));
    if m.gravity.norm() > 0.0 {
        put(&|m| m.gravity *= 0.0);
    }
    list
}

fn remove_body(m: &mut Mechanism, name: &str) {
    m.bodies.retain(|b| b.name != name);
    let held: Vec<String> =
        m.joints.iter().filter(|j| j.bodies.iter().any(|b| b == name)).map(|j| j.name.clone()).collect();
    held.iter().for_each(|joint| remove_joint(m, joint));
    m.forces.retain(|f| match &f.kind {
        ForceKind::Spring { bodies, .. } | ForceKind::Bushing { bodies, .. } => {
            bodies.iter().all(|b| b != name)
        }
        ForceKind::Drag { body, .. } | ForceKind::Push { body, .. } => body != name,
        ForceKind::JointSpring { .. } | ForceKind::Actuator { .. } => true,
    });
}

fn remove_joint(m: &mut Mechanism, name: &str) {
    m.joints.retain(|j| j.name != name);
    m.gears.retain(|g| g.joints.iter().all(|j| j.joint != name));
    m.forces.retain(|f| match &f.kind {
        ForceKind::JointSpring { at, .. } | ForceKind::Actuator { at, .. } => at.joint != name,
        _ => true,
    });
}
