//! A table of the settings that each mode uses. A given setting without effect causes a notice.

use super::document::Document;
use super::file::Switch;
use super::settings::{Ignored, Settings};
use crate::integrate::{Chart, Correction, Form, Norm, Predictor, Restart, Start, Strategy, When};
use crate::methods::{AUTOMATIC, needs_directors};
use crate::solve::Solver;

/// A line of the table.
#[derive(Clone, Copy)]
pub struct Key {
    /// Path in a model file.
    pub path: &'static str,
    /// True if this mode uses it.
    read: fn(&Mode) -> bool,
    /// True if its value changes nothing.
    asks_nothing: fn(&Mode) -> bool,
    /// The modes that use it.
    pub belongs_to: &'static str,
}

/// The mode of a run, and its file.
struct Mode<'a> {
    settings: &'a Settings,
    document: &'a Document,
}

impl Mode<'_> {
    fn is(&self, method: &str) -> bool {
        self.settings.method == method
    }

    fn adaptive(&self) -> bool {
        self.settings.tolerance.is_some()
    }

    fn fixed(&self, method: &str) -> bool {
        self.is(method) && !self.adaptive()
    }

    /// Methods that solve a step in condensed form, with matrices that can be kept.
    fn condensed(&self) -> bool {
        self.settings.form().is_some()
    }

    /// Methods of the GGL principle with Newton's method.
    fn conserving(&self) -> bool {
        self.has_momenta() && !self.is("bs99")
    }

    fn stabilized(&self) -> bool {
        self.settings.form() == Some(Form::StabilizedIndex2)
    }

    fn sigma(&self) -> bool {
        let o = &self.settings.options;
        let alpha = o.alpha.or_else(|| crate::integrate::Alpha::from_rho(o.rho).ok());
        alpha.is_none_or(|alpha| o.modification.sigma.value(&alpha) != 0.0)
    }

    /// True for methods of the GGL principle, which continue from separate momenta.
    fn has_momenta(&self) -> bool {
        needs_directors(&self.settings.method)
    }

    /// True for methods whose systems can have constraints.
    fn constrained(&self) -> bool {
        !["rkmk4", "dopri5", "dop853"].iter().any(|name| self.is(name))
    }

    fn published(&self) -> bool {
        self.settings.options.modification.variant.is_published() && self.sigma()
    }
}

const ALWAYS: fn(&Mode) -> bool = |_| true;
const NEVER: fn(&Mode) -> bool = |_| false;
const ALPHA: &str = "it is a parameter of gen-alpha";
const VI_THETA: &str = "it is a parameter of vi-theta";
const VI_FAMILY: &str = "it is a parameter of vi-family";
const STABILIZED: &str = "it belongs to the form stabilized-index2";
const SIGMA: &str = "the sigma-modification belongs to gen-alpha with a fixed step";
const WITH_TOLERANCE: &str = "it belongs to runs with a tolerance";
const PROJECTIONS: &str = "projections belong to constrained systems and fixed steps";
const NEWTON: &str = "it belongs to methods with Newton's iteration";

const fn key(path: &'static str, read: fn(&Mode) -> bool, belongs_to: &'static str) -> Key {
    Key { path, read, asks_nothing: NEVER, belongs_to }
}

const fn unless(
    path: &'static str,
    read: fn(&Mode) -> bool,
    asks_nothing: fn(&Mode) -> bool,
    belongs_to: &'static str,
) -> Key {
    Key { path, read, asks_nothing, belongs_to }
}

const fn alpha(path: &'static str) -> Key {
    key(path, |m| m.is("gen-alpha") || m.is(AUTOMATIC), ALPHA)
}

/// Every key of `[integrator]` and `[run]`.
pub const KEYS: &[Key] = &[
    key("integrator.method", ALWAYS, ""),
    key("integrator.formulation", ALWAYS, ""),
    key("integrator.form", |m| m.condensed(), "only gen-alpha and bliedf have several forms"),
    alpha("integrator.rho"),
    alpha("integrator.hht"),
    alpha("integrator.alpha_m"),
    alpha("integrator.alpha_f"),
    alpha("integrator.beta"),
    alpha("integrator.gamma"),
    unless(
        "integrator.start",
        |m| m.fixed("gen-alpha"),
        |m| m.settings.options.start == Start::Classical,
        "other methods, and runs with a tolerance, have their own starting values",
    ),
    key(
        "integrator.start_s",
        |m| m.fixed("gen-alpha") && m.settings.options.start != Start::Classical,
        "it belongs to gen-alpha with start = \"table1\" or \"table2\" and a fixed step",
    ),
    unless(
        "integrator.modified_start",
        |m| m.fixed("bliedf") && m.settings.form() == Some(Form::Index3),
        |m| m.settings.options.modified_start,
        "it belongs to bliedf in the form index3 with a fixed step",
    ),
    unless(
        "integrator.map",
        |m| m.fixed("gen-alpha") || m.fixed("bliedf"),
        |m| m.settings.options.chart == Chart::Exponential,
        "it belongs to gen-alpha and bliedf with fixed steps",
    ),
    key(
        "integrator.history",
        |m| m.fixed("bliedf"),
        "it is where bliedf with a fixed step gets its starting values",
    ),
    key(
        "integrator.eta",
        |m| m.stabilized() || (m.fixed("bliedf") && m.settings.form() == Some(Form::Index3)),
        "it belongs to the form stabilized-index2, and to the start of bliedf in the form index3",
    ),
    key(
        "integrator.k",
        |m| {
            let bliedf = m.is("bliedf") || m.is(AUTOMATIC);
            bliedf && !(m.adaptive() && m.document.gives("integrator.max_order"))
        },
        "it is the order of bliedf, and with a tolerance max_order replaces it",
    ),
    unless(
        "integrator.correction",
        |m| m.fixed("bliedf"),
        |m| m.condensed() && !m.is("gen-alpha") && m.settings.options.correction == Correction::Magnus,
        "it belongs to bliedf with a fixed step; with a tolerance the correction is always magnus",
    ),
    unless("integrator.sigma", |m| m.is("gen-alpha"), |m| !m.sigma(), SIGMA),
    key("integrator.sigma_variant", |m| m.fixed("gen-alpha") && m.sigma(), SIGMA),
    key(
        "integrator.sigma_predictor",
        |m| m.fixed("gen-alpha") && m.published(),
        "it belongs to sigma_variant = \"published\" and a sigma that is not 0",
    ),
    key("integrator.eta_term", |m| m.is("gen-alpha") && m.stabilized() && !m.published(), STABILIZED),
    unless(
        "integrator.predictor",
        |m| m.fixed("gen-alpha") && !m.published(),
        |m| m.settings.options.predictor == Predictor::Auto,
        "other methods, and runs with a tolerance, have their own predictors",
    ),
    unless(
        "integrator.newton",
        |m| {
            let o = &m.settings.options;
            m.condensed() && (!m.adaptive() || o.steering.with_strategy(o.newton.strategy).is_some())
        },
        |m| m.settings.options.newton.strategy == Strategy::Auto,
        "it belongs to gen-alpha and bliedf; with a tolerance it is auto, full, once or kept",
    ),
    unless(
        "integrator.solver",
        |m| m.condensed(),
        |m| m.settings.options.newton.solver == Solver::default(),
        "it belongs to gen-alpha and bliedf",
    ),
    key("integrator.newton_tolerance", |m| m.condensed() || m.conserving(), NEWTON),
    key("integrator.max_iterations", |m| m.condensed() || m.conserving(), NEWTON),
    unless(
        "integrator.recovery",
        |m| (m.condensed() && !m.adaptive()) || m.conserving(),
        |m| m.settings.options.newton.recovery,
        "with a tolerance a step that fails is always tried again with a smaller one",
    ),
    key("integrator.theta", |m| m.is("vi-theta"), VI_THETA),
    key("integrator.vartheta", |m| m.is("vi-theta"), VI_THETA),
    key("integrator.variant", |m| m.is("vi-theta"), VI_THETA),
    key("integrator.lagrangian_quadrature", |m| m.is("vi-family"), VI_FAMILY),
    key("integrator.velocity_quadrature", |m| m.is("vi-family"), VI_FAMILY),
    key("integrator.position_quadrature", |m| m.is("vi-family"), VI_FAMILY),
    key(
        "integrator.allow_unstable",
        |m| m.is("vi-theta") || m.is("vi-family"),
        "it belongs to vi-theta and vi-family",
    ),
    key("integrator.guess", |m| m.conserving(), "it belongs to variational and energy-momentum methods"),
    unless("integrator.tol", |m| m.adaptive(), |m| !m.adaptive(), WITH_TOLERANCE),
    key("integrator.atol_rotation", |m| m.adaptive(), WITH_TOLERANCE),
    key("integrator.atol_position", |m| m.adaptive(), WITH_TOLERANCE),
    key("integrator.atol_angular_velocity", |m| m.adaptive(), WITH_TOLERANCE),
    key("integrator.atol_velocity", |m| m.adaptive(), WITH_TOLERANCE),
    key(
        "integrator.max_order",
        |m| m.adaptive() && (m.is("bliedf") || m.is(AUTOMATIC)),
        "it belongs to bliedf with a tolerance",
    ),
    // A step together with a tolerance is refused, or off.
    unless("run.step", |m| !m.adaptive(), |m| m.adaptive(), ""),
    key("run.max_step", |m| m.adaptive(), WITH_TOLERANCE),
    key("run.until", ALWAYS, ""),
    unless(
        "run.project_velocity_at",
        |m| {
            let projection = &m.settings.projection;
            let kept = m.has_momenta() && projection.restart == Restart::Keep;
            !m.adaptive() && m.constrained() && projection.velocity != When::EveryStep && !kept
        },
        |m| m.document.file.run.project_velocity_at.is_empty(),
        "projections belong to constrained systems and fixed steps, project_every_step replaces it, and \
         methods of the GGL principle need \
         restart_after_projection",
    ),
    unless(
        "run.project_every_step",
        |m| !m.adaptive() && m.constrained(),
        |m| matches!(m.document.file.run.project_every_step, None | Some(Switch::Flag(false))),
        PROJECTIONS,
    ),
    unless(
        "run.projection_norm",
        |m| {
            let projection = &m.settings.projection;
            let some = projection.velocity != When::Never || projection.position != When::Never;
            !m.adaptive() && m.constrained() && some
        },
        |m| m.settings.projection.norm == Norm::Mass,
        PROJECTIONS,
    ),
    unless(
        "run.restart_after_projection",
        |m| {
            let projection = &m.settings.projection;
            let some = projection.velocity != When::Never || projection.position != When::Never;
            !m.adaptive() && m.constrained() && some
        },
        |m| !m.document.file.run.restart_after_projection,
        PROJECTIONS,
    ),
    unless(
        "run.assemble",
        |m| m.constrained(),
        |m| !m.document.file.run.assemble,
        "it belongs to constrained systems",
    ),
    unless(
        "run.fix_initial",
        |m| m.constrained(),
        |m| !m.document.file.run.fix_initial,
        "it belongs to constrained systems",
    ),
];

/// Settings that the file (or an override) gives but the run does not use.
pub fn ignored(document: &Document, settings: &Settings) -> Vec<Ignored> {
    let mode = Mode { settings, document };
    KEYS.iter()
        .filter(|k| document.gives(k.path) && !(k.read)(&mode) && !(k.asks_nothing)(&mode))
        .map(|k| Ignored { path: k.path, belongs_to: k.belongs_to })
        .collect()
}
