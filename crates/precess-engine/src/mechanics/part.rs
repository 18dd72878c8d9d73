//! Parts of a mechanism that may connect any bodies: gears, controls, modal bodies, and equations given as
//! expressions. A new kind of part needs a file that implements [`Part`], and its list in
//! [`Physics`](super::physics::Physics).

use std::fmt;
use std::sync::Arc;

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::zeros;

use super::combine::{Combine, Combined, Numbers};
use super::function::Function;
use super::links::Bodies;
use super::system::At;
use super::tangents::Tangents;

/// A part of a mechanism. It writes its own rows and adds to all others.
pub trait Part<T: Number = f64>: Send + Sync + fmt::Debug {
    /// Writes its rows of Phi.
    fn value(&self, bodies: &Bodies<T>, at: &At<T>, phi: &mut [T]) {
        let _ = (bodies, at, phi);
    }

    /// Writes its rows of B v + Phi_t.
    fn velocity(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut [T]) {
        let _ = (bodies, at, out);
    }

    /// Writes its rows of the hidden constraints at acceleration level.
    fn acceleration(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut [T]) {
        let _ = (bodies, at, out);
    }

    /// Adds to the residual.
    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let _ = (bodies, at, r);
    }

    /// Writes its rows of the algebraic equations.
    fn algebraic(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut [T]) {
        let _ = (bodies, at, out);
    }

    /// Adds to the derivatives.
    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>);

    /// Kinetic and potential energy.
    fn energy(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 2] {
        let _ = (bodies, at);
        [T::zero(); 2]
    }

    /// Linear momentum, and angular momentum about the origin, in the inertial frame.
    fn momenta(&self, bodies: &Bodies<T>, at: &At<T>) -> [Vector3<T>; 2] {
        let _ = (bodies, at);
        [zeros(); 2]
    }

    /// Power of what has no potential; none if there is nothing.
    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let _ = (bodies, at);
        None
    }

    /// Functions of time in it.
    fn drives(&self) -> Vec<&Function> {
        Vec::new()
    }

    /// Explains why it is not defined here, in words for the user.
    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let _ = (bodies, at);
        None
    }
}

/// Parts that others hold, too. They are written for plain numbers: models with such parts run one by one.
#[derive(Clone, Debug, Default)]
pub struct SharedParts<T: Number = f64>(pub Vec<Arc<dyn Part<T>>>);

impl Combine for SharedParts {
    type With<T: Number> = SharedParts<T>;
    fn is_like(&self, other: &Self) -> bool {
        self.0.is_empty() && other.0.is_empty()
    }
    fn list(&self, _: &mut Numbers) {}
    fn with<T: Number>(&self, _: &mut Combined<T>) -> SharedParts<T> {
        SharedParts(Vec::new())
    }
}
