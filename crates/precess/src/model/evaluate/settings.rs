//! The `[integrator]`, `[run]` and `[output]` blocks as typed settings.

use super::Evaluator;
use crate::Error;
use crate::conserve::{self, Guess};
use crate::formulation::Formulation;
use crate::integrate::{
    Alpha, Chart, Correction, Eta, EtaTerm, Form, Predictor, Projection, Restart, Sampling, Sigma, Start,
    Strategy, Tolerance, Variant, When,
};
use crate::methods::{AUTOMATIC, MethodOptions};
use crate::model::document::Document;
use crate::model::effect::ignored;
use crate::model::file::{Every, Switch};
use crate::model::file_run::DEFAULT_UNTIL;
use crate::model::number::Number;
use crate::model::settings::Settings;
use crate::solve::Solver;

/// Default step size.
const DEFAULT_STEP: f64 = 1e-3;
/// Default tolerance of a model without step and method.
const DEFAULT_TOL: f64 = 1e-6;
/// Default damping of generalized-alpha when it is tried beside BLieDF.
const DEFAULT_AUTOMATIC_RHO: f64 = 0.8;

/// Settings with defaults.
const CAN_BE_DEFAULT: [&str; 6] = [
    "integrator.method",
    "integrator.form",
    "integrator.formulation",
    "integrator.tol",
    "run.step",
    "run.until",
];

impl Evaluator {
    /// Reads the settings. Problems are collected in `self.problems`.
    pub fn settings(&mut self, document: &Document) -> Settings {
        let (i, run, out) = (&document.file.integrator, &document.file.run, &document.file.output);
        let mut options = self.method_options(document);
        let tolerance = self.tolerance(document);
        let method = i.method.clone().unwrap_or_else(|| {
            if tolerance.is_some() { AUTOMATIC.to_string() } else { "gen-alpha".to_string() }
        });
        if method == AUTOMATIC && i.rho.is_none() {
            options.rho = DEFAULT_AUTOMATIC_RHO;
        }
        self.check_method(&method, &options, tolerance);
        let formulation = self.named("integrator.formulation", &i.formulation, str::parse::<Formulation>);
        let step = self.unless_off("run.step", &run.step).unwrap_or(DEFAULT_STEP);
        self.positive("run.step", step, "give the step size in seconds, for example 1e-3");
        let max_step = self.option("run.max_step", &run.max_step);
        if let Some(h) = max_step {
            self.positive("run.max_step", h, "give the longest step in seconds, or leave it out");
        }
        let until = self.option("run.until", &run.until).unwrap_or(DEFAULT_UNTIL);
        if until < 0.0 {
            self.problem(
                "run.until",
                format!("the end {until} s is before the start at 0 s"),
                "give a time in seconds from 0 on",
            );
        }
        let projection = self.projection(document);
        let every = match &out.every {
            None => Ok(Sampling::default()),
            Some(Every::Steps(n)) => Sampling::parse(&n.to_string()),
            Some(Every::Time(text)) => Sampling::parse(text),
        };
        if let Err(e) = &every {
            self.problem("output.every", e.to_string(), "");
        }
        let mut settings = Settings {
            method,
            options,
            formulation: formulation.unwrap_or_default(),
            step,
            tolerance,
            max_step,
            until,
            projection,
            fix_initial: run.fix_initial,
            history: self.history(document),
            assemble: run.assemble,
            units: self.output_units(&out.units),
            output: out.file.clone(),
            every: every.unwrap_or_default(),
            defaults: CAN_BE_DEFAULT.into_iter().filter(|path| !document.gives(path)).collect(),
            ignored: Vec::new(),
        };
        settings.ignored = ignored(document, &settings);
        settings
    }

    /// The options of all methods.
    fn method_options(&mut self, document: &Document) -> MethodOptions {
        let i = &document.file.integrator;
        let mut options = MethodOptions::default();
        let form = self.named("integrator.form", &i.form, str::parse::<Form>);
        options.form = form.unwrap_or(Form::StabilizedIndex2);
        if let Some(x) = self.named("integrator.start", &i.start, str::parse::<Start>) {
            options.start = x;
        }
        if let Some(x) = self.option("integrator.start_s", &i.start_s) {
            if !(x > 0.0 && x <= 1.0) {
                self.problem("integrator.start_s", format!("s = {x} is not in (0, 1]"), "the paper has 0.1");
            }
            if let Start::Table1 { s } | Start::Table2 { s } = &mut options.start {
                *s = x;
            }
        }
        options.modified_start = i.modified_start.unwrap_or(options.modified_start);
        if let Some(x) = self.named("integrator.eta", &i.eta, str::parse::<Eta>) {
            options.eta = x;
        }
        if let Some(x) = self.named("integrator.map", &i.map, str::parse) {
            options.chart = x;
        }
        if let Some(k) = i.k {
            options.k = k as usize;
            if let Err(e) = crate::integrate::bliedf::coefficients::check_k(options.k) {
                self.problem("integrator.k", e.to_string(), "");
            }
        }
        let correction = i.correction.as_ref().map(|c| match c {
            Switch::Flag(true) => "magnus".to_string(),
            Switch::Flag(false) => "none".to_string(),
            Switch::Name(name) => name.clone(),
        });
        if let Some(x) = self.named("integrator.correction", &correction, str::parse::<Correction>) {
            options.correction = x;
            if x == Correction::Paper && options.k > 4 {
                self.problem(
                    "integrator.correction",
                    format!("the paper's correction is tabulated for k = 2, 3, 4 and k is {}", options.k),
                    "use correction = \"magnus\"",
                );
            }
        }
        if let Some(k) = i.max_order.or(i.k.filter(|k| (2..=6).contains(k))) {
            options.max_order = k as usize;
        }
        self.newton(document, &mut options);
        self.damping(document, &mut options);
        self.modification(document, &mut options);
        self.conserve(document, &mut options.conserve);
        options
    }

    /// Settings of Newton's method, for all methods.
    fn newton(&mut self, document: &Document, options: &mut MethodOptions) {
        let i = &document.file.integrator;
        if let Some(x) = self.named("integrator.newton", &i.newton, str::parse::<Strategy>) {
            options.newton.strategy = x;
            options.steering = options.steering.with_strategy(x).unwrap_or(options.steering);
        }
        if let Some(x) = self.named("integrator.solver", &i.solver, str::parse::<Solver>) {
            options.newton.solver = x;
            options.steering.solver = x;
        }
        if let Some(x) = self.option("integrator.newton_tolerance", &i.newton_tolerance) {
            self.positive("integrator.newton_tolerance", x, "give a small positive number, or leave it out");
            options.newton.tolerance = x;
            options.conserve.settings.tolerance = x;
            options.steering.accuracy = Some(x);
        }
        options.newton.recovery = i.recovery.unwrap_or(true);
        options.conserve.settings.fallback = options.newton.recovery;
        if let Some(n) = i.max_iterations {
            self.positive("integrator.max_iterations", n.into(), "a step needs at least one iteration");
            options.newton.max_iterations = n as usize;
            options.conserve.settings.max_iterations = n as usize;
            options.steering.max_iterations = Some(n as usize);
        }
    }

    /// Checks that the method exists and can be used with these options.
    fn check_method(&mut self, method: &str, options: &MethodOptions, tolerance: Option<Tolerance>) {
        let outcome = match tolerance {
            Some(tol) => crate::methods::adaptive_method(method, options, tol).map(|_| ()),
            None => crate::methods::method(method, options).map(|_| ()),
        };
        match outcome {
            // Other parameters were checked one by one above.
            Err(e @ (Error::UnknownName { .. } | Error::Unsupported { .. })) => {
                self.problem("integrator.method", e.to_string(), "");
            }
            Err(e @ Error::Parameter { name: "k", .. }) if options.chart != Chart::Exponential => {
                self.problem("integrator.map", e.to_string(), "");
            }
            Err(e @ Error::Parameter { name: "max_order", .. }) => {
                self.problem("integrator.max_order", e.to_string(), "");
            }
            _ => {}
        }
    }

    /// The projections during a run.
    fn projection(&mut self, document: &Document) -> Projection {
        let run = &document.file.run;
        let times = run
            .project_velocity_at
            .iter()
            .enumerate()
            .map(|(k, x)| self.number(&format!("run.project_velocity_at[{k}]"), x))
            .collect::<Vec<_>>();
        let [position, velocity] = self.projected(&run.project_every_step);
        Projection {
            position: if position { When::EveryStep } else { When::Never },
            velocity: match (velocity, times.is_empty()) {
                (true, _) => When::EveryStep,
                (false, false) => When::At(times),
                (false, true) => When::Never,
            },
            restart: if run.restart_after_projection { Restart::Start } else { Restart::Keep },
            norm: self.named("run.projection_norm", &run.projection_norm, str::parse).unwrap_or_default(),
        }
    }

    /// Units of the results: each must be known, and no two may measure the same quantity.
    fn output_units(&mut self, list: &[String]) -> Vec<String> {
        let mut seen: Vec<(crate::model::expression::Dimension, bool, &str)> = Vec::new();
        for (i, text) in list.iter().enumerate() {
            let path = format!("output.units[{i}]");
            match crate::model::expression::units::parse(text) {
                Err(message) => {
                    self.problem(&path, message, "write units such as \"mm\", \"deg\", \"kN\", \"rpm\"")
                }
                Ok(unit) => {
                    let energy = crate::model::expression::units::is_energy(text);
                    match seen.iter().find(|(d, e, _)| *d == unit.dimension && *e == energy) {
                        Some((_, _, other)) => {
                            let message = format!("'{text}' and '{other}' measure the same quantity");
                            self.problem(&path, message, "keep one of them");
                        }
                        None => seen.push((unit.dimension, energy, text)),
                    }
                }
            }
        }
        list.to_vec()
    }

    /// The tolerance, unless a step is given: then the step is fixed. Without both and without a method, the
    /// default tolerance.
    fn tolerance(&mut self, document: &Document) -> Option<Tolerance> {
        let (i, run) = (&document.file.integrator, &document.file.run);
        let tol = self.unless_off("integrator.tol", &i.tol);
        let fixed = run.step.as_ref().is_some_and(|x| !is_off(x));
        if tol.is_some() && fixed {
            self.problem(
                "run.step",
                "a step and a tolerance are given",
                "leave one of run.step and integrator.tol out",
            );
        }
        let automatic = i.method.as_deref().is_none_or(|m| m == AUTOMATIC);
        let given = [
            ("integrator.atol_rotation", &i.atol_rotation),
            ("integrator.atol_position", &i.atol_position),
            ("integrator.atol_angular_velocity", &i.atol_angular_velocity),
            ("integrator.atol_velocity", &i.atol_velocity),
        ];
        let [atol_rotation, atol_position, atol_angular_velocity, atol_velocity] = given.map(|(path, x)| {
            let x = self.option(path, x)?;
            self.positive(path, x, "give a small positive number, or leave it out");
            Some(x)
        });
        let any = atol_rotation.or(atol_position).or(atol_angular_velocity).or(atol_velocity);
        let tol = match tol {
            Some(tol) => tol,
            None if !fixed && (automatic || any.is_some()) => DEFAULT_TOL,
            None => return None,
        };
        self.positive("integrator.tol", tol, "give a small positive number, for example 1e-6");
        Some(Tolerance { tol, atol_rotation, atol_position, atol_angular_velocity, atol_velocity })
    }

    /// True for positions and velocities that are projected after every step.
    fn projected(&mut self, given: &Option<Switch>) -> [bool; 2] {
        match given {
            None => [false; 2],
            Some(Switch::Flag(both)) => [*both; 2],
            Some(Switch::Name(name)) => match name.as_str() {
                "position" => [true, false],
                "velocity" => [false, true],
                _ => {
                    let e = Error::unknown_name("projection", name, ["position", "velocity"]);
                    self.problem("run.project_every_step", e.to_string(), "or true for both");
                    [false; 2]
                }
            },
        }
    }

    /// A number that `off` removes.
    fn unless_off(&mut self, path: &str, number: &Option<Number>) -> Option<f64> {
        if number.as_ref().is_some_and(is_off) { None } else { self.option(path, number) }
    }

    /// rho, or HHT's alpha, or Newmark's beta and gamma, or all four parameters.
    fn damping(&mut self, document: &Document, options: &mut MethodOptions) {
        let i = &document.file.integrator;
        let rho = self.option("integrator.rho", &i.rho);
        let hht = self.option("integrator.hht", &i.hht);
        let given = [
            ("integrator.alpha_m", &i.alpha_m),
            ("integrator.alpha_f", &i.alpha_f),
            ("integrator.beta", &i.beta),
            ("integrator.gamma", &i.gamma),
        ];
        let given = given.map(|(path, x)| self.option(path, x));
        if let Some(rho) = rho {
            options.rho = rho;
        }
        let alpha = match (rho, hht, given) {
            (_, None, [None, None, None, None]) => Alpha::from_rho(options.rho).map(|_| None),
            (None, Some(a), [None, None, None, None]) => Alpha::hht(a).map(Some),
            (None, None, [None, None, Some(beta), Some(gamma)]) => Alpha::newmark(beta, gamma).map(Some),
            (None, None, [Some(alpha_m), Some(alpha_f), Some(beta), Some(gamma)]) => {
                Alpha::given(alpha_m, alpha_f, beta, gamma).map(Some)
            }
            _ => {
                self.problem(
                    "integrator",
                    "the parameters of generalized-alpha are given in more than one way, or incompletely",
                    "give rho, or hht, or beta and gamma (Newmark), or all of alpha_m, alpha_f, beta, gamma",
                );
                return;
            }
        };
        match alpha {
            Ok(alpha) => options.alpha = alpha,
            Err(e) => {
                let path = if rho.is_some() { "integrator.rho" } else { "integrator" };
                self.problem(path, e.to_string(), "");
            }
        }
    }

    /// The sigma-modification and the predictor.
    fn modification(&mut self, document: &Document, options: &mut MethodOptions) {
        let i = &document.file.integrator;
        let m = &mut options.modification;
        match &i.sigma {
            Some(Number::Text(name)) if name.trim() == "optimal" => m.sigma = Sigma::Optimal,
            sigma => {
                if let Some(x) = self.option("integrator.sigma", sigma) {
                    m.sigma = Sigma::Value(x);
                }
            }
        }
        if let Some(x) = self.named("integrator.sigma_variant", &i.sigma_variant, str::parse::<Variant>) {
            m.variant = x;
        }
        if let Some(x) = self.option("integrator.sigma_predictor", &i.sigma_predictor) {
            m.predictor_factor = x;
        }
        if let Some(x) = self.named("integrator.eta_term", &i.eta_term, str::parse::<EtaTerm>) {
            m.eta_term = x;
        }
        if let Some(x) = self.named("integrator.predictor", &i.predictor, str::parse::<Predictor>) {
            options.predictor = x;
        }
    }

    /// theta, vartheta, variant and guess of variational and energy-momentum methods.
    fn conserve(&mut self, document: &Document, options: &mut conserve::ConservingOptions) {
        let i = &document.file.integrator;
        options.theta = self.option("integrator.theta", &i.theta).unwrap_or(options.theta);
        options.vartheta = self.option("integrator.vartheta", &i.vartheta).unwrap_or(options.vartheta);
        if let Some(x) = self.named("integrator.variant", &i.variant, str::parse::<conserve::Variant>) {
            options.variant = x;
        }
        if let Some(x) = self.named("integrator.guess", &i.guess, str::parse::<Guess>) {
            options.settings.guess = x;
        }
        options.allow_unstable = i.allow_unstable.unwrap_or(false);
        self.quadratures(document, options);
        if let Err(e) = options.theta_rule() {
            let path =
                if matches!(e, Error::Parameter { name: "vartheta", .. }) { "vartheta" } else { "theta" };
            self.problem(&format!("integrator.{path}"), e.to_string(), "");
        }
    }

    fn named<T>(
        &mut self,
        path: &str,
        name: &Option<String>,
        read: impl Fn(&str) -> Result<T, Error>,
    ) -> Option<T> {
        match read(name.as_deref()?) {
            Ok(x) => Some(x),
            Err(e) => {
                self.problem(path, e.to_string(), "");
                None
            }
        }
    }

    fn positive(&mut self, path: &str, x: f64, help: &str) {
        if x <= 0.0 {
            self.problem(path, format!("{x} is not positive"), help);
        }
    }
}

/// True for the word that removes a number.
fn is_off(x: &Number) -> bool {
    matches!(x, Number::Text(text) if text.trim() == "off")
}
