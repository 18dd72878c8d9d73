//! Divides a large system into parts: bodies, then the joints and forces that connect them to each other and
//! to earlier ones. So the data of a body are used while they are in the cache.

use std::ops::Range;

use super::links::Link;
use crate::threads::LARGE;

/// Number of bodies in a part. With their joints, derivatives and factors they take about 200 kB.
const BODIES_PER_PART: usize = 32;

/// Parts in the order of evaluation.
#[derive(Clone, Debug)]
pub struct Division {
    /// First elements of each part, and the end.
    begins: Vec<Begin>,
    /// The two halves of the parts in a very large system.
    pub half: Option<Half>,
}

/// The second of two halves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// Number of its first part.
    pub part: usize,
    /// Its joints with bodies of the first half.
    pub between: Vec<usize>,
}

/// Largest number of joints between halves.
const MAX_BETWEEN: usize = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Begin {
    bodies: usize,
    joints: usize,
    forces: usize,
}

/// The elements of one part, as ranges of indices.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Bodies.
    pub bodies: Range<usize>,
    /// Joints.
    pub joints: Range<usize>,
    /// Forces.
    pub forces: Range<usize>,
}

impl Division {
    /// All elements in one part.
    pub fn whole(bodies: usize, joints: usize, forces: usize) -> Self {
        let begins = vec![Begin::default(), Begin { bodies, joints, forces }];
        Division { begins, half: None }
    }

    /// Divides a system. Joints and forces, given by their bodies, keep their order: a part takes each list
    /// as far as its bodies allow.
    pub fn new(bodies: usize, joints: &[Link], forces: &[Link]) -> Self {
        if bodies <= BODIES_PER_PART {
            return Division::whole(bodies, joints.len(), forces.len());
        }
        let mut begins = vec![Begin::default()];
        let mut at = Begin::default();
        while at.bodies < bodies {
            at.bodies = (at.bodies + BODIES_PER_PART).min(bodies);
            let ready = |link: &&Link| link.moving().all(|body| body < at.bodies);
            at.joints += joints[at.joints..].iter().take_while(ready).count();
            at.forces += forces[at.forces..].iter().take_while(ready).count();
            begins.push(at);
        }
        let half = if bodies >= LARGE { half(&begins, joints) } else { None };
        Division { begins, half }
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Elements of a part.
    pub fn elements(&self, part: usize) -> Elements {
        let (from, to) = (self.begins[part], self.begins[part + 1]);
        Elements {
            bodies: from.bodies..to.bodies,
            joints: from.joints..to.joints,
            forces: from.forces..to.forces,
        }
    }
}

/// The parts from the middle on, if few of their joints have bodies before it.
fn half(begins: &[Begin], joints: &[Link]) -> Option<Half> {
    let part = (begins.len() - 1) / 2;
    let Begin { bodies, joints: first, .. } = begins[part];
    let is_between = |i: &usize| joints[*i].moving().any(|body| body < bodies);
    let between: Vec<usize> = (first..joints.len()).filter(is_between).collect();
    (first < joints.len() && between.len() <= MAX_BETWEEN).then_some(Half { part, between })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every element is in one part, and its bodies are in this part or earlier ones.
        #[test]
        fn parts_have_all_their_bodies(
            bodies in 1..200_usize,
            joints in proptest::collection::vec((0..200_usize, 0..200_usize), 0..300),
            forces in proptest::collection::vec((0..200_usize, 0..200_usize), 0..40),
        ) {
            let link = |(a, b): &(usize, usize)| {
                Link { a: (a % 7 > 0).then_some(a % bodies), b: Some(b % bodies) }
            };
            let sorted = |list: &[(usize, usize)]| {
                let mut list: Vec<Link> = list.iter().map(link).collect();
                // One half in order, the other unordered.
                let half = list.len() / 2;
                list[..half].sort_by_key(|l| l.moving().max());
                list
            };
            let (joints, forces) = (sorted(&joints), sorted(&forces));
            let division = Division::new(bodies, &joints, &forces);
            let mut next = (0, 0, 0);
            for part in 0..division.len() {
                let Elements { bodies: b, joints: j, forces: f } = division.elements(part);
                prop_assert_eq!((b.start, j.start, f.start), next);
                next = (b.end, j.end, f.end);
                let there = |l: &Link| l.moving().all(|body| body < b.end);
                prop_assert!(joints[j].iter().chain(&forces[f]).all(there));
            }
            prop_assert_eq!(next, (bodies, joints.len(), forces.len()));
        }
    }
}
