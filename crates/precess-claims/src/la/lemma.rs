//! Lemma 3.4: a constant constraint Jacobian.

use super::super::{Claim, Source, Value};
use super::LA;
use precess::Error;
use precess::integrate::{Form, InitialValues, Start};
use precess::methods::MethodOptions;
use precess::model::{self, Files};
use precess::study::Run;

/// Two masses on a plane and on a rail, with springs between them and to the ground: B is constant.
const RAILS: &str = r#"
    model = { gravity = [1, -2, -9.81] }
    [[body]]
    name = "a"
    type = "point"
    mass = 1.5
    position = [1, 0.2, 0]
    velocity = [0.4, 0.3, 0]
    [[body]]
    name = "b"
    type = "point"
    mass = 0.7
    position = [0, 1, 2]
    velocity = [0, 0, 1]
    [[joint]]
    name = "plane"
    type = "point-on-plane"
    bodies = ["ground", "a"]
    point = [1, 0.2, 0]
    axis = [0, 0, 1]
    [[joint]]
    name = "rail"
    type = "point-on-line"
    bodies = ["ground", "b"]
    point = [0, 1, 2]
    axis = [0, 0, 1]
    [[force]]
    name = "spring"
    type = "spring"
    bodies = ["a", "b"]
    point = [1, 0.2, 0]
    point2 = [0, 1, 2]
    stiffness = 40
    free_length = 1
"#;

/// Largest |B v| of a run in index-3 form, which enforces only the positions.
fn hidden() -> Result<f64, Error> {
    let loaded = model::load_with("rails.toml", RAILS, &[], Files::memory([]))?;
    let built = model::build(&loaded.model, loaded.settings.formulation)?;
    let options = MethodOptions { form: Form::Index3, start: Start::Classical, ..MethodOptions::default() };
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system)?;
    let mut method = options.generalized_alpha()?;
    let summary =
        Run::new(1e-3, 1.0).run(&*built.system, &mut method, &mut state, &mut ()).map_err(|f| f.error)?;
    Ok(summary.velocity_max)
}

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "LA-Lemma3.4",
    place: "Lemma 3.4",
    statement: "With a constant Jacobian B the index-3 integrator satisfies the hidden constraints as well: \
                largest |B v| over 1000 steps",
    expected: Value::AtMost(1e-11),
    source: Source::Theory,
    note: "Two masses on a plane and on a rail with a spring between them; on a curved constraint |B v| is \
           O(h^2).",
    measure: |_| hidden(),
    ..LA
}];
