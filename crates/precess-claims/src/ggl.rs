//! GGL: Kinon, Betsch, Schneider, "Structure-preserving integrators based on a new variational principle for
//! constrained mechanical systems" (2023).

use nalgebra::Vector3;

use super::{Claim, Paper, Source, Value, Verdict, ggl_structure};
use precess::Error;
use precess::conserve::{
    Bs99, Conservative, EnergyMomentum, Guess, Settings, StepRule, Stepper, Theta, Variant, ViS,
};
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::State;
use precess::problems::ggl::{GglExample, OMEGA_P, four_particles, gyroscopic_top, spherical_pendulum};
use precess::study::larger;

pub(super) const PAPER: Paper = Paper {
    key: "GGL",
    title: "Kinon, Betsch, Schneider: Structure-preserving integrators based on a new variational principle \
            for constrained \
            mechanical systems (2023)",
    claims: &[
        PENDULUM,
        TOP,
        PARTICLES,
        STABILITY,
        ggl_structure::CLAIMS,
        super::ggl_family::CLAIMS,
        super::ggl_original::CLAIMS,
    ],
};

pub(super) const GGL: Claim = Claim::of("GGL");
pub(super) const PLOT: &str = "Words or a plot only; expected value from an independent prototype.";
const ROUND_OFF: &str = "With one more Newton update after convergence; without it 7e-9.";
const EVEN: &str = "Even numbers of steps: odd ones add a component of period two.";

/// Method of a run.
#[derive(Clone, Copy)]
pub(super) enum By {
    Em,
    EmG,
    ViS,
    ViA,
    ViB,
}

/// The quantities after a step; at the start lambda and gamma are empty.
pub(super) struct Look<'a> {
    pub(super) t: f64,
    pub(super) system: &'a Conservative,
    pub(super) q: &'a [f64],
    /// M^-1 p.
    pub(super) w: &'a [f64],
    /// The reported velocity.
    pub(super) v: &'a [f64],
    /// E(q, v, p) = p.v - v.M v/2 + V; for VI-S at the beginning of the step, to which its velocity belongs.
    pub(super) function: f64,
    pub(super) lambda: &'a [f64],
    pub(super) gamma: &'a [f64],
}

/// Maxima over a run, and its end.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) energy: f64,
    /// The same for E(q, v, p).
    pub(super) function: f64,
    pub(super) j_increment: f64,
    /// Largest change of the angular and of the linear momentum.
    pub(super) momenta: [f64; 2],
    pub(super) g: f64,
    pub(super) gv: f64,
    /// The rows of G M^-1 p.
    pub(super) rows: Vec<f64>,
    /// |G v| with the reported velocity.
    pub(super) reported: f64,
    pub(super) height: f64,
    pub(super) updates: usize,
    pub(super) q: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    pub(super) lambdas: Vec<f64>,
    pub(super) gammas: Vec<f64>,
    /// Time of failure or blow-up.
    pub(super) end: Option<f64>,
}

pub(super) const PLAIN: Settings =
    Settings { tolerance: 1e-9, max_iterations: 25, guess: Guess::Simple, fallback: false, polish: true };

/// |H - H_0| at which a run counts as blown up.
const BLOWN: f64 = 1e3;

pub(super) fn see(example: &GglExample, by: By, h: f64, n: usize, settings: Settings) -> Result<Seen, Error> {
    watch(example, by, (h, n), settings, &mut |_| ())
}

/// Runs with a callback for every step.
pub(super) fn watch(
    example: &GglExample,
    by: By,
    steps: (f64, usize),
    settings: Settings,
    look: &mut dyn FnMut(&Look),
) -> Result<Seen, Error> {
    let limits = (settings, BLOWN);
    match by {
        By::Em => run(example, EnergyMomentum::EM, steps, limits, look),
        By::EmG => run(example, EnergyMomentum::EM_G, steps, limits, look),
        By::ViS => run(example, ViS, steps, limits, look),
        By::ViA => run(example, Theta::VI_A, steps, limits, look),
        By::ViB => run(example, Theta::VI_B, steps, limits, look),
    }
}

pub(super) fn run<R: StepRule>(
    example: &GglExample,
    rule: R,
    (h, n): (f64, usize),
    (settings, blown): (Settings, f64),
    look: &mut dyn FnMut(&Look),
) -> Result<Seen, Error> {
    let system: &Conservative = &example.system;
    let mut state = InitialValues::new(&example.q_0, &example.v_0).consistent(system)?;
    let mut stepper = Stepper::new(rule).with_settings(settings);
    stepper.start(system, &mut state, h)?;
    let first = system.invariants(&state.q, &state.v);
    let mut last = first;
    let mut seen = Seen { rows: vec![0.0; system.rows()], ..Seen::default() };
    let mut rows = vec![0.0; system.rows()];
    let none = &[][..];
    let State { q, v, .. } = &state;
    look(&Look { t: 0.0, system, q, w: v, v, function: first.energy, lambda: none, gamma: none });
    for k in 1..=n {
        match stepper.step(system, &mut state, h) {
            Ok(report) => seen.updates += report.iterations,
            Err(_) => {
                seen.end = Some((k - 1) as f64 * h);
                break;
            }
        }
        let now = system.invariants(&state.q, stepper.w());
        let u = stepper.unknowns();
        let t = k as f64 * h;
        let (q, w, v, function) =
            (&state.q, stepper.w(), &state.v, stepper.energy_function(system, &state.q));
        look(&Look { t, system, q, w, v, function, lambda: u.lambda, gamma: u.gamma });
        seen.function = larger(seen.function, (function - first.energy).abs());
        seen.energy = larger(seen.energy, (now.energy - first.energy).abs());
        seen.j_increment = larger(seen.j_increment, (now.about_gravity - last.about_gravity).abs());
        let change = [(now.angular - first.angular).norm(), (now.linear - first.linear).norm()];
        seen.momenta.iter_mut().zip(change).for_each(|(m, x)| *m = larger(*m, x));
        seen.g = larger(seen.g, now.primary);
        seen.gv = larger(seen.gv, now.secondary);
        system.gv(&state.q, stepper.w(), &mut rows);
        seen.rows.iter_mut().zip(&rows).for_each(|(m, x)| *m = larger(*m, x.abs()));
        seen.reported = larger(seen.reported, system.invariants(&state.q, &state.v).secondary);
        seen.height = larger(seen.height, (state.q[2] - 0.0375).abs());
        if seen.lambdas.len() < 200 {
            seen.lambdas.push(u.lambda[0]);
            seen.gammas.extend(u.gamma.first());
        }
        last = now;
        if !(seen.energy <= blown) {
            seen.end = Some(k as f64 * h);
            break;
        }
    }
    seen.lambda = stepper.unknowns().lambda.to_vec();
    seen.w = stepper.w().to_vec();
    seen.q = state.q;
    Ok(seen)
}

/// The same for a run that must be complete: values before a failure prove nothing.
pub(super) fn whole(
    example: &GglExample,
    by: By,
    h: f64,
    n: usize,
    settings: Settings,
) -> Result<Seen, Error> {
    let seen = see(example, by, h, n, settings)?;
    match seen.end {
        None => Ok(seen),
        Some(t) => Err(Error::Input { message: format!("the run ended at t = {t:.4} s already") }),
    }
}

pub(super) fn pendulum(by: By) -> Result<Seen, Error> {
    whole(&spherical_pendulum(), by, 0.05, 200, PLAIN)
}

pub(super) fn top(by: By) -> Result<Seen, Error> {
    whole(&gyroscopic_top(), by, 0.002, 500, PLAIN)
}

pub(super) fn particles(by: By, guess: Guess) -> Result<Seen, Error> {
    whole(&four_particles(), by, 0.01, 1000, Settings { guess, ..PLAIN })
}

/// A claim about an energy that is not conserved.
const fn fluctuation(
    id: &'static str,
    place: &'static str,
    statement: &'static str,
    expected: f64,
    measure: super::Measure,
) -> Claim {
    Claim {
        id,
        place,
        statement,
        expected: Value::Number(expected),
        tolerance: 0.01,
        note: PLOT,
        measure,
        ..GGL
    }
}

const PENDULUM: &[Claim] = &[
    Claim {
        id: "GGL-Fig9-EM",
        place: "Fig. 9",
        statement: "Pendulum, h = 0.05: EM conserves the energy up to round-off",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: ROUND_OFF,
        measure: |_| Ok(pendulum(By::Em)?.energy),
        ..GGL
    },
    fluctuation(
        "GGL-Fig8-VI-S",
        "Fig. 8",
        "Pendulum: the energy function E of VI-S fluctuates; max |E(q,v,p) - E_0|, v at the beginning of \
         its step",
        1.123,
        |_| Ok(pendulum(By::ViS)?.function),
    ),
    fluctuation("GGL-Fig8-VI-A", "Fig. 8", "The same for VI-A", 0.2229, |_| Ok(pendulum(By::ViA)?.function)),
    fluctuation("GGL-Fig8-VI-B", "Fig. 8", "The same for VI-B", 0.7986, |_| Ok(pendulum(By::ViB)?.function)),
    fluctuation(
        "GGL-Fig7-VI-S",
        "Fig. 7",
        "Pendulum: the Hamiltonian of VI-S fluctuates; max |H(q,p) - H_0|",
        0.6978,
        |_| Ok(pendulum(By::ViS)?.energy),
    ),
    fluctuation("GGL-6.1-H-VI-A", "Sect. 6.1", "The same for VI-A", 0.09791, |_| {
        Ok(pendulum(By::ViA)?.energy)
    }),
    fluctuation(
        "GGL-6.1-H-VI-B",
        "Sect. 6.1",
        "The same for VI-B",
        0.6802,
        |_| Ok(pendulum(By::ViB)?.energy),
    ),
    Claim {
        id: "GGL-Fig11-J3",
        place: "Fig. 11",
        statement: "Pendulum: all integrators conserve J_3 up to round-off; largest increment of all",
        expected: Value::AtMost(1e-14),
        source: Source::Theory,
        note: "With one more Newton update after convergence; without it 6e-10.",
        measure: |_| {
            let all = [By::ViS, By::ViA, By::ViB, By::Em];
            all.iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.j_increment)))
        },
        ..GGL
    },
    Claim {
        id: "GGL-Fig12-g",
        place: "Fig. 12",
        statement: "Pendulum: VI-S, VI-B and EM satisfy the position constraint; largest |g| of the three",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "By design of these schemes.",
        measure: |_| {
            [By::ViS, By::ViB, By::Em].iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.g)))
        },
        ..GGL
    },
    Claim {
        id: "GGL-Fig13-g",
        place: "Fig. 13",
        statement: "Pendulum: VI-A violates the position constraint; max |g|",
        expected: Value::Number(6.472e-3),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(pendulum(By::ViA)?.g),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-gv",
        place: "Fig. 14",
        statement: "Pendulum: VI-S and EM satisfy the velocity constraint; largest |G M^-1 p| of both",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "For momenta.",
        measure: |_| [By::ViS, By::Em].iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.gv))),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-VI-B-v",
        place: "Fig. 14",
        statement: "Pendulum: VI-B satisfies the velocity constraint; max |G v| of its velocity",
        expected: Value::AtMost(1e-13),
        source: Source::Theory,
        note: "True for the velocity of the scheme.",
        measure: |_| Ok(pendulum(By::ViB)?.reported),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-VI-B-p",
        place: "Fig. 14, title of its axis",
        statement: "Pendulum: VI-B satisfies the constraint on momentum level; max |G M^-1 p|",
        paper_value: Value::AtMost(1e-12),
        expected: Value::Number(0.3161),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        note: "The momenta of VI-B are off the hidden constraints by O(h); only its velocity satisfies them.",
        measure: |_| Ok(pendulum(By::ViB)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig15-VI-A",
        place: "Fig. 15",
        statement: "Pendulum: VI-A violates the velocity constraint; max |G M^-1 p|",
        expected: Value::Number(3.303e-2),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(pendulum(By::ViA)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-82-vartheta",
        place: "(82), range of vartheta",
        statement: "vartheta may be in (0, 1]: growth of the multipliers' oscillation per step for vartheta \
                    = 0.6",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(1.5),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "The parasitic factor is -vartheta/(1 - vartheta): unstable above 1/2, singular at 1.",
        measure: |_| {
            let rule = Theta::new(Variant::B, 1.0, 0.6)?;
            let x =
                run(&spherical_pendulum(), rule, (0.05, 40), (PLAIN, f64::INFINITY), &mut |_| ())?.lambdas;
            let bend = |n: usize| (x[n - 1] - 2.0 * x[n] + x[n + 1]).abs();
            Ok((bend(36) / bend(32)).powf(0.25))
        },
        ..GGL
    },
];

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

/// A claim about an order of the top.
macro_rules! order {
    ($id:literal, $place:literal, $statement:literal, $order:literal, $measure:expr) => {
        Claim {
            id: $id,
            place: $place,
            statement: $statement,
            paper_value: Value::Number($order),
            expected: Value::Number($order),
            tolerance: 0.05,
            source: Source::Theory,
            note: EVEN,
            measure: $measure,
            ..GGL
        }
    };
}

const TOP: &[Claim] = &[
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
        statement: "Top: order of VI-S in p",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.157),
        tolerance: 0.02,
        note: "Order 1 is reached slowly: 1.36, 1.20, 1.10 between h = 1e-4 and 1e-5; here from 5e-5 to \
               1e-5.",
        verdict: Verdict::Corrected,
        measure: |_| order(By::ViS, 1),
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
        id: "GGL-6.2-VI-A-ext",
        place: "Sect. 6.2",
        statement: "Top: VI-A satisfies neither kind of constraint at the nodes; external velocity \
                    constraints",
        expected: Value::AtMost(1e-12),
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "Linear constraints hold for VI-A as well; the internal ones are violated by 14.8.",
        measure: |_| Ok(top(By::ViA)?.rows[6..].iter().fold(0.0, |m, x| larger(m, *x))),
        ..GGL
    },
];

pub(super) fn mean(by: By, guess: Guess) -> Result<f64, Error> {
    Ok(particles(by, guess)?.updates as f64 / 1000.0)
}

/// Instructions per step of a method on the four particles, counted by callgrind: `bench/ggl_cost`.
fn instructions(method: &str) -> Result<f64, Error> {
    const COUNTS: &str = include_str!("../../../bench/ggl_cost.txt");
    let count = COUNTS.lines().find_map(|line| line.strip_prefix(method)?.trim().parse().ok());
    count.ok_or_else(|| Error::Input { message: format!("there is no count of '{method}'") })
}

/// q_4, p and lambda of the four particles at t = 0.1 in quadruple precision, by an independent program.
const Q_4: [f64; 3] = [0.996038797621, 0.996270728713, 0.117262174423];
const P_4: [f64; 3] = [-0.1340328825, -0.1808855437, 1.9782724117];
const LAMBDA: [f64; 2] = [0.00178339, 1.33809821];

fn relative(x: &[f64], y: &[f64]) -> f64 {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut x.iter().zip(y).map(|(a, b)| a - b)) / norm(&mut y.iter().copied())
}

/// Relative errors of q_4, p_4 and lambda with n steps.
pub(super) fn particle_errors(by: By, n: usize) -> Result<[f64; 3], Error> {
    let s = whole(&four_particles(), by, 0.1 / n as f64, n, PLAIN)?;
    let p: Vec<f64> = s.w[9..].iter().map(|w| 1.7 * w).collect();
    Ok([relative(&s.q[9..], &Q_4), relative(&p, &P_4), relative(&s.lambda, &LAMBDA)])
}

/// Orders of q_4, p_4 and lambda between h = 4e-3 and 1e-3.
pub(super) fn particle_order(by: By, what: usize) -> Result<f64, Error> {
    // lambda is known only to eight digits and read at the wrong time: small steps show its order 1.
    let (coarse, fine) = if what == 2 { (200, 800) } else { (25, 100) };
    Ok((particle_errors(by, coarse)?[what] / particle_errors(by, fine)?[what]).ln() / 4.0_f64.ln())
}

const PARTICLES: &[Claim] = &[
    Claim {
        id: "GGL-Table2-VI-S",
        place: "Table 2",
        statement: "Four particles: mean number of Newton iterations of VI-S, simple guess",
        paper_value: Value::Number(4.0),
        expected: Value::Number(3.812),
        note: "Counted with the largest residual; 4.000 with its Euclidean norm.",
        measure: |_| mean(By::ViS, Guess::Simple),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-VI-S-adv",
        place: "Table 2",
        statement: "The same with the advanced guess",
        paper_value: Value::Number(3.0),
        expected: Value::Number(3.0),
        note: "Expected value from an independent prototype.",
        measure: |_| mean(By::ViS, Guess::Advanced),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-EM",
        place: "Table 2",
        statement: "Iterations of EM beyond four, simple guess",
        paper_value: Value::Number(0.305),
        expected: Value::AtMost(0.05),
        verdict: Verdict::NotReproduced,
        source: Source::Theory,
        note: "A consistent tangent takes 4.000 iterations; the cause of 4.305 was not found.",
        measure: |_| Ok(mean(By::Em, Guess::Simple)? - 4.0),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-EM-adv",
        place: "Table 2",
        statement: "Iterations of EM beyond three, advanced guess",
        paper_value: Value::Number(0.207),
        expected: Value::AtMost(0.05),
        verdict: Verdict::NotReproduced,
        source: Source::Theory,
        note: "A consistent tangent takes 3.000 iterations; the cause of 3.207 was not found.",
        measure: |_| Ok(mean(By::Em, Guess::Advanced)? - 3.0),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-work",
        place: "Table 2",
        statement: "EM takes 1.866 times the time of VI-S, simple guess: instructions per step of EM over \
                    those of VI-S",
        paper_value: Value::Number(1.866),
        expected: Value::Between(0.98 / 1.5, 0.98 * 1.5),
        verdict: Verdict::Undetermined,
        note: "It depends on the program. The prototype took 0.98 of the time of VI-S; expected is a ratio \
               within a factor of 1.5 of that. Counted by \
               bench/ggl_cost in the release profile.",
        measure: |_| Ok(instructions("em")? / instructions("vi-s")?),
        ..GGL
    },
    Claim {
        id: "GGL-Fig23-EM-G",
        place: "Fig. 23",
        statement: "Four particles: EM-G violates the secondary constraints; largest",
        expected: Value::Number(1.728e-5),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(particles(By::EmG, Guess::Simple)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig24-EM",
        place: "Fig. 24",
        statement: "Four particles: EM satisfies them",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "By design of the scheme.",
        measure: |_| Ok(particles(By::Em, Guess::Simple)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig25-energy",
        place: "Fig. 25",
        statement: "Four particles: EM and EM-G conserve the energy; larger max |H - H_0|",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "With the discrete gradient in closed form; a common fall-back of all springs gives 2.3e-6.",
        measure: |_| {
            Ok(larger(particles(By::Em, Guess::Simple)?.energy, particles(By::EmG, Guess::Simple)?.energy))
        },
        ..GGL
    },
    order!("GGL-Fig28-EM", "Fig. 28", "Four particles: order of EM in q_4", 2.0, |_| particle_order(
        By::Em,
        0
    )),
    order!("GGL-Fig28-EM-G", "Fig. 28", "The same for EM-G", 2.0, |_| particle_order(By::EmG, 0)),
    order!("GGL-Fig29-EM", "Fig. 29", "Order of EM in p_4", 2.0, |_| particle_order(By::Em, 1)),
    order!("GGL-Fig29-EM-G", "Fig. 29", "The same for EM-G", 2.0, |_| particle_order(By::EmG, 1)),
    order!("GGL-Fig30-EM", "Fig. 30", "Order of EM in lambda, read at the end of the step", 1.0, |_| {
        particle_order(By::Em, 2)
    }),
];

/// The time at which a run of the four particles blows up (|H - H_0| > 1e3) or Newton's method fails;
/// infinity if neither happens.
fn endures(by: By, h: f64, t_end: f64) -> Result<f64, Error> {
    let n = (t_end / h).round() as usize;
    Ok(see(&four_particles(), by, h, n, PLAIN)?.end.unwrap_or(f64::INFINITY))
}

const STABILITY: &[Claim] = &[
    Claim {
        id: "GGL-6.3-stable",
        place: "Sect. 6.3",
        statement: "Four particles: all schemes are stable for h = 0.04 until T = 1000; largest |H - H_0|",
        expected: Value::Number(0.2800),
        tolerance: 0.05,
        note: "That of VI-B, from the prototype; for the initial values (127), other velocities have other \
               limits.",
        measure: |_| {
            let all = [By::ViS, By::ViA, By::ViB, By::Em];
            all.iter().try_fold(0.0, |m: f64, by| {
                Ok(larger(m, whole(&four_particles(), *by, 0.04, 25000, PLAIN)?.energy))
            })
        },
        quick: false,
        ..GGL
    },
    Claim {
        id: "GGL-Fig32-VI-S",
        place: "Fig. 32",
        statement: "VI-S blows up at h = 0.05; time",
        expected: Value::Number(0.55),
        note: "The linear limit is 2/omega = 0.0466.",
        measure: |_| endures(By::ViS, 0.05, 100.0),
        ..GGL
    },
    Claim {
        id: "GGL-Fig32-VI-B",
        place: "Fig. 32",
        statement: "VI-B blows up at h = 0.05; time",
        expected: Value::Number(0.55),
        note: "The same positions as VI-S.",
        measure: |_| endures(By::ViB, 0.05, 100.0),
        ..GGL
    },
    Claim {
        id: "GGL-Fig33-VI-A",
        place: "Fig. 33",
        statement: "VI-A blows up at h = 0.25; time",
        paper_value: Value::Number(55.0),
        expected: Value::Between(30.0, 90.0),
        note: "53 to 58.5 in the prototype by definition of blow-up; the motion is chaotic.",
        measure: |_| endures(By::ViA, 0.25, 90.0),
        ..GGL
    },
    Claim {
        id: "GGL-6.3-EM-plain",
        place: "Sect. 6.3",
        statement: "EM is stable at h = 0.675: time until Newton's method fails from the values of the last \
                    step",
        paper_value: Value::AtLeast(1000.0),
        expected: Value::Between(80.0, 120.0),
        verdict: Verdict::Corrected,
        note: "The energy is exact as long as a solution is found, but plain Newton fails at t = 97 in the \
               prototype.",
        measure: |_| endures(By::Em, 0.675, 1000.0),
        ..GGL
    },
    Claim {
        id: "GGL-6.3-EM-guesses",
        place: "Sect. 6.3",
        statement: "EM at h = 0.675 until T = 1000 with other guesses where needed; max |H - H_0|",
        expected: Value::AtMost(1e-10),
        source: Source::Theory,
        note: "With continuation in the step size.",
        measure: |_| Ok(whole(&four_particles(), By::Em, 0.675, 1481, Settings::default())?.energy),
        ..GGL
    },
];
