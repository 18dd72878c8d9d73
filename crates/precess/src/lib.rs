//! Simulation of constrained mechanical systems with large rotations. The integrators work on Lie groups.
//!
//! ```text
//! M(q) v' = -g(q,v,t) - B(q,t)^T lambda,    q' = DL_q(e) v~,    Phi(q,t) = 0,    q in a Lie group
//! ```
//!
//! Most programs need only the [`prelude`]: a model, a function that runs it, and an object for programs that
//! control the steps themselves.
//!
//! ```
//! use precess::prelude::*;
//!
//! let model = Model::new("pendulum")
//!     .gravity([0.0, 0.0, -9.81])
//!     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
//!     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y));
//! let results = model.run(1.0, 1e-8)?;
//! println!("{results}");
//! let force = results.triples("hinge.force")?;
//! assert_eq!(force.len(), results.t().len());
//!
//! let mut simulation = Simulation::new(model)?;
//! while simulation.t() < 0.1 {
//!     simulation.advance_to(simulation.t() + 1e-3)?;
//! }
//! println!("{:?}", simulation.body("rod")?.position);
//! # Ok::<(), precess::Error>(())
//! ```
//!
//! You can also put all pieces together yourself:
//!
//! ```
//! use precess::integrate::{Form, GeneralizedAlpha, Implicit, InitialValues, Integrator};
//! use precess::problems::HeavyTop;
//! use precess::formulation::Formulation;
//!
//! let top = HeavyTop::fast(Formulation::R3SO3);
//! let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
//! let mut method = Implicit::new(GeneralizedAlpha::new(0.9, Form::StabilizedIndex2)?);
//! let h = 1e-3;
//! method.start(&top, &mut state, h)?;
//! for _ in 0..100 {
//!     method.step(&top, &mut state, h)?;
//! }
//! assert!((state.t - 0.1).abs() < 1e-12);
//! # Ok::<(), precess::Error>(())
//! ```
//!
//! A build without optimisation takes 70 to 180 times as long for a step. Use `--release`, or add
//! `[profile.dev.package."*"]` with `opt-level = 3` to your `Cargo.toml`.
//!
//! Vectors and matrices are those of [`nalgebra`], which is exported here. Programs that use
//! `precess::nalgebra` need no line for it in their `Cargo.toml`. Such a line can select other features or
//! another version, and then cargo builds nalgebra and everything after it once more.
//!
//! # Modules
//!
//! A module uses only those before it: `error`, `persist`, `threads`, `clock`, `expression` (formulas), `flex`
//! (beams, modal bodies), `solve` (linear algebra), `mechanics` (the equations of motion), `integrate`
//! (starting values, methods), `formulation` (coordinates), `problems` (benchmarks with reference solutions),
//! `runs` (the loop over time steps), those of `conserve` (`conservative`, `steps`, `directors`, `ggl`:
//! variational and energy-momentum methods, and their coordinates), `methods` (all methods by name), `model`
//! (model files), `study` (studies and results), `analysis` (equilibrium, modes, kinematics), `simulation` (for
//! programs that control the steps themselves). Those up to `runs` are the crate `precess-engine`, those of
//! `conserve` the crate `precess-conserve`. ARCHITECTURE.md in the repository is a guide to the code.
//!
//! "LA" and "VP" in the documentation are the two papers of Arnold, Cardona and Brüls in `REFERENCES.bib`;
//! bare equation numbers belong to LA.

// User input never causes a panic. Unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub mod analysis;
pub mod methods;
pub mod model;
pub mod prelude;
pub mod simulation;
pub mod study;

#[doc(no_inline)]
pub use nalgebra;
#[doc(inline)]
pub use precess_conserve as conserve;
use precess_engine::clock;
use precess_engine::runs;
#[doc(inline)]
pub use precess_engine::{Error, error, flex, formulation, integrate, mechanics, persist, solve};
pub use precess_lie as lie;
pub use simulation::Simulation;

/// Benchmark problems with reference solutions.
pub mod problems {
    pub use precess_conserve::ggl::{self, GglExample};
    pub use precess_engine::problems::*;
}
