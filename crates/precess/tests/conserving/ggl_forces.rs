//! Reactions of conserving methods: they have the order of the method, at the times of the results, in
//! multipliers, sensors and studies.

use crate::model_util::model_text as text;
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::methods::method;
use precess::model::{build, load};
use precess::study::convergence::Study;
use precess::study::parallel::Workers;
use precess::study::{Configuration, Reference, Sample, larger};

/// Every conserving method of order 2; vi-theta is option B with theta = vartheta = 1/2, vi-family has its
/// own quadratures or others.
const SECOND: [&str; 6] = [
    "em",
    "em-g",
    "vi-a",
    "vi-theta",
    "vi-family",
    "vi-family:lagrangian_quadrature=simpson,velocity_quadrature=gauss",
];

/// Orders of lambda, and of a sensor of the force of a joint, between every two step sizes.
fn orders(model: &str, joint: &str, methods: &[&str], steps: &[f64], until: f64) -> Vec<(String, f64, f64)> {
    let sensor = format!(
        "{}\n[[sensor]]\nname = \"force of {joint}\"\ntype = \"reaction-force\"\njoint = \"{joint}\"\n",
        text(model)
    );
    let methods: Vec<_> = methods.iter().map(|m| Configuration::parse(m).unwrap()).collect();
    let overrides = ["integrator.formulation=directors".to_string()];
    let study = Study::load(model, &sensor, &overrides, &methods, steps.to_vec()).unwrap().window(0.0, until);
    let reference = Reference::fine(study.model(), study.times(), Workers::default()).unwrap();
    let table = study.run(&reference, Workers::default());
    let force = table.quantities.iter().position(|q| q.starts_with("force of")).unwrap();
    let rows = table.rows.iter().filter(|r| !r.orders.is_empty());
    let list: Vec<_> = rows
        .map(|r| (table.methods[r.method].clone(), r.orders[2].unwrap(), r.orders[force].unwrap()))
        .collect();
    assert_eq!(list.len(), methods.len() * (steps.len() - 1), "{}", table.text());
    list
}

#[track_caller]
fn demand(list: Vec<(String, f64, f64)>, order: f64) {
    for (method, lambda, sensor) in list {
        for p in [lambda, sensor] {
            assert!((p - order).abs() <= 0.1, "{method}: orders {lambda} and {sensor}");
        }
    }
}

#[test]
fn reactions_of_a_double_pendulum_have_order_2() {
    demand(orders("double_pendulum", "elbow", &SECOND, &[2e-3, 1e-3, 5e-4, 2.5e-4], 0.5), 2.0);
}

#[test]
fn reactions_of_a_top_have_order_2() {
    demand(orders("heavy_top_slow", "tip", &SECOND, &[2e-3, 1e-3, 5e-4], 0.5), 2.0);
}

/// The paper has order 1 for both as well (its Figs. 18 and 19): vi-s begins with the symplectic Euler
/// method, vi-b evaluates forces at the new node.
#[test]
fn reactions_of_methods_of_order_1_have_order_1() {
    demand(orders("double_pendulum", "elbow", &["vi-s", "vi-b"], &[1e-3, 5e-4, 2.5e-4], 0.5), 1.0);
}

/// Newton's law at the end of every step: M v' + DV + G^T lambda = 0 and the second derivative of the
/// constraints.
#[test]
fn forces_and_accelerations_belong_to_the_time_of_the_state() {
    for (model, name) in
        [("double_pendulum", "em"), ("heavy_top_slow", "vi-a"), ("spherical_pendulum", "vi-b")]
    {
        let overrides = [format!("integrator.method={name}"), "integrator.formulation=directors".to_string()];
        let loaded = load(model, &text(model), &overrides).unwrap();
        let built = build(&loaded.model, loaded.settings.formulation).unwrap();
        let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let mut integrator = method(name, &loaded.settings.options).unwrap();
        let mut run = loaded.settings.run();
        (run.h, run.t_end) = (0.01, 0.2);
        let mut seen = 0;
        let mut look = |sample: &Sample| {
            let at = sample.state.at();
            let (mut r, mut rows) = (vec![0.0; at.v.len()], vec![0.0; at.lambda.len()]);
            sample.system.residual(&at, &mut r);
            sample.system.acceleration_constraint(&at, &mut rows);
            let largest = |x: &[f64]| x.iter().fold(0.0, |m, x| larger(m, x.abs()));
            assert!(largest(&r) < 1e-10 * largest(at.lambda), "{model}: {:e}", largest(&r));
            assert!(largest(&rows) < 1e-10 * largest(at.vdot), "{model}: {:e}", largest(&rows));
            seen += 1;
        };
        run.run(&*built.system, &mut *integrator, &mut state, &mut look).unwrap();
        assert_eq!(seen, 21);
    }
}

/// The paper's pendulum, for example VI-B: H deviates by 0.680 J and E by 0.799 J (independent prototype),
/// and nothing else is called energy. The velocity of VI-S belongs to the beginning of its steps.
#[test]
fn energies_of_variational_integrators_are_those_of_the_paper() {
    for (name, h, e) in [("vi-s", 0.6978, 1.123), ("vi-a", 0.09791, 0.2229), ("vi-b", 0.6802, 0.7986)] {
        let overrides = [format!("integrator.method={name}"), "run.step=0.05".to_string()];
        let loaded = load("spherical_pendulum", &text("spherical_pendulum"), &overrides).unwrap();
        let built = build(&loaded.model, loaded.settings.formulation).unwrap();
        let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let mut integrator = method(name, &loaded.settings.options).unwrap();
        let run = loaded.settings.run();
        let summary = run.run(&*built.system, &mut *integrator, &mut state, &mut ()).unwrap();
        let found = [summary.energy_drift.unwrap(), summary.energy_function_drift.unwrap()];
        assert!((found[0] / h - 1.0).abs() < 1e-3 && (found[1] / e - 1.0).abs() < 1e-3, "{name}: {found:?}");
        assert!((summary.energy_initial.unwrap() - 0.5).abs() < 1e-15);
    }
}

/// A pendulum at rest: the first velocity of vi-b is zero, and its relative error is finite.
#[test]
fn errors_of_what_starts_at_rest_are_numbers() {
    let text = text("spherical_pendulum").replace("velocity = [0, 1, 0]", "velocity = [0, 0, 0]");
    let methods = [Configuration::parse("vi-b").unwrap()];
    let study = Study::load("rest", &text, &[], &methods, vec![2e-3, 1e-3, 5e-4]).unwrap().window(0.0, 0.3);
    let reference = Reference::fine(study.model(), study.times(), Workers::default()).unwrap();
    let table = study.run(&reference, Workers::default());
    for row in &table.rows {
        let errors = row.errors.as_ref().unwrap();
        assert!(errors[1].unwrap() < 0.1 && errors[2].unwrap() < 0.1, "{errors:?}");
        assert!(row.orders.is_empty() || (row.orders[1].unwrap() - 1.0).abs() < 0.1, "{:?}", row.orders);
    }
}

/// A reaction is that on the second body, also where this is the ground.
#[test]
fn joints_to_the_ground_have_the_same_reactions_as_on_r3so3() {
    for kind in ["revolute", "prismatic", "cylindrical", "spherical", "fixed"] {
        for bodies in [["ground", "rod"], ["rod", "ground"]] {
            let axis = if ["spherical", "fixed"].contains(&kind) { "" } else { "axis = [0.2, 1, 0.1]" };
            let text = format!(
                "model = {{ name = \"rod\", gravity = [0, 0, -9.81] }}\n\
                 body = [{{ name = \"rod\", mass = 2, inertia = [0.1, 0.2, 0.15], position = [0.5, 0.3, 0] \
                 }}]\n\
                 [[joint]]\nname = \"held\"\ntype = \"{kind}\"\nbodies = {bodies:?}\npoint = [0.1, 0, \
                 0.2]\n{axis}\n"
            );
            let [on_group, in_directors] = [Formulation::R3SO3, Formulation::Directors].map(|formulation| {
                let loaded = load("rod.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
                let built = build(&loaded.model, formulation).unwrap();
                let start = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
                built.system.reactions(&start.at()).remove(0)
            });
            assert!(on_group.force.norm() > 1.0, "{kind}: {on_group:?}");
            let apart =
                (on_group.force - in_directors.force).norm() + (on_group.torque - in_directors.torque).norm();
            assert!(apart < 1e-10, "{kind} {bodies:?}: {on_group:?} and {in_directors:?}");
        }
    }
}

/// Fig. 30 of the paper: the multiplier with which EM enforces the constraints belongs to the middle of the
/// step, so it has order 1 at its end, where that of the results has order 2. gamma has order 2, as EM.
#[test]
fn multipliers_of_steps_in_studies() {
    let methods = [Configuration::parse("em").unwrap()];
    let steps = vec![1e-3, 5e-4, 2.5e-4];
    let study = Study::load("four_particles", &text("four_particles"), &[], &methods, steps).unwrap();
    let study = study.window(0.0, 0.1);
    let reference = Reference::fine(study.model(), study.times(), Workers::default()).unwrap();
    let table = study.run(&reference, Workers::default());
    for (name, order) in [("lambda", 2.0), ("step_lambda", 1.0), ("step_gamma", 2.0)] {
        let i = table.quantities.iter().position(|q| q == name).unwrap();
        for row in table.rows.iter().filter(|r| !r.orders.is_empty()) {
            let p = row.orders[i].unwrap();
            assert!((p - order).abs() < 0.1, "{name}: {p}\n{}", table.text());
        }
    }
}
