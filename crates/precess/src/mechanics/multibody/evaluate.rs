//! The equations and derivatives of a [`Multibody`], part by part, and of very large ones by two threads.

use std::ops::Range;

use super::Multibody;
use crate::mechanics::division::{Division, Elements, Half};
use crate::mechanics::forces::Element;
use crate::mechanics::joint::Joint;
use crate::mechanics::kernels::{Block, Blocks, PairBlocks, Row};
use crate::mechanics::links::{Columns, Link};
use crate::mechanics::system::{At, Equations};
use crate::mechanics::tangents::Tangents;
use crate::threads::both;

/// Values before and from a place on.
fn split<'a>(
    values: &'a mut Option<&mut [f64]>,
    at: usize,
) -> (Option<&'a mut [f64]>, Option<&'a mut [f64]>) {
    values.as_mut().map(|x| x.split_at_mut(at)).unzip()
}

impl Multibody {
    /// The parts in which it is evaluated. Gears and controls may join any bodies, so there is one part with them.
    pub(super) fn division(&self) -> &Division {
        self.division.get_or_init(|| {
            let joints: Vec<Link> = self.joints.iter().map(|j| j.link).collect();
            let forces: Vec<Link> = self.forces.iter().map(|f| f.link()).collect();
            if self.gears.is_empty() && self.controls.is_empty() {
                Division::new(self.bodies.list.len(), &joints, &forces)
            } else {
                Division::whole(self.bodies.list.len(), joints.len(), forces.len())
            }
        })
    }

    /// What some elements add to the equations, which begin with a coordinate and a row, in one pass over the joints. Rows of a joint on
    /// the wrong side are NaN: they hold there as well and must not be taken for a solution.
    #[inline]
    pub(super) fn equations_of(
        &self,
        part: Elements,
        at: &At,
        (first_v, first_row): (usize, usize),
        out: &mut Equations,
    ) {
        let bodies = &self.bodies;
        if let Some(r) = &mut out.r {
            for body in &bodies.list[part.bodies] {
                body.add_wrench_from(&body.residual(bodies.group, &self.gravity, at), first_v, r);
            }
        }
        for joint in &self.joints[part.joints] {
            let pair = joint.pair(bodies, at.q);
            let v = out.velocity.is_some().then(|| bodies.motion(joint.link, at.v));
            let mut force = Row::zero();
            for out in [&mut out.phi, &mut out.velocity].into_iter().flatten() {
                joint.clear_if_switched(first_row, out);
            }
            joint.each_rows(at, |rows, first, when| {
                let range = first - first_row..first - first_row + rows.len();
                if out.r.is_some() {
                    force += rows.bt_lambda(when, &pair, &at.lambda[first..first + rows.len()]);
                }
                if let Some(phi) = &mut out.phi {
                    rows.value(when, &pair, &mut phi[range.clone()]);
                }
                if let (Some(rates), Some(v)) = (&mut out.velocity, &v) {
                    rows.velocity(when, &pair, v, &mut rates[range]);
                }
            });
            if let Some(r) = &mut out.r {
                bodies.add_force_from(joint.link, &force, first_v, r);
            }
            if let Some(phi) = &mut out.phi
                && joint.is_flipped(&pair, at.memory)
            {
                phi[joint.range.start - first_row..joint.range.end - first_row].fill(f64::NAN);
            }
        }
        if let Some(r) = &mut out.r {
            self.acting_of(part.forces, at.memory).for_each(|f| f.residual(bodies, at, r));
        }
    }

    /// The equations of bodies and joints in two halves, by two threads. Joints between the halves belong to the second; what they do to the
    /// first comes at the end, and so do the forces.
    pub(super) fn equations_in_halves(&self, half: &Half, at: &At, out: &mut Equations) {
        let (bodies, division) = (&self.bodies, self.division());
        let begin = division.elements(half.part);
        let (v, row) = (bodies.list[begin.bodies.start].v, self.joints[begin.joints.start].range.start);
        let ((r, their_r), (phi, their_phi)) = (split(&mut out.r, v), split(&mut out.phi, row));
        let (velocity, their_velocity) = split(&mut out.velocity, row);
        let some = |parts: Range<usize>, from, mut out| {
            for part in parts {
                let elements = Elements { forces: 0..0, ..division.elements(part) };
                self.equations_of(elements, at, from, &mut out);
            }
        };
        let second = Equations { r: their_r, phi: their_phi, velocity: their_velocity };
        both(
            || some(0..half.part, (0, 0), Equations { r, phi, velocity }),
            || some(half.part..division.len(), (v, row), second),
        );
        let Some(r) = &mut out.r else { return };
        for joint in half.between.iter().map(|&i| &self.joints[i]) {
            let pair = joint.pair(bodies, at.q);
            let force = joint.bt_lambda(&pair, at);
            let is_first = |i: &usize| *i < begin.bodies.start;
            let link = Link { a: joint.link.a.filter(is_first), b: joint.link.b.filter(is_first) };
            bodies.add_force(link, &force, r);
        }
        self.acting(at.memory).for_each(|f| f.residual(bodies, at, r));
    }

    /// What some elements add to the derivatives.
    #[inline]
    pub(super) fn tangents_of_elements(&self, part: Elements, at: &At, out: &mut Tangents) {
        let bodies = &self.bodies;
        for body in &bodies.list[part.bodies] {
            body.tangents(bodies.group, &self.gravity, at, out);
        }
        let mut columns = [Columns::default(), Columns::default()];
        for joint in &self.joints[part.joints] {
            match joint.link.a {
                None => self.joint_tangents::<Block>(joint, at, &mut columns, out),
                Some(_) => self.joint_tangents::<PairBlocks>(joint, at, &mut columns, out),
            }
        }
        self.acting_of(part.forces, at.memory).for_each(|f| f.tangents(bodies, at, out));
    }

    /// Adds B, Y and D_q(B^T lambda) of one joint; `columns` is room for the first two.
    #[inline]
    fn joint_tangents<B: Blocks>(
        &self,
        joint: &Joint,
        at: &At,
        columns: &mut [Columns; 2],
        out: &mut Tangents,
    ) {
        let (bodies, want) = (&self.bodies, out.want());
        let (link, first, n) = (joint.link, joint.range.start, joint.range.len());
        let pair = joint.pair(bodies, at.q);
        let v = want.curvature.then(|| bodies.motion(link, at.v));
        let [b, y] = columns;
        let mut k = B::none();
        b.begin(n, joint.is_switched());
        y.begin(n, joint.is_switched());
        joint.each_rows(at, |rows, row, when| {
            if want.constraint {
                rows.rows(when, &pair, |i, x| b.set::<B>(row - first + i, x));
            }
            if let Some(v) = &v {
                rows.y_rows(when, &pair, v, |i, x| y.set::<B>(row - first + i, x));
            }
            if want.stiffness {
                rows.add_k(when, &pair, &at.lambda[row..row + rows.len()], &mut k);
            }
        });
        if want.constraint {
            bodies.put_columns(link, b, |col, x| out.constraint_rows(first, col, n, x));
        }
        if want.curvature {
            bodies.put_columns(link, y, |col, x| out.curvature_rows(first, col, n, x));
        }
        if want.stiffness {
            bodies.put_blocks(link, joint.parts, &k, |i, j, x| out.stiffness(i, j, x));
        }
    }
}
