//! Cost of a time step, minimum of several repeats: `cargo bench -p precess`.

use std::time::Instant;

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Integrator, MethodOptions};
use precess::mechanics::System;
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::problems::HeavyTop;

fn measure(name: &str, system: &dyn System, q: &[f64], v: &[f64], form: Form, h: f64, steps: usize) {
    let mut best = f64::INFINITY;
    let mut iterations = 0;
    for _ in 0..7 {
        let mut state = InitialValues::new(q, v).consistent(system).expect("consistent start");
        let mut method =
            MethodOptions { form, ..Default::default() }.generalized_alpha().expect("parameters");
        method.start(system, &mut state, h).expect("start");
        iterations = 0;
        let begin = Instant::now();
        for _ in 0..steps {
            iterations += method.step(system, &mut state, h).expect("step").iterations;
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let us = best * 1e6 / steps as f64;
    println!("{name:<44} {us:>10.2} us/step   {:.2} iterations", iterations as f64 / steps as f64);
}

fn chain(n: usize) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let x = i as f64;
        model = model
            .body(BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]).at([x + 0.5, 0.0, 0.0]))
            .joint(JointSpec::spherical(&format!("j{i}"), [&a, &b], [x, 0.0, 0.0]));
    }
    model
}

fn main() {
    for (name, formulation, form) in [
        ("heavy top, r3so3, index-3", Formulation::R3SO3, Form::Index3),
        ("heavy top, r3so3, stabilized index-2", Formulation::R3SO3, Form::StabilizedIndex2),
        ("heavy top, se3, index-3", Formulation::SE3, Form::Index3),
        ("heavy top, se3, stabilized index-2", Formulation::SE3, Form::StabilizedIndex2),
        ("heavy top, so3", Formulation::SO3, Form::Index3),
    ] {
        let top = HeavyTop::fast(formulation);
        measure(name, &top, &top.q_0(), &top.v_0(), form, 1e-3, 10_000);
    }
    for n in [1, 10, 100, 1000] {
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let built = build(&chain(n), Formulation::R3SO3).expect("model");
            let name = format!("chain of {n}, r3so3, {}", form.name());
            measure(&name, &*built.system, &built.q, &built.v, form, 1e-3, 20_000 / n);
        }
    }
}
