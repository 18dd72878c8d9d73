//! The shipped benchmark models against independently computed reference values.

use crate::model_util::*;
use precess::formulation::Formulation;
use precess::integrate::{Eta, Form, InitialValues};
use precess::lie::Largest;
use precess::methods::MethodOptions;
use precess::model::build;

/// Time, slider position and crank angle of variant B from the one-degree-of-freedom energy equation.
const SLIDER_CRANK_B: [[f64; 3]; 5] = [
    [0.5, 0.18495262978, 5.5837625533],
    [1.0, 0.21172166139, 10.9135907299],
    [2.0, 0.28908519707, 21.0727445228],
    [3.0, 0.22848481370, 32.0083277558],
    [5.0, 0.24071957373, 54.3333321683],
];

/// Errors of slider position and crank angle against the table, over 5 s.
fn slider_crank_errors(eta: Eta, h: f64) -> [f64; 2] {
    let loaded = load_model("slider_crank", &[]);
    let mut s = start(&loaded, Formulation::R3SO3);
    let mut rows = SLIDER_CRANK_B.iter().peekable();
    let mut worst = [0.0_f64; 2];
    let options = MethodOptions { eta, ..options(Form::StabilizedIndex2) };
    s.run(&options, h, 5.0, |system, sample| {
        let at = sample.state.at();
        if rows.peek().is_some_and(|r| (r[0] - at.t).abs() < 1e-9) {
            let r = rows.next().unwrap();
            let values = system.sensors(&at);
            let of = |name: &str| values.iter().find(|(n, _)| n == name).unwrap().1[0];
            worst[0] = precess::study::larger(worst[0], (of("slider") - r[1]).abs());
            worst[1] = precess::study::larger(worst[1], (of("crank angle") - r[2]).abs());
        }
    });
    assert!(rows.next().is_none());
    println!("slider crank B, eta {eta:?}, h = {h}: x {:.3e} m, angle {:.3e} rad", worst[0], worst[1]);
    worst
}

/// At h = 1e-4 the direction B^T eta of the paper meets 2e-6 m and 5e-5 rad.
#[test]
fn slider_crank_b_follows_the_reference() {
    let e0 = start(&load_model("slider_crank", &[]), Formulation::R3SO3).sensor("energy")[0];
    assert!((e0 - 0.76643568).abs() < 5e-9, "E(0) = {e0}");
    let [x, angle] = slider_crank_errors(Eta::Paper, 1e-4);
    assert!(x < 2e-6 && angle < 5e-5, "{x} {angle}");
}

/// M^-1 B^T eta has about three times the error, of second order.
#[test]
fn slider_crank_b_is_of_second_order_with_the_mass_weighted_stabilisation() {
    let coarse = slider_crank_errors(Eta::Mass, 2e-4);
    let fine = slider_crank_errors(Eta::Mass, 1e-4);
    assert!(fine[0] < 4e-6 && fine[1] < 8e-5, "{fine:?}");
    for i in 0..2 {
        let order = (coarse[i] / fine[i]).log2();
        assert!((1.9..2.1).contains(&order), "order {order}");
    }
}

#[test]
fn slider_crank_a_agrees_with_its_refined_solution_and_keeps_its_energy() {
    let loaded = load_model("slider_crank_a", &[]);
    let mut ends = Vec::new();
    let mut drifts = Vec::new();
    for h in [1e-4, 4e-5] {
        let mut s = start(&loaded, Formulation::R3SO3);
        let e0 = s.sensor("energy")[0];
        assert!((e0 - 0.766908).abs() < 1e-9, "E(0) = {e0}");
        let options = MethodOptions { eta: Eta::Paper, ..options(Form::StabilizedIndex2) };
        let summary = s.run(&options, h, 5.0, |_, _| {});
        drifts.push(summary.energy_drift.unwrap());
        ends.push([s.sensor("slider")[0], s.sensor("crank angle")[0]]);
    }
    // Second order: the refined solution is the extrapolation.
    let refined: Vec<f64> = (0..2).map(|i| ends[1][i] + (ends[1][i] - ends[0][i]) / 5.25).collect();
    println!("slider crank A at t = 5: {ends:?}, refined {refined:?}, energy {drifts:?}");
    assert!((ends[0][0] - refined[0]).abs() < 2e-6 && (ends[0][1] - refined[1]).abs() < 5e-5);
    assert!(drifts[1] < 1e-6, "{drifts:?}");
}

#[test]
fn joint_of_a_with_velocities_of_b_is_refused_and_named() {
    let text = model_text("slider_crank_a").replace("[2.4, -1.2, 0]", "[1.92, -0.96, 0.48]");
    let built = build(&load_text(&text).model, Formulation::R3SO3).unwrap();
    let error =
        InitialValues::new(&built.q, &built.v).consistent(built.system.as_ref()).unwrap_err().to_string();
    println!("{error}");
    assert!(error.contains("joint cross") && error.contains("velocities"), "{error}");
    assert!(error.contains("4.800e-1"), "{error}");
}

#[test]
fn rotor_approaches_its_reference_at_second_order() {
    let loaded = load_model("rotor", &[]);
    let x_ref = [-4.3927458914e-7, 2.67332015497e-5, 9.1717242337e-6];
    let axis_ref = [0.9999960103461, 0.0026721969198, 0.0009157813402];
    let mut errors = Vec::new();
    for h in [2e-5, 1e-5] {
        let mut s = start(&loaded, Formulation::R3SO3);
        s.run(&options(Form::Index3), h, 1.0, |_, _| {});
        let body = &s.system.bodies(&s.state.at())[0];
        let [w, x, y, z] = body.rotation;
        let axis = [w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
        errors.push([distance(body.position.as_slice(), &x_ref), distance(&axis, &axis_ref)]);
        println!(
            "rotor, h = {h}: x {:.3e}, axis {:.3e}, Omega {:?}",
            errors.last().unwrap()[0],
            errors.last().unwrap()[1],
            body.angular_velocity
        );
    }
    for i in 0..2 {
        let order = (errors[0][i] / errors[1][i]).log2();
        assert!((1.8..2.2).contains(&order), "order {order}, {errors:?}");
    }
}

#[test]
fn chain_of_ten_reaches_the_reference() {
    for (t, h, reference) in [
        (0.2, 1e-3, [9.9766968371316, 0.0, -0.1962006227445]),
        (1.0, 2.5e-4, [7.5272290155604, 0.0, -4.9062623197150]),
    ] {
        let mut s = start(&load_model("chain", &[]), Formulation::R3SO3);
        s.run(&options(Form::StabilizedIndex2), h, t, |_, _| {});
        let error = distance(&s.sensor("tip"), &reference);
        println!("chain of 10, t = {t}, h = {h}: {error:.2e}");
        assert!(error < 1e-6, "{error}");
    }
}

/// Every joint of a chain that hangs at rest carries the weight below it.
#[test]
fn hanging_chain_carries_its_weight() {
    let text = model_text("chain")
        .replace("[1e-3, \"1/12\", \"1/12\"]", "[\"1/12\", \"1/12\", 1e-3]")
        .replace("position = [\"i + 0.5\", 0, 0]", "position = [0, 0, \"-i - 0.5\"]")
        .replace("point = [\"i + 1\", 0, 0]", "point = [0, 0, \"-i - 1\"]")
        .replace("point = [\"N\", 0, 0]", "point = [0, 0, \"-N\"]");
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let mut s = start(&load_text(&text), formulation);
        s.run(&options(Form::StabilizedIndex2), 1e-3, 0.01, |_, _| {});
        for (i, reaction) in s.system.reactions(&s.state.at()).iter().enumerate() {
            let weight = 9.81 * (10 - i) as f64;
            assert!(distance(reaction.force.as_slice(), &[0.0, 0.0, weight]) < 1e-9, "{reaction:?}");
            assert!(reaction.torque.largest() < 1e-9);
        }
    }
}

/// The joint force of the heavy top is R lambda of the reference, at second order.
#[test]
#[allow(clippy::excessive_precision)]
fn heavy_top_joint_force_is_the_reference_multiplier() {
    let x = [0.17334396409838604, 0.64008859207056878, -0.74849079113358131];
    let col1 = [0.22929964080360759, -0.76534074220468094, -0.60139439891715374];
    let col3 = [0.95779619170155087, 0.06738058045687272, 0.27943928238402867];
    let lambda = [-58.274563744197373, -646.55831191452542, -409.44140886346466];
    let force: Vec<f64> =
        (0..3).map(|i| col1[i] * lambda[0] + x[i] * lambda[1] + col3[i] * lambda[2]).collect();
    // The fast spin costs SE(3) more: its translation turns with the body.
    for (formulation, bound) in [(Formulation::R3SO3, 0.1), (Formulation::SE3, 6.0)] {
        let errors: Vec<f64> = [5e-4, 2.5e-4]
            .iter()
            .map(|&h| {
                let mut s = start(&load_model("heavy_top", &[]), formulation);
                s.run(&options(Form::StabilizedIndex2), h, 1.0, |_, _| {});
                distance(s.system.reactions(&s.state.at())[0].force.as_slice(), &force)
            })
            .collect();
        let order = (errors[0] / errors[1]).log2();
        println!("heavy top joint force, {formulation:?}: {errors:?}, order {order:.2}");
        assert!((1.9..2.1).contains(&order) && errors[1] < bound, "{errors:?}");
    }
}
