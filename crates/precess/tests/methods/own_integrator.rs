//! The integrator of the book is right: it has order 2, keeps the constraints, and agrees with a method of
//! precess to its order.

#[allow(dead_code)]
#[path = "../../examples/own_integrator.rs"]
mod example;

use crate::common::*;
use example::bdf2;
use precess::formulation::Formulation;
use precess::integrate::Form;

#[test]
fn bdf2_has_order_2_on_the_groups() {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let bench = Bench::new(formulation);
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let runs = [5e-4, 2.5e-4, 1.25e-4].map(|h| bench.run_method(&mut bdf2(form), h));
            let late = runs.each_ref().map(|r| r.errors[1]);
            assert_order_2("q", &late.map(|e| e.q));
            assert_order("v", &late.map(|e| e.v), 1.8..=2.2);
            assert_order("lambda", &late.map(|e| e.lambda), 1.7..=2.3);
            assert!(runs.iter().all(|r| r.errors[0].phi < 1e-13));
            assert!(form == Form::Index3 || runs.iter().all(|r| r.errors[0].bv < 1e-10));
        }
    }
}

/// The first steps, where the history is made up, cost the multipliers an order and q and v nothing.
#[test]
fn multipliers_start_with_order_1() {
    let bench = Bench::new(Formulation::R3SO3);
    let errors =
        [5e-4, 2.5e-4, 1.25e-4].map(|h| bench.run_method(&mut bdf2(Form::StabilizedIndex2), h).errors[0]);
    assert_order_2("q", &errors.map(|e| e.q));
    assert_order("lambda", &errors.map(|e| e.lambda), 0.95..=1.05);
}
