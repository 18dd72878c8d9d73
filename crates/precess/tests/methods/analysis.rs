//! The linear analysis of generalized-alpha against values of an independent computation and against theory.

use nalgebra::Matrix3;
use precess::integrate::analysis::*;
use precess::integrate::{Alpha, GeneralizedAlpha, Implicit, InitialValues, Integrator, Start};
use precess::lie::Largest;
use precess::problems::Cubic;
use precess::study::larger;

const DAMPINGS: [f64; 8] = [0.0, 0.2, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99];

fn near(found: f64, expected: f64, relative: f64, what: &str) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "{what}: found {found}, expected {expected}"
    );
}

fn infinite(rho: f64) -> Matrix3<f64> {
    let alpha = Alpha::from_rho(rho).unwrap();
    Recursion::test_equation(&alpha, f64::INFINITY).unwrap().matrix().unwrap()
}

#[test]
fn overshoot_of_the_amplification_matrix() {
    for (rho, n, norm) in [(0.6, 3, 7.386), (0.9, 14, 34.27), (0.99, 151, 358.7)] {
        let peak = overshoot(&infinite(rho)).unwrap();
        assert_eq!(peak.n, n, "rho {rho}");
        near(peak.value, norm, 5e-4, "max |T^n|");
    }
}

#[test]
fn undamped_powers_are_refused() {
    let e = overshoot(&infinite(1.0)).unwrap_err();
    assert!(e.to_string().contains("do not decay"), "{e}");
    assert!(Recursion::test_equation(&Alpha::from_rho(0.9).unwrap(), 0.0).is_err());
    assert!(Recursion::test_equation(&Alpha::from_rho(0.9).unwrap(), f64::NAN).is_err());
}

#[test]
fn error_constants_peak_where_expected() {
    for (rho, n, scaled, plain) in
        [(0.6, 3, 6.820, 0.6749), (0.9, 15, 31.93, 2.683), (0.99, 161, 334.3, 27.86)]
    {
        let alpha = Alpha::from_rho(rho).unwrap();
        let peak = largest_error_constant(&alpha).unwrap();
        assert_eq!(peak.n, n, "rho {rho}");
        near(peak.value.abs(), plain, 3e-4, "|c_n|");
        near((peak.value / alpha.c_q()).abs(), scaled, 3e-4, "|c_n / C_q|");
    }
}

#[test]
fn closed_form_and_recursion_give_the_same_error_constants() {
    for rho in DAMPINGS {
        let alpha = Alpha::from_rho(rho).unwrap();
        let c = error_constants(&alpha, 300).unwrap();
        let largest = largest_error_constant(&alpha).unwrap().value.abs();
        for (n, c) in c.iter().enumerate() {
            let closed = error_constant(rho, n).unwrap();
            // The recursion runs along a defective eigenvalue: errors grow like |T^n|.
            assert!((c - closed).abs() < 1e-10 * largest, "rho {rho}, n {n}: {c} and {closed}");
        }
    }
}

#[test]
fn spectral_radius_falls_from_one_to_rho() {
    for rho in DAMPINGS {
        let alpha = Alpha::from_rho(rho).unwrap();
        let radius = |h_omega: f64| {
            spectral_radius(&Recursion::test_equation(&alpha, h_omega).unwrap().matrix().unwrap())
        };
        let mut previous = 1.0;
        for i in 0..=120 {
            let h_omega = 0.1 * 10f64.powf(i as f64 / 40.0);
            let r = radius(h_omega);
            assert!(r <= previous + 1e-12, "rho {rho}, h omega {h_omega}: {r} > {previous}");
            previous = r;
        }
        near(radius(1e-3), 1.0, 1e-6, "low frequencies");
        assert!(previous >= rho - 1e-9 && previous < 1.0);
        // Three equal eigenvalues: a third of the digits.
        let limit = spectral_radius(&infinite(rho));
        assert!((limit - rho).abs() < 1e-4, "rho {rho}: {limit}");
    }
}

#[test]
fn small_frequencies_do_not_lose_digits() {
    // T_{h omega} -> the matrix of free motion: a_np1 + ... -> with q'' = 0 velocities stay, so 1 is an
    // eigenvalue.
    let t = Recursion::test_equation(&Alpha::from_rho(0.9).unwrap(), 1e-8).unwrap().matrix().unwrap();
    assert!((t[(1, 1)] - 1.0).abs() < 1e-12 && (t[(0, 0)] - 1.0).abs() < 1e-12);
}

#[test]
fn jordan_form_at_infinite_frequency() {
    for rho in DAMPINGS {
        let mu = -rho;
        let j = Matrix3::new(mu, 1.0, 0.0, 0.0, mu, 1.0, 0.0, 0.0, mu);
        let x = Matrix3::from_rows(&[
            [1.0 - mu * mu, -(2.0 + mu), 0.0].into(),
            [0.0, 0.5 * (1.0 + mu) / (1.0 - mu), -1.0 / (1.0 - mu).powi(2)].into(),
            [0.0, 1.0, 0.0].into(),
        ]);
        let difference = infinite(rho) * x - x * j;
        assert!(difference.largest() < 1e-13, "rho {rho}: {difference}");
        assert!(x.determinant().abs() > 1e-3);
    }
}

#[test]
fn error_recursions_have_the_eigenvalues_of_lemma_4_17() {
    for rho in DAMPINGS {
        let alpha = Alpha::from_rho(rho).unwrap();
        let test = Recursion::test_equation(&alpha, f64::INFINITY).unwrap();
        assert_eq!(test, Recursion::index3(&alpha));
        let closed = Eigenvalues::new(&alpha);
        // Double root of sigma: half of the digits.
        assert!(
            (closed.radius_index3() - larger(rho, closed.zeta_m.abs())).abs() < 1e-7,
            "rho {rho}: {closed:?}"
        );
        assert!(closed.radius_index3() < 1.0 && closed.radius_stabilized_index2() < 1.0);
    }
    // Parameters with separate eigenvalues, real and complex.
    for alpha in [
        Alpha::given(0.1, 0.3, 0.6, 0.7).unwrap(),
        Alpha::given(-0.2, 0.25, 0.5, 0.95).unwrap(),
        Alpha::hht(0.2).unwrap(),
    ] {
        alpha.check_order().unwrap();
        let closed = Eigenvalues::new(&alpha);
        let t = Recursion::index3(&alpha).matrix().unwrap();
        let largest = closed.index3.iter().fold(closed.zeta_f.abs(), |m, z| larger(m, z.norm()));
        near(spectral_radius(&t), largest, 1e-6, "index-3");
        // Trace and determinant see the two smaller eigenvalues as well.
        let [z_1, z_2] = closed.index3;
        assert!((t.trace() - closed.zeta_f - (z_1 + z_2).re).abs() < 1e-12);
        assert!((t.determinant() - closed.zeta_f * (z_1 * z_2).re).abs() < 1e-12);
        let t = Recursion::stabilized_index2(&alpha).matrix().unwrap();
        let largest = larger(closed.zeta_f.abs(), closed.stabilized.abs());
        near(spectral_radius(&t), largest, 1e-12, "stabilized index-2");
    }
    // gamma > 2 beta violates (134), and errors grow.
    let bad = Alpha::given(0.0, 0.3, 0.3, 0.8).unwrap();
    assert!(bad.check_stability().is_err());
    assert!(Eigenvalues::new(&bad).radius_index3() > 1.0);
}

#[test]
fn the_cubic_constraint_shows_the_error_constants() {
    let system = Cubic::default();
    for (rho, h) in [(0.9, 0.01), (0.9, 0.1), (0.6, 0.02), (0.2, 0.05)] {
        let alpha = Alpha::from_rho(rho).unwrap();
        let scheme =
            GeneralizedAlpha::new(rho, Default::default()).unwrap().with_start(Start::Table1 { s: 0.1 });
        let mut method = Implicit::new(scheme);
        let mut state = InitialValues::new(&[0.0], &[0.0]).consistent(&system).unwrap();
        method.start(&system, &mut state, h).unwrap();
        let c = error_constants(&alpha, 60).unwrap();
        let largest = largest_error_constant(&alpha).unwrap().value.abs();
        for (n, c) in c.iter().enumerate().skip(1) {
            method.step(&system, &mut state, h).unwrap();
            let e = -state.t - state.lambda[0];
            // Positions of size 1 are known to eps, multipliers to eps / h^2.
            assert!((e / h - c).abs() < 1e-9 * largest, "rho {rho}, h {h}, n {n}: {} and {c}", e / h);
        }
    }
}
