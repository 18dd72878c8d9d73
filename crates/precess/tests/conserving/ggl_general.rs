//! Constraints beyond second degree: a bead on a sinusoidal wire and a bead on a torus, against reference
//! solutions in minimal coordinates.

use crate::ggl_util::general::*;
use crate::ggl_util::*;
use precess::conserve::{EnergyMomentum, StepRule, Stepper, Theta, ViS, symplectic_defect};
use precess::mechanics::{At, System, Tangents, Want};
use precess::problems::ggl::GglExample;

/// Classical Runge-Kutta with many small steps.
fn reference<const N: usize>(mut y: [f64; N], t: f64, f: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let (n, add) = (20_000, |a: [f64; N], s: f64, b: [f64; N]| std::array::from_fn(|i| a[i] + s * b[i]));
    let h = t / n as f64;
    for _ in 0..n {
        let k_1 = f(y);
        let k_2 = f(add(y, 0.5 * h, k_1));
        let k_3 = f(add(y, 0.5 * h, k_2));
        let k_4 = f(add(y, h, k_3));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i]));
    }
    y
}

fn wire_at(t: f64) -> [f64; 3] {
    let [x, _] = reference([0.0, SPEED], t, |[x, v]| {
        let (sin, cos) = (K * x).sin_cos();
        let (f_1, f_2) = (A * K * cos, -A * K * K * sin);
        [v, -(f_1 * f_2 * v * v + G * f_1) / (1.0 + f_1 * f_1)]
    });
    [x, 0.0, A * (K * x).sin()]
}

fn torus_at(t: f64) -> [f64; 3] {
    let [phi, psi, ..] = reference([0.0, 0.0, PHI_T, PSI_T], t, |[_, psi, phi_t, psi_t]| {
        let (sin, cos) = psi.sin_cos();
        let rho = BIG + SMALL * cos;
        [
            phi_t,
            psi_t,
            2.0 * SMALL * sin * psi_t * phi_t / rho,
            (-rho * sin * phi_t * phi_t - G * cos) / SMALL,
        ]
    });
    let rho = BIG + SMALL * psi.cos();
    [rho * phi.cos(), rho * phi.sin(), SMALL * psi.sin()]
}

fn order<R: StepRule + Clone>(example: &GglExample, rule: R, reference: [f64; 3], t: f64) -> f64 {
    let e = [200, 400].map(|n| {
        let r = run(example, rule.clone(), t / n as f64, n);
        assert!(r.failure.is_none(), "{:?}", r.failure);
        // With consistent tangents Newton's method needs four updates and the final one.
        assert!(r.updates <= 5 * n, "{} updates in {n} steps", r.updates);
        distance(&r.q, &reference)
    });
    (e[0] / e[1]).log2()
}

#[test]
fn orders() {
    for (example, at) in [(wire(), wire_at(1.0)), (torus(false), torus_at(1.0)), (torus(true), torus_at(1.0))]
    {
        for second in [
            order(&example, EnergyMomentum::EM, at, 1.0),
            order(&example, EnergyMomentum::EM_G, at, 1.0),
            order(&example, Theta::VI_A, at, 1.0),
            order(&example, Theta::MIDPOINT, at, 1.0),
        ] {
            assert!((second - 2.0).abs() < 0.1, "{second}");
        }
        for first in [order(&example, ViS, at, 1.0), order(&example, Theta::VI_B, at, 1.0)] {
            assert!((first - 1.0).abs() < 0.2, "{first}");
        }
    }
}

/// Energy, g and (EM) G v at round-off over 2000 steps of both; the energy of the variational integrators
/// stays near.
#[test]
fn energy_and_constraints() {
    for example in [wire(), torus(false), torus(true)] {
        let h_0 = {
            let s = start(&example);
            example.system.invariants(&s.q, &s.v).energy
        };
        let em = run(&example, EnergyMomentum::EM, 0.01, 2000);
        assert!(em.failure.is_none() && em.h <= 1e-12 * h_0.max(1.0), "{:e}", em.h);
        assert!(em.g <= 1e-12 && em.gv <= 1e-12, "{:e} {:e}", em.g, em.gv);
        assert!(em.gamma > 1e-6, "gamma is at work: {:e}", em.gamma);
        let em_g = run(&example, EnergyMomentum::EM_G, 0.01, 2000);
        assert!(em_g.h <= 1e-12 * h_0.max(1.0) && em_g.g <= 1e-12 && em_g.gv > 1e-5, "{em_g:?}");
        let vi = run(&example, Theta::MIDPOINT, 0.01, 2000);
        assert!(
            vi.failure.is_none() && vi.h > 1e-6 && vi.h < 0.2 * h_0.max(1.0) && vi.g <= 1e-12,
            "{:e}",
            vi.h
        );
        let vi_s = run(&example, ViS, 0.005, 2000);
        assert!(vi_s.failure.is_none() && vi_s.h < 0.5 * h_0.max(1.0) && vi_s.g <= 1e-12, "{:e}", vi_s.h);
    }
}

/// The torus in invariants keeps the momentum about its axis, in all methods; the Euclidean gradient loses it
/// in EM.
#[test]
fn what_the_euclidean_gradient_loses() {
    let kept = [
        run(&torus(false), EnergyMomentum::EM, 0.01, 1000),
        run(&torus(false), EnergyMomentum::EM_G, 0.01, 1000),
        run(&torus(false), ViS, 0.01, 1000),
        run(&torus(false), Theta::VI_A, 0.01, 1000),
        run(&torus(false), Theta::MIDPOINT, 0.01, 1000),
    ];
    for r in kept {
        assert!(r.j_increment <= 1e-13, "{:e}", r.j_increment);
    }
    let lost = run(&torus(true), EnergyMomentum::EM, 0.01, 1000);
    assert!(lost.j_increment > 1e-9 && lost.j_increment < 1e-3, "{:e}", lost.j_increment);
    assert!(lost.h <= 1e-11, "{:e}", lost.h);
}

#[test]
fn variational_integrators_stay_symplectic() {
    let example = torus(false);
    let mut stepper = Stepper::new(Theta::MIDPOINT);
    let mut state = start(&example);
    run_with(&example.system, &mut stepper, state.clone(), (0.01, 7), |_, now| {
        state = now.clone();
        true
    });
    let directions: Vec<(Vec<f64>, Vec<f64>)> = [
        ([1.0, 0.2, -0.4], [0.3, 0.5, -0.1]),
        ([0.1, 1.0, 0.3], [-0.6, 0.1, 0.9]),
        ([-0.3, 0.5, 1.0], [0.8, 0.9, 0.4]),
    ]
    .map(|(a, b)| (a.to_vec(), b.to_vec()))
    .to_vec();
    fn defect<R: StepRule + Clone>(
        example: &GglExample,
        rule: R,
        state: &precess::mechanics::State,
        directions: &[(Vec<f64>, Vec<f64>)],
    ) -> f64 {
        symplectic_defect(&example.system, &Stepper::new(rule), state, 0.05, directions, 2e-4).unwrap()
    }
    for d in [
        defect(&example, ViS, &state, &directions),
        defect(&example, Theta::VI_A, &state, &directions),
        defect(&example, Theta::VI_B, &state, &directions),
        defect(&example, Theta::MIDPOINT, &state, &directions),
    ] {
        assert!(d < 1e-9, "{d:e}");
    }
    let em = defect(&example, EnergyMomentum::EM, &state, &directions);
    assert!(em > 1e-6, "the test sees a defect where there is one: {em:e}");
}

/// The system as generalized-alpha sees it: B, Y and K against difference quotients.
#[test]
fn tangents_of_the_system() {
    let system = torus(false).system;
    let (q, v, vdot, lambda) = ([1.2, 0.3, 0.2], [0.4, -0.7, 0.5], [0.1, 0.2, 0.3], [1.7]);
    let at = |q: &[f64; 3]| -> ([f64; 1], [f64; 1], [f64; 3]) {
        let at = At { t: 0.0, q, v: &v, vdot: &vdot, lambda: &lambda, s: &[], memory: &[] };
        let (mut g, mut gv, mut r) = ([0.0], [0.0], [0.0; 3]);
        system.constraint(&at, &mut g);
        system.velocity_constraint(&at, &mut gv);
        system.residual(&at, &mut r);
        (g, gv, r)
    };
    let mut tangents = Tangents::of(&system);
    let here = At { t: 0.0, q: &q, v: &v, vdot: &vdot, lambda: &lambda, s: &[], memory: &[] };
    let want = Want { c_m: 0.0, c_d: 0.0, stiffness: true, constraint: true, curvature: true };
    tangents.evaluate(&system, &here, want);
    let (b, y, k) = (tangents.b.to_dmatrix(), tangents.y.to_dmatrix(), tangents.k.to_dmatrix());
    for j in 0..3 {
        let moved = |e: f64| at(&std::array::from_fn(|i| q[i] + if i == j { e } else { 0.0 }));
        let (up, down) = (moved(1e-6), moved(-1e-6));
        assert!((b[(0, j)] - (up.0[0] - down.0[0]) / 2e-6).abs() < 1e-8);
        assert!((y[(0, j)] - (up.1[0] - down.1[0]) / 2e-6).abs() < 1e-8);
        for i in 0..3 {
            assert!((k[(i, j)] - (up.2[i] - down.2[i]) / 2e-6).abs() < 1e-7);
        }
    }
}
