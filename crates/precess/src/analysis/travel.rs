//! The distance that bodies can move, with which the search for an equilibrium compares its steps.
//!
//! The tip of a chain of a thousand rods falls by a thousand lengths of a rod while each rod turns by a right
//! angle. If a translation by one rod counted like a turn by one radian, the steps would be tiny. With the
//! whole length of the chain as unit, translations are cheap and follow the rotations, and every rod turns as
//! if it were alone.

use std::collections::VecDeque;

use crate::mechanics::mechanism::Mechanism;
use nalgebra::DVector;

use crate::analysis::local::Layout;

/// The layout with lengths in units of the reach of the model: the typical length times the number of bodies
/// from the ground to the last one.
pub(crate) fn wide(system: &dyn Mechanism, layout: &Layout) -> Layout {
    let deep = depth(system);
    Layout { length: layout.length * (2 * deep).saturating_sub(1).max(1) as f64, ..layout.clone() }
}

/// Weight of each column: x^T W x measures radians, lengths in the unit of the layout, deflections.
pub(crate) fn weights(layout: &Layout) -> DVector<f64> {
    layout.units().map(|u| 1.0 / (u * u))
}

/// Number of bodies on the shortest path from the ground to the furthest body.
fn depth(system: &dyn Mechanism) -> usize {
    let Some(structure) = system.structure() else { return 1 };
    let n = system.group().factors().len();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut sources = Vec::new();
    let mut join = |a: usize, b: usize| {
        beside[a].push(b);
        beside[b].push(a);
    };
    structure.couplings.iter().for_each(|&(a, b)| join(a, b));
    for group in &structure.constraints {
        match group.factors[..] {
            [one] => sources.push(one),
            _ => group.factors.windows(2).for_each(|pair| join(pair[0], pair[1])),
        }
    }
    let mut depth = vec![0; n];
    let mut spread = |from: &mut dyn Iterator<Item = usize>| {
        let mut queue: VecDeque<usize> = VecDeque::new();
        for i in from {
            if depth[i] == 0 {
                depth[i] = 1;
                queue.push_back(i);
            }
        }
        while let Some(i) = queue.pop_front() {
            for &j in &beside[i] {
                if depth[j] == 0 {
                    depth[j] = depth[i] + 1;
                    queue.push_back(j);
                }
            }
        }
    };
    spread(&mut sources.into_iter());
    // Parts without a connection to the ground start at their first body.
    (0..n).for_each(|i| spread(&mut std::iter::once(i)));
    depth.into_iter().max().unwrap_or(1)
}
