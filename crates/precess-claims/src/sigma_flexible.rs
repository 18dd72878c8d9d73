//! SM, section 8: flexible bodies in a floating frame of reference. The paper says in words that sigma-modified methods, geom1 and
//! Euler parameters are about equally accurate; it shows no figure of it.
//!
//! The example is ours: the spatial slider-crank of section 7.3 whose rod bends in four sine modes, 10 Hz and 40 Hz in both
//! directions. Gravity bends it by about 1 % of its length.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use precess::Error;
use precess::model::modal::{ModalSpec, Shapes};
use precess::model::{BodySpec, Loaded};
use precess::study::convergence::{Study, Table};
use precess::study::parallel::Workers;
use precess::study::reference::Times;
use precess::study::{Configuration, Reference};

use super::sigma_models::{CRANK, CRANK3, CRANKS, EULER};
use super::{Claim, Lab, Source, Value};

const SM: Claim = Claim { quick: false, source: Source::Ours, ..Claim::of("SM") };

/// geom1, sigma = 1, optimal, Euler parameters.
const METHODS: [&str; 4] = ["sigma=0", "sigma=1", "sigma=optimal", EULER];
const LENGTH: f64 = 0.3;
const MASS: f64 = 0.5;
/// First frequency of the rod in rad/s.
const FIRST: f64 = 20.0 * std::f64::consts::PI;

/// The rod as a line of nodes with sine modes along y and z; its ends stay on the frame.
fn shapes() -> Shapes {
    const NODES: usize = 61;
    let place = |i: usize| (i as f64 + 0.5) / NODES as f64;
    let mode =
        |k: usize, axis: Vector3<f64>| move |s: f64| axis * (k as f64 * std::f64::consts::PI * s).sin();
    // The slope v' turns about z, w' about -y.
    let slope = |k: usize, axis: Vector3<f64>| {
        let kappa = k as f64 * std::f64::consts::PI;
        move |s: f64| Vector3::x().cross(&axis) * (kappa / LENGTH * (kappa * s).cos())
    };
    let list = [(1, Vector3::y()), (2, Vector3::y()), (1, Vector3::z()), (2, Vector3::z())];
    let places: Vec<f64> = (0..NODES).map(place).chain([1.0]).collect();
    let mut masses = vec![MASS / NODES as f64; NODES];
    // The end is a node without mass.
    masses.push(0.0);
    let stiffness = list.map(|(k, _)| 0.5 * MASS * (FIRST * (k * k) as f64).powi(2));
    Shapes {
        nodes: places.iter().map(|s| Vector3::new(LENGTH * (s - 0.5), 0.0, 0.0)).collect(),
        masses,
        modes: list.iter().map(|(k, a)| places.iter().map(|s| mode(*k, *a)(*s)).collect()).collect(),
        rotations: Some(
            list.iter().map(|(k, a)| places.iter().map(|s| slope(*k, *a)(*s)).collect()).collect(),
        ),
        stiffness: DMatrix::from_diagonal(&DVector::from_column_slice(&stiffness)),
        damping: DMatrix::zeros(4, 4),
    }
}

/// Makes the rod of the slider-crank flexible; the joint to the slider holds the end of the rod.
fn bend(loaded: &mut Loaded) -> Result<(), Error> {
    let unsupported = |reason: String| Error::Unsupported { method: CRANK.0.to_string(), reason };
    let shapes = shapes();
    let mut data = shapes.modal().map_err(|e| unsupported(e.to_string()))?;
    let rod: Option<BodySpec> = loaded.model.bodies.iter().find(|b| b.name == "rod").cloned();
    let rod = rod.ok_or_else(|| unsupported("there is no rod".to_string()))?;
    let end = shapes.node(&rod, "end", shapes.nodes.len() - 1);
    data.i0 = Matrix3::from_diagonal(&Vector3::new(4e-4, 4e-3, 4e-3));
    for joint in loaded.model.joints.iter_mut().filter(|j| j.name == "cross") {
        joint.bodies[1] = "rod.end".to_string();
    }
    loaded.model.modal.push(ModalSpec {
        name: "rod".to_string(),
        data: Arc::new(data),
        nodes: end.into_iter().collect(),
        coordinates: vec![0.0; 4],
        rates: vec![0.0; 4],
    });
    Ok(())
}

/// Errors of the four methods at t = 2 s with h = 1e-3.
fn table(lab: &mut Lab, settings: &[&str]) -> Result<Arc<Table>, Error> {
    lab.table(format!("flexible {settings:?}"), || {
        let brief = |e: precess::model::Diagnostics| Error::Unsupported {
            method: CRANK.0.to_string(),
            reason: e.brief(),
        };
        let mut overrides: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
        overrides.extend(["integrator.method=gen-alpha", "run.step=1e-3", "run.until=2"].map(String::from));
        let mut methods = Vec::new();
        for option in METHODS {
            let configuration = Configuration::parse(&format!("gen-alpha:{option}"))?;
            let mut loaded = configuration.load(CRANK.0, CRANK.1, &overrides).map_err(brief)?;
            bend(&mut loaded)?;
            methods.push((configuration.label.clone(), loaded));
        }
        let study = Study::new(methods, vec![1e-3]).window(2.0, 2.0);
        let times = Times { refine: 2, ..study.times() };
        let reference = Reference::fine(study.model(), times, Workers::one())?;
        Ok(study.run(&reference, Workers::one()))
    })
}

/// Error of the slider with one method over that of geom1.
fn ratio(lab: &mut Lab, settings: &[&str], method: usize) -> Result<f64, Error> {
    let table = table(lab, settings)?;
    let error = |row: usize| super::sigma_models::error(&table, row, "slider");
    Ok(error(method)? / error(0)?)
}

/// Largest error of the slider over the smallest.
fn spread(lab: &mut Lab, settings: &[&str]) -> Result<f64, Error> {
    let ratios = (0..METHODS.len()).map(|m| ratio(lab, settings, m)).collect::<Result<Vec<_>, _>>()?;
    let largest = ratios.iter().fold(0.0, |a: f64, b| precess::study::larger(a, *b));
    let smallest = ratios.iter().map(|x| -x).fold(f64::NEG_INFINITY, precess::study::larger);
    Ok(largest / -smallest)
}

pub(super) const FLEXIBLE: &[Claim] = &[
    Claim {
        id: "SM-8-flexible-index3",
        place: "Sec. 8",
        statement: "Flexible bodies in a floating frame: geom1, sigma = 1, sigma = gamma/(3 beta) and Euler parameters are comparable; largest over smallest error of the slider at t = 2 s, spatial slider-crank with a flexible rod, index-3, rho = 0.875, h = 1e-3",
        expected: Value::AtMost(3.0),
        note: "Words only; the paper does not show its example.",
        measure: |lab| spread(lab, CRANK3),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-stabilized",
        place: "Sec. 8",
        statement: "The same in stabilized index-2 form",
        expected: Value::AtMost(3.0),
        note: "Words only.",
        measure: |lab| spread(lab, CRANKS),
        ..SM
    },
    Claim {
        id: "SM-8-flexible-sigma1",
        place: "Sec. 8",
        statement: "Error of sigma = 1 over that of geom1 in the first of these",
        expected: Value::AtMost(1.1),
        note: "Words only.",
        measure: |lab| ratio(lab, CRANK3, 1),
        ..SM
    },
];
