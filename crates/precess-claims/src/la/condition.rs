//! Section 3.4: scaling of equations and unknowns, (57) to (62).

use nalgebra::DMatrix;

use super::super::{By, Claim, Source, Value};
use super::LA;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Alpha, InitialValues};
use precess::mechanics::{Tangents, Want};
use precess::problems::HeavyTop;

/// Blocks of the iteration matrices of the heavy top at its start.
struct Blocks {
    /// M* = (1 - alpha_m)/(beta (1 - alpha_f)) M + h gamma/beta D.
    mass: DMatrix<f64>,
    /// h^2 K.
    stiffness: DMatrix<f64>,
    b: DMatrix<f64>,
    /// h Z.
    z: DMatrix<f64>,
    /// gamma/beta.
    ratio: f64,
}

fn blocks(h: f64) -> Result<Blocks, Error> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
    let alpha = Alpha::from_rho(0.9)?;
    let ratio = alpha.gamma / alpha.beta;
    let c_m = (1.0 - alpha.alpha_m) / (alpha.beta * (1.0 - alpha.alpha_f));
    let want = Want { c_m, c_d: h * ratio, stiffness: true, constraint: true, curvature: true };
    let mut tangents = Tangents::of(&top);
    tangents.evaluate(&top, &state.at(), want);
    let block = |rows, factor: f64, get: &dyn Fn(usize, usize) -> f64| {
        DMatrix::from_fn(rows, 6, |i, j| factor * get(i, j))
    };
    Ok(Blocks {
        mass: block(6, 1.0, &|i, j| tangents.s.get(i, j)),
        stiffness: block(6, h * h, &|i, j| tangents.k.get(i, j)),
        b: block(3, 1.0, &|i, j| tangents.b.get(i, j)),
        z: block(3, h, &|i, j| tangents.y.get(i, j)),
        ratio,
    })
}

fn condition(matrix: DMatrix<f64>) -> f64 {
    let values = matrix.singular_values();
    values.max() / values.min()
}

/// The matrix (60), with T = I.
fn index3(h: f64) -> Result<DMatrix<f64>, Error> {
    let x = blocks(h)?;
    let mut matrix = DMatrix::zeros(9, 9);
    matrix.view_mut((0, 0), (6, 6)).copy_from(&(&x.mass + &x.stiffness));
    matrix.view_mut((0, 6), (6, 3)).copy_from(&x.b.transpose());
    matrix.view_mut((6, 0), (3, 6)).copy_from(&x.b);
    Ok(matrix)
}

/// The matrix (62), with T = I.
fn stabilized(h: f64) -> Result<DMatrix<f64>, Error> {
    let x = blocks(h)?;
    let mut matrix = DMatrix::zeros(12, 12);
    matrix.view_mut((0, 0), (9, 9)).copy_from(&index3(h)?);
    matrix.view_mut((0, 9), (6, 3)).copy_from(&(&x.mass * x.b.transpose()));
    matrix.view_mut((9, 0), (3, 6)).copy_from(&(x.ratio * &x.b + &x.z));
    matrix.view_mut((9, 9), (3, 3)).copy_from(&(x.ratio * &x.b * x.b.transpose()));
    Ok(matrix)
}

/// Condition number at a smaller step over that at a larger one.
fn growth(matrix: fn(f64) -> Result<DMatrix<f64>, Error>, steps: [f64; 2]) -> Result<f64, Error> {
    Ok(condition(matrix(steps[0])?) / condition(matrix(steps[1])?))
}

/// Condition number of (60) without the scaling of equations and unknowns: its blocks are M*/h^2 + K, B^T and
/// B. The inverse is that of the scaled matrix, scaled: rounding errors do not grow with 1/h.
fn unscaled_condition(h: f64) -> Result<f64, Error> {
    let factor = |i: usize| if i < 6 { 1.0 / h } else { h };
    let matrix = index3(h)?;
    let inverse = matrix.clone().try_inverse().unwrap_or_else(|| DMatrix::from_element(9, 9, f64::NAN));
    let largest = |a: DMatrix<f64>| a.singular_values().max();
    let forward = largest(DMatrix::from_fn(9, 9, |i, j| factor(i) * matrix[(i, j)] * factor(j)));
    Ok(forward * largest(DMatrix::from_fn(9, 9, |i, j| inverse[(i, j)] / (factor(i) * factor(j)))))
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LA-57-condition",
        place: "(57) to (60)",
        statement: "The condition number of the scaled iteration matrix does not depend on h: that at h = \
                    1e-7 over that at 1e-4",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "Index-3, SO(3)xR^3, at the start of the fast top.",
        by: By::Formula,
        measure: |_| growth(index3, [1e-7, 1e-4]),
        ..LA
    },
    Claim {
        id: "LA-62-condition",
        place: "(61), (62)",
        statement: "The same in stabilized index-2 form",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "With the printed eta, SO(3)xR^3, at the start of the fast top.",
        by: By::Formula,
        measure: |_| growth(stabilized, [1e-7, 1e-4]),
        ..LA
    },
    Claim {
        id: "LA-57-unscaled",
        place: "Sec. 3.5",
        statement: "An appropriate scaling is needed: power of 1/h with which the condition number of (60) \
                    grows without it, h = 1e-3 to 1e-4",
        expected: Value::Number(4.0),
        tolerance: 0.01,
        source: Source::Theory,
        note: "Blocks of size 1/h^2 beside a Schur complement of size h^2 (Petzold and Loetstedt).",
        by: By::Formula,
        measure: |_| Ok((unscaled_condition(1e-4)? / unscaled_condition(1e-3)?).log10()),
        ..LA
    },
];
