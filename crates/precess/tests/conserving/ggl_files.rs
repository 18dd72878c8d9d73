//! The examples of the GGL paper as model files: values of an independent prototype, with every conserving
//! method.

use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::State;
use precess::methods::method;
use precess::model::{Built, build, load};
use precess::study::{Sample, Summary};

struct Done {
    built: Built,
    state: State,
    summary: Summary,
    /// Largest |g| and |G v|, of rows as the model file has them.
    residuals: [f64; 2],
}

fn run(model: &str, name: &str, overrides: &[&str]) -> Done {
    let text = crate::model_util::model_text(model);
    let mut list = vec![format!("integrator.method={name}")];
    list.extend(overrides.iter().map(|x| x.to_string()));
    let loaded = load(model, &text, &list).unwrap();
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut integrator: Box<dyn Integrator> = method(name, &loaded.settings.options).unwrap();
    let run = loaded.settings.run();
    let mut residuals = [0.0_f64; 2];
    let mut see = |sample: &Sample| {
        let mut rows = vec![0.0; sample.system.n_lambda()];
        let at = sample.state.at();
        let largest =
            |m: f64, rows: &[f64]| rows.iter().fold(m, |m, x| if x.abs() <= m { m } else { x.abs() });
        sample.system.constraint(&at, &mut rows);
        residuals[0] = largest(residuals[0], &rows);
        sample.system.velocity_constraint(&at, &mut rows);
        residuals[1] = largest(residuals[1], &rows);
    };
    let summary = run.run(&*built.system, &mut *integrator, &mut state, &mut see).unwrap();
    Done { built, state, summary, residuals }
}

#[track_caller]
fn near(x: f64, y: f64, tolerance: f64) {
    assert!((x - y).abs() <= tolerance * y.abs(), "{x:e}, expected {y:e} within {tolerance}");
}

/// Position of a body at the end.
fn place(done: &Done, name: &str) -> [f64; 3] {
    let bodies = done.built.system.bodies(&done.state.at());
    bodies.iter().find(|b| b.name == name).unwrap().position.into()
}

/// `verified` values: largest |H - H_0|, largest |g| times the scale of the row, q_4 at t = 10.
#[test]
fn four_particles_from_a_file() {
    let vi_s = [0.26155693, 0.57603701, 2.91149840];
    let em = [0.26123482, 0.57615233, 2.91228291];
    for (name, energy, q) in [
        ("em", None, em),
        ("em-g", None, em),
        ("vi-s", Some(3.495e-4), vi_s),
        ("vi-b", Some(4.393e-4), vi_s),
        ("vi-a", Some(5.188e-5), [0.26126891, 0.57616148, 2.91241032]),
    ] {
        let done = run("four_particles", name, &[]);
        let (summary, [g, gv]) = (&done.summary, done.residuals);
        near(summary.energy_initial.unwrap(), 2.0 / 1.7, 1e-14);
        match energy {
            None => assert!(summary.energy_drift.unwrap() <= 1e-12, "{name}: {:?}", summary.energy_drift),
            Some(x) => near(summary.energy_drift.unwrap(), x, 0.01),
        }
        let momenta = summary.momenta.unwrap();
        assert!(momenta.linear <= 1e-13 && momenta.angular <= 1e-13, "{name}: {momenta:?}");
        assert!(name == "vi-a" || g <= 1e-12, "{name}: {g:e}");
        assert!(!["em", "vi-s", "vi-b"].contains(&name) || gv <= 1e-12, "{name}: {gv:e}");
        for (x, y) in place(&done, "p4").iter().zip(q) {
            near(*x, y, 1e-6);
        }
    }
    // The secondary constraint of EM-G; rows of the file are (l^2 - 1)/2 and (l^2 - 1)/(2 l_0^2) alike.
    near(run("four_particles", "em-g", &[]).residuals[1], 1.728e-5, 0.02);
}

/// The force of a potential is its derivative in every formulation: the same motion by generalized-alpha in
/// R^3 x SO(3) and in directors.
#[test]
fn a_potential_means_the_same_in_all_coordinates() {
    let reference = [0.261202266883, 0.576171694720, 2.912251211352];
    for (name, formulation, tolerance) in
        [("bliedf", "r3so3", 1e-5), ("gen-alpha", "se3", 3e-4), ("em", "directors", 3e-4)]
    {
        let overrides = [
            &format!("integrator.formulation={formulation}")[..],
            "run.step=2e-3",
            "integrator.form=stabilized-index2",
        ];
        let done = run("four_particles", name, &overrides);
        for (x, y) in place(&done, "p4").iter().zip(reference) {
            near(*x, y, tolerance);
        }
        near(done.summary.energy_final.unwrap(), 2.0 / 1.7, 1e-3);
    }
}

/// BS99 integrates a top about any of its axes: heavy_top is symmetric about y. It is of order 1, so half
/// the step has half the distance from EM, whose error is far smaller.
#[test]
fn bs99_takes_any_axis_of_symmetry() {
    let slow = |step: &'static str| {
        [
            "integrator.formulation=directors",
            "integrator.tol=off",
            step,
            "run.until=0.2",
            "body.top.angular_velocity=[0, 20, -3]",
            "body.top.velocity=[3, 0, 0]",
        ]
    };
    let exact = place(&run("heavy_top", "em", &slow("run.step=1e-4")), "top");
    let distance = |step| {
        let p = place(&run("heavy_top", "bs99", &slow(step)), "top");
        p.iter().zip(exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let (coarse, fine) = (distance("run.step=1e-3"), distance("run.step=5e-4"));
    assert!(fine < 2e-3 && (coarse / fine - 2.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

/// lambda and gamma of the scheme are in the results, by step; those of the state belong to its time. VI-B
/// oscillates in lambda with period two (amplitude by bench/papers/ggl.py), its node values do not.
#[test]
fn multipliers_of_the_steps_are_results() {
    let text = crate::model_util::model_text("spherical_pendulum");
    let set = ["integrator.method=vi-b", "run.step=0.05", "run.until=10"].map(String::from);
    let loaded = precess::model::load("pendulum", &text, &set).unwrap();
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let results = precess::study::execute::run(&loaded, &built, &mut |_| true).unwrap().results;
    let zigzag = |name: &str| {
        let x: Vec<f64> = results.numbers(name).unwrap().0;
        let fourth = |w: &[f64]| (w[0] - 4.0 * w[1] + 6.0 * w[2] - 4.0 * w[3] + w[4]).abs() / 16.0;
        assert_eq!(x.len(), 201);
        (x[0], x[1..].windows(5).map(fourth).fold(0.0, precess::study::larger))
    };
    let ((first, lambda), (_, gamma), (_, node)) =
        (zigzag("step_lambda"), zigzag("step_gamma"), zigzag("lambda.0"));
    assert!(first.is_nan(), "there is no step before the start");
    near(lambda, 1.07905, 1e-3);
    near(gamma, 2.87836e-4, 1e-3);
    assert!(node < 0.05 * lambda, "{node:e}");
}

#[test]
fn potentials_are_checked() {
    let text = crate::model_util::model_text("four_particles");
    for (wrong, part) in [
        ("potential = \"k13*(x^2 - 1)\"", "unknown name 'x'"),
        ("potential = \"abs(l - 1)\"", "does not have a derivative"),
        ("potential = \"l^2\"\nstiffness = 3", "'stiffness' and a potential exclude each other"),
        ("table = [[0, 0], [1, 1]]\npotential = \"l^2\"", "'potential' and a table exclude each other"),
    ] {
        let changed = text.replacen("potential = \"k13*(l^2 - 1)^2/2\"", wrong, 1);
        let e = load("test", &changed, &[]).unwrap_err().to_string();
        assert!(e.contains(part), "{wrong}: {e}");
    }
}

/// Multipliers of LA are in the body frame, those of VP in that of the ground: 1.094e-2 and 1.132e-2 on (0.7,
/// 1] at h = 1e-3, rho = 0.9 (prototype).
#[test]
fn rows_of_a_spherical_joint_in_two_frames() {
    use precess::study::convergence::Study;
    use precess::study::parallel::Workers;
    use precess::study::{Configuration, Reference};
    let ground = crate::model_util::model_text("heavy_top");
    let body =
        ground.replace("bodies = [\"ground\", \"top\"]", "bodies = [\"top\", \"ground\"]\nframe = \"body\"");
    assert_ne!(body, ground);
    let methods = [Configuration::parse("gen-alpha:form=index3,rho=0.9,start=table2").unwrap()];
    for (text, expected) in [(ground, 1.132e-2), (body.clone(), 1.094e-2)] {
        let study = Study::load("heavy_top", &text, &[], &methods, vec![1e-3]).unwrap().window(0.7001, 1.0);
        let reference = Reference::exact(study.model(), study.times()).unwrap();
        let table = study.run(&reference, Workers::one());
        near(table.rows[0].errors.as_ref().unwrap()[2].unwrap(), expected, 0.01);
    }
    for (wrong, part) in [
        (
            body.replace("[\"top\", \"ground\"]", "[\"ground\", \"top\"]"),
            "the first body of joint 'tip' is the ground",
        ),
        (body.replace("type = \"spherical\"", "type = \"fixed\""), "only the rows of spherical joints"),
    ] {
        let e = load("test", &wrong, &[]).unwrap_err().to_string();
        assert!(e.contains(part), "{e}");
    }
}
