//! Steady rotations of large models, with sparse factors: the remaining acceleration, the next step towards
//! balance, the proof of a frame.

use crate::integrate::{Accelerations, project_position};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, Tangents, Want};
use crate::solve::Mat;
use crate::solve::products::complex_dot;
use nalgebra::{Complex, DVector};

use super::pencil::{Pencil, Vector, blockwise};
use crate::analysis::AnalysisError;
use crate::analysis::assembly::{limited, noise};
use crate::analysis::frame::{ANGLES, Steady};
use crate::analysis::local::{Layout, moved_apart};

/// Number of motions on which the equations of two times are compared, for rough and for smooth ones.
const PROBES: usize = 3;

/// Multipliers of a steady state, and the acceleration beyond the steady one: (size, motion, size of the
/// forces alone).
pub(crate) fn settle(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &mut State,
) -> Result<(f64, DVector<f64>, f64), AnalysisError> {
    let wanted = state.vdot.clone();
    Accelerations::new(system).solve(system, state)?;
    let a = DVector::from_iterator(wanted.len(), state.vdot.iter().zip(&wanted).map(|(a, b)| a - b));
    let inertia = layout.size(&DVector::from_column_slice(&wanted));
    state.vdot = wanted;
    let forces = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    // Springs that balance each other leave rounding errors of their size, so a small part of the stiffness
    // is the reference.
    let stiff = 1e-3 * stiffest(system, state);
    Ok((layout.size(&a), a, forces.max(inertia).max(stiff)))
}

/// Largest stiffness over inertia of one coordinate, 1/s^2.
fn stiffest(system: &dyn Mechanism, state: &State) -> f64 {
    let mut t = Tangents::of(system);
    let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: false, curvature: false };
    t.evaluate(system, &state.at(), want);
    let (k, m) = (diagonal(&t.k), diagonal(&t.s));
    let ratio = |(k, m): (&f64, &f64)| if *m > 0.0 { k.abs() / m } else { 0.0 };
    k.iter().zip(&m).map(ratio).fold(0.0, f64::max)
}

fn diagonal(a: &Mat) -> Vec<f64> {
    let mut list = vec![0.0; a.rows()];
    a.for_blocks(|b| {
        for i in 0..b.rows {
            if let Some(j) = (b.row + i).checked_sub(b.col).filter(|j| *j < b.cols) {
                list[b.row + i] += b.data[j * b.rows + i];
            }
        }
    });
    list
}

/// One Newton step towards the balance of a steady motion, from a state with known acceleration and scale:
/// returns the next state, the size of its acceleration, the acceleration, the scale.
pub(crate) fn step(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    steady: &Steady,
    (a, scale): (&DVector<f64>, f64),
) -> Result<(State, f64, DVector<f64>, f64), AnalysisError> {
    let mut pencil = Pencil::new(system, layout, state, steady)?;
    // A little inertia, since motions may be free.
    let one = Complex::new(1.0, 0.0);
    pencil.factor([one * (1e-9 * scale), one * 0.0, one])?;
    let force = pencil.mass(&a.map(|x| one * x));
    let x = limited(layout, pencil.solve(&force).map(|z| z.re));
    let mut next = moved_apart(system, state, &x);
    project_position(system, &mut next)?;
    next.remember(system);
    steady.velocities(system, layout, &mut next);
    let (size, a, scale) = settle(system, layout, &mut next)?;
    Ok((next, size, a, scale))
}

/// Largest relative difference between the linear equations now and at later times of the motion, measured on
/// some motions that the joints allow: random ones, and smooth ones that bend the softest springs.
pub fn proof(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    steady: &Steady,
) -> Result<f64, AnalysisError> {
    let fastest = steady.fastest(layout);
    let (one, zero) = (Complex::new(1.0, 0.0), Complex::new(0.0, 0.0));
    let mut first = Pencil::new(system, layout, state, steady)?;
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut probes: Vec<Vector> = Vec::new();
    first.factor([one * fastest.powi(2), zero, one])?;
    for _ in 0..PROBES {
        let x = Vector::from_fn(layout.controls.end, |_, _| one * noise(&mut seed));
        probes.push(first.solve(&first.mass(&x)));
    }
    first.factor([one, zero, zero])?;
    for _ in 0..PROBES {
        let x = Vector::from_fn(layout.controls.end, |_, _| one * noise(&mut seed));
        probes.push(first.solve(&first.mass(&x)));
    }
    // N N^T times forces, and their sizes in the measure of the energy.
    let mut before = Vec::new();
    for x in &probes {
        let forces = first.products(x);
        before.push(forces.map(|f| first.solve(&f)));
    }
    let size =
        |pencil: &Pencil, x: &Vector| complex_dot(pencil.mass(x).as_slice(), x.as_slice()).re.max(0.0).sqrt();
    let mut worst = 0.0_f64;
    let mut note = |x: f64| worst = if x > worst || x.is_nan() { x } else { worst };
    for angle in ANGLES {
        let dt = angle / fastest;
        let mut later = steady.later(system, layout, state, dt);
        settle(system, layout, &mut later)?;
        let mut now = Pencil::new(system, layout, &later, steady)?;
        now.factor([one, zero, zero])?;
        let back = steady.back_blocks(system, layout, dt);
        for (x, old) in probes.iter().zip(&before) {
            let y = blockwise(layout, &back, x);
            note(now.rows(&y).norm() / (y.norm() * layout.length.max(1.0)).max(f64::MIN_POSITIVE));
            let rates = [1.0, fastest, fastest * fastest];
            let scale = old.iter().zip(rates).fold(0.0, |a: f64, (x, r)| a.max(size(&now, x) / r));
            for ((f, old), rate) in now.products(&y).iter().zip(old).zip(rates) {
                let (new, old) = (now.solve(f), blockwise(layout, &back, old));
                let own = size(&now, &old).max(1e-3 * scale * rate);
                note(size(&now, &(new - old)) / own.max(f64::MIN_POSITIVE));
            }
        }
    }
    Ok(if worst.is_nan() { f64::INFINITY } else { worst })
}
