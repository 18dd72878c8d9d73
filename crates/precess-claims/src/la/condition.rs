//! Section 3.4: scaling of equations and unknowns, (57) to (62).

use nalgebra::DMatrix;

use super::super::{Claim, Source, Value};
use super::LA;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Alpha, InitialValues};
use precess::mechanics::{Tangents, Want};
use precess::problems::HeavyTop;

/// Condition number of the iteration matrix (60) of the heavy top at its start,
///
/// ```text
/// [ (1 - alpha_m)/(beta (1 - alpha_f)) M + h gamma/beta D + h^2 K   B^T ]
/// [ B                                                                0  ]
/// ```
fn condition(h: f64) -> Result<f64, Error> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
    let alpha = Alpha::from_rho(0.9)?;
    let m = (1.0 - alpha.alpha_m) / (alpha.beta * (1.0 - alpha.alpha_f));
    let want = Want {
        c_m: m,
        c_d: h * alpha.gamma / alpha.beta,
        stiffness: true,
        constraint: true,
        curvature: false,
    };
    let mut tangents = Tangents::of(&top);
    tangents.evaluate(&top, &state.at(), want);
    let matrix = DMatrix::from_fn(9, 9, |i, j| match (i < 6, j < 6) {
        (true, true) => tangents.s.get(i, j) + h * h * tangents.k.get(i, j),
        (true, false) => tangents.b.get(j - 6, i),
        (false, true) => tangents.b.get(i - 6, j),
        (false, false) => 0.0,
    });
    let values = matrix.singular_values();
    Ok(values.max() / values.min())
}

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "LA-57-condition",
    place: "(57) to (60)",
    statement: "The condition number of the scaled iteration matrix does not depend on h: that at h = 1e-7 over that at 1e-4",
    paper_value: Value::Number(1.0),
    expected: Value::Number(1.0),
    tolerance: 0.05,
    source: Source::Theory,
    note: "Index-3, SO(3)xR^3, at the start of the fast top.",
    measure: |_| Ok(condition(1e-7)? / condition(1e-4)?),
    ..LA
}];
