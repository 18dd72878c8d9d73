//! Models so small, so light or so large that sixteen digits do not hold their equations in the given units.
//!
//! The equations of a step contain inertias beside directions of joints, which are of size one. Pendulums of
//! 10 um, with 1e-22 kg m^2, still run; at 1 um, with 1e-27 kg m^2, Newton's method no longer converges in a
//! third of the steps. In units of their own size they run like all others, with the same steps.

use super::body::BodySpec;
use crate::Error;
use crate::mechanics::BodyKind;

/// Smaller inertias, of the largest body, drown in rounding errors.
const LEAST_INERTIA: f64 = 1e-23;
/// Rows of angles and of lengths differ by the length of a model; beyond this, by more than sixteen digits.
const LARGEST_LENGTH: f64 = 3e14;
/// Smaller masses have fewer than sixteen digits.
const LEAST_MASS: f64 = 1e-300;

/// Refuses bodies that are too small, too light or too large, with the remedy.
pub(super) fn refuse(bodies: &[BodySpec], length: f64) -> Result<(), Error> {
    let input = |message: String| Err(Error::Input { message });
    if let Some(body) = bodies.iter().find(|b| b.mass > 0.0 && b.mass < LEAST_MASS) {
        return input(format!(
            "body '{}' has a mass of {:e}, which is too light for the digits of numbers (at least {LEAST_MASS:e})\n  \
             help: give it more mass, or leave it out",
            body.name, body.mass
        ));
    }
    let inertia = |b: &BodySpec| match b.kind {
        BodyKind::Rigid { inertia } => (b.mass * length * length).max(inertia.amax()),
        _ => b.mass * length * length,
    };
    let largest = bodies.iter().max_by(|a, b| inertia(a).total_cmp(&inertia(b)));
    if let Some(body) = largest.filter(|b| inertia(b) > 0.0 && inertia(b) < LEAST_INERTIA) {
        return input(format!(
            "the model is too small for its units: the largest inertia, mass times length squared of body '{}', \
             is {:.1e}, and below {LEAST_INERTIA:e} it is lost beside the directions of joints\n  \
             help: give all numbers in smaller units, for example um, ng and ms instead of m, kg and s (then \
             gravity is 9.81 um/ms^2); the motion is the same",
            body.name,
            inertia(body)
        ));
    }
    if length > LARGEST_LENGTH {
        return input(format!(
            "the model is too large for its units: its length is {length:.1e}, and beyond {LARGEST_LENGTH:e} \
             angles are lost beside lengths\n  \
             help: give all numbers in larger units, for example 1e9 m instead of m, with gravity in the same \
             units"
        ));
    }
    Ok(())
}
