//! The equations of a [`Multibody`] in parts, and of very large ones by two threads.

use std::ops::Range;

use super::Multibody;
use crate::mechanics::division::{Division, Elements, Half};
use crate::mechanics::links::Link;
use crate::mechanics::system::{At, Equations};
use crate::threads::both;

/// Splits values at an index.
fn split<'a>(
    values: &'a mut Option<&mut [f64]>,
    at: usize,
) -> (Option<&'a mut [f64]>, Option<&'a mut [f64]>) {
    values.as_mut().map(|x| x.split_at_mut(at)).unzip()
}

impl Multibody {
    /// The parts in which it is evaluated. Gears, controls, modal bodies and force laws may connect any
    /// bodies, so a system with them has one part.
    pub(super) fn division(&self) -> &Division {
        self.division.get_or_init(|| {
            let joints: Vec<Link> = self.physics.joints.iter().map(|j| j.link).collect();
            let forces: Vec<Link> = self.force_list().map(|f| f.link()).collect();
            let apart = self.force_list().all(|f| f.reads().is_empty());
            if apart && !self.physics.has_parts() {
                Division::new(self.physics.bodies.list.len(), &joints, &forces)
            } else {
                Division::whole(self.physics.bodies.list.len(), joints.len(), forces.len())
            }
        })
    }

    /// The equations of bodies and joints in two halves, on two threads. Joints between the halves belong to
    /// the second; their effect on the first is added at the end, and so are the forces.
    pub(super) fn equations_in_halves(&self, half: &Half, at: &At, out: &mut Equations) {
        let (bodies, division) = (&self.physics.bodies, self.division());
        let begin = division.elements(half.part);
        let (v, row) =
            (bodies.list[begin.bodies.start].v, self.physics.joints[begin.joints.start].range.start);
        let ((r, their_r), (phi, their_phi)) = (split(&mut out.r, v), split(&mut out.phi, row));
        let (velocity, their_velocity) = split(&mut out.velocity, row);
        let some = |parts: Range<usize>, from, mut out| {
            for part in parts {
                let elements = Elements { forces: 0..0, ..division.elements(part) };
                self.physics.equations_of(elements, at, from, &mut out);
            }
        };
        let second = Equations { r: their_r, phi: their_phi, velocity: their_velocity };
        both(
            || some(0..half.part, (0, 0), Equations { r, phi, velocity }),
            || some(half.part..division.len(), (v, row), second),
        );
        let Some(r) = &mut out.r else { return };
        for joint in half.between.iter().map(|&i| &self.physics.joints[i]) {
            let pair = joint.pair(bodies, at.q);
            let force = joint.bt_lambda(&pair, at);
            let is_first = |i: &usize| *i < begin.bodies.start;
            let link = Link { a: joint.link.a.filter(is_first), b: joint.link.b.filter(is_first) };
            bodies.add_force(link, &force, at, r);
        }
        self.physics.acting(at.memory).for_each(|f| f.residual(bodies, at, r));
    }
}
