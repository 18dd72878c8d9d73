//! SM, section 7, models in several coordinates: comparisons with Euler parameters and Tait-Bryan angles,
//! and work of Newton's method. The slider-crank is in [`sigma_slider_crank`](super::sigma_slider_crank).
//!
//! The paper does not name its step sizes; those used here are part of each statement. Expected values come
//! from `bench/sigma_examples.py`, a program written from the paper alone. Euler parameters of the paper are
//! integrated in index-3 form.
//!
//! Mean iterations depend on the step sizes and on the rule that stops Newton's method. The paper gives
//! tolerances of a residual (1e-10, or 1e-8 of its first value), but neither the steps of its means nor how
//! rows of the residual are scaled, so the verdict is undetermined. precess measures corrections instead. The
//! Python program has both rules; expected counts are those with the rule of precess (`sigma_examples.py
//! counts`), and notes give those with the tolerances of the paper.

use super::{Claim, Lab, Source, Value, Verdict};
use precess::Error;
use precess::study::convergence::{ConvergenceTable, Study};
use precess::study::parallel::Workers;
use precess::study::reference::Times;
use precess::study::{Configuration, Reference, larger};

pub(super) const SM: Claim = Claim { quick: false, ..Claim::of("SM") };

/// Name and text of a model file.
pub(super) type Model = (&'static str, &'static str);

pub(super) const TOP: Model = ("heavy_top", include_str!("../models/heavy_top.toml"));
pub(super) const ROTOR: Model = ("rotor", include_str!("../models/rotor.toml"));
pub(super) const CRANK: Model = ("slider_crank", include_str!("../models/slider_crank.toml"));

pub(super) const EULER: &str = "formulation=euler-parameters";
pub(super) const TAIT: &str = "formulation=tait-bryan";
pub(super) const PUBLISHED: &str = "sigma=1,sigma_variant=published";

/// The data of a study: a model, its overrides, generalized-alpha with options, step sizes, end.
pub(super) struct Ask<'a> {
    pub(super) model: Model,
    pub(super) settings: &'a [&'a str],
    pub(super) options: &'a [&'a str],
    pub(super) steps: &'a [f64],
    pub(super) until: f64,
    /// True for errors only at the end.
    pub(super) at_end: bool,
}

impl Ask<'_> {
    pub(super) fn study(&self) -> Result<Study, Error> {
        let methods = self.options.iter().map(|o| Configuration::parse(&format!("gen-alpha:{o}")));
        let methods = methods.collect::<Result<Vec<Configuration>, Error>>()?;
        // Models may leave method, form and step to their tolerance; the claims set them.
        let mut overrides = vec!["integrator.method=gen-alpha".into(), format!("run.step={}", self.steps[0])];
        if self.model == TOP {
            overrides.push("integrator.form=stabilized-index2".into());
        }
        overrides.extend(self.settings.iter().map(|s| s.to_string()));
        overrides.push(format!("run.until={}", self.until));
        let study = Study::load(self.model.0, self.model.1, &overrides, &methods, self.steps.to_vec());
        let study =
            study.map_err(|e| Error::Unsupported { method: self.model.0.to_string(), reason: e.brief() })?;
        Ok(study.window(if self.at_end { self.until } else { 0.0 }, self.until))
    }

    /// The table with errors; equal studies are shared.
    pub(super) fn table(&self, lab: &mut Lab) -> Result<std::sync::Arc<ConvergenceTable>, Error> {
        let key = format!(
            "{}{:?}{:?}{:?}{}{}",
            self.model.0, self.settings, self.options, self.steps, self.until, self.at_end
        );
        lab.table(key, || {
            let study = self.study()?;
            let times = Times { refine: 2, ..study.times() };
            let reference = match self.model.0 {
                "heavy_top" => Reference::exact(study.model(), times)?,
                _ => Reference::fine(study.model(), times, Workers::one())?,
            };
            Ok(study.run(&reference, Workers::one()))
        })
    }
}

pub(super) fn error(table: &ConvergenceTable, row: usize, quantity: &str) -> Result<f64, Error> {
    let i = table.quantities.iter().position(|q| q == quantity);
    let errors = table.rows[row].errors.as_ref().map_err(Clone::clone)?;
    Ok(i.and_then(|i| errors[i]).unwrap_or(f64::NAN))
}

/// Mean iterations and matrices of one run, by default with the full Newton method.
pub(super) fn newton(
    model: Model,
    settings: &[&str],
    options: &str,
    h: f64,
    until: f64,
) -> Result<(f64, f64), Error> {
    let options =
        if options.contains("newton=") { options.to_string() } else { format!("newton=full,{options}") };
    let study = Ask { model, settings, options: &[&options], steps: &[h], until, at_end: true }.study()?;
    let summary = study.summary(0)?;
    // Counts of a meaningless run prove nothing.
    if let Some(reason) = summary.trust.wrong() {
        return Err(Error::Input { message: format!("the run cannot be trusted: {reason}") });
    }
    Ok((summary.iterations as f64 / summary.steps as f64, summary.jacobians as f64))
}

pub(super) const INDEX3: &[&str] = &["integrator.form=index3", "integrator.rho=0.65"];
/// Euler parameters of the rotor as in the paper.
const EP3: &[&str] = &["integrator.form=index3"];
pub(super) const CRANK3: &[&str] = &["integrator.form=index3", "integrator.rho=0.875"];
pub(super) const CRANK2: &[&str] = &["integrator.form=index2", "integrator.rho=0.875"];
pub(super) const CRANKS: &[&str] = &["integrator.form=stabilized-index2", "integrator.rho=0.875"];
/// The methods of Fig. 10: geom1, sigma = 1, optimal, Algorithm 1, Euler parameters, Tait-Bryan angles.
pub(super) const FIG10: &[&str] = &["sigma=0", "sigma=1", "sigma=optimal", PUBLISHED, EULER, TAIT];

/// Right support of the rotor at t = 1 s: error of the second method over that of the first.
fn rotor(lab: &mut Lab, settings: &[&str], options: [&str; 2], h: f64) -> Result<f64, Error> {
    rotor_of(lab, settings, options, h, "right deflection")
}

/// The same for another quantity.
fn rotor_of(
    lab: &mut Lab,
    settings: &[&str],
    options: [&str; 2],
    h: f64,
    quantity: &str,
) -> Result<f64, Error> {
    let table = Ask { model: ROTOR, settings, options: &options, steps: &[h], until: 1.0, at_end: true }
        .table(lab)?;
    Ok(error(&table, 1, quantity)? / error(&table, 0, quantity)?)
}

/// Error in q of the heavy top with Euler parameters over that of sigma = 1.
fn top(lab: &mut Lab, settings: &[&str]) -> Result<f64, Error> {
    top_of(lab, settings, "q")
}

/// The same for another quantity.
fn top_of(lab: &mut Lab, settings: &[&str], quantity: &str) -> Result<f64, Error> {
    let options = ["sigma=1", EULER];
    let table = Ask { model: TOP, settings, options: &options, steps: &[5e-4], until: 1.0, at_end: false }
        .table(lab)?;
    Ok(error(&table, 1, quantity)? / error(&table, 0, quantity)?)
}

/// Number of step sizes for which a run fails, or ends with results that cannot be trusted.
fn failures(model: Model, settings: &[&str], option: &str, steps: &[f64], until: f64) -> Result<f64, Error> {
    let study = Ask { model, settings, options: &[option], steps, until, at_end: true }.study()?;
    let fails = |i: &usize| study.summary(*i).map_or(true, |s| s.trust.wrong().is_some());
    Ok((0..steps.len()).filter(fails).count() as f64)
}

/// A count of the Python program with the rule of precess. With a kept matrix the contraction is near the
/// limit of 0.5 at which a new matrix is formed, so that rounding errors change the count.
pub(super) const fn about(count: f64) -> Value {
    Value::Between(count / 1.25, count * 1.25)
}

/// Iterations with a matrix that lacks D and K, which changes corrections by a factor of about h |D|/|M| =
/// 0.02: from a first correction to 1e-6 of it, between two and four.
const SIMPLIFIED: Value = Value::Between(2.5, 3.5);

pub(super) const TOP_IN_COORDINATES: &[Claim] = &[
    Claim {
        id: "SM-Fig3-ep-index3",
        place: "Fig. 3",
        statement: "sigma = 1 outperforms Euler parameters: error in q over that of sigma = 1, index-3, rho \
                    = 0.65, h = 5e-4",
        paper_value: Value::AtLeast(1.0),
        expected: Value::Number(17.61),
        tolerance: 0.01,
        note: "With Omega = 2 G p'/(p.p); 19.5 with Omega = 2 G p', which differs where p.p' is not zero. \
               Both by \
               bench/sigma_examples.py.",
        measure: |lab| top(lab, INDEX3),
        ..SM
    },
    Claim {
        id: "SM-Fig3-ep-stabilized",
        place: "Fig. 3",
        statement: "The same in stabilized index-2 form, rho = 1",
        paper_value: Value::AtLeast(1.0),
        expected: Value::Number(1.7916e-2 / 6.508e-4),
        tolerance: 0.01,
        note: "1.792e-2 against 6.508e-4: bench/sigma_examples.py.",
        measure: |lab| top(lab, &["integrator.rho=1", "integrator.eta=paper"]),
        ..SM
    },
    Claim {
        id: "SM-Fig3b-ep",
        place: "Fig. 3(b)",
        statement: "sigma = 1 outperforms Euler parameters in v: their error over that of sigma = 1, \
                    index-3, rho = 0.65, h = 5e-4",
        paper_value: Value::AtLeast(1.0),
        expected: Value::AtLeast(1.0),
        source: Source::Paper,
        note: "Expected is the paper's statement.",
        measure: |lab| top_of(lab, INDEX3, "v"),
        ..SM
    },
    Claim {
        id: "SM-Fig4-ep",
        place: "Fig. 4",
        statement: "The same in lambda",
        paper_value: Value::AtLeast(1.0),
        expected: Value::AtLeast(1.0),
        source: Source::Paper,
        note: "Expected is the paper's statement.",
        measure: |lab| top_of(lab, INDEX3, "lambda"),
        ..SM
    },
    Claim {
        id: "SM-7.1-tb-fails",
        place: "Sec. 7.1",
        statement: "Tait-Bryan angles fail to simulate the heavy top at the three largest steps: failures \
                    on [0, 1] with h = 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4",
        paper_value: Value::Number(3.0),
        expected: Value::Number(6.0),
        tolerance: 0.0,
        verdict: Verdict::Undetermined,
        note: "All six, also in bench/sigma_examples.py: they come too close to gimbal lock, which the top \
               passes every 10 ms (here the last run reaches its end, but cannot be trusted). The paper \
               does not name its steps.",
        measure: |_| failures(TOP, INDEX3, TAIT, &[4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4], 1.0),
        ..SM
    },
    Claim {
        id: "SM-7.1-iterations-ep",
        place: "Sec. 7.1",
        statement: "Newton iterations per step of Euler parameters with the full Jacobian, h = 1e-3",
        paper_value: Value::Number(3.8),
        expected: Value::Number(2.0),
        verdict: Verdict::Undetermined,
        note: "2.000 in bench/sigma_examples.py with the rule of precess, 3.00 with the tolerances of the \
               paper, which does not name the steps of its mean.",
        measure: |_| Ok(newton(TOP, INDEX3, EULER, 1e-3, 1.0)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.1-iterations-tb",
        place: "Sec. 7.1",
        statement: "The same for Tait-Bryan angles, where they succeed, h = 1.5e-5, on [0, 0.2]",
        paper_value: Value::Number(2.1),
        expected: Value::Number(2.0),
        note: "bench/sigma_examples.py. Larger steps give results that cannot be trusted. A mean over steps \
               that the paper does not name, so neither confirmed nor denied.",
        measure: |_| Ok(newton(TOP, INDEX3, TAIT, 1.5e-5, 0.2)?.0),
        verdict: Verdict::Undetermined,
        ..SM
    },
    Claim {
        id: "SM-7.1-simplified",
        place: "Sec. 7.1",
        statement: "Iterations per step of geom1 in index-3 form with the simplified Jacobian, h = 1.25e-4, \
                    tolerance 1e-6",
        paper_value: Value::Number(3.1),
        expected: SIMPLIFIED,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "Another quantity: the simplified matrix of precess is that of LA, which omits D and K as \
               well, and the paper omits only T or P^-1. It names neither steps nor how residuals are \
               scaled. bench/papers has 3.00 with the full matrix.",
        measure: |_| Ok(newton(TOP, INDEX3, "newton=simplified,newton_tolerance=1e-6", 1.25e-4, 0.2)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.1-simplified-stabilized",
        place: "Sec. 7.1",
        statement: "The same in stabilized index-2 form, rho = 1",
        paper_value: Value::Number(2.9),
        expected: SIMPLIFIED,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "Another quantity: the simplified matrix of precess is that of LA, which omits D and K as \
               well, and the paper omits only T or P^-1. It names neither steps nor how residuals are \
               scaled. bench/papers has 3.00 with the full matrix.",
        measure: |_| {
            Ok(newton(TOP, &["integrator.rho=1"], "newton=simplified,newton_tolerance=1e-6", 1.25e-4, 0.2)?.0)
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-simplified-optimal",
        place: "Sec. 7.1",
        statement: "The same in index-3 form with sigma = gamma/(3 beta)",
        paper_value: Value::Number(2.5),
        expected: SIMPLIFIED,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "Another quantity: the simplified matrix of precess is that of LA, which omits D and K as \
               well, and the paper omits only T or P^-1. It names neither steps nor how residuals are \
               scaled. bench/papers has 3.00 with the full matrix.",
        measure: |_| {
            Ok(newton(TOP, INDEX3, "newton=simplified,sigma=optimal,newton_tolerance=1e-6", 1.25e-4, 0.2)?.0)
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-simplified-optimal-stabilized",
        place: "Sec. 7.1",
        statement: "The same in stabilized index-2 form, rho = 1",
        paper_value: Value::Number(3.4),
        expected: SIMPLIFIED,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "Another quantity: the simplified matrix of precess is that of LA, which omits D and K as \
               well, and the paper omits only T or P^-1. It names neither steps nor how residuals are \
               scaled. bench/papers has 3.00 with the full matrix.",
        measure: |_| {
            Ok(newton(
                TOP,
                &["integrator.rho=1"],
                "newton=simplified,sigma=optimal,newton_tolerance=1e-6",
                1.25e-4,
                0.2,
            )?
            .0)
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-simplified-difference",
        place: "Sec. 7.1",
        statement: "With simplified Jacobians the methods differ, 3.1, 2.9, 2.5 and 3.4 iterations: \
                    largest over smallest of the four counts above",
        paper_value: Value::Number(3.4 / 2.5),
        expected: Value::Number(1.0),
        verdict: Verdict::Undetermined,
        source: Source::Theory,
        note: "No difference here, as a linear iteration contracts by about h D/M, whatever sigma is. But \
               it is another quantity, as in the four claims above.",
        measure: |_| {
            let mut counts = Vec::new();
            for settings in [INDEX3, &["integrator.rho=1"]] {
                for sigma in ["0", "optimal"] {
                    let options = format!("newton=simplified,newton_tolerance=1e-6,sigma={sigma}");
                    counts.push(newton(TOP, settings, &options, 1.25e-4, 0.2)?.0);
                }
            }
            let largest = counts.iter().copied().fold(0.0, precess::study::larger);
            Ok(largest / counts.iter().copied().fold(f64::INFINITY, f64::min))
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-modified-index2",
        place: "Sec. 7.1",
        statement: "Iterations per step of the modified Newton method, sigma = 1, index-2, h = 5e-4",
        paper_value: Value::Number(7.9),
        expected: about(11.85),
        verdict: Verdict::Undetermined,
        note: "11.85 in bench/sigma_examples.py with the rule of precess; the paper does not name the \
               steps of its mean.",
        measure: |_| {
            let settings = &["integrator.form=index2", "integrator.rho=0.65"];
            Ok(newton(TOP, settings, "newton=modified,sigma=1", 5e-4, 1.0)?.0)
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-modified-equal",
        place: "Sec. 7.1",
        statement: "The modified Newton method needs as many iterations for sigma = 1 as for geom1: ratio, \
                    index-3, one plus the largest deviation for h = 1e-3, 5e-4, 2.5e-4",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        note: "A kept matrix contracts at a rate that has nothing to do with sigma; 9.86 over 9.83 in \
               bench/sigma_examples.py for h = 5e-4.",
        measure: |_| {
            let of = |o, h| newton(TOP, INDEX3, o, h, 1.0).map(|x| x.0);
            let mut worst = 0.0;
            for h in [1e-3, 5e-4, 2.5e-4] {
                let ratio = of("newton=modified,sigma=1", h)? / of("newton=modified", h)?;
                worst = larger(worst, (ratio - 1.0).abs());
            }
            Ok(1.0 + worst)
        },
        ..SM
    },
    Claim {
        id: "SM-7.1-modified",
        place: "Sec. 7.1",
        statement: "Iterations per step of the modified Newton method, sigma = 1, index-3, h = 5e-4",
        paper_value: Value::Number(7.9),
        expected: about(11.85),
        verdict: Verdict::Undetermined,
        note: "11.85 in bench/sigma_examples.py with the rule of precess, 9.86 with the tolerances of the \
               paper, which does not name the steps of its mean.",
        measure: |_| Ok(newton(TOP, INDEX3, "newton=modified,sigma=1", 5e-4, 1.0)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.1-modified-ep",
        place: "Sec. 7.1",
        statement: "The same for Euler parameters",
        paper_value: Value::Number(8.4),
        expected: about(10.28),
        verdict: Verdict::Undetermined,
        note: "10.28 in bench/sigma_examples.py with the rule of precess; 3.00, with a new matrix in every \
               step, with the tolerances of the paper, which does not name the steps of its mean.",
        measure: |_| Ok(newton(TOP, INDEX3, "newton=modified,formulation=euler-parameters", 5e-4, 1.0)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.1-modified-tb",
        place: "Sec. 7.1",
        statement: "The same for Tait-Bryan angles, where they succeed, h = 1.5e-5, on [0, 0.2]",
        paper_value: Value::Number(7.3),
        expected: about(7.635),
        verdict: Verdict::Undetermined,
        note: "7.635 in bench/sigma_examples.py with the rule of precess; the paper does not name the \
               steps of its mean, and results at larger steps cannot be trusted.",
        measure: |_| Ok(newton(TOP, INDEX3, "newton=modified,formulation=tait-bryan", 1.5e-5, 0.2)?.0),
        ..SM
    },
];

pub(super) const ROTOR_IN_COORDINATES: &[Claim] = &[
    Claim {
        id: "SM-Fig7-ep",
        place: "Fig. 7",
        statement: "sigma = 1 is more accurate than Euler parameters (index-3): error of the right support \
                    over that of Algorithm 1, h = 5e-6",
        paper_value: Value::AtLeast(1.0),
        expected: Value::AtLeast(1.0),
        tolerance: 0.05,
        note: "1.49 here and in bench/sigma_examples.py, 1.36 in bench/papers/sigma.py charts: Euler \
               parameters are at their limit of stability, where multipliers grow, so the digits depend on \
               the program. At larger steps they fail.",
        measure: |lab| rotor(lab, EP3, [PUBLISHED, EULER], 5e-6),
        source: Source::Paper,
        ..SM
    },
    Claim {
        id: "SM-Fig7-ep-exact",
        place: "Fig. 7",
        statement: "The same for the scheme (11)-(16) solved exactly",
        paper_value: Value::AtLeast(1.0),
        expected: Value::AtMost(0.8),
        tolerance: 0.05,
        verdict: Verdict::Corrected,
        note: "0.67 by bench/sigma_examples.py, 0.61 by bench/papers/sigma.py charts: it is Algorithm 1 \
               that is ahead, not the scheme it is derived from.",
        measure: |lab| rotor(lab, EP3, ["sigma=1", EULER], 5e-6),
        ..SM
    },
    Claim {
        id: "SM-Fig7-ep-fails",
        place: "Sec. 7.2",
        statement: "Euler parameters fail at the largest step sizes: failures with h = 1e-4, 2e-5, 1e-5",
        paper_value: Value::AtLeast(1.0),
        expected: Value::Number(3.0),
        note: "Two to 0.2 radians per step; without other attempts when Newton's method fails. The second \
               program (bench/papers) fails with all three as well.",
        measure: |_| failures(ROTOR, EP3, EULER, &[1e-4, 2e-5, 1e-5], 0.02),
        ..SM
    },
    Claim {
        id: "SM-Fig7-tb",
        place: "Fig. 7",
        statement: "sigma = 1 is substantially more accurate than Tait-Bryan angles: the same ratio for the \
                    exact scheme, h = 2e-5",
        paper_value: Value::AtLeast(1.0),
        expected: Value::Number(50.61),
        tolerance: 0.01,
        source: Source::Prototype,
        note: "The first angle turns with the rotor, so the tilt oscillates with 20944 rad/s in these \
               coordinates and its phase is lost: the error is the whole deflection of 2.825e-4 m. Expected \
               value from a second program, bench/papers.",
        measure: |lab| rotor(lab, &[], ["sigma=1", TAIT], 2e-5),
        ..SM
    },
    Claim {
        id: "SM-Fig7-ep-velocity",
        place: "Fig. 7(b)",
        statement: "sigma = 1 is more accurate than Euler parameters in the velocity of the right support: \
                    ratio as in SM-Fig7-ep",
        paper_value: Value::AtLeast(1.0),
        expected: Value::AtLeast(1.0),
        source: Source::Paper,
        note: "1.31 in bench/papers/sigma.py charts; digits depend on the program, as for the position.",
        measure: |lab| rotor_of(lab, EP3, [PUBLISHED, EULER], 5e-6, "right velocity"),
        ..SM
    },
    Claim {
        id: "SM-Fig7-tb-velocity",
        place: "Fig. 7(b)",
        statement: "sigma = 1 is substantially more accurate than Tait-Bryan angles in the velocity of the \
                    right support: ratio as in SM-Fig7-tb",
        paper_value: Value::AtLeast(1.0),
        expected: Value::Number(46.45),
        source: Source::Prototype,
        note: "Expected value from a second program, bench/papers.",
        measure: |lab| rotor_of(lab, &[], ["sigma=1", TAIT], 2e-5, "right velocity"),
        tolerance: 0.01,
        ..SM
    },
    Claim {
        id: "SM-Fig7-tb-stable",
        place: "Sec. 7.2",
        statement: "Tait-Bryan angles remain stable at the largest steps: failures with h = 1e-4, 5e-5",
        paper_value: Value::Number(0.0),
        expected: Value::AtMost(0.0),
        source: Source::Paper,
        note: "Whole run of 1 s; bench/sigma_examples.py reaches its end as well.",
        measure: |_| failures(ROTOR, &[], TAIT, &[1e-4, 5e-5], 1.0),
        ..SM
    },
    Claim {
        id: "SM-7.2-iterations-ep",
        place: "Sec. 7.2",
        statement: "Newton iterations per step of Euler parameters with the full Jacobian, h = 5e-6",
        paper_value: Value::Number(2.56),
        expected: Value::Number(2.0),
        verdict: Verdict::Undetermined,
        note: "Index-3, as in the paper; 2.00 in bench/sigma_examples.py. Larger steps need more iterations \
               and fail; the paper does not name the steps of its mean.",
        measure: |_| Ok(newton(ROTOR, EP3, EULER, 5e-6, 0.05)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.2-iterations-tb",
        place: "Sec. 7.2",
        statement: "The same for Tait-Bryan angles, h = 1e-5",
        paper_value: Value::Number(2.56),
        expected: Value::Number(2.0),
        tolerance: 0.05,
        verdict: Verdict::Undetermined,
        note: "2.00 in bench/sigma_examples.py with the rule of precess, 1.984 with the tolerances of the \
               paper, which does not name the steps of its mean.",
        measure: |_| Ok(newton(ROTOR, &[], TAIT, 1e-5, 0.1)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.2-modified-ep",
        place: "Sec. 7.2",
        statement: "Iterations per step of the modified Newton method, Euler parameters, h = 5e-6",
        paper_value: Value::Number(8.3),
        expected: about(10.0),
        verdict: Verdict::Undetermined,
        note: "10.0 in bench/sigma_examples.py with the rule of precess; 3.00, with a new matrix in every \
               step, with the tolerances of the paper, which does not name the steps of its mean.",
        measure: |_| Ok(newton(ROTOR, EP3, "newton=modified,formulation=euler-parameters", 5e-6, 0.05)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.2-modified-tb",
        place: "Sec. 7.2",
        statement: "The same for Tait-Bryan angles, h = 1e-5",
        paper_value: Value::Number(3.3),
        expected: Value::Number(2.0),
        verdict: Verdict::Undetermined,
        note: "bench/sigma_examples.py, with one matrix; the paper does not name the steps of its mean.",
        measure: |_| Ok(newton(ROTOR, &[], "newton=modified,formulation=tait-bryan", 1e-5, 0.1)?.0),
        ..SM
    },
    Claim {
        id: "SM-7.2-jacobians-ep",
        place: "Sec. 7.2",
        statement: "Euler parameters need a new matrix again and again (119823 times in the paper, in \
                    steps it does not name): updates in 1e4 steps of 5e-6 s",
        paper_value: Value::Number(119823.0),
        expected: Value::Between(1000.0, 4000.0),
        verdict: Verdict::Undetermined,
        note: "2000 in bench/sigma_examples.py with the rule of precess, and one in every step with the \
               tolerances of the paper; expected is a factor of two around 2000. One is enough for the \
               whole run in R^3xSO(3).",
        measure: |_| Ok(newton(ROTOR, EP3, "newton=modified,formulation=euler-parameters", 5e-6, 0.05)?.1),
        ..SM
    },
];
