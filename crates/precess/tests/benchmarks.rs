//! The shipped benchmark models against independently computed reference values.

mod model_util;

use model_util::*;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::model::build;

/// Time, slider position and crank angle of variant B from the one-degree-of-freedom energy equation.
const SLIDER_CRANK_B: [[f64; 3]; 5] = [
    [0.5, 0.18495262978, 5.5837625533],
    [1.0, 0.21172166139, 10.9135907299],
    [2.0, 0.28908519707, 21.0727445228],
    [3.0, 0.22848481370, 32.0083277558],
    [5.0, 0.24071957373, 54.3333321683],
];

#[test]
fn slider_crank_b_follows_the_reference() {
    let loaded = load_model("slider_crank", &[]);
    let mut s = start(&loaded, Formulation::R3SO3);
    let e0 = s.sensor("energy")[0];
    assert!((e0 - 0.76643568).abs() < 5e-9, "E(0) = {e0}");
    let mut rows = SLIDER_CRANK_B.iter().peekable();
    let mut worst = [0.0_f64; 2];
    let summary = s.run(&options(Form::StabilizedIndex2), 1e-4, 5.0, |system, sample| {
        let at = sample.state.at();
        if rows.peek().is_some_and(|r| (r[0] - at.t).abs() < 1e-9) {
            let r = rows.next().unwrap();
            let values = system.sensors(&at);
            let of = |name: &str| values.iter().find(|(n, _)| n == name).unwrap().1[0];
            worst[0] = worst[0].max((of("slider") - r[1]).abs());
            worst[1] = worst[1].max((of("crank angle") - r[2]).abs());
        }
    });
    println!("slider crank B: x {:.2e} m, angle {:.2e} rad, energy {:?}", worst[0], worst[1], summary.energy_drift);
    assert!(rows.next().is_none());
    assert!(worst[0] < 2e-6 && worst[1] < 5e-5, "{worst:?}");
}

#[test]
fn slider_crank_a_agrees_with_its_refined_solution_and_keeps_its_energy() {
    let loaded = load_model("slider_crank_a", &[]);
    let mut ends = Vec::new();
    for h in [1e-4, 5e-5] {
        let mut s = start(&loaded, Formulation::R3SO3);
        let e0 = s.sensor("energy")[0];
        assert!((e0 - 0.766908).abs() < 1e-9, "E(0) = {e0}");
        let summary = s.run(&options(Form::StabilizedIndex2), h, 5.0, |_, _| {});
        println!("slider crank A, h = {h}: energy drift {:?}", summary.energy_drift);
        assert!(summary.energy_drift.unwrap() < 1e-6);
        ends.push([s.sensor("slider")[0], s.sensor("crank angle")[0]]);
    }
    // Second order: the refined solution is the extrapolation.
    let refined: Vec<f64> = (0..2).map(|i| ends[1][i] + (ends[1][i] - ends[0][i]) / 3.0).collect();
    println!("slider crank A at t = 5: {ends:?}, refined {refined:?}");
    assert!((ends[0][0] - refined[0]).abs() < 2e-6 && (ends[0][1] - refined[1]).abs() < 5e-5);
}

#[test]
fn joint_of_a_with_velocities_of_b_is_refused_and_named() {
    let text = model_text("slider_crank_a").replace("[2.4, -1.2, 0]", "[1.92, -0.96, 0.48]");
    let built = build(&load_text(&text).model, Formulation::R3SO3).unwrap();
    let error = InitialValues::new(&built.q, &built.v).consistent(built.system.as_ref()).unwrap_err().to_string();
    println!("{error}");
    assert!(error.contains("joint cross") && error.contains("velocities"), "{error}");
    assert!(error.contains("5.367e-1") || error.contains("4.8") || error.contains("5.0"), "{error}");
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
        println!("rotor, h = {h}: x {:.3e}, axis {:.3e}, Omega {:?}", errors.last().unwrap()[0], errors.last().unwrap()[1], body.angular_velocity);
    }
    for i in 0..2 {
        let order = (errors[0][i] / errors[1][i]).log2();
        assert!((1.8..2.2).contains(&order), "order {order}, {errors:?}");
    }
}

#[test]
fn chain_of_ten_reaches_the_reference() {
    for (t, reference) in [
        (0.2, [9.9766968371316, 0.0, -0.1962006227445]),
        (1.0, [7.5272290155604, 0.0, -4.9062623197150]),
    ] {
        let loaded = load_model("chain", &[]);
        let mut tips = Vec::new();
        for h in [1e-3, 5e-4] {
            let mut s = start(&loaded, Formulation::R3SO3);
            s.run(&options(Form::StabilizedIndex2), h, t, |_, _| {});
            tips.push(s.sensor("tip"));
        }
        let errors: Vec<f64> = tips.iter().map(|x| distance(x, &reference)).collect();
        println!("chain, t = {t}: {errors:?}");
    }
}
