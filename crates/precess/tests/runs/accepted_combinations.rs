//! No accepted combination of method, form and parameters ends as a success with an energy error above the
//! energy that was exchanged.

use precess::integrate::InitialValues;
use precess::methods::method;
use precess::model::{build, load};

const MODELS: [(&str, f64); 3] =
    [("spherical_pendulum", 2.0), ("double_pendulum", 1.0), ("heavy_top_slow", 1.0)];

/// The name of an option in a file: those of the method have no table in front of them here.
fn full(word: &str) -> String {
    if word.starts_with("run.") { word.to_string() } else { format!("integrator.{word}") }
}

/// Options of the methods, as they are written in a file.
fn combinations() -> Vec<Vec<String>> {
    let mut list = Vec::new();
    let mut add = |words: &[String]| list.push(words.iter().map(|w| full(w)).collect::<Vec<_>>());
    for theta in [0.0, 0.2, 0.45, 0.5, 0.55, 0.8, 1.0] {
        for allow in ["true", "false"] {
            let words = ["method=vi-theta", "formulation=directors", "variant=a"].map(String::from);
            let more = [format!("theta={theta}"), format!("allow_unstable={allow}")];
            add(&[&words[..], &more].concat());
        }
        for vartheta in [0.0, 0.3, 0.5, 0.55, 0.7, 0.9, 1.0] {
            let words = ["method=vi-theta", "formulation=directors", "variant=b"].map(String::from);
            add(&[&words[..], &[format!("theta={theta}"), format!("vartheta={vartheta}")]].concat());
        }
    }
    for name in ["em", "em-g", "vi-s", "vi-a", "vi-b"] {
        for guess in ["simple", "advanced"] {
            add(&[format!("method={name}"), "formulation=directors".into(), format!("guess={guess}")]);
        }
    }
    for position in ["midpoint", "trapezoidal", "simpson", "gauss", "[[1, 0.3]]", "[[1, 1]]"] {
        for lagrangian in ["midpoint", "trapezoidal", "[[1, 0.2]]"] {
            let words = ["method=vi-family", "formulation=directors"].map(String::from);
            let quote = |q: &str| if q.starts_with('[') { q.to_string() } else { format!("\"{q}\"") };
            let given = [
                format!("position_quadrature={}", quote(position)),
                format!("lagrangian_quadrature={}", quote(lagrangian)),
            ];
            add(&[&words[..], &given].concat());
            add(&[&words[..], &given, &["allow_unstable=true".to_string()]].concat());
        }
    }
    for variant in ["published", "printed"] {
        let words = ["method=gen-alpha", "form=index3", "sigma=1"].map(String::from);
        add(&[&words[..], &[format!("sigma_variant={variant}")]].concat());
    }
    for project in ["true", "\"position\"", "\"velocity\""] {
        for norm in ["mass", "euclidean"] {
            for form in ["index3", "index2", "index1"] {
                let words = ["method=gen-alpha".to_string(), format!("form={form}")];
                let given =
                    [format!("run.project_every_step={project}"), format!("run.projection_norm={norm}")];
                add(&[&words[..], &given].concat());
            }
        }
    }
    for start in ["classical", "table1", "table2"] {
        for s in [0.1, 1.0] {
            let words = ["method=gen-alpha".to_string(), "form=index3".into(), format!("start={start}")];
            add(&[&words[..], &[format!("start_s={s}")]].concat());
        }
    }
    for modified in [true, false] {
        add(&["method=bliedf".into(), "form=index3".into(), format!("modified_start={modified}")]);
    }
    for (name, more) in [("gen-alpha", "rho=0.8"), ("bliedf", "k=2"), ("bliedf", "k=3")] {
        for formulation in ["r3so3", "se3"] {
            let words = [format!("formulation={formulation}"), "map=cayley".into(), more.into()];
            add(&[&[format!("method={name}")], &words[..]].concat());
        }
    }
    for formulation in ["r3so3", "se3", "directors", "euler-parameters", "tait-bryan"] {
        for form in ["index3", "stabilized-index2", "index2", "index1"] {
            for rho in [0.0, 1.0] {
                for sigma in ["0", "1"] {
                    let words = [format!("form={form}"), format!("rho={rho}"), format!("sigma={sigma}")];
                    add(&[&["method=gen-alpha".into(), format!("formulation={formulation}")], &words[..]]
                        .concat());
                }
            }
            for k in [2, 6] {
                let words = [format!("form={form}"), format!("k={k}")];
                add(&[&["method=bliedf".into(), format!("formulation={formulation}")], &words[..]].concat());
            }
        }
    }
    list
}

#[test]
fn what_ends_well_has_an_energy() {
    let (mut accepted, mut succeeded, mut refused) = (0, 0, 0);
    for (model, until) in MODELS {
        let text = crate::model_util::model_text(model);
        for words in combinations() {
            for h in [0.1, 0.02] {
                let run =
                    [format!("run.step={h}"), format!("run.until={until}"), "integrator.tol=off".to_string()];
                let Ok(loaded) = load(model, &text, &[&words[..], &run].concat()) else {
                    refused += 1;
                    continue;
                };
                accepted += 1;
                let s = &loaded.settings;
                let Ok(built) = build(&loaded.model, s.formulation) else { continue };
                let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
                let Ok(mut integrator) = method(&s.method, &s.options) else { continue };
                let Ok(summary) = s.run().run(&*built.system, &mut *integrator, &mut state, &mut ()) else {
                    continue;
                };
                // Runs that end with exit code 0 on the command line.
                if summary.trust.wrong().is_some() {
                    continue;
                }
                succeeded += 1;
                let (drift, exchanged) = (summary.energy_drift.unwrap(), summary.trust.exchanged.unwrap());
                assert!(drift <= exchanged, "{model} {words:?} h = {h}: {drift:e} J of {exchanged:e} J");
            }
        }
    }
    assert!(accepted > 500 && succeeded > 300 && refused > 50, "{accepted} {succeeded} {refused}");
}
