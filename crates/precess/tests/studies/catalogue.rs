//! The catalogue of methods is right: with each method, a symmetric top runs in exactly the forms and
//! formulations that the catalogue names, with the order that it names.

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::methods::METHODS;
use precess::methods::MethodOptions;
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::study::Run;

fn runs(name: &str, formulation: Formulation, form: Form) -> bool {
    // Upright, with a spin and a push; symmetric about its third axis, as bs99 wants it.
    let model = Model::new("top")
        .gravity([0.0, 0.0, -9.81])
        .body(
            BodySpec::rigid("top", 15.0, [0.3, 0.3, 0.5])
                .at([0.0, 0.0, 1.0])
                .moving([0.0, -0.1, 0.0], [0.1, 0.0, 50.0]),
        )
        .joint(JointSpec::spherical("tip", ["ground", "top"], [0.0; 3]));
    let Ok(built) = build(&model, formulation) else { return false };
    let entry = METHODS.iter().find(|m| m.name == name).unwrap();
    let mut method = (entry.build)(&MethodOptions { form, ..MethodOptions::default() }).unwrap();
    let Ok(mut state) = InitialValues::new(&built.q, &built.v).consistent(&*built.system) else {
        return false;
    };
    Run::new(1e-4, 2e-3).run(&*built.system, &mut *method, &mut state, &mut ()).is_ok()
}

#[test]
fn formulations_and_forms() {
    for m in METHODS {
        for formulation in Formulation::NAMES {
            let f = str::parse::<Formulation>(formulation).unwrap();
            assert_eq!(
                runs(m.name, f, Form::StabilizedIndex2),
                m.facts.formulations.contains(&formulation),
                "{} in {formulation}",
                m.name
            );
        }
        for form in m.facts.forms {
            assert!(runs(m.name, Formulation::R3SO3, str::parse::<Form>(form).unwrap()), "{} {form}", m.name);
        }
    }
}

#[test]
fn orders() {
    for m in METHODS {
        let method = (m.build)(&MethodOptions::default()).unwrap();
        let said = m.facts.order;
        assert_eq!(method.name(), m.name);
        assert!(said.starts_with(&method.order().to_string()) || said == "k = 2..6", "{}: {said}", m.name);
    }
}
