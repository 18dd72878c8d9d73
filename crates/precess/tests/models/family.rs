//! Parameters of models: rebuilt for other values, and derivatives of the equations for them.

use crate::model_util::extrapolated::derivative;
use crate::model_util::hidden::{Numbers, disturbed};
use crate::model_util::{load_text, model_path};
use precess::formulation::Formulation;
use precess::mechanics::{At, Equations, State};
use precess::model::{Built, Family, Loaded, ParameterDerivative, load};
use precess::study::larger;

/// A state off the constraints, in motion.
fn some_state(built: &Built, seed: u64) -> State {
    let finite = |state: &State| {
        let at = state.at();
        in_one_list(&at, |out| built.system.equations(&at, out)).iter().all(|x| x.is_finite())
    };
    // Some models bear small steps off their constraints only.
    let sizes = [0.05, 5e-3, 5e-4];
    sizes.map(|size| moved(built, seed, size)).into_iter().find(finite).expect("a state")
}

fn moved(built: &Built, seed: u64, size: f64) -> State {
    let system = built.system.as_ref();
    let mut numbers = Numbers(seed);
    let start = State {
        q: built.q.clone(),
        v: built.v.clone(),
        vdot: vec![0.0; built.v.len()],
        lambda: vec![0.0; system.n_lambda()],
        s: numbers.vector(system.n_s(), 1.0),
        memory: vec![0.0; system.n_memory()],
        ..State::default()
    };
    // Soon after the start: drives have not gone far from the bodies that they hold.
    State { t: 5e-3, ..disturbed(system, &start, &mut numbers, size) }
}

/// dr/dp, dPhi/dp and d(B v + Phi_t)/dp in one list.
fn by_parameter(derivative: &ParameterDerivative, at: &At) -> Vec<f64> {
    in_one_list(at, |out| derivative.equations(at, out))
}

fn in_one_list(at: &At, f: impl FnOnce(Equations)) -> Vec<f64> {
    let (k, m) = (at.v.len(), at.lambda.len());
    let mut all = vec![0.0; k + 2 * m];
    let (r, rest) = all.split_at_mut(k);
    let (phi, velocity) = rest.split_at_mut(m);
    f(Equations { r: Some(r), phi: Some(phi), velocity: Some(velocity) });
    all
}

fn agree(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let scale = expected.iter().fold(1.0, |m, x| larger(m, x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what}, row {i}: {a}, expected {b}");
    }
}

const PENDULUM: &str = r#"
    [parameters]
    m = "200 g"
    l = 1.5
    r = "l/10"
    g = 9.81
    k = 3
    c = 0
    [inputs]
    motor = 0.7
    [model]
    gravity = [0, 0, "-g"]
    length_scale = 1
    [[body]]
    name = "rod"
    mass = "m"
    inertia = ["m*r^2/2", "m*l^2/12", "m*l^2/12"]
    position = ["l/2", 0, 0]
    [[joint]]
    name = "hinge"
    type = "revolute"
    bodies = ["ground", "rod"]
    point = [0, 0, 0]
    axis = [0, 1, 0]
    [[force]]
    name = "coil"
    type = "joint-spring"
    joint = "hinge"
    stiffness = "k"
    damping = "c"
    [[force]]
    name = "drive"
    type = "actuator"
    joint = "hinge"
    value = "input('motor')*cos(k*t)"
"#;

/// Against formulas: weight, inertia, lever of the joint, spring, damper and motor of a rod.
#[test]
fn pendulum_by_hand() {
    let family = load_text(PENDULUM).family().unwrap();
    let names: Vec<&str> = family.parameters().keys().map(String::as_str).collect();
    assert_eq!(names, ["c", "g", "k", "l", "m", "motor", "r"]);
    let (m, l, g, k, motor) = (0.2, 1.5, 9.81, 3.0, 0.7);
    let built = family.build(Formulation::R3SO3).unwrap();
    // The hinge about y turned by x from the assembled position, so that the rod points down a little.
    let (x, omega, omega_dot, t) = (0.3_f64, 0.8, -1.1, 0.4);
    let (sine, cosine) = (0.5 * x).sin_cos();
    let centre = [0.5 * l * x.cos(), 0.0, -0.5 * l * x.sin()];
    let acceleration = [0.4, 0.2, -0.3];
    let state = State {
        t,
        q: [&[cosine, 0.0, sine, 0.0], &centre[..]].concat(),
        v: vec![0.0, omega, 0.0, 0.3, 0.0, -0.2],
        vdot: [&[0.0, omega_dot, 0.0], &acceleration[..]].concat(),
        lambda: vec![0.0; built.system.n_lambda()],
        memory: vec![0.0; built.system.n_memory()],
        ..State::default()
    };
    let about_y = |a: f64| vec![0.0, a, 0.0, 0.0, 0.0, 0.0];
    let residual_by = |name: &str| {
        let derivative = family.derivative(name, Formulation::R3SO3).unwrap();
        assert!(derivative.is_dual(), "{name}");
        by_parameter(&derivative, &state.at())
    };
    let residual = |name: &str| residual_by(name)[..6].to_vec();
    // r = (J omega' + k x + c omega - motor cos(k t), m (a - g)).
    let by_mass = [0.0, l * l / 12.0 * omega_dot, 0.0, 0.4, 0.2, -0.3 + g];
    agree("mass", &residual("m"), &by_mass, 1e-12);
    agree("length", &residual("l"), &about_y(m * l / 6.0 * omega_dot), 1e-12);
    agree("gravity", &residual("g"), &[0.0, 0.0, 0.0, 0.0, 0.0, m], 1e-12);
    let by_k = x + motor * t * (k * t).sin();
    agree("stiffness", &residual("k"), &about_y(by_k), 1e-12);
    agree("damping", &residual("c"), &about_y(omega), 1e-11);
    agree("motor", &residual("motor"), &about_y(-(k * t).cos()), 1e-12);
    // The radius is an expression of the length until it is set.
    agree("radius", &residual("r"), &[0.0; 6], 1e-12);
    let start = family.derivative("l", Formulation::R3SO3).unwrap();
    agree("start", start.start().0, &[0.0, 0.0, 0.0, 0.5, 0.0, 0.0], 1e-12);
    // The end of the rod leaves the hinge when the rod gets longer: Phi of its point is R (-l/2, 0, 0).
    let phi: f64 = residual_by("l")[6..6 + state.lambda.len()].iter().map(|x| x * x).sum();
    assert!((phi.sqrt() - 0.5).abs() < 1e-12, "{}", phi.sqrt());
    let longer = family.with("l", 2.0).unwrap();
    assert!((longer.parameters()["r"] - 0.2).abs() < 1e-15);
    let BodyOf { mass, position } = body(&longer);
    assert_eq!((mass, position), (0.2, 1.0));
}

struct BodyOf {
    mass: f64,
    position: f64,
}

fn body(family: &Family) -> BodyOf {
    let model = family.model().unwrap();
    BodyOf { mass: model.bodies[0].mass, position: model.bodies[0].position.x }
}

/// Every parameter of every model: the derivative is that of extrapolated differences of rebuilt systems.
#[test]
fn of_every_model_with_parameters() {
    let mut checked = [0, 0];
    for path in model_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        // Importers are features, which these tests may be built without.
        if text.contains(".urdf") || text.contains(".xml") {
            continue;
        }
        let loaded: Loaded = load(&path, &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let family = loaded.family().unwrap();
        let formulation = loaded.settings.formulation;
        let Ok(built) = family.build(formulation) else { continue };
        if built.v.len() > 150 {
            continue;
        }
        let state = some_state(&built, 5);
        for (name, value) in family.parameters() {
            let what = format!("{path}, {name}");
            // Numbers of copies have no derivative.
            let found = match family.derivative(name, formulation) {
                Ok(found) => found,
                Err(e) => {
                    println!("{what}: {e}");
                    continue;
                }
            };
            let scale = if *value == 0.0 { 0.1 } else { 0.3 * value.abs() };
            let rebuilt = |tau: f64| {
                let family = family.with(name, value + scale * tau).ok()?;
                let system = family.build(formulation).ok()?.system;
                Some(in_one_list(&state.at(), |out| system.equations(&state.at(), out)))
            };
            if rebuilt(0.05).is_none() || rebuilt(-0.05).is_none() {
                println!("{what}: at a bound");
                continue;
            }
            let expected = derivative(|tau| rebuilt(tau).unwrap());
            let mut exact = by_parameter(&found, &state.at());
            exact.iter_mut().for_each(|x| *x *= scale);
            // Differences have the rounding errors of the equations, whose forces are large in stiff beams.
            let here = in_one_list(&state.at(), |out| built.system.equations(&state.at(), out));
            let size = |list: &[f64]| list.iter().fold(1.0, |m, x| larger(m, x.abs()));
            // Without dual numbers both are quotients of rebuilt systems.
            let tolerance = if found.is_dual() { 1e-10 } else { 1e-7 };
            agree(&what, &exact, &expected, tolerance * larger(1.0, size(&here) / size(&expected)));
            checked[usize::from(found.is_dual())] += 1;
        }
    }
    println!("{} parameters by dual numbers, {} by rebuilt systems", checked[1], checked[0]);
    assert!(checked[1] >= 40 && checked[0] >= 10, "{checked:?}");
}

fn model_files() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(model_path("x")).parent().unwrap().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                files.push(path.display().to_string());
            }
        }
    }
    files.sort();
    files
}

/// Dual numbers and rebuilt systems agree in all formulations: the same forces in other coordinates.
#[test]
fn in_all_formulations() {
    let family = load_text(PENDULUM).family().unwrap();
    for formulation in [
        Formulation::R3SO3,
        Formulation::SE3,
        Formulation::EulerParameters,
        Formulation::TaitBryan,
        Formulation::Directors,
    ] {
        let built = family.build(formulation).unwrap();
        let state = some_state(&built, 9);
        for name in ["m", "l", "g", "k", "motor"] {
            let value = family.parameters()[name];
            let found = family.derivative(name, formulation).unwrap();
            assert_eq!(found.is_dual(), matches!(formulation, Formulation::R3SO3 | Formulation::SE3));
            let expected = derivative(|tau| {
                let system =
                    family.with(name, value * (1.0 + 0.3 * tau)).unwrap().build(formulation).unwrap().system;
                in_one_list(&state.at(), |out| system.equations(&state.at(), out))
            });
            let exact: Vec<f64> = by_parameter(&found, &state.at()).iter().map(|x| 0.3 * value * x).collect();
            agree(&format!("{formulation}, {name}"), &exact, &expected, 1e-11);
        }
    }
}

#[test]
fn mistakes_are_named() {
    let family = load_text(PENDULUM).family().unwrap();
    let error = family.derivative("lenght", Formulation::R3SO3).unwrap_err().to_string();
    assert!(error.contains("lenght"), "{error}");
    let error = family.with("m", -1.0).unwrap().model().unwrap_err().to_string();
    assert!(error.contains("mass"), "{error}");
    let chain = load_text(
        "parameters = { n = 3 }\n[[body]]\nname = 'b{i}'\ncount = 'n'\nmass = 1\ntype = 'point'\nposition = \
         ['i', 0, 0]",
    );
    let error = chain.family().unwrap().derivative("n", Formulation::R3SO3).unwrap_err().to_string();
    assert!(error.contains("parameter 'n' has no derivative"), "{error}");
}
