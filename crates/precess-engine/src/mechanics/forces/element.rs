//! The interface of every force, and the assembly of compliant elements.

use crate::mechanics::combine::{Combine, Combined, Numbers};
use precess_lie::matrix::{SmallMatrix, zeros};
use std::fmt;
use std::sync::Arc;

use nalgebra::{SVector, Vector3};
use precess_lie::Number;

use super::super::function::{Argument, Function, Readings};
use super::super::kernels::compliant::{self, CompliantLaw};
use super::super::kernels::{Block, Blocks, Measure, Pair, PairBlocks, PairMotion};
use super::super::links::{Bodies, Derivative, Link, Parts};
use super::super::system::At;
use super::super::tangents::Tangents;

/// A force in the equations of motion.
pub trait Element<T: Number = f64>: Send + Sync + fmt::Debug {
    /// The bodies it acts on, which become coupled.
    fn link(&self) -> Link;

    /// Other bodies that it reads or acts on.
    fn reads(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Adds g to the residual.
    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]);

    /// Adds D = dg/dv, K = D_q g and, if it is not zero, dg/dlambda.
    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>);

    /// Potential energy, zero for forces that have none.
    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let _ = (bodies, at);
        T::zero()
    }

    /// Kinetic energy beyond that of the bodies.
    fn kinetic(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let _ = (bodies, at);
        T::zero()
    }

    /// Linear momentum, and angular momentum about the origin, beyond those of the bodies, in the inertial
    /// frame.
    fn momenta(&self, bodies: &Bodies<T>, at: &At<T>) -> [Vector3<T>; 2] {
        let _ = (bodies, at);
        [zeros(); 2]
    }

    /// Moment and force in the section in the middle, if the element has sections.
    fn section_forces(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<[T; 6]> {
        let _ = (bodies, at);
        None
    }

    /// Functions of time in it.
    fn drives(&self) -> Vec<&Function> {
        Vec::new()
    }

    /// Power of the part without potential; `None` for forces with only a potential.
    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T>;

    /// True if the force depends on the multipliers of joints.
    fn reads_forces(&self) -> bool {
        false
    }

    /// Warns that the force will soon be undefined, in words for the user.
    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let _ = (bodies, at);
        None
    }
}

/// A sentence about functions of a force, one of which may have no value.
pub(super) fn no_number<T: Number>(
    functions: &[Function],
    here: Argument<T>,
    signals: &Readings<T>,
    (name, t): (&str, T),
) -> Option<String> {
    let why = functions.iter().find_map(|f| f.culprit(here, signals))?;
    Some(format!("{why}, in force '{name}' at t = {} s", t.first()))
}

/// Power -s . y' of a compliant element whose part without potential has the strength s(y').
#[inline(always)]
pub(crate) fn compliant_power<const N: usize, T: Number>(
    measure: &impl Measure<N, T>,
    (pair, v): (&Pair<T>, &PairMotion<T>),
    s: impl FnOnce(SVector<T, N>) -> SVector<T, N>,
) -> T {
    let rate = measure.bv(pair, v);
    -rate.inner(&s(rate))
}

/// Adds D = B^T s_y' B and K of a compliant element with the law `law` on `measure`. All forces on the same
/// measure share this code.
#[inline(never)]
pub(crate) fn add_compliant_tangents<const N: usize, T: Number>(
    bodies: &Bodies<T>,
    link: Link,
    measure: &impl Measure<N, T>,
    (pair, v): (&Pair<T>, &PairMotion<T>),
    law: &CompliantLaw<N, T>,
    at: &At<T>,
    out: &mut Tangents<T>,
) {
    T::vectorize(
        #[inline(always)]
        || match link.a {
            None if !T::RARE => {
                add_blocks::<T, Block<T>, N>((bodies, link), measure, (pair, v), law, at, out)
            }
            _ => add_blocks::<T, PairBlocks<T>, N>((bodies, link), measure, (pair, v), law, at, out),
        },
    )
}

/// [`add_compliant_tangents`] of one or two bodies.
#[inline(always)]
fn add_blocks<T: Number, B: Blocks<T>, const N: usize>(
    (bodies, link): (&Bodies<T>, Link),
    measure: &impl Measure<N, T>,
    (pair, v): (&Pair<T>, &PairMotion<T>),
    law: &CompliantLaw<N, T>,
    at: &At<T>,
    out: &mut Tangents<T>,
) {
    let want = out.want();
    let rows = compliant::parts(&measure.rows(pair));
    let bends = want.stiffness && bodies.has_node(link);
    if want.c_d != 0.0 || bends {
        let mut d = B::none();
        compliant::add_d_of(&rows, &law.s_rate, &mut d);
        bodies.add_blocks(link, Parts::ALL, &d, (Derivative::Damping, at), out);
        if bends {
            bodies.add_bending(link, &compliant::force(measure, pair, &law.s), Some(&d), at, out);
        }
    }
    if want.stiffness {
        let mut k = B::none();
        compliant::add_k_of(&rows, measure, (pair, v), law, &mut k);
        bodies.add_blocks(link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
    }
}

/// A user-defined force exists only for one kind of numbers.
impl<X: ?Sized> Combine for Arc<X> {
    type With<T: Number> = Arc<dyn Element<T>>;
    fn is_like(&self, _: &Self) -> bool {
        false
    }
    fn list(&self, _: &mut Numbers) {}
    #[expect(clippy::unreachable, reason = "it is not like itself, so nobody asks for a copy")]
    fn with<T: Number>(&self, _: &mut Combined<T>) -> Self::With<T> {
        unreachable!("a user-defined force exists for one kind of numbers")
    }
}
