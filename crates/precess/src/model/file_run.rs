//! `[integrator]`, `[run]` and `[output]` of a model file.

use serde::{Deserialize, Serialize};

use super::file::is_default;
use super::number::Number;

/// Default end time.
pub(super) const DEFAULT_UNTIL: f64 = 1.0;

/// `[integrator]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IntegratorBlock {
    /// Method; see `precess methods`. With a tolerance bliedf, gen-alpha, or auto for the better of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// index3 | stabilized-index2 | index2 | index1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// Coordinates: r3so3 | se3 | so3 | euler-parameters | tait-bryan | directors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulation: Option<String>,
    /// Spectral radius at infinite frequency of generalized-alpha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Number>,
    /// HHT parameter alpha in [0, 1/3] instead of rho.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hht: Option<Number>,
    /// Generalized-alpha parameter; give all of alpha_m, alpha_f, beta, gamma instead of rho.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_m: Option<Number>,
    /// Generalized-alpha parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_f: Option<Number>,
    /// Newmark's beta; with gamma alone: Newmark's method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<Number>,
    /// Newmark's gamma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gamma: Option<Number>,
    /// Starting values: classical | table1 | table2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// s of the starting values table1 and table2: differences are taken over s steps. In (0, 1], 0.1 by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_s: Option<Number>,
    /// bliedf in the form index3: shift the starting velocities so that multipliers keep their order. True by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_start: Option<bool>,
    /// Starting values of bliedf with fixed steps: a file of results with t, q, v, vdot and lambda at the
    /// first k or k + 1 steps, for example from a run with a tolerance and `--every` with the step. They are
    /// computed by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// Local coordinates of rotations in gen-alpha, and in bliedf with k = 2, with fixed steps: exponential
    /// (default) | cayley.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// Direction of the stabilisation: mass | paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta: Option<String>,
    /// Number of steps of bliedf, 2 to 6, which is its order; with a tolerance its largest order, unless
    /// max_order is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// Commutators in bliedf: true (as magnus) | false (as none) | magnus | paper | none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Switch>,
    /// Sigma-modification of generalized-alpha: a number or optimal; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma: Option<Number>,
    /// Solution of the modified equations: exact | published | printed (Algorithm 2 with the series (65)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_variant: Option<String>,
    /// Factor of the published predictor: 1 as printed or 0.5 as derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_predictor: Option<Number>,
    /// Term of eta in the increment: plain | tangent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta_term: Option<String>,
    /// First guess of Newton's method in a step: auto | constant | paper | extrapolate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predictor: Option<String>,
    /// Newton strategy: auto | full | once | kept | simplified | modified; with a tolerance the first four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newton: Option<String>,
    /// Factorisation of the iteration matrix: auto | dense | pivoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// Accuracy of Newton's method relative to its first correction in a step; for variational and
    /// energy-momentum methods, its final residual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newton_tolerance: Option<Number>,
    /// Try rescues if Newton's method fails in a step: the exact matrix, other first guesses, shorter steps.
    /// True by default; studies never do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<bool>,
    /// theta of vi-theta, 0 to 1; 1/2 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theta: Option<Number>,
    /// vartheta of vi-theta, 0 to 1/2; 1/2 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vartheta: Option<Number>,
    /// Option of vi-theta: a (constraints at q_theta) or b (at the nodes, default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Quadrature of the Lagrangian in vi-family: midpoint (default), trapezoidal, simpson, gauss, or pairs
    /// of a weight and a node in [0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lagrangian_quadrature: Option<QuadratureBlock>,
    /// Quadrature of the constraints of velocities in vi-family; midpoint by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_quadrature: Option<QuadratureBlock>,
    /// Quadrature of the constraints of positions in vi-family; trapezoidal by default, so that they hold at
    /// the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_quadrature: Option<QuadratureBlock>,
    /// Accept members of vi-theta and vi-family whose errors grow in every step: option a with theta other
    /// than 1/2, or position constraints whose nodes have a mean other than 1/2. False by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unstable: Option<bool>,
    /// Initial guess of variational and energy-momentum methods: simple or advanced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Largest number of Newton iterations in a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// Approximate error at the end, relative to the size of the model, instead of a step size; off for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tol: Option<Number>,
    /// Tolerance of rotations in rad; from tol if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_rotation: Option<Number>,
    /// Tolerance of positions in m; from tol and the size of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_position: Option<Number>,
    /// Tolerance of angular velocities in rad/s; from tol and the time scale of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_angular_velocity: Option<Number>,
    /// Tolerance of velocities in m/s; from tol, size and time scale of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_velocity: Option<Number>,
    /// Largest order of bliedf with a tolerance, 1 to 6; 5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_order: Option<u32>,
}

/// A quadrature by name, or its weights and nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected midpoint, trapezoidal, simpson, gauss, or pairs [[weight, node], ..]"
)]
pub enum QuadratureBlock {
    /// By name.
    Name(String),
    /// Weights and nodes.
    Pairs(Vec<[Number; 2]>),
}

/// On, off, or one of several variants by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected true, false or a name")]
pub enum Switch {
    /// On or off.
    Flag(bool),
    /// By name.
    Name(String),
}

/// `[run]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunBlock {
    /// Step size in seconds; off for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Number>,
    /// Longest step in seconds of methods with automatic steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Number>,
    /// End of the run in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Number>,
    /// Project the velocities onto the constraints after each of these times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub project_velocity_at: Vec<Number>,
    /// Project positions and velocities after every step: true, or "position" or "velocity" for only one of
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_every_step: Option<Switch>,
    /// Norm of projections: mass (the kinetic energy of the correction, default) or euclidean (all bodies
    /// move equally).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projection_norm: Option<String>,
    /// Restart the integrator with its starting values after a projection. Velocities stay projected: Table
    /// 1 replaces Table 2, and bliedf does not shift them. In index-3 form a projection of the velocities
    /// costs the multipliers an order with or without a restart; stabilized-index2 keeps it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart_after_projection: bool,
    /// Project inconsistent initial values onto the constraints instead of refusing them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fix_initial: bool,
    /// Close the joints from rough positions before the run, as `precess assemble` does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assemble: bool,
}

/// `[output]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OutputBlock {
    /// File for the results: .npz, .csv or .json.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Interval of written steps: a number of steps (10), or a time ("0.01 s", "10 ms").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Every>,
    /// Units of the results, for example ["mm", "deg", "kN"]; SI for all others. Times stay in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
}

/// Interval of samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a number of steps or a string with a time, for example 10, \"0.01 s\" or \"10 ms\""
)]
pub enum Every {
    /// Steps.
    Steps(u32),
    /// A time with its unit.
    Time(String),
}
