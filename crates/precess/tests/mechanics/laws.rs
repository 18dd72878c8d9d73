//! Laws along a coordinate: the force is the derivative of the energy plus a loss that takes energy, and its
//! slopes are its derivatives.

use precess::formulation::Formulation;
use precess::mechanics::Multibody;
use precess::mechanics::combine::Combine;
use precess::mechanics::forces::{Force, LawKind};
use precess::mechanics::function::Argument;
use precess::model::{build, load};
use precess::study::larger;
use precess_lie::{Dual, Number};

use crate::every_element::models;

/// The laws of all models with every element.
fn laws() -> Vec<LawKind> {
    let mut list = Vec::new();
    for (name, text) in models() {
        let loaded = load("m.toml", &text, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        let built = build(&loaded.model, Formulation::R3SO3).unwrap_or_else(|e| panic!("{name}: {e}"));
        let system = Multibody::of(&*built.system).unwrap();
        list.extend(system.force_list().filter_map(|force| match force {
            Force::Along(along) => Some(along.law.clone()),
            _ => None,
        }));
    }
    list
}

#[test]
fn forces_are_derivatives_of_energies_and_losses() {
    let mut kinds = [false; 5];
    let mut worst: f64 = 0.0;
    for law in laws() {
        kinds[match law {
            LawKind::Elastic(_) => 0,
            LawKind::Effort(_) => 1,
            LawKind::Stops(_) => 2,
            LawKind::Viscous(_) => 3,
            LawKind::Dry(_) => 4,
        }] = true;
        let dual = LawKind::combine(&[&law], &|x| Dual::of(x(0))).unwrap();
        let mut see = |x: f64| worst = larger(worst, x);
        for k in 0..200 {
            let (x, v) = ((0.731 * k as f64).sin(), 3.0 * (1.37 * k as f64).cos());
            let here = Argument { t: 0.3, x, v };
            let along = |dx: f64, dv: f64| {
                let here = Argument { t: Dual::of(0.3), x: Dual::new(x, dx), v: Dual::new(v, dv) };
                dual.strength(here, &[]).dx
            };
            let at = law.law(here, &[]);
            let (s, loss) = (law.strength(here, &[]), law.loss(here, &[]));
            let size = 1.0 + s.abs() + at.s_y.x.abs() + at.s_rate.x.abs();
            let slope = dual.potential(Dual::new(x, 1.0)).dx;
            see((s - slope - loss).abs() / size);
            see((at.s.x - s).abs() / size);
            if law.is_elastic() {
                see(loss.abs() / size);
            }
            let x_part = if law.reads_position() { along(1.0, 0.0) } else { 0.0 };
            see((at.s_y.x - x_part).abs() / size);
            see((at.s_rate.x - along(0.0, 1.0)).abs() / size);
            // An actuator may give energy.
            if !matches!(law, LawKind::Effort(_)) {
                see(-loss * v / size);
            }
        }
    }
    assert_eq!(kinds, [true; 5], "a kind of law is not in the models");
    assert!(worst < 1e-13, "{:e}", worst);
}
