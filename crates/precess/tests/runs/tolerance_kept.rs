//! A method that cannot keep a tolerance says so: a pendulum on a cart of a ten-millionth of its mass, which
//! passes below the cart in microseconds.

use precess::integrate::InitialValues;
use precess::methods::{adaptive_method, method};
use precess::model::{build, load};
use precess::study::Summary;

const CART: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    mass = 1e-8
    [[body]]
    name = "cart"
    mass = "mass"
    inertia = ["mass", "mass", "mass"]
    [[body]]
    name = "bob"
    type = "point"
    mass = 1
    position = [0.8, 0, -0.6]
    [[joint]]
    name = "rail"
    type = "prismatic"
    bodies = ["ground", "cart"]
    point = [0, 0, 0]
    axis = [1, 0, 0]
    [[joint]]
    name = "rod"
    type = "rigid-distance"
    bodies = ["cart", "bob"]
    point = [0, 0, 0]
    point2 = [0.8, 0, -0.6]
    [run]
    until = 1
"#;

fn run(settings: &[&str]) -> Summary {
    let settings: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
    let loaded = load("cart.toml", CART, &settings).unwrap_or_else(|e| panic!("{e}"));
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    match s.tolerance.zip(s.adaptive_run()) {
        Some((tol, run)) => {
            let mut method = adaptive_method(&s.method, &s.options, tol).unwrap();
            run.run(&*built.system, &mut *method, &mut state, &mut ())
        }
        None => {
            let mut method = method(&s.method, &s.options).unwrap();
            s.run().run(&*built.system, &mut *method, &mut state, &mut ())
        }
    }
    .unwrap_or_else(|e| panic!("{settings:?}: {e}"))
}

#[test]
fn a_missed_tolerance_is_told() {
    let told = |s: &Summary| s.warnings.iter().any(|w| w.contains("was not kept"));
    let missed = run(&["integrator.tol=1e-8", "integrator.method=gen-alpha"]);
    let energy = missed.trust.energy.unwrap();
    assert!(energy > 1e-5 && told(&missed), "{energy:e}: {:?}", missed.warnings);
    let kept = run(&["integrator.tol=1e-5", "integrator.method=bliedf", "parameters.mass=1e-3"]);
    let energy = kept.trust.energy.unwrap();
    assert!(energy < 1e-3 && !told(&kept), "{energy:e}: {:?}", kept.warnings);
}

/// The energy of `em` is right whatever its steps are: guessed steps are told.
#[test]
fn guessed_steps_of_a_conserving_method_are_not_trusted() {
    let given = ["integrator.method=em", "integrator.formulation=directors", "parameters.mass=1e-4"];
    let guessed = run(&[&given[..], &["run.step=1e-2", "run.until=3"]].concat());
    let rescues = guessed.rescues.guess + guessed.rescues.continuation;
    assert!(guessed.trust.energy.unwrap() < 1e-9 && 100 * rescues > guessed.steps, "{:?}", guessed.rescues);
    assert!(guessed.trust.wrong().is_some_and(|why| why.contains("other guesses")), "{:?}", guessed.trust);
}
