//! One step of an implicit method, for any method, any kind of number and any solver.
//!
//! | what | where |
//! |---|---|
//! | the data of a step, and what follows from its unknowns | `data.rs`, `layout.rs` |
//! | a method: what it predicts and what it keeps | `method.rs`, `formulas.rs`, `guess.rs` |
//! | J and its factors | `linear.rs`, `assembly.rs` for single runs, `places.rs` for lanes |
//! | when to form a matrix, and when to stop | `decisions.rs`, `tested.rs` |
//! | rows with another status, redundant rows | `rows.rs`, `filter.rs`, `round_off.rs` |
//! | velocities that are not affine in theta | `relation.rs`, `curved.rs` |
//! | derivatives of a step, direct and transposed; J times a vector | `lifted.rs`, `adjoint.rs`, `product.rs` |

pub mod adjoint;
pub mod assembly;
mod curved;
pub mod data;
pub mod decisions;
mod filter;
pub mod formulas;
pub mod guess;
pub mod layout;
pub mod lifted;
pub mod linear;
pub mod method;
pub mod places;
pub mod product;
pub mod relation;
mod round_off;
pub mod rows;
pub mod runs;
pub(crate) mod tested;

use precess_lie::Number;

pub use self::data::Step;
pub use self::decisions::{Decisions, Fixed};
pub use self::formulas::Formulas;
pub use self::layout::Layout;
pub use self::linear::{KktFactors, Linear};
pub use self::method::Method;
pub use self::runs::Runs;
pub use crate::integrate::newton::Verdict;
use crate::mechanics::Dynamics;
use crate::solve::Singular;

/// Why a step has no result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// J is singular.
    Singular(Singular),
    /// The residual is not finite.
    NotFinite,
    /// The iteration does not converge; the last correction in units of the tolerance.
    Diverges(f64),
}

/// One time step.
#[inline(always)]
pub fn advance<T: Number>(
    method: &mut impl Method<T>,
    dynamics: &(impl Dynamics<T> + ?Sized),
    linear: &mut impl Linear<T>,
    control: &mut impl Decisions<T>,
    step: &mut Step<T>,
) -> Result<(), Failure> {
    method.predict(step, dynamics, linear); // N, theta_0, v_0, v'_0 and a first guess
    solve(dynamics, linear, control, step)?;
    method.accept(step); // the history of the next step
    Ok(())
}

/// Newton's method from the current guess.
#[inline(always)]
pub fn solve<T: Number>(
    dynamics: &(impl Dynamics<T> + ?Sized),
    linear: &mut impl Linear<T>,
    control: &mut impl Decisions<T>,
    step: &mut Step<T>,
) -> Result<(), Failure> {
    let mut matrix = control.begin(step); // is a new matrix wanted?
    loop {
        step.residual(dynamics); // h^2 (M v' + g + B^T lambda), Phi, h_s, B v / dv
        if control.is_solved(step, dynamics, linear)? {
            break; // its size shows that it cannot get smaller
        }
        if matrix {
            linear.form(step, dynamics).map_err(Failure::Singular)?; // S, K, B, Y, T(theta), and J = L U
            control.formed(step, linear);
        }
        control.filter(step, linear); // what no motion can remove from redundant rows
        step.xi.iter_mut().zip(&step.psi).for_each(|(xi, psi)| *xi = -*psi);
        linear.solve(&mut step.xi); // J xi = -psi
        control.measure(step, linear); // how large is the correction?
        step.correct(1.0, dynamics.group()); // the unknowns, and the iterate (q, v, v', lambda) that follows
        match control.judge(step, linear)? {
            Verdict::Solved => break,
            Verdict::Again { matrix: next } => matrix = next,
            Verdict::Stuck => {
                control.give_up(step, dynamics, linear)?;
                break;
            }
        }
    }
    control.end(step);
    Ok(())
}
