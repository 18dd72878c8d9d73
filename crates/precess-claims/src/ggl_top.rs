//! GGL, section 6.2: the gyroscopic top.

use super::ggl::{By, EVEN, GGL, PLAIN, PLOT, ROUND_OFF, order, top, whole};
use super::{By as Measured, Claim, Source, Value, Verdict};
use nalgebra::Vector3;
use precess::Error;
use precess::conserve::Bs99;
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::State;
use precess::problems::ggl::{OMEGA_P, gyroscopic_top};
use precess::study::larger;

/// Relative errors (113), (114) of the top at t = 0.001.
fn errors(q: &[f64], w: &[f64]) -> [f64; 2] {
    let m = 0.7069;
    let q_0 = gyroscopic_top().q_0;
    let (sin, cos) = (OMEGA_P * 1e-3).sin_cos();
    let phi = Vector3::new(cos * q_0[0] - sin * q_0[1], sin * q_0[0] + cos * q_0[1], q_0[2]);
    let p = m * OMEGA_P * Vector3::z().cross(&phi);
    let found = m * Vector3::new(w[0], w[1], w[2]);
    [(q[2] - 0.0375).abs() / 0.0375, (found - p).norm() / p.norm()]
}

/// The same for a method with n steps.
pub(super) fn top_errors(by: By, n: usize) -> Result<[f64; 2], Error> {
    let seen = whole(&gyroscopic_top(), by, 1e-3 / n as f64, n, PLAIN)?;
    Ok(errors(&seen.q, &seen.w))
}

/// The same for BS99.
pub(super) fn bs99_errors(n: usize) -> Result<[f64; 2], Error> {
    bs99(1e-3 / n as f64, n, &mut |_| ()).map(|state| errors(&state.q, &state.v))
}

/// The top by BS99, with a callback for every state.
pub(super) fn bs99(h: f64, n: usize, look: &mut dyn FnMut(&State)) -> Result<State, Error> {
    let example = gyroscopic_top();
    let mut state: State = InitialValues::new(&example.q_0, &example.v_0).consistent(&example.system)?;
    let mut method = Bs99::new();
    method.start(&example.system, &mut state, h)?;
    look(&state);
    for _ in 0..n {
        method.step(&example.system, &mut state, h)?;
        look(&state);
    }
    Ok(state)
}

/// Order in q (0) or p (1) between h = 5e-5 and 1e-5.
fn order(by: By, what: usize) -> Result<f64, Error> {
    Ok((top_errors(by, 20)?[what] / top_errors(by, 100)?[what]).ln() / 5.0_f64.ln())
}

fn bs99_order(what: usize) -> Result<f64, Error> {
    Ok((bs99_errors(20)?[what] / bs99_errors(100)?[what]).ln() / 5.0_f64.ln())
}

/// A claim about Fig. 17.
const fn height(id: &'static str, statement: &'static str, expected: f64, measure: super::Measure) -> Claim {
    Claim {
        id,
        place: "Fig. 17",
        statement,
        expected: Value::Number(expected),
        tolerance: 0.02,
        note: PLOT,
        measure,
        ..GGL
    }
}

pub(super) const CLAIMS: &[Claim] = &[
    order!("GGL-Fig18-VI-S", "Fig. 18", "Top: order of VI-S in q", 1.0, |_| order(By::ViS, 0)),
    order!("GGL-Fig18-VI-B", "Fig. 18", "Top: order of VI-B in q", 1.0, |_| order(By::ViB, 0)),
    order!("GGL-Fig18-BS99", "Fig. 18", "Top: order of BS99 in q", 1.0, |_| bs99_order(0)),
    order!("GGL-Fig18-VI-A", "Fig. 18", "Top: order of VI-A in q", 2.0, |_| order(By::ViA, 0)),
    order!("GGL-Fig18-EM", "Fig. 18", "Top: order of EM in q", 2.0, |_| order(By::Em, 0)),
    order!("GGL-Fig19-VI-B", "Fig. 19", "Top: order of VI-B in p", 1.0, |_| order(By::ViB, 1)),
    order!("GGL-Fig19-BS99", "Fig. 19", "Top: order of BS99 in p", 1.0, |_| bs99_order(1)),
    order!("GGL-Fig19-VI-A", "Fig. 19", "Top: order of VI-A in p", 2.0, |_| order(By::ViA, 1)),
    order!("GGL-Fig19-EM", "Fig. 19", "Top: order of EM in p", 2.0, |_| order(By::Em, 1)),
    Claim {
        id: "GGL-Fig19-VI-S",
        place: "Fig. 19",
        statement: "Top: order of VI-S in p, between h = 5e-6 and 1e-6",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.019),
        note: "Order 1 is reached slowly: 1.36, 1.20, 1.10 between h = 1e-4 and 1e-5; expected value from a \
               second program, bench/papers.",
        measure: |_| {
            let error = |n| Ok::<f64, Error>(top_errors(By::ViS, n)?[1]);
            Ok((error(200)? / error(1000)?).ln() / 5.0_f64.ln())
        },
        ..GGL
    },
    Claim {
        id: "GGL-Fig17-EM",
        place: "Fig. 17",
        statement: "Top, h = 0.002: EM does not keep the height of steady precession; max |phi_3 - 0.0375| \
                    up to t = 1",
        expected: Value::Number(1.212e-4),
        tolerance: 0.02,
        note: PLOT,
        measure: |_| Ok(top(By::Em)?.height),
        ..GGL
    },
    Claim {
        id: "GGL-Fig17-VI-S",
        place: "Fig. 17",
        statement: "The same for VI-S",
        expected: Value::Number(1.437e-3),
        tolerance: 0.02,
        note: PLOT,
        measure: |_| Ok(top(By::ViS)?.height),
        ..GGL
    },
    height("GGL-Fig17-VI-A", "The same for VI-A", 5.056e-4, |_| Ok(top(By::ViA)?.height)),
    height("GGL-Fig17-VI-B", "The same for VI-B", 1.393e-3, |_| Ok(top(By::ViB)?.height)),
    height("GGL-Fig17-BS99", "The same for BS99", 5.998e-4, |_| {
        let mut height = 0.0;
        bs99(0.002, 500, &mut |state| height = larger(height, (state.q[2] - 0.0375).abs()))?;
        Ok(height)
    }),
    Claim {
        id: "GGL-6.2-EM-energy",
        place: "Sect. 6.2",
        statement: "Top: EM conserves the energy; max |H - H_0|",
        expected: Value::AtMost(5e-12),
        source: Source::Theory,
        note: ROUND_OFF,
        measure: |_| Ok(top(By::Em)?.energy),
        ..GGL
    },
    Claim {
        id: "GGL-Fig20-int",
        place: "Fig. 20",
        statement: "Top: VI-S violates the internal velocity constraints; largest",
        expected: Value::Number(0.3743),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(top(By::ViS)?.rows[..6].iter().fold(0.0, |m, x| larger(m, *x))),
        ..GGL
    },
    Claim {
        id: "GGL-Fig20-ext",
        place: "Fig. 20",
        statement: "Top: the linear external ones are still satisfied by VI-S",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "Linear constraints.",
        measure: |_| Ok(top(By::ViS)?.rows[6..].iter().fold(0.0, |m, x| larger(m, *x))),
        ..GGL
    },
    Claim {
        id: "GGL-6.2-VI-A-int",
        place: "Sect. 6.2",
        statement: "Top, h = 0.002: VI-A fulfills no velocity constraints at the nodes; largest internal one",
        expected: Value::Number(14.84),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(top(By::ViA)?.rows[..6].iter().fold(0.0, |m, x| larger(m, *x))),
        ..GGL
    },
    Claim {
        id: "GGL-6.2-VI-A-g",
        place: "Sect. 6.2",
        statement: "VI-A fulfills no position constraints at the nodes either; largest |g|",
        expected: Value::Number(2.034e-2),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(top(By::ViA)?.g),
        ..GGL
    },
    Claim {
        id: "GGL-6.2-VI-B-EM",
        place: "Sect. 6.2",
        statement: "Top, h = 0.002: VI-B and EM fulfill the constraints of positions and velocities; largest \
                    |g| and |G v|",
        expected: Value::AtMost(1e-11),
        source: Source::Theory,
        note: "By design of the schemes; v is the velocity of the scheme (GGL-Fig14-VI-B-p).",
        measure: |_| {
            [By::ViB, By::Em].iter().try_fold(0.0, |m: f64, by| {
                let seen = top(*by)?;
                Ok(larger(m, larger(seen.g, seen.reported)))
            })
        },
        ..GGL
    },
    Claim {
        id: "GGL-6.2-VI-A-ext",
        place: "Sect. 6.2",
        statement: "The linear external velocity constraints are satisfied by VI-A as well; largest",
        expected: Value::AtMost(1e-12),
        verdict: Verdict::Beyond,
        source: Source::Theory,
        note: "Linear constraints hold at the nodes if they hold at the midpoints. The paper: VI-A does not \
               fulfill both types of constraints, which are, as in its previous example, those of positions \
               and of velocities.",
        measure: |_| Ok(top(By::ViA)?.rows[6..].iter().fold(0.0, |m, x| larger(m, *x))),
        ..GGL
    },
    Claim {
        id: "GGL-112",
        place: "(112)",
        statement: "Spin rate for steady precession in the model, in rad/s",
        paper_value: Value::Number(135.6),
        expected: Value::Number(135.61),
        tolerance: 1e-4,
        by: Measured::Formula,
        note: "Expected value from a second program, bench/papers.",
        measure: |_| {
            let example = gyroscopic_top();
            let part = |x: &[f64], i: usize| Vector3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
            let d = [1, 2, 3].map(|i| part(&example.q_0, i));
            let omega =
                (1..4).fold(Vector3::zeros(), |w, i| w + 0.5 * d[i - 1].cross(&part(&example.v_0, i)));
            Ok(omega.dot(&d[2]) - OMEGA_P * d[2].z)
        },
        ..GGL
    },
    Claim {
        id: "GGL-6.2-height",
        place: "Sect. 6.2",
        statement: "Height of the centre of mass of the top in the model, in m",
        paper_value: Value::Number(0.0375),
        expected: Value::Number(0.0375),
        tolerance: 1e-12,
        source: Source::Theory,
        by: Measured::Formula,
        note: "l cos(pi/3).",
        measure: |_| Ok(gyroscopic_top().q_0[2]),
        ..GGL
    },
];
