//! Symplecticity of the variational integrators, and tangents of the schemes against difference quotients.

use crate::ggl_util::*;
use precess::conserve::Matrix;
use precess::conserve::potential::Scratch;
use precess::conserve::{EnergyMomentum, StepRule, Stepper, Theta, Variant, ViS, symplectic_defect};
use precess::conserve::{Step, StepStart, UnknownLayout, Workspace};
use precess::problems::ggl::{GglExample, four_particles, gyroscopic_top, spherical_pendulum};

/// Numbers between -1 and 1 without a pattern.
fn numbers(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| ((i as f64 + seed) * 12.9898).sin() * 43758.5453 % 1.0).collect()
}

/// Differences over multiples of `eps`: truncation of the fast top, round-off of the others.
fn defect<R: StepRule + Clone>(example: &GglExample, rule: R, (h, eps): (f64, f64)) -> f64 {
    // Away from the special place where the example starts.
    let r = run(example, EnergyMomentum::EM, h, 6);
    let mut state = start(example);
    (state.q, state.v) = (r.q, r.w);
    let d = state.q.len();
    let directions: Vec<_> = (0..4).map(|k| (numbers(d, k as f64), numbers(d, 10.0 + k as f64))).collect();
    symplectic_defect(&example.system, &Stepper::new(rule), &state, h, &directions, eps).unwrap()
}

#[test]
fn variational_integrators_are_symplectic() {
    let examples = [
        (spherical_pendulum(), (0.05, 5e-4)),
        (four_particles(), (0.01, 5e-4)),
        (gyroscopic_top(), (0.002, 1e-4)),
    ];
    for (example, h) in examples {
        let defects = [
            defect(&example, ViS, h),
            defect(&example, Theta::VI_A, h),
            defect(&example, Theta::VI_B, h),
            defect(&example, Theta::MIDPOINT, h),
        ];
        assert!(defects.iter().all(|x| *x <= 4e-11), "{defects:?}");
        let em = defect(&example, EnergyMomentum::EM, h);
        assert!(em > 1e-7, "energy-momentum schemes are not symplectic, this would have seen it: {em:e}");
    }
}

fn tangents<R: StepRule>(rule: R, example: &GglExample) {
    let system = &example.system;
    let (levels, multipliers) = rule.n_unknowns();
    let layout = UnknownLayout { d: system.dim(), m: system.rows(), levels, multipliers };
    let (d, n) = (layout.d, layout.len());
    let zero = || vec![0.0; d];
    let mut work = Workspace { q: zero(), v: zero(), s: Scratch::for_terms(&system.terms) };
    let from = StepStart { t: 0.0, h: 0.1, q: example.q_0.clone(), w: numbers(d, 3.0) };
    let mut x = numbers(n, 7.0);
    for i in 0..d {
        x[i] = 0.2 * x[i] + from.q[i];
    }
    let mut matrix = Matrix::new(system, layout, &from.q);
    matrix.scales_mut().set_step(from.h);
    matrix.clear();
    let here = Step { system, from: &from, x: layout.split(&x), layout };
    rule.jacobian(&here, &mut matrix, &mut work);
    for j in 0..n {
        let mut column = vec![0.0; n];
        for (size, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let mut moved = x.clone();
            moved[j] += size * 1e-3;
            let mut r = vec![0.0; n];
            rule.residual(&Step { x: layout.split(&moved), ..here }, &mut r, &mut work);
            column.iter_mut().zip(r).for_each(|(c, r)| *c += weight * r / 12e-3);
        }
        for i in 0..n {
            let a = matrix.get(i, j).expect("small systems are dense");
            assert!(
                (a - column[i]).abs() < 1e-8 * (1.0 + a.abs()),
                "{} ({i}, {j}): {a} {}",
                rule.name(),
                column[i]
            );
        }
    }
}

#[test]
fn newton_matrices_are_exact() {
    let general = [general::wire(), general::torus(false), general::torus(true)];
    for example in [spherical_pendulum(), four_particles(), gyroscopic_top()].into_iter().chain(general) {
        tangents(EnergyMomentum::EM, &example);
        tangents(EnergyMomentum::EM_G, &example);
        tangents(ViS, &example);
        tangents(Theta::VI_A, &example);
        tangents(Theta::new(Variant::B, 0.3, 0.4).unwrap(), &example);
    }
}
