//! Options of methods that model files can set: the Cayley map, given starting values, norms of projections,
//! quadratures of the family (62).

use precess::integrate::{InitialValues, Norm, project_position_in, project_velocity_in};
use precess::mechanics::State;
use precess::model::{self, Files, Loaded};
use precess::study::execute::{self, Outcome};
use precess::study::results::Output;

fn top(set: &[&str]) -> Result<Loaded, String> {
    let path = format!("{}/../../models/heavy_top.toml", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    model::load(&path, &std::fs::read_to_string(&path).unwrap(), &set).map_err(|e| e.to_string())
}

fn run(loaded: &Loaded) -> Result<Outcome, precess::Error> {
    let built = model::build(&loaded.model, loaded.settings.formulation)?;
    execute::run(loaded, &built, &mut |_| true)
}

/// Centre of mass and reaction at the end.
fn end(set: &[&str]) -> [f64; 6] {
    let loaded = top(set).unwrap_or_else(|e| panic!("{set:?}: {e}"));
    let outcome = run(&loaded).unwrap_or_else(|e| panic!("{set:?}: {e}"));
    assert!(outcome.error.is_none(), "{set:?}: {:?}", outcome.error);
    let built = model::build(&loaded.model, loaded.settings.formulation).unwrap();
    let at = outcome.state.at();
    let (x, f) = (built.system.bodies(&at)[0].position, built.system.reactions(&at)[0].force);
    [x.x, x.y, x.z, f.x, f.y, f.z]
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Positions and forces with the Cayley map have order 2, with errors of another size than those of the
/// exponential map.
#[test]
fn the_cayley_map_keeps_order_2() {
    let until = "run.until=0.2";
    let exact = end(&["integrator.tol=1e-10", until]);
    for method in [
        &["integrator.method=gen-alpha", "integrator.form=index3", "integrator.start=table2"][..],
        &["integrator.method=gen-alpha", "integrator.form=stabilized-index2", "integrator.start=table1"],
        &["integrator.method=gen-alpha", "integrator.form=index2", "integrator.start=table1"],
        &["integrator.method=bliedf", "integrator.k=2", "integrator.form=index3"],
        &["integrator.method=bliedf", "integrator.k=2", "integrator.form=stabilized-index2"],
    ] {
        let with = |map: &str, h: &str| {
            let (map, h) = (format!("integrator.map={map}"), format!("run.step={h}"));
            end(&[method, &[&map, &h, until]].concat())
        };
        let [coarse, fine] = ["2.5e-4", "1.25e-4"].map(|h| with("cayley", h));
        for (what, part) in [("position", 0..3), ("force", 3..6)] {
            let e = [&coarse, &fine].map(|x| distance(&x[part.clone()], &exact[part.clone()]));
            let order = (e[0] / e[1]).log2();
            assert!((1.85..2.15).contains(&order), "{method:?} {what}: {order} {e:?}");
        }
        let other = with("exponential", "1.25e-4");
        let (a, b) = (distance(&fine[..3], &exact[..3]), distance(&other[..3], &exact[..3]));
        assert!((a / b - 1.0).abs() > 0.02, "{method:?}: {a} {b}");
    }
}

/// Where it is not defined it is refused, and the message says why.
#[test]
fn the_cayley_map_is_refused_by_name() {
    let cayley = "integrator.map=cayley";
    for (set, part) in [
        (
            &[cayley, "integrator.method=bliedf", "run.step=1e-3", "integrator.k=3"][..],
            "k = 2 with the Cayley map",
        ),
        (&[cayley, "integrator.method=gen-alpha", "integrator.tol=1e-6", "run.step=off"], "fixed steps"),
        (&[cayley, "integrator.method=gen-alpha", "run.step=1e-3", "integrator.sigma=1"], "sigma"),
        (&["integrator.map=caley", "run.step=1e-3"], "did you mean 'cayley'"),
    ] {
        let error = top(set).err().unwrap_or_else(|| panic!("{set:?}"));
        assert!(error.contains(part), "{set:?}: {error}");
    }
    let se3 =
        top(&[cayley, "integrator.method=gen-alpha", "run.step=1e-3", "integrator.formulation=se3"]).unwrap();
    assert!(run(&se3).err().unwrap().to_string().contains("SE(3)"));
}

/// BLieDF starts from the states of a file, and says what is missing in it.
#[test]
fn starting_values_come_from_a_file() {
    let folder = std::env::temp_dir().join(format!("precess-history-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model =
        std::fs::read_to_string(format!("{}/../../models/heavy_top.toml", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let path = folder.join("top.toml").display().to_string();
    let load = |set: &[&str]| {
        let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
        model::load_with(&path, &model, &set, Files::next_to(&path))
            .unwrap_or_else(|e| panic!("{set:?}: {e}"))
    };
    let fine = run(&load(&["integrator.tol=1e-11", "run.until=0.01", "output.every=0.5ms"])).unwrap();
    Output::create(folder.join("fine.csv")).unwrap().finish(&fine.results).unwrap();
    let bliedf = [
        "integrator.method=bliedf",
        "integrator.k=3",
        "run.step=5e-4",
        "run.until=0.05",
        "integrator.form=stabilized-index2",
    ];
    let from = |set: &[&str]| run(&load(&[&bliedf[..], set].concat()));
    let computed = from(&[]).unwrap().state;
    let given = from(&["integrator.history=fine.csv"]).unwrap().state;
    let apart = distance(&computed.q, &given.q);
    // The starting values of bliedf have an order to spare: both runs are the same method from nearly the
    // same values.
    assert!(apart > 0.0 && apart < 1e-6, "{apart}");
    // Steps of the start are those of the file.
    let first = from(&["integrator.history=fine.csv", "run.until=1e-3"]).unwrap();
    let row = fine.results.t().iter().position(|t| (t - 1e-3).abs() < 1e-9).unwrap();
    assert!(distance(&first.state.q, fine.results.column("q").unwrap().row(row)) < 1e-15);
    let missing = from(&["integrator.history=fine.csv", "run.step=4e-4"]).err().unwrap().to_string();
    assert!(missing.contains("no row at t"), "{missing}");
    let other = from(&["integrator.history=fine.csv", "integrator.formulation=euler-parameters"]);
    assert!(other.err().unwrap().to_string().contains("entries"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Two masses on a rigid bar: the mass norm keeps the momentum, the Euclidean one moves both alike.
#[test]
fn norms_of_projections() {
    let text = r#"
        [[body]]
        name = "light"
        type = "point"
        mass = 1
        position = [0, 0, 0]
        [[body]]
        name = "heavy"
        type = "point"
        mass = 3
        position = [2, 0, 0]
        [[joint]]
        name = "bar"
        type = "rigid-distance"
        bodies = ["light", "heavy"]
        point = [0, 0, 0]
        point2 = [2, 0, 0]
    "#;
    let loaded = model::load("bar.toml", text, &[]).unwrap();
    let built = model::build(&loaded.model, loaded.settings.formulation).unwrap();
    let system = &*built.system;
    let start = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    for (norm, velocity, expected) in
        [(Norm::Mass, [0.25; 2], [-0.3, 1.7]), (Norm::Euclidean, [0.5; 2], [-0.2, 1.8])]
    {
        let mut state = State { v: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..start.clone() };
        project_velocity_in(norm, system, &mut state).unwrap();
        assert!(distance(&[state.v[0], state.v[3]], &velocity) < 1e-14, "{norm:?}: {:?}", state.v);
        // The bar is 0.4 m too short: 3/4 and 1/4, or a half each.
        let mut state = State { q: vec![0.0, 0.0, 0.0, 1.6, 0.0, 0.0], ..start.clone() };
        project_position_in(norm, system, &mut state).unwrap();
        assert!(distance(&[state.q[0], state.q[3]], &expected) < 1e-12, "{norm:?}: {:?}", state.q);
    }
}

/// Members of the family (62) by name and by pairs; those whose errors grow are refused unless they are asked
/// for.
#[test]
fn quadratures_of_the_family() {
    let family = [
        "integrator.method=vi-family",
        "integrator.formulation=directors",
        "run.step=1e-3",
        "run.until=0.05",
    ];
    let with = |set: &[&str]| top(&[&family[..], set].concat());
    let a = end(&[&family[..], &["integrator.position_quadrature=midpoint"]].concat());
    let mut set = family.to_vec();
    set[0] = "integrator.method=vi-a";
    assert!(distance(&a[..3], &end(&set)[..3]) < 1e-10);
    let b = end(&[&family[..], &["integrator.position_quadrature=[[0.5,0],[0.5,1]]"]].concat());
    set[0] = "integrator.method=vi-theta";
    assert!(distance(&b[..3], &end(&set)[..3]) < 1e-10);
    for (q, part) in [
        ("[[1,0.7]]", "errors grow in every step"),
        ("[[1,1]]", "before the end"),
        ("[[1,0]]", "after the beginning"),
        ("[[0.5,0],[0.6,1]]", "sum up to 1"),
        ("[[1,1.5]]", "between 0"),
        ("middle", "quadrature"),
    ] {
        let error =
            with(&[&format!("integrator.position_quadrature={q}")]).err().unwrap_or_else(|| panic!("{q}"));
        assert!(error.contains(part), "{q}: {error}");
    }
    assert!(with(&["integrator.position_quadrature=[[1,0.7]]", "integrator.allow_unstable=true"]).is_ok());
}
