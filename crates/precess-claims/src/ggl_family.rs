//! GGL: the whole family (62) beyond the theta methods: any quadratures of L, G and g.

use super::ggl::{GGL, PLAIN, run};
use super::ggl_structure::largest_defect;
use super::{Claim, Source, Value};
use precess::Error;
use precess::conserve::{Family, Quadrature};
use precess::conserve::{Stepper, Theta};
use precess::integrate::{InitialValues, Integrator};
use precess::problems::ggl::{four_particles, spherical_pendulum};
use precess::study::larger;

/// Simpson's rule for the Lagrangian, Gauss' for the velocities, both ends for the positions.
fn member() -> Result<Family, Error> {
    Family::new("simpson".parse()?, "gauss".parse()?, Quadrature::TRAPEZOIDAL)
}

/// Positions of the pendulum at t = 1 with n steps.
fn pendulum_at_one<R: precess::conserve::StepRule>(rule: R, n: usize) -> Result<Vec<f64>, Error> {
    let example = spherical_pendulum();
    let h = 1.0 / n as f64;
    let mut state = InitialValues::new(&example.q_0, &example.v_0).consistent(&example.system)?;
    let mut stepper = Stepper::new(rule);
    stepper.start(&example.system, &mut state, h)?;
    for _ in 0..n {
        stepper.step(&example.system, &mut state, h)?;
    }
    Ok(state.q)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Largest change of the angular momentum of the four particles in 200 steps.
fn momentum() -> Result<f64, Error> {
    let (mut first, mut off) = (None, 0.0_f64);
    let seen = run(&four_particles(), member()?, (0.01, 200), (PLAIN, f64::INFINITY), &mut |look| {
        let now = look.system.invariants(look.q, look.w).angular;
        let start = *first.get_or_insert(now);
        off = larger(off, (now - start).norm());
    })?;
    Ok(seen.end.map_or(off, |_| f64::NAN))
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "GGL-62-symplectic",
        place: "(62), appendix A.7.1",
        statement: "Any choice of L_d, G_d and g_d is symplectic: Simpson, Gauss and trapezoidal rule; \
                    change of the symplectic form over one step",
        expected: Value::AtMost(1e-10),
        source: Source::Theory,
        note: "Largest of the three examples, by differences.",
        measure: |_| largest_defect(member()?),
        ..GGL
    },
    Claim {
        id: "GGL-62-momentum",
        place: "(64), appendix A.7.2",
        statement: "The same member conserves angular momentum: change over 200 steps of the four particles",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "Quadratures of functions that rotations leave alone satisfy (64).",
        measure: |_| momentum(),
        ..GGL
    },
    Claim {
        id: "GGL-62-option-A",
        place: "(79)",
        statement: "With one node 1/2 for all three functions (62) is VI-A: distance of the pendulum from \
                    it at t = 1, h = 0.01",
        expected: Value::AtMost(1e-11),
        source: Source::Theory,
        note: "Another form of the same equations.",
        measure: |_| {
            let m = Quadrature::MIDPOINT;
            Ok(distance(&pendulum_at_one(Family::new(m, m, m)?, 100)?, &pendulum_at_one(Theta::VI_A, 100)?))
        },
        ..GGL
    },
    Claim {
        id: "GGL-62-order",
        place: "(62)",
        statement: "Symmetric quadratures have order 2: order of q of the pendulum at t = 1 between 50, 100 \
                    and 200 steps",
        expected: Value::Number(2.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "A self-adjoint method has an even order.",
        measure: |_| {
            let [a, b, c] = [50, 100, 200].map(|n| pendulum_at_one(member()?, n));
            let (a, b, c) = (a?, b?, c?);
            Ok((distance(&a, &b) / distance(&b, &c)).log2())
        },
        ..GGL
    },
];
