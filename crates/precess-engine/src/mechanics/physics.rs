//! Bodies, joints, forces and other parts: the equations of motion and their derivatives, for any [`Number`].
//! A [`Multibody`](super::Multibody) uses `f64`, runs side by side use lanes, sparsity patterns come from
//! structural nonzeros, and tests check derivatives with dual numbers.

use precess_lie::matrix::{SmallMatrix, zeros};
use std::ops::Range;

use nalgebra::Vector3;
use precess_lie::Number;

use super::controls::Control;
use super::coordinate::Coordinate;
use super::division::Elements;
use super::event::Switch;
use super::forces::Force;
use super::joint::Joint;
use super::joints::Gear;
use super::kernels::{Block, Blocks, PairBlocks, Row};
use super::links::{Bodies, Derivative, JointColumns};
use super::modal::ModalBody;
use super::part::{Part, SharedParts};
use super::system::{At, Equations};
use super::tangents::Tangents;
use crate::mechanics::combine::combine;

/// A force with its switch.
#[derive(Clone, Debug)]
pub struct Acting<T: Number = f64> {
    /// The force.
    pub force: Force<T>,
    /// Whether it acts.
    pub switch: Switch,
}

/// A mechanism: bodies, joints, forces, and parts that may connect any bodies.
#[derive(Clone, Debug)]
pub struct Physics<T: Number = f64> {
    /// The moving bodies, and gravity.
    pub bodies: Bodies<T>,
    /// The joints.
    pub joints: Vec<Joint<T>>,
    /// The forces, without gravity.
    pub forces: Vec<Acting<T>>,
    /// Constraints, states and algebraic equations given as expressions.
    pub shared: SharedParts<T>,
    /// The gears.
    pub gears: Vec<Gear<T>>,
    /// The controls.
    pub controls: Vec<Control<T>>,
    /// Modal bodies. They deform in modes relative to a frame, which is one of the bodies.
    pub modal: Vec<ModalBody>,
    /// Angles of joints whose turns are counted.
    pub watched: Vec<Coordinate<T>>,
}

impl<T: Number> Physics<T> {
    /// All bodies, joints and forces.
    pub fn all(&self) -> Elements {
        Elements {
            bodies: 0..self.bodies.list.len(),
            joints: 0..self.joints.len(),
            forces: 0..self.forces.len(),
        }
    }

    /// The forces that are switched on.
    pub fn acting<'a>(&'a self, memory: &'a [T]) -> impl Iterator<Item = &'a Force<T>> {
        self.acting_of(0..self.forces.len(), memory)
    }

    /// The switched-on forces of a range.
    #[inline]
    fn acting_of<'a>(&'a self, range: Range<usize>, memory: &'a [T]) -> impl Iterator<Item = &'a Force<T>> {
        self.forces[range].iter().filter(|f| f.switch.is_on(memory)).map(|f| &f.force)
    }

    /// All parts that may connect any bodies.
    pub fn parts(&self) -> impl Iterator<Item = &dyn Part<T>> {
        let shared = self.shared.0.iter().map(|part| &**part);
        let gears = self.gears.iter().map(|part| part as &dyn Part<T>);
        let controls = self.controls.iter().map(|part| part as &dyn Part<T>);
        shared.chain(gears).chain(controls).chain(self.modal.iter().map(|part| part as &dyn Part<T>))
    }

    /// The residual, the constraints and their rates.
    pub fn equations(&self, at: &At<T>, mut out: Equations<T>) {
        if let Some(r) = &mut out.r {
            r.fill(T::zero());
        }
        self.equations_of(self.all(), at, (0, 0), &mut out);
        self.add_parts(at, &mut out);
    }

    /// Whether there are such parts: most models have none, and need not look for them in every iteration.
    #[inline]
    pub fn has_parts(&self) -> bool {
        let lists = [self.shared.0.len(), self.gears.len(), self.controls.len(), self.modal.len()];
        lists != [0; 4]
    }

    /// Adds the parts to the equations.
    #[inline]
    pub fn add_parts(&self, at: &At<T>, out: &mut Equations<T>) {
        if !self.has_parts() {
            return;
        }
        self.parts().for_each(|part| {
            if let Some(phi) = &mut out.phi {
                part.value(&self.bodies, at, phi);
            }
            if let Some(rates) = &mut out.velocity {
                part.velocity(&self.bodies, at, rates);
            }
            if let Some(r) = &mut out.r {
                part.residual(&self.bodies, at, r);
            }
        });
    }

    /// Adds some elements to the equations, in one pass over the joints. The equations begin with a given
    /// coordinate and row. Rows of a joint in its second, wrong solution are NaN, because they also hold
    /// there and must not be accepted.
    #[inline]
    pub fn equations_of(
        &self,
        part: Elements,
        at: &At<T>,
        (first_v, first_row): (usize, usize),
        out: &mut Equations<T>,
    ) {
        let bodies = &self.bodies;
        if let Some(r) = &mut out.r {
            T::vectorize(
                #[inline(always)]
                || {
                    for body in &bodies.list[part.bodies] {
                        body.add_wrench_from(&body.residual(bodies.group, &bodies.gravity, at), first_v, r);
                    }
                },
            );
        }
        for joint in &self.joints[part.joints] {
            T::vectorize(
                #[inline(always)]
                || self.joint_equations(joint, at, (first_v, first_row), out),
            );
        }
        if let Some(r) = &mut out.r {
            self.acting_of(part.forces, at.memory).for_each(|f| f.residual(bodies, at, r));
        }
    }

    /// Adds one joint to the equations.
    #[inline(always)]
    fn joint_equations(
        &self,
        joint: &Joint<T>,
        at: &At<T>,
        (first_v, first_row): (usize, usize),
        out: &mut Equations<T>,
    ) {
        let bodies = &self.bodies;
        let pair = joint.pair(bodies, at.q);
        let v = out.velocity.is_some().then(
            #[inline(always)]
            || bodies.motion(joint.link, at),
        );
        let mut force = Row::zero();
        for out in [&mut out.phi, &mut out.velocity].into_iter().flatten() {
            joint.clear_if_switched(first_row, out);
        }
        joint.each_rows(
            at,
            #[inline(always)]
            |rows, first, when| {
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
            },
        );
        if let Some(r) = &mut out.r {
            bodies.add_force_from(joint.link, &force, at, first_v, r);
        }
        if let Some(phi) = &mut out.phi {
            let wrong = joint.wrong_side(&pair, at.memory);
            if !wrong.is_zero() {
                let own = joint.range.start - first_row..joint.range.end - first_row;
                phi[own].iter_mut().for_each(|x| *x += wrong);
            }
        }
    }

    /// B v' + Z(v, v) + 2 B_t v + Phi_tt.
    pub fn acceleration_constraint(&self, at: &At<T>, out: &mut [T]) {
        for joint in &self.joints {
            let link = joint.link;
            let pair = joint.pair(&self.bodies, at.q);
            let (v, vdot) = (self.bodies.motion(link, at), self.bodies.acceleration(link, at));
            joint.clear_if_switched(0, out);
            joint.each_rows(at, |rows, first, when| {
                rows.acceleration(when, &pair, &v, &vdot, &mut out[first..first + rows.len()])
            });
        }
        self.parts().for_each(|part| part.acceleration(&self.bodies, at, out));
    }

    /// Adds all derivatives that are [wanted](Tangents::want).
    pub fn tangents(&self, at: &At<T>, out: &mut Tangents<T>) {
        self.tangents_of(self.all(), at, out);
        self.add_part_tangents(at, out);
    }

    /// Adds the parts to the derivatives.
    pub fn add_part_tangents(&self, at: &At<T>, out: &mut Tangents<T>) {
        if self.has_parts() {
            self.parts().for_each(|part| part.tangents(&self.bodies, at, out));
        }
    }

    /// Kinetic and potential energy.
    pub fn energy(&self, at: &At<T>) -> [T; 2] {
        let (mut kinetic, mut potential) = (T::zero(), T::zero());
        for body in &self.bodies.list {
            kinetic += body.kinetic(at);
            potential -= body.mass * self.bodies.gravity.inner(&body.pose(at.q).x);
        }
        for part in self.parts() {
            let [moving, resting] = part.energy(&self.bodies, at);
            kinetic += moving;
            potential += resting;
        }
        for force in self.acting(at.memory) {
            kinetic += force.kinetic(&self.bodies, at);
            potential += force.potential(&self.bodies, at);
        }
        [kinetic, potential]
    }

    /// Linear momentum, and angular momentum about the origin, in the inertial frame.
    pub fn momenta(&self, at: &At<T>) -> [Vector3<T>; 2] {
        let (bodies, mut sum) = (&self.bodies, [zeros(); 2]);
        for body in &bodies.list {
            sum[0] += body.velocity(bodies.group, at) * body.mass;
            sum[1] += body.angular_momentum(bodies.group, at);
        }
        for part in self.parts() {
            let [linear, angular] = part.momenta(bodies, at);
            sum[0] += linear;
            sum[1] += angular;
        }
        for force in self.acting(at.memory) {
            let [linear, angular] = force.momenta(bodies, at);
            sum[0] += linear;
            sum[1] += angular;
        }
        sum
    }

    /// Adds some elements to the derivatives.
    #[inline]
    pub fn tangents_of(&self, part: Elements, at: &At<T>, out: &mut Tangents<T>) {
        let bodies = &self.bodies;
        T::vectorize(
            #[inline(always)]
            || {
                for body in &bodies.list[part.bodies] {
                    body.tangents(bodies.group, &bodies.gravity, at, out);
                }
            },
        );
        let mut columns = out.columns.take().unwrap_or_default();
        for joint in &self.joints[part.joints] {
            T::vectorize(
                #[inline(always)]
                || match joint.link.a {
                    None if !T::RARE => self.joint_tangents::<Block<T>>(joint, at, &mut columns, out),
                    _ => self.joint_tangents::<PairBlocks<T>>(joint, at, &mut columns, out),
                },
            );
        }
        out.columns = Some(columns);
        self.acting_of(part.forces, at.memory).for_each(|f| f.tangents(bodies, at, out));
    }

    /// Adds B, Y and D_q(B^T lambda) of one joint; `columns` is workspace for the first two.
    #[inline(always)]
    fn joint_tangents<B: Blocks<T>>(
        &self,
        joint: &Joint<T>,
        at: &At<T>,
        columns: &mut [JointColumns<T>; 2],
        out: &mut Tangents<T>,
    ) {
        let (bodies, want) = (&self.bodies, out.want());
        let (link, first, n) = (joint.link, joint.range.start, joint.range.len());
        let pair = joint.pair(bodies, at.q);
        let v = want.curvature.then(
            #[inline(always)]
            || bodies.motion(link, at),
        );
        let [b, y] = columns;
        let mut k = B::none();
        b.begin(n, joint.is_switched());
        y.begin(n, joint.is_switched());
        joint.each_rows(
            at,
            #[inline(always)]
            |rows, row, when| {
                if want.constraint || want.curvature {
                    rows.rows(
                        when,
                        &pair,
                        #[inline(always)]
                        |i, x| b.set::<B>(row - first + i, x),
                    );
                }
                if let Some(v) = &v {
                    rows.y_rows(
                        when,
                        &pair,
                        v,
                        #[inline(always)]
                        |i, x| y.set::<B>(row - first + i, x),
                    );
                }
                if want.stiffness {
                    rows.add_k(when, &pair, &at.lambda[row..row + rows.len()], &mut k);
                }
            },
        );
        if want.constraint {
            bodies.put_columns(
                link,
                b,
                at,
                #[inline(always)]
                |col, x| out.constraint_rows(first, col, n, x),
            );
        }
        if want.curvature {
            bodies.put_columns(
                link,
                y,
                at,
                #[inline(always)]
                |col, x| out.curvature_rows(first, col, n, x),
            );
            if bodies.has_node(link) {
                bodies.put_turned(link, b, at, |col, x| out.curvature_rows(first, col, n, x));
            }
        }
        if want.stiffness {
            bodies.add_blocks(link, joint.parts, &k, (Derivative::Stiffness, at), out);
            if bodies.has_node(link) {
                bodies.add_bending(link, &joint.bt_lambda(&pair, at), None::<&B>, at, out);
            }
        }
    }
}

combine!(struct Acting { force, switch });
combine!(struct Physics { bodies, joints, forces, shared, gears, controls, modal, watched });
