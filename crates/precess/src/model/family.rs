//! A model as a function of named parameters: it can be rebuilt with other values, and its equations have
//! derivatives.
//!
//! Parameters are those of `[parameters]` and `[inputs]` of a file, or arguments of a function in Rust.
//! Masses, points and stiffnesses may be any expression of them, so their derivatives are difference
//! quotients of order 8, which are exact up to rounding errors (about 1e-13 of number / parameter). From
//! these numbers to the equations of motion the derivative is exact: the numbers become [dual
//! numbers](precess_lie::Dual) and the physics is evaluated with them, at any state. Some physics is written
//! for plain numbers only: expressions of positions, flexible bodies, forces in code, formulations other than
//! r3so3 and se3. There, the difference quotient of the equations themselves is used.
//!
//! ```
//! use precess::formulation::Formulation;
//! use precess::model::Family;
//! use precess::prelude::*;
//!
//! let pendulum = Family::new(&[("mass", 2.0), ("length", 1.0)], |p| {
//!     let (mass, length) = (p["mass"], p["length"]);
//!     Ok(Model::new("pendulum")
//!         .gravity([0.0, 0.0, -9.81])
//!         .body(Body::point("bob", mass).at([length, 0.0, 0.0]))
//!         .joint(Joint::spherical("pin", [GROUND, "bob"], [0.0; 3])))
//! });
//! let heavier = pendulum.with("mass", 3.0)?;
//! assert_eq!(heavier.model()?.bodies[0].mass, 3.0);
//! // The bob hangs in a point: its mass has no part in the constraint.
//! let by_mass = pendulum.derivative("mass", Formulation::R3SO3)?;
//! assert!(by_mass.is_dual());
//! # Ok::<(), precess::Error>(())
//! ```

use crate::mechanics::Multibody;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use num_traits::Zero;
use precess_lie::{Dual, Number as _};

use super::Loaded;
use super::build::{Built, build};
use super::document::Document;
use super::evaluate::Evaluator;
use super::number::Number;
use super::spec::Model;
use crate::Error;
use crate::formulation::Formulation;
use crate::mechanics::combine::Combine;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::physics::Physics;
use crate::mechanics::{At, Equations, System};

/// Names and values.
pub type Values = BTreeMap<String, f64>;

/// Makes a model from its parameters.
trait Recipe: Send + Sync {
    /// All parameters, if these have other values.
    fn values(&self, set: &Values) -> Result<Values, Error>;
    /// The model.
    fn model(&self, set: &Values) -> Result<Model, Error>;
}

/// A model as a function of named parameters.
#[derive(Clone)]
pub struct Family {
    recipe: Arc<dyn Recipe>,
    values: Values,
    /// The parameters that were set; others may follow from them.
    set: Values,
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Family({:?})", self.values)
    }
}

impl Family {
    /// The model that `make` returns for values of these parameters.
    pub fn new(
        parameters: &[(&str, f64)],
        make: impl Fn(&Values) -> Result<Model, Error> + Send + Sync + 'static,
    ) -> Self {
        let values: Values = parameters.iter().map(|(name, x)| (name.to_string(), *x)).collect();
        let recipe = Arc::new(InRust { values: values.clone(), make });
        Family { recipe, values, set: Values::new() }
    }

    /// The parameters by name, with their values, including inputs: an input has its initial value.
    pub fn parameters(&self) -> &Values {
        &self.values
    }

    /// The same with another value of a parameter. Parameters that are expressions of it follow.
    pub fn with(&self, name: &str, value: f64) -> Result<Self, Error> {
        self.find(name)?;
        let mut set = self.set.clone();
        set.insert(name.to_string(), value);
        Ok(Family { recipe: self.recipe.clone(), values: self.recipe.values(&set)?, set })
    }

    /// The model with these values.
    pub fn model(&self) -> Result<Model, Error> {
        self.recipe.model(&self.set)
    }

    /// The equations of motion with these values, and the initial values.
    pub fn build(&self, formulation: Formulation) -> Result<Built, Error> {
        build(&self.model()?, formulation)
    }

    /// The derivative of the equations for a parameter.
    // Inline, as all functions that need dual numbers: they are compiled only where they are used.
    #[inline]
    pub fn derivative(&self, name: &str, formulation: Formulation) -> Result<ParameterDerivative, Error> {
        let value = self.find(name)?;
        let base = self.build(formulation)?;
        let step = if value == 0.0 { STEP_AT_ZERO } else { STEP * value.abs() };
        let at = |offset: f64| self.with(name, value + offset * step)?.build(formulation);
        // At the bound of a parameter, such as a damping of zero, only one side is possible.
        let mut found = CENTRAL.map(|(x, w)| Ok((w, at(x)?))).into_iter().collect::<Result<Vec<_>, Error>>();
        for side in [1.0, -1.0] {
            if found.is_err() {
                let other = ONE_SIDED.map(|(x, w)| Ok((side * w, at(side * x)?)));
                found = other.into_iter().collect::<Result<Vec<_>, Error>>().or(found);
            }
        }
        let found = found.map_err(|e| Error::Input {
            message: format!("parameter '{name}' has no derivative: there is no model at values nearby\n{e}"),
        })?;
        ParameterDerivative::new(name, base, found, step)
    }

    fn find(&self, name: &str) -> Result<f64, Error> {
        let unknown = || Error::unknown_name("parameter", name, self.values.keys().map(String::as_str));
        self.values.get(name).copied().ok_or_else(unknown)
    }
}

/// Step of the quotients, relative to the parameter: errors of truncation, 600 step^8, and of rounding,
/// eps/step, are below 1e-13.
const STEP: f64 = 5e-3;
/// Step if the parameter is zero.
const STEP_AT_ZERO: f64 = 1e-3;

/// Offsets and weights of the quotient of order 8.
const CENTRAL: [(f64, f64); 8] = [
    (1.0, 4.0 / 5.0),
    (-1.0, -4.0 / 5.0),
    (2.0, -1.0 / 5.0),
    (-2.0, 1.0 / 5.0),
    (3.0, 4.0 / 105.0),
    (-3.0, -4.0 / 105.0),
    (4.0, -1.0 / 280.0),
    (-4.0, 1.0 / 280.0),
];

/// One-sided quotient of order 7; the weight of the value itself follows from the others.
const ONE_SIDED: [(f64, f64); 7] = [
    (1.0, 7.0),
    (2.0, -21.0 / 2.0),
    (3.0, 35.0 / 3.0),
    (4.0, -35.0 / 4.0),
    (5.0, 21.0 / 5.0),
    (6.0, -7.0 / 6.0),
    (7.0, 1.0 / 7.0),
];

/// The derivative of the equations of a model for one of its parameters, at fixed q, v, v', lambda and s.
pub struct ParameterDerivative {
    means: Means,
    q: Vec<f64>,
    v: Vec<f64>,
}

enum Means {
    /// Numbers with their derivatives.
    Dual(Box<Physics<Dual>>),
    /// The system, and systems with other values and their weights.
    Rebuilt(Box<dyn Mechanism>, Vec<(f64, Box<dyn Mechanism>)>),
}

impl fmt::Debug for ParameterDerivative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParameterDerivative(dual: {})", self.is_dual())
    }
}

impl ParameterDerivative {
    #[inline]
    fn new(name: &str, base: Built, found: Vec<(f64, Built)>, step: f64) -> Result<Self, Error> {
        let size = |b: &Built| (b.q.len(), b.v.len(), b.system.n_lambda(), b.system.n_s());
        if found.iter().any(|(_, b)| size(b) != size(&base)) {
            let message =
                format!("parameter '{name}' changes the number of bodies, joints or states: no derivative");
            return Err(Error::Input { message });
        }
        let n = base.v.len();
        let (mut q, mut v, mut change) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut others = Vec::new();
        for (w, other) in found {
            let w = w / step;
            base.system.group().difference(&base.q, &other.q, &mut change);
            q.iter_mut().zip(&change).for_each(|(q, x)| *q += w * x);
            v.iter_mut().zip(other.v.iter().zip(&base.v)).for_each(|(v, (x, y))| *v += w * (x - y));
            others.push((w, other.system));
        }
        Ok(ParameterDerivative { means: Means::new(base.system, others), q, v })
    }

    /// True if dual numbers give the derivatives; otherwise they are quotients of the equations.
    pub fn is_dual(&self) -> bool {
        matches!(self.means, Means::Dual(_))
    }

    /// The derivatives of the initial q, as a velocity of the group, and of the initial v. Starting values
    /// that are made consistent change with them.
    pub fn start(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.v)
    }

    /// Writes the derivatives of the residual, of Phi and of B v + Phi_t.
    #[inline]
    pub fn equations(&self, at: &At, out: Equations) {
        match &self.means {
            Means::Dual(physics) => dual(physics, at, out),
            Means::Rebuilt(base, others) => rebuilt(&**base, others, at, out),
        }
    }
}

impl Means {
    #[inline]
    fn new(base: Box<dyn Mechanism>, others: Vec<(f64, Box<dyn Mechanism>)>) -> Self {
        let systems = std::iter::once(&base).chain(others.iter().map(|x| &x.1));
        let physics: Option<Vec<&Physics>> =
            systems.map(|s| Multibody::of(&**s).map(|m| m.physics())).collect();
        let weights: Vec<f64> = others.iter().map(|x| x.0).collect();
        let side = |of: &dyn Fn(usize) -> f64| {
            let x = of(0);
            // A number that does not change has a derivative of exactly zero.
            Dual::new(x, weights.iter().enumerate().map(|(i, w)| w * (of(i + 1) - x)).sum())
        };
        match physics.and_then(|list| Physics::combine(&list, &side)) {
            Some(physics) => Means::Dual(Box::new(physics)),
            None => Means::Rebuilt(base, others),
        }
    }
}

#[inline]
fn dual(physics: &Physics<Dual>, at: &At, out: Equations) {
    let of = |x: &[f64]| -> Vec<Dual> { x.iter().map(|x| Dual::of(*x)).collect() };
    let (q, v, vdot, lambda) = (of(at.q), of(at.v), of(at.vdot), of(at.lambda));
    let (s, memory) = (of(at.s), of(at.memory));
    let at = At { t: Dual::of(at.t), q: &q, v: &v, vdot: &vdot, lambda: &lambda, s: &s, memory: &memory };
    let mut places = [out.r, out.phi, out.velocity];
    let mut found = places.each_ref().map(|x| x.as_ref().map(|x| vec![Dual::zero(); x.len()]));
    let [r, phi, velocity] = &mut found;
    let equations =
        Equations { r: r.as_deref_mut(), phi: phi.as_deref_mut(), velocity: velocity.as_deref_mut() };
    physics.equations(&at, equations);
    for (place, found) in places.iter_mut().zip(&found) {
        if let (Some(place), Some(found)) = (place, found) {
            place.iter_mut().zip(found).for_each(|(x, found)| *x = found.dx);
        }
    }
}

fn rebuilt(base: &dyn Mechanism, others: &[(f64, Box<dyn Mechanism>)], at: &At, out: Equations) {
    let mut places = [out.r, out.phi, out.velocity];
    let wanted = places.each_ref().map(|x| x.as_ref().map(|x| x.len()));
    let values = |system: &dyn System| {
        let mut found = wanted.map(|n| n.map(|n| vec![0.0; n]));
        let [r, phi, velocity] = &mut found;
        let equations =
            Equations { r: r.as_deref_mut(), phi: phi.as_deref_mut(), velocity: velocity.as_deref_mut() };
        system.equations(at, equations);
        found
    };
    let here = values(base);
    places.iter_mut().flatten().for_each(|x| x.fill(0.0));
    for (w, other) in others {
        for ((place, there), here) in places.iter_mut().zip(values(&**other)).zip(&here) {
            if let (Some(place), Some(there), Some(here)) = (place, there, here) {
                place.iter_mut().zip(there.iter().zip(here)).for_each(|(x, (a, b))| *x += w * (a - b));
            }
        }
    }
}

/// A function in Rust.
struct InRust<F> {
    values: Values,
    make: F,
}

impl<F: Fn(&Values) -> Result<Model, Error> + Send + Sync> Recipe for InRust<F> {
    fn values(&self, set: &Values) -> Result<Values, Error> {
        let mut values = self.values.clone();
        values.extend(set.iter().map(|(name, x)| (name.clone(), *x)));
        Ok(values)
    }

    fn model(&self, set: &Values) -> Result<Model, Error> {
        (self.make)(&self.values(set)?)
    }
}

/// A file: its text is read once, its expressions are evaluated for each model.
struct OfFile {
    document: Document,
    name: String,
}

impl OfFile {
    fn with(&self, set: &Values) -> Document {
        let mut document = self.document.clone();
        for (name, x) in set {
            let file = &mut document.file;
            let parameter = file.parameters.get_mut(name);
            if let Some(number) = parameter.or_else(|| file.inputs.get_mut(name)) {
                *number = Number::Value(*x);
            }
        }
        document
    }
}

impl Recipe for OfFile {
    fn values(&self, set: &Values) -> Result<Values, Error> {
        let document = self.with(set);
        let evaluator = Evaluator::new(&document);
        let values = evaluator.parameters(&document);
        document.locate(evaluator.problems)?;
        Ok(values)
    }

    /// Joints may be open: positions that close a mechanism for some lengths do not for others.
    fn model(&self, set: &Values) -> Result<Model, Error> {
        let document = self.with(set);
        let mut evaluator = Evaluator::new(&document);
        evaluator.rough = true;
        let model = evaluator.model(&document, &self.name);
        document.locate(evaluator.problems)?;
        Ok(model)
    }
}

impl Loaded {
    /// The model as a function of its `[parameters]` and `[inputs]`; a model that was made in Rust has none,
    /// see [`Family::new`].
    pub fn family(&self) -> Result<Family, Error> {
        let recipe = OfFile { document: self.document.clone(), name: self.model.name.clone() };
        let values = recipe.values(&Values::new())?;
        Ok(Family { recipe: Arc::new(recipe), values, set: Values::new() })
    }
}
