//! The heavy top: reference solution, orders, levels and structure of generalized-alpha, RKMK4.
//!
//! Expected numbers come from an independent extended-precision implementation (rho 0.9 unless said
//! otherwise); it and this library share no code.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use precess::Error;
use precess::formulation::Formulation::{R3SO3, SE3, SO3};
use precess::integrate::{Eta, Explicit, Form, Integrator, RKMK4, Start};
use precess::lie::rotation::rotation_matrix;
use precess::mechanics::{At, System};
use precess::methods::MethodOptions;
use precess::problems::{ExactSolution, HeavyTop, TopReference};
use precess::study::larger;
use precess::study::{Run, Sample, observed_order};

const STEPS: [f64; 3] = [1e-3, 5e-4, 2.5e-4];

/// t, x, R row by row, Omega, u, lambda.
type Row = (f64, [f64; 3], [f64; 9], [f64; 3], [f64; 3], [f64; 3]);

/// Taylor series of order 34 in extended precision.
#[rustfmt::skip]
const SOLUTION: [Row; 5] = [
    (0.1, [0.421296658925402, 0.894571974345593, -0.1491647005619],
     [-0.716889536651476, 0.421296658925402, 0.555498440517995, 0.227743007555332, 0.894571974345593,
      -0.384544022479975, -0.658940448560629, -0.1491647005619, -0.737256656366692],
     [4.80894133172809, 150.0, 1.02830075671833], [3.40853746333965, -2.08343795057939, -2.86783504500623],
     [331.434967781088, -384.699373361737, 69.5210167422789]),
    (0.5, [-0.702468297056586, -0.0211651847019233, -0.711400257651734],
     [0.66527923243968, -0.702468297056586, 0.252867227047893, -0.374662882521406, -0.0211651847019233,
      0.926919499966035, -0.645779581084151, -0.711400257651734, -0.277269554888063],
     [-0.471053101745249, 150.0, 5.90108304832646], [-4.04498189258406, 1.77428847935704, 3.94140762274059],
     [-34.0733142032331, -630.352630432098, 407.908823114881]),
    (0.7, [-0.775118357895521, 0.631035018658206, -0.0314059943384802],
     [0.60127411652669, -0.775118357895521, 0.194064339971052, 0.721469507556809, 0.631035018658206,
      0.285090432832764, -0.343440222543581, -0.0314059943384802, 0.93864928331024],
     [2.83266987310365, 150.0, -3.72618031833312], [2.79017598820463, 3.49589255953112, 1.37916334847741],
     [195.33041846491, -333.24796768774, -255.841372160922]),
    (1.0, [0.173343964098386, 0.640088592070569, -0.748490791133581],
     [0.229299640803608, 0.173343964098386, 0.957796191701551, -0.765340742204681, 0.640088592070569,
      0.0673805804568727, -0.601394398917154, -0.748490791133581, 0.279439282384029],
     [-0.822078101682705, 150.0, -5.92329134811734], [0.570825303425487, -4.58872829633495,
      -3.79195515471004],
     [-58.2745637441974, -646.558311914525, -409.441408863465]),
    (2.0, [-0.150416822745642, -0.724165591636896, -0.673022269560444],
     [-0.487449082236266, -0.150416822745642, 0.860097768664777, -0.537939743844151, -0.724165591636896,
      -0.431514806098324, 0.687760295611714, -0.673022269560444, 0.272078665932846],
     [0.122233219497394, 150.0, -5.85562458920546], [-2.74918631258189, -3.20271863557489, 4.06052314975669],
     [10.0192833113467, -613.584431310664, -404.773450395885]),
];

fn reference_at(reference: &TopReference, t: f64) -> ([f64; 7], [f64; 6], [f64; 3]) {
    let (mut q, mut v, mut lambda) = ([0.0; 7], [0.0; 6], [0.0; 3]);
    reference.at(t, &mut q, &mut v, &mut lambda);
    (q, v, lambda)
}

/// h, h/2, h/4 of one quantity.
fn column(runs: &[Measured], f: impl Fn(&Measured) -> f64) -> Vec<f64> {
    runs.iter().map(f).collect()
}

fn three(bench: &Bench, options: &MethodOptions) -> Vec<Measured> {
    STEPS.iter().map(|&h| bench.run(options, h)).collect()
}

#[track_caller]
fn assert_q_v_order_2(runs: &[Measured]) {
    assert_order_2("q", &column(runs, |r| r.errors[0].q));
    assert_order_2("v", &column(runs, |r| r.errors[0].v));
}

#[test]
fn reference_agrees_with_the_table_in_both_groups() {
    for formulation in [R3SO3, SE3] {
        let reference = TopReference::new(&HeavyTop::fast(formulation), 2.0);
        for (t, x, r, omega, u, lambda) in SOLUTION {
            let (q, v, l) = reference_at(&reference, t);
            let turn = Matrix3::from_row_slice(&r);
            let u = match formulation {
                SE3 => turn.transpose() * Vector3::from(u),
                _ => Vector3::from(u),
            };
            assert_close("R", rotation_matrix(&q).transpose().as_slice(), &r, 1e-11);
            assert_close("x", &q[4..], &x, 1e-11);
            assert_close("Omega", &v[..3], &omega, 1e-12);
            assert_close("u", &v[3..], u.as_slice(), 1e-10);
            assert_close("lambda", &l, &lambda, 1e-10);
        }
    }
}

/// Neither the equations of motion in redundant coordinates nor the invariants are used by the Taylor series.
#[test]
fn references_satisfy_equations_of_motion_and_invariants() {
    for (top, names) in [
        (HeavyTop::fast(R3SO3), "fast r3so3"),
        (HeavyTop::slow(R3SO3), "slow r3so3"),
        (HeavyTop::slow(SE3), "slow se3"),
    ] {
        let reference = TopReference::new(&top, 2.0);
        let energy = |t: f64| {
            let (q, v, _) = reference_at(&reference, t);
            top.energy(&place(t, &q, &v)).unwrap().total()
        };
        let vertical_momentum = |t: f64| {
            let (q, v, _) = reference_at(&reference, t);
            (rotation_matrix(&q) * top.inertia_about_tip() * Vector3::from_column_slice(&v[..3])).z
        };
        let size = larger(energy(0.0).abs(), top.m * 9.81);
        for i in 0..=40 {
            let t = 0.05 * i as f64;
            let (q, v, lambda) = reference_at(&reference, t);
            assert!((energy(t) - energy(0.0)).abs() < 1e-11 * size, "{names}: energy");
            let momentum = vertical_momentum(t) - vertical_momentum(0.0);
            assert!(momentum.abs() < 1e-11 * 150.0, "{names}: L_z, {momentum}");
            assert!((v[1] - top.omega_0.y).abs() < 1e-11 * 150.0, "{names}: symmetry");
            // u' by a central difference of order 4 of the reference itself.
            let step = 1e-4;
            let mut vdot = [0.0; 6];
            if t > 0.0 && t < 2.0 {
                for (side, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
                    let (_, near, _) = reference_at(&reference, t + side * step);
                    for (a, x) in vdot.iter_mut().zip(near) {
                        *a += weight * x / (12.0 * step);
                    }
                }
                let mut r = [0.0; 6];
                top.residual(&At { vdot: &vdot, lambda: &lambda, ..place(t, &q, &v) }, &mut r);
                assert!(norm(&r) < 3e-7 * norm(&lambda), "{names}: {r:?} at {t}");
            }
        }
    }
}

#[test]
fn index_3_classical() {
    let bench = Bench::new(R3SO3);
    let runs = three(&bench, &options(Form::Index3, Start::Classical));
    assert_q_v_order_2(&runs);
    let whole = column(&runs, |r| r.errors[0].lambda);
    let later = column(&runs, |r| r.errors[1].lambda);
    assert_order("lambda on [0, 1]", &whole, 0.9..=1.25);
    assert_order_2("lambda on [0.5, 1]", &later);
    assert_level("q", runs[0].errors[0].q, 1.280e-2);
    assert_level("v", runs[0].errors[0].v, 8.121e-4);
    assert_level("lambda on [0, 1]", whole[0], 0.3063);
    assert_level("lambda on [0.5, 1]", later[0], 1.094e-2);
    // Phi is kept, B v is not: amplitude O(h^2).
    let bv = column(&runs, |r| r.errors[0].bv);
    assert!(runs.iter().all(|r| r.errors[0].phi < 1e-10));
    assert!((0.02..=0.035).contains(&bv[0]));
    assert_level("B v", bv[0], 3.231e-2);
    for pair in bv.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.1, "B v: {bv:?}");
    }
    // Table 1 alone does not help: a_0 is right, v_0 is not.
    let table_1 = bench.run(&options(Form::Index3, TABLE_1), 1e-3);
    assert_level("lambda with Table 1", table_1.errors[0].lambda, 0.3068);
}

#[test]
fn index_3_table_2_has_no_transient() {
    let bench = Bench::new(R3SO3);
    let runs = three(&bench, &options(Form::Index3, TABLE_2));
    assert_q_v_order_2(&runs);
    let lambda = column(&runs, |r| r.errors[0].lambda);
    assert_order_2("lambda", &lambda);
    for (found, expected) in lambda.iter().zip([1.094e-2, 2.733e-3, 6.832e-4]) {
        assert_level("lambda", *found, expected);
    }
    let classical = bench.run(&options(Form::Index3, Start::Classical), 1e-3);
    let ratio = classical.errors[0].lambda / lambda[0];
    assert!(ratio > 20.0, "transient {ratio}");
    assert_level("transient", ratio, 28.0);
    assert_level("B v", runs[0].errors[0].bv, 2.292e-2);
}

#[test]
fn stabilized_index_2() {
    let bench = Bench::new(R3SO3);
    let classical = three(&bench, &options(Form::StabilizedIndex2, Start::Classical));
    assert_q_v_order_2(&classical);
    assert_level("q", classical[0].errors[0].q, 8.222e-3);
    assert_level("v", classical[0].errors[0].v, 2.237e-4);
    assert_level("lambda", classical[0].errors[0].lambda, 2.965e-3);
    // The first-order transient appears below h = 5e-4.
    assert_level("lambda at 2.5e-4", classical[2].errors[0].lambda, 2.161e-4);

    let table_1 = three(&bench, &options(Form::StabilizedIndex2, TABLE_1));
    assert_q_v_order_2(&table_1);
    assert_order_2("lambda", &column(&table_1, |r| r.errors[0].lambda));
    assert_level("q", table_1[0].errors[0].q, 8.220e-3);
    assert_level("lambda at 2.5e-4", table_1[2].errors[0].lambda, 1.813e-4);

    // B v_0 = 0 is enforced anyway: Table 2 does not perturb v_0 and is Table 1.
    let table_2 = bench.run(&options(Form::StabilizedIndex2, TABLE_2), 1e-3);
    assert_eq!(table_2.state, table_1[0].state);

    for run in classical.iter().chain(&table_1) {
        assert!(run.errors[0].phi < 1e-10 && run.errors[0].bv < 1e-8);
    }
    let eta = column(&classical, |r| r.eta);
    assert_level("eta", eta[0], 1.144e-2);
    for pair in eta.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.1, "eta: {eta:?}");
    }
}

/// LA, Fig. 13: the classical start excites oscillations of lambda_1 with amplitude 0.638 h |lambda|.
#[test]
fn oscillation_of_the_stabilized_form_is_proportional_to_h() {
    let bench = Bench::new(R3SO3);
    for (h, expected) in STEPS.into_iter().zip([0.6389, 0.6384, 0.6382]) {
        let runs =
            [Start::Classical, TABLE_1].map(|start| bench.run(&options(Form::StabilizedIndex2, start), h));
        let amplitude = runs[0]
            .lambda
            .iter()
            .zip(&runs[1].lambda)
            .map(|((_, a), (_, b))| (a[0] - b[0]).abs() / norm(a))
            .fold(0.0, larger);
        assert_level("amplitude / h", amplitude / h, expected);
    }
}

#[test]
fn se3_has_order_2_in_everything_and_needs_no_stabilisation() {
    let bench = Bench::new(SE3);
    let index_3 = three(&bench, &options(Form::Index3, Start::Classical));
    let stabilized = three(&bench, &options(Form::StabilizedIndex2, Start::Classical));
    for runs in [&index_3, &stabilized] {
        assert_q_v_order_2(runs);
        // 1.89 at h = 2e-3 -> 1e-3, 1.98 and 1.99 below.
        assert_order_2("lambda", &column(runs, |r| r.errors[0].lambda));
        assert_level("q", runs[0].errors[0].q, 0.1573);
        assert_level("v", runs[0].errors[0].v, 1.185e-2);
        assert_level("lambda", runs[0].errors[0].lambda, 0.1286);
        for r in runs {
            assert!(r.errors[0].phi < 1e-10 && r.errors[0].bv < 1e-8);
        }
    }
    // Lemma 3.5: the index-3 method satisfies B v = 0, so both forms give the same solution and eta = 0.
    for (a, b) in index_3.iter().zip(&stabilized) {
        assert!(b.eta < 1e-10, "eta {}", b.eta);
        assert_close("q", &a.state.q, &b.state.q, 1e-9);
        assert_close("v", &a.state.v, &b.state.v, 1e-9);
        assert_close("lambda", &a.state.lambda, &b.state.lambda, 1e-6);
    }
}

#[test]
fn reduced_index_forms_have_order_2() {
    let bench = Bench::new(R3SO3);
    for form in [Form::Index2, Form::Index1] {
        let runs = three(&bench, &options(form, Start::Classical));
        // Index-1 leaves the manifold by 2.5e-2 at h = 1e-3; its q error converges with 1.92.
        assert_q_v_order_2(&runs);
        let lambda = column(&runs, |r| r.errors[0].lambda);
        assert_order("lambda", &lambda, 1.9..=2.2);
    }
    // rho 0.65 was measured independently.
    let runs = three(&bench, &MethodOptions { rho: 0.65, ..options(Form::Index2, Start::Classical) });
    for (run, (q, v, lambda)) in runs.iter().zip([
        (1.453e-2, 1.004e-3, 1.346e-2),
        (3.633e-3, 2.506e-4, 3.369e-3),
        (9.086e-4, 6.267e-5, 8.431e-4),
    ]) {
        assert_level("q", run.errors[0].q, q);
        assert_level("v", run.errors[0].v, v);
        assert_level("lambda", run.errors[0].lambda, lambda);
    }
}

/// max |Phi|_2 and max |B v|_2 in the seconds that end at 1, 2, ..., 10.
fn drift(form: Form, h: f64) -> Vec<(f64, f64)> {
    let top = HeavyTop::fast(R3SO3);
    let mut seconds = vec![(0.0_f64, 0.0_f64); 10];
    let mut rows = [0.0; 3];
    let mut see = |s: &Sample| {
        if s.step == 0 {
            return;
        }
        let i = ((s.state.t - 0.5 * h) as usize).min(9);
        top.constraint(&s.state.at(), &mut rows);
        seconds[i].0 = precess::study::larger(seconds[i].0, norm(&rows));
        top.velocity_constraint(&s.state.at(), &mut rows);
        seconds[i].1 = precess::study::larger(seconds[i].1, norm(&rows));
    };
    let mut method = options(form, Start::Classical).generalized_alpha().unwrap();
    Run::new(h, 10.0).run(&top, &mut method, &mut top_state(&top), &mut see).unwrap();
    seconds
}

const WINDOWS: [usize; 6] = [1, 2, 4, 6, 8, 10];

#[test]
fn drift_of_index_2_is_bounded() {
    for (h, expected) in [
        (1e-3, [2.7103e-4, 2.7102e-4, 2.7065e-4, 2.7104e-4, 2.7108e-4, 2.7082e-4]),
        (5e-4, [6.7633e-5, 6.7626e-5, 6.7578e-5, 6.7633e-5, 6.7624e-5, 6.7585e-5]),
    ] {
        let seconds = drift(Form::Index2, h);
        for (end, phi) in WINDOWS.into_iter().zip(expected) {
            assert_level("Phi", seconds[end - 1].0, phi);
            assert!(seconds[end - 1].1 < 1e-10, "B v");
        }
    }
}

#[test]
fn drift_of_index_1_grows() {
    for (h, expected) in [
        (
            1e-3,
            [
                (2.5066e-2, 6.0091e-2),
                (4.9317e-2, 6.0040e-2),
                (9.3751e-2, 5.9415e-2),
                (1.2930e-1, 5.8339e-2),
                (1.5443e-1, 5.7663e-2),
                (1.6791e-1, 5.6971e-2),
            ],
        ),
        (
            5e-4,
            [
                (6.2645e-3, 1.4988e-2),
                (1.2464e-2, 1.4981e-2),
                (2.4781e-2, 1.4926e-2),
                (3.6814e-2, 1.4860e-2),
                (4.8501e-2, 1.4775e-2),
                (5.9704e-2, 1.4642e-2),
            ],
        ),
    ] {
        let seconds = drift(Form::Index1, h);
        for (end, (phi, bv)) in WINDOWS.into_iter().zip(expected) {
            assert_level("Phi", seconds[end - 1].0, phi);
            assert_level("B v", seconds[end - 1].1, bv);
        }
    }
}

/// Iteration counts with an exact matrix and the default tolerance: 2.00 for h <= 2e-3 in the independent
/// implementation. `newton.rs` repeats the count with its stopping rule.
#[test]
fn two_newton_iterations_are_enough() {
    for formulation in [R3SO3, SE3] {
        let bench = Bench::new(formulation);
        for rho in [0.65, 0.9] {
            for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
                for h in [2e-3, 1e-3, 5e-4, 2.5e-4] {
                    let run = bench.run(&MethodOptions { rho, ..options(form, Start::Classical) }, h);
                    let what = format!("{formulation:?}, {form:?}, rho {rho}, h {h}");
                    assert_eq!(run.summary.damped_steps, 0, "{what}");
                    assert_eq!(run.summary.jacobians, run.summary.iterations, "{what}");
                    let mean = run.mean_iterations();
                    assert!(mean <= 2.1, "{what}: {mean} iterations");
                }
            }
        }
    }
}

/// The direction of the stabilisation changes the solution by O(h^2), the size of eta.
#[test]
fn both_directions_of_eta_have_order_2_and_agree_within_it() {
    let bench = Bench::new(R3SO3);
    let mass = three(&bench, &MethodOptions { eta: Eta::Mass, ..options(Form::StabilizedIndex2, TABLE_1) });
    let paper = three(&bench, &options(Form::StabilizedIndex2, TABLE_1));
    assert_q_v_order_2(&mass);
    assert_order_2("lambda", &column(&mass, |r| r.errors[0].lambda));
    let between: Vec<f64> = mass
        .iter()
        .zip(&paper)
        .map(|(a, b)| {
            let mut d = [0.0; 6];
            bench.top.group().difference(&a.state.q, &b.state.q, &mut d);
            norm(&d)
        })
        .collect();
    assert_order("distance of both", &between, 1.8..=2.2);
    assert!(between[0] < mass[0].errors[0].q + paper[0].errors[0].q);
    for run in &mass {
        assert!(run.errors[0].phi < 1e-10 && run.errors[0].bv < 1e-8);
    }
}

/// |log(q^-1 o q(1))| and |v - v(1)| of the fast top on SO(3).
fn rkmk4_error(h: f64) -> (f64, f64) {
    let top = HeavyTop::fast(SO3);
    let reference = TopReference::new(&top, 1.0);
    let mut state = top_state(&top);
    Run::new(h, 1.0).run(&top, &mut Explicit::new(&RKMK4), &mut state, &mut |_: &Sample| {}).unwrap();
    let (mut q, mut v, mut d) = ([0.0; 4], [0.0; 3], [0.0; 3]);
    reference.at(1.0, &mut q, &mut v, &mut []);
    top.group().difference(&state.q, &q, &mut d);
    (norm(&d), distance(&state.v, &v))
}

#[test]
fn rkmk4_has_order_4_and_reaches_the_reference() {
    let errors = [1e-3, 5e-4, 2.5e-4].map(rkmk4_error);
    assert_order("q", &errors.map(|e| e.0), 3.8..=4.2);
    assert_order("v", &errors.map(|e| e.1), 3.8..=4.2);
    let (q, v) = rkmk4_error(2e-5);
    assert!(q < 1e-9 && v < 1e-9 * 150.0, "q {q:.2e} v {v:.2e}");
    // vdot is that of the new state, not of the last stage.
    let top = HeavyTop::fast(SO3);
    let mut state = top_state(&top);
    let mut method = Explicit::new(&RKMK4);
    method.start(&top, &mut state, 1e-3).unwrap();
    method.step(&top, &mut state, 1e-3).unwrap();
    let mut r = [0.0; 3];
    top.residual(&state.at(), &mut r);
    assert!(norm(&r) < 1e-10 * norm(&state.vdot));
}

#[test]
fn rkmk4_refuses_constraints_and_says_why() {
    let top = HeavyTop::fast(R3SO3);
    let mut state = top_state(&top);
    let e = Explicit::new(&RKMK4).start(&top, &mut state, 1e-3).unwrap_err();
    match &e {
        Error::Unsupported { method, reason } => {
            assert_eq!(method, "rkmk4");
            assert!(reason.contains("3 constraints"), "{reason}");
            assert!(reason.contains("gen-alpha"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert!(e.to_string().contains("rkmk4"), "{e}");
}

/// On SO(3) there are no constraints: all forms are the same method of order 2.
#[test]
fn unconstrained_formulation_ignores_the_form() {
    let bench = Bench::new(SO3);
    let runs = three(&bench, &options(Form::Index3, Start::Classical));
    assert_q_v_order_2(&runs);
    for form in FORMS {
        let run = bench.run(&options(form, Start::Classical), 1e-3);
        assert_eq!(run.state, runs[0].state, "{form:?}");
    }
    // rho = 1 is fine without constraints.
    let undamped = bench.run(&MethodOptions { rho: 1.0, ..options(Form::Index3, Start::Classical) }, 5e-4);
    let coarse = bench.run(&MethodOptions { rho: 1.0, ..options(Form::Index3, Start::Classical) }, 1e-3);
    let p = observed_order(2.0, coarse.errors[0].q, 1.0, undamped.errors[0].q);
    assert!((1.9..=2.1).contains(&p), "{p}");
}
