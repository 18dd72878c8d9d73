//! Beams: a piece around every node, with the section of the beam.

use super::{Eye, Form, Owner, Part, Role, along};
use crate::drawn::Outline;
use crate::{Q, V};

impl Eye<'_> {
    /// Adds the pieces of a beam; returns the bodies of its nodes.
    pub(super) fn beam(&mut self, k: usize) -> Vec<usize> {
        let beam = self.drawn.beams[k].clone();
        let near = |i: Option<usize>| i.and_then(|i| beam.lengths.get(i)).copied().unwrap_or(0.0);
        let Some(&first) = beam.nodes.first() else { return Vec::new() };
        for (i, &body) in beam.nodes.iter().enumerate() {
            let (before, after) = (near(i.checked_sub(1)), near(Some(i)));
            let length = 0.5 * (before + after);
            let (form, turn) = match beam.outline {
                Outline::Round(r) => (Form::Cylinder(r, length), along(&V::x())),
                Outline::Box(y, z) => (Form::Box([length, y, z]), Q::identity()),
            };
            let at = V::new(0.25 * (after - before), 0.0, 0.0);
            // One colour for the whole beam: that of its first node.
            let (role, owner) = (Role::Beam, Owner::Body(first));
            self.out.push(Part { body: Some(body), form, at, turn, role, owner, colour: None });
        }
        beam.nodes
    }
}
