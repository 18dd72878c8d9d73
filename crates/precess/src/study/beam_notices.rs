//! Notices about beams after a run: implausible units, and fast vibrations that limit the steps of a run
//! with a tolerance.

use std::f64::consts::{PI, TAU};

use super::notices::units_of_beam;
use crate::model::Model;
use crate::study::Summary;

/// With more steps per period of the first bending, something faster limits the steps.
const STEPS_PER_BENDING: f64 = 2000.0;

/// All notices after a run.
pub fn notices(model: &Model, summary: &Summary) -> Vec<String> {
    let absurd = model.beams.iter().filter_map(|b| {
        Some(format!("beam '{}' has the slenderness {:.1e}: {}", b.name, b.slenderness(), units_of_beam(b)?))
    });
    absurd.chain(fast(model, summary)).collect()
}

/// Advice for the first undamped beam whose bending is much slower than the steps.
fn fast(model: &Model, summary: &Summary) -> Option<String> {
    summary.control.as_ref()?;
    model.beams.iter().filter(|b| b.data.damping == 0.0).find_map(|beam| {
        let section = &beam.data.section;
        let speed = (section.stiffness[(3, 3)] / section.mass).sqrt();
        let (bending, piece) = (1.0 / beam.frequencies()[0], beam.length() / beam.elements().max(1) as f64);
        // The shortest vibration along the beam is resolved, and the bending by very many steps.
        if !(summary.h * STEPS_PER_BENDING < bending && summary.h < piece / speed) {
            return None;
        }
        // The time constant of the first vibration along a beam that is clamped at one end.
        let time = beam.length() / (0.5 * PI * speed);
        Some(format!(
            "fast vibrations of beam '{}' decide the steps: {:.1e} s on average, its first bending takes \
             {bending:.2e} s. With \
             damping = {time:.0e} of the beam the steps become longer; this is {:.1e} of critical damping \
             for the first bending. \
             Or set a larger tol, or method = \"gen-alpha\" with a step, which damps unresolved \
             vibrations",
            beam.name,
            summary.h,
            0.5 * time * TAU / bending,
        ))
    })
}
