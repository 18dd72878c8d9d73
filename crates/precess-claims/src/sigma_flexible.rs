//! SM, conclusions: flexible systems. Slider-cranks whose rods are modal bodies (appendices A and B), in the
//! coordinates of section 7.3.
//!
//! The paper says "comparable" and shows neither a number nor a figure. Here two errors are comparable if
//! they differ by less than a factor of two; that is our reading, so the paper's value is empty.

use std::sync::Arc;

use super::sigma_models::FIG10;
use super::{Claim, Lab, Source, Value, Verdict};
use precess::Error;
use precess::model::{Files, load_with};
use precess::study::convergence::{ConvergenceTable, Study};
use precess::study::parallel::Workers;
use precess::study::reference::Times;
use precess::study::{Configuration, Reference};

const SM: Claim =
    Claim { quick: false, source: Source::Theory, place: "Sec. 8, appendices A, B", ..Claim::of("SM") };
const COMPARABLE: Value = Value::Between(0.5, 2.0);

/// Name, text, name and text of the file of its modes, step, end, and the quantity whose error is measured.
struct Crank {
    name: &'static str,
    text: &'static str,
    modes: (&'static str, &'static str),
    h: f64,
    until: f64,
    quantity: &'static str,
}

/// The spatial slider-crank of section 7.3 with a rod that bends.
const SPATIAL: Crank = Crank {
    name: "spatial_slider_crank",
    text: include_str!("../models/flexible/spatial_slider_crank.toml"),
    modes: ("spatial_rod.json", include_str!("../models/flexible/spatial_rod.json")),
    h: 5e-4,
    until: 0.5,
    quantity: "slider",
};

/// The plane slider-crank at 150 rad/s.
const PLANE: Crank = Crank {
    name: "modal_slider_crank",
    text: include_str!("../models/flexible/modal_slider_crank.toml"),
    modes: ("modal_rod.json", include_str!("../models/flexible/modal_rod.json")),
    h: 2e-5,
    until: 0.01,
    quantity: "middle",
};

/// The Lie group methods of Fig. 10 and Euler parameters: geom1, sigma = 1, optimal, Algorithm 1, Euler
/// parameters.
const METHODS: usize = 5;

impl Crank {
    fn table(&self, lab: &mut Lab, form: &str) -> Result<Arc<ConvergenceTable>, Error> {
        lab.table(format!("flexible {} {form}", self.name), || {
            let wrong = |reason: String| Error::Unsupported { method: self.name.to_string(), reason };
            let methods = FIG10.iter().take(METHODS).map(|option| {
                let configuration = Configuration::parse(&format!("gen-alpha:{option}"))?;
                let mut overrides = vec![
                    format!("integrator.form={form}"),
                    "integrator.rho=0.875".to_string(),
                    format!("run.step={}", self.h),
                    format!("run.until={}", self.until),
                ];
                overrides.extend(configuration.overrides.clone());
                let loaded = load_with(self.name, self.text, &overrides, Files::memory([self.modes]));
                Ok((configuration.label, loaded.map_err(|e| wrong(e.brief()))?))
            });
            let study = Study::new(methods.collect::<Result<_, Error>>()?, vec![self.h]);
            let study = study.window(self.until, self.until);
            let times = Times { refine: 2, ..study.times() };
            let reference = Reference::fine(study.model(), times, Workers::one())?;
            Ok(study.run(&reference, Workers::one()))
        })
    }

    /// Error of one method over that of another.
    fn ratio(&self, lab: &mut Lab, form: &str, over: usize, under: usize) -> Result<f64, Error> {
        let table = self.table(lab, form)?;
        let quantity = table.quantities.iter().position(|q| q == self.quantity);
        let error = |row: usize| -> Result<f64, Error> {
            let errors = table.rows[row].errors.as_ref().map_err(Clone::clone)?;
            Ok(quantity.and_then(|i| errors[i]).unwrap_or(f64::NAN))
        };
        Ok(error(over)? / error(under)?)
    }
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SM-8-flexible-geom1",
        statement: "Accuracy for flexible systems is comparable to geom1: error of the slider at t = 0.5 s \
                    with geom1 over that with sigma = 1, spatial slider-crank with a rod that bends, \
                    index-3, rho = 0.875, h = 5e-4",
        expected: COMPARABLE,
        note: "1.07: comparable is within a factor of two. The rod bends with 20 Hz; its middle differs by \
               1 %.",
        measure: |lab| SPATIAL.ratio(lab, "index3", 0, 1),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-optimal",
        statement: "The same for sigma = gamma/(3 beta)",
        expected: COMPARABLE,
        note: "1.04.",
        measure: |lab| SPATIAL.ratio(lab, "index3", 0, 2),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-alg1",
        statement: "The same for Algorithm 1 as printed",
        expected: COMPARABLE,
        note: "1.14.",
        measure: |lab| SPATIAL.ratio(lab, "index3", 0, 3),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-ep",
        statement: "Accuracy for flexible systems is comparable to Euler parameters: their error over that \
                    of sigma = 1, index-3",
        expected: COMPARABLE,
        note: "0.88, with Euler parameters for the frame of the modal body and for the other bodies.",
        measure: |lab| SPATIAL.ratio(lab, "index3", 4, 1),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-plane",
        statement: "In the plane sigma makes no difference: error of geom1 over that of sigma = 1, \
                    slider-crank at 150 rad/s, h = 2e-5",
        expected: Value::Number(1.0),
        tolerance: 1e-3,
        verdict: Verdict::Beyond,
        note: "Rotations about one axis commute, so [v, v'] is zero; modes and translations are linear.",
        measure: |lab| PLANE.ratio(lab, "index3", 0, 1),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-plane-ep",
        statement: "The same for Euler parameters: their error over that of sigma = 1",
        expected: COMPARABLE,
        note: "The vibrations of the rod make the error, not the rotation of its frame.",
        measure: |lab| PLANE.ratio(lab, "index3", 4, 1),
        ..SM
    },
];
