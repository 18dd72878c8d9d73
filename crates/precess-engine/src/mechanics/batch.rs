//! This module evaluates several models side by side. The models differ in their numbers only, and every
//! number of a formula has one lane per model.
//!
//! The formulas are those of single models ([`Physics`]). The derivatives go into the same sparse blocks. A
//! list of contributions adds them to the iteration matrix ([`LanePlan`]). The list is made once. Models that
//! cannot run in lanes ([`refusal`]) are simulated one after the other.

pub(crate) mod contributions;
mod plan;

use nalgebra::{Matrix3, Vector3};
use precess_lie::{Number, Product};

pub use self::plan::LanePlan;
use super::Multibody;
use super::body::{Body, BodyKind};
use super::combine::{Combine, Side};
use super::dynamics::Dynamics;
use super::forces::Force;
use super::physics::Physics;
use super::system::{At, Equations, System};
use super::tangents::Tangents;
use crate::solve::Mat;

/// The largest number of unknowns of a model in lanes. The analysis of the pattern looks at the zeros, too.
const MOST_UNKNOWNS: usize = 96;

/// The numbers of coordinates, multipliers and multipliers of the stabilisation; `None` if they are too many.
fn unknowns(model: &Multibody, stabilized: bool) -> Option<[usize; 3]> {
    let [n_v, n_lambda] = [model.group().dim(), model.n_lambda()];
    let sizes = [n_v, n_lambda, if stabilized { n_lambda } else { 0 }];
    (sizes.iter().sum::<usize>() <= MOST_UNKNOWNS).then_some(sizes)
}

/// Says why a model cannot be simulated in lanes; `None` if it can.
pub fn refusal(model: &Multibody) -> Option<&'static str> {
    let physics = model.physics();
    if !model.events().is_empty() || physics.joints.iter().any(|j| j.is_switched()) {
        return Some("events and switches");
    }
    if model.row_weights().is_some() {
        return Some("redundant constraints");
    }
    if !model.velocity_rows().is_empty() {
        return Some("joints that constrain velocities");
    }
    if physics.forces.iter().any(|f| matches!(f.force, Force::Custom(_))) {
        return Some("forces written in code");
    }
    None
}

/// Several models: their equations with other numbers.
#[derive(Clone, Debug)]
pub struct Batch<T: Number> {
    physics: Physics<T>,
    group: Product,
    /// The typical lengths of the models.
    length: T,
    n_lambda: usize,
    /// M^-1 of the bodies.
    pub inverse: InverseMass<T>,
}

/// M^-1 of all bodies.
#[derive(Clone, Debug)]
pub struct InverseMass<T: Number> {
    /// The inverse inertia, for bodies that can turn, and the inverse mass.
    bodies: Vec<(Option<Matrix3<T>>, T)>,
}

impl<T: Number> InverseMass<T> {
    /// N <- M^-1 N.
    #[inline(always)]
    pub fn times(&self, n: &mut Mat<T>) {
        let Some(pattern) = n.pattern().cloned() else { return };
        let data = n.data_mut();
        for (i, (inertia, mass)) in self.bodies.iter().enumerate() {
            let rows = pattern.rows.range(i).len();
            for slot in pattern.row(i) {
                let (first, columns) = (slot.offset as usize, pattern.cols.range(slot.col as usize).len());
                for column in data[first..first + rows * columns].chunks_exact_mut(rows) {
                    let (turn, push) = column.split_at_mut(rows - 3);
                    if let (Some(inertia), [x, y, z]) = (inertia, &mut *turn) {
                        let turned = *inertia * Vector3::new(*x, *y, *z);
                        [*x, *y, *z] = turned.into();
                    }
                    push.iter_mut().for_each(|x| *x *= *mass);
                }
            }
        }
    }
}

/// The inverse inertias of all bodies, zero for a point mass. Returns `None` if an inertia has no inverse.
fn inverses(model: &Multibody) -> Option<Vec<Matrix3<f64>>> {
    let of = |body: &Body| match &body.kind {
        BodyKind::Rigid { inertia } => inertia.try_inverse(),
        BodyKind::PointMass => Some(Matrix3::zeros()),
    };
    model.physics().bodies.list.iter().map(of).collect()
}

/// The inverse inertias of all bodies of several models.
fn inverse_inertias<T: Number>(models: &[&Multibody], side: Side<T>) -> Option<Vec<Matrix3<T>>> {
    let all = models.iter().map(|m| inverses(m)).collect::<Option<Vec<_>>>()?;
    Vec::combine(&all.iter().collect::<Vec<_>>(), side)
}

impl<T: Number> Batch<T> {
    /// Combines the numbers of models. Returns `None` if the models are not alike.
    pub fn new(models: &[&Multibody], side: Side<T>) -> Option<Self> {
        let first = *models.first()?;
        let group = first.group();
        if models.iter().any(|m| m.group().factors() != group.factors() || refusal(m).is_some()) {
            return None;
        }
        let physics = Physics::combine(&models.iter().map(|m| m.physics()).collect::<Vec<_>>(), side)?;
        let of = |(body, inertia): (&Body<T>, Matrix3<T>)| {
            let turns = matches!(body.kind, BodyKind::Rigid { .. });
            (turns.then_some(inertia), T::one() / body.mass)
        };
        let bodies = physics.bodies.list.iter().zip(inverse_inertias(models, side)?).map(of).collect();
        Some(Batch {
            physics,
            group: group.clone(),
            length: side(&|lane| models[lane].length_scale()),
            n_lambda: first.n_lambda(),
            inverse: InverseMass { bodies },
        })
    }

    /// The numbers of coordinates, velocities and constraints.
    pub fn sizes(&self) -> [usize; 3] {
        [self.group.repr(), self.group.dim(), self.n_lambda]
    }
}

impl<T: Number> Dynamics<T> for Batch<T> {
    #[inline(always)]
    fn group(&self) -> &Product {
        &self.group
    }
    #[inline(always)]
    fn sizes(&self) -> [usize; 3] {
        [self.group.dim(), self.n_lambda, 0]
    }
    #[inline(always)]
    fn length(&self) -> T {
        self.length
    }
    #[inline(always)]
    fn equations(&self, at: &At<T>, out: Equations<T>) {
        self.physics.equations(at, out);
    }
    #[inline(always)]
    fn acceleration(&self, at: &At<T>, out: &mut [T]) {
        self.physics.acceleration_constraint(at, out);
    }
    #[inline(always)]
    fn tangents(&self, at: &At<T>, out: &mut Tangents<T>) {
        self.physics.tangents(at, out);
    }
}
