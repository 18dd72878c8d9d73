//! The example `own_system` is right: order 2, constant energy, constraints kept, virtual work consistent
//! with Phi.

#[allow(dead_code)]
#[path = "../../examples/own_system.rs"]
mod example;

use crate::common::*;
use example::Plate;
use precess::integrate::{Form, InitialValues, Start};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System};
use precess::study::{Run, Sample, Summary};

const Q_0: [f64; 7] = [1.0, 0.0, 0.0, 0.0, 0.8, -0.2, -0.1];

fn run(plate: &Plate, form: Form, h: f64) -> (State, Summary) {
    let mut state = InitialValues::new(&Q_0, &[0.0; 6]).consistent(plate).unwrap();
    let mut method = options(form, Start::Classical).generalized_alpha().unwrap();
    let summary = Run::new(h, 0.5).run(plate, &mut method, &mut state, &mut |_: &Sample| {}).unwrap();
    (state, summary)
}

#[test]
fn plate_on_a_wire_has_order_2() {
    let plate = Plate(Product::new([Factor::R3xSO3]));
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let runs = [1e-3, 5e-4, 2.5e-4, 1.25e-4].map(|h| run(&plate, form, h));
        let difference = |i: usize| {
            let mut d = [0.0; 6];
            let (a, b) = (&runs[i].0, &runs[i + 1].0);
            plate.group().difference(&a.q, &b.q, &mut d);
            (norm(&d), distance(&a.v, &b.v), distance(&a.lambda, &b.lambda))
        };
        let d = [difference(0), difference(1), difference(2)];
        assert_order_2("q", &d.map(|d| d.0));
        assert_order_2("v", &d.map(|d| d.1));
        assert_order("lambda", &d.map(|d| d.2), 1.8..=2.2);
        let drift: Vec<f64> = runs.iter().map(|r| r.1.energy_drift.unwrap()).collect();
        assert_order("energy", &drift, 1.8..=2.4);
        for (_, summary) in &runs {
            assert!(summary.position_max < 1e-14);
            assert!(form == Form::Index3 || summary.velocity_max < 1e-10);
        }
    }
}

/// dr/dlambda is the transpose of B from the constraint alone.
#[test]
fn constraint_force_is_the_transpose_of_the_constraint_matrix() {
    let plate = Plate(Product::new([Factor::R3xSO3]));
    let mut q = Q_0;
    plate.group().retract(&Q_0, &[0.3, -0.5, 0.7, 0.1, -0.2, 0.4], &mut q);
    let (v, vdot) = ([0.1, 0.2, -0.3, 0.4, 0.5, -0.6], [0.0; 6]);
    for w in 0..6 {
        let mut direction = [0.0; 6];
        direction[w] = 1.0;
        let mut b = [0.0; 2];
        precess::mechanics::difference::velocity_constraint(&plate, &place(0.0, &q, &direction), &mut b);
        for row in 0..2 {
            let residual = |l: f64| {
                let mut lambda = [0.0; 2];
                lambda[row] = l;
                let mut r = [0.0; 6];
                let at = At { vdot: &vdot, lambda: &lambda, ..place(0.0, &q, &v) };
                plate.residual(&at, &mut r);
                r[w]
            };
            assert!((residual(1.0) - residual(0.0) - b[row]).abs() < 1e-10);
        }
    }
}
