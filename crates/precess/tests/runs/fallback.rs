//! Mechanisms on which pivots inside blocks fail: a link with nearly no mass in the middle of a chain. Its
//! compliance hides that of its neighbours in the sum of the two, which is what the elimination of bodies
//! before joints forms.

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::study::larger;
use precess::study::{Run, Summary};

/// Eight horizontal rods of length and mass 1; the middle one has this mass and its share of inertia.
fn chain(middle: f64) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..8 {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let mass = if i == 4 { middle } else { 1.0 };
        let rod = BodySpec::rigid(&b, mass, [0.1 * mass, mass / 12.0, mass / 12.0]);
        model = model.body(rod.at([i as f64 + 0.5, 0.0, 0.0])).joint(JointSpec::spherical(
            &format!("j{i}"),
            [&a, &b],
            [i as f64, 0.0, 0.0],
        ));
    }
    model
}

/// In index-3 form: the stabilized one with the direction M^-1 B^T divides by the mass, and has no limit.
fn run(middle: f64) -> (Vec<f64>, Summary) {
    let built = build(&chain(middle), Formulation::R3SO3).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let options = MethodOptions { form: Form::Index3, ..MethodOptions::default() };
    let mut method = options.generalized_alpha().unwrap();
    let summary = Run::new(1e-3, 0.2).run(&*built.system, &mut method, &mut state, &mut ()).unwrap();
    (state.q, summary)
}

#[test]
fn links_without_mass_need_pivots_from_whole_columns() {
    // A light link is a rod that carries tension only: the limit is regular, its distance is of the order of
    // the mass.
    let (light, usual) = run(1e-6);
    let (lighter, pivoted) = run(1e-19);
    assert_eq!(usual.fallbacks, 0);
    assert!(pivoted.fallbacks > 0);
    assert!(pivoted.position_max < 1e-11, "{}", pivoted.position_max);
    let worst = light.iter().zip(&lighter).fold(0.0_f64, |m, (x, y)| larger(m, (x - y).abs()));
    assert!(worst < 1e-5, "{worst}");
}

/// A model file with other settings, run for a while: the last configuration and the summary.
fn run_file(name: &str, text: &str, overrides: &[&str]) -> (Vec<f64>, Summary) {
    let overrides: Vec<String> = overrides.iter().map(|x| x.to_string()).collect();
    let loaded = precess::model::load(name, text, &overrides).unwrap();
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut method = loaded.settings.options.generalized_alpha().unwrap();
    let summary = Run::new(1e-3, 0.3).run(&*built.system, &mut method, &mut state, &mut ()).unwrap();
    (state.q, summary)
}

/// All solvers that a user can choose give the same motion: for a single body, for a mechanism in sparse
/// blocks, and for one with redundant rows, in both forms.
#[test]
fn all_solvers_agree() {
    let files = [
        ("heavy_top_slow.toml", include_str!("../../../../models/heavy_top_slow.toml")),
        ("slider_crank.toml", include_str!("../../../../models/slider_crank.toml")),
        ("four_bar.toml", include_str!("../../../../models/four_bar.toml")),
    ];
    for (name, text) in files {
        for form in ["integrator.form=index3", "integrator.form=stabilized-index2"] {
            let with = |solver: &str| run_file(name, text, &[form, &format!("integrator.solver={solver}")]);
            let (expected, _) = with("auto");
            for solver in ["dense", "pivoted"] {
                let (q, summary) = with(solver);
                let worst = expected.iter().zip(&q).fold(0.0_f64, |m, (x, y)| larger(m, (x - y).abs()));
                assert!(worst < 1e-10, "{name}, {form}, {solver}: {worst}");
                assert_eq!(summary.fallbacks, 0, "{name}, {form}, {solver}");
            }
        }
    }
}
